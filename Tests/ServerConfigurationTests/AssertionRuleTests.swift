import ConfigurationSamples
import Testing

@testable import ServerConfiguration

/// Tests the rules for an app's assertions: each row is a setting, with what is found.
@Suite struct AssertionRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// More settings of the app.
        let app: String
        let keys: String
        /// More settings of the provider.
        let provider: String
        let mode: UInt32
        let finds: [String]

        init(
            _ app: String, keys: String = "keys: {assertion: [{file: es256.pem}]}", provider: String = "",
            mode: UInt32 = 0o600, _ finds: String...
        ) {
            (self.app, self.keys, self.provider, self.mode, self.finds) = (app, keys, provider, mode, finds)
        }

        var testDescription: String { "\(self.app) \(self.keys) \(self.provider) \(self.mode)" }
    }

    private static let type = "error apps.shop.assertion_typ"

    static let types: [Row] = [
        Row(""), Row("", keys: ""), Row("assertion_typ: JWT"), Row("assertion_typ: login+jwt"),
        Row("assertion_typ: vnd.example.shop+jwt"), Row("assertion_typ: null"),
        Row("assertion_typ: login+jwt", keys: ""), Row("assertion_typ: JWT", keys: "", type),
        Row("assertion_typ: \"\"", type),
        Row("assertion_typ: none", type), Row("assertion_typ: jwt", type), Row("assertion_typ: +jwt", type),
        Row("assertion_typ: JWS", type), Row("assertion_typ: login", type),
        Row("assertion_typ: application/login+jwt", type), Row("assertion_typ: \"login jwt\"", type),
        Row("assertion_typ: \"lögin+jwt\"", type), Row("assertion_typ: [JWT]", type),
        Row("assertion_typ: \(String(repeating: "a", count: 124))+jwt", type),
        // The types of other tokens (RFC 9068 §2.1, RFC 9101 §10.8, RFC 9449 §4.2, OpenID Connect Back-Channel Logout
        // 2.4).
        Row("assertion_typ: at+jwt", type), Row("assertion_typ: AT+jwt", type),
        Row("assertion_typ: oauth-authz-req+jwt", type), Row("assertion_typ: dpop+jwt", type),
        Row("assertion_typ: logout+jwt", type),
    ]

    private static let claims = "apps.shop.assertion_claims"
    private static let key = "apps.shop.assertion_key"
    private static let cpr = "national_id_claim: dk.cpr, national_id_type: \"dk:cpr\""

    static let claimRows: [Row] = [
        Row("assertion_claims: []"), Row("assertion_claims: [name, given_name, family_name, birth_date, country]"),
        Row("assertion_claims: [claims]"), Row("assertion_claims: [birthdate]", "error \(claims)"),
        Row("assertion_claims: [name, name]", "error \(claims)"),
        Row("assertion_claims: [name]", keys: "", "error \(claims)"),
        // The phone can read an assertion that is only signed.
        Row("assertion_claims: [national_id]", provider: cpr, "warning \(claims)"),
        Row("assertion_claims: [national_id], assertion_key: api.jwk", provider: cpr),
        Row("assertion_claims: [national_id], assertion_key: api.jwk", "warning \(claims)"),
        Row("assertion_key: api.jwk"), Row("assertion_key: api.jwk", keys: "", "error \(key)"),
        Row("assertion_key: api.jwk", provider: "national_id_claim: sub, national_id_type: x", "error \(key)"),
        Row("assertion_key: none.jwk", "error \(key)"), Row("assertion_key: es256.pem", "error \(key)"),
        // There is no way to pass on a broker's tokens, so none avoids the encryption.
        Row("assertion_key: api.jwk, pass_tokens: true", "error apps.shop.pass_tokens"),
        Row("assertion_key: api.jwk", provider: "pass_tokens: true", "error providers.p.pass_tokens"),
        // Someone who can write this file can replace the key, and then read what we encrypt to it.
        Row("assertion_key: api.jwk", mode: 0o646, "error \(key)"), Row("assertion_key: api.jwk", mode: 0o644),
    ]

    @Test(arguments: claimRows) func `each mistake about claims and keys is found`(_ row: Row) {
        let found = Self.problems(row)
        #expect(found.map { "\($0.level) \($0.path)" }.sorted() == row.finds.sorted(), "\(found)")
    }

    static func problems(_ row: Row) -> [Diagnostic] {
        let yaml = """
            public_url: https://login.example.com
            store: memory
            server_keys: [server.key]
            \(row.keys)
            apps: {shop: {name: Shop, return_prefixes: ["https://link.example.com/r/"], \(row.app)}}
            brokers: {b: {kind: oidc, issuer: "https://b.example.com", client_id: c, client_secret: s}}
            providers: {p: {broker: b, names: P, prompt: login, \(row.provider)}}
            """
        var files = SampleConfiguration.files
        files.permissions = { $0 == "api.jwk" ? FilePermissions(mode: row.mode) : nil }
        let source = ConfigurationSource(name: "s.yaml", yaml: Array(yaml.utf8), files: files)
        do throws(ConfigurationError) {
            return try Configuration.load(source).warnings
        } catch {
            return error.errors + error.warnings
        }
    }

    @Test(arguments: types) func `each mistake about the type is found`(_ row: Row) {
        let found = Self.problems(row)
        #expect(found.map { "\($0.level) \($0.path)" }.sorted() == row.finds.sorted(), "\(found)")
    }
}
