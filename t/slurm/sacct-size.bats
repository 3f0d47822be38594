# sacct-size on a real cluster: measured peaks, kills and time-outs, read back through slurmdbd
load helper

# ended NAME N: waits until accounting has N ended runs of that name
ended() {
	local k
	for ((k = 0; k < 600; k++)); do
		[ "$(as sacct -nXDP -S now-1hours --name "$1" -o State | grep -c -v -E 'PENDING|RUNNING|COMPLETING|REQUEUED' || true)" = "$2" ] && return
		sleep 0.2
	done
	as sacct -XDP -S now-1hours --name "$1" -o JobID,State,Elapsed >&2
	return 1
}

# field FLAG N: a field of the record of that flag, of the last report
field() { awk -F'\t' -v f="$1" -v n="$2" '$2 == f && $8 == "-" { print $n }' <<<"$output"; }

@test "measured peaks lower a request; asked and as text alike; sampling is named" {
	run here 'for k in 1 2 3; do sbatch --parsable -p cpu -J sizefew_$k --mem=900M -t 0:05:00 -o few.txt \
		--wrap "perl -e \"my \\\$x = q(x) x (200 << 20); sleep 5\""; done'
	same 0 "$status" "$output"
	for k in 1 2 3; do ended "sizefew_$k" 1; done
	run here 'sacct-size -S 1h sizefew_9 2>said; cat said >&2'
	same 0 "$status" "$output"
	has "$output" 'JobAcctGatherType jobacct_gather/'
	has "$output" 'every 1 s'
	same 900M "$(field --mem 3)"
	same lower "$(field --mem 5)"
	same 3 "$(field --mem 6)"
	same $'00:05:00\tkeep' "$(field --time 3)"$'\t'"$(field --time 5)"
	run here 'sacct-size -q -S 1h sizefew_9 | cut -f1-6,8 >asked
		fields=$(sacct-size --fields)
		sinfo -a -h -e -o "%P|%l|%m|%c" >limits
		sacct -DP -S now-1hours -o "$fields" | sacct-size -q --sinfo limits sizefew_9 | cut -f1-6,8 >text
		cmp asked text'
	same 0 "$status" "$output"
}

@test "an array killed for memory is raised, and completes at what was suggested" {
	[ "$CLUSTER_CGROUP" != no ] || skip 'memory is not held to its limit here'
	run here 'cat >kill.sbatch <<"END"
#!/bin/bash
perl -e "my \$x = q(x) x (150 << 20); sleep 3"
END
		sbatch --wait --parsable -p cpu -J sizekill -a 0-3 --mem=100M -t 0:05:00 -o kill.txt kill.sbatch || true'
	ended sizekill 4
	run here 'sacct-size -q -S 1h sizekill'
	same 0 "$status" "$output"
	same 100M "$(field --mem 3)"
	same raise "$(field --mem 5)"
	has "$(field --mem 7)" '4 killed, at up to 100M: x 1.30'
	# again and again, until it is enough: twice at most
	for k in 1 2 3; do
		more=$(field --mem 4)
		here "sbatch --wait --parsable -p cpu -J sizekill -a 0-3 --mem=$more -t 0:05:00 -o kill.txt kill.sbatch || true"
		ended sizekill $((4 + 4 * k))
		run here 'sacct-size -q -S 1h sizekill'
		[ "$(field --mem 5)" = raise ] || break
	done
	as sacct -nXP -S now-1hours --name sizekill -o State | grep -q COMPLETED
}

@test "a limit that cut runs is exceeded; what the partition allows is looked at" {
	run here 'for k in 1 2 3; do sbatch --parsable -p cpu -J sizecut -t 3:00:00 -o cut.txt --wrap "while :; do :; done"; done'
	same 0 "$status" "$output"
	ids=$output
	for id in $ids; do
		here "until [ \"\$(squeue -h -j $id -o %T)\" = RUNNING ]; do sleep 0.2; done"
		as scontrol update JobId="$id" TimeLimit=1
	done
	ended sizecut 3
	run here 'sacct-size -q -S 1h sizecut'
	same 0 "$status" "$output"
	same $'00:01:00\t00:05:00\traise' "$(field --time 3)"$'\t'"$(field --time 4)"$'\t'"$(field --time 5)"
	run here "echo 'cpu|1:00|4000|4' >limits; fields=\$(sacct-size --fields)
		sacct -DP -S now-1hours -o \"\$fields\" | sacct-size -q --sinfo limits sizecut"
	same refused "$(field --time 5)"
	has "$(field --time 7)" 'it needs more than partition cpu allows, which is 00:01:00'
}

@test "slurmdbd stopped: 3; slurmctld stopped: the report is there, and what is missing is said" {
	run here 'sbatch --parsable --wait -p cpu -J sizedown -o x.txt --wrap true'
	ended sizedown 1
	"$ROOT/t/cluster" stop ctld
	run here 'sacct-size -t 5s -S 1h sizedown 2>&1'
	"$ROOT/t/cluster" start ctld
	same 0 "$status" "$output"
	has "$output" 'sacct-size: sinfo gave no answer'
	has "$output" 'what partitions allow is not looked at'
	"$ROOT/t/cluster" stop dbd
	run here 'sacct-size -S 1h sizedown 2>&1'
	"$ROOT/t/cluster" start dbd
	same 3 "$status"
	has "$output" 'sacct-size: sacct: error:'
}
