import CSSL
import JOSE

/// The part that no login can avoid: libcrypto makes or verifies one signature, with everything else prepared before.
///
/// This is what `openssl speed` measures: `EVP_PKEY_sign` and `EVP_PKEY_verify` of a digest, with a context made once.
package final class BareSignature {
    package struct Failure: Error { package init() {} }

    private let key: OpaquePointer
    private let signing: OpaquePointer
    private let verifying: OpaquePointer
    private var signature = [UInt8](repeating: 0, count: 512)

    /// Signatures to verify in turn.
    private var signed: [(digest: [UInt8], signature: [UInt8])] = []

    package init(_ key: PrivateKey, _ algorithm: SignatureAlgorithm) throws {
        guard let key = Self.read(key.pem.exposed),
            let signing = EVP_PKEY_CTX_new(key, nil), EVP_PKEY_sign_init(signing) == 1,
            let verifying = EVP_PKEY_CTX_new(key, nil), EVP_PKEY_verify_init(verifying) == 1
        else { throw Failure() }
        self.key = key
        self.signing = signing
        self.verifying = verifying
        for context in [signing, verifying] {
            guard EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1 else { throw Failure() }
            guard algorithm == .ps256 else { continue }
            guard EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1
            else { throw Failure() }
        }
        for number in 0..<100 {
            let count = try self.sign(number)
            self.signed.append((Self.digest(number), Array(self.signature[..<count])))
        }
    }

    private static func read(_ pem: [UInt8]) -> OpaquePointer? {
        pem.withUnsafeBytes { pem in
            let file = BIO_new_mem_buf(pem.baseAddress, Int32(pem.count))
            defer { BIO_free(file) }
            return PEM_read_bio_PrivateKey(file, nil, nil, nil)
        }
    }

    deinit {
        EVP_PKEY_CTX_free(self.verifying)
        EVP_PKEY_CTX_free(self.signing)
        EVP_PKEY_free(self.key)
    }

    @discardableResult package func sign(_ number: Int) throws -> Int {
        var count = self.signature.count
        let digest = Self.digest(number)
        guard EVP_PKEY_sign(self.signing, &self.signature, &count, digest, digest.count) == 1 else { throw Failure() }
        return count
    }

    package func verify(_ number: Int) throws {
        let (digest, signature) = self.signed[number % self.signed.count]
        guard EVP_PKEY_verify(self.verifying, signature, signature.count, digest, digest.count) == 1 else {
            throw Failure()
        }
    }

    /// Returns a different digest for each number.
    private static func digest(_ number: Int) -> [UInt8] {
        var digest = [UInt8](repeating: 0xA5, count: 32)
        withUnsafeBytes(of: number) { for (index, byte) in $0.enumerated() { digest[index] = byte } }
        return digest
    }
}
