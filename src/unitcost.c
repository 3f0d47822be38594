/* unitcost - measured runs -> the seconds to ask for, one record a stratum
 *
 * All runs are read, sorted by stratum, and each stratum is answered by itself: choose() keeps the runs of one
 * configuration, join() puts the points of a run together, weigh() finds the cost. A stratum that cannot be answered
 * is refused on stderr and has no record. Nothing is printed before every stratum is done, so that bad input (2)
 * prints nothing.
 *
 * The model. The cost of n units is n times a rate, and the rate does not fall with the length of a run. So the worst
 * rate of all runs counts at any length, and a short run with a high rate is believed against long ones with low rates.
 * Within one run, whose points are cumulative, its last point counts: what start-up cost there is spread over the run.
 * Beyond the longest run the rate grows: with the steepest rise that was seen between two lengths, at least a factor
 * of SPAN apart (nearer ones would show the noise), as a power of the length; without one, or where a trend is
 * stretched further than it was seen, by GROWTH for each factor of ten.
 * What is measured is a sample, and the tail of what it was taken from is not known: that is what the margin is for.
 *
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "acct.h"
#include "dur.h"
#include "esc.h"
#include "lines.h"
#include "names.h"
#include "opt.h"
#include "rec.h"
#include "tool.h"

const char help[] =
"unitcost - measured runs -> the seconds to ask for, one record a stratum\n"
"\n"
"usage: unitcost -n UNITS [-n STRATUM=UNITS]... [-k KEY=VALUE]... [-m PERCENT] [-o START] [-e END] [-l STRATA] [-X]\n"
"                [-qH] [--json] [--sacct [--by FIELD] [--units-per-job N]] [FILE...]\n"
"\n"
"FILE (stdin) holds one measured run a line, `stratum units seconds [key=value...]`, with TAB or blanks between and\n"
"# comments. run=ID: lines of one run are cumulative points of it; end=timeout: it was cut; other keys are the\n"
"configuration. Seconds are a number, or 90s 10m 4h30m 2d MM:SS HH:MM:SS D-HH:MM:SS.\n"
"The worst run counts. A stratum that these runs do not answer has no record; stderr says what to measure.\n"
"Columns: stratum, need_s (what to ask for), measured_s (without the margin), rate_s (seconds a unit), runs,\n"
"max_units (the longest run), stretch (units asked / max_units), config, note.\n"
"\n"
"  -n, --count UNITS        the units a job will do; STRATUM=UNITS for one stratum (repeatable)\n"
"  -k, --key KEY=VALUE      only runs with this key and value (repeatable)\n"
"  -m, --margin PERCENT     above what was measured (20); more where the runs spread wider, 60 below three runs\n"
"  -o, --start TIME         a job starts up for this long, whatever its units\n"
"  -e, --end TIME           and needs this long at its end\n"
"  -l, --strata FILE        the strata to be answered, one a line; each without a run is named\n"
"  -X, --extrapolate        more than 10 times the longest run, even without a trend\n"
"      --sacct              FILE is the output of sacct -P: a job is a run\n"
"      --by FIELD           with --sacct: the stratum is this field (the job's name, each number in it as #)\n"
"      --units-per-job N    with --sacct: a job did N units (1)\n"
"      --fields             print the fields to give to sacct -o\n"
"  -q, --quiet              not what was left out, only what is refused\n"
"  -H, --header             a line of column names\n"
"      --json               one JSON object a line\n"
"  -h, --help               this text\n"
"  -V, --version            the version\n"
"\n"
"exit status: 0 every stratum is answered; 1 not all: these runs do not answer, stderr says what to measure; 2 called\n"
"wrong, or bad input; 3 could not find out: no runs at all, the input or the output was lost\n"
"\n"
"example: need=$(printf 'd1 %s\\n' '100 4h' '100 4:05:00' '50 1:50:00 end=timeout' | unitcost -n 200) || exit\n";

enum { O_SACCT = 256, O_BY, O_UNITS, O_FIELDS, O_JSON };

static const struct option options[] = {
	OPT_COMMON,
	{ "count", required_argument, NULL, 'n' },
	{ "key", required_argument, NULL, 'k' },
	{ "margin", required_argument, NULL, 'm' },
	{ "start", required_argument, NULL, 'o' },
	{ "end", required_argument, NULL, 'e' },
	{ "strata", required_argument, NULL, 'l' },
	{ "extrapolate", no_argument, NULL, 'X' },
	{ "sacct", no_argument, NULL, O_SACCT },
	{ "by", required_argument, NULL, O_BY },
	{ "units-per-job", required_argument, NULL, O_UNITS },
	{ "fields", no_argument, NULL, O_FIELDS },
	{ "quiet", no_argument, NULL, 'q' },
	{ "header", no_argument, NULL, 'H' },
	{ "json", no_argument, NULL, O_JSON },
	{ NULL, 0, NULL, 0 }
};

#define GROWTH 1.25		/* of the rate, for each factor of ten beyond the longest run, without a trend */
#define FARTHEST 10.0		/* times the longest run, without a trend */
#define SPAN 2.0		/* two lengths make a trend from this factor on */
#define FEW 3			/* runs; below, the margin is at least */
#define FEW_MARGIN 60.0		/* percent */
#define KEYS_MAX 100		/* keys of a run */
#define HUNG_CPU 10.0		/* seconds: a time-out that used less, and less than this share of its time, hung */
#define HUNG_SHARE 0.01
#define NEED_MAX ((double)DUR_MAX / 1000)	/* seconds: a longer need is no answer */
#define NEARLY 1e-9		/* relative: what floating-point arithmetic may add */
#define SHORT 32		/* room for a number */

/* One line of a timing file: what a run had done after some time. */
struct point {
	char *stratum, *run;	/* run NULL: the only point of a run of its own */
	double units, seconds;
	int ended;		/* how it ended is said */
	int cut, hung;		/* it ended before its work did: a lower bound; and it did nothing: no evidence */
	int broken;		/* cut, and not by its limit: its units are those it was to do */
	double cpu;		/* seconds, -1 unknown */
	char **key;		/* nkeys words NAME=VALUE */
	size_t nkeys, order;
	const char *file, *id;	/* where it stands: file and line, or the id of a job */
	char *name;		/* of the job, where the stratum is folded from it */
	size_t line;
};

struct points {
	struct point *at;
	size_t n, room;
};

/* A run: its points by rising units, which are the first m of p. */
struct run {
	const struct point *p;
	size_t m;
	double units, seconds, rate, power;	/* of the last point; the power by which its own rate was seen to rise */
	int cut;
};

enum origin { LISTED, MEASURED, NAMED };	/* by -l, by a run, by -n */

struct stratum {
	const char *name;
	enum origin from;	/* what named it first, and as the how many-th */
	size_t order;
	double units;		/* asked, 0 where nobody asked for it */
	int wanted;
	struct point *p;
	size_t n;
	struct run *run;
	size_t nruns;
	char *refusal;		/* why it has no record */
	const struct point *like, *place;	/* the configuration, and a run that names its cluster */
	size_t out, hung, timeless, nowhere, ncut, useful;	/* runs left out, hung, without a time; kept: without a cluster, cut, saying something */
	double measured, need, rate, shortest, max_units, stretch, power, margin, spread;
	int at_least;
};

struct strata {
	struct stratum *at;
	size_t n, room;
};

struct choice {
	const char *key, *value;
	size_t nkey;
};

static struct {
	double units;		/* for strata without units of their own, 0 where not given */
	struct choice *choice;
	size_t nchoices;
	double margin, start, end;	/* percent, seconds */
	const char *list, *by;
	double per_job;		/* units, 0 where not given */
	int extrapolate, sacct, fields, quiet, cluster;	/* cluster: one of the choices is a cluster's */
	enum rec_how how;
} ask = { 0, NULL, 0, 20, 0, 0, NULL, NULL, 0, 0, 0, 0, 0, 0, REC_AUTO };

static struct {
	char **line;
	size_t n, room;
} said;

/* ---- small things ---- */

/* A text made by printf's rules. The caller frees it. */
static char *TOOL_PRINTF(1, 2)
text(const char *fmt, ...)
{
	va_list ap;
	size_t n;
	char *s;
	FILE *f = tool_text(&s, &n);

	va_start(ap, fmt);
	vfprintf(f, fmt, ap);
	va_end(ap);
	tool_text_end(f, &s);
	return s;
}

/* Lines for stderr are kept until nothing can be bad input any more: that has one line of its own. Takes over s. */
static void
say(char *s)
{
	said.line = tool_grown(said.line, said.n, &said.room, sizeof *said.line);
	said.line[said.n++] = s;
}

static void
say_all(void)
{
	size_t i;

	for (i = 0; i < said.n; i++)
		tool_warn("%s", said.line[i]);
}

static const char *
word(char buf[TOOL_WORD], const char *s)
{
	return tool_word(buf, s, strlen(s));
}

/* v (>= 0) with six significant digits, and all before the point. */
static const char *
number(char buf[SHORT], double v)
{
	int decimals, n;

	if (v >= 1e15 || (v < 1e-6 && v > 0)) {
		snprintf(buf, SHORT, "%.6g", v);
		return buf;
	}
	decimals = v > 0 ? 5 - (int)floor(log10(v)) : 0;
	n = snprintf(buf, SHORT, "%.*f", decimals > 0 ? decimals : 0, v);
	while (decimals > 0 && buf[n - 1] == '0')
		buf[--n] = '\0';
	if (buf[n - 1] == '.')
		buf[n - 1] = '\0';
	return buf;
}

/* a is above b, and not by rounding alone */
static int
above(double a, double b)
{
	return a > b * (1 + NEARLY);
}

/* The decimal number that n bytes at s are (1.5, 1e3): 0 and *v, finite and >= 0; -1 where they are none. */
static int
read_number(const char *s, size_t n, double *v)
{
	char buf[64], *end;

	if (n == 0 || n >= sizeof buf)
		return -1;
	memcpy(buf, s, n);
	buf[n] = '\0';
	/* strtod takes more: a sign, 0x10, inf */
	if (strspn(buf, "0123456789.eE+-") != n || buf[0] == '+' || buf[0] == '-')
		return -1;
	*v = strtod(buf, &end);
	return end == buf + n && *v <= 1e300 ? 0 : -1;
}

/* Seconds as a timing file has them: a number, a number with one unit, or a duration. 0 and *v, or -1. */
static int
read_seconds(const char *s, double *v)
{
	static const char units[] = "smhd";
	static const double worth[] = { 1, 60, 3600, 86400 };
	const char *unit;
	char why[DUR_WHY];
	size_t n = strlen(s);
	int64_t ms;

	if (n == 0)
		return -1;
	if (read_number(s, n, v) == 0)
		return 0;
	unit = strchr(units, s[n - 1]);
	if (unit != NULL && read_number(s, n - 1, v) == 0) {
		*v *= worth[unit - units];
		return 0;
	}
	if (dur_parse(s, &ms, why) != 0 && (ms = dur_sacct(s, strlen(s))) < 0)
		return -1;
	*v = (double)ms / 1000;
	return 0;
}

/* ---- reading ---- */

/* The next word at *s, which moves past it: blanks and TABs stand between. NULL where there is none. */
static char *
next_word(char **s)
{
	char *w = *s + strspn(*s, " \t"), *end = w + strcspn(w, " \t");

	if (*w == '\0')
		return NULL;
	*s = end;
	if (*end != '\0') {
		*end = '\0';
		*s = end + 1;
	}
	return w;
}

/* Cuts the stratum off the line. Where TABs separate, blanks belong to it: two TABs, and a number between. */
static char *
cut_stratum(char **line)
{
	char *s = *line, *tab = strchr(s, '\t'), *from, *to;
	double v;

	if (tab != NULL && tab > s) {
		from = tab + strspn(tab, " \t");
		to = from + strcspn(from, " \t");
		if (strchr(to, '\t') != NULL && read_number(from, (size_t)(to - from), &v) == 0) {
			*tab = '\0';
			*line = tab + 1;
			return s;
		}
	}
	return next_word(line);
}

static void TOOL_NORETURN
bad_point(const struct point *p, const char *what, const char *got, const char *why)
{
	char buf[TOOL_WORD];

	tool_die(BADUSE, "%s:%zu: %s %s: %s", p->file, p->line, what, got != NULL ? word(buf, got) : "(none)", why);
}

static void
undo(const struct point *p, char *s)
{
	char raw[TOOL_WORD];
	size_t n;

	word(raw, s);
	n = esc_undo(s, strlen(s));
	if (n == (size_t)-1)
		tool_die(BADUSE, "%s:%zu: %s: a backslash was expected before t, n, a backslash or xNN only", p->file, p->line, raw);
	s[n] = '\0';
}

/* How a run ended: end=WORD. Every word that is not known to be a good end is none. */
static void
read_end(struct point *p, const char *s)
{
	static const char *const good[] = { "ok", "done", "completed", "complete", "success", "0" };
	size_t i;

	p->hung = strcasecmp(s, "hung") == 0;
	p->ended = p->cut = 1;
	for (i = 0; i < sizeof good / sizeof good[0]; i++)
		if (strcasecmp(s, good[i]) == 0)
			p->cut = 0;
}

static void
add_key(struct point *p, const char *w)
{
	p->key = tool_realloc(p->key, p->nkeys + 1, sizeof *p->key);
	p->key[p->nkeys++] = tool_copy(w, strlen(w));
}

/* One word NAME=VALUE. No value, or `-`, is as good as no key: "cluster=$SLURM_CLUSTER_NAME" where that is not set. */
static void
read_key(struct point *p, char *w)
{
	char *value = strchr(w, '=');
	size_t i, n;

	if (value == NULL || value == w)
		bad_point(p, "the word", w, "behind the seconds key=value was expected");
	n = (size_t)(value - w) + 1;
	undo(p, value + 1);
	if (value[1] == '\0' || strcmp(value + 1, "-") == 0)
		return;
	if (strncmp(w, "run=", n) == 0) {
		if (p->run != NULL)
			bad_point(p, "the word", w, "run= stands there already");
		p->run = tool_copy(value + 1, strlen(value + 1));
		return;
	}
	if (strncmp(w, "end=", n) == 0) {
		if (p->ended)
			bad_point(p, "the word", w, "end= stands there already");
		read_end(p, value + 1);
		return;
	}
	for (i = 0; i < p->nkeys; i++)
		if (strncmp(p->key[i], w, n) == 0)
			bad_point(p, "the word", w, "this key stands there already");
	if (p->nkeys == KEYS_MAX)
		bad_point(p, "the word", w, "at most 100 keys were expected");
	add_key(p, w);
}

static struct point *
add_point(struct points *all, const char *file, size_t line)
{
	struct point *p;

	all->at = tool_grown(all->at, all->n, &all->room, sizeof *all->at);
	p = &all->at[all->n];
	memset(p, 0, sizeof *p);
	p->file = file;
	p->line = line;
	p->cpu = -1;
	p->order = all->n++;
	return p;
}

static void
read_point(struct points *all, const char *file, size_t line, char *s)
{
	char *stratum, *units, *seconds, *w;
	struct point *p;

	w = s + strspn(s, " \t");
	if (*w == '\0' || *w == '#')
		return;
	p = add_point(all, file, line);
	stratum = cut_stratum(&s);
	units = next_word(&s);
	seconds = next_word(&s);
	if (seconds == NULL)
		bad_point(p, "the line", stratum, "`stratum units seconds [key=value...]` was expected");
	undo(p, stratum);
	p->stratum = tool_copy(stratum, strlen(stratum));
	if (read_number(units, strlen(units), &p->units) != 0 || !(p->units > 0))
		bad_point(p, "the units", units, isalpha((unsigned char)units[0]) ?
		    "a number above 0 was expected (a heading begins with #)" : "a number above 0 was expected");
	if (read_seconds(seconds, &p->seconds) != 0)
		bad_point(p, "the seconds", seconds, "a number, or 90s 10m 4h30m 2d HH:MM:SS D-HH:MM:SS was expected");
	if (!(p->seconds > 0))
		bad_point(p, "the seconds", seconds, "more than 0 was expected (a clock of whole seconds shows 0 below one: "
		    "in the job write $((SECONDS + 1)))");
	while ((w = next_word(&s)) != NULL && *w != '#')
		read_key(p, w);
}

static void
read_timings(struct points *all, const char *name)
{
	struct lines in;

	lines_open(&in, name);
	while (lines_next(&in))
		read_point(all, in.name, in.n, in.s);
}

/* ---- reading sacct ---- */

enum { C_ID, C_NAME, C_PARTITION, C_CLUSTER, C_STATE, C_RAW, C_ELAPSED, C_START, C_END, C_CPU, C_BY, COLUMNS };

static const char *const column[] = {
	"JobID", "JobName", "Partition", "Cluster", "State", "ElapsedRaw", "Elapsed", "Start", "End", "TotalCPU"
};

static void
put_fields(void)
{
	printf("JobID,JobName,Partition,Cluster,State,ElapsedRaw,TotalCPU%s%s\n", ask.by != NULL ? "," : "", ask.by != NULL ? ask.by : "");
}

/* A name with each number in it as #: jobs that differ in a number alone are one work. */
static char *
fold(struct acct_text t)
{
	char *s = tool_realloc(NULL, t.n + 1, 1);

	s[names_fold(s, t.s, t.n)] = '\0';
	return s;
}

/* Takes a job's record; 0 where it has no time to count: then it says no more than that there is its stratum. */
static int
take_job(struct points *all, const struct acct *a, const char *name)
{
	int64_t took = acct_elapsed(acct_get(a, C_RAW), acct_get(a, C_ELAPSED), acct_get(a, C_START), acct_get(a, C_END)), cpu;
	struct acct_text t = acct_get(a, ask.by != NULL ? C_BY : C_NAME), id = acct_get(a, C_ID), cluster = acct_get(a, C_CLUSTER);
	struct point *p;
	char *key, why[ACCT_WHY];

	if (acct_elapsed_bad(acct_get(a, C_RAW), acct_get(a, C_ELAPSED), acct_get(a, C_START), acct_get(a, C_END), acct_get(a, C_CPU), why) != NULL)
		tool_die(BADUSE, "%s: line %" PRIu64 ": %s", name, a->line, why);
	if (acct_unsettled(acct_get(a, C_NAME), acct_get(a, C_PARTITION)))
		return 0;
	p = add_point(all, name, (size_t)a->line);
	p->id = tool_copy(id.s, id.n);
	if (ask.by == NULL)
		p->name = tool_copy(t.s, t.n);
	p->stratum = ask.by == NULL ? fold(t) : t.n > 0 ? tool_copy(t.s, t.n) : tool_copy("-", 1);
	p->units = ask.per_job > 0 ? ask.per_job : 1;
	p->seconds = took > 0 ? (double)took : 0;
	p->cut = a->state != ACCT_COMPLETED;
	p->broken = p->cut && a->state != ACCT_TIMEOUT;
	cpu = acct_duration(acct_get(a, C_CPU));
	if (cpu >= 0 && took > 0)
		p->cpu = (double)cpu / 1000;
	if (a->id.cluster.n > 0)
		cluster = a->id.cluster;
	if (cluster.s != NULL && !acct_nothing(cluster)) {
		key = text("cluster=%.*s", (int)cluster.n, cluster.s);
		add_key(p, key);
		free(key);
	}
	return took > 0;
}

/* Where no job used any CPU none was recorded. */
static void
check_cpu(struct points *all)
{
	size_t i;

	for (i = 0; i < all->n; i++)
		if (all->at[i].cpu > 0)
			return;
	for (i = 0; i < all->n; i++)
		all->at[i].cpu = -1;
}

/* Refuses text without the columns that are needed. */
static void
check_columns(const struct acct *a, const char *name)
{
	const char *missing = NULL;
	char buf[TOOL_WORD];

	if (a->id.job == 0)
		missing = "JobID";
	else if (!acct_has(a, ask.by != NULL ? C_BY : C_NAME))
		missing = ask.by != NULL ? ask.by : "JobName";
	else if (!acct_has(a, C_RAW) && !acct_has(a, C_ELAPSED) && !(acct_has(a, C_START) && acct_has(a, C_END)))
		missing = "ElapsedRaw";
	if (missing != NULL)
		tool_die(BADUSE, "%s: there is no column %s: the output of sacct -P -o \"$(unitcost --fields)\" was expected", name,
		    word(buf, missing));
}

static void
read_sacct(struct points *all, const char *name)
{
	const char *want[COLUMNS];
	struct acct a;
	size_t left = 0;
	char *first = NULL;
	int got, fd = tool_open(name);

	memcpy(want, column, sizeof column);
	want[C_BY] = ask.by;
	name = tool_input(name);
	acct_begin(&a, fd, want, COLUMNS);
	while ((got = acct_next(&a)) > 0) {
		check_columns(&a, name);
		if (a.id.step.n > 0 || (a.id.kind == ACCT_HET && a.id.part > 0) || take_job(all, &a, name))
			continue;	/* a part of a job, or a job with its time */
		if (left++ == 0)
			first = tool_copy(acct_get(&a, C_ID).s, acct_get(&a, C_ID).n);
	}
	if (got < 0)
		tool_die(a.status, "%s: %s", name, a.why);
	acct_end(&a);
	if (fd > 0)
		close(fd);
	if (left > 0 && !ask.quiet)
		say(text("%s: left out: %zu job%s without a time: %s%s", name, left, tool_plural(left), first, left > 1 ? " ..." : ""));
	free(first);
	check_cpu(all);
}

/* ---- which strata ---- */

static struct stratum *
add_stratum(struct strata *all, const char *name, enum origin from)
{
	static struct point none;
	struct stratum *s;

	all->at = tool_grown(all->at, all->n, &all->room, sizeof *all->at);
	s = &all->at[all->n];
	memset(s, 0, sizeof *s);
	s->name = name;
	s->from = from;
	s->p = &none;
	s->order = all->n++;
	return s;
}

static void
read_list(struct strata *all, const char *name)
{
	struct lines in;
	struct point where;
	size_t before = all->n;

	lines_open(&in, name);
	memset(&where, 0, sizeof where);
	where.file = in.name;
	while (lines_next(&in)) {
		where.line = in.n;
		if (*in.s == '\0')
			continue;
		undo(&where, in.s);
		add_stratum(all, tool_copy(in.s, strlen(in.s)), LISTED)->wanted = 1;
	}
	if (all->n == before)
		tool_die(BADUSE, "-l %s: no stratum in it: one a line was expected", where.file);
}

static int
by_stratum(const void *a, const void *b)
{
	const struct point *p = a, *q = b;
	int c = strcmp(p->stratum, q->stratum);

	return c != 0 ? c : (p->order > q->order) - (p->order < q->order);
}

static int
by_order(const void *a, const void *b)
{
	const struct stratum *s = a, *t = b;
	int c = (s->from > t->from) - (s->from < t->from);

	return c != 0 ? c : (s->order > t->order) - (s->order < t->order);
}

static int
by_name(const void *a, const void *b)
{
	int c = strcmp(((const struct stratum *)a)->name, ((const struct stratum *)b)->name);

	return c != 0 ? c : by_order(a, b);
}

/* Makes one of the entries of one name: from -n, from -l, from the runs. */
static void
join_strata(struct strata *all)
{
	struct stratum *s, *t = all->at;
	char buf[TOOL_WORD];

	qsort(all->at, all->n, sizeof *all->at, by_name);
	for (s = all->at + 1; s < all->at + all->n; s++) {
		if (strcmp(s->name, t->name) != 0) {
			*++t = *s;
			continue;
		}
		if (s->units > 0 && t->units > 0 && (s->units < t->units || s->units > t->units))
			tool_die(BADUSE, "-n: units for %s twice, and not the same", word(buf, s->name));
		if (s->units > 0)
			t->units = s->units;
		t->wanted |= s->wanted;
		if (s->n > 0) {
			t->p = s->p;
			t->n = s->n;
		}
	}
	all->n = (size_t)(t - all->at) + 1;
}

static int
some_time(const struct points *all)
{
	size_t i;

	for (i = 0; i < all->n; i++)
		if (all->at[i].seconds > 0)
			return 1;
	return 0;
}

/* Adds the strata of the runs, and finds which are to be answered, for how many units: in the order of -l, of the
 * input, of -n. */
static void
find_strata(struct strata *all, struct points *points)
{
	struct stratum *s;
	size_t i, n, others = 0;
	char buf[TOOL_WORD];
	const char *other = NULL;

	if (points->n > 0)
		qsort(points->at, points->n, sizeof *points->at, by_stratum);
	for (i = 0; i < points->n; i += n) {
		for (n = 1; i + n < points->n && strcmp(points->at[i].stratum, points->at[i + n].stratum) == 0; n++)
			;
		s = add_stratum(all, points->at[i].stratum, MEASURED);
		s->p = points->at + i;
		s->n = n;
		s->order = points->at[i].order;
		s->wanted = ask.list == NULL && ask.units > 0;
	}
	if (all->n == 0)
		return;
	join_strata(all);
	qsort(all->at, all->n, sizeof *all->at, by_order);
	for (s = all->at; s < all->at + all->n; s++) {
		s->wanted |= s->units > 0;
		if (s->units <= 0)
			s->units = ask.units;
		if (s->wanted && s->units <= 0)
			tool_die(BADUSE, "-l: %s has no units: -n UNITS, or -n STRATUM=UNITS for it, was expected", word(buf, s->name));
		if (!s->wanted) {
			others++;
			other = other == NULL ? s->name : other;
		}
	}
	if (others > 0 && !ask.quiet)
		say(text("%zu strat%s with runs not asked for: %s%s", others, others == 1 ? "um" : "a", word(buf, other),
		    others > 1 ? " ..." : ""));
}

/* ---- which runs ---- */

static int
by_run(const void *a, const void *b)
{
	const struct point *p = a, *q = b;
	int c = (p->run != NULL) - (q->run != NULL);

	if (c == 0 && p->run != NULL) {
		c = strcmp(p->run, q->run);
		if (c == 0)
			c = (p->units > q->units) - (p->units < q->units);
	}
	return c != 0 ? c : (p->order > q->order) - (p->order < q->order);
}

static int
same_run(const struct point *p, const struct point *q)
{
	return p->run != NULL && q->run != NULL && strcmp(p->run, q->run) == 0;
}

/* The value of the key, NULL where the run has none. */
static const char *
value_of(const struct point *p, const char *key, size_t n)
{
	size_t i;

	if (n == 3 && memcmp(key, "run", 3) == 0)
		return p->run;
	for (i = 0; i < p->nkeys; i++)
		if (strncmp(p->key[i], key, n) == 0 && p->key[i][n] == '=')
			return p->key[i] + n + 1;
	return NULL;
}

static int
is_cluster(const char *key, size_t n)
{
	return n == 7 && memcmp(key, "cluster", 7) == 0;
}

static void
put_place(FILE *f, const struct point *p)
{
	if (p->id != NULL)
		fputs(p->id, f);
	else
		fprintf(f, "%s:%zu", p->file, p->line);
}

/* the runs that one choice leaves out */
struct left_out {
	size_t other, none;
	const char *value, *run;	/* of the first and the last of them */
};

/* The choice that leaves p out, nchoices where none does. */
static size_t
leaves_out(const struct point *p)
{
	const struct choice *c;
	const char *value;
	size_t i;

	for (i = 0; i < ask.nchoices; i++) {
		c = &ask.choice[i];
		value = value_of(p, c->key, c->nkey);
		if (value == NULL ? !is_cluster(c->key, c->nkey) : strcmp(value, c->value) != 0)
			return i;
	}
	return i;
}

static void
count_out(struct left_out *o, const struct point *p, const struct choice *c)
{
	const char *value = value_of(p, c->key, c->nkey);

	if (o->run != NULL && p->run != NULL && strcmp(o->run, p->run) == 0)
		return;
	o->run = p->run;
	o->other += value != NULL;
	o->none += value == NULL;
	if (o->value == NULL)
		o->value = value;
}

static void
put_out(FILE *f, const struct left_out *o, const struct choice *c)
{
	int n = (int)c->nkey;

	if (o->other > 0)
		fprintf(f, "%zu run%s with another %.*s (%s)", o->other, tool_plural(o->other), n, c->key,
		    o->value);
	if (o->other > 0 && o->none > 0)
		fputs(", ", f);
	if (o->none > 0)
		fprintf(f, "%zu run%s without %.*s=", o->none, tool_plural(o->none), n, c->key);
}

/* What the runs must be, for messages: ` with model=32B cluster=narval`; nothing without -k. */
static char *
wanted(void)
{
	char *s = NULL;
	size_t i, n;
	FILE *f = tool_text(&s, &n);

	for (i = 0; i < ask.nchoices; i++)
		fprintf(f, "%s%s", i == 0 ? " with " : " ", ask.choice[i].key);
	tool_text_end(f, &s);
	return s;
}

/* Whether runs of the stratum that completed used next to no CPU either: then that is no sign of a hung one. */
static int
idle_work(const struct stratum *s)
{
	const struct point *p;

	for (p = s->p; p < s->p + s->n; p++)
		if (!p->cut && p->cpu >= 0 && p->cpu < HUNG_SHARE * p->seconds)
			return 1;
	return 0;
}

static int
is_hung(const struct point *p, int idle)
{
	return p->hung || (p->cut && !p->broken && !idle && p->cpu >= 0 && p->cpu < HUNG_CPU && p->cpu < HUNG_SHARE * p->seconds);
}

/* Moves the runs to be counted to the front, in the order of by_run: no hung ones, none that -k leaves out. */
static void
choose(struct stratum *s)
{
	struct left_out *out = tool_realloc(NULL, ask.nchoices + 1, sizeof *out);
	struct point *p, *kept = s->p;
	char *left = NULL, *hung = NULL, *with = wanted(), buf[TOOL_WORD];
	size_t i, nleft, nhung;
	FILE *fleft = tool_text(&left, &nleft), *fhung = tool_text(&hung, &nhung);
	int idle = idle_work(s);

	if (s->n > 0)
		qsort(s->p, s->n, sizeof *s->p, by_run);
	memset(out, 0, (ask.nchoices + 1) * sizeof *out);
	for (p = s->p; p < s->p + s->n; p++) {
		i = leaves_out(p);
		if (p->seconds <= 0)
			s->timeless++;
		else if (i < ask.nchoices)
			count_out(&out[i], p, &ask.choice[i]);
		else if (is_hung(p, idle)) {
			fputs(s->hung++ > 0 ? ", " : "", fhung);
			put_place(fhung, p);
		} else {
			*kept++ = *p;
		}
	}
	for (i = 0; i < ask.nchoices; i++) {
		if (out[i].other + out[i].none == 0)
			continue;
		fputs(s->out > 0 ? ", " : "", fleft);
		put_out(fleft, &out[i], &ask.choice[i]);
		s->out += out[i].other + out[i].none;
	}
	tool_text_end(fleft, &left);
	tool_text_end(fhung, &hung);
	s->n = (size_t)(kept - s->p);
	word(buf, s->name);
	if (s->n > 0 && s->out > 0 && !ask.quiet)
		say(text("%s: left out: %s", buf, left));
	if (s->n > 0 && s->hung > 0 && !ask.quiet)
		say(text("%s: left out, hung without using CPU: %s", buf, hung));
	if (s->n == 0 && s->hung > 0)
		s->refusal = text("every run of it hung without using CPU (%s), which says nothing about cost: measure one%s", hung, with);
	else if (s->n == 0 && s->out > 0)
		s->refusal = text("%s, and none%s: measure one", left, with);
	else if (s->n == 0 && s->timeless > 0)
		s->refusal = text("%zu job%s of it, and none with a time%s: measure one", s->timeless, tool_plural(s->timeless), with);
	else if (s->n == 0)
		s->refusal = ask.sacct && ask.by == NULL && strpbrk(s->name, "0123456789") != NULL ?
		    text("no run of it: the numbers in names are folded: '#' in their place, or --by JobName, was expected") :
		    text("no run of it%s: measure one", with);
	free(out);
	free(left);
	free(hung);
	free(with);
}

/* Runs that broke (failed, were cancelled, still run) were to do their units and did not. They count where they took
 * longer for them than any other run, as a lower bound; else they say nothing. */
static void
leave_broken(struct stratum *s)
{
	struct point *p, *kept = s->p;
	double worst = -1;
	size_t left = 0;
	char buf[TOOL_WORD];

	for (p = s->p; p < s->p + s->n; p++)
		if (!p->broken && p->seconds / p->units > worst)
			worst = p->seconds / p->units;
	for (p = s->p; p < s->p + s->n; p++) {
		if (p->broken && (worst < 0 || p->seconds / p->units <= worst))
			left++;
		else
			*kept++ = *p;
	}
	s->n = (size_t)(kept - s->p);
	if (left > 0 && s->n > 0 && !ask.quiet)
		say(text("%s: left out: %zu run%s that did not complete, none longer than those that did", word(buf, s->name),
		    left, tool_plural(left)));
	if (s->n == 0 && s->refusal == NULL)
		s->refusal = text("%zu run%s of it, and none completed or met its limit: measure one", left, tool_plural(left));
}

static void
differ(struct stratum *s, const struct point *p, const struct point *q, const char *key, size_t n)
{
	const char *a = value_of(p, key, n), *b = value_of(q, key, n);
	FILE *f;
	size_t len;

	f = tool_text(&s->refusal, &len);
	fprintf(f, "runs with %.*s=%s (", (int)n, key, a != NULL ? a : "(none)");
	put_place(f, p);
	fprintf(f, ") and with %.*s=%s (", (int)n, key, b != NULL ? b : "(none)");
	put_place(f, q);
	fprintf(f, "): one is no measurement of the other: choose with -k %.*s=VALUE", (int)n, key);
	tool_text_end(f, &s->refusal);
}

/* Refuses the stratum where its runs differ in a key. Runs without a cluster are kept, and counted. */
static void
compare(struct stratum *s)
{
	const struct point *p, *like = s->p, *from[2];
	const char *key, *a, *b;
	size_t i, k, n;

	s->like = like;
	for (p = s->p; p < s->p + s->n; p++) {
		a = value_of(p, "cluster", 7);
		if (a != NULL && s->place == NULL)
			s->place = p;
		s->nowhere += a == NULL && !(p > s->p && same_run(p - 1, p));
	}
	if (s->place == NULL && !ask.cluster)
		s->nowhere = 0;
	for (p = s->p; p < s->p + s->n && s->refusal == NULL; p++) {
		if ((a = value_of(p, "cluster", 7)) != NULL && strcmp(a, value_of(s->place, "cluster", 7)) != 0)
			differ(s, s->place, p, "cluster", 7);
		from[0] = like;
		from[1] = p;
		for (i = 0; i < 2 && s->refusal == NULL; i++)
			for (k = 0; k < from[i]->nkeys && s->refusal == NULL; k++) {
				key = from[i]->key[k];
				n = strcspn(key, "=");
				a = value_of(like, key, n);
				b = value_of(p, key, n);
				if (!is_cluster(key, n) && (a == NULL || b == NULL || strcmp(a, b) != 0))
					differ(s, like, p, key, n);
			}
	}
}

/* ---- what they say ---- */

/* Puts the points of a run together. More units in fewer seconds are no points of one run. */
static void
join(struct stratum *s)
{
	struct point *p, *last = NULL;
	struct run *r = NULL;

	s->run = tool_realloc(NULL, s->n, sizeof *s->run);
	for (p = s->p; p < s->p + s->n; p++) {
		if (last == NULL || !same_run(last, p)) {
			r = &s->run[s->nruns++];
			memset(r, 0, sizeof *r);
			r->p = p;
			r->m = 1;
			last = p;
			continue;
		}
		if (p->units > last->units) {
			if (p->seconds < last->seconds)
				tool_die(BADUSE, "%s:%zu: run=%s has done more than at %s:%zu, in less time: the lines of one run "
				    "were expected to count from its start", p->file, p->line, p->run, last->file, last->line);
			r->m++;
			*++last = *p;
		} else if (p->seconds > last->seconds) {
			p->cut |= last->cut;
			*last = *p;
		} else {
			last->cut |= p->cut;
		}
	}
}

/* The power by which the run's own rate was seen to rise towards its end. */
static double
own_power(const struct run *r)
{
	double power = 0, b;
	size_t i;

	for (i = 0; i < r->m && r->p[i].units * SPAN <= r->units * (1 + NEARLY); i++) {
		b = log(r->rate / (r->p[i].seconds / r->p[i].units)) / log(r->units / r->p[i].units);
		if (b > power)
			power = b;
	}
	return power;
}

/* What n units cost by this run alone. */
static double
cost_of_run(const struct run *r, double n)
{
	const struct point *p = r->p, *end = p + r->m - 1;
	double cost = r->rate * n, u = 0, t = 0, other;

	if (n <= r->units) {
		/* what it had taken when it had done so many */
		while (p < end && p->units < n) {
			u = p->units;
			t = p->seconds;
			p++;
		}
		other = t + (p->seconds - t) * (n - u) / (p->units - u);
	} else {
		cost *= pow(n / r->units, r->power);
		other = r->m < 2 ? 0 : r->seconds + (n - r->units) * (r->seconds - p->seconds) / (r->units - p->units);
	}
	return other > cost ? other : cost;
}

static int
by_length(const void *a, const void *b)
{
	const struct run *r = a, *q = b;

	return (r->units > q->units) - (r->units < q->units);
}

static int
by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The steepest rise of the worst rate towards the longest run, as a power of the length. The upper edge at a length is
 * the worst rate of the runs up to it. */
static void
find_trend(struct stratum *s)
{
	double edge = 0, b;
	size_t i;

	for (i = 0; i < s->nruns; i++) {
		if (s->run[i].power > s->power)
			s->power = s->run[i].power;
		if (s->run[i].rate > edge)
			edge = s->run[i].rate;
		if (i + 1 < s->nruns && s->run[i + 1].units <= s->run[i].units)
			continue;
		if (s->run[i].units * SPAN > s->max_units * (1 + NEARLY))
			continue;
		b = log(s->rate / edge) / log(s->max_units / s->run[i].units);
		if (b > s->power)
			s->power = b;
	}
	if (s->power < 1e-6)
		s->power = 0;
}

/* Names that were folded into one stratum may be works of their own, when its runs spread that wide. */
static void
say_folded(const struct stratum *s)
{
	char all[TOOL_WORD], buf[TOOL_WORD], other[TOOL_WORD];
	size_t i;

	for (i = 1; i < s->n && s->p[0].name != NULL && !ask.quiet; i++)
		if (strcmp(s->p[i].name, s->p[0].name) != 0) {
			say(text("%s: %s and %s among others are in it, and its runs spread wide: --by JobName keeps them apart",
			    word(all, s->name), word(buf, s->p[0].name), word(other, s->p[i].name)));
			return;
		}
}

/* How much wider than usual the worst run is, in percent; and how many runs there are to judge by. The median is that of
 * the runs that were not cut: a bound far below the truth would widen anything. */
static size_t
find_spread(struct stratum *s)
{
	double *rate = tool_realloc(NULL, s->nruns, sizeof *rate), worst = 0, median;
	size_t i, n = 0, useful = 0;

	for (i = 0; i < s->nruns; i++)
		if (!s->run[i].cut && s->run[i].rate > worst)
			worst = s->run[i].rate;
	for (i = 0; i < s->nruns; i++) {
		s->ncut += (size_t)s->run[i].cut;
		useful += !s->run[i].cut || s->run[i].rate >= worst;
		if (!s->run[i].cut || worst <= 0)
			rate[n++] = s->run[i].rate;
	}
	qsort(rate, n, sizeof *rate, by_size);
	median = n % 2 == 1 ? rate[n / 2] : (rate[n / 2 - 1] + rate[n / 2]) / 2;
	s->spread = (s->rate / median - 1) * 100;
	free(rate);
	return useful;
}

/* Takes a cost as the measured one where it is the highest so far. */
static void
take_cost(struct stratum *s, double cost, int cut)
{
	if (above(cost, s->measured))
		s->at_least = cut;
	else if (!above(s->measured, cost))
		s->at_least |= cut;
	if (cost > s->measured)
		s->measured = cost;
}

static void
weigh(struct stratum *s)
{
	double growth, power;
	char asked[SHORT], had[SHORT], times[SHORT], enough[SHORT];
	struct run *r;

	for (r = s->run; r < s->run + s->nruns; r++) {
		r->units = r->p[r->m - 1].units;
		r->seconds = r->p[r->m - 1].seconds;
		r->cut = r->p[r->m - 1].cut;
		r->rate = r->seconds / r->units;
		r->power = own_power(r);
		if (r->units > s->max_units)
			s->max_units = r->units;
		if (r == s->run || r->p[0].units < s->shortest)
			s->shortest = r->p[0].units;
		if (r->rate > s->rate)
			s->rate = r->rate;
	}
	qsort(s->run, s->nruns, sizeof *s->run, by_length);
	s->stretch = s->units / s->max_units;
	find_trend(s);
	if (s->power <= 0 && above(s->stretch, FARTHEST) && !ask.extrapolate) {
		s->refusal = text("%s units asked, %s times the longest run (%s), and no trend: measure a run of %s units or more, "
		    "or say -X", number(asked, s->units), number(times, s->stretch), number(had, s->max_units),
		    number(enough, s->units / FARTHEST));
		return;
	}
	power = s->power;
	if (power <= 0 || (above(s->stretch, s->max_units / s->shortest) && power < log10(GROWTH)))
		power = log10(GROWTH);
	growth = s->stretch > 1 ? pow(s->stretch, power) : 1;
	for (r = s->run; r < s->run + s->nruns; r++) {
		take_cost(s, cost_of_run(r, s->units), r->cut);
		take_cost(s, r->rate * s->units * (r->rate >= s->rate ? growth : 1), r->cut);
	}
	s->measured += ask.start + ask.end;
	s->margin = ask.margin;
	s->useful = find_spread(s);
	if (s->useful < FEW && s->margin < FEW_MARGIN)
		s->margin = FEW_MARGIN;
	if (s->spread > s->margin) {
		s->margin = s->spread;
		say_folded(s);
	}
	s->need = s->measured * (1 + s->margin / 100);
	if (!(s->need <= NEED_MAX))
		s->refusal = text("%s units would take more than ten years: measure a longer run", number(asked, s->units));
}

/* ---- the answer ---- */

/* Whole seconds, up. */
static uint64_t
whole(double seconds)
{
	return (uint64_t)ceil(seconds * (1 - NEARLY / 1000));
}

/* Each item ends with two bytes, which put_text takes off the last one. */
static void
put_note(FILE *f, const struct stratum *s)
{
	int digits = s->margin < 999.5 ? 3 : 1 + (int)log10(s->margin + 0.5);	/* %g: no exponent */

	if (s->at_least)
		fprintf(f, "at least; ");
	if (s->useful < FEW)
		fprintf(f, "%zu run%s, margin %.*g%%; ", s->useful, tool_plural(s->useful), digits, s->margin);
	else if (s->margin > ask.margin)
		fprintf(f, "spread, margin %.*g%%; ", digits, s->margin);
	if (s->power > 0)
		fprintf(f, "trend x%.3g per factor of ten; ", pow(10, s->power));
	else if (above(s->stretch, 1))
		fprintf(f, "stretched without a trend; ");
	else if (above(s->shortest, s->units))
		fprintf(f, "below the shortest run; ");
	if (s->ncut > 0)
		fprintf(f, "%zu of %zu run%s cut; ", s->ncut, s->nruns, tool_plural(s->nruns));
	if (s->nowhere > 0)
		fprintf(f, "%zu run%s without a cluster; ", s->nowhere, tool_plural(s->nowhere));
	if (s->out + s->hung > 0)
		fprintf(f, "%zu run%s left out; ", s->out + s->hung, tool_plural(s->out + s->hung));
}

/* Likewise. */
static void
put_config(FILE *f, const struct stratum *s)
{
	const char *cluster = s->place != NULL ? value_of(s->place, "cluster", 7) : NULL;
	size_t i;

	for (i = 0; i < s->like->nkeys; i++) {
		fprintf(f, "%s%s", i > 0 ? " " : "", s->like->key[i]);
		if (is_cluster(s->like->key[i], strcspn(s->like->key[i], "=")))
			cluster = NULL;
	}
	if (cluster != NULL)
		fprintf(f, "%scluster=%s", i > 0 ? " " : "", cluster);
	fputs("  ", f);
}

static void
put_number(struct rec *r, double v)
{
	char buf[SHORT];

	rec_word(r, number(buf, v));
}

static void
put_text(struct rec *r, void (*put)(FILE *, const struct stratum *), const struct stratum *s)
{
	char *t = NULL;
	size_t n;
	FILE *f = tool_text(&t, &n);

	put(f, s);
	tool_text_end(f, &t);
	rec_text(r, t, n < 2 ? 0 : n - 2);
	free(t);
}

static void
put_stratum(struct rec *r, const struct stratum *s)
{
	rec_text(r, s->name, strlen(s->name));
	rec_number(r, whole(s->need));
	rec_number(r, whole(s->measured));
	put_number(r, s->rate);
	rec_number(r, s->nruns);
	put_number(r, s->max_units);
	put_number(r, s->stretch);
	put_text(r, put_config, s);
	put_text(r, put_note, s);
}

/* Answers every stratum that is wanted; the status. */
static int
answer(struct strata *all)
{
	static const char *const names[] = {
		"stratum", "need_s", "measured_s", "rate_s", "runs", "max_units", "stretch", "config", "note"
	};
	struct stratum *s, *end = all->at + all->n;
	char buf[TOOL_WORD];
	struct rec r;
	int status = YES;

	for (s = all->at; s < end; s++) {
		if (!s->wanted)
			continue;
		choose(s);
		leave_broken(s);
		if (s->n > 0)
			compare(s);
		if (s->refusal == NULL)
			join(s);
		if (s->refusal == NULL)
			weigh(s);
		if (s->refusal == NULL)
			continue;
		say(text("%s: %s", word(buf, s->name), s->refusal));
		status = NO;
	}
	say_all();
	rec_begin(&r, stdout, ask.how, names, sizeof names / sizeof names[0]);
	for (s = all->at; s < end; s++)
		if (s->wanted && s->refusal == NULL)
			put_stratum(&r, s);
	rec_finish(&r);
	return status;
}

/* ---- options ---- */

static double
units_option(const char *name, const char *s, size_t n)
{
	char buf[TOOL_WORD];
	double v;

	if (read_number(s, n, &v) != 0 || !(v > 0))
		tool_die(BADUSE, "%s %s: units, a number above 0, were expected", name, tool_word(buf, s, n));
	return v;
}

static void
count_option(struct strata *all, char *s)
{
	char *equals = strrchr(s, '='), buf[TOOL_WORD];
	double v;

	if (equals == NULL) {
		v = units_option("-n", s, strlen(s));
		if (ask.units > 0 && (v < ask.units || v > ask.units))
			tool_die(BADUSE, "-n %s: units stand there already: one number, and STRATUM=UNITS, were expected", word(buf, s));
		ask.units = v;
		return;
	}
	if (equals == s)
		tool_die(BADUSE, "-n %s: STRATUM=UNITS was expected", word(buf, s));
	v = units_option("-n", equals + 1, strlen(equals + 1));
	add_stratum(all, tool_copy(s, (size_t)(equals - s)), NAMED)->units = v;
}

static void
key_option(const char *s)
{
	const char *equals = strchr(s, '=');
	struct choice *c;
	char buf[TOOL_WORD];
	size_t i, n;

	if (equals == NULL || equals == s || equals[1] == '\0')
		tool_die(BADUSE, "-k %s: KEY=VALUE was expected", word(buf, s));
	n = (size_t)(equals - s);
	if (n == 3 && memcmp(s, "end", 3) == 0)
		tool_die(BADUSE, "-k %s: a run that was cut is evidence too: another key was expected", word(buf, s));
	for (i = 0; i < ask.nchoices; i++)
		if (ask.choice[i].nkey == n && memcmp(ask.choice[i].key, s, n) == 0 && strcmp(ask.choice[i].value, equals + 1) != 0)
			tool_die(BADUSE, "-k %s: another value of this key stands there already", word(buf, s));
	ask.choice = tool_realloc(ask.choice, ask.nchoices + 1, sizeof *ask.choice);
	c = &ask.choice[ask.nchoices++];
	c->key = s;
	c->nkey = n;
	c->value = equals + 1;
	ask.cluster |= is_cluster(s, n);
}

static void
margin_option(const char *s)
{
	size_t n = strlen(s);
	char buf[TOOL_WORD];

	n -= n > 0 && s[n - 1] == '%';
	if (read_number(s, n, &ask.margin) != 0 || ask.margin > 10000)
		tool_die(BADUSE, "-m %s: a percentage of 0 to 10000 was expected", word(buf, s));
}

static void
read_options(struct opt *o, struct strata *all)
{
	const char *cluster = getenv("SLURM_CLUSTER_NAME");
	int val;

	while ((val = opt_next(o)) != -1)
		switch (val) {
		case 'n': count_option(all, optarg); break;
		case 'k': key_option(optarg); break;
		case 'm': margin_option(optarg); break;
		case 'o': ask.start = (double)opt_duration("-o", optarg) / 1000; break;
		case 'e': ask.end = (double)opt_duration("-e", optarg) / 1000; break;
		case 'l': ask.list = optarg; break;
		case 'X': ask.extrapolate = 1; break;
		case O_SACCT: ask.sacct = 1; break;
		case O_BY: ask.by = optarg; break;
		case O_UNITS: ask.per_job = units_option("--units-per-job", optarg, strlen(optarg)); break;
		case O_FIELDS: ask.fields = 1; break;
		case 'q': ask.quiet = 1; break;
		case 'H': ask.how = REC_HEADER; break;
		case O_JSON: ask.how = REC_JSON; break;
		default: break;
		}
	if (cluster != NULL && *cluster != '\0' && !ask.cluster)
		key_option(text("cluster=%s", cluster));
}

/* Refuses options that do not go together. */
static void
check_options(const struct opt *o, const struct strata *all)
{
	int i, stdins = ask.list != NULL && strcmp(ask.list, "-") == 0;

	if (!ask.sacct && (ask.by != NULL || ask.per_job > 0))
		tool_die(BADUSE, "--by and --units-per-job: --sacct was expected with them");
	if (ask.units <= 0 && all->n == 0)
		tool_die(BADUSE, "no units: -n UNITS, what a job is to do, was expected");
	for (i = 0; i < o->n; i++)
		stdins += strcmp(o->operand[i], "-") == 0;
	if (o->n == 0)
		stdins++;
	if (stdins > 1)
		tool_die(BADUSE, "stdin is asked for twice: files were expected for the rest");
	if (o->n == 0 && isatty(0))
		tool_die(BADUSE, "no FILE, and stdin is a terminal: a file of measured runs was expected");
}

int
main(int argc, char **argv)
{
	struct opt o = OPT_INIT(argc, argv, options, 0);
	struct points points = { NULL, 0, 0 };
	struct strata strata = { NULL, 0, 0 };
	int i;

	tool_begin();
	read_options(&o, &strata);
	if (ask.fields) {
		put_fields();
		tool_done(YES);
	}
	check_options(&o, &strata);
	if (ask.list != NULL)
		read_list(&strata, ask.list);
	for (i = 0; i < o.n || i == 0; i++)
		(ask.sacct ? read_sacct : read_timings)(&points, i < o.n ? o.operand[i] : "-");
	if (!some_time(&points))
		points.n = 0;
	find_strata(&strata, &points);
	if (points.n == 0 && strata.n == 0) {
		say_all();
		tool_die(TROUBLE, "no runs in %s: has any job written its timing?", o.n > 0 ? o.operand[0] : "stdin");
	}
	tool_done(answer(&strata));
}
