/* work-rows - writes text as `sacct -DP -o ALL` prints it, 80 fields a row: for the measurements of what reads runs
 *
 * usage: work-rows ROWS [SEED]      about 700 bytes a row; the same seed gives the same text
 * A job is a row and three steps. Most belong to arrays of 8 to 512 tasks; of a hundred attempts four are requeued, and
 * nine fail in one way or another. Nothing in it is from a real cluster.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const names[] = {
	"JobID", "JobIDRaw", "JobName", "User", "UID", "Group", "Account", "Cluster", "Partition", "QOS", "AssocID", "WCKey", "State", "ExitCode",
	"DerivedExitCode", "Reason", "Flags", "Submit", "Eligible", "Start", "End", "Elapsed", "ElapsedRaw", "Timelimit", "TimelimitRaw", "Planned",
	"Suspended", "ReqMem", "ReqCPUS", "ReqNodes", "ReqTRES", "Constraints", "AllocTRES", "AllocCPUS", "AllocNodes", "NCPUS", "NNodes", "NTasks",
	"NodeList", "TotalCPU", "UserCPU", "SystemCPU", "CPUTime", "CPUTimeRAW", "AveCPU", "MinCPU", "MinCPUNode", "MinCPUTask", "AveCPUFreq",
	"MaxRSS", "MaxRSSNode", "MaxRSSTask", "AveRSS", "MaxVMSize", "MaxVMSizeNode", "AveVMSize", "MaxPages", "MaxPagesNode", "AvePages",
	"MaxDiskRead", "MaxDiskReadNode", "AveDiskRead", "MaxDiskWrite", "MaxDiskWriteNode", "AveDiskWrite", "TRESUsageInTot", "TRESUsageOutTot",
	"TRESUsageInMax", "TRESUsageInMaxNode", "TRESUsageInAve", "ConsumedEnergy", "Priority", "Reservation", "Comment", "AdminComment", "Layout",
	"WorkDir", "Restarts", "FailedNode", "SLUID"
};
#define NAMES (sizeof names / sizeof *names)

static uint64_t seed;
static const char *field[NAMES];
static char room[32768];
static size_t used;

static unsigned
any(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)((seed >> 11) % n);
}

static void
set(const char *name, const char *text)
{
	static size_t at;
	size_t i;

	for (i = 0; i < NAMES; i++, at++)
		if (strcmp(names[at % NAMES], name) == 0) {
			field[at % NAMES] = text;
			return;
		}
	fprintf(stderr, "work-rows: no field %s\n", name);
	exit(2);
}

static const char *
keep(const char *fmt, unsigned long a, unsigned long b)
{
	char *s = room + used;

	used += (size_t)snprintf(s, sizeof room - used, fmt, a, b) + 1;
	return s;
}

static const char *
when(time_t t)
{
	char *s = room + used;
	struct tm tm;

	gmtime_r(&t, &tm);
	used += strftime(s, 32, "%Y-%m-%dT%H:%M:%S", &tm) + 1;
	return s;
}

static const char *
lasting(unsigned long s)
{
	char *buf = room + used;

	used += (size_t)(s >= 86400 ? snprintf(buf, 32, "%lu-%02lu:%02lu:%02lu", s / 86400, s / 3600 % 24, s / 60 % 60, s % 60) :
	    snprintf(buf, 32, "%02lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60)) + 1;
	return buf;
}

static void
row(void)
{
	size_t i;

	for (i = 0; i < NAMES; i++) {
		fputs(field[i] != NULL ? field[i] : "", stdout);
		putchar(i + 1 < NAMES ? '|' : '\n');
	}
}

struct work {
	unsigned user, kind, cpus, mem, gpus;
	unsigned long limit;
};

static void
shared(const struct work *w, time_t start, unsigned long s)
{
	const char *cpus = keep("%lu", w->cpus, 0), *tres;

	tres = w->gpus > 0 ? keep("billing=%lu,cpu=%1$lu,gres/gpu=1,mem=%2$luG,node=1", w->cpus, w->mem) :
	    keep("billing=%lu,cpu=%1$lu,mem=%2$luG,node=1", w->cpus, w->mem);
	set("Account", keep("lab%lu", w->user % 7, 0));
	set("Cluster", "tantalus");
	set("AssocID", keep("%lu", 100 + w->user, 0));
	set("Start", when(start));
	set("End", when(start + (time_t)s));
	set("Elapsed", lasting(s));
	set("ElapsedRaw", keep("%lu", s, 0));
	set("Suspended", "00:00:00");
	set("ReqCPUS", cpus);
	set("ReqNodes", "1");
	set("AllocTRES", tres);
	set("AllocCPUS", cpus);
	set("AllocNodes", "1");
	set("NCPUS", cpus);
	set("NNodes", "1");
	set("NodeList", keep("node%03lu", any(400), 0));
	set("CPUTime", lasting(s * w->cpus));
	set("CPUTimeRAW", keep("%lu", s * w->cpus, 0));
	set("ConsumedEnergy", "0");
	set("Layout", "Unknown");
}

static void
step(const char *name, unsigned long cpu, unsigned long rss, const char *node)
{
	const char *t = lasting(cpu), *k = keep("%luK", rss, 0);
	const char *in = keep("cpu=%02lu:00:00,energy=0,fs/disk=%2$lu,mem=%2$luK,pages=12,vmem=%2$luK", cpu / 3600, rss);

	set("JobName", name);
	set("NTasks", "1");
	set("TotalCPU", t);
	set("UserCPU", t);
	set("SystemCPU", lasting(cpu / 20));
	set("AveCPU", t);
	set("MinCPU", t);
	set("MinCPUNode", node);
	set("MinCPUTask", "0");
	set("AveCPUFreq", "2.40M");
	set("MaxRSS", k);
	set("MaxRSSNode", node);
	set("MaxRSSTask", "0");
	set("AveRSS", k);
	set("MaxVMSize", k);
	set("MaxVMSizeNode", node);
	set("AveVMSize", k);
	set("MaxPages", "12");
	set("MaxPagesNode", node);
	set("AvePages", "12");
	set("MaxDiskRead", "31.52M");
	set("MaxDiskReadNode", node);
	set("AveDiskRead", "31.52M");
	set("MaxDiskWrite", "0.44M");
	set("MaxDiskWriteNode", node);
	set("AveDiskWrite", "0.44M");
	set("TRESUsageInTot", in);
	set("TRESUsageOutTot", "energy=0,fs/disk=461373");
	set("TRESUsageInMax", in);
	set("TRESUsageInMaxNode", keep("cpu=node%03lu,energy=node%1$03lu,fs/disk=node%1$03lu,mem=node%1$03lu,pages=node%1$03lu,vmem=node%1$03lu",
	    any(400), 0));
	set("TRESUsageInAve", in);
}

/* The four rows of one attempt. */
static void
attempt(const char *id, const char *raw, const struct work *w, const char *name, const char *state, const char *code, time_t submit,
    unsigned long s)
{
	static const char *const steps[] = { "batch", "extern", "0" };
	time_t start = submit + 5 + (time_t)any(3600);
	const char *node;
	char a[64], b[64];
	unsigned i;

	memset(field, 0, sizeof field);
	used = 0;
	shared(w, start, s);
	set("JobID", id);
	set("JobIDRaw", raw);
	set("JobName", name);
	set("User", keep("u%02lu", w->user, 0));
	set("UID", keep("%lu", 1000 + w->user, 0));
	set("Group", "users");
	set("Partition", w->gpus > 0 ? "gpu" : "cpu");
	set("QOS", "normal");
	set("State", state);
	set("ExitCode", code);
	set("DerivedExitCode", "0:0");
	set("Reason", "None");
	set("Flags", "SchedMain,StartRecieved");
	set("Submit", when(submit));
	set("Eligible", when(submit));
	set("Timelimit", lasting(w->limit));
	set("TimelimitRaw", keep("%lu", w->limit / 60, 0));
	set("Planned", lasting((unsigned long)(start - submit)));
	set("ReqMem", keep("%luG", w->mem, 0));
	set("ReqTRES", keep("billing=%lu,cpu=%1$lu,mem=%2$luG,node=1", w->cpus, w->mem));
	set("TotalCPU", lasting(s * w->cpus * 3 / 4));
	set("Priority", keep("%lu", 4000000000u - any(9999999), 0));
	set("WorkDir", keep("/scratch/projects/lab/users/u%02lu/campaigns/2026-autumn/runs/sweep-%lu", w->user, w->kind));
	set("Comment", keep("{\"campaign\":\"2026-autumn\",\"grid\":%lu,\"commit\":\"d41d8cd98f00b204e9800998ecf8427e%02lu\",\"notes\":\"none\"}", w->kind,
	    w->user));
	set("Restarts", "0");
	set("SLUID", keep("s%lu%lu", any(999999999), any(999999999)));
	row();
	for (i = 0; i < 3; i++) {
		memset(field, 0, sizeof field);
		used = 0;
		shared(w, start, s);
		snprintf(a, sizeof a, "%s.%s", id, steps[i]);
		snprintf(b, sizeof b, "%s.%s", raw, steps[i]);
		node = keep("node%03lu", any(400), 0);
		step(i < 2 ? steps[i] : "python", i == 1 ? 0 : s * w->cpus * 3 / 8, i == 1 ? 1000 : (unsigned long)w->mem * (400000 + any(400000)), node);
		set("JobID", a);
		set("JobIDRaw", b);
		set("State", i == 1 ? "COMPLETED" : state[0] == 'T' ? "CANCELLED" : state[0] == 'C' && state[1] == 'A' ? "CANCELLED" : state);
		set("ExitCode", i == 1 ? "0:0" : code);
		set("Submit", when(start));
		row();
	}
}

int
main(int argc, char **argv)
{
	static const char *const state[] = { "COMPLETED", "FAILED", "TIMEOUT", "OUT_OF_MEMORY", "CANCELLED by 1000", "NODE_FAIL" };
	static const char *const code[] = { "0:0", "1:0", "0:0", "0:125", "0:0", "0:0" };
	static const char *const kinds[] = { "train", "eval", "tokenize", "align", "relax", "fit", "sim", "merge" };
	static const unsigned upto[] = { 91, 94, 96, 98, 99, 100 };
	unsigned long rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, n = 0, job = 1000000;
	time_t now = 1780000000;
	char id[48], raw[48], name[48];
	unsigned tasks, i, k, s;
	struct work w;

	seed = 88172645463325252u + (argc > 2 ? strtoul(argv[2], NULL, 10) : 0);
	for (i = 0; i < NAMES; i++)
		printf("%s%c", names[i], i + 1 < NAMES ? '|' : '\n');
	while (n < rows) {
		tasks = any(3) ? 8u << any(7) : 1;
		w.user = any(40);
		w.kind = any(500);
		w.cpus = 1u << w.kind % 5;
		w.mem = 4 * (1 + w.kind % 16);
		w.gpus = w.kind % 4 == 0;
		w.limit = 3600 * (1 + w.kind % 24);
		now += any(600);
		for (i = 0; i < tasks && n < rows; i++) {
			snprintf(id, sizeof id, tasks > 1 ? "%lu_%u" : "%lu", job, i);
			snprintf(raw, sizeof raw, "%lu", job + (i + 1) % tasks);
			snprintf(name, sizeof name, "%s_%c%c_%u", kinds[w.kind % 8], 'a' + (int)(w.kind / 26 % 26), 'a' + (int)(w.kind % 26), any(9));
			if (any(100) < 4) {
				attempt(id, raw, &w, name, any(2) ? "PREEMPTED" : "NODE_FAIL", "0:0", now, 60 + any(3000));
				n += 4;
			}
			k = any(100);
			for (s = 0; k >= upto[s]; s++)
				;
			attempt(id, raw, &w, name, state[s], code[s], now + 30000, s == 2 ? w.limit : w.limit / 2 + any((unsigned)w.limit * 2 / 5));
			n += 4;
		}
		job += tasks;
	}
	return fflush(stdout) != 0 || ferror(stdout);
}
