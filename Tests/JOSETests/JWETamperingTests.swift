import Base
import JOSE
import StrictJSON
import Testing

/// Encrypted tokens that were valid until someone changed them, or that have false headers.
@Suite struct JWETamperingTests {
    /// A change to the parts of a token, and the error that it causes.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pair: EncryptionPair
        let failure: JWEError
        let part: Int
        let change: @Sendable ([UInt8]) -> [UInt8]

        init(
            _ description: String, _ pair: EncryptionPair, _ part: Int, _ failure: JWEError,
            _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
        ) {
            self.testDescription = description
            self.pair = pair
            self.part = part
            self.failure = failure
            self.change = change
        }
    }

    private static let rsa = EncryptionPair(.rsaOAEP, .rsa(bits: 2048), .a256GCM)
    private static let rsa256 = EncryptionPair(.rsaOAEP256, .rsa(bits: 2048), .a128CBCHS256)
    private static let agreed = EncryptionPair(.ecdhES, .p256, .a128GCM)
    private static let wrapped = EncryptionPair(.ecdhESA128KW, .p384, .a128CBCHS256)
    private static let direct = EncryptionPair(.direct, nil, .a128GCM)
    private static let directCBC = EncryptionPair(.direct, nil, .a256CBCHS512)

    /// The parts are 1 the key, 2 the IV, 3 the ciphertext, 4 the tag.
    static let changes: [Change] = [
        Change("RFC 7516 §5.2 step 10: dir with a key", direct, 1, .malformed) { _ in [1] },
        Change("RFC 7516 §5.2 step 10: ECDH-ES with a key", agreed, 1, .malformed) { _ in [1] },
        Change("RFC 3394: wrapped key missing", wrapped, 1, .malformed) { _ in [] },
        Change("RFC 3394: wrapped key cut", wrapped, 1, .malformed) { $0.dropLast() },
        Change("RFC 3394: wrapped key of another length", wrapped, 1, .malformed) { $0.dropLast(8) },
        Change("RFC 3394: wrapped key longer", wrapped, 1, .malformed) { $0 + $0.prefix(8) },
        Change("RFC 3394: wrapped key changed", wrapped, 1, .decryption, flipped),
        Change("RFC 3394: wrapped key of zeros", wrapped, 1, .decryption) { $0.map { _ in 0 } },
        Change("RFC 8017 §7.1.2: encrypted key missing", rsa, 1, .decryption) { _ in [] },
        Change("RFC 8017 §7.1.2: encrypted key cut", rsa, 1, .decryption) { $0.dropLast() },
        Change("RFC 8017 §7.1.2: encrypted key with a zero in front", rsa, 1, .decryption) { [0] + $0 },
        Change("RFC 8017 §7.1.2: encrypted key twice", rsa, 1, .decryption) { $0 + $0 },
        Change("RFC 8017 §7.1.2: encrypted key changed", rsa, 1, .decryption, flipped),
        Change("RFC 8017 §7.1.2: encrypted key changed", rsa256, 1, .decryption, flipped),
        Change("RFC 8017 §5.1.2: encrypted key is 0", rsa, 1, .decryption) { $0.map { _ in 0 } },
        Change("RFC 8017 §5.1.2: encrypted key is 1", rsa, 1, .decryption) { $0.dropLast().map { _ in 0 } + [1] },
        Change("RFC 8017 §5.1.2: encrypted key above n", rsa, 1, .decryption) { $0.map { _ in 0xFF } },
        Change("RFC 7518 §5.3: no IV", direct, 2, .malformed) { _ in [] },
        Change("RFC 7518 §5.3: IV of 11 bytes", direct, 2, .malformed) { $0.dropLast() },
        Change("RFC 7518 §5.3: IV of 16 bytes", direct, 2, .malformed) { $0 + $0.prefix(4) },
        Change("RFC 7518 §5.3: IV changed", direct, 2, .decryption, flipped),
        Change("RFC 7518 §5.2.2.1: no IV", directCBC, 2, .malformed) { _ in [] },
        Change("RFC 7518 §5.2.2.1: IV of 12 bytes", directCBC, 2, .malformed) { $0.dropLast(4) },
        Change("RFC 7518 §5.2.2.1: IV of 17 bytes", directCBC, 2, .malformed) { $0 + [0] },
        Change("RFC 7518 §5.2.2.1: IV changed", directCBC, 2, .decryption, flipped),
        Change("RFC 7518 §5.3: ciphertext changed", direct, 3, .decryption, flipped),
        Change("RFC 7518 §5.3: no ciphertext", direct, 3, .decryption) { _ in [] },
        Change("RFC 7518 §5.3: ciphertext longer", direct, 3, .decryption) { $0 + [0] },
        Change("RFC 7518 §5.2.2.2: ciphertext changed", directCBC, 3, .decryption, flipped),
        Change("RFC 7518 §5.2.2.2: no ciphertext", directCBC, 3, .malformed) { _ in [] },
        Change("RFC 7518 §5.2.2.2: ciphertext of no whole blocks", directCBC, 3, .malformed) { $0.dropLast() },
        Change("RFC 7518 §5.2.2.2: ciphertext a block shorter", directCBC, 3, .decryption) { $0.dropLast(16) },
        Change("RFC 7518 §5.3: no tag", direct, 4, .malformed) { _ in [] },
        Change("RFC 7518 §5.3: tag of 4 bytes", direct, 4, .malformed) { $0.prefix(4) + [] },
        Change("RFC 7518 §5.3: tag of 12 bytes", direct, 4, .malformed) { $0.dropLast(4) },
        Change("RFC 7518 §5.3: tag of 17 bytes", direct, 4, .malformed) { $0 + [0] },
        Change("RFC 7518 §5.3: tag changed", direct, 4, .decryption, flipped),
        Change("RFC 7518 §5.2.2.1: no tag", directCBC, 4, .malformed) { _ in [] },
        Change("RFC 7518 §5.2.2.1: tag of the other digest", directCBC, 4, .malformed) { $0.dropLast(16) },
        Change("RFC 7518 §5.2.2.1: the whole code as tag", directCBC, 4, .malformed) { $0 + $0 },
        Change("RFC 7518 §5.2.2.1: tag changed", directCBC, 4, .decryption, flipped),
        Change("RFC 7516 §11.5: RSA-OAEP, tag changed", rsa, 4, .decryption, flipped),
        Change("RFC 7516 §11.5: key wrap, tag changed", wrapped, 4, .decryption, flipped),
    ]

    @Sendable private static func flipped(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes[bytes.count / 2] ^= 0x10
        return bytes
    }

    @Test(arguments: changes) func `each changed part is refused`(_ change: Change) throws {
        let token = try change.pair.encrypter().encrypt(Array("thirty bytes of some plaintext".utf8))
        var parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let part = try #require(Base64URL.decode(parts[change.part]))
        parts[change.part] = Base64URL.encode(change.change(part))
        let decrypter = try change.pair.decrypter()
        #expect(throws: Never.self) { try decrypter.decrypt(token) }
        #expect(throws: change.failure) { try decrypter.decrypt(parts.joined(separator: ".")) }
    }

    // MARK: - False headers

    private static let otherPoint = "weNJy2HscCSM6AEDTDg04biOvhFhyyWvOHQfeF_PxMQ"

    static let lies: [(reason: String, pair: EncryptionPair, header: JSON.Object, failure: JWEError)] = [
        ("RFC 7516 §4.1.13 crit", rsa, ["crit": ["exp"], "exp": 1], .criticalHeader),
        ("RFC 7516 §4.1.3 zip", rsa, ["zip": "DEF"], .algorithmNotAllowed),
        ("RFC 7797 b64", rsa, ["b64": true], .criticalHeader),
        ("RFC 7518 §4.3 the other digest", rsa, ["alg": "RSA-OAEP-256"], .decryption),
        ("RFC 7518 §4.3 the other digest", rsa256, ["alg": "RSA-OAEP"], .decryption),
        ("RFC 8725 §2.1 RSA1_5", rsa, ["alg": "RSA1_5"], .algorithmNotAllowed),
        ("RFC 7518 §4.1 another kind of key", rsa, ["alg": "dir"], .malformed),
        ("RFC 7518 §4.1 another kind of key", rsa, ["alg": "ECDH-ES"], .malformed),
        ("RFC 7518 §4.1 another kind of key", direct, ["alg": "RSA-OAEP"], .unknownKey),
        ("RFC 7518 §4.1 another kind of key", direct, ["alg": "ECDH-ES"], .malformed),
        ("RFC 7518 §4.1 agreed as wrapped", agreed, ["alg": "ECDH-ES+A128KW"], .malformed),
        ("RFC 7518 §4.1 wrapped as agreed", wrapped, ["alg": "ECDH-ES"], .malformed),
        ("RFC 7518 §4.1 wrapped with a longer key", wrapped, ["alg": "ECDH-ES+A256KW"], .decryption),
        ("RFC 7518 §5.1 another enc", direct, ["enc": "A256GCM"], .unknownKey),
        ("RFC 7518 §5.1 another enc", rsa, ["enc": "A128GCM"], .decryption),
        ("RFC 7518 §5.1 another enc", rsa, ["enc": "A256CBC-HS512"], .malformed),
        ("RFC 7518 §5.1 another enc, key as long", rsa256, ["enc": "A256GCM"], .malformed),
        ("RFC 7518 §4.6.1.1 no epk", agreed, ["epk": .null], .malformed),
        ("RFC 7518 §4.6.1.1 epk is a text", agreed, ["epk": "key"], .malformed),
        ("RFC 7518 §4.6.1.1 epk is empty", agreed, ["epk": [:]], .malformed),
        ("RFC 7518 §4.6.1.1 epk of RSA", agreed, ["epk": .object(KeyExample.rsa)], .malformed),
        ("RFC 7518 §4.6.1.1 epk of Ed25519", agreed, ["epk": .object(KeyExample.ed25519)], .malformed),
        (
            "RFC 8037 §3.2 epk of X25519", agreed,
            ["epk": KeyExample.changed(KeyExample.ed25519, ["crv": "X25519"])], .malformed
        ),
        (
            "RFC 7518 §4.6.1.1 epk with its private half", agreed,
            ["epk": KeyExample.changed(KeyExample.p256, ["d": .string(Self.otherPoint)])], .malformed
        ),
        (
            "RFC 7518 §4.6.1.1 epk with x padded", agreed,
            ["epk": KeyExample.changed(KeyExample.p256, ["x": .string(Self.otherPoint + "=")])], .malformed
        ),
        (
            "RFC 7518 §6.2.1.2 epk with x short", agreed,
            ["epk": KeyExample.changed(KeyExample.p256, ["x": "AQAB"])], .malformed
        ),
        (
            "RFC 8725 §2.4 epk off the curve", agreed,
            ["epk": KeyExample.changed(KeyExample.p256, ["x": .string(Self.otherPoint)])], .malformed
        ),
        (
            "RFC 8725 §2.4 epk at infinity", agreed,
            [
                "epk": KeyExample.changed(
                    KeyExample.p256,
                    ["x": .string(String(repeating: "A", count: 43)), "y": .string(String(repeating: "A", count: 43))])
            ], .malformed
        ),
        (
            "RFC 8725 §2.4 epk names a curve it is not of", agreed,
            ["epk": KeyExample.changed(KeyExample.p256, ["crv": "P-384"])], .malformed
        ),
        ("RFC 7518 §4.6.1.1 epk of another curve", agreed, ["epk": .object(KeyExample.p521)], .unknownKey),
        ("RFC 7518 §4.6.1.1 another epk", agreed, ["epk": .object(KeyExample.p256)], .decryption),
        ("RFC 7516 §4.1.6 kid of nobody", rsa, ["kid": "other"], .unknownKey),
        ("RFC 7516 §4.1.6 kid in other case", rsa, ["kid": "K"], .unknownKey),
        ("RFC 7516 §4.1.6 kid that looks the same", rsa, ["kid": "\u{212A}"], .unknownKey),
        ("RFC 7516 §4.1.6 kid is empty", rsa, ["kid": ""], .unknownKey),
        ("RFC 7516 §4.1.6 kid is null", rsa, ["kid": .null], .malformed),
    ]

    @Test(arguments: lies)
    func `a header that lies is refused`(
        _ reason: String, _ pair: EncryptionPair, _ header: JSON.Object, _ failure: JWEError
    ) throws {
        let token = try pair.encrypter().encrypt(Array("some plaintext".utf8), more: header)
        #expect(throws: failure) { try pair.decrypter().decrypt(token) }
    }

    /// They are bytes in base64url, and part of the key (RFC 7518 §4.6.1.2).
    @Test(arguments: ["apu", "apv"]) func `a party that is no text is refused`(_ name: String) throws {
        let token = try Self.agreed.encrypter().encrypt([])
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let header = try #require(try JSON(parsing: Base64URL.decode(parts[0]) ?? []).object)
        for (value, failure) in [
            (1, .malformed), (.null, .malformed), ("QWxpY2U=", .malformed), ("A", .malformed), ("QWxpY2U", .decryption),
            ("", .decryption),
        ] as [(JSON, JWEError)] {
            var changed = header
            changed[name] = value
            let first = Base64URL.encode(JSON.object(changed).encoded())
            let token = ([first] + parts.dropFirst().map(String.init)).joined(separator: ".")
            #expect(throws: failure) { try Self.agreed.decrypter().decrypt(token) }
            guard failure == .malformed else { continue }
            #expect(throws: OperatorError("apu and apv must be base64url")) {
                try Self.agreed.encrypter().encrypt([], more: [name: value])
            }
        }
    }

    @Test(arguments: EncryptionPair.examples) func `every changed letter is refused`(_ pair: EncryptionPair) throws {
        let token = try pair.encrypter().encrypt(Array("{}".utf8))
        let decrypter = try pair.decrypter()
        for index in stride(from: 0, to: token.utf8.count, by: 3) {
            var letters = Array(token.utf8)
            letters[index] = letters[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: JWEError.self) { try decrypter.decrypt(String(decoding: letters, as: UTF8.self)) }
        }
    }

    /// The tag protects the header as it was written, not its meaning.
    @Test(arguments: EncryptionPair.examples)
    func `the same header written otherwise is refused`(_ pair: EncryptionPair) throws {
        let parts = try pair.encrypter().encrypt([1]).split(separator: ".", omittingEmptySubsequences: false)
        let header = Base64URL.encode((Base64URL.decode(parts[0]) ?? []) + [UInt8(ascii: " ")])
        let token = ([header] + parts.dropFirst().map(String.init)).joined(separator: ".")
        #expect(throws: JWEError.decryption) { try pair.decrypter().decrypt(token) }
    }
}
