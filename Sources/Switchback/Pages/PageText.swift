/// Every text of the pages: its key in `strings.yaml`.
import Logins

enum PageText: String, CaseIterable, Sendable {
    /// `ltr` or `rtl`.
    case direction
    case completingTitle = "completing_title"
    case completingText = "completing_text"
    case awaitingReturnTitle = "awaiting_return_title"
    case awaitingReturnText = "awaiting_return_text"
    case completedTitle = "completed_title"
    case completedText = "completed_text"
    case cancelledTitle = "cancelled_title"
    case cancelledText = "cancelled_text"
    case expiredTitle = "expired_title"
    case expiredText = "expired_text"
    case unavailableTitle = "unavailable_title"
    case unavailableText = "unavailable_text"
    case openElsewhereTitle = "open_elsewhere_title"
    case openElsewhereText = "open_elsewhere_text"
    case neutralTitle = "neutral_title"
    case neutralText = "neutral_text"
    case linkTitle = "link_title"
    case linkText = "link_text"
    case failedTitle = "failed_title"
    case brokerErrorText = "failed_broker_error_text"
    case brokerUnavailableText = "failed_broker_unavailable_text"
    case invalidResponseText = "failed_invalid_response_text"
    case invalidTokenText = "failed_invalid_token_text"
    case notFreshText = "failed_not_fresh_text"
    case assuranceTooLowText = "failed_assurance_too_low_text"
    case interruptedText = "failed_interrupted_text"
    /// What stands for the name of an app that has none.
    case theApp = "the_app"
    case backButton = "back_button"
    /// Where there is no button.
    case closeHint = "close_hint"
    /// Before the code that people type into the app.
    case codeLabel = "code_label"
    /// Somebody who talks a person out of the code gets the login.
    case codeWarning = "code_warning"
    case referenceLabel = "reference_label"
    case referenceHint = "reference_hint"

    static func title(of kind: PageView.Kind) -> PageText {
        switch kind {
        case .completing: .completingTitle
        case .awaitingReturn: .awaitingReturnTitle
        case .completed: .completedTitle
        case .failed(.userCancelled), .failed(.appCancelled), .cancelled: .cancelledTitle
        case .failed(.timeout), .expired: .expiredTitle
        case .failed: .failedTitle
        case .unavailable: .unavailableTitle
        case .openElsewhere: .openElsewhereTitle
        case .neutral: .neutralTitle
        case .linkOpened: .linkTitle
        }
    }

    /// What happened and what to do now.
    static func text(of kind: PageView.Kind) -> PageText {
        switch kind {
        case .completing: .completingText
        case .awaitingReturn: .awaitingReturnText
        case .completed: .completedText
        case .failed(let reason): Self.text(of: reason)
        case .cancelled: .cancelledText
        case .expired: .expiredText
        case .unavailable: .unavailableText
        case .openElsewhere: .openElsewhereText
        case .neutral: .neutralText
        case .linkOpened: .linkText
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
