#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Reads small files whole, and writes files. Every file that the program writes is written here, except the store's
/// own (`SQLiteFiles`) and the audit: none follows a link, and none replaces a file that the program did not write.
package enum SystemFile {
    /// Far more than any key, certificate bundle or configuration needs.
    static let limit = 4 * 1024 * 1024

    package static func contents(of path: String) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure() }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Self.retrying { buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) } }
            guard count >= 0 else { throw Self.failure() }
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
            guard bytes.count <= Self.limit else { throw FileError("is larger than 4 MiB") }
        }
    }

    /// Returns the first bytes of a file, or all of a shorter one.
    package static func beginning(of path: String, count: Int) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure() }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: count)
        let read = Self.retrying { buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) } }
        guard read >= 0 else { throw Self.failure() }
        return Array(buffer.prefix(read))
    }

    /// Returns nil if there is no such file.
    package static func modificationTime(of path: String) -> Timestamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Glibc)
        return Timestamp(seconds: status.st_mtim.tv_sec)
        #else
        return Timestamp(seconds: status.st_mtimespec.tv_sec)
        #endif
    }

    /// Creates a file with mode 0600 whatever the umask. Never overwrites a file or follows a link.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw errno == EEXIST ? FileError("already exists and is not overwritten") : Self.failure()
        }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0, Self.writeAll(descriptor, bytes), fsync(descriptor) == 0 else {
            let failure = Self.failure()
            unlink(path)
            throw failure
        }
    }

    /// Writes a file that holds no secret: a new one, an empty one, or one over an earlier one that begins with the same
    /// `mark` as `bytes`. Refuses every other file, so that a mistyped name costs nothing, and never follows a link.
    package static func replace(_ path: String, _ bytes: [UInt8], mark: [UInt8]) throws(FileError) {
        assert(bytes.starts(with: mark))
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let descriptor = open(path, flags, 0o644)
        guard descriptor >= 0 else {
            throw errno == ELOOP ? FileError("is a link, and is not followed") : Self.failure()
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure() }
        // A second name may stand in a folder whose owner would miss the file.
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            throw FileError("is no ordinary file with one name, and is not overwritten")
        }
        guard status.st_size == 0 || Self.begins(descriptor, with: mark) else {
            throw FileError("is not an earlier output of this command, and is not overwritten")
        }
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0,
            Self.writeAll(descriptor, bytes)
        else { throw Self.failure() }
    }

    private static func begins(_ descriptor: Int32, with mark: [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: mark.count)
        let count = Self.retrying { buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) } }
        return count == mark.count && buffer == mark
    }

    /// Creates a folder, unless there is one. The folder above it must exist.
    package static func makeFolder(_ path: String) throws(FileError) {
        guard mkdir(path, 0o755) != 0 else { return }
        let failure = Self.failure()
        guard Self.isFolder(path) else { throw failure }
    }

    /// Returns the path from the root; the path itself if the current folder is gone.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path)"
    }

    /// Returns whether the path leads to something, readable or not.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Writes all bytes. Returns false if it could not; `errno` says why.
    @discardableResult
    package static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Self.retrying {
                    write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    private static func retrying(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            guard result < 0, errno == EINTR else { return result }
        }
    }

    private static func failure() -> FileError {
        FileError(String(cString: strerror(errno)))
    }
}

/// Why a file could not be read or written. The message ends a sentence that begins with the file's name.
package struct FileError: Error, Equatable, Sendable {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }
}

/// U+FEFF at the start of a text file, which editors on Windows write. It says how the file is encoded, and is no part
/// of the text (Unicode 23.8).
package enum ByteOrderMark {
    private static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Returns the bytes without the mark of UTF-8. It is removed once, and only at the start.
    package static func removed(from bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: self.utf8) ? Array(bytes.dropFirst(self.utf8.count)) : bytes
    }

    /// Returns what is wrong with bytes that are not UTF-8, and quotes none of them.
    package static func complaint(about bytes: [UInt8]) -> String {
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        return isUTF16 ? "is UTF-16, and not UTF-8: save it as UTF-8" : "is not UTF-8"
    }
}
