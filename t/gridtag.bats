# gridtag.bats - array index -> one cell and one unique tag
# shellcheck disable=SC2030,SC2031 # each test is a subshell of its own, and `call` sets what the test has made local
load helper

# call ARGS...: gridtag ARGS; then $status, and $out and $err, whole, without a process more
call() {
	status=0 out='' err=''
	gridtag "$@" >.out 2>.err </dev/null || status=$?
	IFS= read -r -d '' out <.out || true
	IFS= read -r -d '' err <.err || true
}

# refusals: each line on stdin is `ARGS => TEXT`. gridtag ARGS must end with 2 ($STATUS if set), print nothing on stdout
# and one line on stderr: exactly TEXT, or for `~ PART` one that contains PART.
refusals() {
	local line args want argv status out err
	while IFS= read -r line; do
		args=${line%% => *} want=${line#* => }
		eval "argv=($args)"
		call "${argv[@]}"
		same "${STATUS:-2}" "$status" "status of: gridtag $args" || return
		same '' "$out" "stdout of: gridtag $args" || return
		case $want in
		'~ '*) [[ $err = gridtag:\ *"${want#\~ }"* && ${err%$'\n'} != *$'\n'* ]] ||
			{ printf 'gridtag %s\nwant: ...%s...\n got: %s\n' "$args" "${want#\~ }" "$err" >&2; return 1; } ;;
		*) same "gridtag: $want"$'\n' "$err" "gridtag $args" || return ;;
		esac
	done
}

# answers: each line on stdin is `ARGS => TEXT`. gridtag ARGS must end with 0 and print TEXT, lines joined by a blank.
answers() {
	local line args want argv status out err
	while IFS= read -r line; do
		args=${line%% => *} want=${line#* => }
		eval "argv=($args)"
		call "${argv[@]}"
		out=${out//$'\n'/ }
		same "0 $want" "$status ${out% }" "gridtag $args: $err" || return
	done
}

# files OPTION: each line on stdin is `TEXT => MESSAGE`: gridtag -n OPTION must refuse the file `given` made of TEXT, with
# printf's escapes, and say MESSAGE
files() {
	local line status out err
	while IFS= read -r line; do
		# shellcheck disable=SC2059 # the text is a format on purpose
		printf "${line%% => *}" >given
		call -n "$1" given
		same "2||gridtag: ${line#* => }"$'\n' "$status|$out|$err" "$1 ${line%% => *}" || return
	done
}

# shells: the shells of the POSIX family there are, one a line
shells() {
	local s
	for s in sh dash bash 'zsh -f' mksh 'busybox sh'; do
		if ! command -v "${s%% *}" >/dev/null; then
			echo "# no ${s%% *} here" >&3
		elif [ "$s" != sh ] || [ ! "$(command -v sh)" -ef "$(command -v dash)" ]; then
			echo "$s"
		fi
	done
}

# true_soon CMD: waits for at most 10 s until CMD succeeds
true_soon() {
	local i
	for ((i = 0; i < 500; i++)); do
		if eval "$1"; then return; fi
		sleep 0.02
	done
	echo "never came true: $1" >&2
	return 1
}

# little KIB CMD...: within 10 s and with that much address space, where the build can live on little (a sanitizer's cannot)
little() {
	local kib=$1
	shift
	(
		grep -qa __asan_init "$BIN/gridtag" || ulimit -v "$kib"
		timeout 30 "$@"
	)
}

# as_nobody CMD...: without root's right to read everything
as_nobody() {
	if [ "$(id -u)" = 0 ]; then setpriv --reuid 65534 --clear-groups "$@"; else "$@"; fi
}

# x N: that many bytes
x() {
	local s
	if [ "$1" -gt 1000 ]; then head -c "$1" /dev/zero | tr '\0' x; return; fi
	printf -v s "%$1s" ''
	printf %s "${s// /x}"
}

# ---- a grid on the command line ----

@test "the last axis varies fastest and the first index is 0" {
	is 0 gridtag -l model=7b,32b seed=0..2
	same $'0\t7b+0\t7b\t0
1\t7b+1\t7b\t1
2\t7b+2\t7b\t2
3\t32b+0\t32b\t0
4\t32b+1\t32b\t1
5\t32b+2\t32b\t2' "$output"
	same '' "$stderr"
}

@test "every form of a GRID word gives its values" {
	answers <<-'E'
		--values a a=7b => 7b
		--values a a=7b,32b => 7b 32b
		--values a a=0..4 => 0 1 2 3 4
		--values a a=0..0 => 0
		--values a a=0..100..25 => 0 25 50 75 100
		--values a a=0..9..4 => 0 4 8
		--values a a=5..5..7 => 5
		--values a a=098..101 => 098 099 100 101
		--values a a=0..010..5 => 000 005 010
		--values a a=-2..2..2 => -2 0 2
		--values a a=1..3,7,09..10 => 1 2 3 7 09 10
		--values a a=1.5,.5,-3,1e-3 => 1.5 .5 -3 1e-3
		--values a a=1..2,..,../x,x/.. => 1 2 .. ../x x/..
		--values a a=x:y => x:y
		--values a a=x=y,== => x=y ==
		--values a 'a=x y' => x y
		--values a a=x,@y => x @y
		--values a a:b=7b:32,32b:8 => 7b 32b
		--values b a:b=7b:32,32b:8 => 32 8
		--values c a:b:c=1:2:3,1:2:4 => 3 4
		--values a a:b=1:x,1:y,2:x => 1 2
		-n a:b=7b:32,32b:8 c=0..9 => 20
		--values a_B9 a_B9=1 => 1
	E
}

@test "a backslash makes the next character an ordinary one" {
	answers <<-'E'
		--values a 'a=x\,y,z' => x,y z
		--values a 'a=\@x' => @x
		--values a 'a=1\..4' => 1..4
		--values a 'a=1.\.4' => 1..4
		--values a 'a=\\,\#' => \\ #
		--values a 'a:b=x\:y:z' => x:y
		--values b 'a:b=x\:y:z' => z
		--values a 'a=x\\\,y' => x\\,y
		--values a 'a=\t\n\x41' => \t\nA
	E
	is 0 gridtag -q -i 0 'a=\ x\ ' 'b=\xfF'
	same $'export TAG=\'0~~20x~20+~FF\' a=\' x \' b=\'\xff\' || case $- in *i*) (exit 2) ;; *) exit 2 ;; esac' "$output"
}

# bats test_tags=smoke
@test "axes that vary together are one group of the product" {
	is 0 gridtag -l a:b=7b:32,32b:8 c=x,y
	same $'0\t7b+32+x\t7b\t32\tx\n1\t7b+32+y\t7b\t32\ty\n2\t32b+8+x\t32b\t8\tx\n3\t32b+8+y\t32b\t8\ty' "$output"
}

@test "axis=@FILE takes one value a line, of any bytes" {
	printf 'a b,c\r\n0..4\n\\x41 #\xff\n@x\n  y' >list
	is 0 gridtag -l v=@list
	same $'0\ta~20b~2Cc\ta b,c\n1\t0..4\t0..4\n2\t0~~5Cx41~20~23~FF\t\\\\x41 #\xff\n3\t0~~40x\t@x\n4\t0~~20~20y\t  y' "$output"
	is 0 gridtag --values v v=@- <list
	same 5 "${#lines[@]}"
	LC_ALL=C awk 'BEGIN { for (i = 1; i < 256; i++) if (i != 10) printf "%c.\n", i }' >bytes
	is 0 gridtag -n v=@bytes
	same 254 "$output"
	gridtag -l v=@bytes | LC_ALL=C cut -f2 | LC_ALL=C sort -u >tags
	same 254 "$(wc -l <tags)" "tags of values of every byte"
}

@test "a list file that is missing, empty, blank, cut or doubled is refused with its line" {
	: >empty
	printf 'a\n\nb\n' >blank
	printf '\xef\xbb\xbfa\nb\n' >mark
	is 0 gridtag -T -q -i 0 s=@mark
	same a "$output"
	printf '\xef\xbb\xbfs=a,b\n' >mark
	is 0 gridtag -n -f mark
	printf 'a\r\n\r\n' >cr
	printf 'a\nb\0c\n' >nul
	printf 'a\nb\na\r\n' >twice
	mkdir dir
	{ echo 1; x 10000000; } >long
	refusals <<-'E'
		-n v=@none => none: No such file or directory
		-n v=@none/x => none/x: No such file or directory
		-n v=@empty/x => empty/x: Not a directory
		-n v=@dir => dir: Is a directory
		-n v=@empty => empty: an empty file: one value a line was expected
		-n v=@blank => blank:2: an empty line: one value a line was expected
		-n v=@cr => cr:2: an empty line: one value a line was expected
		-n v=@nul => nul:2: a NUL byte: text was expected
		-n v=@twice => twice: lines 1 and 3 are the same ('a'): each value once was expected
		-n v=@long => long:2: axis v: value 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' of 10000000 bytes: at most 65536 can be handed to a command
		-n v:w=@blank => 'v:w=@blank': one axis was expected before =@ (a table of cells holds several)
	E
	cp "$BIN/gridtag" .
	chmod 0 blank
	is 2 as_nobody ./gridtag -n v=@blank
	same 'gridtag: blank: Permission denied' "$stderr"
}

@test "a file without a name is refused in words that say so" {
	refusals <<-'E'
		-n v=@ => ~ ''
		-n -f '' => ~ ''
		-n -c '' => ~ ''
	E
}

@test "a value of 65536 bytes is the longest" {
	x 65536 >most
	is 0 gridtag -q -i 0 v=@most
	same $((65536 + 198 + 18 + 49)) "${#output}" "bytes of the cell's code"
	x 65537 >longer
	is 2 gridtag -n v=@longer
	has "$stderr" 'of 65537 bytes'
}

@test "a bad GRID word is refused by name" {
	refusals <<-'E'
		-n => no grid: axis=values, -f FILE or -c FILE was expected
		-n a => 'a': axis=values was expected
		-n a=1 - => '-': axis=values was expected
		-n a=1 -q => '-q' stands behind the first operand: options come first
		-n =1 => axis name '': a lower-case letter, then letters, digits and _ were expected
		-n a=1 a=2 => axis 'a': it stands in the grid already: each axis once was expected
		-n a:a=1:2 => axis 'a': it stands in the grid already: each axis once was expected
		-n a=1,2,1 => axis a: value '1' stands twice, as number 1 and 3: each once was expected
		-n a=0..4,2 => axis a: value '2' stands twice, as number 3 and 6: each once was expected
		-n 'a=x,\x78' => axis a: value 'x' stands twice, as number 1 and 2: each once was expected
		-n a=4..0 => '4..0': a range that runs upward, by a step of 1 or more, was expected
		-n a=0..4..0 => '0..4..0': a range that runs upward, by a step of 1 or more, was expected
		-n a=0..4..-1 => '0..4..-1': a range that runs upward, by a step of 1 or more, was expected
		-n a=0..x => '0..x': a range 0..4 or 0..100..10 of whole numbers was expected, or \.. where it is a plain value
		-n a=x..4 => ~ 'x..4': a range 0..4
		-n a=0.. => '0..': a range 0..4 or 0..100..10 of whole numbers was expected, or \.. where it is a plain value
		-n a=1...4 => '1...4': a range 0..4 or 0..100..10 of whole numbers was expected, or \.. where it is a plain value
		-n a=1.5..2 => '1.5..2': a range 0..4 or 0..100..10 of whole numbers was expected, or \.. where it is a plain value
		-n a=1..2..3..4 => '1..2..3..4': a range 0..4 or 0..100..10 of whole numbers was expected, or \.. where it is a plain value
		-n a=0..9999999999999999999 => ~ '0..9999999999999999999': a range 0..4
		-n a=0..20000000,x => '0..20000000': so long a range can only stand alone
		-n a=0..999999999999999999 b=0..9 => a grid of more than 4611686018427387904 cells
		-n a:b=1 => '1': 2 values with : between them were expected
		-n a:b:c=1:2 => '2': 2 values with : between them were expected
		-n a:b=1:2:3 => '2:3': one : too many (write \: where it belongs to the value)
		-n a:b=0..3 => '0..3': a range cannot stand where axes vary together: values were expected
		-n 'a= 1' => value ' 1' begins with a blank: write \ before it if it is meant
		-n 'a=1 ,2' => value '1 ' ends with a blank: write \ before it if it is meant
		-n 'a=1\' => value '1\' ends with a backslash: a character was expected behind it
		-n 'a=\d' => \d in value '\d': \t \n \xNN or \ before a character that is no letter or digit was expected
		-n 'a=\x0g' => \x in value '\x0g': \t \n \xNN or \ before a character that is no letter or digit was expected
		-n 'a=\x00' => \x in value '\x00': \t \n \xNN or \ before a character that is no letter or digit was expected
		-n 'a=\x4' => \x in value '\x4': \t \n \xNN or \ before a character that is no letter or digit was expected
	E
}

@test "an empty value is refused naming its axis" {
	refusals <<-'E'
		-n zeta= => ~ zeta
		-n zeta=1, => ~ zeta
		-n zeta=,1 => ~ zeta
		-n zeta=1,,2 => ~ zeta
		-n a:zeta=1: => ~ zeta
		-n -w zeta= zeta=1 => ~ zeta
	E
}

@test "a doubled position of axes that vary together is named whole" {
	refusals <<-'E'
		-n a:b=1:2,1:3,1:2 => ~ 1:2
	E
}

@test "an axis name that a shell or a program takes for something else is refused" {
	local name
	refusals <<-'E'
		-n A=1 => axis name 'A': a lower-case letter, then letters, digits and _ were expected
		-n 1a=1 => axis name '1a': a lower-case letter, then letters, digits and _ were expected
		-n _a=1 => axis name '_a': a lower-case letter, then letters, digits and _ were expected
		-n a-b=1 => axis name 'a-b': a lower-case letter, then letters, digits and _ were expected
		-n a.b=1 => axis name 'a.b': a lower-case letter, then letters, digits and _ were expected
		-n a:=1 => axis name '': a lower-case letter, then letters, digits and _ were expected
		-n 'a =1' => axis name 'a ': a lower-case letter, then letters, digits and _ were expected
		-n tag=1 => axis name 'tag': {tag} has its own meaning: another name was expected
		-n b:index=1:2 => axis name 'index': {index} has its own meaning: another name was expected
		-n path=1 => axis name 'path': zsh has a parameter of that name: another name was expected
		-n status=1 => axis name 'status': zsh has a parameter of that name: another name was expected
		-n http_proxy=1 => axis name 'http_proxy': programs take it for a proxy: another name was expected
	E
	for name in tags indexes paths proxy my_proxy_x tAG; do
		is 0 gridtag -n "$name=1"
	done
}

@test "no special parameter of zsh is an axis name" {
	command -v zsh >/dev/null || skip 'no zsh'
	# shellcheck disable=SC2016
	zsh -fc 'for m in parameter mapfile system datetime langinfo sched termcap terminfo zleparameter zle watch curses
		do zmodload zsh/$m 2>/dev/null; done; print -l ${(k)parameters[(R)*special*]}' | grep '^[a-z]' >names
	while read -r name; do
		gridtag -n "$name=1" >/dev/null 2>&1 && echo "$name" >>accepted
	done <names
	[ "$(wc -l <names)" -gt 30 ]
	same '' "$(cat accepted 2>/dev/null)" 'accepted as axis names'
}

# ---- tables ----

# bats test_tags=smoke
@test "each row of a table is a cell: CSV by RFC 4180, TSV where the header has a TAB" {
	printf 'a,b\n1,2\n3,4\n' >t
	is 0 gridtag -l -c t
	same $'0\t1+2\t1\t2\n1\t3+4\t3\t4' "$output"
	printf '\xef\xbb\xbf"a",b\r\n"x,y","q ""z""\r\n2"\r\n3, 4 \r\n5,"6"' >t
	is 0 gridtag -l -c t
	same $'0\tx~2Cy+q~20~22z~22~0D~0A2\tx,y\tq "z"\\x0D\\n2\n1\t3+~204~20\t3\t 4 \n2\t5+6\t5\t6' "$output"
	printf '\xef\xbb\xbfa\tb\r\n1\\t2\tx,"y\r\n3\\\\\\x41\t\xff' >t
	is 0 gridtag -l -c - <t
	same $'0\t1~092+x~2C~22y\t1\\t2\tx,"y\n1\t3~5CA+~FF\t3\\\\A\t\xff' "$output"
	printf 'a\nx y\nz\n' >t
	is 0 gridtag -l -c t
	same $'0\tx~20y\tx y\n1\tz\tz' "$output"
	printf 'a,b\n1,x\n1,y\n2,x\n2,y\n3,z\n' >t
	answers <<-'E'
		-n -c t => 5
		-a -b 1 -c t => 1-5
		-T -q -i 1 -p e -x a=1,b=x -c t => e+2+x
		-a -w b=x -c t => 0,2
		-2 -c t => 0,3
		--each a -c t => 0-4:2
		--values b -c t => x y z
		-a -k 2 -c t => 0-2
		-T -q -i 4 --tag-template '{a}.{b}' -c t => 3.z
	E
}

@test "a table that is not what it claims to be is refused with its line" {
	files -c <<-'E'
		 => given:1: an empty table: a header with the names of the axes was expected
		\xef\xbb\xbf => given:1: an empty table: a header with the names of the axes was expected
		a,b => given: a table without rows: one cell a row was expected
		a,b\r\n => given: a table without rows: one cell a row was expected
		\na\n => given:1: axis name '': a lower-case letter, then letters, digits and _ were expected
		a,\n1,2\n => given:1: axis name '': a lower-case letter, then letters, digits and _ were expected
		a,B\n1,2\n => given:1: axis name 'B': a lower-case letter, then letters, digits and _ were expected
		a, b\n1,2\n => given:1: axis name ' b': a lower-case letter, then letters, digits and _ were expected
		a;b\n1;2\n => given:1: axis name 'a;b': a lower-case letter, then letters, digits and _ were expected
		a,tag\n1,2\n => given:1: axis name 'tag': {tag} has its own meaning: another name was expected
		a,a\n1,2\n => given:1: axis 'a': it stands in the grid already: each axis once was expected
		a,b\r1,2\r => given:1: axis name 'b\x0D1': a lower-case letter, then letters, digits and _ were expected
		a,b\n1\n => given:2: 1 fields: 2 as in the header were expected
		a,b\n1,2\n3,4,5\n => given:3: more than 2 fields: as many as in the header were expected
		a,b\n1,\n => given:2: field 2 (b) is empty: a value was expected
		a,b\n"",2\n => given:2: field 1 (a) is empty: a value was expected
		a\tb\n1\t\n => given:2: field 2 (b) is empty: a value was expected
		a,b\n\n1,2\n => given:2: an empty line: a row of 2 fields was expected
		a,b\n1,2\n\r\n => given:3: an empty line: a row of 2 fields was expected
		a,b\n"1\n1",2\n3\n => given:4: 1 fields: 2 as in the header were expected
		a,b\n1,2\n"x,2\n3,4\n => given:3: a quoted field without its closing quote
		a,b\n1,2\n3,"x""\n => given:3: a quoted field without its closing quote
		a,b\n"x"y,2\n => given:2: text behind the closing quote of 'x': a comma or the line's end was expected
		a,b\nx"y,2\n => given:2: a quote inside a plain field: the whole field in quotes, and "" for one, was expected
		a\tb\nx\\qy\t2\n => given:2: a backslash that starts no escape: \t \n \\ or \xNN was expected
		a,b\n1,2\n3,\0\n => given:3: a NUL byte: text was expected
		a\n1\n2\n1\n => given: lines 2 and 4 are the same ('1'): each cell once was expected
		a\n"1\n"\n2\n2\n => given: lines 4 and 5 are the same ('2'): each cell once was expected
	E
	is 2 gridtag -n -c none
	refused
	same 'gridtag: none: No such file or directory' "$stderr"
	printf 'a\n1\n' >t
	is 2 gridtag -n -c t b=1
	same "gridtag: cells 't': either a table or axes were expected, not both" "$stderr"
}

@test "doubled rows of a table are told whole" {
	printf 'a,b\n1,2\n1,3\n1,2\n' >t
	is 2 gridtag -n -c t
	has "$stderr" 'lines 2 and 4'
	has "$stderr" '2'\'
}

@test "a table of 100000 rows answers one row at once, and a doubled one is found" {
	{ echo a,b; seq 100000 | sed 's/.*/&,x&/'; } >t
	is 0 little 100000 gridtag -T -q -i 99999 -c t
	same 100000+x100000 "$output"
	echo 77,x77 >>t
	is 2 little 100000 gridtag -n -c t
	same "gridtag: t: lines 78 and 100002 are the same ('77,x77'): each cell once was expected" "$stderr"
}

@test "a line of 10 MB is read, or refused by its line" {
	{ printf 'a=1 # '; x 10000000; printf '\nb='; seq -s, 1 300000; } >grid
	is 0 little 400000 gridtag -n -f grid
	same 300000 "$output"
	{ printf 'a=1\nb='; x 10000000; } >grid
	is 2 little 200000 gridtag -n -f grid
	same "gridtag: grid:2: axis b: value 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' of 10000000 bytes: at most 65536 can be handed to a command" "$stderr"
	{ printf 'a,b\n1,"'; x 10000000; } >t
	is 2 little 200000 gridtag -n -c t
	same 'gridtag: t:2: a quoted field without its closing quote' "$stderr"
}

# ---- grid files ----

# bats test_tags=smoke
@test "a grid file says all that the options say" {
	mkdir sub
	cat >sub/grid <<-'E'
		# the grid of the paper
		base 1

		  model:batch=7b:32,32b:8   # both
		seed=0..2	# three
		note=x#y,a\ b,\#
		prefix exp1
		skip model=7b,seed=1
		skip note=\#
		tag {model}-s{seed}{note}
	E
	gridtag -q -l -f sub/grid >from_file
	gridtag -q -l -b 1 -p exp1 -x model=7b,seed=1 -x 'note=\#' --tag-template '{model}-s{seed}{note}' \
		model:batch=7b:32,32b:8 seed=0..2 'note=x#y,a\ b,\#' >from_options
	same "$(cat from_options)" "$(cat from_file)"
	same $'1\texp1+7b-s0x~23y\t7b\t32\t0\tx#y' "$(head -n 1 from_file)"
	same 10 "$(wc -l <from_file)"
	printf 'a=1..5\nper-task 2' >grid
	is 0 gridtag -a -f grid
	same 0-2 "$output"
	is 0 gridtag -a -f - <grid
	same 0-2 "$output"
	sed 's/$/\r/' sub/grid >crlf
	is 0 gridtag -l -f crlf
	same "$(cat from_file)" "$output"
}

@test "files that a grid file names are looked for beside it" {
	mkdir -p sub/deep
	printf 'x\ny\n' >sub/deep/list
	printf 'a,b\n1,2\n' >sub/cells.csv
	printf 'v=@deep/list\n' >sub/grid
	is 0 gridtag --values v -f sub/grid
	same $'x\ny' "$output"
	printf 'v=@%s/sub/deep/list\n' "$PWD" >sub/grid
	is 0 gridtag -n -f sub/grid
	printf 'cells cells.csv\n' >sub/grid
	is 0 gridtag -T -q -i 0 -f sub/grid
	same 1+2 "$output"
	cd sub
	is 0 gridtag -n -f grid
	is 0 gridtag -n -f ./grid
}

@test "a bad line of a grid file is refused with its number" {
	files -f <<-'E'
		 => given: no grid in it: lines axis=values, or cells FILE, were expected
		# a=1\nbase 1\n => given: no grid in it: lines axis=values, or cells FILE, were expected
		a=1\nbse 1\n => given:2: 'bse': axis=values, or base, prefix, skip, per-task, tag or cells and its value, was expected
		a=1\n\nb\n => given:3: 'b': axis=values, or base, prefix, skip, per-task, tag or cells and its value, was expected
		a=1\nbase # 1\n => given:2: 'base': axis=values, or base, prefix, skip, per-task, tag or cells and its value, was expected
		a = 1\n => given:1: 'a' =: no blank before = was expected
		base 1\nbase 1\na=1\n => given:2: base: it is there already: once was expected
		base x\na=1\n => given:1: base 'x': a whole number from 0 to 1000000000 was expected
		a=1\nbase 1 2\n => given:2: base '1 2': a whole number from 0 to 1000000000 was expected
		a=1\nper-task 0\n => given:2: per-task '0': a whole number from 1 to 1000000000 was expected
		a=1\nprefix a/b\n => given:2: prefix 'a/b': up to 60 letters, digits and . _ -, beginning with a letter or digit, were expected
		a=1\nskip a=2\n => given:2: skip: axis a has no value '2'
		a=1\nskip a=1,2\n => given:2: '2': a skip takes one value of an axis, and several skips leave out several: the line skip a=1 and the line skip a=2
		a=1\nskip b=2\n => given:2: 'b=2': the grid has no axis 'b'
		a=1\ntag x{c}\n => given:2: template 'x{c}': {c}: the name of an axis, {tag} or {index} was expected
		a=1\nA=2\n => given:2: axis name 'A': a lower-case letter, then letters, digits and _ were expected
		a=1\r\nb=1,1\r\n => given:2: axis b: value '1' stands twice, as number 1 and 2: each once was expected
		a=1\nb=x , y\n => given:2: value 'x ' ends with a blank: write \ before it if it is meant
		a=1\nb=4..x\n => given:2: '4..x': a range 0..4 or 0..100..10 of whole numbers was expected, or \.. where it is a plain value
		cells t\na=1\n => given:1: cells 't': either a table or axes were expected, not both
		a=1\n#\0\n => given:2: a NUL byte: text was expected
		a=1\nskip a=1\n => an empty grid: the skips leave out every cell
	E
	is 2 gridtag -n -f none
	same 'gridtag: none: No such file or directory' "$stderr"
	is 2 gridtag -n -f .
	same 'gridtag: .: Is a directory' "$stderr"
}

@test "a template of a grid file is refused with its line" {
	files -f <<-'E'
		a=1,2\ntag x\n => given:2: tag template 'x': cells 0 and 1 both give 'x': a template that tells every cell from every other was expected
	E
}

@test "a file that a grid file names and that is not there is refused with the line that names it" {
	printf 'a=1\nb=@none\n' >grid
	is 2 gridtag -n -f grid
	has "$stderr" 'grid:2:'
	has "$stderr" 'none: No such file or directory'
}

@test "two axes on one line of a grid file are no value with a blank in it" {
	printf 'model=7b,32b seed=0,1\n' >grid
	is 2 gridtag -n -f grid
	has "$stderr" 'grid:1:'
	printf 'note=a\\ b=c,d\n' >grid
	is 0 gridtag --values note -f grid
	same $'a b=c\nd' "$output"
	printf 'a=1 # b=2\nc=x =y\n' >grid
	is 0 gridtag -n -f grid
}

@test "blanks behind an escaped backslash are cut off like any others" {
	printf 'a=x\\\\ # c\n' >grid
	is 0 gridtag --values a -f grid
	same $'x\\\\' "$output"
	is 2 gridtag -n 'a=x\\ '
}

@test "beside a grid file no GRID word and no option of the same meaning is taken" {
	printf 'a=1,2\n' >grid
	cp grid t
	refusals <<-'E'
		-n -f grid a=1 => -f grid and 'a=1': the axes are those of the file: none was expected beside it
		-n -f grid -b 0 => -f grid: -b -c -k -p -x and --tag-template were expected as lines of the file, not beside it
		-n -f grid -c t => -f grid: -b -c -k -p -x and --tag-template were expected as lines of the file, not beside it
		-n -k 1 -f grid => -f grid: -b -c -k -p -x and --tag-template were expected as lines of the file, not beside it
		-n -f grid -p x => -f grid: -b -c -k -p -x and --tag-template were expected as lines of the file, not beside it
		-n -f grid -x a=1 => -f grid: -b -c -k -p -x and --tag-template were expected as lines of the file, not beside it
		-n -f grid --tag-template '{a}' => -f grid: -b -c -k -p -x and --tag-template were expected as lines of the file, not beside it
	E
}

# ---- the index ----

@test "the index is decimal digits only and never turns into another" {
	local index want status out err
	while read -r index want; do
		[ "$index" != empty ] || index=
		index=${index//_/ }
		SLURM_ARRAY_TASK_ID=$index call -T -q a=0..20
		out=${out%$'\n'}
		same "$want" "$status:${out:--}" "SLURM_ARRAY_TASK_ID='$index'"
		call -T -q -i "$index" a=0..20
		out=${out%$'\n'}
		same "$want" "$status:${out:--}" "-i '$index'"
	done <<-'E'
		0 0:0
		00 0:0
		20 0:20
		08 0:8
		010 0:10
		0008 0:8
		078 1:-
		21 1:-
		99999999999999999999 1:-
		18446744073709551616 1:-
		18446744073709551615 1:-
		4294967294 1:-
		empty 2:-
		+5 2:-
		-1 2:-
		_7 2:-
		7_ 2:-
		0x10 2:-
		1e3 2:-
		5.0 2:-
		1,2 2:-
		0-3 2:-
		% 2:-
	E
}

@test "a refused index is told with the range and the count" {
	STATUS=1 refusals <<-'E'
		-T -i 12 model=7b,32b seed=0..5 => index '12' is no task of this grid: 12 cells, indices 0 to 11
		-T -b 1 -i 0 a=1..9 => index '0' is no task of this grid: 9 cells, indices 1 to 9
		-T -b 1 -i 10 a=1..9 => index '10' is no task of this grid: 9 cells, indices 1 to 9
		-T -i 99999999999999999999 a=1 => index '99999999999999999999' is no task of this grid: 1 cells, indices 0 to 0
	E
	refusals <<-'E'
		-T a=1 => no index: SLURM_ARRAY_TASK_ID is not set (outside an array job?): -i N or an array task was expected
		-T -i 1x a=1 => -i '1x': a whole number was expected, digits only
		-T -i '' a=1 => -i '': a whole number was expected, digits only
	E
	SLURM_ARRAY_TASK_ID='' refusals <<-'E'
		-T a=1 => SLURM_ARRAY_TASK_ID '': a whole number was expected, digits only
		-T -i 0 a=1 => -i '0', but SLURM_ARRAY_TASK_ID is '': one index was expected
	E
	SLURM_ARRAY_TASK_ID=1 refusals <<-'E'
		-T -i 0 a=1,2 => -i '0', but SLURM_ARRAY_TASK_ID is '1': one index was expected
		-T -i x a=1,2 => -i 'x': a whole number was expected, digits only
	E
	SLURM_ARRAY_TASK_ID=08 is 0 gridtag -T -q -i 8 a=0..9
	same 8 "$output"
	SLURM_TASK_ARRAY_ID=1 is 2 gridtag -T a=1,2
}

@test "with base 1 the indices 1 to N are all cells once" {
	local i
	for i in 1 2 3 4 5 6; do gridtag -T -q -b 1 -i $i a=x,y b=1..3; done >tags
	same 'x+1 x+2 x+3 y+1 y+2 y+3' "$(tr '\n' ' ' <tags | sed 's/ $//')"
	is 0 gridtag -a -b 1 a=x,y b=1..3
	same 1-6 "$output"
}

@test "a product of a billion cells answers one index and the specification at once" {
	is 0 little 50000 gridtag -T -q -i 999999999 a=1..1000 b=1..1000 c=1..1000
	same 1000+1000+1000 "$output"
	is 0 little 50000 gridtag -T -q -i 123456789 -x a=1,b=1 -x c=1000 a=1..1000 b=1..1000 c=1..1000
	same 124+582+370 "$output"
	is 0 little 50000 gridtag -T -q -i 500000000 a=0..999999999
	same 500000000 "$output"
	is 0 little 50000 gridtag -a a=1..1000 b=1..1000 c=1..1000
	same 0-999999999 "$output"
	is 0 little 50000 gridtag -n -x a=1,b=1 -x c=1000 a=1..1000 b=1..1000 c=1..1000
	same 998999001 "$output"
	is 0 little 50000 gridtag -2 a=1..1000 b=1..1000 c=1..1000
	same 0,999999999 "$output"
	is 0 little 50000 gridtag --each a a=1..3 b=1..1000 c=1..1000 d=1..300
	same 0-600000000:300000000 "$output"
	is 0 little 50000 gridtag -k 1000000 -a a=1..1000 b=1..1000 c=1..1000
	same 0-999 "$output"
}

@test "a billion cells but for some indices are specified at once" {
	is 0 little 50000 gridtag -a --except 5,7-9 a=0..999999999
	same 0-4,6,10-999999999 "$output"
}

@test "many axes under many skips are counted at once, or refused at once" {
	local i axes=() chain=() nested=() hard=()
	for ((i = 0; i < 30; i++)); do
		axes+=("a$i=0,1")
		[ $i -gt 22 ] || chain+=(-x "a$i=0,a$((i + 1))=0")
		[ $i -gt 14 ] || nested+=(-x "a$i=0,a$((29 - i))=0")
		hard+=(-x "a$i=$((i % 2)),a$(((i + 7) % 30))=$((i / 2 % 2)),a$(((i + 13) % 30))=$((i / 3 % 2))")
	done
	is 0 little 100000 gridtag -n "${chain[@]}" "${axes[@]:0:24}"
	same 121393 "$output"
	is 0 little 100000 gridtag -n "${nested[@]}" "${axes[@]}"
	same 14348907 "$output"
	is 0 little 100000 gridtag -T -q -i 14348906 "${nested[@]}" "${axes[@]}"
	same 1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1 "$output"
	run --separate-stderr little 100000 gridtag -n "${hard[@]}" "${axes[@]}"
	[[ $status = 0 || ( $status = 2 && $stderr = *'skips over so many axes cannot be counted'* ) ]] || { echo "$status $stderr" >&2; false; }
}

@test "-2 finds its pair in a large grid whose first cell is left out" {
	local args argv first second
	while IFS= read -r args; do
		eval "argv=($args)"
		is 0 little 300000 gridtag -2 "${argv[@]}"
		[[ $output =~ ^([0-9]+)[-,]([0-9]+)$ ]]
		first=$(gridtag -T -q -i "${BASH_REMATCH[1]}" "${argv[@]}")
		second=$(gridtag -T -q -i "${BASH_REMATCH[2]}" "${argv[@]}")
		paste <(tr + '\n' <<<"$first") <(tr + '\n' <<<"$second") | awk '$1 == $2 { exit 1 }' ||
			{ echo "gridtag -2 $args: $first and $second" >&2; false; }
	done <<-'E'
		-x a=1,b=1 a=1..1000 b=1..1000 c=1..1000
		-x a=0,b=0,c=0 a=0..19 b=0..999 c=0..1
		-x a=0,b=0,c=0,d=0 a=0..1 b=0..99 c=0..999 d=0..1
	E
}

# ---- the shell form ----

# bats test_tags=smoke
@test "the cell as shell code: TAG and every axis exported, in one line, and one line on stderr" {
	is 0 gridtag -i 1 model=7b,32b "note=it's"
	same "export TAG='32b+it~27s' model='32b' note='it'\\''s' || case \$- in *i*) (exit 2) ;; *) exit 2 ;; esac" "$output"
	same "gridtag: task 1 -> 32b+it~27s model=32b note=it's" "$stderr"
	SLURM_ARRAY_TASK_ID=0 is 0 gridtag --quiet model=7b,32b
	same "export TAG='7b' model='7b' || case \$- in *i*) (exit 2) ;; *) exit 2 ;; esac" "$output"
	same '' "$stderr"
	is 0 gridtag -i 0 -T -b 0 "v=$(x 300)"
	same "gridtag: task 0 -> $(x 184)~h${output##*~h} v=$(x 200)..." "$stderr"
}

@test "every byte of a value survives eval in every shell" {
	local s
	LC_ALL=C awk 'BEGIN { printf "v,w\n\""; for (i = 1; i < 256; i++) printf "%s%c", i == 34 ? "\"" : "", i; printf "\",\"x\n\n\"\n" }' >t
	LC_ALL=C awk 'BEGIN { for (i = 1; i < 256; i++) printf "%c", i; printf "|x\n\n|" }' >want
	while read -r s; do
		# shellcheck disable=SC2016,SC2086
		$s -c 'cell=$(gridtag -q -i 0 -c t) || exit; eval "$cell"; printf "%s|" "$v" "$w" >got; printenv TAG >tag' ||
			{ echo "$s" >&2; false; }
		cmp want got || { echo "$s" >&2; false; }
		same "$(gridtag -T -q -i 0 -c t)" "$(cat tag)" "TAG in $s"
	done < <(shells)
}

@test "words that mean something to a shell are values and names like any others" {
	local s
	while read -r s; do
		# shellcheck disable=SC2016,SC2086
		$s -c 'cell=$(gridtag -q -i 0 if=1 then=2 do=3 done=4 case=5 esac=6 for=7 time=8 select=9 function=a in=b local=c \
			v="\$(touch ran)\`touch ran\`;touch ran|\"\$HOME\"&&~ *") || exit; eval "$cell"
			printenv function; printf "%s\n" "$v"' >got || { echo "$s" >&2; false; }
		# shellcheck disable=SC2016
		same 'a
$(touch ran)`touch ran`;touch ran|"$HOME"&&~ *' "$(cat got)" "$s"
		[ ! -e ran ]
	done < <(shells)
}

@test "a name that is readonly in the shell ends a script: no tag of one cell beside the value of another" {
	local s status
	while read -r s; do
		status=0
		# shellcheck disable=SC2016,SC2086
		# zsh goes on behind an eval that failed: set -e, or || exit, is the caller's there
		$s -c 'model=9; readonly model; cell=$(gridtag -q -i 0 model=1,2) || exit 7; eval "$cell" || exit; : >ran' 2>/dev/null || status=$?
		[ "$status" -ne 0 ] && [ "$status" -ne 7 ] || { echo "$s: $status" >&2; false; }
		[ ! -e ran ]
	done < <(shells)
}

@test "eval of a failure ends a script with exactly that status" {
	local s
	cat >rows <<-'E'
		1 -i 5 a=1
		1 -i 0 -F 0123456789abcdef a=1
		2 a=1
		2 -i 0 a=
		2 -i 0
		2 -i 0 --nope a=1
		2 -i
		2 -i 0 -c none
		2 -k 2 -i 0 a=1..4
		3 -i 0 -c /proc/self/mem
	E
	# shellcheck disable=SC2016
	echo 'while read -r want args; do
		(if eval "$(eval gridtag $args)"; then echo survived; else echo survived; fi; echo survived)
		echo "$? $args"
	done <rows
	eval "$(gridtag -i 5 a=1)"; echo survived' >script
	while read -r s; do
		# shellcheck disable=SC2086
		run --separate-stderr $s ./script
		same "1 $(cat rows)" "$status $output" "$s"
		same 11 "$(wc -l <<<"$stderr")" "$s"
	done < <(shells)
}

@test "eval of a failure only fails in an interactive shell" {
	local s
	command -v setsid >/dev/null || skip 'no setsid'
	# shellcheck disable=SC2016
	printf 'eval "$(gridtag -i 7 a=1)"\necho "still here: $?"\n' >in
	while read -r s; do
		[ "$s" != bash ] || s='bash --norc'
		# shellcheck disable=SC2086
		ENV=/dev/null setsid -w timeout 10 $s -i <in >got 2>/dev/null || true
		has "$(cat got)" 'still here: 1' || { echo "$s" >&2; false; }
	done < <(shells)
}

@test "eval of a failure only fails at a terminal" {
	command -v script >/dev/null || skip 'no script'
	# shellcheck disable=SC2016
	printf 'eval "$(gridtag -i 7 a=1)"\necho "still $((40 + $?))"\nexit 5\n' >in
	script -qec 'env PS1= bash --norc --noediting -i' /dev/null <in >got || true
	has "$(cat got)" 'still 41'
}

@test "called wrong, the shell form and -T refuse tasks of several cells" {
	local index
	for index in 0 99; do
		is 2 gridtag -T -k 2 -i $index a=1..4
		refused
		has "$stderr" 'gridtag: per-task 2: a task of several cells needs a command'
		is 2 gridtag -k 2 -i $index a=1..4
		same "case \$- in *i*) (exit 2) ;; *) exit 2 ;; esac" "$output"
	done
	is 0 gridtag -T -q -k 1 -i 3 a=1..4
	same 4 "$output"
}

# ---- a command ----

@test "the command replaces gridtag and finds the cell in its environment" {
	# shellcheck disable=SC2016
	is 0 sh -c 'echo $$; exec gridtag -i 1 model=7b,32b seed=0 -- sh -c "echo \$\$; echo \$TAG \$model \$seed; cat"' <<<input
	same "${lines[0]}" "${lines[1]}" "process id"
	same '32b+0 32b 0' "${lines[2]}"
	same input "${lines[3]}"
	same 'gridtag: task 1 -> 32b+0 model=32b seed=0' "$stderr"
	seed=9 TAG=old is 0 gridtag -q -i 0 seed=1 -- printenv TAG seed
	same $'1\n1' "$output"
}

@test "{axis} {tag} {index} are replaced, anything else in braces and all behind a dollar stays" {
	# shellcheck disable=SC2016
	is 0 gridtag -q -b 3 -i 4 'a=1,x{a}y' b=z -- printf '%s\n' '{a}' '{tag}' '{index}' '-o={a}/{b}{b}' '${a}' '$a' '${tag}' '{A}' \
		'{c}' '{{b}}' '{' '{a' 'a}' '{}' '{ a}' '{a:1}' '$${a}' '$x{b}' '' 'é{b}' --
	# shellcheck disable=SC2016
	same 'x{a}y
x~7Ba~7Dy+z
4
-o=x{a}y/zz
${a}
$a
${tag}
{A}
{c}
{z}
{
{a
a}
{}
{ a}
{a:1}
$${a}
$xz

éz
--' "$output"
	is 0 gridtag -q -i 0 prog=echo -- '{prog}' it
	same it "$output"
}

@test "only the first -- that is no option's argument starts the command" {
	is 0 gridtag -q -i 0 a=1 -- echo -n -- -x
	same '-- -x' "$output"
	is 125 gridtag -q -p -- -i 0 a=1 -- echo hi
	same "gridtag: prefix '--': up to 60 letters, digits and . _ -, beginning with a letter or digit, were expected" "$stderr"
	printf 'a=x\n' >grid
	is 0 gridtag -q -i 0 -f grid -- echo hi
	same hi "$output"
}

@test "with a command every failure of gridtag's own is 125" {
	mkdir dir
	STATUS=125 refusals <<-'E'
		-i 5 a=1 -- touch ran => index '5' is no task of this grid: 1 cells, indices 0 to 0
		a=1 -- touch ran => no index: SLURM_ARRAY_TASK_ID is not set (outside an array job?): -i N or an array task was expected
		-i x a=1 -- touch ran => -i 'x': a whole number was expected, digits only
		-i 0 -- touch ran => no grid: axis=values, -f FILE or -c FILE was expected
		-i 0 a=1,1 -- touch ran => axis a: value '1' stands twice, as number 1 and 2: each once was expected
		-i 0 -Z a=1 -- touch ran => ~ unknown option
		--nope a=1 -- touch ran => ~ unknown option '--nope'
		-i 0 -f none -- touch ran => none: No such file or directory
		-i 0 -c /proc/self/mem -- touch ran => ~ /proc/self/mem: I
		-i 0 -F 0123456789abcdef a=1 -- touch ran => ~ 0123456789abcdef was expected
		-n a=1 -- touch ran => a command and a value to print: one of the two was expected
		-w a=1 -i 0 a=1 -- touch ran => -w, -m and --except choose cells for -n, -a and -l: one of these was expected
		-i 0 a=1 -- => no command behind --
		-k 2 a=1 -- touch ran => no index: SLURM_ARRAY_TASK_ID is not set (outside an array job?): -i N or an array task was expected
		-k 2 -i 7 a=1,2 -- touch ran => index '7' is no task of this grid: 2 cells, several a task, indices 0 to 0
	E
	[ ! -e ran ]
}

@test "126 the command cannot be run, 127 it is not found, otherwise its own status" {
	local k
	: >plain
	for k in 1 2; do
		is 126 gridtag -q -k $k -i 0 a=1 -- ./plain
		same "gridtag: './plain': Permission denied" "$stderr"
		is 126 gridtag -q -k $k -i 0 a=1 -- /
		is 127 gridtag -q -k $k -i 0 a=1 -- ./none
		same "gridtag: './none': No such file or directory" "$stderr"
		is 127 gridtag -q -k $k -i 0 a=1 -- no-such-command-anywhere
		is 127 gridtag -q -k $k -i 0 a=1 -- ''
		is 0 gridtag -q -k $k -i 0 a=1 -- true
		# shellcheck disable=SC2016
		is 7 gridtag -q -k $k -i 0 a=7 -- sh -c 'exit $a'
		is 137 gridtag -q -k $k -i 0 a=1 -- sh -c 'kill -KILL $$'
		is 143 gridtag -q -k $k -i 0 a=1 -- sh -c 'kill -TERM $$'
		is 125 gridtag -q -k $k -i 0 a=1 -- sh -c 'exit 125'
	done
}

@test "a large, an empty and a PATH-less environment change nothing" {
	# shellcheck disable=SC2016
	BIG=$(x 65536) is 0 gridtag -q -i 0 a=1 -- sh -c 'echo ${#BIG} $a'
	same '65536 1' "$output"
	is 0 env -i "$BIN/gridtag" -q -i 0 a=1 -- /usr/bin/env
	same $'TAG=1\na=1' "$(LC_ALL=C sort <<<"$output")"
	is 0 env -u PATH "$BIN/gridtag" -q -i 0 a=1 -- true
	is 0 bash -c 'ulimit -n 8; gridtag -n a=1,2'
}

# ---- tags ----

# bats test_tags=smoke
@test "a tag is encoded byte by byte" {
	local value want status out err
	while IFS=$'\t' read -r value want; do
		call -T -q -i 0 "a=$value" z=-x
		same "$want+-x"$'\n' "$out" "value $value"
		call -T -q -i 0 z=-x "a=$value"
		same "0~-x+${want#0~}"$'\n' "$out" "value $value as the second"
	done <<-'E'
		7b	7b
		A.b_c-d	A.b_c-d
		a/b	a~2Fb
		a_b	a_b
		a+b	a~2Bb
		a~2Fb	a~7E2Fb
		a b	a~20b
		a=b	a~3Db
		a\,b	a~2Cb
		é	0~~C3~A9
		-1	0~-1
		.x	0~.x
		..	0~..
		_	0~_
		~	0~~7E
		/x	0~~2Fx
		\n\xff	0~~0A~FF
	E
	is 0 gridtag -T -q -i 0 -p exp1.a_b-c a=.x b=-y
	same exp1.a_b-c+.x+-y "$output"
	is 0 gridtag -T -q -i 0 a=0 b=~-x
	same 0+~7E-x "$output"
}

@test "a tag that would be longer keeps the beginning of each value and 60 bits of its hash" {
	is 0 gridtag -l "v=$(printf %0399d 0)1,$(printf %0399d 0)2"
	same "0 $(printf %0184d 0)~hkcoph82qfvgb" "$(awk 'NR == 1 { print $1, $2 }' <<<"$output")"
	same "1 $(printf %0184d 0)~hkcopf82qfvff" "$(awk 'NR == 2 { print $1, $2 }' <<<"$output")"
	is 0 gridtag -T -q -i 0 "a=$(x 198)"
	same "$(x 198)" "$output"
	is 0 gridtag -T -q -i 0 "a=$(x 199)"
	same 198 "${#output}"
	is 0 gridtag -T -q -i 0 "a=$(x 194)" b=123
	same "$(x 194)+123" "$output"
	is 0 gridtag -T -q -i 0 "a=$(x 195)" b=123
	same "$(x 84)~h" "${output:0:86}"
	same +123 "${output:98}"
	# no escape is cut in two
	is 0 gridtag -T -q -i 0 "a=$(x 183)/$(x 100)"
	same "$(x 183)~h" "${output:0:185}"
	is 0 gridtag -T -q -i 0 "a=$(x 182)/$(x 100)"
	same "$(x 182)~h" "${output:0:184}"
	is 0 gridtag -T -q -i 0 "a=$(x 181)/$(x 100)"
	same "$(x 181)~2F~h" "${output:0:186}"
}

@test "two long values of one hash are refused, short ones are not" {
	local tail a=8yn0iYCKYHlIj4-BwPqk b=GReLUrM4wMqfg9yzV3KQ
	tail=$(x 300)
	is 0 gridtag -n v=$a,$b
	is 2 gridtag -n "v=$a$tail,$b$tail"
	refused
	has "$stderr" "axis v: values '$a"
	has "$stderr" "and '$b"
	has "$stderr" 'would have one tag: a tag template was expected'
}

@test "different cells never share a tag, and every tag fits" {
	local words argv x399
	x399=$(x 399)
	echo "$x399" >/dev/null # eval uses it
	while IFS= read -r words; do
		eval "argv=($words)"
		gridtag -l "${argv[@]}" >cells || { echo "$words" >&2; false; }
		cut -f2 cells | LC_ALL=C sort | LC_ALL=C uniq -d >twice
		same '' "$(cat twice)" "$words"
		cut -f2 cells | LC_ALL=C grep -vxE '[A-Za-z0-9][A-Za-z0-9._+~-]{0,199}' >odd || true
		same '' "$(cat odd)" "$words"
	done <<-'E'
		a=a/b,a_b,a.b,a-b,'a b',a~b,a+b,a%b,a2Fb,a~2Fb
		a=a-b,a b=c,b-c
		a=a+b,a b=c,b+c
		a=a~,a~~,a b=~,b
		a=-x,0-x,0--x,0~-x,0~~2Dx,.x,0.x,~x,0~~7Ex,0x,x
		a=0,0~,~ b=-,~-,+
		a='é,\xc3,\xa9,\xe9,É'
		a=A,a,B,b
		a="${x399}1,${x399}2,1$x399,${x399}/,${x399}~"
		a="${x399}1,${x399}2" b="${x399}1,${x399}2" c=0..3
		a:b="${x399}1:${x399}2,${x399}2:${x399}1,${x399}2:${x399}2"
		a="$(x 90)/1,$(x 90)~2F1" b="$(x 100)+,$(x 100)~2B"
		a=0,1 b=0,1 c=0,1 d=0,1 e=0,1 f=0,1 g=0,1 h=-,. i=+,~ j=/,\\:
		a="$(x 60)1,$(x 60)2" b="$(x 60)1,$(x 60)2" c="$(x 60)1,$(x 60)2" d="$(x 60)1,$(x 60)2" e="$(x 60)1,$(x 60)2" f="$(x 60)1,$(x 60)2"
		-p "$(x 60)" a="$(x 60)1,$(x 60)2" b="$(x 60)1,$(x 60)2" c="$(x 60)1,$(x 60)2"
	E
}

@test "axes too many for 200 bytes are refused, and a template is the way out" {
	local words=() i
	for ((i = 0; i < 20; i++)); do words+=("a$i=$(x 30)1,$(x 30)2"); done
	is 2 gridtag -n "${words[@]}"
	refused
	same 'gridtag: 20 axes of long values make a tag of 299 bytes: a tag template that gives at most 200 was expected' "$stderr"
	is 0 gridtag -T -q -i 5 --tag-template 'c{index}' "${words[@]}"
	same c5 "$output"
}

@test "a value added to an axis changes no other cell's tag" {
	local long
	long=$(x 250)
	gridtag -l a=1,2 "b=x,y/,${long}1" c=-,+ | cut -f2- | LC_ALL=C sort >before
	gridtag -l "a=1,2,${long}3,.." "b=x,y/,z,y_,${long}1,${long}2" c=0..3,-,+ | cut -f2- | LC_ALL=C sort >after
	same '' "$(LC_ALL=C comm -23 before after)" "cells whose tag has changed"
	is 0 gridtag -T -q -i 1 "a=x,${long}12345678"
	same "$output" "$(gridtag -T -q -i 2 "a=x,$(x 400),${long}12345678,$(x 500)")"
}

@test "a tag template that tells the cells apart is taken" {
	answers <<-'E'
		-T -q -i 3 --tag-template '{model}-s{seed}' model=7b,32b seed=0..1 => 32b-s1
		-T -q -i 3 -p e --tag-template '-{seed}' seed=0..4 => e+-3
		-T -q -b 1 -i 3 --tag-template 't{index}' seed=0..4 => t3
		-T -q -i 1 --tag-template '{a}' a:b=1:x,2:x => 2
		-T -q -i 3 --tag-template '{a}{b}' a=1,2 b=1,11 => 211
		-T -q -i 0 --tag-template 'x~{a}+{a}' a=a/b,c => x~a~2Fb+a~2Fb
		-n --tag-template '{a}{b}' a=0..9 b=0..99 => 1000
		-n --tag-template '{a}{b}{c}' a=000..999 b=000..999 c=0..999 => 1000000000
		-n --tag-template 'x{a}y{b}' -x a=1,b=1 a=0..99 b=0..99 => 9999
		-n --tag-template '{a}' -x b=2 a=1,2 b=1,2 => 2
	E
}

@test "a tag template under which two cells meet is refused, naming both" {
	refusals <<-'E'
		-n --tag-template x a=1,2 => tag template 'x': cells 0 and 1 both give 'x': a template that tells every cell from every other was expected
		-n -b 1 --tag-template '{a}' a=1,2 b=1,2 => tag template '{a}': cells 1 and 2 both give '1': a template that tells every cell from every other was expected
		-n --tag-template '{a}{b}' a=1,11 b=1,11 => tag template '{a}{b}': cells 1 and 2 both give '111': a template that tells every cell from every other was expected
		-n --tag-template '{a}-{b}' a=1-1,1 b=1,1-1 => tag template '{a}-{b}': cells 0 and 3 both give '1-1-1': a template that tells every cell from every other was expected
		-n --tag-template '{a}-{b}' a=-1..1 b=-1..1 => ~ tag template
		-n --tag-template 'x{a}{b}' a=1..11 b=0..11 => ~ cells 10 and 120 both give 'x110'
		-n --tag-template 'x{a}{b}' a=-10..100 b=0..11 => ~ cells 142 and 252 both give 'x110'
		-n --tag-template '{a}1{b}' a=0..22 b=1,11 => ~ cells 3 and 22 both give '1111'
		-n --tag-template 'x{a}' a:b=1:1,1:2 => ~ cells 0 and 1 both give 'x1'
		-n --tag-template '{a}' a=1..2000 b=1..2000 => ~ 4000000 cells cannot be compared
		-n --tag-template '' a=1 => an empty tag template
		-n --tag-template '{b}' a=1 => template '{b}': {b}: the name of an axis, {tag} or {index} was expected
		-n --tag-template '{tag}' a=1 => tag template '{tag}': {tag} cannot stand in the tag itself
		-n --tag-template '-{a}' a=1 => tag template '-{a}': a tag begins with a letter or digit
		-n --tag-template '{a}' a=1,-1 => tag template '{a}': value '-1' of axis a would begin a tag: a letter or digit was expected there
		-n --tag-template 'x/{a}' a=1 => tag template 'x/{a}': letters, digits, {axis} and . _ + ~ - were expected at '/'
		-n --tag-template 'x{A}' a=1 => template 'x{A}': {A}: the name of an axis, {tag} or {index} was expected
		-n --tag-template '${a}' a=1 => template '${a}': ${a} is not filled in here: {a} was expected
		-n --tag-template "{a}" a=$(x 201) => tag template: cell 0 gives a tag of 201 bytes: at most 200 were expected
	E
}

@test "a prefix begins every tag" {
	refusals <<-'E'
		-n -p '' a=1 => prefix '': up to 60 letters, digits and . _ -, beginning with a letter or digit, were expected
		-n -p a+b a=1 => prefix 'a+b': up to 60 letters, digits and . _ -, beginning with a letter or digit, were expected
		-n -p .a a=1 => prefix '.a': up to 60 letters, digits and . _ -, beginning with a letter or digit, were expected
		-n -p $(x 61) a=1 => ~ xxx...': up to 60 letters
		-n -p a -p b a=1 => -p: it is there already: once was expected
	E
	is 0 gridtag -T -q -i 0 -p exp1 a=1 b=2
	same exp1+1+2 "$output"
}

# ---- skips ----

@test "a skip leaves out the cells with all its values, and indices stay dense" {
	is 0 gridtag -l -b 1 -x a=1,b=y -x a=3 a=1..4 b=x,y
	same $'1\t1+x\t1\tx\n2\t2+x\t2\tx\n3\t2+y\t2\ty\n4\t4+x\t4\tx\n5\t4+y\t4\ty' "$output"
	answers <<-'E'
		-n -x a=1,b=y -x a=3 a=1..4 b=x,y => 5
		-a -x a=1,b=y -x a=3 a=1..4 b=x,y => 0-4
		-n -x 'a=x\,y' 'a=x\,y,z' => 1
		-n -x b=1 a:b=x:1,y:1,z:2 => 1
		-n -x a=x,b=1 a:b=x:1,y:1,z:2 => 2
		-n -x a=010 a=000..020..10 => 2
		-n -x a=-1 a=-2..2 => 4
		-n -x a=1 -x a=1 a=1..3 => 2
	E
	refusals <<-'E'
		-n -x a a=1 => 'a': axis=value was expected
		-n -x b=1 a=1 => 'b=1': the grid has no axis 'b'
		-n -x a=2 a=1 => skip: axis a has no value '2'
		-n -x a=08 a=0..9 => skip: axis a has no value '08'
		-n -x a=10 a=0..9 => skip: axis a has no value '10'
		-n -x a=1 a=0..10..2 => skip: axis a has no value '1'
		-n -x a= a=1 => skip: axis a has no value ''
		-n -x a=1,a=2 a=1,2 => ~ skip: no cell has all of these values
		-n -x a=1..2 a=0..4 => 'a=1..2': a skip takes one value of an axis, and several skips leave out several: -x a=1 -x a=2
		-n -x a=0,1 a=0..4 => '1': a skip takes one value of an axis, and several skips leave out several: -x a=0 -x a=1
		-n -x b=x,a=0,1 a=0..4 b=x => '1': a skip takes one value of an axis, and several skips leave out several: -x a=0 -x a=1
		-n -x a=.. a=0..4 => skip: axis a has no value '..'
		-n -x a=1 a=1 => an empty grid: the skips leave out every cell
		-n -x a=1 -x b=1 -x a=2,b=2 a=1,2 b=1,2 => an empty grid: the skips leave out every cell
	E
}

@test "index and cell agree with an enumeration by other means, for random grids" {
	command -v python3 >/dev/null || skip 'no python3'
	cat >oracle.py <<-'E'
		import itertools, random, subprocess, sys
		r = random.Random(7)
		def gridtag(*args):
		    p = subprocess.run(["gridtag", "-q"] + list(args), stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
		    return p.returncode, p.stdout
		def spec(text):
		    got = []
		    for item in text.strip().split(","):
		        item, _, step = item.partition(":")
		        first, _, last = item.partition("-")
		        got += range(int(first), int(last or first) + 1, int(step or 1))
		    return got
		POOL = ["a", "b", "a-b", "a_b", "a/b", "a.b", "-", ".x", "_", "0", "00", "1", "~", "~h", "+", "0~", "x y", "L" * 250 + "1", "L" * 250 + "2"]
		for n in range(60):
		    groups, words, names = [], [], iter("abcdefgh")
		    for _ in range(r.randint(1, 4)):
		        kind = r.random()
		        if kind < .3:
		            first = r.randint(-3, 5); last = first + r.randint(0, 6); step = r.randint(1, 3); axes = [next(names)]
		            values = [(str(v),) for v in range(first, last + 1, step)]
		            words.append("%s=%d..%d..%d" % (axes[0], first, last, step))
		        else:
		            axes = [next(names) for _ in range(1 if kind < .7 else 2)]
		            values = sorted({tuple(r.choice(POOL) for _ in axes) for _ in range(r.randint(1, 5))})
		            words.append(":".join(axes) + "=" + ",".join(":".join(v) for v in values))
		        groups.append((axes, values))
		    axes = [a for g in groups for a in g[0]]
		    cells = [dict(zip(axes, sum(c, ()))) for c in itertools.product(*[g[1] for g in groups])]
		    opts, skips = [], []
		    for _ in range(r.choice([0, 1, 2, 5])):
		        cell = r.choice(cells)
		        skips.append({a: cell[a] for a in r.sample(axes, r.randint(1, min(2, len(axes))))})
		    kept = [c for c in cells if not any(all(c[a] == s[a] for a in s) for s in skips)]
		    if not kept:
		        continue
		    base = r.choice([0, 1, 9])
		    opts = ["-b", str(base)] + [w for s in skips for w in ("-x", ",".join("%s=%s" % i for i in sorted(s.items())))]
		    what = "gridtag %s %s" % (opts, words)
		    status, out = gridtag(*opts, "-l", *words)
		    rows = [row.split("\t") for row in out.splitlines()]
		    want = [[str(base + i)] + [c[a] for a in axes] for i, c in enumerate(kept)]
		    assert status == 0 and [row[:1] + row[2:] for row in rows] == want, what
		    assert len({row[1] for row in rows}) == len(kept), what
		    i = r.randrange(len(kept))
		    assert gridtag(*opts, "-T", "-i", str(base + i), *words) == (0, rows[i][1] + "\n"), (what, i)
		    axis = r.choice(axes)
		    got = [kept[t - base][axis] for t in spec(gridtag(*opts, "--each", axis, *words)[1])]
		    assert len(got) == len(set(got)) and set(got) == {c[axis] for c in kept}, (what, axis)
		    value = r.choice(kept)[axis]
		    status, out = gridtag(*opts, "-a", "-w", "%s=%s" % (axis, value), *words)
		    assert sorted(spec(out)) == [base + i for i, c in enumerate(kept) if c[axis] == value], (what, axis, value)
		    if len(kept) > 1:
		        differ = lambda x, y: sum(x[a] != y[a] for a in axes)
		        one, two = [kept[t - base] for t in spec(gridtag(*opts, "-2", *words)[1])]
		        assert differ(one, two) == max(differ(c, d) for c in kept for d in kept), what
		    k = r.randint(2, 5)
		    assert spec(gridtag(*opts, "-k", str(k), "-a", *words)[1]) == list(range(base, base + (len(kept) - 1) // k + 1)), (what, k)
		print("agreed")
	E
	same agreed "$(python3 oracle.py)"
}

# ---- values to print ----

@test "the count, the specification, the list, the tag, the values" {
	printf 'a b\nx,y\n\\t\n' >list
	answers <<-'E'
		-n model=7b,32b seed=0..5 => 12
		-a model=7b,32b seed=0..5 => 0-11
		--count a=1 => 1
		--array a=1 => 0
		-a -b 5 a=1,2 => 5-6
		--tag -q -i 0 a=1 => 1
		--values v v=@list => a b x,y \\t
		-l -H a=1 => index	tag	a 0	1	1
		--list --header a=x,y => index	tag	a 0	x	x 1	y	y
	E
	SLURM_ARRAY_TASK_ID=99 is 0 gridtag -a a=1,2
	same 0-1 "$output"
	refusals <<-'E'
		--values b a=1 => the grid has no axis 'b'
		-n -i 0 a=1 => -i: it names a task, and no task is asked for
		-n -l a=1 => two values to print at once: one of -n -a -l -T -2 --each --values --account --fingerprint was expected
		-l -i 0 a=1 => -i: it names a task, and no task is asked for
		-n --max 3 a=1 => --max: -a, -2 or --each was expected with it
		-l --records 3 a=1 => --records: --account was expected with it
		-n -H a=1 => -H and --json: -l or --account was expected with them
		-T --json -i 0 a=1 => -H and --json: -l or --account was expected with them
		-T -i 0 -w a=1 a=1 => -w, -m and --except choose cells for -n, -a and -l: one of these was expected
		--fingerprint -m x a=1 => -w, -m and --except choose cells for -n, -a and -l: one of these was expected
		--values a --except 1 a=1 => -w, -m and --except choose cells for -n, -a and -l: one of these was expected
	E
}

@test "where an empty specification would submit a plain job, every failure prints none" {
	local mode args want status out err
	for mode in -a -2 '--each a' --array --smoke; do
		while read -r want args; do
			# shellcheck disable=SC2086
			call $mode $args
			same "$want none" "$status ${out%$'\n'}" "gridtag $mode $args"
			[ -n "$err" ]
		done <<-'E'
			2
			2 a=
			2 --nope a=1,2
			2 -F x a=1,2
			1 -F 0123456789abcdef a=1,2
			2 -f none
			2 -c none
			3 -c /proc/self/mem
			2 a=1,2 -q
			2 -b
			2 --max x a=1..4
			2 --max 0 a=1..4
			1 --max 1 a=1..4 b=1,2
		E
	done
	is 1 gridtag -a --except 0-3 a=1..4
	same none "$output"
	is 2 gridtag -a -m x a=1,2
	same none "$output"
	is 2 gridtag -a --except 3-1 a=1,2
	same none "$output"
	is 2 gridtag --each b a=1,2
	same none "$output"
}

@test "a specification asked for beside something else is none too" {
	local args
	for args in '-a -l a=1' '-a -n a=1' '--each a -T a=1' '-2 --fingerprint a=1,2'; do
		# shellcheck disable=SC2086
		is 2 gridtag $args
		same none "$output" "gridtag $args"
	done
}

@test "-n and -l of nothing are 1" {
	is 1 gridtag -n --except 0-3 a=1..4
	same 0 "$output"
	is 1 gridtag -l --except 0-3 a=1..4
	same '' "$output"
}

@test "index sets are printed as short as the best list of ranges and steps" {
	command -v python3 >/dev/null || skip 'no python3'
	cat >oracle.py <<-'E'
		import functools, subprocess
		def width(first, n, step):
		    text = str(first)
		    if n > 1: text += "-%d" % (first + (n - 1) * step)
		    if n > 1 and step > 1: text += ":%d" % step
		    return len(text)
		@functools.lru_cache(None)
		def best(rest):	# the shortest list whose items do not interleave
		    if not rest: return -1
		    least = width(rest[0], 1, 1) + 1 + best(rest[1:])
		    for n in range(2, len(rest) + 1):
		        step = rest[1] - rest[0]
		        if rest[n - 1] - rest[n - 2] != step: break
		        least = min(least, width(rest[0], n, step) + 1 + best(rest[n:]))
		    return least
		def spec(text):
		    got = []
		    for item in text.split(","):
		        item, _, step = item.partition(":")
		        first, _, last = item.partition("-")
		        got += range(int(first), int(last or first) + 1, int(step or 1))
		    return got
		for base in 0, 95:
		    for bits in range(1, 1 << 10, 3 if base == 0 else 29):
		        want = tuple(base + i for i in range(10) if bits >> i & 1)
		        out = ",".join(str(base + i) for i in range(10) if not bits >> i & 1) or "none"
		        text = subprocess.run(["gridtag", "-b", str(base), "-a", "--except", out, "a=0..9"], stdout=subprocess.PIPE,
		            universal_newlines=True).stdout.strip()
		        assert set(spec(text)) == set(want), (want, text)
		        assert len(text) <= best(want), (want, text, best(want))
		print("agreed")
	E
	same agreed "$(python3 oracle.py)"
	answers <<-'E'
		-a --except 0,3 a=0..3 => 1-2
		-a --except 1 a=0..2 => 0,2
		-a --except 1,3 a=0..4 => 0-4:2
		-a --except 2-3,6-7,10-11 a=0..13 => 0-12:4,1-13:4
	E
}

@test "-w chooses strata" {
	printf 'x,y\nx\ny\n\\t\nz w\np\tq,r\n' >list
	answers <<-'E'
		-a -w a=1,3 a=1..4 b=x,y => 0-1,4-5
		-n -w a=1,3 a=1..4 b=x,y => 4
		-l -w a=2 a=1..3 => 1	2	2
		-a -w a=1..2 a=1..4 => 0-1
		-a -w a=1 -w b=y a=1..4 b=x,y => 1
		-a -w a=1,2 -w a=2,3 a=1..4 => 1
		-a -w b=1 a:b=x:1,y:2,z:1 => 0,2
		-a -w 'a=1\,2' 'a=1\,2,3' => 0
		-a -w a=1,2 'a=1\,2,3' => 0
		-a -w v=x,y v=@list => 0
		-a -w v=y,x v=@list => 1-2
		-a -w 'v=\t' v=@list => 3
		-a -w 'v=p\tq,r' v=@list => 5
		-a -k 2 -w a=1,4 a=1..4 => 0-1
		-a -w b=y -x a=2 a=1..3 b=x,y => 1,3
	E
	gridtag --values v v=@list >values
	while IFS= read -r value; do
		is 0 gridtag -n -w "v=$value" v=@list
		same 1 "$output" "-w v=$value"
	done <values
	is 1 gridtag -a -w a=1 -w a=2 a=1..3
	same none "$output"
	refusals <<-'E'
		-n -w b=1 a=1 => 'b=1': the grid has no axis 'b'
		-n -w a a=1 => 'a': axis=value was expected
		-n -w a=3 a=1,2 => -w 'a=3': axis a has no value '3'
		-n -w a=1,3 a=1,2 => -w 'a=1,3': axis a has no value '3'
		-n -w a=01 a=0..2 => -w 'a=01': axis a has no value '01'
	E
}

@test "-m chooses the cells with a file missing or empty" {
	mkdir -p out out/4d out/5d
	echo x | tee out/1 out/2 out/5d/x out/2.log out/3.log >/dev/null
	: >out/3
	mkfifo out/6
	ln -s nowhere out/7
	is 0 gridtag -a -m 'out/{tag}' a=1..3,4d,5d,6..8
	same 2-3,5-7 "$output"
	is 0 gridtag -n -m 'out/{a}' a=1..3,4d,5d,6..8
	same 5 "$output"
	is 0 gridtag -l -b 1 -m './out//{tag}' a=1..3
	same $'3\t3\t3' "$output"
	is 0 gridtag -a -b 1 -m 'out/{index}.log' a=x,y,z
	same 1 "$output"
	is 0 gridtag -a -m 'out/{tag}' -m 'out/{tag}.log' a=1..3
	same 0,2 "$output"
	is 0 gridtag -a -w a=1,8 -m 'out/{tag}' a=1..3,8
	same 3 "$output"
	is 0 gridtag -a -k 2 -m 'out/{tag}' a=1..3,8
	same 1 "$output"
	is 0 gridtag -a -m 'none/{tag}' a=1..4
	same 0-3 "$output"
	is 0 gridtag -a -m 'out/1/{tag}' a=1..4
	same 0-3 "$output"
	is 1 gridtag -a -m 'out/{tag}' a=1,2
	same none "$output"
	is 1 gridtag -n -m 'out/{tag}' a=1,2
	same 0 "$output"
}

@test "a path template that gives two cells one path is refused, naming both" {
	refusals <<-'E'
		-n -m out/x a=1,2 => template 'out/x': cells 0 and 1 both give 'out/x': a template that tells every cell from every other was expected
		-n -b 1 -m 'out/{b}' a=1,2 b=1,2 => template 'out/{b}': cells 1 and 3 both give 'out/1': a template that tells every cell from every other was expected
		-n -m '{tag}' -m '{b}' a=1,2 b=1,2 => template '{b}': cells 0 and 2 both give '1': a template that tells every cell from every other was expected
		-n -m 'o/{a}/{b}' a=x,x/y b=y/z,z => ~ both give 'o/x/y/z'
		-n -m 'o/{a}' a=x,./x => ~ cells 0 and 1 both give 'o/x'
		-n -m 'o//{a}' a=x,/x => ~ cells 0 and 1 both give 'o/x'
		-n -w a=1 -m 'out/x' a=1,2 => ~ cells 0 and 1 both give
		-n --except 1 -m 'out/x' a=1,2 => ~ cells 0 and 1 both give
		-n -m '{c}' a=1 => template '{c}': {c}: the name of an axis, {tag} or {index} was expected
		-n -m '${a}' a=1 => template '${a}': ${a} is not filled in here: {a} was expected
	E
}

@test "a refused path template leaves nothing on stdout" {
	refusals <<-'E'
		-l -m out/x a=1,2 => ~ cells 0 and 1 both give
		--account out/x a=1,2 => ~ cells 0 and 1 both give
	E
}

@test "two spellings of one directory are one path" {
	mkdir -p o/a
	touch o/a/x
	refusals <<-'E'
		-n -m 'o/{v}' v=a,a/ => ~ cells 0 and 1 both give
		-n -m 'o/{v}' v=a,a/. => ~ cells 0 and 1 both give
		-n -m 'o/{v}/x' v=a,b/../a => ~ cells 0 and 1 both give
	E
}

@test "--account: a value with slashes stands for several names of a path, in what is extra too" {
	mkdir -p out/meta/L3 out/meta/L9 out/qwen
	echo x | tee out/meta/L3/0.json out/meta/L3/1.json out/qwen/0.json >out/gpt.json
	is 1 gridtag -q --account 'out/{m}/{s}.json' m=meta/L3 s=0,1
	same $'extra\t-\t-\tout/qwen/0.json\t-' "$output"
	echo x | tee out/meta/L3/7.json >out/meta/L9/0.json
	is 1 gridtag -q --account 'out/{m}/{s}.json' m=qwen,meta/L9 s=0
	same $'extra\t-\t-\tout/meta/L3/0.json\t-\nextra\t-\t-\tout/meta/L3/1.json\t-\nextra\t-\t-\tout/meta/L3/7.json\t-' "$output"
	# where two fields may hold slashes a file is found twice, and told once
	is 1 gridtag -q --account 'out/{a}/{b}.json' a=qwen,no/t b=0,y/0
	has "$output" $'extra\t-\t-\tout/meta/L9/0.json\t-'
	same '' "$(uniq -d <<<"$output")"
	deep=$(printf '/x%.0s' {1..20})
	mkdir -p "deep/a$deep/a$deep/a${deep%/x}"
	echo x >"deep/a$deep/a$deep/a$deep"
	is 3 timeout 20 gridtag --account 'deep/{a}/{b}/{c}' "a=a$deep" "b=a$deep" "c=a$deep"
	same '' "$output"
	has "$stderr" 'gridtag: deep/{a}/{b}/{c}: its values hold too many slashes to look for files that no cell owns'
}

@test "the file that the system finds is looked at, whatever .. and links make of its path" {
	mkdir -p scratch/out scratch/results results
	ln -s scratch/out out
	echo x | tee scratch/results/1 >results/2
	is 0 gridtag -a -m 'out/../results/{tag}' a=1,2
	same 1 "$output"
	is 1 gridtag -q --account 'out/../results/{tag}' a=1,2
	has "$output" $'missing\t1\t2\t'
	hasnt "$output" extra
	is 0 gridtag -n -m 'results/{tag}/' a=2
}

@test "a field that a path template cannot fill in is refused, however it is misspelt" {
	refusals <<-'E'
		-n -m 'out/{Tag}.{tag}' a=1,2 => ~ {Tag}
		-n -m 'out/{tag}.{a:03}' a=1,2 => ~ {a:03}
		-n -m 'out/{tag' a=1 => ~ {tag
	E
}

@test "a file that cannot be looked at is neither there nor missing: 3" {
	mkdir -m 0 locked
	cp "$BIN/gridtag" .
	is 3 as_nobody ./gridtag -a -m 'locked/{tag}' a=1,2
	same none "$output"
	same 'gridtag: cell 0: locked/1: Permission denied' "$stderr"
	is 3 as_nobody ./gridtag -q --account 'locked/{tag}' a=1,2
	same $'unknown\t0\t1\tlocked/1\t-\nunknown\t1\t2\tlocked/2\t-' "$output"
	has "$stderr" 'gridtag: locked/1: Permission denied'
	mkdir -p out/1 out/2
	chmod 0 out/2
	is 3 as_nobody ./gridtag -a -m 'out/{tag}' a=2
	same 'gridtag: cell 0: out/2: Permission denied' "$stderr"
}

@test "a directory that cannot be searched for files of no cell: 3" {
	mkdir -p out/1 out/other
	echo x | tee out/1/r >out/other/r
	chmod 0 out/other
	cp "$BIN/gridtag" .
	is 3 as_nobody ./gridtag -q --account 'out/{tag}/r' a=1
	has "$stderr" 'out/other'
}

@test "--except leaves indices out, and none is none" {
	answers <<-'E'
		-a --except 1 a=0..3 => 0,2-3
		-n --except 1 a=0..3 => 3
		-l --except 0-2 a=0..3 => 3	3	3
		-a --except none a=0..3 => 0-3
		-a --except '[1,3]' a=0..3 => 0,2
		-a --except '0-2:2%4' a=0..3 => 1,3
		-a --except 7-9 a=0..3 => 0-3
		-a -b 1 --except 1 a=0..3 => 2-4
		-a -k 2 --except 0 a=0..5 => 1-2
		-n -k 2 --except 0 a=0..5 => 4
		-n -k 4 --except 1 a=0..5 => 4
		-n -k 4 --except 0 a=0..5 => 2
		-l -k 2 --except 0 a=0..3 => 2	2	2	1 3	3	3	1
		-a -k 2 --except 1 -w a=0,3 a=0..3 => 0
	E
	is 1 gridtag -a --except 0-3 a=0..3
	same none "$output"
	refusals <<-'E'
		-n --except '' a=1 => --except '': '': an empty item: indices like 0-3,7 or none were expected
		-n --except 1, a=1 => --except '1,': '': an empty item: indices like 0-3,7 or none were expected
		-n --except 3-1 a=1 => --except '3-1': '3-1': the range runs downward: indices like 0-3,7 or none were expected
		-n --except x a=1 => --except 'x': 'x': not an index in range: indices like 0-3,7 or none were expected
		-n --except '1-3...' a=1 => --except '1-3...': '1-3...': cut off by ... (set SLURM_BITSTR_LEN=0 to see it whole): indices like 0-3,7 or none were expected
		-n --except 1-9:0 a=1 => --except '1-9:0': '1-9:0': the step is not 1 or more: indices like 0-3,7 or none were expected
		-n --except 5%0 a=1 => --except '5%0': no number of tasks at once behind %: indices like 0-3,7 or none were expected
	E
}

@test "an option given twice is not half forgotten" {
	local status out err
	call -a --except 0 --except 1 a=0..3
	case $status:$out in 2:none* | 0:2-3*) ;; *) echo "--except 0 --except 1: $status $out" >&2; false ;; esac
	is 2 gridtag -T -q -i 0 -i 1 a=1,2
	printf 'a=1\n' >one
	printf 'a=1,2\n' >two
	is 2 gridtag -n -f one -f two
}

@test "-2 is two indices that differ in every axis that varies" {
	answers <<-'E'
		-2 a=1..3 b=x,y => 0,5
		-2 a=1..3 b=x => 0,2
		-2 -b 1 a=1,2 => 1-2
		-2 a:b=1:x,1:y,2:x => 1-2
		-2 -x a=1,b=x a=1,2 b=x,y => 0-1
		-2 -x a=2,b=y a=1,2 b=x,y => 1-2
		-2 -k 2 a=1..6 => 0,2
	E
	is 0 gridtag -2 -x a=1,b=x -x a=2,b=x a=1,2 b=x,y
	same 0-1 "$output"
	is 0 gridtag -2 a:b=1:x,1:y
	same 0-1 "$output"
	same '' "$stderr"
	is 0 gridtag -2 a:b:c=1:x:p,1:y:q,2:x:q
	same 0-1 "$output"
	has "$stderr" 'no two cells differ in all 3 axes that vary: these differ in 2'
	is 1 gridtag -2 a=1 b=2
	same none "$output"
	has "$stderr" 'one cell'
	is 1 gridtag -2 -x a=2 a=1,2
	same none "$output"
}

@test "a hundred thousand skips are looked up, not searched through" {
	case ${CHECK_BUILD-} in sanitized | valgrind) skip 'memory that grows is copied each time there' ;; esac
	local grid
	awk 'BEGIN { for (i = 0; i < 125000; i++) print "v" i }' >values
	awk 'BEGIN { print "x=0..124999"; for (i = 0; i < 100000; i++) print "skip x=" (i * 7919 + 13) % 125000 }' >one
	awk 'BEGIN { print "x=@values"; for (i = 0; i < 100000; i++) print "skip x=v" (i * 7919 + 13) % 125000 }' >list
	awk 'BEGIN { print "y=0..249\nx=0..499"; for (i = 0; i < 100000; i++) { k = (i * 7919 + 13) % 125000; print "skip y=" int(k / 500) ",x=" k % 500 } }' >two
	for grid in one list two; do
		timeout 60 gridtag -l -f "$grid" >cells
		same 25000 "$(wc -l <cells)"
		last=$(tail -n 1 cells | cut -f 2)
		is 0 timeout 60 gridtag -T -q -i 24999 -f "$grid"
		same "$last" "$output"
	done
	is 0 timeout 60 gridtag -n -f two
	same 25000 "$output"
	is 0 timeout 60 gridtag --each x -f two
	is 0 timeout 60 gridtag -2 -f two
	# so many that say different things in each part of the grid are refused
	awk 'BEGIN { print "a=0..99999\nb=0..99999"; for (i = 0; i < 50000; i++) { print "skip a=" i ",b=" i; print "skip b=" i + 1 } }' >much
	is 2 timeout 60 gridtag -n -f much
	same 'gridtag: 100000 skips over so many axes cannot be counted: a table of the cells was expected' "$stderr"
}

@test "-2 does not say that an axis varies which the skips have left one value" {
	is 0 gridtag -2 -x a=2 a=1,2 b=1,2
	same 0-1 "$output"
	same '' "$stderr"
}

@test "-2 finds the one pair at the end of a long table" {
	{ echo a,b,c; seq 6500 | sed 's/$/,x,x/'; echo p,y,x; echo q,x,y; } >t
	is 0 gridtag -2 -c t
	same 6500-6501 "$output"
}

@test "-2 of cells that are all one task says so" {
	run --separate-stderr gridtag -2 -k 12 a=1..3 b=x,y
	[ -n "$stderr" ]
}

@test "--each is one index for every value of an axis" {
	answers <<-'E'
		--each a a=1..3 b=x,y => 0-4:2
		--each b a=1..3 b=x,y => 0-1
		--each b -b 1 a=1..3 b=x,y => 1-2
		--each a a:b=1:x,1:y,2:x => 0,2
		--each b a:b=1:x,1:y,2:x => 0-1
		--each a -k 3 a=1..3 b=x,y => 0-1
		--each b -x a=1,b=x a=1..3 b=x,y => 0-1
	E
	is 0 gridtag --each a -x a=2 a=1..3 b=x,y
	same 0,2 "$output"
	same "gridtag: no cell with a '2': skips leave them all out" "$stderr"
	is 2 gridtag --each b a=1
	same none "$output"
	same "gridtag: the grid has no axis 'b'" "$stderr"
}

@test "--max refuses an index at or above it and says which per-task would do" {
	local max base k status out err
	is 1 gridtag -a --max 1001 a=0..1001
	same none "$output"
	same 'gridtag: index 1001 is not below --max 1001: -k 2 (per-task 2) would do' "$stderr"
	is 0 gridtag -a --max 1001 a=0..1000
	same 0-1000 "$output"
	same '' "$stderr"
	while read -r max base k; do
		call -a -b "$base" --max "$max" a=0..99
		same "1 gridtag: index $((base + 99)) is not below --max $max: -k $k (per-task $k) would do"$'\n' "$status $err"
		call -a -k "$k" -b "$base" --max "$max" a=0..99
		same 0 "$status" "max $max, base $base: -k $k"
		call -a -k $((k - 1)) -b "$base" --max "$max" a=0..99
		[ "$status" != 0 ] || { echo "max $max, base $base: less than -k $k does" >&2; false; }
	done <<-'E'
		99 0 2
		3 0 34
		3 1 50
		5 4 100
		10 0 10
		10 1 12
		11 1 10
		50 0 2
		49 0 3
	E
	is 1 gridtag -a -b 4 --max 3 a=0..9
	same 'gridtag: index 13 is not below --max 3: a base below it was expected' "$stderr"
	is 0 gridtag -a --max 5 --except 5-99 a=0..99
	same 0-4 "$output"
	is 1 gridtag -2 --max 2 a=1..5
	same none "$output"
	is 1 gridtag --each a --max 2 a=1..5
	same none "$output"
}

@test "without --max an index above 1000 is warned of" {
	is 0 gridtag -a a=0..1000
	same '' "$stderr"
	is 0 gridtag -a a=0..1001
	same 0-1001 "$output"
	same "gridtag: index 1001 is above 1000, Slurm's default limit: see scontrol show config for MaxArraySize, and --max" "$stderr"
	is 0 gridtag -a -k 2 a=0..1001
	same '' "$stderr"
}

@test "a bad --max is called wrong even where nothing is left to print" {
	is 2 gridtag -a --max x --except 0-9 a=0..3
	same none "$output"
	is 2 gridtag -2 --max x a=1
	same none "$output"
}

@test "--fingerprint is that of all the grid's meaning" {
	local line want
	printf 'base 1\nprefix e\na=1,2,3\nb:c=x:y,z:w\nskip a=1,b=x\nskip a=2\nper-task 2\ntag t{a}{b}\n' >grid
	is 0 gridtag --fingerprint -f grid
	want=$output
	[[ $want =~ ^[0-9a-f]{16}$ ]]
	while IFS= read -r line; do
		# shellcheck disable=SC2059
		printf "$line" >same
		is 0 gridtag --fingerprint -f same
		same "$want" "$output" "no other meaning: $line"
	done <<-'E'
		# c\n\ntag t{a}{b}\nbase 01\r\nprefix e\na=1..3 # c\n  b:c=\\x78:y,z:w  \nskip a=2\nper-task 2\nskip b=x,a=1\n
	E
	is 0 gridtag --fingerprint -b 1 -p e -k 2 -x a=1,b=x -x a=2 --tag-template 't{a}{b}' a=1,2,3 b:c=x:y,z:w
	same "$want" "$output"
	: >seen
	while IFS= read -r line; do
		sed "$line" grid >other
		gridtag --fingerprint -f other >>seen || { echo "$line" >&2; false; }
	done <<-'E'
		s/base 1/base 2/
		/base/d
		s/prefix e/prefix f/
		/prefix/d
		s/a=1,2,3/a=1,3,2/
		s/a=1,2,3/a=1,2,3,4/
		s/a=1,2,3/a=1,2,03/
		s/b:c=x:y/b:c=x:z/
		s/b:c/b:d/
		s/^b:c=.*/b=x,z/
		s/a=1,b=x/a=3,b=x/
		/skip a=2/d
		s/per-task 2/per-task 3/
		s/tag t/tag u/
		/tag/d
	E
	same 16 "$( (cat seen; echo "$want") | sort -u | wc -l)" "fingerprints of other grids: $(cat seen)"
}

@test "--fingerprint tells widths apart, however long the range" {
	same 2 "$( (gridtag --fingerprint a=0..99999999; gridtag --fingerprint a=00000000..99999999) | sort -u | wc -l)"
	same 3 "$( (gridtag --fingerprint a=0..99999999; gridtag --fingerprint a=1..100000000; gridtag --fingerprint a=0..199999998..2) |
		sort -u | wc -l)"
}

@test "-F refuses a grid that is another" {
	local print
	print=$(gridtag --fingerprint a=1,2)
	is 0 gridtag -T -q -i 1 -F "$print" a=1,2
	same 2 "$output"
	is 0 gridtag -a --expect-fingerprint "${print^^}" a=1,2
	is 1 gridtag -T -i 1 -F "$print" a=1,3
	refused
	same "gridtag: the grid has fingerprint $(gridtag --fingerprint a=1,3), $print was expected: it was edited" "$stderr"
	refusals <<-'E'
		-n -F xyz a=1 => -F 'xyz': 16 hexadecimal digits, as --fingerprint prints them, were expected
		-n -F '' a=1 => -F '': 16 hexadecimal digits, as --fingerprint prints them, were expected
		-n -F 00123456789abcdef a=1 => -F '00123456789abcdef': 16 hexadecimal digits, as --fingerprint prints them, were expected
	E
}

# ---- the account ----

# bats test_tags=smoke
@test "--account finds every cell's file and those that no cell owns" {
	mkdir -p out/8b+1
	printf 'a\nb\nc\n' >out/7b+0
	: >out/7b+1
	printf 'a\nb\nc' >out/8b+0
	echo >out/other
	is 1 gridtag --account 'out/{tag}' m=7b,8b,9b s=0,1
	same $'empty\t1\t7b+1\tout/7b+1\t-\nempty\t3\t8b+1\tout/8b+1\t-\nmissing\t4\t9b+0\tout/9b+0\t-\nmissing\t5\t9b+1\tout/9b+1\t-\nextra\t-\t-\tout/other\t-' "$output"
	same 'gridtag: 6 cells: 2 ok, 2 missing, 2 empty, 0 with other than the records expected, 0 unknown; 1 extra' "$stderr"
	is 1 gridtag -q -H -b 1 --account 'out/{tag}' --records 3 m=7b,8b s=0
	same $'state\tindex\ttag\tpath\trecords\nrecords\t2\t8b+0\tout/8b+0\t2+\nextra\t-\t-\tout/7b+1\t-\nextra\t-\t-\tout/8b+1\t-\nextra\t-\t-\tout/other\t-' "$output"
	same '' "$stderr"
	is 1 gridtag -q --account 'out/{tag}' --records 2 m=7b s=0
	same $'records\t0\t7b+0\tout/7b+0\t3' "${lines[0]}"
	is 1 gridtag -q --account 'out/{tag}' --records 2 m=8b s=0
	same $'records\t0\t8b+0\tout/8b+0\t2+' "${lines[0]}"
	is 2 gridtag --account 'out/{tag}' --records x a=1
	same "gridtag: --records 'x': a whole number was expected" "$stderr"
}

@test "--account is 0 only if every cell is ok and no file is left over" {
	local i
	mkdir -p out/sub ok
	for i in 1 2 3; do
		mkdir out/sub/$i
		echo x >out/sub/$i/r.txt
		echo x >ok/$i.json
	done
	touch out/sub/1/s.txt ok/.hidden ok/1.txt
	is 0 gridtag --account './ok//{tag}.json' --records 1 a=1..3
	same '' "$output"
	same 'gridtag: 3 cells: 3 ok, 0 missing, 0 empty, 0 with other than the records expected, 0 unknown; 0 extra' "$stderr"
	is 0 gridtag -q --account 'out/sub/{tag}/r.txt' a=1..3
	is 1 gridtag -q --account 'out/sub/{tag}/r.txt' a=1..2
	same $'extra\t-\t-\tout/sub/3/r.txt\t-' "$output"
	is 1 gridtag -q --account 'out/sub/{a}/{b}.txt' a=1..3 b=r
	same $'extra\t-\t-\tout/sub/1/s.txt\t-' "$output"
	is 0 gridtag -q --account 'ok/{index}.json' -b 1 a=x,y,z
	is 1 gridtag -q --account 'ok/{index}.json' a=x,y,z
	same $'missing\t0\tx\tok/0.json\t-\nextra\t-\t-\tok/3.json\t-' "$output"
	is 1 gridtag -q --account "$PWD/ok/{tag}.json" a=1,2
	same $'extra\t-\t-\t'"$PWD/ok/3.json"$'\t-' "$output"
	mkdir 'g[*'
	echo x >'g[*/1'
	is 0 gridtag -q --account 'g[*/{a}' a=1
	echo x >'g[*/2'
	is 1 gridtag -q --account 'g[*/{a}' a=1
	echo x | tee 'h*_1' >hx_1
	is 0 gridtag -q --account 'h*_{a}' a=1
}

@test "a directory that a value with a slash in it makes is no file of its own" {
	mkdir -p out/meta
	echo x >out/meta/llama
	is 0 gridtag -q --account 'out/{model}' model=meta/llama
	same '' "$output"
}

@test "--account of one file where several are expected says that the tag does not reach the code" {
	mkdir out
	echo x >out/result
	is 1 gridtag --account 'out/{tag}' a=1..3
	same 4 "${#lines[@]}"
	has "$stderr" 'gridtag: one file where 3 are expected: the tag is not reaching the code'
	echo x >out/other
	is 1 gridtag --account 'out/{tag}' a=1..3
	hasnt "$stderr" 'one file'
}

@test "--json is JSON, whatever the bytes" {
	command -v python3 >/dev/null || skip 'no python3'
	LC_ALL=C awk 'BEGIN { printf "v,w\n\""; for (i = 1; i < 256; i++) printf "%s%c", i == 34 ? "\"" : "", i
		printf "\",\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\n\xed\xa0\x80\xc0\x80,\"\\\"\"\"\n-,0\n" }' >t
	gridtag -l --json -c t >out
	: >$'ok\e[31m"\xff'
	gridtag -q --account 'ok{v}' --json 'v=\x1b[31m"\xff,2' >account || true
	cat >check.py <<-'E'
		import json
		rows = [json.loads(line) for line in open("out", "rb").read().decode("utf-8").splitlines() if line]
		assert [r["index"] for r in rows] == [0, 1, 2], rows
		assert all(sorted(r) == ["index", "tag", "v", "w"] and isinstance(r["tag"], str) for r in rows), rows
		assert rows[0]["w"] == "\u00e9\u20ac\U0001f600" and rows[0]["v"][:127] == "".join(map(chr, range(1, 128))), rows[0]
		assert set(rows[0]["v"][127:]) == {"\ufffd"} and set(rows[1]["v"]) == {"\ufffd"} and rows[1]["w"] == '\\"', rows
		assert rows[2]["v"] == "-" and rows[2]["w"] == "0", rows
		acc = [json.loads(line) for line in open("account", "rb").read().decode("utf-8").splitlines()]
		assert [a["state"] for a in acc] == ["empty", "missing"], acc
		assert acc[0]["path"] == 'ok\x1b[31m"\ufffd' and acc[0]["tag"] == "0~~1B~5B31m~22~FF", acc
	E
	is 0 python3 check.py
}

@test "--json of an account has numbers for numbers and null for nothing" {
	printf 'a\nb' >f1
	: >f2
	is 1 gridtag -q --account 'f{a}' --records 1 --json a=1
	same '{"state":"records","index":0,"tag":"1","path":"f1","records":"1+"}
{"state":"extra","index":null,"tag":null,"path":"f2","records":null}' "$output"
}

# ---- several cells a task ----

@test "-k runs the cells of a task one after another, in order" {
	# shellcheck disable=SC2016
	is 0 gridtag -k 3 -i 1 a=0..7 -- sh -c 'echo "$TAG $a $0 $1"' '{index}' '{tag}'
	same $'3 3 3 3\n4 4 4 4\n5 5 5 5' "$output"
	same $'gridtag: task 1 -> 3 a=3\ngridtag: task 1 -> 4 a=4\ngridtag: task 1 -> 5 a=5' "$stderr"
	is 0 gridtag -q -k 3 -i 2 a=0..7 -- printenv TAG
	same $'6\n7' "$output"
	SLURM_ARRAY_TASK_ID=3 is 0 gridtag -q -b 1 -k 3 a=0..7 -- echo '{a}' '{index}'
	same $'6 7\n7 8' "$output"
	is 125 gridtag -q -k 3 -i 3 a=0..7 -- echo '{a}'
	same "gridtag: index '3' is no task of this grid: 8 cells, several a task, indices 0 to 2" "$stderr"
	printf 'a=0..7\nper-task 3\n' >grid
	is 0 gridtag -q -i 2 -f grid -- echo '{a}'
	same $'6\n7' "$output"
	answers <<-'E'
		-a -k 3 a=0..7 => 0-2
		-a -k 3 -b 1 a=0..7 => 1-3
		-a -k 100 a=0..7 => 0
		-n -k 3 a=0..7 => 8
	E
	refusals <<-'E'
		-n -k 0 a=1 => per-task '0': a whole number from 1 to 1000000000 was expected
		-n -k x a=1 => per-task 'x': a whole number from 1 to 1000000000 was expected
		-n -b x a=1 => base 'x': a whole number from 0 to 1000000000 was expected
		-n -b 1000000001 a=1 => base '1000000001': a whole number from 0 to 1000000000 was expected
	E
}

@test "a failing cell does not stop the next, and the first failure is the status" {
	# shellcheck disable=SC2016
	is 3 gridtag -q -k 4 -i 0 a=0,3,5,0.0 -- sh -c 'echo $a; exit ${a%.0}'
	same $'0\n3\n5\n0.0' "$output"
	# shellcheck disable=SC2016
	is 137 gridtag -q -k 2 -i 0 a=1,2 -- sh -c 'echo $a; [ $a = 2 ] || kill -9 $$; exit 4'
	same $'1\n2' "$output"
	is 127 gridtag -q -k 2 -i 0 a=./none,./none2 -- '{a}'
	same $'gridtag: \'./none\': No such file or directory\ngridtag: \'./none2\': No such file or directory' "$stderr"
}

# start ARGS...: gridtag -q -i 0 ARGS in the background, in a session of its own and with no signal ignored. Its process
# is then in the file gridtag.pid, its status at the end in rc.
start() {
	rm -f rc gridtag.pid ready
	# shellcheck disable=SC2016
	setsid bash -c 'env --default-signal=INT,QUIT,HUP gridtag -q -i 0 "$@" 2>err & echo $! >gridtag.pid; wait $!
		echo $? >rc.new; mv rc.new rc' _ "$@" </dev/null >out 2>/dev/null 3>&- &
}

# no cell outlives its test: each waits only as long as `ready` is there
teardown() {
	rm -f ready go
}

@test "a signal reaches the running cell, and after TERM, INT or HUP no further cell starts" {
	local sig want
	cat >cell.sh <<-'E'
		echo "start $a" >>log
		for s in TERM INT HUP USR1 USR2; do trap "echo $s >>log; exit 9" $s; done
		[ "$a" = 1 ] || exit 0
		: >ready
		i=0
		while [ -e ready ] && [ $i -lt 500 ]; do sleep 0.02; i=$((i + 1)); done
	E
	while read -r sig want; do
		rm -f log
		start -k 3 a=1,2,3 -- sh cell.sh
		true_soon '[ -e ready ]'
		kill "-$sig" "$(cat gridtag.pid)"
		true_soon '[ -e rc ]'
		same "$want" "$(tr '\n' ' ' <log | sed 's/ $//')" "$sig"
		same 9 "$(cat rc)" "status after $sig"
		case $sig in
		USR*) same '' "$(cat err)" ;;
		*) same "gridtag: signal $(kill -l "$sig"): 2 of 3 cells were not started" "$(cat err)" ;;
		esac
	done <<-'E'
		TERM start 1 TERM
		INT start 1 INT
		HUP start 1 HUP
		USR1 start 1 USR1 start 2 start 3
		USR2 start 1 USR2 start 2 start 3
	E
}

@test "a cell that a signal kills ends the task with 128 and its number; one that ignores it leaves 128+n all the same" {
	start -k 2 a=1,2 -- sh -c ': >ready; exec sleep 10'
	true_soon '[ -e ready ]'
	# the cell may not have become sleep yet: either way TERM ends it
	kill -TERM "$(cat gridtag.pid)"
	true_soon '[ -e rc ]'
	same 143 "$(cat rc)"
	# shellcheck disable=SC2016
	start -k 2 a=1,2 -- sh -c 'trap "exit 0" TERM; : >ready
		i=0; while [ -e ready ] && [ $i -lt 500 ]; do sleep 0.02; i=$((i + 1)); done'
	true_soon '[ -e ready ]'
	kill -TERM "$(cat gridtag.pid)"
	true_soon '[ -e rc ]'
	same 143 "$(cat rc)"
}

@test "no cell starts after TERM, though another signal and the end of a cell came with it" {
	local pid
	[ -r /proc/self/status ] || skip 'no /proc'
	# shellcheck disable=SC2016
	start -k 3 a=1,2,3 -- sh -c 'echo $a >>log; echo $$ >cell.$a; trap : USR1
		i=0; : >ready; while [ -e ready ] && [ ! -e go ] && [ $i -lt 500 ]; do sleep 0.02; i=$((i + 1)); done'
	true_soon '[ -s cell.1 ]'
	pid=$(cat gridtag.pid)
	kill -STOP "$pid"
	true_soon "grep -qs '^State:.T' /proc/$pid/status"
	touch go
	true_soon "grep -qs '^State:.Z' /proc/$(cat cell.1)/status"
	kill -USR1 "$pid"
	kill -TERM "$pid"
	kill -CONT "$pid"
	true_soon '[ -e rc ]'
	same 1 "$(cat log)" 'cells started'
	has "$(cat err)" '2 of 3 cells were not started'
}

@test "a signal that comes before the cell has become its command is not lost" {
	local pid words
	[ -r "/proc/self/task/$BASHPID/children" ] || [ -r "/proc/$BASHPID/task/$BASHPID/children" ] || skip 'no list of children in /proc'
	mapfile -t words < <(yes '{a}' | head -n 100000)
	# shellcheck disable=SC2016
	start -k 2 a=1,2 -- sh -c ': >ready; i=0; while [ -e ready ] && [ $i -lt 3000 ]; do sleep 0.02; i=$((i + 1)); done' "${words[@]}"
	true_soon '[ -s gridtag.pid ]'
	pid=$(cat gridtag.pid)
	true_soon "grep -qs gridtag /proc/$pid/comm && [ -n \"\$(cat /proc/$pid/task/$pid/children)\" ]"
	kill -TERM "$pid"
	true_soon '[ -e rc ]'	# a cell that did not get it would run on for a minute
	same 143 "$(cat rc)"
}

@test "a task of several cells stops with its cell at the terminal's stop key" {
	command -v python3 >/dev/null || skip 'no python3'
	cat >stop.py <<-'E'
		import os, pty, signal, sys, time
		pid, fd = pty.fork()
		if pid == 0:	# a shell's part: a job in the foreground of the terminal
		    job = os.fork()
		    if job == 0:
		        os.setpgid(0, 0)
		        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
		        os.tcsetpgrp(0, os.getpgrp())
		        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
		        os.execvp("gridtag", ["gridtag", "-q", "-k", "2", "-i", "0", "a=1,2", "--", "sh", "-c", "echo up; exec sleep 9"])
		    said, end = "not stopped", time.time() + 3
		    while said == "not stopped" and time.time() < end:
		        p, s = os.waitpid(job, os.WUNTRACED | os.WNOHANG)
		        if p: said = "stopped" if os.WIFSTOPPED(s) else "ended"
		        time.sleep(0.02)
		    print(said, flush=True)
		    os.killpg(job, signal.SIGKILL)
		    os._exit(0)
		seen = b""
		while b"up" not in seen: seen += os.read(fd, 100)
		os.write(fd, b"\x1a")
		try:
		    while True: seen += os.read(fd, 100)
		except OSError:
		    pass
		sys.exit(0 if b"\nstopped" in seen or b"Zstopped" in seen else "%r" % seen)
	E
	timeout 10 python3 stop.py
}

@test "several cells a task do not hang where SIGCHLD is blocked" {
	command -v python3 >/dev/null || skip 'no python3'
	is 0 timeout 20 python3 -c 'import os, signal
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
os.execvp("gridtag", "gridtag -q -k 2 -i 0 a=1,2 -- echo {a}".split())'
	same $'1\n2' "$output"
}

@test "a signal that ends a program does not leave a cell running alone" {
	local sig
	for sig in XCPU ABRT; do
		rm -f log ready
		: >go
		# shellcheck disable=SC2016
		start -k 2 a=1,2 -- bash -c 'trap "echo got >>log; exit 3" '$sig'; : >ready; for ((i = 0; i < 500; i++)); do [ -e go ] || exit; sleep 0.02; done'
		true_soon '[ -e ready ]'
		kill -$sig "$(cat gridtag.pid)"
		true_soon '[ -s log ] || [ -e rc ]'
		same got "$(head -n 1 log 2>/dev/null)" "the cell after $sig"
		rm -f go
		true_soon '[ -e rc ]'
	done
}

# ---- what is easily taken for something else ----

@test "an answer that is none or all is told on stderr, unless -q" {
	mkdir out; echo x >out/1; echo x >out/2
	is 1 gridtag -a -m 'out/{a}' a=1,2
	same "gridtag: nothing is missing: 2 of 2 cells have what -m names" "$stderr"
	is 1 gridtag -a -w a=1 -w a=2 a=1,2
	same "gridtag: no cell is left by -w and --except" "$stderr"
	is 0 gridtag -a -m 'put/x/{a}' -m 'out/{a}.json' a=1,2
	same "gridtag: 'put/x/{a}': there is no directory 'put/x'" "$stderr"
	is 1 gridtag --account 'put/{a}' a=1,2
	same "gridtag: 'put/{a}': there is no directory 'put'" "${stderr_lines[0]}"
	is 0 gridtag -l seed=0-4
	same "gridtag: axis seed: '0-4' is one value: 0..4 are all from one to the other" "$stderr"
	is 0 gridtag -l seed=0-4,7
	same '' "$stderr"
	for args in "-a -m out/{a} a=1,2" "-l a=0-4" "-a -m put/{a} a=1,2"; do
		gridtag -q $args >/dev/null 2>err || true
		same '' "$(cat err)" "gridtag -q $args"
	done
}

@test "an empty template, as an unset variable gives it, is refused" {
	is 2 gridtag -a -m '' a=1
	same none "$output"
	same "gridtag: -m '': a path with the tag or an axis was expected (an unset variable?)" "$stderr"
	is 2 gridtag --account '' a=1
}

@test "an option behind the operands is refused, and decides what is printed all the same" {
	is 2 gridtag a=1 -a
	same none "$output"
	is 2 gridtag a=1 -l
	same '' "$output"
	same "gridtag: '-l' stands behind the first operand: options come first" "$stderr"
	is 2 gridtag a=1 -z
	has "$output" 'exit 2'
}

# ---- output that is lost, and hostile bytes ----

@test "a full disk and a closed stdout are 3" {
	local args
	[ -w /dev/full ] || skip 'no /dev/full'
	while read -r args; do
		local status=0
		# shellcheck disable=SC2086
		gridtag -q $args >/dev/full 2>err || status=$?
		same "3 gridtag: the output was lost: stdout: No space left on device" "$status $(cat err)" "gridtag $args >/dev/full"
		status=0
		# shellcheck disable=SC2086
		gridtag -q $args >&- 2>err || status=$?
		same "3 gridtag: the output was lost: stdout: Bad file descriptor" "$status $(cat err)" "gridtag $args >&-"
	done <<-'E'
		-n a=1
		-a a=1
		-l a=1..3
		-2 a=1,2
		--each a a=1
		--values a a=1
		--fingerprint a=1
		-T -i 0 a=1
		-i 0 a=1
		--account none/{tag} a=1
		-h
	E
	status=0
	gridtag -l a=0..999999999 >/dev/full 2>err || status=$?
	same 3 "$status" 'a list that would take an hour, on a full disk'
	is 0 gridtag -q -i 0 a=1 -- true >&-
}

@test "closed stdin and stderr change nothing" {
	is 0 bash -c 'gridtag -T -i 0 a=1 <&- 2>&-'
	same 1 "$output"
	is 0 bash -c 'gridtag -i 0 a=1 -- sh -c "echo x" <&- 2>&-'
	same x "$output"
	is 2 bash -c 'gridtag -n a= 2>&-'
	same '' "$output"
}

@test "a reader that goes away ends it: by SIGPIPE, or with 3 where that is ignored" {
	# shellcheck disable=SC2016
	is 0 bash -c 'env --default-signal=PIPE gridtag -l a=0..99999 | head -n 1; echo ${PIPESTATUS[0]}'
	same $'0\t0\t0\n141' "$output"
	# shellcheck disable=SC2016
	is 0 bash -c 'trap "" PIPE; gridtag -l a=0..99999 | head -n 1; echo ${PIPESTATUS[0]}'
	same $'0\t0\t0\n3' "$output"
}

@test "bytes from outside never reach stderr raw, and one fact is one line" {
	local e=$'\e[31m\x9b\r\n\x7fx' args argv status out err
	printf 'a=%s\n' "$e" >grid
	printf 'a,b\n1,"%s\n' "$e" >t
	cp t "t$e"
	while IFS= read -r args; do
		eval "argv=($args)"
		call "${argv[@]}"
		[[ $err = 'gridtag: '*$'\n' && ${err%$'\n'} != *$'\n'* ]] || { echo "gridtag $args: $err" >&2; false; }
		printf '%s: %s' "$args" "$err" >>all
	done <<-'E'
		-n "$e"
		-n "a=$e,$e"
		-n "$e=1"
		-n "a=0..$e"
		-n "a=\\$e\\"
		-T -i "$e" a=1
		-n "--$e"
		-n "-$e"
		-n -f "$e"
		-n -f "$e" a=1
		-n -c "t$e"
		-n -f grid
		-n -c t
		-n -b "$e" a=1
		-n -p "$e" a=1
		-n -x "$e" a=1
		-n -x "a=$e" a=1
		-n -w "a=$e" a=1
		-n -m "{x}$e" a=1
		-n -m "$e" a=1,2
		-n --tag-template "$e" a=1
		-n --except "$e" a=1
		-a --max "$e" a=1
		--account x{a} --records "$e" a=1
		-F "$e" -n a=1
		--values "$e" a=1
		--each "$e" a=1
		-T -i 0 'a=x\x1b[31m\xff\xc2\x9b\n'
		-i 0 'a=x\x1b\n' -- true
		-q -i 0 a=1 -- "$e"
		-i 0 a=1 "$e" -- true
	E
	run -1 env LC_ALL=C grep -n $'[\x01-\x08\x0b-\x1f\x7f\x80-\x9f]' all
}

@test "on a terminal the list is aligned under a header, and bytes are harmless" {
	command -v script >/dev/null || skip 'no script'
	script -qec "gridtag -l model=7b,32b 'v=x\\x1b[31my,\\xff'" /dev/null </dev/null >got
	same 'index  tag              model  v
0      7b+x~1B~5B31my   7b     x\x1B[31my
1      7b+~FF           7b     \xFF
2      32b+x~1B~5B31my  32b    x\x1B[31my
3      32b+~FF          32b    \xFF' "$(tr -d '\r' <got)"
	script -qec "gridtag --values v 'v=x\\x1b[31my'" /dev/null </dev/null >got
	same 'x\x1B[31my' "$(tr -d '\r' <got)"
}

@test "no memory is 3, and prints none" {
	if grep -qa __asan_init "$BIN/gridtag"; then skip 'a sanitizer needs the address space'; fi
	run --separate-stderr bash -c 'ulimit -v 30000; gridtag -a b=0..16000000,20000000'
	same '3 none' "$status $output"
	has "$stderr" 'no memory'
}

@test "options behind the operands, however many, are read no further than the words there are" {
	is 2 env -i "$BIN/gridtag" a=1 -q -q -q -q
	same "gridtag: '-q' stands behind the first operand: options come first" "$stderr"
	is 2 env -i "$BIN/gridtag" 'x#-T' -q '-i-0--t' -q -ig-el
	is 2 gridtag a=1 -q -q -n
	same '' "$output"
}

@test "--account: a directory that may not be looked into is named once" {
	[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || skip 'needs root and setpriv'
	chmod 777 .
	mkdir -m 700 shut
	cp "$BIN/gridtag" ./gt
	run_as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	"${run_as[@]}" ./gt -h >/dev/null || skip 'this directory is not for another user'
	is 3 "${run_as[@]}" ./gt --account 'shut/{index}' a=1
	same 2 "$(grep -c denied <<<"$stderr")" "$stderr"
}
