/// The SHA-2 digests that JOSE uses (FIPS 180-4).

package enum Digest: Sendable, CaseIterable {
    case sha256
    case sha384
    case sha512

    package var byteCount: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    package func hash(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .sha256:
            var digest = OpenSSLSHA256()
            bytes.withUnsafeBytes { digest.update($0) }
            return digest.finish().array()
        case .sha384, .sha512: return OpenSSLDigest.hash(bytes, self)
        }
    }
}
