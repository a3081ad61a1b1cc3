import Base
import JOSE
import StrictJSON
import Testing

/// Providers spell their published keys in other ways too. We read those as the same key, and refuse the spellings in
/// every other place.
@Suite struct JWKSpellingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: JSON.Object
        let changes: JSON.Object
        /// How an app's key with this spelling is refused.
        let exact: JWKError

        init(_ description: String, _ key: JSON.Object, _ changes: JSON.Object, _ exact: JWKError) {
            self.testDescription = description
            self.key = key
            self.changes = changes
            self.exact = exact
        }

        var json: JSON {
            var key = self.key
            for (name, value) in self.changes { key[name] = value }
            return .object(key)
        }
    }

    private static func text(_ key: JSON.Object, _ name: String) -> String { key[name]?.string ?? "" }

    private static func bytes(_ key: JSON.Object, _ name: String) -> [UInt8] {
        Base64URL.decode(self.text(key, name)) ?? []
    }

    private static func zeros(_ count: Int, before name: String, of key: JSON.Object) -> JSON {
        .string(Base64URL.encode([UInt8](repeating: 0, count: count) + self.bytes(key, name)))
    }

    private static func padded(_ name: String, of key: JSON.Object) -> JSON {
        let text = self.text(key, name)
        return .string(text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }

    private static func withoutZeros(_ name: String, of key: JSON.Object) -> JSON {
        .string(Base64URL.encode(Array(self.bytes(key, name).drop { $0 == 0 })))
    }

    private static let rsa = KeyExample.rsa
    /// The `x` of RFC 7520 §3.1 begins with a zero byte.
    private static let p521 = KeyExample.p521
    /// A key of P-256 whose `x` begins with a zero byte.
    private static let short = Self.shortKey()

    private static func shortKey() -> JSON.Object {
        while true {
            guard let key = try? PrivateKey.generate(.p256).publicKey.jwk(keyID: "short", use: nil).json.object else {
                return [:]
            }
            if Self.bytes(key, "x").first == 0 { return key }
        }
    }

    static let accepted: [Case] = [
        // Java's BigInteger.toByteArray: jenkinsci/oidc-provider-plugin#205, MicahParks/jwkset#23.
        Case("n with a leading zero", rsa, ["n": zeros(1, before: "n", of: rsa)], .badNumber),
        Case("n with many leading zeros", rsa, ["n": zeros(9, before: "n", of: rsa)], .badNumber),
        Case("e with a leading zero", rsa, ["e": "AAEAAQ"], .badNumber),
        Case("e of four bytes", rsa, ["e": zeros(1, before: "e", of: rsa)], .badNumber),
        // MicahParks/keyfunc#30.
        Case("n padded", rsa, ["n": padded("n", of: rsa)], .malformed),
        Case("e with a zero, padded", rsa, ["e": "AAEAAQ=="], .malformed),
        Case("x padded", short, ["x": padded("x", of: short)], .malformed),
        Case("y padded", short, ["y": padded("y", of: short)], .malformed),
        Case("x of Ed25519 padded", KeyExample.ed25519, ["x": padded("x", of: KeyExample.ed25519)], .malformed),
        Case("x without its zeros", short, ["x": withoutZeros("x", of: short)], .badSize),
        Case("x of P-521 without its zeros", p521, ["x": withoutZeros("x", of: p521)], .badSize),
        Case(
            "both coordinates of P-521 without their zeros", p521,
            ["x": withoutZeros("x", of: p521), "y": withoutZeros("y", of: p521)], .badSize),
        Case("alg null", short, ["alg": .null], .malformed),
        Case("use null", short, ["use": .null], .malformed),
        Case("key_ops null", rsa, ["key_ops": .null], .malformed),
        Case("kid null", KeyExample.ed25519, ["kid": .null], .malformed),
        // .NET writes the members of a private key as null.
        Case("d null", rsa, ["d": .null], .privateMember),
        Case("all of a private key null", rsa, ["d": .null, "p": .null, "q": .null, "dp": .null], .privateMember),
    ]

    @Test(arguments: accepted) func `another spelling is read as the same key`(_ one: Case) throws {
        let expected = try JWK(.object(one.key))
        let read = try JWK(one.json, spelling: .provider)
        #expect(read.json == expected.json)
        #expect(read.thumbprint == expected.thumbprint)
    }

    /// Apps' DPoP keys, attested keys and configured keys are read like this.
    @Test(arguments: accepted) func `another spelling is refused from all others`(_ one: Case) {
        #expect(throws: one.exact) { try JWK(one.json) }
    }

    /// What no list of spellings has stays refused for providers too.
    static let refused: [Case] = [
        Case("n of 1024 bits with zeros", rsa, ["n": .string(Base64URL.encode(long(128)))], .badSize),
        Case("n of 2047 bits with a zero", rsa, ["n": .string(Base64URL.encode(Self.bits2047))], .badSize),
        Case("e is 1, with zeros", rsa, ["e": "AAAB"], .badNumber),
        Case("e is 1", rsa, ["e": "AQ"], .badNumber),
        Case("e is 0", rsa, ["e": "AAAA"], .badNumber),
        Case("e is even, with a zero", rsa, ["e": "AAEAAA"], .badNumber),
        Case("e empty", rsa, ["e": ""], .badNumber),
        Case("e only padding", rsa, ["e": "===="], .malformed),
        Case("e with too much padding", rsa, ["e": "AQAB===="], .malformed),
        Case("e with too little padding", rsa, ["e": "AAEAAQ="], .malformed),
        Case("padding inside", rsa, ["e": "AQ==AB"], .malformed),
        Case("base64 of another alphabet", rsa, ["n": .string(text(rsa, "n").replacing("-", with: "+"))], .malformed),
        Case("a line break", rsa, ["e": "AQ\nAB"], .malformed),
        Case("unused bits", rsa, ["e": "AAEAAR=="], .malformed),
        Case("x with a zero more", short, ["x": zeros(1, before: "x", of: short)], .badSize),
        Case(
            "x without some of its zeros", p521, ["x": .string(Base64URL.encode([0] + bytes(p521, "x").dropFirst(2)))],
            .badSize),
        Case("x empty", short, ["x": ""], .badSize),
        Case("x null", short, ["x": .null], .malformed),
        Case("n null", rsa, ["n": .null], .malformed),
        Case("kty null", rsa, ["kty": .null], .malformed),
        Case("crv null", short, ["crv": .null], .malformed),
        Case("x of Ed25519 without a zero", KeyExample.ed25519, ["x": .string(Base64URL.encode(long(31)))], .badSize),
        Case("a private member", rsa, ["d": "AQAB"], .privateMember),
        Case("an empty private member", rsa, ["d": ""], .privateMember),
        Case("use a list of null", rsa, ["use": [.null]], .malformed),
        Case("key_ops with a null", rsa, ["key_ops": ["verify", .null]], .malformed),
        Case("key_ops a text", rsa, ["key_ops": "verify"], .malformed),
        Case("alg of another kind", rsa, ["alg": "ES256"], .contradiction),
    ]

    private static let bits2047: [UInt8] = [0, 0x7F] + [UInt8](repeating: 0, count: 254) + [1]

    /// 256 bytes, of which the last `count` are a number.
    private static func long(_ count: Int) -> [UInt8] {
        count < 100
            ? [UInt8](repeating: 1, count: count)
            : [UInt8](repeating: 0, count: 256 - count) + [UInt8](repeating: 0x81, count: count)
    }

    @Test(arguments: refused) func `a malformed spelling is refused`(_ one: Case) {
        #expect(throws: one.exact) { try JWK(one.json, spelling: .provider) }
    }

    @Test func `a set is read as its reader says`() throws {
        let bytes = (["keys": .array(Self.accepted.map(\.json))] as JSON).encoded()
        #expect(try JWKSet(parsing: bytes, spelling: .provider).skippedKeys == [])
        let exact = try JWKSet(parsing: bytes)
        #expect(exact.keys.isEmpty)
        #expect(exact.skippedKeys.map(\.position) == Array(1...Self.accepted.count))
        #expect(exact.skippedKeys.map(\.error) == Self.accepted.map(\.exact))
    }

    /// A name that could break a log line, or fill it, is not kept.
    @Test(arguments: [("a", "a"), ("", nil), ("a b", nil), ("é", nil), (String(repeating: "k", count: 129), nil)])
    func `a skipped key is named`(_ name: String, _ expected: String?) throws {
        let set: JSON = ["keys": [["kty": "RSA", "kid": .string(name)]]]
        #expect(try JWKSet(parsing: set.encoded()).skippedKeys.first?.keyID == expected)
    }

    // MARK: - Headers of tokens

    static let headers: [(String, JSON)] = [("kid", .null), ("typ", .null), ("cty", .null)]

    @Test(arguments: headers)
    func `a null in a header is accepted from providers only`(_ name: String, _ value: JSON) throws {
        var header: JSON.Object = ["alg": "ES256"]
        header[name] = value
        let token = Base64URL.encode(JSON.object(header).encoded()) + ".e30.AA"
        // In both orders: the header that is known from one reading is not taken for the other.
        #expect(throws: JWSError.malformed) { try CompactJWS(parsing: token) }
        #expect(try CompactJWS(parsing: token, spelling: .provider).header.keyID == nil)
        #expect(throws: JWSError.malformed) { try CompactJWS(parsing: token) }
        #expect(throws: JWSError.malformed) { try CompactJWS(parsing: token, isFromAnyone: true) }
    }

    @Test(arguments: [("alg", JWSError.malformed), ("crit", .criticalHeader), ("b64", .criticalHeader)])
    func `a null that means something is refused`(_ name: String, _ error: JWSError) {
        var header: JSON.Object = ["alg": "ES256"]
        header[name] = .some(.null)
        let token = Base64URL.encode(JSON.object(header).encoded()) + ".e30.AA"
        #expect(throws: error) { try CompactJWS(parsing: token, spelling: .provider) }
    }
}
