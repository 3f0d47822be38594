/* run.h - runs out of accounting: one attempt of a job or array task, with its steps joined to it
 *
 * Steps belong to the row of their job before them, as sacct prints it. What is not recorded is -1 everywhere: it is
 * never 0, and never taken for "none". */
#ifndef RUN_H
#define RUN_H

#include <stddef.h>
#include <stdint.h>

#include "acct.h"
#include "names.h"
#include "tool.h"

#define RUN_UNLIMITED INT64_MAX
#define RUN_HUNG_TIME 300	/* s: a run that hung took longer, */
#define RUN_HUNG_CPU 10		/* and used less CPU, in s */

/* What a run is asked for: the columns its fields come from. Id, state, name, user and cluster are always read. */
enum run_need {
	RUN_TIME = 1,		/* elapsed, limit, submit, start, end */
	RUN_CPU = 2,		/* cpus, cpu, kernel, nodes */
	RUN_MEMORY = 4,		/* memory, asked, peak and how it is known */
	RUN_GPU = 8,		/* gpus, gpu_used, gpu_sum, gpu_peak, elapsed */
	RUN_DISK = 16,		/* disk_read, disk_written */
	RUN_NODES = 32,		/* nodelist, failed */
	RUN_ELAPSED = 64,	/* elapsed alone, and wrong; */
	RUN_SPAN = 128,		/* the same where there is no ElapsedRaw, in a text */
	RUN_USED = 256,		/* cpu alone */
	RUN_FEW = 512		/* exit code and partition are not read */
};

/* How `peak`, the most memory the run used on one node, is known. Every step is looked at, the largest counts; steps
 * that ran beside each other on a node are not added up. */
enum run_peak {
	RUN_NOT_RECORDED,	/* MaxRSS is blank or zero in all steps */
	RUN_ONE_TASK,		/* at most one task a node: MaxRSS */
	RUN_ALL_TASKS,		/* several tasks on the one node: their sum, TRESUsageInTot's mem */
	RUN_AT_MOST,		/* several tasks on each of several nodes: MaxRSS times tasks a node, at most TRESUsageInTot's mem */
	RUN_SHARED		/* several tasks on a node (tasks -1: not known how many) and no sum: peak is one task's, the
				 * node's is unknown */
};

struct run {
	/* valid until the next call; texts are not ended by NUL */
	uint64_t line;			/* of its first row */
	struct acct_id id;
	uint32_t raw;			/* JobIDRaw, 0 unknown */
	enum acct_state state;
	int32_t exit_code, exit_signal;	/* of ExitCode, -1 */
	struct acct_text name, user, partition, cluster, nodelist, failed;	/* failed: FailedNode */
	int64_t submit, start, end;	/* s since 1970 on the cluster's clock, -1 */
	int64_t elapsed;		/* s */
	const char *wrong;		/* NULL, or which of its times is no time (acct_elapsed_bad) */
	int64_t limit;			/* s, or RUN_UNLIMITED */
	int64_t nodes, cpus;		/* allocated, else asked */
	int64_t cpu, kernel;		/* ms of CPU used, and of them in the kernel: the sum of all steps but .extern, else the
					 * job's own row. 0 in every step and the job is not recorded: -1 */
	int64_t memory;			/* bytes on one node: the limit of this run */
	int64_t asked;			/* ReqMem's number in bytes, */
	char asked_per;			/* and what it is for: 'n' a node, 'c' a CPU, 'j' the job; 0 where it is not recorded */
	int64_t peak;			/* bytes on one node */
	enum run_peak peak_known;
	int untrusted;			/* peak exceeds memory, and the run was not killed for memory: pages counted twice */
	int oom;			/* the run, or a step of it, was killed for memory */
	int partial;			/* it runs, and its steps do not say yet what they used: cpu is unknown, peak so far */
	int64_t gpus;			/* of all nodes; 0 where TRES are recorded and name none */
	int64_t gpu_used;		/* percent of one GPU's time, mean over the run and its GPUs: gres/gpuutil; -1 not recorded */
	int64_t gpu_sum;		/* the same of all GPUs together, and up to a whole percent: 0 only where nothing was used */
	int64_t gpu_peak;		/* the highest gres/gpuutil of a task, over 100 where it has several GPUs */
	int64_t disk_read, disk_written;/* bytes, all steps but .extern */
	int64_t tasks;			/* NTasks of the widest step; of .batch 1, where it is not recorded */
	uint32_t steps;			/* rows of steps joined (0: the text is `sacct -X`, or it never started) */
};

struct runs {
	struct run run;
	struct acct a;			/* after -1 its status and why stand */
	/* counted while reading */
	uint64_t rows, lonely, twice;	/* records read; steps without their job's row before them; runs left out, read before */
	/* private */
	unsigned needs;
	const char *want[40];
	char wrong[ACCT_WHY];
	int fd, pending, no_kernel;
	int64_t own_cpu, own_kernel, own_read, own_written;	/* of the job's own row */
	int64_t gpu_seconds;		/* percent of GPUs, times seconds: the sum of the steps */
	int64_t task, apart, outside;	/* MaxRSS of one task; what a node would need at most where that is all; of .extern */
	char *text;			/* copies of the run's texts */
	size_t room;
	struct names_met seen;		/* the runs that have started */
};

/* The columns for needs (a sum of enum run_need), joined by commas: for --fields. Ours. AllocGRES is left out (since
 * Slurm 20.11 sacct knows it no more), and FailedNode (new in 23.11): one unknown field empties its output. */
const char *run_fields(unsigned needs);

/* Begins to read text from fd, which is the caller's to close. */
void run_begin(struct runs *r, int fd, unsigned needs);

/* Begins to read what q chose (acct_choose): text, which run_end closes, or sacct's answer, all attempts, with steps where they
 * say what is needed. Ends the program where neither can be had. */
void run_from(struct runs *r, struct acct_query *q, unsigned needs);

/* The next run: 1, 0 at the end, -1. Steps are looked at until the next job's row. A run
 * whose id, times and state were read before is left out (two outputs that overlap), where RUN_TIME is asked for and the text
 * says when it started. */
int run_next(struct runs *r);

/* How many tasks of the run were asked for, of all of them where it stands for many; they are marked as seen (acct_asked). Ends the
 * program where its list of tasks is none. */
uint64_t run_asked(struct acct_query *q, const struct run *run);

/* The end of the program after -1, with what was read and why. */
void run_die(const struct runs *r, const struct acct_query *q) TOOL_NORETURN;

/* Says on stderr what was left out: runs that were read before, and steps of unknown jobs. */
void run_say_left_out(const struct runs *r);

/* Whether the text has what the need comes from (after the first run_next). */
int run_has(const struct runs *r, enum run_need need);

/* Ends the reading and frees all. */
void run_end(struct runs *r);

/* Whether the run computed nothing: it ended, elapsed > RUN_HUNG_TIME, 0 < CPU < RUN_HUNG_CPU; 0 for one that was
 * interrupted (acct_interrupted); -1 where CPU or elapsed is not recorded and would have to be. */
int run_hung(const struct run *run);

/* A size as sacct prints it (512M, 1.5G, 1000, 4000Mn, 2Gc; suffix K M G T P binary, none: unit, in bytes) in bytes, -1;
 * what it is for in *per ('n', 'c' or 'j') where per is not NULL. */
int64_t run_size(struct acct_text t, int64_t unit, char *per);

/* The number of NAME=VALUE in a TRES text (`cpu=4,mem=8G,gres/gpu=2`): its value as text, s NULL where there is none. */
struct acct_text run_tres(struct acct_text tres, const char *name);

/* What one run costs: weight x GPU-hours + core-hours (weight 16); its hours in *gpu_h and *cpu_h, each -1 where it
 * cannot be told, and so is the cost. NULL for what is not wanted. */
double run_cost(const struct run *run, double weight, double *gpu_h, double *cpu_h);

#endif
