/* child - another program, run for its answer under a time limit
 *
 * It has a process group of its own, so that what it started dies with it. It is given no descriptor of ours beyond its two
 * pipes: one that cannot be killed must not keep the caller's pipe open, or `$(...)` around the tool never returns.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <sys/types.h>
#include <sys/wait.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "tool.h"

#define CHILD_GRACE 500		/* ms between SIGTERM and SIGKILL, */
#define CHILD_GIVEUP 1000	/* and from there until it is left alone */
#define CHILD_SLICE 50		/* ms between two looks whether it has ended */

static const int child_fatal[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
#define CHILD_NFATAL (sizeof child_fatal / sizeof child_fatal[0])

static volatile sig_atomic_t child_caught;

static void
child_catch(int sig)
{
	child_caught = sig;
}

int64_t
child_now(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC, &ts) != 0)
		tool_die(TROUBLE, "the monotonic clock:");
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Closes every descriptor from 3 up but `keep`, in the child. */
static void
child_close(int keep)
{
	long fd, most = sysconf(_SC_OPEN_MAX);
	struct dirent *e;
	DIR *d = opendir("/dev/fd");

	while (d != NULL && (e = readdir(d)) != NULL) {
		fd = strtol(e->d_name, NULL, 10);
		if (fd > 2 && fd != keep && fd != dirfd(d))
			close((int)fd);
	}
	if (d != NULL) {
		closedir(d);
		return;
	}
	for (fd = 3; fd < (most > 0 && most < 65536 ? most : 65536); fd++)
		if (fd != keep)
			close((int)fd);
}

/* In the child: becomes the program, or writes errno to `tell`. */
static void
child_become(char *const argv[], int out, int err, int tell)
{
	int null = open("/dev/null", O_RDONLY), failure;

	setpgid(0, 0);
	if (null != -1 && dup2(null, 0) != -1 && dup2(out, 1) != -1 && dup2(err, 2) != -1) {
		child_close(tell);
		execvp(argv[0], argv);
	}
	failure = errno;
	while (write(tell, &failure, sizeof failure) == -1 && errno == EINTR)
		;
	_exit(NOTFOUND);
}

/* A pipe whose ends lie above 2 and close on exec; 0 or -1. */
static int
child_pipe(int fd[2])
{
	int i, up, why;

	if (pipe(fd) != 0)
		return -1;
	why = 0;
	for (i = 0; i < 2; i++) {
		up = fcntl(fd[i], F_DUPFD, 3);
		if (up == -1)
			why = errno;
		close(fd[i]);
		fd[i] = up;
	}
	if (fd[0] != -1 && fd[1] != -1 && fcntl(fd[0], F_SETFD, FD_CLOEXEC) != -1 &&
	    fcntl(fd[1], F_SETFD, FD_CLOEXEC) != -1 && fcntl(fd[0], F_SETFL, O_NONBLOCK) != -1)
		return 0;
	if (why == 0)
		why = errno;
	close(fd[0]);
	close(fd[1]);
	errno = why;
	return -1;
}

/* Takes what is ready on *fd into *buf; closes it and makes it -1 at its end. */
static void
child_take(struct child *c, int *fd, char **buf, size_t *n, size_t max)
{
	char some[16384];
	ssize_t got;
	size_t keep;
	int rounds;

	for (rounds = 0; *fd != -1 && rounds < 16; rounds++) {	/* then back to the clock */
		got = read(*fd, some, sizeof some);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		if (got <= 0) {
			close(*fd);
			*fd = -1;
			return;
		}
		keep = (size_t)got < max - *n ? (size_t)got : max - *n;
		c->cut |= keep < (size_t)got;
		*buf = tool_realloc(*buf, *n + keep + 1, 1);
		memcpy(*buf + *n, some, keep);
		*n += keep;
		(*buf)[*n] = '\0';
	}
}

/* Reaps the child, if it has ended, and ends whatever it left in its group. What waitpid gave; 0 where it still runs. */
static pid_t
child_reap(struct child *c, pid_t pid)
{
	siginfo_t si;
	pid_t got;

	si.si_pid = 0;
	if (waitid(P_PID, (id_t)pid, &si, WEXITED | WNOHANG | WNOWAIT) == 0 && si.si_pid != pid)
		return 0;
	kill(-pid, SIGKILL);	/* before it is reaped, while the number is still its own */
	do
		got = waitpid(pid, &c->status, WNOHANG);
	while (got == -1 && errno == EINTR);
	return got;
}

/* Kills the group by and by; 1 when the child was reaped, 0 when it has to be left alone. */
static int
child_kill(struct child *c, pid_t pid)
{
	int64_t start = child_now(), past;
	struct timespec nap = { 0, 5000000 };
	int killed = 0;

	kill(-pid, SIGTERM);
	kill(-pid, SIGCONT);
	for (;;) {
		if (child_reap(c, pid) != 0)
			return 1;
		past = child_now() - start;
		if (past >= CHILD_GRACE && !killed) {
			kill(-pid, SIGKILL);
			killed = 1;
		}
		if (past >= CHILD_GRACE + CHILD_GIVEUP)
			return 0;
		nanosleep(&nap, NULL);
	}
}

/* Looks whether the child has said why it could not become the program; 1 when it has. */
static int
child_told(struct child *c, int *tell)
{
	ssize_t got;

	if (*tell == -1)
		return 0;
	while ((got = read(*tell, &c->error, sizeof c->error)) == -1 && errno == EINTR)
		;
	if (got == -1)
		return 0;	/* not yet; at its end the program has begun, and the pipe must go or poll spins */
	close(*tell);
	*tell = -1;
	return got == sizeof c->error;
}

/* Reads the pipes until the child has ended or time is up. */
static void
child_watch(struct child *c, pid_t pid, int fd[3], int64_t deadline, size_t max)
{
	struct pollfd p[3];
	int64_t left;
	pid_t got;
	int i, told = 0;

	for (;;) {
		left = deadline - child_now();
		if (left <= 0 || child_caught) {
			c->end = child_kill(c, pid) ? CHILD_LATE : CHILD_STUCK;
			return;
		}
		for (i = 0; i < 3; i++) {
			p[i].fd = fd[i];
			p[i].events = POLLIN;
		}
		poll(p, 3, (int)(left < CHILD_SLICE ? left : CHILD_SLICE));
		child_take(c, &fd[0], &c->out, &c->nout, max);
		child_take(c, &fd[1], &c->err, &c->nerr, max);
		told |= child_told(c, &fd[2]);
		got = child_reap(c, pid);
		if (got == 0)
			continue;
		c->end = got == pid ? CHILD_ENDED : CHILD_FAILED;
		if (got != pid)
			c->error = errno;
		/* what it wrote last; a grandchild that still holds the pipe is not waited for */
		child_take(c, &fd[0], &c->out, &c->nout, max);
		child_take(c, &fd[1], &c->err, &c->nerr, max);
		if (told || child_told(c, &fd[2]))
			c->end = c->error == ENOENT ? CHILD_ABSENT : CHILD_FAILED;
		return;
	}
}

/* Forks the program; its pid, or -1. fd gets the ends to read: stdout, stderr, and why it could not be run. */
static pid_t
child_start(char *const argv[], int fd[3])
{
	int to[3] = { -1, -1, -1 }, pair[2], i, why;
	pid_t pid;

	for (i = 0; i < 3 && child_pipe(pair) == 0; i++) {
		fd[i] = pair[0];
		to[i] = pair[1];
	}
	pid = i == 3 ? fork() : -1;
	why = errno;
	if (pid == 0)
		child_become(argv, to[0], to[1], to[2]);
	if (pid != -1)
		setpgid(pid, pid);	/* both do it: neither knows who is first */
	for (i = 0; i < 3; i++)
		close(to[i]);
	errno = why;
	return pid;
}

void
child_run(struct child *c, char *const argv[], int64_t ms, size_t max)
{
	struct sigaction act, old[CHILD_NFATAL], oldchld;
	int fd[3] = { -1, -1, -1 }, caught;
	int64_t deadline = child_now() + ms;
	size_t i;
	pid_t pid;

	memset(c, 0, sizeof *c);
	c->out = tool_realloc(NULL, 1, 1);
	c->err = tool_realloc(NULL, 1, 1);
	c->out[0] = c->err[0] = '\0';
	memset(&act, 0, sizeof act);
	sigemptyset(&act.sa_mask);
	act.sa_handler = SIG_DFL;	/* an ignored SIGCHLD would take the status away */
	sigaction(SIGCHLD, &act, &oldchld);
	act.sa_handler = child_catch;
	child_caught = 0;
	for (i = 0; i < CHILD_NFATAL; i++) {
		sigaction(child_fatal[i], NULL, &old[i]);
		if (old[i].sa_handler == SIG_DFL)
			sigaction(child_fatal[i], &act, NULL);
	}
	pid = child_start(argv, fd);
	c->end = CHILD_FAILED;
	c->error = errno;
	if (pid != -1)
		child_watch(c, pid, fd, deadline, max);
	for (i = 0; i < 3; i++)
		close(fd[i]);
	for (i = 0; i < CHILD_NFATAL; i++)
		sigaction(child_fatal[i], &old[i], NULL);
	sigaction(SIGCHLD, &oldchld, NULL);
	caught = child_caught;
	if (caught)
		raise(caught);
}

void
child_free(struct child *c)
{
	free(c->out);
	free(c->err);
	c->out = c->err = NULL;
}
