# waitfor on a real cluster: what jobs do, and what daemons do meanwhile
load helper

teardown() {
	"$ROOT/t/cluster" start ctld 2>/dev/null || true
	"$ROOT/t/cluster" start dbd 2>/dev/null || true
	"$ROOT/t/cluster" as root scancel -u butest 2>/dev/null || true
}

# job ARG...: an id from sbatch
job() { as sbatch --parsable -o /dev/null "$@"; }

# waits STATUS OUTPUT ARG...: waitfor ARG... of the user ends so; its stderr is in $said
waits() {
	local want=$1 output=$2 got=0
	shift 2
	as waitfor "$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || got=$?
	said=$(cat "$BATS_TEST_TMPDIR/err")
	same "$want" "$got" "$(cat "$BATS_TEST_TMPDIR/out") $said" && same "$output" "$(cat "$BATS_TEST_TMPDIR/out")" "$said"
}

# state ID WORD: until squeue says so of it
state() {
	local i
	for ((i = 0; i < 600; i++)); do
		[[ $(as squeue -h -t all -j "$1" -o %T 2>/dev/null) != *$2* ]] || return 0
		sleep 0.1
	done
	return 1
}

@test "COMPLETED is 0; FAILED, CANCELLED and a kill are 1, with the exit code; before and after the end" {
	a=$(job --wrap 'sleep 3')
	b=$(job --wrap 'sleep 1; exit 3')
	c=$(job --wrap 'sleep 600')
	d=$(job --wrap 'kill -9 $$')
	state "$c" RUNNING
	waits 124 "$c"$'\tRUNNING\t-' -t 3s job "$c"
	waits 0 "$a"$'\tCOMPLETED\t0:0' -t 90s job "$a"
	waits 1 "$b"$'\tFAILED\t3:0' -t 90s job "$b"
	waits 1 "$d"$'\tFAILED\t0:9' -t 90s job "$d"
	as scancel "$c"
	waits 1 "$c"$'\tCANCELLED\t0:0' -t 90s job "$c"
	waits 0 "$c"$'\tCANCELLED\t0:0' -t 90s --state ended job "$c"
	waits 1 "$a"$'\tCOMPLETED\t0:0\n'"$b"$'\tFAILED\t3:0' -t 90s job "$a,$b"
	waits 0 "butest/$a"$'\tCOMPLETED\t0:0' -t 20s job "$a;butest"
}

@test "TIMEOUT is 1" {
	a=$(job -t 1 --wrap 'sleep 600')
	state "$a" RUNNING
	as scontrol update JobId="$a" EndTime="$(date -d '+2 seconds' +%FT%T)"
	waits 1 "$a"$'\tTIMEOUT\t0:0' -t 3m job "$a"
}

@test "a requeued job is not over: the wait goes on to its last end" {
	a=$(job --requeue --wrap '[ "${SLURM_RESTART_COUNT:-0}" -gt 0 ] || sleep 600')
	state "$a" RUNNING
	(sleep 3; "$ROOT/t/cluster" as root scontrol requeue "$a") 3>&- &
	waits 0 "$a"$'\tCOMPLETED\t0:0' -t 3m job "$a"
	[ "$(as sacct -nXPD -j "$a" -o State | wc -l)" -ge 2 ]
}

@test "a node that fails: its job is requeued and not over" {
	a=$(job --requeue -w cn4 --wrap '[ "${SLURM_RESTART_COUNT:-0}" -gt 0 ] || sleep 600')
	b=$(job --no-requeue -w cn4 --wrap 'sleep 600')
	state "$b" RUNNING
	"$ROOT/t/cluster" as root scontrol update NodeName=cn4 State=DOWN Reason=test
	run --separate-stderr as waitfor -t 2m job "$b"
	# accounting of 26.05 has 1:0, that of 22.05 has 0:0
	same "1 $b"$'\tNODE_FAIL\t'"$(as sacct -nXP -j "$b" -o ExitCode)" "$status $output" "$stderr"
	waits 124 "$a"$'\tPENDING\t-' -t 3s job "$a"
	"$ROOT/t/cluster" as root scontrol update NodeName=cn4 State=RESUME 2>/dev/null || true	# it may be back by itself
	waits 0 "$a"$'\tCOMPLETED\t0:0' -t 3m job "$a"
}

@test "an array with %2 is over when every task is, and its tasks can be awaited" {
	a=$(job --array=0-6%2 --wrap 'sleep 1; exit $((SLURM_ARRAY_TASK_ID == 5))')
	waits 0 "${a}_1"$'\tCOMPLETED\t0:0' -t 90s job "${a}_1"
	waits 1 "${a}_[0-4,6]"$'\tCOMPLETED\t0:0\n'"${a}_5"$'\tFAILED\t1:0' -t 3m job "$a"
	waits 0 "${a}_[2-3]"$'\tCOMPLETED\t0:0' -t 90s job "${a}_[2-3]"
	b=$(job --array=1-3%1 --wrap true)
	waits 0 "${b}_[1-3]"$'\tCOMPLETED\t0:0' -t 3m job "$b"
}

@test "a dependency that can never be satisfied is 1" {
	a=$(job --wrap 'exit 1')
	b=$(job -d "afterok:$a" --wrap true)
	waits 1 "$a"$'\tFAILED\t1:0' -t 90s job "$a"
	waits 1 "$b"$'\tPENDING\t-' -t 90s job "$b"
	has "$said" 'never satisfied'
}

@test "steps, components, a start, a job that never starts" {
	a=$(job --wrap 'srun true; srun sh -c "exit 4"; sleep 2; true')
	waits 0 "$a"$'\tRUNNING\t-' -t 90s --state RUNNING job "$a"
	waits 1 "$a.1"$'\tFAILED\t4:0' -t 3m job "$a.1"
	waits 0 "$a.0"$'\tCOMPLETED\t0:0' -t 90s job "$a.0"
	waits 0 "$a.batch"$'\tCOMPLETED\t0:0' -t 90s job "$a.batch"
	waits 1 "$a.7"$'\t-\t-' -t 90s job "$a.7"
	b=$(job -n1 : -n1 --wrap 'sleep 1')
	waits 0 "$b+0"$'\tCOMPLETED\t0:0\n'"$b+1"$'\tCOMPLETED\t0:0' -t 3m job "$b"
	c=$(job --hold --wrap true)
	waits 124 "$c"$'\tPENDING\t-' -t 1s job "$c"
	as scancel "$c"
	waits 1 "$c"$'\tCANCELLED\t0:0' -t 90s --state RUNNING job "$c"
}

@test "an id that never was is 3" {
	waits 3 $'4000000\t-\t-' -t 1m job 4000000
	waits 3 $'4000000\t-\t-\n4000001\t-\t-' -t 1m job 4000000 4000001
}

@test "slurmctld is stopped and started meanwhile" {
	a=$(job --wrap 'sleep 4')
	state "$a" RUNNING
	"$ROOT/t/cluster" stop ctld
	waits 3 "$a"$'\t-\t-' -t 1s job "$a"
	(sleep 5; "$ROOT/t/cluster" start ctld) 3>&- >/dev/null 2>&1 &
	waits 0 "$a"$'\tCOMPLETED\t0:0' -t 3m job "$a"
	wait
}

@test "slurmctld is frozen and goes on meanwhile; the deadline holds" {
	a=$(job --wrap 'sleep 2')
	state "$a" RUNNING
	"$ROOT/t/cluster" freeze ctld
	from=$SECONDS
	waits 3 "$a"$'\t-\t-' -t 2s job "$a"
	[ $((SECONDS - from)) -le 4 ]
	(sleep 4; "$ROOT/t/cluster" start ctld) 3>&- >/dev/null 2>&1 &
	waits 0 "$a"$'\tCOMPLETED\t0:0' -t 3m job "$a"
	wait
}

@test "slurmdbd is down: what the controller still knows is an answer" {
	a=$(job --wrap true)
	b=$(job --wrap 'exit 3')
	state "$b" FAILED
	state "$a" COMPLETED
	"$ROOT/t/cluster" stop dbd
	waits 0 "$a"$'\tCOMPLETED\t0:0' -t 1m job "$a"
	waits 1 "$b"$'\tFAILED\t-' -t 1m job "$b"
	waits 3 $'4000000\t-\t-' -t 2s job 4000000
	"$ROOT/t/cluster" freeze dbd 2>/dev/null || true
	"$ROOT/t/cluster" start dbd
	# slurmctld tells it later what it missed: the state first, the end and its exit code up to some 15 s behind
	for ((k = 0; k < 300; k++)); do
		[ "$(as sacct -nXP -j "$b" -o ExitCode)" != 3:0 ] || break
		sleep 0.2
	done
	waits 1 "$b"$'\tFAILED\t3:0' -t 1m job "$b"
}

@test "in a batch script: a server in the background is awaited with -w, and one that dies is noticed at once" {
	cat >"$work/good.sbatch" <<-'END'
		#!/bin/bash
		#SBATCH -t 2 -o good.txt
		set -euo pipefail
		(sleep 2; echo ready >server.log; sleep 60) & pid=$!
		waitfor -t left-10s -w "$pid" log server.log '^ready' || exit
		kill "$pid"
		echo served
	END
	cat >"$work/bad.sbatch" <<-'END'
		#!/bin/bash
		#SBATCH -t 2 -o bad.txt
		set -euo pipefail
		(sleep 1; exit 3) & pid=$!
		status=0
		waitfor -t 10m -w "$pid" port localhost:9 || status=$?
		echo "waitfor said $status"
		waitfor -t 1m left 3m || exit
		exit "$status"
	END
	chown butest: "$work"/*.sbatch
	a=$(here 'sbatch --parsable good.sbatch')
	b=$(here 'sbatch --parsable bad.sbatch')
	waits 0 "$a"$'\tCOMPLETED\t0:0' -t 3m job "$a"
	waits 1 "$b"$'\tFAILED\t1:0' -t 3m job "$b"
	has "$(cat "$work/good.txt")" served
	has "$(cat "$work/bad.txt")" 'waitfor said 1'
	has "$(cat "$work/bad.txt")" '-t 10m is longer than what the job has left'
	has "$(cat "$work/bad.txt")" '(-w) has ended'
}
