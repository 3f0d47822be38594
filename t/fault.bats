#!/usr/bin/env bats
# fault.bats - every tool while calls fail and its surroundings are poor: t/fault/drive.c says how it is judged
#
# FAULT_MOST=N lets the first N calls of each kind fail, one at a time, and the last (4; make check sets 100).
load helper

setup_file() {
	export DRIVE=$BATS_FILE_TMPDIR/drive PRELOAD=$BATS_FILE_TMPDIR/preload.so
	case ${CHECK_BUILD-} in
	sanitized | static | valgrind | narrow) export UNFIT="a preloaded library does not go with this build ($CHECK_BUILD)"; return ;;
	esac
	if [ "$(uname)" != Linux ] || ! ${CC:-cc} -O -Wall -Wextra -Werror -shared -fPIC -o "$PRELOAD" "$BATS_TEST_DIRNAME/fault/preload.c" -ldl ||
		! ${CC:-cc} -O -std=gnu99 -Wall -Wextra -Werror -o "$DRIVE" "$BATS_TEST_DIRNAME/fault/drive.c"; then
		export UNFIT='the preloaded library needs Linux and glibc'
	fi
}

# stub NAME: a program of that name made of the shell code on stdin, in ./stubs
stub() {
	mkdir -p stubs
	{ echo '#!/bin/sh'; cat; } >"stubs/$1"
	chmod +x "stubs/$1"
}

# What the commands below read, and a Slurm and a driver that answer.
inputs() {
	local i
	cp "$ROOT/t/data/array-D.txt" array
	printf 'model=7b,32b\nseed=0..3\nskip model=7b,seed=1\n' >grid
	{ cat grid; echo 'per-task 2'; } >two
	printf 'a,b\n1,2\n3,"x y"\n' >table
	printf 'd1 %s\n' '100 4h' '100 4:05:00' '50 1:50:00' >timings
	printf 'd1\t9000\t8000\t170\t3\t100\t1\tm=1\t-\n' >needs
	printf '%s\n' 'cpu*|up|12:00:00|10|1/2/0/3' 'long|up|7-00:00:00|3|1/2/0/3' >sinfo
	echo 'JobID|JobIDRaw|JobName|State|ExitCode|Elapsed|ElapsedRaw|NodeList|User|Submit|Start|End' >runs
	for i in 1 2 3 4 5 6 7 8 9; do
		echo "7_$i|$((i + 6))|train|$([ "$i" -gt 7 ] && echo FAILED || echo COMPLETED)|0:0|00:15:00|900|n$((i / 8))|u|2026-11-29T08:00:00|2026-11-29T08:00:00|2026-11-29T08:15:00"
	done >>runs
	tr '|' '\037' <runs >runs.1f
	mkdir -p out dirs root/dev root/proc root/sys
	for i in 0 1 2 3 4 5 6; do mkdir "dirs/$i"; echo r | tee "out/$i" >"dirs/$i/r"; done
	: >root/dev/nvidia0
	: >new
	stub sacct <<<"case \$1 in -e) echo JobID JobIDRaw JobName State ExitCode Elapsed ElapsedRaw NodeList User Submit Start End ;; *) exec cat '$PWD/runs.1f' ;; esac"
	stub squeue <<<'case $* in *%L*) echo 1:00:00 ;; *) echo "4711|4711|COMPLETED|2026-11-29T08:00:00|N/A|None" ;; esac'
	stub sinfo <<<"exec cat '$PWD/sinfo'"
	stub scontrol <<<'echo "NodeName=n1 State=IDLE Reason=bad"'
	stub nvidia-smi <<<'case $1 in -L) echo "GPU 0: NVIDIA H100 (UUID: GPU-0000-aaaa)" ;; *) echo "0, GPU-0000-aaaa, 81559, 1, NVIDIA H100" ;; esac'
}

# faults OPTION...: each line on stdin is `[drive's options |] TOOL ARG...`; the tool is run with every fault there is
faults() {
	local line own command commands=0
	[ -z "${UNFIT-}" ] || skip "$UNFIT"
	mkdir here
	cd here || return
	inputs
	find . | sort >../before
	while IFS= read -r line; do
		own='' command=$line
		commands=$((commands + 1))
		case $line in *' | '*) own=${line%% | *} command=${line#* | } ;; esac
		eval "own=($own) command=($command)"
		while [ "$(jobs -rp | wc -l)" -ge 4 ]; do wait -n || true; done	# they sleep a lot
		PATH=$PWD/stubs:$PATH SLURM_JOB_ID=4711 "$DRIVE" -n "${FAULT_MOST:-4}" "$@" "${own[@]}" "$PRELOAD" "$BIN/${command[0]}" "${command[@]:1}" \
			>>../said 2>&1 3>&- &
	done
	wait
	find . | sort >../after
	same "$(cat ../before)" "$(cat ../after)" 'files left behind' || return
	same "$commands" "$(grep -c '^[0-9]* runs, 0 findings$' ../said)" "commands without a finding: $(grep -v ', 0 findings$' ../said)"
}

@test "a call that fails costs no tool more than its answer: reading files" {
	faults <<-'END'
		gridtag -a -f grid
		gridtag -l -H -f grid
		gridtag -a -c table
		gridtag -a -f grid -m out/{index}
		gridtag --account out/{index} --records 1 -f grid
		gridtag --account dirs/{index} -f grid
		gridtag --smoke --json -f grid
		gridtag -i 2 -f grid
		sacct-hist -f array
		-0 array | sacct-hist
		sacct-hist --check -f array
		sacct-hist --json -l -f array
		sacct-hist -q -a bad -f array
		sacct-hist --also dirs/{index} --expect 1-12 -f array
		whichnode -n 1 -f runs
		whichnode -q -x -n 1 -f runs
		unitcost -n 200 timings
		unitcost -n 2 --sacct array
		walltime-bucket -b 3h,12h,1d 9h30m
		walltime-bucket --sinfo sinfo -H -l
		walltime-bucket --sinfo sinfo -f needs
		gate-gpus --no-driver --root root 0
		gate-gpus --no-driver --root root 2
	END
}

@test "a call that fails costs no tool more than its answer: running others" {
	faults -n "${FAULT_MOST:-1}" <<-'END'
		-a 125 | gridtag -q -i 2 -f grid -- sh -c 'echo $TAG || exit 3'
		-a 125 | gridtag -q -i 0 -f two -- sh -c 'echo $TAG || exit 3'
		sacct-hist 7
		whichnode -n 1 -r 7
		walltime-bucket -l
		gate-gpus --root root -m 70G 1
		waitfor -t 0 file grid
		waitfor -t 0 gone nofile
		waitfor -t 0 log grid skip
		waitfor -t 0 -- true
		waitfor -t 0 job 4711
		waitfor -t 0 pid 999999
		-a 124 | waitfor -t 0 http http://127.0.0.1:1/
		-a 124 | waitfor -t 0 left 2h
	END
}

@test "a call that fails costs no tool more than its answer: what every tool has" {
	local tool list=()
	for tool in "$ROOT"/src/*.c; do
		tool=${tool##*/}
		list+=("${tool%.c} -h" "-a 125 | ${tool%.c} --no-such-option" "-a 2,125 -0 array | ${tool%.c}" "-a 2,125 | ${tool%.c} -f array")
	done
	faults <<<"$(printf '%s\n' "${list[@]}" | sed 's/\.c / /')"
}

@test "a call that fails costs flushcheck no more than its answer" {
	# it looks as often as there is time: not every call comes twice
	faults -c 4 -n $((${FAULT_MOST:-10} / 10)) -k malloc,read,write,open,fork,dup,closed-1,full-disk <<-'END'
		-a 126 | flushcheck -o new --kill-at 0.2s -g 0.2s --before 'rm -f new' -- sh -c 'echo r >new; exec sleep 5'
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
