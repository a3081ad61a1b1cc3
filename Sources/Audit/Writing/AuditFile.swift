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
    /// For how many milliseconds a reader of a pipe may take no bytes.
    static let patience: Int32 = 1000
    /// Where the last record of a file surely begins.
    private static let endByteCount = 64 * 1024 + 4096
    private static let openFlags = O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOCTTY

    let path: String
    private let descriptor: Int32
    private let isRegular: Bool
    private let device: dev_t
    private let inode: ino_t
    /// The rest of a line that was written in part.
    private var carry: [UInt8] = []

    /// How far a write came.
    struct Progress: Equatable {
        /// How many lines are whole in the file.
        var wholeCount = 0
        /// How many lines are there at least in part. The rest comes first in the next write.
        var startedCount = 0
        /// Why the others are not.
        var error: String?
    }

    /// Opens the file, or makes it. Throws why it cannot be written to.
    init(_ path: String) throws(FileError) {
        // A pipe without a reader and a file as large as it may be (RLIMIT_FSIZE) are errors of write(2), and end nothing.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        self.path = path
        self.descriptor = try Self.open(path)
        var status = stat()
        guard fstat(self.descriptor, &status) == 0 else {
            close(self.descriptor)
            throw Self.failure()
        }
        self.isRegular = status.st_mode & S_IFMT == S_IFREG
        self.device = status.st_dev
        self.inode = status.st_ino
        do throws(FileError) { try self.claim(status) } catch {
            close(self.descriptor)
            throw error
        }
    }

    /// A link is followed only in /dev, where the descriptors of this process are links.
    private static func open(_ path: String) throws(FileError) -> Int32 {
        let flags = Self.openFlags
        let isDevice = path.hasPrefix("/dev/")
        func opened(_ access: Int32) -> Int32 {
            isDevice
                ? systemOpen(path, access | flags, 0)
                : systemOpen(path, access | flags | O_CREAT | O_NOFOLLOW, 0o600)
        }
        var status = stat()
        // A pipe that this process could read itself would never break.
        let isPipe = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        var descriptor = opened(isPipe ? O_WRONLY : O_RDWR)
        // An owner may forbid to read the file.
        if descriptor < 0, errno == EACCES, !isPipe { descriptor = opened(O_WRONLY) }
        guard descriptor >= 0 else {
            switch errno {
            case ELOOP: throw FileError("is a link, and is not followed. Name the file itself")
            case ENXIO where isPipe: throw FileError("nobody reads the pipe. Start its reader first")
            case ENXIO: throw FileError("is a socket or a device. Name a file or a pipe")
            default: throw Self.failure()
            }
        }
        return descriptor
    }

    /// Makes sure that nothing else goes to the file.
    private func claim(_ status: stat) throws(FileError) {
        var other = stat()
        for number in [STDOUT_FILENO, STDERR_FILENO] where fstat(number, &other) == 0 {
            guard other.st_dev != status.st_dev || other.st_ino != status.st_ino || self.isDevice(status) else {
                throw FileError("the output of this program goes there too. Name a file that only has the audit")
            }
        }
        guard !self.isRegular || flock(self.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw FileError("another server writes to it. Each server needs a file of its own")
        }
    }

    /// Such as `/dev/null`, which has nothing that could be mixed.
    private func isDevice(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFCHR }

    private static func failure() -> FileError { FileError(Self.reason(errno)) }

    /// What the error means, and what to do.
    private static func reason(_ error: Int32) -> String {
        let text = String(cString: strerror(error))
        return switch error {
        case ENOSPC, EDQUOT: "\(text). Make room for it"
        case EFBIG: "\(text). Move it away, or raise the limit of the size of files"
        case EPIPE: "nobody reads the pipe. Start its reader again"
        case EACCES, EPERM, EROFS: "\(text). Let the server write there"
        case ENOENT, ENOTDIR: "\(text). Make the folder, writable by the server"
        case EIO: "\(text). Look at the disk"
        default: text
        }
    }

    /// Opens the file that follows one that was moved away. There is no file at its path then, or an empty one.
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
        guard let tail = AuditLineReader.tail(of: end) else {
            throw FileError("its last line is no record of an audit. Move it away, so that nothing else is in the file")
        }
        return tail
    }

    /// Whether the path leads to another file now, because somebody has moved this one away.
    var isReplaced: Bool {
        var status = stat()
        guard self.isRegular else { return false }
        guard stat(self.path, &status) == 0 else { return errno == ENOENT }
        return status.st_dev != self.device || status.st_ino != self.inode
    }

    /// Returns what brings the file to its disk, and says why it could not. It may wait for the disk, so a queue of its
    /// own calls it, once. Nil for a pipe.
    func makeSync() -> (@Sendable () -> String?)? {
        guard self.isRegular else { return nil }
        let copy = fcntl(self.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        return {
            defer { close(copy) }
            return fdatasync(copy) == 0 ? nil : Self.reason(errno)
        }
    }

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
        guard count < bytes.count else { return Progress(wholeCount: lines.count, startedCount: lines.count) }
        if count == 0 || (end >= 0 && ftruncate(self.descriptor, end) == 0) { return Progress(error: error) }
        var progress = Progress(error: error)
        var rest = count
        for line in lines where rest > 0 {
            progress.startedCount += 1
            if rest >= line.count { progress.wholeCount += 1 } else { self.carry = Array(line[rest...]) }
            rest -= min(rest, line.count)
        }
        return progress
    }

    private mutating func writeOneByOne(_ lines: [[UInt8]]) -> Progress {
        var progress = Progress()
        for line in lines {
            let (count, error) = self.put(line)
            if count > 0 { progress.startedCount += 1 }
            guard count == line.count else {
                if count > 0 { self.carry = Array(line[count...]) }
                progress.error = error
                return progress
            }
            progress.wholeCount += 1
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
                    guard poll(&place, 1, Self.patience) > 0 else {
                        return (count, "the reader of the pipe has stopped. Let it read on")
                    }
                } else {
                    return (count, Self.reason(errno))
                }
            }
            return (count, nil)
        }
    }
}

/// open(2), which a method of this name hides.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }

/// write(2), which a method of this name hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
