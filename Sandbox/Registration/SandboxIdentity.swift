import StrictJSON

/// A fictional test user who can log in at the sandbox.
package struct SandboxIdentity: Sendable {
    /// The value of the field `person` on the authorize page.
    package let id: String
    package let subject: String
    package let givenName: String
    package let familyName: String
    package let birthDate: String
    package let country: String
    package let email: String

    /// A number that no real person has: its check digits are not possible.
    package var nationalID: String { "000000-\(self.id.utf8.reduce(0) { ($0 * 31 + Int($1)) % 10_000 })" }

    package var name: String { "\(self.givenName) \(self.familyName)" }

    /// Returns the claims of each scope (Core §5.4), and those requested by name (Core §5.5).
    func claims(for scope: [String], and names: Set<String>) -> [(name: String, value: JSON)] {
        let profileClaims = self.claims(for: ["profile", "email"])
        let claims = self.claims(for: scope)
        return claims
            + profileClaims.filter { claim in names.contains(claim.name) && !claims.contains { $0.name == claim.name } }
    }

    private func claims(for scope: [String]) -> [(name: String, value: JSON)] {
        var claims: [(name: String, value: JSON)] = []
        if scope.contains("profile") {
            claims.append(("name", .string(self.name)))
            claims.append(("given_name", .string(self.givenName)))
            claims.append(("family_name", .string(self.familyName)))
            claims.append(("birthdate", .string(self.birthDate)))
            claims.append(("country", .string(self.country)))
        }
        if scope.contains("email") {
            claims.append(("email", .string(self.email)))
            claims.append(("email_verified", .bool(true)))
        }
        return claims
    }
}

extension SandboxIdentity {
    /// The test users to choose from. The first one is the default.
    package static let all = [
        Self(
            id: "freja", subject: "sandbox-dk-freja", givenName: "Freja", familyName: "Lindegaard",
            birthDate: "1991-04-17", country: "DK", email: "freja@sandbox.example"),
        Self(
            id: "soren", subject: "sandbox-dk-soren", givenName: "Søren", familyName: "Ærøskov",
            birthDate: "1958-11-02", country: "DK", email: "soren@sandbox.example"),
        Self(
            id: "elin", subject: "sandbox-se-elin", givenName: "Elin", familyName: "Nordstråle",
            birthDate: "2001-02-28", country: "SE", email: "elin@sandbox.example"),
        Self(
            id: "axel", subject: "sandbox-se-axel", givenName: "Axel", familyName: "Björkeland",
            birthDate: "1966-06-06", country: "SE", email: "axel@sandbox.example"),
        Self(
            id: "hakon", subject: "sandbox-no-hakon", givenName: "Håkon", familyName: "Bjørnefjell",
            birthDate: "1979-08-30", country: "NO", email: "hakon@sandbox.example"),
        Self(
            id: "ingrid", subject: "sandbox-no-ingrid", givenName: "Ingrid", familyName: "Fjellvåken",
            birthDate: "1994-05-17", country: "NO", email: "ingrid@sandbox.example"),
        Self(
            id: "aino", subject: "sandbox-fi-aino", givenName: "Aino", familyName: "Järvenpolku",
            birthDate: "1986-12-24", country: "FI", email: "aino@sandbox.example"),
        Self(
            id: "sanne", subject: "sandbox-nl-sanne", givenName: "Sanne", familyName: "van der Duinhoek",
            birthDate: "1988-09-09", country: "NL", email: "sanne@sandbox.example"),
        Self(
            id: "daan", subject: "sandbox-nl-daan", givenName: "Daan", familyName: "Wilgenbeek",
            birthDate: "1972-01-31", country: "NL", email: "daan@sandbox.example"),
    ]

    package static func named(_ id: String) -> Self? { Self.all.first { $0.id == id } }
}
