/* ere - extended regular expressions as a user who knows others writes them
 *
 * POSIX leaves a backslash before a letter undefined. \w \W \s \S \b \B and back-references mean in glibc and musl what they
 * mean in grep -E, and pass.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <sys/resource.h>
#include <sys/wait.h>

#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ere.h"
#include "tool.h"

#define ERE_LONG 1000	/* bytes, */
#define ERE_DEPTH 50	/* parentheses in one another, */
#define ERE_COPIES 1000	/* and copies of a part by bounds: regcomp() needs little memory below them */

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

/* The highest bound of the repetition that begins at s: 2 of {2}, 9 of {2,9} and of {,9}, which glibc takes, 1 of what is none. */
static unsigned long
ere_bound(const char *s)
{
	char *end;
	unsigned long low = strtoul(s + 1, &end, 10), high = low;

	if (end == s + 1 && *end != ',')
		return 1;
	if (*end == ',')
		high = strtoul(end + 1, &end, 10);
	return high > low ? high : low > 0 ? low : 1;
}

/* Whether regcomp() would take more stack or memory than it has: it nests its calls with the parentheses, and copies what is
 * repeated as often as the bounds say, bounds in bounds multiplied. To glibc a+ is aa*: two copies. */
static int
ere_is_costly(const char *ere)
{
	unsigned long product[ERE_DEPTH + 1] = { 1 }, bound, last = 1;
	size_t depth = 0;
	const char *s = ere, *behind = NULL;	/* behind what is `last` copies already */

	while (*s != '\0') {
		if (*s == '[') {
			s = ere_behind_bracket(s);
			continue;
		}
		if (*s == '\\' && s[1] != '\0')
			s++;
		else if (*s == '(' && depth++ == ERE_DEPTH)
			return 1;
		else if (*s == '(')
			product[depth] = 1;
		else if (*s == ')' && depth > 0) {
			last = product[depth--];
			if (last > product[depth])
				product[depth] = last;
			behind = s + 1;
		} else if ((*s == '*' || *s == '?') && s == behind)
			behind++;
		else if (*s == '{' || *s == '+') {
			bound = (*s == '+' ? 2 : ere_bound(s)) * (s == behind ? last : 1);
			if (bound > ERE_COPIES)
				return 1;
			last = bound;
			behind = *s == '+' ? s + 1 : s + strcspn(s, "}") + 1;
			if (bound > product[depth])
				product[depth] = bound;
		}
		s++;
	}
	return 0;
}

/* Compiles it in a process that may take a second: what repeats what may be empty can take glibc hours. The signal that ended
 * it, 0, or -1 where there is none. */
static int
ere_try(const char *ere)
{
	const struct rlimit none = { 0, 0 }, second = { 1, 1 };
	struct sigaction usual, old;
	int status = 0;
	pid_t pid, got;
	regex_t re;

	memset(&usual, 0, sizeof usual);
	usual.sa_handler = SIG_DFL;
	if (sigaction(SIGCHLD, &usual, &old) != 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &none);
		setrlimit(RLIMIT_CPU, &second);
		regcomp(&re, ere, REG_EXTENDED);	/* without REG_NOSUB it may take longer */
		_exit(0);
	}
	do
		got = pid == -1 ? -1 : waitpid(pid, &status, 0);
	while (pid != -1 && got == -1 && errno == EINTR);
	sigaction(SIGCHLD, &old, NULL);
	return got == -1 ? -1 : WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

const char *
ere_refused(const char *ere, int *status, char why[ERE_WHY])
{
	const char *s = ere, *instead;
	size_t i;
	int tried;

	*status = BADUSE;
	if (*ere == '\0') {
		snprintf(why, ERE_WHY, "an empty expression matches every line");
		return why;
	}
	if (strlen(ere) > ERE_LONG || ere_is_costly(ere)) {
		snprintf(why, ERE_WHY, "too much: at most %d bytes, %d parentheses in one another and %d repetitions by {n,m} and + in one another were expected",
		    ERE_LONG, ERE_DEPTH, ERE_COPIES);
		return why;
	}
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
	tried = ere[strcspn(ere, "*+?{")] == '\0' ? 0 : ere_try(ere);
	if (tried == 0)
		return NULL;
	if (tried == -1) {
		*status = TROUBLE;
		snprintf(why, ERE_WHY, "there is no process to try it in: %s", strerror(errno));
	} else
		snprintf(why, ERE_WHY, "regcomp() takes over a second, or all of its stack, for it: fewer repetitions of what may be empty were expected");
	return why;
}
