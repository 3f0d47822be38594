/* linux.h - what Linux alone can do; elsewhere (or built with -DNO_LINUX) each call fails with ENOSYS and the caller
 * goes the POSIX way */
#ifndef LINUX_H
#define LINUX_H

#include <sys/types.h>

/* A descriptor that becomes readable when the process ends (5.3 and later), close-on-exec. -1 and errno: ESRCH there is no
 * such process, EINVAL it is ending or is a thread's id, ENOSYS not here. The caller closes it. */
int linux_pidfd(pid_t pid);

/* Makes us the parent of orphans below us (3.4 and later). 0, or -1. */
int linux_subreaper(void);

/* A descriptor that becomes readable when something in a watched directory or file changes, non-blocking and
 * close-on-exec; linux_hint adds one to it. A hint only: other hosts' changes are not seen. 0 or a descriptor, or -1. */
int linux_hints(void);
int linux_hint(int fd, const char *path);

/* Closes the hints without waiting: the end of their watches takes 10 to 30 ms (seen on Linux 6.18). For a program's end. */
void linux_leave(int fd);

#endif
