// The scope of the address that libcurl is about to connect to.

import CCurl
import Glibc

extension AddressScope {
    init(_ address: UnsafePointer<curl_sockaddr>) {
        guard let raw = switchback_curl_address(address) else {
            self = .unusable
            return
        }
        let length = Int(address.pointee.addrlen)
        if address.pointee.family == AF_INET, length >= MemoryLayout<sockaddr_in>.size {
            self.init(ipv4: UInt32(bigEndian: raw.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
        } else if address.pointee.family == AF_INET6, length >= MemoryLayout<sockaddr_in6>.size {
            var bytes = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self.init(ipv6: withUnsafeBytes(of: &bytes) { Array($0) })
        } else {
            self = .unusable
        }
    }
}
