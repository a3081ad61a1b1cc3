/// The folder and the files of the store, for their owner only.
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

package enum SQLiteFiles {
    /// Makes the folder, and returns the file's own path, without any links in it. Everything else is done with that path:
    /// SQLite makes a file that a link points to with a mode of its own, and the files beside it stand beside the link's target.
    static func prepare(_ path: String) throws(SQLiteOpeningError) -> String {
        guard let target = Self.target(of: path) else { throw Self.failure(path, for: path) }
        let folder = Self.folder(of: target)
        try Self.makeFolder(folder, for: path)
        guard let resolved = realpath(folder, nil) else { throw Self.failure(folder, for: path) }
        defer { free(resolved) }
        let name = target.split(separator: "/").last ?? ""
        let parent = String(cString: resolved)
        return parent == "/" ? "/\(name)" : "\(parent)/\(name)"
    }

    /// Opens the file, and makes it where there is none. SQLite gives its other files the mode of this one. The descriptor
    /// must stay open for as long as SQLite has the file: closing it drops SQLite's locks.
    static func open(_ file: String, for path: String) throws(SQLiteOpeningError) -> Int32 {
        let isNew = access(file, F_OK) != 0
        let descriptor = try Self.openForOwner(file, O_CREAT, for: path)
        guard descriptor >= 0 else { throw Self.failure(file, for: path) }
        if isNew { Self.sync(Self.folder(of: file)) }
        return descriptor
    }

    /// Files of an earlier run that were copied here, or made by hand.
    static func closeToOthers(besides file: String, for path: String) throws(SQLiteOpeningError) {
        for name in ["\(file)-wal", "\(file)-shm"] {
            let descriptor = try Self.openForOwner(name, 0, for: path)
            if descriptor >= 0 { close(descriptor) }
        }
    }

    /// A link is refused: its target would get a mode that somebody else chose. Returns -1 where there is no file.
    private static func openForOwner(
        _ name: String, _ flags: Int32, for path: String
    ) throws(SQLiteOpeningError) -> Int32 {
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

    /// Where links lead, whether or not anything is there. Nil, with `errno`, when they lead in a circle.
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

    /// What will keep this user from opening it; nil when nothing is seen that would. Makes nothing.
    package static func obstacle(_ path: String) -> SQLiteOpeningError? {
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

    static func failure(_ name: String, for path: String) -> SQLiteOpeningError {
        SQLiteOpeningError(path: path, cause: .system(path: name, message: String(cString: strerror(errno))))
    }

    private static func makeFolder(_ folder: String, for path: String) throws(SQLiteOpeningError) {
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
