import Glibc

/// The CPU time of this process, on which other processes of the machine have little influence.
package enum CPUTime {
    package static var seconds: Double { self.read(CLOCK_PROCESS_CPUTIME_ID) }

    package static var wallSeconds: Double { self.read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
