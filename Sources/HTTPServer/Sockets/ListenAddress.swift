import Glibc
import HTTPWire

/// Where a server listens: `127.0.0.1:8080`, `[::]:8080`, `localhost:8080`, `unix:/run/switchback/http.sock`.
package enum ListenAddress: Hashable, Sendable {
    /// Port 0 lets the system choose.
    case tcp(IPAddress, port: UInt16)
    /// An absolute path.
    case unix(path: String)

    private static let scheme = "unix:"

    /// Takes an address and no host name, because a name can resolve to several addresses and can change. `localhost`
    /// is 127.0.0.1.
    package init?(_ text: String) {
        if text.hasPrefix(Self.scheme) {
            let path = String(text.dropFirst(Self.scheme.count))
            guard Self.isSocketPath(path) else { return nil }
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

    /// The path is absolute, is not a folder, and fits into the system's limit with a zero byte at the end.
    static func isSocketPath(_ path: String) -> Bool {
        let bytes = path.utf8
        let isFile = bytes.first == UInt8(ascii: "/") && bytes.last != UInt8(ascii: "/") && !bytes.contains(0)
        return isFile && bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
    }

    /// Nil for a Unix socket.
    package var host: IPAddress? {
        switch self {
        case .tcp(let host, _): host
        case .unix: nil
        }
    }

    /// 0 for a Unix socket.
    package var port: UInt16 {
        switch self {
        case .tcp(_, let port): port
        case .unix: 0
        }
    }

    /// Nil for TCP.
    package var path: String? {
        switch self {
        case .tcp: nil
        case .unix(let path): path
        }
    }

    /// Whether a second server could not listen there beside the first.
    package func conflicts(with other: ListenAddress) -> Bool {
        switch self {
        case .tcp(_, let port): port != 0 && self == other
        case .unix: self == other
        }
    }
}

extension ListenAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tcp(let host, let port): host.isV4 ? "\(host):\(port)" : "[\(host)]:\(port)"
        case .unix(let path): Self.scheme + path
        }
    }
}
