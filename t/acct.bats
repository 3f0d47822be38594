#!/usr/bin/env bats
# acct - the reader of accounting text and the host lists, each through t/acct/reader.c
load helper

setup_file() {
	# shellcheck disable=SC2086 # words
	${CC:-cc} -std=c99 -O1 -g -Wall -Wextra ${CHECK_CFLAGS-} -I"$ROOT/lib" -o "$BATS_FILE_TMPDIR/reader" \
		"$ROOT/t/acct/reader.c" "$ROOT"/lib/*.c -lm
	export READER=$BATS_FILE_TMPDIR/reader DATA=$ROOT/t/data
}

# table COMMAND: stdin is lines `word = answer`; all words go to one call of the driver, each answer is compared
table() {
	local line words=() want=() got=() i bad=
	while IFS= read -r line; do
		words+=("${line%% = *}") want+=("${line#* = }")
	done
	while IFS= read -r line; do got+=("$line"); done < <("$READER" "$@" "${words[@]}")
	for ((i = 0; i < ${#words[@]}; i++)); do
		[ "${got[i]-}" = "${want[i]}" ] || bad+="$1 ${words[i]}: '${got[i]-}', not '${want[i]}'"$'\n'
	done
	same '' "$bad"
}

# reads TEXT COLUMN...: the records of the text (printf's escapes)
reads() {
	local text=$1
	shift
	# shellcheck disable=SC2059 # escapes
	printf "$text" >text
	run --separate-stderr "$READER" read "$@" <text
}

# --- ids, states, times ---

@test "ids: clusters, tasks, lists, components and steps; what was cut is refused" {
	table id <<-'END'
		12 = 12 job
		12_7 = 12 task 7
		12_[3-9%2] = 12 tasks 3-9%2
		12_[0-30:2] = 12 tasks 0-30:2
		93+1 = 93 het 1
		93+0.batch = 93 het 0 .batch
		12.0 = 12 job .0
		12_3.extern = 12 task 3 .extern
		alpha/12_3 = alpha/12 task 3
		4294967295 = 4294967295 job
		4294967296 = ! no job id
		0 = ! no job id
		x = ! no job id
		-12 = ! no job id
		12x = ! no job id
		12_ = ! no task behind _ or component behind +
		12_4194304 = ! no task behind _ or component behind +
		12. = ! no step behind the dot
		715219_23.b+ = ! cut at the width of its column (sacct -P shows it whole)
		12_[1,4,6 = ! the list of tasks was cut (SLURM_BITSTR_LEN=0 and a wider column show it whole)
		16587663_[10-431%1 = ! the list of tasks was cut (SLURM_BITSTR_LEN=0 and a wider column show it whole)
	END
}

@test "times and durations as sacct prints them; what is none is unknown" {
	table time <<-'END'
		1970-01-01T00:00:00 = 0
		2024-02-29T23:59:59 = 1709251199
		2026-11-29T14:16:15 = 1795961775
		2000-03-01T00:00:00 = 951868800
		1700000000 = 1700000000
		Unknown = -1
		None = -1
		2026-11-29 = -1
		2026-13-01T00:00:00 = -1
	END
	table duration <<-'END'
		451-06:00:24 = 38988024000
		06:57.815 = 417815
		1:00:00 = 3600000
		INVALID = -1
		-0:00:16 = -1
	END
	table nothing <<-'END'
		None assigned = 1
		(null) = 1
		Unknown = 1
		N/A = 1
		node1 = 0
	END
}

@test "a date for -S: ISO 8601, what sacct knows, or so long ago" {
	table since <<-'END'
		7d = now-604800seconds
		90m = now-5400seconds
		2026-11-01 = 2026-11-01
		2026-11-01T08:00 = 2026-11-01T08:00
		now-7days = now-7days
		today = today
		5 = !
		2026-11-1 = !
		1;x = !
		-j = !
	END
}

@test "states by name in any case and by Slurm's short code" {
	table word <<-'END'
		completed = 0
		OOM = 3
		oom = 3
		TO = 2
		NF = 5
		S = 13
		ZZ = -1
		COMPLETE = -1
	END
}

# --- host lists ---

@test "host lists: plain names, several brackets, brackets in brackets, padding, dashes" {
	table hosts <<-'END'
		nodeA,nodeB[001,003],nodeC = nodeA nodeB001 nodeB003 nodeC
		rack[0-1]_blade[0-1] = rack0_blade0 rack0_blade1 rack1_blade0 rack1_blade1
		a[1-2]b[3,5-6] = a1b3 a1b5 a1b6 a2b3 a2b5 a2b6
		c427-032,c429-002 = c427-032 c429-002
		t003-006 = t003-006
		t004-009-v[7-8] = t004-009-v7 t004-009-v8
		host-[001-002] = host-001 host-002
		n[09-11] = n09 n10 n11
		n[9-11] = n9 n10 n11
		n[1-2,[5-6]] = n1 n2 n5 n6
		n[[1-2],x[3-4]y]z = n1z n2z nx3yz nx4yz
	END
}

@test "host lists: what is malformed or cut is refused, and expansion has its limit" {
	table hosts <<-'END'
		n[1 = ! a bracket is not closed: the list was cut
		n1] = ! a bracket is closed that was not opened
		n[] = ! an empty item in brackets
		n[3-1] = ! a range that runs downward
		n[1-x] = ! no numbers in brackets
		a b = ! a blank or control byte in a name
		[1-9999999999] = 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 ! too many names
	END
	is 0 "$READER" hosts "$(printf 'n%.0s' {1..256})" "$(printf '[%.0s' {1..5000})" '' 'a,'
	same '! a name of more than 255 bytes' "${lines[0]}"
	same '! a bracket is not closed: the list was cut' "${lines[1]}"
	same '! an empty name' "${lines[2]}"
	same 'a ! an empty name' "${lines[3]}"
}

@test "host lists are printed short, padding kept, and read back as the same nodes" {
	local list
	while IFS= read -r list; do
		same "${list#* = }" "$("$READER" print $(echo "${list%% = *}" | tr ' ' '\n' | shuf))"
		same "$(echo "${list%% = *}" | tr ' ' '\n' | sort)" "$("$READER" hosts "${list#* = }" | tr ' ' '\n' | sort)"
	done <<-'END'
		node7 node3 = node[3,7]
		2x 03x 16 6 = [6,16],[2,03]x
		n1 n2 = n[1-2]
		n09 n10 n11 n13 = n[09-11,13]
		n9 n10 n11 = n[9-11]
		n099 n100 n101 n1 = n[1,099-101]
		login = login
		c427-032 c427-033 c429-002 = c427-[032-033],c429-002
		r0b0 r0b1 r1b0 = r0b[0-1],r1b0
		a1x a2x a2y = a[1-2]x,a2y
	END
}

# --- tables ---

@test "columns are found by name, in any order, with any delimiter" {
	local d
	for d in '|' , ';' '\t' '\037' '@!@' '~'; do
		reads "State${d}JobName${d}JobID\nFAILED${d}a b${d}7_3\n" JobName NodeList
		same "$(printf '2\t7 task 3\t0\tFAILED\ta b\t!')" "$output" "delimiter $d: $stderr"
	done
}

@test "a column that is asked for and stands there twice is refused by name; any other may" {
	local header
	for header in 'JobID|State|State' 'State|JobID|state|JobName' 'JobID|STATE|State'; do
		reads "$header\n1|COMPLETED|FAILED\n" JobName
		same 2 "$status" "$header: $output"
		same 'reader: line 1: the column State stands there twice' "$stderr"
	done
	reads 'JobID|State|NodeList|JobIDRaw|NodeList\n1|FAILED|n1|1|n2\n' NodeList
	same 2 "$status"
	same 'reader: line 1: the column NodeList stands there twice' "$stderr"
	reads 'JobID|State|NodeList|JobIDRaw|NodeList\n1|FAILED|n1|1|n2\n' JobID State
	same 0 "$status" "$stderr"
	reads 'JobID|State|JobID\n1|FAILED|1\n'
	same 'reader: line 1: the column JobID stands there twice' "$stderr"
	reads 'JobIDRaw|State|JobIDRaw\n1|FAILED|1\n'
	same 'reader: line 1: the column JobIDRaw stands there twice' "$stderr"
	reads 'CLUSTER: x\nJOBID|STATE|ELAPSED|TIME\n1|RUNNING|1:00|2:00\n' Elapsed
	same 'reader: line 2: the column Elapsed stands there twice' "$stderr"
	# a name that two places in the tool ask for is one column
	reads 'JobID|State|JobName\n1|FAILED|a\n' JobName JobName
	same $'2\t1 job\t0\tFAILED\ta\ta' "$output" "$stderr"
}

@test "-p and -P, CRLF, a byte order mark, two outputs one behind the other, blank lines" {
	reads 'JobID|State|JobName|\n77|COMPLETED|mail|\n' JobName
	same $'2\t77 job\t0\tCOMPLETED\tmail' "$output"
	reads 'JobID|State\r\n77|COMPLETED\r\n78|FAILED\r\n'
	same $'2\t77 job\t0\tCOMPLETED\n3\t78 job\t0\tFAILED' "$output"
	reads '\xef\xbb\xbfJobID|State\n77|COMPLETED\n'
	same $'2\t77 job\t0\tCOMPLETED' "$output"
	reads 'JobID|State\n77|COMPLETED\n\nJobID|State\n78|FAILED\n'
	same $'2\t77 job\t0\tCOMPLETED\n5\t78 job\t0\tFAILED' "$output"
}

@test "a uid behind any state is left out; every state of Slurm is known" {
	reads "State\nCANCELLED by 54321\nREVOKED by 0\n$(for i in BOOT_FAIL CANCELLED COMPLETED DEADLINE FAILED NODE_FAIL OUT_OF_MEMORY \
		PENDING PREEMPTED RUNNING SUSPENDED TIMEOUT REQUEUED RESIZING REVOKED COMPLETING CONFIGURING STAGE_OUT STOPPED \
		SPECIAL_EXIT SIGNALING REQUEUE_FED REQUEUE_HOLD RESV_DEL_HOLD EXPEDITING; do printf '%s\\n' "$i"; done)"
	same 0 "$status" "$stderr"
	same 27 "${#lines[@]}"
	same $'2\t\t0\tCANCELLED' "${lines[0]}"
	same $'3\t\t0\tREVOKED' "${lines[1]}"
}

@test "states alone, one a line, need no header" {
	reads 'COMPLETED\nCANCELLED by 7\n'
	same $'1\t\t0\tCOMPLETED\n2\t\t0\tCANCELLED' "$output"
}

@test "unknown and cut states, cut ids, a table of fixed width: refused by name and line" {
	local text want
	while IFS= read -r text && IFS= read -r want; do
		reads "$text"
		same 2 "$status" "$text: $stderr"
		same "reader: $want" "$stderr"
	done <<-'END'
		JobID|State\n1|COMPLETED\n2|FINISHED\n
		line 3: unknown state 'FINISHED'
		JobID|State\n1|?\n
		line 2: unknown state '?'
		JobID|State\n1|\n
		line 2: unknown state ''
		JobID|State\n1|OUT_OF_ME+\n
		line 2: a cut state 'OUT_OF_ME+': sacct -P shows it whole
		JobID|State\n1.bat+|COMPLETED\n
		line 2: JobID '1.bat+': cut at the width of its column (sacct -P shows it whole)
		JobID|State\n1_[3-9,|COMPLETED\n
		line 2: JobID '1_[3-9,': the list of tasks was cut (SLURM_BITSTR_LEN=0 and a wider column show it whole)
		JobID|State\nx|COMPLETED\n
		line 2: JobID 'x': no job id
		       JobID      State \n------------ ----------\n1  FAILED\n
		line 1: '       JobID      State ': not sacct -P: a table of fixed width cuts what is longer; run sacct with -P
		JobID           State \n------------ ----------\n1  FAILED\n
		line 1: 'JobID           State ': not sacct -P: a table of fixed width cuts what is longer; run sacct with -P
		1|COMPLETED\n
		line 1: '1|COMPLETED': no header: columns are found by name; run sacct without -n
		JobID|NodeList\n1|n1\n
		line 1: 'JobID|NodeList': no header of sacct -P with a column State
	END
}

@test "a NUL byte is no part of a state or an id" {
	local text
	for text in '1|COMPLETED\0' '1|COMPLETED\0|' '1|FAILED\0\0\0\0' '1\0|FAILED' '1_\0|FAILED'; do
		reads "JobID|State\n$text\n"
		same 2 "$status" "$text: $output"
	done
}

@test "an error message instead of a table, and nothing at all, are no answers: 3" {
	reads 'sacct: error: Problem talking to the database: No route to host\n'
	same 3 "$status"
	has "$stderr" 'an error message, no table'
	reads ''
	same 3 "$status"
	same 'reader: it is empty: not even a header came' "$stderr"
	reads 'JobID|State\n'
	same '0' "$status$output$stderr"
}

# --- free text ---

@test "| and newlines in the one column of free text are put back, wherever it stands" {
	same $'pipe|name\nnew\\nline' "$("$READER" read JobName <"$DATA/names-1f.txt" | head -n 2 | cut -f5)"
	same "$("$READER" read JobName <"$DATA/names-1f.txt")" "$("$READER" read JobName <"$DATA/names-last.txt")"
	reads 'JobName|JobID|State\na|b|1|FAILED\n' JobName
	same $'2\t1 job\t0\tFAILED\ta|b' "$output"
	reads 'JobID|JobName|State|\n1|a\nb|FAILED|\n' JobName
	same $'2\t1 job\t0\tFAILED\ta\\nb' "$output"
	reads 'JobID|State|JobName|\n1|FAILED|a\n2|b|\n3|COMPLETED|c|\n' JobName
	same $'2\t1 job\t0\tFAILED\ta\\n2|b\n4\t3 job\t0\tCOMPLETED\tc' "$output"
	reads 'JobID|JobName|State\n102|held\nnl|p|CANCELLED by 1001\n3|a\n7|x|FAILED|b|FAILED\n' JobName
	same $'2\t102 job\t0\tCANCELLED\theld\\nnl|p' "${lines[0]}" "$stderr"
	same 2 "$status" # 3|a is cut, or 7|x|FAILED|b is more of its name
	reads 'JobID|JobName|State|NodeList\n1|a||b|FAILED|n1\n' JobName NodeList
	same $'2\t1 job\t0\tFAILED\ta||b\tn1' "$output"
}

@test "with two such columns, or none, more or fewer delimiters are refused with their line" {
	reads 'JobID|JobName|Comment|State\n1|a|b|FAILED\n2|a|b|c|FAILED\n'
	same 2 "$status"
	has "$stderr" 'line 3: 5 fields, expected 4: several columns hold free text'
	reads 'JobID|State|NodeList\n1|FAILED|n1\n2|FAILED|n1|n2\n'
	same 2 "$status"
	has "$stderr" 'line 3: 4 fields, expected 3'
	reads 'JobID|State|NodeList\n1|FAILED\n2|FAILED|n1\n'
	same 2 "$status"
	has "$stderr" 'line 2: 2 fields, expected 3: the line was cut'
	same '' "$output"
}

@test "a line that is whole by itself begins a record: the short one before it is refused, not swallowed" {
	reads 'JobID|JobName|State\n1|cut\n2|whole|FAILED\n'
	same 2 "$status"
	has "$stderr" 'line 2: 2 fields, expected 3'
	reads 'JobID|State|JobName\n1|FAILED|a\n2|CANC\n3|FAILED|b\n'
	same 2 "$status"
	has "$stderr" 'line 3: 2 fields, expected 3'
	# an error in the middle of a table
	reads 'JobID|JobName|State\n1|a|FAILED\nsacct: error: connection lost\n2|b|FAILED\n'
	same 2 "$status"
	has "$stderr" 'line 3: 1 field, expected 3'
}

@test "a last line cut in half is refused, at every byte that could change an answer" {
	local whole=$'JobID|State|NodeList\n1|FAILED|n1\n2|COMPLETED|n12' cut
	for ((cut = 33; cut < ${#whole}; cut++)); do
		printf %s "${whole:0:cut}" >text
		run --separate-stderr "$READER" read NodeList <text
		case $cut in
		33) same 0 "$status" "no byte of line 3: $stderr" ;;
		*) same 2 "$status" "$cut bytes: $output" ;;
		esac
	done
	# the state is never a part of another one, so a missing newline behind it is no harm
	reads 'JobID|State\n1|COMPLETED'
	same '0' "$status$stderr"
}

@test "records and lines longer than a block, at every place of the block" {
	local pad i
	pad=$(head -c 300000 /dev/zero | tr '\0' x)
	reads "JobID|JobName|State\n1|$pad|FAILED\n2|$pad\n$pad|COMPLETED\n3|a|FAILED\n" JobName
	same 0 "$status" "$stderr"
	same '300000 600001 1' "$(cut -f5 <<<"$output" | sed 's/\\n/n/' | awk '{ printf "%s%d", (NR > 1 ? " " : ""), length($0) }')"
	# the same text in pieces of 1, 7 and 4096 bytes
	for i in 1 7 4096; do
		same "$("$READER" read JobName <"$DATA/names-last.txt")" \
			"$(dd if="$DATA/names-last.txt" bs=$i 2>/dev/null | "$READER" read JobName)"
	done
	head -c 17000000 /dev/zero | tr '\0' x >long
	{ printf 'JobID|JobName|State\n1|'; cat long; } >longer
	is 2 "$READER" read <longer
	has "$stderr" 'line 2: a record of more than 16 MiB'
}

@test "a line is the same record whatever its length, and whichever columns are asked for" {
	local k
	for k in {1..70} {1960..2040} 4096; do
		printf -v pad '%*s' "$k" ''
		printf '%s|%s_7|a|FAILED|n%s|end\n' "${pad// /x}" "$k" "$k"
	done >rows
	{ echo 'Account|JobID|JobName|State|NodeList|User'; cat rows; } >text
	"$READER" read NodeList <text >got
	same "$(awk -F '|' '{ sub("_", " task ", $2); print NR + 1 "\t" $2 "\t0\tFAILED\t" $5 }' rows)" "$(cat got)"
	"$READER" read User Account <text >got
	same "$(awk -F '|' '{ print $6 "\t" $1 }' rows)" "$(cut -f5,6 got)"
	sed 's/$/|\r/' text >crlf
	"$READER" read User Account <crlf >got
	same "$(awk -F '|' '{ print $6 "\t" $1 }' rows)" "$(cut -f5,6 got)"
	# one field too few
	for k in 2 60 75 120 151; do
		sed "${k}s/|end//" text >cut
		is 2 "$READER" read User <cut
		has "$stderr" "line $k: 5 fields, expected 6"
	done
}

@test "squeue's text is read too, with its names of columns and the names of clusters between" {
	same $'2\t50 tasks 3-20%2\t0\tPENDING' "$("$READER" read <"$DATA/squeue.txt" | head -n 1)"
	reads 'CLUSTER: alpha\nJOBID|NAME|STATE\n12|a|RUNNING\nCLUSTER: beta\nJOBID|NAME|STATE\n12|b|PENDING\n' JobName
	same $'3\talpha/12 job\t0\tRUNNING\ta\n6\tbeta/12 job\t0\tPENDING\tb' "$output" "$stderr"
}

@test "squeue's compact states, of its column ST, are states; nothing else is, and a last one without its newline may be cut" {
	reads 'JOBID|ST\n12|R\n13|PD\n14_[1-3]|CG\n15|CD\n' State
	same $'2\t12 job\t0\tRUNNING\tR\n3\t13 job\t0\tPENDING\tPD\n4\t14 tasks 1-3\t0\tCOMPLETING\tCG\n5\t15 job\t0\tCOMPLETED\tCD' "$output" "$stderr"
	reads 'ST\nR\nPD\n'
	same $'2\t\t0\tRUNNING\n3\t\t0\tPENDING' "$output" "$stderr"
	# the long one counts where there is one
	reads 'JOBID|ST|STATE\n12|R|PENDING\n'
	same $'2\t12 job\t0\tPENDING' "$output" "$stderr"
	local text want
	while IFS= read -r text && IFS= read -r want; do
		reads "$text"
		same 2 "$status" "$text: $output"
		same "reader: $want" "$stderr"
	done <<-'END'
		JOBID|ST\n12|RUNNING\n
		line 2: unknown state 'RUNNING'
		JOBID|ST\n12|ZZ\n
		line 2: unknown state 'ZZ'
		JOBID|ST\n12|r\n
		line 2: unknown state 'r'
		JOBID|STATE\n12|R\n
		line 2: unknown state 'R'
		JOBID|ST|ST\n12|R|R\n
		line 1: the column ST stands there twice
		JOBID|ST\n12|R
		line 2 has no end: its last column, ST, may be cut
		ST\nR
		line 2 has no end: its last column, ST, may be cut
	END
}

@test "an error among the rows is no more of a name: 3; neither is the heading of another cluster: 2" {
	local row
	for row in '1|COMPLETED|x' '1|COMPLETED|x\ny'; do
		reads "JobID|State|JobName\n$row\nsacct: error: Problem talking to the database: No route to host\n"
		same 3 "$status" "$output"
		has "$stderr" 'is an error message among the rows'
		reads "JobID|JobName|State\n${row#*|}\nslurm_load_jobs error: Unable to contact slurm controller\n2|y|FAILED\n"
		[ "$status" -ge 2 ]
		reads "CLUSTER: alpha\nJOBID|STATE|NAME\n$row\n\nCLUSTER: beta\nJOBID|STATE|NAME\n1|FAILED|y\n"
		same 2 "$status" "$output"
		has "$stderr" "the next cluster's table begins behind a column of free text: ask for another column last"
	done
	reads 'CLUSTER: alpha\nJOBID|NAME|STATE\n1|x|COMPLETED\n\nCLUSTER: beta\nJOBID|NAME|STATE\n1|y|FAILED\n'
	same 0 "$status" "$stderr"
}

@test "the word error in a name of several lines is the name's" {
	reads 'JobID|State|Comment\n7_0|COMPLETED|first line\nsecond error: none\n7_1|COMPLETED|x\n'
	same 0 "$status" "$stderr"
}

@test "a row that lacks the delimiter at the end of the header is refused for that" {
	reads 'JobID|State|JobName|\n77|COMPLETED|m\n'
	same 2 "$status"
	same 'reader: line 2 does not end in the delimiter, as the header does' "$stderr"
}

# --- how Slurm is asked ---

# fake NAME: a program of this name in PATH, its text on stdin
fake() {
	mkdir -p fake
	{ echo '#!/bin/bash'; cat; } >"fake/$1"
	chmod +x "fake/$1"
	PATH=$PWD/fake:$PATH
}

fake_sacct() {
	fake sacct <<-'END'
		if [ "$1" = -e ]; then printf 'JobID JobIDRaw\nState  JobName'; exit; fi
		printf '%s\n' "$@" >args
		env >environment
		ls -l /proc/$$/fd >fds
		ps -o pgid= -p $$ >group
		printf 'JobID\037State\037JobName\n7\037FAILED\037a|b\n'
	END
}

@test "sacct is asked with its own delimiter, the columns it knows, and an environment without the user's formats" {
	fake_sacct
	exec 9<"$DATA/squeue.txt"
	is 2 "$READER" sacct '7 8_[1-3],9;' JobID State JobName FailedNode
	same "reader: '9;': no cluster behind the semicolon" "$stderr"
	SACCT_FORMAT=jobid%5 SQUEUE_STATES=all SQUEUE_FORMAT2=x SINFO_FORMAT=x SLURM_CLUSTERS=other SLURM_TIME_FORMAT=relative \
		is 0 "$READER" sacct '7 8_[1-3],9+1 10_2' JobID State JobName FailedNode
	same $'2\t7 job\t0\tFAILED\t7\tFAILED\ta|b\t!' "$output"
	same $'-P\n--delimiter=\037\n-X\n-o\nJobID,State,JobName\n-j\n7,8,9,10_2' "$(cat args)"
	same '' "$(grep -E '^(SACCT|SQUEUE|SINFO|SLURM_CLUSTERS)' environment)"
	same $'LC_ALL=C\nSLURM_BITSTR_LEN=0\nSLURM_TIME_FORMAT=standard' "$(grep -E '^(LC_ALL|SLURM)' environment | sort)"
	[ "$(grep -c ' [3-9] ->' fds)" -le 1 ] # its own script
	exec 9<&-
}

@test "with a cluster sacct is asked of it alone; ids of a cluster and ids of none are not mixed" {
	fake_sacct
	is 0 "$READER" sacct '7;alpha alpha/8 beta/9' JobID State
	same $'-P\n--delimiter=\037\n-X\n-o\nJobID,State\n-M\nalpha,beta\n-j\n7,8,9' "$(cat args)"
	is 2 "$READER" sacct '7;alpha 8' JobID State
	same "reader: '8': ids with a cluster and ids without one: ask for them apart" "$stderr"
	is 2 "$READER" sacct '7.batch' JobID State
	same "reader: '7.batch': a step: the id of its job was expected" "$stderr"
	is 2 "$READER" sacct '7_[3-1]' JobID State
	has "$stderr" 'no list of tasks in the brackets'
}

@test "a sacct -e that lists no columns, or hides one behind a colour, is no answer" {
	local body
	PATH=$PWD/fake:$PATH
	for body in 'echo no such option' "printf 'JobID State \\033[1mJobName\\033[0m\\n'" 'echo'; do
		echo "if [ \"\$1\" = -e ]; then $body; else printf 'JobID\\037State\\n7\\037FAILED\\n'; fi" | fake sacct
		is 3 "$READER" sacct 7 JobID State JobName
		same 'reader: sacct -e does not list the columns there are' "$stderr"
	done
}

@test "a sacct that fails, complains, is killed or is not there: its last words, 3" {
	local body want
	PATH=$PWD/fake:$PATH
	while IFS= read -r body && IFS= read -r want; do
		printf '[ "$1" = -e ] && { echo JobID State; exit; }\n%s\n' "$body" | fake sacct
		is 3 "$READER" sacct 7 JobID State
		same "reader: $want" "$stderr"
	done <<-'END'
		echo one >&2; echo 'sacct: error: Problem talking to the database: Connection refused' >&2; exit 1
		sacct: error: Problem talking to the database: Connection refused
		printf 'JobID\037State\n'; echo 'slurm_load_jobs error: Socket timed out' >&2
		slurm_load_jobs error: Socket timed out
		exit 7
		sacct failed without a word (exit status 7)
		kill -9 $$
		sacct failed without a word (signal 9)
		printf 'JobID\037State\n'; { yes x | head -c 3000000; echo 'sacct: error: behind all that'; } >&2
		x
		printf 'JobID\037State\n7\037FAILED\nsacct: error: slurmdbd went away\n'
		sacct: line 3: 1 field, expected 2: the line was cut
		echo 'Welcome to alpha'
		sacct: line 1: 'Welcome to alpha': not sacct -P: a table of fixed width cuts what is longer; run sacct with -P
		printf 'JobID\037State\n7\037FAILED\n8\037COMPL'
		sacct: line 3: unknown state 'COMPL'
		printf 'JobID\037State\n7x\037FAILED\n'
		sacct: line 2: JobID '7x': no job id
		printf 'JobID\037State\037State\n7\037FAILED\037FAILED\n'
		sacct: line 1: the column State stands there twice
	END
	# of a file the same is bad input, which no retry mends
	printf 'JobID|State\n7|FAILED\n8|COMPL' >text
	is 2 "$READER" read State <text
	rm fake/sacct
	mkdir empty
	is 3 env PATH="$PWD/empty" "$READER" sacct 7 JobID State
	same 'reader: sacct is not in PATH: is this a machine of the cluster?' "$stderr"
}

@test "a frozen sacct is ended within the time limit, with all it started; what it had written is no answer" {
	fake sacct <<-'END'
		[ "$1" = -e ] && { echo JobID State; exit; }
		trap '' TERM
		printf 'JobID\037State\n7\037FAILED\n'
		sleep 60 & echo $! >children
		echo $$ >>children
		wait
	END
	SECONDS=0
	is 3 "$READER" sacct 7 JobID State
	[ "$SECONDS" -le 5 ]
	has "$stderr" 'sacct did not answer in time'
	for pid in $(cat children); do
		for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" 2>/dev/null || continue 2; [ "$(ps -o stat= -p "$pid")" != Z ] || continue 2; sleep 0.1; done
		false
	done
}

@test "sacct's status is found where our parent ignored SIGCHLD" {
	env --ignore-signal=CHLD true || skip 'env cannot ignore a signal'
	fake_sacct
	is 0 env --ignore-signal=CHLD "$READER" sacct 7 JobID State JobName
	same $'2\t7 job\t0\tFAILED\t7\tFAILED\ta|b' "$output"
	echo '[ "$1" = -e ] && { echo JobID State; exit; }; printf "JobID\037State\n"; exit 7' | fake sacct
	is 3 env --ignore-signal=CHLD "$READER" sacct 7 JobID State
	same 'reader: sacct failed without a word (exit status 7)' "$stderr"
}

# gone PID: fails unless the process has ended, or ends within 2 s
gone() {
	local _
	for _ in {1..100}; do
		case $(ps -o stat= -p "$1") in ''|Z*) return ;; esac
		sleep 0.02
	done
	echo "$1 still runs" >&2
	return 1
}

@test "a delimiter that stands in other columns too is not put back into the one with free text" {
	printf 'JobID,State,AllocTRES,JobName\n1,COMPLETED,cpu=4,mem=8G,node=1,fit\n' >text
	is 2 sacct-hist -f text
	has "$stderr" 'line 2: 6 fields, expected 4'
	printf 'JobID,State,JobName\n1,COMPLETED,fit\n' >text
	is 0 sacct-hist -f text
	tr ',' '|' <text | sed 's/fit/f|t/' >piped
	is 0 sacct-hist -f piped
}

@test "what sacct left running in the background is not waited for, and ended; a signal ends sacct and us" {
	fake sacct <<-'END'
		[ "$1" = -e ] && { echo JobID State; sleep 21 & echo $! >probed; exit; }
		printf 'JobID\037State\n7\037FAILED\n'
		sleep 20 & echo $! >left
		exit 0
	END
	SECONDS=0
	is 0 "$READER" sacct 7 JobID State
	[ "$SECONDS" -le 4 ]
	same $'2\t7 job\t0\tFAILED\t7\tFAILED' "$output"
	gone "$(cat left)"
	gone "$(cat probed)"
	# it holds none of our pipes, and ignores SIGTERM
	fake sacct <<-'END'
		[ "$1" = -e ] && { echo JobID State; exit; }
		printf 'JobID\037State\n7\037FAILED\n'
		(trap '' TERM; exec sleep 20 >/dev/null 2>&1) & echo $! >left
		exit 0
	END
	is 0 "$READER" sacct 7 JobID State
	gone "$(cat left)"
	fake sacct <<-'END'
		[ "$1" = -e ] && { echo JobID State; exit; }
		echo $$ >pid
		exec sleep 20
	END
	"$READER" sacct 7 JobID State 3>&- &
	us=$!
	for _ in $(seq 50); do [ ! -s pid ] || break; sleep 0.05; done
	sleep 0.1
	kill -TERM "$us"
	wait "$us" || status=$?
	same 143 "$status"
	! kill -0 "$(cat pid)"
}
