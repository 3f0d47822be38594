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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "tool.h"

#define CHILD_GRACE 500		/* ms between SIGTERM and SIGKILL, */
#define CHILD_GIVEUP 1000	/* and from there until it is left alone */
#define CHILD_LAST 500		/* ms to read what one that ended at its deadline wrote last */
#define CHILD_SLICE 50		/* ms between two looks whether it has ended, */
#define CHILD_SOON 5		/* and where it has closed its stdout */

extern char **environ;

static const int child_fatal[CHILD_SIGNALS] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU };
static volatile sig_atomic_t child_caught;	/* for good: we end by it */

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

int
child_environment(void)
{
	static const char *const prefix[] = { "SACCT_", "SQUEUE_", "SINFO_", "SLURM_CLUSTERS=", "SLURM_DEBUG_FLAGS=" };
	char name[64];
	size_t i = 0, k;

	while (environ != NULL && environ[i] != NULL) {
		for (k = 0; k < sizeof prefix / sizeof prefix[0] && strncmp(environ[i], prefix[k], strlen(prefix[k])) != 0; k++)
			;
		if (k < sizeof prefix / sizeof prefix[0] &&
		    snprintf(name, sizeof name, "%.*s", (int)strcspn(environ[i], "="), environ[i]) < (int)sizeof name && unsetenv(name) == 0)
			i = 0;
		else
			i++;
	}
	return setenv("SLURM_TIME_FORMAT", "standard", 1) | setenv("SLURM_BITSTR_LEN", "0", 1) | setenv("LC_ALL", "C", 1) ? -1 : 0;
}

/* In the child: becomes the program, or writes errno to `tell`. */
static void
child_become(char *const argv[], int out, int err, int tell)
{
	int null = open("/dev/null", O_RDONLY), failure;

	setpgid(0, 0);
	if (null != -1 && dup2(null, 0) != -1 && dup2(out, 1) != -1 && dup2(err, 2) != -1 && child_environment() == 0) {
		child_close(tell);
		execvp(argv[0], argv);
	}
	failure = errno;
	while (write(tell, &failure, sizeof failure) == -1 && errno == EINTR)
		;
	_exit(NOTFOUND);
}

/* A pipe that closes on exec, whose reader does not wait; 0 or -1. Its ends lie above 2: tool_begin sees to that. */
static int
child_pipe(int *from, int *to)
{
	int fd[2];

	if (pipe(fd) != 0)
		return -1;
	*from = fd[0];
	*to = fd[1];
	return fcntl(*from, F_SETFD, FD_CLOEXEC) | fcntl(*to, F_SETFD, FD_CLOEXEC) | fcntl(*from, F_SETFL, O_NONBLOCK);
}

/* One read of what is ready on *fd: its bytes; 0 where there is nothing, and at its end, where it is closed and -1. */
static size_t
child_take(struct child *c, int *fd, char *buf, size_t n)
{
	ssize_t got;

	if (*fd == -1)
		return 0;
	do
		got = read(*fd, buf, n);
	while (got == -1 && errno == EINTR);
	if (got > 0)
		return (size_t)got;
	if (got == -1 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	if (got == -1)
		c->error = errno;	/* there was more, and it is lost */
	close(*fd);
	*fd = -1;
	return 0;
}

/* Adds to the text, up to max bytes of it. */
static void
child_keep(struct child *c, char **text, size_t *n, const char *s, size_t got)
{
	size_t keep = got < c->max - *n ? got : c->max - *n;

	c->cut |= keep < got;
	*text = tool_realloc(*text, *n + keep + 1, 1);
	memcpy(*text + *n, s, keep);
	*n += keep;
	(*text)[*n] = '\0';
}

/* Takes what it says on stderr; 1 where there may be more: the clock is looked at between. */
static int
child_listen(struct child *c)
{
	char some[16384];
	size_t got = 1;
	int rounds;

	for (rounds = 0; rounds < 16 && got > 0; rounds++) {
		got = child_take(c, &c->fd[1], some, sizeof some);
		child_keep(c, &c->err, &c->nerr, some, got);
	}
	return got > 0;
}

/* Reaps the child, if it has ended, and ends whatever it left in its group. */
static void
child_reap(struct child *c)
{
	siginfo_t si;
	pid_t got;

	si.si_pid = 0;
	if (waitid(P_PID, (id_t)c->pid, &si, WEXITED | WNOHANG | WNOWAIT) == 0 && si.si_pid != c->pid)
		return;
	kill(-c->pid, SIGKILL);	/* before it is reaped, while the number is still its own */
	do
		got = waitpid(c->pid, &c->status, WNOHANG);
	while (got == -1 && errno == EINTR);
	if (got == -1)
		c->error = errno;
	c->gone = got != 0;
}

/* Kills the group by and by; one that SIGKILL does not end is left alone. */
static void
child_kill(struct child *c)
{
	int64_t start = child_now(), past;
	struct timespec nap = { 0, 5000000 };
	int killed = 0;

	c->end = CHILD_LATE;
	if (c->gone)
		return;
	kill(-c->pid, SIGTERM);
	kill(-c->pid, SIGCONT);
	for (;;) {
		child_reap(c);
		if (c->gone)
			return;
		past = child_now() - start;
		if (past >= CHILD_GRACE && !killed) {
			kill(-c->pid, SIGKILL);
			killed = 1;
		}
		if (past >= CHILD_GRACE + CHILD_GIVEUP) {
			c->end = CHILD_STUCK;
			return;
		}
		nanosleep(&nap, NULL);
	}
}

/* Looks whether the child has said why it could not become the program. */
static void
child_told(struct child *c)
{
	int failure;

	if (c->fd[2] != -1 && child_take(c, &c->fd[2], (char *)&failure, sizeof failure) == sizeof failure)
		c->error = failure;
}

/* It is over: nothing of it is left but the texts. A signal that was to end us does so now. */
static void
child_over(struct child *c)
{
	int i;

	for (i = 0; i < 3; i++)
		if (c->fd[i] != -1)
			close(c->fd[i]);
	c->pid = 0;
	for (i = 0; i < CHILD_SIGNALS; i++)
		sigaction(child_fatal[i], &c->old[i], NULL);
	sigaction(SIGCHLD, &c->oldchld, NULL);
	if (child_caught)
		raise(child_caught);
}

/* Waits until there is something to read, or a while; takes what it says, and reaps it. */
static void
child_wait(struct child *c, int64_t left)
{
	int64_t most = c->fd[0] == -1 ? CHILD_SOON : CHILD_SLICE, now;
	struct pollfd p[3];
	int i;

	for (i = 0; i < 3; i++) {
		p[i].fd = c->fd[i];
		p[i].events = POLLIN;
	}
	poll(p, 3, (int)(left < most ? left : most));
	child_listen(c);
	child_told(c);
	child_reap(c);
	now = child_now();
	if (c->gone && c->deadline < now + CHILD_LAST)
		c->deadline = now + CHILD_LAST;
}

size_t
child_read(struct child *c, char *buf, size_t n)
{
	int64_t left;
	size_t got;

	while (c->pid > 0) {
		left = c->deadline - child_now();
		if (left <= 0 || child_caught) {
			child_kill(c);
			child_over(c);
			return 0;
		}
		got = child_take(c, &c->fd[0], buf, n);
		if (got > 0)
			return got;
		if (!c->gone) {
			child_wait(c, left);
			continue;
		}
		/* all is read; a grandchild that still holds the pipe is not waited for */
		while (child_listen(c) && child_now() < c->deadline)
			;
		child_told(c);
		c->end = c->error == 0 ? CHILD_ENDED : c->error == ENOENT ? CHILD_ABSENT : CHILD_FAILED;
		child_over(c);
	}
	return 0;
}

void
child_start(struct child *c, char *const argv[], int64_t deadline, size_t max)
{
	int to[3] = { -1, -1, -1 }, i, why;
	struct sigaction act;

	memset(c, 0, sizeof *c);
	c->deadline = deadline;
	c->max = max;
	c->fd[0] = c->fd[1] = c->fd[2] = -1;
	child_keep(c, &c->out, &c->nout, "", 0);
	child_keep(c, &c->err, &c->nerr, "", 0);
	memset(&act, 0, sizeof act);
	sigemptyset(&act.sa_mask);
	act.sa_handler = SIG_DFL;	/* an ignored SIGCHLD would take the status away */
	sigaction(SIGCHLD, &act, &c->oldchld);
	act.sa_handler = child_catch;
	for (i = 0; i < CHILD_SIGNALS; i++) {
		sigaction(child_fatal[i], NULL, &c->old[i]);
		if (c->old[i].sa_handler == SIG_DFL)
			sigaction(child_fatal[i], &act, NULL);
	}
	for (i = 0; i < 3 && child_pipe(&c->fd[i], &to[i]) == 0; i++)
		;
	c->pid = i == 3 ? fork() : -1;
	why = errno;
	if (c->pid == 0)
		child_become(argv, to[0], to[1], to[2]);
	if (c->pid != -1)
		setpgid(c->pid, c->pid);	/* both do it: neither knows who is first */
	for (i = 0; i < 3; i++)
		if (to[i] != -1)
			close(to[i]);
	if (c->pid == -1) {
		c->end = CHILD_FAILED;
		c->error = why;
		child_over(c);
	}
}

void
child_run(struct child *c, char *const argv[], int64_t ms, size_t max)
{
	char some[16384];
	size_t got;

	child_start(c, argv, child_now() + ms, max);
	while ((got = child_read(c, some, sizeof some)) > 0)
		child_keep(c, &c->out, &c->nout, some, got);
}

void
child_free(struct child *c)
{
	if (c->pid > 0) {
		child_kill(c);
		child_over(c);
	}
	free(c->out);
	free(c->err);
	c->out = c->err = NULL;
}
