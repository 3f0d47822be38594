/* child.h - another program, run for its answer under a time limit */
#ifndef CHILD_H
#define CHILD_H

#include <sys/types.h>

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#define CHILD_SIGNALS 8		/* SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU */

enum child_end {
	CHILD_ENDED,	/* status is what waitpid gave */
	CHILD_LATE,	/* time was up; it and its process group were killed */
	CHILD_STUCK,	/* time was up, and SIGKILL did not end it (D state): left alone, it holds nothing of ours */
	CHILD_ABSENT,	/* there is no such program (error is ENOENT) */
	CHILD_FAILED	/* it could not be started or watched: error is the errno */
};

struct child {
	/* when it is over: child_run is back, child_read gave 0 */
	enum child_end end;
	int status, error;
	char *out, *err;	/* what it wrote, each ended by a NUL that is not counted; out is of child_run alone */
	size_t nout, nerr;
	int cut;		/* there was more than max: it was read and thrown away */
	/* private */
	pid_t pid;		/* 0 before and after */
	int gone, fd[3];
	int64_t deadline;
	size_t max;
	struct sigaction old[CHILD_SIGNALS], oldchld;
};

/* Milliseconds of the monotonic clock: for deadlines, no date. */
int64_t child_now(void);

/* In a child: takes from the environment what a user may have set to change what Slurm's programs print. 0, or -1 where
 * there is no memory for it. */
int child_environment(void);

/* Starts argv[0] (by PATH) with stdin from /dev/null, two pipes, its own process group and no other descriptor of ours, to
 * be read with child_read until `deadline` (as child_now counts). Its environment is child_environment's. Up to max bytes of its stderr are kept. That it could not be started is what child_read
 * tells. What c allocates is freed by child_free. */
void child_start(struct child *c, char *const argv[], int64_t deadline, size_t max);

/* What it writes next on stdout: up to n bytes in buf, and how many; 0 when it is over, and c->end says how. At the deadline
 * the group gets SIGTERM, half a second later SIGKILL; the call returns at most 1.5 s after the deadline whatever the program
 * does. What a program that has ended left in its group gets SIGKILL. A signal that would end us (CHILD_SIGNALS of them,
 * from child_start on) kills the group first. */
size_t child_read(struct child *c, char *buf, size_t n);

/* Both, for at most `ms` milliseconds: up to max bytes of each stream are kept. */
void child_run(struct child *c, char *const argv[], int64_t ms, size_t max);

/* Frees all; a program that is not over is killed as at its deadline. Nothing to do where all of c is zero. */
void child_free(struct child *c);

#endif
