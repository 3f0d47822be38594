/* preload - makes the n-th call of one kind fail, by LD_PRELOAD; for glibc
 *
 * FAULT is `STATE CONTROL`, two descriptors. STATE is mapped here and by drive.c: it says which call, and counts them all.
 * For each byte from CONTROL a copy of the program, loaded but not begun, becomes a child of drive and runs: much cheaper
 * than to load it each time. A process and what it forks count together, so that exactly one call fails; a program that
 * is exec'ed sees nothing of this.
 * stdin, stdout and files opened as FILE go through read and write here too: libc's own calls cannot be caught.
 * SPDX-License-Identifier: 0BSD */
#define _GNU_SOURCE

#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <netdb.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
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

int
fcntl64(int fd, int what, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, what);
	arg = va_arg(ap, void *);
	va_end(ap);
	return fails(FAULT_FCNTL) ? -1 : (int)syscall(SYS_fcntl, fd, what, arg);
}

int
execv(const char *path, char *const argv[])
{
	return fails(FAULT_EXEC) ? -1 : REAL(execv)(path, argv);
}

int
execvp(const char *path, char *const argv[])
{
	return fails(FAULT_EXEC) ? -1 : REAL(execvp)(path, argv);
}

int
sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	return fails(FAULT_SIGNAL) ? -1 : REAL(sigaction)(sig, act, old);
}

int
sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	return fails(FAULT_SIGNAL) ? -1 : REAL(sigprocmask)(how, set, old);
}

int
kill(pid_t pid, int sig)
{
	return fails(FAULT_KILL) ? -1 : (int)syscall(SYS_kill, pid, sig);
}

pid_t
setsid(void)
{
	return fails(FAULT_GROUP) ? -1 : (pid_t)syscall(SYS_setsid);
}

int
setpgid(pid_t pid, pid_t group)
{
	return fails(FAULT_GROUP) ? -1 : (int)syscall(SYS_setpgid, pid, group);
}

int
prctl(int what, ...)
{
	long a[4];
	va_list ap;
	int i;

	va_start(ap, what);
	for (i = 0; i < 4; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	return fails(FAULT_GROUP) ? -1 : (int)syscall(SYS_prctl, what, a[0], a[1], a[2], a[3]);
}

int
inotify_init1(int flags)
{
	return fails(FAULT_HINT) ? -1 : REAL(inotify_init1)(flags);
}

int
inotify_add_watch(int fd, const char *path, uint32_t mask)
{
	return fails(FAULT_HINT) ? -1 : REAL(inotify_add_watch)(fd, path, mask);
}

int
socket(int domain, int type, int protocol)
{
	return fails(FAULT_SOCKET) ? -1 : REAL(socket)(domain, type, protocol);
}

int
connect(int fd, const struct sockaddr *a, socklen_t n)
{
	return fails(FAULT_SOCKET) ? -1 : REAL(connect)(fd, a, n);
}

int
getaddrinfo(const char *host, const char *port, const struct addrinfo *how, struct addrinfo **found)
{
	return fails(FAULT_SOCKET) ? EAI_SYSTEM : REAL(getaddrinfo)(host, port, how, found);
}

int
mkstemp64(char *name)
{
	return fails(FAULT_OPEN) ? -1 : REAL(mkstemp64)(name);
}

ssize_t
readlink(const char *path, char *buf, size_t n)
{
	return fails(FAULT_STAT) ? -1 : REAL(readlink)(path, buf, n);
}

int
glob64(const char *pattern, int flags, int (*bad)(const char *, int), glob64_t *g)
{
	return fails(FAULT_MALLOC) ? GLOB_NOSPACE : REAL(glob64)(pattern, flags, bad, g);
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

/* --- the copies --- */

static void
become_poor(const struct fault_poor *p)
{
	static char large[65536];
	struct rlimit files;
	int fd = p->full ? (int)syscall(SYS_openat, AT_FDCWD, "/dev/full", O_WRONLY, 0) : -1;

	if (p->full && syscall(SYS_dup3, fd, 1, 0) == -1)
		_exit(99);
	if (fd != -1)
		syscall(SYS_close, fd);
	files.rlim_cur = files.rlim_max = (rlim_t)p->files;
	if (p->files != 0 && setrlimit(RLIMIT_NOFILE, &files) != 0)
		_exit(99);
	memset(large, 'x', p->environ == 1 ? sizeof large - 1 : 0);
	if (p->environ == 1)
		setenv("LARGE", large, 1);
	if (p->environ == -1)
		clearenv();
	if (p->environ == -2)
		unsetenv("PATH");
	for (fd = 0; fd < 3; fd++)
		if (p->closed & 1 << fd)
			syscall(SYS_close, fd);
}

static __attribute__((constructor)) void
begin(void)
{
	const char *given = take("FAULT");
	struct fault *shared;
	int fd, control;
	pid_t pid;
	char go;

	take("LD_PRELOAD");
	take("LD_BIND_NOW");
	if (given == NULL || sscanf(given, "%d %d", &fd, &control) != 2)
		return;
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	syscall(SYS_close, fd);
	if (shared == MAP_FAILED)
		_exit(99);
	do {
		if (syscall(SYS_read, control, &go, (size_t)1) != 1)
			_exit(0);
		pid = (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
		if (pid != 0 && syscall(SYS_write, control, &pid, sizeof pid) != (long)sizeof pid)
			_exit(99);
	} while (pid != 0);
	syscall(SYS_close, control);
	syscall(SYS_setpgid, 0, 0);
	become_poor(&shared->poor);
	if (syscall(SYS_fcntl, 0, F_GETFD) != -1)
		stdin = cookie(0, "r");
	if (syscall(SYS_fcntl, 1, F_GETFD) != -1)
		stdout = cookie(1, "w");
	state = shared;
}
