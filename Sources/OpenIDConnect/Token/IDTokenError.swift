/// The rules of an ID token, by what it is called to break one.
///
/// The numbers are those of Core 3.1.3.7. The first broken rule, in this order, is the one that is reported.
package enum IDTokenError: String, Error, CaseIterable, Sendable {
    /// Not a compact token within the limits (RFC 7515 §7.1, RFC 7516 §7.1), or with a critical header.
    case malformed
    /// 1: encrypted, which was not agreed.
    case encrypted
    /// 1: not encrypted, which was agreed.
    case notEncrypted
    /// 1: not with one of the algorithms that we decrypt.
    case encryptionAlgorithm
    /// 1: to a key that is none of ours.
    case encryptionKey
    /// 1.
    case decryption
    /// A JWT for another purpose, such as `at+jwt` (RFC 8725 §3.11).
    case type
    /// 7: `none`, or not one that the provider may use.
    case algorithm
    /// The provider's keys could not be had: worth another try.
    case keysUnavailable
    /// 6: no key of the provider fits, nor one of a set fetched anew.
    case unknownKey
    /// Several keys fit, and the token names none (Core 10.1).
    case ambiguousKey
    /// 6.
    case signature
    /// The payload is not a JSON object.
    case claims
    /// A claim that is read is of another JSON type than its definition says.
    case claimType
    /// 2.
    case issuerMissing
    /// 2.
    case issuer
    /// 3.
    case audienceMissing
    /// 3: we are not among them.
    case audience
    /// 3: one that we do not trust is among them.
    case foreignAudience
    /// 4: of several audiences none is said to be the authorized one.
    case authorizedPartyMissing
    /// 5.
    case authorizedParty
    /// 9.
    case expiryMissing
    /// 9.
    case expired
    /// 10.
    case issuedAtMissing
    /// 10.
    case issuedInFuture
    /// 10.
    case issuedTooLongAgo
    /// RFC 7519 §4.1.5.
    case notYetValid
    /// 11.
    case nonceMissing
    /// 11.
    case nonce
    /// Core 2.
    case subjectMissing
    /// Core 2: empty, longer than 255, or not printable ASCII.
    case subject
    /// 12: asked for as a must.
    case acrMissing
    /// 12.
    case acr
    /// 13.
    case authTimeMissing
    /// The person authenticated later than now.
    case authTimeInFuture
    /// 13: longer ago than `max_age`.
    case authTimeTooOld
    /// The person authenticated before our request, and it said `prompt=login`.
    case notFresh
    /// Core 3.1.3.8.
    case accessTokenHash
    /// Core 3.3.2.11.
    case codeHash
}

extension IDTokenError {
    init(_ error: JWTFormError) {
        switch error {
        case .malformed: self = .malformed
        case .encrypted: self = .encrypted
        case .notEncrypted: self = .notEncrypted
        case .encryptionAlgorithm: self = .encryptionAlgorithm
        case .encryptionKey: self = .encryptionKey
        case .decryption: self = .decryption
        case .type: self = .type
        case .algorithm: self = .algorithm
        case .keysUnavailable: self = .keysUnavailable
        case .unknownKey: self = .unknownKey
        case .ambiguousKey: self = .ambiguousKey
        case .signature: self = .signature
        case .claims: self = .claims
        }
    }
}
