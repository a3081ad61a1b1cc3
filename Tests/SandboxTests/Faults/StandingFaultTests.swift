import JOSE
import Sandbox
import StrictJSON
import Testing

/// Faults of discovery, keys and pushed requests belong to no single login. They stay until they are reset.
@Suite struct StandingFaultTests {
    typealias Check = @Sendable (RawClient.Answer) -> Bool

    static let ofPushedRequests: [(fault: String, check: Check)] = [
        ("par-invalid-request", { $0.status == 400 && $0.text.contains("invalid_request") }),
        ("par-status-500", { $0.status == 500 }),
        ("par-status-200", { $0.status == 200 && $0.text.contains("request_uri") }),
        ("par-without-request-uri", { $0.status == 201 && !$0.text.contains("request_uri") }),
        ("par-wrong-content-type", { $0.status == 201 && $0["content-type"] == "text/html" }),
        ("par-broken-json", { $0.status == 201 && (try? JSON(parsing: $0.body)) == nil }),
    ]

    @Test(arguments: ofPushedRequests)
    func `each fault of a pushed request does what it says`(row: (fault: String, check: Check)) async throws {
        let stage = try Stage()
        try stage.provider.setFault(row.fault, for: "test app")
        for _ in 0..<2 { #expect(row.check(try await stage.push())) }
        try stage.provider.setFault(nil, for: "test app")
        #expect(try await stage.push().status == 201)
        await stage.end()
    }

    @Test func `a pushed request may stay without a response`() async throws {
        let stage = try Stage()
        try stage.provider.setFault("par-dead", for: "test app")
        #expect(try await stage.push().status == 103)
        await stage.end()
    }

    @Test func `discovery may name another issuer`() async throws {
        let stage = try Stage()
        try stage.provider.setFault("oidcc-client-test-discovery-issuer-mismatch", for: "test app")
        for _ in 0..<2 { #expect(try await stage.discovery()["issuer"]?.string == "https://somebody-else.example") }
        try stage.provider.setFault(nil, for: "test app")
        #expect(try await stage.discovery()["issuer"]?.string == stage.issuer)
        await stage.end()
    }

    static let moved: [(fault: String, names: Set<String>)] = [
        (
            "oidcc-client-test-discovery-openid-config",
            [
                "authorization_endpoint", "token_endpoint", "userinfo_endpoint",
                "pushed_authorization_request_endpoint",
            ]
        ),
        ("oidcc-client-test-discovery-jwks-uri-keys", ["jwks_uri"]),
    ]

    @Test(arguments: moved)
    func `endpoints may be at another place`(row: (fault: String, names: Set<String>)) async throws {
        let stage = try Stage()
        let right = try await stage.discovery()
        try stage.provider.setFault(row.fault, for: "test app")
        let document = try await stage.discovery()
        #expect(Set(right.names.filter { right[$0] != document[$0] }) == row.names)
        for name in row.names {
            let paths = [right, document].compactMap { $0[name]?.string?.dropFirst(stage.issuer.count) }
            #expect(try await stage.http.get(String(paths[0])).status == 404, "no longer at \(paths[0])")
            #expect(try await stage.http.get(String(paths[1])).status != 404)
        }
        await stage.end()
    }

    @Test func `a key set may have bad keys or none`() async throws {
        let stage = try Stage()
        try stage.provider.setFault("jwks-one-bad-key", for: "test app")
        let keys = try JWKSet(parsing: try await stage.http.get("/jwks").body)
        #expect(keys.skipped == 3)
        #expect(keys.keys.count == stage.provider.keys.keys.count)
        try stage.provider.setFault("jwks-empty", for: "test app")
        #expect(try JWKSet(parsing: try await stage.http.get("/jwks").body).keys.isEmpty)
        await stage.end()
    }
}
