import HTTPWire
import Logins
import StrictJSON
import Testing

@testable import LoginAPI

/// What apps and browsers are told about a provider that is switched off: the operator's words, or ours, in the user's
/// language.
@Suite(.timeLimit(.minutes(1))) struct ProviderOffTests {
    static let words = ["en": "MitID rests until 14:00.", "da": "MitID hviler til kl. 14.", "is": "MitID hvílir."]
    static let ours =
        "You cannot log in with your e\u{2011}ID at the moment. Try again later, or choose another way to log in."
    private static let danish =
        "Du kan ikke logge på med dit eID i øjeblikket. Prøv igen senere, eller vælg en anden måde at logge på."

    private static func bench(_ words: [String: String]) throws -> HandlerBench {
        try HandlerBench {
            $0.providers[0].isEnabled = false
            $0.providers[0].notices = words
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let words: [String: String]
        var locale: String?
        var languages = ""
        let notice: String
        var testDescription: String { "\(self.locale ?? "-") \(self.languages): \(self.notice)" }
    }

    private static let rows = [
        Row(words: words, notice: "MitID rests until 14:00."),
        Row(words: words, locale: "da-DK", notice: "MitID hviler til kl. 14."),
        Row(words: words, languages: "da", notice: "MitID hviler til kl. 14."),
        // The app knows better than its HTTP client.
        Row(words: words, locale: "en_GB", languages: "da", notice: "MitID rests until 14:00."),
        // The operator may have words in a language that no page has.
        Row(words: words, locale: "is-IS", notice: "MitID hvílir."),
        Row(words: words, locale: "fi", notice: "MitID rests until 14:00."),
        Row(words: ["da": "MitID hviler."], locale: "fi", notice: "MitID hviler."),
        Row(words: [:], notice: ours), Row(words: [:], locale: "da", notice: danish),
        Row(words: [:], locale: "is", notice: ours),
    ]

    @Test(arguments: rows) func `a create is refused with words for the user`(_ row: Row) async throws {
        let bench = try Self.bench(row.words)
        let app = BenchApp(bench: bench)
        var body: JSON.Object = ["provider": "eid", "poll_secret": .string(app.secret.exposedText)]
        if let locale = row.locale { body["locale"] = .string(locale) }
        var fields: Fields = [.contentType: "application/json"]
        if !row.languages.isEmpty { fields[.acceptLanguage] = row.languages }
        let answer = try await bench.send(
            .post, "/v1/logins", fields, body: String(decoding: JSON.object(body).encoded(), as: UTF8.self))
        #expect(answer.brief == "409 provider_off provider")
        #expect(answer.json["notice"]?.string == row.notice)
        #expect(answer.fields[.retryAfter] == nil, "nobody knows when")
        #expect(try await app.poll().brief == "404 unknown_login", "nothing was kept")
    }

    @Test func `other problems have no words for the user`() async throws {
        let app = BenchApp(bench: try Self.bench(Self.words))
        let unknown = try await app.create(["provider": "eid2"])
        #expect(unknown.brief == "422 unknown_provider provider" && unknown.json["notice"] == nil)
    }

    @Test func `the list says which provider is off`() async throws {
        for (words, expected) in [(Self.words, 3), ([:], PageTests.languages.count - 2)] {
            let bench = try Self.bench(words)
            let list = try await bench.send(.get, "/v1/providers").json["providers"]?.array?.first
            #expect(list?["enabled"] == false)
            let notices = try #require(list?["notices"]?.object)
            #expect(notices.count == expected)
            #expect(notices["en"]?.string == (words["en"] ?? Self.ours))
        }
        let on = try await HandlerBench().send(.get, "/v1/providers").json["providers"]?.array?.first
        #expect(on?["enabled"] == true && on?["notices"] == [:])
    }

    /// Nothing that is shown is a code or a promise of ours.
    @Test func `the page has the words and offers the same link`() throws {
        let pages = try Pages(
            PublicFolder(), apps: [:], providers: ["eid": ["en": "MitID"], "own": ["en": "MitID"]],
            notices: ["own": ["en": "Rests <until> 14:00.", "da": "Hviler."]], settings: PageTests.all)
        func page(_ provider: String, _ language: String) -> (status: Status, text: String) {
            var view = PageView(.providerOff, app: "demo", provider: provider)
            view.canRetry = true
            let response = pages.response(view, languages: [language])
            return (response.status, response.text)
        }
        let ours = page("eid", "en")
        #expect(ours.status == .conflict)
        #expect(ours.text.contains("<h1>MitID is not available right now</h1>"))
        #expect(ours.text.contains("<p>You cannot log in with MitID at the moment."))
        #expect(ours.text.contains(">Try again</a>"))
        #expect(page("own", "en").text.contains("<p>Rests &lt;until&gt; 14:00.</p>"))
        #expect(page("own", "da").text.contains("<p>Hviler.</p>"))
        // A screen reader must not read English as if it were Finnish.
        #expect(page("own", "fi").text.contains("<p lang=\"en\">Rests &lt;until&gt; 14:00.</p>"))
    }

    @Test func `a link that nobody has opened shows the page`() async throws {
        let bench = try HandlerBench()
        let app = BenchApp(bench: bench)
        let link = try #require(try await app.create(["locale": "da"]).json["next"]?["url"]?.string)
        bench.switchOff()
        for _ in 0..<2 {
            let page = try await bench.load(link)
            #expect(page.status == .conflict && page.fields[.contentLanguage] == "da")
            #expect(page.text.contains(">Prøv igen</a>"))
        }
        #expect(try await app.poll().json["status"] == "pending")
    }
}
