/// An error that a provider returned (RFC 6749 §4.1.2.1 and §5.2).
///
/// Its text decides what we do, and nobody is shown it: the log has `word`, pages and apps get our own words.
package struct OAuthError: Equatable, Sendable {
    /// At most 64 characters of RFC 6749's set. Any other character is replaced by `?`.
    package let code: String
    /// The same, with at most 200 characters. It may contain personal data. Nil for an empty one, because a parameter
    /// without a value counts as omitted (RFC 6749 §3.1).
    package let description: String?

    /// The code for the log and for metrics.
    package var word: ErrorWord { ErrorWord(self.code) }

    package init(code: String, description: String? = nil) {
        self.code = Self.clean(code, limit: 64)
        self.description = description.flatMap { $0.isEmpty ? nil : Self.clean($0, limit: 200) }
    }

    private static func clean(_ text: String, limit: Int) -> String {
        let bytes = text.utf8.prefix(limit).map { $0.isUnquotedText ? $0 : UInt8(ascii: "?") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
