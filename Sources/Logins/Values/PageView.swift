/// What the browser's page says: what is true of the login now, and the way back to its app.
import Base

package struct PageView: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case completing
        /// The person logged in, and has to go back to the app by this page's link or code.
        case awaitingReturn
        /// The same, but the code was typed in wrong too often. Only the link is left, where it proves anything.
        case codeUsedUp
        case completed
        /// The app has acknowledged the result.
        case acknowledged
        case failed(Reason)
        case cancelled
        /// It came too late.
        case expired
        /// The login completed, and its result is not kept any more. Nobody knows here whether the app has it.
        case over
        /// The broker or the store cannot be reached now; the same link may be tried again.
        case unavailable
        /// The login is open in another window, which has what this one lacks.
        case openElsewhere
        /// The login was answered in another window.
        case continuedElsewhere
        /// It belongs to no login that we know, or not to this browser.
        case neutral
        /// A link to the app was opened in a browser. It is of no login that we know.
        case linkOpened
    }

    package let kind: Kind
    package let reference: String?
    package let app: String?
    /// The link back to the app, if it has one.
    package var returnURL: String?
    /// For people to type into the app.
    package var code: String?
    /// Whether the link back carries no proof, so that the code is the only way.
    package var isCodeOnly = false
    /// Whether less than a minute is left to go back to the app.
    package var isEnding = false
    /// When time alone changes the page next. Nil when it does not.
    package var changesAt: Timestamp?
    /// The locale that the app asked for.
    package let locale: String?

    package init(_ kind: Kind, reference: String? = nil, app: String? = nil, locale: String? = nil) {
        self.kind = kind
        self.reference = reference
        self.app = app
        self.locale = locale
    }

    /// True while the page says that it is about to change: nobody has to do anything, so a browser can be kept waiting.
    package var mayChange: Bool { self.kind == .completing }
}

extension PageView {
    /// The word that tells an open page that it has to show something else.
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
        case .openElsewhere: "open_elsewhere"
        case .continuedElsewhere: "continued_elsewhere"
        case .neutral, .linkOpened: "unknown"
        }
    }

    /// True when the page can never change again.
    package var isLast: Bool {
        switch self.kind {
        case .completing, .awaitingReturn, .codeUsedUp, .completed, .unavailable, .openElsewhere: false
        case .acknowledged, .failed, .cancelled, .expired, .over, .continuedElsewhere, .neutral, .linkOpened: true
        }
    }

    /// True when the person was not logged in, and it was not their own wish: support may be asked.
    package var isFailure: Bool {
        switch self.kind {
        case .failed(.userCancelled), .failed(.appCancelled): false
        case .failed, .expired, .unavailable: true
        case .codeUsedUp: self.isCodeOnly
        case .completing, .awaitingReturn, .completed, .acknowledged, .cancelled, .over, .openElsewhere,
            .continuedElsewhere, .neutral, .linkOpened:
            false
        }
    }
}
