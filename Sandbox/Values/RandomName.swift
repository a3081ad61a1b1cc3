import Base

/// Names that cannot be guessed, for codes, tokens and pages.
enum RandomName {
    /// Returns 256 random bits in base64url.
    static func make() -> String { Base64URL.encode(RandomBytes.make(32)) }
}
