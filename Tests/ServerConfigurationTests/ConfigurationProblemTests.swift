import ConfigurationSamples
import Testing

/// Tests every error of a configuration, word for word.
@Suite struct ConfigurationProblemTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let problems: [String]

        init(_ old: String, _ new: String, _ problems: String...) {
            self.old = old
            self.new = new
            self.problems = problems
        }

        var testDescription: String { self.new }
    }

    @Test func `the sample has no problems`() {
        #expect(SampleConfiguration.problems(SampleConfiguration.source()) == [])
    }

    @Test(arguments: Self.reading) func `each value that is read is checked`(_ row: Row) {
        #expect(SampleConfiguration.problems(SampleConfiguration.source(row.old, row.new)) == row.problems)
    }

    @Test(arguments: Self.rules) func `settings agree with each other`(_ row: Row) {
        #expect(SampleConfiguration.problems(SampleConfiguration.source(row.old, row.new)) == row.problems)
    }

    @Test(arguments: Self.files) func `each file that is named is opened`(_ row: Row) {
        #expect(SampleConfiguration.problems(SampleConfiguration.source(row.old, row.new)) == row.problems)
    }

    static let reading = [
        Row("store: memory", "store: memory\nsotre: memory", "s.yaml:3: sotre: is not a setting; did you mean store?"),
        Row(
            "issuer:", "isuer: x\n    issuer:", "s.yaml:16: brokers.idura.isuer: is not a setting; did you mean issuer?"
        ),
        Row(
            "release:", "relaese: x\n    release:",
            "s.yaml:12: apps.shop.relaese: is not a setting; did you mean release?"),
        Row("public_url: https://login.example.com\n", "", "s.yaml: public_url: is required"),
        Row(
            "release:", "origins: [\"*\"]\n    release:",
            "s.yaml:12: apps.shop.origins: must be https://host or https://host:port, without a path or a final slash, or the scheme and host of a hybrid app's pages, as in capacitor://localhost, not \"*\""
        ),
        Row(
            "release:", "origins: [\"null\"]\n    release:",
            "s.yaml:12: apps.shop.origins: must be https://host or https://host:port, without a path or a final slash, or the scheme and host of a hybrid app's pages, as in capacitor://localhost, not \"null\""
        ),
        Row(
            "release:", "origins: [\"https://www.example.com:443\"]\n    release:",
            "s.yaml:12: apps.shop.origins: must be https://host or https://host:port, without a path or a final slash, or the scheme and host of a hybrid app's pages, as in capacitor://localhost, not \"https://www.example.com:443\"; leave out :443, which https always has"
        ),
        Row(
            "release:", "origins: https://www.example.com\n    release:",
            "s.yaml:12: apps.shop.origins: must be a list of origins, as in [a, b]"),
        Row(
            "release:",
            "origins: [\"https://www.example.com\", \"http://localhost:3000\", \"http://www.example.com\"]\n    release:",
            "s.yaml:12: apps.shop.origins: must be https; http is only for loopback, or with allow_insecure_public_url: true, not \"http://www.example.com\""
        ),
        Row("    issuer: https://id.example.com\n", "", "s.yaml:14: brokers.idura.issuer: is required"),
        Row("store: memory", "store: ''", "s.yaml:2: store: is empty"),
        Row(
            "store: memory", "store: redis", "s.yaml:2: store: must be one of sqlite, memory, postgresql, not \"redis\""
        ),
        Row("store: memory", "store: postgresql", "s.yaml: postgresql.url: is required for store postgresql"),
        Row(
            "store: memory", "store: postgresql\npostgresql: {url: \"host=db passwrod=hunter3\"}",
            "s.yaml:3: postgresql.url: is not a libpq connection string such as postgresql://switchback@db.example.com/switchback. In a URL write @ : / ? # and % of a password as %40 %3A %2F %3F %23 and %25, or give the password in postgresql.password or in the file of SWITCHBACK_POSTGRESQL__PASSWORD_FILE"
        ),
        Row(
            "store: memory", "store: postgresql\npostgresql: {url: \"user=us\"}",
            "s.yaml:3: postgresql.url: names no host"),
        Row(
            "store: memory", "store: postgresql\npostgresql: {url: host=db, wake: poll, listen_url: host=db}",
            "s.yaml:3: postgresql.listen_url: has no effect while postgresql.wake is poll"),
        Row(
            "release: immediate", "release: return_link",
            "s.yaml:12: apps.shop.release: return_link needs return_prefixes; without links use code"),
        Row(
            "store: memory", "store: memory\nlogin_lifetime: ten",
            "s.yaml:3: login_lifetime: must be a whole number of seconds from 30 to 3600, not \"ten\""),
        Row(
            "store: memory", "store: memory\nlogin_lifetime: 5",
            "s.yaml:3: login_lifetime: must be a whole number of seconds from 30 to 3600, not \"5\""),
        Row(
            "prompt: login", "prompt: login\n    userinfo: yes",
            "s.yaml:24: providers.mitid.userinfo: must be true or false, not \"yes\"; write true"),
        Row("store: memory", "store: [memory]", "s.yaml:2: store: must be one of sqlite, memory, postgresql"),
        Row(
            "server_keys: [server.key]", "server_keys: server.key",
            "s.yaml:3: server_keys: must be a list of files, as in [a, b]"),
        Row("[server.key]", "[{a: b}]", "s.yaml:3: server_keys: must be a list of files, as in [a, b]"),
        Row("[server.key]", "[server.key, server.key]", "s.yaml:3: server_keys: names \"server.key\" twice"),
        Row("  header: none", "  - header", "s.yaml:8: proxy: must contain settings, each on its own line"),
        Row(
            "    - file: es256.pem", "    file: es256.pem",
            "s.yaml:6: keys.signing: must be a list, as in [{file: signing.pem}]"),
        Row(
            "  shop:", "  Shop:",
            "s.yaml:10: apps.Shop: \"Shop\" is not a valid name: use lowercase letters, digits and single underscores between them, and begin with a letter"
        ),
        Row(
            "  shop:", "  my__shop:",
            "s.yaml:10: apps.my__shop: \"my__shop\" is not a valid name: use lowercase letters, digits and single underscores between them, and begin with a letter"
        ),
        Row("name: Shop", "name: {}", "s.yaml:11: apps.shop.name: must have a text for at least one language"),
        Row(
            "name: Shop", "name: {danish: Butik}",
            "s.yaml:11: apps.shop.name: \"danish\" is not a language tag, as in en, da or pt-BR"),
        Row("name: Shop", "name: {en: [a]}", "s.yaml:11: apps.shop.name: must have a text for \"en\""),
        Row(
            "client_secret: hunter2", "client_secret: \"hunter2\\n\"",
            "s.yaml:18: brokers.idura.client_secret: contains a control character, such as a line end"),
        Row(
            "client_secret: hunter2", "client_secret: [hunter2]", "s.yaml:18: brokers.idura.client_secret: must be text"
        ),
        Row(
            "https://login.example.com", "https://login.example.com/",
            "s.yaml:1: public_url: must be https://host or https://host:port, without a path or a final slash, not \"https://login.example.com/\""
        ),
        Row(
            "https://login.example.com", "login.example.com",
            "s.yaml:1: public_url: must be https://host or https://host:port, without a path or a final slash, not \"login.example.com\""
        ),
        Row(
            "https://id.example.com", "https://id.example.com/?a=b",
            "s.yaml:16: brokers.idura.issuer: must be an https URL without query, fragment or user, not \"https://id.example.com/?a=b\""
        ),
        Row(
            "store: memory", "store: memory\nlisten: 8080",
            "s.yaml:3: listen: must be an address and a port, as in 127.0.0.1:8080 or [::]:8080, or unix: and an absolute path of at most 107 bytes, as in unix:/run/switchback/http.sock, not \"8080\"; write 127.0.0.1:8080, or 0.0.0.0:8080 for all"
        ),
        Row(
            "prompt: login", "prompt: login\n    countries: [Denmark]",
            "s.yaml:24: providers.mitid.countries: must be a country code in capitals, as in DK, not \"Denmark\""),
        Row(
            "client_secret: hunter2", "client_secret: hunter2\n    id_token_algorithms: [HS256]",
            "s.yaml:19: brokers.idura.id_token_algorithms: must be one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519, not \"HS256\""
        ),
        Row(
            "release: immediate", "release: immediate\n    return_prefixes: [\"https://link.example.com\"]",
            "s.yaml:13: apps.shop.return_prefixes: must be https://host/path or scheme.with.dots:/path, without query, fragment or user, not \"https://link.example.com\""
        ),
        Row("store: memory", "store: memory\nstore: memory", "s.yaml:2: has the key \"store\" twice"),
        Row(
            "store: memory", "store: [",
            "s.yaml:2: is not YAML: a quotation mark or bracket that begins here does not end"),
        Row(
            SampleConfiguration.yaml, "- a\n",
            "s.yaml:1: must contain settings, each as its name, a colon and its value"),
    ]

    static let rules = [
        Row(
            "https://login.example.com", "http://login.example.com",
            "s.yaml:1: public_url: must be https; http is only for loopback, or with allow_insecure_public_url: true"),
        Row(
            "store: memory", "store: memory\nlisten: 127.0.0.1:8082",
            "s.yaml: operations_listen: must differ from listen: metrics are not for the internet"),
        Row(
            "store: memory", "store: memory\nlisten: unix:/run/http.sock",
            "s.yaml:3: listen: is a Unix socket, where no client has an address, so all would share one limit. Set proxy.header to what the proxy sends, and name unix in proxy.trusted"
        ),
        Row(
            "header: none", "header: x-forwarded-for\n  trusted: [127.0.0.1]\nlisten: unix:/run/http.sock",
            "s.yaml:10: listen: is a Unix socket, where no client has an address, so all would share one limit. Set proxy.header to what the proxy sends, and name unix in proxy.trusted"
        ),
        Row("header: none", "header: x-forwarded-for\n  trusted: [unix]\nlisten: unix:/run/http.sock"),
        Row("header: none", "header: proxy\n  trusted: [127.0.0.1, unix]\nlisten: unix:/run/http.sock"),
        Row(
            "header: none",
            "header: proxy\n  trusted: [unix]\nlisten: unix:/run/a.sock\noperations_listen: unix:/run/a.sock",
            "s.yaml:11: operations_listen: must differ from listen: metrics are not for the internet"),
        Row(
            "header: none",
            "header: proxy\n  trusted: [unix]\nlisten: unix:/run/a.sock\nreuse_port: true",
            "s.yaml:11: reuse_port: needs store postgresql: with memory the processes do not share their logins",
            "s.yaml:11: reuse_port: needs a port in listen: a Unix socket belongs to one process"),
        Row(
            "header: none", "header: forwarded",
            "s.yaml:8: proxy.header: needs proxy.trusted: without it any client could claim any address"),
        Row(
            "header: none", "header: proxy",
            "s.yaml:8: proxy.header: needs proxy.trusted: without it any client could claim any address"),
        Row("header: none", "header: proxy\n  trusted: [10.0.0.0/8]"),
        Row(
            "store: memory", "store: memory\nreuse_port: true",
            "s.yaml:3: reuse_port: needs store postgresql: with memory the processes do not share their logins"),
        Row(
            "store: memory", "reuse_port: true",
            "s.yaml:2: reuse_port: needs store postgresql: with sqlite the processes do not share their logins"),
        Row("store: memory", "store: postgresql\npostgresql: {url: host=db}\nreuse_port: true"),
        Row(
            "header: none", "trusted: [10.0.0.0/8]", "s.yaml:8: proxy.trusted: has no effect while proxy.header is none"
        ),
        Row(
            "https://id.example.com", "http://id.example.com",
            "s.yaml:16: brokers.idura.issuer: must be https; http is only for loopback"),
        Row(
            "https://id.example.com", "http://localhost:8081",
            "s.yaml:16: brokers.idura.issuer: must be https; http to loopback needs allow_insecure_loopback: true"),
        Row(
            "    client_secret: hunter2\n", "",
            "s.yaml:14: brokers.idura.client_secret: is required for client_secret_basic: write it to a file, and name the file in client_secret_file, or in the variable SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE"
        ),
        Row(
            "client_secret: hunter2", "client_secret: hunter2\n    client_authentication: private_key_jwt",
            "s.yaml:18: brokers.idura.client_secret: has no effect with private_key_jwt"),
        Row(
            "client_id: switchback", "client_id: \"urn:my:app\"\n    basic_encoding: raw",
            "s.yaml:18: brokers.idura.basic_encoding: must be form, because client_id contains a colon"),
        Row(
            "client_secret: hunter2", "client_secret: hunter2\n    id_token_algorithms: []",
            "s.yaml:19: brokers.idura.id_token_algorithms: must name at least one algorithm"),
        Row(
            "client_secret: hunter2",
            "client_secret: hunter2\n    request_style: jar\n    signing_algorithm: RS256",
            "s.yaml:20: brokers.idura.signing_algorithm: needs a key in keys.signing that supports RS256"),
        Row(
            "client_secret: hunter2", "client_authentication: tls_client_auth",
            "s.yaml:14: brokers.idura.client_certificate_file: is required for tls_client_auth"),
        Row(
            "client_secret: hunter2", "client_secret: hunter2\n    client_certificate_file: ca.pem",
            "s.yaml:14: brokers.idura.client_key_file: is required for client_certificate_file"),
        Row(
            "client_secret: hunter2", "client_secret: hunter2\n    client_authentication: client_secret_jwt",
            "s.yaml:18: brokers.idura.client_secret: is too short to sign with: HS256 needs at least 32 bytes, HS512 64"
        ),
        Row(
            "client_secret: hunter2", "client_secret: hunter2\n    id_token_encrypted: true",
            "s.yaml:19: brokers.idura.id_token_encrypted: needs a key in keys.decryption"),
        Row(
            "client_secret: hunter2", "client_secret: hunter2\n    userinfo_format: encrypted",
            "s.yaml:19: brokers.idura.userinfo_format: needs a key in keys.decryption"),
        Row(
            "client_secret: hunter2", "client_secret: hunter2\n    callback: app",
            "s.yaml:19: brokers.idura.callback: needs link_url: the redirect URI is a link on it"),
        Row(
            "store: memory", "store: memory\nlink_url: https://login.example.com",
            "s.yaml:3: link_url: must have a different host than public_url: iOS opens links to the page's own host in the browser"
        ),
        Row(
            "store: memory", "store: memory\nlink_url: http://link.example.com",
            "s.yaml:3: link_url: must be https; http is only for loopback, or with allow_insecure_public_url: true"),
        Row(
            "prompt: login", "prompt: login\n    claims_parameter: \"[]\"",
            "s.yaml:24: providers.mitid.claims_parameter: must be a JSON object"),
        Row(
            "prompt: login", "prompt: login\n    national_id_claim: cpr",
            "s.yaml:20: providers.mitid.national_id_type: is required for national_id_claim"),
        Row(
            "prompt: login", "prompt: login\n    idp_values: [mitid]",
            "s.yaml:24: providers.mitid.idp_values: is only for brokers of kind signaturgruppen"),
        Row(
            "prompt: login", "prompt: login\n    reference_text: x",
            "s.yaml:24: providers.mitid.reference_text: is only for brokers of kind signaturgruppen"),
        Row(
            "prompt: login", "prompt: login\n    message: x",
            "s.yaml:24: providers.mitid.message: is only for brokers of kind idura"),
        Row(
            "broker: idura", "broker: idrua",
            "s.yaml:21: providers.mitid.broker: there is no broker \"idrua\"; did you mean idura?"),
        Row(
            "    prompt: login\n", "",
            "s.yaml:20: providers.mitid.prompt: must contain login, or set max_age, because apps.shop.release is immediate"
        ),
        Row(
            "prompt: login", "prompt: login none",
            "s.yaml:23: providers.mitid.prompt: must not contain none: the user has to log in"),
        Row(
            "prompt: login", "prompt: login\n    scope: [profile]", "s.yaml:24: providers.mitid.scope: needs openid"
        ),
        Row(
            "prompt: login", "prompt: login\n    parameters: [language, redirect_uri]",
            "s.yaml:24: providers.mitid.parameters: redirect_uri may decide where a login leads, so a caller could redirect it. Remove it from the list"
        ),
        Row(
            "prompt: login", "prompt: login\n    parameters: [login_hint]",
            "s.yaml:24: providers.mitid.parameters: login_hint may identify a user, and needs request_style par or par+jar of its broker",
            "s.yaml:24: providers.mitid.parameters: login_hint may identify a user, which only an app's backend may do: set api_key of that app"
        ),
        Row(
            "release: immediate", "release: immediate\n    return_prefixes: [\"http://link.example.com/r/\"]",
            "s.yaml:13: apps.shop.return_prefixes: http://link.example.com/r/ must be https, or the app's own scheme"
        ),
        Row(
            "release: immediate", "release: immediate\n    return_prefixes: [\"https://localhost/r/\"]",
            "s.yaml:13: apps.shop.return_prefixes: https://localhost/r/ names no app, because every hybrid app has that host. Use a link on a domain of your own"
        ),
        Row(
            "release: immediate", "release: immediate\n    ios: {app_ids: [ABCDE12345.com.example.shop]}",
            "s.yaml:13: apps.shop.ios.app_ids: needs link_url, which serves the file that names the app to phones"),
        Row(
            "release: immediate", "release: immediate\n    android: [{package: a.b, sha256_cert_fingerprints: []}]",
            "s.yaml:10: apps.shop.android: needs link_url, which serves the file that names the app to phones",
            "s.yaml:13: apps.shop.android[0].sha256_cert_fingerprints: must name at least one certificate"),
        Row(
            "apps:\n  shop:\n    name: Shop\n    release: immediate\n", "", "s.yaml: apps: needs at least one app"),
    ]

    static let files = [
        Row("[server.key]", "[missing.key]", "s.yaml:3: server_keys: missing.key: No such file or directory"),
        Row("[server.key]", "[]", "s.yaml:3: server_keys: must name at least one file"),
        Row(
            "[server.key]", "[server.key, es256.pem]",
            "s.yaml:3: server_keys: es256.pem: is a PEM file and not a server key; `switchback keys generate server` makes one"
        ),
        Row(
            "[server.key]", "[secret]",
            "s.yaml:3: server_keys: secret: is not a server key; `switchback keys generate server` makes one"),
        Row(
            "file: es256.pem", "file: missing.pem",
            "s.yaml:6: keys.signing[0].file: missing.pem: No such file or directory"),
        Row(
            "file: es256.pem", "file: server.key",
            "s.yaml:6: keys.signing[0].file: server.key: is a server key and not a signing key"),
        Row(
            "file: es256.pem", "file: secret",
            "s.yaml:6: keys.signing[0].file: secret: does not contain one private key in PEM without a password"),
        Row(
            "file: es256.pem", "file: es256.pem\n      algorithm: RS256",
            "s.yaml:7: keys.signing[0].algorithm: does not fit the key in es256.pem, which supports ES256"),
        Row(
            "file: es256.pem", "file: es256.pem\n    - file: es256.pem",
            "s.yaml:7: keys.signing[1].file: es256.pem: is the same key as an earlier one"),
        Row(
            "file: es256.pem", "file: es256.pem\n  assertion:\n    - file: es256.pem",
            "s.yaml:8: keys.assertion[0].file: es256.pem: is the same key as an earlier one"),
        Row(
            "file: es256.pem", "file: es256.pem\n  decryption:\n    - file: ed25519.pem",
            "s.yaml:8: keys.decryption[0].file: ed25519.pem: is an Ed25519 key, which cannot decrypt"),
        Row(
            "client_secret: hunter2", "client_secret: hunter2\n    ca_file: secret",
            "s.yaml:19: brokers.idura.ca_file: secret: contains no certificate in PEM"),
        Row(
            "store: memory", "store: memory\npublic_dir: /nowhere", "s.yaml:3: public_dir: there is no folder /nowhere"),
    ]

    @Test func `every problem is reported at once in the order of the file`() {
        let source = SampleConfiguration.source(
            "store: memory", "store: redis\nlimts: {}", adding: "nonsense: 1\n",
            environment: ["SWITCHBACK_LISTEN": "nowhere"])
        #expect(
            SampleConfiguration.problems(source) == [
                "SWITCHBACK_LISTEN: listen: must be an address and a port, as in 127.0.0.1:8080 or [::]:8080, or unix: and an absolute path of at most 107 bytes, as in unix:/run/switchback/http.sock, not \"nowhere\"; write the address of the host, and not its name",
                "s.yaml:2: store: must be one of sqlite, memory, postgresql, not \"redis\"",
                "s.yaml:3: limts: is not a setting; did you mean limits?",
                "s.yaml:25: nonsense: is not a setting",
            ])
    }

    @Test func `no message holds a secret`() {
        for row in Self.reading + Self.rules + Self.files { #expect(!row.problems.joined().contains("hunter2")) }
    }
}
