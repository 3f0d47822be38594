/* shq.h - a word quoted for a POSIX shell */
#ifndef SHQ_H
#define SHQ_H

#include <stddef.h>
#include <stdio.h>

/* Writes the n bytes at s (no NUL among them) to f as one single-quoted shell word that any POSIX shell, bash and
 * zsh read back byte for byte. */
void shq_put(FILE *f, const char *s, size_t n);

#endif
