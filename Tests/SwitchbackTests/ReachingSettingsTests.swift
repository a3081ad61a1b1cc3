import Base
import ConfigurationSamples
import OpenIDConnect
import ServerConfiguration
import Testing

@testable import Brokers
@testable import Switchback

/// Tests that the settings of a broker reach the part of the core that they decide: each changes what the broker works
/// with.
@Suite struct ReachingSettingsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let line: String
        let kind: String
        /// Where the setting arrives.
        let place: @Sendable (BrokerSettings) -> String

        init(_ line: String, kind: String = "oidc", _ place: @escaping @Sendable (BrokerSettings) -> String) {
            self.line = line
            self.kind = kind
            self.place = place
        }

        var testDescription: String { self.line }
    }

    static let rows: [Row] = [
        Row("trusted_audiences: [x, y]") { "\($0.trustedAudiences)" },
        Row("id_token_algorithms: [EdDSA]") { "\($0.idTokenAlgorithms.count)" },
        Row("userinfo_format: signed") { "\($0.userInfoFormat)" },
        Row("issuer_in_response: require") { "\($0.issuerPolicy)" },
        Row("ui_locales: false") { "\($0.client.namesLanguages)" },
        Row("clock_leeway: 5") { "\($0.clockLeeway)" },
        Row("poll_interval: 7") { "\($0.pollInterval ?? 0)" },
        Row("headless_grant_type: x", kind: "idura") { $0.kind.grantType(of: .headless) },
        Row("bankid_link: https://bankid.example/", kind: "idura") { ($0.kind as? Idura)?.bankIDLink ?? "" },
        Row("hosts: [api.example.com]") { "\($0.endpoints.hosts)" },
        Row("allow_insecure_loopback: true") { "\($0.endpoints.allowInsecureLoopback)" },
        Row("response_mode: form_post") { $0.client.responseMode.rawValue },
        Row("request_style: par") { $0.client.requestStyle.rawValue },
        Row("request_object_type: JWT") { $0.client.requestObjectType },
        Row("client_authentication: client_secret_post") { "\($0.client.authentication)".prefix(10).description },
    ]

    @Test(arguments: rows) func `each setting reaches its place`(_ row: Row) throws {
        let before = try Self.settings("", kind: row.kind)
        let after = try Self.settings("\n    \(row.line)", kind: row.kind)
        #expect(row.place(before) != row.place(after))
    }

    /// It is the `max_age` of providers that say when the user authenticated only if that is asked.
    @Test func `the lifetime of a login is the configured one`() throws {
        #expect(try Self.settings("").loginLifetime == 600)
        #expect(try Self.settings("", top: "login_lifetime: 900\n").loginLifetime == 900)
    }

    private static func settings(_ lines: String, kind: String = "oidc", top: String = "") throws -> BrokerSettings {
        let configuration = try Configuration(
            SampleConfiguration.source("kind: oidc", "kind: \(kind)\(lines)", adding: top))
        let configured = try #require(configuration.brokers.first)
        let broker = configured.makeBroker(
            of: configuration, fetch: { _ throws(FetchError) in throw .cancelled }, now: { .init(seconds: 0) },
            onUnusableKeys: { _ in }, onNote: { _ in })
        return try #require(broker as? OpenIDBroker).settings
    }
}
