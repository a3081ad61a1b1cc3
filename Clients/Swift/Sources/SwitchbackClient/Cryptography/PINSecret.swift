/// The secret behind a PIN: 32 random bytes that the server knows and the phone keeps masked by the PIN.
///
/// The phone can compute it only together with the PIN, and only the server can tell whether it is right. It prints as
/// a placeholder.
public struct PINSecret: Hashable, Sendable {
    let bytes: [UInt8]

    static let size = 32

    init(using random: () -> UInt64) { self.bytes = Self.randomBytes(Self.size, using: random) }

    /// Unmasks what `masked(by:)` returned; nil for another length. A wrong PIN gives other bytes, and nothing shows
    /// that they are wrong.
    init?(masked: [UInt8], by key: [UInt8]) {
        guard masked.count == Self.size, key.count == Self.size else { return nil }
        self.bytes = zip(masked, key).map { $0 ^ $1 }
    }

    /// Returns the secret XOR a key that was derived from the PIN.
    func masked(by key: [UInt8]) -> [UInt8] { zip(self.bytes, key).map { $0 ^ $1 } }

    var text: String { Base64URL.encode(self.bytes) }

    /// Returns the proof for a session, a nonce and the id of a DPoP proof.
    func proof(session: String, nonce: String, id: String) -> String {
        let message = "switchback/unlock/1" + session + nonce + id
        return Base64URL.encode(HMACSHA256(key: self.bytes).authenticate(Array(message.utf8)))
    }

    static func randomBytes(_ count: Int, using random: () -> UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count { withUnsafeBytes(of: random().bigEndian) { bytes.append(contentsOf: $0) } }
        return Array(bytes.prefix(count))
    }
}

extension PINSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder, never the bytes.
    public var description: String { "‹secret›" }

    /// A placeholder, never the bytes.
    public var debugDescription: String { self.description }

    /// Nothing: without this, `dump` would show the bytes.
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
