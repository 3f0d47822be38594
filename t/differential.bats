#!/usr/bin/env bats
# differential.bats - the same question to a tool and to something else that knows the answer, on random input
load helper

# Index sets: the cells that are left of 0..999 without a random list, and that list by awk.
@test "index sets are what awk makes of them" {
	local spec again
	awk -v seed="${SEED:-1}" 'BEGIN {
		srand(seed)
		for (i = 0; i < 20; i++) {
			for (k = 0; k <= int(rand() * 12); k++) {
				a = int(rand() * 1000); b = a + int(rand() * rand() * (1000 - a)); how = int(rand() * 3)
				printf "%s%d", (k > 0 ? "," : ""), a
				if (how > 0) printf "-%d", b
				if (how > 1) printf ":%d", 1 + int(rand() * 9)
			}
			print ""
		}
	}' >specs
	mapfile -t specs <specs
	for spec in "${specs[@]}"; do
		gridtag -l --except "$spec" x=0..999 >left
		again=$(gridtag -a --except "$spec" x=0..999) || [ "$again" = none ]
		if [ "$again" = none ]; then : >gone; else gridtag -l --except "$again" x=0..999 >gone; fi
		# left is what spec does not name, gone what the answer to that does not: together all, and none twice
		awk -v spec="$spec" -v none="$again" 'BEGIN {
			n = split(spec, item, ",")
			for (i = 1; i <= n; i++) {
				split(item[i] "-", end, "-"); split(item[i] ":1", step, ":")
				last = end[2] != "" ? end[2] + 0 : end[1]
				for (v = end[1] + 0; v <= last; v += step[2]) out[v]
			}
		}
		FILENAME == "left" { left[$1]++; if ($1 in out) bad = bad " " $1; next }
		{ gone[$1]++; if (!($1 in out)) bad = bad " " $1 }
		END {
			for (v = 0; v < 1000; v++)
				if (left[v] != !(v in out) || (none != "none" && gone[v] != (v in out))) bad = bad " " v
			if (none == "none" && FNR > 0 && FILENAME == "left") bad = bad " none"
			if (bad != "") { print "--except " spec ", -a " none ":" bad; exit 1 }
		}' left gone >&2
	done
}

@test "host lists are what scontrol makes of them" {
	local list id=0
	command -v scontrol >/dev/null || skip 'no scontrol (apt-get install slurm-client)'
	printf 'ClusterName=x\nSlurmctldHost=localhost\nNodeName=n1\n' >slurm.conf
	export SLURM_CONF=$PWD/slurm.conf
	scontrol show hostnames 'n[1-2]' >/dev/null 2>&1 || skip 'this scontrol does not work without a cluster'
	awk -v seed="${SEED:-1}" '
		function bracket(  k, n, a) {
			n = 1 + int(rand() * 3); printf "["
			for (k = 1; k <= n; k++) {
				a = int(rand() * 120); width = rand() < .5 ? 3 : 1
				printf "%s%0*d", (k > 1 ? "," : ""), width, a
				if (rand() < .6) printf "-%0*d", width, a + int(rand() * 15)
			}
			printf "]"
		}
		BEGIN {
			srand(seed)
			for (i = 0; i < 40; i++) {
				for (k = 0; k <= int(rand() * 3); k++) {
					printf "%s%s", (k > 0 ? "," : ""), (rand() < .5 ? "node" : "c7-")
					if (rand() < .8) bracket()
					if (rand() < .3) { printf "b"; bracket() }
					if (rand() < .3) printf "-ib"
				}
				print ""
			}
		}' >lists
	while IFS= read -r list; do
		scontrol show hostnames "$list" >names 2>/dev/null || continue
		# scontrol knows only names that are named once as such
		sort -u names >want
		[ -s want ] || continue		# not every scontrol takes text behind a bracket
		printf 'JobID|State|NodeList|ElapsedRaw\n%s|COMPLETED|%s|900\n' "$((++id))" "$list" >runs
		whichnode -q -n 1 -f runs | cut -f 1 | sort -u >got || true
		cmp want got || { echo "$list" >&2; return 1; }
		# and the list that is printed of failures on all of them, where it is not cut to 8
		[ "$(wc -l <want)" -le 8 ] || continue
		{ sed 's/.*/&|FAILED/' want; seq 1 40 | sed 's/.*/good&|COMPLETED/'; } |
			awk -F '|' 'BEGIN { print "JobID|State|NodeList|ElapsedRaw" } { for (i = 0; i < 9; i++) print ++id "|" $2 "|" $1 "|900" }' >runs
		list=$(whichnode -q -x -f runs) || continue
		scontrol show hostnames "$list" | sort | cmp want - || { echo "printed as $list" >&2; return 1; }
	done <lists
	[ "$id" -ge 10 ]
}

@test "the histogram is awk's" {
	local i
	for i in 1 2 3; do
		awk -v seed="$i" 'BEGIN {
			srand(seed)
			n = split("COMPLETED FAILED TIMEOUT OUT_OF_MEMORY NODE_FAIL RUNNING PENDING CANCELLED CANCELLED+by+1001", state, " ")
			print "JobID|JobName|State|ExitCode"
			for (task = 0; task < 400; task++) {
				if (rand() < .2) continue
				s = state[1 + int(rand() * rand() * n)]; gsub(/[+]/, " ", s)
				print "9_" task "|a|b|" s "|0:0"
				if (s !~ /PENDING/ && rand() < .5) { print "9_" task ".batch|batch|FAILED|1:0"; print "9_" task ".extern|extern|COMPLETED|0:0" }
			}
		}' >text
		awk -F '|' 'NR > 1 && $1 !~ /[.]/ { s = $(NF - 1); sub(/ by .*/, "", s); n[s]++; sub(/.*_/, "", $1); has[s] = has[s] " " $1 }
			END { for (s in n) print s "\t" n[s] "\t" has[s] }' text | sort >want
		sacct-hist -q -f text | awk -F '\t' '{
			k = split($3, item, ","); all = ""
			for (i = 1; i <= k; i++) {
				split(item[i] "-", end, "-"); split(item[i] ":1", step, ":")
				last = end[2] != "" ? end[2] + 0 : end[1]
				for (v = end[1] + 0; v <= last; v += step[2]) all = all " " v
			}
			print $1 "\t" $2 "\t" all
		}' | while IFS=$'\t' read -r s n all; do printf '%s\t%s\t %s\n' "$s" "$n" "$(tr ' ' '\n' <<<"$all" | sed '/^$/d' | sort -n | paste -sd ' ')"; done | sort >got
		cmp want got || { diff want got >&2; return 1; }
	done
}

@test "a table is what python's csv reader makes of it" {
	command -v python3 >/dev/null || skip 'no python3'
	cat >oracle.py <<-'E'
		import csv, io, random, subprocess, sys
		r = random.Random(int(sys.argv[1]))
		pieces = ["a", "b7", " ", "'", '"', ",", "\\", "x y", "0", "\u00e9", "#", "=", ";", "{tag}", "..", "\n"]
		for n in range(60):
		    rows, width = [], r.randint(1, 4)
		    for i in range(r.randint(1, 6)):
		        row = ["".join(r.choice(pieces) for k in range(r.randint(1, 5))) for w in range(width)]
		        row[0] = "r%d" % i + row[0]
		        rows.append(row)
		    text = io.StringIO()
		    out = csv.writer(text, lineterminator=r.choice(["\n", "\r\n"]), quoting=r.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
		    out.writerow(["ax%d" % w for w in range(width)])
		    out.writerows(rows)
		    text = text.getvalue().encode()
		    open("t.csv", "wb").write(text)
		    want = list(csv.reader(io.StringIO(text.decode(), newline="")))[1:]
		    assert want == rows
		    p = subprocess.run(["gridtag", "-l", "-c", "t.csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
		    if p.returncode != 0:
		        assert p.returncode == 2, (text, p.stderr)
		        print("refused: %s" % p.stderr.decode().strip(), file=sys.stderr)
		        continue
		    got = []
		    for line in p.stdout.decode().split("\n")[:-1]:
		        fields = ["" if f == "-" else f for f in line.split("\t")[2:]]
		        back = {"t": "\t", "n": "\n", "\\": "\\"}
		        for i, f in enumerate(fields):
		            s, k = "", 0
		            while k < len(f):
		                if f[k] == "\\" and f[k + 1] == "x": s += chr(int(f[k + 2:k + 4], 16)); k += 4
		                elif f[k] == "\\": s += back[f[k + 1]]; k += 2
		                else: s += f[k]; k += 1
		            fields[i] = s
		        got.append(fields)
		    assert got == want, (text, got, want)
		    print("same")
	E
	is 0 python3 oracle.py "${SEED:-1}"
	[ "$(grep -c "^same$" <<<"$output")" -ge 40 ] || { echo "$stderr" >&2; return 1; }
}
