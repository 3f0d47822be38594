#!/usr/bin/env bats
# flushcheck: outputs that have to be asked about, -c and --records files, while the answer is on its way
load flushcheck/helper

# renames N WHAT: writes ./job, which renames a new ck over the old one N times, a tenth of a second apart; the text is WHAT
renames() {
	printf '%s\n' 'i=0; while [ $i -lt '"$1"' ]; do i=$((i + 1)); sleep 0.1; echo "'"$2"'" >ck.t; mv ck.t ck; done; sleep 0.1' >job
}

@test "-c: a file that is renamed over counts as the one before it until its own check has answered" {
	renames 17 'whole $i'
	# a check every second and a half or more seldom: what was renamed meanwhile is no gap, and none is excluded
	is 0 flushcheck -q -c 'sleep 0.15; grep -q whole' -o ck -- sh job
	row verdict=ok records=1 at50=1 at90=1 at99=1 torn=0
	rm ck
	is 3 flushcheck -u 1s -c 'sleep 0.15; grep -q whole' -o ck -- sh job
	row verdict=- records=1 at50=1 at90=1 at99=1 torn=0
	has "$stderr" ': a quicker check, or a longer run'
	rm ck
	is 0 flushcheck -q -u 1s -c 'grep -q whole' -o ck -- sh job
	row verdict=ok records=1
	rm ck	# one that answers when all is over
	is 0 flushcheck -q -c 'sleep 2.2; grep -q whole' -o ck -- sh job
	row verdict=ok records=1 at50=1 at90=1 at99=1 torn=0
	rm ck	# numbers of records, the same each time
	is 0 flushcheck -q -c 'f() { sleep 0.15; wc -l <"$1"; }; f' -o ck -- sh job
	row verdict=ok records=1 at50=1 at90=1 at99=1 torn=0
	rm ck	# announced units that the last check has not seen are not missing
	renames 3 '$(seq $((3 * i)); seq -f "unit %g" 3 >&2)'
	is 0 flushcheck -q --done '^unit' -n 9 -c 'f() { sleep 0.04; wc -l <"$1"; }; f' -o ck -- sh -c '. ./job >&2'
	row verdict=ok records=9 announced=9
}

@test "-c: a torn file that was renamed over a whole one is torn at the end and after the kill" {
	renames 6 '$([ $i = 6 ] && echo torn || echo whole)'
	is 1 flushcheck -q -c 'sleep 0.2; grep -q whole' -o ck -- sh job
	row verdict=nothing records=0 torn=1 at50=1
	rm ck
	is 1 flushcheck -q --kill-at 2s -g 0 -c 'sleep 0.2; grep -q whole' -o ck -- sh -c '. ./job; sleep 60'
	row verdict=nothing records=0 torn=1 at99=0
	rm ck	# one that answers when all is over
	is 1 flushcheck -q --kill-at 1.5s -g 0 -c 'sleep 2; grep -q whole' -o ck -- sh -c '. ./job; sleep 60'
	row verdict=nothing records=0 torn=1
	echo 'whole, of old' >ck
	renames 3 torn
	is 1 flushcheck -q -c 'sleep 0.2; grep -q whole' -o ck -- sh job
	row verdict=nothing records=0 torn=1 at50=0 at90=0 at99=0
}

@test "-c: torn files that are renamed over each other are no records: a gap, once a check has seen one" {
	printf '%s\n' 'put() { echo "$1" >ck.t; mv ck.t ck; sleep 0.1; }' 'put whole; put whole; i=0' \
		'until [ $i -ge 15 ] && grep -q torn seen; do i=$((i + 1)); put torn; done' 'put whole' >job
	is 1 flushcheck -u 1s -c 'f() { w=$(cat "$1"); echo "$w" >>seen; sleep 0.05; [ "$w" = whole ]; }; f' -o ck -- sh job
	row verdict=gap records=1 torn=0
	has "$stderr" ' s without a record, 1.000 allowed'
}

@test "-c: where a file grew in place and no check came, nobody can tell when: 3" {
	printf '%s\n' 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do echo $i >>out; sleep 0.1; done' >job
	is 3 flushcheck -u 1s -c 'f() { wc -l <"$1"; sleep 0.2; }; f' -o out -- sh job
	row verdict=- records=16
	has "$stderr" 'flushcheck: out: cannot tell: it was written for '
	has "$stderr" ' s without a check (-c): a quicker check, or a longer run'
	rm out	# as many as ten in the last tenth, for all that is known
	is 3 flushcheck -q -c 'f() { wc -l <"$1"; sleep 0.2; }; f' -o out -- sh job
	row verdict=- records=16
	renames 16 '$(seq $i)'	# the same of numbers in files that are renamed
	is 3 flushcheck -q -u 1s -c 'f() { wc -l <"$1"; sleep 0.2; }; f' -o ck -- sh job
	row verdict=- records=16
	# where it did not change, a gap is a gap
	is 1 flushcheck -q -u 1s -c 'f() { sleep 0.1; wc -l <"$1"; }; f' -o gap -- sh -c 'echo 1 >gap; sleep 1.5; echo 2 >>gap'
	row verdict=gap records=2
}

@test "--records files: one that is renamed over counts as the one before it until it is known who writes" {
	is 0 flushcheck -q --records files -o ck -- bash -c 'for i in {1..60}; do echo $i >ck.t; mv ck.t ck; sleep 0.02; done'
	row verdict=ok records=1 at50=1 at90=1 at99=1
	is 1 flushcheck -q --records files --kill-at 1.5s -g 0 -o c2 -- bash -c 'echo 1 >t; mv t c2; sleep 0.9; exec >t; echo half; mv t c2; exec sleep 60'
	row verdict=nothing records=0 torn=1 at50=1 at99=0
}
