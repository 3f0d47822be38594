# unitcost and walltime-bucket on a real cluster: partitions of 3 h, 12 h, 1 d, 3 d, 7 d, and one that is down
load helper

# taken LIMIT PARTITION: what sbatch --test-only says to a job of one CPU with that limit
taken() {
	here 'sbatch --test-only --time="$2" -p "$3" --wrap true 2>&1' "$1" "$2"
}

@test "every time printed is accepted by sbatch into each of the partitions named, and the one that is down is not among them" {
	local stratum time partitions partition n=0
	run here 'walltime-bucket -l -H'
	same 0 "$status" "$output"
	same $'limit\tlimit_s\tpartitions\tnodes\tdefault
03:00:00\t10800\tcpu\t4\tcpu
12:00:00\t43200\tcpu12h\t4\t-
1-00:00:00\t86400\tcpu1d,gpu,backfill\t4,2,4\t-
3-00:00:00\t259200\tcpu3d\t4\t-
7-00:00:00\t604800\tcpu7d\t4\t-' "$output"
	here 'walltime-bucket 1m 3h 3h1m 9h 12h 12:00:01 1d 1d1m 3d 3d1s 7d' >"$BATS_TEST_TMPDIR/records"
	while IFS=$'\t' read -r stratum time _ partitions _; do
		for partition in ${partitions//,/ }; do
			run taken "$time" "$partition"
			same 0 "$status" "$stratum: $time in $partition: $output"
			has "$output" "in partition $partition"
		done
		n=$((n + 1))
	done <"$BATS_TEST_TMPDIR/records"
	same 11 "$n"
}

@test "one minute more than the longest limit is refused by walltime-bucket and by sbatch, and -c says what sbatch says" {
	local time want
	run here 'walltime-bucket 7-00:01:00'
	same 1 "$status"
	has "$output" 'the longest class is 7-00:00:00 in cpu7d: it needs checkpoints'
	run taken 7-00:01:00 cpu7d
	[ "$status" -ne 0 ]
	for time in 3:00:00 7-00:00:00 7-00:01:00; do
		want=0
		taken "$time" cpu,cpu12h,cpu1d,cpu3d,cpu7d >/dev/null || taken "$time" cpu7d >/dev/null || want=1
		run here 'walltime-bucket -c "$2"' "$time"
		same "$want" "$status$output" "$time"
	done
}

@test "a pasted line is what sbatch reads: its time, and the rest is a comment" {
	run here 'printf "d %s\n" "100 9000" "100 9000" "100 9000" >t
		{ echo "#!/bin/sh"; unitcost -n 100 t | walltime-bucket -s; echo true; } >job.sh; cat job.sh
		id=$(sbatch --parsable --hold -p cpu job.sh); squeue -h -j "$id" -o %l; scancel "$id"'
	same 0 "$status" "$output"
	[[ ${lines[1]} == '#SBATCH --time=03:00:00  # d: 90 s/unit, 3 runs of <= 100 units, 20'??-??-?? ]]
	same 3:00:00 "${lines[3]}"
}

@test "the demo's own timings, through both tools, into a real array for each stratum; accounting gives the same runs" {
	campaign
	# the cells of the demo take no time, and a clock of whole seconds shows 0
	echo 'sleep 1.2' | as bash -c 'cat >>"$1/cell.sh"' bash "$work"
	run here 'mkdir log; sbatch --wait --parsable -p gpu --gres=gpu:1 --array=0-11 array.sbatch'
	same 0 "$status" "$output"
	first=$output
	same 12 "$(here 'set -- timings/*.tsv; echo $#')"
	run here 'rm -r out
		gridtag -f grid --values model >strata
		cat timings/*.tsv | unitcost -n 300 -X -l strata - >need.tsv
		walltime-bucket -f need.tsv >times
		while IFS=$(printf "\t") read -r stratum time limit partitions rest; do
			spec=$(gridtag -f grid -a -w model="$stratum")
			id=$(sbatch --wait --parsable -p gpu --gres=gpu:1 --time="$time" --array="$spec" array.sbatch </dev/null)
			echo "$stratum $time $id"
		done <times'
	same 0 "$status" "$output"
	same '7b 13b 32b' "$(cut -f1 "$work/times" | paste -sd' ')"
	same 12 "$(here 'set -- out/*.json; echo $#')"
	grep -E '^(7b|13b|32b) ' <<<"$output" >"$BATS_TEST_TMPDIR/arrays"
	same 3 "$(wc -l <"$BATS_TEST_TMPDIR/arrays")"
	while read -r stratum time id; do
		same 4 "$(states "$id" 4 | grep -c COMPLETED)" "$stratum"
		same "$time" "$(as sacct -nXP -j "$id" -o Timelimit | sort -u)" "$stratum"
	done <"$BATS_TEST_TMPDIR/arrays"

	states "$first" 12
	run here 'fields=$(unitcost --fields); sacct -P -j "$2" -o "$fields" | unitcost --sacct --units-per-job 3 -n 3' "$first"
	same 0 "$status" "$output"
	same $'sweep\t12\t3' "$(cut -f1,5,6 <<<"$output")"
}

@test "a controller that is stopped or hangs is no answer: 3, in time" {
	run here 'walltime-bucket -c 1h'
	same 0 "$status"
	"$ROOT/t/cluster" freeze ctld
	run here 'walltime-bucket -t 1s 1h'
	same 3 "$status" "$output"
	same 'walltime-bucket: sinfo gave no answer within 1 s: try it by hand, or longer with -t' "$output"
	run here 'walltime-bucket -t 1s -c 1h'
	same 3 "$status" "$output"
	"$ROOT/t/cluster" start ctld
	run here 'walltime-bucket -c 1h'
	same 0 "$status" "$output"
}
