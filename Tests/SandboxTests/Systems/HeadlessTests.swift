import Base
import HTTPWire
import JOSE
import Sandbox
import StrictJSON
import Testing

/// A client of Idura's headless authorization: it starts an order and polls.
struct Headless {
    let stage: Stage
    var grantType = "urn:grn:params:grant-type:headless"

    func start(_ changes: [String: String] = [:]) async throws -> RawClient.Answer {
        let form = [
            "scope": "openid", "acr_values": "urn:grn:authn:se:bankid", "end_user_ip": "198.51.100.7",
        ].merging(changes) { $1 }
        return try await self.stage.http.post(
            "/headless/authorize", form: form.sorted { $0.key < $1.key }.map { Parameter($0.key, $0.value) },
            fields: [self.stage.basic()])
    }

    /// Returns the id of an order, and the link by which a relying party would open BankID.
    func order() async throws -> (id: String, link: String) {
        let json = try JSON(parsing: try await self.start().body)
        let token = try #require(json["acr_data"]?["autoStartToken"]?.string)
        let query = FormBody.encode([
            Parameter("autostarttoken", token), Parameter("redirect", "https://app.example/r/"),
        ])
        return (try #require(json["headless_req_id"]?.string), "https://app.bankid.com/?" + query)
    }

    func poll(_ id: String) async throws -> (status: Int, json: JSON) {
        let answer = try await self.stage.http.post(
            "/token", form: [Parameter("grant_type", self.grantType), Parameter("headless_req_id", id)],
            fields: [self.stage.basic()])
        return (answer.status, try JSON(parsing: answer.body))
    }
}

/// Idura's headless authorization: BankID's app, and a client that polls the token endpoint.
@Suite struct HeadlessTests {
    @Test func `a headless login completes with its hints`() async throws {
        let stage = try Stage(system: .idura)
        let (headless, walk) = (Headless(stage: stage), BankIDWalk(stage: stage))
        let started = try JSON(parsing: try await headless.start().body)
        #expect(started["expires_in"]?.integer == 120)
        #expect(started["acr_data"]?["qrData"]?.string?.hasPrefix("bankid.") == true)
        let asked = try #require(stage.provider.requestLog.lastOrderRequest["test app"])
        #expect(asked.first { $0.name == "end_user_ip" }?.value == "198.51.100.7")

        let (id, link) = try await headless.order()
        func hint() async throws -> String? {
            let (status, json) = try await headless.poll(id)
            #expect(status == 400)
            #expect(json["error"]?.string == "authorization_pending")
            return json["acr_data"]?["hintCode"]?.string
        }
        #expect(try await hint() == "outstandingTransaction")
        let page = try await walk.open(link)
        #expect(try await hint() == "started")
        let second = try await walk.press("sign", on: page)
        #expect(try await hint() == "userSign")
        let last = try await walk.press("approve", on: second, person: "elin")
        #expect(last.text.contains("<a class=\"button\" href=\"https://app.example/r/\">"))

        let (status, json) = try await headless.poll(id)
        #expect(status == 200)
        #expect(json["expires_in"]?.string == "300")
        let token = try #require(json["id_token"]?.string)
        let verified = try CompactJWS(parsing: token).verified(with: stage.provider.keys, allowing: [.rs256])
        let claims = try #require(verified.claims())
        #expect(claims["sub"]?.string == "{sandbox-se-elin}")
        #expect(claims["nonce"] == nil)
        #expect(claims["c_hash"] == nil)
        #expect(claims["authenticationtype"]?.string == "urn:grn:authn:se:bankid")
        let bearer = "Authorization: Bearer \(try #require(json["access_token"]?.string))"
        #expect(try await stage.http.get("/userinfo", fields: [bearer]).status == 200)
        #expect(try await headless.poll(id).json["error"]?.string == "invalid_grant", "once")
        await stage.end()
    }

    static let ends: [(decision: String, error: String)] = [
        ("cancel", "access_denied"), ("time-out", "expired_token"),
    ]

    @Test(arguments: ends) func `a login that fails says why`(row: (decision: String, error: String)) async throws {
        let stage = try Stage(system: .idura)
        let headless = Headless(stage: stage)
        let (id, link) = try await headless.order()
        try await BankIDWalk(stage: stage).decide(link, row.decision)
        for _ in 0..<2 { #expect(try await headless.poll(id).json["error"]?.string == row.error) }
        await stage.end()
    }

    @Test func `an order ends when its time is up`() async throws {
        let stage = try Stage(system: .idura)
        let headless = Headless(stage: stage)
        let (id, link) = try await headless.order()
        stage.clock.advance(by: .seconds(120))
        #expect(try await headless.poll(id).json["error"]?.string == "expired_token")
        #expect(try await BankIDWalk(stage: stage).open(link).status == 400)
        await stage.end()
    }

    @Test func `the other spelling of the grant is accepted`() async throws {
        let other = "urn:urn:params:grant-type:headless"
        let stage = try Stage(system: .idura, headlessGrantType: other)
        let (id, _) = try await Headless(stage: stage).order()
        #expect(try await Headless(stage: stage).poll(id).json["error"]?.string == "unsupported_grant_type")
        let right = Headless(stage: stage, grantType: other)
        #expect(try await right.poll(id).json["error"]?.string == "authorization_pending")
        #expect(try await right.poll("nobody's").json["error"]?.string == "invalid_grant")
        await stage.end()
    }

    static let refused: [[String: String]] = [
        ["scope": "profile"], ["acr_values": "urn:grn:authn:dk:mitid"], ["end_user_ip": ""], ["end_user_ip": "here"],
    ]

    @Test(arguments: refused) func `a wrong request is refused`(_ changes: [String: String]) async throws {
        let stage = try Stage(system: .idura)
        let answer = try await Headless(stage: stage).start(changes)
        #expect(answer.status == 400)
        #expect(try JSON(parsing: answer.body)["error"]?.string == "invalid_request")
        await stage.end()
    }

    @Test func `only clients that prove themselves are served`() async throws {
        let stage = try Stage(system: .idura)
        let form = [
            Parameter("scope", "openid"), Parameter("acr_values", "urn:grn:authn:se:bankid"),
            Parameter("end_user_ip", "::1"),
        ]
        #expect(try await stage.http.post("/headless/authorize", form: form).status == 401)
        #expect(try await stage.http.get("/headless/authorize").status == 405)
        await stage.end()
    }
}
