/* child.h - another program, run for its answer under a time limit */
#ifndef CHILD_H
#define CHILD_H

#include <stddef.h>
#include <stdint.h>

enum child_end {
	CHILD_ENDED,	/* status is what waitpid gave */
	CHILD_LATE,	/* time was up; it and its process group were killed */
	CHILD_STUCK,	/* time was up, and SIGKILL did not end it (D state): left alone, it holds nothing of ours */
	CHILD_ABSENT,	/* there is no such program (error is ENOENT) */
	CHILD_FAILED	/* it could not be started or watched: error is the errno */
};

struct child {
	enum child_end end;
	int status, error;
	char *out, *err;	/* what it wrote, each ended by a NUL that is not counted; child_free frees them */
	size_t nout, nerr;
	int cut;		/* there was more than max: it was read and thrown away */
};

/* Milliseconds of the monotonic clock: for deadlines, no date. */
int64_t child_now(void);

/* Runs argv[0] (by PATH) with stdin from /dev/null, two pipes, its own process group and no other descriptor of ours,
 * for at most `ms` milliseconds, and keeps up to max bytes of each stream. At the deadline the group gets SIGTERM,
 * half a second later SIGKILL; the call returns at most 1.5 s after the deadline whatever the program does. What a program
 * that has ended left in its group gets SIGKILL. A SIGHUP, SIGINT, SIGQUIT or SIGTERM that would end us kills the group
 * first. */
void child_run(struct child *c, char *const argv[], int64_t ms, size_t max);

void child_free(struct child *c);

#endif
