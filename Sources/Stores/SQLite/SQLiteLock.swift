/// Keeps a second process from the database; the system ends it with the process, however that ends.
///
/// There are two locks. One is on a file beside the database, so that a second server does not make a new database where
/// the first one's was moved away. The other is on the database's own file, so that no second name (a hard link, a bind
/// mount) leads to it while it is in use. Two writers would not damage anything, but each would count and wake only its own
/// logins. flock(2) does not touch SQLite's own locks, which are fcntl(2)'s; closing the file would, so it is closed last.
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

final class SQLiteLock: Sendable {
    private struct Files: ~Copyable, Sendable {
        let beside: LockedFile
        let own: LockedFile
    }

    private let files: Mutex<Files?>

    /// `file` has no links in it; `path` is what it is called in the configuration.
    init(file: String, path: String) throws(SQLiteOpeningError) {
        let name = "\(file)-lock"
        let beside = LockedFile(open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600))
        guard beside.descriptor >= 0, fchmod(beside.descriptor, 0o600) == 0 else {
            throw SQLiteFiles.failure(name, for: path)
        }
        try beside.lock(name, for: path)
        let own = LockedFile(try SQLiteFiles.open(file, for: path))
        try own.lock(file, for: path)
        try SQLiteFiles.closeToOthers(besides: file, for: path)
        self.files = Mutex(Files(beside: beside, own: own))
    }

    func release() { self.files.withLock { $0 = nil } }
}

/// A file that is open, and locked once `lock` has returned. Whoever has it is its only owner: it ends with him.
private struct LockedFile: ~Copyable, Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// A process that is being started has a copy until it runs its program, and closing ours would leave the lock to it.
    deinit {
        guard self.descriptor >= 0 else { return }
        flock(self.descriptor, LOCK_UN)
        close(self.descriptor)
    }

    func lock(_ name: String, for path: String) throws(SQLiteOpeningError) {
        guard flock(self.descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        guard errno != EWOULDBLOCK else { throw SQLiteOpeningError(path: path, cause: .inUse) }
        throw SQLiteFiles.failure(name, for: path)
    }
}
