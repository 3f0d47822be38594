#!/usr/bin/env bats
# flushcheck: the verdicts of a whole run; kinds of outputs are in flushcheck-outputs.bats, those that have to be asked about in
# flushcheck-checks.bats, kills, --resume, -p and how it ends in flushcheck-kill.bats
load flushcheck/helper

@test "a line at a time is ok: 0, and one record says how much and when" {
	is 0 flushcheck -o out -- sh -c 'for i in 1 2 3 4 5; do echo $i; sleep 0.06; done >out'
	row path=out verdict=ok records=5 bytes=10 torn=0 at99=5 announced=- after=- lost=- redone=- left_out=-
	same '' "$stderr"
	column at50; [ "$it" -ge 2 ] && [ "$it" -le 4 ]
	column first_s; [[ $it =~ ^0\.[0-9]{3}$ ]]
	column run_s; [[ $it =~ ^[0-9]+\.[0-9]{3}$ ]]
}

@test "the example in -h runs, under set -euo pipefail too" {
	example=$(flushcheck -h | sed -n '/^example:/,$p' | sed 1d)
	is 0 bash -euo pipefail -c "$example"
	row verdict=ok records=5
}

@test "-H puts the columns' names first, --json makes objects" {
	is 0 flushcheck -H -o out -- sh -c 'for i in 1 2 3; do echo $i; sleep 0.05; done >out'
	same $'path\tverdict\trecords\tbytes\tfirst_s\tgap_s\tat50\tat90\tat99\ttorn\trun_s\tannounced\tafter\tlost\tredone\tleft_out' "${lines[0]}"
	is 0 flushcheck --json -o out -- sh -c 'for i in 1 2 3; do echo $i; sleep 0.05; done >out'
	has "$output" '{"path":"out","verdict":"ok","records":3,"bytes":6,'
	has "$output" '"torn":0,'
	has "$output" '"left_out":null}'
}

@test "a header line before everything in the last tenth is at-end all the same" {
	is 1 flushcheck -o out -- sh -c 'echo model,acc >out; sleep 1.5; seq 500 >>out'
	row verdict=at-end records=501 at50=1 at90=1
	has "$stderr" 'flushcheck: out: at-end: 1 of 501 records were on disk at 90 % of '
	is 0 flushcheck -o out2 -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $i >>out2; sleep 0.05; done'
	row verdict=ok
}

@test "--done that matches no line of a whole run is no answer" {
	is 3 flushcheck --done '^finished' -o out -- sh -c 'for i in 1 2 3; do echo $i >>out; echo "unit $i"; sleep 0.05; done'
	row verdict=- announced=0
	has "$stderr" "flushcheck: --done '^finished': no line of the command's output matched: nothing was compared"
	is 0 flushcheck --done '^unit' -o out2 -- sh -c 'for i in 1 2 3; do echo $i >>out2; echo "unit $i"; sleep 0.05; done'
	is 1 flushcheck -q --done 'nothing' -o out3 -- sh -c 'sleep 0.2'
	row verdict=nothing
}

@test "an output that is not there at the end is asked for its path, not its buffer" {
	is 1 flushcheck -o nosuch -- sh -c 'echo 1; sleep 0.1'
	has "$stderr" '; no file of this name is there: is it the right path?'
	hasnt "$stderr" buffer
}

@test "everything in the last tenth is at-end, with the cause" {
	is 1 flushcheck -o out -- sh -c 'sleep 1.5; seq 100 >out'
	row verdict=at-end records=100 at50=0 at90=0
	has "$stderr" 'flushcheck: out: at-end: the first record came after '
	has "$stderr" 'stdbuf -oL, python -u, fflush'
}

@test "a stdio buffer is torn in a whole run, and at the kill, and named" {
	is 1 flushcheck -o out -- "$(w)" block out 2000 200
	row verdict=torn records=2000 torn=0
	has "$stderr" 'flushcheck: out: torn: the last record was cut for '
	has "$stderr" 'it grew in steps of 4096 bytes only: stdio buffering (stdbuf -oL, python -u, fflush, f.flush())'
	rm out
	is 1 flushcheck --kill-at 0.3s -g 0 -o out -- "$(w)" block out 20000 200
	row verdict=torn torn=1
	has "$stderr" 'stdio buffering (stdbuf -oL'
	column bytes; same 0 $((it % 4096))
}

@test "a stdio buffer that was never full: nothing at the kill; line-buffered: every record" {
	is 1 flushcheck --kill-at 0.2s -g 0 -o out -- "$(w)" block out 5000 10000
	row verdict=nothing records=0 bytes=0 at99=0 first_s=-
	has "$stderr" 'flushcheck: out: nothing: 0 complete records, at least 1 expected; if it was printed by then'
	is 0 flushcheck --kill-at 0.2s -g 0 -o out -- "$(w)" line out 5000 10000
	row verdict=ok torn=0
}

@test "python's print is lost at the kill, python -u keeps it: PYTHONUNBUFFERED is taken away, and that is said" {
	python
	prog='import time
for i in range(500): print("unit %d\n" % i, end=""); time.sleep(.01)'
	export PYTHONUNBUFFERED=1
	is 1 flushcheck --kill-at 0.4s -g 0 --log log -- "$PYTHON" -c "$prog"
	row path=log verdict=nothing records=0
	has "${stderr_lines[0]}" "flushcheck: PYTHONUNBUFFERED is taken from the command's environment"
	is 0 flushcheck --kill-at 0.6s -g 0 --log log -- "$PYTHON" -u -c "$prog"
	row verdict=ok
	is 0 flushcheck --keep-env --kill-at 0.6s -g 0 --log log -- "$PYTHON" -c "$prog"
	row verdict=ok
	hasnt "$stderr" PYTHONUNBUFFERED
}

@test "python's file buffer ends at a record: ok, but it is said that records come many at a time" {
	python
	is 0 flushcheck -o out -- "$PYTHON" -c 'import time
f=open("out","w")
for i in range(1500): f.write("record %d of the run\n"%i); time.sleep(.0004)'
	row verdict=ok records=1500
	has "$stderr" 'flushcheck: out: ok, but records came '
}

@test "append and fsync is ok" {
	is 0 flushcheck -o out -- "$(w)" sync out 20 10000
	row verdict=ok records=20 torn=0
}

@test "truncated and written anew in place is rewrite, renamed over is ok" {
	is 1 flushcheck -o out -- sh -c 'for i in 1 2 3 4 5 6; do : >out; sleep 0.03; seq $i >>out; sleep 0.03; done'
	row verdict=rewrite records=6
	has "$stderr" 'flushcheck: out: rewrite: truncated in place: a kill in that moment loses everything'
	is 0 flushcheck -o out -- sh -c 'for i in 1 2 3 4 5 6; do seq $i >new; sleep 0.03; mv new out; sleep 0.03; done'
	row verdict=ok records=6
}

@test "a rewrite is known when it is longer by the next look, and when it is as long" {
	is 1 flushcheck -o out -- "$(w)" over out 10 30000
	row verdict=rewrite
	has "$stderr" 'overwritten in place'
	is 1 flushcheck -o same -- sh -c 'for i in 1 2 3 4 5 6 7 8; do echo "step $i" 1<>same; sleep 0.04; done'
	row verdict=rewrite
	seq 10000 >big
	is 1 flushcheck -o big -- sh -c 'cp big new; mv new big; for i in 1 2 3 4 5 6; do sleep 0.05; echo $i 1<>big; done'
	row verdict=rewrite
}

@test "removed and made anew is rewrite; moved away and begun anew is not" {
	is 1 flushcheck -o out -- sh -c 'for i in 1 2 3 4; do echo $i >out; sleep 0.06; rm out; sleep 0.06; done; echo 5 >out'
	row verdict=rewrite
	has "$stderr" 'removed and made anew'
	is 0 flushcheck -o log -- sh -c 'for i in 1 2 3 4; do echo $i >log; sleep 0.06; mv log old.$i; sleep 0.06; done; echo 5 >log'
	row verdict=ok
}

@test "a cut record that is cut off and written again is no rewrite" {
	is 0 flushcheck -o out -- sh -c 'printf "1\n2\n3" >out; truncate -s 4 out; for i in 3 4 5; do echo $i >>out; sleep 0.2; done'
	row verdict=ok records=5
}

@test "what was there before is not credited" {
	seq 100 >out
	is 1 flushcheck -o out -- sleep 0.1
	row verdict=nothing records=0 bytes=0
	has "$stderr" '0 complete records, at least 1 expected; 100 that were there before do not count'
	is 1 flushcheck -o out -- sh -c 'touch out; sleep 0.1'
	row verdict=nothing
	is 0 flushcheck -o out -- sh -c 'for i in 1 2 3; do echo $i >>out; sleep 0.05; done'
	row verdict=ok records=3 bytes=6
	is 0 flushcheck -o out -- sh -c 'for i in 1 2 3; do { cat out; echo $i; } >new; mv new out; sleep 0.05; done'
	row verdict=ok records=3
	is 0 flushcheck -o out -- sh -c 'for i in 1 2 3 4; do echo $i; sleep 0.05; done >out'
	row verdict=ok records=4 bytes=8
}

@test "no newline behind the last record: torn" {
	is 1 flushcheck -o out -- sh -c 'for i in 1 2 3; do echo $i; sleep 0.05; done >out; printf "4 and" >>out'
	row verdict=torn records=3 torn=1
	has "$stderr" 'torn: the last record is cut: 5 bytes behind the last whole one in out'
}

@test "nothing comes before torn, torn before rewrite, rewrite before at-end, at-end before lag, lag before gap" {
	is 1 flushcheck -n 9 -o out -- sh -c 'for i in 1 2 3; do echo $i; sleep 0.03; done >out; printf x >>out'
	row verdict=nothing records=3 torn=1
	is 1 flushcheck -o out -- sh -c 'for i in 1 2 3; do :>out; sleep 0.04; echo $i >>out; sleep 0.03; done; printf x >>out'
	row verdict=torn
	is 1 flushcheck -u 0.001s -o out -- sh -c 'for i in 1 2 3; do :>out; sleep 0.04; echo $i >>out; sleep 0.03; done'
	row verdict=rewrite
	is 1 flushcheck -u 0.3s --done '^unit' -o end -- sh -c 'exec 2>end; seq -f "unit %g" 4; sleep 1; seq 4 >&2'
	row verdict=at-end announced=4 records=4
	is 1 flushcheck -u 0.3s --done '^unit' -o lag -- sh -c 'exec 2>lag; echo 0 >&2; seq -f "unit %g" 4; sleep 0.5; seq 4 >&2; sleep 0.4'
	row verdict=lag announced=4 records=5
	is 1 flushcheck -u 0.3s --done '^unit' -o gap -- sh -c 'exec 2>gap; echo 0 >&2; echo unit; sleep 0.5; echo 1 >&2; sleep 0.4'
	row verdict=gap announced=1 records=2
}

@test "-n: fewer complete records at the end, or after the kill, are nothing" {
	is 1 flushcheck -n 4 -o out -- sh -c 'for i in 1 2 3; do echo $i; sleep 0.05; done >out'
	row verdict=nothing records=3
	has "$stderr" '3 complete records, at least 4 expected'
	is 0 flushcheck -n 0 -o nowhere -- true
	is 1 flushcheck -n 99 --kill-at 0.2s -g 0 -o out -- sh -c 'while :; do echo 1; sleep 0.05; done >out'
	row verdict=nothing
}

@test "-u: a longer gap is a gap, before the first and behind the last record too; --start excuses the beginning" {
	is 1 flushcheck -u 0.3s -o out -- sh -c 'exec >out; echo 1; sleep 0.5; echo 2'
	row verdict=gap records=2
	has "$stderr" 'without a record, 0.300 allowed'
	is 1 flushcheck -u 0.3s -o out -- sh -c 'exec >out; sleep 0.5; echo 1; sleep 0.1; echo 2'
	row verdict=gap
	is 1 flushcheck -u 0.3s -o out -- sh -c 'exec >out; echo 1; sleep 0.1; echo 2; sleep 0.5'
	row verdict=gap
	is 0 flushcheck -u 0.4s --start 0.5s -o out -- sh -c 'exec >out; sleep 0.5; echo 1; sleep 0.1; echo 2'
	row verdict=ok
}

@test "--done: announced and not on disk, by more than one, is lag" {
	is 1 flushcheck --done '^unit [0-9]+ done' -o out -- sh -c 'echo 0 >out; for i in 1 2 3 4; do echo "unit $i done"; sleep 0.05; done; seq 3 >>out'
	row verdict=lag announced=4 records=4
	has "$stderr" 'flushcheck: out: lag: 3 announced units were not on disk'
	is 0 flushcheck --done '^unit' -o out2 -- sh -c 'for i in 1 2 3 4; do echo "unit $i done"; echo $i >>out2; sleep 0.05; done'
	row verdict=ok announced=4
}
