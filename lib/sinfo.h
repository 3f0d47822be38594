/* sinfo.h - a table of sinfo's, row by row: from a file, or from sinfo itself
 *
 * Fields lie between `|`, TABs or single blanks; columns are found by a header's names, else by their order. */
#ifndef SINFO_H
#define SINFO_H

#include <stddef.h>
#include <stdint.h>

#include "child.h"
#include "lines.h"
#include "tool.h"

#define SINFO_COLUMNS 8
#define SINFO_INFINITE INT64_MAX	/* seconds: no limit */
#define SINFO_UNKNOWN (-1)		/* seconds: there is no limit that can be read */

/* The table that is wanted. The caller keeps it. */
struct sinfo_form {
	char *const *argv;		/* the command that prints it, its format last */
	const char *const *column;	/* the header's names of the format's n columns; the first is PARTITION */
	size_t n, least;		/* without a header there are `least` to n fields, or two: %P and %l */
	const char *instead;		/* for a message: the options that do without sinfo */
};

struct sinfo {
	/* the row: valid until the next call */
	const char *name;		/* of the partition, without the star */
	int normal;			/* it had the star: the default partition */
	char *column[SINFO_COLUMNS];	/* as in the form; NULL where there is none of that name */
	/* for messages */
	const char *source;		/* the file's name, or sinfo; the caller's */
	size_t line;			/* the row's, from 1 */
	struct tool_words why;		/* after -1 */
	/* private */
	const struct sinfo_form *form;
	struct lines in;
	struct child child;
	char *rest, quoted[TOOL_WORD], delim;
	int quiet, at[SINFO_COLUMNS];
	size_t fields, rows;
};

/* Begins to read a file, `-` is stdin, as lines_open; where file is NULL sinfo is run, for at most `ms` milliseconds. */
void sinfo_open(struct sinfo *s, const struct sinfo_form *form, const char *file, int64_t ms, int quiet);

/* The next row: 1; 0 at the end, -1 where sinfo gave no answer, and why; then all is closed and freed. Lines around sinfo's own
 * table are left out, and said unless it is quiet. Ends the program for what is no table, as sinfo_bad, and with TROUBLE for
 * a file without a row. */
int sinfo_next(struct sinfo *s);

/* The end for a row: BADUSE for a file, TROUBLE for sinfo itself. Quotes `got`, the whole line where that is NULL. */
void sinfo_bad(const struct sinfo *s, const char *what, const char *got) TOOL_NORETURN;

/* A limit as sinfo prints it (NULL: none) in seconds, whole minutes down; or SINFO_INFINITE, SINFO_UNKNOWN. */
int64_t sinfo_limit(const char *text);

#endif
