/* names.h - texts that are met again and again: each is kept once, and has a number */
#ifndef NAMES_H
#define NAMES_H

#include <stddef.h>
#include <stdint.h>

/* All zero is none. What it keeps lives as long as the program. */
struct names {
	struct names_text {
		char *s;	/* ended by a NUL that is not counted; it stays where it is */
		size_t n;
	} *at;			/* by their numbers */
	size_t n;
	/* private */
	size_t room, latest;
	uint32_t *slot;
};

/* The number of the n bytes at s. One that is new is kept, and gets the next: what t->n was. */
size_t names_of(struct names *t, const void *s, size_t n);

/* A hash of the n bytes at s; another `seed` makes another. */
uint64_t names_hash(const void *s, size_t n, uint64_t seed);

/* Hashes that were met: for what is only to be met once. All zero is none; the caller frees hash. */
struct names_met {
	uint64_t *hash;
	size_t n, room;
};

/* Adds a hash, of 63 bits: 1, or 0 where it was met before. */
int names_new(struct names_met *m, uint64_t hash);

/* Folds runs of digits in the n bytes at s to `#`, into buf (room for n); its length. NUL becomes `?`. */
size_t names_fold(char *buf, const char *s, size_t n);

#endif
