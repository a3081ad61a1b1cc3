#if canImport(Glibc)
import Glibc

/// What Dispatch needs from `open` when the process has no file descriptor left. It is no descriptor, and reading or
/// closing it fails with `EBADF`.
private let noDescriptor = Int32.max

/// The `open` of the whole process, in place of Glibc's, and the same but for one path.
///
/// While work waits in a global queue, Dispatch looks once a second which of its threads run. It opens `/proc/ID/stat`
/// for each of them, and ends the process if that fails (swift-corelibs-libdispatch, `src/event/workqueue.c`,
/// `_dispatch_workq_count_runnable_workers`). If it cannot read the file, it only counts one thread less. So without a
/// free descriptor it gets a number that nobody can read.
///
/// Package.swift tells the linker to export it; otherwise a shared Dispatch would find Glibc's.
@c(open) package func openAlsoWithoutDescriptors(
    _ path: UnsafePointer<CChar>, _ flags: CInt, _ mode: mode_t
) -> CInt {
    let descriptor = openat(AT_FDCWD, path, flags, mode)
    guard descriptor < 0, Descriptors.isExhaustion(errno), isThreadState(path) else { return descriptor }
    return noDescriptor
}

/// Whether the path is `/proc/ID/stat` with a number. It must not allocate, and must leave `errno` as it is.
private func isThreadState(_ path: UnsafePointer<CChar>) -> Bool {
    guard strncmp(path, "/proc/", 6) == 0 else { return false }
    let digits = strspn(path + 6, "0123456789")
    return digits > 0 && strcmp(path + 6 + digits, "/stat") == 0
}
#endif
