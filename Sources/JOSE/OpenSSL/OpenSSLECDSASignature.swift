/// The two ways to write an ECDSA signature: JOSE's r ‖ s (RFC 7518 §3.4), and DER, which is what libcrypto speaks.
import CSSL

enum OpenSSLECDSASignature {
    /// DER to r ‖ s, each with the length of a coordinate.
    static func raw(_ encoded: [UInt8], _ curve: Curve) -> [UInt8]? {
        var start: UnsafePointer<UInt8>?
        return encoded.withUnsafeBufferPointer { encoded in
            start = encoded.baseAddress
            guard let signature = d2i_ECDSA_SIG(nil, &start, encoded.count) else { return nil }
            defer { ECDSA_SIG_free(signature) }
            guard let r = self.bytes(ECDSA_SIG_get0_r(signature), curve),
                let s = self.bytes(ECDSA_SIG_get0_s(signature), curve)
            else { return nil }
            return r + s
        }
    }

    /// r ‖ s to DER. Nil unless the length is exactly that of the curve.
    static func encoded(_ raw: [UInt8], _ curve: Curve) -> [UInt8]? {
        let length = curve.coordinateByteCount
        guard raw.count == 2 * length, let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        let r = BN_bin2bn(Array(raw.prefix(length)), Int32(length), nil)
        let s = BN_bin2bn(Array(raw.suffix(length)), Int32(length), nil)
        // From here on the signature owns both numbers.
        guard ECDSA_SIG_set0(signature, r, s) == 1 else { return nil }
        var output: UnsafeMutablePointer<UInt8>?
        let size = i2d_ECDSA_SIG(signature, &output)
        guard size > 0, let output else { return nil }
        defer { CRYPTO_free(output, nil, 0) }
        return Array(UnsafeBufferPointer(start: output, count: Int(size)))
    }

    private static func bytes(_ number: OpaquePointer?, _ curve: Curve) -> [UInt8]? {
        let length = Int32(curve.coordinateByteCount)
        var bytes = [UInt8](repeating: 0, count: curve.coordinateByteCount)
        return BN_bn2binpad(number, &bytes, length) == length ? bytes : nil
    }
}
