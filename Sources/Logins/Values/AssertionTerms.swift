import JOSE

/// The terms that an app's own API sets for the assertions it accepts.
///
/// It is a class, so that each view of a login refers to it without a copy.
package final class AssertionTerms: Sendable {
    /// The `aud` claim.
    package let audience: String
    /// The `typ` header (RFC 8725 §3.11).
    package let type: String
    /// The claims about the user besides the identity itself.
    package let claims: [AssertionClaim]
    /// Encrypts assertions to the API's key. Nil if assertions are only signed.
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

    /// Distinguishes an assertion from every other JWT.
    package static let usualType = "login+jwt"
}

extension AssertionTerms: Equatable {
    package static func == (one: AssertionTerms, other: AssertionTerms) -> Bool { one === other }
}

/// A claim that an assertion may make about the user besides the identity itself, under the identity's name for it.
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
