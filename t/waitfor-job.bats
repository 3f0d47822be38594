#!/usr/bin/env bats
# waitfor: job: what squeue and sacct say of one job, each lying, late or not at all; the rest is in waitfor-ids.bats
load waitfor/helper

@test "job: COMPLETED in squeue is 0 at once, and accounting is not asked" {
	slurm
	queue all '4711 COMPLETED'
	W 0 -t 10s job 4711
	in_time 0
	same $'4711\tCOMPLETED\t0:0' "$output"
	same "1 0" "$(calls squeue) $(calls sacct)"
	same '-h -a -t all -o %i|%A|%T|%V|%N|%r --local -j 4711' "$(cat fake/squeue.calls)"
}

@test "job: any other end is 1, with the exit code of accounting" {
	slurm
	for s in FAILED:3:0 TIMEOUT:0:0 CANCELLED+by+1001:0:0 OUT_OF_MEMORY:0:125 NODE_FAIL:1:0 PREEMPTED:0:15 DEADLINE:1:0 BOOT_FAIL:1:0; do
		state=${s%%:*} code=${s#*:}
		queue all "4711 ${state%%+*}"
		acct all "4711 $state $code cpu"
		W 1 -t 10s job 4711
		same "4711"$'\t'"${state%%+*}"$'\t'"$code" "$output"
		has "$stderr" "job 4711: can never come true after "
		has "$stderr" "4711 ended ${state%%+*} $code"
		gone all; afresh
		W 1 -t 10s job 4711
		same "4711"$'\t'"${state%%+*}"$'\t'"$code" "$output"
		rm fake/squeue.all.*
	done
}

@test "job: gone from squeue, accounting decides" {
	slurm
	gone all
	acct all '4711 COMPLETED 0:0 cpu'
	W 0 -t 10s job 4711
	same $'4711\tCOMPLETED\t0:0' "$output"
	has "$(cat fake/sacct.calls)" '-P --delimiter='
	has "$(cat fake/sacct.calls)" ' -X -j 4711'
}

@test "job: two ids that are gone are exit 0 and nothing: accounting decides" {
	slurm
	: >fake/squeue.all
	acct all '1 COMPLETED 0:0 cpu' '2 COMPLETED 0:0 cpu'
	W 0 -t 10s job 1,2
	same $'1\tCOMPLETED\t0:0\n2\tCOMPLETED\t0:0' "$output"
	acct all '1 COMPLETED 0:0 cpu' '2 FAILED 1:0 cpu'
	W 1 -t 10s job 1 2
	same $'1\tCOMPLETED\t0:0\n2\tFAILED\t1:0' "$output"
}

@test "job: purged and not in accounting is 3, after the time that accounting may lag" {
	preload T_SPEED=40
	slurm
	gone all
	P 3 -t 10m job 4711
	same $'4711\t-\t-' "$output"
	has "$stderr" 'could not find out after '
	has "$stderr" 'neither squeue nor sacct knows 4711'
	[ "$(calls sacct)" -ge 2 ]
}

@test "job: purged, and no accounting at all, is 3 at once" {
	slurm
	gone all
	: >fake/sacct.all; echo 1 >fake/sacct.all.rc
	echo 'Slurm accounting storage is disabled' >fake/sacct.all.err
	W 3 -t 20s job 4711
	in_time 0
	has "$stderr" 'there is no accounting to ask'
	mkdir bare
	printf '#!/bin/sh\necho "slurm_load_jobs error: Invalid job id specified" >&2\nexit 1\n' >bare/squeue
	chmod +x bare/squeue
	PATH=$PWD/bare:$BIN W 3 -t 20s job 4711
	has "$stderr" 'there is no accounting to ask'
}

@test "job: one that was COMPLETED stays so when squeue has forgotten it, also without accounting" {
	preload T_SPEED=40
	slurm
	: >fake/sacct.all; echo 1 >fake/sacct.all.rc
	echo 'Slurm accounting storage is disabled' >fake/sacct.all.err
	queue 1 '1 COMPLETED' '2 RUNNING'
	queue 2 '2 RUNNING'
	queue all '2 COMPLETED'
	P 0 -t 10m job 1 2
	same $'1\tCOMPLETED\t0:0\n2\tCOMPLETED\t0:0' "$output"
	# until squeue has it again
	afresh
	queue 2 '1 PENDING' '2 RUNNING'
	queue all '1 FAILED' '2 RUNNING'
	P 1 -t 10m job 1 2
	same $'1\tFAILED\t-\n2\tRUNNING\t-' "$output"
}

@test "job: no squeue, or a configuration that cannot be read, is 3 at once" {
	mkdir empty
	PATH=$PWD/empty:$BIN W 3 -t 20s job 4711
	in_time 0
	has "$stderr" 'there is no squeue here'
	slurm
	: >fake/squeue.all; echo 1 >fake/squeue.all.rc
	for s in 'squeue: fatal: Unable to process configuration file' \
		'squeue: fatal: Could not establish a configuration source'; do
		printf 'squeue: error: ClusterName needs to be specified\n%s\n' "$s" >fake/squeue.all.err
		W 3 -t 20s job 4711
		in_time 0
		has "$stderr" "squeue said: $s"
		same $'4711\t-\t-' "$output"
	done
}

@test "job: a controller that never answers is 3 at the end; one that answered before is 124" {
	slurm
	: >fake/squeue.all; echo 1 >fake/squeue.all.rc
	for s in 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' \
		'slurm_load_jobs error: Socket timed out on send/recv operation'; do
		echo "$s" >fake/squeue.all.err
		W 3 -t 1s job 4711
		has "$stderr" "could not find out after"
		[[ $stderr == *"$s"* || $stderr == *'did not answer within'* ]]
		afresh
	done
	queue 1 '4711 RUNNING'
	W 124 -t 2.2s job 4711
	has "$stderr" 'time is up'
}

@test "job: an error with exit 0 and no rows is no answer, and so is a table of another kind" {
	slurm
	: >fake/squeue.all
	echo 'slurm_load_jobs error: Socket timed out on send/recv operation' >fake/squeue.all.err
	acct all '4711 COMPLETED 0:0 cpu'
	W 3 -t 0.2s job 4711
	same 0 "$(calls sacct)"
	rm fake/squeue.all.err
	echo '              4711       p3h      arr     news PD       0:00      1 (JobArrayTaskLimit)' >fake/squeue.all
	W 3 -t 0.2s job 4711
	same 0 "$(calls sacct)"
}

@test "job: text among the rows of accounting, or a last row that was cut, is no answer" {
	slurm
	gone all
	acct all '7 COMPLETED 0:0 cpu'
	cp fake/sacct.all whole
	W 0 -t 0.5s job 7
	for s in 'sacct: error: slurmdbd: connection lost' '7' '8|8|FAILED' '|||||||' '8|8|FAILED|1:0|cpu|2026-11-29T17:20:41|cn1|Unknown|more' \
		'8|8|FAILED|x|cpu|2026-11-29T17:20:41|cn1|Unknown' 'job|8|FAILED|1:0|cpu|2026-11-29T17:20:41|cn1|Unknown'; do
		{ cat whole; echo "$s" | tr '|' '\037'; } >fake/sacct.all
		W 3 -t 0.5s job 7
		same $'7\t-\t-' "$output"
		has "$stderr" 'sacct printed what is no row of its columns'
	done
	# the end of a pipe that broke
	printf '#!/bin/sh\nhead -c -3 %s/whole\n' "$PWD" >fake/sacct
	W 3 -t 0.5s job 7
	queue whole '7 COMPLETED'
	printf '#!/bin/sh\nhead -c -1 %s/fake/squeue.whole\n' "$PWD" >fake/squeue
	W 3 -t 0.5s job 7
	has "$stderr" 'squeue printed what is no row of its format'
	printf '#!/bin/sh\necho "7|7|COMPLETED"\n' >fake/squeue
	W 3 -t 0.5s job 7
}

@test "job: COMPLETED with an exit code contradicts itself, and is not believed" {
	slurm
	gone all
	for s in 1:0 0:9; do
		acct all "7 COMPLETED $s cpu"
		W 3 -t 0.5s job 7
		same $'7\t-\t-' "$output"
	done
	acct all '7.0 COMPLETED 1:0'
	W 3 -t 0.5s job 7.0
	same $'7.0\t-\t-' "$output"
	has "$stderr" 'sacct says COMPLETED with exit code 1:0: it contradicts itself'
	preload T_SPEED=40
	acct all '7 COMPLETED 0:9 cpu'
	P 3 -t 10m job 7
	has "$stderr" '7: squeue: gone; sacct: COMPLETED with exit code 0:9, which contradicts itself'
	acct 1 '7 COMPLETED 1:0 cpu'
	acct all '7 FAILED 1:0 cpu'
	afresh
	P 1 -t 10m job 7
	same $'7\tFAILED\t1:0' "$output"
}

@test "job: many ids and many rows are looked up, not searched through" {
	case ${CHECK_BUILD-} in sanitized | valgrind) skip 'memory that grows is copied each time there' ;; esac
	slurm
	awk 'BEGIN { for (i = 200000; i > 0; i--) print i "|" i "|" (i > 20000 ? "RUNNING" : "COMPLETED") "|2026-11-29T17:20:41|cn1|None" }' >rows
	awk 'BEGIN { for (i = 400000; i > 0; i -= 2) print "5_" i "|" i + 10 "|COMPLETED|2026-11-29T17:20:41|cn1|None" }' >tasks
	printf '#!/bin/sh\ncat "%s/$ROWS"\n' "$PWD" >fake/squeue
	export ROWS=rows
	W 0 -t 30s job "$(seq -s, 1 20000)"
	same 20000 "$(wc -l <.out | tr -d ' ')"
	ROWS=tasks W 0 -t 30s job '5_[2-400000:2]'
	same $'5_[2-400000:2]\tCOMPLETED\t0:0' "$output"
}

@test "job: the controller fails for a while, is overloaded, tells us off: the wait goes on" {
	preload T_SPEED=40
	slurm
	queue 1 '4711 RUNNING'
	: >fake/squeue.2; echo 1 >fake/squeue.2.rc; echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >fake/squeue.2.err
	: >fake/squeue.3; echo 1 >fake/squeue.3.rc; echo 'slurm_load_jobs error: Rate limit exceeded, please retry' >fake/squeue.3.err
	queue 4 '4711 COMPLETING'
	queue all '4711 COMPLETED'
	P 0 -t 10m job 4711
	same 5 "$(calls squeue)"
}

@test "job: a frozen squeue holds no deadline" {
	mkdir fake
	printf '#!/bin/sh\ntrap "" TERM\necho $$ >%s/pid\nsleep 74\n' "$PWD" >fake/squeue
	chmod +x fake/squeue
	PATH=$PWD/fake:$PATH
	W 3 -t 0.3s job 4711
	in_time 300
	[ ! -e "/proc/$(cat pid)" ] || grep -q zombie "/proc/$(cat pid)/status"
}

@test "job: accounting lies for a while: a row without a partition is not the end" {
	preload T_SPEED=10
	slurm
	queue 1 '4711 RUNNING'
	gone all
	acct all '4711 FAILED 3:0 cpu'
	for early in '4711 COMPLETED 0:0 -' '4711 PENDING 0:0 -' '4711 RUNNING 0:0 cpu'; do
		acct 1 "$early"
		P 1 -t 10m job 4711
		same $'4711\tFAILED\t3:0' "$output"
		same 2 "$(calls sacct)"
		afresh
	done
}

@test "job: what slurmctld says counts, the exit code is waited for, and left out where accounting has none" {
	preload T_SPEED=40
	slurm
	queue all '4711 FAILED'
	acct all '4711 RUNNING 0:0 cpu'
	P 1 -t 10m job 4711
	same $'4711\tFAILED\t-' "$output"
	afresh
	acct all '4711 FAILED 3:0 cpu'
	acct 1 '4711 FAILED 0:0 cpu 2026-11-29T17:20:41 cn1 Unknown'
	P 1 -t 10m job 4711
	same $'4711\tFAILED\t3:0' "$output"
	rm -f fake/sacct.1
	acct all '4711 FAILED 0:0 cpu 2026-11-29T17:20:41 cn1 Unknown'
	P 1 -t 10m job 4711
	same $'4711\tFAILED\t-' "$output"
	echo 'sacct: error: Problem talking to the database: Connection refused' >fake/sacct.all.err
	echo 1 >fake/sacct.all.rc
	W 1 -t 10s job 4711
	in_time 0
	same $'4711\tFAILED\t-' "$output"
}

@test "job: squeue: gone, sacct: RUNNING for ever: 3, and both are shown" {
	preload T_SPEED=40
	slurm
	gone all
	acct all '4711 RUNNING 0:0 cpu'
	P 3 -t 10m job 4711
	has "$stderr" '4711: squeue: gone; sacct: RUNNING'
}

@test "job: accounting is down: over in squeue is known, gone is not" {
	preload T_SPEED=40
	slurm
	: >fake/sacct.all; echo 1 >fake/sacct.all.rc
	echo 'sacct: error: Problem talking to the database: Connection refused' >fake/sacct.all.err
	queue all '4711 COMPLETED'
	P 0 -t 5m job 4711
	gone all
	P 3 -t 1m job 4711
}
