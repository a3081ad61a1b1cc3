// Signing and verifying with libcrypto.

import CSSL

extension OpenSSLKey {
    /// Returns nil if libcrypto refuses. The key must fit the scheme.
    func sign(_ message: [UInt8], _ scheme: SignatureAlgorithm.Scheme) -> [UInt8]? {
        self.withContext(for: .sign(scheme)) { context in
            let byteCount = Int(EVP_PKEY_get_size(self.pointer))
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: byteCount) { room in
                guard let signature = context.sign(message, into: room) else { return nil }
                guard case .ecdsa(let curve, _) = scheme else { return Array(signature) }
                return ECDSASignature.raw(signature, curve)
            }
        }
    }

    func verify(_ signature: [UInt8], of message: [UInt8], _ scheme: SignatureAlgorithm.Scheme) -> Bool {
        let isValid = self.withContext(for: .verify(scheme)) { context -> Bool? in
            guard case .ecdsa(let curve, _) = scheme else { return context.verify(signature, of: message) ? true : nil }
            guard let encoded = ECDSASignature.encoded(signature, curve) else { return nil }
            return context.verify(encoded, of: message) ? true : nil
        }
        return isValid ?? false
    }
}
