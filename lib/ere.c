/* ere - extended regular expressions as a user who knows others writes them
 *
 * POSIX leaves a backslash before a letter undefined. \w \W \s \S \b \B and back-references mean in glibc and musl what they
 * mean in grep -E, and pass.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "ere.h"

static const struct {
	char letter;
	const char *instead;
} ere_escapes[] = {
	{ 'd', "[0-9]" }, { 'D', "[^0-9]" }, { 't', "a TAB ($'\\t' in bash)" }, { 'h', "[[:blank:]]" }, { 'n', "a pattern without it (a line is matched by itself)" }
};

/* Behind the bracket expression that begins at s. */
static const char *
ere_behind_bracket(const char *s)
{
	const char *end;
	char close[3] = "x]";

	s += s[1] == '^' ? 2 : 1;
	if (*s == ']')
		s++;
	for (; *s != '\0' && *s != ']'; s++)
		if (*s == '[' && s[1] != '\0' && strchr(":.=", s[1]) != NULL) {
			close[0] = s[1];
			end = strstr(s + 2, close);
			if (end == NULL)
				return s + strlen(s);
			s = end + 1;
		}
	return *s == ']' ? s + 1 : s;
}

const char *
ere_refused(const char *ere, char why[ERE_WHY])
{
	const char *s = ere, *instead;
	size_t i;

	while (*s != '\0') {
		if (*s == '[') {
			s = ere_behind_bracket(s);
			continue;
		}
		if (*s++ != '\\' || *s == '\0')
			continue;
		if (isalpha((unsigned char)*s) && strchr("wWsSbB", *s) == NULL) {
			instead = "the letter without a backslash";
			for (i = 0; i < sizeof ere_escapes / sizeof ere_escapes[0]; i++)
				if (ere_escapes[i].letter == *s)
					instead = ere_escapes[i].instead;
			snprintf(why, ERE_WHY, "\\%c is the letter %c in an extended regular expression: %s was expected", *s, *s, instead);
			return why;
		}
		s++;
	}
	return NULL;
}
