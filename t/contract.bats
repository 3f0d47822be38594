#!/usr/bin/env bats
# contract - what is true of every tool: one test a rule, over every src/*.c, naming the offenders
load helper

setup_file() {
	export BARE=$BATS_FILE_TMPDIR/bare
	mkdir -p "$BARE/src" "$BARE/lib"
	# the sources without comments and without what stands in quotes, line by line
	cd "$ROOT" || return
	awk -v bare="$BARE/" '
	FNR == 1 { comment = 0; quote = "" }
	{
		out = ""
		n = comment || /["\047*]/ ? length($0) : 0
		for (i = 1; i <= n; i++) {
			c = substr($0, i, 1)
			if (comment) { if (c == "*" && substr($0, i + 1, 1) == "/") { comment = 0; i++ } }
			else if (quote != "") {
				if (c == "\\") i++
				else if (c == quote) { quote = ""; out = out c }
			} else if (c == "/" && substr($0, i + 1, 1) == "*") { comment = 1; i++ }
			else if (c == "\"" && $0 !~ /^#include/ || c == "\047") { quote = c; out = out c }
			else out = out c
		}
		print n ? out : $0 >(bare FILENAME)
	}' src/*.c lib/*.[ch]
}

tools() { (cd "$ROOT/src" && ls ./*.c) | sed 's|^\./||; s|\.c$||'; }

offenders=
blame() { offenders+="$*"$'\n'; }
blame_if() { [ -z "$1" ] || blame "$1"; }	# blame_if TEXT: unless there is none
none() { same '' "$offenders" 'offenders:'; }

# try CMD...: its status in $st, its output in the files out and err
try() {
	st=0
	timeout 10 "$@" >out 2>err </dev/null || st=$?
}

# The lines of an option list on stdin are `letter long argument`: `-` for no letter; 0 none, 1 needed, 2 may stand
# behind `=`.
from_table() {
	if grep -q '^	OPT_COMMON,$' "$1"; then printf '%s\n' 'h help 0' 'V version 0'; fi
	grep -o -E '\{ *"[^"]+", *(no|required|optional)_argument, *NULL, *[^ }]+ *\}' "$1" | tr -d '{}", ' | awk '{
		at = match($0, /(no|required|optional)_argumentNULL/)
		val = substr($0, at + RLENGTH)
		kind = substr($0, at, 2)
		print (val ~ /^\047.\047$/ ? substr(val, 2, 1) : "-"), substr($0, 1, at - 1), kind == "no" ? 0 : kind == "re" ? 1 : 2
	}'
}

from_help() {
	"$1" -h | awk '/^ +-/ {
		sub(/^ +/, "")
		sub(/  .*/, "")
		letter = "-"
		if ($0 ~ /^-[^-], /) { letter = substr($0, 2, 1); $0 = substr($0, 5) }
		if (!sub(/^--/, "") || !match($0, /^[a-z][a-z-]*/)) next
		rest = substr($0, RLENGTH + 1)
		print letter, substr($0, 1, RLENGTH), rest == "" ? 0 : rest ~ /^\[=/ ? 2 : 1
	}'
}

from_page() {
	awk '/^\.It Fl/ {
		gsub(/\\/, "")
		sub(/^\.It /, "")
		letter = "-"
		if ($0 ~ /^Fl [^ ] , /) { letter = substr($0, 4, 1); $0 = substr($0, 8) }
		if (!sub(/^Fl (Fl |-)/, "")) $0 = "(no long form) " $0
		match($0, /^[^ ]+/)
		rest = substr($0, RLENGTH + 1)
		print letter, substr($0, 1, RLENGTH), rest ~ / Op / ? 2 : rest ~ /Ar / ? 1 : 0
	}' "$1"
}

from_completion() {
	"$1" -h | bash -c '. "$1"; _batchutils_options' - "$ROOT/share/bash-completion/completions/batchutils" |
		awk '{ sub(/^-/, "", $1); if ($1 == "") $1 = "-"; sub(/^--/, "", $2); print }'
}

@test "help, the option table, the page and the completion name the same options, with the same arguments" {
	local tool source want got
	for tool in $(tools); do
		want=$(from_table "$ROOT/src/$tool.c" | sort)
		[ -n "$want" ] || blame "$tool: no option table found"
		for source in help page completion; do
			case $source in
			page) got=$(from_page "$ROOT/share/man/man1/$tool.1" | sort) ;;
			*) got=$("from_$source" "$tool" | sort) ;;
			esac
			[ "$want" = "$got" ] || blame "$tool: $source (>) and table (<) differ:
$(diff <(echo "$want") <(echo "$got") | grep '^[<>]')"
		done
		want=$(from_table "$ROOT/src/$tool.c" | awk '{ if ($1 != "-") print "-" $1; print "--" $2 }' | sort)
		got=$(bash -c '. "$1"; COMP_LINE="$2 -" COMP_POINT=${#COMP_LINE} COMP_WORDS=("$2" -) COMP_CWORD=1; _batchutils
			printf "%s\n" "${COMPREPLY[@]}"' - "$ROOT/share/bash-completion/completions/batchutils" "$BIN/$tool" | sort)
		[ "$want" = "$got" ] || blame "$tool: bash offers (>) and the table has (<):
$(diff <(echo "$want") <(echo "$got") | grep '^[<>]')"
	done
	none
}

@test "a letter of the kit means the same in every tool" {
	local tool letter long arg
	for tool in $(tools); do
		while read -r letter long arg; do
			case $letter-$long in
			h-help | V-version | q-quiet | v-verbose | H-header | t-time-limit | i-index | i-interval) ;;
			f-file | S-since | E-until | a-array) ;;
			n-*) ;;	# a count of something: the long name says of what
			[hVqvHtifSEa]-*) blame "$tool: -$letter is --$long" ;;
			?-help | ?-version | ?-quiet | ?-verbose | ?-header | ?-time-limit | ?-index | ?-interval | ?-count) ;&
			?-file | ?-since | ?-until | ?-array) blame "$tool: --$long has ${letter/-/no letter}" ;;
			esac
		done < <(from_table "$ROOT/src/$tool.c")
	done
	none
}

# bats test_tags=smoke
@test "-h and --help: help on stdout, the tool's name first, then usage, options, exit status, an example; 0" {
	local tool part line
	for tool in $(tools); do
		for part in -h --help; do
			try "$tool" $part
			[ "$st" = 0 ] || blame "$tool $part: status $st"
			[ ! -s err ] || blame "$tool $part: stderr: $(cat err)"
			[[ $(head -n 1 out) == "$tool - "[!\ ]* ]] || blame "$tool $part: first line: $(head -n 1 out)"
		done
		line=$(grep -n -o -E '^(usage:|exit status:|example:)' out | tr -d '\n' | tr -d '0-9')
		[ "$line" = ':usage::exit status::example:' ] || blame "$tool -h: parts: $line"
		awk -v tool="$tool" 'length > 132 { print tool " -h: line " NR " is " length " wide" }' out >wide
		[ ! -s wide ] || blame "$(cat wide)"
	done
	none
}

# bats test_tags=smoke
@test "-V and --version: name (batchutils) version on stdout; 0" {
	local tool part version
	version=$(sed -n 's/^VERSION = //p' "$ROOT/Makefile")
	for tool in $(tools); do
		for part in -V --version; do
			try "$tool" $part
			[ "$st" = 0 ] || blame "$tool $part: status $st"
			[ ! -s err ] || blame "$tool $part: stderr: $(cat err)"
			[ "$(cat out)" = "$tool (batchutils) $version" ] || blame "$tool $part: $(cat out)"
		done
	done
	none
}

# bad_use TOOL: the status of bad use: 2, but 125 where the tool can do nothing but become a command
bad_use() {
	"$1" -h >help
	if grep -q -w 125 help && ! sed -n '/^usage:/,/^$/p' help | grep -w -e "$1" | grep -v -q -e ' -- command'; then
		echo 125
	else
		echo 2
	fi
}

# misused WANT NEEDLE TOOL ARG...: fails with WANT and one line of the tool's that holds NEEDLE
misused() {
	local want=$1 needle=$2
	shift 2
	try "$@"
	mapfile -t said <err
	[ "$st" = "$want" ] || blame "$*: status $st, not $want"
	[ "${#said[@]}" = 1 ] || blame "$*: ${#said[@]} lines: ${said[*]}"
	[[ ${said[0]-} == "$1: "* ]] || blame "$*: not from $1: ${said[0]-}"
	[[ ${said[0]-} == *"$needle"* ]] || blame "$*: does not name $needle: ${said[0]-}"
}

# unused_letter TOOL: a letter that is no option of it
unused_letter() {
	local letter
	for letter in Z Y X W U R Q; do
		from_table "$ROOT/src/$1.c" | grep -q "^$letter " || { echo "$letter"; return; }
	done
}

# bats test_tags=smoke
@test "an unknown option, long or short, is bad use, and one line names it" {
	local tool letter want
	for tool in $(tools); do
		want=$(bad_use "$tool")
		letter=$(unused_letter "$tool")
		misused "$want" no-such-option "$tool" --no-such-option
		misused "$want" no-such-option "$tool" --no-such-option=5
		misused "$want" "$letter" "$tool" "-$letter"
		if "$tool" -h | grep -q -w 125; then
			misused 125 no-such-option "$tool" --no-such-option -- true
			misused 125 "$letter" "$tool" "-$letter" -- true
		fi
	done
	none
}

@test "an unknown short option that is no ASCII letter is named too, and no other word" {
	local tool
	for tool in $(tools); do
		misused "$(bad_use "$tool")" option "$tool" $'-\303\251'
		grep -q -e "$tool'" -e "$BIN" err && blame "$tool: -é: $(cat err)"
	done
	none
}

@test "an option without the argument it needs is bad use, and one line names it" {
	local tool letter long arg want
	for tool in $(tools); do
		want=$(bad_use "$tool")
		while read -r letter long arg; do
			[ "$arg" = 1 ] || continue
			misused "$want" "$long" "$tool" "--$long"
			[ "$letter" = - ] || misused "$want" "$long" "$tool" "-$letter"
		done < <(from_table "$ROOT/src/$tool.c")
	done
	none
}

@test "an argument to an option that takes none is bad use, and one line names the option" {
	local tool letter long arg want
	for tool in $(tools); do
		want=$(bad_use "$tool")
		while read -r letter long arg; do
			[ "$arg" != 0 ] || misused "$want" "$long" "$tool" "--$long=x"
		done < <(from_table "$ROOT/src/$tool.c")
	done
	none
}

# bats test_tags=smoke
@test "an operand that begins with - is refused by name" {
	local tool want
	for tool in $(tools); do
		want=$(bad_use "$tool")
		misused "$want" --late-option "$tool" x=1 --late-option
		misused "$want" -9 "$tool" x=1 -9
	done
	none
}

@test "a full disk is noticed: 3 and one line" {
	local tool part
	[ -c /dev/full ] || skip 'no /dev/full'
	for tool in $(tools); do
		for part in -h -V; do
			st=0
			"$tool" $part >/dev/full 2>err || st=$?
			[ "$st" = 3 ] || blame "$tool $part: status $st"
			[[ $(cat err) == "$tool: "*' lost'* && $(wc -l <err) -eq 1 ]] || blame "$tool $part: $(cat err)"
		done
	done
	none
}

@test "a closed stdout is noticed: 3 and one line; a closed stderr or stdin changes no status" {
	local tool part
	for tool in $(tools); do
		for part in -h -V; do
			st=0
			"$tool" $part >&- 2>err || st=$?
			[ "$st" = 3 ] || blame "$tool $part >&-: status $st"
			[[ $(cat err) == "$tool: "*' lost'* && $(wc -l <err) -eq 1 ]] || blame "$tool $part >&-: $(cat err)"
			st=0
			"$tool" $part 2>&- >out <&- || st=$?
			[ "$st" = 0 ] || blame "$tool $part 2>&- <&-: status $st"
			[ -s out ] || blame "$tool $part 2>&- <&-: no output"
		done
		st=0
		"$tool" --no-such-option >out 2>&- || st=$?
		[ "$st" = "$(bad_use "$tool")" ] || blame "$tool --no-such-option 2>&-: status $st"
	done
	none
}

@test "a reader that has gone ends a tool by SIGPIPE, without a word" {
	local tool
	env --default-signal=PIPE true 2>/dev/null || skip 'this env cannot undo an ignored SIGPIPE'
	mkfifo gone
	for tool in $(tools); do
		{
			read -r _ <gone
			st=0
			env --default-signal=PIPE "$tool" -h 2>err || st=$?
			echo "$st" >status
		} | { exec 0<&-; echo >gone; }
		[ "$(cat status)" = 141 ] || blame "$tool -h: status $(cat status)"
		[ ! -s err ] || blame "$tool -h: $(cat err)"
		"$tool" -h 2>err | head -n 1 >out
		[ ! -s err ] || blame "$tool -h | head: $(cat err)"
	done
	none
}

@test "no byte from outside reaches stderr as a control byte or broken UTF-8, and every line there is the tool's" {
	local tool letter long arg hostile=$'\e[31mx\a\ny\x7f\xc2\x9b\xff\t\r' args word line LC_ALL=C
	for tool in $(tools); do
		args=("--$hostile" "$hostile" "$hostile=$hostile" $'-\e' "x=1 -- $hostile")
		while read -r letter long arg; do
			args+=("--$long=$hostile")
		done < <(from_table "$ROOT/src/$tool.c")
		for word in "${args[@]}"; do
			try "$tool" "$word"
			case $st in
			0 | 1 | 2 | 3 | 12[4567]) ;;
			*) blame "$tool $(printf %q "$word"): status $st" ;;
			esac
			mapfile -t said <err
			for line in "${said[@]}"; do
				# nothing that is no ASCII in what was given may pass: each such byte was a control or not UTF-8
				[[ $line == "$tool: "* && $line != *[!\ -~]* ]] || blame "$tool $(printf %q "$word"): $(cat -v err)"
			done
			if [ "$st" = 2 ] && [ "${#said[@]}" != 1 ]; then
				blame "$tool $(printf %q "$word"): ${#said[@]} lines: $(cat -v err)"
			fi
		done
	done
	none
}

@test "ten descriptors are enough" {
	local tool part st10
	for tool in $(tools); do
		for part in -h -V --no-such-option; do
			try "$tool" $part
			st10=0
			bash -c 'for fd in {3..20}; do eval "exec $fd>&-"; done; ulimit -n 10; exec "$@"' - "$tool" $part >out10 2>err10 ||
				st10=$?
			{ [ "$st10" = "$st" ] && cmp -s out out10 && cmp -s err err10; } || blame "$tool $part: status $st10: $(cat err10)"
		done
	done
	none
}

@test "each tool has its page, its test and its row in README's table; nothing stands there without a tool" {
	local tool page row
	for tool in $(tools); do
		[ -f "$ROOT/share/man/man1/$tool.1" ] || blame "$tool: no share/man/man1/$tool.1"
		[ -f "$ROOT/t/$tool.bats" ] || blame "$tool: no t/$tool.bats"
		row="| \`$tool\` | $("$tool" -h | sed -n "1s/^$tool - //p") |"
		grep -q -x -F -e "$row" "$ROOT/README.md" || blame "README.md lacks the row: $row"
	done
	for page in "$ROOT"/share/man/man1/*.1; do
		page=$(basename "$page" .1)
		[ -f "$ROOT/src/$page.c" ] || blame "share/man/man1/$page.1: no such tool"
	done
	while IFS= read -r row; do
		[ -f "$ROOT/src/$row.c" ] || blame "README.md: a row for $row: no such tool"
	done < <(sed -n 's/^| `\([a-z0-9-]*\)` |.*/\1/p' "$ROOT/README.md")
	none
}

# section PAGE NAME: its source
section() { awk -v want="$2" '/^\.Sh / { in_it = $0 == ".Sh " want; next } in_it' "$1"; }

@test "each page has its sections, and the name line of the help" {
	local tool page name
	for tool in $(tools); do
		page=$ROOT/share/man/man1/$tool.1
		for name in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' EXAMPLES BUGS; do
			[ -n "$(section "$page" "$name")" ] || blame "$tool.1: no $name"
		done
		name="$(section "$page" NAME | sed -n 's/^\.Nm //p') - $(section "$page" NAME | sed -n 's/^\.Nd //p' | sed 's/\\&//g; s/\\-/-/g')"
		[ "$name" = "$("$tool" -h | head -n 1)" ] || blame "$tool.1: $name: not the first line of -h"
	done
	none
}

@test "help and page name the same exit statuses" {
	local tool help page
	for tool in $(tools); do
		help=$("$tool" -h | sed -n '/^exit status:/,/^$/p' | grep -o -w -E '[0-3]|12[4-8]' | sort -n -u | tr '\n' ' ')
		page=$(section "$ROOT/share/man/man1/$tool.1" 'EXIT STATUS' | grep '^\.It ' | grep -o -w -E '[0-3]|12[4-8]' |
			sort -n -u | tr '\n' ' ')
		[ "$help" = "$page" ] || blame "$tool: help has $help, the page $page"
		case $help in '0 '*'2 3 '*) ;; *) blame "$tool: exit status: $help" ;; esac
	done
	none
}

@test "the batch script in README is the one of the examples" {
	same "$(cat "$ROOT/share/examples/smoke.sbatch")" \
		"$(sed -n '/^    #!.bin.bash$/,/^[^ ]/p' "$ROOT/README.md" | sed '$d; s/^    //' | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}')"
}

@test "man -k finds every tool from a checkout" {
	command -v man >/dev/null || skip 'no man'
	local tool
	make -s -C "$ROOT" share/man/whatis
	mkdir -p tree/share tree/bin
	cp -r "$ROOT/share/man" tree/share
	for tool in $(tools); do
		PATH=$PWD/tree/bin:$PATH man -k "$tool" 2>/dev/null | grep -q "^$tool (1) *- ." || offenders+="$tool "
	done
	none
}

@test "mandoc finds nothing to say about any page" {
	local page
	command -v mandoc >/dev/null || skip 'no mandoc (apt-get install mandoc)'
	for page in "$ROOT"/share/man/man1/*.1; do
		# what other packages' pages are installed here is no matter of ours
		mandoc -Tlint "$page" 2>&1 | grep -v -e 'outdated mandoc.db' -e 'referenced manual not found' >said || true
		[ ! -s said ] || blame "$(cat said)"
	done
	none
}

# The examples as files ex.TOOL.N.sh: of the help, of the EXAMPLES of the page (.Bd -literal, .Dl), of README, of the
# field guide and of the batch scripts in share/examples.
examples() {
	local tool file
	for tool in $(tools); do
		"$tool" -h | sed -n '/^example:/,$p' | sed '1s/^example://' >"ex.$tool.help.sh"
		section "$ROOT/share/man/man1/$tool.1" EXAMPLES | awk -v tool="$tool" '
			/^\.Bd/ { n++; in_it = 1; next }
			/^\.Ed/ { in_it = 0 }
			/^\.Dl / { n++; sub(/^\.Dl /, ""); one = 1 }
			in_it || one {
				gsub(/\\e/, "\001"); gsub(/\\\(rs/, "\001"); gsub(/\\&/, ""); gsub(/\\-/, "-"); gsub(/\\\(aq/, "\047")
				gsub(/\\\(dq/, "\""); gsub(/\\\(ga/, "`"); gsub(/\\\(ti/, "~"); gsub(/\\\(ha/, "^"); gsub(/\001/, "\\")
				print >("ex." tool ".page" n ".sh")
				one = 0
			}'
		ls "ex.$tool.page"*.sh >/dev/null 2>&1 || blame "$tool.1: EXAMPLES without an example"
	done
	for file in README.md share/doc/field-guide.md; do
		awk -v name="$(basename "$file" .md)" '
			/^    / { if (!in_it) n++; in_it = 1; print substr($0, 5) >("ex." name ".block" n ".sh"); next }
			/^```/ { fence = !fence; if (fence) n++; next }
			fence { print >("ex." name ".block" n ".sh"); next }
			/./ { in_it = 0 }' "$ROOT/$file"
	done
	for file in "$ROOT"/share/examples/*; do
		if [ -f "$file" ] && head -n 1 "$file" | grep -q '^#!.*sh'; then cp "$file" "ex.${file##*/}.sh"; fi
	done
}

@test "every example is shell, and none throws a status away" {
	local file
	examples
	for file in ex.*; do
		bash -n "$file" 2>err || blame "$file: $(cat err)"
		# in a comment it may be warned of
		if sed 's/^[[:blank:]]*#.*//' "$file" | grep -n -e 'eval "\$(' -e 'eval \$(' -e 'eval `' -e '--array=["]*\$(' -e '--array=["]*`' >said
		then blame "$file: $(cat said)"; fi
	done
	none
}

@test "an example whose tool is missing from PATH ends there, not with 0, and submits nothing" {
	local file names st env timeout
	env=$(command -v env) timeout=$(command -v timeout)
	examples
	names=" $(tools | tr '\n' ' ')"
	cat >handle <<-'END'
		set -euo pipefail
		command_not_found_handle() {
			# every other command succeeds and is written down; a tool is missing
			case $NAMES in *" $1 "*) echo "missing $1" >>"$LOG"; return 127 ;; esac
			echo "$*" >>"$LOG"
		}
	END
	mkdir -p work empty
	for file in ex.*.help.sh ex.*.page*.sh ex.*.block*.sh ex.*.sbatch.sh; do
		[ -f "$file" ] || continue
		: >log
		st=0
		(cd work && "$env" NAMES="$names" LOG="$PWD/../log" BASH_ENV=../handle PATH="$PWD/../empty" HOME="$PWD" \
			SLURM_JOB_ID=7 SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_JOB_ID=7 SLURM_SUBMIT_DIR="$PWD" \
			"$timeout" 10 "$BASH" "../$file" >../out 2>../err </dev/null) || st=$?
		grep -q '^missing' log || continue	# it never came to a tool
		[ "$st" != 0 ] && [ "$st" != 124 ] || blame "$file: ends with $st: $(cat "$file")"
		if { sed '1,/^missing/d' log; cat out; } | grep -E '(^|[^-a-z])(sbatch|srun|scancel|scontrol)( |$)' >said; then
			blame "$file: goes on to: $(cat said)"
		fi
		grep -l '^missing' log >>seen
	done
	[ -s seen ]
	none
}

# calls NAMES FILE...: lines of bare source that call one of the names (a|b|c)
calls() {
	local names=$1
	shift
	grep -H -n -E "(^|[^a-zA-Z0-9_])($names) *\(" "$@" || true
}

@test "no call that is banned" {
	cd "$BARE"
	same '' "$(calls 'v?sprintf|strcpy|strcat|strtok|atoi|atol|atoll|atof|system|popen|gets|tmpnam|tempnam|mktemp|setlocale' src/*.c lib/*.[ch])"
}

@test "no file is made where another user could plant a link: only the log that was named, and one without a name" {
	local made='O_CREAT|O_TRUNC|creat\(|mkstemp|mkdtemp|tmpfile|tmpnam|tempnam|mkdir\(|mkfifo|mknod|link\(|rename\(|bind\(|fopen\([^,]*, "[^r]'
	cd "$ROOT" || return
	same 'src/flushcheck.c run.log = open(ask.log
src/flushcheck.c run.log = mkstemp(name
src/flushcheck.c unlink(name' "$(grep -E "($made)" src/*.c lib/*.c | sed -n 's/^\([^:]*\):[[:blank:]]*\([^,)]*\)[,)].*/\1 \2/p' | grep -v 'readlink(')"
}

@test "programs begin with tool_begin, and one file ends them: lib/tool.c" {
	local file
	cd "$BARE"
	same '' "$(calls 'exit|abort|quick_exit|_Exit' src/*.c lib/*.[ch] | grep -v '^lib/tool\.c:')"
	# a closed descriptor is noticed where tool_begin is called before any file is opened
	same '' "$(grep -L -w tool_begin src/*.c || true)" 'no tool_begin in'
	# _exit is for a child after fork, and for tool_begin
	for file in $(calls _exit src/*.c lib/*.[ch] | sed 's/:.*//' | sort -u); do
		[ "$file" = lib/tool.c ] || [ -n "$(calls fork "$file")" ] || blame "$file: _exit without fork"
	done
	none
}

@test "no environment variable of our own" {
	local file name own
	# Slurm's, the devices', and what POSIX gives a meaning
	local others='^(SLURM|SLURMD|SBATCH|SRUN|SALLOC|SACCT|SQUEUE|SINFO|CUDA|NVIDIA|ROCR|HIP|ZE|GPU|AMD)_|^(PATH|HOME|TZ|TMPDIR|COLUMNS|LINES|TERM|USER|LOGNAME|PWD|SHELL|LC_ALL)$'
	cd "$ROOT"
	while IFS=: read -r file name; do
		[[ $name =~ $others ]] || blame "$file: getenv $name"
	done < <(grep -H -o -E 'getenv\("[^"]*"' src/*.c lib/*.[ch] | sed 's/getenv("//; s/"$//')
	# a name that comes from a table
	own=$(tools | tr 'a-z\n-' 'A-Z|_')
	blame_if "$(grep -n -E "\"(${own}BATCHUTILS)(_[A-Z0-9_]*)?\"" src/*.c lib/*.[ch] || true)"
	none
}

@test "main has at most 60 lines" {
	cd "$ROOT"
	blame_if "$(awk 'FNR == 1 { if (NR > 1 && !n) print last ": no main"; from = n = 0; last = FILENAME }
		/^main\(/ { from = FNR }
		from && /^}/ { n = FNR - from + 1; if (n > 60) print FILENAME ": main has " n " lines"; from = 0 }
		END { if (!n) print last ": no main" }' src/*.c)"
	none
}

@test "each source begins with its name line, and names its licence once" {
	cd "$ROOT"
	blame_if "$(awk '
		FNR == 1 {
			name = FILENAME; gsub(/.*\/|\.c$/, "", name)
			if (index($0, "/* " name " - ") != 1) print FILENAME ": first line: " $0
			files[FILENAME] = 0
		}
		/SPDX-License-Identifier: 0BSD/ { files[FILENAME]++ }
		END { for (f in files) if (f ~ /c$/ && files[f] != 1) print f ": " files[f] " SPDX lines" }' src/*.c lib/*.[ch])"
	none
}

@test "an include in quotes is used, and what is used is included" {
	cd "$BARE"
	# what each header declares: functions, structures, macros and constants that begin with its name; tool.h's statuses too
	blame_if "$(awk '
		FNR == 1 { file = FILENAME; base = file; gsub(/.*\/|\.[ch]$/, "", base); header = file ~ /\.h$/ }
		/^#include "/ { split($0, part, "\""); sub(/\.h$/, "", part[2]); includes[file, part[2]] = 1; next }
		/^#include/ { next }
		{
			gsub(/[^A-Za-z0-9_]+/, " ")
			n = split($0, word, " ")
			for (i = 1; i <= n; i++) {
				w = word[i]
				if (header && (index(w, base "_") == 1 || index(w, toupper(base) "_") == 1 || w == base ||
				    (base == "tool" && w ~ /^(YES|NO|BADUSE|TROUBLE|TIMEUP|OWNFAULT|CANNOTRUN|NOTFOUND|help)$/)))
					owner[w] = base
				uses[file, w] = 1
				words[w] = 1
			}
			files[file] = base
			if (header) libs[base] = 1
		}
		END {
			for (f in files) for (l in libs) {
				if (files[f] == l) continue
				found = ""
				for (w in owner) if (owner[w] == l && (f SUBSEP w) in uses && w != l) found = w
				# the bare name is a structure where the word before it says so: enough to need the include, not to ask for it
				if (found == "" && (f SUBSEP l) in uses && (f SUBSEP l) in includes) found = l
				if ((f SUBSEP l) in includes && found == "") print f ": includes " l ".h and uses nothing of it"
				if (!((f SUBSEP l) in includes) && found != "") print f ": uses " found " and does not include " l ".h"
			}
		}' lib/*.h lib/*.c src/*.c | sort)"
	none
}

@test "everything in a lib file is named for it, static functions and macros too" {
	local file name cc=${CC:-cc}
	command -v "${cc%% *}" >/dev/null && command -v nm >/dev/null || skip "no $cc, or no nm"
	# shellcheck disable=SC2086 # words
	$cc -std=c99 -O0 -w -I"$ROOT/lib" -c "$ROOT"/lib/*.c
	for file in *.o; do
		name=${file%.o}
		# what the compiler makes itself begins with _ or . or has a dot in it
		blame_if "$(nm "$file" | awk -v name="$name" '$(NF - 1) ~ /^[A-TV-Zabcdr]$/ && $NF !~ /^[_.]|\./ && index($NF, name "_") != 1 {
			print "lib/" name ".c: " $NF }')"
	done
	cd "$BARE"
	# a constant that the system may lack has #ifndef before it; VERSION comes from the Makefile
	blame_if "$(awk 'FNR == 1 { name = toupper(FILENAME); gsub(/.*\/|\..*/, "", name) }
		$1 == "#define" && before != "#ifndef " $2 && index($2, name "_") != 1 && $2 !~ /^_.*_SOURCE$|^_FILE_OFFSET_BITS$/ {
			print FILENAME ":" FNR ": " $0 }
		{ before = $1 " " $2 }' lib/*.[ch])"
	none
}

@test "each tool is one C file too, that a compiler in its old default mode takes" {
	local tool cc=${CC:-cc}
	command -v "${cc%% *}" >/dev/null || skip "no $cc"
	for tool in $(tools); do
		(cd "$ROOT" && awk -v version=1 -f lib/one.awk "src/$tool.c") >one.c
		! grep -n '^#include "' one.c >said || blame "$tool: $(cat said)"
		$cc -std=gnu90 -Wall -Wextra -Werror -fsyntax-only one.c 2>err || blame "$tool: $(head -n 5 err)"
	done
	none
}

@test "the checkout is a prefix: man finds each page beside bin" {
	local tool man
	command -v man >/dev/null || skip 'no man'
	mkdir tree tree/bin
	ln -s "$ROOT/share" tree/share
	for tool in $(tools); do
		man=$(PATH=$PWD/tree/bin:$PATH MANPATH='' man -w "$tool" 2>/dev/null) || true
		[[ $man -ef $ROOT/share/man/man1/$tool.1 ]] || blame "$tool: man -w gives '$man'"
	done
	none
}

# everything below DIR, one path a line
inventory() { (cd "$1" && find . | sort); }

@test "install and uninstall: below a prefix with blanks, tools run, pages are found, nothing is left" {
	local prefix="$PWD/a prefix/with blanks" tool
	mkdir 'a prefix'
	"$ROOT/t/install" "$BIN" "$prefix"
	for tool in $(tools); do
		"$prefix/bin/$tool" -V >out || blame "$tool does not run"
		[ -f "$prefix/share/man/man1/$tool.1" ] || blame "no page of $tool"
		[ "$(readlink "$prefix/share/bash-completion/completions/$tool")" = batchutils ] || blame "no completion of $tool"
		head -n 1 "$prefix/share/zsh/site-functions/_batchutils" | grep -q -w -e "$tool" || blame "#compdef lacks $tool"
		if command -v man >/dev/null; then
			same "$prefix/share/man/man1/$tool.1" "$(PATH=$prefix/bin:$PATH MANPATH='' man -w "$tool")"
		fi
	done
	same "$(cd "$ROOT/share/examples" && find . -type f | sort)" \
		"$(cd "$prefix/share/doc/batchutils/examples" && find . -type f | sort)"
	same "$(cd "$ROOT/share/doc" && find . -type f | sort)" \
		"$(cd "$prefix/share/doc/batchutils" && find . -type f ! -path './examples/*' ! -name MANIFEST | sort)"
	[ -z "$(find "$prefix" -type f ! -perm -444)" ]
	same '' "$(grep -r -l -F "$PWD" "$prefix" || true)" 'files that name the prefix'
	"$ROOT/t/install" -u "$BIN" "$prefix"
	same '.' "$(inventory 'a prefix')"
	none
}

@test "install leaves what was there, and uninstall takes only what install brought" {
	local before tool
	tool=$(tools | head -n 1)
	mkdir -p p/bin p/share/man/man1 p/share/bash-completion
	echo mine >p/bin/mine
	echo mine >p/share/man/man1/mine.1
	before=$(inventory p)
	"$ROOT/t/install" "$BIN" p
	"$ROOT/t/install" "$BIN" p	# again: an upgrade
	echo later >p/share/zsh/site-functions/later
	"$ROOT/t/install" -u "$BIN" p
	same "$(printf '%s\n' "$before" ./share/zsh ./share/zsh/site-functions ./share/zsh/site-functions/later | sort)" "$(inventory p)"
	is 1 "$ROOT/t/install" -u "$BIN" p
	has "$stderr" 'nothing is installed'
	is 2 "$ROOT/t/install" "$BIN"
	is 3 "$ROOT/t/install" "$PWD/nowhere" p
	has "$stderr" "nowhere/$tool: not built"
}

@test "an installation over an older one takes away what is no more, and follows no path out of the prefix" {
	"$ROOT/t/install" "$BIN" p
	echo old >p/bin/withdrawn
	echo 'file bin/withdrawn' >>p/share/doc/batchutils/MANIFEST
	"$ROOT/t/install" "$BIN" p
	[ ! -e p/bin/withdrawn ]
	echo outside >outside
	echo 'file ../outside' >>p/share/doc/batchutils/MANIFEST
	is 2 "$ROOT/t/install" -u "$BIN" p
	[ -e outside ]
}

@test "make install honours DESTDIR and PREFIX, and make uninstall undoes it" {
	command -v make >/dev/null || skip 'no make'
	make -s -C "$ROOT" -o all install BIN="$BIN" DESTDIR="$PWD/dest dir" PREFIX=/opt/kit >out 2>&1 || { cat out; false; }
	[ -x "dest dir/opt/kit/bin/$(tools | head -n 1)" ]
	make -s -C "$ROOT" -o all uninstall BIN="$BIN" DESTDIR="$PWD/dest dir" PREFIX=/opt/kit >out 2>&1 || { cat out; false; }
	[ -z "$(find 'dest dir' -type f)" ]
}
