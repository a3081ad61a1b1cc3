import Base
import JOSE

/// What a record of the audit says.
///
/// It has no secret, and of people only a pseudonym that needs the server key to be made.
package enum AuditEvent: Equatable, Sendable {
    /// The first record of a chain: a server has started.
    case started(Start)
    /// The first record of a file that goes on after a rotation.
    case continued(key: AuditKey)
    /// A configuration is in use. `digest` is the SHA-256 of what `switchback config` prints, in hexadecimal.
    case configuration(digest: String, cause: Cause)
    /// The keys in use, and the key of the signatures that follow.
    case keys([KeyInUse], key: AuditKey)
    /// An app is sent the identity of a user. Each response counts.
    case delivered(Login)
    /// The app has stored the identity, and the server has wiped it.
    case acknowledged(login: String?, app: String?, provider: String?)
    /// An app is sent the tokens of a session that begins with a login, or of one that the login has found again.
    case sessionBegun(Session)
    /// An app is sent a new access token.
    case sessionRenewed(Session)
    /// The person has set the PIN of a session.
    case pinSet(Session)
    /// Five wrong PINs in a row have locked a session.
    case sessionLocked(Session)
    case sessionEnded(Session, cause: String)
    /// Records that could not be kept, and steps that were refused because theirs could not be written.
    case gap(Gap)
    /// Signs every record before it. The writer makes it.
    case signed(closes: Closing?, token: String)

    package enum Cause: String, CaseIterable, Sendable {
        case start
        case reload
    }

    /// What ends with a signature.
    package enum Closing: String, CaseIterable, Sendable {
        /// The server has stopped.
        case chain
        /// The chain goes on in another file.
        case file
    }

    /// A server that starts.
    package struct Start: Equatable, Sendable {
        let version: String
        let host: String
        let key: AuditKey
        /// Where the records ended that were in the file before. Nil for a new file, and for a pipe.
        var after: AuditTail?

        package init(version: String, host: String, key: AuditKey, after: AuditTail? = nil) {
            self.version = version
            self.host = host
            self.key = key
            self.after = after
        }
    }

    /// A login whose identity is delivered.
    package struct Login: Equatable, Sendable {
        let login: String
        let reference: String
        /// The pseudonym of `sub` (`AuditNames`).
        let who: String
        let app: String
        let provider: String
        let platform: String?
        /// `low`, `substantial`, `high` or `none`.
        let assurance: String
        let proof: String

        package init(
            login: String, reference: String, who: String, app: String, provider: String, platform: String?,
            assurance: String, proof: String
        ) {
            self.login = login
            self.reference = reference
            self.who = who
            self.app = app
            self.provider = provider
            self.platform = platform
            self.assurance = assurance
            self.proof = proof
        }
    }

    /// A session, as far as the step knows it.
    package struct Session: Equatable, Sendable {
        /// Nil for tokens without a session.
        let session: String?
        let app: String?
        let provider: String?
        /// The login that it began with.
        package var login: String?
        package var who: String?
        /// What the tokens allow: `access`, `refresh` or `unlock`.
        package var allows: String?

        package init(session: String?, app: String?, provider: String?) {
            self.session = session
            self.app = app
            self.provider = provider
        }
    }

    /// One of the keys of the server. The names of secret keys are derived from them and reveal nothing.
    package struct KeyInUse: Equatable, Sendable {
        let use: String
        let id: String
        let phase: String

        package init(use: String, id: String, phase: String) {
            self.use = use
            self.id = id
            self.phase = phase
        }
    }
}

/// A public key that verifies the signatures of the audit.
package struct AuditKey: Equatable, Sendable {
    package let jwk: JWK

    package init(_ jwk: JWK) { self.jwk = jwk }

    package static func == (one: Self, other: Self) -> Bool {
        one.jwk.keyID == other.jwk.keyID && one.jwk.thumbprint == other.jwk.thumbprint
    }
}

extension AuditEvent {
    /// The names of all events, as the records have them.
    package static let names = [
        "started", "continued", "configuration", "keys", "delivered", "acknowledged", "session_begun",
        "session_renewed", "pin_set", "session_locked_out", "session_ended", "gap", "signed",
    ]

    package var name: String {
        switch self {
        case .started: "started"
        case .continued: "continued"
        case .configuration: "configuration"
        case .keys: "keys"
        case .delivered: "delivered"
        case .acknowledged: "acknowledged"
        case .sessionBegun: "session_begun"
        case .sessionRenewed: "session_renewed"
        case .pinSet: "pin_set"
        case .sessionLocked: "session_locked_out"
        case .sessionEnded: "session_ended"
        case .gap: "gap"
        case .signed: "signed"
        }
    }
}

/// What the audit does not have a record of, because it could not be written.
package struct Gap: Equatable, Sendable {
    /// Steps that were done although their records are lost.
    package var dropped = 0
    /// Steps that were refused. None of them was done.
    package var refused = 0
    package let since: Timestamp
    package var until: Timestamp

    package init(since: Timestamp) {
        self.since = since
        self.until = since
    }
}

/// The last record of a file, as a server finds it when it starts.
package struct AuditTail: Equatable, Sendable {
    package let chain: String
    package let number: Int
    /// The hash of the record.
    package let hash: String
    /// The hash of what follows the last whole record, if a server was killed while it wrote.
    package var torn: String?

    package init(chain: String, number: Int, hash: String, torn: String? = nil) {
        self.chain = chain
        self.number = number
        self.hash = hash
        self.torn = torn
    }
}
