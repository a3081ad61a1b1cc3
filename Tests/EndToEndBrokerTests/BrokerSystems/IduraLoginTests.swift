import Base
import EndToEndSupport
import Sandbox
import StrictJSON
import Testing

/// Idura Verify with a browser: only e-IDs that support the app switch get it.
@Suite struct IduraLoginTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let eID: String
        let platform: String
        var system: String?
        var switchesApps = true
        let hint: String?
        /// The first test user of the e-ID.
        var user = "freja"

        var testDescription: String { "\(self.eID) \(self.platform) \(self.system ?? "") \(self.switchesApps)" }
    }

    private static let link = "appswitch:resumeUrl:" + RunningServer.returnPrefix

    static let rows: [Row] = [
        Row(eID: "dk:mitid:substantial", platform: "ios", hint: "appswitch:ios " + link),
        Row(eID: "dk:mitid:high", platform: "android", hint: "appswitch:android " + link),
        Row(eID: "dk:mitid:low", platform: "ios", switchesApps: false, hint: nil),
        Row(eID: "dk:mitid:low", platform: "web", system: "android", hint: "appswitch:android target:web"),
        Row(eID: "dk:mitid:low", platform: "web", hint: nil),
        Row(eID: "se:frejaid", platform: "ios", hint: "appswitch:ios " + link),
        Row(eID: "se:bankid", platform: "ios", hint: link, user: "elin"),
        Row(eID: "se:bankid", platform: "android", hint: nil, user: "elin"),
        Row(eID: "no:bankid:substantial", platform: "ios", hint: nil, user: "hakon"),
        Row(eID: "fi:bank-id", platform: "android", hint: nil),
    ]

    /// Sources: A3, A4, A5, A37.
    @Test(arguments: rows, ["query", "form_post"])
    func `a login completes with the right hints`(_ row: Row, _ mode: String) async throws {
        let variant = BrokerVariant(kind: "idura", responseMode: mode)
        let server = try await RunningServer.start(
            [variant],
            providers:
                ", prompt: login, acr_values: [\"urn:grn:authn:\(row.eID)\"], message: Log in to Prøven, action: approve"
                + ", national_id_claim: cprNumberIdentifier, national_id_type: \"dk:cpr\"", system: .idura)
        let app = PhoneApp(server.url)
        var wishes: JSON.Object = ["platform": .string(row.platform), "app_switch": .bool(row.switchesApps)]
        if let system = row.system { wishes["os"] = .string(system) }
        let created = try await app.create(variant.name, wishes)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        let asked = try #require(server.sandbox.requestLog.lastAuthorizationRequest[variant.name])
        let message = "message:" + Base64.encode(Array("Log in to Prøven".utf8))
        let hints = [row.hint, "action:approve", message].compactMap(\.self)
        #expect(asked.first { $0.name == "login_hint" }?.value == hints.joined(separator: " "))

        try await app.finish(&browser, variant)
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "completed", "\(server.log.text.suffix(600))")
        let identity = try #require(login["identity"])
        let user = try #require(SandboxIdentity.named(row.user))
        #expect(identity["subject"]?.string == "{\(user.subject)}")
        #expect(identity["acr"]?.string == "urn:grn:authn:" + row.eID)
        let level = row.eID.split(separator: ":").last.map(String.init) ?? ""
        #expect(identity["assurance"]?.string == (["low", "substantial", "high"].contains(level) ? level : "none"))
        #expect(identity["name"]?.string == user.name)
        #expect(identity["national_id"]?["type"]?.string == "dk:cpr")
        await server.stop()
    }

    /// The broker returns a lower level than the one we requested.
    @Test func `a lower level is not accepted`() async throws {
        let variant = BrokerVariant(kind: "idura")
        let server = try await RunningServer.start(
            [variant], providers: ", prompt: login, acr_values: [\"urn:grn:authn:dk:mitid:high\"]", system: .idura)
        let app = PhoneApp(server.url)
        var browser = try await ScriptedBrowser(opening: try #require(try await app.create(variant.name).nextURL))
        try await app.finish(&browser, variant, fault: "id-token-wrong-acr")
        #expect(try await app.waitForEnd()["reason"]?["code"]?.string == "assurance_too_low")
        await server.stop()
    }

    /// Prefilled ids are accepted only from the app's own backend, only with PAR, and only for allowed tokens.
    private static let apiKey = "pGz7sWm2Qk9vLx4TnR8bYd"
    static let prefills: [(hint: String, key: String?, status: Int, code: String?)] = [
        ("sub:0101801234", Self.apiKey, 201, nil), ("sub:0101801234", nil, 422, "parameter_not_allowed"),
        ("sub:0101801234", "wrong", 401, "app_key_refused"),
        ("sub:0101801234 appswitch:ios", Self.apiKey, 422, "parameter_not_allowed"),
        ("message:SGVq", Self.apiKey, 422, "parameter_not_allowed"),
    ]

    /// Sources: A20.
    @Test(arguments: prefills)
    func `an ID may be filled in beforehand`(_ row: (hint: String, key: String?, status: Int, code: String?))
        async throws
    {
        let variant = BrokerVariant(kind: "idura", requestStyle: "par")
        let server = try await RunningServer.start(
            [variant],
            providers: ", prompt: login, acr_values: [\"urn:grn:authn:dk:mitid:low\"], parameters: [login_hint]",
            system: .idura, app: "api_key: \(Self.apiKey), return_prefixes: [\"\(RunningServer.returnPrefix)\"]")
        let body: JSON = [
            "provider": .string(variant.name), "platform": "ios", "parameters": ["login_hint": .string(row.hint)],
        ]
        var fields = [Parameter("Content-Type", "application/json")]
        if let key = row.key { fields.append(Parameter("Authorization", "Bearer \(key)")) }
        let answer = try await TestClient.send(
            "POST", "\(server.url)/v1/logins", fields: fields, body: body.encoded())
        #expect(answer.status == row.status)
        #expect(answer.json?["code"]?.string == row.code)
        if row.status == 201 {
            let browser = try await ScriptedBrowser(opening: try #require(answer.nextURL))
            #expect(!browser.url.contains("0101801234"), "it is not in a URL")
            let asked = try #require(server.sandbox.requestLog.lastAuthorizationRequest[variant.name])
            let hint = asked.first { $0.name == "login_hint" }?.value ?? ""
            #expect(hint.split(separator: " ").contains("sub:0101801234"))
            #expect(hint.contains("appswitch:ios"))
        }
        #expect(!server.log.text.contains("0101801234"))
        await server.stop()
    }
}
