/// One signature, made or verified.
import CSSL

extension OpenSSLSigning {
    /// As libcrypto writes it. There must be room for the longest that the key makes. Nil when libcrypto refuses.
    func sign(_ message: [UInt8], into room: UnsafeMutableBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        var count = room.count
        let isSigned =
            switch self.context {
            case .digest(let digest, let digesting, let pointer):
                OpenSSLDigest.withHash(of: message, digest, in: digesting) {
                    EVP_PKEY_sign(pointer, room.baseAddress, &count, $0.baseAddress, $0.count) == 1
                }
            case .message(let pointer):
                Self.withCopy(of: pointer) {
                    EVP_DigestSign($0, room.baseAddress, &count, message, message.count) == 1
                }
            }
        return isSigned ? UnsafeBufferPointer(rebasing: room[..<count]) : nil
    }

    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch self.context {
        case .digest(let digest, let digesting, let pointer):
            OpenSSLDigest.withHash(of: message, digest, in: digesting) {
                EVP_PKEY_verify(pointer, signature, signature.count, $0.baseAddress, $0.count) == 1
            }
        case .message(let pointer):
            Self.withCopy(of: pointer) {
                EVP_DigestVerify($0, signature, signature.count, message, message.count) == 1
            }
        }
    }

    /// A context for a message is used up by it.
    private static func withCopy(of pointer: OpaquePointer, _ body: (OpaquePointer) -> Bool) -> Bool {
        guard let copy = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        defer { EVP_MD_CTX_free(copy) }
        return EVP_MD_CTX_copy_ex(copy, pointer) == 1 && body(copy)
    }
}
