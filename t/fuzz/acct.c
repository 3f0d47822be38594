/* acct - the reader of sacct's text, its small parsers, and the runs with their steps
 *
 * seeds: t/data t/acct.bats t/runs.bats t/sacct-hist.bats
 * words: JobID JobIDRaw State Elapsed NodeList | COMPLETED TIMEOUT OUT_OF_MEMORY 7_[1-3,5%2] .batch Unknown 00:00:01
 * SPDX-License-Identifier: 0BSD */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acct.h"
#include "fuzz.h"
#include "run.h"

const char help[] = "fuzz";

static const char *const want[] = { "JobID", "JobIDRaw", "JobName", "State", "NodeList", "Elapsed", "ExitCode", "Submit" };
#define WANT (sizeof want / sizeof want[0])

static void
small(const uint8_t *data, size_t size)
{
	struct acct_query q;
	struct acct_text t;
	struct acct_id id;
	char why[ACCT_WHY], buf[40], *word = fuzz_text(data, size);

	t.s = word;
	t.n = size;
	if (acct_id(&id, t.s, t.n) == NULL)
		fuzz_must(id.job > 0, "an id without a job");
	acct_time(t);
	acct_duration(t);
	acct_nothing(t);
	acct_word(word, size);
	acct_since(word, buf);
	run_size(t, 1024, NULL);
	run_tres(t, "mem");
	memset(&q, 0, sizeof q);
	if (acct_ask(&q, word, why) == NULL)
		acct_sort(&q);
}

static void
records(const uint8_t *data, size_t size)
{
	int fd = open(fuzz_file(0, data, size), O_RDONLY), got;
	uint64_t line = 0, rows = 0;
	struct acct_text t;
	struct runs r;
	struct acct a;
	size_t i, k;

	acct_begin(&a, fd, want, WANT);
	while ((got = acct_next(&a)) == 1) {
		fuzz_must(a.line > line && a.state < ACCT_STATES, "lines that do not grow, or no state");
		line = a.line;
		rows++;
		for (i = 0; i < WANT; i++) {
			t = acct_get(&a, i);
			for (k = 0; k < t.n; k++)
				fuzz_must(t.s[k] != '\0' || memchr(data, '\0', size) != NULL, "a NUL from nowhere");
		}
	}
	fuzz_must(got == 0 || ((a.status == 2 || a.status == 3) && a.why[0] != '\0'), "no end and no reason");
	acct_end(&a);
	if (lseek(fd, 0, SEEK_SET) != 0)
		return;
	run_begin(&r, fd, RUN_TIME | RUN_CPU | RUN_MEMORY | RUN_GPU | RUN_DISK | RUN_NODES);
	while ((got = run_next(&r)) == 1) {
		fuzz_must(r.run.elapsed >= -1 && r.run.cpu >= -1 && r.run.peak >= -1 && r.run.memory >= -1 && r.run.gpus >= -1, "less than nothing");
		run_hung(&r.run);
		run_cost(&r.run, 16, NULL, NULL);
	}
	fuzz_must(got == 0 || r.a.why[0] != '\0', "no end and no reason");
	run_end(&r);
	close(fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 80)
		fuzz_call(small, data, size);
	fuzz_call(records, data, size);
	return 0;
}
