/// What an app's assertions may be: each setting is a line, with what is found.
import Testing

@testable import Switchback

@Suite struct AssertionRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// More settings of the app.
        let app: String
        var keys = "keys: {assertion: [{file: es256.pem}]}"
        let finds: [String]

        init(_ app: String, keys: String = "keys: {assertion: [{file: es256.pem}]}", _ finds: String...) {
            (self.app, self.keys, self.finds) = (app, keys, finds)
        }

        var testDescription: String { "\(self.app) \(self.keys)" }
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
        // Those of other tokens (RFC 9068 §2.1, RFC 9101 §10.8, RFC 9449 §4.2, OpenID Connect Back-Channel Logout 2.4).
        Row("assertion_typ: at+jwt", type), Row("assertion_typ: AT+jwt", type),
        Row("assertion_typ: oauth-authz-req+jwt", type), Row("assertion_typ: dpop+jwt", type),
        Row("assertion_typ: logout+jwt", type),
    ]

    static func problems(_ row: Row) -> [Configuration.Problem] {
        let yaml = """
            public_url: https://login.example.com
            store: memory
            server_keys: [server.key]
            \(row.keys)
            apps: {shop: {name: Shop, return_prefixes: ["https://link.example.com/r/"], \(row.app)}}
            brokers: {b: {kind: oidc, issuer: "https://b.example.com", client_id: c, client_secret: s}}
            providers: {p: {broker: b, names: P, prompt: login}}
            """
        let source = Configuration.Source(name: "s.yaml", yaml: Array(yaml.utf8), files: SampleConfiguration.files)
        do throws(Configuration.Problems) {
            return try Configuration.load(source).warnings
        } catch {
            return error.errors + error.warnings
        }
    }

    @Test(arguments: types) func typ(_ row: Row) {
        let found = Self.problems(row)
        #expect(found.map { "\($0.level) \($0.path)" }.sorted() == row.finds.sorted(), "\(found)")
    }
}
