import Base
import JOSE
import StrictJSON
import Testing

/// Which of our keys decrypts a token, and to which keys of others we encrypt.
@Suite struct JWEKeyTests {
    private static let pairs = EncryptionPair.examples

    @Test(arguments: pairs) func `a token for another party is refused`(_ pair: EncryptionPair) throws {
        let token = try pair.encrypter(named: "somebody else").encrypt([1])
        #expect(throws: JWEError.decryption) { try pair.decrypter().decrypt(token) }
        #expect(throws: JWEError.unknownKey) { try Decrypter.all([]).decrypt(token) }
    }

    @Test(arguments: pairs) func `the key is found by its name`(_ pair: EncryptionPair) throws {
        let keys = try ["one", "two", "three"].map { try pair.decryptionKey(named: $0, keyID: $0) }
        let token = try pair.encrypter(named: "two", keyID: "two").encrypt([2])
        #expect(try Decrypter.all(keys).decrypt(token).plaintext.exposed == [2])
        // A wrong key ID is believed: no other key is tried.
        let lie = try pair.encrypter(named: "two", keyID: "three").encrypt([2])
        #expect(throws: JWEError.decryption) { try Decrypter.all(keys).decrypt(lie) }
        #expect(throws: JWEError.unknownKey) { try Decrypter.all([keys[0]]).decrypt(token) }
    }

    @Test(arguments: pairs) func `every key that fits is tried when none is named`(_ pair: EncryptionPair) throws {
        let token = try pair.encrypter(named: "two", keyID: nil).encrypt([2])
        var keys = try KeyKind.examples.map { DecryptionKey(try GeneratedKey.of($0, named: "other"), keyID: "a") }
        keys.append(DecryptionKey(Secret("short"), keyID: nil))
        keys += try ["one", "two"].map { try pair.decryptionKey(named: $0, keyID: $0) }
        #expect(try Decrypter.all(keys).decrypt(token).plaintext.exposed == [2])
        #expect(throws: JWEError.decryption) { try Decrypter.all(keys.dropLast()).decrypt(token) }
    }

    @Test(arguments: pairs) func `a nameless key opens only tokens without a name`(_ pair: EncryptionPair) throws {
        let nameless = try pair.decrypter(keyID: nil)
        #expect(try nameless.decrypt(pair.encrypter(keyID: nil).encrypt([3])).plaintext.exposed == [3])
        #expect(throws: JWEError.unknownKey) { try nameless.decrypt(pair.encrypter().encrypt([3])) }
    }

    /// We ignore where a token says its key is (RFC 7516 §10.1, RFC 7515 §10).
    @Test(arguments: pairs) func `a key in the token is not used`(_ pair: EncryptionPair) throws {
        let stranger = try GeneratedKey.of(.p256, named: "stranger").publicKey.jwk(keyID: "k", use: "enc").json
        let more: JSON.Object = [
            "jwk": stranger, "jku": "https://attacker.example/keys", "x5u": "https://attacker.example/certificate",
            "x5c": ["MII"], "x5t": "AA", "x5t#S256": 1,
        ]
        let token = try pair.encrypter().encrypt([4], more: more)
        #expect(try pair.decrypter().decrypt(token).plaintext.exposed == [4])
        let foreign = try pair.encrypter(named: "stranger").encrypt([4], more: more)
        #expect(throws: JWEError.decryption) { try pair.decrypter().decrypt(foreign) }
    }

    // MARK: - Encrypting to others

    static let uses: [(key: JSON.Object, changes: JSON.Object, encrypts: [KeyManagementAlgorithm])] = [
        (KeyExample.rsa, ["alg": .null], [.rsaOAEP, .rsaOAEP256]),
        (KeyExample.rsa, ["alg": .null, "use": "enc"], [.rsaOAEP, .rsaOAEP256]),
        (KeyExample.rsa, ["alg": "RSA-OAEP-256"], [.rsaOAEP256]),
        (KeyExample.rsa, ["alg": "RSA-OAEP", "use": "enc", "key_ops": ["wrapKey"]], [.rsaOAEP]),
        (KeyExample.rsa, ["alg": .null, "key_ops": ["encrypt"]], [.rsaOAEP, .rsaOAEP256]),
        (KeyExample.rsa, ["alg": .null, "key_ops": ["decrypt", "unwrapKey"]], []),
        (KeyExample.rsa, ["alg": .null, "key_ops": ["verify"]], []),
        (KeyExample.rsa, ["alg": .null, "key_ops": []], []),
        (KeyExample.rsa, ["alg": .null, "use": "sig"], []),
        (KeyExample.rsa, ["alg": .null, "use": "ENC"], []),
        (KeyExample.rsa, ["alg": "RS256"], []),
        (KeyExample.rsa, ["alg": "RSA1_5", "use": "enc"], []),
        (KeyExample.rsa, ["alg": "RSA-OAEP-512", "use": "enc"], []),
        (KeyExample.p256, [:], [.ecdhES, .ecdhESA128KW, .ecdhESA256KW]),
        (KeyExample.p256, ["alg": "ECDH-ES"], [.ecdhES]),
        (KeyExample.p256, ["alg": "ECDH-ES+A192KW"], []),
        (KeyExample.p256, ["key_ops": ["deriveKey"]], [.ecdhES, .ecdhESA128KW, .ecdhESA256KW]),
        (KeyExample.p256, ["key_ops": ["deriveBits"], "alg": "ECDH-ES+A256KW"], [.ecdhESA256KW]),
        (KeyExample.p256, ["key_ops": []], [.ecdhES, .ecdhESA128KW, .ecdhESA256KW]),
        (KeyExample.p256, ["key_ops": ["wrapKey"]], []),
        (KeyExample.p521, [:], []),
        (KeyExample.p521, ["use": .null], [.ecdhES, .ecdhESA128KW, .ecdhESA256KW]),
        (KeyExample.ed25519, [:], []),
        (KeyExample.ed25519, ["use": "enc"], []),
    ]

    @Test(arguments: uses) func `a key encrypts only as its owner says`(
        _ key: JSON.Object, _ changes: JSON.Object, _ expected: [KeyManagementAlgorithm]
    ) throws {
        let jwk = try JWK(KeyExample.changed(key, changes))
        #expect(KeyManagementAlgorithm.allCases.filter(jwk.encrypts) == expected)
        for algorithm in KeyManagementAlgorithm.allCases {
            let encrypter = Encrypter(to: jwk, algorithm, .a256GCM)
            if expected.contains(algorithm) {
                #expect(try Decrypter.isEncrypted(encrypter.encrypt([])))
            } else {
                #expect(throws: OperatorError("the key is not for \(algorithm.rawValue)")) { try encrypter.encrypt([]) }
            }
        }
    }

    @Test(arguments: ContentEncryption.allCases, [0, 15, 16, 17, 32, 48, 64, 65])
    func `a secret is as long as the content encryption wants`(_ encryption: ContentEncryption, _ count: Int) throws {
        let secret = Secret(RandomBytes.make(count))
        let encrypter = Encrypter(secret: secret, keyID: nil, encryption)
        if count == encryption.keyByteCount {
            let opened = try Decrypter.all([DecryptionKey(secret, keyID: nil)]).decrypt(encrypter.encrypt([5]))
            #expect(opened.plaintext.exposed == [5])
        } else {
            let refusal = OperatorError("\(encryption.rawValue) needs a secret of \(encryption.keyByteCount) bytes")
            #expect(throws: refusal) { try encrypter.encrypt([5]) }
        }
    }

    @Test(arguments: pairs) func `a token too large to be read is not made`(_ pair: EncryptionPair) throws {
        let encrypter = try pair.encrypter()
        #expect(throws: OperatorError("the token would have more than 98304 bytes")) {
            try encrypter.encrypt([UInt8](repeating: 0, count: 72 * 1024))
        }
        // The longest signed token still fits, with some room for the key and the header.
        let signed = [UInt8](repeating: 0, count: CompactJWS.byteLimit)
        #expect(try pair.decrypter().decrypt(encrypter.encrypt(signed)).plaintext.count == signed.count)
    }
}
