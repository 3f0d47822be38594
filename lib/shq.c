/* shq - a word quoted for a POSIX shell
 *
 * Between single quotes every byte stands for itself but the single quote, which is written '\'' (POSIX 2.2.2).
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "shq.h"

void
shq_put(FILE *f, const char *s, size_t n)
{
	size_t i;

	fputc('\'', f);
	for (i = 0; i < n; i++) {
		if (s[i] == '\'')
			fputs("'\\''", f);
		else
			fputc(s[i], f);
	}
	fputc('\'', f);
}
