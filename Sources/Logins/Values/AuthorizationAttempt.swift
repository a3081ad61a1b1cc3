import Base

/// An authorization attempt: one journey of a browser to the broker, with its own `state`, `nonce` and PKCE verifier.
struct AuthorizationAttempt: Equatable, Sendable {
    /// The random part of its `state`.
    let id: [UInt8]
    let openedAt: Timestamp
    /// The in-flight values: the nonce, the verifier and, for `authorize: direct`, the URL. They are encrypted, and
    /// wiped when the login takes a response.
    let inFlight: [UInt8]
    /// The lease of the process that polls the broker for this attempt. Nil if no process has to.
    var pollLeaseUntil: Timestamp?
    /// A browser without the attempt's cookie continued it. The cookie then no longer tells which browser started the
    /// attempt, so it proves nothing.
    var isShared = false

    static let idByteCount = 16
    /// The most attempts of one login. None is removed to make room for another, because its response may still arrive.
    static let maxAtOnce = 3
}

/// The one authorization response that a login took.
struct AcceptedResponse: Equatable, Sendable {
    let attempt: [UInt8]
    /// An HMAC of the code or the error. It recognises the same response and tells other ones apart.
    let hash: [UInt8]
    /// Whether the app delivered it, from a link to which the broker had redirected.
    var isByApp = false
    /// Whether a browser with the attempt's cookie delivered it. Never set for a shared attempt.
    var hasCookie = false
    /// Whether the attempt was shared.
    var isShared = false
}
