import CSSL
import Cryptography

// Safe because only the borrower has access to it.
/// A context of libcrypto with its key and its algorithm, for one signature after another.
///
/// OpenSSL 3 looks up the implementations by name for each new context, which takes a sixth of the time of an ECDSA
/// signature. So contexts are kept, and lent to one user at a time (`OpenSSLKey.withContext`).
final class OpenSSLSigning: @unchecked Sendable {
    enum Purpose: Equatable {
        case sign(SignatureAlgorithm.Scheme)
        case verify(SignatureAlgorithm.Scheme)
    }

    /// What the context signs.
    enum Context {
        /// An `EVP_MD_CTX` that digests the message, and an `EVP_PKEY_CTX` for the digest.
        case digest(Digest, OpaquePointer, OpaquePointer)
        /// An `EVP_MD_CTX` to copy, for the message itself: Ed25519 digests it in its own way (RFC 8032 §5.1.6).
        case message(OpaquePointer)
    }

    let purpose: Purpose
    let context: Context

    /// Returns nil if libcrypto refuses.
    init?(_ purpose: Purpose, key: OpaquePointer) {
        self.purpose = purpose
        self.context =
            switch purpose {
            case .sign(let scheme), .verify(let scheme): Self.context(scheme, key)
            }
        guard self.isSetUp(key) else { return nil }
    }

    deinit {
        switch self.context {
        case .digest(_, let digesting, let pointer):
            EVP_MD_CTX_free(digesting)
            EVP_PKEY_CTX_free(pointer)
        case .message(let pointer): EVP_MD_CTX_free(pointer)
        }
    }

    private static func context(_ scheme: SignatureAlgorithm.Scheme, _ key: OpaquePointer) -> Context {
        switch scheme {
        case .rsa(let digest), .rsaPSS(let digest), .ecdsa(_, let digest):
            guard let digesting = EVP_MD_CTX_new(), let pointer = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
                preconditionFailure("out of memory")
            }
            return .digest(digest, digesting, pointer)
        case .ed25519:
            guard let pointer = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
            return .message(pointer)
        }
    }

    private func isSetUp(_ key: OpaquePointer) -> Bool {
        switch (self.context, self.purpose) {
        case (.digest(let digest, _, let pointer), .sign(let scheme)):
            EVP_PKEY_sign_init(pointer) == 1 && Self.setUp(pointer, scheme, digest)
        case (.digest(let digest, _, let pointer), .verify(let scheme)):
            EVP_PKEY_verify_init(pointer) == 1 && Self.setUp(pointer, scheme, digest)
        case (.message(let pointer), .sign): EVP_DigestSignInit(pointer, nil, nil, nil, key) == 1
        case (.message(let pointer), .verify): EVP_DigestVerifyInit(pointer, nil, nil, nil, key) == 1
        }
    }

    private static func setUp(
        _ pointer: OpaquePointer, _ scheme: SignatureAlgorithm.Scheme, _ digest: Digest
    ) -> Bool {
        guard EVP_PKEY_CTX_set_signature_md(pointer, OpenSSLDigest.algorithm(digest)) == 1 else { return false }
        // For RSA, libcrypto uses PKCS #1 v1.5 by default.
        guard case .rsaPSS = scheme else { return true }
        return EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(pointer, RSA_PSS_SALTLEN_DIGEST) == 1
    }
}

// MARK: - One signature, made or verified

extension OpenSSLSigning {
    /// Returns the signature as libcrypto writes it, or nil if libcrypto refuses. The room must be large enough for the
    /// key's longest signature.
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

    /// Each message uses up its context, so we work on a copy.
    private static func withCopy(of pointer: OpaquePointer, _ body: (OpaquePointer) -> Bool) -> Bool {
        guard let copy = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        defer { EVP_MD_CTX_free(copy) }
        return EVP_MD_CTX_copy_ex(copy, pointer) == 1 && body(copy)
    }
}
