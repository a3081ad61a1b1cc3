import Base
import ConfigurationSamples
import Testing

@testable import ServerConfiguration

/// Tests what `check` says about the mistakes that people make: a line of a configuration, and the words about it.
@Suite struct MistakeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        /// The beginning of a message, and another part of it.
        let finds: (start: String, words: String)

        init(_ old: String, _ new: String, _ start: String, _ words: String) {
            (self.old, self.new, self.finds) = (old, new, (start, words))
        }

        var testDescription: String { self.new }
    }

    private static let secret = "    client_secret: hunter2"

    static let rows: [Row] = [
        // The file itself.
        Row("  header: none", "\theader: none", "s.yaml:8: is not YAML", "begins with a tab"),
        Row(
            "  header: none", "\u{A0}\u{A0}header: none", "s.yaml:8: \u{A0}\u{A0}header: is not a setting",
            "no-break space (U+00A0)"),
        Row("  header: none", "  header: none\n   trusted: [unix]", "s.yaml:9: is not YAML", "indented"),
        Row("store: memory", "store:memory", "s.yaml:2: is not YAML", "a space is missing after the colon"),
        Row("name: Shop", "name: \"Shop", "s.yaml:11: is not YAML", "begins here does not end"),
        Row("[server.key]", "[server.key", "s.yaml:3: is not YAML", "begins here does not end"),
        Row("store: memory", "store: memory\nlisten: [::]:8080", "s.yaml:3: is not YAML", "into quotes"),
        Row("client_id: switchback", "client_id: {{ .Values.id }}", "s.yaml:17: ", "of a template"),
        Row("name: Shop", "name: Shop\n    look: {accent: #14532d}", "s.yaml:12: is not YAML", "# begins a comment"),
        Row(
            "server_keys: [server.key]", "server_keys: !include keys.yaml", "s.yaml:3: has the tag !include", "one file"
        ),
        // What may be a part of a secret is not repeated.
        Row(
            Self.secret, "    client_secret: !Zx9Sec7 a", "s.yaml:18: has a tag (a text that begins with !)", "one file"
        ),
        Row(
            "store: memory", "store: postgresql\npostgresql: {url: postgresql://a:x,Zx9@127.0.0.1/db}",
            "s.yaml:3: postgresql.…: is not a setting", "quotes around a text with a comma"),
        Row(
            "store: memory", "store: postgresql\npostgresql: {url: postgresql://a@127.0.0.1/db, password: x, zx9}",
            "s.yaml:3: postgresql.…: is not a setting", "quotes around a text with a comma"),
        Row(
            Self.secret, "    client_secret Zx9Sec7: x", "s.yaml:18: brokers.idura.…: is not a setting",
            "quotes around a text with a comma"),
        // Names.
        Row(
            "name: Shop", "<<: {name: Shop}\n    name: Shop", "s.yaml:11: apps.shop.<<: is not a setting",
            "cannot be merged"),
        Row("store: memory", "store: memory\ninclude: more.yaml", "s.yaml:3: include: is not a setting", "one file"),
        Row("store: memory", "store: memory\nlevel: debug", "s.yaml:3: level: is not a setting", "there is log.level"),
        Row(
            "store: memory", "store: memory\nlog.level: debug", "s.yaml:3: log.level: is not a setting",
            "write level below log, on a line of its own"),
        Row(
            SampleConfiguration.yaml,
            "switchback:\n" + SampleConfiguration.yaml.split(separator: "\n").map { "  \($0)\n" }.joined(),
            "s.yaml:1: switchback: is not a setting", "remove this line"),
        Row(
            Self.secret, "    client_secret_file: nowhere",
            "s.yaml:18 (nowhere): brokers.idura.client_secret_file: ", "No such file"),
        Row(
            Self.secret, "\(Self.secret)\n    client_secret_file: secret",
            "s.yaml:19: brokers.idura.client_secret_file: stands beside", "remove one of the two"),
        Row(
            Self.secret, "    client_secret_file: empty",
            "s.yaml:18 (empty): brokers.idura.client_secret_file: ",
            "is empty"),
        Row(
            Self.secret, "    client_secret_file: [secret]", "s.yaml:18: brokers.idura.client_secret_file: must be",
            "the path of a file"),
        Row(
            Self.secret, "    client_secret: {file: /run/secrets/idura}",
            "s.yaml:18: brokers.idura.client_secret: must be text", "write brokers.idura.client_secret_file"),
        Row(
            Self.secret, "\(Self.secret)\n    redirect_uri: https://login.example.com/callback/idura",
            "s.yaml:19: brokers.idura.redirect_uri: is not a setting", "public_url with /callback/"),
        Row(
            "  idura:\n    kind: oidc", "  - idura:\n    kind: oidc",
            "s.yaml:14: brokers: must contain names, each with its settings", "no dash before it"),
        Row(
            "    - file: es256.pem", "    - es256.pem", "s.yaml:6: keys.signing[0]: must contain settings",
            "as in file: signing.pem"),
        Row(
            "  signing:\n    - file: es256.pem", "  signing: es256.pem", "s.yaml:5: keys.signing: must be a list",
            "[{file: signing.pem}]"),
        Row(
            "prompt: login", "prompt: login\n    claims_parameter: {id_token: {acr: null}}",
            "s.yaml:24: providers.mitid.claims_parameter: must be text", "in single quotes"),
        // Values.
        Row(
            "client_id: switchback", "client_id: ${CLIENT_ID}",
            "s.yaml:17: brokers.idura.client_id: contains a variable",
            "its own variable"),
        Row(
            "client_id: switchback", "client_id: \"${CLIENT_ID:-x}\"",
            "s.yaml:17: brokers.idura.client_id: contains a variable", "its own variable"),
        Row("name: Shop", "name: “Shop”", "s.yaml:11: apps.shop.name: is in typographic", "write \""),
        Row(
            "https://login.example.com", "https://Login.example.com", "s.yaml:1: public_url: must be", "in lower case"),
        Row(
            "https://login.example.com", "https://login.example.com:443", "s.yaml:1: public_url: must be",
            "leave out :443"),
        Row(
            "https://login.example.com", "http://login.example.com:80", "s.yaml:1: public_url: must be",
            "leave out :80, which http always has"),
        Row("https://login.example.com", "https://løgin.example", "s.yaml:1: public_url: must be", "begin with xn--"),
        Row(
            "https://login.example.com", "https://login.example.com.", "s.yaml:1: public_url: must be",
            "leave out the final dot"),
        Row(
            "header: none", "header: forwarded\n  trusted: [10.0.0.1/8]", "s.yaml:9: proxy.trusted: must be",
            "the network of that length is 10.0.0.0/8"),
        // Every item of a list that is wrong is named.
        Row(
            "header: none", "header: forwarded\n  trusted: [10.0.0.1/8, proxy.internal]",
            "s.yaml:9: proxy.trusted: must be", "the network of that length is 10.0.0.0/8"),
        Row(
            "header: none", "header: forwarded\n  trusted: [10.0.0.1/8, proxy.internal]",
            "s.yaml:9: proxy.trusted: must be", "not \"proxy.internal\""),
        Row(Self.secret, "", "s.yaml:14: brokers.idura.client_secret: is required", "IDURA__CLIENT_SECRET_FILE"),
        // Issuers.
        Row(
            "https://id.example.com", "https://id.example.com/.well-known/openid-configuration",
            "s.yaml:16: brokers.idura.issuer: is the address of a document", "perhaps https://id.example.com"),
        Row(
            "https://id.example.com", "https://login.microsoftonline.com/{tenantid}/v2.0",
            "s.yaml:16: brokers.idura.issuer: must be", "the id of your own tenant"),
        Row(
            "https://id.example.com", "https://login.microsoftonline.com/common/v2.0",
            "s.yaml:16: brokers.idura.issuer: stands for every tenant", "TENANT-ID"),
        Row(
            "https://id.example.com", "https://login.microsoftonline.com/Organizations/v2.0",
            "s.yaml:16: brokers.idura.issuer: stands for every tenant", "TENANT-ID"),
        Row(
            "https://id.example.com", "https://login.microsoftonline.com/consumers/v2.0",
            "s.yaml:16: brokers.idura.issuer: is not the issuer in its tokens",
            "9188040d-6c67-4c5b-b112-36a304b66dad"),
        Row(
            "https://id.example.com", "https://10.1.2.3",
            "s.yaml:16: brokers.idura.issuer: is a private address", "allow_private_addresses: true"),
        // Databases.
        Row(
            "store: memory", "store: postgresql\npostgresql: {url: \"postgresql://a:s3cr3t@Tail-Of-Password@host/db\"}",
            "s.yaml:3: postgresql.url: has an @, /, ? or #", "%40"),
        Row(
            "store: memory", "store: postgresql\npostgresql: {url: \"host=db sslmode=verify_full\"}",
            "s.yaml:3: postgresql.url: has an unknown sslmode", "verify-full"),
    ]

    /// The ends of lines are those of Unix or of Windows.
    @Test(arguments: rows, ["\n", "\r\n"]) func `each mistake has its words`(_ row: Row, _ lineEnd: String) {
        let sample = SampleConfiguration.source(row.old, row.new)
        let yaml = String(decoding: sample.yaml, as: UTF8.self).replacing("\n", with: lineEnd)
        let problems = SampleConfiguration.problems(
            ConfigurationSource(name: sample.name, yaml: Array(yaml.utf8), files: sample.files))
        #expect(
            problems.contains { $0.hasPrefix(row.finds.start) && $0.contains(row.finds.words) },
            "\(problems.isEmpty ? "it was accepted" : problems.joined(separator: "\n"))")
        for part in ["hunter2", "Tail", "Zx9", "zx9"] { #expect(!problems.joined().contains(part), "\(part)") }
    }

    /// What works, but perhaps not as it was meant.
    static let warnings: [(old: String, new: String, start: String, words: String)] = [
        (
            secret, "    client_secret: /run/secrets/idura", "brokers.idura.client_secret: is the path of a file",
            "Write client_secret_file"
        ),
        ("https://login.example.com", "https://10.0.0.5", "public_url: is an address", "a name that everyone"),
        ("https://login.example.com", "https://localhost", "public_url: is an address", "a name that everyone"),
    ]

    @Test(arguments: warnings)
    func `each warning has its words`(_ row: (old: String, new: String, start: String, words: String)) throws {
        var source = SampleConfiguration.source(row.old, row.new)
        let files = source.files
        source.files = FileAccess(
            read: { path throws(FileError) in path.hasPrefix("/run/") ? [1] : try files.read(path) },
            isFolder: files.isFolder)
        let warnings = try Configuration.load(source).warnings.map { "\($0.path): \($0.message)" }
        #expect(warnings.contains { $0.hasPrefix(row.start) && $0.contains(row.words) }, "\(warnings)")
    }

    /// A variable whose name is right, but not the file.
    @Test func `a variable of a broker that is not there is named`() throws {
        let source = SampleConfiguration.source(environment: ["SWITCHBACK_BROKERS__NEB__CLIENT_SECRET_FILE": "secret"])
        let warnings = try Configuration.load(source).warnings.map(\.description).filter { $0.contains("NEB") }
        #expect(
            warnings == [
                "SWITCHBACK_BROKERS__NEB__CLIENT_SECRET_FILE: is not a setting and is ignored, because the file has no brokers.neb"
            ])
    }

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Files that Notepad and PowerShell wrote: with a mark, and as UTF-16.
    @Test func `a byte order mark is no part of a file`() throws {
        let plain = SampleConfiguration.source()
        var files = plain.files
        let read = files.read
        files = FileAccess(
            read: { path throws(FileError) in
                if path == "secret" { return Self.mark + Array("hunter4\r\n".utf8.filter { $0 != 0x0D }) }
                return Self.mark + (try read(path))
            }, isFolder: files.isFolder)
        let source = ConfigurationSource(
            name: "s.yaml", yaml: Self.mark + plain.yaml,
            environment: ["SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE": "secret"], files: files)
        let configuration = try Configuration(source)
        #expect(configuration.brokers.first?.clientSecret?.exposedText == "hunter4")
        #expect(configuration.signingKeys.count == 1)
        #expect(configuration.publicURL.text == "https://login.example.com")
    }

    @Test(arguments: [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]]) func `a file in UTF-16 is refused`(_ mark: [UInt8]) {
        let bytes = mark + SampleConfiguration.yaml.utf8.flatMap { [$0, 0] }
        let source = ConfigurationSource(name: "s.yaml", yaml: bytes, files: SampleConfiguration.files)
        #expect(SampleConfiguration.problems(source) == ["s.yaml: is UTF-16, and not UTF-8: save it as UTF-8"])
    }
}
