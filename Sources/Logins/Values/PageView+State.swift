/// The word that tells an open page that it has to show something else.
extension PageView {
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
