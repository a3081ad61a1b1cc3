// Why a server cannot listen.
import Base
import EventLoop
import Glibc

extension OperatorError {
    package static let alreadyStarted = Self("a server can be started only once")
    package static let noLoop = Self("a server needs a loop")

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

    static func system(_ error: SystemCallError) -> Self { Self(error.description) }

    package static func addressInUse(_ listen: ListenAddress) -> Self { Self("\(listen) is in use by another program") }

    package static func notPermitted(_ listen: ListenAddress) -> Self {
        switch listen {
        case .tcp(let host, let port):
            Self("this user may not listen on \(ListenAddress.tcp(host, port: port)); ports below 1024 need root")
        case .unix(let path):
            Self(
                "this user cannot create the socket \(path) or replace the existing one; "
                    + "the server's user must be able to read and write its folder")
        }
    }

    package static func noSuchAddress(_ listen: ListenAddress) -> Self {
        Self("this machine does not have the address of \(listen)")
    }

    /// Only for a Unix socket.
    package static func noFolder(_ listen: ListenAddress) -> Self {
        Self("the folder of \(listen) does not exist; create it for the server's user")
    }

    /// The path belongs to a file that is not a socket.
    package static func notSocket(_ listen: ListenAddress) -> Self {
        Self(
            "\(listen) names a file that is not a socket, so we leave it alone; "
                + "remove the file or choose another path")
    }
}
