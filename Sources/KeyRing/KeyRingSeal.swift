import Base
import Cryptography
import JOSE
import KeyFiles
import StrictJSON

/// Encrypts a ring under a server key, and opens it again:
///
///     key id 8 ‖ AES-256-GCM under G_ring ‖ HMAC under G_ring_mac over version and ciphertext 32
///
/// The version is stored beside these bytes and is in them too, so a row that claims another one does not open.
package enum KeyRingSeal {
    /// What a row turns out to be.
    package enum Content: Sendable {
        case ring(KeyRing, isSealedByFirst: Bool)
        /// It was sealed by a server key that is not in the list.
        case sealedByAnother
        /// It was changed, or it is no ring.
        case damaged

        package var ring: KeyRing? {
            guard case .ring(let ring, _) = self else { return nil }
            return ring
        }
    }

    /// Derived from one server key.
    struct Keys: Sendable {
        let id: [UInt8]
        let encryption: Secret
        let mac: HMACKey

        init(_ serverKey: Secret) {
            func derive(_ use: String, _ count: Int = 32) -> Secret {
                HKDF.derive(count, from: serverKey, info: Array("switchback/1/\(use)".utf8))
            }
            self.id = derive("id", SealedRow.keyIDByteCount).exposed
            self.encryption = derive("ring")
            self.mac = HMACKey(derive("ring-mac"))
        }
    }

    private static let label = Array("key ring/1".utf8)

    /// The first server key seals.
    package static func seal(_ ring: KeyRing, under serverKeys: [Secret]) -> StoredKeyRing? {
        serverKeys.first.map { Self.seal(ring, under: Keys($0)) }
    }

    static func seal(_ ring: KeyRing, under keys: Keys) -> StoredKeyRing {
        let content = AESGCM.seal(ring.json.encoded(), key: keys.encryption, additional: Self.label)
        let bytes = SealedRow.seal(content, keyID: keys.id, by: keys.mac) { Self.append(ring.version, to: &$0) }
        return StoredKeyRing(version: ring.version, bytes: bytes)
    }

    /// Opens a row with the server key that sealed it.
    package static func open(_ row: StoredKeyRing, under serverKeys: [Secret]) -> Content {
        guard let sealed = SealedRow(row.bytes) else { return .damaged }
        let all = serverKeys.map { Keys($0) }
        guard let index = all.firstIndex(where: { $0.id == sealed.keyID }) else { return .sealedByAnother }
        let keys = all[index]
        guard sealed.isSealed(by: keys.mac, in: { Self.append(row.version, to: &$0) }),
            let content = AESGCM.open(sealed.fields, key: keys.encryption, additional: Self.label),
            let json = try? JSON(parsing: content), let ring = KeyRing(json), ring.version == row.version
        else { return .damaged }
        return .ring(ring, isSealedByFirst: index == 0)
    }

    private static func append(_ version: Int64, to message: inout HMACMessage) {
        message.append(Self.label)
        withUnsafeBytes(of: version.bigEndian) { message.append(Array($0)) }
    }
}

// MARK: - The content

extension KeyRing {
    fileprivate var json: JSON {
        [
            "version": .integer(Int(self.version)), "confirmed": .integer(Int(self.confirmedAt.milliseconds)),
            "keys": .array(self.keys.map(\.json)),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let version = json["version"]?.integer, let confirmedAt = Timestamp(json["confirmed"]),
            let entries = json["keys"]?.array
        else { return nil }
        let keys = entries.compactMap { Key($0) }
        guard keys.count == entries.count else { return nil }
        self.init(version: Int64(version), confirmedAt: confirmedAt, keys: keys)
    }
}

extension KeyRing.Key {
    fileprivate var json: JSON {
        var members: JSON.Object = [
            "use": .string(self.slot.use.rawValue), "slot": .string(self.slot.name),
            "key": .string(self.key.key.pem.exposedText), "made": .integer(Int(self.madeAt.milliseconds)),
            "active": .integer(Int(self.activeAt.milliseconds)), "ends": .integer(Int(self.endsAt.milliseconds)),
        ]
        if let algorithm = self.key.algorithm { members["alg"] = .string(algorithm.rawValue) }
        if let retiredAt { members["retired"] = .integer(Int(retiredAt.milliseconds)) }
        return .object(members)
    }

    fileprivate init?(_ json: JSON) {
        guard let use = json["use"]?.string.flatMap({ KeyUse(rawValue: $0) }), RingPolicy.uses.contains(use),
            let slot = json["slot"]?.string, let pem = json["key"]?.string,
            let privateKey = try? PrivateKey(pem: Secret(pem)),
            let madeAt = Timestamp(json["made"]), let activeAt = Timestamp(json["active"]),
            let endsAt = Timestamp(json["ends"])
        else { return nil }
        let algorithm = json["alg"]?.string.flatMap { SignatureAlgorithm(rawValue: $0) }
        guard let key = SigningKey(privateKey, algorithm: algorithm) else { return nil }
        self.init(
            slot: RingPolicy.Slot(use, slot), key: key, madeAt: madeAt, activeAt: activeAt,
            retiredAt: Timestamp(json["retired"]), endsAt: endsAt)
    }
}

extension Timestamp {
    fileprivate init?(_ json: JSON?) {
        guard let milliseconds = json?.integer else { return nil }
        self.init(milliseconds: Int64(milliseconds))
    }
}
