import CSSL

// Safe because nothing changes the key, and libcrypto lets many threads use it.
/// A private key that signs certificates in tests.
package final class TestKey: @unchecked Sendable {
    package enum Kind: Sendable {
        case p256
        case p384
        case rsa(bits: Int32)
        case ed25519
    }

    package struct Failure: Error {}

    package let pointer: OpaquePointer

    package init(_ kind: Kind = .p256) throws {
        let type =
            switch kind {
            case .p256, .p384: "EC"
            case .rsa: "RSA"
            case .ed25519: "ED25519"
            }
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else { throw Failure() }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        EVP_PKEY_keygen_init(context)
        switch kind {
        case .p256: EVP_PKEY_CTX_set_group_name(context, "P-256")
        case .p384: EVP_PKEY_CTX_set_group_name(context, "P-384")
        case .rsa(let bits): EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits)
        case .ed25519: break
        }
        guard EVP_PKEY_generate(context, &key) == 1, let key else { throw Failure() }
        self.pointer = key
    }

    /// Reads a private key in PEM.
    package init(pem: [UInt8]) throws {
        let key = pem.withUnsafeBytes { bytes -> OpaquePointer? in
            guard let file = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
            defer { BIO_free(file) }
            return PEM_read_bio_PrivateKey(file, nil, nil, nil)
        }
        guard let key else { throw Failure() }
        self.pointer = key
    }

    deinit { EVP_PKEY_free(self.pointer) }

    /// The uncompressed point of a key on P-256.
    package var point: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65)
        var length = 0
        EVP_PKEY_get_octet_string_param(self.pointer, "pub", &bytes, bytes.count, &length)
        return bytes
    }
}

extension TestKey {
    package var isP256: Bool {
        var name = [CChar](repeating: 0, count: 32)
        var length = 0
        return EVP_PKEY_is_a(self.pointer, "EC") == 1
            && EVP_PKEY_get_group_name(self.pointer, &name, name.count, &length) == 1
            && name.prefix(length).elementsEqual("prime256v1".utf8.map { CChar($0) })
    }
}
