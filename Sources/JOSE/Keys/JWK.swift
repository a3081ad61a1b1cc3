import Base
import Cryptography
import StrictJSON

/// A public key as published (RFC 7517), with what its owner allows it for.
///
/// It is a class because every token searches the whole set for its key.
package final class JWK: Sendable {
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

    /// Whether the owner may sign in this way: kind, `use`, `alg` and `key_ops` must all allow it.
    package func verifies(_ algorithm: SignatureAlgorithm) -> Bool {
        self.publicKey.fits(algorithm)
            && (self.use ?? "sig") == "sig"
            && (self.algorithm ?? algorithm.rawValue) == algorithm.rawValue
            && (self.keyOperations?.contains("verify") ?? true)
    }

    /// Whether we may encrypt to the owner in this way: again, all of them must allow it.
    package func encrypts(_ algorithm: KeyManagementAlgorithm) -> Bool {
        algorithm.fits(self.publicKey.kind)
            && (self.use ?? "enc") == "enc"
            && (self.algorithm ?? algorithm.rawValue) == algorithm.rawValue
            && (self.keyOperations.map { self.allowsEncryption($0) } ?? true)
    }

    private func allowsEncryption(_ operations: [String]) -> Bool {
        self.publicKey.isRSA
            ? operations.contains { $0 == "wrapKey" || $0 == "encrypt" }
            // The Web Crypto API gives the public half of a key agreement no operations.
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

    /// A name derived from the key itself (RFC 7638).
    package var thumbprint: String {
        Base64URL.encode(Digest.sha256.hash(JSON.object(self.publicKey.material.members).encoded()))
    }
}

// MARK: - Reading a JWK: known members must be right and agree, the others are ignored (RFC 7517 §4)

extension JWK {
    private static let longestText = 512
    private static let mostOperations = 16

    /// `x5c`, `x5u` and their kin are among the ignored members: we trust the set that we fetched, and nothing it
    /// points to.
    package convenience init(_ json: JSON, spelling: Spelling = .exact) throws(JWKError) {
        guard var members = json.object else { throw .malformed }
        if spelling == .provider { members = members.withoutNulls }
        let material = try KeyMaterial(members, spelling)
        let (keyID, use) = (try Self.text("kid", in: members), try Self.text("use", in: members))
        let algorithm = try Self.text("alg", in: members)
        let operations = try Self.operations(in: members)
        guard let publicKey = PublicKey(material) else { throw .badNumber }
        self.init(publicKey, keyID: keyID, use: use, algorithm: algorithm, keyOperations: operations)
        guard self.isConsistent else { throw .contradiction }
    }

    private static func text(_ name: String, in members: JSON.Object) throws(JWKError) -> String? {
        guard let member = members[name] else { return nil }
        guard let text = member.string else { throw .malformed }
        guard text.utf8.count <= self.longestText else { throw .tooLarge }
        return text
    }

    private static func operations(in members: JSON.Object) throws(JWKError) -> [String]? {
        guard let member = members["key_ops"] else { return nil }
        guard let elements = member.array else { throw .malformed }
        guard elements.count <= self.mostOperations else { throw .tooLarge }
        let operations = elements.compactMap(\.string)
        // No operation may occur twice (RFC 7517 §4.3).
        guard operations.count == elements.count, Set(operations).count == operations.count else { throw .malformed }
        return operations
    }

    // MARK: - Agreement

    private static let signing: Set = ["sign", "verify"]
    private static let encrypting: Set = ["encrypt", "decrypt", "wrapKey", "unwrapKey", "deriveKey", "deriveBits"]

    private enum Purpose {
        case signing
        case encrypting
    }

    /// Whether use, operations and algorithm agree, and the algorithm fits the key (RFC 7517 §4.2 to §4.4). A value
    /// that we do not know agrees with everything, because we never choose such a key.
    private var isConsistent: Bool {
        let purposes = Set([self.purposeOfUse, self.purposeOfAlgorithm].compactMap(\.self))
        let others = purposes.first.map { $0 == .signing ? Self.encrypting : Self.signing } ?? []
        return self.algorithmFits && purposes.count <= 1 && others.isDisjoint(with: self.keyOperations ?? [])
    }

    private var purposeOfUse: Purpose? {
        switch self.use {
        case "sig": .signing
        case "enc": .encrypting
        default: nil
        }
    }

    private var purposeOfAlgorithm: Purpose? {
        guard let name = self.algorithm else { return nil }
        if SignatureAlgorithm(rawValue: name) != nil { return .signing }
        // This includes algorithms that we do not support (RFC 7518 §4.1).
        return name.hasPrefix("RSA") || name.hasPrefix("ECDH-ES") ? .encrypting : nil
    }

    private var algorithmFits: Bool {
        guard let name = self.algorithm else { return true }
        if let algorithm = SignatureAlgorithm(rawValue: name) { return self.publicKey.fits(algorithm) }
        if let algorithm = KeyManagementAlgorithm(rawValue: name) { return algorithm.fits(self.publicKey.kind) }
        // RFC 7518 §3.1 and §4.1 define these names for other kinds of keys, so something was mixed up.
        if name.hasPrefix("RSA") { return self.publicKey.isRSA }
        if name.hasPrefix("ECDH-ES") { return KeyManagementAlgorithm.ecdhES.fits(self.publicKey.kind) }
        return name != "none" && !Self.namesOfSecrets.contains { name.hasPrefix($0) }
    }

    /// The algorithms of symmetric keys begin with these.
    private static let namesOfSecrets = ["HS", "A128", "A192", "A256", "PBES2"]
}

/// Why we cannot use a JWK.
package enum JWKError: String, Error, CaseIterable, Sendable {
    /// It is not a JSON object, or a member is missing or has the wrong type.
    case malformed
    /// A kind of key or a curve that we do not use. This is not an error of the provider.
    case unsupported
    /// The members of a private or symmetric key. An owner who publishes them has lost the key.
    case privateMember
    /// RSA below 2048 bits or far too large, or a coordinate without the length of its curve.
    case badSize
    /// Numbers that make no valid key, such as an even RSA exponent or a point off the curve.
    case badNumber
    /// `use`, `key_ops`, `alg` and the kind of key contradict each other.
    case contradiction
    /// A key set longer than that of any provider, or an absurdly long name.
    case tooLarge

    /// For the log.
    package var word: String {
        switch self {
        case .malformed: "malformed"
        case .unsupported: "unsupported"
        case .privateMember: "private_member"
        case .badSize: "bad_size"
        case .badNumber: "bad_number"
        case .contradiction: "contradiction"
        case .tooLarge: "too_large"
        }
    }
}
