/// The secret that proves whose login it is: 32 random bytes, made by the app and stored before the first request (rule
/// 1).
///
/// It is sent in the body of the create and in `Authorization` afterwards, never in a URL.
public struct PollSecret: Hashable, Sendable {
    /// As base64url without padding (RFC 4648 §5): 43 characters.
    let text: String

    /// Creates a secret. `SystemRandomNumberGenerator` is cryptographically secure on Apple's platforms, Linux and
    /// Android.
    public init(using random: () -> UInt64) {
        var bytes: [UInt8] = []
        for _ in 0..<4 { withUnsafeBytes(of: random().bigEndian) { bytes.append(contentsOf: $0) } }
        self.text = Base64URL.encode(bytes)
    }

    /// Reads a stored secret; nil when the text is not 43 characters of base64url.
    public init?(_ text: String) {
        guard text.utf8.count == 43, text.utf8.allSatisfy(\.isBase64URL) else { return nil }
        self.text = text
    }

    /// The secret as text, to be stored. It gives access to the login's result, so protect it like a password.
    public var exposed: String { self.text }
}

extension PollSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder, never the bytes.
    public var description: String { "‹secret›" }

    /// A placeholder, never the bytes.
    public var debugDescription: String { self.description }

    /// Nothing: without this, `dump` would show the bytes.
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

extension UInt8 {
    /// A character of base64url (RFC 4648 §5).
    var isBase64URL: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
