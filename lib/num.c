/* num - numbers as people write them, whole and in range, or refused
 *
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <stdio.h>
#include <string.h>

#include "num.h"

int
num_u64(const char *s, size_t n, uint64_t max, uint64_t *v)
{
	uint64_t sum = 0, d;
	size_t i;
	int big = 0;

	for (i = 0; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			return NUM_BAD;
		d = (uint64_t)(s[i] - '0');
		big |= d > max || sum > (max - d) / 10;
		sum = sum * 10 + d;
	}
	if (n == 0)
		return NUM_BAD;
	*v = big ? max : sum;
	return big ? NUM_BIG : NUM_OK;
}

int
num_size(const char *s, uint64_t *bytes)
{
	static const char units[] = "KMGT";
	size_t whole = strspn(s, "0123456789"), part = 0;
	const char *unit, *rest = s + whole;
	uint64_t v, frac = 0, scale = 1;
	int shift;

	if (num_u64(s, whole, UINT64_MAX, &v) != NUM_OK)
		return NUM_BAD;
	if (*rest == '.') {
		part = strspn(++rest, "0123456789");
		if (part == 0 || part > 6 || num_u64(rest, part, 999999, &frac) != NUM_OK)
			return NUM_BAD;
		rest += part;
		while (part-- > 0)
			scale *= 10;
	}
	if (*rest == '\0') {
		*bytes = 0;
		return v == 0 && frac == 0 ? NUM_OK : NUM_BAD;
	}
	unit = strchr(units, *rest);
	if (unit == NULL || (strcmp(rest + 1, "") != 0 && strcmp(rest + 1, "B") != 0 && strcmp(rest + 1, "iB") != 0))
		return NUM_BAD;
	shift = 10 * (int)(unit - units + 1);
	if (v >= (UINT64_MAX >> shift))
		return NUM_BAD;
	*bytes = (v << shift) + (frac << shift) / scale;	/* frac is below 2^20, shift at most 40 */
	return NUM_OK;
}

const char *
num_show(double bytes, char buf[NUM_TEXT])
{
	static const char units[] = "KMGTP";
	double v = bytes / 1024;
	size_t unit = 0, n;

	for (; v >= 1024 && unit + 2 < sizeof units; unit++)
		v /= 1024;
	n = (size_t)snprintf(buf, NUM_TEXT - 2, "%.2f", v);
	while (buf[n - 1] == '0')
		n--;
	n -= buf[n - 1] == '.';
	buf[n] = units[unit];
	buf[n + 1] = '\0';
	return buf;
}
