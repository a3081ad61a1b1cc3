/// What an app's own API demands of the assertions that it believes.

/// It is a class, so that each view of a login refers to it and has no copy.
package final class AssertionTerms: Sendable {
    /// The `aud`.
    package let audience: String
    /// The `typ` (RFC 8725 §3.11).
    package let type: String

    package init(audience: String, type: String = AssertionTerms.usualType) {
        self.audience = audience
        self.type = type
    }

    /// Tells an assertion from every other JWT.
    package static let usualType = "login+jwt"
}

extension AssertionTerms: Equatable {
    package static func == (one: AssertionTerms, other: AssertionTerms) -> Bool { one === other }
}
