/* names - texts that are met again and again, by a hash
 *
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "tool.h"

/* FNV-1a */
uint64_t
names_hash(const void *s, size_t n, uint64_t seed)
{
	const unsigned char *c = s;
	uint64_t h = seed ^ 14695981039346656037u;

	while (n-- > 0)
		h = (h ^ *c++) * 1099511628211u;
	return h ^ h >> 29;
}

static int
names_same(const struct names *t, size_t i, const void *s, size_t n)
{
	return t->at[i].n == n && (n == 0 || memcmp(t->at[i].s, s, n) == 0);
}

/* Where the text is, or is to be: a slot holds its number + 1. At most half of them are in use. */
static uint32_t *
names_slot(struct names *t, const void *s, size_t n)
{
	size_t i = (size_t)names_hash(s, n, 0), mask = t->room - 1;

	while (t->slot[i & mask] != 0 && !names_same(t, t->slot[i & mask] - 1, s, n))
		i++;
	return &t->slot[i & mask];
}

size_t
names_of(struct names *t, const void *s, size_t n)
{
	uint32_t *slot;
	size_t k;

	/* most are that of the record before */
	if (t->n > 0 && names_same(t, t->latest, s, n))
		return t->latest;
	if (2 * t->n >= t->room) {
		t->room = t->room > 0 ? 2 * t->room : 64;
		t->at = tool_realloc(t->at, t->room / 2, sizeof *t->at);
		t->slot = tool_realloc(t->slot, t->room, sizeof *t->slot);
		memset(t->slot, 0, t->room * sizeof *t->slot);
		for (k = 0; k < t->n; k++)
			*names_slot(t, t->at[k].s, t->at[k].n) = (uint32_t)k + 1;
	}
	slot = names_slot(t, s, n);
	if (*slot == 0) {
		t->at[t->n].s = tool_copy(s, n);
		t->at[t->n].n = n;
		*slot = (uint32_t)++t->n;
	}
	return t->latest = *slot - 1;
}

int
names_new(struct names_met *m, uint64_t hash)
{
	struct names_met old;
	size_t i;

	hash |= 1;	/* 0 is none */
	if (4 * m->n >= 3 * m->room) {
		old = *m;
		m->room = old.room > 0 ? 2 * old.room : 1024;
		m->hash = tool_realloc(NULL, m->room, sizeof *m->hash);
		memset(m->hash, 0, m->room * sizeof *m->hash);
		m->n = 0;
		for (i = 0; i < old.room; i++)
			if (old.hash[i] != 0)
				names_new(m, old.hash[i]);
		free(old.hash);
	}
	for (i = (size_t)(hash >> 1); m->hash[i & (m->room - 1)] != 0; i++)
		if (m->hash[i & (m->room - 1)] == hash)
			return 0;
	m->hash[i & (m->room - 1)] = hash;
	m->n++;
	return 1;
}

size_t
names_fold(char *buf, const char *s, size_t n)
{
	size_t i, k = 0;

	for (i = 0; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			buf[k++] = s[i] != '\0' ? s[i] : '?';
		else if (i == 0 || s[i - 1] < '0' || s[i - 1] > '9')
			buf[k++] = '#';
	}
	return k;
}
