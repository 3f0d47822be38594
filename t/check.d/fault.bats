#!/usr/bin/env bats
# fault.bats - whole runs while calls fail: a command is started, watched and judged, for a second each time (make check)
#
# The first WHOLE_MOST (4) calls of each kind fail, one at a time, and as many that are spread over the rest of the run.
load ../helper
load ../fault/faults

setup_file() { build_faults; }

inputs() {
	mkdir tmp stubs root root/dev root/proc root/sys
	: >root/dev/nvidia0
	echo old >was
	printf 'model=7b,32b\nseed=0..3\nper-task 2\n' >two
	stub nvidia-smi <<<'case $1 in -L) echo "GPU 0: NVIDIA H100 (UUID: GPU-0000-aaaa)" ;; *) echo "0, GPU-0000-aaaa, 81559, 1, NVIDIA H100" ;; esac'
}

kinds='malloc read write open fork pipe close clock dup stat readdir fcntl exec signal kill group socket hint
	read-eintr write-eintr write-epipe poll-eintr sleep-eintr wait-eintr
	closed-0,closed-1,closed-2,closed-01 closed-02,closed-12,closed-012,full-disk ten-files,environment,no-path'

# whole OPTION...: each command on stdin, with each kind of fault
whole() {
	local line kind
	[ -z "${UNFIT-}" ] || skip "$UNFIT"
	unset PYTHONUNBUFFERED
	while IFS= read -r line; do
		for kind in ${KINDS:-$kinds}; do
			case $line in
			*' | '*) echo "-k $kind $line" ;;
			*) echo "-k $kind | $line" ;;
			esac
		done
	done >list
	AT_ONCE=${AT_ONCE:-8} faults -n "${WHOLE_MOST:-4},${WHOLE_MOST:-4}" "$@" <list
}

@test "flushcheck while a call fails: no false verdict, no lost command" {
	# the command opens nothing above 10: ten descriptors are all it has
	whole -a 126 -c 3 -r new -r new.1 -m begun,ended=killed <<-'END'
		-t 0 | flushcheck -o new -- sh -c 'exec >begun; exec >new; for i in 1 2 3 4; do echo $i; sleep 0.05; done; exec >ended'
		-t 1 | flushcheck -u 0.1s -o new -- sh -c 'exec >begun; exec >new; echo 1; sleep 0.2; echo 2; exec >ended'
		-t 0 | flushcheck -o new -- sh -c 'exec >begun; cp was new; for i in 1 2; do { cat new; echo $i; } >new.1; mv new.1 new; sleep 0.05; done; exec >ended'
		-t 1 | flushcheck -o new -- sh -c 'exec >begun; for i in 1 2; do exec >new; echo $i; sleep 0.05; done; exec >ended'
	END
}

@test "flushcheck while a call fails: no false verdict: a kill, files, a check, a second run" {
	whole -a 126 -c 2 -r new.1 -r new.2 -r new.3 <<-'END'
		-t 1 -c 1 | flushcheck --records files -o 'new.*' --kill-at 0.15s -g 0 -- sh -c 'for i in 1 2 3; do exec >new.$i; echo $i; sleep 0.1; done'
		-t 0 | flushcheck --records files -n 3 -o 'new.*' -- sh -c 'for i in 1 2 3; do exec >new.$i; echo $i; sleep 0.1; done'
		-t 0 | flushcheck -c 'wc -l <' -n 4 -o new.1 -- sh -c 'exec >new.1; for i in 1 2 3 4; do echo $i; sleep 0.05; done'
	END
}

@test "what runs a command or a driver for a while, while a call fails: no false answer, nothing left running" {
	whole -r here <<-'END'
		-t 0 -a 2 | waitfor -q -t 2s -i 0.05s -- sh -c '[ -e here ] || { : >here; exit 1; }'
		-t 124 -a 124 | waitfor -q -t 0.3s -w 1 -i 0.05s file nothing
		-t 1 | waitfor -q -t 2s -w 999999 file nothing
		-t 3 -a 125,126 | gridtag -q -i 0 -f two -- sh -c 'sleep 0.1; [ {seed} = 0 ] || exit 3'
		-t 1 | gate-gpus --root root -m 70G 1
	END
}
