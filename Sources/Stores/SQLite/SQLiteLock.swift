import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Keeps a second process from using the database. The operating system releases the lock when the process ends in any
/// way.
///
/// There are two locks. One is on a file beside the database, so that a second server does not create a new database
/// after the first one's was moved away. The other is on the database file itself, so that it cannot be used under a
/// second name (a hard link, a bind mount). Two writers would not damage anything, but each would count and wake only
/// its own logins. flock(2) does not interfere with SQLite's own fcntl(2) locks. Closing the file would, so we close it
/// last.
final class SQLiteLock: Sendable {
    private struct Files: ~Copyable, Sendable {
        let beside: LockedFile
        let own: LockedFile
    }

    private let files: Mutex<Files?>

    /// `file` is the path without symbolic links. `path` is the path in the configuration.
    init(file: String, path: String) throws(StoreOpeningError) {
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

/// An open file, locked once `lock` has returned. The value has one owner and closes the file at its end.
private struct LockedFile: ~Copyable, Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Unlocks before it closes: a child process shares the descriptor until its exec, and a plain close would leave
    /// the lock to it.
    deinit {
        guard self.descriptor >= 0 else { return }
        flock(self.descriptor, LOCK_UN)
        close(self.descriptor)
    }

    func lock(_ name: String, for path: String) throws(StoreOpeningError) {
        guard flock(self.descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        guard errno != EWOULDBLOCK else { throw StoreOpeningError(.inUse, at: path) }
        throw SQLiteFiles.failure(name, for: path)
    }
}
