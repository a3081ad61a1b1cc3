// What needs no login: files, pages, methods, languages, and the rules for pages of other origins.

extension Recording {
    static let paths = [
        "/v1/providers", "/v1/logins", "/v1/logins/x", "/v1/logins/x/return", "/v1/logins/x/cancel", "/go/x",
        "/callback/main", "/callback/nobody", "/done/unknown", "/done/elsewhere", "/done/continued", "/done/x",
        "/done/x/state", "/v1/sessions", "/v1/sessions/x", "/v1/sessions/x/pin", "/v1/sessions/search",
        "/v1/sessions/end", "/oauth/token", "/oauth/revoke", "/.well-known/oauth-authorization-server",
        "/.well-known/access-jwks.json", "/.well-known/jwks.json", "/.well-known/openid-configuration",
        "/client/jwks.json", "/.well-known/apple-app-site-association", "/.well-known/assetlinks.json",
        "/openapi.yaml", "/openapi-app.yaml", "/problems", "/problems/unknown_login", "/problems/nothing",
        "/assets/switchback.css", "/assets/nothing.css", "/favicon.ico", "/apple-touch-icon.png", "/robots.txt",
        "/.well-known/security.txt", "/", "/r/x", "/k/x?login=A&proof=B", "/nothing", "/v1", "/v1/logins/",
        "/go/%41", "/done/..", "//", "/callback/",
    ]

    private static let languages = ["da", "de", "fi", "fo", "kl", "nb", "nl", "nn", "sv", "sv-FI", "fr, nl;q=0.1", "*"]

    func files() async throws {
        for path in Self.paths {
            for method in ["GET", "HEAD", "OPTIONS", "PATCH"] { try await self.send("\(method) \(path)", method, path) }
        }
        for path in ["/v1/logins", "/v1/sessions", "/oauth/token", "/oauth/revoke", "/callback/main", "/go/x"] {
            try await self.send("a bare POST \(path)", "POST", path)
        }
        for path in ["/", "/go/x", "/callback/main", "/done/unknown", "/nothing", "/v1/logins/x", "/r/x", "/problems"] {
            try await self.send("a browser asks \(path)", "GET", path, RecordedLogin.browser)
        }
        for language in Self.languages {
            for path in ["/", "/done/unknown", "/r/x"] {
                try await self.send("\(path) in \(language)", "GET", path, [("accept-language", language)])
            }
            let fields = [("accept", "text/html"), ("accept-language", language)]
            try await self.send("an unknown page in \(language)", "GET", "/nothing", fields)
        }
        try await self.variants()
        try await self.origins()
    }

    private func variants() async throws {
        let accepted = [
            "", "*/*", "application/json", "application/problem+json", "text/html;q=0", "image/avif,*/*", "text/plain",
            "application/json, text/html;q=0.9", "text/event-stream", "a/b;q=2",
        ]
        for accept in accepted {
            try await self.send("no page for \(accept)", "GET", "/nothing", [("accept", accept)])
            try await self.send("no login for \(accept)", "GET", "/v1/logins/x", [("accept", accept)])
        }
        let files = [
            "/assets/switchback.css", "/openapi.yaml", "/openapi-app.yaml", "/favicon.ico", "/problems",
            "/.well-known/jwks.json", "/.well-known/apple-app-site-association", "/client/jwks.json",
        ]
        for path in files {
            let packed = try await self.send("\(path) packed", "GET", path, [("accept-encoding", "gzip, br")])
            let plain = try await self.send("\(path) not packed", "GET", path, [("accept-encoding", "gzip;q=0")])
            for (name, tag) in [("packed", packed["etag"]), ("plain", plain["etag"]), ("another", "\"x\"")] {
                guard let tag else { continue }
                try await self.send("\(path) if not the \(name) tag", "GET", path, [("if-none-match", tag)])
                try await self.send("\(path) if the \(name) tag", "GET", path, [("if-match", tag)])
            }
        }
        let phones = [
            (
                "an Android",
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36"
            ),
            ("an iPhone", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148"),
        ]
        for (name, agent) in phones {
            for host in ["link.example.com", "login.example.com"] {
                for path in ["/r/x", "/k/x"] {
                    try await self.send(
                        "\(path) on \(name) at \(host)", "GET", path, [("host", host), ("user-agent", agent)])
                }
            }
        }
        for query in ["?app=shop", "?app=kiosk", "?app=nobody", "?x=y", "?app=shop&app=kiosk", "?app=%zz"] {
            try await self.send("the providers of \(query)", "GET", "/v1/providers\(query)")
        }
    }

    private func origins() async throws {
        let origins = ["https://www.example.com", "https://evil.example", "null", "https://www.example.com:443"]
        for origin in origins {
            for path in ["/v1/providers", "/v1/logins/x", "/", "/oauth/token", "/nothing"] {
                try await self.send("\(path) from \(origin)", "GET", path, [("origin", origin)])
            }
            let asks = [
                ("/v1/logins", "POST", "content-type, api-key"), ("/v1/logins/x", "DELETE", "authorization"),
                ("/v1/sessions", "POST", "dpop, authorization"), ("/go/x", "GET", "x"), ("/v1/logins", "PATCH", "x"),
            ]
            for (path, method, fields) in asks {
                try await self.send(
                    "a preflight of \(method) \(path) from \(origin)", "OPTIONS", path,
                    [
                        ("origin", origin), ("access-control-request-method", method),
                        ("access-control-request-headers", fields),
                    ])
            }
        }
    }
}
