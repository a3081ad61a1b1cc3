import Base
import Sandbox
import Testing

/// The pages of the e-IDs: each has its own look, its name, and users of its own country.
@Suite struct EIDPageTests {
    typealias Row = (system: SandboxSystem, changes: [String: String?], eID: SandboxEID, first: String)

    static let rows: [Row] = [
        (.oidc, [:], .sandbox, "freja"),
        (.signaturgruppen, ["idp_values": "mitid"], .mitid, "freja"),
        (.signaturgruppen, [:], .mitid, "freja"),
        (.signaturgruppen, ["idp_values": "eboks"], .sandbox, "freja"),
        (.idura, ["acr_values": "urn:grn:authn:dk:mitid:substantial"], .mitid, "freja"),
        (.idura, ["acr_values": "urn:grn:authn:se:bankid"], .swedishBankID, "elin"),
        (.idura, ["acr_values": "urn:grn:authn:no:bankid:high"], .norwegianBankID, "hakon"),
        (.idura, ["acr_values": "urn:grn:authn:fi:all"], .sandbox, "freja"),
        (.vipps, [:], .vipps, "hakon"),
    ]

    @Test(arguments: rows) func `each e-ID has its own page`(_ row: Row) async throws {
        let stage = try Stage(system: row.system)
        var changes = row.changes
        changes["state"] = "long enough for Vipps"
        let page = try await stage.walk.open(stage.request(changes)).text
        #expect(page.contains("<body class=\"\(row.eID.rawValue)\">"))
        #expect(page.contains("value=\"\(row.first)\" checked>"))
        let users = row.eID.users.map(\.id)
        for person in SandboxIdentity.all {
            #expect(page.contains("name=\"person\" value=\"\(person.id)\"") == users.contains(person.id))
        }
        #expect(row.eID == .sandbox || page.contains("<h1>Log in with \(row.eID.name)</h1>"))
        #expect(row.eID == .sandbox || page.contains("not the real \(row.eID.name)"))
        await stage.end()
    }

    static let countries: [(eID: SandboxEID, countries: Set<String>)] = [
        (.mitid, ["DK"]), (.swedishBankID, ["SE"]), (.norwegianBankID, ["NO"]), (.digid, ["NL"]),
        (.vipps, ["NO", "DK", "FI", "SE"]), (.sandbox, ["NO", "DK", "FI", "SE", "NL"]),
    ]

    @Test(arguments: countries)
    func `each e-ID has users of its country`(_ row: (eID: SandboxEID, countries: Set<String>)) {
        #expect(Set(row.eID.users.map(\.country)) == row.countries)
        #expect(row.eID.users.count >= 2)
    }

    @Test func `the client has a name on the page`() async throws {
        let stage = try Stage()
        let client = SandboxClient(
            clientID: "test app", name: "A shop", secret: Secret("a"), redirectURIs: [Stage.redirectURI],
            authentication: .secretBasic)
        try stage.provider.register(client)
        #expect(try await stage.walk.open(stage.request()).text.contains("<strong>A shop</strong> asks you"))
        await stage.end()
    }
}
