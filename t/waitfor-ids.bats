#!/usr/bin/env bats
# waitfor: job: requeues, arrays, steps, ids and states; how often slurmctld is asked; left
load waitfor/helper

@test "job: requeued, it keeps its id and is not over" {
	preload T_SPEED=40
	slurm
	queue 1 '4711 RUNNING'
	queue 2 '4711 COMPLETING'
	queue 3 '4711 PENDING BeginTime'
	queue 4 '4711 RUNNING'
	queue all '4711 COMPLETED'
	acct all '4711 NODE_FAIL 0:0 cpu'
	P 0 -t 10m job 4711
	same 5 "$(calls squeue)"
	same 0 "$(calls sacct)"
}

@test "job: an id that was another job's before: what is older than squeue's word is not believed" {
	preload T_SPEED=10
	slurm
	queue 1 '4711 RUNNING'
	gone all
	acct 1 '4711 COMPLETED 0:0 cpu 2017-10-03T13:39:29'
	acct all '4711 FAILED 1:0 cpu 2026-11-29T17:20:41'
	P 1 -t 10m job 4711
	same $'4711\tFAILED\t1:0' "$output"
	# the live queue overrules accounting
	afresh
	queue all '4711 RUNNING'
	acct all '4711 COMPLETED 0:0 cpu 2017-10-03T13:39:29'
	W 124 -t 0 job 4711
}

@test "job: an array is over when every task is; throttled and ranged pending rows count" {
	slurm
	for rows in "20_[2-198:2%1] PENDING" "20_[5-6%4] PENDING" "20_7 RUNNING" "20_[2,4,6,8,...] PENDING"; do
		queue all "20_0 COMPLETED" "20_1 COMPLETED" "$rows JobArrayTaskLimit"
		W 124 -t 0 job 20
	done
	queue all '20_0 COMPLETED' '20_1 COMPLETED' '20_2 COMPLETED'
	acct all '20_0 COMPLETED 0:0 cpu' '20_1 COMPLETED 0:0 cpu' '20_2 COMPLETED 0:0 cpu'
	W 0 -t 10s job 20
	same $'20_[0-2]\tCOMPLETED\t0:0' "$output"
	# a task that was purged long ago had failed
	acct all '20_0 COMPLETED 0:0 cpu' '20_1 COMPLETED 0:0 cpu' '20_2 COMPLETED 0:0 cpu' '20_3 FAILED 1:0 cpu' '20_9 FAILED 1:0 cpu'
	W 1 -t 10s job 20
	same $'20_[0-2]\tCOMPLETED\t0:0\n20_[3,9]\tFAILED\t1:0' "$output"
	has "$stderr" '20_3 ended FAILED 1:0, and 1 more of 5'
}

@test "job: accounting has the first of an array's tasks only: the others are waited for" {
	preload T_SPEED=10
	slurm
	queue 1 '20_[1-4] PENDING'
	: >fake/squeue.all
	acct 1 '20_1 COMPLETED 0:0 cpu'
	acct all '20_1 COMPLETED 0:0 cpu' '20_2 COMPLETED 0:0 cpu' '20_3 COMPLETED 0:0 cpu' '20_4 COMPLETED 0:0 cpu'
	P 0 -t 10m job 20
	same $'20_[1-4]\tCOMPLETED\t0:0' "$output"
	same 2 "$(calls sacct)"
}

@test "job: an array that is named behind one of its tasks is asked for whole" {
	slurm
	queue all '20_3 COMPLETED' '20_4 RUNNING'
	# as a real one, which lists what -j names
	printf '#!/bin/sh\nd=${0%%/*}\ncase " $*" in *" -j 20_3") grep "^20_3|" $d/squeue.all;; *) cat $d/squeue.all;; esac\n' >fake/squeue
	W 124 -t 0 --state ended job 20_3 20
	same $'20_3\tCOMPLETED\t0:0\n20_4\tRUNNING\t-\n20_3\tCOMPLETED\t0:0' "$output"
	cp "$TOOLS/fake" fake/squeue
	queue all '20_[1-4] RUNNING' '21+1 RUNNING'
	W 124 -t 0 job 20_3 20 20_4 20 '20_[1-2]' 21+1 21
	has "$(cat fake/squeue.calls)" ' -j 20_3,20,20_4,21'
}

@test "job: a range that accounting calls PENDING is not over with its first task" {
	preload T_SPEED=40
	slurm
	queue all '20_3 COMPLETED'
	acct all '20_[3-9] PENDING 0:0 cpu'
	P 3 -t 10m job 20
	has "$stderr" '20: squeue: gone; sacct: PENDING'
	queue all '20_3 COMPLETED' '20_4 COMPLETED'
	acct all '20_[3-4] PENDING 0:0 cpu'
	P 0 -t 10m job 20
	same $'20_[3-4]\tCOMPLETED\t0:0' "$output"
}

@test "job: each component of a heterogeneous job is a record, also of those in one state" {
	slurm
	queue all '20+0 RUNNING' '20+1 RUNNING' '20+2 RUNNING' '20+4 PENDING'
	W 124 -t 0 job 20
	same $'20+0\tRUNNING\t-\n20+1\tRUNNING\t-\n20+2\tRUNNING\t-\n20+4\tPENDING\t-' "$output"
}

@test "job: tasks of an array by number and by range" {
	slurm
	queue all '20_[2-198:2%1] PENDING' '20_0 COMPLETED' '20_1 FAILED'
	acct all '20_0 COMPLETED 0:0 cpu' '20_1 FAILED 2:0 cpu'
	W 0 -t 5s job 20_0
	same $'20_0\tCOMPLETED\t0:0' "$output"
	W 1 -t 5s job '20_[0-1]'
	same $'20_0\tCOMPLETED\t0:0\n20_1\tFAILED\t2:0' "$output"
	W 124 -t 0 job 20_4
	same $'20_4\tPENDING\t-' "$output"
	W 124 -t 0 job '20_[4,6-10]'
	same $'20_[4-10:2]\tPENDING\t-' "$output"
}

@test "job: a cancelled rest of an array is an end of all its tasks" {
	slurm
	queue all '50_[3-14%5] CANCELLED JobArrayTaskLimit' '50_3 COMPLETED' '50_1 COMPLETED'
	acct all '50_1 COMPLETED 0:0 cpu' '50_3 COMPLETED 0:0 cpu' '50_[3-14%5] CANCELLED+by+1001 0:0 cpu'
	W 1 -t 5s job 50
	same $'50_[1,3]\tCOMPLETED\t0:0\n50_[4-14]\tCANCELLED\t0:0' "$output"
}

@test "job: a bad end of one job is 1 at once, whatever the others do" {
	slurm
	queue all '1 RUNNING' '2 FAILED'
	acct all '2 FAILED 9:0 cpu'
	W 1 -t 20s job 1 2
	in_time 0
	same $'1\tRUNNING\t-\n2\tFAILED\t9:0' "$output"
}

@test "job: a dependency that is never satisfied is 1" {
	slurm
	queue all '13 PENDING DependencyNeverSatisfied'
	W 1 -t 20s job 13
	same $'13\tPENDING\t-' "$output"
	has "$stderr" 'a dependency that is never satisfied'
	queue all '13 PENDING Dependency'
	W 124 -t 0 job 13
}

@test "job --state: ended takes any end, RUNNING a start, also one that is over" {
	slurm
	queue all '1 FAILED' '2 COMPLETED'
	acct all '1 FAILED 3:0 cpu' '2 COMPLETED 0:0 cpu'
	W 0 -t 5s --state ended job 1 2
	same $'1\tFAILED\t3:0\n2\tCOMPLETED\t0:0' "$output"
	queue all '1 RUNNING'
	W 124 -t 0 --state ended job 1
	W 0 -t 5s --state RUNNING job 1
	same $'1\tRUNNING\t-' "$output"
	for s in COMPLETING SUSPENDED FAILED TIMEOUT; do
		queue all "1 $s"
		acct all "1 $s 1:0 cpu"
		W 0 -t 5s --state running job 1
	done
	for s in PENDING CONFIGURING REQUEUED; do
		queue all "1 $s"
		W 124 -t 0 --state running job 1
	done
	echo '1|1|CANCELLED|2026-11-29T17:20:41||None' >fake/squeue.all
	acct all '1 CANCELLED+by+0 0:0 cpu 2026-11-29T17:20:41 None'
	W 1 -t 5s --state running job 1
	has "$stderr" 'never started'
	queue all '20_[2-3] PENDING' '20_1 RUNNING'
	W 124 -t 0 --state running job 20
}

@test "job: a word for a state that is not known is never success" {
	slurm
	queue all '4711 SPLENDID'
	W 124 -t 0 job 4711
	same $'4711\tSPLENDID\t-' "$output"
	has "$stderr" 'waitfor: 4711: squeue: SPLENDID is no state that is known here: waited for as one that is not over'
	W 124 -t 0 --state ended job 4711
	W 124 -t 0 --state running job 4711
	gone all
	acct all '4711 SPLENDID 0:0 cpu'
	W 3 -t 0 job 4711
}

@test "job: REVOKED is no end: another cluster of the federation runs it, 3" {
	slurm
	queue all '4711 REVOKED'
	acct all '4711 REVOKED 0:0 cpu'
	W 3 -t 10s job 4711
	same $'4711\tREVOKED\t0:0' "$output"
	has "$stderr" '4711 is REVOKED: another cluster of the federation runs it, which is to be asked'
	W 3 -t 10s --state ended job 4711
	queue all '4711_1 REVOKED'	# no accounting: it was seen, and is no end all the same
	: >fake/sacct.all; echo 1 >fake/sacct.all.rc; echo 'Slurm accounting storage is disabled' >fake/sacct.all.err
	W 3 -t 3s --state ended job 4711
	has "$stderr" '4711_1 is REVOKED'
	rm fake/sacct.all*
	queue all '4711_1 REVOKED' '4711_2 FAILED'
	acct all '4711_1 REVOKED 0:0 cpu' '4711_2 FAILED 1:0 cpu'
	W 1 -t 10s job 4711
	has "$stderr" '4711_2 ended FAILED 1:0'
}

@test "job: of several the one that cannot be found out is named, not one that still runs" {
	slurm
	queue all '1 RUNNING' '3 PENDING'
	acct all '1 RUNNING 0:0 cpu'
	W 3 -t 0 job 1 2 3
	has "$stderr" 'could not find out'
	has "$stderr" '2 is not in squeue'
}

@test "job: colours that a wrapper adds make no row of squeue or sacct: no answer, 3" {
	local e=$'\e'
	slurm
	for s in "4711|4711|${e}[32mCOMPLETED${e}[0m|2026-11-29T17:20:41|cn1|None" "4711|4711|${e}[32mFAILED${e}[0m|2026-11-29T17:20:41|cn1|None" \
		"4711|4711|COMPLETED${e}[0m|2026-11-29T17:20:41|cn1|None" '4711|4711| COMPLETED|2026-11-29T17:20:41|cn1|None'; do
		echo "$s" >fake/squeue.all
		for goal in COMPLETED ended RUNNING; do
			W 3 -t 0 --state "$goal" job 4711
			same $'4711\t-\t-' "$output"
			has "$stderr" 'squeue printed what is no row of its format'
		done
	done
	gone all
	acct all "4711 ${e}[32mCOMPLETED${e}[0m 0:0 cpu"
	W 3 -t 0 job 4711
	same $'4711\t-\t-' "$output"
	has "$stderr" 'sacct printed what is no row of its columns'
}

@test "job: blank lines around the rows of squeue and sacct are none" {
	slurm
	gone all
	acct all '4711 COMPLETED 0:0 cpu'
	printf '\n%s\n\n' "$(cat fake/sacct.all)" >blank
	mv blank fake/sacct.all
	W 0 -t 0 job 4711
	printf '\n4711|4711|RUNNING|2026-11-29T17:20:41|cn1|None\n\n' >fake/squeue.all
	rm -f fake/squeue.all.err fake/squeue.all.rc
	W 124 -t 0 job 4711
}

@test "job: components of a heterogeneous job count each" {
	slurm
	queue all '93+0 COMPLETED' '93+1 FAILED'
	acct all '93+0 COMPLETED 0:0 cpu' '93+1 FAILED 1:0 cpu'
	W 1 -t 5s job 93
	same $'93+0\tCOMPLETED\t0:0\n93+1\tFAILED\t1:0' "$output"
	W 0 -t 5s job 93+0
	W 1 -t 5s job 93+1
}

@test "job: the raw number of an array task is that task" {
	slurm
	echo '1_1|25|COMPLETED|2026-11-29T17:20:41|cn1|None' >fake/squeue.all
	W 0 -t 5s job 25
	same $'25\tCOMPLETED\t0:0' "$output"
}

@test "job: a step is what accounting says of it, not what it says of the job" {
	slurm
	queue all '4711 RUNNING'
	acct all '4711.0 COMPLETED 0:0' '4711.batch RUNNING 0:0'
	W 0 -t 5s job 4711.0
	same $'4711.0\tCOMPLETED\t0:0' "$output"
	hasnt "$(cat fake/sacct.calls)" '-X'
	W 124 -t 0 job 4711.batch
	same $'4711.batch\tRUNNING\t-' "$output"
	W 0 -t 0 --state running job 4711.batch
	W 124 -t 0 job 4711.1
	acct all '4711.0 FAILED 7:0'
	W 1 -t 5s job 4711.0
}

@test "job: a step that never was: 1 when the job is over" {
	preload T_SPEED=40
	slurm
	queue all '4711 COMPLETED'
	P 1 -t 5m job 4711.5
	has "$stderr" 'had no such step'
}

@test "job: a step that accounting takes for running when the job is gone: 3, and nothing printed that could be an answer" {
	preload T_SPEED=40
	slurm
	gone all
	acct all '4711.0 RUNNING 0:0'
	P 3 -t 5m job 4711.0
	same $'4711.0\t-\t-' "$output"
	has "$stderr" '4711.0: squeue: the job is gone; sacct: the step has not ended'
}

@test "job: one stale id does not spoil the answer about the others" {
	slurm
	gone 1
	queue all '1 COMPLETED' '3 COMPLETED' '77 RUNNING'
	acct all '2 COMPLETED 0:0 cpu'
	W 0 -t 5s job 1 2 3
	hasnt "$(sed -n 2p fake/squeue.calls)" '-j'
}

@test "job: the user's environment does not change what is asked, and a squeue without --local is asked without" {
	mkdir fake
	cat >fake/squeue <<-END
		#!/bin/sh
		case \$* in *--local*) echo "squeue: unrecognized option '--local'" >&2; exit 1 ;; esac
		env | grep -E '^(S(QUEUE|ACCT|INFO)_|SLURM_|LC_ALL)' | sort >$PWD/env
		echo '7|7|COMPLETED|2026-11-29T17:20:41|cn1|None'
	END
	chmod +x fake/squeue
	SLURM_CLUSTERS=other SQUEUE_STATES=PD SQUEUE_FORMAT=x SQUEUE_USERS=u SACCT_FORMAT=x SINFO_FORMAT=y SLURM_TIME_FORMAT=relative SLURM_CONF=/c \
		PATH=$PWD/fake:$PATH W 0 -t 5s job 7
	same 'LC_ALL=C SLURM_BITSTR_LEN=0 SLURM_CONF=/c SLURM_TIME_FORMAT=standard' "$(tr '\n' ' ' <env | sed 's/ $//')"
}

@test "job --state RUNNING: tasks that squeue has forgotten, or never had, count too" {
	slurm
	queue all '20_1 RUNNING' '20_3 COMPLETED'
	acct all '20_1 RUNNING 0:0 cpu' '20_2 CANCELLED+by+0 0:0 cpu 2026-11-29T17:20:41 None' '20_3 COMPLETED 0:0 cpu'
	W 1 -t 10s --state RUNNING job 20
	has "$stderr" '20_2 ended CANCELLED 0:0 and never started'
	W 1 -t 10s --state RUNNING job '20_[1-3]'
	afresh
	W 0 -t 10s --state RUNNING job '20_[1,3]'
	same 0 "$(calls sacct)"
	W 124 -t 0 --state RUNNING job '20_[0-1]'
	has "$stderr" '20_[0-1] is RUNNING, but neither squeue nor sacct knows all of it'
	acct all '20_1 RUNNING 0:0 cpu' '20_2 FAILED 1:0 cpu'
	W 0 -t 10s --state RUNNING job 20
	W 0 -t 10s --state RUNNING job '20_[1-3]'
	# without accounting squeue's word is all there is
	: >fake/sacct.all; echo 1 >fake/sacct.all.rc
	echo 'Slurm accounting storage is disabled' >fake/sacct.all.err
	W 0 -t 10s --state RUNNING job 20
}

@test "job: a step of a whole array is 2: those of the tasks that have not begun would not be missed" {
	slurm
	queue all '20_1 COMPLETED' '20_2 PENDING'
	acct all '20_1.batch COMPLETED 0:0'
	W 2 -t 10s job 20.batch
	has "$stderr" 'called wrong after '
	has "$stderr" ': 20.batch: the job is an array: a step of one task was expected'
	W 0 -t 10s job 20_1.batch
	: >fake/squeue.all
	W 2 -t 10s --state RUNNING job 20.batch
}

@test "job: ids as sbatch --parsable and accounting write them; records as JSON and with a header" {
	slurm
	queue all '4711 COMPLETED'
	W 0 -t 5s --json job '4711;alpha'
	same '{"id":"alpha/4711","state":"COMPLETED","exitcode":"0:0"}' "$output"
	has "$(tail -n 1 fake/squeue.calls)" '-M alpha -j 4711'
	hasnt "$(tail -n 1 fake/squeue.calls)" --local
	W 0 -t 5s -H job alpha/4711
	same $'id\tstate\texitcode\nalpha/4711\tCOMPLETED\t0:0' "$output"
	printf 'CLUSTER: alpha\n%s\n' "$(cat fake/squeue.all)" >fake/squeue.all
	W 0 -t 5s job alpha/4711
	: >fake/squeue.all
	acct all '4711 COMPLETED 0:0 cpu'
	W 0 -t 5s job alpha/4711	# steps, of which there can be many, are not asked for
	has "$(tail -n 1 fake/sacct.calls)" ' -X -M alpha -j 4711'
}

@test "job: slurmctld is asked at 0, 2 and 10 s, then not within 30 s; less often in a big array" {
	preload T_SPEED=50
	slurm
	queue all '4711 RUNNING'
	sed -i '2i date +%s%N >>"${0%/*}/when"' fake/squeue
	P 124 -t 140s job 4711
	gaps=$(awk 'NR > 1 { printf "%d ", ($1 - last) * 50 / 1e9 } { last = $1 }' fake/when)
	read -r -a gap <<<"$gaps"
	echo "gaps: $gaps"
	[ "${#gap[@]}" -ge 4 ]
	[ "${#gap[@]}" -le 7 ]
	[ $((gap[0] + gap[1])) -ge 8 ]
	for ((i = 2; i < ${#gap[@]} - 1; i++)); do [ "${gap[i]}" -ge 30 ]; done	# the last is the look at the deadline
	afresh
	export SLURM_ARRAY_TASK_COUNT=1000
	P 124 -t 140s job 4711
	[ "$(calls squeue)" -le 3 ]
}

@test "job: the tasks of a big array do not ask all at one time" {
	preload T_SPEED=20 SLURM_ARRAY_TASK_COUNT=1000
	slurm
	queue all '4711 RUNNING'
	sed -i '2i date +%s%N >>"${0%/*}/when"' fake/squeue
	for ((i = 0; i < 8; i++)); do
		cp -r fake task$i
		(PATH=$PWD/task$i:$PATH LD_PRELOAD=$TOOLS/preload.so exec waitfor -q -t 80s job 4711 >/dev/null) 3>&- &
	done
	wait
	for ((i = 0; i < 8; i++)); do awk 'NR == 2 { printf "%d\n", ($1 - last) * 20 / 1e9 } { last = $1 }' task$i/when; done | sort -n >gaps
	cat gaps
	[ "$(head -n 1 gaps)" -ge 45 ]
	[ $(($(tail -n 1 gaps) - $(head -n 1 gaps))) -ge 4 ]
	# nor accounting, all of them again and again
	gone all
	afresh
	P 3 -t 5m job 4711
	has "$stderr" 'neither squeue nor sacct knows 4711'
	[ "$(calls sacct)" -le 3 ]
}

@test "left: by SLURM_JOB_END_TIME, else by squeue" {
	export SLURM_JOB_END_TIME=$(($(date +%s) + 100))
	W 0 -t 0 left 5m
	W 124 -t 0 left 1m
	[[ $stderr == *': the job has 00:01:'* ]]
	SLURM_JOB_END_TIME=$(($(date +%s) + 11)) W 0 -t 10s left 10s
	in_time 1000
	unset SLURM_JOB_END_TIME
	export SLURM_JOB_ID=21
	slurm
	printf '21|PENDING|1:00:00\n22|RUNNING|2:00\n21|RUNNING|3:20\n' >fake/squeue.all
	W 0 -t 0 left 5m
	W 124 -t 0 left 3m
	echo '21|RUNNING|1-00:00:10' >fake/squeue.all
	W 0 -t 0 left 25h
	W 124 -t 0 left 24h
	echo '21|RUNNING|UNLIMITED' >fake/squeue.all
	W 1 -t 10s left 1h
	echo '21|RUNNING|INVALID' >fake/squeue.all
	W 0 -t 10s left 1m
	echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >fake/squeue.all.err; echo 1 >fake/squeue.all.rc
	W 3 -t 0.2s left 1h
}

@test "-t left, left-DUR: what the job has left; longer than that is warned of" {
	: >there
	export SLURM_JOB_END_TIME=$(($(date +%s) + 3))
	W 124 -t left-2s file nope
	at_least 100
	in_time 1000
	W 124 -t left-5m file nope
	in_time 0
	[[ $stderr == 'waitfor: file nope: time is up after 0.'?' s: -t left-5m was over before the start, with '?.?' s left: nope does not exist' ]]
	W 0 -t left-5m file there
	W 0 -t 10m file there
	[[ ${stderr_lines[0]} == 'waitfor: -t 10m is longer than what the job has left: '*' s of 00:10:00' ]]
	W 0 -q -t 10m file there
	same '' "$stderr"
	unset SLURM_JOB_END_TIME
	export SLURM_JOB_ID=21
	slurm
	echo '21|RUNNING|3:20' >fake/squeue.all
	(sleep 0.5; : >soon) 3>&- &
	W 0 -t 10m file soon
	has "$stderr" '-t 10m is longer than what the job has left: 00:03:20 of 00:10:00'
	W 0 -t left file there
	echo '21|RUNNING|UNLIMITED' >fake/squeue.all
	W 2 -t left file there
	: >fake/squeue.all
	W 3 -t left file there
	unset SLURM_JOB_ID
	W 2 -t left file there
	same 'waitfor: -t left: this is no job: neither SLURM_JOB_END_TIME nor SLURM_JOB_ID is set' "$stderr"
	for s in abc 12345678901234567890 0 ''; do
		SLURM_JOB_END_TIME=$s W 2 -t left file there
		same "waitfor: -t left: SLURM_JOB_END_TIME='$s', and SLURM_JOB_ID is not set: no time in seconds since 1970" "$stderr"
	done
	SLURM_JOB_ID=x W 2 -t left file there
	same "waitfor: -t left: SLURM_JOB_END_TIME is not set, and SLURM_JOB_ID='x': no number of a job" "$stderr"
	export SLURM_JOB_ID=21
	W 0 -t 1s file there
}
