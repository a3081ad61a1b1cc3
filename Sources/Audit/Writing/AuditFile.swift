import Base

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where the records go: a file, a pipe, or a descriptor of this process (`/dev/fd/3`). One process writes to a file.
///
/// It opens what it writes to itself, also a descriptor, so no flag of a descriptor changes that others share.
struct AuditFile {
    /// How long a reader of a pipe may take no bytes.
    static let patience: Int32 = 1000
    /// A pipe takes as many bytes whole or not at all (POSIX, PIPE_BUF).
    private static let endByteCount = 64 * 1024 + 4096

    let path: String
    private let descriptor: Int32
    private let isRegular: Bool
    private let device: dev_t
    private let inode: ino_t
    /// The rest of a line that was written in part.
    private var carry: [UInt8] = []

    /// How far a write came.
    struct Progress: Equatable {
        /// The lines that are written whole.
        var written = 0
        /// The lines that are written at least in part. The rest comes first in the next write.
        var begun = 0
        /// Why the others are not.
        var error: String?
    }

    /// Opens the file, or makes it. Throws why it cannot be written to.
    init(_ path: String) throws(FileError) {
        signal(SIGXFSZ, SIG_IGN)
        let flags = O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
        var descriptor = open(path, O_RDWR | flags, 0o600)
        var status = stat()
        // A pipe that this process could read itself would never break. And an owner may forbid to read the file.
        if descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO {
            close(descriptor)
            descriptor = open(path, O_WRONLY | flags, 0o600)
        } else if descriptor < 0, errno == EACCES || errno == ENXIO {
            descriptor = open(path, O_WRONLY | flags, 0o600)
        }
        guard descriptor >= 0 else {
            throw FileError(errno == ENXIO ? "nobody reads the pipe" : String(cString: strerror(errno)))
        }
        guard fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw FileError(String(cString: strerror(errno)))
        }
        self.path = path
        self.descriptor = descriptor
        self.isRegular = status.st_mode & S_IFMT == S_IFREG
        self.device = status.st_dev
        self.inode = status.st_ino
        guard !self.isRegular || flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw FileError("another server writes to it. Each server needs a file of its own")
        }
    }

    /// Opens the file that follows one which was moved away. Whoever moves it leaves none, or an empty one.
    init(empty path: String) throws(FileError) {
        self = try AuditFile(path)
        do throws(FileError) {
            if try self.tail() != nil { throw FileError("has records already") }
        } catch {
            self.end()
            throw error
        }
    }

    /// Returns where the records end that the file has. Nil for an empty file, and for what cannot be read. Throws if
    /// its last line is no record.
    func tail() throws(FileError) -> AuditTail? {
        var status = stat()
        guard self.isRegular, fstat(self.descriptor, &status) == 0, status.st_size > 0 else { return nil }
        let count = min(Int(status.st_size), Self.endByteCount)
        let offset = status.st_size - off_t(count)
        let end = [UInt8](unsafeUninitializedCapacity: count) { room, length in
            length = max(0, pread(self.descriptor, room.baseAddress, count, offset))
        }
        // A file that may not be read says nothing.
        guard end.count == count else { return nil }
        guard let tail = AuditTail(endOf: end) else {
            throw FileError("its last line is no record of an audit. Move it away, so that nothing else is in the file")
        }
        return tail
    }

    /// Whether the path leads to another file now, because somebody has moved this one away.
    var isReplaced: Bool {
        var status = stat()
        guard stat(self.path, &status) == 0 else { return self.isRegular }
        return self.isRegular && (status.st_dev != self.device || status.st_ino != self.inode)
    }

    func sync() { if self.isRegular { fdatasync(self.descriptor) } }

    func end() { close(self.descriptor) }
}

// MARK: - Writing

extension AuditFile {
    /// Writes the lines. A file gets all of them or none, as far as the system lets us take a part back.
    mutating func write(_ lines: [[UInt8]]) -> Progress {
        if !self.carry.isEmpty {
            let (count, error) = self.put(self.carry)
            self.carry.removeFirst(count)
            guard self.carry.isEmpty else { return Progress(error: error) }
        }
        return self.isRegular ? self.writeTogether(lines) : self.writeOneByOne(lines)
    }

    private mutating func writeTogether(_ lines: [[UInt8]]) -> Progress {
        let bytes = Array(lines.joined())
        let end = lseek(self.descriptor, 0, SEEK_END)
        let (count, error) = self.put(bytes)
        guard count < bytes.count else { return Progress(written: lines.count, begun: lines.count) }
        if count == 0 || (end >= 0 && ftruncate(self.descriptor, end) == 0) { return Progress(error: error) }
        var progress = Progress(error: error)
        var rest = count
        for line in lines where rest > 0 {
            progress.begun += 1
            if rest >= line.count { progress.written += 1 } else { self.carry = Array(line[rest...]) }
            rest -= min(rest, line.count)
        }
        return progress
    }

    private mutating func writeOneByOne(_ lines: [[UInt8]]) -> Progress {
        var progress = Progress()
        for line in lines {
            let (count, error) = self.put(line)
            if count > 0 { progress.begun += 1 }
            guard count == line.count else {
                if count > 0 { self.carry = Array(line[count...]) }
                progress.error = error
                return progress
            }
            progress.written += 1
        }
        return progress
    }

    /// Returns how many bytes were written, and why not all.
    private func put(_ bytes: [UInt8]) -> (count: Int, error: String?) {
        bytes.withUnsafeBytes { buffer in
            var count = 0
            while count < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[count...])
                let result = systemWrite(self.descriptor, rest.baseAddress, rest.count)
                if result > 0 {
                    count += result
                } else if result < 0, errno == EINTR {
                    continue
                } else if result < 0, errno == EAGAIN {
                    var place = pollfd(fd: self.descriptor, events: Int16(POLLOUT), revents: 0)
                    guard poll(&place, 1, Self.patience) > 0 else { return (count, "its reader has stopped") }
                } else {
                    return (count, String(cString: strerror(errno)))
                }
            }
            return (count, nil)
        }
    }
}

/// write(2), which a method of this name hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
