#!/usr/bin/env bash
# demo.sh - a small campaign from end to end, without a scheduler: the batch script of the examples, and a loop that
# sets what Slurm would set. Everything happens in a temporary directory.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=${BIN:-$here/../../bin}
[ ! -x "$bin/gridtag" ] || PATH=$(cd "$bin" && pwd):$PATH
command -v gridtag >/dev/null || { echo 'demo.sh: no gridtag on PATH: make demo in a checkout, or put the bin of the installation first' >&2; exit 2; }
for name in $(compgen -e | grep -E '^(SLURM|SBATCH|CUDA|ROCR|HIP|ZE)_' || true); do unset "$name"; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$here/grid" "$here/cell.sh" "$here/array.sbatch" .

step() { printf '\n== %s\n' "$*"; }
show() { printf '$ %s\n' "$*"; "$@"; }

# A node with one GPU, as gate-gpus sees it: plain files below node/ stand for the devices.
mkdir -p node/dev node/proc node/sys
: >node/dev/nvidia0

# array SPEC...: runs the batch script for each index as Slurm would, one log each; says how each ended.
array() {
	local i status
	mkdir -p log
	for i; do
		status=0
		env SLURM_JOB_ID=$((4712 + i)) SLURM_ARRAY_JOB_ID=4712 SLURM_ARRAY_TASK_ID="$i" SLURM_JOB_NUM_NODES=1 \
			SLURM_GPUS_ON_NODE=1 CUDA_VISIBLE_DEVICES=0 GATE_ROOT=node DEMO_LOSE=7 \
			bash array.sbatch >"log/4712_$i.txt" 2>&1 || status=$?
		printf 'task %2d ended with %3d: %s\n' "$i" "$status" "$(grep '^gridtag:' "log/4712_$i.txt" | tail -n 1)"
	done
}

step 'a grid of 12 cells'
cat grid
show gridtag -f grid -l -H

step 'the gate: a node that hands over less than was asked for is refused before anything runs'
printf '$ gate-gpus 2    # the job was given 1\n'
status=0
SLURM_JOB_ID=4711 SLURM_JOB_NUM_NODES=1 SLURM_GPUS_ON_NODE=1 CUDA_VISIBLE_DEVICES=0 gate-gpus --root node 2 || status=$?
echo "status $status"

step 'the cells run: array.sbatch, once for each index'
spec=$(gridtag -f grid -a) || exit
printf '$ sbatch --array=%s array.sbatch    # here: a loop that sets what Slurm would set\n' "$spec"
array 0 1 2 3 4 5 6 7 8 9 10 11

step 'a result that dies with the job: what would be on disk if it were killed at 90 % of its run?'
printf '%s\n' '$ flushcheck -H -o a -- a program that writes each record as it is done'
DEMO_PAUSE=0.3 flushcheck -q -H -o a -- sh -c './cell.sh 7b 0 >a'
printf '%s\n' '$ flushcheck -H -o b -- a program that writes at its end'
status=0
# shellcheck disable=SC2016    # expanded by that sh
DEMO_PAUSE=0.3 flushcheck -q -H -o b -- sh -c 'all=$(./cell.sh 7b 0); echo "$all" >b' || status=$?
echo "status $status"

step 'a wait has an end: a server that dies is not waited for'
printf '%s\n' '$ ./server & waitfor -t 10m -w $! socket server.sock'
(exit 1) &
status=0
waitfor -t 10m -w $! socket server.sock || status=$?
echo "status $status"

step 'an index that is no cell is refused: it does not run another experiment'
array 12

step 'what is on disk: one task was killed in the middle, its output is missing'
printf '%s\n' '$ gridtag -f grid --account out/{tag}.json --records 3 -H'
status=0
gridtag -f grid --account 'out/{tag}.json' --records 3 -H || status=$?
echo "status $status"

step 'the array specification that runs just that cell again'
# shellcheck disable=SC2016    # shown as it would be typed
printf '%s\n' '$ spec=$(gridtag -f grid -a -m out/{tag}.json) && sbatch --array="$spec" array.sbatch'
spec=$(gridtag -f grid -a -m 'out/{tag}.json') || exit
echo "sbatch --array=$spec array.sbatch"

step 'what to ask for next: from the seconds that these runs took to a --time for each model, at 1000 records a cell'
# shellcheck disable=SC2016
printf '%s\n' '$ unitcost -X -n 1000 timings/*.tsv >need.tsv && walltime-bucket -b 10m,3h,12h -H -f need.tsv'
unitcost -X -n 1000 timings/*.tsv >need.tsv
walltime-bucket -b 10m,3h,12h -H -f need.tsv

step 'what to read next'
cat <<END
The batch script that ran:  $here/array.sbatch
The manual pages:           PATH=\$PWD/bin:\$PATH man gridtag    (gate-gpus, ...)
On a real cluster:          make test-slurm runs the same script as a Slurm array
END
