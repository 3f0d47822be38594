/* nvidia - gate-gpus on what nvidia-smi printed, with masks and promises of Slurm's beside it
 *
 * One part a line `--`: nvidia-smi -L, its --query-gpu, CUDA_VISIBLE_DEVICES, SLURM_GPUS_ON_NODE, SLURM_JOB_GPUS.
 * seeds: t/gate-gpus.bats
 * words: GPU 0:  (UUID: GPU-0000-aaaa) MIG 1g.18gb Device 0: MIG- -- 0,1 No devices were found [N/A] 81559
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include <stdlib.h>
#include "child.h"

#define child_run fuzz_child
#define getenv fuzz_env
#define main tool_main

static void fuzz_child(struct child *c, char *const argv[], int64_t ms, size_t max);
static char *fuzz_env(const char *name);

#include "../../src/gate-gpus.c"
#undef main
#include "fuzz.h"

#define PARTS 5

static const uint8_t *part[PARTS];
static size_t npart[PARTS];

static char *
text_of(int i)
{
	return part[i] != NULL ? fuzz_text(part[i], npart[i]) : NULL;
}

static char *
fuzz_env(const char *name)
{
	if (strcmp(name, "CUDA_VISIBLE_DEVICES") == 0)
		return text_of(2);
	if (strcmp(name, "SLURM_GPUS_ON_NODE") == 0)
		return text_of(3);
	if (strcmp(name, "SLURM_JOB_GPUS") == 0)
		return text_of(4);
	if (strcmp(name, "SLURM_JOB_ID") == 0 || strcmp(name, "SLURM_JOB_NUM_NODES") == 0)
		return (char *)"1";
	return NULL;
}

static void
fuzz_child(struct child *c, char *const argv[], int64_t ms, size_t max)
{
	int i = strcmp(argv[1], "-L") != 0;

	(void)ms;
	memset(c, 0, sizeof *c);
	c->end = part[i] != NULL ? CHILD_ENDED : CHILD_ABSENT;
	c->error = part[i] != NULL ? 0 : ENOENT;
	c->nout = part[i] == NULL ? 0 : npart[i] < max ? npart[i] : max;
	c->out = fuzz_text(part[i] != NULL ? part[i] : (const uint8_t *)"", c->nout);
	c->err = fuzz_text((const uint8_t *)"", 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *plain[] = { (char *)"gate-gpus", (char *)"2", NULL };
	char *sized[] = { (char *)"gate-gpus", (char *)"-m", (char *)"80G", (char *)"--model", (char *)"H100", (char *)"--idle", (char *)"1", NULL };
	char *none[] = { (char *)"gate-gpus", (char *)"0", NULL };
	char **ask[] = { plain, sized, none };
	size_t i, n, k;
	int status;

	for (k = 0; k < 3; k++) {
		const uint8_t *s = data, *end = data + size;
		for (i = 0; i < PARTS && s < end; i++) {
			for (n = 0; s + n < end && !(s + n + 4 <= end && memcmp(s + n, "\n--\n", 4) == 0); n++)
				;
			part[i] = s;
			npart[i] = s + n < end ? n + 1 : n;
			s += s + n < end ? n + 4 : n;
		}
		status = fuzz_run(tool_main, ask[k]);
		fuzz_must(status <= 3, "another status than 0 to 3");
		if (status == 0)
			fuzz_records(5);
	}
	return 0;
}
