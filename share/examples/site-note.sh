#!/bin/bash
# site-note.sh [-c FILE]
#
# What one must know of a cluster before the first job, from the cluster itself: `site-note.sh >site.tsv`, one fact a
# line, name TAB value. What Slurm cannot know, the rules of the people who run it, stands there as ASK: ask them, write
# the answer into the file. It is never guessed here from a configuration.
#   site-note.sh -c site.tsv        what changed since: changed, new or gone, name, what was noted, what is true now
# Run it on a login node, as the user who will submit. The limits of your accounts' parents are not followed, and
# what a prolog or a submit plugin of the site does is not shown by any command.
#
# status: 0 printed, or (-c) nothing changed; 1 something changed; 2 called wrong; 3 some source did not answer: the facts
#         it would have given are missing, and are not compared
set -euo pipefail
export LC_ALL=C
unset SLURM_CLUSTERS SINFO_FORMAT SINFO_PARTITION SLURM_TIME_FORMAT
say() { printf 'site-note.sh: %s\n' "$*" >&2; }
usage() { say 'usage: site-note.sh [-c FILE]'; exit 2; }

noted=
while getopts c: option; do
	case $option in
	c) noted=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# = 0 ] || usage
[ -z "$noted" ] || [ -r "$noted" ] || { say "$noted: cannot be read"; exit 2; }
command -v timeout >/dev/null || { say 'timeout: not found in PATH'; exit 3; }

# fact NAME VALUE: one line. Control bytes become blanks, nothing is `-'.
facts=
fact() {
	local value=${2//[[:cntrl:]]/ }
	facts+=$1$'\t'${value:--}$'\n'
}

# ask SECTION COMMAND...: its output, in $said. Without an answer the section is missing, which is not the same as empty.
missing=() said=
ask() {
	local section=$1 status=0
	shift
	said=$(timeout 60 "$@" 2>&1) || status=$?
	[ "$status" != 0 ] || return 0
	missing+=("$section")
	say "$section: $* ended with $status: ${said//$'\n'/ / }"
	said=
	return 1
}

# table PREFIX KEY: rows of sacctmgr -P in $said as facts PREFIX.(value of column KEY).COLUMN, where there is a value
table() {
	local -a names values
	local i key row
	IFS='|' read -r -a names <<<"${said%%$'\n'*}"
	while IFS= read -r row; do
		IFS='|' read -r -a values <<<"$row|"
		key=
		for i in "${!names[@]}"; do [ "${names[i]}" != "$2" ] || key=${values[i]}; done
		# an account may be given for one partition only
		for i in "${!names[@]}"; do [ "${names[i]}" != Partition ] || key+=${values[i]:+/${values[i]}}; done
		for i in "${!names[@]}"; do
			if [ -n "${values[i]-}" ] && [ "${names[i]}" != "$2" ]; then fact "$1.$key.${names[i]}" "${values[i]}"; fi
		done
	done < <(tail -n +2 <<<"$said")
}

me=$(id -un)
cluster=

# Slurm
if ask slurm scontrol show config; then
	for name in ClusterName SLURM_VERSION MaxArraySize MaxJobCount MinJobAge KillWait OverTimeLimit JobRequeue EnforcePartLimits \
		DefMemPerCPU DefMemPerNode MaxMemPerCPU MaxMemPerNode PreemptType PreemptMode AccountingStorageEnforce \
		AccountingStoreFlags JobAcctGatherType JobAcctGatherFrequency SelectTypeParameters PrologFlags PrivateData TmpFS; do
		value=$(sed -n "s/^$name *= //p" <<<"$said")
		if [ -n "$value" ]; then fact "slurm.$name" "$value"; fi
	done
	cluster=$(sed -n 's/^ClusterName *= //p' <<<"$said")
	# how a parallel program is started
	for name in MpiDefault LaunchParameters; do fact "launcher.$name" "$(sed -n "s/^$name *= //p" <<<"$said")"; done
fi
if ask launcher.mpi srun --mpi=list; then fact launcher.mpi "$(grep -v '\.\.\.$' <<<"$said" | paste -s -d ' ' | tr -s ' \t' ' ')"; fi
for name in srun mpirun mpiexec; do fact "launcher.path.$name" "$(command -v "$name" || :)"; done

# Partitions. QoS is the partition's own: its limits bind every job there, whatever QOS the job has.
if ask partition scontrol -o show partition; then
	while IFS= read -r line; do
		read -r -a words <<<"$line"
		partition=${words[0]#PartitionName=}
		for word in "${words[@]}"; do
			case $word in
			AllowAccounts=* | AllowQos=* | AllowGroups=* | Default=* | QoS=* | DefaultTime=* | MaxTime=* | MinNodes=* | MaxNodes=* | \
				MaxCPUsPerNode=* | PriorityTier=* | PreemptMode=* | GraceTime=* | OverSubscribe=* | TotalNodes=* | \
				DefMemPer*=* | MaxMemPer*=* | ReqResv=*)
				fact "partition.$partition.${word%%=*}" "${word#*=}" ;;
			esac
		done
	done <<<"$said"
fi

# Nodes: CPUs, memory in MB, and the names that --gres takes
if ask node sinfo -h -e -o '%R|%c|%m|%G'; then
	# one fact a partition: its kinds of nodes, joined
	while IFS=$'\t' read -r partition kinds; do fact "node.$partition" "$kinds"; done < <(sort -u <<<"$said" | awk -F '|' '
		{ kind = $2 " cpus, " $3 " MB" ($4 == "(null)" ? "" : ", " $4) }
		$1 in kinds { kinds[$1] = kinds[$1] "; " kind; next }
		{ kinds[$1] = kind }
		END { for (p in kinds) print p "\t" kinds[p] }')
fi

# Accounts of this user, with their limits; then the QOS
if ask account sacctmgr -P show assoc "user=$me" ${cluster:+cluster="$cluster"} \
	format=account,partition,qos,defaultqos,maxjobs,maxsubmit,maxwall,maxtres,grpjobs,grpsubmit,grpwall,grptres; then
	table account Account
fi
if ask account.default sacctmgr -nP show user "$me" format=defaultaccount; then fact account.default "$said"; fi
if ask qos sacctmgr -P show qos; then table qos Name; fi

# The environment convention, as this login shell shows it
if [ -n "${LMOD_VERSION-}" ]; then fact environment.modules "Lmod $LMOD_VERSION"
elif [ -n "${MODULESHOME-}" ]; then fact environment.modules "Environment Modules, $MODULESHOME"
else fact environment.modules ''; fi
for name in apptainer singularity enroot podman conda mamba uv spack; do fact "environment.path.$name" "$(command -v "$name" || :)"; done
for name in SCRATCH WORK PROJECT STORE; do fact "environment.$name" "${!name-}"; done

# Policy: only people know.
for name in login-node-limits queue-poll-interval job-arrays-at-once interactive-jobs scratch-purge backup quota-and-who-raises-it \
	node-scratch-variable internet-on-nodes sensitive-data allocation-renewal maintenance-days acknowledgement contact; do
	fact "policy.$name" ASK
done

if [ -z "$noted" ]; then
	printf '%s' "$facts" | sort
	[ ${#missing[@]} = 0 ] || exit 3
	exit 0
fi

# -c: what was noted beside what is true. Policy belongs to the person who asked.
changes=$(awk -F '\t' -v missing=" ${missing[*]-} " '
	function unknown(name,   i, n, part) {
		n = split(missing, part, " ")
		for (i = 1; i <= n; i++) if (name == part[i] || index(name, part[i] ".") == 1) return 1
		return 0
	}
	$1 ~ /^(#|$)/ { next }
	$1 ~ /^policy\./ { if (FNR == NR && $2 == "ASK") ask = ask " " substr($1, 8); next }
	FNR == NR { old[$1] = $2; next }
	{
		live[$1] = 1
		if (!($1 in old)) print "new\t" $1 "\t-\t" $2
		else if (old[$1] != $2) print "changed\t" $1 "\t" old[$1] "\t" $2
	}
	END {
		for (name in old) if (!(name in live) && !unknown(name)) print "gone\t" name "\t" old[name] "\t-"
		if (ask != "") print "site-note.sh: still to ask:" ask | "cat >&2"
	}' "$noted" <(printf '%s' "$facts") | sort)
if [ -n "$changes" ]; then printf '%s\n' "$changes"; fi
[ ${#missing[@]} = 0 ] || exit 3
[ -z "$changes" ]
