/// How a login ended, for its page once everything else is wiped.
enum TombstoneStatus: Equatable, Sendable {
    /// The app acknowledged the result.
    case delivered
    /// The login completed, but the app did not acknowledge the result before its time was over.
    case unclaimed
    case failed(Reason)
    case cancelled(Reason)
    case expired

    /// Returns nil while the login is not final.
    init?(_ state: Login.State, isAcknowledged: Bool) {
        switch state {
        case .pending, .exchanging, .awaitingReturn: return nil
        case .completed: self = isAcknowledged ? .delivered : .unclaimed
        case .failed(let reason, _): self = .failed(reason)
        case .cancelled(let reason, _): self = .cancelled(reason)
        case .expired: self = .expired
        case .gone(let status, _): self = status
        }
    }
}
