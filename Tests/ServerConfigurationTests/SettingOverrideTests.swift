import ConfigurationSamples
import Testing

@testable import ServerConfiguration

/// Tests that flags take precedence over variables, variables over the file, and the file over defaults; and variables
/// that are not settings.
@Suite struct SettingOverrideTests {
    typealias Flag = ConfigurationSource.Flag

    /// The value of `log.level`, and its origin.
    static let precedence: [(file: Bool, variable: Bool, flag: Bool, value: String, origin: String)] = [
        (false, false, false, "info", "default"),
        (true, false, false, "debug", "s.yaml:24"),
        (true, true, false, "error", "SWITCHBACK_LOG__LEVEL"),
        (false, true, false, "error", "SWITCHBACK_LOG__LEVEL"),
        (true, true, true, "trace", "--log-level"),
        (true, false, true, "trace", "--log-level"),
        (false, false, true, "trace", "--log-level"),
    ]

    @Test(arguments: Self.precedence) func `a flag overrides a variable, and a variable the file`(
        _ row: (file: Bool, variable: Bool, flag: Bool, value: String, origin: String)
    ) throws {
        let source = SampleConfiguration.source(
            adding: row.file ? "log: {level: debug}\n" : "",
            environment: row.variable ? ["SWITCHBACK_LOG__LEVEL": "error"] : [:],
            flags: row.flag ? [Flag("--log-level", "log.level", "trace")] : [])
        let entry = try #require(try Configuration.load(source).settings.entry(SettingPath("log.level")))
        #expect(entry.value == .text(row.value))
        #expect(entry.origin.description == row.origin)
    }

    /// Variables, and the problems that they cause; none if they are accepted.
    static let rows: [([String: String], [String])] = [
        (["SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET": "x"], []),
        (["SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE": "secret"], []),
        (["SWITCHBACK_BROKERS__IDURA__CA_FILE": "ca.pem"], []),
        (["SWITCHBACK_KEYS__SIGNING__0__FILE": "rsa.pem"], []),
        (["SWITCHBACK_PROVIDERS__MITID__SCOPE": "openid, email"], []),
        (["SWITCHBACK_CONFIG": "/etc/switchback/switchback.yaml"], []),
        (
            [
                "SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET": "x",
                "SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE": "secret",
            ],
            [
                "SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE (secret): brokers.idura.client_secret: set SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET or SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE, not both"
            ]
        ),
        (
            ["SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE": "missing"],
            [
                "SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE (missing): brokers.idura.client_secret: No such file or directory"
            ]
        ),
        (
            ["SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE": "two-lines"],
            [
                "SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE (two-lines): brokers.idura.client_secret: contains a control character, such as a line end"
            ]
        ),
        (
            ["SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE": "bytes"],
            [
                "SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE (bytes): brokers.idura.client_secret: is UTF-16, and not UTF-8: save it as UTF-8"
            ]
        ),
        (
            ["SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE": "empty"],
            ["SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE (empty): brokers.idura.client_secret: is empty"]
        ),
        (
            ["SWITCHBACK_DRAIN_DELAY": "soon"],
            ["SWITCHBACK_DRAIN_DELAY: drain_delay: must be a whole number of seconds from 0 to 300, not \"soon\""]
        ),
    ]

    @Test(arguments: Self.rows)
    func `each wrong variable is named`(_ variables: [String: String], _ problems: [String]) {
        #expect(SampleConfiguration.problems(SampleConfiguration.source(environment: variables)) == problems)
    }

    /// Variables that are not settings, and the setting that the warning names: none if no setting is near, and nil if
    /// there must be no warning.
    static let unknown: [(variable: String, text: String, nearest: String?)] = [
        ("SWITCHBACK_LITSEN", "127.0.0.1:80", "SWITCHBACK_LISTEN"),
        ("SWITCHBACK_BENCHMARKS", "1", ""), ("SWITCHBACK_FOO", "1", ""),
        ("SWITCHBACK_PROXY_HEADER", "none", "SWITCHBACK_PROXY__HEADER"),
        ("SWITCHBACK_PUBLIC__URL", "x", "SWITCHBACK_PUBLIC_URL"),
        ("SWITCHBACK_BROKERS__IDRUA__CLIENT_SECRET", "x", "SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET"),
        ("SWITCHBACK_BROKERS__IDRUA__CLIENT_SECRET_FILE", "x", "SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE"),
        ("SWITCHBACK_KEYS__SIGNING__1__FILE", "x", "SWITCHBACK_KEYS__SIGNING__0__FILE"),
        ("SWITCHBACK_PORT", "8080", ""), ("SWITCHBACK_BROKERS__SERVICE_HOST", "10.0.0.1", ""),
        // The variables that a kubelet adds for a Service called switchback, and for one called switchback-db.
        ("SWITCHBACK_SERVICE_HOST", "10.0.0.1", nil), ("SWITCHBACK_SERVICE_PORT", "8080", nil),
        ("SWITCHBACK_SERVICE_PORT_HTTP", "8080", nil), ("SWITCHBACK_SERVICE_PORT_HTTP_OPS", "8081", nil),
        ("SWITCHBACK_PORT", "tcp://10.0.0.1:8080", nil), ("SWITCHBACK_PORT_8080_TCP", "tcp://10.0.0.1:8080", nil),
        ("SWITCHBACK_PORT_8080_TCP_PORT", "8080", nil), ("SWITCHBACK_PORT_8080_TCP_PROTO", "tcp", nil),
        ("SWITCHBACK_PORT_8080_TCP_ADDR", "10.0.0.1", nil), ("SWITCHBACK_PORT_443_UDP_ADDR", "10.0.0.1", nil),
        ("SWITCHBACK_DB_SERVICE_PORT_PG", "5432", nil), ("SWITCHBACK_DB_PORT_5432_TCP", "tcp://10.0.0.1:5432", nil),
        ("SWITCHBACK_DB_PORT", "tcp://10.0.0.1:5432", nil), ("SWITCHBACK_REUSE_PORT", "tcp://10.0.0.1:80", nil),
        // These do not have our prefix.
        ("PATH", "/bin", nil), ("SWITCHBACK", "x", nil), ("SWITCHBACKPORT", "1", nil), ("SWITCHBACK_CONFIG", "f", nil),
    ]

    @Test(arguments: unknown) func `what is no setting is ignored with a warning`(
        _ row: (variable: String, text: String, nearest: String?)
    ) throws {
        let source = SampleConfiguration.source(environment: [row.variable: row.text])
        let warnings = Configuration.settings(source).problems.warnings.map(\.description)
        let expected = row.nearest.map { nearest in
            let advice = nearest.isEmpty ? "" : "; did you mean \(nearest)?"
            return "\(row.variable): is not a setting and is ignored\(advice)"
        }
        #expect(warnings == [expected].compactMap(\.self))
    }

    /// So a Service can never set one, whatever its name.
    @Test(arguments: SettingTable.all)
    func `no variable of a setting looks like one of a kubelet`(_ setting: SettingRow) {
        let names = setting.pattern.segments.map { segment -> SettingPath.Segment in
            switch segment {
            case .name(let name): .name(name)
            case .anyName: .name("a")
            case .anyItem: .item(0)
            }
        }
        let variable = SettingPath(names).variable
        let url = "tcp://10.0.0.1:80"
        for name in [variable, variable + "_FILE"] { #expect(!ServiceLink.isOne(name, "x")) }
        let takesURLs = (try? setting.kind.value(of: .scalar(url), secret: false)) != nil
        #expect(!ServiceLink.isOne(variable, url) || !takesURLs, "a URL there is a kubelet's")
    }

    @Test func `a file gives its text without the last line end`() throws {
        let source = SampleConfiguration.source(environment: ["SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE": "secret"]
        )
        #expect(try Configuration(source).brokers.first?.clientSecret?.exposedText == "from a file")
    }

    @Test func `a list stands between commas`() throws {
        let source = SampleConfiguration.source(environment: ["SWITCHBACK_PROVIDERS__MITID__SCOPE": "openid, email"])
        #expect(try Configuration(source).providers.first?.scope == ["openid", "email"])
    }

    /// Otherwise `SWITCHBACK_…_FILE` would be ambiguous.
    @Test func `no setting is named like another one with _file appended`() {
        let names = Set(SettingTable.all.map(\.pattern.description))
        for name in names { #expect(!names.contains(name + "_file")) }
    }
}
