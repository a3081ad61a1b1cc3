import Base
import Testing

@testable import Sessions

/// Which e-IDs have rules of their own, by the names and `acr` values that brokers use; and how long the sessions of
/// one that asks for less may be idle.
@Suite struct EIDSchemeTests {
    static let schemes: [(name: String, countries: [String], scheme: EIDScheme?)] = [
        ("digid", [], .digid), ("DigiD", [], .digid), ("digid_midden", [], .digid),
        ("urn:grn:authn:nl:digid:substantial", [], .digid), ("urn:signicat:oidc:method:digid", [], .digid),
        ("se_bankid", [], .swedishBankID), ("SE-BankID", [], .swedishBankID), ("bankid_se", [], .swedishBankID),
        ("bankid.se", [], .swedishBankID), ("sbid", [], .swedishBankID), ("sbid-inapp", [], .swedishBankID),
        ("idp:sbid", [], .swedishBankID), ("urn:grn:authn:se:bankid", [], .swedishBankID),
        ("urn:grn:authn:se:bankid:same-device", [], .swedishBankID),
        ("urn:grn:authn:se:bankid:another-device:qr", [], .swedishBankID),
        ("urn:signicat:oidc:method:sbid", [], .swedishBankID), ("swedish_bankid", [], .swedishBankID),
        ("bankid", ["SE"], .swedishBankID), ("bankid", [], nil), ("bankid", ["NO"], nil),
        ("bankid", ["SE", "NO"], nil),
        ("no_bankid", ["SE"], nil), ("urn:grn:authn:no:bankid:substantial", [], nil), ("nbid", [], nil),
        ("mitid", ["DK"], nil), ("vipps", ["NO", "SE"], nil), ("freja", ["SE"], nil), ("", [], nil),
        ("http://id.elegnamnden.se/loa/1.0/loa3", ["SE"], nil),
    ]

    @Test(arguments: Self.schemes)
    func `an e-ID is known by its names and countries`(_ name: String, _ countries: [String], _ scheme: EIDScheme?) {
        #expect(EIDScheme(names: [name], countries: countries) == scheme)
        #expect(EIDScheme(names: ["broker", name], countries: countries) == scheme)
    }

    /// A limit of the provider counts where it is shorter than `sessions.idle`.
    @Test(arguments: [(nil, 300), (100, 100), (7200, 300)] as [(Int?, Int)])
    func `an unlock ends at the shorter idle limit`(
        _ limit: Int?, _ idle: Int
    ) async throws {
        var rules = Example.rules
        if let limit { rules.idleLimits = ["mitid": .seconds(limit)] }
        let (bench, phone) = (try Bench(rules: rules), try Phone())
        let tokens = try await bench.unlocked(phone)
        let start = bench.clock.now
        bench.clock.now = start + .seconds(idle) + .milliseconds(1)
        await #expect(throws: SessionError.pinRequired(id: nil)) { _ = try await bench.renew(phone, tokens) }
        bench.clock.now = start + .seconds(idle)
        _ = try await bench.renew(phone, tokens)
    }

    /// Without a PIN nothing but a new login tells that the user is there.
    @Test func `a session without a PIN needs a new login`() async throws {
        var rules = Example.rules
        rules.idleLimits = ["mitid": .seconds(7200)]
        let (bench, phone) = (try Bench(Example.terms(.refresh), rules: rules), try Phone())
        let tokens = try await bench.begin(phone)
        for minutes in [5, 124, 243] {
            bench.clock.now = Example.minutes(minutes)
            _ = try await bench.renew(phone, tokens)
        }
        bench.clock.now = Example.minutes(243 + 121)
        await #expect(throws: SessionError.locked) { _ = try await bench.renew(phone, tokens) }
        let new = try await bench.begin(phone, Example.login(phone.thumbprint, completed: 60 * (243 + 121)))
        #expect(new.refreshToken == tokens.refreshToken)
        _ = try await bench.renew(phone, new)
    }
}
