import JOSE
import Testing

/// Many signatures and tokens in a row, which share the contexts of the first.
@Suite struct RepeatedSignatureTests {
    /// There are enough signatures for some of their numbers to begin with a zero byte, which DER omits.
    @Test(arguments: [(SignatureAlgorithm.es256, KeyKind.p256), (.es384, .p384), (.es512, .p521)])
    func `numbers of every length are signed and verified`(_ algorithm: SignatureAlgorithm, _ kind: KeyKind) throws {
        let key = try PrivateKey.generate(kind)
        for number in 0..<300 {
            let message = Array("\(number)".utf8)
            let signature = try key.sign(message, with: algorithm)
            #expect(key.publicKey.verify(signature, of: message, with: algorithm))
            #expect(!key.publicKey.verify(signature, of: message + [0], with: algorithm))
        }
    }

    /// No signature has numbers of zeros or ones only (RFC 7518 §3.4), but they must not cause a crash.
    @Test(arguments: [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8])
    func `a signature of equal bytes never verifies`(_ byte: UInt8) throws {
        for (algorithm, kind, count) in [(SignatureAlgorithm.es256, KeyKind.p256, 64), (.es512, .p521, 132)] {
            let key = try PrivateKey.generate(kind).publicKey
            let signature = [UInt8](repeating: byte, count: count)
            #expect(!key.verify(signature, of: [1], with: algorithm))
        }
    }

    /// More headers than the cache keeps, each read twice.
    @Test func `a header is what its token says`() throws {
        let key = try PrivateKey.generate(.p256)
        let tokens = try (0..<20).map { number in
            try JWTSigner(key: key, algorithm: .es256, keyID: "\(number)").sign(["n": .integer(number)], type: "JWT")
        }
        for number in Array(0..<20) + Array(0..<20) {
            let token = try CompactJWS(parsing: tokens[number])
            #expect(token.header.keyID == "\(number)" && token.header.type == "JWT")
            let keys = JWKSet([key.publicKey.jwk(keyID: "\(number)")])
            #expect(try token.verified(with: keys, allowing: [.es256]).claims()?["n"] == .integer(number))
        }
    }
}
