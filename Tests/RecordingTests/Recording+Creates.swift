// Creates that are refused for their body, their type or what they ask for, and requests that are torn.

extension Recording {
    private static let secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
    private static let thumbprint = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"

    private static let bodies = [
        "", "{", "[]", "\"eid\"", "null", "{\"provider\": \"eid\"} x", "{\"provider\": \"eid\", \"provider\": \"eid\"}",
        "{\"provider\": \"eid\", \"x\": [[[[[[[[1]]]]]]]]}", "{}", "{\"provider\": null}", "{\"provider\": 1}",
        "{\"provider\": \"\"}", "{\"provider\": \"a b\"}", "{\"provider\": \"nobody\"}",
        "{\"provider\": \"eid\", \"app\": 7}", "{\"provider\": \"eid\", \"app\": \"nobody\"}",
        "{\"provider\": \"post\", \"app\": \"kiosk\"}",
    ]

    /// Each is added to the members of a create.
    private static let members = [
        "\"platform\": \"symbian\"", "\"platform\": [\"ios\"]", "\"os\": 17", "\"surface\": \"webview\"",
        "\"eid_app_installed\": \"yes\"", "\"app_switch\": 0", "\"locale\": 7", "\"nonce\": \"a\\u0000b\"",
        "\"nonce\": \"\"", "\"parameters\": []", "\"parameters\": {\"market\": 1}",
        "\"parameters\": {\"market\": \"x\\ny\"}", "\"parameters\": {\"prompt\": \"none\"}",
        "\"callback\": \"http\"", "\"callback\": \"app\"", "\"dpop_jkt\": \"\"", "\"dpop_jkt\": {}",
        "\"dpop_jkt\": \"\(thumbprint)A\"", "\"actions\": \"open_browser\"", "\"actions\": [\"open_browser\", 1]",
        "\"actions\": []", "\"actions\": [\"enter_code\"]", "\"replaces\": true", "\"replaces\": \"short\"",
        "\"poll_secret\": \"short\"", "\"poll_secret\": 1", "\"poll_secret\": null", "\"later\": 1",
        "\"later\": 1, \"even\": {\"later\": 2}",
    ]

    private static let good = [
        "\"platform\": \"ios\", \"surface\": \"auth_session\", \"eid_app_installed\": true",
        "\"platform\": \"android\", \"surface\": \"tab\", \"app_switch\": false, \"locale\": \"da-DK\"",
        "\"platform\": \"web\", \"os\": \"windows\"", "\"parameters\": {\"market\": \"NO\"}, \"nonce\": \"n-1\"",
        "\"dpop_jkt\": \"\(thumbprint)\"", "\"actions\": [\"open_browser\", \"enter_code\", \"take_photo\"]",
        "\"app\": \"kiosk\"", "\"callback\": null, \"nonce\": null",
    ]

    private static let json = ("content-type", "application/json")

    func creates() async throws {
        for body in Self.bodies { try await self.send("create \(body)", "POST", "/v1/logins", [Self.json], body: body) }
        for members in Self.members + Self.good {
            let body = "{\"provider\": \"eid\", \(members)}"
            try await self.send("create with \(members)", "POST", "/v1/logins", [Self.json], body: body)
        }
        let known = "{\"provider\": \"eid\", \"poll_secret\": \"\(Self.secret)\"}"
        let types = [
            "text/plain", "application/json; charset=utf-8", "application/json; charset=latin1", "x", "a/b+json",
        ]
        for type in types {
            try await self.send("create as \(type)", "POST", "/v1/logins", [("content-type", type)], body: known)
        }
        let more = [
            ("prefer", "handling=strict"), ("prefer", "wait=1"), ("prefer", "respond-async"),
            ("api-key", RecordedConfiguration.apiKey), ("api-key", "wrong"), ("accept-language", "da"),
            ("user-agent", "SwitchbackSwift/0.1.0 ios/18"), ("origin", "https://www.example.com"),
            ("authorization", "Bearer x"), ("content-encoding", "gzip"), ("idempotency-key", "a"),
        ]
        for field in more {
            let name = "create with \(field.0) \(field.1)"
            try await self.send(name, "POST", "/v1/logins", [Self.json, field], body: known)
        }
        let strict = [Self.json, ("prefer", "handling=strict")]
        try await self.send(
            "a strict create with a later member", "POST", "/v1/logins", strict,
            body: "{\"provider\": \"eid\", \"later\": 1}")
        try await self.send(
            "the same secret with another body", "POST", "/v1/logins", [Self.json],
            body: "{\"provider\": \"eid\", \"poll_secret\": \"\(Self.secret)\", \"locale\": \"nb\"}")
        try await self.send("create in a query", "POST", "/v1/logins?poll_secret=x", [Self.json], body: known)
    }

    /// What the server refuses before it knows who asks for what.
    func tornRequests() async throws {
        let host = "host: login.example.com\r\n"
        let rows = [
            ("no host", "GET / HTTP/1.1\r\nconnection: close\r\n\r\n"),
            ("two hosts", "GET / HTTP/1.1\r\n\(host)\(host)\r\n"),
            ("HTTP/1.0", "GET /robots.txt HTTP/1.0\r\n\r\n"), ("HTTP/2.0", "GET / HTTP/2.0\r\n\(host)\r\n"),
            ("no version", "GET /\r\n\r\n"), ("a torn line", "GET  / HTTP/1.1\r\n\(host)\r\n"),
            ("an unknown method", "BREW / HTTP/1.1\r\n\(host)connection: close\r\n\r\n"),
            ("CONNECT", "CONNECT a:1 HTTP/1.1\r\n\(host)\r\n"),
            (
                "an absolute target",
                "GET http://login.example.com/robots.txt HTTP/1.1\r\n\(host)connection: close\r\n\r\n"
            ),
            ("an asterisk", "OPTIONS * HTTP/1.1\r\n\(host)connection: close\r\n\r\n"),
            ("a field without a colon", "GET / HTTP/1.1\r\n\(host)x\r\n\r\n"),
            ("a folded field", "GET / HTTP/1.1\r\n\(host)x: a\r\n b\r\n\r\n"),
            ("a space before the colon", "GET / HTTP/1.1\r\n\(host)x : a\r\n\r\n"),
            ("an unknown expectation", "GET / HTTP/1.1\r\n\(host)expect: tea\r\n\r\n"),
            ("two lengths", "POST /v1/logins HTTP/1.1\r\n\(host)content-length: 1\r\ncontent-length: 2\r\n\r\n{}"),
            ("a torn length", "POST /v1/logins HTTP/1.1\r\n\(host)content-length: x\r\n\r\n{}"),
            (
                "a length and chunks",
                "POST /v1/logins HTTP/1.1\r\n\(host)content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}"
            ),
            ("an unknown coding", "POST /v1/logins HTTP/1.1\r\n\(host)transfer-encoding: gzip\r\n\r\n{}"),
            ("torn chunks", "POST /v1/logins HTTP/1.1\r\n\(host)transfer-encoding: chunked\r\n\r\nzz\r\n"),
            (
                "chunks",
                "POST /v1/logins HTTP/1.1\r\n\(host)connection: close\r\ncontent-type: application/json\r\n"
                    + "transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
            ),
            ("a long body", "POST /v1/logins HTTP/1.1\r\n\(host)content-length: 9999999\r\n\r\n"),
            ("a long target", "GET /\(String(repeating: "a", count: 16_600)) HTTP/1.1\r\n\(host)\r\n"),
            ("a long field", "GET / HTTP/1.1\r\n\(host)x: \(String(repeating: "a", count: 16_600))\r\n\r\n"),
            (
                "two requests",
                "GET /robots.txt HTTP/1.1\r\n\(host)\r\nGET /robots.txt HTTP/1.1\r\n\(host)"
                    + "connection: close\r\n\r\n"
            ),
        ]
        for (name, raw) in rows { try await self.send(name, raw: raw) }
    }
}
