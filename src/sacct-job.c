/* sacct-job - one job against its own limits
 *
 * All runs are read and kept, then sorted: the newest attempt of a job or task is shown, the earlier ones only add up.
 * The tasks of an array become one: its slowest, its largest, their sums. What is said of a run in words is a table of
 * rules, each a function that writes its evidence where it holds.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acct.h"
#include "dur.h"
#include "esc.h"
#include "names.h"
#include "num.h"
#include "opt.h"
#include "rec.h"
#include "run.h"
#include "tool.h"

const char help[] =
"sacct-job - one job against its own limits\n"
"\n"
"usage: sacct-job [options] ID...                            asks sacct\n"
"       sacct-job [options] -S SINCE [-E UNTIL] [-u USER]    the same for all jobs of a time\n"
"       sacct -DP ... | sacct-job [options]                  reads text, also -f FILE [ID...]\n"
"\n"
"ID: 4711  4711_3  4711_[1,3-9]  4711+0  4711;cluster  cluster/4711, separated by blanks or commas\n"
"\n"
"what is read:\n"
"  -S, --since SINCE        2026-11-29, 2026-11-29T08:00, 7d (that long ago) or what else sacct -S takes (30 days with -u)\n"
"  -E, --until UNTIL        the same for the end (now)\n"
"  -u, --user USER          the user, several joined by commas, `all` (you)\n"
"  -f, --file FILE          read text from FILE (- is stdin)\n"
"  -t, --time-limit TIME    for sacct (30s)\n"
"      --fields             print the field list to give to sacct -o, and end\n"
"what is printed, one record per limit: id, what, used, limit, share, note\n"
"  -l, --list               each task of an array, else its slowest, its largest and their sums\n"
"  -F, --findings           instead: id, code, severity, evidence, advice; on a terminal they follow the records\n"
"more:\n"
"  -H, --header             a line of column names\n"
"      --json               one JSON object a line\n"
"  -q, --quiet              fewer words on stderr\n"
"  -h, --help               this text\n"
"  -V, --version            the version\n"
"\n"
"what: time, memory (on one node), cpu, gpu where it has GPUs; disk and kernel where they say something.\n"
"\n"
"exit status: 0 printed; 2 called wrong, or the text is not sacct's; 3 could not find out: no records, an id without one,\n"
"no answer from Slurm.\n"
"\n"
"example:\n"
"  echo 'JobID|State|ElapsedRaw|TimelimitRaw|AllocCPUS|TotalCPU|ReqMem|MaxRSS|NTasks' >job.txt\n"
"  echo '4711|TIMEOUT|1800|30|4|00:02.300|8G||' >>job.txt\n"
"  echo '4711.batch|CANCELLED|1800||4|00:02.300||512M|1' >>job.txt\n"
"  sacct-job -f job.txt\n"
"  sacct-job -F -f job.txt\n";

enum {
	O_FIELDS = 256, O_JSON
};

static const struct option options[] = {
	OPT_COMMON,
	ACCT_OPTIONS,
	{ "fields", no_argument, NULL, O_FIELDS },
	{ "list", no_argument, NULL, 'l' },
	{ "findings", no_argument, NULL, 'F' },
	{ "header", no_argument, NULL, 'H' },
	{ "json", no_argument, NULL, O_JSON },
	{ "quiet", no_argument, NULL, 'q' },
	{ NULL, 0, NULL, 0 }
};

#define NEEDS (RUN_TIME | RUN_CPU | RUN_MEMORY | RUN_GPU | RUN_DISK)
#define NEAR 95			/* percent of its limit and more: near the limit */
#define SLACK_TIME 50		/* percent of its time and less: slack */
#define SLACK_MEMORY 35		/* the same of its memory, where also */
#define SLACK_BYTES ((int64_t)8 << 30)	/* so much was left */
#define CPU_LOW 40		/* percent of its CPUs and less: one hardware thread of two is 50 */
#define CPU_TIME 120		/* s a run must have had for a word about its CPUs, */
#define KERNEL_SHARE 30		/* or so many percent in the kernel of */
#define KERNEL_CPU 60000	/* ms of CPU and more */
#define DISK_BYTES ((int64_t)10 << 30)	/* read and written: worth a record, */
#define DISK_RATE ((int64_t)100 << 20)	/* and at this rate a finding */
#define GPU_IDLE 5		/* percent of the GPUs' time */
#define GPU_LOW 40
#define GPU_CPU 2		/* percent of its CPUs, where the GPUs' use is not recorded */
#define TAIL 2.0		/* times the median: the slowest task is a tail, */
#define TAIL_TASKS 5		/* of so many tasks at least */
#define BAR 30

struct task {
	struct run run;			/* its texts do not outlive the reading */
	uint32_t user, cluster;
	uint32_t attempts;		/* before this one, */
	int64_t spent;			/* and the s they took, */
	uint32_t spent_unknown;		/* where that is recorded */
};

/* The tasks of one array, or a single job. */
struct group {
	const struct task *task;
	size_t n;
	const struct task *slowest, *largest, *idlest;
	int64_t middle;			/* twice the median, s: that of an even number ends in a half; 0 where there is none */
	double cpu, cpu_limit, gpu, gpu_limit;	/* s, s; GPU seconds */
	size_t with_cpu, with_gpu, untrusted, killed;
};

static struct {
	int list, findings, quiet, fields;
	enum rec_how how;
	struct acct_query q;
} ask;

static struct task *task;
static size_t ntasks, room;
static struct names users, clusters;
static uint64_t waiting, unsettled, recycled, stepless;

/* ---- words ---- */

static void
say_time(struct tool_words *w, int64_t seconds)
{
	char buf[DUR_TEXT];

	tool_add(w, "%s", dur_slurm(seconds, buf));
}

/* CPU time: seconds, with a decimal where there are few. */
static void
say_cpu(struct tool_words *w, int64_t ms)
{
	if (ms < 60000)
		tool_add(w, "%.1f s", (double)ms / 1000);
	else
		say_time(w, ms / 1000);
}

static void
say_size(struct tool_words *w, int64_t bytes)
{
	char buf[NUM_TEXT];

	tool_add(w, "%s", num_show((double)bytes, buf));
}

static void
say_id(struct tool_words *w, const struct run *run, uint32_t cluster, int whole)
{
	if (clusters.n > 1 && clusters.at[cluster].n > 0)
		tool_add(w, "%.60s/", clusters.at[cluster].s);
	tool_add(w, "%" PRIu32, run->id.job);
	if (run->id.kind == ACCT_HET)
		tool_add(w, "+%" PRIu32, run->id.part);
	else if (run->id.kind == ACCT_TASK && !whole)
		tool_add(w, "_%" PRIu32, run->id.part);
}

/* ---- shares: -1 where one is not known ---- */

/* How far a part is from so many percent of the whole: exact where all are whole numbers, on any processor. */
static double
beyond(double part, double percent, double whole)
{
	return 100 * part - percent * whole;
}

static int
has_started(const struct run *run)
{
	return run->elapsed > 0 || acct_ended(run->state) || run->state == ACCT_RUNNING;
}

static double
time_share(const struct run *run)
{
	return run->elapsed < 0 || run->limit <= 0 || run->limit == RUN_UNLIMITED ? -1 : (double)run->elapsed / (double)run->limit;
}

static double
memory_share(const struct run *run)
{
	return run->peak < 0 || run->memory <= 0 ? -1 : (double)run->peak / (double)run->memory;
}

static double
cpu_share(const struct run *run)
{
	return run->cpu < 0 || run->elapsed <= 0 || run->cpus <= 0 ? -1 :
	    (double)run->cpu / 1000 / (double)run->elapsed / (double)run->cpus;
}

static double
cpu_beyond(const struct run *run, double percent)
{
	return beyond((double)run->cpu, percent, 1000 * (double)run->elapsed * (double)run->cpus);
}

static int64_t
disk_bytes(const struct run *run)
{
	return (run->disk_read > 0 ? run->disk_read : 0) + (run->disk_written > 0 ? run->disk_written : 0);
}

static int
moves_data(const struct run *run)
{
	return disk_bytes(run) >= DISK_BYTES && run->elapsed > 0 && disk_bytes(run) / run->elapsed >= DISK_RATE;
}

static int
kernel_heavy(const struct run *run)
{
	return run->kernel >= 0 && run->cpu >= KERNEL_CPU && beyond((double)run->kernel, KERNEL_SHARE, (double)run->cpu) >= 0;
}

/* ---- findings: each rule writes its evidence and says whether it holds ---- */

static int
finds_open(const struct task *t, struct tool_words *w)
{
	if (acct_ended(t->run.state))
		return 0;
	tool_add(w, "%s: %s", acct_name(t->run.state), has_started(&t->run) ? "what is shown is what is known so far" : "it has not started");
	return 1;
}

static void
say_ran(struct tool_words *w, const struct run *run)
{
	tool_add(w, "ran ");
	say_time(w, run->elapsed > 0 ? run->elapsed : 0);
	if (run->cpu >= 0) {
		tool_add(w, " and used ");
		say_cpu(w, run->cpu);
		tool_add(w, " of CPU");
	} else
		tool_add(w, ", CPU time is not recorded");
}

static int
finds_timeout_hang(const struct task *t, struct tool_words *w)
{
	if (t->run.state != ACCT_TIMEOUT || run_hung(&t->run) != 1)
		return 0;
	say_ran(w, &t->run);
	tool_add(w, ": it was blocked, not slow");
	return 1;
}

static int
finds_timeout_real(const struct task *t, struct tool_words *w)
{
	if (t->run.state != ACCT_TIMEOUT || t->run.cpu < RUN_HUNG_CPU * 1000)
		return 0;
	say_ran(w, &t->run);
	if (cpu_share(&t->run) >= 0)
		tool_add(w, " (%.1f of %" PRId64 " CPU%s busy)", cpu_share(&t->run) * (double)t->run.cpus, t->run.cpus, tool_plural((uint64_t)t->run.cpus));
	tool_add(w, ": it was computing when its limit cut it");
	return 1;
}

static int
finds_timeout(const struct task *t, struct tool_words *w)
{
	if (t->run.state != ACCT_TIMEOUT || t->run.cpu >= RUN_HUNG_CPU * 1000 || run_hung(&t->run) == 1)
		return 0;
	say_ran(w, &t->run);
	tool_add(w, ": whether it computed or was blocked cannot be told");
	return 1;
}

static int
finds_hang(const struct task *t, struct tool_words *w)
{
	if (t->run.state == ACCT_TIMEOUT || run_hung(&t->run) != 1 || moves_data(&t->run))
		return 0;
	say_ran(w, &t->run);
	tool_add(w, " (%s): it computed nothing", acct_name(t->run.state));
	return 1;
}

static int
finds_oom(const struct task *t, struct tool_words *w)
{
	const struct run *run = &t->run;

	if (!run->oom)
		return 0;
	tool_add(w, "killed for memory");
	if (run->memory > 0) {
		tool_add(w, " at a limit of ");
		say_size(w, run->memory);
	}
	if (run->peak > 0) {
		tool_add(w, "; the highest sample, ");
		say_size(w, run->peak);
		tool_add(w, run->memory > 0 && run->peak > run->memory ? ", is above it" : ", is a floor: the peak fell between two samples");
	} else
		tool_add(w, "; no sample was taken");
	return 1;
}

static int
finds_untrusted(const struct task *t, struct tool_words *w)
{
	if (!t->run.untrusted)
		return 0;
	tool_add(w, "a peak of ");
	say_size(w, t->run.peak);
	tool_add(w, " over a limit of ");
	say_size(w, t->run.memory);
	tool_add(w, ", and it was not killed: pages that processes share were counted more than once, or the limit is not enforced");
	return 1;
}

static int
finds_near_time(const struct task *t, struct tool_words *w)
{
	double share = time_share(&t->run);

	if (t->run.state != ACCT_COMPLETED || share < 0 || beyond((double)t->run.elapsed, NEAR, (double)t->run.limit) < 0)
		return 0;
	tool_add(w, "completed after %.1f %% of its time, ", 100 * share);
	say_time(w, t->run.limit > t->run.elapsed ? t->run.limit - t->run.elapsed : 0);
	tool_add(w, " before its limit");
	return 1;
}

static int
finds_near_memory(const struct task *t, struct tool_words *w)
{
	double share = memory_share(&t->run);

	if (t->run.state != ACCT_COMPLETED || t->run.untrusted || share < 0 || beyond((double)t->run.peak, NEAR, (double)t->run.memory) < 0)
		return 0;
	tool_add(w, "completed at %.1f %% of its memory", 100 * share);
	return 1;
}

static int
finds_slack_time(const struct task *t, struct tool_words *w)
{
	double share = time_share(&t->run);

	if (t->run.state != ACCT_COMPLETED || run_hung(&t->run) == 1 || t->run.elapsed <= 0 || share < 0 ||
	    beyond((double)t->run.elapsed, SLACK_TIME, (double)t->run.limit) > 0)
		return 0;
	tool_add(w, "completed after %.0f %% of its time", 100 * share);
	return 1;
}

static int
finds_slack_memory(const struct task *t, struct tool_words *w)
{
	const struct run *run = &t->run;
	double share = memory_share(run);

	/* of a step that was killed for memory the peak is a floor */
	if (run->state != ACCT_COMPLETED || run->oom || run->peak_known == RUN_SHARED || share < 0 ||
	    beyond((double)run->peak, SLACK_MEMORY, (double)run->memory) > 0 || run->memory - run->peak < SLACK_BYTES)
		return 0;
	tool_add(w, "completed with ");
	say_size(w, run->memory - run->peak);
	tool_add(w, " of its memory never used");
	return 1;
}

static int
finds_cpu_low(const struct task *t, struct tool_words *w)
{
	const struct run *run = &t->run;
	double share = cpu_share(run);

	if (!acct_ended(run->state) || acct_interrupted(run->state))
		return 0;
	if (run->cpus < 2 || run->elapsed < CPU_TIME || run_hung(run) == 1 || share < 0 || cpu_beyond(run, CPU_LOW) > 0)
		return 0;
	tool_add(w, "%.1f of its %" PRId64 " CPUs were busy", share * (double)run->cpus, run->cpus);
	return 1;
}

static int
finds_kernel(const struct task *t, struct tool_words *w)
{
	if (!kernel_heavy(&t->run))
		return 0;
	tool_add(w, "%.0f %% of its CPU time was spent in the kernel", 100 * (double)t->run.kernel / (double)t->run.cpu);
	return 1;
}

static int
finds_disk(const struct task *t, struct tool_words *w)
{
	if (!moves_data(&t->run))
		return 0;
	say_size(w, disk_bytes(&t->run));
	tool_add(w, " read and written, ");
	say_size(w, disk_bytes(&t->run) / t->run.elapsed);
	tool_add(w, " a second");
	return 1;
}

/* GPUs that were busy `from` to `below` percent of the time. */
static int
finds_gpus(const struct task *t, struct tool_words *w, int64_t from, int64_t below)
{
	if (t->run.gpus <= 0 || t->run.gpu_used < from || t->run.gpu_used >= below)
		return 0;
	tool_add(w, "%" PRId64 " GPU%s busy %" PRId64 " %% of the time", t->run.gpus, tool_plural((uint64_t)t->run.gpus), t->run.gpu_used);
	return 1;
}

static int
finds_gpu_idle(const struct task *t, struct tool_words *w)
{
	return finds_gpus(t, w, 0, GPU_IDLE);
}

static int
finds_gpu_low(const struct task *t, struct tool_words *w)
{
	return finds_gpus(t, w, GPU_IDLE, GPU_LOW);
}

static int
finds_gpu_suspect(const struct task *t, struct tool_words *w)
{
	double share = cpu_share(&t->run);

	if (!acct_ended(t->run.state) || t->run.gpus <= 0 || t->run.gpu_used >= 0 || t->run.elapsed < CPU_TIME || share < 0 ||
	    cpu_beyond(&t->run, GPU_CPU) >= 0)
		return 0;
	tool_add(w, "%" PRId64 " GPU%s held, CPUs busy %.1f %% of the time; how busy GPUs are is not recorded here", t->run.gpus,
	    tool_plural((uint64_t)t->run.gpus), 100 * share);
	return 1;
}

static int
finds_not_found(const struct task *t, struct tool_words *w)
{
	if (t->run.state != ACCT_FAILED || t->run.exit_code != 127)
		return 0;
	tool_add(w, "exit code 127: a command was not found");
	return 1;
}

static int
finds_cannot_run(const struct task *t, struct tool_words *w)
{
	if (t->run.state != ACCT_FAILED || t->run.exit_code != 126)
		return 0;
	tool_add(w, "exit code 126: a file is there and cannot be run");
	return 1;
}

/* what ends programs, by the numbers of Linux */
static const char *const signals[] = {
	[1] = "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", [6] = "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE",
	[15] = "SIGTERM", [24] = "SIGXCPU", "SIGXFSZ", [53] = "slurmstepd's own, before the script began"
};

static const char *
signal_name(int n)
{
	return (size_t)n < sizeof signals / sizeof signals[0] && signals[n] != NULL ? signals[n] : "a signal";
}

static int
signal_of(const struct run *run)
{
	if (run->exit_signal > 0)
		return run->exit_signal;
	return run->exit_code > 128 && run->exit_code <= 192 ? run->exit_code - 128 : 0;
}

static int
finds_signal(const struct task *t, struct tool_words *w)
{
	int n = signal_of(&t->run);

	if (t->run.state != ACCT_FAILED || t->run.oom || n == 0)
		return 0;
	tool_add(w, "killed by signal %d, %s (ExitCode %" PRId32 ":%" PRId32 ")", n, signal_name(n), t->run.exit_code, t->run.exit_signal);
	return 1;
}

static int
finds_exit(const struct task *t, struct tool_words *w)
{
	if (t->run.state != ACCT_FAILED || t->run.oom || t->run.exit_code <= 0 || t->run.exit_code == 126 || t->run.exit_code == 127 ||
	    signal_of(&t->run) != 0)
		return 0;
	tool_add(w, "ended with exit code %" PRId32, t->run.exit_code);
	return 1;
}

static int
finds_end(const struct task *t, struct tool_words *w, enum acct_state state)
{
	if (t->run.state != state)
		return 0;
	tool_add(w, "%s after ", acct_name(state));
	say_time(w, t->run.elapsed > 0 ? t->run.elapsed : 0);
	return 1;
}

static int
finds_node_fail(const struct task *t, struct tool_words *w)
{
	return finds_end(t, w, ACCT_NODE_FAIL) || finds_end(t, w, ACCT_BOOT_FAIL);
}

static int
finds_preempted(const struct task *t, struct tool_words *w)
{
	return finds_end(t, w, ACCT_PREEMPTED);
}

static int
finds_deadline(const struct task *t, struct tool_words *w)
{
	if (t->run.state != ACCT_DEADLINE)
		return 0;
	tool_add(w, "its deadline passed");
	return 1;
}

static int
finds_cancelled(const struct task *t, struct tool_words *w)
{
	if (t->run.state != ACCT_CANCELLED)
		return 0;
	tool_add(w, t->run.elapsed > 0 ? "CANCELLED after " : "CANCELLED before it started");
	if (t->run.elapsed > 0)
		say_time(w, t->run.elapsed);
	return 1;
}

static int
finds_requeued(const struct task *t, struct tool_words *w)
{
	if (t->attempts == 0)
		return 0;
	tool_add(w, "%" PRIu32 " earlier attempt%s took ", t->attempts, tool_plural(t->attempts));
	say_time(w, t->spent);
	tool_add(w, " more%s", t->spent_unknown > 0 ? " at least" : "");
	return 1;
}

static const struct rule {
	const char *code, *severity, *advice;
	int (*holds)(const struct task *, struct tool_words *);
	enum { EACH, SLOWEST, LARGEST } of;	/* in an array: what is true of any task, or of all if it is of this one */
} rules[] = {
	{ "timeout-hang", "critical", "a longer limit buys a longer hang: find out what it waited for", finds_timeout_hang, EACH },
	{ "timeout-real", "critical", "it needs more than this limit, how much more is unknown: measure, or let it resume", finds_timeout_real, EACH },
	{ "timeout", "critical", "look at its last output before giving it more time", finds_timeout, EACH },
	{ "oom", "critical", "ask for more than this limit; what it needs was not seen", finds_oom, EACH },
	{ "not-found", "critical", "look for the name in its output: a module that was not loaded, a typo", finds_not_found, EACH },
	{ "cannot-run", "critical", "chmod +x, or the first line of the script names no program", finds_cannot_run, EACH },
	{ "signal", "critical", "look at its last output; SIGKILL without a word is often memory", finds_signal, EACH },
	{ "hang", "critical", "find out what it waited for: input, a lock, a network, a prompt", finds_hang, EACH },
	{ "gpu-idle", "critical", "look whether it found its GPUs at all", finds_gpu_idle, EACH },
	{ "deadline", "critical", "start earlier, or move --deadline", finds_deadline, EACH },
	{ "node-failed", "warning", "the node, not the work: submit it again; whichnode says whether it stands out", finds_node_fail, EACH },
	{ "untrusted-memory", "warning", "take no request from this number: measure one task alone", finds_untrusted, EACH },
	{ "near-time", "warning", "the next one a little slower is cut: ask for more", finds_near_time, EACH },
	{ "near-memory", "warning", "one a little larger may be killed; where page cache is counted too it needs less", finds_near_memory, EACH },
	{ "cpu-low", "warning", "ask for fewer CPUs, or tell the program how many it has", finds_cpu_low, EACH },
	{ "kernel", "warning", "many small files, more threads than CPUs, or memory that is moved about", finds_kernel, EACH },
	{ "disk", "warning", "it is the disk that is waited for: stage the data on the node", finds_disk, EACH },
	{ "gpu-low", "warning", "GPUs wait: for input, for CPUs, for small batches", finds_gpu_low, EACH },
	{ "gpu-suspect", "warning", "look whether it used its GPUs at all", finds_gpu_suspect, EACH },
	{ "requeued", "warning", "what was not saved was computed again", finds_requeued, EACH },
	{ "slack-time", "info", "a shorter limit starts earlier", finds_slack_time, SLOWEST },
	{ "slack-memory", "info", "less memory starts earlier", finds_slack_memory, LARGEST },
	{ "exit", "info", "its own answer: look at its last output", finds_exit, EACH },
	{ "preempted", "info", "submit it again; save often", finds_preempted, EACH },
	{ "cancelled", "info", "-", finds_cancelled, EACH },
	{ "open", "info", "ask again when it has ended", finds_open, EACH }
};

#define RULES (sizeof rules / sizeof rules[0])

/* ---- reading ---- */

static void
take(const struct run *run)
{
	uint64_t n = run_asked(&ask.q, run);

	if (run->id.kind == ACCT_TASKS)
		waiting += n;	/* tasks that have not started have no run, but they are there */
	if (run->id.kind == ACCT_TASKS || n == 0)
		return;
	task = tool_grown(task, ntasks, &room, sizeof *task);
	memset(&task[ntasks], 0, sizeof *task);
	task[ntasks].run = *run;
	task[ntasks].user = (uint32_t)names_of(&users, run->user.s, run->user.n);
	task[ntasks].cluster = (uint32_t)names_of(&clusters, run->cluster.s, run->cluster.n);
	ntasks++;
	unsettled += acct_unsettled(run->name, run->partition) != 0;
	stepless += run->steps == 0 && run->elapsed > 0;
}

static void
read_runs(void)
{
	const char *source = acct_source(&ask.q);
	struct runs r;
	int got, first = 1;

	run_from(&r, &ask.q, NEEDS);
	while ((got = run_next(&r)) == 1) {
		if (first && !ask.quiet && !run_has(&r, RUN_TIME))
			tool_warn("%s: no column ElapsedRaw or Elapsed: how long it ran is unknown", source);
		if (first && !ask.quiet && !run_has(&r, RUN_CPU))
			tool_warn("%s: no column TotalCPU or TRESUsageInTot: CPU time is unknown", source);
		if (first && !ask.quiet && !run_has(&r, RUN_MEMORY))
			tool_warn("%s: no column MaxRSS: memory is unknown", source);
		first = 0;
		take(&r.run);
	}
	if (got < 0)
		run_die(&r, &ask.q);
	if (!ask.quiet)
		run_say_left_out(&r);
	run_end(&r);
}

/* ---- the newest attempts ---- */

static int
by_task(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	if (x->cluster != y->cluster)
		return strcmp(clusters.at[x->cluster].s, clusters.at[y->cluster].s);
	if (x->run.id.job != y->run.id.job)
		return x->run.id.job < y->run.id.job ? -1 : 1;
	if (x->run.id.kind != y->run.id.kind)
		return x->run.id.kind < y->run.id.kind ? -1 : 1;
	if (x->run.id.part != y->run.id.part)
		return x->run.id.part < y->run.id.part ? -1 : 1;
	return 0;
}

static int
by_attempt(const void *a, const void *b)
{
	const struct task *x = a, *y = b;
	int order = by_task(a, b);

	if (order != 0)
		return order;
	if (x->run.submit != y->run.submit)
		return x->run.submit < y->run.submit ? -1 : 1;
	return x->run.line < y->run.line ? -1 : x->run.line > y->run.line;
}

/* Keeps the newest attempt of each task. Earlier ones of the same user are added up; an id that another user had before
 * was used again. */
static void
keep_newest(void)
{
	size_t i, k, at, kept = 0;
	struct task *t;

	if (ntasks > 0)
		qsort(task, ntasks, sizeof *task, by_attempt);
	for (i = 0; i < ntasks; i = k) {
		for (k = i + 1; k < ntasks && by_task(&task[i], &task[k]) == 0; k++)
			;
		t = &task[k - 1];
		for (at = k - 1; at > i && task[at - 1].user == t->user; at--) {
			t->attempts++;
			t->spent += task[at - 1].run.elapsed > 0 ? task[at - 1].run.elapsed : 0;
			t->spent_unknown += task[at - 1].run.elapsed < 0;
		}
		recycled += at - i;
		task[kept++] = *t;
	}
	ntasks = kept;
}

/* ---- arrays ---- */

static int
by_number(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Whether the time of a task says how long one takes: it completed, or its limit cut it. */
static int
took(const struct task *t)
{
	return t->run.elapsed > 0 && (t->run.state == ACCT_COMPLETED || t->run.state == ACCT_TIMEOUT);
}

/* The slowest task and the median, over those that took their time; over all that ran where there are none. */
static void
find_slowest(struct group *g)
{
	int64_t *s = tool_realloc(NULL, g->n, sizeof *s);
	size_t i, n = 0, some = 0;

	for (i = 0; i < g->n; i++)
		some += (size_t)took(&g->task[i]);
	for (i = 0; i < g->n; i++) {
		if (some > 0 ? !took(&g->task[i]) : g->task[i].run.elapsed <= 0)
			continue;
		s[n++] = g->task[i].run.elapsed;
		if (g->slowest == NULL || g->task[i].run.elapsed > g->slowest->run.elapsed)
			g->slowest = &g->task[i];
	}
	g->middle = 0;
	if (n > 0) {
		qsort(s, n, sizeof *s, by_number);
		g->middle = s[(n - 1) / 2] + s[n / 2];
	}
	free(s);
}

/* How many times the median the slowest task took. */
static double
times_median(const struct group *g)
{
	return g->middle > 0 ? 2 * (double)g->slowest->run.elapsed / (double)g->middle : 1;
}

static void
sum_up(struct group *g)
{
	const struct task *t;
	double seconds;
	size_t i;

	for (i = 0; i < g->n; i++) {
		t = &g->task[i];
		seconds = (double)(t->run.elapsed > 0 ? t->run.elapsed : 0);
		g->untrusted += (size_t)t->run.untrusted;
		g->killed += (size_t)t->run.oom;
		if (t->run.peak > 0 && !t->run.untrusted && (g->largest == NULL || t->run.peak > g->largest->run.peak))
			g->largest = t;
		if (cpu_share(&t->run) >= 0) {
			g->with_cpu++;
			g->cpu += (double)t->run.cpu / 1000;
			g->cpu_limit += seconds * (double)t->run.cpus;
			if (g->idlest == NULL || cpu_share(&t->run) < cpu_share(&g->idlest->run))
				g->idlest = t;
		}
		if (t->run.gpus > 0 && t->run.gpu_used >= 0) {
			g->with_gpu++;
			g->gpu += seconds * (double)t->run.gpus * (double)t->run.gpu_used / 100;
			g->gpu_limit += seconds * (double)t->run.gpus;
		}
	}
}

/* ---- records ---- */

static int
on_screen(void)
{
	return ask.how != REC_JSON && isatty(1);
}

/* The share as a bar against the ceiling; what is above it is cut with a `>`. */
static void
put_bar(struct rec *r, double share)
{
	char bar[BAR];
	size_t n = share >= 1 ? BAR : share > 0 ? (size_t)(share * BAR + 0.5) : 0;

	memset(bar, '.', sizeof bar);
	memset(bar, '#', n);
	if (share > 1.0005)
		bar[BAR - 1] = '>';
	rec_text(r, bar, share < 0 ? 0 : BAR);
}

static void
put(struct rec *r, const struct tool_words *id, const char *what, const struct tool_words *used, const struct tool_words *limit, double share,
    const struct tool_words *note)
{
	rec_text(r, id->s, id->n);
	rec_word(r, what);
	rec_text(r, used->s, used->n);
	rec_text(r, limit->s, limit->n);
	rec_real(r, "%.3f", share);
	if (on_screen())
		put_bar(r, share);
	rec_text(r, note->s, note->n);
}

static void
say_limit(struct tool_words *w, const struct run *run)
{
	if (run->limit == RUN_UNLIMITED)
		tool_add(w, "UNLIMITED");
	else if (run->limit > 0)
		say_time(w, run->limit);
}

/* Why there is no number. */
static void
say_unknown(struct tool_words *w, const struct run *run, const char *why)
{
	if (!has_started(run))
		tool_add(w, "not started");
	else if (!acct_ended(run->state))
		tool_add(w, "not recorded while it runs");
	else if (run->elapsed == 0)
		tool_add(w, "ran for less than a second, or never");
	else
		tool_add(w, "not recorded: %s", why);
}

/* How the peak is known. */
static void
say_known(struct tool_words *w, const struct run *run)
{
	switch (run->peak_known) {
	case RUN_NOT_RECORDED: say_unknown(w, run, "no step has a MaxRSS"); break;
	case RUN_ONE_TASK: tool_add(w, "MaxRSS"); break;
	case RUN_ALL_TASKS: tool_add(w, "sum of its %" PRId64 " tasks", run->tasks); break;
	case RUN_AT_MOST: tool_add(w, "at most: %" PRId64 " tasks on %" PRId64 " nodes", run->tasks, run->nodes); break;
	case RUN_SHARED:
		if (run->tasks > 1)
			tool_add(w, "at least: one of %" PRId64 " tasks; what they use together is not recorded", run->tasks);
		else
			tool_add(w, "at least: one task; how many shared the node is not recorded");
		break;
	}
}

static void
put_time(struct rec *r, const struct tool_words *id, const struct run *run)
{
	struct tool_words used = { "", 0 }, limit = { "", 0 }, note = { "", 0 };
	int started = has_started(run);

	if (run->elapsed >= 0 && started)
		say_time(&used, run->elapsed);
	say_limit(&limit, run);
	tool_add(&note, "%s", acct_name(run->state));
	if (!acct_ended(run->state))
		tool_add(&note, started ? ": so far" : ": not started");
	if (run->elapsed < 0)
		tool_add(&note, "; how long it ran is not recorded");
	put(r, id, "time", &used, &limit, started ? time_share(run) : -1, &note);
}

static void
put_memory(struct rec *r, const struct tool_words *id, const struct run *run)
{
	struct tool_words used = { "", 0 }, limit = { "", 0 }, note = { "", 0 };

	if (run->peak >= 0)
		say_size(&used, run->peak);
	if (run->memory > 0)
		say_size(&limit, run->memory);
	if (run->untrusted)
		tool_add(&note, "untrusted: above its limit and not killed; ");
	else if (run->oom)
		tool_add(&note, run->peak > 0 ? "killed for memory: a floor; " : "killed for memory; ");
	say_known(&note, run);
	if (run->memory > 0 && run->nodes > 1)
		tool_add(&note, "; of one node of %" PRId64, run->nodes);
	put(r, id, "memory", &used, &limit, memory_share(run), &note);
}

static void
put_cpu(struct rec *r, const struct tool_words *id, const struct run *run)
{
	struct tool_words used = { "", 0 }, limit = { "", 0 }, note = { "", 0 };
	double share = cpu_share(run);

	if (run->cpu >= 0)
		say_time(&used, run->cpu / 1000);
	if (run->elapsed > 0 && run->cpus > 0 && run->elapsed < INT64_MAX / run->cpus)
		say_time(&limit, run->elapsed * run->cpus);
	if (share >= 0)
		tool_add(&note, "%.1f of %" PRId64 " CPU%s busy", share * (double)run->cpus, run->cpus, tool_plural((uint64_t)run->cpus));
	else if (run->cpu < 0 || run->elapsed == 0)
		say_unknown(&note, run, "no step has CPU time");
	else
		tool_add(&note, "no share: %s", run->elapsed < 0 ? "how long it ran is not recorded" : "its CPUs are not recorded");
	put(r, id, "cpu", &used, &limit, share, &note);
}

static void
put_gpu(struct rec *r, const struct tool_words *id, const struct run *run)
{
	struct tool_words used = { "", 0 }, limit = { "", 0 }, note = { "", 0 };

	if (run->gpus <= 0)
		return;
	tool_add(&limit, "%" PRId64, run->gpus);
	if (run->gpu_used >= 0) {
		tool_add(&used, "%.2f", (double)(run->gpu_used * run->gpus) / 100);
		tool_add(&note, "gres/gpuutil over its time");
		if (run->gpu_peak >= 0)
			tool_add(&note, "; a task at most %" PRId64 " %%", run->gpu_peak);
	} else
		tool_add(&note, "how busy its GPUs were is not recorded");
	put(r, id, "gpu", &used, &limit, run->gpu_used >= 0 ? (double)run->gpu_used / 100 : -1, &note);
}

static void
put_disk(struct rec *r, const struct tool_words *id, const struct run *run)
{
	struct tool_words used = { "", 0 }, limit = { "", 0 }, note = { "", 0 };

	if (disk_bytes(run) < DISK_BYTES)
		return;
	say_size(&used, disk_bytes(run));
	tool_add(&note, "read ");
	say_size(&note, run->disk_read > 0 ? run->disk_read : 0);
	tool_add(&note, ", written ");
	say_size(&note, run->disk_written > 0 ? run->disk_written : 0);
	if (run->elapsed > 0) {
		tool_add(&note, ": ");
		say_size(&note, disk_bytes(run) / run->elapsed);
		tool_add(&note, " a second");
	}
	put(r, id, "disk", &used, &limit, -1, &note);
}

static void
put_kernel(struct rec *r, const struct tool_words *id, const struct run *run)
{
	struct tool_words used = { "", 0 }, limit = { "", 0 }, note = { "", 0 };

	if (!kernel_heavy(run))
		return;
	say_time(&used, run->kernel / 1000);
	say_time(&limit, run->cpu / 1000);
	tool_add(&note, "SystemCPU of its CPU time");
	put(r, id, "kernel", &used, &limit, (double)run->kernel / (double)run->cpu, &note);
}

static void
put_run(struct rec *r, const struct task *t)
{
	struct tool_words id = { "", 0 };

	say_id(&id, &t->run, t->cluster, 0);
	put_time(r, &id, &t->run);
	put_memory(r, &id, &t->run);
	put_cpu(r, &id, &t->run);
	put_gpu(r, &id, &t->run);
	put_disk(r, &id, &t->run);
	put_kernel(r, &id, &t->run);
}

/* `slowest of 142 tasks: 4711_3` */
static void
say_which(struct tool_words *w, const char *what, const struct group *g, const struct task *t)
{
	tool_add(w, "%s of %zu tasks: ", what, g->n);
	say_id(w, &t->run, t->cluster, 0);
	if (!acct_ended(t->run.state))
		tool_add(w, " (so far)");
}

static void
put_array_time(struct rec *r, const struct tool_words *id, const struct group *g)
{
	struct tool_words used = { "", 0 }, limit = { "", 0 }, note = { "", 0 };
	const struct task *t = g->slowest != NULL ? g->slowest : g->task;

	say_limit(&limit, &t->run);
	if (g->slowest != NULL) {
		say_time(&used, t->run.elapsed);
		say_which(&note, "slowest", g, t);
		tool_add(&note, "; %.2f x the median ", times_median(g));
		say_time(&note, g->middle / 2);
	} else if (t->run.elapsed < 0)
		tool_add(&note, "how long its %zu tasks ran is not recorded", g->n);
	else
		tool_add(&note, "its %zu tasks ran for less than a second, or never", g->n);
	put(r, id, "time", &used, &limit, g->slowest != NULL ? time_share(&t->run) : -1, &note);
}

static void
put_array_memory(struct rec *r, const struct tool_words *id, const struct group *g)
{
	struct tool_words used = { "", 0 }, limit = { "", 0 }, note = { "", 0 };
	const struct task *t = g->largest != NULL ? g->largest : g->task;

	if (t->run.memory > 0)
		say_size(&limit, t->run.memory);
	if (g->largest != NULL) {
		say_size(&used, t->run.peak);
		say_which(&note, "largest", g, t);
		tool_add(&note, "; ");
		if (t->run.oom)
			tool_add(&note, "killed for memory: a floor; ");
		say_known(&note, &t->run);
	} else
		tool_add(&note, "not recorded%s", g->untrusted > 0 ? " in a way that can be trusted" : ": no step has a MaxRSS");
	if (g->untrusted > 0)
		tool_add(&note, "; %zu untrusted: above the limit and not killed", g->untrusted);
	put(r, id, "memory", &used, &limit, g->largest != NULL ? memory_share(&t->run) : -1, &note);
}

static void
put_array_sums(struct rec *r, const struct tool_words *id, const struct group *g)
{
	struct tool_words used = { "", 0 }, limit = { "", 0 }, note = { "", 0 }, none = { "", 0 };
	size_t i, gpus = 0;

	for (i = 0; i < g->n; i++)
		gpus += g->task[i].run.gpus > 0;
	if (g->with_cpu > 0) {
		say_time(&used, (int64_t)g->cpu);
		say_time(&limit, (int64_t)g->cpu_limit);
		tool_add(&note, "sum of %zu tasks; lowest %.3f: ", g->with_cpu, cpu_share(&g->idlest->run));
		say_id(&note, &g->idlest->run, g->idlest->cluster, 0);
	} else
		tool_add(&note, "not recorded: no step has CPU time");
	put(r, id, "cpu", &used, &limit, g->with_cpu > 0 && g->cpu_limit > 0 ? g->cpu / g->cpu_limit : -1, &note);
	if (gpus == 0)
		return;
	used = limit = note = none;
	if (g->with_gpu > 0 && g->gpu_limit > 0) {
		say_time(&used, (int64_t)g->gpu);
		say_time(&limit, (int64_t)g->gpu_limit);
		tool_add(&note, "GPU time, sum of %zu tasks; gres/gpuutil", g->with_gpu);
	} else
		tool_add(&note, "how busy the GPUs of %zu tasks were is not recorded", gpus);
	put(r, id, "gpu", &used, &limit, g->with_gpu > 0 && g->gpu_limit > 0 ? g->gpu / g->gpu_limit : -1, &note);
}

static void
put_array(struct rec *r, const struct group *g)
{
	struct tool_words id = { "", 0 };

	say_id(&id, &g->task->run, g->task->cluster, 1);
	put_array_time(r, &id, g);
	put_array_memory(r, &id, g);
	put_array_sums(r, &id, g);
}

/* The job or array whose tasks begin at i, or with -l that task alone; how many tasks it has. */
static size_t
take_group(size_t i, struct group *g)
{
	size_t k = i + 1;

	while (!ask.list && task[i].run.id.kind == ACCT_TASK && k < ntasks && task[k].run.id.kind == ACCT_TASK &&
	    task[k].run.id.job == task[i].run.id.job && task[k].cluster == task[i].cluster)
		k++;
	memset(g, 0, sizeof *g);
	g->task = &task[i];
	g->n = k - i;
	if (g->n > 1) {
		find_slowest(g);
		sum_up(g);
	}
	return g->n;
}

static void
print_records(void)
{
	static const char *const names[] = { "id", "what", "used", "limit", "share", "0             used         limit", "note" };
	const char *name[7];
	struct group g;
	struct rec r;
	size_t i, n = 0;

	for (i = 0; i < 7; i++)
		if (i != 5 || on_screen())
			name[n++] = names[i];
	rec_begin(&r, stdout, ask.how, name, n);
	for (i = 0; i < ntasks; i += g.n) {
		if (take_group(i, &g) > 1)
			put_array(&r, &g);
		else
			put_run(&r, &task[i]);
	}
	rec_finish(&r);
}

/* ---- findings ---- */

static void
put_finding(struct rec *r, const struct tool_words *id, const char *code, const char *severity, const struct tool_words *evidence,
    const char *advice)
{
	if (r != NULL) {
		rec_text(r, id->s, id->n);
		rec_word(r, code);
		rec_word(r, severity);
		rec_text(r, evidence->s, evidence->n);
		rec_word(r, advice);
		return;
	}
	esc_put(stdout, id->s, id->n, ESC_SCREEN);
	printf(": %s: ", code);
	esc_put(stdout, evidence->s, evidence->n, ESC_SCREEN);
	printf("%s%s\n", strcmp(advice, "-") == 0 ? "" : "\n    ", strcmp(advice, "-") == 0 ? "" : advice);
}

/* How many tasks the rule holds for, the first of them in *first. */
static size_t
count_holding(const struct group *g, const struct rule *rule, const struct task **first)
{
	struct tool_words w;
	size_t i, n = 0;

	for (i = 0; i < g->n; i++) {
		w.n = 0;
		if (rule->holds(&g->task[i], &w) && n++ == 0)
			*first = &g->task[i];
	}
	return n;
}

/* Says the rule of a job, of the tasks of an array for which it holds, or of the task that stands for all. */
static void
find_by_rule(struct rec *r, const struct tool_words *id, const struct group *g, const struct rule *rule)
{
	struct tool_words evidence = { "", 0 };
	const struct task *example = g->task;
	size_t n;

	if (g->n > 1 && rule->of == EACH) {
		n = count_holding(g, rule, &example);
		if (n == 0)
			return;
		tool_add(&evidence, "%zu of %zu tasks, ", n, g->n);
		say_id(&evidence, &example->run, example->cluster, 0);
		tool_add(&evidence, " first: ");
	} else if (g->n > 1) {
		example = rule->of == SLOWEST ? g->slowest : g->killed > 0 ? NULL : g->largest;
		if (example == NULL)
			return;
		tool_add(&evidence, "its %s task, ", rule->of == SLOWEST ? "slowest" : "largest");
		say_id(&evidence, &example->run, example->cluster, 0);
		tool_add(&evidence, ", ");
	}
	if (rule->holds(example, &evidence))
		put_finding(r, id, rule->code, rule->severity, &evidence, rule->advice);
}

static void
find_tail(struct rec *r, const struct tool_words *id, const struct group *g)
{
	struct tool_words evidence = { "", 0 };

	if (g->n < TAIL_TASKS || g->slowest == NULL || times_median(g) < TAIL)
		return;
	say_id(&evidence, &g->slowest->run, g->slowest->cluster, 0);
	tool_add(&evidence, " took %.1f x the median ", times_median(g));
	say_time(&evidence, g->middle / 2);
	tool_add(&evidence, " of %zu tasks", g->n);
	put_finding(r, id, "tail", "info", &evidence, "two requests, most tasks and the tail, cost less than one for the slowest");
}

/* All findings: as records, or as lines on the terminal where r is NULL. */
static void
print_findings(struct rec *r)
{
	struct tool_words id;
	struct group g;
	size_t i, k;

	for (i = 0; i < ntasks; i += g.n) {
		take_group(i, &g);
		id.n = 0;
		id.s[0] = '\0';
		say_id(&id, &task[i].run, task[i].cluster, g.n > 1);
		for (k = 0; k < RULES; k++)
			find_by_rule(r, &id, &g, &rules[k]);
		if (g.n > 1)
			find_tail(r, &id, &g);
	}
}

static void
print(void)
{
	static const char *const names[] = { "id", "code", "severity", "evidence", "advice" };
	struct rec r;

	if (!ask.findings) {
		print_records();
		if (on_screen())
			print_findings(NULL);
		return;
	}
	rec_begin(&r, stdout, ask.how, names, 5);
	print_findings(&r);
	rec_finish(&r);
}

/* What a reader of the records should know of them. */
static void
tell(void)
{
	if (unsettled > 0)
		tool_warn("%" PRIu64 " record%s not settled yet (no partition, named allocation): accounting lags up to 15 s", unsettled,
		    unsettled == 1 ? " is" : "s are");
	if (ask.quiet)
		return;
	if (waiting > 0)
		tool_warn("%" PRIu64 " task%s not started: not counted", waiting, waiting == 1 ? " has" : "s have");
	if (recycled > 0)
		tool_warn("%" PRIu64 " older record%s of another user: the id was used again; left out", recycled,
		    recycled == 1 ? " is" : "s are");
	if (stepless > 0 && stepless == ntasks)
		tool_warn("no job has steps (sacct -X?): memory is known from steps alone");
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
		case 'l': ask.list = 1; break;
		case 'F': ask.findings = 1; break;
		case 'H': ask.how = REC_HEADER; break;
		case O_JSON: ask.how = REC_JSON; break;
		case 'q': ask.quiet = 1; break;
		default: acct_option(&ask.q, val, optarg); break;
		}
	acct_ids(&ask.q, o->operand, o->n);
	acct_choose(&ask.q);
}

int
main(int argc, char **argv)
{
	struct opt o = OPT_INIT(argc, argv, options, 0);
	size_t missing;

	tool_begin();
	read_options(&o);
	if (ask.fields) {
		puts(run_fields(NEEDS));
		tool_done(YES);
	}
	read_runs();
	missing = acct_say_missing(&ask.q);
	if (ntasks == 0 && waiting == 0)
		tool_die(TROUBLE, ask.q.text ? "no records in the text" : "no records: sacct knows of none");
	keep_newest();
	tell();
	print();
	tool_done(missing > 0 ? TROUBLE : YES);
}
