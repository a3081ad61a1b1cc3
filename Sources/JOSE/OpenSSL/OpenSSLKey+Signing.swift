/// Signing and verifying with libcrypto.
import CSSL

extension OpenSSLKey {
    /// Nil when libcrypto refuses. The key must fit the scheme.
    func sign(_ message: [UInt8], _ scheme: SignatureAlgorithm.Scheme) -> [UInt8]? {
        Self.attempt {
            guard let context = self.context(for: .sign(scheme)) else { return nil }
            var length = Int(EVP_PKEY_get_size(self.pointer))
            var signature = [UInt8](repeating: 0, count: length)
            guard EVP_DigestSign(context.pointer, &signature, &length, message, message.count) == 1 else { return nil }
            signature.removeLast(signature.count - length)
            guard case .ecdsa(let curve, _) = scheme else { return signature }
            return OpenSSLECDSASignature.raw(signature, curve)
        }
    }

    func verify(_ signature: [UInt8], of message: [UInt8], _ scheme: SignatureAlgorithm.Scheme) -> Bool {
        let isValid = Self.attempt { () -> Bool? in
            var signature = signature
            if case .ecdsa(let curve, _) = scheme {
                guard let encoded = OpenSSLECDSASignature.encoded(signature, curve) else { return nil }
                signature = encoded
            }
            guard let context = self.context(for: .verify(scheme)),
                EVP_DigestVerify(context.pointer, signature, signature.count, message, message.count) == 1
            else { return nil }
            return true
        }
        return isValid ?? false
    }
}
