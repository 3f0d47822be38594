/* run - runs out of accounting: one attempt of a job or array task, with its steps joined to it
 *
 * The job's row is read when it comes: its limit and its CPUs are what its steps are measured with. Then its steps are
 * added up, until the row of another job comes, which waits in lib/acct for the next call. Only the columns that were
 * asked for are looked at, and TRES texts only where the short columns do not say it.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acct.h"
#include "iset.h"
#include "names.h"
#include "num.h"
#include "run.h"
#include "tool.h"

#define RUN_ALWAYS (1u << 30)
#define RUN_USUAL (1u << 29)	/* unless RUN_FEW */
#define RUN_STEPS (RUN_CPU | RUN_MEMORY | RUN_GPU | RUN_DISK | RUN_USED)	/* what the steps say */
#define RUN_MIB ((int64_t)1 << 20)
#define RUN_MOST ((double)((int64_t)1 << 62))

enum run_column {
	RUN_C_ID, RUN_C_RAW, RUN_C_STATE, RUN_C_EXIT, RUN_C_USER, RUN_C_NAME, RUN_C_PARTITION, RUN_C_CLUSTER, RUN_C_SUBMIT, RUN_C_START,
	RUN_C_END, RUN_C_ELAPSED_RAW, RUN_C_ELAPSED, RUN_C_LIMIT_RAW, RUN_C_LIMIT, RUN_C_NODES, RUN_C_CPUS, RUN_C_REQ_CPUS, RUN_C_CPU, RUN_C_KERNEL,
	RUN_C_MEMORY, RUN_C_RSS, RUN_C_TASKS, RUN_C_ALLOC, RUN_C_REQ, RUN_C_GRES, RUN_C_IN_TOT, RUN_C_IN_MAX, RUN_C_IN_AVE, RUN_C_OUT_TOT,
	RUN_C_READ, RUN_C_WRITE, RUN_C_NODELIST, RUN_C_FAILED, RUN_C_ALL
};

/* sacct's columns, and what each is needed for. The free text is not the last: what a site prints behind the table
 * would be taken for more of it. */
static const struct {
	const char *name;
	unsigned needs;
} run_columns[RUN_C_ALL] = {
	{ "JobID", RUN_ALWAYS }, { "JobIDRaw", RUN_ALWAYS }, { "State", RUN_ALWAYS }, { "ExitCode", RUN_USUAL }, { "User", RUN_ALWAYS },
	{ "JobName", RUN_ALWAYS }, { "Partition", RUN_USUAL }, { "Cluster", RUN_ALWAYS },
	{ "Submit", RUN_TIME }, { "Start", RUN_TIME | RUN_SPAN }, { "End", RUN_TIME | RUN_SPAN },
	{ "ElapsedRaw", RUN_TIME | RUN_GPU | RUN_ELAPSED }, { "Elapsed", RUN_TIME | RUN_GPU | RUN_SPAN },
	{ "TimelimitRaw", RUN_TIME }, { "Timelimit", RUN_TIME },
	{ "NNodes", RUN_CPU | RUN_MEMORY | RUN_GPU }, { "AllocCPUS", RUN_CPU | RUN_MEMORY }, { "ReqCPUS", RUN_CPU | RUN_MEMORY },
	{ "TotalCPU", RUN_CPU | RUN_USED }, { "SystemCPU", RUN_CPU },
	{ "ReqMem", RUN_MEMORY }, { "MaxRSS", RUN_MEMORY }, { "NTasks", RUN_CPU | RUN_MEMORY | RUN_GPU },
	{ "AllocTRES", RUN_CPU | RUN_MEMORY | RUN_GPU }, { "ReqTRES", RUN_MEMORY | RUN_GPU }, { "AllocGRES", RUN_GPU },
	{ "TRESUsageInTot", RUN_CPU | RUN_MEMORY | RUN_GPU | RUN_DISK | RUN_USED }, { "TRESUsageInMax", RUN_MEMORY | RUN_GPU },
	{ "TRESUsageInAve", RUN_GPU }, { "TRESUsageOutTot", RUN_DISK }, { "MaxDiskRead", RUN_DISK }, { "MaxDiskWrite", RUN_DISK },
	{ "NodeList", RUN_NODES }, { "FailedNode", RUN_NODES }
};

/* ---- words ---- */

int64_t
run_size(struct acct_text t, int64_t unit, char *per)
{
	static const char units[] = "KMGTP";
	double v = 0, place = 1;
	const char *s = t.s, *end, *u;
	int digits = 0;

	if (per != NULL)
		*per = 'j';
	if (t.n == 0)
		return -1;
	end = s + t.n;
	if (end[-1] == 'n' || end[-1] == 'c') {
		if (per != NULL)
			*per = end[-1];
		end--;
	}
	for (; s < end && *s >= '0' && *s <= '9'; s++, digits++)
		v = v * 10 + (*s - '0');
	if (s < end && *s == '.' && digits > 0)
		for (s++; s < end && *s >= '0' && *s <= '9'; s++)
			v += (*s - '0') * (place /= 10);
	if (digits == 0)
		return -1;
	if (s == end)
		v *= (double)unit;
	else if ((u = memchr(units, *s++, sizeof units - 1)) != NULL)
		for (u++; u > units; u--)
			v *= 1024;
	else
		return -1;
	return s == end && v < RUN_MOST ? (int64_t)(v + 0.5) : -1;
}

/* Takes the next item, up to a comma, off the list: 0 where there is none. */
static int
run_item(struct acct_text *list, struct acct_text *item)
{
	const char *comma;

	if (list->n == 0)
		return 0;
	comma = memchr(list->s, ',', list->n);
	*item = *list;
	if (comma == NULL) {
		list->n = 0;
		return 1;
	}
	item->n = (size_t)(comma - list->s);
	list->s = comma + 1;
	list->n -= item->n + 1;
	return 1;
}

struct acct_text
run_tres(struct acct_text tres, const char *name)
{
	struct acct_text v = { NULL, 0 }, item;
	size_t n = strlen(name);

	while (run_item(&tres, &item))
		if (item.n > n && item.s[n] == '=' && memcmp(item.s, name, n) == 0) {
			v.s = item.s + n + 1;
			v.n = item.n - n - 1;
			break;
		}
	return v;
}

static int64_t
run_number(struct acct_text t)
{
	uint64_t v;

	return t.s != NULL && num_u64(t.s, t.n, INT64_MAX, &v) == NUM_OK ? (int64_t)v : -1;
}

/* Adds v, where it is recorded, to a sum that is -1 as long as nothing is. */
static void
run_add(int64_t *sum, int64_t v)
{
	if (v >= 0 && *sum < INT64_MAX - v)
		*sum = (*sum > 0 ? *sum : 0) + v;
}

/* The number of GPUs in a TRES text; -1 where it names none. The one without a type is the sum of those with one. */
static int64_t
run_gpus(struct acct_text tres)
{
	int64_t sum = run_number(run_tres(tres, "gres/gpu"));
	struct acct_text item;
	const char *eq;

	if (sum >= 0)
		return sum;
	while (run_item(&tres, &item)) {
		eq = memchr(item.s, '=', item.n);
		if (eq == NULL || eq - item.s < 10 || memcmp(item.s, "gres/gpu:", 9) != 0)
			continue;
		item.n -= (size_t)(eq + 1 - item.s);
		item.s = eq + 1;
		run_add(&sum, run_number(item));
	}
	return sum;
}

/* The same of AllocGRES, before Slurm 20.11: `gpu:2`, `gpu:v100:2`, several joined by commas. */
static int64_t
run_gres(struct acct_text gres)
{
	struct acct_text item, v;
	int64_t sum = -1;

	while (run_item(&gres, &item)) {
		if (item.n < 3 || memcmp(item.s, "gpu", 3) != 0 || (item.n > 3 && item.s[3] != ':'))
			continue;
		for (v.s = item.s + item.n; v.s > item.s && v.s[-1] != ':'; v.s--)
			;
		v.n = (size_t)(item.s + item.n - v.s);
		run_add(&sum, item.n == 3 ? 1 : run_number(v));
	}
	return sum;
}

/* ---- the job's own row ---- */

static struct acct_text
run_get(const struct runs *r, enum run_column c)
{
	return acct_get(&r->a, c);
}

/* Copies the texts of the row, which the next one overwrites. */
static void
run_texts(struct runs *r)
{
	struct run *run = &r->run;
	static const enum run_column column[] = { RUN_C_NAME, RUN_C_USER, RUN_C_PARTITION, RUN_C_CLUSTER, RUN_C_NODELIST, RUN_C_FAILED };
	struct acct_text *text[] = { &run->name, &run->user, &run->partition, &run->cluster, &run->nodelist, &run->failed,
	    &run->id.tasks, &run->id.cluster };
	size_t i, n = 0;
	char *at;

	for (i = 0; i < sizeof column / sizeof column[0]; i++)
		*text[i] = run_get(r, column[i]);
	for (i = 0; i < sizeof text / sizeof text[0]; i++)
		n += text[i]->n;
	if (n >= r->room) {
		r->room = 2 * n + 256;
		r->text = tool_realloc(r->text, r->room, 1);
	}
	for (i = 0, at = r->text; i < sizeof text / sizeof text[0]; at += text[i++]->n)
		if (text[i]->n > 0)
			text[i]->s = memcpy(at, text[i]->s, text[i]->n);
		else if (text[i]->s != NULL)
			text[i]->s = "";
	if (run->cluster.n == 0)
		run->cluster = run->id.cluster;
}

static void
run_exit(struct run *run, struct acct_text t)
{
	struct acct_text part = t;
	const char *colon = t.n > 0 ? memchr(t.s, ':', t.n) : NULL;
	int64_t code, sig;

	run->exit_code = run->exit_signal = -1;
	if (colon == NULL)
		return;
	part.n = (size_t)(colon - t.s);
	code = run_number(part);
	part.s = colon + 1;
	part.n = t.n - part.n - 1;
	sig = run_number(part);
	if (code < 0 || sig < 0 || code > INT32_MAX || sig > INT32_MAX)
		return;
	run->exit_code = (int32_t)code;
	run->exit_signal = (int32_t)sig;
}

static void
run_times(struct runs *r)
{
	struct run *run = &r->run;
	struct acct_text raw = run_get(r, RUN_C_LIMIT_RAW), limit = run_get(r, RUN_C_LIMIT), elapsed_raw = run_get(r, RUN_C_ELAPSED_RAW),
	    elapsed = run_get(r, RUN_C_ELAPSED), start = run_get(r, RUN_C_START), end = run_get(r, RUN_C_END);
	int64_t minutes = run_number(raw), ms;

	run->submit = acct_time(run_get(r, RUN_C_SUBMIT));
	run->start = acct_time(start);
	run->end = acct_time(end);
	run->elapsed = acct_elapsed(elapsed_raw, elapsed, start, end);
	if (r->needs & RUN_ELAPSED)
		run->wrong = acct_elapsed_bad(elapsed_raw, elapsed, start, end, run_get(r, RUN_C_CPU), r->wrong);
	if (run->state == ACCT_REQUEUED && run->end < 0 && acct_has(&r->a, RUN_C_END))
		run->elapsed = -1;	/* its end was never written: sacct counts on until today */
	run->limit = -1;
	if (minutes > 0 && minutes < INT32_MAX)
		run->limit = minutes * 60;
	else if (acct_is(raw, "UNLIMITED") || acct_is(limit, "UNLIMITED"))
		run->limit = RUN_UNLIMITED;
	else if ((ms = acct_duration(limit)) > 0)
		run->limit = ms / 1000;
}

static void
run_allocation(struct runs *r)
{
	struct run *run = &r->run;
	struct acct_text alloc = run_get(r, RUN_C_ALLOC);

	run->nodes = run_number(run_get(r, RUN_C_NODES));
	if (run->nodes <= 0)
		run->nodes = run_number(run_tres(alloc, "node"));
	run->cpus = run_number(run_get(r, RUN_C_CPUS));
	if (run->cpus <= 0)
		run->cpus = run_number(run_tres(alloc, "cpu"));
	if (run->cpus <= 0)
		run->cpus = run_number(run_get(r, RUN_C_REQ_CPUS));
	run->nodes = run->nodes > 0 ? run->nodes : -1;
	run->cpus = run->cpus > 0 ? run->cpus : -1;
}

/* The limit of memory on one node. Before Slurm 21.08 ReqMem says what its number is for, since then it is the job's. */
static void
run_limits(struct runs *r)
{
	struct run *run = &r->run;
	struct acct_text req = run_get(r, RUN_C_MEMORY);
	int64_t alloc = run_size(run_tres(run_get(r, RUN_C_ALLOC), "mem"), RUN_MIB, NULL), nodes = run->nodes > 0 ? run->nodes : 1;

	run->asked = run_size(req, RUN_MIB, &run->asked_per);
	if (run->asked <= 0) {
		run->asked = -1;
		run->asked_per = 0;
	}
	run->memory = -1;
	if (run->asked_per == 'n')
		run->memory = run->asked;
	else if (alloc > 0)
		run->memory = run->nodes > 0 ? alloc / nodes : -1;
	else if (run->asked_per == 'c')
		run->memory = run->cpus > 0 && run->asked < INT64_MAX / run->cpus ? run->asked * run->cpus / nodes : -1;
	else {
		if (run->asked < 0)
			run->asked = run_size(run_tres(run_get(r, RUN_C_REQ), "mem"), RUN_MIB, NULL);
		if (run->asked > 0) {
			run->asked_per = 'j';
			run->memory = run->asked / nodes;
		} else
			run->asked = -1;
	}
}

static void
run_devices(struct runs *r)
{
	struct acct_text alloc = run_get(r, RUN_C_ALLOC), req = run_get(r, RUN_C_REQ);
	int64_t n = run_gpus(alloc);

	if (n < 0)
		n = run_gpus(req);
	if (n < 0)
		n = run_gres(run_get(r, RUN_C_GRES));
	r->run.gpus = n < 0 && !(acct_nothing(alloc) && acct_nothing(req)) ? 0 : n;
}

/* ---- its steps ---- */

/* CPU time of the row; what it was in the kernel is told only where TotalCPU says the time. */
static int64_t
run_row_cpu(struct runs *r, int64_t *kernel)
{
	int64_t ms = acct_duration(run_get(r, RUN_C_CPU)), tres;

	*kernel = ms > 0 ? acct_duration(run_get(r, RUN_C_KERNEL)) : -1;
	if (ms > 0)
		return ms;
	tres = acct_duration(run_tres(run_get(r, RUN_C_IN_TOT), "cpu"));
	return tres > ms ? tres : ms;
}

static void
run_step_cpu(struct runs *r)
{
	int64_t kernel, ms = run_row_cpu(r, &kernel);

	if (ms > 0 && kernel < 0)
		r->no_kernel = 1;
	run_add(&r->run.cpu, ms);
	run_add(&r->run.kernel, kernel);
	r->run.partial |= ms <= 0 && !acct_ended(r->a.state);
}

/* MaxRSS of the row: the most that one task used; 0 or less where it is not recorded. */
static int64_t
run_row_rss(struct runs *r)
{
	int64_t rss = run_size(run_get(r, RUN_C_RSS), 1, NULL);

	return rss > 0 ? rss : run_size(run_tres(run_get(r, RUN_C_IN_MAX), "mem"), 1, NULL);
}

/* The most tasks of the row on one of its nodes; where their number is not recorded there may be one a CPU. */
static int64_t
run_tasks_a_node(const struct runs *r, int64_t tasks, int64_t nodes)
{
	int64_t most = tasks > 0 ? tasks : r->run.cpus;

	return most > 0 ? (most + nodes - 1) / nodes : INT32_MAX;
}

/* The memory of a row with that many tasks. What a node used is known, or at most known, where one task ran on it or the sum of
 * all is recorded: run.peak. Otherwise one task's is (task), and what the node used if all were as large (apart). */
static void
run_row_memory(struct runs *r, int64_t tasks)
{
	struct run *run = &r->run;
	int64_t rss = run_row_rss(r), nodes = run_number(run_get(r, RUN_C_NODES)), a_node, all, sum, peak = rss;

	if (rss <= 0)
		return;
	if (nodes <= 0)
		nodes = run->nodes > 0 ? run->nodes : 1;
	a_node = run_tasks_a_node(r, tasks, nodes);
	all = rss < INT64_MAX / a_node ? rss * a_node : INT64_MAX;
	r->task = rss > r->task ? rss : r->task;
	if (a_node > 1) {
		sum = run_size(run_tres(run_get(r, RUN_C_IN_TOT), "mem"), 1, NULL);
		if (sum <= 0) {
			r->apart = all > r->apart ? all : r->apart;
			return;
		}
		peak = nodes == 1 || sum < all ? sum : all;
	}
	if (peak > run->peak) {
		run->peak = peak;
		run->peak_known = a_node <= 1 ? RUN_ONE_TASK : nodes == 1 ? RUN_ALL_TASKS : RUN_AT_MOST;
	}
}

/* GPU time of a step: the percent of all its tasks, times the seconds. */
static void
run_step_gpu(struct runs *r, int64_t tasks)
{
	struct acct_text none = { NULL, 0 };
	int64_t sum = run_number(run_tres(run_get(r, RUN_C_IN_TOT), "gres/gpuutil"));
	int64_t most = run_number(run_tres(run_get(r, RUN_C_IN_MAX), "gres/gpuutil"));
	int64_t mean, s = acct_elapsed(run_get(r, RUN_C_ELAPSED_RAW), run_get(r, RUN_C_ELAPSED), none, none);

	if (sum < 0) {
		mean = run_number(run_tres(run_get(r, RUN_C_IN_AVE), "gres/gpuutil"));
		sum = mean >= 0 && mean <= 1000000 && tasks <= 1000000 ? mean * (tasks > 0 ? tasks : 1) : most;
	}
	r->run.gpu_peak = most > r->run.gpu_peak ? most : r->run.gpu_peak;
	if (sum < 0 || sum > 1000000)
		return;
	run_add(&r->gpu_seconds, sum * (s >= 0 ? s : r->run.elapsed > 0 ? r->run.elapsed : 1));
}

static void
run_step_disk(struct runs *r)
{
	int64_t in = run_size(run_tres(run_get(r, RUN_C_IN_TOT), "fs/disk"), 1, NULL);
	int64_t out = run_size(run_tres(run_get(r, RUN_C_OUT_TOT), "fs/disk"), 1, NULL);

	run_add(&r->run.disk_read, in >= 0 ? in : run_size(run_get(r, RUN_C_READ), 1, NULL));
	run_add(&r->run.disk_written, out >= 0 ? out : run_size(run_get(r, RUN_C_WRITE), 1, NULL));
}

static void
run_step(struct runs *r)
{
	struct acct_text step = r->a.id.step;
	int64_t tasks, rss;

	if (acct_is(step, "extern")) {
		rss = r->needs & RUN_MEMORY ? run_row_rss(r) : -1;
		r->outside = rss > 0 ? rss : r->outside;
		return;
	}
	tasks = run_number(run_get(r, RUN_C_TASKS));
	if (tasks <= 0)
		tasks = acct_is(step, "batch") || acct_is(step, "interactive") ? 1 : -1;
	r->run.tasks = tasks > r->run.tasks ? tasks : r->run.tasks;
	if (r->needs & RUN_MEMORY)
		run_row_memory(r, tasks);
	if (r->needs & (RUN_CPU | RUN_USED))
		run_step_cpu(r);
	if (r->needs & RUN_GPU)
		run_step_gpu(r, tasks);
	if (r->needs & RUN_DISK)
		run_step_disk(r);
}

/* ---- runs ---- */

/* Begins the run whose row stands. */
static void
run_open(struct runs *r)
{
	struct run *run = &r->run;

	memset(run, 0, sizeof *run);
	run->line = r->a.line;
	run->id = r->a.id;
	run->raw = acct_raw(&r->a);
	run->state = r->a.state;
	run->oom = run->state == ACCT_OUT_OF_MEMORY;
	run->submit = run->start = run->end = run->elapsed = run->limit = run->nodes = run->cpus = run->cpu = run->kernel = -1;
	run->memory = run->asked = run->peak = run->gpus = run->gpu_used = run->gpu_sum = run->gpu_peak = run->disk_read = run->disk_written = -1;
	run->tasks = -1;
	r->outside = r->task = r->apart = r->gpu_seconds = -1;
	r->no_kernel = 0;
	run_texts(r);
	run_exit(run, run_get(r, RUN_C_EXIT));
	if (r->needs & (RUN_TIME | RUN_GPU | RUN_ELAPSED))
		run_times(r);
	if (r->needs & (RUN_CPU | RUN_MEMORY | RUN_GPU))
		run_allocation(r);
	if (r->needs & RUN_MEMORY)
		run_limits(r);
	if (r->needs & RUN_GPU)
		run_devices(r);
	if (r->needs & (RUN_CPU | RUN_USED))
		r->own_cpu = run_row_cpu(r, &r->own_kernel);
	if (r->needs & RUN_MEMORY)
		run_row_memory(r, -1);
	if (r->needs & RUN_DISK) {
		run_step_disk(r);
		r->own_read = run->disk_read;
		r->own_written = run->disk_written;
		run->disk_read = run->disk_written = -1;
	}
}

/* The run has all its steps: what is known of it now. */
static void
run_close(struct runs *r)
{
	struct run *run = &r->run;
	int64_t seconds, gpus;

	if (run->cpu <= 0) {
		run->cpu = r->own_cpu > 0 && acct_ended(run->state) ? r->own_cpu : -1;
		run->kernel = run->cpu > 0 ? r->own_kernel : -1;
	} else if (r->no_kernel)
		run->kernel = -1;
	if (run->partial)
		run->cpu = run->kernel = -1;
	if (r->apart > run->peak) {
		run->peak = r->task;
		run->peak_known = r->apart == r->task ? RUN_ONE_TASK : RUN_SHARED;
	}
	if (r->outside > run->peak && !(run->memory > 0 && r->outside > run->memory && run->peak <= run->memory)) {
		run->peak = r->outside;
		run->peak_known = run->peak_known == RUN_SHARED ? RUN_SHARED : RUN_ONE_TASK;
	}
	run->untrusted = run->memory > 0 && run->peak > run->memory && !run->oom;
	if (r->gpu_seconds >= 0) {
		seconds = run->elapsed > 0 ? run->elapsed : 1;
		gpus = run->gpus > 0 ? run->gpus : 1;
		run->gpu_sum = r->gpu_seconds / seconds + (r->gpu_seconds % seconds > 0);
		run->gpu_sum = run->gpu_sum / 100 >= gpus ? 100 * gpus : run->gpu_sum;
		run->gpu_used = r->gpu_seconds / seconds / gpus;
		run->gpu_used = run->gpu_used > 100 ? 100 : run->gpu_used;
	}
	if (r->needs & RUN_DISK) {
		run->disk_read = run->disk_read >= 0 ? run->disk_read : r->own_read;
		run->disk_written = run->disk_written >= 0 ? run->disk_written : r->own_written;
	}
}

/* The next row: 1, 0, -1. */
static int
run_row(struct runs *r)
{
	int got = acct_next(&r->a);

	if (got != 1 || r->rows++ > 0 || r->a.id.job != 0)
		return got;
	r->a.status = r->a.program != NULL ? TROUBLE : BADUSE;
	snprintf(r->a.why, sizeof r->a.why, "no column JobID: whose rows these are cannot be told");
	return -1;
}

/* Whether the very run was read before. Of one that never started nobody can tell: several attempts of it look alike. */
static int
run_again(struct runs *r)
{
	const struct run *run = &r->run;
	int64_t key[7];

	if (run->start < 0 || !(r->needs & RUN_TIME))
		return 0;
	key[0] = run->id.job;
	key[1] = (int64_t)run->id.part << 2 | (int64_t)run->id.kind;
	key[2] = run->start;
	key[3] = run->end;
	key[4] = run->submit;
	key[5] = run->elapsed;
	key[6] = (int64_t)run->state;
	return !names_new(&r->seen, names_hash(key, sizeof key, names_hash(run->cluster.s, run->cluster.n, 0)));
}

/* Joins the step whose row stands to the run. */
static void
run_join(struct runs *r)
{
	const struct acct_id *step = &r->a.id, *id = &r->run.id;

	if (step->job != id->job || step->kind != id->kind || step->part != id->part) {
		r->lonely++;
		return;
	}
	r->run.steps++;
	r->run.oom |= r->a.state == ACCT_OUT_OF_MEMORY;
	if (r->needs & RUN_STEPS)
		run_step(r);
}

/* The next run, also one that was read before: 1, 0, -1. The row of a job ends the run before it, and waits for the next call. */
static int
run_read(struct runs *r)
{
	int got = 1;

	if (r->a.status != 0)
		return -1;
	while (!r->pending) {
		got = run_row(r);
		if (got <= 0)
			return got;
		r->pending = r->a.id.step.n == 0;
		r->lonely += !r->pending;
	}
	run_open(r);
	r->pending = 0;
	while (!r->pending && (got = run_row(r)) == 1) {
		r->pending = r->a.id.step.n == 0;
		if (!r->pending)
			run_join(r);
	}
	if (got < 0)
		return -1;
	run_close(r);
	return 1;
}

int
run_next(struct runs *r)
{
	int got;

	while ((got = run_read(r)) == 1 && run_again(r))
		r->twice++;
	return got;
}

static int
run_wants(size_t column, unsigned needs)
{
	return (run_columns[column].needs & (needs | RUN_ALWAYS | (needs & RUN_FEW ? 0 : RUN_USUAL))) != 0;
}

static void
run_prepare(struct runs *r, unsigned needs)
{
	size_t i;

	memset(r, 0, sizeof *r);
	r->needs = needs;
	for (i = 0; i < RUN_C_ALL; i++)
		r->want[i] = run_wants(i, needs) ? run_columns[i].name : NULL;
}

void
run_begin(struct runs *r, int fd, unsigned needs)
{
	run_prepare(r, needs);
	acct_begin(&r->a, fd, r->want, RUN_C_ALL);
}

void
run_from(struct runs *r, struct acct_query *q, unsigned needs)
{
	if (q->text) {
		run_begin(r, acct_open(q), needs);
		r->fd = r->a.fd;
		return;
	}
	run_prepare(r, needs);
	acct_window(q);
	q->duplicates = 1;
	q->steps = (needs & RUN_STEPS) != 0;
	if (acct_sacct(&r->a, q, r->want, RUN_C_ALL) != 0)
		tool_die(r->a.status, "%s", r->a.why);
}

uint64_t
run_asked(struct acct_query *q, const struct run *run)
{
	struct acct_id id = run->id;
	char why[ACCT_WHY];
	struct iset tasks;
	uint64_t n = 0, part;
	size_t i;

	id.cluster = run->cluster;
	if (id.kind != ACCT_TASKS)
		return (uint64_t)acct_asked(q, &id, run->raw);
	if (acct_tasks(&tasks, &id, why) != NULL)
		tool_die(acct_blame(q), "line %" PRIu64 ": %s", run->line, why);
	id.kind = ACCT_TASK;
	for (i = 0; i < tasks.n; i++)
		for (part = tasks.run[i].first; part <= tasks.run[i].last; part++) {
			id.part = (uint32_t)part;
			n += (uint64_t)acct_asked(q, &id, 0);
		}
	iset_free(&tasks);
	return n;
}

void
run_die(const struct runs *r, const struct acct_query *q)
{
	if (q->text)
		tool_die(r->a.status, "%s: %s", acct_source(q), r->a.why);
	tool_die(r->a.status, "%s", r->a.why);
}

void
run_say_left_out(const struct runs *r)
{
	if (r->twice > 0)
		tool_warn("%" PRIu64 " run%s in the text twice: counted once", r->twice, r->twice == 1 ? " stands" : "s stand");
	if (r->lonely > 0)
		tool_warn("%" PRIu64 " step%s not behind the row of the job: not counted", r->lonely, r->lonely == 1 ? " stands" : "s stand");
}

void
run_end(struct runs *r)
{
	if (r->fd > 0)
		close(r->fd);
	acct_end(&r->a);
	free(r->text);
	free(r->seen.hash);
	memset(r, 0, sizeof *r);
}

const char *
run_fields(unsigned needs)
{
	static char buf[640];
	size_t i, n = 0;

	for (i = 0; i < RUN_C_ALL; i++)
		if (i != RUN_C_GRES && i != RUN_C_FAILED && run_wants(i, needs))
			n += (size_t)snprintf(buf + n, sizeof buf - n, "%s%s", n > 0 ? "," : "", run_columns[i].name);
	return buf;
}

int
run_has(const struct runs *r, enum run_need need)
{
	const struct acct *a = &r->a;

	switch (need) {
	case RUN_TIME: case RUN_ELAPSED: case RUN_SPAN:
		return acct_has(a, RUN_C_ELAPSED_RAW) || acct_has(a, RUN_C_ELAPSED) || (acct_has(a, RUN_C_START) && acct_has(a, RUN_C_END));
	case RUN_CPU: case RUN_USED: return acct_has(a, RUN_C_CPU) || acct_has(a, RUN_C_IN_TOT);
	case RUN_MEMORY: return acct_has(a, RUN_C_RSS) || acct_has(a, RUN_C_IN_MAX);
	case RUN_GPU: return acct_has(a, RUN_C_ALLOC) || acct_has(a, RUN_C_REQ) || acct_has(a, RUN_C_GRES);
	case RUN_DISK: return acct_has(a, RUN_C_IN_TOT) || acct_has(a, RUN_C_OUT_TOT) || acct_has(a, RUN_C_READ) || acct_has(a, RUN_C_WRITE);
	case RUN_NODES: return acct_has(a, RUN_C_NODELIST);
	case RUN_FEW: break;
	}
	return 0;
}

/* ---- what a run was ---- */

int
run_hung(const struct run *run)
{
	if (!acct_ended(run->state) || acct_interrupted(run->state))
		return 0;
	if ((run->elapsed >= 0 && run->elapsed <= RUN_HUNG_TIME) || run->cpu >= RUN_HUNG_CPU * 1000)
		return 0;
	return run->elapsed < 0 || run->cpu <= 0 ? -1 : 1;
}

double
run_cost(const struct run *run, double weight, double *gpu_h, double *cpu_h)
{
	double hours = (double)run->elapsed / 3600, gpu, cpu;

	gpu = run->elapsed < 0 || run->gpus < 0 ? -1 : hours * (double)run->gpus;
	cpu = run->elapsed < 0 || run->cpus < 0 ? -1 : hours * (double)run->cpus;
	if (run->elapsed == 0)
		gpu = cpu = 0;
	if (gpu_h != NULL)
		*gpu_h = gpu;
	if (cpu_h != NULL)
		*cpu_h = cpu;
	return gpu < 0 || cpu < 0 ? -1 : weight * gpu + cpu;
}
