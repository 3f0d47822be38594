/* runs - a driver for the tests of lib/run: each run of the text on stdin on a line, and each function, for t/runs.bats
 *
 * usage: runs [-n NEEDS] | size WORD... | tres TEXT NAME | fold WORD... | fields NEEDS
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acct.h"
#include "names.h"
#include "run.h"
#include "tool.h"

const char help[] = "runs - the driver of t/runs.bats\n";

static void
put(const char *name, int64_t v)
{
	if (v != -1)
		printf(" %s=%" PRId64, name, v);
}

static void
put_text(const char *name, struct acct_text t)
{
	if (t.n > 0)
		printf(" %s=%.*s", name, (int)t.n, t.s);
}

static void
put_run(const struct run *run)
{
	static const char *const known[] = { "unknown", "one-task", "all-tasks", "at-most", "shared" };
	double gpu, cpu, cost = run_cost(run, 16, &gpu, &cpu);

	printf("%" PRIu64 ":%" PRIu32, run->line, run->id.job);
	if (run->id.kind != ACCT_JOB)
		printf("_%" PRIu32, run->id.part);
	printf(" %s", acct_name(run->state));
	put_text("name", run->name);
	put_text("user", run->user);
	put_text("partition", run->partition);
	put_text("cluster", run->cluster);
	put_text("nodes", run->nodelist);
	put_text("tasks", run->id.tasks);
	put("exit", run->exit_code);
	put("signal", run->exit_signal);
	put("submit", run->submit);
	put("start", run->start);
	put("end", run->end);
	put("elapsed", run->elapsed);
	if (run->limit == RUN_UNLIMITED)
		printf(" limit=unlimited");
	else
		put("limit", run->limit);
	put("nnodes", run->nodes);
	put("cpus", run->cpus);
	put("cpu", run->cpu);
	put("kernel", run->kernel);
	put("memory", run->memory);
	if (run->asked_per)
		printf(" asked=%" PRId64 "%c", run->asked, run->asked_per);
	put("peak", run->peak);
	if (run->peak_known != RUN_NOT_RECORDED)
		printf(" known=%s", known[run->peak_known]);
	if (run->untrusted || run->oom || run->partial)
		printf("%s%s%s", run->untrusted ? " untrusted" : "", run->oom ? " oom" : "", run->partial ? " partial" : "");
	put("gpus", run->gpus);
	put("gpu_used", run->gpu_used);
	put("gpu_peak", run->gpu_peak);
	put("read", run->disk_read);
	put("written", run->disk_written);
	put("ntasks", run->tasks);
	printf(" steps=%" PRIu32 " hung=%d failed=%d", run->steps, run_hung(run), acct_failed(run->state));
	if (cost >= 0)
		printf(" cost=%.3f", cost);
	putchar('\n');
}

static void
read_all(unsigned needs)
{
	struct runs r;
	int got, i;

	run_begin(&r, 0, needs);
	while ((got = run_next(&r)) == 1)
		put_run(&r.run);
	if (got < 0)
		tool_die(r.a.status, "%s", r.a.why);
	printf("rows=%" PRIu64 " lonely=%" PRIu64, r.rows, r.lonely);
	if (r.twice > 0)
		printf(" twice=%" PRIu64, r.twice);
	printf(" has=");
	for (i = 1; r.rows > 0 && i <= RUN_NODES; i *= 2)
		putchar(run_has(&r, (enum run_need)i) ? '1' : '0');
	putchar('\n');
	run_end(&r);
}

static void
count(void)
{
	struct runs r;
	uint64_t runs = 0;
	int got;

	run_begin(&r, 0, 63);
	while ((got = run_next(&r)) == 1)
		runs++;
	printf("%d %" PRIu64 "\n", got, runs);
	run_end(&r);
}

int
main(int argc, char **argv)
{
	struct acct_text t, name;
	char per, buf[256];
	int64_t size;
	int i;

	tool_begin();
	if (argc > 1 && strcmp(argv[1], "fields") == 0)
		puts(run_fields((unsigned)atoi(argv[2])));
	else if (argc > 1 && strcmp(argv[1], "count") == 0)
		count();
	else if (argc < 3 || strcmp(argv[1], "-n") == 0)
		read_all(argc > 2 ? (unsigned)atoi(argv[2]) : 63);
	for (i = 2; i < argc; i++) {
		t.s = argv[i];
		t.n = strlen(argv[i]);
		if (strcmp(argv[1], "size") == 0) {
			size = run_size(t, 1, &per);
			printf("%" PRId64 "%c\n", size, per);
		}
		if (strcmp(argv[1], "fold") == 0)
			printf("%.*s\n", (int)names_fold(buf, t.s, t.n), buf);
		if (strcmp(argv[1], "tres") == 0 && i + 1 < argc) {
			name = run_tres(t, argv[++i]);
			printf("%.*s\n", name.s != NULL ? (int)name.n : 1, name.s != NULL ? name.s : "!");
		}
	}
	tool_done(YES);
}
