/* fault.h - what drive.c and preload.c share: which call is to fail, how many there were, and the surroundings */
#ifndef FAULT_H
#define FAULT_H

enum fault_call {
	FAULT_MALLOC, FAULT_READ, FAULT_WRITE, FAULT_OPEN, FAULT_FORK, FAULT_PIPE, FAULT_CLOSE, FAULT_CLOCK, FAULT_DUP,
	FAULT_STAT, FAULT_READDIR, FAULT_POLL, FAULT_SLEEP, FAULT_WAIT, FAULT_FCNTL, FAULT_EXEC, FAULT_SIGNAL, FAULT_KILL,
	FAULT_GROUP, FAULT_HINT, FAULT_SOCKET, FAULT_CALLS
};

struct fault_poor {
	int closed;	/* the sum of 1 << descriptor */
	int full;	/* stdout is /dev/full */
	int files;	/* RLIMIT_NOFILE */
	int environ;	/* 1: 64 KB more of it, -1: none, -2: no PATH */
};

struct fault {
	int call;		/* enum fault_call, -1 none */
	long at;		/* the at-th fails, from 1, */
	int error;		/* with this errno */
	int shorten;		/* each read and write moves one byte */
	int fired;		/* it did */
	long calls[FAULT_CALLS];
	struct fault_poor poor;
};

#endif
