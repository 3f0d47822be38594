/* tool - how a tool speaks on stderr and how it ends
 *
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "esc.h"
#include "tool.h"

static int (*tool_failing)(int);
static char tool_buffer[65536];

void
tool_begin(void)
{
	int fd;

	for (fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) != -1 || errno != EBADF)
			continue;
		/* opened the wrong way round: reading 0 and writing 1 fail with EBADF, as if still closed */
		if (open("/dev/null", (fd == 0 ? O_WRONLY : O_RDONLY) | O_CLOEXEC) != fd)
			_exit(TROUBLE);
	}
	/* musl's own buffer is small, and what error it met is known no more at the end */
	if (!isatty(1))
		setvbuf(stdout, tool_buffer, _IOFBF, sizeof tool_buffer);
}

static void
tool_write(const char *s, size_t n)
{
	ssize_t w;

	while (n > 0) {
		w = write(2, s, n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return;	/* nobody to tell */
		s += w;
		n -= (size_t)w;
	}
}

static void
tool_say(const char *fmt, va_list ap)
{
	const char *why = strerror(errno);
	char *line = NULL, *text = NULL;
	size_t len, n = 0;
	va_list again;
	FILE *f;
	int need;

	va_copy(again, ap);
	need = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (need < 0 || (text = malloc((size_t)need + 1)) == NULL || (f = open_memstream(&line, &n)) == NULL) {
		tool_write("no memory for a message\n", 24);
		free(text);
		return;
	}
	vsnprintf(text, (size_t)need + 1, fmt, ap);
	len = strlen(text);
	fprintf(f, "%.*s: ", (int)strcspn(help, " "), help);
	esc_put(f, text, len, ESC_MESSAGE);
	if (*fmt != '\0' && fmt[strlen(fmt) - 1] == ':')
		fprintf(f, " %s", why);
	fputc('\n', f);
	if (fclose(f) == 0 && line != NULL)
		tool_write(line, n);
	else
		tool_write("no memory for a message\n", 24);
	free(line);
	free(text);
}

void
tool_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tool_say(fmt, ap);
	va_end(ap);
}

void
tool_on_failure(int (*f)(int))
{
	tool_failing = f;
}

static void TOOL_NORETURN
tool_fail(int status)
{
	int (*f)(int) = tool_failing;

	tool_failing = NULL;
	if (f != NULL)
		status = f(status);
	exit(status);
}

void
tool_die(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tool_say(fmt, ap);
	va_end(ap);
	tool_fail(status);
}

void
tool_done(int status)
{
	int fd;

	/* NFS admits a failed write when the file is closed: close a copy and look. A write that failed earlier has
	 * left its mark in ferror(), but not its errno. */
	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout) || (fd = dup(1)) == -1 || close(fd) != 0) {
		if (errno == 0)
			errno = EIO;
		tool_die(TROUBLE, "the output was lost: stdout:");
	}
	exit(status);
}

void *
tool_realloc(void *old, size_t n, size_t size)
{
	void *p = NULL;

	if (size == 0 || n <= SIZE_MAX / size)
		p = realloc(old, n * size > 0 ? n * size : 1);
	if (p == NULL)
		tool_die(TROUBLE, "no memory for %zu times %zu bytes", n, size);
	return p;
}

void *
tool_grown(void *list, size_t n, size_t *room, size_t size)
{
	if (n < *room)
		return list;
	*room = *room > 0 ? 2 * *room : 64;
	return tool_realloc(list, *room, size);
}

char *
tool_copy(const char *s, size_t n)
{
	char *to = tool_realloc(NULL, n + 1, 1);

	if (n > 0)
		memcpy(to, s, n);
	to[n] = '\0';
	return to;
}

FILE *
tool_text(char **s, size_t *n)
{
	FILE *f;

	*s = NULL;
	f = open_memstream(s, n);
	if (f == NULL)
		tool_die(TROUBLE, "no memory for a text");
	errno = 0;
	return f;
}

void
tool_text_end(FILE *f, char *const *s)
{
	/* glibc drops what found no room and says so by errno alone: not by ferror, nor by fclose */
	int lost = errno == ENOMEM || ferror(f);

	if (fclose(f) != 0 || lost || *s == NULL)
		tool_die(TROUBLE, "no memory for a text");
}

void
tool_add(struct tool_words *w, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(w->s + w->n, sizeof w->s - w->n, fmt, ap);
	va_end(ap);
	if (n > 0)
		w->n = w->n + (size_t)n < sizeof w->s ? w->n + (size_t)n : sizeof w->s - 1;
}

int
tool_misnamed(void)
{
	return errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == EISDIR || errno == ELOOP || errno == ENAMETOOLONG;
}

const char *
tool_input(const char *file)
{
	return file == NULL || strcmp(file, "-") == 0 ? "stdin" : file;
}

int
tool_open(const char *file)
{
	int fd;

	if (file == NULL || strcmp(file, "-") == 0)
		return 0;
	fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd == -1)
		tool_die(tool_misnamed() ? BADUSE : TROUBLE, "%s:", file);
	return fd;
}

const char *
tool_word(char buf[TOOL_WORD], const char *s, size_t n)
{
	size_t most = 60, cut = n;

	if (n > most) {
		cut = most;
		while (cut > most - 4 && ((unsigned char)s[cut] & 0xc0) == 0x80)
			cut--;	/* not inside a character */
	}
	snprintf(buf, TOOL_WORD, "'%.*s%s'", (int)cut, s, cut < n ? "..." : "");
	return buf;
}

const char *
tool_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}
