/* iset.h - sets of array indices, in the grammar of sbatch --array */
#ifndef ISET_H
#define ISET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct iset {
	struct iset_run { uint64_t first, last; } *run;	/* apart from each other and ascending once settled */
	size_t n, room;
	uint64_t at_once;	/* the number behind %, 0 where there is none */
};

#define ISET_EMPTY { NULL, 0, 0, 0 }
#define ISET_WHY 160

/* Adds first..last. In ascending order the set stays settled; else iset_settle must follow before it is asked. */
void iset_add(struct iset *s, uint64_t first, uint64_t last);
void iset_settle(struct iset *s);

/* Reads `0-3,5,9-21:4%8` (brackets round the list as squeue prints them allowed) into s, which must be empty.
 * 0, or -1 and a reason in `why`. Strict: no empty item, no reversed range, no step 0, no cut list (`...`), no index
 * above max. Source of the grammar: Slurm, src/common/slurm_protocol_defs.c. */
int iset_parse(struct iset *s, const char *text, uint64_t max, char why[ISET_WHY]);

/* The first run of a settled set that ends at i or behind it; s->n where there is none. */
size_t iset_from(const struct iset *s, uint64_t i);

int iset_has(const struct iset *s, uint64_t i);
uint64_t iset_count(const struct iset *s);

/* Prints the set as short as ranges and steps make it; of two ways of one length the range (`1-2`, not `1,2`).
 * Prints nothing for the empty set. */
void iset_print(const struct iset *s, FILE *f);

void iset_free(struct iset *s);

#endif
