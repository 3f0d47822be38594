# flushcheck's forecast beside what Slurm's own time limit leaves on disk
load helper

# What is on disk, said by others: `nothing`, `torn` (bytes behind the last newline) or `ok`
found() {
	local lines=0 last=
	if [ -s "$1" ]; then lines=$(wc -l <"$1") last=$(tail -c 1 "$1" | od -An -tx1 | tr -d ' \n'); fi
	if [ "$lines" = 0 ]; then echo nothing; elif [ "$last" != 0a ]; then echo torn; else echo ok; fi
}

@test "what flushcheck says of five ways to write is what Slurm's time limit leaves" {
	local kind forecast id ids='' real
	${CC:-cc} -O -o "$BATS_TEST_TMPDIR/writer" "$ROOT/t/flushcheck/writer.c"
	install -o butest -m 755 "$BATS_TEST_TMPDIR/writer" "$work"
	declare -A want=([end]=nothing [line]=ok [block]=torn [inplace]=rewrite [rename]=ok)
	declare -A left=([end]=nothing [line]=ok [block]=torn [inplace]=nothing [rename]=ok)
	declare -A job=(
		[end]='sleep "${1:-300}"; seq 100 >"$out"'
		[line]='exec ./writer line "$out" "${1:-300}000" 1000'
		[block]='exec ./writer block "$out" "${1:-300}000" 1000'
		# whole for a moment only, then cut again: the window is nearly all of the time
		[inplace]='i=0; while [ $i -lt "${1:-300}" ]; do : >"$out"; sleep 1; seq 50 >>"$out"; sleep 0.02; i=$((i + 1)); done; seq 50 >"$out"'
		[rename]='i=0; while [ $i -lt "${1:-300}" ]; do seq 50 >"$out.new"; mv "$out.new" "$out"; sleep 1; i=$((i + 1)); done')
	for kind in end line block inplace rename; do
		printf '#!/bin/sh\nout=$OUT\n%s\n' "${job[$kind]}" >"$BATS_TEST_TMPDIR/job"
		install -o butest -m 755 "$BATS_TEST_TMPDIR/job" "$work/$kind.sh"
	done
	# the jobs run while the forecasts are made
	for kind in end line block inplace rename; do
		id=$(here "sbatch --parsable -p cpu -t 10 -o $kind.log --export=ALL,OUT=$kind.out $kind.sh")
		ids+="$kind=$id "
	done
	# killed after 2 s as a time limit would; what is rewritten in place is watched: the kill may hit any moment
	for kind in end line block inplace rename; do
		case $kind in
		inplace | rename) run here "OUT=$kind.try flushcheck -q -o $kind.try -- ./$kind.sh 3" ;;
		*) run here "OUT=$kind.try flushcheck -q --kill-at 2s -g 2s -o $kind.try -- ./$kind.sh" ;;
		esac
		forecast=$(cut -f 2 <<<"$output")
		same "${want[$kind]}" "$forecast" "the forecast for $kind: $output"
		case $forecast in ok) same 0 "$status" ;; *) same 1 "$status" ;; esac
	done
	for pair in $ids; do
		for ((i = 0; i < 200; i++)); do
			[ "$(as squeue -h -j "${pair#*=}" -o %T)" != RUNNING ] || break
			sleep 0.1
		done
		as scontrol update "JobId=${pair#*=}" "EndTime=$(date -d '+3 seconds' +%FT%T)"
	done
	for pair in $ids; do
		kind=${pair%%=*} id=${pair#*=}
		for ((i = 0; i < 900; i++)); do
			[ -n "$(as squeue -h -j "$id" -o %T)" ] || break
			sleep 0.1
		done
		has "$(states "$id" 1)" "$id|TIMEOUT|"
		real=$(found "$work/$kind.out")
		if [ "$kind" = inplace ] && [ "$real" = ok ]; then continue; fi	# it hit the 2 % of the time when it is whole
		same "${left[$kind]}" "$real" "what Slurm left of $kind"
	done
	# and the block that stdio wrote last is whole
	same 0 $(($(wc -c <"$work/block.out") % 4096))
}

@test "in a job: -p beside the command, and a trap that saves at --signal" {
	cat >"$BATS_TEST_TMPDIR/job" <<-'JOB'
		#!/bin/bash
		for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.2; done >beside.out &
		flushcheck -p $! -o beside.out >beside.tsv || exit
		flushcheck --kill-at 2s --signal B:USR1@1 -g 2s -o trap.out -- bash -c 'trap "echo saved >trap.out; exit" USR1; sleep 60 & wait' >trap.tsv
	JOB
	install -o butest -m 755 "$BATS_TEST_TMPDIR/job" "$work/job.sh"
	run here 'sbatch --wait -p cpu -t 5 -o job.log job.sh; cut -f 2 beside.tsv trap.tsv'
	same 0 "$status" "$output $(cat "$work/job.log")"
	same $'ok\nok' "$(tail -n 2 <<<"$output")"
}
