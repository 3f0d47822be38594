/* gate-gpus - the devices of this node are as many as the job wants, or a refusal before anything expensive
 *
 * Nothing tells the truth alone. Slurm's variables are a promise, the mask variables can be set by anybody, a device
 * node says only that this process may open it, and the driver shows a whole node where no device cgroup hides what
 * belongs to others. So each is asked, each is shown with its source, and a yes needs all that could be asked.
 * access(2) on a device node is answered by the device cgroup (EPERM) without opening it: an open could initialise a
 * card, or hang. A cgroup's own list is not read: version 1 shows `a *:* rwm` while it denies, version 2 has none.
 * nvidia-smi runs under child_run, which leaves one alone that cannot be killed. Everything else is files.
 * How a mask is read: CUDA C programming guide, "environment variables" (strtoul, the list ends at the first invalid
 * entry), ROCR's amd_filter_device.cpp, and HIP's rocdevice.cpp (HIP indexes what ROCR left, and reads
 * CUDA_VISIBLE_DEVICES where HIP_VISIBLE_DEVICES is empty). Slurm's numbers are those in the names of the device
 * files; without ConstrainDevices its masks carry the same numbers (gres_common.c).
 *
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <sys/stat.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "iset.h"
#include "num.h"
#include "opt.h"
#include "rec.h"
#include "tool.h"

const char help[] =
"gate-gpus - the GPUs of this job on this node are as many as wanted, before anything expensive\n"
"\n"
"usage: gate-gpus [-N nodes] [-m MEM] [--model PATTERN] [--idle[=MIB]] [--at-least]\n"
"                 [-t limit] [--no-driver] [--root DIR] [-qH] [--json] WIDTH\n"
"\n"
"WIDTH is the number of devices per node; in a task with a share of its step's devices, of that share. What is\n"
"promised (Slurm), masked (CUDA_VISIBLE_DEVICES and the like), reachable (/dev) and shown by the driver\n"
"(nvidia-smi) goes to stderr, each with its source, and must agree. On a yes one record goes to stdout, to keep\n"
"beside the results: asked, got, nodes, node, source.\n"
"\n"
"  -N, --nodes N            the job must have N nodes (1)\n"
"  -m, --memory MEM         each device has MEM or more, for instance 80G, within 5 %\n"
"      --model PATTERN      each device's name has PATTERN in it: whole words, any case, * ? [] as in the shell\n"
"      --idle[=MIB]         each device has at most MIB MiB in use (16)\n"
"      --at-least           more devices than WIDTH are fine\n"
"  -t, --time-limit LIMIT   the driver has this long to answer (30s)\n"
"      --no-driver          do not run nvidia-smi\n"
"      --root DIR           read dev, proc and sys below DIR; a plain file nvidia0 there stands for the device\n"
"  -q, --quiet              no evidence on stderr, only why it is not a yes\n"
"  -H, --header             a header before the record\n"
"      --json               the record as a JSON object\n"
"  -h, --help               print this text\n"
"  -V, --version            print the version\n"
"\n"
"exit status: 0 yes; 1 refused; 2 called wrong; 3 could not find out\n"
"\n"
"example: gate-gpus 0 >gpus.tsv || exit     # a job without GPUs; 4 in place of 0 for one with four\n";

#define UNKNOWN (-1)
#define IDLE_MIB 16		/* an idle card shows 0 to 10 MiB, the smallest CUDA context some 30 (an MPS server) */
#define WIDEST 4096
#define OUTPUT_MAX 262144	/* bytes of nvidia-smi's that are looked at: 16 cards of 7 slices need 12,000 */
#define SPECIAL_STEPS 0xfffffff0u /* from here on a step id means batch script, extern or interactive step */
#define NOCARD ((size_t)-1)

enum { NVIDIA, AMD, INTEL, VENDORS };
static const char *const vendor_name[] = { "NVIDIA", "AMD", "Intel" };

struct text {	/* parts of one message */
	char *s;
	size_t n;
};

struct wish {
	uint64_t width, nodes, memory, idle;	/* memory in bytes, idle in MiB */
	const char *model, *limit_word, *root;
	int64_t limit;
	int check_idle, at_least, no_driver, quiet;
	enum rec_how how;
};

struct promise {
	const char *name, *value;
	uint64_t n;
	struct iset list;	/* the numbers, where it lists them */
};

struct card {
	enum card_kind { WHOLE, PARENT, SLICE } kind;	/* PARENT: cut into MIG slices, which follow it */
	size_t parent;
	uint64_t number;			/* as the driver counts */
	char uuid[80], name[100], odd[40];	/* odd: what it said where a size was due */
	int64_t total, used;			/* MiB */
};

struct cards {
	struct card *at;
	size_t n;
	int slices;	/* MIG slices would be in it */
};

struct sight {	/* the devices of one vendor, as far as this process may use them */
	uint64_t *reach;
	size_t n;
	unsigned denied, cgroup;	/* not reachable; of them by EPERM */
	struct text yes, no;
};

struct mask {
	const char *name, *value;
	enum mask_kind { NUMBERS, UUIDS, SLICES } kind;
	struct entry {
		uint64_t number;
		size_t card;		/* its place in the list of cards, or NOCARD */
		const char *word;	/* up to the comma */
	} *at;
	size_t n;
	int twice;
	char end[TOOL_WORD + 80];	/* what ended the list early */
};

enum reply { UNASKED, ABSENT, ANSWERED, WRONG, SILENT };

struct gate {
	struct wish ask;
	char node[256];
	int in_job, in_step, unclear, dev_known, vendor;	/* unclear: a promise that cannot be read */
	int inventory_known;	/* the driver's list was read to its end */
	size_t unlisted;	/* device files that are not in it */
	int64_t nodes, promised, masked, reachable, shown;	/* UNKNOWN where nothing says */
	int64_t of_step;	/* this task has a share of the step's devices, which are so many; else UNKNOWN */
	struct promise by[2];
	size_t promises;
	struct sight see[VENDORS];
	struct cards inventory, amd, driver;
	enum reply reply;
	size_t whole, slices;	/* of the driver's list */
	struct mask mask;
	struct text no, dunno;
};

enum { O_MODEL = 256, O_IDLE, O_AT_LEAST, O_NO_DRIVER, O_ROOT, O_JSON };

static const struct option options[] = {
	OPT_COMMON,
	{ "nodes", required_argument, NULL, 'N' },
	{ "memory", required_argument, NULL, 'm' },
	{ "time-limit", required_argument, NULL, 't' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "header", no_argument, NULL, 'H' },
	{ "model", required_argument, NULL, O_MODEL },
	{ "idle", optional_argument, NULL, O_IDLE },
	{ "at-least", no_argument, NULL, O_AT_LEAST },
	{ "no-driver", no_argument, NULL, O_NO_DRIVER },
	{ "root", required_argument, NULL, O_ROOT },
	{ "json", no_argument, NULL, O_JSON },
	{ NULL, 0, NULL, 0 }
};

/* ---- messages */

static void TOOL_PRINTF(3, 0)
text_add(struct text *t, const char *between, const char *fmt, va_list ap)
{
	va_list again;
	int need;

	if (t->s == NULL)
		between = "";
	va_copy(again, ap);
	need = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (need < 0)
		tool_die(TROUBLE, "no memory for a message");
	t->s = tool_realloc(t->s, t->n + strlen(between) + (size_t)need + 1, 1);
	memcpy(t->s + t->n, between, strlen(between));
	t->n += strlen(between);
	vsnprintf(t->s + t->n, (size_t)need + 1, fmt, ap);
	t->n += (size_t)need;
}

static void TOOL_PRINTF(2, 3)
text_list(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_add(t, " ", fmt, ap);
	va_end(ap);
}

static void TOOL_PRINTF(2, 3)
refuse(struct gate *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_add(&g->no, "; ", fmt, ap);
	va_end(ap);
}

static void TOOL_PRINTF(2, 3)
doubt(struct gate *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_add(&g->dunno, "; ", fmt, ap);
	va_end(ap);
}

/* One line of evidence. */
static void TOOL_PRINTF(2, 3)
say(const struct gate *g, const char *fmt, ...)
{
	struct text t = { NULL, 0 };
	va_list ap;

	if (g->ask.quiet)
		return;
	va_start(ap, fmt);
	text_add(&t, "", fmt, ap);
	va_end(ap);
	tool_warn("%s", t.s);
	free(t.s);
}

static const char *
size_text(uint64_t mib, char buf[32])
{
	if (mib < 1024)
		snprintf(buf, 32, "%" PRIu64 "M", mib);
	else
		snprintf(buf, 32, "%" PRIu64 ".%uG", mib / 1024, (unsigned)(mib % 1024 * 10 / 1024));
	return buf;
}

/* ---- files and the environment */

/* The value of a variable; an empty one is as good as none. */
static const char *
env_text(const char *name)
{
	const char *s = getenv(name);

	return s != NULL && *s != '\0' ? s : NULL;
}

/* Its number: 1 and *v, 0 where it is not set, -1 and a doubt where it is none. */
static int
env_number(struct gate *g, const char *name, uint64_t *v)
{
	const char *s = env_text(name);
	char buf[TOOL_WORD];

	if (s == NULL)
		return 0;
	if (num_u64(s, strlen(s), INT32_MAX, v) == NUM_OK)
		return 1;
	doubt(g, "%s=%s is no number (look at env in the job)", name, tool_word(buf, s, strlen(s)));
	return -1;
}

static const char * TOOL_PRINTF(3, 4)
path(const struct gate *g, char buf[PATH_MAX], const char *fmt, ...)
{
	int n = snprintf(buf, PATH_MAX, "%s", g->ask.root);
	va_list ap;

	if (n >= 0 && n < PATH_MAX) {
		va_start(ap, fmt);
		n += vsnprintf(buf + n, (size_t)(PATH_MAX - n), fmt, ap);
		va_end(ap);
	}
	if (n < 0 || n >= PATH_MAX)
		tool_die(BADUSE, "--root: the paths below it are too long");
	return buf;
}

/* A small file as text without its last newline: 0, or -1 and errno. */
static int
slurp(const char *name, char *buf, size_t size)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), why;
	size_t n = 0;
	ssize_t got = 0;

	if (fd == -1)
		return -1;
	while (n + 1 < size && (got = read(fd, buf + n, size - 1 - n)) > 0)
		n += (size_t)got;
	why = errno;
	close(fd);
	errno = why;
	if (got < 0)
		return -1;
	if (n > 0 && buf[n - 1] == '\n')
		n--;
	buf[n] = '\0';
	return 0;
}

static int
by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int
by_word(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Something that is not there, or hidden, is no evidence; a file system that fails is trouble. */
static void
looked(struct gate *g, const char *name)
{
	if (errno != ENOENT && errno != EACCES && errno != ENOTDIR && errno != EPERM)
		doubt(g, "%s: %s (look with ls -l)", name, strerror(errno));
}

/* The numbers n of all names `prefix`n in a directory, ascending: 0, or -1 and errno. The caller frees *list. */
static int
numbers(const char *dir, const char *prefix, uint64_t **list, size_t *n)
{
	size_t len = strlen(prefix);
	struct dirent *e;
	const char *s;
	DIR *d = opendir(dir);
	uint64_t v;
	int why;

	*list = NULL;
	*n = 0;
	if (d == NULL)
		return -1;
	while (errno = 0, (e = readdir(d)) != NULL) {
		s = e->d_name + len;
		if (strncmp(e->d_name, prefix, len) != 0 || (s[0] == '0' && s[1] != '\0') ||
		    num_u64(s, strlen(s), INT32_MAX, &v) != NUM_OK)
			continue;
		*list = tool_realloc(*list, *n + 1, sizeof **list);
		(*list)[(*n)++] = v;
	}
	why = errno;
	closedir(d);
	if (*n > 0)
		qsort(*list, *n, sizeof **list, by_number);
	errno = why;
	return why != 0 ? -1 : 0;
}

static struct card *
card_new(struct cards *list, enum card_kind kind, uint64_t number)
{
	struct card *c;

	list->at = tool_realloc(list->at, list->n + 1, sizeof *list->at);
	c = &list->at[list->n++];
	memset(c, 0, sizeof *c);
	c->kind = kind;
	c->number = number;
	c->total = c->used = UNKNOWN;
	return c;
}

static void
copy_word(char *to, size_t size, const char *s, size_t n)
{
	while (n > 0 && (*s == ' ' || *s == '\t')) {
		s++;
		n--;
	}
	while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t' || s[n - 1] == '\r'))
		n--;
	if (n >= size)
		n = size - 1;
	memcpy(to, s, n);
	to[n] = '\0';
}

/* ---- promised */

static void
promise_add(struct gate *g, const char *name, int is_list)
{
	struct promise *p = &g->by[g->promises];
	char buf[TOOL_WORD], why[ISET_WHY];
	int bad;

	p->name = name;
	p->value = env_text(name);
	memset(&p->list, 0, sizeof p->list);
	if (p->value == NULL)
		return;
	tool_word(buf, p->value, strlen(p->value));
	if (!is_list)
		bad = env_number(g, name, &p->n) != 1;
	else if ((bad = iset_parse(&p->list, p->value, WIDEST, why)) != 0)
		doubt(g, "%s=%s is no list of devices: %s (look at env in the job)", name, buf, why);
	if (bad) {
		say(g, "promised: unclear (%s=%s)", name, buf);
		g->unclear = 1;
		return;
	}
	if (is_list)
		p->n = iset_count(&p->list);
	g->promises++;
}

/* SLURM_GPUS_ON_NODE of a step counts the devices of all its tasks here. A SLURM_STEP_GPUS that names fewer is what this
 * task was given of them (--gpus-per-task, --gpu-bind), and the only promise. */
static void
promised_share(struct gate *g)
{
	const struct promise *all = &g->by[0], *own = &g->by[1];
	char buf[TOOL_WORD], word[TOOL_WORD];
	uint64_t words = 1;
	const char *s;

	if (g->promises < 2 || strcmp(own->name, "SLURM_STEP_GPUS") != 0 || own->n >= all->n)
		return;
	for (s = own->value; *s != '\0'; s++)
		words += *s == ',';
	if (own->n < words)
		return;		/* one number twice: slices of one card, as some versions name them */
	say(g, "promised: %" PRIu64 " (%s=%s, this task's own; %s=%s are all of the step's here)", own->n, own->name,
	    tool_word(buf, own->value, strlen(own->value)), all->name, tool_word(word, all->value, strlen(all->value)));
	g->of_step = (int64_t)all->n;
	g->by[0] = *own;
	g->promises = 1;
}

static void
requested_say(const struct gate *g)
{
	static const char *const name[] = { "SLURM_GPUS", "SLURM_GPUS_PER_NODE" };
	char buf[TOOL_WORD];
	const char *s;
	size_t i;

	for (i = 0; i < sizeof name / sizeof name[0]; i++)
		if ((s = env_text(name[i])) != NULL)
			say(g, "requested: %s (%s, the request as typed: no promise)", tool_word(buf, s, strlen(s)), name[i]);
}

/* A step's count and list are its own; SLURM_JOB_GPUS in a step is the batch script's, of another node maybe. A list of a
 * step's without a step's id is of a step whose id was lost: a batch script that inherited the one has the other too. */
static void
promised_read(struct gate *g)
{
	const char *step = env_text("SLURM_STEP_ID");
	char buf[TOOL_WORD];
	uint64_t id;
	size_t i;

	if (step == NULL)
		step = env_text("SLURM_STEPID");
	g->in_job = env_text("SLURM_JOB_ID") != NULL || env_text("SLURM_JOBID") != NULL;
	g->in_step = step != NULL &&
	    (num_u64(step, strlen(step), UINT32_MAX, &id) != NUM_OK || id < SPECIAL_STEPS);
	promise_add(g, "SLURM_GPUS_ON_NODE", 0);
	if (g->in_step || env_text("SLURM_JOB_GPUS") == NULL || (step == NULL && env_text("SLURM_STEP_GPUS") != NULL))
		promise_add(g, "SLURM_STEP_GPUS", 1);
	else
		promise_add(g, "SLURM_JOB_GPUS", 1);
	promised_share(g);
	for (i = 0; i < g->promises && g->of_step == UNKNOWN; i++)
		say(g, "promised: %" PRIu64 " (%s=%s)", g->by[i].n, g->by[i].name,
		    tool_word(buf, g->by[i].value, strlen(g->by[i].value)));
	if (g->promises > 0)
		g->promised = (int64_t)g->by[0].n;
	if (g->promised == UNKNOWN && !g->unclear) {
		say(g, "promised: nothing (%s)", g->in_job ? "a job, but no SLURM_GPUS_ON_NODE, SLURM_JOB_GPUS or "
		    "SLURM_STEP_GPUS of its own" : "not in a job");
		requested_say(g);
	}
}

/* Nodes of a heterogeneous job: the sum over its components, or UNKNOWN where it is none. */
static int64_t
nodes_het(struct gate *g)
{
	static const char *const kind[] = { "HET", "PACK" };
	uint64_t n, size = 0;
	int64_t sum = 0, i;
	char name[64];
	size_t k;

	for (k = 0; k < 2; k++) {
		snprintf(name, sizeof name, "SLURM_%s_SIZE", kind[k]);
		if (env_number(g, name, &size) != 1 || size < 2)
			continue;
		for (i = 0; i < (int64_t)size; i++) {
			snprintf(name, sizeof name, "SLURM_JOB_NUM_NODES_%s_GROUP_%d", kind[k], (int)i);
			if (env_number(g, name, &n) != 1) {
				doubt(g, "a heterogeneous job of %" PRIu64 " components, but no %s (look at env in the job)",
				    size, name);
				return UNKNOWN;
			}
			sum += (int64_t)n;
		}
		say(g, "nodes: %" PRId64 " (SLURM_JOB_NUM_NODES_%s_GROUP_0 to %d)", sum, kind[k], (int)size - 1);
		return sum;
	}
	return 0;
}

static void
nodes_check(struct gate *g)
{
	const char *name = "SLURM_JOB_NUM_NODES";
	uint64_t n;
	int got;

	g->nodes = nodes_het(g);
	if (g->nodes == UNKNOWN)
		return;
	if (g->nodes == 0) {
		g->nodes = UNKNOWN;
		got = env_number(g, name, &n);
		if (got == 0 && !g->in_job)
			return;
		if (got == 0 && !g->in_step)
			got = env_number(g, name = "SLURM_NNODES", &n);
		if (got == 0)
			doubt(g, "in a job without SLURM_JOB_NUM_NODES (look at env in the job)");
		if (got != 1)
			return;
		g->nodes = (int64_t)n;
		say(g, "nodes: %" PRIu64 " (%s)", n, name);
	} else
		name = "a heterogeneous job";
	if ((uint64_t)g->nodes != g->ask.nodes)
		refuse(g, "the job has %" PRId64 " nodes, asked %" PRIu64 " (%s): gate each node with srun "
		    "--ntasks-per-node=1 gate-gpus -N %" PRId64 " %" PRIu64, g->nodes, g->ask.nodes, name, g->nodes,
		    g->ask.width);
}

/* ---- reachable */

static void
sight_reach(struct sight *s, uint64_t number, const char *name)
{
	s->reach = tool_realloc(s->reach, s->n + 1, sizeof *s->reach);
	s->reach[s->n++] = number;
	text_list(&s->yes, "%s", name);
}

static void
sight_deny(struct sight *s, int why, const char *name)
{
	s->denied++;
	s->cgroup += why == EPERM;
	text_list(&s->no, "%s", name);
}

/* May this process use the device file? Counts it in s; 1 when it may. */
static int
sight_ask(struct gate *g, struct sight *s, const char *file, uint64_t number)
{
	const char *base = strrchr(file, '/') + 1;
	struct stat st;

	if (stat(file, &st) != 0) {
		if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)
			return 0;	/* a link that leads nowhere is no device */
	} else if (!S_ISCHR(st.st_mode) && !(g->ask.root[0] != '\0' && S_ISREG(st.st_mode)))
		return 0;
	else if (access(file, R_OK | W_OK) == 0) {
		sight_reach(s, number, base);
		return 1;
	}
	if (errno != EPERM && errno != EACCES && errno != EROFS)
		doubt(g, "%s: %s (look with ls -l)", file, strerror(errno));
	sight_deny(s, errno, base);
	return 0;
}

static void
inventory_read(struct gate *g)
{
	char dir[PATH_MAX], file[PATH_MAX], text[4096], **name = NULL, *line, *end, *colon;
	struct dirent *e;
	struct card *c;
	size_t n = 0, i, k;
	DIR *d = opendir(path(g, dir, "/proc/driver/nvidia/gpus"));

	if (d == NULL)
		return;
	while (errno = 0, (e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		name = tool_realloc(name, n + 1, sizeof *name);
		name[n++] = tool_copy(e->d_name, strlen(e->d_name));
	}
	g->inventory_known = errno == 0;
	if (!g->inventory_known)
		looked(g, dir);
	closedir(d);
	if (n > 0)
		qsort(name, n, sizeof *name, by_word);
	for (i = 0; g->inventory_known && i < n; i++) {
		c = card_new(&g->inventory, WHOLE, UINT64_MAX);
		if (slurp(path(g, file, "/proc/driver/nvidia/gpus/%s/information", name[i]), text, sizeof text) != 0)
			text[0] = '\0';
		for (line = text; *line != '\0'; line = *end == '\0' ? end : end + 1) {
			end = line + strcspn(line, "\n");
			colon = memchr(line, ':', (size_t)(end - line));
			if (colon == NULL)
				continue;
			k = (size_t)(end - colon - 1);
			if (strncmp(line, "GPU UUID", 8) == 0)
				copy_word(c->uuid, sizeof c->uuid, colon + 1, k);
			else if (strncmp(line, "Device Minor", 12) == 0) {
				copy_word(c->odd, sizeof c->odd, colon + 1, k);
				if (num_u64(c->odd, strlen(c->odd), INT32_MAX, &c->number) != NUM_OK)
					c->number = UINT64_MAX;
			}
		}
	}
	while (n > 0)
		free(name[--n]);
	free(name);
	if (!g->inventory_known)
		return;
	say(g, "inventory: %zu on the whole node (%s)", g->inventory.n, dir);
}

/* 1 unless the driver's own list, whole and readable, does not have the device: a file left by a card that is gone. An
 * empty list has none; one that is not there, or hidden, says nothing. */
static int
inventory_has(const struct gate *g, uint64_t minor)
{
	size_t i;

	for (i = 0; i < g->inventory.n; i++)
		if (g->inventory.at[i].number == minor || g->inventory.at[i].number == UINT64_MAX)
			return 1;
	return !g->inventory_known;
}

/* Leaves in the inventory what this process may use. */
static void
inventory_keep(struct gate *g)
{
	const struct sight *s = &g->see[NVIDIA];
	size_t i, k, kept = 0;

	for (i = 0; i < g->inventory.n; i++) {
		for (k = 0; k < s->n && s->reach[k] != g->inventory.at[i].number; k++)
			;
		if (k < s->n || g->inventory.at[i].number == UINT64_MAX || !g->dev_known)
			g->inventory.at[kept++] = g->inventory.at[i];
	}
	g->inventory.n = kept;
}

static void
nvidia_look(struct gate *g)
{
	char dir[PATH_MAX], file[PATH_MAX];
	struct stat st, *seen;
	uint64_t *list;
	size_t n, i, k;

	g->dev_known = numbers(path(g, dir, "/dev"), "nvidia", &list, &n) == 0;
	if (!g->dev_known)
		looked(g, dir);
	seen = tool_realloc(NULL, n + 1, sizeof *seen);
	for (i = 0; i < n; i++) {
		path(g, file, "/dev/nvidia%" PRIu64, list[i]);
		memset(&seen[i], 0, sizeof seen[i]);
		if (stat(file, &st) == 0)
			seen[i] = st;
		for (k = 0; k < i && (seen[i].st_ino == 0 || seen[k].st_ino != seen[i].st_ino ||
		    seen[k].st_dev != seen[i].st_dev); k++)
			;
		if (k < i)
			say(g, "reachable: %s is nvidia%" PRIu64 " again: counted once", file, list[k]);
		else if (!inventory_has(g, list[i])) {
			say(g, "reachable: %s: the driver has no such device: not counted", file);
			g->unlisted++;
		} else
			sight_ask(g, &g->see[NVIDIA], file, list[i]);
	}
	free(seen);
	free(list);
	inventory_keep(g);
}

/* The number behind `key ` in a file of such lines. */
static int
property(const char *text, const char *key, uint64_t *v)
{
	size_t len = strlen(key);

	for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n')
		if (strncmp(text, key, len) == 0 && text[len] == ' ')
			return num_u64(text + len + 1, strspn(text + len + 1, "0123456789"), UINT64_MAX, v) == NUM_OK;
	return 0;
}

static int64_t
sys_mib(const struct gate *g, uint64_t render, const char *what)
{
	char file[PATH_MAX], text[64];
	uint64_t v;

	if (slurp(path(g, file, "/sys/class/drm/renderD%" PRIu64 "/device/%s", render, what), text, sizeof text) != 0 ||
	    num_u64(text, strlen(text), INT64_MAX, &v) != NUM_OK)
		return UNKNOWN;
	return (int64_t)(v >> 20);
}

static void
amd_node(struct gate *g, uint64_t node, int kfd)
{
	char file[PATH_MAX], text[8192], name[40];
	struct sight *s = &g->see[AMD];
	uint64_t id, render = 0, uuid;
	struct card *c;

	snprintf(name, sizeof name, "kfd-node%" PRIu64, node);
	if (slurp(path(g, file, "/sys/class/kfd/kfd/topology/nodes/%" PRIu64 "/gpu_id", node), text, sizeof text) != 0) {
		if (errno == EPERM || errno == EACCES)	/* the kernel hides the ids of what the device cgroup denies */
			sight_deny(s, errno, name);
		return;
	}
	if (num_u64(text, strlen(text), UINT64_MAX, &id) != NUM_OK || id == 0)
		return;		/* a CPU */
	if (slurp(path(g, file, "/sys/class/kfd/kfd/topology/nodes/%" PRIu64 "/properties", node), text, sizeof text) != 0)
		text[0] = '\0';
	property(text, "drm_render_minor", &render);
	if (kfd != 0) {
		sight_deny(s, kfd, name);
		return;
	}
	if (render == 0)
		sight_reach(s, node, name);
	else if (!sight_ask(g, s, path(g, file, "/dev/dri/renderD%" PRIu64, render), render))
		return;
	c = card_new(&g->amd, WHOLE, s->n - 1);
	if (property(text, "unique_id", &uuid) && uuid != 0)
		snprintf(c->uuid, sizeof c->uuid, "GPU-%016" PRIx64, uuid);
	c->total = sys_mib(g, render, "mem_info_vram_total");
	c->used = sys_mib(g, render, "mem_info_vram_used");
	if (slurp(path(g, file, "/sys/class/drm/renderD%" PRIu64 "/device/product_name", render), text, sizeof text) == 0)
		copy_word(c->name, sizeof c->name, text, strcspn(text, "\n"));
}

static void
amd_look(struct gate *g)
{
	char dir[PATH_MAX], file[PATH_MAX];
	uint64_t *list;
	size_t n, i;
	int kfd = 0;

	if (numbers(path(g, dir, "/sys/class/kfd/kfd/topology/nodes"), "", &list, &n) != 0)
		looked(g, dir);
	if (access(path(g, file, "/dev/kfd"), R_OK | W_OK) != 0 && !(errno == ENOENT && g->ask.root[0] != '\0'))
		kfd = errno;
	for (i = 0; i < n; i++)
		amd_node(g, list[i], kfd);
	free(list);
}

/* Render nodes by their PCI vendor: Intel's cards are counted, an Intel CPU's own display is not, nor are others'. */
static void
render_look(struct gate *g)
{
	char dir[PATH_MAX], file[PATH_MAX], text[PATH_MAX];
	int amd = env_text("ROCR_VISIBLE_DEVICES") != NULL || env_text("HIP_VISIBLE_DEVICES") != NULL;
	int intel = env_text("ZE_AFFINITY_MASK") != NULL;
	int nvidia = g->see[NVIDIA].n + g->see[NVIDIA].denied > 0;
	int kfd = g->see[AMD].n + g->see[AMD].denied > 0;
	uint64_t *list;
	size_t n, i;
	ssize_t got;

	if (numbers(path(g, dir, "/dev/dri"), "renderD", &list, &n) != 0)
		looked(g, dir);
	for (i = 0; i < n; i++) {
		if (slurp(path(g, file, "/sys/class/drm/renderD%" PRIu64 "/device/vendor", list[i]), text,
		    sizeof text) != 0) {
			/* whose it is nobody says: a mask of that kind is the only reason to count it */
			if (!nvidia && !kfd && (amd || intel))
				sight_ask(g, &g->see[amd ? AMD : INTEL], path(g, file, "/dev/dri/renderD%" PRIu64, list[i]),
				    list[i]);
			continue;
		}
		if (strcmp(text, "0x8086") != 0)
			continue;
		got = readlink(path(g, file, "/sys/class/drm/renderD%" PRIu64 "/device", list[i]), text, sizeof text - 1);
		text[got > 0 ? got : 0] = '\0';
		if (got < 12 || strcmp(text + got - 12, "0000:00:02.0") != 0)
			sight_ask(g, &g->see[INTEL], path(g, file, "/dev/dri/renderD%" PRIu64, list[i]), list[i]);
	}
	free(list);
}

/* Whose devices the job is about: of those that are reachable one that is masked, else NVIDIA first; where none is
 * reachable, whose are there and denied; at last what the masks speak of. */
static int
vendor_choose(const struct gate *g)
{
	int masked[VENDORS], v;

	masked[NVIDIA] = getenv("CUDA_VISIBLE_DEVICES") != NULL;
	masked[AMD] = getenv("ROCR_VISIBLE_DEVICES") != NULL || getenv("HIP_VISIBLE_DEVICES") != NULL;
	masked[INTEL] = getenv("ZE_AFFINITY_MASK") != NULL;
	for (v = 0; v < VENDORS; v++)
		if (g->see[v].n > 0 && masked[v])
			return v;
	for (v = 0; v < VENDORS; v++)
		if (g->see[v].n > 0)
			return v;
	for (v = 0; v < VENDORS; v++)
		if (g->see[v].denied > 0)
			return v;
	for (v = 0; v < VENDORS; v++)
		if (masked[v])
			return v;
	return NVIDIA;
}

/* What a refusal of the kernel says: EPERM is the device cgroup's, EACCES comes from the modes. */
static const char *
sight_why(const struct sight *s)
{
	if (s->cgroup == s->denied)
		return "by the device cgroup";
	return s->cgroup == 0 ? "by file modes" : "by the device cgroup or file modes";
}

static void
reachable_say(struct gate *g)
{
	const struct sight *s;
	int v;

	for (v = 0; v < VENDORS; v++) {
		s = &g->see[v];
		if (s->n + s->denied == 0)
			continue;
		say(g, "reachable: %zu %s (%s/dev: %s%s%s%s%s)%s", s->n, vendor_name[v], g->ask.root,
		    s->n > 0 ? s->yes.s : "none", s->denied > 0 ? "; denied " : "", s->denied > 0 ? sight_why(s) : "",
		    s->denied > 0 ? ": " : "", s->denied > 0 ? s->no.s : "",
		    v != g->vendor ? ": not counted, others come first" : "");
	}
	s = &g->see[g->vendor];
	if (s->n + s->denied == 0 && g->dev_known)
		say(g, "reachable: 0 (%s/dev has no GPU)", g->ask.root);
	else if (s->n + s->denied == 0)
		say(g, "reachable: unknown (%s/dev cannot be read)", g->ask.root);
}

static void
reachable_read(struct gate *g)
{
	inventory_read(g);
	nvidia_look(g);
	amd_look(g);
	render_look(g);
	g->vendor = vendor_choose(g);
	if (g->dev_known || g->see[g->vendor].n + g->see[g->vendor].denied > 0)
		g->reachable = (int64_t)g->see[g->vendor].n;
	reachable_say(g);
}

/* ---- driver */

/* MiB of a MIG profile: its name has them as `1g.18gb`, `1c.2g.20gb`, `1g.10gb+me`. */
static int64_t
slice_size(const char *s, size_t n)
{
	size_t i, digits;
	uint64_t gb;

	for (i = 1; i + 2 <= n; i++) {
		for (digits = 0; digits < i && isdigit((unsigned char)s[i - digits - 1]); digits++)
			;
		if (s[i] == 'g' && s[i + 1] == 'b' && num_u64(s + i - digits, digits, 1u << 20, &gb) == NUM_OK)
			return (int64_t)gb * 1024;
	}
	return UNKNOWN;
}

/* `GPU 0: NAME (UUID: GPU-...)`, or below one `  MIG 1g.18gb  Device  0: (UUID: MIG-...)`: 1 when it was either. */
static int
driver_line(struct cards *list, const char *s, size_t n)
{
	const char *start, *uuid = NULL;
	size_t digits, i;
	struct card *c;
	uint64_t number;

	while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t' || s[n - 1] == '\r'))
		n--;
	for (i = 0; i + 7 < n; i++)
		if (memcmp(s + i, "(UUID: ", 7) == 0)
			uuid = s + i;
	if (uuid == NULL || s[n - 1] != ')' || memchr(s, '\0', n) != NULL)
		return 0;
	start = s + strspn(s, " \t") + 4;
	if (strncmp(s, "GPU ", 4) == 0 && strncmp(uuid + 7, "GPU-", 4) == 0) {
		digits = strspn(start, "0123456789");
		if (num_u64(start, digits, INT32_MAX, &number) != NUM_OK || strncmp(start + digits, ": ", 2) != 0)
			return 0;
		c = card_new(list, WHOLE, number);
		copy_word(c->name, sizeof c->name, start + digits + 1, (size_t)(uuid - start) - digits - 1);
	} else if (start > s + 4 && strncmp(start - 4, "MIG ", 4) == 0 && strncmp(uuid + 7, "MIG-", 4) == 0 && list->n > 0) {
		c = card_new(list, SLICE, 0);
		c->parent = list->n - 2;
		if (list->at[c->parent].kind == SLICE)
			c->parent = list->at[c->parent].parent;
		list->at[c->parent].kind = PARENT;
		memcpy(c->name, list->at[c->parent].name, sizeof c->name);
		c->total = slice_size(start, (size_t)(uuid - start));
	} else
		return 0;
	copy_word(c->uuid, sizeof c->uuid, uuid + 7, (size_t)(s + n - uuid) - 8);
	for (i = 0; i + 1 < list->n; i++)
		if (strcmp(list->at[i].uuid, c->uuid) == 0) {
			list->n--;	/* the same one twice */
			break;
		}
	return 1;
}

/* `0, GPU-..., 81559, 4, NAME`: sizes into the card of that uuid. 1 when it was such a line. */
static int
driver_sizes(struct cards *list, const char *s, size_t n)
{
	const char *field[5], *comma;
	size_t len[5], i, k;
	struct card *c = NULL;
	char word[80];
	uint64_t v;

	for (i = 0; i < 5; i++) {
		field[i] = s;
		comma = i < 4 ? memchr(s, ',', n) : NULL;
		if (i < 4 && comma == NULL)
			return 0;
		len[i] = comma != NULL ? (size_t)(comma - s) : n;
		n -= len[i] + (comma != NULL);
		s += len[i] + (comma != NULL);
	}
	copy_word(word, sizeof word, field[1], len[1]);
	for (k = 0; k < list->n; k++)
		if (strcmp(list->at[k].uuid, word) == 0)
			c = &list->at[k];
	for (i = 2; c != NULL && i < 4; i++) {
		copy_word(word, sizeof word, field[i], len[i]);
		if (num_u64(word, strlen(word), INT32_MAX, &v) == NUM_OK)
			*(i == 2 ? &c->total : &c->used) = (int64_t)v;
		else
			copy_word(c->odd, sizeof c->odd, word, strlen(word));
	}
	return c != NULL;
}

/* The next line at *s, which goes on behind it, its length in *n; NULL at the end. */
static const char *
next_line(const char **s, const char *end, size_t *n)
{
	const char *line = *s, *eol;

	if (line >= end)
		return NULL;
	eol = memchr(line, '\n', (size_t)(end - line));
	*n = (size_t)((eol != NULL ? eol : end) - line);
	*s = line + *n + 1;
	return line;
}

/* Hands the lines of nvidia-smi's output to `take`. The first that it does not know goes to *odd; a NULL is none. */
static void
driver_lines(struct cards *list, const struct child *c, int (*take)(struct cards *, const char *, size_t),
    const char **odd, size_t *nodd)
{
	static const char none[] = "No devices were found";
	const char *rest = c->out, *s;
	size_t n;

	*odd = NULL;
	while ((s = next_line(&rest, c->out + c->nout, &n)) != NULL) {
		if (strspn(s, " \t\r") >= n || take(list, s, n) || *odd != NULL ||
		    (n >= sizeof none - 1 && memcmp(s, none, sizeof none - 1) == 0 && n < sizeof none + 2))
			continue;
		*odd = s;
		*nodd = n;
	}
}

/* Whether the word, in lower case, stands in the line, in any case. */
static int
line_has(const char *s, size_t n, const char *word)
{
	size_t len = strlen(word), i;

	for (; n >= len; s++, n--) {
		for (i = 0; i < len && tolower((unsigned char)s[i]) == word[i]; i++)
			;
		if (i == len)
			return 1;
	}
	return 0;
}

/* The first line on stderr that says, in NVML's words, that a GPU or all of them cannot be had; NULL where none does. What
 * else stands there, as warnings of ld.so, is about no GPU. */
static const char *
driver_lost(const struct child *c, size_t *n)
{
	static const char *const word[] = { "unable to determine the device handle", "gpu is lost", "fallen off the bus",
	    "gpu requires reset", "failed to initialize nvml", "driver/library version mismatch",
	    "couldn't communicate with the nvidia driver" };
	const char *rest = c->err, *s;
	size_t i;

	while ((s = next_line(&rest, c->err + c->nerr, n)) != NULL)
		for (i = 0; i < sizeof word / sizeof word[0]; i++)
			if (line_has(s, *n, word[i]))
				return s;
	return NULL;
}

/* What went wrong with a run of nvidia-smi that ended: its error line, else its status. 0 when nothing did. */
static int
driver_wrong(struct gate *g, const struct child *c, const char *what, const char *odd, size_t nodd)
{
	char buf[TOOL_WORD];
	int none;

	if (odd == NULL)
		odd = driver_lost(c, &nodd);
	none = odd == NULL && c->nout > 0 && g->driver.n == 0;	/* `No devices were found` comes with 0, 6 or 9 */
	if (odd == NULL && (none || WEXITSTATUS(c->status) == 0)) {
		if (strcspn(c->err, "\n") > 0)
			say(g, "driver: %s says %s", what, tool_word(buf, c->err, strcspn(c->err, "\n")));
		return 0;
	}
	if (odd == NULL && c->nerr > 0) {
		odd = c->err;
		nodd = strcspn(odd, "\n");
	}
	/* more than tool_word takes: the bus id stands at the end */
	if (nodd > 400)
		nodd = 400;
	say(g, "driver: error (%s, status %d: %.*s)", what, WEXITSTATUS(c->status), odd == NULL ? 7 : (int)nodd,
	    odd == NULL ? "no word" : odd);
	if (g->ask.width == 0)
		return 1;	/* no driver is no device */
	if (odd == NULL)
		refuse(g, "the driver fails (%s ended with %d)", what, WEXITSTATUS(c->status));
	else
		refuse(g, "the driver reports an error (%s, status %d: %.*s)", what, WEXITSTATUS(c->status), (int)nodd, odd);
	return 1;
}

/* Runs nvidia-smi and reads its lines. */
static enum reply
driver_run(struct gate *g, char *const argv[], const char *what, int64_t deadline,
    int (*take)(struct cards *, const char *, size_t))
{
	int64_t left = deadline - child_now();
	enum reply reply = SILENT;
	struct child c;
	const char *odd;
	size_t nodd = 0;

	child_run(&c, argv, left > 0 ? left : 0, OUTPUT_MAX);
	if (c.end == CHILD_ABSENT || (c.end == CHILD_FAILED && c.error == EACCES)) {
		say(g, "driver: not asked (nvidia-smi: %s)", c.end == CHILD_ABSENT ? "not on PATH" : strerror(c.error));
		reply = ABSENT;
	} else if (c.end == CHILD_FAILED) {
		say(g, "driver: no answer (%s: %s)", what, strerror(c.error));
		doubt(g, "nvidia-smi could not be run: %s (try it by hand)", strerror(c.error));
	} else if (c.end == CHILD_LATE || c.end == CHILD_STUCK) {
		say(g, "driver: no answer (%s: hung, %s)", what, c.end == CHILD_LATE ? "killed" : "cannot be killed: left alone");
		doubt(g, "the driver gave no answer within %s (%s; look for Xid in dmesg, or give it longer with -t)",
		    g->ask.limit_word, what);
	} else if (WIFSIGNALED(c.status)) {
		say(g, "driver: no answer (%s: killed by signal %d)", what, WTERMSIG(c.status));
		doubt(g, "%s was killed by signal %d (try it by hand)", what, WTERMSIG(c.status));
	} else if (c.cut) {
		say(g, "driver: no answer (%s: more than %d bytes)", what, OUTPUT_MAX);
		doubt(g, "%s printed more than %d bytes (try it by hand)", what, OUTPUT_MAX);
	} else {
		driver_lines(&g->driver, &c, take, &odd, &nodd);
		reply = driver_wrong(g, &c, what, odd, nodd) ? WRONG : ANSWERED;
	}
	child_free(&c);
	return reply;
}

static int
driver_needed(const struct gate *g)
{
	if (g->ask.width > 0)
		return 1;
	return g->in_job && g->reachable == UNKNOWN;
}

static void
driver_read(struct gate *g)
{
	static char smi[] = "nvidia-smi", list[] = "-L", format[] = "--format=csv,noheader,nounits";
	static char query[] = "--query-gpu=index,uuid,memory.total,memory.used,name";
	char *const ask_list[] = { smi, list, NULL }, *const ask_sizes[] = { smi, query, format, NULL };
	int64_t deadline = child_now() + g->ask.limit;
	size_t i;

	g->reply = UNASKED;
	if (g->vendor != NVIDIA || !driver_needed(g))
		return;
	if (g->ask.no_driver) {
		say(g, "driver: not asked (--no-driver)");
		return;
	}
	g->reply = driver_run(g, ask_list, "nvidia-smi -L", deadline, driver_line);
	if (g->reply != ANSWERED)
		return;
	for (i = 0; i < g->driver.n; i++) {
		g->whole += g->driver.at[i].kind == WHOLE;
		g->slices += g->driver.at[i].kind == SLICE;
	}
	g->driver.slices = 1;
	g->shown = (int64_t)(g->whole + (g->ask.width > 1 ? 0 : g->slices));
	if (g->slices > 0)
		say(g, "driver: %zu and %zu MIG slices (nvidia-smi -L)", g->whole, g->slices);
	else
		say(g, "driver: %zu (nvidia-smi -L)", g->whole);
	if (g->ask.width > 0 && (g->ask.memory > 0 || g->ask.check_idle))
		g->reply = driver_run(g, ask_sizes, "nvidia-smi --query-gpu", deadline, driver_sizes);
}

/* ---- masked */

/* The card that a uuid, perhaps shortened, means: its place, NOCARD where no or more than one has it. */
static size_t
mask_find(const struct cards *list, const char *s, size_t n, int slice, int any_case)
{
	size_t i, k, found = NOCARD;

	for (i = 0; i < list->n; i++) {
		if ((list->at[i].kind == SLICE) != slice)
			continue;
		for (k = 0; k < n && list->at[i].uuid[k] != '\0'; k++)
			if (s[k] != list->at[i].uuid[k] &&
			    !(any_case && toupper((unsigned char)s[k]) == toupper((unsigned char)list->at[i].uuid[k])))
				break;
		if (k < n)
			continue;
		if (found != NOCARD)
			return NOCARD;
		found = i;
	}
	return found;
}

/* Whether the list tells all uuids, so that one that is not in it does not exist. */
static int
mask_sure(const struct cards *list, int slice)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		if (list->at[i].uuid[0] == '\0' || strchr(list->at[i].uuid, '?') != NULL)
			return 0;
	return list->n > 0 && (!slice || list->slices);
}

/* `MIG-GPU-uuid/gi/ci`, as drivers before 470 wrote it: whether its parent is there. */
static int
mask_old_slice(const struct cards *list, const char *s, size_t n)
{
	const char *slash = memchr(s, '/', n);

	return n > 8 && memcmp(s, "MIG-GPU-", 8) == 0 && slash != NULL &&
	    mask_find(list, s + 4, (size_t)(slash - s) - 4, 0, 0) != NOCARD;
}

/* Whether entry i names the same device as an earlier one. Of two uuids that are not known, one of which begins the
 * other, nobody can say that they differ. */
static int
mask_again(const struct mask *m, size_t i)
{
	size_t k, a = strcspn(m->at[i].word, ", "), b;

	for (k = 0; k < i; k++) {
		b = strcspn(m->at[k].word, ", ");
		if (m->kind == NUMBERS ? m->at[k].number == m->at[i].number :
		    m->at[i].card != NOCARD && m->at[k].card != NOCARD ? m->at[i].card == m->at[k].card :
		    strncmp(m->at[k].word, m->at[i].word, a < b ? a : b) == 0)
			return 1;
	}
	return 0;
}

/* Whether entry i is one more tile (`0.1`) of a card that is counted. */
static int
mask_tile(const struct mask *m, size_t i)
{
	size_t k, n = strcspn(m->at[i].word, ", ");

	for (k = 0; k < i; k++)
		if (m->at[k].number == m->at[i].number)
			return strcspn(m->at[k].word, ", ") != n || strncmp(m->at[k].word, m->at[i].word, n) != 0;
	return 0;
}

/* Whether what follows an Intel card's number are tiles and engines of it: nothing, `.1`, `.1.0`. */
static int
mask_parts(const char *s, size_t n)
{
	size_t digits;

	for (; n > 0; s += digits + 1, n -= digits + 1) {
		digits = strspn(s + 1, "0123456789");
		if (*s != '.' || digits == 0)
			return 0;
	}
	return 1;
}

/* One entry, as the vendor's runtime reads it. 1 when it is a device; else why it is none is in m->end. */
static int
mask_entry(struct mask *m, const char *s, size_t n, int vendor, int64_t pool, const struct cards *list)
{
	size_t digits = strspn(s, "0123456789"), card = NOCARD;
	enum mask_kind kind = NUMBERS;
	int is_amd = vendor == AMD;
	char buf[TOOL_WORD];
	uint64_t v = 0;

	tool_word(buf, s, n);
	if (n > 4 && (memcmp(s, "GPU-", 4) == 0 || (is_amd && strncmp(s, "gpu-", 4) == 0)) && vendor != INTEL)
		kind = UUIDS;
	else if (n > 4 && memcmp(s, "MIG-", 4) == 0 && vendor == NVIDIA)
		kind = SLICES;
	else if (num_u64(s, digits, INT32_MAX, &v) != NUM_OK || (is_amd && digits != n) ||
	    (vendor == INTEL && !mask_parts(s + digits, n - digits))) {
		snprintf(m->end, sizeof m->end, "%s is no device and ends the list", buf);
		return 0;
	}
	if (m->n > 0 && kind != m->kind) {
		snprintf(m->end, sizeof m->end, "%s is of another kind and ends the list", buf);
		return 0;
	}
	if (kind == NUMBERS && pool != UNKNOWN && v >= (uint64_t)pool) {
		snprintf(m->end, sizeof m->end, "%s: of %" PRId64 " there is no such number, which ends the list", buf, pool);
		return 0;
	}
	if (kind == NUMBERS) {
		for (card = 0; card < list->n && (list->at[card].kind == SLICE || list->at[card].number != v); card++)
			;
		if (card == list->n)
			card = NOCARD;
	} else {
		card = mask_find(list, s, n, kind == SLICES, is_amd);
		if (card == NOCARD && mask_sure(list, kind == SLICES) && !mask_old_slice(list, s, n)) {
			snprintf(m->end, sizeof m->end, "%s: no device, or more than one, has this UUID, which ends the list", buf);
			return 0;
		}
	}
	m->kind = kind;
	m->at = tool_realloc(m->at, m->n + 1, sizeof *m->at);
	m->at[m->n].number = v;
	m->at[m->n].card = card;
	m->at[m->n++].word = s;
	return 1;
}

/* Reads a mask variable. `pool` is how many devices it chooses from. */
static void
mask_read(struct mask *m, const char *name, int vendor, int64_t pool, const struct cards *list)
{
	const char *s;
	size_t n, i;

	memset(m, 0, sizeof *m);
	m->name = name;
	m->value = s = getenv(name);
	if (s == NULL)
		return;
	while (m->n < WIDEST) {
		s += strspn(s, " \t");
		n = strcspn(s, ",");
		for (i = n; i > 0 && (s[i - 1] == ' ' || s[i - 1] == '\t'); i--)
			;
		if (i == 0 && m->n == 0 && s[n] == '\0')
			break;	/* an empty mask hides all */
		if (!mask_entry(m, s, i, vendor, pool, list))
			break;
		if (vendor == INTEL && mask_tile(m, m->n - 1))
			m->n--;
		else
			m->twice |= mask_again(m, m->n - 1);
		if (s[n] == '\0')
			break;
		s += n + 1;
	}
}

static void
mask_say(const struct gate *g, const struct mask *m)
{
	char buf[TOOL_WORD];

	if (m->value == NULL)
		say(g, "masked: no mask (%s is not set)", m->name);
	else
		say(g, "masked: %zu%s (%s=%s%s%s%s)", m->n, m->kind == SLICES ? " MIG slices" : "", m->name,
		    tool_word(buf, m->value, strlen(m->value)), m->end[0] != '\0' ? ": " : "", m->end,
		    m->twice ? ": one device twice, which is an error" : "");
}

/* HIP's list ends at a UUID that ROCR did not leave; one that no card tells is not known to be another. */
static void
mask_within(struct mask *hip, const struct mask *rocr)
{
	char buf[TOOL_WORD];
	size_t i, k;

	for (i = 0; i < hip->n; i++) {
		for (k = 0; k < rocr->n && hip->at[i].card != NOCARD && rocr->at[k].card != NOCARD &&
		    rocr->at[k].card != hip->at[i].card; k++)
			;
		if (k < rocr->n && i < rocr->n)
			continue;
		snprintf(hip->end, sizeof hip->end, "%s is not in %s, which ends the list", tool_word(buf, hip->at[i].word,
		    strcspn(hip->at[i].word, ", \t")), rocr->name);
		hip->n = i;
	}
}

/* The mask that HIP applies to what ROCR left: the composed one stays in *rocr. */
static void
mask_amd(struct gate *g, struct mask *rocr)
{
	int64_t pool = g->ask.width == 0 ? UNKNOWN : rocr->value != NULL ? (int64_t)rocr->n : g->reachable;
	struct mask hip;
	size_t i;

	mask_read(&hip, env_text("HIP_VISIBLE_DEVICES") != NULL ? "HIP_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES", AMD, pool,
	    &g->amd);
	if (hip.value == NULL || hip.value[0] == '\0')
		return;
	if (hip.kind == UUIDS && rocr->value != NULL)
		mask_within(&hip, rocr);
	mask_say(g, &hip);
	for (i = 0; i < hip.n && hip.kind == NUMBERS && rocr->value != NULL; i++) {
		size_t at = (size_t)hip.at[i].number;

		hip.at[i].card = at < rocr->n ? rocr->at[at].card : NOCARD;
		hip.at[i].number = at < rocr->n ? rocr->at[at].number : UINT64_MAX;
	}
	if (hip.kind == NUMBERS && rocr->value != NULL)
		hip.kind = rocr->kind;
	hip.twice |= rocr->twice;
	free(rocr->at);
	*rocr = hip;
}

static void
masked_read(struct gate *g)
{
	static const char *const name[] = { "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK" };
	const struct cards *list = g->vendor == AMD ? &g->amd : g->shown != UNKNOWN ? &g->driver : &g->inventory;
	int64_t pool = g->reachable, boards = 0;
	size_t i;

	for (i = 0; i < g->driver.n; i++)
		boards += g->driver.at[i].kind != SLICE;
	if (g->vendor == NVIDIA && g->shown != UNKNOWN && (pool == UNKNOWN || boards < pool))
		pool = boards;
	mask_read(&g->mask, name[g->vendor], g->vendor, g->ask.width == 0 ? UNKNOWN : pool, list);
	mask_say(g, &g->mask);
	if (g->vendor == AMD)
		mask_amd(g, &g->mask);
	g->masked = g->mask.value != NULL ? (int64_t)g->mask.n : UNKNOWN;
}

/* ---- the verdict */

/* How many devices a program would find. */
static int64_t
visible(const struct gate *g)
{
	int64_t there = g->reachable != UNKNOWN ? g->reachable : g->shown;

	return g->masked != UNKNOWN && there > g->masked ? g->masked : there;
}

static const char *
more(const struct gate *g)
{
	return g->ask.width > 0 ? "; --at-least lets that pass" : "";
}

static void
promised_check(struct gate *g)
{
	char buf[TOOL_WORD];
	size_t i;

	for (i = 0; i < g->promises; i++) {
		const struct promise *p = &g->by[i];

		tool_word(buf, p->value, strlen(p->value));
		if (p->n < g->ask.width)
			refuse(g, "promised %" PRIu64 " (%s=%s)", p->n, p->name, buf);
		else if (p->n > g->ask.width && !g->ask.at_least)
			refuse(g, "promised %" PRIu64 ", more than asked (%s=%s%s)", p->n, p->name, buf, more(g));
	}
	if (!g->in_job || g->promised != UNKNOWN || g->unclear)
		return;
	if (visible(g) > 0)
		refuse(g, "visible, not allocated: %" PRId64 " devices are visible, and Slurm promises this job none", visible(g));
	else if (visible(g) == 0 && g->ask.width > 0)
		refuse(g, "promised none (did sbatch have --gres=gpu:%" PRIu64 "?)", g->ask.width);
	else if (visible(g) == UNKNOWN)
		doubt(g, "nothing is promised in this job, and no devices could be looked for (look at /dev)");
}

/* Whether the mask's number, where that counts what the step may reach, means one of a task's own. The numbers of other
 * makers' files are not Slurm's: there a promised number that is none of a place says that the places are others. */
static int
masked_within(const struct gate *g, const struct promise *p, uint64_t number)
{
	const struct sight *s = &g->see[g->vendor];

	if (g->of_step == UNKNOWN || g->reachable > g->of_step || number >= s->n)
		return 0;
	return g->vendor == NVIDIA ? iset_has(&p->list, s->reach[number]) : p->list.run[p->list.n - 1].last >= s->n;
}

/* Where no device cgroup is at work a mask has the numbers of the promise; others belong to other jobs, or tasks. */
static void
masked_own(struct gate *g)
{
	const struct promise *p = g->promises > 0 ? &g->by[g->promises - 1] : NULL;
	const struct mask *m = &g->mask;
	int places = g->vendor == NVIDIA && g->of_step != UNKNOWN && g->reachable == g->of_step;
	char buf[TOOL_WORD];
	size_t i;

	if (p == NULL || p->list.n == 0 || m->kind != NUMBERS || g->reachable <= g->promised ||
	    g->see[g->vendor].cgroup > 0)
		return;
	for (i = 0; i < m->n; i++)
		/* where the step reaches its own alone, a number is a place among them, and not also a device's */
		if ((places || !iset_has(&p->list, m->at[i].number)) && !masked_within(g, p, m->at[i].number)) {
			refuse(g, "masked: device %" PRIu64 " of %s is not among those promised (%s=%s)", m->at[i].number, m->name,
			    p->name, tool_word(buf, p->value, strlen(p->value)));
			return;
		}
}

static void
masked_check(struct gate *g)
{
	const struct mask *m = &g->mask;
	char buf[TOOL_WORD];
	size_t i;

	if (m->value == NULL)
		return;
	tool_word(buf, m->value, strlen(m->value));
	if (m->twice) {
		refuse(g, "masked: %s=%s names one device twice", m->name, buf);
		return;
	}
	if (m->n < g->ask.width)
		refuse(g, "masked %zu (%s=%s%s%s)", m->n, m->name, buf, m->end[0] != '\0' ? ": " : "", m->end);
	else if (g->promised != UNKNOWN && g->masked > g->promised)
		refuse(g, "masked %zu, but promised %" PRId64 " (%s=%s): the mask shows what is not %s", m->n, g->promised,
		    m->name, buf, g->of_step == UNKNOWN ? "allocated" : "this task's");
	else if (m->n > g->ask.width && !g->ask.at_least)
		refuse(g, "masked %zu, more than asked (%s=%s%s)", m->n, m->name, buf, more(g));
	for (i = 0; i < m->n && g->ask.width > 1 && m->kind != SLICES && g->driver.slices; i++)
		if (m->at[i].card != NOCARD && g->driver.at[m->at[i].card].kind == PARENT) {
			refuse(g, "GPU %" PRIu64 " is cut into MIG slices (nvidia-smi -L): slices do not make a width of %" PRIu64,
			    g->driver.at[m->at[i].card].number, g->ask.width);
			break;
		}
	if (m->kind == SLICES && m->n > 0 && g->ask.width > 1)
		refuse(g, "MIG slices (%s=%s): a process can use only one, they do not make a width of %" PRIu64, m->name, buf,
		    g->ask.width);
	masked_own(g);
}

static void
reachable_check(struct gate *g)
{
	const char *how = g->reachable != UNKNOWN ? "reachable" : "shown by the driver";
	int64_t there = g->reachable != UNKNOWN ? g->reachable : g->shown;
	const struct sight *s = &g->see[g->vendor];

	if (there == UNKNOWN)
		return;
	if (g->reachable != UNKNOWN && (uint64_t)there < g->ask.width) {
		if (s->denied > 0)
			refuse(g, "reachable %" PRId64 " (%s/dev; denied %s: %s)", there, g->ask.root, sight_why(s), s->no.s);
		else if (g->unlisted > 0 && g->vendor == NVIDIA)
			refuse(g, "reachable %" PRId64 " (%s/dev; %zu more that the driver does not list: %s/proc/driver/nvidia/gpus)",
			    there, g->ask.root, g->unlisted, g->ask.root);
		else
			refuse(g, "reachable %" PRId64 " (%s/dev)", there, g->ask.root);
	} else if (g->masked != UNKNOWN)
		return;
	else if (g->promised != UNKNOWN && there > g->promised)
		refuse(g, "%s %" PRId64 ", promised %" PRId64 ": %s, and no mask says which are yours (%s is not set)", how, there,
		    g->promised, g->of_step == UNKNOWN ? "the node has no device cgroup" : "the task has no device cgroup of its own",
		    g->mask.name);
	else if (g->promised == UNKNOWN && !g->in_job && (uint64_t)there > g->ask.width && !g->ask.at_least)
		refuse(g, "%s %" PRId64 ", more than asked, and no mask (%s is not set%s)", how, there, g->mask.name, more(g));
}

static void
driver_check(struct gate *g)
{
	if (g->shown == UNKNOWN || (uint64_t)g->shown >= g->ask.width)
		return;
	if (g->slices > 0)
		refuse(g, "the driver shows %zu and %zu MIG slices (nvidia-smi -L): slices do not make a width of %" PRIu64,
		    g->whole, g->slices, g->ask.width);
	else
		refuse(g, "the driver shows %" PRId64 " (nvidia-smi -L)", g->shown);
}

/* Whether PATTERN stands in the name: between word boundaries, without regard to case. */
static int
card_named(const char *pattern, const char *name)
{
	char low[sizeof ((struct card *)0)->name], *want, c;
	size_t i, from, to, n = strlen(name), len = strlen(pattern);
	int yes = 0;

	want = tool_realloc(NULL, len + 1, 1);
	for (i = 0; i <= len; i++)
		want[i] = (char)tolower((unsigned char)pattern[i]);
	for (i = 0; i <= n && i < sizeof low; i++)
		low[i] = (char)tolower((unsigned char)name[i]);
	for (from = 0; from < n && !yes; from++) {
		if (from > 0 && isalnum((unsigned char)low[from - 1]) && isalnum((unsigned char)low[from]))
			continue;
		for (to = n; to > from && !yes; to--) {
			if (to < n && isalnum((unsigned char)low[to - 1]) && isalnum((unsigned char)low[to]))
				continue;
			c = low[to];
			low[to] = '\0';
			yes = fnmatch(want, low + from, 0) == 0;
			low[to] = c;
		}
	}
	free(want);
	return yes;
}

/* Judges one card by -m, --model and --idle: YES, NO and why, or TROUBLE and why. */
static int
card_fits(const struct gate *g, const struct card *c, struct text *why)
{
	const struct wish *w = &g->ask;
	char have[32], want[32], buf[TOOL_WORD], who[160];

	snprintf(who, sizeof who, "%s %" PRIu64 " (%s)", c->kind == SLICE ? "MIG slice of GPU" : "GPU",
	    c->kind == SLICE ? g->driver.at[c->parent].number : c->number, c->uuid[0] != '\0' ? c->uuid : "no UUID");
	if (w->model != NULL && c->name[0] != '\0' && !card_named(w->model, c->name)) {
		text_list(why, "%s is a %s, asked %s", who, c->name, tool_word(buf, w->model, strlen(w->model)));
		return NO;
	}
	if (w->memory > 0 && c->total != UNKNOWN && (uint64_t)c->total << 20 < w->memory - w->memory / 20) {
		text_list(why, "%s has %s, asked %s", who, size_text((uint64_t)c->total, have),
		    size_text(w->memory >> 20, want));
		return NO;
	}
	if (w->check_idle && c->used != UNKNOWN && (uint64_t)c->used > w->idle) {
		text_list(why, "%s has %" PRId64 " MiB in use, asked at most %" PRIu64, who, c->used, w->idle);
		return NO;
	}
	if ((w->model != NULL && c->name[0] == '\0') || (w->memory > 0 && c->total == UNKNOWN) ||
	    (w->check_idle && c->used == UNKNOWN)) {
		text_list(why, "%s does not say its %s%s%s (try %s by hand)", who, w->model != NULL && c->name[0] == '\0' ?
		    "model" : w->memory > 0 && c->total == UNKNOWN ? "memory" : "use", c->odd[0] != '\0' ? ": " : "", c->odd,
		    g->vendor == AMD ? "rocm-smi" : "nvidia-smi");
		return TROUBLE;
	}
	return YES;
}

/* Whether card i of the list is among those that the mask leaves, or a slice of one of them. */
static int
card_ours(const struct gate *g, const struct cards *list, size_t i)
{
	size_t k;

	if (list->at[i].kind == PARENT)
		return 0;
	if (g->mask.value == NULL)
		return 1;
	for (k = 0; k < g->mask.n; k++)
		if (g->mask.at[k].card == i || (list->at[i].kind == SLICE && g->mask.at[k].card == list->at[i].parent))
			return 1;
	return 0;
}

/* CUDA numbers the fastest card first unless told otherwise: with cards of two models a number is a guess. */
static int
numbers_guess(const struct gate *g, const struct cards *list)
{
	const char *order = env_text("CUDA_DEVICE_ORDER");
	size_t i;

	if (g->vendor != NVIDIA || g->mask.value == NULL || g->mask.kind != NUMBERS ||
	    (order != NULL && strcmp(order, "PCI_BUS_ID") == 0))
		return 0;
	for (i = 1; i < list->n; i++)
		if (strcmp(list->at[i].name, list->at[0].name) != 0)
			return 1;
	return 0;
}

static void
cards_check(struct gate *g)
{
	const struct cards *list = g->vendor == AMD ? &g->amd : &g->driver;
	struct text why[TROUBLE + 1];	/* the first card's, by verdict */
	uint64_t count[TROUBLE + 1];
	int guess, fits;
	size_t i;

	if (g->ask.memory == 0 && g->ask.model == NULL && !g->ask.check_idle)
		return;
	if (g->vendor == INTEL || (g->vendor == NVIDIA && (g->reply == UNASKED || g->reply == ABSENT))) {
		doubt(g, "-m, --model and --idle need %s", g->vendor == INTEL ? "a driver that tells, and Intel's does not" :
		    g->reply == ABSENT ? "nvidia-smi, which is not on PATH" : "nvidia-smi, which --no-driver forbids");
		return;
	}
	if (g->vendor == NVIDIA && g->reply != ANSWERED)
		return;		/* said already */
	memset(why, 0, sizeof why);
	memset(count, 0, sizeof count);
	guess = numbers_guess(g, list);
	for (i = 0; i < list->n; i++)
		if (guess ? list->at[i].kind != PARENT : card_ours(g, list, i)) {
			struct text one = { NULL, 0 };

			fits = card_fits(g, &list->at[i], &one);
			if (count[fits]++ == 0)
				why[fits] = one;
			else
				free(one.s);
		}
	if (count[NO] > 0 && (!guess || count[YES] + count[TROUBLE] < g->mask.n))
		refuse(g, "%s", why[NO].s);
	else if (count[NO] > 0)
		doubt(g, "%s, and with cards of two models a number may mean another one (set CUDA_DEVICE_ORDER=PCI_BUS_ID)",
		    why[NO].s);
	else if (count[TROUBLE] > 0)
		doubt(g, "%s", why[TROUBLE].s);
	else if (count[YES] < g->ask.width)
		doubt(g, "not all devices could be found with the driver (try nvidia-smi -L by hand)");
	free(why[NO].s);
	free(why[TROUBLE].s);
}

/* A width of 0: nothing promised, nothing masked, and in a job nothing visible. */
static void
none_check(struct gate *g)
{
	static const char *const name[] = { "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
	    "ZE_AFFINITY_MASK" };
	static const int whose[] = { NVIDIA, AMD, AMD, INTEL };
	struct cards nobody = { NULL, 0, 0 };
	int hidden[VENDORS] = { 0, 0, 0 }, v;
	char buf[TOOL_WORD];
	struct mask m;
	size_t i;

	promised_check(g);
	for (i = 0; i < sizeof name / sizeof name[0]; i++) {
		mask_read(&m, name[i], whose[i], UNKNOWN, &nobody);
		if (m.n > 0)
			refuse(g, "masked %zu (%s=%s)", m.n, m.name, tool_word(buf, m.value, strlen(m.value)));
		/* an empty HIP mask hides nothing */
		hidden[whose[i]] |= m.value != NULL && m.n == 0 && (i != 2 || m.value[0] != '\0');
		free(m.at);
	}
	for (v = 0; v < VENDORS && g->in_job && !g->unclear && g->no.s == NULL; v++)
		if (g->see[v].n > 0 && !hidden[v])
			refuse(g, "visible, not allocated: %zu %s devices (%s/dev: %s)", g->see[v].n, vendor_name[v], g->ask.root,
			    g->see[v].yes.s);
	if (g->reachable == UNKNOWN && g->shown == UNKNOWN && g->dunno.s == NULL)
		doubt(g, "no devices could be looked for (look at %s/dev)", g->ask.root);
	else if (g->in_job && !g->unclear && g->reachable == UNKNOWN && g->shown > 0 && g->no.s == NULL && !hidden[NVIDIA])
		refuse(g, "visible, not allocated: %" PRId64 " devices (nvidia-smi -L)", g->shown);
}

static void
width_check(struct gate *g)
{
	promised_check(g);
	masked_check(g);
	reachable_check(g);
	driver_check(g);
	cards_check(g);
	if (g->reachable != UNKNOWN || g->shown != UNKNOWN || g->dunno.s != NULL)
		return;
	if (g->promised == UNKNOWN)
		doubt(g, "no evidence at all: no promise, no %s/dev to read, no driver", g->ask.root);
	else if (g->masked == UNKNOWN)
		doubt(g, "only a promise, no mask, no %s/dev to read, no driver (look at /dev, try nvidia-smi -L)", g->ask.root);
}

/* The record: got is the least that any evidence says. */
static void
yes_print(const struct gate *g)
{
	static const char *const name[] = { "asked", "got", "nodes", "node", "source" };
	const struct { const char *name; int64_t n; } from[] = {
		{ "promised", g->promised }, { "masked", g->masked }, { "reachable", g->reachable }, { "driver", g->shown }
	};
	uint64_t got = UINT64_MAX;
	struct text source = { NULL, 0 };
	struct rec r;
	size_t i;

	for (i = 0; i < sizeof from / sizeof from[0]; i++)
		if (from[i].n != UNKNOWN) {
			text_list(&source, "%s", from[i].name);
			if ((uint64_t)from[i].n < got)
				got = (uint64_t)from[i].n;
		}
	for (i = 0; i < source.n; i++)
		if (source.s[i] == ' ')
			source.s[i] = ',';
	rec_begin(&r, stdout, g->ask.how, name, sizeof name / sizeof name[0]);
	rec_number(&r, g->ask.width);
	rec_number(&r, g->ask.width == 0 ? 0 : got);
	if (g->nodes != UNKNOWN)
		rec_number(&r, (uint64_t)g->nodes);
	else
		rec_none(&r);
	rec_text(&r, g->node, strlen(g->node));
	rec_text(&r, source.s, source.n);
	rec_finish(&r);
	free(source.s);
}

/* ---- the call */

static uint64_t
count_option(const char *name, const char *s, uint64_t least)
{
	char buf[TOOL_WORD];
	uint64_t v;

	if (num_u64(s, strlen(s), INT32_MAX, &v) != NUM_OK || v < least)
		tool_die(BADUSE, "%s: %s is no number from %" PRIu64 " up", name, tool_word(buf, s, strlen(s)), least);
	return v;
}

static void
option_take(struct wish *w, int val)
{
	char buf[TOOL_WORD];

	switch (val) {
	case 'N': w->nodes = count_option("--nodes", optarg, 1); return;
	case 'q': w->quiet = 1; return;
	case 'H': w->how = w->how == REC_JSON ? REC_JSON : REC_HEADER; return;
	case 'm':
		if (num_size(optarg, &w->memory) != NUM_OK || w->memory == 0)
			tool_die(BADUSE, "--memory: %s is no size: write 80G or 512M", tool_word(buf, optarg, strlen(optarg)));
		return;
	case 't':
		w->limit_word = optarg;
		w->limit = opt_duration("--time-limit", optarg);
		if (w->limit == 0)
			tool_die(BADUSE, "--time-limit: 0 is no time to answer in: --no-driver asks no driver");
		return;
	case O_MODEL:
		w->model = optarg;
		if (*optarg == '\0')
			tool_die(BADUSE, "--model: an empty pattern");
		return;
	case O_IDLE:
		w->check_idle = 1;
		w->idle = optarg != NULL ? count_option("--idle", optarg, 0) : IDLE_MIB;
		return;
	case O_AT_LEAST: w->at_least = 1; return;
	case O_NO_DRIVER: w->no_driver = 1; return;
	case O_ROOT:
		w->root = optarg;
		if (*optarg == '\0')
			tool_die(BADUSE, "--root: an empty name");
		return;
	case O_JSON: w->how = REC_JSON; return;
	}
}

static void
wish_read(struct wish *w, int argc, char **argv)
{
	struct opt o = OPT_INIT(argc, argv, options, 0);
	char buf[TOOL_WORD];
	struct stat st;
	int val, there;

	memset(w, 0, sizeof *w);
	w->nodes = 1;
	w->limit = 30000;
	w->limit_word = "30s";
	w->root = "";
	while ((val = opt_next(&o)) != -1)
		option_take(w, val);
	if (o.n == 0)
		tool_die(BADUSE, "no WIDTH: how many devices per node? see gate-gpus -h");
	if (o.n > 1)
		tool_die(BADUSE, "one WIDTH, not %s as well%s", tool_word(buf, o.operand[1], strlen(o.operand[1])),
		    w->check_idle ? " (--idle=MIB is written with =)" : "");
	if (num_u64(o.operand[0], strlen(o.operand[0]), WIDEST, &w->width) != NUM_OK)
		tool_die(BADUSE, "WIDTH: %s is no number from 0 to %d", tool_word(buf, o.operand[0], strlen(o.operand[0])),
		    WIDEST);
	if (w->width == 0 && w->at_least)
		tool_die(BADUSE, "--at-least 0 asks nothing");
	if (w->root[0] == '\0')
		return;
	there = stat(w->root, &st) == 0;
	if (!there && errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG)
		tool_die(TROUBLE, "--root %s:", tool_word(buf, w->root, strlen(w->root)));
	if (!there || !S_ISDIR(st.st_mode))
		tool_die(BADUSE, "--root: no directory %s", tool_word(buf, w->root, strlen(w->root)));
}

static void
node_read(struct gate *g)
{
	const char *name = env_text("SLURMD_NODENAME");
	struct utsname u;

	if (name == NULL && uname(&u) == 0)
		name = u.nodename;
	snprintf(g->node, sizeof g->node, "%s", name != NULL ? name : "?");
}

int
main(int argc, char **argv)
{
	struct gate g;

	tool_begin();
	memset(&g, 0, sizeof g);
	wish_read(&g.ask, argc, argv);
	node_read(&g);
	g.nodes = g.promised = g.of_step = g.masked = g.reachable = g.shown = UNKNOWN;
	promised_read(&g);
	nodes_check(&g);
	reachable_read(&g);
	driver_read(&g);
	masked_read(&g);
	if (g.ask.width == 0)
		none_check(&g);
	else
		width_check(&g);
	if (g.no.s != NULL)
		tool_die(NO, "refused: asked %" PRIu64 " device%s on %s: %s", g.ask.width, tool_plural(g.ask.width), g.node, g.no.s);
	if (g.dunno.s != NULL)
		tool_die(TROUBLE, "could not find out: asked %" PRIu64 " device%s on %s: %s", g.ask.width, tool_plural(g.ask.width),
		    g.node, g.dunno.s);
	yes_print(&g);
	tool_done(YES);
}
