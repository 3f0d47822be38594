/* sacct-hist - state histogram of jobs and array tasks
 *
 * Records are read once. For each task its newest attempt is kept: three 32-bit words (the job; the task, its state and
 * marks; the submit time), one more where groups or a list are wanted, and the job of a campaign's record for --also.
 * They stand in the order of the ids, in which most of them come; those that do not are put behind, and merged in when
 * there are a sixth as many: 12 to 20 bytes a task. There is a list for each user and cluster, as ids are used again.
 * What the queue says is merged afterwards.
 *
 * Assumed: a newer attempt has a later Submit (Slurm writes the time of the requeue there), without that column a later
 * Start or End. Where no time tells a later line is taken for the newer one, which is said where it matters.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <sys/stat.h>
#include <sys/types.h>

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "acct.h"
#include "child.h"
#include "dur.h"
#include "esc.h"
#include "hosts.h"
#include "iset.h"
#include "lines.h"
#include "names.h"
#include "num.h"
#include "opt.h"
#include "rec.h"
#include "tool.h"

const char help[] =
"sacct-hist - state histogram of jobs and array tasks\n"
"\n"
"usage: sacct-hist [options] ID...                            asks sacct, and squeue for what has not ended\n"
"       sacct-hist [options] -S SINCE [-E UNTIL] [-u USER]    the same for all jobs of a time\n"
"       sacct -P ... | sacct-hist [options]                   reads text, also -f FILE [ID...]; a plain list of states too\n"
"\n"
"ID: 4711  4711_3  4711_[1,3-9]  4711+0  4711;cluster  cluster/4711, separated by blanks or commas\n"
"\n"
"what is read:\n"
"  -S, --since SINCE        2026-11-29, 2026-11-29T08:00, 7d (that long ago) or what else sacct -S takes (30 days with -u)\n"
"  -E, --until UNTIL        the same for the end (now)\n"
"  -u, --user USER          the user, several joined by commas, `all` (you)\n"
"      --name GLOB          only jobs with this name, for instance 'train_*'\n"
"  -f, --file FILE          read text from FILE (- is stdin)\n"
"  -t, --time-limit TIME    for sacct and squeue together (30s)\n"
"      --fields             print the field list to give to sacct -o, and end\n"
"what is printed instead of state, count and indices:\n"
"  -g, --group FIELD        one histogram for each user, account, partition, name, node or day (of the end)\n"
"  -l, --list               per task: state, id, name, elapsed, exit in words, reason\n"
"  -a, --array STATES       the array specification of the tasks in these states, to submit them again: names or short\n"
"                           codes, bad, lost, open, joined by commas; several arrays: lines `id spec`\n"
"      --check              nothing: the status says whether all are COMPLETED\n"
"  -n, --count N            with --check: exactly N of them\n"
"what counts:\n"
"  -D, --attempts           every attempt, else the newest one of a task is its state\n"
"      --expect SPEC        the indices that there must be, 0-141: others are NEVER-RAN, which is bad\n"
"      --merge              all arrays are one campaign: for each index the newest record counts\n"
"      --also TEMPLATE      a COMPLETED task without this file, out/{index}.json, is NO-OUTPUT, which is bad\n"
"      --cells FILE         what `gridtag -l -H` printed, for {tag} and {axis} in the template\n"
"more:\n"
"  -H, --header             a line of column names\n"
"      --json               one JSON object a line\n"
"  -q, --quiet              fewer words on stderr\n"
"  -h, --help               this text\n"
"  -V, --version            the version\n"
"\n"
"bad: ended, but not COMPLETED; NEVER-RAN; NO-OUTPUT.  lost: NODE_FAIL, PREEMPTED, BOOT_FAIL.  open: queued or running.\n"
"\n"
"exit status: 0 printed, or all COMPLETED; 1 no: not all COMPLETED, or no task in these states (`none` is printed); 2 called\n"
"wrong, or the text is not sacct's; 3 could not find out: no records, an id without one, not over, no answer from\n"
"sacct or, for --check and -a, from squeue.\n"
"\n"
"example:\n"
"  printf 'JobID|State\\n7_0|COMPLETED\\n7_1|TIMEOUT\\n7_2|FAILED\\n' >hist.txt\n"
"  sacct-hist -f hist.txt\n"
"  spec=$(sacct-hist -q -a bad -f hist.txt) || exit\n"
"  echo sbatch --array=\"$spec\" job.sbatch\n";

enum {
	O_NAME = 256, O_FIELDS, O_CHECK, O_EXPECT, O_MERGE, O_ALSO, O_CELLS, O_JSON
};

static const struct option options[] = {
	OPT_COMMON,
	ACCT_OPTIONS,
	{ "name", required_argument, NULL, O_NAME },
	{ "fields", no_argument, NULL, O_FIELDS },
	{ "group", required_argument, NULL, 'g' },
	{ "list", no_argument, NULL, 'l' },
	{ "array", required_argument, NULL, 'a' },
	{ "check", no_argument, NULL, O_CHECK },
	{ "count", required_argument, NULL, 'n' },
	{ "attempts", no_argument, NULL, 'D' },
	{ "expect", required_argument, NULL, O_EXPECT },
	{ "merge", no_argument, NULL, O_MERGE },
	{ "also", required_argument, NULL, O_ALSO },
	{ "cells", required_argument, NULL, O_CELLS },
	{ "header", no_argument, NULL, 'H' },
	{ "json", no_argument, NULL, O_JSON },
	{ "quiet", no_argument, NULL, 'q' },
	{ NULL, 0, NULL, 0 }
};

enum column {
	C_ID, C_RAW, C_STATE, C_SUBMIT, C_START, C_USER, C_CLUSTER, C_NAME, C_PARTITION, C_ACCOUNT, C_NODES, C_END, C_RAWTIME,
	C_ELAPSED, C_EXIT, C_DERIVED, C_REASON, COLUMNS
};
static const char *const column[COLUMNS] = {
	"JobID", "JobIDRaw", "State", "Submit", "Start", "User", "Cluster", "JobName", "Partition", "Account", "NodeList", "End",
	"ElapsedRaw", "Elapsed", "ExitCode", "DerivedExitCode", "Reason"
};

/* the states of a task: Slurm's, and two of our own */
enum { NEVER_RAN = ACCT_STATES, NO_OUTPUT, STATES };
enum { META = 1, QUEUED = 2, UNSETTLED = 4 };	/* marks: from a row for many tasks; the queue has it; see acct_unsettled */

#define SETTLE 15000		/* ms that accounting may lag behind an end */
#define SHOWN 5			/* differences that are told one by one */
#define STEPS_NAMED 4		/* steps that a message names */
#define MAP_WIDE 64		/* indices in a line of the map, and lines of it at most */
#define BAR 30

/* the newest attempts of the tasks of one user on one cluster, or all attempts */
struct realm {
	const char *user, *cluster;
	uint32_t named;			/* the job that was told last to be none of this user's */
	uint32_t *slot;			/* width words each */
	size_t n, room, ordered;	/* the first `ordered` of the n are in the order of by_key, the rest as it came */
};

struct spot {
	uint32_t *slot;
	struct realm *realm;
};

struct group {
	uint64_t count[STATES];
};

static struct {
	const char *name, *group, *states, *also, *cells, *expect;
	int list, check, fields, attempts, merge, quiet, by_id;
	enum rec_how how;
	uint64_t n, wanted;		/* n: UINT64_MAX where not given; wanted: a bit for each state */
	enum column by;
	struct acct_query q;
} ask;

static struct realm *realm;
static size_t nrealms, realm_room;
static struct names groups;
static struct group *group;	/* by the numbers of groups */
static size_t ngroups, group_room;
static size_t width = 3;
static char *blob;		/* what a list needs of each record */
static size_t nblob, blob_room;
static const char *want[COLUMNS];
static uint64_t records, differing, steps_noted;
static struct tool_words steps_named;	/* the first of them */
static struct doubt {		/* two records of a task differ, and no time tells which is the newer */
	uint32_t realm, job, part;
	uint32_t until;		/* a record that is newer than this ends it */
	int meta;
} *doubt;
static size_t ndoubts, doubt_room;
static uint64_t unsure;		/* ids of which no time tells the newest record, and it matters; the first of them: */
static char unsure_id[96];
static uint64_t unsure_bad;	/* of them those that the record that counts has as bad */
static int unsure_users;	/* no time tells whose job is meant: 1, and 2 where their states differ */
static const char *source;	/* of the text, for messages */
static int no_queue;		/* the queue was asked and did not answer: what sacct has need not be the end */

static const char *
state_name(int s)
{
	return s == NEVER_RAN ? "NEVER-RAN" : s == NO_OUTPUT ? "NO-OUTPUT" : acct_name((enum acct_state)s);
}

static int
is_open(int s)
{
	return s < ACCT_STATES && !acct_ended((enum acct_state)s);
}

static int
is_bad(int s)
{
	return s != ACCT_COMPLETED && s != ACCT_REVOKED && !is_open(s);
}

/* ---- words that are met again and again ---- */

/* The number of the group with this name. */
static uint32_t
group_of(const char *s, size_t n)
{
	size_t k = names_of(&groups, s, n);

	if (k == ngroups) {
		group = tool_grown(group, ngroups, &group_room, sizeof *group);
		memset(&group[ngroups++], 0, sizeof *group);
	}
	return (uint32_t)k;
}

static struct realm *
realm_of(struct acct_text user, struct acct_text cluster)
{
	static struct names users, clusters, pairs;
	struct realm *r;
	size_t pair[2], k;

	if (ask.merge)
		user.n = cluster.n = 0;
	pair[0] = names_of(&users, user.s, user.n);
	pair[1] = names_of(&clusters, cluster.s, cluster.n);
	k = names_of(&pairs, pair, sizeof pair);
	if (k < nrealms)
		return &realm[k];
	realm = tool_grown(realm, nrealms, &realm_room, sizeof *realm);
	r = &realm[nrealms++];
	memset(r, 0, sizeof *r);
	r->user = users.at[pair[0]].s;
	r->cluster = clusters.at[pair[1]].s;
	return r;
}

/* ---- the tasks ---- */

static int
state_of(const uint32_t *slot)
{
	return (int)(slot[1] >> 24 & 31) - 1;	/* -1: it was dropped */
}

static int
marks_of(const uint32_t *slot)
{
	return (int)(slot[1] >> 29);
}

static void
set_state(uint32_t *slot, int state, int marks)
{
	slot[1] = (slot[1] & 0xffffff) | (uint32_t)(state + 1) << 24 | (uint32_t)marks << 29;
}

static void
copy_slot(uint32_t *to, const uint32_t *from)
{
	to[0] = from[0];
	to[1] = from[1];
	to[2] = from[2];
	if (width > 3)
		to[3] = from[3];
	if (width > 4)
		to[4] = from[4];
}

/* The job of the record: of a campaign it is the last word, where it is wanted at all. */
static uint32_t
job_of(const uint32_t *slot)
{
	return ask.merge ? slot[width - 1] : slot[0];
}

static uint64_t
key_of(const uint32_t *slot)
{
	return (uint64_t)slot[0] << 24 | (slot[1] & 0xffffff);
}

/* By job and task, all attempts by their time too. */
static int
by_key(const uint32_t *x, const uint32_t *y)
{
	uint64_t a = key_of(x), b = key_of(y);

	if (a != b || !ask.attempts)
		return a < b ? -1 : a > b;
	return x[2] < y[2] ? -1 : x[2] > y[2];
}

static void
say_id(FILE *f, const char *cluster, uint32_t job, uint32_t part)
{
	if (*cluster != '\0')
		fprintf(f, "%s/", cluster);
	fprintf(f, "%" PRIu32, job);
	if (part >> 22 == ACCT_TASK || part >> 22 == ACCT_HET)
		fprintf(f, "%c%" PRIu32, part >> 22 == ACCT_HET ? '+' : '_', part & ACCT_PART_MAX);
}

static void
id_text(char buf[96], const char *cluster, uint32_t job, uint32_t part)
{
	FILE *f = fmemopen(buf, 96, "w");

	if (f == NULL)
		tool_die(TROUBLE, "no memory for an id");
	say_id(f, cluster, job, part);
	fclose(f);
}

/* Whether the slot stands against `next`, a later record of its task: its own record is newer than a row for many; then the
 * later submit. Where no time tells, one that was requeued is older than any other, and else the later line stands; where
 * that matters it is noted, and count_unsure sees whether a newer record came. */
static int
stands(const struct realm *r, const uint32_t *slot, const uint32_t *next)
{
	int meta = marks_of(next) & META, was = state_of(slot), is = state_of(next);
	struct doubt *d;

	if ((marks_of(slot) & META) != meta && (!ask.merge || slot[2] == next[2]))
		return meta != 0;
	if (was != is && (slot[2] == next[2] || slot[2] == 0 || next[2] == 0)) {
		if (was == ACCT_REQUEUED || is == ACCT_REQUEUED)
			return is == ACCT_REQUEUED;
		doubt = tool_grown(doubt, ndoubts, &doubt_room, sizeof *doubt);
		d = &doubt[ndoubts++];
		d->realm = (uint32_t)(r - realm);
		d->job = slot[0];
		d->part = slot[1] & 0xffffff;
		d->until = slot[2] == next[2] && slot[2] != 0 ? slot[2] : UINT32_MAX;
		d->meta = meta;
		return 0;
	}
	return slot[2] > next[2];
}

/* Sorts n slots, equal ones left in their order; spare has room for half of them. */
static void
sort_slots(uint32_t *v, size_t n, uint32_t *spare)
{
	size_t half = n / 2, i = 0, k = half;

	if (n < 2)
		return;
	sort_slots(v, half, spare);
	sort_slots(v + half * width, n - half, spare);
	if (by_key(v + (half - 1) * width, v + half * width) <= 0)
		return;
	memcpy(spare, v, half * width * sizeof *v);
	for (; i < half; v += width)
		if (k == n || by_key(spare + i * width, v + (half - i) * width) <= 0) {
			copy_slot(v, spare + i++ * width);
		} else {
			copy_slot(v, v + (half - i) * width);
			k++;
		}
}

/* Of the records of each task the one that counts is left; of all attempts, those of rows for many where it has its own. */
static void
drop_older(struct realm *r)
{
	size_t i, k, end, own, kept = 0;
	uint32_t *s = r->slot;

	for (i = 0; i < r->n; i = end) {
		for (end = i, own = 0; end < r->n && key_of(s + end * width) == key_of(s + i * width); end++)
			own += (marks_of(s + end * width) & META) == 0;
		for (k = i + 1; !ask.attempts && k < end; k++)
			if (!stands(r, s + i * width, s + k * width))
				copy_slot(s + i * width, s + k * width);
		for (k = i; k < (ask.attempts ? end : i + 1); k++)
			if (!ask.attempts || own == 0 || (marks_of(s + k * width) & META) == 0)
				copy_slot(s + kept++ * width, s + k * width);
	}
	r->n = kept;
}

/* Puts all into their order. */
static void
order(struct realm *r)
{
	size_t i = r->ordered, n = r->n - r->ordered, to = r->n;
	uint32_t *s = r->slot, *spare;

	if (n > 0) {
		spare = tool_realloc(NULL, n, width * sizeof *s);
		sort_slots(s + i * width, n, spare);
		memcpy(spare, s + i * width, n * width * sizeof *s);
		while (n > 0 && i > 0)
			if (by_key(s + (i - 1) * width, spare + (n - 1) * width) > 0)
				copy_slot(s + --to * width, s + --i * width);
			else
				copy_slot(s + --to * width, spare + --n * width);
		memcpy(s, spare, n * width * sizeof *s);
		free(spare);
	}
	if (r->n > r->ordered || ask.attempts)
		drop_older(r);
	r->ordered = r->n;
}

static void
order_all(void)
{
	size_t i;

	for (i = 0; i < nrealms; i++)
		order(&realm[i]);
}

static void
fill_slot(uint32_t *slot, uint32_t job, uint32_t part, int state, int marks, uint32_t stamp, uint32_t detail)
{
	slot[0] = ask.merge ? 0 : job;
	slot[1] = part;
	slot[2] = ask.merge && stamp == 0 ? job : stamp;
	if (width > 3)
		slot[3] = detail;
	if (ask.merge && ask.also != NULL)
		slot[width - 1] = job;
	set_state(slot, state, marks);
}

/* A record of a task: it stands unless there is a newer one. */
static void
put(struct realm *r, uint32_t job, uint32_t part, int state, int marks, uint32_t stamp, uint32_t detail)
{
	uint32_t new[5], *last = r->n > 0 ? r->slot + (r->n - 1) * width : NULL;

	fill_slot(new, job, part, state, marks, stamp, detail);
	if (last != NULL && !ask.attempts && key_of(last) == key_of(new)) {
		if (!stands(r, last, new))
			copy_slot(last, new);
		return;
	}
	if (r->n == r->room) {
		if (!ask.attempts)
			order(r);
		if (r->n + r->n / 7 >= r->room) {
			r->room = r->n + r->n / 6 + 64;
			r->slot = tool_realloc(r->slot, r->room, width * sizeof *r->slot);
		}
		last = r->n > 0 ? r->slot + (r->n - 1) * width : NULL;
	}
	r->ordered += r->ordered == r->n && (last == NULL || (!ask.attempts && by_key(last, new) < 0));
	copy_slot(r->slot + r->n++ * width, new);
}

/* The newest attempt of a task among those that are in order, or NULL. */
static uint32_t *
find(struct realm *r, uint32_t job, uint32_t part)
{
	uint32_t key[2];
	size_t low = 0, high = r->ordered, mid;

	key[0] = job;
	key[1] = part;
	while (low < high) {
		mid = (low + high) / 2;
		if (key_of(r->slot + mid * width) <= key_of(key))
			low = mid + 1;
		else
			high = mid;
	}
	return low > 0 && key_of(r->slot + (low - 1) * width) == key_of(key) ? r->slot + (low - 1) * width : NULL;
}

/* What is in doubt still: neither a newer record nor one of the task's own came, and the job is not left out. */
static void
count_unsure(void)
{
	static struct names seen;
	const struct doubt *d;
	const uint32_t *slot;
	uint32_t key[3];
	size_t i, before;

	for (i = 0; i < ndoubts; i++) {
		d = &doubt[i];
		slot = find(&realm[d->realm], d->job, d->part);
		if (slot == NULL || state_of(slot) < 0 || slot[2] > d->until || (!ask.merge && (marks_of(slot) & META) != d->meta))
			continue;
		key[0] = d->realm;
		key[1] = d->job;
		key[2] = d->part;
		before = seen.n;
		if (names_of(&seen, key, sizeof key) != before)
			continue;
		unsure_bad += (uint64_t)is_bad(state_of(slot));
		if (unsure++ == 0)
			id_text(unsure_id, realm[d->realm].cluster, ask.merge ? d->part & ACCT_PART_MAX : d->job, ask.merge ? 0 : d->part);
	}
}

/* ---- records ---- */

/* 9:0 and 0:9 as people read them, into f. */
static void
exit_words(FILE *f, enum acct_state state, struct acct_text t, struct acct_text derived)
{
	static const char *const signals[] = { "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1",
		"SEGV", "USR2", "PIPE", "ALRM", "TERM" };
	const char *colon = t.s != NULL ? memchr(t.s, ':', t.n) : NULL;
	uint64_t code, sig, step;

	if (colon == NULL || num_u64(t.s, (size_t)(colon - t.s), 65535, &code) != NUM_OK ||
	    num_u64(colon + 1, t.n - (size_t)(colon + 1 - t.s), 65535, &sig) != NUM_OK)
		return;
	if (state != ACCT_COMPLETED && state != ACCT_FAILED && code == 0 && (sig == 0 || sig == 15 || sig == 125)) {
		/* Slurm's own word is the state: no code of the script */
		fputs(state == ACCT_TIMEOUT ? "time limit" : state == ACCT_OUT_OF_MEMORY ? "killed for memory" : "", f);
		return;
	}
	if (sig == 125)
		fputs("killed for memory", f);
	else if (sig == 53)
		fputs("could not start or open its output (0:53)", f);
	else if (sig > 0)
		fprintf(f, "signal %" PRIu64 "%s%s", sig, sig < 16 ? " " : "", sig < 16 ? signals[sig] : "");
	else {
		fprintf(f, "exit %" PRIu64, code);
		if (code == 126 || code == 127)
			fputs(code == 126 ? " (cannot be run)" : " (command not found)", f);
		else if (code > 128 && code <= 192)
			fprintf(f, " (signal %" PRIu64 "%s%s)", code - 128, code < 144 ? " " : "", code < 144 ? signals[code - 128] : "");
	}
	colon = derived.s != NULL ? memchr(derived.s, ':', derived.n) : NULL;
	if (colon != NULL && num_u64(derived.s, (size_t)(colon - derived.s), 65535, &step) == NUM_OK && step > 0 && step != code)
		fprintf(f, ", a step's exit %" PRIu64, step);
}

/* Keeps n bytes for -l; their offset, in 8 bytes. Frees text. */
static uint32_t
keep_text(char *text, size_t n)
{
	size_t at = (nblob + 7) / 8;

	if (at * 8 + n > blob_room || blob_room == 0) {
		blob_room += blob_room / 2 + n + 65536;
		blob = tool_realloc(blob, blob_room, 1);
	}
	memcpy(blob + at * 8, text, n);
	nblob = at * 8 + n;
	free(text);
	if (at > UINT32_MAX)
		tool_die(TROUBLE, "more than 32 GiB to list");
	return (uint32_t)at;
}

/* What -l will say of this record: id, name, elapsed, exit and reason, each ended by a NUL. */
static uint32_t
remember(const struct acct *a, uint32_t part)
{
	char *text = NULL, buf[DUR_TEXT], why[ACCT_WHY];
	struct acct_text t, name = acct_get(a, C_NAME), none = { NULL, 0 };
	size_t n;
	int64_t s;
	FILE *f = tool_text(&text, &n);

	t = a->id.cluster;
	if (t.n > 0)
		fprintf(f, "%.*s/", (int)t.n, t.s);
	say_id(f, "", a->id.job, part);
	fprintf(f, "%c%.*s%c", 0, (int)name.n, name.s != NULL ? name.s : "", 0);
	if (acct_elapsed_bad(acct_get(a, C_RAWTIME), acct_get(a, C_ELAPSED), acct_get(a, C_START), acct_get(a, C_END), none, why) != NULL)
		tool_die(acct_blame(&ask.q), "%s: line %" PRIu64 ": %s", source, a->line, why);
	s = acct_elapsed(acct_get(a, C_RAWTIME), acct_get(a, C_ELAPSED), acct_get(a, C_START), acct_get(a, C_END));
	fprintf(f, "%s%c", s >= 0 ? dur_slurm(s, buf) : "", 0);
	if (acct_ended(a->state))
		exit_words(f, a->state, acct_get(a, C_EXIT), acct_get(a, C_DERIVED));
	t = acct_get(a, C_REASON);
	fprintf(f, "%c%.*s%c", 0, (int)(t.s == NULL || acct_nothing(t) ? 0 : t.n), t.s != NULL ? t.s : "", 0);
	tool_text_end(f, &text);
	return keep_text(text, n);
}

/* The group of the record: the field as it stands. */
static uint32_t
group_of_record(const struct acct *a)
{
	struct acct_text t = { "-", 1 };

	if (ask.group != NULL)
		t = acct_get(a, ask.by);
	if (ask.by == C_END && t.s != NULL)
		t.n = acct_time(t) >= 0 && t.n > 10 ? 10 : 0;
	if (t.s == NULL || t.n == 0 || (ask.by != C_NAME && acct_nothing(t)))
		return group_of("-", 1);
	return group_of(t.s, t.n);
}

/* The fourth word of a slot. */
static uint32_t
detail_of(const struct acct *a, uint32_t part)
{
	return ask.list ? remember(a, part) : ask.group != NULL ? group_of_record(a) : 0;
}

static int
is_queue(const struct acct *a)
{
	return a->program != NULL && strcmp(a->program, "squeue") == 0;
}

/* The number that a job, task or component has for itself; 0 unknown. The queue is not asked for it: the components of a
 * job are numbered one after another. */
static uint32_t
own_number(const struct acct *a)
{
	return !is_queue(a) ? acct_raw(a) : a->id.kind == ACCT_HET ? a->id.job + a->id.part : 0;
}

static void
tell_difference(const struct acct *a, uint32_t part, int was)
{
	char id[96], cluster[64];

	if (++differing > SHOWN || ask.quiet)
		return;
	snprintf(cluster, sizeof cluster, "%.*s", (int)a->id.cluster.n, a->id.cluster.n > 0 ? a->id.cluster.s : "");
	id_text(id, cluster, a->id.job, part);
	tool_warn("%s: sacct %s, squeue %s: the queue counts", id, state_name(was), acct_name(a->state));
}

/* A task of the record: from the queue, or from accounting. */
static void
settle(const struct acct *a, struct realm *r, uint32_t part, int marks, uint32_t stamp)
{
	uint32_t *slot;
	int was;

	if (!is_queue(a)) {
		put(r, a->id.job, part, (int)a->state, marks, stamp, detail_of(a, part));
		return;
	}
	slot = find(r, ask.merge ? 0 : a->id.job, part);
	/* for accounting (24.11.5 and 26.05.5, not 22.05.8) a component that has not started is a job like any other */
	if (slot == NULL && a->id.kind == ACCT_HET) {
		slot = find(r, own_number(a), (uint32_t)ACCT_JOB << 22);
		if (slot != NULL && slot[2] != stamp)
			slot = NULL;
	}
	was = slot != NULL ? state_of(slot) : -1;
	if (slot == NULL && (ask.by_id || (ask.q.until == NULL && !acct_ended(a->state))))
		put(r, a->id.job, part, (int)a->state, marks | QUEUED, stamp, detail_of(a, part));
	if (slot == NULL)
		return;
	set_state(slot, was, marks_of(slot) | QUEUED);
	if (ask.merge && stamp > slot[2] && a->state != ACCT_REVOKED) {	/* a later submission: the older ones may follow */
		if (was != (int)a->state)
			tell_difference(a, part, was);
		fill_slot(slot, a->id.job, part, (int)a->state, marks | QUEUED, stamp, detail_of(a, part));
		return;
	}
	/* two ends differ: of two attempts that of the later; of one a record of its own that is bad stays so; and REVOKED says
	 * only that another cluster ran it */
	if (was == (int)a->state || (ask.merge && stamp < slot[2]) ||
	    (acct_ended(a->state) && !is_open(was) && (stamp < slot[2] || a->state == ACCT_REVOKED ||
	    (stamp == slot[2] && a->state == ACCT_COMPLETED && (marks_of(slot) & META) == 0))))
		return;
	tell_difference(a, part, was);
	if (ask.attempts && !is_open(was) && stamp > slot[2]) {
		put(r, a->id.job, part, (int)a->state, QUEUED, stamp, detail_of(a, part));
		return;
	}
	set_state(slot, (int)a->state, QUEUED);
}

static struct acct_id latest_job;	/* the latest row that was no step, and its state */
static enum acct_state latest_state;

/* The queue has an array whose last waiting tasks were cancelled as one job more, without an index. Whether the row is that:
 * tasks of the array are known that ended so. */
static int
is_emptied(const struct acct *a, const struct realm *r, uint32_t stamp)
{
	size_t low = 0, high = r->ordered, mid;
	const uint32_t *slot;

	if (!is_queue(a) || a->id.kind != ACCT_JOB || !acct_ended(a->state))
		return 0;
	while (!ask.merge && low < high) {
		mid = (low + high) / 2;
		if (r->slot[mid * width] < a->id.job)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < r->ordered; low++) {
		slot = r->slot + low * width;
		if (!ask.merge && slot[0] != a->id.job)
			break;
		if ((slot[1] >> 22 & 3) == ACCT_TASK && state_of(slot) == (int)a->state && slot[2] >= stamp)
			return 1;
	}
	return 0;
}

/* A step: a job may be COMPLETED with a step that is not. */
static void
take_step(const struct acct *a)
{
	const struct acct_id *job = &latest_job;
	static uint64_t noted;
	char id[96];

	if (a->id.job != job->job || a->id.part != job->part || a->id.kind != job->kind || latest_state != ACCT_COMPLETED ||
	    noted == records || a->state == ACCT_COMPLETED || !acct_ended(a->state) ||
	    acct_is(a->id.step, "extern"))
		return;
	noted = records;
	if (steps_noted++ == STEPS_NAMED)
		tool_add(&steps_named, ", ...");
	if (steps_noted > STEPS_NAMED)
		return;
	id_text(id, "", job->job, (uint32_t)job->kind << 22 | job->part);
	tool_add(&steps_named, "%s%s.%.*s", steps_noted > 1 ? ", " : "", id, (int)(a->id.step.n < 20 ? a->id.step.n : 20), a->id.step.s);
}

static int
name_fits(const struct acct *a)
{
	struct acct_text t;
	char *name;
	int r;

	if (ask.name == NULL)
		return 1;
	if (!acct_has(a, C_NAME))
		tool_die(acct_blame(&ask.q), "--name: the text has no column JobName");
	t = acct_get(a, C_NAME);
	name = tool_copy(t.s, t.n);
	r = fnmatch(ask.name, name, 0) == 0;
	free(name);
	return r;
}

/* A row that is no step. */
static void
take_job(struct acct *a)
{
	struct acct_text cluster = acct_get(a, C_CLUSTER);
	struct iset tasks = ISET_EMPTY;
	char why[ACCT_WHY];
	struct acct_id one = a->id;
	struct realm *r;
	int64_t stamp;
	uint64_t v;
	size_t i;
	int marks = 0;

	latest_state = ACCT_PENDING;
	if (!name_fits(a))
		return;
	if (a->id.job == 0) {
		records++;
		i = group_of_record(a);
		group[i].count[a->state]++;
		return;
	}
	if (cluster.n == 0)
		cluster = a->id.cluster;
	one.cluster = a->id.cluster = cluster;
	stamp = acct_time(acct_get(a, C_SUBMIT));
	if (stamp < 0)
		stamp = acct_time(acct_get(a, C_START));
	if (stamp < 0)
		stamp = acct_time(acct_get(a, C_END));
	if (stamp < 0)
		stamp = 0;
	if (acct_unsettled(acct_get(a, C_NAME), acct_get(a, C_PARTITION)))
		marks |= UNSETTLED;
	r = realm_of(acct_get(a, C_USER), cluster);
	if (a->id.kind != ACCT_TASKS) {
		/* the queue does not show the JobIDRaw by which a task was asked for: accounting has told which it is */
		if (!acct_asked(&ask.q, &one, ask.q.n > 0 ? own_number(a) : 0) &&
		    (!is_queue(a) || ask.merge || find(r, a->id.job, (uint32_t)a->id.kind << 22 | a->id.part) == NULL))
			return;
		if (is_emptied(a, r, (uint32_t)stamp))
			return;
		if (ask.merge && is_queue(a) && a->id.kind == ACCT_JOB)
			tool_die(TROUBLE, "--merge: squeue has %" PRIu32 " without an index, as %s: sacct lags, or it is no array", a->id.job,
			    acct_name(a->state));
		if (ask.merge && a->id.kind != ACCT_TASK && !(marks & UNSETTLED))
			tool_die(BADUSE, "--merge: %" PRIu32 " is no array: arrays only were expected", a->id.job);
		records++;
		latest_job = a->id;
		latest_state = a->state;
		settle(a, r, (uint32_t)a->id.kind << 22 | a->id.part, marks, (uint32_t)stamp);
		return;
	}
	if (acct_tasks(&tasks, &a->id, why) != NULL)
		tool_die(acct_blame(&ask.q), "%s: line %" PRIu64 ": %s", source, a->line, why);
	one.kind = ACCT_TASK;
	for (i = 0; i < tasks.n; i++)
		for (v = tasks.run[i].first; v <= tasks.run[i].last; v++) {
			one.part = (uint32_t)v;
			if (!acct_asked(&ask.q, &one, 0))
				continue;
			records++;
			settle(a, r, (uint32_t)ACCT_TASK << 22 | one.part, marks | META, (uint32_t)stamp);
		}
	iset_free(&tasks);
}

static void
take(struct acct *a)
{
	if (a->id.step.n > 0)
		take_step(a);
	else
		take_job(a);
}

/* Reads all records. */
static void
read_all(struct acct *a, const char *from)
{
	int r;

	source = from;
	while ((r = acct_next(a)) == 1)
		take(a);
	if (r < 0 && a->program != NULL)
		tool_die(a->status, "%s", a->why);
	if (r < 0)
		tool_die(a->status, "%s: %s", source, a->why);
	acct_end(a);
	order_all();
}

/* ---- where records come from ---- */

static void
forget(void)
{
	size_t i;

	for (i = 0; i < nrealms; i++)
		realm[i].n = realm[i].ordered = 0;
	nblob = 0;
	records = 0;
	ndoubts = 0;
	for (i = 0; i < ask.q.n; i++)
		ask.q.asked[i].seen = 0;
}

/* Calls f for every task that is kept. */
static void
each(void (*f)(struct realm *, uint32_t *, void *), void *arg)
{
	size_t i, k;

	for (i = 0; i < nrealms; i++)
		for (k = 0; k < realm[i].n; k++)
			if (state_of(realm[i].slot + k * width) >= 0)
				f(&realm[i], realm[i].slot + k * width, arg);
}

static void
count_open(struct realm *r, uint32_t *slot, void *arg)
{
	uint64_t *n = arg;

	(void)r;
	n[0] += (marks_of(slot) & UNSETTLED) != 0;
	n[1] += is_open(state_of(slot)) != 0;
	/* an attempt that was requeued is over, and its task goes on in the next */
	n[2] += is_open(state_of(slot)) && (marks_of(slot) & QUEUED) == 0 && !(ask.attempts && state_of(slot) == ACCT_REQUEUED);
}

/* The queue, for what has not ended, and because an id may be in use again. */
static void
ask_queue(int64_t deadline)
{
	struct acct_query q = ask.q;
	struct acct a;
	uint64_t n[3] = { 0, 0, 0 };
	char *users = NULL;
	size_t i, len;
	FILE *f;
	int r;

	each(count_open, n);
	if (!ask.by_id && n[1] == 0 && ask.q.until != NULL)
		return;
	q.ms = deadline - child_now();
	if (q.users == NULL) {
		f = tool_text(&users, &len);
		fprintf(f, "%lu", (unsigned long)geteuid());
		for (i = 0; i < nrealms && ftell(f) < 60000; i++)
			if (*realm[i].user != '\0')
				fprintf(f, ",%s", realm[i].user);
		tool_text_end(f, &users);
		q.users = users;
	}
	source = "squeue";
	r = q.ms > 0 ? acct_squeue(&a, &q, want, COLUMNS) : -1;
	if (r == 0)
		while ((r = acct_next(&a)) == 1)
			take(&a);
	order_all();
	no_queue = r < 0;
	if (q.ms <= 0)
		tool_warn("no time was left for squeue: what has not ended is as sacct has it");
	else if (r < 0)
		tool_warn("%s%s: what has not ended is as sacct has it", strncmp(a.why, "squeue", 6) == 0 ? "" : "squeue: ", a.why);
	else {
		if (differing > SHOWN && !ask.quiet)
			tool_warn("%" PRIu64 " more tasks differ between sacct and squeue: the queue counts", differing - SHOWN);
		n[2] = 0;
		each(count_open, n);
		if (n[2] > 0 && !ask.quiet)
			tool_warn("%" PRIu64 " task%s not over for sacct and not in the queue: sacct lags, or an end was never recorded", n[2],
			    n[2] == 1 ? " is" : "s are");
	}
	if (q.ms > 0)
		acct_end(&a);
	free(users);
}

struct spots {
	struct spot *v;
	size_t n, room, seen;	/* seen: how many there are in all */
	int all;		/* with -a too those that are not asked for */
};

static void
add_spot(struct realm *r, uint32_t *slot, void *arg)
{
	struct spots *s = arg;
	int state = state_of(slot);

	s->seen++;
	if (!s->all && ask.states != NULL && !(ask.wanted >> state & 1) && !is_open(state))
		return;
	s->v = tool_grown(s->v, s->n, &s->room, sizeof *s->v);
	s->v[s->n].slot = slot;
	s->v[s->n++].realm = r;
}

static int
by_id(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;
	int c = strcmp(x->realm->cluster, y->realm->cluster);

	if (c == 0 && x->slot[0] != y->slot[0])
		c = x->slot[0] < y->slot[0] ? -1 : 1;
	if (c == 0 && x->realm != y->realm)
		c = x->realm < y->realm ? -1 : 1;
	if (c == 0)
		c = by_key(x->slot, y->slot);
	return c != 0 || x->slot[2] == y->slot[2] ? c : x->slot[2] < y->slot[2] ? -1 : 1;
}

/* All tasks (unless `all`, with -a those in these states and those that are not over) by their ids; to be freed. */
static struct spots
sorted(int all)
{
	struct spots s = { NULL, 0, 0, 0, 0 };

	s.all = all;
	each(add_spot, &s);
	if (s.n > 0)
		qsort(s.v, s.n, sizeof *s.v, by_id);
	return s;
}

/* Where the records of the next id begin, of the next user's job too. */
static size_t
next_id(const struct spots *s, size_t i)
{
	size_t k = i + 1;

	while (k < s->n && s->v[k].slot[0] == s->v[i].slot[0] && strcmp(s->v[k].realm->cluster, s->v[i].realm->cluster) == 0)
		k++;
	return k;
}

static size_t
next_job(const struct spots *s, size_t i)
{
	size_t k = i + 1;

	while (k < s->n && s->v[k].slot[0] == s->v[i].slot[0] && s->v[k].realm == s->v[i].realm)
		k++;
	return k;
}

/* The n records are of one id on one cluster: of several users' the newest is meant. */
static void
choose_owner(struct spot *v, size_t n)
{
	uint32_t newest = 0, second = 0, job = v[0].slot[0];
	struct realm *owner = v[0].realm;
	size_t i;
	int differ = 0, others = 0;

	for (i = 0; i < n; i++)
		if (v[i].slot[2] > newest) {
			newest = v[i].slot[2];
			owner = v[i].realm;
		}
	for (i = 0; i < n; i++)
		if (v[i].realm != owner) {
			others = 1;
			second = v[i].slot[2] > second ? v[i].slot[2] : second;
			differ |= state_of(v[i].slot) != state_of(v[0].slot) || state_of(v[i].slot) != state_of(v[n - 1].slot);
		}
	if (!others)
		return;
	if (second == newest || second == 0) {
		tool_warn("%" PRIu32 ": jobs of several users have this id, and no time tells which is meant: all of them count", job);
		unsure_users = differ ? 2 : unsure_users == 2 ? 2 : 1;
		return;
	}
	for (i = 0; i < n; i++) {
		if (v[i].realm == owner)
			continue;
		if (v[i].realm->named != job)
			tool_warn("%" PRIu32 ": an older job, of %s, had this id too: left out", job, v[i].realm->user);
		v[i].realm->named = job;
		set_state(v[i].slot, -1, 0);
	}
}

/* Ids are used again: of the jobs of several users with an id that was asked for, the newest is meant. */
static void
drop_recycled(void)
{
	struct spots s;
	size_t i, k;

	if (nrealms < 2 || !ask.by_id)
		return;
	s = sorted(1);
	for (i = 0; i < s.n; i = k) {
		k = next_id(&s, i);
		choose_owner(s.v + i, k - i);
	}
	free(s.v);
}

static void
ask_slurm(void)
{
	struct timespec nap = { 1, 0 };
	int64_t start = child_now(), deadline = start + ask.q.ms;
	uint64_t n[3];
	struct acct a;

	acct_window(&ask.q);
	for (;;) {
		ask.q.ms = deadline - child_now();
		if (acct_sacct(&a, &ask.q, want, COLUMNS) != 0)
			tool_die(a.status, "%s", a.why);
		read_all(&a, "sacct");
		memset(n, 0, sizeof n);
		each(count_open, n);
		if (n[0] == 0 || !ask.by_id || child_now() + 2000 > deadline || child_now() - start > SETTLE)
			break;
		forget();
		nanosleep(&nap, NULL);
	}
	ask_queue(deadline);
	drop_recycled();
}

static void
read_text(void)
{
	struct acct a;
	int fd = acct_open(&ask.q);

	acct_begin(&a, fd, want, COLUMNS);
	read_all(&a, acct_source(&ask.q));
	if (fd > 0)
		close(fd);
	drop_recycled();
}

/* ---- files of the tasks ---- */

struct cells {
	struct cell {
		uint64_t index;		/* of the task that runs it */
		const char *line;
	} *row;
	size_t n, fields, column;	/* where that index stands: a task of several cells has it in array-task */
	char *header;		/* the first line; NULL without --cells */
} cells;

/* Field k of a line, its escapes undone; to be freed. NULL where there is none. */
static char *
field_of(const char *line, size_t k)
{
	size_t n;
	char *s;

	for (; k > 0 && line != NULL; k--) {
		line = strchr(line, '\t');
		if (line != NULL)
			line++;
	}
	if (line == NULL)
		return NULL;
	s = tool_copy(line, strcspn(line, "\t"));
	n = esc_undo(s, strlen(s));
	if (n == (size_t)-1)
		tool_die(BADUSE, "%s: a backslash that begins no escape", ask.cells);
	s[n] = '\0';
	return s;
}

/* The number of fields of a line; 0 where one of them is empty. */
static size_t
count_fields(const char *line)
{
	size_t n, fields = 0;

	do {
		n = strcspn(line, "\t");
		fields++;
		line += n + 1;
	} while (n > 0 && line[-1] != '\0');
	return n > 0 ? fields : 0;
}

static int
by_index(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;

	return x->index < y->index ? -1 : x->index > y->index;
}

static void
find_task_column(void)
{
	char *name, *other, word[TOOL_WORD];
	size_t k, i;

	for (k = 1; (name = field_of(cells.header, k)) != NULL; k++) {
		for (i = 0; i < k; i++) {
			other = field_of(cells.header, i);
			if (strcmp(other, name) == 0)
				tool_die(BADUSE, "%s: the column %s stands there twice", ask.cells, tool_word(word, name, strlen(name)));
			free(other);
		}
		if (strcmp(name, "array-task") == 0)
			cells.column = k;
		free(name);
	}
}

static void
read_cells(void)
{
	struct lines in;
	size_t room = 0;
	char *first;

	lines_open(&in, ask.cells);
	while (lines_next(&in)) {
		first = field_of(in.s, cells.column);
		cells.row = tool_grown(cells.row, cells.n, &room, sizeof *cells.row);
		if (cells.header == NULL ? strcmp(first, "index") != 0 : first == NULL ||
		    num_u64(first, strlen(first), ACCT_PART_MAX, &cells.row[cells.n].index) != NUM_OK)
			tool_die(BADUSE, "%s: line %zu: no table of gridtag -l -H, whose first column is index", in.name, in.n);
		free(first);
		if (cells.header == NULL) {
			cells.header = tool_copy(in.s, strlen(in.s));
			cells.fields = count_fields(in.s);
			if (cells.fields == 0)
				tool_die(BADUSE, "%s: line %zu: no table of gridtag -l -H: a column without a name", in.name, in.n);
			find_task_column();
		} else if (count_fields(in.s) != cells.fields)
			tool_die(BADUSE, "%s: line %zu: no table of gridtag -l -H: %zu fields, none of them empty, were expected", in.name, in.n,
			    cells.fields);
		else
			cells.row[cells.n++].line = tool_copy(in.s, strlen(in.s));
	}
	if (cells.header == NULL)
		tool_die(BADUSE, "%s: it is empty", ask.cells);
	if (cells.n > 0)
		qsort(cells.row, cells.n, sizeof *cells.row, by_index);
}

/* The value of a field of the template for this task and its cell; to be freed. */
static char *
value_of(const char *name, size_t n, uint32_t job, uint32_t index, const struct cell *row)
{
	char word[TOOL_WORD], *column_name, buf[24];
	size_t k;

	if (n == 5 && memcmp(name, "index", 5) == 0)
		return tool_copy(buf, (size_t)snprintf(buf, sizeof buf, "%" PRIu32, index));
	if (n == 3 && memcmp(name, "job", 3) == 0)
		return tool_copy(buf, (size_t)snprintf(buf, sizeof buf, "%" PRIu32, job));
	for (k = 1; cells.header != NULL && (column_name = field_of(cells.header, k)) != NULL; k++) {
		if (strlen(column_name) == n && memcmp(column_name, name, n) == 0) {
			free(column_name);
			if (row == NULL)
				tool_die(BADUSE, "%s: no cell has the index %" PRIu32 ", which is COMPLETED", ask.cells, index);
			return field_of(row->line, k);
		}
		free(column_name);
	}
	tool_die(BADUSE, "--also: {} holds %s: index%s expected", tool_word(word, name, n),
	    cells.header != NULL ? ", job or a column of --cells was" : " or job was, or --cells for a tag and axes,");
}

/* A file is given to a task of a job, and one of its cells. That of two tasks or cells ends the program: it would be taken for
 * the output of both. Attempts share it, and the components of a job, which have no index. */
static void
give(const char *path, size_t n, const struct realm *r, const uint32_t *slot, const struct cell *row)
{
	static struct names given;
	static struct owner {
		uint32_t part;
		const struct cell *row;
	} *owner;
	static size_t room;
	char *key = NULL, word[TOOL_WORD];
	size_t length, before = given.n, k;
	FILE *f = tool_text(&key, &length);

	fprintf(f, "%zu %" PRIu32 " %s", (size_t)(r - realm), slot[0], path);
	tool_text_end(f, &key);
	k = names_of(&given, key, length);
	free(key);
	if (k == before) {
		owner = tool_grown(owner, k, &room, sizeof *owner);
		owner[k].part = slot[1] & 0xffffff;
		owner[k].row = row;
	} else if ((owner[k].part != (slot[1] & 0xffffff) || owner[k].row != row) && (slot[1] >> 22 & 3) == ACCT_TASK)
		tool_die(BADUSE, "--also: two cells have the same file, %s: which of them wrote it cannot be told", tool_word(word, path, n));
}

/* The file that the template gives to the task and its cell; to be freed. */
static char *
path_of(const struct realm *r, const uint32_t *slot, const struct cell *row)
{
	const char *s, *end;
	char *path = NULL, *value;
	FILE *f;
	size_t n;

	f = tool_text(&path, &n);
	for (s = ask.also; *s != '\0'; s++) {
		end = *s == '{' ? strchr(s, '}') : NULL;
		if (end == NULL) {
			fputc(*s, f);
			continue;
		}
		value = value_of(s + 1, (size_t)(end - s - 1), job_of(slot), slot[1] & ACCT_PART_MAX, row);
		fputs(value != NULL ? value : "", f);
		free(value);
		s = end;
	}
	tool_text_end(f, &path);
	give(path, n, r, slot, row);
	return path;
}

/* Whether the file is there, with something in it. */
static int
has_file(const char *path)
{
	struct dirent *e;
	struct stat st;
	int yes = stat(path, &st) == 0;
	DIR *d;

	if (!yes && errno != ENOENT && errno != ENOTDIR)
		tool_die(TROUBLE, "%s:", path);
	if (yes && S_ISDIR(st.st_mode)) {
		yes = 0;
		d = opendir(path);
		if (d == NULL)
			tool_die(TROUBLE, "%s:", path);
		while (!yes && (errno = 0, e = readdir(d)) != NULL)
			yes = strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
		if (!yes && errno != 0)
			tool_die(TROUBLE, "%s:", path);
		closedir(d);
	} else if (yes)
		yes = S_ISREG(st.st_mode) && st.st_size > 0;	/* a device or a pipe keeps nothing */
	return yes;
}

static int
has_cell_file(const struct realm *r, const uint32_t *slot, const struct cell *row)
{
	char *path = path_of(r, slot, row);
	int yes = has_file(path);

	free(path);
	return yes;
}

/* Whether the files of all cells of the task are there. */
static int
has_output(const struct realm *r, const uint32_t *slot)
{
	struct cell key = { slot[1] & ACCT_PART_MAX, NULL }, *row;
	int yes = 1;

	if (cells.n == 0 || (row = bsearch(&key, cells.row, cells.n, sizeof key, by_index)) == NULL)
		return has_cell_file(r, slot, NULL);
	while (row > cells.row && row[-1].index == key.index)
		row--;
	for (; row < cells.row + cells.n && row->index == key.index; row++)
		yes &= has_cell_file(r, slot, row);
	return yes;
}

/* Whether the template tells files by the job, and by nothing that only a task has. */
static int
of_job_only(void)
{
	const char *s;

	for (s = strchr(ask.also, '{'); s != NULL; s = strchr(s + 1, '{'))
		if (strncmp(s, "{job}", 5) != 0 && strchr(s, '}') != NULL)
			return 0;
	return strstr(ask.also, "{job}") != NULL;
}

static void
look_at_output(struct realm *r, uint32_t *slot, void *arg)
{
	char id[96];

	(void)arg;
	if (state_of(slot) != ACCT_COMPLETED)
		return;
	if (slot[1] >> 22 != 0 && (slot[1] >> 22 & 3) != ACCT_TASK && !of_job_only()) {
		id_text(id, r->cluster, slot[0], slot[1] & 0xffffff);
		tool_die(BADUSE, "--also: %s is no task of an array and has no index", id);
	}
	if (!has_output(r, slot))
		set_state(slot, NO_OUTPUT, marks_of(slot));
}

/* ---- the one array ---- */

struct one {
	const struct realm *realm;
	uint32_t job;
	int any, many, jobs;	/* a task was seen; not all are of one array; there are several jobs */
};

static void
see_array(struct realm *r, uint32_t *slot, void *arg)
{
	struct one *o = arg;

	if (!o->any) {
		o->any = 1;
		o->realm = r;
		o->job = slot[0];
	}
	o->many |= r != o->realm || slot[0] != o->job || (slot[1] >> 22 & 3) != ACCT_TASK;
	o->jobs |= slot[0] != o->job || r != o->realm;
}

/* Indices that there must be and are not become tasks that never ran. */
static void
add_never_ran(const struct one *o)
{
	struct realm *r = realm;
	struct iset must = ISET_EMPTY;
	char why[ISET_WHY], *text = NULL;
	size_t i, n;
	uint32_t at;
	uint64_t v;
	FILE *f;

	if (iset_parse(&must, ask.expect, ACCT_PART_MAX, why) != 0)
		tool_die(BADUSE, "--expect: %s", why);
	if (!o->any)
		return;
	if (o->many)
		tool_die(BADUSE, "--expect: the records are not all of one array: one id or --merge was expected");
	while (r != o->realm)
		r++;
	for (i = 0; i < must.n; i++)
		for (v = must.run[i].first; v <= must.run[i].last; v++) {
			if (find(r, o->job, (uint32_t)ACCT_TASK << 22 | (uint32_t)v) != NULL)
				continue;
			at = 0;
			if (ask.list) {
				f = tool_text(&text, &n);
				if (ask.merge)
					fprintf(f, "%" PRIu64, v);
				else
					say_id(f, r->cluster, o->job, (uint32_t)ACCT_TASK << 22 | (uint32_t)v);
				fprintf(f, "%c%c%c%c%c", 0, 0, 0, 0, 0);
				tool_text_end(f, &text);
				at = keep_text(text, n);
			} else if (ask.group != NULL)
				at = group_of("-", 1);
			put(r, o->job, (uint32_t)ACCT_TASK << 22 | (uint32_t)v, NEVER_RAN, 0, 0, at);
		}
	order(r);
	iset_free(&must);
}

/* ---- what is printed ---- */

struct member {
	uint32_t group, state, index;
};

struct members {
	struct member *v;
	size_t n, room;
	const uint32_t *slot;	/* of the task that is looked at */
	int keep;
};

/* One host of the task, or its whole group. */
static int
add_member(const char *name, size_t n, void *arg)
{
	struct members *m = arg;
	uint32_t g = name != NULL ? group_of(name, n) : ask.group != NULL ? m->slot[3] : 0;
	int state = state_of(m->slot);

	group[g].count[state]++;
	if (!m->keep)
		return 0;
	m->v = tool_grown(m->v, m->n, &m->room, sizeof *m->v);
	m->v[m->n].group = g;
	m->v[m->n].state = (uint32_t)state;
	m->v[m->n++].index = m->slot[1] & ACCT_PART_MAX;
	return 0;
}

static void
count_task(struct realm *r, uint32_t *slot, void *arg)
{
	struct members *m = arg;
	struct names_text list = { NULL, 0 };
	char why[HOSTS_WHY];

	(void)r;
	m->slot = slot;
	if (ask.group != NULL)
		list = groups.at[slot[3]];
	if (ask.by != C_NODES || strcmp(list.s, "-") == 0)
		add_member(NULL, 0, m);
	else if (hosts_each(list.s, list.n, 65536, add_member, m, why) != 0)
		tool_die(acct_blame(&ask.q), "NodeList: %s", why);
}

static int
by_group(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->state != y->state)
		return x->state < y->state ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* The states of a group, in the order they are printed; how many. */
static size_t
order_states(const struct group *g, int order[STATES])
{
	size_t n = 0, i, k;
	int s;

	for (s = 0; s < STATES; s++) {
		if (g->count[s] == 0)
			continue;
		for (i = 0; i < n; i++)
			if (order[i] != ACCT_COMPLETED && (s == ACCT_COMPLETED || (!is_open(s) && is_open(order[i])) ||
			    (is_open(s) == is_open(order[i]) && g->count[s] > g->count[order[i]])))
				break;
		for (k = n++; k > i; k--)
			order[k] = order[k - 1];
		order[i] = s;
	}
	return n;
}

static int
by_name(const void *a, const void *b)
{
	const struct names_text *x = &groups.at[*(const size_t *)a], *y = &groups.at[*(const size_t *)b];
	int c = memcmp(x->s, y->s, x->n < y->n ? x->n : y->n);

	return c != 0 ? c : x->n < y->n ? -1 : x->n > y->n;
}

static char
map_letter(int s)
{
	static const char letters[] = ".FTMCNPBDVrqRszcf";

	if (s == NEVER_RAN || s == NO_OUTPUT)
		return s == NEVER_RAN ? '-' : 'O';
	return s <= ACCT_CONFIGURING ? letters[s] : '?';
}

/* One character for each index, so that a pattern is seen. Where there are too many, one stands for several and
 * shows the worst of them. */
static void
print_map(const struct members *m)
{
	uint64_t first = UINT64_MAX, last = 0, per, at, seen[STATES];
	size_t i, cells_n;
	signed char *map;
	int s, rank[STATES];

	for (s = 0; s < STATES; s++)
		rank[s] = s == ACCT_COMPLETED ? 1 : is_bad(s) ? 3 : 2;
	for (i = 0; i < m->n; i++) {
		first = m->v[i].index < first ? m->v[i].index : first;
		last = m->v[i].index > last ? m->v[i].index : last;
	}
	per = (last - first) / (MAP_WIDE * MAP_WIDE) + 1;
	first -= first % (MAP_WIDE * per) > 0 && last / (MAP_WIDE * per) == 0 ? first % (MAP_WIDE * per) : 0;
	cells_n = (size_t)((last - first) / per + 1);
	map = tool_realloc(NULL, cells_n, 1);
	memset(map, -1, cells_n);
	memset(seen, 0, sizeof seen);
	for (i = 0; i < m->n; i++) {
		at = (m->v[i].index - first) / per;
		s = map[at];
		if (s < 0 || rank[m->v[i].state] >= rank[s])
			map[at] = (signed char)m->v[i].state;
		seen[m->v[i].state]++;
	}
	putchar('\n');
	for (i = 0; i < cells_n; i += MAP_WIDE) {
		printf("%8" PRIu64 "  ", first + i * per);
		for (at = i; at < cells_n && at < i + MAP_WIDE; at++)
			putchar(map[at] < 0 ? ' ' : map_letter(map[at]));
		putchar('\n');
	}
	printf("%8s ", "");
	for (s = 0; s < STATES; s++)
		if (seen[s] > 0)
			printf(" %c %s", map_letter(s), state_name(s));
	if (per > 1)
		printf("; a character is %" PRIu64 " indices, the worst of them", per);
	putchar('\n');
	free(map);
}

static void
print_bar(struct rec *r, uint64_t n, uint64_t most)
{
	char bar[BAR + 1];
	size_t len = most > 0 ? (size_t)((n * BAR + most - 1) / most) : 0;

	memset(bar, '#', sizeof bar);
	rec_text(r, bar, len);
}

/* The indices of the tasks of a group in this state. */
static void
put_indices(struct rec *r, const struct members *m, size_t g, int state)
{
	struct iset set = ISET_EMPTY;
	struct member key = { 0, 0, 0 };
	size_t at, end, len;
	char *text;
	FILE *f;

	key.group = (uint32_t)g;
	key.state = (uint32_t)state;
	for (at = 0, end = m->n; at < end; )	/* the first not below key */
		if (by_group(&m->v[(at + end) / 2], &key) < 0)
			at = (at + end) / 2 + 1;
		else
			end = (at + end) / 2;
	for (; at < m->n && m->v[at].group == key.group && m->v[at].state == key.state; at++)
		iset_add(&set, m->v[at].index, m->v[at].index);
	f = tool_text(&text, &len);
	iset_print(&set, f);
	tool_text_end(f, &text);
	rec_text(r, text, len);
	free(text);
	iset_free(&set);
}

static void
print_histogram(const struct one *o)
{
	static const char *const names[] = { "group", "state", "count", "bar", "indices" };
	const char *name[5];
	struct members m = { NULL, 0, 0, NULL, 0 };
	size_t *by, i, k, n, ncol = 0;
	int order[STATES], screen = ask.how != REC_JSON && isatty(1);
	uint64_t total = 0, most = 0;
	struct rec r;

	m.keep = o->any && !o->many;
	if (ask.group == NULL)
		group_of("-", 1);
	each(count_task, &m);
	if (m.n > 0)
		qsort(m.v, m.n, sizeof *m.v, by_group);
	by = tool_realloc(NULL, ngroups, sizeof *by);
	for (i = 0; i < ngroups; i++) {
		by[i] = i;
		for (k = 0; k < STATES; k++) {
			total += group[i].count[k];
			most = group[i].count[k] > most ? group[i].count[k] : most;
		}
	}
	qsort(by, ngroups, sizeof *by, by_name);
	for (i = ask.group == NULL; i < 5; i++)
		if (i != 3 || screen)
			name[ncol++] = names[i];
	rec_begin(&r, stdout, ask.how, name, ncol);
	for (i = 0; i < ngroups; i++) {
		n = order_states(&group[by[i]], order);
		for (k = 0; k < n; k++) {
			if (ask.group != NULL)
				rec_text(&r, groups.at[by[i]].s, groups.at[by[i]].n);
			rec_word(&r, state_name(order[k]));
			rec_number(&r, group[by[i]].count[order[k]]);
			if (screen)
				print_bar(&r, group[by[i]].count[order[k]], most);
			if (m.keep)
				put_indices(&r, &m, by[i], order[k]);
			else
				rec_none(&r);
		}
	}
	rec_finish(&r);
	if (screen)
		printf("%" PRIu64 " %s\n", total, ask.attempts ? "attempts" : o->any ? "tasks" : "records");
	if (screen && m.keep && ask.group == NULL && m.n > 1)
		print_map(&m);
	free(m.v);
	free(by);
}

static void
print_list(void)
{
	static const char *const names[] = { "state", "id", "name", "elapsed", "exit", "reason" };
	struct spots s = sorted(0);
	const char *text;
	struct rec r;
	size_t i, k;

	rec_begin(&r, stdout, ask.how, names, 6);
	for (i = 0; i < s.n; i++) {
		rec_word(&r, state_name(state_of(s.v[i].slot)));
		text = blob + (size_t)s.v[i].slot[3] * 8;
		for (k = 0; k < 5; k++) {
			rec_text(&r, text, strlen(text));
			text += strlen(text) + 1;
		}
	}
	rec_finish(&r);
	free(s.v);
}

static int
print_array(const struct one *one, int unknown)
{
	struct spots s;
	size_t i, k, end, jobs = 0, singles = 0, printed = 0;
	uint64_t again = 0, open = 0;
	struct iset set = ISET_EMPTY;
	int state, lines, any;

	if (unsure > 0 || unsure_users > 0) {
		puts("none");
		return TROUBLE;
	}
	s = sorted(0);
	for (i = 0; i < ask.q.n; i++)
		jobs += i == 0 || ask.q.asked[i].job != ask.q.asked[i - 1].job;
	lines = (ask.q.n == 0 ? one->jobs : jobs > 1) && !ask.merge;
	for (i = 0; i < s.n; i = end) {
		end = next_job(&s, i);
		for (k = i, any = 0; k < end; k++) {
			state = state_of(s.v[k].slot);
			open += is_open(state) && !(ask.wanted >> state & 1);
			if (!(ask.wanted >> state & 1))
				continue;
			any = 1;
			again += state == ACCT_OUT_OF_MEMORY || state == ACCT_TIMEOUT;
			if ((s.v[k].slot[1] >> 22 & 3) == ACCT_TASK)
				iset_add(&set, s.v[k].slot[1] & ACCT_PART_MAX, s.v[k].slot[1] & ACCT_PART_MAX);
		}
		if (!any)
			continue;
		iset_settle(&set);
		singles += set.n == 0;
		if (set.n == 0 && !lines)
			tool_die(BADUSE, "-a: %" PRIu32 " is no array: submit it again as it is", s.v[i].slot[0]);
		printed++;
		if (lines) {
			say_id(stdout, s.v[i].realm->cluster, s.v[i].slot[0], 0);
			putchar('\t');
		}
		iset_print(&set, stdout);
		fputs(set.n == 0 ? "-\n" : "\n", stdout);
		iset_free(&set);
	}
	if (printed == 0)
		puts("none");
	if (printed == 0 && !no_queue && !unknown && !ask.quiet)
		tool_warn("none of %zu task%s is in these states: %s", s.seen, tool_plural(s.seen), ask.states);
	if (printed == 0 && no_queue && !ask.quiet)
		tool_warn("none for sacct, but squeue did not answer: one may have been requeued; scontrol ping shows whether Slurm answers");
	if (again > 0 && !ask.quiet)
		tool_warn("%" PRIu64 " of them ended OUT_OF_MEMORY or TIMEOUT: the same request will end the same way", again);
	if (singles > 0 && !ask.quiet)
		tool_warn("%zu of the lines are jobs that are no arrays: they have no specification, only the id", singles);
	if (open > 0 && !ask.quiet)
		tool_warn("%" PRIu64 " task%s not over", open, open == 1 ? " is" : "s are");
	free(s.v);
	return unknown || (printed == 0 && no_queue) ? TROUBLE : printed > 0 ? YES : NO;
}

static void
count_states(struct realm *r, uint32_t *slot, void *arg)
{
	uint64_t *count = arg;

	(void)r;
	count[(marks_of(slot) & UNSETTLED) != 0 && !is_open(state_of(slot)) ? (int)ACCT_COMPLETING : state_of(slot)]++;
}

/* Whether all are COMPLETED. The silent question; what it found is one line. */
static int
check(int missing)
{
	uint64_t count[STATES], total = 0, bad = 0, rest = 0, away;
	char elsewhere[96] = "";
	size_t i;
	int s;

	memset(count, 0, sizeof count);
	each(count_states, count);
	for (s = 0; s < STATES; s++) {
		for (i = 0; i < ngroups; i++)
			count[s] += group[i].count[s];
		total += count[s];
		bad += is_bad(s) ? count[s] : 0;
		rest += is_open(s) ? count[s] : 0;
	}
	away = count[ACCT_REVOKED];
	if (away > 0)
		snprintf(elsewhere, sizeof elsewhere, ", %" PRIu64 " REVOKED: ask the cluster that ran %s", away, away == 1 ? "it" : "them");
	if (bad == 0 && rest == 0 && away == 0 && !missing && (ask.n == UINT64_MAX || total == ask.n)) {
		if (no_queue && !ask.quiet)
			tool_warn("all are COMPLETED for sacct, but squeue did not answer: one may have been requeued; scontrol ping shows whether "
			    "Slurm answers");
		return no_queue || unsure > 0 || unsure_users == 2 ? TROUBLE : YES;
	}
	if (!ask.quiet && ask.n != UINT64_MAX && total != ask.n)
		tool_warn("%" PRIu64 " task%s, expected %" PRIu64 ": %" PRIu64 " COMPLETED, %" PRIu64 " ended otherwise, %" PRIu64 " not over%s",
		    total, tool_plural(total), ask.n, count[ACCT_COMPLETED], bad, rest, elsewhere);
	else if (!ask.quiet)
		tool_warn("%" PRIu64 " of %" PRIu64 " COMPLETED, %" PRIu64 " ended otherwise, %" PRIu64 " not over%s", count[ACCT_COMPLETED],
		    total, bad, rest, elsewhere);
	return bad > unsure_bad || (ask.n != UINT64_MAX && total > ask.n) ? NO : TROUBLE;
}

/* Says of which ids the state is not certain: also where words are to be few, for it may be wrong. */
static void
say_unsure(void)
{
	char more[48] = "";

	if (unsure > 1)
		snprintf(more, sizeof more, " and %" PRIu64 " more", unsure - 1);
	if (unsure > 0)
		tool_warn("%s%s: no time tells which of its records is the newest, and their states differ: the last one counts (a column Submit "
		    "would tell)", unsure_id, more);
}

/* ---- options ---- */

/* The states that a word of -a means, a bit for each; 0 where it means none. */
static uint64_t
states_of(const char *s, size_t n)
{
	uint64_t states = 0;
	int i, state = acct_word(s, n);
	char word[16];	/* longer ones are none of ours */

	snprintf(word, sizeof word, "%.*s", (int)n, s);
	for (i = 0; i < STATES; i++)
		if (i == state || (is_bad(i) && strcasecmp(word, "bad") == 0) || (is_open(i) && strcasecmp(word, "open") == 0) ||
		    ((i == ACCT_NODE_FAIL || i == ACCT_PREEMPTED || i == ACCT_BOOT_FAIL) && strcasecmp(word, "lost") == 0) ||
		    (i >= ACCT_STATES && strcasecmp(word, state_name(i)) == 0))
			states |= UINT64_C(1) << i;
	return states;
}

static void
read_states(const char *list)
{
	char word[TOOL_WORD];
	uint64_t states;
	const char *s;
	size_t n;

	for (s = list; ; s += n + 1) {
		n = strcspn(s, ",");
		states = states_of(s, n);
		if (states == 0 && n > 0 && s[0] >= '0' && s[0] <= '9')
			tool_die(BADUSE, "-a %s: a number where states were expected: -a bad %s", tool_word(word, list, strlen(list)), list);
		if (states == 0)
			tool_die(BADUSE, "-a: no state %s: bad, lost, open, or names and short codes of Slurm's states were expected",
			    tool_word(word, s, n));
		ask.wanted |= states;
		if (s[n] == '\0')
			return;
	}
}

static void
read_group(const char *field)
{
	static const struct {
		const char *word;
		enum column by;
	} fields[] = {
		{ "user", C_USER }, { "account", C_ACCOUNT }, { "partition", C_PARTITION }, { "name", C_NAME }, { "node", C_NODES }, { "day", C_END }
	};
	size_t i;

	for (i = 0; i < sizeof fields / sizeof fields[0]; i++)
		if (strcasecmp(field, fields[i].word) == 0) {
			ask.group = field;
			ask.by = fields[i].by;
			return;
		}
	tool_die(BADUSE, "-g %s: user, account, partition, name, node or day was expected", field);
}

static void
read_options(struct opt *o)
{
	char word[TOOL_WORD];
	int val;

	ask.n = UINT64_MAX;
	ask.q.ms = ACCT_MS;
	while ((val = opt_next(o)) != -1)
		switch (val) {
		case O_NAME: ask.name = optarg; break;
		case O_FIELDS: ask.fields = 1; break;
		case 'g': read_group(optarg); break;
		case 'l': ask.list = 1; break;
		case 'a':
			ask.states = optarg;
			read_states(optarg);
			break;
		case O_CHECK: ask.check = 1; break;
		case 'n':
			if (num_u64(optarg, strlen(optarg), UINT32_MAX, &ask.n) != NUM_OK)
				tool_die(BADUSE, "-n %s: a number was expected", tool_word(word, optarg, strlen(optarg)));
			break;
		case 'D': ask.attempts = 1; break;
		case O_EXPECT: ask.expect = optarg; break;
		case O_MERGE: ask.merge = 1; break;
		case O_ALSO: ask.also = optarg; break;
		case O_CELLS: ask.cells = optarg; break;
		case 'H': ask.how = REC_HEADER; break;
		case O_JSON: ask.how = REC_JSON; break;
		case 'q': ask.quiet = 1; break;
		default: acct_option(&ask.q, val, optarg); break;
		}
	if (ask.list + ask.check + (ask.group != NULL) + (ask.states != NULL) > 1)
		tool_die(BADUSE, "two things to print: one of -g, -l, -a and --check was expected");
	if (ask.n != UINT64_MAX && !ask.check)
		tool_die(BADUSE, "-n: --check was expected with it");
	if (ask.attempts && (ask.check || ask.states != NULL || ask.merge))
		tool_die(BADUSE, "-D counts every attempt: it was not expected beside --check, -a or --merge, which ask for the state of a task");
	if (ask.cells != NULL && ask.also == NULL)
		tool_die(BADUSE, "--cells: --also was expected with it");
	acct_ids(&ask.q, o->operand, o->n);
	acct_choose(&ask.q);
	ask.by_id = ask.q.n > 0;
	ask.q.duplicates = ask.attempts;
}

static void
choose_columns(void)
{
	static const enum column always[] = { C_ID, C_RAW, C_STATE, C_SUBMIT, C_USER, C_NAME, C_PARTITION };
	static const enum column listed[] = { C_START, C_END, C_RAWTIME, C_ELAPSED, C_EXIT, C_DERIVED, C_REASON };
	size_t i;

	for (i = 0; i < sizeof always / sizeof always[0]; i++)
		want[always[i]] = column[always[i]];
	for (i = 0; ask.list && i < sizeof listed / sizeof listed[0]; i++)
		want[listed[i]] = column[listed[i]];
	if (ask.group != NULL)
		want[ask.by] = column[ask.by];
	if (ask.q.text || ask.q.clusters != NULL)
		want[C_CLUSTER] = column[C_CLUSTER];
	if (ask.q.text && !ask.fields) {
		want[C_START] = column[C_START];
		want[C_END] = column[C_END];
	}
	width = 3 + (size_t)(ask.list || ask.group != NULL) + (size_t)(ask.merge && ask.also != NULL);
	if (!ask.fields)
		return;
	for (i = 0; i < COLUMNS; i++)
		if (want[i] != NULL && i != C_CLUSTER)
			printf("%s%s", i > 0 ? "," : "", want[i]);
	putchar('\n');
	tool_done(YES);
}

/* sbatch refuses `none`; an empty --array= it takes for a plain job. */
static int
on_failure(int status)
{
	puts("none");
	return status;
}

/* What is asked must be known before anything can fail. */
static void
find_mode(int argc, char **argv)
{
	struct opt o = OPT_INIT(argc, argv, options, 0);
	int val;

	while ((val = opt_peek(&o)) != -1)
		if (val == 'a')
			tool_on_failure(on_failure);
}

int
main(int argc, char **argv)
{
	struct opt o = OPT_INIT(argc, argv, options, 0);
	struct one one = { NULL, 0, 0, 0, 0 };
	uint64_t n[3] = { 0, 0, 0 };
	int missing, status = YES;

	tool_begin();
	find_mode(argc, argv);
	read_options(&o);
	choose_columns();
	if (ask.cells != NULL)
		read_cells();
	if (ask.q.text)
		read_text();
	else
		ask_slurm();
	missing = acct_say_missing(&ask.q) > 0;
	if (records == 0)
		tool_die(TROUBLE, "no records%s%s", ask.name != NULL ? " with this name" : "", ask.q.text ? " in the text" : ": sacct knows of none");
	each(see_array, &one);
	if (!one.any && (ask.states != NULL || ask.list || ask.expect != NULL || ask.also != NULL || ask.merge || ask.by_id))
		tool_die(acct_blame(&ask.q), "the text has no ids: a column JobID was expected");
	if (ask.expect != NULL)
		add_never_ran(&one);
	if (ask.also != NULL)
		each(look_at_output, NULL);
	count_unsure();
	each(count_open, n);
	if (n[0] > 0)
		tool_warn("%" PRIu64 " record%s not settled yet (no partition, named allocation): accounting lags up to 15 s", n[0], n[0] == 1 ? " is" : "s are");
	say_unsure();
	if (steps_noted > 0 && !ask.quiet)
		tool_warn("%" PRIu64 " COMPLETED job%s a step that did not complete: %s", steps_noted, steps_noted == 1 ? " has" : "s have",
		    steps_named.s);
	if (ask.check)
		status = check(missing);
	else if (ask.list)
		print_list();
	else if (ask.states != NULL)
		status = print_array(&one, missing || n[0] > 0);
	else
		print_histogram(&one);
	tool_done(missing && status == YES ? TROUBLE : status);
}
