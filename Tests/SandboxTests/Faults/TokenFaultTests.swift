import HTTPWire
import Sandbox
import StrictJSON
import Testing

/// The faults of the token and userinfo endpoints do what their names say.
@Suite struct TokenFaultTests {
    typealias Check = @Sendable (Tokens) throws -> Bool

    static let expected: [(fault: String, check: Check)] = [
        ("token-invalid-grant", { $0.answer.status == 400 && $0.error == "invalid_grant" }),
        ("token-status-500", { $0.answer.status == 500 }),
        ("token-wrong-content-type", { $0.answer["content-type"] == "text/html" && $0.error == nil }),
        ("token-broken-json", { $0.answer.status == 200 && (try? $0.json) == nil }),
        ("token-huge-answer", { $0.answer.body.count > 8 << 20 }),
        ("token-without-id-token", { try $0.json["id_token"] == nil && $0.error == nil }),
        ("token-type-unknown", { try $0.json["token_type"]?.string == "mac" }),
        (
            "fapi2-security-profile-final-client-test-token-type-case-insensitivity",
            { try $0.json["token_type"]?.string == "bEARER" }
        ),
        (
            "fapi2-security-profile-final-client-test-token-endpoint-response-without-expires_in",
            { try $0.json["expires_in"] == nil && $0.error == nil }
        ),
        ("token-expires-in-string", { try $0.json["expires_in"]?.string == "300" }),
    ]

    @Test(arguments: expected) func `each fault does what it says`(row: (fault: String, check: Check)) async throws {
        let stage = try Stage()
        let code = try #require(try await stage.walk.login(stage.request(), fault: row.fault)["code"])
        let tokens = try await Tokens(stage, code: code, fields: [stage.basic()])
        #expect(try row.check(tokens))
        // The code is spent nevertheless.
        #expect(try await Tokens(stage, code: code, fields: [stage.basic()]).error == "invalid_grant")
        await stage.end()
    }

    @Test func `a response may come late`() async throws {
        let stage = try Stage()
        let code = try #require(
            try await stage.walk.login(stage.request(), fault: "token-slow")["code"])
        let start = ContinuousClock.now
        let tokens = try await Tokens(stage, code: code, fields: [stage.basic()])
        #expect(tokens.error == nil)
        #expect(ContinuousClock.now - start >= .milliseconds(200))
        await stage.end()
    }

    @Test func `a response may never come`() async throws {
        let stage = try Stage()
        let code = try #require(
            try await stage.walk.login(stage.request(), fault: "token-dead")["code"])
        // An interim response arrives, and then the connection closes.
        let tokens = try await Tokens(stage, code: code, fields: [stage.basic()])
        #expect(tokens.answer.status == 103)
        #expect(tokens.answer.body.isEmpty)
        #expect(stage.provider.requestLog.tokenRequests == [code: 1])
        await stage.end()
    }

    static let expectedOfUserinfo: [(fault: String, check: @Sendable (RawClient.Answer) throws -> Bool)] = [
        (
            "oidcc-client-test-userinfo-invalid-sub",
            { try JSON(parsing: $0.body)["sub"]?.string == "sandbox-somebody-else" }
        ),
        ("userinfo-without-sub", { try $0.status == 200 && JSON(parsing: $0.body)["sub"] == nil }),
        ("userinfo-not-signed", { $0.status == 200 && $0["content-type"] == "application/json" }),
        (
            "oidcc-client-test-aggregated-claims",
            { try JSON(parsing: $0.body)["_claim_sources"]?["src1"]?["JWT"]?.string != nil }
        ),
        (
            "oidcc-client-test-distributed-claims",
            { try JSON(parsing: $0.body)["_claim_sources"]?["src1"]?["endpoint"]?.string != nil }
        ),
        ("userinfo-status-500", { $0.status == 500 }),
    ]

    @Test(arguments: expectedOfUserinfo)
    func `each fault of userinfo does what it says`(
        row: (fault: String, check: @Sendable (RawClient.Answer) throws -> Bool)
    ) async throws {
        let stage = try Stage()
        let code = try #require(try await stage.walk.login(stage.request(), fault: row.fault)["code"])
        let tokens = try await Tokens(stage, code: code, fields: [stage.basic()])
        #expect(try await tokens.claims(allowing: .rs256)["sub"]?.string == "sandbox-dk-freja")
        #expect(try row.check(try await tokens.userinfo()))
        #expect(stage.provider.requestLog.userinfoRequests == [code: 1])
        await stage.end()
    }
}
