/* sinfo - a table of sinfo's, row by row
 *
 * Of sinfo's own output a line without `|` is none of the table: a site's greeting around it. In a file it is bad input.
 * Two blanks together are a column of fixed width, whose fields may be cut.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <sys/wait.h>

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "child.h"
#include "dur.h"
#include "lines.h"
#include "sinfo.h"
#include "tool.h"

#define SINFO_MAX ((size_t)4 << 20)	/* bytes of its output: ten thousand partitions */
#define SINFO_FIELDS 64

void
sinfo_bad(const struct sinfo *s, const char *what, const char *got)
{
	struct tool_words command = { "", 0 };
	char *const *word = s->form->argv, buf[TOOL_WORD];

	for (; word[1] != NULL; word++)
		tool_add(&command, "%s ", *word);
	tool_die(s->rest != NULL ? TROUBLE : BADUSE, "%s:%zu: %s %s: the output of %s'%s' was expected", s->source, s->line, what,
	    got != NULL ? tool_word(buf, got, strlen(got)) : s->quoted, command.s, *word);
}

/* What sinfo's stderr says: its line with an error, else the first. */
static const char *
sinfo_said(struct sinfo *s)
{
	char *said = s->child.err, *error = strstr(said, "error:");

	while (error != NULL && error > said && error[-1] != '\n')
		error--;
	said = error != NULL ? error : said;
	said[strcspn(said, "\n")] = '\0';
	return *said != '\0' ? said : "it said nothing";
}

static void
sinfo_ask(struct sinfo *s, int64_t ms)
{
	struct child *c = &s->child;

	s->source = "sinfo";
	child_run(c, s->form->argv, ms, SINFO_MAX);
	s->rest = c->out;
	if (c->end == CHILD_ABSENT)
		tool_add(&s->why, "sinfo is not in PATH: %s would do without it", s->form->instead);
	else if (c->end == CHILD_FAILED)
		tool_add(&s->why, "sinfo could not be run: %s", strerror(c->error));
	else if (c->end != CHILD_ENDED)
		tool_add(&s->why, "sinfo gave no answer within %" PRId64 " s: try it by hand, or longer with -t", (ms + 999) / 1000);
	else if (WIFSIGNALED(c->status))
		tool_add(&s->why, "sinfo was killed by signal %d: try it by hand", WTERMSIG(c->status));
	else if (WEXITSTATUS(c->status) != 0)
		tool_add(&s->why, "sinfo gave no answer (status %d: %s): try scontrol ping", WEXITSTATUS(c->status), sinfo_said(s));
	else if (strstr(c->err, "error:") != NULL)
		tool_add(&s->why, "sinfo complained (%s): try scontrol ping", sinfo_said(s));
	else if (c->cut || memchr(c->out, '\0', c->nout) != NULL)
		tool_add(&s->why, "sinfo printed %s: try it by hand", c->cut ? "too much" : "a NUL byte");
}

void
sinfo_open(struct sinfo *s, const struct sinfo_form *form, const char *file, int64_t ms, int quiet)
{
	memset(s, 0, sizeof *s);
	s->form = form;
	s->quiet = quiet;
	if (file == NULL) {
		sinfo_ask(s, ms);
		return;
	}
	lines_open(&s->in, file);
	s->source = s->in.name;
}

/* The next line; NULL at the end. */
static char *
sinfo_line(struct sinfo *s)
{
	char *line = s->rest, *end;

	s->line++;
	if (line == NULL)
		return lines_next(&s->in) ? s->in.s : NULL;
	if (*line == '\0' || s->why.n > 0)
		return NULL;
	end = strchr(line, '\n');
	if (end == NULL) {
		tool_add(&s->why, "sinfo's line %zu, the last, has no end: was it cut? try sinfo by hand", s->line);
		return NULL;
	}
	*end = '\0';
	s->rest = end + 1;
	return line;
}

/* Cuts a line into its fields: how many; 0 where it is none of the table. */
static size_t
sinfo_cut(struct sinfo *s, char *line, char **field)
{
	size_t n;

	tool_word(s->quoted, line, strlen(line));
	if (*line == '\0')
		return 0;
	if (s->rest != NULL && strchr(line, '|') == NULL) {
		if (!s->quiet)
			tool_warn("%s:%zu: no line of a table: %s", s->source, s->line, s->quoted);
		return 0;
	}
	if (s->fields == 0 && strchr(line, '|') == NULL && strstr(line, "error:") != NULL)
		tool_die(TROUBLE, "%s:%zu: an error message, no table: %s", s->source, s->line, s->quoted);
	if (s->fields == 0)
		s->delim = strchr(line, '|') != NULL ? '|' : strchr(line, '\t') != NULL ? '\t' : ' ';
	if (s->delim == ' ' && strstr(line, "  ") != NULL)
		sinfo_bad(s, "a table of fixed widths, whose fields may be cut:", NULL);
	n = lines_cut(line, s->delim, field, SINFO_FIELDS);
	if (n > SINFO_FIELDS)
		sinfo_bad(s, "too many fields:", NULL);
	if (s->fields != 0 && n != s->fields)
		sinfo_bad(s, "not as many fields as in the first line:", NULL);
	return n;
}

/* Finds the columns, by the first line of the table. Whether it was a header. */
static int
sinfo_header(struct sinfo *s, char **field, size_t n)
{
	const struct sinfo_form *f = s->form;
	size_t i, k, found = 0;

	s->fields = n;
	for (k = 0; k < f->n; k++) {
		s->at[k] = -1;
		for (i = 0; i < n; i++) {
			if (strcmp(field[i], f->column[k]) != 0)
				continue;
			if (s->at[k] >= 0)
				sinfo_bad(s, "a column that stands there twice:", f->column[k]);
			s->at[k] = (int)i;
			found++;
		}
	}
	if (found > 0 && s->at[0] < 0)
		sinfo_bad(s, "a header without PARTITION:", NULL);
	if (found > 0)
		return 1;
	if (n != 2 && (n < f->least || n > f->n))
		sinfo_bad(s, "not as many fields as the format has:", NULL);
	for (k = 0; k < f->n; k++)
		s->at[k] = n == 2 && k > 0 ? (strcmp(f->column[k], "TIMELIMIT") == 0 ? 1 : -1) : k < n ? (int)k : -1;
	return 0;
}

/* Takes the partition's name, and its star off. A greeting without its newline, or a colour, is none. */
static void
sinfo_name(struct sinfo *s)
{
	char *name = s->column[0];
	size_t n = strlen(name), i;

	s->name = name;
	s->normal = n > 1 && name[n - 1] == '*';
	if (s->normal)
		name[n - 1] = '\0';
	for (i = 0; (unsigned char)name[i] > ' ' && name[i] != '\177'; i++)
		;
	if (i == 0 || name[i] != '\0')
		sinfo_bad(s, "the partition", name);
}

int
sinfo_next(struct sinfo *s)
{
	char *field[SINFO_FIELDS], *line;
	size_t n, k;

	while ((line = sinfo_line(s)) != NULL) {
		n = sinfo_cut(s, line, field);
		if (n == 0 || (s->fields == 0 && sinfo_header(s, field, n)))
			continue;
		for (k = 0; k < s->form->n; k++)
			s->column[k] = s->at[k] < 0 ? NULL : field[s->at[k]];
		sinfo_name(s);
		s->rows++;
		return 1;
	}
	if (s->rest == NULL && s->rows == 0)
		tool_die(TROUBLE, "%s: no partition in it: was sinfo answered when it was saved?", s->source);
	if (s->rows == 0 && s->why.n == 0)
		tool_add(&s->why, "sinfo printed no partition (%s): try sinfo by hand", sinfo_said(s));
	child_free(&s->child);
	return s->why.n > 0 ? -1 : 0;
}

int64_t
sinfo_limit(const char *text)
{
	char why[DUR_WHY];
	int64_t ms;

	if (text != NULL && (strcasecmp(text, "infinite") == 0 || strcasecmp(text, "unlimited") == 0))
		return SINFO_INFINITE;
	return text == NULL || dur_parse(text, &ms, why) != 0 || ms < 60000 ? SINFO_UNKNOWN : ms / 60000 * 60;
}
