import Base
import HTTPWire
import Logins
import Testing

@testable import LoginAPI

/// What a page says in each language about the time after which it tries again by itself.
///
/// No language of the files has more than one form of a noun after a whole number from two on (CLDR, `one` and `other`).
@Suite struct WaitingTextTests {
    /// The language, and the end of what it says for a wait of 20, 130 and 600 seconds.
    static let rows: [(language: String, brief: String, middling: String, long: String)] = [
        ("da", "om omkring 20 sekunder.", "om omkring 3 minutter.", "om omkring 10 minutter."),
        (
            "de", "in etwa 20 Sekunden von selbst noch einmal.", "in etwa 3 Minuten von selbst noch einmal.",
            "in etwa 10 Minuten von selbst noch einmal."
        ),
        ("en", "in about 20 seconds.", "in about 3 minutes.", "in about 10 minutes."),
        ("fi", "noin 20 sekunnin kuluttua.", "noin 3 minuutin kuluttua.", "noin 10 minuutin kuluttua."),
        ("fo", "um umleið 20 sekund.", "um umleið 3 minuttir.", "um umleið 10 minuttir."),
        (
            "kl", "sekundit 20 missaat qaangiuppata nammineq misileeqqissaaq.",
            "minutsit 3 missaat qaangiuppata nammineq misileeqqissaaq.",
            "minutsit 10 missaat qaangiuppata nammineq misileeqqissaaq."
        ),
        ("nb", "om omtrent 20 sekunder.", "om omtrent 3 minutter.", "om omtrent 10 minutter."),
        (
            "nl", "over ongeveer 20 seconden vanzelf opnieuw.", "over ongeveer 3 minuten vanzelf opnieuw.",
            "over ongeveer 10 minuten vanzelf opnieuw."
        ),
        ("nn", "om omtrent 20 sekund.", "om omtrent 3 minutt.", "om omtrent 10 minutt."),
        ("sv", "om ungefär 20 sekunder.", "om ungefär 3 minuter.", "om ungefär 10 minuter."),
        ("sv-FI", "om ungefär 20 sekunder.", "om ungefär 3 minuter.", "om ungefär 10 minuter."),
    ]

    private static func pages() throws -> Pages {
        var settings = PageSettings()
        settings.allowsDraftLanguages = true
        return try Pages(PageTests.folder, apps: [:], settings: settings)
    }

    private static func page(
        _ pages: Pages, _ language: String, after seconds: Int
    ) throws -> (text: String, refresh: Int) {
        var view = PageView(.busy)
        view.canRetry = true
        view.retryAfter = .seconds(seconds)
        let page = pages.response(view, languages: [language])
        #expect(page.fields[.contentLanguage] == language)
        return (page.text.replacing("\u{AD}", with: ""), try #require(page.fields[.refresh].flatMap { Int($0) }))
    }

    @Test(arguments: rows) func `a long wait is told in minutes`(
        _ language: String, _ brief: String, _ middling: String, _ long: String
    ) throws {
        let pages = try Self.pages()
        for (seconds, words) in [(20, brief), (130, middling), (600, long)] {
            #expect(try Self.page(pages, language, after: seconds).text.contains(words), "\(seconds)")
        }
    }

    /// Neither sooner than the server allows, nor later than the page says.
    @Test(arguments: rows.map(\.language)) func `a page tries again when its text says so`(_ language: String) throws {
        let pages = try Self.pages()
        for seconds in 1...700 where seconds % 7 == 0 || seconds % 60 < 2 || (109...122).contains(seconds) {
            let (text, refresh) = try Self.page(pages, language, after: seconds)
            #expect(refresh >= seconds)
            let number = refresh < 120 ? refresh : refresh / 60
            #expect(number * (refresh < 120 ? 1 : 60) == refresh)
            #expect(text.contains(" \(number) "), "\(seconds): \(text)")
        }
    }

    @Test func `every language of the files has a row`() throws {
        #expect(try Set(Self.pages().strings.languages.keys) == Set(Self.rows.map(\.language)))
    }
}
