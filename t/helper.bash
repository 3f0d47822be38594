# helper.bash - what every test file loads. BIN chooses what is tested: bin, bin/one, a sanitizer build, an installed tree.
bats_require_minimum_version 1.5.0

ROOT=$(cd "$BATS_TEST_DIRNAME" && while [ ! -f Makefile ]; do cd .. || exit; done && pwd)
BIN=${BIN:-$ROOT/bin}
case $BIN in /*) ;; *) BIN=$ROOT/$BIN ;; esac

setup() {
	local name
	cd "$BATS_TEST_TMPDIR" || return
	PATH=$BIN:$PATH
	for name in $(compgen -e | grep -E '^(SLURM|SBATCH|SQUEUE|SACCT|SINFO|CUDA|ROCR|HIP|ZE)_'); do unset "$name"; done
}

# is STATUS CMD...: runs CMD; fails unless it ends with exactly STATUS. Then $output is its stdout, $stderr its stderr.
is() {
	local want=$1
	shift
	run --separate-stderr "-$want" "$@"
}

# same WANT GOT [WHAT]: fails, showing both, unless the two texts are equal
same() {
	[ "$1" = "$2" ] && return
	printf '%s\nwant: %s\n got: %s\n' "${3-}" "$1" "$2" >&2
	return 1
}

# has TEXT PART: fails unless TEXT contains PART
has() {
	case $1 in *"$2"*) return ;; esac
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
