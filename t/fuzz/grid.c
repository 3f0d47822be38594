/* grid - a grid file, or grid words: what gridtag lists is a record a cell, and as many as it counts
 *
 * The first byte chooses between file and words (one a line). Listed are small grids only.
 * seeds: t/gridtag.bats
 * words: model= seed=0..5 base per-task prefix skip tag cells .. , ; \ { } {tag} @ # =
 * SPDX-License-Identifier: 0BSD */
#define main tool_main
#include "../../src/gridtag.c"
#undef main
#include "fuzz.h"

#define WORDS 12

static int
gridtag(const char *what, const char *more, const uint8_t *data, size_t size)
{
	char *argv[WORDS + 8], *word[WORDS], *file;
	size_t n = 0, i = 0, len;
	int status;

	argv[n++] = (char *)"gridtag";
	argv[n++] = (char *)what;
	if (more != NULL)
		argv[n++] = (char *)more;
	if (size > 0 && (data[0] & 1) == 0) {
		file = fuzz_file(0, data + 1, size - 1);
		argv[n++] = (char *)"-f";
		argv[n++] = file;
	} else
		for (data++, size--; i < WORDS && size > 0 && size < SIZE_MAX; i++) {
			len = memchr(data, '\n', size) != NULL ? (size_t)((const uint8_t *)memchr(data, '\n', size) - data) : size;
			argv[n++] = word[i] = fuzz_text(data, len);
			if (*word[i] == '-')
				*word[i] = '_';		/* options are for args */
			len += len < size;
			data += len;
			size -= len;
		}
	argv[n] = NULL;
	status = fuzz_run(tool_main, argv);
	while (i > 0)
		free(word[--i]);
	return status;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned long cells, lines = 0;
	const char *s;

	if (size == 0 || gridtag("-n", NULL, data, size) != 0)
		return 0;
	cells = strtoul(fuzz_out, NULL, 10);
	if (gridtag("-a", NULL, data, size) == 0)
		fuzz_must(fuzz_nout > 1 && fuzz_out[strspn(fuzz_out, "0123456789-,:\n")] == '\0', "no array specification");
	if (cells > 500)
		return 0;
	fuzz_must(gridtag("-l", NULL, data, size) == 0, "cells that are counted and not listed");
	for (s = fuzz_out; (s = strchr(s, '\n')) != NULL; s++)
		lines++;
	fuzz_must(lines == cells, "as many lines as cells");
	for (s = fuzz_out; *s != '\0'; s++)
		fuzz_must(((unsigned char)*s >= ' ' && *s != '\177') || *s == '\t' || *s == '\n', "a control byte in a record");
	gridtag("-l", "--json", data, size);
	gridtag("--smoke", NULL, data, size);
	gridtag("--fingerprint", NULL, data, size);
	return 0;
}
