/* dur.h - durations: ours and Slurm's requests, sacct's own output, and Slurm's way to print them */
#ifndef DUR_H
#define DUR_H

#include <stddef.h>
#include <stdint.h>

#define DUR_MAX INT64_C(315360000000)	/* ten years in milliseconds: the longest that is believed */
#define DUR_WHY 160			/* room for a reason */
#define DUR_TEXT 32			/* room for dur_slurm */

/* A duration as an option takes it: `90s 10m 4h30m 2d` (units d h m s, falling, each once; decimals on s alone) or
 * Slurm's `MM:SS HH:MM:SS D-HH D-HH:MM D-HH:MM:SS`. 0 and *ms (0 to DUR_MAX), or -1 and a reason in `why`.
 * A bare number other than 0 is refused: sleep(1) reads seconds, sbatch --time minutes. */
int dur_parse(const char *s, int64_t *ms, char why[DUR_WHY]);

/* The n bytes at s, a duration as sacct prints it, in ms: `[D-]HH:MM:SS[.mmm]` or `MM:SS[.mmm]` (Slurm,
 * src/sacct/print.c). -1 where they are none. */
int64_t dur_sacct(const char *s, size_t n);

/* `seconds` as Slurm prints them: HH:MM:SS below a day, D-HH:MM:SS from a day on. Returns buf. */
const char *dur_slurm(int64_t seconds, char buf[DUR_TEXT]);

#endif
