#!/usr/bin/env bats
# completion - what TAB gives in a real bash and a real zsh, on a terminal of their own
load helper

bats_require_minimum_version 1.5.0

setup_file() {
	if ! command -v zsh >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		apt-get install -y -q zsh </dev/null >/dev/null 2>&1 || true
	fi
	# a checkout with the tools under test in its bin, and an installation of them
	mkdir -p "$BATS_FILE_TMPDIR/tree/bin"
	cp -R "$ROOT/src" "$ROOT/share" "$BATS_FILE_TMPDIR/tree"
	for source in "$ROOT"/src/*.c; do
		cp "$BIN/$(basename "$source" .c)" "$BATS_FILE_TMPDIR/tree/bin"
	done
	"$ROOT/t/install" "$BIN" "$BATS_FILE_TMPDIR/installed tree"
	if command -v zsh >/dev/null; then
		zsh -d -f -c 'autoload -Uz compinit && compinit -u -d "$1"' - "$BATS_FILE_TMPDIR/zcompdump"
	fi
}

tools() { (cd "$ROOT/src" && ls ./*.c) | sed 's|^\./||; s|\.c$||'; }

tree() {
	tree=$BATS_FILE_TMPDIR/tree
	installed="$BATS_FILE_TMPDIR/installed tree"
	PATH=$tree/bin:$PATH
	: >some-file
	offenders=
	keys=() want=()
}

bash_rc() { printf '. "%s/share/bash-completion/completions/batchutils"\n' "$tree" >completions; }
zsh_rc() { printf '. "%s/share/zsh/site-functions/_batchutils"\n' "$tree" >completions; }

# lines SHELL KEYS...: for each KEYS the command line that they make in the shell; \t is TAB, \e* all completions at once
lines() {
	local shell=$1
	shift
	command -v "$shell" >/dev/null || skip "no $shell (apt-get install $shell)"
	command -v script >/dev/null || skip 'no script(1) to make a terminal'
	: >lines
	if [ "$shell" = bash ]; then
		cat >rc <<-'END'
			PS1=
			. ./completions
			set +o history
			bind 'set bell-style none' 'set enable-bracketed-paste off' 2>/dev/null
			dump() { printf '%s\n' "$READLINE_LINE" >>lines; READLINE_LINE=; }
			bind -x '"\C-x\C-p": dump'
		END
		{ printf '%b\030\020' "$@"; printf 'exit\n'; } |
			timeout 60 script -qec 'bash --noprofile --rcfile rc -i' /dev/null >screen 2>&1 || true
	else
		mkdir -p zdot
		export DUMP=$BATS_FILE_TMPDIR/zcompdump
		cat >zdot/.zshrc <<-'END'
			PS1=
			autoload -Uz compinit && compinit -C -d "$DUMP"
			. ./completions
			unsetopt beep
			unset zle_bracketed_paste
			every() { _main_complete; compstate[insert]=all compstate[list]=; }
			zle -C every complete-word every
			bindkey '\e*' every
			dump() { print -r -- "$BUFFER" >>lines; BUFFER= }
			zle -N dump
			bindkey '^X^P' dump
		END
		{ printf '%b\030\020' "$@"; printf 'exit\n'; } |
			ZDOTDIR=$PWD/zdot timeout 60 script -qec 'zsh -d -i' /dev/null >screen 2>&1 || true
	fi
	cat lines
}

# gives KEYS WANT: to be looked at by `in_shell`
gives() {
	keys+=("$1")
	want+=("$2")
}

# in_shell SHELL: notes as offenders the keys given that do not make the line wanted
in_shell() {
	local got=() one i
	lines "$1" "${keys[@]}" >made
	while IFS= read -r one; do got+=("$one"); done <made
	for ((i = 0; i < ${#keys[@]}; i++)); do
		[ "${got[i]-}" = "${want[i]}" ] || offenders+="$1, ${keys[i]}: '${got[i]-}', not '${want[i]}'"$'\n'
	done
	keys=() want=()
}

none() { same '' "$offenders" 'offenders'; }

# long OPTIONS of TOOL's help that take an argument, each with its letter: `-f --file`, `- --each`
with_argument() {
	"$1" -h | sed -n -E 's/^ +(-[^-]), (--[a-z-]+) [^ ].*/\1 \2/p; s/^ +(--[a-z-]+) [^ ].*/- \1/p'
}

every_option() {
	local shell=$1 tool got want asked=() one
	for tool in $(tools); do asked+=("$tool -\\e*"); done
	lines "$shell" "${asked[@]}" >made
	while read -r tool one; do
		want=$("$tool" -h | sed -n -E 's/^ +(-[^-], )?(--[a-z-]+).*/\1\2/p' | tr -d , | tr ' ' '\n' | grep . | sort)
		# what an option is followed by (= in zsh) is no part of its name
		got=$(tr ' ' '\n' <<<"$one" | sed 's/=$//' | grep . | sort -u)
		[ "$want" = "$got" ] || offenders+="$shell: $tool: $(diff <(echo "$want") <(echo "$got"))"$'\n'
	done <made
	same "${#asked[@]}" "$(wc -l <made)" "lines that $shell made"
	none
}

@test "bash offers every option of a tool, long and short, and nothing else" {
	tree; bash_rc
	every_option bash
}

@test "zsh offers every option of a tool, long and short, and nothing else" {
	tree; zsh_rc
	every_option zsh
}

completes() {
	local shell=$1 tool letter long
	for tool in $(tools); do
		gives "$tool --vers\\t" "$tool --version "
		gives "$tree/bin/$tool --vers\\t" "$tree/bin/$tool --version "
		gives "$tool --quiet --vers\\t" "$tool --quiet --version "
		gives "$tool some-f\\t" "$tool some-file "
		# an option's argument: a file, whatever way it is attached; behind it options are offered again
		read -r letter long < <(with_argument "$tool" | grep -v '^- ') || continue
		gives "$tool $long some-f\\t" "$tool $long some-file "
		gives "$tool $long=some-f\\t" "$tool $long=some-file "
		gives "$tool $letter some-f\\t" "$tool $letter some-file "
		gives "$tool -q${letter#-} some-f\\t" "$tool -q${letter#-} some-file "
		gives "$tool $long a=v:w --vers\\t" "$tool $long a=v:w --version "
		gives "$tool $letter a=v --vers\\t" "$tool $letter a=v --version "
	done
	in_shell "$shell"
	none
}

@test "bash completes options, their arguments and files" {
	tree; bash_rc
	completes bash
}

@test "zsh completes options, their arguments and files" {
	tree; zsh_rc
	completes zsh
}

past_the_options() {
	local shell=$1 tool
	mkdir path
	printf '#!/bin/sh\n' >path/only-in-this-path
	chmod +x path/only-in-this-path
	PATH=$PWD/path:$PATH
	for tool in $(tools); do
		gives "$tool x=1 --vers\\t" "$tool x=1 --vers"
		gives "$tool x=1 some-f\\t" "$tool x=1 some-file "
		if "$tool" -h | grep -q -e ' -- command'; then
			gives "$tool -q -- only-in-this-p\\t" "$tool -q -- only-in-this-path "
			gives "$tool x=1 -- only-in-this-p\\t" "$tool x=1 -- only-in-this-path "
			gives "$tool -- only-in-this-path some-f\\t" "$tool -- only-in-this-path some-file "
			gives "$tool -- only-in-this-path --vers\\t" "$tool -- only-in-this-path --vers"
		fi
	done
	in_shell "$shell"
	none
}

@test "bash: no options behind an operand, and a command behind -- where the tool runs one" {
	tree; bash_rc
	past_the_options bash
}

@test "zsh: no options behind an operand, and a command behind -- where the tool runs one" {
	tree; zsh_rc
	past_the_options zsh
}

impostors() {
	local shell=$1 tool
	mkdir path
	# all tools have the one function; three names will do
	for tool in $(tools | sed -n '1p; 5p; $p'); do
		printf '#!/bin/sh\ntouch "%s/ran"\nprintf "%s - me\\n\\n  --version  x\\n"\n' "$PWD" "$tool" >"path/$tool"
		chmod +x "path/$tool"
		(PATH=$PWD/path:$PATH && lines "$shell" "$tool --vers\\t") >got
		[ "$(cat got)" = "$tool --vers" ] || offenders+="$shell: $tool: $(cat got)"$'\n'
		[ ! -e ran ] || offenders+="$shell: $tool: another program of that name was run"$'\n'
		rm -f ran "path/$tool"
		printf '%s() { touch "%s/ran"; }\n' "$tool" "$PWD" >>completions
		lines "$shell" "$tool --vers\\t" >got
		[ ! -e ran ] || offenders+="$shell: $tool: a function of that name was run"$'\n'
	done
	none
}

@test "bash runs no program or function that only has a tool's name" {
	tree; bash_rc
	impostors bash
}

@test "zsh runs no program or function that only has a tool's name" {
	tree; zsh_rc
	impostors zsh
}

@test "bash: a checkout's file is for its own tools alone" {
	tree; bash_rc
	printf '#!/bin/sh\n' >"$tree/bin/other"
	chmod +x "$tree/bin/other"
	is 0 bash --norc --noprofile -c '. ./completions; complete -p | sed "s/.* //" | sort'
	rm "$tree/bin/other"
	same "$(tools | sort)" "$output"
}

@test "bash: sourcing leaves no status, option or word of the user's changed" {
	tree; bash_rc
	is 0 bash --norc --noprofile -euc 'set -- a b; before=$(shopt -p; set +o); . ./completions
		[ "$before" = "$(shopt -p; set +o)" ] && echo "$*"'
	same 'a b' "$output"
	same '' "$stderr"
}

@test "bash-completion finds the installed file by a tool's name" {
	local file=/usr/share/bash-completion/bash_completion tool
	tree
	[ -f "$file" ] || skip 'no bash-completion (apt-get install bash-completion)'
	printf '. %s\n' "$file" >completions
	ln -s "$installed" place	# bash-completion itself is not at ease with blanks in this path
	export BASH_COMPLETION_USER_DIR="$PWD/place/share/bash-completion"
	printf '#!/bin/sh\n' >"$installed/bin/other"
	chmod +x "$installed/bin/other"
	PATH=$installed/bin:$PATH
	for tool in $(tools); do
		gives "$tool --vers\\t" "$tool --version "
	done
	in_shell bash
	none
	is 1 bash --norc --noprofile -c '. "$1"; complete -p other' - "$installed/share/bash-completion/completions/batchutils"
}

@test "zsh's compinit finds the installed file" {
	local tool
	tree
	command -v zsh >/dev/null || skip 'no zsh (apt-get install zsh)'
	printf 'fpath=("%s" $fpath); compinit -u -D\n' "$installed/share/zsh/site-functions" >completions
	PATH=$installed/bin:$PATH
	for tool in $(tools); do
		gives "$tool --vers\\t" "$tool --version "
	done
	in_shell zsh
	none
}

@test "zsh's compinit says nothing about the file of a checkout in fpath" {
	tree
	command -v zsh >/dev/null || skip 'no zsh (apt-get install zsh)'
	is 0 zsh -d -f -c 'fpath=("$1" $fpath); autoload -Uz compinit && compinit -u -D && . "$1/_batchutils" && whence -w _batchutils' \
		- "$tree/share/zsh/site-functions"
	same '_batchutils: function' "$output"
	same '' "$stderr"
}
