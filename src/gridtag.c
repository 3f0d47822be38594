/* gridtag - array index -> one cell of a grid and one unique tag
 *
 * A grid is a product of groups. A group is one axis, some axes that vary together, or a whole table; it has `size` positions, and
 * its values stand NUL-ended in one text (a plain range is computed instead). A cell is one position in each group; the
 * last group varies fastest. Cells that a skip names are left out and the rest is numbered densely, without building the grid: at each
 * group, the skips that still apply name few positions; the cells below all the others are counted once (struct node).
 *
 * No two cells share a tag. By default that is proved from its parts: an encoded value never contains the separator, encoding is one to one,
 * positions of a group differ, and shortened values carry a hash that was compared within the axis. Under a template,
 * or from a table, all tags are compared unless they can be taken apart again from left to right.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "esc.h"
#include "iset.h"
#include "num.h"
#include "opt.h"
#include "rec.h"
#include "shq.h"
#include "tool.h"

const char help[] =
"gridtag - array index -> one cell of a grid and one unique tag\n"
"\n"
"usage: gridtag [options] [GRID...] -- command [arg...]\n"
"           runs command as this task's cell: $TAG and each $axis in its environment, {axis} {tag} {index} in its words\n"
"       cell=$(gridtag [options] [GRID...]) || exit; eval \"$cell\"\n"
"           the cell as shell assignments\n"
"       gridtag [options] -n|-a|-l|-T|-2|--each AXIS|--values AXIS|--account TEMPLATE|--fingerprint [GRID...]\n"
"           a value, printed\n"
"\n"
"GRID: axis=v1,v2  axis=0..4  axis=0..100..10  axis=001..100  axis=@file  a:b=7b:32,32b:8\n"
"      the last axis varies fastest; a backslash makes the next character an ordinary one\n"
"\n"
"the grid:\n"
"  -f, --file FILE          a grid file: one GRID word a line, # comments, and the lines base N, prefix WORD,\n"
"                           skip a=v,b=w, per-task K, tag TEMPLATE, cells FILE; no GRID words and none of the next six then\n"
"  -c, --cells FILE         a table (TSV or CSV with a header) instead of GRID words: each row is a cell\n"
"  -b, --base N             the first index (0)\n"
"  -p, --prefix WORD        begin every tag with WORD+\n"
"  -x, --skip a=v,b=w       leave out the cells with these values (repeatable; indices stay dense)\n"
"  -k, --per-task K         a task runs K cells, one after another\n"
"      --tag-template T     the tag is T, for instance {model}-s{seed}\n"
"the task:\n"
"  -i, --index N            the task's index, instead of SLURM_ARRAY_TASK_ID\n"
"  -F, --expect-fingerprint HEX   refuse when the grid is not the one with this fingerprint\n"
"  -q, --quiet              without the line `task N -> TAG` on stderr\n"
"to print:\n"
"  -n, --count              the number of cells\n"
"  -a, --array              the array specification, for sbatch --array\n"
"  -l, --list               every cell: index, tag, values\n"
"  -T, --tag                the tag of this task's cell\n"
"  -2, --smoke              an array specification of two tasks that differ in every axis\n"
"      --each AXIS          an array specification with one task for each value of AXIS\n"
"      --values AXIS        the values of AXIS, one a line\n"
"      --account TEMPLATE   what became of every cell's file: all that is not ok\n"
"      --fingerprint        the grid's fingerprint\n"
"which cells, with -n -a -l:\n"
"  -w, --where axis=v1,v2   only those with these values (or 1..4); of several -w all must hold\n"
"  -m, --missing TEMPLATE   only those whose file, for instance out/{tag}.json, is missing or empty (repeatable)\n"
"      --except SPEC        not these indices, for instance those still in the queue (`none` is none)\n"
"more:\n"
"      --max N              with -a: refuse an index of N or more (MaxArraySize)\n"
"      --records N          with --account: a file with any other number of lines is not ok\n"
"  -H, --header             with -l and --account: a line of column names\n"
"      --json               with -l and --account: one JSON object a line\n"
"  -h, --help               this text\n"
"  -V, --version            the version\n"
"\n"
"exit status: 0 done; 1 no: no such cell, nothing missing, not all ok, another fingerprint; 2 called wrong, or a bad\n"
"grid; 3 could not find out. With a command: its own status, 125 for every failure of gridtag, 126 it cannot be run,\n"
"127 it is not found, 128+n killed by signal n.\n"
"\n"
"example:\n"
"  spec=$(gridtag -a model=7b,32b seed=0..5) || exit\n"
"  sbatch --array=\"$spec\" --wrap='gridtag model=7b,32b seed=0..5 -- ./train --model {model} --seed {seed} -o out/{tag}'\n";

enum {
	O_TEMPLATE = 256, O_EACH, O_VALUES, O_ACCOUNT, O_FINGERPRINT, O_EXCEPT, O_MAX, O_RECORDS, O_JSON
};

static const struct option options[] = {
	OPT_COMMON,
	{ "file", required_argument, NULL, 'f' },
	{ "cells", required_argument, NULL, 'c' },
	{ "base", required_argument, NULL, 'b' },
	{ "prefix", required_argument, NULL, 'p' },
	{ "skip", required_argument, NULL, 'x' },
	{ "per-task", required_argument, NULL, 'k' },
	{ "tag-template", required_argument, NULL, O_TEMPLATE },
	{ "index", required_argument, NULL, 'i' },
	{ "expect-fingerprint", required_argument, NULL, 'F' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "count", no_argument, NULL, 'n' },
	{ "array", no_argument, NULL, 'a' },
	{ "list", no_argument, NULL, 'l' },
	{ "tag", no_argument, NULL, 'T' },
	{ "smoke", no_argument, NULL, '2' },
	{ "each", required_argument, NULL, O_EACH },
	{ "values", required_argument, NULL, O_VALUES },
	{ "account", required_argument, NULL, O_ACCOUNT },
	{ "fingerprint", no_argument, NULL, O_FINGERPRINT },
	{ "where", required_argument, NULL, 'w' },
	{ "missing", required_argument, NULL, 'm' },
	{ "except", required_argument, NULL, O_EXCEPT },
	{ "max", required_argument, NULL, O_MAX },
	{ "records", required_argument, NULL, O_RECORDS },
	{ "header", no_argument, NULL, 'H' },
	{ "json", no_argument, NULL, O_JSON },
	{ NULL, 0, NULL, 0 }
};

#define TAG_MAX 200			/* bytes of a tag */
#define TAG_HASH 14			/* bytes of `~h` and the 12 digits of a shortened value */
#define VALUE_MAX 65536			/* bytes of a value; a longer one cannot be handed to a command */
#define LIST_MAX ((uint64_t)1 << 24)	/* values of an axis that are written out */
#define CELLS_MAX (UINT64_C(1) << 62)	/* cells of a grid */
#define VISIT_MAX ((uint64_t)1 << 24)	/* cells that are looked at one by one */
#define WAYS_MAX 4096		/* in which values with slashes may share the names of one path */
#define PROOF_MAX ((uint64_t)1 << 20)	/* cells whose tags are compared one by one where a template needs it */
#define STEPS_MAX 3000000		/* steps to count the cells that skips leave: one for each part of the grid, */
#define STEP_SKIPS 4			/* and one for so many skips that apply to it */
#define POOL_MAX 6000			/* cells among which the smoke pair is looked for where skips leave some out */
#define PAIRS_MAX 20000000		/* pairs looked at for the smoke pair */
#define NONE ((size_t)-1)
#define OTHER UINT64_MAX		/* a position that no skip names */

/* where a word stands, for messages: in a file at a line, or on the command line */
struct origin {
	const char *file;
	size_t line;
};

static const struct origin nowhere = { NULL, 0 };	/* the command line */

struct buf {
	char *s;
	size_t n, room;
};

struct text {
	const char *s;
	size_t n;
};

struct group {
	size_t axis, naxes;	/* its axes: naxes of them from this one on */
	uint64_t size;
	int range;		/* its one axis is first, first + step, ...; width digits at least */
	int64_t first, step;
	int width;
	char *text;		/* else the values of position p begin at text[at[p]], naxes of them, each ended by NUL */
	size_t *at;		/* size + 1 of them */
	size_t *line;		/* where the rows of a table began, NULL where that is p + 1 or of no use */
	struct placed **sorted;	/* for each axis its values, sorted, once they were looked for; not of a range */
	struct origin from;
};

struct skip {
	struct posset {
		int all;	/* every position; else these n, ascending */
		uint64_t *p;
		size_t n;
	} *in;			/* one for each group */
	size_t last;		/* the last group that is restricted */
};

struct placed {
	const char *s;
	uint64_t p;
};

/* text with fields in braces, for tags and paths and the words of a command */
struct template {
	struct piece {
		enum piece_kind { LITERAL, AXIS, TAG, INDEX } kind;
		size_t axis;
		const char *s;
		size_t n;
	} *piece;
	size_t n;
	const char *whole;
};

struct grid {
	char **axis;		/* the names */
	size_t naxes;
	struct group *group;
	size_t ngroups;
	uint64_t *below;	/* below[g]: cells for one position of group g - 1, skips aside */
	struct skip *skip;
	size_t nskips;
	size_t *every_skip;	/* 0 to nskips - 1 */
	struct node *root;	/* of the first group, once the cells are counted; NULL without skips */
	uint64_t named;		/* positions that skips name, all together */
	uint64_t cells;		/* skips counted */
	uint64_t base, per_task;
	const char *prefix;
	const char *template;
	struct origin template_from;
	struct template tag;
	size_t share;		/* bytes that a value keeps in a tag that would be too long */
};

enum mode {
	SHELL, RUN, COUNT, ARRAY, LIST, PRINT_TAG, SMOKE, EACH, VALUES, ACCOUNT, FINGERPRINT
};

/* the settings of a grid as they were written, on the command line or in a grid file */
struct plan {
	struct word {
		struct origin from;
		char *s;
	} *word, *skip;
	size_t nwords, nskips;
	struct word base, prefix, per_task, template, cells;
	char *dir;		/* of the grid file, with its slash: relative files are looked for there */
};

static struct {
	enum mode mode;
	int quiet;
	enum rec_how how;
	const char *file, *index, *fingerprint, *axis, *account, *except, *max, *records;
	const char **missing, **where;
	size_t nmissing, nwhere;
} ask;

/* ---- what a failure prints on stdout ---- */

/* Shell code that ends a script with the status, and only fails in an interactive shell. */
static void
put_end(FILE *f, int status)
{
	fprintf(f, "case $- in *i*) (exit %d) ;; *) exit %d ;; esac\n", status, status);
}

static int
on_failure(int status)
{
	switch (ask.mode) {
	case RUN:
		return OWNFAULT;
	case SHELL:
		/* the caller may well say eval "$(gridtag ...)", which drops the status: so the code must fail by itself */
		put_end(stdout, status);
		break;
	case ARRAY:
	case SMOKE:
	case EACH:
		puts("none");	/* which sbatch refuses; it takes an empty --array= for a plain job */
		break;
	default:
		break;
	}
	return status;
}

static void TOOL_NORETURN TOOL_PRINTF(2, 3)
bad(const struct origin *from, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (from->file != NULL && from->line > 0)
		tool_die(BADUSE, "%s:%zu: %s", from->file, from->line, text);
	if (from->file != NULL)
		tool_die(BADUSE, "%s: %s", from->file, text);
	tool_die(BADUSE, "%s", text);
}

static void TOOL_NORETURN
bad_file(const char *name, const struct origin *from)
{
	int wrong = tool_misnamed();

	if (from->file != NULL)
		tool_die(wrong ? BADUSE : TROUBLE, "%s:%zu: %s:", from->file, from->line, name);
	tool_die(wrong ? BADUSE : TROUBLE, "%s:", name);
}

/* ---- small things ---- */

static void *
grow(void *list, size_t n, size_t size)
{
	/* doubles at powers of two: room for one more */
	return n == 0 || (n & (n - 1)) == 0 ? tool_realloc(list, n == 0 ? 1 : n * 2, size) : list;
}

static void
buf_room(struct buf *b, size_t more)
{
	if (b->n + more <= b->room)
		return;
	b->room = (b->n + more) * 2;
	b->s = tool_realloc(b->s, b->room, 1);
}

static void
buf_add(struct buf *b, const char *s, size_t n)
{
	buf_room(b, n + 1);
	memcpy(b->s + b->n, s, n);
	b->n += n;
	b->s[b->n] = '\0';
}

static uint64_t
hash_more(uint64_t h, const void *s, size_t n)
{
	const unsigned char *u = s;
	size_t i;

	for (i = 0; i < n; i++)
		h = (h ^ u[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo): it is part of the tag's definition */
#define HASH_START UINT64_C(0xcbf29ce484222325)

static uint64_t
hash(const void *s, size_t n)
{
	return hash_more(HASH_START, s, n);
}

static const char *
word(const char *s, size_t n)
{
	static char buf[4][TOOL_WORD];
	static int next;

	next = (next + 1) % 4;
	return tool_word(buf[next], s, n);
}

static int
is_word(const char *s, size_t n, const char *what)
{
	return strlen(what) == n && memcmp(s, what, n) == 0;
}

static int
is_letter_or_digit(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* A hash table that n entries of so many words half fill at most, all zero; its size, a power of two, in *room. */
static uint64_t *
new_table(uint64_t n, size_t words, size_t *room)
{
	uint64_t *slot;

	for (*room = 16; *room < 2 * n; *room *= 2)
		;
	slot = tool_realloc(NULL, *room, words * sizeof *slot);
	memset(slot, 0, *room * words * sizeof *slot);
	return slot;
}

/* The whole of a file, NUL-ended, without a byte order mark; the length in *n. `-` is stdin. A NUL byte in it is refused. */
static char *
read_file(const char *name, const struct origin *mention, size_t *n)
{
	FILE *f = strcmp(name, "-") == 0 ? stdin : fopen(name, "r");
	struct buf b = { NULL, 0, 0 };
	struct origin from;
	char *nul, *s;
	size_t got;

	if (*name == '\0')
		bad(mention, "'': a file name was expected");
	if (f == NULL)
		bad_file(name, mention);
	do {
		buf_room(&b, 65536);
		got = fread(b.s + b.n, 1, b.room - b.n - 1, f);
		b.n += got;
	} while (got > 0);
	if (ferror(f))
		bad_file(name, mention);
	if (f != stdin)
		fclose(f);
	b.s[b.n] = '\0';
	nul = memchr(b.s, '\0', b.n);
	if (nul != NULL) {
		from.file = name;
		from.line = 1;
		for (s = b.s; s < nul; s++)
			from.line += *s == '\n';
		bad(&from, "a NUL byte: text was expected");
	}
	if (b.n >= 3 && memcmp(b.s, "\xef\xbb\xbf", 3) == 0)
		memmove(b.s, b.s + 3, b.n -= 3);
	b.s[b.n] = '\0';
	*n = b.n;
	return b.s;
}

/* Cuts the next line off *rest (which ends at `end`), its end, LF or CRLF, replaced by NUL; NULL at the end. */
static char *
next_line(char **rest, char *end, size_t *n)
{
	char *line = *rest, *lf;

	if (line >= end)
		return NULL;
	lf = memchr(line, '\n', (size_t)(end - line));
	*rest = lf != NULL ? lf + 1 : end;
	if (lf == NULL)
		lf = end;
	if (lf > line && lf[-1] == '\r')
		lf--;
	*lf = '\0';
	*n = (size_t)(lf - line);
	return line;
}

/* ---- axes and values ---- */

static const char *const zsh_special[] = {
	"aliases", "argv", "builtins", "cdpath", "commands", "dirstack", "dis_aliases", "dis_builtins", "dis_functions",
	"dis_functions_source", "dis_galiases", "dis_patchars", "dis_reswords", "dis_saliases", "epochtime", "errnos",
	"fignore", "fpath", "funcfiletrace", "funcsourcetrace", "funcstack", "functions", "functions_source", "functrace",
	"galiases", "histchars", "history", "historywords", "jobdirs", "jobstates", "jobtexts", "keymaps", "langinfo",
	"mailpath", "manpath", "mapfile", "module_path", "modules", "nameddirs", "options", "parameters", "patchars",
	"path", "pipestatus", "prompt", "psvar", "reswords", "saliases", "signals", "status", "sysparams", "termcap",
	"terminfo", "userdirs", "usergroups", "watch", "widgets", "zle_bracketed_paste", "zsh_eval_context",
	"zsh_scheduled_events", "zcurses_attrs", "zcurses_colors", "zcurses_keycodes", "zcurses_windows", NULL
};

static size_t
find_axis(const struct grid *g, const char *name, size_t n)
{
	size_t i;

	for (i = 0; i < g->naxes; i++)
		if (is_word(name, n, g->axis[i]))
			return i;
	return NONE;
}

static int
is_name(const char *s, size_t n)
{
	static const char more[] = "abcdefghijklmnopqrstuvwxyz_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t i;

	for (i = 0; i < n; i++)
		if (s[i] == '\0' || memchr(more, s[i], i == 0 ? 26 : sizeof more - 1) == NULL)
			return 0;
	return n > 0;
}

static void
add_axis(struct grid *g, const struct origin *from, const char *name, size_t n)
{
	size_t i;

	if (!is_name(name, n))
		bad(from, "axis name %s: a lower-case letter, then letters, digits and _ were expected", word(name, n));
	if (is_word(name, n, "tag") || is_word(name, n, "index"))
		bad(from, "axis name %s: {%.*s} has its own meaning: another name was expected", word(name, n), (int)n, name);
	if (n > 6 && memcmp(name + n - 6, "_proxy", 6) == 0)
		bad(from, "axis name %s: programs take it for a proxy: another name was expected", word(name, n));
	for (i = 0; zsh_special[i] != NULL; i++)
		if (is_word(name, n, zsh_special[i]))
			bad(from, "axis name %s: zsh has a parameter of that name: another name was expected", word(name, n));
	if (find_axis(g, name, n) != NONE)
		bad(from, "axis %s: it stands in the grid already: each axis once was expected", word(name, n));
	g->axis = grow(g->axis, g->naxes, sizeof *g->axis);
	g->axis[g->naxes++] = tool_copy(name, n);
}

static struct group *
add_group(struct grid *g, const struct origin *from, size_t naxes)
{
	struct group *u;

	g->group = grow(g->group, g->ngroups, sizeof *g->group);
	u = &g->group[g->ngroups++];
	memset(u, 0, sizeof *u);
	u->axis = g->naxes - naxes;
	u->naxes = naxes;
	u->from = *from;
	return u;
}

/* Appends a value of the axis to its group's text, whose end b->n is; `fresh` begins a position. */
static void
add_value(struct group *u, struct buf *b, const struct origin *from, const char *axis, const char *s, size_t n, int fresh)
{
	if (n == 0)
		bad(from, "axis %s: an empty value: a value was expected in each place", axis);
	if (n > VALUE_MAX)
		bad(from, "axis %s: value %s of %zu bytes: at most %d can be handed to a command", axis, word(s, n), n, VALUE_MAX);
	if (fresh) {
		if (u->size >= LIST_MAX)
			bad(from, "more than %" PRIu64 " values: a range a..b alone was expected", LIST_MAX);
		u->at = grow(u->at, (size_t)u->size, sizeof *u->at);
		u->at[u->size++] = b->n;
	}
	buf_add(b, s, n);
	buf_add(b, "", 1);
}

static void
end_values(struct group *u, struct buf *b)
{
	size_t i;

	u->at = tool_realloc(u->at, (size_t)u->size + 1, sizeof *u->at);
	u->at[u->size] = b->n;
	u->text = b->s;
	u->sorted = tool_realloc(NULL, u->naxes, sizeof *u->sorted);
	for (i = 0; i < u->naxes; i++)
		u->sorted[i] = NULL;
}

/* The value of an axis at a position of its group; a range's is written into `room`. */
static struct text
value(const struct group *u, size_t axis, uint64_t p, char room[32])
{
	struct text t;

	if (u->range) {
		t.n = (size_t)snprintf(room, 32, "%0*" PRId64, u->width, u->first + (int64_t)p * u->step);
		t.s = room;
		return t;
	}
	t.s = u->text + u->at[p];
	for (axis -= u->axis; axis > 0; axis--)
		t.s += strlen(t.s) + 1;
	t.n = strlen(t.s);
	return t;
}

/* Which group the axis is in. */
static size_t
group_of(const struct grid *g, size_t axis)
{
	size_t i;

	for (i = 0; axis >= g->group[i].axis + g->group[i].naxes; i++)
		;
	return i;
}

static struct text
cell_value(const struct grid *g, const uint64_t *pos, size_t axis, char room[32])
{
	size_t at = group_of(g, axis);

	return value(&g->group[at], axis, pos[at], room);
}

/* ---- GRID words ---- */

/* The first c at s that no backslash stands before, or NULL. */
static char *
find_plain(char *s, size_t n, char c)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (s[i] == '\\')
			i++;
		else if (s[i] == c)
			return s + i;
	}
	return NULL;
}

/* Do an odd number of backslashes stand before p? */
static int
is_escaped(const char *s, const char *p)
{
	int odd = 0;

	while (p > s && *--p == '\\')
		odd = !odd;
	return odd;
}

/* Takes the backslashes out of a value in place; its new length. */
static size_t
unescape(const struct origin *from, char *s, size_t n)
{
	size_t i, to = 0;
	int high, low;

	if (n > 0 && (s[0] == ' ' || s[0] == '\t'))
		bad(from, "value %s begins with a blank: write \\ before it if it is meant", word(s, n));
	if (n > 1 && (s[n - 1] == ' ' || s[n - 1] == '\t') && !is_escaped(s, s + n - 1))
		bad(from, "value %s ends with a blank: write \\ before it if it is meant", word(s, n));
	for (i = 0; i < n; i++) {
		if (s[i] != '\\') {
			s[to++] = s[i];
			continue;
		}
		if (++i == n)
			bad(from, "value %s ends with a backslash: a character was expected behind it", word(s, n));
		if (s[i] == 't' || s[i] == 'n')
			s[to++] = s[i] == 't' ? '\t' : '\n';
		else if (s[i] == 'x' && n - i > 2 && (high = esc_hex(s[i + 1])) >= 0 && (low = esc_hex(s[i + 2])) >= 0 &&
		    high + low > 0) {
			s[to++] = (char)(high * 16 + low);
			i += 2;
		} else if (!is_letter_or_digit(s[i]))
			s[to++] = s[i];
		else
			bad(from, "\\%c in value %s: \\t \\n \\xNN or \\ before a character that is no letter or digit was expected",
			    s[i], word(s, n));
	}
	return to;
}

/* A whole number at s, up to 18 digits, with its width where that is to be kept (a leading 0); 0 where it is none. */
static int
whole_number(const char *s, size_t n, int64_t *v, int *width)
{
	size_t sign = n > 0 && s[0] == '-';
	uint64_t u;

	if (n - sign > 18 || num_u64(s + sign, n - sign, INT64_MAX, &u) != NUM_OK)
		return 0;
	*v = sign ? -(int64_t)u : (int64_t)u;
	if (n - sign > 1 && s[sign] == '0')
		*width = 1;
	return 1;
}

/* Is the item (as written) a range? 0 no, 1 yes: then first, step, size and width stand in *r. */
static int
parse_range(const struct origin *from, const char *s, size_t n, struct group *r)
{
	const char *dots = NULL, *more = NULL, *end = s + n, *stop, *p;
	int64_t last;
	int keep = 0, step_keep;

	for (p = s; p + 1 < end && dots == NULL; p++) {
		if (*p == '\\')
			p++;
		else if (p[0] == '.' && p[1] == '.')
			dots = p;
	}
	/* ../x and x/.. are paths */
	if (dots == NULL || dots == s || dots[-1] == '/' || (dots + 2 < end && dots[2] == '/'))
		return 0;
	for (p = dots + 2; p + 1 < end && more == NULL; p++)
		if (p[0] == '.' && p[1] == '.')
			more = p;
	stop = more != NULL ? more : end;
	r->step = 1;
	if (!whole_number(s, (size_t)(dots - s), &r->first, &keep) ||
	    !whole_number(dots + 2, (size_t)(stop - dots - 2), &last, &keep) ||
	    (more != NULL && !whole_number(more + 2, (size_t)(end - more - 2), &r->step, &step_keep)))
		bad(from, "%s: a range 0..4 or 0..100..10 of whole numbers was expected, or \\.. where it is a plain value",
		    word(s, n));
	if (last < r->first || r->step < 1)
		bad(from, "%s: a range that runs upward, by a step of 1 or more, was expected", word(s, n));
	r->width = 0;
	if (keep)
		r->width = (int)(stop - dots - 2 > dots - s ? stop - dots - 2 : dots - s);
	r->range = 1;
	r->size = (uint64_t)(last - r->first) / (uint64_t)r->step + 1;
	return 1;
}

/* One item of a GRID word: a value, a range, or the values of axes that vary together. */
static void
add_item(const struct grid *g, struct group *u, struct buf *b, const struct origin *from, char *s, size_t n)
{
	struct group range = { 0 };
	size_t k, len;
	char *colon, room[32];
	struct text t;
	uint64_t p;

	if (parse_range(from, s, n, &range)) {
		if (u->naxes > 1)
			bad(from, "%s: a range cannot stand where axes vary together: values were expected", word(s, n));
		if (range.size > LIST_MAX)
			bad(from, "%s: so long a range can only stand alone", word(s, n));
		for (p = 0; p < range.size; p++) {
			t = value(&range, 0, p, room);
			add_value(u, b, from, g->axis[u->axis], t.s, t.n, 1);
		}
		return;
	}
	for (k = 0; k < u->naxes; k++) {
		colon = k + 1 < u->naxes ? find_plain(s, n, ':') : NULL;
		if (k + 1 < u->naxes && colon == NULL)
			bad(from, "%s: %zu values with : between them were expected", word(s, n), u->naxes - k);
		if (k + 1 == u->naxes && u->naxes > 1 && find_plain(s, n, ':') != NULL)
			bad(from, "%s: one : too many (write \\: where it belongs to the value)", word(s, n));
		len = colon != NULL ? (size_t)(colon - s) : n;
		add_value(u, b, from, g->axis[u->axis + k], s, unescape(from, s, len), k == 0);
		if (colon != NULL) {
			n -= len + 1;
			s = colon + 1;
		}
	}
}

static void
add_items(const struct grid *g, struct group *u, const struct origin *from, char *s, size_t n)
{
	struct buf b = { NULL, 0, 0 };
	char *comma;
	size_t len;

	do {
		comma = find_plain(s, n, ',');
		len = comma != NULL ? (size_t)(comma - s) : n;
		add_item(g, u, &b, from, s, len);
		s += len + 1;
		n -= comma != NULL ? len + 1 : len;
	} while (comma != NULL);
	end_values(u, &b);
}

static char *
beside(const struct plan *plan, const char *file)
{
	size_t dir = plan->dir != NULL && file[0] != '/' && strcmp(file, "-") != 0 ? strlen(plan->dir) : 0;
	char *path = tool_realloc(NULL, dir + strlen(file) + 1, 1);

	if (dir > 0)
		memcpy(path, plan->dir, dir);
	memcpy(path + dir, file, strlen(file) + 1);
	return path;
}

static void
add_list_file(const struct grid *g, struct group *u, const char *file)
{
	struct origin from = { file, 0 };
	struct buf b = { NULL, 0, 0 };
	char *text, *rest, *line;
	size_t n, len;

	text = rest = read_file(file, &u->from, &n);
	while ((line = next_line(&rest, text + n, &len)) != NULL) {
		from.line++;
		if (len == 0)
			bad(&from, "an empty line: one value a line was expected");
		add_value(u, &b, &from, g->axis[u->axis], line, len, 1);
	}
	if (u->size == 0)
		bad(&from, "an empty file: one value a line was expected");
	end_values(u, &b);
	u->from = from;
	u->from.line = 0;
	free(text);
}

static void
add_word(struct grid *g, const struct plan *plan, const struct word *w)
{
	char *equals = find_plain(w->s, strlen(w->s), '='), *name = w->s, *colon, *values;
	size_t naxes = 0;
	struct group *u, range = { 0 };

	if (equals == NULL)
		bad(&w->from, "%s: axis=values was expected", word(w->s, strlen(w->s)));
	values = equals + 1;
	do {
		colon = memchr(name, ':', (size_t)(equals - name));
		add_axis(g, &w->from, name, (size_t)((colon ? colon : equals) - name));
		naxes++;
		name = colon ? colon + 1 : equals;
	} while (colon != NULL);
	u = add_group(g, &w->from, naxes);
	if (*values == '@' && naxes > 1)
		bad(&w->from, "%s: one axis was expected before =@ (a table of cells holds several)", word(w->s, strlen(w->s)));
	if (*values == '@')
		add_list_file(g, u, beside(plan, values + 1));
	else if (naxes == 1 && find_plain(values, strlen(values), ',') == NULL &&
	    parse_range(&w->from, values, strlen(values), &range)) {
		range.axis = u->axis;
		range.naxes = 1;
		range.from = u->from;
		*u = range;
	} else
		add_items(g, u, &w->from, values, strlen(values));
}

/* ---- tables ---- */

/* The next field of a record at *s, its end replaced by NUL; *more says whether another follows in the record.
 * Quoted fields of a CSV are unquoted in place (RFC 4180); the escapes of a TSV are undone. */
static struct text
next_field(struct origin *from, char **s, char *end, char sep, int *more)
{
	struct text t = { *s, 0 };
	char *r = *s, *w = *s, *stop;
	size_t begun = from->line;

	if (sep == ',' && r < end && *r == '"') {
		for (r++; r < end && (*r != '"' || (r + 1 < end && r[1] == '"')); r++) {
			r += *r == '"';
			from->line += *r == '\n';
			*w++ = *r;
		}
		if (r >= end) {
			from->line = begun;
			bad(from, "a quoted field without its closing quote");
		}
		r++;
		if (r < end && *r != ',' && *r != '\n' && !(*r == '\r' && r + 1 < end && r[1] == '\n') && !(*r == '\r' && r + 1 == end))
			bad(from, "text behind the closing quote of %s: a comma or the line's end was expected",
			    word(t.s, (size_t)(w - t.s)));
		stop = r;
	} else {
		for (stop = r; stop < end && *stop != sep && *stop != '\n'; stop++)
			if (sep == ',' && *stop == '"')
				bad(from, "a quote inside a plain field: the whole field in quotes, and \"\" for one, was expected");
		w = stop;
		if ((stop == end || *stop == '\n') && w > r && w[-1] == '\r')
			w--;
	}
	if (stop < end && *stop == '\r')
		stop++;
	*more = stop < end && *stop == sep;
	*s = stop < end ? stop + 1 : end;
	t.n = (size_t)(w - t.s);
	if (sep == '\t' && memchr(t.s, '\\', t.n) != NULL && (t.n = esc_undo((char *)t.s, t.n)) == (size_t)-1)
		bad(from, "a backslash that starts no escape: \\t \\n \\\\ or \\xNN was expected");
	return t;
}

static void
add_table(struct grid *g, const struct word *w, const char *file)
{
	struct origin from = { file, 1 };
	struct buf b = { NULL, 0, 0 };
	struct group *u;
	struct text t;
	char *text, *s, *end, *lf, sep;
	size_t n, k;
	int more;

	text = s = read_file(file, &w->from, &n);
	end = text + n;
	lf = memchr(s, '\n', (size_t)(end - s));
	sep = memchr(s, '\t', (size_t)((lf ? lf : end) - s)) != NULL ? '\t' : ',';
	if (s == end)
		bad(&from, "an empty table: a header with the names of the axes was expected");
	do {
		t = next_field(&from, &s, end, sep, &more);
		add_axis(g, &from, t.s, t.n);
	} while (more);
	u = add_group(g, &from, g->naxes);
	while (s < end) {
		from.line++;
		u->line = grow(u->line, (size_t)u->size, sizeof *u->line);
		u->line[u->size] = from.line;
		for (k = 0, more = 1; more; k++) {
			t = next_field(&from, &s, end, sep, &more);
			if (k == 0 && !more && t.n == 0)
				bad(&from, "an empty line: a row of %zu fields was expected", g->naxes);
			if (k == g->naxes)
				bad(&from, "more than %zu fields: as many as in the header were expected", g->naxes);
			if (t.n == 0)
				bad(&from, "field %zu (%s) is empty: a value was expected", k + 1, g->axis[k]);
			add_value(u, &b, &from, g->axis[k], t.s, t.n, k == 0);
		}
		if (k < g->naxes)
			bad(&from, "%zu fields: %zu as in the header were expected", k, g->naxes);
	}
	from.line = 0;
	if (u->size == 0)
		bad(&from, "a table without rows: one cell a row was expected");
	end_values(u, &b);
	u->from = from;
	free(text);
}

/* ---- skips, strata and the order of cells ---- */

static int
by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int
set_has(const struct posset *s, uint64_t p)
{
	return s->all || bsearch(&p, s->p, s->n, sizeof *s->p, by_number) != NULL;
}

/* Sorts the n positions at p and drops doubles; how many are left. */
static size_t
sort_positions(uint64_t *p, size_t n)
{
	size_t i, to = 0;

	qsort(p, n, sizeof *p, by_number);
	for (i = 0; i < n; i++)
		if (i == 0 || p[i] != p[i - 1])
			p[to++] = p[i];
	return to;
}

static int
by_value(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	int way = strcmp(x->s, y->s);

	return way != 0 ? way : x->p < y->p ? -1 : x->p > y->p;
}

/* As strcmp, with the n bytes at t. */
static int
compare_text(const char *s, const char *t, size_t n)
{
	int way = strncmp(s, t, n);
	size_t len = strlen(s);

	return way != 0 ? way : len < n ? -1 : len > n;
}

/* The values of an axis that has a list of them, sorted. */
static const struct placed *
sorted_values(const struct group *u, size_t axis)
{
	struct placed **list = &u->sorted[axis - u->axis];
	uint64_t p;

	if (*list == NULL) {
		*list = tool_realloc(NULL, (size_t)u->size, sizeof **list);
		for (p = 0; p < u->size; p++) {
			(*list)[p].s = value(u, axis, p, NULL).s;
			(*list)[p].p = p;
		}
		qsort(*list, (size_t)u->size, sizeof **list, by_value);
	}
	return *list;
}

/* Adds to s the positions of the group at which the axis has the value s (n bytes). Returns how many there are. */
static size_t
add_positions(struct posset *s, const struct group *u, size_t axis, const char *text, size_t n)
{
	size_t found = 0;
	char room[32];
	int64_t v;
	int keep;
	const struct placed *list;
	struct text t;
	uint64_t p, low = 0, high = u->size, mid;

	if (u->range) {	/* only one position can have it */
		if (!whole_number(text, n, &v, &keep) || v < u->first)
			return 0;
		p = (uint64_t)(v - u->first) / (uint64_t)u->step;
		if (p >= u->size)
			return 0;
		t = value(u, axis, p, room);
		if (t.n != n || memcmp(t.s, text, n) != 0)
			return 0;
		s->p = grow(s->p, s->n, sizeof *s->p);
		s->p[s->n++] = p;
		return 1;
	}
	list = sorted_values(u, axis);
	while (low < high) {
		mid = low + (high - low) / 2;
		if (compare_text(list[mid].s, text, n) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < u->size && compare_text(list[low].s, text, n) == 0; low++) {
		s->p = grow(s->p, s->n, sizeof *s->p);
		s->p[s->n++] = list[low].p;
		found++;
	}
	return found;
}

/* Keeps in s only what is in t as well. */
static void
meet(struct posset *s, struct posset *t)
{
	size_t i, to = 0;

	t->n = sort_positions(t->p, t->n);
	if (s->all) {
		*s = *t;
		return;
	}
	for (i = 0; i < s->n; i++)
		if (set_has(t, s->p[i]))
			s->p[to++] = s->p[i];
	s->n = to;
	free(t->p);
}

static struct posset *
all_positions(const struct grid *g)
{
	struct posset *in = tool_realloc(NULL, g->ngroups, sizeof *in);
	size_t i;

	for (i = 0; i < g->ngroups; i++) {
		in[i].all = 1;
		in[i].p = NULL;
		in[i].n = 0;
	}
	return in;
}

/* `axis=` at s: the axis, and where its value begins. */
static size_t
leading_axis(const struct grid *g, const struct origin *from, const char *s, const char **rest)
{
	const char *equals = strchr(s, '=');
	size_t axis;

	if (equals == NULL)
		bad(from, "%s: axis=value was expected", word(s, strlen(s)));
	axis = find_axis(g, s, (size_t)(equals - s));
	if (axis == NONE)
		bad(from, "%s: the grid has no axis %s", word(s, strlen(s)), word(s, (size_t)(equals - s)));
	*rest = equals + 1;
	return axis;
}

/* Refuses a skip that names several values of an axis, two of them for instance x and y, with the skips to write instead. */
static void TOOL_NORETURN
one_value(const struct origin *from, const char *item, const char *axis, struct text x, struct text y)
{
	const char *before = from->file != NULL ? "the line skip " : "-x ", *between = from->file != NULL ? " and the line skip " : " -x ";

	bad(from, "%s: a skip takes one value of an axis, and several skips leave out several: %s%s=%.*s%s%s=%.*s",
	    word(item, strlen(item)), before, axis, (int)(x.n < 60 ? x.n : 60), x.s, between, axis, (int)(y.n < 60 ? y.n : 60), y.s);
}

/* Refuses a value that the axis has not got; item is `axis=value`. */
static void TOOL_NORETURN
no_value(const struct origin *from, const char *item, const char *axis, const char *s, size_t n)
{
	struct text x, y;
	const char *dots = strstr(item, "..");

	x.s = strchr(item, '=') + 1;
	if (dots != NULL && dots > x.s && dots[2] != '\0') {
		x.n = (size_t)(dots - x.s);
		y.s = dots + 2;
		y.n = strlen(y.s);
		one_value(from, item, axis, x, y);
	}
	bad(from, "skip: axis %s has no value %s", axis, word(s, n));
}

static void
add_skip(struct grid *g, const struct word *w)
{
	struct skip *k;
	struct posset set;
	const char *rest;
	char *s, *comma = w->s - 1, *last = NULL, *item;	/* last: the value before */
	struct text x, y;
	size_t axis = 0, at = 0, n;

	g->skip = grow(g->skip, g->nskips, sizeof *g->skip);
	k = &g->skip[g->nskips++];
	k->in = all_positions(g);
	k->last = 0;
	do {
		s = comma + 1;
		comma = find_plain(s, strlen(s), ',');
		if (comma != NULL)
			*comma = '\0';
		if (last != NULL && strchr(s, '=') == NULL) {
			x.s = last;
			x.n = strlen(last);
			y.s = s;
			y.n = strlen(s);
			one_value(&w->from, s, g->axis[axis], x, y);
		}
		axis = leading_axis(g, &w->from, s, &rest);
		at = group_of(g, axis);
		memset(&set, 0, sizeof set);
		item = tool_copy(s, strlen(s));
		s += rest - s;
		n = unescape(&w->from, s, strlen(s));
		if (add_positions(&set, &g->group[at], axis, s, n) == 0)
			no_value(&w->from, item, g->axis[axis], s, n);
		free(item);
		s[n] = '\0';
		last = s;
		meet(&k->in[at], &set);
		if (k->in[at].n == 0)
			bad(&w->from, "skip: no cell has all of these values");
		if (at > k->last)
			k->last = at;
	} while (comma != NULL);
	for (at = 0; at < g->ngroups; at++)
		g->named += k->in[at].n;
	if (g->named > LIST_MAX)
		bad(&w->from, "skip: more than %" PRIu64 " rows are named by the skips up to this one: a table without them was expected", LIST_MAX);
}

/* The skips that apply to a group, by the positions that they name, and the kept cells at each position, below given
 * positions of the groups before it. */
struct node {
	uint64_t *named;	/* positions that skips name, ascending, */
	size_t n;
	size_t *from;		/* the ith by skip[from[i]] to skip[from[i + 1] - 1], */
	size_t *skip;
	unsigned char *empty;	/* and by one that asks for nothing more: no cell below is kept */
	size_t *all, nall;	/* skips that apply to every position */
	uint64_t *sum;		/* the cells of the first i of them, */
	uint64_t other;		/* and the cells of any position else */
	size_t *left, most;	/* room for node_left(), made when it is needed, for so many */
	int shared;		/* all but `left` is the grid's */
};

struct named {
	uint64_t p;
	size_t skip;
};

static int
by_position(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	if (x->p != y->p)
		return x->p < y->p ? -1 : 1;
	return x->skip < y->skip ? -1 : x->skip > y->skip;
}

/* Sorts the n skips in `alive` by the positions of group `at` that they name. */
static void
node_sort(struct node *d, const struct grid *g, size_t at, const size_t *alive, size_t n)
{
	const struct posset *in;
	struct named *pair;
	size_t i, k, pairs = 0;

	memset(d, 0, sizeof *d);
	if (n == 0)
		return;
	for (i = 0; i < n; i++)
		pairs += g->skip[alive[i]].in[at].n;	/* 0 where it names none */
	d->most = n;
	d->all = tool_realloc(NULL, n, sizeof *d->all);
	d->skip = tool_realloc(NULL, pairs + 1, sizeof *d->skip);
	d->named = tool_realloc(NULL, pairs + 1, sizeof *d->named);
	d->from = tool_realloc(NULL, pairs + 1, sizeof *d->from);
	d->empty = tool_realloc(NULL, pairs + 1, 1);
	pair = tool_realloc(NULL, pairs + 1, sizeof *pair);
	for (i = pairs = 0; i < n; i++) {
		in = &g->skip[alive[i]].in[at];
		if (in->all)
			d->all[d->nall++] = alive[i];
		for (k = 0; !in->all && k < in->n; k++) {
			pair[pairs].p = in->p[k];
			pair[pairs++].skip = alive[i];
		}
	}
	qsort(pair, pairs, sizeof *pair, by_position);
	for (i = 0; i < pairs; i++) {
		if (i == 0 || pair[i].p != pair[i - 1].p) {
			d->from[d->n] = i;
			d->empty[d->n] = 0;
			d->named[d->n++] = pair[i].p;
		}
		d->skip[i] = pair[i].skip;
		d->empty[d->n - 1] |= g->skip[pair[i].skip].last == at;
	}
	d->from[d->n] = pairs;
	free(pair);
}

/* How many named positions lie before p. */
static size_t
node_place(const struct node *d, uint64_t p)
{
	size_t low = 0, high = d->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (d->named[mid] < p)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The skips that still apply below position p, at *left; NONE where no cell below is kept. */
static size_t
node_left(struct node *d, uint64_t p, const size_t **left)
{
	size_t i = p != OTHER ? node_place(d, p) : d->n, n;

	*left = d->all;
	if (i == d->n || d->named[i] != p)
		return d->nall;
	if (d->empty[i])
		return NONE;
	if (d->left == NULL)
		d->left = tool_realloc(NULL, d->most, sizeof *d->left);
	*left = d->left;
	n = d->from[i + 1] - d->from[i];
	memcpy(d->left, d->skip + d->from[i], n * sizeof *d->left);
	if (d->nall > 0)
		memcpy(d->left + n, d->all, d->nall * sizeof *d->left);
	return n + d->nall;
}

static uint64_t count(const struct grid *g, size_t at, const size_t *alive, size_t n);

static void
node_make(struct node *d, const struct grid *g, size_t at, const size_t *alive, size_t n)
{
	const size_t *left;
	size_t i, m;

	if (at == 0 && n > 0 && g->root != NULL) {
		*d = *g->root;
		d->left = NULL;
		d->shared = 1;
		return;
	}
	node_sort(d, g, at, alive, n);
	if (n == 0) {
		d->other = g->below[at + 1];
		return;
	}
	d->sum = tool_realloc(NULL, d->n + 1, sizeof *d->sum);
	d->sum[0] = 0;
	m = node_left(d, OTHER, &left);
	d->other = count(g, at + 1, left, m);
	for (i = 0; i < d->n; i++) {
		m = node_left(d, d->named[i], &left);
		d->sum[i + 1] = d->sum[i] + (m == NONE ? 0 : count(g, at + 1, left, m));
	}
}

static void
node_free(struct node *d)
{
	free(d->left);
	if (d->shared)
		return;
	free(d->named);
	free(d->from);
	free(d->skip);
	free(d->empty);
	free(d->all);
	free(d->sum);
}

/* Kept cells at positions before p. */
static uint64_t
node_before(const struct node *d, uint64_t p)
{
	size_t i;

	if (d->n == 0)
		return p * d->other;
	i = node_place(d, p);
	return (p - i) * d->other + d->sum[i];
}

/* Kept cells from group `at` on, where these skips still apply. */
static uint64_t
count(const struct grid *g, size_t at, const size_t *alive, size_t n)
{
	static uint64_t steps;
	struct node d;
	uint64_t cells;

	if (n == 0)
		return g->below[at];
	steps += 1 + n / STEP_SKIPS;
	if (g->cells == 0 && steps > STEPS_MAX)
		tool_die(BADUSE, "%zu skips over so many axes cannot be counted: a table of the cells was expected", g->nskips);
	node_make(&d, g, at, alive, n);
	cells = node_before(&d, g->group[at].size);
	node_free(&d);
	return cells;
}

/* The positions of the cell with this ordinal, 0 to cells - 1. */
static void
cell_at(const struct grid *g, uint64_t ordinal, uint64_t *pos)
{
	size_t *alive = tool_realloc(NULL, g->nskips, sizeof *alive), n = g->nskips, at;
	const size_t *left;
	uint64_t low, high, mid;
	struct node d;

	for (at = 0; at < g->ngroups; at++) {
		node_make(&d, g, at, at > 0 ? alive : g->every_skip, n);
		low = 0;
		high = g->group[at].size - 1;
		while (low < high) {	/* the last position with no more than ordinal cells before it */
			mid = high - (high - low) / 2;
			if (node_before(&d, mid) <= ordinal)
				low = mid;
			else
				high = mid - 1;
		}
		pos[at] = low;
		ordinal -= node_before(&d, low);
		n = node_left(&d, low, &left);
		if (n > 0)
			memcpy(alive, left, n * sizeof *alive);
		node_free(&d);
	}
	free(alive);
}

typedef int visitor(void *arg, const uint64_t *pos, uint64_t ordinal);

/* The kept cells of a stratum, told as ranges of ordinals; positions of the last groups that all belong are told at once. */
static void
ranges_below(const struct grid *g, size_t at, const size_t *alive, size_t n, const struct posset *where, uint64_t ordinal,
    void (*f)(void *arg, uint64_t first, uint64_t cells), void *arg)
{
	const size_t *left;
	uint64_t i, end, p;
	struct node d;
	size_t m, rest;

	for (rest = at; rest < g->ngroups && where[rest].all; rest++)
		;
	if (rest == g->ngroups) {
		f(arg, ordinal, count(g, at, alive, n));
		return;
	}
	node_make(&d, g, at, alive, n);
	end = where[at].all ? g->group[at].size : where[at].n;
	for (i = 0; i < end; i++) {
		p = where[at].all ? i : where[at].p[i];
		m = node_left(&d, p, &left);
		if (m != NONE)
			ranges_below(g, at + 1, left, m, where, ordinal + node_before(&d, p), f, arg);
	}
	node_free(&d);
}

static int
walk_below(const struct grid *g, size_t at, const size_t *alive, size_t n, const struct posset *where, uint64_t *pos,
    uint64_t ordinal, visitor *f, void *arg)
{
	const struct posset *w = NULL;
	const size_t *left;
	uint64_t i, end;
	struct node d;
	size_t m;
	int r = 0;

	if (at == g->ngroups)
		return f(arg, pos, ordinal);
	if (where != NULL && !where[at].all)
		w = &where[at];
	node_make(&d, g, at, alive, n);
	end = w != NULL ? w->n : g->group[at].size;
	for (i = 0; i < end && r == 0; i++) {
		pos[at] = w != NULL ? w->p[i] : i;
		m = node_left(&d, pos[at], &left);
		if (m != NONE)
			r = walk_below(g, at + 1, left, m, where, pos, ordinal + node_before(&d, pos[at]), f, arg);
	}
	node_free(&d);
	return r;
}

/* Calls f for each kept cell in order, only for those in `where` unless it is NULL, until f does not return 0. */
static int
walk(const struct grid *g, const struct posset *where, visitor *f, void *arg)
{
	uint64_t *pos = tool_realloc(NULL, g->ngroups, sizeof *pos);
	int r = walk_below(g, 0, g->every_skip, g->nskips, where, pos, 0, f, arg);

	free(pos);
	return r;
}

/* ---- templates ---- */

static void
add_piece(struct template *t, enum piece_kind kind, size_t axis, const char *s, size_t n)
{
	if (kind == LITERAL && n == 0)
		return;
	t->piece = grow(t->piece, t->n, sizeof *t->piece);
	t->piece[t->n].kind = kind;
	t->piece[t->n].axis = axis;
	t->piece[t->n].s = s;
	t->piece[t->n++].n = n;
}

/* Cuts text at its fields {axis}, {tag} and {index}. A field behind $ is the shell's and stays as it is. With `from`,
 * a field that names nothing is refused; without, it stays (the words of a command). */
static void
parse_template(struct template *t, const struct grid *g, const char *text, const struct origin *from)
{
	const char *s = text, *plain = text, *close;
	size_t n, axis;
	enum piece_kind kind;

	memset(t, 0, sizeof *t);
	t->whole = text;
	while ((s = strchr(s, '{')) != NULL) {
		close = strchr(s, '}');
		n = close != NULL ? (size_t)(close - s) - 1 : strlen(s) - 1;
		if (from == NULL && (close == NULL || !is_name(s + 1, n))) {
			s++;
			continue;
		}
		axis = find_axis(g, s + 1, n);
		kind = axis != NONE ? AXIS : is_word(s + 1, n, "tag") ? TAG : is_word(s + 1, n, "index") ? INDEX : LITERAL;
		if (from != NULL && s > text && s[-1] == '$')
			bad(from, "template %s: $%.*s is not filled in here: %.*s was expected", word(text, strlen(text)),
			    (int)n + 2, s, (int)n + 2, s);
		if (from != NULL && (kind == LITERAL || close == NULL))
			bad(from, "template %s: %.*s: the name of an axis, {tag} or {index} was expected",
			    word(text, strlen(text)), (int)(n > 40 ? 40 : n) + (close != NULL) + 1, s);
		if (kind != LITERAL && !(s > text && s[-1] == '$')) {
			add_piece(t, LITERAL, 0, plain, (size_t)(s - plain));
			add_piece(t, kind, axis, NULL, 0);
			plain = close + 1;
		}
		s = close + 1;
	}
	add_piece(t, LITERAL, 0, plain, strlen(plain));
}

/* ---- tags ---- */

/* Does the byte stand for itself in an encoded value? */
static int
is_plain(char c)
{
	return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-';
}

static size_t
encoded_size(const char *s, size_t n)
{
	size_t i, size = n;

	for (i = 0; i < n; i++)
		if (!is_plain(s[i]))
			size += 2;
	return size;
}

static void
add_encoded(struct buf *b, const char *s, size_t n)
{
	static const char hex[] = "0123456789ABCDEF";
	unsigned char c;
	size_t i;
	char *w;

	buf_room(b, 3 * n + 1);
	w = b->s + b->n;
	for (i = 0; i < n; i++) {
		c = (unsigned char)s[i];
		if (is_plain(s[i]))
			*w++ = s[i];
		else {
			*w++ = '~';
			*w++ = hex[c >> 4];
			*w++ = hex[c & 15];
		}
	}
	*w = '\0';
	b->n = (size_t)(w - b->s);
}

/* The value in at most `share` bytes: the beginning of its encoding, ~h, and 60 bits of its hash in base 32. */
static void
add_shortened(struct buf *b, const char *s, size_t n, size_t share)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuv";
	size_t start = b->n, keep = share - TAG_HASH, i;
	uint64_t h = hash(s, n);
	char end[TAG_HASH] = "~h";

	add_encoded(b, s, n);
	if (keep >= 1 && b->s[start + keep - 1] == '~')
		keep -= 1;	/* not inside ~XX */
	else if (keep >= 2 && b->s[start + keep - 2] == '~')
		keep -= 2;
	b->n = start + keep;
	for (i = 0; i < 12; i++)
		end[2 + i] = digits[h >> (59 - 5 * i) & 31];
	buf_add(b, end, TAG_HASH);
}

static void
add_number(struct buf *b, uint64_t v)
{
	char s[24];

	buf_add(b, s, (size_t)snprintf(s, sizeof s, "%" PRIu64, v));
}

static void
add_template_tag(const struct grid *g, const uint64_t *pos, uint64_t ordinal, struct buf *tag)
{
	const struct piece *p;
	char room[32];
	struct text t;
	size_t i;

	for (i = 0; i < g->tag.n; i++) {
		p = &g->tag.piece[i];
		if (p->kind == LITERAL)
			buf_add(tag, p->s, p->n);
		else if (p->kind == INDEX)
			add_number(tag, g->base + ordinal);
		else {
			t = cell_value(g, pos, p->axis, room);
			add_encoded(tag, t.s, t.n);
		}
	}
}

static void
make_tag(const struct grid *g, const uint64_t *pos, uint64_t ordinal, struct buf *tag)
{
	size_t prefix = g->prefix != NULL ? strlen(g->prefix) : 0, size = 0, k, at, start;
	char room[32];
	struct text t;
	int cut;

	tag->n = 0;
	buf_add(tag, g->prefix != NULL ? g->prefix : "", prefix);
	if (prefix > 0)
		buf_add(tag, "+", 1);
	if (g->template != NULL) {
		add_template_tag(g, pos, ordinal, tag);
		return;
	}
	start = tag->n;
	for (k = 0; k < g->naxes; k++) {
		t = cell_value(g, pos, k, room);
		size += encoded_size(t.s, t.n) + 1;
	}
	cut = start + size - 1 > TAG_MAX - 2;
	for (k = 0; k < g->naxes; k++) {
		t = cell_value(g, pos, k, room);
		at = tag->n;
		if (k > 0)
			buf_add(tag, "+", 1);
		if (cut && encoded_size(t.s, t.n) > g->share)
			add_shortened(tag, t.s, t.n, g->share);
		else
			add_encoded(tag, t.s, t.n);
		if (at == 0 && !is_letter_or_digit(tag->s[0])) {
			/* 0~ before what is no letter or digit: no value encodes to that */
			buf_room(tag, 3);
			memmove(tag->s + 2, tag->s, tag->n + 1);
			memcpy(tag->s, "0~", 2);
			tag->n += 2;
		}
	}
}

/* The text of a template for one cell, values as they are. tag may be empty where the template has no {tag}. */
static void
fill(const struct grid *g, const struct template *t, const uint64_t *pos, uint64_t ordinal, const struct buf *tag,
    struct buf *out)
{
	const struct piece *p;
	char room[32];
	struct text v;
	size_t i;

	out->n = 0;
	buf_add(out, "", 0);
	for (i = 0; i < t->n; i++) {
		p = &t->piece[i];
		if (p->kind == LITERAL)
			buf_add(out, p->s, p->n);
		else if (p->kind == TAG)
			buf_add(out, tag->s, tag->n);
		else if (p->kind == INDEX)
			add_number(out, g->base + ordinal);
		else {
			v = cell_value(g, pos, p->axis, room);
			buf_add(out, v.s, v.n);
		}
	}
}

/* ---- proofs ---- */

/* a table of ordinals by the hash of what was made of them */
struct seen {
	const struct grid *g;
	void (*make)(struct seen *, const uint64_t *pos, uint64_t ordinal, struct buf *);
	const struct template *template;	/* for make */
	struct buf mine, other, tag, raw;
	uint64_t *slot;		/* pairs: hash, ordinal + 1; 0 is free */
	size_t mask;
	uint64_t *pos;
};

static void
seen_begin(struct seen *s, const struct grid *g, uint64_t cells)
{
	size_t room;

	memset(s, 0, sizeof *s);
	s->g = g;
	s->slot = new_table(cells, 2, &room);
	s->mask = room - 1;
	s->pos = tool_realloc(NULL, g->ngroups, sizeof *s->pos);
}

static void
seen_free(struct seen *s)
{
	free(s->slot);
	free(s->pos);
	free(s->mine.s);
	free(s->other.s);
	free(s->tag.s);
	free(s->raw.s);
}

/* The ordinal whose text equals s->mine, or OTHER; then `ordinal` takes the free place, unless it is OTHER too. */
static uint64_t
seen_before(struct seen *s, uint64_t ordinal)
{
	uint64_t h = hash(s->mine.s, s->mine.n);
	size_t i;

	for (i = (size_t)h & s->mask; s->slot[2 * i + 1] != 0; i = (i + 1) & s->mask) {
		if (s->slot[2 * i] != h)
			continue;
		cell_at(s->g, s->slot[2 * i + 1] - 1, s->pos);
		s->make(s, s->pos, s->slot[2 * i + 1] - 1, &s->other);
		if (s->other.n == s->mine.n && memcmp(s->other.s, s->mine.s, s->mine.n) == 0)
			return s->slot[2 * i + 1] - 1;
	}
	if (ordinal != OTHER) {
		s->slot[2 * i] = h;
		s->slot[2 * i + 1] = ordinal + 1;
	}
	return OTHER;
}

static void TOOL_NORETURN
two_cells_meet(const struct grid *g, const struct origin *from, const char *what, const char *template, const struct buf *made,
    uint64_t a, uint64_t b)
{
	bad(from, "%s %s: cells %" PRIu64 " and %" PRIu64 " both give %s: a template that tells every cell from every other was "
	    "expected", what, word(template, strlen(template)), g->base + a, g->base + b, word(made->s, made->n));
}

static int
prove_tag(void *arg, const uint64_t *pos, uint64_t ordinal)
{
	struct seen *s = arg;
	uint64_t other;

	make_tag(s->g, pos, ordinal, &s->mine);
	if (s->mine.n > TAG_MAX)
		bad(&s->g->template_from, "tag template: cell %" PRIu64 " gives a tag of %zu bytes: at most %d were expected",
		    s->g->base + ordinal, s->mine.n, TAG_MAX);
	other = seen_before(s, ordinal);
	if (other != OTHER)
		two_cells_meet(s->g, &s->g->template_from, "tag template", s->g->template, &s->mine, other, ordinal);
	return 0;
}

static void
seen_tag(struct seen *s, const uint64_t *pos, uint64_t ordinal, struct buf *out)
{
	make_tag(s->g, pos, ordinal, out);
}

/* What an axis does to a tag: which bytes its encoded values hold, how long they are. */
struct facts {
	char holds[256];
	size_t most;		/* bytes of the longest encoded value */
	int one_size;		/* all are of that size */
	const char *odd;	/* a value that does not begin with a letter or digit, or NULL */
	size_t nodd;
};

static void
learn(struct facts *f, const struct grid *g, size_t axis)
{
	size_t i, size;
	const struct group *u = &g->group[group_of(g, axis)];
	struct buf b = { NULL, 0, 0 };
	char room[32];
	struct text t;
	uint64_t p;

	memset(f, 0, sizeof *f);
	f->one_size = !u->range || u->first >= 0;
	for (p = 0; p < u->size; p++) {
		if (u->range && p == 1)
			p = u->size - 1;	/* a range is known by its ends */
		t = value(u, axis, p, room);
		b.n = 0;
		add_encoded(&b, t.s, t.n);
		size = b.n;
		for (i = 0; i < size; i++)
			f->holds[(unsigned char)b.s[i]] = 1;
		if (p > 0 && size != f->most)
			f->one_size = 0;
		if (size > f->most)
			f->most = size;
		if (!is_letter_or_digit(b.s[0]) && f->odd == NULL) {
			f->odd = u->range ? "-" : t.s;
			f->nodd = u->range ? 1 : t.n;
		}
	}
	for (i = '0'; u->range && i <= '9'; i++)
		f->holds[i] = 1;
	free(b.s);
}

/* Can every tag be taken apart again from left to right, and does it tell the positions of every group? */
static int
tag_decodes(const struct grid *g)
{
	const struct template *t = &g->tag;
	const struct group *u;
	struct facts f;
	char *known = tool_realloc(NULL, g->naxes, 1);
	size_t i, k;
	int numbered = 0, ok = 1;

	memset(known, 0, g->naxes);
	for (i = 0; i < t->n && ok; i++) {
		if (t->piece[i].kind == LITERAL)
			continue;
		memset(&f, 0, sizeof f);
		if (t->piece[i].kind == INDEX) {
			numbered = 1;
			for (k = '0'; k <= '9'; k++)
				f.holds[k] = 1;
		} else {
			if (known[t->piece[i].axis])
				continue;
			known[t->piece[i].axis] = 1;
			learn(&f, g, t->piece[i].axis);
		}
		ok = i + 1 == t->n || f.one_size ||
		    (t->piece[i + 1].kind == LITERAL && !f.holds[(unsigned char)t->piece[i + 1].s[0]]);
	}
	for (i = 0; i < g->ngroups && ok && !numbered; i++) {
		u = &g->group[i];
		for (k = 0; k < u->naxes && u->size > 1; k++)
			ok &= known[u->axis + k];
	}
	free(known);
	return ok;
}

static void
prove_template(struct grid *g, const struct origin *from)
{
	static const char also[] = "+~";
	struct facts f;
	struct seen s;
	size_t i, k, most = g->prefix != NULL ? strlen(g->prefix) + 1 : 0;
	const struct piece *p;

	parse_template(&g->tag, g, g->template, from);
	if (g->tag.n == 0)
		bad(from, "an empty tag template");
	for (i = 0; i < g->tag.n; i++) {
		p = &g->tag.piece[i];
		if (p->kind == TAG)
			bad(from, "tag template %s: {tag} cannot stand in the tag itself", word(g->template, strlen(g->template)));
		for (k = 0; p->kind == LITERAL && k < p->n; k++)
			if (!is_plain(p->s[k]) && strchr(also, p->s[k]) == NULL)
				bad(from, "tag template %s: letters, digits, {axis} and . _ + ~ - were expected at %s",
				    word(g->template, strlen(g->template)), word(p->s + k, p->n - k));
		if (p->kind == AXIS)
			learn(&f, g, p->axis);
		most += p->kind == LITERAL ? p->n : p->kind == AXIS ? f.most : 20;
		if (i > 0 || g->prefix != NULL)
			continue;
		if (p->kind == LITERAL && !is_letter_or_digit(p->s[0]))
			bad(from, "tag template %s: a tag begins with a letter or digit", word(g->template, strlen(g->template)));
		if (p->kind == AXIS && f.odd != NULL)
			bad(from, "tag template %s: value %s of axis %s would begin a tag: a letter or digit was expected there",
			    word(g->template, strlen(g->template)), word(f.odd, f.nodd), g->axis[p->axis]);
	}
	if (most <= TAG_MAX && tag_decodes(g))
		return;
	if (g->cells > PROOF_MAX)
		bad(from, "tag template %s: %" PRIu64 " cells cannot be compared: every axis, and behind each {axis} a character that "
		    "none of its values holds, was expected", word(g->template, strlen(g->template)), g->cells);
	seen_begin(&s, g, g->cells);
	s.make = seen_tag;
	walk(g, NULL, prove_tag, &s);
	seen_free(&s);
}

/* Refuses a group in which a position is there twice. */
static void
prove_positions(const struct grid *g, const struct group *u)
{
	uint64_t *slot, h, p, other;
	size_t room, i, n, line[2];
	struct origin from = u->from;
	char *whole;
	const char *s;

	slot = new_table(u->size, 1, &room);	/* 32 bits of the hash, and position + 1 */
	for (p = 0; p < u->size; p++) {
		s = u->text + u->at[p];
		n = u->at[p + 1] - u->at[p];
		h = hash(s, n);
		for (i = (size_t)h & (room - 1); slot[i] != 0; i = (i + 1) & (room - 1)) {
			other = (slot[i] & UINT32_MAX) - 1;
			if (slot[i] >> 32 != h >> 32 || u->at[other + 1] - u->at[other] != n || memcmp(u->text + u->at[other], s, n) != 0)
				continue;
			line[0] = u->line != NULL ? u->line[other] : (size_t)other + 1;
			line[1] = u->line != NULL ? u->line[p] : (size_t)p + 1;
			whole = tool_copy(s, n);
			for (i = 0; i + 1 < n; i++)
				if (whole[i] == '\0')
					whole[i] = u->line != NULL ? ',' : ':';
			if (from.file != NULL && from.line == 0)
				bad(&from, "lines %zu and %zu are the same (%s): each %s once was expected", line[0], line[1],
				    word(whole, n - 1), u->line != NULL ? "cell" : "value");
			bad(&from, "axis %s: value %s stands twice, as number %zu and %zu: each once was expected",
			    g->axis[u->axis], word(whole, n - 1), line[0], line[1]);
		}
		slot[i] = (h >> 32) << 32 | (p + 1);
	}
	free(slot);
}

/* Refuses an axis with two long values of one hash: shortened, they would look alike. */
static void
prove_hashes(const struct grid *g, size_t axis)
{
	size_t n = 0, i, k;
	const struct group *u = &g->group[group_of(g, axis)];
	uint64_t *h = NULL, p;
	struct text a, b;
	char room[32];

	for (p = 0; !u->range && p < u->size; p++) {
		a = value(u, axis, p, room);
		if (encoded_size(a.s, a.n) <= TAG_HASH)
			continue;
		h = grow(h, n, 2 * sizeof *h);
		h[2 * n] = hash(a.s, a.n) >> 4;
		h[2 * n++ + 1] = p;
	}
	if (n > 0)
		qsort(h, n, 2 * sizeof *h, by_number);
	for (i = 0; i + 1 < n; i = k)
		for (k = i + 1; k < n && h[2 * i] == h[2 * k]; k++) {
			a = value(u, axis, h[2 * i + 1], room);
			b = value(u, axis, h[2 * k + 1], room);
			if (a.n != b.n || memcmp(a.s, b.s, a.n) != 0)
				bad(&u->from, "axis %s: values %s and %s would have one tag: a tag template was expected",
				    g->axis[axis], word(a.s, a.n), word(b.s, b.n));
		}
	free(h);
}

/* The longest that the values of a group can be in a tag, plain and shortened, separators included. */
static void
widest(const struct grid *g, const struct group *u, size_t *plain, size_t *cut)
{
	size_t k, size, p_size, c_size;
	char room[32];
	struct text t;
	uint64_t p;

	*plain = *cut = 0;
	for (p = 0; p < u->size; p++) {
		if (u->range && p == 1)
			p = u->size - 1;
		p_size = c_size = 0;
		for (k = 0; k < u->naxes; k++) {
			t = value(u, u->axis + k, p, room);
			size = encoded_size(t.s, t.n);
			p_size += size + 1;
			c_size += (size < g->share ? size : g->share) + 1;
		}
		if (p_size > *plain)
			*plain = p_size;
		if (c_size > *cut)
			*cut = c_size;
	}
}

static void
prove_tags(struct grid *g, const struct origin *from)
{
	size_t prefix = g->prefix != NULL ? strlen(g->prefix) + 1 : 0, most = prefix, least = prefix, plain, cut, i;

	for (i = 0; i < g->ngroups; i++)
		if (!g->group[i].range)
			prove_positions(g, &g->group[i]);
	if (g->template != NULL) {
		prove_template(g, from);
		return;
	}
	g->share = TAG_MAX - 2 - prefix > g->naxes - 1 ? (TAG_MAX - 2 - prefix - (g->naxes - 1)) / g->naxes : 0;
	if (g->share < TAG_HASH)
		g->share = TAG_HASH;
	for (i = 0; i < g->ngroups; i++) {
		widest(g, &g->group[i], &plain, &cut);
		most += plain;
		least += cut;
	}
	if (most - 1 <= TAG_MAX - 2)
		return;
	if (least - 1 > TAG_MAX - 2)
		tool_die(BADUSE, "%zu axes of long values make a tag of %zu bytes: a tag template that gives at most %d was expected",
		    g->naxes, least - 1, TAG_MAX);
	for (i = 0; i < g->naxes; i++)
		prove_hashes(g, i);
}

/* ---- reading a grid ---- */

static void
set_once(struct word *w, const struct origin *from, const char *what, char *s)
{
	if (w->s != NULL)
		bad(from, "%s: it is there already: once was expected", what);
	w->from = *from;
	w->s = s;
}

static void
add_to(struct word **list, size_t *n, const struct origin *from, char *s)
{
	*list = grow(*list, *n, sizeof **list);
	(*list)[*n].from = *from;
	(*list)[(*n)++].s = s;
}

/* Cuts a comment (# at the start or behind a blank) and the blanks around off a line. */
static char *
trim(char *s)
{
	char *end, *hash_sign;

	for (hash_sign = find_plain(s, strlen(s), '#'); hash_sign != NULL;
	    hash_sign = find_plain(hash_sign + 1, strlen(hash_sign + 1), '#'))
		if (hash_sign == s || hash_sign[-1] == ' ' || hash_sign[-1] == '\t') {
			*hash_sign = '\0';
			break;
		}
	s += strspn(s, " \t");
	end = s + strlen(s);
	while (end > s && (end[-1] == ' ' || end[-1] == '\t') && !is_escaped(s, end - 1))
		*--end = '\0';
	return s;
}

static void
read_grid_line(struct plan *plan, const struct origin *from, char *line)
{
	char *blank = line + strcspn(line, " \t"), *rest = blank + strspn(blank, " \t");
	size_t n = (size_t)(blank - line), i;
	struct { const char *name; struct word *w; } once[] = {
		{ "base", &plan->base }, { "prefix", &plan->prefix }, { "per-task", &plan->per_task },
		{ "tag", &plan->template }, { "cells", &plan->cells }
	};

	if (memchr(line, '=', n) != NULL) {
		for (; *rest != '\0'; rest += strcspn(rest, " \t"), rest += strspn(rest, " \t")) {
			i = strcspn(rest, "= \t");
			if (!is_escaped(line, rest - 1) && rest[i] == '=' && is_name(rest, i))
				bad(from, "%s: one axis a line was expected", word(rest, strlen(rest)));
		}
		add_to(&plan->word, &plan->nwords, from, line);
		return;
	}
	if (*rest == '\0')
		bad(from, "%s: axis=values, or base, prefix, skip, per-task, tag or cells and its value, was expected", word(line, n));
	if (is_word(line, n, "skip")) {
		add_to(&plan->skip, &plan->nskips, from, rest);
		return;
	}
	for (i = 0; i < sizeof once / sizeof once[0]; i++)
		if (is_word(line, n, once[i].name)) {
			set_once(once[i].w, from, once[i].name, rest);
			return;
		}
	if (*rest == '=')
		bad(from, "%s =: no blank before = was expected", word(line, n));
	bad(from, "%s: axis=values, or base, prefix, skip, per-task, tag or cells and its value, was expected", word(line, n));
}

static void
read_grid_file(struct plan *plan, const char *file)
{
	struct origin from = { file, 0 };
	const char *slash = strrchr(file, '/');
	char *rest, *text, *line;
	size_t n, len;

	text = rest = read_file(file, &nowhere, &n);	/* the plan's words stay in it */
	if (slash != NULL)
		plan->dir = tool_copy(file, (size_t)(slash - file) + 1);
	while ((line = next_line(&rest, text + n, &len)) != NULL) {
		from.line++;
		line = trim(line);
		if (*line != '\0')
			read_grid_line(plan, &from, line);
	}
	if (plan->nwords == 0 && plan->cells.s == NULL) {
		from.line = 0;
		bad(&from, "no grid in it: lines axis=values, or cells FILE, were expected");
	}
}

static uint64_t
plan_number(const struct word *w, const char *what, uint64_t least, uint64_t most, uint64_t otherwise)
{
	uint64_t v;

	if (w->s == NULL)
		return otherwise;
	if (num_u64(w->s, strlen(w->s), most, &v) != NUM_OK || v < least)
		bad(&w->from, "%s %s: a whole number from %" PRIu64 " to %" PRIu64 " was expected", what,
		    word(w->s, strlen(w->s)), least, most);
	return v;
}

static void
set_prefix(struct grid *g, const struct word *w)
{
	size_t i, n = w->s != NULL ? strlen(w->s) : 0;

	if (w->s == NULL)
		return;
	for (i = 0; i < n && is_plain(w->s[i]); i++)
		;
	if (i < n || n == 0 || n > 60 || !is_letter_or_digit(w->s[0]))
		bad(&w->from, "prefix %s: up to 60 letters, digits and . _ -, beginning with a letter or digit, were expected",
		    word(w->s, n));
	g->prefix = w->s;
}

static void
measure(struct grid *g)
{
	struct node *root;
	size_t i;

	g->below = tool_realloc(NULL, g->ngroups + 1, sizeof *g->below);
	g->below[g->ngroups] = 1;
	for (i = g->ngroups; i-- > 0; ) {
		if (g->below[i + 1] > CELLS_MAX / g->group[i].size)
			tool_die(BADUSE, "a grid of more than %" PRIu64 " cells", CELLS_MAX);
		g->below[i] = g->below[i + 1] * g->group[i].size;
	}
	g->cells = g->below[0];
	if (g->nskips > 0) {
		g->every_skip = tool_realloc(NULL, g->nskips, sizeof *g->every_skip);
		for (i = 0; i < g->nskips; i++)
			g->every_skip[i] = i;
		g->cells = 0;
		root = tool_realloc(NULL, 1, sizeof *root);
		node_make(root, g, 0, g->every_skip, g->nskips);
		g->cells = node_before(root, g->group[0].size);
		g->root = root;
	}
	if (g->cells == 0)
		tool_die(BADUSE, "an empty grid: the skips leave out every cell");
}

static void
make_grid(struct grid *g, const struct plan *plan)
{
	size_t i;

	if (plan->cells.s != NULL && plan->nwords > 0)
		bad(&plan->cells.from, "cells %s: either a table or axes were expected, not both",
		    word(plan->cells.s, strlen(plan->cells.s)));
	if (plan->cells.s == NULL && plan->nwords == 0)
		tool_die(BADUSE, "no grid: axis=values, -f FILE or -c FILE was expected");
	for (i = 0; i < plan->nwords; i++)
		add_word(g, plan, &plan->word[i]);
	if (plan->cells.s != NULL)
		add_table(g, &plan->cells, beside(plan, plan->cells.s));
	for (i = 0; i < plan->nskips; i++)
		add_skip(g, &plan->skip[i]);
	g->base = plan_number(&plan->base, "base", 0, 1000000000, 0);
	g->per_task = plan_number(&plan->per_task, "per-task", 1, 1000000000, 1);
	set_prefix(g, &plan->prefix);
	g->template = plan->template.s;
	g->template_from = plan->template.from;
	measure(g);
	prove_tags(g, &plan->template.from);
}

static uint64_t
tasks(const struct grid *g)
{
	return (g->cells - 1) / g->per_task + 1;
}

/* ---- the fingerprint ---- */

static uint64_t
fingerprint(const struct grid *g)
{
	uint64_t h = HASH_START, one, all = 0, p;
	const struct group *u;
	char room[32];
	struct text t;
	size_t i, k;

	for (i = 0; i < g->ngroups; i++) {
		u = &g->group[i];
		for (k = 0; k < u->naxes; k++)
			h = hash_more(h, g->axis[u->axis + k], strlen(g->axis[u->axis + k]) + 1);
		h = hash_more(h, "=", 1);
		for (p = 0; p < u->size && u->size <= LIST_MAX; p++)
			for (k = 0; k < u->naxes; k++) {
				t = value(u, u->axis + k, p, room);
				h = hash_more(hash_more(h, t.s, t.n), "", 1);
			}
		if (u->size > LIST_MAX)
			h = hash_more(h, room, (size_t)snprintf(room, sizeof room, "%" PRId64 " %d", u->first, u->width));
		if (u->size > LIST_MAX)
			h = hash_more(h, room, (size_t)snprintf(room, sizeof room, "/%" PRId64, u->step));
		h = hash_more(h, room, (size_t)snprintf(room, sizeof room, "*%" PRIu64, u->size));
	}
	for (i = 0; i < g->nskips; i++) {
		one = HASH_START;
		for (k = 0; k < g->ngroups; k++) {
			for (p = 0; p < g->skip[i].in[k].n; p++)
				one = hash_more(one, room, (size_t)snprintf(room, sizeof room, "%" PRIu64 " ", g->skip[i].in[k].p[p]));
			one = hash_more(one, "/", 1);
		}
		all += one;	/* their order means nothing */
	}
	h = hash_more(h, room, (size_t)snprintf(room, sizeof room, "x%016" PRIx64, all));
	h = hash_more(h, room, (size_t)snprintf(room, sizeof room, "b%" PRIu64 "k%" PRIu64, g->base, g->per_task));
	if (g->prefix != NULL)
		h = hash_more(hash_more(h, "p", 1), g->prefix, strlen(g->prefix) + 1);
	if (g->template != NULL)
		h = hash_more(hash_more(h, "t", 1), g->template, strlen(g->template) + 1);
	return h;
}

static void
expect_fingerprint(const struct grid *g)
{
	size_t i, n = strlen(ask.fingerprint);
	uint64_t want = 0, have;

	for (i = 0; i < n && esc_hex(ask.fingerprint[i]) >= 0; i++)
		want = want << 4 | (uint64_t)esc_hex(ask.fingerprint[i]);
	if (n != 16 || i < n)
		tool_die(BADUSE, "-F %s: 16 hexadecimal digits, as --fingerprint prints them, were expected", word(ask.fingerprint, n));
	have = fingerprint(g);
	if (want != have)
		tool_die(NO, "the grid has fingerprint %016" PRIx64 ", %016" PRIx64 " was expected: it was edited", have, want);
}

/* ---- one task ---- */

static uint64_t
this_task(const struct grid *g)
{
	const char *env = getenv("SLURM_ARRAY_TASK_ID"), *s = ask.index != NULL ? ask.index : env;
	uint64_t i, other, last = g->base + tasks(g) - 1;
	int got, known;

	if (s == NULL)
		tool_die(BADUSE, "no index: SLURM_ARRAY_TASK_ID is not set (outside an array job?): -i N or an array task was expected");
	got = num_u64(s, strlen(s), UINT64_MAX, &i);
	if (got == NUM_BAD)
		tool_die(BADUSE, "%s %s: a whole number was expected, digits only", ask.index != NULL ? "-i" : "SLURM_ARRAY_TASK_ID",
		    word(s, strlen(s)));
	if (ask.index != NULL && env != NULL) {
		known = num_u64(env, strlen(env), UINT64_MAX, &other);
		if (known != got || (got == NUM_OK && other != i))
			tool_die(BADUSE, "-i %s, but SLURM_ARRAY_TASK_ID is %s: one index was expected", word(s, strlen(s)),
			    word(env, strlen(env)));
	}
	if (got == NUM_BIG || i < g->base || i > last)
		tool_die(NO, "index %s is no task of this grid: %" PRIu64 " cells%s, indices %" PRIu64 " to %" PRIu64,
		    word(s, strlen(s)), g->cells, g->per_task > 1 ? ", several a task" : "", g->base, last);
	return i;
}

static void
say_task(const struct grid *g, const uint64_t *pos, uint64_t task, const struct buf *tag)
{
	struct buf b = { NULL, 0, 0 };
	char room[32];
	struct text t;
	size_t k;

	if (ask.quiet)
		return;
	for (k = 0; k < g->naxes; k++) {
		t = cell_value(g, pos, k, room);
		buf_add(&b, " ", 1);
		buf_add(&b, g->axis[k], strlen(g->axis[k]));
		buf_add(&b, "=", 1);
		buf_add(&b, t.s, t.n > 200 ? 200 : t.n);
		if (t.n > 200)
			buf_add(&b, "...", 3);
	}
	tool_warn("task %" PRIu64 " -> %s%s", task, tag->s, b.s);
	free(b.s);
}

static void
print_cell(const struct grid *g, const uint64_t *pos, const struct buf *tag)
{
	char room[32], *code = NULL;
	struct text t;
	size_t k, n, done;
	ssize_t w;
	FILE *f = tool_text(&code, &n);

	fputs("export TAG=", f);
	shq_put(f, tag->s, tag->n);
	for (k = 0; k < g->naxes; k++) {
		t = cell_value(g, pos, k, room);
		fprintf(f, " %s=", g->axis[k]);
		shq_put(f, t.s, t.n);
	}
	fputs(" || ", f);	/* a name that is readonly in that shell would keep its value beside another cell's tag */
	put_end(f, BADUSE);
	tool_text_end(f, &code);
	if (isatty(1)) {	/* someone is looking at it */
		esc_put(stdout, code, n - 1, ESC_SCREEN);
		putchar('\n');
	} else {
		for (done = 0; done < n; done += (size_t)w)	/* in one write, where the kernel takes it whole */
			if ((w = write(1, code + done, n - done)) < 0) {
				if (errno != EINTR)
					tool_die(TROUBLE, "the output was lost: stdout:");
				w = 0;
			}
	}
	free(code);
}

/* Puts the cell into the environment and its words, and becomes the command. Returns the status of a failure. */
static int
become(const struct grid *g, const uint64_t *pos, uint64_t ordinal, const struct buf *tag, char **command)
{
	struct template t;
	struct buf out = { NULL, 0, 0 };
	char room[32], **argv;
	size_t k, n = 0;
	int failure = setenv("TAG", tag->s, 1);

	for (k = 0; k < g->naxes; k++)
		failure |= setenv(g->axis[k], cell_value(g, pos, k, room).s, 1);
	if (failure != 0) {
		tool_warn("environment:");
		return OWNFAULT;
	}
	while (command[n] != NULL)
		n++;
	argv = tool_realloc(NULL, n + 1, sizeof *argv);
	for (k = 0; k < n; k++) {
		parse_template(&t, g, command[k], NULL);
		memset(&out, 0, sizeof out);
		fill(g, &t, pos, ordinal, tag, &out);
		argv[k] = out.s;
	}
	argv[n] = NULL;
	execvp(argv[0], argv);
	failure = errno;
	tool_warn("%s:", word(argv[0], strlen(argv[0])));
	return failure == ENOENT ? NOTFOUND : failure == E2BIG ? OWNFAULT : CANNOTRUN;
}

#define SIGNALS 65
static volatile sig_atomic_t stop_signal, sleep_signal, pass_on[SIGNALS];

static void
take_signal(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (sig == SIGTERM || sig == SIGINT || sig == SIGHUP)
		stop_signal = sig;
	/* what the terminal sends reaches the cell by itself */
	if (sig != SIGCHLD && info->si_code <= 0)
		pass_on[sig] = 1;
	if (sig == SIGTSTP)
		sleep_signal = 1;
}

/* Is the signal one for the cell? Not those that are about us alone: stops, faults of our own, the end of a child. */
static int
is_passed(int sig)
{
	static const int ours[] = { SIGKILL, SIGSTOP, SIGCHLD, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGTTIN, SIGTTOU,
	    SIGPIPE };
	size_t i;

	for (i = 0; i < sizeof ours / sizeof ours[0]; i++)
		if (sig == ours[i])
			return 0;
	return 1;
}

/* Catches what is to reach the cells and blocks it, but for the time of sigsuspend(open). */
static void
catch_signals(sigset_t *before, sigset_t *open_set)
{
	struct sigaction act, old;
	sigset_t block;
	int sig;

	memset(&act, 0, sizeof act);
	act.sa_sigaction = take_signal;
	act.sa_flags = SA_SIGINFO;
	sigfillset(&act.sa_mask);
	sigemptyset(&block);
	sigaddset(&block, SIGCHLD);
	if (sigaction(SIGCHLD, &act, NULL) != 0)
		tool_die(OWNFAULT, "sigaction:");	/* the end of a cell would not be noticed */
	for (sig = 1; sig < SIGNALS; sig++)
		if (is_passed(sig) && sigaction(sig, NULL, &old) == 0 && old.sa_handler != SIG_IGN &&
		    sigaction(sig, &act, NULL) == 0)
			sigaddset(&block, sig);
	if (sigprocmask(SIG_BLOCK, &block, before) != 0)
		tool_die(OWNFAULT, "sigprocmask:");
	*open_set = *before;
	for (sig = 1; sig < SIGNALS; sig++)
		if (sigismember(&block, sig) == 1)
			sigdelset(open_set, sig);
}

static void
pass_signals(pid_t pid)
{
	int sig;

	for (sig = 1; sig < SIGNALS; sig++)
		if (pass_on[sig]) {
			pass_on[sig] = 0;
			kill(pid, sig);
		}
	if (sleep_signal) {	/* the cell stops, so do we: the shell waits for both */
		sleep_signal = 0;
		raise(SIGSTOP);
	}
}

/* Runs one cell as a child and waits for it; its status as a shell has it. */
static int
run_cell(const struct grid *g, const uint64_t *pos, uint64_t ordinal, const struct buf *tag, char **command,
    const sigset_t *before, const sigset_t *open_set)
{
	pid_t pid = fork(), got;
	struct sigaction old;
	int status, sig;

	if (pid == 0) {
		for (sig = 1; sig < SIGNALS; sig++)	/* not ours to catch any more; what is ignored stays so */
			if (sigaction(sig, NULL, &old) == 0 && (old.sa_flags & SA_SIGINFO) && old.sa_sigaction == take_signal)
				signal(sig, SIG_DFL);
		sigprocmask(SIG_SETMASK, before, NULL);
		_exit(become(g, pos, ordinal, tag, command));
	}
	if (pid == -1) {
		tool_warn("fork:");
		return OWNFAULT;
	}
	for (;;) {
		got = waitpid(pid, &status, WNOHANG);
		if (got == pid)
			return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
		if (got == -1 && errno == EINTR)
			continue;
		if (got == -1) {
			tool_warn("waiting for the cell:");
			return OWNFAULT;
		}
		pass_signals(pid);
		sigsuspend(open_set);
	}
}

/* The cells of one task, one after another; the first failure's status. */
static int
run_cells(const struct grid *g, uint64_t task, char **command)
{
	uint64_t first = (task - g->base) * g->per_task, i, end = first + g->per_task, *pos;
	struct buf tag = { NULL, 0, 0 };
	sigset_t before, open_set, closed;
	int status, result = 0, sig;

	if (end > g->cells)
		end = g->cells;
	pos = tool_realloc(NULL, g->ngroups, sizeof *pos);
	catch_signals(&before, &open_set);
	for (i = first; i < end; i++) {
		/* a signal that came with the end of the last cell counts as well */
		sigprocmask(SIG_SETMASK, &open_set, &closed);
		sigprocmask(SIG_SETMASK, &closed, NULL);
		if (stop_signal)
			break;
		for (sig = 1; sig < SIGNALS; sig++)
			pass_on[sig] = 0;
		cell_at(g, i, pos);
		make_tag(g, pos, i, &tag);
		say_task(g, pos, task, &tag);
		status = run_cell(g, pos, i, &tag, command, &before, &open_set);
		if (status != 0 && result == 0)
			result = status;
	}
	if (i < end)
		tool_warn("signal %d: %" PRIu64 " of %" PRIu64 " cells were not started", (int)stop_signal, end - i, end - first);
	if (i < end && result == 0)
		result = 128 + (int)stop_signal;
	return result;
}

static int
do_task(const struct grid *g, char **command)
{
	uint64_t task, ordinal, *pos = tool_realloc(NULL, g->ngroups, sizeof *pos);
	struct buf tag = { NULL, 0, 0 };

	if (command == NULL && g->per_task > 1)
		tool_die(BADUSE, "per-task %" PRIu64 ": a task of several cells needs a command: gridtag ... -- command", g->per_task);
	task = this_task(g);
	if (g->per_task > 1)
		return run_cells(g, task, command);
	ordinal = task - g->base;
	cell_at(g, ordinal, pos);
	make_tag(g, pos, ordinal, &tag);
	say_task(g, pos, task, &tag);
	if (command != NULL)
		return become(g, pos, ordinal, &tag, command);
	if (ask.mode == PRINT_TAG)
		printf("%s\n", tag.s);
	else
		print_cell(g, pos, &tag);
	return YES;
}

/* ---- which cells ---- */

enum file_state { FILE_OK, FILE_MISSING, FILE_EMPTY, FILE_RECORDS, FILE_UNKNOWN };

static int
directory_is_empty(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;
	int n = 0, failure;

	if (d == NULL)
		return -1;
	while (n == 0 && (errno = 0, e = readdir(d)) != NULL)
		n = strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	failure = n == 0 ? errno : 0;
	closedir(d);
	errno = failure;
	return failure != 0 ? -1 : n == 0;
}

static enum file_state
look(const char *path)
{
	struct stat st;
	int empty;

	if (stat(path, &st) != 0)
		return errno == ENOENT || errno == ENOTDIR ? FILE_MISSING : FILE_UNKNOWN;
	if (!S_ISDIR(st.st_mode))
		return S_ISREG(st.st_mode) && st.st_size > 0 ? FILE_OK : FILE_EMPTY;	/* a device or a pipe keeps nothing */
	empty = directory_is_empty(path);
	return empty < 0 ? FILE_UNKNOWN : empty ? FILE_EMPTY : FILE_OK;
}

static void
add_where(const struct grid *g, struct posset *where, const char *s)
{
	struct posset set = { 0, NULL, 0 };
	struct group items;
	const char *rest;
	size_t axis = leading_axis(g, &nowhere, s, &rest), at = group_of(g, axis), n;
	const struct group *u = &g->group[at];
	char *copy = tool_copy(rest, strlen(rest));
	uint64_t p;

	n = esc_undo(copy, strlen(copy));
	/* a text that is a value as it stands, or as --values prints it, is that value: it may hold commas */
	if (add_positions(&set, u, axis, rest, strlen(rest)) == 0 && (n == (size_t)-1 || add_positions(&set, u, axis, copy, n) == 0)) {
		memcpy(copy, rest, strlen(rest) + 1);
		memset(&items, 0, sizeof items);
		items.naxes = 1;
		items.axis = axis;
		add_items(g, &items, &nowhere, copy, strlen(copy));
		for (p = 0; p < items.size; p++) {
			n = strlen(items.text + items.at[p]);
			if (add_positions(&set, u, axis, items.text + items.at[p], n) == 0)
				bad(&nowhere, "-w %s: axis %s has no value %s", word(s, strlen(s)), g->axis[axis], word(items.text + items.at[p], n));
		}
	}
	free(copy);
	meet(&where[at], &set);
}

struct choice {
	const struct grid *g;
	struct posset *where;		/* NULL: all */
	struct iset except;		/* tasks */
	struct seen *path;		/* one for each -m template */
	struct template *missing;
	struct buf tag;
	uint64_t cells, looked;		/* chosen, and those whose files were looked at */
	struct iset tasks;		/* of the chosen */
	struct rec *rec;		/* -l */
};

static uint64_t
task_of(const struct grid *g, uint64_t ordinal)
{
	return g->base + ordinal / g->per_task;
}

/* A path for comparing: without . and empty components, and without those that .. takes back. */
static void
tidy(struct buf *b)
{
	size_t i, n, to = b->n > 0 && b->s[0] == '/', root = to;

	for (i = to; i < b->n; i += n + 1) {
		n = strcspn(b->s + i, "/");
		if (n == 0 || (n == 1 && b->s[i] == '.'))
			continue;
		if (n == 2 && memcmp(b->s + i, "..", 2) == 0 && to > root && !(to >= 2 && memcmp(b->s + to - 2, "..", 2) == 0 &&
		    (to == 2 || b->s[to - 3] == '/'))) {
			while (to > root && b->s[--to] != '/')
				;
			continue;
		}
		if (to > root)
			b->s[to++] = '/';
		memmove(b->s + to, b->s + i, n);
		to += n;
	}
	b->n = to;
	b->s[to] = '\0';
}

static void
seen_path(struct seen *s, const uint64_t *pos, uint64_t ordinal, struct buf *out)
{
	make_tag(s->g, pos, ordinal, &s->tag);
	fill(s->g, s->template, pos, ordinal, &s->tag, &s->raw);	/* the path as it is looked at, */
	out->n = 0;
	buf_add(out, s->raw.s, s->raw.n);
	tidy(out);							/* and as it is compared */
}

static void
path_of_its_own(struct seen *s, const uint64_t *pos, uint64_t ordinal)
{
	uint64_t other;

	seen_path(s, pos, ordinal, &s->mine);
	other = seen_before(s, ordinal);
	if (other != OTHER)
		two_cells_meet(s->g, &nowhere, "template", s->template->whole, &s->mine, other, ordinal);
}

static void
list_cell(struct choice *c, const uint64_t *pos, uint64_t ordinal)
{
	char room[32];
	struct text t;
	size_t k;

	make_tag(c->g, pos, ordinal, &c->tag);
	rec_number(c->rec, c->g->base + ordinal);
	rec_text(c->rec, c->tag.s, c->tag.n);
	for (k = 0; k < c->g->naxes; k++) {
		t = cell_value(c->g, pos, k, room);
		rec_text(c->rec, t.s, t.n);
	}
	if (c->g->per_task > 1)
		rec_number(c->rec, task_of(c->g, ordinal));
}

static int
prove_path(void *arg, const uint64_t *pos, uint64_t ordinal)
{
	path_of_its_own(arg, pos, ordinal);
	return 0;
}

static int
choose(void *arg, const uint64_t *pos, uint64_t ordinal)
{
	struct choice *c = arg;
	int gone = ask.nmissing == 0;
	enum file_state state;
	size_t i;

	if (iset_has(&c->except, task_of(c->g, ordinal)))
		return 0;
	c->looked++;
	for (i = 0; i < ask.nmissing; i++) {
		seen_path(&c->path[i], pos, ordinal, &c->path[i].mine);
		state = look(c->path[i].raw.s);
		if (state == FILE_UNKNOWN)
			tool_die(errno == ENAMETOOLONG ? BADUSE : TROUBLE, "cell %" PRIu64 ": %s:", c->g->base + ordinal,
			    c->path[i].raw.s);
		gone |= state != FILE_OK;
	}
	if (!gone)
		return 0;
	c->cells++;
	if (ask.mode == ARRAY)
		iset_add(&c->tasks, task_of(c->g, ordinal), task_of(c->g, ordinal));
	if (ask.mode == LIST)
		list_cell(c, pos, ordinal);
	return ask.mode == LIST && ferror(stdout);	/* the disk is full: 10^9 cells would be made for nothing */
}

static void
few_enough(const struct grid *g, const char *what)
{
	if (g->cells > VISIT_MAX)
		tool_die(BADUSE, "%s looks at every cell: %" PRIu64 " are too many (%" PRIu64 " at most)", what, g->cells, VISIT_MAX);
}

static void
make_choice(struct choice *c, const struct grid *g)
{
	char why[ISET_WHY];
	size_t i;

	memset(c, 0, sizeof *c);
	c->g = g;
	if (ask.nwhere > 0)
		c->where = all_positions(g);
	for (i = 0; i < ask.nwhere; i++)
		add_where(g, c->where, ask.where[i]);
	if (ask.except != NULL && strcmp(ask.except, "none") != 0 && iset_parse(&c->except, ask.except, UINT32_MAX, why) != 0)
		tool_die(BADUSE, "--except %s: %s: indices like 0-3,7 or none were expected", word(ask.except, strlen(ask.except)), why);
	if (ask.nmissing > 0)
		few_enough(g, "-m");
	c->path = tool_realloc(NULL, ask.nmissing, sizeof *c->path);
	c->missing = tool_realloc(NULL, ask.nmissing, sizeof *c->missing);
	for (i = 0; i < ask.nmissing; i++) {
		parse_template(&c->missing[i], g, ask.missing[i], &nowhere);
		seen_begin(&c->path[i], g, g->cells);
		c->path[i].make = seen_path;
		c->path[i].template = &c->missing[i];
		walk(g, NULL, prove_path, &c->path[i]);	/* before anything is printed, and whatever -w leaves out */
	}
}

static void
take_range(void *arg, uint64_t first, uint64_t cells)
{
	struct choice *c = arg;

	c->cells += cells;
	if (cells > 0 && ask.mode == ARRAY)
		iset_add(&c->tasks, task_of(c->g, first), task_of(c->g, first + cells - 1));
}

static void
choose_all(struct choice *c)
{
	uint64_t next = c->g->base, end = next + tasks(c->g), last;
	size_t i;

	if (ask.nwhere > 0 && ask.nmissing == 0 && ask.except == NULL && ask.mode != LIST) {
		ranges_below(c->g, 0, c->g->every_skip, c->g->nskips, c->where, 0, take_range, c);
		return;
	}
	if (ask.nmissing > 0 || ask.nwhere > 0 || ask.mode == LIST) {
		walk(c->g, c->where, choose, c);
		return;
	}
	for (i = 0; i <= c->except.n && next < end; i++) {	/* what lies between the excepted */
		last = i < c->except.n && c->except.run[i].first < end ? c->except.run[i].first : end;
		if (last > next) {
			iset_add(&c->tasks, next, last - 1);
			c->cells += (last - next) * c->g->per_task;
			if (last == end)	/* the last task may have fewer */
				c->cells -= tasks(c->g) * c->g->per_task - c->g->cells;
		}
		if (i < c->except.n && c->except.run[i].last + 1 > next)
			next = c->except.run[i].last + 1;
	}
}

/* Says where the directory is not there that all paths of the template lie in: a slip in its name loses all cells. */
static void
say_no_directory(const char *template)
{
	size_t n = strcspn(template, "{");
	char *dir;
	struct stat st;

	while (n > 1 && template[n - 1] != '/')
		n--;
	while (n > 1 && template[n - 1] == '/')
		n--;
	if (n <= 1)
		return;
	dir = tool_copy(template, n);
	if (stat(dir, &st) != 0 && errno == ENOENT)
		tool_warn("%s: there is no directory %s", word(template, strlen(template)), word(dir, n));
	free(dir);
}

/* `0-4` is a range to Slurm, and one value here. */
static void
say_slurm_ranges(const struct grid *g)
{
	const char *v;
	size_t i, n;

	for (i = 0; i < g->ngroups; i++) {
		if (g->group[i].size != 1 || g->group[i].naxes != 1 || g->group[i].range)
			continue;
		v = g->group[i].text + g->group[i].at[0];
		n = strspn(v, "0123456789");
		if (n > 0 && v[n] == '-' && v[n + 1] != '\0' && strspn(v + n + 1, "0123456789") == strlen(v + n + 1))
			tool_warn("axis %s: %s is one value: %.*s..%s are all from one to the other", g->axis[g->group[i].axis],
			    word(v, strlen(v)), (int)n, v, v + n + 1);
	}
}

/* An answer that is none, or all, is easily taken for something else. */
static void
say_extreme(const struct choice *c)
{
	size_t i;

	if (ask.quiet)
		return;
	if (c->cells == 0 && c->looked > 0)
		tool_warn("nothing is missing: %" PRIu64 " of %" PRIu64 " cells have what -m names", c->looked, c->looked);
	else if (c->cells == 0)
		tool_warn("no cell is left by -w and --except");
	for (i = 0; i < ask.nmissing && c->cells == c->looked; i++)
		say_no_directory(ask.missing[i]);
}

/* ---- values to print ---- */

static void
print_array(const struct grid *g, const struct iset *set)
{
	uint64_t last = set->run[set->n - 1].last, max = 1001, fit;

	if (ask.max != NULL)
		num_u64(ask.max, strlen(ask.max), UINT32_MAX, &max);
	fit = max > g->base ? (g->cells - 1) / (max - g->base) + 1 : 0;
	if (ask.max != NULL && last >= max && fit > 0)
		tool_die(NO, "index %" PRIu64 " is not below --max %" PRIu64 ": -k %" PRIu64 " (per-task %" PRIu64 ") would do", last, max, fit, fit);
	if (ask.max != NULL && last >= max)
		tool_die(NO, "index %" PRIu64 " is not below --max %" PRIu64 ": a base below it was expected", last, max);
	if (ask.max == NULL && last >= max)
		tool_warn("index %" PRIu64 " is above 1000, Slurm's default limit: see scontrol show config for MaxArraySize, and --max", last);
	iset_print(set, stdout);
	putchar('\n');
}

static int
do_choice(const struct grid *g)
{
	struct choice c;
	struct rec rec;
	const char **name;
	size_t k;

	make_choice(&c, g);
	if (ask.mode == LIST) {
		name = tool_realloc(NULL, g->naxes + 3, sizeof *name);
		name[0] = "index";
		name[1] = "tag";
		for (k = 0; k < g->naxes; k++)
			name[k + 2] = g->axis[k];
		name[g->naxes + 2] = "array-task";	/* no axis can have that name */
		rec_begin(&rec, stdout, ask.how, name, g->naxes + 2 + (g->per_task > 1));
		c.rec = &rec;
	}
	choose_all(&c);
	say_extreme(&c);
	if (ask.mode == LIST)
		rec_finish(&rec);
	else if (ask.mode == COUNT)
		printf("%" PRIu64 "\n", c.cells);
	else if (c.cells > 0)
		print_array(g, &c.tasks);
	else
		puts("none");
	return c.cells > 0 ? YES : NO;
}

static size_t
known_axis(const struct grid *g, const char *name)
{
	size_t axis = find_axis(g, name, strlen(name));

	if (axis == NONE)
		tool_die(BADUSE, "the grid has no axis %s", word(name, strlen(name)));
	return axis;
}

/* The positions at which the axis has a value for the first time; how many, into *first. */
static uint64_t *
first_positions(const struct grid *g, size_t axis, size_t *n)
{
	const struct group *u = &g->group[group_of(g, axis)];
	const struct placed *list;
	uint64_t *first, p;

	if (u->size > LIST_MAX)
		tool_die(BADUSE, "axis %s has %" PRIu64 " values: too many to look at each", g->axis[axis], u->size);
	first = tool_realloc(NULL, (size_t)u->size, sizeof *first);
	list = u->range ? NULL : sorted_values(u, axis);	/* those alike in the order of their positions */
	for (*n = 0, p = 0; p < u->size; p++)
		if (list == NULL)
			first[(*n)++] = p;
		else if (p == 0 || strcmp(list[p].s, list[p - 1].s) != 0)
			first[(*n)++] = list[p].p;
	*n = sort_positions(first, *n);
	return first;
}

static int
take_first(void *arg, const uint64_t *pos, uint64_t ordinal)
{
	(void)pos;
	*(uint64_t *)arg = ordinal;
	return 1;
}

/* The first kept cell that has the axis's value of position p; 0 where skips leave them all out. */
static int
first_cell(const struct grid *g, size_t axis, uint64_t p, uint64_t *ordinal)
{
	size_t at = group_of(g, axis);
	const struct group *u = &g->group[at];
	struct posset *where = all_positions(g), *set = &where[at];
	char room[32];
	struct text t = value(u, axis, p, room);
	int found;

	set->all = 0;
	if (g->nskips > 0)
		add_positions(set, u, axis, t.s, t.n);
	else {	/* the first position with that value will do */
		set->p = tool_realloc(NULL, 1, sizeof *set->p);
		set->p[0] = p;
		set->n = 1;
	}
	found = walk(g, where, take_first, ordinal);
	free(set->p);
	free(where);
	return found;
}

static int
do_values(const struct grid *g)
{
	size_t axis = known_axis(g, ask.axis), n, i;
	uint64_t *first = first_positions(g, axis, &n), ordinal;
	char room[32];
	struct text t;

	for (i = 0; i < n; i++) {
		if (g->nskips > 0 && !first_cell(g, axis, first[i], &ordinal))
			continue;
		t = value(&g->group[group_of(g, axis)], axis, first[i], room);
		esc_put(stdout, t.s, t.n, isatty(1) ? ESC_SCREEN : ESC_FIELD);
		putchar('\n');
	}
	return YES;
}

static int
do_each(const struct grid *g)
{
	size_t axis = known_axis(g, ask.axis), n, i;
	uint64_t *first = first_positions(g, axis, &n), ordinal;
	struct iset tasks_of = ISET_EMPTY;
	char room[32];
	struct text t;

	for (i = 0; i < n; i++) {
		t = value(&g->group[group_of(g, axis)], axis, first[i], room);
		if (first_cell(g, axis, first[i], &ordinal))
			iset_add(&tasks_of, task_of(g, ordinal), task_of(g, ordinal));
		else
			tool_warn("no cell with %s %s: skips leave them all out", g->axis[axis], word(t.s, t.n));
	}
	iset_settle(&tasks_of);
	print_array(g, &tasks_of);
	return YES;
}

/* ---- the smoke pair ---- */

/* In how many axes of a group two of its positions differ. */
static size_t
differ(const struct group *u, uint64_t p, uint64_t q)
{
	char a_room[32], b_room[32];
	struct text a, b;
	size_t k, n = 0;

	if (u->naxes == 1)
		return p != q;
	for (k = 0; k < u->naxes; k++) {
		a = value(u, u->axis + k, p, a_room);
		b = value(u, u->axis + k, q, b_room);
		n += a.n != b.n || memcmp(a.s, b.s, a.n) != 0;
	}
	return n;
}

/* cells to choose two from: their positions, ngroups each */
struct pool {
	const struct grid *g;
	uint64_t *pos;
	size_t n;
};

static void
take_cell(struct pool *c, const uint64_t *pos)
{
	c->pos = grow(c->pos, c->n, c->g->ngroups * sizeof *c->pos);
	memcpy(c->pos + c->n++ * c->g->ngroups, pos, c->g->ngroups * sizeof *pos);
}

/* All cells where they are few, else some from end to end. */
static void
take_cells(struct pool *c)
{
	uint64_t n = c->g->cells < POOL_MAX ? c->g->cells : POOL_MAX, i, *pos = tool_realloc(NULL, c->g->ngroups, sizeof *pos);

	for (i = 0; i < n; i++) {
		cell_at(c->g, i + 1 < n ? c->g->cells / n * i : c->g->cells - 1, pos);
		take_cell(c, pos);
	}
	free(pos);
}

struct ranked {
	uint64_t alike;		/* sum over the axes of the cells that have the same value */
	size_t i;
};

static int
by_alike(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->alike != y->alike)
		return x->alike < y->alike ? -1 : 1;
	return x->i < y->i ? -1 : x->i > y->i;
}

/* Adds to each cell's sum how many have the same value of the axis, of group `at`. Returns how many values there are. */
static size_t
add_alike(const struct pool *c, size_t at, size_t axis, struct ranked *r)
{
	size_t room, i, k, values = 0, *slot_of = tool_realloc(NULL, c->n, sizeof *slot_of);
	uint64_t *slot = new_table(c->n, 2, &room), h;	/* hash, how many; a meeting of hashes only spoils the order */
	char value_room[32];
	struct text t;

	for (i = 0; i < c->n; i++) {
		t = value(&c->g->group[at], axis, c->pos[i * c->g->ngroups + at], value_room);
		h = hash(t.s, t.n);
		for (k = (size_t)h & (room - 1); slot[2 * k + 1] != 0 && slot[2 * k] != h; k = (k + 1) & (room - 1))
			;
		values += slot[2 * k + 1]++ == 0;
		slot[2 * k] = h;
		slot_of[i] = k;
	}
	for (i = 0; i < c->n; i++)
		r[i].alike += slot[2 * slot_of[i] + 1];
	free(slot);
	free(slot_of);
	return values;
}

/* Ranks the cells of a pool: as they are where every pair can be looked at, else those least like the others first (a
 * cell whose sum is below the number of cells differs from some other in every axis). Returns how many axes vary. */
static size_t
rank(const struct pool *c, struct ranked *r)
{
	size_t i, k, at, axes = 0;

	for (i = 0; i < c->n; i++) {
		r[i].alike = 0;
		r[i].i = i;
	}
	for (at = 0; at < c->g->ngroups; at++)
		for (k = 0; k < c->g->group[at].naxes; k++)
			axes += add_alike(c, at, c->g->group[at].axis + k, r) > 1;
	if (c->n > PAIRS_MAX / c->n)	/* too many to look at every pair */
		qsort(r, c->n, sizeof *r, by_alike);
	return axes;
}

/* The most different two cells of a pool, by number, into a and b; in how many axes they differ. *axes: how many vary.
 * Stops at a pair that differs in all of those, or after PAIRS_MAX. */
static size_t
most_different(const struct pool *c, size_t *axes, size_t *a, size_t *b)
{
	struct ranked *r = tool_realloc(NULL, c->n, sizeof *r);
	size_t i, k, j, d, most = 0, w = c->g->ngroups, pairs = 0;

	*a = *b = 0;
	*axes = rank(c, r);
	for (i = 0; i < c->n && most < *axes && pairs < PAIRS_MAX; i++)
		for (j = i + 1; j < c->n && most < *axes && pairs++ < PAIRS_MAX; j++) {
			for (d = k = 0; k < w; k++)
				d += differ(&c->g->group[k], c->pos[r[i].i * w + k], c->pos[r[j].i * w + k]);
			if (d > most) {
				most = d;
				*a = r[i].i;
				*b = r[j].i;
			}
		}
	free(r);
	return most;
}

/* The most different two positions of one group; as most_different. */
static size_t
most_different_in(struct group *u, size_t *axes, uint64_t *p, uint64_t *q)
{
	struct pool c = { NULL, NULL, 0 };
	struct grid one;
	size_t a, b, most;
	uint64_t i;

	*p = 0;
	*q = u->size - 1;
	*axes = u->size > 1;
	if (u->naxes == 1)
		return *axes;
	memset(&one, 0, sizeof one);
	one.group = u;
	one.ngroups = 1;
	c.g = &one;
	for (i = 0; i < u->size; i++)
		take_cell(&c, &i);
	most = most_different(&c, axes, &a, &b);
	*p = a;
	*q = b;
	free(c.pos);
	return most;
}

/* The number of kept cells before the cell at pos, or OTHER where that one is left out. */
static uint64_t
ordinal_of(const struct grid *g, const uint64_t *pos)
{
	struct posset *where = all_positions(g);
	uint64_t *copy = tool_realloc(NULL, g->ngroups, sizeof *copy), ordinal = OTHER;
	size_t i;

	memcpy(copy, pos, g->ngroups * sizeof *copy);
	for (i = 0; i < g->ngroups; i++) {
		where[i].all = 0;
		where[i].p = &copy[i];
		where[i].n = 1;
	}
	walk(g, where, take_first, &ordinal);
	free(where);
	free(copy);
	return ordinal;
}

/* Looks for a kept cell that differs from cell p in `varies[group]` axes of each group, from group `at` on, into pos;
 * gives up when *steps are used up. */
static int
find_different(const struct grid *g, size_t at, const size_t *alive, size_t n, const uint64_t *p, const size_t *varies,
    uint64_t *pos, uint64_t *steps)
{
	const size_t *left;
	struct node d;
	size_t m;
	int found = 0;

	if (at == g->ngroups)
		return 1;
	if (at == 0)
		node_make(&d, g, at, alive, n);
	else {
		node_sort(&d, g, at, alive, n);
		*steps -= n / STEP_SKIPS < *steps ? n / STEP_SKIPS : *steps;
	}
	for (pos[at] = 0; pos[at] < g->group[at].size && *steps > 0; pos[at]++) {
		--*steps;
		if (differ(&g->group[at], pos[at], p[at]) < varies[at])
			continue;
		m = node_left(&d, pos[at], &left);
		if (m != NONE && (found = find_different(g, at + 1, left, m, p, varies, pos, steps)))
			break;
	}
	node_free(&d);
	return found;
}

/* A pair of kept cells that differ in all axes that vary, one of them among some cells from end to end: into p and q. */
static int
find_pair(const struct grid *g, const size_t *varies, uint64_t *p, uint64_t *q)
{
	uint64_t i, tries = g->cells < 64 ? g->cells : 64, steps;
	int found = 0;

	for (i = 0; i < tries && !found; i++) {
		cell_at(g, g->cells / tries * i, p);
		steps = STEPS_MAX / 64;
		found = find_different(g, 0, g->every_skip, g->nskips, p, varies, q, &steps);
	}
	return found;
}

static int
do_smoke(struct grid *g)
{
	uint64_t *p = tool_realloc(NULL, g->ngroups, sizeof *p), *q = tool_realloc(NULL, g->ngroups, sizeof *q), x, y;
	size_t i, a, b, most = 0, all = 0, *varies = tool_realloc(NULL, g->ngroups, sizeof *varies);
	struct iset pair = ISET_EMPTY;
	struct pool c = { NULL, NULL, 0 };

	if (g->cells == 1) {
		tool_warn("a grid of one cell has no two that differ");
		puts("none");
		return NO;
	}
	for (i = 0; i < g->ngroups; i++) {
		most += most_different_in(&g->group[i], &varies[i], &p[i], &q[i]);
		all += varies[i];
	}
	x = ordinal_of(g, p);
	y = ordinal_of(g, q);
	if ((x == OTHER || y == OTHER) && find_pair(g, varies, p, q)) {
		most = all;
		x = ordinal_of(g, p);
		y = ordinal_of(g, q);
	} else if (x == OTHER || y == OTHER) {
		c.g = g;
		take_cells(&c);
		most = most_different(&c, &all, &a, &b);
		x = ordinal_of(g, c.pos + a * g->ngroups);
		y = ordinal_of(g, c.pos + b * g->ngroups);
	}
	if (most < all)
		tool_warn("no two cells differ in all %zu axes that vary: these differ in %zu", all, most);
	if (task_of(g, x) == task_of(g, y))
		tool_warn("both cells are of one task");
	iset_add(&pair, task_of(g, x), task_of(g, x));
	iset_add(&pair, task_of(g, y), task_of(g, y));
	iset_settle(&pair);
	print_array(g, &pair);
	return YES;
}

/* ---- the account ---- */

struct account {
	const struct grid *g;
	struct seen path;
	struct template template;
	size_t *slashes;		/* the most in a value of each of its pieces */
	struct rec rec;
	uint64_t lines;			/* expected, OTHER: any */
	uint64_t n[5], extra;		/* by file_state */
	char **found;			/* files that no cell owns */
};

/* Complete lines of a file, and whether an unfinished one follows; OTHER where it cannot be read. */
static uint64_t
count_lines(const char *path, int *torn)
{
	char some[65536], *s, last = '\n';
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	uint64_t n = 0;
	ssize_t got = -1;

	while (fd != -1 && ((got = read(fd, some, sizeof some)) > 0 || (got == -1 && errno == EINTR))) {
		if (got < 0)
			continue;
		last = some[got - 1];
		for (s = some; (s = memchr(s, '\n', (size_t)(some + got - s))) != NULL; s++)
			n++;
	}
	if (fd != -1)
		close(fd);
	*torn = last != '\n';
	return got == 0 ? n : OTHER;
}

static void
account_record(struct account *a, const char *state, uint64_t index, const struct buf *tag, const char *path, const char *lines)
{
	rec_text(&a->rec, state, strlen(state));
	if (index != OTHER)
		rec_number(&a->rec, index);
	else
		rec_none(&a->rec);
	rec_text(&a->rec, tag != NULL ? tag->s : "", tag != NULL ? tag->n : 0);
	rec_text(&a->rec, path, strlen(path));
	rec_text(&a->rec, lines, strlen(lines));
}

static int
account_cell(void *arg, const uint64_t *pos, uint64_t ordinal)
{
	static const char *const names[] = { "ok", "missing", "empty", "records", "unknown" };
	struct account *a = arg;
	char lines[32] = "";
	enum file_state state;
	uint64_t n;
	int torn;

	seen_path(&a->path, pos, ordinal, &a->path.mine);
	state = look(a->path.raw.s);
	if (state == FILE_OK && a->lines != OTHER) {
		n = count_lines(a->path.raw.s, &torn);
		if (n == OTHER)
			state = FILE_UNKNOWN;
		else if (n != a->lines || torn) {
			state = FILE_RECORDS;
			snprintf(lines, sizeof lines, "%" PRIu64 "%s", n, torn ? "+" : "");
		}
	}
	if (state == FILE_UNKNOWN)
		tool_warn("%s:", a->path.raw.s);
	a->n[state]++;
	if (state != FILE_OK)
		account_record(a, names[state], a->g->base + ordinal, &a->path.tag, a->path.raw.s, lines);
	return 0;
}

/* The component of the template at piece *i, byte *at of it, up to the next slash, or to the field at piece `stop` where that
 * comes first: as a pattern for fnmatch, with something for each field, and as plain text. Returns whether it holds a field. */
static int
component(const struct template *t, size_t *i, size_t *at, size_t stop, struct buf *pattern, struct buf *plain)
{
	const struct piece *p;
	int wild = 0;

	buf_add(pattern, "", 0);
	buf_add(plain, "", 0);
	for (; *i < t->n; ++*i, *at = 0) {
		p = &t->piece[*i];
		if (p->kind != LITERAL) {
			buf_add(pattern, "?*", 2);
			wild = 1;
			if (*i == stop)
				return wild;
			continue;
		}
		for (; *at < p->n; ++*at) {
			if (p->s[*at] == '/')
				return wild;
			if (strchr("*?[]\\", p->s[*at]) != NULL)
				buf_add(pattern, "\\", 1);
			buf_add(pattern, p->s + *at, 1);
			buf_add(plain, p->s + *at, 1);
		}
	}
	return wild;
}

/* Does a cell's file lie below this directory? */
static int
lies_below(void *arg, const uint64_t *pos, uint64_t ordinal)
{
	struct account *a = arg;

	seen_path(&a->path, pos, ordinal, &a->path.other);
	return a->path.other.n > a->path.mine.n && memcmp(a->path.other.s, a->path.mine.s, a->path.mine.n) == 0 &&
	    a->path.other.s[a->path.mine.n] == '/';
}

static void find_files(struct account *a, struct buf *dir, size_t i, size_t at, size_t held);

/* `name` in dir fits the template up to piece i, byte `at` of it: goes on below it, or notes it where no cell owns it. With
 * `held` the value of the field there goes on below, and that many of its slashes stand before that. */
static void
found_file(struct account *a, struct buf *dir, const char *name, size_t i, size_t at, size_t held)
{
	struct buf *path = &a->path.mine;
	size_t n = dir->n;
	struct stat st;

	buf_add(dir, name, strlen(name));
	if (i < a->template.n) {
		buf_add(dir, "/", 1);
		find_files(a, dir, i, held > 0 ? 0 : at + 1, held);
	} else if (lstat(dir->s, &st) != 0) {
		if (errno != ENOENT && errno != ENOTDIR) {
			tool_warn("%s:", dir->s);
			a->n[FILE_UNKNOWN]++;
		}
	} else {
		path->n = 0;
		buf_add(path, dir->s, dir->n);
		tidy(path);
		if (seen_before(&a->path, OTHER) == OTHER && !(S_ISDIR(st.st_mode) && walk(a->g, NULL, lies_below, a))) {
			a->found = grow(a->found, (size_t)a->extra, sizeof *a->found);
			a->found[a->extra++] = tool_copy(path->s, path->n);
		}
	}
	dir->n = n;
	dir->s[n] = '\0';
}

/* Looks in dir for what fits the template from piece i, byte `at` of it, on: up to the next slash of its text, or up to a
 * slash in the value of the field at piece `stop`, of which `held` stand before that one. */
static void
find_names(struct account *a, struct buf *dir, size_t i, size_t at, size_t stop, size_t held)
{
	struct buf pattern = { NULL, 0, 0 }, plain = { NULL, 0, 0 };
	struct dirent *e;
	DIR *d = NULL;

	if (component(&a->template, &i, &at, stop, &pattern, &plain))
		d = opendir(dir->n > 0 ? dir->s : ".");
	else {
		found_file(a, dir, plain.s, i, at, held);
		errno = 0;
	}
	while (d != NULL && (errno = 0, e = readdir(d)) != NULL)
		if (fnmatch(pattern.s, e->d_name, FNM_PERIOD) == 0)
			found_file(a, dir, e->d_name, i, at, held);
	if (errno != 0 && errno != ENOENT && errno != ENOTDIR) {
		tool_warn("%s:", dir->n > 0 ? dir->s : ".");
		a->n[FILE_UNKNOWN]++;
	}
	if (d != NULL)
		closedir(d);
	free(pattern.s);
	free(plain.s);
}

/* The most slashes in a value of this field. */
static size_t
most_slashes(const struct grid *g, const struct piece *field)
{
	const struct group *u;
	struct text t;
	char room[32];
	size_t n, most = 0;
	uint64_t p;

	if (field->kind != AXIS)
		return 0;
	u = &g->group[group_of(g, field->axis)];
	for (p = 0; !u->range && p < u->size; p++) {
		t = value(u, field->axis, p, room);
		for (n = 0; t.n > 0; t.n--)
			n += *t.s++ == '/';
		if (n > most)
			most = n;
	}
	return most;
}

/* Looks in dir for files that fit the template from piece i, byte `at` of it, on; `held` slashes of the value at piece i stand
 * before that. A value may end its name of the path at each slash that it may hold: one file may be found in several ways. */
static void
find_files(struct account *a, struct buf *dir, size_t i, size_t at, size_t held)
{
	const struct piece *p;
	size_t j, from = at;

	find_names(a, dir, i, at, a->template.n, 0);
	for (j = i; j < a->template.n; j++, at = 0, held = 0) {
		p = &a->template.piece[j];
		if (p->kind == LITERAL && at < p->n && memchr(p->s + at, '/', p->n - at) != NULL)
			break;
		if (held < a->slashes[j])
			find_names(a, dir, i, from, j, held + 1);
	}
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
account_extra(struct account *a)
{
	struct buf dir = { NULL, 0, 0 };
	uint64_t i, n = 0, ways = 1;
	size_t j;

	buf_add(&dir, "", 0);
	a->slashes = tool_realloc(NULL, a->template.n, sizeof *a->slashes);
	for (j = 0; j < a->template.n; j++) {
		a->slashes[j] = most_slashes(a->g, &a->template.piece[j]);
		ways *= a->slashes[j] + 1;
		if (ways > WAYS_MAX)
			break;
	}
	if (j < a->template.n) {
		tool_warn("%s: its values hold too many slashes to look for files that no cell owns", ask.account);
		memset(a->slashes, 0, a->template.n * sizeof *a->slashes);
		a->n[FILE_UNKNOWN]++;
	}
	find_files(a, &dir, 0, 0, 0);
	if (a->extra > 0)
		qsort(a->found, (size_t)a->extra, sizeof *a->found, by_name);
	for (i = 0; i < a->extra; i++)
		if (i == 0 || strcmp(a->found[i], a->found[i - 1]) != 0) {
			account_record(a, "extra", OTHER, NULL, a->found[i], "");
			n++;
		}
	a->extra = n;
}

static int
do_account(const struct grid *g)
{
	static const char *const names[] = { "state", "index", "tag", "path", "records" };
	struct account a;
	uint64_t there;

	few_enough(g, "--account");
	memset(&a, 0, sizeof a);
	a.g = g;
	a.lines = OTHER;
	if (ask.records != NULL && num_u64(ask.records, strlen(ask.records), OTHER - 1, &a.lines) != NUM_OK)
		tool_die(BADUSE, "--records %s: a whole number was expected", word(ask.records, strlen(ask.records)));
	parse_template(&a.template, g, ask.account, &nowhere);
	seen_begin(&a.path, g, g->cells);
	a.path.make = seen_path;
	a.path.template = &a.template;
	walk(g, NULL, prove_path, &a.path);
	rec_begin(&a.rec, stdout, ask.how, names, 5);
	walk(g, NULL, account_cell, &a);
	account_extra(&a);
	rec_finish(&a.rec);
	there = a.n[FILE_OK] + a.n[FILE_EMPTY] + a.n[FILE_RECORDS] + a.extra;
	if (there == 1 && g->cells > 1)
		tool_warn("one file where %" PRIu64 " are expected: the tag is not reaching the code, or only one task has run", g->cells);
	if (!ask.quiet && a.n[FILE_MISSING] == g->cells)
		say_no_directory(ask.account);
	if (!ask.quiet)
		tool_warn("%" PRIu64 " cells: %" PRIu64 " ok, %" PRIu64 " missing, %" PRIu64 " empty, %" PRIu64 " with other than the records "
		    "expected, %" PRIu64 " unknown; %" PRIu64 " extra", g->cells, a.n[FILE_OK], a.n[FILE_MISSING], a.n[FILE_EMPTY],
		    a.n[FILE_RECORDS], a.n[FILE_UNKNOWN], a.extra);
	if (a.n[FILE_OK] == g->cells && a.extra == 0 && a.n[FILE_UNKNOWN] == 0)
		return YES;
	return a.n[FILE_MISSING] + a.n[FILE_EMPTY] + a.n[FILE_RECORDS] + a.extra > 0 ? NO : TROUBLE;
}

/* ---- options ---- */

static enum mode
mode_of(int val)
{
	switch (val) {
	case 'n': return COUNT;
	case 'a': return ARRAY;
	case 'l': return LIST;
	case 'T': return PRINT_TAG;
	case '2': return SMOKE;
	case O_EACH: return EACH;
	case O_VALUES: return VALUES;
	case O_ACCOUNT: return ACCOUNT;
	case O_FINGERPRINT: return FINGERPRINT;
	default: return SHELL;
	}
}

/* What is asked must be known before anything can fail: it decides what a failure prints. */
static void
find_mode(int argc, char **argv)
{
	struct opt o = OPT_INIT(argc, argv, options, 1), late = OPT_INIT(0, NULL, options, 1);
	int val, i;

	while ((val = opt_peek(&o)) != -1)
		if (mode_of(val) != SHELL && ask.mode != ARRAY && ask.mode != SMOKE && ask.mode != EACH)
			ask.mode = mode_of(val);
	if (o.command != NULL)
		ask.mode = RUN;
	for (i = 0; i < o.n && ask.mode == SHELL; i++)	/* an option that came too late was meant all the same */
		if (o.operand[i][0] == '-') {
			late.argc = o.n - i + 1;
			late.argv = o.operand + i - 1;
			late.index = 0;
			ask.mode = mode_of(opt_peek(&late));
		}
}

/* The option's argument, where the option is not there already. */
static void
only_once(const char **where, const char *option)
{
	if (*where != NULL)
		tool_die(BADUSE, "%s %s: it is there already: once was expected", option, word(optarg, strlen(optarg)));
	*where = optarg;
}

static void
read_options(struct opt *o, struct plan *plan)
{
	int val;
	enum mode mode = SHELL;

	while ((val = opt_next(o)) != -1) {
		if (mode_of(val) != SHELL && mode != SHELL)
			tool_die(BADUSE, "two values to print at once: one of -n -a -l -T -2 --each --values --account --fingerprint was expected");
		if (mode_of(val) != SHELL)
			mode = mode_of(val);
		switch (val) {
		case 'f': only_once(&ask.file, "-f"); break;
		case 'c': set_once(&plan->cells, &nowhere, "-c", optarg); break;
		case 'b': set_once(&plan->base, &nowhere, "-b", optarg); break;
		case 'p': set_once(&plan->prefix, &nowhere, "-p", optarg); break;
		case 'x': add_to(&plan->skip, &plan->nskips, &nowhere, optarg); break;
		case 'k': set_once(&plan->per_task, &nowhere, "-k", optarg); break;
		case O_TEMPLATE: set_once(&plan->template, &nowhere, "--tag-template", optarg); break;
		case 'i': only_once(&ask.index, "-i"); break;
		case 'F': only_once(&ask.fingerprint, "-F"); break;
		case 'q': ask.quiet = 1; break;
		case O_EACH: case O_VALUES: ask.axis = optarg; break;
		case O_ACCOUNT:
			if (*optarg == '\0')
				tool_die(BADUSE, "--account '': a path with the tag or an axis was expected (an unset variable?)");
			ask.account = optarg;
			break;
		case 'w':
			ask.where = grow(ask.where, ask.nwhere, sizeof *ask.where);
			ask.where[ask.nwhere++] = optarg;
			break;
		case 'm':
			if (*optarg == '\0')
				tool_die(BADUSE, "-m '': a path with the tag or an axis was expected (an unset variable?)");
			ask.missing = grow(ask.missing, ask.nmissing, sizeof *ask.missing);
			ask.missing[ask.nmissing++] = optarg;
			break;
		case O_EXCEPT: only_once(&ask.except, "--except"); break;
		case O_MAX: only_once(&ask.max, "--max"); break;
		case O_RECORDS: only_once(&ask.records, "--records"); break;
		case 'H': ask.how = REC_HEADER; break;
		case O_JSON: ask.how = REC_JSON; break;
		default: break;
		}
	}
	if (o->command != NULL && mode != SHELL)
		tool_die(BADUSE, "a command and a value to print: one of the two was expected");
}

/* Refuses options that would be of no effect. */
static void
check_options(const struct opt *o, const struct plan *plan)
{
	int listing = ask.mode == COUNT || ask.mode == ARRAY || ask.mode == LIST;
	int task = ask.mode == SHELL || ask.mode == RUN || ask.mode == PRINT_TAG;
	uint64_t max;

	if (ask.file != NULL && o->n > 0)
		tool_die(BADUSE, "-f %s and %s: the axes are those of the file: none was expected beside it", ask.file,
		    word(o->operand[0], strlen(o->operand[0])));
	if (ask.file != NULL && (plan->nskips > 0 || plan->cells.s || plan->base.s || plan->prefix.s || plan->per_task.s || plan->template.s))
		tool_die(BADUSE, "-f %s: -b -c -k -p -x and --tag-template were expected as lines of the file, not beside it", ask.file);
	if (!listing && (ask.nwhere > 0 || ask.nmissing > 0 || ask.except != NULL))
		tool_die(BADUSE, "-w, -m and --except choose cells for -n, -a and -l: one of these was expected");
	if (ask.max != NULL && ask.mode != ARRAY && ask.mode != SMOKE && ask.mode != EACH)
		tool_die(BADUSE, "--max: -a, -2 or --each was expected with it");
	if (ask.max != NULL && (num_u64(ask.max, strlen(ask.max), UINT32_MAX, &max) != NUM_OK || max == 0))
		tool_die(BADUSE, "--max %s: a whole number from 1 was expected", word(ask.max, strlen(ask.max)));
	if (ask.records != NULL && ask.mode != ACCOUNT)
		tool_die(BADUSE, "--records: --account was expected with it");
	if (ask.how != REC_AUTO && ask.mode != LIST && ask.mode != ACCOUNT)
		tool_die(BADUSE, "-H and --json: -l or --account was expected with them");
	if (ask.index != NULL && !task)
		tool_die(BADUSE, "-i: it names a task, and no task is asked for");
	if (o->command != NULL && o->command[0] == NULL)
		tool_die(BADUSE, "no command behind --");
}

static int
answer(struct grid *g, char **command)
{
	switch (ask.mode) {
	case COUNT: case ARRAY: case LIST: return do_choice(g);
	case SMOKE: return do_smoke(g);
	case EACH: return do_each(g);
	case VALUES: return do_values(g);
	case ACCOUNT: return do_account(g);
	case FINGERPRINT:
		printf("%016" PRIx64 "\n", fingerprint(g));
		return YES;
	default: return do_task(g, command);
	}
}

int
main(int argc, char **argv)
{
	struct opt o = OPT_INIT(argc, argv, options, 1);
	struct plan plan;
	struct grid g;
	int i;

	tool_begin();
	find_mode(argc, argv);
	tool_on_failure(on_failure);
	memset(&plan, 0, sizeof plan);
	memset(&g, 0, sizeof g);
	read_options(&o, &plan);
	check_options(&o, &plan);
	for (i = 0; i < o.n; i++)
		add_to(&plan.word, &plan.nwords, &nowhere, o.operand[i]);
	if (ask.file != NULL)
		read_grid_file(&plan, ask.file);
	make_grid(&g, &plan);
	if (!ask.quiet)
		say_slurm_ranges(&g);
	if (ask.fingerprint != NULL)
		expect_fingerprint(&g);
	tool_done(answer(&g, o.command));
}
