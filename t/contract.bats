#!/usr/bin/env bats
# contract - what is true of every tool: one test a rule, over every src/*.c, naming the offenders
load helper
load offenders

setup_file() {
	local tool
	for tool in $(tools); do
		make_table "$ROOT/src/$tool.c" >"$BATS_FILE_TMPDIR/$tool.table"
		"$BIN/$tool" -h >"$BATS_FILE_TMPDIR/$tool.help"
		find_bad_use "$tool" "$BATS_FILE_TMPDIR/$tool.help" >"$BATS_FILE_TMPDIR/$tool.bad"
	done
}

# try CMD...: its status in $st, its output in the files out and err
try() {
	st=0
	"$@" >out 2>err </dev/null || st=$?
}

# The lines of an option list are `letter long argument`: `-` for no letter; 0 none, 1 needed, 2 may stand behind `=`.
make_table() {
	local files=("$1")
	! grep -q '^	OPT_COMMON,$' "$1" || files+=("$ROOT/lib/opt.h")
	! grep -q '^	ACCT_OPTIONS,$' "$1" || files+=("$ROOT/lib/acct.h")
	grep -h -o -E '\{ *"[^"]+", *(no|required|optional)_argument, *NULL, *[^ }]+ *\}' "${files[@]}" | tr -d '{}", ' | awk '{
		at = match($0, /(no|required|optional)_argumentNULL/)
		val = substr($0, at + RLENGTH)
		kind = substr($0, at, 2)
		print (val ~ /^\047.\047$/ ? substr(val, 2, 1) : "-"), substr($0, 1, at - 1), kind == "no" ? 0 : kind == "re" ? 1 : 2
	}'
}

from_table() { cat "$BATS_FILE_TMPDIR/$1.table"; }

from_help() {
	awk '/^ +-/ {
		sub(/^ +/, "")
		sub(/  .*/, "")
		letter = "-"
		if ($0 ~ /^-[^-], /) { letter = substr($0, 2, 1); $0 = substr($0, 5) }
		if (!sub(/^--/, "") || !match($0, /^[a-z][a-z-]*/)) next
		rest = substr($0, RLENGTH + 1)
		print letter, substr($0, 1, RLENGTH), rest == "" ? 0 : rest ~ /^\[=/ ? 2 : 1
	}' "$BATS_FILE_TMPDIR/$1.help"
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
		want=$(from_table "$tool" | sort)
		[ -n "$want" ] || blame "$tool: no option table found"
		for source in help page completion; do
			case $source in
			page) got=$(from_page "$ROOT/share/man/man1/$tool.1" | sort) ;;
			*) got=$("from_$source" "$tool" | sort) ;;
			esac
			[ "$want" = "$got" ] || blame "$tool: $source (>) and table (<) differ (letter, long form, 0 no argument, 1 one, 2 may have one; two blanks end an option in the help):
$(diff <(echo "$want") <(echo "$got") | grep '^[<>]')"
		done
		want=$(from_table "$tool" | awk '{ if ($1 != "-") print "-" $1; print "--" $2 }' | sort)
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
			[hVqvHtifSEa]-*) blame "$tool: -$letter is --$long, which is another option everywhere else: see CONTRIBUTING.md" ;;
			?-help | ?-version | ?-quiet | ?-verbose | ?-header | ?-time-limit | ?-index | ?-interval | ?-count) ;&
			?-file | ?-since | ?-until | ?-array) blame "$tool: --$long has ${letter/-/no letter}" ;;
			esac
		done < <(from_table "$tool")
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
		[ "$line" = ':usage::exit status::example:' ] ||
			blame "$tool -h: lines begin with '$line'; usage:, exit status: and example: were expected, once each, in this order"
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
find_bad_use() {
	if grep -q -w 125 "$2" && ! sed -n '/^usage:/,/^$/p' "$2" | grep -w -e "$1" | grep -v -q -e ' -- command'; then
		echo 125
	else
		echo 2
	fi
}

bad_use() { echo "$(<"$BATS_FILE_TMPDIR/$1.bad")"; }

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
		grep -q "^$letter " "$BATS_FILE_TMPDIR/$1.table" || { echo "$letter"; return; }
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
		if grep -q -w 125 "$BATS_FILE_TMPDIR/$tool.help"; then
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
		done < <(from_table "$tool")
	done
	none
}

@test "an argument to an option that takes none is bad use, and one line names the option" {
	local tool letter long arg want
	for tool in $(tools); do
		want=$(bad_use "$tool")
		while read -r letter long arg; do
			[ "$arg" != 0 ] || misused "$want" "$long" "$tool" "--$long=x"
		done < <(from_table "$tool")
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
		# both ends of it are opened here, and only the one to write to is left open
		exec 8<>gone 9>gone 8<&-
		st=0
		env --default-signal=PIPE "$tool" -h >&9 2>err || st=$?
		exec 9>&-
		[ "$st" = 141 ] || blame "$tool -h: status $st"
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
		done < <(from_table "$tool")
		for word in "${args[@]}"; do
			try timeout 10 "$tool" "$word"
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
