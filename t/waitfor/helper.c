/* helper - what the tests of waitfor wait for
 *
 * usage: helper tcp HOST PORT ANSWER [MS]   listens (PORT 0: any, its number is printed), answers each request with ANSWER
 *                                        (\r \n are its escapes), a byte every MS where that is given; `-` never answers
 *        helper bound HOST               prints a port that is bound but does not listen
 *        helper unix PATH [MS]           binds PATH, listens MS later
 *        helper threads                  prints the number of a thread that is no process, then stays
 *        helper exec N CMD...            CMD with the descriptors up to N open
 *        helper zombie                   prints the number of a zombie, then stays
 *        helper group                    a group whose leader is a zombie and whose other process stays: prints both
 *        helper many N CMD...            CMD N times at once, a word when all were started; fails unless all end with 0
 *        helper now                      the monotonic clock in ms
 * SPDX-License-Identifier: 0BSD */
#define _GNU_SOURCE

#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int
fail(const char *what)
{
	perror(what);
	return 99;
}

static int
bound(const char *host, const char *port, char *number)
{
	struct addrinfo hint, *ai;
	struct sockaddr_storage at;
	socklen_t n = sizeof at;
	int fd, on = 1;

	memset(&hint, 0, sizeof hint);
	hint.ai_socktype = SOCK_STREAM;
	hint.ai_flags = AI_PASSIVE | AI_NUMERICHOST;
	if (getaddrinfo(host, port, &hint, &ai) != 0)
		return -1;
	fd = socket(ai->ai_family, SOCK_STREAM, 0);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (bind(fd, ai->ai_addr, ai->ai_addrlen) != 0)
		return -1;
	getsockname(fd, (struct sockaddr *)&at, &n);
	getnameinfo((struct sockaddr *)&at, n, NULL, 0, number, 16, NI_NUMERICSERV);
	return fd;
}

static void
answer(int c, const char *text, int ms)
{
	char request[8192];
	const char *s;
	ssize_t n;

	if (strcmp(text, "-") == 0) {
		while (recv(c, request, sizeof request, 0) > 0)
			;
		_exit(0);
	}
	n = recv(c, request, sizeof request - 1, 0);
	if (n > 0 && getenv("T_REQUESTS") != NULL && write(1, request, (size_t)n) != n)
		_exit(1);
	for (s = text; *s != '\0'; s++) {
		char byte = *s;
		if (*s == '\\' && s[1] != '\0')
			byte = *++s == 'r' ? '\r' : *s == '0' ? '\0' : '\n';
		if (send(c, &byte, 1, MSG_NOSIGNAL) != 1)
			break;
		if (ms > 0)
			poll(NULL, 0, ms);
	}
	shutdown(c, SHUT_WR);
	while (recv(c, request, sizeof request, 0) > 0)
		;
	_exit(0);
}

static int
tcp(int argc, char **argv)
{
	char number[16];
	int fd, c;

	(void)argc;
	fd = bound(argv[2], argv[3], number);
	if (fd == -1 || listen(fd, 100) != 0)
		return fail("listen");
	printf("%s\n", number);
	fflush(stdout);
	signal(SIGCHLD, SIG_IGN);
	for (;;) {
		c = accept(fd, NULL, NULL);
		if (c != -1 && fork() == 0)
			answer(c, argv[4], argc > 5 ? (int)strtol(argv[5], NULL, 10) : 0);
		close(c);
	}
}

static void *
thread(void *none)
{
	printf("%ld\n", (long)syscall(SYS_gettid));
	fflush(stdout);
	for (;;)
		pause();
	return none;
}

static int
stay(void)
{
	fflush(stdout);
	for (;;)
		pause();
	return 0;
}

static double
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	struct sockaddr_un un;
	char number[16];
	siginfo_t si;
	pthread_t t;
	pid_t pid;
	int fd, i;

	if (strcmp(what, "tcp") == 0)
		return tcp(argc, argv);
	if (strcmp(what, "bound") == 0) {
		if (bound(argv[2], "0", number) == -1)
			return fail("bind");
		printf("%s\n", number);
		return stay();
	}
	if (strcmp(what, "unix") == 0) {
		memset(&un, 0, sizeof un);
		un.sun_family = AF_UNIX;
		strncpy(un.sun_path, argv[2], sizeof un.sun_path - 1);
		fd = socket(AF_UNIX, SOCK_STREAM, 0);
		if (bind(fd, (struct sockaddr *)&un, sizeof un) != 0)
			return fail("bind");
		if (argc > 3)
			poll(NULL, 0, (int)strtol(argv[3], NULL, 10));
		if (listen(fd, 10) != 0)
			return fail("listen");
		return stay();
	}
	if (strcmp(what, "threads") == 0) {
		pthread_create(&t, NULL, thread, NULL);
		return stay();
	}
	if (strcmp(what, "zombie") == 0 || strcmp(what, "group") == 0) {
		pid = fork();
		if (pid == 0) {
			setpgid(0, 0);
			if (strcmp(what, "group") == 0) {
				if ((pid = fork()) == 0)
					return stay();
				printf("%ld %ld\n", (long)getpid(), (long)pid);
				fflush(stdout);
			}
			_exit(0);
		}
		waitid(P_PID, (id_t)pid, &si, WEXITED | WNOWAIT);
		if (strcmp(what, "zombie") == 0)
			printf("%ld\n", (long)pid);
		return stay();
	}
	if (strcmp(what, "exec") == 0) {
		for (i = 3; i < (int)strtol(argv[2], NULL, 10); i++)
			if (open("/dev/null", O_RDONLY) == -1)
				break;
		execvp(argv[3], argv + 3);
		return fail("exec");
	}
	if (strcmp(what, "many") == 0) {
		for (i = (int)strtol(argv[2], NULL, 10); i > 0; i--)
			if (posix_spawnp(&pid, argv[3], NULL, NULL, argv + 3, environ) != 0)
				return fail("spawn");
		printf("started\n");
		fflush(stdout);
		while (waitpid(-1, &i, 0) > 0)
			if (i != 0)
				return 1;
		return 0;
	}
	if (strcmp(what, "now") == 0) {
		printf("%.0f\n", now());
		return 0;
	}
	return 99;
}
