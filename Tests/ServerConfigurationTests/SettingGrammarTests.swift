import Base
import ConfigurationSamples
import ServerConfiguration
import Testing

/// Tests what each kind of text may be.
@Suite struct SettingGrammarTests {
    struct Row: Sendable {
        let setting: String
        let right: [String]
        let wrong: [String]
    }

    static let rows = [
        Row(
            setting: "public_url",
            right: ["https://a.example", "https://a.example:8443", "http://127.0.0.1:8080", "http://[::1]:8080"],
            wrong: [
                "https://a.example/", "https://a.example/x", "https://u@a.example", "https://a.example?x",
                "ftp://a.example",
                "https://a.example#x", "https://A.example", "https://a.example:443", "//a.example", "https://",
            ]),
        Row(
            setting: "apps.shop.return_prefixes",
            right: [
                "https://link.example.com/r/", "https://link.example.com/", "http://localhost:8083/r/",
                "com.example.app:/r",
                "com.example.app://done", "com.example-1.app:/",
            ],
            wrong: [
                "https://link.example.com", "https://link.example.com/?a", "https://link.example.com/#a",
                "myapp://done",
                "javascript:alert(1)", "com.example.app:done", "com..app:/", "Com.example:/", "com.example.app:/a b",
                "com.example.app:/?x", "1com.example:/x", "https://u@link.example.com/r/",
            ]),
        // A browser opens these at another spelling, so no link would begin with them.
        Row(
            setting: "apps.shop.return_prefixes",
            right: ["https://link.example.com/R/..a/.b/", "https://link.example.com//r/", "http://127.0.0.1:443/r"],
            wrong: [
                "https://Link.example.com/r/", "HTTPS://link.example.com/r/", "https://link.example.com:443/r/",
                "https://link.example.com:0443/r/", "http://localhost:80/r/", "https://link.example.com/./r/",
                "https://link.example.com/a/../r/", "https://link.example.com/r/..",
                "https://link.example.com/%2E%2e/r/",
            ]),
        Row(
            setting: "apps.shop.origins",
            right: [
                "https://www.example.com", "http://localhost:3000", "https://localhost", "capacitor://localhost",
                "ionic://localhost", "app://shop.example", "tauri://localhost",
            ],
            wrong: [
                "capacitor://", "capacitor:localhost", "capacitor://localhost/", "capacitor://localhost/r",
                "Capacitor://localhost", "capacitor://Localhost", "capacitor://u@localhost", "capacitor://*",
                "capacitor://local host", "*://localhost", "://localhost", "1app://localhost", "null", "*", "file://",
                "file://localhost", "data://localhost", "blob://localhost", "javascript://localhost",
                "ws://localhost", "about://blank", "capacitor",
            ]),
        // Every hybrid app has these.
        Row(
            setting: "apps.shop.return_prefixes", right: ["https://localhost:8443/r/"],
            wrong: [
                "https://localhost/", "https://localhost/r/", "https://localhost:443/r/", "https://app.localhost/r/",
                "https://127.0.0.1/r/", "https://[::1]/r/", "capacitor://localhost/", "ionic://localhost/r/",
            ]),
        Row(
            setting: "apps.shop.return_scheme", right: ["com.example.app", "dk.example-1.app"],
            wrong: [
                "capacitor", "ionic", "myapp", "com.example.app:", "com.example.app:/", "Com.example", "javascript",
                "com..app", "https",
            ]),
        Row(
            setting: "apps.shop.ios.app_ids",
            right: ["ABCDE12345.com.example.shop", "ABCDE12345.com.Example-1.shop", "A1B2C3D4E5.x"],
            wrong: [
                "com.example.shop", "ABCDE1234.com.example", "abcde12345.com.example", "ABCDE12345", "ABCDE12345.",
                "ABCDE12345.com.example.*", "ABCDE12345.com..example", "ABCDE12345.com.example_shop",
            ]),
        Row(
            setting: "apps.shop.android[0].package",
            right: ["com.example.shop", "Com.example_1.Shop"],
            wrong: ["shop", "com.1example", "com.example-shop", "com..shop", "com.example.", "com.example.shöp"]),
        Row(
            setting: "apps.shop.android[0].sha256_cert_fingerprints",
            right: [LinkExample.one, "\(LinkExample.one), \(LinkExample.two)"],
            wrong: [
                LinkExample.one.lowercased(), LinkExample.one.replacing(":", with: ""), "\(LinkExample.one):0A",
                String(LinkExample.one.dropLast(3)), "SHA256: \(LinkExample.one)", "0A",
                LinkExample.one.replacing("0A", with: "0G"),
            ]),
        Row(
            setting: "providers.mitid.eid_app.ios_probe_links",
            right: ["bankid:///", "digid://", "https://app.example.com/x", "x:"],
            wrong: ["bankid", "://", "1a://", "a b://", ":"]),
        Row(
            setting: "listen", right: ["127.0.0.1:80", "[::]:8080", "0.0.0.0:0"],
            wrong: ["8080", ":8080", "127.0.0.1:", "127.0.0.1:70000", "127.0.0.1", "a b:80"]),
        Row(
            setting: "operations_listen", right: ["unix:/run/switchback/http.sock", "127.0.0.1:80"],
            wrong: ["unix:", "unix:http.sock", "unix:/run/", "unix:/" + String(repeating: "a", count: 107)]),
        Row(
            setting: "proxy.trusted", right: ["10.0.0.0/8", "fd00::/8", "192.0.2.1", "unix"],
            wrong: ["10.0.0.0/33", "localhost", "unix:", "unix:/run", "10.0.0/8", "fd00::/129"]),
        Row(
            setting: "brokers.idura.hosts", right: ["api.example.com", "localhost"],
            wrong: ["https://api.example.com", "api.example.com:443", "api.example.com/x", "a b"]),
        Row(setting: "brokers.idura.client_id", right: ["urn:my:app:1", "a"], wrong: ["a b", "ä"]),
        Row(setting: "providers.mitid.countries", right: ["DK", "NO"], wrong: ["dk", "DNK", "D1"]),
        Row(
            setting: "providers.mitid.max_age", right: ["0", "300"], wrong: ["-1", "86401", "1.5", "0x10", "1_000", ""]),
        Row(
            setting: "sessions.valid_from", right: ["2026-11-22T14:00:00Z", "2024-02-29T00:00:00Z"],
            wrong: [
                "2026-11-22", "now", "2026-11-22T14:00:00", "2026-11-22T14:00:00+01:00", "2026-02-31T00:00:00Z",
                "2026-11-22T14:00:00.000Z", "2026-11-22t14:00:00z", "1795356000", "2026-11-22T24:00:00Z", "",
            ]),
        Row(setting: "sessions.pin_tries", right: ["1", "10"], wrong: ["0", "11", "-1"]),
        Row(setting: "sessions.access_token_lifetime", right: ["300", "600"], wrong: ["299", "601"]),
        Row(setting: "apps.shop.session", right: ["none"], wrong: ["Access", "bearer", "true", "", "none "]),
        Row(
            setting: "providers.mitid.session", right: ["none", "access", "refresh", "unlock"],
            wrong: ["pin", "UNLOCK", ""]),
        Row(setting: "limits.head", right: ["1024", "1048576"], wrong: ["1023", "99999999999999999999"]),
    ]

    /// Sets the setting by a variable, which is only text.
    static func isRefused(_ setting: String, _ text: String) -> Bool {
        let path = Self.path(setting)
        let environment = [path.variable: text, "SWITCHBACK_PROXY__HEADER": "forwarded"]
        // With links in the sample, settings about links are no problem by themselves.
        let source =
            setting.hasSuffix("return_prefixes")
            ? SampleConfiguration.source(environment: environment) : LinkExample.source(environment: environment)
        return SampleConfiguration.problems(source).contains { $0.hasPrefix("\(path.variable): ") }
    }

    /// Parses `apps.shop.android[0].package`, the only kind of list item that the sample has below a name.
    private static func path(_ text: String) -> SettingPath {
        let parts = text.split(separator: ".")
        return parts.reduce(SettingPath()) { path, part in
            guard part.hasSuffix("[0]") else { return path.appending(.name(String(part))) }
            return path.appending(.name(String(part.dropLast(3)))).appending(.item(0))
        }
    }

    @Test(arguments: Self.rows) func `texts are told apart`(_ row: Row) {
        for text in row.right { #expect(!Self.isRefused(row.setting, text), "\(row.setting): \(text)") }
        for text in row.wrong { #expect(Self.isRefused(row.setting, text), "\(row.setting): \(text)") }
    }

    static let nearest: [(String, [String], String?)] = [
        ("isuer", ["hosts", "issuer", "kind"], "issuer"),
        ("clientid", ["client_secret", "client_id"], "client_id"),
        ("sotre", ["store", "score"], "store"),
        ("x", [], nil),
        // A third of the letters at most, or one.
        ("level", ["listen", "limits"], nil), ("nonsense", ["listen"], nil), ("foo", ["store"], nil),
        ("mitid", ["bankid", "vipps"], nil), ("se", ["sv", "en"], nil), ("kind", ["hosts"], nil),
        // Three letters at most, however long the word is.
        ("client_authentification", ["client_authentication", "client_id"], "client_authentication"),
        ("post_logout_redirect_uris", ["id_token_algorithms", "trusted_audiences"], nil),
        // The beginning of the other.
        ("listen_address", ["listen", "limits"], "listen"),
        ("client_auth", ["client_authentication"], "client_authentication"),
        ("log", ["login_lifetime"], nil),
    ]

    @Test(arguments: Self.nearest)
    func `the nearest word is found only where it is near`(_ word: String, _ known: [String], _ answer: String?) {
        #expect(SpellingSuggestion.word(to: word, in: known) == answer)
    }
}
