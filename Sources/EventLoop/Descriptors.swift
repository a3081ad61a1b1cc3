#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file descriptors of this process: how many it may have, and whether any is left.
package enum Descriptors {
    /// What an operator can do when there are too few.
    package static let advice =
        "raise the limit of open files (LimitNOFILE of systemd, --ulimit nofile of Docker, ulimit -n)"

    /// How many there may be. Every new descriptor is below this number.
    package static var limit: Int { Self.limits.map { Self.count($0.rlim_cur) } ?? 1024 }

    /// The limit that `raiseLimit` would reach.
    package static var hardLimit: Int { Self.limits.map { Self.count($0.rlim_max) } ?? 1024 }

    /// Raises the soft limit to the hard one, as far as the system allows, and returns the new limit. The soft limit is
    /// low for programs that use select(2), which this one does not.
    package static func raiseLimit() -> Int {
        guard var limits = Self.limits, limits.rlim_cur < limits.rlim_max else { return Self.limit }
        limits.rlim_cur = limits.rlim_max
        _ = setrlimit(Self.resource, &limits)
        return Self.limit
    }

    /// Whether the process or the machine has none left at this time. Callers ask after a failure of a library that
    /// does not say why.
    package static var areExhausted: Bool {
        let descriptor = fcntl(0, F_DUPFD_CLOEXEC, 0)
        guard descriptor < 0 else {
            close(descriptor)
            return false
        }
        return Self.isExhaustion(errno)
    }

    /// Whether the process (EMFILE) or the machine (ENFILE) has none left.
    package static func isExhaustion(_ code: Int32) -> Bool { code == EMFILE || code == ENFILE }

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif

    private static var limits: rlimit? {
        var limits = rlimit()
        return getrlimit(Self.resource, &limits) == 0 ? limits : nil
    }

    /// Without a limit, returns a number that can still be added to.
    private static func count(_ limit: rlim_t) -> Int { Int(min(limit, rlim_t(Int32.max))) }
}
