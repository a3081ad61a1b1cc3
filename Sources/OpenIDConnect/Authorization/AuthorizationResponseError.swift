/// The validation errors of an authorization response.
///
/// `state` means that the response is not ours at all. All others mean that it is.
package enum AuthorizationResponseError: String, Error, CaseIterable, Sendable {
    case state
    case repeatedParameter
    /// A parameter that decides something cannot be decoded.
    case unreadableParameter
    case issuerMissing
    case issuer
    /// There is neither a code nor an error, or both.
    case codeOrError
    /// It is empty, too long, or has characters that no code has.
    case code
    /// The response is signed (JARM), but we did not ask for that.
    case responseUnasked
    /// The response is not signed, although we asked for that.
    case responseMissing
    /// The response is signed, but has plain parameters beside it.
    case responseNotAlone
    /// The signed response is longer than 64 KiB.
    case responseTooLarge
    /// It is not a signed JWT.
    case responseMalformed
    /// It is a JWT for another purpose (RFC 8725 §3.11).
    case responseType
    /// The algorithm is `none`, or one that the provider may not use.
    case responseAlgorithm
    /// No key of the provider fits, or several fit and the JWT names none.
    case responseKey
    case responseSignature
    /// It is not a JSON object, or a member has the wrong type.
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
    package init(_ error: JWTFormatError) {
        switch error {
        case .tooLarge: self = .responseTooLarge
        case .malformed, .encrypted, .notEncrypted, .encryptionAlgorithm, .encryptionKey, .decryption:
            self = .responseMalformed
        case .type: self = .responseType
        case .algorithm: self = .responseAlgorithm
        case .unknownKey, .ambiguousKey: self = .responseKey
        case .signature: self = .responseSignature
        case .claims: self = .responseClaims
        }
    }

    init(_ problem: JWTRules.Problem) {
        switch problem {
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
