import Brokers
import ConfigurationSamples
import ServerConfiguration
import Testing

/// Tests which third-party apps a resolver of kind digid may open, and what a login by them may prove.
@Suite struct ThirdPartyAppConfigurationTests {
    private static let apps = "    app_links: [https://app.bank.example]\n"

    @Test func `no third-party app is listed by default`() throws {
        for lines in ["", "    app_links: []\n    artifact_parameter: artefactId\n    artifact_proof: callback_link\n"]
        {
            let configuration = try Configuration(DigiDSample.source(lines))
            #expect(configuration.brokers.first?.digid?.thirdPartyApps == nil)
        }
    }

    static let accepted: [(lines: String, links: [String], parameter: String, proof: ThirdPartyApps.Proof)] = [
        (apps, ["https://app.bank.example"], "artefactId", .callbackLink),
        (apps + "    artifact_parameter: code\n", ["https://app.bank.example"], "code", .callbackLink),
        (
            "    app_links: [https://app.bank.example/login, https://app.two.example:8443]\n    artifact_parameter: a.b-c\n",
            ["https://app.bank.example/login", "https://app.two.example:8443"], "a.b-c", .callbackLink
        ),
        // Another path of DigiD's own host.
        ("    app_links: [https://app.digid.nl/other]\n", ["https://app.digid.nl/other"], "artefactId", .callbackLink),
        (
            "    allow_insecure_loopback: true\n    app_links: [\"http://127.0.0.1:8080/a\"]\n",
            ["http://127.0.0.1:8080/a"], "artefactId", .callbackLink
        ),
    ]

    @Test(arguments: accepted) func `each setting of third-party apps is read`(
        _ row: (lines: String, links: [String], parameter: String, proof: ThirdPartyApps.Proof)
    ) throws {
        let configuration = try Configuration(DigiDSample.source(row.lines))
        let found = try #require(configuration.brokers.first?.digid?.thirdPartyApps)
        #expect(found.links.map(\.text) == row.links)
        #expect(found.artifactParameter == row.parameter)
        #expect(found.proof == row.proof)
    }

    private static let insecure = "must be https; http to loopback needs allow_insecure_loopback: true"

    static let refused: [(lines: String, problem: String)] = [
        // Never any app.
        ("    app_links: [\"*\"]\n", "app_links: must be an https URL without query, fragment or user, not \"*\""),
        (
            "    app_links: [\"https://*.bank.example\"]\n",
            "app_links: must be an https URL without query, fragment or user, not \"https://*.bank.example\""
        ),
        ("    app_links: [bank.example]\n", "app_links: must be an https URL"),
        ("    app_links: [\"bank://login\"]\n", "app_links: must be an https URL"),
        ("    app_links: [\"https://app.bank.example/?a=b\"]\n", "app_links: must be an https URL"),
        ("    app_links: https://app.bank.example\n", "app_links: must be a list of URLs, as in [a, b]"),
        ("    app_links: [https://example]\n", "app_links: https://example must name the whole host of an app"),
        ("    app_links: [\"http://app.bank.example\"]\n", "app_links: http://app.bank.example \(insecure)"),
        ("    app_links: [\"http://127.0.0.1:8080\"]\n", "app_links: http://127.0.0.1:8080 \(insecure)"),
        (
            "    app_links: [https://app.digid.nl]\n",
            "app_links: https://app.digid.nl contains app_link, whose links have rules of their own. Remove it"
        ),
        (
            "    app_links: [https://app.digid.nl/digid-app]\n",
            "app_links: https://app.digid.nl/digid-app contains app_link, whose links have rules of their own. Remove it"
        ),
        (
            "    app_links: [https://link.example.com/r/]\n",
            "app_links: https://link.example.com/r/ is on the host of link_url, and a link to it opens no other app. Remove it"
        ),
        (
            "    app_links: [https://login.example.com]\n",
            "app_links: https://login.example.com is on the host of public_url, and a link to it opens no other app. Remove it"
        ),
        (
            apps + DigiDSample.service,
            "app_links: has no effect with entity_id, with which this server opens DigiD's app itself. Remove one of them"
        ),
        ("    artifact_parameter: token\n", "artifact_parameter: has no effect without app_links"),
        ("    artifact_proof: none\n", "artifact_proof: has no effect without app_links"),
        (apps + "    artifact_proof: any\n", "artifact_proof: must be one of callback_link, none, not \"any\""),
        (
            apps + "    artifact_parameter: state\n",
            "artifact_parameter: must not be state, which has another meaning in links to the app. Ask for another name"
        ),
        (
            apps + "    artifact_parameter: app-app\n",
            "artifact_parameter: must not be app-app, which has another meaning in links to the app. Ask for another name"
        ),
        (
            apps + "    artifact_parameter: \"a[]\"\n",
            "artifact_parameter: a[] is not a valid parameter name (RFC 6749 §8.2): use only letters, digits and -._"
        ),
    ]

    @Test(arguments: refused)
    func `each wrong setting of third-party apps is refused`(_ row: (lines: String, problem: String)) {
        let problems = SampleConfiguration.problems(DigiDSample.source(row.lines))
        #expect(problems.contains { $0.contains("brokers.digid.\(row.problem)") }, "\(problems)")
    }

    private static let advice =
        "nothing proves which device the user is on, because brokers.digid.artifact_proof is none. Set release: immediate of the provider, and name it in apps.*.providers"

    /// Without a proof only `release: immediate` can complete a login, and it says that it has none.
    static let releases: [(app: String, provider: String, problem: String?)] = [
        ("release: return_link", "", "providers.digid.broker: does not work with the release of apps.shop: \(advice)"),
        ("release: code", "", "providers.digid.broker: does not work with the release of apps.shop: \(advice)"),
        ("", "", "providers.digid.broker: does not work with the release of apps.shop: \(advice)"),
        ("", "    release: return_link", "providers.digid.release: must be immediate: \(advice)"),
        ("", "    release: code", "providers.digid.release: must be immediate: \(advice)"),
        ("release: immediate", "", nil),
        ("release: return_link\n    providers: [digid]", "    release: immediate", nil),
    ]

    @Test(arguments: releases) func `no release waits for a proof that cannot come`(
        _ row: (app: String, provider: String, problem: String?)
    ) {
        let lines = Self.apps + "    artifact_proof: none\n"
        let problems = SampleConfiguration.problems(DigiDSample.source(lines, provider: row.provider, app: row.app))
        #expect(problems.count == (row.problem == nil ? 0 : 1), "\(problems)")
        if let problem = row.problem { #expect(problems.contains { $0.hasSuffix(problem) }, "\(problems)") }
    }

    @Test(arguments: [("callback_link", false), ("none", true)])
    func `an unproven login has a warning`(_ row: (proof: String, isWarned: Bool)) throws {
        let lines = Self.apps + "    artifact_proof: \(row.proof)\n"
        let warnings = try Configuration.load(DigiDSample.source(lines, app: "release: immediate")).warnings
        #expect(warnings.contains { $0.path == "brokers.digid.artifact_proof" } == row.isWarned, "\(warnings)")
    }

    @Test func `no provider may ask for a refresh token`() {
        let problems = SampleConfiguration.problems(
            DigiDSample.source(provider: "    claims: [sector, refresh_token]"))
        #expect(
            problems.contains {
                $0.hasSuffix(
                    "providers.digid.claims: must not name refresh_token: no app gets a token that outlives the login")
            }, "\(problems)")
        #expect(SampleConfiguration.problems(DigiDSample.source(provider: "    claims: [sector]")) == [])
    }

    @Test(arguments: ["app_links: [https://app.bank.example]", "artifact_parameter: token", "artifact_proof: none"])
    func `settings of third-party apps are refused for other kinds`(_ line: String) {
        let source = SampleConfiguration.source("client_secret: hunter2", "client_secret: hunter2\n    " + line)
        let name = line.prefix { $0 != ":" }
        #expect(
            SampleConfiguration.problems(source).contains { $0.hasSuffix("\(name): is only for brokers of kind digid") }
        )
    }
}
