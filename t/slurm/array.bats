# the campaign of the examples on a real cluster
load helper

@test "the batch script of the examples runs as an array of 12: what is lost is found and run again, and then all is there" {
	campaign
	# one index too many, and task 7 is killed in the middle (137; Slurm takes 128 off before 26.05)
	run here 'mkdir log; sbatch --wait --parsable -p gpu --gres=gpu:1 --export=ALL,DEMO_LOSE=7 --array=0-12 array.sbatch'
	[ "$status" -ne 0 ]
	id=${lines[0]}
	same "$(for i in 0 1 2 3 4 5 6; do echo "${id}_$i|COMPLETED|0:0"; done; echo "${id}_7|FAILED|137:0"
		for i in 8 9 10 11; do echo "${id}_$i|COMPLETED|0:0"; done; echo "${id}_12|FAILED|1:0")" "$(states "$id" 13 | sed "s/^${id}_7|FAILED|9:0\$/${id}_7|FAILED|137:0/")"
	has "$(cat "$work/log/${id}_5.txt")" 'gridtag: task 5 -> 13b+1 model=13b seed=1'
	has "$(cat "$work/log/${id}_12.txt")" "gridtag: index '12' is no task of this grid: 12 cells, indices 0 to 11"
	same '{"model":"13b","seed":1,"step":1}' "$(head -n 1 "$work/out/13b+1.json")"
	same 11 "$(ls "$work/out" | grep -c 'json$')"

	run here "gridtag -q -f grid --account 'out/{tag}.json' --records 3"
	same 1 "$status"
	same $'missing\t7\t13b+3\tout/13b+3.json\t-' "$output"

	run here "spec=\$(gridtag -f grid -a -m 'out/{tag}.json'); echo \"\$spec\"; sbatch --wait --parsable -p gpu --gres=gpu:1 --array=\"\$spec\" array.sbatch"
	same 0 "$status" "$output"
	same 7 "${lines[0]}"
	same "${lines[1]}_7|COMPLETED|0:0" "$(states "${lines[1]}" 1)"
	run here "gridtag -q -f grid --account 'out/{tag}.json' --records 3"
	same "0" "$status$output"
	run here "spec=\$(gridtag -f grid -a -m 'out/{tag}.json') && sbatch --array=\"\$spec\" array.sbatch"
	same 1 "$status"
}

@test "the smoke pair runs watched, and says what --time the others need" {
	campaign
	run here 'mkdir log; pair=$(gridtag -f grid -2); echo "$pair"; sbatch --wait --parsable -p gpu --array="$pair" smoke.sbatch'
	same 0 "$status" "$output"
	has "$(cat "$work"/log/smoke.*.txt)" $'.json\tok\t3\t'
	same 2 "$(cat "$work"/log/smoke.*.txt | grep -c '^#SBATCH --time=')"
}

@test "a job that was given fewer GPUs than its WIDTH ends at the gate, before its cell" {
	campaign
	run here 'mkdir log; sbatch --wait --parsable -p gpu --gres=gpu:1 --export=ALL,WIDTH=2 --array=3 array.sbatch'
	same 1 "$status" "$output"
	same "${lines[0]}_3|FAILED|1:0" "$(states "${lines[0]}" 1)"
	has "$(cat "$work/log/${lines[0]}_3.txt")" 'gate-gpus: '
	[ ! -e "$work/out" ]
}

@test "gate-gpus agrees with what Slurm gave: 1, 2 and 4 GPUs, in a batch job and in a step" {
	for n in 1 2 4; do
		run here "srun -p gpu -N1 -n1 --gres=gpu:$n gate-gpus -q $n"
		same 0 "$status" "srun, $n GPUs: $output"
		run here "printf '#!/bin/sh\ngate-gpus $n\n' >gate.sh; sbatch --wait -p gpu -N1 --gres=gpu:$n -o gate.out gate.sh; cat gate.out"
		same 0 "$status" "sbatch, $n GPUs: $output"
		run here "srun -p gpu -N1 -n1 --gres=gpu:$n gate-gpus $((n + 1))"
		same 1 "$status" "one too few of $((n + 1))"
	done
}

@test "gate-gpus refuses GPUs that are spread over two nodes, and a job that asked for none" {
	run here 'srun -p gpu -N2 -n2 --ntasks-per-node=1 --gres=gpu:2 gate-gpus 4'
	same 1 "$status"
	run here "printf '#!/bin/sh\ngate-gpus 4\n' >gate.sh; sbatch --wait -p gpu -N2 -n2 --gpus=4 -o gate.out gate.sh"
	same 1 "$status"
	has "$(cat "$work/gate.out")" 'gate-gpus: '
	run here 'srun -p gpu -n1 gate-gpus 1'
	same 1 "$status" "$output"
	run here 'srun -p cpu -n1 gate-gpus 1'
	same 1 "$status" "$output"
	run here 'srun -p cpu -n1 gate-gpus -q 0'
	same 0 "$status" "$output"
}

@test "two jobs on one node: the device cgroup lets each reach its own GPUs only, and the gate counts those" {
	[ "$CLUSTER_DEVICES" = yes ] || skip "no device cgroup on this machine"
	run here 'srun -p gpu -w gn1 -N1 -n1 --gres=gpu:3 bash -c "
		touch first; until [ -e second ]; do sleep 0.1; done; gate-gpus 3" &
		until [ -e first ]; do sleep 0.1; done
		srun -p gpu -w gn1 -N1 -n1 --gres=gpu:1 bash -c "gate-gpus 1; touch second"
		wait %1'
	same 0 "$status" "$output"
}

@test "-k: four tasks of three cells each run all twelve; scancel reaches the running cell, and no further one starts" {
	campaign
	run here 'cat >many.sbatch <<"END"
#!/bin/bash
exec gridtag -k 3 model=7b,13b,32b seed=0..3 -- sh -c "mkdir -p out; : >out/\$TAG"
END
		spec=$(gridtag -k 3 -a model=7b,13b,32b seed=0..3); echo "$spec"
		sbatch --wait -p cpu -o many.%a.txt --array="$spec" many.sbatch
		gridtag -q model=7b,13b,32b seed=0..3 --account "out/{tag}" | cut -f1 | sort | uniq -c'
	same 0-3 "${lines[0]}"
	same 12 "$(ls "$work/out" | wc -l)"

	run here 'cat >stop.sbatch <<"END"
#!/bin/bash
exec gridtag -k 3 -i 0 seed=0..3 -- sh -c "trap \"echo got TERM >>log; exit 7\" TERM; : >ready; while :; do sleep 0.1; done"
END
		rm -f log; id=$(sbatch --parsable -p cpu -o stop.txt stop.sbatch)
		until [ -e ready ]; do sleep 0.1; done
		scancel --batch --signal=TERM "$id"
		until [ -z "$(squeue -h -j "$id" 2>/dev/null)" ]; do sleep 0.2; done; echo "$id"; cat log; cat stop.txt'
	same 0 "$status" "$output"
	same "${lines[0]}|FAILED|7:0" "$(states "${lines[0]}" 1)"
	same 'got TERM' "${lines[1]}"
	has "$output" 'gridtag: signal 15: 2 of 3 cells were not started'
}
