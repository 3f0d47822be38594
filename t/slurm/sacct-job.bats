# sacct-job on a real cluster: what runs of each kind leave in accounting, by id and through a pipe alike
load helper

# ended ID N: waits until accounting has N ended runs of the job, and no step of them that still runs
ended() {
	local k
	for ((k = 0; k < 600; k++)); do
		[ "$(as sacct -nXP -j "$1" -o JobID,State,JobName | grep -v 'allocation$' |
			grep -c -v -E '\|(PENDING|RUNNING|COMPLETING|REQUEUED)\|' || true)" = "$2" ] &&
			! as sacct -nP -j "$1" -o State | grep -q RUNNING && return
		sleep 0.2
	done
	as sacct -P -j "$1" -o JobID,State,JobName,NodeList >&2
	return 1
}

# record ID WHAT: its used, limit, share and note in $output
record() { grep "^$1	$2	" <<<"$output" | cut -f3-; }

# between LOW HIGH SHARE
between() {
	awk -v low="$1" -v high="$2" -v v="$3" 'BEGIN { exit !(v ~ /^[0-9]/ && v >= low && v <= high) }' && return
	printf 'not from %s to %s: %s\n%s\n' "$1" "$2" "$3" "$output" >&2
	return 1
}

@test "memory of tasks that share a node is their sum, CPU time that of all steps; a pipe says the same as the id" {
	run here 'cat >use.sbatch <<"END"
#!/bin/bash
perl -e "my \$x = \"x\" x (60 << 20); sleep 3"
srun -n 2 perl -e "my \$x = \"x\" x (100 << 20); my \$e = time + 8; 1 while time < \$e"
END
		sbatch --parsable --wait -p cpu -n 2 --mem=800M -t 0:05:00 -o use.txt use.sbatch'
	same 0 "$status" "$output"
	id=${lines[0]}
	ended "$id" 1
	run here "sacct-job $id"
	same 0 "$status" "$output"
	byid=$output
	has "$(record "$id" time)" $'00:05:00\t'
	has "$(record "$id" time)" COMPLETED
	if [ "$CLUSTER_CGROUP" != no ]; then
		same 'sum of its 2 tasks' "$(record "$id" memory | cut -f4)"
		same 800M "$(record "$id" memory | cut -f2)"
		between 0.24 0.75 "$(record "$id" memory | cut -f3)"
	fi
	between 0.05 1.05 "$(record "$id" cpu | cut -f3)"
	run here "fields=\$(sacct-job --fields); sacct -DP -j $id -o \"\$fields\" | sacct-job"
	same "$byid" "$output"
	run here "fields=\$(sacct-job --fields); sacct -DP -j $id -o \"\$fields\" --delimiter=\$'\\x1f' --noconvert | sacct-job -F"
	has "$output" $'\tslack-time\t'
}

@test "each end has its finding: killed for memory, a command not found, a signal, an exit code, a time-out" {
	run here 'cat >end.sbatch <<"END"
#!/bin/bash
case $SLURM_ARRAY_TASK_ID in
1) perl -e "my \$x = \"x\" x (400 << 20); sleep 20" ;;
2) no-such-command-here ;;
3) kill -9 $$ ;;
4) exit 3 ;;
5) sleep 300 ;;
esac
END
		sbatch --parsable -p cpu --mem=100M -t 0:05:00 -o end.%a.txt --array=0-5 end.sbatch'
	same 0 "$status" "$output"
	id=${lines[0]}
	here "until [ -n \"\$(squeue -h -t R -j ${id}_5)\" ]; do sleep 0.2; done"
	as scontrol update JobId="${id}_5" EndTime="$(date -d '+2 seconds' +%FT%T)"
	ended "$id" 6
	run here "sacct-job -q -F $id"
	same 0 "$status" "$output"
	has "$output" $'\tnot-found\tcritical\t1 of 6 tasks, '"${id}_2 first: exit code 127"
	has "$output" $'\tsignal\tcritical\t'
	has "$output" "${id}_3 first: killed by signal 9, SIGKILL"
	has "$output" $'\ttimeout\tcritical\t1 of 6 tasks, '"${id}_5 first: ran "
	has "$output" "${id}_4 first: ended with exit code 3"
	if [ "$CLUSTER_CGROUP" != no ]; then has "$output" $'\toom\tcritical\t1 of 6 tasks, '"${id}_1 first: killed for memory at a limit of 100M"; fi
	run here "sacct-job -q $id"
	same "$id time memory cpu" "$(cut -f1 <<<"$output" | sort -u) $(cut -f2 <<<"$output" | paste -sd' ')"
	has "$(record "$id" time)" "slowest of 6 tasks: ${id}_5; "
	run here "sacct-job -q -l $id"
	same OUT_OF_MEMORY "$(record "${id}_1" time | cut -f4)"
}

@test "what runs and what waits has no number for what is not recorded; a requeued job counts its first attempt" {
	run here 'sbatch --parsable -p cpu --mem=50M -o run.txt --requeue --wrap "[ -n \"\$SLURM_RESTART_COUNT\" ] || sleep 300"
		sbatch --parsable -p cpu --mem=50M -o hold.txt --hold --wrap true'
	same 0 "$status" "$output"
	id=${lines[0]} held=${lines[1]}
	for ((k = 0; k < 300; k++)); do
		[ "$(as sacct -nXP -j "$id,$held" -o State,Partition | sort | paste -sd ' ')" != 'PENDING|cpu RUNNING|cpu' ] || break
		sleep 0.2
	done
	run here "sacct-job $id $held"
	same 0 "$status" "$output"
	same 'RUNNING: so far' "$(record "$id" time | cut -f4)"
	same $'-\t50M\t-\tnot recorded while it runs' "$(record "$id" memory)"
	same $'-\t50M\t-\tnot started' "$(record "$held" memory)"
	as scontrol requeue "$id"
	as scancel "$held"
	ended "$id" 1
	run here "sacct-job $id"
	same COMPLETED "$(record "$id" time | cut -f4)"
	run here "sacct-job -F $id"
	has "$output" '1 earlier attempt took 00:00:'
	run here "sacct-job $id 9999999"
	same 3 "$status"
	has "$output" 'no record of 1 of 2: 9999999'
}
