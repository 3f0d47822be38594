#!/bin/bash
# campaign.sh STAGE - a campaign from the login node, one stage a call, in this order. Nothing here waits: between two
# stages look at the queue, go home, come back.
#   init          writes trigger.sh and .gitignore where there is none: read, change, commit
#   smoke         two cells that differ in every axis, watched by flushcheck
#   calibrate     asks trigger.sh; then one cell of each stratum
#   run           asks trigger.sh; then one array a stratum, each with its own --time
#   status        what became of it
#   again [WHAT]  submits again what was lost (node, preemption) or never ran; WHAT: other states, for instance bad
#   reduce        reduce.sbatch behind all of it
#   size          what to ask for next time
# It stands in a git checkout, beside grid, array.sbatch and what they run. What is submitted stands in
# campaign/submit.log: time, stage, id, commit, outputs, command.
set -euo pipefail

# ---- yours to change
name=sweep			# the job's name: the history of this work is found by it
axis=model			# its values are the strata: cells that take about as long as each other
out='out/{tag}.json'		# what a cell leaves
records=3			# lines of a whole result
units=3				# units of work a cell, as in array.sbatch's timing line
guess=00:10:00			# --time of the first runs, before anything was measured
options=(--partition=gpu --gres=gpu:1 --nodes=1)	# --account=... too, where you have more than one
# What jobs get of this shell's environment. Else they have SLURM_* and what a login of yours sets (Slurm makes one), so
# that what you happen to have loaded today does not decide.
export=PATH,HOME,USER,LANG,WIDTH,FLUSHCHECK,DEMO_PAUSE,DEMO_LOSE
export DEMO_PAUSE=${DEMO_PAUSE:-0.3}			# seconds a step of the stand-in cell.sh takes
# ----

say() { printf 'campaign: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }

# Left over from an salloc or a profile, these change what sbatch, sacct and squeue do, without a word.
for variable in $(compgen -e); do
	case $variable in
	SLURM_CONF | SLURM_CONF_SERVER) ;;	# where Slurm is
	SLURM_* | SBATCH_* | SALLOC_* | SRUN_* | SACCT_* | SQUEUE_* | SINFO_*) unset "$variable" ;;
	esac
done
for tool in git sbatch gridtag sacct-hist unitcost walltime-bucket flushcheck; do
	command -v "$tool" >/dev/null || { say "$tool: not found in PATH"; exit 127; }
done
log=campaign/submit.log gate=yes

# A result that no commit describes cannot be made again. What git does not know counts: it may be what runs.
clean_tree() {
	local dirty
	dirty=$(git status --porcelain) || exit
	[ -z "$dirty" ] || die "the tree is dirty: commit, or name outputs in .gitignore:"$'\n'"$dirty"
	commit=$(git rev-parse HEAD) || exit
	mkdir -p campaign log
	: >>"$log"		# can it be written? Not found out after the submission
}

# ids [STAGE]: the ids of a stage, or of all arrays, into the array `ids`
ids() {
	[ -s "$log" ] || die 'nothing was submitted yet: campaign.sh smoke'
	mapfile -t ids < <(awk -F '\t' -v stage="${1-}" '(stage == "" && $2 != "reduce") || $2 == stage { print $3 }' "$log")
}

# submit STAGE OPTION... SCRIPT [ARG...]
submit() {
	local stage=$1 id='' said line command job='^[0-9]+(;[^;[:space:]]+)?$'
	shift
	command=(sbatch --parsable --job-name="$name" --comment="$stage" --export="$export" "$@")
	# Asked first: it says when this would start, and a refusal costs nothing. Nodes that fit but are all down or reserved
	# just now can be a refusal too ("Requested node configuration is not available"): then try again later.
	sbatch --test-only "${command[@]:2}" || exit
	# No id does not mean no job: a controller that answers late may have taken it.
	said=$("${command[@]}") || die "sbatch gave no id. Before anything is submitted again: squeue --me --name=$name"
	# A site's wrapper may print more, or nothing: the id is the last line that is one, with ;CLUSTER behind it or not.
	while IFS= read -r line; do
		if [[ $line =~ $job ]]; then id=${line%%;*}; fi
	done <<<"$said"
	printf -v said '%q' "$said"
	[ -n "$id" ] || die "sbatch gave no id, but $said. Before anything is submitted again: squeue --me --name=$name"
	printf -v line '%q ' "${command[@]}"
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$(date +%FT%T%z)" "$stage" "$id" "$commit" "$out" "$line" >>"$log"
	say "$stage: $id: $line"
}

# The trigger was written before the first result was seen, and is still the same; what it says counts.
triggered() {
	local first
	ids smoke
	first=$(awk -F '\t' '$2 == "smoke" { print $4; exit }' "$log")
	[ -n "$first" ] || die 'no smoke run yet: campaign.sh smoke'
	git diff --quiet "$first" -- trigger.sh || die "trigger.sh is not what it was at $first, before the first result"
	bash trigger.sh "${ids[@]}" || die 'trigger.sh does not say yes'
}

# arrays STAGE EXCEPT [GRIDTAG-OPTION...]: one array a stratum of the cells without a result, but for EXCEPT
arrays() {
	local stage=$1 except=$2 stratum time spec status submitted=0
	cat timings/*.tsv | unitcost -n "$units" -X -l campaign/strata >campaign/need.tsv || exit
	walltime-bucket -f campaign/need.tsv >campaign/times.tsv || exit
	while IFS=$'\t' read -r stratum time _ <&3; do
		status=0
		spec=$(gridtag -f grid -a -w "$axis=$stratum" -m "$out" --except "$except") || status=$?
		case $status in
		0) ;;
		1) say "$stratum: nothing to do"; continue ;;
		*) exit "$status" ;;
		esac
		# Has this work failed this way already, at this request? 1: it has. 3: accounting does not answer. Not asked for
		# what was lost: a node that died counts as a failure there, and the request could not help it.
		if [ "$gate" = yes ] && command -v sacct-work >/dev/null; then
			sacct-work -S 30d --gate "$name" --request "time=$time" || exit
		fi
		submit "$stage" --time="$time" --array="$spec" "${options[@]}" array.sbatch
		submitted=$((submitted + 1))
	done 3<campaign/times.tsv
	[ "$submitted" -gt 0 ] || die 'nothing was submitted'
}

case ${1-} in
init)
	if [ ! -e .gitignore ]; then printf '%s\n' /campaign/ /out/ /log/ /timings/ /flush/ '/result.*' >.gitignore; fi
	if [ -e trigger.sh ]; then say 'trigger.sh is there already'; exit; fi
	cat >trigger.sh <<END
#!/bin/bash
# trigger.sh SMOKE-ID... - does the campaign go on? 0 is yes. Written before the first result was seen, so that it is
# not the results that decide what counts as good.
set -euo pipefail
no() { echo "trigger: no: \$*" >&2; exit 1; }
gridtag -f grid -l -H >campaign/cells.tsv || exit
# both tasks of the smoke run ended well, each has left its file, and flushcheck found that a kill loses little
sacct-hist --merge --check -n 2 --also '$out' --cells campaign/cells.tsv "\$@" || exit
# no file is half of one or belongs to no cell
status=0
gridtag -q -f grid --account '$out' --records $records >campaign/account.tsv || status=\$?
[ "\$status" -le 1 ] || exit "\$status"
if cut -f 1,4 campaign/account.tsv | grep -v '^missing'; then no 'these files are not whole, or belong to no cell'; fi
# two cells that differ in every axis cannot have the same result
spec=\$(gridtag -f grid -2) || exit
first=\$(gridtag -q -f grid -T -i "\${spec%%[,-]*}") || exit
second=\$(gridtag -q -f grid -T -i "\${spec##*[,-]}") || exit
if cmp -s "out/\$first.json" "out/\$second.json"; then no "\$first and \$second have the same result"; fi
END
	say 'trigger.sh is written: what must be true before the campaign goes on? Change it, then: git add -A && git commit'
	;;
smoke)
	clean_tree
	git ls-files --error-unmatch trigger.sh >/dev/null 2>&1 || die 'trigger.sh comes first: campaign.sh init'
	spec=$(gridtag -f grid -2) || exit
	FLUSHCHECK=yes submit smoke --time="$guess" --array="$spec" "${options[@]}" array.sbatch
	;;
calibrate)
	clean_tree
	triggered
	# a cell of the smoke run is there already: its task ends at once, and its timing is the stratum's
	spec=$(gridtag -f grid --each "$axis") || exit
	submit calibrate --time="$guess" --array="$spec" "${options[@]}" array.sbatch
	;;
run)
	clean_tree
	triggered
	ids run
	[ ${#ids[@]} = 0 ] || die 'it ran already: campaign.sh status, campaign.sh again'
	gridtag -f grid --values "$axis" >campaign/strata || exit
	ids
	status=0
	open=$(sacct-hist -q --merge -a open "${ids[@]}") || status=$?	# 1: none, which is what it prints
	[ "$status" -le 1 ] || exit "$status"
	arrays run "$open"
	;;
status)
	ids
	gridtag -f grid -l -H >campaign/cells.tsv || exit
	sacct-hist --merge --also "$out" --cells campaign/cells.tsv "${ids[@]}" || exit
	gridtag -q -f grid --account "$out" --records "$records" || say 'these are not there, or not whole'
	;;
again)
	clean_tree
	[ $# -gt 1 ] || gate=no
	ids
	every=$(gridtag -f grid -a) || exit
	status=0
	spec=$(sacct-hist -q --merge --expect "$every" -a "${2:-lost,NEVER-RAN}" "${ids[@]}") || status=$?
	case $status in
	0) ;;
	1) die "nothing ended as ${2:-lost,NEVER-RAN}: campaign.sh status" ;;
	*) exit "$status" ;;
	esac
	# gridtag takes what to leave out: all but these
	status=0
	except=$(gridtag -f grid -a --except "$spec") || status=$?
	[ "$status" -le 1 ] || exit "$status"
	arrays again "$except"
	;;
reduce)
	clean_tree
	ids
	printf -v after ':%s' "${ids[@]}"
	submit reduce --dependency="afterany$after" reduce.sbatch "${ids[@]}"
	;;
size)
	# from accounting, all strata in one, where the tool is there; then each stratum from its timings
	if command -v sacct-size >/dev/null; then sacct-size -s -S 30d "$name" || exit; fi
	cat timings/*.tsv | unitcost -n "$units" -X >campaign/need.tsv || exit
	walltime-bucket -s -f campaign/need.tsv
	;;
*)
	sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2
	exit 2
	;;
esac
