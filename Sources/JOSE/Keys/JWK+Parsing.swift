/// How a JWK is read: the members that we know must be right and agree, the others are ignored (RFC 7517 §4).

extension JWK {
    private static let longestText = 512
    private static let mostOperations = 16

    /// `x5c`, `x5u` and their kin are among the ignored: the set we fetched is what we believe, nothing it points to.
    package init(_ json: JSON) throws(Failure) {
        guard let members = json.object else { throw .malformed }
        let material = try KeyMaterial(members)
        self.keyID = try Self.text("kid", in: members)
        self.use = try Self.text("use", in: members)
        self.algorithm = try Self.text("alg", in: members)
        self.keyOperations = try Self.operations(in: members)
        guard let publicKey = PublicKey(material) else { throw .badNumber }
        self.publicKey = publicKey
        guard self.isConsistent else { throw .contradiction }
    }

    private static func text(_ name: String, in members: JSON.Object) throws(Failure) -> String? {
        guard let member = members[name] else { return nil }
        guard let text = member.string else { throw .malformed }
        guard text.utf8.count <= self.longestText else { throw .tooLarge }
        return text
    }

    private static func operations(in members: JSON.Object) throws(Failure) -> [String]? {
        guard let member = members["key_ops"] else { return nil }
        guard let elements = member.array else { throw .malformed }
        guard elements.count <= self.mostOperations else { throw .tooLarge }
        let operations = elements.compactMap(\.string)
        // RFC 7517 §4.3: no operation twice.
        guard operations.count == elements.count, Set(operations).count == operations.count else { throw .malformed }
        return operations
    }

    // MARK: - Agreement

    private static let signing: Set = ["sign", "verify"]
    private static let encrypting: Set = ["encrypt", "decrypt", "wrapKey", "unwrapKey", "deriveKey", "deriveBits"]

    /// RFC 7517 §4.3 and §4.4. A use, an operation or an algorithm that we do not know agrees with everything, since
    /// such a key is never chosen.
    private var isConsistent: Bool {
        let operations = Set(self.keyOperations ?? [])
        return switch self.use {
        case "sig": operations.isDisjoint(with: Self.encrypting) && self.algorithmAllows(signing: true)
        case "enc": operations.isDisjoint(with: Self.signing) && self.algorithmAllows(signing: false)
        default: self.algorithmAllows(signing: nil)
        }
    }

    private func algorithmAllows(signing: Bool?) -> Bool {
        guard let name = self.algorithm else { return true }
        if let algorithm = SignatureAlgorithm(rawValue: name) {
            return self.publicKey.fits(algorithm) && signing != false
        }
        // The names of RFC 7518 §3.1 and §4.1 for other kinds of keys, which show that something was mixed up.
        if name.hasPrefix("HS") || name == "none" { return false }
        if name.hasPrefix("RSA") { return self.publicKey.isRSA && signing != true }
        if name.hasPrefix("ECDH-ES") { return !self.publicKey.isRSA && signing != true }
        return true
    }
}
