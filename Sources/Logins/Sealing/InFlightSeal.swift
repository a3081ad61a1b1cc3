import Base
import Cryptography

/// Encrypts the in-flight values of a login: nonce and verifier, the code, the token response, the app's parameters.
///
/// AES-256-GCM under `HKDF(G_flight, salt id)`. The additional data binds a field to its login, attempt and place, so a
/// field cannot be moved elsewhere.
struct InFlightSeal {
    enum Field: UInt8 {
        case challenge = 1
        case code = 2
        case answer = 3
        case request = 4
        /// The URL at which the browser continues.
        case resume = 5
    }

    private let key: Secret
    private let keyID: [UInt8]
    private let id: LoginID

    init(_ id: LoginID, under key: ServerKey) {
        self.key = HKDF.derive(32, from: key.inFlight, salt: id.bytes, info: Array("flight".utf8))
        self.keyID = key.id
        self.id = id
    }

    func seal(_ field: Field, of attempt: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        AESGCM.seal(bytes, key: self.key, additional: self.additional(field, attempt))
    }

    /// Decrypts a field. Returns nil if it was not encrypted for this place.
    func open(_ field: Field, of attempt: [UInt8], _ sealed: [UInt8]) -> [UInt8]? {
        AESGCM.open(sealed, key: self.key, additional: self.additional(field, attempt))
    }

    private func additional(_ field: Field, _ attempt: [UInt8]) -> [UInt8] {
        [LoginCodec.format] + self.keyID + self.id.bytes + attempt + [field.rawValue]
    }
}
