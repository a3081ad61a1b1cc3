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
    private let descriptors: Mutex<[Int32]>

    /// `file` has no links in it; `path` is what it is called in the configuration.
    init(file: String, path: String) throws(SQLiteOpeningFailure) {
        let name = "\(file)-lock"
        let beside = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard beside >= 0 else { throw SQLiteFiles.failure(name, for: path) }
        var taken = [beside]
        do throws(SQLiteOpeningFailure) {
            guard fchmod(beside, 0o600) == 0 else { throw SQLiteFiles.failure(name, for: path) }
            try Self.lock(beside, name, for: path)
            taken.append(try SQLiteFiles.open(file, for: path))
            try Self.lock(taken[1], file, for: path)
            try SQLiteFiles.closeToOthers(besides: file, for: path)
        } catch {
            for descriptor in taken { Self.release(descriptor) }
            throw error
        }
        self.descriptors = Mutex(taken)
    }

    deinit { self.release() }

    func release() {
        self.descriptors.withLock { descriptors in
            for descriptor in descriptors { Self.release(descriptor) }
            descriptors = []
        }
    }

    /// A process that is being started has a copy until it runs its program, and closing ours would leave the lock to it.
    private static func release(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func lock(_ descriptor: Int32, _ name: String, for path: String) throws(SQLiteOpeningFailure) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        guard errno != EWOULDBLOCK else { throw SQLiteOpeningFailure(path: path, cause: .inUse) }
        throw SQLiteFiles.failure(name, for: path)
    }
}
