#!/usr/bin/env bats
# flushcheck: what a run leaves that is killed, --resume, -p, and how it is called and ends
load flushcheck/helper

# ---- the kill

@test "SIGTERM goes to the command's own process; what ignores it is killed after -g, children too" {
	is 0 flushcheck --kill-at 0.3s -g 0.2s -v -o out -- "$(w)" stubborn out 1000 10000
	row verdict=ok
	has "$stderr" 'flushcheck: SIGTERM after 0.'
	has "$stderr" 'SIGKILL to 1 processes after '
	has "$stderr" ' s after SIGTERM, and was killed when its 0.200 s (-g) were over'
	n=611.$$$RANDOM
	is 0 flushcheck --kill-at 0.2s -g 0.1s -o out -- sh -c "trap '' TERM; sleep $n & sleep $n & echo 1 >>out; wait"
	same 0 "$(running "sleep $n")"
}

# asked_for SIG: the last line on stderr asks for SIG as many whole seconds earlier as are twice what was seen, and LEAD (0)
asked_for() {
	local seen='flushcheck: the command was seen writing for ([0-9]+)\.([0-9]{3}) s after SIGTERM, and was killed' ms
	[[ $stderr =~ $seen ]] || { echo "$stderr" >&2; return 1; }
	ms=$((2 * (10#${BASH_REMATCH[1]}${BASH_REMATCH[2]} + ${2-0}000)))
	has "$stderr" "if that was a save, it needs a signal earlier: --signal $1@$(((ms + 999) / 1000)) (twice what was seen)"
}

@test "a save that -g cuts: how long it was seen, and the --signal to ask for" {
	printf '%s\n' 'save() { for i in 1 2 3 4 5 6 7 8 9; do echo line >>c; sleep 0.1; done; exit; }' 'trap save TERM' \
		'[ $# = 0 ] || trap : "$1"' 'while :; do sleep 0.05; done' >job
	is 0 flushcheck --kill-at 1s -g 0.4s -o c -- bash job
	row verdict=ok torn=0
	asked_for B:TERM
	is 0 flushcheck --kill-at 2s --signal B:USR1@1 -g 0.4s -o c -- bash job USR1
	asked_for B:USR1 1
	is 0 flushcheck --kill-at 1s -g 60s -o c -- bash job
	hasnt "$stderr" SIGTERM
}

@test "a script that ends on SIGTERM ends the job: its children are killed at once" {
	needs_linux
	n=612.$$$RANDOM
	is 0 flushcheck --kill-at 0.2s -g 20s -o out -- sh -c "echo 1 >out; setsid sleep $n & sleep $n" 3>&-
	same 0 "$(running "sleep $n")"
	has "$stderr" "of the command's processes outlived it: killed, as Slurm does when a job's script ends"
}

@test "a bash trap: only with cmd & wait does it run before the end" {
	is 0 flushcheck --kill-at 0.3s -g 5s -o out -- bash -c 'trap "echo saved >out; exit" TERM; sleep 60 & wait'
	row verdict=ok records=1
	is 1 flushcheck --kill-at 0.3s -g 0.3s -o out2 -- bash -c 'trap "echo saved >out2; exit" TERM; sleep 60'
	row verdict=nothing records=0
}

@test "processes that fork, detach and take a session of their own are killed as well" {
	needs_linux
	n=613.$$$RANDOM
	is 0 flushcheck -o out -- sh -c "(setsid sh -c '(setsid sleep $n &) ; sleep $n' &) ; echo 1 >out; sleep 0.2" 3>&-
	same 0 "$(running "sleep $n")"
	is 0 flushcheck --kill-at 0.2s -g 0 -o out -- sh -c "(setsid sh -c 'trap \"\" TERM; (setsid sleep $n &) ; sleep $n' &) ; echo 1 >>out; sleep $n" 3>&-
	same 0 "$(running "sleep $n")"
}

@test "our own other children are not the command's" {
	n=614.$$$RANDOM
	run -0 bash -c "sleep $n 3>&- >/dev/null 2>&1 & echo \$!; exec flushcheck -q -o out -- sh -c 'echo 1 >out; sleep 0.1'"
	same 1 "$(running "sleep $n")"
	kill "${lines[0]}"
}

@test "--signal B:USR1@1 comes before SIGTERM, to the command's own process; without B: to the others" {
	is 0 flushcheck --kill-at 1.2s --signal B:USR1@1 -g 0 -v -o out -- bash -c 'trap "echo saved >out; exit" USR1; sleep 60 & wait'
	row verdict=ok
	has "$stderr" 'flushcheck: --signal B:USR1@1 after 0.2'
	is 0 flushcheck --kill-at 1.2s --signal SIGUSR1@0.3s -g 0 -o out2 -- sh -c 'bash -c "trap \"echo step >out2; exit\" USR1; sleep 60 & wait"; sleep 60'
	row verdict=ok records=1
	is 1 flushcheck --kill-at 0.3s --signal 10@0.2s -g 0 -o out3 -- sleep 60
	has "$stderr" 'sbatch sends it to steps, and to the script only with B:'
}

@test "--signal as long before SIGTERM as the run, or longer, comes to no trap: 2, or 3 where the run has to be seen first" {
	is 2 flushcheck --kill-at 2s --signal B:USR1@3 -o out -- touch out
	refused
	same 'flushcheck: --signal B:USR1@3: 3.000 s before SIGTERM at 2.000 s: a time after the start was expected' "$stderr"
	is 2 flushcheck --kill-at 2s --signal B:USR1@2 -o out -- touch out
	refused
	is 2 flushcheck --kill-at 45s --signal USR1 -o out -- touch out
	refused
	same 'flushcheck: --signal USR1: 60.000 s before SIGTERM at 45.000 s: a time after the start was expected' "$stderr"
	[ ! -e out ]
	is 3 flushcheck --kill-at 50% --signal B:USR1@60 -o out -- sh -c 'echo 1 >>out; sleep 0.1'
	same '' "$output"
	has "$stderr" 'flushcheck: --signal B:USR1@60: 60.000 s before SIGTERM at '
	has "$stderr" ' s: nothing was tested (a longer run, or fewer seconds)'
	same 1 "$(cat out)"	# the second run was not begun
}

@test "--kill-at and a bare number: the share of a run is named beside the durations" {
	is 2 flushcheck --kill-at 90 -o x -- true
	refused
	same 'flushcheck: --kill-at 90: a bare number: write 90% of a first whole run, or 90s or 90m after the start' "$stderr"
	is 2 flushcheck --kill-at 900 -o x -- true
	has "$stderr" 'write 900s or 900m'
}

@test "--kill-at 50% is of a first whole run; a command that ends before the kill tested nothing: 3" {
	is 0 flushcheck --kill-at 50% -g 0 -o out -- sh -c 'for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.05; done >out'
	row verdict=ok
	column records; [ "$it" -ge 2 ] && [ "$it" -le 6 ]
	has "$stderr" 'flushcheck: the whole run took 0.'
	is 3 flushcheck --kill-at 50% -g 0 -o out2 -- sh -c '[ -e out2 ] || { echo 1 >out2; sleep 0.3; }'
	has "$stderr" 'before the kill at '
	has "$stderr" "(if it skips what the whole run has left: --before 'rm -f ...')"
	is 3 flushcheck --kill-at 0.5s -g 0 -o out3 -- sh -c 'echo 1 >out3'
	row verdict=- records=1
	is 3 flushcheck --kill-at 50% -o out3 -- sh -c 'exit 4'
	has "$stderr" 'the first, whole run ended with status 4'
}

# resumed UNITS LINE BODY [HOLD]: writes ./job: LINE says behind which unit n it begins, BODY makes unit n, up to UNITS. No time decides
# what a kill finds: the whole run takes half a second at its end, and the start behind it (KILLED: the first) waits behind unit HOLD.
resumed() {
	rm -f starts
	printf '%s\n' 'echo >>starts; start=$(wc -l <starts)' "$2" "while [ \$n -lt $1 ]; do n=\$((n + 1)); $3" \
		"[ \$start\$n != ${KILLED-2}${4-5} ] || sleep 60; done" '[ $start != 1 ] || sleep 0.5' >job
}

resumable() { # LINE
	resumed 8 "$1; touch out" 'echo "unit $n" >>out; echo "done $n"'
}

@test "--resume: a command that goes on where it was loses nothing, does nothing twice, leaves nothing out" {
	resumable 'n=$(cat out 2>/dev/null | wc -l)'
	is 0 flushcheck --kill-at 60% -g 0 -n 0 --resume --before 'rm -f out' -q -o out -- sh job
	row verdict=ok records=5 after=8 lost=0 redone=0 left_out=0
	rm out
	KILLED=1 resumable 'n=$(cat out 2>/dev/null | wc -l)'
	is 0 flushcheck --kill-at 0.15s -g 0 -n 0 --resume --done '^done' -o out -- sh job
	row verdict=ok after=8 lost=0 redone=0 left_out=-
	has "$stderr" 'units that are left out show only against a whole run: --kill-at N%'
}

@test "--resume: what starts over, appends again, skips or drops is told" {
	again() { is 1 flushcheck --kill-at 60% -g 0 --resume --before 'rm -f out' -q -o out -- sh job; }
	# (what is emptied and written again between two looks cannot be seen)
	resumable ': >out; [ $start != 3 ] || sleep 0.5; n=0'; again
	row verdict=redone records=5 after=8 lost=0 redone=5 left_out=0
	resumable 'n=0'; again
	row verdict=redone records=5 after=13 redone=5
	resumable 'n=$(cat out 2>/dev/null | wc -l); [ $n = 0 ] || n=$((n + 1))'; again
	row verdict=left-out records=5 after=7 redone=0 left_out=1
	resumable 'n=$(cat out 2>/dev/null | wc -l); sed -i 1d out 2>/dev/null'; again
	row verdict=lost records=5 after=7 lost=1
}

@test "--resume: --id names the unit where records differ from run to run; files are units too" {
	KILLED=1 resumed 8 n=0 'echo "unit $n $$" >>out'
	is 0 flushcheck --kill-at 0.15s -g 0 -n 0 --resume -q -o out -- sh job
	resumed 8 n=0 'echo "unit $n $$" >>out'
	is 1 flushcheck --kill-at 60% -g 0 --resume --id '^unit ([0-9]+)' --before 'rm -f out' -q -o out -- sh job
	row verdict=redone records=5 redone=5
	mkdir d
	resumed 6 n=0 '[ -e d/$n ] || { echo $n >d/new; mv d/new d/$n; }' 3
	is 0 flushcheck --kill-at 60% -g 0 --resume --records files --before 'rm -f d/*' -o 'd/[0-9]' -- sh job
	row verdict=ok records=3 after=6 lost=0 redone=0 left_out=0
	resumed 6 n=0 'echo $n >d/new; mv d/new d/$n' 3
	is 1 flushcheck --kill-at 60% -g 0 --resume --records files --before 'rm -f d/*' -o 'd/[0-9]' -- sh job
	row verdict=redone records=3 redone=3
}

@test "--resume: where records differ from run to run, equal numbers are no yes: 3; nor is an --id that no record matches" {
	# goes on two units too early, and ends two too early
	local line='n=$(cat out 2>/dev/null | wc -l) m=12; [ $n = 0 ] || n=$((n - 2)) m=10'
	resumed '$m' "$line" 'echo "unit $n $$" >>out' 7
	is 3 flushcheck --kill-at 60% -g 0 --resume --before 'rm -f out' -o out -- sh job
	row verdict=- records=7 after=12 lost=0 redone=- left_out=-
	has "$stderr" 'flushcheck: out: cannot tell: records differ from run to run: only their numbers could be compared with the whole run (--id names the unit)'
	resumed '$m' "$line" 'echo "unit $n $$" >>out' 7
	is 1 flushcheck --kill-at 60% -g 0 --resume --id '^unit [0-9]+' --before 'rm -f out' -q -o out -- sh job
	row verdict=redone redone=2 left_out=2
	rm out
	KILLED=1 resumed '$m' "$line" 'echo "unit $n $$" >>out' 7
	is 3 flushcheck --kill-at 0.2s -g 0 --resume --id '^Unit [0-9]+' -o out -- sh job
	row verdict=- lost=0 redone=- left_out=-
	has "$stderr" "flushcheck: out: cannot tell: no record matches --id: no unit was compared"
	# numbers that differ are a no all the same
	resumed 12 n=0 'echo "unit $n $$" >>out' 7
	is 1 flushcheck --kill-at 60% -g 0 --resume --before 'rm -f out' -q -o out -- sh job
	row verdict=redone records=7 redone=7 left_out=-
}

@test "--resume: the log is an output, but is not compared" {
	resumable 'n=$(cat out 2>/dev/null | wc -l)'
	is 0 flushcheck --kill-at 60% -g 0 -n 0 --resume --before 'rm -f out' -q --log log -o out -- sh job
	row path=out verdict=ok after=8 lost=0 redone=0 left_out=0
	output=${lines[1]}
	row path=log verdict=ok after=- lost=- redone=- left_out=-
}

# ---- -p

@test "-p watches a process that is under way, and ends with it" {
	sh -c 'while [ ! -e go ]; do sleep 0.02; done; for i in 1 2 3 4; do echo $i; sleep 0.06; done >out' 3>&- &
	pid=$!
	(sleep 0.4; : >go) 3>&- &
	is 0 flushcheck -p $pid -o out
	row verdict=ok
	column records; [ "$it" -ge 2 ] && [ "$it" -le 4 ]	# the first may have been there before
	wait
	sh -c 'for i in 1 2 3; do echo "unit $i"; sleep 0.06; done >job.log' 3>&- &
	is 1 flushcheck -p $! --log job.log --done '^unit' -o nowhere
	row path=nowhere verdict=nothing
	wait
	is 3 flushcheck -p 4194304 -o out
	has "$stderr" 'flushcheck: -p 4194304: there is no such process'
	same '' "$output"
}

# ---- the command

@test "a command that fails by itself says nothing: 3, no verdict" {
	is 3 flushcheck -o out -- sh -c 'echo 1 >out; exit 4'
	row verdict=- records=1
	has "$stderr" 'flushcheck: the command ended with status 4 after '
	is 3 flushcheck -o out -- sh -c 'echo 1 >out; kill -9 $$'
	row verdict=-
	has "$stderr" 'was killed by signal 9'
	is 3 flushcheck -o out -- sh -c 'exit 125'
}

@test "a command that cannot be run is 126, one that is not found 127, and nothing is printed" {
	is 127 flushcheck -o out -- ./no-such-command; refused; has "$stderr" "flushcheck: './no-such-command': not found"
	echo 'not executable' >file
	is 126 flushcheck -o out -- ./file; refused; has "$stderr" "'./file' cannot be run: Permission denied"
	is 127 flushcheck --kill-at 1s -o out -- ./no-such-command; refused
}

@test "the command's output goes to a regular file, and is shown on stderr as it grows" {
	is 0 flushcheck -o out -- sh -c '[ -f /dev/stdout ] && [ -f /dev/stderr ] && echo regular; echo err >&2; [ -z "$(cat)" ] && for i in 1 2 3; do echo $i; sleep 0.05; done >out'
	same $'regular\nerr' "$stderr"
	same 1 "${#lines[@]}"
	is 0 flushcheck -q -o out -- sh -c 'echo loud; for i in 1 2 3; do echo $i; sleep 0.05; done >out'
	same '' "$stderr"
	mkdir tmp
	TMPDIR=$PWD/tmp is 0 flushcheck -o out -- sh -c 'for i in 1 2 3; do echo $i; sleep 0.05; done >out'
	same '' "$(ls -A tmp)"
}

@test "--log FILE gets the output and is an output too" {
	is 0 flushcheck --log job.log -o out -- sh -c 'for i in 1 2 3; do echo $i >>out; echo "unit $i"; sleep 0.05; done'
	same 2 ${#lines[@]}
	has "${lines[1]}" $'job.log\tok\t3\t21\t'
	same $'unit 1\nunit 2\nunit 3' "$(cat job.log)"
	same '' "$stderr"
}

@test "a run too short to tell when: 3, or a true answer, never a wrong one" {
	for _ in 1 2 3 4 5; do
		status=0
		rm -f out
		flushcheck -q -o out -- sh -c 'echo 1 >out' >row || status=$?
		output=$(cat row)
		column verdict
		case $status.$it in 3.- | 1.at-end | 0.ok) ;; *) cat row; false ;; esac
		row records=1
	done
}

# ---- flushcheck itself

@test "TERM, INT, HUP and a stderr that nobody reads end the command's whole tree, and leave no file" {
	mkdir tmp
	for sig in TERM INT HUP; do	# bash has a background command ignore INT
		n=615.$$$RANDOM
		TMPDIR=$PWD/tmp env --default-signal=INT flushcheck -o out -- sh -c "trap '' TERM INT HUP; setsid sleep $n & sleep $n" >said 2>&1 3>&- &
		soon eval "[ \"\$(running 'sleep $n')\" = 2 ]"
		kill -$sig $!
		status=0
		wait $! || status=$?
		same $((128 + $(kill -l $sig))) "$status" "$sig"
		same 0 "$(running "sleep $n")" "$sig"
		same '' "$(ls -A tmp)"
	done
	n=616.$$$RANDOM
	run bash -c "flushcheck -o out -- sh -c 'sleep $n & while :; do echo loud; sleep 0.01; done' 2>&1 >/dev/null | head -n 1"
	same loud "$output"
	soon eval "[ \"\$(running 'sleep $n')\" = 0 ]"
}

@test "a storm of signals, and being stopped for a while, change no answer" {
	flushcheck -u 1m -o out -- sh -c 'for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.08; done >out; until [ -e go ]; do sleep 0.02; done' >row 3>&- &
	pid=$!
	for _ in {1..150}; do kill -CHLD $pid; kill -WINCH $pid; done
	sleep 0.1; kill -STOP $pid; sleep 0.2; kill -CONT $pid
	: >go
	wait $pid
	output=$(cat row) stderr=
	row verdict=ok records=8
}

@test "stopped over the moment that decides: cannot tell, 3" {
	flushcheck -o out -- sh -c ': >started; sleep 0.3; echo 1 >out; sleep 0.3' >row 2>err 3>&- &
	pid=$!
	soon test -e started; kill -STOP $pid
	soon test -s out; sleep 0.6; kill -CONT $pid
	status=0; wait $pid || status=$?
	same 3 $status
	output=$(cat row) stderr=$(cat err)
	row verdict=- records=1
	has "$stderr" 'flushcheck: out: cannot tell: the first record came between 0.'
}

@test "stdin closed, stdout closed or full: the run is whole, the lost table is 3" {
	is 0 bash -c "flushcheck -o out -- sh -c 'for i in 1 2 3; do echo \$i; sleep 0.05; done >out' <&-"
	row verdict=ok
	is 3 bash -c "flushcheck -o out -- sh -c 'echo 1 >out; sleep 0.1' >&-"
	has "$stderr" 'the output was lost'
	is 3 bash -c "flushcheck -o out -- sh -c 'echo 1 >out; sleep 0.1' >/dev/full"
	has "$stderr" 'the output was lost'
	is 0 bash -c "flushcheck -o out -- sh -c 'for i in 1 2 3; do echo \$i; sleep 0.05; done >out' 2>&-"
}

@test "called wrong: 2, one line, nothing run" {
	wrong() { is 2 flushcheck "$@"; refused; }
	wrong
	wrong -- touch ran
	wrong -o out
	wrong -o out --
	wrong -o '' -- touch ran
	wrong -o out x -- touch ran
	wrong -n x -o out -- touch ran
	wrong -u 10 -o out -- touch ran; has "$stderr" 'write 10s or 10m'
	wrong -u 0 -o out -- touch ran
	wrong -i 0 -o out -- touch ran
	wrong --records '' -o out -- touch ran
	wrong --records '\q' -o out -- touch ran
	wrong --records lines -c true -o out -- touch ran
	wrong -c true --records files -o out -- touch ran
	wrong --done '(' -o out -- touch ran
	wrong --kill-at 0 -o out -- touch ran
	wrong --kill-at 100% -o out -- touch ran
	wrong --kill-at 45 -o out -- touch ran
	wrong --signal USR1 -o out -- touch ran
	wrong --kill-at 1s --signal NONE -o out -- touch ran
	wrong --kill-at 1s --signal USR1@x -o out -- touch ran
	wrong -g 1s -o out -- touch ran
	wrong --resume -o out -- touch ran
	wrong --kill-at 1s --id x -o out -- touch ran
	wrong --kill-at 1s --resume --log log -- touch ran
	same 'flushcheck: --resume compares outputs: -o PATH was expected' "$stderr"
	[ ! -e log ]
	wrong -p 1 -o out -- touch ran
	wrong -p 0 -o out
	wrong -p x -o out
	wrong -p 1 --kill-at 1s -o out
	wrong -p 1 --done x -o out
	wrong --no-such-option
	[ ! -e ran ]
}
