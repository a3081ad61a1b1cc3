import JOSE
import StrictJSON
import Testing

/// Public keys as JSON (RFC 7517): the examples of the RFCs, and keys that we write and read back.
@Suite struct JWKTests {
    static let examples: [(section: String, key: JSON.Object, kind: KeyKind, thumbprint: String)] = [
        // RFC 7638 §3.1 gives the thumbprint of this key.
        ("RFC 7517 A.1", KeyExample.rsa, .rsa(bits: 2048), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"),
        ("RFC 7517 A.1", KeyExample.p256, .p256, "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s"),
        ("RFC 7520 3.1", KeyExample.p521, .p521, "dHri3SADZkrush5HU_50AoRhcKFryN-PI6jPBtPL55M"),
        // RFC 8037 §A.3.
        ("RFC 8037 A.2", KeyExample.ed25519, .ed25519, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"),
    ]

    @Test(arguments: examples)
    func `the examples of the RFCs are read`(
        _ section: String, _ key: JSON.Object, _ kind: KeyKind, _ thumbprint: String
    ) throws {
        let jwk = try JWK(.object(key))
        #expect(jwk.publicKey.kind == kind)
        #expect(jwk.thumbprint == thumbprint)
        #expect(jwk.json == .object(key))
        #expect(jwk.keyID == key["kid"]?.string)
        #expect(jwk.use == key["use"]?.string)
        #expect(jwk.algorithm == key["alg"]?.string)
    }

    @Test(arguments: KeyKind.examples) func `what was written is read back`(_ kind: KeyKind) throws {
        let key = try GeneratedKey.of(kind).publicKey
        let jwk = key.jwk(keyID: "ключ", use: "sig", algorithm: nil)
        let read = try JWK(JSON(parsing: jwk.json.encoded()))
        #expect(read.json == jwk.json)
        #expect(read.thumbprint == jwk.thumbprint)
        #expect(read.publicKey.kind == kind)
    }

    /// Unknown members are ignored (RFC 7517 §4). What a key points to is never fetched.
    @Test func `unknown members are ignored`() throws {
        let extra: JSON.Object = [
            "x5c": ["MII"], "x5t": 1, "x5u": "https://attacker.example/", "exp": 1_700_000_000, "custom": ["a": .null],
        ]
        let jwk = try JWK(KeyExample.changed(KeyExample.rsa, extra))
        #expect(jwk.json == .object(KeyExample.rsa))
    }

    static let uses: [(changes: JSON.Object, verifies: [SignatureAlgorithm])] = [
        (["alg": .null], [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]),
        (["alg": "PS384"], [.ps384]),
        (["alg": "PS384", "use": "sig"], [.ps384]),
        (["alg": "RS256", "key_ops": ["verify"]], [.rs256]),
        (["alg": "RS256", "key_ops": ["sign", "verify"], "use": "sig"], [.rs256]),
        (["alg": "RS256", "key_ops": ["sign"]], []),
        (["alg": "RS256", "key_ops": []], []),
        (["alg": .null, "use": "enc"], []),
        (["alg": .null, "use": "sign"], []),
        (["alg": .null, "use": "SIG"], []),
        (["alg": "RSA-OAEP", "use": "enc"], []),
        (["alg": "RSA-OAEP-256"], []),
        (["alg": "RS256K"], []),
        (["alg": "rs256"], []),
        (["alg": "", "use": "sig"], []),
    ]

    @Test(arguments: uses)
    func `a key verifies only what its owner says`(_ changes: JSON.Object, _ expected: [SignatureAlgorithm])
        throws
    {
        let jwk = try JWK(KeyExample.changed(KeyExample.rsa, changes))
        #expect(SignatureAlgorithm.allCases.filter(jwk.verifies) == expected)
        #expect(jwk.json == KeyExample.changed(KeyExample.rsa, changes))
    }
}
