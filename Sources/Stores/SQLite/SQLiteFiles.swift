/// The folder and the files of the store, for their owner only.
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

package enum SQLiteFiles {
    /// Makes what is missing. SQLite gives its other files the mode of this one. Returns the path.
    static func prepare(_ path: String) throws(SQLiteOpeningFailure) -> String {
        let folder = Self.folder(of: path)
        try Self.makeFolder(folder, for: path)
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
            Self.sync(folder)
        } else if errno != EEXIST {
            throw Self.failure(path, for: path)
        }
        // One that was copied here, or made by hand.
        for name in [path, "\(path)-wal", "\(path)-shm"] where chmod(name, 0o600) != 0 {
            guard errno == ENOENT else { throw Self.failure(name, for: path) }
        }
        return path
    }

    /// What will keep this user from opening it; nil when nothing is seen that would. Makes nothing.
    package static func obstacle(_ path: String) -> SQLiteOpeningFailure? {
        if access(path, F_OK) == 0 { return access(path, R_OK | W_OK) == 0 ? nil : Self.failure(path, for: path) }
        var folder = Self.folder(of: path)
        while access(folder, F_OK) != 0, errno == ENOENT, folder != "/", folder != "." {
            folder = Self.folder(of: folder)
        }
        return access(folder, W_OK | X_OK) == 0 ? nil : Self.failure(folder, for: path)
    }

    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func failure(_ name: String, for path: String) -> SQLiteOpeningFailure {
        SQLiteOpeningFailure(path: path, cause: .system(path: name, message: String(cString: strerror(errno))))
    }

    private static func makeFolder(_ folder: String, for path: String) throws(SQLiteOpeningFailure) {
        guard mkdir(folder, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT, folder != "/", folder != "." else {
            // EROFS and EACCES are said about folders that are there, too.
            guard access(folder, F_OK) != 0 else { return }
            throw Self.failure(folder, for: path)
        }
        try Self.makeFolder(Self.folder(of: folder), for: path)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Self.failure(folder, for: path) }
    }

    /// The file's name, too, survives a power cut.
    private static func sync(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
