/* args - whole command lines: a word a line
 *
 * Built once for each tool in src (TOOL is its source, NAME its name).
 * seeds: t/NAME.bats
 * words: -- - = , file0
 * SPDX-License-Identifier: 0BSD */
#define main tool_main
#include TOOL
#undef main
#include "fuzz.h"

#define WORDS 24

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char cells[] = "a,b\n1,2\n3,4\n", rows[] = "JobID|State|Elapsed|NodeList\n7_1|COMPLETED|00:01:00|n1\n7_2|FAILED|00:01:00|n2\n";
	char *argv[WORDS + 2], *word[WORDS];
	size_t n = 0, len;
	int status;

	fuzz_file(0, rows, sizeof rows - 1);
	fuzz_file(1, cells, sizeof cells - 1);
	argv[0] = (char *)NAME;
	while (n < WORDS && size > 0) {
		len = memchr(data, '\n', size) != NULL ? (size_t)((const uint8_t *)memchr(data, '\n', size) - data) : size;
		argv[1 + n] = word[n] = fuzz_text(data, len);
		n++;
		len += len < size;
		data += len;
		size -= len;
	}
	argv[1 + n] = NULL;
	status = fuzz_run(tool_main, argv);
	while (n > 0)
		free(word[--n]);
	(void)status;
	return 0;
}
