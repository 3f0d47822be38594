# helper.bash - for the tests of flushcheck
load helper

setup_file() {
	${CC:-cc} -O -o "$BATS_FILE_TMPDIR/writer" "$ROOT/t/flushcheck/writer.c"
	PYTHON=$(python3 -c 'import sys; print(sys.executable)' || true)
	export PYTHON
	unset PYTHONUNBUFFERED
}

# what a test that failed has left running
teardown() {
	[ -z "${n-}" ] || pkill -xf -- "sleep $n" || true
}

# column NAME: sets $it to that column of the first line of $output
column() {
	local names=(path verdict records bytes first_s gap_s at50 at90 at99 torn run_s announced after lost redone left_out) i values
	IFS=$'\t' read -r -a values <<<"${output%%$'\n'*}"
	same 16 ${#values[@]} "columns of $output"
	for i in "${!names[@]}"; do
		if [ "${names[i]}" = "$1" ]; then it=${values[i]}; return; fi
	done
	return 1
}

# row NAME=VALUE...: fails unless these columns are so
row() {
	local pair
	for pair; do
		column "${pair%%=*}"
		same "${pair#*=}" "$it" "column ${pair%%=*} of $output; $stderr" || return
	done
}

# running ARGS: how many processes have exactly these
running() {
	pgrep -cxf -- "$1" || true
}

# soon CMD...: waits until it succeeds, for 10 s
soon() {
	local i
	for ((i = 0; i < 500; i++)); do "$@" && return; sleep 0.02; done
	return 1
}

w() { echo "$BATS_FILE_TMPDIR/writer"; }
python() { [ -n "$PYTHON" ] || skip 'no python3'; }

# a process that took a session of its own is found as its subreaper's child
needs_linux() { [ "${CHECK_BUILD-}" != nolinux ] || skip 'Linux alone has subreapers'; }
