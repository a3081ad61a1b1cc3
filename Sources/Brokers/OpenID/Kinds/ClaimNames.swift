/// What a broker calls the parts of an identity; by default as OpenID Connect does (Core 5.1).
package struct ClaimNames: Equatable, Sendable {
    package var name = "name"
    package var givenName = "given_name"
    package var familyName = "family_name"
    package var birthDate = "birthdate"
    package var country = "country"
    /// Of the ID token: those in which the level of what was asked for may stand; the first that is there counts.
    package var contextClasses = ["acr"]
    /// Names the level of assurance, where it is not one of those.
    package var assurance: String?

    package init() {}
}
