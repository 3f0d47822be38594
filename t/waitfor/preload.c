/* preload - what a test cannot bring about otherwise, by LD_PRELOAD
 *
 * T_SPEED=N         CLOCK_MONOTONIC runs N times as fast, and poll sleeps for an Nth of what it is told
 * T_WALL=1          the wall clock jumps a day back and forth at every look at it
 * T_EINTR=1         every other call that can be interrupted is, by EINTR
 * T_HANGS=PATH      stat, lstat and open of PATH never return
 * T_STALE=PATH      PATH, and what is in it, is missing until a directory was opened after it came to be, as NFS clients have it
 * T_NOISE=1         an inotify descriptor always has one more event
 * T_NAME=HOST       HOST resolves to the addresses in T_ADDRESSES (blank-separated, in that order), once T_FILE exists; where
 *                   these are "never", no answer comes
 * SPDX-License-Identifier: 0BSD */
#define _GNU_SOURCE

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int
interrupted(void)
{
	static unsigned int calls;

	if (getenv("T_EINTR") == NULL || ++calls % 2 != 0)
		return 0;
	errno = EINTR;
	return 1;
}

static long
speed(void)
{
	const char *s = getenv("T_SPEED");

	return s != NULL ? strtol(s, NULL, 10) : 1;
}

int
clock_gettime(clockid_t id, struct timespec *ts)
{
	static struct timespec first;
	static int jump;
	long long ns;
	int rc = (int)syscall(SYS_clock_gettime, id, ts);

	if (id == CLOCK_MONOTONIC && speed() > 1) {
		if (first.tv_sec == 0)
			first = *ts;
		ns = ((long long)(ts->tv_sec - first.tv_sec) * 1000000000 + ts->tv_nsec - first.tv_nsec) * speed();
		ns += first.tv_nsec;
		ts->tv_sec = first.tv_sec + (time_t)(ns / 1000000000);
		ts->tv_nsec = (long)(ns % 1000000000);
	}
	if (id == CLOCK_REALTIME && getenv("T_WALL") != NULL)
		ts->tv_sec += jump++ % 2 ? 86400 : -86400;
	return rc;
}

time_t
time(time_t *t)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	if (t != NULL)
		*t = ts.tv_sec;
	return ts.tv_sec;
}

int
gettimeofday(struct timeval *tv, void *tz)
{
	struct timespec ts;

	(void)tz;
	clock_gettime(CLOCK_REALTIME, &ts);
	tv->tv_sec = ts.tv_sec;
	tv->tv_usec = ts.tv_nsec / 1000;
	return 0;
}

int
poll(struct pollfd *p, nfds_t n, int ms)
{
	struct timespec ts;
	long long ns;

	if (interrupted())
		return -1;
	if (speed() == 1 || ms <= 0)
		return REAL(poll)(p, n, ms);
	ns = (long long)ms * 1000000 / speed();
	ts.tv_sec = (time_t)(ns / 1000000000);
	ts.tv_nsec = (long)(ns % 1000000000);
	return ppoll(p, n, &ts, NULL);
}

ssize_t
read(int fd, void *buf, size_t n)
{
	char name[40], what[40];
	ssize_t len;

	if (interrupted())
		return -1;
	if (getenv("T_NOISE") != NULL) {
		snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
		len = readlink(name, what, sizeof what - 1);
		if (len > 0 && memmem(what, (size_t)len, "inotify", 7) != NULL) {
			memset(buf, 0, 32);
			return 32;
		}
	}
	return REAL(read)(fd, buf, n);
}

ssize_t
pread64(int fd, void *buf, size_t n, off64_t at)
{
	return interrupted() ? -1 : REAL(pread64)(fd, buf, n, at);
}

ssize_t
recv(int fd, void *buf, size_t n, int flags)
{
	return interrupted() ? -1 : REAL(recv)(fd, buf, n, flags);
}

ssize_t
send(int fd, const void *buf, size_t n, int flags)
{
	return interrupted() ? -1 : REAL(send)(fd, buf, n, flags);
}

pid_t
waitpid(pid_t pid, int *status, int flags)
{
	return interrupted() ? -1 : REAL(waitpid)(pid, status, flags);
}

static void
hang(const char *path)
{
	const char *at = getenv("T_HANGS");

	while (at != NULL && path != NULL && strcmp(path, at) == 0)
		REAL(poll)(NULL, 0, -1);
}

static int opened;

static int
stale(const char *path)
{
	const char *at = getenv("T_STALE");
	size_t n = at != NULL ? strlen(at) : 0;

	if (opened || n == 0 || strncmp(path, at, n) != 0 || (path[n] != '\0' && path[n] != '/'))
		return 0;
	errno = ENOENT;
	return 1;
}

DIR *
opendir(const char *path)
{
	const char *at = getenv("T_STALE");

	if (stale(path))
		return NULL;
	if (at != NULL && access(at, F_OK) == 0)
		opened = 1;
	return REAL(opendir)(path);
}

int
stat64(const char *path, struct stat64 *st)
{
	hang(path);
	return stale(path) ? -1 : fstatat64(AT_FDCWD, path, st, 0);
}

int
lstat64(const char *path, struct stat64 *st)
{
	hang(path);
	return fstatat64(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

int
open64(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	if (flags & O_CREAT) {
		va_start(ap, flags);
		mode = (mode_t)va_arg(ap, int);
		va_end(ap);
	}
	hang(path);
	return openat64(AT_FDCWD, path, flags, mode);
}

int
getaddrinfo(const char *host, const char *port, const struct addrinfo *hint, struct addrinfo **found)
{
	struct addrinfo **end = found;
	char list[1000], *word, *rest = list;

	if (getenv("T_NAME") == NULL || host == NULL || strcmp(host, getenv("T_NAME")) != 0)
		return REAL(getaddrinfo)(host, port, hint, found);
	if (getenv("T_FILE") != NULL && access(getenv("T_FILE"), F_OK) != 0)
		return EAI_NONAME;
	*found = NULL;
	while (strcmp(getenv("T_ADDRESSES"), "never") == 0)
		pause();
	strncpy(list, getenv("T_ADDRESSES"), sizeof list - 1);
	while ((word = strsep(&rest, " ")) != NULL) {
		if (REAL(getaddrinfo)(word, port, hint, end) != 0)
			return EAI_FAIL;
		while (*end != NULL)
			end = &(*end)->ai_next;
	}
	return 0;
}
