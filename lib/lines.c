/* lines - a file of text, line by line
 *
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <sys/types.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "tool.h"

void
lines_open(struct lines *l, const char *file)
{
	memset(l, 0, sizeof *l);
	l->name = tool_input(file);
	l->f = strcmp(file, "-") == 0 ? stdin : fopen(file, "r");
	if (l->f == NULL)
		tool_die(tool_misnamed() ? BADUSE : TROUBLE, "%s:", file);
}

int
lines_next(struct lines *l)
{
	ssize_t n;

	l->n++;
	errno = 0;
	n = getline(&l->s, &l->room, l->f);
	if (n < 0) {
		if (!feof(l->f) && errno == ENOMEM)
			tool_die(TROUBLE, "%s:%zu: no memory for a line", l->name, l->n);
		if (ferror(l->f))
			tool_die(errno == EISDIR ? BADUSE : TROUBLE, "%s:", l->name);
		if (l->f != stdin)
			fclose(l->f);
		free(l->s);
		return 0;
	}
	if (memchr(l->s, '\0', (size_t)n) != NULL)
		tool_die(BADUSE, "%s:%zu: a NUL byte: text was expected", l->name, l->n);
	if (n == 0 || l->s[n - 1] != '\n')
		tool_die(BADUSE, "%s:%zu: the last line has no end, a newline: was it cut?", l->name, l->n);
	l->s[--n] = '\0';
	if (n > 0 && l->s[n - 1] == '\r')
		l->s[--n] = '\0';
	if (l->n == 1 && n >= 3 && memcmp(l->s, "\xef\xbb\xbf", 3) == 0)
		memmove(l->s, l->s + 3, (size_t)n - 2);
	return 1;
}

size_t
lines_cut(char *s, char delim, char **field, size_t most)
{
	size_t n = 0;
	char *end;

	for (;;) {
		if (delim == ' ')
			s += strspn(s, " ");
		if (delim == ' ' && *s == '\0')
			return n;
		end = strchr(s, delim);
		if (n < most)
			field[n] = s;
		n++;
		if (end == NULL)
			return n;
		*end = '\0';
		s = end + 1;
	}
}
