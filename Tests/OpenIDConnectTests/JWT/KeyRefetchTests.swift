import Base
import JOSE
import OpenIDConnect
import StrictJSON
import TestSupport
import Testing

/// A bad signature may mean a new key under the old name: one throttled fetch, and then the verdict on the new set.
@Suite(.timeLimit(.minutes(1))) struct KeyRefetchTests {
    let clock = ManualClock()
    let provider: ScriptedProvider
    let directory: ProviderDirectory
    let old: JWK
    let new: JWK

    init() throws {
        let keys = try TestKeys.shared()
        self.old = keys.rsa.publicKey.jwk(keyID: "rsa")
        self.new = keys.otherRSA.publicKey.jwk(keyID: "rsa")
        self.provider = ScriptedProvider(keys: JWKSet([self.old]))
        self.directory = self.provider.directory(self.clock)
    }

    enum Key: String {
        case old = "rsa"
        case new = "otherRSA"
    }

    /// An ID token with the `kid` of both keys.
    func idToken(
        _ key: Key, _ directory: ProviderDirectory? = nil
    ) async throws -> VerificationError<IDTokenError>? {
        var minted = try Minted()
        minted.rules.now = self.clock.now
        minted.claims["iat"] = .integer(self.clock.now.seconds)
        minted.claims["exp"] = .integer(self.clock.now.seconds + 300)
        let compact = try Self.sign(JSON.object(minted.claims), key)
        let rules = minted.rules
        return await refusal { () async throws(VerificationError<IDTokenError>) in
            try await IDToken.validate(compact, rules: rules, directory: directory ?? self.directory)
        }
    }

    func response(_ key: Key, state: String) async throws -> VerificationError<AuthorizationResponseError>? {
        var claims = try JARMCase.Minted().claims
        claims["exp"] = .integer(self.clock.now.seconds + 60)
        claims["state"] = .string(state)
        let compact = try Self.sign(.object(claims), key)
        let rules = JARMCase.rules(now: self.clock.now)
        return await refusal { () async throws(VerificationError<AuthorizationResponseError>) in
            try await JARMCase.judge(
                [Parameter("response", compact)], state: state, rules: rules, directory: self.directory)
        }
    }

    static func sign(_ claims: JSON, _ key: Key) throws -> String {
        let keys = try TestKeys.shared()
        let header: JSON = ["alg": "RS256", "kid": "rsa"]
        let input = Base64URL.encode(header.encoded()) + "." + Base64URL.encode(claims.encoded())
        let signer = key == .old ? keys.rsa : keys.otherRSA
        return input + "." + Base64URL.encode(try signer.sign(Array(input.utf8), with: .rs256))
    }

    // MARK: - The provider's own tokens

    @Test func `a new key under the old name is found`() async throws {
        #expect(try await self.idToken(.old) == nil)
        self.provider.publish([self.new])
        #expect(try await self.idToken(.new) == nil)
        #expect(self.provider.count(.keys) == 2)
        #expect(try await self.idToken(.old) == .form(.signature))
    }

    @Test func `a bad signature is fetched for once in five seconds`() async throws {
        #expect(try await self.idToken(.old) == nil)
        let start = self.clock.now
        for _ in 0..<20 { #expect(try await self.idToken(.new) == .form(.signature)) }
        let seconds = (self.clock.now - start).components.seconds
        #expect(seconds == 95, "each waits for the fetch that is allowed next")
        #expect(self.provider.count(.keys) == 21)
    }

    /// What the provider cannot say does not change what we know.
    @Test(arguments: [.timedOut(""), .unreachable(""), .busy] as [FetchError])
    func `if the fetch fails, the verdict stays`(_ error: FetchError) async throws {
        #expect(try await self.idToken(.old) == nil)
        self.provider.fail(.keys, error)
        for _ in 0..<3 { #expect(try await self.idToken(.new) == .form(.signature)) }
        #expect(try await self.idToken(.old) == nil)
    }

    @Test func `if there is no time, the verdict stays`() async throws {
        #expect(try await self.idToken(.new) == .form(.signature))
        await FetchContext.$current.withValue(FetchContext(limit: .seconds(1))) {
            #expect((try? await self.idToken(.new)) == .form(.signature))
        }
        #expect(self.provider.count(.keys) == 2)
    }

    /// A fetch that had begun before we asked may have missed the change. Here the provider changes its key while we
    /// pause before the next one.
    @Test func `a fetch from before the change is not the last`() async throws {
        let directory = ProviderDirectory(
            issuer: Example.issuer, policy: EndpointPolicy(), fetch: self.provider.fetch, now: { self.clock.now },
            sleep: { duration in
                self.clock.advance(duration)
                self.provider.publish([self.new])
            })
        let seen = try await directory.keys()
        self.provider.hold()
        let early = Task { try await directory.keysAfterMiss(in: seen) }
        #expect(try await eventually { self.provider.count(.keys) == 2 })
        self.clock.advance(.seconds(1))
        let login = Task { try await self.idToken(.new, directory) }
        // It waits for the fetch that is under way, which answers with the old set.
        for _ in 0..<100 { await Task.yield() }
        self.provider.release()
        _ = try await early.value
        #expect(try await login.value == nil)
        #expect(self.provider.count(.keys) == 3)
    }

    // MARK: - Responses that a browser brings

    @Test func `a response with a new key under the old name is accepted`() async throws {
        #expect(try await self.response(.old, state: "a") == nil)
        self.provider.publish([self.new])
        #expect(try await self.response(.new, state: "b") == nil)
        #expect(self.provider.count(.keys) == 2)
    }

    @Test func `a state causes one fetch`() async throws {
        #expect(try await self.response(.old, state: "a") == nil)
        for _ in 0..<20 { #expect(try await self.response(.new, state: "a") == .rule(.responseSignature)) }
        #expect(self.provider.count(.keys) == 2)
        // Another may, and after its login is over the first is forgotten.
        #expect(try await self.response(.new, state: "b") == .rule(.responseSignature))
        #expect(self.provider.count(.keys) == 3)
    }

    /// The budget of the browsers delays no token of the provider.
    @Test func `a browser delays no ID token`() async throws {
        #expect(try await self.idToken(.old) == nil)
        #expect(try await self.response(.new, state: "a") == .rule(.responseSignature))
        self.provider.publish([self.new])
        let start = self.clock.now
        #expect(try await self.idToken(.new) == nil)
        #expect(self.clock.now == start)
    }

    @Test func `a response is refused when our keys cannot be fetched`() async throws {
        self.provider.fail(.keys, .timedOut(""))
        #expect(try await self.response(.old, state: "a") == .keysUnavailable(.fetch(.timedOut(""))))
    }
}
