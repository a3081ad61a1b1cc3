import Foundation
import Testing

@testable import SwitchbackClient

/// The list of the app's login buttons.
@Suite struct ProvidersTests {
    private struct Offline: Error {}

    private static let list = """
        {"providers": [
         {"id": "mitid", "kind": "oidc", "name": "MitID", "names": {"da": "MitID på dansk", "en": "MitID in English"},
          "logo": "https://login.example/assets/mitid.svg", "countries": ["DK", "GL"], "platforms": ["ios"],
          "web_os": null, "surfaces": ["auth_session", "hologram", "tab"], "eid": "mitid", "new": 1,
          "eid_app": {"ios_probe_links": ["mitid://"], "ios_query_schemes": ["mitid"], "ios_store_url": null}},
         {"id": "no_bankid", "name": "BankID", "names": {"nb": "BankID på norsk", "sv-FI": "BankID i Finland"}},
         {"name": "has no id"}, 3
        ]}
        """

    private static func answer(_ body: String = list, status: Int = 200, etag: String? = "\"one\"") -> HTTPResponse {
        let fields = ["Content-Type": "application/json", "ETag": etag].compactMapValues { $0 }
        return HTTPResponse(status: status, fields: fields, body: Data(body.utf8))
    }

    /// A client whose server gives these responses, one after the other; nil is none. The requests are kept.
    private static func client(_ answers: [HTTPResponse?], _ requests: Locked<[HTTPRequest]> = Locked([]), app: String?)
        -> LoginClient
    {
        let rest = Locked(answers)
        let dependencies = LoginClientDependencies { request in
            requests.withLock { $0.append(request) }
            guard let answer = rest.withLock({ $0.removeFirst() }) else { throw Offline() }
            return answer
        }
        return LoginClient(server: Example.server, app: app, store: NoLogins(), dependencies: dependencies)
    }

    private actor NoLogins: SavedLoginStore {
        func save(_ login: SavedLogin) async throws {}
        func remove(_ id: SavedLogin.ID) async throws {}
        func all() async throws -> [SavedLogin] { [] }
    }

    @Test("a provider is read with what its button needs") func aProviderIsRead() async throws {
        let providers = try await Self.client([Self.answer()], app: nil).providers(languages: ["da-DK"])
        #expect(providers.map(\.id) == ["mitid", "no_bankid"], "in their order, without what has no id")
        let mitid = try #require(providers.first)
        #expect(mitid.name == "MitID på dansk")
        #expect(mitid.logo?.absoluteString == "https://login.example/assets/mitid.svg")
        #expect(mitid.countries == ["DK", "GL"] && mitid.eid == "mitid")
        #expect(mitid.surfaces == [.authSession, .tab], "without what this version does not know")
        #expect(mitid.probeLinks == ["mitid://"] && mitid.querySchemes == ["mitid"] && mitid.storeURL == nil)
        #expect(providers.last?.logo == nil && providers.last?.countries == [])
    }

    static let languages: [(preferred: [String], names: [String])] = [
        (["da-DK"], ["MitID på dansk", "BankID"]), (["en_GB"], ["MitID in English", "BankID"]),
        (["fi", "DA"], ["MitID på dansk", "BankID"]), ([], ["MitID", "BankID"]), ([""], ["MitID", "BankID"]),
        (["no"], ["MitID", "BankID på norsk"]), (["nb-NO", "en"], ["MitID in English", "BankID på norsk"]),
        (["sv-FI"], ["MitID", "BankID i Finland"]), (["sv"], ["MitID", "BankID"]),
    ]

    @Test("the name is in the first language that there is", arguments: languages)
    func theNameIsInTheUsersLanguage(_ row: (preferred: [String], names: [String])) async throws {
        let providers = try await Self.client([Self.answer()], app: nil).providers(languages: row.preferred)
        #expect(providers.map(\.name) == row.names)
    }

    static let notices: [(members: String, preferred: [String], isEnabled: Bool, notice: String?)] = [
        (#""enabled": false, "notices": {"da": "Til kl. 14", "en": "Until 2"}"#, ["da-DK"], false, "Til kl. 14"),
        (#""enabled": false, "notices": {"nb": "Til kl. 14", "en": "Until 2"}"#, ["fi", "no"], false, "Til kl. 14"),
        (#""enabled": false, "notices": {"da": "Til kl. 14", "en": "Until 2"}"#, ["fi"], false, "Until 2"),
        (#""enabled": false, "notices": {"nn": "Til kl. 2", "da": "Til kl. 14"}"#, [], false, "Til kl. 14"),
        (#""enabled": true, "notices": {}"#, ["da"], true, nil), (#""new": 1"#, ["da"], true, nil),
        (#""enabled": "no", "notices": {"da": 1}"#, ["da"], true, nil),
    ]

    @Test("a provider that is off has words for the user, and one of an older server is on", arguments: notices.indices)
    func aProviderThatIsOffHasWords(_ index: Int) async throws {
        let row = Self.notices[index]
        let list = #"{"providers": [{"id": "mitid", \#(row.members)}]}"#
        let providers = try await Self.client([Self.answer(list)], app: nil).providers(languages: row.preferred)
        #expect(providers.map(\.isEnabled) == [row.isEnabled] && providers.map(\.notice) == [row.notice])
    }

    @Test("the list is asked for with its ETag, and kept") func theListIsKept() async throws {
        let requests = Locked<[HTTPRequest]>([])
        let answers = [Self.answer(), HTTPResponse(status: 304), Self.answer(#"{"providers": []}"#, etag: nil), nil]
        let client = Self.client(answers, requests, app: "shop & co")
        #expect(try await client.providers(languages: ["da"]).count == 2)
        #expect(try await client.providers(languages: ["en"]).first?.name == "MitID in English")
        #expect(try await client.providers(languages: []) == [])
        #expect(try await client.providers(languages: []) == [], "without a network, what there was last")
        let sentRequests = requests.withLock { $0 }
        #expect(sentRequests.map { $0.fields["If-None-Match"] } == [nil, "\"one\"", "\"one\"", nil])
        #expect(sentRequests.first?.url.absoluteString == "https://login.example/v1/providers?app=shop%20%26%20co")
        #expect(sentRequests.first?.method == "GET")
    }

    static let failures: [(answer: HTTPResponse?, error: ProvidersError)] = [
        (nil, .noResponse(.noResponse)), (Example.page(200), .noResponse(.unexpectedResponse(status: 200))),
        (HTTPResponse(status: 304), .noResponse(.unexpectedResponse(status: 304))),
        (Example.page(404), .noResponse(.unexpectedResponse(status: 404))),
        (Example.page(503), .noResponse(.serviceUnavailable)),
        (Example.problem(429, "too_many_requests"), .noResponse(.rateLimited)),
    ]

    @Test("without a usable response the former list counts", arguments: failures.indices)
    func theFormerListCounts(_ index: Int) async throws {
        let row = Self.failures[index]
        await #expect(throws: row.error) { try await Self.client([row.answer], app: nil).providers() }
        let client = Self.client([Self.answer(), row.answer], app: nil)
        let list = try await client.providers(languages: [])
        #expect(try await client.providers(languages: []) == list)
    }

    @Test("what the server refuses is an error") func whatTheServerRefuses() async throws {
        let refusal = Example.problem(422, "unknown_app")
        let client = Self.client([Self.answer(), refusal], app: "nobody")
        _ = try await client.providers()
        do {
            _ = try await client.providers()
            Issue.record("no error")
        } catch {
            #expect(error.kind == .refused && error.problem?.code == "unknown_app")
        }
    }

    @Test("a login carries the app's name unless it has one") func aLoginCarriesTheAppsName() {
        let client = Self.client([nil, nil], app: "shop")
        var request = NewLogin(provider: "mitid")
        #expect(client.start(request).request.app == "shop")
        request.app = "bank"
        #expect(client.start(request).request.app == "bank")
        client.stop()
    }
}
