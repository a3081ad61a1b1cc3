import Base
import Sandbox
import StrictJSON
import Testing

/// DigiD's app and the resolver, as the sandbox plays them. This covers what they refuse; whole logins cover the rest.
@Suite struct DigiDTests {
    /// `DigiDLoginTests` plays each of these against the whole server.
    static let faults = [
        "relay-state-null", "artifact-demo", "artifact-unknown", "artifact-used-twice", "app-not-activated",
        "app-timeout", "app-icon-missing", "app-free-text", "init-dead", "init-slow", "init-status-5001",
        "init-without-session", "init-third-party", "init-third-party-unnamed", "refresh-token", "resolver-dead",
        "resolver-delayed", "resolver-slow", "resolver-status-500",
        "resolver-script-4001", "resolver-script-5001", "resolver-broken-json", "session-of-another",
        "session-missing", "request-missing", "request-of-another", "session-and-request-missing",
        "resolver-compares-nothing", "resolver-echoes", "resolver-compares-and-names-nothing",
        "session-id-in-other-letters", "acr-too-low", "profile-missing",
    ]

    private static let path = "/oauth/custom-registration/digid"

    private static func ask(
        _ stage: Stage, _ step: String, _ body: JSON.Object, basic: String? = nil
    ) async throws -> (status: Int, json: JSON) {
        let text = String(decoding: JSON.object(body).encoded(), as: UTF8.self)
        let fields = ["Content-Type: application/json", basic ?? stage.basic(), "Content-Length: \(text.utf8.count)"]
        let head = (["Host: localhost", "Connection: close"] + fields).map { $0 + "\r\n" }.joined()
        let answer = try await stage.http.send("POST \(Self.path)/\(step) HTTP/1.1\r\n\(head)\r\n\(text)")
        return (answer.status, (try? JSON(parsing: answer.body)) ?? .null)
    }

    private static func text(_ object: JSON.Object) -> JSON {
        .string(String(decoding: JSON.object(object).encoded(), as: UTF8.self))
    }

    private struct Begun {
        let transaction: String
        let session: String
        /// The contents of `app-app`.
        var object: JSON.Object
    }

    private static func begin(_ stage: Stage) async throws -> Begun {
        let data: JSON.Object = [
            "returnUrl": .string(Stage.redirectURI), "relayState": "a-state", "authnContext": "urn:test:level",
        ]
        let answer = try await Self.ask(stage, "init", ["data": Self.text(data)]).json
        #expect(answer["status"]?.integer == 2000)
        let given = try JSON(parsing: Array(try #require(answer["data"]?.string).utf8))
        let link = try #require(given["digidRequest"]?.string)
        #expect(link.hasPrefix(stage.issuer + "/digid-app?app-app="))
        let bytes = try #require(link.split(separator: "app-app=").last.flatMap { Base64.decode($0) })
        return Begun(
            transaction: try #require(answer["transaction_id"]?.string),
            session: try #require(given["sessionID"]?.string), object: try #require(try JSON(parsing: bytes).object))
    }

    private static func open(_ stage: Stage, _ object: JSON.Object) async throws -> RawClient.Answer {
        try await stage.http.get("/digid-app?app-app=\(Base64.encode(JSON.object(object).encoded()))")
    }

    private static func returned(_ answer: RawClient.Answer) throws -> JSON {
        let text = try #require(answer["location"]?.split(separator: "app-app=").last)
        return try JSON(parsing: try #require(Base64.decode(text)))
    }

    @Test func `a login completes by DigiD's app`() async throws {
        let stage = try Stage(system: .digid)
        let begun = try await Self.begin(stage)
        let page = try await Self.open(stage, begun.object)
        #expect(page.status == 200)
        #expect(!page.text.contains("<script"))
        let login = try #require(HTMLForm.forms(in: page.text).first?.fields.first { $0.name == "login" }?.value)
        let form = [
            Parameter("login", login), Parameter("person", "elin"), Parameter("fault", ""),
            Parameter("decision", "approve"),
        ]
        let back = try Self.returned(try await stage.http.post("/digid-app", form: form))
        #expect(back["RelayState"]?.string == "a-state")
        #expect(back["ErrorMessage"] == .null)
        #expect(try await stage.http.post("/digid-app", form: form).status == 400, "a form answers once")

        let artifact = try #require(back["SAMLart"])
        let data: JSON.Object = ["artefactId": artifact, "sessionId": .string(begun.session)]
        let body: JSON.Object = [
            "transaction_id": .string(begun.transaction), "scope": ["read"], "data": Self.text(data),
        ]
        #expect(try await Self.ask(stage, "complete", body, basic: stage.basic(secret: "wrong")).status == 401)
        let answer = try await Self.ask(stage, "complete", body)
        #expect(answer.json["status"]?.integer == 2000)
        #expect(answer.json["oauth_token"]?["profile_id"]?.string == "sandbox-se-elin")
        #expect(answer.json["oauth_token"]?["refresh_token"] == nil, "DigiD permits none")
        let again = try await Self.ask(stage, "complete", body)
        #expect(again.status == 400)
        #expect(again.json["error"]?.string == "invalid_transaction")
        await stage.end()
    }

    /// A change of `app-app`, and the error that its app reports to the app that opened it; nil if it reports none.
    static let changed: [(name: String, value: JSON?, message: String?)] = [
        ("ReturnUrl", "https://evil.example/", nil), ("ReturnUrl", nil, nil), ("SAMLRequest", "AAAA", nil),
        ("SAMLRequest", nil, nil), ("Signature", "AAAA", nil), ("Signature", nil, nil), ("SigAlg", "rsa-sha1", nil),
        ("RelayState", "another", nil), ("RelayState", .null, nil), ("Icon", nil, "icon_missing"),
        ("Icon", "", "icon_missing"),
    ]

    @Test(arguments: changed) func `a request that is not right is refused`(
        _ row: (name: String, value: JSON?, message: String?)
    ) async throws {
        let stage = try Stage(system: .digid)
        var object = try await Self.begin(stage).object
        object[row.name] = row.value
        let answer = try await Self.open(stage, object)
        if let message = row.message {
            #expect(try Self.returned(answer)["ErrorMessage"]?.string == message)
        } else {
            #expect(answer.status == 400)
            #expect(answer["location"] == nil)
        }
        await stage.end()
    }

    @Test func `a request is good for a minute`() async throws {
        let stage = try Stage(system: .digid)
        let begun = try await Self.begin(stage)
        stage.clock.advance(by: .seconds(62))
        #expect(try Self.returned(try await Self.open(stage, begun.object))["ErrorMessage"]?.string == "timeout")
        await stage.end()
    }

    /// A third party's app has a link of its own form, and returns with a parameter.
    @Test func `a third party's app returns with its own parameter`() async throws {
        let stage = try Stage(system: .digid)
        try stage.provider.setFault("init-third-party", for: "test app")
        let data: JSON.Object = ["returnUrl": .string(Stage.redirectURI), "relayState": "a-state"]
        let answer = try await Self.ask(stage, "init", ["data": Self.text(data)]).json
        let given = try JSON(parsing: Array(try #require(answer["data"]?.string).utf8))
        let id = try #require(given["requestId"]?.string)
        #expect(given["digidRequest"] == nil)
        #expect(given["appLink"]?.string == "\(stage.issuer)/partner-app?request=\(id)")
        #expect(try await stage.http.get("/partner-app?request=another").status == 400)
        let page = try await stage.http.get("/partner-app?request=\(id)")
        let login = try #require(HTMLForm.forms(in: page.text).first?.fields.first { $0.name == "login" }?.value)
        let form = [Parameter("login", login), Parameter("fault", ""), Parameter("decision", "approve")]
        let back = try #require(try await stage.http.post("/digid-app", form: form)["location"])
        #expect(back.hasPrefix("\(Stage.redirectURI)?artefactId=") && back.hasSuffix("&state=a-state"))
        await stage.end()
    }

    /// Other systems do not have these paths.
    @Test(arguments: SandboxSystem.allCases) func `only DigiD's system has its paths`(_ system: SandboxSystem)
        async throws
    {
        let stage = try Stage(system: system)
        #expect(try await stage.http.get("/digid-app").status == (system == .digid ? 400 : 404))
        #expect(try await stage.http.get("/partner-app").status == (system == .digid ? 400 : 404))
        #expect(try await stage.http.get(Self.path + "/init").status == (system == .digid ? 405 : 404))
        await stage.end()
    }
}
