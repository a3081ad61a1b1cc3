import Base
import OpenIDConnect
import StrictJSON
import Testing

@testable import Brokers

/// The identity in the resolver's last response.
@Suite struct DigiDIdentityTests {
    private static func identity(
        _ answer: String, _ provider: Provider = DigiDStage.provider, change: (inout DigiDSettings) -> Void = { _ in }
    ) async throws -> Identity {
        try await DigiDStage(change: change).broker.identify(
            BrokerAnswer(Secret(answer)), code: nil, DigiDStage.challenge, for: provider,
            openedAt: Timestamp(seconds: 0))
    }

    @Test func `an identity has every member of the response`() async throws {
        var provider = DigiDStage.provider
        provider.nationalID = Provider.NationalIDRule(claim: "bsn", type: "nl:bsn")
        provider.claims = ["sector"]
        let answer =
            #"{"status":2000,"oauth_token":{"access_token":"a","profile_id":"p-1"},"#
            + #""data":"{\"bsn\":\"123456782\",\"sector\":\"s00000000\",\"acr\":\"Substantieel\"}"}"#
        let identity = try await Self.identity(answer, provider)
        #expect(identity.issuer == "https://ow.example")
        #expect(identity.subject == "p-1")
        #expect(identity.country == "NL")
        #expect(identity.assurance == .substantial)
        #expect(identity.acr == "Substantieel")
        #expect(identity.nationalID == Identity.NationalID(type: "nl:bsn", value: "123456782"))
        #expect(identity.claims == ["sector": "s00000000"])
        #expect(identity.registration?.json == ["access_token": "a", "data": ["sector": "s00000000"]])
        #expect(Identity(encoded: identity.encoded()) == identity)
    }

    static let registrations: [(tokens: String, data: String, claims: [String], registration: JSON.Object?)] = [
        (
            #"{"access_token":"a","token_type":"bearer","expires_in":900,"scope":"read"}"#, "{}", [],
            ["access_token": "a", "token_type": "bearer", "expires_in": 900, "scope": "read"]
        ),
        // The app gets no member that is not listed.
        (
            #"{"access_token":"a","refresh_token":"r","id_token":"i","profile_id":"p","bsn":"123456782"}"#,
            #"{"bsn":"123456782","sessionId":"s","inResponseTo":"_r","access_token":"b"}"#, [], ["access_token": "a"]
        ),
        (
            #"{"access_token":"a"}"#, #"{"bsn":"123456782","sector":"s00000000"}"#, ["sector", "absent"],
            ["access_token": "a", "data": ["sector": "s00000000"]]
        ),
        // A claim beside `data` is an identity's, and is not repeated here.
        (#"{"access_token":"a","sector":"x"}"#, "{}", ["sector"], ["access_token": "a"]),
        (
            #"{"access_token":"a"}"#, #"{"bsn":"123456782"}"#, ["bsn"],
            ["access_token": "a", "data": ["bsn": "123456782"]]
        ),
        // Never a token that lasts, even if somebody asks for it.
        (
            #"{"access_token":"a","refresh_token":"r"}"#, #"{"refresh_token":"r"}"#, ["refresh_token"],
            ["access_token": "a"]
        ),
        // However it is spelled, and however deep it is.
        (
            #"{"access_token":"a"}"#,
            #"{"refreshToken":"r","profile":{"name":"n","Refresh-Token":"r","more":[{"refresh_token":"r","x":1}]}}"#,
            ["refreshToken", "profile"], ["access_token": "a", "data": ["profile": ["name": "n", "more": [["x": 1]]]]]
        ),
        // Another type, or nothing at all.
        (#"{"access_token":1,"token_type":["bearer"],"expires_in":"900","scope":{}}"#, "{}", [], nil),
        (#"{"access_token":"","expires_in":-1}"#, "[]", ["sector"], nil), ("null", "null", [], nil),
        (#""text""#, #""text""#, ["sector"], nil),
    ]

    /// It has the listed members and no other, also after the response was stored.
    @Test(arguments: registrations) func `a registration has the listed members and no other`(
        _ row: (tokens: String, data: String, claims: [String], registration: JSON.Object?)
    ) async throws {
        var provider = DigiDStage.provider
        provider.claims = row.claims
        let data = String(decoding: JSON.string(row.data).encoded(), as: UTF8.self)
        for data in [row.data, data] {
            let answer = BrokerAnswer(Secret("{\"status\":2000,\"oauth_token\":\(row.tokens),\"data\":\(data)}"))
            let broker = DigiDStage { $0.subjectClaim = "id" }.broker
            for bytes in [answer.bytes, broker.retained(answer, for: provider)] {
                let response = try RegistrationResponse(bytes.exposed, to: .complete)
                let registration = response.registration(with: row.claims)
                #expect(registration?.json == row.registration)
                #expect(response.member("refresh_token") == nil)
            }
        }
    }

    /// The store keeps only what `identify` reads.
    @Test func `only the part that is used is stored`() async throws {
        var provider = DigiDStage.provider
        provider.claims = ["sector"]
        provider.person = Person.Rule(namespace: "nl_people", claim: "pseudonym")
        let bytes = Secret(
            #"{"status":2001,"more":"m-1","oauth_token":{"access_token":"a","refresh_token":"r-1","profile_id":"p"},"#
                + #""data":{"bsn":"123456782","sector":"s0","pseudonym":"n","acr":"midden","amr":["app"],"x":"x-1"}}"#)
        let broker = DigiDStage().broker
        let answer = BrokerAnswer(bytes, content: try RegistrationResponse(bytes.exposed, to: .complete))
        let retained = broker.retained(answer, for: provider)
        for text in ["m-1", "r-1", "123456782", "x-1"] { #expect(!retained.exposedText.contains(text)) }
        let whole = try await broker.identify(
            answer, code: nil, DigiDStage.challenge, for: provider, openedAt: Timestamp(seconds: 0))
        let part = try await broker.identify(
            BrokerAnswer(retained), code: nil, DigiDStage.challenge, for: provider, openedAt: Timestamp(seconds: 0))
        #expect(whole == part)
        #expect(whole.methods == ["app"] && whole.claims == ["sector": "s0"])
    }

    static let subjects: [(claim: String, answer: String, subject: String?)] = [
        ("profile_id", #"{"status":2000,"oauth_token":{"profile_id":"p"}}"#, "p"),
        ("profile_id", #"{"status":2000,"data":{"profile_id":"d"},"oauth_token":{"profile_id":"p"}}"#, "d"),
        ("user_id", #"{"status":2000,"data":{"user_id":"u"}}"#, "u"),
        ("profile_id", #"{"status":2000,"profile_id":"p"}"#, nil),
        ("profile_id", #"{"status":2000,"data":{"profile_id":""}}"#, nil),
        ("profile_id", #"{"status":2000,"data":{"profile_id":7}}"#, nil), ("profile_id", #"{"status":2000}"#, nil),
    ]

    @Test(arguments: subjects)
    func `the subject is the configured claim`(_ row: (claim: String, answer: String, subject: String?)) async throws {
        do {
            let identity = try await Self.identity(row.answer) { $0.subjectClaim = row.claim }
            #expect(identity.subject == row.subject)
        } catch let failure as BrokerError {
            #expect(row.subject == nil)
            #expect(failure == BrokerError(.invalidToken, .completeSubject))
        }
    }

    /// A subject that is a BSN is named with a key, and the number itself is in the national id only.
    @Test func `a number as subject is named with a key`() async throws {
        let key = try #require(PersonKey(Secret([UInt8](repeating: 7, count: 32))))
        let answer = #"{"status":2000,"data":{"bsn":"123456782"}}"#
        for hasNationalID in [false, true] {
            var provider = DigiDStage.provider
            if hasNationalID { provider.nationalID = Provider.NationalIDRule(claim: "bsn", type: "nl:bsn") }
            let identity = try await Self.identity(answer, provider) {
                $0.subjectClaim = "bsn"
                $0.personKey = key
            }
            #expect(identity.subject == key.name("123456782", in: "https://ow.example"))
            #expect(identity.nationalID?.value == (hasNationalID ? "123456782" : nil))
        }
    }

    /// The person independently of the broker, from a member of the response.
    @Test(arguments: [("pseudonym", "n-1"), ("unknown", nil)])
    func `the person is named by the configured claim`(_ row: (claim: String, value: String?)) async throws {
        var provider = DigiDStage.provider
        provider.person = Person.Rule(namespace: "nl_people", claim: row.claim)
        let answer = #"{"status":2000,"data":{"profile_id":"p","pseudonym":"n-1"}}"#
        do {
            let identity = try await Self.identity(answer, provider)
            #expect(identity.person == row.value.map { Person(namespace: "nl_people", value: $0) })
        } catch let failure as BrokerError {
            #expect(row.value == nil)
            #expect(failure == BrokerError(.invalidToken, .personMissing))
        }
    }

    static let classes = "urn:oasis:names:tc:SAML:2.0:ac:classes:"

    static let levels: [(acr: String?, least: DigiDLevel, assurance: Assurance?)] = [
        ("basis", .basis, .low), ("Basis", .midden, nil), ("Midden", .midden, .low), ("midden", .substantieel, nil),
        ("substantieel", .midden, .substantial), ("Hoog", .hoog, .high), ("substantieel", .hoog, nil),
        (classes + "PasswordProtectedTransport", .basis, .low),
        (classes + "PasswordProtectedTransport", .midden, nil),
        (classes + "MobileTwoFactorContract", .midden, .low), (classes + "Smartcard", .midden, .substantial),
        (classes + "Smartcard", .hoog, nil), (classes + "SmartcardPKI", .hoog, .high),
        ("http://eidas.europa.eu/LoA/high", .midden, .high), ("unknown", .midden, Assurance.none),
        (nil, .midden, Assurance.none),
    ]

    @Test(arguments: levels)
    func `a level below the required one is refused`(_ row: (acr: String?, least: DigiDLevel, assurance: Assurance?))
        async throws
    {
        let acr = row.acr.map { ",\"acr\":\"\($0)\"" } ?? ""
        do {
            let answer = "{\"status\":2000,\"data\":{\"profile_id\":\"p\"\(acr)}}"
            let identity = try await Self.identity(answer) { $0.level = row.least }
            #expect(identity.assurance == row.assurance)
        } catch let failure as BrokerError {
            #expect(row.assurance == nil)
            #expect(failure == BrokerError(.assuranceTooLow, .completeACR))
        }
    }

    /// The provider's requirements also apply here.
    @Test func `the provider's own rules apply too`() async throws {
        let answer = #"{"status":2000,"data":{"profile_id":"p","acr":"midden","amr":["app"]}}"#
        var provider = DigiDStage.provider
        provider.methods = ["app"]
        #expect(try await Self.identity(answer, provider).methods == ["app"])
        provider.methods = ["card"]
        await #expect(throws: BrokerError(.assuranceTooLow, .amr)) { try await Self.identity(answer, provider) }
        provider.methods = []
        provider.minimumAssurance = .substantial
        await #expect(throws: BrokerError(.assuranceTooLow, .assurance(.low))) {
            try await Self.identity(answer, provider)
        }
    }
}
