/* sacct-rows - writes text as `sacct -P -D` prints it, for the measurements: jobs, arrays, steps, requeues
 *
 * usage: sacct-rows ROWS [SEED]      about 174 bytes a row; the same seed gives the same text
 * A job is a row and three steps. Of a hundred jobs four are requeued; most belong to arrays of 8 to 1024 tasks, whose
 * rows come in the order of their starts. Nothing in it is from a real cluster.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t seed;

static unsigned
any(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)((seed >> 11) % n);
}

static const char *
when(time_t t, char buf[32])
{
	struct tm tm;

	gmtime_r(&t, &tm);
	strftime(buf, 32, "%Y-%m-%dT%H:%M:%S", &tm);
	return buf;
}

static const char *
lasting(unsigned s, char buf[32])
{
	if (s >= 86400)
		snprintf(buf, 32, "%u-%02u:%02u:%02u", s / 86400, s / 3600 % 24, s / 60 % 60, s % 60);
	else
		snprintf(buf, 32, "%02u:%02u:%02u", s / 3600, s / 60 % 60, s % 60);
	return buf;
}

/* The rows of one attempt; how many. */
static unsigned
attempt(const char *id, const char *raw, unsigned user, unsigned work, const char *state, const char *code, time_t submit, unsigned s)
{
	static const char *const steps[] = { "batch", "extern", "0" };
	static const char *const works[] = { "train", "eval", "tokenize", "align", "relax", "fit", "sim", "merge" };
	char a[32], b[32], c[32], d[32], node[32];
	time_t start = submit + 5 + any(3600);
	unsigned i, cpus = 1u << any(5);

	snprintf(node, sizeof node, "n%03u", any(400));
	printf("%s|%s|%s_%u|u%02u|lab%u|%s|%s|%s|%s|%s|%s|%s|%u|%s|%u|%uG|||billing=%u,cpu=%u,mem=%uG,node=1|None\n", id, raw, works[work % 8],
	    work, user, user % 7, user % 3 ? "cpu" : "gpu", state, code, when(submit, a), when(start, b), when(start + s, c), lasting(s, d), s,
	    node, cpus, 4 * cpus, cpus, cpus, 4 * cpus);
	for (i = 0; i < 3; i++)
		printf("%s.%s|%s.%s|%s||lab%u||%s|%s|%s|%s|%s|%s|%u|%s|%u||%uK|%s|cpu=%u,mem=%uG,node=1|\n", id, steps[i], raw, steps[i], i < 2 ? steps[i] :
		    "python", user % 7, i == 1 ? "COMPLETED" : state[0] == 'T' ? "CANCELLED" : state, i == 1 ? "0:0" : code, b, b, c, d, s, node, cpus,
		    1000 + any(4000000), lasting(s * cpus / 2, a), cpus, 4 * cpus);
	return 4;
}

int
main(int argc, char **argv)
{
	static const char *const state[] = { "COMPLETED", "FAILED", "TIMEOUT", "OUT_OF_MEMORY", "CANCELLED by 1000", "NODE_FAIL" };
	static const char *const code[] = { "0:0", "1:0", "0:0", "0:125", "0:0", "0:0" };
	static const unsigned upto[] = { 82, 91, 95, 97, 99, 100 };
	unsigned long rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, n = 0, job = 1000000;
	time_t now = 1790000000;
	char id[48], raw[48];
	unsigned tasks, i, k, user, work;

	seed = 88172645463325252u + (argc > 2 ? strtoul(argv[2], NULL, 10) : 0);
	setvbuf(stdout, NULL, _IOFBF, 1 << 20);	/* so that the page cache holds it as it holds what was read from a disk */
	puts("JobID|JobIDRaw|JobName|User|Account|Partition|State|ExitCode|Submit|Start|End|Elapsed|ElapsedRaw|NodeList|AllocCPUS|ReqMem|MaxRSS|"
	    "TotalCPU|AllocTRES|Reason");
	while (n < rows) {
		tasks = any(3) ? 8u << any(8) : 1;
		user = any(40);
		work = any(500);
		now += any(600);
		for (i = 0; i < tasks && n < rows; i++) {
			snprintf(id, sizeof id, tasks > 1 ? "%lu_%u" : "%lu", job, i);
			snprintf(raw, sizeof raw, "%lu", job + (i + 1) % tasks);
			if (any(100) < 4)
				n += attempt(id, raw, user, work, any(2) ? "PREEMPTED" : "NODE_FAIL", "0:0", now, 60 + any(20000));
			k = any(100);
			for (k = k < upto[0] ? 0 : k < upto[1] ? 1 : k < upto[2] ? 2 : k < upto[3] ? 3 : k < upto[4] ? 4 : 5; n < rows; ) {
				n += attempt(id, raw, user, work, state[k], code[k], now + 30000, 1 + any(86400));
				break;
			}
		}
		job += tasks;
	}
	return fflush(stdout) != 0 || ferror(stdout);
}
