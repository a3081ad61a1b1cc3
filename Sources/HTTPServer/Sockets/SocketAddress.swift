import HTTPWire

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A host and a port, or the path of a Unix socket, in the form that system calls take.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    /// Calls a function such as `getsockname`, which fills in the address; nil when that fails.
    init?(filling fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Bool) {
        var storage = self.storage
        var length = self.length
        let isFilled = withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.assumingMemoryBound(to: sockaddr.self).baseAddress.map { fill($0, &length) }
        }
        guard isFilled == true else { return nil }
        self.storage = storage
        self.length = length
    }

    /// The address that a socket is bound to; nil when the system does not say.
    init?(of descriptor: Int32) { self.init(filling: { getsockname(descriptor, $0, $1) == 0 }) }

    init(_ host: IPAddress, port: UInt16) {
        if let bits = host.v4 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = bits.bigEndian
            self.store(address)
        } else {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            inet_pton(AF_INET6, host.description, &address.sin6_addr)
            self.store(address)
        }
    }

    /// The address of a Unix socket; nil when the path is not allowed.
    init?(path: String) {
        var address = sockaddr_un()
        guard ListenAddress.isSocketPath(path) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        self.store(address)
    }

    var host: IPAddress? {
        switch self.family {
        case AF_INET: withUnsafeBytes(of: self.load(sockaddr_in.self).sin_addr) { IPAddress($0) }
        case AF_INET6: withUnsafeBytes(of: self.load(sockaddr_in6.self).sin6_addr) { IPAddress($0) }
        default: nil
        }
    }

    var port: UInt16 {
        switch self.family {
        case AF_INET: UInt16(bigEndian: self.load(sockaddr_in.self).sin_port)
        case AF_INET6: UInt16(bigEndian: self.load(sockaddr_in6.self).sin6_port)
        default: 0
        }
    }

    /// The path of a Unix socket; nil when it has none.
    var path: String? {
        guard self.family == AF_UNIX else { return nil }
        let path = withUnsafeBytes(of: self.load(sockaddr_un.self).sun_path) { Array($0.prefix { $0 != 0 }) }
        return path.isEmpty ? nil : String(validating: path, as: UTF8.self)
    }

    /// Where a socket listens; nil for a Unix socket without a path.
    var listen: ListenAddress? {
        if let host { return .tcp(host, port: self.port) }
        return self.path.map { .unix(path: $0) }
    }

    var family: Int32 { Int32(self.storage.ss_family) }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>?, socklen_t) -> Result) -> Result {
        withUnsafeBytes(of: self.storage) { bytes in
            body(bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, self.length)
        }
    }

    private mutating func store<Address>(_ address: Address) {
        withUnsafeBytes(of: address) { bytes in
            withUnsafeMutableBytes(of: &self.storage) { $0.copyMemory(from: bytes) }
        }
        self.length = socklen_t(MemoryLayout<Address>.size)
    }

    private func load<Address>(_ type: Address.Type) -> Address {
        withUnsafeBytes(of: self.storage) { $0.load(as: type) }
    }
}
