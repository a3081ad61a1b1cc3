import ConfigurationSamples
import Preflight
import ServerConfiguration
import Testing

/// What `check` says about where logins are stored: clear, and without secrets.
@Suite struct StoreReportTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let settings: String
        let says: [String]
        var silent: [String] = []
        var testDescription: String { self.settings }
    }

    @Test(arguments: [
        Row(
            settings: "url: \"postgresql://us:hunter3@db.example.com/logins\"",
            says: [
                "db.example.com (dbname logins, user us",
                "warning: postgresql.url: the server's identity is not verified",
                "must not be a pooler",
            ]),
        Row(
            settings: "url: \"host=a,b sslmode=verify-full\", password: hunter3, wake: poll, migrate: \"off\"",
            says: ["database: a, b (sslmode verify-full", "wake: poll", "run `switchback migrate` as the owner"],
            silent: ["warning", "pooler"]),
        Row(
            settings: "url: \"host=/run/bouncer\", listen_url: \"host=db.example.com password=hunter3\"",
            says: ["database: /run/bouncer", "listening at db.example.com", "warning"], silent: ["must not be a pooler"]
        ),
        Row(settings: "url: host=127.0.0.1", says: ["127.0.0.1"], silent: ["warning"]),
    ]) func `the report says where logins will be`(_ row: Row) throws {
        let source = SampleConfiguration.source(
            "store: memory", "store: postgresql\npostgresql: {\(row.settings)}")
        let configuration = try Configuration(source)
        let text =
            StoreReport.text(configuration) + StoreReport.warnings(configuration).map { "warning: \($0)\n" }.joined()
        for piece in row.says { #expect(text.contains(piece), "\(text)") }
        for piece in row.silent + ["hunter3"] { #expect(!text.contains(piece), "\(text)") }
        #expect(!(try Configuration.load(source).settings.yaml).contains("hunter3"))
    }
}
