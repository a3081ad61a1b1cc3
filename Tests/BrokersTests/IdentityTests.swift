import Base
import Testing

@testable import Brokers

/// Identities: they survive encoding, and no two users have one account.
@Suite struct IdentityTests {
    static let full = Identity(
        issuer: "https://id.example/", subject: "s-1", provider: "mitid", eid: "mitid", country: "DK",
        assurance: .substantial, acr: "urn:x:substantial", methods: ["pwd", "otp"],
        authenticatedAt: Timestamp(seconds: 1_772_366_400), name: "Anne Ærlig", givenName: "Anne", familyName: "Ærlig",
        birthDate: "1979-11-03", nationalID: Identity.NationalID(type: "dk:cpr", value: "0311791234"),
        claims: ["hair": "red", "siblings": 2])
    static let bare = Identity(issuer: "https://id.example/", subject: "s-1", provider: "mitid", eid: "mitid")

    @Test(arguments: [full, bare]) func `a sealed identity is read back as it was`(_ identity: Identity) {
        #expect(Identity(encoded: identity.encoded()) == identity)
    }

    @Test(arguments: ["", "{}", "[]", "{\"iss\":1}"]) func `junk is no identity`(_ text: String) {
        #expect(Identity(encoded: Array(text.utf8)) == nil)
    }

    @Test func `an identity is not printed`() {
        #expect("\(Self.full)" == "Identity")
        #expect(String(reflecting: Self.full) == "Identity")
    }

    /// Each row is another user than every other row.
    @Test func `no two users have one account`() {
        let people = [
            ("https://a", "1"), ("https://a", "11"), ("https://a1", "1"), ("https://b", "1"), ("https://a/", "1"),
        ]
        let accounts = people.map { Identity(issuer: $0.0, subject: $0.1, provider: "p", eid: "e").account }
        #expect(Set(accounts).count == people.count)
        #expect(accounts.allSatisfy { $0.utf8.count == 43 })
    }

    static let levels: [(String, Assurance?)] = [
        ("https://data.gov.dk/concept/core/nsis/Substantial", .substantial),
        ("http://eidas.europa.eu/LoA/high", .high),
        ("urn:grn:authn:dk:mitid:low", .low),
        ("substantial", .substantial),
        ("urn:grn:authn:se:bankid:same-device", nil),
        ("none", nil), ("urn:x:none", nil), ("", nil), ("/", nil), ("higher", nil), ("high-risk", nil),
    ]

    @Test(arguments: levels) func `the level is the last word of the acr`(_ acr: String, _ level: Assurance?) {
        #expect(Assurance(contextClass: acr) == level)
    }
}
