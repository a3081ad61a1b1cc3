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
    func token(_ compact: String) throws(JWTFormError) -> CompactJWS {
        let signed = try self.decrypter.map { decrypter throws(JWTFormError) in
            try Self.opened(compact, with: decrypter)
        }
        do throws(JWSError) {
            return try CompactJWS(parsing: signed ?? compact)
        } catch {
            // Asked only here, because one that is encrypted has two dots too many to be read.
            throw signed == nil && Decrypter.isEncrypted(compact) ? .encrypted : JWTFormError(error)
        }
    }

    private static func opened(_ compact: String, with decrypter: Decrypter) throws(JWTFormError) -> String {
        guard Decrypter.isEncrypted(compact) else { throw .notEncrypted }
        do throws(JWEError) {
            // Its `cty` is not asked for (RFC 7519 §5.2): what is inside must be a signed token in any case.
            return try decrypter.decrypt(compact).plaintext.exposedText
        } catch {
            throw JWTFormError(error)
        }
    }

    /// RFC 8725 §3.11: a provider signs other JWTs with the same key, for the same issuer and audience.
    func checkType(_ type: String?) throws(JWTFormError) {
        guard self.types.contains((type ?? "JWT").lowercased()) else { throw .type }
    }

    /// Before any key is asked for: a token with the wrong algorithm must not cost the provider a request.
    func checkAlgorithm(_ name: String) throws(JWTFormError) {
        guard self.algorithms.contains(where: { $0.rawValue == name }) else { throw .algorithm }
    }
}

/// The ways in which a text is not a JWT that a provider signed for us to read.
package enum JWTFormError: String, Error, CaseIterable, Sendable {
    /// Not a compact token within the limits (RFC 7515 §7.1, RFC 7516 §7.1), or with a critical header.
    case malformed
    /// Encrypted, which was not agreed.
    case encrypted
    /// Not encrypted, which was agreed: else whoever strips the encryption off would not be noticed.
    case notEncrypted
    /// Not one of those that we decrypt.
    case encryptionAlgorithm
    /// To a key that is none of ours.
    case encryptionKey
    case decryption
    /// A JWT for another purpose (RFC 8725 §3.11).
    case type
    /// `none`, or not one that the provider may use.
    case algorithm
    /// The provider's keys could not be had: worth another try.
    case keysUnavailable
    /// No key of the provider fits, nor one of a set fetched anew.
    case unknownKey
    /// Several keys fit, and the token names none (Core 10.1).
    case ambiguousKey
    case signature
    /// The payload is not a JSON object.
    case claims
}

extension JWTFormError {
    init(_ failure: JWSError) {
        switch failure {
        case .tooLarge, .malformed, .criticalHeader: self = .malformed
        case .algorithmNotAllowed: self = .algorithm
        case .unknownKey: self = .unknownKey
        case .ambiguousKey: self = .ambiguousKey
        case .badSignature: self = .signature
        case .badClaims: self = .claims
        }
    }

    init(_ failure: JWEError) {
        switch failure {
        case .tooLarge, .malformed, .criticalHeader: self = .malformed
        case .algorithmNotAllowed: self = .encryptionAlgorithm
        case .unknownKey: self = .encryptionKey
        case .decryption: self = .decryption
        }
    }
}
