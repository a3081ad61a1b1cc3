import Base
import JOSE
import StrictJSON
import Testing

/// Every public key that we refuse, and why.
@Suite struct JWKRefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: JSON.Object
        let changes: JSON.Object
        let failure: JWKError

        init(_ description: String, _ key: JSON.Object, _ changes: JSON.Object, _ failure: JWKError) {
            self.testDescription = description
            self.key = key
            self.changes = changes
            self.failure = failure
        }
    }

    private static let rsa = KeyExample.rsa
    private static let p256 = KeyExample.p256
    private static let p521 = KeyExample.p521
    private static let ed25519 = KeyExample.ed25519
    private static let x = "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4"
    private static let zeros = String(repeating: "A", count: 43)

    private static func number(_ bytes: Int, first: UInt8 = 0x80, last: UInt8 = 1) -> JSON {
        .string(Base64URL.encode([first] + [UInt8](repeating: 0, count: bytes - 2) + [last]))
    }

    static let kinds: [Case] = [
        Case("§4.1 no kty", Self.rsa, ["kty": .null], .malformed),
        Case("§4.1 kty is a number", Self.rsa, ["kty": 1], .malformed),
        Case("§4.1 kty in other case", Self.rsa, ["kty": "rsa"], .unsupported),
        Case("§4.1 unknown kty", Self.rsa, ["kty": "AKP"], .unsupported),
        Case("RFC 7518 §6.4 symmetric key", KeyExample.symmetric, [:], .privateMember),
        Case("RFC 7518 §6.4 symmetric key without k", KeyExample.symmetric, ["k": .null], .unsupported),
        Case("RFC 7518 §6.2.1.1 no crv", Self.p256, ["crv": .null], .malformed),
        Case("RFC 7518 §6.2.1.1 unknown curve", Self.p256, ["crv": "secp256k1"], .unsupported),
        Case("RFC 7518 §6.2.1.1 curve in other case", Self.p256, ["crv": "p-256"], .unsupported),
        Case("RFC 8037 §2 X25519 cannot sign", Self.ed25519, ["crv": "X25519"], .unsupported),
        Case("RFC 8037 §2 Ed448", Self.ed25519, ["crv": "Ed448"], .unsupported),
        Case("RFC 8037 §2 Ed25519 as EC", Self.ed25519, ["kty": "EC"], .unsupported),
        Case("RFC 8037 §2 P-256 as OKP", Self.p256, ["kty": "OKP"], .unsupported),
        Case("RFC 7518 §6.2.1 EC as RSA", Self.p256, ["kty": "RSA"], .malformed),
        Case("RFC 7518 §6.3.1 RSA as EC", Self.rsa, ["kty": "EC"], .malformed),
    ]

    static let privateMembers: [Case] = [
        Case("RFC 7518 §6.3.2.1 d of RSA", Self.rsa, ["d": "AQAB"], .privateMember),
        Case("RFC 7518 §6.3.2.2 p", Self.rsa, ["p": "AQAB"], .privateMember),
        Case("RFC 7518 §6.3.2.3 q", Self.rsa, ["q": "AQAB"], .privateMember),
        Case("RFC 7518 §6.3.2.4 dp", Self.rsa, ["dp": "AQAB"], .privateMember),
        Case("RFC 7518 §6.3.2.5 dq", Self.rsa, ["dq": "AQAB"], .privateMember),
        Case("RFC 7518 §6.3.2.6 qi", Self.rsa, ["qi": "AQAB"], .privateMember),
        Case("RFC 7518 §6.3.2.7 oth", Self.rsa, ["oth": []], .privateMember),
        Case("RFC 7518 §6.2.2.1 d of EC", Self.p256, ["d": .string(Self.x)], .privateMember),
        Case("RFC 8037 §2 d of Ed25519", Self.ed25519, ["d": .string(Self.x)], .privateMember),
        Case("RFC 7518 §6.4.1 k", Self.rsa, ["k": "AQAB"], .privateMember),
    ]

    static let numbers: [Case] = [
        Case("RFC 7518 §6.3.1.1 no n", Self.rsa, ["n": .null], .malformed),
        Case("RFC 7518 §6.3.1.1 n is a number", Self.rsa, ["n": 5], .malformed),
        Case("RFC 7518 §6.3.1.1 n padded", Self.rsa, ["n": "AQA="], .malformed),
        Case("RFC 7518 §6.3.1.1 n empty", Self.rsa, ["n": ""], .badNumber),
        Case("RFC 7518 §6.3.1.1 n with a leading zero", Self.rsa, ["n": Self.number(257, first: 0)], .badNumber),
        Case("RFC 7518 §3.3 1024 bits", Self.rsa, ["n": Self.number(128)], .badSize),
        Case("RFC 7518 §3.3 2047 bits", Self.rsa, ["n": Self.number(256, first: 0x7F)], .badSize),
        Case("8193 bits", Self.rsa, ["n": Self.number(1025, first: 1)], .badSize),
        Case("even n", Self.rsa, ["n": Self.number(256, last: 2)], .badNumber),
        Case("RFC 7518 §6.3.1.2 no e", Self.rsa, ["e": .null], .malformed),
        Case("RFC 7518 §6.3.1.2 e empty", Self.rsa, ["e": ""], .badNumber),
        Case("RFC 7518 §6.3.1.2 e is 0", Self.rsa, ["e": "AA"], .badNumber),
        Case("e is 1", Self.rsa, ["e": "AQ"], .badNumber),
        Case("e is 2", Self.rsa, ["e": "Ag"], .badNumber),
        Case("even e", Self.rsa, ["e": "AQAA"], .badNumber),
        Case("e with a leading zero", Self.rsa, ["e": "AAEAAQ"], .badNumber),
        Case("e above 64 bits", Self.rsa, ["e": Self.number(9)], .badNumber),
        Case("RFC 7518 §6.2.1.2 no x", Self.p256, ["x": .null], .malformed),
        Case("RFC 7518 §6.2.1.3 no y", Self.p256, ["y": .null], .malformed),
        Case("RFC 7518 §6.2.1.2 x is null", Self.p256, ["x": [.null]], .malformed),
        Case("RFC 7518 §6.2.1.2 x short", Self.p256, ["x": Self.number(31)], .badSize),
        Case("RFC 7518 §6.2.1.2 x long", Self.p256, ["x": Self.number(33, first: 0)], .badSize),
        Case("RFC 7518 §6.2.1.3 y short", Self.p256, ["y": Self.number(31)], .badSize),
        Case("RFC 7518 §6.2.1.2 x of P-521 without its zeros", Self.p521, ["x": Self.number(65)], .badSize),
        Case("RFC 7518 §6.2.1.1 coordinates of another curve", Self.p256, ["crv": "P-384"], .badSize),
        Case("point off the curve", Self.p256, ["y": .string(Self.x)], .badNumber),
        Case("point at infinity", Self.p256, ["x": .string(Self.zeros), "y": .string(Self.zeros)], .badNumber),
        Case("x above the field", Self.p256, ["x": Self.number(32, first: 0xFF, last: 0xFF)], .badNumber),
        Case("point of P-521 off the curve", Self.p521, ["y": Self.p521["x"] ?? .null], .badNumber),
        Case("RFC 8037 §2 no x", Self.ed25519, ["x": .null], .malformed),
        Case("RFC 8037 §2 x short", Self.ed25519, ["x": Self.number(31)], .badSize),
        Case("RFC 8037 §2 x long", Self.ed25519, ["x": Self.number(33)], .badSize),
    ]

    static let metadata: [Case] = [
        Case("§4.5 kid is a number", Self.rsa, ["kid": 1], .malformed),
        Case("§4.5 kid as long as a novel", Self.rsa, ["kid": .string(String(repeating: "k", count: 513))], .tooLarge),
        Case("§4.2 use is a list", Self.rsa, ["use": ["sig"]], .malformed),
        Case("§4.4 alg is a number", Self.rsa, ["alg": 256], .malformed),
        Case("§4.3 key_ops is a text", Self.rsa, ["key_ops": "verify"], .malformed),
        Case("§4.3 key_ops holds a number", Self.rsa, ["key_ops": ["verify", 1]], .malformed),
        Case("§4.3 an operation twice", Self.rsa, ["key_ops": ["verify", "verify"]], .malformed),
        Case("§4.3 very many operations", Self.rsa, ["key_ops": .array((0..<17).map { "\($0)" })], .tooLarge),
        Case("§4.4 alg of another kty", Self.rsa, ["alg": "ES256"], .contradiction),
        Case("§4.4 alg of another kty", Self.p256, ["alg": "RS256", "use": .null], .contradiction),
        Case("§4.4 alg of another curve", Self.p256, ["alg": "ES384", "use": .null], .contradiction),
        Case("§4.4 alg of another curve", Self.p521, ["alg": "ES256"], .contradiction),
        Case("§4.4 alg of ECDSA for Ed25519", Self.ed25519, ["alg": "ES256"], .contradiction),
        Case("§4.4 alg of HMAC for RSA", Self.rsa, ["alg": "HS256"], .contradiction),
        Case("§4.4 alg of HMAC for EC", Self.p521, ["alg": "HS512"], .contradiction),
        Case("§4.4 alg none", Self.rsa, ["alg": "none"], .contradiction),
        Case("§4.4 alg of RSA encryption for EC", Self.p256, ["alg": "RSA-OAEP"], .contradiction),
        Case("§4.4 alg of key agreement for RSA", Self.rsa, ["alg": "ECDH-ES"], .contradiction),
        Case("§4.4 alg of key agreement for Ed25519", Self.ed25519, ["alg": "ECDH-ES"], .contradiction),
        Case("§4.4 alg of key agreement, none of ours, for RSA", Self.rsa, ["alg": "ECDH-ES+A192KW"], .contradiction),
        Case("§4.4 alg of RSA encryption, none of ours, for EC", Self.p256, ["alg": "RSA1_5"], .contradiction),
        Case("§4.4 alg dir", Self.rsa, ["alg": "dir"], .contradiction),
        Case("§4.4 alg of key wrap", Self.p256, ["alg": "A128KW"], .contradiction),
        Case("§4.4 alg of GCM key wrap", Self.p256, ["alg": "A256GCMKW"], .contradiction),
        Case("§4.4 alg of passwords", Self.rsa, ["alg": "PBES2-HS256+A128KW"], .contradiction),
        Case("§4.4 alg of content", Self.rsa, ["alg": "A256GCM"], .contradiction),
        Case("§4.3 alg to sign, key_ops to encrypt", Self.rsa, ["key_ops": ["wrapKey"]], .contradiction),
        Case(
            "§4.3 alg to encrypt, key_ops to verify", Self.rsa, ["alg": "RSA-OAEP", "key_ops": ["verify"]],
            .contradiction),
        Case("§4.3 alg to agree, key_ops to sign", Self.p256, ["alg": "ECDH-ES", "key_ops": ["sign"]], .contradiction),
        Case("§4.2 use enc, alg to sign", Self.rsa, ["use": "enc"], .contradiction),
        Case("§4.2 use sig, alg to encrypt", Self.rsa, ["use": "sig", "alg": "RSA-OAEP-256"], .contradiction),
        Case("§4.2 use sig, alg to agree", Self.p521, ["alg": "ECDH-ES+A256KW"], .contradiction),
        Case("§4.3 use sig, key_ops to encrypt", Self.rsa, ["use": "sig", "key_ops": ["encrypt"]], .contradiction),
        Case("§4.3 use enc, key_ops to verify", Self.p256, ["key_ops": ["verify"]], .contradiction),
    ]

    static let all = Self.kinds + Self.privateMembers + Self.numbers + Self.metadata

    @Test(arguments: all) func `each malformed key is refused`(_ example: Case) {
        #expect(throws: example.failure) { try JWK(KeyExample.changed(example.key, example.changes)) }
    }

    @Test(arguments: [.null, 1, "key", [], [[:]]] as [JSON]) func `what is no object is refused`(_ json: JSON) {
        #expect(throws: JWKError.malformed) { try JWK(json) }
    }

    @Test func `every failure has its case`() {
        #expect(Set(Self.all.map(\.failure)) == Set(JWKError.allCases))
    }
}
