# the scripts of share/examples, each as a stranger would use it; array.bats and walltime.bats run array.sbatch too
load helper

setup() {
	local code
	code=$("$ROOT/t/cluster" env) || return
	eval "$code"
	work=$(as mktemp -d "work.XXXXXX") && work=$(as realpath "$work")
	as cp -r "$CLUSTER_DIR/prefix/share/doc/batchutils/examples/." "$work"
}

teardown() {
	"$ROOT/t/cluster" as root bash -c 'scancel -u butest; scontrol delete ReservationName=closed
		scontrol update PartitionName=cpu7d QOS= MaxTime=7-0; scontrol update NodeName=gn1 State=RESUME
		for i in {1..100}; do [ -n "$(squeue -h)" ] || break; sleep 0.1; done' >/dev/null 2>&1 || true
}

# ended ID [N]: its state and exit code, once the queue has let go of it and accounting has it (N tasks); of an array what differs
ended() {
	local i rows n=${2:-1}
	for ((i = 0; i < 900; i++)); do
		rows=
		if [ -z "$(as squeue -h -j "$1" -o %i 2>/dev/null)" ]; then rows=$(as sacct -nXP -j "$1" -o State,ExitCode,JobName) || true; fi
		if [ "$(grep -c . <<<"$rows")" = "$n" ] && ! grep -qE 'PENDING|RUNNING|COMPLETING|REQUEUED|PREEMPTED|allocation$' <<<"$rows"; then
			sed 's/|[^|]*$//' <<<"$rows" | sort -u
			return
		fi
		sleep 0.2
	done
	as squeue >&2
	as sacct -XP -j "$1" >&2
	return 1
}

# until_has FILE TEXT: waits until FILE in $work has it
until_has() {
	local i
	for ((i = 0; i < 900; i++)); do
		! grep -qsF -e "$2" "$work/$1" || return 0
		sleep 0.1
	done
	cat "$work/$1" >&2
	return 1
}

# edit FILE SED-SCRIPT: as the user would, and it must change something
edit() {
	as sed -i.before "$2" "$work/$1"
	! cmp -s "$work/$1" "$work/$1.before"
	as rm "$work/$1.before"
}

@test "array.sbatch: space on the node is named after tag and job and gone at the end, and a restart skips what is done" {
	edit cell.sh '2a echo "$TMPDIR" >scratch; echo "$SLURM_JOB_ID" >id; ls -d "$TMPDIR" >\&2'
	run here 'mkdir log; sbatch --wait --parsable -p gpu --gres=gpu:1 --array=5 array.sbatch'
	same 0 "$status" "$output $(cat "$work"/log/*)"
	[[ $(<"$work/scratch") == /tmp/13b+1.$(<"$work/id").?????? ]]
	[ ! -e "$(<"$work/scratch")" ]
	same 3 "$(wc -l <"$work/out/13b+1.json")"
	[[ $(<"$work/timings/13b+1.tsv") == 13b$'\t'3$'\t'[1-9]* ]]
	run here 'sbatch --wait --parsable -p gpu --gres=gpu:1 --array=5 array.sbatch'
	same 0 "$status" "$output"
	has "$(cat "$work/log/${lines[0]}_5.txt")" 'out/13b+1.json is there already'
}

@test "server.sbatch: the client is answered, and the server's worker is stopped before the job ends" {
	edit server.sbatch 's/^server=(\(.*\))$/server=(bash -c '\''(trap "echo stopped >worker; exit" TERM; while :; do sleep 0.1; done) \& exec "$@"'\'' - \1)/'
	run here 'sbatch --wait --parsable -p cpu server.sbatch'
	same 0 "$status" "$output $(cat "$work"/served.*)"
	has "$(cat "$work"/served.*)" 'answered 200'
	same stopped "$(<"$work/worker")"
}

@test "server.sbatch: a server that dies ends the job at once with its log; a port that is taken is not waited at" {
	edit server.sbatch 's/^server=.*/server=(bash -c "sleep 1; echo no such model; exit 4")/'
	SECONDS=0
	run here 'sbatch --wait --parsable -p cpu server.sbatch'
	same 1 "$status" "$output"
	[ "$SECONDS" -lt 60 ]
	has "$(cat "$work"/served.*)" '(-w) has ended'
	has "$(cat "$work"/served.*)" 'no such model'
	edit server.sbatch 's/^port=.*/port=27791/'
	python3 -c 'import socket, time; s = socket.create_server(("127.0.0.1", 27791)); time.sleep(60)' 3>&- &
	"$BIN/waitfor" -q -t 20s -w $! port 127.0.0.1:27791
	run here 'rm served.*; sbatch --wait --parsable -p cpu server.sbatch'
	kill $!
	same 1 "$status"
	same 'port 27791 is taken' "$(cat "$work"/served.*)"
}

@test "preempt.sbatch: near its limit it saves, queues itself and goes on to the end; the log has both runs, no step is lost or done twice" {
	run here 'CONTINUE=yes STEPS=32 sbatch --parsable -p cpu -t 1 --signal=B:USR1@50 preempt.sbatch'
	same 0 "$status" "$output"
	same 'COMPLETED|0:0' "$(ended "$output")"
	log=$(cat "$work/long.$output.txt")
	has "$log" "job $output, restart 0: USR1: the limit is near"
	has "$log" 'restart 0: saved; back into the queue'
	has "$log" "job $output, restart 1: starts on"
	has "$log" 'all is done'
	same "$(for i in {1..32}; do echo "step $i"; done)" "$(cat "$work/steps")"
}

@test "preempt.sbatch: without CONTINUE=yes it saves and ends, and the next submission goes on; without a new checkpoint it is not queued again" {
	id=$(here 'STEPS=8 sbatch --parsable -p cpu preempt.sbatch')
	until_has steps 'step 2'
	as scancel --batch --signal=USR1 "$id"
	same 'COMPLETED|0:0' "$(ended "$id")"
	has "$(cat "$work/long.$id.txt")" 'saved; sbatch it again to go on'
	run here 'STEPS=8 sbatch --wait --parsable -p cpu preempt.sbatch'
	same 0 "$status" "$output"
	has "$(cat "$work/long.$output.txt")" 'all is done'
	same "$(for i in {1..8}; do echo "step $i"; done)" "$(cat "$work/steps")"

	# saves, but is where it was
	edit preempt.sbatch 's/^program=.*/program=(bash -c "trap exit USR1; : >ready; while :; do sleep 0.1; done")/'
	id=$(here 'rm -f ckpt done; CONTINUE=yes sbatch --parsable -p cpu preempt.sbatch')
	until_has long."$id".txt starts
	"$BIN/waitfor" -q -t 30s file "$work/ready"
	as scancel --batch --signal=USR1 "$id"
	same 'FAILED|1:0' "$(ended "$id")"
	has "$(cat "$work/long.$id.txt")" 'no new ckpt since the start: not queued again'
}

@test "preempt.sbatch: preempted it saves, and Slurm starts it again; cancelled it does not come back; an array's task queues itself alone" {
	id=$(here 'STEPS=12 sbatch --parsable -p backfill -w cn1 -n 8 preempt.sbatch')
	until_has steps 'step 3'
	run here 'sbatch --wait -p cpu -w cn1 -n 8 -o /dev/null --wrap "sleep 1"'
	same 0 "$status" "$output"
	same 'COMPLETED|0:0' "$(ended "$id")"
	log=$(cat "$work/long.$id.txt")
	has "$log" 'restart 0: TERM: preempted or cancelled'
	has "$log" 'restart 1: starts on cn1'
	has "$log" 'restart 1: all is done'
	same "$(for i in {1..12}; do echo "step $i"; done)" "$(cat "$work/steps")"

	id=$(here 'rm -f ckpt steps done; CONTINUE=yes sbatch --parsable -p cpu preempt.sbatch')
	until_has steps 'step 1'
	as scancel "$id"
	[[ $(ended "$id") == CANCELLED* ]]
	has "$(cat "$work/long.$id.txt")" 'TERM: preempted or cancelled'

	# the last task of an array has the array's number as its own
	edit preempt.sbatch '/^set -euo/a mkdir -p "t$SLURM_ARRAY_TASK_ID" \&\& cp steps.sh "t$SLURM_ARRAY_TASK_ID" \&\& cd "t$SLURM_ARRAY_TASK_ID"'
	id=$(here 'CONTINUE=yes STEPS=12 sbatch --parsable -p cpu -o long.%a.txt --array=0-1 preempt.sbatch')
	until_has t1/steps 'step 2'
	until_has t0/steps 'step 2'
	as scancel --batch --signal=USR1 "${id}_1"
	same 'COMPLETED|0:0' "$(ended "$id" 2)"
	has "$(cat "$work/long.1.txt")" "job ${id}_1, restart 1: all is done"
	has "$(cat "$work/long.0.txt")" "job ${id}_0, restart 0: all is done"
}

@test "reduce.sbatch: a lost cell is named and there is no result; left out with a reason, or run again, there is one" {
	run here 'mkdir log; id=$(sbatch --parsable -p gpu --gres=gpu:1 --export=ALL,DEMO_LOSE=7 --array=0-11 array.sbatch); echo "$id"
		sbatch --wait --parsable -p cpu --dependency=afterany:"$id" reduce.sbatch "$id"'
	same 1 "$status" "$output"
	array=${lines[0]}
	log=$(cat "$work/log/reduce.${lines[1]}.txt")
	has "$log" "reduce: not good: 13b+3: its file: missing; its task: FAILED (${array}_7, "
	has "$log" 'reduce: no result: 1 not good'
	[ ! -e "$work/result.jsonl" ]

	run here 'printf "13b+3\n" >excluded.tsv; sbatch --wait --parsable -p cpu reduce.sbatch '"$array"
	same 2 "$status" "$output"
	has "$(cat "$work/log/reduce.${lines[0]}.txt")" 'excluded.tsv: 13b+3: no reason is given'
	run here 'printf "13b+3\tdiverges, see notes\n" >excluded.tsv; sbatch --wait --parsable -p cpu reduce.sbatch '"$array"
	same 0 "$status" "$output"
	log=$(cat "$work/log/reduce.${lines[0]}.txt")
	has "$log" 'reduce: left out: 13b+3: diverges, see notes; its file: missing; its task: FAILED'
	has "$log" 'success: 11 of 12 cells are in result.jsonl, 1 left out'
	same 33 "$(wc -l <"$work/result.jsonl")"
	same $'13b+3\tdiverges, see notes' "$(cat "$work/result.excluded.tsv")"

	run here 'rm excluded.tsv; id=$(sbatch --parsable -p gpu --gres=gpu:1 --array=7 array.sbatch)
		sbatch --wait --parsable -p cpu --dependency=afterany:"$id" reduce.sbatch '"$array"' "$id"'
	same 0 "$status" "$output $(cat "$work"/log/reduce.*)"
	has "$(cat "$work/log/reduce.${lines[0]}.txt")" 'success: 12 of 12 cells are in result.jsonl, 0 left out'
	same 36 "$(wc -l <"$work/result.jsonl")"
}

# stage ARG...: campaign.sh with leftovers in the environment that would change what it does
stage() {
	run here 'SBATCH_PARTITION=downpart SLURM_ARRAY_TASK_ID=3 SLURM_MEM_PER_CPU=9999999 SQUEUE_FORMAT=%u SACCT_FORMAT=User LEAK=yes \
		./campaign.sh "${@:2}"' "$@"
}

@test "campaign.sh: from an empty checkout to a result, with a node lost on the way" {
	edit cell.sh '2a echo "${LEAK-none} ${DEMO_PAUSE-none}" >>log/environment'
	edit campaign.sh 's/^options=.*/options=(--partition=gpu --gres=gpu:1 --nodes=1 --no-requeue)/'
	# a history of its own, also when it is run again; digits would be folded
	edit campaign.sh "s/^name=.*/name=$(basename "$work" | tr -d . | tr 0-9 a-j)/"
	here 'git init -q . && git config user.name t && git config user.email t@t'
	stage
	same 2 "$status"
	stage smoke
	same 1 "$status"
	has "$output" 'campaign: the tree is dirty'
	stage init
	same 0 "$status" "$output"
	here 'git add -A && git commit -q -m start'
	stage calibrate
	same 1 "$status"
	has "$output" 'nothing was submitted yet'
	stage smoke
	same 0 "$status" "$output"
	same 'COMPLETED|0:0' "$(ended "$(cut -f 3 "$work/campaign/submit.log")" 2)"
	same $'ok\nok' "$(as bash -c 'cut -f 2 "$1"/flush/*' - "$work")"

	# not after the first result was seen
	here 'echo "# easier" >>trigger.sh && git commit -q -a -m later'
	stage calibrate
	same 1 "$status"
	has "$output" 'trigger.sh is not what it was at'
	here 'git revert --no-edit HEAD >/dev/null'

	stage calibrate
	same 0 "$status" "$output"
	same 'COMPLETED|0:0' "$(ended "$(awk -F '\t' '$2 == "calibrate" { print $3 }' "$work/campaign/submit.log")" 3)"
	same 4 "$(ls "$work/timings" | wc -l)"

	as bash -c 'cd "$1" && DEMO_PAUSE=4 ./campaign.sh run' - "$work"
	same 3 "$(grep -c $'\trun\t' "$work/campaign/submit.log")"
	has "$(cat "$work/campaign/submit.log")" '--time=00:01:00 --array=1-3 '
	stage run
	same 1 "$status"
	has "$output" 'it ran already'
	for ((k = 0; k < 300; k++)); do
		[ "$(as squeue -h -r -t R -o %N | wc -l)" -lt 8 ] || break
		sleep 0.1
	done
	"$ROOT/t/cluster" as root scontrol update NodeName=gn1 State=DOWN Reason=test
	set -- 3 3 2
	for id in $(awk -F '\t' '$2 == "run" { print $3 }' "$work/campaign/submit.log"); do ended "$id" "$1" >/dev/null; shift; done
	"$ROOT/t/cluster" as root scontrol update NodeName=gn1 State=RESUME 2>/dev/null || true
	stage status
	same 0 "$status" "$output"
	has "$output" $'COMPLETED\t8\t'
	has "$output" $'NODE_FAIL\t4\t'
	has "$output" missing

	stage again
	same 0 "$status" "$output"
	again=$(awk -F '\t' '$2 == "again" { print $3 }' "$work/campaign/submit.log" | paste -s -d ,)
	same 'COMPLETED|0:0' "$(ended "$again" 4)"
	stage again
	same 1 "$status"
	has "$output" 'nothing ended as lost,NEVER-RAN'
	stage reduce
	same 0 "$status" "$output"
	id=$(awk -F '\t' '$2 == "reduce" { print $3 }' "$work/campaign/submit.log")
	same 'COMPLETED|0:0' "$(ended "$id")" "$(cat "$work"/log/reduce.*)"
	has "$(cat "$work/log/reduce.$id.txt")" 'success: 12 of 12 cells'
	stage size
	same 0 "$status" "$output"
	has "$output" '#SBATCH --time=00:01:00'
	hasnt "$(cat "$work/log/environment")" yes
	same 6 "$(awk -F '\t' '{ print NF }' "$work/campaign/submit.log" | sort -u)"
	same "$(here 'git rev-parse HEAD')" "$(tail -n 1 "$work/campaign/submit.log" | cut -f 4)"
}

@test "when-start.sh: every partition and QOS, the earliest first, refusals quoted; -w is silent unless it starts in time" {
	run --separate-stderr here './when-start.sh -- -t 5 --gres=gpu:1 array.sbatch'
	same 0 "$status" "$output"
	same $'gpu\tlimited\ngpu\tnormal' "$(cut -f 3,4 <<<"$output")"
	has "$stderr" 'cpu, normal: refused: "allocation failure: Requested node configuration is not available"'
	hasnt "$stderr" downpart
	has "$stderr" 'not in this: your own caps'
	# cpu is closed from now on for an hour, gpu is not
	"$ROOT/t/cluster" as root scontrol create reservation ReservationName=closed StartTime=now+2minutes Duration=60 Nodes='cn[1-4]' Users=root Flags=maint >/dev/null
	run --separate-stderr here './when-start.sh -p gpu,cpu -q normal -- -t 10 array.sbatch'
	same 0 "$status" "$output"
	same $'gpu\ncpu' "$(cut -f 3 <<<"$output")"
	[ "$(tail -n 1 <<<"$output" | cut -f 2)" -ge 50 ]
	run here './when-start.sh -w 20 -p cpu -q normal -- -t 10 array.sbatch'
	same 1 "$status$output"
	run here './when-start.sh -w 20 -p cpu -q nosuch -- -t 10 array.sbatch'
	same 1 "$status$output"
	run here './when-start.sh -w 20 -p gpu -q normal -- -t 10 array.sbatch'
	same 0 "$status"
	# as it says: nodes that are reserved otherwise are a refusal here, though the job would only wait
	"$ROOT/t/cluster" as root scontrol delete ReservationName=closed
	"$ROOT/t/cluster" as root scontrol create reservation ReservationName=closed StartTime=now+2minutes Duration=60 Nodes='cn[1-4]' Users=root >/dev/null
	run here './when-start.sh -p cpu -q normal -- -t 10 array.sbatch'
	same 1 "$status"
	has "$output" 'refused: "allocation failure: Requested node configuration is not available"'
	"$ROOT/t/cluster" as root scontrol delete ReservationName=closed
	"$ROOT/t/cluster" as root scontrol create reservation ReservationName=closed StartTime=now Duration=60 Nodes='cn[1-4]' Users=butest >/dev/null
	run here './when-start.sh -p cpu -q normal -- -t 10 array.sbatch'
	same 1 "$status"
	run here './when-start.sh -p cpu -q normal -- -t 10 --reservation=closed array.sbatch'
	same 0 "$status" "$output"
	"$ROOT/t/cluster" as root scontrol delete ReservationName=closed
	run here './when-start.sh -p downpart -q normal -- -t 10 array.sbatch'
	same 0 "$status" "$output"
	run here './when-start.sh -- -p gpu array.sbatch'
	same 2 "$status"
}

@test "when-start.sh: as it says, a cap on running jobs is not known to it; a controller that is down is no answer" {
	for i in 1 2; do here 'sbatch -q limited -p cpu -o /dev/null --wrap "sleep 60"' >/dev/null; done
	for ((k = 0; k < 100; k++)); do
		[ "$(as squeue -h -t R | wc -l)" != 2 ] || break
		sleep 0.1
	done
	run --separate-stderr here './when-start.sh -p cpu -q limited -- -t 10 array.sbatch'
	same 0 "$status" "$stderr"
	same 0 "$(cut -f 2 <<<"$output")" "$output"
	here 'sbatch -q limited -p cpu -o /dev/null -t 10 array.sbatch' >/dev/null
	for ((k = 0; k < 100; k++)); do
		[ "$(as squeue -h -t PD -o %r)" != QOSMaxJobsPerUserLimit ] || break
		sleep 0.1
	done
	same QOSMaxJobsPerUserLimit "$(as squeue -h -t PD -o %r)"
	"$ROOT/t/cluster" stop ctld
	run here './when-start.sh -w 20 -p cpu -q normal -- -t 10 array.sbatch'
	"$ROOT/t/cluster" start ctld
	same 3 "$status" "$output"
	has "$output" 'no answer'
}

@test "lock.sh: the second job is refused at once and told by whom; a resource that changes ends the run" {
	run here 'echo 1 >data; a=$(sbatch --parsable -p cpu -w cn1 -o a.txt --wrap "./lock.sh -i 1s data -- sleep 20"); echo "$a"
		until [ -s data.lock ]; do sleep 0.1; done
		sbatch --wait -p cpu -w cn2 -o b.txt --wrap "./lock.sh data -- true" || echo "b ended with $?"
		echo 2 >>data'
	same 0 "$status" "$output"
	has "$output" 'b ended with 75'
	a=${lines[0]}
	has "$(cat "$work/b.txt")" "lock.sh: data is in use: butest job $a on "
	same 'FAILED|125:0' "$(ended "$a")"
	has "$(cat "$work/a.txt")" 'lock.sh: data changed while the command ran'
	run here 'sbatch --wait -p cpu -o c.txt --wrap "./lock.sh data -- sh -c \"exit 3\""'
	same 3 "$status" "$output"
}

@test "site-note.sh: the facts of this cluster, policy is ASK; -c tells what changed, and nothing where a source is silent" {
	run here './site-note.sh >site.tsv; cat site.tsv'
	same 0 "$status" "$output"
	mpi=$(as scontrol show config | sed -n 's/^MpiDefault *= //p')	# none; (null) from 24.11 on
	[ -n "$mpi" ]
	for fact in $'slurm.ClusterName\tbutest' $'slurm.MaxArraySize\t10001' $'partition.cpu12h.MaxTime\t12:00:00' $'partition.cpu.QoS\tN/A' \
		$'node.gpu\t8 cpus, 64000 MB, gpu:a100:4; 8 cpus, 64000 MB, gpu:h100:4' $'account.lab.QOS\tlimited,normal' $'qos.limited.MaxJobsPU\t2' \
		$'account.default\tlab' $'launcher.MpiDefault\t'"$mpi" $'policy.scratch-purge\tASK'; do
		has $'\n'"$output"$'\n' $'\n'"$fact"
	done
	same '' "$(grep '^policy' "$work/site.tsv" | grep -v 'ASK$' || true)"
	run --separate-stderr here './site-note.sh -c site.tsv'
	same '0' "$status$output"
	has "$stderr" 'still to ask: '
	as sed -i $'s/^policy.scratch-purge\tASK/policy.scratch-purge\t60 days, says the helpdesk/' "$work/site.tsv"
	"$ROOT/t/cluster" as root scontrol update PartitionName=cpu7d QOS=limited MaxTime=5-0
	run --separate-stderr here './site-note.sh -c site.tsv'
	same 1 "$status" "$stderr"
	same $'changed\tpartition.cpu7d.MaxTime\t7-00:00:00\t5-00:00:00\nchanged\tpartition.cpu7d.QoS\tN/A\tlimited' "$output"
	"$ROOT/t/cluster" as root scontrol update PartitionName=cpu7d QOS= MaxTime=7-0
	"$ROOT/t/cluster" stop dbd
	run --separate-stderr here './site-note.sh -c site.tsv'
	"$ROOT/t/cluster" start dbd
	same 3 "$status" "$stderr"
	same '' "$output"
	has "$stderr" 'site-note.sh: qos: '
}
