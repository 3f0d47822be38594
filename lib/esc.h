/* esc.h - bytes from outside, made harmless for a record, a terminal or JSON */
#ifndef ESC_H
#define ESC_H

#include <stddef.h>
#include <stdio.h>

enum esc_how {
	ESC_FIELD,	/* a field of a TAB record: \t \n \\ and \xNN for other control bytes */
	ESC_SCREEN,	/* the same, and \xNN for what is not well-formed UTF-8, a C1 control, or turns the writing about */
	ESC_MESSAGE,	/* as ESC_SCREEN, but a backslash stays one: text for people only */
	ESC_JSON	/* inside a JSON string; what is not UTF-8 becomes U+FFFD */
};

/* Writes the n bytes at s to f. Errors stay in f for ferror(). */
void esc_put(FILE *f, const char *s, size_t n, enum esc_how how);

/* Undoes ESC_FIELD in place. Returns the new length, or (size_t)-1 where a backslash starts no known escape
 * (\t \n \\ \xNN) or would make a NUL byte. */
size_t esc_undo(char *s, size_t n);

/* Bytes of the well-formed UTF-8 character at s (1 to 4), 0 where there is none within n bytes (Unicode 15, table 3-7). */
size_t esc_utf8(const char *s, size_t n);

/* The value of a hexadecimal digit, -1 where c is none. */
int esc_hex(char c);

#endif
