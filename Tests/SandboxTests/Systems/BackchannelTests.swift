import Base
import HTTPWire
import JOSE
import Sandbox
import StrictJSON
import Testing

/// A client of Nets eID Broker's CIBA: it starts a login, opens the page for it, and polls.
struct Backchannel {
    static let hint: JSON.Object = ["flow_type": "broker_oidc", "idp_values": "mitid", "prompt": "login"]

    let stage: Stage

    func start(_ hint: JSON.Object = Self.hint, isEncoded: Bool = false) async throws -> RawClient.Answer {
        let bytes = JSON.object(hint).encoded()
        let token = isEncoded ? Base64.encode(bytes) : String(decoding: bytes, as: UTF8.self)
        return try await self.stage.http.post(
            "/connect/ciba", form: [Parameter("scope", "openid mitid"), Parameter("login_hint_token", token)],
            fields: [self.stage.basic()])
    }

    func order() async throws -> String {
        try #require(try JSON(parsing: try await self.start().body)["auth_req_id"]?.string)
    }

    func browser(_ body: JSON.Object) async throws -> RawClient.Answer {
        let text = String(decoding: JSON.object(body).encoded(), as: UTF8.self)
        return try await self.stage.http.send(
            "POST /api/ciba/broker-oidc/init-auth HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n" + text)
    }

    /// Returns the page for an order.
    func page(_ id: String, redirectURI: String? = Stage.redirectURI) async throws -> RawClient.Answer {
        var body: JSON.Object = ["requestId": .string(id), "state": "a-state"]
        body["redirectUri"] = redirectURI.map { .string($0) }
        let answer = try JSON(parsing: try await self.browser(body).body)
        let url = try #require(answer["authentication_uri"]?.string)
        return try await self.stage.http.get(String(url.dropFirst(self.stage.issuer.count)))
    }

    func press(
        _ decision: String, on page: RawClient.Answer, person: String = "freja", fault: String = ""
    ) async throws -> RawClient.Answer {
        let form = try #require(HTMLForm.forms(in: page.text).first)
        let fields =
            form.fields + [Parameter("decision", decision), Parameter("person", person), Parameter("fault", fault)]
        return try await self.stage.http.post(form.action, form: fields)
    }

    func poll(_ id: String) async throws -> (status: Int, json: JSON) {
        let form = [Parameter("grant_type", "urn:openid:params:grant-type:ciba"), Parameter("auth_req_id", id)]
        let answer = try await self.stage.http.post("/token", form: form, fields: [self.stage.basic()])
        return (answer.status, try JSON(parsing: answer.body))
    }

    func error(_ id: String) async throws -> String? { try await self.poll(id).json["error"]?.string }
}

/// Nets eID Broker's CIBA with a browser: a client that polls, and a page to which the user is sent.
@Suite struct BackchannelTests {
    @Test(arguments: [true, false]) func `a login completes by CIBA`(isEncoded: Bool) async throws {
        let stage = try Stage(system: .signaturgruppen, pollInterval: .zero)
        #expect(
            try await stage.discovery()["backchannel_authentication_endpoint"]?.string == stage.issuer + "/connect/ciba"
        )
        let client = Backchannel(stage: stage)
        let started = try JSON(parsing: try await client.start(isEncoded: isEncoded).body)
        #expect(started["expires_in"]?.integer == 300)
        #expect(started["interval"]?.integer == 0)
        let id = try #require(started["auth_req_id"]?.string)
        #expect(try await client.error(id) == "authorization_pending")

        let page = try await client.page(id)
        #expect(page["content-security-policy"]?.contains("form-action 'self' http://127.0.0.1:1") == true)
        #expect(try await client.error(id) == "authorization_pending")
        let arrival = try Walk.arrival(try await client.press("approve", on: page, person: "soren"))
        #expect(arrival.uri == Stage.redirectURI)
        #expect(arrival.parameters.map(\.name) == ["state"])
        #expect(arrival["state"] == "a-state")

        let (status, json) = try await client.poll(id)
        #expect(status == 200)
        let token = try #require(json["id_token"]?.string)
        let verified = try CompactJWS(parsing: token).verified(with: stage.provider.keys, allowing: [.rs256])
        let claims = try #require(verified.claims())
        #expect(claims["sub"]?.string == "sandbox-dk-soren")
        #expect(claims["idp"]?.string == "mitid")
        let bearer = "Authorization: Bearer \(try #require(json["access_token"]?.string))"
        let person = try JSON(parsing: try await stage.http.get("/userinfo", fields: [bearer]).body)
        #expect(person["mitid.identity_name"]?.string == "Søren Ærøskov")
        #expect(try await client.error(id) == "invalid_grant", "once")
        await stage.end()
    }

    static let ends: [(decision: String, error: String, description: String)] = [
        ("cancel", "access_denied", "mitid_user_aborted"), ("time-out", "expired_token", "mitid_timeout"),
    ]

    @Test(arguments: ends)
    func `a login that fails says why`(row: (decision: String, error: String, description: String)) async throws {
        let stage = try Stage(system: .signaturgruppen, pollInterval: .zero)
        let client = Backchannel(stage: stage)
        let id = try await client.order()
        let arrival = try Walk.arrival(try await client.press(row.decision, on: try await client.page(id)))
        #expect(arrival.parameters.map(\.name) == ["error", "error_description", "state"])
        #expect(arrival["error_description"] == row.description)
        for _ in 0..<2 { #expect(try await client.error(id) == row.error) }
        await stage.end()
    }

    @Test func `without a redirect URI a login ends at the broker`() async throws {
        let stage = try Stage(system: .signaturgruppen, pollInterval: .zero)
        let client = Backchannel(stage: stage)
        let id = try await client.order()
        let last = try await client.press("approve", on: try await client.page(id, redirectURI: nil))
        #expect(last.status == 200)
        #expect(last.text.contains("Go back to the app"))
        #expect(try await client.poll(id).status == 200)
        await stage.end()
    }

    @Test func `a client that asks too often is told so`() async throws {
        let stage = try Stage(system: .signaturgruppen, pollInterval: .seconds(3))
        let client = Backchannel(stage: stage)
        let id = try await client.order()
        #expect(try await client.error(id) == "authorization_pending")
        stage.clock.advance(by: .seconds(2))
        #expect(try await client.error(id) == "slow_down")
        stage.clock.advance(by: .seconds(3))
        #expect(try await client.error(id) == "authorization_pending")
        await stage.end()
    }

    @Test func `an order ends when its time is up`() async throws {
        let stage = try Stage(system: .signaturgruppen)
        let client = Backchannel(stage: stage)
        let id = try await client.order()
        let page = try await client.page(id)
        stage.clock.advance(by: .seconds(300))
        #expect(try await client.error(id) == "expired_token")
        #expect(try await client.press("approve", on: page).status == 400)
        await stage.end()
    }

    @Test func `an order that the client cancels is gone`() async throws {
        let stage = try Stage(system: .signaturgruppen, pollInterval: .zero)
        let client = Backchannel(stage: stage)
        let id = try await client.order()
        let page = try await client.page(id)
        func delete(_ id: String) async throws -> Int {
            let head = "DELETE /api/v1/ciba/\(id) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            return try await stage.http.send(head).status
        }
        #expect(try await delete("nobody's") == 404)
        #expect(try await delete(id) == 204)
        #expect(stage.provider.requestLog.cancellations == ["test app": 1])
        #expect(try await client.error(id) == "access_denied")
        #expect(try await client.press("approve", on: page).status == 400)
        await stage.end()
    }

    static let refused: [JSON.Object] = [
        [:], ["flow_type": "flex_app"], ["flow_type": "broker_oidc", "idp_values": "nobody"],
        ["flow_type": "broker_oidc", "idp_params": ["mitid": ["enable_app_switch": true]]],
    ]

    @Test(arguments: refused) func `a wrong hint is refused`(_ hint: JSON.Object) async throws {
        let stage = try Stage(system: .signaturgruppen)
        let answer = try await Backchannel(stage: stage).start(hint)
        #expect(answer.status == 400)
        #expect(try JSON(parsing: answer.body)["error"]?.string == "invalid_request")
        await stage.end()
    }

    @Test func `the browser starts only for an order and a registered address`() async throws {
        let stage = try Stage(system: .signaturgruppen)
        let client = Backchannel(stage: stage)
        let id = try await client.order()
        for body: JSON.Object in [
            [:], ["requestId": "nobody's"],
            ["requestId": .string(id), "redirectUri": "https://somebody-else.example/"],
        ] {
            #expect(try await client.browser(body).status == 400)
        }
        #expect(try await stage.http.get("/ciba/authenticate?request_uri=nobody's").status == 400)
        await stage.end()
    }

    @Test func `the app switch is on the page`() async throws {
        let stage = try Stage(system: .signaturgruppen)
        let client = Backchannel(stage: stage)
        var hint = Backchannel.hint
        hint["idp_params"] = [
            "mitid": [
                "enable_app_switch": true, "app_switch_os": "ios", "app_switch_url": "https://app.example/r/?p=1",
            ]
        ]
        let id = try #require(try JSON(parsing: try await client.start(hint).body)["auth_req_id"]?.string)
        #expect(try await client.page(id).text.contains("<a href=\"https://app.example/r/?p=1\">"))
        await stage.end()
    }
}
