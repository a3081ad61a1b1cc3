import Base
import JOSE

/// The file of a signing key: a private key in PEM.
package enum SigningKeyFile {
    package static func key(in file: [UInt8]) throws(FileError) -> PrivateKey {
        if let secret = SecretKeyFile.kinds.first(where: { file.starts(with: $0.prefix.utf8) }) {
            throw FileError("is a \(secret.name) key and not a signing key")
        }
        do throws(PrivateKeyError) {
            return try PrivateKey(pem: Secret(file))
        } catch {
            throw FileError(Self.sentence(for: error))
        }
    }

    private static func sentence(for failure: PrivateKeyError) -> String {
        switch failure {
        case .malformed: "does not contain one private key in PEM without a password"
        case .unsupported: "is a kind of key that Switchback does not use"
        case .badSize: "is an RSA key that is too small or too large; it must have at least 2048 bits"
        case .mismatch: "contains halves of two different keys"
        case .algorithm, .library: "cannot be used for signatures"
        }
    }
}
