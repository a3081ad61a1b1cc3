import EndToEndSupport
import StrictJSON
import Testing

/// One way in which a provider fails at one path, and what the log and the metrics say about it.
struct FailingRow: Sendable, CustomTestStringConvertible {
    let name: String
    let path: String
    let conduct: FaultyFront.Conduct
    /// `broker_error` in the log.
    let detail: String
    /// `outcome` of `switchback_broker_requests_total`.
    let outcome: String

    init(_ name: String, _ path: String, _ detail: String, _ outcome: String, _ conduct: FaultyFront.Conduct) {
        self.name = name
        self.path = path
        self.conduct = conduct
        self.detail = detail
        self.outcome = outcome
    }

    /// Whether `switchback_broker_up` is 1 afterwards: after a wrong response the broker still counts as up.
    var isUp: Bool { ["2xx", "3xx", "4xx"].contains(self.outcome) }

    /// Whether the broker sees us close the connection.
    var givesUp: Bool {
        switch self.conduct {
        case .neverAnswers, .losesTheAnswer, .drips, .neverEnds: true
        case .says, .sends, .encodes, .changes, .resets: false
        }
    }

    /// The reason of a login that fails at its exchange.
    var reason: String { self.outcome == "closed" ? "interrupted" : "broker_unavailable" }

    /// How many seconds the server waits: fewer end the test sooner, more tolerate a busy machine.
    var timeout: Int { self.outcome == "timed_out" ? 1 : 10 }

    /// The label `purpose` in the metrics.
    var purpose: String {
        switch self.path {
        case Self.metadata: "discovery"
        case "/jwks": "keys"
        default: String(self.path.dropFirst())
        }
    }

    var testDescription: String { "\(self.path) \(self.name)" }

    // MARK: - Rows

    static let metadata = "/.well-known/openid-configuration"
    static let announced = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10000000\r\n\r\n"
    static let longHead = "HTTP/1.1 200 OK\r\nX: \(String(repeating: "a", count: 40_000))\r\n\r\n"
    static let compressed = FaultyFront.Conduct.says(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: compress\r\nContent-Length: 2\r\n\r\n{}"
    )
    static let page = FaultyFront.Conduct.changes(type: "text/html") { _ in "<html>Sign in to the network</html>" }
    static let outOfOrder = FaultyFront.Conduct.says("HTTP/1.1 503 \r\nContent-Length: 0\r\nRetry-After: 60\r\n\r\n")
    static let elsewhere = FaultyFront.Conduct.says(
        "HTTP/1.1 302 \r\nLocation: http://localhost:1/\r\nContent-Length: 0\r\n\r\n")

    /// Returns the failures that any response can have.
    private static func anywhere(_ path: String, _ word: String) -> [FailingRow] {
        [
            FailingRow("never answers", path, "\(word)_timed_out", "timed_out", .neverAnswers),
            FailingRow("drips", path, "\(word)_timed_out", "timed_out", .drips),
            FailingRow("never ends", path, "\(word)_too_large", "too_large", .neverEnds),
            FailingRow("says it is huge", path, "\(word)_too_large", "too_large", .says(self.announced)),
            FailingRow("has a huge head", path, "\(word)_too_large", "too_large", .says(self.longHead)),
            self.hangsUp(path, word),
            FailingRow("resets", path, "\(word)_broken", "broken", .resets),
            FailingRow("speaks no HTTP", path, "\(word)_broken", "broken", .says("220 mail.example ESMTP\r\n")),
            FailingRow("is encoded in an unknown way", path, "\(word)_encoding", "encoding", self.compressed),
            FailingRow("is out of order", path, "\(word)_status_503", "5xx", self.outOfOrder),
            FailingRow("redirects", path, "\(word)_status_302", "3xx", self.elsewhere),
        ]
    }

    /// A code counts as taken once it was sent. Other requests would be sent again.
    private static func hangsUp(_ path: String, _ word: String) -> FailingRow {
        let name = path == "/token" ? "closed" : "broken"
        return FailingRow("hangs up", path, "\(word)_\(name)", name, .says(""))
    }

    private static func document(
        _ name: String, _ detail: String, _ change: @escaping @Sendable (inout JSON.Object) -> Void
    ) -> FailingRow {
        FailingRow(name, Self.metadata, detail, "2xx", .changesDocument(change))
    }

    /// The failures that a browser meets when it opens a login.
    static let discovery: [FailingRow] =
        Self.anywhere(Self.metadata, "directory") + [
            FailingRow("is a page", Self.metadata, "discovery_not_an_object", "2xx", Self.page),
            FailingRow(
                "is broken JSON", Self.metadata, "discovery_not_an_object", "2xx", .changes { "\($0.dropLast())" }),
            Self.document("names another issuer", "discovery_issuer_mismatch") { $0["issuer"] = "http://localhost:1" },
            Self.document("has no authorization endpoint", "discovery_missing_authorization_endpoint") {
                $0["authorization_endpoint"] = nil
            },
            Self.document("has no token endpoint", "discovery_missing_token_endpoint") { $0["token_endpoint"] = nil },
            Self.document("has no keys", "discovery_missing_jwks_uri") { $0["jwks_uri"] = nil },
            Self.document("leads to another host", "discovery_refused_token_endpoint_host") {
                $0["token_endpoint"] = "https://elsewhere.example/token"
            },
            Self.document("leads to an insecure one", "discovery_refused_jwks_uri_insecure") {
                $0["jwks_uri"] = "http://elsewhere.example/jwks"
            },
            Self.document("has no code flow", "discovery_code_flow_unsupported") {
                $0["response_types_supported"] = ["id_token"]
            },
            Self.document("has no S256", "discovery_s256_unsupported") {
                $0["code_challenge_methods_supported"] = ["plain"]
            },
        ]

    /// The failures that keep the server from checking the signature of an ID token.
    static let keys: [FailingRow] =
        Self.anywhere("/jwks", "directory") + [
            FailingRow("is a page", "/jwks", "keys_malformed", "2xx", Self.page),
            FailingRow("is broken JSON", "/jwks", "keys_malformed", "2xx", .changes { "\($0.dropLast())" }),
            FailingRow("has no keys", "/jwks", "keys_none_usable", "2xx", .changes { _ in #"{"keys":[]}"# }),
            FailingRow(
                "has bad keys only", "/jwks", "keys_none_usable", "2xx",
                .changes { _ in #"{"keys":[{"kty":"RSA","n":"","e":"AQAB"}]}"# }),
        ]

    /// The failures of a code exchange, which end the login.
    static let exchange: [FailingRow] =
        Self.anywhere("/token", "token") + Self.anywhere("/userinfo", "userinfo") + [
            FailingRow("is a page", "/token", "token_content_type", "2xx", Self.page),
            FailingRow("is broken JSON", "/token", "token_malformed", "2xx", .changes { "\($0.dropLast())" }),
            FailingRow("is a page", "/userinfo", "userinfo_content_type", "2xx", Self.page),
            FailingRow("is broken JSON", "/userinfo", "userinfo_malformed", "2xx", .changes { "\($0.dropLast())" }),
        ] + Self.keys
}
