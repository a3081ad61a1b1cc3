import EventLoop
import Glibc

/// Why a server cannot listen, in words for the operator.
package enum ListenError: Error, Equatable, Sendable, CustomStringConvertible {
    case addressInUse(ListenAddress)
    case notPermitted(ListenAddress)
    case noSuchAddress(ListenAddress)
    /// Only for a Unix socket.
    case noFolder(ListenAddress)
    /// The path belongs to a file that is not a socket.
    case notSocket(ListenAddress)
    case system(SystemCallError)
    case alreadyStarted
    case noLoop

    init(_ error: SystemCallError, at listen: ListenAddress) {
        self =
            switch error.code {
            case EADDRINUSE: .addressInUse(listen)
            case EACCES, EPERM, EROFS: .notPermitted(listen)
            case EADDRNOTAVAIL: .noSuchAddress(listen)
            case ENOENT, ENOTDIR: .noFolder(listen)
            case ENOTSOCK: .notSocket(listen)
            default: .system(error)
            }
    }

    package var description: String {
        switch self {
        case .addressInUse(let listen): "\(listen) is in use by another program"
        case .notPermitted(.tcp(let host, let port)):
            "this user may not listen on \(ListenAddress.tcp(host, port: port)); ports below 1024 need root"
        case .notPermitted(.unix(let path)):
            "this user cannot create the socket \(path) or replace the existing one; the server's user must be able to read and write its folder"
        case .noSuchAddress(let listen): "this machine does not have the address of \(listen)"
        case .noFolder(let listen): "the folder of \(listen) does not exist; create it for the server's user"
        case .notSocket(let listen):
            "\(listen) names a file that is not a socket, so we leave it alone; remove the file or choose another path"
        case .system(let error): error.description
        case .alreadyStarted: "a server can be started only once"
        case .noLoop: "a server needs a loop"
        }
    }
}
