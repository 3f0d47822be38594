/* opt.h - options by one table: getopt_long with this kit's refusals */
#ifndef OPT_H
#define OPT_H

#include <getopt.h>
#include <stdint.h>

/* The two rows that every table begins with. The short letters are the `val` of the rows, where that is a letter or
 * a digit; long-only options have a val above 255. */
#define OPT_COMMON { "help", no_argument, NULL, 'h' }, { "version", no_argument, NULL, 'V' }

struct opt {
	int argc;
	char **argv;
	const struct option *table;
	int runs;		/* the tool runs a command: `--` starts it, and has no other use */
	int index;		/* the next word to look at, 0 before the first call */
	int at;			/* the word looked at last */
	int ended;		/* a `--` stood before the first operand */
	char **operand;		/* after opt_next gave -1: operands, n of them, */
	int n;
	char **command;		/* and what follows `--`: NULL where there is no `--`, else it ends with NULL */
};

#define OPT_INIT(argc, argv, table, runs) { argc, argv, table, runs, 0, 0, 0, NULL, 0, NULL }

/* The next option's val, its argument in optarg; -1 at the first operand, at `--` or at the end: then operand, n and
 * command stand. -h and -V are answered here. A bad option, or an operand that begins with `-`, ends the program with
 * BADUSE and one line. */
int opt_next(struct opt *o);

/* The same in silence: -h and -V are vals like others, a bad option is '?', and bad operands pass. For a tool that
 * must know what it was asked before it may fail. */
int opt_peek(struct opt *o);

/* The argument of an option as a duration (dur_parse), in milliseconds. Ends the program with BADUSE where it is none. */
int64_t opt_duration(const char *option, const char *arg);

#endif
