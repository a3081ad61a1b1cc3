import Base
import HTTPWire
import StrictJSON

/// What the app shows of a login: the next action as something to press, and in the end the result.
struct PhoneLoginPage: Sendable {
    let login: PhoneLogin
    let path: String
    /// The number of the news that this page shows.
    let seenNumber: Int
    let tabs: BenchTabs
    /// How long the phone has no network. Nil if it has one.
    var outage: Duration?
    let now: Timestamp
    /// Whether “Break it” is open, in a page that does not load again by itself.
    var isBreaking = false

    var response: Response {
        let problem: Markup =
            self.isWrongCode
            ? "" : self.login.problem.map { "<p>The server says: <code>\($0)</code></p>" } ?? ""
        let body: Markup = """
            <p class="badge">Sandbox</p>
            <h1>\(self.login.name): \(self.login.isKilled ? "the app is not running" : self.login.status)</h1>
            \(LoginStates(status: self.login.status).markup)
            <p>Reference \(self.login.reference)</p>
            \(self.trouble)\(self.content)
            \(problem)
            <section class="advice" aria-labelledby="advice">
            <h2 id="advice">What the app should do now</h2>
            <p>\(PhoneAdvice.text(for: self.login))</p>
            </section>
            \(self.login.isFinal || self.login.isKilled ? "" : self.breakIt)
            <div class="buttons">
            \(self.tryAgain)<form method="get" action="/"><button>Another login</button></form>
            </div>
            \(self.details)
            """
        var page = PhonePage(title: "Login: \(self.login.status)", phone: body, tabs: self.tabs)
        if !self.login.isFinal { page.follows = "\(self.path)?seen=\(self.seenNumber)" }
        // A user who types a code is not interrupted.
        if case .enterCode = self.login.next { page.refreshes = false }
        if self.isBreaking { page.refreshes = false }
        return page.response
    }

    /// For a login that has ended without a result: the same e-ID with the same choices.
    private var tryAgain: Markup {
        guard self.login.isFinal, self.login.status != "completed" else { return "" }
        let fields = self.login.form.map { field -> Markup in
            "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">\n"
        }
        return """
            <form method="post" action="/login">
            \(fields)<button class="approve" name="provider" value="\(self.login.provider)">Try \(self.login.name) \
            again</button>
            </form>

            """
    }

    private var content: Markup {
        if self.login.isFinal { return self.end }
        guard self.login.isKilled else { return self.next }
        return """
            <p>The browser and the login go on without it.</p>
            \(self.button("start", "Start the app"))
            """
    }

    /// What keeps the app from its server.
    private var trouble: Markup {
        if let outage {
            let seconds = max(1, Int((outage / .seconds(1)).rounded(.up)))
            // The counter ends the line, so that the sentence is one text.
            let words = "No network for \(seconds) more \(seconds == 1 ? "second" : "seconds")."
            return "<p data-counts>\(words)</p>\n"
        }
        if self.login.interruption == .clock, !self.login.isFinal, let ends = self.login.ends {
            let clock = (self.now + VisitorPhone.clockError).rfc3339
            return """
                <p>This phone’s clock says <code>\(clock)</code>. The server said <code>expires_at</code> \(ends.at), and \
                <code>expires_in</code> \(String(ends.after)) seconds.</p>

                """
        }
        guard self.login.isRetrying, !self.login.isKilled else { return "" }
        return "<p>There was no response. The app tries again by itself.</p>\n"
    }

    private var isWrongCode: Bool { self.login.triesLeft != nil }

    /// What the library knows of a wrong code, beside its field.
    private var tries: Markup {
        guard let count = self.login.triesLeft else { return "" }
        let words = count == 1 ? "One try is left." : "\(String(count)) tries are left."
        return "<p id=\"tries\" class=\"tries\">✗ That code was wrong. \(words)</p>\n"
    }

    private var breakIt: Markup {
        let rows = PhoneInterruption.allCases.map { interruption -> Markup in
            """
            <li>\(self.button(interruption.rawValue, interruption.label))<small>\(interruption.effect)</small></li>

            """
        }
        let link: Markup =
            self.isBreaking
            ? "" : "<noscript><p><a href=\"\(self.path)?break=it\">Break it, without refreshing</a></p></noscript>\n"
        return """
            \(link)<details id="break"\(self.isBreaking ? " open" : "" as Markup)>
            <summary>Break it</summary>
            <ul class="breaks">
            \(rows)</ul>
            </details>
            """
    }

    private var next: Markup {
        let action: Markup =
            switch self.login.next {
            case .openBrowser(let url):
                Self.link(
                    self.colored(url), self.login.isBack ? "Continue in the browser" : "Open the browser",
                    in: self.browser)
            case .openApp(let url): Self.link(url, "Open the e-ID's app", in: "eid")
            case .resumeBrowser(let url): Self.link(url, "Continue in the browser", in: "browser")
            case .showBrowser(let url):
                """
                <p>Go back to the browser, and press the button there.</p>\(Self.page(url))
                \(self.button("back", "Back in the app, without a link"))
                """
            case .enterCode(let url): "\(self.codeForm)\(Self.page(url, isMain: false))"
            case .wait: "<p>The app is waiting.</p>"
            }
        return """
            \(action)
            <div class="buttons">
            \(self.button("look", "Check again"))
            \(self.button("cancel", self.login.isBack ? "Give up" : "Cancel"))
            </div>
            """
    }

    /// A link that sets the colours of the tab first, if they were chosen.
    private func colored(_ url: String) -> String {
        guard let colors = self.login.colors, let origin = self.tabs.server?.issuer, url.hasPrefix(origin) else {
            return url
        }
        let path = String(url.dropFirst(origin.count))
        return "\(origin)/sandbox/tab?" + FormBody.encode([Parameter("colors", colors), Parameter("to", path)])
    }

    /// The browser's tab: the app's own one, or a new one of the system's browser.
    private var browser: String { self.login.surface == "system" ? "_blank" : "browser" }

    private var codeForm: Markup {
        """
        <form method="post" action="\(self.path)">
        <label for="code">The code on the browser's page</label>
        <input id="code" name="code" inputmode="numeric" autocomplete="off"\
        \(self.isWrongCode ? " aria-invalid=\"true\" aria-describedby=\"tries\"" as Markup : "")>
        \(self.tries)\
        <div class="buttons"><button class="approve" name="press" value="code">Send the code</button></div>
        </form>
        """
    }

    private var end: Markup {
        guard !self.login.isAcknowledged else { return "<p>The app has the result, and the server has deleted it.</p>" }
        let session: Markup = self.login.mayHaveSession ? self.session : ""
        return self.login.status == "completed"
            ? "\(self.whoOrWhy)\(session)" : "\(self.whoOrWhy)\(self.outcome)"
    }

    private var outcome: Markup {
        """
        <dl>
        \(self.login.outcome.map { "<dt>\($0.name)</dt><dd>\($0.value)</dd>\n" as Markup })
        </dl>

        """
    }

    /// The whole result, and the app's last step.
    private var details: Markup {
        guard self.login.isFinal, !self.login.isAcknowledged else { return "" }
        let whole: Markup =
            self.login.status == "completed"
            ? "<details><summary>The whole result</summary>\n\(self.outcome)</details>\n" : ""
        return "\(whole)\(self.button("done", "Delete the result"))"
    }

    /// The person's name, or what the server refused.
    private var whoOrWhy: Markup {
        if self.login.status == "completed", let name = self.login.answer["identity"]?["name"]?.string {
            return "<p class=\"who\"><strong>\(name) is logged in.</strong>\(self.strength)</p>\n"
        }
        if let error = self.login.error { return "<p class=\"why\">\(error.description)</p>\n" }
        guard let server = self.tabs.server, let check = FailedCheck(log: server.log.lines(of: self.login.id)) else {
            return ""
        }
        return "<p class=\"why\"><strong>✗ \(check.meaning)</strong> <code>\(check.word)</code></p>\n"
    }

    /// How sure that is.
    private var strength: String {
        let level = self.login.answer["identity"]?["assurance"]?.string.map { " Level of assurance: \($0)." }
        let proof = self.login.answer["proof"]?.string.map { " Proof of the same phone: \($0)." }
        return (level ?? "") + (proof ?? "")
    }

    private var session: Markup {
        """
        <form method="get" action="\(self.path)/session"><button class="approve">Go to the session</button></form>
        """
    }

    private func button(_ press: String, _ label: String) -> Markup {
        """
        <form method="post" action="\(self.path)"><button name="press" value="\(press)">\(label)</button></form>
        """
    }

    /// For a user who has closed the page.
    private static func page(_ url: String?, isMain: Bool = true) -> Markup {
        url.map { Self.link($0, "Show the page again", in: "browser", isMain: isMain) } ?? ""
    }

    /// Opens a tab of its own, as a phone shows a browser beside the app. That tab closes itself when it is back on the
    /// phone, so it has to know who opened it.
    private static func link(_ url: String, _ label: String, in tab: String, isMain: Bool = true) -> Markup {
        let look: Markup = isMain ? "button" : "button plain"
        return "<p><a class=\"\(look)\" href=\"\(url)\" target=\"\(tab)\" rel=\"opener\">\(label)</a></p>"
    }
}

extension PhoneLogin {
    /// When the login expires, as the server said.
    fileprivate var ends: (at: String, after: Int)? {
        guard let at = self.answer["expires_at"]?.string, let after = self.answer["expires_in"]?.integer else {
            return nil
        }
        return (at, Int(after))
    }

    /// The reason or the identity, with the proof.
    fileprivate var outcome: [Parameter] {
        let givenReason = self.error.map { JSON.string($0.kind.code) } ?? self.answer["reason"]?["code"]
        let reason = givenReason.map { [(name: "reason", value: $0)] } ?? []
        let proof = self.answer["proof"].map { [(name: "proof", value: $0)] } ?? []
        let identity = self.answer["identity"]?.object.map { Array($0) } ?? []
        return (reason + proof + identity).filter { $0.value != .null }.map { Parameter($0.name, Self.text($0.value)) }
    }

    private static func text(_ value: JSON) -> String {
        value.string ?? String(decoding: value.encoded(), as: UTF8.self)
    }
}

/// The states of a login as a line of steps, with the present one marked.
struct LoginStates: Sendable {
    let status: String

    private static let steps = [
        ("pending", "the user logs in"), ("exchanging", "the code is exchanged"),
        ("awaiting_return", "the app must prove that it is on the same phone"), ("completed", "the app has the result"),
    ]
    private static let ends = [
        "failed": "it cannot complete any more", "cancelled": "the user does not want it",
        "expired": "nobody finished in time",
    ]

    var markup: Markup {
        let other = Self.ends[self.status].map { [(self.status, $0)] } ?? []
        let present = (Self.steps + other).map { state, meaning -> Markup in
            let isNow = state == self.status
            let look: Markup = isNow && Self.ends[state] != nil ? " class=\"bad\"" : ""
            let mark: Markup = isNow ? " aria-current=\"step\"" : ""
            return "<li\(mark)\(look)><code>\(state)</code> <span>\(meaning)</span></li>\n"
        }
        return """
            <ol class="states" aria-label="The states of this login">
            \(present)</ol>
            """
    }
}
