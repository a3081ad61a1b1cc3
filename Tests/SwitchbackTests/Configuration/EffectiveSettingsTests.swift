/// The effective configuration as it is printed: complete, readable again, without secrets.
import Switchback
import Testing

@Suite struct EffectiveSettingsTests {
    static let environment = ["SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET": "correct horse"]

    static func printed(_ source: Configuration.Source) throws -> String {
        try Configuration.load(source).settings.yaml
    }

    @Test func everySettingIsPrintedWithWhereItCameFrom() throws {
        let lines = try Self.printed(
            SampleConfiguration.source(
                environment: ["SWITCHBACK_DRAIN_DELAY": "9"],
                flags: [Configuration.Source.Flag("--listen", "listen", "[::1]:80")])
        ).split(separator: "\n").map(String.init)
        for line in [
            "public_url: https://login.example.com  # s.yaml:1", "listen: \"[::1]:80\"  # --listen",
            "operations_listen: \"127.0.0.1:8082\"  # default", "public_dir: null  # default",
            "server_keys: [server.key]  # s.yaml:3", "drain_delay: 9  # SWITCHBACK_DRAIN_DELAY",
            "      file: es256.pem  # s.yaml:6", "    name:  # s.yaml:11", "      en: Shop",
            "    issuer: https://id.example.com  # s.yaml:16", "    userinfo: true  # default",
        ] { #expect(lines.contains(line), "\(line)") }
        // The sample has no item of `android`.
        let more = try Self.printed(LinkExample.source()).split(separator: "\n").map(String.init)
        for setting in Setting.all {
            let name = setting.pattern.description.split(separator: ".").last.map(String.init) ?? ""
            #expect((lines + more).contains { $0.drop { $0 == " " }.hasPrefix("\(name):") }, "\(setting.pattern)")
        }
    }

    @Test func secretsAreMasked() throws {
        let text = try Self.printed(SampleConfiguration.source(environment: Self.environment))
        #expect(text.contains("    client_secret: \"***\"  # SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET\n"))
        #expect(!text.contains("correct horse") && !text.contains("hunter2"))
    }

    @Test func whatIsPrintedCanBeReadAgain() throws {
        let first = try Configuration.load(
            LinkExample.source(environment: Self.environment)
                .adding("name: Shop", "name: {en: \"Shop: \\\"A\\\"\", \"no\": ja}")
        ).settings
        let again = try Configuration.load(
            Configuration.Source(
                name: "again", yaml: Array(first.yaml.utf8), environment: Self.environment,
                files: SampleConfiguration.files)
        ).settings
        #expect(first.entries.map(\.value) == again.entries.map(\.value))
    }

    @Test func aRefusedValueIsPrintedAsRefused() {
        let settings = Configuration.settings(SampleConfiguration.source("store: memory", "store: redis")).settings
        #expect(settings.yaml.contains("store: null  # s.yaml:2, refused\n"))
    }

    @Test func aConfigurationThatIsDumpedTellsNoSecret() throws {
        let configuration = try Configuration(SampleConfiguration.source())
        var text = ""
        dump(configuration, to: &text)
        #expect(!text.contains("hunter2") && !"\(configuration)".contains("hunter2"))
    }

    @Test func whatIsRegisteredIsPrintedByteForByte() throws {
        let plain = try Configuration(SampleConfiguration.source())
        #expect(
            Registration.text(plain) == """
                Broker idura (https://id.example.com), client switchback:
                  redirect URI: https://login.example.com/callback/idura
                  response mode: query
                  client authentication: client_secret_basic

                """)
        let signing = try Configuration(
            SampleConfiguration.source(
                "client_secret: hunter2", "client_authentication: private_key_jwt\n    response_mode: form_post"))
        let keyID = try #require(signing.signingKeys.first?.keyID)
        #expect(
            Registration.text(signing) == """
                Broker idura (https://id.example.com), client switchback:
                  redirect URI: https://login.example.com/callback/idura
                  response mode: form_post
                  client authentication: private_key_jwt
                  jwks URI: https://login.example.com/client/jwks.json
                  client assertions: ES256, kid \(keyID)

                """)
        let pushing = try Configuration(
            SampleConfiguration.source(
                "client_secret: hunter2",
                "client_secret: hunter2\n    request_style: par+jar\n    id_token_encrypted: true\n    callback: app",
                adding: "link_url: https://link.example.com\n"
            ).adding("keys:\n  signing:", "keys:\n  decryption:\n    - file: rsa.pem\n  signing:"))
        let decrypting = try #require(pushing.decryptionKeys.first?.keyID)
        let signingID = try #require(pushing.signingKeys.first?.keyID)
        #expect(
            Registration.text(pushing) == """
                Broker idura (https://id.example.com), client switchback:
                  redirect URI: https://link.example.com/callback/idura
                  response mode: query
                  client authentication: client_secret_basic
                  request style: par+jar
                  jwks URI: https://login.example.com/client/jwks.json
                  request objects: ES256, kid \(signingID)
                  encrypts for: kid \(decrypting)

                """)
    }

    @Test func whatTheAPIsOfAppsNeedIsPrintedToo() throws {
        let configuration = try Configuration(
            SampleConfiguration.source(
                "    - file: es256.pem\n", "    - file: es256.pem\n  assertion:\n    - file: new.pem\n      kid: a-1\n")
        )
        #expect(
            Registration.text(configuration).hasSuffix(
                """

                Assertions, for the APIs of the apps:
                  issuer: https://login.example.com
                  jwks URI: https://login.example.com/.well-known/jwks.json
                  signed by: ES256, kid a-1

                """))
    }

    @Test(arguments: [true, false]) func aProofOverASchemeIsWarnedAbout(_ isOn: Bool) throws {
        let configuration = try Configuration(
            SampleConfiguration.source(
                "release: immediate",
                "release: immediate\n    return_scheme: com.example.shop\n    proof_over_scheme: \(isOn)"))
        let warnings = Registration.warnings(configuration).map { "\($0)" }
        #expect(warnings.count == (isOn ? 1 : 0))
        #expect(warnings.allSatisfy { $0.contains("apps.shop.proof_over_scheme: another app on the phone") })
    }

    @Test func whatTheAppsRegisterIsPrintedToo() throws {
        let text = Registration.text(try Configuration(LinkExample.source(broker: "\n    callback: app")))
        let host = "link.example.com"
        #expect(
            text.hasSuffix(
                """

                App shop:
                  associated domains of ABCDE12345.com.example.shop: applinks:\(host), webcredentials:\(host)
                  associated domains of ABCDE12345.com.example.shop.beta: applinks:\(host), webcredentials:\(host)
                  intent filter of com.example.shop, autoVerify: scheme https, host \(host), pathPrefix /r/, path /callback/idura
                  scheme, in the app's Info.plist and intent filter: com.example.shop

                """))
    }
}
