/// What an app's own API demands of the assertions that it believes.
import JOSE

/// It is a class, so that each view of a login refers to it and has no copy.
package final class AssertionTerms: Sendable {
    /// The `aud`.
    package let audience: String
    /// The `typ` (RFC 8725 §3.11).
    package let type: String
    /// What is said of the person, besides who it is.
    package let claims: [AssertionClaim]
    /// Encrypts to the API's key; nil where assertions are only signed.
    package let encrypter: Encrypter?

    package init(
        audience: String, type: String = AssertionTerms.usualType, claims: [AssertionClaim] = [],
        encrypter: Encrypter? = nil
    ) {
        self.audience = audience
        self.type = type
        self.claims = claims
        self.encrypter = encrypter
    }

    /// Tells an assertion from every other JWT.
    package static let usualType = "login+jwt"
}

extension AssertionTerms: Equatable {
    package static func == (one: AssertionTerms, other: AssertionTerms) -> Bool { one === other }
}

/// What an assertion may say of the person besides who it is, each as the identity calls it.
package enum AssertionClaim: String, CaseIterable, Sendable {
    case name
    case givenName = "given_name"
    case familyName = "family_name"
    case birthDate = "birth_date"
    case nationalID = "national_id"
    case country
    /// The broker's own claims, as `providers.*.claims` lists them.
    case claims
}
