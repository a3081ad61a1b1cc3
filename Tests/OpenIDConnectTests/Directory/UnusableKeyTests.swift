import OpenIDConnect
import StrictJSON
import Synchronization
import Testing

/// The keys of a set that cannot be used are told once, and again when they change.
@Suite struct UnusableKeyTests {
    @Test func `each change of the unusable keys is reported once`() async throws {
        let provider = try ScriptedProvider(keys: TestKeys.shared().published)
        let clock = ManualClock()
        let told = Mutex<[[UnusableKey]]>([])
        let directory = ProviderDirectory(
            issuer: Example.issuer, policy: EndpointPolicy(), fetch: provider.fetch, now: { clock.now },
            sleep: { clock.advance($0) }, onUnusableKeys: { keys in told.withLock { $0.append(keys) } })
        func words() -> [String] {
            told.withLock { $0 }.map { $0.map { "\($0.name) \($0.cause)" }.joined(separator: ", ") }
        }
        func publish(_ keys: JSON) async throws {
            provider.answer(.keys, Example.json(["keys": keys]))
            clock.advance(.seconds(3600))
            _ = try? await directory.keys()
        }

        _ = try await directory.keys()
        #expect(words() == [])
        let bad: JSON = ["kty": "RSA", "kid": "a", "n": "AQAB", "e": "AQAB"]
        let good: JSON = ["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"]
        for _ in 0..<3 { try await publish([bad, good]) }
        #expect(words() == ["a bad_size"])
        // A kind that we do not use is no mistake.
        try await publish([bad, good, ["kty": "AKP", "alg": "ML-DSA-44"]])
        #expect(words().count == 1)
        try await publish([good, ["kty": "oct", "k": "c2VjcmV0"]])
        #expect(words().last == "2 private_member")
        // Also when none is left.
        try await publish([bad])
        #expect(words().last == "a bad_size")
        #expect(words().count == 3)
    }
}
