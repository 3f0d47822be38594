/* esc - bytes from outside, made harmless for a record, a terminal or JSON
 *
 * No locale is asked: UTF-8 is recognised by its bytes, so the answer is the same on every machine.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "esc.h"

size_t
esc_utf8(const char *s, size_t n)
{
	const unsigned char *u = (const unsigned char *)s;
	unsigned char low = 0x80, high = 0xbf;
	size_t len, i;

	if (n == 0)
		return 0;
	if (u[0] < 0x80)
		return 1;
	if (u[0] < 0xc2 || u[0] > 0xf4)
		return 0;
	len = u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
	if (len > n)
		return 0;
	if (u[0] == 0xe0)
		low = 0xa0;	/* shorter forms exist */
	else if (u[0] == 0xed)
		high = 0x9f;	/* surrogates */
	else if (u[0] == 0xf0)
		low = 0x90;
	else if (u[0] == 0xf4)
		high = 0x8f;	/* past U+10FFFF */
	if (u[1] < low || u[1] > high)
		return 0;
	for (i = 2; i < len; i++)
		if (u[i] < 0x80 || u[i] > 0xbf)
			return 0;
	return len;
}

int
esc_hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* What stands for the byte c outside UTF-8's many-byte characters, in buf; NULL where c may pass as it is. */
static const char *
esc_byte(unsigned char c, enum esc_how how, char buf[8])
{
	if (how == ESC_JSON) {
		if (c == '"' || c == '\\')
			snprintf(buf, 8, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			snprintf(buf, 8, "\\u%04x", c);
		else
			return NULL;
		return buf;
	}
	if (c == '\t')
		return "\\t";
	if (c == '\n')
		return "\\n";
	if (c == '\\')
		return how == ESC_MESSAGE ? NULL : "\\\\";
	if (c >= 0x20 && c != 0x7f && (c < 0x80 || how == ESC_FIELD))
		return NULL;
	snprintf(buf, 8, "\\x%02X", c);
	return buf;
}

/* Whether the character of len bytes may go to a screen: no C1 control, and none of those that turn what follows about
 * (U+200E, U+200F, U+202A to 202E, U+2066 to 2069), after which a name reads as another. */
static int
esc_is_plain(const char *s, size_t len)
{
	const unsigned char *u = (const unsigned char *)s;

	if (len == 2)
		return u[0] != 0xc2 || u[1] >= 0xa0;
	if (len != 3 || u[0] != 0xe2)
		return 1;
	if (u[1] == 0x80)
		return u[2] != 0x8e && u[2] != 0x8f && (u[2] < 0xaa || u[2] > 0xae);
	return u[1] != 0x81 || u[2] < 0xa6 || u[2] > 0xa9;
}

void
esc_put(FILE *f, const char *s, size_t n, enum esc_how how)
{
	const char *sub, *end = s + n, *plain = s;
	char buf[8];
	size_t len;

	while (s < end) {
		len = (unsigned char)*s < 0x80 || how == ESC_FIELD ? 1 : esc_utf8(s, (size_t)(end - s));
		if (len > 1 && (how == ESC_JSON || esc_is_plain(s, len))) {
			s += len;
			continue;
		}
		sub = len == 0 && how == ESC_JSON ? "\xef\xbf\xbd" : esc_byte((unsigned char)*s, how, buf);
		if (sub != NULL) {
			fwrite(plain, 1, (size_t)(s - plain), f);
			fputs(sub, f);
			plain = s + 1;
		}
		s++;
	}
	fwrite(plain, 1, (size_t)(s - plain), f);
}

size_t
esc_undo(char *s, size_t n)
{
	size_t from = 0, to = 0;
	int high, low;

	while (from < n) {
		if (s[from] != '\\') {
			s[to++] = s[from++];
			continue;
		}
		if (n - from < 2)
			return (size_t)-1;
		switch (s[from + 1]) {
		case 't':
			s[to++] = '\t';
			break;
		case 'n':
			s[to++] = '\n';
			break;
		case '\\':
			s[to++] = '\\';
			break;
		case 'x':
			if (n - from < 4 || (high = esc_hex(s[from + 2])) < 0 || (low = esc_hex(s[from + 3])) < 0 ||
			    high + low == 0)
				return (size_t)-1;
			s[to++] = (char)(high * 16 + low);
			from += 2;
			break;
		default:
			return (size_t)-1;
		}
		from += 2;
	}
	return to;
}
