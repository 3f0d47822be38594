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
	# shellcheck disable=SC2034 # refused reads it
	mapfile -t stderr_lines <err
	IFS=$'\t' read -r _ need measured rate runs _ stretch config note <out || true
	[ "$got" = "$want" ] && return
	printf 'status %s, not %s: %s\n%s\n' "$got" "$want" "$*" "$stderr" >&2
	return 1
}

# runs LINE...: the timings, in ./t
runs() {
	[ $# = 0 ] || printf '%s\n' "$@" >t
	[ $# != 0 ] || : >t
}

# enough SECONDS: the only record's need is no less
enough() {
	[ "$need" -ge "$1" ] && return
	printf 'not enough: %s, and it took %s\n' "$need" "$1" >&2
	return 1
}

# ---- the promise

# bats test_tags=smoke
@test "three runs, and what to ask for: the worst rate, and 20 percent" {
	runs $'d1\t100\t13000' $'d1\t100\t13600' $'d1\t50\t6800'
	is 0 unitcost -n 100 t
	same $'d1\t16320\t13600\t136\t3\t100\t1\t-\t-' "$output"
	same '' "$stderr"
	is 0 unitcost -H -n 100 t
	same $'stratum\tneed_s\tmeasured_s\trate_s\truns\tmax_units\tstretch\tconfig\tnote\nd1\t16320\t13600\t136\t3\t100\t1\t-\t-' "$output"
	is 0 unitcost --json -n 100 t
	same '{"stratum":"d1","need_s":16320,"measured_s":13600,"rate_s":"136","runs":3,"max_units":"100","stretch":"1","config":null,"note":null}' "$output"
}

@test "another scale: what 7B took is no measurement of 32B" {
	runs '7B 10 370 model=7B' '7B 10 360 model=7B' '7B 10 365 model=7B'
	printf '%s\n' 7B 32B >strata
	is 1 unitcost -X -n 190 -l strata t
	same 1 "$(wc -l <out)"
	has "$stderr" "unitcost: '32B': no run of it: measure one"
	runs 'gsm 10 370 model=7B' 'gsm 10 1700 model=32B'
	is 1 unitcost -n 100 t
	same '' "$output"
	same "unitcost: 'gsm': runs with model=7B (t:1) and with model=32B (t:2): one is no measurement of the other: choose with -k model=VALUE" "$stderr"
	is 0 unitcost -n 100 -k model=32B t
	enough 17000
	same 'model=32B' "$config"
	same "unitcost: 'gsm': left out: 1 run with another model (7B)" "$stderr"
	has "$note" '1 run left out'
	is 1 unitcost -n 100 -k model=70B t
	same "unitcost: 'gsm': 2 runs with another model (7B), and none with model=70B: measure one" "$stderr"
}

@test "other units: a data set without a run is named; one cut at 74 of 100 is a lower bound; a seed of 7:01 h is enough for one of 10.7 h" {
	printf '%s\n' d1 d2 >strata
	runs 'd1 100 13600'
	is 1 unitcost -n 100 -l strata t
	same "unitcost: 'd2': no run of it: measure one" "$stderr"
	same $'d1\t21760\t13600\t136\t1\t100\t1\t-\t1 run, margin 60%' "$output"

	runs 'd2 74 28490 end=timeout'
	is 0 unitcost -n 100 t
	same $'d2\t63424\t39640\t385\t1\t74\t1.35135\t-\tat least; 1 run, margin 60%; stretched without a trend; 1 of 1 run cut' "$output"
	enough 38500

	runs 'd2 100 7:01:00'
	is 0 unitcost -n 100 t
	enough 38520
	same 25260 "$measured"

	# the shorter run is the worse one: it counts, and not what the longest took
	runs 'd2 100 7:01:00' 'd2 100 7:01:00' 'd2 100 7:01:00' 'd2 74 28490 end=timeout'
	is 0 unitcost -n 100 t
	same 38500 "$measured"
	same 385 "$rate"
	same 'at least; spread, margin 52.4%; 1 of 4 runs cut' "$note"
	enough 38520
}

@test "another machine: runs there say nothing, runs of no machine are kept and noted" {
	runs 'd1 1000 179 cluster=a' 'd1 1000 179 cluster=b'
	is 1 unitcost -n 1000 t
	same "unitcost: 'd1': runs with cluster=a (t:1) and with cluster=b (t:2): one is no measurement of the other: choose with -k cluster=VALUE" "$stderr"
	is 1 unitcost -n 1000 -k cluster=c t
	same "unitcost: 'd1': 2 runs with another cluster (a), and none with cluster=c: measure one" "$stderr"
	is 1 env SLURM_CLUSTER_NAME=c unitcost -n 1000 t
	same "unitcost: 'd1': 2 runs with another cluster (a), and none with cluster=c: measure one" "$stderr"
	is 0 env SLURM_CLUSTER_NAME=c unitcost -n 1000 -k cluster=b t
	same cluster=b "$config"
	is 0 env SLURM_CLUSTER_NAME= unitcost -n 1000 -k cluster=b t

	runs 'd1 1000 179 cluster=a' 'd1 1000 459 cluster=c' 'd1 1000 450' 'd1 1000 440 cluster='
	is 0 unitcost -n 1000 -k cluster=c t
	same 459 "$measured"
	same 'cluster=c' "$config"
	same '2 runs without a cluster; 1 run left out' "$note"
	runs 'd1 1000 450 run=x' 'd1 2000 900 run=x'
	is 0 unitcost -n 1000 -k cluster=c t
	has "$note" '1 run without a cluster'
	same - "$config"
	is 0 unitcost -n 1000 t
	hasnt "$note" cluster
	# without a choice, those of one cluster and of none
	runs 'd1 1 2' 'd1 1 2 cluster=a' 'd1 1 2 cluster=a'
	is 0 unitcost -n 1 t
	same 'cluster=a	1 run without a cluster' "$config	$note"
}

# bats test_tags=smoke
@test "with distance: 459 ms a unit, 564 at ten times the length, 678 at a hundred: enough each time, or refused" {
	runs 'd1 100 45.9' 'd1 100 45.9' 'd1 100 45.9'
	is 0 unitcost -n 1000 t
	enough 564
	same $'689\t574' "$need	$measured"
	is 1 unitcost -n 10000 t
	same '' "$output"
	same "unitcost: 'd1': 10000 units asked, 100 times the longest run (100), and no trend: measure a run of 1000 units or more, or say -X" "$stderr"
	is 0 unitcost -X -n 10000 t
	enough 6780
	runs 'd1 100 45.9' 'd1 1000 564'
	is 0 unitcost -n 10000 t
	enough 6780
	same $'11089\t6931' "$need	$measured"
	same '2 runs, margin 60%; trend x1.23 per factor of ten' "$note"
	runs 'd1 100 45.9' 'd1 1000 564' 'd1 10000 6780'
	is 0 unitcost -n 10000 t
	same 6780 "$measured"
}

@test "140 s rising to 204 s within one run: ten units measured are enough for a hundred" {
	for lines in 'd1 10 1400' $'d1 10 1400\nd1 10 1400\nd1 10 1400' $'d1 5 690 run=a\nd1 10 1400 run=a'; do
		runs "$lines"
		is 0 unitcost -n 100 t
		enough 20400
	done
	# and the run itself shows the rise
	runs 'd1 100 20400 run=a' 'd1 10 1400 run=a'
	is 0 unitcost -n 1000 t
	same $'297258\t1\ttrend x1.46 per factor of ten' "$measured	$runs	${note#*; }"
}

# ---- the cost

# bats test_tags=smoke
@test "points of one run are one run: its last point is its rate, and what it had taken for fewer units is known" {
	runs 'd1 1 600 run=a' 'd1 100 10500 run=a' 'd1 100 10500' 'd1 100 10500'
	is 0 unitcost -n 100 t
	same $'10500\t105\t3' "$measured	$rate	$runs"
	is 0 unitcost -n 1 t
	same 600 "$measured"
	is 0 unitcost -n 2 t
	same 700 "$measured"
	# the order of lines is nothing; a point that stands there twice is one
	runs 'd1 100 10500 run=a' 'd1 1 600 run=a' 'd1 100 10400 run=a' 'd1 1 600 run=a'
	is 0 unitcost -n 2 t
	same 700 "$measured"
	same $'1\t105' "$runs	$rate"
	# run names are of their stratum
	runs 'd1 100 100 run=a' 'd2 10 1000 run=a'
	is 0 unitcost -n 10 t
	same 2 "$(wc -l <out)"
}

@test "more units in less time are no points of one run: bad input, and nothing is printed" {
	runs 'd0 1 1' 'd1 10 1400 run=a' 'd1 20 1300 run=a'
	is 2 unitcost -n 100 t
	refused
	same "unitcost: t:3: run=a has done more than at t:2, in less time: the lines of one run were expected to count from its start" "$stderr"
}

@test "a falling trend is not believed" {
	# separate runs: the worst rate holds at any length
	runs 'd1 10 2000' 'd1 100 14000' 'd1 100 14000'
	is 0 unitcost -n 100 t
	same 20000 "$measured"
	is 0 unitcost -n 1000 t
	same 250000 "$measured"
	has "$note" 'stretched without a trend'
	is 1 unitcost -n 1001 t
	# within a run: no less than its rate, and 1.25 for a factor of ten
	runs 'd1 10 2000 run=a' 'd1 100 14000 run=a'
	is 0 unitcost -n 1000 t
	same 175000 "$measured"
	# as high at both lengths: no trend either
	runs 'd1 10 1000' 'd1 100 10000'
	is 0 unitcost -n 1000 t
	same 125000 "$measured"
	is 1 unitcost -n 1001 t
}

@test "a trend goes through the upper edge, needs lengths a factor of two apart, and is the least of 1.25 beyond what was seen" {
	local lines n want
	while IFS='|' read -r lines n want; do
		printf '%b' "$lines" >t
		is 0 unitcost -n "$n" t
		same "$want" "$measured" "$lines $n"
	done <<-'END'
		d 10 1000\nd 10 900\nd 100 12000\nd 100 9000\n|1000|144000
		d 10 1000\nd 100 12000\nd 1000 144000\n|10000|1728000
		d 10 1000\nd 100 18000\nd 1000 200000\n|10000|2828428
		d 50 5000\nd 100 11000\n|200|24200
		d 51 5100\nd 100 11000\n|1000|137500
		d 10 1000\nd 100 10100\n|1000|102010
		d 10 1000\nd 100 10100\n|2000|270044
		d 100 10000 run=a\nd 120 15000 run=a\n|600|135000
		d 100 10000 run=a\nd 120 12000 run=a\n|120|12000
	END
}

@test "the trend of one run alone holds for that run, and for what is beyond the longest" {
	runs 'd 10 1000 run=a' 'd 100 20000 run=a' 'd 1000 110000'
	is 0 unitcost -n 1000 t
	same 400000 "$measured"
	is 0 unitcost -n 10000 t
	same 8000000 "$measured"
}

@test "without a trend the rate grows by 1.25 for each factor of ten beyond the longest run, and not below" {
	local n want
	runs 'd1 100 10000' 'd1 100 9000' 'd1 10 1000'
	while read -r n want; do
		is 0 unitcost -X -n "$n" t
		same "$want" "$measured" "$n"
	done <<-'END'
		50 5000
		100 10000
		200 21390
		1000 125000
		10000 1562500
	END
	is 0 unitcost -n 50 t
	same 0.5 "$stretch"
	is 0 unitcost -n 5 t
	has "$note" 'below the shortest run'
	is 0 unitcost -n 10 t
	same - "$note"
	runs 'd1 0.3 1'
	is 0 unitcost -n 3 t
	same 10 "$stretch"
}

@test "start and end are added once, before the margin" {
	runs 'd1 100 10000' 'd1 100 10000' 'd1 100 10000'
	is 0 unitcost -n 200 -o 10m -e 0:05 t
	same $'26394\t21995' "$need	$measured"
	is 0 unitcost -n 200 --start 0 --end 0 t
	same 21390 "$measured"
	is 2 unitcost -n 200 -o 10 t
	same "unitcost: -o '10': a bare number is seconds to sleep and minutes to Slurm: write 10s or 10m" "$stderr"
}

@test "the margin is -m, or the spread where that is wider, or 60 percent below three runs" {
	local args lines want
	while IFS='|' read -r args lines want; do
		printf '%b' "$lines" >t
		# shellcheck disable=SC2086
		is 0 unitcost -n 100 $args t
		same "$want" "$need $note" "$args $lines"
	done <<-'END'
		|d 100 100\nd 100 100\nd 100 100\n|120 -
		-m 0|d 100 100\nd 100 100\nd 100 100\n|100 -
		-m 33.5%|d 100 100\nd 100 100\nd 100 100\n|134 -
		|d 100 100\nd 100 100\nd 100 130\n|169 spread, margin 30%
		-m 50|d 100 100\nd 100 100\nd 100 130\n|195 -
		|d 100 100\nd 100 100\nd 100 150\nd 100 150\n|180 -
		|d 100 100\nd 100 100\nd 100 170\nd 100 140\n|241 spread, margin 41.7%
		|d 100 100\nd 100 100\n|160 2 runs, margin 60%
		-m 100|d 100 100\nd 100 100\n|200 2 runs, margin 100%
		|d 100 100\nd 100 500\n|834 2 runs, margin 66.7%
		|d 100 100\n|160 1 run, margin 60%
		|d 50 50 run=a\nd 100 100 run=a\nd 100 100 run=b\n|160 2 runs, margin 60%
	END
	for args in -1 x 10001 '' 1e999 nan 20%%; do
		is 2 unitcost -n 100 -m "$args" t
		refused
	done
}

@test "a cut run is kept; it is 'at least' where it is the worst evidence, and no third run where it says nothing" {
	runs 'd 100 100' 'd 100 100' 'd 100 100' 'd 100 140 end=TIMEOUT'
	is 0 unitcost -n 100 t
	same $'196\t140\t1.4\t4\tat least; spread, margin 40%; 1 of 4 runs cut' "$need	$measured	$rate	$runs	$note"
	runs 'd 100 100' 'd 100 100' 'd 100 100' 'd 100 10 end=timeout'
	is 0 unitcost -n 100 t
	same $'120\t4\t1 of 4 runs cut' "$need	$runs	$note"
	runs 'd 100 100' 'd 100 100' 'd 100 10 end=timeout'
	is 0 unitcost -n 100 t
	same $'160\t3\t2 runs, margin 60%; 1 of 3 runs cut' "$need	$runs	$note"
	runs 'd 100 100 end=timeout' 'd 100 100' 'd 100 100 end=oom'
	is 0 unitcost -n 100 t
	same $'120\tat least; 2 of 3 runs cut' "$need	$note"
	# every word that is not a good end
	for end in ok 'done' completed Complete SUCCESS 0 '' -; do
		runs "d 1 1 end=$end"
		is 0 unitcost -n 1 t
		hasnt "$note" 'at least'
	done
	for end in timeout killed oom 1 okay; do
		runs "d 1 1 end=$end"
		is 0 unitcost -n 1 t
		has "$note" 'at least'
	done
	# a run that went on after it was cut
	runs 'd 10 10 run=a end=timeout' 'd 20 20 run=a'
	is 0 unitcost -n 20 t
	hasnt "$note" 'at least'
}

@test "hung runs are left out by name" {
	runs 'd 100 100' 'd 100 99' 'd 100 100000 end=hung' 'd 100 98' 'd 5 28800 run=x end=hung'
	is 0 unitcost -n 100 t
	same 120 "$need"
	same '2 runs left out' "$note"
	same "unitcost: 'd': left out, hung without using CPU: t:5, t:3" "$stderr" || same "unitcost: 'd': left out, hung without using CPU: t:3, t:5" "$stderr"
	is 0 unitcost -q -n 100 t
	same '' "$stderr"
	runs 'd 100 100000 end=hung'
	is 1 unitcost -q -n 100 t
	same "unitcost: 'd': every run of it hung without using CPU (t:1), which says nothing about cost: measure one" "$stderr"
}

# ---- which runs

@test "runs that differ in any key but run and end are refused, with both values; -k chooses" {
	local lines want
	while IFS='|' read -r lines want; do
		printf '%b' "$lines" >t
		is 1 unitcost -n 1 t
		same "unitcost: 'd': runs with $want" "${stderr%%: one is no*}" "$lines"
	done <<-'END'
		d 1 1 m=a\nd 1 1 m=b\n|m=a (t:1) and with m=b (t:2)
		d 1 1 m=a\nd 1 1\n|m=a (t:1) and with m=(none) (t:2)
		d 1 1\nd 1 1 m=a\n|m=(none) (t:1) and with m=a (t:2)
		d 1 1 m=a k=1\nd 1 1 k=1 m=a\nd 1 1 k=2 m=a\n|k=1 (t:1) and with k=2 (t:3)
		d 1 1 run=a m=a\nd 2 2 run=a m=b\n|m=a (t:1) and with m=b (t:2)
	END
	runs 'd 1 1 m=a k=1' 'd 1 2 k=1 m=a run=r end=ok' 'd 1 3 m=a k=1 end=killed' 'd 1 9 m=b k=1' 'd 1 9 k=1'
	is 0 unitcost -n 1 -k m=a -k k=1 t
	same $'3\tm=a k=1' "$measured	$config"
	same "unitcost: 'd': left out: 1 run with another m (b), 1 run without m=" "$stderr"
	is 0 unitcost -n 1 -k run=r t
	same 2 "$measured"
}

@test "-k takes KEY=VALUE, each key once, and not end" {
	runs 'd 1 1'
	for arg in m m= =a '' end=ok; do
		is 2 unitcost -n 1 -k "$arg" t
		refused
	done
	is 2 unitcost -n 1 -k m=a -k m=b t
	same "unitcost: -k 'm=b': another value of this key stands there already" "$stderr"
	is 1 unitcost -n 1 -k m=a -k m=a t
}

@test "units for all, for one stratum, or only for those named" {
	runs 'd1 100 100' 'd2 100 100' 'd3 100 100'
	is 0 unitcost -n 100 -n d2=50 t
	same 'd1 160,d2 80,d3 160,' "$(cut -f1,2 out | tr '\t\n' ' ,')"
	is 0 unitcost -n d3=10 t
	same 'd3 16,' "$(cut -f1,2 out | tr '\t\n' ' ,')"
	same "unitcost: 2 strata with runs not asked for: 'd1' ..." "$stderr"
	is 1 unitcost -n d3=10 -n d4=10 t
	has "$stderr" "unitcost: 'd4': no run of it: measure one"
	runs 'a=b 1 1'
	is 0 unitcost -n a=b=1e1 t
	same 10 "$stretch"
	for arg in 0 -5 1x '' inf nan 0x10 1e 1e999 d1= d1=0 =5 d1=-1 '1 2' 1e-999; do
		is 2 unitcost -n "$arg" t
		refused
	done
	is 2 unitcost t
	same 'unitcost: no units: -n UNITS, what a job is to do, was expected' "$stderr"
	is 2 unitcost -n 5 -n 6 t
	is 2 unitcost -n d=5 -n d=6 t
	same "unitcost: -n: units for 'd' twice, and not the same" "$stderr"
	is 0 unitcost -n 5 -n 5 -n a=b=5 -n a=b=5 t
}

@test "-l: these strata, in this order; those without a run are named, the rest is left out" {
	runs 'd1 1 1' 'd2 1 1' 'd3 1 1 m=a' 'd3 1 1 m=b'
	printf '%s\n' d2 '' d1 'd 9' '#x' d2 >strata
	is 1 unitcost -n 1 -l strata t
	same 'd2,d1,' "$(cut -f1 out | tr '\n' ,)"
	same "unitcost: 1 stratum with runs not asked for: 'd3'
unitcost: 'd 9': no run of it: measure one
unitcost: '#x': no run of it: measure one" "$stderr"
	printf '%s\n' d2 d1 | unitcost -n 1 -l - t >out
	same 'd2,d1,' "$(cut -f1 out | tr '\n' ,)"
	is 2 unitcost -n d1=1 -l strata t
	same "unitcost: -l: 'd2' has no units: -n UNITS, or -n STRATUM=UNITS for it, was expected" "$stderr"
	is 2 unitcost -n 1 -l -
	is 2 unitcost -n 1 -l nothere t
	same 'unitcost: nothere: No such file or directory' "$stderr"
}

@test "the strata of gridtag --values are those of the timings, whatever bytes they have" {
	local odd=$'a b\t|\\x\e[31m'
	printf '%s\n' 'plain' "$odd" >values
	gridtag --values d d=@values >strata
	{ sed 's/$/	5	50/' strata; } >t
	is 0 unitcost -n 5 -l strata t
	same "$(cat strata)" "$(cut -f1 out)"
	is 0 unitcost -n 5 -n "$odd=10" t
	same 1 "$(cut -f1,7 out | grep -c '31m	2$')"
}

@test "no run at all is no answer: 3; strata that were named are refused: 1" {
	runs
	is 3 unitcost -n 1 t
	refused
	same 'unitcost: no runs in t: has any job written its timing?' "$stderr"
	runs '' '# only this' '   '
	is 3 unitcost -n 1 t
	is 3 unitcost -n 1
	is 1 unitcost -n d=1 t
	echo d >strata
	is 1 unitcost -n 1 -l strata t
	same "unitcost: 'd': no run of it: measure one" "$stderr"
}

# ---- the input

@test "lines: TAB or blanks, comments, CRLF, several files, stdin" {
	printf '\xef\xbb\xbfd1 100 9h\nd1 100 4h\n' >mark
	is 0 unitcost -q -n 100 mark
	same 'd1	51840' "$(cut -f 1,2 <<<"$output")"
	local want=$'d\t160\t100\t1\t1\t100\t1\tk=v\t1 run, margin 60%' line
	for line in 'd 100 100 k=v' $'d\t100\t100\tk=v' $'  d   100\t 100   k=v  ' $'d\t100\t100 k=v # and more x=' $'d 100 100\tk=v\tend=ok' \
		$'d 100 100 k=v\r' 'd 1e2 1.0E+2 k=v' $'d\t\t100\t\t100\t\tk=v' 'd 100 100 k=v end= run=-'; do
		runs '# stratum units seconds' "$line"
		is 0 unitcost -n 100 t
		same "$want" "$output" "$line"
	done
	runs $'my data\t100\t100' $'my data\t100\t100\tk='
	is 0 unitcost -n 100 t
	same $'my data\t2' "$(cut -f1,5 out)"
	echo 'd 1 1' >u
	is 0 unitcost -n 1 t u u
	same $'my data\t2,d\t2,' "$(cut -f1,5 out | tr '\n' ,)"
	same 2 "$(unitcost -n 1 - u <t | wc -l)"
	same 1 "$(unitcost -n 1 <t | wc -l)"
	is 2 unitcost -n 1 - -
	runs 'stratum units seconds' 'd 100 100'
	is 2 unitcost -n 1 t
	same "unitcost: t:1: the units 'units': a number above 0 was expected (a heading begins with #)" "$stderr"
}

@test "a last line without its newline may be cut: bad input, whatever it holds" {
	local text
	for text in 'd 1 1\nd 2 2' 'a 10 1' '# note' 'd 1 1\n '; do
		# shellcheck disable=SC2059 # escapes
		printf "$text" >t
		is 2 unitcost -n 2 -q t
		refused
		has "$stderr" "the last line has no end"
	done
	same "unitcost: t:2: the last line has no end, a newline: was it cut?" "$stderr"
	echo 'd1 10 100' >t
	printf 'd1\nd2' >strata
	is 2 unitcost -n 100 -l strata t
	same "unitcost: strata:2: the last line has no end, a newline: was it cut?" "$stderr"
}

@test "-l: a list that holds no stratum is bad input: an empty file is not what it claims to be" {
	echo 'd1 10 100' >t
	is 2 unitcost -n 100 -l /dev/null t
	same "unitcost: -l /dev/null: no stratum in it: one a line was expected" "$stderr"
	printf '\n\n' >strata
	is 2 unitcost -n 100 -l strata t
	refused
	is 2 unitcost -n 100 -n d1=5 -l strata t
}

@test "seconds as a number or a duration" {
	local word want
	while read -r word want; do
		runs "d 1 $word" "d 1 $word" "d 1 $word"
		is 0 unitcost -n 1 -m 0 t
		same "$want" "$measured" "$word"
	done <<-'END'
		90 90
		90.5 91
		1e3 1000
		.5 1
		90s 90
		10m 600
		1.5h 5400
		4h30m 16200
		2d 172800
		4:00 240
		4:30:00 16200
		2-00:00:00 172800
		1-12 129600
		0m1.234s 2
		01:00.500 61
	END
}

@test "what is no run is bad input, with its line: 2, and nothing is printed" {
	local line want
	while IFS='|' read -r line want; do
		printf 'ok 1 1\n%b\n' "$line" >t
		is 2 unitcost -n 1 t
		refused
		has "$stderr" "unitcost: t:2: $want: "
	done <<-'END'
		d|the line 'd'
		d 1|the line 'd'
		\t100\t136|the line '100'
		d x 1|the units 'x'
		d 0 1|the units '0'
		d -1 1|the units '-1'
		d inf 1|the units 'inf'
		d nan 1|the units 'nan'
		d 0x10 1|the units '0x10'
		d 1e400 1|the units '1e400'
		d 1 0|the seconds '0'
		d 1 -5|the seconds '-5'
		d 1 00:00:00|the seconds '00:00:00'
		d 1 1,5|the seconds '1,5'
		d 1 5x|the seconds '5x'
		d 1 infinity|the seconds 'infinity'
		d 1 1e999|the seconds '1e999'
		my data 100 136|the units 'data'
		d 1 1 k|the word 'k'
		d 1 1 =v|the word '=v'
		d 1 1 k=1 k=2|the word 'k=2'
		d 1 1 run=1 run=1|the word 'run=1'
		d 1 1 end=ok end=ok|the word 'end=ok'
		d\\q 1 1|'d\q'
		d 1 1 k=\\x0|'\x0'
		d 1 1 k=\\x00|'\x00'
	END
	printf 'd 1\0 1\n' >t
	is 2 unitcost -n 1 t
	same 'unitcost: t:1: a NUL byte: text was expected' "$stderr"
	is 2 unitcost -n 1 .
	same 'unitcost: .: Is a directory' "$stderr"
	is 2 unitcost -n 1 nothere
	has "$(runs 'd 1 0'; unitcost -n 1 t 2>&1 || true)" 'SECONDS + 1'
}

@test "hostile strata and values pass as data, and never raw to stderr" {
	local odd='\t|\\$(touch>x)\x1B[31m'
	printf '%s\t5\t50\tk=%s\n' "$odd" "$odd" >t
	is 0 unitcost -n 5 t
	same "$odd" "$(cut -f1 out)"
	same "k=$odd" "$(cut -f8 out)"
	is 1 unitcost -n 500 t
	hasnt "$stderr" $'\e'
	# a megabyte
	{ head -c 1000000 /dev/zero | tr '\0' x; printf '\t5\t50\n'; } >t
	is 0 unitcost -n 5 t
	same 1000001 "$(cut -f1 out | wc -c)"
	is 1 unitcost -n 500 t
	[ "${#stderr}" -lt 300 ]
}

@test "what would take more than ten years is refused" {
	runs 'd 10 1000' 'd 100 1e6'
	is 1 unitcost -n 1e6 t
	same "unitcost: 'd': 1e+06 units would take more than ten years: measure a longer run" "${stderr/1000000/1e+06}"
	is 1 unitcost -X -n 1e299 t
	is 1 unitcost -X -n 1e-300 -n d=1e299 t
}

# ---- sacct

@test "--sacct: a task is a run, its stratum the folded name; time-outs are bounds, hung ones left out by name" {
	cat >t <<-'END'
		JobID|JobName|Partition|State|ElapsedRaw|TotalCPU|Cluster
		1_0|ev_7b_1|gpu|COMPLETED|3600|59:00.000|narval
		1_0.batch|batch||COMPLETED|3600|59:00.000|narval
		1_1|ev_7b_22|gpu|COMPLETED|3500|59:00.000|narval
		1_2|ev_7b_3|gpu|COMPLETED|3400|59:00.000|narval
		1_3|ev_7b_3|gpu|TIMEOUT|7200|01:59:00|narval
		1_4|ev_7b_3|gpu|TIMEOUT|28800|00:01.234|narval
		1_5|ev_7b_3|gpu|FAILED|3|00:00.100|narval
		1_6|ev_7b_3|gpu|CANCELLED by 1000|0|00:00:00|narval
		2|other|gpu|FAILED|30|00:00.100|narval
		3|allocation||COMPLETED|90|00:00.100|narval
		4+0|het|gpu|COMPLETED|100|01:00.000|narval
		4+1|het|gpu|COMPLETED|100|01:00.000|narval
	END
	is 1 unitcost --sacct -n 1 t
	same $'ev_#b_#\t14812\t7200\t7200\t4\t1\t1\tcluster=narval\tat least; spread, margin 106%; 1 of 4 runs cut; 1 run left out
het\t160\t100\t100\t1\t1\t1\tcluster=narval\t1 run, margin 60%' "$output"
	same "unitcost: t: left out: 2 jobs without a time: 1_6 ...
unitcost: 'ev_#b_#': left out, hung without using CPU: 1_4
unitcost: 'ev_#b_#': left out: 1 run that did not complete, none longer than those that did
unitcost: 'ev_#b_#': 'ev_7b_1' and 'ev_7b_22' among others are in it, and its runs spread wide: --by JobName keeps them apart
unitcost: 'other': 1 run of it, and none completed or met its limit: measure one" "$stderr"
	is 0 unitcost -q --sacct --units-per-job 100 -n ev_#b_#=100 t
	same $'7200\t72' "$measured	$rate"
	is 0 unitcost -q --sacct --by Partition -n 1 t
	same gpu "$(cut -f1 out)"
	is 1 unitcost -q --sacct -n 1 -k cluster=fir t
	same '' "$output"
}

@test "--sacct: models that differ in a number are one stratum, which is told where it matters" {
	printf '%s\n' 'JobID|JobName|State|ElapsedRaw' '1|train_7b|COMPLETED|3600' '2|train_7b|COMPLETED|3600' '3|train_70b|COMPLETED|36000' >t
	is 0 unitcost --sacct -n 1 t
	has "$stderr" "'train_#b': 'train_7b' and 'train_70b' among others are in it, and its runs spread wide: --by JobName keeps them apart"
	is 1 unitcost --sacct -n train_7b=1 t
	has "$stderr" "'train_7b': no run of it: the numbers in names are folded: '#' in their place, or --by JobName, was expected"
	is 0 unitcost --sacct --by JobName -n 1 t
	same $'train_7b\t5760\ntrain_70b\t57600' "$(cut -f 1,2 <<<"$output")"
	same '' "$(grep -v 'left out' <<<"$stderr" || true)"
}

@test "--sacct: a time that stands there and cannot be read is bad input; one that is not there is no time" {
	local cells want
	while IFS=' ' read -r cells want; do
		printf 'JobID|JobName|State|ElapsedRaw|Elapsed|TotalCPU\n1|a|COMPLETED|60|00:01:00|00:50\n2|a|COMPLETED|%s\n' "$cells" >t
		is 2 unitcost --sacct -n 1 t
		refused
		same "unitcost: t: line 3: $want" "$stderr"
	done <<-'END'
		|99999-00:00:00| Elapsed '99999-00:00:00' is no time
		9x0|00:15:00| ElapsedRaw '9x0' is no time
		-5x|| ElapsedRaw '-5x' is no time
		900|15| Elapsed '15' is no time
		900|00:15:00|x TotalCPU 'x' is no time
	END
	while read -r cells; do
		printf 'JobID|JobName|State|ElapsedRaw|Elapsed|TotalCPU\n1|a|COMPLETED|60|00:01:00|00:50\n2|a|COMPLETED|%s\n' "$cells" >t
		is 0 unitcost --sacct -n 1 t
		same 'unitcost: t: left out: 1 job without a time: 2' "$stderr"
	done <<-'END'
		||
		|INVALID|INVALID
		|-0:00:16|-0:00:01
		Unknown|Unknown|N/A
		0|00:00:00|00:00:00
	END
	printf 'JobID|JobName|State|Start|End\n1|a|COMPLETED|2026-01-01T00:00:00|2026-01-01T00:01:00\n2|a|COMPLETED|2026-01-01T00:00:00|2026-01-01 00:01\n' >t
	is 2 unitcost --sacct -n 1 t
	same "unitcost: t: line 3: End '2026-01-01 00:01' is no time" "$stderr"
}

@test "--sacct: a stratum none of whose jobs has a time is not answered, and named" {
	printf 'JobID|JobName|State|ElapsedRaw\n1|a|COMPLETED|60\n2_[0-9]|b|PENDING|0\n3|b|CANCELLED|0\n' >t
	is 1 unitcost -q --sacct -n 1 t
	same a "$(cut -f1 <<<"$output")"
	same "unitcost: 'b': 2 jobs of it, and none with a time: measure one" "$stderr"
	is 0 unitcost -q --sacct -n a=1 t
	sed -i 2d t
	is 3 unitcost -q --sacct -n 1 t
}

@test "--sacct: where no CPU was recorded, or the work needs none, no time-out is hung" {
	printf '%s\n' 'JobID|JobName|State|ElapsedRaw|TotalCPU' '1|a|COMPLETED|100|00:00:00' '2|a|TIMEOUT|900|00:00:00' >t
	is 0 unitcost --sacct -n 1 t
	same $'900\tat least' "$measured	${note%%;*}"
	printf '%s\n' '3|a|COMPLETED|100|00:00.100' >>t
	is 0 unitcost --sacct -n 1 t
	same 900 "$measured"
	printf '%s\n' 'JobID|JobName|State|ElapsedRaw|TotalCPU' '1|b|COMPLETED|100|00:00:00' '2|a|TIMEOUT|900|00:00:00' >t
	is 0 unitcost --sacct -n a=1 t
	same 900 "$measured"
	printf '%s\n' 'JobID|JobName|State|ElapsedRaw' '1|a|COMPLETED|100' '2|a|TIMEOUT|900' >t
	is 0 unitcost --sacct -n 1 t
	same 900 "$measured"
	# a job that runs, or failed, and took longer than any that completed
	printf '%s\n' 'JobID|JobName|State|ElapsedRaw' '1|a|COMPLETED|100' '2|a|RUNNING|900' '3|a|FAILED|50' >t
	is 0 unitcost --sacct -n 1 t
	same $'900\tat least' "$measured	${note%%;*}"
}

@test "--sacct: --fields names the columns, text without them is bad input, and so is what is no sacct -P" {
	is 0 unitcost --fields
	same 'JobID,JobName,Partition,Cluster,State,ElapsedRaw,TotalCPU' "$output"
	is 0 unitcost --fields --sacct --by Account
	same 'JobID,JobName,Partition,Cluster,State,ElapsedRaw,TotalCPU,Account' "$output"
	printf '%s\n' 'JobID|JobName|State' '1|a|COMPLETED' >t
	is 2 unitcost --sacct -n 1 t
	refused
	has "$stderr" "there is no column 'ElapsedRaw'"
	printf '%s\n' 'JobID|State|ElapsedRaw' '1|COMPLETED|5' >t
	is 2 unitcost --sacct -n 1 t
	has "$stderr" "there is no column 'JobName'"
	is 2 unitcost --sacct --by WCKey -n 1 t
	has "$stderr" "there is no column 'WCKey'"
	printf '%s\n' 'd 1 1' >t
	is 2 unitcost --sacct -n 1 t
	refused
	printf '%s\n' 'JobID|JobName|State|ElapsedRaw' '1|a|DREAMING|5' >t
	is 2 unitcost --sacct -n 1 t
	has "$stderr" DREAMING
	printf '%s\n' 'JobID|JobName|State|ElapsedRaw' >t
	is 3 unitcost --sacct -n 1 t
	is 2 unitcost --by Account -n 1 t
	is 2 unitcost --units-per-job 5 -n 1 t
	is 2 unitcost --sacct --units-per-job 0 -n 1 t
}

@test "a margin of thousands of percent is written in digits" {
	printf 'd 10 1\nd 10 1\nd 10 40\n' >runs
	is 0 unitcost -n 10 runs
	has "$output" 'spread, margin 3900%'
	printf 'd 10 10\nd 10 10\nd 10 109.96\n' >runs
	is 0 unitcost -n 10 runs
	hasnt "$output" e+
}
