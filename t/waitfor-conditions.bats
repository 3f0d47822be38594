#!/usr/bin/env bats
# waitfor: files, processes, servers, logs, commands; what it needs of Slurm is in waitfor-job.bats and waitfor-ids.bats
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

# ---- port, socket, http

@test "port: not yet while nothing listens, then at once" {
	server tcp 127.0.0.1 "$(quiet_port)" -
	W 0 -t 5s port "$port"
	W 0 -t 5s port "127.0.0.1:$port"
	W 0 -t 5s port "localhost:$port"
	kill -KILL "$server"; wait "$server" || true
	W 124 -t 0.2s port "$port"
	has "$stderr" 'Connection refused'
	(sleep 0.3; exec "$TOOLS/helper" tcp 127.0.0.1 "$port" - >/dev/null 3>&-) 3>&- &
	echo $! >>.pids
	W 0 -t 10s port "$port"
	in_time 300
}

@test "port: a port that is bound and does not listen is not yet" {
	server bound 127.0.0.1
	W 124 -t 0.2s port "127.0.0.1:$port"
}

@test "port: IPv6 in brackets" {
	[ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6 || skip 'no IPv6 loopback'
	server tcp ::1 0 -
	W 0 -t 5s port "[::1]:$port"
	W 0 -t 5s port "$port"
	W 124 -t 0.1s port "127.0.0.1:$port"
}

@test "port: the first address of the name is dead: the next one is tried; a silent one holds nothing up" {
	preload T_NAME=service.test T_ADDRESSES='127.0.0.9 240.0.0.1 192.0.2.1 127.0.0.1'
	server tcp 127.0.0.1 0 'HTTP/1.0 200 OK\r\n\r\n'
	P 0 -t 5s port "service.test:$port"
	in_time 500
	P 0 -t 5s http "http://service.test:$port/"
	in_time 500
}

@test "port: a name that does not resolve yet is not yet" {
	W 124 -t 0.2s port no-such-host.invalid:80
	has "$stderr" 'does not resolve'
	preload T_NAME=service.test T_ADDRESSES=127.0.0.1 T_FILE="$PWD/resolves"
	server tcp 127.0.0.1 0 -
	(sleep 0.3; : >resolves) 3>&- &
	P 0 -t 10s port "service.test:$port"
	at_least 250
	in_time 400
}

@test "a name server that does not answer holds nothing up, and is not yet" {
	preload T_NAME=service.test T_ADDRESSES=never
	P 124 -t 0.3s port service.test:80
	in_time 300
	has "$stderr" 'service.test does not resolve: the resolver does not answer'
	P 124 -t 0 http http://service.test/
	in_time 0
	sleep 0.2 & p=$!
	P 1 -t 20s -w $p http http://service.test/
	in_time 200
}

@test "port: a connection that meets itself is nobody's" {
	command -v ip >/dev/null && unshare -n true 2>/dev/null || skip 'no network namespaces here'
	is 124 unshare -n sh -c 'ip link set lo up
		echo "40000 40001" >/proc/sys/net/ipv4/ip_local_port_range || exit 77
		exec waitfor -t 1s port 127.0.0.1:40000'
}

@test "socket: not there, not listening, not a socket: not yet; then at once" {
	needs_helper
	W 124 -t 0.1s socket s
	: >s
	W 124 -t 0.1s socket s
	rm s
	(sleep 0.2; exec "$TOOLS/helper" unix s 30 3>&-) 3>&- &
	echo $! >>.pids
	W 0 -t 10s "${seldom[@]}" socket s
	in_time 300
	mkdir -p "$(printf 'd%.0s' {1..120})"
	mv s d*/
	W 0 -t 1s socket d*/s
	W 2 -t 1s socket "$(printf 's%.0s' {1..300})"
}

@test "http: 2xx comes true, by GET; other answers are not yet" {
	export T_REQUESTS=1
	server tcp 127.0.0.1 0 'HTTP/1.1 204 No Content\r\n\r\n'
	W 0 -t 5s http "http://127.0.0.1:$port/health?x=1#part"
	same "GET /health?x=1 HTTP/1.1
Host: 127.0.0.1:$port
User-Agent: waitfor
Accept: */*
Connection: close" "$(tail -n +2 server.out | tr -d '\r' | sed '/^$/d')"
	W 124 -t 0.2s --status 200,201 http "http://127.0.0.1:$port"
	has "$stderr" 'the answer is 204'
	W 0 -t 5s --status 200,204 http "http://127.0.0.1:$port"
	for a in '404 Not Found' '500 x' '503 x' '301 Moved' '302 Found\r\nLocation: /'; do
		server tcp 127.0.0.1 0 "HTTP/1.1 $a"'\r\n\r\n'
		W 124 -t 0.15s http "http://127.0.0.1:$port/"
		has "$stderr" "the answer is ${a%% *}"
	done
	has "$stderr" 'a redirect'
	W 0 -t 5s --status 302 http "http://127.0.0.1:$port/"
	server tcp 127.0.0.1 0 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'
	W 0 -t 5s http "http://127.0.0.1:$port/"
	for a in 'SSH-2.0-OpenSSH\r\n' 'HTTP/1.1 2000 OK\r\n' 'HTTP/1.1 20' 'HTTP\n' '' 'HTTP/1.1200 200 200 200 \r\n'; do
		server tcp 127.0.0.1 0 "$a"
		W 124 -t 0.15s http "http://127.0.0.1:$port/"
	done
}

@test "http: a server that accepts and says nothing, and one that drips a byte at a time" {
	server tcp 127.0.0.1 0 -
	W 124 -t 0.5s http "http://127.0.0.1:$port/"
	in_time 500
	has "$stderr" 'it accepts and says nothing'
	server tcp 127.0.0.1 0 'HTTP/1.1 200 OK\r\n' 40
	W 0 -t 5s http "http://127.0.0.1:$port/"
	in_time 700
	server tcp 127.0.0.1 0 'HTTP/1.1 200 OK\r\n' 1000
	W 124 -t 0.5s http "http://127.0.0.1:$port/"
	in_time 500
}

@test "http: IPv6" {
	[ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6 || skip 'no IPv6 loopback'
	export T_REQUESTS=1
	server tcp ::1 0 'HTTP/1.1 200 OK\r\n\r\n'
	W 0 -t 5s http "http://[::1]:$port/"
	has "$(cat server.out)" "Host: [::1]:$port"
}

# ---- log

# bats test_tags=smoke
@test "log: a line matches, from the start of the file on, and while it grows" {
	printf 'one\ntwo\n' >log
	W 0 -t 0 log log '^t[v-x]o$'
	has "$stderr" "line 2: 'two'"
	W 124 -t 0.1s log log three
	has "$stderr" '2 lines read, none matches'
	(sleep 0.2; echo 'and three' >>log) 3>&- &
	W 0 -t 10s "${seldom[@]}" log log three
	in_time 200
	(sleep 0.2; echo late >later) 3>&- &
	W 0 -t 10s "${seldom[@]}" log later late
	in_time 200
}

# bats test_tags=smoke
@test "log: an escape that stands for its letter here is refused" {
	echo ready >l
	W 2 -t 1s log l '\d+'
	same "waitfor: log ERE '\\d+': \\d is the letter d in an extended regular expression: [0-9] was expected" "$stderr"
	W 2 -t 1s --fail 'x\t' log l x
	has "$stderr" "a TAB (\$'\\t' in bash) was expected"
	W 2 -t 1s log l '[^]\d]\D'
	W 0 -t 1s log l '[\d]y|[[:alpha:]\d]x|[]\d]'
	W 0 -t 1s log l '\w+\b|\.\(\\d'
}

@test "log: an expression that would take regcomp minutes or its stack is refused at once" {
	local ere
	echo aaa >l
	for ere in '(((a{1,200}){1,200}){1,200}){1,200}' "$(printf '(%.0s' {1..20000})x$(printf ')%.0s' {1..20000})" \
		'((a{1,255}){1,255}){1,12}' 'a{200}{200}{200}' '((a{,99}){,99}){,99}' 'n++++++++++' '(((((((((((a)+)+)+)+)+)+)+)+)+)+)+' '((a{200})){200}' '(a{200})*{200}' 'a{200}+{200}' "$(printf '(%.0s' {1..51})x$(printf ')%.0s' {1..51})" "$(printf 'a%.0s' {1..1001})"; do
		W 2 -t 5s log l "$ere"
		has "$stderr" 'too much: at most 1000 bytes, 50 parentheses in one another and 1000 repetitions'
		in_time 0
	done
	for ere in '((a{1,3}){1,3}|b{2}){1,2}' 'a{1,3}{1,3}|x\}{200}y{200}' "$(printf '(%.0s' {1..50})a$(printf ')%.0s' {1..50})" '[(]{0}a[{]{0}' '\({0}a{3,}'; do
		W 0 -t 5s log l "$ere"
	done
	# repeated parts that may be empty: few copies, little memory, and hours
	for ere in '((a*|b*)*|c?){500}' "a+++++++$(printf '?%.0s' {1..900})++" "$(printf '(%.0s' {1..45})a$(printf ')???%.0s' {1..36})$(printf ')+%.0s' {1..9})"; do
		W 2 -t 5s log l "$ere"
		same "waitfor: log ERE '$ere': regcomp() takes over a second, or all of its stack, for it: fewer repetitions of what may be empty were expected" "$stderr"
	done
	hash flushcheck
	is 2 flushcheck --done '((a|b*)*){500}' -o x -- true	# quicker without the groups' places, which flushcheck asks for
	(trap '' CHLD; W 0 -t 1s log l 'a+')
	W 2 -t 1s --fail '' log l x
	same "waitfor: --fail '': an empty expression matches every line" "$stderr"
}

@test "log: a line is whole: what stands without a newline counts only when it stands, or at the end" {
	printf 'READY' >log
	W 0 -t 0 log log '^READY$'
	(sleep 0.1; printf '%s\n' -NOT >>log) 3>&- &
	W 124 -t 1.2s log log '^READY$'
	printf 'DONE' >>log
	W 0 -t 10s log log '^DONE$'
	at_least 400
	in_time 600
}

@test "log --new: only what is written after the call" {
	printf 'ready\n' >log
	W 124 -t 0.2s --new log log ready
	(sleep 0.2; echo 'ready again' >>log) 3>&- &
	W 0 -t 5s --new log log ready
	has "$stderr" "'ready again'"
	(sleep 0.2; echo ready >log2) 3>&- &
	W 0 -t 5s --new log log2 ready
}

@test "log --fail: a line that makes it 1 at once, whichever comes first" {
	printf 'start\nError: no GPU\nready\n' >log
	W 1 -t 5s --fail '^Error' log log ready
	[[ $stderr == 'waitfor: log log ready: can never come true after '*" s: line 2 matches --fail: 'Error: no GPU'" ]]
	printf 'ready\nError\n' >log
	W 0 -t 5s --fail '^Error' log log ready
	printf 'ready or Error\n' >log
	W 1 -t 5s --fail Error log log ready
}

@test "log: rotated, truncated, copied and truncated, written anew" {
	printf 'a\nb\n' >log
	(sleep 0.2; echo 'last words' >>log; mv log log.1; echo new >log) 3>&- &
	W 0 -t 5s log log 'last words'
	printf 'a\nb\n' >log
	(sleep 0.2; mv log log.1; sleep 0.1; echo new >log) 3>&- &
	W 0 -t 5s log log new
	printf 'a\nb\nc\nd\n' >log
	(sleep 0.2; : >log; sleep 0.1; echo x >>log) 3>&- &
	W 0 -t 5s log log x
	printf 'aaaa\n' >log
	(sleep 0.2; printf 'hit\nbbbbbbbbbbbbbbbb\n' >log) 3>&- &
	W 0 -t 5s log log hit
	(sleep 0.2; rm log; sleep 0.1; echo back >log) 3>&- &
	W 0 -t 5s log log back
}

@test "log: a FIFO, a device, a directory are not read; NUL, CR, no end of line and long lines are" {
	mkfifo p; mkdir d
	W 124 -t 0.2s log p x; has "$stderr" 'p is a FIFO'
	W 124 -t 0.2s log d x; has "$stderr" 'd is a directory'
	W 124 -t 0.2s log /dev/zero x; has "$stderr" '/dev/zero is a device'
	printf 'a\0b ready\r\n' >log
	W 0 -t 0 log log 'ready$'
	head -c 3000000 /dev/zero | tr '\0' x >log
	printf ' tail\nnext\n' >>log
	W 0 -t 5s log log '^next$'
	W 0 -t 5s log log '^xxx'
	W 124 -t 0.2s log log 'tail'
	hasnt "$(printf 'a\e[31mb\n' >log; waitfor -t 0 log log b 2>&1)" $'\e'
}

# ---- a command

@test "--: the command exits 0; stdin is /dev/null, its stdout goes to stderr" {
	W 0 -t 5s -- sh -c 'cat; echo said; echo too >&2'
	same '' "$output"
	has "$stderr" said
	has "$stderr" too
	(sleep 0.3; : >there) 3>&- &
	W 0 -t 5s -- test -e there
	in_time 400
	W 124 -t 0.2s -- sh -c 'exit 7'
	has "$stderr" 'the command ended with 7'
	W 124 -t 0.2s -- sh -c 'kill -SEGV $$'
	has "$stderr" 'the command was killed by signal 11'
}

@test "--: a command that cannot be run or is not found is 2 at once" {
	: >plainfile
	for c in no-such-command ./plainfile 'sh -c no-such-command' "sh -c exit\ 126"; do
		eval "W 2 -t 20s -- $c"
		in_time 0
	done
}

@test "--: an attempt is bounded by what is left" {
	W 124 -t 0.3s -- sleep 60
	in_time 300
}

@test "--: what the command detached by setsid is left alone, the rest of its group is not" {
	W 0 -t 5s -- sh -c 'setsid sleep 71 >/dev/null 2>&1 & echo $! >far; sleep 72 >/dev/null 2>&1 & echo $! >near; sleep 0.1'
	in_time 200
	kill -0 "$(cat far)"
	kill -KILL "$(cat far)"
	[ ! -e "/proc/$(cat near)" ] || grep -q zombie "/proc/$(cat near)/status"
	# one that forks, detaches and keeps its output open does not hold the wait
	W 0 -t 20s -- sh -c 'setsid sleep 73 & echo $! >far'
	in_time 0
	kill -KILL "$(cat far)"
}

@test "--: the command gets no descriptor of ours but three" {
	needs_helper
	is 0 "$TOOLS/helper" exec 9 waitfor -t 5s -- sh -c 'ls /proc/self/fd'
	same "0 1 2 3" "$(grep -x '[0-9]*' <<<"$stderr" | tr '\n' ' ' | sed 's/ $//')" # 3 is what ls reads
}

@test "ignored SIGCHLD and ten descriptors are enough" {
	: >f
	is 0 bash -c 'for fd in {3..20}; do eval "exec $fd>&-"; done; ulimit -n 12; trap "" CHLD; waitfor -t 5s -- true && waitfor -t 5s file f'
}
