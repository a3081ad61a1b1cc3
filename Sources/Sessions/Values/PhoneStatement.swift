import Attestation
import Cryptography
import Logins

/// What a phone states for one login.
package struct PhoneStatement: Sendable {
    let statement: AttestationStatement
    /// SHA-256("switchback/attest/1" ‖ login id). The app knows it before the login starts, because the id comes from
    /// its poll secret, and Android makes the key with it. The id is the text that is sent.
    let challenge: [UInt8]

    package init(_ statement: AttestationStatement, for login: LoginID) {
        self.statement = statement
        self.challenge = Digest.sha256.hash(Array("switchback/attest/1\(login)".utf8))
    }
}
