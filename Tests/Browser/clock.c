// The clock of a sandbox, which stands until a check moves it: CLOCK_REALTIME comes from a file, all else stays real.
//
// libfaketime moves timers of the monotonic clock too, so that libdispatch's are over at once, again and again: a
// sandbox whose time was moved ahead then took a whole processor.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t *seconds;

__attribute__((constructor)) static void open_clock(void) {
    int file = open(getenv("CLOCK_FILE"), O_RDONLY | O_CLOEXEC);
    void *found = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    if (found == MAP_FAILED) abort();
    seconds = found;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (!seconds || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) {
        return (int)syscall(SYS_clock_gettime, clock, now);
    }
    *now = (struct timespec){.tv_sec = *seconds};
    return 0;
}

int gettimeofday(struct timeval *now, void *zone) {
    (void)zone;
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    *now = (struct timeval){.tv_sec = found.tv_sec, .tv_usec = found.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *now) {
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    if (now) *now = found.tv_sec;
    return found.tv_sec;
}

// libdispatch waits until a time of this clock, which the system compares with the real one.
int sem_timedwait(sem_t *semaphore, const struct timespec *end) {
    static int (*wait)(sem_t *, const struct timespec *);
    if (!wait) wait = (int (*)(sem_t *, const struct timespec *))dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec here, real, until = *end;
    clock_gettime(CLOCK_REALTIME, &here);
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &real);
    until.tv_sec += real.tv_sec - here.tv_sec;
    return wait(semaphore, &until);
}
