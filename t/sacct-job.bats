#!/usr/bin/env bats
# sacct-job - one job against its own limits
load helper

DATA=$ROOT/t/data

# text HEADER ROW...: the file text
text() { printf '%s\n' "$@" >text; }

COLUMNS_ALL='JobID|State|ElapsedRaw|TimelimitRaw|AllocCPUS|NNodes|TotalCPU|SystemCPU|ReqMem|MaxRSS|NTasks|AllocTRES|TRESUsageInTot|ExitCode|User|Submit'
job() { # ID STATE ELAPSED MINUTES CPUS CPU MEMORY PEAK [EXIT]: a job and its batch step
	printf '%s\n' "$1|$2|$3|$4|$5|1|$6||$7|||||${9-0:0}|u|2026-11-29T14:16:15" "$1.batch|$2|$3||$5|1|$6|||$8|1|||${9-0:0}||2026-11-29T14:16:15"
}
jobs() { { echo "$COLUMNS_ALL"; cat; } >text; }

# record ID WHAT: its used, limit, share and note
record() { grep "^$1	$2	" <<<"$output" | cut -f3-; }

# codes: the codes of the findings, in one line
codes() { cut -f2 <<<"$output" | paste -sd' '; }

# --- the records ---

# bats test_tags=smoke
@test "one record per limit: id, what, used, limit, share, note" {
	job 4711 COMPLETED 5400 120 4 05:00:00 8G 6G | jobs
	is 0 sacct-job -H -f text
	same $'id\twhat\tused\tlimit\tshare\tnote
4711\ttime\t01:30:00\t02:00:00\t0.750\tCOMPLETED
4711\tmemory\t6G\t8G\t0.750\tMaxRSS
4711\tcpu\t05:00:00\t06:00:00\t0.833\t3.3 of 4 CPUs busy' "$output"
	same '' "$stderr"
	is 0 sacct-job --json -f text
	same '{"id":"4711","what":"time","used":"01:30:00","limit":"02:00:00","share":"0.750","note":"COMPLETED"}' "${lines[0]}"
	same "$(sacct-job -f text)" "$(sacct-job <text)"
	same "$(sacct-job -f text)" "$(sacct-job -f - 4711 <text)"
}

# bats test_tags=smoke
@test "what is not recorded is -, never zero, and says so" {
	text 'JobID|State|ElapsedRaw|TimelimitRaw|TotalCPU|MaxRSS|AllocCPUS' '7|COMPLETED|600|Partition_Limit|00:00:00||2' '7.batch|COMPLETED|600||00:00:00|0|2'
	is 0 sacct-job -f text
	same $'7\ttime\t00:10:00\t-\t-\tCOMPLETED
7\tmemory\t-\t-\t-\tnot recorded: no step has a MaxRSS
7\tcpu\t-\t00:20:00\t-\tnot recorded: no step has CPU time' "$output"
	text 'JobID|State|ElapsedRaw|TimelimitRaw|TotalCPU|MaxRSS|AllocCPUS' '7|RUNNING|600|UNLIMITED|00:00:00||2' '7.batch|RUNNING|600||00:00:00||2'
	is 0 sacct-job -f text
	same $'7\ttime\t00:10:00\tUNLIMITED\t-\tRUNNING: so far
7\tmemory\t-\t-\t-\tnot recorded while it runs
7\tcpu\t-\t00:20:00\t-\tnot recorded while it runs' "$output"
	text 'JobID|State|ElapsedRaw|TimelimitRaw' '7|SUSPENDED|600|60'
	is 0 sacct-job -q -f text
	same $'00:10:00\t01:00:00\t0.167\tSUSPENDED: so far' "$(record 7 time)"
	text 'JobID|State|ElapsedRaw|TimelimitRaw|ReqMem' '7|PENDING|0|30|4G'
	is 0 sacct-job -q -f text
	same $'7\ttime\t-\t00:30:00\t-\tPENDING: not started
7\tmemory\t-\t4G\t-\tnot started
7\tcpu\t-\t-\t-\tnot started' "$output"
}

@test "a text without the columns, or without steps, is named on stderr" {
	text 'JobID|State' '7|COMPLETED'
	is 0 sacct-job -f text
	same $'sacct-job: text: no column ElapsedRaw or Elapsed: how long it ran is unknown
sacct-job: text: no column TotalCPU or TRESUsageInTot: CPU time is unknown
sacct-job: text: no column MaxRSS: memory is unknown' "$stderr"
	text 'JobID|State|ElapsedRaw|TotalCPU|MaxRSS' '7|COMPLETED|9|00:00:01|'
	is 0 sacct-job -f text
	same 'sacct-job: no job has steps (sacct -X?): memory is known from steps alone' "$stderr"
	is 0 sacct-job -q -f text
	same '' "$stderr"
	text 'JobID|State|ElapsedRaw|TotalCPU|MaxRSS' '7|COMPLETED|9|00:00:01|' '7.batch|COMPLETED|9|00:00:01|1M' '9.batch|COMPLETED|9|00:00:01|1M'
	is 0 sacct-job -f text
	same 'sacct-job: 1 step stands not behind the row of the job: not counted' "$stderr"
}

@test "memory is untrusted where the peak exceeds the limit of a run that was not killed" {
	job 7 COMPLETED 600 30 1 00:09:00 4G 9G | jobs
	is 0 sacct-job -f text
	same $'9G\t4G\t2.250\tuntrusted: above its limit and not killed; MaxRSS' "$(record 7 memory)"
	job 7 OUT_OF_MEMORY 600 30 1 00:09:00 4G 9G 0:125 | jobs
	is 0 sacct-job -f text
	same $'9G\t4G\t2.250\tkilled for memory: a floor; MaxRSS' "$(record 7 memory)"
}

@test "the definition of the peak is said: one task, the sum, at most, or at least one of several" {
	text "$COLUMNS_ALL" '7|COMPLETED|53|1|8|1|06:57.815||16000M|||||0:0|u|' '7.0|COMPLETED|53||8|1|06:57.779|||1947276K|8||mem=15216M|||'
	is 0 sacct-job -f text
	same $'14.86G\t15.62G\t0.951\tsum of its 8 tasks' "$(record 7 memory)"
	sed -i 's/mem=15216M//' text
	is 0 sacct-job -f text
	same $'1.86G\t15.62G\t0.119\tat least: one of 8 tasks; what they use together is not recorded' "$(record 7 memory)"
	sed -i 's/1947276K|8/1947276K|/' text
	is 0 sacct-job -f text
	same 'at least: one task; how many shared the node is not recorded' "$(record 7 memory | cut -f4)"
	text "$COLUMNS_ALL" '7|COMPLETED|53|1|8|2|06:57.815||32G|||||0:0|u|' '7.0|COMPLETED|53||8|2|06:57.779|||2G|8||mem=15G|||'
	is 0 sacct-job -f text
	same $'8G\t16G\t0.500\tat most: 8 tasks on 2 nodes; of one node of 2' "$(record 7 memory)"
}

# bats test_tags=smoke
@test "steps are joined: the largest of all for memory, the sum without .extern for CPU" {
	text "$COLUMNS_ALL" '7|COMPLETED|600|30|2|1|00:00:00||64G|||||0:0|u|' '7.batch|COMPLETED|600||2|1|00:00:10|||6044K|1|||||' \
		'7.extern|COMPLETED|600||2|1|01:00:00|||1330K|1|||||' '7.0|COMPLETED|300||2|1|00:05:00|||32G|1|||||' '7.1|COMPLETED|300||2|1|00:04:50|||31G|1|||||'
	is 0 sacct-job -f text
	same $'32G\t64G\t0.500\tMaxRSS' "$(record 7 memory)"
	same $'00:10:00\t00:20:00\t0.500\t1.0 of 2 CPUs busy' "$(record 7 cpu)"
}

@test "GPUs have a record where there are some, used where gres/gpuutil is recorded" {
	text "$COLUMNS_ALL" '7|COMPLETED|600|30|2|1|00:09:00|||||cpu=2,gres/gpu=2||0:0|u|' '7.0|COMPLETED|600||2|1|00:09:00||||2||gres/gpuutil=70|||'
	is 0 sacct-job -q -f text
	same $'0.70\t2\t0.350\tgres/gpuutil over its time' "$(record 7 gpu)"
	sed -i 's/gres.gpuutil=70//' text
	is 0 sacct-job -q -f text
	same $'-\t2\t-\thow busy its GPUs were is not recorded' "$(record 7 gpu)"
	sed -i 's/,gres.gpu=2//' text
	is 0 sacct-job -q -f text
	same '' "$(record 7 gpu)"
}

@test "disk and the kernel's share have a record only where they say something" {
	text 'JobID|State|ElapsedRaw|TotalCPU|SystemCPU|TRESUsageInTot|TRESUsageOutTot' '7|COMPLETED|100|||||' \
		'7.batch|COMPLETED|100|00:02:00|00:00:40|fs/disk=12G|fs/disk=3G'
	sed -i 's/|||||$/||||/' text
	is 0 sacct-job -q -f text
	same $'15G\t-\t-\tread 12G, written 3G: 153.6M a second' "$(record 7 disk)"
	same $'00:00:40\t00:02:00\t0.333\tSystemCPU of its CPU time' "$(record 7 kernel)"
	sed -i 's/12G/6G/; s/00:00:40/00:00:30/' text
	is 0 sacct-job -q -f text
	same 'time memory cpu' "$(cut -f2 <<<"$output" | paste -sd' ')"
}

# --- arrays ---

array() {
	local k
	for k in 0 1 2 3 4 5; do job "7_$k" COMPLETED $((600 + 10 * k)) 120 2 00:18:00 32G "$((k + 1))G"; done
	job 7_6 COMPLETED 3600 120 2 00:06:00 32G 2G
}

@test "an array is its slowest task over the median, its largest, and the sums" {
	array | jobs
	is 0 sacct-job -f text
	same $'7\ttime\t01:00:00\t02:00:00\t0.500\tslowest of 7 tasks: 7_6; 5.71 x the median 00:10:30
7\tmemory\t6G\t32G\t0.188\tlargest of 7 tasks: 7_5; MaxRSS
7\tcpu\t01:54:00\t04:05:00\t0.465\tsum of 7 tasks; lowest 0.050: 7_6' "$output"
	is 0 sacct-job -l -f text
	same 21 "${#lines[@]}"
	same $'00:10:20\t02:00:00\t0.086\tCOMPLETED' "$(record 7_2 time)"
	is 0 sacct-job -f text 7_6
	same $'01:00:00\t02:00:00\t0.500\tCOMPLETED' "$(record 7_6 time)"
}

@test "in an array, untrusted tasks are no largest one, and tasks that failed at once are no median" {
	{ job 7_0 FAILED 1 60 1 00:00.100 4G 1M 1:0; job 7_1 FAILED 1 60 1 00:00.100 4G 1M 1:0; job 7_2 COMPLETED 600 60 1 00:09:00 4G 1G
		job 7_3 TIMEOUT 3601 60 1 00:59:00 4G 5G; } | jobs
	is 0 sacct-job -f text
	same 'slowest of 4 tasks: 7_3; 1.71 x the median 00:35:00' "$(record 7 time | cut -f4)"
	same $'1G\t4G\t0.250\tlargest of 4 tasks: 7_2; MaxRSS; 1 untrusted: above the limit and not killed' "$(record 7 memory)"
}

@test "tasks that have not started are no missing ids, and are counted" {
	is 0 sacct-job -q -f "$DATA/pending.txt" 50
	is 0 sacct-job -f "$DATA/pending.txt" 50
	has "$stderr" '18 tasks have not started: not counted'
}

# --- attempts and ids ---

@test "the newest attempt is shown, wherever it stands; what earlier ones took is a finding" {
	{ job 7 COMPLETED 600 60 1 00:09:00 4G 1G; job 7 PREEMPTED 1800 60 1 00:29:00 4G 3G | sed s/14:16:15/12:00:00/; } | jobs
	is 0 sacct-job -f text
	same $'00:10:00\t01:00:00\t0.167\tCOMPLETED' "$(record 7 time)"
	same $'1G\t4G\t0.250\tMaxRSS' "$(record 7 memory)"
	is 0 sacct-job -F -f text
	has "$output" $'7\trequeued\twarning\t1 earlier attempt took 00:30:00 more'
	text 'JobID|State|ElapsedRaw|End|Submit' '7|REQUEUED|999999|Unknown|2026-11-29T10:00:00' '7|REQUEUED|60|2026-11-29T11:00:00|2026-11-29T10:30:00' \
		'7|RUNNING|5|Unknown|2026-11-29T12:00:00'
	is 0 sacct-job -q -F -f text
	has "$output" '2 earlier attempts took 00:01:00 more at least'
	is 0 sacct-job -q -f "$DATA/requeue-D.txt"
	same COMPLETED "$(record 34 time | cut -f4)"
}

@test "an id that another user had before was used again: the older one is left out" {
	{ job 7 COMPLETED 600 60 1 00:09:00 4G 1G; job 7 FAILED 1800 60 1 00:29:00 4G 3G | sed 's/2026-/2017-/; s/|u|/|v|/'; } | jobs
	is 0 sacct-job -f text
	same $'00:10:00\t01:00:00\t0.167\tCOMPLETED' "$(record 7 time)"
	same 'sacct-job: 1 older record is of another user: the id was used again; left out' "$stderr"
	is 0 sacct-job -F -f text
	hasnt "$output" requeued
}

@test "clusters are told apart, and named where there are several" {
	text 'JobID|State|ElapsedRaw|TotalCPU|MaxRSS|Cluster' '7|COMPLETED|9|||b' '7|FAILED|8|||a'
	is 0 sacct-job -q -f text
	same $'a/7\ttime\t00:00:08' "$(head -n 1 <<<"$output" | cut -f1-3)"
	same $'00:00:09\t-\t-\tCOMPLETED' "$(record b/7 time)"
	is 0 sacct-job -q -f text '7;b'
	same 3 "${#lines[@]}"
	text 'JobID|State|ElapsedRaw|Cluster' '7_0|COMPLETED|9|b' '7_1|COMPLETED|9|b' '7_0|FAILED|8|a' '7_1|FAILED|7|a'
	is 0 sacct-job -q -f text
	has "$(record a/7 time)" 'slowest of 2 tasks: a/7_0'
	has "$(record b/7 time)" 'slowest of 2 tasks: b/7_0'
}

@test "a record that is not settled yet is said, also with -q" {
	text 'JobID|State|JobName|Partition|ElapsedRaw' '7|COMPLETED|allocation||9' '8|COMPLETED|allocation|cpu|9'
	is 0 sacct-job -q -f text
	same 'sacct-job: 1 record is not settled yet (no partition, named allocation): accounting lags up to 15 s' "$stderr"
}

@test "an id without a record is named, the rest printed, 3; no record at all, nothing, and an empty text are 3" {
	job 7 COMPLETED 600 60 1 00:09:00 4G 1G | jobs
	is 3 sacct-job -f text 7 8 9_3
	same 3 "${#lines[@]}"
	same 'sacct-job: no record of 2 of 3: 8 9_3' "$stderr"
	is 3 sacct-job -q -f text 8
	same '' "$output"
	has "$stderr" 'no records in the text'
	is 3 sacct-job -f /dev/null
	refused
	is 2 sacct-job -f nowhere
	refused
}

@test "what is called wrong is 2, with one line" {
	local args
	while read -r args; do
		# shellcheck disable=SC2086 # words
		is 2 sacct-job $args </dev/null
		refused
	done <<-'END'
		-S 2026/11/29 7
		-E 29.11.2026 7
		-t 30 7
		-u -x 7
		7.batch
		-f x -S 7d
		4711_[1,4
	END
	is 2 sacct-job ''
	has "$stderr" 'an empty id'
	printf '%s\n' 'JobID|State' '7|COMPLETED' '8|WRONG' >text
	is 2 sacct-job -f text
	same '' "$output"
	has "$stderr" "text: line 3: unknown state 'WRONG'"
	is 2 script -qec "sacct-job" /dev/null
}

# --- findings ---

# found ROW-FUNCTION ARG...: the codes of this one job
found() {
	job 7 "$@" | jobs
	is 0 sacct-job -q -F -f text
}

@test "findings: id, code, severity, evidence, advice" {
	found TIMEOUT 1800 30 4 00:02.300 8G 512M
	same $'7\ttimeout-hang\tcritical\tran 00:30:00 and used 2.3 s of CPU: it was blocked, not slow\ta longer limit buys a longer hang: find out what it waited for' "$output"
	is 0 sacct-job -F -H --json -f text
	has "$output" '{"id":"7","code":"timeout-hang","severity":"critical","evidence":"ran'
	found CANCELLED 60 30 1 00:59.000 8G 512M
	same $'7\tcancelled\tinfo\tCANCELLED after 00:01:00\t-' "$output"
}

@test "a time-out is a hang, real, or neither can be told" {
	found TIMEOUT 1800 30 4 01:54:00 8G 7G
	same timeout-real "$(codes)"
	has "$output" 'ran 00:30:00 and used 01:54:00 of CPU (3.8 of 4 CPUs busy): it was computing when its limit cut it'
	found TIMEOUT 1800 30 4 00:00:00 8G 7G
	same timeout "$(codes)"
	found TIMEOUT 61 1 1 00:00.010 8G 7G
	same timeout "$(codes)"
}

@test "each finding holds from its threshold on, and not before" {
	local want args
	while IFS='|' read -r want args; do
		# shellcheck disable=SC2086 # words
		found $args
		same "$want" "$(codes)" "$args"
	done <<-'END'
		|COMPLETED 3400 60 2 01:40:00 8G 7G
		near-time|COMPLETED 3420 60 2 01:40:00 8G 7G
		|COMPLETED 1801 60 2 00:50:00 8G 7G
		slack-time|COMPLETED 1800 60 2 00:50:00 8G 7G
		|COMPLETED 3000 60 2 01:30:00 1000M 949M
		near-memory|COMPLETED 3000 60 2 01:30:00 1000M 950M
		untrusted-memory|COMPLETED 3000 60 2 01:30:00 1000M 1001M
		|COMPLETED 3000 60 2 01:30:00 100G 36G
		slack-memory|COMPLETED 3000 60 2 01:30:00 100G 35G
		|COMPLETED 3000 60 2 01:30:00 8G 1G
		|COMPLETED 3000 60 10 03:21:00 8G 7G
		cpu-low|COMPLETED 3000 60 10 03:19:00 8G 7G
		|COMPLETED 3000 60 1 00:05:00 8G 7G
		oom|OUT_OF_MEMORY 3000 60 1 00:05:00 8G 7G 0:125
		hang|FAILED 3000 60 1 00:05.000 8G 7G
		hang|COMPLETED 3000 60 1 00:05.000 8G 7G
		hang cancelled|CANCELLED 3000 60 1 00:05.000 8G 7G
		node-failed|NODE_FAIL 3000 60 1 00:05.000 8G 7G
		node-failed|BOOT_FAIL 3000 60 1 00:05.000 8G 7G
		preempted|PREEMPTED 3000 60 1 00:05.000 8G 7G
		deadline|DEADLINE 3000 60 1 00:05.000 8G 7G
		|REVOKED 3000 60 10 00:05:00 8G 7G
		not-found|FAILED 3 60 1 00:01.000 8G 7G 127:0
		cannot-run|FAILED 3 60 1 00:01.000 8G 7G 126:0
		signal|FAILED 3 60 1 00:01.000 8G 7G 0:11
		signal|FAILED 3 60 1 00:01.000 8G 7G 137:0
		exit|FAILED 3 60 1 00:01.000 8G 7G 3:0
	END
}

@test "the words of a kill: by its signal's name, by memory as a floor" {
	found FAILED 3 60 1 00:01.000 8G 7G 139:0
	has "$output" 'killed by signal 11, SIGSEGV (ExitCode 139:0)'
	found OUT_OF_MEMORY 600 60 1 00:05:00 8G 7G 0:125
	has "$output" 'killed for memory at a limit of 8G; the highest sample, 7G, is a floor: the peak fell between two samples'
	found OUT_OF_MEMORY 600 60 1 00:05:00 8G 9G 0:125
	has "$output" 'the highest sample, 9G, is above it'
	found OUT_OF_MEMORY 600 60 1 00:05:00 8G '' 0:125
	has "$output" 'no sample was taken'
	text 'JobID|State|ElapsedRaw|ExitCode|ReqMem|MaxRSS|TotalCPU' '7|FAILED|9|1:0|1G||' '7.batch|FAILED|9|1:0||1M|00:00:01' '7.0|OUT_OF_MEMORY|8|0:125||900M|00:00:01'
	is 0 sacct-job -q -F -f text
	same oom "$(codes)"
}

@test "a completed job with a step that was killed for memory has none to give away" {
	text 'JobID|State|ElapsedRaw|ReqMem|MaxRSS|NTasks|NNodes' '7|COMPLETED|900|64G|||1' '7.batch|COMPLETED|900||1G|1|1' '7.0|OUT_OF_MEMORY|800||2G|1|1'
	is 0 sacct-job -q -F -f text
	same oom "$(codes)"
	sed -i s/OUT_OF_MEMORY/FAILED/ text
	is 0 sacct-job -q -F -f text
	same slack-memory "$(codes)"
}

@test "the kernel, the disk and idle GPUs are found" {
	text "$COLUMNS_ALL" '7|COMPLETED|600|15|2|1|00:18:00|00:06:00||||cpu=2,gres/gpu=1||0:0|u|' \
		'7.0|COMPLETED|600||2|1|00:18:00|00:06:00|||1||fs/disk=90G,gres/gpuutil=4|||'
	is 0 sacct-job -q -F -f text
	same 'gpu-idle kernel disk' "$(codes)"
	has "$output" '1 GPU busy 4 % of the time'
	has "$output" '90G read and written, 153.6M a second'
	sed -i 's/gpuutil=4/gpuutil=39/; s/90G/50G/; s/00:06:00/00:05:00/' text
	is 0 sacct-job -q -F -f text
	same gpu-low "$(codes)"
	sed -i 's/,gres.gpuutil=39//; s/00:18:00/00:00:20/' text
	is 0 sacct-job -q -F -f text
	same 'cpu-low gpu-suspect' "$(codes)"
	# it computed nothing, but it moved data
	text "$COLUMNS_ALL" '7|COMPLETED|600|15|2|1|00:00:05|||||||0:0|u|' '7.0|COMPLETED|600||2|1|00:00:05||||1||fs/disk=90G|||'
	is 0 sacct-job -q -F -f text
	same disk "$(codes)"
}

@test "an array's findings count tasks and name the first; its slack is that of the slowest and the largest" {
	array | jobs
	is 0 sacct-job -F -f text
	same 'cpu-low slack-time slack-memory tail' "$(codes)"
	has "$output" $'7\tcpu-low\twarning\t1 of 7 tasks, 7_6 first: 0.1 of its 2 CPUs were busy'
	has "$output" $'7\tslack-time\tinfo\tits slowest task, 7_6, completed after 50 % of its time'
	has "$output" $'7\tslack-memory\tinfo\tits largest task, 7_5, completed with 26G of its memory never used'
	has "$output" $'7\ttail\tinfo\t7_6 took 5.7 x the median 00:10:30 of 7 tasks'
	array | grep -v '^7_[0-2]' | jobs
	is 0 sacct-job -F -f text
	hasnt "$output" tail
	# the median of an even number is in the middle of two: 300.5 s, of which 600 s are not twice as much
	for i in 1 1 1 600 600 600; do echo "8_$((n++))|COMPLETED|$i|"; done | { echo 'JobID|State|ElapsedRaw|'; cat; } >text
	is 0 sacct-job -F -f text
	hasnt "$output" tail
	{ array; job 7_7 OUT_OF_MEMORY 600 120 2 00:18:00 32G 3G 0:125; } | jobs
	is 0 sacct-job -F -f text
	hasnt "$output" slack-memory
	has "$output" $'7\toom\tcritical\t1 of 8 tasks, 7_7 first: killed'
}

# --- a terminal ---

@test "on a terminal: bars against the ceiling, then the findings in words" {
	{ job 7 TIMEOUT 1800 30 4 00:02.300 8G 2G; job 8 COMPLETED 1200 30 2 00:36:00 1G 2G; } | jobs
	script -qec 'sacct-job -f text' /dev/null </dev/null | tr -d '\r' >picture
	same 'id  what    used      limit     share  0             used         limit  note
7   time    00:30:00  00:30:00  1.000  ##############################    TIMEOUT
7   memory  2G        8G        0.250  ########......................    MaxRSS
7   cpu     00:00:02  02:00:00  0.000  ..............................    0.0 of 4 CPUs busy
8   time    00:20:00  00:30:00  0.667  ####################..........    COMPLETED
8   memory  2G        1G        2.000  #############################>    untrusted: above its limit and not killed; MaxRSS
8   cpu     00:36:00  00:40:00  0.900  ###########################...    1.8 of 2 CPUs busy
7: timeout-hang: ran 00:30:00 and used 2.3 s of CPU: it was blocked, not slow
    a longer limit buys a longer hang: find out what it waited for
8: untrusted-memory: a peak of 2G over a limit of 1G, and it was not killed: pages that processes share were counted more than once, or the limit is not enforced
    take no request from this number: measure one task alone' "$(cat picture)"
}

@test "waiting tasks of a cluster are found by the cluster that the text names" {
	printf 'JobID|State|Cluster|ElapsedRaw\n7_1|COMPLETED|x|5\n7_[2-3]|PENDING|x|0\n' >text
	is 0 sacct-job -q -f text x/7_2 x/7_1
	is 3 sacct-job -q -f text y/7_2 x/7_1
}

@test "a hostile cluster reaches neither the terminal nor a record" {
	printf 'JobID|State|ElapsedRaw|Cluster\n7|CANCELLED|9|\e[31mx\n7|CANCELLED|9|y\n' >text
	script -qec 'sacct-job -f text' /dev/null </dev/null >picture
	same 0 "$(grep -c $'\e' picture || true)"
	is 0 sacct-job -q -f text
	hasnt "$output" $'\e'
	has "$output" '\x1B[31mx/7'
}

# --- Slurm ---

fake_sacct() {
	mkdir -p fake
	cat >fake/sacct <<-'END'
		#!/bin/bash
		if [ "$1" = -e ]; then echo JobID JobIDRaw State ElapsedRaw TimelimitRaw AllocCPUS TotalCPU ReqMem MaxRSS NTasks; exit; fi
		printf '%s\n' "$@" >args
		printf '%s\n' 'JobID|State|ElapsedRaw|TimelimitRaw|AllocCPUS|TotalCPU|ReqMem|MaxRSS|NTasks' '7|COMPLETED|600|30|1||4G||' '7.batch|COMPLETED|600||1|00:09:00||1G|1' |
			tr '|' '\037'
	END
	chmod +x fake/sacct
	PATH=$PWD/fake:$PATH
}

@test "sacct is asked for the ids with steps and all attempts, and for the columns it knows" {
	fake_sacct
	is 0 sacct-job 7
	same $'7\ttime\t00:10:00\t00:30:00\t0.333\tCOMPLETED' "${lines[0]}"
	same $'-P\n--delimiter=\x1f\n-D\n-o\nJobID,JobIDRaw,State,ElapsedRaw,TimelimitRaw,AllocCPUS,TotalCPU,ReqMem,MaxRSS,NTasks\n-j\n7' "$(cat args)"
	is 3 sacct-job 7 8
	same 'sacct-job: no record of 1 of 2: 8' "$stderr"
	is 0 sacct-job -u me
	same 'sacct-job: the last 30 days (-S says otherwise)' "$stderr"
	has "$(cat args)" now-30days
}

@test "--fields names what sacct is asked for; a text with these columns is read alike" {
	is 0 sacct-job --fields
	same 1 "${#lines[@]}"
	has "$output," MaxRSS,
	has "$output," TRESUsageInTot,
	has "$output" ,JobName,
}

@test "sacct that fails is 3, and its words are passed on" {
	mkdir fake
	printf '%s\n' '#!/bin/sh' '[ "$1" != -e ] || { echo JobID State; exit; }' 'echo "sacct: error: no database" >&2; exit 1' >fake/sacct
	chmod +x fake/sacct
	PATH=$PWD/fake:$PATH is 3 sacct-job 7
	same 'sacct-job: sacct: error: no database' "$stderr"
}

# --- real text ---

@test "real text of Slurm: each run gets its time, memory and CPU, and nothing that was not recorded is a number" {
	is 0 sacct-job -q -f "$DATA/use-2505.txt"
	same $'11.84M\t8G\t0.001\tMaxRSS' "$(record 2 memory)"
	same $'00:01:32\t-\t-\tCOMPLETED' "$(record 2 time)"
	same $'-\t1G\t-\tnot recorded: no step has a MaxRSS' "$(record 24 memory)"
	same 'RUNNING: so far' "$(record 8 time | cut -f4)"
	is 0 sacct-job -q -F -f "$DATA/use-2505.txt"
	has "$output" $'5\tuntrusted-memory'
}

# published FILE: of the text each record that sacct-job makes, without its note
published() {
	is 0 sacct-job -q -f "$ROOT/t/data/$1"
	cut -f1-5 <<<"$output" | tr '\t' ' '
}

@test "text from before 18.08: ReqMem by node and by CPU, a trailing delimiter, AllocGRES and no TRESUsage" {
	same '1671879_1 time 00:00:00 - -
1671879_1 memory - 15.62G -
1671879_1 cpu - - -
1671915_1 time 00:00:20 - -
1671915_1 memory 900K 15.62G 0.000
1671915_1 cpu - 00:00:20 -
1671986 time 00:00:00 - -
1671986 memory - 15.62G -
1671986 cpu - - -
1672169 time 00:01:02 - -
1672169 memory 1.72M 6.84G 0.000
1672169 cpu - - -' "$(published long-17.txt)"
	is 0 sacct-hist -q -f "$ROOT/t/data/long-17.txt"
	same $'COMPLETED\t2\t-\nCANCELLED\t2\t-\nFAILED\t1\t-' "$output"
	is 0 sacct-hist -q -a bad -f "$ROOT/t/data/long-17.txt"
	same $'1671879\t1\n1671915\t1\n1671986\t-' "$output"
	is 1 sacct-hist -q --check -f "$ROOT/t/data/long-17.txt"
	is 0 sacct-hist -q --check -f "$ROOT/t/data/long-17.txt" '1672169_[1,10]'
	is 0 sacct-size -q -f "$ROOT/t/data/long-17.txt" sub
	same $'--mem-per-cpu\t7000M' "$(cut -f2,3 <<<"${lines[1]}")"
	is 2 whichnode -q -f "$ROOT/t/data/long-17.txt"
	refused
	has "$stderr" 'no column NodeList'
}

@test "text of 20.11, all columns: a pending job without a limit of its own has no number" {
	same $'4 time - - -\n4 memory - - -\n4 cpu - - -' "$(published all-2011.txt)"
	is 0 sacct-hist -q -f "$ROOT/t/data/all-2011.txt"
	same $'PENDING\t1\t-' "$output"
	is 3 sacct-hist -q --check -f "$ROOT/t/data/all-2011.txt"
	is 3 sacct-work -q -f "$ROOT/t/data/all-2011.txt"
	is 3 sacct-size -q -f "$ROOT/t/data/all-2011.txt"
	is 3 whichnode -q -f "$ROOT/t/data/all-2011.txt"
}

@test "text of 21.08 to 23.02: a delimiter of three bytes, TRESUsage, times of months, gres/gpuutil" {
	same '4047445 time 00:00:00 00:30:00 0.000
4047445 memory - 31.25G -
4047445 cpu - - -
5908801_3 time 1-04:37:26 2-00:00:00 0.596
5908801_3 memory - 122.07G -
5908801_3 cpu - 9-12:59:28 -
6708912 time 3-00:00:25 3-00:00:00 1.000
6708912 memory 9.66G 100G 0.097
6708912 cpu 762-08:12:50 768-01:46:40 0.993
6708912 disk 48.91G - -
7946767 time 11:23:23 1-00:00:00 0.475
7946767 memory 2.95G 8G 0.369
7946767 cpu 21:50:44 3-19:07:04 0.240
7946767 gpu 0.54 1 0.540
7946767 disk 178.51G - -
7951810 time - 3-00:00:00 -
7951810 memory - 16G -
7951810 cpu - - -' "$(published use-2108.txt)"
	is 0 sacct-hist -q -f "$ROOT/t/data/use-2108.txt"
	same $'COMPLETED\t2\t-\nTIMEOUT\t1\t-\nCANCELLED\t1\t-\nPENDING\t1\t-' "$output"
	is 0 sacct-work -q -f "$ROOT/t/data/use-2108.txt"
	same $'u5/cpu/j#\t18433.8\t0.0\nu3/gpu/j#\t91.1\t11.4\nu2/cpu/j#\t229.0\t0.0' "$(cut -f1,9,10 <<<"$output")"
	is 0 whichnode -q -n 1 -f "$ROOT/t/data/use-2108.txt"
	same $'omni11\t1\t1\nomni12\t1\t1\nv100gpu10\t1\t0\nv100gpu13\t1\t0' "$(cut -f1-3 <<<"$output")"
}

@test "text of 24.11 and of 26.05: the same jobs, the same answers" {
	local version text
	for version in 2411 2605; do
		text=$ROOT/t/data/live-$version.txt
		is 0 sacct-hist -f "$text"
		same $'COMPLETED\t8\t-\nCANCELLED\t3\t-\nFAILED\t2\t-\nTIMEOUT\t1\t-' "$output" "$version"
		same 'sacct-hist: 1 COMPLETED job has a step that did not complete: 16.0' "$stderr" "$version"
		is 1 sacct-hist -q --check -f "$text" 3
		is 0 sacct-hist -q --check -f "$text" 1 5 3_0
		is 0 sacct-hist -q -a bad -f "$text" 3
		same 2 "$output" "$version"
		is 0 sacct-job -q -f "$text" 1 4 5 6
		same $'1 time COMPLETED\n1 memory MaxRSS\n1 cpu 0.1 of 1 CPU busy\n4 time TIMEOUT\n4 memory MaxRSS\n4 cpu 0.0 of 1 CPU busy' \
			"$(cut -f1,2,6 <<<"$output" | tr '\t' ' ' | grep '^[14]')" "$version"
		same '5 gpu - 2 - how busy its GPUs were is not recorded' "$(grep 'gpu' <<<"$output" | tr '\t' ' ')" "$version"
		same '6 memory - 100M - ran for less than a second, or never' "$(grep '^6.memory' <<<"$output" | tr '\t' ' ')" "$version"
		is 0 sacct-work -q -f "$text"
		same 'u1/cpu/arr 1 4 3 1 0 0 0
u1/cpu/cancel 1 1 0 0 0 0 1
u1/cpu/fail 1 1 0 1 0 0 0
u1/cpu/na|me $(x) é 1 1 1 0 0 0 0
u1/cpu/ok_# 1 1 1 0 0 0 0
u1/cpu/requeue 1 2 1 0 0 0 1
u1/cpu/tmo 1 1 0 0 1 0 0
u1/gpu/gpu 1 1 1 0 0 0 0
u1/gpu/wrap 1 1 1 0 0 0 0' "$(cut -f1-8 <<<"$output" | LC_ALL=C sort | tr '\t' ' ')" "$version"
		is 0 whichnode -q -f "$text"
		same $'n1\t11\t3' "$(cut -f1-3 <<<"$output")" "$version"
	done
	# the newest attempt of the one that was requeued, and a job of two components that never started
	is 0 sacct-job -q -f "$ROOT/t/data/live-2605.txt" 10 12 13
	same $'10 time COMPLETED\n12 time CANCELLED\n13 time CANCELLED' "$(grep time <<<"$output" | cut -f1,2,6 | tr '\t' ' ')"
}

@test "the default columns of a job of three components; a job whose step a signal ended" {
	local k
	is 0 sacct-hist -q -f "$ROOT/t/data/het-default.txt"
	same $'COMPLETED\t3\t-' "$output"
	is 0 sacct-hist -q --check -f "$ROOT/t/data/het-default.txt" 1853
	is 3 sacct-hist -q --check -f "$ROOT/t/data/het-default.txt" 1853+3
	same "$(for k in 0 1 2; do printf '1853+%s %s - - -\n' $k time $k memory $k cpu; done)" "$(published het-default.txt)"
	is 0 sacct-hist -f "$ROOT/t/data/signal-step.txt"
	same $'COMPLETED\t1\t-' "$output"
	has "$stderr" '1 COMPLETED job has a step that did not complete'
	same $'239023 time - - -\n239023 memory - - -\n239023 cpu - - -' "$(published signal-step.txt)"
}

@test "a file that is given as an id is told from one that is no id" {
	echo 'JobID|State' >text
	is 2 sacct-job text
	same "sacct-job: 'text': no job id (a file is read with -f)" "$stderr"
	is 2 sacct-job no-such
	same "sacct-job: 'no-such': no job id" "$stderr"
}

@test "an array without times did not stand still: they are not recorded" {
	printf 'JobID|State\n9_1|RUNNING\n9_2|RUNNING\n' >text
	is 0 sacct-job -q -f text
	has "$output" 'how long its 2 tasks ran is not recorded'
	printf 'JobID|State|ElapsedRaw\n9_1|CANCELLED|0\n9_2|CANCELLED|0\n' >text
	is 0 sacct-job -q -f text
	has "$output" 'its 2 tasks ran for less than a second, or never'
}
