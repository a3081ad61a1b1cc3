/// Where the file was when it was opened. SQLite goes on writing to a file that has been moved away or deleted, and
/// whoever opens the path after the next start would find nothing of it.
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

struct SQLitePlace: Sendable {
    private struct Identity: Equatable, Sendable {
        let device: UInt64
        let inode: UInt64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            self.device = UInt64(truncatingIfNeeded: status.st_dev)
            self.inode = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    private let names: [String]
    private let identities: [Identity?]

    /// Asked while the database is open: its log is there then.
    init(_ path: String, log: String) {
        self.names = [path, log]
        self.identities = self.names.map { Identity($0) }
    }

    /// Whether the names still lead to the files that are open.
    var isKept: Bool { zip(self.names, self.identities).allSatisfy { $1 == nil || Identity($0) == $1 } }
}
