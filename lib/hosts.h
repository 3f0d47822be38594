/* hosts.h - host lists as Slurm writes them: node[001-003,7],rack[0-1]_blade[0-1] */
#ifndef HOSTS_H
#define HOSTS_H

#include <stddef.h>
#include <stdio.h>

#define HOSTS_WHY 160
#define HOSTS_NAME 255	/* bytes of a name */

/* Calls f for every name of the n bytes at list, in the order of the list (of several brackets the last runs fastest), with
 * the name (not ended by NUL) and arg. 0, or -1 and a reason in `why`: a malformed list, more than `most` names, or f
 * returned other than 0. Names given before that are to be thrown away. Brackets may stand in brackets. */
int hosts_each(const char *list, size_t n, size_t most, int (*f)(const char *name, size_t n, void *arg), void *arg,
    char why[HOSTS_WHY]);

/* Whether the n bytes at s can be a host's name: letters, digits and . _ - only, not first a -, nor last a dot. */
int hosts_valid(const char *s, size_t n);

/* Prints n names as a list, short: numbers that follow each other as ranges, padding kept. Sorts name. */
void hosts_print(const char **name, size_t n, FILE *f);

#endif
