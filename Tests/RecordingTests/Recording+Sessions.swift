// Sessions from their login to their end, the token endpoint, PINs, and what an app's own backend asks.

extension Recording {
    func sessions() async throws {
        try await self.lives()
        try await self.forms()
        try await self.proofs()
        try await self.unlocks()
        try await self.access()
        try await self.backend()
    }

    private func lives() async throws {
        let phone = try RecordedPhone(self, "a phone")
        try await phone.begin("a session before the login", [])
        try await phone.logIn()
        try await phone.begin("a session")
        try await phone.begin("the same session again")
        try await phone.begin(
            "a session with a later member", [("content-type", "application/json")], body: "{\"later\": 1}")
        try await phone.begin(
            "a strict session with a later member",
            [("content-type", "application/json"), ("prefer", "handling=strict")], body: "{\"later\": 1}")
        try await phone.begin("a session of a torn body", [("content-type", "application/json")], body: "{")
        try await phone.begin("a session of a text", [("content-type", "text/plain")], body: "{}")
        for (name, body) in [
            ("no format", "{\"attestation\": {}}"), ("another format", "{\"attestation\": {\"format\": \"x\"}}"),
            ("no object", "{\"attestation\": {\"format\": \"apple_app_attest\"}}"),
            ("a text", "{\"attestation\": \"x\"}"),
        ] { try await phone.begin("an attestation of \(name)", [("content-type", "application/json")], body: body) }
        try await phone.ask("the list", "GET", "/v1/sessions")
        try await phone.renew("a renewal")
        try await phone.renew("a second renewal")
        try self.move(by: 40)
        try await phone.renew("a renewal after forty seconds")
        try await phone.ask("the end of an unknown session", "DELETE", "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA")
        try await phone.ask("the end of no session", "DELETE", "/v1/sessions/x")
        try await phone.revoke("a revocation of nothing", token: "x")
        try await phone.revoke("a revocation")
        try await phone.revoke("a second revocation")
        try await phone.renew("a renewal after the end")
        try await phone.ask("the list after the end", "GET", "/v1/sessions")
        try await phone.begin("a session after the end")
        let other = try RecordedPhone(self, "another phone")
        try await other.logIn()
        try await other.begin("a session")
        try await other.ask("the end of the session", "DELETE", "/v1/sessions/\(other.session)")
        try await other.ask("the end of the session again", "DELETE", "/v1/sessions/\(other.session)")
    }

    private func forms() async throws {
        let phone = try RecordedPhone(self, "a phone with forms")
        try await phone.logIn()
        try await phone.begin("a session")
        let changes: [(String, [String: String?])] = [
            ("an unknown parameter", ["scope": "x"]), ("no grant type", ["grant_type": nil]),
            ("an empty grant type", ["grant_type": ""]), ("another grant", ["grant_type": "password"]),
            ("no client", ["client_id": nil]), ("another client", ["client_id": "nobody"]),
            ("another app", ["client_id": "kiosk"]), ("no token", ["refresh_token": nil]),
            ("a wrong token", ["refresh_token": "x"]),
        ]
        for (name, change) in changes { try await phone.renew("a form with \(name)", form: change) }
        try await phone.renew("a form as JSON", [("content-type", "application/json")])
        try await phone.renew("a form without a proof", [("dpop", "")])
        try await phone.renew("a form with a proxy's password", [("authorization", "Basic ZGVtbzp4")])
        try await phone.renew("a form with a query", query: "?client_id=wallet")
        for path in ["/oauth/token", "/oauth/revoke"] {
            for body in ["token=x&token=y&grant_type=refresh_token", "%zz", "token=", ""] {
                try await self.send(
                    "the form \(body) to \(path)", "POST", path,
                    [("content-type", "application/x-www-form-urlencoded")],
                    body: body)
            }
        }
    }

    private func proofs() async throws {
        let phone = try RecordedPhone(self, "a phone with proofs")
        try await phone.logIn()
        try await phone.begin("a proof of another type") { $0.header["typ"] = "JWT" }
        try await phone.begin("a proof of another algorithm") { $0.header["alg"] = "ES384" }
        try await phone.begin("a proof without a key") { $0.header["jwk"] = nil }
        try await phone.begin("a proof of another method") { $0.claims["htm"] = "GET" }
        try await phone.begin("a proof of another server") { $0.claims["htu"] = "https://evil.example/v1/sessions" }
        try await phone.begin("a proof of another path") { $0.claims["htu"] = "https://login.example.com/oauth/token" }
        try await phone.begin("a proof without an id") { $0.claims["jti"] = nil }
        try await phone.begin("a proof without a nonce") { $0.claims["nonce"] = nil }
        try await phone.begin("a proof with another nonce") { $0.claims["nonce"] = "AAAA" }
        try await phone.begin("a torn proof", [("dpop", "a.b.c")])
        try await phone.begin("no proof", [("dpop", "")])
        try await phone.begin("a session")
        let thief = try RecordedPhone(self, "a thief")
        try await thief.steal(from: phone)
        for path in ["/v1/sessions", "/v1/sessions/\(phone.session)"] {
            let method = path == "/v1/sessions" ? "GET" : "DELETE"
            try await thief.ask("a stolen \(method)", method, path)
            try await self.send("a bare \(method) \(path)", method, path)
            let bearer = [("authorization", "Bearer \(phone.accessToken)")]
            try await self.send("a bearer \(method) \(path)", method, path, bearer)
            let alone = [("authorization", "DPoP \(phone.accessToken)")]
            try await self.send("an unproven \(method) \(path)", method, path, alone)
        }
        try await thief.renew("a stolen renewal")
        try self.move(by: 301)
        try await phone.ask("a list with an old access token", "GET", "/v1/sessions")
    }

    private func unlocks() async throws {
        let phone = try RecordedPhone(self, "a phone with a PIN")
        try await phone.logIn()
        try await phone.begin("a session")
        for (name, body) in [
            ("nothing", "{}"), ("a short secret", "{\"pin_secret\": \"x\"}"), ("a number", "{\"pin_secret\": 1}"),
            ("a name with a space", "{\"pin_secret\": \"\(phone.pinText)\", \"pin_id\": \"a b\"}"),
        ] { try await phone.setPIN("a PIN of \(name)", body) }
        try await phone.setPIN("a PIN", "{\"pin_secret\": \"\(phone.pinText)\", \"pin_id\": \"p1\", \"later\": 1}")
        try await phone.setPIN("a second PIN", "{\"pin_secret\": \"\(phone.pinText)\"}")
        try await phone.renew("a renewal without the PIN")
        try self.move(by: 302)
        try await phone.renew("a locked renewal")
        try await phone.ask("a locked list", "GET", "/v1/sessions")
        try await phone.renew("a wrong PIN", pin: false)
        try await phone.renew("the right PIN", pin: true)
        try self.move(by: 700)
        for number in 1...6 { try await phone.renew("wrong PIN \(number)", pin: false) }
        try await phone.renew("the right PIN, too late", pin: true)
        try await phone.setPIN("a new PIN, too late", "{\"pin_secret\": \"\(phone.pinText)\"}")
        let late = try RecordedPhone(self, "a phone for a month")
        try await late.logIn()
        try await late.begin("a session")
        try await late.setPIN("a PIN", "{\"pin_secret\": \"\(late.pinText)\"}")
        try self.move(by: 2_592_000)
        try await late.renew("a renewal after a month", pin: true)
    }

    /// An app whose logins give one access token.
    private func access() async throws {
        for (name, members) in [("a bearer", "\"app\": \"kiosk\""), ("a kiosk", "\"app\": \"kiosk\", ")] {
            let phone = try RecordedPhone(self, name)
            let key = members.hasSuffix(" ") ? members + "\"dpop_jkt\": \"\(phone.thumbprint)\"" : members
            try await phone.login.arrive(key)
            phone.keep(try await phone.login.poll("the result"))
            try await phone.begin("a session of the app")
            try await phone.ask("the list of the app", "GET", "/v1/sessions")
        }
    }

    private func backend() async throws {
        let phone = try RecordedPhone(self, "a phone of a person")
        try await phone.logIn()
        try await phone.begin("a session")
        let key = [("api-key", RecordedConfiguration.walletKey), ("content-type", "application/json")]
        let subject = PlayedMessage.claims(of: phone.accessToken)["sub"] ?? "none"
        for path in ["/v1/sessions/search", "/v1/sessions/end"] {
            for body in [
                "{}", "{\"subject\": 1}", "{\"subject\": \"\"}", "{\"subject\": \"nobody\", \"x\": 1}", "[", "",
            ] {
                try await self.send("\(path) of \(body)", "POST", path, key, body: body)
            }
            let body = "{\"subject\": \"\(subject)\"}"
            let type = [("content-type", "application/json")]
            try await self.send("\(path) without a key", "POST", path, type, body: body)
            try await self.send("\(path) with a wrong key", "POST", path, type + [("api-key", "x")], body: body)
            try await self.send("\(path) of the person", "POST", path, key, body: body)
        }
        try await self.send(
            "a search of sessions that ended", "POST", "/v1/sessions/search", key, body: "{\"subject\": \"\(subject)\"}"
        )
        try await phone.renew("a renewal after the backend's end")
    }
}
