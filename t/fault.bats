#!/usr/bin/env bats
# fault.bats - every tool while calls fail and its surroundings are poor: t/fault/drive.c says how it is judged
#
# A few calls of each kind fail, and what all tools share fails in one of them. FAULT_MOST=N (make check: 100) lets the first
# N calls of each kind fail, one at a time, and the last, in more commands.
load helper
load fault/faults

setup_file() { build_faults; }

# chosen: the lines on stdin that begin with `some: `; those with `more: ` too where FAULT_MOST is set
chosen() { if [ -n "${FAULT_MOST-}" ]; then sed 's/^\(some\|more\): //'; else sed -n 's/^some: //p'; fi; }

@test "a call that fails costs no tool more than its answer: reading files" {
	chosen <<-'END' >list
		some: -a 2,125 -0 /dev/null | gridtag -f -
		some: -a 125 | waitfor --no-such-option
		some: unitcost -h
		some: gridtag -a -c table
		more: gridtag -l -H -f grid
		more: gridtag -a -f grid
		some: gridtag -a -f grid -m out/{index}
		more: gridtag --account out/{index} --records 1 -f grid
		some: gridtag --account dirs/{index} -f grid
		more: gridtag --smoke --json -f grid
		some: gridtag -i 2 -f grid
		more: sacct-hist -f array
		some: -0 array | sacct-hist --json -l
		more: sacct-hist --check -f array
		more: sacct-hist -q -a bad -f array
		some: sacct-hist --also dirs/{index} --expect 1-12 -f array
		some: sacct-job -F -f past
		more: sacct-job --json -l -f past
		some: sacct-size -s --sinfo limits -f past train_9
		more: sacct-size --sinfo limits -f past
		more: sacct-work -f past
		some: sacct-work -F -f past
		more: sacct-work --json --runs train_9 -f past
		more: sacct-work --gate train_9 --request time=2h -f past
		more: whichnode -n 1 -f runs
		some: whichnode -q -x -n 1 -f runs
		some: unitcost -n 200 timings
		more: unitcost -n 2 --sacct array
		more: walltime-bucket -b 3h,12h,1d 9h30m
		more: walltime-bucket --sinfo sinfo -H -l
		some: walltime-bucket --sinfo sinfo -f needs
		more: gate-gpus --no-driver --root root 0
		some: gate-gpus --no-driver --root root 2
	END
	faults -n "${FAULT_MOST:-2}" <list
}

@test "a call that fails costs no tool more than its answer: running others" {
	local rest=(-n "${FAULT_MOST:-1}")
	# what is no matter of a child is tested above
	[ -n "${FAULT_MOST-}" ] || rest+=(-k 'read,open,fork,pipe,close,clock,fcntl,exec,group,read-eintr,poll-eintr,wait-eintr,closed-012,ten-files,no-path')
	chosen <<-'END' >list
		some: -a 125,126 | gridtag -q -i 2 -f grid -- sh -c 'echo $TAG || exit 3'
		some: -a 125,126 | gridtag -q -i 0 -f two -- sh -c 'echo $TAG || exit 3'
		some: sacct-hist 7
		more: sacct-job 7
		more: sacct-size --sinfo limits -S 7d
		more: sacct-work -S 7d
		more: whichnode -n 1 -r 7
		more: walltime-bucket -l
		some: gate-gpus --root root -m 70G 1
		more: waitfor -t 0 file grid
		more: waitfor -t 0 gone nofile
		more: waitfor -t 0 log grid skip
		some: -a 2 | waitfor -t 0 -- true
		some: waitfor -t 0 job 4711
		more: waitfor -t 0 pid 999999
		some: -a 124 | waitfor -t 0 http http://127.0.0.1:1/
		more: -a 124 | waitfor -t 0 left 2h
	END
	faults "${rest[@]}" <list
}

@test "a call that fails costs flushcheck no more than its answer" {
	# it looks as often as there is time: not every call comes twice; t/check.d/fault.bats goes through a whole run
	faults -c 4 -n 1 -r fresh -k malloc,read,open,fork,pipe,closed-1,full-disk <<-'END'
		flushcheck -o fresh --kill-at 0.1s -g 0.1s -- sh -c 'echo r >fresh; exec sleep 5'
	END
}

@test "no more processes: what needs one is 3, the rest is as ever" {
	local dir
	[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || skip 'needs root and setpriv: root has no such limit'
	[ "${CHECK_BUILD-}" != valgrind ] || skip 'valgrind needs its own processes'
	dir=$(mktemp -d)
	chmod 755 "$dir"
	cp "$BIN"/{gridtag,walltime-bucket,waitfor,sacct-hist} "$dir" || return
	poor() { setpriv --reuid 65534 --clear-groups --no-new-privs bash -c 'ulimit -u 0; cd / && exec "$@"' - "$@"; }
	is 0 poor "$dir/gridtag" -n a=1,2
	same 2 "$output"
	is 3 poor "$dir/walltime-bucket" -l
	refused
	is 3 poor "$dir/sacct-hist" 7
	refused
	is 3 poor "$dir/waitfor" -t 1s -- true
	refused
	is 125 poor "$dir/gridtag" -i 0 -k 2 a=1,2 -- true
	same 125 "$status"
	rm -rf "$dir"
}

@test "a text in memory that finds no room is no text" {
	[ -z "${UNFIT-}" ] || skip "$UNFIT"
	awk 'BEGIN { print "JobID|State"; for (i = 1; i < 2000; i++) print "7_" i * i "|FAILED" }' >long
	"$DRIVE" -k malloc "$PRELOAD" "$BIN/sacct-hist" -f long >&2
}

@test "what a tool runs is given no descriptor of the tool's" {
	local name line
	[ -d /proc/self/fd ] || skip 'no /proc'
	[ "${CHECK_BUILD-}" != valgrind ] || skip 'valgrind has its own descriptors'
	inputs
	for name in sacct squeue sinfo scontrol nvidia-smi; do
		{ sed 1d "stubs/$name"; } >body
		{ echo "for fd in /proc/\$\$/fd/*; do echo \"\${fd##*/}\"; done >>'$PWD/seen'"; cat body; } | stub "$name"
	done
	echo "for fd in /proc/\$\$/fd/*; do echo \"\${fd##*/}\"; done >>'$PWD/seen'" | stub command
	PATH=$PWD/stubs:$PATH
	export SLURM_JOB_ID=4711
	bash -c 'for fd in {3..255}; do eval "exec $fd>&-"; done; exec stubs/command' </dev/null
	sort -u seen >want
	while IFS= read -r line; do
		rm -f seen
		eval "line=($line)"
		bash -c 'for fd in {3..255}; do eval "exec $fd>&-"; done; exec "$@"' - "${line[@]}" </dev/null >/dev/null 2>&1 || true
		[ -s seen ] || { echo "ran nothing: ${line[*]}" >&2; return 1; }
		same "$(cat want)" "$(sort -u seen)" "descriptors in what ran: ${line[*]}"
	done <<-'END'
		gridtag -f grid -i 2 -- stubs/command
		gridtag -f two -i 0 -- stubs/command
		sacct-hist 7
		whichnode -n 1 -r 7
		walltime-bucket -l
		gate-gpus --root root -m 70G 1
		waitfor -t 5s -- stubs/command
		waitfor -t 5s job 4711
		flushcheck -o out/0 --kill-at 0.2s -g 0.1s -- stubs/command
	END
}
