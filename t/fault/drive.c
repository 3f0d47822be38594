/* drive - runs a command again and again, each time with another fault, and judges what it made of that
 *
 * usage: drive [-a STATUS,...] [-n MOST] [-k KIND,...] [-0 FILE] [-c COLUMNS] [-v] PRELOAD COMMAND [ARG...]
 *
 * First a run without faults says what is true: its status and its stdout. Then the n-th call of each kind fails, for
 * n = 1.. until there is none (or the first MOST and the last), and the surroundings are poor: descriptors closed, ten of
 * them allowed, a full disk, a large environment, none, no PATH. Each run must end by itself, leave nothing running, and
 * have the true status and output, or 3 or one of the STATUSes of -a and a word on stderr.
 * Prints a line for each run that did not, and at the end `N runs, N findings`. 0 no finding, 1 findings, 2 no run without
 * faults. -v shows what was written; stdin is FILE (/dev/null); only the first COLUMNS of each line count with -c.
 * SPDX-License-Identifier: 0BSD */
#define _GNU_SOURCE

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fault.h"

#define BOUND 20	/* s: no run takes longer */

static const struct kind {
	enum fault_call call;
	const char *name;
	int error;
	int exact;	/* the run must be as if nothing had been */
} kinds[] = {
	{ FAULT_MALLOC, "malloc", ENOMEM, 0 },
	{ FAULT_READ, "read", EIO, 0 },
	{ FAULT_WRITE, "write", ENOSPC, 0 },
	{ FAULT_OPEN, "open", EMFILE, 0 },
	{ FAULT_FORK, "fork", EAGAIN, 0 },
	{ FAULT_PIPE, "pipe", EMFILE, 0 },
	{ FAULT_CLOSE, "close", EIO, 0 },
	{ FAULT_CLOCK, "clock", EINVAL, 0 },
	{ FAULT_DUP, "dup", EMFILE, 0 },
	{ FAULT_STAT, "stat", EIO, 0 },
	{ FAULT_READDIR, "readdir", EIO, 0 },
	{ FAULT_READ, "read-eintr", EINTR, 0 },
	{ FAULT_WRITE, "write-eintr", EINTR, 0 },
	{ FAULT_WRITE, "write-epipe", EPIPE, 0 },
	{ FAULT_POLL, "poll-eintr", EINTR, 1 },
	{ FAULT_SLEEP, "sleep-eintr", EINTR, 1 },
	{ FAULT_WAIT, "wait-eintr", EINTR, 1 },
};

static const struct poor {
	const char *name;
	int closed;	/* the sum of 1 << descriptor */
	int full;	/* stdout is /dev/full */
	int files;	/* RLIMIT_NOFILE */
	int environ;	/* 1: 64 KB more of it, -1: none, -2: no PATH */
	int exact;	/* and that must make no difference; -1: it may make any */
} poors[] = {
	{ "closed-0", 1, 0, 0, 0, 0 },
	{ "closed-1", 2, 0, 0, 0, 0 },
	{ "closed-2", 4, 0, 0, 0, 1 },
	{ "closed-01", 3, 0, 0, 0, 0 },
	{ "closed-02", 5, 0, 0, 0, 0 },
	{ "closed-12", 6, 0, 0, 0, 0 },
	{ "closed-012", 7, 0, 0, 0, 0 },
	{ "full-disk", 0, 1, 0, 0, 0 },
	{ "ten-files", 0, 0, 10, 0, 0 },
	{ "environment", 0, 0, 0, 1, 1 },
	{ "no-environment", 0, 0, 0, -1, -1 },
	{ "no-path", 0, 0, 0, -2, 0 },
};

struct outcome {
	int status;		/* as waitpid has it */
	int late, left;		/* it did not end; something it started did not */
	char *out, *err;
	size_t nout, nerr;
};

static struct fault *state;
static long columns;
static const char *preload, *input = "/dev/null", *state_path;
static int out, err, verbose;	/* files the command writes to */
static char **command;

static void
die(const char *what)
{
	fprintf(stderr, "drive: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* Leaves the first columns of each line. */
static size_t
cut(char *s, size_t n)
{
	size_t i, kept = 0;
	long tabs = 0;

	for (i = 0; i < n; i++) {
		if (s[i] == '\n')
			tabs = 0;
		else if (s[i] == '\t')
			tabs++;
		if (tabs < columns)
			s[kept++] = s[i];
	}
	s[kept] = '\0';
	return kept;
}

static char *
contents(int fd, size_t *n)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *s = malloc((size_t)size + 1);

	if (size < 0 || s == NULL || pread(fd, s, (size_t)size, 0) != (ssize_t)size)
		die("what it wrote");
	s[size] = '\0';
	*n = columns > 0 ? cut(s, (size_t)size) : (size_t)size;
	return s;
}

static int64_t
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void
become_poor(const struct poor *p)
{
	static char large[65536];
	struct rlimit files;
	int fd = p->full ? open("/dev/full", O_WRONLY) : -1;

	if (p->full && dup2(fd, 1) == -1)
		_exit(99);
	if (fd != -1)
		close(fd);
	files.rlim_cur = files.rlim_max = (rlim_t)p->files;
	if (p->files != 0 && setrlimit(RLIMIT_NOFILE, &files) != 0)
		_exit(99);
	memset(large, 'x', sizeof large - 1);
	if (p->environ == 1)
		setenv("LARGE", large, 1);
	if (p->environ == -1)
		clearenv();
	if (p->environ == -2)
		unsetenv("PATH");
	for (fd = 0; fd < 3; fd++)
		if (p->closed & 1 << fd)
			close(fd);
}

static void
begin(const struct poor *p)
{
	const struct rlimit core = { 0, 0 };
	int in = open(input, O_RDONLY);

	setpgid(0, 0);
	setrlimit(RLIMIT_CORE, &core);
	signal(SIGPIPE, SIG_DFL);
	if (in == -1 || dup2(in, 0) == -1 || dup2(out, 1) == -1 || dup2(err, 2) == -1)
		_exit(99);
	close(in);
	setenv("LD_PRELOAD", preload, 1);
	setenv("FAULT_STATE", state_path, 1);
	if (p != NULL)
		become_poor(p);
	execv(command[0], command);
	_exit(99);
}

/* Whether an orphan lives on two seconds after the command's end; then it is killed. */
static int
left_running(void)
{
	int64_t until = now() + 2000;
	const struct timespec nap = { 0, 300000 };
	int found = 0;
	long pid;
	FILE *f;

	for (;;) {
		pid = waitpid(-1, NULL, WNOHANG);
		if (pid == -1)
			return found;
		if (pid > 0)
			continue;
		if (now() > until) {
			found = 1;
			if ((f = fopen("/proc/thread-self/children", "r")) == NULL)
				die("/proc/thread-self/children");
			while (fscanf(f, "%ld", &pid) == 1)
				kill((pid_t)pid, SIGKILL);
			fclose(f);
		}
		nanosleep(&nap, NULL);
	}
}

static struct outcome
run(int call, long at, int error, int shorten, const struct poor *p)
{
	struct outcome o = { 0, 0, 0, NULL, NULL, 0, 0 };
	int64_t until = now() + BOUND * 1000;
	const struct timespec nap = { 0, 300000 };
	pid_t pid;

	memset(state, 0, sizeof *state);
	state->call = call;
	state->at = at;
	state->error = error;
	state->shorten = shorten;
	if (ftruncate(out, 0) != 0 || ftruncate(err, 0) != 0 || lseek(out, 0, SEEK_SET) != 0 || lseek(err, 0, SEEK_SET) != 0)
		die("a file");
	if ((pid = fork()) == 0)
		begin(p);
	if (pid == -1)
		die("fork");
	while (waitpid(pid, &o.status, WNOHANG) == 0) {
		if (now() > until) {
			o.late = 1;
			kill(-pid, SIGKILL);
			kill(pid, SIGKILL);
			waitpid(pid, &o.status, 0);
			break;
		}
		nanosleep(&nap, NULL);
	}
	o.left = left_running();
	o.out = contents(out, &o.nout);
	o.err = contents(err, &o.nerr);
	return o;
}

static void
forget(struct outcome *o)
{
	free(o->out);
	free(o->err);
}

static int
same(const struct outcome *a, const struct outcome *b)
{
	if (a->late || a->status != b->status)
		return 0;
	if (WIFEXITED(b->status) && WEXITSTATUS(b->status) > 1)
		return 1;	/* no answer: what was written of it is no matter */
	return a->nout == b->nout && memcmp(a->out, b->out, a->nout) == 0;
}

static int
allowed(const char *list, int status)
{
	char *end;

	for (; *list != '\0'; list = *end == ',' ? end + 1 : end)
		if (strtol(list, &end, 10) == status)
			return 1;
		else if (end == list)
			break;
	return status == 3;
}

/* What is wrong with it, NULL for nothing. */
static const char *
judge(const struct outcome *o, const struct outcome *truth, const struct kind *k, const char *list)
{
	static char text[80];

	if (o->late)
		return "did not end";
	if (o->left)
		return "left something running";
	if (WIFSIGNALED(o->status) && !(k->error == EPIPE && WTERMSIG(o->status) == SIGPIPE)) {
		snprintf(text, sizeof text, "killed by signal %d", WTERMSIG(o->status));
		return text;
	}
	if (same(o, truth) || k->exact == -1)
		return NULL;
	if (WEXITSTATUS(o->status) == 99)
		return "it did not start";
	if (k->exact) {
		snprintf(text, sizeof text, "status %d, as it was not without", WEXITSTATUS(o->status));
		return text;
	}
	if (!allowed(list, WEXITSTATUS(o->status))) {
		snprintf(text, sizeof text, "status %d%s", WEXITSTATUS(o->status),
		    o->status == truth->status ? ", and another output" : ": a false answer");
		return text;
	}
	if (o->nerr == 0 && k->call != FAULT_WRITE && k->call != FAULT_MALLOC)
		return "not a word on stderr";
	return NULL;
}

static void
report(const char *kind, long at, const char *what, const struct outcome *o)
{
	size_t i;

	printf("%s %ld: %s:", kind, at, what);
	for (i = 0; command[i] != NULL; i++)
		printf(" %s", command[i]);
	printf("\n");
	if (verbose)
		printf("  stdout: %s\n  stderr: %s\n", o->out, o->err);
}

/* Whether the kind is one of the list, or there is none. */
static int
chosen(const char *list, const char *kind)
{
	size_t n = strlen(kind);

	for (; list != NULL; list = strchr(list, ',') != NULL ? strchr(list, ',') + 1 : NULL)
		if (strncmp(list, kind, n) == 0 && (list[n] == '\0' || list[n] == ','))
			return 1;
		else if (strchr(list, ',') == NULL)
			return 0;
	return 1;
}

int
main(int argc, char **argv)
{
	char path[] = "/tmp/drive.XXXXXX", outs[] = "/tmp/drive.XXXXXX", errs[] = "/tmp/drive.XXXXXX";
	const char *list = "", *only = NULL, *why;
	struct kind rule;
	struct outcome truth, o;
	long most = 1000000, at, calls, runs = 0, findings = 0;
	size_t i;
	int c, fd;

	while ((c = getopt(argc, argv, "+a:n:k:0:c:v")) != -1)
		switch (c) {
		case 'a': list = optarg; break;
		case 'n': most = strtol(optarg, NULL, 10); break;
		case 'k': only = optarg; break;
		case 'c': columns = strtol(optarg, NULL, 10); break;
		case '0': input = optarg; break;
		case 'v': verbose = 1; break;
		default: return 2;
		}
	if (argc - optind < 2)
		return 2;
	preload = argv[optind];
	command = argv + optind + 1;
	fd = mkstemp(path);
	state_path = path;
	if (fd == -1 || ftruncate(fd, sizeof *state) != 0 ||
	    (state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED)
		die("mkstemp");
	out = mkstemp(outs);
	err = mkstemp(errs);
	if (out == -1 || err == -1)
		die("mkstemp");
	unlink(outs);
	unlink(errs);
	fcntl(out, F_SETFD, FD_CLOEXEC);
	fcntl(err, F_SETFD, FD_CLOEXEC);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	setvbuf(stdout, NULL, _IOLBF, 0);

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	truth = run(-1, 0, 0, 0, NULL);
	if (truth.late || truth.left || WIFSIGNALED(truth.status) || WEXITSTATUS(truth.status) == 99) {
		report("none", 0, "no run without faults", &truth);
		unlink(path);
		return 2;
	}
	if (verbose)
		report("none", WEXITSTATUS(truth.status), "without faults", &truth);
	if (chosen(only, "short")) {
		o = run(-1, 0, 0, 1, NULL);
		runs++;
		if (!same(&o, &truth)) {
			report("short", 0, "one byte at a time makes a difference", &o);
			findings++;
		}
		forget(&o);
	}
	for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (!chosen(only, kinds[i].name))
			continue;
		for (at = 1, calls = 1; at <= calls; at++) {
			if (at > most && at < calls)
				at = calls;
			o = run((int)kinds[i].call, at, kinds[i].error, 0, NULL);
			runs++;
			calls = state->calls[kinds[i].call];
			if (state->fired && (why = judge(&o, &truth, &kinds[i], list)) != NULL) {
				report(kinds[i].name, at, why, &o);
				findings++;
			}
			forget(&o);
		}
	}
	for (i = 0; i < sizeof poors / sizeof poors[0]; i++) {
		if (!chosen(only, poors[i].name))
			continue;
		o = run(-1, 0, 0, 0, &poors[i]);
		runs++;
		/* a lost stderr costs the word there */
		rule.call = poors[i].closed & 4 ? FAULT_WRITE : FAULT_CALLS;
		rule.error = 0;
		rule.exact = poors[i].exact;
		why = judge(&o, &truth, &rule, list);
		if (why == NULL && (poors[i].full || poors[i].closed & 2) && truth.nout > 0 && o.status == truth.status &&
		    WEXITSTATUS(truth.status) < 2)
			why = "the output was lost without notice";
		if (why != NULL) {
			report(poors[i].name, 0, why, &o);
			findings++;
		}
		forget(&o);
	}
	unlink(path);
	printf("%ld runs, %ld findings\n", runs, findings);
	return findings > 0;
}
