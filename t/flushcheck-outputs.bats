#!/usr/bin/env bats
# flushcheck: what is an output, what is a record of it, and what may be said of either
load flushcheck/helper

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

@test "thousands of files, by a glob and by as many -o" {
	mkdir d
	# the looks at them may cost a hundredth of a processor, so that a slow machine looks seldom
	for ((i = 0; i < 500; i++)); do printf -- '-o d/%04d ' $i; done >args
	is 0 flushcheck -q -o 'd/*' $(<args) -- sh -c 's=$(date +%s); seq 5000 | split -l 1 -a 4 -d - d/; sleep $((3 + $(date +%s) - s)); for i in 0 1 2 3 4 5 6 7 8 9; do echo more >>d/0$i$i$i; done; sleep 0.3'
	same 501 ${#lines[@]}
	row verdict=ok records=5010 torn=0
	same '495 ok 1 5 ok 2 ' "$(tail -n +2 <<<"$output" | cut -f 2,3 | sort | uniq -c | tr -s ' \t\n' ' ' | sed 's/^ //')"
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

@test "an output that was written and removed is gone, not the wrong path" {
	is 1 flushcheck -o out -- sh -c 'for i in 1 2 3 4; do echo $i >>out; sleep 0.05; done; rm out'
	row verdict=nothing records=0
	has "$stderr" 'flushcheck: out: nothing: 0 complete records, at least 1 expected; it was written and is gone: removed by the command?'
	is 1 flushcheck -o out -- sleep 0.2
	has "$stderr" '; no file of this name is there: is it the right path?'
}
