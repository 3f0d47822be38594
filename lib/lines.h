/* lines.h - a file of text, line by line */
#ifndef LINES_H
#define LINES_H

#include <stddef.h>
#include <stdio.h>

struct lines {
	const char *name;	/* of the file, for messages */
	char *s;		/* the line without its end, LF or CRLF, and the first without a byte order mark: valid until the next call */
	size_t n;		/* its number, from 1 */
	/* private */
	FILE *f;
	size_t room;
};

/* Opens a file, `-` is stdin. Ends the program where it cannot, as tool_open. */
void lines_open(struct lines *l, const char *file);

/* The next line: 1; 0 at the end, where all is closed and freed. Ends the program: BADUSE for a NUL byte, and for a last line
 * without an end; TROUBLE where there is no memory, or it cannot be read. */
int lines_next(struct lines *l);

/* Cuts s into fields at each `delim` (at runs of blanks where that is a blank): how many, at most `most` of them kept. */
size_t lines_cut(char *s, char delim, char **field, size_t most);

#endif
