import Brokers
import Logins
import Testing

@testable import LoginAPI

/// Tests what a phone learns about the user, depending on what is only for the app's API.
@Suite struct WithheldIdentityTests {
    private static let identity = Identity(
        issuer: "https://id.example", subject: "s", provider: "eid", eid: "mitid", country: "DK", assurance: .high,
        acr: "high", name: "Anne Ærlig", givenName: "Anne", familyName: "Ærlig", birthDate: "1979-11-03",
        nationalID: Identity.NationalID(type: "dk:cpr", value: "0311791234"), claims: ["dk.cpr": "0311791234"],
        registration: Registration(tokens: ["access_token": "a"], data: [:]))

    /// The members about the user that are left.
    static let rows: [(claims: [AssertionClaim], told: [String])] = [
        ([], ["country", "name", "given_name", "family_name", "birth_date"]),
        ([.nationalID], ["country", "name", "given_name", "family_name", "birth_date"]),
        ([.name], ["country", "birth_date"]), ([.givenName], ["country", "birth_date"]),
        ([.familyName], ["country", "birth_date"]),
        ([.birthDate], ["country", "name", "given_name", "family_name"]),
        ([.country], ["name", "given_name", "family_name", "birth_date"]),
        ([.claims], ["country", "name", "given_name", "family_name", "birth_date"]),
        (AssertionClaim.allCases, []),
    ]

    @Test(arguments: rows)
    func `a phone is told only what is not withheld`(_ row: (claims: [AssertionClaim], told: [String])) {
        let terms = AssertionTerms(audience: "shop", claims: row.claims)
        let identity = Self.identity.withheld(by: terms)
        let members = [
            ("country", identity.country), ("name", identity.name), ("given_name", identity.givenName),
            ("family_name", identity.familyName), ("birth_date", identity.birthDate),
        ]
        #expect(members.compactMap { $0.1 == nil ? nil : $0.0 } == row.told)
        #expect(identity.nationalID == nil && identity.claims.isEmpty && identity.registration == nil)
        #expect(identity.subject == "s" && identity.assurance == .high && identity.acr == "high")
    }
}
