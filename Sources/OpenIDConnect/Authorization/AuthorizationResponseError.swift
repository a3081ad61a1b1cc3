/// The rules that an authorization response can break.
///
/// `state` means that it is not ours at all; all others that it is.
package enum AuthorizationResponseError: String, Error, CaseIterable, Sendable {
    case state
    case repeatedParameter
    case issuerMissing
    case issuer
    /// Neither, or both.
    case codeOrError
    /// Empty, too long, or of characters that no code has.
    case code
    /// Signed (JARM), which was not asked for.
    case responseUnasked
    /// Not signed, which was asked for.
    case responseMissing
    /// Signed, with plain parameters beside it.
    case responseNotAlone
    /// Not a signed JWT within the limits.
    case responseMalformed
    /// A JWT for another purpose (RFC 8725 §3.11).
    case responseType
    /// `none`, or not one that the provider may use.
    case responseAlgorithm
    /// The provider's keys could not be had: worth another try.
    case responseKeysUnavailable
    /// No key of the provider fits, or it is not said which of several.
    case responseKey
    case responseSignature
    /// Not a JSON object, or one with a member of the wrong type.
    case responseClaims
    case responseIssuerMissing
    case responseIssuer
    case responseAudienceMissing
    case responseAudience
    case responseExpiryMissing
    case responseExpired
    case responseNotYetValid
}

extension AuthorizationResponseError {
    init(_ error: JWTFormError) {
        switch error {
        case .malformed, .encrypted, .notEncrypted, .encryptionAlgorithm, .encryptionKey, .decryption:
            self = .responseMalformed
        case .type: self = .responseType
        case .algorithm: self = .responseAlgorithm
        case .keysUnavailable: self = .responseKeysUnavailable
        case .unknownKey, .ambiguousKey: self = .responseKey
        case .signature: self = .responseSignature
        case .claims: self = .responseClaims
        }
    }

    init(_ error: JWTRulesError) {
        switch error {
        case .claimType: self = .responseClaims
        case .issuerMissing: self = .responseIssuerMissing
        case .issuer: self = .responseIssuer
        case .audienceMissing: self = .responseAudienceMissing
        case .audience: self = .responseAudience
        case .expiryMissing: self = .responseExpiryMissing
        case .expired: self = .responseExpired
        case .notYetValid: self = .responseNotYetValid
        }
    }
}
