# every tool that asks Slurm, while Slurm misbehaves: a yes is never wrong, nothing hangs, what is not known is 3
load helper

setup_file() {
	local k rows
	setup
	export tag
	# task 1 of 3 fails; one that is fine, one that waits, one that runs
	BAD=$(as sbatch --parsable -J "kept${tag}_1" -o /dev/null -a 0-2 --wrap 'exit $((SLURM_ARRAY_TASK_ID == 1))')
	GOOD=$(as sbatch --parsable -J "kept${tag}_2" -o /dev/null --wrap true)
	HELD=$(as sbatch --parsable -J "held${tag}" -o /dev/null --hold --wrap true)
	RUNS=$(as sbatch --parsable -J "runs${tag}" -o /dev/null -t 1:00:00 --wrap 'sleep 3600')
	export BAD GOOD HELD RUNS
	for ((k = 0; k < 300; k++)); do
		rows=$(as sacct -nP -j "$BAD,$GOOD,$HELD,$RUNS" -o JobID,State,Partition,JobName | grep -E 'FAILED|COMPLETED|(PENDING|RUNNING).cpu' |
			grep -v 'allocation$') || true
		[ "$(grep -c -v '\.' <<<"$rows")" != 6 ] || [ "$(grep -c '\.batch|[CF]' <<<"$rows")" != 4 ] || return 0
		sleep 0.2
	done
	echo "$rows" >&2
	return 1
}

teardown_file() {
	as scancel "$HELD" "$RUNS" || true
}

teardown() {
	local k
	kill "$(cat "$BATS_TEST_TMPDIR/pulse" 2>/dev/null)" 2>/dev/null || true
	if [ -d "$CLUSTER_DIR/ctld.kept" ]; then
		"$ROOT/t/cluster" stop ctld
		rm -rf "$CLUSTER_DIR/ctld"
		mv "$CLUSTER_DIR/ctld.kept" "$CLUSTER_DIR/ctld"
		mv "$CLUSTER_DIR/etc/slurm.conf.kept" "$CLUSTER_DIR/etc/slurm.conf"
	fi
	"$ROOT/t/cluster" start dbd 2>/dev/null || true
	"$ROOT/t/cluster" start ctld 2>/dev/null || true
	as scancel -u butest -n "mis$tag" || true
	for ((k = 0; k < 300; k++)); do
		[ -n "$(as sinfo -h -o %T | grep -v -x -E 'idle|mixed|allocated|completing')" ] || return 0
		sleep 0.1
	done
}

# job ARG...: an id from sbatch
job() { as sbatch --parsable -J "mis$tag" -o /dev/null "$@"; }

# asked LIMIT WAIT [VARIABLE=VALUE...]: every tool that asks Slurm asks it, all at once; a line for each: what, status and
# what it printed, lines joined by a blank. WAIT is the limit of those that wait.
asked() {
	cat >"$work/ask" <<-'END'
		cd "$1"; limit=$2 wait=$3 bad=$4 good=$5 held=$6 runs=$7 name=kept${8}_1
		ask() {
			local what=$1 status=0
			shift
			"$@" >"$what.out" 2>"$what.err" </dev/null || status=$?
			printf '%s %s %s\n' "$what" "$status" "$(tr '\n\t' '  ' <"$what.out" | tr -d '\0')" >"$what.told"
		}
		rm -f ./*.told
		ask hist sacct-hist -q -t "$limit" "$bad" &
		ask check-bad sacct-hist -q -t "$limit" --check "$bad" &
		ask check-good sacct-hist -q -t "$limit" --check "$good" &
		ask check-held sacct-hist -q -t "$limit" --check "$held" &
		ask array sacct-hist -q -t "$limit" -a bad "$bad" &
		ask none sacct-hist -q -t "$limit" -a bad "$good" &
		ask job sacct-job -q -t "$limit" "$good" &
		ask work sacct-work -q -t "$limit" -S 1h "$name" &
		ask gate sacct-work -q -t "$limit" -S 1h --gate "$name" &
		ask size sacct-size -q -t "$limit" -S 1h "$name" &
		ask node whichnode -q -t "$limit" -n 1 "$bad" &
		ask bucket walltime-bucket -q -t "$limit" 1h 4h &
		ask fits walltime-bucket -q -t "$limit" -c 1h &
		ask too-long walltime-bucket -q -t "$limit" -c 200h &
		ask wait-good waitfor -q -t "$wait" job "$good" &
		ask wait-bad waitfor -q -t "$wait" job "$bad" &
		ask wait-held waitfor -q -t "$wait" job "$held" &
		ask wait-step waitfor -q -t "$wait" job "$good.batch" &
		ask left env SLURM_JOB_ID="$runs" waitfor -q -t "$wait" left 2h &
		ask left-not env SLURM_JOB_ID="$runs" waitfor -q -t "$wait" left 1m &
		wait
		cat ./*.told
	END
	as env "PATH=$work/fake:$CLUSTER_DIR/prefix/bin:/usr/bin:/bin" "${@:3}" \
		bash "$work/ask" "$work" "$1" "$2" "$BAD" "$GOOD" "$HELD" "$RUNS" "$tag"
}

# answers TEXT: the answers of `asked` are the right ones
answers() {
	same 'array 0 1|check-bad 1|check-good 0|check-held 3|fits 0|gate 0|hist 0 COMPLETED 2 0,2 FAILED 1 1|left-not 124|left 0|none 1 none|too-long 1' \
		"$(grep -E '^(array|check|fits|gate|hist|left|none|too)' <<<"$1" | sed 's/ *$//' | paste -sd '|')" &&
		same "wait-bad 1 ${BAD}_[0,2] COMPLETED 0:0 ${BAD}_1 FAILED 1:0|wait-good 0 $GOOD COMPLETED 0:0|wait-held 124 $HELD PENDING -|wait-step 0 $GOOD.batch COMPLETED 0:0" \
			"$(grep ^wait <<<"$1" | sed 's/ *$//' | paste -sd '|')"
}

# silent TEXT WHAT...: those have found nothing out, and print nothing that could be taken for an answer
silent() {
	local what line
	for what in "${@:2}"; do
		line=$(grep "^$what " <<<"$1" | sed 's/ *$//')
		case $what in
		array | none) same "$what 3 none" "$line" || return ;;
		wait-bad)	# what the queue says of its tasks is shown
			case $line in "$what 3 ${BAD}_[0,2] COMPLETED 0:0 ${BAD}_1 FAILED -") continue ;; esac
			same "$what 3 $BAD - -" "$line" || return ;;
		wait-good) same "$what 3 $GOOD - -" "$line" || return ;;
		wait-held) same "$what 3 $HELD - -" "$line" || return ;;
		wait-step) same "$what 3 $GOOD.batch - -" "$line" || return ;;
		*) same "$what 3" "$line" || return ;;
		esac
	done
}

# pulse: slurmctld is stopped and goes on again and again, until the test is over
pulse() {
	local ctld
	ctld=$(cat "$CLUSTER_DIR/run/slurmctld.pid")
	(
		trap 'kill -CONT "$ctld"; exit' TERM
		while kill -STOP "$ctld"; do sleep 0.4; kill -CONT "$ctld"; sleep 0.1; done
	) 3>&- &
	echo $! >"$BATS_TEST_TMPDIR/pulse"
}

ACCOUNTING='array check-bad check-good check-held gate hist job node none size wait-step work'
QUEUE='bucket fits left left-not too-long wait-bad wait-good wait-held'

@test "Slurm well, and slurmctld slow: the same answers" {
	run asked 60s 8s
	answers "$output"
	well=$output
	pulse
	run asked 60s 8s
	answers "$output"
	same "$well" "$output"
}

@test "squeue, sinfo and scontrol slower than the limit: 3 in time, or a report that says so; and the answer where there is time" {
	mkdir "$work/fake"
	printf '%s\n' '#!/bin/sh' 'sleep "$SLOW"' 'exec "/usr/bin/${0##*/}" "$@"' >"$work/fake/squeue"
	chmod 755 "$work/fake/squeue"
	for name in sinfo scontrol; do cp "$work/fake/squeue" "$work/fake/$name"; done
	SECONDS=0
	run asked 10s 3s SLOW=300
	[ "$SECONDS" -le 40 ]
	# shellcheck disable=SC2086 # words
	silent "$output" $QUEUE wait-step check-good none
	same 'array 0 1|check-bad 1|check-held 3|gate 0|hist 0 COMPLETED 2 0,2 FAILED 1 1' \
		"$(grep -E '^(array|check-bad|check-held|gate|hist)' <<<"$output" | sed 's/ *$//' | paste -sd '|')"
	same '' "$(pgrep -u butest -f 'sleep 300' || true)"
	run asked 60s 20s SLOW=0.5
	answers "$output"
}

@test "slurmctld stopped; slurmdbd frozen, stopped; and both: 3 in time, and nothing printed that could be an answer" {
	"$ROOT/t/cluster" freeze dbd
	SECONDS=0
	run asked 3s 8s
	[ "$SECONDS" -le 30 ]
	# shellcheck disable=SC2086 # words
	silent "$output" $ACCOUNTING
	same "fits 0|left-not 124|left 0|too-long 1|wait-good 0 $GOOD COMPLETED 0:0" \
		"$(grep -E '^(fits|left|too|wait-good)' <<<"$output" | sed 's/ *$//' | paste -sd '|')"
	"$ROOT/t/cluster" stop dbd
	"$ROOT/t/cluster" freeze ctld
	SECONDS=0
	run asked 3s 3s
	[ "$SECONDS" -le 20 ]
	# shellcheck disable=SC2086 # words
	silent "$output" $ACCOUNTING $QUEUE
	"$ROOT/t/cluster" stop ctld
	run asked 3s 3s
	# shellcheck disable=SC2086 # words
	silent "$output" $ACCOUNTING $QUEUE
	"$ROOT/t/cluster" start dbd
	run asked 10s 3s
	# shellcheck disable=SC2086 # words
	silent "$output" $QUEUE wait-step check-good none
	same 'array 0 1|check-bad 1|gate 0|hist 0 COMPLETED 2 0,2 FAILED 1 1' \
		"$(grep -E '^(array|check-bad|gate|hist)' <<<"$output" | sed 's/ *$//' | paste -sd '|')"
}

@test "jobs end while slurmdbd is frozen: the controller's word is an answer; accounting, when it goes on, is never wrong" {
	local status k
	a=$(job --hold --wrap true)
	b=$(job --hold --wrap 'exit 3')
	for ((k = 0; k < 300; k++)); do
		[ "$(as sacct -nXP -j "$a,$b" -o State | grep -c PENDING)" != 2 ] || break
		sleep 0.1
	done
	"$ROOT/t/cluster" freeze dbd
	as scontrol release "$a" "$b"
	for ((k = 0; k < 300; k++)); do
		[ "$(as squeue -h -t all -j "$a,$b" -o %T | sort | paste -sd ' ')" != 'COMPLETED FAILED' ] || break
		sleep 0.1
	done
	is 0 as waitfor -t 30s job "$a"
	same "$a"$'\tCOMPLETED\t0:0' "$output"
	is 1 as waitfor -t 30s job "$b"
	same "$b"$'\tFAILED\t-' "$output"
	for id in "$a" "$b"; do
		is 3 as sacct-hist -t 2s --check "$id"
		is 3 as sacct-job -t 2s "$id"
	done
	"$ROOT/t/cluster" start dbd
	# it lags: until its rows are right, each answer is 3
	for ((k = 0; k < 100; k++)); do
		status=0
		as sacct-hist -q -t 30s --check "$a" 2>/dev/null || status=$?
		[ "$status" != 3 ] || continue
		same 0 "$status"
		status=0
		as sacct-hist -q -t 30s --check "$b" 2>/dev/null || status=$?
		[ "$status" = 3 ] || break
	done
	same 1 "$status"
	is 1 as waitfor -t 60s job "$b"
	same "$b"$'\tFAILED\t3:0' "$output"
}

@test "slurmctld restarted under load: 30 wait, others submit; each gets the answer of its job" {
	local k
	: >"$BATS_TEST_TMPDIR/ids"
	for ((k = 0; k < 10; k++)); do job --hold --wrap "sleep 2; exit $((k % 2 * 3))" >>"$BATS_TEST_TMPDIR/ids"; done
	mapfile -t ids <"$BATS_TEST_TMPDIR/ids"
	echo 'for k in 0 1 2; do for id; do (s=0; waitfor -t 4m job "$id" >"w.$id.$k" 2>/dev/null || s=$?; echo "$s" >>"w.$id.$k") & done; done; wait' >"$work/many"
	as bash -c 'cd "$1"; shift; bash many "$@"' bash "$work" "${ids[@]}" 3>&- &
	many=$!
	as scontrol release "${ids[*]}"
	for ((k = 0; k < 2; k++)); do
		as bash -c 'for k in 1 2 3 4 5 6 7 8; do sbatch -Q -J "$1" -o /dev/null --hold --wrap true & done; wait' bash "mis$tag" >/dev/null 2>&1 3>&- &
		"$ROOT/t/cluster" stop ctld
		"$ROOT/t/cluster" start ctld 2>/dev/null
	done
	wait "$many"
	for ((k = 0; k < 10; k++)); do
		if [ $((k % 2)) = 0 ]; then want="${ids[k]}"$'\tCOMPLETED\t0:0\n0'; else want="${ids[k]}"$'\tFAILED\t3:0\n1'; fi
		for n in 0 1 2; do same "$want" "$(cat "$work/w.${ids[k]}.$n")"; done
	done
	wait
}

@test "a site's banner, its module, colours, error lines and carriage returns around Slurm's output are never data" {
	local well line
	mkdir "$work/fake"
	cat >"$work/fake/squeue" <<-'END'
		#!/bin/bash
		real=/usr/bin/${0##*/} e=$'\e'
		case $NOISE in
		banner) echo 'Welcome to alpha'; exec "$real" "$@" ;;
		bars) echo 'Welcome to alpha | maintenance | Tuesday | 8-12 | all'; exec "$real" "$@" ;;
		behind) "$real" "$@"; s=$?; echo 'Have a nice day'; exit "$s" ;;
		module) printf 'Loading slurm/22.05\n  Loading requirement: munge/0.5\n'; exec "$real" "$@" ;;
		glued) printf 'Loading slurm/22.05 ... '; exec "$real" "$@" ;;
		error) echo "${0##*/}: error: a plugin of this site is old" >&2; exec "$real" "$@" ;;
		chatter) echo 'This site has moved to alpha2' >&2; exec "$real" "$@" ;;
		words) "$real" "$@" | sed -E "s/[A-Z]{4,}|cpu\*?|cn[0-9]/${e}[32m&${e}[0m/g"; exit "${PIPESTATUS[0]}" ;;
		blank) echo; "$real" "$@"; s=$?; echo; exit "$s" ;;
		crlf) "$real" "$@" | sed 's/$/\r/'; exit "${PIPESTATUS[0]}" ;;
		cut) "$real" "$@" | head -c -9; exit 0 ;;
		*) exec "$real" "$@" ;;
		esac
	END
	chmod 755 "$work/fake/squeue"
	for name in sacct sinfo scontrol; do cp "$work/fake/squeue" "$work/fake/$name"; done
	run asked 60s 8s NOISE=
	answers "$output"
	well=$output
	for noise in banner bars behind module glued error chatter words blank crlf cut; do
		wait=3s
		[ "$noise" != chatter ] || wait=8s
		run asked 60s "$wait" NOISE="$noise"
		same 20 "${#lines[@]}"
		for line in "${lines[@]}"; do
			grep -qxF -- "$line" <<<"$well" || silent "$line" "${line%% *}" || { echo "$noise: $line" >&2; return 1; }
		done
		[ "$noise" != chatter ] || same '' "$(diff <(echo "$well") <(echo "$output"))"
	done
}

@test "slurmctld has lost its state: what it has forgotten, what has its number now, and what accounting takes for running, is never a yes" {
	local k old lost=3 word=- code=-
	old=$(job --wrap true)
	a=$(job --wrap 'sleep 600')
	b=$(job --hold --wrap true)
	for ((k = 0; k < 300; k++)); do
		[ "$(as sacct -nXP -j "$old,$a,$b" -o State,Partition | sort | paste -sd ' ')" != 'COMPLETED|cpu PENDING|cpu RUNNING|cpu' ] || break
		sleep 0.1
	done
	as waitfor -t 4m job "$a" >"$BATS_TEST_TMPDIR/before" 2>/dev/null 3>&- &
	before=$!
	"$ROOT/t/cluster" stop ctld
	cp "$CLUSTER_DIR/etc/slurm.conf" "$CLUSTER_DIR/etc/slurm.conf.kept"
	cp -a "$CLUSTER_DIR/ctld" "$CLUSTER_DIR/ctld.kept"
	find "$CLUSTER_DIR/ctld" -mindepth 1 -delete
	# it begins again at the number of a job that was
	echo "FirstJobId=$old" >>"$CLUSTER_DIR/etc/slurm.conf"
	"$ROOT/t/cluster" start ctld
	# accounting of 22.05 ends what slurmctld has forgotten; that of 26.05 does not, and then nobody knows its end
	for ((k = 0; k < 200; k++)); do
		[[ $(as sacct -nP -j "$a,$b" -o State | sort -u | paste -sd ' ') != 'CANCELLED' ]] || { lost=1 word=CANCELLED code=0:0; break; }
		sleep 0.1
	done
	for id in "$a" "$b" "$a.batch"; do
		is "$lost" as waitfor -t 1m job "$id"
		same "$id"$'\t'"$word"$'\t'"$code" "$output"
	done
	is "$lost" as sacct-hist --check "$a"
	is "$lost" as sacct-hist --check "$b"
	is 0 as waitfor -t 1m job "$old"
	is 0 as sacct-hist --check "$old"
	status=0
	wait "$before" || status=$?
	same "$lost $a"$'\t'"$word"$'\t'"$code" "$status $(cat "$BATS_TEST_TMPDIR/before")"

	# the number again: the older job, which was COMPLETED, is no answer
	same "$old" "$(job --hold --wrap 'exit 3')"
	is 124 as waitfor -t 1s job "$old"
	same "$old"$'\tPENDING\t-' "$output"
	is 3 as sacct-hist --check "$old"
	as scontrol release "$old"
	is 1 as waitfor -t 2m job "$old"
	same "$old"$'\tFAILED\t3:0' "$output"
	is 1 as sacct-hist --check "$old"

	# a runaway job, whose end accounting has never heard of
	mariadb --no-defaults --user=root --socket="$CLUSTER_DIR/db/sock" slurm_acct_db -e \
		"update butest_job_table set state = 1, time_end = 0 where id_job = $a"
	is 3 as waitfor -t 2m job "$a"
	same "$a"$'\t-\t-' "$output"
	has "$stderr" "$a: squeue: gone; sacct: RUNNING"
	is 3 as sacct-hist --check "$a"
	is 0 as sacct-hist -q "$a"
	same $'RUNNING\t1\t-' "$output"
}
