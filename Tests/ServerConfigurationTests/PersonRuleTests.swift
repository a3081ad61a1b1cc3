import ConfigurationSamples
import TestSupport
import Testing

@testable import ServerConfiguration

/// Tests the rules for namespaces: each row is a configuration, with what is found.
@Suite(.blocking) struct PersonRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let namespaces: String
        /// More settings of the provider of broker `b`.
        let person: String
        var other = ""
        var keys = ""
        let finds: [String]

        init(_ namespaces: String, _ person: String, other: String = "", keys: String = "", _ finds: String...) {
            (self.namespaces, self.person, self.other, self.finds) = (namespaces, person, other, finds)
            self.keys = keys
        }

        var testDescription: String { "\(self.namespaces) \(self.person) \(self.other) \(self.keys)" }
    }

    private static let people = "people: {brokers: [b]}"
    private static let keyed = "people: {brokers: [b], keyed: true}"
    private static func person(_ claim: String) -> String { "person: {namespace: people, claim: \"\(claim)\"}" }
    private static let uuid = "person: {namespace: people, claim: mitid.uuid}"

    static let rows: [Row] = [
        Row(people, uuid), Row("", ""), Row(people, ""), Row("people: {brokers: [b, c]}", uuid),
        // A broker that is not listed identifies no one.
        Row("people: {brokers: [c]}", uuid, "error providers.p.person.namespace"),
        Row(people, uuid, other: uuid, "error providers.q.person.namespace"),
        Row("", uuid, "error providers.p.person.namespace"),
        Row("peoples: {brokers: [b]}", uuid, "error providers.p.person.namespace"),
        Row("people: {brokers: []}", uuid, "error namespaces.people.brokers", "error providers.p.person.namespace"),
        Row("people: {}", uuid, "error namespaces.people.brokers"),
        Row("people: {brokers: [d]}", "", "error namespaces.people.brokers"),
        Row("People: {brokers: [b]}", "", "error namespaces.People"),
        // Only one half of it is set.
        Row(people, "person: {namespace: people}", "error providers.p.person.claim"),
        Row(people, "person: {claim: mitid.uuid}", "error providers.p.person.namespace"),
        // These claims identify no one (OpenID Connect Core §5.7).
        Row(people, "person: {namespace: people, claim: email}", "error providers.p.person.claim"),
        Row(people, "person: {namespace: people, claim: phone_number}", "error providers.p.person.claim"),
        Row(people, "person: {namespace: people, claim: preferred_username}", "error providers.p.person.claim"),
        Row(people, "person: {namespace: people, claim: aud}", "error providers.p.person.claim"),
        // A broker that has a new issuer and kept its subjects.
        Row(people, "person: {namespace: people, claim: sub}"),
        Row(
            people, "national_id_claim: n, national_id_type: \"dk:cpr\", person: {namespace: people, claim: n}",
            "error providers.p.person.claim"),
        // A number that can be guessed is named with a key.
        Row(people, Self.person("cpr"), "error providers.p.person.claim"),
        Row(people, Self.person("dk.cpr"), "error providers.p.person.claim"),
        Row(people, Self.person("cprNumberIdentifier"), "error providers.p.person.claim"),
        Row(people, Self.person("personal_number"), "error providers.p.person.claim"),
        Row(people, Self.person("https://claims.example.com/ssn"), "error providers.p.person.claim"),
        Row(people, Self.person("urn:oid:1.2.752.29.4.13"), "error providers.p.person.claim"),
        Row(keyed, Self.person("cpr"), keys: "person: person.key"),
        Row(keyed, uuid, keys: "person: person.key"),
        Row(keyed, Self.person("cpr"), "error keys.person"), Row(keyed, "", "error keys.person"),
        Row(people, uuid, keys: "person: person.key", "warning keys.person"),
        Row(keyed, uuid, keys: "person: session.key", "error keys.person"),
        Row(keyed, uuid, keys: "person: nothing", "error keys.person"),
        Row(
            "people: {brokers: [b, c]}", uuid, other: "broker: b, person: {namespace: people, claim: uuid}",
            "warning brokers.c", "warning providers.q.person.claim"),
        Row("people: {brokers: [b, c]}", uuid, other: "person: {namespace: people, claim: uuid}"),
    ]

    @Test(arguments: rows) func `each mistake about namespaces is found`(_ row: Row) {
        let other = row.other.contains("broker:") ? row.other : "broker: c, \(row.other)"
        let yaml = """
            public_url: https://login.example.com
            store: memory
            server_keys: [server.key]
            keys: {\(row.keys)}
            apps: {shop: {name: Shop, return_prefixes: ["https://link.example.com/r/"]}}
            brokers:
              b: {kind: oidc, issuer: "https://b.example.com", client_id: c, client_secret: s}
              c: {kind: oidc, issuer: "https://c.example.com", client_id: c, client_secret: s}
            namespaces: {\(row.namespaces)}
            providers:
              p: {broker: b, names: P, prompt: login, \(row.person)}
              q: {names: Q, prompt: login, \(other)}
            """
        let source = ConfigurationSource(name: "s.yaml", yaml: Array(yaml.utf8), files: SampleConfiguration.files)
        var found: [Diagnostic]
        do throws(ConfigurationError) {
            found = try Configuration.load(source).warnings
        } catch {
            found = error.errors + error.warnings
        }
        #expect(found.map { "\($0.level) \($0.path)" }.sorted() == row.finds.sorted(), "\(found)")
    }

    /// The claims of national numbers that brokers of the Nordic countries, the Netherlands and Belgium send, and others
    /// that look like them.
    @Test(
        arguments: [
            ("cpr", true), ("dk.cpr", true), ("CPR", true), ("cprNumberIdentifier", true), ("ssn", true),
            ("personalNumber", true), ("personal_number", true), ("personnummer", true), ("socialno", true),
            ("nin", true), ("pid", true), ("hetu", true), ("bsn", true), ("BSN", true), ("urn:oid:1.2.246.21", true),
            ("http://eidas.europa.eu/attributes/naturalperson/PersonIdentifier", true),
            ("mitid.uuid", false), ("sub", false), ("profile_id", false), ("nemid.pid", false),
            ("nameidentifier", false), ("uuid", false),
            ("urn:oid:1.2.246.22", false), ("", false),
        ]) func `a claim with a national number is known`(_ claim: String, _ isOne: Bool)
    {
        #expect(NationalNumberClaim.isOne(claim) == isOne)
    }

    @Test func `a keyed namespace has the key`() throws {
        for isKeyed in [true, false] {
            let yaml = """
                public_url: https://login.example.com
                store: memory
                server_keys: [server.key]
                keys: {person: person.key}
                apps: {shop: {name: Shop, return_prefixes: ["https://link.example.com/r/"]}}
                brokers: {b: {kind: oidc, issuer: "https://b.example.com", client_id: c, client_secret: s}}
                namespaces: {people: {brokers: [b], keyed: \(isKeyed)}}
                providers: {p: {broker: b, names: P, prompt: login, \(Self.uuid)}}
                """
            let configuration = try Configuration(
                ConfigurationSource(name: "s.yaml", yaml: Array(yaml.utf8), files: SampleConfiguration.files))
            #expect((configuration.providers.first?.person?.key != nil) == isKeyed)
        }
    }
}
