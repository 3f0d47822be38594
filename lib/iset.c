/* iset - sets of array indices, in the grammar of sbatch --array
 *
 * Two ways to print a set are tried and the shorter is taken: the best cut of the ascending list into items (by
 * dynamic programming: an item is an index, a range or a stepped range), and a greedy cover by stepped ranges that may
 * interleave (0-96:4,1-97:4). Sets too large for that are printed by their ranges.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "iset.h"
#include "num.h"
#include "tool.h"

#define ISET_RUNS ((size_t)1 << 24)	/* more runs than any scheduler takes indices */
#define ISET_LIST ((uint64_t)1 << 20)	/* up to here the best list is looked for, */
#define ISET_COVER ((uint64_t)1 << 14)	/* and up to here a cover that interleaves */

void
iset_free(struct iset *s)
{
	free(s->run);
	s->run = NULL;
	s->n = s->room = 0;
}

void
iset_add(struct iset *s, uint64_t first, uint64_t last)
{
	struct iset_run *end = s->n > 0 ? &s->run[s->n - 1] : NULL;

	if (end != NULL && first >= end->first && first <= end->last + 1) {
		if (last > end->last)
			end->last = last;
		return;
	}
	if (s->n >= ISET_RUNS)
		tool_die(TROUBLE, "an index set of more than %zu ranges", ISET_RUNS);
	s->run = tool_grown(s->run, s->n, &s->room, sizeof *s->run);
	s->run[s->n].first = first;
	s->run[s->n++].last = last;
}

static int
iset_order(const void *a, const void *b)
{
	const struct iset_run *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

void
iset_settle(struct iset *s)
{
	size_t i, n = s->n;

	if (n == 0)
		return;
	qsort(s->run, n, sizeof *s->run, iset_order);
	s->n = 1;
	for (i = 1; i < n; i++)
		iset_add(s, s->run[i].first, s->run[i].last);	/* never grows past i */
}

/* One item, `5` `1-9` or `1-9:2`, of len bytes. NULL, or what is wrong with it. */
static const char *
iset_item(struct iset *s, const char *item, size_t len, uint64_t max)
{
	const char *dash = memchr(item, '-', len), *colon = memchr(item, ':', len), *end = item + len;
	uint64_t first, last, step = 1;

	if (len == 0)
		return "an empty item";
	if (memchr(item, '.', len) != NULL)
		return "cut off by ... (set SLURM_BITSTR_LEN=0 to see it whole)";
	if (colon != NULL && (dash == NULL || colon < dash))
		return "a step without a range";
	if (num_u64(item, (size_t)((dash ? dash : end) - item), max, &first) != NUM_OK)
		return "not an index in range";
	last = first;
	if (dash != NULL && num_u64(dash + 1, (size_t)((colon ? colon : end) - dash - 1), max, &last) != NUM_OK)
		return "not a range of indices";
	if (colon != NULL && (num_u64(colon + 1, (size_t)(end - colon - 1), max, &step) != NUM_OK || step == 0))
		return "the step is not 1 or more";
	if (last < first)
		return "the range runs downward";
	if (step == 1) {
		iset_add(s, first, last);
		return NULL;
	}
	for (; first <= last; first += step)
		iset_add(s, first, first);
	return NULL;
}

int
iset_parse(struct iset *s, const char *text, uint64_t max, char why[ISET_WHY])
{
	const char *end = text + strlen(text), *percent = strchr(text, '%'), *item, *bad;
	int whole = text[0] == '[' && end[-1] == ']';	/* [0-3%2] as squeue has it; [0-3]%2 below */
	char word[TOOL_WORD];
	size_t len;

	end -= whole;
	if (percent != NULL) {
		if (num_u64(percent + 1, (size_t)(end - percent - 1), max, &s->at_once) != NUM_OK || s->at_once == 0) {
			snprintf(why, ISET_WHY, "no number of tasks at once behind %%");
			return -1;
		}
		end = percent;
	}
	if (!whole && end - text >= 2 && text[0] == '[' && end[-1] == ']') {
		whole = 1;
		end--;
	}
	text += whole;
	for (item = text; item <= end; item += len + 1) {
		len = (size_t)(end - item);
		if (memchr(item, ',', len) != NULL)
			len = (size_t)((const char *)memchr(item, ',', len) - item);
		bad = iset_item(s, item, len, max);
		if (bad != NULL) {
			snprintf(why, ISET_WHY, "%s: %s", len == 0 ? "''" : tool_word(word, item, len), bad);
			return -1;
		}
	}
	iset_settle(s);
	return 0;
}

size_t
iset_from(const struct iset *s, uint64_t i)
{
	size_t low = 0, high = s->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->run[mid].last < i)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int
iset_has(const struct iset *s, uint64_t i)
{
	size_t k = iset_from(s, i);

	return k < s->n && s->run[k].first <= i;
}

uint64_t
iset_count(const struct iset *s)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < s->n; i++)
		n += s->run[i].last - s->run[i].first + 1;
	return n;
}

static size_t
iset_digits(uint64_t v)
{
	size_t n = 1;

	while (v >= 10) {
		v /= 10;
		n++;
	}
	return n;
}

struct iset_part {
	uint64_t first, last, step;
};

static size_t
iset_width(const struct iset_part *p)
{
	size_t n = iset_digits(p->first);

	if (p->last != p->first)
		n += 1 + iset_digits(p->last);
	if (p->step > 1 && p->last != p->first)
		n += 1 + iset_digits(p->step);
	return n + 1;	/* the comma */
}

static void
iset_put(const struct iset_part *p, int more, FILE *f)
{
	fprintf(f, "%" PRIu64, p->first);
	if (p->last != p->first)
		fprintf(f, "-%" PRIu64, p->last);
	if (p->last != p->first && p->step > 1)
		fprintf(f, ":%" PRIu64, p->step);
	if (more)
		fputc(',', f);
}

/* The best cut of the ascending list e into items, in part (room for n). Returns their number.
 * best[i] is the width of the first i indices; it never falls with i, and an item that begins earlier is never wider
 * in sum, so the longest item that ends at i is the only stepped one to try. */
static size_t
iset_cut(const uint64_t *e, size_t n, struct iset_part *part)
{
	size_t *best = tool_realloc(NULL, n + 1, sizeof *best), *from = tool_realloc(NULL, n + 1, sizeof *from);
	size_t i, w, start = 0, at = n;
	struct iset_part p;

	best[0] = 0;
	for (i = 0; i < n; i++) {
		p.first = p.last = e[i];
		p.step = 1;
		best[i + 1] = best[i] + iset_width(&p);
		from[i + 1] = i;
		if (i == 0)
			continue;
		if (i == 1 || e[i] - e[i - 1] != e[i - 1] - e[i - 2])
			start = i - 1;
		p.first = e[start];
		p.step = e[i] - e[i - 1];
		w = best[start] + iset_width(&p);
		if ((i - start >= 2 || p.step == 1) && w <= best[i + 1]) {
			best[i + 1] = w;
			from[i + 1] = start;
		}
	}
	for (i = n; i > 0; i = from[i]) {	/* the last one first */
		part[--at].first = e[from[i]];
		part[at].last = e[i - 1];
		part[at].step = i - from[i] > 1 ? e[i - 1] - e[i - 2] : 1;
	}
	memmove(part, part + at, (n - at) * sizeof *part);
	free(best);
	free(from);
	return n - at;
}

/* Where v stands in the ascending list e, n where it does not. */
static size_t
iset_find(const uint64_t *e, size_t n, uint64_t v)
{
	size_t low = 0, high = n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (e[mid] < v)
			low = mid + 1;
		else
			high = mid;
	}
	return low < n && e[low] == v ? low : n;
}

/* A cover that may interleave, no index twice: from each index not yet covered the item that covers most. */
static size_t
iset_cover(const uint64_t *e, size_t n, struct iset_part *part)
{
	char *done = tool_realloc(NULL, n, 1);
	size_t i, j, at, used = 0;
	uint64_t step, count, most;
	struct iset_part p;

	memset(done, 0, n);
	for (i = 0; i < n; i++) {
		if (done[i])
			continue;
		p.first = p.last = e[i];
		p.step = 1;
		most = 1;
		for (j = i + 1; j < n && j <= i + 64; j++) {
			step = e[j] - e[i];
			for (count = 1; (at = iset_find(e, n, e[i] + count * step)) < n && !done[at]; count++)
				;
			if (count > most && (count > 2 || step == 1)) {
				most = count;
				p.step = step;
				p.last = e[i] + (count - 1) * step;
			}
		}
		for (count = 0; count < most; count++)
			done[iset_find(e, n, p.first + count * p.step)] = 1;
		part[used++] = p;
	}
	free(done);
	return used;
}

static size_t
iset_total(const struct iset_part *part, size_t n)
{
	size_t i, w = 0;

	for (i = 0; i < n; i++)
		w += iset_width(&part[i]);
	return w;
}

void
iset_print(const struct iset *s, FILE *f)
{
	uint64_t count = iset_count(s), v, *e;
	struct iset_part *cut, *cover, run;
	size_t i, k = 0, ncut, ncover;

	if (count > ISET_LIST || s->n <= 1) {
		for (i = 0; i < s->n; i++) {
			run.first = s->run[i].first;
			run.last = s->run[i].last;
			run.step = 1;
			iset_put(&run, i + 1 < s->n, f);
		}
		return;
	}
	e = tool_realloc(NULL, (size_t)count, sizeof *e);
	cut = tool_realloc(NULL, (size_t)count, sizeof *cut);
	for (i = 0; i < s->n; i++)
		for (v = s->run[i].first; v <= s->run[i].last; v++)
			e[k++] = v;
	ncut = iset_cut(e, k, cut);
	if (count <= ISET_COVER && ncut > 2) {
		cover = tool_realloc(NULL, k, sizeof *cover);
		ncover = iset_cover(e, k, cover);
		if (iset_total(cover, ncover) < iset_total(cut, ncut)) {
			memcpy(cut, cover, ncover * sizeof *cut);
			ncut = ncover;
		}
		free(cover);
	}
	for (i = 0; i < ncut; i++)
		iset_put(&cut[i], i + 1 < ncut, f);
	free(e);
	free(cut);
}
