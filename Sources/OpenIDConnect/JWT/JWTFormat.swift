import JOSE

/// What a provider's JWT must be before we read its claims: its type, its algorithm, and whether it is encrypted.
package struct JWTFormat: Sendable {
    /// The accepted values of `typ`, in lower case. A missing `typ` counts as `jwt`.
    private static let types = ["jwt"]
    /// The algorithms that the provider may sign with; the token does not choose.
    let algorithms: Set<SignatureAlgorithm>
    /// Set when the token must be encrypted.
    let decrypter: Decrypter?

    /// Returns the signed token, after decrypting it if encryption was agreed (Core 3.1.3.7, 1).
    func token(_ compact: String) throws(JWTFormatError) -> CompactJWS {
        let signedJWT = try self.decrypter.map { decrypter throws(JWTFormatError) in
            try Self.decrypted(compact, with: decrypter)
        }
        do throws(JWSError) {
            return try CompactJWS(parsing: signedJWT ?? compact, spelling: .provider)
        } catch {
            // Check this only here: an encrypted token never parses, because it has two more dots.
            throw signedJWT == nil && Decrypter.isEncrypted(compact) ? .encrypted : JWTFormatError(error)
        }
    }

    private static func decrypted(_ compact: String, with decrypter: Decrypter) throws(JWTFormatError) -> String {
        guard Decrypter.isEncrypted(compact) else { throw .notEncrypted }
        do throws(JWEError) {
            // We ignore `cty` (RFC 7519 §5.2), because the content must be a signed token in any case.
            return try decrypter.decrypt(compact, spelling: .provider).plaintext.exposedText
        } catch {
            throw JWTFormatError(error)
        }
    }

    /// RFC 8725 §3.11: a provider may sign other JWTs with the same key, for the same issuer and audience.
    func checkType(_ type: String?) throws(JWTFormatError) {
        guard Self.types.contains((type ?? "JWT").lowercased()) else { throw .type }
    }

    /// Runs before we look for a key: a token with a wrong algorithm must not cost the provider a request.
    func checkAlgorithm(_ name: String) throws(JWTFormatError) {
        guard self.algorithms.contains(where: { $0.rawValue == name }) else { throw .algorithm }
    }
}

/// The ways in which a text is not a JWT that a provider signed for us.
package enum JWTFormatError: String, Error, CaseIterable, Sendable {
    /// It is longer than our limit: 64 KiB signed, 96 KiB encrypted.
    case tooLarge
    /// It is not a compact token (RFC 7515 §7.1, RFC 7516 §7.1), or it has a critical header.
    case malformed
    /// It is encrypted, which was not agreed.
    case encrypted
    /// It is not encrypted, although that was agreed. An attacker may have stripped the encryption.
    case notEncrypted
    /// We do not decrypt this algorithm.
    case encryptionAlgorithm
    /// It is encrypted to a key that is not ours.
    case encryptionKey
    case decryption
    /// It is a JWT for another purpose (RFC 8725 §3.11).
    case type
    /// The algorithm is `none`, or one that the provider may not use.
    case algorithm
    /// No key of the provider fits, even after a new fetch.
    case unknownKey
    /// Several keys fit, and the token names none (Core 10.1).
    case ambiguousKey
    case signature
    /// The payload is not a JSON object.
    case claims
}

extension JWTFormatError {
    init(_ failure: JWSError) {
        switch failure {
        case .tooLarge: self = .tooLarge
        case .malformed, .criticalHeader: self = .malformed
        }
    }

    init(_ failure: SignatureError) {
        switch failure {
        case .algorithmNotAllowed: self = .algorithm
        case .unknownKey: self = .unknownKey
        case .ambiguousKey: self = .ambiguousKey
        case .badSignature: self = .signature
        }
    }

    init(_ failure: JWEError) {
        switch failure {
        case .tooLarge: self = .tooLarge
        case .malformed, .criticalHeader: self = .malformed
        case .algorithmNotAllowed: self = .encryptionAlgorithm
        case .unknownKey: self = .encryptionKey
        case .decryption: self = .decryption
        }
    }
}
