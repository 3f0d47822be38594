#!/usr/bin/env bats
# tree - what is true of the sources, the pages, the examples and an installation, whatever build the tools are of
load helper
load offenders

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

@test "each tool has its page, its tests, a row in README's table and a line in NEWS; nothing stands there without a tool" {
	local tool page row
	for tool in $(tools); do
		[ -f "$ROOT/share/man/man1/$tool.1" ] || blame "$tool: no share/man/man1/$tool.1"
		[ -f "$ROOT/t/$tool.bats" ] || blame "$tool: no t/$tool.bats"
		row="| \`$tool\` | $("$tool" -h | sed -n "1s/^$tool - //p") |"
		grep -q -x -F -e "$row" "$ROOT/README.md" || blame "README.md lacks the row: $row"
		grep -q -x -E -e "$tool: new: .+" "$ROOT/NEWS" || blame "NEWS lacks the line: $tool: new: ..."
		grep -q -w -F -e "$tool" "$ROOT/t/fault.bats" || blame "t/fault.bats: no line \`some: $tool ...\`"
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
		name=$(awk -v tool="$tool" '
			/^\.Sh / { at = substr($0, 5); next }
			{ lines[at]++ }
			at == "NAME" && /^\.Nm / { nm = substr($0, 5) }
			at == "NAME" && /^\.Nd / { nd = substr($0, 5); gsub(/\\&/, "", nd); gsub(/\\-/, "-", nd) }
			END {
				n = split("NAME,SYNOPSIS,DESCRIPTION,EXIT STATUS,EXAMPLES,BUGS", want, ",")
				for (i = 1; i <= n; i++) if (!lines[want[i]]) print tool ".1: no " want[i]
				print nm " - " nd
			}' "$page")
		[ "$name" = "$("$tool" -h | head -n 1)" ] || blame "$tool.1: not the first line of -h, or a section is missing: $name"
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
		case $help in '0 '*'2 3 '*) ;; *) blame "$tool: exit status: $help: 0, 2 and 3 are always among them" ;; esac
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
	done
	# in a comment it may be warned of
	blame_if "$(awk '!/^[[:blank:]]*#/ && /eval "?(\$\(|`)|--array="*(\$\(|`)/ { print FILENAME ":" FNR ": " $0 }' ex.*)"
	none
}

@test "an example whose tool is missing from PATH ends there, not with 0, and submits nothing" {
	local file names st env timeout seen=0
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
		[[ $(<log) == *missing\ * ]] || continue	# it never came to a tool
		[ "$st" != 0 ] && [ "$st" != 124 ] || blame "$file: ends with $st: $(cat "$file")"
		if { sed '1,/^missing/d' log; cat out; } | grep -E '(^|[^-a-z])(sbatch|srun|scancel|scontrol)( |$)' >said; then
			blame "$file: goes on to: $(cat said)"
		fi
		seen=$((seen + 1))
	done
	[ "$seen" -gt 20 ]
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
	# where main returns, lost output is not noticed; what is written to stderr past tool_warn is not escaped
	blame_if "$(awk '/^main\(/ { at = 1 } at && /(^|[^a-z_])return/ { print FILENAME ":" FNR ": main returns" } /^}/ { at = 0 }' src/*.c)"
	blame_if "$(grep -n -w stderr src/*.c lib/*.[ch] | grep -v '^lib/tool\.c:' || true)"
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

@test "install leaves what was there, an upgrade takes away what is no more, and uninstall only what install brought" {
	local before tool
	tool=$(tools | head -n 1)
	mkdir -p p/bin p/share/man/man1 p/share/bash-completion
	echo mine >p/bin/mine
	echo mine >p/share/man/man1/mine.1
	before=$(inventory p)
	"$ROOT/t/install" "$BIN" p
	echo old >p/bin/withdrawn
	echo 'file bin/withdrawn' >>p/share/doc/batchutils/MANIFEST
	"$ROOT/t/install" "$BIN" p	# an upgrade
	[ ! -e p/bin/withdrawn ]
	echo later >p/share/zsh/site-functions/later
	# a path out of the prefix: nothing is done
	echo outside >outside
	cp p/share/doc/batchutils/MANIFEST manifest
	installed=$(inventory p)
	for path in ../outside share/../../outside "$PWD/outside" bin//x ..; do
		{ cat manifest; echo "file $path"; } >p/share/doc/batchutils/MANIFEST
		is 2 "$ROOT/t/install" -u "$BIN" p
		refused
		has "$stderr" "not a path of ours: file $path"
		is 2 "$ROOT/t/install" "$BIN" p
	done
	[ -e outside ]
	same "$installed" "$(inventory p)"
	cp manifest p/share/doc/batchutils/MANIFEST
	"$ROOT/t/install" -u "$BIN" p
	same "$(printf '%s\n' "$before" ./share/zsh ./share/zsh/site-functions ./share/zsh/site-functions/later | sort)" "$(inventory p)"
	is 1 "$ROOT/t/install" -u "$BIN" p
	has "$stderr" 'nothing is installed'
	is 2 "$ROOT/t/install" "$BIN"
	is 3 "$ROOT/t/install" "$PWD/nowhere" p
	has "$stderr" "nowhere/$tool: not built"
}

@test "make install honours DESTDIR and PREFIX, and make uninstall undoes it" {
	command -v make >/dev/null || skip 'no make'
	make -s -C "$ROOT" -o all install BIN="$BIN" DESTDIR="$PWD/dest dir" PREFIX=/opt/kit >out 2>&1 || { cat out; false; }
	[ -x "dest dir/opt/kit/bin/$(tools | head -n 1)" ]
	make -s -C "$ROOT" -o all uninstall BIN="$BIN" DESTDIR="$PWD/dest dir" PREFIX=/opt/kit >out 2>&1 || { cat out; false; }
	[ -z "$(find 'dest dir' -type f)" ]
}
