import Base
import Cryptography
import JOSE
import StrictJSON
import Testing

/// Every signed token that we refuse, and its error.
@Suite struct CompactJWSRefusalTests {
    private static func part(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }

    private static let header = part(#"{"alg":"ES256"}"#)

    private static func header(_ text: String) -> String { part(text) + ".e30.AA" }

    static let unreadable: [(reason: String, token: String, failure: JWSError)] = [
        ("§7.1 nothing", "", .malformed),
        ("§7.1 one part", header, .malformed),
        ("§7.1 two parts", header + ".e30", .malformed),
        ("§7.1 four parts", header + ".e30.AA.AA", .malformed),
        ("§7.1 five parts, which is a JWE", header + "....", .malformed),
        ("§7.1 dots only", "..", .malformed),
        ("§7.2 JSON serialization", #"{"payload":"","signatures":[]}"#, .malformed),
        ("§5.2 blank in front", " " + header + ".e30.AA", .malformed),
        ("§5.2 line end behind", header + ".e30.AA\n", .malformed),
        ("§5.2 blank inside", header + ".e 30.AA", .malformed),
        ("§2 padded header", part(#"{"alg":"RS256" }"#) + "==.e30.AA", .malformed),
        ("§2 padded payload", header + ".e30=.AA", .malformed),
        ("§2 padded signature", header + ".e30.AA==", .malformed),
        ("§2 unused bits of the payload", header + ".e31.AA", .malformed),
        ("§2 unused bits of the signature", header + ".e30.AB", .malformed),
        ("§2 the other alphabet", header + ".e30.A+/A", .malformed),
        ("§2 a percent sign", header + ".e30.AA%3D", .malformed),
        ("§4 empty header", ".e30.AA", .malformed),
        ("§4 header is no JSON", header("alg"), .malformed),
        ("§4 header is a list", header("[]"), .malformed),
        ("§4 header and more", header(#"{"alg":"ES256"} {}"#), .malformed),
        (
            "§4 header is not UTF-8", Base64URL.encode(Array(#"{"alg":""#.utf8) + [0xFF, 0x22, 0x7D]) + ".e30.AA",
            .malformed
        ),
        ("§4 alg twice", header(#"{"alg":"ES256","alg":"none"}"#), .malformed),
        ("§4 alg twice, once escaped", header(#"{"alg":"ES256","\u0061lg":"none"}"#), .malformed),
        ("§4 kid twice", header(#"{"alg":"ES256","kid":"a","kid":"b"}"#), .malformed),
        ("§4 a member of no interest twice", header(#"{"alg":"ES256","x":1,"x":1}"#), .malformed),
        ("§4.1.1 no alg", header("{}"), .malformed),
        ("§4.1.1 alg in other case", header(#"{"ALG":"ES256"}"#), .malformed),
        ("§4.1.1 alg is null", header(#"{"alg":null}"#), .malformed),
        ("§4.1.1 alg is a list", header(#"{"alg":["ES256"]}"#), .malformed),
        ("§4.1.4 kid is a number", header(#"{"alg":"ES256","kid":1}"#), .malformed),
        ("§4.1.9 typ is a list", header(#"{"alg":"ES256","typ":["JWT"]}"#), .malformed),
        ("§4.1.10 cty is null", header(#"{"alg":"ES256","cty":null}"#), .malformed),
        ("§4.1.11 crit", header(#"{"alg":"ES256","crit":["exp"],"exp":1}"#), .criticalHeader),
        ("§4.1.11 crit, empty", header(#"{"alg":"ES256","crit":[]}"#), .criticalHeader),
        ("§4.1.11 crit, null", header(#"{"alg":"ES256","crit":null}"#), .criticalHeader),
        ("RFC 7797 b64", header(#"{"alg":"ES256","crit":["b64"],"b64":false}"#), .criticalHeader),
        ("RFC 7797 b64 without crit", header(#"{"alg":"ES256","b64":false}"#), .criticalHeader),
        ("RFC 7797 b64 true", header(#"{"alg":"ES256","b64":true}"#), .criticalHeader),
        ("header too long", header(#"{"alg":"ES256","x":""# + String(repeating: "x", count: 8192) + "\"}"), .malformed),
        ("header too deep", header(#"{"alg":"ES256","x":"# + String(repeating: "[", count: 64)), .malformed),
        ("token too long", header + "." + String(repeating: "A", count: CompactJWS.byteLimit) + ".AA", .tooLarge),
    ]

    @Test(arguments: unreadable)
    func `unreadable tokens are refused`(_ reason: String, _ token: String, with failure: JWSError) {
        #expect(throws: failure) { try CompactJWS(parsing: token) }
    }

    // MARK: - With a valid signature

    /// A key, and a token that it signed.
    struct Signed {
        let key: PrivateKey
        let algorithm: SignatureAlgorithm
        let keys: JWKSet

        init(_ kind: KeyKind, _ algorithm: SignatureAlgorithm, named name: String = "one") throws {
            self.key = try GeneratedKey.of(kind, named: name)
            self.algorithm = algorithm
            self.keys = JWKSet([self.key.publicKey.jwk(keyID: "k")])
        }

        func token(_ header: JSON.Object = [:], payload: String = "{}") throws -> String {
            var header = header
            header["alg"] = header["alg"] ?? .string(self.algorithm.rawValue)
            let input = Base64URL.encode(JSON.object(header).encoded()) + "." + CompactJWSRefusalTests.part(payload)
            return input + "." + Base64URL.encode(try self.key.sign(Array(input.utf8), with: self.algorithm))
        }
    }

    static func verify(
        _ token: String, _ keys: JWKSet, _ allowed: Set<SignatureAlgorithm> = Set(SignatureAlgorithm.allCases)
    ) throws -> VerifiedJWS {
        try CompactJWS(parsing: token).verified(with: keys, allowing: allowed)
    }

    @Test(arguments: SignatureTests.pairs)
    func `every changed letter is refused`(_ algorithm: SignatureAlgorithm, _ kind: KeyKind, byteCount: Int) throws {
        let signed = try Signed(kind, algorithm)
        let token = try signed.token()
        #expect(try Self.verify(token, signed.keys).payload == Array("{}".utf8))
        for index in stride(from: 0, to: token.utf8.count, by: 3) {
            var letters = Array(token.utf8)
            letters[index] = letters[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect {
                try Self.verify(String(decoding: letters, as: UTF8.self), signed.keys)
            } throws: {
                $0 is JWSError || $0 is SignatureError
            }
        }
    }

    @Test func `an algorithm that is not allowed is refused`() throws {
        let signed = try Signed(.rsa(bits: 2048), .rs256)
        #expect(throws: SignatureError.algorithmNotAllowed) {
            try Self.verify(signed.token(), signed.keys, [.ps256, .es256])
        }
        #expect(throws: SignatureError.algorithmNotAllowed) { try Self.verify(signed.token(), signed.keys, []) }
    }

    /// The header names another algorithm than the one that signed, or the key is of another kind (RFC 8725 §2.1).
    @Test func `a header that lies about the algorithm is refused`() throws {
        let rsa = try Signed(.rsa(bits: 2048), .rs256)
        let p384 = try Signed(.p384, .es384)
        #expect(throws: SignatureError.badSignature) { try Self.verify(rsa.token(["alg": "PS256"]), rsa.keys) }
        #expect(throws: SignatureError.badSignature) { try Self.verify(rsa.token(["alg": "RS512"]), rsa.keys) }
        #expect(throws: SignatureError.unknownKey) { try Self.verify(rsa.token(["alg": "ES256"]), rsa.keys) }
        #expect(throws: SignatureError.unknownKey) { try Self.verify(p384.token(["alg": "ES256"]), p384.keys) }
        #expect(throws: SignatureError.unknownKey) { try Self.verify(p384.token(), rsa.keys) }
        #expect(throws: SignatureError.algorithmNotAllowed) { try Self.verify(rsa.token(["alg": "none"]), rsa.keys) }
    }

    /// A public key, which everyone may know, is used as the secret of an HMAC (RFC 8725 §2.1).
    @Test func `an HMAC made with the public key is refused`() throws {
        let signed = try Signed(.rsa(bits: 2048), .rs256)
        let input = Self.part(#"{"alg":"HS256","kid":"k"}"#) + ".e30"
        let code = HMAC.code(Array(input.utf8), key: Secret(signed.keys.json.encoded()))
        #expect(throws: SignatureError.algorithmNotAllowed) {
            try Self.verify(input + "." + Base64URL.encode(code), signed.keys)
        }
    }

    /// A token brings its own key, or says where to fetch it (RFC 8725 §2.8, RFC 7515 §10.2).
    @Test func `a key in the token is not used`() throws {
        let attacker = try Signed(.p256, .es256, named: "attacker")
        let own = try Signed(.p256, .es256)
        let headers: [JSON.Object] = [
            ["jwk": attacker.key.publicKey.jwk(keyID: "k").json],
            ["jku": "https://attacker.example/keys"],
            ["x5u": "https://attacker.example/certificate"],
            ["x5c": ["MII"]],
            ["jwk": attacker.key.publicKey.jwk(keyID: "k").json, "kid": "k"],
        ]
        for header in headers {
            #expect(throws: SignatureError.badSignature) { try Self.verify(attacker.token(header), own.keys) }
            #expect(throws: SignatureError.unknownKey) { try Self.verify(attacker.token(header), JWKSet([])) }
        }
    }

    @Test func `a key that is not known is asked for`() throws {
        let signed = try Signed(.p256, .es256)
        let other = try Signed(.p256, .es256, named: "other")
        #expect(throws: SignatureError.unknownKey) { try Self.verify(signed.token(["kid": "new"]), signed.keys) }
        let two = JWKSet(signed.keys.keys + other.keys.keys)
        #expect(throws: SignatureError.ambiguousKey) { try Self.verify(signed.token(), two) }
        #expect(throws: SignatureError.ambiguousKey) { try Self.verify(signed.token(["kid": "k"]), two) }
    }

    @Test(arguments: ["", "null", "[]", "text", #"{"sub":"a","sub":"b"}"#, #"{"sub":"\ud800"}"#, "{} "])
    func `claims are one strict object`(_ payload: String) throws {
        let signed = try Signed(.ed25519, .edDSA)
        let verified = try Self.verify(signed.token(payload: payload), signed.keys)
        #expect(verified.payload == Array(payload.utf8))
        guard payload != "{} " else {
            #expect(verified.claims() == [:])
            return
        }
        #expect(verified.claims() == nil)
    }
}
