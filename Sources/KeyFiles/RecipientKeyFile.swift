/// The file of the key to which an app's assertions are encrypted: a public JWK of its API, or a set of them (RFC 7517).
import Base
import JOSE
import StrictJSON

package enum RecipientKeyFile {
    /// The first that a key allows; it can choose by its own `alg`.
    private static let algorithms: [KeyManagementAlgorithm] = [.rsaOAEP256, .ecdhESA256KW, .ecdhES]
    package static let encryption = ContentEncryption.a256GCM

    /// What discovery says of them.
    package static var algorithmNames: [String] { Self.algorithms.map(\.rawValue) }

    /// By the first key of the file that one can encrypt to, and its thumbprint (RFC 7638).
    package static func encrypter(in file: [UInt8]) throws(FileError) -> (encrypter: Encrypter, thumbprint: String) {
        for key in try Self.keys(in: file) {
            guard let algorithm = Self.algorithms.first(where: { key.encrypts($0) }) else { continue }
            let named = key.publicKey.jwk(keyID: key.keyID ?? key.thumbprint, use: "enc")
            let encrypter = Encrypter(to: named, algorithm, Self.encryption)
            // Now, rather than at the end of somebody's login.
            guard (try? encrypter.encrypt([0])) != nil else { continue }
            return (encrypter, key.thumbprint)
        }
        throw FileError(
            "has no key to encrypt to: RSA or EC, for \(Self.algorithmNames.joined(separator: ", "))")
    }

    private static func keys(in file: [UInt8]) throws(FileError) -> [JWK] {
        guard file.count <= JWKSet.byteLimit, let json = try? JSON(parsing: file), json.object != nil else {
            throw FileError("is no JWK (RFC 7517), the JSON object of a public key, and no set of them")
        }
        let entries = json["keys"]?.array ?? [json]
        var keys: [JWK] = []
        for entry in entries.prefix(JWKSet.keyLimit) {
            do throws(JWKError) {
                keys.append(try JWK(entry))
            } catch {
                guard error != .privateMember else {
                    throw FileError(
                        "holds a private key, which belongs to the API alone. Name its public half")
                }
            }
        }
        return keys
    }
}
