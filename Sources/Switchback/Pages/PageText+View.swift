/// Which texts tell a page of this kind.
import Logins

extension PageText {
    static func title(of view: PageView) -> PageText {
        switch view.kind {
        case .completing: .completingTitle
        case .awaitingReturn: .awaitingReturnTitle
        case .codeUsedUp: view.isCodeOnly ? .codeUsedUpTitle : .awaitingReturnTitle
        case .completed: .completedTitle
        case .acknowledged: .acknowledgedTitle
        case .failed(.userCancelled), .failed(.appCancelled), .cancelled: .cancelledTitle
        case .failed(.timeout), .expired: .expiredTitle
        case .failed: .failedTitle
        case .over: .overTitle
        case .unavailable: .unavailableTitle
        case .openElsewhere: .openElsewhereTitle
        case .continuedElsewhere: .continuedElsewhereTitle
        case .neutral: .neutralTitle
        case .linkOpened: .linkTitle
        }
    }

    /// What happened and what to do now.
    static func text(of view: PageView) -> PageText {
        switch view.kind {
        case .completing: .completingText
        case .awaitingReturn: view.isCodeOnly ? .awaitingCodeText : .awaitingReturnText
        case .codeUsedUp: view.isCodeOnly ? .codeUsedUpText : .awaitingReturnText
        case .completed: .completedText
        case .acknowledged: .acknowledgedText
        case .failed(let reason): Self.text(of: reason)
        case .cancelled: .cancelledText
        case .expired: .expiredText
        case .over: .overText
        case .unavailable: .unavailableText
        case .openElsewhere: .openElsewhereText
        case .continuedElsewhere: .continuedElsewhereText
        case .neutral: .neutralText
        case .linkOpened: .linkText
        }
    }

    /// How much time the person has; nil where there is nothing to do in time.
    static func time(of view: PageView) -> PageText? {
        switch view.kind {
        case .awaitingReturn: view.isEnding ? .littleTimeLeftText : .timeLeftText
        case .codeUsedUp where !view.isCodeOnly: view.isEnding ? .littleTimeLeftText : .timeLeftText
        case .codeUsedUp, .completing, .completed, .acknowledged, .failed, .cancelled, .expired, .over, .unavailable,
            .openElsewhere, .continuedElsewhere, .neutral, .linkOpened:
            nil
        }
    }

    private static func text(of reason: Reason) -> PageText {
        switch reason {
        case .userCancelled, .appCancelled: .cancelledText
        case .timeout: .expiredText
        case .brokerError: .brokerErrorText
        case .brokerUnavailable: .brokerUnavailableText
        case .invalidResponse: .invalidResponseText
        case .invalidToken: .invalidTokenText
        case .notFresh: .notFreshText
        case .assuranceTooLow: .assuranceTooLowText
        case .interrupted: .interruptedText
        }
    }
}
