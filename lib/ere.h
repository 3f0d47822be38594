/* ere.h - extended regular expressions as a user who knows others writes them */
#ifndef ERE_H
#define ERE_H

#include <stddef.h>

#define ERE_WHY 160

/* NULL, or what is wrong with the expression, in why: an escape that means something elsewhere and here stands for its letter
 * (\d is d), and would match what was not meant; or one on which regcomp() would spend its memory, or over a second: that is
 * tried in a process of its own. What regcomp() refuses itself is not looked at. status: BADUSE, or TROUBLE where there is no
 * such process. */
const char *ere_refused(const char *ere, int *status, char why[ERE_WHY]);

#endif
