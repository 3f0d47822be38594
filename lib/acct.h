/* acct.h - Slurm's accounting as text: one reader for what sacct and squeue print, and how they are asked */
#ifndef ACCT_H
#define ACCT_H

#include <stddef.h>
#include <stdint.h>

#include "child.h"
#include "iset.h"

#define ACCT_WHY 320
#define ACCT_PART_MAX 4194303	/* the highest index of a task: MaxArraySize is at most 4000001 */

enum acct_state {
	ACCT_COMPLETED, ACCT_FAILED, ACCT_TIMEOUT, ACCT_OUT_OF_MEMORY, ACCT_CANCELLED, ACCT_NODE_FAIL, ACCT_PREEMPTED,
	ACCT_BOOT_FAIL, ACCT_DEADLINE, ACCT_REVOKED, ACCT_RUNNING, ACCT_PENDING, ACCT_REQUEUED, ACCT_SUSPENDED, ACCT_RESIZING,
	ACCT_COMPLETING, ACCT_CONFIGURING, ACCT_STAGE_OUT, ACCT_STOPPED, ACCT_SPECIAL_EXIT, ACCT_SIGNALING, ACCT_REQUEUE_FED,
	ACCT_REQUEUE_HOLD, ACCT_RESV_DEL_HOLD, ACCT_EXPEDITING, ACCT_LAUNCH_FAILED, ACCT_RECONFIG_FAIL, ACCT_POWER_UP_NODE,
	ACCT_STATES
};

/* The state's name as Slurm prints it. */
const char *acct_name(enum acct_state s);

/* Whether it is an end (REVOKED is one: in a federation another cluster ran it). REQUEUED is none: it runs again. */
int acct_ended(enum acct_state s);

/* Whether it is a failure of the run: FAILED, TIMEOUT, OUT_OF_MEMORY, NODE_FAIL, BOOT_FAIL, DEADLINE. */
int acct_failed(enum acct_state s);

/* Whether something else than its work and its time limit ended the run, so that how little it computed says nothing of
 * it: NODE_FAIL, BOOT_FAIL, PREEMPTED, OUT_OF_MEMORY, DEADLINE, REVOKED. */
int acct_interrupted(enum acct_state s);

/* A state as a user writes it: the name in any case, or Slurm's short code (TO, OOM). -1 where there is none. */
int acct_word(const char *s, size_t n);

struct acct_text {
	const char *s;	/* NULL: there is no such column */
	size_t n;
};

/* An id: [cluster/]JOB, JOB_TASK, JOB_[1,3-9:2%4], JOB+COMPONENT, each with or without .STEP */
struct acct_id {
	uint32_t job, part;	/* part: the task or component */
	enum acct_kind { ACCT_JOB, ACCT_TASK, ACCT_HET, ACCT_TASKS } kind;
	struct acct_text tasks, cluster, step;	/* tasks: what stands in the brackets; n is 0 where there is none */
};

/* Reads the n bytes at s as an id. NULL, or what is wrong with them. */
const char *acct_id(struct acct_id *id, const char *s, size_t n);

/* The tasks in the brackets of an id (ACCT_TASKS), in *tasks, which iset_free frees. NULL, or what is wrong, in why. */
const char *acct_tasks(struct iset *tasks, const struct acct_id *id, char why[ACCT_WHY]);

/* Whether the text is this word. */
int acct_is(struct acct_text t, const char *word);

/* Whether the text is nothing, or one of the words that stand for it (None, Unknown, N/A, None assigned, (null)). */
int acct_nothing(struct acct_text t);

/* Whether accounting has not settled a row with this JobName and Partition: it lags up to some 15 s behind an end, and until
 * then a row may be COMPLETED, without its partition and named `allocation`. 0 where the text has no Partition. */
int acct_unsettled(struct acct_text name, struct acct_text partition);

/* A time (ISO 8601, or digits) as seconds since 1970, the clock's zone left out; -1 where there is none. */
int64_t acct_time(struct acct_text t);

/* A duration as sacct prints it, in milliseconds; -1 where there is none (INVALID, negative). */
int64_t acct_duration(struct acct_text t);

/* Seconds from ElapsedRaw, else Elapsed, else End minus Start; -1 where none of them says: below 0, or over ten years. */
int64_t acct_elapsed(struct acct_text raw, struct acct_text elapsed, struct acct_text start, struct acct_text end);

/* NULL, or in why which of these (and of CPU time) stands there and is no time: neither one nor a word that stands for none
 * (acct_nothing, INVALID, a negative one). Start and End where only they could say it. */
const char *acct_elapsed_bad(struct acct_text raw, struct acct_text elapsed, struct acct_text start, struct acct_text end,
    struct acct_text cpu, char why[ACCT_WHY]);

struct acct {
	/* the record: valid until the next call */
	uint64_t line;		/* where it begins, from 1 */
	struct acct_id id;	/* job 0 where the text has no ids, only states */
	enum acct_state state;	/* ` by UID` is left out */
	uint64_t again;		/* how often the header was met again: outputs one behind another */
	/* after -1 */
	int status;		/* BADUSE the text is not what it claims, TROUBLE it could not be had */
	char why[ACCT_WHY];
	/* private */
	const char *const *want, *program;
	struct acct_id job;	/* of the latest row that was no step, */
	int *col, started, trail, crlf, freecol, nfree, ncols, col_id, col_raw, col_state, col_compact, simple;
	char *buf, *header, cluster[64], delim[8], last[32];	/* and its text */
	size_t nwant, nlast, begin, len, scan, stop, end, room, nheader, ndelim, need, npos, pos_room;
	uint64_t lines;
	uint32_t *pos;		/* where the delimiters of the record lie, from its begin, */
	struct acct_cut {
		size_t known, upto;	/* how many of them are known yet, where their search came to, */
		uint64_t bits;		/* those found in the 64 bytes in front of that and not yet noted */
	} *cut;
	int fd, eof;
	struct child child;
};

/* Begins to read text from fd, which is the caller's to close. want: nwant names of columns, NULL for one not needed. */
void acct_begin(struct acct *a, int fd, const char *const *want, size_t nwant);

/* The next record: 1, 0 at the end, -1 after which status and why stand. A record is never left out in silence. */
int acct_next(struct acct *a);

/* Whether the text has column i of want (after the first acct_next), and its text in this record. */
int acct_has(const struct acct *a, size_t i);
struct acct_text acct_get(const struct acct *a, size_t i);

/* The record's JobIDRaw, 0 where it is unknown. */
uint32_t acct_raw(const struct acct *a);

/* Ends the reading: a program still running is killed. Frees all. */
void acct_end(struct acct *a);

/* Which accounting is read: an answer of Slurm's, or text. All zero and NULL but ms is the empty question. */
struct acct_query {
	struct acct_asked {
		uint32_t job, part;
		enum acct_kind kind;		/* a list of tasks is one of these for each */
		int seen;
		const char *cluster;		/* NULL where it names none */
	} *asked;
	size_t n;
	const char *since, *until, *users;	/* as sacct takes them; users may be `all` */
	char *clusters;
	int duplicates, steps;			/* all attempts; the steps too */
	int64_t ms;
	const char *file;			/* of the text; NULL is stdin */
	int text;				/* text is read, Slurm is not asked: acct_choose */
};

#define ACCT_MS 30000				/* how long Slurm may take where -t does not say */

/* Adds the ids in a word (separated by blanks or commas; also `4711;cluster`). NULL, or what is wrong, in why.
 * After the last word acct_sort. What it allocates lives as long as the program. */
const char *acct_ask(struct acct_query *q, const char *word, char why[ACCT_WHY]);
void acct_sort(struct acct_query *q);

/* Whether a record (a single task) was asked for, by its id or its raw one; without ids all are. Marks it as seen. What was
 * asked of a cluster is none of a record whose id names none: the text's Cluster is put into the id by who has that column. */
int acct_asked(struct acct_query *q, const struct acct_id *id, uint32_t raw);

/* What text that is not what it ought to be is: BADUSE, and TROUBLE where it is an answer of Slurm's. */
int acct_blame(const struct acct_query *q);

/* How many ids have not been seen, and says so on stderr with the first of them, a dozen in at most 315 bytes. */
size_t acct_say_missing(const struct acct_query *q);

/* A date for -S and -E as sacct takes it: ISO 8601, now, now-7days, today; `7d` means that long ago. NULL where it is
 * none; in buf where it is a duration. */
const char *acct_since(const char *s, char buf[40]);

/* The rows of acct_option in a tool's table of options. */
#define ACCT_OPTIONS { "since", required_argument, NULL, 'S' }, { "until", required_argument, NULL, 'E' }, \
	{ "user", required_argument, NULL, 'u' }, { "file", required_argument, NULL, 'f' }, { "time-limit", required_argument, NULL, 't' }

/* How a tool is called that reads accounting. What is wrong ends the program with BADUSE.
 * acct_option: the argument of -f, -S, -E, -u or -t. acct_ids: n operands are ids, in words. acct_choose, after all of these:
 * text where -f names it, or where neither an id nor an option asks Slurm; ids that are asked with -E alone are asked from the
 * begin of time. acct_window, before Slurm is asked: without ids and -S the last 30 days, which is said on stderr. */
void acct_option(struct acct_query *q, int val, const char *arg);
void acct_ids(struct acct_query *q, char *const *words, int n);
void acct_choose(struct acct_query *q);
void acct_window(struct acct_query *q);

/* The text's descriptor, to be closed where it is not 0. Ends the program where it cannot be had, or is a terminal. */
int acct_open(const struct acct_query *q);

/* What messages call it: sacct, stdin or the file. */
const char *acct_source(const struct acct_query *q);

/* As acct_begin, from sacct or squeue: columns this sacct does not know are left out. -1 as acct_next. */
int acct_sacct(struct acct *a, const struct acct_query *q, const char *const *want, size_t nwant);
int acct_squeue(struct acct *a, const struct acct_query *q, const char *const *want, size_t nwant);

#endif
