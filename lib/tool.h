/* tool.h - how a tool speaks on stderr and how it ends; no other file ends a program */
#ifndef TOOL_H
#define TOOL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The statuses of the kit. A script may go on after YES, act on NO, never retry BADUSE, retry TROUBLE. */
enum {
	YES = 0,	/* yes; done; the report or the value was printed */
	NO = 1,		/* a true answer: refused, can never come true, no such value */
	BADUSE = 2,	/* called wrong, or input that is not what it claims to be */
	TROUBLE = 3,	/* could not find out */
	TIMEUP = 124,	/* time is up */
	OWNFAULT = 125,	/* a tool that becomes a command failed before it could */
	CANNOTRUN = 126,/* the command cannot be run */
	NOTFOUND = 127	/* the command is not found */
};

#ifdef __GNUC__
#define TOOL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define TOOL_NORETURN __attribute__((noreturn))
#else
#define TOOL_PRINTF(fmt, args)
#define TOOL_NORETURN
#endif

/* Each tool defines it: the text of -h. Its first word is the tool's name. */
extern const char help[];

/* To be called first. Where descriptor 0, 1 or 2 is closed, something that fails is put there, so that no file
 * opened later takes its number and no lost output goes unnoticed. A command that is exec'ed sees it closed again. */
void tool_begin(void);

/* One line on stderr, `tool: message`, in one write. Control bytes and broken UTF-8 in it are escaped.
 * Where fmt ends in a colon, strerror(errno) stands behind it. */
void tool_warn(const char *fmt, ...) TOOL_PRINTF(1, 2);

/* tool_warn, then the end with `status`, or with what the function given to tool_on_failure makes of it. */
void tool_die(int status, const char *fmt, ...) TOOL_PRINTF(2, 3) TOOL_NORETURN;

/* Ends with `status`, unless stdout could not be written in full: then as tool_die(TROUBLE). */
void tool_done(int status) TOOL_NORETURN;

/* `f` is asked once when the program ends by tool_die: it may print, and returns the status to end with. */
void tool_on_failure(int (*f)(int status));

/* realloc(old, n * size) that ends the program (TROUBLE) where there is no memory. The caller frees it. */
void *tool_realloc(void *old, size_t n, size_t size);

/* A list of elements of `size` bytes with room for one more than n; *room is how many fit, 0 for NULL. */
void *tool_grown(void *list, size_t n, size_t *room, size_t size);

/* A copy of the n bytes at s, ended by a NUL. The caller frees it. */
char *tool_copy(const char *s, size_t n);

/* A text in memory to write to: its bytes in *s (the caller frees them) and *n once tool_text_end has closed it. Both end the
 * program (TROUBLE) where there is no memory; between them nothing but writing may set errno to ENOMEM. */
FILE *tool_text(char **s, size_t *n);
void tool_text_end(FILE *f, char *const *s);

/* A short text that words are added to, by printf's rules; what finds no room is left out. */
struct tool_words {
	char s[512];	/* ended by a NUL */
	size_t n;
};
void tool_add(struct tool_words *w, const char *fmt, ...) TOOL_PRINTF(2, 3);

/* Whether errno says that a file is not there, is none, or may not be read: it was named wrong. Any other failure may pass. */
int tool_misnamed(void);

/* Opens a file to read text from; 0, stdin, for NULL and `-`. Ends the program where it cannot: BADUSE where the file was
 * named wrong, else TROUBLE. The caller closes it, unless it is 0. */
int tool_open(const char *file);

/* What a message calls it: its name, or stdin. */
const char *tool_input(const char *file);

/* `s` (n bytes) as a word to quote in a message: 'like this', shortened with ... past some 60 bytes, in buf. */
#define TOOL_WORD 80
const char *tool_word(char buf[TOOL_WORD], const char *s, size_t n);

/* The s of `runs`; nothing where n is 1. */
const char *tool_plural(uint64_t n);

#endif
