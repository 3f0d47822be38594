/* lib - a driver for the tests of lib/: each function from a command line, for t/lib.bats
 *
 * Every answer is printed as text that a test can compare. What is too much for a command line (all byte strings, all
 * small sets) is walked through here against a second, slower way to the same answer.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <sys/resource.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "dur.h"
#include "esc.h"
#include "iset.h"
#include "names.h"
#include "num.h"
#include "opt.h"
#include "rec.h"
#include "shq.h"
#include "tool.h"

const char help[] = "lib - the driver of t/lib.bats\n";

/* What is left on stdin, in memory that lives as long as the program. */
static char *
slurp(size_t *n)
{
	static char text[1 << 20];

	*n = fread(text, 1, sizeof text - 1, stdin);
	text[*n] = '\0';
	return text;
}

static uint64_t
number(const char *s)
{
	uint64_t v;

	if (num_u64(s, strlen(s), UINT64_MAX, &v) != NUM_OK)
		tool_die(BADUSE, "not a number: %s", s);
	return v;
}

/* dur|sacct|slurm|size WORD...: one answer a line, `-` and the reason where it is refused */
static void
durations(const char *what, char **word)
{
	char why[DUR_WHY], text[DUR_TEXT];
	int64_t ms;
	uint64_t bytes;

	for (; *word != NULL; word++) {
		if (strcmp(what, "slurm") == 0)
			puts(dur_slurm((int64_t)number(*word), text));
		else if (strcmp(what, "sacct") == 0)
			(ms = dur_sacct(*word, strlen(*word))) >= 0 ? printf("%" PRId64 "\n", ms) : puts("-");
		else if (strcmp(what, "dur") == 0)
			dur_parse(*word, &ms, why) == 0 ? printf("%" PRId64 "\n", ms) : printf("- %s\n", why);
		else
			switch (num_size(*word, &bytes)) {
			case NUM_OK: printf("%" PRIu64 "\n", bytes); break;
			case NUM_BAD: puts("-"); break;
			default: puts("big"); break;
			}
	}
}

/* num MAX WORD... */
static void
numbers(char **word)
{
	uint64_t max = number(*word++), v;

	for (; *word != NULL; word++)
		switch (num_u64(*word, strlen(*word), max, &v)) {
		case NUM_OK: printf("%" PRIu64 "\n", v); break;
		case NUM_BAD: puts("-"); break;
		default: printf("big %" PRIu64 "\n", v); break;
		}
}

/* esc field|screen|message|json: stdin, escaped. undo: stdin with ESC_FIELD undone, or status 1 */
static int
escapes(const char *how)
{
	size_t n;
	char *s = slurp(&n);

	if (how == NULL) {
		if ((n = esc_undo(s, n)) == (size_t)-1)
			return NO;
		fwrite(s, 1, n, stdout);
		return YES;
	}
	esc_put(stdout, s, n, *how == 'f' ? ESC_FIELD : *how == 's' ? ESC_SCREEN : *how == 'm' ? ESC_MESSAGE : ESC_JSON);
	return YES;
}

/* The length of the UTF-8 character at s, found by decoding and not by a table of lead bytes. */
static size_t
decoded(const unsigned char *s, size_t n)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len = s[0] < 0x80 ? 1 : (s[0] & 0xe0) == 0xc0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : (s[0] & 0xf8) == 0xf0 ? 4 : 0, i;
	uint32_t c = len < 2 ? s[0] : s[0] & (0x7fu >> len);

	if (len == 0 || len > n)
		return 0;
	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3fu);
	}
	return c < least[len] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff) ? 0 : len;
}

/* utf8: esc_utf8 against decoded() on all strings of 3 bytes, and of 4 with chosen last bytes, cut short too */
static int
utf8(void)
{
	static const unsigned char last[] = { 0, 0x41, 0x7f, 0x80, 0x9f, 0xa0, 0xbf, 0xc0, 0xff };
	unsigned char s[4];
	uint32_t v;
	size_t i, n;

	for (v = 0; v < 1 << 24; v++) {
		s[0] = (unsigned char)(v >> 16);
		s[1] = (unsigned char)(v >> 8);
		s[2] = (unsigned char)v;
		for (i = 0; i < sizeof last; i++) {
			s[3] = last[i];
			for (n = i == 0 ? 1 : 4; n <= 4; n++)
				if (esc_utf8((const char *)s, n) != decoded(s, n)) {
					printf("%02x %02x %02x %02x, %zu bytes: %zu, not %zu\n", s[0], s[1], s[2], s[3], n,
					    esc_utf8((const char *)s, n), decoded(s, n));
					return NO;
				}
			if (s[0] < 0xf0)
				break;
		}
	}
	return YES;
}

/* Writes s escaped into memory of its own, which the caller frees. */
static char *
escaped(const char *s, size_t n, enum esc_how how, size_t *len)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, len);

	esc_put(f, s, n, how);
	fclose(f);
	return text;
}

/* pairs: for all strings of two bytes without NUL: FIELD comes back through esc_undo, no form holds a control byte,
 * SCREEN, MESSAGE and JSON are well-formed UTF-8 */
static int
pairs(void)
{
	static const enum esc_how how[] = { ESC_FIELD, ESC_SCREEN, ESC_MESSAGE, ESC_JSON };
	int a, b, i, bad = 0;
	size_t len, k, back, step;
	char s[3], *text;

	for (a = 1; a < 256; a++)
		for (b = 1; b < 256; b++)
			for (i = 0; i < 4; i++) {
				s[0] = (char)a;
				s[1] = (char)b;
				s[2] = '\0';
				text = escaped(s, 2, how[i], &len);
				for (k = 0; k < len; k++)
					if ((unsigned char)text[k] < 0x20 || text[k] == 0x7f)
						bad++;
				for (k = 0; how[i] != ESC_FIELD && k < len; k += step) {
					step = esc_utf8(text + k, len - k);
					if (step == 0 || (step == 2 && how[i] != ESC_JSON && text[k] == '\xc2' && (unsigned char)text[k + 1] < 0xa0)) {
						bad++;
						printf("form %d of %02x %02x is not UTF-8, or holds a C1 control\n", i, a, b);
						break;
					}
				}
				if (how[i] == ESC_FIELD) {
					back = esc_undo(text, len);
					bad += back != 2 || memcmp(text, s, 2) != 0;
				}
				free(text);
			}
	printf("%d\n", bad);
	return bad ? NO : YES;
}

/* iset MAX TEXT...: `count at_once printed` or `- why` */
static void
sets(char **word)
{
	uint64_t max = number(*word++);
	struct iset s = ISET_EMPTY;
	char why[ISET_WHY];

	for (; *word != NULL; word++) {
		if (iset_parse(&s, *word, max, why) == 0) {
			printf("%" PRIu64 " %" PRIu64 " ", iset_count(&s), s.at_once);
			iset_print(&s, stdout);
			putchar('\n');
		} else
			printf("- %s\n", why);
		iset_free(&s);
		s.at_once = 0;
	}
}

/* add FIRST LAST...: iset_add in the order given, settled, printed */
static void
added(char **word)
{
	struct iset s = ISET_EMPTY;

	for (; word[0] != NULL && word[1] != NULL; word += 2)
		iset_add(&s, number(word[0]), number(word[1]));
	iset_settle(&s);
	iset_print(&s, stdout);
	putchar('\n');
	iset_free(&s);
}

/* Width of the shortest list for the set `mask` above base: best over all covers of its lowest index by items within the
 * set (they may overlap). memo holds widths of what is left to cover, 0 where unknown. */
static unsigned
shortest(unsigned set, unsigned left, unsigned base, unsigned *memo)
{
	unsigned low, first, last, step, item, i, w, best = ~0u;
	char text[40];

	if (left == 0)
		return 0;
	if (memo[left])
		return memo[left];
	for (low = 0; !(left >> low & 1); low++)
		;
	for (first = 0; first <= low; first++)
		for (step = 1; step <= 16 && (set >> first & 1); step++)
			for (last = first; last < 16; last += step) {
				if (!(set >> last & 1))
					break;
				if (low < first || low > last || (low - first) % step != 0)
					continue;
				for (item = 0, i = first; i <= last; i += step)
					item |= 1u << i;
				if (first == last)
					snprintf(text, sizeof text, "%u", base + first);
				else if (step == 1)
					snprintf(text, sizeof text, "%u-%u", base + first, base + last);
				else
					snprintf(text, sizeof text, "%u-%u:%u", base + first, base + last, step);
				w = (unsigned)strlen(text) + 1 + shortest(set, left & ~item, base, memo);
				if (w < best)
					best = w;
			}
	return memo[left] = best;
}

/* short BITS BASE: every set within BITS indices from BASE on: what is printed reads back as the same set; prints how
 * many sets there are, how many have a shorter list than the printed one, and the worst of those */
static int
shorts(unsigned bits, unsigned base)
{
	static unsigned memo[1 << 16];
	unsigned set, i, longer = 0, most = 0, best;
	char *text, worst[200] = "", why[ISET_WHY];
	size_t n;
	FILE *f;

	for (set = 1; set < 1u << bits; set++) {
		struct iset s = ISET_EMPTY, back = ISET_EMPTY;

		for (i = 0; i < bits; i++)
			if (set >> i & 1)
				iset_add(&s, base + i, base + i);
		text = NULL;
		f = open_memstream(&text, &n);
		iset_print(&s, f);
		fclose(f);
		if (iset_parse(&back, text, 1 << 20, why) != 0 || iset_count(&back) != iset_count(&s))
			tool_die(NO, "%s does not read back", text);
		for (i = 0; i < bits; i++)
			if (iset_has(&back, base + i) != (int)(set >> i & 1))
				tool_die(NO, "%s does not read back", text);
		memset(memo, 0, sizeof memo);
		best = shortest(set, set, base, memo) - 1;
		if (n < best)
			tool_die(NO, "%s is shorter than can be", text);
		longer += n > best;
		if (n - best > most) {
			most = (unsigned)n - best;
			snprintf(worst, sizeof worst, " %s by %u", text, most);
		}
		free(text);
		iset_free(&s);
		iset_free(&back);
	}
	printf("%u sets, %u longer than need be%s\n", (1u << bits) - 1, longer, worst);
	return YES;
}

/* fuzz SEED TIMES: strings of the grammars' own characters through every parser; what is taken reads back the same */
static int
fuzz(unsigned seed, unsigned times)
{
	static const char chars[] = "0123456789-:,%[].dhmsKMGTiB \t\\x\xc3\xa9";
	char s[24], why[DUR_WHY + ISET_WHY], text[DUR_TEXT], *printed;
	struct iset set = ISET_EMPTY, back = ISET_EMPTY;
	int64_t ms, again;
	uint64_t v, taken = 0;
	size_t n, i;
	FILE *f;

	srand(seed);
	while (times-- > 0) {
		n = (size_t)rand() % (sizeof s - 1);
		for (i = 0; i < n; i++)
			s[i] = chars[(size_t)rand() % (sizeof chars - 1)];
		s[n] = '\0';
		if (dur_parse(s, &ms, why) == 0) {
			taken++;
			if (ms < 0 || ms > DUR_MAX)
				tool_die(NO, "dur_parse '%s' gave %" PRId64, s, ms);
			if (dur_parse(dur_slurm(ms / 1000, text), &again, why) != 0 || again != ms / 1000 * 1000)
				tool_die(NO, "dur_slurm of '%s' is %s", s, text);
		}
		ms = dur_sacct(s, strlen(s));
		if (ms < -1 || ms > DUR_MAX)
			tool_die(NO, "dur_sacct '%s' gave %" PRId64, s, ms);
		(void)num_size(s, &v);
		if (iset_parse(&set, s, 100000, why) == 0) {
			taken++;
			f = open_memstream(&printed, &n);
			iset_print(&set, f);
			fclose(f);
			if (iset_parse(&back, printed, 100000, why) != 0 || back.n != set.n ||
			    memcmp(back.run, set.run, set.n * sizeof *set.run) != 0)
				tool_die(NO, "iset '%s' printed as '%s'", s, printed);
			free(printed);
		}
		iset_free(&set);
		iset_free(&back);
		set.at_once = back.at_once = 0;
		(void)esc_undo(s, strlen(s));
	}
	return taken > 0 ? YES : NO;
}

/* rec auto|header|json ROWS: that many rows of fixed fields, for records on any kind of stdout */
static void
records(const char *how, uint64_t rows)
{
	static const char *const name[] = { "name", "count", "note" };
	static const char field[] = "a\tb\nc\\d\033[31m\"\xff\xc3\xa9\0c";
	struct rec r;
	uint64_t i;

	rec_begin(&r, stdout, *how == 'a' ? REC_AUTO : *how == 'h' ? REC_HEADER : REC_JSON, name, 3);
	for (i = 0; i < rows; i++) {
		rec_text(&r, field, sizeof field - 1);
		rec_number(&r, i);
		if (i % 2 == 0)
			rec_none(&r);
		else
			rec_text(&r, "", 0);
	}
	rec_finish(&r);
}

/* child MS MAX COMMAND...: how it ended, then what it wrote */
static void
children(char **word)
{
	static const char *const end[] = { "ended", "late", "stuck", "absent", "failed" };
	struct child c;
	int64_t ms = (int64_t)number(word[0]), start = child_now(), cpu;
	struct rusage self;

	child_run(&c, word + 2, ms, (size_t)number(word[1]));
	getrusage(RUSAGE_SELF, &self);
	cpu = (int64_t)(self.ru_utime.tv_sec + self.ru_stime.tv_sec) * 1000 + (self.ru_utime.tv_usec + self.ru_stime.tv_usec) / 1000;
	printf("%s", end[c.end]);
	if (c.end == CHILD_ENDED && WIFEXITED(c.status))
		printf(" %d", WEXITSTATUS(c.status));
	else if (c.end == CHILD_ENDED)
		printf(" signal %d", WTERMSIG(c.status));
	else if (c.end == CHILD_ABSENT || c.end == CHILD_FAILED)
		printf(" %s", strerror(c.error));
	printf("\nout %zu err %zu cut %d\n%s%s\n", c.nout, c.nerr, c.cut, c.out, c.err);
	fprintf(stderr, "%" PRId64 " ms, %" PRId64 " ms of processor time\n", child_now() - start, cpu);
	child_free(&c);
}

/* leak N COMMAND...: child_run N times over; prints how many descriptors are open then */
static void
leak(char **word)
{
	uint64_t n = number(word[0]);
	struct child c;
	int fd, open_now = 0;

	while (n-- > 0) {
		child_run(&c, word + 1, 10000, 100);
		child_free(&c);
	}
	for (fd = 0; fd < 100; fd++)
		open_now += fcntl(fd, F_GETFD) != -1;
	printf("%d\n", open_now);
}

/* words LONGEST TEXT: tool_word */
static void
word(const char *s)
{
	char buf[TOOL_WORD];

	puts(tool_word(buf, s, strlen(s)));
}

/* names WORD...: the number of each */
static void
numbered(char **words)
{
	static struct names t;

	for (; *words != NULL; words++)
		printf("%zu\n", names_of(&t, *words, strlen(*words)));
}

int
main(int argc, char **argv)
{
	static char *nothing[] = { NULL };
	const char *what = argc > 1 ? argv[1] : "";
	char **rest = argc > 2 ? argv + 2 : nothing, *text;
	size_t n;
	int status = YES;

	tool_begin();
	if (strcmp(what, "dur") == 0 || strcmp(what, "sacct") == 0 || strcmp(what, "slurm") == 0 || strcmp(what, "size") == 0)
		durations(what, rest);
	else if (strcmp(what, "num") == 0)
		numbers(rest);
	else if (strcmp(what, "names") == 0)
		numbered(rest);
	else if (strcmp(what, "esc") == 0 || strcmp(what, "undo") == 0)
		status = escapes(rest[0]);
	else if (strcmp(what, "utf8") == 0)
		status = utf8();
	else if (strcmp(what, "pairs") == 0)
		status = pairs();
	else if (strcmp(what, "iset") == 0)
		sets(rest);
	else if (strcmp(what, "add") == 0)
		added(rest);
	else if (strcmp(what, "short") == 0)
		status = shorts((unsigned)number(rest[0]), (unsigned)number(rest[1]));
	else if (strcmp(what, "fuzz") == 0)
		status = fuzz((unsigned)number(rest[0]), (unsigned)number(rest[1]));
	else if (strcmp(what, "shq") == 0) {
		text = slurp(&n);
		shq_put(stdout, text, n);
	} else if (strcmp(what, "rec") == 0)
		records(rest[0], number(rest[1]));
	else if (strcmp(what, "child") == 0)
		children(rest);
	else if (strcmp(what, "ignoring") == 0) {
		signal(SIGCHLD, SIG_IGN);
		children(rest);
	} else if (strcmp(what, "leak") == 0)
		leak(rest);
	else if (strcmp(what, "show") == 0) {
		char buf[NUM_TEXT];

		puts(num_show(strtod(rest[0], NULL), buf));
	} else if (strcmp(what, "word") == 0)
		word(rest[0]);
	else if (strcmp(what, "warn") == 0)
		tool_warn("%s", rest[0]);
	else if (strcmp(what, "warn-errno") == 0) {
		errno = ENOENT;
		tool_warn("%s:", rest[0]);
	}
	else
		tool_die(BADUSE, "no test is called '%s'", what);
	tool_done(status);
}
