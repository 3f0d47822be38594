/* sacct-size - what to ask for next: a verdict per flag, or a refusal
 *
 * Runs are read once (lib/run) and kept small, in a list for each piece of work; of the latest run the request is kept.
 * What is measured (the longest run, the largest peak, the quantiles) is taken from the lists at the end, because only
 * then it is known which array is the latest and what its request was. A rule that finds nothing to go by refuses: it
 * never takes what is not recorded for little.
 *
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acct.h"
#include "child.h"
#include "dur.h"
#include "esc.h"
#include "iset.h"
#include "names.h"
#include "num.h"
#include "opt.h"
#include "rec.h"
#include "run.h"
#include "sinfo.h"
#include "tool.h"

const char help[] =
"sacct-size - what to ask for next: a verdict per flag, or a refusal\n"
"\n"
"usage: sacct-size [options] -S SINCE [-E UNTIL] [-u USER] [NAME...]    asks sacct\n"
"       sacct -DP ... | sacct-size [options] [NAME...]                  reads text, also -f FILE\n"
"\n"
"NAME: a job name; all whose names are NAME but for their numbers are meant; or a whole label, user/cpu/name\n"
"or user/gpu/name, which is a piece of work\n"
"columns: work, flag (--time, --mem or --mem-per-cpu, --cpus-per-task, --gpus), now (what the latest run asked for), suggest,\n"
"verdict (raise, lower, keep, refused), runs (that say something), basis, tasks (of the latest array, where two requests are\n"
"cheaper than one: two more records, the most and the tail)\n"
"\n"
"  -S, --since SINCE        2026-11-29, 2026-11-29T08:00, 7d (that long ago) or what else sacct -S takes (30 days with -u)\n"
"  -E, --until UNTIL        the same for the end (now)\n"
"  -u, --user USER          the user, several joined by commas, `all` (you)\n"
"  -f, --file FILE          read text from FILE (- is stdin)\n"
"      --fields             print the field list to give to sacct -o, and end\n"
"      --sinfo FILE         what partitions allow, from a saved sinfo -a -h -e -o '%P|%l|%m|%c' (- is stdin); without it sinfo\n"
"                           is run where sacct is\n"
"  -t, --time-limit TIME    for sacct, and for sinfo and scontrol after it (30s)\n"
"  -s, --sbatch             lines to paste into a batch script instead of records; what is refused goes to stderr\n"
"  -H, --header             a line of column names\n"
"      --json               one JSON object a line\n"
"  -q, --quiet              fewer words on stderr\n"
"  -h, --help               this text\n"
"  -V, --version            the version\n"
"\n"
"exit status: 0 printed; 2 called wrong, or the text is not sacct's; 3 could not find out: no runs, a NAME without one, no\n"
"answer from Slurm, the output was lost\n"
"\n"
"example:\n"
"  echo 'JobID|JobName|User|State|Timelimit|Elapsed' >runs.txt\n"
"  for i in 1 2 3; do echo \"$i|fit_$i|ann|COMPLETED|1-00:00:00|01:0$i:00\"; done >>runs.txt\n"
"  sacct-size -q -f runs.txt fit_9\n"
"  sacct-size -q -s -f runs.txt fit_9\n";

enum { O_FIELDS = 256, O_SINFO, O_JSON };

static const struct option options[] = {
	OPT_COMMON,
	ACCT_OPTIONS,
	{ "fields", no_argument, NULL, O_FIELDS },
	{ "sinfo", required_argument, NULL, O_SINFO },
	{ "sbatch", no_argument, NULL, 's' },
	{ "header", no_argument, NULL, 'H' },
	{ "json", no_argument, NULL, O_JSON },
	{ "quiet", no_argument, NULL, 'q' },
	{ NULL, 0, NULL, 0 }
};

#define NEEDS (RUN_TIME | RUN_CPU | RUN_MEMORY | RUN_GPU)
#define LEAST 3			/* runs that must say something */
#define BAND 0.20		/* of the present request: what differs less is no verdict */
#define TIME_MARGIN 1.25	/* on the longest run, and on a limit that cut one */
#define MEMORY_MARGIN 1.30	/* on the largest peak, and on a limit that killed */
#define CORE_MARGIN 1.20	/* on the busiest run's cores, or GPUs */
#define HUNG_SHARE 0.20		/* of the runs: from here on hung time-outs refuse a time */
#define SHARED_SHARE 0.20	/* of the peaks: from here on those of tasks that share a node refuse a memory */
#define FILLED 0.99		/* of its limit: such a peak may be page cache */
#define OVER 1.10		/* of its CPUs: a run that used more was not held to them */
#define BUSY_TIME 120		/* s that a run must take for its cores to be measured */
#define SEARCHES 3		/* submissions killed for memory that are a search for it */
#define SPLIT_TASKS 20		/* tasks an array must have for two requests, */
#define SPLIT_MOST 0.80		/* how many of them the smaller one must hold, */
#define SPLIT_COST 0.80		/* and what both may cost of the one */
#define FEW_SAMPLES 5		/* of memory in a run */
#define OUTPUT_MAX ((size_t)4 << 20)
#define KIB ((int64_t)1 << 10)
#define MIB ((int64_t)1 << 20)
#define GIB ((int64_t)1 << 30)
#define UNIT (16 * KIB)		/* of the memory kept for each run */
#define NOT (-1)		/* not recorded, not known */
#define NO_TASK UINT32_MAX

/* what became of a run, and how its peak is known */
enum {
	DONE = 1, CUT = 2, HUNG = 4, UNSURE = 8, KILLED = 16,	/* UNSURE: a time-out that may have hung */
	GOOD = 32, FILLS = 64, UNTRUSTED = 128, SHARED = 256, ALL_TASKS = 512, AT_MOST = 1024,
	STOPPED = 2048		/* it computed, and neither completed nor timed out */
};

/* a run that ended, as it is kept: 36 bytes */
struct past {
	uint32_t next;		/* of the same work: its number + 1, 0 at the end */
	uint32_t when;		/* submitted, s since 1970; the job's number where that is not recorded */
	uint32_t job, task;
	uint32_t elapsed, limit;/* s; UINT32_MAX not recorded, or unlimited */
	uint32_t peak, memory;	/* on one node, in UNIT, 0 not recorded */
	uint32_t flags;
};

struct latest {
	int64_t when;		/* NOT: there is none */
	uint32_t job, task;
	int64_t limit, memory, asked, nodes, cpus, tasks, gpus;
	char per;
	const char *partition;
};

/* the busiest of cores, or of GPUs */
struct busy {
	uint64_t runs, done;	/* done: of them COMPLETED */
	double most, of, widest;	/* used, and had, by the busiest; had by the widest */
};

struct work {
	char *key;
	uint32_t first;		/* its past, as `next` */
	uint64_t ended, done;
	int64_t underway;	/* how long the longest of those that are not over has run */
	double cost;
	struct latest latest;
	struct busy cores, gpus;
	uint64_t no_cores;	/* runs whose CPU time is not all in their steps */
	uint64_t short_gpus, stopped_gpus;	/* runs with a use of GPUs that took too short, or did not compute to their end */
};

enum verdict { RAISE, LOWER, KEEP, REFUSED };
static const char *const verdicts[] = { "raise", "lower", "keep", "refused" };

struct row {
	const char *flag;
	enum verdict verdict;
	uint64_t runs;
	char now[48], suggest[48];
	char *basis;
	size_t nbasis;
	FILE *f;		/* basis, while it is written */
};

struct partition {
	char *name;
	int64_t limit, memory, cpus;	/* s or SINFO_INFINITE; bytes, and CPUs, of its largest node; NOT */
};

struct values {
	uint64_t *v;
	size_t n;
};

static struct {
	const char *sinfo;
	int fields, paste, quiet;
	enum rec_how how;
	struct acct_query q;
	char **name, **word;	/* folded, and as they were given */
	int names, *seen;
} ask;

static struct {
	char *type;		/* NULL: not known */
	int64_t every;		/* s, 0 not known */
	int none;		/* nothing is gathered */
} sampling;

#define CHUNK 4096
static struct past **past;
static uint32_t npast;
static struct work *work;
static size_t nworks, work_room;
static struct partition *partition;
static size_t npartitions, partition_room;
static uint64_t runs, open_runs, no_elapsed, unsettled;
static int no_memory;		/* the text has no column for it */

/* ---- sizes ---- */

/* A size as sbatch takes it. */
static const char *
request(int64_t bytes, char buf[48])
{
	if (bytes % GIB == 0)
		snprintf(buf, 48, "%" PRId64 "G", bytes / GIB);
	else if (bytes % MIB == 0)
		snprintf(buf, 48, "%" PRId64 "M", bytes / MIB);
	else
		snprintf(buf, 48, "%" PRId64 "K", (bytes + KIB - 1) / KIB);
	return buf;
}

/* ---- pieces of work ---- */

static struct work *
work_of(const char *key, size_t n)
{
	static struct names keys;
	size_t k = names_of(&keys, key, n);

	if (k == nworks) {
		work = tool_grown(work, nworks++, &work_room, sizeof *work);
		memset(&work[k], 0, sizeof *work);
		work[k].key = keys.at[k].s;
		work[k].latest.when = NOT;
	}
	return &work[k];
}

/* Whether the folded name is asked for, or the whole label: n bytes, the name from `at` on. */
static int
wanted(const char *label, size_t at, size_t n)
{
	static char *folded;
	static size_t room;
	size_t len, nlabel;
	int i, yes = ask.names == 0;

	if (yes)
		return 1;
	if (n > room)
		folded = tool_realloc(folded, room = 2 * n, 1);
	nlabel = names_fold(folded, label, n);
	for (i = 0; i < ask.names; i++) {
		len = strlen(ask.name[i]);
		if ((len == n - at && memcmp(ask.name[i], label + at, len) == 0) || (len == nlabel && memcmp(ask.name[i], folded, len) == 0))
			yes = ask.seen[i] = 1;
	}
	return yes;
}

static struct work *
work_for(const struct run *run)
{
	static char *buf;
	static size_t room;
	const char *class = run->gpus > 0 ? "/gpu/" : run->gpus == 0 ? "/cpu/" : "/-/";
	struct acct_text user = run->user;
	size_t n, at;

	if (acct_nothing(user)) {
		user.s = "-";
		user.n = 1;
	}
	if (user.n + run->name.n + 16 > room) {
		room = 2 * (user.n + run->name.n) + 256;
		buf = tool_realloc(buf, room, 1);
	}
	at = user.n + strlen(class);
	memcpy(buf, user.s, user.n);
	memcpy(buf + user.n, class, strlen(class));
	n = at + names_fold(buf + at, run->name.s, run->name.n);
	return wanted(buf, at, n) ? work_of(buf, n) : NULL;
}

static struct past *
past_at(uint32_t number)
{
	return &past[(number - 1) / CHUNK][(number - 1) % CHUNK];
}

static struct past *
next_past(const struct past *p)
{
	return p->next != 0 ? past_at(p->next) : NULL;
}

static struct past *
first_past(const struct work *w)
{
	return w->first != 0 ? past_at(w->first) : NULL;
}

/* ---- runs ---- */

static uint32_t
fit(int64_t v, uint32_t none)
{
	return v < 0 ? none : v < UINT32_MAX ? (uint32_t)v : UINT32_MAX - 1;
}

static uint32_t
fit_memory(int64_t bytes)
{
	return bytes <= 0 ? 0 : fit((bytes + UNIT - 1) / UNIT, 0);
}

static uint32_t
flags_of(const struct run *run)
{
	uint32_t flags = run->state == ACCT_COMPLETED ? DONE : 0;
	int hung = run_hung(run);

	if (run->state == ACCT_TIMEOUT)
		flags |= hung == 0 ? CUT : hung > 0 ? HUNG : UNSURE;
	else if (run->state != ACCT_COMPLETED && hung <= 0)
		flags |= STOPPED;
	if (run->oom)
		flags |= KILLED;
	if (run->peak <= 0 || run->peak_known == RUN_NOT_RECORDED)
		return flags;
	if (run->untrusted)
		return flags | UNTRUSTED;
	if (run->peak_known == RUN_SHARED)
		return flags | SHARED;
	if (!run->oom && run->memory > 0 && (double)run->peak >= FILLED * (double)run->memory)
		return flags | FILLS;
	return flags | GOOD | (run->peak_known == RUN_ALL_TASKS ? ALL_TASKS : run->peak_known == RUN_AT_MOST ? AT_MOST : 0);
}

static void
keep_past(struct work *w, const struct run *run, int64_t when)
{
	struct past *p;

	if (npast == UINT32_MAX)
		tool_die(TROUBLE, "more than %" PRIu32 " runs", npast);
	if (npast % CHUNK == 0) {
		if ((npast / CHUNK & (npast / CHUNK - 1)) == 0)
			past = tool_realloc(past, npast > 0 ? 2 * (npast / CHUNK) : 1, sizeof(struct past *));
		past[npast / CHUNK] = tool_realloc(NULL, CHUNK, sizeof *p);
	}
	p = past_at(++npast);
	p->next = w->first;
	w->first = npast;
	p->when = fit(when, 0);
	p->job = run->id.job;
	p->task = run->id.kind == ACCT_TASK ? run->id.part : NO_TASK;
	p->elapsed = fit(run->elapsed, UINT32_MAX);
	p->limit = run->limit == RUN_UNLIMITED ? UINT32_MAX : fit(run->limit, UINT32_MAX);
	p->peak = fit_memory(run->peak);
	p->memory = fit_memory(run->memory);
	p->flags = flags_of(run);
	w->ended++;
	w->done += (p->flags & DONE) != 0;
	no_elapsed += run->state == ACCT_COMPLETED && run->elapsed < 0;
}

/* Keeps the request of the run where it is the latest. */
static void
see_latest(struct latest *l, const struct run *run, int64_t when)
{
	static struct names partitions;
	size_t k;

	if (when < l->when || (when == l->when && run->id.job < l->job))
		return;
	l->when = when;
	l->job = run->id.job;
	l->task = run->id.kind == ACCT_TASK ? run->id.part : NO_TASK;
	l->limit = run->limit;
	l->memory = run->memory;
	l->asked = run->asked;
	l->per = run->asked_per;
	l->nodes = run->nodes;
	l->cpus = run->cpus;
	l->tasks = run->tasks;
	l->gpus = run->gpus;
	k = names_of(&partitions, run->partition.s, run->partition.n);
	l->partition = partitions.at[k].s;
}

static void
see_busy(struct busy *b, const struct run *run, double used, double had)
{
	b->runs++;
	b->done += run->state == ACCT_COMPLETED;
	if (b->runs == 1 || used > b->most) {
		b->most = used;
		b->of = had;
	}
	if (had > b->widest)
		b->widest = had;
}

/* Cores of a task and GPUs of a run that computed: means over the run. */
static void
see_use(struct work *w, const struct run *run)
{
	int computed = run->state == ACCT_COMPLETED || (run->state == ACCT_TIMEOUT && run_hung(run) == 0);
	double gpus;

	if (!computed || run->elapsed < BUSY_TIME) {
		w->short_gpus += computed && run->gpus > 0 && run->gpu_used >= 0;
		w->stopped_gpus += !computed && run->gpus > 0 && run->gpu_used >= 0;
		return;
	}
	if (run->cpu > 0 && run->cpus > 0 && run->tasks > 0) {
		if (run->nodes > 1 && run->tasks < run->nodes)
			w->no_cores++;
		else
			see_busy(&w->cores, run, (double)run->cpu / 1000 / (double)run->elapsed / (double)run->tasks,
			    (double)run->cpus / (double)run->tasks);
	}
	if (run->gpus > 0 && run->gpu_used >= 0) {
		gpus = (double)run->gpu_sum / 100;
		if ((double)run->gpu_peak / 100 > gpus)
			gpus = (double)run->gpu_peak / 100;
		see_busy(&w->gpus, run, gpus, (double)run->gpus);
	}
}

static void
take(const struct run *run)
{
	int64_t when = run->submit >= 0 ? run->submit : run->start >= 0 ? run->start : run->id.job;
	struct work *w;
	double cost;

	if (acct_unsettled(run->name, run->partition)) {
		unsettled++;
		return;
	}
	if (run->state == ACCT_PENDING || run->id.kind == ACCT_TASKS || (run->state == ACCT_CANCELLED && run->elapsed == 0))
		return;		/* it never ran */
	w = work_for(run);
	if (w == NULL)
		return;
	runs++;
	see_latest(&w->latest, run, when);
	if (!acct_ended(run->state)) {
		open_runs += run->state != ACCT_REQUEUED;
		if (run->elapsed > w->underway && (run->limit < 0 || run->elapsed <= run->limit))
			w->underway = run->elapsed;	/* beyond its limit its end was never recorded */
		return;
	}
	cost = run_cost(run, 16, NULL, NULL);
	w->cost += cost > 0 ? cost : 0;
	keep_past(w, run, when);
	see_use(w, run);
}

static void
read_runs(void)
{
	struct runs r;
	int got, first = 1;

	run_from(&r, &ask.q, NEEDS);
	while ((got = run_next(&r)) == 1) {
		if (first && r.run.name.s == NULL)
			tool_die(BADUSE, "%s: no column JobName: sacct -P -o \"$(sacct-size --fields)\" was expected",
			    acct_source(&ask.q));
		if (first)
			no_memory = !run_has(&r, RUN_MEMORY);
		first = 0;
		take(&r.run);
	}
	if (got < 0)
		run_die(&r, &ask.q);
	if (!ask.quiet)
		run_say_left_out(&r);
	if (unsettled > 0)
		tool_warn("%" PRIu64 " record%s not settled yet (no partition, named allocation): not counted, accounting lags up to 15 s",
		    unsettled, unsettled == 1 ? " is" : "s are");
	run_end(&r);
}

/* ---- what partitions allow ---- */

enum { S_NAME, S_LIMIT, S_MEMORY, S_CPUS, S_COLUMNS };
static const char *const columns[S_COLUMNS] = { "PARTITION", "TIMELIMIT", "MEMORY", "CPUS" };
static char *const command[] = { (char *)"sinfo", (char *)"-a", (char *)"-h", (char *)"-e", (char *)"-o", (char *)"%P|%l|%m|%c", NULL };
static const struct sinfo_form form = { command, columns, S_COLUMNS, S_COLUMNS, "--sinfo FILE" };

/* The larger of `most` and the row's number x unit; 0, or no such column, is not known. */
static int64_t
larger(const struct sinfo *row, int which, const char *what, int64_t unit, int64_t most)
{
	const char *s = row->column[which];
	uint64_t v;

	if (s == NULL)
		return most;
	if (num_u64(s, strlen(s), UINT32_MAX, &v) != NUM_OK)
		sinfo_bad(row, s[strcspn(s, "+-")] != '\0' ? "nodes that differ stand in one row (-e tells them apart):" : what, s);
	return v > 0 && (int64_t)v * unit > most ? (int64_t)v * unit : most;
}

static void
take_row(const struct sinfo *row)
{
	const char *limit = row->column[S_LIMIT];
	struct partition *p;
	size_t i;

	for (i = 0; i < npartitions && strcmp(partition[i].name, row->name) != 0; i++)
		;
	if (i == npartitions) {
		partition = tool_grown(partition, npartitions, &partition_room, sizeof *partition);
		p = &partition[npartitions++];
		p->name = tool_copy(row->name, strlen(row->name));
		p->memory = p->cpus = NOT;
		p->limit = sinfo_limit(limit);
		if (p->limit == SINFO_UNKNOWN && limit != NULL && !ask.quiet)
			tool_warn("%s: the time limit of %s cannot be read: it is not looked at", row->source, p->name);
	}
	p = &partition[i];
	if (p->limit != sinfo_limit(limit))
		sinfo_bad(row, "another limit for a partition that stands there already:", row->name);
	p->memory = larger(row, S_MEMORY, "the memory", MIB, p->memory);
	p->cpus = larger(row, S_CPUS, "the CPUs", 1, p->cpus);
}

static void
get_limits(void)
{
	struct sinfo row;
	int got;

	if (ask.sinfo == NULL && ask.q.text) {
		if (!ask.quiet)
			tool_warn("what partitions allow is not looked at: --sinfo FILE would say it");
		return;
	}
	sinfo_open(&row, &form, ask.sinfo, ask.q.ms, ask.quiet);
	while ((got = sinfo_next(&row)) > 0)
		take_row(&row);
	if (got < 0)
		npartitions = 0;	/* what was read of a cut table is not all of it */
	if (got < 0 && !ask.quiet)
		tool_warn("what partitions allow is not looked at: %s", row.why.s);
}

/* What the partition of the latest run allows; without a name, and nothing known, where there is none. */
static struct partition
allowed(const struct work *w)
{
	static const struct partition none = { (char *)"", NOT, NOT, NOT };
	size_t i;

	for (i = 0; i < npartitions; i++)
		if (strcmp(partition[i].name, w->latest.partition) == 0)
			return partition[i];
	return none;
}

/* ---- how memory was measured ---- */

/* The value of a line `name = value` of scontrol show config; NULL. To be freed. */
static char *
config_value(const char *text, const char *name)
{
	size_t n = strlen(name);
	const char *s;

	for (s = text; s != NULL && *s != '\0'; s = strchr(s, '\n') == NULL ? NULL : strchr(s, '\n') + 1)
		if (strncmp(s, name, n) == 0 && (s[n] == ' ' || s[n] == '=')) {
			s += n + strspn(s + n, " =");
			return tool_copy(s, strcspn(s, " \n"));
		}
	return NULL;
}

static void
ask_sampling(void)
{
	char *argv[] = { (char *)"scontrol", (char *)"show", (char *)"config", NULL };
	const char *task;
	struct child c;
	char *every;

	child_run(&c, argv, ask.q.ms, OUTPUT_MAX);
	if (c.end == CHILD_ENDED && c.status == 0 && !c.cut && memchr(c.out, '\0', c.nout) == NULL) {
		sampling.type = config_value(c.out, "JobAcctGatherType");
		every = config_value(c.out, "JobAcctGatherFrequency");
		task = every != NULL ? strstr(every, "task=") : NULL;
		sampling.every = every != NULL ? strtol(task != NULL ? task + 5 : every, NULL, 10) : 0;
		sampling.none = sampling.type != NULL && (strstr(sampling.type, "none") != NULL || strcmp(sampling.type, "(null)") == 0);
		free(every);
	} else if (!ask.quiet) {
		c.err[strcspn(c.err, "\n")] = '\0';
		tool_warn("scontrol gave no answer (%s): how memory was sampled is not known", c.end == CHILD_ABSENT ? "it is not in PATH" :
		    c.end == CHILD_LATE || c.end == CHILD_STUCK ? "in time" : c.err[0] != '\0' ? c.err : "it said nothing");
	}
	child_free(&c);
}

static void
say_sampling(void)
{
	if (ask.quiet)
		return;
	if (ask.q.text)
		tool_warn("memory is a peak of samples; the text does not say how they were taken (scontrol show config: JobAcctGatherType, "
		    "JobAcctGatherFrequency)");
	else if (sampling.type != NULL)
		tool_warn("memory is a peak of samples: JobAcctGatherType %s, %s%" PRId64 " s", sampling.type, sampling.every > 0 ? "every " :
		    "JobAcctGatherFrequency ", sampling.every);
}

/* ---- values ---- */

static int
by_value(const void *a, const void *b)
{
	const uint64_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* The nearest-rank quantile of values that are sorted. */
static uint64_t
quantile(const struct values *v, double q)
{
	size_t rank = (size_t)ceil(q * (double)v->n);

	return v->v[rank > 0 ? rank - 1 : 0];
}

static size_t
above(const struct values *v, uint64_t limit)
{
	size_t i = v->n;

	while (i > 0 && v->v[i - 1] > limit)
		i--;
	return v->n - i;
}

static int
is_array(const struct work *w)
{
	return w->latest.task != NO_TASK;
}

/* Whether it did all of its work, or all that its time allowed. */
static int
computed(const struct past *p)
{
	return (p->flags & (DONE | CUT)) != 0;
}

/* How much memory a run is known to need of a node, in UNIT; 0 where nothing is. */
static uint64_t
needed(const struct past *p)
{
	if (p->flags & KILLED)
		return p->memory > p->peak ? p->memory : p->memory > 0 ? p->peak : 0;
	return p->flags & (GOOD | FILLS) ? p->peak : 0;
}

/* How long it is known to take, in s; 0 where nothing is. */
static uint64_t
lasted(const struct past *p)
{
	uint64_t elapsed = p->elapsed != UINT32_MAX ? p->elapsed : 0, limit = p->limit != UINT32_MAX ? p->limit : 0;

	return p->flags & DONE ? elapsed : p->flags & CUT ? limit > 0 ? limit : elapsed : 0;
}

/* The values of all runs, or of the tasks of the latest array where that is the latest run; sorted. */
static struct values
values_of(const struct work *w, uint64_t (*value)(const struct past *))
{
	struct values v = { NULL, 0 };
	const struct past *p;

	v.v = tool_realloc(NULL, (size_t)w->ended + 1, sizeof *v.v);
	for (p = first_past(w); p != NULL; p = next_past(p))
		if (value(p) > 0 && (!is_array(w) || (p->job == w->latest.job && p->task != NO_TASK)))
			v.v[v.n++] = value(p);
	qsort(v.v, v.n, sizeof *v.v, by_value);
	return v;
}

/* ---- rows ---- */

static void
begin_row(struct row *r, const char *flag)
{
	memset(r, 0, sizeof *r);
	r->flag = flag;
	r->verdict = REFUSED;
	snprintf(r->now, sizeof r->now, "-");
	snprintf(r->suggest, sizeof r->suggest, "-");
	r->f = tool_text(&r->basis, &r->nbasis);
}

/* The verdict for a number now, a suggested one, and a limit that cut a run (NOT: none did): it is never kept. */
static enum verdict
judge(double now, double suggest, double cut)
{
	if (now <= cut)
		return RAISE;
	return suggest > now * (1 + BAND) ? RAISE : suggest < now * (1 - BAND) ? LOWER : KEEP;
}

/* What is lower and rests on no run that COMPLETED is refused: a run that was cut or killed says nothing of its end. */
static void
need_completed(struct row *r, const struct work *w, uint64_t done)
{
	if (r->verdict != LOWER || done > 0)
		return;
	r->verdict = REFUSED;
	fprintf(r->f, "no run%s completed: what it needs at its end is not known", w->done > 0 ? " that says something" : "");
}

static void
show_quantiles(FILE *f, const struct work *w, const struct values *v, const char *(*show)(uint64_t, char *))
{
	static const struct { double q; const char *name; } quantiles[] = { { 0.5, "p50" }, { 0.9, "p90" }, { 0.99, "p99" }, { 1, "max" } };
	char buf[48];
	size_t i;

	if (v->n < LEAST)
		return;
	fputs("; ", f);
	if (is_array(w))
		fprintf(f, "%zu tasks of %" PRIu32 ": ", v->n, w->latest.job);
	for (i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++)
		fprintf(f, "%s%s %s", i > 0 ? " " : "", quantiles[i].name, show(quantile(v, quantiles[i].q), buf));
}

static void
show_share(FILE *f, const struct values *v, uint64_t limit, const char *at, const char *what)
{
	size_t n = above(v, limit);

	if (n > 0)
		fprintf(f, "; %s would have %s at least %.3g %% (%zu of %zu)", at, what, 100.0 * (double)n / (double)v->n, n, v->n);
}

/* ---- --time ---- */

struct time_facts {
	uint64_t done, cut, hung, unsure, longest, limit;	/* limit: the largest that cut a computing run */
	uint64_t unsure_limit, hung_limit;
};

static struct time_facts
time_facts(const struct work *w)
{
	struct time_facts t = { 0, 0, 0, 0, 0, 0, 0, 0 };
	const struct past *p;
	uint64_t limit;

	for (p = first_past(w); p != NULL; p = next_past(p)) {
		limit = p->limit != UINT32_MAX ? p->limit : p->elapsed != UINT32_MAX ? p->elapsed : 0;
		if (p->flags & DONE && p->elapsed != UINT32_MAX) {
			t.done++;
			t.longest = p->elapsed > t.longest ? p->elapsed : t.longest;
		}
		if (p->flags & CUT) {
			t.cut++;
			t.limit = limit > t.limit ? limit : t.limit;
		}
		if (p->flags & HUNG) {
			t.hung++;
			t.hung_limit = limit > t.hung_limit ? limit : t.hung_limit;
		}
		if (p->flags & UNSURE) {
			t.unsure++;
			t.unsure_limit = limit > t.unsure_limit ? limit : t.unsure_limit;
		}
	}
	return t;
}

static uint64_t
time_up(double seconds)
{
	uint64_t step = seconds < 3600 ? 300 : 900, s = (uint64_t)ceil(seconds - 1e-6);

	s = (s + step - 1) / step * step;
	return s > 0 ? s : step;
}

static const char *
show_time(uint64_t s, char *buf)
{
	return dur_slurm((int64_t)s, buf);
}

/* Why there is no time to suggest; 0 where there is one. */
static int
refuse_time(struct row *r, const struct work *w, const struct time_facts *t, const struct partition *p)
{
	char a[48], b[48];
	uint64_t outs = t->cut + t->hung + t->unsure;

	if (t->hung > 0 && 2 * t->hung >= outs && (double)t->hung >= HUNG_SHARE * (double)w->ended)
		fprintf(r->f, "blocked, not slow: %" PRIu64 " of %" PRIu64 " time-outs, at up to %s, ran over 300 s and used under 10 s of CPU: "
		    "a longer limit buys a longer hang", t->hung, outs, show_time(t->hung_limit, a));
	else if (t->unsure > 0 && t->unsure_limit > t->limit)
		fprintf(r->f, "%" PRIu64 " time-out%s at up to %s, and the CPU time that would tell slow from hung is not recorded", t->unsure,
		    tool_plural(t->unsure), show_time(t->unsure_limit, a));
	else if (r->runs < LEAST)
		fprintf(r->f, "%" PRIu64 " runs that say something, %d needed: %" PRIu64 " COMPLETED, %" PRIu64 " timed out while computing, %" PRIu64
		    " ended otherwise", r->runs, LEAST, t->done, t->cut, w->ended - r->runs);
	else if (w->latest.limit == NOT)
		fprintf(r->f, "what the latest run asked for is not recorded; the longest took %s", show_time(t->longest, a));
	else if (p->limit != NOT && (t->longest > (uint64_t)p->limit || (t->cut > 0 && t->limit >= (uint64_t)p->limit)))
		fprintf(r->f, "it needs more than partition %s allows, which is %s: %s%s: checkpoints, less work a run, or another partition",
		    p->name, show_time((uint64_t)p->limit, a), t->longest > (uint64_t)p->limit ? "the longest took " : "runs were cut at ",
		    show_time(t->longest > (uint64_t)p->limit ? t->longest : t->limit, b));
	else
		return 0;
	return 1;
}

static void
time_basis(struct row *r, const struct work *w, const struct time_facts *t)
{
	struct values v = values_of(w, lasted);
	char buf[48];
	uint64_t less;

	if (t->done > 0)
		fprintf(r->f, "longest of %" PRIu64 " COMPLETED %s x %.2f", t->done, show_time(t->longest, buf), TIME_MARGIN);
	if (t->cut > 0)
		fprintf(r->f, "%s%" PRIu64 " cut while computing, at up to %s: x %.2f", t->done > 0 ? "; " : "", t->cut, show_time(t->limit, buf),
		    TIME_MARGIN);
	if (t->hung > 0)
		fprintf(r->f, "; %" PRIu64 " hung time-out%s left out", t->hung, tool_plural(t->hung));
	show_quantiles(r->f, w, &v, show_time);
	less = is_array(w) && v.n >= LEAST ? (quantile(&v, 0.9) - 1) / 60 * 60 : 0;
	if (less > 0)
		show_share(r->f, &v, less, show_time(less, buf), "cut");
	free(v.v);
}

/* Refuses less time than runs took that computed, and neither completed nor timed out, or that are not over. */
static void
refuse_less_time(struct row *r, const struct work *w, const struct time_facts *t, uint64_t suggest, const char *than)
{
	const struct past *p;
	uint64_t n = 0, longest = 0;
	char buf[48];

	for (p = first_past(w); p != NULL; p = next_past(p))
		if ((p->flags & STOPPED) && p->elapsed != UINT32_MAX && p->elapsed > suggest) {
			n++;
			longest = p->elapsed > longest ? p->elapsed : longest;
		}
	if (n == 0 && w->underway <= (int64_t)suggest)
		return;
	r->verdict = REFUSED;
	if (n > 0)
		fprintf(r->f, "%" PRIu64 " run%s that did not complete took up to %s, longer than ", n, tool_plural(n), show_time(longest, buf));
	else
		fprintf(r->f, "a run that is not over took %s so far, longer than ", show_time((uint64_t)w->underway, buf));
	if (than != NULL)
		fprintf(r->f, "partition %s allows; ", than);
	else
		fprintf(r->f, "the %s ones x %.2f; ", t->longest >= t->limit ? "completed" : "cut", TIME_MARGIN);
}

static void
size_time(struct row *r, const struct work *w)
{
	struct time_facts t = time_facts(w);
	struct partition p = allowed(w);
	uint64_t need, suggest;
	int clamped;
	char buf[48];

	begin_row(r, "--time");
	r->runs = t.done + t.cut;
	if (w->latest.limit != NOT)
		snprintf(r->now, sizeof r->now, "%s", w->latest.limit == RUN_UNLIMITED ? "UNLIMITED" : show_time((uint64_t)w->latest.limit, buf));
	if (refuse_time(r, w, &t, &p))
		return;
	need = t.longest > t.limit ? t.longest : t.limit;
	suggest = time_up((double)need * TIME_MARGIN);
	clamped = p.limit != NOT && suggest > (uint64_t)p.limit;
	if (clamped)
		suggest = (uint64_t)p.limit;
	r->verdict = judge(w->latest.limit == RUN_UNLIMITED ? HUGE_VAL : (double)w->latest.limit, (double)suggest, t.cut > 0 ? (double)t.limit : NOT);
	if (r->verdict == LOWER)
		refuse_less_time(r, w, &t, suggest, clamped ? p.name : NULL);
	if (r->verdict == KEEP)
		snprintf(r->suggest, sizeof r->suggest, "%s", r->now);
	else if (r->verdict != REFUSED)
		show_time(suggest, r->suggest);
	time_basis(r, w, &t);
	if (clamped && r->verdict != REFUSED)
		fprintf(r->f, "; no more margin than partition %s allows", p.name);
}

/* ---- --mem ---- */

struct memory_facts {
	uint64_t good, fills, killed, untrusted, shared, silent;
	uint64_t done;				/* of those with a need known, COMPLETED */
	uint64_t blind, early;			/* killed at a limit that is not recorded; ended before all was done */
	uint64_t largest, filled, limit;	/* in UNIT: the largest peak, limit that was filled, limit that killed */
	uint32_t how, seconds;			/* flags of the largest, and how long that run took */
	int search;				/* submissions killed for memory are a search, an array being one; 2: and a later one completed */
	uint64_t submissions, killed_at;	/* killed_at: where search is 2, in UNIT */
};

struct kill {
	uint32_t memory, when, job;
};

static int
by_kill(const void *a, const void *b)
{
	const struct kill *p = a, *q = b;

	if (p->memory != q->memory)
		return (p->memory > q->memory) - (p->memory < q->memory);
	if (p->when != q->when)
		return (p->when > q->when) - (p->when < q->when);
	return (p->job > q->job) - (p->job < q->job);
}

static int
by_job(const void *a, const void *b)
{
	const struct kill *p = a, *q = b;

	return (p->job > q->job) - (p->job < q->job);
}

/* Whether a submission killed at this run's request came before it. */
static int
killed_before(const struct kill *k, size_t n, const struct past *p)
{
	size_t low = 0, high = n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (k[mid].memory < p->memory)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < n && k[low].memory == p->memory && k[low].when < p->when; low++)
		if (k[low].job != p->job)
			return 1;
	return 0;
}

/* Finds mem-search: at least three submissions killed for memory, an array being one; and its worse form. */
static void
find_search(struct memory_facts *m, const struct work *w)
{
	struct kill *k = tool_realloc(NULL, (size_t)(m->killed + m->blind) + 1, sizeof *k);
	const struct past *p;
	size_t i, n = 0;

	for (p = first_past(w); p != NULL; p = next_past(p))
		if (p->flags & KILLED) {
			k[n].memory = p->memory;
			k[n].when = p->when;
			k[n++].job = p->job;
		}
	qsort(k, n, sizeof *k, by_job);
	for (i = 0; i < n; i++)
		m->submissions += i == 0 || k[i].job != k[i - 1].job;
	m->search = m->submissions >= SEARCHES;
	qsort(k, n, sizeof *k, by_kill);
	for (p = first_past(w); p != NULL && m->search == 1; p = next_past(p))
		if ((p->flags & DONE) && !(p->flags & KILLED) && p->memory > 0 && killed_before(k, n, p)) {
			m->search = 2;
			m->killed_at = p->memory;
		}
	free(k);
}

static struct memory_facts
memory_facts(const struct work *w)
{
	struct memory_facts m;
	const struct past *p;

	memset(&m, 0, sizeof m);
	for (p = first_past(w); p != NULL; p = next_past(p)) {
		m.done += (p->flags & DONE) && needed(p) > 0;
		if (p->flags & KILLED) {
			m.killed += needed(p) > 0;
			m.blind += needed(p) == 0;
			m.limit = needed(p) > m.limit ? needed(p) : m.limit;
		} else if (p->flags & GOOD) {
			m.good += computed(p) ? 1 : 0;
			m.early += computed(p) ? 0 : 1;
			if (p->peak > m.largest) {
				m.largest = p->peak;
				m.how = p->flags;
				m.seconds = p->elapsed;
			}
		} else if (p->flags & FILLS) {
			m.fills += computed(p) ? 1 : 0;
			m.early += computed(p) ? 0 : 1;
			m.filled = p->memory > m.filled ? p->memory : m.filled;
		} else if (p->flags & UNTRUSTED)
			m.untrusted++;
		else if (p->flags & SHARED)
			m.shared++;
		else
			m.silent++;
	}
	find_search(&m, w);
	return m;
}

static const char *
show_memory(uint64_t units, char *buf)
{
	return num_show((double)units * (double)UNIT, buf);
}

/* Up to what a person would ask for: multiples of 64 MiB below 2 GiB, of 1 GiB from there. */
static int64_t
size_up(double bytes)
{
	int64_t step = bytes <= 2.0 * (double)GIB ? 64 * MIB : GIB, b = (int64_t)ceil(bytes);

	b = (b + step - 1) / step * step;
	return b > 0 ? b : step;
}

/* CPUs on a node, where memory was asked for each of them; else 1: what a request is multiplied with. */
static double
parts(const struct work *w)
{
	const struct latest *l = &w->latest;

	return l->per == 'c' && l->cpus > 0 ? (double)l->cpus / (double)(l->nodes > 0 ? l->nodes : 1) : 1;
}

/* The request, in bytes a node or a CPU, for so many UNIT on a node; never more than the partition's largest node has. */
static int64_t
memory_request(const struct work *w, double units, int64_t most, int *clamped)
{
	int64_t suggest = size_up(units * (double)UNIT / parts(w)), cap;

	if (most == NOT || (double)suggest * parts(w) <= (double)most)
		return suggest;
	cap = (int64_t)((double)most / parts(w));
	if (clamped != NULL)
		*clamped = 1;
	return cap > MIB ? cap / MIB * MIB : cap;
}

static void
count_runs(FILE *f, uint64_t n, const char *what)
{
	if (n > 0)
		fprintf(f, "; %" PRIu64 " %s", n, what);
}

/* What was left out, and why. */
static void
memory_left_out(FILE *f, const struct memory_facts *m)
{
	count_runs(f, m->untrusted, "with a peak above the limit and not killed: no footprint, shared pages counted twice");
	count_runs(f, m->shared, "of several tasks on a node that cannot be told apart (MaxRSS is one task's)");
	count_runs(f, m->silent, "whose peak is not recorded");
	count_runs(f, m->blind, "killed at a limit that is not recorded");
	count_runs(f, m->early, "that failed, hung or were stopped: only the largest peak is looked at");
}

static int
refuse_memory(struct row *r, const struct work *w, const struct memory_facts *m, int64_t now, const struct partition *p)
{
	char a[48], b[48];
	uint64_t need = m->largest > m->limit ? m->largest : m->limit, rest = m->good + m->fills + m->killed;
	double most = p->memory == NOT ? HUGE_VAL : (double)p->memory;

	if (sampling.none)
		fprintf(r->f, "memory is not gathered here: JobAcctGatherType is %s", sampling.type);
	else if (m->search == 2)
		fprintf(r->f, "not memory: %" PRIu64 " submissions were killed for it, and a later one COMPLETED at %s, which had been killed before",
		    m->submissions, show_memory(m->killed_at, a));
	else if (no_memory && rest == 0)
		fputs("no column MaxRSS: --fields prints the columns that are needed", r->f);
	else if (rest == 0 && m->silent > 0 && m->silent == w->ended)
		fprintf(r->f, "no peak is recorded in any of %" PRIu64 " run%s: it is not gathered here, or the steps are not in the text", m->silent,
		    tool_plural(m->silent));
	else if (rest < LEAST) {
		fprintf(r->f, "%" PRIu64 " runs that say something, %d needed", rest, LEAST);
		memory_left_out(r->f, m);
	} else if ((double)m->shared >= SHARED_SHARE * (double)(m->shared + rest) && m->shared > 0)
		fprintf(r->f, "several tasks share a node in %" PRIu64 " of %" PRIu64 " runs and cannot be told apart: MaxRSS is one task's, "
		    "and TRESUsageInTot does not say their sum", m->shared, m->shared + rest);
	else if (now <= 0)
		fprintf(r->f, "what the latest run asked for is not recorded (or it was a whole node); the largest need known of a node is %s",
		    show_memory(need > m->filled ? need : m->filled, a));
	else if ((double)m->largest * (double)UNIT > most || (m->limit > 0 && (double)m->limit * (double)UNIT >= most))
		fprintf(r->f, "it needs more than the largest node of partition %s has, which is %s: %s %s", p->name,
		    request(p->memory, a), m->largest >= m->limit ? "the largest peak is" : "runs were killed at", show_memory(need, b));
	else
		return 0;
	return 1;
}

static void
memory_basis(struct row *r, const struct work *w, const struct memory_facts *m, const struct partition *p, int clamped)
{
	char buf[48];

	if (m->good > 0)
		fprintf(r->f, "largest peak of %" PRIu64 " run%s on a node", m->good, tool_plural(m->good));
	else if (m->largest > 0)
		fputs("largest peak on a node", r->f);
	if (m->largest > 0)
		fprintf(r->f, " %s x %.2f (%s)", show_memory(m->largest, buf),
		    MEMORY_MARGIN, m->how & ALL_TASKS ? "all tasks: TRESUsageInTot" : m->how & AT_MOST ? "at most: MaxRSS x tasks on a node" :
		    "MaxRSS x 1 task");
	if (m->killed > 0)
		fprintf(r->f, "%s%" PRIu64 " killed, at up to %s: x %.2f", m->largest > 0 ? "; " : "", m->killed, show_memory(m->limit, buf),
		    MEMORY_MARGIN);
	if (m->fills > 0)
		fprintf(r->f, "%s%" PRIu64 " filled %s and %s not killed: page cache perhaps, no need above it", m->largest + m->killed > 0 ? "; " : "",
		    m->fills, show_memory(m->filled, buf), m->fills == 1 ? "was" : "were");
	memory_left_out(r->f, m);
	if (w->latest.per == 'c')
		fprintf(r->f, "; for each of %.3g CPUs on a node", parts(w));
	if (clamped)
		fprintf(r->f, "; no more margin than the largest node of partition %s has", p->name);
	if (sampling.every > 0)
		fprintf(r->f, "; sampled every %" PRId64 " s", sampling.every);
	if (sampling.every > 0 && m->largest > 0 && m->seconds / sampling.every < FEW_SAMPLES)
		fprintf(r->f, ", so %" PRId64 " times at most in the run with the largest: it may have needed more", m->seconds / sampling.every + 1);
}

/* ---- two requests for an array ---- */

struct task {
	uint64_t need, seconds;	/* UINT64_MAX: not known; 0: it never completed */
	uint32_t index;
};

static int
by_index(const void *a, const void *b)
{
	const struct task *p = a, *q = b;

	return (p->index > q->index) - (p->index < q->index);
}

static int
by_need(const void *a, const void *b)
{
	const struct task *p = a, *q = b;

	return p->need != q->need ? (p->need > q->need) - (p->need < q->need) : by_index(a, b);
}

/* The tasks of the latest array, each once, by need; what is not known, for none of their runs completed, comes last. */
static struct task *
tasks_of(const struct work *w, size_t *n)
{
	struct task *t = tool_realloc(NULL, (size_t)w->ended + 1, sizeof *t);
	const struct past *p;
	size_t i, k = 0;

	for (p = first_past(w); p != NULL; p = next_past(p))
		if (p->job == w->latest.job && p->task != NO_TASK) {
			t[k].index = p->task;
			t[k].need = p->flags & (DONE | KILLED) ? needed(p) : 0;
			t[k++].seconds = (p->flags & DONE) && p->elapsed != UINT32_MAX ? p->elapsed : 0;
		}
	qsort(t, k, sizeof *t, by_index);
	for (*n = i = 0; i < k; i++)
		if (*n == 0 || t[*n - 1].index != t[i].index)
			t[(*n)++] = t[i];
		else {
			t[*n - 1].need = t[i].need > t[*n - 1].need ? t[i].need : t[*n - 1].need;
			t[*n - 1].seconds = t[i].seconds > t[*n - 1].seconds ? t[i].seconds : t[*n - 1].seconds;
		}
	for (i = 0; i < *n; i++)
		t[i].need = t[i].need > 0 ? t[i].need : UINT64_MAX;
	qsort(t, *n, sizeof *t, by_need);
	return t;
}

struct split {
	struct task *t;
	size_t n, most;		/* most: tasks for the smaller request; 0: one request is better */
	int64_t less;		/* the smaller request */
	double share;		/* of the cost of one */
};

/* The cheapest two requests: memory x time asked for. A task that never completed is taken to need the longest time. */
static struct split
split(const struct work *w, int64_t all)
{
	struct split s = { NULL, 0, 0, 0, 1 };
	double total = 0, sum = 0, share;
	uint64_t longest = 1;
	size_t i;
	int64_t less;

	s.t = tasks_of(w, &s.n);
	if (s.n < SPLIT_TASKS)
		return s;
	for (i = 0; i < s.n; i++)
		longest = s.t[i].seconds > longest ? s.t[i].seconds : longest;
	for (i = 0; i < s.n; i++)
		total += (double)(s.t[i].seconds > 0 ? s.t[i].seconds : longest);
	for (i = 0; i + 1 < s.n && s.t[i].need != UINT64_MAX; i++) {
		sum += (double)(s.t[i].seconds > 0 ? s.t[i].seconds : longest);
		if ((double)(i + 1) < SPLIT_MOST * (double)s.n)
			continue;
		less = memory_request(w, (double)s.t[i].need * MEMORY_MARGIN, NOT, NULL);
		share = ((double)less * sum + (double)all * (total - sum)) / ((double)all * total);
		if (share < s.share) {
			s.share = share;
			s.most = i + 1;
			s.less = less;
		}
	}
	if (s.share > SPLIT_COST)
		s.most = 0;
	return s;
}

/* The indices of n tasks, for sbatch --array; to be freed. */
static char *
indices(const struct task *t, size_t n)
{
	struct iset set = ISET_EMPTY;
	char *s;
	size_t i, len;
	FILE *f = tool_text(&s, &len);

	for (i = 0; i < n; i++)
		iset_add(&set, t[i].index, t[i].index);
	iset_settle(&set);
	iset_print(&set, f);
	iset_free(&set);
	tool_text_end(f, &s);
	return s;
}

/* ---- --cpus-per-task and --gpus ---- */

/* What the busiest run used with a margin, but no more than now: that all were busy does not say that more are needed.
 * Unless it used more than it had, for it was not held to them. */
static double
busy_up(const struct busy *b, double now)
{
	double suggest = ceil(b->most * CORE_MARGIN - 1e-9);

	if (b->most <= b->of * OVER && suggest > now)
		suggest = now;
	return suggest < 1 ? 1 : suggest;
}

static void
busy_basis(FILE *f, const struct busy *b, const char *what)
{
	fprintf(f, "the busiest of %" PRIu64 " used %.3g of %.3g %s x %.2f", b->runs, b->most, b->of, what, CORE_MARGIN);
	if (b->most >= b->of / CORE_MARGIN && b->most <= b->of * OVER)
		fputs(": all were busy, which is no need of more", f);
}

static void
size_cpus(struct row *r, const struct work *w)
{
	const struct busy *b = &w->cores;
	struct partition p = allowed(w);
	const struct latest *l = &w->latest;
	double now = l->cpus > 0 && l->tasks > 0 ? (double)l->cpus / (double)l->tasks : NOT, suggest, on_node;

	begin_row(r, "--cpus-per-task");
	r->runs = b->runs;
	if (now > 0)
		snprintf(r->now, sizeof r->now, "%.4g", now);
	if (b->runs < LEAST) {
		fprintf(r->f, "%" PRIu64 " runs that say something, %d needed: computed for %d s or more, CPU time, CPUs and tasks recorded", b->runs,
		    LEAST, BUSY_TIME);
		count_runs(r->f, w->no_cores, "on several nodes with work outside of their steps");
		return;
	}
	if (now < 0) {
		fprintf(r->f, "what the latest run asked for a task is not recorded; ");
		busy_basis(r->f, b, "CPUs a task");
		return;
	}
	if (b->widest < now) {
		fprintf(r->f, "no run that says something had %.4g CPUs a task, as the latest has", now);
		return;
	}
	suggest = busy_up(b, now);
	on_node = ceil((double)l->tasks / (double)(l->nodes > 0 ? l->nodes : 1));
	if (p.cpus != NOT && suggest > now && suggest * on_node > (double)p.cpus) {
		if (b->most * on_node > (double)p.cpus) {
			fprintf(r->f, "it needs more than the largest node of partition %s has, which is %" PRId64 " CPUs: ", p.name, p.cpus);
			busy_basis(r->f, b, "CPUs a task");
			return;
		}
		suggest = floor((double)p.cpus / on_node);
	}
	r->verdict = judge(now, suggest, NOT);
	need_completed(r, w, b->done);
	if (r->verdict == LOWER && l->per == 'c') {
		r->verdict = REFUSED;
		fputs("memory is asked for per CPU: fewer CPUs would be less memory", r->f);
	}
	if (r->verdict == REFUSED)
		return;
	snprintf(r->suggest, sizeof r->suggest, "%.4g", r->verdict == KEEP ? now : suggest);
	busy_basis(r->f, b, "CPUs a task");
}

/* Whether the work has anything to do with GPUs, as far as is known. */
static int
size_gpus(struct row *r, const struct work *w)
{
	const struct busy *b = &w->gpus;
	int64_t now = w->latest.gpus;
	double suggest;

	if (now == 0)
		return 0;
	begin_row(r, "--gpus");
	r->runs = b->runs;
	if (now > 0)
		snprintf(r->now, sizeof r->now, "%" PRId64, now);
	if (now < 0)
		fputs("whether it had GPUs is not recorded (AllocTRES)", r->f);
	else if (b->runs + w->short_gpus + w->stopped_gpus == 0)
		fputs("gres/gpuutil is not recorded: nothing says how busy they were", r->f);
	else if (b->runs < LEAST) {
		fprintf(r->f, "%" PRIu64 " runs that say something, %d needed: gres/gpuutil recorded, computed for %d s or more", b->runs, LEAST, BUSY_TIME);
		count_runs(r->f, w->short_gpus, "too short");
		count_runs(r->f, w->stopped_gpus, "that failed, hung or were stopped");
	} else if (b->most <= 0)
		fprintf(r->f, "gres/gpuutil is 0 in all of %" PRIu64 " runs: they were not used, or are slices (MIG), which are not measured", b->runs);
	else if (b->widest < (double)now)
		fprintf(r->f, "no run that says something had %" PRId64 " GPUs, as the latest has", now);
	else {
		suggest = busy_up(b, (double)now);
		r->verdict = judge((double)now, suggest, NOT);
		snprintf(r->suggest, sizeof r->suggest, "%.4g", r->verdict == KEEP ? (double)now : suggest);
		busy_basis(r->f, b, "GPUs");
	}
	return 1;
}

/* ---- the answer ---- */

static void
put_text(const char *s)
{
	esc_put(stdout, s, strlen(s), isatty(1) ? ESC_SCREEN : ESC_FIELD);
}

static void
paste(const struct work *w, const struct row *r)
{
	if (r->verdict == RAISE || r->verdict == LOWER) {
		printf("#SBATCH %s=%s  # ", r->flag, r->suggest);
		put_text(w->key);
		printf(": %s from %s: ", verdicts[r->verdict], r->now);
		put_text(r->basis);
		putchar('\n');
	} else if (!ask.quiet)
		tool_warn("%s: %s: %s: %s", w->key, r->flag, verdicts[r->verdict], r->basis);
}

/* Where it is not known whether memory was asked for by CPU, fewer CPUs might be less memory: a line that holds what is asked
 * for now. */
static void
paste_memory(const struct work *w, int64_t now)
{
	char buf[48];

	printf("#SBATCH --mem=%s  # ", request(now, buf));
	put_text(w->key);
	puts(": as now, in place of a --mem-per-cpu, with which fewer CPUs would be less memory");
}

static void
put(struct rec *rec, const struct work *w, struct row *r, const char *tasks)
{
	tool_text_end(r->f, &r->basis);
	if (ask.paste && tasks == NULL)
		paste(w, r);
	else if (ask.paste) {
		fputs("# ", stdout);
		put_text(w->key);
		printf(": cheaper in two: sbatch --array=%s %s=%s\n", tasks, r->flag, r->suggest);
	} else {
		rec_word(rec, w->key);
		rec_word(rec, r->flag);
		rec_word(rec, r->now);
		rec_word(rec, r->suggest);
		rec_word(rec, verdicts[r->verdict]);
		rec_number(rec, r->runs);
		rec_text(rec, r->basis, r->nbasis);
		rec_word(rec, tasks != NULL ? tasks : "-");
	}
	free(r->basis);
}

/* A record of one of two requests. */
static void
put_part(struct rec *rec, const struct work *w, const struct row *all, const struct split *s, int tail, int64_t now, int64_t suggest)
{
	const struct task *t = tail ? s->t + s->most : s->t;
	size_t n = tail ? s->n - s->most : s->most;
	char *list = indices(t, n), buf[48];
	struct row r;

	begin_row(&r, all->flag);
	memcpy(r.now, all->now, sizeof r.now);
	request(suggest, r.suggest);
	r.verdict = judge((double)now, (double)suggest, NOT);
	r.runs = n;
	if (t[n - 1].need == UINT64_MAX)
		fprintf(r.f, "the tail of array %" PRIu32 ": not all of their needs are known", w->latest.job);
	else
		fprintf(r.f, "the %s of array %" PRIu32 ": at most %s on a node x %.2f", tail ? "tail" : "most", w->latest.job,
		    show_memory(t[n - 1].need, buf), MEMORY_MARGIN);
	fprintf(r.f, "; both requests cost %.2g of the one for all", s->share);
	put(rec, w, &r, list);
	free(list);
}

/* What share of an array's tasks a smaller request would have killed: the smaller of two, or one just below the p90. */
static void
memory_share(FILE *f, const struct work *w, const struct values *v, int64_t less)
{
	const int64_t step = 64 * MIB;
	char buf[48];

	if (!is_array(w) || v->n < LEAST)
		return;
	if (less == 0)
		less = (int64_t)((double)(quantile(v, 0.9) - 1) * (double)UNIT / parts(w)) / step * step;
	if (less > 0)
		show_share(f, v, (uint64_t)((double)less * parts(w) / (double)UNIT), request(less, buf), "killed");
}

/* Puts the record for memory, and the two for an array where they are cheaper. The request for a node that stays as it is,
 * in bytes; NOT where it changes, or none is known. */
static int64_t
put_memory(struct rec *rec, const struct work *w)
{
	struct memory_facts m = memory_facts(w);
	struct partition p = allowed(w);
	struct values v = values_of(w, needed);
	struct split s = { NULL, 0, 0, 0, 1 };
	double units = (double)(m.largest > m.limit ? m.largest : m.limit) * MEMORY_MARGIN;
	int64_t now = w->latest.per == 'c' ? w->latest.asked : w->latest.memory, suggest = 0;
	int clamped = 0;
	struct row r;

	begin_row(&r, w->latest.per == 'c' ? "--mem-per-cpu" : "--mem");
	r.runs = m.good + m.fills + m.killed;
	if (now > 0)
		request(now, r.now);
	if (!refuse_memory(&r, w, &m, now, &p)) {
		suggest = memory_request(w, units, p.memory, &clamped);
		if ((double)suggest * parts(w) < (double)m.filled * (double)UNIT)
			suggest = (int64_t)((double)m.filled * (double)UNIT / parts(w));
		r.verdict = judge((double)now, (double)suggest, m.killed > 0 ? (double)m.limit * (double)UNIT / parts(w) : NOT);
		need_completed(&r, w, m.done);
	}
	if (r.verdict != REFUSED) {
		suggest = r.verdict == KEEP ? now : suggest;
		request(suggest, r.suggest);
		memory_basis(&r, w, &m, &p, clamped);
		show_quantiles(r.f, w, &v, show_memory);
		if (is_array(w) && m.done > 0)
			s = split(w, suggest);
		memory_share(r.f, w, &v, s.most > 0 ? s.less : 0);
	}
	put(rec, w, &r, NULL);
	if (s.most > 0) {
		put_part(rec, w, &r, &s, 0, now, s.less);
		put_part(rec, w, &r, &s, 1, now, suggest);
	}
	free(s.t);
	free(v.v);
	return r.verdict == RAISE || r.verdict == LOWER || now <= 0 ? NOT : now;
}

static int
by_cost(const void *a, const void *b)
{
	const struct work *p = a, *q = b;

	return p->cost != q->cost ? (p->cost < q->cost) - (p->cost > q->cost) : strcmp(p->key, q->key);
}

static void
print_all(void)
{
	static const char *const names[] = { "work", "flag", "now", "suggest", "verdict", "runs", "basis", "tasks" };
	struct rec rec;
	struct row r;
	int64_t stays;
	const struct work *w;

	qsort(work, nworks, sizeof *work, by_cost);
	if (!ask.paste)
		rec_begin(&rec, stdout, ask.how, names, sizeof names / sizeof names[0]);
	for (w = work; w < work + nworks; w++) {
		size_time(&r, w);
		put(&rec, w, &r, NULL);
		stays = put_memory(&rec, w);
		size_cpus(&r, w);
		put(&rec, w, &r, NULL);
		if (ask.paste && r.verdict == LOWER && stays != NOT && w->latest.per != 'n')
			paste_memory(w, stays);
		if (size_gpus(&r, w))
			put(&rec, w, &r, NULL);
	}
	if (!ask.paste)
		rec_finish(&rec);
}

static void TOOL_NORETURN
no_runs(void)
{
	char buf[TOOL_WORD];

	if (ask.names == 0)
		tool_die(TROUBLE, "no runs");
	if (ask.names == 1)
		tool_die(TROUBLE, "no run of %s", tool_word(buf, ask.word[0], strlen(ask.word[0])));
	tool_die(TROUBLE, "no run of %s, nor of the other %d", tool_word(buf, ask.word[0], strlen(ask.word[0])), ask.names - 1);
}

/* Says what a reader of the verdicts should know; how many names have no runs. */
static int
say(void)
{
	char buf[TOOL_WORD];
	size_t i, absent = 0;
	int j, missing = 0;

	for (j = 0; j < ask.names; j++)
		if (!ask.seen[j]) {
			missing++;
			tool_warn("no run of %s", tool_word(buf, ask.word[j], strlen(ask.word[j])));
		}
	for (i = 0; i < nworks && npartitions > 0; i++)
		absent += *allowed(&work[i]).name == '\0';
	if (ask.quiet)
		return missing;
	if (absent > 0)
		tool_warn("%zu piece%s of work ran in a partition that sinfo does not name: what it allows is not looked at", absent, tool_plural(absent));
	if (open_runs > 0)
		tool_warn("%" PRIu64 " run%s not over: only what was asked for, and how long it has run, is looked at", open_runs, open_runs == 1 ? " is" : "s are");
	if (no_elapsed > 0)
		tool_warn("%" PRIu64 " COMPLETED run%s without a time: not counted for --time", no_elapsed, tool_plural(no_elapsed));
	return missing;
}

/* ---- options ---- */

static void
read_options(struct opt *o)
{
	int val;

	ask.q.ms = ACCT_MS;
	while ((val = opt_next(o)) != -1)
		switch (val) {
		case O_FIELDS: ask.fields = 1; break;
		case O_SINFO: ask.sinfo = optarg; break;
		case 's': ask.paste = 1; break;
		case 'H': ask.how = REC_HEADER; break;
		case O_JSON: ask.how = REC_JSON; break;
		case 'q': ask.quiet = 1; break;
		default: acct_option(&ask.q, val, optarg); break;
		}
}

/* Refuses options that do not go together, and reads the names. */
static void
check_options(const struct opt *o)
{
	int i;

	acct_choose(&ask.q);
	if (ask.paste && ask.how != REC_AUTO)
		tool_die(BADUSE, "-s: no -H or --json was expected with it");
	if (ask.sinfo != NULL && strcmp(ask.sinfo, "-") == 0 && ask.q.text && (ask.q.file == NULL || strcmp(ask.q.file, "-") == 0))
		tool_die(BADUSE, "stdin is asked for twice: a file was expected for --sinfo or -f");
	ask.names = o->n;
	ask.word = o->operand;
	ask.name = tool_realloc(NULL, (size_t)o->n + 1, sizeof(char *));
	ask.seen = tool_realloc(NULL, (size_t)o->n + 1, sizeof *ask.seen);
	for (i = 0; i < o->n; i++) {
		if (*o->operand[i] == '\0')
			tool_die(BADUSE, "an empty NAME");
		ask.seen[i] = 0;
		ask.name[i] = tool_copy(o->operand[i], strlen(o->operand[i]));
		ask.name[i][names_fold(ask.name[i], o->operand[i], strlen(o->operand[i]))] = '\0';
	}
}

int
main(int argc, char **argv)
{
	struct opt o = OPT_INIT(argc, argv, options, 0);
	int missing;

	tool_begin();
	read_options(&o);
	if (ask.fields) {
		puts(run_fields(NEEDS));
		tool_done(YES);
	}
	check_options(&o);
	read_runs();
	if (runs == 0)
		no_runs();
	get_limits();
	if (!ask.q.text)
		ask_sampling();
	say_sampling();
	missing = say();
	print_all();
	tool_done(missing > 0 ? TROUBLE : YES);
}
