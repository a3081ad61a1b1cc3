import Base

/// What the browser's page shows: the status of the login now, and how to return to the app.
package struct PageView: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case completing
        /// The user has logged in, and must return to the app with this page's link or code.
        case awaitingReturn
        /// The same, after too many wrong codes. Only the link is left, if it carries a proof.
        case codeUsedUp
        case completed
        /// The app has acknowledged the result.
        case acknowledged
        case failed(Reason)
        case cancelled
        /// The response came too late.
        case expired
        /// The login completed, but its result is no longer kept. We do not know whether the app has it.
        case over
        /// The broker or the store cannot be reached now. The user may try the same link again.
        case unavailable
        /// The caller or the login has used up what it may ask of a broker, or our queue for the broker is full. The
        /// broker and the store are well. The user may try the same link again.
        case busy
        /// The provider is switched off, and nobody has opened the login yet. The user may try the same link later.
        case providerOff
        /// The login is open in another window, where the user can continue.
        case openElsewhere
        /// The login took the response of another window.
        case continuedElsewhere
        /// The page belongs to no login that we know, or not to this browser.
        case neutral
        /// A link to the app opened in a browser. It belongs to no login that we know.
        case linkOpened
        /// The browser has not asked for a login, or not in a way that we understand.
        case notice(Notice)
    }

    /// What a page says that is not about a login.
    package enum Notice: Hashable, Sendable, CaseIterable {
        /// Somebody opened the address of the server itself.
        case home
        /// The request is malformed, too large, or too slow.
        case unreadable
    }

    package let kind: Kind
    package private(set) var reference: String?
    package let app: String?
    package let provider: String?
    /// The link back to the app, if it has one.
    package var returnURL: String?
    /// The code that the user types into the app.
    package var code: String?
    /// Whether the link back carries no proof, so that only the code helps.
    package var isCodeOnly = false
    /// Whether the app is a web page, which may be open on a computer.
    package var isOnWeb = false
    /// Whether less than a minute is left to return to the app.
    package var isEnding = false
    /// How much time is left to return to the app. Nil if there is nothing to return with.
    package var timeLeft: Duration?
    /// Whether the user has asked for more time, which is possible once.
    package var hasMoreTime = false
    /// The next time at which the page changes without a request. Nil if there is none.
    package var changesAt: Timestamp?
    /// Whether the page's own URL asks the same again, and that may help.
    package var canRetry = false
    /// The time after which the same link works again; nil if it is not known.
    package var retryAfter: Duration?
    /// The seconds after which the page loads itself again; nil if it does not.
    package var reloadsAfter: Int?
    /// The locale that the app asked for.
    package private(set) var locale: String?

    package init(
        _ kind: Kind, reference: String? = nil, app: String? = nil, provider: String? = nil, locale: String? = nil
    ) {
        self.kind = kind
        self.reference = reference
        self.app = app
        self.provider = provider
        self.locale = locale
    }

    /// The page for a browser that was refused with this error.
    package init(after error: LoginFlowError) {
        guard case .overBudget(let time) = error else {
            self.init(.unavailable)
            return
        }
        self.init(.busy)
        self.retryAfter = time
    }

    /// The same page for every login, with all that it shows. Nil if it shows something that only its login or its
    /// request has: a link, a code or a reference.
    ///
    /// What it does not show is named here, so that a new property makes another page until somebody says otherwise.
    package var shared: PageView? {
        guard self.code == nil, self.returnURL == nil, self.timeLeft == nil, !self.isFailure || self.reference == nil
        else { return nil }
        var view = self
        view.reference = nil
        view.locale = nil
        view.changesAt = nil
        view.retryAfter = nil
        return view
    }

    /// Whether the page offers more time: in the last minute, once.
    package var offersMoreTime: Bool { self.timeLeft != nil && self.isEnding && !self.hasMoreTime }

    /// True while the page is about to change without the user. The browser's request may then wait.
    package var mayChange: Bool { self.kind == .completing }
}

extension PageView {
    /// The name of the current state. An open page reloads when it differs from its own.
    package var state: String {
        switch self.kind {
        case .completing: "exchanging"
        case .awaitingReturn: self.isEnding ? "awaiting_return_ending" : "awaiting_return"
        case .codeUsedUp: self.isEnding ? "code_used_up_ending" : "code_used_up"
        case .completed: "completed"
        case .acknowledged: "acknowledged"
        case .failed(.userCancelled), .failed(.appCancelled), .cancelled: "cancelled"
        case .failed(.timeout), .expired: "expired"
        case .failed: "failed"
        case .over: "over"
        case .unavailable: "unavailable"
        case .busy: "busy"
        case .providerOff: "provider_off"
        case .openElsewhere: "open_elsewhere"
        case .continuedElsewhere: "continued_elsewhere"
        case .neutral, .linkOpened, .notice: "unknown"
        }
    }

    /// True if the page can never change again.
    package var isLast: Bool {
        switch self.kind {
        case .completing, .awaitingReturn, .codeUsedUp, .completed, .unavailable, .busy, .providerOff, .openElsewhere:
            false
        case .acknowledged, .failed, .cancelled, .expired, .over, .continuedElsewhere, .neutral, .linkOpened,
            .notice:
            true
        }
    }

    /// True if the user was not logged in and did not cancel. The page may then suggest to contact support.
    package var isFailure: Bool {
        switch self.kind {
        case .failed(.userCancelled), .failed(.appCancelled): false
        case .failed, .expired, .unavailable: true
        case .codeUsedUp: self.isCodeOnly
        case .completing, .awaitingReturn, .completed, .acknowledged, .cancelled, .over, .busy, .providerOff,
            .openElsewhere, .continuedElsewhere, .neutral, .linkOpened, .notice:
            false
        }
    }
}

/// Where to send the browser that delivered the authorization response.
package enum BrowserDestination: Equatable, Sendable {
    /// The page of this login, with its token.
    case page(token: String)
    /// A link that opens the app. The browser session ends there and shows no page.
    case app(url: String)
}
