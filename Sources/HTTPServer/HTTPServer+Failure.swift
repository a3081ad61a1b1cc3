// Why a server could not start, in words for whoever started it.

import EventLoop

extension HTTPServer {
    package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        case addressInUse(Listen)
        case notPermitted(Listen)
        case noSuchAddress(Listen)
        case system(EventLoop.Failure)
        case alreadyStarted
        case noLoop

        package var description: String {
            switch self {
            case .addressInUse(let listen): "\(listen) is in use by another program"
            case .notPermitted(let listen): "this user may not listen on \(listen); ports below 1024 are for root"
            case .noSuchAddress(let listen): "this machine does not have the address of \(listen)"
            case .system(let failure): failure.description
            case .alreadyStarted: "a server can be started once only"
            case .noLoop: "a server needs a loop"
            }
        }
    }
}
