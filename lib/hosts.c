/* hosts - host lists as Slurm writes them
 *
 * A name is expanded from left to right: text up to a bracket is kept, and each item of the bracket is followed by all that
 * stands behind it. An item with brackets of its own is put before the rest, and the whole is expanded. A dash is a
 * range only between two numbers inside brackets; padding is that of the low bound.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hosts.h"
#include "num.h"

struct hosts_walk {
	char name[HOSTS_NAME + 1];
	size_t most, count;
	int (*f)(const char *, size_t, void *);
	void *arg;
	char *why;
};

static int
hosts_refuse(struct hosts_walk *w, const char *what)
{
	snprintf(w->why, HOSTS_WHY, "%s", what);
	return -1;
}

/* Bytes up to the comma at depth 0, or to the bracket that closes what is open before s. */
static size_t
hosts_item(const char *s, size_t n)
{
	size_t i;
	int depth = 0;

	for (i = 0; i < n; i++) {
		if (depth == 0 && (s[i] == ',' || s[i] == ']'))
			return i;
		depth += (s[i] == '[') - (s[i] == ']');
	}
	return n;
}

/* Expands the n bytes at s behind the `len` bytes of the name that stand. */
static int
hosts_name(struct hosts_walk *w, size_t len, const char *s, size_t n)
{
	size_t close, item, low, room, width;
	const char *in, *rest, *dash;
	char both[2 * HOSTS_NAME];
	uint64_t first, last;
	int digits;

	while (n > 0 && *s != '[') {
		if (*s == ']' || (unsigned char)*s <= ' ')
			return hosts_refuse(w, *s == ']' ? "a bracket is closed that was not opened" : "a blank or control byte in a name");
		if (len >= HOSTS_NAME)
			return hosts_refuse(w, "a name of more than 255 bytes");
		w->name[len++] = *s++;
		n--;
	}
	room = sizeof w->name - len;
	if (n == 0) {
		if (len == 0)
			return hosts_refuse(w, "an empty name");
		if (w->count++ >= w->most)
			return hosts_refuse(w, "too many names");
		return w->f(w->name, len, w->arg) == 0 ? 0 : hosts_refuse(w, "it was not taken");
	}
	for (close = 1; close < n && s[close] != ']'; close += close < n && s[close] == ',')
		close += hosts_item(s + close, n - close);
	if (close >= n)
		return hosts_refuse(w, "a bracket is not closed: the list was cut");
	rest = s + close + 1;
	n -= close + 1;
	for (in = s + 1; in < rest; in += item + 1) {
		item = hosts_item(in, (size_t)(rest - in));
		if (item == 0)
			return hosts_refuse(w, "an empty item in brackets");
		if (memchr(in, '[', item) != NULL) {
			if (item + n > sizeof both)
				return hosts_refuse(w, "a name of more than 255 bytes");
			memcpy(both, in, item);
			memcpy(both + item, rest, n);
			if (hosts_name(w, len, both, item + n) != 0)
				return -1;
			continue;
		}
		dash = memchr(in, '-', item);
		low = dash != NULL ? (size_t)(dash - in) : item;
		digits = num_u64(in, low, UINT64_C(999999999999), &first);
		last = first;
		if (dash != NULL)
			digits |= num_u64(dash + 1, item - low - 1, UINT64_C(999999999999), &last);
		if (digits != NUM_OK || last < first || low >= room)
			return hosts_refuse(w, last < first && digits == NUM_OK ? "a range that runs downward" : "no numbers in brackets");
		for (; first <= last; first++) {
			width = (size_t)snprintf(w->name + len, room, "%0*" PRIu64, (int)low, first);
			if (width >= room)
				return hosts_refuse(w, "a name of more than 255 bytes");
			if (hosts_name(w, len + width, rest, n) != 0)
				return -1;
		}
	}
	return 0;
}

int
hosts_each(const char *list, size_t n, size_t most, int (*f)(const char *, size_t, void *), void *arg, char why[HOSTS_WHY])
{
	struct hosts_walk w = { "", most, 0, f, arg, why };
	size_t item;

	if (n > 0 && list[n - 1] == '.')
		return hosts_refuse(&w, "it ends in a dot: was it cut at the width of its column?");
	for (;;) {
		item = hosts_item(list, n);
		if (item < n && list[item] == ']')
			return hosts_refuse(&w, "a bracket is closed that was not opened");
		if (hosts_name(&w, 0, list, item) != 0)
			return -1;
		if (item == n)
			return 0;
		list += item + 1;
		n -= item + 1;
	}
}

int
hosts_valid(const char *s, size_t n)
{
	size_t i;

	if (n == 0 || s[n - 1] == '.')	/* a list that was cut ends in dots */
		return 0;
	for (i = 0; i < n; i++)
		if (!((s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' && s[i] <= 'Z') || (s[i] >= '0' && s[i] <= '9') ||
		    s[i] == '.' || s[i] == '_' || (s[i] == '-' && i > 0)))
			return 0;
	return 1;
}

/* The last run of up to 12 digits of a name: where it begins (its length where there is none) and how long it is. */
static size_t
hosts_number(const char *s, size_t *digits)
{
	size_t end = strlen(s), at;

	while (end > 0 && (s[end - 1] < '0' || s[end - 1] > '9'))
		end--;
	for (at = end; at > 0 && end - at < 12 && s[at - 1] >= '0' && s[at - 1] <= '9'; at--)
		;
	*digits = end - at;
	return end > 0 ? at : strlen(s);
}

/* Order by what stands before the number, then behind it, then the number; padded ones among those of their width. */
static int
hosts_order(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	size_t nx, ny, ax = hosts_number(x, &nx), ay = hosts_number(y, &ny);
	int c = strncmp(x, y, ax < ay ? ax : ay);

	if (c != 0 || ax != ay)
		return c != 0 ? c : ax < ay ? -1 : 1;
	c = strcmp(x + ax + nx, y + ay + ny);
	if (c == 0 && nx != ny)
		c = nx < ny ? -1 : 1;
	return c != 0 ? c : strcmp(x, y);
}

/* Whether y may stand in one bracket with x; *next when it is the number that follows, as a range counts. */
static int
hosts_joins(const char *x, const char *y, int *next)
{
	size_t nx, ny, ax = hosts_number(x, &nx), ay = hosts_number(y, &ny);
	uint64_t vx, vy;

	if (nx == 0 || ny == 0 || ax != ay || strncmp(x, y, ax) != 0 || strcmp(x + ax + nx, y + ay + ny) != 0)
		return 0;
	num_u64(x + ax, nx, UINT64_MAX, &vx);
	num_u64(y + ay, ny, UINT64_MAX, &vy);
	*next = vy == vx + 1 && (nx == ny || (nx + 1 == ny && x[ax] != '0' && y[ay] != '0'));
	return 1;
}

void
hosts_print(const char **name, size_t n, FILE *f)
{
	size_t i, j, from, to, digits, at;
	int next = 0;

	qsort(name, n, sizeof *name, hosts_order);
	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n && hosts_joins(name[j - 1], name[j], &next); j++)
			;
		if (j == i + 1) {
			fprintf(f, "%s%s", i > 0 ? "," : "", name[i]);
			continue;
		}
		at = hosts_number(name[i], &digits);
		fprintf(f, "%s%.*s[", i > 0 ? "," : "", (int)at, name[i]);
		for (from = i; from < j; from = to) {
			for (to = from + 1; to < j && hosts_joins(name[to - 1], name[to], &next) && next; to++)
				;
			hosts_number(name[from], &digits);
			fprintf(f, "%s%.*s", from > i ? "," : "", (int)digits, name[from] + at);
			hosts_number(name[to - 1], &digits);
			if (to > from + 1)
				fprintf(f, "-%.*s", (int)digits, name[to - 1] + at);
		}
		fprintf(f, "]%s", name[j - 1] + at + digits);
	}
}
