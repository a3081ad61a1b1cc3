/// The faults of the token and userinfo endpoints do what their names say.
import HTTPWire
import JOSE
import Sandbox
import Testing

@Suite struct TokenFaults {
    typealias Check = @Sendable (Tokens) throws -> Bool

    static let expected: [(fault: SandboxFault, check: Check)] = [
        (.tokenInvalidGrant, { $0.answer.status == 400 && $0.error == "invalid_grant" }),
        (.tokenServerError, { $0.answer.status == 500 }),
        (.tokenWrongContentType, { $0.answer["content-type"] == "text/html" && $0.error == nil }),
        (.tokenBrokenJSON, { $0.answer.status == 200 && (try? $0.json) == nil }),
        (.tokenHuge, { $0.answer.body.count > 8 << 20 }),
        (.tokenWithoutIDToken, { try $0.json["id_token"] == nil && $0.error == nil }),
        (.tokenTypeUnknown, { try $0.json["token_type"]?.string == "mac" }),
        (.tokenTypeInOddCase, { try $0.json["token_type"]?.string == "bEARER" }),
        (.expiresInMissing, { try $0.json["expires_in"] == nil && $0.error == nil }),
        (.expiresInString, { try $0.json["expires_in"]?.string == "300" }),
    ]

    @Test(arguments: expected) func doesWhatItSays(row: (fault: SandboxFault, check: Check)) async throws {
        let stage = try Stage()
        let code = try #require(try await stage.walk.login(stage.request(), fault: row.fault.rawValue)["code"])
        let tokens = try await Tokens(stage, code: code, fields: [stage.basic()])
        #expect(try row.check(tokens))
        // The code is spent all the same.
        #expect(try await Tokens(stage, code: code, fields: [stage.basic()]).error == "invalid_grant")
        await stage.end()
    }

    @Test func anAnswerThatComesLate() async throws {
        let stage = try Stage()
        let code = try #require(
            try await stage.walk.login(stage.request(), fault: SandboxFault.tokenSlow.rawValue)["code"])
        let start = ContinuousClock.now
        let tokens = try await Tokens(stage, code: code, fields: [stage.basic()])
        #expect(tokens.error == nil)
        #expect(ContinuousClock.now - start >= .milliseconds(200))
        await stage.end()
    }

    @Test func noAnswerAtAll() async throws {
        let stage = try Stage()
        let code = try #require(
            try await stage.walk.login(stage.request(), fault: SandboxFault.tokenDead.rawValue)["code"])
        // An interim response, and then the connection has ended.
        let tokens = try await Tokens(stage, code: code, fields: [stage.basic()])
        #expect(tokens.answer.status == 103)
        #expect(tokens.answer.body.isEmpty)
        #expect(stage.provider.ledger.tokenRequests == [code: 1])
        await stage.end()
    }

    static let expectedOfUserinfo: [(fault: SandboxFault, check: @Sendable (RawClient.Answer) throws -> Bool)] = [
        (.userinfoWrongSubject, { try JSON(parsing: $0.body)["sub"]?.string == "sandbox-somebody-else" }),
        (.userinfoMissingSubject, { try $0.status == 200 && JSON(parsing: $0.body)["sub"] == nil }),
        (.userinfoServerError, { $0.status == 500 }),
    ]

    @Test(arguments: expectedOfUserinfo)
    func userinfo(row: (fault: SandboxFault, check: @Sendable (RawClient.Answer) throws -> Bool)) async throws {
        let stage = try Stage()
        let code = try #require(try await stage.walk.login(stage.request(), fault: row.fault.rawValue)["code"])
        let tokens = try await Tokens(stage, code: code, fields: [stage.basic()])
        #expect(try await tokens.claims(allowing: .rs256)["sub"]?.string == "sandbox-dk-freja")
        #expect(try row.check(try await tokens.userinfo()))
        #expect(stage.provider.ledger.userinfoRequests == [code: 1])
        await stage.end()
    }
}
