#!/usr/bin/env bats
# waitfor: files and processes; servers, logs and commands are in waitfor-servers.bats, what it needs of Slurm in waitfor-job.bats and waitfor-ids.bats
load waitfor/helper

# ---- files

# bats test_tags=smoke
@test "file: every path exists, of any kind; a link to nothing does not" {
	: >f; mkdir d; mkfifo p; ln -s nowhere l; ln -s f m
	W 0 -t 1s file f d p m /dev/null
	in_time 0
	W 124 -t 0 file f l
	has "$stderr" 'l does not exist'
	W 124 -t 0 file f/below
}

@test "file: comes true at once when the last of them is there, also in directories made meanwhile" {
	(sleep 0.2; : >a; mkdir -p x/y; sleep 0.1; : >x/y/z) 3>&- &
	W 0 -t 10s "${seldom[@]}" file a x/y/z
	at_least 250
	in_time 300
}

@test "file: a client that believes in its absence is told by reading the directory, every 5 s at most" {
	preload T_SPEED=10 T_STALE="$PWD/f"
	(sleep 0.2; : >f) 3>&- &
	P 0 -t 1m file "$PWD/f"
	at_least 400
	in_time 1000
	P 0 -t 0 file "$PWD/f"
	# its directory is not there either
	export T_STALE="$PWD/d"
	(sleep 0.2; mkdir d; : >d/f) 3>&- &
	P 0 -t 1m file "$PWD/d/f"
	at_least 400
	in_time 1000
}

@test "file: what vanishes between two looks is not there" {
	(sleep 0.1; : >a; sleep 0.1; rm a; : >b) 3>&- &
	W 124 -t 0.6s file a b
	has "$stderr" 'a does not exist'
}

@test "file: a directory in which very much changes holds nothing up" {
	mkdir noise
	for i in 1 2; do bg sh -c 'while :; do echo >noise/a; echo >noise/b; mv noise/a noise/c; done'; done
	W 124 -t 0.5s file noise/nope
	in_time 500
	(sleep 0.3; : >noise/there) 3>&- &
	W 0 -t 20s file noise/there
	in_time 1000
	preload T_NOISE=1
	P 124 -t 0.5s file noise/nope
	in_time 500
}

@test "file -s: at least that size, of a regular file" {
	printf 12345 >f; mkdir d; mkfifo p
	W 0 -t 0 -s 5 file f
	W 0 -t 0 -s 0 file f
	W 124 -t 0 -s 6 file f
	has "$stderr" 'f has 5 of 6 bytes'
	W 124 -t 0 -s 1K file f
	has "$stderr" 'of 1024 bytes'
	W 124 -t 0.1s -s 1 file d; has "$stderr" 'd is a directory'
	W 124 -t 0.1s -s 1 file p; has "$stderr" 'p is a FIFO'
	W 124 -t 0.1s -s 1 file /dev/zero; has "$stderr" '/dev/zero is a device'
	(sleep 0.2; printf 6 >>f) 3>&- &
	W 0 -t 5s "${seldom[@]}" -s 6 file f
	in_time 200
}

@test "file --stable: unchanged for that long, counted anew at each change" {
	: >f
	(for i in 1 2 3; do sleep 0.2; echo >>f; done) 3>&- &
	W 0 -t 10s --stable 0.5s file f
	at_least 1000
	in_time 1200
	touch -d 2020-01-01 f
	(for i in 1 2 3; do sleep 0.2; touch -d 2020-01-01 f; done) 3>&- &	# as long and as old as before
	W 0 -t 10s --stable 0.5s file f
	at_least 1000
	in_time 1200
	W 124 -t 0.2s --stable 0.5s file f
	W 124 -t 0 --stable 0.5s file f
	W 0 -t 0 --stable 0 file f
}

@test "file --newer: modified after FILE, by the server's clock alone; a missing FILE is 2" {
	: >ref; touch -d '2020-01-01' old; touch -d '2030-01-01' new
	W 124 -t 0 --newer ref file old
	has "$stderr" 'old is not newer than ref'
	W 0 -t 0 --newer ref file new
	W 124 -t 0 --newer ref file ref
	W 2 -t 5s --newer missing file new
	(sleep 0.2; touch old) 3>&- &
	W 0 -t 5s --newer ref file old
}

# as_nobody: a directory in $open that a user without rights reaches, with the tool in it; $as runs as that user
as_nobody() {
	[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || skip 'root makes it a user without rights'
	open=$(mktemp -d /tmp/waitfor.XXXXXX)
	chmod 755 "$open"
	cp "$1/waitfor" "$open"
	as=(setpriv --reuid 65534 --regid 65534 --clear-groups "$open/waitfor")
}

@test "a directory that may not be entered on the way: 3; a file that may not be opened exists" {
	as_nobody "$BIN"
	mkdir -m 700 "$open/shut"; : >"$open/shut/f"; echo x >"$open/secret"; chmod 000 "$open/secret"
	is 3 "${as[@]}" -t 0.1s file "$open/shut/f"
	has "$stderr" 'could not find out'
	has "$stderr" 'Permission denied'
	is 3 "${as[@]}" -t 0.1s gone "$open/shut/f"
	is 0 "${as[@]}" -t 0 -s 2 file "$open/secret"
	is 3 "${as[@]}" -t 0.1s log "$open/secret" x
	is 124 "${as[@]}" -t 0.1s pid 1	# EPERM is alive
}

@test "pid: EPERM is alive, and a process that cannot be seen in /proc has not ended" {
	unshare --pid --fork --mount --mount-proc true 2>/dev/null || skip 'no pid namespaces here'
	[ -n "$(plain)" ] || skip 'no compiler'
	as_nobody "$(plain)"
	is 0 unshare --pid --fork --mount --mount-proc bash -c '
		as=(setpriv --reuid 65534 --regid 65534 --clear-groups "$1")
		sleep 30 & s=$!
		status=0; "${as[@]}" -t 0.2s pid $s || status=$?
		[ $status = 124 ] || exit 3
		mount -o remount,hidepid=2 /proc || exit 0
		status=0; "${as[@]}" -t 0.2s pid $s || status=$?
		[ $status = 124 ] || exit 4
		kill $s; wait $s
		"${as[@]}" -t 5s pid $s' - "$open/waitfor"
}

# bats test_tags=smoke
@test "gone: none of the paths is there, a dangling link is" {
	W 0 -t 0 gone nope no/where
	ln -s nowhere l
	W 124 -t 0 gone nope l
	has "$stderr" 'l is still there'
	(sleep 0.2; rm l) 3>&- &
	W 0 -t 5s "${seldom[@]}" gone l
	in_time 200
}

# ---- processes

@test "pid: every process has ended; one that never was has" {
	sleep 0.2 & a=$!
	sleep 0.4 & b=$!
	W 0 -t 10s pid $a $b
	at_least 350
	in_time 400
	W 0 -t 1s pid $a 2147483647
	W 124 -t 0.1s pid $a $$
	has "$stderr" "$$ still there, 1 of 2"
}

@test "pid, group: what was not there at the start is said, unless -q; the status is that of what has ended" {
	local gone=2147483647 how a
	true & local reaped=$!
	wait $reaped
	for how in '' "$(plain)"; do
		local PATH=${how:+$how:}$PATH
		W 0 -t 1s pid $gone
		same "waitfor: pid $gone: there was no such process at the start" "${stderr_lines[0]}"
		[[ ${stderr_lines[1]} == "waitfor: pid $gone: came true after "*" s" ]]
		same 2 "${#stderr_lines[@]}"
		W 0 -t 1s pid $reaped
		has "$stderr" 'there was no such process at the start'
		W 0 -t 1s group $gone
		same "waitfor: group $gone: there was no such process group at the start" "${stderr_lines[0]}"
		W 0 -q -t 1s pid $gone
		same '' "$stderr"
		W 0 -q -t 1s group $gone
		same '' "$stderr"
		# at the start, and once, where others are waited for
		W 124 -t 0 pid $$ $gone
		same "waitfor: pid $$ $gone: there was no such process at the start: $gone, 1 of 2" "${stderr_lines[0]}"
		{ echo $$; seq 2147483000 2147483009; } >stale
		W 124 -t 0 pid @stale
		same "waitfor: pid @stale: there was no such process at the start: 2147483000 2147483001 2147483002 2147483003 2147483004 ..., 10 of 11" "${stderr_lines[0]}"
		echo $gone >stale
		W 0 -v -t 1s pid @stale
		has "$stderr" "waitfor: pid @stale: there was no such process at the start: $gone, 1 of 1"
		# that it is there, and then not, or is a zombie, is another thing
		bg sleep 60
		a=$!
		rm -f .err
		{ until_is .err; kill $a; } 3>&- &
		W 0 -v -t 1m pid $a
		hasnt "$stderr" 'no such process'
		server zombie
		W 0 -t 1s pid "$port"
		same 1 "${#stderr_lines[@]}"
	done
}

@test "a number that no process can have is 2, wherever a process is named" {
	local n
	for n in 2147483648 4294967297 99999999999 18446744073709551617; do
		W 2 -t 1s pid 2147483647 $n
		refused
		same "waitfor: pid '$n': no process can have this number: 2147483647 is the highest" "$stderr"
		W 2 -t 1s group $n
		refused
		W 2 -t 1s -w $n file nope
		refused
		has "$stderr" "waitfor: -w '$n': no process can have this number"
		printf '%s\n' $$ $n >pids
		W 2 -t 1s pid @pids
		refused
		has "$stderr" "waitfor: @pids '$n': no process can have this number"
	done
	W 0 -t 1s pid 0002147483647
	W 2 -t 1s pid 0
}

@test "pid: a zombie has ended; a thread's number is refused; its own is too" {
	server zombie
	W 0 -t 1s pid "$port"
	server threads
	W 2 -t 1s pid "$port"
	has "$stderr" "$port is a thread of process $server: name the process"
	st=0; sh -c 'exec waitfor -t 1s pid $$' 2>err || st=$?
	same 2 "$st"
}

@test "pid @FILE: the numbers in it; a missing file, another kind, other text are 2" {
	sleep 0.2 & echo $! >pidfile
	W 0 -t 5s pid @pidfile
	in_time 200
	printf '%s\n%s\n' 2147483646 $$ >two
	W 124 -t 0 pid @two
	: >empty; echo 12x >text; echo -5 >minus; mkfifo fifo; mkdir dir
	for f in missing empty text minus fifo dir; do
		W 2 -t 5s pid @$f
		in_time 0
		has "$stderr" "waitfor: pid @$f: "
	done
	# many, and one that is none behind them
	seq 2147470000 2147479999 >many
	W 0 -t 5s pid @many
	echo $$ >>many
	W 124 -t 0 pid @many
	has "$stderr" "$$ still there, 1 of 10001"
	echo x >>many
	W 2 -t 5s pid @many
	has "$stderr" 'process numbers, and nothing else, were expected in it'
	seq 1000000 1600000 >long
	W 2 -t 5s pid @long
	same 'waitfor: pid @long: it is longer than 1048574 bytes' "$stderr"
	printf '%05000d\n' 1 >zeros
	W 2 -t 5s pid @zeros
}

@test "pid: more processes than descriptors" {
	bg sleep 60
	a=$!
	for ((i = 0; i < 200; i++)); do echo $a; done >many
	export SLURM_JOB_ID=21
	slurm
	echo '21|RUNNING|3:20' >fake/squeue.all
	rm -f .err
	{ until_is .err; kill $a; } 3>&- &	# it ends when the warning is there
	ulimit -n 64
	W 0 -t 10m pid @many
	has "$stderr" '-t 10m is longer than what the job has left'
}

@test "pid: a number used again by another process is no longer the one that was waited for" {
	unshare --pid --fork --mount-proc true 2>/dev/null || skip 'no pid namespaces here'
	for how in "$BIN" "$(plain)"; do
		[ -n "$how" ] || continue
		is 0 env "W=$how/waitfor" unshare --pid --fork --mount-proc bash -c '
			sleep 50 & first=$!
			"$W" -v -i 0.3s -t 8s pid $first 2>begun & w=$!
			until [ -s begun ]; do sleep 0.01; done
			sleep 0.05	# /proc tells starts apart by 10 ms
			kill $first; wait $first
			for ((i = 0; i < 200; i++)); do
				echo $((first - 1)) >/proc/sys/kernel/ns_last_pid
				sleep 51 & second=$!
				[ $second != $first ] || break
				kill $second
			done
			[ $second = $first ] || exit 77
			wait $w'
		has "$(cat begun)" 'came true after '
		rm begun
	done
}

# the directory of a build without what Linux alone can do
plain() {
	command -v "${CC:-cc}" >/dev/null || return 0
	mkdir -p "$TOOLS/plain"
	# one that cannot be built is no reason to skip
	[ -x "$TOOLS/plain/waitfor" ] || (cd "$ROOT" && "${CC:-cc}" -std=c99 -O0 -DNO_LINUX -Ilib -o "$TOOLS/plain/waitfor" src/waitfor.c lib/*.c -lm) ||
		ln -s /bin/false "$TOOLS/plain/waitfor"
	echo "$TOOLS/plain"
}

@test "without pidfd and inotify everything holds too, a little later" {
	PATH=$(plain):$PATH
	[ -n "$(plain)" ] || skip 'no compiler'
	(sleep 0.2; : >a) 3>&- &
	W 0 -t 5s file a
	in_time 500
	sleep 0.2 & W 0 -t 5s pid $!
	in_time 200
	sleep 0.2 & p=$!
	W 1 -t 5s -w $p file nope
	in_time 300
	# between two looks: more is written, it is moved away, and there is a new one
	printf 'a\n' >log
	(sleep 0.4; echo 'last words' >>log; mv log log.1; echo new >log) 3>&- &
	W 0 -t 5s -i 1s log log 'last words'
	server zombie
	W 0 -t 1s pid "$port"
	server threads
	W 2 -t 1s pid "$port"
	server group
	W 124 -t 0.2s group "${port% *}"
	kill -KILL "${port#* }"
	W 0 -t 5s group "${port% *}"
}

@test "group: every process of it has ended; zombies have; its own group is refused" {
	setsid sh -c 'echo $$ >leader; sleep 0.2 & sleep 0.4 & exit 0' 3>&- &
	until_is leader
	W 0 -t 10s group "$(cat leader)"
	in_time 500
	server group
	W 124 -t 0.2s group "${port% *}"
	has "$stderr" "process ${port#* } is in it"
	kill -KILL "${port#* }"
	W 0 -t 5s group "${port% *}"
	W 0 -t 1s group 2147483647
	W 2 -t 1s group "$(ps -o pgid= $$ | tr -d ' ')"
	W 2 -t 1s group 0
}
