#!/usr/bin/env bats
# shellcheck disable=SC2016,SC2030,SC2031
load helper

# is STATUS CMD...: as in helper.bash, but without what makes tables of cases slow: `run` with its many processes,
# and bats' trap before each command of a function
is() {
	set +T
	answers "$@" && set -T && return
	set -T
	return 1
}

answers() {
	local want=$1 got=0
	shift
	"$@" >out 2>err </dev/null || got=$?
	IFS= read -r -d '' output <out
	IFS= read -r -d '' stderr <err
	output=${output%$'\n'} stderr=${stderr%$'\n'}
	mapfile -t stderr_lines <err
	[ "$got" = "$want" ] && return
	printf 'status %s, not %s: %s\n%s\n' "$got" "$want" "$*" "$stderr" >&2
	return 1
}

# devices N [NAME]: a root ./r with N devices NAME0... (nvidia) in its dev
devices() {
	local i
	[ -d r/sys ] || mkdir -p r/dev r/proc r/sys
	for ((i = 0; i < $1; i++)); do : >"r/dev/${2:-nvidia}$i"; done
}

# gate [NAME=VALUE...] ARG...: gate-gpus below ./r, on node gn1, with the nvidia-smi of ./smi if there is one
gate() {
	local -x "PATH=$PWD/smi:$BIN" SLURMD_NODENAME=gn1
	while [[ ${1-} == [A-Z]*=* ]]; do
		local -x "$1"
		shift
	done
	gate-gpus --root r "$@"
}

# job ...: the same in a job of one node
job() {
	gate SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1 "$@"
}

# driver TEXT: an nvidia-smi made of shell code
driver() {
	[ -d smi ] || mkdir smi
	printf '#!/bin/sh\nPATH=/usr/bin:/bin\n%s\n' "$1" >smi/nvidia-smi
	[ -x smi/nvidia-smi ] || chmod +x smi/nvidia-smi
}

# shows N [NAME [MIB [USED]]]: an nvidia-smi that knows N whole cards
shows() {
	driver "i=0; while [ \$i -lt $1 ]; do case \$1 in
	-L) echo \"GPU \$i: ${2:-NVIDIA H100 80GB HBM3} (UUID: GPU-000\$i-aaaa)\" ;;
	--query-gpu=*) echo \"\$i, GPU-000\$i-aaaa, ${3:-81559}, ${4:-1}, ${2:-NVIDIA H100 80GB HBM3}\" ;;
	esac; i=\$((i + 1)); done"
}

# says: the last line on stderr, where the verdict stands
says() {
	printf '%s' "${stderr_lines[${#stderr_lines[@]} - 1]}"
}

# ---- the promise

# bats test_tags=smoke
@test "four promised, masked, reachable and shown devices are a yes, with each source on stderr and one record" {
	devices 4
	shows 4
	is 0 job SLURM_GPUS_ON_NODE=4 SLURM_JOB_GPUS=0,1,2,3 CUDA_VISIBLE_DEVICES=0,1,2,3 4
	same $'4\t4\t1\tgn1\tpromised,masked,reachable,driver' "$output"
	same "gate-gpus: promised: 4 (SLURM_GPUS_ON_NODE='4')
gate-gpus: promised: 4 (SLURM_JOB_GPUS='0,1,2,3')
gate-gpus: nodes: 1 (SLURM_JOB_NUM_NODES)
gate-gpus: reachable: 4 NVIDIA (r/dev: nvidia0 nvidia1 nvidia2 nvidia3)
gate-gpus: driver: 4 (nvidia-smi -L)
gate-gpus: masked: 4 (CUDA_VISIBLE_DEVICES='0,1,2,3')" "$stderr"
}

# bats test_tags=smoke
@test "a refusal names what was asked, where, and every line that disagrees" {
	devices 3
	is 1 job SLURM_GPUS_ON_NODE=3 SLURM_JOB_GPUS=0,1,2 CUDA_VISIBLE_DEVICES=0,1,2 4
	same '' "$output"
	same "gate-gpus: refused: asked 4 devices on gn1: promised 3 (SLURM_GPUS_ON_NODE='3'); promised 3 (SLURM_JOB_GPUS='0,1,2'); masked 3 (CUDA_VISIBLE_DEVICES='0,1,2'); reachable 3 (r/dev)" "$(says)"
	is 1 job SLURM_GPUS_ON_NODE=3 SLURM_JOB_GPUS=0,1,2 CUDA_VISIBLE_DEVICES=0,1,2 -q 4
	refused
}

# bats test_tags=smoke
@test "the record comes as JSON and with a header; what is not known is nothing" {
	devices 1
	is 0 gate --json 1
	same '{"asked":1,"got":1,"nodes":null,"node":"gn1","source":"reachable"}' "$output"
	is 0 gate -H 1
	same $'asked\tgot\tnodes\tnode\tsource\n1\t1\t-\tgn1\treachable' "$output"
	is 0 job SLURM_GPUS_ON_NODE=1 --json --header 1
	same '{"asked":1,"got":1,"nodes":1,"node":"gn1","source":"promised,reachable"}' "$output"

	devices 1
	is 0 gate SLURMD_NODENAME= -q 1
	same $'1\t1\t-\t'"$(uname -n)"$'\treachable' "$output"
}

@test "-q takes the evidence away and never the answer" {
	devices 2
	is 0 gate -q 2
	same '' "$stderr"
	is 1 gate --quiet 3
	same 'gate-gpus: refused: asked 3 devices on gn1: reachable 2 (r/dev)' "$stderr"
	is 1 gate -q 1
	same 'gate-gpus: refused: asked 1 device on gn1: reachable 2, more than asked, and no mask (CUDA_VISIBLE_DEVICES is not set; --at-least lets that pass)' "$stderr"
}

@test "more than the width is refused, and passes with --at-least" {
	devices 4
	is 1 job SLURM_GPUS_ON_NODE=4 2
	same "gate-gpus: refused: asked 2 devices on gn1: promised 4, more than asked (SLURM_GPUS_ON_NODE='4'; --at-least lets that pass)" "$(says)"
	is 0 job SLURM_GPUS_ON_NODE=4 --at-least 2
	same $'2\t4\t1\tgn1\tpromised,reachable' "$output"
	is 0 job SLURM_GPUS_ON_NODE=4 CUDA_VISIBLE_DEVICES=0,1,2 --at-least 2
	same $'2\t3\t1\tgn1\tpromised,masked,reachable' "$output"
	is 1 gate CUDA_VISIBLE_DEVICES=0,1,2 2
	is 0 gate CUDA_VISIBLE_DEVICES=0,1,2 --at-least 2
	is 1 job SLURM_GPUS_ON_NODE=4 --at-least 5
}

# bats test_tags=smoke
@test "outside a job mask and device files decide" {
	devices 4
	is 0 gate 4
	is 0 gate CUDA_VISIBLE_DEVICES=1,3 2
	same $'2\t2\t-\tgn1\tmasked,reachable' "$output"
	is 1 gate 2
	is 1 gate 5
	is 0 gate --at-least 2
	has "$stderr" 'gate-gpus: promised: nothing (not in a job)'
	has "$stderr" 'gate-gpus: masked: no mask (CUDA_VISIBLE_DEVICES is not set)'
}

# ---- what is promised

# bats test_tags=smoke
@test "every promise must agree with the width; one that cannot be read is status 3 and named" {
	local want on job step id
	devices 2
	while read -r want on job step id; do
		is "$want" job SLURM_GPUS_ON_NODE="${on#.}" SLURM_JOB_GPUS="${job#.}" SLURM_STEP_GPUS="${step#.}" \
			SLURM_STEP_ID="${id#.}" CUDA_VISIBLE_DEVICES=0,1 2
	done <<-'END'
		0 2 0,1 . .
		0 2 0-1 . .
		0 02 . . .
		0 . 0,1 . .
		0 . . 0,1 .
		0 2 3 0,1 0
		0 . 3 0,1 5
		0 2 0,1 7 4294967290
		0 2 0,1 7 4294967291
		1 . 0,1 . 0
		1 1 0,1 . .
		1 2 0 . .
		1 2 0,1,2 . .
		1 3 0,1 . .
		1 0 . . .
		1 2 0,1 0 0
		1 2 0,1 0,1,2 0
		1 . . . .
		3 gpu:2 0,1 . .
		3 2.0 . . .
		3 -2 . . .
		3 two . . .
		3 2(x2) . . .
		3 99999999999999999999 . . .
		3 2 0,1,GPU . .
		3 . a100:2 . .
		1 gpu:2 0 . .
		1 1 a100:2 . .
	END

	devices 2
	is 3 job SLURM_GPUS_ON_NODE=gpu:2 CUDA_VISIBLE_DEVICES=0,1 2
	same '' "$output"
	has "$stderr" "gate-gpus: promised: unclear (SLURM_GPUS_ON_NODE='gpu:2')"
	same "gate-gpus: could not find out: asked 2 devices on gn1: SLURM_GPUS_ON_NODE='gpu:2' is no number (look at env in the job)" "$(says)"
	is 3 job SLURM_GPUS_ON_NODE=gpu:2 0
}

# bats test_tags=smoke
@test "the request as typed is shown and is no promise" {
	devices 4
	is 1 job SLURM_GPUS_PER_NODE=a100:4 SLURM_GPUS=4 4
	has "$stderr" "gate-gpus: requested: '4' (SLURM_GPUS, the request as typed: no promise)"
	has "$stderr" "gate-gpus: requested: 'a100:4' (SLURM_GPUS_PER_NODE, the request as typed: no promise)"
	has "$(says)" 'visible, not allocated'
	is 0 job SLURM_GPUS_PER_NODE=a100:4 SLURM_STEP_GPUS=0,1,2,3 SLURM_GPUS_ON_NODE=4 GPU_DEVICE_ORDINAL=0,1 4
	hasnt "$stderr" requested
	is 1 job SLURM_GPUS=4 SLURM_GPUS_ON_NODE=3 CUDA_VISIBLE_DEVICES=0,1,2 4
}

# bats test_tags=smoke
@test "a task with a share of the step's devices is promised its share: SLURM_STEP_GPUS names fewer than the step has" {
	# srun --ntasks=2 --gpus-per-task=1, Slurm 22.05: what the two tasks saw, beside what the batch script has
	local one=(SLURM_GPUS_ON_NODE=2 SLURM_GPUS_PER_TASK=1 SLURM_STEP_GPUS=0 CUDA_VISIBLE_DEVICES=0)
	local two=(SLURM_GPUS_ON_NODE=2 SLURM_GPUS_PER_TASK=1 SLURM_STEP_GPUS=1 CUDA_VISIBLE_DEVICES=1) step
	devices 2
	for step in SLURM_STEP_ID=0 SLURM_STEPID=0 SLURM_PROCID=0; do
		is 0 job "$step" SLURM_JOB_GPUS=0,1 "${one[@]}" 1
		same $'1\t1\t1\tgn1\tpromised,masked,reachable' "$output"
		same "gate-gpus: promised: 1 (SLURM_STEP_GPUS='0', this task's own; SLURM_GPUS_ON_NODE='2' are all of the step's here)" "${stderr%%$'\n'*}"
		is 0 job "$step" SLURM_JOB_GPUS=0,1 "${two[@]}" 1
		is 0 job "$step" "${two[@]}" --at-least 1
		is 1 job "$step" SLURM_JOB_GPUS=0,1 "${two[@]}" 2
		has "$(says)" "promised 1 (SLURM_STEP_GPUS='1')"
		is 1 job "$step" SLURM_JOB_GPUS=0,1 "${two[@]}" 0
	done
}

@test "a task that sees more than its share, or another's, is refused with and without --at-least" {
	local share=(SLURM_STEP_ID=0 SLURM_GPUS_ON_NODE=2 'SLURM_JOB_GPUS=0,1' SLURM_STEP_GPUS=1) least
	devices 2
	for least in --no-driver --at-least; do
		is 1 job "${share[@]}" CUDA_VISIBLE_DEVICES=0,1 $least 1
		has "$(says)" "masked 2, but promised 1 (CUDA_VISIBLE_DEVICES='0,1'): the mask shows what is not this task's"
		is 1 job "${share[@]}" CUDA_VISIBLE_DEVICES=0,1 $least 2
		is 1 job "${share[@]}" CUDA_VISIBLE_DEVICES=0 $least 1
		has "$(says)" "masked: device 0 of CUDA_VISIBLE_DEVICES is not among those promised (SLURM_STEP_GPUS='1')"
		is 1 job "${share[@]}" CUDA_VISIBLE_DEVICES= $least 1
		is 1 job "${share[@]}" $least 1
		has "$(says)" 'reachable 2, promised 1: the task has no device cgroup of its own, and no mask says which are yours'
	done
	# a list that is as long as the count, longer, or none: the step's count is the promise as ever
	is 1 job "${share[@]}" SLURM_STEP_GPUS=0,1 CUDA_VISIBLE_DEVICES=0 1
	has "$(says)" "promised 2, more than asked (SLURM_GPUS_ON_NODE='2'; --at-least lets that pass)"
	is 1 job "${share[@]}" SLURM_STEP_GPUS=0,1,2 CUDA_VISIBLE_DEVICES=0,1 2
	is 1 job "${share[@]}" SLURM_STEP_GPUS= CUDA_VISIBLE_DEVICES=0 1
	is 3 job "${share[@]}" SLURM_GPUS_ON_NODE=gpu:2 CUDA_VISIBLE_DEVICES=1 1
	# a batch or interactive step has the job's
	is 1 job "${share[@]}" SLURM_STEP_ID=4294967290 CUDA_VISIBLE_DEVICES=1 1
	# the same number twice is two slices of one card, as some versions name them
	is 0 job "${share[@]}" SLURM_STEP_GPUS=0,0 CUDA_VISIBLE_DEVICES=MIG-a,MIG-b --at-least 1
}

@test "a share's mask may count what the step may reach" {
	local share=(SLURM_STEP_ID=0 SLURM_GPUS_ON_NODE=2 SLURM_STEP_GPUS=5)
	devices 0
	touch r/dev/nvidia4 r/dev/nvidia5
	is 0 job "${share[@]}" CUDA_VISIBLE_DEVICES=1 1
	is 1 job "${share[@]}" CUDA_VISIBLE_DEVICES=0 1
	has "$(says)" "device 0 of CUDA_VISIBLE_DEVICES is not among those promised (SLURM_STEP_GPUS='5')"
	# the same mask is not right for two tasks, though a place of the one has the number of the other's device
	mv r/dev/nvidia4 r/dev/nvidia1; mv r/dev/nvidia5 r/dev/nvidia2
	is 1 job SLURM_STEP_ID=0 SLURM_GPUS_ON_NODE=2 SLURM_STEP_GPUS=1 CUDA_VISIBLE_DEVICES=1 1
	is 0 job SLURM_STEP_ID=0 SLURM_GPUS_ON_NODE=2 SLURM_STEP_GPUS=2 CUDA_VISIBLE_DEVICES=1 1
	mv r/dev/nvidia1 r/dev/nvidia4; mv r/dev/nvidia2 r/dev/nvidia5
	# of more than the step has, a mask's numbers are the node's
	touch r/dev/nvidia6
	is 1 job "${share[@]}" CUDA_VISIBLE_DEVICES=1 1
	# a cgroup of the task's own
	rm r/dev/nvidia[46]
	is 0 job "${share[@]}" CUDA_VISIBLE_DEVICES=0 1
	is 0 job "${share[@]}" 1
}

@test "a job without a promise is refused where devices are visible: visible, not allocated" {
	devices 4
	is 1 job 1
	same 'gate-gpus: refused: asked 1 device on gn1: visible, not allocated: 4 devices are visible, and Slurm promises this job none' "$(says)"
	is 1 job 4
	is 1 job CUDA_VISIBLE_DEVICES=0,1,2,3 4
	is 1 job --at-least 1
	is 1 gate SLURM_JOBID=7 SLURM_NNODES=1 4
	rm r/dev/*
	is 1 job 1
	same 'gate-gpus: refused: asked 1 device on gn1: promised none (did sbatch have --gres=gpu:1?); reachable 0 (r/dev)' "$(says)"
}

# ---- nodes

@test "the job must have as many nodes as -N says: a total can be met across nodes" {
	devices 2
	export SLURM_GPUS_ON_NODE=2
	is 1 gate SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=2 2
	same 'gate-gpus: refused: asked 2 devices on gn1: the job has 2 nodes, asked 1 (SLURM_JOB_NUM_NODES): gate each node with srun --ntasks-per-node=1 gate-gpus -N 2 2' "$(says)"
	is 0 gate SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=2 -N 2 2
	same $'2\t2\t2\tgn1\tpromised,reachable' "$output"
	is 1 job --nodes 2 2
	is 1 job -N2 2

	devices 4
	is 1 gate SLURM_JOB_NUM_NODES=2 SLURM_GPUS=4 SLURM_GPUS_ON_NODE=3 CUDA_VISIBLE_DEVICES=0,1,2 4
	has "$(says)" 'the job has 2 nodes, asked 1'
	has "$(says)" "promised 3 (SLURM_GPUS_ON_NODE='3')"
}

@test "a step's own number of nodes is not the job's" {
	devices 2
	export SLURM_JOB_ID=7 SLURM_GPUS_ON_NODE=2 SLURM_STEP_GPUS=0,1
	is 1 gate SLURM_STEP_ID=0 SLURM_NNODES=1 SLURM_JOB_NUM_NODES=2 2
	is 0 gate SLURM_STEP_ID=0 SLURM_NNODES=1 SLURM_JOB_NUM_NODES=2 -N 2 2
	is 3 gate SLURM_STEP_ID=0 SLURM_NNODES=1 2
	has "$(says)" 'in a job without SLURM_JOB_NUM_NODES'
	is 0 gate SLURM_NNODES=1 2
	is 1 gate SLURM_NNODES=2 2
	is 3 gate 2
	is 3 gate SLURM_JOB_NUM_NODES=two 2
	is 1 gate SLURM_JOB_NUM_NODES=0 2
}

@test "a heterogeneous job has the nodes of all its components" {
	devices 2
	export SLURM_JOB_ID=7 SLURM_GPUS_ON_NODE=2 SLURM_JOB_NUM_NODES=1 SLURM_HET_SIZE=2
	is 1 gate SLURM_JOB_NUM_NODES_HET_GROUP_0=1 SLURM_JOB_NUM_NODES_HET_GROUP_1=2 2
	has "$(says)" 'the job has 3 nodes, asked 1 (a heterogeneous job)'
	is 0 gate SLURM_JOB_NUM_NODES_HET_GROUP_0=1 SLURM_JOB_NUM_NODES_HET_GROUP_1=2 -N 3 2
	same $'2\t2\t3\tgn1\tpromised,reachable' "$output"
	is 3 gate SLURM_JOB_NUM_NODES_HET_GROUP_0=1 2
	has "$(says)" 'no SLURM_JOB_NUM_NODES_HET_GROUP_1'
	is 0 gate SLURM_HET_SIZE= SLURM_PACK_SIZE=2 SLURM_JOB_NUM_NODES_PACK_GROUP_0=1 SLURM_JOB_NUM_NODES_PACK_GROUP_1=1 -N 2 2
	# srun sets these in any job
	is 0 gate SLURM_HET_SIZE= SLURM_JOB_CPUS_PER_NODE_PACK_GROUP_0=4 2
}

# ---- what is masked

@test "a mask is read as CUDA reads it: up to the first entry that is no device" {
	local n mask
	devices 4
	while IFS='|' read -r n mask; do
		is 0 gate "CUDA_VISIBLE_DEVICES=$mask" --at-least 1
		same $'1\t'"$n"$'\t-\tgn1\tmasked,reachable' "$output" "mask: $mask"
	done <<-'END'
		4|0,1,2,3
		1|3
		2|0,2,-1,1
		1|0,-1,2
		2|1gpu2,2ampere
		1|0-2
		2| 0 , 1
		3|0,1,2,
		1|0,,1
		2|1,0,9
		2|1,0,NoDevFiles
		1|2,GPU-1
		1|GPU-7d5d2d18-e527-75f1-571c-349591a57073
		2|GPU-7d5d2d18,GPU-7d5e
		1|GPU-7d5d2d18,0
		1|GPU-7d5d2d18,MIG-1
	END

	local mask
	devices 4
	for mask in '' NoDevFiles -1 -1,0 4 abc ',' ' ' none GPU- MIG-; do
		is 1 gate "CUDA_VISIBLE_DEVICES=$mask" 1
		has "$(says)" 'refused: asked 1 device on gn1: masked 0 (CUDA_VISIBLE_DEVICES='
	done
	is 1 gate CUDA_VISIBLE_DEVICES=0,-1,2 2
	same "gate-gpus: refused: asked 2 devices on gn1: masked 1 (CUDA_VISIBLE_DEVICES='0,-1,2': '-1' is no device and ends the list)" "$(says)"
}

@test "a device that is masked twice is refused, whatever the width" {
	local mask
	devices 4
	for mask in 0,0,1 0,00 1,1gpu GPU-ab,GPU-ab GPU-ab,GPU-abcd MIG-ab,MIG-ab 0,1,2,1; do
		is 1 gate "CUDA_VISIBLE_DEVICES=$mask" --at-least 1
		has "$(says)" "CUDA_VISIBLE_DEVICES='$mask' names one device twice"
	done
	is 0 gate CUDA_VISIBLE_DEVICES=0,-1,0 1
}

@test "numbers that do not exist end the list: another node's numbers, or a mask wider than the cgroup" {
	devices 2
	is 1 job SLURM_GPUS_ON_NODE=2 SLURM_JOB_GPUS=2,3 CUDA_VISIBLE_DEVICES=2,3 2
	has "$(says)" "masked 0 (CUDA_VISIBLE_DEVICES='2,3': '2': of 2 there is no such number, which ends the list)"
	is 0 job SLURM_GPUS_ON_NODE=2 SLURM_JOB_GPUS=2,3 CUDA_VISIBLE_DEVICES=0,1,2,3 2
	same $'2\t2\t1\tgn1\tpromised,masked,reachable' "$output"
}

@test "UUIDs are looked up with the driver: unique beginnings pass, others end the list" {
	local n mask
	devices 3
	shows 3
	while IFS='|' read -r n mask; do
		is "$((n == 0))" gate "CUDA_VISIBLE_DEVICES=$mask" -q --at-least 1
		[ "$n" = 0 ] || same $'1\t'"$n"$'\t-\tgn1\tmasked,reachable,driver' "$output" "mask: $mask"
	done <<-'END'
		3|GPU-0000-aaaa,GPU-0001-aaaa,GPU-0002-aaaa
		2|GPU-0000,GPU-0001-aaaa
		0|GPU-000
		1|GPU-0002,GPU-000,GPU-0001
		0|GPU-0003-aaaa
		0|gpu-0001-aaaa
		0|GPU-0001-aaaa-long
		0|MIG-0001-aaaa
	END
}

@test "the inventory tells UUIDs where no driver does, and device files whose card is gone" {
	local i
	devices 4
	rm r/dev/nvidia3
	for i in 0 1 2 3; do
		mkdir -p "r/proc/driver/nvidia/gpus/0000:0$i:00.0"
		printf 'Model: \t\t NVIDIA A100\nIRQ:   \t\t 12\nGPU UUID: \t GPU-%s-bbbb\nDevice Minor: \t %s\n' $i $i \
			>"r/proc/driver/nvidia/gpus/0000:0$i:00.0/information"
	done
	is 0 gate CUDA_VISIBLE_DEVICES=GPU-0,GPU-2-bbbb 2
	has "$stderr" 'gate-gpus: inventory: 4 on the whole node (r/proc/driver/nvidia/gpus)'
	is 1 gate CUDA_VISIBLE_DEVICES=GPU-0,GPU-3-bbbb 2
	has "$(says)" "masked 1 (CUDA_VISIBLE_DEVICES='GPU-0,GPU-3-bbbb': 'GPU-3-bbbb': no device, or more than one, has this UUID"
	# an uninitialised card hides its UUID: then nobody can say that one does not exist
	sed -i 's/GPU-1-bbbb/GPU-????????/' r/proc/driver/nvidia/gpus/0000:01:00.0/information
	is 0 gate CUDA_VISIBLE_DEVICES=GPU-0,GPU-9 2

	rm -rf r smi
	local i
	devices 3
	for i in 0 2; do
		mkdir -p "r/proc/driver/nvidia/gpus/0000:0$i:00.0"
		echo "Device Minor: 	 $i" >"r/proc/driver/nvidia/gpus/0000:0$i:00.0/information"
	done
	is 1 gate 3
	has "$stderr" 'gate-gpus: reachable: r/dev/nvidia1: the driver has no such device: not counted'
	is 0 gate 2
	# what cannot be read proves nothing
	: >r/proc/driver/nvidia/gpus/0000:00:00.0/information
	is 0 gate 3
}

@test "a driver's list that is readable and empty lists no device: files alone are none" {
	devices 2
	mkdir -p r/proc/driver/nvidia/gpus
	is 1 gate 2
	has "$stderr" 'gate-gpus: inventory: 0 on the whole node (r/proc/driver/nvidia/gpus)'
	has "$stderr" 'gate-gpus: reachable: r/dev/nvidia1: the driver has no such device: not counted'
	has "$(says)" 'reachable 0 (r/dev; 2 more that the driver does not list: r/proc/driver/nvidia/gpus)'
	is 1 gate -q 1
	is 0 gate 0
	is 0 job 0
	rmdir r/proc/driver/nvidia/gpus
	is 0 gate 2
}

@test "a mask wider than the promise is refused even with --at-least, a narrower one without" {
	devices 4
	is 1 job SLURM_GPUS_ON_NODE=2 CUDA_VISIBLE_DEVICES=0,1,2,3 2
	hasnt "$(says)" --at-least
	is 1 job SLURM_GPUS_ON_NODE=2 CUDA_VISIBLE_DEVICES=0,1,2,3 --at-least 2
	same "gate-gpus: refused: asked 2 devices on gn1: masked 4, but promised 2 (CUDA_VISIBLE_DEVICES='0,1,2,3'): the mask shows what is not allocated" "$(says)"

	devices 4
	is 1 job SLURM_GPUS_ON_NODE=4 CUDA_VISIBLE_DEVICES=0,1 4
	same "gate-gpus: refused: asked 4 devices on gn1: masked 2 (CUDA_VISIBLE_DEVICES='0,1')" "$(says)"
	is 1 job SLURM_GPUS_ON_NODE=4 CUDA_VISIBLE_DEVICES=0,1 2
	is 0 job SLURM_GPUS_ON_NODE=4 CUDA_VISIBLE_DEVICES=0,1 --at-least 2
}

# ---- what is reachable

@test "where no device cgroup is at work, promised and masked decide, and must name the same devices" {
	devices 4
	shows 4
	is 0 job SLURM_GPUS_ON_NODE=2 SLURM_JOB_GPUS=2,3 CUDA_VISIBLE_DEVICES=2,3 2
	is 1 job SLURM_GPUS_ON_NODE=2 SLURM_JOB_GPUS=2,3 2
	same 'gate-gpus: refused: asked 2 devices on gn1: reachable 4, promised 2: the node has no device cgroup, and no mask says which are yours (CUDA_VISIBLE_DEVICES is not set)' "$(says)"
	is 1 job SLURM_GPUS_ON_NODE=2 --at-least 1

	devices 4
	is 1 job SLURM_GPUS_ON_NODE=2 SLURM_JOB_GPUS=2,3 CUDA_VISIBLE_DEVICES=0,1 2
	same "gate-gpus: refused: asked 2 devices on gn1: masked: device 0 of CUDA_VISIBLE_DEVICES is not among those promised (SLURM_JOB_GPUS='2,3')" "$(says)"
	is 1 job SLURM_GPUS_ON_NODE=2 SLURM_JOB_GPUS=2,3 CUDA_VISIBLE_DEVICES=2,1 2
	is 0 job SLURM_GPUS_ON_NODE=2 SLURM_JOB_GPUS=2,3 CUDA_VISIBLE_DEVICES=3,2 2
	is 0 job SLURM_GPUS_ON_NODE=2 SLURM_JOB_GPUS=2,3 CUDA_VISIBLE_DEVICES=GPU-0002,GPU-0001 2
}

@test "control nodes, directories, dangling links and second names are no devices" {
	devices 2
	touch r/dev/nvidiactl r/dev/nvidia-uvm r/dev/nvidia-modeset r/dev/nvidia00 r/dev/nvidia1x r/dev/xnvidia2
	mkdir r/dev/nvidia-caps r/dev/nvidia5
	touch r/dev/nvidia-caps/nvidia-cap1
	ln -s /nonexistent r/dev/nvidia6
	ln -s nvidia0 r/dev/nvidia7
	ln -s nvidia8 r/dev/nvidia8
	is 0 gate 2
	has "$stderr" 'gate-gpus: reachable: r/dev/nvidia7 is nvidia0 again: counted once'
}

# bare CMD...: CMD without the rights of root to pass by file modes
bare() {
	if [ "$(id -u)" != 0 ]; then "$@"; return; fi
	setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-all "$@"
}

@test "devices that their modes deny are not reachable" {
	[ "$(id -u)" != 0 ] || command -v setpriv >/dev/null || skip 'root, and no setpriv to lay its rights down'
	devices 4
	chmod 000 r/dev/nvidia2
	chmod 400 r/dev/nvidia3
	is 1 bare gate-gpus --root r --no-driver 4
	has "$stderr" 'gate-gpus: reachable: 2 NVIDIA (r/dev: nvidia0 nvidia1; denied by file modes: nvidia2 nvidia3)'
	has "$(says)" 'reachable 2 (r/dev; denied by file modes: nvidia2 nvidia3)'
	is 0 bare gate-gpus --root r --no-driver 2
	chmod 000 r/dev
	is 3 bare gate-gpus --root r --no-driver 2
	has "$stderr" 'gate-gpus: reachable: unknown (r/dev cannot be read)'
	chmod 700 r/dev
}

devices_cgroup() {
	printf '/sys/fs/cgroup/devices/gate-gpus.%s' "$$"
}

teardown() {
	local pid left=200
	[ -d "$(devices_cgroup)" ] || return 0
	while ! rmdir "$(devices_cgroup)" 2>/dev/null && ((left-- > 0)); do
		while read -r pid; do kill -KILL "$pid"; done <"$(devices_cgroup)/cgroup.procs"
		sleep 0.01
	done
}

# within CMD...: CMD in the cgroup
within() {
	(
		echo "$BASHPID" >"$(devices_cgroup)/cgroup.procs" && exec /usr/bin/env "PATH=$BIN" "$@"
	)
}

@test "the kernel's device cgroup takes devices away and gives them back" {
	local i
	[ "$(id -u)" = 0 ] || skip 'needs root'
	mkdir "$(devices_cgroup)" 2>/dev/null && [ -w "$(devices_cgroup)/devices.deny" ] ||
		skip 'no cgroup v1 devices controller to write to'
	mkdir -p r/dev r/proc r/sys
	for i in 0 1 2 3; do mknod -m 666 "r/dev/nvidia$i" c 195 "$i" || skip 'no device files here'; done
	is 0 within gate-gpus --root r --no-driver 4
	echo 'c 195:2 rwm' >"$(devices_cgroup)/devices.deny"
	echo 'c 195:3 rw' >"$(devices_cgroup)/devices.deny"
	is 1 within gate-gpus --root r --no-driver 4
	has "$stderr" 'gate-gpus: reachable: 2 NVIDIA (r/dev: nvidia0 nvidia1; denied by the device cgroup: nvidia2 nvidia3)'
	is 0 within SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1 SLURM_GPUS_ON_NODE=2 SLURM_JOB_GPUS=2,3 CUDA_VISIBLE_DEVICES=0,1 \
		gate-gpus -q --root r 2
	# a display card that nobody schedules stays reachable: with a cgroup at work, numbers are its own
	: >r/dev/nvidia4
	is 0 within SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1 SLURM_GPUS_ON_NODE=2 SLURM_JOB_GPUS=2,3 CUDA_VISIBLE_DEVICES=0,1 \
		gate-gpus -q --root r 2
	rm r/dev/nvidia4
	echo 'c 195:2 rw' >"$(devices_cgroup)/devices.allow"
	is 0 within gate-gpus --root r --no-driver 3
	echo 'c 195:* rwm' >"$(devices_cgroup)/devices.deny"
	is 1 within gate-gpus --root r --no-driver 1
	is 0 within gate-gpus --root r 0
	is 0 gate-gpus --root r --no-driver 4
}

@test "without --root only a device file is a device" {
	[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || skip 'needs a mount namespace of its own'
	is 0 unshare -m sh -ec "mount -t tmpfs none /dev; cd /dev; mknod null c 1 3; mknod nvidia0 c 195 0; mknod nvidia1 c 195 1
		touch nvidia2; mkdir nvidia3; ln -s /dev/null nvidiactl; PATH='$BIN' exec gate-gpus --no-driver 2"
	has "$stderr" 'gate-gpus: reachable: 2 NVIDIA (/dev: nvidia0 nvidia1)'
}

# ---- the driver

@test "the driver is read by its lines, never by their number" {
	local want text
	devices 2
	while IFS='|' read -r want text; do
		driver "printf '$text'; exit \${1:+0}"
		is "$want" gate -q 2 || { echo "text: $text" >&2; return 1; }
	done <<-'END'
		0|GPU 0: NVIDIA A100 (UUID: GPU-1)\nGPU 1: NVIDIA A100 (UUID: GPU-2)\n
		0|\nGPU 0: NVIDIA A100 (UUID: GPU-1)\r\n\n  \nGPU 1: A (B) (UUID: GPU-2)
		0|GPU 0: A (UUID: GPU-1)\nGPU 1: A (UUID: GPU-2)\nGPU 2: A (UUID: GPU-3)\n
		1|GPU 0: A (UUID: GPU-1)\n
		1|GPU 0: A (UUID: GPU-1)\nGPU 1: A (UUID: GPU-1)\n
		1|GPU 0: A (UUID: GPU-1)\nUnable to determine the device handle for GPU 0000:0B:00.0: Unknown Error\n
		1|GPU 0: A (UUID: GPU-1)\nGPU 1: A (UUID: GPU-2)\nUnable to determine the device handle for GPU 0000:0B:00.0: Unknown Error\n
		1|GPU 0: A (UUID: GPU-1)\nGPU 1: ERR!\n
		1|GPU 0: A (UUID: GPU-1)\nGPU 1: A (UUID: N/A)\n
		1|GPU 0: A (UUID: GPU-1)\nGPU x: A (UUID: GPU-2)\n
		1|GPU 0: A (UUID: GPU-1)\n GPU 1: A (UUID: GPU-2)\n
		1|GPU 0: A (UUID: GPU-1)\nGPU 1: A\000 (UUID: GPU-2)\n
		1|No devices were found\n
		1|Failed to initialize NVML: Driver/library version mismatch\n
		1|
		1|(UUID: GPU-1)\n(UUID: GPU-2)\n
		1|GPU 0: A (UUID: GPU-1)\n  MIG 1g.18gb Device 0: (UUID: MIG-1)\nGPU 1: A (UUID: GPU-2)\n
	END
}

@test "an error of the driver is refused with its line; a word on stderr beside a good answer is shown" {
	devices 1
	driver 'echo "GPU 0: NVIDIA GeForce RTX 2080 Ti (UUID: GPU-67a571b1-0000-0000-0000-000000000000)"
echo "Unable to determine the device handle for GPU 0000:0B:00.0: Unknown Error"'
	is 1 gate 1
	same 'gate-gpus: refused: asked 1 device on gn1: the driver reports an error (nvidia-smi -L, status 0: Unable to determine the device handle for GPU 0000:0B:00.0: Unknown Error)' "$(says)"
	driver "echo 'Failed to initialize NVML: Driver/library version mismatch' >&2; exit 18"
	is 1 gate 1
	has "$(says)" '(nvidia-smi -L, status 18: Failed to initialize NVML: Driver/library version mismatch)'
	driver 'echo "GPU 0: A100 (UUID: GPU-1)"; exit 14'
	is 1 gate 1
	has "$(says)" 'the driver fails (nvidia-smi -L ended with 14)'
	driver 'echo "No devices were found"; exit 6'
	is 1 gate 1
	has "$(says)" 'the driver shows 0 (nvidia-smi -L)'
	driver 'printf "\033[2Jevil\tline\n"; exit 1'
	is 1 gate 1
	has "$(says)" '(nvidia-smi -L, status 1: \x1B[2Jevil\tline)'

	devices 1
	driver 'echo "ERROR: ld.so: object libx.so cannot be preloaded" >&2; echo "GPU 0: A100 (UUID: GPU-1)"'
	is 0 gate 1
	has "$stderr" "gate-gpus: driver: nvidia-smi -L says 'ERROR: ld.so: object libx.so cannot be preloaded'"
}

@test "on stderr a GPU that is lost or cannot be had, in NVML's words, is refused as on stdout, behind a good answer too" {
	local line
	devices 2
	while IFS= read -r line; do
		driver "echo 'ERROR: ld.so: object libx.so cannot be preloaded' >&2; echo 'GPU 0: A100 (UUID: GPU-1)'; echo \"$line\" >&2"
		is 1 gate -q --at-least 1
		same '' "$output"
		same "gate-gpus: refused: asked 1 device on gn1: the driver reports an error (nvidia-smi -L, status 0: $line)" "$stderr"
	done <<-'END'
		Unable to determine the device handle for GPU 0000:0B:00.0: Unknown Error
		Unable to determine the device handle for gpu 0000:18:00.0: GPU is lost.  Reboot the system to recover this GPU
		Unable to determine the device handle for GPU0: 0000:4F:00.0: GPU requires reset
		GPU 0000:3B:00.0: GPU is lost
		GPU at 0000:3B:00.0 has fallen off the bus.
		The GPU requires reset
		Failed to initialize NVML: Unknown Error
		NVML: Driver/library version mismatch
		NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.
	END

	# beside other words and a status, and from the second question
	driver 'echo noise >&2; printf "Failed to initialize NVML: x" >&2; exit 9'
	is 1 gate 1
	has "$(says)" '(nvidia-smi -L, status 9: Failed to initialize NVML: x)'
	driver 'case $1 in -L) echo "GPU 0: A100 (UUID: GPU-1)" ;; *) echo "0, GPU-1, 81559, 4, A100"; echo "GPU is lost" >&2 ;; esac'
	is 1 gate CUDA_VISIBLE_DEVICES=0 -q -m 80G 1
	has "$stderr" 'the driver reports an error (nvidia-smi --query-gpu, status 0: GPU is lost)'
	# no driver is no device
	is 0 gate 0
	# and what is about no GPU is about none
	driver 'echo "GPU 0: A100 (UUID: GPU-1)"; echo "warning: lost connection; bus; NVML" >&2'
	is 0 gate CUDA_VISIBLE_DEVICES=0 1
}

@test "no driver on PATH is no evidence and no refusal" {
	devices 1
	is 0 gate 1
	has "$stderr" 'gate-gpus: driver: not asked (nvidia-smi: not on PATH)'
	driver 'echo never; exit 9'
	chmod -x smi/nvidia-smi
	is 0 bare /usr/bin/env "PATH=$PWD/smi:$BIN" gate-gpus --root r 1
	has "$stderr" 'gate-gpus: driver: not asked (nvidia-smi: Permission denied)'
	chmod +x smi/nvidia-smi
	is 1 gate 1
	is 0 gate --no-driver 1
	has "$stderr" 'gate-gpus: driver: not asked (--no-driver)'
}

# ended PID: waits until the process is gone, or a zombie
ended() {
	local left=500
	while grep -qs '^State:[[:space:]]*[^ZX]' "/proc/$1/status" && ((left-- > 0)); do sleep 0.01; done
	((left >= 0))
}

@test "a driver that hangs deaf to SIGTERM, never ends its output, floods or crashes: 3, or 1 where the rest disagrees" {
	devices 2
	driver 'trap "" TERM; echo $$ >pid; echo "GPU 0: A100 (UUID: GPU-1)"; while :; do sleep 60; done'
	is 3 job SLURM_GPUS_ON_NODE=2 CUDA_VISIBLE_DEVICES=0,1 -t 0.5s 2
	same '' "$output"
	has "$stderr" 'gate-gpus: driver: no answer (nvidia-smi -L: hung, killed)'
	same 'gate-gpus: could not find out: asked 2 devices on gn1: the driver gave no answer within 0.5s (nvidia-smi -L; look for Xid in dmesg, or give it longer with -t)' "$(says)"
	ended "$(cat pid)"
	is 1 job -q -t 0.5s 2
	has "$(says)" 'visible, not allocated'

	rm -rf r smi
	devices 1
	driver 'exec yes "GPU 0: A100 (UUID: GPU-1)"'
	is 3 gate --time-limit 0.5s 1
	driver 'yes "GPU 0: A100 (UUID: GPU-1)" | head -c 1000000'
	is 3 gate 1
	same 'gate-gpus: could not find out: asked 1 device on gn1: nvidia-smi -L printed more than 262144 bytes (try it by hand)' "$(says)"
	driver 'kill -SEGV $$'
	is 3 gate 1
	has "$(says)" 'nvidia-smi -L was killed by signal 11'
}

@test "a process that the driver leaves behind does not keep the caller waiting, and is killed" {
	devices 1
	driver 'sleep 60 & echo $! >pid; echo "GPU 0: A100 (UUID: GPU-1)"'
	SECONDS=0
	same $'1\t1\t-\tgn1\treachable,driver' "$(gate -q 1 2>&1)"
	((SECONDS < 20))
	ended "$(cat pid)"
}

@test "a signal that ends gate-gpus ends the driver first" {
	local sig left
	env --default-signal true 2>/dev/null || skip 'this env cannot undo an ignored SIGINT'
	devices 1
	driver 'echo $$ >pid.new; mv pid.new pid; while :; do sleep 60; done'
	for sig in INT TERM HUP; do
		rm -f pid
		env --default-signal "PATH=$PWD/smi:$BIN" gate-gpus -q --root r 1 3>&- &
		left=1000
		until [ -s pid ] || ((left-- == 0)); do sleep 0.01; done
		kill -"$sig" $!
		status=0
		wait $! || status=$?
		same "$((128 + $(kill -l $sig)))" "$status" "SIG$sig"
		ended "$(cat pid)"
	done
}

# ---- MIG

@test "one MIG slice is a width of 1, and more of them are no width above 1" {
	local mig='GPU 0: NVIDIA H200 NVL (UUID: GPU-7d5d)
  MIG 1g.18gb     Device  0: (UUID: MIG-8210)
GPU 1: NVIDIA H200 NVL (UUID: GPU-25aa)
  MIG 1g.18gb     Device  0: (UUID: MIG-69a0)
  MIG 1g.18gb     Device  1: (UUID: MIG-69a1)
  MIG 1g.18gb     Device  2: (UUID: MIG-69a2)'
	devices 2
	driver "echo '$mig'"
	is 1 job SLURM_GPUS_ON_NODE=4 CUDA_VISIBLE_DEVICES=MIG-8210,MIG-69a0,MIG-69a1,MIG-69a2 4
	has "$stderr" 'gate-gpus: driver: 0 and 4 MIG slices (nvidia-smi -L)'
	has "$stderr" 'gate-gpus: masked: 4 MIG slices ('
	has "$(says)" 'a process can use only one, they do not make a width of 4'
	is 1 job SLURM_GPUS_ON_NODE=2 CUDA_VISIBLE_DEVICES=0,1 2
	has "$(says)" 'GPU 0 is cut into MIG slices (nvidia-smi -L): slices do not make a width of 2'
	has "$(says)" 'the driver shows 0 and 4 MIG slices (nvidia-smi -L)'
	is 1 job SLURM_GPUS_ON_NODE=2 2
	is 1 job SLURM_GPUS_ON_NODE=2 CUDA_VISIBLE_DEVICES=MIG-8210,MIG-69a0 --no-driver 2
	is 1 job SLURM_GPUS_ON_NODE=4 CUDA_VISIBLE_DEVICES=MIG-8210,MIG-69a0 --at-least 2

	rm -rf r smi
	local mig='GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-7d5d)
  MIG 1c.3g.20gb  Device  0: (UUID: MIG-8210)
  MIG 2g.10gb     Device  1: (UUID: MIG-8211)
GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-25aa)'
	devices 2
	is 0 job SLURM_GPUS_ON_NODE=1 CUDA_VISIBLE_DEVICES=MIG-8210 1
	driver "case \$1 in -L) echo '$mig' ;; *) echo '0, GPU-7d5d, 40536, [Insufficient Permissions], NVIDIA A100-SXM4-40GB
1, GPU-25aa, 40536, 0, NVIDIA A100-SXM4-40GB' ;; esac"
	is 0 job SLURM_GPUS_ON_NODE=1 CUDA_VISIBLE_DEVICES=MIG-8210 1
	same $'1\t1\t1\tgn1\tpromised,masked,reachable,driver' "$output"
	is 0 job SLURM_GPUS_ON_NODE=1 CUDA_VISIBLE_DEVICES=MIG-GPU-7d5d/3/0 1
	is 1 job SLURM_GPUS_ON_NODE=1 CUDA_VISIBLE_DEVICES=MIG-GPU-beef/3/0 1
	is 1 job SLURM_GPUS_ON_NODE=1 CUDA_VISIBLE_DEVICES=MIG-9999 1
	is 1 job SLURM_GPUS_ON_NODE=1 CUDA_VISIBLE_DEVICES=MIG-821 1
	is 1 job SLURM_GPUS_ON_NODE=2 CUDA_VISIBLE_DEVICES=MIG-8210,MIG-8211 1
	is 0 job SLURM_GPUS_ON_NODE=2 CUDA_VISIBLE_DEVICES=MIG-8210,MIG-8211 --at-least 1
	is 0 job SLURM_GPUS_ON_NODE=1 CUDA_VISIBLE_DEVICES=MIG-8210 -m 20G --model A100 1
	is 1 job SLURM_GPUS_ON_NODE=1 CUDA_VISIBLE_DEVICES=MIG-8211 -m 20G 1
	has "$(says)" 'MIG slice of GPU 0 (MIG-8211) has 10.0G, asked 20.0G'
	is 3 job SLURM_GPUS_ON_NODE=1 CUDA_VISIBLE_DEVICES=MIG-8210 --idle 1
	is 0 job SLURM_GPUS_ON_NODE=1 CUDA_VISIBLE_DEVICES=1 --idle -m 40G 1
}

# ---- memory, model, idle

@test "-m wants that much memory on each device, within 5 %" {
	local want mem mib
	devices 2
	while read -r want mem mib; do
		shows 2 A100 "$mib"
		is "$want" gate -q -m "$mem" 2 || { echo "shown: $mib" >&2; return 1; }
	done <<-'END'
		0 80G 81559
		0 80G 77824
		1 80G 77823
		0 80G 143771
		1 80G 40536
		0 40G 40536
		0 79.6GiB 81559
		1 24G 23034
		0 22G 23034
		0 512M 512
		1 1T 81559
		3 80G [N/A]
	END
	shows 2 A100 40536
	is 1 gate -m 80G 2
	same 'gate-gpus: refused: asked 2 devices on gn1: GPU 0 (GPU-0000-aaaa) has 39.5G, asked 80.0G' "$(says)"
	shows 2 A100 '[N/A]'
	is 3 gate --memory 80G 2
	has "$(says)" 'GPU 0 (GPU-0000-aaaa) does not say its memory: [N/A] (try nvidia-smi by hand)'
}

@test "--model finds whole words of the name, in any case, with the shell's wildcards" {
	local want name pattern
	devices 1
	while IFS='|' read -r want name pattern; do
		shows 1 "$name"
		is "$want" gate -q --model "$pattern" 1 || { echo "shown: $name" >&2; return 1; }
	done <<-'END'
		0|NVIDIA A100-SXM4-80GB|a100
		0|NVIDIA A100-SXM4-80GB|A100-SXM4
		0|NVIDIA A100-SXM4-80GB|nvidia a100-sxm4-80gb
		0|NVIDIA A100-SXM4-80GB|A100*80GB
		0|NVIDIA A100-SXM4-80GB|*
		0|NVIDIA A100-SXM4-80GB|[AH]100
		1|NVIDIA A100-SXM4-80GB|A10
		1|NVIDIA A100-SXM4-80GB|100
		1|NVIDIA A100-SXM4-80GB|H100
		0|NVIDIA A10|A10
		1|NVIDIA A10G|A10
		0|NVIDIA A10G|A10?
		1|NVIDIA L40S|L4
		0|NVIDIA L40S|L40*
		1|NVIDIA GH200 480GB|H200
		0|NVIDIA H100 80GB HBM3|H100
		0|NVIDIA GeForce RTX 2080 Ti|rtx 2080
	END
	shows 1 'Tesla V100-SXM2-16GB'
	is 1 gate --model H100 1
	same "gate-gpus: refused: asked 1 device on gn1: GPU 0 (GPU-0000-aaaa) is a Tesla V100-SXM2-16GB, asked 'H100'" "$(says)"
}

@test "--idle wants nothing left on the cards" {
	devices 1
	shows 1 A100 81920 16
	is 0 gate --idle 1
	shows 1 A100 81920 17
	is 1 gate --idle 1
	same 'gate-gpus: refused: asked 1 device on gn1: GPU 0 (GPU-0000-aaaa) has 17 MiB in use, asked at most 16' "$(says)"
	is 0 gate --idle=17 1
	is 1 gate --idle=0 1
	is 0 gate 1
}

@test "memory, model and idle without a driver that tells: 3, unless something else is refused" {
	devices 2
	is 3 gate -m 80G 2
	same 'gate-gpus: could not find out: asked 2 devices on gn1: -m, --model and --idle need nvidia-smi, which is not on PATH' "$(says)"
	is 3 gate --model H100 2
	is 3 gate --idle 2
	is 1 gate --idle 3
	shows 2
	is 3 gate --idle --no-driver 2
	has "$(says)" 'need nvidia-smi, which --no-driver forbids'
	is 0 gate --idle -m 80G --model H100 2
	driver 'case $1 in -L) echo "GPU 0: A (UUID: GPU-1)"; echo "GPU 1: A (UUID: GPU-2)" ;; *) echo "0, GPU-1, 81920, 0, A" ;; esac'
	is 3 gate --idle 2
	driver 'case $1 in -L) echo "GPU 0: A (UUID: GPU-1)"; echo "GPU 1: A (UUID: GPU-2)" ;; *) echo "Field not found"; exit 2 ;; esac'
	is 1 gate --idle 2
	has "$(says)" '(nvidia-smi --query-gpu, status 2: Field not found)'
}

@test "memory, model and use are asked of the masked devices only, and numbers are believed where they can be" {
	devices 4
	driver 'for i in 0 1 2 3; do case $1 in
	-L) echo "GPU $i: A100 (UUID: GPU-${i}a)" ;; *) echo "$i, GPU-${i}a, 81920, $((i < 2 ? 5000 : 0)), A100" ;; esac; done'
	is 1 gate CUDA_VISIBLE_DEVICES=1,2 --idle 2
	is 0 gate CUDA_VISIBLE_DEVICES=3,2 --idle 2
	is 1 gate CUDA_VISIBLE_DEVICES=GPU-1,GPU-2 --idle 2
	is 0 gate CUDA_VISIBLE_DEVICES=GPU-3,GPU-2 --idle 2
	is 1 gate --idle 4

	devices 4
	driver 'for i in 0 1 2 3; do n=$([ $i = 0 ] && echo T4 || echo A100); case $1 in
	-L) echo "GPU $i: $n (UUID: GPU-${i}a)" ;; *) echo "$i, GPU-${i}a, 81920, 0, $n" ;; esac; done'
	is 3 gate CUDA_VISIBLE_DEVICES=1,2 --model A100 2
	has "$(says)" 'set CUDA_DEVICE_ORDER=PCI_BUS_ID'
	is 0 gate CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=1,2 --model A100 2
	is 1 gate CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=0,2 --model A100 2
	is 0 gate CUDA_VISIBLE_DEVICES=GPU-1,GPU-2 --model A100 2
	is 1 gate CUDA_VISIBLE_DEVICES=0,1 --model T4 2
	is 1 gate CUDA_VISIBLE_DEVICES=0,1,2,3 --model A100 4
	is 0 gate CUDA_VISIBLE_DEVICES=0,1 -m 80G 2
}

# ---- other makers

# amd N: a root with two CPU nodes and N AMD cards
amd() {
	local i n=r/sys/class/kfd/kfd/topology/nodes d
	mkdir -p r/dev/dri r/proc
	for i in 0 1; do
		mkdir -p $n/$i
		echo 0 >$n/$i/gpu_id
		echo 'drm_render_minor 0' >$n/$i/properties
	done
	: >r/dev/kfd
	for ((i = 0; i < $1; i++)); do
		mkdir -p $n/$((i + 2))
		echo $((51000 + i)) >$n/$((i + 2))/gpu_id
		printf 'simd_count 440\ndrm_render_minor %s\nunique_id %s\n' $((128 + i)) $((4096 + i)) >$n/$((i + 2))/properties
		: >r/dev/dri/renderD$((128 + i))
		d=r/sys/class/drm/renderD$((128 + i))/device
		mkdir -p $d
		echo 0x1002 >$d/vendor
		echo 68702699520 >$d/mem_info_vram_total
		echo $((10960896 * (i + 1))) >$d/mem_info_vram_used
		echo 'AMD Instinct MI250X' >$d/product_name
	done
}

@test "AMD's devices are counted by KFD and their render nodes, if they may be used, and no tool is run" {
	amd 4
	driver 'echo must not be run; exit 9'
	is 0 job SLURM_GPUS_ON_NODE=4 SLURM_JOB_GPUS=0,1,2,3 ROCR_VISIBLE_DEVICES=0,1,2,3 4
	same $'4\t4\t1\tgn1\tpromised,masked,reachable' "$output"
	has "$stderr" 'gate-gpus: reachable: 4 AMD (r/dev: renderD128 renderD129 renderD130 renderD131)'
	is 0 gate 4
	rm r/dev/dri/renderD130
	is 1 gate 4
	is 0 gate 3
	is 1 job 3
	has "$(says)" 'visible, not allocated'

	rm -rf r smi
	[ "$(id -u)" != 0 ] || command -v setpriv >/dev/null || skip 'root, and no setpriv to lay its rights down'
	amd 2
	chmod 000 r/dev/kfd
	is 1 bare gate-gpus --root r 2
	has "$stderr" 'gate-gpus: reachable: 0 AMD (r/dev: none; denied by file modes: kfd-node2 kfd-node3)'
	rm r/dev/kfd
	is 0 gate 2
	chmod 000 r/sys/class/kfd/kfd/topology/nodes/3/gpu_id
	is 1 bare gate-gpus --root r 2
	has "$(says)" 'reachable 1 (r/dev; denied by file modes: kfd-node3)'
}

@test "HIP counts within what ROCR leaves" {
	local want vars
	amd 4
	while read -r want vars; do
		# shellcheck disable=SC2086
		is "$want" gate $vars 2
	done <<-'END'
		0 ROCR_VISIBLE_DEVICES=2,3
		0 HIP_VISIBLE_DEVICES=2,3
		0 CUDA_VISIBLE_DEVICES=2,3
		0 ROCR_VISIBLE_DEVICES=2,3 HIP_VISIBLE_DEVICES=0,1
		0 ROCR_VISIBLE_DEVICES=2,3 HIP_VISIBLE_DEVICES=
		0 ROCR_VISIBLE_DEVICES=1,2,3 HIP_VISIBLE_DEVICES=0,2
		0 ROCR_VISIBLE_DEVICES=0,1 CUDA_VISIBLE_DEVICES=0,1
		0 ROCR_VISIBLE_DEVICES=0,1 HIP_VISIBLE_DEVICES=0,1 CUDA_VISIBLE_DEVICES=9
		1 ROCR_VISIBLE_DEVICES=2,3 HIP_VISIBLE_DEVICES=2,3
		1 ROCR_VISIBLE_DEVICES=2,3 CUDA_VISIBLE_DEVICES=2,3
		1 ROCR_VISIBLE_DEVICES=2,3 HIP_VISIBLE_DEVICES=0
		1 ROCR_VISIBLE_DEVICES=
		1 ROCR_VISIBLE_DEVICES=2,3x
		1 ROCR_VISIBLE_DEVICES=2,2
		1 HIP_VISIBLE_DEVICES=1,1
		1 HIP_VISIBLE_DEVICES=NoDevFiles
		0 ROCR_VISIBLE_DEVICES=GPU-0000000000001001,gpu-0000000000001003
		0 ROCR_VISIBLE_DEVICES=GPU-0000000000001001,GPU-0000000000001003 HIP_VISIBLE_DEVICES=1,0
		1 ROCR_VISIBLE_DEVICES=GPU-0000000000001001,GPU-000000000000100
		0 ROCR_VISIBLE_DEVICES=2,3 HIP_VISIBLE_DEVICES=GPU-0000000000001003,GPU-0000000000001002
		0 ROCR_VISIBLE_DEVICES=GPU-0000000000001001,GPU-0000000000001003 HIP_VISIBLE_DEVICES=GPU-0000000000001003,GPU-0000000000001001
		1 ROCR_VISIBLE_DEVICES=0,1 HIP_VISIBLE_DEVICES=GPU-0000000000001002,GPU-0000000000001003
		1 ROCR_VISIBLE_DEVICES=0,1 HIP_VISIBLE_DEVICES=GPU-0000000000001001,GPU-0000000000001003
		1 ROCR_VISIBLE_DEVICES=GPU-0000000000001001,GPU-0000000000001003 CUDA_VISIBLE_DEVICES=GPU-0000000000001000,GPU-0000000000001001
		1 ROCR_VISIBLE_DEVICES= HIP_VISIBLE_DEVICES=GPU-0000000000001000,GPU-0000000000001001
	END
	# with a promise and no device cgroup it is ROCR's numbers that must be the promised ones
	is 0 job SLURM_GPUS_ON_NODE=2 SLURM_JOB_GPUS=2,3 ROCR_VISIBLE_DEVICES=2,3 HIP_VISIBLE_DEVICES=0,1 2
	is 1 job SLURM_GPUS_ON_NODE=2 SLURM_JOB_GPUS=2,3 ROCR_VISIBLE_DEVICES=0,3 HIP_VISIBLE_DEVICES=0,1 2
	has "$(says)" 'device 0 of HIP_VISIBLE_DEVICES is not among those promised'
}

@test "AMD's memory, model and use come from sysfs" {
	amd 2
	is 0 gate -m 64G --model MI250X --idle=32 2
	is 1 gate -m 65G --model MI300X 2
	is 1 gate -m 128G 2
	is 1 gate --idle 2
	has "$(says)" 'GPU 1 (GPU-0000000000001001) has 20 MiB in use, asked at most 16'
	is 0 gate ROCR_VISIBLE_DEVICES=0 --idle 1
	: >r/sys/class/drm/renderD128/device/product_name
	is 3 gate --model MI250X 2
	has "$(says)" 'does not say its model (try rocm-smi by hand)'
}

@test "Intel's cards are counted, the display of an Intel CPU and other chips are not" {
	local i d
	mkdir -p r/dev/dri r/proc
	for i in 128:0x1a03 129:0x1af4 130:0x8086 131:0x8086 132:0x8086 133:0x10de; do
		: >"r/dev/dri/renderD${i%:*}"
		d=r/sys/devices/pci0000/0000:0$((${i%:*} - 128)):00.0
		[ "${i%:*}" != 130 ] || d=r/sys/devices/pci0000/0000:00:02.0
		mkdir -p "$d" "r/sys/class/drm/renderD${i%:*}"
		echo "${i#*:}" >"$d/vendor"
		ln -s "$PWD/$d" "r/sys/class/drm/renderD${i%:*}/device"
	done
	is 0 gate 2
	has "$stderr" 'gate-gpus: reachable: 2 Intel (r/dev: renderD131 renderD132)'
	is 0 gate ZE_AFFINITY_MASK=1 1
	is 0 gate ZE_AFFINITY_MASK=0.0,0.1,1.0 2
	is 1 gate ZE_AFFINITY_MASK=0.0,0.1 2
	is 1 gate ZE_AFFINITY_MASK=0,0 2
	is 0 gate ZE_AFFINITY_MASK=0.1.3,1.0 2
	is 1 gate ZE_AFFINITY_MASK=0,1.x 2
	is 1 gate ZE_AFFINITY_MASK=0.,1 2
	is 3 gate -m 40G 2
	rm r/dev/dri/renderD13[12]
	is 1 gate 1
	is 0 job 0
}

@test "with two makers' devices those count that are masked, else NVIDIA's; of nobody's, only masked ones" {
	amd 1
	devices 2
	is 0 gate 2
	has "$stderr" 'gate-gpus: reachable: 1 AMD (r/dev: renderD128): not counted, others come first'
	is 1 gate 3
	is 0 gate ROCR_VISIBLE_DEVICES=0 1
	# Slurm without vendor flags sets them all
	is 0 job SLURM_GPUS_ON_NODE=2 CUDA_VISIBLE_DEVICES=0,1 ROCR_VISIBLE_DEVICES=0,1 ZE_AFFINITY_MASK=0,1 GPU_DEVICE_ORDINAL=0,1 2
	is 1 job 0

	rm -rf r smi
	devices 0
	mkdir r/dev/dri
	touch r/dev/dri/renderD128 r/dev/dri/renderD129
	is 1 gate 2
	is 0 gate ROCR_VISIBLE_DEVICES=0,1 2
	is 0 gate ZE_AFFINITY_MASK=0,1 2
	touch r/dev/nvidia0
	is 1 gate ROCR_VISIBLE_DEVICES=0,1 CUDA_VISIBLE_DEVICES=0 2
	is 0 gate ROCR_VISIBLE_DEVICES=0,1 CUDA_VISIBLE_DEVICES=0 1
}

# ---- no devices, no evidence

@test "a width of 0 passes only where none is promised, masked or, in a job, visible without a promise" {
	local want n vars
	devices 4
	mkdir -p r0/dev r4
	ln -s ../r/dev r4/dev
	while read -r want n vars; do
		# shellcheck disable=SC2086
		is "$want" gate $vars -q --root "r$n" 0
	done <<-'END'
		0 0
		0 4
		0 0 SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1
		0 0 SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1 SLURM_GPUS_ON_NODE=0
		0 0 SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1 CUDA_VISIBLE_DEVICES=
		0 4 SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1 CUDA_VISIBLE_DEVICES=NoDevFiles
		0 4 CUDA_VISIBLE_DEVICES=-1
		1 4 SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1
		1 4 SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1 SLURM_GPUS_ON_NODE=0
		1 4 SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1 ROCR_VISIBLE_DEVICES=
		1 0 SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1 SLURM_GPUS_ON_NODE=1
		1 0 SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1 SLURM_JOB_GPUS=0
		1 0 SLURM_GPUS_ON_NODE=2 CUDA_VISIBLE_DEVICES=
		1 0 CUDA_VISIBLE_DEVICES=0
		1 0 CUDA_VISIBLE_DEVICES=GPU-1
		1 0 CUDA_VISIBLE_DEVICES=MIG-1
		1 0 ROCR_VISIBLE_DEVICES=3
		1 0 HIP_VISIBLE_DEVICES=0
		1 0 ZE_AFFINITY_MASK=0.1
		1 0 SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=2
		3 0 SLURM_JOB_ID=7
	END
	is 1 job 0
	same 'gate-gpus: refused: asked 0 devices on gn1: visible, not allocated: 4 devices are visible, and Slurm promises this job none' "$(says)"
	is 1 gate CUDA_VISIBLE_DEVICES=0 -q 0
	same "gate-gpus: refused: asked 0 devices on gn1: masked 1 (CUDA_VISIBLE_DEVICES='0')" "$stderr"
	is 0 gate -q 0
	same $'0\t0\t-\tgn1\treachable' "$output"
}

@test "no evidence at all is 3; what there is decides; a /dev without devices is evidence of none" {
	mkdir r
	is 3 gate 1
	same 'gate-gpus: could not find out: asked 1 device on gn1: no evidence at all: no promise, no r/dev to read, no driver' "$(says)"
	is 3 gate CUDA_VISIBLE_DEVICES=0 1
	is 3 gate 0
	is 3 job 0
	is 3 job 1
	is 3 job SLURM_GPUS_ON_NODE=1 1
	is 0 job SLURM_GPUS_ON_NODE=1 CUDA_VISIBLE_DEVICES=0 1
	same $'1\t1\t1\tgn1\tpromised,masked' "$output"
	is 1 job SLURM_GPUS_ON_NODE=2 CUDA_VISIBLE_DEVICES=0 1
	# a file system that fails is not one that has no devices
	ln -s dev r/dev
	is 3 job SLURM_GPUS_ON_NODE=1 CUDA_VISIBLE_DEVICES=0 1
	has "$(says)" ': r/dev: '
	has "$(says)" ' (look with ls -l)'
	rm r/dev
	shows 2
	is 0 gate 2
	same $'2\t2\t-\tgn1\tdriver' "$output"
	is 1 gate 1
	is 1 job 2
	is 1 job 0
	has "$(says)" 'visible, not allocated: 2 devices'
	is 0 job SLURM_GPUS_ON_NODE=2 2
	is 1 job SLURM_GPUS_ON_NODE=1 1
	has "$(says)" 'shown by the driver 2, promised 1: the node has no device cgroup'
	driver 'echo "No devices were found"; exit 6'
	is 0 job 0
	is 1 gate 1
	driver 'echo "NVIDIA-SMI has failed"; exit 9'
	is 3 job 0

	rm -rf r smi
	devices 0
	is 1 gate 1
	same 'gate-gpus: refused: asked 1 device on gn1: reachable 0 (r/dev)' "$(says)"
	has "$stderr" 'gate-gpus: reachable: 0 (r/dev has no GPU)'
	is 1 job SLURM_GPUS_ON_NODE=1 CUDA_VISIBLE_DEVICES=0 1
}

# ---- limits

@test "bad use is 2, with one line and nothing on stdout" {
	local words
	devices 1
	while read -r words; do
		eval "set -- $words"
		is 2 gate "$@"
		refused || { echo "words: $words" >&2; return 1; }
	done <<-'END'
		
		1 1
		''
		x
		1x
		1.0
		+1
		-1
		0x1
		4097
		99999999999999999999
		1 --idle
		-N 0 1
		-N x 1
		-N '' 1
		-m 80 1
		-m 0 1
		-m 80X 1
		-m '' 1
		--model '' 1
		--idle=x 1
		--idle= 1
		--idle 64 1
		--at-least 0
		-t 30 1
		-t 0 1
		-t 1h30 1
		-t '' 1
		--root '' 1
		--root /nonexistent 1
		--root r/dev/nvidia0 1
		--no-such 1
		-x 1
		--at-least=yes 1
		-N
	END
	is 2 gate-gpus --root "$(printf '%05000d' 0)" 1
	is 2 gate --idle 64 1
	has "$stderr" 'one WIDTH, not '\''1'\'' as well (--idle=MIB is written with =)'
}

@test "bytes from outside never reach the terminal or break the record" {
	devices 1
	is 0 gate SLURMD_NODENAME=$'g\tn\n1\\\033' -q 1
	same $'1\t1\t-\tg\\tn\\n1\\\\\\x1B\treachable' "$output"
	is 1 gate CUDA_VISIBLE_DEVICES=$'\033[31m\n' 1
	has "$(says)" "masked 0 (CUDA_VISIBLE_DEVICES='\\x1B[31m\\n'"
	is 0 gate "CUDA_VISIBLE_DEVICES=0,$(printf '%0100000d' 9)" 1
	is 3 job "SLURM_JOB_GPUS=$(printf 'x%0100000d' 0)" 1
}

@test "a record that cannot be written is 3, and so is a look without descriptors" {
	devices 1
	[ -w /dev/full ] || skip 'no /dev/full'
	is 3 bash -c 'gate-gpus --root r --no-driver -q 1 >/dev/full'
	has "$stderr" 'gate-gpus: the output was lost'
	is 3 bash -c 'gate-gpus --root r --no-driver -q 1 >&-'
	is 0 bash -c 'gate-gpus --root r --no-driver 1 <&- 2>&-'
	is 3 bash -c 'gate-gpus --root r --no-driver 1 <&- >&- 2>&-'
	driver 'echo "GPU 0: A (UUID: GPU-1)"'
	is 0 bash -c 'PATH=$PWD/smi:$PATH gate-gpus --root r 1 <&- 2>&-'
	same $'1\t1\t-\t'"$(uname -n)"$'\treachable,driver' "$output"

	local n
	devices 1
	shows 1
	for n in 4 5 6 7; do
		is 3 bash -c 'exec 3>&-; ulimit -n "$1"; PATH=$PWD/smi:$PATH exec gate-gpus --root r -q 1' sh "$n"
	done
}

