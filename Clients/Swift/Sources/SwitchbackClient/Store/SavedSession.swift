import Foundation

/// A session as it is stored on the device: all that is needed to go on after the app was killed.
///
/// It contains the refresh token. That is useless without the session's key, but ends the session, so store it where
/// only this app can read it.
public struct SavedSession: Equatable, Sendable {
    /// The name of the session's keys. It is stored before a key is made, so that no key is forgotten.
    public internal(set) var keyName: String?
    /// The key's public half, once it is made.
    var key: P256PublicKey?
    /// The session at the server; nil before it began and after it is over.
    var session: Session?
    /// Why there is none.
    var signOutReason: SignOutReason = .neverSignedIn
    /// The PIN's secret, as the phone keeps it. There are more than one only while it is unknown which of them the
    /// server has, because the response to a new PIN was lost. The newest comes first.
    var pins: [WrappedPIN] = []
    /// Whether the app has called `lock`.
    var isLocked = false
    /// Refresh tokens that the server has not revoked yet.
    var revocations: [Secret] = []

    /// Creates an empty record: no session was begun.
    public init() {}

    struct Session: Equatable, Sendable {
        let id: String
        /// Nil when the server allows no renewal. The access token is then all there is.
        var refreshToken: Secret?
        /// Whether the server has a PIN. Nil when the session can have none.
        var hasPIN: Bool?
        /// The access token of a session without renewal, and its end by the wall clock.
        var accessToken: Secret?
        var expiresAt: Date?
    }
}

/// A PIN's secret as the device keeps it: masked by a key that is derived from the PIN, and encrypted by hardware.
///
/// Nothing in it shows whether a PIN is right.
public struct WrappedPIN: Codable, Hashable, Sendable {
    let salt: Data
    let iterations: Int
    /// The masked secret, encrypted by the key for PINs.
    let masked: Data
    /// The secret itself, encrypted by the key for biometrics; nil without biometrics.
    var biometric: Data?

    /// The name by which the server says which PIN it has. Each PIN has another salt, which is not secret.
    var id: String { Base64URL.encode(self.salt) }
}

extension SavedSession: Codable {
    private enum CodingKeys: String, CodingKey {
        case key, session, pins, revocations
        case keyName = "key_name"
        case signOutReason = "sign_out_reason"
        case isLocked = "is_locked"
    }

    /// Reads what `encode` wrote.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.keyName = try values.decodeIfPresent(String.self, forKey: .keyName)
        self.key = try values.decodeIfPresent(P256PublicKey.self, forKey: .key)
        self.session = try values.decodeIfPresent(Session.self, forKey: .session)
        let reason = try values.decodeIfPresent(String.self, forKey: .signOutReason)
        self.signOutReason = reason.map(SignOutReason.init) ?? .neverSignedIn
        self.pins = try values.decodeIfPresent([WrappedPIN].self, forKey: .pins) ?? []
        self.isLocked = try values.decodeIfPresent(Bool.self, forKey: .isLocked) ?? false
        self.revocations = try values.decodeIfPresent([String].self, forKey: .revocations)?.map(Secret.init) ?? []
    }

    /// Writes the record for the storage. No other code writes the tokens.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(self.keyName, forKey: .keyName)
        try values.encodeIfPresent(self.key, forKey: .key)
        try values.encodeIfPresent(self.session, forKey: .session)
        try values.encode(self.signOutReason.code, forKey: .signOutReason)
        try values.encode(self.pins, forKey: .pins)
        try values.encode(self.isLocked, forKey: .isLocked)
        try values.encode(self.revocations.map(\.exposed), forKey: .revocations)
    }
}

extension SavedSession.Session: Codable {
    private enum CodingKeys: String, CodingKey {
        case id
        case refreshToken = "refresh_token"
        case hasPIN = "has_pin"
        case accessToken = "access_token"
        case expiresAt = "expires_at"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.id = try values.decode(String.self, forKey: .id)
        guard Login.isID(self.id) else {
            throw DecodingError.dataCorruptedError(forKey: .id, in: values, debugDescription: "not a session id")
        }
        self.refreshToken = try values.decodeIfPresent(String.self, forKey: .refreshToken).map(Secret.init)
        self.hasPIN = try values.decodeIfPresent(Bool.self, forKey: .hasPIN)
        self.accessToken = try values.decodeIfPresent(String.self, forKey: .accessToken).map(Secret.init)
        self.expiresAt = try values.decodeIfPresent(Date.self, forKey: .expiresAt)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(self.id, forKey: .id)
        try values.encodeIfPresent(self.refreshToken?.exposed, forKey: .refreshToken)
        try values.encodeIfPresent(self.hasPIN, forKey: .hasPIN)
        try values.encodeIfPresent(self.accessToken?.exposed, forKey: .accessToken)
        try values.encodeIfPresent(self.expiresAt, forKey: .expiresAt)
    }
}
