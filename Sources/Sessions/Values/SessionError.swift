import Attestation

/// Why a request of a session is refused. The list is closed.
package enum SessionError: Error, Equatable, Sendable {
    /// The login may not become a session, or the session may not have a PIN.
    case notAllowed
    /// The login names no DPoP key, or the proof was made with another one.
    case keyRequired
    /// The app demands an attestation, and the request has none.
    case attestationRequired
    case attestationRefused(Refusal)
    /// The key already has a session of another person.
    case otherPerson
    /// The session has ended.
    case ended
    /// There is no such session, or the caller may not have it. All such refusals are equal.
    case unknown
    /// The inactivity timeout has passed, so the request needs the PIN. `id` is the name that the app gave it.
    case pinRequired(id: String?)
    case wrongPIN(triesLeft: Int)
    /// Only a new login with the e-ID helps: the PIN is locked out, or none was set in time.
    case locked
    /// The proof's nonce is not newer than that of the last PIN attempt. Nothing was counted; a new nonce helps.
    case staleNonce
    /// The e-ID login is too old to set a PIN without the old one.
    case tooLateForPIN
    case malformedPIN
    case storeUnavailable
}

extension SessionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAllowed: "the login may not become such a session: check the session setting of app and provider"
        case .keyRequired: "the proof was not made with the key of the login: name the key in the create request"
        case .attestationRequired: "the phone attests nothing: send an attestation"
        case .attestationRefused(let refusal): "the attestation is refused (\(refusal.rawValue)): make a new one"
        case .otherPerson: "the key has a session of another person: make a new key"
        case .ended: "the session has ended: log in again"
        case .unknown: "no such session: log in again"
        case .pinRequired: "the session is locked: unlock it with the PIN"
        case .wrongPIN(let triesLeft): "the PIN is wrong, with \(triesLeft) tries left: ask the user for it again"
        case .locked: "no PIN can unlock the session: log in again"
        case .staleNonce: "the nonce is too old: make a proof with a newer one"
        case .tooLateForPIN: "the login is too old to set a PIN: prove the old PIN, or log in again"
        case .malformedPIN: "the PIN's secret does not have 32 bytes: make a new one"
        case .storeUnavailable: "the store does not respond: try again"
        }
    }
}
