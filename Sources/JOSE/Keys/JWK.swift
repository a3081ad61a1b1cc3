/// A public key as it is published (RFC 7517), with what its owner says it is for.

/// It is a class because every token asks the whole set for its key.
package final class JWK: Sendable {
    package enum Failure: String, Error, CaseIterable, Sendable {
        /// Not a JSON object, or a member is missing or of the wrong type.
        case malformed
        /// A kind of key or a curve that we do not use. Not wrong in itself.
        case unsupported
        /// The members of a private or symmetric key: whoever publishes those has lost the key.
        case privateMember
        /// RSA below 2048 bits or beyond reason, or a coordinate that is not of the length of its curve.
        case badSize
        /// Numbers that make no key: an even RSA exponent, a point off the curve.
        case badNumber
        /// `use`, `key_ops`, `alg` and the kind of key contradict each other.
        case contradiction
        /// A key set that is longer than any provider's, or a name as long as a novel.
        case tooLarge
    }

    package let keyID: String?
    package let use: String?
    package let algorithm: String?
    package let keyOperations: [String]?
    package let publicKey: PublicKey

    init(
        _ publicKey: PublicKey, keyID: String?, use: String?, algorithm: String?, keyOperations: [String]? = nil
    ) {
        self.publicKey = publicKey
        self.keyID = keyID
        self.use = use
        self.algorithm = algorithm
        self.keyOperations = keyOperations
    }

    /// Whether its owner may have signed with it in this way: kind, `use`, `alg` and `key_ops` all have to allow it.
    package func verifies(_ algorithm: SignatureAlgorithm) -> Bool {
        self.publicKey.fits(algorithm)
            && (self.use ?? "sig") == "sig"
            && (self.algorithm ?? algorithm.rawValue) == algorithm.rawValue
            && (self.keyOperations?.contains("verify") ?? true)
    }

    /// Whether its owner wants to be written to in this way: again all of them have to allow it.
    package func encrypts(_ algorithm: KeyManagementAlgorithm) -> Bool {
        algorithm.fits(self.publicKey.kind)
            && (self.use ?? "enc") == "enc"
            && (self.algorithm ?? algorithm.rawValue) == algorithm.rawValue
            && (self.keyOperations.map { self.allowsEncryption($0) } ?? true)
    }

    private func allowsEncryption(_ operations: [String]) -> Bool {
        self.publicKey.isRSA
            ? operations.contains { $0 == "wrapKey" || $0 == "encrypt" }
            // The Web Crypto API gives the public half of an agreement no operation at all.
            : operations.isEmpty || operations.contains { $0 == "deriveKey" || $0 == "deriveBits" }
    }

    package var json: JSON {
        var members = self.publicKey.material.members
        members["kid"] = self.keyID.map(JSON.string)
        members["use"] = self.use.map(JSON.string)
        members["alg"] = self.algorithm.map(JSON.string)
        members["key_ops"] = self.keyOperations.map { .array($0.map(JSON.string)) }
        return .object(members)
    }

    /// A name made from the key itself (RFC 7638).
    package var thumbprint: String {
        Base64URL.encode(Digest.sha256.hash(JSON.object(self.publicKey.material.members).encoded()))
    }
}
