import ConfigurationSamples
import Testing

/// Tests the rules for links that open an app, word for word.
@Suite struct LinkRuleTests {
    /// With `link_url: https://link.example.com`, and more lines for the app.
    static let links = [
        (
            "ios: {app_ids: [ABCDE12345.a.b]}", "s.yaml:10",
            "must contain one on link_url, as in https://link.example.com/r/; otherwise no link opens this app"
        ),
        (
            "ios: {app_ids: [ABCDE12345.a.b]}\n    return_prefixes: [\"https://other.example/r/\"]", "s.yaml:14",
            "must contain one on link_url, as in https://link.example.com/r/; otherwise no link opens this app"
        ),
        (
            "ios: {app_ids: [ABCDE12345.a.b]}\n    return_prefixes: [\"https://link.example.com/r/\", \"https://login.example.com/r/\"]",
            "s.yaml:14",
            "https://login.example.com/r/ is on the host of public_url, where the done page is: phones open a link to the page's own host in the browser, and not in the app. Use another host, as for link_url"
        ),
        (
            "return_prefixes: [\"https://link.example.com/\"]", "s.yaml:13",
            "https://link.example.com/ would open the app for every page of link_url: add a path"
        ),
        (
            "return_prefixes: [\"https://link.example.com/done/x\"]", "s.yaml:13",
            "https://link.example.com/done/x is a path of the server's own pages: choose another one"
        ),
        (
            "return_prefixes: [\"https://link.example.com/.well-known/\"]", "s.yaml:13",
            "https://link.example.com/.well-known/ is a path of the server's own pages: choose another one"
        ),
        (
            "return_prefixes: [\"https://link.example.com/openapi-app.yaml\"]", "s.yaml:13",
            "https://link.example.com/openapi-app.yaml is a path of the server's own pages: choose another one"
        ),
        (
            "return_prefixes: [\"https://link.example.com/r*\"]", "s.yaml:13",
            "https://link.example.com/r* may have only letters, digits and -._~ in its path"
        ),
    ]

    @Test(arguments: Self.links)
    func `links must be on the link host`(_ app: String, _ line: String, _ problem: String) {
        #expect(
            SampleConfiguration.problems(LinkExample.source(app)) == ["\(line): apps.shop.return_prefixes: \(problem)"])
    }

    @Test func `a package that is named twice is refused`() {
        let item = "{package: a.b, sha256_cert_fingerprints: [\"\(LinkExample.one)\"]}"
        let app = "return_prefixes: [\"https://link.example.com/r/\"]\n    android: [\(item), \(item)]"
        #expect(
            SampleConfiguration.problems(LinkExample.source(app))
                == ["s.yaml:10: apps.shop.android: names a.b twice: put its certificates in one list"])
    }

    /// A redirect URI is a link too.
    @Test func `right links have no problems`() {
        for (app, broker) in [
            (LinkExample.shop, ""), ("ios: {app_ids: [ABCDE12345.a.b]}", "\n    callback: app"),
            ("return_prefixes: [\"https://link.example.com/callback/idura\"]", ""),
            ("return_prefixes: [\"https://other.example/\"]", ""),
        ] { #expect(SampleConfiguration.problems(LinkExample.source(app, broker: broker)) == []) }
    }
}
