import SwitchbackClient

/// What a screen shows of a login that needs the user: its texts and buttons. Decide by `kind`.
public struct LoginScreen: Hashable, Sendable {
    /// Which screen it is. Show one that you do not know with its texts and buttons.
    public struct Kind: Coded {
        /// Such as `code`.
        public let code: String

        /// The user seems to have left the browser.
        public static let paused = Kind(code: "paused")
        /// The e-ID's app did not open.
        public static let appMissing = Kind(code: "app_missing")
        /// The user types the six digits of the page.
        public static let code = Kind(code: "code")
        /// The server gives no usable response, and the library retries.
        public static let retrying = Kind(code: "retrying")
        /// The login goes on by itself. Only a screen that is there already becomes this one.
        public static let working = Kind(code: "working")
    }

    /// A button of a screen.
    public struct Button: Hashable, Sendable, Identifiable {
        /// What a button does. Leave one out that you do not know.
        public struct Action: Coded {
            /// Such as `give_up`.
            public let code: String

            /// Sends the digits: `enter(code:)`.
            public static let sendCode = Action(code: "send_code")
            /// Opens what the login waits for: `continueLogin`.
            public static let continueLogin = Action(code: "continue_login")
            /// Gives up: `cancel`.
            public static let giveUp = Action(code: "give_up")
        }

        /// What the button does.
        public let action: Action
        /// What stands on it.
        public let title: String

        /// The code of the action: no screen has one twice.
        public var id: String { self.action.code }
    }

    /// Which screen it is.
    public let kind: Kind
    /// What happened.
    public let title: String
    /// What to do now. Nil if there is nothing.
    public let text: String?
    /// What was wrong with the last try. Nil if nothing was.
    public let note: String?
    /// What the user can read out to support, with its label. Nil before the server's first response.
    public let reference: String?
    /// The buttons. The first is what most users want, if there is more than one.
    public let buttons: [Button]
    /// The name of the field for the code.
    public let fieldLabel: String
}

extension LoginScreen {
    /// Reads the progress of a login. Nil if it needs no screen. `isOpen` says whether there is a screen already: it
    /// stays until the login is over, because closing it would close a browser that was opened over it. `hasBrowser`
    /// says whether a browser is on top of the window: no screen can open below it.
    public init?(_ progress: LoginProgress, texts: ScreenTexts, isOpen: Bool, hasBrowser: Bool = false) {
        guard isOpen || !hasBrowser else { return nil }
        let (giveUp, goOn) = (
            Button(action: .giveUp, title: texts.giveUpButton),
            Button(action: .continueLogin, title: texts.continueButton)
        )
        var text: String?
        var note: String?
        switch progress.kind {
        case .paused:
            (self.kind, self.title) = (.paused, texts.pausedTitle)
            text = progress.canContinue ? texts.pausedText : nil
            self.buttons = progress.canContinue ? [goOn, giveUp] : [giveUp]
        case .appMissing:
            (self.kind, self.title) = (.appMissing, texts.appMissingTitle)
            text = progress.canContinue ? texts.appMissingText : texts.appNeededText
            self.buttons = progress.canContinue ? [goOn, giveUp] : [giveUp]
        case .codeWanted:
            (self.kind, self.title, text) = (.code, texts.codeTitle, texts.codeText)
            note = progress.triesLeft.map { "\(texts.wrongCodeText) \(texts.triesLabel): \($0)" }
            let showPage = Button(action: .continueLogin, title: texts.showPageButton)
            self.buttons =
                [Button(action: .sendCode, title: texts.continueButton)]
                + (progress.canContinue ? [showPage, giveUp] : [giveUp])
        case .retrying:
            (self.kind, self.title, text) = (.retrying, texts.retryingTitle, texts.retryingText)
            self.buttons = [giveUp]
        case .idle, .over: return nil
        default:
            guard isOpen else { return nil }
            (self.kind, self.title) = (.working, texts.workingTitle)
            self.buttons = [giveUp]
        }
        (self.text, self.note) = (text, note)
        self.reference = progress.reference.map { "\(texts.referenceLabel): \($0)" }
        self.fieldLabel = texts.codeLabel
    }

    /// What VoiceOver says when the screen changes.
    public var announcement: String { [self.note, self.title].compactMap { $0 }.first ?? "" }
}
