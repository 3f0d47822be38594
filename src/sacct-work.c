/* sacct-work - runs rolled up into pieces of work: what each cost, what failed, and what its next run should know
 *
 * One pass: each attempt is added to its piece of work, and kept as 28 bytes (struct past) for the rules that need the
 * order of things. What can be told from sums is summed while reading; the rules run over a work's past once all is
 * read. A rule says nothing where what it needs is not recorded.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "acct.h"
#include "dur.h"
#include "names.h"
#include "num.h"
#include "opt.h"
#include "rec.h"
#include "run.h"
#include "tool.h"

const char help[] =
"sacct-work - what each piece of work cost, how it failed, and what to change before it runs again\n"
"\n"
"usage: sacct -DP ... | sacct-work [options] [NAME...]              reads text, also -f FILE\n"
"       sacct-work [options] -S SINCE [-E UNTIL] [-u USER] [NAME...]  asks sacct\n"
"\n"
"A piece of work is user/cpu/name or user/gpu/name, each run of digits in the name folded to #. NAME chooses such names.\n"
"\n"
"what is read:\n"
"  -S, --since SINCE        2026-11-29, 2026-11-29T08:00, 7d (that long ago) or what else sacct -S takes (30 days with -u)\n"
"  -E, --until UNTIL        the same for the end (now)\n"
"  -u, --user USER          the user, several joined by commas, `all` (you)\n"
"  -f, --file FILE          read text from FILE (- is stdin)\n"
"  -t, --time-limit TIME    for sacct (30s)\n"
"      --fields             print the field list to give to sacct -o, and end\n"
"what is printed instead of work, names, runs, done, failed, timeout, oom, lost, cpu_h, gpu_h, cost, share, last, findings:\n"
"  -F, --findings           one record a finding: code, severity, work, evidence, advice\n"
"      --runs NAME          the runs of a work in the order of their submission: request, peak, state\n"
"      --gate NAME          nothing: the status says whether this work has already failed this way at this request\n"
"      --request WHAT       with --gate: the request that is meant, mem=6G,time=30:00 (that of the latest run)\n"
"      --rules              the rules of -F with their thresholds, and end\n"
"how:\n"
"      --sort KEY           cost (the default), failures, rate (failed of failed and done), runs, recent\n"
"  -n, --count TOP          only the first TOP records\n"
"      --by partition       the partitions of a work apart\n"
"      --gpu-weight W       core-hours that a GPU-hour costs (16)\n"
"  -H, --header             a line of column names\n"
"      --json               one JSON object a line\n"
"  -q, --quiet              fewer words on stderr\n"
"  -h, --help               this text\n"
"  -V, --version            the version\n"
"\n"
"exit status: 0 printed; no objection (--gate), also where there is too little history, which is said; 1 no: this work has\n"
"already failed this way at this request (--gate; why is on stderr); 2 called wrong, or the text is not sacct's;\n"
"3 could not find out: no records, a NAME without one (not --gate), a request that is not recorded (--gate), no answer from Slurm.\n"
"\n"
"example:\n"
"  echo 'JobID|JobName|User|State|ElapsedRaw|Timelimit|AllocCPUS|AllocTRES|NNodes|Submit' >runs.txt\n"
"  for i in 1 2 3; do echo \"$i|fit_$i|ann|TIMEOUT|1800|00:30:00|4|cpu=4,mem=8G|1|2026-11-0${i}T08:00:00\"; done >>runs.txt\n"
"  sacct-work -f runs.txt\n"
"  sacct-work --gate fit_4 --request time=2h -f runs.txt || exit\n"
"  echo sbatch --time=2:00:00 fit_4.sbatch\n";

enum {
	O_FIELDS = 256, O_RUNS, O_GATE, O_REQUEST, O_RULES, O_SORT, O_BY, O_WEIGHT, O_JSON
};

static const struct option options[] = {
	OPT_COMMON,
	ACCT_OPTIONS,
	{ "fields", no_argument, NULL, O_FIELDS },
	{ "findings", no_argument, NULL, 'F' },
	{ "runs", required_argument, NULL, O_RUNS },
	{ "gate", required_argument, NULL, O_GATE },
	{ "request", required_argument, NULL, O_REQUEST },
	{ "rules", no_argument, NULL, O_RULES },
	{ "sort", required_argument, NULL, O_SORT },
	{ "count", required_argument, NULL, 'n' },
	{ "by", required_argument, NULL, O_BY },
	{ "gpu-weight", required_argument, NULL, O_WEIGHT },
	{ "header", no_argument, NULL, 'H' },
	{ "json", no_argument, NULL, O_JSON },
	{ "quiet", no_argument, NULL, 'q' },
	{ NULL, 0, NULL, 0 }
};

/* ---- thresholds ---- */

#define REPEAT_RUNS 5		/* runs, */
#define REPEAT_FAILED 3		/* of them failed */
#define REPEAT_MOST 50		/* percent failed from which it is critical */
#define SEARCH_KILLED 3		/* submissions killed for memory */
#define HANG_TIME RUN_HUNG_TIME	/* their names and values are printed */
#define HANG_CPU RUN_HUNG_CPU
#define HANG_MOST 25		/* percent hung, */
#define HANG_MANY 3		/* and how many, from which it is critical */
#define BLOCKED_TIMEOUTS 3	/* time-outs that hung, */
#define BLOCKED_SHARE 50	/* and their percentage of all time-outs */
#define NEAR_LIMIT 95		/* percent of the limit */
#define SLACK_RUNS 3		/* completed runs that say something */
#define SLACK_TIME 50		/* percent of the limit that no run reached */
#define SLACK_MEM 35		/* the same of memory, */
#define SLACK_MEM_GIB 32	/* and GiB left over */
#define SLACK_CPU 15		/* percent of the cores' time, */
#define SLACK_CPU_TIME 120	/* of runs of so many seconds */
#define LOOP_PREEMPTED 2	/* times in one partition */
#define GPU_RUNS 3		/* runs whose GPU use is recorded, */
#define GPU_TIME 300		/* of so many seconds, */
#define GPU_IDLE 5		/* none of which used so many percent of a GPU */
#define GPU_CORES 50		/* while all used so many percent of a core */
#define ARRAY_TASKS 10		/* tasks that are known, */
#define ARRAY_LOWEST 20		/* percent of which at most used less than the largest probe, */
#define ARRAY_GROWTH 150	/* and the largest task used so many percent of the largest probe */
#define GATE_RUNS 3		/* runs: fewer are too little history, and as many completed since lift an objection */
#define GATE_FAILED 3		/* failed at this request, where others completed */
#define GATE_SHARE 50		/* and their percentage; */
#define GATE_STREAK 5		/* or so many submissions failed one after another, the latest ones */

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define IS(name) #name "=" TEXT(name)

#define GIB (INT64_C(1) << 30)
#define UNKNOWN UINT32_MAX
#define NO_TIME 0x7fffffffu	/* elapsed is not recorded */
#define STEPS 8			/* of a walk through requests that are shown */
#define BAR 24

/* ---- what is kept ---- */

/* what was asked for, and where: shared by the runs that are alike in it */
struct request {
	int64_t mem, limit, cpus, gpus;	/* mem: bytes a node; -1 not recorded */
	uint32_t place;			/* the partition, with the cluster where that is told */
};

enum sure { SURE, AT_LEAST, AT_MOST, UNTRUSTED };
static const char *const sures[] = { "measured", "at-least", "at-most", "untrusted" };

/* a run: as little of it as serves */
struct past {
	uint32_t submit, job, request, next;	/* submit 0: unknown. next + 1: the run of the same work that was read before */
	uint32_t peak;				/* KiB, 0 unknown */
	unsigned elapsed : 31, killed : 1;	/* s; whether it was killed for memory */
	unsigned part : 22, state : 5, kind : 2, sure : 2, hung : 1;
};

struct near {
	uint64_t n;
	double share;
	uint32_t run;
};

struct work {
	char *label;			/* user/class/name */
	size_t n;
	int wanted;
	uint64_t names, first_name;
	uint64_t runs, done, failed, timeout, oom, lost, bad, killed, preempted, tasks;
	uint64_t cpu_told, gpu_told, costed, hung, hung_timeouts, held, in_time, in_mem, vague_mem, in_cpu, gpu_used, gpu_busy;
	double cpu_h, gpu_h, cost, hung_h, held_h;
	double busiest;			/* percent of its cores' time */
	int64_t last, longest, largest;	/* longest, largest: of the completed runs */
	int64_t most_time, most_mem;	/* of all runs that used it */
	int64_t most_killed;	/* memory at which one, or a step of one, was killed for it */
	int64_t gpu_most;
	uint32_t head, latest;	/* runs + 1: the one read last, and the one submitted last */
	struct near near_time, near_mem;
	unsigned found, worse;		/* bits, by the rule */
};

static struct {
	const char *runs, *gate, *request;
	char **name;
	size_t nname, *seen;
	int findings, rules, fields, by_partition, quiet;
	enum key { BY_COST, BY_FAILURES, BY_RATE, BY_RUNS, BY_RECENT } sort;
	enum rec_how how;
	uint64_t top;
	double weight;
	int64_t mem, limit;		/* of --request; -1 not given */
	struct acct_query q;
} ask;

static struct work *work;
static struct request *request;
static int clusters;			/* how many differ: 0 none is told, 2 several */
static struct past *past;
static struct names works, requests, places;
static size_t nworks, nrequests, work_room, request_room, npast, past_room;
static struct names_met met;		/* each with its work */
static struct {
	uint64_t runs, open, never, unsettled, cost, mem, limit, cpu, peak, submit, gpu, gpu_runs;
} lack;					/* lack.runs of which so many do not tell it */
static uint32_t *history;		/* the runs of one work, once gathered */
static size_t nhistory, history_room;
static const struct work *history_of;

/* ---- words, numbers and times as text ---- */

#define SHORT 40

/* 6G, 34.56G, 512M; `-` where it is not recorded. */
static const char *
size_text(int64_t bytes, char buf[SHORT])
{
	if (bytes < 0 || bytes == RUN_UNLIMITED)
		return bytes < 0 ? "-" : "unlimited";
	return num_show((double)bytes, buf);
}

/* The same of what was asked for, never rounded to another number of M: it is asked for again as it is shown. */
static const char *
asked_text(int64_t bytes, char buf[SHORT])
{
	const int64_t mib = 1 << 20;

	/* a hundredth of a G is 10.24M: only whole quarters of it are shown exactly by two digits */
	if (bytes <= 0 || bytes == RUN_UNLIMITED || bytes % mib != 0 || bytes % (256 * mib) == 0 || bytes < 1024 * mib)
		return size_text(bytes, buf);
	snprintf(buf, SHORT, "%" PRId64 "M", bytes / mib);
	return buf;
}

static const char *
limit_text(int64_t s, char buf[SHORT])
{
	return s == RUN_UNLIMITED ? "UNLIMITED" : s < 0 ? "-" : dur_slurm(s, buf);
}

static const char *
time_text(int64_t s, char buf[SHORT])
{
	time_t t = (time_t)s;
	struct tm tm;

	if (s <= 0 || gmtime_r(&t, &tm) == NULL || strftime(buf, SHORT, "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		return "-";
	return buf;
}

static const char *
id_text(const struct past *p, char buf[SHORT])
{
	if (p->kind == ACCT_JOB)
		snprintf(buf, SHORT, "%" PRIu32, p->job);
	else
		snprintf(buf, SHORT, "%" PRIu32 "%c%u", p->job, p->kind == ACCT_HET ? '+' : '_', p->part);
	return buf;
}

static double
percent(double part, double all)
{
	return all > 0 ? 100 * part / all : 0;
}

/* ---- places, requests, names ---- */

/* The text as words to build a key from: room for n more bytes in a buffer that grows. */
static char *
buffer(size_t n)
{
	static char *buf;
	static size_t room;

	if (n > room) {
		room = 2 * n + 256;
		buf = tool_realloc(buf, room, 1);
	}
	return buf;
}

static size_t
append(char *buf, size_t at, const char *s, size_t n)
{
	if (n > 0)
		memcpy(buf + at, s, n);
	return at + n;
}

/* Whether a place is in that cluster, or both are in none that is told. */
static int
in_cluster(const char *where, struct acct_text cluster)
{
	const char *slash = strchr(where, '/');
	size_t n = slash != NULL ? (size_t)(slash - where) : 0;

	return n == cluster.n && (n == 0 || memcmp(where, cluster.s, n) == 0);
}

/* The partition, with its cluster where there are several; empty where it is not told. */
static const char *
place_text(uint32_t i)
{
	const char *where = places.at[i].s, *slash = strchr(where, '/');

	return clusters == 1 && slash != NULL ? slash + 1 : where;
}

static uint32_t
place_of(const struct run *r)
{
	char *buf = buffer(r->cluster.n + r->partition.n + 3);
	size_t n = 0, before = places.n, i;

	if (r->cluster.n > 0) {
		n = append(buf, n, r->cluster.s, r->cluster.n);
		buf[n++] = '/';
	}
	n = append(buf, n, r->partition.s, r->partition.n);
	i = names_of(&places, buf, n);
	if (before == 0)
		clusters = r->cluster.n > 0;
	else if (i == before && !in_cluster(places.at[0].s, r->cluster))
		clusters = 2;
	return (uint32_t)i;
}

static uint32_t
request_of(const struct run *r)
{
	struct request q;
	size_t i;

	memset(&q, 0, sizeof q);
	q.mem = r->memory;
	q.limit = r->limit;
	q.cpus = r->cpus;
	q.gpus = r->gpus;
	q.place = place_of(r);
	i = names_of(&requests, &q, sizeof q);
	if (i == nrequests) {
		request = tool_grown(request, nrequests, &request_room, sizeof *request);
		request[nrequests++] = q;
	}
	return (uint32_t)i;
}

/* Whether NAME, its digits folded, is the name of the work, or the whole label. */
static int
is_named(const char *label, size_t n, size_t name_at, const char *name)
{
	size_t len = strlen(name), k, m;
	char *want = tool_realloc(NULL, len + 1, 1), *have = tool_realloc(NULL, n + 1, 1);
	int is;

	k = names_fold(want, name, len);
	m = names_fold(have, label, n);
	is = (n - name_at == k && memcmp(label + name_at, want, k) == 0) || (m == k && memcmp(have, want, k) == 0);
	free(want);
	free(have);
	return is;
}

static int
is_wanted(const char *label, size_t n, size_t name_at)
{
	const char *only = ask.runs != NULL ? ask.runs : ask.gate;
	size_t i;
	int any = 0;

	if (only != NULL)
		return is_named(label, n, name_at, only);
	for (i = 0; i < ask.nname; i++)
		if (is_named(label, n, name_at, ask.name[i])) {
			ask.seen[i]++;
			any = 1;
		}
	return any || ask.nname == 0;
}

/* The piece of work of a run; it is new where it has no names yet. */
static struct work *
work_of(const struct run *r)
{
	char *buf = buffer(r->user.n + r->partition.n + r->name.n + 16);
	const char *class = r->gpus > 0 ? "/gpu/" : r->gpus == 0 ? "/cpu/" : "/-/";
	size_t n, name_at, i;

	n = append(buf, 0, r->user.n > 0 ? r->user.s : "-", r->user.n > 0 ? r->user.n : 1);
	n = append(buf, n, class, strlen(class));
	if (ask.by_partition) {
		n = append(buf, n, r->partition.n > 0 ? r->partition.s : "-", r->partition.n > 0 ? r->partition.n : 1);
		buf[n++] = '/';
	}
	name_at = n;
	if (r->name.n == 0)
		buf[n++] = '-';
	n += names_fold(buf + n, r->name.s, r->name.n);
	i = names_of(&works, buf, n);
	if (i == nworks) {
		work = tool_grown(work, nworks++, &work_room, sizeof *work);
		memset(&work[i], 0, sizeof *work);
		work[i].label = works.at[i].s;
		work[i].n = n;
		work[i].wanted = is_wanted(buf, n, name_at);
	}
	return &work[i];
}

/* Counts the name among those of the work, once. Names are told apart by 64 bits of hash. */
static void
see_name(struct work *w, const struct run *r)
{
	uint64_t h = names_hash(r->name.s, r->name.n, (uint64_t)(w - work) * 0x9e3779b97f4a7c15u);

	if (w->names == 0)
		w->first_name = h;
	else if (h == w->first_name || !names_new(&met, h))
		return;
	w->names++;
}

/* ---- runs ---- */

/* An attempt that is over: REQUEUED is the end of one, though not of the job. */
static int
is_over(const struct run *r)
{
	switch (r->state) {
	case ACCT_REQUEUED:
		return r->end >= 0 || r->elapsed >= 0;
	case ACCT_RESIZING: case ACCT_REQUEUE_HOLD: case ACCT_SPECIAL_EXIT:
		return r->end >= 0;
	default:
		return acct_ended(r->state);
	}
}

static enum sure
sureness(const struct run *r)
{
	return r->untrusted ? UNTRUSTED : r->peak_known == RUN_AT_MOST ? AT_MOST : r->peak_known == RUN_SHARED ? AT_LEAST : SURE;
}

/* Whether the run, or a step that ended it, was killed for memory. */
static int
is_killed(const struct run *r)
{
	return r->oom && r->state != ACCT_COMPLETED;
}

/* By their submission: below 0 where a was before b. */
static int
compare(const struct past *a, const struct past *b)
{
	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	if (a->job != b->job)
		return a->job < b->job ? -1 : 1;
	return a->part < b->part ? -1 : a->part > b->part;
}

static struct past *
keep(struct work *w, const struct run *r)
{
	int64_t when = r->submit >= 0 ? r->submit : r->start;
	struct past *p;

	past = tool_grown(past, npast, &past_room, sizeof *past);
	p = &past[npast++];
	p->submit = when > 0 && when < UNKNOWN ? (uint32_t)when : 0;
	p->job = r->id.job;
	p->part = r->id.part & ACCT_PART_MAX;
	p->kind = r->id.kind & 3u;
	p->state = r->state & 31u;
	p->request = request_of(r);
	p->peak = r->peak <= 0 ? 0 : r->peak >> 10 < UNKNOWN ? (uint32_t)((r->peak + 1023) >> 10) : UNKNOWN;
	p->sure = sureness(r) & 3u;
	p->elapsed = r->elapsed >= 0 && r->elapsed < NO_TIME ? (uint32_t)r->elapsed & NO_TIME : NO_TIME;
	p->killed = is_killed(r) != 0;
	p->hung = run_hung(r) == 1;
	p->next = w->head;
	w->head = (uint32_t)npast;
	if (w->latest == 0 || compare(p, &past[w->latest - 1]) > 0)
		w->latest = (uint32_t)npast;
	return p;
}

static void
count_state(struct work *w, const struct run *r)
{
	w->runs++;
	w->bad += acct_failed(r->state) != 0;
	w->killed += is_killed(r) != 0;
	w->preempted += r->state == ACCT_PREEMPTED;
	w->tasks += r->id.kind == ACCT_TASK;
	switch (r->state) {
	case ACCT_COMPLETED: w->done++; break;
	case ACCT_FAILED: w->failed++; break;
	case ACCT_TIMEOUT: case ACCT_DEADLINE: w->timeout++; break;
	case ACCT_OUT_OF_MEMORY: w->oom++; break;
	default: w->lost++; break;
	}
}

static void
count_cost(struct work *w, const struct run *r)
{
	double gpu_h = -1, cpu_h = -1, cost = run_cost(r, ask.weight, &gpu_h, &cpu_h);

	lack.cost += cost < 0;
	if (cost >= 0) {
		w->costed++;
		w->cost += cost;
	}
	if (cpu_h >= 0) {
		w->cpu_told++;
		w->cpu_h += cpu_h;
		w->hung_h += run_hung(r) == 1 ? cpu_h : 0;
	}
	if (gpu_h >= 0) {
		w->gpu_told++;
		w->gpu_h += gpu_h;
		w->held_h += run_hung(r) == 1 ? gpu_h : 0;
	}
}

static void
count_hang(struct work *w, const struct run *r)
{
	if (run_hung(r) != 1)
		return;
	w->hung++;
	w->held += r->gpus > 0;
	w->hung_timeouts += r->state == ACCT_TIMEOUT;
}

/* Keeps the run that came closest to its limit. */
static void
count_near(struct near *n, int64_t used, int64_t limit)
{
	double share = percent((double)used, (double)limit);

	if (used < 0 || limit <= 0 || limit == RUN_UNLIMITED || share < NEAR_LIMIT)
		return;
	if (n->n++ == 0 || share > n->share) {
		n->share = share;
		n->run = (uint32_t)npast;
	}
}

static void
count_use(struct work *w, const struct run *r)
{
	enum sure sure = sureness(r);
	double share;

	if (r->elapsed > w->most_time && (r->state == ACCT_COMPLETED || run_hung(r) != 1))
		w->most_time = r->elapsed;
	if (r->peak > w->most_mem && (sure == SURE || sure == AT_LEAST))
		w->most_mem = r->peak;
	if (r->oom && r->memory > w->most_killed)
		w->most_killed = r->memory;
	if (r->state != ACCT_COMPLETED)
		return;
	count_near(&w->near_time, r->elapsed, r->limit);
	if (sure == SURE || sure == AT_LEAST)
		count_near(&w->near_mem, r->peak, r->memory);
	if (r->elapsed >= 0) {
		w->in_time++;
		w->longest = r->elapsed > w->longest ? r->elapsed : w->longest;
	}
	if (r->peak > 0 && (sure == SURE || sure == AT_MOST)) {
		w->in_mem++;
		w->largest = r->peak > w->largest ? r->peak : w->largest;
	} else
		w->vague_mem += r->peak > 0;
	if (r->cpu >= 0 && r->elapsed >= SLACK_CPU_TIME && r->cpus > 1) {
		share = percent((double)r->cpu, 1000 * (double)r->elapsed * (double)r->cpus);
		w->in_cpu++;
		w->busiest = share > w->busiest ? share : w->busiest;
	}
}

static void
count_gpu(struct work *w, const struct run *r)
{
	if (r->gpus <= 0)
		return;
	lack.gpu_runs++;
	lack.gpu += r->gpu_used < 0;
	if (r->gpu_used < 0 || r->elapsed < GPU_TIME || r->cpu < 0)
		return;
	w->gpu_used++;
	w->gpu_most = r->gpu_used > w->gpu_most ? r->gpu_used : w->gpu_most;
	w->gpu_busy += (double)r->cpu / 10 >= (double)r->elapsed * GPU_CORES;
}

static void
count_lack(const struct run *r)
{
	lack.runs++;
	lack.mem += r->memory < 0;
	lack.limit += r->limit < 0;
	lack.cpu += r->cpu < 0;
	lack.peak += r->peak < 0;
	lack.submit += r->submit < 0 && r->start < 0;
}

static void
take(const struct run *r)
{
	struct work *w;

	if (acct_unsettled(r->name, r->partition)) {
		lack.unsettled++;
		return;
	}
	w = work_of(r);
	if (!w->wanted)
		return;
	if (!is_over(r)) {
		lack.open += run_asked(&ask.q, r);
		if (r->elapsed > w->most_time && (r->limit < 0 || r->elapsed <= r->limit))
			w->most_time = r->elapsed;	/* beyond its limit its end was never recorded */
		if (ask.runs != NULL && r->id.kind != ACCT_TASKS)
			keep(w, r);
		return;
	}
	/* one that waits until its deadline has that for its Start and its End */
	if (r->id.kind == ACCT_TASKS || (r->elapsed == 0 && ((r->state == ACCT_CANCELLED && r->start < 0) || r->state == ACCT_DEADLINE))) {
		lack.never += run_asked(&ask.q, r);
		return;
	}
	see_name(w, r);
	keep(w, r);
	count_state(w, r);
	count_cost(w, r);
	count_hang(w, r);
	count_use(w, r);
	count_gpu(w, r);
	count_lack(r);
	if ((r->end >= 0 ? r->end : r->submit) > w->last)
		w->last = r->end >= 0 ? r->end : r->submit;
}

/* ---- the past of one work ---- */

static int
by_submit(const void *a, const void *b)
{
	return compare(&past[*(const uint32_t *)a], &past[*(const uint32_t *)b]);
}

/* Its runs in the order of their submission. */
static void
gather(const struct work *w)
{
	uint32_t i;
	size_t k, n = 0;
	int sorted = 1;

	if (history_of == w)
		return;
	history_of = w;
	for (i = w->head; i != 0; i = past[i - 1].next)
		n++;
	if (n > history_room) {
		history_room = n;
		history = tool_realloc(history, n, sizeof *history);
	}
	nhistory = n;
	for (i = w->head; i != 0; i = past[i - 1].next)
		history[--n] = i - 1;
	for (k = 1; k < nhistory && sorted; k++)
		sorted = by_submit(&history[k - 1], &history[k]) <= 0;
	if (!sorted)
		qsort(history, nhistory, sizeof *history, by_submit);
}

static int64_t
peak_of(const struct past *p)
{
	return p->peak > 0 ? (int64_t)p->peak << 10 : -1;
}

/* ---- rules: each 0 nothing, 1 found, 2 found in the worse form; what was seen goes to t ---- */

static int
rule_repeat(const struct work *w, struct tool_words *t)
{
	char a[SHORT], b[SHORT];
	size_t i, first, last;

	if (w->runs < REPEAT_RUNS || w->bad < REPEAT_FAILED)
		return 0;
	gather(w);
	first = last = nhistory;
	for (i = 0; i < nhistory; i++)
		if (acct_failed(past[history[i]].state)) {
			first = first == nhistory ? i : first;
			last = i;
		}
	tool_add(t, "%" PRIu64 " of %" PRIu64 " runs failed (%" PRIu64 " FAILED, %" PRIu64 " timed out, %" PRIu64 " out of memory), submitted %s to %s",
	    w->bad, w->runs, w->failed, w->timeout, w->oom, time_text(past[history[first]].submit, a), time_text(past[history[last]].submit, b));
	return percent((double)w->bad, (double)w->runs) >= REPEAT_MOST ? 2 : 1;
}

static int
rule_unchanged(const struct work *w, struct tool_words *t)
{
	const struct request *q, *one = NULL;
	char a[SHORT], b[SHORT];
	uint32_t i;

	if (w->runs < REPEAT_RUNS || w->bad < REPEAT_FAILED)
		return 0;
	for (i = w->head; i != 0; i = past[i - 1].next) {
		if (!acct_failed(past[i - 1].state))
			continue;
		q = &request[past[i - 1].request];
		one = one == NULL ? q : one;
		if (q->mem < 0 || q->limit < 0 || q->mem != one->mem || q->limit != one->limit)
			return 0;
	}
	tool_add(t, "all %" PRIu64 " that failed, of %" PRIu64 " runs, asked for %s a node and %s", w->bad, w->runs, asked_text(one->mem, a),
	    limit_text(one->limit, b));
	return 1;
}

/* The first kill at each request of a piece of work */
struct kill {
	size_t piece;		/* the how manieth that was looked at; 0 none */
	uint32_t submit, job;
};

/* The run that completed at a request after another submission had been killed at it; NULL where none did. */
static const struct past *
completed_later(void)
{
	static struct names sizes;
	static struct kill *kill;	/* by the numbers of the sizes */
	static size_t n, room, piece;
	const struct past *p;
	struct kill *first;
	size_t i, k;
	int64_t mem;

	piece++;
	for (i = 0; i < nhistory; i++) {
		p = &past[history[i]];
		mem = request[p->request].mem;
		if (mem < 0 || p->submit == 0 || (!p->killed && p->state != ACCT_COMPLETED))
			continue;
		k = names_of(&sizes, &mem, sizeof mem);
		if (k == n) {
			kill = tool_grown(kill, n, &room, sizeof *kill);
			kill[n++].piece = 0;
		}
		first = &kill[k];
		if (p->state == ACCT_COMPLETED && first->piece == piece && p->job != first->job && p->submit > first->submit)
			return p;
		if (p->killed && first->piece != piece) {
			first->piece = piece;
			first->submit = p->submit;
			first->job = p->job;
		}
	}
	return NULL;
}

static int
by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* How many submissions were killed for memory. */
static size_t
count_killed(const struct work *w)
{
	uint32_t *job = tool_realloc(NULL, (size_t)w->killed, sizeof *job);
	size_t i, n = 0, distinct = 0;

	for (i = 0; i < nhistory; i++)
		if (past[history[i]].killed)
			job[n++] = past[history[i]].job;
	qsort(job, n, sizeof *job, by_number);
	for (i = 0; i < n; i++)
		distinct += i == 0 || job[i] != job[i - 1];
	free(job);
	return distinct;
}

/* The requests that were killed, in their order: 64G, 48G x2, 32G */
static void
add_walk(struct tool_words *t)
{
	const struct past *p, *before = NULL;
	char a[SHORT];
	size_t i, steps = 0, times = 0;

	for (i = 0; i < nhistory; i++) {
		p = &past[history[i]];
		if (!p->killed || (before != NULL && p->job == before->job))
			continue;
		if (before != NULL && request[p->request].mem == request[before->request].mem) {
			times++;
			before = p;
			continue;
		}
		if (times > 1)
			tool_add(t, " x%zu", times);
		if (++steps > STEPS) {
			tool_add(t, ", ...");
			return;
		}
		tool_add(t, "%s%s", before != NULL ? ", " : "", asked_text(request[p->request].mem, a));
		before = p;
		times = 1;
	}
	if (times > 1)
		tool_add(t, " x%zu", times);
}

static int
rule_mem_search(const struct work *w, struct tool_words *t)
{
	const struct past *p;
	char a[SHORT], b[SHORT];
	size_t n;

	if (w->killed < SEARCH_KILLED)
		return 0;
	gather(w);
	n = count_killed(w);
	if (n < SEARCH_KILLED)
		return 0;
	tool_add(t, "%zu submissions (%" PRIu64 " runs) were killed for memory, at ", n, w->killed);
	add_walk(t);
	p = completed_later();
	if (p == NULL)
		return 1;
	tool_add(t, "; %s completed later at %s, where one had been killed", id_text(p, a), asked_text(request[p->request].mem, b));
	return 2;
}

static int
rule_hang(const struct work *w, struct tool_words *t)
{
	if (w->hung == 0)
		return 0;
	tool_add(t, "%" PRIu64 " of %" PRIu64 " runs took over " TEXT(HANG_TIME) " s and used under " TEXT(HANG_CPU) " s of CPU", w->hung, w->runs);
	if (w->cpu_told > 0)
		tool_add(t, ": %.1f core-hours", w->hung_h);
	return w->hung >= HANG_MANY && percent((double)w->hung, (double)w->runs) >= HANG_MOST ? 2 : 1;
}

static int
rule_held_gpu(const struct work *w, struct tool_words *t)
{
	if (w->held == 0)
		return 0;
	tool_add(t, "%" PRIu64 " of %" PRIu64 " runs held GPUs for over " TEXT(HANG_TIME) " s and used under " TEXT(HANG_CPU) " s of CPU", w->held, w->runs);
	if (w->gpu_told > 0)
		tool_add(t, ": %.1f GPU-hours", w->held_h);
	return 1;
}

static int
rule_blocked_timeout(const struct work *w, struct tool_words *t)
{
	if (w->hung_timeouts < BLOCKED_TIMEOUTS || percent((double)w->hung_timeouts, (double)w->timeout) < BLOCKED_SHARE)
		return 0;
	tool_add(t, "%" PRIu64 " of %" PRIu64 " time-outs used under " TEXT(HANG_CPU) " s of CPU", w->hung_timeouts, w->timeout);
	return 1;
}

static int
rule_near_limit(const struct work *w, struct tool_words *t)
{
	const struct past *p;
	int64_t limit;
	char a[SHORT], b[SHORT], c[SHORT];

	if (w->near_time.n > 0) {
		p = &past[w->near_time.run - 1];
		limit = request[p->request].limit;
		tool_add(t, "%" PRIu64 " of %" PRIu64 " completed runs within 5 %% of the time limit, %s %" PRId64 " s %s %s", w->near_time.n, w->done,
		    id_text(p, a), limit > p->elapsed ? limit - p->elapsed : p->elapsed - limit, limit >= p->elapsed ? "inside" : "beyond",
		    limit_text(limit, b));
	}
	if (w->near_mem.n > 0) {
		p = &past[w->near_mem.run - 1];
		tool_add(t, "%s%" PRIu64 " of %" PRIu64 " completed runs within 5 %% of the memory, %s with %s of %s", t->n > 0 ? "; " : "",
		    w->near_mem.n, w->done, id_text(p, a), size_text(peak_of(p), b), asked_text(request[p->request].mem, c));
	}
	return t->n > 0;
}

/* What the run used of memory or time, at most what it was given: a run that is cut ends some seconds late. */
static int64_t
used(const struct past *p, int time)
{
	const struct request *q = &request[p->request];
	int64_t use = time ? (int64_t)p->elapsed : peak_of(p), given = time ? q->limit : q->mem;

	if (time ? p->elapsed == NO_TIME || (p->state != ACCT_COMPLETED && (p->state != ACCT_TIMEOUT || p->hung)) :
	    p->sure != SURE && p->sure != AT_LEAST)
		return -1;
	return given > 0 && use > given ? given : use;
}

/* The run submitted before the latest that used most of memory or time, where that is more than `more`. */
static const struct past *
most_before(const struct work *w, const struct past *latest, int time, int64_t more)
{
	const struct past *p, *most = NULL;
	uint32_t i;

	for (i = w->head; i != 0; i = past[i - 1].next) {
		p = &past[i - 1];
		if (p->submit == 0 || p->job == latest->job || used(p, time) <= more)
			continue;
		more = used(p, time);
		most = p;
	}
	return most;
}

static int
rule_outgrew(const struct work *w, struct tool_words *t)
{
	const struct past *latest = &past[w->latest - 1], *p;
	const struct request *q = &request[latest->request];
	char a[SHORT], b[SHORT], c[SHORT], d[SHORT];

	p = q->mem > 0 && w->most_mem > q->mem ? most_before(w, latest, 0, q->mem) : NULL;
	if (p != NULL)
		tool_add(t, "%s of %s used %s a node, the latest request is %s", id_text(p, a), time_text(p->submit, b), size_text(used(p, 0), c),
		    asked_text(q->mem, d));
	p = q->limit > 0 && w->most_time > q->limit ? most_before(w, latest, 1, q->limit) : NULL;
	if (p != NULL)
		tool_add(t, "%s%s of %s took %s, the latest request is %s", t->n > 0 ? "; " : "", id_text(p, a), time_text(p->submit, b),
		    limit_text(used(p, 1), c), limit_text(q->limit, d));
	return t->n > 0;
}

static int
rule_slack_time(const struct work *w, struct tool_words *t)
{
	int64_t limit = request[past[w->latest - 1].request].limit;
	char a[SHORT], b[SHORT];

	if (w->in_time < SLACK_RUNS || limit <= 0 || limit == RUN_UNLIMITED || percent((double)w->most_time, (double)limit) >= SLACK_TIME)
		return 0;
	tool_add(t, "the longest of %" PRIu64 " completed runs took %s of %s", w->in_time, limit_text(w->longest, a), limit_text(limit, b));
	return 1;
}

static int
rule_slack_mem(const struct work *w, struct tool_words *t)
{
	int64_t mem = request[past[w->latest - 1].request].mem, most = w->largest > w->most_mem ? w->largest : w->most_mem;
	char a[SHORT], b[SHORT];

	most = w->most_killed > most ? w->most_killed : most;
	if (w->in_mem < SLACK_RUNS || w->vague_mem > 0 || mem <= 0 || percent((double)most, (double)mem) >= SLACK_MEM || mem - most < SLACK_MEM_GIB * GIB)
		return 0;
	tool_add(t, "the largest of %" PRIu64 " completed runs used %s of %s a node", w->in_mem, size_text(w->largest, a), size_text(mem, b));
	return 1;
}

static int
rule_slack_cpu(const struct work *w, struct tool_words *t)
{
	int64_t cpus = request[past[w->latest - 1].request].cpus;

	if (w->in_cpu < SLACK_RUNS || cpus <= 1 || w->busiest >= SLACK_CPU)
		return 0;
	tool_add(t, "the busiest of %" PRIu64 " completed runs used %.1f %% of its cores, %" PRId64 " are asked for", w->in_cpu, w->busiest, cpus);
	return 1;
}

/* By the job, its task, and where it ran. */
static int
by_job(const void *a, const void *b)
{
	const struct past *x = &past[*(const uint32_t *)a], *y = &past[*(const uint32_t *)b];
	uint32_t p = request[x->request].place, q = request[y->request].place;

	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	if (x->kind != y->kind || x->part != y->part)
		return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1) : x->part < y->part ? -1 : 1;
	return p < q ? -1 : p > q;
}

static int
rule_requeue_loop(const struct work *w, struct tool_words *t)
{
	uint32_t *v, i, most = 0;
	size_t n = 0, k, times, best = 0, jobs = 0;
	char a[SHORT];

	if (w->preempted < LOOP_PREEMPTED)
		return 0;
	v = tool_realloc(NULL, (size_t)w->preempted, sizeof *v);
	for (i = w->head; i != 0; i = past[i - 1].next)
		if (past[i - 1].state == ACCT_PREEMPTED && n < w->preempted)
			v[n++] = i - 1;
	qsort(v, n, sizeof *v, by_job);
	for (k = 0, times = 0; k < n; k++) {
		times = k > 0 && by_job(&v[k - 1], &v[k]) == 0 ? times + 1 : 1;
		jobs += times == LOOP_PREEMPTED;
		if (times > best) {
			best = times;
			most = v[k];
		}
	}
	free(v);
	if (best < LOOP_PREEMPTED)
		return 0;
	tool_add(t, "%zu job%s preempted again where %s had been: %s %zu times in %.100s", jobs, jobs == 1 ? " was" : "s were", jobs == 1 ? "it" : "they",
	    id_text(&past[most], a), best, *place_text(request[past[most].request].place) != '\0' ?
	    place_text(request[past[most].request].place) : "one partition");
	return 1;
}

static int
rule_gpu_for_cpu(const struct work *w, struct tool_words *t)
{
	if (w->gpu_used < GPU_RUNS || w->gpu_most >= GPU_IDLE || w->gpu_busy < w->gpu_used)
		return 0;
	tool_add(t, "none of %" PRIu64 " runs used more than %" PRId64 " %% of a GPU, while their cores worked", w->gpu_used, w->gpu_most);
	return 1;
}

/* The tasks of an array are history[from] to history[to - 1]. Whether the largest probe lies in their lowest fifth. */
static int
is_lopsided(size_t from, size_t to, uint32_t probe, int time, struct tool_words *t)
{
	size_t i, n = 0, below = 0;
	uint32_t most = 0, use;
	const struct past *p;
	char a[SHORT], b[SHORT];

	for (i = from; i < to; i++) {
		p = &past[history[i]];
		if (p->state != ACCT_COMPLETED && p->state != ACCT_TIMEOUT && !p->killed)
			continue;
		use = time ? p->elapsed : p->sure == SURE ? p->peak : 0;
		if (time && (p->hung || p->killed || use == NO_TIME))
			continue;
		if (!time && p->killed && request[p->request].mem > 0 && request[p->request].mem >> 10 > use)
			use = (uint32_t)(request[p->request].mem >> 10);
		if (use == 0)
			continue;
		n++;
		below += use < probe;
		most = use > most ? use : most;
	}
	if (n < ARRAY_TASKS || probe == 0 || percent((double)below, (double)n) > ARRAY_LOWEST ||
	    percent((double)most, (double)probe) < ARRAY_GROWTH)
		return 0;
	tool_add(t, "%sthe runs before array %" PRIu32 " needed at most %s, %zu of its %zu tasks more, up to %s", t->n > 0 ? "; " : "",
	    past[history[from]].job, time ? limit_text(probe, a) : size_text((int64_t)probe << 10, a), n - below, n,
	    time ? limit_text(most, b) : size_text((int64_t)most << 10, b));
	return 1;
}

static int
rule_array(const struct work *w, struct tool_words *t)
{
	uint32_t peak = 0, elapsed = 0;
	const struct past *p;
	size_t i, k;

	if (w->tasks < ARRAY_TASKS)
		return 0;
	gather(w);
	for (i = 0; i < nhistory; i = k) {
		for (k = i; k < nhistory && past[history[k]].job == past[history[i]].job; k++)
			;
		if (k - i >= ARRAY_TASKS && past[history[i]].kind == ACCT_TASK && past[history[i]].submit > 0) {
			t->n = 0;
			is_lopsided(i, k, peak, 0, t);
			is_lopsided(i, k, elapsed, 1, t);
			if (t->n > 0)
				return 1;
		}
		for (; i < k; i++) {
			p = &past[history[i]];
			if (p->state != ACCT_COMPLETED || p->submit == 0)
				continue;
			if (p->sure == SURE && p->peak > peak)
				peak = p->peak;
			if (!p->hung && p->elapsed != NO_TIME && p->elapsed > elapsed)
				elapsed = p->elapsed;
		}
	}
	return 0;
}

static const struct rule {
	const char *code, *severity, *worse;
	int (*seen)(const struct work *w, struct tool_words *t);
	const char *limits, *means, *advice, *worse_advice;
} rules[] = {
	{ "repeat", "warning", "critical", rule_repeat, IS(REPEAT_RUNS) " " IS(REPEAT_FAILED) " " IS(REPEAT_MOST),
	    "so many runs, so many of them failed; critical from so many percent on", "read why the last one failed before the next is submitted",
	    "read why the last one failed before the next is submitted" },
	{ "unchanged", "warning", NULL, rule_unchanged, IS(REPEAT_RUNS) " " IS(REPEAT_FAILED),
	    "repeat, and all that failed asked for the same memory and the same time", "the same request will fail again: change it, or the code", NULL },
	{ "mem-search", "warning", "critical", rule_mem_search, IS(SEARCH_KILLED),
	    "so many submissions were killed for memory, an array being one; critical where a later one completed at a request that had been killed",
	    "measure the peak once, with far more memory than needed", "memory is not what decides: look at the input, the threads, the node" },
	{ "hang", "warning", "critical", rule_hang, IS(HANG_TIME) " " IS(HANG_CPU) " " IS(HANG_MANY) " " IS(HANG_MOST),
	    "runs of over so many seconds with under so many of CPU, not NODE_FAIL, BOOT_FAIL, PREEMPTED, REQUEUED, OUT_OF_MEMORY, DEADLINE; "
	    "critical from so many and so many "
	    "percent of the runs on", "find what it waits for: a lock, a download, a peer, standard input",
	    "find what it waits for: a lock, a download, a peer, standard input" },
	{ "held-gpu", "critical", NULL, rule_held_gpu, IS(HANG_TIME) " " IS(HANG_CPU), "hang, while the run held GPUs",
	    "find what it waits for, and let it wait before it asks for GPUs", NULL },
	{ "blocked-timeout", "critical", NULL, rule_blocked_timeout, IS(BLOCKED_TIMEOUTS) " " IS(BLOCKED_SHARE),
	    "so many time-outs were hangs, and so many percent of all time-outs", "a longer limit buys a longer hang: keep the limit, end the wait", NULL },
	{ "near-limit", "warning", NULL, rule_near_limit, IS(NEAR_LIMIT), "a run completed at so many percent of its time limit or of its memory",
	    "ask for more before the next one is cut", NULL },
	{ "outgrew", "warning", NULL, rule_outgrew, "-", "an earlier run used more memory or time than the latest request",
	    "ask for what was used, and a margin", NULL },
	{ "slack-time", "info", NULL, rule_slack_time, IS(SLACK_RUNS) " " IS(SLACK_TIME),
	    "so many runs completed, and no run reached so many percent of the latest time limit", "a shorter limit starts sooner", NULL },
	{ "slack-mem", "info", NULL, rule_slack_mem, IS(SLACK_RUNS) " " IS(SLACK_MEM) " " IS(SLACK_MEM_GIB),
	    "so many runs completed, no run reached so many percent of the latest memory, and so many GiB were left over", "ask for less memory", NULL },
	{ "slack-cpu", "info", NULL, rule_slack_cpu, IS(SLACK_RUNS) " " IS(SLACK_CPU_TIME) " " IS(SLACK_CPU),
	    "so many runs on several cores completed in so many seconds or more, and none used so many percent of the cores' time",
	    "ask for fewer cores", NULL },
	{ "requeue-loop", "warning", NULL, rule_requeue_loop, IS(LOOP_PREEMPTED), "one job was preempted so many times in one partition",
	    "change the placement: a partition or QOS that is not preempted", NULL },
	{ "gpu-for-cpu", "warning", NULL, rule_gpu_for_cpu, IS(GPU_RUNS) " " IS(GPU_TIME) " " IS(GPU_IDLE) " " IS(GPU_CORES),
	    "so many runs of so many seconds whose gres/gpuutil is recorded, none of which used so many percent of a GPU, while each used so many "
	    "percent of a core", "ask for no GPU, or find out why the code does not use it", NULL },
	{ "array-unrepresentative", "warning", NULL, rule_array, IS(ARRAY_TASKS) " " IS(ARRAY_LOWEST) " " IS(ARRAY_GROWTH),
	    "the largest run that completed before an array of so many tasks lies in its lowest fifth (percent), and its largest task used so many "
	    "percent of that", "probe with the largest task, not with the first", NULL }
};
#define RULES (sizeof rules / sizeof *rules)

static void
judge(struct work *w)
{
	struct tool_words t;
	size_t i;
	int seen;

	for (i = 0; i < RULES; i++) {
		t.n = 0;
		t.s[0] = '\0';
		seen = rules[i].seen(w, &t);
		w->found |= (unsigned)(seen > 0) << i;
		w->worse |= (unsigned)(seen > 1) << i;
	}
}

/* ---- the gate ---- */

/* The runs that speak against a request, and those that speak for it */
struct side {
	uint64_t n, good, since;	/* since: the good ones submitted after the last of the others */
	uint64_t streak;		/* submissions since the last good one */
	uint32_t first, last;		/* when the first and the last of the n were submitted, */
	uint32_t best;			/* and the last good one */
};

struct plea {
	int64_t mem, limit;	/* what is asked about; -1 unknown */
	struct side killed, cut, hung, same;
	uint64_t unknown;	/* failed, and whether at this request is not recorded */
};

static void
weigh(struct side *s, const struct past *p, int against, int in_favour)
{
	if (against) {
		s->streak += (s->n == 0 || p->submit != s->last) && (s->good == 0 || p->submit != s->best);
		s->first = s->n++ == 0 ? p->submit : s->first;
		s->last = p->submit;
		s->since = 0;
	} else if (in_favour) {
		s->good++;
		s->since += p->submit > s->last;
		s->best = p->submit;
		s->streak = 0;
	}
}

/* Whether the run asked for the same as is asked about: -1 where that is not recorded. */
static int
is_same(const struct plea *c, const struct request *q)
{
	if ((c->mem >= 0 && q->mem >= 0 && c->mem != q->mem) || (c->limit >= 0 && q->limit >= 0 && c->limit != q->limit))
		return 0;
	return c->mem < 0 || q->mem < 0 || c->limit < 0 || q->limit < 0 ? -1 : 1;
}

static void
plead(struct plea *c)
{
	const struct past *p;
	const struct request *q;
	size_t i;
	int done, out, same;

	for (i = 0; i < nhistory; i++) {
		p = &past[history[i]];
		q = &request[p->request];
		done = p->state == ACCT_COMPLETED;
		out = p->state == ACCT_TIMEOUT;
		weigh(&c->killed, p, p->killed && c->mem >= 0 && q->mem >= c->mem, done && q->mem >= 0 && q->mem <= c->mem);
		weigh(&c->cut, p, out && !p->hung && c->limit >= 0 && q->limit >= c->limit, done && p->elapsed <= c->limit);
		weigh(&c->hung, p, out && p->hung, done);
		same = is_same(c, q);
		/* a run that differs in one may still have been killed, or cut, at an amount that it does not tell */
		c->unknown += (same < 0 && acct_failed(p->state)) || (p->killed && (c->mem < 0 || q->mem < 0)) ||
		    (out && !p->hung && (c->limit < 0 || q->limit < 0));
		if (same > 0)
			weigh(&c->same, p, acct_failed(p->state), done);
	}
}

/* Whether so much failed that it will again: once is enough at a limit that no run has held. It is over where enough
 * completed since. */
static int
speaks(const struct side *s, uint64_t least)
{
	if (s->since >= GATE_RUNS)
		return 0;
	return (s->n >= least && s->good == 0) || s->streak >= GATE_STREAK ||
	    (s->n >= GATE_FAILED && percent((double)s->n, (double)(s->n + s->good)) >= GATE_SHARE);
}

struct range {
	int64_t low, high;
};

static void
widen(struct range *r, int64_t v)
{
	if (v < 0)
		return;
	r->low = r->low < 0 || v < r->low ? v : r->low;
	r->high = v > r->high ? v : r->high;
}

static void
add_range(struct tool_words *t, const char *what, const struct range *good, const struct range *bad, const char *(*text)(int64_t, char *))
{
	char a[SHORT], b[SHORT], c[SHORT], d[SHORT];

	if (good->high < 0 || bad->high < 0 || (good->low == bad->low && good->high == bad->high))
		return;
	tool_add(t, "%s%s %s", t->n > 0 ? "; " : "", what, text(good->low, a));
	if (good->high != good->low)
		tool_add(t, " to %s", text(good->high, b));
	tool_add(t, " (failed: %s", text(bad->low, c));
	if (bad->high != bad->low)
		tool_add(t, " to %s", text(bad->high, d));
	tool_add(t, ")");
}

static const char *
number_text(int64_t v, char *buf)
{
	snprintf(buf, SHORT, "%" PRId64, v);
	return buf;
}

/* Where a run completed and none failed; NULL where there is no such place. */
static const char *
elsewhere(void)
{
	char *failed = tool_realloc(NULL, places.n, 1);
	const char *other = NULL;
	const struct past *p;
	size_t i;

	memset(failed, 0, places.n);
	for (i = 0; i < nhistory; i++) {
		p = &past[history[i]];
		if (acct_failed(p->state))
			failed[request[p->request].place] = 1;
	}
	for (i = 0; i < nhistory; i++) {
		p = &past[history[i]];
		if (p->state == ACCT_COMPLETED && !failed[request[p->request].place])
			other = place_text(request[p->request].place);
	}
	free(failed);
	return other;
}

/* What was different in the runs that completed. */
static void
tell_difference(const struct work *w)
{
	static const struct range none = { -1, -1 };
	struct range mem[2] = { none, none }, limit[2] = { none, none }, cpus[2] = { none, none }, took[2] = { none, none };
	struct range peak[2] = { none, none };
	const struct request *q;
	const struct past *p;
	const char *other = elsewhere();
	struct tool_words t = { "", 0 };
	size_t i;
	int bad;

	for (i = 0; i < nhistory; i++) {
		p = &past[history[i]];
		q = &request[p->request];
		bad = acct_failed(p->state);
		if (!bad && p->state != ACCT_COMPLETED)
			continue;
		widen(&mem[bad], q->mem);
		widen(&limit[bad], q->limit);
		widen(&cpus[bad], q->cpus);
		widen(&took[bad], p->elapsed == NO_TIME ? -1 : (int64_t)p->elapsed);
		widen(&peak[bad], p->sure == SURE ? peak_of(p) : -1);
	}
	add_range(&t, "memory", &mem[0], &mem[1], asked_text);
	add_range(&t, "time limit", &limit[0], &limit[1], limit_text);
	add_range(&t, "cores", &cpus[0], &cpus[1], number_text);
	add_range(&t, "peak", &peak[0], &peak[1], size_text);
	add_range(&t, "took", &took[0], &took[1], limit_text);
	if (other != NULL)
		tool_add(&t, "%spartition %.100s, where none failed", t.n > 0 ? "; " : "", *other != '\0' ? other : "unknown");
	if (w->done == 0)
		tool_warn("%s: none of its %" PRIu64 " runs completed", w->label, w->runs);
	else
		tool_warn("%s: what differed in the %" PRIu64 " that completed: %s", w->label, w->done, t.n > 0 ? t.s : "nothing that is recorded");
}

static int
object(const struct work *w, const struct side *s, const char *what, const char *at, const char *more, const char *others)
{
	char a[SHORT];

	if (!ask.quiet)
		tool_warn("%s: %" PRIu64 " of %" PRIu64 " runs %s%s%s%s, since %s", w->label, s->n, s->n + s->good, what, at, more,
		    s->good > 0 ? others : "", time_text(s->first, a));
	return 1;
}

/* Whether this piece of work has already failed this way at this request; -1 where too many that failed do not tell
 * what they had asked for. */
static int
objects(const struct work *w)
{
	const struct request *latest = &request[past[w->latest - 1].request];
	char mem[SHORT], limit[SHORT];
	struct tool_words at = { "", 0 };
	struct plea c;
	int no = 0;

	memset(&c, 0, sizeof c);
	c.mem = ask.mem >= 0 ? ask.mem : latest->mem;
	c.limit = ask.limit >= 0 ? ask.limit : latest->limit;
	gather(w);
	plead(&c);
	tool_add(&at, "%s a node and %s", asked_text(c.mem, mem), limit_text(c.limit, limit));
	if (speaks(&c.killed, 1))
		no = object(w, &c.killed, "were killed for memory at ", asked_text(c.mem, mem), " a node or more",
		    " (the others completed at that or less)");
	if (speaks(&c.cut, 1))
		no = object(w, &c.cut, "ran out of time at ", limit_text(c.limit, limit), " or more",
		    " (the others completed within that)");
	if (speaks(&c.hung, GATE_FAILED))
		no = object(w, &c.hung, "hung until their time was up: a longer limit buys a longer hang", "", "", " (the others completed)");
	if (!no && speaks(&c.same, GATE_FAILED))
		no = object(w, &c.same, "failed at ", at.s, "", " (the others completed at just that)");
	if (no && !ask.quiet)
		tell_difference(w);
	if (no || c.unknown < GATE_FAILED)
		return no;
	if (!ask.quiet)
		tool_warn("%s: %" PRIu64 " runs failed, and whether at this request is not recorded (Timelimit, ReqMem, NNodes)", w->label, c.unknown);
	return -1;
}

static int
gate(void)
{
	uint64_t some = 0, no = 0, unknown = 0;
	size_t i;
	int what;

	for (i = 0; i < nworks; i++) {
		if (!work[i].wanted || work[i].runs == 0)
			continue;
		some++;
		if (work[i].runs < GATE_RUNS) {
			if (!ask.quiet)
				tool_warn("%s: %" PRIu64 " run%s: too little history to object", work[i].label, work[i].runs, tool_plural(work[i].runs));
			continue;
		}
		what = objects(&work[i]);
		no += what > 0;
		unknown += what < 0;
	}
	if (some == 0 && !ask.quiet)
		tool_warn("no run of %s that is over: too little history to object", ask.gate);
	return no > 0 ? NO : unknown > 0 ? TROUBLE : YES;
}

/* ---- what is printed ---- */

static void
put_bar(struct rec *r, double v, double most)
{
	char bar[BAR];
	size_t n = most > 0 ? (size_t)(v / most * BAR + 0.999) : 0;

	memset(bar, '#', sizeof bar);
	rec_text(r, bar, n < sizeof bar ? n : sizeof bar);
}

static double
rate_of(const struct work *w)
{
	return w->bad + w->done > 0 ? (double)w->bad / (double)(w->bad + w->done) : -1;
}

static int
by_key(const void *a, const void *b)
{
	const struct work *x = &work[*(const size_t *)a], *y = &work[*(const size_t *)b];
	double p = 0, q = 0;

	switch (ask.sort) {
	case BY_COST: break;
	case BY_FAILURES: p = (double)x->bad; q = (double)y->bad; break;
	case BY_RATE: p = rate_of(x); q = rate_of(y); break;
	case BY_RUNS: p = (double)x->runs; q = (double)y->runs; break;
	case BY_RECENT: p = (double)x->last; q = (double)y->last; break;
	}
	if (p == q) {
		p = x->cost;
		q = y->cost;
	}
	if (p == q) {
		p = (double)x->runs;
		q = (double)y->runs;
	}
	return p != q ? (p > q ? -1 : 1) : strcmp(x->label, y->label);
}

/* The pieces of work that have runs, in the order asked for; to be freed. */
static size_t *
sorted(size_t *n)
{
	size_t *v = tool_realloc(NULL, nworks + 1, sizeof *v), i;

	*n = 0;
	for (i = 0; i < nworks; i++)
		if (work[i].wanted && work[i].runs > 0)
			v[(*n)++] = i;
	qsort(v, *n, sizeof *v, by_key);
	return v;
}

/* The codes of what was found, joined by commas. */
static void
put_found(struct rec *r, const struct work *w)
{
	struct tool_words t = { "", 0 };
	size_t i;

	for (i = 0; i < RULES; i++)
		if (w->found >> i & 1)
			tool_add(&t, "%s%s", t.n > 0 ? "," : "", rules[i].code);
	rec_text(r, t.s, t.n);
}

static void
put_work(struct rec *r, const struct work *w, double total, double most, double *sum)
{
	const uint64_t count[] = { w->names, w->runs, w->done, w->failed, w->timeout, w->oom, w->lost };
	char buf[SHORT];
	size_t i;

	rec_text(r, w->label, w->n);
	for (i = 0; i < sizeof count / sizeof *count; i++)
		rec_number(r, count[i]);
	rec_real(r, "%.1f", w->cpu_told > 0 ? w->cpu_h : -1);
	rec_real(r, "%.1f", w->gpu_told > 0 ? w->gpu_h : -1);
	rec_real(r, "%.1f", w->costed > 0 ? w->cost : -1);
	if (r->screen)
		put_bar(r, w->cost, most);
	rec_real(r, "%.3f", w->costed > 0 && total > 0 ? w->cost / total : -1);
	*sum += w->cost;
	if (r->screen)
		rec_real(r, "%.3f", total > 0 ? *sum / total : -1);
	rec_word(r, time_text(w->last, buf));
	put_found(r, w);
}

static void
print_works(const size_t *v, size_t n)
{
	static const char *const all[] = { "work", "names", "runs", "done", "failed", "timeout", "oom", "lost", "cpu_h", "gpu_h", "cost",
		"of the largest cost", "share", "summed", "last", "findings" };
	const char *name[16];
	double total = 0, most = 0, sum = 0;
	size_t i, ncol = 0, top = n < ask.top ? n : (size_t)ask.top;
	struct rec r;

	for (i = 0; i < n; i++) {
		total += work[v[i]].cost;
		most = work[v[i]].cost > most ? work[v[i]].cost : most;
	}
	for (i = 0; i < 16; i++)
		if ((i != 11 && i != 13) || (ask.how != REC_JSON && isatty(1)))
			name[ncol++] = all[i];
	rec_begin(&r, stdout, ask.how, name, ncol);
	for (i = 0; i < top; i++) {
		judge(&work[v[i]]);
		put_work(&r, &work[v[i]], total, most, &sum);
	}
	rec_finish(&r);
	if (top < n && !ask.quiet)
		tool_warn("%zu more, with %.1f %% of the cost", n - top, percent(total - sum, total));
}

/* The critical ones first; among those that are alike the order of the works stays. */
static void
print_findings(const size_t *v, size_t n)
{
	static const char *const name[] = { "code", "severity", "work", "evidence", "advice" }, *const order[] = { "critical", "warning", "info" };
	const char *severity;
	struct tool_words t;
	uint64_t printed = 0, more = 0;
	size_t level, i, k;
	int worse;
	struct rec r;

	rec_begin(&r, stdout, ask.how, name, 5);
	for (i = 0; i < n; i++)
		judge(&work[v[i]]);
	for (level = 0; level < 3; level++)
		for (i = 0; i < n; i++)
			for (k = 0; k < RULES; k++) {
				worse = work[v[i]].worse >> k & 1;
				severity = worse ? rules[k].worse : rules[k].severity;
				if (!(work[v[i]].found >> k & 1) || strcmp(severity, order[level]) != 0)
					continue;
				if (printed == ask.top) {
					more++;
					continue;
				}
				printed++;
				t.n = 0;
				rules[k].seen(&work[v[i]], &t);
				rec_word(&r, rules[k].code);
				rec_word(&r, severity);
				rec_text(&r, work[v[i]].label, work[v[i]].n);
				rec_text(&r, t.s, t.n);
				rec_word(&r, worse ? rules[k].worse_advice : rules[k].advice);
			}
	rec_finish(&r);
	if (more > 0 && !ask.quiet)
		tool_warn("%" PRIu64 " more findings", more);
}

static void
put_count(struct rec *r, int64_t n)
{
	if (n < 0)
		rec_none(r);
	else
		rec_number(r, (uint64_t)n);
}

static void
put_past(struct rec *r, const struct work *w, const struct past *p)
{
	const struct request *q = &request[p->request];
	char buf[SHORT];

	rec_text(r, w->label, w->n);
	rec_word(r, id_text(p, buf));
	rec_word(r, time_text(p->submit, buf));
	rec_word(r, place_text(q->place));
	rec_word(r, limit_text(q->limit, buf));
	rec_word(r, asked_text(q->mem, buf));
	put_count(r, q->cpus);
	put_count(r, q->gpus);
	rec_word(r, p->elapsed == NO_TIME ? "-" : limit_text(p->elapsed, buf));
	rec_word(r, size_text(peak_of(p), buf));
	rec_word(r, p->peak > 0 ? sures[p->sure] : "-");
	rec_word(r, acct_name((enum acct_state)p->state));
}

static void
print_runs(const size_t *v, size_t n)
{
	static const char *const name[] = { "work", "id", "submit", "partition", "limit", "mem", "cpus", "gpus", "elapsed", "peak", "peak_is", "state" };
	uint64_t printed = 0, more = 0;
	struct rec r;
	size_t i, k;

	rec_begin(&r, stdout, ask.how, name, sizeof name / sizeof *name);
	for (i = 0; i < n; i++) {
		gather(&work[v[i]]);
		for (k = 0; k < nhistory; k++) {
			if (printed == ask.top) {
				more++;
				continue;
			}
			put_past(&r, &work[v[i]], &past[history[k]]);
			printed++;
		}
	}
	rec_finish(&r);
	if (more > 0 && !ask.quiet)
		tool_warn("%" PRIu64 " more runs", more);
}

static void
print_rules(void)
{
	static const char *const name[] = { "code", "severity", "thresholds", "rule", "advice" };
	char both[SHORT];
	struct rec r;
	size_t i;

	rec_begin(&r, stdout, ask.how, name, 5);
	for (i = 0; i < RULES; i++) {
		snprintf(both, sizeof both, "%s%s%s", rules[i].severity, rules[i].worse != NULL ? "," : "", rules[i].worse != NULL ? rules[i].worse : "");
		rec_word(&r, rules[i].code);
		rec_word(&r, both);
		rec_word(&r, rules[i].limits);
		rec_word(&r, rules[i].means);
		rec_word(&r, rules[i].advice);
	}
	rec_finish(&r);
	tool_done(YES);
}

static void
say_lack(uint64_t n, uint64_t all, const char *what, const char *so)
{
	if (n > 0)
		tool_warn("%s not recorded in %" PRIu64 " of %" PRIu64 " runs: %s", what, n, all, so);
}

/* What a reader of the report should know of it. */
static void
say(const struct runs *r)
{
	if (lack.unsettled > 0)
		tool_warn("%" PRIu64 " record%s not settled yet (no partition, named allocation): not counted, accounting lags up to 15 s",
		    lack.unsettled, lack.unsettled == 1 ? " is" : "s are");
	if (ask.quiet)
		return;
	if (lack.open > 0)
		tool_warn("%" PRIu64 " run%s not over: not counted", lack.open, lack.open == 1 ? " is" : "s are");
	if (lack.never > 0)
		tool_warn("%" PRIu64 " never started: not counted", lack.never);
	run_say_left_out(r);
	say_lack(lack.cost, lack.runs, "time, cores or GPUs", "their hours are not in the sums");
	say_lack(lack.cpu, lack.runs, "CPU time", "whether they hung is unknown");
	say_lack(lack.mem, lack.runs, "the memory request", "no rule on memory counts them");
	say_lack(lack.peak, lack.runs, "the peak of memory", "no rule on memory used counts them");
	say_lack(lack.limit, lack.runs, "the time limit", "no rule on the limit counts them");
	say_lack(lack.submit, lack.runs, "the time of submission", "no rule on their order counts them");
	if (ask.findings)
		say_lack(lack.gpu, lack.gpu_runs, "GPU use (gres/gpuutil)", "whether they used their GPUs is unknown");
}

/* ---- options ---- */

#define NEEDS (RUN_TIME | RUN_CPU | RUN_MEMORY | RUN_GPU)

static enum key
read_key(const char *word)
{
	static const char *const key[] = { "cost", "failures", "rate", "runs", "recent" };
	char buf[TOOL_WORD];
	size_t i;

	for (i = 0; i < sizeof key / sizeof *key; i++)
		if (strcmp(word, key[i]) == 0)
			return (enum key)i;
	tool_die(BADUSE, "--sort %s: cost, failures, rate, runs or recent was expected", tool_word(buf, word, strlen(word)));
}

static double
read_weight(const char *word)
{
	char *end, buf[TOOL_WORD];
	double v = *word >= '0' && *word <= '9' ? strtod(word, &end) : -1;

	if (v < 0 || *end != '\0' || v > 1e6)
		tool_die(BADUSE, "--gpu-weight %s: a number from 0 to 1000000 was expected", tool_word(buf, word, strlen(word)));
	return v;
}

/* mem=6G,time=30:00 */
static void
read_request(const char *list)
{
	char why[DUR_WHY], buf[TOOL_WORD], *copied = tool_copy(list, strlen(list)), *word, *next;
	uint64_t bytes;
	int64_t ms;

	for (word = copied; word != NULL; word = next) {
		next = strchr(word, ',');
		if (next != NULL)
			*next++ = '\0';
		if (strncmp(word, "mem=", 4) == 0) {
			if (ask.mem >= 0 || num_size(word + 4, &bytes) != NUM_OK || bytes == 0 || bytes > INT64_MAX)
				tool_die(BADUSE, "--request %s: one size was expected, as 6G", tool_word(buf, word, strlen(word)));
			ask.mem = (int64_t)bytes;
		} else if (strncmp(word, "time=", 5) == 0) {
			if (dur_parse(word + 5, &ms, why) != 0)
				tool_die(BADUSE, "--request %s: %s", tool_word(buf, word, strlen(word)), why);
			if (ask.limit >= 0 || ms < 1000)
				tool_die(BADUSE, "--request %s: one time limit was expected, as 30:00", tool_word(buf, word, strlen(word)));
			ask.limit = ms / 1000;
		} else
			tool_die(BADUSE, "--request %s: mem=SIZE or time=TIME was expected", tool_word(buf, word, strlen(word)));
	}
	free(copied);
}

/* The option's argument: a name or a request that is there, and not there already. */
static const char *
only_once(const char *before, const char *option)
{
	char buf[TOOL_WORD];

	if (before != NULL)
		tool_die(BADUSE, "%s %s: it is there already: once was expected", option, tool_word(buf, optarg, strlen(optarg)));
	if (*optarg == '\0')
		tool_die(BADUSE, "%s: an empty word (an unset variable?)", option);
	return optarg;
}

static void
read_option(int val)
{
	char word[TOOL_WORD];

	switch (val) {
	case O_FIELDS: ask.fields = 1; break;
	case 'F': ask.findings = 1; break;
	case O_RUNS: ask.runs = only_once(ask.runs, "--runs"); break;
	case O_GATE: ask.gate = only_once(ask.gate, "--gate"); break;
	case O_REQUEST: read_request(ask.request = only_once(ask.request, "--request")); break;
	case O_RULES: ask.rules = 1; break;
	case O_SORT: ask.sort = read_key(optarg); break;
	case 'n':
		if (num_u64(optarg, strlen(optarg), UINT32_MAX, &ask.top) != NUM_OK || ask.top == 0)
			tool_die(BADUSE, "-n %s: a number of 1 or more was expected", tool_word(word, optarg, strlen(optarg)));
		break;
	case O_BY:
		if (strcmp(optarg, "partition") != 0)
			tool_die(BADUSE, "--by %s: partition was expected", tool_word(word, optarg, strlen(optarg)));
		ask.by_partition = 1;
		break;
	case O_WEIGHT: ask.weight = read_weight(optarg); break;
	case 'H': ask.how = REC_HEADER; break;
	case O_JSON: ask.how = REC_JSON; break;
	case 'q': ask.quiet = 1; break;
	default: acct_option(&ask.q, val, optarg); break;
	}
}

static void
read_options(struct opt *o)
{
	int val;

	ask.q.ms = ACCT_MS;
	ask.weight = 16;
	ask.top = UINT64_MAX;
	ask.mem = ask.limit = -1;
	while ((val = opt_next(o)) != -1)
		read_option(val);
	if (ask.findings + (ask.runs != NULL) + (ask.gate != NULL) > 1)
		tool_die(BADUSE, "-F, --runs and --gate: one of them was expected");
	if ((ask.runs != NULL || ask.gate != NULL) && o->n > 0)
		tool_die(BADUSE, "%s names the work: no other NAME was expected", ask.runs != NULL ? "--runs" : "--gate");
	if (ask.request != NULL && ask.gate == NULL)
		tool_die(BADUSE, "--request is a question of --gate");
	acct_choose(&ask.q);
	ask.name = o->operand;
	ask.nname = (size_t)o->n;
	ask.seen = tool_realloc(NULL, ask.nname + 1, sizeof *ask.seen);
	memset(ask.seen, 0, (ask.nname + 1) * sizeof *ask.seen);
}

static void
check_columns(const struct runs *r, const char *source)
{
	if (r->run.id.job == 0)
		tool_die(BADUSE, "%s: no column JobID: sacct -P -o \"$(sacct-work --fields)\" was expected", source);
	if (ask.gate != NULL && r->run.name.s == NULL)
		tool_die(BADUSE, "%s: no column JobName: which runs are those of %s cannot be told", source, ask.gate);
	if (!ask.quiet && (r->run.name.s == NULL || r->run.user.s == NULL))
		tool_warn(r->run.user.s != NULL ? "no column JobName: work is told apart by User alone" : r->run.name.s != NULL ?
		    "no column User: work is told apart by JobName alone" : "no column JobName: all runs are taken for the same work");
}

static void
read_runs(struct runs *r)
{
	int got, first = 1;

	run_from(r, &ask.q, NEEDS);
	while ((got = run_next(r)) == 1) {
		if (first)
			check_columns(r, acct_source(&ask.q));
		first = 0;
		take(&r->run);
	}
	if (got < 0)
		run_die(r, &ask.q);
	if (first)
		tool_die(TROUBLE, "%s: no records", acct_source(&ask.q));
}

/* NO records of a name that was asked for is no answer. */
static int
missing_names(size_t n)
{
	char word[TOOL_WORD];
	size_t i;
	int missing = 0;

	for (i = 0; i < ask.nname; i++)
		if (ask.seen[i] == 0) {
			tool_warn("no work is named %s", tool_word(word, ask.name[i], strlen(ask.name[i])));
			missing = 1;
		}
	if (ask.runs != NULL && n == 0) {
		tool_warn("no work is named %s", tool_word(word, ask.runs, strlen(ask.runs)));
		missing = 1;
	}
	return missing;
}

int
main(int argc, char **argv)
{
	struct opt o = OPT_INIT(argc, argv, options, 0);
	struct runs r;
	size_t *v, n;
	int status = YES;

	tool_begin();
	read_options(&o);
	if (ask.rules)
		print_rules();
	if (ask.fields) {
		puts(run_fields(NEEDS));
		tool_done(YES);
	}
	read_runs(&r);
	say(&r);
	run_end(&r);
	if (ask.gate != NULL)
		tool_done(gate());
	v = sorted(&n);
	if (missing_names(n))
		status = TROUBLE;
	else if (n == 0 && ask.runs == NULL)
		tool_die(TROUBLE, "no run that is over: %" PRIu64 " are not, %" PRIu64 " never started", lack.open, lack.never);
	if (ask.runs != NULL)
		print_runs(v, n);
	else if (ask.findings)
		print_findings(v, n);
	else
		print_works(v, n);
	free(v);
	tool_done(status);
}
