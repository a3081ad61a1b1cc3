/// Where a server listens: `127.0.0.1:8080`, `[::]:8080`, `localhost:8080`, `unix:/run/switchback/http.sock`.

import Glibc
import HTTPWire

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

    /// Absolute, no folder, and not longer than the system takes; one byte of that is for the zero at the end.
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
