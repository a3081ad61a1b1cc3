import Base
import HTTPServer
import HTTPWire
import Logins
import Testing

@testable import LoginAPI

/// Tests that a person in a browser gets a page for every refusal, and that a program still gets JSON.
@Suite(.timeLimit(.minutes(1))) struct RefusedPageTests {
    /// For all requests that leave nothing behind.
    private static let shared = Result { try HandlerBench() }
    private static let strings = Result { try PageStrings(PageTests.folder, PageTests.all) }

    /// What Chromium, Firefox and Safari send.
    static let browsers = [
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    ]
    /// What apps, curl, scripts and event streams send.
    static let programs = [
        nil, "", "*/*", "application/json", "application/json, text/plain, */*", "text/event-stream",
        "application/json, text/html;q=0.9", "text/html;q=0", "image/avif,*/*",
    ]

    static func browser(_ language: String = "en") -> Fields {
        [.accept: Self.browsers[0], .acceptLanguage: language]
    }

    @Test(arguments: browsers) func `a browser gets a page`(_ accept: String) async throws {
        let page = try await Self.shared.get().send(.get, "/nothing", [.accept: accept, .acceptLanguage: "da"])
        #expect(page.status == .notFound && page.fields[.contentType] == "text/html; charset=utf-8")
        #expect(page.fields[.contentLanguage] == "da" && page.text.contains("<html lang=\"da\""))
        #expect(page.fields[.vary] == "accept-language, accept" && page.fields[.cacheControl] == "no-store")
        #expect(page.fields[.contentSecurityPolicy]?.contains("style-src 'self'") == true)
    }

    @Test(arguments: programs) func `a program gets JSON`(_ accept: String?) async throws {
        let bench = try Self.shared.get()
        let answer = try await bench.send(.get, "/nothing", accept.map { [.accept: $0] } ?? [:])
        #expect(answer.brief == "404 not_found" && answer.fields[.contentType] == "application/problem+json")
    }

    /// Java's HttpURLConnection sends this by default.
    @Test func `a program that names HTML gets JSON from the API`() async throws {
        let java: Fields = [.accept: "text/html, image/gif, image/jpeg, */*; q=0.2"]
        let bench = try Self.shared.get()
        #expect(try await bench.send(.get, "/v1/logins/x", java).brief == "401 poll_secret_required")
        #expect(try await bench.send(.get, "/go", java).fields[.contentLanguage] == "en")
    }

    typealias Row = (line: String, status: Int, title: PageText, field: FieldName?)

    static let rows: [Row] = [
        ("GET /go", 404, .neutralTitle, nil), ("GET /done", 404, .neutralTitle, nil),
        ("GET /callback", 404, .neutralTitle, nil), ("GET /wp-login.php?user=SECRET", 404, .neutralTitle, nil),
        ("GET /.well-known/assetlinks.json", 404, .neutralTitle, nil), ("HEAD /nothing", 404, .neutralTitle, nil),
        ("POST /go/SECRET", 405, .neutralTitle, .allow), ("DELETE /", 405, .neutralTitle, .allow),
        ("GET /v1/logins/SECRET", 401, .neutralTitle, .wwwAuthenticate),
        ("POST /v1/logins", 415, .unreadableTitle, nil), ("POST /oauth/token", 404, .neutralTitle, nil),
        ("GET /v1/logins/SECRET?token=SECRET", 400, .unreadableTitle, nil),
        ("GET /problems/SECRET", 404, .neutralTitle, nil),
    ]

    /// A refusal keeps its status and its fields, and repeats nothing of the request.
    @Test(arguments: rows) func `every refusal is a page`(_ row: Row) async throws {
        let parts = row.line.split(separator: " ").map(String.init)
        let page = try await Self.shared.get().send(HTTPWire.Method(rawValue: parts[0]), parts[1], Self.browser())
        #expect(page.status.rawValue == row.status)
        #expect(page.text.contains("<h1>\(try Self.english(row.title))</h1>"))
        #expect(!page.text.contains("SECRET") && !page.text.contains("id=\"again\""))
        if let field = row.field { #expect(page.fields[field] != nil) }
    }

    /// A user who is too fast, or comes while the store is away, has a button that asks the same again.
    @Test func `a refusal that may pass has a button`() async throws {
        let bench = try HandlerBench()
        let page = try await BenchApp(bench: bench).finish()
        var last = try await bench.load("\(page)/state", Self.browser())
        while last.status == .ok { last = try await bench.load("\(page)/state", Self.browser()) }
        #expect(last.status == .tooManyRequests && last.fields[.retryAfter] != nil)
        #expect(last.fields[.refresh] == "10" && last.text.contains("tries again by itself in about 10 seconds"))
        #expect(last.text.contains("<h1>We are very busy right now</h1>"))
        #expect(last.text.contains("id=\"again\" class=\"button\" href=\"\""))
    }

    /// The button, or the reloaded page, asks exactly the same once more. No link contains the code of a form.
    @Test(arguments: [.get, .post] as [HTTPWire.Method]) func `a callback can be tried again`(
        _ method: HTTPWire.Method
    ) async throws {
        let bench = try HandlerBench()
        let app = BenchApp(bench: bench)
        let parameters = try await app.approve()
        func send() async throws -> Response {
            guard method == .post else { return try await bench.load("/callback/fake?\(parameters)") }
            return try await bench.send(
                .post, "/callback/fake", [.contentType: "application/x-www-form-urlencoded"], body: parameters)
        }
        bench.store.become(available: false)
        let page = try await send()
        bench.store.become(available: true)
        #expect(page.status == .serviceUnavailable && !page.text.contains("code="))
        #expect(page.text.contains("id=\"again\" class=\"button\" href=\"\"") == (method == .get))
        #expect(page.text.contains(try Self.english(.reloadHint)) == (method == .post))
        // A browser would load the URL alone, and lose the form.
        #expect(page.fields[.refresh] == (method == .get ? "10" : nil))
        let sent = try await send()
        #expect(sent.status == .seeOther && sent.fields[.location]?.hasPrefix("/done/") == true)
        #expect(try await app.poll([.prefer: "wait=20"]).json["status"] == "completed")
    }

    @Test func `the address of the server is a page`() async throws {
        let bench = try Self.shared.get()
        for accept in [Self.browsers[0], "*/*"] {
            let page = try await bench.send(.get, "/", [.accept: accept, .acceptLanguage: "fi-FI"])
            #expect(page.status == .ok && page.fields[.contentLanguage] == "fi")
        }
        #expect(try await bench.send(.get, "/robots.txt").text == "User-agent: *\nDisallow: /\n")
        for path in ["/favicon.ico", "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png"] {
            let icon = try await bench.send(.get, path)
            #expect(icon.fields[.contentType] == "image/svg+xml")
            #expect(icon.body == (try await bench.send(.get, "/assets/favicon.svg")).body)
        }
    }

    @Test func `a security problem can be reported`() async throws {
        let end = try #require(Timestamp(wholeSecondRFC3339: "2027-11-24T00:00:00Z"))
        let bench = try HandlerBench {
            $0.security = SecurityContacts(["mailto:security@example.com", "https://example.com/report"], expire: end)
        }
        let file = try await bench.send(.get, "/.well-known/security.txt")
        #expect(file.fields[.contentType] == "text/plain; charset=utf-8")
        #expect(
            file.text == """
                Contact: mailto:security@example.com
                Contact: https://example.com/report
                Expires: 2027-11-24T00:00:00.000Z
                Canonical: https://login.example.com/.well-known/security.txt

                """)
        let none = try await Self.shared.get().send(.get, "/.well-known/security.txt", Self.browser())
        #expect(none.status == .notFound && none.text.contains("<h1>No login is in progress</h1>"))
    }

    // MARK: - Before a handler sees the request

    static func refuse(_ cause: ServerRefusal.Cause, _ head: RequestHead?) throws -> Response {
        try Self.shared.get().handler.response(to: ServerRefusal(cause, head: head))
    }

    static let causes: [(ServerRefusal.Cause, PageText)] =
        [
            (.unknownExpectation, .unreadableTitle), (.noProxy, .unreadableTitle), (.plainHTTP, .unreadableTitle),
            (.requestTimedOut, .unreadableTitle), (.handlerTimedOut, .unavailableTitle),
            (.handlerFailed, .unavailableTitle), (.connectionRefused(.tooManyConnections), .busyTitle),
        ]
        + ParseError.allCases.filter { $0.status != .internalServerError }.map { (.malformed($0), .unreadableTitle) }

    @Test func `every refusal before a route is a page too`() throws {
        let browser = RequestHead(.get, try #require(Target("/go/SECRET")), fields: Self.browser("nl"))
        for (cause, title) in Self.causes {
            let page = try Self.refuse(cause, browser)
            let dutch = try Self.text(title, "nl")
            #expect(page.text.contains("<h1>\(dutch)</h1>"), "\(cause)")
            #expect(page.status == Problem.Code(ServerRefusal(cause)).status && !page.text.contains("SECRET"))
            #expect(page.fields[.contentSecurityPolicy]?.contains("style-src 'self'") == true)
            let mayPass = title != .unreadableTitle || cause == .requestTimedOut
            #expect(page.text.contains("id=\"again\"") == mayPass, "\(cause)")
            let program = RequestHead(.get, browser.target, fields: [.accept: "*/*"])
            for head in [nil, program] where head != nil || cause != .malformed(.targetTooLong) {
                #expect(try Self.refuse(cause, head).fields[.contentType] == "application/problem+json", "\(cause)")
            }
        }
    }

    /// `Accept` of such a request has often not arrived. Only programs ask below these paths.
    @Test(arguments: [("/v1/logins", false), ("/oauth/token", false), ("/go/x", true), ("/", true), ("/v1x", true)])
    func `a URL that is too long gets a page or JSON`(_ path: String, _ isPage: Bool) throws {
        let head = RequestHead(.get, try #require(Target(path)))
        let type = try Self.refuse(.malformed(.targetTooLong), head).fields[.contentType]
        #expect(type == (isPage ? "text/html; charset=utf-8" : "application/problem+json"))
    }

    private static func english(_ key: PageText) throws -> String { try Self.text(key, "en") }

    private static func text(_ key: PageText, _ language: String) throws -> String {
        try Self.strings.get().language(for: [language]).text(key, app: nil, provider: nil)
    }
}
