/// Tests the rules for namespaces: each row is a configuration, with what is found.
import ConfigurationSamples
import Testing

@testable import ServerConfiguration

@Suite struct PersonRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let namespaces: String
        /// More settings of the provider of broker `b`.
        let person: String
        var other = ""
        let finds: [String]

        init(_ namespaces: String, _ person: String, other: String = "", _ finds: String...) {
            (self.namespaces, self.person, self.other, self.finds) = (namespaces, person, other, finds)
        }

        var testDescription: String { "\(self.namespaces) \(self.person) \(self.other)" }
    }

    private static let people = "people: {brokers: [b]}"
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
            people, "national_id_claim: cpr, national_id_type: \"dk:cpr\", person: {namespace: people, claim: cpr}",
            "warning providers.p.person.claim"),
        Row(
            "people: {brokers: [b, c]}", uuid, other: "broker: b, person: {namespace: people, claim: uuid}",
            "warning providers.q.person.claim"),
        Row("people: {brokers: [b, c]}", uuid, other: "person: {namespace: people, claim: uuid}"),
    ]

    @Test(arguments: rows) func check(_ row: Row) {
        let other = row.other.contains("broker:") ? row.other : "broker: c, \(row.other)"
        let yaml = """
            public_url: https://login.example.com
            store: memory
            server_keys: [server.key]
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
}
