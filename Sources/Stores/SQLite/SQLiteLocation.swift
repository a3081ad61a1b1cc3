#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Detects that the file was moved or deleted after it was opened. SQLite would continue to write to it, and the next
/// start would find none of that data under the path.
struct SQLiteLocation: Sendable {
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

    /// Call it while the database is open, because the log exists only then.
    init(_ path: String, log: String) {
        self.names = [path, log]
        self.identities = self.names.map { Identity($0) }
    }

    /// Whether the paths still lead to the open files.
    var isKept: Bool { zip(self.names, self.identities).allSatisfy { $1 == nil || Identity($0) == $1 } }
}
