// A server without links and sessions, whose limits are soon reached.

extension Recording {
    func smallServer() async throws {
        let paths = [
            "/.well-known/apple-app-site-association", "/.well-known/assetlinks.json", "/.well-known/jwks.json",
            "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server",
            "/.well-known/access-jwks.json", "/client/jwks.json", "/r/x", "/v1/providers", "/",
        ]
        for path in paths { try await self.send("small: \(path)", "GET", path) }
        for (method, path) in [
            ("POST", "/v1/sessions"), ("GET", "/v1/sessions"), ("DELETE", "/v1/sessions/x"), ("POST", "/oauth/token"),
            ("PUT", "/v1/sessions/x/pin"), ("POST", "/oauth/revoke"), ("POST", "/v1/sessions/search"),
        ] { try await self.send("small: \(method) \(path)", method, path) }
        let long = String(repeating: " ", count: 3000)
        try await self.send(
            "small: a long body", "POST", "/v1/logins", [("content-type", "application/json")], body: long)
        try await self.send("small: a long field", "GET", "/", [("x", String(repeating: "a", count: 5000))])
        let login = RecordedLogin(self, "small")
        try await login.create()
        for number in 1...4 { try await login.poll("poll \(number)") }
        try await login.open("the first attempt")
        try await login.open("an attempt too many")
        let second = RecordedLogin(self, "small, the second")
        try await second.create()
        try await second.open("an attempt of another login")
        for number in 1...2 { try await RecordedLogin(self, "small, one too many \(number)").create() }
    }
}
