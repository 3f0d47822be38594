/* hist - sacct-hist on text that is or is not sacct's
 *
 * The first byte chooses the question.
 * seeds: t/data t/sacct-hist.bats
 * words: JobID|State JobIDRaw JobName Elapsed ExitCode NodeList COMPLETED FAILED CANCELLED+by 7_[1-3,5%2] .batch 9:0
 * SPDX-License-Identifier: 0BSD */
#define main tool_main
#include "../../src/sacct-hist.c"
#undef main
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct { const char *word[4]; int columns; } question[] = {
		{ { NULL }, 3 }, { { "-l" }, 6 }, { { "-D" }, 3 }, { { "--check" }, 0 }, { { "-a", "bad" }, 0 },
		{ { "-g", "name" }, 4 }, { { "--merge", "-l" }, 6 }, { { "--expect", "0-9" }, 3 },
		{ { "--json", "-l" }, 0 }, { { "-a", "open" }, 0 }
	};
	char *argv[8] = { (char *)"sacct-hist", (char *)"-f", (char *)"file0" };
	size_t which, i;
	int status;

	if (size == 0)
		return 0;
	which = data[0] % (sizeof question / sizeof question[0]);
	for (i = 0; i < 4 && question[which].word[i] != NULL; i++)
		argv[3 + i] = (char *)question[which].word[i];
	fuzz_file(0, data + 1, size - 1);
	status = fuzz_run(tool_main, argv);
	fuzz_must(status <= 3, "another status than 0 to 3");
	if (status == 0 && question[which].columns > 0)
		fuzz_records(question[which].columns);
	return 0;
}
