import Base

/// A signed token as received: three parts and a header, all untrusted (RFC 7515 §7.1).
package struct CompactJWS: Sendable {
    package static let byteLimit = 64 * 1024

    package let header: JOSEHeader
    /// The first two parts with the dot between them, which were signed (RFC 7515 §5.2 step 8).
    package let signingInput: [UInt8]
    private let payload: [UInt8]
    private let signature: [UInt8]

    /// Also reads an unsigned token (`"alg":"none"`), so that an error can say what it was. It never verifies.
    ///
    /// Set `isFromAnyone` for tokens whose headers all differ, so that they do not push the others out of
    /// `KnownHeaders`.
    package init(
        parsing token: String, isFromAnyone: Bool = false, spelling: Spelling = .exact
    ) throws(JWSError) {
        var bytes = Array(token.utf8)
        guard bytes.count <= Self.byteLimit else { throw .tooLarge }
        // Another dot would fail to decode as part of the signature.
        guard let headerEnd = ByteSearch.firstIndex(of: UInt8(ascii: "."), in: bytes, from: 0),
            let payloadEnd = ByteSearch.firstIndex(of: UInt8(ascii: "."), in: bytes, from: headerEnd + 1),
            let payload = Base64URL.decode(bytes: bytes[(headerEnd + 1)..<payloadEnd]),
            let signature = Base64URL.decode(bytes: bytes[(payloadEnd + 1)...])
        else { throw .malformed }
        self.header =
            isFromAnyone
            ? try JOSEHeader(encoded: bytes[..<headerEnd], spelling: spelling)
            : try KnownHeaders.header(bytes[..<headerEnd], spelling)
        bytes.removeLast(bytes.count - payloadEnd)
        self.signingInput = bytes
        self.payload = payload
        self.signature = signature
    }

    /// Verifies the signature. There is no other way to the payload.
    package func verified(
        with keys: JWKSet, allowing algorithms: Set<SignatureAlgorithm>
    ) throws(SignatureError) -> VerifiedJWS {
        // The list decides, never the token, which could pick the weakest algorithm or none (RFC 8725 §3.1).
        guard let algorithm = algorithms.first(where: { $0.rawValue == self.header.algorithm }) else {
            throw .algorithmNotAllowed
        }
        let key =
            switch keys.key(for: algorithm, keyID: self.header.keyID) {
            case .key(let key): key
            case .none: throw .unknownKey
            case .ambiguous: throw .ambiguousKey
            }
        guard key.publicKey.verify(self.signature, of: self.signingInput, with: algorithm) else { throw .badSignature }
        return VerifiedJWS(header: self.header, payload: self.payload, algorithm: algorithm)
    }

    /// Verifies the signature of a token that only shows that its sender has this key, whoever that is. Such a token
    /// names its own key (RFC 9449 §4.2), and the caller must know whether it is the right one.
    package func verified(
        with key: JWK, allowing algorithm: SignatureAlgorithm
    ) throws(SignatureError) -> VerifiedJWS {
        guard self.header.algorithm == algorithm.rawValue else { throw .algorithmNotAllowed }
        guard key.verifies(algorithm) else { throw .unknownKey }
        guard key.publicKey.verify(self.signature, of: self.signingInput, with: algorithm) else { throw .badSignature }
        return VerifiedJWS(header: self.header, payload: self.payload, algorithm: algorithm)
    }

    /// Verifies a token from a party with whom we share a secret. No key set is used, so nothing published can become
    /// the secret.
    package func verified(
        with secret: Secret, allowing algorithms: Set<MACAlgorithm>
    ) throws(SignatureError) -> AuthenticatedJWS {
        guard let algorithm = MACAlgorithm(rawValue: self.header.algorithm), algorithms.contains(algorithm) else {
            throw .algorithmNotAllowed
        }
        guard algorithm.fits(secret) else { throw .unknownKey }
        guard equalInConstantTime(self.signature, algorithm.code(self.signingInput, secret)) else {
            throw .badSignature
        }
        return AuthenticatedJWS(header: self.header, payload: self.payload, algorithm: algorithm)
    }
}

/// Why a text is not a signed token (RFC 7515 §7.1).
package enum JWSError: String, Error, CaseIterable, Sendable {
    /// The token is longer than any that we expect.
    case tooLarge
    /// Not three parts of base64url, or the first is not a JSON object with the required members.
    case malformed
    /// The header asks for something that changes the meaning of the token (`crit`, `b64`, RFC 7515 §4.1.11).
    case criticalHeader
}

/// Why the signature of a token, or its code, is not believed (RFC 7515 §5.2).
package enum SignatureError: String, Error, CaseIterable, Sendable {
    /// `none`, an algorithm that we do not know, or one that this sender must not use.
    case algorithmNotAllowed
    /// No key of the set fits. Fetching the set again may help.
    case unknownKey
    /// Several keys fit, and the token does not say which.
    case ambiguousKey
    case badSignature
}
