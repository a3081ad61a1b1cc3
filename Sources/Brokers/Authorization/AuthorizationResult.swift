import Base

/// What a valid authorization response says.
package enum AuthorizationResult: Sendable {
    /// A code or an artifact, to be exchanged.
    case granted(code: Secret)
    case denied(BrokerError)
    /// The browser is back without a result. The backchannel transaction has it.
    case landed

    /// The reason, if the login was denied.
    package var failure: BrokerError? {
        if case .denied(let failure) = self { failure } else { nil }
    }
}
