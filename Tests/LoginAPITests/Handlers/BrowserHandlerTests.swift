import HTTPWire
import Logins
import Testing

/// Tests what a browser gets: a redirect to the broker, a redirect to a page, and no trust beyond its `state`.
@Suite(.timeLimit(.minutes(1))) struct BrowserHandlerTests {
    static let form: Fields = [.contentType: "application/x-www-form-urlencoded"]

    @Test func `the start link redirects to the broker`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        let request = try await app.open()
        #expect(request["client_id"] == FakeProvider.clientID)
        #expect(request["code_challenge_method"] == "S256")
    }

    /// Sources: D34, K7.
    @Test(arguments: ["query", "form"]) func `a callback leads to a page without a code`(_ way: String) async throws {
        let app = BenchApp(bench: try HandlerBench())
        let parameters = try await app.approve()
        // We do not check where it came from.
        let strange: Fields = [.origin: "null", .referer: "https://elsewhere.example/"]
        let answer =
            way == "query"
            ? try await app.bench.send(.get, "/callback/fake?\(parameters)", strange)
            : try await app.bench.send(
                .post, "/callback/fake", strange.adding(.contentType, "application/x-www-form-urlencoded"),
                body: parameters)
        #expect(answer.status == .seeOther)
        let page = try #require(answer.fields[.location])
        #expect(page.hasPrefix("/done/") && !page.contains("?"))
        let shown = try await app.bench.send(.get, page)
        #expect(shown.status == .ok)
        #expect(shown.text.contains("You are logged in"))
        #expect(shown.text.contains("href=\"\(HandlerBench.link)\""))
        #expect(!shown.text.contains(app.secret.loginID.reference), "nothing went wrong")
        #expect(shown.fields[.refresh] == nil)
    }

    @Test(arguments: [
        "", "state=x&code=y", "code=y", "error=access_denied", "state=%", "state=%ff", "state=a%00b", "&&&", "state",
    ]) func `a callback that is not ours changes nothing`(_ parameters: String) async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        for answer in [
            try await app.bench.send(.get, "/callback/fake?\(parameters.replacing("%ff", with: "%FF"))"),
            try await app.bench.send(.post, "/callback/fake", Self.form, body: parameters),
        ] {
            #expect(answer.status == .seeOther)
            #expect(answer.fields[.location] == "/done/unknown")
        }
        #expect(try await app.poll().json["status"] == "pending")
    }

    /// Providers write error texts in ISO 8859-1, and proxies add parameters of their own.
    @Test(arguments: [
        "x=%zz", "x=%ff", "hint=100%", "error_description=afbr%F8d", "%ff=1", "x=a%00b",
        String(repeating: "a=1&", count: 80),
    ]) func `a parameter that nobody needs spoils nothing`(_ more: String) async throws {
        for isForm in [false, true] {
            for isBehind in [false, true] {
                let app = BenchApp(bench: try HandlerBench())
                let parameters = try await app.approve()
                let all = isBehind ? "\(parameters)&\(more)" : "\(more)&\(parameters)"
                let answer =
                    isForm
                    ? try await app.bench.send(.post, "/callback/fake", Self.form, body: all)
                    : try await app.bench.send(.get, "/callback/fake?\(all)")
                #expect(answer.fields[.location]?.hasPrefix("/done/") == true)
                #expect(answer.fields[.location] != "/done/unknown")
                let end = try await app.poll([.prefer: "wait=20"])
                #expect(end.json["status"] == "completed", "\(all)")
            }
        }
    }

    /// A response is invalid if a parameter that decides something cannot be read, wherever it stands. It ends the login
    /// whose `state` it has; without a `state` it ends none.
    @Test(arguments: [
        ("code", "code=%zz"), ("code", "code=%F8"), ("code", "c%6Fde=%zz"), ("state", "state=%zz"),
        ("code", "code=c&iss=%zz"), ("code", "error=%F8"), ("code", "code=c&response=%zz"),
        ("code", "code=c&error=%00"),
    ]) func `a torn response is invalid`(_ name: String, _ torn: String) async throws {
        let many = String(repeating: "a=1&", count: 80)
        for form in ["{others}&{torn}", "{torn}&{others}", "{others}&\(many){torn}"] {
            let app = BenchApp(bench: try HandlerBench())
            let parameters = try await app.approve()
            let others = parameters.split(separator: "&").filter { !$0.hasPrefix("\(name)=") }.joined(separator: "&")
            let body = form.replacing("{others}", with: others).replacing("{torn}", with: torn)
            let answer = try await app.bench.send(.post, "/callback/fake", Self.form, body: body)
            let login = try await app.poll().json
            #expect((answer.fields[.location] == "/done/unknown") == (name == "state"))
            #expect(login["status"]?.string == (name == "state" ? "pending" : "failed"))
            #expect(login["reason"]?["code"]?.string == (name == "state" ? nil : "invalid_response"))
        }
    }

    /// RFC 6749 §3.1: a second one makes the response invalid, wherever it stands and however it is written.
    @Test(arguments: [
        ("code=d", "failed"), ("c%6Fde=d", "failed"), ("state=x", "pending"), ("%73tate=x", "pending"),
        ("iss=a&iss=b", "failed"), ("error=access_denied", "failed"), ("response=a.b.c", "failed"),
    ]) func `a second value is found behind others`(_ second: String, _ status: String) async throws {
        let app = BenchApp(bench: try HandlerBench())
        let parameters = try await app.approve()
        let others = String(repeating: "a=1&", count: 80)
        _ = try await app.bench.send(.post, "/callback/fake", Self.form, body: "\(parameters)&\(others)\(second)")
        #expect(try await app.poll([.prefer: "wait=1"]).json["status"]?.string == status)
    }

    @Test(arguments: ["application/json", "multipart/form-data; boundary=x", "text/plain", ""])
    func `a form must have the type of a form`(_ type: String) async throws {
        let app = BenchApp(bench: try HandlerBench())
        let parameters = try await app.approve()
        let answer = try await app.bench.send(.post, "/callback/fake", [.contentType: type], body: parameters)
        #expect(answer.status == .unsupportedMediaType)
        #expect(answer.text.contains("No login is in progress"))
        #expect(try await app.poll().json["status"] == "pending")
    }

    /// The query of a POST is not its form.
    @Test func `a POST is read from its body`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        let parameters = try await app.approve()
        let answer = try await app.bench.send(.post, "/callback/fake?\(parameters)", Self.form, body: "")
        #expect(answer.fields[.location] == "/done/unknown")
    }

    @Test(arguments: [
        (FieldName.secPurpose, "prefetch"), (.secPurpose, "prefetch;prerender"), (.purpose, "prefetch"),
        (.secPurpose, "Prefetch"),
    ]) func `a guess of the browser changes nothing`(_ name: FieldName, _ value: String) async throws {
        let app = BenchApp(bench: try HandlerBench())
        let parameters = try await app.approve()
        let callback = try await app.bench.send(.get, "/callback/fake?\(parameters)", [name: value])
        let link = try #require(try await app.create().json["next"]?["url"]?.string)
        let go = try await app.bench.load(link, [name: value])
        for answer in [callback, go] {
            #expect(answer.status == .serviceUnavailable)
            #expect(answer.fields[.cacheControl] == "no-store")
            #expect(answer.body.isEmpty)
        }
        #expect(try await app.poll().json["status"] == "pending")
    }

    @Test func `HEAD changes nothing at all`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        let parameters = try await app.approve()
        #expect(try await app.bench.send(.head, "/callback/fake?\(parameters)").status == .ok)
        let link = try #require(try await app.create().json["next"]?["url"]?.string)
        let go = try await app.bench.send(.head, link.replacing("https://login.example.com", with: ""))
        #expect(go.status == .ok)
        #expect(go.fields[.location] == nil)
        #expect(try await app.poll().json["version"] == 1)
    }

    @Test(arguments: [
        "/done/unknown", "/done/" + String(repeating: "A", count: 64), "/go/x",
        "/go/" + String(repeating: "A", count: 43),
    ])
    func `what belongs to no login is a neutral page`(_ path: String) async throws {
        let answer = try await HandlerBench().send(.get, path)
        #expect(answer.status == .notFound)
        #expect(answer.text.contains("No login is in progress"))
        #expect(!answer.text.contains("href=\"\(HandlerBench.link)"))
    }

    /// The server waits two seconds, then sends a page that reloads itself.
    @Test func `a page that may change waits and then refreshes itself`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        app.bench.provider.become(slow: true)
        let path = try await app.finish()
        let first = try await app.bench.send(.get, path)
        #expect(Self.refresh(first) == "5")
        #expect(first.text.contains("One moment"))
        // On a busy machine the two seconds may be over before we look.
        var (last, isHeld) = (first, false)
        for _ in 0..<20 where !isHeld {
            async let next = app.bench.send(.get, path)
            isHeld = await app.bench.longPolls(1, within: .seconds(2))
            if isHeld { app.bench.provider.become(slow: false) }
            last = try await next
        }
        #expect(isHeld)
        // A browser reloads the page for as long as it says so.
        for _ in 0..<20 where Self.refresh(last) == "5" { last = try await app.bench.send(.get, path) }
        #expect(last.text.contains("You are logged in"))
    }

    private static func refresh(_ page: Response) -> String? {
        page.text.firstMatch(of: /http-equiv="refresh" content="([0-9]+)"/).map { String($0.1) }
    }

    @Test(arguments: [("da", "Du er logget på"), ("da-DK,en;q=0.5", "Du er logget på"), ("fr", "You are logged in")])
    func `the page speaks the browser's language`(_ accepted: String, _ title: String) async throws {
        let app = BenchApp(bench: try HandlerBench())
        let path = try await app.finish()
        _ = try await app.poll([.prefer: "wait=20"])
        #expect(try await app.bench.send(.get, path, [.acceptLanguage: accepted]).text.contains(title))
    }
}
