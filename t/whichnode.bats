#!/usr/bin/env bats
# whichnode - failures per node, against the same work on the other nodes
load helper

# runs NODE NAME GOOD BAD [STATE]: rows of that many runs, with ids of their own
runs() {
	local k
	for ((k = 0; k < $3; k++)); do echo "$((++id))|$2|u|COMPLETED|900|$1"; done
	for ((k = 0; k < $4; k++)); do echo "$((++id))|$2|u|${5-FAILED}|900|$1"; done
}

top() { id=0; echo 'JobID|JobName|User|State|ElapsedRaw|NodeList'; }

# node NAME: its record of the last report
node() { grep "^$1	" <<<"$output"; }

# judge STATUS OPTION...: runs it on the file text
judge() {
	is "$1" whichnode "${@:2}" -f text
}

# exact X N M A ...: the two-sided p that at least X bad ... for strata given as n:marked:all, by full enumeration
exact() {
	awk -v seen="$1" -v strata="${*:2}" '
		function choose(n, k,   i, v) { if (k < 0 || k > n) return 0; v = 1; for (i = 1; i <= k; i++) v = v * (n - k + i) / i; return v }
		function walk(s, sum, ways,   x) {
			if (s > count) { total += ways; at[sum] += ways; return }
			for (x = 0; x <= n[s]; x++)
				if (choose(m[s], x) * choose(a[s] - m[s], n[s] - x) > 0)
					walk(s + 1, sum + x, ways * choose(m[s], x) * choose(a[s] - m[s], n[s] - x))
		}
		BEGIN {
			count = split(strata, one, " ")
			for (i = 1; i <= count; i++) { split(one[i], part, ":"); n[i] = part[1]; m[i] = part[2]; a[i] = part[3] }
			walk(1, 0, 1)
			for (x in at) if (at[x] <= at[seen] * (1 + 1e-9)) p += at[x]
			printf "%.3g\n", p / total
		}' </dev/null
}

# --- the table ---

# bats test_tags=smoke
@test "per node: placed, bad, rate, interval, base of the others, adjusted p, verdict; the worse first" {
	{ top; runs n1 a 0 8; runs n2 a 20 2; runs n3 a 22 0; runs n4 a 1 0; } >text; judge 0 -H
	same $'node\tplaced\tbad\trate\tlow\thigh\tbase\tp\tverdict' "${lines[0]}"
	same $'n1\t8\t8\t1.000\t0.676\t1.000\t0.044' "$(cut -f1-7 <<<"${lines[1]}")"
	same worse "$(cut -f9 <<<"${lines[1]}")"
	same $'n2\t22\t2\t0.091\t0.025\t0.278\t0.258' "$(node n2 | cut -f1-7)"
	same $'n3\t22\t0\t0.000\t0.000\t0.149\t0.323' "$(node n3 | cut -f1-7)"
	same better "$(node n3 | cut -f9)"
	same $'n4\t1\t0\t0.000\t0.000\t0.793\t0.192\t-\tfew' "$(node n4)"
	same '' "$stderr"
	is 0 whichnode -f text --json
	same '{"node":"n1","placed":8,"bad":8,"rate":"1.000"' "$(cut -d, -f1-4 <<<"${lines[0]}")"
}

@test "the interval is Wilson's" {
	# Wilson (1927): 4 of 4, 0 of 4, 51 of 399
	{ top; runs n1 a 0 4; runs n2 a 4 0; runs n3 a 348 51; } >text; judge 0 -q
	same $'1.000\t0.510\t1.000' "$(node n1 | cut -f4-6)"
	same $'0.000\t0.000\t0.490' "$(node n2 | cut -f4-6)"
	same $'0.128\t0.099\t0.164' "$(node n3 | cut -f4-6)"
}

# bats test_tags=smoke
@test "the p is that of full enumeration, for one piece of work and for several at once" {
	local x n m a rest
	# with two nodes both have the same p, which the adjustment leaves as it is
	while read -r x rest; do
		{
			top
			w=a left=$x
			for one in $rest; do
				IFS=: read -r n m a <<<"$one"
				# the node takes as many of the bad ones as it can and still reaches x
				bad=$((left < n ? left : n))
				((bad <= m)) || bad=$m
				left=$((left - bad))
				runs n1 "w$w" $((n - bad)) $bad
				runs n2 "w$w" $((a - n - m + bad)) $((m - bad))
				w+=a
			done
			[ "$left" = 0 ] || echo "bad table"
		} >text; judge 0 -q -n 1
		same "$(exact "$x" $rest)" "$(node n1 | cut -f8)" "$x of $rest"
		same "$(node n1 | cut -f8)" "$(node n2 | cut -f8)"
	done <<-'END'
		4 4:4:8
		5 8:6:20
		0 8:6:20
		1 8:6:20
		9 10:9:30
		3 5:3:9 4:2:11
		5 5:3:9 4:2:11
		0 5:3:9 4:2:11
		6 5:3:9 4:2:11 6:5:12
		5 3:3:3 5:3:9 4:2:11
		7 20:8:40 10:1:12
	END
}

@test "where counts are large the p is that of the normal distribution of the Mantel-Haenszel sum" {
	{ top; runs n1 a 140 160; runs n2 a 160 140; } >text; judge 0 -q
	# T 160, E 150, V 300*300*300*300/(600*600*599), (|T-E|-1/2)^2/V = 2.408; the exact p is 0.1206
	same 0.121 "$(node n1 | cut -f8)"
}

# bats test_tags=smoke
@test "p is adjusted for the number of nodes (Benjamini and Hochberg)" {
	{ top; runs n1 a 2 8; runs n2 a 4 6; for k in 3 4 5 6 7 8 9 10; do runs n$k a 9 1; done; } >text; judge 0 -q
	p1=$(exact 8 10:22:100) p2=$(exact 6 10:22:100)
	same "$(awk -v p="$p1" 'BEGIN { printf "%.2g", 10 * p }')" "$(node n1 | cut -f8 | awk '{ printf "%.2g", $1 }')"
	same "$(awk -v p="$p2" 'BEGIN { printf "%.2g", 5 * p }')" "$(node n2 | cut -f8 | awk '{ printf "%.2g", $1 }')"
	same worse "$(node n1 | cut -f9)"
	same ok "$(node n3 | cut -f9)"
}

@test "work that is hard fails everywhere: a node that had more of it is not worse, but with all in one it would look so" {
	{ top; runs n1 hard 10 30; runs n1 easy 10 0; runs n2 hard 3 9; runs n2 easy 36 2; runs n3 hard 2 8; runs n3 easy 40 1; } >text; judge 0
	same ok "$(node n1 | cut -f9)"
	cut -d'|' -f1,4- text >bare
	is 0 whichnode -f bare
	same worse "$(node n1 | cut -f9)"
	same 'whichnode: no column JobName: all runs are taken for the same work' "$stderr"
	cut -d'|' -f1,2,4- text >bare
	is 0 whichnode -f bare
	same ok "$(node n1 | cut -f9)"
	same 'whichnode: no column User: work is told apart by JobName alone' "$stderr"
	# names that differ in their numbers alone are the same work, those of two users are not
	{ top; for k in 1 2 3 4 5 6 7 8; do runs n1 "job_$k" 0 1; runs n2 "job_9$k" 1 0; done; } >text; judge 0 -q
	same $'8\t8\t1.000\t0.676\t1.000\t0.000' "$(node n1 | cut -f2-7)"
	sed 's/|u|\(.*\)n2$/|v|\1n2/' text >users
	is 0 whichnode -q -f users
	same $'-\t-\tfew' "$(node n1 | cut -f7-9)"
}

@test "worse also needs the interval clear of the base" {
	{ top; runs n1 a 45 5; runs n1 b 0 50; runs n2 a 200 0; runs n2 b 0 200; } >text; judge 0 -q
	same $'0.550\t0.452\t0.644\t0.500' "$(node n1 | cut -f4-7)"
	awk -v p="$(node n1 | cut -f8)" 'BEGIN { exit !(p < 0.035) }'
	same ok "$(node n1 | cut -f9)"
}

@test "the same rate everywhere is no node's: nothing stands out; and all failing everywhere is the code" {
	{ top; runs n1 a 87 13; runs n2 a 88 12; runs n3 a 87 13; runs n4 a 86 13; } >text; judge 0 --check
	same '' "$output$stderr"
	{ top; runs n1 a 0 6; runs n2 a 0 9; } >text; judge 0
	same $'ok\nok' "$(cut -f9 <<<"$output")"
	same 'whichnode: all 15 runs went badly, on all 2 nodes: that is the code or its input, not a node' "$stderr"
}

@test "--check: 0 nothing stands out, 1 a node is worse, 3 too few runs, or none" {
	{ top; runs n1 a 0 8; runs n2 a 20 2; runs n3 a 22 0; } >text; judge 1 --check
	same '' "$output"
	has "$stderr" 'whichnode: n1 is worse: 8 of 8 bad, 1.000 [0.676, 1.000], elsewhere 0.045'
	{ top; runs n1 a 0 4; runs n2 a 4 0; } >text; judge 3 --check
	has "$stderr" 'too few runs to judge any of 2 nodes'
	{ top; runs n1 a 0 50; } >text; judge 3 --check
	{ top; runs n1 a 5 0 PENDING; } >text; judge 0 --check -n 1 || true
	{ top; echo '1|a|u|RUNNING|1|n1'; } >text; judge 3 --check
	{ top; } >text; judge 3 --check
	{ top; } >text; judge 3
	has "$stderr" 'no run that went well or badly on a node'
}

@test "what counts: FAILED, NODE_FAIL, BOOT_FAIL, TIMEOUT are bad; what the node did not choose is neither" {
	{
		top
		echo '1|a|u|COMPLETED|900|n1'
		for s in FAILED NODE_FAIL 'CANCELLED by 1000' TIMEOUT OUT_OF_MEMORY PREEMPTED RUNNING DEADLINE REQUEUED BOOT_FAIL; do echo "2|a|u|$s|900|n1"; done
		echo '9|a|u|PENDING|0|None assigned'
		echo '10|a|u|FAILED|0|None assigned'
		echo '11|a|u|FAILED|0|'
		echo '12|a|u|NODE_FAIL|0|(null)'
	} >text; judge 0
	same $'n1\t5\t4' "$(cut -f1-3 <<<"$output")"
	has "$stderr" '6 runs were neither good nor bad'
	has "$stderr" '4 runs were on no node'
}

@test "every attempt counts, on each node of its list; FailedNode names the culprit of a NODE_FAIL" {
	printf 'JobID|State|NodeList|FailedNode\n1|NODE_FAIL|n[1-3]|n2\n1|COMPLETED|n[1,3-4]|\n2|FAILED|rack[0-1]_b[0-1],x|\n' >text
	is 0 whichnode -f text
	same $'n1 1 0\nn2 1 1\nn3 1 0\nn4 1 0\nrack0_b0 1 1\nrack0_b1 1 1\nrack1_b0 1 1\nrack1_b1 1 1\nx 1 1' \
		"$(cut -f1-3 <<<"$output" | tr '\t' ' ' | sort)"
	has "$stderr" '3 runs were on several nodes: each of them carries the outcome'
	printf 'JobID|State|NodeList\n1|FAILED|n[1-\n' >text
	is 2 whichnode -f text
	has "$stderr" 'line 2: NodeList n[1-: a bracket is not closed: the list was cut'
	for cut in 'n[1,3]...' n1... n1,n2...; do
		printf 'JobID|State|NodeList\n1|FAILED|%s\n' "$cut" >text
		is 2 whichnode -x -n 1 -f text
		has "$stderr" "whichnode: line 2: NodeList $cut: it ends in a dot: was it cut at the width of its column?" "$stderr"
	done
	printf 'JobID|State|NodeList\n1|FAILED|n[1-999999]\n' >text
	is 2 whichnode -f text
	has "$stderr" 'too many names'
}

@test "a node that fails everything at once is a black hole: worse with four runs; with a slow failure, or three, it is not" {
	local text
	text=$(top; for k in 1 2 3 4; do echo "$k|a|u|FAILED|1|n11"; done; echo '5|a|u|COMPLETED|3600|n2'; echo '6|a|u|COMPLETED|3600|n3'
		echo '7|a|u|COMPLETED|3600|n2'; echo '8|a|u|COMPLETED|3600|n4')
	cat >text <<<"$text"; judge 0
	same $'n11\t4\t4\t1.000\t0.510\t1.000\t0.000\t0.0286\tworse' "${lines[0]}"
	has "$stderr" 'n11 is a black hole: all of its 4 runs failed within 60 s, while other nodes completed the same work'
	cat >text <<<"$text"; judge 1 --check
	cat >text <<<"$text"; judge 0 -x
	same n11 "$output"
	cat >text <<<"$text"; judge 0 -q -x -n 50
	same n11 "$output"
	grep -v '^4|' <<<"$text" >text; judge 0
	same few "$(node n11 | cut -f9)"
	sed 's/^4|a|u|FAILED|1|/4|a|u|FAILED|61|/' <<<"$text" >text; judge 0
	same few "$(node n11 | cut -f9)"
	# the others never complete that work
	sed '/^[5-8]|/s/|a|/|b|/' <<<"$text" >text; judge 0
	same few "$(node n11 | cut -f9)"
	# without ElapsedRaw: Elapsed, else End minus Start
	printf 'JobID|State|NodeList|Start|End\n1|FAILED|node11|2026-02-07T20:32:40|2026-02-07T20:32:41\n2|FAILED|node11|2026-02-07T20:32:47|2026-02-07T20:32:48\n3|FAILED|node11|2026-02-07T20:32:50|2026-02-07T20:32:51\n4|FAILED|node11|2026-02-07T20:32:58|2026-02-07T20:32:59\n5|COMPLETED|node02|2026-02-07T20:40:00|2026-02-07T21:40:00\n6|COMPLETED|node03|2026-02-07T20:40:00|2026-02-07T21:40:00\n7|COMPLETED|node02|2026-02-07T21:45:00|2026-02-07T22:40:00\n8|COMPLETED|node04|2026-02-07T20:40:00|2026-02-07T21:40:00\n' >text
	is 0 whichnode -q -x -f text
	same node11 "$output"
	# where the work fails quickly everywhere now and then, four in a row are no sign
	{ top; for k in 1 2 3 4; do echo "$k|a|u|FAILED|1|n1"; done; for k in {1..40}; do for i in 1 2 3 4; do echo "1$k$i|a|u|COMPLETED|900|m$k"; done
		echo "2$k|a|u|FAILED|1|m$k"; done; } >text; judge 0
	same few "$(node n1 | cut -f9)"
}

@test "several outputs, one behind another, are read as one, and that a run may stand in two of them is said" {
	{ top; runs n1 a 0 8; runs n2 a 4 4; } >text
	is 0 whichnode -n 1 <text
	hasnt "$stderr" 'several outputs'
	is 0 whichnode -n 1 < <(cat text text)
	same $'n1\t16\t16\nn2\t16\t8' "$(cut -f1-3 <<<"$output" | sort)"
	has "$stderr" 'whichnode: the text is several outputs: a run that stands in two of them is counted twice'
	is 0 whichnode -q -n 1 < <(cat text text)
	same '' "$stderr"
}

@test "-x: the worse nodes, short, at most 8 of the worst; 1 and nothing where there is none" {
	{ top; for k in $(seq 1 40); do runs n$k a 20 0; done; runs n3 a 0 1; for k in 51 53 54 55; do runs n$k a 0 20; done; } >text; judge 0 -x
	same 'n[51,53-55]' "$output"
	same '' "$stderr"
	{ top; for k in $(seq 1 60); do runs n$k a 20 0; done; for k in $(seq 71 80); do runs n$k a 0 20; done; runs n99 a 1 20; } >text; judge 0 -x
	same 'n[71-78]' "$output"
	same 'whichnode: 3 more nodes are worse: so many are seldom the nodes; look at the work' "$stderr"
	{ top; runs n1 a 9 1; runs n2 a 9 1; } >text; judge 1 -x
	same '' "$output"
	# what is no host's name never gets into a list
	{ top; for k in 1 2 3 4; do runs n$k a 20 0; done; runs 'None-assigned;x' a 0 20; } >text; judge 3 -x
	same '' "$output"
}

@test "-m hang: an interrupted run whose time is not known went neither well nor badly" {
	local i
	{
		echo 'JobID|State|User|JobName|ElapsedRaw|TotalCPU|NodeList'
		for i in 1 2 3 4 5 6; do printf '%s\n' "$i|NODE_FAIL|me|a|Unknown|00:00:02|n1" "1$i|COMPLETED|me|a|600|00:00:01|n2"; done
	} >text
	is 3 whichnode -m hang -x -f text
	same '' "$output"
	has "$stderr" '6 runs were neither good nor bad'
}

@test "-m hang: more than 300 s with less than 10 s of CPU in all steps; unknown CPU is unknown" {
	printf 'JobID|State|NodeList|ElapsedRaw|TotalCPU|TRESUsageInTot\n' >text
	while IFS= read -r row; do echo "$row" >>text; done <<-'END'
		1|TIMEOUT|n1|1800|00:00:00|
		1.batch|CANCELLED|n1|1800|00:01.500|
		1.0|CANCELLED|n1|1800|00:02.000|
		2|COMPLETED|n1|1800|00:00:00|
		2.batch|COMPLETED|n1|1800|00:05.000|
		2.0|COMPLETED|n1|1800|00:06.000|
		3|COMPLETED|n1|1800|00:00:00|
		3.batch|COMPLETED|n1|1800|00:00:00|cpu=00:00:05,mem=1G
		4|COMPLETED|n2|1800||
		4.batch|COMPLETED|n2|1800|00:00:00|
		5|COMPLETED|n2|300|00:00.010|
		6|NODE_FAIL|n2|1800|00:00.010|
		7|OUT_OF_MEMORY|n2|1800|00:00.010|
		8|RUNNING|n2|1800|00:00.010|
		9|COMPLETED|n2|1800|01:00:00|
		10|CANCELLED by 7|n2|1800|00:00.010|
	END
	is 0 whichnode -m hang -f text
	same $'n1 3 2\nn2 3 1' "$(cut -f1-3 <<<"$output" | tr '\t' ' ' | sort)"
	has "$stderr" '4 runs were neither good nor bad'
	is 2 whichnode -m slow -f text
	cut -d'|' -f1-4 text >bare
	is 2 whichnode -m hang -f bare
	has "$stderr" 'no column TotalCPU or TRESUsageInTot'
}

@test "--work: one piece of work alone" {
	{ top; runs n1 a_1 0 8; runs n2 a_22 8 0; runs n1 b 8 0; runs n2 b 8 0; } >text; judge 0 -q --work a_9
	same $'n1\t8\t8' "$(cut -f1-3 <<<"${lines[0]}")"
	is 3 whichnode -q -f text --work c
}

@test "-r: state, reason and since of each node with a bad run, from scontrol" {
	mkdir fake
	cat >fake/scontrol <<-'END'
		#!/bin/sh
		echo "$*" >args
		echo 'NodeName=n1 Arch=x86_64 State=DOWN+DRAIN ThreadsPerCore=1 Reason=bad fan [maybe] [root@2026-11-29T14:17:01]'
		echo 'NodeName=n3 Arch=x86_64 State=IDLE ThreadsPerCore=1'
	END
	chmod +x fake/scontrol
	PATH=$PWD/fake:$PATH
	{ top; runs n1 a 0 1; runs n2 a 4 0; runs n3 a 3 1; } >text; judge 0 -q -r
	same '-o show node n[1,3]' "$(cat args)"
	same $'few\tDOWN+DRAIN\tbad fan [maybe]\t2026-11-29T14:17:01' "$(node n1 | cut -f9-)"
	same $'few\t-\t-\t-' "$(node n2 | cut -f9-)"
	same $'few\tIDLE\t-\t-' "$(node n3 | cut -f9-)"
	{ top; runs n1 a 0 1; runs n4 a 0 1; } >text; judge 3 -q -r
	has "$stderr" 'scontrol knows no node n4'
	printf '#!/bin/sh\necho slurm_load_node error: Unable to contact slurm controller >&2; exit 1\n' >fake/scontrol
	is 3 whichnode -q -r -f text
	same 2 "${#lines[@]}"
	has "$stderr" 'Unable to contact slurm controller'
}

@test "on a terminal: the interval beside each node, the base marked" {
	{ top; runs n1 a 0 8; runs n2 a 20 2; runs n3 a 22 0; } >text
	script -qec "whichnode -f text" /dev/null </dev/null | tr -d '\r' >picture
	same 'node  placed  bad  rate   low    high   0     .     interval     .     1  base   p         verdict
n1    8       8    1.000  0.676  1.000  .|..................-----------o  0.045  1.79e-07  worse' "$(head -n 2 picture)"
}

@test "sacct is asked for all attempts; by ids, through a pipe and from a file the table is the same" {
	mkdir fake
	cat >fake/sacct <<-'END'
		#!/bin/sh
		if [ "$1" = -e ]; then echo JobID JobIDRaw JobName State User NodeList ElapsedRaw TotalCPU; exit; fi
		echo "$*" >args
		tr '|' '\037' <text
	END
	chmod +x fake/sacct
	PATH=$PWD/fake:$PATH
	{ top; runs n1 a 0 8; runs n2 a 20 2; } >text
	is 0 whichnode 1 2 3
	same $'-P --delimiter=\037 -D -X -o JobID,JobIDRaw,State,User,JobName,ElapsedRaw,NodeList -j 1,2,3' "$(cat args)"
	ids=$(cut -d'|' -f1 text | tail -n +2)
	is 0 whichnode $ids
	table=$output
	is 0 whichnode <text
	same "$table" "$output"
	is 3 whichnode $ids 999
	same "$table" "$output"
	same 'whichnode: no record of 1 of 31: 999' "$stderr"
	is 0 whichnode -m hang -u all || true
	same $'-P --delimiter=\037 -D -o JobID,JobIDRaw,State,User,JobName,ElapsedRaw,TotalCPU,NodeList -S now-30days -E now -a' "$(cat args)"
	is 0 whichnode --fields
	same JobID,JobIDRaw,State,User,JobName,Cluster,ElapsedRaw,NodeList "$output"
	printf '#!/bin/sh\n[ "$1" = -e ] && { echo JobID State NodeList; exit; }\nsleep 30 3>&-\n' >fake/sacct
	SECONDS=0
	is 3 whichnode -t 1s 1
	[ "$SECONDS" -le 4 ]
	has "$stderr" 'whichnode: sacct did not answer in time'
}

@test "NUL bytes in names and users are bytes" {
	printf 'JobID|JobName|User|State|NodeList\n' >text
	for k in 1 2 3; do printf '%s|a\0b|u\0v|FAILED|n1\n%s|a\0b|u\0v|COMPLETED|n2\n' 1$k 2$k; done >>text
	is 0 whichnode -q -f text
	same $'n1\t3\t3\t1.000\t0.439\t1.000\t0.000' "$(node n1 | cut -f1-7)"
	printf '9|a|u|FAILED|n\0001\n' >>text
	is 2 whichnode -q -f text
	has "$stderr" 'line 8: NodeList'
}

@test "tasks that have not started are no missing ids" {
	printf 'JobID|State|NodeList\n7_1|COMPLETED|n1\n7_[2-4%%1]|PENDING|None assigned\n' >text
	is 0 whichnode -q -f text 7_1 '7_[2-3]'
	is 3 whichnode -q -f text 7_1 7_5
	same 'whichnode: no record of 1 of 2: 7_5' "$stderr"
}

@test "an id of a cluster is found where the text names that cluster, and nowhere else" {
	printf 'JobID|State|NodeList\n7|COMPLETED|n1\n' >text
	is 3 whichnode -q -f text x/7
	has "$stderr" 'no record of 1 of 1: x/7'
	printf 'JobID|State|NodeList|Cluster\n7|COMPLETED|n1|x\n8_[1-2]|PENDING||x\n' >text
	is 0 whichnode -q -f text x/7 x/8_1
	is 3 whichnode -q -f text y/7
}

@test "a time that stands there and cannot be read is bad input" {
	printf 'JobID|State|NodeList|ElapsedRaw\n7|COMPLETED|n1|9x0\n' >text
	is 2 whichnode -q -f text
	refused
	same "whichnode: text: line 2: ElapsedRaw '9x0' is no time" "$stderr"
}

@test "a directory, or a file that may not be read, was named wrong" {
	is 2 whichnode -f .
	has "$stderr" 'whichnode: .: '
	is 2 sh -c 'whichnode <.'
	is 2 whichnode -f missing
	ln -s loop loop
	is 2 whichnode -f loop
}

@test "what a sacct of ours prints beside its table, or cut, is no answer: 3; of a file it is 2" {
	local text
	mkdir fake
	printf '#!/bin/sh\n[ "$1" = -e ] && { echo JobID State NodeList ElapsedRaw; exit; }\ntr "|" "\\037" <text\n' >fake/sacct
	chmod +x fake/sacct
	PATH=$PWD/fake:$PATH
	for text in '1|FAILED|n1|5\nsacct: error: slurmdbd went away\n' '1|FAILED|n[1-|5\n' '1|FAILED|n1|5\n2|FAI' '1|FAILED|n1|x\n'; do
		# shellcheck disable=SC2059 # escapes
		printf "JobID|State|NodeList|ElapsedRaw\n$text" >text
		is 3 whichnode -q 1
		refused
		is 2 whichnode -q -f text 1
		refused
	done
}

@test "-x: 1 only where nodes could be judged and none is worse; too few runs are no answer, 3, as with --check" {
	printf 'JobID|State|NodeList\n1|FAILED|n1\n2|COMPLETED|n2\n' >text
	for option in -x --check; do
		judge 3 "$option"
		refused_with='whichnode: too few runs to judge any of 2 nodes: 5 are needed on one, of work that ran on others too'
		same "$refused_with" "$(tail -n 1 <<<"$stderr")" "$option"
		same '' "$output"
		judge 3 -q "$option"
		same '' "$stderr"
	done
	{ top; runs n1 a 10 1; runs n2 a 10 1; runs n3 a 1 0; } >text
	judge 1 -x
	same '' "$output"
	same 'whichnode: no node is worse: 2 of 3 could be judged' "$stderr"
	judge 1 -q -x
	same '' "$stderr"
	judge 0 --check
	# one that is worse, and can stand in no list
	{ top; runs 'n[1-2]x y' a 0 8; } >text
	sed -i 's/n\[1-2\]x y/n\/1/' text
	{ runs n2 a 20 1; } >>text
	judge 3 -x
	has "$stderr" "n/1 is no host's name: left out"
}

@test "options that do not go together, bad ones, and a text without what is needed" {
	local words
	while IFS= read -r words; do
		# shellcheck disable=SC2086
		is 2 whichnode $words </dev/null
		same 1 "${#stderr_lines[@]}" "$words: $stderr"
	done <<-'END'
		-x --check -f x
		-r -x -f x
		-n 0 -f x
		-n x -f x
		-m x -f x
		-S 7d -f x
		-t 30 1
		1.batch
		x
	END
	printf 'JobID|State\n1|FAILED\n' >text
	is 2 whichnode -f text
	same 'whichnode: text: no column NodeList: sacct -P -o "$(whichnode --fields)" was expected' "$stderr"
	printf 'State|NodeList\nFAILED|n1\n' >text
	is 2 whichnode -f text
	has "$stderr" 'no column JobID'
	printf 'JobID|State|NodeList\n' >text
	is 3 whichnode -f text
}
