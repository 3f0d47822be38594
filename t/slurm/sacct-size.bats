# sacct-size on a real cluster: measured peaks, kills and time-outs, read back through slurmdbd
load helper

# field FLAG N: field N, or fields N-M, of the record of that flag, of the last report
field() { awk -F'\t' -v f="$1" '$2 == f && $8 == "-"' <<<"$output" | cut -f "$2"; }

# pasted ARG...: the lines of sacct-size -s ARG... stand in a script that sbatch accepts
pasted() {
	run here '{ echo "#!/bin/bash"; sacct-size -q -s -S 1h "${@:2}"; echo true; } >next.sh; sbatch --test-only next.sh' "$@"
	same 0 "$status" "$output $(cat "$work/next.sh")"
	has "$output" 'to start at '
	has "$(cat "$work/next.sh")" '#SBATCH --'
}

@test "measured peaks lower a request; asked and as text alike; sampling is named" {
	run here 'for k in 1 2 3; do sbatch --parsable -p cpu -J sizefew${tag}_$k --mem=900M -t 0:05:00 -o few.txt \
		--wrap "perl -e \"my \\\$x = q(x) x (200 << 20); sleep 5\""; done'
	same 0 "$status" "$output"
	for k in 1 2 3; do ended "sizefew${tag}_$k" 1; done
	run here 'sacct-size -S 1h sizefew${tag}_9 2>said; cat said >&2'
	same 0 "$status" "$output"
	has "$output" 'JobAcctGatherType jobacct_gather/'
	has "$output" 'every 1 s'
	same 900M "$(field --mem 3)"
	same lower "$(field --mem 5)"
	same 3 "$(field --mem 6)"
	same $'00:05:00\tkeep' "$(field --time 3)"$'\t'"$(field --time 5)"
	run here 'sacct-size -q -S 1h sizefew${tag}_9 | cut -f1-6,8 >asked
		fields=$(sacct-size --fields)
		sinfo -a -h -e -o "%P|%l|%m|%c" >limits
		sacct -DP -S now-1hours -o "$fields" | sacct-size -q --sinfo limits sizefew${tag}_9 | cut -f1-6,8 >text
		cmp asked text'
	same 0 "$status" "$output"
	pasted sizefew${tag}_9
	has "$(cat "$work/next.sh")" '#SBATCH --mem='
}

@test "an array killed for memory is raised, and completes at what was suggested" {
	[ "$CLUSTER_CGROUP" != no ] || skip 'memory is not held to its limit here'
	run here 'cat >kill.sbatch <<"END"
#!/bin/bash
perl -e "my \$x = q(x) x (\$ARGV[0] << 20); sleep 3" 150
END
		sbatch --parsable -p cpu -J sizekill${tag} -a 0-3 --mem=100M -t 0:05:00 -o kill.txt kill.sbatch'
	ended sizekill${tag} 4
	run here 'sacct-size -q -S 1h sizekill${tag}'
	same 0 "$status" "$output"
	same 100M "$(field --mem 3)"
	same raise "$(field --mem 5)"
	has "$(field --mem 7)" '4 killed, at up to 100M: x 1.30'
	# again and again, until it is enough: twice at most
	for k in 1 2 3; do
		more=$(field --mem 4)
		here "sbatch --parsable -p cpu -J sizekill${tag} -a 0-3 --mem=$more -t 0:05:00 -o kill.txt kill.sbatch"
		ended sizekill${tag} $((4 + 4 * k))
		run here 'sacct-size -q -S 1h sizekill${tag}'
		[ "$(field --mem 5)" = raise ] || break
	done
	as sacct -nXP -S now-1hours --name sizekill${tag} -o State | grep -q COMPLETED
}

@test "a limit that cut computing runs is raised; what the partition allows is looked at" {
	ended cut_1 3 root
	run here 'sacct-size -q -S 1h -u root cut_1'
	same 0 "$status" "$output"
	same $'00:01:00\t00:05:00\traise\t3' "$(field --time 3-6)"
	run here "echo 'cpu|1:00|4000|4' >limits; fields=\$(sacct-size --fields)
		sacct -DP -S now-1hours -u root -o \"\$fields\" | sacct-size -q --sinfo limits cut_1"
	same refused "$(field --time 5)"
	has "$(field --time 7)" 'it needs more than partition cpu allows, which is 00:01:00'
	pasted -u root cut_1
	has "$(cat "$work/next.sh")" '#SBATCH --time=00:05:00'
}

@test "slurmdbd stopped: 3; slurmctld stopped: the report is there, and what is missing is said" {
	run here 'sbatch --parsable --wait -p cpu -J sizedown${tag} -o x.txt --wrap true'
	ended sizedown${tag} 1
	run here 'sacct-size -q -S 1h sizedown${tag}'
	same 'refused refused refused' "$(cut -f5 <<<"$output" | paste -sd' ')" "$output"
	"$ROOT/t/cluster" stop ctld
	run here 'sacct-size -t 5s -S 1h sizedown${tag} 2>&1'
	"$ROOT/t/cluster" start ctld
	same 0 "$status" "$output"
	has "$output" 'sacct-size: what partitions allow is not looked at: sinfo gave no answer'
	"$ROOT/t/cluster" stop dbd
	run here 'sacct-size -S 1h sizedown${tag} 2>&1'
	"$ROOT/t/cluster" start dbd
	same 3 "$status"
	has "$output" 'sacct-size: sacct: error:'
}
