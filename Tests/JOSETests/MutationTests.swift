import Base
import JOSE
import StrictJSON
import TestSupport
import Testing

/// Valid input with a few bytes changed at random, in the same way each time: it is read or refused, and nothing traps.
@Suite(.blocking) struct MutationTests {
    static let structure = Array("{}[]\",:\\u0019eE+-.tfn \u{0}".utf8) + [0x80, 0xC3, 0xED, 0xF4, 0xFF]
    static let seeds = Array(UInt64(1)...8)

    @Test(arguments: seeds) func `changed JSON is refused or means what it says`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let text = Array(#"{"a":[1,-0,2.5e-3,"\uD834\uDD1Eé\n",{"b":null,"c":[true,false,{}]}],"d":"x\"y"}"#.utf8)
        for _ in 0..<3000 {
            guard let value = try? JSON(parsing: random.mutated(text, with: Self.structure)) else { continue }
            // Whatever was read can be written and read back the same.
            #expect(try JSON(parsing: value.encoded()) == value)
        }
    }

    @Test(arguments: seeds) func `random bytes never trap the reader of JSON`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<3000 {
            let count = Int.random(in: 0..<40, using: &random)
            let bytes = (0..<count).map { _ in Self.structure.randomElement(using: &random) ?? 0 }
            _ = try? JSON(parsing: bytes)
        }
    }

    @Test(arguments: seeds) func `changed key sets verify nothing`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let keys = [KeyExample.rsa, KeyExample.p256, KeyExample.p521, KeyExample.ed25519, KeyExample.symmetric]
        let text = (["keys": .array(keys.map(JSON.object))] as JSON).encoded()
        let message = Array("message".utf8)
        for _ in 0..<300 {
            guard let set = try? JWKSet(parsing: random.mutated(text, with: Self.structure)) else { continue }
            for key in set.keys {
                #expect(try JWK(key.json).thumbprint == key.thumbprint)
                for algorithm in SignatureAlgorithm.allCases {
                    #expect(!key.publicKey.verify([UInt8](repeating: 1, count: 64), of: message, with: algorithm))
                }
            }
        }
    }

    @Test(arguments: JWSExample.all) func `a changed ID token is refused`(_ example: JWSExample) throws {
        var random = SplitMix64(seed: 1)
        let keys = JWKSet([try JWK(JSON(parsing: Array(example.key.utf8)))])
        let original = Array(example.token.utf8)
        let letters = Array("AZaz09-_.=+/ ".utf8)
        for _ in 0..<300 {
            let changed = random.mutated(original, with: letters)
            guard changed != original else { continue }
            let token = try? CompactJWS(parsing: String(decoding: changed, as: UTF8.self))
            let verified = try? token?.verified(with: keys, allowing: [example.algorithm])
            #expect(verified == nil, "a token is its bytes: none but the original verifies")
        }
    }

    @Test(arguments: JWEExample.all) func `a changed encrypted token is refused`(_ example: JWEExample) throws {
        var random = SplitMix64(seed: 1)
        let decrypter = Decrypter.all([try example.decryptionKey])
        let original = Array(example.token.utf8)
        let letters = Array("AZaz09-_.=+/ ".utf8)
        for _ in 0..<300 {
            let changed = random.mutated(original, with: letters)
            guard changed != original else { continue }
            #expect(throws: JWEError.self, "a token is its bytes: none but the original opens") {
                try decrypter.decrypt(String(decoding: changed, as: UTF8.self))
            }
        }
    }

    /// Changes only the header, so that later checks are reached.
    @Test(arguments: EncryptionPair.examples) func `a changed header opens nothing`(_ pair: EncryptionPair) throws {
        var random = SplitMix64(seed: 2)
        let decrypter = try pair.decrypter()
        let parts = try pair.encrypter().encrypt([1, 2, 3]).split(separator: ".", omittingEmptySubsequences: false)
        let header = try #require(Base64URL.decode(parts[0]))
        for _ in 0..<1000 {
            let changed = random.mutated(header, with: Self.structure)
            guard changed != header else { continue }
            let token = ([Base64URL.encode(changed)] + parts.dropFirst().map(String.init)).joined(separator: ".")
            #expect(throws: JWEError.self) { try decrypter.decrypt(token) }
        }
    }

    @Test(arguments: MACExample.all)
    func `a changed token with a code never verifies`(_ section: String, _ secret: String, _ token: String) throws {
        var random = SplitMix64(seed: 1)
        let secret = Secret(try #require(Base64URL.decode(secret)))
        let original = Array(token.utf8)
        for _ in 0..<300 {
            let changed = random.mutated(original, with: Array("AZaz09-_.=+/ ".utf8))
            guard changed != original else { continue }
            let token = try? CompactJWS(parsing: String(decoding: changed, as: UTF8.self))
            #expect((try? token?.verified(with: secret, allowing: [.hs256])) == nil)
        }
    }

    @Test(arguments: [PEMExample.pkcs8RSA, PEMExample.sec1, PEMExample.pkcs8Ed25519])
    func `a changed key file never traps`(_ pem: String) {
        var random = SplitMix64(seed: 1)
        for _ in 0..<300 {
            let changed = random.mutated(Array(pem.utf8), with: Array("AZaz09+/=-\n ".utf8))
            _ = try? PrivateKey(pem: Secret(changed))
        }
    }
}

extension SplitMix64 {
    /// Changes, removes, doubles or inserts bytes, one to four times.
    fileprivate mutating func mutated(_ bytes: [UInt8], with alphabet: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            let index = Int.random(in: 0...bytes.count, using: &self)
            let end = min(bytes.count, index + Int.random(in: 0...8, using: &self))
            switch Int.random(in: 0..<5, using: &self) {
            case 0: bytes.removeSubrange(index..<end)
            case 1: bytes.insert(contentsOf: Array(bytes[index..<end]), at: index)
            case 2: bytes.insert(alphabet.randomElement(using: &self) ?? 0, at: index)
            case 3 where index < bytes.count: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            default: bytes.replaceSubrange(index..<end, with: [alphabet.randomElement(using: &self) ?? 0])
            }
        }
        return bytes
    }
}
