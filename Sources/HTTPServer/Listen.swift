/// Where a server listens: `127.0.0.1:8080`, `[::]:8080`, `localhost:8080`.

import EventLoop
import HTTPWire

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

package struct Listen: Hashable, Sendable, CustomStringConvertible {
    package let host: IPAddress
    /// 0 lets the system choose.
    package let port: UInt16
    package let description: String

    package init(host: IPAddress, port: UInt16) {
        self.host = host
        self.port = port
        self.description = host.isV4 ? "\(host):\(port)" : "[\(host)]:\(port)"
    }

    /// An address, not a name: what a name means is for the resolver, and may change. `localhost` is 127.0.0.1.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else { return nil }
        guard let host = Self.host(text[..<colon]) else { return nil }
        self.init(host: host, port: port)
    }

    private static func host(_ text: Substring) -> IPAddress? {
        if text == "localhost" { return IPAddress("127.0.0.1") }
        guard text.hasPrefix("["), text.hasSuffix("]") else {
            return text.contains(":") ? nil : IPAddress(String(text))
        }
        let inner = text.dropFirst().dropLast()
        return inner.contains(":") ? IPAddress(String(inner)) : nil
    }

    /// A socket that listens there, and its port.
    func open(sharesPort: Bool) throws(HTTPServer.Failure) -> (socket: Socket, port: UInt16) {
        do throws(EventLoop.Failure) {
            let socket = try Socket.listening(at: SocketAddress(self.host, port: self.port), sharesPort: sharesPort)
            do throws(EventLoop.Failure) {
                return (socket, try socket.port())
            } catch {
                socket.close()
                throw error
            }
        } catch {
            switch error.code {
            case EADDRINUSE: throw .addressInUse(self)
            case EACCES, EPERM: throw .notPermitted(self)
            case EADDRNOTAVAIL: throw .noSuchAddress(self)
            default: throw .system(error)
            }
        }
    }
}
