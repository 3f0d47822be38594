/* rec - records out: TAB, aligned on a terminal, or JSON lines
 *
 * On a terminal the first REC_HELD records are held to find the widths; later ones are printed in those, so that a
 * million rows need no memory. A column is as wide as its characters are many: no locale is asked for wider ones.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "esc.h"
#include "rec.h"
#include "tool.h"

#define REC_HELD 1000
#define REC_WIDE 60	/* a cell wider than this does not widen its column */

void
rec_begin(struct rec *r, FILE *f, enum rec_how how, const char *const *name, size_t n)
{
	size_t i;

	memset(r, 0, sizeof *r);
	r->f = f;
	r->how = how;
	r->screen = how != REC_JSON && isatty(fileno(f));
	r->name = name;
	r->n = n;
	for (i = 0; how == REC_HEADER && !r->screen && i < n; i++)
		fprintf(f, "%s%c", name[i], i + 1 < n ? '\t' : '\n');
}

static size_t
rec_width(const char *s)
{
	size_t w = 0;

	for (; *s != '\0'; s++)
		w += ((unsigned char)*s & 0xc0) != 0x80;
	return w;
}

static void
rec_cell(struct rec *r, const char *cell, size_t col)
{
	size_t w = rec_width(cell);

	fputs(cell, r->f);
	if (col + 1 == r->n)
		fputc('\n', r->f);
	else
		fprintf(r->f, "%*s", (int)(r->width[col] > w ? r->width[col] - w : 0) + 2, "");
}

/* Prints the held cells; the first time the widths are found, and the header goes before. */
static void
rec_show(struct rec *r)
{
	size_t i, w, first = r->width == NULL;

	if (first) {
		r->width = tool_realloc(NULL, r->n, sizeof *r->width);
		for (i = 0; i < r->n; i++)
			r->width[i] = rec_width(r->name[i]);
		for (i = 0; i < r->rows * r->n; i++) {
			w = rec_width(r->held[i]);
			if (w > r->width[i % r->n] && w <= REC_WIDE)
				r->width[i % r->n] = w;
		}
	}
	for (i = 0; first && i < r->n; i++)
		rec_cell(r, r->name[i], i);
	for (i = 0; i < r->rows * r->n; i++) {
		rec_cell(r, r->held[i], i % r->n);
		free(r->held[i]);
	}
	free(r->held);
	r->held = NULL;
	r->rows = 0;
}

/* One field: quoted says whether JSON has it as a string; NULL is nothing. */
static void
rec_field(struct rec *r, const char *s, size_t n, int quoted)
{
	size_t col = r->at++, len;
	char **held;
	FILE *cell;

	r->at %= r->n;
	if (s == NULL || n == 0) {
		s = r->how == REC_JSON ? "null" : "-";
		n = strlen(s);
		quoted = 0;
	}
	if (r->screen) {
		if (col == 0 && r->rows == REC_HELD)
			rec_show(r);
		if (col == 0)
			r->held = tool_realloc(r->held, ++r->rows * r->n, sizeof *r->held);
		held = &r->held[(r->rows - 1) * r->n + col];
		cell = tool_text(held, &len);
		esc_put(cell, s, n, ESC_SCREEN);
		tool_text_end(cell, held);
		return;
	}
	if (r->how == REC_JSON) {
		fprintf(r->f, "%s\"%s\":", col == 0 ? "{" : ",", r->name[col]);
		if (quoted)
			fputc('"', r->f);
		esc_put(r->f, s, n, ESC_JSON);
		if (quoted)
			fputc('"', r->f);
	} else
		esc_put(r->f, s, n, ESC_FIELD);
	if (r->at == 0)
		fputs(r->how == REC_JSON ? "}\n" : "\n", r->f);
	else if (r->how != REC_JSON)
		fputc('\t', r->f);
}

void
rec_text(struct rec *r, const char *s, size_t n)
{
	rec_field(r, s, n, 1);
}

void
rec_word(struct rec *r, const char *s)
{
	rec_field(r, s, strcmp(s, "-") == 0 ? 0 : strlen(s), 1);
}

void
rec_number(struct rec *r, uint64_t v)
{
	char buf[24];

	rec_field(r, buf, (size_t)snprintf(buf, sizeof buf, "%" PRIu64, v), 0);
}

void
rec_real(struct rec *r, const char *fmt, double v)
{
	char buf[64];

	rec_field(r, buf, v < 0 ? 0 : (size_t)snprintf(buf, sizeof buf, fmt, v), 1);
}

void
rec_none(struct rec *r)
{
	rec_field(r, NULL, 0, 0);
}

void
rec_finish(struct rec *r)
{
	if (r->screen && r->rows > 0)
		rec_show(r);
	free(r->width);
	r->width = NULL;
}
