import Base
import ConfigurationSamples
import Testing

@testable import ServerConfiguration

/// Tests what `check` says about a configuration that works, but is open to attacks: each row is a case.
@Suite struct SecurityRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let apps: String
        var providers = ""
        var broker = ""
        var top = ""
        var modes: [String: FilePermissions] = [:]
        let finds: [String]

        init(
            _ apps: String = shop, providers: String = "", broker: String = "", top: String = "",
            modes: [String: FilePermissions] = [:], _ finds: String...
        ) {
            (self.apps, self.providers, self.broker, self.top) = (apps, providers, broker, top)
            (self.modes, self.finds) = (modes, finds)
        }

        var testDescription: String { "\(self.apps) \(self.providers) \(self.top) \(self.modes) \(self.finds)" }
    }

    private static let links = "return_prefixes: [\"https://link.example.com/r/\"]"
    static let shop = "shop: {name: Shop, \(links)}"
    private static let weak = "weak: {broker: b, names: Weak, prompt: login, release: immediate}"
    private static func both(_ more: String) -> String {
        "\(shop.dropLast()), audience: api}, kiosk: {name: Kiosk, audience: api, \(more)}"
    }
    private static func key(_ text: String) -> String { "shop: {name: Shop, \(links), api_key: \"\(text)\"}" }
    private static func page(_ origins: String..., prefixes: String...) -> String {
        func list(_ texts: [String]) -> String { texts.map { "\"\($0)\"" }.joined(separator: ", ") }
        let origins = list(origins.isEmpty ? ["https://www.example.com"] : origins)
        return "shop: {name: Shop, origins: [\(origins)], return_prefixes: [\(list(prefixes))]}"
    }
    private static let random = "pGz7sWm2Qk9vLx4TnR8bYd"
    private static func modes(_ mode: UInt32) -> [String: FilePermissions] {
        ["server.key": FilePermissions(mode: mode)]
    }

    private static func contacts(_ text: String, until end: String?) -> String {
        "security_txt: {contacts: [\(text)]\(end.map { ", expires: \"\($0)\"" } ?? "")}\n"
    }
    private static let mail = "\"mailto:security@example.com\""

    static let rows: [Row] = [
        Row(),
        // RFC 9116.
        Row(top: contacts(mail, until: nil), "error security_txt.contacts"),
        Row(top: "security_txt: {expires: \"2099-01-01T00:00:00Z\"}\n", "error security_txt.expires"),
        Row(top: contacts(mail, until: "2020-01-01T00:00:00Z"), "warning security_txt.expires"),
        Row(top: contacts(mail, until: "2999-01-01T00:00:00Z"), "warning security_txt.expires"),
        Row(
            top: contacts("security@example.com", until: "2020-01-01T00:00:00Z"), "error security_txt.contacts",
            "warning security_txt.expires"),
        // These providers require no proof.
        Row("shop: {name: Shop, release: immediate}", "warning apps.shop.release"),
        Row(providers: weak, "warning providers.weak.release", "warning providers.weak.release"),
        Row(
            "shop: {name: Shop, \(links), providers: [weak, strong]}", providers: weak, "warning apps.shop.providers",
            "warning providers.weak.release"),
        // Two apps with one audience.
        Row(both("release: immediate"), "warning apps.kiosk.release", "error apps.kiosk.audience"),
        Row(both(links), "warning apps.kiosk.audience"),
        Row(both("release: code"), "warning apps.kiosk.audience"),
        Row("\(shop), kiosk: {name: K, audience: shop}", "warning apps.kiosk.audience"),
        Row(
            both("\(links), providers: [weak]"), providers: weak, "warning apps.kiosk.providers",
            "warning providers.weak.release", "error apps.kiosk.audience"),
        // The app of a login whose request names none.
        Row("\(shop.dropLast()), default: true}, kiosk: {name: K, \(links), default: false}"),
        Row(
            "\(shop.dropLast()), default: true}, kiosk: {name: K, \(links), default: true}", "error apps.kiosk.default"),
        // Whom else a broker's tokens may be for.
        Row(broker: ", trusted_audiences: [\"253612887430467585\"]"),
        Row(broker: ", trusted_audiences: [c]", "warning brokers.b.trusted_audiences"),
        Row(broker: ", trusted_audiences: [\"*\"]", "warning brokers.b.trusted_audiences"),
        Row(
            broker: ", trusted_audiences: [d]}, d: {kind: oidc, issuer: \"https://d.example\", client_id: d, "
                + "client_secret: s",
            "warning brokers.b.trusted_audiences", "warning brokers.d"),
        // What flow ciba cannot request.
        Row(
            providers: "c: {broker: n, names: C, flow: ciba, prompt: login, acr_values: [a], max_age: 60}",
            broker: "}, n: {kind: signaturgruppen, issuer: \"https://n.example\", client_id: n, client_secret: s",
            "warning providers.c.acr_values", "warning providers.c.max_age"),
        // Links that a phone opens in the browser.
        Row(
            "shop: {name: Shop, return_prefixes: [\"https://login.example.com/r/\"]}",
            "warning apps.shop.return_prefixes"),
        Row(
            "shop: {name: Shop, return_prefixes: [\"https://login.example.com:8443/r/\"]}",
            "warning apps.shop.return_prefixes"),
        Row("shop: {name: Shop, return_prefixes: [\"https://other.login.example.com/r/\"]}"),
        Row(
            "shop: {name: Shop, return_prefixes: [\"https://link.example.com/r/\"]}", broker: ", callback: app",
            top: "link_url: https://id.example.com", "warning brokers.b.callback"),
        // Where a login of a web page ends.
        Row(page(prefixes: "https://link.example.com/r/", "https://www.example.com/login/")),
        Row(page(prefixes: "https://www.example.com/")),
        Row(page("http://localhost:3000", prefixes: "http://localhost:3000/")),
        Row(page(prefixes: "https://link.example.com/r/"), "warning apps.shop.return_prefixes"),
        Row(page(prefixes: "https://www.example.com:8443/"), "warning apps.shop.return_prefixes"),
        Row(page(prefixes: "https://example.com/", "com.example.shop:/"), "warning apps.shop.return_prefixes"),
        Row("shop: {name: Shop, origins: [\"https://www.example.com\"]}", "warning apps.shop.return_prefixes"),
        Row("shop: {name: Shop, origins: [\"https://www.example.com\"], release: code}"),
        Row(page("capacitor://localhost", "https://localhost", prefixes: "https://link.example.com/r/")),
        // Keys that can be guessed.
        Row(key("a"), "error apps.shop.api_key"),
        Row(key("passwordpasswordpassword"), "error apps.shop.api_key"),
        Row(key("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), "error apps.shop.api_key"),
        Row(key(random)), Row(key("0123456789abcdef0123456789abcdef")),
        // The key alone names the app of a request about sessions.
        Row("\(key(random)), kiosk: {name: K, \(links), api_key: \(random)}", "error apps.kiosk.api_key"),
        Row(
            "\(key(random)), kiosk: {name: K, \(links), api_key: \(random)}, till: {name: T, \(links), api_key: \(random)}",
            "error apps.kiosk.api_key", "error apps.till.api_key"),
        Row("\(key(random)), kiosk: {name: K, \(links), api_key: \(random.reversed().map(String.init).joined())}"),
        // These settings decide which proxies we trust and which addresses may call us.
        Row(top: "proxy: {header: forwarded, trusted: [0.0.0.0/0]}", "error proxy.trusted"),
        Row(
            top: "proxy: {header: forwarded, trusted: [0.0.0.0/1, 128.0.0.0/1]}", "error proxy.trusted",
            "error proxy.trusted"),
        Row(top: "proxy: {header: proxy, trusted: [\"::/0\"]}", "error proxy.trusted"),
        Row(top: "proxy: {header: proxy, trusted: [\"2000::/3\"]}", "error proxy.trusted"),
        Row(top: "proxy: {header: proxy, trusted: [10.0.0.0/8, \"fd00::/8\", 192.0.2.1]}"),
        Row(top: "operations_listen: 0.0.0.0:8082", "warning operations_listen"),
        Row(top: "operations_listen: \"[::]:8082\"", "warning operations_listen"),
        Row(top: "operations_listen: 10.0.0.7:8082"),
        Row(top: "allow_insecure_public_url: true", "warning allow_insecure_public_url"),
        // The modes of files.
        Row(modes: modes(0o600)), Row(modes: modes(0o400)), Row(modes: modes(0o640), "warning server_keys"),
        Row(modes: modes(0o644), "error server_keys"), Row(modes: modes(0o604), "error server_keys"),
        Row(modes: modes(0o666), "error server_keys"), Row(modes: modes(0o602), "error server_keys"),
        Row(modes: modes(0o620), "warning server_keys"),
        Row(modes: ["server.key": FilePermissions(mode: 0o640, isForOneGroup: true)]),
        Row(modes: ["server.key": FilePermissions(mode: 0o440, isForOneGroup: true, isMountedSecret: true)]),
        Row(modes: ["server.key": FilePermissions(mode: 0o644, isMountedSecret: true)], "warning server_keys"),
        Row(modes: ["server.key": FilePermissions(mode: 0o666, isMountedSecret: true)], "error server_keys"),
        Row(modes: ["s.yaml": FilePermissions(mode: 0o644)], "warning brokers.b.client_secret"),
        Row(modes: ["s.yaml": FilePermissions(mode: 0o646)], "error brokers.b.client_secret"),
        Row(modes: ["s.yaml": FilePermissions(mode: 0o640)]),
        Row(
            broker: ", ca_file: ca.pem", modes: ["s.yaml": FilePermissions(mode: 0o666)],
            "error brokers.b.client_secret"),
        Row(broker: ", ca_file: ca.pem", modes: ["ca.pem": FilePermissions(mode: 0o644)]),
        Row(broker: ", ca_file: ca.pem", modes: ["ca.pem": FilePermissions(mode: 0o646)], "error brokers.b.ca_file"),
    ]

    private static func problems(_ row: Row) -> [Diagnostic] {
        let yaml = """
            public_url: https://login.example.com
            store: memory
            server_keys: [server.key]
            apps: {\(row.apps)}
            brokers: {b: {kind: oidc, issuer: "https://id.example.com", client_id: c, client_secret: s\(row.broker)}}
            providers:
              strong: {broker: b, names: Strong, prompt: login}
              \(row.providers)
            \(row.top)
            """
        var files = SampleConfiguration.files
        files.permissions = { row.modes[$0] }
        let source = ConfigurationSource(name: "s.yaml", yaml: Array(yaml.utf8), files: files)
        do throws(ConfigurationError) {
            return try Configuration.load(source).warnings
        } catch {
            return error.errors + error.warnings
        }
    }

    @Test(arguments: rows) func `each weakness is found`(_ row: Row) {
        let found = Self.problems(row)
        #expect(found.map { "\($0.level) \($0.path)" }.sorted() == row.finds.sorted(), "\(found)")
        // Each message says what is wrong and what to do, and quotes no secret.
        for problem in found {
            #expect(problem.message.contains(". "), "\(problem)")
            #expect(!problem.message.contains("passwordpassword"))
        }
    }

    /// Reads the mode of a real file.
    @Test func `permissions are read from the file`() throws {
        let path = "/tmp/switchback-mode-\(UInt32.random(in: 0 ... .max))"
        try SystemFile.create(path, [1])
        #expect(FileAccess.system.permissions(path)?.mode == 0o600)
        #expect(FileAccess.system.permissions("/nowhere") == nil)
    }
}
