import Base
import Cryptography
import StrictJSON
import Testing

@testable import Brokers

/// A person's identity is independent of the broker. The claim must be present, one text, and the same in every
/// response; otherwise the login fails.
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

    @Test(arguments: rows) func `the claim must be one text in every response`(_ row: Row) {
        let rule = Person.Rule(namespace: "people", claim: "uuid")
        do throws(BrokerError) {
            #expect(try Person(rule, in: row.answers).value == row.value)
        } catch {
            #expect(row.value == nil)
            #expect(error.told == Failure(.invalidToken, row.failure))
        }
    }

    private static func identity(_ issuer: String, _ subject: String, _ person: Person? = nil) -> Identity {
        Identity(issuer: issuer, subject: subject, provider: "p", eid: "e", person: person)
    }

    private static func account(_ namespace: String, _ value: String) -> String {
        Base64URL.encode(Digest.sha256.hash(Array(namespace.utf8) + [0] + Array(value.utf8)))
    }

    @Test func `the person is the account, whatever the broker`() {
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
    @Test func `no two namespaces mean the same account`() {
        let identities = [
            Self.identity("https://a", "u-1"), Self.identity("https://a", "u-1", Person(namespace: "a", value: "u-1")),
            Self.identity("https://a", "u-1", Person(namespace: "b", value: "u-1")),
            Self.identity("https://a", "u-1", Person(namespace: "au", value: "-1")),
        ]
        #expect(Set(identities.map(\.account)).count == identities.count)
    }

    // MARK: - National numbers

    private static let key = PersonKey(Secret([UInt8](repeating: 7, count: 32)))

    /// HMAC-SHA-256 under a key derived from the file's, over namespace ‖ 0 ‖ number.
    @Test func `a national number is named by a keyed hash`() throws {
        let secret = Secret([UInt8](repeating: 7, count: 32))
        let derived = HKDF.derive(32, from: secret, info: Array("switchback/person/1".utf8))
        let code = HMACKey(derived).code { $0.append(Array("dk".utf8) + [0] + Array("0101701234".utf8)) }
        let key = try #require(Self.key)
        #expect(key.name("0101701234", in: "dk") == Base64URL.encode(code.array()))
        #expect([0, 31, 33].allSatisfy { PersonKey(Secret([UInt8](repeating: 1, count: $0))) == nil })
    }

    /// Neither `sub` nor `broker_sub` nor `previous_sub` can be found by trying all numbers, and two brokers still name
    /// the same person.
    @Test func `no number is hashed without a key`() throws {
        let (number, key) = ("0101701234", try #require(Self.key))
        let rule = Person.Rule(namespace: "dk", claim: "cpr", key: key)
        let person = try Person(rule, in: [["cpr": .string(number)]])
        #expect(try Person(rule, in: [nil, ["cpr": .string(number)]]) == person)
        #expect(person.value == key.name(number, in: "dk"))
        for subject in [number, "s-1"] {
            let identity = Self.identity("https://a", rule.subject(subject, of: person), person)
            #expect((identity.subject == subject) == (subject != number))
            let bare = [
                number, Self.account("dk", number), Self.account("https://a", number),
                Base64URL.encode(Digest.sha256.hash(Array(number.utf8))),
            ]
            let names = [identity.account, identity.subject, identity.previousAccount].compactMap(\.self)
            #expect(Set(names).isDisjoint(with: bare) && names.count == 3)
            #expect(!String(decoding: identity.encoded(), as: UTF8.self).contains(number))
        }
        // Another namespace, another key and no key give other names.
        let other = try #require(PersonKey(Secret([UInt8](repeating: 8, count: 32))))
        let names = [key.name(number, in: "dk"), key.name(number, in: "se"), other.name(number, in: "dk"), number]
        #expect(Set(names).count == 4)
        #expect(Person.Rule(namespace: "dk", claim: "cpr").subject(number, of: person) == number)
    }

    @Test func `a person is sealed and not printed`() {
        let person = Person(namespace: "people", value: "u-1")
        let identity = Self.identity("https://a", "s-1", person)
        #expect(Identity(encoded: identity.encoded()) == identity)
        #expect("\(person) \(String(reflecting: person))" == "Person Person")
    }
}
