#!/usr/bin/env bats
# sacct-hist - state histogram of jobs and array tasks
load helper

DATA=$ROOT/t/data

# hist STATUS TEXT OPTION...: runs it on the text (printf's escapes)
hist() {
	local want=$1 text=$2
	shift 2
	# shellcheck disable=SC2059 # escapes
	printf "$text" >text
	is "$want" sacct-hist "$@" <text
}

# 12 tasks: 3 COMPLETED, 5 FAILED, 2 TIMEOUT, an OUT_OF_MEMORY, a CANCELLED; task 6 was requeued
array() { is "$1" sacct-hist "${@:2}" -f "$DATA/array-D.txt"; }

# --- the report ---

# bats test_tags=smoke
@test "one record a state: COMPLETED, what else has ended by falling count, what is not over; the indices of an array" {
	array 0
	same $'COMPLETED\t3\t1,6,8\nFAILED\t5\t2,7,9-10,12\nTIMEOUT\t2\t3,11\nOUT_OF_MEMORY\t1\t4\nCANCELLED\t1\t5' "$output"
	same '' "$stderr"
	array 0 -H
	same $'state\tcount\tindices' "${lines[0]}"
	array 0 --json
	same '{"state":"COMPLETED","count":3,"indices":"1,6,8"}' "${lines[0]}"
	hist 0 'JobID|State\n1|RUNNING\n2|FAILED\n3|RUNNING\n4|TIMEOUT\n5|TIMEOUT\n6|PENDING\n'
	same $'TIMEOUT\t2\t-\nFAILED\t1\t-\nRUNNING\t2\t-\nPENDING\t1\t-' "$output"
}

@test "indices only where all belong to one array" {
	hist 0 'JobID|State\n7_1|FAILED\n8_1|FAILED\n'
	same $'FAILED\t2\t-' "$output"
	hist 0 'JobID|State\n7_1|FAILED\n7|FAILED\n'
	same $'FAILED\t2\t-' "$output"
	hist 0 'JobID|State\n7_1|FAILED\n7_3|FAILED\n7_2|FAILED\n7_11|COMPLETED\n'
	same $'COMPLETED\t1\t11\nFAILED\t3\t1-3' "$output"
}

# bats test_tags=smoke
@test "steps are no jobs; a COMPLETED job with a step that is not is said" {
	hist 0 'JobID|NodeList|State|ExitCode\n1|n|COMPLETED|0:0\n1.batch|n|COMPLETED|0:0\n1.extern|n|CANCELLED|\n1.0|n|CANCELLED|0:10\n2|n|COMPLETED|0:0\n2.extern|n|CANCELLED|\n'
	same $'COMPLETED\t2\t-' "$output"
	same 'sacct-hist: 1 COMPLETED job has a step that did not complete: 1.0' "$stderr"
	is 0 sacct-hist -f "$DATA/live-2205.txt"
	same $'COMPLETED\t2\t-\nFAILED\t2\t-\nCANCELLED\t2\t-\nRUNNING\t13\t-\nPENDING\t4\t-\nREQUEUED\t1\t-' "$output"
	first=$output
	is 0 sacct-hist -f "$DATA/live-2505.txt"
	same "$first" "$output"
}

@test "a uid, components, lists of pending tasks, states without ids" {
	hist 0 'JobIDRaw|State\n9001|CANCELLED by 54321\n9002|CANCELLED\n9003|COMPLETED\n9004|FAILED\n9005|CANCELLED by 0\n'
	same $'COMPLETED\t1\t-\nCANCELLED\t3\t-\nFAILED\t1\t-' "$output"
	hist 0 'JobID|JobIDRaw|State\n93+0|93|COMPLETED\n93+0.0|93.0|COMPLETED\n93+1|94|FAILED\n'
	same $'COMPLETED\t1\t-\nFAILED\t1\t-' "$output"
	is 0 sacct-hist -f "$DATA/pending.txt"
	same $'RUNNING\t2\t1-2\nPENDING\t18\t3-20' "$(sort -r <<<"$output")"
	is 0 sacct-hist -f "$DATA/squeue.txt"
	same $'RUNNING\t2\t1-2\nPENDING\t18\t3-20' "$(sort -r <<<"$output")"
	hist 0 'JobID|State\n12_[0-30:2]|PENDING\n'
	same $'PENDING\t16\t0-30:2' "$output"
	hist 0 'COMPLETED\nFAILED\nCOMPLETED\n'
	same $'COMPLETED\t2\t-\nFAILED\t1\t-' "$output"
}

# bats test_tags=smoke
@test "a task has the state of its newest attempt, wherever its row stands; -D counts every attempt" {
	local rows='7|REQUEUED|2023-02-20T10:00:00\n7|REQUEUED|2023-02-20T12:00:00\n7|COMPLETED|2023-02-20T16:00:00\n7|REQUEUED|2023-02-20T14:00:00\n'
	hist 0 "JobID|State|Submit\n$rows"
	same $'COMPLETED\t1\t-' "$output"
	hist 0 "JobID|State|Submit\n$rows" -D
	same $'COMPLETED\t1\t-\nREQUEUED\t3\t-' "$output"
	hist 0 "JobID|State|Start\n$rows"
	same $'COMPLETED\t1\t-' "$output"
	hist 0 'JobID|State\n7|NODE_FAIL\n7|COMPLETED\n'
	same $'COMPLETED\t1\t-' "$output"
	array 0 -D
	same $'REQUEUED\t1\t6' "${lines[5]}"
	is 0 sacct-hist -f "$DATA/requeue-D.txt"
	same $'COMPLETED\t1\t-\nNODE_FAIL\t1\t-' "$output"
}

@test "tasks and attempts may come in any order" {
	local k
	for k in 1 2 3; do
		awk -v seed=$k 'BEGIN {
			srand(seed)
			split("COMPLETED FAILED TIMEOUT NODE_FAIL", state, " ")
			for (i = 0; i < 9000; i++)
				printf "%d_%d|%s|2026-01-01T%02d:%02d:%02d\n", 1 + int(3 * rand()), int(1500 * rand()), state[1 + int(4 * rand())], \
					i / 3600, i / 60 % 60, i % 60
		}' </dev/null >rows
		{ echo 'JobID|State|Submit'; sort -R rows; } >text
		# the last of each task, in the order of time
		awk -F '|' '{ s[$1] = $2 } END { for (t in s) n[s[t]]++; for (w in n) print w "\t" n[w] }' rows | sort >want
		is 0 sacct-hist -f text
		same "$(cat want)" "$(cut -f1,2 <<<"$output" | sort)"
		is 0 sacct-hist -D -f text
		same "$(cut -d'|' -f2 rows | sort | uniq -c | awk '{ print $2 "\t" $1 }')" "$(cut -f1,2 <<<"$output" | sort)"
	done
}

# bats test_tags=smoke
@test "a row for many tasks does not count for a task that has a row of its own" {
	local text='JobID|State|Submit\n51_[3-6%%5]|CANCELLED by 7|2026-01-01T00:00:00\n51_3|FAILED|2026-01-01T00:00:00\n'
	hist 0 "$text"
	same $'CANCELLED\t3\t4-6\nFAILED\t1\t3' "$output"
	hist 0 "$text" -D
	same $'CANCELLED\t3\t4-6\nFAILED\t1\t3' "$output"
	hist 0 'JobID|State\n51_3|FAILED\n51_[3-6]|CANCELLED\n'
	same $'CANCELLED\t3\t4-6\nFAILED\t1\t3' "$output"
}

@test "an id that another user or another cluster had too is another job" {
	hist 0 'JobID|User|State\n7|a|COMPLETED\n7|b|FAILED\n'
	same $'COMPLETED\t1\t-\nFAILED\t1\t-' "$output"
	hist 0 'JobID|Cluster|State\n7|a|COMPLETED\n7|b|FAILED\n'
	same $'COMPLETED\t1\t-\nFAILED\t1\t-' "$output"
	hist 0 'JobID|State\na/7|COMPLETED\nb/7|FAILED\n'
	same $'COMPLETED\t1\t-\nFAILED\t1\t-' "$output"
}

@test "no records is 3; and so is an error message instead of a table, or nothing at all" {
	hist 3 'JobID|State\n'
	same 'sacct-hist: no records in the text' "$stderr"
	hist 3 ''
	has "$stderr" 'sacct-hist: stdin: it is empty'
	hist 3 'sacct: error: Problem talking to the database: No route to host\n'
	hist 2 'JobID|State\n1|COMPLETED\n2|DONE\n'
	same "sacct-hist: stdin: line 3: unknown state 'DONE'" "$stderr"
	is 2 sacct-hist -f missing
	same 'sacct-hist: missing: No such file or directory' "$stderr"
	is 2 sacct-hist -f .
	has "$stderr" 'sacct-hist: .: '
	is 2 sacct-hist -f text/x
	is 2 sacct-hist --also 'x{index}' --cells . -f text
	is 2 sh -c 'sacct-hist <.'
	echo secret >closed
	chmod 0 closed
	[ -r closed ] || is 2 sacct-hist -f closed
	ln -s loop loop
	is 2 sacct-hist -f loop
}

@test "REVOKED: another cluster ran it, which is neither over nor not, nor bad; --check cannot say" {
	hist 3 'JobID|State\n7_0|COMPLETED\n7_1|REVOKED\n' --check
	same 'sacct-hist: 1 of 2 COMPLETED, 0 ended otherwise, 0 not over, 1 REVOKED: ask the cluster that ran it' "$stderr"
	hist 1 'JobID|State\n7_0|COMPLETED\n7_1|REVOKED\n7_2|FAILED\n7_3|RUNNING\n' --check
	same 'sacct-hist: 1 of 4 COMPLETED, 1 ended otherwise, 1 not over, 1 REVOKED: ask the cluster that ran it' "$stderr"
	hist 3 'JobID|State\n7_0|COMPLETED\n7_1|REVOKED\n' --check -n 2
	hist 1 'JobID|State\n7_1|REVOKED\n' -q -a bad
	hist 1 'JobID|State\n7_1|REVOKED\n' -q -a open
	hist 0 'JobID|State\n7_1|REVOKED\n' -q -a revoked
}

@test "on a terminal: bars, the total, and a map of an array" {
	script -qec "sacct-hist -f $DATA/array-D.txt" /dev/null </dev/null | tr -d '\r' >picture
	same 'state          count  bar                             indices
COMPLETED      3      ##################              1,6,8
FAILED         5      ##############################  2,7,9-10,12
TIMEOUT        2      ############                    3,11
OUT_OF_MEMORY  1      ######                          4
CANCELLED      1      ######                          5
12 tasks

       0   .FTMC.F.FFTF
          . COMPLETED F FAILED T TIMEOUT M OUT_OF_MEMORY C CANCELLED' "$(cat picture)"
}

@test "the map shows every 8th and the last 40; a long one shows the worst of several" {
	{ echo 'JobID|State'; for k in {0..199}; do
		if ((k % 8 == 0)); then echo "7_$k|FAILED"; elif ((k < 160)); then echo "7_$k|COMPLETED"; else echo "7_$k|TIMEOUT"; fi
	done; } >text
	script -qec "sacct-hist -f text" /dev/null </dev/null | tr -d '\r' | grep '^ *[0-9][0-9]*  [.FT]' >map
	same "       0  $(printf 'F.......%.0s' 1 2 3 4 5 6 7 8)" "$(head -n 1 map)"
	same '     192  FTTTTTTT' "$(tail -n 1 map)"
	{ echo 'JobID|State'; echo '7_[0-99999]|COMPLETED'; echo '7_50000|FAILED'; } >text
	script -qec "sacct-hist -f text" /dev/null </dev/null | tr -d '\r' >map
	[ "$(wc -l <map)" -lt 80 ]
	same 1 "$(grep '^ *[0-9][0-9]*  [.F]' map | tr -cd F | wc -c)"
	has "$(tail -n 1 map)" 'a character is 25 indices, the worst of them'
}

@test "-g: a histogram for each user, partition, name, node or day" {
	local text='JobID|User|Partition|JobName|NodeList|End|State\n1|a|x|one|n[1-2]|2026-11-28T23:59:59|FAILED\n2|b|x|two|n2|2026-11-29T00:00:00|COMPLETED\n3|b|y|None|None assigned|Unknown|PENDING\n'
	hist 0 "$text" -g user
	same $'a\tFAILED\t1\t-\nb\tCOMPLETED\t1\t-\nb\tPENDING\t1\t-' "$output"
	hist 0 "$text" -g partition
	same $'x\tCOMPLETED\t1\t-\nx\tFAILED\t1\t-\ny\tPENDING\t1\t-' "$output"
	hist 0 "$text" -g name
	same $'None\tPENDING\t1\t-\none\tFAILED\t1\t-\ntwo\tCOMPLETED\t1\t-' "$output"
	hist 0 "$text" -g node
	same $'-\tPENDING\t1\t-\nn1\tFAILED\t1\t-\nn2\tCOMPLETED\t1\t-\nn2\tFAILED\t1\t-' "$output"
	hist 0 "$text" -g day -H
	same $'group\tstate\tcount\tindices\n-\tPENDING\t1\t-\n2026-11-28\tFAILED\t1\t-\n2026-11-29\tCOMPLETED\t1\t-' "$output"
	array 0 -g node
	same $'nc2\tFAILED\t3\t9-10,12' "$(grep $'nc2\tFAILED' <<<"$output")"
	is 2 sacct-hist -g color -f "$DATA/array-D.txt"
}

@test "-l: per task its state, id, name, time, exit in words and reason, in the order of the ids" {
	array 0 -l
	same $'COMPLETED\t21_1\tmixed\t00:00:01\texit 0\t-' "${lines[0]}"
	same $'TIMEOUT\t21_3\tmixed\t00:01:18\ttime limit\t-' "${lines[2]}"
	same $'OUT_OF_MEMORY\t21_4\tmixed\t00:00:01\tkilled for memory\t-' "${lines[3]}"
	same $'CANCELLED\t21_5\tmixed\t00:00:05\t-\t-' "${lines[4]}"
	same $'COMPLETED\t21_6\tmixed\t00:00:00\texit 0\tBeginTime' "${lines[5]}"
	same $'FAILED\t21_7\tmixed\t00:00:01\tsignal 9 KILL\t-' "${lines[6]}"
	same $'COMPLETED\t21_8\tmixed\t00:00:01\texit 0, a step\'s exit 1\t-' "${lines[7]}"
	same $'FAILED\t21_10\tmixed\t00:00:01\texit 127 (command not found)\t-' "${lines[9]}"
	same 12 "${#lines[@]}"
	array 0 -l -D
	same 13 "${#lines[@]}"
	hist 0 'JobID|State|ExitCode|ElapsedRaw\n900|RUNNING|0:0|29\n901|PENDING|0:0|0\n902|FAILED|3:0|93784\n903|FAILED|137:0|1\n904|FAILED|0:53|0\n' -l
	same $'RUNNING\t900\t-\t00:00:29\t-\t-\nPENDING\t901\t-\t00:00:00\t-\t-\nFAILED\t902\t-\t1-02:03:04\texit 3\t-\nFAILED\t903\t-\t00:00:01\texit 137 (signal 9 KILL)\t-\nFAILED\t904\t-\t00:00:00\tcould not start or open its output (0:53)\t-' "$output"
	is 0 sacct-hist -l -f "$DATA/names-1f.txt"
	same $'COMPLETED\t94\tnew\\nline\t-\t-\t-' "${lines[1]}"
	same $'COMPLETED\t97\tesc\\x1B[31m\\x01ctl\t-\t-\t-' "${lines[4]}"
}

@test "--name: only the jobs whose name fits the pattern" {
	hist 0 'JobID|JobName|State\n1|train_1|FAILED\n2|eval|COMPLETED\n' --name 'train_*'
	same $'FAILED\t1\t-' "$output"
	hist 3 'JobID|JobName|State\n1|train_1|FAILED\n' --name 'x*'
	hist 2 'JobID|State\n1|FAILED\n' --name 'x*'
	has "$stderr" 'no column JobName'
}

# --- the question ---

@test "--check: silent; 0 all COMPLETED, 1 one ended otherwise or too many, 3 what is not known" {
	local rows option want
	while IFS=';' read -r want rows option; do
		# shellcheck disable=SC2086
		hist "$want" "JobID|State\n$rows" --check $option
		same '' "$output" "$rows $option"
		if [ "$want" = 0 ]; then same '' "$stderr"; else same 1 "${#stderr_lines[@]}" "$rows $option: $stderr"; fi
	done <<-'END'
		0;1|COMPLETED\n2|COMPLETED\n;
		0;1|COMPLETED\n2|COMPLETED\n;-n 2
		1;1|COMPLETED\n2|COMPLETED\n;-n 1
		3;1|COMPLETED\n2|COMPLETED\n;-n 3
		1;1|COMPLETED\n2|FAILED\n3|RUNNING\n;
		1;1|COMPLETED\n2|FAILED\n;-n 3
		1;1|COMPLETED\n2|PREEMPTED\n;
		3;1|COMPLETED\n2|RUNNING\n;
		3;1|COMPLETED\n2|REQUEUED\n;
		3;1|COMPLETED\n2|REVOKED\n;
		0;1|REQUEUED\n1|COMPLETED\n;
		3;1|FAILED\n1|COMPLETED\n;
		3;;
		3;;-n 0
		1;1_1|COMPLETED\n;--expect 0-1
		1;1_[2-3]|PENDING\n1_1|TIMEOUT\n;-n 3
	END
	hist 1 'COMPLETED\nFAILED\n' --check
	hist 0 'COMPLETED\nCOMPLETED\n' --check -n 2
	hist 1 'COMPLETED\nFAILED\n' --check -q
	same '' "$stderr"
}

@test "-l: a time that stands there and cannot be read is bad input" {
	hist 2 'JobID|State|ElapsedRaw|Elapsed\n7|COMPLETED|5x|00:01:00\n' -l
	refused
	same "sacct-hist: stdin: line 2: ElapsedRaw '5x' is no time" "$stderr"
	hist 0 'JobID|State|ElapsedRaw|Elapsed\n7|COMPLETED||INVALID\n' -l
	same $'COMPLETED\t7\t-\t-\t-\t-' "$output"
}

# --- the array specification ---

@test "-a: the array specification of the tasks in these states, short" {
	array 0 -a bad
	same 2-5,7,9-12 "$output"
	same 'sacct-hist: 3 of them ended OUT_OF_MEMORY or TIMEOUT: the same request will end the same way' "$stderr"
	array 0 -q -a TIMEOUT,oom
	same '3-4,11' "$output"
	same '' "$stderr"
	array 0 -a F
	same 2,7,9-10,12 "$output"
	array 1 -a lost
	same none "$output"
	same 'sacct-hist: none of 12 tasks is in these states: lost' "$stderr"
	array 1 -q -a open
	same '' "$stderr"
	is 0 sacct-hist -a open -f "$DATA/pending.txt"
	same 1-20 "$output"
	hist 0 'JobID|State\n7_0|NODE_FAIL\n7_1|PREEMPTED\n7_2|BOOT_FAIL\n7_3|FAILED\n' -a lost
	same 0-2 "$output"
}

@test "-a: several arrays are lines of id and specification; a job that is no array is one with -" {
	hist 0 'JobID|State\n7_0|FAILED\n8_1|COMPLETED\n9_1|FAILED\n9_2|TIMEOUT\n10|FAILED\n' -q -a bad
	same $'7\t0\n9\t1-2\n10\t-' "$output"
	hist 1 'JobID|State\n7_0|COMPLETED\n8_1|COMPLETED\n' -q -a bad
	same none "$output"
	hist 2 'JobID|State\n10|FAILED\n' -a bad
	same none "$output"
	has "$stderr" '10 is no array'
}

@test "-a: jobs of two users with one id are two lines, and none where it is not told whose is meant" {
	printf 'JobID|State|User|Submit\n7_1|FAILED|ann|2026-01-01T00:00:00\n7_2|FAILED|bob|2020-01-01T00:00:00\n' >text
	is 0 sacct-hist -q -a bad -f text
	same $'7\t1\n7\t2' "$output"
	is 0 sacct-hist -q -a bad -f text 7
	same 1 "$output"
	printf 'JobID|State|User\n7+0|FAILED|ann\n7_2|FAILED|bob\n8|COMPLETED|bob\n' >text
	is 0 sacct-hist -q -a bad -f text
	same $'7\t-\n7\t2' "$output"
	is 3 sacct-hist -q -a bad -f text 7
	same none "$output"
}

@test "-a: whatever goes wrong prints none, which sbatch refuses, and ends as it must" {
	hist 3 'JobID|State\n' -a bad
	same none "$output"
	is 2 sacct-hist -a 4711
	same none "$output"
	same "sacct-hist: -a '4711': a number where states were expected: -a bad 4711" "$stderr"
	is 2 sacct-hist -a badd 4711
	same none "$output"
	is 2 sacct-hist -a ''
	same none "$output"
	hist 2 'COMPLETED\n' -a bad
	same none "$output"
}

@test "--expect: indices without a record are NEVER-RAN, and bad" {
	hist 0 'JobID|State\n7_0|COMPLETED\n7_2|FAILED\n' --expect 0-4
	same $'COMPLETED\t1\t0\nNEVER-RAN\t3\t1,3-4\nFAILED\t1\t2' "$output"
	hist 0 'JobID|State\n7_0|COMPLETED\n7_2|FAILED\n' --expect 0-4 -a bad
	same 1-4 "$output"
	hist 0 'JobID|State\n7_0|COMPLETED\n7_2|FAILED\n' --expect 0-4 -a never-ran
	same 1,3-4 "$output"
	hist 0 'JobID|State\n7_0|COMPLETED\n' --expect 0-1 -l
	same $'NEVER-RAN\t7_1\t-\t-\t-\t-' "${lines[1]}"
	hist 0 'JobID|State\n7_0|COMPLETED\n7_0|COMPLETED\n' --expect 0-1 -D
	same $'COMPLETED\t2\t0\nNEVER-RAN\t1\t1' "$output"
	hist 2 'JobID|State\n7_0|COMPLETED\n8_2|FAILED\n' --expect 0-4
	hist 2 'JobID|State\n7_0|COMPLETED\n' --expect 4-0
	hist 3 'JobID|State\n' --expect 0-4
}

@test "--merge: of several arrays each index's newest record counts" {
	local text='JobID|State|Submit\n8_2|COMPLETED|2026-01-02T00:00:00\n7_1|COMPLETED|2026-01-01T00:00:00\n7_2|FAILED|2026-01-01T00:00:00\n7_3|TIMEOUT|2026-01-01T00:00:00\n8_3|FAILED|2026-01-02T00:00:00\n'
	hist 0 "$text" --merge
	same $'COMPLETED\t2\t1-2\nFAILED\t1\t3' "$output"
	hist 0 "$text" --merge -a bad
	same 3 "$output"
	hist 0 "$text" --merge -l
	same $'COMPLETED\t8_2' "$(cut -f1,2 <<<"${lines[1]}")"
	hist 0 "$text" --merge --expect 0-3
	same $'COMPLETED\t2\t1-2' "${lines[0]}"
	hist 0 'JobID|State\n8_2|COMPLETED\n7_2|FAILED\n' --merge
	same $'COMPLETED\t1\t2' "$output"
	hist 2 'JobID|State\n8|COMPLETED\n7_2|FAILED\n' --merge
}

@test "--also --cells: a task of several cells has its output when all of them have" {
	hash gridtag
	printf 'a=1..6\nper-task 2\n' >grid
	gridtag -f grid -l -H >cells
	mkdir out; for i in 1 2 3 5 6; do echo x >out/$i; done
	printf 'JobID|State\n9_0|COMPLETED\n9_1|COMPLETED\n9_2|COMPLETED\n' >text
	is 0 sacct-hist --also 'out/{tag}' --cells cells -f text
	same $'COMPLETED\t2\t0,2\nNO-OUTPUT\t1\t1' "$output"
	is 1 sacct-hist -q --check --also 'out/{tag}' --cells cells -f text
	echo x >out/4
	is 0 sacct-hist --check --also 'out/{tag}' --cells cells -f text
}

@test "--also: a COMPLETED task without its file is NO-OUTPUT, and bad; an empty file or directory is none" {
	mkdir out out/3 out/4
	echo x >out/0
	: >out/1
	echo x >out/4/x
	hist 0 'JobID|State\n7_[0-4]|COMPLETED\n7_5|FAILED\n' --also 'out/{index}'
	same $'COMPLETED\t2\t0,4\nNO-OUTPUT\t3\t1-3\nFAILED\t1\t5' "$output"
	hist 0 'JobID|State\n7_[0-4]|COMPLETED\n7_5|FAILED\n' --also 'out/{index}' -a bad
	same 1-3,5 "$output"
	hist 1 'JobID|State\n7_[0-4]|COMPLETED\n' --also 'out/{index}' --check
	hist 2 'JobID|State\n7_0|COMPLETED\n' --also 'out/{tag}'
	has "$stderr" "--also: {} holds 'tag'"
	printf 'index\ttag\tmodel\n0\ta+1\ta\n1\tb+1\tx\\ty\n' >cells
	mkdir 'x	y'
	echo x >'x	y/b+1'
	hist 0 'JobID|State\n7_[0-1]|COMPLETED\n' --also '{model}/{tag}' --cells cells
	same $'COMPLETED\t1\t1\nNO-OUTPUT\t1\t0' "$output"
	hist 2 'JobID|State\n7_2|COMPLETED\n' --also '{tag}' --cells cells
	has "$stderr" 'no cell has the index 2'
	hist 2 'JobID|State\n7_0|COMPLETED\n' --also '{tag}' --cells text
}

@test "--also: one file for two cells is the output of neither, and refused; the same file of another job is not" {
	echo x >res
	hist 2 'JobID|State\n7_0|COMPLETED\n7_1|COMPLETED\n' --check --also res
	same "sacct-hist: --also: two cells have the same file, 'res': which of them wrote it cannot be told" "$stderr"
	printf 'index\tm\n0\tres\n1\tres\n' >cells
	hist 2 'JobID|State\n7_0|COMPLETED\n7_1|COMPLETED\n' --also '{m}' --cells cells
	hist 0 'JobID|State\n7_0|COMPLETED\n7_1|FAILED\n' --also res
	# attempts of one task, tasks of two users and the components of a job are no two cells
	hist 0 'JobID|State|Submit\n7_0|COMPLETED|2026-01-01T00:00:00\n7_0|COMPLETED|2026-01-01T00:05:00\n' -D --also res
	hist 0 'JobID|State|User|Submit\n7_0|COMPLETED|me|2026-01-01T00:00:00\n7_0|COMPLETED|you|2026-01-01T00:05:00\n' --also res
	hist 0 'JobID|State\n7+0|COMPLETED\n7+1|COMPLETED\n' --also 're{job}'
	hist 0 'JobID|State\n7_0|COMPLETED\n8_0|COMPLETED\n' --also res
	same $'COMPLETED\t2\t-' "$output"
}

@test "--also --merge: {job} is the job whose record counts" {
	local text='JobID|State|Submit\n7_0|COMPLETED|2026-01-01T00:00:00\n7_1|FAILED|2026-01-01T00:00:00\n8_1|COMPLETED|2026-01-02T00:00:00\n'
	mkdir out
	echo x >out/7-0
	echo x >out/8-1
	hist 0 "$text" --merge --check --also 'out/{job}-{index}'
	hist 0 "$text" --merge -l --also 'out/{job}-{index}'
	same $'COMPLETED\t7_0 COMPLETED\t8_1' "$(cut -f1,2 <<<"$output" | paste -sd ' ')"
	hist 0 "$text" --merge -g name --also 'out/{job}-{index}'
	same $'-\tCOMPLETED\t2\t0-1' "$output"
	mv out/8-1 out/7-1
	hist 0 "$text" --merge -a bad --also 'out/{job}-{index}'
	same 1 "$output"
	# all arrays are one campaign, and a file is of one index
	hist 2 "$text" --merge --also 'out/7-0'
}

@test "--also: a job that is no task has neither an index nor a cell, whatever else the template holds" {
	mkdir -p out/7
	echo x >out/7/0
	hist 2 'JobID|State\n7|COMPLETED\n' --check --also 'out/{job}/{index}'
	same 'sacct-hist: --also: 7 is no task of an array and has no index' "$stderr"
	hist 2 'JobID|State\n7+0|COMPLETED\n' --check --also 'out/{job}/{index}'
	printf 'index\tm\n0\t0\n' >cells
	hist 2 'JobID|State\n7|COMPLETED\n' --check --also 'out/{job}/{m}' --cells cells
	hist 0 'JobID|State\n7|COMPLETED\n' --check --also 'out/{job}' --cells cells
}

@test "--also: where no time tells that a task is COMPLETED, a missing file does not make --check say no" {
	hist 3 'JobID|State\n7_0|RUNNING\n7_0|COMPLETED\n' -q --check --also 'out/{index}'
	hist 1 'JobID|State\n7_0|RUNNING\n7_0|COMPLETED\n7_1|COMPLETED\n' -q --check --also 'out/{index}'
}

@test "--cells: line ends of DOS and a byte order mark are none of a column; a NUL byte and a cut end are refused" {
	echo x >res
	printf '\xef\xbb\xbfindex\tm\r\n0\tres\r\n' >cells
	hist 0 'JobID|State\n7_0|COMPLETED\n' --check --also '{m}' --cells cells
	printf 'index\tm\n0\tres\n\0' >cells
	hist 2 'JobID|State\n7_0|COMPLETED\n' --check --also '{m}' --cells cells
	same 'sacct-hist: cells:3: a NUL byte: text was expected' "$stderr"
	printf 'index\tm\n0\tres' >cells
	hist 2 'JobID|State\n7_0|COMPLETED\n' --check --also '{m}' --cells cells
}

@test "--cells: a row with a field too few, too many or empty is refused: the rest of its template may be a directory that is there" {
	mkdir out && : >out/x && echo 1 >out/a
	for row in '1' '1\tb' '1\tb\t2\t3' '1\t\t2' '1\tb\t'; do
		printf "index\ttag\tm\n0\ta\t1\n$row\n" >cells
		hist 2 'JobID|State\n7_0|COMPLETED\n7_1|COMPLETED\n' --check --also 'out/{tag}' --cells cells
		same 'sacct-hist: cells: line 3: no table of gridtag -l -H: 3 fields, none of them empty, were expected' "$stderr"
	done
	printf 'index\ttag\t\n0\t\t1\n' >cells
	hist 2 'JobID|State\n7_0|COMPLETED\n' --check --also 'out/{tag}' --cells cells
	same 'sacct-hist: cells: line 1: no table of gridtag -l -H: a column without a name' "$stderr"
}

@test "--cells: a column that stands there twice is refused by name" {
	printf 'index\ttag\tmodel\tmodel\n0\ta\ta\tb\n' >cells
	hist 2 'JobID|State\n7_0|COMPLETED\n' --also '{tag}' --cells cells
	same "sacct-hist: cells: the column 'model' stands there twice" "$stderr"
}

@test "--also: a FIFO, a socket, a device or a link to one keeps nothing: no output" {
	mkdir out
	mkfifo out/0
	ln -s /dev/null out/1
	ln -s /dev/zero out/2
	perl -e 'use IO::Socket::UNIX; IO::Socket::UNIX->new(Local => "out/3", Listen => 1) or exit 1' || : >out/3
	echo x >out/file
	ln -s file out/4
	hist 0 'JobID|State\n7_[0-4]|COMPLETED\n' --also 'out/{index}'
	same $'COMPLETED\t1\t4\nNO-OUTPUT\t4\t0-3' "$output"
	hist 1 'JobID|State\n7_[0-4]|COMPLETED\n' -q --check --also 'out/{index}'
}

@test "-a: what has no record, or is not settled, may be in these states: 3, with what is known" {
	hist 3 'JobID|State\n7_0|COMPLETED\n' -q -f - -a bad '7_[0-3]'
	same none "$output"
	hist 3 'JobID|State\n7_0|FAILED\n' -q -f - -a bad '7_[0-3]'
	same 0 "$output"
	hist 3 'JobID|State|JobName|Partition\n7_0|COMPLETED|allocation|\n' -a bad
	same none "$output"
	same 'sacct-hist: 1 record is not settled yet (no partition, named allocation): accounting lags up to 15 s' "$stderr"
	hist 1 'JobID|State\n7_0|COMPLETED\n' -q -a bad
}

@test "the steps that did not complete are named, four of them" {
	printf 'JobID|State\n' >text
	for i in 1 2 3 4 5 6; do printf '7_%d|COMPLETED\n7_%d.batch|COMPLETED\n7_%d.0|FAILED\n' $i $i $i; done >>text
	is 0 sacct-hist <text
	same 'sacct-hist: 6 COMPLETED jobs have a step that did not complete: 7_1.0, 7_2.0, 7_3.0, 7_4.0, ...' "$stderr"
}

@test "--cells takes what gridtag -l -H prints" {
	[ -x "$BIN/gridtag" ] || skip 'no gridtag beside it'
	gridtag -l -H model=a,b seed=0..1 >cells
	mkdir out
	echo x >out/a+0
	hist 0 'JobID|State\n7_[0-3]|COMPLETED\n' --also 'out/{tag}' --cells cells
	same $'COMPLETED\t1\t0\nNO-OUTPUT\t3\t1-3' "$output" "$stderr"
}

# --- ids and Slurm ---

@test "-f with ids: only these; by JobIDRaw too; what is missing is named, and 3" {
	printf 'JobID|JobIDRaw|State\n1043074_91|1043166|COMPLETED\n5|5|FAILED\n7_[1-3]|7|PENDING\n' >text
	is 0 sacct-hist -f text 1043166
	same $'COMPLETED\t1\t91' "$output"
	is 0 sacct-hist -f text 1043074
	is 0 sacct-hist -f text 1043074_91
	is 3 sacct-hist -f text 5 6 '1043074_[90-92]'
	same $'COMPLETED\t1\t-\nFAILED\t1\t-' "$output"
	same 'sacct-hist: no record of 3 of 5: 6 1043074_90 1043074_92' "$stderr"
	is 0 sacct-hist -f text 7_2
	same $'PENDING\t1\t2' "$output"
	is 3 sacct-hist -f text 8
	is 3 sacct-hist -f text --check 1043166 6
	is 1 sacct-hist -f text --check 1043166 6 5
	is 3 sacct-hist -q -f text -a bad 5_1
	same none "$output"
}

@test "-f with ids: of the jobs of several users with that id the newest is meant, the others are named" {
	printf 'JobID|State|User|Submit\n7|COMPLETED|a|2026-01-02T00:00:00\n7|FAILED|b|2025-01-01T00:00:00\n7|TIMEOUT|c|2024-01-01T00:00:00\n8|COMPLETED|b|2024-01-01T00:00:00\n' >text
	is 0 sacct-hist --check -f text 7 8
	same 'sacct-hist: 7: an older job, of b, had this id too: left out
sacct-hist: 7: an older job, of c, had this id too: left out' "$(sort <<<"$stderr")"
	is 0 sacct-hist -D -f text 7
	same $'COMPLETED\t1\t-' "$output"
	is 0 sacct-hist -l -f text 7
	same 1 "${#lines[@]}"
	# each cluster by itself; and without ids all are jobs of their own
	printf 'JobID|State|User|Submit|Cluster\n7|COMPLETED|a|2026-01-02T00:00:00|x\n7|FAILED|b|2025-01-01T00:00:00|x\n7|COMPLETED|b|2024-01-02T00:00:00|y\n7|FAILED|a|2023-01-02T00:00:00|y\n' >text
	is 0 sacct-hist --check -f text 7
	is 1 sacct-hist --check -f text
	# no time tells which is meant
	printf 'JobID|State|User\n7|COMPLETED|a\n7|RUNNING|b\n' >text
	is 3 sacct-hist --check -f text 7
	has "$stderr" 'sacct-hist: 7: jobs of several users have this id, and no time tells which is meant: all of them count'
	printf 'JobID|State|User\n7|COMPLETED|a\n7|COMPLETED|b\n' >text
	is 0 sacct-hist --check -f text 7
	has "$stderr" 'no time tells which is meant'
}

@test "several records of an id: Submit, Start or End tells the newest; where none does and they differ, that is said, and no 0" {
	hist 0 'JobID|State|End\n7|COMPLETED|2026-01-02T00:00:00\n7|FAILED|2026-01-01T00:00:00\n' --check
	same '' "$stderr"
	hist 1 'JobID|State|End\n7|FAILED|2026-01-02T00:00:00\n7|COMPLETED|2026-01-01T00:00:00\n' --check
	hist 0 'JobID|State\n7|FAILED\n7|COMPLETED\n'
	same $'COMPLETED\t1\t-' "$output"
	same 'sacct-hist: 7: no time tells which of its records is the newest, and their states differ: the last one counts (a column Submit would tell)' "$stderr"
	hist 3 'JobID|State\n7|FAILED\n7|COMPLETED\n' -q --check
	has "$stderr" 'sacct-hist: 7: no time tells'
	hist 3 'JobID|State\n7_1|FAILED\n7_1|COMPLETED\n7_2|FAILED\n' -q -a bad
	same none "$output"
	hist 3 'JobID|State\n7_1|FAILED\n7_1|COMPLETED\n' -q -a bad
	same none "$output"
	hist 1 'JobID|State\n7_1|FAILED\n7_1|COMPLETED\n7_2|FAILED\n' -q --check
	hist 0 'JobID|State\n7_1|FAILED\n7_1|COMPLETED\n7_2|FAILED\n7_2|TIMEOUT\n'
	same 'sacct-hist: 7_1 and 1 more: no time tells which of its records is the newest, and their states differ: the last one counts (a column Submit would tell)' "$stderr"
	# a time that one of them lacks tells nothing
	hist 3 'JobID|State|Start\n7|PENDING|Unknown\n7|COMPLETED|2026-01-02T00:00:00\n' --check
	hist 3 'JobID|State|Start\n7|COMPLETED|2026-01-02T00:00:00\n7|FAILED|2026-01-02T00:00:00\n7_2|COMPLETED|2026-01-02T00:00:00\n' -q -a bad
	# one state, or a requeue, leaves no doubt
	hist 0 'JobID|State\n7|COMPLETED\n7|COMPLETED\n' --check
	same '' "$stderr"
	hist 0 'JobID|State\n7|COMPLETED\n7|REQUEUED\n' --check
	same '' "$stderr"
	hist 0 'JobID|State\n7|REQUEUED\n7|COMPLETED\n' --check
	hist 0 'JobID|State\n7|FAILED\n7|COMPLETED\n' -D
	same '' "$stderr"
}

@test "a doubt about older records ends with a newer one, and with a record of the task's own; in any order" {
	local a=7_1'|COMPLETED|2026-01-01T00:00:00' b=7_1'|FAILED|2026-01-01T00:00:00' c=7_1'|COMPLETED|2026-01-02T00:00:00' order
	for order in "$a\n$b\n$c" "$b\n$c\n$a" "$c\n$a\n$b" "$a\n$b\n7_2|COMPLETED|2026-01-01T00:00:00\n$c"; do
		hist 0 "JobID|State|Submit\n$order\n" --check
		same '' "$stderr"
		hist 1 "JobID|State|Submit\n$order\n" -q -a bad
	done
	hist 3 "JobID|State|Submit\n$c\n$a\n${c/COMPLETED/FAILED}\n" -q --check
	hist 1 'JobID|State\n7_[1-2]|PENDING\n7_[1-2]|CANCELLED\n7_1|COMPLETED\n7_2|FAILED\n' --check
	same 'sacct-hist: 1 of 2 COMPLETED, 1 ended otherwise, 0 not over' "$stderr"
	# the record of the job that is left out
	printf 'JobID|State|Submit|User\n7|FAILED|2020-01-01T00:00:00|old\n7|COMPLETED|2020-01-01T00:00:00|old\n7|COMPLETED|2026-01-01T00:00:00|new\n' >text
	is 0 sacct-hist --check -f text 7
	same 'sacct-hist: 7: an older job, of old, had this id too: left out' "$stderr"
	# the last line counts where one lacks its time, as is said
	hist 0 'JobID|State|Start\n7|COMPLETED|2026-01-02T00:00:00\n7|PENDING|Unknown\n'
	same $'PENDING\t1\t-' "$output"
	has "$stderr" 'the last one counts'
}

@test "ids may come in one word, as a list with newlines, and the status is our own" {
	printf 'JobID|State\n12345|COMPLETED\n12346|FAILED\n' >text
	printf '12345\n12346\n' >ids
	list=$(sort -u ids)
	is 0 sacct-hist -l -f text "$list"
	same 2 "${#lines[@]}"
	is 1 sacct-hist -q --check -f text "$list"
	echo 99999 >>ids
	list=$(sort -u ids)
	is 3 sacct-hist -l -f text "$list"
}

@test "squeue -o %i|%t is read, its compact states too; a blank is no delimiter" {
	hist 0 'JOBID|ST\n7_1|R\n7_[2-3]|PD\n'
	same $'PENDING\t2\t2-3\nRUNNING\t1\t1' "$output"
	hist 2 'JOBID ST\n7_1 R\n'
	hist 2 'JOBID STATE\n7_1 RUNNING\n'
}

# fakes: sacct prints sacct.txt (| becomes 0x1F), squeue queue.txt; how they were called is in args.NAME
fakes() {
	mkdir -p fake
	cat >fake/sacct <<-'END'
		#!/bin/sh
		if [ "$1" = -e ]; then echo JobID JobIDRaw State Submit User JobName Partition ElapsedRaw; exit; fi
		echo "$*" >>args.sacct
		[ ! -e sacct.sh ] || . ./sacct.sh
		tr '|' '\037' <sacct.txt
	END
	cat >fake/squeue <<-'END'
		#!/bin/sh
		echo "$*" >args.squeue
		[ ! -e squeue.sh ] || . ./squeue.sh
		tr '|' '\037' <queue.txt
	END
	chmod +x fake/*
	PATH=$PWD/fake:$PATH
	echo 'JOBID|STATE|USER|SUBMIT_TIME|NAME|PARTITION' >queue.txt
}

@test "an id of a cluster is found where the text names that cluster, and nowhere else" {
	printf 'JobID|State\n7|COMPLETED\n' >text
	is 3 sacct-hist --check -f text x/7
	has "$stderr" 'no record of 1 of 1: x/7'
	is 3 sacct-hist -l -f text '7;x'
	same '' "$output"
	printf 'JobID|State|Cluster\n7|COMPLETED|x\n7|FAILED|y\n' >text
	is 0 sacct-hist --check -f text x/7
	is 1 sacct-hist --check -f text x/7,y/7
	is 3 sacct-hist --check -f text x/7,z/7
	has "$stderr" 'no record of 1 of 2: z/7'
	printf 'CLUSTER: x\nJobID|State\n7_[1-2]|COMPLETED\n' >text
	is 0 sacct-hist --check -f text X/7_1
	is 3 sacct-hist --check -f text y/7_1
	printf 'JobID|State\nx/7|COMPLETED\n' >text
	is 0 sacct-hist --check -f text x/7
	is 0 sacct-hist --check -f text 7
	# a sacct that is asked of one cluster answers for it, with the column or without
	fakes
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7|7|COMPLETED|2026-01-01T00:00:00|bob|a|cpu\n' >sacct.txt
	is 0 sacct-hist --check '7;x'
	is 0 sacct-hist --check '7;x' x/7
	same 'x' "$(sed 's/.*-M \([^ ]*\) .*/\1/' args.sacct | sort -u)"
}

@test "by ids: sacct and squeue are asked once each, for what is needed; the same text through a pipe gives the same" {
	fakes
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7_1|8|COMPLETED|2026-01-01T00:00:00|bob|a|cpu\n7_2|7|FAILED|2026-01-01T00:00:00|bob|a|cpu\n' >sacct.txt
	is 0 sacct-hist 7
	same $'COMPLETED\t1\t1\nFAILED\t1\t2' "$output"
	same '' "$stderr"
	same $'-P --delimiter=\037 -X -o JobID,JobIDRaw,State,Submit,User,JobName,Partition -j 7' "$(cat args.sacct)"
	same $'-a -t all -o %i\037%T\037%V\037%u\037%j\037%P -u '"$(id -u),bob" "$(cat args.squeue)"
	first=$output
	is 0 sacct-hist <sacct.txt
	same "$first" "$output"
	: >args.sacct
	is 0 sacct-hist -D -S 7d -E 2026-02-01 -u bob
	same $'-P --delimiter=\037 -D -X -o JobID,JobIDRaw,State,Submit,User,JobName,Partition -S now-604800seconds -E 2026-02-01 -u bob' "$(cat args.sacct)"
	: >args.sacct
	is 0 sacct-hist -u all
	has "$(cat args.sacct)" '-S now-30days -E now -a'
	same 'sacct-hist: the last 30 days (-S says otherwise)' "$stderr"
	is 0 sacct-hist --fields -l
	same JobID,JobIDRaw,State,Submit,Start,User,JobName,Partition,End,ElapsedRaw,Elapsed,ExitCode,DerivedExitCode,Reason "$output"
}

@test "--merge: what else is in the queue is no matter" {
	fakes
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7_1|8|COMPLETED|2026-01-01T00:00:00|bob|a|cpu\n' >sacct.txt
	printf '1|RUNNING|bob|2026-01-01T00:00:00|a|cpu\n' >>queue.txt
	is 0 sacct-hist --merge --check 7
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7_1|8|COMPLETED|2026-01-01T00:00:00|bob|a|cpu\n9|9|COMPLETED|2026-01-01T00:00:00|bob|allocation|\n' >sacct.txt
	is 3 sacct-hist --merge --check -t 4s 7 9
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7_1|8|COMPLETED|2026-01-01T00:00:00|bob|a|cpu\n9|9|COMPLETED|2026-01-01T00:00:00|bob|a|cpu\n' >sacct.txt
	is 2 sacct-hist --merge --check 7 9
	same 'sacct-hist: --merge: 9 is no array: arrays only were expected' "$stderr"
}

@test "--merge: a later submission that only the queue has counts, whatever of older ones stands behind it there" {
	local was row='JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7_3|9|%s|2026-01-01T00:00:00|bob|a|cpu\n'
	fakes
	cp queue.txt top
	for was in COMPLETED FAILED RUNNING; do
		# shellcheck disable=SC2059 # escapes
		printf "$row" "$was" >sacct.txt
		{ cat top; echo '8_[3]|PENDING|bob|2026-01-02T00:00:00|a|cpu'; echo '7_3|COMPLETED|bob|2026-01-01T00:00:00|a|cpu'; } >queue.txt
		is 3 sacct-hist -q --merge --check 7 8
		{ cat top; echo '8_3|RUNNING|bob|2026-01-02T00:00:00|a|cpu'; echo '7_3|FAILED|bob|2026-01-01T00:00:00|a|cpu'; } >queue.txt
		is 1 sacct-hist -q --merge -a bad 7 8
		same none "$output"
		is 0 sacct-hist -q --merge -l 7 8
		same $'RUNNING\t8_3' "$(cut -f1,2 <<<"$output")"
	done
	{ cat top; echo '7_3|FAILED|bob|2026-01-01T00:00:00|a|cpu'; echo '8_3|COMPLETED|bob|2026-01-02T00:00:00|a|cpu'; } >queue.txt
	is 0 sacct-hist -q --merge --check 7 8
}

@test "-D: an attempt that was requeued is over, and not missed in the queue" {
	fakes
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7|7|REQUEUED|2026-01-01T00:00:00|bob|a|cpu\n7|7|COMPLETED|2026-01-01T01:00:00|bob|a|cpu\n' >sacct.txt
	is 0 sacct-hist -D 7
	same '' "$stderr"
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7|7|REQUEUED|2026-01-01T00:00:00|bob|a|cpu\n7|7|RUNNING|2026-01-01T01:00:00|bob|a|cpu\n' >sacct.txt
	is 0 sacct-hist -D 7
	same 'sacct-hist: 1 task is not over for sacct and not in the queue: sacct lags, or an end was never recorded' "$stderr"
}

@test "where sacct and squeue differ the queue counts, and both are told" {
	fakes
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7_1|8|COMPLETED|2026-01-01T00:00:00|bob|a|cpu\n7_2|7|RUNNING|2026-01-01T00:00:00|bob|a|cpu\n7_4|9|RUNNING|2026-01-01T00:00:00|bob|a|cpu\n' >sacct.txt
	printf '7_1|RUNNING|bob|2026-01-01T00:00:00|a|cpu\n7_2|FAILED|bob|2026-01-01T00:00:00|a|cpu\n7_[5-6]|PENDING|bob|2026-01-01T00:00:00|a|cpu\n' >>queue.txt
	is 0 sacct-hist 7
	same $'FAILED\t1\t2\nRUNNING\t2\t1,4\nPENDING\t2\t5-6' "$output"
	same 'sacct-hist: 7_1: sacct COMPLETED, squeue RUNNING: the queue counts
sacct-hist: 7_2: sacct RUNNING, squeue FAILED: the queue counts
sacct-hist: 1 task is not over for sacct and not in the queue: sacct lags, or an end was never recorded' "$stderr"
	is 1 sacct-hist --check -q 7
}

@test "a component that has not started is a job of its own for newer accounting: it is one with what the queue has" {
	fakes
	# as 26.05.5 has a job of two components on hold; sacct -j 52 prints its first
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n52|52|PENDING|2026-11-30T20:59:00|bob|het_1|cpu\n' >sacct.txt
	printf '52+1|PENDING|bob|2026-11-30T20:59:00|het_1|cpu\n52+0|PENDING|bob|2026-11-30T20:59:00|het_1|cpu\n' >>queue.txt
	is 0 sacct-hist 52
	same $'PENDING\t2\t-' "$output$stderr"
	is 3 sacct-hist --check 52
	# of a time it has both; and the second, asked for alone
	printf '53|53|PENDING|2026-11-30T20:59:00|bob|het_1|cpu\n' >>sacct.txt
	is 0 sacct-hist -q -S 1h
	same $'PENDING\t2\t-' "$output$stderr"
	sed -i 2d sacct.txt
	is 0 sacct-hist 53
	same $'PENDING\t1\t-' "$output$stderr"
	# both have ended, and a job that is no component, of another time, is another
	sed -i 's/PENDING/CANCELLED by 1000/' sacct.txt
	sed -i 's/PENDING/CANCELLED/' queue.txt
	is 0 sacct-hist 53
	same $'CANCELLED\t1\t-' "$output$stderr"
	sed -i 's/20:59/20:58/' sacct.txt
	is 0 sacct-hist 52,53
	same $'CANCELLED\t3\t-' "$output$stderr"
}

@test "an array whose last waiting tasks were cancelled is a job without an index in the queue, and no task more" {
	fakes
	# as 26.05.5 prints them
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n14_0|15|COMPLETED|2026-11-30T21:36:00|bob|a|cpu\n14_1|16|COMPLETED|2026-11-30T21:36:00|bob|a|cpu\n14_[1-3%%1]|14|CANCELLED by 3000|2026-11-30T21:36:00|bob|a|cpu\n' >sacct.txt
	printf '14|CANCELLED|bob|2026-11-30T21:36:00|a|cpu\n14_1|COMPLETED|bob|2026-11-30T21:36:00|a|cpu\n14_0|COMPLETED|bob|2026-11-30T21:36:00|a|cpu\n' >>queue.txt
	is 0 sacct-hist 14
	same $'COMPLETED\t2\t0-1\nCANCELLED\t2\t2-3' "$output$stderr"
	is 1 sacct-hist --check -q --merge 14
	# the row of the cancelled ones may still list what has run
	is 0 sacct-hist --merge -a bad 14
	same 2-3 "$output$stderr"
	# where accounting does not have them yet, not all are COMPLETED
	sed -i '$d' sacct.txt
	is 1 sacct-hist --check -q 14
	is 3 sacct-hist --check -q --merge 14
	same 'sacct-hist: --merge: squeue has 14 without an index, as CANCELLED: sacct lags, or it is no array' "$stderr"
	# a job of later, with the number of the array, is another
	printf '14_[2-3]|14|CANCELLED|2016-11-30T21:36:00|bob|a|cpu\n' >>sacct.txt
	is 0 sacct-hist -q 14
	same $'COMPLETED\t2\t-\nCANCELLED\t3\t-' "$output"
}

@test "the queue counts where accounting lags behind a requeue: an end of its own, and a task asked for by JobIDRaw" {
	local row='JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7|7|%s|2026-01-01T00:00:00|bob|a|cpu\n'
	fakes
	cp queue.txt top
	# shellcheck disable=SC2059 # escapes
	printf "$row" COMPLETED >sacct.txt
	echo '7|FAILED|bob|2026-01-01T01:00:00|a|cpu' >>queue.txt
	is 1 sacct-hist --check 7
	same 'sacct-hist: 7: sacct COMPLETED, squeue FAILED: the queue counts
sacct-hist: 0 of 1 COMPLETED, 1 ended otherwise, 0 not over' "$stderr"
	is 0 sacct-hist -q -D 7
	same $'COMPLETED\t1\t-\nFAILED\t1\t-' "$output"
	# shellcheck disable=SC2059 # escapes
	printf "$row" TIMEOUT >sacct.txt
	{ cat top; echo '7|COMPLETED|bob|2026-01-01T01:00:00|a|cpu'; } >queue.txt
	is 0 sacct-hist --check 7
	# a queue that is older than accounting, and what another cluster ran, end nothing
	{ cat top; echo '7|COMPLETED|bob|2025-12-31T01:00:00|a|cpu'; } >queue.txt
	is 1 sacct-hist --check -q 7
	# of one attempt, with one Submit, a bad end in accounting stays one
	{ cat top; echo '7|COMPLETED|bob|2026-01-01T00:00:00|a|cpu'; } >queue.txt
	is 1 sacct-hist --check -q 7
	{ cat top; echo '7|REVOKED|bob|2026-01-01T00:00:00|a|cpu'; } >queue.txt
	is 1 sacct-hist --check -q 7
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7_1|22|COMPLETED|2026-01-01T00:00:00|bob|a|cpu\n' >sacct.txt
	{ cat top; echo '7_1|RUNNING|bob|2026-01-01T01:00:00|a|cpu'; echo '7_2|FAILED|bob|2026-01-01T01:00:00|a|cpu'; } >queue.txt
	is 3 sacct-hist --check 22
	same 'sacct-hist: 7_1: sacct COMPLETED, squeue RUNNING: the queue counts
sacct-hist: 0 of 1 COMPLETED, 0 ended otherwise, 1 not over' "$stderr"
}

@test "an id in use again: the older job of another user is left out, the queue has the newer one" {
	fakes
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7|7|COMPLETED|2017-01-01T00:00:00|u999|old|cpu\n' >sacct.txt
	echo '7|RUNNING|bob|2026-01-01T00:00:00|a|cpu' >>queue.txt
	is 0 sacct-hist 7
	same $'RUNNING\t1\t-' "$output"
	same 'sacct-hist: 7: an older job, of u999, had this id too: left out' "$stderr"
	is 3 sacct-hist --check 7
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7|7|COMPLETED|2017-01-01T00:00:00|u999|old|cpu\n7|7|FAILED|2026-01-01T00:00:00|bob|new|cpu\n' >sacct.txt
	head -n 1 queue.txt >q && mv q queue.txt
	is 0 sacct-hist -D 7
	same $'FAILED\t1\t-' "$output"
}

@test "an id without a record is named, 3; one that only the queue knows is there" {
	fakes
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7|7|COMPLETED|2026-01-01T00:00:00|bob|a|cpu\n' >sacct.txt
	echo '8|PENDING|bob|2026-01-01T00:00:00|a|cpu' >>queue.txt
	is 3 sacct-hist 7,8 9
	same $'COMPLETED\t1\t-\nPENDING\t1\t-' "$output"
	same 'sacct-hist: no record of 1 of 3: 9' "$stderr"
	is 3 sacct-hist 9
	has "$stderr" 'no records: sacct knows of none'
}

@test "a row that accounting has not settled is asked for again; where it stays, it is no end" {
	fakes
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7|7|COMPLETED|2026-01-01T00:00:00|bob|allocation|\n' >sacct.txt
	cat >sacct.sh <<-'END'
		[ "$(wc -l <args.sacct)" -lt 2 ] || printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7|7|FAILED|2026-01-01T00:00:00|bob|lag|cpu\n' >sacct.txt
	END
	is 1 sacct-hist --check 7
	same 2 "$(wc -l <args.sacct)"
	printf 'JobID|State|JobName|Partition\n7|COMPLETED|allocation|\n' >lag.txt
	is 3 sacct-hist --check -f lag.txt
	has "$stderr" '1 record is not settled yet'
	is 0 sacct-hist -f lag.txt
	same $'COMPLETED\t1\t-' "$output"
	printf 'JobID|State|JobName|Partition\n7|COMPLETED|allocation|cpu\n' >named.txt
	is 0 sacct-hist --check -f named.txt
}

@test "sacct frozen, failing or absent: 3, and one line that says so; squeue failing only warns" {
	fakes
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7|7|RUNNING|2026-01-01T00:00:00|bob|a|cpu\n' >sacct.txt
	echo 'echo slurm_load_jobs error: Socket timed out >&2' >squeue.sh
	is 0 sacct-hist 7
	same $'RUNNING\t1\t-' "$output"
	same 'sacct-hist: squeue: slurm_load_jobs error: Socket timed out: what has not ended is as sacct has it' "$stderr"
	echo 'sleep 30 3>&-' >sacct.sh
	SECONDS=0
	is 3 sacct-hist -t 1s 7
	[ "$SECONDS" -le 4 ]
	refused
	has "$stderr" 'sacct-hist: sacct did not answer in time'
	has "$stderr" 'sacctmgr show cluster'
	echo 'echo sacct: error: Connection refused >&2; exit 1' >sacct.sh
	is 3 sacct-hist -a bad 7
	same 'none' "$output"
	same 'sacct-hist: sacct: error: Connection refused' "$stderr"
	is 2 sacct-hist -t 30 7
}

@test "without the queue's word --check is no yes and -a does not say that there are none: 3; what is known to be bad stays 1" {
	local row='JobID|JobIDRaw|State|Submit|User|JobName|Partition\n7_1|8|COMPLETED|2026-01-01T00:00:00|bob|a|cpu\n' way
	fakes
	for way in 'echo slurm_load_jobs error: Unable to contact slurm controller >&2; exit 1' 'echo Welcome' 'kill -9 $$' \
		'echo "JOBID|STATE" | tr "|" "\037"; echo 7_1 | tr "|" "\037"; exit 0'; do
		echo "$way" >squeue.sh
		# shellcheck disable=SC2059 # escapes
		printf "$row" >sacct.txt
		is 3 sacct-hist -q --check -t 5s 7
		has "$stderr" 'sacct-hist: squeue'
		is 3 sacct-hist -q --check -t 2s -n 1 7
		is 3 sacct-hist -q -a bad -t 2s 7
		same none "$output"
		is 0 sacct-hist -q -t 2s 7
		same $'COMPLETED\t1\t1' "$output"
		# shellcheck disable=SC2059 # escapes
		printf "${row}7_2|9|FAILED|2026-01-01T00:00:00|bob|a|cpu\n" >sacct.txt
		is 1 sacct-hist -q --check -t 2s 7
		is 0 sacct-hist -q -a bad -t 2s 7
		same 2 "$output"
	done
	echo 'exec sleep 30' >squeue.sh
	is 1 sacct-hist -q --check -t 1s 7
	# shellcheck disable=SC2059 # escapes
	printf "$row" >sacct.txt
	is 3 sacct-hist -q --check -t 1s 7
	rm fake/squeue
	ln -s "$(command -v tr)" fake
	is 3 env PATH="$PWD/fake:$BIN" sacct-hist --check 7
	has "$stderr" 'all are COMPLETED for sacct, but squeue did not answer'
	is 3 env PATH="$PWD/fake:$BIN" sacct-hist -q --check -S 7d
	# a time that is over, and all in it is: nothing is asked of the queue
	is 0 env PATH="$PWD/fake:$BIN" sacct-hist -q --check -S 7d -E 1d
}

@test "a time up to now: what the queue has counts, where accounting lists none of it (held, not yet begun)" {
	fakes
	printf 'JobID|JobIDRaw|State|Submit|User|JobName|Partition\n' >sacct.txt
	printf '%s\n' 'JOBID|STATE|SUBMIT_TIME|USER|NAME|PARTITION' '8|PENDING|2026-01-02T00:00:00|bob|a|cpu' '9|COMPLETED|2026-01-02T00:00:00|bob|a|cpu' >queue.txt
	is 0 sacct-hist -q -S 7d
	same $'PENDING\t1\t-' "$output"
	echo '7|7|COMPLETED|2026-01-01T00:00:00|bob|a|cpu' >>sacct.txt
	is 3 sacct-hist -q --check -S 7d
	is 0 sacct-hist -q -a open -S 7d
	same '8	-' "$output"
	is 3 sacct-hist -q --check --name a -S 7d
	# what was submitted after a time that is over is none of it
	echo '6|6|RUNNING|2026-01-01T00:00:00|bob|a|cpu' >>sacct.txt
	echo '6|RUNNING|2026-01-01T00:00:00|bob|a|cpu' >>queue.txt
	is 0 sacct-hist -q -S 7d -E 1d
	same $'COMPLETED\t1\t-\nRUNNING\t1\t-' "$output"
}

@test "what a sacct of ours prints beside its table, or cut, is no answer: 3, which a retry may mend; of a file it is 2" {
	local top='JobID|JobIDRaw|State|Submit|User|JobName|Partition\n' row='7|7|COMPLETED|2026-01-01T00:00:00|bob|a|cpu\n' text
	fakes
	for text in "${top}${row}sacct: error: slurmdbd went away\n" "Welcome to alpha\n$top$row" "$top${row}8|8|COMPL" "$top${row/COMPLETED/DONE}" \
		"$top$row${row/7|7/7_[x]|7}"; do
		# shellcheck disable=SC2059 # escapes
		printf "$text" >sacct.txt
		is 3 sacct-hist --check 7
		refused
		has "$stderr" 'sacct-hist: sacct: line '
		is 2 sacct-hist --check -f sacct.txt 7
		refused
	done
	cp sacct.txt queue.txt
	# shellcheck disable=SC2059 # escapes
	printf "$top$row" >sacct.txt
	printf 'JOBID|STATE\n7|COMPL' >queue.txt
	is 0 sacct-hist 7
	same "sacct-hist: squeue: line 2: unknown state 'COMPL': what has not ended is as sacct has it" "$stderr"
}

@test "options that do not go together, and bad ones" {
	local words
	while IFS= read -r words; do
		# shellcheck disable=SC2086
		is 2 sacct-hist $words </dev/null
		same 1 "${#stderr_lines[@]}" "$words: $stderr"
	done <<-'END'
		-l --check -f x
		-g user -l -f x
		-n 3 -f x
		--check -n x -f x
		-D --check -f x
		-D --merge -f x
		--cells x -f x
		-S 7d -f x
		-S 7 7
		-E x/y 7
		-u -x 7
		4711.batch
		47x
		7_[3-1]
		7;
	END
	is 2 script -qec "sacct-hist" /dev/null
	has "$output" 'stdin is a terminal'
}

@test "many tasks need little memory" {
	! grep -q __asan "$BIN/sacct-hist" || skip 'a sanitizer needs more'
	{ echo 'JobID|State'; awk 'BEGIN { for (i = 0; i < 60000; i++) print 1000 + i "_" i % 1000 "|COMPLETED"; print "7_[0-99999]|FAILED" }'; } >text
	(ulimit -v 30000; sacct-hist -f text >out)
	same $'COMPLETED\t60000\t-\nFAILED\t100000\t-' "$(cat out)"
}

@test "a state with NUL bytes behind it is no state" {
	hist 2 'JobID|State\n7|COMPLETED\0\0\0\0\n'
	refused
	hist 2 'JobID|State\n7|\0\0\n'
	refused
}
