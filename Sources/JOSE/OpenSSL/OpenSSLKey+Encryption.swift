// Encryption, decryption and key agreement with libcrypto.

import CSSL
import Cryptography

extension OpenSSLKey {
    private typealias Initializer = (OpaquePointer?, UnsafePointer<OSSL_PARAM>?) -> Int32
    private typealias Operation = (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?, UnsafePointer<UInt8>?, Int
    ) -> Int32

    /// Encrypts with RSAES-OAEP. The key must be an RSA key.
    func encrypt(_ plaintext: [UInt8], _ digest: KeyManagementAlgorithm.OAEPDigest) -> [UInt8]? {
        self.runOAEP(plaintext, digest, EVP_PKEY_encrypt_init_ex, EVP_PKEY_encrypt)
    }

    /// Returns nil unless the ciphertext was encrypted to this key. libcrypto takes equally long in both cases.
    func decrypt(_ ciphertext: [UInt8], _ digest: KeyManagementAlgorithm.OAEPDigest) -> [UInt8]? {
        self.runOAEP(ciphertext, digest, EVP_PKEY_decrypt_init_ex, EVP_PKEY_decrypt)
    }

    private func runOAEP(
        _ input: [UInt8], _ digest: KeyManagementAlgorithm.OAEPDigest, _ initialize: Initializer, _ run: Operation
    ) -> [UInt8]? {
        var parameters = OpenSSLParameters()
        parameters.add("pad-mode", text: "oaep")
        parameters.add("digest", text: digest.name)
        parameters.add("mgf1-digest", text: digest.name)
        return self.withContext { context in
            var output = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(self.pointer)))
            var length = output.count
            guard parameters.withParameters({ initialize(context, $0) }) == 1,
                run(context, &output, &length, input, input.count) == 1
            else { return nil }
            output.removeLast(output.count - length)
            return output
        }
    }

    /// Returns the first coordinate of the shared point (SEC 1 §3.3.1), with all its bytes. Both keys must be on one
    /// curve.
    func agree(with peer: OpenSSLKey) -> [UInt8]? {
        self.withContext { context in
            var length = 0
            // This call also checks that the peer's point is on the curve.
            guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, peer.pointer) == 1,
                EVP_PKEY_derive(context, nil, &length) == 1
            else { return nil }
            var secret = [UInt8](repeating: 0, count: length)
            guard EVP_PKEY_derive(context, &secret, &length) == 1, length == secret.count else { return nil }
            return secret
        }
    }

    private func withContext(_ body: (OpaquePointer) -> [UInt8]?) -> [UInt8]? {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, self.pointer, nil) else {
            preconditionFailure("out of memory")
        }
        defer { EVP_PKEY_CTX_free(context) }
        return Self.attempt { body(context) }
    }
}

extension KeyManagementAlgorithm.OAEPDigest {
    fileprivate var name: String {
        switch self {
        case .sha1: "SHA1"
        case .sha256: "SHA2-256"
        }
    }
}
