import Base
import OpenIDConnect
import StrictJSON
import Testing

@testable import Brokers

/// What a broker of each kind is asked for when a login must be fresh (Core 2, 3.1.2.1 and 5.5), and what becomes of
/// the login at a provider that says when the user authenticated only if it was asked in the right way.
@Suite struct FreshnessTests {
    /// A provider's settings, its discovery, and what its authorization request must contain.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var kind: any BrokerKind = PlainOpenIDConnect()
        var prompt: String?
        var maxAge: Int?
        var claims: JSON.Object?
        /// `claims_parameter_supported`; nil if the document does not have it.
        var supported: JSON?
        var asks: (maxAge: Int?, claims: JSON.Object?) = (nil, nil)
    }

    private static let authTime: JSON.Object = ["id_token": ["auth_time": ["essential": true]]]
    private static let configured: JSON.Object = [
        "userinfo": ["name": .null], "id_token": ["acr": ["values": ["urn:a"]]],
    ]

    static let rows: [Row] = [
        Row(testDescription: "nothing is checked", supported: true),
        Row(testDescription: "nothing is checked, claims are configured", claims: configured, asks: (nil, configured)),
        Row(testDescription: "consent needs no time", prompt: "consent", supported: true),
        Row(testDescription: "login, claims supported", prompt: "login", supported: true, asks: (nil, authTime)),
        Row(testDescription: "login, claims unsupported", prompt: "login", supported: false, asks: (900, nil)),
        Row(testDescription: "login, discovery is silent", prompt: "login", asks: (900, nil)),
        Row(testDescription: "login, discovery says it as text", prompt: "login", supported: "true", asks: (900, nil)),
        Row(testDescription: "login, discovery says null", prompt: "login", supported: .null, asks: (900, nil)),
        Row(
            testDescription: "login among others", prompt: "consent login", supported: true, asks: (nil, authTime)),
        Row(testDescription: "max_age, claims unsupported", maxAge: 300, asks: (300, nil)),
        Row(testDescription: "max_age, claims supported", maxAge: 300, supported: true, asks: (300, authTime)),
        Row(testDescription: "max_age 0 is the operator's own", maxAge: 0, asks: (0, nil)),
        Row(testDescription: "both", prompt: "login", maxAge: 300, asks: (300, nil)),
        Row(
            testDescription: "merged into configured claims", prompt: "login", claims: configured, supported: true,
            asks: (
                nil,
                [
                    "userinfo": ["name": .null],
                    "id_token": ["acr": ["values": ["urn:a"]], "auth_time": ["essential": true]],
                ]
            )),
        Row(
            testDescription: "merged where id_token is null", prompt: "login", claims: ["id_token": .null],
            supported: true, asks: (nil, authTime)),
        Row(
            testDescription: "merged where it is asked for as voluntary", prompt: "login",
            claims: ["id_token": ["auth_time": .null]], supported: true, asks: (nil, authTime)),
        Row(
            testDescription: "merged where it is asked for with more", prompt: "login",
            claims: ["id_token": ["auth_time": ["essential": false, "x": 1]]], supported: true,
            asks: (nil, ["id_token": ["auth_time": ["essential": true, "x": 1]]])),
        Row(
            testDescription: "configured claims, unsupported", prompt: "login", claims: configured,
            asks: (900, configured)),
        // Their ID tokens always have the claim, and their requests stay as they were.
        Row(testDescription: "idura", kind: Idura(), prompt: "login", supported: true),
        Row(testDescription: "signaturgruppen", kind: Signaturgruppen(takesAnyLink: true), prompt: "login"),
        Row(
            testDescription: "vipps", kind: Vipps(merchantSerialNumber: nil, version: "1"), prompt: "login",
            maxAge: 60, claims: configured, supported: true, asks: (60, configured)),
    ]

    /// RFC 9101 §4 and RFC 9126 §2: the same parameters in the URL, in the signed object and in the pushed form.
    @Test(arguments: rows, Client.RequestStyle.allCases)
    func `what is checked is requested`(_ row: Row, _ style: Client.RequestStyle) async throws {
        let stage = try BrokerStage(style, kind: row.kind) { $0["claims_parameter_supported"] = row.supported }
        var provider = BrokerStage.provider(prompt: row.prompt)
        provider.maxAge = row.maxAge
        provider.claimsRequest = row.claims
        let request = try await stage.request(provider)
        #expect(request["max_age"] == row.asks.maxAge.map { .integer($0) })
        #expect(request["claims"] == row.asks.claims.map { .object($0) })
        #expect(request["prompt"]?.string == row.prompt)
    }

    /// How a provider treats `auth_time`: the bug reports of Auth0, Entra ID, dex and others.
    struct Habit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let supportsClaims: Bool
        /// Returns the seconds since the authentication, or nil if it does not say.
        let age: @Sendable (_ request: JSON.Object) -> Int?
        let expected: BrokerError?
    }

    private static let unsaid = BrokerError(.invalidToken, .idToken(.authTimeMissing))
    private static let old = BrokerError(.notFresh, .idToken(.notFresh))

    static let habits: [Habit] = [
        Habit(testDescription: "always", supportsClaims: false, age: { _ in 0 }, expected: nil),
        Habit(
            testDescription: "for max_age", supportsClaims: false, age: { $0["max_age"] == nil ? nil : 0 },
            expected: nil),
        Habit(
            testDescription: "for an essential claim", supportsClaims: true,
            age: { $0["claims"]?["id_token"]?["auth_time"]?["essential"] == true ? 0 : nil }, expected: nil),
        Habit(testDescription: "never, like dex", supportsClaims: false, age: { _ in nil }, expected: unsaid),
        Habit(testDescription: "never, but claims", supportsClaims: true, age: { _ in nil }, expected: unsaid),
        // A max_age that only fetches the evidence does not weaken the check.
        Habit(
            testDescription: "a session of two minutes", supportsClaims: false, age: { _ in 120 }, expected: old),
        Habit(testDescription: "a session of an hour", supportsClaims: true, age: { _ in 3600 }, expected: old),
    ]

    @Test(arguments: habits) func `the provider's authentication time decides`(_ habit: Habit) async throws {
        let stage = try BrokerStage(.plain) { $0["claims_parameter_supported"] = .bool(habit.supportsClaims) }
        let provider = BrokerStage.provider(prompt: "login")
        let request = try await stage.request(provider)
        let found = await stage.login(provider, age: habit.age(request))
        #expect(found == habit.expected)
    }

    /// Without `prompt` and `max_age` nothing is checked, so a provider that says nothing can be used.
    @Test func `a provider that says nothing can be used without freshness`() async throws {
        let stage = try BrokerStage(.plain) { _ in }
        let provider = BrokerStage.provider(prompt: nil)
        let request = try await stage.request(provider)
        #expect(request["max_age"] == nil)
        #expect(request["claims"] == nil)
        #expect(await stage.login(provider, age: nil) == nil)
    }
}
