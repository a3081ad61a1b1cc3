/// The validation errors of an ID token.
///
/// The numbers are the steps of Core 3.1.3.7. We report the first error in this order.
package enum IDTokenError: String, Error, CaseIterable, Sendable {
    /// It is longer than our limit: 64 KiB signed, 96 KiB encrypted.
    case tooLarge
    /// It is not a compact token (RFC 7515 §7.1, RFC 7516 §7.1), or it has a critical header.
    case malformed
    /// Step 1: it is encrypted, which was not agreed.
    case encrypted
    /// Step 1: it is not encrypted, although that was agreed.
    case notEncrypted
    /// Step 1: we do not decrypt this algorithm.
    case encryptionAlgorithm
    /// Step 1: it is encrypted to a key that is not ours.
    case encryptionKey
    /// Step 1.
    case decryption
    /// It is a JWT for another purpose, such as `at+jwt` (RFC 8725 §3.11).
    case type
    /// Step 7: the algorithm is `none`, or one that the provider may not use.
    case algorithm
    /// Step 6: no key of the provider fits, even after a new fetch.
    case unknownKey
    /// Several keys fit, and the token names none (Core 10.1).
    case ambiguousKey
    /// Step 6.
    case signature
    /// The payload is not a JSON object.
    case claims
    /// A claim that we read does not have the JSON type of its definition.
    case claimType
    /// Step 2.
    case issuerMissing
    /// Step 2.
    case issuer
    /// Step 3.
    case audienceMissing
    /// Step 3: we are not in the audience.
    case audience
    /// Step 3: the audience contains a party that we do not trust.
    case foreignAudience
    /// Step 4: there are other audiences but no authorized party.
    case authorizedPartyMissing
    /// Step 5.
    case authorizedParty
    /// Step 9.
    case expiryMissing
    /// Step 9.
    case expired
    /// Step 10.
    case issuedAtMissing
    /// Step 10.
    case issuedInFuture
    /// Step 10.
    case issuedTooLongAgo
    /// RFC 7519 §4.1.5.
    case notYetValid
    /// Step 11.
    case nonceMissing
    /// Step 11.
    case nonce
    /// Core 2.
    case subjectMissing
    /// Core 2: it is empty, longer than 255 characters, or not printable ASCII.
    case subject
    /// Step 12: we asked for it as essential.
    case acrMissing
    /// Step 12.
    case acr
    /// Core 2: it is required, because we requested it and have to check it (step 13).
    case authTimeMissing
    /// The user's authentication lies in the future.
    case authTimeInFuture
    /// Step 13: it is longer ago than `max_age`.
    case authTimeTooOld
    /// The user authenticated before our request, although that said `prompt=login`.
    case notFresh
    /// Core 3.1.3.8.
    case accessTokenHash
    /// Core 3.3.2.11.
    case codeHash
}

extension IDTokenError {
    init(_ error: JWTPartyError) {
        switch error {
        case .foreignAudience: self = .foreignAudience
        case .authorizedPartyMissing: self = .authorizedPartyMissing
        case .authorizedParty: self = .authorizedParty
        }
    }

    init(_ error: JWTFormatError) {
        switch error {
        case .tooLarge: self = .tooLarge
        case .malformed: self = .malformed
        case .encrypted: self = .encrypted
        case .notEncrypted: self = .notEncrypted
        case .encryptionAlgorithm: self = .encryptionAlgorithm
        case .encryptionKey: self = .encryptionKey
        case .decryption: self = .decryption
        case .type: self = .type
        case .algorithm: self = .algorithm
        case .unknownKey: self = .unknownKey
        case .ambiguousKey: self = .ambiguousKey
        case .signature: self = .signature
        case .claims: self = .claims
        }
    }
}
