#!/bin/sh
# cell.sh MODEL SEED - stands for the experiment: three records on stdout.
# DEMO_LOSE=N: array task N dies in the middle, as when a node goes away. DEMO_PAUSE: seconds a step takes (0).
set -eu
for step in 1 2 3; do
	sleep "${DEMO_PAUSE:-0}"
	printf '{"model":"%s","seed":%s,"step":%s}\n' "$1" "$2" "$step"
	if [ "$step" = 2 ] && [ "${DEMO_LOSE:-none}" = "${SLURM_ARRAY_TASK_ID:-}" ]; then kill -KILL $$; fi
done
