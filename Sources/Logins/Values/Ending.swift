/// How a login ended, as its page tells it once everything else is wiped.
enum Ending: Equatable, Sendable {
    /// The app has acknowledged the result.
    case delivered
    /// The login completed, and the app never acknowledged the result. It was kept long enough.
    case unclaimed
    case failed(Reason)
    case cancelled(Reason)
    case expired

    /// Nil while the login is not final.
    init?(_ state: Login.State, isAcknowledged: Bool) {
        switch state {
        case .pending, .exchanging, .awaitingReturn: return nil
        case .completed: self = isAcknowledged ? .delivered : .unclaimed
        case .failed(let reason, _): self = .failed(reason)
        case .cancelled(let reason, _): self = .cancelled(reason)
        case .expired: self = .expired
        case .gone(let ending, _): self = ending
        }
    }
}
