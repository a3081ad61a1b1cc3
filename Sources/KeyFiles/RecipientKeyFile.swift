import Base
import JOSE
import StrictJSON

/// The file of the key to which we encrypt an app's assertions: a public JWK of its API, or a set of them (RFC 7517).
package enum RecipientKeyFile {
    /// We use the first of these that a key allows. A key can choose with its own `alg`.
    private static let algorithms: [KeyManagementAlgorithm] = [.rsaOAEP256, .ecdhESA256KW, .ecdhES]
    package static let encryption = ContentEncryption.a256GCM

    /// The algorithm names in discovery.
    package static var algorithmNames: [String] { Self.algorithms.map(\.rawValue) }

    /// Returns an encrypter for the first usable key of the file, and the key's thumbprint (RFC 7638).
    package static func encrypter(in file: [UInt8]) throws(FileError) -> (encrypter: Encrypter, thumbprint: String) {
        for key in try Self.keys(in: file) {
            guard let algorithm = Self.algorithms.first(where: { key.encrypts($0) }) else { continue }
            let recipient = key.publicKey.jwk(keyID: key.keyID ?? key.thumbprint, use: "enc")
            let encrypter = Encrypter(to: recipient, algorithm, Self.encryption)
            // Fail now, rather than at the end of a user's login.
            guard (try? encrypter.encrypt([0])) != nil else { continue }
            return (encrypter, key.thumbprint)
        }
        throw FileError(
            "has no RSA or EC key to encrypt to with \(Self.algorithmNames.joined(separator: ", "))")
    }

    private static func keys(in file: [UInt8]) throws(FileError) -> [JWK] {
        guard file.count <= JWKSet.byteLimit, let json = try? JSON(parsing: file), json.object != nil else {
            throw FileError("is neither a JWK (RFC 7517), the JSON object of a public key, nor a set of JWKs")
        }
        let entries = json["keys"]?.array ?? [json]
        var keys: [JWK] = []
        for entry in entries.prefix(JWKSet.keyLimit) {
            do throws(JWKError) {
                keys.append(try JWK(entry))
            } catch {
                guard error != .privateMember else {
                    throw FileError(
                        "contains a private key, which only the API may have. Name a file with its public half")
                }
            }
        }
        return keys
    }
}
