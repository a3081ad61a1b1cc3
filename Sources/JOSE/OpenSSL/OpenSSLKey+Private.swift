// Private keys: generated, read from PEM, and written as PEM.

import Base
import Cryptography
import CSSL

extension OpenSSLKey {
    convenience init?(generating kind: KeyKind) {
        let pointer = Self.attempt {
            switch kind {
            case .rsa(let bits): Self.generate("RSA") { EVP_PKEY_CTX_set_rsa_keygen_bits($0, Int32(bits)) }
            case .p256: Self.generate("EC") { EVP_PKEY_CTX_set_group_name($0, Curve.p256.rawValue) }
            case .p384: Self.generate("EC") { EVP_PKEY_CTX_set_group_name($0, Curve.p384.rawValue) }
            case .p521: Self.generate("EC") { EVP_PKEY_CTX_set_group_name($0, Curve.p521.rawValue) }
            case .ed25519: Self.generate("ED25519") { _ in 1 }
            }
        }
        guard let pointer else { return nil }
        self.init(owning: pointer)
    }

    private static func generate(_ type: String, _ choose: (OpaquePointer) -> Int32) -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, choose(context) == 1, EVP_PKEY_generate(context, &key) == 1 else {
            return nil
        }
        return key
    }

    // MARK: - PEM

    /// Returns nil unless there is exactly one private key, and it is not encrypted.
    convenience init?(pem: Secret) {
        guard let pointer = PEM.privateKey(in: pem) else { return nil }
        self.init(owning: pointer)
    }

    func pem() -> Secret {
        // libcrypto wipes this memory when it frees it.
        guard let file = BIO_new(BIO_s_secmem()) else { preconditionFailure("out of memory") }
        defer { BIO_free(file) }
        guard PEM_write_bio_PKCS8PrivateKey(file, self.pointer, nil, nil, 0, nil, nil) == 1 else {
            preconditionFailure("libcrypto could not write its own key")
        }
        var text = [UInt8](repeating: 0, count: BIO_ctrl_pending(file))
        guard BIO_read(file, &text, Int32(text.count)) == text.count else {
            preconditionFailure("libcrypto could not read what it wrote")
        }
        return Secret(text)
    }
}
