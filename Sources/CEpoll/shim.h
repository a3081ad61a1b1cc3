// What Linux offers for waiting on many descriptors and what Swift's Glibc module leaves out of it:
// epoll, eventfd and accept4. Header only: there is no C source in this package.
#if defined(__linux__)
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Glibc declares accept4 only under _GNU_SOURCE, which another module may have decided against before us.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
#endif
