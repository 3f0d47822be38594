# helper.bash - for the tests of waitfor
# shellcheck disable=SC2013,SC2034,SC2163    # the tests use what is set here
load helper

setup_file() {
	export TOOLS=$BATS_FILE_TMPDIR
	if command -v "${CC:-cc}" >/dev/null; then
		(cd "$ROOT/t/waitfor" && "${CC:-cc}" -O1 -o "$TOOLS/helper" helper.c -pthread && "${CC:-cc}" -O1 -shared -fPIC -o "$TOOLS/preload.so" preload.c -ldl) ||
			rm -f "$TOOLS/helper" "$TOOLS/preload.so"
	fi
	cat >"$TOOLS/fake" <<-'END'
		#!/bin/sh
		# the Nth call prints NAME.N, else NAME.all; .err goes to stderr, .rc is the status
		d=${0%/*} name=${0##*/} n=0
		[ ! -e "$d/$name.n" ] || read -r n <"$d/$name.n"
		n=$((n + 1))
		echo "$n" >"$d/$name.n"
		echo "$*" >>"$d/$name.calls"
		show() { while IFS= read -r line; do printf '%s\n' "$line"; done; }
		f=$d/$name.$n
		[ -e "$f" ] || [ -e "$f.err" ] || f=$d/$name.all
		[ ! -e "$f.err" ] || show <"$f.err" >&2
		[ ! -e "$f" ] || show <"$f"
		[ ! -e "$f.rc" ] || { read -r rc <"$f.rc"; exit "$rc"; }
	END
	chmod +x "$TOOLS/fake"
}

# is STATUS CMD...: as in helper.bash, but without what makes many cases slow: `run` with its many processes, and bats'
# trap before each command of a function
is() {
	local want=$1 got=0
	set +T
	shift
	"$@" >.out 2>.err </dev/null || got=$?
	IFS= read -r -d '' output <.out || true
	IFS= read -r -d '' stderr <.err || true
	output=${output%$'\n'} stderr=${stderr%$'\n'}
	mapfile -t stderr_lines <.err
	[ "$got" != "$want" ] || return 0
	printf 'status %s, not %s: %s\n%s\n' "$got" "$want" "$*" "$stderr" >&2
	return 1
}

# what was started by bg ends with the test; and no waitfor of this test is left, nor what it started
teardown() {
	local pid i left
	[ -z "${open-}" ] || rm -rf "$open"
	for pid in $(cat "$BATS_TEST_TMPDIR/.pids" 2>/dev/null); do kill -KILL "$pid" 2>/dev/null || true; done
	for ((i = 0; i < 100; i++)); do
		left=$(grep -lsz "^MARK=$BATS_TEST_TMPDIR$" /proc/[0-9]*/environ | cut -d/ -f3 | while read -r pid; do
			[ "$(cat "/proc/$pid/comm" 2>/dev/null)" != waitfor ] || echo "$pid"
		done)
		[ -n "$left" ] || return 0
		sleep 0.02
	done
	echo "left behind: $left" >&2
	return 1
}

# bg CMD...: in the background, its pid in $!
bg() {
	"$@" 3>&- &
	echo $! >>"$BATS_TEST_TMPDIR/.pids"
}

# until_is FILE: waits until FILE has something in it
until_is() {
	local i
	for ((i = 0; i < 500; i++)); do
		[ ! -s "$1" ] || return 0
		sleep 0.01
	done
	echo "$1 never came" >&2
	return 1
}

# W STATUS ARG...: waitfor ARG... ends with STATUS; $ms is how long it took
W() {
	local from=${EPOCHREALTIME/./}
	local -x MARK=$BATS_TEST_TMPDIR
	is "$1" waitfor "${@:2}"
	ms=$(((${EPOCHREALTIME/./} - from) / 1000))
}

needs_helper() { [ -x "$TOOLS/helper" ] || skip 'no compiler for the helper of this test'; }

# preloaded NAME=VALUE... : what the next W runs under
preload() {
	[ -e "$TOOLS/preload.so" ] || skip 'no compiler for the preload of this test'
	if ! ldd "$BIN/waitfor" 2>/dev/null | grep -q 'libc\.so\.6' || grep -q __asan_init "$BIN/waitfor"; then
		skip 'a preload needs the plain dynamic build'
	fi
	export "$@"
}
P() {
	local from=${EPOCHREALTIME/./}
	local -x MARK=$BATS_TEST_TMPDIR
	is "$1" env LD_PRELOAD="$TOOLS/preload.so" waitfor "${@:2}"
	ms=$(((${EPOCHREALTIME/./} - from) / 1000))
}

# server NAME ARG...: helper ARG... in the background; $port is what it printed
server() {
	needs_helper
	rm -f server.out
	bg "$TOOLS/helper" "$@" >server.out 2>server.err
	server=$!
	until_is server.out
	port=$(head -n 1 server.out)
}

# quiet_port: one below those that the kernel gives out: once it is free, no test beside this one gets it
quiet_port() { echo $((10000 + $$ % 20000)); }

# in_time LIMIT: it was over within LIMIT ms, the second that waitfor may be late, and what this machine takes for some
# processes just now
in_time() {
	local took=$ms from=${EPOCHREALTIME/./} busy i
	[ "$took" -ge $(($1 + 1300)) ] || return 0
	for i in 1 2 3 4 5; do waitfor -q -t 1s -- true; done
	busy=$(((${EPOCHREALTIME/./} - from) / 1000))
	[ "$took" -lt $(($1 + 1300 + 4 * busy)) ] || { echo "took $took ms, and the machine $busy" >&2; return 1; }
}

# at_least MS: it was not over sooner
at_least() { [ "$ms" -ge "$1" ] || { echo "took only $ms ms" >&2; return 1; }; }

# ---- Slurm: fakes that print what real ones did

# slurm: a squeue and a sacct in ./fake, on PATH; what they print is put into fake/squeue.all and so on
slurm() {
	set +T
	mkdir -p fake
	cp "$TOOLS/fake" fake/squeue
	cp "$TOOLS/fake" fake/sacct
	PATH=$PWD/fake:$PATH
	echo 'JobID|JobIDRaw|State|ExitCode|Partition|Submit|NodeList|End' | tr '|' '\037' >fake/sacct.all
}

# queue NAME ROW...: what a call of squeue prints; ROW is ID STATE [REASON]
queue() {
	local name=$1 row id state reason raw node
	shift
	for row; do
		read -r id state reason <<<"$row"
		raw=${id%%[_+]*} node=cn1
		case $state in PENDING) node= ;; esac
		echo "$id|$raw|$state|2026-11-29T17:20:41|$node|${reason:-None}"
	done >"fake/squeue.$name"
}

# acct NAME ROW...: what a call of sacct prints; ROW is ID STATE EXIT [PARTITION [SUBMIT [NODES [END]]]], - for nothing, + for a
# blank in STATE
acct() {
	local name=$1 row id state code part submit nodes end
	shift
	{
		echo 'JobID|JobIDRaw|State|ExitCode|Partition|Submit|NodeList|End'
		for row; do
			read -r id state code part submit nodes end <<<"$row"
			[ "$part" != - ] || part=''
			[[ $id == *.* ]] || part=${part-cpu}
			echo "$id|${id//[_+]*/}|${state//+/ }|$code|${part}|${submit:-2026-11-29T17:20:41}|${nodes:-cn1}|${end:-2026-11-29T17:20:50}"
		done
	} | tr '|' '\037' >"fake/sacct.$name"
}

gone() { # NAME: as squeue says it of one id that is no more
	: >"fake/squeue.$1"
	echo 'slurm_load_jobs error: Invalid job id specified' >"fake/squeue.$1.err"
	echo 1 >"fake/squeue.$1.rc"
}

# calls NAME: how often it was called; a fake that writes the number just now is waited for
calls() {
	local n='' i
	for ((i = 0; i < 100; i++)); do
		[ -e "fake/$1.n" ] || { echo 0; return; }
		n=$(cat "fake/$1.n")
		[ -z "$n" ] || break
	done
	echo "$n"
}
afresh() { rm -f fake/*.calls fake/*.n; }

# looks so seldom that what is noticed at once is noticed by a hint, which Linux alone gives
seldom=(-i 5s)
[ "${CHECK_BUILD-}" != nolinux ] || seldom=()
