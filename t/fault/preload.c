/* preload - makes the n-th call of one kind fail, by LD_PRELOAD; for glibc
 *
 * FAULT_STATE names a file, mapped here and by drive.c, that says which call and counts them all. A process and what it forks
 * count together, so that exactly one call fails; a program that is exec'ed sees nothing of this.
 * stdin, stdout and files opened as FILE go through read and write here too: libc's own calls cannot be caught.
 * SPDX-License-Identifier: 0BSD */
#define _GNU_SOURCE

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fault.h"

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

extern char **environ;

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static struct fault *state;

/* Whether this call is the one to fail; then errno is set. */
static int
fails(enum fault_call call)
{
	if (state == NULL || __sync_add_and_fetch(&state->calls[call], 1) != state->at || (int)call != state->call)
		return 0;
	state->fired = 1;
	errno = state->error;
	return 1;
}

/* Takes the variable out of the environment, without memory; its value. */
static char *
take(const char *name)
{
	size_t n = strlen(name);
	char **e, *value = NULL;

	for (e = environ; e != NULL && *e != NULL; e++)
		if (strncmp(*e, name, n) == 0 && (*e)[n] == '=') {
			value = *e + n + 1;
			break;
		}
	for (; e != NULL && *e != NULL; e++)
		e[0] = e[1];
	return value;
}

void *
malloc(size_t n)
{
	return fails(FAULT_MALLOC) ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return fails(FAULT_MALLOC) ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *old, size_t n)
{
	return fails(FAULT_MALLOC) ? NULL : __libc_realloc(old, n);
}

static size_t
shortened(size_t n)
{
	return state != NULL && state->shorten && n > 1 ? 1 : n;
}

ssize_t
read(int fd, void *buf, size_t n)
{
	return fails(FAULT_READ) ? -1 : syscall(SYS_read, fd, buf, shortened(n));
}

ssize_t
write(int fd, const void *buf, size_t n)
{
	return fails(FAULT_WRITE) ? -1 : syscall(SYS_write, fd, buf, shortened(n));
}

ssize_t
pread64(int fd, void *buf, size_t n, off64_t at)
{
	return fails(FAULT_READ) ? -1 : REAL(pread64)(fd, buf, shortened(n), at);
}

ssize_t
recv(int fd, void *buf, size_t n, int flags)
{
	return fails(FAULT_READ) ? -1 : REAL(recv)(fd, buf, n, flags);
}

ssize_t
send(int fd, const void *buf, size_t n, int flags)
{
	return fails(FAULT_WRITE) ? -1 : REAL(send)(fd, buf, n, flags);
}

static int
really_open(const char *path, int flags, va_list ap)
{
	mode_t mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;

	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int
open(const char *path, int flags, ...)
{
	va_list ap;
	int fd;

	if (fails(FAULT_OPEN))
		return -1;
	va_start(ap, flags);
	fd = really_open(path, flags, ap);
	va_end(ap);
	return fd;
}

int
open64(const char *path, int flags, ...)
{
	va_list ap;
	int fd;

	if (fails(FAULT_OPEN))
		return -1;
	va_start(ap, flags);
	fd = really_open(path, flags, ap);
	va_end(ap);
	return fd;
}

DIR *
opendir(const char *path)
{
	return fails(FAULT_OPEN) ? NULL : REAL(opendir)(path);
}

struct dirent64 *
readdir64(DIR *d)
{
	return fails(FAULT_READDIR) ? NULL : REAL(readdir64)(d);
}

int
close(int fd)
{
	int got = (int)syscall(SYS_close, fd);

	return fails(FAULT_CLOSE) ? -1 : got;	/* it is closed all the same, as Linux has it */
}

int
dup(int fd)
{
	return fails(FAULT_DUP) ? -1 : (int)syscall(SYS_dup, fd);
}

int
dup2(int fd, int to)
{
	return fails(FAULT_DUP) ? -1 : REAL(dup2)(fd, to);
}

pid_t
fork(void)
{
	return fails(FAULT_FORK) ? -1 : REAL(fork)();
}

int
pipe(int fd[2])
{
	return fails(FAULT_PIPE) ? -1 : (int)syscall(SYS_pipe2, fd, 0);
}

int
socketpair(int domain, int type, int protocol, int fd[2])
{
	return fails(FAULT_PIPE) ? -1 : REAL(socketpair)(domain, type, protocol, fd);
}

int
clock_gettime(clockid_t id, struct timespec *ts)
{
	return fails(FAULT_CLOCK) ? -1 : (int)syscall(SYS_clock_gettime, id, ts);
}

time_t
time(time_t *t)
{
	return fails(FAULT_CLOCK) ? (time_t)-1 : REAL(time)(t);
}

int
stat64(const char *path, struct stat64 *st)
{
	return fails(FAULT_STAT) ? -1 : REAL(stat64)(path, st);
}

int
lstat64(const char *path, struct stat64 *st)
{
	return fails(FAULT_STAT) ? -1 : REAL(lstat64)(path, st);
}

int
fstat64(int fd, struct stat64 *st)
{
	return fails(FAULT_STAT) ? -1 : REAL(fstat64)(fd, st);
}

int
poll(struct pollfd *p, nfds_t n, int ms)
{
	return fails(FAULT_POLL) ? -1 : REAL(poll)(p, n, ms);
}

int
nanosleep(const struct timespec *want, struct timespec *left)
{
	if (fails(FAULT_SLEEP)) {
		if (left != NULL)
			*left = *want;
		return -1;
	}
	return REAL(nanosleep)(want, left);
}

pid_t
waitpid(pid_t pid, int *status, int options)
{
	return fails(FAULT_WAIT) ? -1 : REAL(waitpid)(pid, status, options);
}

/* --- FILE --- */

#define FILES 64

static FILE *file[FILES];	/* by descriptor */

static ssize_t
take_in(void *cookie, char *buf, size_t n)
{
	return read((int)(size_t)cookie, buf, n);
}

static ssize_t
put_out(void *cookie, const char *buf, size_t n)
{
	size_t done;
	ssize_t w;

	for (done = 0; done < n; done += (size_t)w)
		if ((w = write((int)(size_t)cookie, buf + done, n - done)) <= 0)
			return done > 0 ? (ssize_t)done : 0;	/* 0 is what fopencookie takes for an error */
	return (ssize_t)n;
}

static int
end(void *cookie)
{
	return close((int)(size_t)cookie);
}

static FILE *
cookie(int fd, const char *mode)
{
	cookie_io_functions_t io = { take_in, put_out, NULL, end };
	FILE *f = fopencookie((void *)(size_t)fd, mode, io);

	if (f != NULL && fd < FILES)
		file[fd] = f;
	return f;
}

FILE *
fopen64(const char *path, const char *mode)
{
	FILE *f;
	int fd;

	if (*mode != 'r')
		return REAL(fopen64)(path, mode);
	if ((fd = open(path, O_RDONLY | (strchr(mode, 'e') != NULL ? O_CLOEXEC : 0))) == -1)
		return NULL;
	if ((f = cookie(fd, "r")) == NULL)
		syscall(SYS_close, fd);
	return f;
}

int
fileno(FILE *f)
{
	int fd;

	for (fd = 0; fd < FILES; fd++)
		if (file[fd] == f)
			return fd;
	return REAL(fileno)(f);
}

static __attribute__((constructor)) void
begin(void)
{
	const char *path = take("FAULT_STATE");
	void *at = MAP_FAILED;
	int fd = -1;

	take("LD_PRELOAD");
	if (path != NULL)
		fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
	if (fd == -1)
		return;
	at = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	syscall(SYS_close, fd);
	if (at == MAP_FAILED)
		return;
	if (fcntl(0, F_GETFD) != -1)
		stdin = cookie(0, "r");
	if (fcntl(1, F_GETFD) != -1)
		stdout = cookie(1, "w");
	state = at;
}
