/* timings - unitcost on measured runs, and on sacct's text
 *
 * seeds: t/unitcost.bats t/data
 * words: run= end=timeout cluster= # 4h 4:05:00 50 1e308 JobID|State|Elapsed|JobName
 * SPDX-License-Identifier: 0BSD */
#define main tool_main
#include "../../src/unitcost.c"
#undef main
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[] = { (char *)"unitcost", (char *)"-n", (char *)"200", (char *)"file0", NULL, NULL };
	int status;

	if (size == 0)
		return 0;
	if (data[0] & 1) {
		argv[3] = (char *)"--sacct";
		argv[4] = (char *)"file0";
	} else if (data[0] & 2)
		argv[2] = (char *)"d1=7";
	fuzz_file(0, data + 1, size - 1);
	status = fuzz_run(tool_main, argv);
	fuzz_must(status <= 3, "another status than 0 to 3");
	if (status <= 1)
		fuzz_records(9);
	return 0;
}
