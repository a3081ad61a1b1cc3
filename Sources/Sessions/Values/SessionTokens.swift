import Base

/// What an app gets when a session begins or is renewed.
package struct SessionTokens: Sendable {
    package let sessionID: SessionID
    /// Nil if the e-ID login is too old to give one without a renewal.
    package let accessToken: String?
    /// False if the token is bound to the app's key (`token_type` is then `DPoP`).
    package let isBearer: Bool
    package let expiresIn: Duration
    /// Nil at the level `access`. It never changes while the session lasts.
    package let refreshToken: Secret?
    /// Whether a PIN is set. Nil unless the level is `unlock`.
    package let isPINSet: Bool?
    /// The name that the app gave the PIN that is set.
    package let pinID: String?
    package let level: SessionLevel

    init(
        sessionID: SessionID, accessToken: String?, isBearer: Bool, expiresIn: Duration, refreshToken: Secret? = nil,
        isPINSet: Bool? = nil, pinID: String? = nil, level: SessionLevel
    ) {
        self.sessionID = sessionID
        self.accessToken = accessToken
        self.isBearer = isBearer
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
        self.isPINSet = isPINSet
        self.pinID = pinID
        self.level = level
    }
}

/// Hides the tokens.
extension SessionTokens: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "SessionTokens(\(self.sessionID))" }

    package var debugDescription: String { self.description }

    package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
