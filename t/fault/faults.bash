# faults.bash - for the tests that let calls fail: builds t/fault/drive.c and preload.c, and runs them over a list of commands
#
# shellcheck disable=SC2016    # expanded by the stubs

build_faults() {
	local dir=$ROOT/t/fault
	export DRIVE=$BATS_FILE_TMPDIR/drive PRELOAD=$BATS_FILE_TMPDIR/preload.so
	case ${CHECK_BUILD-} in
	sanitized | static | valgrind | narrow) export UNFIT="a preloaded library does not go with this build ($CHECK_BUILD)"; return ;;
	esac
	if [ "$(uname)" != Linux ] || ! ${CC:-cc} -O -Wall -Wextra -Werror -shared -fPIC -o "$PRELOAD" "$dir/preload.c" -ldl ||
		! ${CC:-cc} -O -std=gnu99 -Wall -Wextra -Werror -o "$DRIVE" "$dir/drive.c"; then
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
	echo 'JobID|JobName|User|State|Elapsed|ElapsedRaw|Timelimit|TimelimitRaw|AllocCPUS|TotalCPU|ReqMem|MaxRSS|NTasks|AllocTRES|NNodes|Partition|Submit' >past
	for i in 1 2 3 4 5; do
		echo "$i|train_$i|u|$([ "$i" -gt 2 ] && echo TIMEOUT || echo COMPLETED)|00:2$i:00|$((1200 + i * 60))|00:30:00|30|4|01:00:00|8G|||cpu=4,mem=8G|1|cpu|2026-11-0${i}T08:00:00"
		echo "$i.batch|batch||COMPLETED|00:2$i:00|$((1200 + i * 60))|||4|01:00:00||5G|1|cpu=4,mem=8G|1||2026-11-0${i}T08:00:00"
	done >>past
	echo 'cpu*|1-00:00:00|64000|16' >limits
	mkdir -p out dirs tmp root/dev root/proc root/sys
	for i in 0 1 2 3 4 5 6; do mkdir "dirs/$i"; echo r | tee "out/$i" >"dirs/$i/r"; done
	: >root/dev/nvidia0
	: >new
	stub sacct <<<"case \$1 in -e) echo JobID JobIDRaw JobName State ExitCode Elapsed ElapsedRaw NodeList User Submit Start End ;; *) exec cat '$PWD/runs.1f' ;; esac"
	stub squeue <<<'case $* in *%L*) echo 1:00:00 ;; *) echo "4711|4711|COMPLETED|2026-11-29T08:00:00|N/A|None" ;; esac'
	stub sinfo <<<"exec cat '$PWD/sinfo'"
	stub scontrol <<<'echo "NodeName=n1 State=IDLE Reason=bad"'
	stub nvidia-smi <<<'case $1 in -L) echo "GPU 0: NVIDIA H100 (UUID: GPU-0000-aaaa)" ;; *) echo "0, GPU-0000-aaaa, 81559, 1, NVIDIA H100" ;; esac'
}

# faults OPTION...: each line on stdin is `[drive's options |] TOOL ARG...`; the tool is run with every fault there is. Each
# stands in a copy of its own of the inputs where AT_ONCE of them run, which is for those that sleep (4, all in one).
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
		while [ "$(jobs -rp | wc -l)" -ge "${AT_ONCE:-4}" ]; do wait -n || true; done
		(
			if [ -n "${AT_ONCE-}" ]; then cp -a ../here "../here.$commands" && cd "../here.$commands" || exit; fi
			ulimit -n 64	# what a child closes one by one is few
			TMPDIR=$PWD/tmp PATH=$PWD/stubs:$PATH SLURM_JOB_ID=4711 exec "$DRIVE" "$@" "${own[@]}" "$PRELOAD" "$BIN/${command[0]}" "${command[@]:1}"
		) >>../said 2>&1 3>&- &
	done
	wait
	for line in ../here ../here.*; do
		[ ! -d "$line" ] || same "$(cat ../before)" "$(cd "$line" && find . | sort)" "files left behind: $line" || return
	done
	same "$commands" "$(grep -c '^[0-9]* runs, 0 findings$' ../said)" "commands without a finding: $(grep -v ', 0 findings$' ../said)"
}
