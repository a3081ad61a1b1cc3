/// The rules of an ID token that its claims may break. Before its claims are read, it may break those of
/// `JWTFormatError`: steps 1, 6 and 7.
///
/// The numbers are the steps of Core 3.1.3.7. We report the first error in this order.
package enum IDTokenError: String, Error, CaseIterable, Sendable {
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
