import ConfigurationSamples
import Preflight
import ServerConfiguration
import Testing

/// What must be registered at brokers and in the apps, as `check` prints it.
@Suite struct RegistrationReportTests {
    @Test func `what is registered is printed byte for byte`() throws {
        let plain = try Configuration(SampleConfiguration.source())
        #expect(
            RegistrationReport.text(plain) == """
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
            RegistrationReport.text(signing) == """
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
            RegistrationReport.text(pushing) == """
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

    struct URIRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let broker: String
        var app = "return_prefixes: [\"https://link.example.com/r/\", \"com.example.shop:/r/\"]"
        let uris: [String]
        /// What the app lacks if it has only a scheme.
        var lacks: String?
    }

    private static let own = "redirect URI: https://login.example.com/callback/idura"

    /// The URIs in the documents of each broker, and where they are entered.
    static let uriRows = [
        URIRow(testDescription: "an OpenID provider", broker: "kind: oidc", uris: [own]),
        URIRow(
            testDescription: "Vipps, by the browser", broker: "kind: vipps",
            uris: [
                "entered at: https://portal.vippsmobilepay.com", own,
                "app_callback_uri of shop: https://link.example.com/r/",
            ], lacks: "app_callback_uri of idura"),
        URIRow(
            testDescription: "Signaturgruppen, plain", broker: "kind: signaturgruppen\n    request_style: plain",
            uris: [
                "entered at: https://admin.netseidbroker.dk", own,
                "app_switch_url of shop: https://link.example.com/r/",
            ], lacks: "app_switch_url of idura"),
        URIRow(
            testDescription: "Signaturgruppen, pushed: it takes any link",
            broker: "kind: signaturgruppen\n    request_style: par",
            uris: [
                "entered at: https://admin.netseidbroker.dk", own,
                "app_switch_url of shop: https://link.example.com/r/ (no entry at the broker: it must open the app)",
            ], lacks: "app_switch_url of idura"),
        URIRow(
            testDescription: "Idura", broker: "kind: idura",
            uris: [
                "entered at: https://dashboard.idura.app", own,
                "resumeUrl of shop: https://link.example.com/r/ (no entry at the broker: it must open the app)",
            ], lacks: "resumeUrl of idura"),
    ]

    private static func configuration(_ row: URIRow, app: String) throws -> Configuration {
        try Configuration(
            SampleConfiguration.source("kind: oidc", row.broker).adding(
                "name: Shop\n", "name: Shop\n    \(app)\n"))
    }

    /// Sources: D51, E18.
    @Test(arguments: uriRows) func `every URI to register is printed`(_ row: URIRow) throws {
        let configuration = try Self.configuration(row, app: row.app)
        let lines = RegistrationReport.text(configuration).split(separator: "\n").map { $0.drop { $0 == " " } }
        let ends = lines.firstIndex { $0.hasPrefix("response mode") } ?? 0
        #expect(lines[1..<ends].map { String($0) } == row.uris)
        #expect(!RegistrationReport.warnings(configuration).contains { $0.path.hasSuffix("return_prefixes") })
    }

    @Test(arguments: uriRows) func `an app with nothing but a scheme is warned about`(_ row: URIRow) throws {
        let configuration = try Self.configuration(row, app: "return_scheme: com.example.shop")
        let warnings = RegistrationReport.warnings(configuration).filter { $0.path == "apps.shop.return_prefixes" }
        #expect(warnings.count == (row.lacks == nil ? 0 : 1))
        for warning in warnings { #expect("\(warning)".contains("no https link")) }
        for warning in warnings { #expect("\(warning)".contains("(\(row.lacks ?? "")): users switch by hand")) }
    }

    @Test func `the apps that a resolver may open are printed too`() throws {
        let plain = try Configuration(DigiDSample.source())
        #expect(!RegistrationReport.text(plain).contains("other apps"))
        let apps = "    app_links: [https://app.bank.example, https://app.two.example/login]\n"
        let configuration = try Configuration(DigiDSample.source(apps + "    artifact_parameter: token\n"))
        #expect(
            RegistrationReport.text(configuration).hasPrefix(
                """
                Broker digid (https://ow.example.com/oauth/custom-registration/digid), client shop:
                  entered at: https://www.logius.nl
                  ReturnUrl: https://link.example.com/callback/digid
                  client authentication: client_secret_basic
                  opens other apps: https://app.bank.example, https://app.two.example/login
                  their artifact: token, proof callback_link

                """))
    }

    @Test func `what the APIs of apps need is printed too`() throws {
        let configuration = try Configuration(
            SampleConfiguration.source(
                "    - file: es256.pem\n", "    - file: es256.pem\n  assertion:\n    - file: new.pem\n      kid: a-1\n")
        )
        #expect(
            RegistrationReport.text(configuration).hasSuffix(
                """

                Assertions, for the APIs of the apps:
                  issuer: https://login.example.com
                  jwks URI: https://login.example.com/.well-known/jwks.json
                  signed by: ES256, kid a-1

                """))
    }

    @Test(arguments: [(false, "bound to a key (RFC 9449)"), (true, "bearer tokens")])
    func `what the APIs need for access tokens is printed too`(_ row: (bearer: Bool, words: String)) throws {
        let keys = "  access:\n    - {file: access.pem, kid: t-1}\n  session:\n    - file: session.key\n"
        let configuration = try Configuration(
            SampleConfiguration.source("keys:\n", "keys:\n\(keys)").adding(
                "name: Shop", "name: Shop\n    session: access\n    session_audience: api\n    bearer: \(row.bearer)"))
        #expect(
            RegistrationReport.text(configuration).hasSuffix(
                """

                Access tokens, for the APIs of the apps:
                  issuer: https://login.example.com
                  jwks URI: https://login.example.com/.well-known/access-jwks.json
                  signed by: ES256, kid t-1
                  shop: aud api, \(row.words)

                """))
    }

    @Test(arguments: [true, false]) func `a proof over a scheme is warned about`(_ isOn: Bool) throws {
        let configuration = try Configuration(
            SampleConfiguration.source(
                "release: immediate",
                "release: immediate\n    return_scheme: com.example.shop\n    proof_over_scheme: \(isOn)"))
        let warnings = RegistrationReport.warnings(configuration).map { "\($0)" }.filter {
            !$0.contains("return_prefixes")
        }
        #expect(warnings.count == (isOn ? 1 : 0))
        #expect(warnings.allSatisfy { $0.contains("apps.shop.proof_over_scheme: another app on the phone") })
    }

    /// Sources: A32, C11, D53.
    @Test func `what the apps register is printed too`() throws {
        let text = RegistrationReport.text(try Configuration(LinkExample.source(broker: "\n    callback: app")))
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

    @Test func `what DigiD registers is printed byte for byte`() throws {
        let text = RegistrationReport.text(try Configuration(DigiDSample.source(DigiDSample.service)))
        #expect(
            text.hasPrefix(
                """
                Broker digid (https://ow.example.com/oauth/custom-registration/digid), client shop:
                  entered at: https://www.logius.nl
                  ReturnUrl: https://link.example.com/callback/digid
                  client authentication: client_secret_basic
                  entity id: urn:shop
                  requests: RS256, kid 
                """))
    }
}
