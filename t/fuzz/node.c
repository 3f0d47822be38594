/* node - whichnode on text that is or is not sacct's
 *
 * seeds: t/data t/whichnode.bats
 * words: JobID|State|NodeList|ElapsedRaw JobName User n[1-3] COMPLETED FAILED NODE_FAIL
 * SPDX-License-Identifier: 0BSD */
#define main tool_main
#include "../../src/whichnode.c"
#undef main
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[] = { (char *)"whichnode", (char *)"-f", (char *)"file0", (char *)"-n", (char *)"1", NULL, NULL, NULL };
	int status;

	if (size == 0)
		return 0;
	if (data[0] & 1)
		argv[5] = (char *)"-x";
	if (data[0] & 2)
		argv[5 + (data[0] & 1)] = (char *)"--metric=hang";
	fuzz_file(0, data + 1, size - 1);
	status = fuzz_run(tool_main, argv);
	fuzz_must(status <= 3, "another status than 0 to 3");
	if (status == 0 && !(data[0] & 1))
		fuzz_records(9);
	return 0;
}
