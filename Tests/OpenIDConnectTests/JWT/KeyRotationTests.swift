import Base
import JOSE
import OpenIDConnect
import TestSupport
import Testing

/// Keys that change during logins.
@Suite(.timeLimit(.minutes(1))) struct KeyRotationTests {
    let clock = ManualClock()
    let provider: ScriptedProvider
    let directory: ProviderDirectory
    let old: JWK
    let new: JWK

    init() throws {
        let keys = try TestKeys.shared()
        self.old = keys.rsa.publicKey.jwk(keyID: "rsa")
        self.new = keys.p256.publicKey.jwk(keyID: "p256")
        self.provider = ScriptedProvider(keys: JWKSet([self.old]))
        self.directory = self.provider.directory(self.clock)
    }

    func judge(
        _ change: (inout Minted) -> Void = { _ in }
    ) async throws -> VerificationError<IDTokenError>? {
        var minted = try Minted()
        change(&minted)
        minted.rules.now = self.clock.now
        minted.claims["iat"] = .integer(self.clock.now.seconds)
        minted.claims["exp"] = .integer(self.clock.now.seconds + 300)
        let compact = try minted.compact()
        let rules = minted.rules
        return await refusal { () async throws(VerificationError<IDTokenError>) in
            try await IDToken.validate(compact, rules: rules, directory: self.directory)
        }
    }

    func judgeNew() async throws -> VerificationError<IDTokenError>? {
        try await self.judge { $0.sign(.es256, "p256") }
    }

    /// oidcc-client-test-signing-key-rotation
    @Test func `two logins with a change between them succeed`() async throws {
        #expect(try await self.judge() == nil)
        self.provider.publish([self.new])
        #expect(try await self.judgeNew() == nil)
        #expect(self.provider.count(.keys) == 2)
        #expect(self.provider.count(.discovery) == 1)
    }

    /// oidcc-client-test-signing-key-rotation-just-before-signing
    @Test func `a change after the keys were fetched is found`() async throws {
        _ = try await self.directory.keys()
        self.provider.publish([self.old, self.new])
        #expect(try await self.judgeNew() == nil)
        #expect(try await self.judge() == nil)
        #expect(self.provider.count(.keys) == 2)
    }

    @Test func `a new key without a name is found too`() async throws {
        self.provider.publish([try TestKeys.shared().otherRSA.publicKey.jwk(keyID: nil)])
        _ = try await self.directory.keys()
        self.provider.publish([self.old])
        #expect(try await self.judge { $0.header["kid"] = nil } == nil)
        #expect(self.provider.count(.keys) == 2)
    }

    @Test func `fifty logins share one refetch`() async throws {
        _ = try await self.directory.keys()
        self.provider.publish([self.new])
        self.provider.hold()
        let logins = (0..<50).map { _ in Task { try await self.judgeNew() } }
        #expect(try await eventually { self.provider.count(.keys) == 2 })
        self.provider.release()
        for login in logins { #expect(try await login.value == nil) }
        #expect(self.provider.count(.keys) == 2)
    }

    /// A caller that looked into the old copy and asks later gets the new one without waiting.
    @Test func `a caller that comes late gets the new copy`() async throws {
        let seen = try await self.directory.keys()
        self.provider.publish([self.new])
        let newer = try await self.directory.keysAfterMiss(in: seen)
        #expect(newer.number == seen.number + 1)
        #expect(try await self.directory.keysAfterMiss(in: seen).number == newer.number)
        #expect(self.provider.count(.keys) == 2)
    }

    @Test func `unknown names do not make us fetch again and again`() async throws {
        #expect(try await self.judge() == nil)
        let start = self.clock.now
        for _ in 0..<20 { #expect(try await self.judge { $0.header["kid"] = "x" } == .form(.unknownKey)) }
        let seconds = (self.clock.now - start).components.seconds
        #expect(seconds == 95, "each waits for the fetch that is allowed next")
        #expect(self.provider.count(.keys) <= 2 + Int(seconds) / 5, "one fetch in five seconds at most")
    }

    /// A forged name has just caused a fetch, and then the keys really change. The login waits, and completes.
    @Test func `a rotation while refetching is throttled fails nobody`() async throws {
        #expect(try await self.judge() == nil)
        #expect(try await self.judge { $0.header["kid"] = "x" } == .form(.unknownKey))
        self.provider.publish([self.old, self.new])
        self.clock.advance(.milliseconds(1))
        let start = self.clock.now
        #expect(try await self.judgeNew() == nil)
        #expect(self.clock.now - start == .milliseconds(4_999))
        #expect(try await self.judge() == nil)
        #expect(self.provider.count(.keys) == 3)
    }

    /// A caller that stops waiting may try again, because it is not known yet whether the key exists.
    @Test func `a caller that cannot wait may try again`() async throws {
        let directory = ProviderDirectory(
            issuer: Example.issuer, policy: EndpointPolicy(), fetch: self.provider.fetch, now: { self.clock.now },
            sleep: { _ in })
        let seen = try await directory.keys()
        let newer = try await directory.keysAfterMiss(in: seen)
        await #expect(throws: ProviderDirectoryError.throttled) { try await directory.keysAfterMiss(in: newer) }
        #expect(self.provider.count(.keys) == 2)
    }

    /// The pause would take longer than the caller has.
    @Test func `a caller that has no time does not wait`() async throws {
        let seen = try await self.directory.keys()
        let newer = try await self.directory.keysAfterMiss(in: seen)
        let start = self.clock.now
        await FetchContext.$current.withValue(FetchContext(limit: .seconds(4))) {
            await #expect(throws: ProviderDirectoryError.throttled) {
                try await self.directory.keysAfterMiss(in: newer)
            }
        }
        #expect(self.clock.now == start)
    }

    @Test func `a refetch that fails changes nothing`() async throws {
        #expect(try await self.judge() == nil)
        self.provider.fail(.keys, .timedOut(""))
        for _ in 0..<3 { #expect(try await self.judgeNew() == .keysUnavailable(.fetch(.timedOut("")))) }
        #expect(try await self.judge() == nil)
        #expect(self.provider.count(.keys) == 2)

        self.provider.answer(.keys, ProviderResponse(status: 200, contentType: nil, body: Array("{}".utf8)))
        self.clock.advance(.seconds(5))
        #expect(try await self.judgeNew() == .keysUnavailable(.keySet))
        #expect(try await self.judge() == nil)
        self.provider.publish([self.new])
        self.clock.advance(.seconds(5))
        #expect(try await self.judgeNew() == nil)
        #expect(self.provider.count(.keys) == 4)
    }

    @Test func `an algorithm that is not allowed costs no request`() async throws {
        #expect(try await self.judge { $0.rules.algorithms = [.es256] } == .form(.algorithm))
        #expect(try await self.judge { $0.header["typ"] = "at+jwt" } == .form(.type))
        #expect(self.provider.requests.isEmpty)
    }
}
