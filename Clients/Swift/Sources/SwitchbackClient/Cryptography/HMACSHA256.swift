/// HMAC with SHA-256 (RFC 2104).
struct HMACSHA256 {
    /// The states after the block with the key, which are the same for each message.
    let inner: SHA256.State
    let outer: SHA256.State

    init(key: [UInt8]) {
        var block = key.count > SHA256.blockSize ? SHA256.hash(key) : key
        block += [UInt8](repeating: 0, count: SHA256.blockSize - block.count)
        self.inner = Self.state(after: block.map { $0 ^ 0x36 })
        self.outer = Self.state(after: block.map { $0 ^ 0x5c })
    }

    func authenticate(_ message: [UInt8]) -> [UInt8] {
        let hash = SHA256.hash(message, from: self.inner, after: SHA256.blockSize)
        return SHA256.bytes(of: SHA256.hash(SHA256.bytes(of: hash), from: self.outer, after: SHA256.blockSize))
    }

    private static func state(after block: [UInt8]) -> SHA256.State {
        var words = [UInt32](repeating: 0, count: 64)
        for (index, byte) in block.enumerated() { words[index / 4] |= UInt32(byte) << UInt32(24 - 8 * (index % 4)) }
        var state = SHA256.start
        SHA256.compress(&state, &words)
        return state
    }
}
