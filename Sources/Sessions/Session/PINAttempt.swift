import Base

/// The last PIN attempt that was judged, or the change of the PIN after it. By it we recognise a repeated request,
/// which gets the same verdict and counts once.
struct PINAttempt: Equatable, Sendable {
    /// Later attempts and changes need a newer nonce, so parallel guesses on one nonce count once, and a copy of an old
    /// request changes nothing.
    let nonceTime: Timestamp
    /// The hash of the DPoP proof.
    let hash: [UInt8]
    let isRight: Bool
}
