/* waitfor - wait for one condition, never longer than told
 *
 * One process holds the deadline (monotonic, absolute) and does nothing that can block. Whatever can (a stat, a name
 * to be resolved, a connection, squeue, the user's command) is done by a child in a process group of its own, which
 * speaks through a socket or pipes and holds no other descriptor of ours. For files and the network that child lives
 * as long as the wait and answers one question after another: look, until then. At the deadline one last look is
 * asked for, LAST_LOOK ms long; then the group is killed. A child that SIGKILL does not end (D state) is left alone.
 *
 * attend() is the one place that sleeps. It minds the signals, the process of -w, the line on the terminal and the
 * end of the time, whatever it is called to wait for. inotify only wakes it for a look before the look's time; too
 * many hints are cut to some five a second, so that a busy directory costs little.
 *
 * A process is known again by its pidfd, else by its start time in /proc; where neither can be had, by kill(0).
 * Slurm: squeue -t all is asked first, about all ids at once, because slurmctld's word is fresh; it also lists what
 * ended within MinJobAge. What it has not (purged tasks, exit codes) accounting is asked for, whose word is up to LAG
 * ms late and not believed before: a row without a partition is not finished yet, whatever its state.
 *
 * It assumes that CLOCK_MONOTONIC of parent and child is one clock, and that /proc, where there is one, is Linux's.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "dur.h"
#include "ere.h"
#include "iset.h"
#include "linux.h"
#include "num.h"
#include "opt.h"
#include "rec.h"
#include "shq.h"
#include "tool.h"

const char help[] =
"waitfor - wait for one condition, never longer than told\n"
"\n"
"usage: waitfor -t LIMIT [options] CONDITION\n"
"       waitfor -t LIMIT [options] -- command [arg...]\n"
"\n"
"conditions:\n"
"  file PATH...        every path exists\n"
"  gone PATH...        none exists\n"
"  pid PID...          every process has ended; pid @FILE: those whose pids stand in FILE\n"
"  group PGID          every process of the process group has ended\n"
"  port [HOST:]PORT    a TCP connection is accepted, on any address of HOST (this machine)\n"
"  socket PATH         a Unix socket accepts\n"
"  http URL            the answer is 2xx; no TLS\n"
"  log FILE ERE        a line matches, from the start of the file on, also while it grows or is rotated\n"
"  job ID...           every job, task, array or step (ID.STEP) is COMPLETED; prints id, state, exit code\n"
"  left DUR            the job has no more than DUR left\n"
"  -- command          the command exits 0; stdin is /dev/null, its stdout goes to stderr\n"
"There is none by process name: the pattern is in the waiter's own command line, so it would wait for itself.\n"
"Keep the pid (server & pid=$!), or the server's pid file: pid @FILE.\n"
"\n"
"options:\n"
"  -t, --time-limit LIMIT   mandatory: 90s 10m 4h30m 2d or D-HH:MM:SS; 0 is one look; left, left-5m: what the job has\n"
"  -i, --interval DUR       a look every DUR (files, network: 10 ms growing to 1 s; job: 30s or more)\n"
"  -w, --while PID          give up with 1 when that process ends; it must be alive at the end too\n"
"  -s, --size BYTES         file: and it has at least that size (4096, 10M)\n"
"      --stable DUR         file: and it has not changed for that long\n"
"      --newer FILE         file: and it was modified after FILE\n"
"      --status LIST        http: these statuses instead of 2xx, for instance 200,204\n"
"      --new                log: only what is written after the call\n"
"      --fail ERE           log: a line that makes it 1 at once\n"
"      --state STATE        job: ended is any end, RUNNING a start, instead of COMPLETED\n"
"  -H, --header             job: a line of column names\n"
"      --json               job: one JSON object a line\n"
"  -q, --quiet              no line at the end, unless nothing could be found out\n"
"  -v, --verbose            say at the start and now and then what is waited for\n"
"  -h, --help               this text\n"
"  -V, --version            the version\n"
"\n"
"exit status: 0 came true; 1 it can never come true, or the process of -w ended; 2 called wrong, or the command cannot\n"
"be run; 3 no look was ever answered; 124 time is up; 128+n killed by signal n\n"
"\n"
"example:\n"
"  (sleep 1; echo 42 >answer.new; mv answer.new answer) &\n"
"  waitfor -t 20s file answer || exit\n";

enum { O_STABLE = 256, O_NEWER, O_STATUS, O_NEW, O_FAIL, O_STATE, O_JSON };

static const struct option options[] = {
	OPT_COMMON,
	{ "time-limit", required_argument, NULL, 't' },
	{ "interval", required_argument, NULL, 'i' },
	{ "while", required_argument, NULL, 'w' },
	{ "size", required_argument, NULL, 's' },
	{ "stable", required_argument, NULL, O_STABLE },
	{ "newer", required_argument, NULL, O_NEWER },
	{ "status", required_argument, NULL, O_STATUS },
	{ "new", no_argument, NULL, O_NEW },
	{ "fail", required_argument, NULL, O_FAIL },
	{ "state", required_argument, NULL, O_STATE },
	{ "header", no_argument, NULL, 'H' },
	{ "json", no_argument, NULL, O_JSON },
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'v' },
	{ NULL, 0, NULL, 0 }
};

/* All times in milliseconds. After the deadline: the last look, then SIGTERM (to a user's command), then SIGKILL, then
 * it is left alone. Their sum is below a second. */
#define LAST_LOOK 650
#define TERM_GRACE 120
#define KILL_GRACE 80
#define LEAST 10		/* between two looks */
#define MOST 1000
#define HINTS 20		/* hints that may be taken one after another, */
#define HINT_EVERY 200		/* and how often one more */
#define REREAD 5000		/* a directory is read again at most this often */
#define STANDS 500		/* a last line without its newline counts when it has stood so long */
#define LINE 1048576		/* bytes of a line that are looked at */
#define GULP 16777216		/* bytes of a log read before an answer is given */
#define SILENCE 10000		/* a server that says nothing for so long is asked anew */
#define STAGGER 100		/* between the connections to two addresses of one name */
#define ADDRESSES 32
#define RESOLVED 5000		/* how long a resolved name is believed */
#define SLURM_LIMIT 75000	/* squeue itself tries for a minute to find its configuration */
#define SLURM_FLOOR 30000
#define CROWD 40		/* tasks of one array; where there are more, each asks less often */
#define LAG 15000		/* how late accounting may be */
#define OUTPUT 67108864		/* bytes of squeue's and sacct's that are read */
#define TASKS 4194303		/* the highest index of an array there can be (MaxArraySize 4000001) */
#define SPARE 16			/* descriptors that are not spent on processes: a command needs some */
#define NEVER_ENDS INT64_MAX

enum verdict {
	CAME_TRUE,
	NOT_YET,
	NEVER,		/* it can never come true: 1 */
	UNKNOWN,	/* the look was not answered */
	MORE,		/* not yet, and there is more to look at at once */
	BUSY,		/* the look is not over */
	GIVE_UP,	/* it cannot be found out, now and later: 3 */
	MISUSED,	/* 2 */
	STILL		/* from a looker: not the answer yet, but why it takes time */
};

#define WHY 240

/* a child that is waited for: one that looks (talk), or a command with two pipes */
struct run {
	pid_t pid;		/* 0 where there is none */
	int talk;
	int out, err, tell;	/* -1 once closed; tell brings the errno where it could not be run */
	int relay;		/* both are passed on to our stderr */
	char *text[2];
	size_t n[2];
	int cut;
	int ended, status, error;
};

struct question {
	int last, patient;	/* patient: look again and again by yourself, and answer when the answer changes, */
	int64_t until;		/* or then */
};

struct answer {
	enum verdict verdict;
	int64_t again;		/* ms until another look is of use, -1 where that is not known */
	char why[WHY];
};

/* a process that is known again */
struct watch {
	pid_t pid;
	int fd;			/* a pidfd, or -1: then */
	int known;		/* its start time is known */
	uint64_t start;
	int ended;
	int absent;		/* there was no such process at the start */
};

struct proc {
	char state;
	int64_t group;
	uint64_t threads, start;
};

/* what a condition is: how many words it takes, who looks (a child, or this process), how its looks are paced */
struct condition {
	const char *name;
	size_t least, most;
	void (*prepare)(void);
	void (*apart)(struct answer *);
	enum verdict (*look)(void);
	int part;		/* the wait between looks is this part of the time gone by, */
	int64_t pause;		/* and never shorter */
	int hinted, network, quick;	/* quick: so many looks after a hint, for what is complete a moment later only */
};

/* what was asked for, and how far the wait is */
static struct {
	const struct condition *condition;
	char **operand;
	size_t n;
	char *what;			/* the condition in words */
	const char *limit_word;
	int64_t limit, interval;	/* interval -1: by itself */
	int quiet, verbose;
	int64_t size, stable;		/* -1: not asked for */
	const char *newer;
	const char *status, *fail, *state;
	int only_new;
	enum rec_how how;

	int64_t start, deadline, bound;	/* bound: until when the present look may take */
	int answered;			/* a look was */
	int over;			/* the last look has begun */
	char why[WHY];
	int64_t again;
	int64_t beat, tick;		/* when the next heartbeat and the next second on the terminal are due */
	int64_t beats;
	int screen, shown;
	struct watch guard;		/* -w */
	int guarded, guard_over;	/* it has ended: the next look is the last */
	char before[WHY];		/* why the limit was over before the start; empty otherwise */
} w;

static struct run looking, aside;
static int owed, asked_last, asked_patient;	/* answers that `looking` owes; of what kind the last question was */
static struct {				/* in the child that looks */
	int talk;			/* to the parent */
	struct question now;
	int by_itself;			/* it looks once more for the same question */
} asked;
static int quick;			/* looks that are to follow each other quickly */
static pid_t self;
static int wake[2] = { -1, -1 };	/* signal handlers write, attend reads */
static volatile sig_atomic_t caught;
static int hints = -1, hints_left = HINTS;
static int64_t hints_at;

/* ---- words and numbers ---- */

static void TOOL_PRINTF(2, 3)
say_why(char *why, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, WHY, fmt, ap);
	va_end(ap);
}

/* Some number that differs between waiters, 0 to n - 1. */
static int64_t
some(int64_t n)
{
	static uint64_t x;
	struct timespec ts;

	if (x == 0) {
		clock_gettime(CLOCK_MONOTONIC, &ts);
		x = ((uint64_t)getpid() << 32 ^ (uint64_t)ts.tv_nsec ^ (uint64_t)ts.tv_sec << 20) | 1;
	}
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (int64_t)((x >> 11) % (uint64_t)n);
}

/* ms as people read them: 1.2 s, from a minute on HH:MM:SS. */
static const char *
span(int64_t ms, char buf[DUR_TEXT])
{
	if (ms >= 60000)
		return dur_slurm(ms / 1000, buf);
	snprintf(buf, DUR_TEXT, "%d.%d s", (int)(ms / 1000), (int)(ms % 1000 / 100));
	return buf;
}

/* The wait between two looks: a part of the time that has gone by, within LEAST and MOST, never quite the same. */
static int64_t
pace(int64_t part, int64_t least)
{
	int64_t ms = (child_now() - w.start) / part;

	if (w.interval >= 0)
		return w.interval;
	ms = ms < least ? least : ms > MOST ? MOST : ms;
	return ms * (95 + some(11)) / 100;
}

static int64_t pause_ms(int64_t again);

/* ---- children ---- */

static void
on_signal(int sig)
{
	int was = errno;

	if (sig != SIGCHLD)
		caught = sig;
	if (write(wake[1], "", 1) == -1)
		errno = was;	/* full: it will wake up anyway */
	errno = was;
}

static const struct {
	int number;
	const char *name;
} fatal[] = {
	{ SIGHUP, "SIGHUP" }, { SIGINT, "SIGINT" }, { SIGQUIT, "SIGQUIT" }, { SIGTERM, "SIGTERM" }, { SIGPIPE, "SIGPIPE" },
	{ SIGALRM, "SIGALRM" }, { SIGUSR1, "SIGUSR1" }, { SIGUSR2, "SIGUSR2" }, { SIGXCPU, "SIGXCPU" },
	{ SIGXFSZ, "SIGXFSZ" }, { SIGVTALRM, "SIGVTALRM" }
};
#define NFATAL (sizeof fatal / sizeof fatal[0])

/* A pipe or socket whose ends close on exec; 0, or -1. */
static int
two_ends(int fd[2], int talk)
{
	if ((talk ? socketpair(AF_UNIX, SOCK_STREAM, 0, fd) : pipe(fd)) != 0)
		return -1;
	if (fcntl(fd[0], F_SETFD, FD_CLOEXEC) != -1 && fcntl(fd[1], F_SETFD, FD_CLOEXEC) != -1 &&
	    fcntl(fd[0], F_SETFL, O_NONBLOCK) != -1)
		return 0;
	close(fd[0]);
	close(fd[1]);
	return -1;
}

static void
catch_signals(void)
{
	struct sigaction act, old;
	sigset_t set;
	size_t i;

	if (two_ends(wake, 0) != 0 || fcntl(wake[1], F_SETFL, O_NONBLOCK) == -1)
		tool_die(TROUBLE, "a pipe for signals:");
	memset(&act, 0, sizeof act);
	sigemptyset(&act.sa_mask);
	act.sa_handler = on_signal;
	act.sa_flags = SA_RESTART;
	sigaction(SIGCHLD, &act, NULL);
	for (i = 0; i < NFATAL; i++) {
		sigaction(fatal[i].number, NULL, &old);
		if (old.sa_handler == SIG_DFL)	/* an ignored one (nohup) stays ignored */
			sigaction(fatal[i].number, &act, NULL);
	}
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* In the child: a group of its own, signals as they were, /dev/null or the pipes for 0 to 2, and nothing else but
 * the descriptors a and b. */
static void
come_apart(int out, int err, int a, int b)
{
	struct sigaction act;
	struct dirent *e;
	size_t i;
	long fd, most = sysconf(_SC_OPEN_MAX);
	int null;
	DIR *d;

	setpgid(0, 0);
	for (i = 0; i < NFATAL; i++) {
		sigaction(fatal[i].number, NULL, &act);
		if (act.sa_handler == on_signal)
			signal(fatal[i].number, SIG_DFL);
	}
	signal(SIGCHLD, SIG_DFL);
	null = open("/dev/null", O_RDWR);
	if (null == -1 || dup2(null, 0) == -1)
		close(0);
	if (dup2(out != -1 ? out : null, 1) == -1)
		close(1);
	if (dup2(err != -1 ? err : null, 2) == -1)
		close(2);
	d = opendir("/dev/fd");
	while (d != NULL && (e = readdir(d)) != NULL) {
		fd = strtol(e->d_name, NULL, 10);
		if (fd > 2 && fd != a && fd != b && fd != dirfd(d))
			close((int)fd);
	}
	if (d != NULL) {
		closedir(d);
		return;
	}
	for (fd = 3; fd < (most > 0 && most < 65536 ? most : 65536); fd++)
		if (fd != a && fd != b)
			close((int)fd);
}

static void
run_empty(struct run *r)
{
	free(r->text[0]);
	free(r->text[1]);
	memset(r, 0, sizeof *r);
	r->talk = r->out = r->err = r->tell = -1;
}

/* Starts argv[0] with stdin from /dev/null; `prepare` is called in the child. */
static void
start_command(struct run *r, char *const argv[], void (*prepare)(void), int relay)
{
	int pair[3][2], i, n = 0, failure;
	pid_t pid = -1;

	run_empty(r);
	r->relay = relay;
	while (n < 3 && two_ends(pair[n], 0) == 0)
		n++;
	if (n == 3)
		pid = fork();
	if (pid == -1)
		tool_die(TROUBLE, "%s: a process and its pipes:", argv[0]);
	if (pid == 0) {
		come_apart(pair[0][1], pair[1][1], pair[2][1], -1);
		if (prepare != NULL)
			prepare();
		execvp(argv[0], argv);
		failure = errno;
		if (write(pair[2][1], &failure, sizeof failure) == -1)
			_exit(NOTFOUND);
		_exit(NOTFOUND);
	}
	setpgid(pid, pid);	/* both do it: neither knows who is first */
	for (i = 0; i < 3; i++)
		close(pair[i][1]);
	r->pid = pid;
	r->out = pair[0][0];
	r->err = pair[1][0];
	r->tell = pair[2][0];
}

/* The child that looks: one question, one answer, until we are gone. */
static void TOOL_NORETURN
answer_questions(int talk, void (*look)(struct answer *))
{
	const struct question *q = &asked.now;
	struct answer a, before;
	struct pollfd p;
	size_t at = 0;
	ssize_t got;
	int64_t ms;

	memset(&before, 0, sizeof before);
	asked.talk = p.fd = talk;
	p.events = POLLIN;
	for (;;) {
		got = recv(talk, (char *)&asked.now + at, sizeof asked.now - at, 0);
		if (got == -1 && errno == EINTR)
			continue;
		if (got <= 0)
			_exit(0);
		at += (size_t)got;
		if (at < sizeof asked.now)
			continue;
		at = 0;
		for (asked.by_itself = 0; ; asked.by_itself = 1) {
			memset(&a, 0, sizeof a);
			a.again = -1;
			look(&a);
			ms = pause_ms(a.again);
			if (!q->patient || (a.verdict != NOT_YET && a.verdict != UNKNOWN) || a.verdict != before.verdict ||
			    strcmp(a.why, before.why) != 0 || child_now() + ms >= q->until || poll(&p, 1, (int)ms) != 0)
				break;
		}
		before = a;
		while ((got = send(talk, &a, sizeof a, MSG_NOSIGNAL)) == -1 && errno == EINTR)
			;
		if (got != sizeof a || a.verdict == CAME_TRUE)
			_exit(0);
	}
}

static void
start_looker(struct run *r, void (*look)(struct answer *))
{
	int pair[2];
	pid_t pid = -1;

	run_empty(r);
	if (two_ends(pair, 1) == 0)
		pid = fork();
	if (pid == -1)
		tool_die(TROUBLE, "a process that looks:");
	if (pid == 0) {
		come_apart(-1, -1, pair[1], hints);
		answer_questions(pair[1], look);
	}
	setpgid(pid, pid);
	close(pair[1]);
	r->pid = pid;
	r->talk = pair[0];
}

static void
drop(int *fd)
{
	if (*fd != -1)
		close(*fd);
	*fd = -1;
}

/* Is there room on stderr, so that a write of PIPE_BUF bytes does not block? */
static int
stderr_ready(int ms)
{
	struct pollfd p;
	int n;

	p.fd = 2;
	p.events = POLLOUT;
	while ((n = poll(&p, 1, ms)) == -1 && errno == EINTR)
		;
	return n == 1;
}

/* Takes what is ready on a pipe. */
static void
take(struct run *r, int *fd, int which)
{
	char part[4096];
	ssize_t got;
	size_t keep;
	int i;

	for (i = 0; *fd != -1 && i < 256; i++) {
		if (r->relay && !stderr_ready(0))
			return;
		got = read(*fd, part, r->relay ? 512 : sizeof part);
		if (got == -1 && errno == EINTR)
			continue;
		if (got == -1 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		if (got <= 0) {
			drop(fd);
			return;
		}
		if (r->relay) {
			if (write(2, part, (size_t)got) == -1)
				r->cut = 1;
			continue;
		}
		keep = (size_t)got;
		if (keep > OUTPUT - r->n[which])
			keep = OUTPUT - r->n[which];
		r->cut |= keep < (size_t)got;
		r->text[which] = tool_realloc(r->text[which], r->n[which] + keep + 1, 1);
		memcpy(r->text[which] + r->n[which], part, keep);
		r->n[which] += keep;
		r->text[which][r->n[which]] = '\0';
	}
}

/* Takes what a looker said; 1 when an answer is whole. */
static int
hear(struct run *r, struct answer *a)
{
	ssize_t got;

	while (r->talk != -1) {
		r->text[0] = tool_realloc(r->text[0], sizeof *a, 1);
		got = recv(r->talk, r->text[0] + r->n[0], sizeof *a - r->n[0], 0);
		if (got == -1 && errno == EINTR)
			continue;
		if (got == -1 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return 0;
		if (got <= 0) {
			drop(&r->talk);
			return 0;
		}
		r->n[0] += (size_t)got;
		if (r->n[0] < sizeof *a)
			continue;
		memcpy(a, r->text[0], sizeof *a);
		a->why[WHY - 1] = '\0';
		r->n[0] = 0;
		if (a->verdict != STILL)
			return 1;
		memcpy(w.why, a->why, WHY);
	}
	return 0;
}

/* Reaps the child if it has ended, with whatever it left in its group; 1 when it has. */
static int
reap(struct run *r)
{
	siginfo_t si;
	ssize_t got;
	pid_t pid;

	if (r->pid == 0 || r->ended)
		return r->ended;
	si.si_pid = 0;
	if (waitid(P_PID, (id_t)r->pid, &si, WEXITED | WNOHANG | WNOWAIT) == 0 && si.si_pid != r->pid)
		return 0;
	kill(-r->pid, SIGKILL);		/* before it is reaped, while the number is still its own */
	while ((pid = waitpid(r->pid, &r->status, WNOHANG)) == -1 && errno == EINTR)
		;
	if (pid == 0)
		return 0;
	r->ended = 1;
	if (r->tell != -1 && (got = read(r->tell, &r->error, sizeof r->error)) != sizeof r->error)
		r->error = 0;
	take(r, &r->out, 0);
	take(r, &r->err, 1);
	return 1;
}

/* Waits up to ms for the child to end. */
static int
reap_within(struct run *r, int64_t ms)
{
	int64_t until = child_now() + ms, left;
	struct pollfd p;
	char away[64];

	while (!reap(r)) {
		left = until - child_now();
		if (left <= 0)
			return 0;
		p.fd = wake[0];
		p.events = POLLIN;
		poll(&p, 1, (int)(left < 20 ? left : 20));
		while (read(wake[0], away, sizeof away) > 0)
			;
	}
	return 1;
}

/* Ends a child and its group. What SIGKILL does not end is left alone: it holds nothing of ours. */
static void
end_run(struct run *r, int gently)
{
	if (r->pid != 0 && !reap(r)) {
		if (gently) {
			kill(-r->pid, SIGTERM);
			kill(-r->pid, SIGCONT);
		}
		if (!gently || !reap_within(r, TERM_GRACE)) {
			kill(-r->pid, SIGKILL);
			reap_within(r, KILL_GRACE);
		}
	}
	drop(&r->talk);
	drop(&r->out);
	drop(&r->err);
	drop(&r->tell);
	r->pid = 0;
}

static void
end_runs(void)
{
	end_run(&aside, 0);
	end_run(&looking, looking.relay);
}

/* ---- the line on the terminal, and how it ends ---- */

static void
unshow(void)
{
	if (w.shown && write(2, "\r\033[K", 4) == -1)
		w.screen = 0;
	w.shown = 0;
}

/* Says one line, unless whoever reads stderr has stopped reading. */
static void TOOL_PRINTF(1, 2)
say(const char *fmt, ...)
{
	char line[WHY + 1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	unshow();
	if (stderr_ready(100))
		tool_warn("%s", line);
}

static void print_jobs(void);

/* Nothing runs any more: a broken pipe ends us as it would any program. */
static void
let_pipe(void)
{
	struct sigaction old;

	sigaction(SIGPIPE, NULL, &old);
	if (old.sa_handler == on_signal)
		signal(SIGPIPE, SIG_DFL);
}

/* A failure of our own leaves nothing running. */
static int
on_failure(int status)
{
	if (getpid() == self)
		end_runs();
	return status;
}

/* The end: kills what runs, says how it went, prints the records of `job`. */
static void TOOL_NORETURN
finish(int status, const char *how, const char *why)
{
	int64_t past = child_now() - w.start;
	char buf[DUR_TEXT];

	end_runs();
	let_pipe();
	if (!w.quiet || status == TROUBLE || status == BADUSE)
		say("%s: %s after %s%s%s", w.what, how, span(past, buf), why[0] != '\0' ? ": " : "", why);
	unshow();
	print_jobs();
	if (status == YES && hints != -1)
		linux_leave(hints);	/* whoever waits for us is to know at once */
	tool_done(status);
}

static void TOOL_NORETURN
die_of_signal(void)
{
	int sig = caught;
	char buf[DUR_TEXT];
	sigset_t set;
	size_t i;

	end_runs();
	for (i = 0; fatal[i].number != sig; i++)
		;
	if (!w.quiet && sig != SIGPIPE)
		say("%s: ended by %s after %s", w.what, fatal[i].name, span(child_now() - w.start, buf));
	unshow();
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	tool_done(128 + sig);	/* not reached */
}

/* The heartbeat of -v and the seconds on a terminal. Returns when the next is due. */
static int64_t
show(int64_t now)
{
	char past[DUR_TEXT], left[DUR_TEXT], line[100];
	int64_t due = NEVER_ENDS;
	int n;

	if (w.verbose && now >= w.beat && w.deadline > now) {
		span(now - w.start, past);
		say("%s: %s gone, %s left%s%s", w.what, past, span(w.deadline - now, left), w.why[0] != '\0' ? ": " : "",
		    w.why);
		w.beats = w.beats < 60 ? w.beats * 2 : 60;	/* 1, 3, 7, ... s, then every minute */
		w.beat = now + w.beats * 1000;
	}
	if (w.verbose)
		due = w.beat;
	if (w.screen && now >= w.tick && w.deadline > now) {
		n = snprintf(line, sizeof line, "\r\033[Kwaitfor: %.40s: %s left", w.what,
		    dur_slurm((w.deadline - now + 999) / 1000, left));
		for (; n > 4; n--)
			if ((unsigned char)line[n - 1] < 0x20 || (unsigned char)line[n - 1] > 0x7e)
				line[n - 1] = '?';
		n = (int)strlen(line);
		if (tcgetpgrp(2) == getpgrp() && stderr_ready(0)) {
			w.shown = 1;
			if (write(2, line, (size_t)n) == -1)
				w.screen = 0;
		}
		w.tick = now + 1000 - (now - w.start) % 1000;
	}
	if (w.screen && w.tick < due)
		due = w.tick;
	return due;
}

/* ---- processes ---- */

/* Reads a small file whole; its length, or -1. */
static ssize_t
read_small(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	ssize_t n = 0, got;

	if (fd == -1)
		return -1;
	while ((size_t)n + 1 < size) {
		got = read(fd, buf + n, size - 1 - (size_t)n);
		if (got == -1 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		n += got;
	}
	close(fd);
	buf[n] = '\0';
	return n;
}

/* /proc/PID/stat (proc(5)); 0 where there is none to be seen. */
static int
read_proc(const char *pid, struct proc *p)
{
	char path[64], buf[1024], *s;
	int field;

	snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
	if (read_small(path, buf, sizeof buf) <= 0 || (s = strrchr(buf, ')')) == NULL || s[1] != ' ' || s[2] == '\0')
		return 0;
	s += 2;		/* field 3, the state; the name before it may hold anything */
	p->state = *s;
	p->start = 0;
	for (field = 3; field <= 22 && s != NULL; field++) {
		if (field == 5)
			p->group = strtoll(s, NULL, 10);
		if (field == 20)
			p->threads = strtoull(s, NULL, 10);
		if (field == 22)
			p->start = strtoull(s, NULL, 10);
		s = strchr(s, ' ');
		if (s != NULL)
			s++;
	}
	return field == 23;
}

static int
proc_of(pid_t pid, struct proc *p)
{
	char name[24];

	snprintf(name, sizeof name, "%ld", (long)pid);
	return read_proc(name, p);
}

/* A zombie has ended, unless other threads of it go on. */
static int
proc_ended(const struct proc *p)
{
	return (p->state == 'Z' || p->state == 'X' || p->state == 'x') && p->threads <= 1;
}

/* The process whose thread this is, or 0 where it is a process, or that cannot be seen. */
static int64_t
thread_of(pid_t pid)
{
	char path[64], buf[4096];
	const char *s;
	int64_t of;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	if (read_small(path, buf, sizeof buf) <= 0 || (s = strstr(buf, "\nTgid:")) == NULL)
		return 0;
	of = strtoll(s + 6, NULL, 10);
	return of == (int64_t)pid ? 0 : of;
}

/* Has it ended? EPERM from kill means that it is alive; a missing /proc entry means nothing (hidepid). */
static int
watch_ended(struct watch *p)
{
	struct pollfd ready;
	struct proc proc;
	int n;

	if (p->ended)
		return 1;
	if (p->fd != -1) {
		ready.fd = p->fd;
		ready.events = POLLIN;
		while ((n = poll(&ready, 1, 0)) == -1 && errno == EINTR)
			;
		p->ended = n == 1;
	} else if (kill(p->pid, 0) == -1 && errno == ESRCH)
		p->ended = 1;
	else if (proc_of(p->pid, &proc))
		p->ended = proc_ended(&proc) || (p->known && proc.start != p->start);
	if (p->ended)
		drop(&p->fd);
	return p->ended;
}

static void
watch_begin(struct watch *p, pid_t pid)
{
	long most = sysconf(_SC_OPEN_MAX);
	struct proc proc;
	int64_t of;

	memset(p, 0, sizeof *p);
	p->pid = pid;
	if (pid == getpid())
		tool_die(BADUSE, "process %ld is this program itself", (long)pid);
	p->fd = linux_pidfd(pid);
	p->absent = p->fd == -1 && kill(pid, 0) == -1 && errno == ESRCH;
	if (p->fd == -1 && (of = thread_of(pid)) != 0)
		tool_die(BADUSE, "%ld is a thread of process %" PRId64 ": name the process", (long)pid, of);
	if ((p->fd == -1 || (most > 0 && p->fd >= most - SPARE)) && proc_of(pid, &proc)) {
		p->known = 1;
		p->start = proc.start;
		drop(&p->fd);
	}
	watch_ended(p);
}

/* ---- the one place that sleeps ---- */

static struct {
	struct pollfd *p;
	size_t n, room;
} polled;

static void
poll_too(int fd, short events)
{
	if (fd == -1)
		return;
	polled.p = tool_grown(polled.p, polled.n, &polled.room, sizeof *polled.p);
	polled.p[polled.n].fd = fd;
	polled.p[polled.n].events = events;
	polled.p[polled.n++].revents = 0;
}

static void
poll_run(struct run *r)
{
	int ready = !r->relay || stderr_ready(0);

	if (r->pid == 0)
		return;
	poll_too(r->talk, POLLIN);
	if (ready)
		poll_too(r->out, POLLIN);
	if (ready)
		poll_too(r->err, POLLIN);
}

static void mind_aside(void);

/* Signals, -w, and what runs aside. May end the program; 1 when the look under way is to end, for the last one. */
static int
mind(void)
{
	char away[256];

	while (read(wake[0], away, sizeof away) > 0)
		;
	if (caught != 0)
		die_of_signal();
	if (aside.pid != 0)
		mind_aside();
	if (w.guarded && !w.guard_over && watch_ended(&w.guard)) {
		w.guard_over = 1;
		if (!w.over)
			w.deadline = child_now();
	}
	return w.guard_over && !w.over;
}

static void TOOL_NORETURN
give_up(int came_true)
{
	say_why(w.why, "process %ld (-w) has ended%s", (long)w.guard.pid, came_true ? "; it came true all the same" : "");
	finish(NO, "gave up", w.why);
}

/* One more hint may be taken for each HINT_EVERY gone by, HINTS of them at most. */
static void
allow_hints(int64_t now)
{
	int64_t more = (now - hints_at) / HINT_EVERY;

	if (more == 0)
		return;
	hints_left = more < HINTS - hints_left ? hints_left + (int)more : HINTS;
	hints_at = now;
}

/* Waits until a look is answered (a; its run is `looking`), a command has ended (r), one of n processes has ended (many), or
 * a hint has come (none of these), at most until `until`. 1 when it happened, 0 when time has passed; 2 when a hint came
 * and the answer did not. */
static int
attend(struct run *r, struct answer *a, const struct watch *many, size_t n, int64_t until)
{
	int64_t now, due, next;
	char away[4096];
	size_t i, from, k;
	int happened, hinted;

	for (;;) {
		if (mind())
			return 0;
		if (a != NULL && hear(&looking, a))
			return 1;
		if (a != NULL && looking.talk == -1)
			return 1;
		if (r != NULL) {
			take(r, &r->out, 0);
			take(r, &r->err, 1);
			if (reap(r))
				return 1;
		}
		now = child_now();
		if (now >= until)
			return 0;
		due = show(now);
		next = until < due ? until : due;
		allow_hints(now);
		polled.n = 0;
		poll_too(wake[0], POLLIN);
		if (w.guarded)
			poll_too(w.guard.fd, POLLIN);
		if (w.guarded && w.guard.fd == -1 && next > now + 100)
			next = now + 100;
		if (a != NULL)
			poll_run(&looking);
		if (r != NULL)
			poll_run(r);
		if (r != NULL && r->relay && next > now + 50 && !stderr_ready(0))
			next = now + 50;
		poll_run(&aside);
		from = polled.n;
		for (i = 0; i < n; i++)
			poll_too(many[i].fd, POLLIN);
		hinted = hints != -1 && r == NULL && (a == NULL || asked_patient);
		if (hinted && hints_left > 0)
			poll_too(hints, POLLIN);
		else if (hinted && next > hints_at + HINT_EVERY)
			next = hints_at + HINT_EVERY;
		next = next > now ? next - now : 0;
		poll(polled.p, (nfds_t)polled.n, (int)(next < 3600000 ? next : 3600000));
		happened = 0;
		for (i = from; i < polled.n; i++) {
			happened |= polled.p[i].revents != 0;
			if (polled.p[i].revents != 0 && polled.p[i].fd == hints) {
				/* not to its end: there may always be more */
				for (k = 0; k < 16 && read(hints, away, sizeof away) > 0; k++)
					;
				hints_left--;
			}
		}
		if (happened)
			return a != NULL ? 2 : 1;
	}
}

/* ---- files: done in the child that looks ---- */

struct seen_file {
	int64_t reread;			/* when its directory may be read again */
	int known;
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec changed, modified;
	int64_t since;
};

static struct seen_file *files;

/* The length of the directory that the first n bytes of path lie in. */
static size_t
parent(const char *path, size_t n)
{
	while (n > 0 && path[n - 1] != '/')
		n--;
	while (n > 1 && path[n - 1] == '/')
		n--;
	return n;
}

static int
hint_about(const char *path, size_t n)
{
	char dir[PATH_MAX];

	memcpy(dir, path, n);
	dir[n] = '\0';
	return linux_hint(hints, n > 0 ? dir : ".");
}

/* Asks for hints about the path, or about what is there of the way to it: from below upwards to what is there, then
 * once more from below, for what was made before the hint about its directory was asked for gives none. */
static void
hint_at(const char *path)
{
	size_t n = strlen(path), k, found = SIZE_MAX, last;

	if (hints == -1 || asked.by_itself || n >= PATH_MAX)
		return;
	hint_about(path, n);
	do {
		last = found;
		for (k = parent(path, n); hint_about(path, k) != 0 && k > 1; k = parent(path, k))
			;
		found = k;
	} while (found != last && found != parent(path, n));
}

/* Reads the directory of path, or the nearest that is there, up to the name that is missing: a client that believes in its
 * absence asks the server then. */
static void
reread_directory(const char *path)
{
	char way[PATH_MAX], *slash;
	size_t n = strlen(path);
	const char *name;
	struct dirent *e;
	struct stat st;
	DIR *d = NULL;

	if (n >= sizeof way)
		return;
	memcpy(way, path, n + 1);
	do {
		while (n > 1 && way[n - 1] == '/')
			way[--n] = '\0';
		slash = strrchr(way, '/');
		name = slash != NULL ? slash + 1 : way;
		n = (size_t)(name - way);
		if (n > 1)
			way[n - 1] = '\0';
		d = opendir(n > 1 ? way : n == 1 ? "/" : ".");
	} while (d == NULL && n-- > 1 && (errno == ENOENT || errno == ESTALE));
	if (d == NULL)
		return;
	fstat(dirfd(d), &st);
	while ((e = readdir(d)) != NULL && strcmp(e->d_name, name) != 0)
		;
	closedir(d);
}

/* stat that asks again, after its directory was read (not before *reread), before it says ENOENT. 0, or an errno. */
static int
look_at(const char *path, int64_t *reread, int links, struct stat *st)
{
	int64_t now = child_now(), took;

	if ((links ? lstat : stat)(path, st) == 0)
		return 0;
	if ((errno != ENOENT && errno != ESTALE) || now < *reread)
		return errno;
	reread_directory(path);
	took = child_now() - now;
	/* one of a hundred thousand names is not read every 5 s */
	*reread = now + (took * 1000 < REREAD ? REREAD : took < 60 ? took * 1000 : 60000);
	return (links ? lstat : stat)(path, st) == 0 ? 0 : errno;
}

/* Size and times as the server has them: on NFS only an open asks it. Regular files alone are opened. */
static void
believe(const char *path, struct stat *st)
{
	struct stat now;
	int fd;

	if (!S_ISREG(st->st_mode))
		return;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd == -1)
		return;		/* it exists all the same */
	if (fstat(fd, &now) == 0 && S_ISREG(now.st_mode))
		*st = now;
	close(fd);
}

static const char *
kind_of(const struct stat *st)
{
	return S_ISDIR(st->st_mode) ? "a directory" : S_ISFIFO(st->st_mode) ? "a FIFO" :
	    S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode) ? "a device" : S_ISSOCK(st->st_mode) ? "a socket" : "no regular file";
}

static int
later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* For how long the file has been as it is now. */
static int64_t
unchanged(struct seen_file *f, const struct stat *st)
{
	int64_t now = child_now();

	if (!f->known || f->dev != st->st_dev || f->ino != st->st_ino || f->size != st->st_size ||
	    later(&f->changed, &st->st_ctim) || later(&st->st_ctim, &f->changed) ||
	    later(&f->modified, &st->st_mtim) || later(&st->st_mtim, &f->modified)) {
		f->known = 1;
		f->dev = st->st_dev;
		f->ino = st->st_ino;
		f->size = st->st_size;
		f->changed = st->st_ctim;
		f->modified = st->st_mtim;
		f->since = now;
	}
	return now - f->since;
}

/* One path of `file`. */
static enum verdict
look_at_file(const char *path, struct seen_file *f, const struct stat *ref, struct answer *a)
{
	char buf[DUR_TEXT];
	int64_t stood;
	struct stat st;
	int e;

	hint_at(path);
	e = look_at(path, &f->reread, 0, &st);
	if (e != 0)
		f->known = 0;
	if (e == ENOENT || e == ESTALE || e == ENOTDIR) {
		say_why(a->why, "%s does not exist", path);
		return NOT_YET;
	}
	if (e != 0) {
		say_why(a->why, "%s: %s", path, strerror(e));
		return e == ENAMETOOLONG ? MISUSED : UNKNOWN;
	}
	if (w.size >= 0 || w.stable >= 0 || ref != NULL)
		believe(path, &st);
	if (w.size >= 0 && !S_ISREG(st.st_mode)) {
		say_why(a->why, "%s is %s", path, kind_of(&st));
		return NOT_YET;
	}
	stood = w.stable >= 0 ? unchanged(f, &st) : 0;
	if (w.size >= 0 && st.st_size < w.size) {
		say_why(a->why, "%s has %" PRId64 " of %" PRId64 " bytes", path, (int64_t)st.st_size, w.size);
		return NOT_YET;
	}
	if (ref != NULL && !later(&st.st_mtim, &ref->st_mtim)) {
		say_why(a->why, "%s is not newer than %s", path, w.newer);
		return NOT_YET;
	}
	if (stood < w.stable) {
		say_why(a->why, "%s has not stood still for %s yet", path, span(w.stable, buf));
		if (a->again < w.stable - stood)
			a->again = w.stable - stood;
		return NOT_YET;
	}
	return CAME_TRUE;
}

static void
look_at_files(struct answer *a)
{
	static size_t at;
	static int64_t reread;
	struct stat ref;
	enum verdict v;
	struct answer first;
	size_t i, k;
	int e;

	if (w.newer != NULL) {
		e = look_at(w.newer, &reread, 0, &ref);
		if (e != 0) {
			a->verdict = e == ENOENT || e == ENOTDIR ? MISUSED : UNKNOWN;
			say_why(a->why, "--newer %s: %s", w.newer, strerror(e));
			return;
		}
		believe(w.newer, &ref);
	}
	a->verdict = CAME_TRUE;
	/* the one that was missed last first; all must be there in one look. Of a file that is to stand still every
	 * change must be seen, so all are looked at */
	for (i = 0; i < w.n; i++) {
		k = (at + i) % w.n;
		v = look_at_file(w.operand[k], &files[k], w.newer != NULL ? &ref : NULL, a);
		if (v == CAME_TRUE)
			continue;
		if (a->verdict == CAME_TRUE) {
			a->verdict = v;
			first = *a;
			at = k;
		}
		if (w.stable < 0)
			return;
	}
	if (a->verdict != CAME_TRUE)
		memcpy(a->why, first.why, WHY);
}

static void
look_for_none(struct answer *a)
{
	static size_t at;
	struct stat st;
	size_t i, k;
	int e;

	for (i = 0; i < w.n; i++) {
		k = (at + i) % w.n;
		hint_at(w.operand[k]);
		e = look_at(w.operand[k], &files[k].reread, 1, &st);
		if (e == ENOENT || e == ENOTDIR || e == ESTALE)
			continue;
		at = k;
		if (e == 0)
			say_why(a->why, "%s is still there", w.operand[k]);
		else
			say_why(a->why, "%s: %s", w.operand[k], strerror(e));
		a->verdict = e == 0 ? NOT_YET : e == ENAMETOOLONG ? MISUSED : UNKNOWN;
		return;
	}
	a->verdict = CAME_TRUE;
}

/* ---- a log ---- */

static regex_t wanted, unwanted;

static struct {
	int fd;			/* -1: none open */
	dev_t dev;
	ino_t ino;
	off_t at;		/* what was read up to */
	char tail[64];		/* the last bytes of that: they differ when it was truncated and written anew */
	size_t ntail;
	char *line;
	size_t n, number;
	int rest, cut;		/* the line began before what is read, goes on after what is kept */
	int tried;		/* the line without its newline was looked at as it is */
	int64_t grown;
	int began;
	int64_t reread;
} logfile = { .fd = -1 };

/* A line that could not be matched for want of memory is not one that does not match. */
static int
matches(const regex_t *re, const char *s)
{
	int e;

	errno = 0;	/* glibc says REG_NOMATCH then as well */
	e = regexec(re, s, 0, NULL, (logfile.rest ? REG_NOTBOL : 0) | (logfile.cut ? REG_NOTEOL : 0));
	if (e != 0 && (e != REG_NOMATCH || errno == ENOMEM))
		tool_die(TROUBLE, "no memory to match line %zu", logfile.number + 1);
	return e == 0;
}

/* One line, without its newline. */
static enum verdict
match_line(struct answer *a)
{
	size_t i, n = logfile.n;
	char *s = logfile.line, was;
	enum verdict v = NOT_YET;
	char word[TOOL_WORD];

	if (n > 0 && s[n - 1] == '\r' && !logfile.cut)
		n--;
	for (i = 0; i < n; i++)
		if (s[i] == '\0')
			s[i] = '\1';	/* regexec would stop there */
	was = s[n];
	s[n] = '\0';
	if (w.fail != NULL && matches(&unwanted, s))
		v = NEVER;
	else if (matches(&wanted, s))
		v = CAME_TRUE;
	s[n] = was;
	if (v == NEVER)
		say_why(a->why, "line %zu matches --fail: %s", logfile.number + 1, tool_word(word, s, n));
	else if (v == CAME_TRUE)
		say_why(a->why, "line %zu: %s", logfile.number + 1, tool_word(word, s, n));
	return v;
}

static void
forget_log(void)
{
	logfile.at = 0;
	logfile.ntail = logfile.n = logfile.number = 0;
	logfile.rest = logfile.cut = logfile.tried = 0;
}

static void
remember_tail(const char *s, size_t n)
{
	size_t keep = sizeof logfile.tail;

	if (n >= keep) {
		memcpy(logfile.tail, s + n - keep, keep);
		logfile.ntail = keep;
		return;
	}
	if (logfile.ntail + n > keep) {
		memmove(logfile.tail, logfile.tail + logfile.ntail + n - keep, keep - n);
		logfile.ntail = keep - n;
	}
	memcpy(logfile.tail + logfile.ntail, s, n);
	logfile.ntail += n;
}

/* Reads what is new. NOT_YET at its end, MORE when there is more than one answer should wait for. */
static enum verdict
read_log(struct answer *a)
{
	char part[65536];
	size_t done = 0, from, len;
	enum verdict v;
	char *end;
	ssize_t got;

	if (logfile.line == NULL)
		logfile.line = tool_realloc(NULL, LINE + 1, 1);
	for (;;) {
		got = pread(logfile.fd, part, sizeof part, logfile.at);
		if (got == -1 && errno == EINTR)
			continue;
		if (got == -1) {
			say_why(a->why, "%s: %s", w.operand[0], strerror(errno));
			return UNKNOWN;
		}
		if (got == 0)
			return NOT_YET;
		logfile.at += got;
		remember_tail(part, (size_t)got);
		logfile.grown = child_now();
		logfile.tried = 0;
		for (from = 0; from < (size_t)got; from += len) {
			end = memchr(part + from, '\n', (size_t)got - from);
			len = end != NULL ? (size_t)(end - part) - from : (size_t)got - from;
			if (len > LINE - logfile.n) {
				memcpy(logfile.line + logfile.n, part + from, LINE - logfile.n);
				logfile.n = LINE;
				logfile.cut = 1;
			} else {
				memcpy(logfile.line + logfile.n, part + from, len);
				logfile.n += len;
			}
			if (end == NULL)
				continue;
			len++;
			v = match_line(a);
			if (v != NOT_YET)
				return v;
			logfile.n = 0;
			logfile.rest = logfile.cut = 0;
			logfile.number++;
		}
		done += (size_t)got;
		if (done >= GULP)
			return MORE;
	}
}

/* What stands at the end without a newline counts once it has stood there, or when there is no other look. */
static enum verdict
match_rest(struct answer *a, int last)
{
	int64_t stood = child_now() - logfile.grown;

	if (logfile.n == 0 || logfile.tried)
		return NOT_YET;
	if (!last && stood < STANDS) {
		a->again = STANDS - stood;
		return NOT_YET;
	}
	logfile.tried = 1;
	return match_line(a);
}

/* Was the file truncated, or truncated and written anew? */
static int
log_is_anew(const struct stat *st)
{
	char tail[sizeof logfile.tail];

	if (st->st_size < logfile.at)
		return 1;
	return logfile.ntail > 0 && (pread(logfile.fd, tail, logfile.ntail, logfile.at - (off_t)logfile.ntail) !=
	    (ssize_t)logfile.ntail || memcmp(tail, logfile.tail, logfile.ntail) != 0);
}

/* --new: from the end on. The last bytes there say whether it was written anew, and whether a line goes on. */
static void
skip_old(off_t size)
{
	char tail[sizeof logfile.tail];
	size_t n = size < (off_t)sizeof tail ? (size_t)size : sizeof tail;
	ssize_t got = pread(logfile.fd, tail, n, size - (off_t)n);

	if (got >= 0 && (size_t)got < n)
		return;		/* truncated since: all of it is new */
	logfile.at = size;
	if (got == -1 || n == 0)
		return;		/* what cannot be read now is said by the reading that follows */
	remember_tail(tail, n);
	logfile.rest = tail[n - 1] != '\n';
}

/* Opens the file that has the name now; what an older one still had is read first. */
static enum verdict
open_log(struct answer *a)
{
	const char *path = w.operand[0];
	struct stat st;
	enum verdict v;
	int e, fd;

	e = look_at(path, &logfile.reread, 0, &st);
	if (e == 0 && S_ISREG(st.st_mode)) {
		fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		e = fd == -1 ? errno : fstat(fd, &st) != 0 ? errno : 0;
		if (e != 0 && fd != -1)
			close(fd);
	} else
		fd = -1;
	if (e == ENOENT || e == ESTALE || e == ENOTDIR)
		say_why(a->why, "%s does not exist", path);
	else if (e != 0)
		say_why(a->why, "%s: %s", path, strerror(e));
	else if (!S_ISREG(st.st_mode)) {
		say_why(a->why, "%s is %s", path, kind_of(&st));
		if (fd != -1)
			close(fd);
		fd = -1;
	}
	if (logfile.fd != -1 && (fd == -1 || st.st_dev != logfile.dev || st.st_ino != logfile.ino)) {
		v = read_log(a);
		if (v == NOT_YET)
			v = match_rest(a, 1);
		if (v != NOT_YET) {
			if (fd != -1)
				close(fd);
			return v;
		}
		close(logfile.fd);
		logfile.fd = -1;
		forget_log();
	}
	if (fd == -1) {
		logfile.began = 1;
		return e == 0 || e == ENOENT || e == ESTALE || e == ENOTDIR ? NOT_YET : e == ENAMETOOLONG ? MISUSED : UNKNOWN;
	}
	if (logfile.fd != -1)
		close(logfile.fd);	/* the newer descriptor is the one that asked the server */
	logfile.fd = fd;
	logfile.dev = st.st_dev;
	logfile.ino = st.st_ino;
	if (w.only_new && !logfile.began)
		skip_old(st.st_size);
	logfile.began = 1;
	if (log_is_anew(&st))
		forget_log();
	v = read_log(a);
	if (v == NOT_YET)
		v = match_rest(a, asked.now.last);
	if (v == NOT_YET)
		say_why(a->why, "%zu lines read, none matches", logfile.number + (logfile.n > 0));
	return v;
}

static void
look_at_log(struct answer *a)
{
	hint_at(w.operand[0]);
	a->verdict = open_log(a);
}

/* ---- a Unix socket ---- */

/* Connects to the name in the present directory (or an absolute path). 0, or an errno. */
static int
connect_unix(const char *name, int type)
{
	struct sockaddr_un un;
	int fd, e = 0;

	memset(&un, 0, sizeof un);
	un.sun_family = AF_UNIX;
	if (strlen(name) >= sizeof un.sun_path)
		return ENAMETOOLONG;
	memcpy(un.sun_path, name, strlen(name));
	fd = socket(AF_UNIX, type, 0);
	if (fd == -1)
		return errno;
	fcntl(fd, F_SETFL, O_NONBLOCK);
	if (connect(fd, (struct sockaddr *)&un, sizeof un) != 0)
		e = errno;
	close(fd);
	return e;
}

static void
look_at_socket(struct answer *a)
{
	const char *path = w.operand[0], *name = strrchr(path, '/');
	static int64_t reread;
	char dir[PATH_MAX];
	int here = -1, e;
	struct stat st;
	size_t n;

	hint_at(path);
	e = look_at(path, &reread, 0, &st);
	/* longer than the address takes: from inside its directory */
	if (e == 0 && name != NULL && strlen(path) >= sizeof ((struct sockaddr_un *)0)->sun_path) {
		n = (size_t)(name - path);
		if (n >= sizeof dir)
			e = ENAMETOOLONG;
		else {
			memcpy(dir, path, n);
			dir[n] = '\0';
			here = open(".", O_RDONLY | O_CLOEXEC);
			if (here == -1 || chdir(dir) != 0)
				e = errno;
			path = name + 1;
		}
	}
	if (e == 0)
		e = connect_unix(path, SOCK_STREAM);
	if (e == EPROTOTYPE)
		e = connect_unix(path, SOCK_SEQPACKET);
	if (here != -1) {
		if (fchdir(here) != 0)
			e = errno;
		close(here);
	}
	if (e == 0) {
		a->verdict = CAME_TRUE;
		return;
	}
	say_why(a->why, "%s: %s", w.operand[0], strerror(e));
	a->verdict = e == ENOENT || e == ESTALE || e == ENOTDIR || e == ECONNREFUSED || e == EAGAIN || e == EPROTOTYPE ||
	    e == ECONNRESET ? NOT_YET : e == ENAMETOOLONG ? MISUSED : UNKNOWN;
}

/* ---- the network ---- */

static struct {
	char *host;		/* NULL: this machine */
	char port[24];
	char *request;		/* NULL: a connection is all that is wanted */
	size_t n;
	unsigned char good[600];
	int local;
} net;

struct conn {
	int fd, connected;
	size_t sent, n;
	int64_t silent;		/* since when nothing happened */
	char buf[4096];
};

/* The status of the answer so far: 0 not to be seen yet, -1 it is not HTTP. 1xx is passed over. */
static int
http_status(struct conn *c)
{
	static const char begin[] = "HTTP/0.0 000";
	size_t i, k;
	char *s = c->buf;

	for (;;) {
		for (i = 0; i < c->n && i + 1 < sizeof begin; i++)
			if (begin[i] == '0' ? s[i] < '0' || s[i] > '9' : s[i] != begin[i])
				return -1;
		if (c->n < sizeof begin)
			return 0;
		if (memchr(" \r\n", s[12], 3) == NULL)
			return -1;
		k = (size_t)(s[9] - '0') * 100 + (size_t)(s[10] - '0') * 10 + (size_t)(s[11] - '0');
		if (k >= 200 || k == 101 || k < 100)
			return (int)k;
		for (i = 0; i + 1 < c->n && !(s[i] == '\n' && (s[i + 1] == '\n' || (s[i + 1] == '\r' && i + 2 < c->n))); i++)
			;
		if (i + 1 >= c->n)
			return c->n < sizeof c->buf ? 0 : -1;
		i += s[i + 1] == '\n' ? 2 : 3;
		c->n -= i;
		memmove(s, s + i, c->n);
	}
}

/* A connection to a free port in the range that clients get theirs from can meet itself. */
static int
met_itself(int fd)
{
	struct sockaddr_storage here, there;
	socklen_t n = sizeof here, m = sizeof there;

	memset(&here, 0, sizeof here);
	memset(&there, 0, sizeof there);
	return getsockname(fd, (struct sockaddr *)&here, &n) == 0 && getpeername(fd, (struct sockaddr *)&there, &m) == 0 &&
	    n == m && memcmp(&here, &there, n) == 0;
}

static void
begin_conn(struct conn *c, const struct addrinfo *ai, char *why)
{
	c->fd = socket(ai->ai_family, ai->ai_socktype, ai->ai_protocol);
	c->connected = 0;
	c->sent = c->n = 0;
	c->silent = child_now();
	if (c->fd == -1) {
		say_why(why, "%s", strerror(errno));
		return;
	}
	fcntl(c->fd, F_SETFL, O_NONBLOCK);
	if (connect(c->fd, ai->ai_addr, ai->ai_addrlen) == 0 || errno == EINPROGRESS || errno == EINTR)
		return;
	say_why(why, "%s", strerror(errno));
	drop(&c->fd);
}

/* Goes on with a connection that is ready. CAME_TRUE, or NOT_YET with the connection closed where it is of no use. */
static enum verdict
go_on(struct conn *c, char *why)
{
	int e = 0, status;
	socklen_t n = sizeof e;
	ssize_t got;

	c->silent = child_now();
	if (!c->connected) {
		if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &e, &n) != 0)
			e = errno;
		if (e == 0 && met_itself(c->fd))
			e = ECONNREFUSED;
		if (e != 0) {
			say_why(why, "%s", strerror(e));
			drop(&c->fd);
			return NOT_YET;
		}
		c->connected = 1;
		if (net.request == NULL)
			return CAME_TRUE;
	}
	if (c->sent < net.n) {
		while ((got = send(c->fd, net.request + c->sent, net.n - c->sent, MSG_NOSIGNAL)) == -1 && errno == EINTR)
			;
		if (got > 0)
			c->sent += (size_t)got;
		if (got > 0 || errno == EAGAIN || errno == EWOULDBLOCK)
			return NOT_YET;
	}
	got = -1;
	while (c->sent == net.n && (got = recv(c->fd, c->buf + c->n, sizeof c->buf - c->n, 0)) == -1 && errno == EINTR)
		;
	if (got == -1 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return NOT_YET;
	if (got > 0) {
		c->n += (size_t)got;
		status = http_status(c);
		if (status > 0 && net.good[status < 600 ? status : 0])
			return CAME_TRUE;
		if (status == 0 && c->n < sizeof c->buf)
			return NOT_YET;
		if (status > 0)
			say_why(why, "the answer is %d%s", status, status >= 300 && status < 400 ? ", a redirect" : "");
		else
			say_why(why, "the answer is no HTTP");
	} else
		say_why(why, "%s", got == 0 ? "the connection was closed without an answer" : strerror(errno));
	drop(&c->fd);
	return NOT_YET;
}

/* The addresses; those found are believed for a while. NULL and why where there are none. */
static struct addrinfo *
resolve(struct answer *a)
{
	static struct addrinfo *found;
	static int64_t at;
	struct addrinfo hint;
	ssize_t put;
	int e;

	if (found != NULL && child_now() - at < RESOLVED)
		return found;
	if (found != NULL)
		freeaddrinfo(found);
	found = NULL;
	if (net.host != NULL) {
		a->verdict = STILL;
		say_why(a->why, "%s does not resolve: the resolver does not answer", net.host);
		while ((put = send(asked.talk, a, sizeof *a, MSG_NOSIGNAL)) == -1 && errno == EINTR)
			;
		if (put != sizeof *a)
			_exit(0);
	}
	memset(&hint, 0, sizeof hint);
	hint.ai_socktype = SOCK_STREAM;
	e = getaddrinfo(net.host, net.port, &hint, &found);
	at = child_now();
	if (e == 0 && found != NULL)
		return found;
	found = NULL;
	say_why(a->why, "%s does not resolve: %s", net.host != NULL ? net.host : "this machine",
	    e == EAI_SYSTEM ? strerror(errno) : gai_strerror(e));
	return NULL;
}

/* Tries the addresses, each a little after the one before, or at once when that one has failed. */
static void
look_at_net(struct answer *a)
{
	static struct conn conn[ADDRESSES];
	struct addrinfo *ai = resolve(a);
	struct pollfd p[ADDRESSES + 1];
	int which[ADDRESSES + 1];
	int64_t now, next, wait, until = asked.now.until;
	int i, n = 0, np, open_ones;

	a->verdict = NOT_YET;
	if (ai == NULL)
		return;
	say_why(a->why, "no address");
	next = child_now();
	for (;;) {
		now = child_now();
		for (i = open_ones = 0; i < n; i++) {
			if (conn[i].fd != -1 && now - conn[i].silent >= SILENCE) {
				say_why(a->why, conn[i].connected ? "it accepts and says nothing" : "no reply");
				drop(&conn[i].fd);
			}
			open_ones += conn[i].fd != -1;
		}
		while (ai != NULL && n < ADDRESSES && (open_ones == 0 || now >= next)) {
			begin_conn(&conn[n], ai, a->why);
			open_ones += conn[n++].fd != -1;
			ai = ai->ai_next;
			next = now + STAGGER;
		}
		if (open_ones == 0 || now >= until)
			break;
		for (i = np = 0; i < n; i++)
			if (conn[i].fd != -1) {
				p[np].fd = conn[i].fd;
				p[np].events = conn[i].connected && conn[i].sent >= net.n ? POLLIN : POLLOUT;
				p[np].revents = 0;
				which[np++] = i;
			}
		p[np].fd = asked.talk;	/* when we are gone nobody needs the answer */
		p[np].events = POLLIN;
		p[np].revents = 0;
		wait = (until < now + 1000 ? until : now + 1000) - now;
		if (ai != NULL && n < ADDRESSES && next - now < wait)
			wait = next - now;
		poll(p, (nfds_t)np + 1, (int)(wait > 0 ? wait : 0));
		if (p[np].revents & (POLLHUP | POLLERR))
			_exit(0);
		for (i = 0; i < np; i++)
			if (p[i].revents != 0 && go_on(&conn[which[i]], a->why) == CAME_TRUE) {
				a->verdict = CAME_TRUE;
				a->why[0] = '\0';
				break;
			}
		if (a->verdict == CAME_TRUE)
			break;
	}
	for (i = 0; i < n; i++) {
		if (conn[i].fd != -1 && a->verdict != CAME_TRUE)
			say_why(a->why, conn[i].connected ? "it accepts and says nothing" : "no reply");
		drop(&conn[i].fd);
	}
}

/* ---- looks of the parent ---- */

static void
ask(int patient)
{
	struct question q;
	ssize_t put;

	memset(&q, 0, sizeof q);
	q.last = asked_last = w.over;
	q.patient = asked_patient = patient;
	q.until = w.over ? w.bound - 30 : patient && w.bound > child_now() + 60000 ? child_now() + 60000 : w.bound;
	while ((put = send(looking.talk, &q, sizeof q, MSG_NOSIGNAL)) == -1 && errno == EINTR)
		;
	owed++;
}

/* Asks the child that looks, and hears its answer. After the first one it is left to look by itself, until the answer
 * is another, a hint comes or the time is up: that halves what an hour of waiting costs. */
static enum verdict
look_apart(void)
{
	static int patient;
	struct answer a;
	int got;

	for (;;) {
		if (owed == 0 || (w.over && !asked_last))
			ask(patient && !w.over && quick == 0);
		got = attend(NULL, &a, NULL, 0, w.bound);
		if (got == 0)
			return BUSY;
		if (got == 2) {
			quick = w.condition->quick;
			ask(0);
			continue;
		}
		if (looking.talk == -1) {
			say_why(w.why, "the process that looks was killed");
			return GIVE_UP;
		}
		owed--;
		memcpy(w.why, a.why, WHY);
		w.again = a.again;
		patient = 1;
		if (a.verdict != NOT_YET && a.verdict != UNKNOWN && a.verdict != MORE)
			return a.verdict;
		if (a.verdict == NOT_YET)
			w.answered = 1;
		if (owed > 0 || (w.over && !asked_last))
			continue;	/* what was asked later is to be heard too */
		if (a.verdict == MORE)
			asked_last = 0;
		return a.verdict;
	}
}

static struct watch *pids;
static size_t npids;

static enum verdict
look_at_pids(void)
{
	size_t i, alive = 0, n = 0;

	for (i = 0; i < npids; i++)
		if (!watch_ended(&pids[i])) {
			if (alive < 5)
				n += (size_t)snprintf(w.why + n, WHY - n, " %ld", (long)pids[i].pid);
			alive++;
		}
	if (alive == 0) {
		w.why[0] = '\0';
		return CAME_TRUE;
	}
	snprintf(w.why + n, WHY - n, "%s still there, %zu of %zu", alive > 5 ? " ..." : "", alive, npids);
	memmove(w.why, w.why + 1, strlen(w.why));
	return NOT_YET;
}

/* The processes of a group: one that lives is enough to know that the group does, so only when that one is gone /proc
 * is read through for another. */
static struct {
	int64_t id;
	struct watch one;
	int have;
	int leader;		/* at first there was one, */
	uint64_t start;		/* begun then: another start is another group */
} group;

static enum verdict
look_for_member(void)
{
	struct proc p;
	struct dirent *e;
	int found = 0, dead = 0, hidden;
	uint64_t pid;
	DIR *d = opendir("/proc");

	while (d != NULL && !found && (errno = 0, e = readdir(d)) != NULL) {
		if (num_u64(e->d_name, strlen(e->d_name), INT_MAX, &pid) != NUM_OK || !read_proc(e->d_name, &p) ||
		    p.group != group.id)
			continue;
		if (proc_ended(&p)) {
			dead++;
			continue;
		}
		found = 1;
		memset(&group.one, 0, sizeof group.one);
		group.one.pid = (pid_t)pid;
		group.one.fd = linux_pidfd((pid_t)pid);
		group.one.known = 1;
		group.one.start = p.start;
	}
	hidden = d == NULL || errno != 0;	/* not all of /proc was read */
	if (d != NULL)
		closedir(d);
	group.have = found;
	/* where another's process 1 cannot be seen, other members may be hidden too */
	hidden |= !proc_of(1, &p);
	return found || dead == 0 || hidden ? NOT_YET : CAME_TRUE;
}

static enum verdict
look_at_group(void)
{
	struct proc p;

	say_why(w.why, "there are processes in it");
	if (kill((pid_t)-group.id, 0) == -1 && errno == ESRCH) {
		w.why[0] = '\0';
		return CAME_TRUE;
	}
	if (group.leader && proc_of((pid_t)group.id, &p) && p.start != group.start) {
		say_why(w.why, "its number belongs to another now");
		return CAME_TRUE;
	}
	if (group.have && !watch_ended(&group.one) && (!proc_of(group.one.pid, &p) || p.group == group.id)) {
		say_why(w.why, "process %ld is in it", (long)group.one.pid);
		return NOT_YET;
	}
	if (group.have)
		drop(&group.one.fd);
	group.have = 0;
	if (look_for_member() == CAME_TRUE) {
		w.why[0] = '\0';
		return CAME_TRUE;
	}
	if (group.have)
		say_why(w.why, "process %ld is in it", (long)group.one.pid);
	return NOT_YET;
}

static char **command;
static int64_t command_took;

static enum verdict
look_by_command(void)
{
	static int64_t began;
	enum verdict v = NOT_YET;
	int code;

	if (looking.pid == 0) {
		began = child_now();
		start_command(&looking, command, NULL, 1);
	}
	if (!attend(&looking, NULL, NULL, 0, w.bound)) {
		say_why(w.why, "the command is not through");
		return BUSY;
	}
	command_took = child_now() - began;
	if (looking.error != 0) {
		say_why(w.why, "the command cannot be run: %s", strerror(looking.error));
		v = MISUSED;
	} else if (WIFSIGNALED(looking.status))
		say_why(w.why, "the command was killed by signal %d", WTERMSIG(looking.status));
	else {
		code = WEXITSTATUS(looking.status);
		say_why(w.why, "the command ended with %d", code);
		if (code == CANNOTRUN || code == NOTFOUND)
			v = MISUSED;
		if (code == 0) {
			v = CAME_TRUE;
			w.why[0] = '\0';
		}
	}
	end_run(&looking, 1);
	return v;
}

/* ---- Slurm: asking ---- */

enum said {
	ROWS,		/* an answer: what it does not list is not there */
	INVALID,	/* no such id */
	NO_ANSWER,	/* no contact, time-out, an error */
	LIMITED,	/* told off: ask less often */
	FATAL,		/* there is no Slurm here, or no accounting */
	BAD_OPTION
};

/* In the child. */
static void
clean_environment(void)
{
	if (child_environment() != 0)
		_exit(NOTFOUND);
}

static int
holds(const char *text, const char *part)
{
	size_t n = strlen(part);

	for (; *text != '\0'; text++)
		if (strncasecmp(text, part, n) == 0)
			return 1;
	return 0;
}

/* The last line of text that is not empty, as a word of a message. */
static void
last_line(const char *who, const char *text, char *why)
{
	size_t end = strlen(text), from;

	while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == ' '))
		end--;
	for (from = end; from > 0 && text[from - 1] != '\n'; from--)
		;
	if (end == from)
		say_why(why, "%s failed and said nothing", who);
	else
		say_why(why, "%s said: %.*s", who, (int)(end - from < 180 ? end - from : 180), text + from);
}

/* What the run means, by what it says: its status tells nothing apart. Without an answer w.why says why. */
static enum said
understand(const struct run *r, const char *who)
{
	static const struct { const char *part; enum said said; } known[] = {
		{ "invalid job id", INVALID }, { "invalid job array", INVALID }, { "rate limit", LIMITED },
		{ "unrecognized option", BAD_OPTION }, { "known by database", FATAL }, { "accounting storage is disabled", FATAL },
		{ "could not establish a configuration source", FATAL }, { "unable to process configuration file", FATAL },
		{ "fatal:", FATAL }
	};
	const char *err = r->text[1] != NULL ? r->text[1] : "";
	size_t i;

	if (r->error == ENOENT || (r->error == 0 && WIFEXITED(r->status) && WEXITSTATUS(r->status) == NOTFOUND)) {
		say_why(w.why, "there is no %s here", who);
		return FATAL;
	}
	if (r->error != 0) {
		say_why(w.why, "%s cannot be run: %s", who, strerror(r->error));
		return FATAL;
	}
	for (i = 0; i < sizeof known / sizeof known[0]; i++)
		if (holds(err, known[i].part)) {
			last_line(who, err, w.why);
			return known[i].said;
		}
	if (r->cut) {
		say_why(w.why, "%s said more than %d bytes", who, OUTPUT);
		return NO_ANSWER;
	}
	if (!WIFEXITED(r->status) || WEXITSTATUS(r->status) != 0 || holds(err, "error:")) {
		last_line(who, err, w.why);
		return NO_ANSWER;
	}
	return ROWS;
}

/* Runs squeue or sacct in `looking`, whose text is then to be read before end_run. */
static enum said
ask_slurm(char *const argv[])
{
	int64_t until = child_now() + SLURM_LIMIT;
	char buf[DUR_TEXT];
	int64_t from = child_now();

	if (until > w.bound)
		until = w.bound;
	start_command(&looking, argv, clean_environment, 0);
	if (!attend(&looking, NULL, NULL, 0, until)) {
		end_run(&looking, 0);
		say_why(w.why, "%s did not answer within %s", argv[0], span(child_now() - from, buf));
		return NO_ANSWER;
	}
	return understand(&looking, argv[0]);
}

/* How many ask like us: the tasks of our array, 40 at least. */
static int64_t
crowd(void)
{
	const char *count = getenv("SLURM_ARRAY_TASK_COUNT");
	uint64_t tasks = 0;

	if (count == NULL || num_u64(count, strlen(count), TASKS, &tasks) != NUM_OK || tasks < CROWD)
		return CROWD;
	return (int64_t)tasks;
}

/* When slurmctld may be asked again: 2 and 10 s after the start, then after 32 to 60 s; with more than 40 tasks in our array
 * later in proportion, up to 5 min, and then each at another time from the first on: they began together. */
static int64_t
next_call(int looks, enum said said)
{
	int64_t now = child_now(), at, from = 32000, to = 60000, tasks = crowd();

	if (w.interval >= 0)
		return now + w.interval;
	if (looks <= 2) {
		at = (looks == 1 ? 2000 : 10000) * tasks / CROWD;
		if (at > 200000)
			at = 200000;
		at = w.start + at + (tasks > CROWD ? some(at / 2) : 0);
		if (at < now + 2000)
			at = now + 2000;
	} else {
		from = from * tasks / CROWD;
		to = to * tasks / CROWD;
		if (to > 300000) {
			to = 300000;
			from = from < 240000 ? from : 240000;
		}
		at = now + from + some(to - from);
	}
	if (said == LIMITED && at < now + 60000)
		at = now + 60000 + some(30000);
	return at;
}

/* The words of a call: `fixed`, one more, -M and the cluster, -j and the list; of the last three what is not NULL. */
static char **
slurm_argv(const char *const *fixed, const char *more, char *cluster, char *list)
{
	static char cluster_option[] = "-M", j[] = "-j";
	static char **argv;
	size_t n = 0;

	argv = tool_realloc(argv, 20, sizeof *argv);
	for (; *fixed != NULL; fixed++)
		argv[n++] = (char *)(uintptr_t)*fixed;	/* exec does not write to it */
	if (more != NULL)
		argv[n++] = (char *)(uintptr_t)more;
	if (cluster != NULL) {
		argv[n++] = cluster_option;
		argv[n++] = cluster;
	}
	if (list != NULL) {
		argv[n++] = j;
		argv[n++] = list;
	}
	argv[n] = NULL;
	return argv;
}

/* ---- Slurm: what a job has left ---- */

/* The next field of a record up to `to`, past its delimiter. */
static const char *
next_field(const char **at, const char *to, char delimiter, size_t *n)
{
	const char *s = *at, *end = memchr(s, delimiter, (size_t)(to - s));

	*n = (size_t)((end != NULL ? end : to) - s);
	*at = end != NULL ? end + 1 : to;
	return s;
}

/* The row of job id in `squeue -o %A|%T|%L`. 0 and *left (ms, NEVER_ENDS without a limit), or -1. */
static int
parse_left(const char *text, const char *id, int64_t *left)
{
	const char *s, *at, *end, *field[3];
	size_t i, n[3];

	for (s = text; s != NULL && *s != '\0'; s = *end != '\0' ? end + 1 : end) {
		end = s + strcspn(s, "\n");
		for (i = 0, at = s; i < 3; i++)
			field[i] = next_field(&at, end, '|', &n[i]);
		if (n[0] != strlen(id) || memcmp(s, id, n[0]) != 0 || strncmp(field[1], "PENDING", 7) == 0)
			continue;
		if (strncmp(field[2], "UNLIMITED", 9) == 0)
			*left = NEVER_ENDS;
		else if (strncmp(field[2], "INVALID", 7) == 0)
			*left = 0;	/* past its limit */
		else
			*left = dur_sacct(field[2], strcspn(field[2], " \n"));
		return *left < 0 ? -1 : 0;
	}
	return -1;
}

/* By the environment: 1 and *left, or 0. */
static int
left_by_environment(int64_t *left)
{
	const char *s = getenv("SLURM_JOB_END_TIME");
	int64_t now = (int64_t)time(NULL);
	uint64_t end;

	if (s == NULL || num_u64(s, strlen(s), UINT64_C(1) << 40, &end) != NUM_OK || end == 0)
		return 0;
	*left = ((int64_t)end - now) * 1000;
	if (*left > DUR_MAX)
		*left = NEVER_ENDS;
	if (*left < 0)
		*left = 0;
	return 1;
}

/* The words of squeue's call about the job we are in; NULL where we are in none. */
static char **
left_argv(void)
{
	static const char *const fixed[] = { "squeue", "-h", "-a", "-o", "%A|%T|%L", NULL };
	char *id = getenv("SLURM_JOB_ID");
	uint64_t v;

	return id != NULL && num_u64(id, strlen(id), UINT32_MAX, &v) == NUM_OK ? slurm_argv(fixed, "--local", NULL, id) : NULL;
}

/* By SLURM_JOB_END_TIME, else squeue: CAME_TRUE and *left; UNKNOWN, GIVE_UP or MISUSED and w.why. */
static enum verdict
job_left(int64_t *left, enum said *said)
{
	const char *end = getenv("SLURM_JOB_END_TIME"), *id = getenv("SLURM_JOB_ID");
	char **argv = left_argv(), word[TOOL_WORD], other[TOOL_WORD];

	*said = ROWS;
	if (left_by_environment(left))
		return CAME_TRUE;
	if (argv == NULL) {
		if (end != NULL)
			tool_word(word, end, strlen(end));
		if (id != NULL)
			tool_word(other, id, strlen(id));
		if (end == NULL && id == NULL)
			say_why(w.why, "this is no job: neither SLURM_JOB_END_TIME nor SLURM_JOB_ID is set");
		else if (end == NULL)
			say_why(w.why, "SLURM_JOB_END_TIME is not set, and SLURM_JOB_ID=%s: no number of a job", other);
		else if (id == NULL)
			say_why(w.why, "SLURM_JOB_END_TIME=%s, and SLURM_JOB_ID is not set: no time in seconds since 1970", word);
		else
			say_why(w.why, "SLURM_JOB_END_TIME=%s, and SLURM_JOB_ID=%s: no time in seconds since 1970, no number of a job",
			    word, other);
		return MISUSED;
	}
	*said = ask_slurm(argv);
	if (*said == ROWS && parse_left(looking.text[0], id, left) != 0) {
		say_why(w.why, "squeue does not say what job %s has left", id);
		*said = NO_ANSWER;
	}
	end_run(&looking, 0);
	return *said == ROWS ? CAME_TRUE : *said == FATAL ? GIVE_UP : UNKNOWN;
}

/* Warns where the wait may be longer than the job. */
static void
compare_left(int64_t left)
{
	char a[DUR_TEXT], b[DUR_TEXT];

	left += child_now() - w.start;
	if (!w.quiet && left < w.limit)
		say("-t %s is longer than what the job has left: %s of %s", w.limit_word, span(left, a), span(w.limit, b));
}

/* squeue beside the wait, for the warning alone. */
static void
mind_aside(void)
{
	const char *id = getenv("SLURM_JOB_ID");
	int64_t left;

	take(&aside, &aside.out, 0);
	take(&aside, &aside.err, 1);
	if (!reap(&aside))
		return;
	if (aside.error == 0 && WIFEXITED(aside.status) && WEXITSTATUS(aside.status) == 0 &&
	    id != NULL && parse_left(aside.text[0], id, &left) == 0 && left != NEVER_ENDS)
		compare_left(left);
	end_run(&aside, 0);
}

static void
warn_of_end(void)
{
	char **argv = left_argv();
	int64_t left;

	if (w.quiet || strncmp(w.limit_word, "left", 4) == 0)
		return;
	if (left_by_environment(&left)) {
		if (left != NEVER_ENDS)
			compare_left(left);
	} else if (w.limit >= 60000 && argv != NULL)
		start_command(&aside, argv, clean_environment, 0);
}

static int64_t wanted_left;

static enum verdict
look_at_left(void)
{
	static int64_t end, at;
	static int known, looks;
	int64_t now = child_now(), left;
	char buf[DUR_TEXT];
	enum verdict v;
	enum said said;

	/* what squeue said is asked for again when it has come true: limits can be changed */
	if (!known || (looks > 0 && now >= end - wanted_left && now - at >= SLURM_FLOOR && !w.over)) {
		v = job_left(&left, &said);
		if (v != CAME_TRUE) {
			w.again = next_call(++looks, said) - child_now();
			return known ? NOT_YET : v;
		}
		if (left == NEVER_ENDS) {
			say_why(w.why, "the job has no time limit");
			return NEVER;
		}
		looks += getenv("SLURM_JOB_END_TIME") == NULL;
		now = at = child_now();
		known = 1;
		end = now + left;
	}
	left = end - now > 0 ? end - now : 0;
	say_why(w.why, "the job has %s left", span(left, buf));
	w.again = left - wanted_left;
	return left <= wanted_left ? CAME_TRUE : NOT_YET;
}

/* ---- Slurm: jobs ---- */

enum kind { WAITS, STARTED, ENDED };

static const struct {
	const char *word;
	enum kind kind;
} states[] = {
	{ "COMPLETED", ENDED }, { "REVOKED", ENDED }, { "FAILED", ENDED }, { "TIMEOUT", ENDED }, { "CANCELLED", ENDED },
	{ "OUT_OF_MEMORY", ENDED }, { "NODE_FAIL", ENDED }, { "PREEMPTED", ENDED }, { "DEADLINE", ENDED },
	{ "BOOT_FAIL", ENDED },
	{ "RUNNING", STARTED }, { "COMPLETING", STARTED }, { "SUSPENDED", STARTED }, { "STOPPED", STARTED },
	{ "STAGE_OUT", STARTED }, { "SIGNALING", STARTED }, { "RESIZING", STARTED },
	{ "PENDING", WAITS }, { "CONFIGURING", WAITS }, { "REQUEUED", WAITS }, { "REQUEUE_FED", WAITS },
	{ "REQUEUE_HOLD", WAITS }, { "RESV_DEL_HOLD", WAITS }, { "SPECIAL_EXIT", WAITS }, { "EXPEDITING", WAITS },
	{ "POWER_UP_NODE", WAITS }, { "LAUNCH_FAILED", WAITS }, { "RECONFIG_FAIL", WAITS }
};
#define NSTATES (sizeof states / sizeof states[0])
#define COMPLETED 0
#define REVOKED 1			/* over here, and run by another cluster of the federation */
#define STRANGE ((int)NSTATES)		/* a word this program does not know: never an end */

enum form { PLAIN, ARRAY, HET };

/* `20_[1-3,7%2].batch` and the like */
struct id {
	uint64_t job;
	enum form form;
	struct iset tasks;
	int cut;		/* the list of tasks was cut off */
	uint64_t component;
	const char *step;	/* within the text that was read */
	size_t nstep;
};

/* one task (of an array), component (of a heterogeneous job) or job that has ended */
struct task {
	uint64_t index;
	size_t order;
	int state, code, sig;	/* code -1: not known */
	int ranged, started;
};

struct list {
	struct task *t;
	size_t n, room;
};

/* what has not ended: a state as it was said, and whose it is */
struct live {
	char word[32];
	enum kind kind;
	struct iset tasks;
};

struct job {
	char *name, *cluster;
	struct id id;			/* as asked: a job without _ may turn out to be an array */
	enum form form;
	int seen, heard;		/* squeue has listed it; has said anything of it */
	char submit[32];		/* the earliest that squeue said: what is older is another job of that id */
	struct iset expected;		/* every task that squeue ever listed */
	struct live *live;
	size_t nlive, rows, stuck;	/* live rows, and those whose dependency is never satisfied */
	int missing;			/* tasks that are asked for are neither among them nor known otherwise */
	struct list queue, acct, all;
	size_t unsettled, lies;		/* rows of accounting that are not the end yet */
	char record_word[32];
	char odd[64];			/* a row of accounting that contradicts itself, in words */
	int64_t over;			/* since when squeue has nothing of it that lives; 0 */
	enum verdict verdict;
	char why[WHY];
};

static struct job *jobs;
static size_t njobs;
static size_t *jobs_by_id;		/* their places, by number, then in order */
static int any_step;
static enum { GOAL_COMPLETED, GOAL_ENDED, GOAL_RUNNING } goal;
static enum { NOT_ASKED, SILENT, NO_ACCOUNTING, ANSWERED } accounting;
static int64_t accounting_at;		/* when what it answered last was asked */

/* Reads the n bytes at s; 0, or -1 where they are no id. The caller frees tasks. */
static int
read_id(const char *s, size_t n, struct id *id)
{
	static const char digits[] = "0123456789";
	char why[ISET_WHY], *text;
	const char *end = s + n, *close;
	uint64_t v;
	size_t len;

	memset(id, 0, sizeof *id);
	len = strspn(s, digits);
	if (len > n || num_u64(s, len, UINT32_MAX, &id->job) != NUM_OK || id->job == 0)
		return -1;
	s += len;
	if (s < end && *s == '_') {
		id->form = ARRAY;
		s++;
		if (s < end && *s == '[') {
			close = memchr(s, ']', (size_t)(end - s));
			if (close == NULL)
				return -1;
			text = tool_copy(s + 1, (size_t)(close - s) - 1);
			if (iset_parse(&id->tasks, text, TASKS, why) != 0) {
				iset_free(&id->tasks);
				id->cut = 1;
			}
			free(text);
			s = close + 1;
		} else {
			len = strspn(s, digits);
			if (len > (size_t)(end - s) || num_u64(s, len, TASKS, &v) != NUM_OK)
				return -1;
			iset_add(&id->tasks, v, v);
			s += len;
		}
	} else if (s < end && *s == '+') {
		id->form = HET;
		s++;
		len = strspn(s, digits);
		if (len > (size_t)(end - s) || num_u64(s, len, UINT32_MAX, &id->component) != NUM_OK)
			return -1;
		s += len;
	}
	if (s < end && *s == '.' && end - s > 1) {
		id->step = s + 1;
		id->nstep = (size_t)(end - s) - 1;
		s = end;
	}
	return s == end ? 0 : -1;
}

/* Whether the n bytes at s begin with a word as Slurm's states are: colours, and what else a wrapper adds, are none. */
static int
is_state(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n && s[i] != ' '; i++)
		if (!(s[i] >= 'A' && s[i] <= 'Z') && !(s[i] >= '0' && s[i] <= '9') && s[i] != '_')
			return 0;
	return i > 0;
}

/* The index in states, of the word before ` by UID`. */
static int
read_state(const char *s, size_t n)
{
	size_t i, len = 0;

	while (len < n && s[len] != ' ')
		len++;
	for (i = 0; i < NSTATES; i++)
		if (strlen(states[i].word) == len && strncmp(states[i].word, s, len) == 0)
			break;
	return (int)i;
}

static void
add_task(struct list *l, uint64_t index, const struct task *like)
{
	l->t = tool_grown(l->t, l->n, &l->room, sizeof *l->t);
	l->t[l->n] = *like;
	l->t[l->n].order = l->n;
	l->t[l->n++].index = index;
}

static int
by_index(const void *a, const void *b)
{
	const struct task *x = a, *y = b;

	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	if (x->ranged != y->ranged)
		return x->ranged - y->ranged;	/* a row of its own before a range that still names it, */
	return x->order > y->order ? -1 : x->order < y->order;	/* then the later */
}

/* Sorts, and keeps one of each index. */
static void
settle_list(struct list *l)
{
	size_t i, n = 0;

	if (l->n > 0)
		qsort(l->t, l->n, sizeof *l->t, by_index);
	for (i = 0; i < l->n; i++)
		if (n == 0 || l->t[n - 1].index != l->t[i].index)
			l->t[n++] = l->t[i];
	l->n = n;
}

static struct task *
find_task(const struct list *l, uint64_t index)
{
	size_t low = 0, high = l->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (l->t[mid].index == index)
			return &l->t[mid];
		if (l->t[mid].index < index)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

#define ANY_STATE (-1)

/* Whether every one of the tasks is in the list, in that state. */
static int
covers(const struct list *l, const struct iset *s, int state)
{
	const struct task *t;
	uint64_t v;
	size_t i;

	for (i = 0; i < s->n; i++)
		for (v = s->run[i].first; v <= s->run[i].last; v++) {
			t = find_task(l, v);
			if (t == NULL || (state != ANY_STATE && t->state != state))
				return 0;
		}
	return 1;
}

/* May accounting be late no more? What counts is when it was asked, not when it answered. */
static int
is_late(const struct job *j)
{
	int64_t at = accounting == ANSWERED ? accounting_at : child_now();

	return accounting == NO_ACCOUNTING || (j->over != 0 && at - j->over >= LAG);
}

/* Is the row about the job? raw is its number without array or component. */
static int
concerns(const struct job *j, const struct id *row, uint64_t raw)
{
	if (row->job != j->id.job)
		return raw == j->id.job && j->id.form == PLAIN;
	if (j->id.form == HET)
		return row->form == HET && row->component == j->id.component;
	return j->id.form == PLAIN || row->form == j->id.form;
}

/* The indices of the row that are asked for, into *s: those of an array, or one number for anything else. */
static void
indices(const struct job *j, const struct id *row, struct iset *s)
{
	uint64_t first, last;
	size_t i, k;

	if (row->job != j->id.job || row->form == PLAIN) {
		iset_add(s, 0, 0);
		return;
	}
	if (row->form == HET) {
		iset_add(s, row->component, row->component);
		return;
	}
	for (i = 0; i < row->tasks.n; i++) {
		first = row->tasks.run[i].first;
		last = row->tasks.run[i].last;
		if (j->id.form != ARRAY) {
			iset_add(s, first, last);
			continue;
		}
		for (k = iset_from(&j->id.tasks, first); k < j->id.tasks.n && j->id.tasks.run[k].first <= last; k++)
			iset_add(s, first > j->id.tasks.run[k].first ? first : j->id.tasks.run[k].first,
			    last < j->id.tasks.run[k].last ? last : j->id.tasks.run[k].last);
	}
	iset_settle(s);
}

static void
add_tasks(struct list *l, const struct iset *s, const struct task *like)
{
	uint64_t v;
	size_t i;

	for (i = 0; i < s->n; i++)
		for (v = s->run[i].first; v <= s->run[i].last; v++)
			add_task(l, v, like);
}

static void
add_live(struct job *j, const char *word, size_t n, int state, const struct iset *s)
{
	static int told;
	struct live *l;
	size_t i;

	n = n < sizeof l->word ? n : sizeof l->word - 1;
	for (i = 0; i < j->nlive && (strncmp(j->live[i].word, word, n) != 0 || j->live[i].word[n] != '\0'); i++)
		;
	if (i == j->nlive) {
		j->live = tool_realloc(j->live, ++j->nlive, sizeof *j->live);
		memset(&j->live[i], 0, sizeof j->live[i]);
		memcpy(j->live[i].word, word, n);
		j->live[i].kind = state == STRANGE ? WAITS : states[state].kind;
		if (state == STRANGE && !w.quiet && !told) {
			told = 1;
			say("%s: squeue: %s is no state that is known here: waited for as one that is not over", j->name, j->live[i].word);
		}
	}
	for (l = &j->live[i], i = 0; i < s->n; i++)
		iset_add(&l->tasks, s->run[i].first, s->run[i].last);
}

/* The sets and lists that rows were put into are in order from here on. */
static void
settle_queue(struct job *j)
{
	size_t i;

	for (i = 0; i < j->nlive; i++)
		iset_settle(&j->live[i].tasks);
	iset_settle(&j->expected);
	settle_list(&j->queue);
}

static void
forget_queue(struct job *j)
{
	size_t i;

	for (i = 0; i < j->nlive; i++)
		iset_free(&j->live[i].tasks);
	j->nlive = j->rows = j->stuck = j->queue.n = 0;
}

static int
by_job(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	if (jobs[*x].id.job != jobs[*y].id.job)
		return jobs[*x].id.job < jobs[*y].id.job ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

static void
sort_jobs(void)
{
	size_t i;

	jobs_by_id = tool_realloc(NULL, njobs, sizeof *jobs_by_id);
	for (i = 0; i < njobs; i++)
		jobs_by_id[i] = i;
	qsort(jobs_by_id, njobs, sizeof *jobs_by_id, by_job);
}

/* The place in jobs_by_id of the first job with that number or a higher one. */
static size_t
first_job(uint64_t id)
{
	size_t low = 0, high = njobs, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (jobs[jobs_by_id[mid]].id.job < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The jobs that a row of two numbers may be about: those asked for by the one, then by the other. */
struct about {
	uint64_t id, raw;
	size_t at;
	int second;
};

static void
about_begin(struct about *a, uint64_t id, uint64_t raw)
{
	a->id = id;
	a->raw = raw;
	a->at = first_job(id);
	a->second = 0;
}

/* The next of them, NULL behind the last. */
static struct job *
about_next(struct about *a)
{
	if (!a->second && (a->at == njobs || jobs[jobs_by_id[a->at]].id.job != a->id)) {
		a->second = 1;
		a->at = a->raw != a->id ? first_job(a->raw) : njobs;
	}
	if (a->at == njobs || (a->second && jobs[jobs_by_id[a->at]].id.job != a->raw))
		return NULL;
	return &jobs[jobs_by_id[a->at++]];
}

/* Between rows, of which there may be many: a signal ends the program; 1 when the look may take no longer. */
static int
rows_too_long(size_t *rows)
{
	if (++*rows % 1024 != 0)
		return 0;
	if (caught != 0)
		die_of_signal();
	return child_now() >= w.bound;
}

/* One row of `squeue -o %i|%A|%T|%V|%N|%r`; 0, or -1 where it is none. */
static int
queue_row(const char *s, const char *end)
{
	struct about about;
	const char *f[6];
	struct job *j;
	struct iset which;
	struct task like;
	struct id id;
	uint64_t raw;
	size_t n[6], i;
	int state;

	for (i = 0; i < 5; i++) {
		if (memchr(s, '|', (size_t)(end - s)) == NULL)
			return -1;
		f[i] = next_field(&s, end, '|', &n[i]);
	}
	f[5] = s;
	n[5] = (size_t)(end - s);
	if (read_id(f[0], n[0], &id) != 0 || num_u64(f[1], n[1], UINT32_MAX, &raw) != NUM_OK ||
	    !is_state(f[2], n[2]))
		return -1;
	state = read_state(f[2], n[2]);
	memset(&like, 0, sizeof like);
	like.state = state;
	like.code = like.sig = state == COMPLETED ? 0 : -1;
	like.ranged = id.tasks.n > 1 || (id.tasks.n == 1 && id.tasks.run[0].first != id.tasks.run[0].last);
	like.started = state == COMPLETED || n[4] > 0;
	about_begin(&about, id.job, raw);
	while ((j = about_next(&about)) != NULL) {
		if (!concerns(j, &id, raw))
			continue;
		memset(&which, 0, sizeof which);
		indices(j, &id, &which);
		if (which.n > 0 || id.cut) {
			j->seen = 1;
			j->form = id.job == j->id.job ? id.form : PLAIN;
			if (n[3] < sizeof j->submit && n[3] > 0 && f[3][0] >= '0' && f[3][0] <= '9' &&
			    (j->submit[0] == '\0' || strncmp(f[3], j->submit, n[3]) < 0)) {
				memcpy(j->submit, f[3], n[3]);
				j->submit[n[3]] = '\0';
			}
			if (state != STRANGE && states[state].kind == ENDED && !id.cut) {
				if (j->id.step == NULL)
					add_tasks(&j->queue, &which, &like);
			} else {
				add_live(j, f[2], n[2], state, &which);
				j->rows++;
				j->stuck += n[5] == 24 && strncmp(f[5], "DependencyNeverSatisfied", 24) == 0;
			}
			for (i = 0; i < which.n; i++)
				iset_add(&j->expected, which.run[i].first, which.run[i].last);
		}
		iset_free(&which);
	}
	iset_free(&id.tasks);
	return 0;
}

static int
is_one_task(const struct id *id)
{
	return id->form == ARRAY && iset_count(&id->tasks) == 1;
}

/* The list for -j: 1,2_7,3 ... */
static char *
id_list(int steps)
{
	char *list = NULL;
	size_t n, i, k;
	FILE *f = tool_text(&list, &n);

	for (i = 0; i < njobs; i++) {
		const struct id *id = &jobs[i].id;
		k = first_job(id->job);
		while (!steps && !is_one_task(id) && is_one_task(&jobs[jobs_by_id[k]].id))
			k++;
		if (!steps && !is_one_task(id) && jobs_by_id[k] < i)
			continue;	/* the whole job is in the list */
		fprintf(f, "%s%" PRIu64, ftell(f) > 0 ? "," : "", id->job);
		if (is_one_task(id))
			fprintf(f, "_%" PRIu64, id->tasks.run[0].first);
		if (steps && id->step != NULL && id->form != HET)
			fprintf(f, ".%.*s", (int)id->nstep, id->step);
	}
	tool_text_end(f, &list);
	return list;
}

static enum said
ask_squeue(void)
{
	static const char *const fixed[] = { "squeue", "-h", "-a", "-t", "all", "-o", "%i|%A|%T|%V|%N|%r", NULL };
	static int no_local, no_list;
	const char *s, *end, *local;
	enum said said;
	char *list;
	size_t i, rows = 0;
	int bad = 0;

	for (;;) {
		list = id_list(0);
		local = jobs[0].cluster == NULL && !no_local ? "--local" : NULL;
		said = ask_slurm(slurm_argv(fixed, local, jobs[0].cluster, no_list ? NULL : list));
		free(list);
		if (said == BAD_OPTION && !no_local)
			no_local = 1;
		else if (said == INVALID && njobs > 1 && !no_list)
			no_list = 1;	/* one bad id has spoilt the answer about all: choose here */
		else
			break;
		end_run(&looking, 0);
	}
	if (said == INVALID)
		said = ROWS;		/* none, then: any other would have been listed */
	if (said == ROWS)
		for (i = 0; i < njobs; i++) {
			forget_queue(&jobs[i]);
			jobs[i].heard = 1;
		}
	for (s = looking.text[0]; said == ROWS && !bad && s != NULL && *s != '\0'; s = *end != '\0' ? end + 1 : end) {
		end = s + strcspn(s, "\n");
		if (rows_too_long(&rows)) {
			say_why(w.why, "squeue printed more than could be read in time");
			bad = 1;
		} else if (end > s && strncmp(s, "CLUSTER: ", 9) != 0 && (*end == '\0' || queue_row(s, end) != 0)) {
			say_why(w.why, "squeue printed what is no row of its format");
			bad = 1;
		}
	}
	if (bad) {
		said = NO_ANSWER;
		for (i = 0; i < njobs; i++) {
			forget_queue(&jobs[i]);
			jobs[i].heard = 0;
		}
	}
	for (i = 0; i < njobs; i++)
		settle_queue(&jobs[i]);
	end_run(&looking, 0);
	return said;
}

/* The exit code of accounting, code:signal, into *t; -1 where it is none. Nothing is not known. */
static int
read_exit(const char *s, size_t n, struct task *t)
{
	const char *colon = memchr(s, ':', n);
	uint64_t code, sig;

	t->code = t->sig = -1;
	if (n == 0)
		return 0;
	if (colon == NULL || num_u64(s, (size_t)(colon - s), INT_MAX, &code) != NUM_OK ||
	    num_u64(colon + 1, n - (size_t)(colon + 1 - s), INT_MAX, &sig) != NUM_OK)
		return -1;
	t->code = (int)code;
	t->sig = (int)sig;
	return 0;
}

/* One row of accounting, its fields in the order of `names` in read_acct; 0, or -1 where it is none. */
static int
record_row(const char *const *f, const size_t *n)
{
	struct about about;
	struct iset which;
	struct task like;
	struct id id, rawid;
	int state, ended, odd;
	struct job *j;

	memset(&like, 0, sizeof like);
	if (!is_state(f[2], n[2]) || read_exit(f[3], n[3], &like) != 0 || read_id(f[0], n[0], &id) != 0)
		return -1;
	if (read_id(f[1], n[1], &rawid) != 0)
		rawid.job = 0;
	iset_free(&rawid.tasks);
	state = read_state(f[2], n[2]);
	ended = state != STRANGE && states[state].kind == ENDED;
	odd = state == COMPLETED && (like.code > 0 || like.sig > 0);
	like.state = state;
	/* the state can be noted before the end is, and the exit code is 0:0 then */
	if (ended && state != COMPLETED && (n[7] == 0 || strncmp(f[7], "Unknown", 7) == 0))
		like.code = like.sig = -1;
	like.ranged = id.tasks.n > 1 || (id.tasks.n == 1 && id.tasks.run[0].first != id.tasks.run[0].last);
	like.started = state == COMPLETED || (n[6] > 0 && f[6][0] != '(' && strncmp(f[6], "None", 4) != 0 &&
	    strncmp(f[6], "Unknown", 7) != 0);
	about_begin(&about, id.job, rawid.job);
	while ((j = about_next(&about)) != NULL) {
		if (!concerns(j, &id, rawid.job) || (j->id.step != NULL) != (id.step != NULL) || id.cut)
			continue;
		if (id.step != NULL && (j->id.nstep != id.nstep || strncmp(j->id.step, id.step, id.nstep) != 0))
			continue;
		if (j->submit[0] != '\0' && n[5] > 0 && strncmp(f[5], j->submit, strlen(j->submit)) < 0)
			continue;	/* an earlier attempt, or another job that had the number */
		memset(&which, 0, sizeof which);
		indices(j, &id, &which);
		if (which.n > 0 && !j->seen)
			j->form = id.job == j->id.job ? id.form : PLAIN;
		if (which.n > 0 && odd)
			snprintf(j->odd, sizeof j->odd, "COMPLETED with exit code %d:%d", like.code, like.sig);
		else if (which.n > 0 && (n[2] < sizeof j->record_word)) {
			memcpy(j->record_word, f[2], n[2]);
			j->record_word[n[2]] = '\0';
		}
		if (!ended || odd)	/* what contradicts itself is not believed */
			j->unsettled += !covers(&j->queue, &which, ANY_STATE);
		else if (id.step == NULL && n[4] == 0 && !covers(&j->queue, &which, state)) {
			/* no partition: the end was noted before the job was; it counts where slurmctld says the same */
			j->lies++;
			if (is_late(j))
				add_tasks(&j->acct, &which, &like);
		} else
			add_tasks(&j->acct, &which, &like);
		iset_free(&which);
	}
	iset_free(&id.tasks);
	return 0;
}

/* Reads what sacct printed; -1 and w.why where that is not what was asked for. */
static int
read_acct(const char *text)
{
	enum { ACCT = 8 };
	static const char *const names[ACCT] = { "JobID", "JobIDRaw", "State", "ExitCode", "Partition", "Submit", "NodeList", "End" };
	size_t column[ACCT], n[ACCT], at, i, got;
	const char *f[ACCT], *s = text, *end, *field;
	size_t len, rows = 0;

	for (i = 0; i < ACCT; i++)
		column[i] = SIZE_MAX;
	s += strspn(s, "\n");
	end = s + strcspn(s, "\n");
	for (at = 0; s < end; at++) {
		field = next_field(&s, end, '\037', &len);
		for (i = 0; i < ACCT; i++)
			if (strlen(names[i]) == len && strncmp(names[i], field, len) == 0)
				column[i] = at;
	}
	for (i = 0; i < ACCT; i++)
		if (column[i] == SIZE_MAX) {
			say_why(w.why, "sacct did not print the columns that it was asked for");
			return -1;
		}
	while (*end != '\0') {
		s = end + 1;
		end = s + strcspn(s, "\n");
		if (s == end)
			continue;
		if (rows_too_long(&rows)) {
			say_why(w.why, "sacct printed more than could be read in time");
			return -1;
		}
		for (i = 0; i < ACCT; i++) {
			f[i] = end;
			n[i] = 0;
		}
		for (got = 0; s < end || (got > 0 && got < at && s[-1] == '\037'); got++) {
			field = next_field(&s, end, '\037', &len);
			for (i = 0; i < ACCT; i++)
				if (column[i] == got) {
					f[i] = field;
					n[i] = len;
				}
		}
		if (got != at || *end == '\0' || record_row(f, n) != 0) {
			say_why(w.why, "sacct printed what is no row of its columns");
			return -1;
		}
	}
	return 0;
}

static void
forget_acct(void)
{
	size_t i;

	for (i = 0; i < njobs; i++) {
		jobs[i].acct.n = jobs[i].unsettled = jobs[i].lies = 0;
		jobs[i].record_word[0] = jobs[i].odd[0] = '\0';
	}
}

static void
ask_sacct(void)
{
	static const char *const fixed[] = { "sacct", "-P", "--delimiter=\037", "-o",
	    "JobID,JobIDRaw,State,ExitCode,Partition,Submit,NodeList,End", NULL };
	char *list = id_list(1);
	int64_t at = child_now();
	enum said said;
	size_t i;

	said = ask_slurm(slurm_argv(fixed, any_step ? NULL : "-X", jobs[0].cluster, list));
	free(list);
	if (said == ROWS) {
		accounting = ANSWERED;
		accounting_at = at;
		forget_acct();
		if (read_acct(looking.text[0] != NULL ? looking.text[0] : "") != 0) {
			forget_acct();
			said = NO_ANSWER;
		}
	}
	accounting = said == ROWS ? ANSWERED : said == FATAL ? NO_ACCOUNTING : SILENT;
	for (i = 0; i < njobs; i++)
		settle_list(&jobs[i].acct);
	end_run(&looking, 0);
}

/* slurmctld's word about the state first; the exit code is accounting's. */
static void
merge(struct job *j)
{
	const struct task *t;
	struct task *to;
	size_t i;

	j->all.n = 0;
	for (i = 0; i < j->queue.n; i++) {
		add_task(&j->all, j->queue.t[i].index, &j->queue.t[i]);
		to = &j->all.t[i];
		t = find_task(&j->acct, to->index);
		if (t == NULL || t->state != to->state)
			continue;
		if (t->code >= 0) {
			to->code = t->code;
			to->sig = t->sig;
		}
		to->started |= t->started;
	}
	for (i = 0; i < j->acct.n; i++)
		if (find_task(&j->queue, j->acct.t[i].index) == NULL)
			add_task(&j->all, j->acct.t[i].index, &j->acct.t[i]);
	settle_list(&j->all);
}

/* Is every part of the job known to have ended? */
static int
all_known(const struct job *j)
{
	if (j->all.n == 0 || j->unsettled > 0 || (j->lies > 0 && !is_late(j)))
		return 0;
	if (j->id.form == ARRAY)
		return covers(&j->all, &j->id.tasks, ANY_STATE);
	if (j->form == PLAIN || j->id.form == HET)
		return 1;
	/* of an array, tasks that ended long ago are gone from squeue: only accounting has them all */
	return covers(&j->all, &j->expected, ANY_STATE) && accounting == ANSWERED;
}

static void
name_task(const struct job *j, uint64_t index, char *buf, size_t size)
{
	if (j->form == ARRAY)
		snprintf(buf, size, "%" PRIu64 "_%" PRIu64, j->id.job, index);
	else if (j->form == HET)
		snprintf(buf, size, "%" PRIu64 "+%" PRIu64, j->id.job, index);
	else
		snprintf(buf, size, "%s", j->name);
}

/* The verdict on what has ended, by the goal. */
static enum verdict
verdict_on(struct job *j, int known)
{
	const struct task *first = NULL, *moved = NULL;
	size_t i, bad = 0;
	char name[64], code[32];

	for (i = 0; i < j->all.n; i++) {
		const struct task *t = &j->all.t[i];
		if (t->state == REVOKED && !(goal == GOAL_RUNNING && t->started)) {
			moved = t;
			continue;
		}
		if (goal == GOAL_ENDED || (goal == GOAL_COMPLETED ? t->state == COMPLETED : t->started))
			continue;
		if (bad++ == 0)
			first = t;
	}
	if (bad == 0 && moved != NULL) {
		name_task(j, moved->index, name, sizeof name);
		say_why(j->why, "%s is REVOKED: another cluster of the federation runs it, which is to be asked", name);
		return GIVE_UP;
	}
	if (bad == 0)
		return known ? CAME_TRUE : NOT_YET;
	name_task(j, first->index, name, sizeof name);
	code[0] = '\0';
	if (first->code >= 0)
		snprintf(code, sizeof code, " %d:%d", first->code, first->sig);
	say_why(j->why, "%s ended %s%s%s", name, states[first->state].word, code,
	    goal == GOAL_RUNNING ? " and never started" : "");
	if (bad > 1)
		snprintf(j->why + strlen(j->why), WHY - strlen(j->why), ", and %zu more of %zu", bad - 1, j->all.n);
	return NEVER;
}

/* Where all that squeue lists has started: is that all that was asked for? It forgets tasks, and has none that never were. How
 * many a whole array has accounting tells; where that does not answer, squeue's word is all there is. */
static int
none_missing(const struct job *j)
{
	uint64_t v;
	size_t i;

	if (j->form == ARRAY && j->id.form == PLAIN)
		return accounting != NOT_ASKED;
	for (i = 0; i < j->id.tasks.n; i++)
		for (v = j->id.tasks.run[i].first; v <= j->id.tasks.run[i].last; v++)
			if (!iset_has(&j->expected, v) && find_task(&j->all, v) == NULL)
				return 0;
	return 1;
}

static void
judge_live(struct job *j)
{
	size_t i, started = 0;

	j->over = 0;
	j->missing = 0;
	j->all.n = 0;
	j->verdict = NOT_YET;
	for (i = 0; i < j->nlive; i++)
		started += j->live[i].kind == STARTED;
	say_why(j->why, "%s is %s", j->name, j->live[0].word);
	if (j->rows > 1)
		say_why(j->why, "%s: %zu rows in squeue are not over, the first is %s", j->name, j->rows, j->live[0].word);
	if (j->stuck == j->rows) {
		j->verdict = NEVER;
		say_why(j->why, "%s is PENDING with a dependency that is never satisfied", j->name);
	} else if (goal == GOAL_RUNNING && started == j->nlive) {
		merge(j);
		j->missing = !none_missing(j);
		if (j->missing)
			snprintf(j->why + strlen(j->why), WHY - strlen(j->why), ", but neither squeue nor sacct knows all of it");
		j->verdict = verdict_on(j, !j->missing);
	}
}

/* A step has no row in squeue that would outlast it: accounting alone knows its end. */
static void
judge_step(struct job *j)
{
	int64_t now = child_now();

	if (j->form == ARRAY && j->id.form == PLAIN) {
		/* accounting has no rows of steps that have not begun: those there are do not speak for the array */
		say_why(j->why, "%s: the job is an array: a step of one task was expected", j->name);
		j->verdict = MISUSED;
		return;
	}
	merge(j);
	if (j->nlive > 0)
		j->over = 0;
	else if (j->over == 0 && j->heard)
		j->over = now;
	j->verdict = accounting == ANSWERED ? NOT_YET : accounting == NO_ACCOUNTING ? GIVE_UP : UNKNOWN;
	if (accounting == NO_ACCOUNTING)
		say_why(j->why, "%s: only accounting knows the end of a step, and %.150s", j->name, w.why);
	else if (j->all.n > 0 && j->unsettled == 0)
		j->verdict = verdict_on(j, 1);
	else if (goal == GOAL_RUNNING && j->unsettled > 0)
		j->verdict = CAME_TRUE;
	else if (accounting == ANSWERED && is_late(j)) {
		j->verdict = j->seen && j->unsettled == 0 ? NEVER : GIVE_UP;
		say_why(j->why, j->odd[0] != '\0' ? "%s: squeue: the job is gone; sacct: the step is COMPLETED, and its exit code is not 0:0" :
		    j->unsettled > 0 ? "%s: squeue: the job is gone; sacct: the step has not ended" :
		    j->seen ? "%s: the job is over and had no such step" : "%s: neither squeue nor sacct knows it", j->name);
	} else if (j->odd[0] != '\0')
		say_why(j->why, "%s: sacct says %s: it contradicts itself", j->name, j->odd);
	else if (j->unsettled > 0)
		say_why(j->why, "%s is %s", j->name, j->record_word);
	else
		say_why(j->why, "%s is not in accounting yet", j->name);
}

static void
judge(struct job *j)
{
	int64_t now = child_now();
	int known, coded = 1, late;
	enum verdict sofar;
	size_t i;

	/* a start or an end stays one, whatever comes of a requeue; COMPLETED too, where squeue does not list it again */
	if (j->verdict == CAME_TRUE && (goal != GOAL_COMPLETED || (j->nlive == 0 && j->queue.n == 0)))
		return;
	if (j->id.step != NULL) {
		judge_step(j);
		return;
	}
	if (!j->heard) {
		j->verdict = UNKNOWN;
		return;
	}
	if (j->nlive > 0) {
		judge_live(j);
		return;
	}
	if (j->over == 0) {
		j->over = now;
		accounting = NOT_ASKED;
	}
	merge(j);
	known = all_known(j);
	for (i = 0; i < j->all.n; i++)
		coded &= j->all.t[i].code >= 0;
	late = is_late(j);
	if (known && (coded || late || accounting == SILENT)) {
		j->verdict = verdict_on(j, 1);
		return;
	}
	j->verdict = accounting == SILENT ? UNKNOWN : NOT_YET;
	say_why(j->why, "%s is not in squeue any more, and how it ended not yet in accounting", j->name);
	if (!late)
		return;
	sofar = verdict_on(j, 0);
	if (sofar == NEVER || sofar == GIVE_UP)
		j->verdict = sofar;
	else if (goal == GOAL_ENDED && j->seen)
		j->verdict = CAME_TRUE;
	else if (accounting == SILENT)
		say_why(j->why, "%s is not in squeue any more, and accounting does not answer", j->name);
	else {
		j->verdict = GIVE_UP;
		if (accounting == NO_ACCOUNTING)
			say_why(j->why, "%s is not in squeue any more, and there is no accounting to ask", j->name);
		else if (j->odd[0] != '\0')
			say_why(j->why, "%s: squeue: gone; sacct: %s, which contradicts itself", j->name, j->odd);
		else if (j->unsettled > 0)
			say_why(j->why, "%s: squeue: gone; sacct: %s", j->name, j->record_word);
		else
			say_why(j->why, "neither squeue nor sacct knows %s%s", j->name, j->all.n > 0 ? " whole" : "");
	}
}

/* Is accounting to be asked? */
static int
needs_acct(const struct job *j)
{
	return (j->verdict == NOT_YET || j->verdict == UNKNOWN) && j->heard && (j->id.step != NULL || j->nlive == 0 || j->missing);
}

/* How many jobs accounting is to be asked about. */
static size_t
judge_all(void)
{
	size_t i, need = 0;

	for (i = 0; i < njobs; i++) {
		judge(&jobs[i]);
		need += (size_t)needs_acct(&jobs[i]);
	}
	return need;
}

/* One verdict of all: a bad end is the end at once. */
static enum verdict
sum_up(int squeue_answered)
{
	size_t i, open_ones = 0;
	const struct job *never = NULL, *lost = NULL, *first = NULL, *over = NULL;

	for (i = 0; i < njobs; i++) {
		if (jobs[i].verdict == MISUSED) {
			memcpy(w.why, jobs[i].why, WHY);
			return MISUSED;
		}
		if (jobs[i].verdict == NEVER && never == NULL)
			never = &jobs[i];
		if (jobs[i].verdict == GIVE_UP && lost == NULL)
			lost = &jobs[i];
		if (jobs[i].verdict == NOT_YET || jobs[i].verdict == UNKNOWN) {
			if (first == NULL)
				first = &jobs[i];
			open_ones++;
			if (over == NULL && jobs[i].heard && jobs[i].nlive == 0)
				over = &jobs[i];
		}
	}
	if (never != NULL || lost != NULL) {
		memcpy(w.why, (never != NULL ? never : lost)->why, WHY);
		return never != NULL ? NEVER : GIVE_UP;
	}
	if (first == NULL) {
		w.why[0] = '\0';
		return CAME_TRUE;
	}
	if (!squeue_answered || (accounting == SILENT && over != NULL))
		return w.over && over != NULL ? GIVE_UP : UNKNOWN;	/* w.why is what was said */
	if (w.over && over != NULL)
		first = over;
	memcpy(w.why, first->why, WHY);
	if (open_ones > 1)
		snprintf(w.why + strlen(w.why), WHY - strlen(w.why), " (%zu of %zu not decided)", open_ones, njobs);
	return w.over && over != NULL ? GIVE_UP : NOT_YET;
}

static enum verdict
look_at_jobs(void)
{
	static int64_t next_squeue, next_acct;
	static int looks, tries, answered = 1;
	int64_t now = child_now(), next, late, wait;
	enum said said;
	size_t i, need;

	if (w.over || now >= next_squeue) {
		said = ask_squeue();
		answered = said == ROWS;
		if (said == FATAL)
			return GIVE_UP;
		next_squeue = next_call(++looks, said);
		if (any_step)
			next_acct = 0;
	}
	need = judge_all();
	if (accounting == NOT_ASKED)
		tries = 0;
	if (need > 0 && accounting != NO_ACCOUNTING && (w.over || accounting == NOT_ASKED || child_now() >= next_acct)) {
		ask_sacct();
		now = child_now();
		/* 1 2 4 8 s for what it lags; where it does not answer 4 8 16 ... s; longer in a crowd */
		wait = (int64_t)(accounting == SILENT ? 4000 : 1000) << (tries < 4 ? tries : 4);
		wait = wait * crowd() / CROWD;
		next_acct = now + (wait < 300000 ? wait : 300000);
		tries++;
		for (i = 0; i < njobs; i++) {	/* and when it may be late no more */
			late = jobs[i].over + LAG + (crowd() > CROWD ? some(LAG) : 0);
			if (jobs[i].over != 0 && late > now && late < next_acct)
				next_acct = late;
		}
		judge_all();
	}
	next = next_squeue;
	for (i = 0; i < njobs; i++)
		if (needs_acct(&jobs[i]) && jobs[i].nlive == 0 && next_acct < next)
			next = next_acct;
	now = child_now();
	w.again = next > now ? next - now : 0;
	return sum_up(answered);
}

/* ---- Slurm: records ---- */

/* One record of the tasks in s; of components, which iset_print would join, one each. */
static void
print_group(struct rec *r, const struct job *j, const struct iset *s, const char *state, int code, int sig)
{
	struct iset_run one;
	const struct iset component = { &one, 1, 1, 0 };
	char exitcode[32] = "-", *id = NULL;
	const char *before = j->form == HET ? "+" : "_";
	uint64_t many = iset_count(s);
	FILE *f;
	size_t n, i;

	if (j->form == HET && many > 1) {
		for (i = 0; i < s->n; i++)
			for (one = s->run[i]; one.first <= s->run[i].last; one.first++) {
				one.last = one.first;
				print_group(r, j, &component, state, code, sig);
			}
		return;
	}
	f = tool_text(&id, &n);
	if (j->form == PLAIN || j->id.step != NULL || many == 0)
		fputs(j->name, f);
	else {
		if (j->cluster != NULL)
			fprintf(f, "%s/", j->cluster);
		fprintf(f, "%" PRIu64 "%s%s", j->id.job, before, many > 1 ? "[" : "");
		iset_print(s, f);
		fputs(many > 1 ? "]" : "", f);
	}
	tool_text_end(f, &id);
	if (code >= 0)
		snprintf(exitcode, sizeof exitcode, "%d:%d", code, sig);
	rec_text(r, id, n);
	rec_word(r, state);
	rec_word(r, exitcode);
	free(id);
}

/* The parts that ended, those alike in one record. */
static void
print_ended(struct rec *r, const struct job *j, const struct list *l)
{
	char *done = tool_realloc(NULL, l->n + 1, 1);
	struct iset s;
	size_t i, k, end;

	memset(done, 0, l->n + 1);
	for (i = 0; i < l->n; i++) {
		if (done[i])
			continue;
		memset(&s, 0, sizeof s);
		end = j->form == HET ? i + 1 : l->n;	/* components stay in order */
		for (k = i; k < end; k++)
			if (l->t[k].state == l->t[i].state && l->t[k].code == l->t[i].code && l->t[k].sig == l->t[i].sig) {
				iset_add(&s, l->t[k].index, l->t[k].index);
				done[k] = 1;
			}
		print_group(r, j, &s, states[l->t[i].state].word, l->t[i].code, l->t[i].sig);
		iset_free(&s);
	}
	free(done);
}

static void
print_jobs(void)
{
	static const char *const names[] = { "id", "state", "exitcode" };
	struct iset none;
	struct rec r;
	size_t i, k;

	if (njobs == 0)
		return;
	memset(&none, 0, sizeof none);
	rec_begin(&r, stdout, w.how, names, 3);
	for (i = 0; i < njobs; i++) {
		const struct job *j = &jobs[i];
		for (k = 0; k < j->nlive && j->id.step == NULL; k++)
			print_group(&r, j, &j->live[k].tasks, j->live[k].word, -1, -1);
		if (j->all.n > 0 || j->queue.n > 0)
			print_ended(&r, j, j->all.n > 0 ? &j->all : &j->queue);
		else if (j->id.step != NULL && j->record_word[0] != '\0' && j->verdict != GIVE_UP)
			print_group(&r, j, &none, j->record_word, -1, -1);
		else if (j->nlive == 0 || j->id.step != NULL)
			print_group(&r, j, &none, "", -1, -1);
	}
	rec_finish(&r);
	njobs = 0;
}

/* One id as asked: [CLUSTER/]ID or ID;CLUSTER. */
static void
add_job(const char *s, size_t n)
{
	const char *slash = memchr(s, '/', n), *semi = memchr(s, ';', n), *id = s, *cluster = NULL;
	size_t nid = n, ncluster = 0, len, i;
	char word[TOOL_WORD];
	struct job *j;
	FILE *f;

	if (slash != NULL) {
		cluster = s;
		ncluster = (size_t)(slash - s);
		id = slash + 1;
		nid = n - ncluster - 1;
	} else if (semi != NULL) {
		nid = (size_t)(semi - s);
		cluster = semi + 1;
		ncluster = n - nid - 1;
	}
	jobs = tool_realloc(jobs, njobs + 1, sizeof *jobs);
	j = &jobs[njobs];
	memset(j, 0, sizeof *j);
	f = tool_text(&j->name, &len);
	if (cluster != NULL)
		fprintf(f, "%.*s/", (int)ncluster, cluster);
	fprintf(f, "%.*s", (int)nid, id);
	tool_text_end(f, &j->name);
	if (cluster != NULL)
		j->cluster = tool_copy(cluster, ncluster);
	if ((cluster != NULL && (ncluster == 0 || *cluster == '-' || strcspn(cluster, ",;/ \t\n") < ncluster)) ||
	    read_id(j->name + len - nid, nid, &j->id) != 0 || j->id.cut)
		tool_die(BADUSE, "%s is no job id: 4711, 4711_7, 4711_[1,3-9], 4711+1, with .STEP behind, or 4711;cluster",
		    tool_word(word, s, n));
	for (i = 0; i < j->id.nstep; i++)
		if (strchr("0123456789abcdefghijklmnopqrstuvwxyz", j->id.step[i]) == NULL)
			tool_die(BADUSE, "%s is no step: a number, batch, extern or interactive was expected", tool_word(word, s, n));
	if (j->id.step != NULL && j->id.form == ARRAY && !is_one_task(&j->id))
		tool_die(BADUSE, "%s: a step of one task was expected", tool_word(word, s, n));
	iset_settle(&j->id.tasks);
	j->form = j->id.form;
	j->verdict = UNKNOWN;
	any_step |= j->id.step != NULL;
	if (njobs > 0 && ((j->cluster == NULL) != (jobs[0].cluster == NULL) ||
	    (j->cluster != NULL && strcmp(j->cluster, jobs[0].cluster) != 0)))
		tool_die(BADUSE, "%s is on another cluster than %s: one call for each was expected", j->name, jobs[0].name);
	njobs++;
}

static void
prepare_jobs(void)
{
	char buf[DUR_TEXT];
	size_t i, n, depth;
	const char *s;

	for (i = 0; i < w.n; i++)
		for (s = w.operand[i]; *s != '\0'; s += n + (s[n] != '\0')) {
			for (n = depth = 0; s[n] != '\0' && (depth > 0 || strchr(", \t\n", s[n]) == NULL); n++)
				depth = s[n] == '[' ? 1 : s[n] == ']' ? 0 : depth;
			if (n > 0)
				add_job(s, n);
		}
	if (njobs == 0)
		tool_die(BADUSE, "job: no id");
	sort_jobs();
	if (w.state != NULL && strcasecmp(w.state, "ended") == 0)
		goal = GOAL_ENDED;
	else if (w.state != NULL && strcasecmp(w.state, "running") == 0)
		goal = GOAL_RUNNING;
	else if (w.state != NULL && strcasecmp(w.state, "completed") != 0)
		tool_die(BADUSE, "--state %s: COMPLETED, ended or RUNNING was expected", w.state);
	if (w.interval >= 0 && w.interval < SLURM_FLOOR)
		tool_die(BADUSE, "-i %s: slurmctld is for all: it is not asked more often than every 30s", span(w.interval, buf));
}

/* ---- the conditions: what they are given ---- */

static void
prepare_files(void)
{
	files = tool_realloc(NULL, w.n, sizeof *files);
	memset(files, 0, w.n * sizeof *files);
}

static void
prepare_left(void)
{
	wanted_left = opt_duration("left", w.operand[0]);
}

static void
compile(regex_t *re, const char *ere, const char *what)
{
	char why[200];
	int e, status;

	if (ere_refused(ere, &status, why) != NULL)
		tool_die(status, "%s '%s': %s", what, ere, why);
	e = regcomp(re, ere, REG_EXTENDED | REG_NOSUB);
	if (e == 0)
		return;
	regerror(e, re, why, sizeof why);
	tool_die(e == REG_ESPACE ? TROUBLE : BADUSE, "%s '%s': %s", what, ere, why);
}

static void
prepare_log(void)
{
	compile(&wanted, w.operand[1], "log ERE");
	if (w.fail != NULL)
		compile(&unwanted, w.fail, "--fail");
}

/* host and port of HOST:PORT, [HOST]:PORT or PORT; a port must be there unless one is given for it. */
static void
set_address(const char *s, size_t n, const char *otherwise, const char *whole)
{
	const char *colon = NULL, *host = s, *port = s;
	size_t i, nhost = 0, nport = n;
	uint64_t v;

	if (n > 0 && s[0] == '[') {
		for (i = 0; i < n && s[i] != ']'; i++)
			;
		if (i == n || (i + 1 < n && s[i + 1] != ':'))
			tool_die(BADUSE, "%s: [ADDRESS]:PORT was expected", whole);
		host = s + 1;
		nhost = i - 1;
		colon = i + 1 < n ? s + i + 1 : NULL;
		if (colon == NULL)
			nport = 0;
	} else {
		colon = memchr(s, ':', n);
		if (colon != NULL && memchr(colon + 1, ':', n - (size_t)(colon + 1 - s)) != NULL)
			tool_die(BADUSE, "%s: an IPv6 address stands in brackets: [::1]:8080", whole);
		if (colon != NULL)
			nhost = (size_t)(colon - s);
		else if (otherwise != NULL) {
			nhost = n;
			nport = 0;
		}
	}
	if (colon != NULL) {
		port = colon + 1;
		nport = n - (size_t)(port - s);
	}
	if (nport == 0 && otherwise != NULL) {
		port = otherwise;
		nport = strlen(otherwise);
	}
	if (num_u64(port, nport, 65535, &v) != NUM_OK || v == 0)
		tool_die(BADUSE, "%s: a port from 1 to 65535 was expected", whole);
	snprintf(net.port, sizeof net.port, "%" PRIu64, v);
	if ((colon != NULL || otherwise != NULL) && nhost == 0)
		tool_die(BADUSE, "%s: no host before the port", whole);
	if (nhost > 0)
		net.host = tool_copy(host, nhost);
	net.local = net.host == NULL || strcmp(net.host, "localhost") == 0 || strncmp(net.host, "127.", 4) == 0 ||
	    strcmp(net.host, "::1") == 0;
}

static void
prepare_port(void)
{
	set_address(w.operand[0], strlen(w.operand[0]), NULL, w.operand[0]);
}

static void
prepare_statuses(void)
{
	const char *s = w.status;
	uint64_t v;
	size_t n;
	int i;

	for (i = 200; s == NULL && i < 300; i++)
		net.good[i] = 1;
	while (s != NULL) {
		n = strcspn(s, ",");
		if (num_u64(s, n, 599, &v) != NUM_OK || v < 200)
			tool_die(BADUSE, "--status %s: statuses from 200 to 599 were expected, as 200,204", w.status);
		net.good[v] = 1;
		s = s[n] != '\0' ? s + n + 1 : NULL;
	}
}

static char *in_words(const char *before, char **argv, size_t argc);

/* Refuses a URL that is curl's, with the command to write instead. */
static void TOOL_NORETURN
name_curl(const char *why)
{
	tool_die(BADUSE, "%s here: waitfor -t %s %s", why, w.limit_word, in_words("-- curl -fsS -m 10 -o /dev/null", w.operand, 1));
}

static void
prepare_http(void)
{
	const char *url = w.operand[0], *s, *path;
	size_t n, len, i;
	FILE *f;

	if (strncasecmp(url, "https://", 8) == 0)
		name_curl("no TLS");
	if (strncasecmp(url, "http://", 7) != 0)
		tool_die(BADUSE, "http %s: a URL that begins with http:// was expected", url);
	s = url + 7;
	n = strcspn(s, "/?#");
	path = s + n;
	len = strcspn(path, "#");
	for (i = 0; url[i] != '\0'; i++)
		if ((unsigned char)url[i] <= ' ' || url[i] == '\x7f')
			tool_die(BADUSE, "http %s: blanks and control bytes are written as %%20 and so on", url);
	if (memchr(s, '@', n) != NULL)
		name_curl("no user in a URL");
	set_address(s, n, "80", url);
	prepare_statuses();
	f = tool_text(&net.request, &net.n);
	fprintf(f, "GET %s%.*s HTTP/1.1\r\nHost: ", *path == '/' ? "" : "/", (int)len, path);
	fprintf(f, strchr(net.host, ':') != NULL ? "[%s]" : "%s", net.host);
	if (strcmp(net.port, "80") != 0)
		fprintf(f, ":%s", net.port);
	fputs("\r\nUser-Agent: waitfor\r\nAccept: */*\r\nConnection: close\r\n\r\n", f);
	tool_text_end(f, &net.request);
}

static pid_t
read_pid(const char *s, size_t n, const char *what)
{
	char word[TOOL_WORD];
	uint64_t v;
	int how;

	how = num_u64(s, n, INT_MAX, &v);
	/* pid_t's bound: that of the kernel, pid_max, may have been another when the process began */
	if (how == NUM_BIG)
		tool_die(BADUSE, "%s %s: no process can have this number: %d is the highest", what, tool_word(word, s, n), INT_MAX);
	if (how == NUM_BAD || v == 0)
		tool_die(BADUSE, "%s %s: a process number, 1 or more, was expected", what, tool_word(word, s, n));
	return (pid_t)v;
}

static const char *pid_file;

/* In the child: the pids in the file, as the text of one answer after another. */
static void
look_in_file(struct answer *a)
{
	static const char digits[] = "0123456789", blank[] = " \t\r\n";
	static size_t n, at;
	static char *text;
	struct stat st;
	ssize_t got;
	size_t len;

	a->verdict = MISUSED;
	if (text == NULL) {
		if (stat(pid_file, &st) != 0) {
			a->verdict = errno == ENOENT || errno == ENOTDIR ? MISUSED : GIVE_UP;
			say_why(a->why, "%s", strerror(errno));
			return;
		}
		if (!S_ISREG(st.st_mode)) {
			say_why(a->why, "it is %s", kind_of(&st));
			return;
		}
		text = tool_realloc(NULL, LINE, 1);
		if ((got = read_small(pid_file, text, LINE)) < 0) {
			a->verdict = GIVE_UP;
			say_why(a->why, "%s", strerror(errno));
			return;
		}
		n = (size_t)got;
		if (n + 1 == LINE) {
			say_why(a->why, "it is longer than %d bytes", LINE - 2);
			return;
		}
		if (strspn(text, "0123456789 \t\r\n") != n || strpbrk(text, digits) == NULL)
			n = at;
	}
	for (len = n - at < WHY ? n - at : WHY - 1; len > 0 && at + len < n && strchr(blank, text[at + len]) == NULL; len--)
		;	/* not within a number */
	if (len == 0) {
		say_why(a->why, "process numbers, and nothing else, were expected in it");
		return;
	}
	memcpy(a->why, text + at, len);
	a->why[len] = '\0';
	at += len;
	a->verdict = at < n ? MORE : CAME_TRUE;
}

static void
add_pid(pid_t pid)
{
	pids = tool_realloc(pids, npids + 1, sizeof *pids);
	watch_begin(&pids[npids++], pid);
}

/* The pids that stand in a file, which a child reads. */
static void
add_pids_of(const char *file)
{
	static const char blank[] = " \t\r\n";
	enum verdict v;
	size_t n = 0, len;
	char *text = NULL, *s;

	pid_file = file + 1;
	owed = 0;
	start_looker(&looking, look_in_file);
	if (w.bound < child_now() + LAST_LOOK)
		w.bound = child_now() + LAST_LOOK;
	do {
		v = look_apart();
		len = strlen(w.why);
		text = tool_realloc(text, n + len + 1, 1);
		memcpy(text + n, w.why, len + 1);
		n += len;
	} while (v == MORE);
	if (v == BUSY && w.guard_over)
		give_up(0);
	if (v == BUSY)
		say_why(w.why, "it could not be read in time");
	end_run(&looking, 0);
	owed = 0;
	if (v != CAME_TRUE)
		tool_die(v == MISUSED ? BADUSE : TROUBLE, "pid %s: %s", file, w.why);
	for (s = text + strspn(text, blank); *s != '\0'; s += n + strspn(s + n, blank)) {
		n = strcspn(s, blank);
		add_pid(read_pid(s, n, file));
	}
	free(text);
	w.why[0] = '\0';
}

/* That all have ended is true of a stale or mistyped number, too: who gave it is told. */
static void
say_absent(void)
{
	size_t i, absent = 0;
	char list[WHY] = "";
	int n = 0;

	for (i = 0; i < npids; i++)
		if (pids[i].absent && absent++ < 5)
			n += snprintf(list + n, sizeof list - (size_t)n, " %ld", (long)pids[i].pid);
	if (absent == 0 || w.quiet)
		return;
	if (npids == 1 && w.operand[0][0] != '@')
		say("%s: there was no such process at the start", w.what);
	else
		say("%s: there was no such process at the start:%s%s, %zu of %zu", w.what, list, absent > 5 ? " ..." : "", absent,
		    npids);
}

static void
prepare_pids(void)
{
	size_t i;

	for (i = 0; i < w.n; i++) {
		if (w.operand[i][0] == '@')
			add_pids_of(w.operand[i]);
		else
			add_pid(read_pid(w.operand[i], strlen(w.operand[i]), "pid"));
	}
	say_absent();
}

static void
prepare_group(void)
{
	struct proc p;
	pid_t id = read_pid(w.operand[0], strlen(w.operand[0]), "group");

	if (id == getpgrp())
		tool_die(BADUSE, "group %ld is this program's own: it would wait for itself", (long)id);
	group.id = id;
	group.leader = proc_of(id, &p) && p.group == group.id;
	if (group.leader)
		group.start = p.start;
	if (!w.quiet && kill(-id, 0) == -1 && errno == ESRCH)
		say("%s: there was no such process group at the start", w.what);
}

static const struct condition conditions[] = {
	{ "file", 1, SIZE_MAX, prepare_files, look_at_files, look_apart, 4, LEAST, 1, 0, 0 },
	{ "gone", 1, SIZE_MAX, prepare_files, look_for_none, look_apart, 4, LEAST, 1, 0, 0 },
	{ "pid", 1, SIZE_MAX, prepare_pids, NULL, look_at_pids, 100, LEAST, 0, 0, 0 },
	{ "group", 1, 1, prepare_group, NULL, look_at_group, 100, LEAST, 0, 0, 0 },
	{ "port", 1, 1, prepare_port, look_at_net, look_apart, 20, LEAST, 0, 1, 0 },
	{ "socket", 1, 1, NULL, look_at_socket, look_apart, 100, LEAST, 1, 0, 6 },
	{ "http", 1, 1, prepare_http, look_at_net, look_apart, 20, LEAST, 0, 1, 0 },
	{ "log", 2, 2, prepare_log, look_at_log, look_apart, 4, LEAST, 1, 0, 0 },
	{ "job", 1, SIZE_MAX, prepare_jobs, NULL, look_at_jobs, 0, 0, 0, 0, 0 },
	{ "left", 1, 1, prepare_left, NULL, look_at_left, 0, 0, 0, 0, 0 },
	{ "--", 0, 0, NULL, NULL, look_by_command, 20, 50, 0, 0, 0 }
};
#define NCONDITIONS (sizeof conditions / sizeof conditions[0])

/* ---- the wait ---- */

static void TOOL_NORETURN
came_true(void)
{
	/* the process must still be alive, or a stranger answered on its port */
	if (w.guarded && watch_ended(&w.guard))
		give_up(1);
	finish(YES, "came true", w.why);
}

/* How long until the next look; again is what the look before thought of it, or -1. */
static int64_t
pause_ms(int64_t again)
{
	const struct condition *c = w.condition;
	int64_t ms;

	if (c->part == 0)
		return again > 0 ? again : 0;
	if (c->network && net.local)
		ms = pace(200, 3);	/* no other machine is bothered, and nothing but a look can tell */
	else
		ms = pace(c->part, c->pause);
	if (again >= 0 && again < ms)
		ms = again;
	if (c->look == look_by_command && w.interval < 0 && ms < command_took)
		ms = command_took < 10000 ? command_took : 10000;
	return ms < 1 ? 1 : ms;
}

/* Sleeps until the next look is due; a hint, or the end of an awaited process, makes that earlier. */
static void
rest(void)
{
	const struct condition *c = w.condition;
	int64_t now = child_now(), ms = pause_ms(w.again);
	const struct watch *many = NULL;
	size_t n = 0, i;

	if (c->look == look_at_pids) {
		many = pids;
		n = npids;
		for (i = 0; i < npids && (pids[i].ended || pids[i].fd != -1); i++)
			;
		if (i == npids)
			ms = DUR_MAX;	/* all of them wake us */
	} else if (c->look == look_at_group && group.have) {
		many = &group.one;
		n = 1;
	}
	if (quick > 0 && ms > MOST >> quick)
		ms = MOST >> quick--;	/* 15, 31, 62 ... ms */
	if (attend(NULL, NULL, many, n, now + ms < w.deadline ? now + ms : w.deadline) && c->quick > 0)
		quick = c->quick;
}

static void TOOL_NORETURN
wait_for_it(void)
{
	char known[WHY] = "", last[WHY];
	int64_t now;
	enum verdict v;

	for (;;) {
		now = child_now();
		if (!w.over && now >= w.deadline) {
			w.over = 1;
			w.bound = now + LAST_LOOK;
		}
		if (!w.over)
			w.bound = w.deadline;
		w.again = -1;
		v = w.condition->look();
		if (v == CAME_TRUE)
			came_true();
		if (v == NEVER)
			finish(NO, "can never come true", w.why);
		if (v == GIVE_UP && w.guard_over)
			give_up(0);
		if (v == GIVE_UP)
			finish(TROUBLE, "could not find out", w.why);
		if (v == MISUSED)
			finish(BADUSE, "called wrong", w.why);
		if (v == NOT_YET || v == MORE) {
			w.answered = 1;
			memcpy(known, w.why, WHY);
		}
		if (v == MORE && child_now() < w.bound)
			continue;
		if (w.over)
			break;
		if (v != BUSY)
			rest();
	}
	if (w.guard_over)
		give_up(0);
	if (w.before[0] != '\0') {
		memcpy(last, w.why, WHY);
		say_why(w.why, "%.120s: %.110s", w.before, last);
	} else if (v == UNKNOWN && known[0] != '\0') {
		memcpy(last, w.why, WHY);
		say_why(w.why, "%.120s; of late: %.100s", known, last);
	}
	if (w.answered)
		finish(TIMEUP, "time is up", w.why);
	finish(TROUBLE, "could not find out", w.why[0] != '\0' ? w.why : "the look was not answered: does the file system hang?");
}

/* ---- options ---- */

/* options that one condition alone has */
static const struct {
	int val;
	const char *option, *of;
} owned[] = {
	{ 's', "-s", "file" }, { O_STABLE, "--stable", "file" }, { O_NEWER, "--newer", "file" }, { O_STATUS, "--status", "http" },
	{ O_NEW, "--new", "log" }, { O_FAIL, "--fail", "log" }, { O_STATE, "--state", "job" }, { 'H', "-H", "job" },
	{ O_JSON, "--json", "job" }
};
#define NOWNED (sizeof owned / sizeof owned[0])

/* used: which of `owned` were given. */
static void
read_options(struct opt *o, const char **guard, char used[NOWNED])
{
	uint64_t v;
	size_t i;
	int val;

	while ((val = opt_next(o)) != -1) {
		switch (val) {
		case 't': w.limit_word = optarg; break;
		case 'i':
			w.interval = opt_duration("-i", optarg);
			if (w.interval < LEAST)
				tool_die(BADUSE, "-i %s: 0.01s or more was expected", optarg);
			break;
		case 'w':
			if (*guard != NULL)
				tool_die(BADUSE, "-w twice: one process was expected");
			*guard = optarg;
			break;
		case 's':
			if (num_u64(optarg, strlen(optarg), (uint64_t)1 << 60, &v) != NUM_OK && num_size(optarg, &v) != NUM_OK)
				tool_die(BADUSE, "-s %s: a number of bytes was expected, as 4096 or 10M", optarg);
			w.size = (int64_t)v;
			break;
		case O_STABLE: w.stable = opt_duration("--stable", optarg); break;
		case O_NEWER: w.newer = optarg; break;
		case O_STATUS: w.status = optarg; break;
		case O_NEW: w.only_new = 1; break;
		case O_FAIL: w.fail = optarg; break;
		case O_STATE: w.state = optarg; break;
		case 'H': w.how = REC_HEADER; break;
		case O_JSON: w.how = REC_JSON; break;
		case 'q': w.quiet = 1; break;
		case 'v': w.verbose = 1; break;
		default: break;
		}
		for (i = 0; i < NOWNED; i++)
			used[i] |= owned[i].val == val;
	}
	if (w.quiet && w.verbose)
		tool_die(BADUSE, "-q and -v: one of the two was expected");
}

/* A word as it can be pasted. */
static void
put_word(FILE *f, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-";
	size_t n = strlen(s);

	if (n > 0 && strspn(s, plain) == n)
		fputs(s, f);
	else
		shq_put(f, s, n);
}

/* The words of argv as one line, ours to free. */
static char *
in_words(const char *before, char **argv, size_t argc)
{
	char *text = NULL;
	size_t n, i;
	FILE *f = tool_text(&text, &n);

	fputs(before, f);
	for (i = 0; i < argc; i++) {
		if (ftell(f) > 0)
			fputc(' ', f);
		if (ftell(f) > 200) {
			fputs("...", f);
			break;
		}
		put_word(f, argv[i]);
	}
	tool_text_end(f, &text);
	return text;
}

static const struct condition *
find_condition(const struct opt *o)
{
	static const char *const names[] = { "process", "proc", "pgrep", "name", "command", "cmd" };
	static const char known[] = "file, gone, pid, group, port, socket, http, log, job, left or -- command was expected";
	char word[TOOL_WORD];
	size_t i;

	if (o->command != NULL) {
		if (o->n > 0)
			tool_die(BADUSE, "%s and a command behind --: one condition was expected",
			    tool_word(word, o->operand[0], strlen(o->operand[0])));
		if (o->command[0] == NULL)
			tool_die(BADUSE, "no command behind --");
		return &conditions[NCONDITIONS - 1];
	}
	if (o->n == 0)
		tool_die(BADUSE, "no condition: %s", known);
	for (i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(o->operand[0], names[i]) == 0)
			tool_die(BADUSE, "no condition %s: a pattern would match this program too; keep the pid (server & pid=$!), or write -- command",
			    names[i]);
	for (i = 0; i + 1 < NCONDITIONS; i++)
		if (strcmp(o->operand[0], conditions[i].name) == 0)
			return &conditions[i];
	tool_die(BADUSE, "no condition %s: %s", tool_word(word, o->operand[0], strlen(o->operand[0])), known);
}

static void
check_options(const struct opt *o, const char used[NOWNED])
{
	const struct condition *c = w.condition;
	char *line;
	size_t i;

	for (i = 0; i < NOWNED; i++)
		if (used[i] && strcmp(c->name, owned[i].of) != 0)
			tool_die(BADUSE, "%s is an option of %s, and %s is waited for", owned[i].option, owned[i].of,
			    strcmp(c->name, "--") == 0 ? "a command" : c->name);
	if (w.n < c->least || w.n > c->most)
		tool_die(BADUSE, "%s: %zu words behind it, %s was expected", c->name, w.n,
		    c->least == 2 ? "FILE ERE" : strcmp(c->name, "port") == 0 ? "PORT or HOST:PORT" : c->most == 1 ? "one" : "one or more");
	for (i = 0; i < w.n; i++)
		if (w.operand[i][0] == '\0')
			tool_die(BADUSE, "%s: an empty word", c->name);
	if (w.limit_word == NULL) {
		line = in_words("waitfor -t 10m", o->argv + 1, (size_t)o->argc - 1);
		tool_die(BADUSE, "no -t: a wait has an end; write %s", line);
	}
}

/* -t: a duration, left, or left-DUR. Until it is known the wait may take what squeue may take. */
static void
set_deadline(void)
{
	int64_t less = 0, left = 0;
	char buf[DUR_TEXT];
	enum verdict v;
	enum said said;

	w.start = child_now();
	w.bound = w.deadline = w.start + 15000;
	if (strncmp(w.limit_word, "left", 4) != 0)
		w.limit = opt_duration("-t", w.limit_word);
	else {
		if (w.limit_word[4] == '-')
			less = opt_duration("-t left-", w.limit_word + 5);
		else if (w.limit_word[4] != '\0')
			tool_die(BADUSE, "-t %s: left or left-5m was expected", w.limit_word);
		v = job_left(&left, &said);
		if (v != CAME_TRUE)
			tool_die(v == MISUSED ? BADUSE : TROUBLE, "-t %s: %s", w.limit_word, w.why);
		if (left == NEVER_ENDS)
			tool_die(BADUSE, "-t %s: the job has no time limit: write a duration", w.limit_word);
		w.limit = left > less ? left - less : 0;
		if (w.limit == 0)
			say_why(w.before, "-t %s was over before the start, with %s left", w.limit_word, span(left, buf));
		w.start = child_now();
	}
	w.bound = w.deadline = w.start + w.limit;
}

static void
begin(const char *guard)
{
	char a[DUR_TEXT], b[DUR_TEXT];
	const struct condition *c = w.condition;

	w.screen = !w.quiet && isatty(2);
	w.beats = 1;
	if (guard != NULL) {
		w.guarded = 1;
		watch_begin(&w.guard, read_pid(guard, strlen(guard), "-w"));
	}
	if (c->prepare != NULL)
		c->prepare();
	/* what a network does not answer, or a command that goes on, is not yet */
	w.answered = c->network || c->look == look_by_command;
	if (c->hinted)
		hints = linux_hints();
	if (c->apart != NULL)
		start_looker(&looking, c->apart);
	hints_at = child_now();
	warn_of_end();
	if (w.verbose)
		say("%s: at most %s, a look every %s", w.what, span(w.limit, a), w.interval >= 0 ? span(w.interval, b) :
		    c->look == look_at_jobs || c->look == look_at_left ? "32 to 60 s" : "10 ms, growing to 1 s");
	w.beat = child_now() + 1000;
}

int
main(int argc, char **argv)
{
	struct opt o = OPT_INIT(argc, argv, options, 1);
	const char *guard = NULL;
	char used[NOWNED] = { 0 };

	tool_begin();
	w.interval = w.size = w.stable = -1;
	run_empty(&looking);
	run_empty(&aside);
	read_options(&o, &guard, used);
	w.condition = find_condition(&o);
	command = o.command;
	if (command == NULL) {
		w.operand = o.operand + 1;
		w.n = (size_t)o.n - 1;
		w.what = in_words(w.condition->name, w.operand, w.n);
	} else
		w.what = in_words("--", command, (size_t)(argv + argc - command));
	check_options(&o, used);
	self = getpid();
	tool_on_failure(on_failure);
	catch_signals();
	set_deadline();
	begin(guard);
	wait_for_it();
}
