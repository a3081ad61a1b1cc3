/// How far a login had come that ended because nobody continued it: its time was over, or the app cancelled it.
package enum LoginStage: String, CaseIterable, Sendable {
    /// Nobody was sent to the broker. With `authorize: direct` the app opens the broker itself, and we do not see it.
    case neverOpened = "never_opened"
    /// The broker's response did not come: the user did not finish there, or the browser did not come back.
    case noCallback = "no_callback"
    /// The browser came back, and the broker, which we ask for the result, did not have it yet.
    case noResult = "no_result"
    /// The broker's response is there, and its code was not redeemed in time.
    case noToken = "no_token"
    /// The code is redeemed, and the tokens were not verified in time.
    case noIdentity = "no_identity"
    /// The user is known, and the same-device proof did not come.
    case noProof = "no_proof"
}

extension LoginStage {
    /// Returns the stage of a login that is not final. Nil for a final one.
    init?(_ login: Login) {
        switch login.state {
        case .pending where login.acceptedResponse != nil: self = .noResult
        case .pending: self = login.attempts.isEmpty ? .neverOpened : .noCallback
        case .exchanging(let exchange): self = exchange.tokenResponse == nil ? .noToken : .noIdentity
        case .awaitingReturn: self = .noProof
        case .completed, .failed, .cancelled, .expired, .gone: return nil
        }
    }
}
