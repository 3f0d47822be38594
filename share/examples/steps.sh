#!/bin/bash
# steps.sh N - stands for a long program that can be interrupted: one line in the file steps for each of N steps. At
# USR1 and TERM it writes the checkpoint and ends; started again it goes on behind it.
set -euo pipefail
save=
trap 'save=yes' USR1 TERM
first=1
if [ -e ckpt ]; then first=$(($(<ckpt) + 1)); fi
for ((step = first; step <= $1; step++)); do
	sleep "${DEMO_PAUSE:-1}" || :		# the signal may end it
	echo "step $step" >>steps
	if [ -n "$save" ]; then
		# whole or not at all: a kill while it is written leaves the old one
		echo "$step" >ckpt.part && mv ckpt.part ckpt
		exit 0
	fi
done
: >"done"
