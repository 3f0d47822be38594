/* wait - what waitfor reads: an HTTP answer, squeue's and sacct's rows, what a job has left, a log
 *
 * The first byte chooses the reader.
 * seeds: t/waitfor.bats t/waitfor-servers.bats t/waitfor-job.bats t/waitfor-ids.bats
 * words: HTTP/1.1 200 OK \r\n\r\n 100 Continue 4711|4711|RUNNING|2026-11-29T08:00:00|n1|None 4711_[1-3%2] 4711|RUNNING|1:00:00
 * SPDX-License-Identifier: 0BSD */
#define main tool_main
#include "../../src/waitfor.c"
#undef main
#include "fuzz.h"

/* In pieces, as it comes from a network: the answer must not depend on them. */
static void
http(const uint8_t *data, size_t size)
{
	static struct conn c, whole;
	size_t i, n;
	int status = 0;

	whole.n = size < sizeof whole.buf ? size : sizeof whole.buf;
	memcpy(whole.buf, data, whole.n);
	for (i = 0; i < size && status == 0 && c.n < sizeof c.buf; i += n) {
		n = 1 + data[i] % 7;
		if (n > size - i)
			n = size - i;
		if (n > sizeof c.buf - c.n)
			n = sizeof c.buf - c.n;
		memcpy(c.buf + c.n, data + i, n);
		c.n += n;
		status = http_status(&c);
	}
	fuzz_must(status >= -1 && status <= 999, "no status");
	if (size < sizeof whole.buf)
		fuzz_must(http_status(&whole) == status, "another status, as it came in pieces");
}

static void
slurm(const uint8_t *data, size_t size)
{
	static const char head[] = "JobID\037JobIDRaw\037State\037ExitCode\037Partition\037Submit\037NodeList\037End\n";
	char *text = fuzz_text(data, size), *s, *end, *acct;
	int64_t left = 0;
	size_t i;

	add_job("4711", 4);
	add_job("7_[1-3]", 7);
	add_job("9.batch", 7);
	add_job("20+1", 4);
	sort_jobs();
	for (s = text; *s != '\0'; s = *end == '\0' ? end : end + 1) {
		end = s + strcspn(s, "\n");
		queue_row(s, end);
	}
	for (i = 0; i < njobs; i++)
		settle_list(&jobs[i].queue);
	acct = malloc(sizeof head + size);
	memcpy(acct, head, sizeof head - 1);
	for (i = 0; text[i] != '\0'; i++)
		acct[sizeof head - 1 + i] = text[i] == '|' ? '\037' : text[i];
	acct[sizeof head - 1 + i] = '\0';
	read_acct(acct);
	read_acct(text);
	for (i = 0; i < njobs; i++)
		settle_list(&jobs[i].acct);
	if (parse_left(text, "4711", &left) == 0)
		fuzz_must(left >= 0, "less than no time left");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[] = { (char *)"waitfor", (char *)"-t", (char *)"0", (char *)"--fail", (char *)"err", (char *)"log", (char *)"file0", (char *)"o[k]$", NULL };

	(void)argv;
	if (size == 0)
		return 0;
	fuzz_call(data[0] & 1 ? http : slurm, data + 1, size - 1);
	return 0;
}
