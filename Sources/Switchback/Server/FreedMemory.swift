/// Memory that was freed and that the system could have again.

#if canImport(Glibc)
import CMalloc
#endif

enum FreedMemory {
    /// glibc gives back by itself only what is free at the end of an arena, and one row that stays can hold up all before
    /// it. This looks at every page, so it is for after a peak, not for every day.
    static func giveBack() {
        #if canImport(Glibc)
        _ = malloc_trim(0)
        #endif
    }
}
