import Base
import Cryptography
import HTTPServer
import HTTPWire
import Logins

/// The pages that users see at the end of a login, or when there is no login: one template, in their language.
package struct Pages: Sendable {
    /// Seconds after which a page that is about to change reloads, if it has no script.
    private static let shortRefresh = 5
    /// The same, if the user may be reading, typing or listening to the page.
    private static let longRefresh = 30
    /// Seconds after which the user may try again.
    private static let retry = 5
    /// A page that tries again by itself does so after whole tens of seconds: long enough to hear it read aloud, and to
    /// press its button first. From two minutes on it waits for whole minutes, so that it does what its text says.
    private static let (reloadStep, longReloadStep) = (10, 60)
    /// The time from which on the text says minutes.
    private static let longWait = 120
    private static let file = "templates/page.mustache"
    /// Grey, because it stands on the hosts of others.
    private static let usualIcon = PathPattern.asset.path("favicon.svg")

    private let template: PageTemplate
    let strings: PageStrings
    private let apps: [String: AppProfile]
    /// The names of each e-ID, by language.
    let providers: [String: [String: String]]
    /// What the operator tells users of each e-ID that is switched off, by language.
    let notices: [String: [String: String]]
    let script: PageScript
    /// The pages that are the same for every login. A page takes a few kilobytes. An app and an e-ID have about 20 pages
    /// in each language, and few users want most of the languages.
    private let sharedPages = ValueCache<PageKey, [UInt8]>(limit: 2_000)

    package init(
        _ folder: PublicFolder, apps: [String: AppProfile], providers: [String: [String: String]] = [:],
        notices: [String: [String: String]] = [:], settings: PageSettings = PageSettings()
    ) throws(OperatorError) {
        let text = try folder.text(of: Self.file)
        do {
            self.template = try PageTemplate(text)
        } catch {
            throw folder.failure(Self.file, "is not a mustache template: \(error)")
        }
        self.strings = try PageStrings(folder, settings)
        self.script = try PageScript(folder)
        self.apps = apps
        self.providers = providers
        self.notices = notices
        try Self.checkVariables(of: text, in: folder)
    }

    /// A name that no page knows would silently be empty, and one that is not escaped could end an element.
    private static func checkVariables(of text: String, in folder: PublicFolder) throws(OperatorError) {
        if let mark = text.unicodeScalars.firstIndex(where: PageTemplate.isMark) {
            let line = text.unicodeScalars[..<mark].count { $0 == "\n" } + 1
            throw folder.failure(Self.file, line: line, "HTML does not allow the control characters U+0002 and U+0003")
        }
        let variables = PageValues.Name.allCases.map(\.rawValue)
        for tag in TemplateTag.all(in: text) {
            switch tag.kind {
            case .other:
                throw folder.failure(
                    Self.file, line: tag.line, "{{\(tag.name)}} is a kind of tag that pages do not use")
            // Only the script is not escaped.
            case .unescaped where tag.name != PageValues.Name.script.rawValue:
                throw folder.failure(
                    Self.file, line: tag.line, "{{{\(tag.name)}}} would not be escaped: write {{\(tag.name)}}")
            case .unescaped, .variable:
                if variables.contains(tag.name) { continue }
                let nearest = SpellingSuggestion.suggestion(for: tag.name, in: variables.sorted())
                throw folder.failure(
                    Self.file, line: tag.line, "{{\(tag.name)}} is not a variable of any page\(nearest)")
            }
        }
    }

    /// The languages that are offered although they are drafts that need a permission.
    package var permittedDrafts: [String] {
        self.strings.languages.values.filter { $0.isOptIn && $0.review == .draft }.map(\.tag).sorted()
    }

    /// `isWatched` is true if the page is at its own URL, where it can ask for its state.
    func response(_ view: PageView, languages: [String], isWatched: Bool = false) -> Response {
        self.response(Self.status(of: view), view, languages: languages, isWatched: isWatched)
    }

    func response(_ status: Status, _ view: PageView, languages: [String], isWatched: Bool = false) -> Response {
        let language = self.strings.language(for: (view.locale.map { [$0] } ?? []) + languages)
        var fields: Fields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"]
        fields[.contentLanguage] = language.tag
        fields.vary(on: .acceptLanguage)
        if view.mayChange, !isWatched { fields[.refresh] = String(Self.shortRefresh) }
        var view = view
        if let seconds = Self.retryTime(status, view) {
            fields[.retryAfter] = String(seconds)
            if view.canRetry { view.reloadsAfter = Self.reloadTime(seconds) }
        }
        // A page at its own URL has an element for that, which counts only without script.
        if let seconds = view.reloadsAfter, !isWatched { fields[.refresh] = String(seconds) }
        return Response(status, fields: fields, body: self.body(view, in: language, isWatched: isWatched))
    }

    /// Returns the seconds after which the same request may succeed; nil if nobody knows.
    private static func retryTime(_ status: Status, _ view: PageView) -> Int? {
        if let time = view.retryAfter { return Problem.wholeSeconds(time) }
        return status == .serviceUnavailable ? Self.retry : nil
    }

    private static func reloadTime(_ seconds: Int) -> Int {
        func roundedUp(to step: Int) -> Int { (seconds + step - 1) / step * step }
        let time = roundedUp(to: Self.reloadStep)
        return time < Self.longWait ? time : roundedUp(to: Self.longReloadStep)
    }

    private func body(_ view: PageView, in language: PageLanguage, isWatched: Bool) -> [UInt8] {
        guard let shared = view.shared else { return self.html(view, in: language, isWatched: isWatched) }
        // Made of the key, so that nothing else can be on it.
        return self.sharedPages.value(PageKey(view: shared, language: language.tag, isWatched: isWatched)) { _ in
            self.html(shared, in: language, isWatched: isWatched)
        }
    }

    /// Everything that a shared page depends on.
    private struct PageKey: Hashable {
        let view: PageView
        let language: String
        let isWatched: Bool
    }

    private static func status(of view: PageView) -> Status {
        switch view.kind {
        case .completing, .awaitingReturn, .codeUsedUp, .completed, .acknowledged, .failed, .cancelled, .expired, .over,
            .continuedElsewhere, .linkOpened, .notice(.home):
            .ok
        // No error of ours: what users of a provider get that is switched off must not look like an outage.
        case .openElsewhere, .providerOff: .conflict
        case .unavailable: .serviceUnavailable
        case .busy: view.retryAfter == nil ? .serviceUnavailable : .tooManyRequests
        case .neutral: .notFound
        case .notice(.unreadable): .badRequest
        }
    }
}

// MARK: - What the template is given

extension Pages {
    func html(_ view: PageView, in language: PageLanguage, isWatched: Bool) -> [UInt8] {
        let app = view.app.flatMap { self.apps[$0] }
        return self.template.render(self.values(of: view, app, in: language, isWatched: isWatched))
    }

    private func values(
        of view: PageView, _ profile: AppProfile?, in language: PageLanguage, isWatched: Bool
    ) -> PageValues {
        let app = profile?.names.name(in: language.tag)
        let provider = view.provider.flatMap { self.providers[$0]?.name(in: language.tag) }
        func text(_ key: PageText, number: Int? = nil) -> String {
            language.text(
                key, app: app, provider: provider, number: number.map { String($0) } ?? "")
        }
        let title = text(.title(of: view))
        var values = PageValues()
        values[.language] = language.tag
        values[.direction] = language.direction
        values[.look] = Self.look(of: view, titled: title)
        values[.title] = Self.title(PageSentence.unbroken(title), app)
        values[.heading] = title
        values[.text] = text(.text(of: view))
        if view.kind == .providerOff, let provider = view.provider, self.notices[provider]?.isEmpty == false {
            let notice = self.notice(of: provider, languages: [language.tag])
            values[.text] = notice.text
            values[.textLanguage] = notice.language(on: language)
        }
        values[.app] = app
        values[.icon] = Self.usualIcon
        if let look = profile?.look {
            values[.style] = look.style?.path
            values[.logo] = look.logo?.path
            values[.logoDark] = look.logoDark?.path
            if look.logo == nil || look.showsName {
                values[.name] = app
            } else {
                values[.logoText] = app
            }
            if let icon = look.icon { values[.icon] = icon.path }
            if view.isFailure, let link = look.supportURL {
                values[.supportURL] = link
                values[.supportLink] = text(.supportLink)
            }
        }
        if let time = PageText.time(of: view) {
            if view.isEnding {
                values[.time] = text(time)
                values[.ending] = values[.time]
            } else if let timeLeft = view.timeLeft {
                values[.time] = text(time, number: Self.minutes(timeLeft))
                values[.timeLeft] = String(Int(timeLeft / .seconds(1)))
                values[.timeEnding] = text(.littleTimeLeftText)
                if view.hasMoreTime { values[.moreTime] = text(.moreTimeHint) }
            }
            if view.offersMoreTime { values[.moreTimeButton] = text(.moreTimeButton) }
            values[.notStarted] = text(.notStartedHint)
        }
        if isWatched, !view.isLast {
            values[.state] = view.state
            values[.refresh] = String(view.reloadsAfter ?? (view.mayChange ? Self.shortRefresh : Self.longRefresh))
            values[.script] = self.script.text
        }
        if let code = view.code {
            values[.code] = String(code.prefix(3))
            values[.codeEnd] = String(code.dropFirst(3))
            // A screen reader would read the code as one number, which is hard to type.
            values[.codeSpoken] = code.map(String.init).joined(separator: ", ")
            values[.codeSummary] = text(.codeSummary)
            values[.codeLabel] = text(.codeLabel)
            values[.codeWarning] = text(view.isOnWeb ? .codeWarningOnWeb : .codeWarning)
            values.codeForm = view.isCodeOnly ? .open : .folded
        } else if view.kind == .codeUsedUp, !view.isCodeOnly {
            values[.codeHint] = text(.codeUsedUpHint)
        }
        if view.canRetry {
            values[.againButton] = text(.againButton)
            if let seconds = view.reloadsAfter {
                values[.hint] =
                    seconds < Self.longWait
                    ? text(.againHint, number: seconds)
                    : text(.againLaterHint, number: seconds / Self.longReloadStep)
            }
        } else if view.kind == .unavailable || view.kind == .busy {
            values[.hint] = text(.reloadHint)
        }
        if let link = view.returnURL, view.kind != .continuedElsewhere {
            values[.returnURL] = link
            values[.backButton] = text(.backButton)
        } else if view.kind.isAnEndHere, !view.canRetry {
            values[.hint] = text(.closeHint)
        }
        if view.isFailure, let reference = view.reference {
            values[.reference] = reference
            values[.referenceLabel] = text(.referenceLabel)
            values[.referenceHint] = text(.referenceHint)
        }
        return values
    }

    /// The last minute has a text of its own, so there are always two or more.
    private static func minutes(_ timeLeft: Duration) -> Int { max(2, Int((timeLeft / .seconds(60)).rounded(.up))) }

    /// Returns the title of the browser's tab, which names the app too.
    private static func title(_ title: String, _ app: String?) -> String {
        guard let app, !title.contains(app) else { return title }
        return "\(title) – \(app)"
    }

    /// Returns the classes for the style sheet.
    private static func look(of view: PageView, titled title: String) -> String {
        PageSentence.hasLongWord(title) ? "\(Self.look(of: view)) long-title" : Self.look(of: view)
    }

    /// Only a completed login gets the tick.
    private static func look(of view: PageView) -> String {
        switch view.kind {
        case .completing: "busy"
        case .awaitingReturn: "step"
        case .codeUsedUp: view.isCodeOnly ? "bad" : "step"
        case .completed, .acknowledged: "good"
        case .failed(.userCancelled), .failed(.appCancelled), .failed(.timeout): "calm"
        case .failed: "bad"
        case .cancelled, .expired, .over, .unavailable, .busy, .providerOff, .openElsewhere,
            .continuedElsewhere, .neutral, .linkOpened, .notice:
            "calm"
        }
    }
}

extension PageView.Kind {
    /// True if nothing is left to do on the page, and its text does not say already that the user can close it.
    fileprivate var isAnEndHere: Bool {
        switch self {
        case .completing, .awaitingReturn, .codeUsedUp, .acknowledged, .continuedElsewhere, .linkOpened, .notice,
            .unavailable, .busy, .providerOff:
            false
        case .completed, .failed, .cancelled, .expired, .over, .openElsewhere, .neutral: true
        }
    }
}

/// The script of a page that may change. It is inline, and the page's policy names it by its hash.
struct PageScript: Sendable {
    private static let file = "templates/page.js"

    let text: String

    init(_ folder: PublicFolder) throws(OperatorError) {
        self.text = try folder.text(of: Self.file)
        // Each of these would end the element, or change how the rest of it is parsed (HTML §13.2.5.4).
        for word in ["</script", "<script", "<!--"] where self.text.lowercased().contains(word) {
            throw folder.failure(Self.file, "cannot be inlined in a page: it contains \(word)")
        }
    }

    /// Its source expression in a Content Security Policy (CSP Level 3 §2.3.1).
    var source: String {
        "'sha256-\(Base64.encode(Digest.sha256.hash(Array(self.text.utf8))))'"
    }
}
