#!/bin/bash
# lock.sh [-i DUR] [-c CMD] RESOURCE -- command [arg...]
#
# One run at a time on RESOURCE (a data set, a checkout, a virtual environment), and the run ends when the resource
# changes underneath: results of before and after would be mixed up, and nobody would know.
#   lock.sh data/train.bin -- ./train --data data/train.bin
#   lock.sh -c 'git -C code rev-parse HEAD' code -- ./train        code is the same while HEAD is
# Looked at every DUR (10s): of a file its number, size and time; of a directory those of the entries right in it, and
# nothing deeper: use -c there. CMD is run by sh; what it prints must stay the same.
#
# status: that of the command. 75: another run has the lock, who it is stands on stderr; try later.
#         125: lock.sh itself could not go on, or the resource changed: the command was ended, its results are suspect.
#
# The lock is held on RESOURCE.lock by the run itself, all its processes included, and goes with the last of them, also
# after kill -9: there is no stale lock to remove. Never remove the file: a new one would be another lock.
# Between nodes it holds as far as the file system carries flock(2): try it with two jobs on two nodes first.
set -euo pipefail
say() { printf 'lock.sh: %s\n' "$*" >&2; }
usage() { say 'usage: lock.sh [-i DUR] [-c CMD] RESOURCE -- command [arg...]'; exit 125; }

every=10s check=
while getopts i:c: option; do
	case $option in
	i) every=$OPTARG ;;
	c) check=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
if [ $# -lt 3 ] || [ "$2" != -- ]; then usage; fi
resource=${1%/}
shift 2
[ -n "$check" ] || [ -e "$resource" ] || { say "$resource: not there"; exit 125; }
for tool in flock setsid waitfor; do command -v "$tool" >/dev/null || { say "$tool: not found in PATH"; exit 125; }; done

identity() {
	if [ -n "$check" ]; then
		sh -c "$check" 9>&-
	else
		find -L "$resource" -maxdepth 1 -exec stat -L -c '%n %d %i %s %y' {} + | sort
	fi
}

# >>: who waits must not empty what the holder wrote. -n: refuse at once; a job that waits for a lock burns its time.
{ exec 9>>"$resource.lock"; } 2>/dev/null || { say "$resource.lock: cannot be written"; exit 125; }
status=0
flock -n -E 75 9 || status=$?
case $status in
0) ;;
75) say "$resource is in use: $(head -n 1 "$resource.lock")"; exit 75 ;;
*) say "$resource.lock: flock ended with $status"; exit 125 ;;
esac
printf '%s job %s on %s, pid %s, since %s\n' "$(id -un)" "${SLURM_JOB_ID:--}" "$(hostname)" $$ "$(date +%FT%T)" >"$resource.lock"
before=$(identity) || { say "$resource: cannot be looked at"; exit 125; }

# The command leads a process group of its own, so that all of it can be ended. Descriptor 9, the lock, goes with it.
setsid "$@" <&0 & pid=$!
stop() {
	kill -TERM -- "-$pid" 2>/dev/null || return 0
	waitfor -q -t 20s group "$pid" 9>&- || kill -KILL -- "-$pid" 2>/dev/null || :
}
trap 'stop; exit 143' TERM
trap 'stop; exit 130' INT
trap 'stop; exit 129' HUP

# same: the resource is what it was; otherwise the run ends here
same() {
	local now
	now=$(identity) || now='it cannot be looked at any more'
	[ "$now" != "$before" ] || return 0
	say "$resource changed while the command ran; what is new:"
	diff <(echo "$before") <(echo "$now") | grep '^>' >&2 || :
	stop
	exit 125
}

while :; do
	status=0
	waitfor -q -t "$every" pid "$pid" 9>&- & wait $! || status=$?
	case $status in
	0) break ;;	# it has ended
	124) same ;;
	*) stop; say "waitfor ended with $status"; exit 125 ;;
	esac
done
status=0
wait "$pid" || status=$?
same
exit "$status"
