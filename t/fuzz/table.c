/* table - gridtag's cells out of a table: CSV and TSV
 *
 * seeds: t/gridtag.bats
 * words: , " "" a,b \r\n index tag
 * SPDX-License-Identifier: 0BSD */
#define main tool_main
#include "../../src/gridtag.c"
#undef main
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *count[] = { (char *)"gridtag", (char *)"-n", (char *)"-c", (char *)"file0", NULL };
	char *list[] = { (char *)"gridtag", (char *)"-l", (char *)"-c", (char *)"file0", NULL };
	unsigned long cells, lines = 0;
	const char *s;

	fuzz_file(0, data, size);
	if (fuzz_run(tool_main, count) != 0)
		return 0;
	cells = strtoul(fuzz_out, NULL, 10);
	fuzz_must(fuzz_run(tool_main, list) == 0, "cells that are counted and not listed");
	for (s = fuzz_out; (s = strchr(s, '\n')) != NULL; s++)
		lines++;
	fuzz_must(lines == cells, "as many lines as cells");
	return 0;
}
