import Base
import ConfigurationSamples
import Testing

@testable import ServerConfiguration

/// Where the files are that a configuration names: in its own folder, wherever the command runs.
@Suite struct FileLocatorTests {
    /// The configuration, the path in it, the files that there are, the path that is opened, and if that is a warning.
    static let rows: [(name: String, path: String, files: [String], opened: String, warns: Bool)] = [
        ("s.yaml", "server.key", ["server.key"], "server.key", false),
        ("/etc/switchback/s.yaml", "server.key", ["/etc/switchback/server.key"], "/etc/switchback/server.key", false),
        ("conf/s.yaml", "keys/server.key", ["conf/keys/server.key"], "conf/keys/server.key", false),
        ("/etc/switchback/s.yaml", "/srv/server.key", ["/srv/server.key"], "/srv/server.key", false),
        // In both: the folder of the configuration comes first.
        (
            "/etc/switchback/s.yaml", "server.key", ["server.key", "/etc/switchback/server.key"],
            "/etc/switchback/server.key", false
        ),
        // Only where it was looked for at first.
        ("/etc/switchback/s.yaml", "server.key", ["server.key"], "server.key", true),
        // In neither.
        ("/etc/switchback/s.yaml", "server.key", [], "/etc/switchback/server.key", false),
    ]

    @Test(arguments: rows) func `a relative path begins at the folder of the configuration`(
        _ row: (name: String, path: String, files: [String], opened: String, warns: Bool)
    ) {
        let source = ConfigurationSource(
            name: row.name, yaml: Array("server_keys: [\(row.path)]\nsqlite: {path: \(row.path)}\n".utf8),
            files: FileAccess(Dictionary(uniqueKeysWithValues: row.files.map { ($0, [1]) })))
        let (settings, problems) = Configuration.settings(source)
        #expect(settings.entry(SettingPath("server_keys"))?.value == .list([row.opened]))
        #expect(settings.entry(SettingPath("sqlite.path"))?.value == .text(row.opened))
        let warnings = problems.warnings.map(\.description).filter { $0.contains("is in the current folder") }
        #expect(warnings.count == (row.warns ? 2 : 0), "\(warnings)")
    }

    /// A shell and a unit of systemd name files so.
    @Test func `what a variable or a flag names begins at the current folder`() {
        let source = ConfigurationSource(
            name: "/etc/switchback/s.yaml", yaml: [],
            environment: ["SWITCHBACK_SERVER_KEYS": "server.key"],
            flags: [.init("--public-dir", "public_dir", "pages")],
            files: FileAccess([:]))
        let settings = Configuration.settings(source).settings
        #expect(settings.entry(SettingPath("server_keys"))?.value == .list(["server.key"]))
        #expect(settings.entry(SettingPath("public_dir"))?.value == .text("pages"))
    }

    // MARK: - Files with secrets

    private static func secret(_ lines: String, _ environment: [String: String] = [:]) -> ConfigurationSource {
        var source = SampleConfiguration.source("client_secret: hunter2", lines, environment: environment)
        let files = source.files
        source.files = FileAccess(
            read: { path throws(FileError) in
                switch path {
                case "a": Array("from file a\n".utf8)
                case "b": Array("from file b".utf8)
                default: try files.read(path)
                }
            }, isFolder: files.isFolder)
        return source
    }

    private static let variable = "SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET"

    static let secrets: [(lines: String, environment: [String: String], secret: String, origin: String)] = [
        ("client_secret_file: a", [:], "from file a", "s.yaml:18 (a)"),
        // A variable comes first, and then the file is not even opened.
        ("client_secret_file: nowhere", [variable: "x"], "x", variable),
        ("client_secret_file: a", ["\(variable)_FILE": "b"], "from file b", "\(variable)_FILE (b)"),
        ("client_secret: c", ["\(variable)_FILE": "b"], "from file b", "\(variable)_FILE (b)"),
        ("client_secret: c\n    client_secret_file: null", [:], "c", "s.yaml:18"),
    ]

    @Test(arguments: secrets) func `a secret comes from the file that the configuration names`(
        _ row: (lines: String, environment: [String: String], secret: String, origin: String)
    ) throws {
        let (configuration, settings, _) = try Configuration.load(Self.secret(row.lines, row.environment))
        #expect(configuration.brokers.first?.clientSecret?.exposedText == row.secret)
        let entry = settings.entry(SettingPath("brokers.idura.client_secret"))
        #expect(entry?.origin.description == row.origin)
        #expect(settings.yaml.contains("client_secret: \"***\"  # \(row.origin)\n"), "\(settings.yaml)")
    }

    @Test func `every secret can be in a file`() {
        let secrets = SettingTable.all.filter(\.isSecret)
        #expect(secrets.count >= 5)
        for row in secrets {
            let path = row.pattern.description.replacing(".*", with: ".a")
            let parts = "\(path)_file".split(separator: ".")
            let yaml = parts.enumerated().map { String(repeating: " ", count: $0.offset) + $0.element + ":" }
                .joined(separator: "\n")
            let source = ConfigurationSource(
                name: "s.yaml", yaml: Array("\(yaml) secret\n".utf8), files: FileAccess(["secret": Array("x y z".utf8)])
            )
            let entry = Configuration.settings(source).settings.entry(SettingPath(path))
            #expect(entry?.value == .text("x y z"), "\(path)")
        }
    }

    /// So a secret that was replaced is used after the next look at the files.
    @Test func `a new secret in the file is a change`() {
        let recorder = FileDigests.Recorder(Self.secret("").files)
        var source = Self.secret("client_secret_file: a")
        source.files = recorder.access
        _ = Configuration.settings(source)
        let other = FileAccess(["a": Array("another".utf8)])
        #expect(recorder.digest.reread(other).changes(since: recorder.digest).contains("a"))
    }
}
