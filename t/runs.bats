#!/usr/bin/env bats
# runs - lib/run: runs with their steps joined, each through t/acct/runs.c
load helper

setup_file() {
	# shellcheck disable=SC2086 # words
	${CC:-cc} -std=c99 -O1 -g -Wall -Wextra ${CHECK_CFLAGS-} -I"$ROOT/lib" -o "$BATS_FILE_TMPDIR/runs" \
		"$ROOT/t/acct/runs.c" "$ROOT"/lib/*.c -lm
	export RUNS=$BATS_FILE_TMPDIR/runs DATA=$ROOT/t/data
}

# joins COLUMNS ROW...: the runs of these rows; the first is in $output without what every run has
joins() {
	printf '%s\n' "$@" >text
	is 0 "$RUNS" <text
}

# run_says TEXT: the first run says this
run_says() { has " ${lines[0]} " " $1 "; }
run_hides() { hasnt " ${lines[0]}" " $1="; }

# --- joining ---

@test "steps are joined to the row of their job before them; others are counted, not joined" {
	joins 'JobID|State|TotalCPU' '5.0|COMPLETED|00:00:09' '7|COMPLETED|' '7.batch|COMPLETED|00:00:01' '7.0|COMPLETED|00:02.500' \
		'8.0|COMPLETED|00:00:01' '7_1|FAILED|' '7_1.batch|FAILED|01:00:00' '7.1|FAILED|09:00:00'
	same 3 "${#lines[@]}"
	has "${lines[0]}" '3:7 COMPLETED cpu=3500 '
	has "${lines[0]}" 'steps=2'
	has "${lines[1]}" '7:7_1 FAILED cpu=3600000 '
	same 'rows=8 lonely=3 has=010000' "${lines[2]}"
	joins 'JobID|State|TotalCPU' '7_1|COMPLETED|' '7_2.0|COMPLETED|00:00:09' '7.0|COMPLETED|00:00:09' '7+1.0|COMPLETED|00:00:09'
	run_hides cpu
	same 'rows=4 lonely=3 has=010000' "${lines[1]}"
	joins 'JobID|State|TotalCPU' '7|COMPLETED|' '7_0.0|COMPLETED|00:00:09'
	run_hides cpu
}

@test "a run that stands there twice is one: two outputs that overlap; attempts are told apart by their times" {
	local one='7|COMPLETED|2026-11-29T08:00:00|2026-11-29T08:00:10|2026-11-29T08:00:20' other='8|FAILED|2026-11-29T08:00:00|2026-11-29T08:00:10|2026-11-29T08:00:20'
	joins 'JobID|State|Submit|Start|End' "$one" '7.0|COMPLETED|||' "$other" "$one" '7.0|COMPLETED|||' 'JobID|State|Submit|Start|End' "$other" "$one"
	same 3 "${#lines[@]}"
	has "${lines[0]}" '7 COMPLETED '
	has "${lines[0]}" 'steps=1'
	has "${lines[1]}" '8 FAILED '
	has "${lines[2]}" 'rows=7 lonely=0 twice=3 '
	# another attempt, another state, another cluster, a task; one that never started may have been there often
	joins 'JobID|State|Submit|Start|End|Cluster' "$one|a" "$one|b" "${one/:10|/:11|}|a" "${one/COMPLETED/FAILED}|a" "${one/#7/7_7}|a" "${one/#7/7+7}|a" \
		"${one/:20/:21}|a" '9|CANCELLED|2026-11-29T08:00:00|None|2026-11-29T08:00:20|a' '9|CANCELLED|2026-11-29T08:00:00|None|2026-11-29T08:00:20|a'
	same 10 "${#lines[@]}"
	hasnt "${lines[9]}" twice
	# very many
	awk 'BEGIN { print "JobID|State|Submit|Start|End"; for (k = 0; k < 2; k++) for (i = 1; i <= 5000; i++)
		print i "|COMPLETED|1|" i "|" i + 1 }' >text
	is 0 "$RUNS" <text
	same 5001 "${#lines[@]}"
	has "${lines[5000]}" 'rows=10000 lonely=0 twice=5000 '
}

@test "a requeued job is as many runs as it had attempts, each with its own steps" {
	is 0 "$RUNS" <"$DATA/requeue-D.txt"
	has "${lines[1]}" '5:34 NODE_FAIL name=nodefailrq partition=cpubase_bycore_b1 nodes=nc4 exit=0 signal=0'
	has "${lines[1]}" 'steps=3'
	has "${lines[2]}" '9:34 COMPLETED'
	has "${lines[2]}" 'steps=2'
}

@test "names, user, partition, cluster and tasks outlive the rows of the steps" {
	local pad
	pad=$(head -c 400000 /dev/zero | tr '\0' x)
	joins 'JobID|User|Partition|Cluster|NodeList|JobName|State' '7_[1-3%2]|u|p|c|n[1-2]|a name|PENDING' "8|v|p|c|n1|b|FAILED" \
		"8.0|||c||n1|$pad|FAILED"
	has "${lines[0]}" 'name=a name user=u partition=p cluster=c nodes=n[1-2] tasks=1-3%2'
	has "${lines[1]}" 'name=b user=v partition=p cluster=c nodes=n1'
	joins 'CLUSTER: alpha' 'JOBID|STATE' '7|FAILED'
	run_says 'cluster=alpha'
}

@test "a broken table is refused as lib/acct refuses it; one without ids is no table of runs" {
	printf '%s\n' 'JobID|State' '7|FAILED' '7.0|LOST' >text
	is 2 "$RUNS" <text
	has "$stderr" "line 3: unknown state 'LOST'"
	printf '%s\n' 'State' 'FAILED' >text
	is 2 "$RUNS" <text
	has "$stderr" 'no column JobID'
	is 3 "$RUNS" </dev/null
}

@test "only the columns that were asked for are looked at" {
	same JobID,JobIDRaw,State,ExitCode,User,JobName,Partition,Cluster "$("$RUNS" fields 0)"
	same JobID,JobIDRaw,State,ExitCode,User,JobName,Partition,Cluster,NodeList "$("$RUNS" fields 32)"
	# what sacct knows no more would empty its output
	hasnt "$("$RUNS" fields 63)" AllocGRES
	printf '%s\n' 'JobID|State|ElapsedRaw|TotalCPU' '7|FAILED|9|00:00:01' >text
	is 0 "$RUNS" -n 2 <text
	hasnt "$output" elapsed
	has "$output" cpu=1000
}

# --- time ---

@test "limits are minutes in TimelimitRaw; no limit of its own is unknown, UNLIMITED is none" {
	joins 'JobID|State|TimelimitRaw|Timelimit|ElapsedRaw' '7|TIMEOUT|30||1805'
	run_says 'elapsed=1805 limit=1800'
	joins 'JobID|State|Timelimit|Elapsed' '7|TIMEOUT|1-02:00:00|1-02:00:09'
	run_says 'elapsed=93609 limit=93600'
	joins 'JobID|State|TimelimitRaw' '7|TIMEOUT|Partition_Limit'
	run_hides limit
	joins 'JobID|State|TimelimitRaw' '7|RUNNING|UNLIMITED'
	run_says limit=unlimited
}

@test "a time below 0, or of more than ten years, is none: not a run's, and no reason to refuse the text" {
	local raw
	for raw in -16 4294967280 99999999999999999999 INVALID; do
		joins 'JobID|State|ElapsedRaw' "7|COMPLETED|$raw"
		run_hides elapsed
		joins 'JobID|State|ElapsedRaw|Elapsed' "7|COMPLETED|$raw|00:05:00"
		run_says elapsed=300
	done
	for raw in INVALID -0:00:16 49710-06:28:00; do
		joins 'JobID|State|Elapsed' "7|COMPLETED|$raw"
		run_hides elapsed
	done
}

@test "an attempt whose end was never written has no elapsed time" {
	joins 'JobID|State|ElapsedRaw|End' '7|REQUEUED|99999999|Unknown'
	run_hides elapsed
	joins 'JobID|State|ElapsedRaw|End' '7|REQUEUED|60|2026-11-29T14:16:15'
	run_says elapsed=60
}

# --- CPU ---

@test "CPU time is the sum over all steps but .extern; the job's own row only where they have none" {
	joins 'JobID|State|TotalCPU|SystemCPU' '7|COMPLETED|09:00:00|01:00:00' '7.batch|COMPLETED|00:00:10|00:00:01' \
		'7.extern|COMPLETED|05:00:00|00:00:00' '7.0|COMPLETED|00:00:20|00:00:05'
	run_says 'cpu=30000 kernel=6000'
	joins 'JobID|State|TotalCPU|SystemCPU' '7|COMPLETED|09:00:00|01:00:00' '7.batch|COMPLETED|00:00:00|00:00:00'
	run_says 'cpu=32400000 kernel=3600000'
}

@test "zero CPU time in every row is not recorded, TRESUsageInTot may have it" {
	joins 'JobID|State|ElapsedRaw|TotalCPU' '7|COMPLETED|7200|00:00:00' '7.batch|COMPLETED|7200|00:00:00'
	run_hides cpu
	run_says hung=-1
	joins 'JobID|AllocCPUS|Elapsed|TotalCPU|SystemCPU|State|TRESUsageInTot' '7|4|02:00:00|00:00:00|00:00:00|COMPLETED|' \
		'7.batch|4|02:00:00|00:00:00|00:00:00|COMPLETED|cpu=07:40:00,mem=5G'
	run_says cpu=27600000
	run_hides kernel
	joins 'JobID|TotalCPU|SystemCPU|State|TRESUsageInTot' '7|||COMPLETED|' '7.batch|00:00:10|00:00:01|COMPLETED|' '7.0|00:00:00|00:00:00|COMPLETED|cpu=00:01:00'
	run_says cpu=70000
	run_hides kernel
	joins 'JobID|TotalCPU|State' '7||COMPLETED' '7.batch|00:75:00|COMPLETED' '7.0|00:00:75|COMPLETED' '7.1|75:00.000|COMPLETED'
	run_says cpu=4500000
}

@test "a running step says nothing yet: zero is unknown" {
	is 0 "$RUNS" <"$DATA/live-2205.txt"
	joins 'JobID|State|TotalCPU|MaxRSS|AllocCPUS|NTasks' '7|RUNNING|00:00.001||1|' '7.batch|RUNNING|00:00:00||1|1' '7.0|COMPLETED|00:00:05|1G|1|1'
	run_says partial
	run_hides cpu
	run_says 'peak=1073741824 known=one-task partial'
}

@test "hung: over five minutes with under ten seconds of CPU, but not where the node or memory ended it" {
	local state want
	while read -r state want; do
		joins 'JobID|State|ElapsedRaw|TotalCPU' "7|$state|1800|00:05.000"
		run_says "hung=$want"
	done <<-'END'
		TIMEOUT 1
		COMPLETED 1
		CANCELLED 1
		NODE_FAIL 0
		BOOT_FAIL 0
		PREEMPTED 0
		OUT_OF_MEMORY 0
		DEADLINE 0
		RUNNING 0
	END
	joins 'JobID|State|ElapsedRaw|TotalCPU' '7|TIMEOUT|300|00:05.000'
	run_says hung=0
	joins 'JobID|State|ElapsedRaw|TotalCPU' '7|TIMEOUT|301|00:10.000'
	run_says hung=0
	joins 'JobID|State|ElapsedRaw' '7|TIMEOUT|301'
	run_says hung=-1
}

# --- memory ---

@test "the limit of a node: ReqMem for a node, AllocTRES over its nodes, ReqMem for a CPU, the job's" {
	local req cpus nodes alloc want
	while read -r req cpus nodes alloc want; do
		joins 'JobID|State|ReqMem|AllocCPUS|NNodes|AllocTRES' "7|COMPLETED|$req|$cpus|$nodes|${alloc#-}"
		if [ "$want" = - ]; then run_hides memory; else run_says "memory=$((want << 20))"; fi
	done <<-'END'
		4000Mc 20 1 - 80000
		16000Mn 20 2 - 16000
		16000Mn 20 2 mem=32G,node=2 16000
		0n 5 1 - -
		0 5 1 mem=64G 65536
		8G 20 1 - 8192
		32G 16 2 - 16384
		5Gc 2 1 - 10240
		4Gc 8 2 - 16384
		? 4 1 - -
		512 1 1 - 512
		8G 4 2 cpu=4,mem=24G,node=2 12288
	END
}

@test "peak memory is the largest of all steps; .extern only where it can be true" {
	joins 'JobID|State|ReqMem|MaxRSS|NTasks|AllocCPUS' '7|COMPLETED|655G|||1' '7.batch|COMPLETED||6044K|1|1' '7.extern|COMPLETED||1330K|1|1' \
		'7.0|COMPLETED||39503310K|1|1' '7.1|COMPLETED||39538757K|1|1'
	run_says "peak=$((39538757 << 10)) known=one-task"
	joins 'JobID|State|ReqMem|MaxRSS|NTasks' '7|COMPLETED|1G||' '7.batch|COMPLETED||100M|1' '7.extern|COMPLETED||90G|1'
	run_says "peak=$((100 << 20))"
	run_hides untrusted
	joins 'JobID|State|ReqMem|MaxRSS|NTasks' '7|COMPLETED|1G||' '7.batch|COMPLETED||100M|1' '7.extern|COMPLETED||900M|1'
	run_says "peak=$((900 << 20))"
}

@test "a peak above the limit is untrusted, unless the run or a step was killed for memory" {
	joins 'JobID|State|ReqMem|MaxRSS|NTasks' '7|COMPLETED|1G||' '7.0|COMPLETED||2G|1'
	run_says untrusted
	joins 'JobID|State|ReqMem|MaxRSS|NTasks' '7|OUT_OF_MEMORY|1G||' '7.0|OUT_OF_MEMORY||2G|1'
	run_says 'known=one-task oom'
	joins 'JobID|State|ReqMem|MaxRSS|NTasks' '7|FAILED|1G||' '7.0|OUT_OF_MEMORY||2G|1'
	run_says 'known=one-task oom'
}

@test "MaxRSS is of one task: several on a node are summed where their sum is recorded, else the node's is unknown" {
	joins 'JobID|State|MaxRSS|NTasks|NNodes|TRESUsageInTot' '7|COMPLETED|||1|' '7.0|COMPLETED|2G|8|1|cpu=00:00:01,mem=15G'
	run_says "peak=$((15 << 30)) known=all-tasks"
	joins 'JobID|State|MaxRSS|NTasks|NNodes|TRESUsageInTot' '7|COMPLETED|||2|' '7.0|COMPLETED|2G|8|2|mem=15G'
	run_says "peak=$((8 << 30)) known=at-most"
	joins 'JobID|State|MaxRSS|NTasks|NNodes|TRESUsageInTot' '7|COMPLETED|||2|' '7.0|COMPLETED|2G|2|2|mem=3G'
	run_says "peak=$((2 << 30)) known=one-task"
	joins 'JobID|State|MaxRSS|NTasks|NNodes' '7|COMPLETED|||1' '7.0|COMPLETED|2G|8|1'
	run_says "peak=$((2 << 30)) known=shared"
	joins 'JobID|State|MaxRSS|NTasks|NNodes' '7|COMPLETED|||1' '7.0|COMPLETED|2G|8|1' '7.1|COMPLETED|20G|1|1'
	run_says "peak=$((20 << 30)) known=one-task"
}

@test "where the number of tasks is not recorded, a CPU is the most that can be told" {
	joins 'JobID|State|MaxRSS|AllocCPUS' '7|COMPLETED||1' '7.0|COMPLETED|2G|1'
	run_says "peak=$((2 << 30)) known=one-task"
	joins 'JobID|State|MaxRSS|AllocCPUS' '7|COMPLETED||4' '7.0|COMPLETED|2G|4'
	run_says "peak=$((2 << 30)) known=shared"
	joins 'JobID|State|MaxRSS|AllocCPUS' '7|COMPLETED||4' '7.batch|COMPLETED|2G|4'
	run_says "peak=$((2 << 30)) known=one-task"
}

# --- GPUs, disk, cost ---

@test "GPUs: the allocation's, without a type or summed over types, then what was asked, then AllocGRES" {
	local alloc req gres want
	while read -r alloc req gres want; do
		joins 'JobID|State|AllocTRES|ReqTRES|AllocGRES' "7|COMPLETED|${alloc#-}|${req#-}|${gres#-}"
		if [ "$want" = - ]; then run_hides gpus; else run_says "gpus=$want"; fi
	done <<-'END'
		cpu=10,mem=100G,gres/gpu=1,gres/gpu:a100=1 - - 1
		billing=8,gres/gpu:v100=2,gres/gpu=2,mem=32G - - 2
		cpu=1,gres/gpu:a100=2,gres/gpu:h100=1 - - 3
		cpu=1,mem=4G cpu=1,gres/gpu=4 - 4
		cpu=1,mem=4G - gpu:v100:2 2
		- - gpu:2 2
		cpu=1,mem=4G cpu=1 - 0
		- - - -
		N/A - - -
		(null) Unknown - -
		cpu=1,gres/gpumem=4G,gres/gpuutil=40 - - 0
	END
}

@test "GPU use is the tasks' percent over the time and the GPUs of the run" {
	joins 'JobID|State|ElapsedRaw|AllocTRES|NTasks|TRESUsageInTot|TRESUsageInMax|TRESUsageInAve' '7|COMPLETED|100|gres/gpu=2||||' \
		'7.0|COMPLETED|50|gres/gpu=2|2|gres/gpuutil=160|gres/gpuutil=90|gres/gpuutil=80'
	run_says 'gpus=2 gpu_used=40 gpu_peak=90'
	joins 'JobID|State|ElapsedRaw|AllocTRES|NTasks|TRESUsageInAve' '7|COMPLETED|100|gres/gpu=1||' '7.0|COMPLETED|100|gres/gpu=1|1|gres/gpuutil=0'
	run_says gpu_used=0
	joins 'JobID|State|ElapsedRaw|AllocTRES' '7|COMPLETED|100|gres/gpu=1'
	run_hides gpu_used
}

@test "bytes on disk are those of all steps but .extern" {
	joins 'JobID|State|TRESUsageInTot|TRESUsageOutTot|MaxDiskRead|MaxDiskWrite' '7|COMPLETED||||' \
		'7.batch|COMPLETED|fs/disk=1000,mem=1M|fs/disk=2000|9M|9M' '7.extern|COMPLETED|fs/disk=5000|fs/disk=5000||' '7.0|COMPLETED|||1K|2K'
	run_says 'read=2024 written=4048'
	joins 'JobID|State' '7|COMPLETED'
	run_hides read
}

@test "a run costs sixteen times its GPU hours and its core hours, or nothing can be told" {
	joins 'JobID|State|ElapsedRaw|AllocCPUS|AllocTRES' '7|COMPLETED|7200|4|cpu=4,gres/gpu=2'
	run_says cost=72.000
	joins 'JobID|State|ElapsedRaw|AllocCPUS|AllocTRES' '7|COMPLETED|7200|4|'
	run_hides cost
}

# --- words ---

@test "sizes, with what they are for; names with their digits folded" {
	same $'536870912j\n1610612736j\n1000j\n4194304000n\n2147483648c\n0n\n-1j\n-1j\n-1j' "$("$RUNS" size 512M 1.5G 1000 4000Mn 2Gc 0n '?' 1.2.3M M)"
	same $'a#b#_#\n#\nx' "$("$RUNS" fold a12b3_4 99 x)"
	same '8G' "$("$RUNS" tres cpu=4,mem=8G,gres/gpu=2 mem)"
	same '!' "$("$RUNS" tres cpu=4,vmem=8G mem)"
	same '!' "$("$RUNS" tres '' mem)"
}
