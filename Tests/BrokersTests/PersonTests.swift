/// A person's identity is independent of the broker. The claim must be present, one text, and the same in every
/// response; otherwise the login fails.
import Base
import Cryptography
import StrictJSON
import Testing

@testable import Brokers

@Suite struct PersonTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answers: [JSON?]
        /// Nil if the login fails.
        var value: String?
        var failure = ""
    }

    static let rows: [Row] = [
        Row(testDescription: "ID token", answers: [["uuid": "u-1"], nil], value: "u-1"),
        Row(testDescription: "userinfo", answers: [["sub": "s"], ["uuid": "u-1"]], value: "u-1"),
        Row(testDescription: "both", answers: [["uuid": "u-1"], ["uuid": "u-1"]], value: "u-1"),
        Row(testDescription: "longest", answers: [["uuid": .string(Self.long)]], value: Self.long),
        Row(testDescription: "no answer", answers: [nil, nil], failure: "person_missing"),
        Row(testDescription: "no claim", answers: [["sub": "s"], ["name": "n"]], failure: "person_missing"),
        Row(testDescription: "other case", answers: [["UUID": "u-1"]], failure: "person_missing"),
        Row(testDescription: "empty", answers: [["uuid": ""]], failure: "person_malformed"),
        Row(testDescription: "number", answers: [["uuid": 7]], failure: "person_malformed"),
        Row(testDescription: "null", answers: [["uuid": .null]], failure: "person_missing"),
        Row(testDescription: "null beside a text", answers: [["uuid": "u-1"], ["uuid": .null]], value: "u-1"),
        Row(testDescription: "list", answers: [["uuid": ["u-1"]]], failure: "person_malformed"),
        Row(testDescription: "too long", answers: [["uuid": .string(Self.long + "x")]], failure: "person_malformed"),
        Row(testDescription: "differs", answers: [["uuid": "a"], ["uuid": "b"]], failure: "person_ambiguous"),
        Row(testDescription: "differs in kind", answers: [["uuid": "7"], ["uuid": 7]], failure: "person_ambiguous"),
        // U+212A KELVIN SIGN is the letter K for Swift's ==, and another byte.
        Row(testDescription: "kelvin", answers: [["uuid": "K"], ["uuid": "\u{212A}"]], failure: "person_ambiguous"),
    ]

    private static let long = String(repeating: "u", count: 255)

    @Test(arguments: rows) func theClaim(_ row: Row) {
        let rule = Person.Rule(namespace: "people", claim: "uuid")
        do throws(BrokerError) {
            #expect(try Person(rule, in: row.answers).value == row.value)
        } catch {
            #expect(row.value == nil)
            #expect(error == BrokerError(.invalidToken, row.failure))
        }
    }

    private static func identity(_ issuer: String, _ subject: String, _ person: Person? = nil) -> Identity {
        Identity(issuer: issuer, subject: subject, provider: "p", eid: "e", person: person)
    }

    private static func account(_ namespace: String, _ value: String) -> String {
        Base64URL.encode(Digest.sha256.hash(Array(namespace.utf8) + [0] + Array(value.utf8)))
    }

    @Test func thePersonIsTheAccountWhateverTheBroker() {
        let person = Person(namespace: "people", value: "u-1")
        let one = Self.identity("https://a", "s-1", person)
        let other = Self.identity("https://b", "s-2", person)
        #expect(one.account == Self.account("people", "u-1"))
        #expect(other.account == one.account)
        #expect(one.previousAccount == Self.identity("https://a", "s-1").account)
        #expect(one.previousAccount == Self.account("https://a", "s-1"))
        #expect(Self.identity("https://a", "s-1").previousAccount == nil)
    }

    /// The same value in two namespaces, and an issuer's subject that equals the value in a namespace.
    @Test func noTwoNamespacesMeanTheSameAccount() {
        let identities = [
            Self.identity("https://a", "u-1"), Self.identity("https://a", "u-1", Person(namespace: "a", value: "u-1")),
            Self.identity("https://a", "u-1", Person(namespace: "b", value: "u-1")),
            Self.identity("https://a", "u-1", Person(namespace: "au", value: "-1")),
        ]
        #expect(Set(identities.map(\.account)).count == identities.count)
    }

    @Test func itIsSealedAndNotPrinted() {
        let person = Person(namespace: "people", value: "u-1")
        let identity = Self.identity("https://a", "s-1", person)
        #expect(Identity(encoded: identity.encoded()) == identity)
        #expect("\(person) \(String(reflecting: person))" == "Person Person")
    }
}
