/* whichnode - is it the node or the code? A table of failures per node
 *
 * Each attempt is placed on each node of its list and counted in a cell: (piece of work, node). A piece of work is a
 * name with its digits folded, and a user. At the end every node is compared with all others within each piece of
 * work, and the comparisons are added up (Mantel and Haenszel); where counts are small the distribution of the sum is
 * computed exactly, as the convolution of one hypergeometric distribution for each piece of work. The page has the
 * formulas.
 *
 * Steps follow their job's row, as sacct prints them: that is how CPU time is joined.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acct.h"
#include "child.h"
#include "hosts.h"
#include "names.h"
#include "num.h"
#include "opt.h"
#include "rec.h"
#include "run.h"
#include "tool.h"

const char help[] =
"whichnode - is it the node or the code? A table of failures per node\n"
"\n"
"usage: whichnode [options] ID...                            asks sacct\n"
"       whichnode [options] -S SINCE [-E UNTIL] [-u USER]    the same for all jobs of a time\n"
"       sacct -DP ... | whichnode [options]                  reads text, also -f FILE [ID...]\n"
"\n"
"ID: 4711  4711_3  4711_[1,3-9]  4711+0  4711;cluster  cluster/4711, separated by blanks or commas\n"
"\n"
"what is read:\n"
"  -S, --since SINCE        2026-11-29, 2026-11-29T08:00, 7d (that long ago) or what else sacct -S takes (30 days with -u)\n"
"  -E, --until UNTIL        the same for the end (now)\n"
"  -u, --user USER          the user, several joined by commas, `all` (you)\n"
"      --work NAME          only this piece of work: names that are NAME but for their numbers\n"
"  -f, --file FILE          read text from FILE (- is stdin)\n"
"  -t, --time-limit TIME    for sacct, or scontrol (30s)\n"
"      --fields             print the field list to give to sacct -o, and end\n"
"what counts as bad:\n"
"  -m, --metric METRIC      failure: FAILED, NODE_FAIL, BOOT_FAIL, TIMEOUT (the default); hang: more than 300 s elapsed\n"
"                           with less than 10 s of CPU time\n"
"  -n, --count MIN          placements that a node must have to be judged (5)\n"
"what is printed instead of node, placed, bad, rate, low, high, base, p, verdict:\n"
"  -x, --exclude            the list of the worse nodes for sbatch --exclude, at most 8\n"
"      --check              nothing: the status says whether a node is worse\n"
"more:\n"
"  -r, --reason             also state, reason and since of each node with a bad run, from scontrol\n"
"  -H, --header             a line of column names\n"
"      --json               one JSON object a line\n"
"  -q, --quiet              fewer words on stderr\n"
"  -h, --help               this text\n"
"  -V, --version            the version\n"
"\n"
"exit status: 0 printed, or no node stands out; 1 no: a node is worse (--check), or none is (-x); 2 called wrong, or the text\n"
"is not sacct's; 3 could not find out: no records, an id without one, too few runs to judge any node, no answer from Slurm.\n"
"\n"
"example:\n"
"  echo 'JobID|State|NodeList|ElapsedRaw' >runs.txt\n"
"  for i in 1 2 3 4 5; do printf '%s\\n' \"$i|FAILED|n1|2\" \"1$i|COMPLETED|n[2-3]|900\"; done >>runs.txt\n"
"  whichnode -q -f runs.txt\n"
"  list=$(whichnode -q -x -f runs.txt) || exit\n"
"  echo sbatch --exclude=\"$list\" job.sbatch\n";

enum {
	O_WORK = 256, O_FIELDS, O_CHECK, O_JSON
};

static const struct option options[] = {
	OPT_COMMON,
	ACCT_OPTIONS,
	{ "work", required_argument, NULL, O_WORK },
	{ "fields", no_argument, NULL, O_FIELDS },
	{ "metric", required_argument, NULL, 'm' },
	{ "count", required_argument, NULL, 'n' },
	{ "exclude", no_argument, NULL, 'x' },
	{ "check", no_argument, NULL, O_CHECK },
	{ "reason", no_argument, NULL, 'r' },
	{ "header", no_argument, NULL, 'H' },
	{ "json", no_argument, NULL, O_JSON },
	{ "quiet", no_argument, NULL, 'q' },
	{ NULL, 0, NULL, 0 }
};

#define ALPHA 0.035		/* the false discovery rate: so that at most 2 % of healthy fleets have a node that is `worse` */
#define Z 1.959963984540054	/* of the interval: 95 % */
#define EXACT 30.0		/* below this variance of the sum the p is exact */
#define HOLE_RUNS 4		/* a black hole: so many runs at least, all bad, */
#define HOLE_TIME 60		/* each within so many s, */
#define HOLE_CHANCE 0.02	/* and in a healthy fleet no likelier than this */
#define EXCLUDE 8		/* nodes in a list for --exclude */
#define NODES 65536		/* nodes of one run */
#define PICTURE 32

/* the runs of one piece of work on one node */
struct cell {
	uint32_t work, node, placed, bad, quick;
};

struct work {
	uint64_t placed, bad, quick;
};

enum verdict { WORSE, BETTER, FINE, FEW };
static const char *const verdicts[] = { "worse", "better", "ok", "few" };

struct node {
	const char *name;
	uint64_t placed, bad, quick;
	uint64_t same, same_bad;	/* of them those whose work ran elsewhere too */
	double rate, low, high, base, expected, variance, p;
	enum verdict verdict;
	int hole;
	char *state, *reason, *since;
};

static struct {
	char *work;		/* its digits folded; NULL: all */
	int hang, exclude, check, reason, quiet, fields;
	unsigned needs;
	enum rec_how how;
	uint64_t least;
	struct acct_query q;
} ask;

static struct names works, nodes;
static struct work *work;
static size_t work_room;
static struct cell *cell;
static uint32_t *cell_hash;
static size_t ncells, cell_room;
static uint64_t nowhere, neither, spread, lonely_steps, several;

/* ---- cells ---- */

static uint32_t
hash_cell(uint32_t a, uint32_t b)
{
	uint32_t h = a * 2654435761u ^ b * 2246822519u;

	return (h ^ h >> 15) * 739982445u >> 3;
}

static struct cell *
cell_of(uint32_t w, uint32_t n)
{
	size_t i, k, mask;

	if (2 * ncells >= cell_room) {
		cell_room = cell_room > 0 ? 2 * cell_room : 1024;
		cell = tool_realloc(cell, cell_room / 2, sizeof *cell);
		cell_hash = tool_realloc(cell_hash, cell_room, sizeof *cell_hash);
		memset(cell_hash, 0, cell_room * sizeof *cell_hash);
		for (k = 0; k < ncells; k++) {
			for (i = hash_cell(cell[k].work, cell[k].node); cell_hash[i & (cell_room - 1)] != 0; i++)
				;
			cell_hash[i & (cell_room - 1)] = (uint32_t)k + 1;
		}
	}
	mask = cell_room - 1;
	for (i = hash_cell(w, n); (k = cell_hash[i & mask]) != 0; i++)
		if (cell[k - 1].work == w && cell[k - 1].node == n)
			return &cell[k - 1];
	cell_hash[i & mask] = (uint32_t)++ncells;
	memset(&cell[ncells - 1], 0, sizeof *cell);
	cell[ncells - 1].work = w;
	cell[ncells - 1].node = n;
	return &cell[ncells - 1];
}

/* ---- runs ---- */

/* The piece of work of a run; UINT32_MAX where another one is asked for. */
static uint32_t
work_of(const struct run *run)
{
	static char *buf;
	static size_t room, nworks;
	struct acct_text name = run->name, user = run->user;
	size_t n, i;
	uint32_t w;

	if (name.n + user.n + 2 > room) {
		room = name.n + user.n + 256;
		buf = tool_realloc(buf, room, 1);
	}
	n = names_fold(buf, name.s, name.n);
	if (ask.work != NULL && (n != strlen(ask.work) || memcmp(buf, ask.work, n) != 0))
		return UINT32_MAX;
	buf[n++] = '\1';
	for (i = 0; i < user.n; i++)
		buf[n++] = user.s[i] != '\0' ? user.s[i] : '?';
	w = (uint32_t)names_of(&works, buf, n);
	if (w == nworks) {
		work = tool_grown(work, nworks++, &work_room, sizeof *work);
		memset(&work[w], 0, sizeof *work);
	}
	return w;
}

/* 1 bad, 0 good, -1 neither. */
static int
outcome(const struct run *r)
{
	if (!acct_ended(r->state))
		return -1;
	if (!ask.hang)
		switch (r->state) {
		case ACCT_COMPLETED: return 0;
		case ACCT_FAILED: case ACCT_NODE_FAIL: case ACCT_BOOT_FAIL: case ACCT_TIMEOUT: return 1;
		default: return -1;
		}
	if (acct_interrupted(r->state) && (r->elapsed < 0 || r->elapsed > RUN_HUNG_TIME) && r->cpu < RUN_HUNG_CPU * 1000)
		return -1;
	return run_hung(r);
}

struct placing {
	uint32_t work;
	int bad, quick;
	struct acct_text culprit;	/* n is 0 where no single node is to blame */
	uint64_t placed;
};

/* The run is placed on a node. */
static int
place(const char *name, size_t n, void *arg)
{
	struct placing *p = arg;
	struct cell *c;
	int bad = p->bad;

	p->placed++;
	if (bad && p->culprit.n > 0 && (n != p->culprit.n || memcmp(name, p->culprit.s, n) != 0))
		return 0;	/* another node's failure took it along: neither good nor bad here */
	c = cell_of(p->work, (uint32_t)names_of(&nodes, name, n));
	c->placed++;
	c->bad += (uint32_t)bad;
	c->quick += (uint32_t)(bad && p->quick);
	work[p->work].placed++;
	work[p->work].bad += (uint64_t)bad;
	work[p->work].quick += (uint64_t)(bad && p->quick);
	return 0;
}

/* Counts a run. */
static void
take(const struct run *run, const char *source)
{
	struct acct_text list = run->nodelist;
	struct placing p = { 0, 0, 0, { NULL, 0 }, 0 };
	char why[HOSTS_WHY];

	if (run->id.kind == ACCT_TASKS && ask.q.n == 0)
		return;
	/* tasks that have not started are on no node, but they are there */
	if (run_asked(&ask.q, run) == 0 || run->id.kind == ACCT_TASKS)
		return;
	p.work = work_of(run);
	if (p.work == UINT32_MAX)
		return;
	if (run->wrong != NULL)
		tool_die(acct_blame(&ask.q), "%s: line %" PRIu64 ": %s", source, run->line, run->wrong);
	if (acct_nothing(list)) {
		nowhere++;
		return;
	}
	p.bad = outcome(run);
	if (p.bad < 0) {
		neither++;
		return;
	}
	p.quick = run->elapsed >= 0 && run->elapsed <= HOLE_TIME;
	if (run->state == ACCT_NODE_FAIL && !acct_nothing(run->failed))
		p.culprit = run->failed;
	if (memchr(list.s, '[', list.n) == NULL && memchr(list.s, ',', list.n) == NULL && hosts_valid(list.s, list.n))
		place(list.s, list.n, &p);
	else if (hosts_each(list.s, list.n, NODES, place, &p, why) != 0)
		tool_die(acct_blame(&ask.q), "line %" PRIu64 ": NodeList %.*s: %s", run->line, (int)(list.n < 60 ? list.n : 60), list.s, why);
	spread += p.placed > 1;
}

static void
read_runs(void)
{
	const char *source = acct_source(&ask.q);
	int got, name, user, first = 1;
	struct runs r;

	run_from(&r, &ask.q, ask.needs);
	for (; (got = run_next(&r)) == 1; first = 0) {
		name = r.run.name.s != NULL;
		user = r.run.user.s != NULL;
		if (first && !run_has(&r, RUN_NODES))
			tool_die(acct_blame(&ask.q), "%s: no column NodeList: sacct -P -o \"$(whichnode --fields)\" was expected", source);
		if (first && ask.work != NULL && !name)
			tool_die(acct_blame(&ask.q), "%s: --work: no column JobName", source);
		if (first && !ask.quiet && (!name || !user))
			tool_warn("no column %s: %s", !name ? "JobName" : "User", !name && !user ? "all runs are taken for the same work" :
			    name ? "work is told apart by JobName alone" : "work is told apart by User alone");
		if (first && ask.hang && !run_has(&r, RUN_USED))
			tool_die(acct_blame(&ask.q), "%s: -m hang: no column TotalCPU or TRESUsageInTot", source);
		take(&r.run, source);
	}
	if (got < 0)
		run_die(&r, &ask.q);
	several = r.a.again > 0;
	lonely_steps = ask.hang ? r.lonely : 0;
	run_end(&r);
}

/* ---- statistics ---- */

/* Wilson's interval of x in n (J. Am. Stat. Assoc. 22, 209, 1927). */
static void
wilson(double x, double n, double *low, double *high)
{
	double z2 = Z * Z, mid = (x + z2 / 2) / (n + z2), half = Z / (n + z2) * sqrt(x * (n - x) / n + z2 / 4);

	*low = x == 0 || mid < half ? 0 : mid - half;
	*high = x == n || mid + half > 1 ? 1 : mid + half;
}

/* A distribution over lo, lo + 1, ...: n chances. */
struct chances {
	double *p;
	size_t n;
	double lo;
};

/* What is too unlikely to matter is cut off at both ends, and the rest sums up to 1. */
static void
trim(struct chances *d)
{
	double most = 0, sum = 0;
	size_t i, from = 0;

	for (i = 0; i < d->n; i++)
		most = d->p[i] > most ? d->p[i] : most;
	while (d->p[d->n - 1] < most * 1e-25)
		d->n--;
	while (d->p[from] < most * 1e-25)
		from++;
	d->n -= from;
	d->lo += (double)from;
	memmove(d->p, d->p + from, d->n * sizeof *d->p);
	for (i = 0; i < d->n; i++)
		sum += d->p[i];
	for (i = 0; i < d->n; i++)
		d->p[i] /= sum;
}

/* Adds to d a hypergeometric count: how many of n drawn from `all` are among the `marked`. */
static void
convolve(struct chances *d, double n, double marked, double all)
{
	double low = n + marked > all ? n + marked - all : 0, high = n < marked ? n : marked;
	double mode = floor((n + 1) * (marked + 1) / (all + 2)), v, *sum;
	struct chances h;
	size_t i, k, at;

	mode = mode < low ? low : mode > high ? high : mode;
	h.n = (size_t)(high - low) + 1;
	h.p = tool_realloc(NULL, h.n, sizeof *h.p);
	h.lo = low;
	memset(h.p, 0, h.n * sizeof *h.p);
	at = (size_t)(mode - low);
	h.p[at] = 1;
	for (i = at; i > 0 && h.p[i] > 1e-30; i--) {
		v = low + (double)i;
		h.p[i - 1] = h.p[i] * v * (all - marked - n + v) / ((marked - v + 1) * (n - v + 1));
	}
	for (i = at; i + 1 < h.n && h.p[i] > 1e-30; i++) {
		v = low + (double)i;
		h.p[i + 1] = h.p[i] * (marked - v) * (n - v) / ((v + 1) * (all - marked - n + v + 1));
	}
	trim(&h);
	sum = tool_realloc(NULL, d->n + h.n, sizeof *sum);
	memset(sum, 0, (d->n + h.n) * sizeof *sum);
	for (i = 0; i < d->n; i++)
		for (k = 0; k < h.n; k++)
			sum[i + k] += d->p[i] * h.p[k];
	free(d->p);
	d->p = sum;
	d->n += h.n - 1;
	d->lo += h.lo;
	free(h.p);
	trim(d);
}

/* The two-sided p of the node's bad runs, given how many of each piece of work went badly in all: what is no likelier
 * than what was seen, as Fisher's exact test has it. */
static double
p_of(const struct node *n, const struct cell *c, size_t ncell)
{
	struct chances d = { NULL, 1, 0 };
	const struct work *w;
	double seen = 0, p = 0;
	size_t i;

	if (n->variance <= 0)
		return 1;
	if (n->variance >= EXACT) {
		p = fabs((double)n->same_bad - n->expected) - 0.5;
		return p <= 0 ? 1 : erfc(p / sqrt(2 * n->variance));
	}
	d.p = tool_realloc(NULL, 1, sizeof *d.p);
	d.p[0] = 1;
	for (i = 0; i < ncell; i++) {
		w = &work[c[i].work];
		if (w->placed > c[i].placed)
			convolve(&d, (double)c[i].placed, (double)w->bad, (double)w->placed);
	}
	for (i = 0; i < d.n; i++)
		if (d.lo + (double)i == (double)n->same_bad)
			seen = d.p[i] * (1 + 1e-7);
	for (i = 0; i < d.n; i++)
		p += d.p[i] <= seen ? d.p[i] : 0;
	free(d.p);
	return p < 1 ? p : 1;
}

/* A node that fails everything at once and so draws more and more runs: all of at least four were bad within 60 s, the
 * same work was completed elsewhere, and with the rate at which it fails that quickly elsewhere ((bad + 1) / (runs +
 * 2)) one among all nodes would hardly look so by chance. */
static int
is_hole(const struct node *n, const struct cell *c, size_t ncell, size_t all)
{
	uint64_t others = 0, quick = 0, good = 0;
	size_t i;

	if (ask.hang || n->placed < HOLE_RUNS || n->quick < n->placed)
		return 0;
	for (i = 0; i < ncell; i++) {
		others += work[c[i].work].placed - c[i].placed;
		quick += work[c[i].work].quick - c[i].quick;
		good += work[c[i].work].placed - work[c[i].work].bad;
	}
	return good > 0 && (double)all * pow(((double)quick + 1) / ((double)others + 2), (double)n->placed) <= HOLE_CHANCE;
}

/* Fills in the node from its cells. */
static void
judge(struct node *n, const struct cell *c, size_t ncell, size_t all)
{
	const struct work *w;
	double others, k, base = 0;
	size_t i;

	memset(n, 0, sizeof *n);
	n->name = nodes.at[c->node].s;
	for (i = 0; i < ncell; i++) {
		w = &work[c[i].work];
		n->placed += c[i].placed;
		n->bad += c[i].bad;
		n->quick += c[i].quick;
		if (w->placed == c[i].placed)
			continue;	/* nothing to compare with */
		others = (double)(w->placed - c[i].placed);
		k = (double)c[i].placed;
		n->same += c[i].placed;
		n->same_bad += c[i].bad;
		base += k * (double)(w->bad - c[i].bad) / others;
		n->expected += k * (double)w->bad / (double)w->placed;
		n->variance += k * others * (double)w->bad * (double)(w->placed - w->bad) /
		    ((double)w->placed * (double)w->placed * (double)(w->placed - 1));
	}
	n->base = n->same > 0 ? base / (double)n->same : -1;
	if (n->same > 0) {
		n->rate = (double)n->same_bad / (double)n->same;
		wilson((double)n->same_bad, (double)n->same, &n->low, &n->high);
	} else {
		n->rate = (double)n->bad / (double)n->placed;
		wilson((double)n->bad, (double)n->placed, &n->low, &n->high);
	}
	n->p = -1;
	n->verdict = FEW;
	n->hole = is_hole(n, c, ncell, all);
	if (n->same > 0 && (n->same >= ask.least || n->hole)) {
		n->verdict = FINE;
		n->p = p_of(n, c, ncell);
	}
}

static int
by_node(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return x->work < y->work ? -1 : x->work > y->work;
}

static int
by_p(const void *a, const void *b)
{
	const struct node *x = a, *y = b;

	return x->p < y->p ? -1 : x->p > y->p;
}

/* Worse ones first, by p; then by the rate; then by how much is known. */
static int
by_verdict(const void *a, const void *b)
{
	const struct node *x = a, *y = b;

	if ((x->verdict == WORSE) != (y->verdict == WORSE))
		return x->verdict == WORSE ? -1 : 1;
	if (x->verdict == WORSE && x->p != y->p)
		return x->p < y->p ? -1 : 1;
	if (x->rate != y->rate)
		return x->rate > y->rate ? -1 : 1;
	if (x->placed != y->placed)
		return x->placed > y->placed ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* All nodes, judged; to be freed. The p of those that are judged are adjusted for their number (Benjamini and
 * Hochberg, J. R. Stat. Soc. B 57, 289, 1995). */
static struct node *
judge_all(size_t *count)
{
	struct node *n = tool_realloc(NULL, nodes.n, sizeof *n);
	size_t i, k, judged = 0, from;
	double least = 1, p;

	qsort(cell, ncells, sizeof *cell, by_node);
	for (i = 0, *count = 0; i < ncells; i = k) {
		for (k = i; k < ncells && cell[k].node == cell[i].node; k++)
			;
		judge(&n[*count], cell + i, k - i, nodes.n);
		judged += n[(*count)++].p >= 0;
	}
	qsort(n, *count, sizeof *n, by_p);	/* those not judged come first: their p is -1 */
	from = *count - judged;
	for (i = judged; i-- > 0; ) {
		p = n[from + i].p * (double)judged / (double)(i + 1);
		least = p < least ? p : least;
		n[from + i].p = least;
	}
	for (i = from; i < *count; i++) {
		if (n[i].hole || (n[i].p <= ALPHA && (double)n[i].same_bad > n[i].expected && n[i].low > n[i].base))
			n[i].verdict = WORSE;
		else if (n[i].p <= ALPHA && (double)n[i].same_bad < n[i].expected && n[i].high < n[i].base)
			n[i].verdict = BETTER;
	}
	qsort(n, *count, sizeof *n, by_verdict);
	return n;
}

/* ---- what scontrol says ---- */

/* The value behind ` key=` in a line of scontrol -o, up to the next blank, or to the end of the line; to be freed. */
static char *
value_of(const char *line, const char *key, int whole)
{
	const char *s = strstr(line, key);

	if (s == NULL)
		return NULL;
	s += strlen(key);
	return tool_copy(s, strcspn(s, whole ? "\n" : " \n"));
}

static void
take_reason(struct node *n, const char *line)
{
	char *at, *since;

	n->state = value_of(line, " State=", 0);
	n->reason = value_of(line, " Reason=", 1);
	if (n->reason == NULL)
		return;
	at = strstr(n->reason, " [");
	while (at != NULL && strstr(at + 1, " [") != NULL)
		at = strstr(at + 1, " [");
	since = at != NULL ? strchr(at, '@') : NULL;
	if (since == NULL || strchr(since, ']') == NULL)
		return;
	n->since = tool_copy(since + 1, strcspn(since + 1, "]"));
	*at = '\0';
}

/* Asks scontrol for each node with a bad run; 1 where something was not told. */
static int
ask_reasons(struct node *n, size_t count)
{
	const char **name = tool_realloc(NULL, count, sizeof *name);
	char *argv[] = { (char *)"scontrol", (char *)"-o", (char *)"show", (char *)"node", NULL, NULL }, *list = NULL, *line, *told;
	size_t i, k = 0, len;
	struct child c;
	FILE *f;
	int missing = 0;

	for (i = 0; i < count; i++)
		if (n[i].bad > 0 && hosts_valid(n[i].name, strlen(n[i].name)))
			name[k++] = n[i].name;
	if (k == 0) {
		free(name);
		return 0;
	}
	f = tool_text(&list, &len);
	hosts_print(name, k, f);
	tool_text_end(f, &list);
	free(name);
	argv[4] = list;
	child_run(&c, argv, ask.q.ms, (size_t)1 << 26);
	if (c.end != CHILD_ENDED || c.nout == 0) {
		tool_warn("scontrol show node: %s%.200s: no reasons are shown (scontrol ping shows whether slurmctld answers)",
		    c.end == CHILD_ABSENT ? "there is no scontrol in PATH" : c.end == CHILD_ENDED ? "" : "no answer in time", c.err);
		missing = 1;
	}
	for (line = c.out; c.nout > 0 && line != NULL && *line != '\0'; line = strchr(line, '\n') != NULL ? strchr(line, '\n') + 1 : NULL) {
		told = value_of(line, "NodeName=", 0);
		for (i = 0; told != NULL && i < count; i++)
			if (strcmp(n[i].name, told) == 0) {
				line[strcspn(line, "\n")] = '\0';
				take_reason(&n[i], line);
				line[strlen(line)] = '\n';
				break;
			}
		free(told);
	}
	for (i = 0; !missing && i < count; i++)
		if (n[i].bad > 0 && n[i].state == NULL) {
			tool_warn("scontrol knows no node %s", n[i].name);
			missing = 1;
		}
	child_free(&c);
	free(list);
	return missing;
}

/* ---- what is printed ---- */

static void
put_word(struct rec *r, const char *s)
{
	rec_text(r, s != NULL ? s : "", s != NULL ? strlen(s) : 0);
}

/* The interval from 0 to 1, `o` the rate in it, `|` the base. */
static void
put_picture(struct rec *r, const struct node *n)
{
	char s[PICTURE];
	size_t i, last = PICTURE - 1;

	for (i = 0; i <= last; i++)
		s[i] = (double)i >= floor(n->low * (double)last) && (double)i <= ceil(n->high * (double)last) ? '-' : '.';
	s[(size_t)(n->rate * (double)last + 0.5)] = 'o';
	if (n->base >= 0)
		s[(size_t)(n->base * (double)last + 0.5)] = '|';
	rec_text(r, s, sizeof s);
}

static void
print_nodes(const struct node *n, size_t count)
{
	static const char *const names[] = { "node", "placed", "bad", "rate", "low", "high", "0     .     interval     .     1", "base", "p",
		"verdict", "state", "reason", "since" };
	int screen = ask.how != REC_JSON && isatty(1);
	const char *name[13];
	size_t i, ncol = 0;
	struct rec r;

	for (i = 0; i < 13; i++)
		if ((i != 6 || screen) && (i < 10 || ask.reason))
			name[ncol++] = names[i];
	rec_begin(&r, stdout, ask.how, name, ncol);
	for (i = 0; i < count; i++) {
		put_word(&r, n[i].name);
		rec_number(&r, n[i].placed);
		rec_number(&r, n[i].bad);
		rec_real(&r, "%.3f", n[i].rate);
		rec_real(&r, "%.3f", n[i].low);
		rec_real(&r, "%.3f", n[i].high);
		if (screen)
			put_picture(&r, &n[i]);
		rec_real(&r, "%.3f", n[i].base);
		rec_real(&r, "%.3g", n[i].p);
		put_word(&r, verdicts[n[i].verdict]);
		if (ask.reason) {
			put_word(&r, n[i].state);
			put_word(&r, n[i].reason);
			put_word(&r, n[i].since);
		}
	}
	rec_finish(&r);
}

/* How many nodes could be judged; where none could, that is said. */
static size_t
judged(const struct node *n, size_t count)
{
	size_t i, sum = 0;

	for (i = 0; i < count; i++)
		sum += n[i].verdict != FEW;
	if (sum == 0 && !ask.quiet)
		tool_warn("too few runs to judge any of %zu nodes: %" PRIu64 " are needed on one, of work that ran on others too", count, ask.least);
	return sum;
}

static int
none_is_worse(const struct node *n, size_t count)
{
	size_t sum = judged(n, count);

	if (sum > 0 && !ask.quiet)
		tool_warn("no node is worse: %zu of %zu could be judged", sum, count);
	return sum > 0 ? NO : TROUBLE;
}

static int
print_exclude(const struct node *n, size_t count)
{
	const char *name[EXCLUDE];
	size_t i, k = 0, more = 0;

	for (i = 0; i < count && n[i].verdict == WORSE; i++) {
		if (!hosts_valid(n[i].name, strlen(n[i].name)))
			tool_warn("%s is no host's name: left out", n[i].name);
		else if (k < EXCLUDE)
			name[k++] = n[i].name;
		else
			more++;
	}
	if (more > 0)
		tool_warn("%zu more nodes are worse: so many are seldom the nodes; look at the work", more);
	if (k == 0 && i > 0)
		return TROUBLE;	/* there is one, and it can be named in no list */
	if (k == 0)
		return none_is_worse(n, count);
	hosts_print(name, k, stdout);
	putchar('\n');
	return YES;
}

/* What a reader of the table should know of it. */
static void
say(const struct node *n, size_t count)
{
	uint64_t placed = 0, bad = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		placed += n[i].placed;
		bad += n[i].bad;
		if (n[i].hole)
			tool_warn("%s is a black hole: all of its %" PRIu64 " runs failed within %d s, while other nodes completed the same work",
			    n[i].name, n[i].placed, HOLE_TIME);
	}
	if (ask.quiet)
		return;
	if (bad == placed && placed > 1 && count > 1)
		tool_warn("all %" PRIu64 " runs went badly, on all %zu nodes: that is the code or its input, not a node", placed, count);
	if (neither > 0)
		tool_warn("%" PRIu64 " run%s neither good nor bad (cancelled, preempted, out of memory, not over, not known): not counted", neither,
		    neither == 1 ? " was" : "s were");
	if (nowhere > 0)
		tool_warn("%" PRIu64 " run%s on no node: not counted", nowhere, nowhere == 1 ? " was" : "s were");
	if (spread > 0)
		tool_warn("%" PRIu64 " run%s on several nodes: each of them carries the outcome", spread, spread == 1 ? " was" : "s were");
	if (several)
		tool_warn("the text is several outputs: a run that stands in two of them is counted twice");
	if (lonely_steps > 0)
		tool_warn("%" PRIu64 " step%s not behind the row of the job: that CPU time is not counted", lonely_steps, lonely_steps == 1 ?
		    " stands" : "s stand");
}

/* ---- options ---- */

static void
read_metric(const char *word)
{
	if (strcmp(word, "hang") == 0)
		ask.hang = 1;
	else if (strcmp(word, "failure") != 0)
		tool_die(BADUSE, "-m %s: failure or hang was expected", word);
}

static void
read_options(struct opt *o)
{
	char word[TOOL_WORD];
	int val;

	ask.least = 5;
	ask.q.ms = ACCT_MS;
	while ((val = opt_next(o)) != -1)
		switch (val) {
		case O_WORK:
			ask.work = tool_copy(optarg, strlen(optarg));
			ask.work[names_fold(ask.work, optarg, strlen(optarg))] = '\0';
			break;
		case O_FIELDS: ask.fields = 1; break;
		case 'm': read_metric(optarg); break;
		case 'n':
			if (num_u64(optarg, strlen(optarg), UINT32_MAX, &ask.least) != NUM_OK || ask.least == 0)
				tool_die(BADUSE, "-n %s: a number of 1 or more was expected", tool_word(word, optarg, strlen(optarg)));
			break;
		case 'x': ask.exclude = 1; break;
		case O_CHECK: ask.check = 1; break;
		case 'r': ask.reason = 1; break;
		case 'H': ask.how = REC_HEADER; break;
		case O_JSON: ask.how = REC_JSON; break;
		case 'q': ask.quiet = 1; break;
		default: acct_option(&ask.q, val, optarg); break;
		}
	if (ask.exclude + ask.check + ask.reason > 1)
		tool_die(BADUSE, "-x, --check and -r: one of them was expected");
	acct_ids(&ask.q, o->operand, o->n);
	acct_choose(&ask.q);
	ask.needs = RUN_FEW | RUN_NODES | RUN_ELAPSED | (ask.hang ? RUN_USED : 0) | (ask.q.text && !ask.fields ? RUN_SPAN : 0);
}

/* --check: whether a node is worse. */
static int
check(const struct node *n, size_t count)
{
	size_t i;

	for (i = 0; i < count && !ask.quiet; i++)
		if (n[i].verdict == WORSE)
			tool_warn("%s is worse: %" PRIu64 " of %" PRIu64 " bad, %.3f [%.3f, %.3f], elsewhere %.3f", n[i].name, n[i].bad, n[i].placed,
			    n[i].rate, n[i].low, n[i].high, n[i].base);
	if (n[0].verdict == WORSE)
		return NO;
	return judged(n, count) > 0 ? YES : TROUBLE;
}

int
main(int argc, char **argv)
{
	struct opt o = OPT_INIT(argc, argv, options, 0);
	struct node *n;
	size_t count, missing;
	int status = YES;

	tool_begin();
	read_options(&o);
	if (ask.fields) {
		puts(run_fields(ask.needs));
		tool_done(YES);
	}
	read_runs();
	missing = acct_say_missing(&ask.q);
	if (ncells == 0)
		tool_die(TROUBLE, "no run that went well or badly on a node: %" PRIu64 " were neither, %" PRIu64 " were on no node", neither, nowhere);
	n = judge_all(&count);
	if (ask.reason && ask_reasons(n, count) != 0)
		status = TROUBLE;
	say(n, count);
	if (ask.check)
		status = check(n, count);
	else if (ask.exclude)
		status = print_exclude(n, count);
	else
		print_nodes(n, count);
	tool_done(missing > 0 && status == YES ? TROUBLE : status);
}
