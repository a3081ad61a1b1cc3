// What Linux offers for waiting on many descriptors and what Swift's Glibc module leaves out of it:
// epoll, eventfd and accept4. Header only: there is no C source in this package.
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Glibc declares accept4 only under _GNU_SOURCE. We do not define that here: it changes the layout of other types, and
// the compiler refuses a module that sees them differently from Swift's Glibc.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

// Declared only with _GNU_SOURCE, which a module cannot define for the C library's own.
extern int switchback_sched_getaffinity(int process, unsigned long size, void *mask) __asm__("sched_getaffinity");

#endif
