import Base

/// The state of a backchannel transaction at its broker.
package enum BackchannelProgress: Sendable {
    /// The user is not done.
    case pending(Hint?)
    /// We poll too often: wait five seconds longer from now on (CIBA 11).
    case slowDown
    /// An authorization response, as a browser would have delivered it.
    case response([Parameter])
    /// A token response.
    case tokenResponse(BrokerAnswer)
}
