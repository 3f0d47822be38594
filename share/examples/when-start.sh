#!/bin/bash
# when-start.sh [-w MIN] [-p PARTITION,...] [-q QOS,...] -- SBATCH-ARGUMENT...
#
# Where would this job start first? Asks `sbatch --test-only` once for each partition and QOS; nothing is submitted.
#   when-start.sh -- --time=2:00:00 --gres=gpu:1 job.sbatch
#   when-start.sh -w 30 -p gpu -- --time=2:00:00 job.sbatch     for cron: silent unless it would start within
#                                                               30 minutes, or Slurm does not answer
# Printed: start, minutes from now, partition, QOS, the earliest first. Refusals are quoted on stderr.
# Without -p: every partition that is up; without -q: every QOS of your associations. Each pair is a question to the
# controller, and uses up a job id: name few of them where there are many, and ask seldom.
#
# A guess, not a promise. It does not know your own caps: where a QOS or an account may have only so many jobs or GPUs
# running, the job is said to start now, and waits. Nor whether a partition that you name is down. Reservations only in
# part (seen with 22.05): around a maintenance it plans; nodes that are all reserved otherwise are a refusal, though the
# job would only wait; your own counts if --reservation names it.
#
# status: 0 printed; 1 none would start (with -w: in time); 2 called wrong; 3 no answer from Slurm
set -euo pipefail
say() { printf 'when-start.sh: %s\n' "$*" >&2; }
usage() { say 'usage: when-start.sh [-w MIN] [-p PARTITION,...] [-q QOS,...] -- SBATCH-ARGUMENT...'; exit 2; }

within='' partitions='' qoses=''
while getopts w:p:q: option; do
	case $option in
	w) within=$OPTARG ;;
	p) partitions=$OPTARG ;;
	q) qoses=$OPTARG ;;
	*) usage ;;
	esac
done
[ "${!OPTIND-}" != -- ] || shift
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage
[[ $within =~ ^[0-9]*$ ]] || { say "-w $within: minutes, a whole number"; exit 2; }
for word; do
	case $word in
	-p* | --partition* | -q* | --qos*) say "$word: give it before the --, or its row would lie"; exit 2 ;;
	esac
done
for tool in sbatch sinfo timeout; do command -v "$tool" >/dev/null || { say "$tool: not found in PATH"; exit 3; }; done
export SLURM_TIME_FORMAT=standard LC_ALL=C
unset SBATCH_PARTITION SBATCH_QOS SLURM_CLUSTERS SBATCH_CLUSTERS

if [ -z "$partitions" ]; then
	shown=$(timeout 30 sinfo -h -o '%R %a') || { say 'sinfo gave no answer'; exit 3; }
	partitions=$(awk '$2 == "up" { print $1 }' <<<"$shown" | sort -u | paste -s -d ,)
	[ -n "$partitions" ] || { say 'no partition is up'; exit 1; }
fi
if [ -z "$qoses" ]; then
	qoses=$(timeout 30 sacctmgr -nP show assoc "user=$(id -un)" format=qos 2>/dev/null | tr , '\n' | grep . | sort -u | paste -s -d ,) || :
	# no accounting, or no QOS: sbatch takes the default
	qoses=${qoses:--}
fi

rows='' refused=0 silent=0
now=$(date +%s)
for partition in ${partitions//,/ }; do
	for qos in ${qoses//,/ }; do
		where=(--partition="$partition")
		[ "$qos" = - ] || where+=(--qos="$qos")
		status=0
		said=$(timeout 30 sbatch --test-only "${where[@]}" "$@" 2>&1 </dev/null) || status=$?
		# 25.05 says `at TIME a using', a federation `at TIME on cluster': the time is what is looked for
		if [ "$status" = 0 ] && [[ $said =~ to\ start\ at\ ([0-9]{4}-[0-9-]+T[0-9:]+) ]]; then
			start=${BASH_REMATCH[1]}
			at=$(date -d "$start" +%s)
			minutes=$(((at - now + 59) / 60))
			[ "$minutes" -ge 0 ] || minutes=0
			if [ -z "$within" ] || [ "$minutes" -le "$within" ]; then
				rows+=$start$'\t'$minutes$'\t'$partition$'\t'$qos$'\n'
			fi
			continue
		fi
		case $said in
		'' | *'nable to contact'* | *'timed out'* | *'onnection refused'* | *'onfiguration source'*)
			silent=$((silent + 1))
			say "$partition, $qos: no answer: ${said:-(nothing)}" ;;
		*)
			refused=$((refused + 1))
			[ -n "$within" ] || say "$partition, $qos: refused: \"${said//$'\n'/ / }\"" ;;
		esac
	done
done
if [ -n "$rows" ]; then
	printf '%s' "$rows" | sort
	say 'not in this: your own caps (QOS, account) and, but in part, reservations'
	exit 0
fi
[ "$silent" = 0 ] || exit 3
[ -n "$within" ] || say "none of $refused would take it"
exit 1
