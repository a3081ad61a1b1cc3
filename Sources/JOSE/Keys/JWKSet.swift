import Base
import StrictJSON

/// A published set of keys (RFC 7517 §5).
package struct JWKSet: Sendable {
    package enum Choice: Sendable {
        case key(JWK)
        /// No key fits. A newer copy of the set may have one.
        case none
        /// More than one key fits, and nothing says which to use.
        case ambiguous
    }

    package static let byteLimit = 256 * 1024
    package static let keyLimit = 128

    package let keys: [JWK]
    /// The keys of the set that we cannot use: of an unknown kind, or wrong.
    package let skippedKeys: [SkippedKey]

    package var skipped: Int { self.skippedKeys.count }

    package init(_ keys: [JWK]) {
        self.keys = keys
        self.skippedKeys = []
    }

    /// Returns these keys, and those of `others` whose key ID is not among them.
    package func adding(_ others: JWKSet) -> JWKSet {
        let keyIDs = Set(self.keys.compactMap(\.keyID))
        return JWKSet(self.keys + others.keys.filter { key in key.keyID.map { !keyIDs.contains($0) } ?? true })
    }

    /// Skips a key that is wrong: one bad key must not shut out the users whose tokens were signed with another.
    package init(parsing bytes: [UInt8], spelling: Spelling = .exact) throws(JWKError) {
        guard bytes.count <= Self.byteLimit else { throw .tooLarge }
        guard let entries = (try? JSON(parsing: bytes))?["keys"]?.array else { throw .malformed }
        guard entries.count <= Self.keyLimit else { throw .tooLarge }
        var keys: [JWK] = []
        var skippedKeys: [SkippedKey] = []
        for (index, entry) in entries.enumerated() {
            do throws(JWKError) {
                keys.append(try JWK(entry, spelling: spelling))
            } catch {
                skippedKeys.append(SkippedKey(position: index + 1, keyID: entry["kid"]?.string, error: error))
            }
        }
        self.keys = keys
        self.skippedKeys = skippedKeys
    }

    package var json: JSON { ["keys": .array(self.keys.map(\.json))] }

    /// Returns the key that a signature names. Without a name, returns the only key that could have made it (OpenID
    /// Connect Core §10.1).
    package func key(for algorithm: SignatureAlgorithm, keyID: String?) -> Choice {
        var match: Int?
        for index in self.keys.indices where self.keys[index].isNamed(keyID) && self.keys[index].verifies(algorithm) {
            guard let first = match else {
                match = index
                continue
            }
            // The same key listed twice is still one key.
            guard self.keys[index].publicKey.material == self.keys[first].publicKey.material else { return .ambiguous }
        }
        guard let match else { return .none }
        return .key(self.keys[match])
    }
}

extension JWK {
    fileprivate func isNamed(_ name: String?) -> Bool {
        guard let name else { return true }
        return self.keyID.map { identical($0, name) } ?? false
    }
}

/// A key of a published set that we cannot use.
package struct SkippedKey: Equatable, Sendable {
    /// Its place in the set; the first is 1.
    package let position: Int
    /// The `kid`, if it is a text of at most 128 visible ASCII characters.
    package let keyID: String?
    package let error: JWKError

    init(position: Int, keyID: String?, error: JWKError) {
        self.position = position
        self.error = error
        self.keyID = keyID.flatMap { name in
            let isVisible = name.utf8.allSatisfy { 0x21...0x7E ~= $0 }
            return isVisible && 1...128 ~= name.utf8.count ? name : nil
        }
    }
}
