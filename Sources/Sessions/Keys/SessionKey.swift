import Base
import Cryptography

/// A session key: 32 random bytes from a file. We only use keys derived from it, one for each purpose.
///
/// The keys of logins are others: those rotate with the logins, within hours, and sessions live for months.
package final class SessionKey: Sendable {
    package static let byteCount = 32
    package static let idByteCount = SealedRow.keyIDByteCount

    /// Identifies the key in a row. It is derived too, so it reveals nothing about the key.
    package let id: [UInt8]
    /// Encrypts what a row must not show.
    let seal: Secret
    let mac: HMACKey
    /// Finds the sessions of a user.
    let lookup: HMACKey
    /// Finds the marker of a user whose sessions have all been ended.
    let marker: HMACKey
    let nonce: HMACKey
    /// Names the sessions of bearer tokens, which have no key.
    let token: HMACKey

    /// Returns nil unless there are exactly 32 bytes.
    package init?(_ secret: Secret) {
        guard secret.count == Self.byteCount else { return nil }
        func derive(_ use: String, _ count: Int = 32) -> Secret {
            HKDF.derive(count, from: secret, info: Array("switchback/session/1/\(use)".utf8))
        }
        self.id = derive("id", Self.idByteCount).exposed
        self.seal = derive("seal")
        self.mac = HMACKey(derive("mac"))
        self.lookup = HMACKey(derive("lookup"))
        self.marker = HMACKey(derive("marker"))
        self.nonce = HMACKey(derive("nonce"))
        self.token = HMACKey(derive("token"))
    }

    /// Returns a new random key, for a sandbox or a test.
    package static func make() -> SessionKey {
        guard let key = SessionKey(Secret(RandomBytes.make(Self.byteCount))) else {
            preconditionFailure("32 bytes were made")
        }
        return key
    }

    /// Returns the column by which the sessions of a user of this app are found. A bare hash would not do: a subject
    /// can be a national id, and all of those can be tried.
    func person(app: String, subject: Secret) -> [UInt8] { Self.code(self.lookup, app, subject) }

    /// Returns the id of the row that notes when all sessions of a user of this app were ended. It has another key than
    /// `person`, so it leads to no session.
    func endMarker(app: String, subject: Secret) -> SessionID {
        SessionID(firstOf: Self.code(self.marker, app, subject))
    }

    private static func code(_ key: HMACKey, _ app: String, _ subject: Secret) -> [UInt8] {
        key.code { message in
            message.append(app)
            message.append([0])
            message.append(subject.exposed)
        }.array()
    }
}

/// All session keys: the first one encrypts, all of them decrypt.
package struct SessionKeys: Sendable {
    package let first: SessionKey
    package let all: [SessionKey]

    /// Returns nil for an empty list.
    package init?(_ keys: [SessionKey]) {
        guard let first = keys.first else { return nil }
        self.first = first
        self.all = keys
    }

    /// Returns the key with this id, or nil if it has been retired.
    package func key(_ id: [UInt8]) -> SessionKey? { self.all.first { $0.id == id } }
}
