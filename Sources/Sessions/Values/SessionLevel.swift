/// What an app may get after a login. The raw values are the words of the setting `apps.*.session`.
package enum SessionLevel: String, CaseIterable, Comparable, Sendable {
    /// Nothing but the identity and the assertion.
    case none
    /// One access token. We keep nothing.
    case access
    /// New access tokens with the DPoP key.
    case refresh
    /// New access tokens with the DPoP key, and with a PIN whenever the inactivity timeout has passed.
    case unlock

    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .none: 0
        case .access: 1
        case .refresh: 2
        case .unlock: 3
        }
    }

    /// Whether we keep a row for such a session.
    var hasRow: Bool { self >= .refresh }
}

/// What the phone's maker has attested for a session.
package enum SessionAttestation: UInt8, CaseIterable, Comparable, Sendable {
    case none = 0
    /// The app is genuine, and it vouches for the key (Apple App Attest).
    case app = 1
    /// The key is in hardware (Android key attestation). Only this makes `hwk` out of `pop` in `amr`.
    case key = 2

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
