import Base
import JOSE
import StrictJSON
import Testing

/// Signed tokens (RFC 7515): the RFCs' examples, and the values of a header.
@Suite struct CompactJWSTests {
    @Test(arguments: JWSExample.all) func `the examples of the RFCs are verified`(_ example: JWSExample) throws {
        let keys = JWKSet([try JWK(JSON(parsing: Array(example.key.utf8)))])
        let token = try CompactJWS(parsing: example.token)
        #expect(token.header.algorithm == example.algorithm.rawValue)
        #expect(token.header.json["alg"]?.string == example.algorithm.rawValue)
        let verified = try token.verified(with: keys, allowing: [example.algorithm])
        #expect(verified.algorithm == example.algorithm)
        #expect(Base64URL.encode(verified.payload) == example.token.split(separator: ".")[1])
    }

    /// PKCS #1 v1.5 and Ed25519 have one signature for a message, so we must make the same as the example.
    @Test(arguments: [("RFC 7515 A.2", PEMExample.pkcs8RSA, 0), ("RFC 8037 A.4", PEMExample.pkcs8Ed25519, 6)])
    func `the example is signed as published`(_ section: String, _ pem: String, _ number: Int) throws {
        let example = JWSExample.all[number]
        let parts = example.token.split(separator: ".")
        let key = try PrivateKey(pem: Secret(pem))
        let signature = try key.sign(Array("\(parts[0]).\(parts[1])".utf8), with: example.algorithm)
        #expect(Base64URL.encode(signature) == parts[2])
    }

    @Test func `the claims of the example are read`() throws {
        let example = JWSExample.all[0]
        let keys = JWKSet([try JWK(JSON(parsing: Array(example.key.utf8)))])
        let verified = try CompactJWS(parsing: example.token).verified(with: keys, allowing: [.rs256])
        let claims = try #require(verified.claims())
        #expect(claims == ["iss": "joe", "exp": 1_300_819_380, "http://example.com/is_root": true])
    }

    @Test func `the values of a header are read`() throws {
        let json: JSON = ["alg": "ES256", "kid": "k", "typ": "at+jwt", "cty": "JWT", "x": [1]]
        let header = try CompactJWS(parsing: Base64URL.encode(json.encoded()) + ".e30.AA").header
        #expect(header.algorithm == "ES256")
        #expect(header.keyID == "k")
        #expect(header.type == "at+jwt")
        #expect(header.contentType == "JWT")
        #expect(JSON.object(header.json) == json)
    }

    /// The parser reads it, so that the log can say what it was (RFC 7515 §A.5).
    @Test func `the unsigned example of RFC 7515 never verifies`() throws {
        let token = """
            eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290\
            Ijp0cnVlfQ.
            """
        let unsigned = try CompactJWS(parsing: token)
        #expect(unsigned.header.algorithm == "none")
        let keys = JWKSet([try JWK(.object(KeyExample.rsa))])
        for allowed in [[], Set(SignatureAlgorithm.allCases)] {
            #expect(throws: SignatureError.algorithmNotAllowed) { try unsigned.verified(with: keys, allowing: allowed) }
        }
    }

    /// RFC 7515 §A.1 is signed with HMAC, which needs a shared secret, never a set of keys.
    @Test(arguments: ["HS256", "None", "NONE", "none ", "rs256", "RS256 ", "RS1", "ES256K", "", "RSA-OAEP"])
    func `an algorithm we do not have never verifies`(_ name: String) throws {
        let header: JSON = ["alg": .string(name)]
        let token = try CompactJWS(parsing: Base64URL.encode(header.encoded()) + ".e30.AA")
        let keys = JWKSet([try JWK(.object(KeyExample.ed25519))])
        #expect(throws: SignatureError.algorithmNotAllowed) {
            try token.verified(with: keys, allowing: Set(SignatureAlgorithm.allCases))
        }
    }
}
