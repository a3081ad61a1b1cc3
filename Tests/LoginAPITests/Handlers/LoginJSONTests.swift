import Base
import Brokers
import StrictJSON
import Testing

@testable import Logins
@testable import LoginAPI

/// Tests a login as apps see it, in every state: exactly these members.
@Suite struct LoginJSONTests {
    static let now = Timestamp(seconds: 1_772_366_400)
    static let json = LoginJSON(polling: LoginJSON.Polling())

    static func view(
        _ status: LoginStatus, _ next: LoginView.Next? = nil, reason: Reason? = nil, identity: Identity? = nil,
        hint: Hint? = nil,
        prefixes: [String] = ["com.example.demo:/r/", "https://link.example.com/r/"]
    ) throws -> LoginView {
        let id = try #require(LoginID("AAECAwQFBgcICQoLDA0ODw"))
        return LoginView(
            id: id, status: status, version: 2, app: "demo", provider: "eid", platform: nil, assertion: nil,
            createdAt: Self.now, expiresAt: Self.now + .seconds(600),
            reason: reason, hint: hint, next: next, result: identity.map { LoginResult($0, nonce: nil) },
            proof: identity.map { _ in SameDeviceProof.none }, returnPrefixes: prefixes)
    }

    static func text(_ view: LoginView) -> String {
        String(decoding: Self.json.bytes(view, at: Self.now), as: UTF8.self)
    }

    static func parsed(_ view: LoginView, at now: Timestamp = Self.now) throws -> JSON {
        try JSON(parsing: Self.json.bytes(view, at: now))
    }

    static func common(_ status: String, final: Bool, _ rest: String) throws -> String {
        let reference = try Self.view(.pending).reference
        return
            "{\"id\":\"AAECAwQFBgcICQoLDA0ODw\",\"status\":\"\(status)\",\"final\":\(final),\"version\":2,\"app\":\"demo\","
            + "\"provider\":\"eid\",\"reference\":\"\(reference)\",\"expires_at\":\"2026-03-01T12:10:00Z\",\"expires_in\":600,"
            + "\"return_prefixes\":[\"com.example.demo:/r/\",\"https://link.example.com/r/\"],"
            + (final ? "" : "\"poll\":{\"wait\":25,\"interval\":2,\"after_ms\":0},") + "\(rest)}"
    }

    @Test func `a login with an e-ID's app shows its links`() throws {
        let app = AppTarget(universalLink: "https://app.bankid.com/?autostarttoken=1", customScheme: "bankid:///")
        let rest =
            "\"next\":{\"action\":\"open_app\","
            + "\"universal_link\":\"https://app.bankid.com/?autostarttoken=1\",\"custom_scheme\":\"bankid:///\","
            + "\"android_package\":null,\"store_url\":null,\"fallback\":null,\"expires_in\":600},"
            + "\"hint\":\"user_sign\""
        let view = try Self.view(.pending, .openApp(app), hint: .userSign)
        #expect(try Self.text(view) == Self.common("pending", final: false, rest))
    }

    /// The link may be valid for less time than the login, and never for more.
    @Test(arguments: [(59, 59), (0, 0), (-5, 0), (900, 600)])
    func `a link is good no longer than its login`(_ row: (left: Int, told: Int))
        throws
    {
        let app = AppTarget(
            universalLink: "https://app.digid.nl/digid-app?app-app=x", expiresAt: Self.now + .seconds(row.left))
        let next = try Self.parsed(try Self.view(.pending, .openApp(app)))["next"]
        #expect(next?["expires_in"]?.integer == row.told)
    }

    @Test func `a pending login shows its link`() throws {
        let rest =
            "\"next\":{\"action\":\"open_browser\",\"url\":\"https://login.example.com/go/t\",\"expires_in\":600,"
            + "\"surfaces\":[\"auth_session\",\"tab\"],\"callback\":\"https://link.example.com/r/\","
            + "\"callback_scheme\":\"com.example.demo\",\"ephemeral\":false,\"android_packages\":[]}"
        let view = try Self.view(.pending, .openBrowser(url: "https://login.example.com/go/t"))
        #expect(Self.text(view) == (try Self.common("pending", final: false, rest)))
    }

    /// The action has the same members, so that an app can show the page again.
    @Test(arguments: ["show_browser", "enter_code"])
    func `a login that awaits its return can show the page again`(_ action: String) throws {
        let url = "https://login.example.com/go/t"
        let view = try Self.view(
            .awaitingReturn, action == "enter_code" ? .enterCode(url: url) : .showBrowser(url: url))
        let open = try Self.view(.awaitingReturn, .openBrowser(url: url))
        #expect(Self.text(view) == Self.text(open).replacing("open_browser", with: action))
    }

    /// A browser that is gone is opened again where it was: the broker knows it by its cookies.
    @Test func `a browser is resumed where it began`() throws {
        let url = "https://id.example.com/resume"
        let packages = ["com.android.chrome"]
        let open = try Self.view(.pending, .openBrowser(url: url, androidBrowsers: packages))
        let view = try Self.view(.pending, .resumeBrowser(url: url, androidBrowsers: packages))
        #expect(Self.text(view) == Self.text(open).replacing("open_browser", with: "resume_browser"))
    }

    @Test func `an exchanging login says to wait`() throws {
        let view = try Self.view(.exchanging, .wait)
        #expect(Self.text(view) == (try Self.common("exchanging", final: false, "\"next\":{\"action\":\"wait\"}")))
    }

    @Test func `a completed login shows the identity`() throws {
        let identity = Identity(
            issuer: "https://id.example", subject: "s", provider: "eid", eid: "mitid", country: "DK", assurance: .high,
            acr: "loa:high", authenticatedAt: Self.now, name: "Anne \"Æ\"", givenName: "Anne", familyName: "Æ",
            birthDate: "1979-11-03", nationalID: Identity.NationalID(type: "dk:cpr", value: "0311791234"),
            claims: ["hair": "red"])
        let rest =
            "\"identity\":{\"subject\":\"s\",\"provider\":\"eid\",\"eid\":\"mitid\",\"country\":\"DK\","
            + "\"assurance\":\"high\",\"acr\":\"loa:high\",\"authenticated_at\":\"2026-03-01T12:00:00Z\","
            + "\"name\":\"Anne \\\"Æ\\\"\",\"given_name\":\"Anne\",\"family_name\":\"Æ\",\"birth_date\":\"1979-11-03\","
            + "\"national_id\":{\"type\":\"dk:cpr\",\"value\":\"0311791234\"},\"claims\":{\"hair\":\"red\"}},"
            + "\"proof\":\"none\""
        let view = try Self.view(.completed, identity: identity)
        #expect(Self.text(view) == (try Self.common("completed", final: true, rest)))
    }

    @Test func `what the broker did not say is null`() throws {
        let identity = Identity(issuer: "https://id.example", subject: "s", provider: "eid", eid: "eid")
        let json = try Self.parsed(Self.view(.completed, identity: identity))
        for name in ["country", "acr", "authenticated_at", "name", "given_name", "family_name", "birth_date"] {
            #expect(json["identity"]?[name] == .null)
        }
    }

    @Test(arguments: Reason.allCases) func `a failed login shows its reason`(_ reason: Reason) throws {
        let rest = "\"reason\":{\"code\":\"\(reason.rawValue)\",\"retryable\":\(reason.retryable)}"
        #expect(Self.text(try Self.view(.failed, reason: reason)) == (try Self.common("failed", final: true, rest)))
    }

    /// Two servers, one of them about to stop, send the same: apps may compare the responses.
    @Test(arguments: LoginStatus.allCases)
    func `a final login carries no hints for polling`(_ status: LoginStatus) throws {
        let view = try Self.view(status, reason: status == .completed ? nil : .timeout)
        let answers = [0, 1, 250].map { Self.json.bytes(view, at: Self.now, after: $0) }
        #expect(try JSON(parsing: answers[0])["poll"] == nil || !status.isFinal)
        #expect(Set(answers).count == (status.isFinal ? 1 : 3))
    }

    @Test func `what is over has no seconds left`() throws {
        let json = try Self.parsed(Self.view(.expired, reason: .timeout), at: Self.now + .seconds(9999))
        #expect(json["expires_in"] == 0)
    }

    @Test func `an app without links has no callback`() throws {
        let view = try Self.view(.pending, .openBrowser(url: "u"), prefixes: [])
        let json = try Self.parsed(view)
        #expect(json["identity"] == nil)
        #expect(json["return_prefixes"] == [])
        #expect(json["next"]?["callback"] == .null)
        #expect(json["next"]?["callback_scheme"] == .null)
    }
}
