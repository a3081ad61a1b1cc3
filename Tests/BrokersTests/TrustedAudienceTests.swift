import OpenIDConnect
import StrictJSON
import Testing

@testable import Brokers

/// Whose tokens a broker with `trusted_audiences` believes (Core 3.1.3.7, 3 to 5).
@Suite struct TrustedAudienceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var trusted: [String] = []
        let audience: JSON
        var party: JSON?
        var expected: String?
    }

    /// Zitadel puts the id of its project into every audience, and the client's id into `azp`.
    private static let project: JSON = ["switchback", "253612887430467585"]

    static let rows: [Row] = [
        Row(testDescription: "us", audience: "switchback"),
        Row(testDescription: "us in a list", audience: ["switchback"]),
        Row(testDescription: "us twice", audience: ["switchback", "switchback"]),
        Row(
            testDescription: "Zitadel, without the setting", audience: project, party: "switchback",
            expected: "id_token_foreign_audience"),
        Row(
            testDescription: "Zitadel, with the setting", trusted: ["253612887430467585"], audience: project,
            party: "switchback"),
        Row(
            testDescription: "another project", trusted: ["253612887430467586"], audience: project,
            party: "switchback", expected: "id_token_foreign_audience"),
        Row(
            testDescription: "without azp", trusted: ["253612887430467585"], audience: project,
            expected: "id_token_authorized_party_missing"),
        Row(
            testDescription: "azp the project", trusted: ["253612887430467585"], audience: project,
            party: "253612887430467585", expected: "id_token_authorized_party"),
        Row(
            testDescription: "the project alone", trusted: ["253612887430467585"], audience: "253612887430467585",
            party: "switchback", expected: "id_token_audience"),
    ]

    @Test(arguments: rows) func `only tokens of trusted audiences are believed`(_ row: Row) async throws {
        let stage = try BrokerStage(.plain, settings: { $0.trustedAudiences = row.trusted }) { _ in }
        let found = await stage.login(BrokerStage.provider(prompt: nil), age: nil) {
            $0["aud"] = row.audience
            $0["azp"] = row.party
        }
        #expect(found?.told == row.expected.map { Failure(.invalidToken, $0) })
    }

    /// The same in signed userinfo.
    @Test(arguments: rows) func `only signed userinfo of trusted audiences is believed`(_ row: Row) async throws {
        let stage = try BrokerStage(
            .plain,
            settings: {
                $0.trustedAudiences = row.trusted
                $0.userInfoFormat = .signed
            }
        ) { _ in }
        stage.userInfo {
            $0["aud"] = row.audience
            $0["azp"] = row.party
        }
        var provider = BrokerStage.provider(prompt: nil)
        provider.usesUserInfo = true
        let expected = row.expected?.replacing("id_token_", with: "userinfo_")
        #expect(await stage.login(provider, age: nil)?.told == expected.map { Failure(.invalidToken, $0) })
    }
}
