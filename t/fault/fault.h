/* fault.h - what drive.c and preload.c share: which call is to fail, and how many there were */
#ifndef FAULT_H
#define FAULT_H

enum fault_call {
	FAULT_MALLOC, FAULT_READ, FAULT_WRITE, FAULT_OPEN, FAULT_FORK, FAULT_PIPE, FAULT_CLOSE, FAULT_CLOCK, FAULT_DUP,
	FAULT_STAT, FAULT_READDIR, FAULT_POLL, FAULT_SLEEP, FAULT_WAIT, FAULT_CALLS
};

struct fault {
	int call;		/* enum fault_call, -1 none */
	long at;		/* the at-th fails, from 1, */
	int error;		/* with this errno */
	int shorten;		/* each read and write moves one byte */
	int fired;		/* it did */
	long calls[FAULT_CALLS];
};

#endif
