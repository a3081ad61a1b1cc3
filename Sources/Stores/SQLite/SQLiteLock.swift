/// Keeps a second process from the file; the system ends it with the process, however that ends.
///
/// On a file beside it: whoever closes the database's own file, in any way, drops SQLite's locks on it (close(2) of
/// POSIX locks). Two writers would not damage anything, but each would count and wake only its own logins.
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

final class SQLiteLock: Sendable {
    private let descriptor: Mutex<Int32>

    init(path: String) throws(SQLiteOpeningFailure) {
        let name = "\(path)-lock"
        let descriptor = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SQLiteFiles.failure(name, for: path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let failure = SQLiteFiles.failure(name, for: path)
            close(descriptor)
            throw isTaken ? SQLiteOpeningFailure(path: path, cause: .inUse) : failure
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit { self.release() }

    func release() {
        self.descriptor.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }
}
