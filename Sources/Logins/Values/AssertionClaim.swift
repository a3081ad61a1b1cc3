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
