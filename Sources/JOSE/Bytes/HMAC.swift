/// A keyed digest (RFC 2104).

package enum HMAC {
    package static func code(_ message: [UInt8], key: Secret, _ digest: Digest = .sha256) -> [UInt8] {
        switch digest {
        case .sha256: HMACKey(key).code(message)
        case .sha384, .sha512: OpenSSLHMAC.code(message, key: key, digest)
        }
    }
}
