/// The status of a login, with the names of the API.
package enum LoginStatus: String, CaseIterable, Sendable {
    case pending
    case exchanging
    case awaitingReturn = "awaiting_return"
    case completed
    case failed
    case cancelled
    case expired

    package var isFinal: Bool {
        switch self {
        case .pending, .exchanging, .awaitingReturn: false
        case .completed, .failed, .cancelled, .expired: true
        }
    }
}
