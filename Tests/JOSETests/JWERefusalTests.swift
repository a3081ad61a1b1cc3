import Base
import JOSE
import StrictJSON
import Testing

/// Every encrypted token that we refuse, and its error.
@Suite struct JWERefusalTests {
    private static func part(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }

    private static let zeros = String(repeating: "A", count: 16)
    private static let tag = String(repeating: "A", count: 22)

    /// Returns a token with this header and nothing valid after it.
    private static func header(_ text: String) -> String { "\(part(text))..\(zeros).AA.\(tag)" }

    private static let good = #"{"alg":"dir","enc":"A128GCM"}"#
    private static let first = part(good)

    static let unreadable: [(reason: String, token: String, failure: JWEError)] = [
        ("§7.1 nothing", "", .malformed),
        ("§7.1 one part", first, .malformed),
        ("§7.1 three parts, which is a JWS", "\(first).e30.AA", .malformed),
        ("§7.1 four parts", "\(first)..\(zeros).AA", .malformed),
        ("§7.1 six parts", "\(first)..\(zeros).AA.\(tag).", .malformed),
        ("§7.1 dots only", "....", .malformed),
        ("§7.2 JSON serialization", #"{"protected":"","recipients":[],"ciphertext":"AA"}"#, .malformed),
        ("§5.2 blank in front", " \(first)..\(zeros).AA.\(tag)", .malformed),
        ("§5.2 line end behind", "\(first)..\(zeros).AA.\(tag)\n", .malformed),
        ("§5.2 blank inside", "\(first)..\(zeros).A A.\(tag)", .malformed),
        ("RFC 7515 §2 padded header", part(good + " ") + "=..\(zeros).AA.\(tag)", .malformed),
        ("RFC 7515 §2 padded key", "\(first).AA==.\(zeros).AA.\(tag)", .malformed),
        ("RFC 7515 §2 padded ciphertext", "\(first)..\(zeros).AA==.\(tag)", .malformed),
        ("RFC 7515 §2 padded tag", "\(first)..\(zeros).AA.\(tag)==", .malformed),
        ("RFC 7515 §2 unused bits of the ciphertext", "\(first)..\(zeros).AB.\(tag)", .malformed),
        ("RFC 7515 §2 unused bits of the tag", "\(first)..\(zeros).AA.\(tag.dropLast())B", .malformed),
        ("RFC 7515 §2 the other alphabet", "\(first)..\(zeros.dropLast())+.AA.\(tag)", .malformed),
        ("§4 empty header", "..\(zeros).AA.\(tag)", .malformed),
        ("§4 header is no JSON", header("alg"), .malformed),
        ("§4 header is a list", header("[]"), .malformed),
        ("§4 header and more", header(good + "{}"), .malformed),
        ("§4 alg twice", header(#"{"alg":"dir","enc":"A128GCM","alg":"dir"}"#), .malformed),
        ("§4 alg twice, once escaped", header(#"{"alg":"dir","enc":"A128GCM","\u0061lg":"dir"}"#), .malformed),
        ("§4 enc twice", header(#"{"alg":"dir","enc":"A128GCM","enc":"A256GCM"}"#), .malformed),
        ("§4 a member of no interest twice", header(#"{"alg":"dir","enc":"A128GCM","x":1,"x":1}"#), .malformed),
        ("§4 a member of epk twice", header(#"{"alg":"ECDH-ES","enc":"A128GCM","epk":{"x":"","x":""}}"#), .malformed),
        ("§4.1.1 no alg", header(#"{"enc":"A128GCM"}"#), .malformed),
        ("§4.1.1 alg is a list", header(#"{"alg":["dir"],"enc":"A128GCM"}"#), .malformed),
        ("§4.1.2 no enc", header(#"{"alg":"dir"}"#), .malformed),
        ("§4.1.2 enc is null", header(#"{"alg":"dir","enc":null}"#), .malformed),
        ("§4.1.2 enc is a list", header(#"{"alg":"dir","enc":["A128GCM"]}"#), .malformed),
        ("§4.1.6 kid is a number", header(#"{"alg":"dir","enc":"A128GCM","kid":1}"#), .malformed),
        ("§4.1.13 crit", header(#"{"alg":"dir","enc":"A128GCM","crit":["exp"],"exp":1}"#), .criticalHeader),
        ("§4.1.13 crit, empty", header(#"{"alg":"dir","enc":"A128GCM","crit":[]}"#), .criticalHeader),
        ("§4.1.13 crit, null", header(#"{"alg":"dir","enc":"A128GCM","crit":null}"#), .criticalHeader),
        ("§4.1.3 zip", header(#"{"alg":"dir","enc":"A128GCM","zip":"DEF"}"#), .algorithmNotAllowed),
        ("§4.1.3 zip, null", header(#"{"alg":"dir","enc":"A128GCM","zip":null}"#), .algorithmNotAllowed),
        (
            "header too long", header(good.dropLast() + #","x":""# + String(repeating: "x", count: 8192) + "\"}"),
            .malformed
        ),
        ("header too deep", header(good.dropLast() + #","x":"# + String(repeating: "[", count: 64)), .malformed),
        (
            "token too long", "\(first)..\(zeros)." + String(repeating: "A", count: CompactJWE.byteLimit) + ".\(tag)",
            .tooLarge
        ),
    ]

    static let everyKey: [DecryptionKey] =
        [DecryptionKey(Secret([UInt8](repeating: 0, count: 16)), keyID: nil)]
        + KeyKind.examples.compactMap { kind in (try? GeneratedKey.of(kind)).map { DecryptionKey($0, keyID: nil) } }

    @Test(arguments: unreadable)
    func `unreadable tokens are refused`(_ reason: String, _ token: String, with failure: JWEError) {
        #expect(throws: failure) { try Decrypter.all(Self.everyKey).decrypt(token) }
    }

    // MARK: - Algorithms

    @Test(arguments: RefusedJWEExample.all)
    func `examples with refused algorithms are refused`(_ section: String, _ token: String) {
        #expect(throws: JWEError.algorithmNotAllowed) { try Decrypter.all(Self.everyKey).decrypt(token) }
    }

    static let algorithms = [
        "RSA1_5", "RSA-OAEP-384", "RSA-OAEP-512", "A128KW", "A192KW", "A256KW", "A128GCMKW", "A256GCMKW",
        "ECDH-ES+A192KW", "ECDH-1PU", "PBES2-HS256+A128KW", "PBES2-HS512+A256KW", "HPKE-0", "none", "HS256", "RS256",
        "DIR", "dir ", "rsa-oaep", "",
    ]

    @Test(arguments: algorithms) func `other algorithms are refused by name`(_ name: String) {
        let header: JSON = ["alg": .string(name), "enc": "A128GCM", "p2c": 2_000_000_000, "p2s": "AAAAAAAAAAA"]
        let token = Self.header(String(decoding: header.encoded(), as: UTF8.self))
        #expect(throws: JWEError.algorithmNotAllowed) { try Decrypter.all(Self.everyKey).decrypt(token) }
    }

    @Test(arguments: ["A192GCM", "A192CBC-HS384", "A128CBC", "A256CBC+HS512", "C20P", "XC20P", "none", "a128gcm", ""])
    func `other content encryptions are refused by name`(_ name: String) {
        let header: JSON = ["alg": "dir", "enc": .string(name)]
        let token = Self.header(String(decoding: header.encoded(), as: UTF8.self))
        #expect(throws: JWEError.algorithmNotAllowed) { try Decrypter.all(Self.everyKey).decrypt(token) }
    }

    @Test(arguments: EncryptionPair.examples) func `algorithms and encryptions that are not allowed are refused`(
        _ pair: EncryptionPair
    ) throws {
        let token = try pair.encrypter().encrypt([])
        let key = try pair.decryptionKey()
        let others = Set(KeyManagementAlgorithm.allCases).subtracting([pair.algorithm])
        let otherEncryptions = Set(ContentEncryption.allCases).subtracting([pair.encryption])
        for decrypter in [
            Decrypter(keys: [key], algorithms: others, encryptions: [pair.encryption]),
            Decrypter(keys: [key], algorithms: [pair.algorithm], encryptions: otherEncryptions),
            Decrypter(keys: [key], algorithms: [], encryptions: []),
        ] {
            #expect(throws: JWEError.algorithmNotAllowed) { try decrypter.decrypt(token) }
        }
    }

    @Test func `every failure has its case`() {
        let elsewhere: Set<JWEError> = [.unknownKey, .decryption]
        #expect(Set(Self.unreadable.map(\.failure)).union(elsewhere) == Set(JWEError.allCases))
    }
}
