import ConfigurationSamples
import HTTPWire
import Testing

@testable import LoginAPI

/// Tests the link files, and the page for a return link.
@Suite(.timeLimit(.minutes(1))) struct LinkHandlerTests {
    static let files = ["/.well-known/apple-app-site-association", "/.well-known/assetlinks.json"]

    static func bench(_ app: String = LinkExample.shop) throws -> HandlerBench {
        let links = try LinkExample.links(app)
        return try HandlerBench {
            $0.links = links
            $0.apps["shop"] = AppProfile(names: ["en": "Shop", "da": "Butikken"], returnPrefixes: [])
        }
    }

    @Test(arguments: files) func `a link file is JSON and nothing else`(_ path: String) async throws {
        let bench = try Self.bench()
        for target in [path, "\(path)?x=y"] {
            let answer = try await bench.send(.get, target)
            #expect(answer.status == .ok)
            #expect(answer.fields[.contentType] == "application/json")
            #expect(answer.fields[.cacheControl] == "public, max-age=300")
            #expect(answer.fields[.location] == nil)
            let tag = try #require(answer.fields[.etag])
            #expect(try await bench.send(.get, path, [.ifNoneMatch: tag]).status == .notModified)
        }
    }

    @Test(arguments: files) func `without apps there is no link file`(_ path: String) async throws {
        #expect(try await HandlerBench().send(.get, path).brief == "404 not_found")
        let bench = try Self.bench("return_prefixes: [\"https://link.example.com/r/\"]")
        #expect(try await bench.send(.get, path).brief == "404 not_found")
        #expect(try await bench.send(.get, "\(path)/").brief == "404 not_found")
    }

    @Test(arguments: ["/r/", "/r/x/y", "/r/?login=AAAA&proof=SECRET", "/r/SECRET", "/r/?state=SECRET&code=SECRET"])
    func `a return link is a page`(_ target: String) async throws {
        let page = try await Self.bench().send(.get, target)
        #expect(page.status == .ok)
        #expect(page.fields[.cacheControl] == "no-store")
        #expect(
            page.fields[.contentSecurityPolicy]
                == SecurityHeaders.policy(scriptSource: try PageScript(PageTests.folder).source))
        #expect(page.fields[.refresh] == nil && page.fields[.setCookie] == nil)
        #expect(page.text.contains("<h1>Continue in Shop</h1>"))
        #expect(page.text.contains("href=\"com.example.shop:/r/\">Back to Shop</a>"))
        #expect(!page.text.contains("SECRET") && !page.text.contains("AAAA"))
        // The page is the same for every link.
        #expect(try await Self.bench().send(.get, "/r/").body == page.body)
    }

    @Test func `the page is in the language of the browser`() async throws {
        let page = try await Self.bench().send(.get, "/r/", [.acceptLanguage: "da-DK, en;q=0.5"])
        #expect(page.fields[.contentLanguage] == "da")
        #expect(page.text.contains("<h1>Fortsæt i Butikken</h1>"))
    }

    static let phones = [
        ("Android", "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36"),
        ("iOS", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148"),
    ]
    static let intent =
        "intent://link.example.com/r/#Intent;scheme=https;package=com.example.shop;"
        + "S.browser_fallback_url=https%3A%2F%2Flink.example.com%2Fr%2F;end"
    static let https = "return_prefixes: [\"https://link.example.com/r/\"]"
    static let both = "return_prefixes: [\"https://link.example.com/r/\", \"com.example.shop:/r/\"]"
    static let scheme = "return_scheme: com.example.shop"
    static func android(_ packages: String...) -> String {
        let certificates = "sha256_cert_fingerprints: [\"\(LinkExample.one)\"]"
        return "android: [\(packages.map { "{package: \($0), \(certificates)}" }.joined(separator: ", "))]"
    }

    /// Android's link names the app. Where the phone may have another one, the app's own scheme finds it.
    @Test(
        arguments: [
            ([both, scheme, android("com.example.shop")], intent, "com.example.shop:/r/"),
            ([https, android("com.example.shop")], intent, nil),
            ([both, scheme], "com.example.shop:/r/", "com.example.shop:/r/"),
            (
                [both, scheme, android("com.example.shop", "com.example.beta")], "com.example.shop:/r/",
                "com.example.shop:/r/"
            ),
            ([https, android("com.example.shop", "com.example.beta")], intent, nil),
            ([https], nil, nil),
        ] as [([String], String?, String?)]) func `the button opens the app`(
            _ settings: [String], _ android: String?, _ iOS: String?
        ) async throws
    {
        let bench = try Self.bench(settings.joined(separator: "\n    "))
        for ((name, agent), wanted) in zip(Self.phones, [android, iOS]) {
            let page = try await bench.send(.get, "/r/x?login=AAAA&proof=SECRET", [.userAgent: agent])
            let found = page.text.firstMatch(of: /<a id="back" class="button" href="([^"]*)">/).map { String($0.1) }
            #expect(found == wanted, "\(name)")
            #expect(!page.text.contains("SECRET") && page.fields[.vary]?.contains("user-agent") == true)
        }
    }

    /// From the link's host an iPhone goes on to the server's, because only a link of another host opens an app.
    @Test(
        arguments: [
            ("link.example.com", "303 https://login.example.com/r/"),
            ("LINK.example.com", "303 https://login.example.com/r/"),
            ("login.example.com", "200 https://link.example.com/r/"), ("10.0.0.1:8080", "200 none"),
        ]) func `an iPhone without a scheme gets a button too`(_ host: String, _ wanted: String) async throws
    {
        let bench = try Self.bench(Self.https)
        let page = try await bench.send(.get, "/r/x?proof=SECRET", [.userAgent: Self.phones[1].1, .host: host])
        let button = page.text.firstMatch(of: /<a id="back" class="button" href="([^"]*)">/).map { String($0.1) }
        let target = page.fields[.location] ?? button ?? "none"
        #expect("\(page.status.rawValue) \(target)" == wanted)
        #expect(page.fields[.vary]?.contains("user-agent") == true && !page.text.contains("SECRET"))
        let onDesk = try await bench.send(.get, "/r/x", [.host: host])
        #expect(onDesk.status == .ok && !onDesk.text.contains("class=\"button\""))
    }

    @Test func `without a scheme there is no button`() async throws {
        let page = try await Self.bench("return_prefixes: [\"https://link.example.com/r/\"]").send(.get, "/r/x")
        #expect(page.status == .ok)
        #expect(!page.text.contains("class=\"button\"") && !page.text.contains("You can close"))
        #expect(page.text.contains("Go to Shop and continue there."))
    }

    /// The server's own path takes precedence.
    @Test func `the ordinary callback stays what it is`() async throws {
        let bench = try Self.bench("return_prefixes: [\"https://link.example.com/callback/\"]")
        let answer = try await bench.send(.get, "/callback/fake?state=x&code=y")
        #expect(answer.status == .seeOther && answer.fields[.location] == "/done/unknown")
        #expect(try await bench.send(.get, "/callback/").status == .ok)
    }

    @Test func `a return link has only GET and HEAD`() async throws {
        let bench = try Self.bench()
        #expect(try await bench.send(.head, "/r/x").status == .ok)
        let refused = try await bench.send(.post, "/r/x", body: "state=x")
        #expect(refused.brief == "405 method_not_allowed")
        #expect(refused.fields[.allow] == "GET, HEAD, OPTIONS")
        #expect(try await bench.send(.options, "/r/x").fields[.allow] == "GET, HEAD, OPTIONS")
        for target in ["/r", "/R/", "/rx"] { #expect(try await bench.send(.get, target).brief == "404 not_found") }
        _ = try await bench.send(.get, "/r/x")
    }

    @Test func `a return link is counted`() async throws {
        let bench = try Self.bench()
        _ = try await bench.send(.get, "/r/x")
        #expect(await bench.lastAnswered()?.route == "return_link")
    }
}
