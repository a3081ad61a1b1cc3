import Base
import Cryptography
import JOSE
import StrictJSON
import Testing

/// JWTs signed with a shared secret (RFC 7518 §3.2). No key is ever taken for a secret.
@Suite struct SharedSecretTests {
    static let claims: JSON.Object = ["iss": "app", "exp": 1_700_000_300]
    static let secret = Secret(Array(0..<64))

    @Test(arguments: MACExample.all)
    func `the example is verified with its secret`(_ section: String, _ secret: String, _ token: String)
        throws
    {
        let secret = Secret(try #require(Base64URL.decode(secret)))
        let jws = try CompactJWS(parsing: token)
        let verified = try jws.verified(with: secret, allowing: [.hs256])
        #expect(verified.algorithm == .hs256)
        #expect(Base64URL.encode(verified.payload) == token.split(separator: ".")[1])
        #expect(throws: SignatureError.badSignature) {
            try jws.verified(with: Secret(secret.exposed + [0, 1]), allowing: [.hs256])
        }
    }

    @Test(arguments: MACAlgorithm.allCases) func `what was signed is verified`(_ algorithm: MACAlgorithm) throws {
        let signer = try JWTSigner(secret: Self.secret, algorithm: algorithm, keyID: "s")
        #expect(signer.algorithmName == algorithm.rawValue)
        #expect(signer.jwk == nil)
        let token = try CompactJWS(parsing: signer.sign(Self.claims, type: "client-authentication+jwt"))
        #expect(token.header.algorithm == algorithm.rawValue)
        #expect(token.header.keyID == "s")
        #expect(token.header.type == "client-authentication+jwt")
        let verified = try token.verified(with: Self.secret, allowing: [algorithm])
        #expect(verified.claims() == Self.claims)
        let others = Set(MACAlgorithm.allCases).subtracting([algorithm])
        #expect(throws: SignatureError.algorithmNotAllowed) { try token.verified(with: Self.secret, allowing: others) }
        #expect(throws: SignatureError.algorithmNotAllowed) { try token.verified(with: Self.secret, allowing: []) }
    }

    static let lengths: [(MACAlgorithm, shortest: Int)] = [(.hs256, 32), (.hs384, 48), (.hs512, 64)]

    /// The secret must be at least as long as the digest (RFC 7518 §3.2).
    @Test(arguments: lengths)
    func `a secret shorter than the digest is refused`(_ algorithm: MACAlgorithm, _ shortest: Int) throws {
        let long = Secret(Array(Self.secret.exposed.prefix(shortest)))
        let token = try JWTSigner(secret: long, algorithm: algorithm).sign(Self.claims)
        #expect(throws: Never.self) { try CompactJWS(parsing: token).verified(with: long, allowing: [algorithm]) }
        for count in [0, 1, shortest - 1] {
            let short = Secret(Array(Self.secret.exposed.prefix(count)))
            #expect(throws: OperatorError("the secret is too short for \(algorithm.rawValue)")) {
                try JWTSigner(secret: short, algorithm: algorithm)
            }
            #expect(throws: SignatureError.unknownKey) {
                try CompactJWS(parsing: token).verified(with: short, allowing: [algorithm])
            }
        }
    }

    static let changes: [(String, @Sendable ([UInt8]) -> [UInt8])] = [
        ("empty", { _ in [] }), ("cut", { $0.dropLast() }), ("one byte", { Array($0.prefix(1)) }),
        ("a zero behind", { $0 + [0] }), ("twice", { $0 + $0 }), ("zeros", { $0.map { _ in 0 } }),
        ("one bit", { [$0[0] ^ 1] + $0.dropFirst() }), ("half", { Array($0.prefix(16)) }),
    ]

    @Test(arguments: changes)
    func `a changed code is refused`(_ form: String, _ change: @Sendable ([UInt8]) -> [UInt8]) throws {
        for algorithm in MACAlgorithm.allCases {
            let token = try JWTSigner(secret: Self.secret, algorithm: algorithm).sign(Self.claims)
            let parts = token.split(separator: ".")
            let code = try #require(Base64URL.decode(parts[2]))
            let changed = "\(parts[0]).\(parts[1]).\(Base64URL.encode(change(code)))"
            #expect(throws: SignatureError.badSignature) {
                try CompactJWS(parsing: changed).verified(with: Self.secret, allowing: [algorithm])
            }
        }
    }

    @Test func `claims of another token are refused`() throws {
        let signer = try JWTSigner(secret: Self.secret, algorithm: .hs256)
        let (one, other) = (try signer.sign(Self.claims), try signer.sign(["iss": "other"]))
        let (parts, others) = (one.split(separator: "."), other.split(separator: "."))
        #expect(throws: SignatureError.badSignature) {
            try CompactJWS(parsing: "\(parts[0]).\(others[1]).\(parts[2])").verified(
                with: Self.secret, allowing: [.hs256])
        }
    }

    /// Both ways of RFC 8725 §2.1: a secret does not verify a token signed with a key, and a key does not verify one
    /// signed with a secret.
    @Test func `a key is no secret, and a secret is no key`() throws {
        let key = try GeneratedKey.of(.rsa(bits: 2048))
        let keys = JWKSet([key.publicKey.jwk(keyID: nil)])
        let published = Secret(keys.json.encoded())
        let signed = try JWTSigner(key: key, algorithm: .rs256, keyID: nil).sign(Self.claims)
        #expect(throws: SignatureError.algorithmNotAllowed) {
            try CompactJWS(parsing: signed).verified(with: published, allowing: Set(MACAlgorithm.allCases))
        }
        let coded = try JWTSigner(secret: published, algorithm: .hs256).sign(Self.claims)
        #expect(throws: SignatureError.algorithmNotAllowed) {
            try CompactJWS(parsing: coded).verified(with: keys, allowing: Set(SignatureAlgorithm.allCases))
        }
        #expect(MACAlgorithm.allCases.allSatisfy { SignatureAlgorithm(rawValue: $0.rawValue) == nil })
    }

    @Test(arguments: ["none", "None", "HS1", "HS256 ", "hs256", "HS224", "RS256", ""])
    func `another algorithm never verifies`(_ name: String) throws {
        let header: JSON = ["alg": .string(name)]
        let input = Base64URL.encode(header.encoded()) + ".e30"
        let code = HMAC.code(Array(input.utf8), key: Self.secret)
        let token = try CompactJWS(parsing: input + "." + Base64URL.encode(code))
        #expect(throws: SignatureError.algorithmNotAllowed) {
            try token.verified(with: Self.secret, allowing: Set(MACAlgorithm.allCases))
        }
    }

    @Test func `nothing of the secret is printed`() throws {
        let signer = try JWTSigner(secret: Secret("a secret of quite some length, to be shared"), algorithm: .hs256)
        var dumped = ""
        dump(signer, to: &dumped)
        #expect(!"\(signer)\(String(reflecting: signer))\(dumped)".contains("quite"))
    }

    @Test func `claims must be an object`() throws {
        let input = Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8)) + ".W10"
        let code = Base64URL.encode(HMAC.code(Array(input.utf8), key: Self.secret))
        let verified = try CompactJWS(parsing: input + "." + code).verified(with: Self.secret, allowing: [.hs256])
        #expect(verified.claims() == nil)
    }
}
