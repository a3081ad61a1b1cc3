/// What a JWT of a provider must be before anybody asks what it says: its type, its algorithm, whether it is encrypted.
import JOSE

package struct JWTForm: Sendable {
    /// For which no `typ` stands too, in lower case.
    var types = ["jwt"]
    /// What the provider may sign with; the token does not choose.
    let algorithms: Set<SignatureAlgorithm>
    /// There when it was agreed that the token is encrypted.
    let decrypter: Decrypter?

    /// The signed token, out of the encrypted one if it was agreed that it is in one (Core 3.1.3.7, 1).
    func token(_ compact: String) throws(Broken) -> CompactJWS {
        let signed = try self.decrypter.map { decrypter throws(Broken) in try Self.opened(compact, with: decrypter) }
        do throws(JWSError) {
            return try CompactJWS(parsing: signed ?? compact)
        } catch {
            // Asked only here, because one that is encrypted has two dots too many to be read.
            throw signed == nil && Decrypter.isEncrypted(compact) ? .encrypted : Broken(error)
        }
    }

    private static func opened(_ compact: String, with decrypter: Decrypter) throws(Broken) -> String {
        guard Decrypter.isEncrypted(compact) else { throw .notEncrypted }
        do throws(JWEError) {
            // Its `cty` is not asked for (RFC 7519 §5.2): what is inside must be a signed token in any case.
            return try decrypter.decrypt(compact).plaintext.exposedText
        } catch {
            throw Broken(error)
        }
    }

    /// RFC 8725 §3.11: a provider signs other JWTs with the same key, for the same issuer and audience.
    func checkType(_ type: String?) throws(Broken) {
        guard self.types.contains((type ?? "JWT").lowercased()) else { throw .type }
    }

    /// Before any key is asked for: a token with the wrong algorithm must not cost the provider a request.
    func checkAlgorithm(_ name: String) throws(Broken) {
        guard self.algorithms.contains(where: { $0.rawValue == name }) else { throw .algorithm }
    }
}
