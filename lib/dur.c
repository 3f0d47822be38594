/* dur - durations: ours and Slurm's requests, sacct's own output, and Slurm's way to print them
 *
 * The two grammars meet in `4:00`: four minutes in both, as Slurm has it. They are apart in what else they take: an
 * option takes no `.mmm` behind a colon form, sacct prints no `4h`.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dur.h"

/* A run of 1 to 10 digits at *s, which moves past it; -1 where there is none. */
static int64_t
dur_digits(const char **s)
{
	int64_t v = 0;
	size_t n = strspn(*s, "0123456789");

	if (n == 0 || n > 10)
		return -1;
	while (n-- > 0)
		v = v * 10 + (*(*s)++ - '0');
	return v;
}

/* `.5` `.250` (1 to 3 digits) at *s as milliseconds, 0 where there is no dot, -1 where it is no fraction. */
static int64_t
dur_millis(const char **s)
{
	size_t n;
	int64_t v;

	if (**s != '.')
		return 0;
	++*s;
	n = strspn(*s, "0123456789");
	if (n == 0 || n > 3)
		return -1;
	v = dur_digits(s);
	while (n++ < 3)
		v *= 10;
	return v;
}

/* `[D-]A[:B[:C]]` at s into milliseconds. Without a day A:B is minutes and seconds, with one hours and minutes. */
static int64_t
dur_colons(const char *s, int fraction)
{
	int64_t days = 0, part[3] = { 0, 0, 0 }, ms = 0, sec;
	int n, day = strchr(s, '-') != NULL;

	if (day) {
		days = dur_digits(&s);
		if (days < 0 || days > 3650 || *s++ != '-')
			return -1;
	}
	for (n = 0; n < 3; ) {
		part[n] = dur_digits(&s);
		if (part[n] < 0 || (n > 0 && part[n] > 59))
			return -1;
		n++;
		if (*s != ':')
			break;
		s++;
	}
	if (fraction && (day ? n == 3 : n >= 2))
		ms = dur_millis(&s);
	if (ms < 0 || *s != '\0' || s[-1] == ':' || (!day && n < 2))
		return -1;
	if (!day && n == 2)
		sec = part[0] * 60 + part[1];
	else
		sec = part[0] * 3600 + part[1] * 60 + part[2];
	ms += (days * 86400 + sec) * 1000;
	return ms <= DUR_MAX ? ms : -1;
}

/* `2d4h30m1.5s` at s into milliseconds. */
static int64_t
dur_units(const char *s)
{
	static const char units[] = "dhms";
	static const int64_t worth[] = { 86400000, 3600000, 60000, 1000 };
	const char *next = units, *unit;
	int64_t v, ms, sum = 0;
	int dot;

	while (*s != '\0') {
		v = dur_digits(&s);
		dot = *s == '.';
		ms = dur_millis(&s);
		if (v < 0 || ms < 0 || *s == '\0' || (unit = strchr(next, *s)) == NULL || (dot && *unit != 's') ||
		    v > DUR_MAX / worth[unit - units])
			return -1;
		sum += v * worth[unit - units] + ms;
		next = unit + 1;
		s++;
	}
	return sum <= DUR_MAX ? sum : -1;
}

int
dur_parse(const char *s, int64_t *ms, char why[DUR_WHY])
{
	size_t digits = strspn(s, "0123456789");

	*ms = -1;
	if (*s == '\0') {
		snprintf(why, DUR_WHY, "an empty duration: write 90s, 10m, 4h30m, 2d or D-HH:MM:SS");
		return -1;
	}
	if (digits > 0 && s[digits] == '\0') {
		if (strspn(s, "0") == digits) {
			*ms = 0;
			return 0;
		}
		snprintf(why, DUR_WHY, "a bare number is seconds to sleep and minutes to Slurm: write %.12ss or %.12sm", s, s);
		return -1;
	}
	*ms = strpbrk(s, ":-") != NULL ? dur_colons(s, 0) : dur_units(s);
	if (*ms < 0) {
		snprintf(why, DUR_WHY, "not a duration up to ten years: write 90s, 10m, 4h30m, 2d or D-HH:MM:SS");
		return -1;
	}
	return 0;
}

int
dur_sacct(const char *s, int64_t *ms)
{
	const char *colon = strchr(s, ':');

	*ms = -1;
	if (colon != NULL && (strchr(s, '-') == NULL || strchr(colon + 1, ':') != NULL))
		*ms = dur_colons(s, 1);
	return *ms < 0 ? -1 : 0;
}

const char *
dur_slurm(int64_t seconds, char buf[DUR_TEXT])
{
	int64_t days = seconds / 86400, hours = seconds / 3600 % 24, minutes = seconds / 60 % 60;
	int n = 0;

	if (days > 0)
		n = snprintf(buf, DUR_TEXT, "%" PRId64 "-", days);
	snprintf(buf + n, (size_t)(DUR_TEXT - n), "%02d:%02d:%02d", (int)hours, (int)minutes, (int)(seconds % 60));
	return buf;
}
