#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The folder and the files of the store. Only their owner may read and write them.
package enum SQLiteFiles {
    /// Makes the folder and returns the path of the file without symbolic links. We use this path for everything else:
    /// SQLite chooses the mode of a file that a link points to, and it creates the files beside the link's target.
    static func prepare(_ path: String) throws(StoreOpeningError) -> String {
        guard let target = Self.target(of: path) else { throw Self.failure(path, for: path) }
        let folder = Self.folder(of: target)
        try Self.makeFolder(folder, for: path)
        guard let resolved = realpath(folder, nil) else { throw Self.failure(folder, for: path) }
        defer { free(resolved) }
        let name = target.split(separator: "/").last ?? ""
        let parent = String(cString: resolved)
        return parent == "/" ? "/\(name)" : "\(parent)/\(name)"
    }

    /// Opens the file and creates it if needed. SQLite gives its other files the mode of this one. Keep the descriptor
    /// open as long as SQLite uses the file: closing it drops SQLite's locks.
    static func open(_ file: String, for path: String) throws(StoreOpeningError) -> Int32 {
        let isNew = access(file, F_OK) != 0
        let descriptor = try Self.openForOwner(file, O_CREAT, for: path)
        guard descriptor >= 0 else { throw Self.failure(file, for: path) }
        if isNew { Self.sync(Self.folder(of: file)) }
        return descriptor
    }

    /// Restricts the log files to their owner, in case they were copied here or made by hand.
    static func closeToOthers(besides file: String, for path: String) throws(StoreOpeningError) {
        for name in ["\(file)-wal", "\(file)-shm"] {
            let descriptor = try Self.openForOwner(name, 0, for: path)
            if descriptor >= 0 { close(descriptor) }
        }
    }

    /// Opens a file and restricts it to its owner. Refuses a link, because its target would get a mode that someone
    /// else chose. Returns -1 if there is no file.
    private static func openForOwner(
        _ name: String, _ flags: Int32, for path: String
    ) throws(StoreOpeningError) -> Int32 {
        #if canImport(Glibc)
        let descriptor = Glibc.open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0o600)
        #else
        let descriptor = Darwin.open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0o600)
        #endif
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw Self.failure(name, for: path) }
            return -1
        }
        guard fchmod(descriptor, 0o600) == 0 else {
            let failure = Self.failure(name, for: path)
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// Follows symbolic links, even if the target does not exist. Returns nil, with `errno` set, if the links form a
    /// circle.
    package static func target(of path: String) -> String? {
        var path = path
        for _ in 0..<32 {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &buffer, buffer.count)
            guard count > 0 else { return path }
            let link = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            path = link.hasPrefix("/") ? link : "\(Self.folder(of: path))/\(link)"
        }
        errno = ELOOP
        return nil
    }

    /// Returns what would keep this user from opening the file, or nil if nothing would. Creates nothing.
    package static func obstacle(_ path: String) -> StoreOpeningError? {
        guard let target = Self.target(of: path) else { return Self.failure(path, for: path) }
        if access(target, F_OK) == 0 { return access(target, R_OK | W_OK) == 0 ? nil : Self.failure(path, for: path) }
        var folder = Self.folder(of: target)
        while access(folder, F_OK) != 0, errno == ENOENT, folder != "/", folder != "." {
            folder = Self.folder(of: folder)
        }
        return access(folder, W_OK | X_OK) == 0 ? nil : Self.failure(folder, for: path)
    }

    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func failure(_ name: String, for path: String) -> StoreOpeningError {
        StoreOpeningError(.system(path: name, message: String(cString: strerror(errno))), at: path)
    }

    private static func makeFolder(_ folder: String, for path: String) throws(StoreOpeningError) {
        guard mkdir(folder, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT, folder != "/", folder != "." else {
            // EROFS and EACCES are also reported for folders that exist.
            guard access(folder, F_OK) != 0 else { return }
            throw Self.failure(folder, for: path)
        }
        try Self.makeFolder(Self.folder(of: folder), for: path)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Self.failure(folder, for: path) }
    }

    /// Syncs the folder, so that the file's name survives a power cut too.
    private static func sync(_ folder: String) {
        #if canImport(Glibc)
        let descriptor = Glibc.open(folder, O_RDONLY | O_CLOEXEC)
        #else
        let descriptor = Darwin.open(folder, O_RDONLY | O_CLOEXEC)
        #endif
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
