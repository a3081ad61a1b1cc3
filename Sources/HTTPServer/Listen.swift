/// Where a server listens: `127.0.0.1:8080`, `[::]:8080`, `localhost:8080`, `unix:/run/switchback/http.sock`.

import EventLoop
import HTTPWire

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

package enum Listen: Hashable, Sendable {
    /// Port 0 lets the system choose.
    case tcp(IPAddress, port: UInt16)
    /// An absolute path.
    case unix(path: String)

    private static let scheme = "unix:"

    /// An address, not a name: what a name means is for the resolver, and may change. `localhost` is 127.0.0.1.
    package init?(_ text: String) {
        if text.hasPrefix(Self.scheme) {
            let path = String(text.dropFirst(Self.scheme.count))
            guard SocketAddress(path: path) != nil else { return nil }
            self = .unix(path: path)
        } else {
            guard let colon = text.lastIndex(of: ":") else { return nil }
            let digits = text[text.index(after: colon)...]
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else { return nil }
            guard let host = Self.host(text[..<colon]) else { return nil }
            self = .tcp(host, port: port)
        }
    }

    private static func host(_ text: Substring) -> IPAddress? {
        if text == "localhost" { return IPAddress("127.0.0.1") }
        guard text.hasPrefix("["), text.hasSuffix("]") else {
            return text.contains(":") ? nil : IPAddress(String(text))
        }
        let inner = text.dropFirst().dropLast()
        return inner.contains(":") ? IPAddress(String(inner)) : nil
    }

    /// Nil for a Unix socket.
    package var host: IPAddress? {
        switch self {
        case .tcp(let host, _): host
        case .unix: nil
        }
    }

    /// A Unix socket has none, so 0.
    package var port: UInt16 {
        switch self {
        case .tcp(_, let port): port
        case .unix: 0
        }
    }

    /// Nil for a port.
    package var path: String? {
        switch self {
        case .tcp: nil
        case .unix(let path): path
        }
    }

    /// Whether a second server there would be in the way of the first.
    package func conflicts(with other: Listen) -> Bool {
        switch self {
        case .tcp(_, let port): port != 0 && self == other
        case .unix: self == other
        }
    }
}

extension Listen: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tcp(let host, let port): host.isV4 ? "\(host):\(port)" : "[\(host)]:\(port)"
        case .unix(let path): Self.scheme + path
        }
    }
}

// MARK: - Opening

extension Listen {
    /// A socket that listens there. A `file` is made for a Unix socket.
    func open(sharesPort: Bool) throws(HTTPServer.Failure) -> (socket: Socket, file: SocketFile?) {
        do throws(EventLoop.Failure) {
            switch self {
            case .tcp(let host, let port):
                return (try Socket.listening(at: SocketAddress(host, port: port), sharesPort: sharesPort), nil)
            case .unix(let path):
                return try SocketFile.open(path)
            }
        } catch {
            throw self.failure(error)
        }
    }

    private func failure(_ error: EventLoop.Failure) -> HTTPServer.Failure {
        switch error.code {
        case EADDRINUSE: .addressInUse(self)
        case EACCES, EPERM, EROFS: .notPermitted(self)
        case EADDRNOTAVAIL: .noSuchAddress(self)
        case ENOENT, ENOTDIR: .noFolder(self)
        case ENOTSOCK: .notSocket(self)
        default: .system(error)
        }
    }
}
