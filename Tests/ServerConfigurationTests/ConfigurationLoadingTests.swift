import ConfigurationSamples
import JOSE
import Logins
import ServerConfiguration
import Testing

/// Tests what a valid configuration becomes.
@Suite struct ConfigurationLoadingTests {
    @Test func `defaults are what the table says`() throws {
        let configuration = try Configuration(SampleConfiguration.source())
        #expect(configuration.loginLifetime == .seconds(600) && configuration.resultLifetime == .seconds(600))
        #expect(configuration.poll.wait == .seconds(25) && configuration.poll.interval == .seconds(2))
        #expect(configuration.limits.head == 16_384 && configuration.limits.pendingLogins == 100_000)
        #expect(configuration.limits.createPerAddressPerMinute == 6000)
        #expect(configuration.proxy.header == .none && configuration.proxy.trusted.isEmpty)
        #expect(configuration.log.level == .info && configuration.log.format == .auto)
        #expect(configuration.store == .memory && configuration.publicFolder == nil)
        #expect(configuration.serverKeys.map(\.count) == [32])
    }

    @Test(arguments: ["", "store: null\n", "store: sqlite\n"]) func `logins are kept in a file unless memory is named`(
        _ line: String
    ) throws {
        let usual = try Configuration(SampleConfiguration.source("store: memory\n", line))
        #expect(usual.store == .sqlite && usual.sqlitePath == "/var/lib/switchback/switchback.db")
        let moved = try Configuration(
            SampleConfiguration.source(
                "store: memory\n", line, environment: ["SWITCHBACK_SQLITE__PATH": "/srv/logins.db"]))
        #expect(moved.sqlitePath == "/srv/logins.db")
    }

    @Test func `an app, a broker and a provider are loaded`() throws {
        let configuration = try Configuration(SampleConfiguration.source())
        let app = try #require(configuration.apps.first)
        #expect(app.id == "shop" && app.names == ["en": "Shop"] && app.release == .immediate)
        let broker = try #require(configuration.brokers.first)
        #expect(broker.id == "idura" && broker.issuer == "https://id.example.com" && broker.clientID == "switchback")
        #expect(broker.authentication == .clientSecretBasic && broker.clientSecret?.exposedText == "hunter2")
        #expect(
            broker.assertionSigner == nil && broker.requestObjectSigner == nil
                && broker.idTokenAlgorithms == [.rs256, .ps256, .es256])
        #expect(configuration.redirectURI(of: broker) == "https://login.example.com/callback/idura")
        let provider = try #require(configuration.providers.first)
        #expect(provider.id == "mitid" && provider.brokerID == "idura" && provider.scope == ["openid", "profile"])
        #expect(provider.prompt == "login" && provider.usesUserInfo && provider.authorize == .go)
    }

    /// If the app has links, they prove the device; otherwise the user types a code.
    @Test(arguments: [
        ("", ReleasePolicy.code), ("\n    return_prefixes: [\"https://link.example.com/r/\"]", .returnLink),
        ("\n    release: code\n    return_prefixes: [\"https://link.example.com/r/\"]", .code),
        ("\n    release: immediate", .immediate),
    ])
    func `the links of an app decide what it must show`(_ lines: String, _ release: ReleasePolicy) throws {
        let source = SampleConfiguration.source("\n    release: immediate", lines)
        #expect(try Configuration(source).apps.first?.release == release)
    }

    @Test(arguments: [
        "https://id.example.com/", "https://id.example.com", "https://id.example.com/a/b/", "https://ID.example.com",
    ])
    func `an issuer is kept as it is written`(_ issuer: String) throws {
        let configuration = try Configuration(SampleConfiguration.source("https://id.example.com", issuer))
        #expect(configuration.brokers.first?.issuer == issuer)
    }

    /// YAML 1.1 reads `NO` as false and `0123` as 83.
    @Test func `text is kept as it is written`() throws {
        let configuration = try Configuration(
            SampleConfiguration.source("client_id: switchback", "client_id: 0123", adding: "    countries: [NO, DK]\n"))
        #expect(configuration.brokers.first?.clientID == "0123")
        #expect(configuration.providers.first?.countries == ["NO", "DK"])
    }

    @Test func `the order of the file is kept`() throws {
        let more = "  alpha: {broker: idura, names: A, prompt: login}\n"
        let configuration = try Configuration(SampleConfiguration.source(adding: more))
        #expect(configuration.providers.map(\.id) == ["mitid", "alpha"])
    }

    @Test func `a limit of zero is no limit`() throws {
        let configuration = try Configuration(
            SampleConfiguration.source(
                adding: "limits: {create_per_address_per_minute: 0, create_per_app_per_minute: 0}\n"))
        #expect(configuration.limits.createPerAddressPerMinute == nil)
        #expect(configuration.limits.createPerAppPerMinute == nil)
    }

    /// The keys, the requested algorithm, and the algorithm that signs.
    static let signers: [(keys: String, asked: String, signs: SignatureAlgorithm)] = [
        ("[{file: es256.pem}, {file: rsa.pem}]", "", .es256),
        ("[{file: rsa.pem}, {file: es256.pem}]", "", .rs256),
        ("[{file: es256.pem}, {file: rsa.pem}]", "    signing_algorithm: PS256\n", .ps256),
        ("[{file: rsa.pem, algorithm: PS384}]", "", .ps384),
        ("[{file: rsa.pem, algorithm: PS384}, {file: es256.pem}]", "    signing_algorithm: ES256\n", .es256),
    ]

    @Test(arguments: Self.signers)
    func `the signer is chosen by its settings`(_ row: (keys: String, asked: String, signs: SignatureAlgorithm))
        throws
    {
        let source = SampleConfiguration.source(
            "    client_secret: hunter2\n", "    client_authentication: private_key_jwt\n\(row.asked)",
            environment: [:])
        let yaml = String(decoding: source.yaml, as: UTF8.self).replacing(
            "\n    - file: es256.pem", with: " \(row.keys)")
        let configuration = try Configuration(
            ConfigurationSource(name: "s.yaml", yaml: Array(yaml.utf8), files: SampleConfiguration.files))
        let signer = try #require(configuration.brokers.first?.assertionSigner)
        #expect(signer.algorithmName == row.signs.rawValue)
        #expect(configuration.signingKeys.map(\.keyID).contains(signer.keyID))
    }

    /// RFC 7518 §3.2, and brokers that use the bytes of the secret unchanged.
    @Test(arguments: [("HS256", 32), ("HS384", 48), ("HS512", 64)])
    func `a secret signs request objects`(_ algorithm: String, _ bytes: Int) throws {
        func source(_ count: Int) -> ConfigurationSource {
            SampleConfiguration.source(
                "client_secret: hunter2",
                "client_secret: \(String(repeating: "s", count: count))\n    request_style: par+jar\n"
                    + "    request_object_algorithm: \(algorithm)")
        }
        let broker = try #require(try Configuration(source(bytes)).brokers.first)
        #expect(broker.requestObjectSigner?.algorithmName == algorithm)
        #expect(broker.requestObjectSigner?.jwk == nil, "a secret is not published")
        #expect(SampleConfiguration.problems(source(bytes - 1)).count == 1)
    }

    /// The active key signs wherever it is in the list, all keys are published, and each has its use.
    @Test(arguments: [("new", "old"), ("old", "new")])
    func `every key is published, and the active one signs`(_ first: String, _ second: String) throws {
        let source = SampleConfiguration.source(
            "    - file: es256.pem\n",
            """
                - file: es256.pem
              assertion:
                - file: \(first).pem
                - file: \(second).pem
                  kid: \(second)
              decryption:
                - file: rsa.pem
                - file: other.pem

            """)
        let configuration = try Configuration(source)
        #expect(configuration.clientKeySet.keys.map(\.use) == ["sig", "enc", "enc"])
        #expect(configuration.assertionKeySet.keys.map(\.use) == ["sig", "sig"])
        let names = (configuration.clientKeySet.keys + configuration.assertionKeySet.keys).compactMap(\.keyID)
        #expect(Set(names).count == 5)
        let signer = try #require(configuration.assertionKeys.signer(nil))
        #expect((signer.keyID == second) == (second == "new"))
        let token = try CompactJWS(
            parsing: try configuration.assertionKeys.reversed().signer(nil)?.sign(["a": 1]) ?? "")
        _ = try token.verified(with: configuration.assertionKeySet, allowing: [.es256])
    }

    /// Tokens and key sets contain the `kid`; two keys of one set cannot share it.
    @Test func `a key is named as the configuration says`() throws {
        let keys = """
                - file: es256.pem
                  kid: signing-1
              assertion:
                - file: new.pem
                  kid: signing-1
              decryption:
                - file: rsa.pem
                  kid: NAME

            """
        func source(_ name: String) -> ConfigurationSource {
            SampleConfiguration.source("    - file: es256.pem\n", keys.replacing("NAME", with: name))
        }
        let configuration = try Configuration(source("decryption-1"))
        #expect(configuration.clientKeySet.keys.map(\.keyID) == ["signing-1", "decryption-1"])
        let token = try CompactJWS(parsing: try configuration.assertionKeys.signer(nil)?.sign(["a": 1]) ?? "")
        #expect(token.header.keyID == "signing-1")
        _ = try token.verified(with: configuration.assertionKeySet, allowing: [.es256])
        #expect(configuration.decryptionKeys.map(\.key.keyID) == ["decryption-1"])
        #expect(
            SampleConfiguration.problems(source("signing-1")) == [
                "s.yaml:13: keys.decryption[0].kid: signing-1 is already the name of another key in the same key set"
            ])
    }

    @Test func `a redirect to the app is on the link URL`() throws {
        let configuration = try Configuration(
            SampleConfiguration.source(
                "client_secret: hunter2", "client_secret: hunter2\n    callback: app",
                adding: "link_url: https://link.example.com\n"))
        let broker = try #require(configuration.brokers.first)
        #expect(configuration.redirectURI(of: broker) == "https://link.example.com/callback/idura")
    }

    @Test func `HTTP is accepted for loopback and on request`() {
        let loopback = SampleConfiguration.source(
            "https://id.example.com", "http://localhost:8081\n    allow_insecure_loopback: true")
        #expect(SampleConfiguration.problems(loopback) == [])
        #expect(
            SampleConfiguration.problems(
                SampleConfiguration.source("https://login.example.com", "http://127.0.0.1:8080")) == [])
        let phone = SampleConfiguration.source(
            "https://login.example.com", "http://192.168.1.20:8080\nallow_insecure_public_url: true",
            adding: "")
        #expect(SampleConfiguration.problems(phone) == [])
    }
}
