#!/usr/bin/env bats
load helper

# is STATUS CMD...: as in helper.bash, but without what makes tables of cases slow: `run` with its many processes,
# and bats' trap before each command of a function. Of the first record the fields are variables.
is() {
	set +T
	answers "$@" && set -T && return
	set -T
	return 1
}

answers() {
	local want=$1 got=0
	shift
	"$@" >out 2>err </dev/null || got=$?
	IFS= read -r -d '' output <out
	IFS= read -r -d '' stderr <err
	output=${output%$'\n'} stderr=${stderr%$'\n'}
	mapfile -t stderr_lines <err
	IFS=$'\t' read -r stratum time limit partitions _ used below note <out || true
	[ "$got" = "$want" ] && return
	printf 'status %s, not %s: %s\n%s\n' "$got" "$want" "$*" "$stderr" >&2
	return 1
}

B=3h,12h,1d,3d,7d

# record NEED MEASURED [STRETCH [NOTE]]: one of unitcost's, in ./n
record() {
	printf 'd1\t%s\t%s\t170\t3\t100\t%s\tmodel=32B cluster=narval\t%s\n' "$1" "$2" "${3:-1}" "${4:--}" >n
}

# fake CODE: an sinfo made of shell code, the only one on PATH
fake() {
	mkdir -p fake
	printf '#!/bin/sh\nPATH=/usr/bin:/bin\n%s\n' "$1" >fake/sinfo
	chmod +x fake/sinfo
}

# with CMD...: with that sinfo
with() {
	PATH=$PWD/fake:$BIN "$@"
}

# ---- the promise

# bats test_tags=smoke
@test "a need: the time in whole minutes, the class that holds it, and what must go to reach the next lower one" {
	is 0 walltime-bucket -b $B 9h
	same $'9h\t09:00:00\t12:00:00\t-\t-\t1.00\t03:00:00 -06:00:00\t-' "$output"
	is 0 walltime-bucket -H -b $B 9h
	same $'stratum\ttime\tlimit\tpartitions\tnodes\tused\tbelow\tnote' "$(head -n 1 out)"
	is 0 walltime-bucket --json -b $B 9h
	same '{"stratum":"9h","time":"09:00:00","limit":"12:00:00","partitions":null,"nodes":null,"used":"1.00","below":"03:00:00 -06:00:00","note":null}' "$output"
	same '' "$stderr"
}

@test "minutes are rounded up, limits are inclusive, and no more is asked for than is needed" {
	local need want
	while read -r need want; do
		is 0 walltime-bucket -b $B "$need"
		same "$want" "$time $limit $used $below" "$need"
	done <<-'END'
		1s 00:01:00 03:00:00 0.02 -
		90s 00:02:00 03:00:00 0.75 -
		3h 03:00:00 03:00:00 1.00 -
		2h59m59s 03:00:00 03:00:00 1.00 -
		3:00:01 03:01:00 12:00:00 0.99 03:00:00 -00:00:01
		4:30:00 04:30:00 12:00:00 1.00 03:00:00 -01:30:00
		0.5s 00:01:00 03:00:00 0.02 -
		2-12 2-12:00:00 3-00:00:00 1.00 1-00:00:00 -1-12:00:00
		7d 7-00:00:00 7-00:00:00 1.00 3-00:00:00 -4-00:00:00
	END
	is 0 walltime-bucket -b 2d 48:00:00
	same $'48:00:00\t2-00:00:00\t2-00:00:00' "$stratum	$time	$limit"
}

@test "nothing is long enough: 1, no record, the longest class is named; the other needs are answered" {
	is 1 walltime-bucket -b $B 7-00:00:01
	refused
	same "walltime-bucket: '7-00:00:01': needs 7-00:01:00, and the longest class is 7-00:00:00: it needs checkpoints, or fewer units a job" "$stderr"
	is 1 walltime-bucket -b $B 8d 1h 9d 2h
	same '1h,2h,' "$(cut -f1 out | tr '\n' ,)"
	same 2 "${#stderr_lines[@]}"
	printf '%s\n' 'p|up|3:00:00|4|1/2/1/4' 'q|up|3:00:00|2|0/2/0/2' 'z|down|9-00:00:00|2|0/2/0/2' >s
	is 1 walltime-bucket --sinfo s 4h
	has "$stderr" 'the longest class is 03:00:00 in p,q: it needs checkpoints'
}

# bats test_tags=smoke
@test "only the margin needs the longer class: the shorter one's limit, if 10 percent above the measured cost are left" {
	record 12960 9800
	is 0 walltime-bucket -b $B -f n
	same $'d1\t03:00:00\t03:00:00\t-\t-\t1.20\t-\tsqueezed, 10.2% left' "$output"
	same "walltime-bucket: 'd1': needs 03:36:00 with its whole margin: 03:00:00 is asked for, the limit of a shorter class: 10.2% above the measured cost is left" "$stderr"
	is 0 walltime-bucket -q -b $B -f n
	same '' "$stderr"
	is 0 walltime-bucket --squeeze never -b $B -f n
	same $'d1\t03:36:00\t12:00:00\t-\t-\t1.00\t03:00:00 -00:36:00\t-' "$output"
	is 0 walltime-bucket --squeeze 11 -b $B -f n
	same 03:36:00 "$time"
	# the edge, to the second: 10800 is 110 percent of 9818.18
	record 12960 9818
	is 0 walltime-bucket -b $B -f n
	same 03:00:00 "$time"
	record 12960 9819
	is 0 walltime-bucket -b $B -f n
	same 03:36:00 "$time"
	# no more than the need, and never below what was measured
	record 9000 8000
	is 0 walltime-bucket -b $B -f n
	same 02:30:00 "$time"
	record 12960 10801
	is 0 walltime-bucket --squeeze 0 -b $B -f n
	same 03:36:00 "$time"
	record 12960 10800
	is 0 walltime-bucket --squeeze 0 -b $B -f n
	same 03:00:00 "$time"
	has "$stderr" 'is left: no margin'
	# the shortest class with enough left, not the one next to the need's
	record 90000 9800
	is 0 walltime-bucket -b $B -f n
	same 03:00:00 "$time"
	record 90000 10000
	is 0 walltime-bucket -b $B -f n
	same 12:00:00 "$time"
	# a need that fits only so
	record 700000 540000
	is 0 walltime-bucket -b $B -f n
	same 7-00:00:00 "$time"
	# a bare need has no margin that is known
	is 0 walltime-bucket -b $B 12960s
	same 03:36:00 "$time"
	for arg in x -1 10001 '' 1.5 %; do
		is 2 walltime-bucket --squeeze "$arg" -b $B 9h
		refused
	done
}

@test "nothing is squeezed that is a lower bound, or stretched without a trend" {
	local stretch said want
	while IFS='|' read -r stretch said want; do
		record 12960 9000 "$stretch" "$said"
		is 0 walltime-bucket -q -b $B -f n
		same "$want" "$time" "$stretch $said"
	done <<-'END'
		1|-|03:00:00
		1|at least|03:36:00
		1|2 runs, margin 60%; at least|03:36:00
		1|at least; trend x1.2 per factor of ten|03:36:00
		10|stretched without a trend|03:36:00
		10|2 runs, margin 60%; stretched without a trend; 1 run cut|03:36:00
		1.35|-|03:36:00
		1e3|-|03:36:00
		10|trend x1.2 per factor of ten|03:00:00
		10|2 runs, margin 60%; trend x1.2 per factor of ten|03:00:00
		0.5|below the shortest run|03:00:00
	END
	record 604801 600000 1 'at least'
	is 1 walltime-bucket -b $B -f n
	has "$stderr" '6-22:40:00 was measured at the least: it needs checkpoints'
	record 604801 600000
	is 1 walltime-bucket -b $B -f n
	has "$stderr" '6-22:40:00 was measured, with too little left for a margin (--squeeze 0 asks for none): it needs checkpoints'
}

# bats test_tags=smoke
@test "records of unitcost from stdin and from a file, with a header and without" {
	printf 'd1 %s\n' '100 5000' '100 5000' '100 5000' >t
	printf 'd 2\t100\t50000\nd 2\t100\t50000\nd 2\t100\t50000\n' >>t
	unitcost -n 100 t >n
	unitcost -H -n 100 t >h
	for file in n h; do
		walltime-bucket -b $B <$file >out
		same 'd1 01:40:00,d 2 16:40:00,' "$(cut -f1,2 out | tr '\t\n' ' ,')"
		is 0 walltime-bucket -b $B -f $file
		same 'd1 01:40:00,d 2 16:40:00,' "$(cut -f1,2 out | tr '\t\n' ' ,')"
	done
	is 3 walltime-bucket -b $B -f -
	refused
	same 'walltime-bucket: stdin: no record of unitcost in it: see what unitcost said' "$stderr"
	is 3 walltime-bucket -b $B
	: >empty
	is 3 walltime-bucket -b $B -f empty
	head -n 1 h >only
	is 3 walltime-bucket -b $B -f only
	is 2 walltime-bucket -b $B -f nothere
	same 'walltime-bucket: nothere: No such file or directory' "$stderr"
	is 2 walltime-bucket -b $B -f .
	is 2 walltime-bucket -b $B -f n 9h
	# a column that was appended
	sed 's/$/\tmore/' n >longer
	is 0 walltime-bucket -b $B -f longer
}

@test "what is no record of unitcost is bad input: a timing file above all" {
	local good=$'d1\t12960\t9800\t170\t3\t100\t1\t-\t-'
	printf 'd1\t300\t136\tk=v\n' >n
	is 2 walltime-bucket -b $B -f n
	refused
	same "walltime-bucket: n:1: 'd1\\t300\\t136\\tk=v': a record of unitcost, nine fields with TABs between, was expected" "$stderr"
	local from to
	while read -r from to; do
		printf '%b\n' "${good/"$(printf %b "$from")"/$(printf %b "$to")}" >n
		is 2 walltime-bucket -b $B -f n
		refused
	done <<-'END'
		12960 x
		12960 0
		12960 -5
		12960 129.60
		12960 9799
		12960 99999999999999999999
		9800 -
		\t3\t \tmany\t
		\t100\t \tx\t
		\t170\t \t-\t
		d1\t \t
	END
	printf '%s\n' 'd\q'"${good#d1}" >n
	is 2 walltime-bucket -b $B -f n
	printf '%s\n' $'stratum\tneed_s\tx\trate_s\truns\tmax_units\tstretch\tconfig\tnote' >n
	is 2 walltime-bucket -b $B -f n
	has "$stderr" "the column 'x'"
	printf 'd\0%s\n' "${good#d1}" >n
	is 2 walltime-bucket -b $B -f n
	same 'walltime-bucket: n:1: a NUL byte: text was expected' "$stderr"
	printf 'd1\t300\t290\t1\t2\tmany\t1\tk=v\t-\n' >n
	is 2 walltime-bucket -b 1h -f n
	same "walltime-bucket: n:1: max_units 'many': a record of unitcost was expected" "$stderr"
}

@test "a stratum that unitcost refuses is in no loop: the pipeline under set -euo pipefail" {
	printf '%s\n' 'd1 100 5000' 'd2 1 5000' 'd3 100 50000' 'd3 100 50000 end=timeout' >t
	cat >loop <<-'END'
		set -euo pipefail
		unitcost -n 100 t >need.tsv || echo "some strata are unmeasured" >&2
		walltime-bucket -b "$1" -f need.tsv | while IFS=$(printf '\t') read -r stratum time rest; do
			spec=$(gridtag -a -w dataset="$stratum" dataset=d1,d2,d3 seed=0..4) && echo sbatch --time="$time" --array="$spec" job.sbatch; done
	END
	is 0 bash loop $B
	same 'sbatch --time=02:14:00 --array=0-4 job.sbatch
sbatch --time=22:14:00 --array=10-14 job.sbatch' "$output"
	has "$stderr" "unitcost: 'd2': 100 units asked, 100 times the longest run (1), and no trend"
	has "$stderr" 'some strata are unmeasured'
	is 1 bash loop 3h,12h
	same 'sbatch --time=02:14:00 --array=0-4 job.sbatch' "$output"
	# nothing was measured: nothing is submitted, and that is no success
	: >t
	is 3 bash loop $B
	same '' "$output"
}

@test "what was measured is enough in time: from timings to the class" {
	printf '%s\n' 'gsm 100 28490' >t
	is 0 bash -c 'unitcost -n 100 t | walltime-bucket -b 3h,12h,1d,3d,7d'
	same $'gsm\t12:00:00\t12:00:00' "$stratum	$time	$limit"
	is 0 bash -c 'unitcost -n 100 t | walltime-bucket --squeeze 60 -b 3h,12h,1d,3d,7d'
	same $'gsm\t12:40:00\t1-00:00:00' "$stratum	$time	$limit"
	# killed at 74 of 100 in 8 h: never again in the class of 12 h by the margin alone
	printf '%s\n' 'gsm 74 28490 end=timeout' 'gsm 74 28490' 'gsm 74 28490' >t
	is 0 bash -c 'unitcost -n 100 t | walltime-bucket -b 3h,12h,1d,3d,7d'
	same $'gsm\t13:13:00\t1-00:00:00' "$stratum	$time	$limit"
}

@test "-s: a line to paste, with what it rests on" {
	local date
	record 16320 13600
	is 0 walltime-bucket -s -b $B -f n
	date=${output##*, }
	[[ $date =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]]
	same "#SBATCH --time=04:32:00  # d1: 170 s/unit, 3 runs of <= 100 units, model=32B cluster=narval, $date" "$output"
	printf 'a\\nb\t60\t60\t0.5\t1\t1\t1\t-\tat least\n' >n
	is 0 walltime-bucket -s -b $B -f n
	same "#SBATCH --time=00:01:00  # a\\nb: at least 0.5 s/unit, 1 run of <= 1 units, $date" "$output"
	is 0 walltime-bucket -s -b $B 9h 10h
	same "#SBATCH --time=09:00:00  # 9h, $date
#SBATCH --time=10:00:00  # 10h, $date" "$output"
	is 1 walltime-bucket -s -b $B 9d
	same '' "$output"
	for arg in -H --json -l; do is 2 walltime-bucket -s $arg -b $B; done
	is 2 walltime-bucket -s -c 1h -b $B
}

@test "hostile strata pass as data, and never raw to stderr" {
	local odd='\t|\\$(touch>x)\x1B[31m\n'
	printf '%s\t12960\t9800\t170\t3\t100\t1\tk=%s\t%s\n' "$odd" "$odd" "$odd" >n
	is 0 walltime-bucket -b $B -f n
	same "$odd" "$stratum"
	same "squeezed, 10.2% left; $odd" "$note"
	hasnt "$stderr" $'\e'
	is 1 walltime-bucket -b 1h -f n
	hasnt "$stderr" $'\e'
	same 1 "${#stderr_lines[@]}"
	{ head -c 1000000 /dev/zero | tr '\0' x; printf '\t60\t60\t0.5\t1\t1\t1\t-\t-\n'; } >n
	is 0 walltime-bucket -b $B -f n
	same 1000001 "$(cut -f1 out | wc -c)"
	is 1 walltime-bucket -b 1m --max 1m -q 2m
}

# ---- the classes

@test "-b: any order, twice the same, without a limit; a limit counts in whole minutes" {
	is 0 walltime-bucket -l -H -b 12h,3h,180m,infinite
	same $'limit\tlimit_s\tpartitions\tnodes\tdefault
03:00:00\t10800\t-\t-\t-
12:00:00\t43200\t-\t-\t-
infinite\t-\t-\t-\t-' "$output"
	is 0 walltime-bucket -b 3h,UNLIMITED 100d
	same $'100d\t100-00:00:00\tinfinite\t-\t-\t1.00\t03:00:00 -99-21:00:00\t-' "$output"
	is 0 walltime-bucket -b 90s,3h 61s
	same $'00:02:00\t03:00:00' "$time	$limit"
	for arg in '' ',' '3h,' ',3h' 3 '3h,,12h' 0 59s '3h,x' -3h; do
		is 2 walltime-bucket -b "$arg" 1h
		refused
	done
	is 2 walltime-bucket -b 60 1h
	same "walltime-bucket: -b '60': a bare number is seconds to sleep and minutes to Slurm: write 60s or 60m" "$stderr"
	is 2 walltime-bucket -b 3h --sinfo s 1h
}

@test "--sinfo: only partitions that are up, one star taken off, rows of one partition joined, nodes counted that are up" {
	cat >s <<-'END'
		cpu*|up|3:00:00|4|1/2/1/4
		gpu|up|3:00:00|2|1/1/0/2
		long|up|7-00:00:00|4|1/0/1/2
		long|up|7-00:00:00|4|2/3/0/5
		old|down|3:00:00|9|0/9/0/9
		off|drain|14-00:00:00|9|0/9/0/9
		not|inact|15-00:00:00|9|0/9/0/9
		any|up|infinite|1|0/0/1/1
	END
	is 0 walltime-bucket -l --sinfo s
	same $'03:00:00\t10800\tcpu,gpu\t3,2\tcpu
7-00:00:00\t604800\tlong\t6\t-
infinite\t-\tany\t0\t-' "$output"
	same '' "$stderr"
	is 0 walltime-bucket --sinfo s 1h 4h 8d
	same $'1h\t01:00:00\t03:00:00\tcpu,gpu\t3,2\t1.00\t-\t-
4h\t04:00:00\t7-00:00:00\tlong\t6\t1.00\t03:00:00 -01:00:00\t-
8d\t8-00:00:00\tinfinite\tany\t0\t1.00\t7-00:00:00 -1-00:00:00\t-' "$output"
	is 0 walltime-bucket --max 2d -l --sinfo s
	same $'03:00:00\t10800\tcpu,gpu\t3,2\tcpu\n2-00:00:00\t172800\tlong,any\t6,0\t-' "$output"
	is 1 walltime-bucket --max 2d --sinfo s 3d
	walltime-bucket --sinfo - -l <s >out
	same 3 "$(wc -l <out)"
	is 2 walltime-bucket --sinfo -
	is 2 walltime-bucket --sinfo - -f -
}

@test "--sinfo: plain %P %l, TABs, a header in any order, a blank line" {
	local want=$'03:00:00\t10800\tcpu\t-\tcpu\n1-00:00:00\t86400\tday\t-\t-'
	local text
	for text in 'cpu* 3:00:00\nday 1-00:00:00\n' 'PARTITION TIMELIMIT\ncpu* 3:00:00 \nday 1-00:00:00' 'cpu*\t3:00:00\nday\t1-00:00:00\n' \
		'cpu*|3:00:00\nday|1-00:00:00\n' 'TIMELIMIT|X|PARTITION\n3:00:00|1|cpu*\n1-00:00:00|2|day\n' 'cpu*|up|3:00:00\n\nday|up|1-00:00:00\n' \
		'PARTITION|AVAIL|TIMELIMIT|DEFAULTTIME\ncpu*|up|3:00:00|n/a\nday|up|1-00:00:00|1:00\nx|down|infinite|1:00\n' \
		'cpu*|up|3:00:00|5\nday|up|1-00:00:00|6\n' 'cpu*|up|3:00:00\r\nday|up|1-00:00:00\r\n'; do
		printf %b "$text\n" >s
		is 0 walltime-bucket -l --sinfo s
		same "$want" "$output" "$text"
	done
	printf 'PARTITION|NODES(A/I/O/T)|TIMELIMIT\ncpu|1/2/3/6|30:00\n' >s
	is 0 walltime-bucket -l --sinfo s
	same $'00:30:00\t1800\tcpu\t3\t-' "$output"
	is 1 walltime-bucket --sinfo s 60m
}

@test "--sinfo: what is no sinfo -o is bad input, with its line: fixed widths, cut rows, odd words" {
	local text
	for text in 'PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\ncpu up 3:00:00 3 mix lab\n' 'cpu\n' '|3:00:00\n' \
		'PARTITION TIMELIMIT\ncpu  3:00:00\n' 'cpu 3:00:00\nday  1-00:00:00\n' 'Unable to contact slurm controller\n' \
		'cpu|up|3:00:00|2|mix|more\n' 'cpu|up|3:00:00\nday|up\n' 'cpu|sideways|3:00:00\n' 'cpu|up|3:00:00|many\n' 'cpu|up|3:00:00|2|1/2/3\n' \
		'cpu|up|3:00:00|2|1/2/3/x\n' 'cpu|up|3:00:00\ncpu|up|4:00:00\n' 'PARTITION|AVAIL\ncpu|up\n' 'a\0b|3:00:00\n'; do
		printf %b "$text\n" >s
		is 2 walltime-bucket --sinfo s 1h
		refused
		has "$stderr" 'walltime-bucket: s:'
	done
	is 2 walltime-bucket --sinfo nothere 1h
}

@test "--sinfo: no partition in it, and nothing else: 3; none that is up is an answer" {
	local text
	for text in '' '\n\n' 'PARTITION|AVAIL|TIMELIMIT\n' 'PARTITION TIMELIMIT\n'; do
		printf %b "$text" >s
		for option in 1h -l '-c 1h'; do
			# shellcheck disable=SC2086 # words
			is 3 walltime-bucket --sinfo s $option
			refused
			same 'walltime-bucket: s: no partition in it: was sinfo answered when it was saved?' "$stderr"
		done
	done
	printf 'cpu|down|3:00:00\n' >s
	is 1 walltime-bucket --sinfo s 1h
	same "walltime-bucket: '1h': needs 01:00:00, and no partition is up (s)" "$stderr"
	is 1 walltime-bucket --sinfo s -l
}

@test "--sinfo: a refusal quotes the whole line, or the whole field" {
	local text want was="the output of sinfo -h -o '%P|%a|%l|%D|%F' was expected"
	while IFS=';' read -r text want; do
		printf '%b\n' "$text" >s
		is 2 walltime-bucket --sinfo s 1h
		refused
		same "walltime-bucket: s:$want: $was" "$stderr"
	done <<-'END'
		a|up|1:00:00|3|1/1/1/3\nb|up|2:00:00|3;2: not as many fields as in the first line: 'b|up|2:00:00|3'
		a|up|1:00:00|3|1/1/1/3\n\nb|up|2:00:00|3|1/2/3;3: the nodes '1/2/3'
		a|up|1:00:00|3|1/2/x/3;1: the nodes '1/2/x/3'
		a|up|1:00:00|3|1/2/3/4/5;1: the nodes '1/2/3/4/5'
		a|up|1:00:00|3|1/1/1/3|x;1: not as many fields as the format has: 'a|up|1:00:00|3|1/1/1/3|x'
		PARTITION|AVAIL\nb|up;2: a table without TIMELIMIT: 'b|up'
		TIMELIMIT|AVAIL\n1:00:00|up;1: a header without PARTITION: 'TIMELIMIT|AVAIL'
		x y|up|1:00:00;1: the partition 'x y'
		a|up|1:00:00\na|up|2:00:00;2: another limit for a partition that stands there already: 'a'
	END
}

@test "a limit that cannot be read is said and skipped, never 0 and never no limit; then none is long enough is no answer" {
	local word
	for word in n/a Unknown 0:00 '' 60 3x NONE; do
		printf 'cpu|up|3:00:00\nodd|up|%s\n' "$word" >s
		is 0 walltime-bucket --sinfo s 1h
		same $'1h\t01:00:00\t03:00:00\tcpu' "$stratum	$time	$limit	$partitions"
		same "walltime-bucket: partition odd is skipped: its time limit is not known ('$word'): --max would say it" "$stderr"
		is 3 walltime-bucket -q --sinfo s 4h
		same '' "$output"
		same "walltime-bucket: '4h': needs 04:00:00, and no partition whose limit is known allows that; the limit of odd is not known: --max would say it" "$stderr"
		is 0 walltime-bucket --max 1d --sinfo s 4h
		same $'04:00:00\t1-00:00:00\todd' "$time	$limit	$partitions"
		is 0 walltime-bucket --sinfo s -c 3h
		same '' "$output$stderr"
		is 3 walltime-bucket --sinfo s -c 4h
		refused
	done
	printf 'odd|up|n/a\n' >s
	is 3 walltime-bucket --sinfo s -l
}

@test "-c: the walltime gate, silent" {
	printf '%s\n' 'cpu*|up|3:00:00|4|1/2/1/4' 'day|up|1-00:00:00|2|1/1/0/2' 'week|down|7-00:00:00|2|1/1/0/2' >s
	local asked want
	while read -r want asked; do
		is "$want" walltime-bucket --sinfo s -c "$asked"
		same '' "$output$stderr" "$asked"
	done <<-'END'
		0 1s
		0 3h
		0 1-00:00:00
		1 1-00:00:01
		1 2d
		1 UNLIMITED
	END
	is 0 walltime-bucket -b 3h,infinite -c infinite
	is 0 walltime-bucket -b 3h,infinite -c 900d
	is 1 walltime-bucket -b 3h -c 3:00:01
	for arg in 60 0 x '' 4h,5h; do is 2 walltime-bucket -b 3h -c "$arg"; refused; done
	is 2 walltime-bucket -b 3h -c 1h 2h
	is 2 walltime-bucket -b 3h -c 1h -l
	is 2 walltime-bucket -b 3h -l 1h
	is 2 walltime-bucket -b 3h -H -c 1h
}

# ---- sinfo itself

@test "sinfo is run once, in a clean environment, and what it prints are the classes" {
	fake 'echo "$*" >>args; env >env; echo "cpu*|up|3:00:00|4|1/2/1/4"; echo "day|up|1-00:00:00|2|1/1/0/2"'
	export SINFO_FORMAT=%x SINFO_PARTITION=gpu SINFO_ODD=1 SLURM_CLUSTERS=other SLURM_CONF=/etc/x LC_ALL=de_DE SLURM_TIME_FORMAT=relative
	is 0 with walltime-bucket 1h 4h
	unset LC_ALL
	same $'1h\t01:00:00\t03:00:00\tcpu\t3\t1.00\t-\t-\n4h\t04:00:00\t1-00:00:00\tday\t2\t1.00\t03:00:00 -01:00:00\t-' "$output"
	same '-h -o %P|%a|%l|%D|%F' "$(cat args)"
	same 'LC_ALL=C,SLURM_BITSTR_LEN=0,SLURM_CONF=/etc/x,SLURM_TIME_FORMAT=standard,' "$(grep -E '^(LC_ALL|SINFO|SLURM)' env | sort | tr '\n' ,)"
	is 0 with walltime-bucket -c 1d
	is 1 with walltime-bucket -c 2d
	is 0 with walltime-bucket -l
	same 2 "$(wc -l <out)"
	# not asked where it is not needed, or where there is nothing to ask it for
	rm args
	is 0 with walltime-bucket -b 3h 1h
	is 3 with walltime-bucket
	[ ! -e args ]
}

@test "sinfo that does not answer is 3, and one line says what to look at" {
	local code want
	while IFS='|' read -r code want; do
		fake "$code"
		is 3 with walltime-bucket -q -t 5s 1h
		refused
		same "walltime-bucket: $want" "$stderr" "$code"
		is 3 with walltime-bucket -t 5s -c 1h
		refused
	done <<-'END'
		echo "slurm_load_partitions: Unable to contact slurm controller (connect failure)" >&2; exit 1|sinfo gave no answer (status 1: slurm_load_partitions: Unable to contact slurm controller (connect failure)): try scontrol ping
		exit 1|sinfo gave no answer (status 1: it said nothing): try scontrol ping
		:|sinfo printed no partition (it said nothing): try sinfo by hand
		echo "cpu up 3:00:00"|sinfo printed no partition (it said nothing): try sinfo by hand
		kill -9 $$|sinfo was killed by signal 9: try it by hand
		printf 'a\0b\n'|sinfo printed a NUL byte: try it by hand
	END
	fake 'echo "cpu|up|3:00:00|2|x"'
	is 3 with walltime-bucket 1h
	same "walltime-bucket: sinfo:1: the nodes 'x': the output of sinfo -h -o '%P|%a|%l|%D|%F' was expected" "$stderr"
	fake 'exec sleep 30'
	is 3 with walltime-bucket -t 1s 1h
	same 'walltime-bucket: sinfo gave no answer within 1 s: try it by hand, or longer with -t' "$stderr"
	rm fake/sinfo
	is 3 with walltime-bucket 1h
	same 'walltime-bucket: sinfo is not in PATH: -b LIMITS or --sinfo FILE would do without it' "$stderr"
}

@test "lines around sinfo's table are said and skipped" {
	fake 'echo "Welcome to the cluster"; echo "cpu|up|3:00:00|2|1/1/0/2"'
	is 0 with walltime-bucket 1h
	same "walltime-bucket: sinfo:1: no line of a table: 'Welcome to the cluster'" "$stderr"
	is 0 with walltime-bucket -q 1h
	same '' "$stderr"
	is 0 with walltime-bucket -c 1h
	same '' "$stderr"
}

@test "a greeting without its newline, and colours, are no name of a partition: 3" {
	local name
	for name in 'Loading slurm/22.05 ... cpu*' '\033[0mcpu*' '\033[32mcpu*\033[0m' 'Mon | cpu'; do
		fake "printf '$name|up|3:00:00|2|1/1/0/2\n'; echo 'day|up|1-00:00:00|2|1/1/0/2'"
		for option in -l '-c 2h' '-q 1h'; do
			# shellcheck disable=SC2086 # words
			is 3 with walltime-bucket $option
			refused
		done
	done
	printf 'PARTITION|TIMELIMIT\n\033[32mcpu\033[0m|3:00:00\n' >s
	is 2 walltime-bucket --sinfo s 1h
	refused
}

@test "called wrong: a file as a need, numbers without a unit, a terminal" {
	is 2 walltime-bucket -b $B need.tsv
	refused
	has "$stderr" 'a file of records is -f FILE'
	for arg in 9 0 -- 9:99 1-2-3 1:2:3:4; do
		is 2 walltime-bucket -b $B 1h "$arg"
		refused
	done
	for arg in 9 0 '' infinite; do is 2 walltime-bucket -b $B --max "$arg" 1h; done
	is 2 walltime-bucket -t 0 1h
	if command -v script >/dev/null; then
		run script -qec "walltime-bucket -b 3h" /dev/null
		same 2 "$status"
		run script -qec "unitcost -n 5" /dev/null
		same 2 "$status"
	fi
}

@test "a last line without its newline may be cut: of a file bad input, of sinfo itself no answer" {
	printf 'a\t11000\t9000\t1\t3\t10\t1\t-\tat lea' >n
	is 2 walltime-bucket -b 3h,12h,1d -f n
	refused
	same 'walltime-bucket: n:1: the last line has no end, a newline: was it cut?' "$stderr"
	printf 'p|10:00' >s
	is 2 walltime-bucket --sinfo s 5m
	refused
	printf 'PARTITION|TIMELIMIT\np|1-00:00:00\nq|10:00' >s
	is 2 walltime-bucket -q --sinfo s -c 11h
	refused
	mkdir fake
	printf '#!/bin/sh\nprintf "p*|up|1-00:00:00|4|1/2/1/4\\nq|up|7-00:00:00|4|1/2/1/4"\n' >fake/sinfo
	chmod +x fake/sinfo
	PATH=$PWD/fake:$PATH
	is 3 walltime-bucket 2d
	refused
	same "walltime-bucket: sinfo's line 2, the last, has no end: was it cut? try sinfo by hand" "$stderr"
}

@test "--sinfo: a column that stands there twice is refused by name" {
	printf 'PARTITION|TIMELIMIT|TIMELIMIT\np|1-00:00:00|10:00\n' >s
	is 2 walltime-bucket --sinfo s 5m
	refused
	has "$stderr" "s:1: a column that stands there twice: 'TIMELIMIT'"
	printf 'PARTITION|AVAIL|TIMELIMIT|PARTITION\np|up|1-00:00:00|p\n' >s
	is 2 walltime-bucket --sinfo s 5m
	has "$stderr" "s:1: a column that stands there twice: 'PARTITION'"
	printf 'PARTITION|CPUS|TIMELIMIT|CPUS\np|1|1-00:00:00|1\n' >s
	is 0 walltime-bucket --sinfo s 5m
}

@test "an error of sinfo's is no table, in a file and beside one" {
	printf 'sinfo: error: Unable to contact slurm controller\n' >s
	is 3 walltime-bucket --sinfo s -c 1d
	same "walltime-bucket: s:1: an error message, no table: 'sinfo: error: Unable to contact slurm controller'" "$stderr"
	mkdir fake
	printf '#!/bin/sh\necho "cpu|up|1-00:00:00|4|0/4/0/4"\necho "sinfo: error: x" >&2\n' >fake/sinfo
	chmod +x fake/sinfo
	PATH=$PWD/fake:$PATH is 3 walltime-bucket -c 2d
	same 'walltime-bucket: sinfo complained (sinfo: error: x): try scontrol ping' "$stderr"
}

@test "-s: a time that the default partition does not allow needs --partition, and that is said" {
	printf 'gpu*|up|2-00:00:00|12|0/12/0/12\nlong|up|14-00:00:00|4|1/1/1/3\n' >s
	is 0 walltime-bucket --sinfo s -s 3d
	has "$output" '#SBATCH --time=3-00:00:00  # 3d, '
	same "walltime-bucket: '3d': 3-00:00:00 is more than the default partition, gpu, allows: --partition=long has to be said too" "$stderr"
	is 0 walltime-bucket --sinfo s -s 1d
	same '' "$stderr"
	printf 'short*|down|1:00:00|10|1/2/3/6\nlong|up|2-00:00:00|10|1/2/3/6\n' >s
	is 0 walltime-bucket --sinfo s -s 5h
	same "walltime-bucket: '5h': the default partition, short, is not up: --partition=long has to be said too" "$stderr"
}
