// Linux's functions for waiting on many descriptors that Swift's Glibc module leaves out: epoll, eventfd and accept4.
// Header only: this package has no C source.
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Glibc declares accept4 only under _GNU_SOURCE. We do not define that here: it changes the layout of other types, and
// the compiler refuses a module that sees them differently from Swift's Glibc.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

// Glibc declares this only under _GNU_SOURCE too, which a module cannot define for the C library's own module.
extern int switchback_sched_getaffinity(int process, unsigned long size, void *mask) __asm__("sched_getaffinity");

#endif
