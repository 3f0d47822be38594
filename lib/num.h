/* num.h - numbers as people write them, whole and in range, or refused */
#ifndef NUM_H
#define NUM_H

#include <stddef.h>
#include <stdint.h>

enum { NUM_OK, NUM_BAD, NUM_BIG };

/* The n bytes at s as a decimal number of digits only (`08` is 8; no sign, no blank): NUM_OK and *v, NUM_BAD where
 * they are none, NUM_BIG where the number is above max (*v is then max). */
int num_u64(const char *s, size_t n, uint64_t max, uint64_t *v);

/* The word s as a size in bytes: digits, with or without decimals (79.6G), and one of K M G T, binary, an `iB` or
 * `B` behind it allowed. NUM_BAD for a bare number other than 0: it would be bytes to one and MiB to another. */
int num_size(const char *s, uint64_t *bytes);

/* Bytes (0 or more) as Slurm writes sizes, with at most two decimals: 6G, 34.56G, 512M, 0.5K. Returns buf. */
#define NUM_TEXT 32
const char *num_show(double bytes, char buf[NUM_TEXT]);

#endif
