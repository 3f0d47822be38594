#!/usr/bin/env bats
# waitfor: how it is called, how it ends, -w; the conditions are in waitfor-conditions.bats and waitfor-servers.bats, those of Slurm in waitfor-job.bats and waitfor-ids.bats
load waitfor/helper

# ---- what it is told

@test "without -t: 2, and the line to write" {
	W 2 file 'a b' c
	refused
	same "waitfor: no -t: a wait has an end; write waitfor -t 10m file 'a b' c" "$stderr"
	W 2 -v -- test -e x
	same "waitfor: no -t: a wait has an end; write waitfor -t 10m -v -- test -e x" "$stderr"
}

@test "-t takes durations, not bare numbers other than 0" {
	: >f
	for t in 0 1s 0.5s 10m 4h30m 2d 1-00:00:00 10:00; do W 0 -t "$t" file f; done
	W 2 -t 10 file f
	same "waitfor: -t '10': a bare number is seconds to sleep and minutes to Slurm: write 10s or 10m" "$stderr"
	for t in '' -1s 1x infinity leftover left-x left- '1s '; do W 2 -t "$t" file f; refused; done
}

@test "bad use is 2 and one line" {
	while read -r line; do
		eval "W 2 $line"
		refused || { echo "$line" >&2; return 1; }
	done <<-'END'
		-t 1s
		-t 1s nothing x
		-t 1s file
		-t 1s file ''
		-t 1s gone
		-t 1s pid
		-t 1s group 1 2
		-t 1s port
		-t 1s port 1 2
		-t 1s port 0
		-t 1s port 65536
		-t 1s port http
		-t 1s port :80
		-t 1s port ::1:80
		-t 1s port '[::1]80'
		-t 1s port '[::1'
		-t 1s socket
		-t 1s http example.org
		-t 1s http ftp://x/
		-t 1s http http:///x
		-t 1s http 'http://x/a b'
		-t 1s http "http://x/a$(printf '\r\nX: y')"
		-t 1s http http://u:p@x/
		-t 1s http http://x:0/
		-t 1s --status 2xx http http://x/
		-t 1s --status 100 http http://x/
		-t 1s --status '' http http://x/
		-t 1s log f
		-t 1s log f '('
		-t 1s --fail '*(' log f x
		-t 1s job
		-t 1s job ' , '
		-t 1s job abc
		-t 1s job 0
		-t 1s job 12_
		-t 1s job '12_[1-3'
		-t 1s job '12_[3-1]'
		-t 1s job '12_[1,2,...]'
		-t 1s job 12.
		-t 1s job 12.x/y
		-t 1s job '12;'
		-t 1s job '12;-M'
		-t 1s job 99999999999
		-t 1s job '1;a' 2
		-t 1s --state FAILED job 1
		-t 1s -i 10s job 1
		-t 1s left 5
		-t 1s left 5m
		-t left file x
		-t 1s --
		-t 1s file x -- true
		-t 1s -s 1 gone x
		-t 1s -s x file x
		-t 1s --stable 5 file x
		-t 1s --new file x
		-t 1s --status 200 port 80
		-t 1s --json file x
		-t 1s -H -- true
		-t 1s -i 0 file x
		-t 1s -i 5 file x
		-t 1s -q -v file x
		-t 1s -w 1 -w 2 file x
		-t 1s -w 0 file x
		-t 1s -w x file x
	END
}

@test "there is no condition by process name, and the refusal says what to do instead" {
	for c in process pgrep name; do
		W 2 -t 1s $c 'python server'
		has "$stderr" "a pattern would match this program too; keep the pid (server & pid=\$!)"
	done
}

@test "https is refused, with the curl form to use" {
	W 2 -t 5m http https://example.org/health
	same 'waitfor: no TLS here: waitfor -t 5m -- curl -fsS -m 10 -o /dev/null https://example.org/health' "$stderr"
	# it can be pasted
	W 2 -t 5m http 'https://example.org/?a=1&b=2'
	same "waitfor: no TLS here: waitfor -t 5m -- curl -fsS -m 10 -o /dev/null 'https://example.org/?a=1&b=2'" "$stderr"
	W 2 -t 5m http 'http://u@example.org/?a=1&b=2'
	has "$stderr" "-o /dev/null 'http://u@example.org/?a=1&b=2'"
}

@test "the example in -h comes true, every time" {
	waitfor -h | sed -n '/^example:/,$p' | sed '1d; s/sleep 1;/sleep 0.1;/' >example
	grep -q 'sleep 0.1' example
	for i in 1 2 3 4 5 6 7 8; do rm -f answer; is 0 bash -euo pipefail example; done
}

@test "one line at the end: what, how, how long, why; -q: none" {
	: >there
	W 0 -t 1s file there
	[[ $stderr =~ ^'waitfor: file there: came true after '[0-9.]+' s'$ ]]
	W 124 -t 0.1s file there 'not there'
	[[ $stderr =~ ^"waitfor: file there 'not there': time is up after "[0-9.]+' s: not there does not exist'$ ]]
	W 124 -q -t 0 file nope
	same '' "$output$stderr"
	W 0 -q -t 0 file there
	same '' "$output$stderr"
	mkdir empty
	PATH=$PWD/empty:$BIN W 3 -q -t 0.1s job 1
	has "$stderr" 'there is no squeue here'
}

@test "-v: what is waited for at the start, and now and then how it stands" {
	W 124 -v -t 1.6s file nope
	same 'waitfor: file nope: at most 1.6 s, a look every 10 ms, growing to 1 s' "${stderr_lines[0]}"
	[[ ${stderr_lines[1]} == 'waitfor: file nope: '*' s gone, '*' s left: nope does not exist' ]]
}

@test "on a terminal a line counts down, and is gone at the end" {
	command -v script >/dev/null || skip 'no script(1) for a terminal'
	script -qec "$BIN/waitfor -t 0.5s file nope; echo \$?" /dev/null >out </dev/null
	has "$(cat out)" $'\r\e[Kwaitfor: file nope: 00:00:01 left\r\e[K'
	has "$(tail -n 1 out)" 124
	script -qec "$BIN/waitfor -q -t 0.2s file nope" /dev/null >out </dev/null || true
	hasnt "$(cat out)" left
}

@test "closed stdin and stdout change nothing; a lost record of job is noticed" {
	: >f
	st=0; waitfor -t 1s file f <&- >&- 2>err || st=$?
	same 0 "$st"
	st=0; waitfor -t 0.1s file nope <&- >&- 2>&- || st=$?
	same 124 "$st"
	st=0; waitfor -t 1s -- true <&- >&- 2>&- || st=$?
	same 0 "$st"
	slurm
	echo '7|7|COMPLETED|2026-11-29T17:20:41|cn1|None' >fake/squeue.all
	st=0; waitfor -t 1s job 7 >&- 2>err || st=$?
	same 3 "$st"
	has "$(cat err)" 'the output was lost'
}

# ---- the deadline

@test "0 is one look" {
	W 124 -t 0 file nope; in_time 0
	W 124 -t 0 port 1; in_time 0
	W 124 -t 0 pid $$; in_time 0
	W 0 -t 0 -- true; in_time 0
	W 124 -t 0 -- false; in_time 0
	: >n
	W 124 -t 0 -- sh -c 'echo >>n; exit 1'
	same 1 "$(wc -l <n)"
}

@test "a stat that hangs: 3 in time, and nothing is left" {
	preload T_HANGS="$PWD/hung"
	for c in "file / $PWD/hung" "gone $PWD/hung" "log $PWD/hung x"; do
		P 3 -t 0.1s $c; in_time 100
		has "$stderr" 'the look was not answered: does the file system hang?'
	done
	# where another path says no there is an answer
	P 124 -t 0.2s file nope "$PWD/hung"; in_time 200
	P 3 -t 0.1s pid "@$PWD/hung"; in_time 650
}

@test "a look that never comes back holds no descriptor of the caller's: \$( ) returns" {
	preload T_HANGS="$PWD/hung"
	mkfifo lock
	from=${EPOCHREALTIME/./}
	st=0
	got=$(exec 9<>lock; LD_PRELOAD=$TOOLS/preload.so waitfor -q -t 0.1s file "$PWD/hung" 2>&1 3>&- &
		p=$!
		sleep 0.05
		for f in $(pgrep -P "$p"); do ls -l "/proc/$f/fd" | grep -c -e lock -e pipe: || true; done
		wait "$p") || st=$?
	same 3 "$st"
	has "$got" 0
	hasnt "$got" 1$'\n'
	[ $(((${EPOCHREALTIME/./} - from) / 1000)) -lt 2000 ]
}

@test "a command that ignores SIGTERM, and what it started, are killed at the deadline" {
	W 124 -t 0.2s -- sh -c 'trap "" TERM; (trap "" TERM; echo $$ >pids; exec sleep 77) & echo $! >>pids; sleep 78'
	in_time 200
	for p in $(cat pids); do [ ! -e "/proc/$p" ] || grep -q zombie "/proc/$p/status"; done
}

@test "one last look at the deadline: what came true before it is not late" {
	server tcp 127.0.0.1 "$(quiet_port)" -
	kill -KILL "$server"; wait "$server" || true
	(sleep 0.3; exec "$TOOLS/helper" tcp 127.0.0.1 "$port" - >/dev/null 3>&-) 3>&- &
	echo $! >>.pids
	W 0 -i 1h -t 1s port "127.0.0.1:$port"
	at_least 1000
	in_time 1000
}

@test "SIGSTOP and SIGCONT: what came true meanwhile is found, though the time is up" {
	server tcp 127.0.0.1 "$(quiet_port)" -
	kill -KILL "$server"; wait "$server" || true
	bg sleep 60; s=$!
	bg waitfor -v -t 2s pid $s 2>err; p=$!
	until_is err
	kill -STOP $p; kill $s; wait $s || true
	bg waitfor -i 1h -t 1.5s port "127.0.0.1:$port" 2>err2; q=$!
	for ((i = 0; i < 500; i++)); do pgrep -P $q >/dev/null && break; sleep 0.01; done
	kill -STOP $q
	bg "$TOOLS/helper" tcp 127.0.0.1 "$port" - >/dev/null
	sleep 2.1; kill -CONT $p $q
	st=0; wait $p || st=$?
	same 0 "$st" "$(cat err)"
	st=0; wait $q || st=$?
	same 0 "$st" "$(cat err2)"
}

@test "a signal ends it by that signal, with the line and without its children" {
	for sig in TERM INT HUP USR1 ALRM; do
		st=0
		env --default-signal=$sig waitfor -t 20s -- sh -c 'echo $$ >pid; exec sleep 79' 2>err & p=$!
		until_is pid
		kill -$sig $p
		wait $p || st=$?
		same $((128 + $(kill -l $sig))) "$st"
		has "$(cat err)" "ended by SIG$sig after"
		[ ! -e "/proc/$(cat pid)" ] || grep -q zombie "/proc/$(cat pid)/status"
		rm pid
	done
	st=0
	waitfor -t 20s file nope 2>err & p=$!
	sleep 0.05; kill $p; wait $p || st=$?
	same 143 "$st"
}

@test "a reader of stderr that goes away ends it by SIGPIPE, and the command goes too" {
	for v in -v -q; do
		rm -f pid st
		(waitfor $v -t 20s -- sh -c 'echo $$ >pid; while echo x; do sleep 0.1; done; exec sleep 34' 2>&1 || echo $? >st) 3>&- | head -n 1
		until_is st
		same 141 "$(cat st)"
		[ ! -e "/proc/$(cat pid)" ] || grep -q zombie "/proc/$(cat pid)/status"
	done
	# and where nothing runs any more, as always
	slurm
	queue all '7 COMPLETED'
	(waitfor -q -t 20s job 7 || echo $? >st2) 3>&- | true
	[ ! -e st2 ] || same 141 "$(cat st2)"
}

@test "when it is killed by SIGKILL, the process that looks goes too" {
	waitfor -t 60s file nope 2>/dev/null & p=$!
	for ((i = 0; i < 100; i++)); do
		child=$(pgrep -P $p) && break
		sleep 0.02
	done
	kill -KILL $p; wait $p || true
	for ((i = 0; i < 100; i++)); do
		[ -e "/proc/$child" ] && ! grep -q zombie "/proc/$child/status" || return 0
		sleep 0.02
	done
	return 1
}

@test "storms of signals and of EINTR change nothing" {
	preload T_EINTR=1
	: >there
	(sleep 0.2; : >soon) 3>&- &
	P 0 -t 5s file there soon
	P 124 -t 0.2s file nope
	printf 'a\nb\n' >log
	P 0 -t 5s log log b
	P 124 -t 0.2s log log c
	P 0 -t 5s -- true
	P 124 -t 0.2s port 1
	has "$stderr" 'waitfor: port 1: time is up after '
	sleep 0.2 3>&- &
	P 0 -t 5s pid $!
	T_EINTR='' server tcp 127.0.0.1 0 'HTTP/1.1 200 OK\r\n\r\n'
	P 0 -t 5s http "http://127.0.0.1:$port/"
	P 0 -t 5s port "127.0.0.1:$port"
	has "$stderr" 'came true'
	P 124 -t 0.2s socket nope
	slurm
	queue all '4711 COMPLETED'
	P 0 -t 5s job 4711
	same $'4711\tCOMPLETED\t0:0' "$output"
	unset T_EINTR
	waitfor -t 0.5s file nope 2>/dev/null 3>&- & p=$!
	while kill -CHLD $p 2>/dev/null; do for c in $(pgrep -P $p); do kill -CHLD "$c" 2>/dev/null || true; done; done
	st=0; wait $p || st=$?
	same 124 "$st"
}

@test "the wall clock may jump: only the monotonic one counts" {
	preload T_WALL=1
	(sleep 0.3; : >soon) 3>&- &
	P 0 -t 5s file soon
	at_least 250
	in_time 300
	P 124 -t 0.3s file nope
	at_least 300
	in_time 300
	export SLURM_JOB_END_TIME=$(($(date +%s) + 3))
	sleep 0.3 3>&- &
	P 0 -t 5s pid $!
}

@test "a thousand waiters at once all come to their end" {
	needs_helper
	sleep 600 3>&- & s=$!
	"$TOOLS/helper" many 800 waitfor -q -t 600s pid $s >first 3>&- & a=$!
	"$TOOLS/helper" many 200 waitfor -q -t 600s file go >second 3>&- & b=$!
	until_is first; until_is second
	kill $s
	: >go
	wait $a
	wait $b
}

@test "stderr that nobody reads does not hold it up" {
	mkfifo full
	exec 7<>full
	dd if=/dev/zero of=full bs=4096 count=16 oflag=nonblock 2>/dev/null || true
	from=${EPOCHREALTIME/./}
	st=0; waitfor -v -t 0.2s -- sh -c 'yes | head -c 100000; exit 1' 2>full || st=$?
	same 124 "$st"
	[ $(((${EPOCHREALTIME/./} - from) / 1000)) -lt 2200 ]
}

# ---- -w

@test "-w: the process ends, and it gives up at once with 1" {
	sleep 0.2 & p=$!
	W 1 -t 20s -w $p port 1
	in_time 200
	[[ $stderr == "waitfor: port 1: gave up after "*" s: process $p (-w) has ended" ]]
	# what its last breath made true is told, and stays 1
	(sleep 0.2; : >answer) 3>&- & p=$!
	W 1 -t 20s -i 10s -w $p -- test -e answer
	in_time 200
	[[ $stderr == "waitfor: -- test -e answer: gave up after "*" s: process $p (-w) has ended; it came true all the same" ]]
	W 1 -t 20s -w $p file answer
	[[ $stderr == "waitfor: file answer: gave up after "*" s: process $p (-w) has ended; it came true all the same" ]]
	true & p=$!
	wait $p
	echo $$ >pids
	W 1 -t 5s -w $p pid @pids
	W 1 -t 5s -w $p -- sleep 33
	W 2 -t 5s -w $p -- no-such-command
	W 1 -t 20s -w $p file nope
	in_time 0
	W 2 -t 1s -w 999999999999x file nope
}

@test "-w: came true, but the process has ended: 1" {
	true & p=$!
	wait $p
	: >there
	W 1 -t 1s -w $p file there
	W 0 -t 1s -w $$ file there
	W 1 -t 1s -w $p pid 2147483647
	# it ends when the condition comes true: that is no success
	W 1 -t 5s -w $p -- true
}

@test "-w: a zombie has ended, thread ids are refused" {
	server zombie
	W 1 -t 5s -w "$port" file nope
	server threads
	W 2 -t 5s -w "$port" file nope
	has "$stderr" "$port is a thread of process $server"
}
