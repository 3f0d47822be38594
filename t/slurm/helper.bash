# helper.bash - for tests on the real cluster, which t/run-slurm has brought up. `as CMD...` is the test user's shell on
# the login node; $work is a directory of that user's, made for this test. $tag makes names of this run: what an earlier
# one left in accounting is other work.
load ../helper

setup() {
	local code
	code=$("$ROOT/t/cluster" env) || return
	eval "$code"
	tag=${tag:-$(date +%s | tr 0-9 a-j)}
	work=$(as mktemp -d "work.XXXXXX") && work=$(as realpath "$work")
}

as() {
	"$ROOT/t/cluster" as butest "$@"
}

# here CODE [ARG...]: bash code of the test user, in $work, as a script of theirs would run; it has $tag
here() {
	local code="tag=$tag; $1"
	shift
	# shellcheck disable=SC2016    # expanded by that bash
	as bash -c 'cd "$1" || exit; shift; eval "set -euo pipefail; $1"' bash "$work" "$code" "$@"
}

# campaign: the files of the examples, in $work
campaign() {
	install -o butest -m 644 "$ROOT"/share/examples/grid "$ROOT"/share/examples/array.sbatch "$ROOT"/share/examples/smoke.sbatch "$work"
	install -o butest -m 755 "$ROOT"/share/examples/cell.sh "$work"
}

# states ID N: id, state and exit code of every task, from accounting, when none is left in the queue and
# accounting has them all (N rows)
states() {
	local id=$1 n=$2 i rows=
	for ((i = 0; i < 300; i++)); do
		rows=$(as sacct -nXP -j "$id" -o JobID,State,ExitCode,JobName | grep -v 'allocation$' | sed 's/|[^|]*$//' | sort -t_ -k2n) || true
		if [ "$(grep -c . <<<"$rows")" = "$n" ] && ! grep -qE 'PENDING|RUNNING|COMPLETING' <<<"$rows"; then
			echo "$rows"
			return
		fi
		sleep 0.1
	done
	printf 'accounting never had %s finished rows of %s:\n%s\n' "$n" "$id" "$rows" >&2
	return 1
}

# ended NAME N [USER]: waits until accounting has N ended runs of that name, all attempts, and no step that still runs
ended() {
	local k rows
	for ((k = 0; k < 1000; k++)); do
		rows=$(as sacct -nDP -S now-1hours -u "${3:-butest}" --name "$1" -o JobID,State) || true
		[ "$(grep -v '^[^|]*\.' <<<"$rows" | grep -c -v -E '^$|PENDING|RUNNING|COMPLETING|REQUEUED' || true)" = "$2" ] &&
			! grep -q RUNNING <<<"$rows" && return
		sleep 0.3
	done
	as sacct -DP -S now-1hours -u "${3:-butest}" --name "$1" -o JobID,State,Start,Elapsed >&2
	return 1
}
