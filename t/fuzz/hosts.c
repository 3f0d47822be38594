/* hosts - host lists: the names of a list, printed as a list, are the same names
 *
 * seeds: t/lib.bats t/whichnode.bats
 * words: [ ] , - [001-003,7] node rack[0-1]_blade[0-1]
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "hosts.h"

const char help[] = "fuzz";

#define MOST 1000

static struct names {
	char *name[MOST];
	size_t n;
} first, second;

static int
take(const char *name, size_t n, void *arg)
{
	struct names *a = arg;

	fuzz_must(n > 0 && n <= HOSTS_NAME, "a name of no or too great length");
	fuzz_must(a->n < MOST, "more names than asked for");
	a->name[a->n++] = fuzz_text((const uint8_t *)name, n);
	return 0;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
test(const uint8_t *data, size_t size)
{
	char why[HOSTS_WHY], *text = fuzz_text(data, size), *printed = NULL;
	const char *sorted[MOST];
	size_t len, i, k;
	FILE *f;

	if (hosts_each(text, size, MOST, take, &first, why) != 0 || first.n == 0)
		return;
	qsort(first.name, first.n, sizeof *first.name, by_name);
	for (i = k = 0; i < first.n; i++) {
		if (!hosts_valid(first.name[i], strlen(first.name[i])))
			return;
		if (k == 0 || strcmp(sorted[k - 1], first.name[i]) != 0)
			sorted[k++] = first.name[i];
	}
	f = open_memstream(&printed, &len);
	hosts_print(sorted, k, f);
	fclose(f);
	fuzz_must(hosts_each(printed, len, MOST, take, &second, why) == 0, "what was printed is no list");
	qsort(second.name, second.n, sizeof *second.name, by_name);
	fuzz_must(second.n == k, "as many names as before");
	qsort(sorted, k, sizeof *sorted, by_name);
	for (i = 0; i < k; i++)
		fuzz_must(strcmp(second.name[i], sorted[i]) == 0, "another name");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_call(test, data, size);
	return 0;
}
