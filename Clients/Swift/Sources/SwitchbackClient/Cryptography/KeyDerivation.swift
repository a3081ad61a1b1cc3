/// Derives a key from a PIN by PBKDF2 with HMAC-SHA-256 (RFC 8018 §5.2), which makes each guess of the PIN expensive.
///
/// `SystemKeyDerivation` is the one to use.
public protocol KeyDerivation: Sendable {
    /// Returns the first 32 bytes of PBKDF2-HMAC-SHA-256.
    func derive(from password: [UInt8], salt: [UInt8], iterations: Int) -> [UInt8]
}

/// PBKDF2 in Swift, for systems without CommonCrypto.
public struct SoftwareKeyDerivation: KeyDerivation {
    /// Creates the derivation.
    public init() {}

    /// Returns the first 32 bytes of PBKDF2-HMAC-SHA-256.
    public func derive(from password: [UInt8], salt: [UInt8], iterations: Int) -> [UInt8] {
        let key = HMACSHA256(key: password)
        // The number of the block follows the salt. 32 bytes are one block.
        let first = key.authenticate(salt + [0, 0, 0, 1])
        // The message of each further HMAC is one hash, so its only block is the hash with padding.
        var words = [UInt32](repeating: 0, count: 64)
        for (index, byte) in first.enumerated() { words[index / 4] |= UInt32(byte) << UInt32(24 - 8 * (index % 4)) }
        words[8] = 0x8000_0000
        words[15] = UInt32((SHA256.blockSize + 32) * 8)
        var sum = SHA256.State((0..<8).map { words[$0] })
        var remainingRounds = iterations - 1
        while remainingRounds > 0 {
            var state = key.inner
            SHA256.compress(&state, &words)
            for index in 0..<8 { words[index] = state[index] }
            state = key.outer
            SHA256.compress(&state, &words)
            for index in 0..<8 { words[index] = state[index] }
            sum ^= state
            remainingRounds -= 1
        }
        return SHA256.bytes(of: sum)
    }
}
