import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EventLoop

/// Dispatch's look at its threads, in a process that has no file descriptor left.
@Suite(.blocking) struct BusyQueueTests {
    /// Dispatch starts another thread only after such a look. The test runs in its own process, because the limit
    /// applies to the whole process.
    @Test func `a busy queue does not end a process without descriptors`() async {
        await #expect(processExitsWith: .success) {
            endProcess(afterMinutes: 10)
            // Dispatch opens the descriptors of its own for the first work and for the first that waits.
            let warm = DispatchSemaphore(value: 0)
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { warm.signal() }
            warm.wait()
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            // The process may have inherited any descriptors.
            let lowest = dup(0)
            close(lowest)
            limit.rlim_cur = min(limit.rlim_max, rlim_t(lowest) + 64)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            while dup(0) >= 0 {}
            #expect(Descriptors.areExhausted)
            // Only Dispatch's own path is answered otherwise.
            for path in ["/dev/null", "/proc/self/stat", "/proc/1/status", "/proc//stat", "/proc/1x/stat"] {
                #expect(open(path, O_RDONLY) == -1 && errno == EMFILE, "\(path)")
            }

            let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
            let started = Atomic(0)
            for _ in 0..<8 * processors {
                DispatchQueue.global().async {
                    started.add(1, ordering: .relaxed)
                    while true { sleep(1000) }
                }
            }
            let deadline = Patience.end
            while started.load(ordering: .relaxed) <= processors + 1 {
                guard ContinuousClock.now < deadline else { exit(EXIT_FAILURE) }
                usleep(10_000)
            }
            exit(EXIT_SUCCESS)
        }
    }

    /// The rest of the process sees what libc says.
    @Test func `other files are opened as ever`() throws {
        #expect(open("/proc/self/nothing", O_RDONLY) == -1 && errno == ENOENT)
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        #expect(descriptor >= 0 && fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
        close(descriptor)
    }
}
