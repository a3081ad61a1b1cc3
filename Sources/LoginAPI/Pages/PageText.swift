import Logins

/// The keys of all page texts in the files of `strings`.
enum PageText: String, CaseIterable, Sendable {
    case completingTitle = "completing_title"
    case completingText = "completing_text"
    case awaitingReturnTitle = "awaiting_return_title"
    case awaitingReturnText = "awaiting_return_text"
    /// The same, if only the code leads back to the app.
    case awaitingCodeText = "awaiting_code_text"
    /// An attacker may have sent the user the link of the attacker's own login.
    case notStartedHint = "not_started_hint"
    case timeLeftText = "time_left_text"
    case littleTimeLeftText = "little_time_left_text"
    /// Asks for more time, once.
    case moreTimeButton = "more_time_button"
    /// The answer.
    case moreTimeHint = "more_time_hint"
    case codeUsedUpTitle = "code_used_up_title"
    /// Nothing leads back to the app any more.
    case codeUsedUpText = "code_used_up_text"
    /// The button still leads back.
    case codeUsedUpHint = "code_used_up_hint"
    case completedTitle = "completed_title"
    case completedText = "completed_text"
    case acknowledgedTitle = "acknowledged_title"
    case acknowledgedText = "acknowledged_text"
    case cancelledTitle = "cancelled_title"
    case cancelledText = "cancelled_text"
    case expiredTitle = "expired_title"
    case expiredText = "expired_text"
    case overTitle = "over_title"
    case overText = "over_text"
    case unavailableTitle = "unavailable_title"
    case unavailableText = "unavailable_text"
    case openElsewhereTitle = "open_elsewhere_title"
    case openElsewhereText = "open_elsewhere_text"
    case continuedElsewhereTitle = "continued_elsewhere_title"
    case continuedElsewhereText = "continued_elsewhere_text"
    case neutralTitle = "neutral_title"
    case neutralText = "neutral_text"
    case linkTitle = "link_title"
    case linkText = "link_text"
    /// At the address of the server itself.
    case homeTitle = "home_title"
    case homeText = "home_text"
    case unreadableTitle = "unreadable_title"
    case unreadableText = "unreadable_text"
    case busyTitle = "busy_title"
    case busyText = "busy_text"
    case providerOffTitle = "provider_off_title"
    /// Used unless the operator has words of its own. Apps get it too, so it does not name the app.
    case providerOffText = "provider_off_text"
    case failedTitle = "failed_title"
    case brokerErrorText = "failed_broker_error_text"
    case brokerUnavailableText = "failed_broker_unavailable_text"
    case invalidResponseText = "failed_invalid_response_text"
    case invalidTokenText = "failed_invalid_token_text"
    case notFreshText = "failed_not_fresh_text"
    case assuranceTooLowText = "failed_assurance_too_low_text"
    case interruptedText = "failed_interrupted_text"
    case backButton = "back_button"
    /// Asks the same again.
    case againButton = "again_button"
    /// Used if the page asks the same again by itself.
    case againHint = "again_hint"
    /// The same, if that is in two minutes or more.
    case againLaterHint = "again_later_hint"
    /// Used if only the browser can send the same again, because it came as a form.
    case reloadHint = "reload_hint"
    /// Used if there is no button.
    case closeHint = "close_hint"
    /// Unfolds the code, for users whose button does nothing.
    case codeSummary = "code_summary"
    /// Above the code that the user types into the app.
    case codeLabel = "code_label"
    /// An attacker who gets the code from the user gets the login.
    case codeWarning = "code_warning"
    /// The same, if the app is a web page.
    case codeWarningOnWeb = "code_warning_on_web"
    case referenceLabel = "reference_label"
    case referenceHint = "reference_hint"
    case supportLink = "support_link"
}

/// The texts of each kind of page.
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
        case .busy: .busyTitle
        case .providerOff: .providerOffTitle
        case .openElsewhere: .openElsewhereTitle
        case .continuedElsewhere: .continuedElsewhereTitle
        case .neutral: .neutralTitle
        case .linkOpened: .linkTitle
        case .notice(.home): .homeTitle
        case .notice(.unreadable): .unreadableTitle
        }
    }

    /// Returns what happened and what to do now.
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
        case .busy: .busyText
        case .providerOff: .providerOffText
        case .openElsewhere: .openElsewhereText
        case .continuedElsewhere: .continuedElsewhereText
        case .neutral: .neutralText
        case .linkOpened: .linkText
        case .notice(.home): .homeText
        case .notice(.unreadable): .unreadableText
        }
    }

    /// Returns how much time is left; nil if there is nothing left to do.
    static func time(of view: PageView) -> PageText? {
        switch view.kind {
        case .awaitingReturn: view.isEnding ? .littleTimeLeftText : .timeLeftText
        case .codeUsedUp where !view.isCodeOnly: view.isEnding ? .littleTimeLeftText : .timeLeftText
        case .codeUsedUp, .completing, .completed, .acknowledged, .failed, .cancelled, .expired, .over, .unavailable,
            .busy, .providerOff, .openElsewhere, .continuedElsewhere, .neutral, .linkOpened, .notice:
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
