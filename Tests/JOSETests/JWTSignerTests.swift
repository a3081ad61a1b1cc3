import Base
import JOSE
import StrictJSON
import Testing

/// JWTs (RFC 7519) that we sign and read back.
@Suite struct JWTSignerTests {
    static let claims: JSON.Object = ["iss": "https://login.example.com", "exp": 1_700_000_300, "name": "Jens Ærø"]

    @Test(arguments: SignatureTests.pairs)
    func `others can verify what was signed`(_ algorithm: SignatureAlgorithm, _ kind: KeyKind, byteCount: Int) throws {
        let signer = try JWTSigner(key: GeneratedKey.of(kind), algorithm: algorithm, keyID: "2026-11")
        let published = try JWKSet(parsing: JWKSet([#require(signer.jwk)]).json.encoded())
        #expect(published.skipped == 0)
        let token = try CompactJWS(parsing: signer.sign(Self.claims, type: "login+jwt"))
        #expect(token.header.type == "login+jwt")
        #expect(token.header.keyID == "2026-11")
        let verified = try token.verified(with: published, allowing: [algorithm])
        #expect(verified.claims() == Self.claims)
    }

    @Test func `what was not given is left out`() throws {
        let signer = try JWTSigner(key: GeneratedKey.of(.ed25519), algorithm: .edDSA, keyID: nil)
        let header = try CompactJWS(parsing: signer.sign([:])).header
        #expect(header.json == ["alg": "EdDSA"])
        let published = try #require(signer.jwk).json
        #expect(published["kid"] == nil)
        #expect(published["alg"] == "EdDSA")
        #expect(published["use"] == "sig")
    }

    @Test(arguments: KeyKind.examples) func `only an algorithm that fits the key is accepted`(_ kind: KeyKind) throws {
        let key = try GeneratedKey.of(kind)
        for algorithm in SignatureAlgorithm.allCases where !key.publicKey.fits(algorithm) {
            #expect(throws: OperatorError("the key cannot make a signature of \(algorithm.rawValue)")) {
                try JWTSigner(key: key, algorithm: algorithm, keyID: nil)
            }
        }
    }

    /// The published key reveals nothing of the private half.
    @Test(arguments: KeyKind.examples) func `only the public half is published`(_ kind: KeyKind) throws {
        let published = try GeneratedKey.of(kind).publicKey.jwk(keyID: "k", algorithm: nil).json
        let names = Set(published.object?.names ?? [])
        #expect(names.isSubset(of: ["kty", "n", "e", "crv", "x", "y", "kid", "use", "alg"]))
    }

    @Test func `a signer that chooses takes the key of the moment`() throws {
        func signer(_ name: String) throws -> JWTSigner {
            try JWTSigner(key: try PrivateKey.generate(.p256), algorithm: .es256, keyID: name)
        }
        let (usual, other) = (try signer("usual"), try signer("other"))
        for chosen in [nil, other] {
            let choosing = JWTSigner(usually: usual) { chosen }
            let expected = chosen ?? usual
            let token = try CompactJWS(parsing: choosing.sign(Self.claims, type: "login+jwt"))
            #expect(token.header.keyID == expected.keyID && token.header.type == "login+jwt")
            let published = JWKSet([try #require(choosing.jwk)])
            #expect(try token.verified(with: published, allowing: [.es256]).claims() == Self.claims)
            #expect(choosing.algorithmName == "ES256" && choosing.keyID == "usual")
        }
    }
}
