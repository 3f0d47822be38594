/* fuzz.h - what the targets of t/fuzz have in common
 *
 * A target is one file. It includes the tool's source with `main` renamed, or calls lib, and defines
 * LLVMFuzzerTestOneInput. Its comment may say `seeds: FILES` and `words: …`, which t/fuzz/run reads.
 * Whatever the tool did to its static data, its memory, its files and stdout is undone after each run (fuzz.c). It starts no
 * process, sends no signal, opens nothing outside the directory it runs in, and its clock runs on by itself.
 * SPDX-License-Identifier: 0BSD */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Runs the function as a program of these words (the last is NULL, the first its name): its status. */
int fuzz_run(int (*program)(int, char **), char **argv);

/* Runs the function, which may end the program: 0 where it returned, else 1 + the status. For direct calls. */
int fuzz_call(void (*f)(const uint8_t *data, size_t size), const uint8_t *data, size_t size);

/* What the last run wrote to stdout: ended by a NUL that is not counted. */
extern char *fuzz_out;
extern size_t fuzz_nout;

/* Writes the bytes to a file; its name, to be read by fuzz_run. There are four, 0 to 3. */
char *fuzz_file(int which, const void *data, size_t n);

/* The bytes as a text ended by NUL, in a buffer of just that size: free it. Within fuzz_run it is freed at the end. */
char *fuzz_text(const uint8_t *data, size_t n);

/* Ends with a finding unless it is true. */
void fuzz_must(int is, const char *what);

/* Ends with a finding unless stdout is records of `columns` fields: none empty, no control bytes. */
void fuzz_records(int columns);

#endif
