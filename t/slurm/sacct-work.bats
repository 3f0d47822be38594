# sacct-work on a real cluster: a run of each kind that its rules name, read back through slurmdbd. What takes minutes was
# submitted by t/slurm/early, as root; this file is run last. Peaks are sampled once a second.
load helper

# setup_file submits what does not have to wait for other runs
setup_file() {
	setup
	export tag
	cat >"$BATS_FILE_TMPDIR/use" <<-'END'
		#!/bin/bash
		# use MIB [SECONDS]: holds so much memory so long
		exec perl -e 'my $x = "x" x ($ARGV[0] << 20); sleep $ARGV[1]' "$1" "${2:-3}"
	END
	as bash -c 'cat >use; chmod +x use' <"$BATS_FILE_TMPDIR/use"
	as bash -euo pipefail -c 'tag=$2
		batch() { sbatch --parsable -p cpu -t 5 -o /dev/null "$@"; }
		batch -J fail${tag}_1 -a 0-4 --mem=60M --wrap "exit \$((SLURM_ARRAY_TASK_ID < 3))"
		for k in 1 2 3; do batch -J roomy${tag}_$k --mem=40G --wrap "sleep 2"; done
		batch -J grown${tag}_1 --mem=300M use 90
		batch -J grown${tag}_2 --mem=60M use 5
		batch -J probed${tag}_1 --mem=200M use 5
		batch -J probed${tag}_1 -a 0-9 --mem=200M use 50
		batch -J short${tag}_1 --mem=60M --wrap true
		batch -J short${tag}_2 --mem=60M --wrap true
		[ "$1" = no ] || {
			batch -J edge${tag}_1 --mem=200M use 193
			batch -J hungry${tag}_1 -a 0-3 --mem=100M use 150
			batch -J hungry${tag}_2 --mem=100M use 150
			batch -J hungry${tag}_3 --mem=80M use 150
		}
		sbatch --parsable -J loop${tag}_1 -p backfill -w cn3 -c 8 -t 20 -o /dev/null --requeue --wrap "sleep 600"' bash "$CLUSTER_CGROUP" "$tag"
}

# said ARG...: what sacct-work says about the last hour
said() { run here 'sacct-work -q -S 1h "${@:2}"' "$@"; }

# found NAME [USER]: the codes of the work, with their severity
found() {
	here 'sacct-work -q -S 1h -u "$3" -F "$2"' "$1" "${2:-butest}" >"$BATS_TEST_TMPDIR/found"
	cut -f1,2 "$BATS_TEST_TMPDIR/found" | tr '\t' ' '
}

# evidence CODE: of the last found
evidence() { awk -F'\t' -v code="$1" '$1 == code { print $4 }' "$BATS_TEST_TMPDIR/found"; }

# gate STATUS NAME [OPTION...]: what it says is in $output
gate() {
	run here 'sacct-work -S 1h --gate "${@:2}" 2>&1' "${@:2}"
	same "$1" "$status" "$output"
}

@test "repeat and unchanged: three of five tasks failed at one request; the gate objects to it, and to no other" {
	ended fail${tag}_1 5
	same $'repeat critical\nunchanged warning' "$(found fail${tag}_9 | grep -v slack)"
	has "$(evidence repeat)" '3 of 5 runs failed (3 FAILED, 0 timed out, 0 out of memory)'
	same 'all 3 that failed, of 5 runs, asked for 60M a node and 00:05:00' "$(evidence unchanged)"
	gate 1 fail${tag}_2
	has "$output" "butest/cpu/fail${tag}_#: 3 of 5 runs failed at 60M a node and 00:05:00 (the others completed at just that), since 20"
	gate 0 fail${tag}_2 --request mem=80M
	gate 0 fail${tag}_2 --request time=10m
	ended short${tag}_1 1
	ended short${tag}_2 1
	gate 0 short${tag}_3
	has "$output" "butest/cpu/short${tag}_#: 2 runs: too little history to object"
	gate 0 never_was
	has "$output" 'no run of never_was that is over'
}

@test "mem-search: an array and two jobs killed for memory; the gate, until another request completed; worse where a killed one did" {
	[ "$CLUSTER_CGROUP" != no ] || skip 'memory is not held to its limit here'
	ended hungry${tag}_1 4
	ended hungry${tag}_2 1
	ended hungry${tag}_3 1
	has "$(found hungry${tag}_1)" 'mem-search warning'
	same '3 submissions (6 runs) were killed for memory, at 100M x2, 80M' "$(evidence mem-search)"
	same 'OUT_OF_MEMORY' "$(here 'sacct-work -q -S 1h --runs hungry${tag}_1 | cut -f12 | sort -u')"
	gate 1 hungry${tag}_9
	has "$output" '6 of 6 runs were killed for memory at 80M a node or more'
	has "$output" 'none of its 6 runs completed'
	gate 1 hungry${tag}_9 --request mem=100M
	gate 0 hungry${tag}_9 --request mem=400M
	run here 'cd; sbatch --parsable -p cpu -t 5 -o /dev/null -J hungry${tag}_4 --mem=400M use 150'
	same 0 "$status" "$output"
	ended hungry${tag}_4 1
	gate 0 hungry${tag}_9
	gate 1 hungry${tag}_9 --request mem=100M
	has "$output" 'what differed in the 1 that completed: memory 400M (failed: 80M to 100M)'
	same 'mem-search warning' "$(found hungry${tag}_1 | grep mem-)"
	run here 'cd; sbatch --parsable -p cpu -t 5 -o /dev/null -J hungry${tag}_5 --mem=100M use 5'
	same 0 "$status" "$output"
	ended hungry${tag}_5 1
	same 'mem-search critical' "$(found hungry${tag}_1 | grep mem-)"
	has "$(evidence mem-search)" "; ${lines[0]} completed later at 100M, where one had been killed"
	has "$(found hungry${tag}_1)" 'outgrew warning'
	gate 1 hungry${tag}_9
	has "$output" '5 of 6 runs were killed for memory at 100M a node or more (the others completed at that or less)'
}

@test "near-limit by memory, outgrew, slack-mem, array-unrepresentative: from measured peaks" {
	for k in 1 2 3; do ended "roomy${tag}_$k" 1; done
	has "$(found roomy${tag}_1)" 'slack-mem info'
	has "$(evidence slack-mem)" 'the largest of 3 completed runs used '
	has "$(evidence slack-mem)" ' of 40G a node'
	ended grown${tag}_1 1
	ended grown${tag}_2 1
	has "$(found grown${tag}_1)" 'outgrew warning'
	has "$(evidence outgrew)" ', the latest request is 60M'
	ended probed${tag}_1 11
	has "$(found probed${tag}_1)" 'array-unrepresentative warning'
	has "$(evidence array-unrepresentative)" ', 10 of its 10 tasks more, up to '
	[ "$CLUSTER_CGROUP" != no ] || return 0
	ended edge${tag}_1 1
	has "$(found edge${tag}_1)" 'near-limit warning'
	has "$(evidence near-limit)" '1 of 1 completed runs within 5 % of the memory, '
}

@test "requeue-loop: a job in backfill is preempted twice by a higher one" {
	run here 'low=$(squeue -h -n loop${tag}_1 -o %A)
		for k in 1 2; do
			until [ "$(squeue -h -j $low -o %T)" = RUNNING ]; do sleep 0.2; done
			sbatch --parsable --wait -p cpu -w cn3 -c 8 -t 5 -o /dev/null -J higher --wrap true
		done
		scancel $low; echo $low'
	same 0 "$status" "$output"
	low=${lines[-1]}
	ended loop${tag}_1 3
	has "$(found loop${tag}_1)" 'requeue-loop warning'
	same "1 job was preempted again where it had been: $low 2 times in backfill" "$(evidence requeue-loop)"
	said loop${tag}_1
	same "butest/cpu/loop${tag}_#"$'\t1\t3\t0\t0\t0\t0\t3' "$(cut -f1-8 <<<"$output")"
}

@test "near-limit by time, slack-cpu, slack-time; hang, held-gpu, blocked-timeout, to which the gate objects at any limit" {
	ended near_1 1 root
	same 'near-limit warning' "$(found near_1 root)"
	has "$(evidence near-limit)" '1 of 1 completed runs within 5 % of the time limit, '
	ended wide_1 3 root
	same $'slack-time info\nslack-cpu info' "$(found wide_1 root)"
	has "$(evidence slack-cpu)" 'the busiest of 3 completed runs used 0.'
	has "$(evidence slack-cpu)" ' % of its cores, 2 are asked for'
	run here 'sacct-size -q -S 1h -u root wide_1 | grep -e --cpus-per-task | cut -f3-6'
	same $'2\t1\tlower\t3' "$output"
	ended holder_1 1 root
	same $'held-gpu critical\nhang warning' "$(found holder_1 root)"
	same '1 of 1 runs held GPUs for over 300 s and used under 10 s of CPU: 0.1 GPU-hours' "$(evidence held-gpu)"
	run here 'sacct-work -F -S 1h -u root holder_1 2>&1'
	has "$output" 'GPU use (gres/gpuutil) not recorded in 1 of 1 runs: whether they used their GPUs is unknown'
	ended blocked_1 3 root
	same $'hang critical\nblocked-timeout critical' "$(found blocked_1 root)"
	has "$(evidence hang)" '3 of 3 runs took over 300 s and used under 10 s of CPU: '
	same '3 of 3 time-outs used under 10 s of CPU' "$(evidence blocked-timeout)"
	gate 1 blocked_1 -u root
	has "$output" '3 of 3 runs hung until their time was up: a longer limit buys a longer hang'
	gate 1 blocked_1 -u root --request time=3-00
	run here 'sacct-size -q -S 1h -u root blocked_1 | grep -e "--time"'
	has "$output" $'\t00:05:00\t-\trefused\t'
	has "$output" 'blocked, not slow'
	ended cut_1 3 root
	gate 1 cut_1 -u root
	has "$output" '3 of 3 runs ran out of time at 00:01:00 or more'
	gate 0 cut_1 -u root --request time=10m
}

@test "asked by -S and -u, and as text through a pipe: the same" {
	run here 'fields=$(sacct-work --fields)
		sacct -DP -S now-1hours -u butest,root -o "$fields" >text
		for how in "" -F "--runs probed${tag}_1" "--runs fail${tag}_1" "--sort failures -n 3" "--by partition" --json; do
			sacct-work -q -S 1h -u butest,root $how >asked
			sacct-work -q $how <text >piped
			cmp asked piped
			sacct -DP -S now-1hours -u butest,root -o "$fields" --delimiter="$(printf "\\037")" | sacct-work -q $how | cmp asked
		done
		sacct-work -q -S 1h -E now loop${tag}_1 | cmp - <(sacct-work -q loop${tag}_1 <text)
		wc -l <text; sacct-work -q -S 1h -u butest,root | awk -F"\t" "\$3 != \$4 + \$5 + \$6 + \$7 + \$8"'
	same 0 "$status" "$output"
	same 1 "${#lines[@]}" "$output"
	status=0
	here 'sacct-work -q --gate fail${tag}_1 <text' || status=$?
	same 1 "$status"
	here 'sacct-work -q --gate short${tag}_1 <text'
}

@test "slurmdbd stopped: 3, from the report and from the gate; started again: the answer" {
	"$ROOT/t/cluster" stop dbd
	run here 'sacct-work -S 1h fail${tag}_1 2>&1'
	first=$status said=$output
	run here 'sacct-work -S 1h --gate fail${tag}_1 2>&1'
	"$ROOT/t/cluster" start dbd
	same 3 "$first" "$said"
	has "$said" 'sacct-work: sacct: error:'
	same 3 "$status" "$output"
	has "$output" 'sacct-work: sacct: error:'
	gate 1 fail${tag}_1
}
