/// How a JWK is read: the members that we know must be right and agree, the others are ignored (RFC 7517 §4).

extension JWK {
    private static let longestText = 512
    private static let mostOperations = 16

    /// `x5c`, `x5u` and their kin are among the ignored: the set we fetched is what we believe, nothing it points to.
    package convenience init(_ json: JSON) throws(Failure) {
        guard let members = json.object else { throw .malformed }
        let material = try KeyMaterial(members)
        let (keyID, use) = (try Self.text("kid", in: members), try Self.text("use", in: members))
        let algorithm = try Self.text("alg", in: members)
        let operations = try Self.operations(in: members)
        guard let publicKey = PublicKey(material) else { throw .badNumber }
        self.init(publicKey, keyID: keyID, use: use, algorithm: algorithm, keyOperations: operations)
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

    private enum Purpose {
        case signing
        case encrypting
    }

    /// RFC 7517 §4.2 to §4.4: use, operations and algorithm say the same, and the algorithm is one for such a key. What
    /// we do not know agrees with everything, since such a key is never chosen.
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
        // Also those that are not ours (RFC 7518 §4.1).
        return name.hasPrefix("RSA") || name.hasPrefix("ECDH-ES") ? .encrypting : nil
    }

    private var algorithmFits: Bool {
        guard let name = self.algorithm else { return true }
        if let algorithm = SignatureAlgorithm(rawValue: name) { return self.publicKey.fits(algorithm) }
        if let algorithm = KeyManagementAlgorithm(rawValue: name) { return algorithm.fits(self.publicKey.kind) }
        // The names of RFC 7518 §3.1 and §4.1 for other kinds of keys, which show that something was mixed up.
        if name.hasPrefix("RSA") { return self.publicKey.isRSA }
        if name.hasPrefix("ECDH-ES") { return KeyManagementAlgorithm.ecdhES.fits(self.publicKey.kind) }
        return name != "none" && !Self.namesOfSecrets.contains { name.hasPrefix($0) }
    }

    /// The algorithms of symmetric keys begin like this.
    private static let namesOfSecrets = ["HS", "A128", "A192", "A256", "PBES2"]
}
