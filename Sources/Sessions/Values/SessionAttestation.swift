/// What the phone's maker has attested for a session.
package enum SessionAttestation: UInt8, CaseIterable, Comparable, Sendable {
    case none = 0
    /// The app is genuine, and it vouches for the key (Apple App Attest).
    case app = 1
    /// The key is in hardware (Android key attestation). Only this makes `hwk` out of `pop` in `amr`.
    case key = 2

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
