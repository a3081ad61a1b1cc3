/// Every text of the pages: its key in `strings.yaml`.
import Logins

enum PageText: String, CaseIterable, Sendable {
    /// `ltr` or `rtl`.
    case direction
    case completingTitle = "completing_title"
    case completingText = "completing_text"
    case awaitingReturnTitle = "awaiting_return_title"
    case awaitingReturnText = "awaiting_return_text"
    /// The same, where only the code leads back.
    case awaitingCodeText = "awaiting_code_text"
    case timeLeftText = "time_left_text"
    case littleTimeLeftText = "little_time_left_text"
    case codeUsedUpTitle = "code_used_up_title"
    /// Where nothing leads back any more.
    case codeUsedUpText = "code_used_up_text"
    /// Where the button still does.
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
    /// What unfolds the code, for whom the button does nothing.
    case codeSummary = "code_summary"
    /// Before the code that people type into the app.
    case codeLabel = "code_label"
    /// Somebody who talks a person out of the code gets the login.
    case codeWarning = "code_warning"
    case referenceLabel = "reference_label"
    case referenceHint = "reference_hint"
}
