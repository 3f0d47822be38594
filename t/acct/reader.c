/* reader - a driver for the tests of lib/acct and lib/hosts: each function from a command line, for t/acct.bats
 *
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acct.h"
#include "esc.h"
#include "hosts.h"
#include "tool.h"

const char help[] = "reader - the driver of t/acct.bats\n";

static void
put(struct acct_text t)
{
	putchar('\t');
	if (t.s == NULL)
		putchar('!');
	else
		esc_put(stdout, t.s, t.n, ESC_FIELD);
}

static void
put_id(const struct acct_id *id)
{
	static const char *const kinds[] = { "job", "task", "het", "tasks" };

	printf("%.*s%s%" PRIu32 " %s", (int)id->cluster.n, id->cluster.n ? id->cluster.s : "", id->cluster.n ? "/" : "", id->job,
	    kinds[id->kind]);
	if (id->kind == ACCT_TASK || id->kind == ACCT_HET)
		printf(" %" PRIu32, id->part);
	if (id->kind == ACCT_TASKS)
		printf(" %.*s", (int)id->tasks.n, id->tasks.s);
	if (id->step.n > 0)
		printf(" .%.*s", (int)id->step.n, id->step.s);
}

static int
read_all(struct acct *a, size_t nwant)
{
	size_t i;
	int r;

	while ((r = acct_next(a)) == 1) {
		printf("%" PRIu64 "\t", a->line);
		if (a->id.job != 0)
			put_id(&a->id);
		printf("\t%" PRIu32 "\t%s", acct_raw(a), acct_name(a->state));
		for (i = 0; i < nwant; i++)
			put(acct_get(a, i));
		putchar('\n');
	}
	if (r < 0)
		tool_die(a->status, "%s", a->why);
	acct_end(a);
	return 0;
}

static int
put_name(const char *name, size_t n, void *arg)
{
	printf("%s%.*s", *(int *)arg ? " " : "", (int)n, name);
	*(int *)arg = 1;
	return 0;
}

static void
one(const char *what, const char *word)
{
	struct acct_text t = { word, strlen(word) }, none = { NULL, 0 };
	struct acct_id id;
	char why[ACCT_WHY], buf[40];
	const char *s;
	int some = 0;

	if (strcmp(what, "hosts") == 0) {
		if (hosts_each(word, strlen(word), 100, put_name, &some, why) != 0)
			printf("%s! %s", some ? " " : "", why);
	} else if (strcmp(what, "id") == 0) {
		s = acct_id(&id, word, strlen(word));
		if (s != NULL)
			printf("! %s", s);
		else
			put_id(&id);
	} else if (strcmp(what, "time") == 0)
		printf("%" PRId64, acct_time(t));
	else if (strcmp(what, "duration") == 0)
		printf("%" PRId64, acct_duration(t));
	else if (strcmp(what, "elapsed") == 0)
		printf("%" PRId64, acct_elapsed(none, none, t, t));
	else if (strcmp(what, "nothing") == 0)
		printf("%d", acct_nothing(t));
	else if (strcmp(what, "since") == 0)
		printf("%s", (s = acct_since(word, buf)) != NULL ? s : "!");
	else if (strcmp(what, "word") == 0)
		printf("%d", acct_word(word, strlen(word)));
	putchar('\n');
}

int
main(int argc, char **argv)
{
	struct acct_query q;
	struct acct a;
	char why[ACCT_WHY];
	int i;

	tool_begin();
	memset(&q, 0, sizeof q);
	q.ms = 2000;
	if (argc > 1 && strcmp(argv[1], "read") == 0) {
		acct_begin(&a, 0, (const char *const *)argv + 2, (size_t)argc - 2);
		tool_done(read_all(&a, (size_t)argc - 2));
	}
	if (argc > 2 && (strcmp(argv[1], "sacct") == 0 || strcmp(argv[1], "squeue") == 0)) {
		/* sacct IDS COLUMN... */
		if (acct_ask(&q, argv[2], why) != NULL)
			tool_die(BADUSE, "%s", why);
		acct_sort(&q);
		if ((argv[1][1] == 'a' ? acct_sacct : acct_squeue)(&a, &q, (const char *const *)argv + 3, (size_t)argc - 3) != 0)
			tool_die(a.status, "%s", a.why);
		tool_done(read_all(&a, (size_t)argc - 3));
	}
	if (argc > 1 && strcmp(argv[1], "print") == 0) {
		hosts_print((const char **)(void *)(argv + 2), (size_t)argc - 2, stdout);
		putchar('\n');
		tool_done(YES);
	}
	for (i = 2; i < argc; i++)
		one(argv[1], argv[i]);
	tool_done(YES);
}
