/* sinfo - walltime-bucket on what sinfo printed, and on the records of unitcost
 *
 * What stands before the first line `--` is sinfo's, what follows it are needs.
 * seeds: t/walltime-bucket.bats
 * words: cpu*|up|12:00:00|10|1/2/0/3 PARTITION TIMELIMIT infinite n/a 7-00:00:00 -- d1 9000
 * SPDX-License-Identifier: 0BSD */
#define main tool_main
#include "../../src/walltime-bucket.c"
#undef main
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *list[] = { (char *)"walltime-bucket", (char *)"--sinfo", (char *)"file0", (char *)"-l", NULL };
	char *find[] = { (char *)"walltime-bucket", (char *)"--sinfo", (char *)"file0", (char *)"-f", (char *)"file1", NULL };
	size_t n;
	int status;

	for (n = 0; n < size && !(n + 4 <= size && memcmp(data + n, "\n--\n", 4) == 0); n++)
		;
	fuzz_file(0, data, n < size ? n + 1 : n);
	status = fuzz_run(tool_main, list);
	fuzz_must(status <= 3, "another status than 0 to 3");
	if (status == 0)
		fuzz_records(5);
	if (n == size) {
		find[1] = (char *)"-b";
		find[2] = (char *)"3h,12h,1d";
		fuzz_file(1, data, size);
	} else
		fuzz_file(1, data + n + 4, size - n - 4);
	status = fuzz_run(tool_main, find);
	fuzz_must(status <= 3, "another status than 0 to 3");
	if (status <= 1)
		fuzz_records(8);
	return 0;
}
