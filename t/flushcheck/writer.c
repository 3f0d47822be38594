/* writer - writes records as programs do, for t/flushcheck.bats: writer HOW FILE N USEC
 *
 * SPDX-License-Identifier: 0BSD */
#define _XOPEN_SOURCE 700

#include <sys/mman.h>
#include <sys/types.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void
nap(long us)
{
	struct timespec ts;

	ts.tv_sec = us / 1000000;
	ts.tv_nsec = us % 1000000 * 1000;
	nanosleep(&ts, NULL);
}

/* Through a memory map of a file that was made long enough first. */
static int
by_map(const char *file, int n, long us)
{
	int fd = open(file, O_RDWR | O_CREAT, 0666), i;
	char *map;

	if (fd == -1 || ftruncate(fd, 65536) != 0)
		return 1;
	map = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return 1;
	for (i = 0; i < n; i++) {
		snprintf(map + 8 * i, 9, "rec %03d\n", i);
		nap(us);
	}
	return ftruncate(fd, 8 * n) != 0;
}

/* Changes what is there: longer each time, in one write, so that no look sees it short. */
static int
over(const char *file, int n, long us)
{
	int fd = open(file, O_RDWR | O_CREAT, 0666), i, k;
	char text[8192];

	for (i = 0; i < n; i++) {
		for (k = 0; k <= i; k++)
			snprintf(text + 9 * k, 10, "%03d %03d\n\n", i, k);
		if (pwrite(fd, text, (size_t)(9 * (i + 1)), 0) == -1)
			return 1;
		nap(us);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	const char *how = argc == 5 ? argv[1] : "";
	int n = argc == 5 ? atoi(argv[3]) : 0, i;
	long us = argc == 5 ? atol(argv[4]) : 0;
	FILE *f;

	if (strcmp(how, "map") == 0)
		return by_map(argv[2], n, us);
	if (strcmp(how, "over") == 0)
		return over(argv[2], n, us);
	if (strcmp(how, "stubborn") == 0)
		signal(SIGTERM, SIG_IGN);
	if (argc != 5 || (f = fopen(argv[2], "a")) == NULL)
		return 2;
	if (strcmp(how, "line") == 0 || strcmp(how, "stubborn") == 0)
		setvbuf(f, NULL, _IOLBF, 0);
	for (i = 0; i < n; i++) {
		fprintf(f, "record %d of the run\n", i);
		if (strcmp(how, "sync") == 0 && (fflush(f) != 0 || fsync(fileno(f)) != 0))
			return 1;
		if (us > 0)
			nap(us);
	}
	return fclose(f) != 0;
}
