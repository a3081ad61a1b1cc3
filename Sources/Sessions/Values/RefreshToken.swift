import Base

/// A refresh token: the id of its session, by which we find the row, and 32 random bytes, which the row keeps.
///
/// It never changes while the session lasts (RFC 9700 §2.2.2): it is worth nothing without the DPoP key, and a phone
/// that loses a response is not signed out.
struct RefreshToken: Equatable, Sendable {
    static let randomByteCount = 32
    private static let byteCount = SessionID.byteCount + Self.randomByteCount

    let session: SessionID
    let random: Secret

    init(session: SessionID, random: Secret) {
        self.session = session
        self.random = random
    }

    /// Returns nil for a text that is no refresh token of ours.
    init?(_ text: Secret) {
        guard text.count == 64, let bytes = Base64URL.decode(text.exposedText), bytes.count == Self.byteCount,
            let session = SessionID(Array(bytes.prefix(SessionID.byteCount)))
        else { return nil }
        self.init(session: session, random: Secret(Array(bytes.dropFirst(SessionID.byteCount))))
    }

    static func makeRandom() -> Secret { Secret(RandomBytes.make(Self.randomByteCount)) }

    var text: Secret { Base64URL.encode(Secret(self.session.bytes + self.random.exposed)) }
}
