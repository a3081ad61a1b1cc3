import Base
import Cryptography

/// Encrypts the identity of a completed login so that only a request with the login's poll secret can decrypt it.
///
/// AES-256-GCM under `HKDF(K, salt HMAC(G_seal, id), info header)`, where K is derived from the poll secret. Until
/// there is an outcome, the row contains K wrapped under a server key. The write that stores the outcome wipes it.
struct OutcomeSeal {
    /// The plain fields that the encryption binds as additional data.
    struct Header {
        let login: Login
        let status: LoginStatus
        let proof: SameDeviceProof
        let keepUntil: Timestamp

        var bytes: [UInt8] {
            var writer = ByteWriter(capacity: 96)
            writer.write(LoginCodec.format)
            writer.write(self.login.id.bytes)
            writer.write(self.login.keyID)
            writer.write(self.login.app)
            writer.write(self.login.provider)
            writer.write(self.status.rawValue)
            writer.write(self.proof.rawValue)
            writer.write(self.keepUntil.milliseconds)
            return writer.bytes
        }
    }

    private let header: [UInt8]
    private let key: Secret

    init(_ outcomeKey: Secret, _ header: Header, under key: ServerKey) {
        self.header = header.bytes
        self.key = HKDF.derive(
            32, from: outcomeKey, salt: key.seal.code { $0.append(header.login.id) }.array(), info: self.header)
    }

    func seal(_ bytes: [UInt8]) -> [UInt8] { AESGCM.seal(bytes, key: self.key, additional: self.header) }

    func open(_ sealed: [UInt8]) -> [UInt8]? {
        AESGCM.open(sealed, key: self.key, additional: self.header)
    }
}
