#if canImport(CommonCrypto)
import CommonCrypto
#endif

/// PBKDF2 by CommonCrypto on Apple's platforms, and in Swift elsewhere.
public struct SystemKeyDerivation: KeyDerivation {
    /// Creates the derivation.
    public init() {}

    /// Returns the first 32 bytes of PBKDF2-HMAC-SHA-256.
    public func derive(from password: [UInt8], salt: [UInt8], iterations: Int) -> [UInt8] {
        #if canImport(CommonCrypto)
        var key = [UInt8](repeating: 0, count: 32)
        let characters = password.map { CChar(bitPattern: $0) }
        let status = CCKeyDerivationPBKDF(
            CCPBKDFAlgorithm(kCCPBKDF2), characters, characters.count, salt, salt.count,
            CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), UInt32(clamping: iterations), &key, key.count)
        // It fails for impossible parameters only.
        guard status == kCCSuccess else {
            return SoftwareKeyDerivation().derive(from: password, salt: salt, iterations: iterations)
        }
        return key
        #else
        SoftwareKeyDerivation().derive(from: password, salt: salt, iterations: iterations)
        #endif
    }
}
