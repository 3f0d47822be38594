# offenders.bash - for tests of a rule over every tool: who breaks it is blamed, and in the end there is to be none
# shellcheck shell=bash

tools() {
	local file
	for file in "$ROOT"/src/*.c; do
		file=${file##*/}
		printf '%s\n' "${file%.c}"
	done
}

offenders=
blame() { offenders+="$*"$'\n'; }
blame_if() { [ -z "$1" ] || blame "$1"; }	# blame_if TEXT: unless there is none
none() { [ -z "$offenders" ] || { printf '%s' "$offenders" >&2; return 1; }; }
