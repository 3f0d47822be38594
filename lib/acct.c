/* acct - Slurm's accounting as text: one reader for what sacct and squeue print, and how they are asked
 *
 * One pass over large blocks. A record is a line with as many delimiters as the header has: of such a line they are
 * counted, and only the columns that are asked for are looked at. Where a single column can hold free text, more of them
 * belong to it, and a line with fewer is the begin of a record whose text holds a newline; but a line that is whole by
 * itself always begins one.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <sys/wait.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "acct.h"
#include "child.h"
#include "dur.h"
#include "iset.h"
#include "num.h"
#include "opt.h"
#include "tool.h"

#define ACCT_BLOCK ((size_t)1 << 18)
#define ACCT_SLACK 64
#define ACCT_SIMPLE 2000		/* bytes of a line that acct_tally counts, in eight or more sums of one byte each */
#define ACCT_RECORD ((size_t)1 << 24)	/* a longer record is refused */
#define ACCT_SAID 128			/* bytes of the end of stderr that are looked at for its last words, */
#define ACCT_STDERR ((size_t)1 << 20)	/* and of all of it that are kept */
#define ACCT_IDS 120000			/* bytes of ids in one call; Linux takes 131071 */

/* Names and codes: Slurm, src/common/slurm_protocol_defs.c, job_state_string() and job_state_string_compact(). */
static const struct {
	const char *name, *code;
} acct_states[ACCT_STATES] = {
	{ "COMPLETED", "CD" }, { "FAILED", "F" }, { "TIMEOUT", "TO" }, { "OUT_OF_MEMORY", "OOM" }, { "CANCELLED", "CA" },
	{ "NODE_FAIL", "NF" }, { "PREEMPTED", "PR" }, { "BOOT_FAIL", "BF" }, { "DEADLINE", "DL" }, { "REVOKED", "RV" },
	{ "RUNNING", "R" }, { "PENDING", "PD" }, { "REQUEUED", "RQ" }, { "SUSPENDED", "S" }, { "RESIZING", "RS" },
	{ "COMPLETING", "CG" }, { "CONFIGURING", "CF" }, { "STAGE_OUT", "SO" }, { "STOPPED", "ST" }, { "SPECIAL_EXIT", "SE" },
	{ "SIGNALING", "SI" }, { "REQUEUE_FED", "RF" }, { "REQUEUE_HOLD", "RH" }, { "RESV_DEL_HOLD", "RD" }, { "EXPEDITING", "EX" },
	{ "LAUNCH_FAILED", "LF" }, { "RECONFIG_FAIL", "RE" }, { "POWER_UP_NODE", "PU" }
};

/* Columns that hold what a user wrote, or a path. */
static const char *const acct_free[] = {
	"JobName", "Comment", "AdminComment", "SystemComment", "WorkDir", "SubmitLine", "Extra", "StdIn", "StdOut", "StdErr",
	"Constraints", "Container", "WCKey", "WORK_DIR", "COMMAND", "FEATURES"
};

/* sacct's columns that squeue has, its format letter, and its own name for them */
static const struct {
	const char *name, *letter, *squeue;
} acct_queue[] = {
	{ "JobID", "%i", "JOBID" }, { "State", "%T", "STATE" }, { "User", "%u", "USER" }, { "Submit", "%V", "SUBMIT_TIME" },
	{ "JobName", "%j", "NAME" }, { "Partition", "%P", "PARTITION" }, { "Elapsed", "%M", "TIME" }, { "Reason", "%r", "REASON" },
	{ "NodeList", "%N", "NODELIST" }, { "Account", "%a", "ACCOUNT" }
};

#define ACCT_N(array) (sizeof (array) / sizeof (array)[0])

/* ---- words ---- */

const char *
acct_name(enum acct_state s)
{
	return acct_states[s].name;
}

int
acct_ended(enum acct_state s)
{
	return s <= ACCT_REVOKED;
}

int
acct_failed(enum acct_state s)
{
	return s == ACCT_FAILED || s == ACCT_TIMEOUT || s == ACCT_OUT_OF_MEMORY || s == ACCT_NODE_FAIL || s == ACCT_BOOT_FAIL ||
	    s == ACCT_DEADLINE;
}

int
acct_interrupted(enum acct_state s)
{
	return s == ACCT_NODE_FAIL || s == ACCT_BOOT_FAIL || s == ACCT_PREEMPTED || s == ACCT_OUT_OF_MEMORY || s == ACCT_DEADLINE ||
	    s == ACCT_REVOKED;
}

static int
acct_same(const char *s, size_t n, const char *word)
{
	return strlen(word) == n && strncasecmp(s, word, n) == 0;
}

int
acct_word(const char *s, size_t n)
{
	int i;

	for (i = 0; i < ACCT_STATES; i++)
		if (acct_same(s, n, acct_states[i].name) || acct_same(s, n, acct_states[i].code))
			return i;
	return -1;
}

/* A state as sacct prints it, ` by UID` left out; -1 where there is none. */
static int
acct_state(const char *s, size_t n)
{
	size_t k = n;
	int i;

	if (n == 9 && memcmp(s, "COMPLETED", 9) == 0)
		return ACCT_COMPLETED;	/* as most are */
	while (k > 0 && s[k - 1] >= '0' && s[k - 1] <= '9')
		k--;
	if (k < n && k > 4 && memcmp(s + k - 4, " by ", 4) == 0)
		n = k - 4;
	for (i = 0; i < ACCT_STATES; i++)
		if (acct_states[i].name[0] == s[0] && strlen(acct_states[i].name) == n && memcmp(acct_states[i].name, s, n) == 0)
			return i;
	return -1;
}

/* A state as squeue's column ST has it; -1 where there is none. */
static int
acct_compact(const char *s, size_t n)
{
	int i;

	for (i = 0; i < ACCT_STATES; i++)
		if (strlen(acct_states[i].code) == n && memcmp(acct_states[i].code, s, n) == 0)
			return i;
	return -1;
}

/* The digits at *at as a number of at most max; moves *at behind them. 0 where there are none or too many. */
static int
acct_digits(const char **at, const char *end, uint64_t max, uint32_t *v)
{
	const char *s = *at;
	uint64_t sum = 0;

	for (; s < end && *s >= '0' && *s <= '9' && sum <= max; s++)
		sum = sum * 10 + (uint64_t)(*s - '0');
	*v = (uint32_t)sum;
	if (s == *at || sum > max)
		return 0;
	*at = s;
	return 1;
}

const char *
acct_id(struct acct_id *id, const char *s, size_t n)
{
	static const struct acct_id none;
	const char *end = s + n, *at = s;

	*id = none;
	if (!acct_digits(&at, end, UINT32_MAX, &id->job) || (at < end && *at == '/')) {
		at = memchr(s, '/', n);
		if (at == NULL || at == s)
			return "no job id";
		id->cluster.s = s;
		id->cluster.n = (size_t)(at++ - s);
		if (!acct_digits(&at, end, UINT32_MAX, &id->job))
			return "no job id";
	}
	if (id->job == 0)
		return "no job id";
	if (at < end && (*at == '_' || *at == '+')) {
		id->kind = *at == '+' ? ACCT_HET : ACCT_TASK;
		s = ++at;
		if (at < end && *at == '[' && id->kind == ACCT_TASK) {
			id->kind = ACCT_TASKS;
			at = memchr(s, ']', (size_t)(end - s));
			if (at == NULL || at[-1] == '.')
				return "the list of tasks was cut (SLURM_BITSTR_LEN=0 and a wider column show it whole)";
			id->tasks.s = s + 1;
			id->tasks.n = (size_t)(at++ - s - 1);
		} else if (!acct_digits(&at, end, ACCT_PART_MAX, &id->part))
			return "no task behind _ or component behind +";
	}
	if (at < end && *at == '.') {
		id->step.s = at + 1;
		id->step.n = (size_t)(end - at - 1);
		if (id->step.n > 0 && end[-1] == '+')
			return "cut at the width of its column (sacct -P shows it whole)";
		if (id->step.n == 0 || !isalnum((unsigned char)at[1]))
			return "no step behind the dot";
		at = end;
	}
	return at == end ? NULL : "no job id";
}

const char *
acct_tasks(struct iset *tasks, const struct acct_id *id, char why[ACCT_WHY])
{
	static const struct iset empty = ISET_EMPTY;
	char *text = tool_copy(id->tasks.s, id->tasks.n), bad[ISET_WHY];
	int r;

	*tasks = empty;
	r = iset_parse(tasks, text, ACCT_PART_MAX, bad);
	free(text);
	if (r == 0)
		return NULL;
	snprintf(why, ACCT_WHY, "tasks of %" PRIu32 ": %s", id->job, bad);
	return why;
}

int
acct_is(struct acct_text t, const char *word)
{
	size_t i;

	for (i = 0; i < t.n && t.s[i] == word[i] && word[i] != '\0'; i++)	/* most differ in their first byte */
		;
	return i == t.n && word[i] == '\0';
}

int
acct_unsettled(struct acct_text name, struct acct_text partition)
{
	return partition.s != NULL && partition.n == 0 && acct_is(name, "allocation");
}

int
acct_nothing(struct acct_text t)
{
	static const char *const words[] = { "None", "Unknown", "N/A", "None assigned", "(null)", "n/a" };
	size_t i;

	for (i = 0; t.n > 0 && i < ACCT_N(words); i++)
		if (acct_same(t.s, t.n, words[i]))
			return 1;
	return t.n == 0;
}

/* Two digits as a number; far below 0 where they are none. */
static int
acct_pair(const char *s)
{
	unsigned tens = (unsigned)s[0] - '0', ones = (unsigned)s[1] - '0';

	return tens > 9 || ones > 9 ? -100000 : (int)(tens * 10 + ones);
}

int64_t
acct_time(struct acct_text t)
{
	static const int before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
	int year, month, day, years, hour, min, sec;
	int64_t days;
	uint64_t v;

	if (t.n != 19)
		return t.s != NULL && num_u64(t.s, t.n, UINT32_MAX, &v) == NUM_OK ? (int64_t)v : -1;
	year = acct_pair(t.s) * 100 + acct_pair(t.s + 2);
	month = acct_pair(t.s + 5);
	day = acct_pair(t.s + 8);
	hour = acct_pair(t.s + 11);
	min = acct_pair(t.s + 14);
	sec = acct_pair(t.s + 17);
	if (t.s[4] != '-' || t.s[7] != '-' || t.s[10] != 'T' || t.s[13] != ':' || t.s[16] != ':' || hour < 0 || min < 0 || sec < 0)
		return -1;
	if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31)
		return -1;
	years = year - (month <= 2);
	days = (int64_t)(year - 1970) * 365 + years / 4 - years / 100 + years / 400 - 477 + before[month - 1] + day - 1;
	return ((days * 24 + hour) * 60 + min) * 60 + sec;
}

int64_t
acct_duration(struct acct_text t)
{
	return dur_sacct(t.s, t.n);
}

int64_t
acct_elapsed(struct acct_text raw, struct acct_text elapsed, struct acct_text start, struct acct_text end)
{
	int64_t from, to, ms;
	uint64_t v;

	if (raw.s != NULL && num_u64(raw.s, raw.n, DUR_MAX / 1000, &v) == NUM_OK)
		return (int64_t)v;
	ms = acct_duration(elapsed);
	if (ms >= 0)
		return ms / 1000;
	from = acct_time(start);
	to = acct_time(end);
	return from >= 0 && to >= from ? to - from : -1;
}

const char *
acct_elapsed_bad(struct acct_text raw, struct acct_text elapsed, struct acct_text start, struct acct_text end,
    struct acct_text cpu, char why[ACCT_WHY])
{
	/* a number of seconds, two durations, two dates */
	static const char *const name[] = { "ElapsedRaw", "Elapsed", "TotalCPU", "Start", "End" };
	struct acct_text none = { NULL, 0 }, text[] = { raw, elapsed, cpu, start, end }, t;
	size_t i, n = acct_elapsed(raw, elapsed, none, none) < 0 ? ACCT_N(text) : 3;
	char word[TOOL_WORD];
	uint64_t v;

	for (i = 0; i < n; i++) {
		t = text[i];
		if (acct_nothing(t) || acct_same(t.s, t.n, "INVALID"))
			continue;
		if (i < 3 && t.s[0] == '-') {
			t.s++;
			t.n--;
		}
		if (i == 0 ? num_u64(t.s, t.n, UINT64_MAX, &v) != NUM_BAD : i < 3 ? acct_duration(t) >= 0 : acct_time(t) >= 0)
			continue;
		snprintf(why, ACCT_WHY, "%s %s is no time", name[i], tool_word(word, text[i].s, text[i].n));
		return why;
	}
	return NULL;
}

/* ---- a program's answer ---- */

/* Says why the next answer is -1. What is bad input in a file is no answer from a program of Slurm's. */
static int TOOL_PRINTF(3, 4)
acct_refuse(struct acct *a, int status, const char *fmt, ...)
{
	va_list ap;
	int n = a->program != NULL ? snprintf(a->why, sizeof a->why, "%s: ", a->program) : 0;

	va_start(ap, fmt);
	vsnprintf(a->why + n, sizeof a->why - (size_t)n, fmt, ap);
	va_end(ap);
	a->status = a->program != NULL ? TROUBLE : status;
	return -1;
}

/* Whether the name stands among the words of the text, which the bytes of `between` keep apart. */
static int
acct_listed(const char *text, const char *between, const char *name)
{
	size_t n;

	for (; *text != '\0'; text += n) {
		text += strspn(text, between);
		n = strcspn(text, between);
		if (acct_same(text, n, name))
			return 1;
	}
	return 0;
}

/* The program is over: 0 when it gave a whole answer. An `error:` on stderr is none, but of `sacct -e`, which is probed. */
static int
acct_verdict(struct acct *a, int probe)
{
	struct child *c = &a->child;
	char *said = c->err + (c->nerr > ACCT_SAID ? c->nerr - ACCT_SAID : 0), *last;
	size_t n = strlen(said), room = sizeof a->why;

	while (n > 0 && isspace((unsigned char)said[n - 1]))
		said[--n] = '\0';
	last = strrchr(said, '\n');
	if (c->end == CHILD_LATE || c->end == CHILD_STUCK)
		snprintf(a->why, room, "%s did not answer in time and was ended (-t gives it longer); `%s` shows whether Slurm answers",
		    a->program, strcmp(a->program, "sacct") == 0 ? "sacctmgr show cluster" : "scontrol ping");
	else if (c->end == CHILD_ABSENT)
		snprintf(a->why, room, "%s is not in PATH: is this a machine of the cluster?", a->program);
	else if (c->end == CHILD_FAILED)
		snprintf(a->why, room, "%s could not be started: %s", a->program, strerror(c->error));
	else if (c->status == 0 && probe && (!acct_listed(c->out, " \t\n", "State") || strchr(c->out, '\033') != NULL))
		/* colours would hide a column, and it would be left out without a word */
		snprintf(a->why, room, "sacct -e does not list the columns there are");
	else if (c->status == 0 && (probe || (!c->cut && strstr(c->err, "error:") == NULL)))
		return 0;
	else if (n > 0)
		snprintf(a->why, room, "%s", last != NULL ? last + 1 : said);
	else
		snprintf(a->why, room, "%s failed without a word (%s %d)", a->program, WIFSIGNALED(c->status) ? "signal" : "exit status",
		    WIFSIGNALED(c->status) ? WTERMSIG(c->status) : WEXITSTATUS(c->status));
	a->status = TROUBLE;
	return -1;
}

/* ---- blocks ---- */

/* One read, of a program under its time limit. -1, or the bytes read; 0 is the end. */
static ssize_t
acct_read(struct acct *a)
{
	size_t room = a->room - a->end, n;
	ssize_t got;

	if (a->program != NULL) {
		n = child_read(&a->child, a->buf + a->end, room);
		return n > 0 ? (ssize_t)n : acct_verdict(a, 0);
	}
	do
		got = read(a->fd, a->buf + a->end, room);
	while (got == -1 && errno == EINTR);
	return got >= 0 ? got : acct_refuse(a, errno == EISDIR ? BADUSE : TROUBLE, "it cannot be read: %s", strerror(errno));
}

/* Makes room behind what is kept, from begin on, and reads. -1 or 0. */
static int
acct_fill(struct acct *a)
{
	ssize_t got;

	if (a->begin > 0) {
		memmove(a->buf, a->buf + a->begin, a->end - a->begin);
		a->scan -= a->begin;
		a->stop -= a->begin;
		a->end -= a->begin;
		a->begin = 0;
	}
	if (a->end == a->room) {
		if (a->room >= ACCT_RECORD)
			return acct_refuse(a, BADUSE, "line %" PRIu64 ": a record of more than 16 MiB", a->line);
		a->room = a->room > 0 ? a->room * 2 : ACCT_BLOCK;
		a->buf = tool_realloc(a->buf, a->room + ACCT_SLACK, 1);
	}
	got = acct_read(a);
	if (got < 0)
		return -1;
	a->eof = got == 0;
	a->end += (size_t)got;
	memset(a->buf + a->end, 0, ACCT_SLACK);	/* it is read with what stands in front of it */
	return 0;
}

/* The next physical line, from scan: 1 with stop at its end (*whole: a newline stands there), 0 at the end, -1. */
static int
acct_line(struct acct *a, int *whole)
{
	char *nl;

	for (;;) {
		nl = a->scan < a->end ? memchr(a->buf + a->scan, '\n', a->end - a->scan) : NULL;
		*whole = nl != NULL;
		a->stop = nl != NULL ? (size_t)(nl - a->buf) : a->end;
		if (nl != NULL || a->eof)
			return nl != NULL || a->scan < a->end;
		if (acct_fill(a) != 0)
			return -1;
	}
}

/* The number of the lowest bit that is set: one is. */
static size_t
acct_lowest(uint64_t bits)
{
#ifdef __GNUC__
	return (size_t)__builtin_ctzll(bits);
#else
	size_t n = 0;

	while ((bits >> n & 1) == 0)
		n++;
	return n;
#endif
}

#if defined(__SSE2__) && defined(__GNUC__)
#define ACCT_LOAD(s) _mm_loadu_si128((const __m128i *)(const void *)(s))

/* Which of the 64 bytes at s are c, a bit each. */
static uint64_t
acct_marks(const char *s, char c)
{
	const __m128i pattern = _mm_set1_epi8(c);
	uint64_t a = (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(ACCT_LOAD(s), pattern)),
	    b = (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(ACCT_LOAD(s + 16), pattern)),
	    d = (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(ACCT_LOAD(s + 32), pattern)),
	    e = (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(ACCT_LOAD(s + 48), pattern));

	return a | b << 16 | d << 32 | e << 48;
}

/* How often c stands in front of the first newline of the n bytes at s; *at is where that is, n where there is none
 * among them or the first ACCT_SIMPLE. */
static size_t
acct_tally(const char *s, size_t n, char c, size_t *at)
{
	static const signed char in[64] = {
		-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
	};
	const __m128i pattern = _mm_set1_epi8(c), end = _mm_set1_epi8('\n');
	__m128i sum = _mm_setzero_si128(), u, v;
	size_t i, k, upto = n < ACCT_SIMPLE ? n : ACCT_SIMPLE;

	*at = n;
	for (i = 0; i < upto; i += 32) {	/* a match is -1 in its byte */
		u = ACCT_LOAD(s + i);
		v = ACCT_LOAD(s + i + 16);
		if (_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(u, end), _mm_cmpeq_epi8(v, end))) != 0) {
			k = acct_lowest((unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(u, end)) |
			    (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, end)) << 16);
			*at = i + k < n ? i + k : n;
			sum = _mm_sub_epi8(sum, _mm_and_si128(_mm_cmpeq_epi8(u, pattern), ACCT_LOAD(in + 32 - k)));
			sum = _mm_sub_epi8(sum, _mm_and_si128(_mm_cmpeq_epi8(v, pattern), ACCT_LOAD(in + 48 - k)));
			break;
		}
		sum = _mm_sub_epi8(sum, _mm_add_epi8(_mm_cmpeq_epi8(u, pattern), _mm_cmpeq_epi8(v, pattern)));
	}
	sum = _mm_sad_epu8(sum, _mm_setzero_si128());
	return (size_t)_mm_cvtsi128_si32(sum) + (size_t)_mm_cvtsi128_si32(_mm_srli_si128(sum, 8));
}
#else
static uint64_t
acct_marks(const char *s, char c)
{
	uint64_t bits = 0;
	int i;

	for (i = 0; i < 64; i++)
		bits |= (uint64_t)(s[i] == c) << i;
	return bits;
}

static size_t
acct_tally(const char *s, size_t n, char c, size_t *at)
{
	const uint64_t low = UINT64_MAX / 255, high = low * 127, pattern = low * (unsigned char)c;
	const char *end = memchr(s, '\n', n < ACCT_SIMPLE ? n : ACCT_SIMPLE);
	uint64_t sum = 0, v;
	size_t i, k = 0;

	*at = n;
	if (end == NULL)
		return 0;
	n = *at = (size_t)(end - s);
	for (i = 0; i + 8 <= n; i += 8) {	/* eight bytes at a time: 1 in each that is c */
		memcpy(&v, s + i, 8);
		v ^= pattern;
		sum += ~(((v & high) + high) | v | high) >> 7;
	}
	for (; sum != 0; sum >>= 8)
		k += sum & 255;
	for (; i < n; i++)
		k += s[i] == c;
	return k;
}
#endif

/* Notes the delimiters between scan and `to`, counted from begin. */
static void
acct_cut(struct acct *a, size_t to)
{
	const char *s = a->buf + a->begin;
	size_t i = a->scan - a->begin, n = to - a->begin, k = a->npos;
	uint64_t bits;

	if (a->ndelim == 0)
		return;
	if (k + n - i + 16 > a->pos_room) {
		a->pos_room = k + n - i + 4096;
		a->pos = tool_realloc(a->pos, a->pos_room, sizeof *a->pos);
	}
	for (; a->ndelim == 1 && i < n; i += 64) {
		bits = acct_marks(s + i, a->delim[0]);
		if (n - i < 64)
			bits &= (UINT64_C(1) << (n - i)) - 1;
		for (; bits != 0; bits &= bits - 1)
			a->pos[k++] = (uint32_t)(i + acct_lowest(bits));
	}
	for (; i < n; i++) {
		if (s[i] != a->delim[0] || n - i < a->ndelim || memcmp(s + i, a->delim, a->ndelim) != 0)
			continue;
		a->pos[k++] = (uint32_t)i;
		i += a->ndelim - 1;
	}
	a->npos = k;
}

/* ---- the header ---- */

/* Where a column of this name stands becomes c. */
static int
acct_place(struct acct *a, int *col, int c, const char *name)
{
	if (*col >= 0)
		return acct_refuse(a, BADUSE, "line %" PRIu64 ": the column %s stands there twice", a->line, name);
	*col = c;
	return 0;
}

/* Column c is called the n bytes at s. -1 where one that is looked at is called so already. */
static int
acct_column(struct acct *a, int c, const char *s, size_t n)
{
	const struct {
		const char *name;
		int *col;
	} own[] = { { "JobID", &a->col_id }, { "JobIDRaw", &a->col_raw }, { "State", &a->col_state }, { "ST", &a->col_compact } };
	size_t k;
	int r = 0;

	for (k = 0; k < ACCT_N(acct_queue); k++)
		if (acct_same(s, n, acct_queue[k].squeue)) {
			s = acct_queue[k].name;
			n = strlen(s);
			break;
		}
	for (k = 0; k < ACCT_N(acct_free); k++)
		if (acct_same(s, n, acct_free[k])) {
			a->nfree++;
			a->freecol = c;
		}
	for (k = 0; k < ACCT_N(own) && r == 0; k++)
		if (acct_same(s, n, own[k].name))
			r = acct_place(a, own[k].col, c, own[k].name);
	for (k = 0; k < a->nwant && r == 0; k++)
		if (a->want[k] != NULL && acct_same(s, n, a->want[k]))
			r = acct_place(a, &a->col[k], c, a->want[k]);
	return r;
}

/* The n bytes at s are no header: says what they look like. */
static int
acct_no_header(struct acct *a, const char *s, size_t n)
{
	char word[TOOL_WORD];
	size_t i;

	tool_word(word, s, n);
	for (i = 0; i + 6 <= n; i++)
		if (memcmp(s + i, "error:", 6) == 0)
			return acct_refuse(a, TROUBLE, "line %" PRIu64 " is an error message, no table: %s", a->line, word);
	if (n > 0 && (s[0] == ' ' || memchr(s, '|', n) == NULL) && memchr(s, ' ', n) != NULL)
		return acct_refuse(a, BADUSE, "line %" PRIu64 ": %s: not sacct -P: a table of fixed width cuts what is longer; run sacct with -P",
		    a->line, word);
	if (n > 0 && s[0] >= '0' && s[0] <= '9')
		return acct_refuse(a, BADUSE, "line %" PRIu64 ": %s: no header: columns are found by name; run sacct without -n", a->line, word);
	return acct_refuse(a, BADUSE, "line %" PRIu64 ": %s: no header of sacct -P with a column State", a->line, word);
}

/* Reads the first line: 1, 0 or -1 as acct_next. */
static int
acct_header(struct acct *a)
{
	const char *s, *p, *end, *next;
	int r, whole;
	size_t n;

	for (;;) {
		a->begin = a->scan;
		a->line = a->lines + 1;
		r = acct_line(a, &whole);
		if (r < 0)
			return -1;
		if (r == 0)
			return acct_refuse(a, TROUBLE, "it is empty: not even a header came");
		s = a->buf + a->scan;
		n = a->stop - a->scan;
		if (n < 9 || memcmp(s, "CLUSTER: ", 9) != 0)
			break;
		snprintf(a->cluster, sizeof a->cluster, "%.*s", (int)(n - 9), s + 9);
		a->scan = a->stop + (size_t)whole;
		a->lines++;
	}
	a->started = 1;
	if (n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) {
		s += 3;
		n -= 3;
	}
	if (n > 0 && s[n - 1] == '\r') {
		a->crlf = 1;
		n--;
	}
	if (n > 0 && memchr(s, '|', n) == NULL && acct_state(s, n) >= 0) {
		/* states alone, one a line, without a header */
		a->ncols = 1;
		a->col_state = 0;
		return 1;
	}
	end = s + n;
	for (p = s; p < end && (isalnum((unsigned char)*p) || *p == '_'); p++)
		;
	for (next = p; next < end && !isalnum((unsigned char)*next) && *next != '_' && a->ndelim < sizeof a->delim; next++)
		a->delim[a->ndelim++] = *next;
	if (p == s || a->ndelim == sizeof a->delim || a->delim[0] == ' ')
		return acct_no_header(a, s, n);
	for (p = s; p < end; p = next + a->ndelim) {
		for (next = p; next < end; next++)
			if (a->ndelim > 0 && (size_t)(end - next) >= a->ndelim && memcmp(next, a->delim, a->ndelim) == 0)
				break;
		if (acct_column(a, a->ncols++, p, (size_t)(next - p)) != 0)
			return -1;
		a->trail = next + a->ndelim == end && a->ndelim > 0;
	}
	if (a->col_state >= 0)
		a->col_compact = -1;
	else if (a->col_compact >= 0)
		acct_column(a, a->col_compact, "State", 5);
	else
		return acct_no_header(a, s, n);
	a->need = (size_t)(a->ncols - 1 + a->trail);
	/* where the last column holds free text, the line behind a whole one has to be seen first */
	if (a->ndelim == 1 && strchr(",:=-+./%[]()_", a->delim[0]) != NULL)
		a->nfree = 2;	/* it stands in times, TRES and ids too: what is too much need not be of the free text */
	a->simple = a->ndelim == 1 && a->need > 0 && (a->nfree != 1 || a->freecol != a->ncols - 1 || a->trail);
	a->header = tool_realloc(NULL, n + 1, 1);
	memcpy(a->header, s, n);
	a->nheader = n;
	a->scan = a->stop + (size_t)whole;
	a->lines++;
	return 1;
}

/* ---- records ---- */

void
acct_begin(struct acct *a, int fd, const char *const *want, size_t nwant)
{
	size_t i;

	memset(a, 0, sizeof *a);
	a->fd = fd;
	a->want = want;
	a->nwant = nwant;
	a->col_id = a->col_raw = a->col_state = a->col_compact = -1;
	a->pos_room = 2 * ACCT_SIMPLE;
	a->pos = tool_realloc(NULL, a->pos_room, sizeof *a->pos);
	a->cut = tool_realloc(NULL, 1, sizeof *a->cut);
	a->cut->known = SIZE_MAX;
	a->col = tool_realloc(NULL, nwant, sizeof *a->col);
	for (i = 0; i < nwant; i++)
		a->col[i] = -1;
}

/* Cuts a simple line up to the delimiter behind column c. */
static void
acct_reach(const struct acct *a, size_t c)
{
	const char *s = a->buf + a->begin;
	size_t known = a->cut->known, upto = a->cut->upto;
	uint64_t bits = a->cut->bits;

	while (known <= c && (bits != 0 || upto < a->len)) {
		if (bits == 0) {
			bits = acct_marks(s + upto, a->delim[0]);
			upto += 64;
		}
		for (; known <= c && bits != 0; bits &= bits - 1)
			a->pos[known++] = (uint32_t)(upto - 64 + acct_lowest(bits));
	}
	a->cut->known = known;
	a->cut->upto = upto;
	a->cut->bits = bits;
}

/* The text of column c in the record. */
static struct acct_text
acct_field(const struct acct *a, int c)
{
	size_t surplus = a->npos - a->need, left, right, from = 0;
	struct acct_text t = { NULL, 0 };

	if (c < 0)
		return t;
	left = right = (size_t)c;
	if (surplus > 0 && c >= a->freecol) {
		right += surplus;
		left += c > a->freecol ? surplus : 0;
	}
	if (right >= a->cut->known)
		acct_reach(a, right);
	if (left > 0)
		from = a->pos[left - 1] + a->ndelim;
	t.s = a->buf + a->begin + from;
	t.n = (right < a->npos ? a->pos[right] : a->len) - from;
	return t;
}

int
acct_has(const struct acct *a, size_t i)
{
	return a->col[i] >= 0;
}

struct acct_text
acct_get(const struct acct *a, size_t i)
{
	return acct_field(a, a->col[i]);
}

/* Whether what ends at len, with the delimiters from `before` on, is a whole record. */
static int
acct_full(const struct acct *a, size_t before)
{
	return a->npos - before >= a->need && (!a->trail || a->pos[a->npos - 1] + a->ndelim == a->len);
}

static int
acct_count(struct acct *a, uint64_t line)
{
	size_t need = a->need + 1 - (size_t)a->trail, got = a->npos + 1;

	if (got > 1 && a->trail && a->pos[a->npos - 1] + a->ndelim == a->len)
		got--;
	if (got == need && a->trail)
		return acct_refuse(a, BADUSE, "line %" PRIu64 " does not end in the delimiter, as the header does", line);
	return acct_refuse(a, BADUSE, "line %" PRIu64 ": %zu field%s, expected %zu%s", line, got, got == 1 ? "" : "s", need,
	    a->nfree > 1 ? ": several columns hold free text (ask for one of them, or give sacct --delimiter=$'\\x1f')" :
	    got > need ? ": no column can hold the delimiter (give sacct --delimiter=$'\\x1f')" : ": the line was cut");
}

/* Whether the short line from scan to stop, its delimiters from `before` on, begins a record that was cut, and is no
 * more of the last column's text. */
static int
acct_starts(const struct acct *a, size_t before)
{
	size_t n = a->npos - before, c = (size_t)a->col_id, from;
	struct acct_id id;

	if (n == 0 || a->col_id < 0 || c > n)
		return n > 0;
	from = c == 0 ? a->scan - a->begin : a->pos[before + c - 1] + a->ndelim;
	return acct_id(&id, a->buf + a->begin + from, (c < n ? a->pos[before + c] : a->stop - a->begin) - from) == NULL;
}

/* Refuses what could be more of the last column's text, and is none: an error message among the rows (2>&1), and the heading of
 * another cluster's table, whose rows would be taken for this one's. 0, -1. */
static int
acct_foreign(struct acct *a)
{
	static const char *const errors[] = {
		"sacct: error: ", "sacct: fatal: ", "squeue: error: ", "squeue: fatal: ", "slurm_load_jobs error: "
	};
	const char *s = a->buf + a->scan;
	size_t n = a->stop - a->scan, i;

	if (a->program != NULL)
		return 0;	/* its errors come by another pipe, and it is asked of one table */
	if (n > 9 && memcmp(s, "CLUSTER: ", 9) == 0)
		return acct_refuse(a, BADUSE, "line %" PRIu64 ": the next cluster's table begins behind a column of free text: ask for another column last",
		    a->lines);
	for (i = 0; i < ACCT_N(errors); i++)
		if (n >= strlen(errors[i]) && memcmp(s, errors[i], strlen(errors[i])) == 0)
			return acct_refuse(a, TROUBLE, "line %" PRIu64 " is an error message among the rows", a->lines);
	return 0;
}

/* Whether what begins at scan is a line that is a record by itself, as most are: then it is taken. Its delimiters are only
 * counted, and cut when a column is asked for. */
static int
acct_simple(struct acct *a)
{
	const char *s = a->buf + a->scan;
	size_t n = a->end - a->scan, at;

	if (!a->simple || acct_tally(s, n, a->delim[0], &at) != a->need || at == n || at == 0)
		return 0;
	a->len = at - (size_t)(a->crlf && s[at - 1] == '\r');
	if (a->trail && s[a->len - 1] != a->delim[0])
		return 0;
	a->line = ++a->lines;
	a->begin = a->scan;
	a->scan += at + 1;
	a->npos = a->need;
	a->cut->known = a->cut->upto = 0;
	a->cut->bits = 0;
	return 1;
}

/* Finds the end of the record that begins at scan: 1, 0 at the end, -1. */
static int
acct_find(struct acct *a)
{
	int r, whole;
	size_t before;

	if (acct_simple(a))
		return 1;
	a->begin = a->scan;
	a->npos = 0;
	a->cut->known = SIZE_MAX;
	a->line = a->lines + 1;
	for (;; a->scan = a->stop + 1) {
		r = acct_line(a, &whole);
		if (r < 0 || (r == 0 && a->scan == a->begin))
			return r;
		if (r == 0)
			return acct_count(a, a->line);
		before = a->npos;
		a->lines++;
		a->len = a->stop - a->begin - (a->crlf && a->stop > a->scan && a->buf[a->stop - 1] == '\r');
		acct_cut(a, a->begin + a->len);
		if (a->scan == a->begin && a->len == 0 && a->need > 0)
			break;
		if (a->scan > a->begin && acct_full(a, before) && (a->freecol < a->col_id || acct_starts(a, before))) {
			a->npos = before;
			a->len = a->scan - a->begin;
			return acct_count(a, a->line);
		}
		if (a->scan > a->begin && acct_foreign(a) != 0)
			return -1;
		if (acct_full(a, 0))
			break;
		if (a->scan == a->begin && a->npos == 0 && a->len > 9 && memcmp(a->buf + a->begin, "CLUSTER: ", 9) == 0) {
			snprintf(a->cluster, sizeof a->cluster, "%.*s", (int)(a->len - 9), a->buf + a->begin + 9);
			a->len = 0;
			break;
		}
		if (a->nfree != 1 || !whole)
			return acct_count(a, a->line);
	}
	if (a->npos > a->need && a->nfree != 1)
		return acct_count(a, a->line);
	a->scan = a->stop + (size_t)whole;
	if (!whole && !a->trail && a->col_compact == a->ncols - 1 && a->len > 0)
		return acct_refuse(a, BADUSE, "line %" PRIu64 " has no end: its last column, ST, may be cut", a->line);
	if (!whole && !a->trail && a->ncols > 1)
		for (before = 0; before < a->nwant; before++)
			if (a->col[before] == a->ncols - 1 && a->col_state != a->ncols - 1)
				return acct_refuse(a, BADUSE, "line %" PRIu64 " has no end: its last column, %s, may be cut", a->line, a->want[before]);
	while (whole && a->nfree == 1 && a->freecol == a->ncols - 1 && !a->trail && a->len > 0) {
		r = acct_line(a, &whole);
		if (r < 0)
			return -1;
		before = a->npos;
		if (r == 1 && whole)
			acct_cut(a, a->stop);
		r = r == 1 && whole && a->npos - before < a->need && !acct_starts(a, before);
		a->npos = before;
		if (!r)
			break;
		a->lines++;
		if (acct_foreign(a) != 0)
			return -1;
		a->len = a->stop - a->begin - (a->crlf && a->stop > a->scan && a->buf[a->stop - 1] == '\r');
		a->scan = a->stop + 1;
	}
	return 1;
}

int
acct_next(struct acct *a)
{
	struct acct_text t;
	const char *bad;
	char word[TOOL_WORD];
	int state, r = 1;

	if (!a->started && (r = acct_header(a)) != 1)
		return r;
	for (;;) {
		r = acct_find(a);
		if (r != 1)
			return r;
		if (a->len == 0 && a->need > 0)
			continue;	/* a blank line, or the name of a cluster */
		bad = NULL;
		t = acct_field(a, a->col_id >= 0 ? a->col_id : a->col_raw);
		if (a->nlast > 0 && t.n > a->nlast + 1 && t.s[a->nlast] == '.' && memcmp(t.s, a->last, a->nlast) == 0) {
			/* a step of the job before, as most lines are */
			a->id = a->job;
			a->id.step.s = t.s + a->nlast + 1;
			a->id.step.n = t.n - a->nlast - 1;
			if (t.s[t.n - 1] == '+')
				bad = acct_id(&a->id, t.s, t.n);
		} else if (t.s != NULL) {
			bad = acct_id(&a->id, t.s, t.n);
			a->nlast = bad == NULL && a->id.step.n == 0 && a->id.cluster.n == 0 && a->id.kind != ACCT_TASKS &&
			    t.n < sizeof a->last ? t.n : 0;
			if (a->nlast > 0) {
				memcpy(a->last, t.s, t.n);
				a->job = a->id;
			}
		}
		if (bad == NULL) {
			t = acct_field(a, a->col_state);
			state = a->col_compact < 0 ? acct_state(t.s, t.n) : acct_compact(t.s, t.n);
			if (state >= 0)
				break;
		}
		if (a->header != NULL && a->len == a->nheader && memcmp(a->buf + a->begin, a->header, a->len) == 0) {
			a->again++;	/* two outputs, one behind the other */
			continue;
		}
		if (bad != NULL)
			return acct_refuse(a, BADUSE, "line %" PRIu64 ": JobID %s: %s", a->line, tool_word(word, t.s, t.n), bad);
		return acct_refuse(a, BADUSE, "line %" PRIu64 ": %s %s%s", a->line, t.n > 0 && t.s[t.n - 1] == '+' ? "a cut state" :
		    "unknown state", tool_word(word, t.s, t.n), t.n > 0 && t.s[t.n - 1] == '+' ? ": sacct -P shows it whole" : "");
	}
	if (a->cluster[0] != '\0' && a->id.cluster.n == 0) {
		a->id.cluster.s = a->cluster;
		a->id.cluster.n = strlen(a->cluster);
	}
	a->state = (enum acct_state)state;
	return 1;
}

uint32_t
acct_raw(const struct acct *a)
{
	struct acct_text t = acct_field(a, a->col_raw);
	uint64_t v;

	return t.s != NULL && num_u64(t.s, t.n, UINT32_MAX, &v) == NUM_OK ? (uint32_t)v : 0;
}

void
acct_end(struct acct *a)
{
	child_free(&a->child);
	free(a->buf);
	free(a->header);
	free(a->pos);
	free(a->cut);
	free(a->col);
	memset(a, 0, sizeof *a);
}

/* ---- what is asked for ---- */

static int
acct_order(const void *a, const void *b)
{
	const struct acct_asked *x = a, *y = b;

	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->part < y->part ? -1 : x->part > y->part;
}

void
acct_sort(struct acct_query *q)
{
	if (q->n > 0)
		qsort(q->asked, q->n, sizeof *q->asked, acct_order);
}

static void
acct_add(struct acct_query *q, struct acct_asked one)
{
	if ((q->n & (q->n - 1)) == 0)
		q->asked = tool_realloc(q->asked, q->n > 0 ? 2 * q->n : 1, sizeof one);
	q->asked[q->n++] = one;
}

/* What is asked of one cluster alone is answered for it. */
static void
acct_only(struct acct *a, const struct acct_query *q)
{
	if (q->clusters != NULL && strchr(q->clusters, ',') == NULL)
		snprintf(a->cluster, sizeof a->cluster, "%s", q->clusters);
}

/* One id of n bytes; NULL, or what is wrong with it. */
static const char *
acct_ask_one(struct acct_query *q, const char *s, size_t n)
{
	const char *semi = memchr(s, ';', n), *bad;
	struct acct_asked one = { 0, 0, ACCT_JOB, 0, NULL };
	struct iset tasks;
	struct acct_id id;
	char why[ACCT_WHY];
	size_t have = q->clusters != NULL ? strlen(q->clusters) : 0, i;

	bad = acct_id(&id, s, semi != NULL ? (size_t)(semi - s) : n);
	if (bad != NULL)
		return bad;
	if (semi != NULL) {
		id.cluster.s = semi + 1;
		id.cluster.n = n - (size_t)(semi + 1 - s);
		if (id.cluster.n == 0)
			return "no cluster behind the semicolon";
	}
	if (id.step.n > 0)
		return "a step: the id of its job was expected";
	if (q->n > 0 && (q->clusters != NULL) != (id.cluster.n > 0))
		return "ids with a cluster and ids without one: ask for them apart";
	if (id.cluster.n > 0)
		one.cluster = tool_copy(id.cluster.s, id.cluster.n);
	if (id.cluster.n > 0 && (have == 0 || !acct_listed(q->clusters, ",", one.cluster))) {
		q->clusters = tool_realloc(q->clusters, have + id.cluster.n + 2, 1);
		snprintf(q->clusters + have, id.cluster.n + 2, "%s%.*s", have > 0 ? "," : "", (int)id.cluster.n, id.cluster.s);
	}
	one.job = id.job;
	one.part = id.part;
	one.kind = id.kind;
	if (id.kind != ACCT_TASKS) {
		acct_add(q, one);
		return NULL;
	}
	if (acct_tasks(&tasks, &id, why) != NULL)
		return "no list of tasks in the brackets";
	one.kind = ACCT_TASK;
	for (i = 0; i < tasks.n; i++)
		for (one.part = (uint32_t)tasks.run[i].first; one.part <= tasks.run[i].last; one.part++)
			acct_add(q, one);
	iset_free(&tasks);
	return NULL;
}

const char *
acct_ask(struct acct_query *q, const char *word, char why[ACCT_WHY])
{
	const char *s, *bad;
	char quoted[TOOL_WORD];
	size_t n;
	int depth;

	for (s = word; *s != '\0'; s += n) {
		n = 1;
		if (isspace((unsigned char)*s) || *s == ',')
			continue;
		for (depth = 0, n = 0; s[n] != '\0' && !isspace((unsigned char)s[n]) && (depth > 0 || s[n] != ','); n++)
			depth += (s[n] == '[') - (s[n] == ']');
		bad = acct_ask_one(q, s, n);
		if (bad != NULL) {
			snprintf(why, ACCT_WHY, "%s: %s", tool_word(quoted, s, n), bad);
			return why;
		}
	}
	return NULL;
}

static int
acct_mark(struct acct_query *q, const struct acct_id *id, uint32_t job, enum acct_kind kind, uint32_t part)
{
	struct acct_asked key = { job, part, kind, 0, NULL }, *hit, *end = q->asked + q->n;
	int found = 0;

	hit = bsearch(&key, q->asked, q->n, sizeof key, acct_order);
	if (hit == NULL)
		return 0;
	while (hit > q->asked && acct_order(hit - 1, &key) == 0)
		hit--;
	for (; hit < end && acct_order(hit, &key) == 0; hit++)
		if (hit->cluster == NULL || acct_same(id->cluster.s, id->cluster.n, hit->cluster))
			found = hit->seen = 1;
	return found;
}

int
acct_asked(struct acct_query *q, const struct acct_id *id, uint32_t raw)
{
	int found = q->n == 0;

	if (q->n > 0) {
		found |= acct_mark(q, id, id->job, ACCT_JOB, 0);
		if (id->kind != ACCT_JOB)
			found |= acct_mark(q, id, id->job, id->kind, id->part);
		if (raw != 0 && raw != id->job)
			found |= acct_mark(q, id, raw, ACCT_JOB, 0);
	}
	return found;
}

int
acct_blame(const struct acct_query *q)
{
	return q->text ? BADUSE : TROUBLE;
}

size_t
acct_say_missing(const struct acct_query *q)
{
	struct tool_words list = { "", 0 }, id = { "", 0 };
	const struct acct_asked *one;
	size_t i, n = 0;
	int more = 0;

	for (i = 0; i < q->n; i++) {
		one = &q->asked[i];
		if (one->seen)
			continue;
		id.n = 0;
		tool_add(&id, " %.40s%s%" PRIu32, one->cluster != NULL ? one->cluster : "", one->cluster != NULL ? "/" : "", one->job);
		if (one->kind != ACCT_JOB)
			tool_add(&id, "%c%" PRIu32, one->kind == ACCT_HET ? '+' : '_', one->part);
		more |= n++ == 12 || list.n + id.n > 315;
		if (!more)
			tool_add(&list, "%s", id.s);
	}
	if (n > 0)
		tool_warn("no record of %zu of %zu:%s%s%s", n, q->n, list.s, more ? " ..." : "", q->since != NULL ? " (in this time)" : "");
	return n;
}

const char *
acct_since(const char *s, char buf[40])
{
	static const char *const shapes[] = { "0000-00-00", "0000-00-00T00:00", "0000-00-00T00:00:00" };
	char why[DUR_WHY];
	size_t i, k;
	int64_t ms;

	for (i = 0; i < ACCT_N(shapes); i++) {
		for (k = 0; s[k] != '\0' && (shapes[i][k] == '0' ? isdigit((unsigned char)s[k]) : s[k] == shapes[i][k]); k++)
			;
		if (s[k] == '\0' && shapes[i][k] == '\0')
			return s;
	}
	if (dur_parse(s, &ms, why) == 0) {
		snprintf(buf, 40, "now-%" PRId64 "seconds", (ms + 999) / 1000);
		return buf;
	}
	for (k = 0; islower((unsigned char)s[k]) || (k > 0 && (isdigit((unsigned char)s[k]) || s[k] == '-' || s[k] == '+')); k++)
		;
	return k > 0 && s[k] == '\0' ? s : NULL;
}

/* ---- how a tool is called ---- */

void
acct_option(struct acct_query *q, int val, const char *arg)
{
	static char since[40], until[40];
	const char **to = val == 'S' ? &q->since : &q->until;
	char word[TOOL_WORD];

	tool_word(word, arg, strlen(arg));
	switch (val) {
	case 'f':
		q->file = arg;
		break;
	case 'S': case 'E':
		*to = acct_since(arg, val == 'S' ? since : until);
		if (*to == NULL)
			tool_die(BADUSE, "-%c %s: a date (2026-11-29), a time long ago (7d) or now-7days was expected", val, word);
		break;
	case 'u':
		if (*arg == '\0' || *arg == '-')
			tool_die(BADUSE, "-u %s: a user was expected", word);
		q->users = arg;
		break;
	case 't':
		q->ms = opt_duration("-t", arg);
		break;
	default:
		break;
	}
}

void
acct_ids(struct acct_query *q, char *const *words, int n)
{
	char why[ACCT_WHY];
	int i;

	for (i = 0; i < n; i++)
		if (acct_ask(q, words[i], why) != NULL)
			tool_die(BADUSE, "%s%s", why, access(words[i], F_OK) == 0 ? " (a file is read with -f)" : "");
	if (n > 0 && q->n == 0)
		tool_die(BADUSE, "an empty id");
	acct_sort(q);
}

void
acct_choose(struct acct_query *q)
{
	int asks = q->since != NULL || q->until != NULL || q->users != NULL;

	if (q->file != NULL && asks)
		tool_die(BADUSE, "-S, -E and -u ask Slurm: they were not expected beside -f");
	q->text = q->file != NULL || (q->n == 0 && !asks);
	if (q->n > 0 && q->until != NULL && q->since == NULL)
		q->since = "1970-01-01";
}

void
acct_window(struct acct_query *q)
{
	if (q->n > 0 || q->since != NULL)
		return;
	q->since = "now-30days";
	tool_warn("the last 30 days (-S says otherwise)");
}

int
acct_open(const struct acct_query *q)
{
	if (q->file == NULL && isatty(0))
		tool_die(BADUSE, "nothing that asks Slurm (-S 30d), and no text (-f FILE): stdin is a terminal");
	return tool_open(q->file);
}

const char *
acct_source(const struct acct_query *q)
{
	return q->text ? tool_input(q->file) : "sacct";
}

/* ---- Slurm's programs ---- */

/* The columns of want that `known` lists, joined by commas; to be freed. */
static char *
acct_fields(const char *const *want, size_t nwant, const char *known)
{
	char *s = tool_realloc(NULL, 40 * nwant + 1, 1);
	size_t i, n = 0;

	s[0] = '\0';
	for (i = 0; i < nwant; i++)
		if (want[i] != NULL && acct_listed(known, " \t\n", want[i]))
			n += (size_t)snprintf(s + n, 40, "%s%.38s", n > 0 ? "," : "", want[i]);
	return s;
}

/* The jobs asked for, without tasks where a list or a component was: sacct refuses its own spelling. */
static char *
acct_jobs(const struct acct_query *q)
{
	char *s = tool_realloc(NULL, 24 * q->n + 1, 1);
	uint32_t before = 0;
	size_t i, n = 0, same;

	s[0] = '\0';
	for (i = 0; i < q->n; i += same) {
		for (same = 1; i + same < q->n && q->asked[i + same].job == q->asked[i].job; same++)
			;
		n += (size_t)snprintf(s + n, 24, same == 1 && q->asked[i].kind == ACCT_TASK ? "%s%" PRIu32 "_%" PRIu32 : "%s%" PRIu32,
		    before != 0 ? "," : "", q->asked[i].job, q->asked[i].part);
		before = q->asked[i].job;
	}
	return s;
}

/* Adds an option, and its value where it has one, to a command line that NULL ends. */
static void
acct_arg(char **argv, const char *option, const char *value)
{
	while (*argv != NULL)
		argv++;
	argv[0] = (char *)option;
	argv[1] = (char *)value;
	if (value != NULL)
		argv[2] = NULL;
}

int
acct_sacct(struct acct *a, const struct acct_query *q, const char *const *want, size_t nwant)
{
	char *argv[24] = { (char *)"sacct", (char *)"-e", NULL }, user[24], *fields, *jobs = acct_jobs(q);
	int64_t deadline = child_now() + q->ms;
	int r;

	acct_begin(a, -1, want, nwant);
	acct_only(a, q);
	if (strlen(jobs) > ACCT_IDS) {
		free(jobs);
		return acct_refuse(a, BADUSE, "more than %d bytes of ids in one call: ask for them in several", ACCT_IDS);
	}
	a->program = argv[0];
	child_run(&a->child, argv, q->ms, 1 << 16);
	fields = acct_fields(want, nwant, a->child.out);
	r = acct_verdict(a, 1);
	child_free(&a->child);
	snprintf(user, sizeof user, "%lu", (unsigned long)geteuid());
	argv[1] = NULL;
	acct_arg(argv, "-P", NULL);
	acct_arg(argv, "--delimiter=\x1f", NULL);
	if (q->duplicates)
		acct_arg(argv, "-D", NULL);
	if (!q->steps)
		acct_arg(argv, "-X", NULL);
	acct_arg(argv, "-o", fields);
	if (q->clusters != NULL)
		acct_arg(argv, "-M", q->clusters);
	if (q->n > 0)
		acct_arg(argv, "-j", jobs);
	if (q->since != NULL) {
		acct_arg(argv, "-S", q->since);
		acct_arg(argv, "-E", q->until != NULL ? q->until : "now");
	}
	if (q->users != NULL && strcmp(q->users, "all") == 0)
		acct_arg(argv, "-a", NULL);
	else if (q->users != NULL || q->n == 0)
		acct_arg(argv, "-u", q->users != NULL ? q->users : user);
	if (r == 0)
		child_start(&a->child, argv, deadline, ACCT_STDERR);
	free(fields);
	free(jobs);
	return r;
}

int
acct_squeue(struct acct *a, const struct acct_query *q, const char *const *want, size_t nwant)
{
	int64_t deadline = child_now() + q->ms;
	char format[128] = "", *argv[12] = { (char *)"squeue", (char *)"-a", (char *)"-t", (char *)"all", (char *)"-o", format, NULL };
	size_t i, k, n = 0;

	acct_begin(a, -1, want, nwant);
	acct_only(a, q);
	a->program = argv[0];
	for (i = 0; i < nwant; i++)
		for (k = 0; want[i] != NULL && k < ACCT_N(acct_queue); k++)
			if (strcmp(want[i], acct_queue[k].name) == 0)
				n += (size_t)snprintf(format + n, sizeof format - n, "%s%s", n > 0 ? "\x1f" : "", acct_queue[k].letter);
	if (q->clusters != NULL)
		acct_arg(argv, "-M", q->clusters);
	if (q->users != NULL && strcmp(q->users, "all") != 0)
		acct_arg(argv, "-u", q->users);
	child_start(&a->child, argv, deadline, ACCT_STDERR);
	return 0;
}
