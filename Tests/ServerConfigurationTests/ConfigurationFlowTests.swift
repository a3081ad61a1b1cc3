import ConfigurationSamples
import Testing

@testable import ServerConfiguration

/// Tests the rules for flows that are not a browser's redirect.
@Suite struct ConfigurationFlowTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let kind: String
        var broker = ""
        let provider: String
        var app = "release: immediate"
        let problems: [String]

        var testDescription: String { "\(self.kind) \(self.broker) \(self.provider) \(self.app)" }
    }

    private static let launch = "flow: launch_links, acr_values: [\"urn:grn:authn:se:bankid:same-device\"]"
    private static let headless = "flow: headless, acr_values: [\"urn:grn:authn:se:bankid\"]"
    private static let login = ", prompt: login"
    private static let apiKey = "pGz7sWm2Qk9vLx4TnR8bYd"

    static let rows: [Row] = [
        Row(kind: "idura", provider: launch + login, problems: []),
        Row(kind: "idura", broker: ", response_mode: json", provider: launch + login, problems: []),
        Row(
            kind: "idura", provider: launch,
            problems: [
                "providers.bankid.prompt: must contain login, or set max_age, because apps.shop.release is immediate"
            ]),
        Row(
            kind: "idura", broker: ", response_mode: form_post", provider: launch + login,
            problems: [
                "brokers.b.response_mode: must be json or query for the flow launch_links of providers.bankid"
            ]),
        Row(
            kind: "idura", broker: ", response_mode: json", provider: "prompt: login",
            problems: [
                "brokers.b.response_mode: json is only for flow launch_links, but providers.bankid has another flow"
            ]),
        Row(
            kind: "oidc", provider: launch + login,
            problems: ["providers.bankid.flow: launch_links is only for brokers of kind idura"]),
        Row(
            kind: "idura", provider: "flow: launch_links, prompt: login",
            problems: [
                "providers.bankid.acr_values: must be [\"urn:grn:authn:se:bankid:same-device\"] for flow launch_links"
            ]),
        Row(
            kind: "idura", provider: launch + login, app: "return_prefixes: [\"https://link.example.com/r/\"]",
            problems: [
                "providers.bankid.flow: launch_links does not work with the release of apps.shop: nothing proves which device the user is on; use flow browser, or set release: immediate and name the provider in apps.*.providers"
            ]),
        Row(
            kind: "idura", provider: launch + login + ", release: immediate",
            app: "return_prefixes: [\"https://link.example.com/r/\"]",
            problems: [
                "apps.shop.providers: the app has no provider: every provider requires less proof than the app. Name at least one"
            ]),
        Row(
            kind: "idura", provider: launch + login + ", release: immediate",
            app: "return_prefixes: [\"https://link.example.com/r/\"], providers: [bankid]", problems: []),
        Row(
            kind: "idura", provider: launch + login, app: "release: immediate, providers: [bankit]",
            problems: [
                "apps.shop.providers: there is no provider \"bankit\"; did you mean bankid?",
                "apps.shop.providers: the app has no provider: it names none that exists. Name at least one",
            ]),
        Row(
            kind: "idura", provider: launch + login + ", release: return_link",
            problems: [
                "providers.bankid.release: must be immediate for flow launch_links: nothing proves which device the user is on; use flow browser, or set release: immediate and name the provider in apps.*.providers"
            ]),
        Row(kind: "idura", provider: headless, problems: []),
        Row(
            kind: "idura", provider: headless, app: "release: code",
            problems: [
                "providers.bankid.flow: headless does not work with the release of apps.shop: nothing proves which device the user is on; use flow browser, or set release: immediate and name the provider in apps.*.providers"
            ]),
        Row(
            kind: "idura", provider: "flow: headless",
            problems: ["providers.bankid.acr_values: must be [\"urn:grn:authn:se:bankid\"] for flow headless"]),
        Row(kind: "signaturgruppen", provider: "flow: ciba, prompt: login", problems: []),
        Row(
            kind: "vipps", provider: "flow: ciba, prompt: login",
            problems: ["providers.bankid.flow: ciba is only for brokers of kind signaturgruppen"]),
        Row(
            kind: "idura", broker: ", callback: scheme", provider: "prompt: login",
            problems: ["brokers.b.callback: scheme needs exactly one app, with a return_scheme"]),
        Row(
            kind: "idura", broker: ", callback: scheme", provider: "prompt: login",
            app: "return_scheme: com.example.shop, proof_over_scheme: true", problems: []),
        Row(
            kind: "idura", broker: ", callback: scheme", provider: "prompt: login",
            app: "return_scheme: com.example.shop",
            problems: [
                "brokers.b.callback: scheme sends the broker's response, which proves a login, to the app's own scheme, which any other app on the phone can claim too: use app, or accept the risk with proof_over_scheme: true of the app"
            ]),
        Row(
            kind: "idura", broker: ", callback: scheme, response_mode: form_post", provider: "prompt: login",
            app: "return_scheme: com.example.shop, proof_over_scheme: true",
            problems: [
                "brokers.b.response_mode: must be query or query.jwt with callback: scheme, because a form cannot open an app"
            ]),
        Row(
            kind: "idura", broker: ", request_style: par", provider: "prompt: login, parameters: [login_hint]",
            app: "api_key: \(apiKey), release: code", problems: []),
    ]

    @Test(arguments: rows) func `each mistake about flows is found`(_ row: Row) {
        let yaml = """
            public_url: https://login.example.com
            store: memory
            server_keys: [server.key]
            apps: {shop: {name: Shop, \(row.app)}}
            brokers: {b: {kind: \(row.kind), issuer: "https://id.example.com", client_id: c, client_secret: s\(row.broker)}}
            providers: {bankid: {broker: b, names: BankID, \(row.provider)}}
            """
        let source = ConfigurationSource(
            name: "s.yaml", yaml: Array(yaml.utf8), environment: [:], flags: [], files: SampleConfiguration.files)
        let problems = SampleConfiguration.problems(source).map { line in
            line.split(separator: ": ", maxSplits: 1).last.map { String($0) } ?? line
        }
        #expect(problems == row.problems)
    }
}
