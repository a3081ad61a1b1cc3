import JOSE
import StrictJSON
import Testing

/// Sets of keys (RFC 7517 §5), and which key of a set is chosen.
@Suite struct JWKSetTests {
    @Test func `keys that are of no use are skipped and counted`() throws {
        let keys: [JSON] = [
            .object(KeyExample.rsa), .object(KeyExample.symmetric), .object(KeyExample.ed25519), .null, "key", [:],
            KeyExample.changed(KeyExample.rsa, ["e": "AQ"]), KeyExample.changed(KeyExample.p256, ["crv": "P-192"]),
        ]
        let set = try JWKSet(parsing: (["keys": .array(keys), "other": 1] as JSON).encoded())
        #expect(set.keys.map(\.keyID) == ["2011-04-29", nil])
        #expect(set.skipped == 6)
        #expect(set.json == ["keys": [.object(KeyExample.rsa), .object(KeyExample.ed25519)]])
    }

    @Test func `an empty set is a set`() throws {
        let set = try JWKSet(parsing: Array(#"{"keys":[]}"#.utf8))
        #expect(set.keys.isEmpty)
        #expect(set.skipped == 0)
    }

    static let refused: [(reason: String, text: String, failure: JWKError)] = [
        ("nothing", "", .malformed),
        ("no JSON", "<html>", .malformed),
        ("no object", "[]", .malformed),
        ("no keys", "{}", .malformed),
        ("keys is an object", #"{"keys":{}}"#, .malformed),
        ("keys twice", #"{"keys":[],"keys":[]}"#, .malformed),
        ("a key alone", #"{"kty":"RSA"}"#, .malformed),
        ("one key too many", #"{"keys":["# + String(repeating: "0,", count: JWKSet.keyLimit) + "0]}", .tooLarge),
        ("too long", #"{"keys":[]}"# + String(repeating: " ", count: JWKSet.byteLimit), .tooLarge),
    ]

    @Test(arguments: refused)
    func `malformed sets are refused`(_ reason: String, _ text: String, with failure: JWKError) {
        #expect(throws: failure) { try JWKSet(parsing: Array(text.utf8)) }
    }

    // MARK: - The choice

    /// The keys in the set, the request, and the index of the chosen key.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let keys: [JSON.Object]
        let algorithm: SignatureAlgorithm
        let keyID: String?
        let chosen: Int?
        let isAmbiguous: Bool

        init(
            _ description: String, _ keys: [JSON.Object], _ algorithm: SignatureAlgorithm, _ keyID: String?,
            _ chosen: Int?, isAmbiguous: Bool = false
        ) {
            self.testDescription = description
            self.keys = keys
            self.algorithm = algorithm
            self.keyID = keyID
            self.chosen = chosen
            self.isAmbiguous = isAmbiguous
        }
    }

    private static let one = try? GeneratedKey.of(.p256).publicKey
    private static let two = try? GeneratedKey.of(.p256, named: "two").publicKey

    private static func key(_ key: PublicKey?, _ changes: JSON.Object) -> JSON.Object {
        KeyExample.changed(key?.jwk(keyID: nil, use: nil).json.object ?? [:], changes).object ?? [:]
    }

    private static let a = key(one, ["kid": "a"])
    private static let b = key(two, ["kid": "b"])
    private static let plain = key(one, [:])

    static let cases: [Case] = [
        Case("by name", [a, b], .es256, "b", 1),
        Case("by a name that is not there", [a, b], .es256, "c", nil),
        Case("by name in other case", [a, b], .es256, "A", nil),
        Case("by a name that looks the same", [key(one, ["kid": "K"])], .es256, "\u{212A}", nil),
        Case("by an empty name", [key(one, ["kid": ""]), b], .es256, "", 0),
        Case("a name, but the key has none", [plain], .es256, "a", nil),
        Case("no name, one key", [a], .es256, nil, 0),
        Case("no name, two keys", [a, b], .es256, nil, nil, isAmbiguous: true),
        Case("no name, one key fits the curve", [a, KeyExample.p521, KeyExample.rsa], .es256, nil, 0),
        Case("no name, one key fits the alg", [key(one, ["alg": "ES256"]), KeyExample.rsa], .rs256, nil, 1),
        Case("no name, the other is to encrypt", [a, key(two, ["use": "enc"])], .es256, nil, 0),
        Case("no name, the other does not verify", [a, key(two, ["key_ops": ["deriveKey"]])], .es256, nil, 0),
        Case("by name, and it is to encrypt", [key(one, ["kid": "a", "use": "enc"])], .es256, "a", nil),
        Case("by name, and it is of another kind", [a], .rs256, "a", nil),
        Case("by name, and it is of another curve", [a], .es384, "a", nil),
        Case("by name, and it has another alg", [KeyExample.rsa], .ps256, "2011-04-29", nil),
        Case("one name for two kinds", [a, key(nil, [:]), Self.rsaNamedA], .es256, "a", 0),
        Case("one name for two keys", [a, key(two, ["kid": "a"])], .es256, "a", nil, isAmbiguous: true),
        Case("the same key twice", [a, a], .es256, "a", 0),
        Case("the same key twice, no name", [a, plain], .es256, nil, 0),
        Case("an empty set", [], .es256, nil, nil),
    ]

    private static let rsaNamedA = KeyExample.changed(KeyExample.rsa, ["kid": "a"]).object ?? [:]

    @Test(arguments: cases) func `the key that fits is chosen`(_ example: Case) throws {
        let json: JSON = ["keys": .array(example.keys.map(JSON.object))]
        switch try JWKSet(parsing: json.encoded()).key(for: example.algorithm, keyID: example.keyID) {
        case .key(let key):
            let chosen = try #require(example.chosen)
            #expect(key.json == .object(example.keys[chosen]))
        case .none: #expect(example.chosen == nil && !example.isAmbiguous)
        case .ambiguous: #expect(example.isAmbiguous)
        }
    }
}
