import Base
import JOSE
import StrictJSON
import Testing

/// Encrypted tokens (RFC 7516): we decrypt the examples and our own tokens.
@Suite struct JWETests {
    @Test(arguments: JWEExample.all) func `the examples are decrypted`(_ example: JWEExample) throws {
        let decrypter = Decrypter(
            keys: [try example.decryptionKey], algorithms: [example.algorithm], encryptions: [example.encryption])
        let opened = try decrypter.decrypt(example.token)
        #expect(opened.plaintext.exposedText == example.plaintext)
        #expect(opened.header.algorithm == example.algorithm.rawValue)
        #expect(opened.header.keyID == example.keyID)
        #expect(Decrypter.isEncrypted(example.token))
    }

    @Test(arguments: EncryptionPair.all) func `what was encrypted is decrypted`(_ pair: EncryptionPair) throws {
        let (encrypter, decrypter) = (try pair.encrypter(), try pair.decrypter())
        for count in [0, 1, 15, 16, 17, 5000] {
            let plaintext = RandomBytes.make(count)
            let token = try encrypter.encrypt(plaintext, contentType: "octets", type: "secret+jwe")
            let opened = try decrypter.decrypt(token)
            #expect(opened.plaintext == Secret(plaintext))
            #expect(opened.header.contentType == "octets")
            #expect(opened.header.type == "secret+jwe")
            #expect(opened.header.keyID == "k")
        }
    }

    @Test(arguments: EncryptionPair.examples)
    func `the same text is encrypted differently each time`(_ pair: EncryptionPair) throws {
        let tokens = try (0..<20).map { _ in try pair.encrypter().encrypt([1, 2, 3]) }
        // If a content key, an IV or an ephemeral key were used twice, it would show in one of the parts.
        for part in [1, 2, 3, 4] where part != 1 || pair.algorithm != .direct && pair.algorithm != .ecdhES {
            #expect(Set(tokens.map { $0.split(separator: ".", omittingEmptySubsequences: false)[part] }).count == 20)
        }
    }

    /// The names of the parties are part of the key (RFC 7518 §4.6.1.2, §4.6.1.3).
    @Test(arguments: [.ecdhES, .ecdhESA128KW] as [KeyManagementAlgorithm])
    func `names of the parties are part of the key`(_ algorithm: KeyManagementAlgorithm) throws {
        let pair = EncryptionPair(algorithm, .p256, .a256CBCHS512)
        let token = try pair.encrypter().encrypt([7], more: ["apu": "QWxpY2U", "apv": "Qm9i"])
        let opened = try pair.decrypter().decrypt(token)
        #expect(opened.plaintext == Secret([7] as [UInt8]))
        #expect(opened.header.json["apu"] == "QWxpY2U")
    }

    // MARK: - Nested

    /// RFC 7520 §6.
    @Test func `a nested token is decrypted and verified`() throws {
        let key = DecryptionKey(try PrivateKey(pem: Secret(EncryptionKeyExample.samwise)), keyID: nil)
        let opened = try Decrypter.all([key]).decrypt(NestedExample.token)
        #expect(opened.header.contentType == "JWT")
        #expect(opened.plaintext.exposedText == NestedExample.signed)
        let signer = JWKSet([try JWK(JSON(parsing: Array(NestedExample.signingKey.utf8)))])
        let claims = try CompactJWS(parsing: opened.plaintext.exposedText).verified(with: signer, allowing: [.ps256])
            .claims()
        #expect(claims == ["iss": "hobbiton.example", "exp": 1_300_819_380, "http://example.com/is_root": true])
    }

    @Test func `an encrypted token inside an encrypted token is not opened`() throws {
        let pair = EncryptionPair.examples[0]
        let inner = try pair.encrypter().encrypt([])
        let outer = try pair.encrypter().encrypt(Array(inner.utf8), contentType: "JWT")
        let opened = try pair.decrypter().decrypt(outer)
        #expect(throws: JWSError.malformed) { try CompactJWS(parsing: opened.plaintext.exposedText) }
    }

    // MARK: - The form of a token

    static let forms: [(token: String, isEncrypted: Bool)] = [
        ("a.b.c.d.e", true), ("....", true), ("a..c.d.e", true),
        ("", false), ("a.b.c", false), ("a.b.c.d", false), ("a.b.c.d.e.f", false),
    ]

    @Test(arguments: forms) func `five parts are an encrypted token`(_ token: String, _ isEncrypted: Bool) {
        #expect(Decrypter.isEncrypted(token) == isEncrypted)
    }

    @Test func `the public halves of the useful keys are published`() throws {
        let keys = [
            DecryptionKey(try GeneratedKey.of(.rsa(bits: 2048)), keyID: "rsa"),
            DecryptionKey(try GeneratedKey.of(.p256), keyID: nil),
            DecryptionKey(try GeneratedKey.of(.ed25519), keyID: "cannot"),
            DecryptionKey(Secret("of a secret nothing is public"), keyID: "secret"),
        ]
        let some = Decrypter(keys: keys, algorithms: [.rsaOAEP256, .ecdhES, .ecdhESA256KW], encryptions: [.a256GCM])
        let published = try JWKSet(parsing: some.jwks.json.encoded())
        #expect(published.skipped == 0)
        #expect(published.keys.map(\.keyID) == ["rsa", nil])
        #expect(published.keys.map(\.use) == ["enc", "enc"])
        #expect(published.keys.map(\.algorithm) == ["RSA-OAEP-256", nil])
        let names = Set(published.keys.flatMap { $0.json.object?.names ?? [] })
        #expect(names.isSubset(of: ["kty", "n", "e", "crv", "x", "y", "kid", "use", "alg"]))
        let none = Decrypter(keys: keys, algorithms: [.direct], encryptions: [.a256GCM])
        #expect(none.jwks.keys.isEmpty)
    }

    @Test func `nothing of a decrypted token is printed`() throws {
        let pair = EncryptionPair.examples[5]
        let opened = try pair.decrypter().decrypt(pair.encrypter().encrypt(Array("a person".utf8)))
        var dumped = ""
        dump(opened, to: &dumped)
        dump(try pair.decrypter(), to: &dumped)
        dump(try pair.encrypter(), to: &dumped)
        #expect(!"\(opened)\(dumped)".contains("a person"))
        #expect("\(opened.plaintext)" == "‹secret›")
    }
}

extension JWEExample {
    var decryptionKey: DecryptionKey {
        get throws {
            switch self.key {
            case .pem(let pem): DecryptionKey(try PrivateKey(pem: Secret(pem)), keyID: self.keyID)
            case .secret(let text): DecryptionKey(Secret(Base64URL.decode(text) ?? []), keyID: self.keyID)
            }
        }
    }
}
