import ConfigurationSamples
import ServerConfiguration
import Testing

/// Tests the effective configuration as it is printed: complete, readable again, without secrets.
@Suite struct EffectiveSettingsTests {
    static let environment = ["SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET": "correct horse"]

    static func printed(_ source: ConfigurationSource) throws -> String {
        try Configuration.load(source).settings.yaml
    }

    @Test func `every setting is printed with where it came from`() throws {
        let lines = try Self.printed(
            SampleConfiguration.source(
                environment: ["SWITCHBACK_DRAIN_DELAY": "9"],
                flags: [ConfigurationSource.Flag("--listen", "listen", "[::1]:80")])
        ).split(separator: "\n").map(String.init)
        for line in [
            "public_url: https://login.example.com  # s.yaml:1", "listen: \"[::1]:80\"  # --listen",
            "operations_listen: \"127.0.0.1:8082\"  # default", "public_dir: null  # default",
            "server_keys: [server.key]  # s.yaml:3", "drain_delay: 9  # SWITCHBACK_DRAIN_DELAY",
            "      file: es256.pem  # s.yaml:6", "    name:  # s.yaml:11", "      en: Shop",
            "    issuer: https://id.example.com  # s.yaml:16", "    userinfo: true  # default",
        ] { #expect(lines.contains(line), "\(line)") }
        // The sample has no item of `android`, and no namespace.
        let rest = LinkExample.source().adding("\nbrokers:", "\nnamespaces: {people: {brokers: [idura]}}\nbrokers:")
        let more = try Self.printed(rest).split(separator: "\n").map(String.init)
        for setting in SettingTable.all {
            let name = setting.pattern.description.split(separator: ".").last.map(String.init) ?? ""
            #expect((lines + more).contains { $0.drop { $0 == " " }.hasPrefix("\(name):") }, "\(setting.pattern)")
        }
    }

    @Test func `secrets are masked`() throws {
        let text = try Self.printed(SampleConfiguration.source(environment: Self.environment))
        #expect(text.contains("    client_secret: \"***\"  # SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET\n"))
        #expect(!text.contains("correct horse") && !text.contains("hunter2"))
    }

    @Test func `what is printed can be read again`() throws {
        let first = try Configuration.load(
            LinkExample.source(environment: Self.environment)
                .adding("name: Shop", "name: {en: \"Shop: \\\"A\\\"\", \"no\": ja}")
        ).settings
        let again = try Configuration.load(
            ConfigurationSource(
                name: "again", yaml: Array(first.yaml.utf8), environment: Self.environment,
                files: SampleConfiguration.files)
        ).settings
        #expect(first.entries.map(\.value) == again.entries.map(\.value))
    }

    @Test func `a refused value is printed as refused`() {
        let settings = Configuration.settings(SampleConfiguration.source("store: memory", "store: redis")).settings
        #expect(settings.yaml.contains("store: null  # s.yaml:2, refused\n"))
    }

    @Test func `a configuration that is dumped tells no secret`() throws {
        let configuration = try Configuration(SampleConfiguration.source())
        var text = ""
        dump(configuration, to: &text)
        #expect(!text.contains("hunter2") && !"\(configuration)".contains("hunter2"))
    }

    /// Settings that the server reads by their declarations: the dump shows the others of the same group.
    @Test(arguments: [
        "recorder: {keep: 3600, token: hunter2-hunter2-hunter2}\n",
        "tracing: {endpoint: https://collector.example/v1/traces, headers: key=hunter2}\n",
    ]) func `a dumped setting is shown only if it is no secret`(_ lines: String) throws {
        let configuration = try Configuration(SampleConfiguration.source(adding: lines))
        var text = ""
        dump(configuration, to: &text)
        #expect(!text.contains("hunter2") && !"\(configuration)".contains("hunter2"))
        #expect(text.contains(lines.contains("keep") ? "recorder.keep" : "tracing.endpoint"))
    }
}
