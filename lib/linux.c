/* linux - what Linux alone can do
 *
 * The kernel's numbers are asked for at run time: a program built on a new machine runs on an old kernel, and the call fails
 * there with ENOSYS.
 * SPDX-License-Identifier: 0BSD */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include <errno.h>

#if defined(__linux__) && !defined(NO_LINUX)
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "linux.h"

#if defined(__linux__) && !defined(NO_LINUX)

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434	/* the same on every architecture */
#endif
#ifndef PR_SET_CHILD_SUBREAPER
#define PR_SET_CHILD_SUBREAPER 36
#endif

int
linux_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

int
linux_subreaper(void)
{
	return prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
}

int
linux_hints(void)
{
	return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

int
linux_hint(int fd, const char *path)
{
	return inotify_add_watch(fd, path, IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_DELETE_SELF |
	    IN_MODIFY | IN_MOVE | IN_MOVE_SELF) == -1 ? -1 : 0;
}

void
linux_hinted(int fd)
{
	char some[4096];
	int rounds;

	for (rounds = 0; rounds < 16 && read(fd, some, sizeof some) > 0; rounds++)
		;	/* a directory that is written all the time never runs out */
}

#else

int
linux_pidfd(pid_t pid)
{
	(void)pid;
	errno = ENOSYS;
	return -1;
}

int
linux_subreaper(void)
{
	errno = ENOSYS;
	return -1;
}

int
linux_hints(void)
{
	errno = ENOSYS;
	return -1;
}

int
linux_hint(int fd, const char *path)
{
	(void)fd;
	(void)path;
	errno = ENOSYS;
	return -1;
}

void
linux_hinted(int fd)
{
	(void)fd;
}

#endif
