import EventLoop

/// Why a store cannot do its work. It is meant for the log and the operator, never for an app.
package enum StorageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The disk is full.
    case full
    case readOnly
    /// Another process keeps it locked.
    case locked
    case corrupt
    /// The file was moved away, so whatever we write would be gone after the next start.
    case moved
    /// More writes are waiting than it can process.
    case overloaded
    case closed
    /// This process has no file descriptor left to open it.
    case noDescriptors
    /// The message of the operating system or the library.
    case other(String)

    package var description: String {
        switch self {
        case .full: "no space is left on the disk"
        case .readOnly: "it is read-only"
        case .locked: "it is locked by another process"
        case .corrupt: "it is damaged: restore a copy, or move the file away and lose all logins and sessions"
        case .moved: "its file was moved or deleted: put it back, or restart the server"
        case .overloaded: "more writes are waiting than it can process"
        case .closed: "it is closed"
        case .noDescriptors: "this process has no file descriptor left: \(Descriptors.advice)"
        case .other(let message): message
        }
    }
}
