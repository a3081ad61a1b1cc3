// Public keys from their numbers, and the numbers of a public key.

import CSSL
import Cryptography

extension OpenSSLKey {
    /// Returns nil if libcrypto refuses the numbers, for example a point that is not on the curve.
    convenience init?(_ material: KeyMaterial) {
        let pointer = Self.attempt {
            switch material {
            case .rsa(let modulus, let exponent): Self.rsa(modulus, exponent)
            case .ellipticCurve(let curve, let x, let y): Self.ellipticCurve(curve, x, y)
            case .ed25519(let x): EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, x, x.count)
            }
        }
        guard let pointer else { return nil }
        self.init(owning: pointer)
    }

    private static func rsa(_ modulus: [UInt8], _ exponent: [UInt8]) -> OpaquePointer? {
        var parameters = OpenSSLParameters()
        parameters.add("n", number: modulus)
        parameters.add("e", number: exponent)
        return self.key("RSA", parameters, OpenSSLName.publicKeySelection)
    }

    /// A copy of a curve takes a fifth of the time that libcrypto needs to make one from its name.
    private static func ellipticCurve(_ curve: Curve, _ x: [UInt8], _ y: [UInt8]) -> OpaquePointer? {
        guard let key = EVP_PKEY_dup(self.emptyKey(on: curve)) else { return nil }
        // The byte 4 says that both coordinates follow (SEC 1 §2.3.3). libcrypto checks that the point is on the curve.
        let point = [4] + x + y
        guard EVP_PKEY_set1_encoded_public_key(key, point, point.count) == 1 else {
            EVP_PKEY_free(key)
            return nil
        }
        return key
    }

    private static func emptyKey(on curve: Curve) -> OpaquePointer {
        switch curve {
        case .p256: self.p256
        case .p384: self.p384
        case .p521: self.p521
        }
    }

    // Safe because these keys never change, and libcrypto counts their references atomically.
    nonisolated(unsafe) private static let p256 = makeEmptyKey(on: .p256)
    // Safe because: as above.
    nonisolated(unsafe) private static let p384 = makeEmptyKey(on: .p384)
    // Safe because: as above.
    nonisolated(unsafe) private static let p521 = makeEmptyKey(on: .p521)

    /// Returns a key that has a curve, but no point yet.
    private static func makeEmptyKey(on curve: Curve) -> OpaquePointer {
        var parameters = OpenSSLParameters()
        parameters.add("group", text: curve.rawValue)
        let key = self.attempt { self.key("EC", parameters, OpenSSLName.parametersSelection) }
        guard let key else { preconditionFailure("libcrypto has no curve \(curve.rawValue)") }
        return key
    }

    private static func key(
        _ type: String, _ parameters: OpenSSLParameters, _ selection: Int32
    ) -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_fromdata_init(context) == 1 else { return nil }
        return parameters.withParameters { parameters in
            var key: OpaquePointer?
            guard EVP_PKEY_fromdata(context, &key, selection, parameters) == 1 else { return nil }
            return key
        }
    }

    // MARK: - Reading the numbers

    /// Returns nil for a kind of key that we do not use.
    func publicMaterial() -> KeyMaterial? {
        Self.attempt {
            if EVP_PKEY_is_a(self.pointer, "RSA") == 1 { return self.rsaMaterial() }
            if EVP_PKEY_is_a(self.pointer, "EC") == 1 { return self.ellipticCurveMaterial() }
            if EVP_PKEY_is_a(self.pointer, "ED25519") == 1 { return self.ed25519Material() }
            return nil
        }
    }

    private func rsaMaterial() -> KeyMaterial? {
        guard let modulus = self.number("n"), let exponent = self.number("e") else { return nil }
        return .rsa(modulus: modulus, exponent: exponent)
    }

    private func ellipticCurveMaterial() -> KeyMaterial? {
        guard let curve = self.curve(), let x = self.number("qx", byteCount: curve.coordinateByteCount),
            let y = self.number("qy", byteCount: curve.coordinateByteCount)
        else { return nil }
        return .ellipticCurve(curve, x: x, y: y)
    }

    private func curve() -> Curve? {
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard EVP_PKEY_get_group_name(self.pointer, &name, name.count, &length) == 1 else { return nil }
        return switch String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self) {
        case "prime256v1": .p256
        case "secp384r1": .p384
        case "secp521r1": .p521
        default: nil
        }
    }

    private func ed25519Material() -> KeyMaterial? {
        var bytes = [UInt8](repeating: 0, count: KeyMaterial.ed25519ByteCount)
        var length = bytes.count
        guard EVP_PKEY_get_raw_public_key(self.pointer, &bytes, &length) == 1, length == bytes.count else { return nil }
        return .ed25519(bytes)
    }

    /// Returns a number of the key, big-endian, with as few bytes as it needs or with `byteCount`.
    private func number(_ name: String, byteCount: Int? = nil) -> [UInt8]? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(self.pointer, name, &number) == 1, let number else { return nil }
        defer { BN_free(number) }
        let length = byteCount ?? Int(BN_num_bits(number) + 7) / 8
        var bytes = [UInt8](repeating: 0, count: length)
        guard let size = Int32(exactly: length), BN_bn2binpad(number, &bytes, size) == size else { return nil }
        return bytes
    }
}

/// OpenSSL's macros that Swift cannot import.
enum OpenSSLName {
    /// EVP_PKEY_KEY_PARAMETERS.
    static let parametersSelection = Int32(OSSL_KEYMGMT_SELECT_ALL_PARAMETERS)
    /// EVP_PKEY_PUBLIC_KEY.
    static let publicKeySelection = Int32(OSSL_KEYMGMT_SELECT_ALL_PARAMETERS | OSSL_KEYMGMT_SELECT_PUBLIC_KEY)
}
