#!/usr/bin/env bats
# hostile.bats - names that nobody would choose, through every tool that reads names, and every form of its output (make check)
load ../helper

names=($'\e[31m\e]0;x\a\x9b2J' '$(touch owned)`touch owned`' "a'b\"c;touch owned" '%n%s%x%j' $'x\xff\xc3\x28\xf0\x9f' '../../etc;&|>owned' '-rf'
	'{index}*?[a]' $'\\n\\x41\\')

# Four runs that timed out for each name, and for one of a megabyte
past() {
	local name i=0 k common='u|TIMEOUT|00:30:00|1800|00:30:00|30|4|01:00:00|8G|5G|1|cpu=4,mem=8G|1|cpu'
	echo 'JobID|JobIDRaw|JobName|User|State|Elapsed|ElapsedRaw|Timelimit|TimelimitRaw|AllocCPUS|TotalCPU|ReqMem|MaxRSS|NTasks|AllocTRES|NNodes|Partition|NodeList|Submit|Start|End'
	for name in "${names[@]}" "$(head -c 1000000 /dev/zero | tr '\0' A)"; do
		for k in 1 2 3 4; do
			i=$((i + 1))
			printf '%s\n' "$i|$i|$name|$common|n$k|2026-11-0${k}T08:00:00|2026-11-0${k}T08:00:00|2026-11-0${k}T08:30:00"
		done
	done
}

# plain FILE WHAT: it has no control byte but TAB and the end of a line
plain() {
	[ "$(tr -d '\t\r\n' <"$1" | LC_ALL=C tr -cd '\000-\037\177' | wc -c)" = 0 ] && return
	printf '%s: ' "$2" >&2
	head -c 3000 "$1" | cat -v >&2
	return 1
}

# tame FILE WHAT: and is UTF-8 without C1 controls: it does nothing to a terminal
tame() {
	plain "$@" || return
	iconv -f UTF-8 -t UTF-8 "$1" >/dev/null && ! LC_ALL=C grep -q $'\xc2[\x80-\x9f]' "$1" && return
	printf '%s: ' "$2" >&2
	head -c 3000 "$1" | cat -v >&2
	return 1
}

@test "a name is never more than a name: plain, JSON, on a terminal, for a shell" {
	local form columns
	command -v jq >/dev/null || skip 'no jq'
	past >past
	while read -r form; do
		# shellcheck disable=SC2086    # words
		is 0 sh -c "$form -f past >out 2>err"
		plain out "$form" && tame err "$form" || return
		columns=$(LC_ALL=C awk -F '\t' '{ print NF } /^\t|\t\t|\t$/ { print "empty" }' out | sort -u | wc -l)
		case $form in
		*json*) tame out "$form" && jq -c . <out >/dev/null || return ;;
		*-s) sh out && bash out ;;
		*) [ ! -s out ] || same 1 "$columns" "different numbers of columns: $form" || return ;;
		esac
		if command -v script >/dev/null && [ "$form" != 'sacct-size -s' ]; then
			script -qec "$form -f past" /dev/null </dev/null >out
			tame out "$form, on a terminal" || return
		fi
	done <<-'END'
		sacct-hist -l
		sacct-hist --group name
		sacct-hist --json -l
		sacct-job -l
		sacct-job --json
		sacct-job -F
		sacct-size
		sacct-size --json
		sacct-size -s
		sacct-work
		sacct-work --json
		sacct-work -F
		whichnode -n 1
		whichnode -n 1 --json
	END
	is 0 sh -c 'unitcost -q -X -n 2 --sacct --by JobName past >needs && walltime-bucket -b 1d,30d -f needs >out'
	same 10 "$(wc -l <needs)" && same 10 "$(wc -l <out)" && plain needs unitcost && plain out walltime-bucket
	is 0 sh -c 'walltime-bucket -s -b 1d,30d -f needs >out'
	plain out 'walltime-bucket -s' && sh out
	[ ! -e owned ]
}

@test "a value of a grid is never more than a value: in a shell, in a command, in a tag" {
	local i name shell
	printf '%s\n' "${names[@]}" >values
	for i in "${!names[@]}"; do
		name=${names[i]}
		is 0 gridtag -q -i "$i" v=@values
		for shell in sh bash; do
			same "$name" "$($shell -c 'eval "$1"; printf %s "$v"' - "$output")" "$shell" || return
		done
		is 0 gridtag -q -i "$i" v=@values -- printf %s '{v}'
		same "$name" "$output" || return
		is 0 gridtag -T -i "$i" v=@values
		case $output in *[!A-Za-z0-9._=+%@,~-]*) echo "a tag: $output" >&2; return 1 ;; esac
	done
	[ ! -e owned ]
}
