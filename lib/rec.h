/* rec.h - records out: TAB, aligned on a terminal, or JSON lines */
#ifndef REC_H
#define REC_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum rec_how {
	REC_AUTO,	/* aligned with a header on a terminal, else TAB without one */
	REC_HEADER,	/* TAB with a header (aligned on a terminal all the same) */
	REC_JSON	/* one object a line */
};

struct rec {
	FILE *f;
	enum rec_how how;
	int screen;			/* f is a terminal: records are held to be aligned */
	const char *const *name;	/* the columns; the caller keeps them */
	size_t n, at, rows;
	char **held;			/* screen: n cells a row, escaped, ours to free, */
	size_t *width;			/* and the widths, once they are known */
};

/* Begins records of n columns on f. */
void rec_begin(struct rec *r, FILE *f, enum rec_how how, const char *const *name, size_t n);

/* The next field: text (an empty one is `-`, JSON null), a number, one of 0 or more by printf's fmt (below 0 it is nothing; to
 * JSON it is a text), or nothing (`-`, null). */
void rec_text(struct rec *r, const char *s, size_t n);
void rec_word(struct rec *r, const char *s);	/* ended by a NUL; `-` is nothing too */
void rec_number(struct rec *r, uint64_t v);
void rec_real(struct rec *r, const char *fmt, double v);
void rec_none(struct rec *r);

/* Prints what is held. Errors stay in f. Every record must be whole. */
void rec_finish(struct rec *r);

#endif
