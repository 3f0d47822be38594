/* fuzz - runs a tool again and again within one process; see fuzz.h
 *
 * t/fuzz/run renames the sections of the tool's data, so that they can be found here, and the functions below in the
 * tool: NAME becomes __wrap_NAME.
 * SPDX-License-Identifier: 0BSD */
#define _GNU_SOURCE

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

/* --- the tool's data, as it was before its first run --- */

extern char __start_fuzz_data[] __attribute__((weak)), __stop_fuzz_data[] __attribute__((weak));
extern char __start_fuzz_bss[] __attribute__((weak)), __stop_fuzz_bss[] __attribute__((weak));
static char *kept[2];

/* Between the variables lie the sanitizer's red zones, which memcpy must not touch. */
static __attribute__((no_sanitize("address"), noinline)) void
copy(char *to, const char *from, size_t n)
{
	volatile uint64_t *t = (volatile uint64_t *)(void *)to;
	const volatile uint64_t *f = (const volatile uint64_t *)(const void *)from;
	size_t i;

	for (i = 0; i < n / 8; i++)
		t[i] = f[i];
	for (i = n / 8 * 8; i < n; i++)
		((volatile char *)to)[i] = ((const volatile char *)from)[i];
}

static char *
keep(const char *start, const char *stop)
{
	size_t n = (size_t)(stop - start) + 8;
	char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	copy(p, start, (size_t)(stop - start));
	return p;
}

/* --- what is to be undone --- */

#define LIVE (1u << 22)		/* addresses that one run is given, twice */
#define FILES 64

void __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t), void (*)(const volatile void *));

static const volatile void **live;	/* open addressing; 1 is where one was */
static unsigned *where, nwhere;
static int running;
static __thread int ours;		/* libFuzzer has threads, which allocate too */
static struct { FILE *f; char **user, *text; size_t *user_n, n; } file[FILES];
static DIR *dir[FILES];
static jmp_buf end;
static int first_fd, ended;
static int64_t clock_ms, clock_looks;

#define GONE ((const volatile void *)1)

static unsigned
slot(const volatile void *p)
{
	return (unsigned)(((uintptr_t)p >> 4) * UINT64_C(11400714819323198485) >> 42);
}

static void
allocated(const volatile void *p, size_t n)
{
	unsigned i;

	(void)n;
	if (!running || !ours || p == NULL)
		return;
	for (i = slot(p); live[i] != NULL && live[i] != GONE; i = (i + 1) % LIVE)
		;
	if (nwhere == LIVE / 2)
		abort();
	if (live[i] == NULL)
		where[nwhere++] = i;
	live[i] = p;
}

static void
freed(const volatile void *p)
{
	unsigned i;

	if (!running || !ours || p == NULL)
		return;
	for (i = slot(p); live[i] != NULL; i = (i + 1) % LIVE)
		if (live[i] == p) {
			live[i] = GONE;
			return;
		}
}


static void
undo(void)
{
	const volatile void *p;
	int i, fd;

	running = 1;
	for (i = 0; i < FILES; i++) {
		if (file[i].f != NULL)
			fclose(file[i].f);
		if (dir[i] != NULL)
			closedir(dir[i]);
		file[i].f = NULL;
		dir[i] = NULL;
	}
	running = 0;
	while (nwhere > 0) {
		p = live[where[--nwhere]];
		live[where[nwhere]] = NULL;
		if (p != GONE)
			free((void *)(uintptr_t)p);
	}
	fd = dup(0);
	for (i = first_fd; i <= fd; i++)
		close(i);
	copy(__start_fuzz_data, kept[0], (size_t)(__stop_fuzz_data - __start_fuzz_data));
	copy(__start_fuzz_bss, kept[1], (size_t)(__stop_fuzz_bss - __start_fuzz_bss));
}

char *fuzz_out;
size_t fuzz_nout;

static void
take_output(void)
{
	static size_t room;
	off_t n;

	running = 0;	/* fuzz_out stays */
	fflush(stdout);
	__fpurge(stdout);
	clearerr(stdout);
	__fpurge(stdin);
	clearerr(stdin);
	n = lseek(1, 0, SEEK_CUR);
	fuzz_nout = n > 0 ? (size_t)n : 0;
	if (fuzz_nout + 1 > room) {
		room = fuzz_nout * 2 + 4096;
		fuzz_out = realloc(fuzz_out, room);
	}
	if (fuzz_nout > 0 && (pread(1, fuzz_out, fuzz_nout, 0) != n || ftruncate(1, 0) != 0 || lseek(1, 0, SEEK_SET) != 0))
		abort();
	fuzz_out[fuzz_nout] = '\0';
}

static void
begin(void)
{
	first_fd = dup(0);	/* libFuzzer and a symbolizer have theirs */
	close(first_fd);
	ended = 0;
	clock_ms = INT64_C(1764403200000);
	clock_looks = 0;
	ours = running = 1;
}

int
fuzz_run(int (*program)(int, char **), char **argv)
{
	int argc;

	for (argc = 0; argv[argc] != NULL; argc++)
		;
	begin();
	if (setjmp(end) == 0) {
		program(argc, argv);
		fuzz_must(0, "main returned");
	}
	take_output();
	undo();
	fuzz_must(ended <= 3 || (ended >= 124 && ended <= 127) || ended > 128, "a status that there is not");
	return ended;
}

int
fuzz_call(void (*f)(const uint8_t *, size_t), const uint8_t *data, size_t size)
{
	volatile int status = 0;

	begin();
	if (setjmp(end) == 0)
		f(data, size);
	else
		status = 1 + ended;
	take_output();
	undo();
	return status;
}

char *
fuzz_file(int which, const void *data, size_t n)
{
	static char name[4][8] = { "file0", "file1", "file2", "file3" };
	int fd = open(name[which], O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd == -1 || write(fd, data, n) != (ssize_t)n)
		abort();
	close(fd);
	return name[which];
}

char *
fuzz_text(const uint8_t *data, size_t n)
{
	char *s = malloc(n + 1);

	memcpy(s, data, n);
	s[n] = '\0';
	return s;
}

void
fuzz_must(int is, const char *what)
{
	if (is)
		return;
	running = 0;
	dprintf(STDERR_FILENO, "fuzz: %s; stdout: %s\n", what, fuzz_out != NULL ? fuzz_out : "");
	abort();
}

void
fuzz_records(int columns)
{
	const char *s, *end_of = fuzz_out + fuzz_nout;
	int n = 1, empty = 1;

	if (fuzz_nout == 0)
		return;
	fuzz_must(end_of[-1] == '\n', "the last record has no end");
	for (s = fuzz_out; s < end_of; s++) {
		fuzz_must((unsigned char)*s >= ' ' || *s == '\t' || *s == '\n', "a control byte in a record");
		fuzz_must(*s != '\177', "a control byte in a record");
		if (*s == '\t' || *s == '\n') {
			fuzz_must(!empty, "an empty field");
			empty = 1;
			n += *s == '\t';
			if (*s == '\n') {
				fuzz_must(n == columns, "a record of other than its columns");
				n = 1;
			}
		} else
			empty = 0;
	}
}

/* --- the calls that must not be what they are --- */

void __wrap_exit(int) __attribute__((noreturn));
void __wrap__exit(int) __attribute__((noreturn));

void
__wrap_exit(int status)
{
	ended = status;
	longjmp(end, 1);
}

void
__wrap__exit(int status)
{
	__wrap_exit(status);
}

#define REFUSED(type, name, args, value) type __wrap_##name args; type __wrap_##name args { errno = EAGAIN; return value; }
REFUSED(pid_t, fork, (void), -1)
REFUSED(int, execvp, (const char *f, char *const a[]) , ((void)f, (void)a, -1))
REFUSED(int, execv, (const char *f, char *const a[]), ((void)f, (void)a, -1))
REFUSED(int, kill, (pid_t p, int s), ((void)p, (void)s, errno = ESRCH, -1))
REFUSED(int, raise, (int s), ((void)s, 0))
REFUSED(int, sigaction, (int s, const void *a, void *o), ((void)s, (void)a, o != NULL ? memset(o, 0, sizeof(struct sigaction)) == NULL : 0))
REFUSED(int, sigprocmask, (int h, const void *a, void *o), ((void)h, (void)a, (void)o, 0))
REFUSED(int, sigsuspend, (const void *a), ((void)a, -1))
REFUSED(void *, signal, (int s, void *h), ((void)s, (void)h, NULL))
REFUSED(pid_t, waitpid, (pid_t p, int *s, int o), ((void)p, (void)s, (void)o, errno = ECHILD, -1))
REFUSED(int, waitid, (int t, int p, void *i, int o), ((void)t, (void)p, (void)i, (void)o, errno = ECHILD, -1))
REFUSED(int, socket, (int d, int t, int p), ((void)d, (void)t, (void)p, -1))
REFUSED(int, socketpair, (int d, int t, int p, int *f), ((void)d, (void)t, (void)p, (void)f, -1))
REFUSED(int, getaddrinfo, (const void *a, const void *b, const void *c, void *d), ((void)a, (void)b, (void)c, (void)d, -2))
REFUSED(int, unlink, (const char *f), ((void)f, -1))
REFUSED(int, mkstemp64, (char *f), ((void)f, -1))
REFUSED(int, setpgid, (pid_t p, pid_t g), ((void)p, (void)g, 0))
REFUSED(pid_t, setsid, (void), -1)
REFUSED(int, chdir, (const char *f), ((void)f, 0))
REFUSED(int, fchdir, (int f), ((void)f, 0))
REFUSED(int, dup2, (int a, int b), ((void)a, (void)b, -1))
REFUSED(int, prctl, (int a), ((void)a, -1))
REFUSED(long, syscall, (long a), ((void)a, errno = ENOSYS, -1))
REFUSED(int, inotify_init1, (int a), ((void)a, -1))
REFUSED(int, setenv, (const char *n, const char *v, int o), ((void)n, (void)v, (void)o, 0))
REFUSED(int, unsetenv, (const char *n), ((void)n, 0))

int __wrap_clock_gettime(clockid_t id, struct timespec *ts);
int __wrap_nanosleep(const struct timespec *want, struct timespec *rest);
int __wrap_poll(void *p, unsigned long n, int ms);

int
__wrap_clock_gettime(clockid_t id, struct timespec *ts)
{
	(void)id;
	if (++clock_looks > 20000)
		__wrap_exit(124);	/* it waits for what never comes */
	clock_ms += 10;
	ts->tv_sec = (time_t)(clock_ms / 1000);
	ts->tv_nsec = (long)(clock_ms % 1000) * 1000000;
	return 0;
}

int
__wrap_nanosleep(const struct timespec *want, struct timespec *rest)
{
	(void)rest;
	clock_ms += (int64_t)want->tv_sec * 1000 + want->tv_nsec / 1000000;
	return 0;
}

int
__wrap_poll(void *p, unsigned long n, int ms)
{
	(void)p;
	(void)n;
	clock_ms += ms < 0 ? 3600000 : ms;
	return 0;
}

/* Only what lies here, and only to be read. */
static int
is_ours(const char *path)
{
	struct stat st;

	if (*path == '/' || strstr(path, "..") != NULL || stat(path, &st) != 0 || !(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))) {
		errno = ENOENT;
		return 0;
	}
	return 1;
}

int __wrap_open64(const char *, int, ...);
FILE *__wrap_fopen64(const char *, const char *);
FILE *__wrap_fmemopen(void *, size_t, const char *);
FILE *__wrap_open_memstream(char **, size_t *);
int __wrap_fclose(FILE *);
DIR *__wrap_opendir(const char *);
int __wrap_closedir(DIR *);

int
__wrap_open64(const char *path, int flags, ...)
{
	if (strcmp(path, "/dev/null") != 0 && (!is_ours(path) || (flags & O_ACCMODE) != O_RDONLY))
		return -1;
	return open64(path, flags & ~O_CREAT, 0);
}

static int
room(void)
{
	int i;

	for (i = 0; i < FILES; i++)
		if (file[i].f == NULL)
			return i;
	abort();
}

FILE *
__wrap_fopen64(const char *path, const char *mode)
{
	int i = room();

	if (!is_ours(path) || *mode != 'r')
		return NULL;
	file[i].user = NULL;
	return file[i].f = fopen64(path, mode);
}

FILE *
__wrap_fmemopen(void *buf, size_t n, const char *mode)
{
	int i = room();

	file[i].user = NULL;
	return file[i].f = fmemopen(buf, n, mode);
}

/* The text and its length are handed over at the end only: where they should go may be gone by then. */
FILE *
__wrap_open_memstream(char **s, size_t *n)
{
	int i = room();

	file[i].user = s;
	file[i].user_n = n;
	return file[i].f = open_memstream(&file[i].text, &file[i].n);
}

int
__wrap_fclose(FILE *f)
{
	int i, got = fclose(f);

	for (i = 0; i < FILES; i++) {
		if (file[i].f != f)
			continue;
		file[i].f = NULL;
		if (file[i].user != NULL) {
			*file[i].user = file[i].text;
			*file[i].user_n = file[i].n;
		}
	}
	return got;
}

DIR *
__wrap_opendir(const char *path)
{
	int i;

	for (i = 0; i < FILES; i++)
		if (dir[i] == NULL)
			return is_ours(path) ? (dir[i] = opendir(path)) : NULL;
	abort();
}

int
__wrap_closedir(DIR *d)
{
	int i;

	for (i = 0; i < FILES; i++)
		if (dir[i] == d)
			dir[i] = NULL;
	return closedir(d);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static char in[4096], out[65536];
	const struct rlimit most = { 1 << 22, 1 << 22 };
	struct tm tm;
	time_t t = 0;
	int fd = memfd_create("stdout", 0);

	(void)argc;
	(void)argv;
	localtime_r(&t, &tm);	/* what libc keeps for good is allocated now */
	tzset();
	setvbuf(stdin, in, _IOFBF, sizeof in);
	setvbuf(stdout, out, _IOFBF, sizeof out);
	fflush(stdout);
	if (fd == -1 || dup2(fd, 1) == -1)
		abort();
	close(fd);
	/* what is asked to list a grid of 10^13 cells does so until its output is lost (t/fuzz/run ignores SIGXFSZ) */
	setrlimit(RLIMIT_FSIZE, &most);
	live = calloc(LIVE, sizeof *live);
	where = calloc(LIVE, sizeof *where);
	kept[0] = keep(__start_fuzz_data, __stop_fuzz_data);
	kept[1] = keep(__start_fuzz_bss, __stop_fuzz_bss);
	fuzz_out = calloc(1, 1);
	__sanitizer_install_malloc_and_free_hooks(allocated, freed);
	return 0;
}
