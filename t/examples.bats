#!/usr/bin/env bats
# examples - what the scripts of share/examples do without a cluster; t/slurm/examples.bats runs them on one
load helper

EX=$ROOT/share/examples

@test "the line that preempt.sbatch shows for trying it out runs, and finds the checkpoint whole" {
	[ "${CHECK_BUILD:-}" != valgrind ] || skip 'real signals and deadlines'
	cp "$EX/steps.sh" .
	sed -n 's/^# *\(flushcheck .*\)/\1/p' "$EX/preempt.sbatch" >line
	same 1 "$(wc -l <line)"
	DEMO_PAUSE=0.3 is 0 bash -euo pipefail line
	same $'steps\tok' "$(cut -f 1,2 <<<"$output")"
}

@test "lock.sh: the command's status, a second run is refused while the first one's processes live, and no lock is left behind" {
	echo 1 >data
	is 3 "$EX/lock.sh" data -- sh -c 'exit 3'
	"$EX/lock.sh" data -- sh -c 'echo $$ >runs; exec sleep 60' 3>&- & pid=$!
	waitfor -q -t 20s -s 1 file runs
	is 75 "$EX/lock.sh" data -- touch ran
	refused
	has "$stderr" "lock.sh: data is in use: $(id -un) job - on $(hostname), pid $pid, since "
	kill -KILL "$pid"
	is 75 "$EX/lock.sh" data -- touch ran
	[ ! -e ran ]
	kill -KILL "$(cat runs)"
	waitfor -q -t 20s pid "$(cat runs)"
	is 0 "$EX/lock.sh" data -- touch ran
	[ -e ran ]
}

@test "lock.sh: when the resource changes or goes the command is ended with all its processes, 125" {
	local how
	mkdir dir
	for how in 'echo 2 >>data' 'rm data' 'echo 1 >new; mv new data' 'touch dir/new'; do
		rm -f left runs
		echo 1 >data
		resource=data
		case $how in *dir*) resource=dir ;; esac
		"$EX/lock.sh" -i 0.2s "$resource" -- sh -c '(trap "echo ended >left; exit" TERM; : >runs; while :; do sleep 0.1; done) & wait' \
			>out 2>err 3>&- & pid=$!
		waitfor -q -t 20s file runs
		eval "$how"
		status=0
		wait "$pid" || status=$?
		same 125 "$status" "$how"
		has "$(cat err)" "lock.sh: $resource changed while the command ran"
		same ended "$(cat left)" "$how"
	done
	# at the very end, and by a command
	echo 1 >data
	is 125 "$EX/lock.sh" data -- sh -c 'echo 2 >>data'
	is 125 "$EX/lock.sh" -c 'cat data' nothing -- sh -c 'echo 3 >>data'
	is 0 "$EX/lock.sh" -c 'cat data' nothing -- true
	is 125 "$EX/lock.sh" no-such -- true
	refused
	is 125 "$EX/lock.sh" data true
	refused
}

@test "a script of the login node whose tool is missing from PATH says which, and submits nothing" {
	local tool
	mkdir few
	for tool in bash git mkdir date sort paste awk grep id hostname sed cat; do ln -s "$(command -v "$tool")" few; done
	for tool in sbatch sinfo scontrol sacctmgr srun; do printf '#!/bin/sh\necho "$0 $*" >>"%s/called"\n' "$PWD" >few/$tool; done
	chmod +x few/s*
	git init -q .
	for stage in init smoke calibrate run status again reduce size; do
		PATH=$PWD/few is 127 bash "$EX/campaign.sh" "$stage"
		refused
		has "$stderr" 'campaign: gridtag: not found in PATH'
	done
	: >data
	PATH=$PWD/few is 125 bash "$EX/lock.sh" data -- touch ran
	has "$stderr" 'not found in PATH'
	PATH=$PWD/few is 3 bash "$EX/when-start.sh" -- job.sbatch
	has "$stderr" 'timeout: not found in PATH'
	PATH=$PWD/few is 3 bash "$EX/site-note.sh"
	has "$stderr" 'timeout: not found in PATH'
	[ ! -e called ]
	[ ! -e ran ]
}

@test "called wrong: one line, and nothing is done" {
	is 2 "$EX/when-start.sh"
	refused
	is 2 "$EX/when-start.sh" -w soon -- job.sbatch
	refused
	is 2 "$EX/site-note.sh" -c no-such-file
	refused
	is 2 "$EX/site-note.sh" more
	refused
	is 2 bash "$EX/reduce.sbatch"
	refused
}

@test "campaign.sh logs an id that sbatch printed, and nothing as submitted where it printed none" {
	local want id said
	command -v git >/dev/null || skip 'no git'
	mkdir fake
	printf '#!/bin/sh\n[ "$1" != --test-only ] || exit 0\ncat "%s/said"\n' "$PWD" >fake/sbatch
	chmod +x fake/sbatch
	mkdir work
	cp "$EX/campaign.sh" "$EX/grid" "$EX/cell.sh" "$EX/array.sbatch" work
	cd work || return
	git init -q . && git config user.name t && git config user.email t@t
	PATH=$PWD/../fake:$PATH
	is 0 ./campaign.sh init
	git add -A && git commit -q -m start
	while IFS='|' read -r want id said; do
		rm -rf campaign
		printf -- "$said" >../said
		is "$want" ./campaign.sh smoke
		if [ "$want" = 0 ]; then
			same 6 "$(awk -F '\t' '{ print NF }' campaign/submit.log)" "$said"
			same "smoke $id" "$(awk -F '\t' '{ print $2, $3 }' campaign/submit.log)"
			has "$stderr" "campaign: smoke: $id: sbatch "
		else
			same '' "$(cat campaign/submit.log)" "$said"
			has "$stderr" 'campaign: sbatch gave no id'
			has "$stderr" 'Before anything is submitted again: squeue --me --name=sweep'
			hasnt "$stderr" 'campaign: smoke:'
		fi
	done <<-'END'
		0|4711|4711\n
		0|4711|4711
		0|4711|4711;cluster-2\n
		0|4711|Welcome to the cluster\n\n4711\n
		0|4712|note 1\n4711;a\n4712;b\nyour quota: 80 %%\n
		1||
		1||\n
		1||Welcome to the cluster\n
		1||Submitted batch job 4711\n
		1||-1\n
		1||4711;\n
		1||4711 4712\n
		1||4711_3\n
		1||\033[2J4711x\n
	END
	hasnt "$stderr" $'\033'
}
