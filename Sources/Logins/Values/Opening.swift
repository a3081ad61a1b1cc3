/// One trip of a browser to the broker: its own `state`, `nonce` and PKCE verifier.
import Base

struct Opening: Equatable, Sendable {
    /// The random part of its `state`.
    let id: [UInt8]
    let openedAt: Timestamp
    /// The nonce, the verifier and, for `authorize: direct`, the URL: sealed, wiped when the login is answered.
    let flight: [UInt8]
    /// Whoever asks the broker about it promises to be there until then; nil where nobody has to ask.
    var walkedUntil: Timestamp?
    /// A browser without its cookie went on with it. The cookie then no longer tells which browser set out, so it proves
    /// nothing.
    var isShared = false

    static let idByteCount = 16
    /// A login has at most this many. None makes room for another: its answer may still come.
    static let mostAtOnce = 3
}

/// The one authorization response that a login took.
struct TakenResponse: Equatable, Sendable {
    let opening: [UInt8]
    /// HMAC of the code or the error, so that the same response is recognised and another one is not.
    let hash: [UInt8]
    /// Whether the app has brought it, from a link to which the broker had sent it.
    var isByApp = false
    /// Whether a browser has brought it that has the cookie of the opening. Never set for a shared opening.
    var hasCookie = false
    /// Whether the opening was shared.
    var isShared = false
}
