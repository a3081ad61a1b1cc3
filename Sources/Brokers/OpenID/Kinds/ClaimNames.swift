/// A broker's names for the parts of an identity; the default is OpenID Connect's (Core 5.1).
package struct ClaimNames: Equatable, Sendable {
    package var name = "name"
    package var givenName = "given_name"
    package var familyName = "family_name"
    package var birthDate = "birthdate"
    package var country = "country"
    /// The claims of the ID token that may contain the requested level. The first one that is present counts.
    package var contextClasses = ["acr"]
    /// The claim with the level of assurance, if it is none of those.
    package var assurance: String?

    package init() {}
}
