/// Why a store cannot do what it is asked: for the log and for whoever runs the server, never for an app.
import EventLoop

package enum StorageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No space is left for it.
    case full
    case readOnly
    /// Somebody else keeps it locked.
    case locked
    case corrupt
    /// What is written would be gone after the next start.
    case moved
    /// More writes wait than it will ever get through.
    case overloaded
    case closed
    /// This process has no file descriptor left to open it with.
    case noDescriptors
    /// What the system or the library says.
    case other(String)

    package var description: String {
        switch self {
        case .full: "no space is left on its disk"
        case .readOnly: "it cannot be written"
        case .locked: "it is locked by another process"
        case .corrupt: "it is damaged: restore a copy, or move the file away and lose the logins under way"
        case .moved: "its file is not where it was: put it back, or start the server again"
        case .overloaded: "more writes wait than it gets through"
        case .closed: "it is closed"
        case .noDescriptors: "this process has no file descriptor left: \(Descriptors.advice)"
        case .other(let message): message
        }
    }
}
