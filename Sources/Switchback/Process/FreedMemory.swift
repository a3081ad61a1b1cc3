/// Memory that was freed and that the system could have again.

#if canImport(Glibc)
import CMalloc
#endif

/// glibc gives back by itself only what is free at the end of an arena, and one row that stays can hold up all before it.
///
/// While it looks for free pages nobody else can have memory of that arena, for longer the more there are to give back:
/// not once for a million logins, and the less often the longer it takes.
struct FreedMemory {
    /// After so many logins it may be worth while: they had some megabytes.
    private static let many = 16_384

    private var logins = 0
    private var wanted = Self.many

    /// So many logins have been changed or removed, and there are more.
    mutating func note(_ logins: Int) {
        self.logins += logins
        if self.logins >= self.wanted { self.giveBack() }
    }

    /// There are no more for now.
    mutating func end() {
        if self.logins >= Self.many { self.giveBack() }
    }

    private mutating func giveBack() {
        self.logins = 0
        #if canImport(Glibc)
        let duration = ContinuousClock().measure { _ = malloc_trim(0) }
        self.wanted = Self.many * min(8, max(1, Int(duration / .milliseconds(1))))
        #endif
    }
}
