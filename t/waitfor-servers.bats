#!/usr/bin/env bats
# waitfor: servers, logs, commands
load waitfor/helper

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
	for a in 'SSH-2.0-OpenSSH\r\n' 'HTTP/1.1 2000 OK\r\n' 'HTTP/1.1 20' 'HTTP/1.1 200\0OK\r\n' 'HTTP\n' '' 'HTTP/1.1200 200 200 200 \r\n'; do
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
	# repeated parts that may be empty: few copies, little memory, and hours to glibc (other libraries are quick, or refuse {500})
	if ldd "$(command -v waitfor)" 2>/dev/null | grep -q 'libc\.so\.6'; then
		for ere in '((a*|b*)*|c?){500}' "a+++++++$(printf '?%.0s' {1..900})++" "$(printf '(%.0s' {1..45})a$(printf ')???%.0s' {1..36})$(printf ')+%.0s' {1..9})"; do
			W 2 -t 5s log l "$ere"
			same "waitfor: log ERE '$ere': regcomp() takes over a second, or all of its stack, for it: fewer repetitions of what may be empty were expected" "$stderr"
		done
		hash flushcheck
		is 2 flushcheck --done '((a|b*)*){500}' -o x -- true	# quicker without the groups' places, which flushcheck asks for
	fi
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

@test "log --new: a log that is truncated and written anew, longer than it was, is new from its start on" {
	printf 'an old line\n' >log
	(sleep 0.2; printf 'ready, and more than there was\n' >log) 3>&- &
	W 0 -t 5s --new log log '^ready'
	has "$stderr" "line 1: 'ready, and more than there was'"
}

@test "log --new: what goes on a line that was there is not the beginning of one" {
	printf 'not ' >log
	(sleep 0.2; echo ready >>log) 3>&- &
	W 124 -t 0.7s --new log log '^ready'
	printf 'not ' >log
	(sleep 0.2; printf 'ready\nready\n' >>log) 3>&- &
	W 0 -t 5s --new log log '^ready'
	has "$stderr" "line 2: 'ready'"
	printf 'not ' >log
	(sleep 0.2; printf ready >>log) 3>&- &
	W 0 -t 5s --new log log 'ready$'
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
	wait	# for the mv
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
	W 124 -t 0.2s log log 'x$'
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
