import Base
import ConfigurationSamples
import KeyFiles
import KeyRing
import Testing

@testable import ServerConfiguration

/// The settings of keys that rotate themselves.
@Suite struct KeyRingRuleTests {
    private static func source(_ lines: String) -> ConfigurationSource {
        SampleConfiguration.source("keys:\n", "keys:\n  \(lines)\n")
    }

    @Test(arguments: [
        ("automatic: [signing]", []),
        ("automatic: []", []),
        (
            "automatic: [signing, decryption]",
            [
                "keys.automatic: keys.decryption cannot rotate itself: it stays a list of files, which `switchback keys rotate decryption` rotates"
            ]
        ),
        (
            "automatic: [access]",
            [
                "keys.automatic: keys.access must list a key too, which signs while no automatic key can. Make one with `switchback keys generate access`"
            ]
        ),
        (
            "automatic: [person]",
            [
                "keys.automatic: must be one of server, signing, assertion, decryption, access, session, audit, not \"person\""
            ]
        ),
        ("automatic: [signing]\n  rotate_every: 2700\n  publish_for: 900", []),
        (
            "automatic: [signing]\n  rotate_every: 3600\n  publish_for: 1201",
            ["keys.publish_for: must be at most a third of keys.rotate_every, which is 3600"]
        ),
        ("rotate_every: 3600", []),
        (
            "automatic: [signing]\n  trusted_since: \"2999-01-01T00:00:00Z\"",
            ["keys.trusted_since: is in the future. Write the present time in UTC"]
        ),
    ]) func `each mistake is said`(_ lines: String, _ expected: [String]) {
        let problems = SampleConfiguration.problems(Self.source(lines)).map {
            $0.replacing(#/^s\.yaml:\d+: /#, with: "")
        }
        #expect(problems == expected)
    }

    @Test func `automatic keys are like the key in the file`() throws {
        let configuration = try Configuration(Self.source("automatic: [signing]"))
        let policy = configuration.ringPolicy(of: [.signing])
        #expect(policy.rotateEvery == .seconds(30 * 86_400) && policy.publishFor == .seconds(86_400))
        let file = try #require(configuration.signingKeys.first)
        #expect(
            policy.chains.first
                == RingPolicy.Chain(
                    RingPolicy.Slot(.signing, like: file), file.key.kind, algorithm: file.algorithm))
        #expect(configuration.ringPolicy(of: []).chains.isEmpty)
    }
}
