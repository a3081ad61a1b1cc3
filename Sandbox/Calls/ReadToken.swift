import Base
import HTTPWire
import StrictJSON

/// A JWT that a response contains, as it may be shown: its header and its claims, without its signature and without
/// national ids. Without the signature it is worth nothing.
struct ReadToken: Sendable {
    let header: JSON
    let claims: JSON

    /// Returns nil for a text that is not a signed JWT.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]) else { return nil }
        self.header = header
        self.claims = CallRedaction.withoutNationalIDs(claims)
    }

    private static func json(_ part: Substring) -> JSON? {
        Base64URL.decode(String(part)).flatMap { try? JSON(parsing: $0) }
    }

    /// Returns the token that a member of a JSON response contains.
    static func member(_ name: String, of response: Response) -> Self? {
        guard response.fields[.contentType]?.contains("json") == true else { return nil }
        return (try? JSON(parsing: response.body))?[name]?.string.flatMap { Self($0) }
    }
}
