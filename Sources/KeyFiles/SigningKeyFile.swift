import Base
import JOSE

/// The file of a signing key: a private key in PEM.
package enum SigningKeyFile {
    package static func key(in file: [UInt8]) throws(FileError) -> PrivateKey {
        if let secret = SecretKeyFile.kinds.first(where: { file.starts(with: $0.prefix.utf8) }) {
            throw FileError("is a \(secret.name) key and not a signing key")
        }
        return try PrivateKey(pem: Secret(file))
    }
}
