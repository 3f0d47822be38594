/* flushcheck - what is on disk if this dies at 90 %
 *
 * One loop starts the command (or finds it, -p), looks at the outputs, and ends it where that was asked. A look takes the
 * size, inode and mtime of each file; what is new is read once, and with it the block before it, by which a file that was
 * written anew is known even when it is longer by now (struct file). A look comes every hundredth of the run so far, 100 ms
 * at most, and at once when inotify hints at a change. Hints find short windows; nothing relies on them.
 *
 * A record seen at a look was written between that look and the one before. Where the verdict depends on when, and
 * the two disagree (a run of 3 ms; we were stopped meanwhile), there is none: status 3.
 *
 * The command has a session of its own. We are the reaper of orphans below us, so that a daemon stays a descendant; all of
 * them are found in /proc, stopped parents first until a scan finds no new one, and only then killed. Without
 * /proc it is the process group. Nobody's file is ever removed or written to.
 *
 * It assumes that clock_gettime(CLOCK_MONOTONIC) goes on while we sleep, and that the outputs are written on this machine.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ere.h"
#include "esc.h"
#include "linux.h"
#include "num.h"
#include "opt.h"
#include "rec.h"
#include "tool.h"

const char help[] =
"flushcheck - what is on disk if this dies at 90 %\n"
"\n"
"usage: flushcheck [options] -o PATH [-o PATH...] -- command [arg...]\n"
"           watches a whole run\n"
"       flushcheck --kill-at WHEN [-g GRACE] [--resume] [options] -o PATH -- command [arg...]\n"
"           kills it as Slurm would, then looks\n"
"       flushcheck -p PID [options] -o PATH\n"
"           watches a run that is under way, until PID ends\n"
"\n"
"  -o, --output PATH        a file that the command writes, or a glob that names many (repeatable)\n"
"  -n, --min MIN            fewer complete records in an output at the end are `nothing` (1)\n"
"  -u, --unit LIMIT         the longest gap between two records that a walltime may cost\n"
"      --start DUR          the first DUR of the run are excused from that\n"
"      --records KIND       a record is one of lines (the default) or files, or ends in the bytes KIND: '\\0', '\\n\\n', ';'\n"
"  -c, --check CMD          sh runs CMD PATH: 0 is a whole file, else it is torn; a number it prints is that many records\n"
"      --done ERE           a line of the command's output that matches announces a finished unit\n"
"      --log FILE           the command's output goes to FILE, an output too (an unnamed file, shown on stderr);\n"
"                           with -p: where it goes already\n"
"  -p, --pid PID            the process to watch\n"
"      --kill-at WHEN       SIGTERM after 45s, or at 90% of a first whole run\n"
"  -g, --grace DUR          SIGKILL to all that is left so long after SIGTERM (30s)\n"
"      --signal [B:]SIG@SEC   a signal SEC seconds before SIGTERM, as sbatch has it\n"
"      --resume             start the command again after the kill: nothing lost, done twice or left out?\n"
"      --id ERE             what names a record's unit for --resume: the first group, or the match (the whole record)\n"
"      --before CMD         sh runs CMD before each run from the start, to clear what the last one left\n"
"      --keep-env           leave PYTHONUNBUFFERED in the command's environment\n"
"  -i, --interval DUR       the longest time between two looks (0.1s)\n"
"  -q, --quiet              no output of the command and no reasons on stderr\n"
"  -v, --verbose            say on stderr what is done when\n"
"  -H, --header             a header line\n"
"      --json               one JSON object a line\n"
"  -h, --help               this text\n"
"  -V, --version            the version\n"
"\n"
"exit status: 0 every output is ok; 1 not; 2 called wrong; 3 the command failed by itself, or could not find out;\n"
"126 the command cannot be run; 127 it is not found.\n"
"\n"
"example:\n"
"  flushcheck -o out.txt -- sh -c 'for i in 1 2 3 4 5; do echo $i; sleep 0.1; done >out.txt'\n";

enum {
	O_START = 256, O_RECORDS, O_DONE, O_LOG, O_KILL, O_SIGNAL, O_RESUME, O_ID, O_BEFORE, O_KEEP, O_JSON
};

static const struct option options[] = {
	OPT_COMMON,
	{ "output", required_argument, NULL, 'o' },
	{ "min", required_argument, NULL, 'n' },
	{ "unit", required_argument, NULL, 'u' },
	{ "start", required_argument, NULL, O_START },
	{ "records", required_argument, NULL, O_RECORDS },
	{ "check", required_argument, NULL, 'c' },
	{ "done", required_argument, NULL, O_DONE },
	{ "log", required_argument, NULL, O_LOG },
	{ "pid", required_argument, NULL, 'p' },
	{ "kill-at", required_argument, NULL, O_KILL },
	{ "grace", required_argument, NULL, 'g' },
	{ "signal", required_argument, NULL, O_SIGNAL },
	{ "resume", no_argument, NULL, O_RESUME },
	{ "id", required_argument, NULL, O_ID },
	{ "before", required_argument, NULL, O_BEFORE },
	{ "keep-env", no_argument, NULL, O_KEEP },
	{ "interval", required_argument, NULL, 'i' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "header", no_argument, NULL, 'H' },
	{ "json", no_argument, NULL, O_JSON },
	{ NULL, 0, NULL, 0 }
};

/* times are microseconds of the monotonic clock */
#define MS INT64_C(1000)
#define SECOND INT64_C(1000000)
#define LOOK_MIN (1 * MS)	/* between two looks */
#define LOOK_SHARE 100		/* a look every hundredth of the run so far, */
#define LOOK_COST 20		/* and no more than a twentieth of the time on looking (reading aside) */
#define HINTS_MOST 200		/* looks a second because of hints; more, and hints rest */
#define HINTS_REST (5 * SECOND)
#define SETTLED (2100 * MS)	/* an mtime this old cannot hide a later write: FAT counts in 2 s */
#define STUCK (10 * SECOND)	/* what SIGKILL has not ended by then is left alone */
#define CHECK_MOST (60 * SECOND)	/* a -c command may take */
#define BLOCK 4096		/* bytes before the new ones that are read again */
#define HEAD 512		/* first bytes that are compared where only the mtime moved */
#define CHUNK 131072
#define BUDGET ((int64_t)64 << 20)	/* bytes read in one look, so that a kill is never late */
#define STEP 4096		/* stdio's buffer for a file is st_blksize: 4096 nearly everywhere */
#define MOVED 16		/* files remembered for a while after they lost their name */
#define HELD 64			/* files kept open: an open file's inode number is not given to another */
#define MARKS 4096		/* points of a timeline */
#define LINE_MOST 65536		/* bytes of a line or record that are matched */
#define DELIM_MOST 64
#define PIPE_SAFE 4096		/* bytes that a pipe which poll calls writable takes without blocking */

enum kind { LINES, FILES, CHECK };
enum mode { WATCH, KILL, PID };
enum verdict { OK, NOTHING, TORN, REWRITE, AT_END, LAG, GAP, LOST, REDONE, LEFT_OUT, UNKNOWN };

static const char glob_bytes[] = "*?[\\";
static const char unbuffered[] = "PYTHONUNBUFFERED";	/* Python's: with it a test passes on one machine and fails on the next */

static const char *const verdict_word[] = {
	"ok", "nothing", "torn", "rewrite", "at-end", "lag", "gap", "lost", "redone", "left-out", "-"
};

static const char *const column[] = {
	"path", "verdict", "records", "bytes", "first_s", "gap_s", "at50", "at90", "at99", "torn", "run_s", "announced",
	"after", "lost", "redone", "left_out"
};

static struct {
	enum mode mode;
	const char **output;
	size_t noutputs;
	uint64_t min;
	int64_t unit, start, interval, kill_at, grace, ahead;	/* unit and kill_at are -1, ahead is -1, where not given */
	unsigned percent;
	int signal, batch;			/* --signal, and its B: */
	enum kind kind;
	char delim[DELIM_MOST];
	size_t ndelim;
	const char *check, *done, *log, *pid_word, *id, *records, *grace_word, *signal_word, *kill_word;
	char *before;
	regex_t done_re, id_re;
	pid_t pid;
	int resume, keep_env, quiet, verbose;
	enum rec_how how;
} ask = { .min = 1, .unit = -1, .interval = 100 * MS, .kill_at = -1, .grace = 30 * SECOND, .ahead = -1, .delim = "\n", .ndelim = 1 };

/* A file of an output. `n` records end before `start`; the bytes from there to `pos` are one that is cut so far. `mark`
 * hashes the block before `start`, `rest` that from there to pos, both within BLOCK bytes before pos, `head` the first. */
struct file {
	char *path;		/* NULL: the unnamed log, which is always open */
	int fd;			/* -1 where it is not kept open */
	int there;		/* a regular file at the last look */
	const char *odd;	/* or else what it was then, NULL where there was nothing */
	dev_t dev;
	ino_t ino;
	int64_t size, pos, start;
	struct timespec mtime;
	int64_t changed, after;	/* when it was last seen to change, and the look before that; CHECK: before the first change
				 * that no check has seen */
	int named;		/* the glob still has it */
	uint64_t n, base;	/* complete records, and how many of them were there before the run */
	int64_t base_size;
	uint64_t mark, rest, head;
	size_t nhead;
	int zeros;		/* from pos on there are only NUL bytes so far */
	int fresh;		/* made or changed in this run */
	int whole;		/* FILES, CHECK: complete, as far as known */
	int dirty, counted;	/* CHECK: to be checked (again); the command prints numbers */
	uint64_t stands;	/* FILES, CHECK: it was renamed over one with so many records, and nothing is known of it yet */
	int presumed;		/* so was it, and is taken for a record till then: not where what was last known under the name */
	int refused;		/* was none, which is this */
	int lost;		/* it had records of this run and went */
	int alias;		/* another name of a file that is counted already */
};

struct stream {			/* an output: what one -o names */
	const char *path;
	enum kind kind;
	int pattern, log, hidden;
	const char *delim;
	size_t ndelim;
	uint64_t min;
	struct file **file;	/* sorted by name */
	size_t n;
	uint64_t now, low;	/* complete records of this run on disk; the fewest (old ones too) since the start of the run */
	int64_t bytes;
	size_t torn;
	struct point {
		int64_t at;
		uint64_t n;
	} *point;
	size_t npoints;
	int progress, presumed;	/* something was completed at this look, or is presumed to be */
	int64_t settled, unsettled;	/* FILES: when it was last looked who writes, and the time before that */
	int64_t first_after, first, last, gap, gap_sure;
	int64_t sure;		/* like last, without what is only presumed, */
	int64_t unproved;	/* and the longest time from there to the next that is sure */
	int64_t unchecked;	/* CHECK: the longest time in which something was completed, and no check told when */
	int cut;		/* a record was cut at the last look, */
	int64_t cut_at, cut_for;	/* which was then; so long in all */
	size_t steps, even;	/* growths seen while it ran; those that left the size a multiple of STEP; */
	size_t still;		/* looks in between that saw none */
	char *rewrite;		/* how it was known, NULL where it was not */
	uint64_t heard;		/* CHECK: units announced when the count was begun */
	uint64_t behind;	/* the most announced units that were not on disk */
	char *trouble;		/* why it could not be read */
	char *line;		/* log: what came since the last newline */
	size_t nline;
	/* --resume */
	uint64_t again, n_lost, n_redone, n_left;
	int compared, redone_known, left_known;
	const char *unlike;	/* why units could not be compared, only numbers */
	/* when the run is over */
	int64_t t0, end;
	uint64_t announced;
	enum verdict verdict;
};

struct keys {			/* the units of an output at one moment, sorted */
	struct key {
		uint64_t id, version;
	} *key;
	size_t n;
	uint64_t sum;		/* records, also where they have no keys */
	uint64_t named;		/* those in which --id matched */
};

static struct stream *stream;
static size_t nstreams;

static struct {
	pid_t pid;		/* the command, 0 where there is none */
	int pidfd;		/* -p */
	uint64_t pid_start;
	int ended, status;
	int64_t t0, end;
	int warned, termed;	/* the signal of --signal was sent, and SIGTERM */
	int cut_off;		/* SIGKILL was needed */
	int64_t written;	/* when something was last seen to be written after SIGTERM, 0 where nothing was */
	int log, show;		/* the log's descriptor, and whether it is shown on stderr */
	int64_t shown;
	int64_t seen, looked, next, cost, blind;	/* the last look's begin and end, the next one, its cost, the longest time without */
	int64_t budget, reading;
	int more;		/* the budget ended before the data */
	int hints, nhints;
	int64_t hints_from, hints_back;
	int64_t glob_next, writers_next;
	uint64_t announced;
	int unheard;		/* --done matched no line of a whole run */
	uint64_t *said;		/* hashes of the lines that announced, of all runs */
	size_t nsaid;
	int over;		/* the last look: no process is left */
} run;

static struct {			/* the one -c command that runs at a time */
	pid_t pid;
	int fd, status, ended;
	struct stream *s;
	struct file *f;
	int64_t began, next;
	int64_t changed, after;	/* the file's when it was begun, */
	uint64_t base;
	int presumed;
	int passed;		/* and whether another one was renamed over it since */
	uint64_t announced;
	char out[64];
	size_t n;
} check;

static struct inode {
	dev_t dev;
	ino_t ino;
} *open_then;			/* files that were open for writing when all processes were stopped, or one was to die: cut */
static size_t nopen_then;
static int open_known = 1;

static pid_t *old_pids;		/* processes that there were before the run, sorted: not asked what they write */
static size_t nold_pids;
static pid_t *others;		/* children we had before the first run (an exec keeps them): not ours to kill */
static size_t nothers;
static struct file *held[HELD];
static size_t nheld;
static char **watched;		/* directories that hints come from */
static size_t nwatched;
static volatile sig_atomic_t caught;
static int wake[2] = { -1, -1 };
static struct sigaction old_chld;
static sigset_t old_mask;
static unsigned char buf[BLOCK + CHUNK];

/* ---- time, signals, small things ---- */

static int64_t
now_us(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_MONOTONIC, &ts) != 0)
		tool_die(TROUBLE, "the monotonic clock:");
	return (int64_t)ts.tv_sec * SECOND + ts.tv_nsec / 1000;
}

/* The CPU time we have had: what a look costs, however busy the machine is. */
static int64_t
cpu_us(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts) != 0)
		return 0;	/* only differences count: another clock's time would make a look cost days */
	return (int64_t)ts.tv_sec * SECOND + ts.tv_nsec / 1000;
}

static void *
grow(void *p, size_t n, size_t size)
{
	return n > 0 && (n & (n - 1)) != 0 ? p : tool_realloc(p, n > 0 ? 2 * n : 1, size);
}

/* a - b; 0 where b is more. */
static uint64_t
minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t
hash(uint64_t h, const void *data, size_t n)
{
	const unsigned char *p = data;

	while (n-- > 0)
		h = (h ^ *p++) * UINT64_C(1099511628211);	/* FNV-1a */
	return h;
}

#define HASH0 UINT64_C(14695981039346656037)

/* A text that could not be matched for want of memory is not one that does not match. */
static int
matches(const regex_t *re, const char *s, size_t n, regmatch_t *m)
{
	int e;

	errno = 0;	/* glibc says REG_NOMATCH then as well */
	e = regexec(re, s, n, m, 0);
	if (e != 0 && (e != REG_NOMATCH || errno == ENOMEM))
		tool_die(TROUBLE, "no memory to match a line");
	return e == 0;
}

/* Microseconds as seconds, in buf. */
static const char *
seconds(int64_t us, char text[32])
{
	snprintf(text, 32, "%" PRId64 ".%03d", us / SECOND, (int)(us % SECOND / 1000));
	return text;
}

static void
on_signal(int sig)
{
	int was = errno;

	if (sig != SIGCHLD)
		caught = sig;
	if (write(wake[1], "", 1) == -1 && errno != EAGAIN)
		caught = caught;	/* a full pipe wakes as well */
	errno = was;
}

static const int fatal[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM
};

/* A pipe that no command inherits. */
static void
make_pipe(int fd[2])
{
	if (pipe(fd) != 0 || fcntl(fd[0], F_SETFD, FD_CLOEXEC) == -1 || fcntl(fd[1], F_SETFD, FD_CLOEXEC) == -1)
		tool_die(TROUBLE, "a pipe:");
}

static void
catch_signals(void)
{
	struct sigaction act, old;
	sigset_t chld;
	size_t i;

	make_pipe(wake);
	if (fcntl(wake[0], F_SETFL, O_NONBLOCK) == -1 || fcntl(wake[1], F_SETFL, O_NONBLOCK) == -1)
		tool_die(TROUBLE, "a pipe:");
	memset(&act, 0, sizeof act);
	sigemptyset(&act.sa_mask);
	act.sa_handler = on_signal;
	sigaction(SIGCHLD, &act, &old_chld);
	for (i = 0; i < sizeof fatal / sizeof fatal[0]; i++) {
		sigaction(fatal[i], NULL, &old);
		if (old.sa_handler == SIG_DFL)
			sigaction(fatal[i], &act, NULL);
	}
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);	/* blocked by whoever started us: we would never learn of an end */
	sigprocmask(SIG_UNBLOCK, &chld, &old_mask);
}

/* The command is over: a signal ends us as it would any program. */
static void
let_signals(void)
{
	struct sigaction old;
	size_t i;

	for (i = 0; i < sizeof fatal / sizeof fatal[0]; i++) {
		sigaction(fatal[i], NULL, &old);
		if (old.sa_handler == on_signal)
			signal(fatal[i], SIG_DFL);
	}
}

/* Takes the ends of our children. */
static void
reap(void)
{
	siginfo_t si;
	int status;

	for (;;) {
		si.si_pid = 0;
		if (waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT) != 0 || si.si_pid == 0)
			return;
		if (si.si_pid == check.pid)
			kill(-check.pid, SIGKILL);	/* what it left behind, while the number is still its own */
		if (waitpid(si.si_pid, &status, WNOHANG) != si.si_pid)
			return;
		if (si.si_pid == run.pid) {
			run.ended = 1;
			run.status = status;
			run.end = now_us();
		} else if (si.si_pid == check.pid) {
			check.ended = 1;
			check.status = status;
		}
	}
}

/* ---- the command's processes ---- */

struct proc {
	pid_t pid, parent, session;
	uint64_t start;
	char state;
	int ours;
};

static int
by_pid(const void *a, const void *b)
{
	const struct proc *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

/* Reads /proc/PID/stat: 0, or -1 and errno. */
static int
read_proc(pid_t pid, struct proc *p)
{
	char name[64], text[1024], *s;
	long parent, session;
	ssize_t n;
	int fd, i;

	snprintf(name, sizeof name, "/proc/%ld/stat", (long)pid);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return -1;
	while ((n = read(fd, text, sizeof text - 1)) == -1 && errno == EINTR)
		;
	i = n == 0 ? ESRCH : errno;
	close(fd);
	errno = i;
	if (n <= 0)
		return -1;
	text[n] = '\0';
	s = strrchr(text, ')');	/* the name before it may hold anything */
	errno = ESRCH;
	if (s == NULL || sscanf(s + 1, " %c %ld %*d %ld", &p->state, &parent, &session) != 3)
		return -1;
	p->pid = pid;
	p->parent = (pid_t)parent;
	p->session = (pid_t)session;
	p->ours = 0;
	p->start = 0;
	for (i = 0; s != NULL && i < 20; i++)	/* starttime is field 22; the state is field 3 */
		s = strchr(s + 1, ' ');
	if (s != NULL)
		p->start = (uint64_t)strtoull(s, NULL, 10);
	return 0;
}

static int procs_partly;	/* the last read_procs may have left processes out */

/* Whether that error says that it is not there, which is an answer. */
static int
is_gone(int why)
{
	return why == ENOENT || why == ESRCH || why == ENOTDIR;
}

/* Every process, sorted by pid, in *p (to be freed); 0 where /proc does not show them. */
static size_t
read_procs(struct proc **p)
{
	char self[32];
	struct dirent *e;
	size_t n = 0;
	uint64_t pid;
	ssize_t len;
	DIR *d;

	*p = NULL;
	len = readlink("/proc/self", self, sizeof self);	/* another namespace's /proc shows other numbers */
	procs_partly = len == -1 && !is_gone(errno);
	if (len <= 0 || num_u64(self, (size_t)len, INT32_MAX, &pid) != NUM_OK || (pid_t)pid != getpid())
		return 0;
	d = opendir("/proc");
	while (errno = 0, d != NULL && (e = readdir(d)) != NULL) {
		if (num_u64(e->d_name, strlen(e->d_name), INT32_MAX, &pid) != NUM_OK)
			continue;
		*p = grow(*p, n, sizeof **p);
		if (read_proc((pid_t)pid, &(*p)[n]) == 0)
			n++;
		else
			procs_partly |= !is_gone(errno) && errno != EACCES && errno != EPERM;
	}
	procs_partly |= d == NULL || errno != 0;
	if (d != NULL)
		closedir(d);
	if (n > 0)
		qsort(*p, n, sizeof **p, by_pid);
	return n;
}

/* Is it one to begin with: a child of ours, not a helper, or what -p names? */
static int
is_seed(const struct proc *p)
{
	size_t i;

	if (ask.mode == PID)
		return p->pid == ask.pid;
	if (run.pid != 0 && p->session == run.pid)
		return 1;
	if (p->parent != getpid() || p->pid == check.pid)
		return 0;
	for (i = 0; i < nothers; i++)
		if (others[i] == p->pid)
			return 0;
	return 1;
}

/* Marks the command's processes: `ours` counts the generations from 1. The deepest one is returned, 0 for none. */
static int
mark_tree(struct proc *p, size_t n)
{
	struct proc want, *up;
	int depth = 0, found;
	size_t i;

	for (i = 0; i < n; i++)
		if (is_seed(&p[i])) {
			p[i].ours = 1;
			depth = 1;
		}
	for (found = depth; found; ) {
		found = 0;
		for (i = 0; i < n; i++) {
			if (p[i].ours)
				continue;
			want.pid = p[i].parent;
			up = bsearch(&want, p, n, sizeof *p, by_pid);
			if (up != NULL && up->ours) {
				p[i].ours = up->ours + 1;
				if (p[i].ours > depth)
					depth = p[i].ours;
				found = 1;
			}
		}
	}
	return depth;
}

static int
has_proc(const struct proc *p, const struct proc *set, size_t n)
{
	const struct proc *hit = n > 0 ? bsearch(p, set, n, sizeof *set, by_pid) : NULL;

	return hit != NULL && hit->ours && hit->start == p->start;
}

/* Sends sig to every process of the command that `except` has not got, parents first; 1 when there was one. Where
 * there is no /proc: -1. *left counts those that live. */
static int
signal_tree(int sig, struct proc **except, size_t *nexcept, size_t *left)
{
	struct proc *p;
	size_t n = read_procs(&p), i;
	int depth, level, any = 0;

	*left = 0;
	if (n == 0)
		return -1;
	depth = mark_tree(p, n);
	for (level = 1; level <= depth; level++)
		for (i = 0; i < n; i++) {
			if (p[i].ours != level || p[i].state == 'Z' || p[i].state == 'X')
				continue;
			++*left;
			if ((except == NULL || !has_proc(&p[i], *except, *nexcept)) && kill(p[i].pid, sig) == 0)
				any = 1;
		}
	if (except != NULL) {
		free(*except);
		*except = p;
		*nexcept = n;
	} else
		free(p);
	return any;
}

static void note_writers(void);

/* Ends every process of the command: stops them until a scan finds no new one, then kills, until none is left. Returns how
 * many live on all the same, and in *found, where it is not NULL, how many there were. */
static size_t
kill_tree(size_t *found)
{
	static int busy;
	struct timespec nap = { 0, 2000000 };
	struct proc *stopped = NULL;
	size_t n = 0, left = 0, most = 0;
	int64_t until = now_us() + STUCK;
	int any = 0, noted = 0, partly, tries = 0;

	if (busy++)
		return 0;	/* it failed inside, and the failure asks for it */
	if (ask.mode == PID || run.pid == 0)
		until = 0;
	while (until > now_us()) {
		reap();
		any = signal_tree(SIGSTOP, &stopped, &n, &left);
		partly = procs_partly && ++tries <= 100;	/* then what can be seen has to do */
		if (any == -1)
			left = kill(-run.pid, SIGSTOP) == 0;	/* the POSIX way: its process group */
		if (left > most)
			most = left;
		if (any != 1 && !partly && left > 0) {
			if (!noted)
				note_writers();
			noted = 1;
			if (any == -1)
				kill(-run.pid, SIGKILL);
			else
				signal_tree(SIGKILL, NULL, NULL, &left);
			nanosleep(&nap, NULL);
			continue;
		}
		if (left == 0 && run.ended && !partly)
			break;
		if (left == 0 || partly)
			nanosleep(&nap, NULL);
	}
	free(stopped);
	reap();
	if (found != NULL)
		*found = most;
	busy = 0;
	return left;
}

/* Nothing of the command outlives us. Where no signal of the user's asked for that, it is said. */
static int
fail(int status)
{
	int ran = run.pid != 0 && !run.ended && ask.mode != PID;

	kill_tree(NULL);
	if (check.pid > 0 && !check.ended)
		kill(-check.pid, SIGKILL);
	if (ran && status != 0)
		tool_warn("the command was killed: nobody would have watched it");
	return status;
}

/* A signal that ends us ends the command's processes first. */
static void
heed(void)
{
	int sig = caught;

	if (sig == 0)
		return;
	fail(0);
	signal(sig, SIG_DFL);
	raise(sig);
	_exit(128 + sig);
}

/* Waits for something to happen, until `until` at most. */
static void
pause_until(int64_t until, int hints, int extra)
{
	static char hinted[16384];
	struct pollfd p[4];
	char some[64];
	int64_t left = (until - now_us() + MS - 1) / MS;

	p[0].fd = wake[0];
	p[1].fd = hints ? run.hints : -1;
	p[2].fd = extra;
	p[3].fd = run.pidfd;
	p[0].events = p[1].events = p[2].events = p[3].events = POLLIN;
	p[1].revents = p[0].revents = 0;
	if (poll(p, 4, (int)(left < 0 ? 0 : left > 60000 ? 60000 : left)) > 0) {
		while (p[0].revents && read(wake[0], some, sizeof some) > 0)
			;
		if (p[1].revents) {
			/* one read: where many write, the queue may never be empty */
			if (read(run.hints, hinted, sizeof hinted) == -1 && errno != EINTR && errno != EAGAIN)
				run.nhints = HINTS_MOST + 1;
			run.next = 0;
			run.glob_next = 0;
			run.nhints++;
		}
	}
	heed();
	reap();
}

/* Starts argv in a session of its own with its output on `out`; a status of 126 or 127 is said and returned, else 0. */
static int
start(char *const argv[], int out)
{
	int tell[2], failure = 0, null;
	char name[TOOL_WORD];
	ssize_t got;
	pid_t pid;

	make_pipe(tell);
	run.ended = 0;
	run.t0 = now_us();	/* whatever holds us up from here on is part of the run */
	pid = fork();
	if (pid == -1)
		tool_die(TROUBLE, "a new process:");
	if (pid == 0) {
		setsid();
		sigaction(SIGCHLD, &old_chld, NULL);
		sigprocmask(SIG_SETMASK, &old_mask, NULL);
		null = open("/dev/null", O_RDONLY);
		if (!ask.keep_env)
			unsetenv(unbuffered);
		if (null != -1 && dup2(null, 0) != -1 && dup2(out, 1) != -1 && dup2(out, 2) != -1) {
			if (null > 2)
				close(null);
			execvp(argv[0], argv);
		}
		failure = errno;
		while (write(tell[1], &failure, sizeof failure) == -1 && errno == EINTR)
			;
		_exit(NOTFOUND);
	}
	run.pid = pid;
	close(tell[1]);
	while ((got = read(tell[0], &failure, sizeof failure)) == -1 && errno == EINTR)
		heed();
	close(tell[0]);
	if (got != (ssize_t)sizeof failure)
		return 0;
	while (!run.ended)
		pause_until(now_us() + SECOND, 0, -1);
	run.pid = 0;
	errno = failure;
	tool_word(name, argv[0], strlen(argv[0]));
	if (failure == ENOENT) {
		tool_warn("%s: not found", name);
		return NOTFOUND;
	}
	tool_warn("%s cannot be run:", name);
	return CANNOTRUN;
}

/* ---- who writes ---- */

static int
by_inode(const void *a, const void *b)
{
	const struct inode *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return (x->ino > y->ino) - (x->ino < y->ino);
}

/* Adds the files that the process has open for writing; -1 where that cannot be known. Another user's never can. */
static int
add_writes(pid_t pid, struct inode **w, size_t *n)
{
	char dir[64], name[96];
	struct dirent *e;
	struct stat st;
	int bad = 0;
	DIR *d;

	snprintf(dir, sizeof dir, "/proc/%ld/fd", (long)pid);
	d = opendir(dir);
	if (d == NULL)
		return is_gone(errno) || errno == EACCES || errno == EPERM ? 0 : -1;
	while (errno = 0, (e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(name, sizeof name, "%s/%.20s", dir, e->d_name);
		/* the link's own mode says how it was opened */
		if (lstat(name, &st) != 0) {
			bad |= !is_gone(errno);
			continue;
		}
		if (!(st.st_mode & S_IWUSR))
			continue;
		if (stat(name, &st) != 0) {
			bad |= !is_gone(errno) && errno != EACCES;
			continue;
		}
		if (!S_ISREG(st.st_mode))
			continue;
		*w = grow(*w, *n, sizeof **w);
		(*w)[*n].dev = st.st_dev;
		(*w)[(*n)++].ino = st.st_ino;
	}
	bad |= errno != 0 && !is_gone(errno);
	closedir(d);
	return bad ? -1 : 0;
}

static int
by_number(const void *a, const void *b)
{
	const pid_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Notes which processes there are before the run. */
static void
note_processes(void)
{
	struct proc *p;
	size_t n = read_procs(&p), i;
	int tries;

	for (tries = 0; procs_partly && tries < 10; tries++) {
		free(p);
		n = read_procs(&p);
	}
	if (procs_partly)
		tool_die(TROUBLE, "not every process in /proc could be read");
	nold_pids = nothers = 0;
	if (n > 0)
		mark_tree(p, n);
	for (i = 0; i < n; i++) {
		if (p[i].pid == getpid() || (ask.mode == PID && p[i].ours))
			continue;
		old_pids = grow(old_pids, nold_pids, sizeof *old_pids);
		old_pids[nold_pids++] = p[i].pid;
		if (p[i].parent == getpid()) {
			others = grow(others, nothers, sizeof *others);
			others[nothers++] = p[i].pid;
		}
	}
	free(p);
}

/* The files that a process which is newer than the run (with -p: one of PID's) has open for writing, sorted, to be freed; -1
 * where it cannot be known. Not the command's alone: what srun starts is none of its descendants. */
static int
find_writes(struct inode **w, size_t *n)
{
	struct dirent *e;
	uint64_t v;
	pid_t pid;
	int partly = 0;
	DIR *d;

	*w = NULL;
	*n = 0;
	d = nold_pids > 0 ? opendir("/proc") : NULL;
	if (d == NULL)
		return -1;
	while (errno = 0, (e = readdir(d)) != NULL) {
		if (num_u64(e->d_name, strlen(e->d_name), INT32_MAX, &v) != NUM_OK || (pid = (pid_t)v) == getpid())
			continue;
		if (bsearch(&pid, old_pids, nold_pids, sizeof pid, by_number) == NULL)
			partly |= add_writes(pid, w, n);
	}
	partly |= errno != 0;
	closedir(d);
	if (*n > 0)
		qsort(*w, *n, sizeof **w, by_inode);
	return partly ? -1 : 0;
}

static int
is_written(const struct file *f, const struct inode *w, size_t n)
{
	struct inode want;

	want.dev = f->dev;
	want.ino = f->ino;
	return n > 0 && bsearch(&want, w, n, sizeof want, by_inode) != NULL;
}

static void
add_written(const struct inode *w, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		open_then = grow(open_then, nopen_then, sizeof *open_then);
		open_then[nopen_then++] = w[i];
	}
	if (nopen_then > 0)
		qsort(open_then, nopen_then, sizeof *open_then, by_inode);
}

/* Notes what is open for writing, beside what was noted before: these files are cut when their writers die now. */
static void
note_writers(void)
{
	struct inode *w;
	size_t n;

	if (find_writes(&w, &n) != 0)
		open_known = 0;
	add_written(w, n);
	free(w);
}

/* ---- files ---- */

static void
let_go(struct file *f)
{
	size_t i;

	if (f->fd == -1 || f->path == NULL)
		return;
	close(f->fd);
	f->fd = -1;
	for (i = 0; i < HELD; i++)
		if (held[i] == f)
			held[i] = NULL;
}

/* The file open for reading, -1 and errno; *st is then that of what is open. It stays open for a while. */
static int
hold(struct file *f, struct stat *st)
{
	struct file **place = &held[nheld % HELD];
	struct stat is;
	size_t i;
	int why;

	if (f->fd != -1) {
		if (fstat(f->fd, &is) == 0 && is.st_dev == st->st_dev && is.st_ino == st->st_ino) {
			*st = is;
			return f->fd;
		}
		let_go(f);
	}
	if (*place != NULL)
		let_go(*place);
	f->fd = open(f->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	for (i = 0; f->fd == -1 && (errno == EMFILE || errno == ENFILE) && i < HELD; i++)
		if (held[i] != NULL) {
			let_go(held[i]);
			f->fd = open(f->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		}
	if (f->fd == -1)
		return -1;
	why = fstat(f->fd, st) != 0 ? errno : S_ISREG(st->st_mode) ? 0 : ENOENT;
	if (why != 0) {
		close(f->fd);
		f->fd = -1;
		errno = why;
		return -1;
	}
	*place = f;
	nheld++;
	return f->fd;
}

/* pread that survives signals and short counts; how much there was, or -1. */
static ssize_t
take(int fd, void *to, size_t n, int64_t at)
{
	size_t sum = 0;
	ssize_t got;

	while (sum < n) {
		got = pread(fd, (char *)to + sum, n - sum, (off_t)(at + (int64_t)sum));
		if (got == -1 && errno == EINTR) {
			heed();
			continue;
		}
		if (got == -1)
			return -1;
		if (got == 0)
			break;
		sum += (size_t)got;
	}
	return (ssize_t)sum;
}

/* The first rewrite counts; `name` is the file's where the output has several, else empty. */
static void
is_rewrite(struct stream *s, const char *name, const char *how)
{
	size_t n;
	FILE *f;

	if (s->rewrite != NULL)
		return;
	f = tool_text(&s->rewrite, &n);
	fprintf(f, "%s%s%s", name, *name != '\0' ? " was " : "", how);
	tool_text_end(f, &s->rewrite);
}

/* Records of this run that are complete in the file. */
static uint64_t
credit(const struct stream *s, const struct file *f)
{
	if (!f->there || f->alias)
		return 0;
	if (f->stands > 0)
		return f->stands;
	if (s->kind == FILES)
		return f->fresh && f->whole;
	if (s->kind == CHECK && !f->counted)
		return f->fresh && f->whole ? f->n : 0;
	return minus(f->n, f->base);
}

/* What was read is not there any more: read it all again. */
static void
begin_again(struct file *f)
{
	f->pos = f->start = 0;
	f->mark = f->rest = HASH0;
	f->n = f->base = 0;
	f->base_size = 0;
	f->nhead = 0;
	f->zeros = 0;
	f->whole = 0;
	f->stands = 0;
	f->fresh = 1;
	f->dirty = 1;
}

/* Something is complete at that moment that is not only presumed. */
static void
prove(struct stream *s, int64_t now)
{
	if (now - s->sure > s->unproved)
		s->unproved = now - s->sure;
	if (now > s->sure)
		s->sure = now;
}

/* It is known now that the file has n records. Where that is 0, what was presumed of it is taken back. */
static void
is_known(struct stream *s, struct file *f, uint64_t n)
{
	if (n > 0)
		prove(s, now_us());
	else if (f->presumed && s->last > s->sure)
		s->last = s->sure;
	f->refused = n == 0;
	f->presumed = 0;
	f->stands = 0;
}

/* The file was changed in place: `how`. */
static void
written_anew(struct stream *s, struct file *f, const char *how)
{
	if (f->stands == 0 && credit(s, f) > 0)
		is_rewrite(s, s->pattern ? f->path : "", how);
	begin_again(f);
}

static size_t
zeros_behind(const unsigned char *p, size_t n)
{
	size_t z = 0;

	while (z < n && p[n - 1 - z] == 0)
		z++;
	return z;
}

/* Are the last bytes of the file all NUL? Then it was made longer ahead of the data. -1 and errno where they cannot be read. */
static int
ends_in_zeros(int fd, int64_t size)
{
	unsigned char end[512];
	int64_t at = size > (int64_t)sizeof end ? size - (int64_t)sizeof end : 0;
	ssize_t n = take(fd, end, sizeof end, at);

	return n == -1 ? -1 : n > 0 && zeros_behind(end, (size_t)n) == (size_t)n;
}

/* Counts the records that end within the bytes [f->pos, to) of buf, whose first byte is at `off` in the file. */
static void
count(const struct stream *s, struct file *f, int64_t off, int64_t to)
{
	int64_t from = f->pos - (int64_t)s->ndelim + 1;
	const unsigned char *p, *end = buf + (to - off), *hit;

	if (from < f->start)
		from = f->start;
	if (from < off)
		from = off;
	p = buf + (from - off);
	while (end - p >= (ptrdiff_t)s->ndelim &&
	    (hit = memchr(p, (unsigned char)s->delim[0], (size_t)(end - p) - s->ndelim + 1)) != NULL) {
		if (s->ndelim > 1 && memcmp(hit, s->delim, s->ndelim) != 0) {
			p = hit + 1;
			continue;
		}
		f->n++;
		p = hit + s->ndelim;
		f->start = off + (p - buf);
	}
	f->pos = to;
}

/* The log's new bytes: lines that announce a unit. */
static void
hear(struct stream *s, const unsigned char *p, size_t n)
{
	const unsigned char *nl;
	size_t len;

	while (n > 0) {
		nl = memchr(p, '\n', n);
		len = nl != NULL ? (size_t)(nl - p) : n;
		if (s->line == NULL)
			s->line = tool_realloc(NULL, LINE_MOST + 1, 1);
		if (len > LINE_MOST - s->nline)
			len = LINE_MOST - s->nline;
		memcpy(s->line + s->nline, p, len);
		s->nline += len;
		if (nl == NULL)
			return;
		s->line[s->nline] = '\0';
		if (matches(&ask.done_re, s->line, 0, NULL)) {
			run.announced++;
			run.said = grow(run.said, run.nsaid, sizeof *run.said);
			run.said[run.nsaid++] = hash(HASH0, s->line, s->nline);
		}
		s->nline = 0;
		n -= (size_t)(nl - p) + 1;
		p = nl + 1;
	}
}

/* Where the block before pos begins. */
static int64_t
block_before(int64_t pos)
{
	return pos > BLOCK ? pos - BLOCK : 0;
}

/* Remembers the block before pos, which lies in buf (its first byte is at `off`). */
static void
remember(struct file *f, int64_t off)
{
	int64_t from = block_before(f->pos), mid = f->start > from ? f->start : from;

	f->mark = hash(HASH0, buf + (from - off), (size_t)(mid - from));
	f->rest = hash(HASH0, buf + (mid - off), (size_t)(f->pos - mid));
}

/* Is the block before pos, read into buf from `off` on, what it was? 1 yes, 0 no, -1 only the cut record differs. */
static int
unchanged(const struct file *f, int64_t off)
{
	int64_t mid = f->start > off ? f->start : off;

	if (hash(HASH0, buf, (size_t)(mid - off)) != f->mark)
		return 0;
	return hash(HASH0, buf + (mid - off), (size_t)(f->pos - mid)) == f->rest ? 1 : -1;
}

/* 1 when the first bytes are what they were; -1 and errno where they cannot be read. */
static int
same_head(const struct file *f, int fd)
{
	unsigned char head[HEAD];
	ssize_t got = f->nhead > 0 ? take(fd, head, f->nhead, 0) : 0;

	return got == -1 ? -1 : got == (ssize_t)f->nhead && hash(HASH0, head, f->nhead) == f->head;
}

/* Is the block before pos in the open file what it was, the cut record too? -1 and errno where it cannot be read. */
static int
same_block(const struct file *f, int fd)
{
	int64_t off = block_before(f->pos);
	ssize_t got = take(fd, buf, (size_t)(f->pos - off), off);

	return got == -1 ? -1 : got == f->pos - off && unchanged(f, off) == 1;
}

/* Reads what is new in a file of lines. `size` is what fstat said; -1 and errno where it cannot be read. */
static int
read_lines(struct stream *s, struct file *f, int fd, int64_t size)
{
	int64_t off, from, to, began = f->pos;
	size_t lead, most = f->zeros ? BLOCK : CHUNK, z;
	ssize_t got;
	int same;

	off = block_before(f->pos);
	lead = (size_t)(f->pos - off);
	got = take(fd, buf, lead + most, off);
	if (got == -1)
		return -1;
	if ((size_t)got < lead)
		return 0;	/* shorter again: the next look sees it */
	same = unchanged(f, off);
	if (same == 1 && size == f->pos) {
		same = same_head(f, fd);
		if (same == -1)
			return -1;
	}
	if (same != 1) {
		if (same == 0)
			written_anew(s, f, "overwritten in place");
		else
			f->pos = f->start;	/* the cut record was replaced */
		off = block_before(f->pos);
		lead = (size_t)(f->pos - off);
		got = take(fd, buf, lead + CHUNK, off);
		if (got == -1)
			return -1;
		if ((size_t)got < lead)
			return 0;
		began = f->pos;
	}
	for (;;) {
		to = off + got;
		z = memchr(s->delim, 0, s->ndelim) != NULL ? 0 : zeros_behind(buf + lead, (size_t)got - lead);
		same = z == 0 ? 0 : to >= size ? 1 : ends_in_zeros(fd, size);
		if (same == -1)
			return -1;
		f->zeros = same;
		if (f->zeros)
			to -= (int64_t)z;
		if (s->log && ask.done != NULL)
			hear(s, buf + lead, (size_t)(to - off) - lead);
		run.budget -= to - f->pos;
		count(s, f, off, to);
		if (off == 0 && f->nhead < HEAD) {
			f->nhead = (size_t)(f->start < HEAD ? f->start : HEAD);
			f->head = hash(HASH0, buf, f->nhead);
		}
		if ((size_t)got == lead || f->zeros || to >= size || run.budget <= 0)
			break;
		from = block_before(f->pos);
		lead = (size_t)(f->pos - from);
		memmove(buf, buf + (from - off), lead);
		off = from;
		got = take(fd, buf + lead, CHUNK, f->pos);
		if (got == -1)
			return -1;
		got += (ssize_t)lead;
	}
	run.more |= run.budget <= 0 && f->pos < size && !f->zeros;
	remember(f, off);
	if (f->pos > began && !run.over) {
		s->steps++;
		s->even += (f->pos - f->base_size) % STEP == 0;
	}
	return 0;
}

/* A file that is a record, or that a command checks: only its ends are read. */
static int
read_ends(struct stream *s, struct file *f, int fd, int64_t size)
{
	int64_t off = block_before(size);
	ssize_t got;
	int same;

	if (f->pos > 0) {
		same = same_block(f, fd);
		if (same == 1 && size == f->pos)
			same = same_head(f, fd);
		if (same == -1)
			return -1;
		if (!same)
			written_anew(s, f, "overwritten in place");
		else if (size == f->pos)
			return 0;
	}
	got = take(fd, buf, (size_t)(size - off), off);
	if (got == -1)
		return -1;
	f->pos = f->start = off + got;
	remember(f, off);
	if (off == 0) {
		f->nhead = (size_t)(got < HEAD ? got : HEAD);
		f->head = hash(HASH0, buf, f->nhead);
	} else if (f->nhead < HEAD) {
		got = take(fd, buf, HEAD, 0);
		f->nhead = got > 0 ? (size_t)got : 0;
		f->head = hash(HASH0, buf, f->nhead);
	}
	return 0;
}

static const char *
name_of(const struct file *f)
{
	return f->path != NULL ? f->path : "the log";
}

/* Why nothing can be said of the output, unless there is a reason already. */
static void TOOL_PRINTF(3, 4)
cannot_tell(struct stream *s, const char *name, const char *fmt, ...)
{
	va_list ap;
	size_t n;
	FILE *f;

	if (s->trouble != NULL)
		return;
	f = tool_text(&s->trouble, &n);
	fprintf(f, "%s: ", name);
	va_start(ap, fmt);
	vfprintf(f, fmt, ap);
	va_end(ap);
	tool_text_end(f, &s->trouble);
}

static void
trouble(struct stream *s, const char *name)
{
	cannot_tell(s, name, "%s", strerror(errno));
}

/* A file that lost its name is known again under another (a log that is rotated). */
static struct {
	const struct stream *s;
	struct file f;
} moved[MOVED];
static size_t nmoved;

static void
stash(const struct stream *s, const struct file *f)
{
	if (f->alias || f->pos == 0)
		return;
	moved[nmoved % MOVED].s = s;
	moved[nmoved++ % MOVED].f = *f;
}

/* Reads the block before pos and remembers it. */
static void
note_block(struct stream *s, struct file *f, int fd)
{
	int64_t off = block_before(f->pos);
	ssize_t got = take(fd, buf, (size_t)(f->pos - off), off);

	if (got == f->pos - off)
		remember(f, off);
	else if (got == -1)
		trouble(s, name_of(f));
}

/* 1 when the open file begins with what `f` has read so far. Where that cannot be read, old records would pass for new. */
static int
goes_on(struct stream *s, const struct file *f, int fd)
{
	int same = same_block(f, fd);

	if (same == 1)
		same = same_head(f, fd);
	if (same == -1)
		trouble(s, name_of(f));
	return same == 1;
}

/* Whether the file that was open has no name any more. */
static int
is_removed(struct stream *s, const struct file *f)
{
	struct stat st;

	if (f->fd == -1)
		return 1;
	if (fstat(f->fd, &st) == 0)
		return st.st_nlink == 0;
	if (errno != ESTALE)
		trouble(s, name_of(f));
	return 1;
}

/* The name is not there, or is no regular file. */
static void
went(struct stream *s, struct file *f)
{
	if (!f->there)
		return;
	/* moved elsewhere it still has a name; only what was removed is lost */
	f->lost = credit(s, f) > 0 && is_removed(s, f);
	stash(s, f);
	f->there = f->alias = f->presumed = f->refused = 0;
	let_go(f);
	begin_again(f);
	f->size = 0;
}

static void
widen(struct stream *s, int64_t after, int64_t now)
{
	if (now - s->last > s->gap)
		s->gap = now - s->last;
	if (after - s->last > s->gap_sure)
		s->gap_sure = after - s->last;
	if (now > s->last)
		s->last = now;
}

/* Something was completed between the two, and no check has told when. */
static void
unsure(struct stream *s, int64_t after, int64_t now)
{
	if (s->kind == CHECK && now - after > s->unchecked)
		s->unchecked = now - after;
}

/* Another file has the name now. What was there before counts on if the new file continues it. */
static void
replaced(struct stream *s, struct file *f, const struct stat *st, int *risk)
{
	int fd, on = 0, presumed;
	uint64_t was = credit(s, f);

	*risk = was > 0 && is_removed(s, f);
	stash(s, f);
	let_go(f);
	f->alias = 0;
	check.passed |= check.f == f;
	s->progress |= s->kind == LINES;
	if (s->kind == LINES && f->base > 0 && (int64_t)st->st_size > f->pos) {
		fd = open(f->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		if (fd == -1 && !is_gone(errno) && errno != ESTALE)
			trouble(s, name_of(f));
		on = fd != -1 && goes_on(s, f, fd);
		if (fd != -1)
			close(fd);
	}
	if (on)
		return;
	/* of what has to be asked about: a rename puts a whole file in the place of a whole one, until the answer is another */
	presumed = s->kind != LINES && f->fresh && !f->refused;
	if (presumed && f->changed > s->last) {	/* nothing is known of the old one either: as if it had been */
		widen(s, f->after, f->changed);
		unsure(s, f->after, f->changed);
	}
	begin_again(f);
	if (!presumed)
		return;
	s->presumed = f->presumed = 1;
	f->stands = was;
}

/* A name that was not there: is it another name of a file that is known? 1 where that one is still there. */
static int
known(const struct stream *s, struct file *f, const struct stat *st)
{
	size_t i;

	for (i = 0; s->pattern && i < s->n; i++)
		if (s->file[i] != f && s->file[i]->there && !s->file[i]->alias && s->file[i]->ino == st->st_ino &&
		    s->file[i]->dev == st->st_dev)
			return 1;
	return 0;
}

/* Takes over what was read of the open file under the name that it had. */
static void
adopt(struct stream *s, struct file *f, int fd, const struct stat *st)
{
	const struct file *m;
	size_t i;

	for (i = 0; s->pattern && i < MOVED; i++) {
		m = &moved[i].f;
		if (moved[i].s != s || m->ino != st->st_ino || m->dev != st->st_dev || st->st_size < m->pos || !goes_on(s, m, fd))
			continue;
		f->pos = m->pos;
		f->start = m->start;
		f->n = m->n;
		f->base = m->base;
		f->base_size = m->base_size;
		f->mark = m->mark;
		f->rest = m->rest;
		f->head = m->head;
		f->nhead = m->nhead;
		f->fresh = m->fresh;
		f->counted = m->counted;
		f->whole = s->kind == CHECK && m->whole;
		f->stands = m->stands;
		f->presumed = m->presumed;
		f->refused = m->refused;
		moved[i].s = NULL;
		return;
	}
}

static const char *
kind_of(mode_t mode)
{
	return S_ISDIR(mode) ? "a directory" : S_ISFIFO(mode) ? "a FIFO" : S_ISSOCK(mode) ? "a socket" : "a device";
}

/* Notes what kind of thing has the name, once. */
static void
odd_thing(struct stream *s, struct file *f, const char *kind)
{
	if (f->odd == NULL && !ask.quiet)
		tool_warn("%s: %s: only regular files are looked at", f->path, kind);
	f->odd = kind;
	went(s, f);
}

/* What stands in the place of an output's file, so that nobody can say what was written; NULL where that is nothing. In a glob
 * a directory is no output. */
static const char *
odd_one(const struct stream *s, const char **name)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->file[i]->odd != NULL && !(s->pattern && strcmp(s->file[i]->odd, "a directory") == 0)) {
			*name = s->file[i]->path;
			return s->file[i]->odd;
		}
	return NULL;
}

/* The file is shorter than what was read of it. */
static void
shrank(struct stream *s, struct file *f, int fd, int64_t size)
{
	uint64_t base = f->base;
	int64_t base_size = f->base_size;

	if (s->kind == LINES && size >= f->start) {
		f->pos = f->start;	/* a cut record was cut off: nothing is lost */
		note_block(s, f, fd);
		return;
	}
	written_anew(s, f, size == 0 ? "truncated in place" : "cut shorter in place");
	if (base_size > 0 && size >= base_size) {
		f->base = base;		/* only what is new was cut */
		f->base_size = base_size;
	}
}

/* Looks at one file, and reads what is new. */
static void
see(struct stream *s, struct file *f)
{
	struct stat st;
	int fd, same, changed, waits, risk = 0;
	int64_t now = now_us(), cpu, budget;

	if (f->path == NULL ? fstat(f->fd, &st) != 0 : stat(f->path, &st) != 0) {
		if (errno == ENOENT || errno == ENOTDIR) {
			f->odd = NULL;
			went(s, f);
		} else if (errno == ELOOP)
			odd_thing(s, f, "a loop of links");
		else if (errno != ESTALE)
			trouble(s, name_of(f));
		return;
	}
	if (!S_ISREG(st.st_mode)) {
		odd_thing(s, f, kind_of(st.st_mode));
		return;
	}
	f->odd = NULL;
	same = f->there && st.st_dev == f->dev && st.st_ino == f->ino;
	if ((!f->there || f->alias) && known(s, f, &st)) {
		f->there = f->alias = 1;
		f->dev = st.st_dev;
		f->ino = st.st_ino;
		return;
	}
	if (f->alias)
		f->there = f->alias = same = 0;
	changed = !same || st.st_size != f->size || st.st_mtim.tv_sec != f->mtime.tv_sec ||
	    st.st_mtim.tv_nsec != f->mtime.tv_nsec;
	if (!changed && !f->zeros && f->pos == st.st_size && now - f->changed > SETTLED)
		return;
	waits = s->kind == CHECK && f->there && f->dirty;
	if (f->there && !same)
		replaced(s, f, &st, &risk);
	else if (!f->there)
		begin_again(f);
	fd = f->path == NULL ? f->fd : hold(f, &st);
	if (fd == -1) {
		if (errno != ENOENT && errno != ESTALE)	/* gone between the two: the next look sees it */
			trouble(s, name_of(f));
		return;
	}
	if (same && (st.st_dev != f->dev || st.st_ino != f->ino)) {
		let_go(f);	/* replaced between the two */
		return;
	}
	if (!f->there)
		adopt(s, f, fd, &st);
	if (f->lost)
		is_rewrite(s, "", "removed and made anew");
	if (same && st.st_size < f->pos)
		shrank(s, f, fd, st.st_size);
	if (changed) {
		f->changed = now;
		if (!waits)
			f->after = run.seen;
		f->fresh |= f->there;
		f->whole &= s->kind == CHECK;
		f->dirty = 1;
		if (run.termed)
			run.written = run.over ? run.end : now;
	}
	f->lost = 0;
	f->there = 1;
	f->dev = st.st_dev;
	f->ino = st.st_ino;
	f->size = st.st_size;
	f->mtime = st.st_mtim;
	cpu = cpu_us();
	budget = run.budget;
	if ((s->kind == LINES ? read_lines : read_ends)(s, f, fd, st.st_size) == -1)
		trouble(s, name_of(f));
	if (budget - run.budget > CHUNK / 2)
		run.reading += cpu_us() - cpu;
	if (risk && (s->kind == LINES ? f->n == 0 : f->size == 0))
		is_rewrite(s, "", "removed and made anew, empty at first");
}

/* ---- outputs ---- */

static void
drop_check(void)
{
	if (check.pid > 0 && !check.ended)
		kill(-check.pid, SIGKILL);
	if (check.pid > 0)
		close(check.fd);
	check.f = NULL;
	check.pid = 0;
	check.fd = -1;
}

static void
free_file(struct file *f)
{
	if (check.f == f)
		drop_check();
	let_go(f);
	free(f->path);
	free(f);
}

/* The file of that name in the output, made where there is none. */
static struct file *
named(struct stream *s, const char *path)
{
	size_t low = 0, high = s->n, mid;
	struct file *f;
	int way;

	while (low < high) {
		mid = low + (high - low) / 2;
		way = strcmp(path, s->file[mid]->path);
		if (way == 0)
			return s->file[mid];
		if (way < 0)
			high = mid;
		else
			low = mid + 1;
	}
	f = tool_realloc(NULL, 1, sizeof *f);
	memset(f, 0, sizeof *f);
	f->path = tool_copy(path, strlen(path));
	f->fd = -1;
	begin_again(f);
	s->file = grow(s->file, s->n, sizeof *s->file);
	memmove(s->file + low + 1, s->file + low, (s->n - low) * sizeof *s->file);
	s->file[low] = f;
	s->n++;
	return f;
}

/* Asks for hints from the directory that `path` lies in. */
static void
hint_at(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path), i;
	char *dir;

	if (run.hints == -1 || nwatched == 64)
		return;
	dir = n > 0 ? tool_copy(path, n) : tool_copy(".", 1);
	for (i = 0; i < nwatched && strcmp(watched[i], dir) != 0; i++)
		;
	if (i < nwatched || linux_hint(run.hints, dir) != 0) {
		free(dir);
		return;
	}
	watched = grow(watched, nwatched, sizeof *watched);
	watched[nwatched++] = dir;
}

static void
end_hints(void)
{
	if (run.hints != -1)
		close(run.hints);
	run.hints = -1;
	while (nwatched > 0)
		free(watched[--nwatched]);
}

/* Hints that come all the time say nothing, and cost the writer: they rest for a while. */
static void
mind_hints(int64_t now)
{
	const char *path;
	char *fixed;
	size_t i, k;

	if (run.hints != -1 && now - run.hints_from >= SECOND) {
		run.hints_from = now;
		run.nhints = 0;
	}
	if (run.hints != -1 && run.nhints > HINTS_MOST) {
		end_hints();
		run.hints_back = now + HINTS_REST;
	}
	if (run.hints == -1 && now >= run.hints_back) {
		run.hints = linux_hints();
		run.hints_back = run.hints == -1 ? INT64_MAX : 0;
		run.hints_from = now;
		run.nhints = 0;
	}
	for (i = 0; run.hints != -1 && i < nstreams; i++) {
		path = stream[i].path;
		if (path == NULL)
			continue;
		fixed = tool_copy(path, stream[i].pattern ? strcspn(path, glob_bytes) : strlen(path));
		hint_at(fixed);
		free(fixed);
		for (k = 0; stream[i].pattern && nwatched < 64 && k < stream[i].n && k < 64; k++)
			hint_at(stream[i].file[k]->path);
	}
}

static struct stream *globbed;

/* A directory that a glob goes through could not be read. */
static int
not_read(const char *path, int why)
{
	errno = why;
	if (why != ENOENT && why != ENOTDIR && why != ELOOP)
		trouble(globbed, path);
	return 0;
}

/* Finds the files that a glob names now. */
static void
find_names(struct stream *s)
{
	struct stat st;
	size_t i, k;
	glob_t g;

	for (i = 0; i < s->n; i++)
		s->file[i]->named = 0;
	memset(&g, 0, sizeof g);
	globbed = s;
	switch (glob(s->path, 0, not_read, &g)) {
	case 0:
		for (i = 0; i < g.gl_pathc; i++)
			named(s, g.gl_pathv[i])->named = 1;
		break;
	case GLOB_NOSPACE:
		tool_die(TROUBLE, "no memory for the names of %s", s->path);
	default:
		break;
	}
	globfree(&g);
	if (lstat(s->path, &st) == 0)
		named(s, s->path)->named = 1;	/* a name that only looks like a pattern */
	for (i = k = 0; i < s->n; i++)
		if (s->file[i]->named || s->file[i]->there || s->file[i]->lost)
			s->file[k++] = s->file[i];
		else
			free_file(s->file[i]);
	s->n = k;
}

static int
is_cut(const struct stream *s, const struct file *f)
{
	if (!f->there || f->alias || !f->fresh)
		return 0;
	return s->kind == LINES ? f->pos > f->start || f->zeros : !f->whole;
}

static void
add_point(struct stream *s, int64_t at, uint64_t n)
{
	size_t i;

	if (s->npoints == MARKS) {	/* half as many; what is said of a moment in between is then a little old */
		for (i = 0; i < MARKS / 2; i++)
			s->point[i] = s->point[2 * i + 1];
		s->npoints = MARKS / 2;
	}
	s->point = grow(s->point, s->npoints, sizeof *s->point);
	s->point[s->npoints].at = at;
	s->point[s->npoints++].n = n;
}

/* From `when` on there was `more` (or less) than is in the timeline. */
static void
shift_points(struct stream *s, int64_t when, uint64_t more)
{
	size_t i;

	add_point(s, when, 0);	/* room */
	for (i = s->npoints - 1; i > 0 && s->point[i - 1].at > when; i--) {
		s->point[i] = s->point[i - 1];
		s->point[i].n += more;
	}
	s->point[i].at = when;
	s->point[i].n = (i > 0 ? s->point[i - 1].n : 0) + more;
}

/* What was on disk at a time. */
static uint64_t
at(const struct stream *s, int64_t when)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < s->npoints && s->point[i].at <= when; i++)
		n = s->point[i].n;
	return n;
}

/* Takes what a look has shown into the timeline. It was written between `after` and `now`. */
static void
account(struct stream *s, int64_t after, int64_t now)
{
	uint64_t n = 0, all = 0;
	const struct file *f;
	size_t i;

	s->bytes = 0;
	s->torn = 0;
	for (i = 0; i < s->n; i++) {
		f = s->file[i];
		if (!f->there || f->alias)
			continue;
		n += credit(s, f);
		all += s->kind == LINES || f->counted ? f->n : (uint64_t)f->whole;
		s->bytes += f->fresh || s->kind == LINES ? f->size - f->base_size : 0;
		s->torn += (size_t)is_cut(s, f);
	}
	if (n > s->now || (s->progress && n > 0)) {
		if (s->first == -1) {
			s->first = now;
			s->first_after = after;
		}
		widen(s, after, now);
		prove(s, now);
	} else if (s->presumed)
		widen(s, after, now);
	else if (!run.over)
		s->still++;
	s->progress = s->presumed = 0;
	if (n != s->now)
		shift_points(s, now, n - s->now);
	s->now = n;
	if (all < s->low)
		s->low = all;
	if (s->cut)
		s->cut_for += now - s->cut_at;
	s->cut = s->kind == LINES && s->torn > 0;
	s->cut_at = now;
}

/* ---- a command that checks a file, -c ---- */

static void
begin_check(struct stream *s, struct file *f)
{
	char sh[] = "sh", c[] = "-c", *argv[] = { sh, c, NULL, sh, NULL, NULL };
	size_t n = strlen(ask.check) + 8, len = strlen(f->path) + 3;
	int to[2], null;
	pid_t pid;

	argv[2] = tool_realloc(NULL, n, 1);
	snprintf(argv[2], n, "%s \"$@\"", ask.check);
	argv[4] = tool_realloc(NULL, len, 1);
	snprintf(argv[4], len, "%s%s", f->path[0] == '-' ? "./" : "", f->path);
	make_pipe(to);
	if (fcntl(to[0], F_SETFL, O_NONBLOCK) == -1)
		tool_die(TROUBLE, "a pipe:");
	pid = fork();
	if (pid == -1)
		tool_die(TROUBLE, "a new process:");
	if (pid == 0) {
		setpgid(0, 0);
		sigaction(SIGCHLD, &old_chld, NULL);
		sigprocmask(SIG_SETMASK, &old_mask, NULL);
		null = open("/dev/null", O_RDWR);
		if (null != -1 && dup2(null, 0) != -1 && dup2(to[1], 1) != -1 && (ask.verbose || dup2(null, 2) != -1)) {
			if (null > 2)
				close(null);
			execv("/bin/sh", argv);
		}
		_exit(NOTFOUND);
	}
	setpgid(pid, pid);
	close(to[1]);
	free(argv[2]);
	free(argv[4]);
	f->dirty = 0;
	check.pid = pid;
	check.fd = to[0];
	check.ended = 0;
	check.s = s;
	check.f = f;
	check.began = now_us();
	check.changed = f->changed;
	check.after = f->after;
	check.base = f->base;
	check.presumed = f->presumed;
	check.passed = 0;
	check.announced = run.announced;
	check.n = 0;
}

/* Takes what the check has written; more than a number is read and forgotten. */
static void
drain_check(void)
{
	char some[4096];
	ssize_t got;

	while ((got = read(check.fd, some, sizeof some)) > 0 || (got == -1 && errno == EINTR))
		if (got > 0 && check.n < sizeof check.out) {
			if ((size_t)got > sizeof check.out - check.n)
				got = (ssize_t)(sizeof check.out - check.n);
			memcpy(check.out + check.n, some, (size_t)got);
			check.n += (size_t)got;
		}
}

/* Whether the first word of a check's output is meant as a number: -5, 1.5, 99999999999999999999999. */
static int
is_numeric(const char *s, size_t n)
{
	size_t i = n > 0 && (*s == '-' || *s == '+'), digits = 0;

	for (; i < n && strchr("0123456789.,eE", s[i]) != NULL && s[i] != '\0'; i++)
		digits += s[i] >= '0' && s[i] <= '9';
	return digits > 0 && (i == n || strchr(" \t\r\n", s[i]) != NULL);
}

/* Takes a check's answer into the timeline: n records in the file as it was when the check began, or in one that was renamed
 * over it since. */
static void
answered(struct stream *s, struct file *f, int whole, uint64_t n)
{
	uint64_t before = s->now;
	int64_t when;
	int progress;
	size_t i;

	if (check.passed) {
		if (f->counted)
			n = minus(n, check.base);
		f->stands = n;
		f->refused = 0;
	} else {
		f->stands = 0;
		f->whole = whole;
		f->n = n;
		n = credit(s, f);
	}
	if (n == 0 || !check.passed)
		is_known(s, f, n);
	for (i = 0; i < s->n && !s->file[i]->dirty; i++)
		;
	s->heard = i == s->n ? check.announced : 0;	/* all that is there is counted: it can be compared */
	s->progress |= n > 0 && (check.presumed || !f->counted);
	progress = s->progress;
	/* what was checked had been there since it last changed, or, as is presumed of renames, since before them */
	when = check.passed ? check.changed : f->changed;
	account(s, check.after, when);
	if (progress || s->now > before)
		unsure(s, check.after, when);
}

/* A check that has ended, or takes too long, is taken into account. */
static void
end_check(void)
{
	struct file *f = check.f;
	struct stream *s = check.s;
	size_t from = 0, n;
	uint64_t number = 0;
	int late = now_us() - check.began > CHECK_MOST, status;
	char word[TOOL_WORD];

	if (check.pid == 0 || (!check.ended && !late))
		return;
	drain_check();
	n = check.n;
	while (n > 0 && strchr(" \t\r\n", check.out[n - 1]) != NULL)
		n--;
	while (from < n && strchr(" \t", check.out[from]) != NULL)
		from++;
	status = check.ended && WIFEXITED(check.status) ? WEXITSTATUS(check.status) : -1;
	drop_check();
	check.next = now_us() + 9 * (now_us() - check.began);
	if (status == -1 || status == CANNOTRUN || status == NOTFOUND) {
		is_known(s, f, 0);
		cannot_tell(s, f->path, "the check %s", late ? "took more than 60s" : status == -1 ? "was killed" : "could not be run");
		return;
	}
	if (status != 0 && f->dirty && !check.passed)
		return;		/* it was being written meanwhile: the next check decides */
	f->counted = num_u64(check.out + from, n - from, UINT64_MAX, &number) == NUM_OK;
	if (status == 0 && !f->counted && is_numeric(check.out + from, n - from)) {
		is_known(s, f, 0);
		cannot_tell(s, f->path, "the check printed %s: a number of records and nothing else, or no number, was expected",
		    tool_word(word, check.out + from, n - from));
		return;
	}
	answered(s, f, status == 0, f->counted ? number : status == 0);
}

/* Begins the next check that is due: the file that has waited longest. 0 where none waits. */
static int
next_check(void)
{
	struct stream *best_of = NULL;
	struct file *f, *best = NULL;
	size_t i, k;

	for (i = 0; ask.check != NULL && i < nstreams; i++)
		for (k = 0; stream[i].kind == CHECK && k < stream[i].n; k++) {
			f = stream[i].file[k];
			if (f->dirty && f->there && !f->alias && (best == NULL || f->changed < best->changed)) {
				best = f;
				best_of = &stream[i];
			}
		}
	if (best != NULL)
		begin_check(best_of, best);
	return best != NULL;
}

/* Checks all that is still to be checked. */
static void
check_all(void)
{
	while (check.pid != 0 || next_check()) {
		pause_until(check.began + CHECK_MOST + MS, 0, check.fd);
		drain_check();
		end_check();
	}
}

/* ---- a look ---- */

/* Announced units that are not on disk: the announcements were read first, so none can be too new. */
static void
note_lag(struct stream *s, uint64_t announced)
{
	if (ask.done != NULL && !s->log && minus(announced, s->now) > s->behind)
		s->behind = minus(announced, s->now);
}

/* A file that is a record is complete when nobody has it open for writing. */
static void
settle(struct stream *s, int64_t now)
{
	int64_t cpu = cpu_us();
	struct inode *w = NULL;
	struct stat st;
	size_t n = 0, i;
	struct file *f;
	int tried = 0, seen = 0;

	for (i = 0; i < s->n; i++) {
		f = s->file[i];
		if (!f->there || f->alias || f->whole || !f->fresh)
			continue;
		if (f->size == 0) {
			is_known(s, f, 0);
			continue;
		}
		if (run.over) {
			f->whole = open_known && !is_written(f, open_then, nopen_then);
			is_known(s, f, (uint64_t)f->whole);
			if (!open_known)
				cannot_tell(s, f->path, "who had it open at the end could not be found out");
		} else if (is_written(f, open_then, nopen_then))
			continue;	/* its writer was sent a signal that may have ended it */
		else if (!tried && now < run.writers_next) {
			if (now - s->settled > run.blind)
				run.blind = now - s->settled;
			return;
		} else {
			if (!tried)
				seen = find_writes(&w, &n) == 0;
			tried = 1;
			if (seen ? is_written(f, w, n) : nold_pids > 0 || now - f->changed < 50 * MS) {
				if (seen)
					is_known(s, f, 0);
				continue;	/* where there is no /proc, what rests is complete */
			}
			f->whole = stat(f->path, &st) == 0 && st.st_ino == f->ino && st.st_size == f->size &&
			    st.st_mtim.tv_sec == f->mtime.tv_sec && st.st_mtim.tv_nsec == f->mtime.tv_nsec;
			if (f->whole)
				is_known(s, f, 1);
		}
		s->progress |= f->whole;
	}
	free(w);
	s->unsettled = s->settled;
	s->settled = now;
	if (tried)
		run.writers_next = now_us() + 5 * MS + LOOK_COST * (cpu_us() - cpu);
}

/* Looks at the files of one output. */
static void
look_at(struct stream *s, int64_t now)
{
	size_t i;

	if (s->pattern && (now >= run.glob_next || run.over))
		find_names(s);
	for (i = 0; i < s->n; i++)
		see(s, s->file[i]);
	if (s->kind == FILES)
		settle(s, now_us());
}

static void
look(void)
{
	int64_t begin = now_us(), after = run.seen, cpu = cpu_us(), end, step;
	uint64_t announced;
	size_t i;

	run.budget = BUDGET;
	run.reading = 0;
	run.more = 0;
	if (begin - run.seen > run.blind && run.seen > 0)
		run.blind = begin - run.seen;
	mind_hints(begin);
	for (i = 0; i < nstreams; i++)
		if (stream[i].log)
			look_at(&stream[i], begin);
	announced = run.announced;
	for (i = 0; i < nstreams; i++)
		if (!stream[i].log)
			look_at(&stream[i], begin);
	end = now_us();
	for (i = 0; i < nstreams; i++) {
		account(&stream[i], stream[i].kind == FILES && stream[i].unsettled < after ? stream[i].unsettled : after,
		    run.over ? run.end : end);
		note_lag(&stream[i], stream[i].kind == CHECK ? stream[i].heard : announced);
	}
	run.cost = cpu_us() - cpu - run.reading;
	run.looked = end;
	run.seen = begin;
	if (begin >= run.glob_next)
		run.glob_next = end + LOOK_COST * run.cost;
	step = (end - run.t0) / LOOK_SHARE;
	if (step > ask.interval)
		step = ask.interval;
	if (step < LOOK_COST * run.cost)
		step = LOOK_COST * run.cost;
	if (step < (end - begin) / 2)
		step = (end - begin) / 2;	/* a slow file system */
	if (step < LOOK_MIN)
		step = LOOK_MIN;
	run.next = run.more ? end : end + step;
}

/* The unnamed log on stderr, as far as stderr takes it. */
static void
show(int all)
{
	char some[PIPE_SAFE];
	struct pollfd p;
	ssize_t got, put;
	int turns;

	for (turns = 0; run.show && (all || turns < 64); turns++) {
		p.fd = 2;
		p.events = POLLOUT;
		if (poll(&p, 1, all ? 1000 : 0) <= 0 || (p.revents & POLLNVAL)) {
			heed();
			if (!all || (p.revents & POLLNVAL))
				return;
			continue;
		}
		got = take(run.log, some, sizeof some, run.shown);
		if (got <= 0)
			return;
		put = write(2, some, (size_t)got);
		heed();
		if (put > 0)
			run.shown += put;
		else if (put == -1 && errno != EINTR && errno != EAGAIN)
			run.show = 0;	/* nobody to show it to */
	}
}

/* ---- runs ---- */

/* Makes the outputs anew, with what is there now as what was there before. */
static void
make_streams(void)
{
	struct stream *s;
	struct file *f;
	size_t i, k, said = run.nsaid;

	nstreams = ask.noutputs + (ask.log != NULL || ask.mode != PID);
	stream = tool_realloc(NULL, nstreams, sizeof *stream);
	memset(stream, 0, nstreams * sizeof *stream);
	for (i = 0; i < nstreams; i++) {
		s = &stream[i];
		s->log = i == ask.noutputs;
		s->hidden = s->log && ask.log == NULL;
		s->path = s->log ? ask.log : ask.output[i];
		s->kind = s->log ? LINES : ask.kind;
		s->min = s->log && ask.noutputs > 0 && ask.min > 1 ? 1 : ask.min;
		s->delim = s->log ? "\n" : ask.delim;
		s->ndelim = s->log ? 1 : ask.ndelim;
		s->pattern = !s->log && strpbrk(s->path, glob_bytes) != NULL;
		s->first = -1;
		if (s->hidden) {
			f = named(s, "");
			free(f->path);
			f->path = NULL;
			f->fd = run.log;
		} else if (!s->pattern)
			named(s, s->path);
	}
	run.seen = run.glob_next = run.writers_next = 0;
	run.over = run.warned = run.termed = run.cut_off = 0;
	run.written = 0;
	nopen_then = 0;
	open_known = 1;
	run.announced = 0;
	run.t0 = now_us();
	do {
		heed();
		look();
	} while (run.more);
	check_all();
	run.announced = 0;
	run.nsaid = said;
	for (i = 0; i < nstreams; i++) {
		s = &stream[i];
		for (k = 0; k < s->n; k++) {
			f = s->file[k];
			f->base = f->n;
			f->base_size = f->pos;
			f->fresh = f->presumed = f->refused = 0;
			f->stands = 0;
			f->changed = 0;
		}
		s->low = UINT64_MAX;
		s->first = -1;
		s->progress = s->presumed = s->cut = 0;
		s->now = s->behind = 0;
		s->gap = s->gap_sure = s->unchecked = s->unproved = s->cut_for = 0;
		s->steps = s->even = s->still = s->npoints = s->nline = 0;
		free(s->rewrite);
		s->rewrite = NULL;
	}
}

static void
free_streams(struct stream *s, size_t n)
{
	size_t i, k;

	for (i = 0; i < n; i++) {
		for (k = 0; k < s[i].n; k++)
			free_file(s[i].file[k]);
		free(s[i].file);
		free(s[i].point);
		free(s[i].rewrite);
		free(s[i].trouble);
		free(s[i].line);
	}
	free(s);
}

/* Has the process of -p ended? A zombie has, and a pid that means another process now. */
static int
pid_ended(void)
{
	struct pollfd fd;
	struct proc p;

	if (run.pidfd != -1) {
		fd.fd = run.pidfd;
		fd.events = POLLIN;
		return poll(&fd, 1, 0) > 0;
	}
	if (kill(ask.pid, 0) == -1 && errno == ESRCH)
		return 1;
	return read_proc(ask.pid, &p) == 0 && (p.state == 'Z' || p.state == 'X' || (run.pid_start != 0 && p.start != run.pid_start));
}

/* Sends a signal to the command's own process. What it has open for writing is cut, should that end it. */
static void
signal_command(int sig)
{
	if (ask.kind == FILES) {
		kill(run.pid, SIGSTOP);
		nopen_then = 0;
		note_writers();
	}
	kill(run.pid, sig);
	kill(run.pid, SIGCONT);
}

/* Sends the signal that --signal asked for. */
static void
signal_ahead(void)
{
	struct proc *p;
	size_t n, i;
	int sent = 0;

	if (ask.batch) {
		signal_command(ask.signal);
		return;
	}
	n = read_procs(&p);
	if (n > 0)
		mark_tree(p, n);
	for (i = 0; i < n; i++)
		if (p[i].ours && p[i].pid != run.pid && p[i].state != 'Z' && kill(p[i].pid, ask.signal) == 0)
			sent++;
	free(p);
	if (sent == 0 && !ask.quiet)
		tool_warn("--signal %s: no process to send it to but the command's own: sbatch sends it to steps, and to the script only with B:",
		    ask.signal_word);
}

/* What the plan of a kill wants done by now; the time of what comes next. 1 in *over at its end. */
static int64_t
do_plan(int64_t kill_at, int *ahead, int *over)
{
	int64_t now = now_us(), term = run.t0 + kill_at, first = term - ask.ahead;
	char text[32];

	*over = 0;
	if (*ahead && now >= first) {
		*ahead = 0;
		run.warned = 1;
		if (ask.verbose)
			tool_warn("--signal %s after %s s", ask.signal_word, seconds(now - run.t0, text));
		signal_ahead();
	}
	if (!run.termed && now >= term) {
		look();
		run.termed = 1;
		run.written = 0;
		signal_command(SIGTERM);
		if (ask.verbose)
			tool_warn("SIGTERM after %s s", seconds(now_us() - run.t0, text));
	}
	if (run.termed && now >= term + ask.grace) {
		run.cut_off = *over = 1;
		return now;
	}
	return *ahead ? first : run.termed ? term + ask.grace : term;
}

/* What is left of the command's processes is ended, as Slurm does when a job's script has ended. */
static void
sweep(void)
{
	struct inode *then = open_then;
	size_t found, left, n = nopen_then;
	char text[32];

	open_then = NULL;
	nopen_then = 0;
	left = kill_tree(&found);
	/* where it has lived on, or ended in its own way, what was open now counts, else what was when the signal came */
	if (run.ended && WIFSIGNALED(run.status) && !(run.cut_off && WTERMSIG(run.status) == SIGKILL))
		add_written(then, n);
	free(then);
	if (left > 0)
		tool_warn("%zu of the command's processes cannot be killed: what they write is not seen", left);
	if (run.cut_off) {
		run.end = now_us();
		if (ask.verbose)
			tool_warn("SIGKILL to %zu processes after %s s", found, seconds(run.end - run.t0, text));
	} else if (found > 0 && !ask.quiet)
		tool_warn("%zu of the command's processes outlived it: killed, as Slurm does when a job's script ends", found);
}

/* Watches the run until it is over; `kill_at` after its start it is killed, unless that is -1. */
static void
watch(int64_t kill_at)
{
	int64_t now, until, step;
	int ahead = kill_at != -1 && ask.ahead != -1, over = 0;
	size_t i;

	for (i = 0; i < nstreams; i++) {
		stream[i].last = stream[i].sure = run.t0 + ask.start;
		stream[i].settled = stream[i].unsettled = run.t0;
	}
	run.seen = run.t0;
	run.blind = run.next = run.looked = 0;
	for (;;) {
		reap();
		if (ask.mode == PID ? pid_ended() : run.ended)
			break;
		until = kill_at == -1 ? INT64_MAX : do_plan(kill_at, &ahead, &over);
		if (over)
			break;
		if (now_us() >= run.next)
			look();
		show(0);
		if (check.pid != 0) {
			drain_check();
			end_check();
		} else if (now_us() >= check.next)
			next_check();
		now = now_us();
		step = run.looked + LOOK_MIN + LOOK_COST / 2 * run.cost;	/* not sooner, whatever the hints say */
		if (run.next < until)
			until = run.next;
		if (now < step && step < until)
			until = step;
		pause_until(until, now >= step, check.fd);
	}
	if (ask.mode == PID)
		run.end = now_us();
	else
		sweep();
	run.over = 1;
	do {
		heed();
		look();
	} while (run.more);
	check_all();
	for (i = 0; i < nstreams; i++) {
		account(&stream[i], run.seen, run.end);
		note_lag(&stream[i], run.announced);
		widen(&stream[i], run.end, run.end);
		prove(&stream[i], run.end);
		stream[i].t0 = run.t0;
		stream[i].end = run.end;
		stream[i].announced = run.announced;
	}
	show(1);
}

/* ---- --resume: the units of an output, before and after ---- */

static int
by_key(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->version > y->version) - (x->version < y->version);
}

static void
add_key(struct keys *k, uint64_t id, uint64_t version)
{
	k->key = grow(k->key, k->n, sizeof *k->key);
	k->key[k->n].id = id;
	k->key[k->n++].version = version;
}

/* The key of a record: what --id finds in it, else all of it. */
static uint64_t
key_of(struct keys *k, char *text, size_t n)
{
	regmatch_t m[2];
	size_t g;
	char was;

	if (ask.id != NULL) {
		was = text[n];
		text[n] = '\0';
		if (matches(&ask.id_re, text, 2, m)) {
			text[n] = was;
			k->named++;
			g = m[1].rm_so != -1;
			return hash(HASH0, text + m[g].rm_so, (size_t)(m[g].rm_eo - m[g].rm_so));
		}
		text[n] = was;
	}
	return hash(HASH0, text, n);
}

static void
keys_of_file(struct keys *k, struct stream *s, struct file *f)
{
	int fd = f->path == NULL ? f->fd : open(f->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	char *text = NULL, *hit, *from;
	size_t n = 0, room = 0, left;
	int64_t off = 0;
	ssize_t got = 0;

	while (fd != -1) {
		if (room - n < CHUNK)
			text = tool_realloc(text, room = 2 * room + CHUNK, 1);
		got = take(fd, text + n, CHUNK - 1, off);
		if (got <= 0)
			break;
		n += (size_t)got;
		off += got;
		left = n > (size_t)got + s->ndelim ? n - (size_t)got - s->ndelim : 0;	/* not searched before */
		for (from = text, hit = text + left; (size_t)(text + n - hit) >= s->ndelim; ) {
			hit = memchr(hit, (unsigned char)s->delim[0], (size_t)(text + n - hit) - s->ndelim + 1);
			if (hit == NULL)
				break;
			if (memcmp(hit, s->delim, s->ndelim) != 0) {
				hit++;
				continue;
			}
			add_key(k, key_of(k, from, (size_t)(hit - from)), 0);
			from = hit += s->ndelim;
		}
		n -= (size_t)(from - text);
		memmove(text, from, n);
	}
	if (fd == -1 || got == -1)
		trouble(s, name_of(f));
	if (fd != -1 && f->path != NULL)
		close(fd);
	free(text);
}

static void
take_keys(struct keys *k, struct stream *s)
{
	uint64_t version;
	struct file *f;
	size_t i;

	memset(k, 0, sizeof *k);
	for (i = 0; i < s->n; i++) {
		f = s->file[i];
		if (!f->there || f->alias)
			continue;
		if (s->kind == LINES)
			keys_of_file(k, s, f);
		else if (s->kind == CHECK)
			k->sum += f->n;
		else if (f->whole || !f->fresh) {
			version = hash(HASH0, &f->ino, sizeof f->ino);
			version = hash(version, &f->mtime.tv_sec, sizeof f->mtime.tv_sec);
			version = hash(version, &f->mtime.tv_nsec, sizeof f->mtime.tv_nsec);
			add_key(k, hash(HASH0, f->path, strlen(f->path)), version);
		}
	}
	if (s->kind != CHECK)
		k->sum = k->n;
	if (k->n > 0)
		qsort(k->key, k->n, sizeof *k->key, by_key);
}

/* How many keys from *i on have the id, and moves past them. */
static uint64_t
same_keys(const struct keys *k, size_t *i, uint64_t id)
{
	size_t from = *i;

	while (*i < k->n && k->key[*i].id == id)
		++*i;
	return *i - from;
}

/* Compares what was complete at the kill (k1) with what there is after the second run (k2), and with the first whole run (k0,
 * NULL where there was none). */
static void
compare(struct stream *s, const struct stream *second, const struct keys *k0, const struct keys *k1, const struct keys *k2)
{
	size_t i0 = 0, i1 = 0, i2 = 0, was1, was2;
	uint64_t id, c0, c1, c2, strange = 0, dropped;
	int comparable = k0 != NULL && s->kind != CHECK;

	s->compared = 1;
	s->again = k2->sum;
	s->left_known = k0 != NULL;
	while (s->kind != CHECK && ((k0 != NULL && i0 < k0->n) || i1 < k1->n || i2 < k2->n)) {
		id = UINT64_MAX;
		if (k0 != NULL && i0 < k0->n)
			id = k0->key[i0].id;
		if (i1 < k1->n && k1->key[i1].id < id)
			id = k1->key[i1].id;
		if (i2 < k2->n && k2->key[i2].id < id)
			id = k2->key[i2].id;
		was1 = i1;
		was2 = i2;
		c0 = k0 != NULL ? same_keys(k0, &i0, id) : 0;
		c1 = same_keys(k1, &i1, id);
		c2 = same_keys(k2, &i2, id);
		s->n_lost += minus(c1, c2);
		if (c1 > 0)
			s->n_redone += minus(c2, c1 > c0 ? c1 : c0);
		if (s->kind == FILES && c1 > 0 && c2 > 0)
			s->n_redone += k1->key[was1].version != k2->key[was2].version;
		s->n_left += minus(c0, c1 > c2 ? c1 : c2);
		strange += minus(c1, c0);
	}
	if (s->kind == CHECK)
		s->n_lost = minus(k1->sum, k2->sum);
	s->redone_known = s->kind != CHECK;
	if (k0 != NULL && (!comparable || strange > 0)) {
		s->n_left = minus(minus(k0->sum, k2->sum), s->n_lost);
		if (s->kind == LINES && s->n_redone < minus(k2->sum, k0->sum))
			s->n_redone = minus(k2->sum, k0->sum);
		if (comparable)
			s->unlike = s->kind == FILES ? "files have other names in each run: only their number could be compared with the whole run" :
			    "records differ from run to run: only their numbers could be compared with the whole run (--id names the unit)";
	}
	if (ask.id != NULL && s->kind == LINES && k1->n > 0 && k1->named + k2->named + (k0 != NULL ? k0->named : 0) == 0)
		s->unlike = "no record matches --id: no unit was compared";
	/* what was taken away in the second run and is there again was done again, whatever it looks like now */
	dropped = second->kind == LINES ? minus(minus(k1->sum, second->low), s->n_lost) : 0;
	if (ask.done != NULL && !s->log) {
		dropped = minus(k1->sum + run.announced, minus(k2->sum, s->n_redone));
		s->redone_known = 1;
	}
	if (dropped > s->n_redone)
		s->n_redone = dropped;
	if (s->unlike != NULL) {	/* equal numbers say nothing about units */
		s->redone_known = s->n_redone > 0;
		s->left_known = s->n_left > 0;
	}
}

static int
by_u64(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Different announcements of all runs: the units there should be, where no whole run has shown them. */
static uint64_t
units_said(void)
{
	uint64_t n = 0;
	size_t i;

	if (run.nsaid > 0)
		qsort(run.said, run.nsaid, sizeof *run.said, by_u64);
	for (i = 0; i < run.nsaid; i++)
		n += i == 0 || run.said[i] != run.said[i - 1];
	return n;
}

/* ---- the verdict ---- */

static int64_t
length(const struct stream *s)
{
	return s->end > s->t0 ? s->end - s->t0 : 1;
}

/* The longest time without a look, or without the check that would have told more. */
static int64_t
blind(const struct stream *s)
{
	return s->unchecked > run.blind ? s->unchecked : run.blind;
}

/* Whether nine records of ten, or more, came after that moment: a header came first, or a first buffer. -1 where the looks
 * were too far apart to tell. */
static int
nearly_all_late(const struct stream *s, int64_t when)
{
	if (s->log || s->now < 10 || at(s, when) > s->now / 10)
		return 0;
	return blind(s) <= length(s) / 50 || at(s, when + blind(s)) <= s->now / 10 ? 1 : -1;
}

static enum verdict
timing(const struct stream *s, int killed)
{
	int64_t t = length(s), late = t / 10 * 9, slack = ask.unit / 10 > SECOND / 2 ? ask.unit / 10 : SECOND / 2;
	int unknown = 0, most = 0;

	if (!killed && s->first != -1 && s->first - s->t0 > late) {
		if (s->first_after - s->t0 > late || s->first - s->first_after <= t / 50)
			return AT_END;
		unknown = 1;
	}
	if (!killed && (most = nearly_all_late(s, s->t0 + late)) == 1)
		return AT_END;
	unknown |= most == -1;
	if (s->behind > 1)
		return LAG;
	if (ask.unit != -1 && s->gap > ask.unit) {
		if (s->gap_sure > ask.unit || blind(s) <= slack)
			return GAP;
		unknown = 1;
	}
	if (ask.unit != -1 && s->kind == CHECK && s->unproved > ask.unit)
		unknown = 1;
	return unknown ? UNKNOWN : OK;
}

/* The verdict on an output after a run that was watched to its end, or killed. */
static enum verdict
judge(const struct stream *s, int killed)
{
	const char *name;

	if (s->trouble != NULL)
		return UNKNOWN;
	if (s->now < s->min)
		return odd_one(s, &name) != NULL ? UNKNOWN : NOTHING;
	if (s->torn > 0 || (!killed && s->cut_for > length(s) / 10))
		return TORN;
	if (s->rewrite != NULL)
		return REWRITE;
	return timing(s, killed);
}

static enum verdict
judge_resume(const struct stream *s)
{
	if (s->verdict != OK)
		return s->verdict;
	if (s->n_lost > 0)
		return LOST;
	if (s->n_redone > 0)
		return REDONE;
	if (s->left_known && s->n_left > 0)
		return LEFT_OUT;
	return s->unlike != NULL ? UNKNOWN : OK;
}

/* Did records come many at a time, with nothing in between? */
static int
in_batches(const struct stream *s)
{
	return s->kind == LINES && s->steps > 0 && s->still > s->steps && s->now / s->steps > 1 &&
	    s->bytes / (int64_t)s->steps >= STEP / 2;
}

/* Does it look like a stdio buffer, or like one in Python? What to write then; "" where it cannot be told. */
static const char *
cause(const struct stream *s)
{
	if (s->even > 0 && s->even + 1 >= s->steps && (s->torn > 0 || s->cut_for > length(s) / 10))
		return "; it grew in steps of 4096 bytes only: stdio buffering (stdbuf -oL, python -u, fflush, f.flush())";
	if (s->verdict == AT_END && s->steps <= 1 && s->bytes < 2 * STEP && s->kind == LINES)
		return "; it would fit in a buffer of stdio or python, written at exit (stdbuf -oL, python -u, fflush, f.flush())";
	if (s->verdict == NOTHING && !s->pattern && access(s->path, F_OK) != 0)
		return s->steps > 0 ? "; it was written and is gone: removed by the command?" :
		    "; no file of this name is there: is it the right path?";
	if (s->verdict == NOTHING && s->bytes == 0 && s->kind != FILES)
		return "; if it was printed by then, it was in a buffer of stdio or python (stdbuf -oL, python -u, fflush, f.flush())";
	if ((s->verdict == LAG || s->verdict == GAP) && in_batches(s))
		return "; records came many at a time: a buffer (stdbuf -oL, python -u, fflush, f.flush())";
	return "";
}

static uint64_t
cut_bytes(const struct stream *s)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < s->n; i++)
		if (is_cut(s, s->file[i]))
			n += (uint64_t)(s->file[i]->size > s->file[i]->start ? s->file[i]->size - s->file[i]->start :
			    s->file[i]->pos - s->file[i]->start);
	return n;
}

/* The first file of the output that is cut, for messages. */
static const char *
cut_file(const struct stream *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (is_cut(s, s->file[i]))
			return s->file[i]->path;
	return s->path;
}

static uint64_t
old_records(const struct stream *s)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < s->n; i++)
		n += s->file[i]->there && !s->file[i]->alias ? s->file[i]->base : 0;
	return n;
}

static void
explain_torn(const struct stream *s)
{
	if (s->torn == 0)
		tool_warn("%s: torn: the last record was cut for %d %% of the run%s", s->path,
		    (int)(100 * s->cut_for / length(s)), cause(s));
	else if (s->kind == FILES)
		tool_warn("%s: torn: %zu of its files empty or not written to their end, %s the first", s->path, s->torn, cut_file(s));
	else if (s->kind == CHECK)
		tool_warn("%s: torn: the check refuses %zu of its files, %s the first", s->path, s->torn, cut_file(s));
	else
		tool_warn("%s: torn: the last record is cut: %" PRIu64 " bytes behind the last whole one in %s%s", s->path,
		    cut_bytes(s), cut_file(s), cause(s));
}

static void
explain_nothing(const struct stream *s)
{
	size_t i, n = 0;
	const char *first = NULL;

	for (i = 0; s->kind == CHECK && i < s->n; i++)
		if (is_cut(s, s->file[i]) && n++ == 0)
			first = s->file[i]->path;
	if (n > 0)
		tool_warn("%s: nothing: %" PRIu64 " complete records, at least %" PRIu64 " expected: the check refused %zu file%s, %s the first",
		    s->path, s->now, s->min, n, tool_plural(n), first);
	else if (old_records(s) > 0)
		tool_warn("%s: nothing: %" PRIu64 " complete records, at least %" PRIu64 " expected; %" PRIu64
		    " that were there before do not count", s->path, s->now, s->min, old_records(s));
	else
		tool_warn("%s: nothing: %" PRIu64 " complete records, at least %" PRIu64 " expected%s", s->path, s->now,
		    s->min, cause(s));
}

/* Says why an output is not ok, one line. */
static void
explain(const struct stream *s)
{
	char a[32], b[32];
	const char *name;

	if (s->trouble != NULL) {
		tool_warn("%s", s->trouble);
		return;
	}
	switch (s->verdict) {
	case NOTHING:
		explain_nothing(s);
		break;
	case TORN:
		explain_torn(s);
		break;
	case REWRITE:
		tool_warn("%s: rewrite: %s: a kill in that moment loses everything (write a new file, then rename it over)", s->path, s->rewrite);
		break;
	case AT_END:
		if (s->first - s->t0 <= length(s) / 10 * 9)
			tool_warn("%s: at-end: %" PRIu64 " of %" PRIu64 " records were on disk at 90 %% of %s s%s", s->path,
			    at(s, s->t0 + length(s) / 10 * 9), s->now, seconds(length(s), b), cause(s));
		else
			tool_warn("%s: at-end: the first record came after %s of %s s%s", s->path, seconds(s->first - s->t0, a),
			    seconds(length(s), b), cause(s));
		break;
	case LAG:
		tool_warn("%s: lag: %" PRIu64 " announced units were not on disk%s", s->path, s->behind, cause(s));
		break;
	case GAP:
		tool_warn("%s: gap: %s s without a record, %s allowed%s", s->path, seconds(s->gap, a), seconds(ask.unit, b), cause(s));
		break;
	case LOST:
		tool_warn("%s: lost: %" PRIu64 " records that were complete at the kill are gone after the second run", s->path, s->n_lost);
		break;
	case REDONE:
		tool_warn("%s: redone: %" PRIu64 " units that were complete at the kill were done again", s->path, s->n_redone);
		break;
	case LEFT_OUT:
		tool_warn("%s: left-out: %" PRIu64 " units are missing after the second run", s->path, s->n_left);
		break;
	case UNKNOWN:
		if (run.unheard)
			break;
		if (s->now < s->min && odd_one(s, &name) != NULL)
			tool_warn("%s: cannot tell: %s is %s", s->path, name, odd_one(s, &name));
		else if (s->unlike != NULL)
			tool_warn("%s: cannot tell: %s", s->path, s->unlike);
		else if (s->first != -1 && s->first - s->t0 > length(s) / 10 * 9)
			tool_warn("%s: cannot tell: the first record came between %s and %s s of a run of %" PRId64 " ms: try a longer one", s->path,
			    seconds(s->first_after - s->t0, a), seconds(s->first - s->t0, b), length(s) / MS);
		else if (s->unchecked > run.blind)
			tool_warn("%s: cannot tell: it was written for %s s without a check (-c): a quicker check, or a longer run", s->path,
			    seconds(s->unchecked, a));
		else if (s->kind == CHECK && ask.unit != -1 && s->unproved > ask.unit)
			tool_warn("%s: cannot tell: in %s s no check (-c) answered for what came: a quicker check, or a longer run", s->path,
			    seconds(s->unproved, a));
		else
			tool_warn("%s: cannot tell: there was no look for %s s", s->path, seconds(run.blind, a));
		break;
	case OK:
		if (in_batches(s))
			tool_warn("%s: ok, but records came %" PRIu64 " at a time: if they are written one by one, a buffer holds them back (-u or --done tells)",
			    s->path, s->now / s->steps);
		break;
	default:
		break;
	}
}

static void
put_seconds(struct rec *r, int64_t us)
{
	char text[32];

	rec_word(r, us < 0 ? "-" : seconds(us, text));
}

static void
put_number(struct rec *r, int is, uint64_t n)
{
	if (is)
		rec_number(r, n);
	else
		rec_none(r);
}

static void
put_record(struct rec *r, const struct stream *s)
{
	int64_t t = s->end - s->t0;

	rec_text(r, s->path, strlen(s->path));
	rec_word(r, verdict_word[s->verdict]);
	rec_number(r, s->now);
	rec_number(r, s->bytes > 0 ? (uint64_t)s->bytes : 0);
	put_seconds(r, s->first == -1 ? -1 : s->first - s->t0);
	put_seconds(r, s->gap);
	rec_number(r, at(s, s->t0 + t / 2));
	rec_number(r, at(s, s->t0 + t / 10 * 9));
	rec_number(r, at(s, s->t0 + t / 100 * 99));
	rec_number(r, s->torn);
	put_seconds(r, t);
	put_number(r, ask.done != NULL, s->announced);
	put_number(r, s->compared, s->again);
	put_number(r, s->compared, s->n_lost);
	put_number(r, s->compared && s->redone_known, s->n_redone);
	put_number(r, s->compared && s->left_known, s->n_left);
}

/* The table, the reasons, and the status: `failed` where the command's own end leaves no verdict. */
static int
answer(int failed)
{
	int bad = 0, unknown = 0;
	struct rec r;
	size_t i;

	rec_begin(&r, stdout, ask.how, column, sizeof column / sizeof column[0]);
	for (i = 0; i < nstreams; i++) {
		if (stream[i].hidden)
			continue;
		if (failed)
			stream[i].verdict = UNKNOWN;
		put_record(&r, &stream[i]);
		bad |= stream[i].verdict != OK && stream[i].verdict != UNKNOWN;
		unknown |= stream[i].verdict == UNKNOWN;
		if (!failed && !ask.quiet)
			explain(&stream[i]);
	}
	rec_finish(&r);
	return failed ? TROUBLE : bad ? NO : unknown ? TROUBLE : YES;
}

/* ---- the modes ---- */

/* Opens what the command writes to: the named log, or a file without a name. */
static void
open_log(int anew)
{
	const char *dir = getenv("TMPDIR");
	char *name;
	size_t n;
	struct stat st;

	if (ask.mode == PID || (run.log != -1 && ask.log == NULL && !anew))
		return;
	if (run.log != -1)
		close(run.log);
	if (ask.log != NULL) {
		if (stat(ask.log, &st) == 0 && !S_ISREG(st.st_mode))
			tool_die(BADUSE, "--log %s: not a regular file: under Slurm the output goes to one", ask.log);
		run.log = open(ask.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (anew ? O_TRUNC : 0), 0666);
		if (run.log == -1)
			tool_die(TROUBLE, "--log %s:", ask.log);
		return;
	}
	if (dir == NULL || *dir == '\0')
		dir = "/tmp";
	n = strlen(dir) + 24;
	name = tool_realloc(NULL, n, 1);
	snprintf(name, n, "%s/flushcheck.XXXXXX", dir);
	run.log = mkstemp(name);
	if (run.log == -1)
		tool_die(TROUBLE, "a file for the command's output in %s:", dir);
	unlink(name);
	free(name);
	if (fcntl(run.log, F_SETFL, O_APPEND) == -1 || fcntl(run.log, F_SETFD, FD_CLOEXEC) == -1)
		tool_die(TROUBLE, "the command's output:");
	run.show = !ask.quiet;
	run.shown = 0;
}

static void
do_before(void)
{
	char sh[] = "sh", c[] = "-c", *argv[] = { sh, c, ask.before, NULL };
	int status;

	if (ask.before == NULL)
		return;
	status = start(argv, 2);
	if (status != 0)
		tool_die(status, "--before");
	while (!run.ended)
		pause_until(now_us() + SECOND, 0, -1);
	kill_tree(NULL);
	if (!WIFEXITED(run.status) || WEXITSTATUS(run.status) != 0)
		tool_die(TROUBLE, "--before %s: it failed: nothing was tested", ask.before);
}

/* Runs the command, watched; `again` is a second run that goes on from a first. */
static void
do_run(char **command, int64_t kill_at, int again)
{
	int status;

	if (!again)
		do_before();
	open_log(!again);
	run.pid = 0;
	note_processes();
	make_streams();
	status = start(command, run.log);
	if (status != 0)
		tool_done(status);
	watch(kill_at);
}

/* Says how the command ended, where that leaves nothing to judge; 1 then. */
static int
failed(const char *which)
{
	char text[32];

	seconds(run.end - run.t0, text);
	if (WIFSIGNALED(run.status))
		tool_warn("%s was killed by signal %d after %s s: that says nothing about flushing", which, WTERMSIG(run.status), text);
	else if (WEXITSTATUS(run.status) != 0)
		tool_warn("%s ended with status %d after %s s: that says nothing about flushing", which, WEXITSTATUS(run.status), text);
	else
		return 0;
	return 1;
}

/* Starts the command again after the kill, and compares. */
static void
do_resume(char **command, struct keys *k0)
{
	struct stream *first = stream, *second;
	size_t n = nstreams, i;
	struct keys *k1 = tool_realloc(NULL, n, sizeof *k1), k2;
	int bad;

	for (i = 0; i < n; i++)
		take_keys(&k1[i], &first[i]);
	do_run(command, -1, 1);
	second = stream;
	bad = failed("the second run");
	if (k0 == NULL && !ask.quiet)
		tool_warn("units that are left out show only against a whole run: --kill-at N%%");
	for (i = 0; i < n; i++) {
		take_keys(&k2, &second[i]);
		if (!first[i].hidden && !first[i].log)
			compare(&first[i], &second[i], k0 != NULL ? &k0[i] : NULL, &k1[i], &k2);
		if (!first[i].hidden && !first[i].log && k0 == NULL && units_said() > k2.sum) {
			first[i].left_known = 1;
			first[i].n_left = units_said() - k2.sum;
		}
		if (bad && first[i].verdict == OK)
			first[i].verdict = first[i].n_lost > 0 ? LOST : UNKNOWN;
		else
			first[i].verdict = judge_resume(&first[i]);
		free(k1[i].key);
		free(k2.key);
	}
	free(k1);
	stream = first;
	free_streams(second, n);
}

/* Says that the end of the grace cut what was still written after SIGTERM, and how much earlier to ask for a signal. */
static void
say_cut_off(int64_t term)
{
	char text[32], grace[32];
	const char *word = ask.signal_word != NULL ? ask.signal_word : "B:TERM";
	int64_t seen = run.written - term;

	if (!run.cut_off || run.written == 0 || ask.grace == 0 || ask.quiet)
		return;
	seconds(seen, text);
	seen -= seen % MS;
	if (run.warned)
		seen += ask.ahead;
	tool_warn("the command was seen writing for %s s after SIGTERM, and was killed when its %s s (-g) were over: if that was a save, it needs a signal earlier: --signal %.*s@%" PRId64 " (twice what was seen)",
	    text, seconds(ask.grace, grace), (int)strcspn(word, "@"), word, (2 * seen + SECOND - 1) / SECOND);
}

static int
do_kill(char **command)
{
	int64_t kill_at = ask.kill_at;
	struct keys *k0 = NULL;
	char text[32], plan[32];
	size_t i;

	if (ask.percent > 0) {
		do_run(command, -1, 0);
		if (failed("the first, whole run"))
			return TROUBLE;
		kill_at = (run.end - run.t0) * ask.percent / 100;
		if (ask.ahead >= kill_at) {
			tool_warn("--signal %s: %s s before SIGTERM at %s s: nothing was tested (a longer run, or fewer seconds)",
			    ask.signal_word, seconds(ask.ahead, text), seconds(kill_at, plan));
			return TROUBLE;
		}
		if (!ask.quiet)
			tool_warn("the whole run took %s s: the next one is killed after %s s", seconds(run.end - run.t0, text), seconds(kill_at, plan));
		k0 = tool_realloc(NULL, nstreams, sizeof *k0);
		for (i = 0; i < nstreams; i++)
			take_keys(&k0[i], &stream[i]);
		free_streams(stream, nstreams);
	}
	do_run(command, kill_at, 0);
	if (!run.termed && !run.warned) {
		if (!failed("the command"))
			tool_warn("the command ended by itself after %s s, before the kill at %s s: nothing was tested%s",
			    seconds(run.end - run.t0, text), seconds(kill_at, plan),
			    ask.percent > 0 && ask.before == NULL ? " (if it skips what the whole run has left: --before 'rm -f ...')" : "");
		return answer(1);
	}
	say_cut_off(run.t0 + kill_at);
	for (i = 0; i < nstreams; i++)
		stream[i].verdict = judge(&stream[i], 1);
	if (ask.resume)
		do_resume(command, k0);
	for (i = 0; k0 != NULL && i < nstreams; i++)
		free(k0[i].key);
	free(k0);
	return answer(0);
}

/* After a whole run. Where --done matched nothing, nothing was compared, and `ok` would be no answer. */
static void
judge_whole(void)
{
	char text[TOOL_WORD];
	size_t i;

	for (i = 0; i < nstreams; i++) {
		stream[i].verdict = judge(&stream[i], 0);
		if (ask.done == NULL || run.announced > 0 || stream[i].log || stream[i].verdict != OK)
			continue;
		stream[i].verdict = UNKNOWN;
		run.unheard = 1;
	}
	if (run.unheard)
		tool_warn("--done %s: no line of the command's output matched: nothing was compared", tool_word(text, ask.done, strlen(ask.done)));
}

static int
do_watch(char **command)
{
	int bad;

	do_run(command, -1, 0);
	bad = failed("the command");
	judge_whole();
	return answer(bad);
}

static int
do_pid(void)
{
	struct proc p;

	run.pidfd = linux_pidfd(ask.pid);
	if (kill(ask.pid, 0) == -1 && errno == ESRCH)
		tool_die(TROUBLE, "-p %s: there is no such process (any more)", ask.pid_word);
	if (read_proc(ask.pid, &p) == 0)
		run.pid_start = p.start;
	note_processes();
	make_streams();
	run.t0 = now_us();
	watch(-1);
	judge_whole();
	return answer(0);
}

/* ---- options ---- */

/* The bytes that end a record: \0 \n \t \r \\ \xNN. */
static void
read_delim(const char *word)
{
	static const char letter[] = "0ntr\\", byte[] = "\0\n\t\r\\";
	char text[TOOL_WORD];
	const char *s = word, *hit;
	int c;

	ask.ndelim = 0;
	while (*s != '\0') {
		if (ask.ndelim == DELIM_MOST)
			tool_die(BADUSE, "--records %s: more than %d bytes", tool_word(text, word, strlen(word)), DELIM_MOST);
		c = (unsigned char)*s++;
		if (c == '\\') {
			hit = *s != '\0' ? strchr(letter, *s) : NULL;
			if (hit != NULL) {
				c = (unsigned char)byte[hit - letter];
				s++;
			} else if (*s == 'x' && esc_hex(s[1]) >= 0 && esc_hex(s[2]) >= 0) {
				c = esc_hex(s[1]) * 16 + esc_hex(s[2]);
				s += 3;
			} else
				tool_die(BADUSE, "--records %s: a backslash stands before one of 0 n t r \\ xNN",
				    tool_word(text, word, strlen(word)));
		}
		ask.delim[ask.ndelim++] = (char)c;
	}
	if (ask.ndelim == 0)
		tool_die(BADUSE, "--records '': lines, files or the bytes that end a record were expected");
}

static void
read_records(const char *word)
{
	if (strcmp(word, "files") == 0)
		ask.kind = FILES;
	else if (strcmp(word, "lines") != 0)
		read_delim(word);
}

static void
read_kill_at(const char *word)
{
	size_t n = strlen(word);
	char text[TOOL_WORD];
	uint64_t v;

	if (n > 1 && word[n - 1] == '%') {
		if (num_u64(word, n - 1, 99, &v) != NUM_OK || v == 0)
			tool_die(BADUSE, "--kill-at %s: 1%% to 99%% was expected", tool_word(text, word, n));
		ask.percent = (unsigned)v;
	} else if (num_u64(word, n, 99, &v) == NUM_OK && v > 0)
		tool_die(BADUSE, "--kill-at %" PRIu64 ": a bare number: write %" PRIu64 "%% of a first whole run, or %" PRIu64 "s or %" PRIu64 "m after the start", v, v, v, v);
	else
		ask.kill_at = opt_duration("--kill-at", word) * MS;
	if (ask.kill_at == 0)
		tool_die(BADUSE, "--kill-at 0: a time after the start, 45s, or a share of a whole run, 90%%, was expected");
}

/* [B:]SIG[@SECONDS], as sbatch --signal. */
static void
read_signal(const char *word)
{
	static const struct {
		const char *name;
		int number;
	} known[] = {
		{ "HUP", SIGHUP }, { "INT", SIGINT }, { "QUIT", SIGQUIT }, { "ABRT", SIGABRT }, { "ALRM", SIGALRM },
		{ "TERM", SIGTERM }, { "USR1", SIGUSR1 }, { "USR2", SIGUSR2 }, { "URG", SIGURG }, { "CONT", SIGCONT },
		{ "TSTP", SIGTSTP }, { "TTIN", SIGTTIN }, { "TTOU", SIGTTOU }, { "STOP", SIGSTOP }, { "KILL", SIGKILL },
		{ "XCPU", SIGXCPU }
	};
	const char *s = word, *end, *name;
	char text[TOOL_WORD];
	uint64_t v;
	size_t n, i;

	if (strncmp(s, "B:", 2) == 0) {
		ask.batch = 1;
		s += 2;
	}
	end = strchr(s, '@');
	n = end != NULL ? (size_t)(end - s) : strlen(s);
	name = n > 3 && strncmp(s, "SIG", 3) == 0 ? s + 3 : s;
	for (i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strlen(known[i].name) == n - (size_t)(name - s) && strncmp(known[i].name, name, strlen(known[i].name)) == 0)
			ask.signal = known[i].number;
	if (num_u64(s, n, 64, &v) == NUM_OK)
		ask.signal = (int)v;
	if (ask.signal == 0)
		tool_die(BADUSE, "--signal %s: [B:]SIG@SECONDS was expected, B:USR1@60 for instance", tool_word(text, word, strlen(word)));
	ask.ahead = 60 * SECOND;	/* sbatch's default */
	if (end != NULL && num_u64(end + 1, strlen(end + 1), 65535, &v) == NUM_OK)
		ask.ahead = (int64_t)v * SECOND;
	else if (end != NULL)
		ask.ahead = opt_duration("--signal", end + 1) * MS;
}

static void
read_ere(regex_t *re, const char *option, const char *word)
{
	char why[ERE_WHY], text[TOOL_WORD];
	int bad, status;

	if (ere_refused(word, &status, why) != NULL)
		tool_die(status, "%s %s: %s", option, tool_word(text, word, strlen(word)), why);
	bad = regcomp(re, word, REG_EXTENDED);
	if (bad != 0) {
		regerror(bad, re, why, sizeof why);
		if (bad == REG_ESPACE)
			tool_die(TROUBLE, "%s %s: %s", option, tool_word(text, word, strlen(word)), why);
		tool_die(BADUSE, "%s %s: not an extended regular expression: %s", option, tool_word(text, word, strlen(word)), why);
	}
}

static void
add_output(const char *path)
{
	struct stat st;

	if (*path == '\0')
		tool_die(BADUSE, "-o '': the path of an output was expected");
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		tool_die(BADUSE, "-o %s: a directory: '%s/*' names the files in it", path, path);
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		tool_die(BADUSE, "-o %s: %s: only a regular file keeps what is written", path, kind_of(st.st_mode));
	ask.output = grow(ask.output, ask.noutputs, sizeof *ask.output);
	ask.output[ask.noutputs++] = path;
}

static void
read_options(struct opt *o)
{
	char text[TOOL_WORD];
	uint64_t v;
	int val;

	while ((val = opt_next(o)) != -1)
		switch (val) {
		case 'o': add_output(optarg); break;
		case 'n':
			if (num_u64(optarg, strlen(optarg), UINT64_MAX, &ask.min) != NUM_OK)
				tool_die(BADUSE, "-n %s: a number of records was expected", tool_word(text, optarg, strlen(optarg)));
			break;
		case 'u': ask.unit = opt_duration("-u", optarg) * MS; break;
		case O_START: ask.start = opt_duration("--start", optarg) * MS; break;
		case O_RECORDS: ask.records = optarg; read_records(optarg); break;
		case 'c': ask.check = optarg; ask.kind = CHECK; break;
		case O_DONE: ask.done = optarg; read_ere(&ask.done_re, "--done", optarg); break;
		case O_LOG: ask.log = optarg; break;
		case 'p':
			if (num_u64(optarg, strlen(optarg), INT32_MAX, &v) != NUM_OK || v == 0)
				tool_die(BADUSE, "-p %s: a process id was expected", tool_word(text, optarg, strlen(optarg)));
			ask.pid = (pid_t)v;
			ask.pid_word = optarg;
			break;
		case O_KILL: ask.kill_word = optarg; read_kill_at(optarg); break;
		case 'g': ask.grace_word = optarg; ask.grace = opt_duration("-g", optarg) * MS; break;
		case O_SIGNAL: ask.signal_word = optarg; read_signal(optarg); break;
		case O_RESUME: ask.resume = 1; break;
		case O_ID: ask.id = optarg; read_ere(&ask.id_re, "--id", optarg); break;
		case O_BEFORE: ask.before = optarg; break;
		case O_KEEP: ask.keep_env = 1; break;
		case 'i': ask.interval = opt_duration("-i", optarg) * MS; break;
		case 'q': ask.quiet = 1; break;
		case 'v': ask.verbose = 1; break;
		case 'H': ask.how = REC_HEADER; break;
		case O_JSON: ask.how = REC_JSON; break;
		default: break;
		}
}

/* Refuses what would be of no effect, and what is missing. */
static void
check_options(const struct opt *o)
{
	char text[TOOL_WORD], lead[32];

	ask.mode = ask.pid != 0 ? PID : ask.kill_word != NULL ? KILL : WATCH;
	if (o->n > 0)
		tool_die(BADUSE, "%s: outputs stand behind -o, the command behind --", tool_word(text, o->operand[0], strlen(o->operand[0])));
	if (ask.check != NULL && ask.records != NULL)
		tool_die(BADUSE, "--records and -c: one of the two says what a record is");
	if (ask.noutputs == 0 && ask.log == NULL)
		tool_die(BADUSE, "no output to look at: -o PATH was expected");
	if (ask.mode == PID && o->command != NULL)
		tool_die(BADUSE, "-p %s and a command: one of the two was expected", ask.pid_word);
	if (ask.mode == PID && (ask.before != NULL || ask.keep_env || ask.kill_word != NULL))
		tool_die(BADUSE, "-p %s: --kill-at, --before and --keep-env are for a command that is started here", ask.pid_word);
	if (ask.mode != KILL && (ask.grace_word != NULL || ask.signal_word != NULL || ask.resume))
		tool_die(BADUSE, "-g, --signal and --resume: --kill-at was expected with them");
	if (ask.resume && ask.noutputs == 0)
		tool_die(BADUSE, "--resume compares outputs: -o PATH was expected");
	if (ask.kill_at != -1 && ask.ahead >= ask.kill_at)
		tool_die(BADUSE, "--signal %s: %s s before SIGTERM at %s s: a time after the start was expected", ask.signal_word,
		    seconds(ask.ahead, lead), seconds(ask.kill_at, text));
	if (ask.id != NULL && !ask.resume)
		tool_die(BADUSE, "--id: --resume was expected with it");
	if (ask.mode == PID && ask.done != NULL && ask.log == NULL)
		tool_die(BADUSE, "--done with -p: --log FILE, the file that the process's output goes to, was expected");
	if (ask.mode == PID && ask.pid == getpid())
		tool_die(BADUSE, "-p %s: that is flushcheck itself", ask.pid_word);
	if (ask.mode != PID && (o->command == NULL || o->command[0] == NULL))
		tool_die(BADUSE, "no command: it stands behind --");
	if (ask.interval < LOOK_MIN)
		tool_die(BADUSE, "-i: a thousandth of a second, 0.001s, is the least");
	if (ask.unit == 0)
		tool_die(BADUSE, "-u 0: no run is without a gap");
}

int
main(int argc, char **argv)
{
	struct opt o = OPT_INIT(argc, argv, options, 1);
	int status;

	tool_begin();
	run.log = run.pidfd = run.hints = check.fd = -1;
	read_options(&o);
	check_options(&o);
	catch_signals();
	tool_on_failure(fail);
	if (ask.mode != PID) {
		note_processes();
		linux_subreaper();
		if (!ask.keep_env && getenv(unbuffered) != NULL && !ask.quiet)
			tool_warn("%s is taken from the command's environment: a job has it only where its script sets it (--keep-env)",
			    unbuffered);
	}
	status = ask.mode == PID ? do_pid() : ask.mode == KILL ? do_kill(o.command) : do_watch(o.command);
	let_signals();
	tool_done(status);
}
