import Base
import Cryptography
import JOSE
import Testing

/// The derivation of an agreed key (RFC 7518 appendix C), for both parties.
@Suite struct KeyDerivationTests {
    let alice = Array("Alice".utf8)
    let bob = Array("Bob".utf8)

    /// The Z of appendix C.
    static let agreed: [UInt8] = [
        158, 86, 217, 29, 129, 113, 53, 211, 114, 131, 66, 131, 191, 132, 38, 156, 251, 49, 110, 163, 218, 128, 106, 72,
        246, 218, 167, 121, 140, 254, 144, 196,
    ]

    @Test func `both sides agree on one key`() throws {
        let ephemeral = try PrivateKey(pem: Secret(EncryptionKeyExample.alice))
        let own = try PrivateKey(pem: Secret(EncryptionKeyExample.bob))
        #expect(ephemeral.agree(with: own.publicKey)?.exposed == Self.agreed)
        #expect(own.agree(with: ephemeral.publicKey)?.exposed == Self.agreed)
    }

    @Test func `the example of appendix C is derived`() {
        let key = ConcatKDF.derive(
            16, from: Secret(Self.agreed), algorithm: "A128GCM", partyU: self.alice, partyV: self.bob)
        #expect(Base64URL.encode(key.exposed) == "VqqN6vgjbSBcIijNcacQGg")
    }

    /// Every input changes the whole output, and so does its length (SP 800-56A §5.8.1).
    @Test func `every input of the derivation counts`() {
        func key(_ count: Int, _ algorithm: String, _ partyU: [UInt8], _ partyV: [UInt8]) -> [UInt8] {
            let key = ConcatKDF.derive(
                count, from: Secret(Self.agreed), algorithm: algorithm, partyU: partyU, partyV: partyV)
            #expect(key.count == count)
            return Array(key.exposed.prefix(16))
        }
        let keys = [
            key(16, "A128GCM", self.alice, self.bob), key(32, "A128GCM", self.alice, self.bob),
            key(64, "A128GCM", self.alice, self.bob), key(16, "A256GCM", self.alice, self.bob),
            key(16, "A128GCM", self.bob, self.alice), key(16, "A128GCM", [], self.alice + self.bob),
            key(16, "A128GCM", self.alice + self.bob, []), key(16, "A128GCM", [], []),
        ]
        #expect(Set(keys).count == keys.count)
    }

    @Test(arguments: KeyKind.examples) func `only keys of one curve agree`(_ kind: KeyKind) throws {
        let key = try GeneratedKey.of(kind)
        for other in KeyKind.examples {
            let agreed = key.agree(with: try GeneratedKey.of(other, named: "other").publicKey)
            #expect((agreed != nil) == (kind == other && EncryptionPair.curves.contains(kind)))
        }
    }
}
