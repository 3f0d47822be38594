/* wait - how long after an event a waiter ends, and what waiting costs
 *
 * usage: wait latency RUNS file|pid|port WAITER [ARG...]   {} in ARG stands for the path, the process, the port
 *            output: median and 99 % of the time from the event to the waiter's end, in ms
 *        wait cpu WAITER [ARG...]    output: CPU time of it and of what it started, in ms
 * The event comes 0.2 to 1.2 s after the waiter was started.
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE

#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static pid_t
start(char **argv, const char *word)
{
	pid_t pid = fork();
	int null, i;
	char *at, *text;

	if (pid != 0)
		return pid;
	for (i = 0; argv[i] != NULL; i++)
		if (word != NULL && (at = strstr(argv[i], "{}")) != NULL) {
			text = malloc(strlen(argv[i]) + strlen(word) + 1);
			sprintf(text, "%.*s%s%s", (int)(at - argv[i]), argv[i], word, at + 2);
			argv[i] = text;
		}
	null = open("/dev/null", O_RDWR);
	dup2(null, 1);
	dup2(null, 2);
	execvp(argv[0], argv);
	_exit(127);
}

static double
one(const char *what, char **argv)
{
	struct sockaddr_in in;
	socklen_t n = sizeof in;
	char word[100];
	pid_t pid, target = -1;
	double at;
	int status, fd = -1, on = 1;

	snprintf(word, sizeof word, "event.%ld", (long)getpid());
	if (strcmp(what, "pid") == 0) {
		target = fork();
		if (target == 0)
			for (;;)
				pause();
		snprintf(word, sizeof word, "%ld", (long)target);
	}
	if (strcmp(what, "port") == 0) {
		memset(&in, 0, sizeof in);
		in.sin_family = AF_INET;
		in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		fd = socket(AF_INET, SOCK_STREAM, 0);
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
		if (bind(fd, (struct sockaddr *)&in, sizeof in) != 0 || getsockname(fd, (struct sockaddr *)&in, &n) != 0)
			exit(2);
		snprintf(word, sizeof word, "%d", ntohs(in.sin_port));
	}
	unlink(word);
	pid = start(argv, word);
	usleep(200000 + (useconds_t)(random() % 1000000));
	at = now();
	if (target != -1) {
		kill(target, SIGKILL);
		waitpid(target, &status, 0);	/* a shell's kill -0 would see the zombie for ever */
	} else if (fd != -1)
		listen(fd, 10);
	else
		close(open(word, O_CREAT | O_WRONLY, 0600));
	if (waitpid(pid, &status, 0) != pid || status != 0) {
		fprintf(stderr, "wait: %s ended with %d\n", argv[0], status);
		exit(2);
	}
	at = now() - at;
	if (fd != -1)
		close(fd);
	unlink(word);
	return at;
}

int
main(int argc, char **argv)
{
	struct rusage u;
	double *v;
	long n, i;
	int status;

	if (argc > 4 && strcmp(argv[1], "latency") == 0) {
		n = strtol(argv[2], NULL, 10);
		v = malloc((size_t)n * sizeof *v);
		for (i = 0; i < n; i++)
			v[i] = one(argv[3], argv + 4);
		qsort(v, (size_t)n, sizeof *v, by_value);
		printf("%.1f\t%.1f\n", v[n / 2], v[(n * 99 + 99) / 100 - 1]);
		return 0;
	}
	if (argc > 2 && strcmp(argv[1], "cpu") == 0) {
#ifdef PR_SET_CHILD_SUBREAPER
		prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);	/* what it leaves to others to reap counts */
#endif
		start(argv + 2, NULL);
		while (waitpid(-1, &status, 0) != -1)
			;
		getrusage(RUSAGE_CHILDREN, &u);
		printf("%.1f\n", (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 +
		    (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e3);
		return 0;
	}
	return 2;
}
