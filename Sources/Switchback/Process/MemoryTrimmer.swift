#if canImport(Glibc)
import CMalloc
#endif

/// Returns freed memory to the operating system.
///
/// glibc only returns memory at the end of an arena on its own, and a single remaining row can block all memory before
/// it.
///
/// `malloc_trim` locks the arena while it looks for free pages, the longer the more it returns. So we do not wait until
/// a million logins are gone, and we call it less often the longer it takes.
struct MemoryTrimmer {
    /// The number of logins after which a trim is worthwhile: they used some megabytes.
    private static let trimThreshold = 16_384

    private var logins = 0
    private var threshold = Self.trimThreshold

    /// Notes that so many logins were changed or removed, and that more will follow.
    mutating func note(_ logins: Int) {
        self.logins += logins
        if self.logins >= self.threshold { self.trim() }
    }

    /// Notes that no more logins follow for now.
    mutating func end() {
        if self.logins >= Self.trimThreshold { self.trim() }
    }

    private mutating func trim() {
        self.logins = 0
        #if canImport(Glibc)
        let duration = ContinuousClock().measure { _ = malloc_trim(0) }
        self.threshold = Self.trimThreshold * min(8, max(1, Int(duration / .milliseconds(1))))
        #endif
    }
}
