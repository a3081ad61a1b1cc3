import Base

/// An encrypted token as received: five parts and a header, all untrusted (RFC 7516 §7.1).
package struct CompactJWE: Sendable {
    /// Large enough for the longest signed token inside, which base64url makes a third longer.
    package static let byteLimit = 96 * 1024

    package let header: JOSEHeader
    /// The first part as it was written, which the tag protects (RFC 7516 §5.2 step 14).
    let additional: [UInt8]
    let encryptedKey: [UInt8]
    let content: SealedContent

    init(parsing token: String, spelling: Spelling = .exact) throws(JWEError) {
        let bytes = Array(token.utf8)
        guard bytes.count <= Self.byteLimit else { throw .tooLarge }
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 5, let header = Base64URL.decode(bytes: parts[0]),
            let encryptedKey = Base64URL.decode(bytes: parts[1]),
            let iv = Base64URL.decode(bytes: parts[2]),
            let ciphertext = Base64URL.decode(bytes: parts[3]),
            let tag = Base64URL.decode(bytes: parts[4])
        else { throw .malformed }
        do throws(JWSError) {
            self.header = try JOSEHeader(parsing: header, spelling: spelling)
        } catch {
            throw error == .criticalHeader ? .criticalHeader : .malformed
        }
        self.additional = Array(parts[0])
        self.encryptedKey = encryptedKey
        self.content = SealedContent(iv: iv, ciphertext: ciphertext, tag: tag)
    }

    /// Returns what the header asks for, if both lists contain it. The lists decide, never the token (RFC 8725 §3.1).
    func methods(
        amongst algorithms: Set<KeyManagementAlgorithm>, _ encryptions: Set<ContentEncryption>
    ) throws(JWEError) -> (KeyManagementAlgorithm, ContentEncryption) {
        // A few compressed bytes can expand to gigabytes, and their number reveals something about the content (RFC
        // 8725 §3.6).
        guard self.header.json["zip"] == nil else { throw .algorithmNotAllowed }
        guard let name = self.header.json["enc"]?.string else { throw .malformed }
        guard let algorithm = KeyManagementAlgorithm(rawValue: self.header.algorithm), algorithms.contains(algorithm),
            let encryption = ContentEncryption(rawValue: name), encryptions.contains(encryption)
        else { throw .algorithmNotAllowed }
        return (algorithm, encryption)
    }
}

/// The validation errors of an encrypted token (RFC 7516).
package enum JWEError: String, Error, CaseIterable, Sendable {
    /// The token is longer than any that we expect.
    case tooLarge
    /// Not five parts of base64url with the required header members, or a part has the wrong length.
    case malformed
    /// The header asks for something that changes the meaning of the token (`crit`, RFC 7516 §4.1.13).
    case criticalHeader
    /// An `alg`, `enc` or `zip` that we do not know, or that this sender must not use.
    case algorithmNotAllowed
    /// None of our keys fits.
    case unknownKey
    /// The token was changed, or is not for us. This is one case for everything that takes a key to find out, because
    /// the sender must not learn which (RFC 7516 §11.5).
    case decryption
}
