/* opt - options by one table: getopt_long with this kit's refusals
 *
 * Scanning stops at the first operand (`+`), so that what follows `--` belongs to the command. The string of short
 * options is made from the table, so that there is one list.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <stdio.h>
#include <string.h>

#include "dur.h"
#include "opt.h"
#include "tool.h"

#ifndef VERSION
#define VERSION "unreleased"
#endif

static void
opt_letters(const struct option *table, char *s, size_t size)
{
	size_t n = 0;

	s[n++] = '+';
	s[n++] = ':';
	for (; table->name != NULL && n + 4 < size; table++) {
		if (table->val > 255)
			continue;
		s[n++] = (char)table->val;
		if (table->has_arg != no_argument)
			s[n++] = ':';
		if (table->has_arg == optional_argument)
			s[n++] = ':';
	}
	s[n] = '\0';
}

/* After the last option: operands up to `--`, the command behind it. */
static void
opt_rest(struct opt *o, int ended)
{
	int i = optind;

	o->ended = ended;
	o->operand = o->argv + optind;
	if (!o->runs)
		i = o->argc;
	while (!ended && i < o->argc && strcmp(o->argv[i], "--") != 0)
		i++;
	o->n = i - optind;
	if (o->runs && (ended || i < o->argc))
		o->command = o->argv + (ended ? i : i + 1);
}

int
opt_peek(struct opt *o)
{
	char letters[256];
	int before, val;

	opt_letters(o->table, letters, sizeof letters);
	optind = o->index;	/* glibc, musl and the BSDs begin anew at 0 */
	opterr = 0;
	before = o->at = o->index > 0 ? o->index : 1;
	val = getopt_long(o->argc, o->argv, letters, o->table, NULL);
	o->index = optind;
	if (val == -1)
		opt_rest(o, optind > before);	/* only a `--` is passed over without being an option */
	return val;
}

static void
opt_refuse(struct opt *o, int val)
{
	const char *name = help, *word = o->argv[o->at];
	int len = (int)strcspn(help, " ");
	const struct option *t;
	char buf[TOOL_WORD], letter[2] = "-";

	for (t = o->table; t->name != NULL && (t->val != optopt || optopt == 0); t++)
		;
	if (val == ':' && t->name != NULL)
		tool_die(BADUSE, "option --%s: no argument: one is needed, see %.*s -h", t->name, len, name);
	if (optopt != 0 && t->name != NULL)
		tool_die(BADUSE, "option --%s takes no argument, see %.*s -h", t->name, len, name);
	if (optopt > ' ' && optopt < 0x7f) {
		letter[1] = (char)optopt;
		tool_die(BADUSE, "unknown option %s: see %.*s -h for those there are", tool_word(buf, letter, 2), len, name);
	}
	tool_die(BADUSE, "unknown option %s: see %.*s -h for those there are",
	    tool_word(buf, word, strcspn(word, "=")), len, name);
}

int
opt_next(struct opt *o)
{
	int i, val = opt_peek(o);
	char buf[TOOL_WORD];

	if (val == 'h')
		fputs(help, stdout);
	if (val == 'V')
		printf("%.*s (batchutils) %s\n", (int)strcspn(help, " "), help, VERSION);
	if (val == 'h' || val == 'V')
		tool_done(YES);
	if (val == '?' || val == ':')
		opt_refuse(o, val);
	if (val != -1)
		return val;
	for (i = 0; i < o->n; i++)
		if (o->operand[i][0] == '-' && o->operand[i][1] != '\0' && !(o->ended && !o->runs))
			tool_die(BADUSE, "%s stands behind the first operand: options come first",
			    tool_word(buf, o->operand[i], strlen(o->operand[i])));
	return -1;
}

int64_t
opt_duration(const char *option, const char *arg)
{
	char why[DUR_WHY], word[TOOL_WORD];
	int64_t ms;

	if (dur_parse(arg, &ms, why) != 0)
		tool_die(BADUSE, "%s %s: %s", option, tool_word(word, arg, strlen(arg)), why);
	return ms;
}
