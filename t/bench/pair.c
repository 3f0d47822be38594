/* pair - runs two commands in turn, A B A B ..., and prints the medians of their wall times and of the ratio A/B
 *
 * usage: pair RUNS A [ARG...] --vs B [ARG...]     output: median A in ms, median B in ms, median of A/B of the pairs
 * Both are exec'ed directly; their stdout and stderr go to /dev/null, their status is not looked at.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L

#include <sys/types.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double
run(char **argv)
{
	struct timespec a, b;
	int null, status;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &a);
	pid = fork();
	if (pid == 0) {
		null = open("/dev/null", O_RDWR);
		dup2(null, 1);
		dup2(null, 2);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid == -1 || waitpid(pid, &status, 0) != pid || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) {
		fprintf(stderr, "pair: %s could not be run\n", argv[0]);
		exit(2);
	}
	clock_gettime(CLOCK_MONOTONIC, &b);
	return (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) / 1e6;
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static double
median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

int
main(int argc, char **argv)
{
	size_t n = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 0, i;
	double *t[3];
	int vs = 2;

	while (vs < argc && strcmp(argv[vs], "--vs") != 0)
		vs++;
	if (n == 0 || vs < 3 || vs + 1 >= argc) {
		fprintf(stderr, "usage: pair RUNS A [ARG...] --vs B [ARG...]\n");
		return 2;
	}
	argv[vs] = NULL;
	for (i = 0; i < 3; i++)
		if ((t[i] = malloc(n * sizeof *t[i])) == NULL)
			return 3;
	run(argv + 2);
	run(argv + vs + 1);
	for (i = 0; i < n; i++) {
		t[0][i] = run(argv + 2);
		t[1][i] = run(argv + vs + 1);
		t[2][i] = t[0][i] / t[1][i];
	}
	printf("%.3f\t%.3f\t%.2f\n", median(t[0], n), median(t[1], n), median(t[2], n));
	return 0;
}
