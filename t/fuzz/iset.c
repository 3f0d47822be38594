/* iset - index sets: what is read and printed is the same set, by another way of reading
 *
 * seeds: t/lib.bats t/gridtag.bats t/sacct-hist.bats
 * words: , - : % [ ] 0-3 5-9:2 %4 ... 4194303
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "iset.h"

const char help[] = "fuzz";

#define MOST 4095

/* A plain reader of `A-B:S,...` for sets that iset_parse took: the members, one byte each. */
static void
members(unsigned char *in, const char *s)
{
	unsigned long a, b, step;
	char *end;

	memset(in, 0, MOST + 1);
	for (; *s != '\0' && *s != '%' && *s != ']'; s = *end == ',' ? end + 1 : end) {
		s += *s == '[';
		a = b = strtoul(s, &end, 10);
		step = 1;
		if (*end == '-')
			b = strtoul(end + 1, &end, 10);
		if (*end == ':')
			step = strtoul(end + 1, &end, 10);
		for (; a <= b; a += step)
			in[a] = 1;
	}
}

static void
test(const uint8_t *data, size_t size)
{
	static unsigned char in[MOST + 1];
	struct iset set = ISET_EMPTY, again = ISET_EMPTY;
	char why[ISET_WHY], *text = fuzz_text(data, size), *printed = NULL;
	uint64_t n = 0, i;
	size_t len;
	FILE *f;

	if (iset_parse(&set, text, MOST, why) != 0)
		return;
	members(in, text);
	for (i = 0; i <= MOST; i++) {
		fuzz_must(iset_has(&set, i) == in[i], "a member too many or too few");
		n += in[i];
	}
	fuzz_must(iset_count(&set) == n, "iset_count");
	f = open_memstream(&printed, &len);
	iset_print(&set, f);
	fclose(f);
	fuzz_must(iset_parse(&again, printed, MOST, why) == 0 && again.n == set.n &&
	    memcmp(again.run, set.run, set.n * sizeof *set.run) == 0, "what was printed is another set");
	fuzz_must(strchr(text, '%') != NULL || strchr(text, '[') != NULL || strlen(printed) <= strlen(text) ||
	    strchr(text, ':') != NULL, "printed longer than it was");
	iset_free(&set);
	iset_free(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_call(test, data, size);
	return 0;
}
