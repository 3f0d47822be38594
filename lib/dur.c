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

/* 1 to 10 digits at *s, which moves past them; -1 where there are none or more. */
static int64_t
dur_digits(const char **s, const char *end)
{
	const char *from = *s;
	int64_t v = 0;

	for (; *s < end && **s >= '0' && **s <= '9' && *s - from <= 10; ++*s)
		v = v * 10 + (**s - '0');
	return *s > from && *s - from <= 10 ? v : -1;
}

/* `.5` `.250` (1 to 3 digits) at *s as milliseconds, 0 where there is no dot, -1 where it is no fraction. */
static int64_t
dur_millis(const char **s, const char *end)
{
	const char *from;
	int64_t v;

	if (*s == end || **s != '.')
		return 0;
	from = ++*s;
	v = dur_digits(s, end);
	if (v < 0 || *s - from > 3)
		return -1;
	return *s - from == 3 ? v : *s - from == 2 ? v * 10 : v * 100;
}

/* `[D-]A[:B[:C]]` from s to end into milliseconds. Without a day A:B is minutes and seconds; with one it is hours and minutes,
 * which sacct never prints. */
static int64_t
dur_colons(const char *s, const char *end, int sacct)
{
	int64_t days = 0, part[3] = { 0, 0, 0 }, ms = 0, sec;
	int n, day = memchr(s, '-', (size_t)(end - s)) != NULL;

	if (day) {
		days = dur_digits(&s, end);
		if (days < 0 || days > 3650 || s == end || *s++ != '-')
			return -1;
	}
	for (n = 0; n < 3; ) {
		part[n] = dur_digits(&s, end);
		if (part[n] < 0 || (n > 0 && part[n] > 59))
			return -1;
		n++;
		if (s == end || *s != ':')
			break;
		s++;
	}
	if (sacct)
		ms = dur_millis(&s, end);
	if (ms < 0 || s != end || s[-1] == ':' || n < (day ? sacct ? 3 : 1 : 2))
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
	const char *next = units, *unit, *end = s + strlen(s);
	int64_t v, ms, sum = 0;
	int dot;

	while (*s != '\0') {
		v = dur_digits(&s, end);
		dot = *s == '.';
		ms = dur_millis(&s, end);
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
	*ms = strpbrk(s, ":-") != NULL ? dur_colons(s, s + strlen(s), 0) : dur_units(s);
	if (*ms < 0) {
		snprintf(why, DUR_WHY, "not a duration up to ten years: write 90s, 10m, 4h30m, 2d or D-HH:MM:SS");
		return -1;
	}
	return 0;
}

int64_t
dur_sacct(const char *s, size_t n)
{
	return n > 0 ? dur_colons(s, s + n, 1) : -1;
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
