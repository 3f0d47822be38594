#!/usr/bin/env bats
# sacct-size - a verdict per flag out of what past runs used, or a refusal
load helper

top() {
	echo 'JobID|State|User|Partition|Submit|ElapsedRaw|Timelimit|NNodes|AllocCPUS|NTasks|TotalCPU|ReqMem|MaxRSS|AllocTRES|TRESUsageInTot|TRESUsageInMax|JobName'
}

clock() { printf '%02d:%02d:%02d' $(($1 / 3600)) $(($1 / 60 % 60)) $(($1 % 60)); }

# job ID STATE SECONDS [KEY=VALUE...]: the row of a job and that of its only step. Keys: name user part limit mem alloc (its
# memory) peak cpu (seconds) cpus nodes tasks step sum (of memory) tot max gpus at (minutes from the first of the month, the
# id without its task unless said)
job() {
	local id=$1 state=$2 s=$3 name=w user=ann part=p limit=01:00:00 mem=4G alloc='' peak=1G cpu='' cpus=1 nodes=1 tasks=1 step=batch
	local sum='' tot='' max='' gpus='' at='' tres submit
	shift 3
	[ $# = 0 ] || local "$@"
	at=${at:-${id%%_*}}
	cpu=${cpu:-$((s * cpus))}
	printf -v submit '2026-11-%02dT%02d:%02d:00' $((at / 1440 % 28 + 1)) $((at / 60 % 24)) $((at % 60))
	tres="cpu=$cpus,mem=${alloc:-$mem},node=$nodes${gpus:+,gres/gpu=$gpus}"
	echo "$id|$state|$user|$part|$submit|$s|$limit|$nodes|$cpus|||$mem||$tres|||$name"
	[ "$step" = none ] || echo "$id.$step|$state|||$submit|$s||$nodes|$cpus|$tasks|$(clock "$cpu")||$peak|$tres|${sum:+mem=$sum,}$tot|$max|$step"
}

# size STATUS OPTION...: runs it on the file text
size() { is "$1" sacct-size -f text "${@:2}"; }

# row FLAG: its fields from now to runs, of the last report; why FLAG: its basis
row() { awk -F'\t' -v f="$1" '$2 == f && $8 == "-" { print $3 "\t" $4 "\t" $5 "\t" $6 }' <<<"$output"; }
why() { awk -F'\t' -v f="$1" '$2 == f && $8 == "-" { print $7 }' <<<"$output"; }

# three [KEY=VALUE...]: three completed runs of ten minutes
three() { local k; for k in 1 2 3; do job $k COMPLETED 600 "$@"; done; }

# fake NAME: a program of this name in PATH, its text on stdin
fake() {
	mkdir -p fake
	{ echo '#!/bin/bash'; cat; } >"fake/$1"
	chmod +x "fake/$1"
	PATH=$PWD/fake:$PATH
}

# fake_sacct: sacct that knows all columns of the file text, and prints it
fake_sacct() {
	fake sacct <<-'END'
		if [ "$1" = -e ]; then head -n 1 text | tr '|' ' '; exit; fi
		printf '%s\n' "$*" >args
		tr '|' '\037' <text
	END
}

# --- the records ---

# bats test_tags=smoke
@test "a record for each flag: work, flag, now, suggest, verdict, runs, basis, tasks" {
	{ top; three; } >text; size 0 -H
	same $'work\tflag\tnow\tsuggest\tverdict\truns\tbasis\ttasks' "${lines[0]}"
	same 4 "${#lines[@]}"
	same $'ann/cpu/w\t--time\t01:00:00\t00:15:00\tlower\t3' "$(cut -f1-6 <<<"${lines[1]}")"
	same 'longest of 3 COMPLETED 00:10:00 x 1.25; p50 00:10:00 p90 00:10:00 p99 00:10:00 max 00:10:00' "$(why --time)"
	same $'4G\t1344M\tlower\t3' "$(row --mem)"
	same $'1\t1\tkeep\t3' "$(row --cpus-per-task)"
	is 0 sacct-size -f text --json -q
	has "${lines[1]}" '"flag":"--mem","now":"4G","suggest":"1344M","verdict":"lower","runs":3,"basis":"largest peak of 3 runs on a node 1G x 1.30 (MaxRSS x 1 task)'
	has "${lines[1]}" '"tasks":null}'
	same '' "$stderr"
}

@test "fewer than three runs that say something: every flag is refused, as a record, and says what there was" {
	{ top; job 1 COMPLETED 600; job 2 COMPLETED 600; job 3 FAILED 5 peak= cpu=0; } >text; size 0
	same $'01:00:00\t-\trefused\t2' "$(row --time)"
	same '2 runs that say something, 3 needed: 2 COMPLETED, 0 timed out while computing, 1 ended otherwise' "$(why --time)"
	same $'4G\t-\trefused\t2' "$(row --mem)"
	same '2 runs that say something, 3 needed; 1 whose peak is not recorded' "$(why --mem)"
	same $'1\t-\trefused\t2' "$(row --cpus-per-task)"
}

# bats test_tags=smoke
@test "work is a user, cpu or gpu, and a name with its numbers folded; the costliest comes first; names choose" {
	{ top; three name=fit_7; job 5 COMPLETED 9 name=fit_8; job 6 COMPLETED 60 name=fit_9 gpus=8; job 7 COMPLETED 60 user=bob; } >text; size 0
	same 'ann/gpu/fit_# ann/cpu/fit_# bob/cpu/w' "$(cut -f1 <<<"$output" | uniq | tr '\n' ' ' | sed 's/ $//')"
	size 0 fit_12
	same 'ann/gpu/fit_# ann/cpu/fit_#' "$(cut -f1 <<<"$output" | uniq | tr '\n' ' ' | sed 's/ $//')"
	size 0 'ann/cpu/fit_#'
	same 'ann/cpu/fit_#' "$(cut -f1 <<<"$output" | uniq)"
	same 4 "$(row --time | cut -f4)"
}

@test "now is the request of the run submitted last, wherever it stands and whether it is over or not" {
	{ top; job 9 RUNNING 10 limit=02:00:00 mem=7G peak=; three; job 20 PENDING 0 limit=09:00:00 step=none; } >text; size 0
	same 02:00:00 "$(row --time | cut -f1)"
	same 7G "$(row --mem | cut -f1)"
	has "$stderr" 'sacct-size: 1 run is not over: only what was asked for, and how long it has run, is looked at'
	same 3 "$(row --time | cut -f4)"
}

@test "what the latest run asked for is not recorded: refused, with what was measured" {
	{ top; three limit=Partition_Limit mem=0n alloc=; } >text; size 0
	same $'-\t-\trefused\t3' "$(row --time)"
	same 'what the latest run asked for is not recorded; the longest took 00:10:00' "$(why --time)"
	same $'-\t-\trefused\t3' "$(row --mem)"
	same 'what the latest run asked for is not recorded (or it was a whole node); the largest need known of a node is 1G' "$(why --mem)"
}

# --- time ---

# bats test_tags=smoke
@test "the longest completed run x 1.25, up to 5 minutes below an hour and to 15 from there" {
	local s want
	while read -r s want; do
		{ top; three limit=10-00:00:00; job 4 COMPLETED "$s" limit=10-00:00:00; } >text; size 0 -q
		same "$want" "$(row --time | cut -f2)" "$s"
	done <<-'END'
		720 00:15:00
		721 00:20:00
		2640 00:55:00
		2641 01:00:00
		3600 01:15:00
		3601 01:30:00
		100000 1-10:45:00
	END
	{ top; job 1 COMPLETED 600 limit=UNLIMITED; job 2 FAILED 900; job 3 COMPLETED 600; job 4 COMPLETED 600 limit=UNLIMITED; } >text; size 0 -q
	same $'UNLIMITED\t00:15:00\tlower\t3' "$(row --time)"
}

@test "a difference of up to a fifth is kept" {
	local limit want
	while read -r limit want; do
		{ top; three limit="$limit"; } >text; size 0 -q
		same "$want" "$(row --time | cut -f3)" "$limit"
	done <<-'END'
		00:12:00 raise
		00:12:30 keep
		00:18:45 keep
		00:19:00 lower
	END
}

@test "a limit that cut a computing run is exceeded, never met and never kept" {
	{ top; three limit=00:30:00; job 4 TIMEOUT 1815 limit=00:30:00; } >text; size 0
	same $'00:30:00\t00:40:00\traise\t4' "$(row --time)"
	has "$(why --time)" 'longest of 3 COMPLETED 00:10:00 x 1.25; 1 cut while computing, at up to 00:30:00: x 1.25'
	# the suggestion lies within the band: it is raised all the same
	{ top; three limit=00:04:00; for k in 4 5 6; do job $k TIMEOUT 245 limit=00:04:00; done; job 7 COMPLETED 100 limit=00:04:00; } >text
	sed -i 's/|600|/|100|/' text
	size 0
	same $'00:04:00\t00:05:00\traise\t7' "$(row --time)"
	{ top; for k in 1 2 3; do job $k TIMEOUT 86400 limit=1-00:00:00; done; } >text
	is 0 sacct-size -f text --sinfo <(echo 'p|1-02:00:00|1000|1')
	same $'1-00:00:00\t1-02:00:00\traise\t3' "$(row --time)"
}

@test "time-outs that were hung: refused; a few of them are left out" {
	{ top; for k in {1..99}; do job $k TIMEOUT 1810 limit=00:30:00 cpu=2; done; } >text; size 0
	same $'00:30:00\t-\trefused\t0' "$(row --time)"
	same 'blocked, not slow: 99 of 99 time-outs, at up to 00:30:00, ran over 300 s and used under 10 s of CPU: a longer limit buys a longer hang' "$(why --time)"
	{ top; three; for k in 4 5 6; do job $k TIMEOUT 3610 cpu=2; done; } >text; size 0
	same refused "$(row --time | cut -f3)"
	{ top; for k in {1..20}; do job $k COMPLETED 600; done; job 21 TIMEOUT 108000 limit=1-06:00:00 cpu=2; job 22 COMPLETED 600; } >text; size 0
	same $'01:00:00\t00:15:00\tlower\t21' "$(row --time)"
	has "$(why --time)" '; 1 hung time-out left out'
}

@test "a time-out whose CPU time is not recorded may have hung: refused, unless a computing one was cut at no less" {
	{ top; three; job 4 TIMEOUT 3610 step=none; } >text; size 0
	same $'01:00:00\t-\trefused\t3' "$(row --time)"
	same '1 time-out at up to 01:00:00, and the CPU time that would tell slow from hung is not recorded' "$(why --time)"
	job 5 TIMEOUT 3610 >>text; size 0
	same $'01:00:00\t01:15:00\traise\t4' "$(row --time)"
}

@test "runs that computed for longer than what would be suggested, and ended otherwise: less time is refused" {
	local state
	for state in PREEMPTED NODE_FAIL FAILED 'CANCELLED by 1000' OUT_OF_MEMORY; do
		{ top; three limit=1-00:00:00; for k in 4 5 6; do job $k "$state" 72000 limit=1-00:00:00; done; } >text; size 0 -q
		same $'1-00:00:00\t-\trefused\t3' "$(row --time)" "$state"
		has "$(why --time)" '3 runs that did not complete took up to 20:00:00, longer than the completed ones x 1.25; longest of 3 COMPLETED 00:10:00'
	done
	# CPU time that is not recorded is no hang
	{ top; three limit=1-00:00:00; job 4 FAILED 72000 step=none; } >text; size 0 -q
	same refused "$(row --time | cut -f3)"
	has "$(why --time)" '1 run that did not complete took up to 20:00:00'
	# no longer than what is suggested, and hung
	{ top; three limit=1-00:00:00; job 4 PREEMPTED 900 limit=1-00:00:00; job 5 FAILED 72000 cpu=2 limit=1-00:00:00; } >text; size 0 -q
	same $'1-00:00:00\t00:15:00\tlower\t3' "$(row --time)"
	# more, and what is kept, are no less
	{ top; job 1 PREEMPTED 72000 limit=1-00:00:00; for k in 2 3 4; do job $k COMPLETED 600 limit=00:10:00; done; } >text; size 0 -q
	same $'00:10:00\t00:15:00\traise\t3' "$(row --time)"
	{ top; three limit=1-00:00:00; job 4 PREEMPTED 72000 limit=1-00:00:00; } >text
	is 0 sacct-size -q -f text --sinfo <(echo 'p|12:00|9000|1')
	has "$(why --time)" '1 run that did not complete took up to 20:00:00, longer than partition p allows; longest of 3'
	# nor is less suggested than what one has taken that still runs; beyond its limit it is one whose end was never recorded
	{ top; three limit=1-00:00:00; job 4 RUNNING 72000 limit=1-00:00:00 cpu=0 peak=; job 5 REQUEUED 75600 limit=1-00:00:00; } >text; size 0 -q
	same $'1-00:00:00\t-\trefused\t3' "$(row --time)"
	has "$(why --time)" 'a run that is not over took 21:00:00 so far, longer than the completed ones x 1.25; longest of 3'
	{ top; three limit=1-00:00:00; job 4 RUNNING 90000 limit=1-00:00:00; } >text; size 0 -q
	same $'1-00:00:00\t00:15:00\tlower\t3' "$(row --time)"
}

# --- memory ---

@test "the largest peak x 1.30, over all runs that ended, up to 64M below 2G and to 1G from there" {
	local peak want
	while read -r peak want; do
		{ top; three mem=100G; job 4 COMPLETED 600 mem=100G peak="$peak"; } >text; size 0 -q
		same "$want" "$(row --mem | cut -f2)" "$peak"
	done <<-'END'
		1.5G 2G
		1600M 3G
		34.56G 45G
		39538757K 50G
	END
	{ top; for k in 1 2 3; do job $k COMPLETED 60 mem=100M peak=5M; done; job 4 FAILED 60 mem=100M peak=70M; } >text; size 0
	same $'100M\t128M\traise\t3' "$(row --mem)"
}

@test "runs that failed, hung or were stopped early lower no memory, but what they used counts" {
	{ top; for k in 1 2 3; do job $k FAILED 5 peak=20M; job 1$k CANCELLED 50 peak=20M; job 2$k TIMEOUT 3610 cpu=2 peak=20M; done; } >text; size 0
	same $'4G\t-\trefused\t0' "$(row --mem)"
	same '0 runs that say something, 3 needed; 9 that failed, hung or were stopped: only the largest peak is looked at' "$(why --mem)"
	{ top; three; job 4 FAILED 60 peak=3900M; } >text; size 0
	same $'4G\t5G\traise\t3' "$(row --mem)"
	has "$(why --mem)" 'largest peak of 3 runs on a node 3.81G x 1.30 (MaxRSS x 1 task); 1 that failed, hung or were stopped'
}

@test "a request killed for memory is exceeded x 1.30, whatever peak was sampled" {
	# a killed run shows a peak far below its limit
	{ top; three mem=47G; job 4 OUT_OF_MEMORY 600 mem=47G peak=21000000K; } >text; size 0
	same $'47G\t62G\traise\t4' "$(row --mem)"
	has "$(why --mem)" '1 killed, at up to 47G: x 1.30'
	# killed at what is asked for now: never kept, also where the suggestion is within the band of it
	{ top; three mem=1G peak=100M; job 4 OUT_OF_MEMORY 600 mem=1G; } >text
	is 0 sacct-size -f text --sinfo <(echo 'p|1-00:00:00|1100|1')
	same $'1G\t1100M\traise\t4' "$(row --mem)"
	has "$(why --mem)" '; no more margin than the largest node of partition p has'
	# the job failed, a step of it was killed
	{ top; three; job 4 FAILED 60 mem=4G; } | sed 's/^4.batch|FAILED/4.batch|OUT_OF_MEMORY/' >text; size 0 -q
	same $'4G\t6G\traise\t4' "$(row --mem)"
}

@test "killed three times, and completed at a request that had been killed before: not memory; an array is one submission" {
	{ top; job 1 OUT_OF_MEMORY 60 mem=8G; job 2 OUT_OF_MEMORY 60 mem=6G; job 3 OUT_OF_MEMORY 60 mem=4G; job 4 COMPLETED 60 mem=6G; } >text; size 0
	same $'6G\t-\trefused\t4' "$(row --mem)"
	same 'not memory: 3 submissions were killed for it, and a later one COMPLETED at 6G, which had been killed before' "$(why --mem)"
	# it completed before, or at more
	{ top; job 1 OUT_OF_MEMORY 60 mem=8G; job 2 OUT_OF_MEMORY 60 mem=6G at=9; job 3 OUT_OF_MEMORY 60 mem=4G; job 4 COMPLETED 60 mem=6G; } >text; size 0 -q
	same $'6G\t11G\traise\t4' "$(row --mem)"
	{ top; job 1 OUT_OF_MEMORY 60 mem=8G; job 2 OUT_OF_MEMORY 60 mem=6G; job 3 OUT_OF_MEMORY 60 mem=4G; job 4 COMPLETED 60 mem=9G peak=6G; } >text; size 0 -q
	same $'9G\t11G\traise\t4' "$(row --mem)"
	# 71 tasks of one array and one job are two submissions
	{ top; for k in {1..71}; do job 5_$k OUT_OF_MEMORY 60; done; job 6 OUT_OF_MEMORY 60; job 7 COMPLETED 60 mem=4G; } >text; size 0 -q
	same $'4G\t6G\traise\t73' "$(row --mem)"
	job 6 OUT_OF_MEMORY 60 at=9 >>text
	job 8 OUT_OF_MEMORY 60 mem=1G >>text; size 0 -q
	same refused "$(row --mem | cut -f3)"
}

@test "a peak above the limit of a run that was not killed is no footprint, and that is said" {
	{ top; three; job 4 COMPLETED 600 peak=9G; } >text; size 0
	same $'4G\t1344M\tlower\t3' "$(row --mem)"
	has "$(why --mem)" '; 1 with a peak above the limit and not killed: no footprint, shared pages counted twice'
	{ top; three peak=9G; } >text; size 0
	same $'4G\t-\trefused\t0' "$(row --mem)"
	same '0 runs that say something, 3 needed; 3 with a peak above the limit and not killed: no footprint, shared pages counted twice' "$(why --mem)"
}

@test "a limit that was filled without a kill may be page cache: no need above it, and none below" {
	{ top; three mem=10G peak=2500M; job 4 COMPLETED 600 mem=10G peak=10464788K; } >text; size 0
	same $'10G\t10G\tkeep\t4' "$(row --mem)"
	has "$(why --mem)" '; 1 filled 10G and was not killed: page cache perhaps, no need above it'
	job 5 COMPLETED 600 mem=40G >>text; size 0
	same $'40G\t10G\tlower\t5' "$(row --mem)"
}

@test "several tasks on a node: their sum where it is recorded, at most MaxRSS x tasks over several nodes, else refused" {
	{ top; three mem=16G step=0 tasks=8 cpus=8 peak=1906M sum=15G; } >text; size 0
	same $'16G\t20G\traise\t3' "$(row --mem)"
	has "$(why --mem)" 'largest peak of 3 runs on a node 15G x 1.30 (all tasks: TRESUsageInTot)'
	{ top; three mem=16G step=0 tasks=8 cpus=8 peak=1906M; } >text; size 0
	same $'16G\t-\trefused\t0' "$(row --mem)"
	has "$(why --mem)" '0 runs that say something, 3 needed; 3 of several tasks on a node that cannot be told apart'
	{ top; three; for k in 4 5; do job $k COMPLETED 600 step=0 tasks=8 cpus=8; done; } >text; size 0
	same "several tasks share a node in 2 of 5 runs and cannot be told apart: MaxRSS is one task's, and TRESUsageInTot does not say their sum" "$(why --mem)"
	# two nodes of two tasks: 1G each, 3G in all, so at most 2G on a node
	{ top; three mem=16G step=0 tasks=4 cpus=4 nodes=2 peak=1G sum=3G; } >text; size 0
	same $'8G\t3G\tlower\t3' "$(row --mem)"
	has "$(why --mem)" 'on a node 2G x 1.30 (at most: MaxRSS x tasks on a node)'
	# how many tasks is not recorded, nor how many CPUs: at most their sum
	{ top; three mem=64G step=0 tasks= nodes=2 peak=5G sum=9G cpu=9; } | sed 's/|2|1|/|2||/; s/cpu=1,//' >text; size 0
	same $'32G\t12G\tlower\t3' "$(row --mem)"
}

@test "numerator and limit are of one node" {
	# 2 nodes, 8G each, one task a node
	{ top; three mem=16G step=0 tasks=2 cpus=2 nodes=2 peak=4G; } >text; size 0
	same $'8G\t6G\tlower\t3' "$(row --mem)"
	{ top; three mem=8Gn alloc=16G step=0 tasks=2 cpus=2 nodes=2 peak=4G; } >text; size 0
	same $'8G\t6G\tlower\t3' "$(row --mem)"
}

@test "the peak is the largest of all steps, srun's own among them" {
	{
		top
		for k in 1 2 3; do
			job $k COMPLETED 600 mem=655G peak=6044K
			echo "$k.extern|COMPLETED||||600||1|1|1|||1330K||||extern"
			echo "$k.0|COMPLETED||||300||1|1|1|||39503310K||||a"
			echo "$k.1|COMPLETED||||300||1|1|1|||39538757K||||a"
			echo "$k.2|COMPLETED||||300||1|1|1|||38352353K||||a"
		done
	} >text; size 0
	same $'655G\t50G\tlower\t3' "$(row --mem)"
	has "$(why --mem)" 'on a node 37.71G x 1.30'
	{ top; three step=0; } >text; size 0 -q
	same 1344M "$(row --mem | cut -f2)"
}

@test "nothing recorded is not 0: refused, not lowered" {
	{ top; for k in {1..179}; do job $k COMPLETED 600 peak= cpu=0; done; } >text; size 0
	same $'4G\t-\trefused\t0' "$(row --mem)"
	same 'no peak is recorded in any of 179 runs: it is not gathered here, or the steps are not in the text' "$(why --mem)"
	same $'1\t-\trefused\t0' "$(row --cpus-per-task)"
	{ top; for k in {1..9}; do job $k COMPLETED 600 peak=0 step=batch; done; } >text; size 0 -q
	same refused "$(row --mem | cut -f3)"
	printf '%s\n' 'JobID|State|JobName' '1|COMPLETED|w' '2|COMPLETED|w' '3|COMPLETED|w' >text; size 0
	same 'no column MaxRSS: --fields prints the columns that are needed' "$(why --mem)"
	has "$stderr" '3 COMPLETED runs without a time: not counted for --time'
	same '-/-/w' "$(cut -f1 <<<"$output" | uniq)"
}

@test "memory by CPU is advised by CPU, before Slurm 21.08 says which it was" {
	# 20 CPUs x 4000M on a node, of which 30G were used
	{ top; three mem=4000Mc alloc=80000M cpus=20 peak=30G; } >text; size 0
	same $'4000M\t2G\tlower\t3' "$(row --mem-per-cpu)"
	has "$(why --mem-per-cpu)" '; for each of 20 CPUs on a node'
	{ top; three mem=16000Mn alloc=32000M cpus=20 nodes=2 tasks=2 step=0 peak=12G; } >text; size 0
	same $'16000M\t16000M\tkeep\t3' "$(row --mem)"
	{ top; three mem=1Gc alloc=2G cpus=2 peak=1G; job 4 OUT_OF_MEMORY 60 mem=1Gc alloc=2G cpus=2; } >text; size 0
	same $'1G\t1344M\traise\t4' "$(row --mem-per-cpu)"
}

@test "where no run completed neither memory nor CPUs are lowered; more is suggested all the same" {
	local none='no run completed: what it needs at its end is not known'
	{ top; for k in 1 2 3; do job $k TIMEOUT 3610 mem=64G peak=8G cpus=8 cpu=3610; done; } >text; size 0 -q
	same $'64G\t-\trefused\t3' "$(row --mem)"
	same "$none" "$(why --mem)"
	same $'8\t-\trefused\t3' "$(row --cpus-per-task)"
	same "$none" "$(why --cpus-per-task)"
	sed 's/|8G|/|60G|/; s/01:00:10|/20:00:00|/' text >more
	is 0 sacct-size -q -f more
	same $'64G\t78G\traise\t3' "$(row --mem)"
	same $'8\t24\traise\t3' "$(row --cpus-per-task)"
	# one that says nothing of either
	job 4 COMPLETED 60 mem=64G peak= cpus=8 cpu=0 >>text; size 0 -q
	same 'no run that says something completed: what it needs at its end is not known' "$(why --mem)"
	job 5 COMPLETED 600 mem=64G peak=8G cpus=8 cpu=600 >>text; size 0 -q
	same $'64G\t11G\tlower\t4' "$(row --mem)"
	same $'8\t2\tlower\t4' "$(row --cpus-per-task)"
	# nor in two requests for an array
	{ top; for k in {1..30}; do job 7_$k TIMEOUT 3610 mem=64G peak=$((k < 28 ? 3 : 40))G; done; } >text; size 0 -q
	same '' "$(grep 'of array' <<<"$output")"
}

# --- CPUs, GPUs ---

@test "fewer CPUs are never less memory: refused where it is asked for by CPU, else -s prints --mem beside them" {
	{ top; three mem=2Gc alloc=32G cpus=16 cpu=1200 peak=28000M; } >text; size 0 -q
	same $'16\t-\trefused\t3' "$(row --cpus-per-task)"
	same 'memory is asked for per CPU: fewer CPUs would be less memory' "$(why --cpus-per-task)"
	same $'2G\t3G\traise\t3' "$(row --mem-per-cpu)"
	size 0 -q -s
	same '#SBATCH --time #SBATCH --mem-per-cpu' "$(cut -d= -f1 <<<"$output" | tr '\n' ' ' | sed 's/ $//')"
	# the job's form: memory that is kept is said
	{ top; three mem=32G cpus=16 cpu=1200 peak=24000M; } >text; size 0 -q
	same $'32G\t32G\tkeep\t3' "$(row --mem)"
	same $'16\t3\tlower\t3' "$(row --cpus-per-task)"
	size 0 -q -s
	has "$output" '#SBATCH --cpus-per-task=3  # '
	has "$output" '#SBATCH --mem=32G  # ann/cpu/w: as now, in place of a --mem-per-cpu, with which fewer CPUs would be less memory'
	# refused, too
	{ top; three mem=32G cpus=16 cpu=1200 peak=; } >text; size 0 -q -s
	has "$output" '#SBATCH --mem=32G  # ann/cpu/w: as now'
	# what changes is said once; by node, or with no fewer CPUs, there is no need of it
	{ top; three mem=32G cpus=16 cpu=1200 peak=31G; } >text; size 0 -q -s
	same 1 "$(grep -c -e --mem= <<<"$output")"
	has "$output" '#SBATCH --mem=41G'
	{ top; three mem=32Gn cpus=16 cpu=1200 peak=24000M; } >text; size 0 -q -s
	hasnt "$output" '--mem'
	{ top; three mem=32G cpus=16 peak=24000M; } >text; size 0 -q -s
	hasnt "$output" '--mem'
}

@test "a busy core is no reason for a second; idle ones are given back; more is suggested where more was used" {
	{ top; three cpu=599; } >text; size 0
	same $'1\t1\tkeep\t3' "$(row --cpus-per-task)"
	same 'the busiest of 3 used 0.998 of 1 CPUs a task x 1.20: all were busy, which is no need of more' "$(why --cpus-per-task)"
	{ top; three cpu=620; } >text; size 0 -q
	same $'1\t1\tkeep\t3' "$(row --cpus-per-task)"
	{ top; three cpus=8 cpu=1500; } >text; size 0
	same $'8\t3\tlower\t3' "$(row --cpus-per-task)"
	same 'the busiest of 3 used 2.5 of 8 CPUs a task x 1.20' "$(why --cpus-per-task)"
	{ top; three cpus=8 cpu=4700; } >text; size 0 -q
	same $'8\t8\tkeep\t3' "$(row --cpus-per-task)"
	# 16 were busy once, which is no need of more than the 4 of now
	{ top; three cpus=16; job 4 COMPLETED 600 cpus=4; } >text; size 0 -q
	same $'4\t4\tkeep\t4' "$(row --cpus-per-task)"
	# not held to its CPUs
	{ top; three cpus=2 cpu=3000; } >text; size 0 -q
	same $'2\t6\traise\t3' "$(row --cpus-per-task)"
}

@test "CPUs are counted for a task; short runs, and work outside of steps, say nothing of them" {
	{ top; three cpus=8 step=0 tasks=8 cpu=4700; } >text; size 0
	same $'1\t1\tkeep\t3' "$(row --cpus-per-task)"
	{ top; for k in 1 2 3; do job $k COMPLETED 100 cpus=8; done; } >text; size 0
	same $'8\t-\trefused\t0' "$(row --cpus-per-task)"
	# mpirun over 20 nodes: only what ran on the first is known
	{ top; three cpus=640 nodes=20 cpu=19000; } >text; size 0
	same refused "$(row --cpus-per-task | cut -f3)"
	has "$(why --cpus-per-task)" '; 3 on several nodes with work outside of their steps'
	# no run had as many as the latest
	{ top; three cpus=2; job 4 RUNNING 5 cpus=8 peak=; } >text; size 0
	same 'no run that says something had 8 CPUs a task, as the latest has' "$(why --cpus-per-task)"
}

@test "CPU time is the sum of the steps, and that of TRESUsageInTot where TotalCPU is zero" {
	{ top; for k in 1 2 3; do job $k COMPLETED 7200 cpus=4 cpu=0 tot=cpu=07:40:00; done; } >text; size 0
	same 'the busiest of 3 used 3.83 of 4 CPUs a task x 1.20: all were busy, which is no need of more' "$(why --cpus-per-task)"
	{ top; for k in 1 2 3; do job $k COMPLETED 600 cpus=4 cpu=300; echo "$k.0|COMPLETED|||||600|1|4|1|00:20:00||1G||||a"; done; } >text; size 0 -q
	same 'the busiest of 3 used 2.5 of 4 CPUs a task x 1.20' "$(why --cpus-per-task)"
}

@test "GPUs from gres/gpuutil where it is recorded, refused otherwise; without GPUs there is no record" {
	{ top; three gpus=4 tot=gres/gpuutil=60 max=gres/gpuutil=70; } >text; size 0
	same $'4\t1\tlower\t3' "$(row --gpus)"
	same 'ann/gpu/w' "$(cut -f1 <<<"$output" | uniq)"
	{ top; three gpus=4 tot=gres/gpuutil=60 max=gres/gpuutil=390; } >text; size 0 -q
	same $'4\t4\tkeep\t3' "$(row --gpus)"
	{ top; three gpus=1 tot=gres/gpuutil=99 max=gres/gpuutil=100; } >text; size 0 -q
	same $'1\t1\tkeep\t3' "$(row --gpus)"
	{ top; three gpus=4; } >text; size 0
	same $'4\t-\trefused\t0' "$(row --gpus)"
	same 'gres/gpuutil is not recorded: nothing says how busy they were' "$(why --gpus)"
	{ top; three gpus=4 tot=gres/gpuutil=0 max=gres/gpuutil=0; } >text; size 0
	same 'gres/gpuutil is 0 in all of 3 runs: they were not used, or are slices (MIG), which are not measured' "$(why --gpus)"
	# percents are of all GPUs together: none is cut off
	{ top; three gpus=8 tot=gres/gpuutil=7; } >text; size 0 -q
	same $'8\t1\tlower\t3' "$(row --gpus)"
	same 'the busiest of 3 used 0.07 of 8 GPUs x 1.20' "$(why --gpus)"
	{ top; three gpus=16 tot=gres/gpuutil=417; } >text; size 0 -q
	same $'16\t6\tlower\t3' "$(row --gpus)"
	same 'the busiest of 3 used 4.17 of 16 GPUs x 1.20' "$(why --gpus)"
	{ top; three gpus=8 tot=gres/gpuutil=7; } | sed '/batch/s/|600|/|60|/' >text; size 0 -q
	same 'the busiest of 3 used 0.01 of 8 GPUs x 1.20' "$(why --gpus)"
	# recorded, of runs that do not count
	{ top; for k in 1 2 3; do job $k COMPLETED 60 gpus=4 tot=gres/gpuutil=200; done; job 4 FAILED 600 gpus=4 tot=gres/gpuutil=200; } >text; size 0 -q
	same '0 runs that say something, 3 needed: gres/gpuutil recorded, computed for 120 s or more; 3 too short; 1 that failed, hung or were stopped' "$(why --gpus)"
	{ top; three; } >text; size 0
	same '' "$(row --gpus)"
	printf '%s\n' 'JobID|State|JobName' '1|COMPLETED|w' >text; size 0
	same 'whether it had GPUs is not recorded (AllocTRES)' "$(why --gpus)"
}

@test "GPUs that were allocated but not asked for are GPUs" {
	{ top; three gpus=2,gres/gpu:a100=2; } | sed 's/AllocTRES/AllocTRES|ReqTRES/; /^[0-9]/s/|cpu=[^|]*/&|cpu=1/' >text; size 0
	same 'ann/gpu/w' "$(cut -f1 <<<"$output" | uniq)"
	same 2 "$(row --gpus | cut -f1)"
}

# --- arrays ---

@test "an array is sized from all its tasks, with quantiles, and at least so many a smaller request would have killed" {
	{ top; for k in {1..100}; do job 7_$k COMPLETED $((600 + k)) mem=8G peak=$((2000 + 10 * k))M; done; job 2 COMPLETED 60 peak=3100M; } >text; size 0
	same $'8G\t4G\tlower\t101' "$(row --mem)"
	has "$(why --mem)" 'largest peak of 101 runs on a node 3.03G x 1.30'
	has "$(why --mem)" '; 100 tasks of 7: p50 2.44G p90 2.83G p99 2.92G max 2.93G; 2880M would have killed at least 12 % (12 of 100)'
	has "$(why --time)" '; 100 tasks of 7: p50 00:10:50 p90 00:11:30 p99 00:11:39 max 00:11:40; 00:11:00 would have cut at least 40 % (40 of 100)'
	same 3 "${#lines[@]}"
}

@test "two requests for an array where they are cheaper, with the indices of the most and of the tail" {
	{
		top
		for k in {0..141}; do
			case $k in 7|9|11|13|100) job 7_$k COMPLETED 600 mem=64G peak=40G ;; *) job 7_$k COMPLETED 600 mem=64G peak=3G ;; esac
		done
	} >text; size 0
	same $'64G\t64G\tkeep\t142' "$(row --mem)"
	has "$(why --mem)" '; 4G would have killed at least 3.52 % (5 of 142)'
	same $'ann/cpu/w\t--mem\t64G\t4G\tlower\t137' "$(grep 'most of' <<<"$output" | cut -f1-6)"
	same '0-5,6-12:2,14-99,101-141' "$(grep 'the most of' <<<"$output" | cut -f8)"
	same '7-13:2,100' "$(grep 'the tail of' <<<"$output" | cut -f8)"
	same $'64G\t64G\tkeep\t5' "$(grep 'the tail of' <<<"$output" | cut -f3-6)"
	has "$output" 'the most of array 7: at most 3G on a node x 1.30; both requests cost 0.096 of the one for all'
	size 0 -s
	has "$output" '# ann/cpu/w: cheaper in two: sbatch --array=7-13:2,100 --mem=64G'
	# killed at once, in a minute: the tail is reckoned with the time of the others
	sed 's/^\(7_\(7\|9\|11\|13\|100\)[|.].*\)|600|/\1|6|/; s/^\(7_\(7\|9\|11\|13\|100\)\(.batch\)*\)|COMPLETED/\1|OUT_OF_MEMORY/' text >killed
	is 0 sacct-size -q -f killed
	same $'64G\t84G\traise\t142' "$(row --mem)"
	has "$output" 'both requests cost 0.081 of the one for all'
	# tasks that failed before they said what they need are in the tail
	job 7_5 FAILED 3 mem=64G peak=9M >>text; sed -i '/^7_5|COMPLETED/d; /^7_5.batch|COMPLETED/d' text; size 0 -q
	same '5-13:2,100' "$(grep 'tail of' <<<"$output" | cut -f8)"
	has "$output" 'the tail of array 7: not all of their needs are known'
}

@test "71 of 142 tasks killed: no two requests, and the quantiles do not take the kill for a peak below it" {
	{ top; for k in {0..141}; do if ((k % 2)); then job 7_$k OUT_OF_MEMORY 60 peak=1G; else job 7_$k COMPLETED 60 peak=3G; fi; done; } >text; size 0
	same $'4G\t6G\traise\t142' "$(row --mem)"
	has "$(why --mem)" 'p50 3G p90 4G p99 4G max 4G; 4032M would have killed at least 50 % (71 of 142)'
	same 3 "${#lines[@]}"
}

@test "a row of tasks that have not started is no run, limits of 500 at once and all" {
	{ top; three; echo '9_[9201-10000%500]|PENDING|ann|p|2026-11-20T00:00:00|0|09:00:00|1|1|||4G|||||w'; } >text; size 0
	same 01:00:00 "$(row --time | cut -f1)"
	{ top; three; echo '9_[4-6]|CANCELLED by 1000|ann|p|2026-11-20T00:00:00||09:00:00|1|1|||4G|||||w'; } >text; size 0
	same 01:00:00 "$(row --time | cut -f1)"
	same '' "$(grep 'not over' <<<"$stderr")"
}

# --- partitions ---

@test "only the margin is cut down to what the partition allows; a need above it is refused, and the maximum named" {
	{ top; three; job 4 COMPLETED 3300 peak=3600M; } >text
	echo 'p*|1:00:00|4000|2' >sinfo; size 0 --sinfo sinfo
	same $'01:00:00\t01:00:00\tkeep\t4' "$(row --time)"
	has "$(why --time)" '; no more margin than partition p allows'
	same $'4G\t4G\tkeep\t4' "$(row --mem)"
	has "$(why --mem)" '; no more margin than the largest node of partition p has'
	printf '%s\n' 'p*|50:00|3500|4' 'p*|50:00|3000|2' 'q|infinite|9000|9' >sinfo; size 0 --sinfo sinfo
	same $'01:00:00\t-\trefused\t4' "$(row --time)"
	same 'it needs more than partition p allows, which is 00:50:00: the longest took 00:55:00: checkpoints, less work a run, or another partition' "$(why --time)"
	same $'4G\t-\trefused\t4' "$(row --mem)"
	same 'it needs more than the largest node of partition p has, which is 3500M: the largest peak is 3.52G' "$(why --mem)"
	# equality fits a run, but no limit that cut one
	{ top; three; job 4 COMPLETED 3000; } >text; size 0 -q --sinfo sinfo
	same $'01:00:00\t01:00:00\tkeep\t4' "$(row --time)"
	{ top; three; job 4 TIMEOUT 3010 limit=50:00; } >text; size 0 -q --sinfo sinfo
	has "$(why --time)" 'it needs more than partition p allows, which is 00:50:00: runs were cut at 00:50:00'
	{ top; three mem=3G; for k in 4 5; do job $k OUT_OF_MEMORY 9 mem=3500M; done; } >text; size 0 -q --sinfo sinfo
	has "$(why --mem)" 'has, which is 3500M: runs were killed at 3.42G'
}

@test "cores are not suggested beyond the largest node" {
	{ top; three cpus=2 cpu=3600; } >text
	echo 'p|1-00:00:00|9000|7' >sinfo; size 0 -q --sinfo sinfo
	same $'2\t7\traise\t3' "$(row --cpus-per-task)"
	echo 'p|1-00:00:00|9000|4' >sinfo; size 0 -q --sinfo sinfo
	has "$(why --cpus-per-task)" 'it needs more than the largest node of partition p has, which is 4 CPUs'
}

@test "a saved sinfo is read with a header or without one; what is none is refused; what it does not say is said" {
	{ top; three; } >text
	printf '%s\n' 'AVAIL|TIMELIMIT|PARTITION|CPUS|MEMORY' 'up|5:00|p*|1|9000' >sinfo; size 0 --sinfo sinfo
	has "$(why --time)" 'it needs more than partition p allows, which is 00:05:00'
	echo 'p* 5:00' >sinfo; size 0 -q --sinfo sinfo
	same refused "$(row --time | cut -f3)"
	echo 'p infinite 9000 8' >sinfo; size 0 -q --sinfo sinfo
	same lower "$(row --time | cut -f3)"
	echo 'q|infinite|9000|8' >sinfo; size 0 --sinfo sinfo
	has "$stderr" '1 piece of work ran in a partition that sinfo does not name: what it allows is not looked at'
	echo 'p|n/a|9000|8' >sinfo; size 0 --sinfo sinfo
	has "$stderr" 'sinfo: the time limit of p cannot be read: it is not looked at'
	same lower "$(row --time | cut -f3)"
	printf 'Loading ... p|infinite|9000|8\n' >sinfo; size 2 -q --sinfo sinfo
	printf '\033[0mp|infinite|9000|8\n' >sinfo; size 2 -q --sinfo sinfo
	echo 'p|infinite|9000+|8' >sinfo; size 2 -q --sinfo sinfo
	refused
	has "$stderr" '-e tells them apart'
	printf '%s\n' 'PARTITION AVAIL  TIMELIMIT  NODES' 'p up 1:00 3' >sinfo; size 2 -q --sinfo sinfo
	printf '%s\n' 'p 1:00 9000 8' 'q  1:00 9000 8' >sinfo; size 2 -q --sinfo sinfo
	size 2 -q --sinfo absent
	size 0
	has "$stderr" 'sacct-size: what partitions allow is not looked at: --sinfo FILE would say it'
}

@test "a saved sinfo without a partition, and without anything else, is 3" {
	{ top; three; } >text
	for text in '' '\n\n' 'PARTITION|TIMELIMIT|MEMORY|CPUS\n'; do
		printf %b "$text" >sinfo; size 3 -q --sinfo sinfo
		refused
		same 'sacct-size: sinfo: no partition in it: was sinfo answered when it was saved?' "$stderr"
	done
	for text in 'Unable to contact slurm controller' p; do
		echo "$text" >sinfo; size 2 -q --sinfo sinfo
		refused
	done
}

@test "of a saved sinfo what would be a guess is refused: a column or a limit that stands there twice, a last line that may be cut" {
	{ top; three; } >text
	while IFS=';' read -r text want; do
		printf %b "$text" >sinfo; size 2 -q --sinfo sinfo
		refused
		same "sacct-size: sinfo:$want" "$stderr"
	done <<-'END'
		PARTITION|TIMELIMIT|TIMELIMIT\np|1-00:00:00|10:00\n;1: a column that stands there twice: 'TIMELIMIT': the output of sinfo -a -h -e -o '%P|%l|%m|%c' was expected
		PARTITION|CPUS|CPUS\np|1|2\n;1: a column that stands there twice: 'CPUS': the output of sinfo -a -h -e -o '%P|%l|%m|%c' was expected
		p|1:00:00|9000|8\np|2:00:00|9000|8\n;2: another limit for a partition that stands there already: 'p': the output of sinfo -a -h -e -o '%P|%l|%m|%c' was expected
		p|1:00:00|9000|8\nq|2:00:00\n;2: not as many fields as in the first line: 'q|2:00:00': the output of sinfo -a -h -e -o '%P|%l|%m|%c' was expected
		p|1:00:00|9000\n;1: not as many fields as the format has: 'p|1:00:00|9000': the output of sinfo -a -h -e -o '%P|%l|%m|%c' was expected
		p|1:00:00|9000|8\nq|2:00:00|9000|8;2: the last line has no end, a newline: was it cut?
	END
}

# --- Slurm ---

@test "with -S, -E or -u sacct is asked, with steps and all attempts, then sinfo and scontrol; sampling is named" {
	{ top; three; } >text
	fake_sacct
	fake sinfo <<<'printf "%s\n" "$*" >asked; echo "p*|5:00|9000|8"'
	fake scontrol <<'END'
printf '%s\n' "Configuration data as of today" "JobAcctGatherFrequency  = task=15,energy=60" "JobAcctGatherType       = jobacct_gather/cgroup"
END
	is 0 sacct-size -S 2026-11-01 w
	hasnt " $(cat args) " ' -X '
	has " $(cat args) " ' -D '
	same '-a -h -e -o %P|%l|%m|%c' "$(cat asked)"
	has "$stderr" 'memory is a peak of samples: JobAcctGatherType jobacct_gather/cgroup, every 15 s'
	has "$(why --mem)" '; sampled every 15 s'
	hasnt "$(why --mem)" 'at most in the run'
	has "$(why --time)" 'it needs more than partition p allows, which is 00:05:00'
	is 0 sacct-size -u ann
	has "$stderr" 'the last 30 days'
	fake scontrol <<<'printf "%s\n" "JobAcctGatherType = jobacct_gather/linux" "JobAcctGatherFrequency = 150"'
	is 0 sacct-size -u ann
	has "$(why --mem)" '; sampled every 150 s, so 5 times at most in the run with the largest: it may have needed more'
	fake scontrol <<<'echo "JobAcctGatherType = jobacct_gather/none"'
	is 0 sacct-size -u ann
	same 'memory is not gathered here: JobAcctGatherType is jobacct_gather/none' "$(why --mem)"
}

@test "sinfo or scontrol that do not answer: it is said, and the report is there; sacct that does not: 3" {
	{ top; three; } >text
	fake_sacct
	fake sinfo <<<'echo "slurm_load_partitions: Unable to contact slurm controller" >&2; exit 1'
	fake scontrol <<<'sleep 60'
	SECONDS=0
	is 0 sacct-size -t 1s -S 2026-11-01
	[ "$SECONDS" -lt 20 ]
	has "$stderr" 'sacct-size: what partitions allow is not looked at: sinfo gave no answer (status 1: slurm_load_partitions: Unable to contact slurm controller): try scontrol ping'
	has "$stderr" 'sacct-size: scontrol gave no answer (in time): how memory was sampled is not known'
	same lower "$(row --mem | cut -f3)"
	fake scontrol <<<:
	while IFS=';' read -r code want; do
		fake sinfo <<<"$code"
		is 0 sacct-size -t 1s -S 2026-11-01
		has "$stderr" "sacct-size: what partitions allow is not looked at: $want"
		is 0 sacct-size -q -t 1s -S 2026-11-01
		hasnt "$stderr" sinfo
	done <<-'END'
		:;sinfo printed no partition (it said nothing): try sinfo by hand
		echo no such option >&2;sinfo printed no partition (no such option): try sinfo by hand
		printf 'a\0b\n';sinfo printed a NUL byte: try it by hand
		exec sleep 60;sinfo gave no answer within 1 s: try it by hand, or longer with -t
	END
	fake sacct <<<'echo "sacct: error: Problem talking to the database: Connection refused" >&2; exit 1'
	is 3 sacct-size -S 2026-11-01
	same '' "$output"
	has "$stderr" 'Connection refused'
}

@test "sinfo that prints what is no table of its own is no answer: 3; a cut one is not looked at; a line around the table is said" {
	{ top; three; } >text
	fake_sacct
	fake scontrol <<<:
	for code in 'printf "p|5:00|9000|8\nq|2:00:00|90"' 'printf "p|5:00|9000|8\nbye"'; do
		fake sinfo <<<"$code"
		is 0 sacct-size -S 2026-11-01
		has "$stderr" "sacct-size: what partitions allow is not looked at: sinfo's line 2, the last, has no end: was it cut? try sinfo by hand"
		hasnt "$(why --time)" 'partition p allows'
	done
	for code in 'printf "p|1:00:00|9000|8\np|2:00:00|9000|8\n"' 'echo "p|1:00:00|9000"'; do
		fake sinfo <<<"$code"
		is 3 sacct-size -q -S 2026-11-01
		refused
		has "$stderr" 'sacct-size: sinfo:'
	done
	fake sinfo <<<'echo Welcome; echo "p|5:00|9000|8"; echo "Good bye"'
	is 0 sacct-size -S 2026-11-01
	has "$stderr" "sacct-size: sinfo:1: no line of a table: 'Welcome'"
	has "$stderr" "sacct-size: sinfo:3: no line of a table: 'Good bye'"
	has "$(why --time)" 'it needs more than partition p allows, which is 00:05:00'
	is 0 sacct-size -q -S 2026-11-01
	hasnt "$stderr" Welcome
}

@test "text does not say how memory was sampled, and that is said" {
	{ top; three; } >text; size 0
	has "$stderr" 'the text does not say how they were taken (scontrol show config: JobAcctGatherType, JobAcctGatherFrequency)'
}

# --- lines to paste ---

@test "-s prints lines for a batch script: what is raised or lowered; the rest goes to stderr" {
	{ top; three name=$'we ird'; } >text; size 0 -s
	same 2 "${#lines[@]}"
	has "${lines[0]}" '#SBATCH --time=00:15:00  # ann/cpu/we ird: lower from 01:00:00: longest of 3 COMPLETED'
	has "${lines[1]}" '#SBATCH --mem=1344M  # '
	has "$stderr" 'sacct-size: ann/cpu/we ird: --cpus-per-task: keep: '
	size 0 -s -q
	same '' "$stderr"
	# a newline in a name does not end the comment
	{ top; three name=$'a\nscancel 1'; } >text; size 0 -s -q
	same 2 "${#lines[@]}"
	has "${lines[0]}" 'ann/cpu/a\nscancel #: lower'
}

# --- statuses ---

@test "what Slurm prints by default is read: every flag is refused, as a record" {
	local file
	for file in live-2205 live-2505; do
		is 0 sacct-size -f "$ROOT/t/data/$file.txt"
		same refused "$(cut -f5 <<<"$output" | sort -u)"
	done
}

@test "no runs, or none of a name: 3; others' are printed" {
	top >text; size 3
	refused
	{ top; three; } >text; size 3 x
	refused
	has "$stderr" "sacct-size: no run of 'x'"
	size 3 x y z
	refused
	size 3 w x_7
	has "$stderr" "sacct-size: no run of 'x_7'"
	same 3 "${#lines[@]}"
	echo 'JobID|State|JobName' >text; size 3
	refused
}

@test "what is not sacct's, or called wrong: 2" {
	printf '%s\n' 'JobID|State' '1|COMPLETED' >text; size 2
	refused
	same 'sacct-size: text: no column JobName: sacct -P -o "$(sacct-size --fields)" was expected' "$stderr"
	{ top; three; } >text
	size 2 -s --json
	size 2 ''
	is 2 sacct-size -S 1d -f text
	is 2 sacct-size -f absent
	is 2 sacct-size -t 5 -f text
	is 2 sacct-size --sinfo - <text
	refused
	sed -i 's/COMPLETED/COMPLET+/' text; size 2
	is 2 script -qec 'sacct-size 2>&1' /dev/null </dev/null
}

@test "a record that accounting has not settled is no run, and is said" {
	{ top; three; job 9 COMPLETED 600 name=allocation part=; } >text
	size 0 -q
	same ann/cpu/w "$(cut -f1 <<<"$output" | sort -u)"
	same 'sacct-size: 1 record is not settled yet (no partition, named allocation): not counted, accounting lags up to 15 s' "$stderr"
}

@test "the fields that --fields prints give the same report as sacct asked" {
	is 0 sacct-size --fields
	has ",$output," ',TRESUsageInTot,'
	{ top; three; } >text
	is 0 sh -c 'sacct-size <text'
	same $'4G\t1344M\tlower\t3' "$(row --mem)"
}
