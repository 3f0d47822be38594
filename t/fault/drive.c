/* drive - runs a command again and again, each time with another fault, and judges what it made of that
 *
 * usage: drive [-a STATUS,...] [-n MOST[,MORE]] [-k KIND,...] [-0 FILE] [-c COLUMNS] [-r FILE]... [-m BEGUN,ENDED=WORD]
 *              [-t STATUS] [-v] PRELOAD COMMAND [ARG...]
 *
 * First a run without faults says what is true: its status and its stdout (with -t it is run until it has that status, ten
 * times at most, for what depends on how busy the machine is). Then the n-th call of each kind that it made
 * fails, for n = 1 to MOST, then for MORE (1) that are spread over the rest, the last among them; and the surroundings are
 * poor: descriptors closed, ten of them allowed, a full disk, a large environment, none, no PATH. Each run must end by
 * itself, leave nothing running, and have the true status and output, or 3 or one of the STATUSes of -a and a word on stderr.
 * FILEs of -r are removed around each run. Those of -m are too: what the command runs makes BEGUN when it begins and ENDED
 * at its end. Without an end there is no answer, and where it was begun stderr has WORD.
 * Prints a line for each run that did not, and at the end `N runs, N findings`. 0 no finding, 1 findings, 2 no run without
 * faults. -v shows what was written; stdin is FILE (/dev/null); only the first COLUMNS of each line count with -c.
 * SPDX-License-Identifier: 0BSD */
#define _GNU_SOURCE

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
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
	{ FAULT_FCNTL, "fcntl", EINVAL, 0 },
	{ FAULT_EXEC, "exec", ENOMEM, 0 },
	{ FAULT_SIGNAL, "signal", EINVAL, 0 },
	{ FAULT_KILL, "kill", EPERM, 0 },
	{ FAULT_GROUP, "group", EPERM, 0 },
	{ FAULT_SOCKET, "socket", EMFILE, 0 },
	{ FAULT_HINT, "hint", ENOSPC, 1 },
	{ FAULT_READ, "read-eintr", EINTR, 0 },
	{ FAULT_WRITE, "write-eintr", EINTR, 0 },
	{ FAULT_WRITE, "write-epipe", EPIPE, 0 },
	{ FAULT_POLL, "poll-eintr", EINTR, 1 },
	{ FAULT_SLEEP, "sleep-eintr", EINTR, 1 },
	{ FAULT_WAIT, "wait-eintr", EINTR, 1 },
};

static const struct poor {
	const char *name;
	struct fault_poor is;
	int exact;	/* and that must make no difference; -1: it may make any */
} poors[] = {
	{ "closed-0", { 1, 0, 0, 0 }, 0 },
	{ "closed-1", { 2, 0, 0, 0 }, 0 },
	{ "closed-2", { 4, 0, 0, 0 }, 1 },
	{ "closed-01", { 3, 0, 0, 0 }, 0 },
	{ "closed-02", { 5, 0, 0, 0 }, 0 },
	{ "closed-12", { 6, 0, 0, 0 }, 0 },
	{ "closed-012", { 7, 0, 0, 0 }, 0 },
	{ "full-disk", { 0, 1, 0, 0 }, 0 },
	{ "ten-files", { 0, 0, 10, 0 }, 0 },
	{ "environment", { 0, 0, 0, 1 }, 1 },
	{ "no-environment", { 0, 0, 0, -1 }, -1 },
	{ "no-path", { 0, 0, 0, -2 }, 0 },
};

struct outcome {
	int status;		/* as waitpid has it */
	int late, left;		/* it did not end; something it started did not */
	int begun, ended;	/* the files of -m are there */
	char *out, *err;
	size_t nout, nerr;
};

#define GONE 8

static struct fault *state;
static long columns;
static int expected = -1;	/* the status of -t */
static const char *gone[GONE], *mark[2], *mark_word;	/* of -r; of -m */
static size_t ngone;
static int in, out, err, control, verbose;	/* files of the command; where copies are asked for */
static pid_t server;
static FILE *children;
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

/* A file without a name. */
static int
unnamed(void)
{
	char path[] = "/tmp/drive.XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd == -1)
		die("mkstemp");
	unlink(path);
	return fd;
}

static int64_t
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Loads the command, that preload.c copies for each run. */
static void
serve(const char *preload, const char *input)
{
	const struct rlimit core = { 0, 0 };
	int pair[2], shared = unnamed();
	char text[64];

	in = open(input, O_RDONLY | O_CLOEXEC);
	out = unnamed();
	err = unnamed();
	if (in == -1 || ftruncate(shared, sizeof *state) != 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0 ||
	    (state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0)) == MAP_FAILED)
		die(input);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if ((server = fork()) == 0) {
		setrlimit(RLIMIT_CORE, &core);
		signal(SIGPIPE, SIG_DFL);
		/* above what closes and counts them */
		snprintf(text, sizeof text, "%d %d", fcntl(shared, F_DUPFD, 40), fcntl(pair[1], F_DUPFD, 40));
		if (dup2(in, 0) == -1 || dup2(out, 1) == -1 || dup2(err, 2) == -1)
			_exit(99);
		setenv("LD_PRELOAD", preload, 1);
		setenv("LD_BIND_NOW", "1", 1);
		setenv("FAULT", text, 1);
		execv(command[0], command);
		_exit(99);
	}
	if (server == -1 || (children = fopen("/proc/thread-self/children", "re")) == NULL)
		die("a process");
	setvbuf(children, NULL, _IONBF, 0);
	control = pair[0];
	close(pair[1]);
	close(shared);
}

/* The next child of ours that is not the server, 0 for none; `from` begins anew. */
static pid_t
other_child(int from)
{
	long pid;

	if (from)
		rewind(children);
	while (fscanf(children, "%ld", &pid) == 1)
		if (pid != server)
			return (pid_t)pid;
	return 0;
}

/* Whether an orphan lives on two seconds after the command's end; then it is killed. */
static int
left_running(void)
{
	int64_t until = now() + 2000;
	const struct timespec nap = { 0, 300000 };
	int found = 0;
	pid_t pid;

	while ((pid = other_child(1)) != 0) {
		if (now() > until) {
			found = 1;
			for (; pid != 0; pid = other_child(0))
				kill(pid, SIGKILL);
			until = now() + 50;
		}
		if (waitpid(-1, NULL, WNOHANG) <= 0)
			nanosleep(&nap, NULL);
	}
	return found;
}

/* Waits for the child until then; 0 where it has not ended. */
static int
ended(pid_t pid, int *status, int64_t until)
{
	struct timespec most = { 1, 0 };
	sigset_t chld;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	while (waitpid(pid, status, WNOHANG) == 0) {
		if (now() > until)
			return 0;
		sigtimedwait(&chld, NULL, &most);
	}
	return 1;
}

static struct outcome
run(int call, long at, int error, int shorten, const struct fault_poor *p)
{
	struct outcome o = { 0, 0, 0, 0, 0, NULL, NULL, 0, 0 };
	size_t i;
	pid_t pid;

	memset(state, 0, sizeof *state);
	state->call = call;
	state->at = at;
	state->error = error;
	state->shorten = shorten;
	if (p != NULL)
		state->poor = *p;
	for (i = 0; i < ngone; i++)
		unlink(gone[i]);
	if (ftruncate(out, 0) != 0 || ftruncate(err, 0) != 0 || lseek(out, 0, SEEK_SET) != 0 || lseek(err, 0, SEEK_SET) != 0)
		die("a file");
	lseek(in, 0, SEEK_SET);
	if (write(control, "", 1) != 1 || read(control, &pid, sizeof pid) != (ssize_t)sizeof pid || pid <= 0)
		die("no copy of the command");
	if (!ended(pid, &o.status, now() + BOUND * 1000)) {
		o.late = 1;
		kill(-pid, SIGKILL);
		kill(pid, SIGKILL);
		waitpid(pid, &o.status, 0);
	}
	o.left = left_running();
	o.begun = mark_word != NULL && access(mark[0], F_OK) == 0;
	o.ended = mark_word == NULL || access(mark[1], F_OK) == 0;
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
	if (!o->ended && WEXITSTATUS(o->status) < 2)
		return "an answer, though what it ran did not come to its end";
	if (o->begun && !o->ended && strstr(o->err, mark_word) == NULL && k->call != FAULT_WRITE)
		return "what it ran did not come to its end, and that is not said";
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

static void
read_options(int argc, char **argv, const char **list, const char **only, const char **input, long *most, long *spread)
{
	char *end;
	int c;

	while ((c = getopt(argc, argv, "+a:n:k:0:c:r:m:t:v")) != -1)
		switch (c) {
		case 'a': *list = optarg; break;
		case 'n':
			*most = strtol(optarg, &end, 10);
			*spread = *end == ',' ? strtol(end + 1, NULL, 10) : 1;
			break;
		case 'k': *only = optarg; break;
		case 'c': columns = strtol(optarg, NULL, 10); break;
		case 't': expected = (int)strtol(optarg, NULL, 10); break;
		case '0': *input = optarg; break;
		case 'v': verbose = 1; break;
		case 'm':
			gone[ngone++] = mark[0] = strtok(optarg, ",");
			gone[ngone++] = mark[1] = strtok(NULL, "=");
			if ((mark_word = strtok(NULL, "")) == NULL)
				exit(2);
			break;
		case 'r':
			gone[ngone++] = optarg;
			if (ngone > GONE - 2)
				exit(2);
			break;
		default: exit(2);
		}
	if (argc - optind < 2)
		exit(2);
}

int
main(int argc, char **argv)
{
	const char *list = "", *only = NULL, *input = "/dev/null", *why;
	struct kind rule;
	struct outcome truth, o;
	long most = 1000000, spread = 1, step, at, calls, made[FAULT_CALLS], runs = 0, findings = 0;
	sigset_t chld;
	size_t i;

	read_options(argc, argv, &list, &only, &input, &most, &spread);
	command = argv + optind + 1;
	serve(argv[optind], input);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);

	truth = run(-1, 0, 0, 0, NULL);
	for (i = 1; i < 10 && expected != -1 && truth.status != expected << 8; i++) {
		forget(&truth);
		truth = run(-1, 0, 0, 0, NULL);
	}
	memcpy(made, state->calls, sizeof made);
	if (truth.late || truth.left || WIFSIGNALED(truth.status) || WEXITSTATUS(truth.status) == 99 ||
	    (expected != -1 && WEXITSTATUS(truth.status) != expected)) {
		report("none", 0, "no run without faults", &truth);
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
		calls = made[kinds[i].call];
		step = calls > most ? (calls - most + spread - 1) / spread : 1;
		for (at = 1; at <= calls; at += at < most ? 1 : step) {
			if (at > most && at + step > calls)
				at = calls;
			o = run((int)kinds[i].call, at, kinds[i].error, 0, NULL);
			runs++;
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
		o = run(-1, 0, 0, 0, &poors[i].is);
		runs++;
		/* a lost stderr costs the word there */
		rule.call = poors[i].is.closed & 4 ? FAULT_WRITE : FAULT_CALLS;
		rule.error = 0;
		rule.exact = poors[i].exact;
		why = judge(&o, &truth, &rule, list);
		if (why == NULL && (poors[i].is.full || poors[i].is.closed & 2) && truth.nout > 0 && o.status == truth.status &&
		    WEXITSTATUS(truth.status) < 2)
			why = "the output was lost without notice";
		if (why != NULL) {
			report(poors[i].name, 0, why, &o);
			findings++;
		}
		forget(&o);
	}
	for (i = 0; i < ngone; i++)
		unlink(gone[i]);
	printf("%ld runs, %ld findings\n", runs, findings);
	return findings > 0;
}
