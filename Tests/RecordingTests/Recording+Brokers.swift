// What a broker answers, in the kinds that need only a browser, and what browsers bring from it.

extension Recording {
    func brokers() async throws {
        for name in ["plain", "post", "jar", "par", "vipps", "idura", "nets"] {
            let login = RecordedLogin(self, "with \(name)", provider: name)
            try await login.create("create", "\"platform\": \"ios\", \"surface\": \"auth_session\"")
            if name == "par" { login.takePushed() } else { try await login.open() }
            try await login.callBack("callback", login.approval(), settles: true, isForm: name == "post")
            // The page in the app's own tab leads back at once.
            try await login.post("return with the link", "return", "{\"url\": \"\(login.page)\"}")
            try await login.poll("the result")
        }
    }

    /// What the token endpoint answers to each of these codes says `PlayedBroker`.
    func refusedCodes() async throws {
        let ways = [
            "refused", "client", "broken", "empty", "typeless", "issuer", "audience", "nonce", "late", "old", "low",
            "unknownkey", "forged", "other",
        ]
        for way in ways {
            let login = RecordedLogin(self, "with the code \(way)", provider: way == "low" ? "plain" : "eid")
            try await login.arrive("", way)
            try await login.poll("a poll after the callback")
            try await login.show("the page after the callback")
            try await login.show("the page in Norwegian", "", [("accept-language", "nb"), ("accept", "text/html")])
        }
    }

    func callbacks() async throws {
        let errors = [
            "error=access_denied", "error=access_denied&error_description=user_aborted", "error=server_error",
            "error=login_required", "error=temporarily_unavailable", "error=invalid_request", "error=x%20y", "error=",
            "code=", "code=a&error=b", "code=a&code=b", "code=%zz", "code=a&iss=https%3A%2F%2Fevil.example",
            "response=a.b.c", "",
        ]
        for (number, error) in errors.enumerated() {
            let login = RecordedLogin(self, "with the callback \(error)")
            try await login.create()
            try await login.open()
            try await login.callBack("callback", "\(error)&state=\(login.state)", isForm: number % 2 == 1)
            try await login.show("the page after the callback")
            try await login.poll("a poll after the callback")
        }
        let unknown = RecordedLogin(self, "of no login")
        for parameters in ["state=x&code=y", "code=y", "state=%", "state=a%00b", "&&&", "state", "state=x&state=y"] {
            try await unknown.callBack("callback \(parameters)", parameters)
            try await unknown.callBack("form \(parameters)", parameters, isForm: true)
        }
        let login = RecordedLogin(self, "of another broker")
        try await login.create()
        try await login.open()
        for place in ["post", "nobody", "MAIN"] {
            try await self.send("a callback at \(place)", "GET", "/callback/\(place)?\(login.approval())")
        }
        for type in ["application/json", "text/plain", "multipart/form-data; boundary=x"] {
            try await self.send(
                "a callback as \(type)", "POST", "/callback/main", [("content-type", type)], body: login.approval())
        }
        try await self.send("a HEAD of a callback", "HEAD", "/callback/main?\(login.approval())")
        try await self.send(
            "a guessed callback", "GET", "/callback/main?\(login.approval())", [("sec-purpose", "prefetch;prerender")])
        try await self.send(
            "a callback without its cookie", "GET", "/callback/main?\(login.approval())", settles: true)
        try await login.poll("a poll after all that")
    }
}
