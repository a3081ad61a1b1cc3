import Testing

@testable import SwitchbackClient
@testable import SwitchbackUI

/// Which screen a login has, with which texts and buttons, and in which language.
@Suite struct ScreenTests {
    private static let texts = ScreenTexts.en

    /// A progress, whether a screen is there already, and the screen; nil for none.
    struct Row: Sendable {
        let kind: LoginProgress.Kind
        var canContinue = false
        var triesLeft: Int?
        var isOpen = false
        var hasBrowser = false
        let screen: LoginScreen.Kind?
        var text: String?
        var note: String?
        var actions: [String] = ["give_up"]
    }

    static let rows = [
        Row(kind: .idle, screen: nil), Row(kind: .idle, isOpen: true, screen: nil),
        Row(kind: .over, isOpen: true, screen: nil), Row(kind: .starting, screen: nil),
        Row(kind: .inBrowser, screen: nil), Row(kind: .inApp, screen: nil), Row(kind: .waiting, screen: nil),
        // A browser that opens over the sheet would close with it.
        Row(kind: .inBrowser, isOpen: true, screen: .working), Row(kind: .inApp, isOpen: true, screen: .working),
        Row(kind: .waiting, isOpen: true, screen: .working),
        Row(kind: .init(code: "of_a_later_version"), isOpen: true, screen: .working),
        Row(kind: .init(code: "of_a_later_version"), screen: nil),
        Row(
            kind: .paused, canContinue: true, screen: .paused, text: texts.pausedText,
            actions: ["continue_login", "give_up"]),
        Row(kind: .paused, isOpen: true, screen: .paused),
        Row(
            kind: .appMissing, canContinue: true, screen: .appMissing, text: texts.appMissingText,
            actions: ["continue_login", "give_up"]),
        Row(kind: .appMissing, screen: .appMissing, text: texts.appNeededText),
        Row(
            kind: .codeWanted, canContinue: true, screen: .code, text: texts.codeText,
            actions: ["send_code", "continue_login", "give_up"]),
        Row(
            kind: .codeWanted, triesLeft: 2, screen: .code, text: texts.codeText,
            note: "\(texts.wrongCodeText) Tries left: 2", actions: ["send_code", "give_up"]),
        Row(kind: .retrying, screen: .retrying, text: texts.retryingText),
        // No sheet can open below a browser, and one that is there stays.
        Row(kind: .codeWanted, hasBrowser: true, screen: nil), Row(kind: .retrying, hasBrowser: true, screen: nil),
        Row(kind: .retrying, isOpen: true, hasBrowser: true, screen: .retrying, text: texts.retryingText),
    ]

    @Test("each progress has its screen", arguments: rows) func eachProgress(_ row: Row) {
        var progress = LoginProgress(row.kind, reference: "K7QX-2M4P")
        (progress.canContinue, progress.triesLeft) = (row.canContinue, row.triesLeft)
        let screen = LoginScreen(progress, texts: Self.texts, isOpen: row.isOpen, hasBrowser: row.hasBrowser)
        #expect(screen?.kind == row.screen)
        guard let screen else { return }
        #expect(screen.text == row.text && screen.note == row.note)
        #expect(screen.buttons.map(\.action.code) == row.actions)
        #expect(screen.reference == "Reference: K7QX-2M4P")
        #expect(screen.announcement == (row.note ?? screen.title))
    }

    /// The user's languages, the languages that the app asks for, and the texts.
    static let languages: [(wanted: [String], optIn: Set<String>, texts: ScreenTexts)] = [
        (["da-DK"], [], .da), (["sv-FI"], [], .svFI), (["sv-Latn-FI"], [], .svFI), (["sv_SE"], [], .sv),
        (["no"], [], .nb), (["nb-NO"], [], .nb), (["NN"], [], .nn), (["fr-FR", "de-AT"], [], .de), (["fr"], [], .en),
        ([], [], .en), (["", "-", "fi"], [], .fi), (["kl-GL", "en-GB"], [], .en), (["kl-GL"], [], .da),
        (["kl-GL", "en-GB"], ["kl"], .kl), (["fo"], ["kl"], .da),
    ]

    @Test("a user gets the first language that there is", arguments: languages.indices)
    func aUserGetsALanguage(_ index: Int) {
        let row = Self.languages[index]
        #expect(ScreenTexts(languages: row.wanted, optIn: row.optIn) == row.texts)
    }

    @Test("no two languages have the same texts") func noTwoLanguagesAreTheSame() {
        #expect(Set(ScreenTexts.all.values).count == ScreenTexts.all.count)
        #expect(ScreenTexts.optInTags.isSubset(of: ScreenTexts.all.keys))
    }

    /// What the field has after each key, and what it takes.
    static let typed: [(texts: [String], digits: String)] = [
        (["1", "12", "1", "13"], "13"), (["123456"], ""), (["1", "123456"], "1"), (["1", "1a", "1 "], "1"),
        (["1", "12", "123", "1234", "12345", "123456", "654321"], "123456"),
        (["1", "12", "123", "1234", "12345", "123456", "1234567"], "123456"),
        (["1", "12", "123", "13", "143"], "143"), (["1", "12", "9"], "9"), (["١", "1٢"], "12"), (["½", "¹"], "1"),
        (["1", "12", ""], ""),
    ]

    @Test("a field takes digits one by one, and nothing from the clipboard", arguments: typed.indices)
    func aFieldTakesDigits(_ index: Int) {
        var field = DigitField(limit: 6)
        for text in Self.typed[index].texts { field.take(text) }
        #expect(field.digits == Self.typed[index].digits)
        #expect(field.isFull == (field.digits.count == 6))
    }
}
