#!/usr/bin/env bats
# sacct-work - runs rolled up into pieces of work, what is found in them, and the gate before a resubmission
load helper

setup_file() {
	export PLANTED=$BATS_FILE_TMPDIR/planted HEALTHY=$BATS_FILE_TMPDIR/healthy
	"$BATS_TEST_DIRNAME/accounting" 14000 >"$HEALTHY"
	"$BATS_TEST_DIRNAME/accounting" 14000 all >"$PLANTED"
}

# plant NAME: only that, without any history
plant() { "$BATS_TEST_DIRNAME/accounting" 0 "$@" >text; }

HEAD='JobID|User|State|Submit|ElapsedRaw|Timelimit|AllocCPUS|NNodes|TotalCPU|ReqMem|MaxRSS|AllocTRES|Partition|JobName'

# top: begins the file text. Every run is a row as `sacct -X` prints it.
top() { echo "$HEAD" >text; id=100; }

# row STATE KEY=VALUE...: one more run, a healthy one but for what is said
row() {
	local state=$1 user=u day=$((++id / 24)) elapsed=3000 limit=01:00:00 cpus=4 cpu=02:40:00 mem=8G rss=6000000K gpus=0 part=p name=job this=$id submit
	shift
	printf -v submit '2026-11-%02dT%02d:00:00' $((day - 3)) $((id % 24))
	[ $# = 0 ] || local "$@"
	echo "$this|$user|$state|$submit|$elapsed|$limit|$cpus|1|$cpu|$mem|$rss|cpu=$cpus,mem=$mem,node=1,gres/gpu=$gpus|$part|$name" >>text
}

# rows N STATE KEY=VALUE...
rows() { local k; for ((k = 0; k < $1; k++)); do row "${@:2}"; done; }

# codes: of the file text, one a line
codes() { is 0 sacct-work -q -F -f text && cut -f1 <<<"$output" | sort; }

# evidence CODE: its evidence in the file text
evidence() { is 0 sacct-work -q -F -f text && grep "^$1	" <<<"$output" | cut -f4; }

# gate STATUS OPTION...: asked of the file text
gate() { is "$1" sacct-work -f text --gate "${@:2}" && same '' "$output"; }

# --- the report ---

# bats test_tags=smoke
@test "one record a piece of work: names, runs, states, hours, cost, share, last, findings; the costly first" {
	top
	rows 2 COMPLETED name=fit_1 elapsed=3600
	row FAILED name=fit_2 elapsed=1800
	row COMPLETED name=train gpus=2 elapsed=3600
	is 0 sacct-work -q -H -f text
	same $'work\tnames\truns\tdone\tfailed\ttimeout\toom\tlost\tcpu_h\tgpu_h\tcost\tshare\tlast\tfindings' "${lines[0]}"
	same $'u/gpu/train\t1\t1\t1\t0\t0\t0\t0\t4.0\t2.0\t36.0\t0.783\t2026-11-01T08:00:00\tnear-limit' "${lines[1]}"
	same $'u/cpu/fit_#\t2\t3\t2\t1\t0\t0\t0\t10.0\t0.0\t10.0\t0.217\t2026-11-01T07:00:00\tnear-limit' "${lines[2]}"
	is 0 sacct-work -q -f text --json
	same '{"work":"u/gpu/train","names":1,"runs":1,"done":1' "$(cut -d, -f1-4 <<<"${lines[0]}")"
}

@test "two outputs that overlap: what stands in both counts once, in the report, the findings and the gate" {
	local option
	# the first is the header
	awk -F'|' '$1 !~ /\./ { job++ } job <= 4000' "$PLANTED" >text
	awk -F'|' '$1 !~ /\./ { job++ } job == 1 || job > 3000' "$PLANTED" >>text
	for option in '' -F; do
		is 0 sacct-work $option -f "$PLANTED"
		once=$output
		is 0 sacct-work $option -f text
		same "$once" "$output"
		has "$stderr" 'sacct-work: 1000 runs stand in the text twice: counted once'
	done
}

@test "the columns of states are disjoint and add up to the runs" {
	top
	for state in COMPLETED FAILED TIMEOUT DEADLINE OUT_OF_MEMORY NODE_FAIL BOOT_FAIL PREEMPTED 'CANCELLED by 7' REVOKED; do row "$state"; done
	is 0 sacct-work -q -f text
	same $'10\t1\t1\t2\t1\t5' "$(cut -f3-8 <<<"$output")"
	is 0 sacct-work -q -f "$PLANTED"
	awk -F '\t' '$3 != $4 + $5 + $6 + $7 + $8 { print; bad = 1 } END { exit bad }' <<<"$output"
}

# bats test_tags=smoke
@test "every attempt counts with its hours, requeued ones too; each task of an array is a run" {
	plant preempted
	is 0 sacct-work -q -f text
	# three attempts of 2000 s and one of 9000 s, on 8 cores and a GPU
	same $'plant/gpu/preempted\t1\t4\t1\t0\t0\t0\t3\t33.3\t4.2\t100.0' "$(cut -f1-11 <<<"$output")"
	plant shards
	is 0 sacct-work -q -f text
	same $'plant/cpu/shards\t1\t142\t71\t0\t0\t71\t0' "$(cut -f1-8 <<<"$output")"
	is 0 sacct-work -q -f "$ROOT/t/data/requeue-D.txt"
	same $'-/-/nodefailrq\t1\t2\t1\t0\t0\t0\t1' "$(grep rq <<<"$output" | cut -f1-8)"
	printf 'JobID|State|End|ElapsedRaw|AllocCPUS|AllocTRES\n7|REQUEUED|2026-11-29T10:00:00|3600|1|cpu=1\n7|COMPLETED|2026-11-29T12:00:00|3600|1|cpu=1\n' >text
	is 0 sacct-work -q -f text
	same $'2\t1\t0\t0\t0\t1\t2.0' "$(cut -f3-9 <<<"$output")"
	same 2026-11-29T12:00:00 "$(cut -f13 <<<"$output")"
	# without the column End its elapsed time says that the attempt ended
	cut -d'|' -f1,2,4- text >short
	is 0 sacct-work -q -f short
	same $'2\t1\t0\t0\t0\t1\t2.0' "$(cut -f3-9 <<<"$output")"
}

@test "names are folded, users apart; the names that were folded are counted" {
	top
	row COMPLETED name=a1_22; row COMPLETED name=a2_1; row COMPLETED name=a2_1; row COMPLETED name=a2_1 user=v; row COMPLETED name=a_b
	is 0 sacct-work -q -f text --sort runs
	same $'u/cpu/a#_#\t2\t3\nu/cpu/a_b\t1\t1\nv/cpu/a#_#\t1\t1' "$(cut -f1-3 <<<"$output")"
	# many names, once each, whatever their order
	top
	for ((k = 1; k <= 3000; k++)); do echo "$k|u|COMPLETED|2026-11-01T00:00:00|3000|01:00:00|4|1|02:40:00|8G|6000000K|cpu=4|p|n$((k * 7 % 2000))"; done >>text
	is 0 sacct-work -q -f text
	same 2000 "$(cut -f2 <<<"$output")"
}

# bats test_tags=smoke
@test "--by partition: the partitions of a work apart" {
	top; row COMPLETED; row COMPLETED part=long; row COMPLETED part=long
	is 0 sacct-work -q -f text --by partition
	same $'u/cpu/long/job\t1\t2\nu/cpu/p/job\t1\t1' "$(cut -f1-3 <<<"$output")"
	is 2 sacct-work -f text --by node
	refused
}

@test "cost is 16 GPU-hours and the core-hours; --gpu-weight says otherwise" {
	top; row COMPLETED gpus=3 elapsed=3600
	is 0 sacct-work -q -f text
	same $'4.0\t3.0\t52.0' "$(cut -f9-11 <<<"$output")"
	is 0 sacct-work -q -f text --gpu-weight 2.5
	same 11.5 "$(cut -f11 <<<"$output")"
	for weight in -1 x 1x '' nan; do is 2 sacct-work -f text --gpu-weight "$weight"; refused; done
}

@test "--sort: by cost, failures, rate, runs, recent; -n: the first, and how many more" {
	top
	rows 9 COMPLETED name=many elapsed=400; rows 3 FAILED name=many elapsed=400
	rows 2 FAILED name=bad elapsed=400
	row COMPLETED name=dear cpus=64
	row COMPLETED name=new elapsed=60
	for key in cost:dear failures:many rate:bad runs:many recent:new; do
		is 0 sacct-work -q -f text --sort "${key%:*}" -n 1
		same "u/cpu/${key#*:}" "$(cut -f1 <<<"$output")" "$key"
	done
	is 0 sacct-work -f text -n 1
	same 1 "${#lines[@]}"
	has "$stderr" 'sacct-work: 3 more, with 10.5 % of the cost'
	is 2 sacct-work -f text --sort size
	refused
	is 2 sacct-work -f text -n 0
	refused
}

@test "operands choose work by its name, folded, or its whole label; one that no work has is named: 3" {
	top; row COMPLETED name=a_7; row COMPLETED name=a_8 gpus=1; row COMPLETED name=b
	is 0 sacct-work -q -f text a_12
	same $'u/gpu/a_#\nu/cpu/a_#' "$(cut -f1 <<<"$output")"
	is 0 sacct-work -q -f text u/cpu/a_#
	same u/cpu/a_# "$(cut -f1 <<<"$output")"
	is 3 sacct-work -q -f text b a
	same u/cpu/b "$(cut -f1 <<<"$output")"
	same "sacct-work: no work is named 'a'" "$stderr"
}

@test "on a terminal: bars of cost, and the shares summed up" {
	top; row COMPLETED name=a cpus=24; row COMPLETED name=b cpus=6
	script -qec "sacct-work -q -f text" /dev/null </dev/null | tr -d '\r' >picture
	grep -q '^u/cpu/a .* ########################  0.800  0.800 ' picture
	grep -q '^u/cpu/b .* ######  *0.200  1.000 ' picture
	grep -q '^work .*of the largest cost  *share  summed  last' picture
}

# --- what is not known ---

@test "open runs, tasks that never started, steps without their job: counted on stderr, never as runs" {
	top
	row COMPLETED; row RUNNING; row PENDING
	row PENDING 'this=900_[1-20%4]'
	row CANCELLED elapsed=0 cpu= rss=
	echo '999.batch|u|COMPLETED||10||1|1|00:00:01||1K|||batch' >>text
	is 0 sacct-work -f text
	same $'u/cpu/job\t1\t1' "$(cut -f1-3 <<<"$output")"
	same 'sacct-work: 22 runs are not over: not counted
sacct-work: 1 never started: not counted
sacct-work: 1 step stands not behind the row of the job: not counted' "$stderr"
	# the end of a requeued attempt may never have been written
	printf 'JobID|State|ElapsedRaw|End\n7|REQUEUED|900|Unknown\n7|COMPLETED|60|2026-11-29T12:00:00\n' >text
	is 0 sacct-work -f text
	has "$stderr" 'sacct-work: 1 run is not over: not counted'
	top; row RUNNING
	is 3 sacct-work -f text
	has "$stderr" 'no run that is over'
}

@test "what is not recorded is unknown: said on stderr, - in the record, and no rule speaks" {
	printf 'JobID|State|JobName\n1|COMPLETED|a\n' >named
	is 0 sacct-work -f named
	has "$stderr" 'no column User: work is told apart by JobName alone'
	printf 'JobID|State\n1|COMPLETED\n2|FAILED\n' >text
	is 0 sacct-work -f text
	same $'-/-/-\t1\t2\t1\t1\t0\t0\t0\t-\t-\t-\t-\t-\t-' "$output"
	has "$stderr" 'no column JobName: all runs are taken for the same work'
	has "$stderr" 'time, cores or GPUs not recorded in 2 of 2 runs: their hours are not in the sums'
	has "$stderr" 'CPU time not recorded in 2 of 2 runs: whether they hung is unknown'
	has "$stderr" 'the memory request not recorded in 2 of 2 runs'
	has "$stderr" 'the peak of memory not recorded in 2 of 2 runs'
	has "$stderr" 'the time limit not recorded in 2 of 2 runs'
	# CPU time that is blank or zero is unknown, not a hang; failures whose request is unknown are not `unchanged`
	top; rows 5 TIMEOUT elapsed=3600 cpu= rss=; same repeat$'\n'unchanged "$(codes)"
	top; rows 5 TIMEOUT elapsed=3600 cpu=00:00:00 rss=; same repeat$'\n'unchanged "$(codes)"
	top; rows 4 FAILED; row FAILED mem=; same repeat "$(codes)"
	top; rows 4 FAILED; row FAILED limit=Partition_Limit; same repeat "$(codes)"
	top; rows 5 FAILED limit=; same repeat "$(codes)"
	# a run whose cores are not told adds nothing to the sums, one that used none adds zero
	top; row COMPLETED elapsed=3600; row COMPLETED elapsed=INVALID; row CANCELLED elapsed=0 submit=2026-11-02T00:00:00
	is 0 sacct-work -f text
	same 4.0 "$(cut -f9 <<<"$output")"
	has "$stderr" 'time, cores or GPUs not recorded in 1 of 2 runs'
}

@test "nothing read is no answer: 3; text that is not sacct's is refused: 2" {
	echo "$HEAD" >text
	is 3 sacct-work -f text
	refused
	is 3 sacct-work -f text --gate x
	is 2 sacct-work -f no-such-file
	refused
	printf 'JobID|State\n1|OUT_OF_ME+\n' >text
	is 2 sacct-work -f text
	has "$stderr" 'text: line 2'
	printf 'State\nFAILED\n' >text
	is 2 sacct-work -f text
	has "$stderr" 'no column JobID'
	is 2 script -qec sacct-work /dev/null
	has "$output" 'stdin is a terminal'
}

# --- findings ---

@test "each finding that is planted in a healthy history of 14000 runs is found, and nothing else is claimed" {
	is 0 sacct-work -q -F -f "$HEALTHY"
	same '' "$output"
	is 0 sacct-work -q -f "$HEALTHY"
	awk -F '\t' '{ runs += $3 } END { exit runs < 14000 }' <<<"$output"
	is 0 sacct-work -q -F -f "$PLANTED"
	same "$(sort <<-'END'
		plant/cpu/tokenizer_v# critical repeat
		plant/cpu/tokenizer_v# critical mem-search
		plant/cpu/search warning mem-search
		plant/cpu/shards critical repeat
		plant/cpu/shards warning unchanged
		plant/cpu/download_# critical repeat
		plant/cpu/download_# warning unchanged
		plant/cpu/download_# critical hang
		plant/cpu/download_# critical blocked-timeout
		plant/cpu/grown warning outgrew
		plant/gpu/pretrain_slice# warning near-limit
		plant/gpu/notebook warning hang
		plant/gpu/notebook critical held-gpu
		plant/cpu/waits warning hang
		plant/cpu/long_limit info slack-time
		plant/cpu/much_memory info slack-mem
		plant/cpu/many_cores info slack-cpu
		plant/gpu/preempted warning requeue-loop
		plant/gpu/on_cores warning gpu-for-cpu
		plant/cpu/lopsided warning array-unrepresentative
		plant/cpu/flaky critical repeat
		plant/cpu/again critical repeat
		plant/cpu/again warning unchanged
	END
	)" "$(awk -F '\t' '{ print $3, $2, $1 }' <<<"$output" | sort)"
	# the report names the same
	is 0 sacct-work -q -f "$PLANTED"
	same repeat,unchanged,hang,blocked-timeout "$(grep '/download_#' <<<"$output" | cut -f14)"
	same '' "$(grep -v '^plant' <<<"$output" | cut -f14 | grep -v -x -e -)"
}

@test "the evidence has the numbers: ten tokenizer runs, 142 shards, 99 time-outs, 34.56 GiB, 76 seconds" {
	plant tokenizer
	same '8 submissions (8 runs) were killed for memory, at 64G, 56G, 48G, 40G, 32G, 24G x2, 16G; 1009 completed later at 24G, where one had been killed' "$(evidence mem-search)"
	plant shards
	same 'all 71 that failed, of 142 runs, asked for 16G a node and 02:00:00' "$(evidence unchanged)"
	has "$(evidence repeat)" '71 of 142 runs failed (0 FAILED, 0 timed out, 71 out of memory), submitted 2026-'
	plant download
	same '99 of 99 runs took over 300 s and used under 10 s of CPU: 99.6 core-hours' "$(evidence hang)"
	same '99 of 99 time-outs used under 10 s of CPU' "$(evidence blocked-timeout)"
	plant grown
	has "$(evidence outgrew)" '1001 of 2026-09-21T14:28:20 used 34.56G a node, the latest request is 32G'
	plant pretrain
	same '1 of 4 completed runs within 5 % of the time limit, 1003 76 s inside 08:00:00' "$(evidence near-limit)"
	plant notebook
	same '1 of 1 runs held GPUs for over 300 s and used under 10 s of CPU: 10.0 GPU-hours' "$(evidence held-gpu)"
	plant preempted
	same '1 job was preempted again where it had been: 1001 3 times in scavenge' "$(evidence requeue-loop)"
	plant lopsided
	same 'the runs before array 1003 needed at most 1000M, 39 of its 40 tasks more, up to 5.83G' "$(evidence array-unrepresentative)"
}

@test "the critical findings come first; -n is their number; names choose, --json too" {
	is 0 sacct-work -q -F -f "$PLANTED"
	same $'critical\nwarning\ninfo' "$(cut -f2 <<<"$output" | uniq)"
	is 0 sacct-work -F -n 2 -f "$PLANTED"
	same 2 "${#lines[@]}"
	has "$stderr" 'sacct-work: 21 more findings'
	is 0 sacct-work -q -F -H -f "$PLANTED" waits
	same $'code\tseverity\twork\tevidence\tadvice' "${lines[0]}"
	same hang "$(cut -f1 <<<"${lines[1]}")"
	is 0 sacct-work -q -F --json -f "$PLANTED" waits
	has "$output" '{"code":"hang","severity":"warning","work":"plant/cpu/waits",'
}

@test "repeat: five runs, three of them failed; critical from a half on; cancelled and preempted ones have not failed" {
	top; rows 2 COMPLETED; rows 2 FAILED; same '' "$(codes)"
	top; row COMPLETED; rows 3 FAILED; same '' "$(codes)"
	top; rows 3 COMPLETED; rows 2 FAILED limit=01:30:00; same '' "$(codes)"
	top; rows 2 COMPLETED; rows 2 FAILED; row NODE_FAIL limit=1:10:00; same repeat "$(codes)"
	top; rows 2 COMPLETED; rows 2 FAILED; row PREEMPTED; same '' "$(codes)"
	top; rows 51 COMPLETED; rows 49 FAILED
	is 0 sacct-work -q -F -f text; same warning "$(grep repeat <<<"$output" | cut -f2)"
	rows 2 FAILED
	is 0 sacct-work -q -F -f text; same critical "$(grep repeat <<<"$output" | cut -f2)"
}

@test "mem-search: submissions are counted, an array is one; worse only where another submission completed later at a killed request" {
	top; for k in 1 2 3 4; do row OUT_OF_MEMORY this=7_$k submit=2026-11-01T00:00:00; done; same '' "$(codes)"
	row OUT_OF_MEMORY; row COMPLETED; has "$(codes)" repeat; hasnt "$(codes)" mem-search
	top; rows 3 OUT_OF_MEMORY; same mem-search "$(codes)"
	is 0 sacct-work -q -F -f text; same warning "$(cut -f2 <<<"$output")"
	top; row COMPLETED; rows 3 OUT_OF_MEMORY
	is 0 sacct-work -q -F -f text; same warning "$(cut -f2 <<<"$output")" 'completed before'
	top; rows 3 OUT_OF_MEMORY; row COMPLETED mem=9G
	is 0 sacct-work -q -F -f text; same warning "$(cut -f2 <<<"$output")" 'at another request'
	top; row OUT_OF_MEMORY mem=9G; row OUT_OF_MEMORY mem=8G; row OUT_OF_MEMORY mem=7G; row COMPLETED mem=8G
	is 0 sacct-work -q -F -f text; same critical "$(cut -f2 <<<"$output")"
	# the order is that of submission, not of the text
	{ head -n 1 text; tail -n 1 text; sed '1d;$d' text; } >turned
	is 0 sacct-work -q -F -f turned; same critical "$(cut -f2 <<<"$output")"
	# the same job, requeued, is no other submission
	top; row OUT_OF_MEMORY mem=9G; row OUT_OF_MEMORY mem=7G; row OUT_OF_MEMORY this=7; row COMPLETED this=7
	is 0 sacct-work -q -F -f text; same warning "$(cut -f2 <<<"$output")"
	# one that completed was not killed, whatever became of a step
	top
	for k in 1 2 3; do row COMPLETED; echo "$id.0|u|OUT_OF_MEMORY||3000||4|1|02:00:00||1K|||batch" >>text; done
	same '' "$(codes)"
	# a job is killed for memory where a step of it was
	top
	for k in 1 2 3; do row FAILED; echo "$id.batch|u|OUT_OF_MEMORY||3000||4|1|02:00:00||1K|||batch" >>text; done
	same mem-search "$(codes)"
}

@test "hang: over 300 s and under 10 s of CPU, at just that; not where a node, a preemption or the memory ended it" {
	top; row COMPLETED elapsed=301 cpu=00:09.999 limit=08:00; same hang "$(codes)"
	top; row COMPLETED elapsed=300 cpu=00:09.999 limit=08:00; same '' "$(codes)"
	top; row COMPLETED elapsed=301 cpu=00:10.000 limit=08:00; same '' "$(codes)"
	for state in NODE_FAIL BOOT_FAIL PREEMPTED OUT_OF_MEMORY DEADLINE; do
		top; row $state elapsed=3000 cpu=00:01.000; same '' "$(codes)" "$state"
	done
	for state in FAILED TIMEOUT CANCELLED; do
		top; row $state elapsed=3000 cpu=00:01.000; same hang "$(codes)" "$state"
	done
	top; row COMPLETED gpus=2 cpu=00:01.000; same hang$'\n'held-gpu "$(codes)"
	same '1 of 1 runs held GPUs for over 300 s and used under 10 s of CPU: 1.7 GPU-hours' "$(evidence held-gpu)"
	# critical from three and a quarter of the runs on
	severity() { is 0 sacct-work -q -F -f text; grep '^hang' <<<"$output" | cut -f2; }
	top; rows 2 FAILED cpu=00:01.000; rows 3 COMPLETED; same warning "$(severity)"
	top; rows 24 FAILED cpu=00:01.000; rows 76 COMPLETED; same warning "$(severity)"
	top; rows 25 FAILED cpu=00:01.000; rows 75 COMPLETED; same critical "$(severity)"
	top; rows 3 FAILED cpu=00:01.000; rows 9 COMPLETED; same critical "$(severity)"
}

@test "blocked-timeout: three time-outs that computed nothing, and half of them all" {
	top; rows 2 TIMEOUT elapsed=3600 cpu=00:01.000; same hang "$(codes)"
	top; rows 3 TIMEOUT elapsed=3600 cpu=00:01.000; same blocked-timeout$'\n'hang "$(codes)"
	top; rows 3 TIMEOUT elapsed=3600 cpu=00:01.000; rows 3 TIMEOUT elapsed=3600; has "$(codes)" blocked-timeout
	top; rows 49 TIMEOUT elapsed=3600 cpu=00:01.000; rows 51 TIMEOUT elapsed=3600; hasnt "$(codes)" blocked-timeout
}

@test "near-limit: a completed run at 95 % of its time or memory; one that was cut is not near but over" {
	top; row COMPLETED elapsed=3419; same '' "$(codes)"
	top; row COMPLETED elapsed=3420; same near-limit "$(codes)"
	top; row TIMEOUT elapsed=3600; same '' "$(codes)"
	top; row COMPLETED limit=UNLIMITED; same '' "$(codes)"
	top; row COMPLETED rss=7969178K; same near-limit "$(codes)"
	top; row COMPLETED rss=7969177K; same '' "$(codes)"
	# above the limit and not killed: pages counted twice, no footprint
	top; row COMPLETED rss=9000000K; same '' "$(codes)"
}

@test "outgrew: an earlier run used more memory or time than the latest request; what cut a run is all it used" {
	top; row COMPLETED mem=16G rss=9000000K; row COMPLETED; same outgrew "$(codes)"
	top; row COMPLETED; row COMPLETED mem=16G rss=9000000K; same '' "$(codes)"
	top; row COMPLETED limit=02:00:00 elapsed=4000; row COMPLETED; same outgrew "$(codes)"
	has "$(evidence outgrew)" 'took 01:06:40, the latest request is 01:00:00'
	top; row COMPLETED limit=02:00:00 elapsed=4000 cpu=00:05; row COMPLETED; same $'hang\noutgrew' "$(codes)"
	top; row TIMEOUT limit=02:00:00 elapsed=7200 cpu=00:05; row COMPLETED; same hang "$(codes)"
	top; row TIMEOUT elapsed=3603; row OUT_OF_MEMORY rss=8400000K; row COMPLETED; same '' "$(codes)"
	top; row TIMEOUT limit=02:00:00 elapsed=7203; row COMPLETED; same outgrew "$(codes)"
	# one that was cancelled had not said what it needs
	top; row CANCELLED limit=02:00:00 elapsed=7000; row COMPLETED; same '' "$(codes)"
	# a hang of two hours needed no two hours
	top; row TIMEOUT limit=02:00:00 elapsed=7203 cpu=00:01.000; row COMPLETED; same hang "$(codes)"
}

@test "slack: three runs, and none comes near what is asked for" {
	top; rows 2 COMPLETED elapsed=1700; same '' "$(codes)"
	top; rows 3 COMPLETED elapsed=1799; same slack-time "$(codes)"
	# what computed little and completed needed its time all the same
	row COMPLETED elapsed=1800 cpu=00:05; same hang "$(codes)"
	# one that still runs needs what it has taken so far; beyond its limit its end was never recorded
	top; rows 3 COMPLETED elapsed=1799; row RUNNING elapsed=1800 rss=; same '' "$(codes)"
	top; rows 3 COMPLETED elapsed=1799; row RUNNING elapsed=3601 rss=; same slack-time "$(codes)"
	top; rows 3 COMPLETED elapsed=1700; row COMPLETED elapsed=1800; same '' "$(codes)"
	top; rows 3 COMPLETED mem=64G rss=20G cpus=1; same slack-mem "$(codes)"
	top; rows 3 COMPLETED mem=64G rss=20G cpus=1; row FAILED mem=64G rss=40G cpus=1; same '' "$(codes)"
	top; rows 3 COMPLETED mem=48G rss=16G cpus=1; same slack-mem "$(codes)"
	top; rows 3 COMPLETED mem=128G rss=44.7G cpus=1; same slack-mem "$(codes)"
	top; rows 3 COMPLETED mem=48G rss=16.5G cpus=1; same '' "$(codes)" 'less than 32 GiB are left'
	top; rows 3 COMPLETED mem=128G rss=45G cpus=1; same '' "$(codes)" '35 %'
	top; rows 3 COMPLETED mem=64G rss=20G cpus=1; row COMPLETED mem=64G rss=20G; same '' "$(codes)" 'one of several tasks'
	top; rows 3 COMPLETED cpus=8 cpu=00:59:59; same slack-cpu "$(codes)"
	top; rows 3 COMPLETED cpus=8 cpu=01:00:00; same '' "$(codes)"
	top; rows 3 COMPLETED cpus=1 cpu=00:01:00; same '' "$(codes)"
	top; rows 3 COMPLETED elapsed=120 cpu=00:00:30 limit=00:03:00; same slack-cpu "$(codes)"
	top; rows 2 COMPLETED cpus=8 cpu=00:59:59; same '' "$(codes)"
	top; rows 3 COMPLETED elapsed=119 cpu=00:00:30 limit=00:03:00; same '' "$(codes)"
}

@test "requeue-loop: one job, or task, preempted twice in one partition" {
	top; row PREEMPTED this=7; row PREEMPTED this=7; row COMPLETED this=7; same requeue-loop "$(codes)"
	top; row PREEMPTED this=7; row PREEMPTED this=8; row COMPLETED this=7; same '' "$(codes)"
	top; row PREEMPTED this=7_1; row PREEMPTED this=7_2; same '' "$(codes)"
	top; row PREEMPTED this=7_1; row PREEMPTED this=7_2; row PREEMPTED this=7_1; same requeue-loop "$(codes)"
	top; row PREEMPTED this=7; row PREEMPTED this=7 part=q; same '' "$(codes)"
}

@test "a partition is shown with its cluster only where there are several" {
	where() {
		printf 'JobID|State|Cluster|Partition|JobName\n7|PREEMPTED|one|p|job\n7|PREEMPTED|one|p|job\n8|FAILED|one|q|job\n%b' "$1" >text
		is 0 sacct-work -q -F -f text
		has "$output" "7 2 times in $2"$'\t'
		is 0 sacct-work -q --runs job -f text
		same "$3" "$(cut -f4 <<<"$output" | paste -sd' ')"
	}
	where '' p 'p p q'
	where '9|FAILED|two|p|job\n' one/p 'one/p one/p one/q two/p'
	where '9|FAILED||p|job\n' one/p 'one/p one/p one/q p'
	sed -i 's/|one|/||/; s/|p|/||/' text
	is 0 sacct-work -q -F -f text
	has "$output" $'7 2 times in one partition\t'
}

@test "gpu-for-cpu: only where the use of GPUs is recorded" {
	plant on_cores; same gpu-for-cpu "$(codes)"
	sed 's/,gres\/gpuutil=[0-9]*//g' text >none
	is 0 sacct-work -F -f none
	same '' "$output"
	same 'sacct-work: GPU use (gres/gpuutil) not recorded in 4 of 4 runs: whether they used their GPUs is unknown' "$stderr"
	# on_gpu RUNS SECONDS CPU PERCENT
	on_gpu() {
		echo 'JobID|State|ElapsedRaw|AllocCPUS|NNodes|TotalCPU|AllocTRES|TRESUsageInTot'
		for ((k = 1; k <= $1; k++)); do
			echo "$k|COMPLETED|$2|2|1||cpu=2,node=1,gres/gpu=1|"
			echo "$k.batch|COMPLETED|$2|2|1|$3|cpu=2,node=1,gres/gpu=1|gres/gpuutil=$4"
		done
	}
	on_gpu 3 300 02:30.000 4 >text; same gpu-for-cpu "$(codes)"
	on_gpu 2 300 02:30.000 4 >text; same '' "$(codes)"
	on_gpu 3 299 02:30.000 4 >text; same '' "$(codes)"
	on_gpu 3 300 02:29.000 4 >text; same '' "$(codes)"
	on_gpu 3 300 02:30.000 5 >text; same '' "$(codes)"
}

@test "array-unrepresentative: a probe in the lowest fifth, and tasks that need half as much again" {
	array() { for ((k = 1; k <= 10; k++)); do row COMPLETED this=900_$k submit=2026-11-20T00:00:00 rss=$((k * $1))K cpus=1; done; }
	top; row COMPLETED rss=2500K cpus=1; array 1000; same array-unrepresentative "$(codes)"
	top; row COMPLETED rss=3500K cpus=1; array 1000; same '' "$(codes)" 'three of ten used less'
	top; row COMPLETED rss=2500K cpus=1 submit=2026-11-21T00:00:00; array 1000; same '' "$(codes)" 'run after the array'
	top; row COMPLETED rss=2500K cpus=1; array 370; same '' "$(codes)" 'largest 1.48 times'
	top; row COMPLETED rss=1500K cpus=1; array 1000; sed -i '$d' text; same '' "$(codes)" 'nine tasks'
	hundred() { for ((k = 1; k <= 100; k++)); do echo "900_$k|u|COMPLETED|2026-11-20T00:00:00|3000|01:00:00|1|1|00:40:00|8G|$((k <= $1 ? 1999 : $2))K|cpu=1|p|job"; done >>text; }
	top; row COMPLETED rss=2000K cpus=1; hundred 20 3000; same array-unrepresentative "$(codes)"
	top; row COMPLETED rss=2000K cpus=1; hundred 21 3000; same '' "$(codes)" 'a fifth'
	top; row COMPLETED rss=2000K cpus=1; hundred 20 2999; same '' "$(codes)" 'half as much again'
	top; row COMPLETED rss=2000K cpus=1; hundred 20 9000000; same '' "$(codes)" 'untrusted peaks'
	# by time too; and a task that was killed used its limit
	top; row COMPLETED elapsed=1900
	for ((k = 1; k <= 10; k++)); do row COMPLETED this=900_$k submit=2026-11-20T00:00:00 elapsed=$((k == 1 ? 1800 : 3000)); done
	same array-unrepresentative "$(codes)"
	sed -i '4,$s/02:40:00/00:01.000/' text; same hang "$(codes)" 'what hung says nothing'
	top; row COMPLETED rss=3000000K cpus=1
	for ((k = 1; k <= 10; k++)); do row "$([ "$k" -lt 3 ] && echo COMPLETED || echo OUT_OF_MEMORY)" this=900_$k submit=2026-11-20T00:00:00 rss=2000000K cpus=1; done
	has "$(codes)" array-unrepresentative
}

@test "--rules, the page and -F name the same codes and thresholds" {
	is 0 sacct-work --rules
	same "$(cut -f1,3 <<<"$output" | tr '\t' '\n')" "$(awk '/^\.Ss Rules/ { on = 1; next } /^\.Ss/ { on = 0 }
		on && next_is { print; next_is = 0 } on && /^\.It Cm / { print $3; next_is = 1 }' "$ROOT/share/man/man1/sacct-work.1")"
	same 14 "${#lines[@]}"
	rules=$(cut -f1 <<<"$output" | sort)
	is 0 sacct-work -q -F -f "$PLANTED"
	same "$rules" "$(cut -f1 <<<"$output" | sort -u)" 'each is planted'
	# the gate's thresholds stand on the page as in the source
	for name in GATE_RUNS GATE_FAILED GATE_SHARE; do
		grep -q "$name=$(awk -v name=$name '$2 == name { print $3 }' "$ROOT/src/sacct-work.c")\b" "$ROOT/share/man/man1/sacct-work.1"
	done
}

# --- the runs of one ---

@test "--runs: in the order of submission, with request, peak and state; open ones too" {
	plant tokenizer
	{ head -n 1 text; tail -n 3 text; sed '1d' text | head -n 27; } >turned
	is 0 sacct-work -q -H --runs tokenizer_v77 -f turned
	same $'work\tid\tsubmit\tpartition\tlimit\tmem\tcpus\tgpus\telapsed\tpeak\tpeak_is\tstate' "${lines[0]}"
	same $'plant/cpu/tokenizer_v#\t1001\t2026-09-21T14:28:20\tcpu\t04:00:00\t64G\t8\t0\t00:06:50\t8.79G\tmeasured\tOUT_OF_MEMORY' "${lines[1]}"
	same "$(seq 1001 1010)" "$(sed 1d <<<"$output" | cut -f2)"
	top; row COMPLETED; row COMPLETED rss=9G mem=8G; row RUNNING elapsed=7 rss=
	is 0 sacct-work -q --runs job -f text
	same $'5.72G\tat-least\tCOMPLETED\n9G\tuntrusted\tCOMPLETED\n-\t-\tRUNNING' "$(cut -f10- <<<"$output")"
	is 3 sacct-work -q --runs other -f text
	refused
}

# --- the gate ---

@test "the gate objects to a request that was killed, and to less, until more has completed" {
	plant tokenizer
	gate 1 tokenizer_v11
	same 'sacct-work: plant/cpu/tokenizer_v#: 7 of 9 runs were killed for memory at 24G a node or more (the others completed at that or less), since 2026-09-21T14:28:20
sacct-work: plant/cpu/tokenizer_v#: what differed in the 2 that completed: memory 24G (failed: 16G to 64G); took 02:13:20 (failed: 00:06:50 to 00:08:00)' "$stderr"
	gate 1 tokenizer_v11 --request mem=20G
	gate 0 tokenizer_v11 --request mem=65G
	plant search
	gate 0 search
	gate 1 search --request mem=32G
	gate 1 search --request mem=1G
	gate 0 search --request mem=33G
	plant shards
	gate 1 shards
	has "$stderr" '71 of 142 runs were killed for memory at 16G a node or more'
	has "$stderr" 'what differed in the 71 that completed: peak 7.81G to 9.18G (failed: 14.65G)'
	gate 0 shards --request mem=17G
	is 1 sacct-work -q -f text --gate shards
	same '' "$stderr"
}

@test "the gate objects to a limit that cut a computing run, and to any limit where time-outs hung" {
	top; row COMPLETED elapsed=3000; rows 2 TIMEOUT limit=00:30:00 elapsed=1803 cpu=01:00:00
	gate 1 job
	has "$stderr" 'u/cpu/job: 2 of 2 runs ran out of time at 00:30:00 or more, since 2026-11-01T06:00:00'
	gate 0 job --request time=1h
	top; rows 2 TIMEOUT elapsed=3600 cpu=00:01.000; row COMPLETED limit=02:00:00 elapsed=5000; gate 0 job --request time=1h
	plant download
	gate 1 download_3
	gate 1 download_3 --request time=3-00
	has "$stderr" '99 of 99 runs hung until their time was up: a longer limit buys a longer hang'
	has "$stderr" 'none of its 99 runs completed'
}

@test "the gate objects where three failed at this very request, and half of all; three completed since lift it" {
	top; rows 2 FAILED; row COMPLETED mem=9G; gate 0 job --request mem=8G
	top; rows 3 FAILED; gate 1 job
	has "$stderr" '3 of 3 runs failed at 8G a node and 01:00:00, since 2026-11-01T05:00:00'
	gate 0 job --request mem=9G
	gate 0 job --request time=2h
	gate 1 job --request mem=8G,time=60:00
	top; rows 3 COMPLETED; rows 3 NODE_FAIL; gate 1 job
	top; rows 4 COMPLETED; rows 3 FAILED; gate 0 job
	top; rows 50 COMPLETED; rows 50 FAILED; gate 1 job
	top; rows 48 FAILED; rows 51 COMPLETED; rows 2 FAILED; gate 0 job
	top; rows 20 COMPLETED; rows 4 FAILED; gate 0 job
	top; rows 20 COMPLETED; rows 5 FAILED; gate 1 job # the latest five, one after another
	row COMPLETED; gate 0 job
	top; row COMPLETED; rows 2 FAILED; gate 0 job
	top; row COMPLETED; row COMPLETED; rows 2 OUT_OF_MEMORY; gate 0 job
	top; row COMPLETED; row COMPLETED; rows 3 OUT_OF_MEMORY; gate 1 job
	top; rows 6 FAILED; rows 2 COMPLETED; gate 1 job
	row COMPLETED; gate 0 job
	# but the later tasks of one array were not submitted since
	top; for ((k = 1; k <= 6; k++)); do row "$([ $k -gt 3 ] && echo COMPLETED || echo FAILED)" this=7_$k submit=2026-11-01T00:00:00; done; gate 1 job
	# whether they failed at this request is not recorded
	top; rows 3 FAILED limit=; gate 3 job
	has "$stderr" '3 runs failed, and whether at this request is not recorded'
	gate 0 job --request mem=9G
	top; rows 2 FAILED limit=; row COMPLETED; gate 0 job
	# where they completed
	top; rows 3 FAILED; rows 2 COMPLETED part=big cpus=8; gate 1 job
	has "$stderr" 'cores 8 (failed: 4); partition big, where none failed'
}

@test "no slack-mem below a memory at which a run, or a step of one, was killed" {
	top; rows 3 COMPLETED mem=64G rss=2G cpus=1; same slack-mem "$(codes)"
	row OUT_OF_MEMORY mem=64G rss=1G cpus=1; same '' "$(codes)"
	# one that was killed at far less does not speak against it
	top; row OUT_OF_MEMORY mem=4G rss=1G cpus=1; rows 3 COMPLETED mem=64G rss=5G cpus=1; has "$(codes)" slack-mem
	# a step of a job that is COMPLETED
	top; rows 3 COMPLETED mem=64G rss=2G cpus=1
	sed 's/^103|\(.*\)/&\n103.0||OUT_OF_MEMORY||800||1|1|00:01:00||1G|cpu=1,mem=64G|p|step/' text >steps && mv steps text
	grep -q '^103.0' text
	same '' "$(codes)"
}

@test "a job that waited until its deadline was no run, and is no objection" {
	top; rows 3 DEADLINE elapsed=0 cpu=00:00:00 rss=; row COMPLETED
	gate 0 job
	is 0 sacct-work -f text
	same 1 "$(cut -f3 <<<"$output")"
	has "$stderr" '3 never started: not counted'
	top; rows 3 DEADLINE elapsed=900; gate 1 job
}

@test "the gate: at which limit or memory runs were cut is not told by what else they asked for" {
	top; rows 3 TIMEOUT limit= elapsed=3600
	gate 3 job --request mem=16G,time=1h
	has "$stderr" '3 runs failed, and whether at this request is not recorded'
	gate 3 job --request mem=16G
	top; rows 3 TIMEOUT limit=Partition_Limit elapsed=3600
	gate 3 job --request mem=4G,time=1h
	top; rows 3 OUT_OF_MEMORY mem=
	gate 3 job --request mem=8G,time=2h
	# a limit that is told stays enough of an answer, and so does a hang
	top; rows 3 TIMEOUT elapsed=3600 mem=
	gate 0 job --request mem=8G,time=2h
	gate 1 job --request mem=8G,time=1h
	top; rows 3 TIMEOUT limit= elapsed=3600 cpu=00:01.000
	gate 1 job --request mem=16G,time=1h
}

@test "what is asked about is named once, and is as it is shown" {
	top; rows 3 OUT_OF_MEMORY mem=4000M
	is 1 sacct-work --gate job -f text
	has "$stderr" 'were killed for memory at 4000M a node'
	is 1 sacct-work -q --gate job --request mem=4000M -f text
	for args in '--gate job --gate x' '--gate job --request mem=8G,mem=16G' '--gate job --request time=1h,time=2h' '--gate job --request time=0'; do
		is 2 sacct-work $args -f text
	done
	is 2 sacct-work --gate '' -f text
	same 'sacct-work: --gate: an empty word (an unset variable?)' "$stderr"
	sed 's/JobName/Comment/' text >nameless
	is 2 sacct-work --gate job -f nameless
	has "$stderr" 'no column JobName: which runs are those of job cannot be told'
}

@test "too little history is no objection, and said; several works of a name: any that objects counts" {
	top; rows 2 OUT_OF_MEMORY
	gate 0 job
	same 'sacct-work: u/cpu/job: 2 runs: too little history to object' "$(tail -n 1 <<<"$stderr")"
	gate 0 other
	same 'sacct-work: no run of other that is over: too little history to object' "$stderr"
	row OUT_OF_MEMORY; rows 5 COMPLETED user=v
	gate 1 job
	gate 0 v/cpu/job
	gate 1 u/cpu/job
}

@test "the gate: accounting that does not answer is 3, and what is asked wrong is 2" {
	mkdir bin
	# shellcheck disable=SC2016 # for that sh
	printf '#!/bin/sh\n[ "$1" = -e ] && exec echo JobID State\nexit 1\n' >bin/sacct; chmod +x bin/sacct
	PATH=$PWD/bin:$PATH is 3 sacct-work -q -S 1d --gate job
	same '' "$output"
	top; rows 3 FAILED
	for wrong in mem=6 mem=x mem=0 mem= time=30 time=x cpus=3 '' 'mem=6G,,'; do
		is 2 sacct-work -f text --gate job --request "$wrong"
		refused
	done
	is 2 sacct-work -f text --request mem=6G
	is 2 sacct-work -f text --gate job other
	is 2 sacct-work -f text --gate job -F
	is 2 sacct-work -f text -S 1d
}

# --- asking sacct ---

@test "with -S, -E or -u sacct is asked, with all attempts and steps; names choose from its answer" {
	mkdir bin
	cat >bin/sacct <<-'END'
		#!/bin/sh
		echo "$@" >>calls
		[ "$1" = -e ] && exec sed 's/|/ /g;1q' text
		sed "s/|/$(printf '\037')/g" text
	END
	chmod +x bin/sacct
	top; row COMPLETED; row COMPLETED name=other
	PATH=$PWD/bin:$PATH is 0 sacct-work -q -S 7d -u all other
	same u/cpu/other "$(cut -f1 <<<"$output")"
	last=$(tail -n 1 calls)
	has " $last " ' -D'
	hasnt " $last " ' -X'
	PATH=$PWD/bin:$PATH is 0 sacct-work -u me
	has "$stderr" 'sacct-work: the last 30 days (-S says otherwise)'
	is 0 sacct-work --fields
	has ",$output," ,Submit,
	has ",$output," ,TRESUsageInTot,
}

@test "what a site prints before or behind sacct's table is no part of it: 3, from the gate too" {
	mkdir bin
	cat >bin/sacct <<-'END'
		#!/bin/sh
		# the columns in the order in which they are asked for, as sacct prints them
		[ "$1" = -e ] && exec sed 's/|/ /g;1q' text
		while [ "$1" != -o ]; do shift; done
		[ "$NOISE" != before ] || echo 'Welcome to alpha'
		awk -F'|' -v want="$2" 'BEGIN { n = split(want, w, ",") } NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
			{ for (i = 1; i <= n; i++) printf "%s%s", $at[w[i]], i < n ? "\037" : "\n" }' text
		[ "$NOISE" != behind ] || echo 'Have a nice day'
	END
	chmod +x bin/sacct
	PATH=$PWD/bin:$PATH
	top; rows 3 FAILED
	is 1 sacct-work -q -S 7d --gate job
	for NOISE in before behind; do
		export NOISE
		is 3 sacct-work -q -S 7d
		refused
		is 3 sacct-work -q -S 7d --gate job
		refused
	done
}

@test "a record that accounting has not settled is no work of that name, and is said" {
	top; row COMPLETED name=allocation part=
	is 3 sacct-work -q -f text
	unsettled='sacct-work: 1 record is not settled yet (no partition, named allocation): not counted, accounting lags up to 15 s'
	same "$unsettled" "${stderr%%$'\n'*}"
	row COMPLETED; row COMPLETED name=allocation
	is 0 sacct-work -q -f text
	same $'u/cpu/allocation\nu/cpu/job' "$(cut -f1 <<<"$output" | sort)"
	same "$unsettled" "$stderr"
	gate 0 allocation
	has "$stderr" 'u/cpu/allocation: 1 run: too little history'
}

@test "half a million kills, each at a memory of its own, are no square of work" {
	{
		echo 'JobID|JobName|User|State|Submit|Elapsed|AllocTRES'
		seq 1000 500999 | awk '{ print $1 "|job|u|OUT_OF_MEMORY|2026-11-20T00:00:00|00:10:00|cpu=1,mem=" $1 "K,node=1" }'
	} >text
	(ulimit -t 15 && exec sacct-work -q -f text) >out
	same $'u/cpu/job\t500000' "$(cut -f1,3 out)"
}

@test "hostile names: one record each, nothing raw on a terminal" {
	printf 'JobID|State|User|JobName\n1|FAILED|u|a\033[31mb\n2|FAILED|u|c\td\n3|FAILED|u|/x/\\\n' >text
	is 0 sacct-work -q -f text
	same $'u/-//x/\\\\\nu/-/a\\x1B[#mb\nu/-/c\\td' "$(cut -f1 <<<"$output")"
}
