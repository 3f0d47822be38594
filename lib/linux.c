/* linux - what Linux alone can do
 *
 * The kernel's numbers are asked for at run time: a program built on a new machine runs on an old kernel, and the call fails
 * there with ENOSYS.
 * SPDX-License-Identifier: 0BSD */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <unistd.h>

#if defined(__linux__) && !defined(NO_LINUX)
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <string.h>
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

/* The descriptor is sent into a socket that holds itself, too, and nothing else does: the kernel's collector of such
 * sockets closes both, in its own time. Where it cannot be sent it is closed as usual. */
void
linux_leave(int fd)
{
	union {
		char bytes[CMSG_SPACE(2 * sizeof(int))];
		struct cmsghdr align;
	} u;
	struct msghdr m;
	struct iovec v;
	int pair[2], both[2];
	char none = 0;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0) {
		memset(&m, 0, sizeof m);
		memset(&u, 0, sizeof u);
		v.iov_base = &none;
		v.iov_len = 1;
		m.msg_iov = &v;
		m.msg_iovlen = 1;
		m.msg_control = u.bytes;
		m.msg_controllen = sizeof u.bytes;
		u.align.cmsg_level = SOL_SOCKET;
		u.align.cmsg_type = SCM_RIGHTS;
		u.align.cmsg_len = CMSG_LEN(sizeof both);
		both[0] = fd;
		both[1] = pair[1];
		memcpy(CMSG_DATA(&u.align), both, sizeof both);
		sendmsg(pair[0], &m, MSG_DONTWAIT | MSG_NOSIGNAL);
		close(pair[1]);
		close(pair[0]);
	}
	close(fd);
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
linux_leave(int fd)
{
	close(fd);
}

#endif
