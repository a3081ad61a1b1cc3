import Base
import Sandbox
import Testing

/// A login at Vipps or Idura continues only in the browser in which it began, which a cookie tells them.
@Suite struct OtherBrowserTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let system: SandboxSystem
        var changes: [String: String?] = [:]
        /// Whether any browser may continue the login.
        let isFree: Bool
    }

    private static let callback = "https://app.example/r/"
    private static let mitID = "urn:grn:authn:dk:mitid:low"

    static let rows = [
        Row(testDescription: "Vipps in a browser", system: .vipps, isFree: false),
        Row(
            testDescription: "Vipps app_to_app", system: .vipps,
            changes: ["requested_flow": "app_to_app", "app_callback_uri": callback], isFree: false),
        Row(
            testDescription: "Vipps app_to_app_v2", system: .vipps, changes: ["requested_flow": "app_to_app_v2"],
            isFree: true),
        Row(
            testDescription: "Vipps on the web", system: .vipps,
            changes: ["requested_flow": "automatic_return_from_vipps_app"], isFree: true),
        Row(
            testDescription: "MitID at Idura", system: .idura,
            changes: ["acr_values": mitID, "login_hint": "appswitch:ios appswitch:resumeUrl:\(callback)"],
            isFree: false),
        Row(testDescription: "a plain provider", system: .oidc, isFree: true),
        Row(testDescription: "Nets eID Broker", system: .signaturgruppen, isFree: true),
    ]

    private static func begin(_ row: Row) async throws -> (stage: Stage, page: RawClient.Answer) {
        let stage = try Stage(system: row.system)
        var changes = row.changes
        changes["state"] = "long enough for Vipps"
        return (stage, try await stage.walk.open(stage.request(changes)))
    }

    private static func resume(_ page: RawClient.Answer, _ stage: Stage, cookies: [String]) async throws
        -> RawClient.Answer
    {
        let login = try #require(HTMLForm.forms(in: page.text).first?.fields.first { $0.name == "login" }?.value)
        return try await stage.http.get("/resume?page=\(login)", fields: cookies)
    }

    private static let otherCookies: [[String]] = [[], ["Cookie: sandbox_login=x; a=b"]]

    @Test(arguments: rows) func `the login goes on where it began`(_ row: Row) async throws {
        let (stage, page) = try await Self.begin(row)
        #expect(page.cookies.isEmpty == row.isFree)
        for cookies in Self.otherCookies {
            let resumed = try await Self.resume(page, stage, cookies: cookies)
            #expect((resumed.status == 200) == row.isFree)
            #expect(resumed.text.contains("begun in another browser") != row.isFree)
            guard !row.isFree else { continue }
            for decision in ["approve", "cancel"] {
                let decided = try await stage.walk.decide(page, decision, cookies: cookies)
                #expect(decided.status == 400)
                #expect(decided["location"] == nil && decided["set-cookie"] == nil, "nothing comes back")
                #expect(decided.text.contains("begun in another browser"))
            }
        }
        // The other browsers have changed nothing.
        #expect(try await Self.resume(page, stage, cookies: page.cookies).status == 200)
        let decided = try await stage.walk.decide(page)
        #expect(try Walk.arrival(decided)["code"] != nil)
        #expect((decided["set-cookie"]?.contains("Max-Age=0") ?? true), "the cookie of a login that is over")
        await stage.end()
    }

    @Test func `each login has its own cookie`() async throws {
        let stage = try Stage(system: .vipps)
        let request = stage.request(["state": "long enough for Vipps"])
        let (one, other) = (try await stage.walk.open(request), try await stage.walk.open(request))
        #expect(one.cookies != other.cookies)
        let cookie = try #require(one["set-cookie"])
        let form = /sandbox_login_[\w-]{12}=[\w-]{43}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax/
        #expect(cookie.wholeMatch(of: form) != nil, "\(cookie)")
        #expect(try await stage.walk.decide(one, cookies: other.cookies).status == 400)
        // A browser has the cookies of all its logins.
        let all = (one.cookies + other.cookies).map { $0.dropFirst("Cookie: ".count) }.joined(separator: "; ")
        #expect(try await stage.walk.decide(one, cookies: ["Cookie: \(all)"]).status == 303)
        #expect(try await stage.walk.decide(other, cookies: ["Cookie: \(all)"]).status == 303)
        await stage.end()
    }

    /// A `request_uri` shows the page again, for a user who reloads it.
    @Test func `a pushed request fails in another browser`() async throws {
        let stage = try Stage(system: .idura)
        let pushed = try await stage.push(["acr_values": Self.mitID])
        let reference = try #require(pushed.text.firstMatch(of: /"request_uri":"([^"]+)"/)?.1)
        let request = [Parameter("client_id", "test app"), Parameter("request_uri", String(reference))]
        let page = try await stage.walk.open(request)
        #expect(try await stage.walk.open(request, cookies: page.cookies).status == 200)
        let other = try await stage.walk.open(request)
        #expect(other.status == 400)
        #expect(other.text.contains("begun in another browser"))
        await stage.end()
    }
}
