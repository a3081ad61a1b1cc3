import Base
import JOSE
import StrictJSON
import Testing

@testable import KeyFiles

/// The file of the key to which assertions are encrypted: which key is used, and with which header.
@Suite struct RecipientKeyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: @Sendable () throws -> JSON
        /// The `alg` of the encrypted token; nil if the file is refused.
        var algorithm: String?
        var keyID: String?
        var refusal = ""
    }

    private static let p256 = Result { try PrivateKey.generate(.p256) }
    private static let p521 = Result { try PrivateKey.generate(.p521) }
    private static let rsa = Result { try PrivateKey.generate(.rsa(bits: 2048)) }
    private static let ed25519 = Result { try PrivateKey.generate(.ed25519) }

    private static func jwk(_ key: Result<PrivateKey, any Error>, _ more: JSON.Object = [:]) throws -> JSON {
        var members = try #require(try key.get().publicKey.jwk(keyID: nil, use: nil).json.object)
        for (name, value) in more { members[name] = value }
        return .object(members)
    }

    static let rows: [Row] = [
        Row(testDescription: "RSA", file: { try jwk(rsa) }, algorithm: "RSA-OAEP-256"),
        Row(testDescription: "EC", file: { try jwk(p256) }, algorithm: "ECDH-ES+A256KW"),
        Row(testDescription: "P-521", file: { try jwk(p521, ["use": "enc"]) }, algorithm: "ECDH-ES+A256KW"),
        Row(
            testDescription: "its alg and kid", file: { try jwk(p256, ["alg": "ECDH-ES", "kid": "api-1"]) },
            algorithm: "ECDH-ES", keyID: "api-1"),
        Row(
            testDescription: "a set, the first that fits",
            file: {
                let keys = [
                    try jwk(ed25519), try jwk(p256, ["use": "sig"]), ["kty": "oct"], try jwk(p521, ["kid": "b"]),
                    try jwk(rsa, ["kid": "c"]),
                ]
                return ["keys": .array(keys)]
            }, algorithm: "ECDH-ES+A256KW", keyID: "b"),
        Row(testDescription: "for signatures", file: { try jwk(p256, ["use": "sig"]) }, refusal: "no RSA or EC key"),
        Row(
            testDescription: "alg of a signature", file: { try jwk(rsa, ["alg": "RS256"]) },
            refusal: "no RSA or EC key"),
        // SHA-1, and an algorithm that tells its errors apart (RFC 8725 §3.2).
        Row(testDescription: "RSA-OAEP", file: { try jwk(rsa, ["alg": "RSA-OAEP"]) }, refusal: "no RSA or EC key"),
        Row(testDescription: "RSA1_5", file: { try jwk(rsa, ["alg": "RSA1_5"]) }, refusal: "no RSA or EC key"),
        Row(testDescription: "Ed25519", file: { try jwk(ed25519) }, refusal: "no RSA or EC key"),
        Row(testDescription: "an empty set", file: { ["keys": []] }, refusal: "no RSA or EC key"),
        Row(testDescription: "no key", file: { ["a": 1] }, refusal: "no RSA or EC key"),
        Row(testDescription: "no object", file: { [1] }, refusal: "is neither a JWK"),
        Row(testDescription: "private", file: { try jwk(p256, ["d": "AQAB"]) }, refusal: "contains a private key"),
        Row(
            testDescription: "private, in a set", file: { ["keys": [try jwk(rsa), try jwk(p256, ["d": "AQAB"])]] },
            refusal: "contains a private key"),
    ]

    @Test(arguments: rows) func `the key of a file decides how assertions are encrypted`(_ row: Row) throws {
        let file = try row.file()
        guard row.algorithm != nil else {
            let failure = #expect(throws: FileError.self) {
                try RecipientKeyFile.encrypter(in: file.encoded())
            }
            #expect(failure?.message.contains(row.refusal) == true, "\(failure?.message ?? "")")
            return
        }
        let (encrypter, thumbprint) = try RecipientKeyFile.encrypter(in: file.encoded())
        let token = try encrypter.encrypt([1], contentType: "JWT")
        let header = try JSON(parsing: try #require(Base64URL.decode(String(token.prefix { $0 != "." }))))
        #expect(header["alg"]?.string == row.algorithm)
        #expect(header["kid"]?.string == row.keyID ?? thumbprint)
        #expect(header["enc"] == "A256GCM" && header["cty"] == "JWT")
    }

    @Test func `junk is refused`() {
        for text in ["", "{", "-----BEGIN PUBLIC KEY-----", "null", "\u{FEFF}{}"] {
            #expect(throws: FileError.self) { try RecipientKeyFile.encrypter(in: Array(text.utf8)) }
        }
    }
}
