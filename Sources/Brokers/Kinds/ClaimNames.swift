/// What a broker calls the parts of an identity; by default as OpenID Connect does (Core 5.1).
package struct ClaimNames: Equatable, Sendable {
    package var name = "name"
    package var givenName = "given_name"
    package var familyName = "family_name"
    package var birthDate = "birthdate"
    package var country = "country"
    /// Names the level of assurance.
    package var assurance = "acr"

    package init() {}
}
