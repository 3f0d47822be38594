/* dur - durations in both grammars, sizes, numbers: what Slurm would print is read as the same
 *
 * seeds: t/lib.bats t/walltime-bucket.bats t/waitfor.bats
 * words: d h m s : - . 1-00:00:00 4h30m 79.6G iB
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "dur.h"
#include "fuzz.h"
#include "num.h"

const char help[] = "fuzz";

static void
test(const uint8_t *data, size_t size)
{
	char why[DUR_WHY], slurm[DUR_TEXT], *text = fuzz_text(data, size);
	int64_t ms, again;
	uint64_t v;

	memset(why, 0, sizeof why);
	if (dur_parse(text, &ms, why) == 0) {
		fuzz_must(ms >= 0 && ms <= DUR_MAX, "a duration out of range");
		dur_slurm(ms / 1000, slurm);
		fuzz_must(strlen(slurm) < sizeof slurm && (again = dur_sacct(slurm, strlen(slurm))) >= 0 && again == ms / 1000 * 1000, "dur_sacct of dur_slurm");
		fuzz_must(dur_parse(slurm, &again, why) == 0 && again == ms / 1000 * 1000, "dur_parse of dur_slurm");
	} else
		fuzz_must(why[0] != '\0' && memchr(why, '\0', sizeof why) != NULL, "refused without a reason");
	if ((ms = dur_sacct(text, strlen(text))) >= 0)
		fuzz_must(ms >= 0, "a negative duration");
	if (num_u64(text, size, 1000, &v) != NUM_BAD)
		fuzz_must(v <= 1000 && strspn(text, "0123456789") == size, "a number that is none");
	num_size(text, &v);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_call(test, data, size);
	return 0;
}
