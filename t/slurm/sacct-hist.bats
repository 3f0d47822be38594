# sacct-hist and whichnode on a real cluster: states, requeues, failed nodes, a black hole; accounting that is down
load helper

# settled ID N: waits until accounting has N ended tasks of the array
settled() {
	local k
	for ((k = 0; k < 600; k++)); do
		[ "$(as sacct -nXP -j "$1" -o JobID,State,JobName | grep -v 'allocation$' |
			grep -c -v -E '\|(PENDING|RUNNING|COMPLETING|REQUEUED)\|' || true)" = "$2" ] && return
		sleep 0.2
	done
	as sacct -XP -j "$1" -o JobID,State,JobName,NodeList >&2
	return 1
}

@test "an array with every end there is: by id and through a pipe alike, and what failed is run again and completes" {
	run here 'cat >mix.sbatch <<"END"
#!/bin/bash
[ ! -e good ] || exit 0
case $SLURM_ARRAY_TASK_ID in
1) exit 3 ;;
2 | 4 | 6) sleep 300 ;;
3) perl -e "my \$x = \"x\" x (400 << 20); sleep 20" ;;
5) [ -e again.5 ] || { : >again.5; sleep 300; } ;;
esac
exit 0
END
		sbatch --parsable -p cpu --mem=100M -t 0:05:00 -w cn1 -o mix.%a.txt --array=0-8 --requeue mix.sbatch'
	same 0 "$status" "$output"
	id=${lines[0]}
	# 2 runs into its limit, which is brought nearer; 4 is cancelled; 5 is requeued; 6 is on a node that goes down
	here "until [ -e again.5 ] && [ \"\$(squeue -h -t R -r -j $id -o %K | grep -c -x '[246]')\" = 3 ]; do sleep 0.2; done
		scancel ${id}_4; scontrol requeue ${id}_5; scontrol update JobId=${id}_6 Requeue=0"
	run here "sacct-hist --check $id"
	[ "$status" -ne 0 ]
	as scontrol update JobId="${id}_2" EndTime="$(date -d '+2 seconds' +%FT%T)"
	for ((k = 0; k < 300; k++)); do
		[ -n "$(as squeue -h -r -j "$id" -t R,PD,CG -o %K | grep -v -x 6)" ] || break
		sleep 0.5
	done
	"$ROOT/t/cluster" node stop cn1
	"$ROOT/t/cluster" as root scontrol update NodeName=cn1 State=DOWN Reason=stopped
	settled "$id" 9
	"$ROOT/t/cluster" node start cn1

	run here "sacct-hist $id"
	same 0 "$status" "$output"
	byid=$output
	has "$byid" 'COMPLETED'
	has "$byid" $'TIMEOUT\t1\t2'
	has "$byid" $'CANCELLED\t1\t4'
	has "$byid" $'NODE_FAIL\t1\t6'
	if [ "$CLUSTER_CGROUP" != no ]; then
		has "$byid" $'OUT_OF_MEMORY\t1\t3'
		has "$byid" $'FAILED\t1\t1'
	fi
	run here "fields=\$(sacct-hist --fields); sacct -XP -j $id -o \"\$fields\" | sacct-hist"
	same "$byid" "$output"
	run here "fields=\$(sacct-hist --fields); sacct -P -j $id -o \"\$fields\" --delimiter=\$'\\x1f' | sacct-hist -q"
	same "$byid" "$output"
	run here "sacct-hist -D $id"
	has "$output" $'REQUEUED\t1\t5'
	run here "whichnode -q -n 1 $id"
	same 0 "$status" "$output"
	byid=$output
	run here "fields=\$(whichnode --fields); sacct -DXP -j $id -o \"\$fields\" | whichnode -q -n 1"
	same "$byid" "$output"
	has "$byid" cn1

	run here ": >good; spec=\$(sacct-hist -q -a bad $id); echo \"\$spec\"
		sbatch --wait --parsable -p cpu --array=\"\$spec\" -o again.%a.txt mix.sbatch"
	same 0 "$status" "$output"
	same '1-4,6' "${lines[0]}"
	again=${lines[1]}
	run here "sacct-hist --check -n 5 $again"
	same 0 "$status" "$output"
	states "$again" 5 >/dev/null	# right after an end accounting has a task under the id of its array
	run here "sacct-hist --merge --check -n 9 $id $again"
	same 0 "$status" "$output"
	run here "sacct-hist -q -a bad $again"
	same 1 "$status"
	same none "$output"
}

@test "pending tasks are counted, the queue is heard, ids without a record are named" {
	run here 'sbatch --parsable -p cpu -o hold.txt --array=0-40:2%1 --hold --wrap true'
	id=${lines[0]}
	run here "sacct-hist $id; sacct-hist -a open $id"
	same 0 "$status" "$output"
	same $'PENDING\t21\t0-40:2\n0-40:2' "$output"
	run here "sacct-hist $id 9999999"
	same 3 "$status"
	has "$output" 'no record of 1 of 2: 9999999'
	run here "sacct-hist --check $id"
	same 3 "$status"
	# accounting lists no held job of a time
	run here 'sbatch -Q -p cpu -o hold.txt -J "held$tag" --hold --wrap true; sacct-hist -q --name "held$tag" -S 1d; sacct-hist --check --name "held$tag" -S 1d'
	same 3 "$status"
	same $'PENDING\t1\t-' "${lines[0]}"
	as scancel "$id"
	as scancel --name "held$tag"
}

@test "a node that fails everything at once is a black hole, and its list is taken by sbatch --exclude" {
	[ "$CLUSTER_NS" = yes ] || skip 'nodes have no names of their own here'
	run here 'cat >hole.sbatch <<"END"
#!/bin/bash
[ "$(hostname)" != cn3 ] || exit 1
sleep 0.2
END
		for n in cn1 cn2 cn3 cn4; do sbatch --parsable -p cpu -w $n -J hole -o hole.txt --array=0-4 hole.sbatch; done'
	same 0 "$status" "$output"
	ids=${output//$'\n'/ }
	for id in $ids; do settled "$id" 5; done
	run here "whichnode $ids"
	same 0 "$status"
	has "$output" 'cn3 is a black hole: all of its 5 runs failed within 60 s'
	same worse "$(grep '^cn3	' <<<"$output" | cut -f9)"
	run here "whichnode --check $ids"
	same 1 "$status"
	run here "list=\$(whichnode -q -x $ids 2>/dev/null); echo \"\$list\"; sbatch --wait -p cpu --exclude=\"\$list\" -J hole -o hole.txt hole.sbatch"
	same 0 "$status" "$output"
	same cn3 "${lines[0]}"
	run here "whichnode -q -r $ids 2>/dev/null | grep '^cn3' | cut -f10"
	same 0 "$status"
	[ "$output" != - ]
}

@test "slurmdbd stopped, and frozen: 3, and a line that says so" {
	run here 'sbatch --parsable --wait -p cpu -o x.txt --wrap true'
	id=${lines[0]}
	"$ROOT/t/cluster" freeze dbd
	SECONDS=0
	run here "sacct-hist -t 3s $id"
	took=$SECONDS
	"$ROOT/t/cluster" start dbd
	same 3 "$status"
	[ "$took" -le 6 ]
	has "$output" 'sacct-hist: sacct did not answer in time'
	"$ROOT/t/cluster" stop dbd
	run here "sacct-hist -a bad $id"
	first=$status said=$output
	run here "whichnode $id"
	"$ROOT/t/cluster" start dbd
	same 3 "$first"
	has "$said" none
	has "$said" 'sacct-hist: sacct: error:'
	same 3 "$status"
	has "$output" 'whichnode: sacct: error:'
	run here "sacct-hist --check $id"
	same 0 "$status" "$output"
}
