import Brokers
import ConfigurationSamples
import ServerConfiguration
import Testing

/// Tests what a broker of kind digid needs, and what it refuses.
@Suite struct DigiDConfigurationTests {
    @Test(arguments: ["", DigiDSample.service]) func `a right broker has no problems`(_ broker: String) throws {
        let configuration = try Configuration(DigiDSample.source(broker))
        let found = try #require(configuration.brokers.first)
        #expect(found.callback == .app)
        #expect(configuration.redirectURI(of: found) == "https://link.example.com/callback/digid")
        #expect(found.digid?.appLink == "https://app.digid.nl/digid-app")
        #expect(found.digid?.level == .midden)
        #expect((found.digid?.service != nil) == !broker.isEmpty)
        #expect(configuration.providers.first?.flow == .artifact)
        #expect(configuration.providers.first?.opensApp == true)
    }

    @Test(arguments: ["release: immediate", "release: return_link", ""])
    func `every release policy with a link is accepted`(_ app: String) {
        #expect(SampleConfiguration.problems(DigiDSample.source(app: app)) == [])
    }

    static let refused: [(broker: String, problem: String)] = [
        (
            "client_authentication: client_secret_post",
            "client_authentication: must be client_secret_basic: kind digid supports nothing else"
        ),
        ("request_style: par", "request_style: must be plain: kind digid supports nothing else"),
        ("response_mode: query.jwt", "response_mode: must be query: kind digid supports nothing else"),
        ("callback: backend", "callback: must be app: DigiD's app returns to a link that opens your app"),
        ("entity_id: urn:shop", "destination: is required for entity_id"),
        ("entity_id: urn:shop", "icon_url: is required for entity_id"),
        ("entity_id: urn:shop", "acs_index: is required for entity_id if acs_url is not set; set only one of them"),
        ("acs_index: 1", "acs_index: has no effect without entity_id"),
        ("icon_url: https://link.example.com/i.png", "icon_url: has no effect without entity_id"),
        (
            "app_link: http://app.example/digid-app",
            "app_link: must be https; http to loopback needs allow_insecure_loopback: true"
        ),
        ("authn_context: high", "authn_context: must be one of basis, midden, substantieel, hoog, not \"high\""),
        (
            DigiDSample.service + "    acs_url: https://shop.example/acs",
            "acs_index: is required for entity_id if acs_url is not set; set only one of them"
        ),
    ]

    @Test(arguments: refused)
    func `each wrong setting of the broker is refused`(_ row: (broker: String, problem: String)) {
        let lines = row.broker.hasPrefix(" ") ? row.broker : "    " + row.broker
        let problems = SampleConfiguration.problems(DigiDSample.source(lines))
        #expect(problems.contains { $0.hasSuffix("brokers.digid.\(row.problem)") }, "\(problems)")
    }

    static let needed: [(line: String, problem: String)] = [
        ("resolver:", "brokers.digid.resolver: is required for kind digid"),
        ("link_url", "brokers.digid.kind: needs link_url: DigiD's app returns to a link on it"),
        (
            "client_secret",
            "brokers.digid.client_secret: is required for client_secret_basic: write it to a file, and name the file in client_secret_file, or in the variable SWITCHBACK_BROKERS__DIGID__CLIENT_SECRET_FILE"
        ),
    ]

    /// Sources: C3.
    @Test(arguments: needed) func `each missing required setting is named`(_ row: (line: String, problem: String)) {
        let problems = SampleConfiguration.problems(DigiDSample.source(without: row.line))
        #expect(problems.contains { $0.contains(row.problem) }, "\(problems)")
    }

    @Test func `the resolver is on a host that is named`() {
        let other = "    resolver: https://other.example/digid"
        #expect(
            SampleConfiguration.problems(DigiDSample.source(other, without: "custom-registration")).contains {
                $0.hasSuffix("brokers.digid.hosts: must name other.example, because the resolver is there")
            })
        #expect(
            SampleConfiguration.problems(
                DigiDSample.source(other + "\n    hosts: [other.example]", without: "custom-registration")) == [])
        #expect(
            SampleConfiguration.problems(
                DigiDSample.source("    resolver: https://ow.example.com/digid/", without: "custom-registration")
            ).contains { $0.hasSuffix("must not end with a slash: /init and /complete are added") })
    }

    @Test func `the key of a resolver signs with RS256`() {
        #expect(
            SampleConfiguration.problems(DigiDSample.source(DigiDSample.service, key: "es256.pem")).contains {
                $0.hasSuffix("brokers.digid.entity_id: needs a key in keys.signing that supports RS256")
            })
        #expect(SampleConfiguration.problems(DigiDSample.source(key: "es256.pem")) == [])
    }

    static let ofProviders = ["acr_values: [x]", "prompt: login", "max_age: 0", "parameters: [x]"]

    @Test(arguments: ofProviders) func `a setting of the provider without effect is refused`(_ line: String) {
        let name = String(line.prefix { $0 != ":" })
        let problems = SampleConfiguration.problems(DigiDSample.source(provider: "    " + line))
        #expect(
            problems.contains {
                $0.hasSuffix(
                    "providers.digid.\(name): has no effect with a broker of kind digid, which only supports authn_context"
                )
            }, "\(problems)")
    }

    @Test func `no page shows a code`() {
        let problem =
            "providers.digid.broker: shows no page with a code: every app with this provider needs release: return_link or immediate"
        #expect(
            SampleConfiguration.problems(DigiDSample.source(app: "release: code")).contains { $0.hasSuffix(problem) })
        #expect(
            SampleConfiguration.problems(DigiDSample.source(provider: "    release: code")).contains {
                $0.hasSuffix(problem)
            })
    }

    /// Settings of DigiD at another broker.
    @Test(arguments: ["resolver: https://ow.example.com/x", "entity_id: urn:shop", "test_host: a.example"])
    func `other kinds have no use for DigiD's settings`(_ line: String) {
        let source = SampleConfiguration.source("client_secret: hunter2", "client_secret: hunter2\n    " + line)
        let name = line.prefix { $0 != ":" }
        #expect(
            SampleConfiguration.problems(source).contains { $0.hasSuffix("\(name): is only for brokers of kind digid") }
        )
    }
}
