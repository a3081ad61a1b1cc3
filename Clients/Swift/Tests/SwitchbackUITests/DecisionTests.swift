import Foundation
import Testing

@testable import SwitchbackClient
@testable import SwitchbackUI

/// What is opened, in what, and what an ended browser means.
@Suite struct DecisionTests {
    /// Members of the launch, what the app prefers, whether this is iOS 17.4, and what is opened; nil for nothing.
    static let openings: [(more: String, preference: Surface?, hasHTTPS: Bool, browser: BrowserSurface?)] = [
        (#""callback": "https://a.example/r/x""#, .authSession, true, session(.https(host: "a.example", path: "/r/x"))),
        (#""callback": "https://a.example/r/x""#, .authSession, false, BrowserSurface(surface: .tab)),
        (#""callback_scheme": "com.example.shop""#, .authSession, false, session(.scheme("com.example.shop"))),
        (#""callback_scheme": "https""#, .authSession, true, BrowserSurface(surface: .tab)),
        (#""callback_scheme": "no scheme:""#, .authSession, true, BrowserSurface(surface: .tab)),
        (#""callback": "https:///r""#, .authSession, true, BrowserSurface(surface: .tab)),
        (#""callback": "http://a.example/""#, .authSession, true, BrowserSurface(surface: .tab)),
        (
            #""callback_scheme": "a", "ephemeral": true"#, nil, true,
            BrowserSurface(surface: .tab)
        ),
        (
            #""callback_scheme": "a", "ephemeral": true, "surfaces": ["auth_session"]"#, nil, true,
            BrowserSurface(surface: .authSession, callback: .scheme("a"), isEphemeral: true)
        ),
        (#""surfaces": ["system"], "callback_scheme": "a""#, .authSession, true, BrowserSurface(surface: .system)),
        (#""surfaces": ["tab", "system"]"#, .system, true, BrowserSurface(surface: .system)),
        (#""surfaces": ["glasses"]"#, .tab, true, BrowserSurface(surface: .tab)),
        (#""url": "eid://x""#, .tab, true, nil), (#""url": "file:///etc""#, .tab, true, nil),
        (#""url": "https://""#, .tab, true, nil),
    ]

    private static func session(_ callback: SessionCallback) -> BrowserSurface {
        BrowserSurface(surface: .authSession, callback: callback)
    }

    private static func launch(_ more: String) -> BrowserLaunch? {
        let url = more.contains("\"url\"") ? "" : #""url": "https://login.example/go", "#
        return (try? JSONDecoder().decode(JSONValue.self, from: Data("{\(url)\(more)}".utf8))).flatMap(
            BrowserLaunch.init)
    }

    @Test("a login is opened in what the app prefers, the server lists and the phone has", arguments: openings.indices)
    func whatIsOpened(_ index: Int) throws {
        let row = Self.openings[index]
        let launch = try #require(Self.launch(row.more))
        let opening = BrowserOpening(launch, preference: row.preference, earlier: nil, hasHTTPS: row.hasHTTPS)
        #expect(opening?.browser == row.browser)
    }

    /// What the login began in, whether this is iOS 17.4, and what it goes on in.
    static let earlier: [(earlier: BrowserSurface, hasHTTPS: Bool, browser: BrowserSurface)] = [
        (session(.scheme("b")), true, session(.scheme("b"))),
        (session(.https(host: "a.example", path: "/")), true, session(.https(host: "a.example", path: "/"))),
        (session(.https(host: "a.example", path: "/")), false, BrowserSurface(surface: .tab)),
        (BrowserSurface(surface: .tab), true, BrowserSurface(surface: .tab)),
        (BrowserSurface(surface: .authSession), true, BrowserSurface(surface: .tab)),
    ]

    @Test("a login goes on in what it began in", arguments: earlier.indices)
    func aLoginGoesOnInTheSame(_ index: Int) throws {
        let row = Self.earlier[index]
        let launch = try #require(Self.launch(#""surfaces": ["tab"]"#))
        let opening = BrowserOpening(launch, preference: nil, earlier: row.earlier, hasHTTPS: row.hasHTTPS)
        #expect(opening?.browser == row.browser)
        let stored = try JSONDecoder().decode(BrowserSurface.self, from: JSONEncoder().encode(row.earlier))
        #expect(stored == row.earlier)
    }

    /// The code of the system's error, its reason, and what it means.
    static let ends: [(code: Int, reason: String?, end: BrowserEnd)] = [
        (1, nil, .closed), (1, "", .closed), (1, "Associated Domains", .misconfigured("Associated Domains")),
        (2, nil, .notShown), (3, "x", .notShown), (99, nil, .closed),
    ]

    @Test("an ended browser means what the system says", arguments: ends.indices) func anEndedBrowser(_ index: Int) {
        let row = Self.ends[index]
        let info = row.reason.map { [NSLocalizedFailureReasonErrorKey: $0 as Any] } ?? [:]
        let error = NSError(domain: "com.apple.AuthenticationServices", code: row.code, userInfo: info)
        #expect(BrowserEnd(link: nil, error: error) == row.end)
    }

    @Test("a link counts more than an error, and no error is a closed browser") func aLinkCountsMore() throws {
        let link = try #require(URL(string: "https://a.example/r?x=%2F"))
        #expect(BrowserEnd(link: link, error: NSError(domain: "", code: 1)) == .link("https://a.example/r?x=%2F"))
        #expect(BrowserEnd(link: nil, error: nil) == .closed)
    }

    @Test("the failure of a provider that is off has its words") func theFailureHasTheWords() throws {
        let body = #"{"code": "provider_off", "detail": "d", "notice": "MitID is back at 14:00."}"#
        let response = HTTPResponse(
            status: 409, fields: ["Content-Type": "application/problem+json"], body: Data(body.utf8))
        let failure = LoginFailure(.refused(try #require(Problem(response))), reference: nil)
        #expect(failure.kind == .failed && failure.reason == "provider_off" && !failure.isRetryable)
        #expect(failure.notice == "MitID is back at 14:00.")
        #expect(LoginFailure(.gone, reference: nil).notice == nil)
    }
}
