import Base
import JOSE
import StrictJSON
import Testing

/// Tokens that name their own key (RFC 9449 §4.2), and the list of known headers, which they must not fill.
@Suite struct ProofOfPossessionTests {
    private static let claims: JSON.Object = ["jti": "one"]

    private static func token(_ key: PrivateKey, _ algorithm: SignatureAlgorithm = .es256) throws -> String {
        try JWTSigner(key: key, algorithm: algorithm, keyID: "any").sign(Self.claims, type: "dpop+jwt")
    }

    @Test func `a token verifies with the key in it`() throws {
        let key = try GeneratedKey.of(.p256)
        let token = try CompactJWS(parsing: Self.token(key), isFromAnyone: true)
        // The name in the header means nothing.
        let verified = try token.verified(with: key.publicKey.jwk(keyID: "other"), allowing: .es256)
        #expect(verified.claims() == Self.claims)
        #expect(verified.algorithm == .es256)
    }

    @Test func `a token of another key or algorithm is refused`() throws {
        let key = try GeneratedKey.of(.p256)
        let token = try CompactJWS(parsing: Self.token(key), isFromAnyone: true)
        let jwk = key.publicKey.jwk(keyID: nil)
        #expect(throws: SignatureError.algorithmNotAllowed) { try token.verified(with: jwk, allowing: .es384) }
        #expect(throws: SignatureError.unknownKey) {
            try token.verified(with: key.publicKey.jwk(keyID: nil, use: "enc"), allowing: .es256)
        }
        let other = try GeneratedKey.of(.p256, named: "two").publicKey.jwk(keyID: nil)
        #expect(throws: SignatureError.badSignature) { try token.verified(with: other, allowing: .es256) }
        let larger = try GeneratedKey.of(.p384)
        #expect(throws: SignatureError.unknownKey) {
            try token.verified(with: larger.publicKey.jwk(keyID: nil), allowing: .es256)
        }
        let unsigned = "eyJhbGciOiJub25lIn0.e30."
        #expect(throws: SignatureError.algorithmNotAllowed) {
            try CompactJWS(parsing: unsigned, isFromAnyone: true).verified(with: jwk, allowing: .es256)
        }
    }

    @Test func `a token from anyone is not remembered`() throws {
        let text = try Self.token(GeneratedKey.of(.p256))
        let (one, two) = (
            try CompactJWS(parsing: text, isFromAnyone: true), try CompactJWS(parsing: text, isFromAnyone: true)
        )
        #expect(one.header !== two.header)
        #expect(one.header.json == two.header.json)
        for wrong in ["", ".", "..", "e30.e30.", "!.e30.AA"] {
            #expect(throws: JWSError.malformed) { try CompactJWS(parsing: wrong, isFromAnyone: true) }
        }
    }
}
