# helper.bash - what every test file loads. BIN chooses what is tested: bin, a sanitizer build, the single files once compiled, an installed tree.
bats_require_minimum_version 1.5.0

ROOT=$BATS_TEST_DIRNAME
while [ ! -f "$ROOT/Makefile" ]; do ROOT=${ROOT%/*}; [ -n "$ROOT" ] || exit; done
BIN=${BIN:-$ROOT/bin}
case $BIN in /*) ;; *) BIN=$ROOT/$BIN ;; esac

setup() {
	local name
	cd "$BATS_TEST_TMPDIR" || return
	PATH=$BIN:$PATH
	for name in "${!SLURM_@}" "${!SBATCH_@}" "${!SQUEUE_@}" "${!SACCT_@}" "${!SINFO_@}" "${!CUDA_@}" "${!ROCR_@}" "${!HIP_@}" "${!ZE_@}"; do
		unset "$name"
	done
}

# is STATUS CMD...: runs CMD in a subshell; fails unless it ends with exactly STATUS. Then $output and $lines are its
# stdout, $stderr and $stderr_lines its stderr. Like bats' run, without what makes tables of cases slow: its many
# processes, and bats' trap before each command of a function.
is() {
	set +T
	run_quickly "$@" && set -T && return
	set -T
	return 1
}

run_quickly() {
	local want=$1 out=$BATS_TEST_TMPDIR/.stdout err=$BATS_TEST_TMPDIR/.stderr
	shift
	status=0
	("$@") >"$out" 2>"$err" || status=$?
	{ output=$(<"$out") stderr=$(<"$err"); } 2>/dev/null
	lines=() stderr_lines=()
	# shellcheck disable=SC2034    # for the tests
	IFS=$'\n' read -r -d '' -a lines <<<"$output" || true
	# shellcheck disable=SC2034    # for the tests
	IFS=$'\n' read -r -d '' -a stderr_lines <<<"$stderr" || true
	[ "$status" = "$want" ] && return
	printf 'status %s, not %s: %s\n%s\n' "$status" "$want" "$*" "$stderr" >&2
	return 1
}

# same WANT GOT [WHAT]: fails, showing both, unless the two texts are equal
same() {
	[ "$1" = "$2" ] && return
	printf '%s\nwant: %s\n got: %s\n' "${3-}" "$1" "$2" >&2
	return 1
}

# has TEXT PART: fails unless TEXT contains PART
has() {
	case $1 in *"$2"*) return 0 ;; esac
	printf 'not found: %s\n       in: %s\n' "$2" "$1" >&2
	return 1
}

# hasnt TEXT PART: fails where TEXT contains PART
hasnt() {
	case $1 in *"$2"*) printf 'found: %s\n   in: %s\n' "$2" "$1" >&2; return 1 ;; esac
}

# refused: stdout was empty and stderr is one line
refused() {
	same '' "$output" "stdout of a refusal" && same 1 "${#stderr_lines[@]}" "lines on stderr: $stderr"
}
