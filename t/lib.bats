#!/usr/bin/env bats
# lib - the pairs in lib/, each through t/lib.c
load helper

setup_file() {
	# CHECK_CFLAGS: sanitizers, where t/check runs this
	# shellcheck disable=SC2086 # words
	${CC:-cc} -std=c99 -O1 -g -Wall -Wextra ${CHECK_CFLAGS-} -I"$ROOT/lib" -o "$BATS_FILE_TMPDIR/lib" \
		"$ROOT/t/lib.c" "$ROOT"/lib/*.c -lm
	export LIB=$BATS_FILE_TMPDIR/lib
}

# table COMMAND...: stdin is lines `word = answer`; all words go to one call of the driver, each answer is compared
table() {
	local line words=() want=() got=() i bad=
	while IFS= read -r line; do
		words+=("${line%% = *}") want+=("${line#* = }")
	done
	while IFS= read -r line; do got+=("$line"); done < <("$LIB" "$@" "${words[@]}")
	for ((i = 0; i < ${#words[@]}; i++)); do
		# a refusal is wanted by `-` or by its whole text
		[ "${want[i]}" = - ] && got[i]=${got[i]%%' '*}
		[ "${got[i]-}" = "${want[i]}" ] || bad+="$1 ${words[i]}: '${got[i]-}', not '${want[i]}'"$'\n'
	done
	same '' "$bad"
}

# --- dur ---

@test "dur: units fall from d to s, each once, with decimals on s alone" {
	table dur <<-'END'
		90s = 90000
		10m = 600000
		4h30m = 16200000
		2d = 172800000
		1d1h1m1s = 90061000
		120m = 7200000
		0s = 0
		1.5s = 1500
		0.001s = 1
		1m0.25s = 60250
		1.5m = -
		1.0m = -
		1.0d = -
		1.s = -
		.5s = -
		1.2345s = -
		1s1s = -
		1m1h = -
		1h 1m = -
		1w = -
		1S = -
		s = -
		+5s = -
		-5s = -
		 5s = -
		5s  = -
	END
}

@test "dur: what Slurm takes for a time limit means what Slurm makes of it" {
	table dur <<-'END'
		4:00 = 240000
		90:00 = 5400000
		0:01 = 1000
		1:02:03 = 3723000
		100:00:00 = 360000000
		2-12 = 216000000
		3-0:00 = 259200000
		1-02:03 = 93780000
		1-02:03:04 = 93784000
		0-0 = 0
		1:60 = -
		1:00:60 = -
		:30 = -
		4: = -
		1:2: = -
		1:2:3: = -
		1:2:3:4 = -
		1- = -
		-1 = -
		1-2-3 = -
		1-2:3:4:5 = -
		4:00.5 = -
		1-2h = -
		UNLIMITED = -
		infinite = -
	END
}

@test "dur: a bare number other than 0 is refused, and both readings are shown" {
	table dur <<-'END'
		0 = 0
		00 = 0
		5 = - a bare number is seconds to sleep and minutes to Slurm: write 5s or 5m
		30 = - a bare number is seconds to sleep and minutes to Slurm: write 30s or 30m
		1.5 = - not a duration up to ten years: write 90s, 10m, 4h30m, 2d or D-HH:MM:SS
	END
	is 0 "$LIB" dur ''
	same '- an empty duration: write 90s, 10m, 4h30m, 2d or D-HH:MM:SS' "$output"
}

@test "dur: ten years are the most, however they are written" {
	table dur <<-'END'
		3650d = 315360000000
		3650-00:00:00 = 315360000000
		315360000s = 315360000000
		87600h = 315360000000
		3650d1s = -
		3651d = -
		3650-00:00:01 = -
		315360000.001s = -
		9999999999d = -
		99999999999s = -
		9999999999:00:00 = -
		9999999999-0 = -
		18446744073709551616s = -
		99999999999999999999999999999999 = -
	END
}

@test "dur: sacct's own output is another grammar" {
	table sacct <<-'END'
		00:01.234 = 1234
		01:02 = 62000
		01:02:03 = 3723000
		01:02:03.5 = 3723500
		1-02:03:04 = 93784000
		1-02:03:04.123 = 93784123
		00:00:00 = 0
		1-02:03 = -
		1-02 = -
		5 = -
		90s = -
		0 = -
		01:02. = -
		01:02.1234 = -
		INVALID = -
		UNLIMITED = -
		Partition_Limit = -
	END
}

@test "dur: seconds are printed as Slurm prints them" {
	table slurm <<-'END'
		0 = 00:00:00
		59 = 00:00:59
		3661 = 01:01:01
		86399 = 23:59:59
		86400 = 1-00:00:00
		93784 = 1-02:03:04
		315360000 = 3650-00:00:00
		9223372036854775807 = 106751991167300-15:30:07
	END
}

# --- names ---

@test "names: texts are numbered from 0 in their order, each keeps its number" {
	table names <<-'END'
	a = 0
	b = 1
	a = 0
	ab = 2
	aba = 3
	b = 1
	END
	# enough that the table grows several times
	seq 0 2000 >want
	# shellcheck disable=SC2046 # words
	"$LIB" names $(seq 5000 7000) $(seq 5000 7000) >got
	cat want want | cmp - got
}

# --- num ---

@test "num: digits only, in base ten, up to the most that is asked for" {
	table num 1000 <<-'END'
		0 = 0
		08 = 8
		000000000000000000000000000007 = 7
		1000 = 1000
		1001 = big 1000
		99999999999999999999999999 = big 1000
		-1 = -
		+1 = -
		0x10 = -
		1e3 = -
		1. = -
		 1 = -
	END
	is 0 "$LIB" num 18446744073709551615 18446744073709551615 18446744073709551616 ''
	same $'18446744073709551615\nbig 18446744073709551615\n-' "$output"
}

@test "num: a size is shown with two decimals at most, in the largest unit that holds it" {
	local bytes want
	while read -r bytes want; do
		is 0 "$LIB" show "$bytes"
		same "$want" "$output" "$bytes"
	done <<-'END'
		0 0K
		512 0.5K
		1048576 1M
		1073741823 1024M
		37044092928 34.5G
		1125899906842624 1P
		9223372036854775807 8192P
	END
}

@test "num: sizes are binary, and a bare number is refused" {
	table size <<-'END'
		0 = 0
		1K = 1024
		2048M = 2147483648
		80G = 85899345920
		80GB = 85899345920
		80GiB = 85899345920
		79.6G = 85469849190
		0.5T = 549755813888
		12345678K = 12641974272
		83886080K = 85899345920
		5 = -
		1.5 = -
		1.G = -
		.5G = -
		1 G = -
		80Gb = -
		80GBs = -
		80Gi = -
		-1G = -
		99999999999T = -
	END
}

# --- esc ---

@test "esc: UTF-8 is told from what is not, for every string of three bytes and the fourth's edges" {
	is 0 "$LIB" utf8
	same '' "$output"
}

@test "esc: every byte but NUL comes back from a field, alone and in pairs; no form lets a control byte out" {
	is 0 "$LIB" pairs
	same 0 "$output"
}

@test "esc: each form of the same bytes" {
	printf 'a\tb\nc\\d\033[0m\177"\303\251\377\342\200' >bytes
	same 'a\tb\nc\\d\x1B[0m\x7F"'$'\303\251\377\342\200' "$("$LIB" esc field <bytes)"
	same 'a\tb\nc\\d\x1B[0m\x7F"'$'\303\251''\xFF\xE2\x80' "$("$LIB" esc screen <bytes)"
	same 'a\tb\nc\d\x1B[0m\x7F"'$'\303\251''\xFF\xE2\x80' "$("$LIB" esc message <bytes)"
	same 'a\u0009b\u000ac\\d\u001b[0m\u007f\"'$'\303\251\357\277\275\357\277\275\357\277\275' "$("$LIB" esc json <bytes)"
}

@test "esc: a C1 control goes to no screen, and stays a character in JSON" {
	printf 'a\302\233m' >bytes
	same 'a\xC2\x9Bm' "$("$LIB" esc screen <bytes)"
	same 'a\xC2\x9Bm' "$("$LIB" esc message <bytes)"
	same $'a\302\233m' "$("$LIB" esc json <bytes)"
}

@test "esc: what turns the writing about goes to no screen" {
	local u
	for u in '\342\200\216' '\342\200\217' '\342\200\252' '\342\200\256' '\342\201\246' '\342\201\251'; do
		printf "a${u}b" >bytes
		hasnt "$("$LIB" esc screen <bytes)" "$(printf "$u")"
		has "$("$LIB" esc message <bytes)" '\xE2\x8'
	done
	for u in '\342\200\215' '\342\200\251' '\342\200\257' '\342\201\245' '\342\201\252' '\343\200\252'; do
		printf "a${u}b" >bytes
		same "$(cat bytes)" "$("$LIB" esc screen <bytes)"
	done
}

@test "esc: undo takes the known escapes and refuses all others" {
	local text
	same $'a\tb\nc\\d\033z' "$(printf '%s' 'a\tb\nc\\d\x1Bz' | "$LIB" undo)"
	same $'\033' "$(printf '%s' '\x1b' | "$LIB" undo)"
	same '' "$(printf '' | "$LIB" undo)"
	for text in '\' 'a\' '\r' '\x' '\x1' '\xg0' '\x0g' '\x00' '\101' '\u0041' '\T'; do
		printf '%s' "$text" >bytes
		is 1 sh -c '"$LIB" undo <bytes'
	done
}

# --- iset ---

@test "iset: the grammar of sbatch --array, and of squeue's brackets" {
	table iset 100 <<-'END'
		7 = 1 0 7
		08 = 1 0 8
		0-3,5 = 5 0 0-3,5
		1-9:2 = 5 0 1-9:2
		1-9:2%4 = 5 4 1-9:2
		0-10:3 = 4 0 0-9:3
		1-5:9 = 1 0 1
		[0-3] = 4 0 0-3
		[0-3%2] = 4 2 0-3
		[1,3-9:2%4] = 5 4 1-9:2
		3,1,2 = 3 0 1-3
		0-3,2,2,1-4 = 5 0 0-4
		5-5 = 1 0 5
		100 = 1 0 100
		0-100 = 101 0 0-100
	END
}

@test "iset: what no scheduler takes is refused, naming the item" {
	table iset 100 <<-'END'
		5-2 = - '5-2': the range runs downward
		1- = - '1-': not a range of indices
		1-5:0 = - '1-5:0': the step is not 1 or more
		1-5: = - '1-5:': the step is not 1 or more
		1-x = - '1-x': not a range of indices
		-3 = - '-3': not an index in range
		1,,2 = - '': an empty item
		1, = - '': an empty item
		,1 = - '': an empty item
		1-5:2:2 = - '1-5:2:2': the step is not 1 or more
		1-2-3 = - '1-2-3': not a range of indices
		1:2 = - '1:2': a step without a range
		101 = - '101': not an index in range
		99-101 = - '99-101': not a range of indices
		18446744073709551616 = - '18446744073709551616': not an index in range
		1%0 = - no number of tasks at once behind %
		1% = - no number of tasks at once behind %
		1%x = - no number of tasks at once behind %
		%3 = - '': an empty item
		[] = - '': an empty item
		[1 = -
		1] = -
		[[1]] = -
		1,3... = - '3...': cut off by ... (set SLURM_BITSTR_LEN=0 to see it whole)
		none = - 'none': not an index in range
	END
	is 0 "$LIB" iset 100 ''
	same "- '': an empty item" "$output"
}

@test "iset: printed as short as ranges and steps make it, the range where two ways are of one length" {
	table iset 100000 <<-'END'
		1 = 1 0 1
		1,2 = 2 0 1-2
		1,3 = 2 0 1,3
		1,2,3 = 3 0 1-3
		1,3,5 = 3 0 1-5:2
		10,20,30 = 3 0 10-30:10
		1,2,4,6,8 = 5 0 1,2-8:2
		0-3,5,9-21:4 = 9 0 0-3,5-21:4
		0-3,6,9-21:4 = 9 0 0-3,6,9-21:4
		0-96:4,1-97:4 = 50 0 0-96:4,1-97:4
		0-999,1001-1999 = 1999 0 0-999,1001-1999
	END
}

@test "iset: for all sets of ten indices: what is printed reads back, and seldom could be shorter" {
	local base longer
	for base in 0 5 95 995; do
		is 0 "$LIB" short 10 "$base"
		has "$output" '1023 sets, '
		longer=${output#*sets, } longer=${longer%% longer*}
		# known: 5 in 100, where the item that covers most is not the one to begin with (0-1,2-8:2 for 0-8:2,1)
		[ "$longer" -le 52 ] || same '' "$output"
	done
}

@test "iset: ranges are added in any order" {
	is 0 "$LIB" add 5 9 0 3 4 4 20 20
	same 0-9,20 "$output"
	is 0 "$LIB" add 7 7 7 7 3 5 1 9
	same 1-9 "$output"
	is 0 "$LIB" add
	same '' "$output"
}

@test "parsers: a hundred thousand random strings; what is taken reads back as the same" {
	is 0 "$LIB" fuzz "${CHECK_SEED:-1}" 100000
}

# --- shq ---

@test "shq: every byte but NUL comes back from sh, bash and zsh" {
	local shell i
	for ((i = 1; i < 256; i++)); do printf %b "\\0$(printf %03o "$i")"; done >bytes
	printf '%s' "'\$(touch ran) \`touch ran\` \"\\ ! ~ # \${x} ''" >>bytes
	printf '\n\n' >>bytes
	{ printf 'printf %%s '; "$LIB" shq <bytes; } >script
	for shell in sh bash zsh; do
		command -v "$shell" >/dev/null || continue
		"$shell" ./script >got
		cmp bytes got
	done
	[ ! -e ran ]
	same "''" "$("$LIB" shq </dev/null)"
}

# --- rec ---

# one row's fields as t/lib.c has them: a TAB b NL c \ d ESC [31m " \xff e-acute NUL c
field='a\tb\nc\\d\x1B[31m"'$'\377\303\251''\x00c'

@test "rec: to a file, fields and TABs alone, and nothing is -" {
	is 0 "$LIB" rec auto 2
	same "$field"$'\t0\t-\n'"$field"$'\t1\t-' "$output"
	is 0 "$LIB" rec auto 0
	same '' "$output"
}

@test "rec: the header where it is asked for, without records too" {
	is 0 "$LIB" rec header 1
	same $'name\tcount\tnote\n'"$field"$'\t0\t-' "$output"
	is 0 "$LIB" rec header 0
	same $'name\tcount\tnote' "$output"
}

@test "rec: JSON has one object a line, numbers bare, nothing as null, and U+FFFD for what is not UTF-8" {
	is 0 "$LIB" rec json 1
	same '{"name":"a\u0009b\u000ac\\d\u001b[31m\"'$'\357\277\275\303\251''\u0000c","count":0,"note":null}' "$output"
	is 0 "$LIB" rec json 0
	same '' "$output"
}

# on_screen COMMAND: its output on a terminal, in $output
on_screen() {
	command -v script >/dev/null || skip 'no script(1) to make a terminal'
	is 0 script -qec "$1" /dev/null
	output=${output//$'\r'/}
}

@test "rec: on a terminal the columns stand below each other, with a header, and no byte that is not text" {
	on_screen "'$LIB' rec auto 2"
	local cell='a\tb\nc\\d\x1B[31m"\xFF'$'\303\251''\x00c'
	same "name$(printf '%27s' '')count  note"$'\n'"$cell  0      -"$'\n'"$cell  1      -" "$output"
}

@test "rec: on a terminal the header stands once, however many records there are" {
	command -v script >/dev/null || skip 'no script(1) to make a terminal'
	script -qec "'$LIB' rec auto 2500" /dev/null >screen
	same 1 "$(grep -c '^name  *count' screen)"
	same 2500 "$(grep -c '31m' screen)"
}

@test "rec: a full disk is noticed" {
	[ -c /dev/full ] || skip 'no /dev/full'
	is 3 sh -c '"$LIB" rec auto 10000 >/dev/full'
	has "$stderr" 'the output was lost'
}

# --- tool ---

@test "tool: a message is one line without control bytes; a colon at its end is answered, another program's is not" {
	is 0 "$LIB" warn $'x\ny\t\e[31m\x7f\xff\u9b\\'
	same 'lib: x\ny\t\x1B[31m\x7F\xFF\xC2\x9B\' "$stderr"
	is 0 "$LIB" warn-errno 'open this'
	same 'lib: open this: No such file or directory' "$stderr"
	is 0 "$LIB" warn 'sacct: error: this comes next:'
	same 'lib: sacct: error: this comes next:' "$stderr"
}

@test "tool: a long word is shortened between characters" {
	is 0 "$LIB" word short
	same "'short'" "$output"
	is 0 "$LIB" word "$(printf 'x%.0s' {1..60})"
	same "'$(printf 'x%.0s' {1..60})'" "$output"
	is 0 "$LIB" word "x$(printf 'é%.0s' {1..40})"
	same "'x$(printf 'é%.0s' {1..29})...'" "$output"
}

# --- child ---

# ends ANSWER MS MAX COMMAND...: fails unless child_run tells of that end
ends() {
	local end=$1
	shift
	is 0 "$LIB" child "$@"
	same "$end" "${lines[0]}"
}

took() { took=${stderr%% ms*}; }	# milliseconds of the last child_run

@test "child: its status, its signal, and both its streams apart" {
	ends 'ended 4' 9000 100 sh -c 'echo to out; echo to err >&2; exit 4'
	same $'out 7 err 7 cut 0\nto out\nto err' "$(printf '%s\n' "${lines[@]:1}")"
	ends 'ended 0' 9000 100 true
	ends 'ended signal 9' 9000 100 sh -c 'kill -9 $$'
	ends 'ended 127' 9000 100 sh -c 'exit 127'
}

@test "child: a program that is not there, or that cannot be run, is told from one that fails" {
	ends 'absent No such file or directory' 9000 100 no-such-program
	ends 'absent No such file or directory' 9000 100 ./no/such/program
	: >plain
	ends 'failed Permission denied' 9000 100 ./plain
	ends 'failed Permission denied' 9000 100 "$PWD"
}

@test "child: time is up, also for one that ignores SIGTERM, and its group dies" {
	ends late 300 100 sleep 30
	took
	[ "$took" -lt 2000 ]
	ends late 300 100 sh -c 'trap "" TERM; echo $$ >pid; sleep 31 & echo $! >grandchild; while :; do wait; done'
	took
	[ "$took" -ge 300 ]
	[ "$took" -lt 3000 ]
	gone "$(cat pid)"
	gone "$(cat grandchild)"
}

# gone PID: within 5 s there is no such process, or only a zombie that another reaps
gone() {
	local i
	for ((i = 0; i < 100; i++)); do
		kill -0 "$1" 2>/dev/null || return 0
		case $(ps -o stat= -p "$1" 2>/dev/null) in Z* | '') return 0 ;; esac
		sleep 0.05
	done
	echo "process $1 is still there" >&2
	return 1
}

@test "child: waiting costs no processor time" {
	is 0 "$LIB" child 9000 100 sleep 1
	local cpu=${stderr#*, }
	cpu=${cpu%% ms*}
	[ "$cpu" -lt 200 ] || same 'less than 200 ms in a second' "$cpu ms"
}

@test "child: more output than is wanted is read, dropped and said, and does not put off the end" {
	ends 'ended 0' 9000 10 sh -c 'i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done'
	same 'out 10 err 0 cut 1' "${lines[1]}"
	ends late 500 5 yes
	same 'out 5 err 0 cut 1' "${lines[1]}"
	took
	[ "$took" -lt 3000 ]
	ends 'ended 0' 9000 5 echo 1234
	same 'out 5 err 0 cut 0' "${lines[1]}"
	ends 'ended 0' 9000 0 echo 1234
	same 'out 0 err 0 cut 1' "${lines[1]}"
}

@test "child: a grandchild that holds the pipe does not hold us, and ends with the child" {
	ends 'ended 0' 9000 100 sh -c 'sleep 20 & echo $! >grandchild; echo hi'
	took
	gone "$(cat grandchild)"
	[ "$took" -lt 3000 ]
	same hi "${lines[2]}"
}

@test "child: a signal that ends us ends its group first, and we end by it" {
	local sig pid status
	for sig in TERM HUP USR1; do
		rm -f inner grandchild
		"$LIB" child 30000 100 sh -c 'echo $$ >inner; sleep 32 & echo $! >grandchild; wait' 3>&- &
		pid=$!
		until [ -s grandchild ]; do sleep 0.02; done
		kill -s "$sig" "$pid"
		status=0
		wait "$pid" || status=$?
		same "$sig" "$(kill -l "$status")"
		gone "$(cat inner)"
		gone "$(cat grandchild)"
	done
}

@test "child: none of our descriptors is in it, and none is left open here" {
	[ -d /proc/self/fd ] || skip 'no /proc/self/fd'
	# 0, 1, 2 and the one that ls reads the folder with
	is 0 bash -c 'exec "$LIB" child 9000 1000 ls /proc/self/fd 5</etc/passwd 9</etc/passwd 15</etc/passwd'
	same $'0\n1\n2\n3' "$(printf '%s\n' "${lines[@]:2}")"
	is 0 "$LIB" leak 1 true
	local once=$output
	is 0 "$LIB" leak 30 true
	same "$once" "$output"
	is 0 "$LIB" leak 5 no-such-program
	same "$once" "$output"
}

@test "child: no format or filter that a user set for Slurm is in its environment, and dates and words are the plain ones" {
	local set=(SACCT_FORMAT=x SQUEUE_STATES=all SINFO_SORT=x SLURM_CLUSTERS=other SLURM_DEBUG_FLAGS=all SLURM_TIME_FORMAT=relative LC_ALL=de_DE)
	is 0 env "${set[@]}" SLURM_CONF=/etc/x "$LIB" child 9000 10000 sh -c "env | grep -E '^(SACCT|SQUEUE|SINFO|SLURM|LC_ALL)' | sort"
	same $'LC_ALL=C\nSLURM_BITSTR_LEN=0\nSLURM_CONF=/etc/x\nSLURM_TIME_FORMAT=standard' "$(printf '%s\n' "${lines[@]:2}")"
	is 0 env -i "$LIB" child 9000 10000 /bin/sh -c 'echo $LC_ALL'
	same C "${lines[2]}"
}

@test "child: nothing on its stdin" {
	is 0 sh -c 'echo ours | "$LIB" child 9000 100 cat'
	same 'out 0 err 0 cut 0' "${lines[1]}"
}

@test "child: its status is found where our parent ignored SIGCHLD" {
	is 0 "$LIB" ignoring 9000 100 sh -c 'exit 7'
	same 'ended 7' "${lines[0]}"
}

@test "child: ten descriptors are enough, and where they are not the reason is named" {
	local most
	# bats keeps some open
	is 0 bash -c 'for fd in {3..20}; do eval "exec $fd>&-"; done; ulimit -n 10; exec "$LIB" child 9000 100 echo ten'
	same 'ended 0' "${lines[0]}"
	same ten "${lines[2]}"
	for most in 5 6 7 8 9; do
		is 0 bash -c 'for fd in {3..20}; do eval "exec $fd>&-"; done; ulimit -n "$1"; exec "$LIB" child 9000 100 true' - "$most"
		# EMFILE in the words of glibc and of musl
		case ${lines[0]} in
		'ended 0' | 'failed Too many open files' | 'failed No file descriptors available') ;;
		*) same 'failed Too many open files' "${lines[0]}" "with $most" ;;
		esac
	done
}

@test "child: no time at all ends it at once" {
	ends late 0 100 sleep 30
	took
	[ "$took" -lt 2000 ]
}
