import Base
import JOSE
import OpenIDConnect
import StrictJSON
import Synchronization
import Testing

/// A flood of forged authorization responses (JARM) while the provider changes its key under the same name.
@Suite(.timeLimit(.minutes(15))) struct KeyFloodTests {
    /// 100 forged responses a second for a minute, each of an attempt of its own; half name a key that does not exist.
    /// Each second one user logs in. After half a minute the provider signs with another key.
    @Test func `a flood costs little and fails nobody`() async throws {
        let keys = try TestKeys.shared()
        let provider = ScriptedProvider(keys: JWKSet([keys.rsa.publicKey.jwk(keyID: "rsa")]))
        let time = VirtualTime()
        let directory = ProviderDirectory(
            issuer: Example.issuer, policy: EndpointPolicy(), fetch: provider.fetch, now: { time.now },
            sleep: { await time.sleep($0) })
        let completed = Mutex(0)
        let believed = Mutex(0)
        let longest = Mutex(Duration.zero)
        let end = Example.now.seconds + 600
        for step in 0..<6000 {
            if step == 3000 { provider.publish([keys.otherRSA.publicKey.jwk(keyID: "rsa")]) }
            let state = "state \(step)"
            let forged = try Self.response(step % 2 == 0 ? "rsa" : "other", state, end: end, signer: nil)
            time.start {
                if await Self.accepts(forged, state, directory, time.now) { believed.withLock { $0 += 1 } }
            }
            // Not at the same moment as the change, because then both keys would be right.
            if step % 100 == 50 {
                let signer: KeyRefetchTests.Key = step < 3000 ? .old : .new
                let user = "user \(step)"
                let response = try Self.response("rsa", user, end: end, signer: signer)
                let idToken = try Self.idToken(end: end, signer)
                let begun = time.now
                time.start {
                    guard await Self.accepts(response, user, directory, time.now),
                        await Self.accepts(idToken, directory, time.now)
                    else { return }
                    completed.withLock { $0 += 1 }
                    longest.withLock { $0 = max($0, time.now - begun) }
                }
            }
            await time.settle()
            await time.advance(.milliseconds(10))
        }
        let requests = provider.count(.keys)
        // Those who still wait for a fetch.
        for _ in 0..<20 { await time.advance(.seconds(1)) }
        #expect(completed.withLock { $0 } == 60)
        #expect(believed.withLock { $0 } == 0)
        #expect(requests <= 12, "with the first")
        #expect(longest.withLock { $0 } <= .seconds(6))
    }

    private static func accepts(
        _ compact: String, _ state: String, _ directory: ProviderDirectory, _ now: Timestamp
    ) async -> Bool {
        let rules = JARMCase.rules(now: now)
        let outcome = try? await JARMCase.judge(
            [Parameter("response", compact)], state: state, rules: rules, directory: directory)
        return outcome != nil
    }

    private static func accepts(_ compact: String, _ directory: ProviderDirectory, _ now: Timestamp) async -> Bool {
        guard var rules = try? Minted().rules else { return false }
        rules.now = now
        return (try? await IDToken.validate(compact, rules: rules, directory: directory)) != nil
    }

    /// Without a signer, the signature is made up.
    private static func response(
        _ keyID: String, _ state: String, end: Int, signer: KeyRefetchTests.Key?
    ) throws -> String {
        var claims = try JARMCase.Minted().claims
        claims["state"] = .string(state)
        claims["exp"] = .integer(end)
        if let signer { return try KeyRefetchTests.sign(.object(claims), signer) }
        let header: JSON = ["alg": "RS256", "kid": .string(keyID)]
        let signature = [UInt8](repeating: 1, count: 256)
        return [header.encoded(), JSON.object(claims).encoded(), signature].map { Base64URL.encode($0) }
            .joined(separator: ".")
    }

    private static func idToken(end: Int, _ signer: KeyRefetchTests.Key) throws -> String {
        var claims = try Minted().claims
        claims["exp"] = .integer(end)
        return try KeyRefetchTests.sign(.object(claims), signer)
    }
}
