/* walltime-bucket - a need -> the time limit class that holds it
 *
 * Partitions with one limit are a class. The classes come from -b, from a saved sinfo or from sinfo itself, once for
 * all needs. What is asked for is the need in whole minutes, up, for Slurm counts in minutes and a shorter request
 * starts sooner; its class is the shortest whose limit is no less. Where the margin that unitcost put on top of what it
 * measured is all that needs the longer class, the shorter one's limit is asked for instead (squeeze): only if enough of
 * the margin stays, and never where what was measured is a lower bound or a guess beyond what was seen.
 * A partition whose limit cannot be read is no class, and no "none is long enough" either.
 *
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dur.h"
#include "esc.h"
#include "lines.h"
#include "num.h"
#include "opt.h"
#include "rec.h"
#include "sinfo.h"
#include "tool.h"

const char help[] =
"walltime-bucket - a need -> the time limit class that holds it\n"
"\n"
"usage: walltime-bucket [-b LIMITS | --sinfo FILE] [--max LIMIT] [--squeeze PCT|never] [-s] [-t LIMIT] [-qH] [--json]\n"
"                       [NEED... | -f FILE]\n"
"       walltime-bucket [-b LIMITS | --sinfo FILE] [--max LIMIT] [-t LIMIT] -c TIME | -l\n"
"\n"
"NEED is a duration (9h, 4:30:00, 2-00:00:00); FILE (stdin) holds the records of unitcost. A need that no class holds\n"
"has no record. Columns: stratum, time (what to ask sbatch for), limit (of the class), partitions, nodes (up, in each\n"
"of them), used (need / time), below (the next lower class, and what must go to reach it), note.\n"
"\n"
"  -b, --limits LIMITS      the classes, for instance 3h,12h,1d,3d,7d\n"
"      --sinfo FILE         the classes from a saved sinfo -h -o '%P|%a|%l|%D|%F' (or '%P %l'), instead of sinfo itself\n"
"      --max LIMIT          no class is longer: a limit that sinfo does not know, such as a QOS's\n"
"      --squeeze PCT        a margin of PCT percent (10) is enough where the rest of it costs a longer class; `never`\n"
"  -f, --file FILE          unitcost's records\n"
"  -s, --sbatch             a line to paste into a batch script for each need\n"
"  -c, --check TIME         say nothing: status 0 if a class allows TIME, 1 if none does, 3 if sinfo did not answer\n"
"  -l, --list               the classes: limit, seconds, partitions, nodes, which is the default partition\n"
"  -t, --time-limit LIMIT   sinfo has this long to answer (30s)\n"
"  -q, --quiet              not what was squeezed or skipped, only what is refused\n"
"  -H, --header             a line of column names\n"
"      --json               one JSON object a line\n"
"  -h, --help               this text\n"
"  -V, --version            the version\n"
"\n"
"exit status: 0 every need has a class; 1 no: not all have one; 2 called wrong, or bad input; 3 could not find out: no\n"
"answer from sinfo, no needs at all, the output was lost\n"
"\n"
"example: line=$(walltime-bucket -s -b 3h,12h,1d,3d,7d 9h30m) || exit\n";

enum { O_SINFO = 256, O_MAX, O_SQUEEZE, O_JSON };

static const struct option options[] = {
	OPT_COMMON,
	{ "limits", required_argument, NULL, 'b' },
	{ "sinfo", required_argument, NULL, O_SINFO },
	{ "max", required_argument, NULL, O_MAX },
	{ "squeeze", required_argument, NULL, O_SQUEEZE },
	{ "file", required_argument, NULL, 'f' },
	{ "sbatch", no_argument, NULL, 's' },
	{ "check", required_argument, NULL, 'c' },
	{ "list", no_argument, NULL, 'l' },
	{ "time-limit", required_argument, NULL, 't' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "header", no_argument, NULL, 'H' },
	{ "json", no_argument, NULL, O_JSON },
	{ NULL, 0, NULL, 0 }
};

#define INFINITE SINFO_INFINITE		/* seconds: no limit */
#define UNKNOWN SINFO_UNKNOWN		/* a limit, or a number of nodes, that is not known */
#define MINUTE 60
#define SQUEEZE_MAX 10000		/* percent */
#define PARTITIONS_MAX 10000

struct partition {
	char *name, *word;	/* word: its limit as sinfo printed it */
	int64_t limit, nodes;	/* seconds; nodes that are up */
	int normal;		/* the default partition */
	size_t order;
};

struct class {
	int64_t limit;		/* as it is used: whole minutes, or INFINITE */
	size_t first, n;	/* its partitions, none with -b */
};

struct classes {
	struct partition *part;
	size_t nparts, room;
	struct class *at;	/* by rising limit */
	size_t n;
	const char *down;	/* the default partition where it is not up, else NULL */
	const char *unread;	/* a partition that is up and whose limit is not known, NULL where there is none */
	const char *source;	/* for messages */
};

struct need {
	char *stratum;
	int64_t need, measured;	/* seconds; measured UNKNOWN where it is no record of unitcost's */
	char *rate, *units, *config, *note;	/* NULL likewise */
	uint64_t runs;
	int loose;		/* measured may be too little: never squeezed */
};

struct needs {
	struct need *at;
	size_t n, room;
};

static struct {
	const char *limits, *sinfo, *file, *check;
	int64_t max, check_time, patience;	/* seconds, seconds, milliseconds */
	uint64_t squeeze;			/* percent */
	int never, paste, list, quiet;
	enum rec_how how;
} ask = { NULL, NULL, NULL, NULL, INFINITE, 0, 30000, 10, 0, 0, 0, 0, REC_AUTO };

/* ---- small things ---- */

static const char *
word(char buf[TOOL_WORD], const char *s)
{
	return tool_word(buf, s, strlen(s));
}

/* The seconds a duration takes, a part of one counted whole. */
static int64_t
seconds_of(int64_t ms)
{
	return ms / 1000 + (ms % 1000 > 0);
}

static int64_t
minutes_up(int64_t seconds)
{
	return (seconds + MINUTE - 1) / MINUTE * MINUTE;
}

static const char *
show(int64_t seconds, char buf[DUR_TEXT])
{
	if (seconds == INFINITE)
		return "infinite";
	return dur_slurm(seconds, buf);
}

/* A duration above 0 from the command line, in seconds; INFINITE by name where that may be. */
static int64_t
option_time(const char *name, const char *s, int infinite)
{
	char why[DUR_WHY], buf[TOOL_WORD];
	int64_t ms;

	if (infinite && sinfo_limit(s) == INFINITE)
		return INFINITE;
	if (dur_parse(s, &ms, why) != 0)
		tool_die(BADUSE, "%s%s: %s%s", name, word(buf, s), why, strcmp(name, "need ") == 0 ? "; a file of records is -f FILE" : "");
	if (ms == 0)
		tool_die(BADUSE, "%s%s: more than no time was expected", name, word(buf, s));
	return seconds_of(ms);
}

/* ---- the classes ---- */

enum { S_NAME, S_AVAIL, S_LIMIT, S_NODES, S_STATES, S_COLUMNS };
static const char *const columns[S_COLUMNS] = { "PARTITION", "AVAIL", "TIMELIMIT", "NODES", "NODES(A/I/O/T)" };
static char *const command[] = { (char *)"sinfo", (char *)"-h", (char *)"-o", (char *)"%P|%a|%l|%D|%F", NULL };
static const struct sinfo_form form = { command, columns, S_COLUMNS, 3, "-b LIMITS or --sinfo FILE" };

/* The nodes that are up, from A/I/O/T: allocated and idle ones. */
static int64_t
nodes_up(const struct sinfo *row)
{
	const char *s = row->column[S_STATES];
	uint64_t v[4];
	size_t i, n;

	if (s == NULL)
		return UNKNOWN;
	for (i = 0; i < 4; i++, s += n + 1) {
		n = strcspn(s, "/");
		if (num_u64(s, n, 1000000000, &v[i]) != NUM_OK || s[n] != (i < 3 ? '/' : '\0'))
			sinfo_bad(row, "the nodes", row->column[S_STATES]);
	}
	return (int64_t)(v[0] + v[1]);
}

/* Whether the partition takes jobs. */
static int
is_up(const struct sinfo *row)
{
	static const char *const not_up[] = { "down", "drain", "inact", "inactive", "n/a", "unk", "unknown" };
	const char *s = row->column[S_AVAIL];
	size_t i;

	if (s == NULL || strcmp(s, "up") == 0)
		return 1;
	for (i = 0; i < sizeof not_up / sizeof not_up[0]; i++)
		if (strcmp(s, not_up[i]) == 0)
			return 0;
	sinfo_bad(row, "the availability", s);
}

static struct partition *
add_partition(struct classes *c)
{
	struct partition *p;

	c->part = tool_grown(c->part, c->nparts, &c->room, sizeof *c->part);
	p = &c->part[c->nparts++];
	memset(p, 0, sizeof *p);
	p->order = c->nparts;
	return p;
}

/* Takes one row: a partition, or more nodes of one that is there. */
static void
take_row(struct classes *c, const struct sinfo *row)
{
	const char *limit = row->column[S_LIMIT], *all = row->column[S_NODES];
	struct partition *p;
	int64_t nodes;
	uint64_t n;
	size_t i;

	if (limit == NULL)
		sinfo_bad(row, "a table without TIMELIMIT:", NULL);
	if (all != NULL && num_u64(all, strlen(all), 1000000000, &n) != NUM_OK)
		sinfo_bad(row, "the nodes", all);
	if (!is_up(row)) {
		if (row->normal && c->down == NULL)
			c->down = tool_copy(row->name, strlen(row->name));
		return;
	}
	nodes = nodes_up(row);
	for (i = 0; i < c->nparts && strcmp(c->part[i].name, row->name) != 0; i++)
		;
	if (i < c->nparts) {
		p = &c->part[i];
		if (p->limit != sinfo_limit(limit))
			sinfo_bad(row, "another limit for a partition that stands there already:", row->name);
		p->nodes = p->nodes == UNKNOWN || nodes == UNKNOWN ? UNKNOWN : p->nodes + nodes;
		p->normal |= row->normal;
		return;
	}
	if (c->nparts == PARTITIONS_MAX)
		sinfo_bad(row, "too many partitions:", row->name);
	p = add_partition(c);
	p->name = tool_copy(row->name, strlen(row->name));
	p->word = tool_copy(limit, strlen(limit));
	p->limit = sinfo_limit(limit);
	p->nodes = nodes;
	p->normal = row->normal;
}

static void
read_sinfo(struct classes *c)
{
	struct sinfo row;
	int got;

	sinfo_open(&row, &form, ask.sinfo, ask.patience, ask.quiet || ask.check != NULL);
	while ((got = sinfo_next(&row)) > 0)
		take_row(c, &row);
	if (got < 0)
		tool_die(TROUBLE, "%s", row.why.s);
	c->source = row.source;
}

static void
read_limits(struct classes *c, const char *list)
{
	char *s = tool_copy(list, strlen(list)), *item = s, *end;
	struct partition *p;

	c->source = "-b";
	for (;;) {
		end = strchr(item, ',');
		if (end != NULL)
			*end = '\0';
		p = add_partition(c);
		p->nodes = UNKNOWN;
		p->limit = option_time("-b ", item, 1);
		if (p->limit < MINUTE)
			tool_die(BADUSE, "-b '%s': a limit of a minute or more was expected", item);
		if (end == NULL)
			break;
		item = end + 1;
	}
	free(s);
}

static int
by_limit(const void *a, const void *b)
{
	const struct partition *p = a, *q = b;

	return p->limit != q->limit ? (p->limit > q->limit) - (p->limit < q->limit) : (p->order > q->order) - (p->order < q->order);
}

/* Says which partition is no class, for its limit is not known. */
static void
skip_partition(struct classes *c, const struct partition *p)
{
	char buf[TOOL_WORD];

	if (c->unread == NULL)
		c->unread = p->name;
	if (ask.check == NULL && !ask.quiet)
		tool_warn("partition %s is skipped: its time limit is not known (%s): --max would say it", p->name, word(buf, p->word));
}

/* Makes classes of the partitions: of those with one limit one. */
static void
make_classes(struct classes *c)
{
	struct partition *p;
	struct class *k = NULL;
	size_t i;

	for (i = 0; i < c->nparts; i++) {
		p = &c->part[i];
		if (p->limit != UNKNOWN && p->limit != INFINITE)
			p->limit = p->limit / MINUTE * MINUTE;
		if (p->limit == UNKNOWN ? ask.max != INFINITE : p->limit > ask.max)
			p->limit = ask.max;
	}
	if (c->nparts > 0)
		qsort(c->part, c->nparts, sizeof *c->part, by_limit);
	c->at = tool_realloc(NULL, c->nparts, sizeof *c->at);
	for (i = 0; i < c->nparts; i++) {
		if (c->part[i].limit == UNKNOWN) {
			skip_partition(c, &c->part[i]);
			continue;
		}
		if (k == NULL || k->limit != c->part[i].limit) {
			k = &c->at[c->n++];
			k->limit = c->part[i].limit;
			k->first = i;
			k->n = 0;
		}
		k->n++;
	}
}

static void
get_classes(struct classes *c)
{
	memset(c, 0, sizeof *c);
	if (ask.limits != NULL)
		read_limits(c, ask.limits);
	else
		read_sinfo(c);
	make_classes(c);
}

/* The shortest class that allows a time; n where none does. */
static size_t
class_of(const struct classes *c, int64_t seconds)
{
	size_t i;

	for (i = 0; i < c->n && c->at[i].limit < seconds; i++)
		;
	return i;
}

static void
put_partitions(FILE *f, const struct classes *c, const struct class *k)
{
	size_t i;

	for (i = 0; i < k->n; i++)
		if (c->part[k->first + i].name != NULL)
			fprintf(f, "%s%s", i > 0 ? "," : "", c->part[k->first + i].name);
}

/* How many nodes of each partition are up; nothing where one is not known. */
static void
put_nodes(FILE *f, const struct classes *c, const struct class *k)
{
	size_t i;

	for (i = 0; i < k->n; i++)
		if (c->part[k->first + i].nodes == UNKNOWN)
			return;
	for (i = 0; i < k->n; i++)
		fprintf(f, "%s%" PRId64, i > 0 ? "," : "", c->part[k->first + i].nodes);
}

static void
put_default(FILE *f, const struct classes *c, const struct class *k)
{
	size_t i;

	for (i = 0; i < k->n; i++)
		if (c->part[k->first + i].normal)
			fputs(c->part[k->first + i].name, f);
}

static void
rec_of(struct rec *r, void (*put)(FILE *, const struct classes *, const struct class *), const struct classes *c, const struct class *k)
{
	char *s = NULL;
	size_t n;
	FILE *f = tool_text(&s, &n);

	put(f, c, k);
	tool_text_end(f, &s);
	rec_text(r, s, n);
	free(s);
}

static int
list_classes(const struct classes *c)
{
	static const char *const names[] = { "limit", "limit_s", "partitions", "nodes", "default" };
	char buf[DUR_TEXT];
	struct rec r;
	size_t i;

	rec_begin(&r, stdout, ask.how, names, sizeof names / sizeof names[0]);
	for (i = 0; i < c->n; i++) {
		rec_word(&r, show(c->at[i].limit, buf));
		if (c->at[i].limit == INFINITE)
			rec_none(&r);
		else
			rec_number(&r, (uint64_t)c->at[i].limit);
		rec_of(&r, put_partitions, c, &c->at[i]);
		rec_of(&r, put_nodes, c, &c->at[i]);
		rec_of(&r, put_default, c, &c->at[i]);
	}
	rec_finish(&r);
	if (c->n > 0)
		return YES;
	if (c->unread != NULL)
		tool_die(TROUBLE, "%s: no partition whose time limit is known", c->source);
	tool_die(NO, "%s: no partition is up", c->source);
}

/* ---- the needs ---- */

enum { N_STRATUM, N_NEED, N_MEASURED, N_RATE, N_RUNS, N_UNITS, N_STRETCH, N_CONFIG, N_NOTE, N_COLUMNS };

static const char *const need_column[] = {
	"stratum", "need_s", "measured_s", "rate_s", "runs", "max_units", "stretch", "config", "note"
};

static struct need *
add_need(struct needs *all)
{
	struct need *n;

	all->at = tool_grown(all->at, all->n, &all->room, sizeof *all->at);
	n = &all->at[all->n++];
	memset(n, 0, sizeof *n);
	n->measured = UNKNOWN;
	return n;
}

static void TOOL_NORETURN
bad_record(const char *name, size_t line, const char *what, const char *got)
{
	char buf[TOOL_WORD];

	tool_die(BADUSE, "%s:%zu: %s %s: a record of unitcost was expected", name, line, what, word(buf, got));
}

/* Whether one of the items of the note, which `; ` separates, begins with the words. */
static int
noted(const char *note, const char *words)
{
	size_t n = strlen(words);

	for (;;) {
		if (strncmp(note, words, n) == 0)
			return 1;
		note = strstr(note, "; ");
		if (note == NULL)
			return 0;
		note += 2;
	}
}

static int
is_number(const char *s)
{
	size_t n = strspn(s, "0123456789.e+-");

	return n > 0 && s[n] == '\0' && s[0] >= '0' && s[0] <= '9';
}

static int64_t
read_seconds(const char *name, size_t line, const char *what, const char *s)
{
	uint64_t v;

	if (num_u64(s, strlen(s), DUR_MAX / 1000, &v) != NUM_OK || v == 0)
		bad_record(name, line, what, s);
	return (int64_t)v;
}

static void
take_record(struct needs *all, const char *name, size_t line, char *s)
{
	static const int real[] = { N_RATE, N_UNITS, N_STRETCH };
	char *field[N_COLUMNS], buf[TOOL_WORD];
	struct need *n;
	size_t got, i, len;

	word(buf, s);
	got = lines_cut(s, '\t', field, N_COLUMNS);
	if (got < N_COLUMNS)
		tool_die(BADUSE, "%s:%zu: %s: a record of unitcost, nine fields with TABs between, was expected", name, line, buf);
	if (strcmp(field[N_STRATUM], need_column[N_STRATUM]) == 0 && strcmp(field[N_NEED], need_column[N_NEED]) == 0) {
		for (i = 0; i < N_COLUMNS; i++)
			if (strcmp(field[i], need_column[i]) != 0)
				bad_record(name, line, "the column", field[i]);
		return;
	}
	for (i = 0; i < N_COLUMNS; i++) {
		len = esc_undo(field[i], strlen(field[i]));
		if (len == (size_t)-1 || *field[i] == '\0')
			bad_record(name, line, "the field", field[i]);
		field[i][len] = '\0';
	}
	n = add_need(all);
	n->stratum = tool_copy(field[N_STRATUM], strlen(field[N_STRATUM]));
	n->need = read_seconds(name, line, "need_s", field[N_NEED]);
	n->measured = read_seconds(name, line, "measured_s", field[N_MEASURED]);
	if (n->measured > n->need)
		bad_record(name, line, "less need than was measured:", field[N_NEED]);
	if (num_u64(field[N_RUNS], strlen(field[N_RUNS]), UINT64_MAX, &n->runs) != NUM_OK)
		bad_record(name, line, "the runs", field[N_RUNS]);
	for (i = 0; i < sizeof real / sizeof real[0]; i++)
		if (!is_number(field[real[i]]))
			bad_record(name, line, need_column[real[i]], field[real[i]]);
	n->rate = tool_copy(field[N_RATE], strlen(field[N_RATE]));
	n->units = tool_copy(field[N_UNITS], strlen(field[N_UNITS]));
	n->config = tool_copy(field[N_CONFIG], strlen(field[N_CONFIG]));
	n->note = tool_copy(field[N_NOTE], strlen(field[N_NOTE]));
	n->loose = noted(n->note, "at least") || noted(n->note, "stretched") || (strtod(field[N_STRETCH], NULL) > 1 && !noted(n->note, "trend"));
}

static void
read_needs(struct needs *all, const char *name)
{
	struct lines in;

	lines_open(&in, name);
	while (lines_next(&in))
		if (*in.s != '\0')
			take_record(all, in.name, in.n, in.s);
	if (all->n == 0)
		tool_die(TROUBLE, "%s: no record of unitcost in it: see what unitcost said", in.name);
}

/* ---- the answer ---- */

struct answer {
	const struct need *need;
	const struct class *class;
	int64_t time, left;	/* left: of the margin, in seconds, where it was squeezed; else UNKNOWN */
};

/* The class that the margin alone keeps the need out of: the shortest that is below the need, and at least the squeeze
 * above what was measured. n where there is none. */
static size_t
squeezed(const struct classes *c, const struct need *n)
{
	int64_t least;
	size_t i;

	if (ask.never || n->measured == UNKNOWN || n->loose)
		return c->n;
	least = n->measured + (n->measured * (int64_t)ask.squeeze + 99) / 100;
	i = class_of(c, least);
	return i < c->n && c->at[i].limit < minutes_up(n->need) ? i : c->n;
}

/* Says why a need has no record. */
static int
refuse(const struct classes *c, const struct need *n)
{
	const struct class *last = c->n > 0 ? &c->at[c->n - 1] : NULL;
	char buf[TOOL_WORD], need[DUR_TEXT], limit[DUR_TEXT], measured[DUR_TEXT], *names = NULL;
	size_t len;
	FILE *f;

	word(buf, n->stratum);
	dur_slurm(minutes_up(n->need), need);
	if (last == NULL && c->unread == NULL) {
		tool_warn("%s: needs %s, and no partition is up (%s)", buf, need, c->source);
		return NO;
	}
	if (c->unread != NULL) {
		tool_warn("%s: needs %s, and no partition whose limit is known allows that; the limit of %s is not known: --max would say it",
		    buf, need, c->unread);
		return TROUBLE;
	}
	f = tool_text(&names, &len);
	put_partitions(f, c, last);
	tool_text_end(f, &names);
	if (n->measured != UNKNOWN && n->measured <= last->limit)
		tool_warn("%s: needs %s, and the longest class is %s%s%s: %s was measured%s: it needs checkpoints, or fewer units a job", buf, need,
		    dur_slurm(last->limit, limit), len > 0 ? " in " : "", names, dur_slurm(n->measured, measured),
		    n->loose ? " at the least" : ", with too little left for a margin (--squeeze 0 asks for none)");
	else
		tool_warn("%s: needs %s, and the longest class is %s%s%s: it needs checkpoints, or fewer units a job", buf, need,
		    dur_slurm(last->limit, limit), len > 0 ? " in " : "", names);
	free(names);
	return NO;
}

static const char *
percent(char buf[32], int64_t part, int64_t of)
{
	snprintf(buf, 32, "%.3g", 100.0 * (double)part / (double)of);
	return buf;
}

/* sbatch takes the default partition where none is named. */
static void
say_partition(const struct classes *c, const struct answer *a)
{
	char buf[TOOL_WORD], time[DUR_TEXT], *names = NULL;
	const struct partition *p = c->part;
	size_t len;
	FILE *f;

	while (p < c->part + c->nparts && !p->normal)
		p++;
	if (p == c->part + c->nparts ? c->down == NULL : p->limit == UNKNOWN || p->limit >= a->time)
		return;
	f = tool_text(&names, &len);
	put_partitions(f, c, a->class);
	tool_text_end(f, &names);
	if (p == c->part + c->nparts)
		tool_warn("%s: the default partition, %s, is not up: --partition=%s has to be said too", word(buf, a->need->stratum), c->down, names);
	else
		tool_warn("%s: %s is more than the default partition, %s, allows: --partition=%s has to be said too", word(buf, a->need->stratum),
		    dur_slurm(a->time, time), p->name, names);
	free(names);
}

/* Chooses the class that answers a need; YES, or the status of a refusal. */
static int
choose(const struct classes *c, const struct need *n, struct answer *a)
{
	size_t i = squeezed(c, n);
	char buf[TOOL_WORD], need[DUR_TEXT], time[DUR_TEXT], share[32];

	a->need = n;
	a->left = UNKNOWN;
	a->time = minutes_up(n->need);
	if (i < c->n) {
		a->time = c->at[i].limit;
		a->left = a->time - n->measured;
		if (!ask.quiet)
			tool_warn("%s: needs %s with its whole margin: %s is asked for, the limit of a shorter class: %s%% above the measured "
			    "cost is left%s", word(buf, n->stratum), dur_slurm(n->need, need), dur_slurm(a->time, time),
			    percent(share, a->left, n->measured), a->left == 0 ? ": no margin" : "");
	} else {
		i = class_of(c, a->time);
	}
	if (i == c->n)
		return refuse(c, n);
	a->class = &c->at[i];
	if (ask.paste && !ask.quiet)
		say_partition(c, a);
	return YES;
}

static void
put_below(struct rec *r, const struct classes *c, const struct answer *a)
{
	const struct class *lower = a->class - 1;
	char text[2 * DUR_TEXT + 2], limit[DUR_TEXT], less[DUR_TEXT];

	if (a->class == c->at) {
		rec_none(r);
		return;
	}
	snprintf(text, sizeof text, "%s -%s", dur_slurm(lower->limit, limit), dur_slurm(a->need->need - lower->limit, less));
	rec_word(r, text);
}

static void
put_note(struct rec *r, const struct answer *a)
{
	const char *note = a->need->note;
	char *s = NULL, share[32];
	size_t n;
	FILE *f;

	if (note != NULL && strcmp(note, "-") == 0)
		note = NULL;
	f = tool_text(&s, &n);
	if (a->left != UNKNOWN)
		fprintf(f, "squeezed, %s%% left%s", percent(share, a->left, a->need->measured), note != NULL ? "; " : "");
	if (note != NULL)
		fputs(note, f);
	tool_text_end(f, &s);
	rec_text(r, s, n);
	free(s);
}

static void
put_answer(struct rec *r, const struct classes *c, const struct answer *a)
{
	char buf[DUR_TEXT];

	rec_text(r, a->need->stratum, strlen(a->need->stratum));
	rec_word(r, dur_slurm(a->time, buf));
	rec_word(r, show(a->class->limit, buf));
	rec_of(r, put_partitions, c, a->class);
	rec_of(r, put_nodes, c, a->class);
	rec_real(r, "%.2f", (double)a->need->need / (double)a->time);
	put_below(r, c, a);
	put_note(r, a);
}

/* The line to paste: what was asked, and why. */
static void
paste(const struct answer *a)
{
	const struct need *n = a->need;
	enum esc_how how = isatty(1) ? ESC_SCREEN : ESC_FIELD;
	time_t now = time(NULL);
	struct tm tm;
	char buf[DUR_TEXT], date[32];

	if (localtime_r(&now, &tm) == NULL || strftime(date, sizeof date, "%Y-%m-%d", &tm) == 0)
		tool_die(TROUBLE, "no date from the clock");
	printf("#SBATCH --time=%s  # ", dur_slurm(a->time, buf));
	esc_put(stdout, n->stratum, strlen(n->stratum), how);
	if (n->measured != UNKNOWN) {
		printf(": %s", noted(n->note, "at least") ? "at least " : "");
		esc_put(stdout, n->rate, strlen(n->rate), how);
		printf(" s/unit, %" PRIu64 " run%s of <= ", n->runs, tool_plural(n->runs));
		esc_put(stdout, n->units, strlen(n->units), how);
		fputs(" units", stdout);
		if (strcmp(n->config, "-") != 0) {
			fputs(", ", stdout);
			esc_put(stdout, n->config, strlen(n->config), how);
		}
	}
	printf(", %s\n", date);
}

static int
answer_needs(const struct classes *c, const struct needs *needs)
{
	static const char *const names[] = { "stratum", "time", "limit", "partitions", "nodes", "used", "below", "note" };
	struct answer a;
	struct rec r;
	size_t i;
	int status = YES, got;

	if (!ask.paste)
		rec_begin(&r, stdout, ask.how, names, sizeof names / sizeof names[0]);
	for (i = 0; i < needs->n; i++) {
		got = choose(c, &needs->at[i], &a);
		if (got == YES && ask.paste)
			paste(&a);
		else if (got == YES)
			put_answer(&r, c, &a);
		else if (status != TROUBLE)
			status = got;
	}
	if (!ask.paste)
		rec_finish(&r);
	return status;
}

static int
check(const struct classes *c)
{
	if (class_of(c, ask.check_time == INFINITE ? INFINITE : minutes_up(ask.check_time)) < c->n)
		return YES;
	if (c->unread != NULL)
		tool_die(TROUBLE, "%s: no partition whose limit is known allows %s; the limit of %s is not known: --max would say it",
		    c->source, ask.check, c->unread);
	return NO;
}

/* ---- options ---- */

static void
squeeze_option(const char *s)
{
	char buf[TOOL_WORD];
	size_t n = strlen(s);

	ask.never = strcmp(s, "never") == 0;
	n -= n > 0 && s[n - 1] == '%';
	if (!ask.never && num_u64(s, n, SQUEEZE_MAX, &ask.squeeze) != NUM_OK)
		tool_die(BADUSE, "--squeeze %s: a whole percentage of 0 to %d, or never, was expected", word(buf, s), SQUEEZE_MAX);
}

static void
read_options(struct opt *o)
{
	int val;

	while ((val = opt_next(o)) != -1)
		switch (val) {
		case 'b': ask.limits = optarg; break;
		case O_SINFO: ask.sinfo = optarg; break;
		case O_MAX: ask.max = option_time("--max ", optarg, 0); break;
		case O_SQUEEZE: squeeze_option(optarg); break;
		case 'f': ask.file = optarg; break;
		case 's': ask.paste = 1; break;
		case 'c':
			ask.check = optarg;
			ask.check_time = option_time("-c ", optarg, 1);
			break;
		case 'l': ask.list = 1; break;
		case 't': ask.patience = option_time("-t ", optarg, 0) * 1000; break;
		case 'q': ask.quiet = 1; break;
		case 'H': ask.how = REC_HEADER; break;
		case O_JSON: ask.how = REC_JSON; break;
		default: break;
		}
}

/* Refuses options that do not go together. */
static void
check_options(const struct opt *o)
{
	int needs = o->n > 0 || ask.file != NULL;
	char buf[TOOL_WORD];

	if (ask.limits != NULL && ask.sinfo != NULL)
		tool_die(BADUSE, "-b and --sinfo: one of the two was expected");
	if (ask.max < MINUTE)
		tool_die(BADUSE, "--max: a minute or more was expected");
	if (ask.max != INFINITE)
		ask.max = ask.max / MINUTE * MINUTE;
	if (o->n > 0 && ask.file != NULL)
		tool_die(BADUSE, "-f %s and %s: needs from one of the two were expected", ask.file, word(buf, o->operand[0]));
	if (ask.list + (ask.check != NULL) + needs > 1)
		tool_die(BADUSE, "-c, -l and needs: one of the three was expected");
	if (ask.paste && (ask.list || ask.check != NULL || ask.how != REC_AUTO))
		tool_die(BADUSE, "-s: needs, and no -H or --json, were expected with it");
	if (ask.check != NULL && ask.how != REC_AUTO)
		tool_die(BADUSE, "-c: nothing is printed: no -H or --json was expected with it");
	if (ask.list || ask.check != NULL || o->n > 0)
		return;
	if (ask.sinfo != NULL && strcmp(ask.sinfo, "-") == 0 && (ask.file == NULL || strcmp(ask.file, "-") == 0))
		tool_die(BADUSE, "stdin is asked for twice: a file was expected for --sinfo or -f");
	if (ask.file == NULL && isatty(0))
		tool_die(BADUSE, "no NEED, and stdin is a terminal: a duration or a file of unitcost's records was expected");
}

int
main(int argc, char **argv)
{
	struct opt o = OPT_INIT(argc, argv, options, 0);
	struct needs needs = { NULL, 0, 0 };
	struct classes classes;
	struct need *n;
	int i;

	tool_begin();
	read_options(&o);
	check_options(&o);
	for (i = 0; i < o.n; i++) {
		n = add_need(&needs);
		n->stratum = o.operand[i];
		n->need = option_time("need ", o.operand[i], 0);
	}
	if (o.n == 0 && !ask.list && ask.check == NULL)
		read_needs(&needs, ask.file != NULL ? ask.file : "-");
	get_classes(&classes);
	if (ask.list)
		tool_done(list_classes(&classes));
	if (ask.check != NULL)
		tool_done(check(&classes));
	tool_done(answer_needs(&classes, &needs));
}
