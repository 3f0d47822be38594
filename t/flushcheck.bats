load helper

setup_file() {
	${CC:-cc} -O -o "$BATS_FILE_TMPDIR/writer" "$BATS_TEST_DIRNAME/flushcheck/writer.c"
	PYTHON=$(python3 -c 'import sys; print(sys.executable)' || true)
	export PYTHON
	unset PYTHONUNBUFFERED
}

# what a test that failed has left running
teardown() {
	[ -z "${n-}" ] || pkill -xf -- "sleep $n" || true
}

# column NAME: sets $it to that column of the first line of $output
column() {
	local names=(path verdict records bytes first_s gap_s at50 at90 at99 torn run_s announced after lost redone left_out) i values
	IFS=$'\t' read -r -a values <<<"${output%%$'\n'*}"
	same 16 ${#values[@]} "columns of $output"
	for i in "${!names[@]}"; do
		if [ "${names[i]}" = "$1" ]; then it=${values[i]}; return; fi
	done
	return 1
}

# row NAME=VALUE...: fails unless these columns are so
row() {
	local pair
	for pair; do
		column "${pair%%=*}"
		same "${pair#*=}" "$it" "column ${pair%%=*} of $output; $stderr" || return
	done
}

# running ARGS: how many processes have exactly these
running() {
	pgrep -cxf -- "$1" || true
}

# soon CMD...: waits until it succeeds, for 10 s
soon() {
	local i
	for ((i = 0; i < 500; i++)); do "$@" && return; sleep 0.02; done
	return 1
}

w() { echo "$BATS_FILE_TMPDIR/writer"; }
python() { [ -n "$PYTHON" ] || skip 'no python3'; }

# ---- what a run leaves at any point

# a process that took a session of its own is found as its subreaper's child
needs_linux() { [ "${CHECK_BUILD-}" != nolinux ] || skip 'Linux alone has subreapers'; }

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
	is 1 flushcheck -o out -- sh -c 'echo model,acc >out; sleep 0.8; seq 500 >>out'
	row verdict=at-end records=501 at50=1 at90=1
	has "$stderr" 'flushcheck: out: at-end: 1 of 501 records were on disk at 90 % of 0.8'
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

@test "everything in the last tenth is at-end, with the cause" {
	is 1 flushcheck -o out -- sh -c 'sleep 0.7; seq 100 >out'
	row verdict=at-end records=100 at50=0 at90=0
	has "$stderr" 'flushcheck: out: at-end: the first record came after '
	has "$stderr" 'stdbuf -oL, python -u, fflush'
}

@test "a stdio buffer is torn in a whole run, and at the kill, and named" {
	is 1 flushcheck -o out -- "$(w)" block out 2000 200
	row verdict=torn records=2000 torn=0
	has "$stderr" 'flushcheck: out: torn: the last record was cut for '
	has "$stderr" 'it grew in steps of 4096 bytes only: stdio buffering (stdbuf -oL, python -u, fflush)'
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

# ---- kinds of records and outputs

@test "--records: NUL, several bytes, UTF-8; nothing else ends one" {
	is 0 flushcheck --records '\0' -o out -- sh -c 'for i in 1 2 3; do printf "a\nb\0"; sleep 0.05; done >out'
	row records=3 torn=0
	is 0 flushcheck --records '--\n' -o out -- sh -c 'exec >out; printf "a\nb-"; sleep 0.01; printf -- "-\na\nb--\n"; sleep 0.8; printf "c--\n"; sleep 0.1'
	row records=3 torn=0
	is 0 flushcheck --records '\xe2\x80\xa8' -o out -- sh -c 'for i in 1 2 3; do printf "a\nb\342\200\250"; sleep 0.05; done >out'
	row records=3
	is 1 flushcheck --records ';' -o out -- sh -c 'for i in 1 2 3; do printf "a;b\n;"; sleep 0.05; done >out; printf c >>out'
	row records=6 torn=1 verdict=torn
}

@test "--records files: a file counts when nobody writes it any more; one that is open at the kill is torn" {
	mkdir d
	is 0 flushcheck --records files -o 'd/*.json' -- sh -c 'for i in 1 2 3 4; do echo $i >d/$i.new; mv d/$i.new d/$i.json; sleep 0.05; done'
	row 'path=d/*.json' verdict=ok records=4 bytes=8
	is 1 flushcheck --records files --kill-at 0.3s -g 0 -o 'd/*.txt' -- sh -c 'echo 1 >d/1.txt; { echo half; sleep 60; } >d/2.txt'
	row verdict=torn records=1 torn=1
	has "$stderr" 'd/2.txt'
	is 1 flushcheck --records files -i 0.001s --kill-at 0.3s -g 10s -o 'd/*.py' -- sh -c 'echo 1 >d/1.py; exec >d/2.py; echo half; exec sleep 60'
	row verdict=torn records=1 torn=1
	is 1 flushcheck --records files -o 'd/*.void' -- sh -c 'for i in 1 2 3; do echo 1 >d/$i.void; sleep 0.05; done; : >d/4.void'
	row verdict=torn records=3 torn=1
}

@test "-c: a status of 0 is a whole file, a number the count, another status torn" {
	is 0 flushcheck -c 'gzip -t' -o '*.gz' -- sh -c 'for i in 1 2 3; do echo $i | gzip >$i.new; mv $i.new $i.gz; sleep 0.1; done'
	row verdict=ok records=3
	is 1 flushcheck -c 'gzip -t' -o 'cut.gz' -- sh -c 'echo a long enough text | gzip | head -c 20 >cut.gz; sleep 0.1'
	row verdict=nothing records=0 torn=1
	is 1 flushcheck -c 'gzip -t' -o '?-cut.gz' -- sh -c 'echo 1 | gzip >1-cut.gz; sleep 0.2; echo a long enough text | gzip | head -c 20 >2-cut.gz'
	row verdict=torn records=1 torn=1
	has "$stderr" 'the check refuses 1 of its files, 2-cut.gz the first'
	is 0 flushcheck -c 'f() { wc -l <"$1"; }; f' -o '-odd name' -- sh -c 'for i in 1 2 3; do echo $i >>"./-odd name"; sleep 0.1; done'
	row 'path=-odd name' verdict=ok records=3
	is 0 flushcheck -c 'sleep 0.3; test -s' -o slow -- sh -c 'echo 1 >slow; sleep 0.1'	# still checking at the end
	row verdict=ok records=1
	is 3 flushcheck -c 'no-such-command' -o x -- sh -c 'echo 1 >x; sleep 0.1'
	row verdict=-
	has "$stderr" 'x: the check could not be run'
}

@test "-c: a number that is none is no answer, and a check that refuses every file is named" {
	local n
	for n in -5 +5 12345678901234567890123 1.5 1e3 '5 x' $'5\n6'; do
		is 3 flushcheck -c "printf '%s\n' '$n';:" -o x -- sh -c 'echo 1 >x; sleep 0.1'
		row verdict=- records=0
		has "$stderr" 'x: the check printed '
		has "$stderr" 'a number of records and nothing else, or no number, was expected'
	done
	for n in '' ok 'x: 5' - . e '5th try'; do
		is 0 flushcheck -c "printf '%s\n' '$n';:" -o x -- sh -c 'echo 1 >x; sleep 0.1'
		row verdict=ok records=1
	done
	is 1 flushcheck -c 'echo -5; false' -o x -- sh -c 'echo 1 >x; sleep 0.1'
	is 1 flushcheck -c false -o '*.t' -- sh -c 'for i in 1 2 3 4; do echo $i >$i.t; done; sleep 0.1'
	row verdict=nothing records=0 torn=4
	has "$stderr" '*.t: nothing: 0 complete records, at least 1 expected: the check refused 4 files, 1.t the first'
}

@test "a glob is looked at again, a thousand files are one record, hostile names break nothing" {
	mkdir d
	is 0 flushcheck -o 'd/*' -- bash -c 'for i in {1..1000}; do echo $i >d/$i; ((i % 100)) || sleep 0.05; done'
	row verdict=ok records=1000
	printf '%s\n' $'for i in 1 2 3; do for f in $\'d/n\\new\' \'d/[z].txt\' $\'t\\tb\'; do echo $i >>"$f"; done; sleep 0.05; done' >job
	is 0 flushcheck -o $'d/n\new' -o 'd/[z].txt' -o $'t\tb' -- bash job
	same 3 ${#lines[@]}
	has "${lines[0]}" $'d/n\\new\tok\t3'
	has "${lines[1]}" $'d/[z].txt\tok\t3'
	has "${lines[2]}" $'t\\tb\tok\t3'
}

@test "ten thousand files, by a glob and by as many -o" {
	mkdir d
	for ((i = 0; i < 10000; i++)); do printf -- '-o d/%04d ' $i; done >args
	is 0 flushcheck -q -o 'd/*' $(<args) -- sh -c 'seq 10000 | split -l 1 -a 4 -d - d/; sleep 3; for i in 0 1 2 3 4 5 6 7 8 9; do echo more >>d/777$i; done; sleep 0.3'
	same 10001 ${#lines[@]}
	row verdict=ok records=10010 torn=0
	same '9990 ok 1 10 ok 2 ' "$(tail -n +2 <<<"$output" | cut -f 2,3 | sort | uniq -c | tr -s ' \t\n' ' ' | sed 's/^ //')"
}

@test "each byte is read once, and one block with it at a look" {
	strace -o trace true 2>/dev/null || skip 'no strace here'
	is 0 strace -qq -e trace=pread64 -o trace flushcheck -q -o out -- sh -c 'for i in $(seq 100); do seq 10000 19999; sleep 0.005; done >out'
	row records=1000000 bytes=6000000
	read -r n bytes <<<"$(sed 's/.*= //' trace | awk '{ sum += $1 } END { print NR, sum }')"
	echo "$n reads of $bytes bytes"
	[ "$bytes" -ge 6000000 ]
	# a look has no fewer than two reads: the last one finds the end
	[ "$bytes" -le $((6000000 + n * 4096)) ]
	[ "$bytes" -le 9000000 ]
}

@test "two names of one file count once, and a rotated log is not read as new" {
	seq 50 >run.log
	is 0 flushcheck -o '*.log' -- sh -c 'echo 1 >>run.log; ln run.log two.log; ln -s run.log three.log; sleep 0.05; echo 2 >>run.log; sleep 0.05; rm three.log two.log
		mv run.log 1.log; sleep 0.05; echo 3 >>run.log; sleep 0.05'
	row verdict=ok records=3
}

@test "a directory, a FIFO and a device are refused; of one that takes the name later nobody can tell" {
	mkdir dir
	mkfifo pipe
	is 2 flushcheck -o dir -- true; refused; has "$stderr" "-o dir: a directory: 'dir/*' names the files in it"
	is 2 flushcheck -o pipe -- true; refused; has "$stderr" 'a FIFO'
	is 2 flushcheck -o /dev/null -- true; refused; has "$stderr" 'a device'
	is 2 flushcheck --log pipe -- true; refused
	is 3 flushcheck -o x -- sh -c 'mkfifo x; sleep 0.1'
	row verdict=- records=0
	has "$stderr" 'flushcheck: x: a FIFO: only regular files are looked at'
	has "$stderr" 'flushcheck: x: cannot tell: x is a FIFO'
	is 3 flushcheck -o l -- sh -c 'ln -s l l; sleep 0.1'
	row verdict=- records=0
	has "$stderr" 'flushcheck: l: cannot tell: l is a loop of links'
	is 3 flushcheck --kill-at 0.3s -g 0 -o l -- sleep 5
	is 3 flushcheck -o 'p*.out' -- sh -c 'mkfifo p.out; sleep 0.1'
	is 0 flushcheck -o 'q*' -- sh -c 'mkfifo q1; echo 1 >q2; sleep 0.1'
	is 1 flushcheck -o z -- sh -c 'mkfifo z; sleep 0.1; rm z; sleep 0.1'
	row verdict=nothing
	is 1 flushcheck -o n -- sh -c 'ln -s nowhere n; sleep 0.1'
	row verdict=nothing
	is 1 flushcheck -o 'y*' -- sh -c 'mkdir y1; echo 1 >y1/a; sleep 0.1'
	row verdict=nothing
}

@test "a file made longer ahead of its data, and one written through a memory map" {
	is 0 flushcheck -o out -- sh -c 'truncate -s 1M new; for i in 1 2 3; do printf "%07d\n" $i | dd of=new bs=8 seek=$i conv=notrunc status=none; done; sleep 0.05; truncate -s 32 new; mv new out; sleep 0.2'
	row verdict=ok records=3 bytes=32
	is 1 flushcheck --kill-at 0.3s -g 0 -o map -- "$(w)" map map 500 10000
	row verdict=torn torn=1
	column records; [ "$it" -gt 3 ]
	is 1 flushcheck -o map2 -- "$(w)" map map2 20 10000
	row verdict=torn records=20 torn=0
}

@test "one huge record, a million tiny ones" {
	is 1 flushcheck -o out -- sh -c 'head -c 50000000 /dev/zero | tr "\0" x >out; sleep 0.2'
	row verdict=nothing records=0 torn=1 bytes=50000000
	is 0 flushcheck -o out -- sh -c 'yes "" | head -n 1000000 >out; sleep 0.3'
	row verdict=ok records=1000000
}

@test "a file that may not be read: 3, cannot tell" {
	[ "$(id -u)" != 0 ] || { command -v setpriv >/dev/null || skip 'root reads everything, and there is no setpriv'; }
	chmod 777 .
	run_as=()
	[ "$(id -u)" != 0 ] || run_as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	cp "$BIN/flushcheck" ./fc
	"${run_as[@]}" ./fc -h >/dev/null || skip 'this directory is not for another user'
	is 3 "${run_as[@]}" ./fc -o out -- sh -c 'umask 777; : >out; sleep 0.1'
	row verdict=-
	has "$stderr" 'out: Permission denied'
	mkdir -m 711 shut
	is 3 "${run_as[@]}" ./fc -o 'shut/*.out' -- sleep 0.1
	row verdict=-
	[[ $stderr == *'shut'?(/)': Permission denied'* ]] || { echo "$stderr" >&2; false; }	# musl's glob adds the /
}

# ---- the kill

@test "SIGTERM goes to the command's own process; what ignores it is killed after -g, children too" {
	is 0 flushcheck --kill-at 0.3s -g 0.2s -v -o out -- "$(w)" stubborn out 1000 10000
	row verdict=ok
	has "$stderr" 'flushcheck: SIGTERM after 0.'
	has "$stderr" 'SIGKILL to 1 processes after '
	has "$stderr" 'the command was still writing after SIGTERM when its 0.200 s were over'
	n=611.$$$RANDOM
	is 0 flushcheck --kill-at 0.2s -g 0.1s -o out -- sh -c "trap '' TERM; sleep $n & sleep $n & echo 1 >>out; wait"
	same 0 "$(running "sleep $n")"
}

@test "a script that ends on SIGTERM ends the job: its children are killed at once" {
	needs_linux
	n=612.$$$RANDOM
	is 0 flushcheck --kill-at 0.2s -g 20s -o out -- sh -c "echo 1 >out; setsid sleep $n & sleep $n" 3>&-
	same 0 "$(running "sleep $n")"
	has "$stderr" "of the command's processes outlived it: killed, as Slurm does when a job's script ends"
}

@test "a bash trap: only with cmd & wait does it run before the end" {
	is 0 flushcheck --kill-at 0.3s -g 5s -o out -- bash -c 'trap "echo saved >out; exit" TERM; sleep 60 & wait'
	row verdict=ok records=1
	is 1 flushcheck --kill-at 0.3s -g 0.3s -o out2 -- bash -c 'trap "echo saved >out2; exit" TERM; sleep 60'
	row verdict=nothing records=0
}

@test "processes that fork, detach and take a session of their own are killed as well" {
	needs_linux
	n=613.$$$RANDOM
	is 0 flushcheck -o out -- sh -c "(setsid sh -c '(setsid sleep $n &) ; sleep $n' &) ; echo 1 >out; sleep 0.2" 3>&-
	same 0 "$(running "sleep $n")"
	is 0 flushcheck --kill-at 0.2s -g 0 -o out -- sh -c "(setsid sh -c 'trap \"\" TERM; (setsid sleep $n &) ; sleep $n' &) ; echo 1 >>out; sleep $n" 3>&-
	same 0 "$(running "sleep $n")"
}

@test "our own other children are not the command's" {
	n=614.$$$RANDOM
	run -0 bash -c "sleep $n 3>&- >/dev/null 2>&1 & echo \$!; exec flushcheck -q -o out -- sh -c 'echo 1 >out; sleep 0.1'"
	same 1 "$(running "sleep $n")"
	kill "${lines[0]}"
}

@test "--signal B:USR1@1 comes before SIGTERM, to the command's own process; without B: to the others" {
	is 0 flushcheck --kill-at 1.2s --signal B:USR1@1 -g 0 -v -o out -- bash -c 'trap "echo saved >out; exit" USR1; sleep 60 & wait'
	row verdict=ok
	has "$stderr" 'flushcheck: --signal B:USR1@1 after 0.2'
	is 0 flushcheck --kill-at 1.2s --signal SIGUSR1@0.3s -g 0 -o out2 -- sh -c 'bash -c "trap \"echo step >out2; exit\" USR1; sleep 60 & wait"; sleep 60'
	row verdict=ok records=1
	is 1 flushcheck --kill-at 0.3s --signal 10@0.2s -g 0 -o out3 -- sleep 60
	has "$stderr" 'sbatch sends it to steps, and to the script only with B:'
}

@test "--kill-at and a bare number: the share of a run is named beside the durations" {
	is 2 flushcheck --kill-at 90 -o x -- true
	refused
	same 'flushcheck: --kill-at 90: a bare number: write 90% of a first whole run, or 90s or 90m after the start' "$stderr"
	is 2 flushcheck --kill-at 900 -o x -- true
	has "$stderr" 'write 900s or 900m'
}

@test "--kill-at 50% is of a first whole run; a command that ends before the kill tested nothing: 3" {
	is 0 flushcheck --kill-at 50% -g 0 -o out -- sh -c 'for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.05; done >out'
	row verdict=ok
	column records; [ "$it" -ge 2 ] && [ "$it" -le 6 ]
	has "$stderr" 'flushcheck: the whole run took 0.'
	is 3 flushcheck --kill-at 50% -g 0 -o out2 -- sh -c '[ -e out2 ] || { echo 1 >out2; sleep 0.3; }'
	has "$stderr" 'before the kill at '
	has "$stderr" "(if it skips what the whole run has left: --before 'rm -f ...')"
	is 3 flushcheck --kill-at 0.5s -g 0 -o out3 -- sh -c 'echo 1 >out3'
	row verdict=- records=1
	is 3 flushcheck --kill-at 50% -o out3 -- sh -c 'exit 4'
	has "$stderr" 'the first, whole run ended with status 4'
}

resumable() { # LINE: writes ./job, whose first line is LINE
	printf '%s\n' "$1" 'touch out; while [ $n -lt 8 ]; do n=$((n + 1)); sleep 0.02; echo "unit $n" >>out; echo "done $n"; done' >job
}

@test "--resume: a command that goes on where it was loses nothing, does nothing twice, leaves nothing out" {
	resumable 'n=$(cat out 2>/dev/null | wc -l)'
	is 0 flushcheck --kill-at 60% -g 0 --resume --before 'rm -f out' -q -o out -- sh job
	row verdict=ok after=8 lost=0 redone=0 left_out=0
	rm out
	is 0 flushcheck --kill-at 0.15s -g 0 -n 0 --resume --done '^done' -o out -- sh job
	row verdict=ok after=8 lost=0 redone=0 left_out=-
	has "$stderr" 'units that are left out show only against a whole run: --kill-at N%'
}

@test "--resume: what starts over, appends again, skips or drops is told" {
	again() { is 1 flushcheck --kill-at 60% -g 0 --resume --before 'rm -f out' -q -o out -- sh job; column records; }
	resumable ': >out; n=0'; again
	row verdict=redone after=8 lost=0 "redone=$it" left_out=0
	resumable 'n=0'; again
	row verdict=redone "after=$((8 + it))" "redone=$it"
	resumable 'n=$(cat out 2>/dev/null | wc -l); [ $n = 0 ] || n=$((n + 1))'; again
	row verdict=left-out after=7 redone=0 left_out=1
	resumable 'n=$(cat out 2>/dev/null | wc -l); sed -i 1d out 2>/dev/null'; again
	row verdict=lost after=7 lost=1
}

@test "--resume: --id names the unit where records differ from run to run; files are units too" {
	printf '%s\n' 'n=0; while [ $n -lt 8 ]; do n=$((n + 1)); sleep 0.02; echo "unit $n $$" >>out; done' >job
	is 0 flushcheck --kill-at 0.15s -g 0 -n 0 --resume -q -o out -- sh job
	is 1 flushcheck --kill-at 60% -g 0 --resume --id '^unit ([0-9]+)' --before 'rm -f out' -q -o out -- sh job
	column records; row verdict=redone "redone=$it"
	mkdir d
	printf '%s\n' 'for i in 1 2 3 4 5 6; do [ -e d/$i ] || { sleep 0.04; echo $i >d/new; mv d/new d/$i; }; done' >job
	is 0 flushcheck --kill-at 60% -g 0 --resume --records files --before 'rm -f d/*' -o 'd/[0-9]' -- sh job
	row verdict=ok after=6 lost=0 redone=0 left_out=0
	printf '%s\n' 'for i in 1 2 3 4 5 6; do sleep 0.04; echo $i >d/new; mv d/new d/$i; done' >job
	is 1 flushcheck --kill-at 60% -g 0 --resume --records files --before 'rm -f d/*' -o 'd/[0-9]' -- sh job
	column records; row verdict=redone "redone=$it"
}

# ---- -p

@test "-p watches a process that is under way, and ends with it" {
	sh -c 'while [ ! -e go ]; do sleep 0.02; done; for i in 1 2 3 4; do echo $i; sleep 0.06; done >out' 3>&- &
	pid=$!
	(sleep 0.4; : >go) 3>&- &
	is 0 flushcheck -p $pid -o out
	row verdict=ok
	column records; [ "$it" -ge 2 ] && [ "$it" -le 4 ]	# the first may have been there before
	wait
	sh -c 'for i in 1 2 3; do echo "unit $i"; sleep 0.06; done >job.log' 3>&- &
	is 1 flushcheck -p $! --log job.log --done '^unit' -o nowhere
	row path=nowhere verdict=nothing
	wait
	is 3 flushcheck -p 4194304 -o out
	has "$stderr" 'flushcheck: -p 4194304: there is no such process'
	same '' "$output"
}

# ---- the command

@test "a command that fails by itself says nothing: 3, no verdict" {
	is 3 flushcheck -o out -- sh -c 'echo 1 >out; exit 4'
	row verdict=- records=1
	has "$stderr" 'flushcheck: the command ended with status 4 after '
	is 3 flushcheck -o out -- sh -c 'echo 1 >out; kill -9 $$'
	row verdict=-
	has "$stderr" 'was killed by signal 9'
	is 3 flushcheck -o out -- sh -c 'exit 125'
}

@test "a command that cannot be run is 126, one that is not found 127, and nothing is printed" {
	is 127 flushcheck -o out -- ./no-such-command; refused; has "$stderr" "flushcheck: './no-such-command': not found"
	echo 'not executable' >file
	is 126 flushcheck -o out -- ./file; refused; has "$stderr" "'./file' cannot be run: Permission denied"
	is 127 flushcheck --kill-at 1s -o out -- ./no-such-command; refused
}

@test "the command's output goes to a regular file, and is shown on stderr as it grows" {
	is 0 flushcheck -o out -- sh -c '[ -f /dev/stdout ] && [ -f /dev/stderr ] && echo regular; echo err >&2; [ -z "$(cat)" ] && for i in 1 2 3; do echo $i; sleep 0.05; done >out'
	same $'regular\nerr' "$stderr"
	same 1 "${#lines[@]}"
	is 0 flushcheck -q -o out -- sh -c 'echo loud; for i in 1 2 3; do echo $i; sleep 0.05; done >out'
	same '' "$stderr"
	mkdir tmp
	TMPDIR=$PWD/tmp is 0 flushcheck -o out -- sh -c 'for i in 1 2 3; do echo $i; sleep 0.05; done >out'
	same '' "$(ls -A tmp)"
}

@test "--log FILE gets the output and is an output too" {
	is 0 flushcheck --log job.log -o out -- sh -c 'for i in 1 2 3; do echo $i >>out; echo "unit $i"; sleep 0.05; done'
	same 2 ${#lines[@]}
	has "${lines[1]}" $'job.log\tok\t3\t21\t'
	same $'unit 1\nunit 2\nunit 3' "$(cat job.log)"
	same '' "$stderr"
}

@test "a run too short to tell when: 3, or a true answer, never a wrong one" {
	for i in 1 2 3 4 5; do
		status=0
		rm -f out
		flushcheck -q -o out -- sh -c 'echo 1 >out' >row || status=$?
		output=$(cat row)
		column verdict
		case $status.$it in 3.- | 1.at-end | 0.ok) ;; *) cat row; false ;; esac
		row records=1
	done
}

# ---- flushcheck itself

@test "TERM, INT, HUP and a stderr that nobody reads end the command's whole tree, and leave no file" {
	mkdir tmp
	for sig in TERM INT HUP; do	# bash has a background command ignore INT
		n=615.$$$RANDOM
		TMPDIR=$PWD/tmp env --default-signal=INT flushcheck -o out -- sh -c "trap '' TERM INT HUP; setsid sleep $n & sleep $n" >said 2>&1 3>&- &
		soon eval "[ \"\$(running 'sleep $n')\" = 2 ]"
		kill -$sig $!
		status=0
		wait $! || status=$?
		same $((128 + $(kill -l $sig))) "$status" "$sig"
		same 0 "$(running "sleep $n")" "$sig"
		same '' "$(ls -A tmp)"
	done
	n=616.$$$RANDOM
	run bash -c "flushcheck -o out -- sh -c 'sleep $n & while :; do echo loud; sleep 0.01; done' 2>&1 >/dev/null | head -n 1"
	same loud "$output"
	soon eval "[ \"\$(running 'sleep $n')\" = 0 ]"
}

@test "a storm of signals, and being stopped for a while, change no answer" {
	flushcheck -u 5s -o out -- sh -c 'for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.08; done >out' >row 3>&- &
	pid=$!
	for i in {1..150}; do kill -CHLD $pid; kill -WINCH $pid; done
	sleep 0.1; kill -STOP $pid; sleep 0.2; kill -CONT $pid
	wait $pid
	output=$(cat row) stderr=
	row verdict=ok records=8
}

@test "stopped over the moment that decides: cannot tell, 3" {
	flushcheck -o out -- sh -c ': >started; sleep 0.3; echo 1 >out; sleep 0.3' >row 2>err 3>&- &
	pid=$!
	soon test -e started; kill -STOP $pid
	soon test -s out; sleep 0.6; kill -CONT $pid
	status=0; wait $pid || status=$?
	same 3 $status
	output=$(cat row) stderr=$(cat err)
	row verdict=- records=1
	has "$stderr" 'flushcheck: out: cannot tell: the first record came between 0.'
}

@test "stdin closed, stdout closed or full: the run is whole, the lost table is 3" {
	is 0 bash -c "flushcheck -o out -- sh -c 'for i in 1 2 3; do echo \$i; sleep 0.05; done >out' <&-"
	row verdict=ok
	is 3 bash -c "flushcheck -o out -- sh -c 'echo 1 >out; sleep 0.1' >&-"
	has "$stderr" 'the output was lost'
	is 3 bash -c "flushcheck -o out -- sh -c 'echo 1 >out; sleep 0.1' >/dev/full"
	has "$stderr" 'the output was lost'
	is 0 bash -c "flushcheck -o out -- sh -c 'for i in 1 2 3; do echo \$i; sleep 0.05; done >out' 2>&-"
}

@test "called wrong: 2, one line, nothing run" {
	wrong() { is 2 flushcheck "$@"; refused; }
	wrong
	wrong -- touch ran
	wrong -o out
	wrong -o out --
	wrong -o '' -- touch ran
	wrong -o out x -- touch ran
	wrong -n x -o out -- touch ran
	wrong -u 10 -o out -- touch ran; has "$stderr" 'write 10s or 10m'
	wrong -u 0 -o out -- touch ran
	wrong -i 0 -o out -- touch ran
	wrong --records '' -o out -- touch ran
	wrong --records '\q' -o out -- touch ran
	wrong --records lines -c true -o out -- touch ran
	wrong -c true --records files -o out -- touch ran
	wrong --done '(' -o out -- touch ran
	wrong --kill-at 0 -o out -- touch ran
	wrong --kill-at 100% -o out -- touch ran
	wrong --kill-at 45 -o out -- touch ran
	wrong --signal USR1 -o out -- touch ran
	wrong --kill-at 1s --signal NONE -o out -- touch ran
	wrong --kill-at 1s --signal USR1@x -o out -- touch ran
	wrong -g 1s -o out -- touch ran
	wrong --resume -o out -- touch ran
	wrong --kill-at 1s --id x -o out -- touch ran
	wrong -p 1 -o out -- touch ran
	wrong -p 0 -o out
	wrong -p x -o out
	wrong -p 1 --kill-at 1s -o out
	wrong -p 1 --done x -o out
	wrong --no-such-option
	[ ! -e ran ]
}
