import Base
import EndToEndSupport
import Sandbox
import StrictJSON
import TestSupport
import Testing

/// "Continue" when DigiD's app would refuse the link: the app gets a fresh request, and all earlier requests stay
/// valid.
@Suite struct OldAppLinkTests {
    private static let variants = [DigiDLoginTests.resolvers, DigiDLoginTests.own]

    /// A login before DigiD's app is opened.
    private struct Begun {
        let server: RunningServer
        let app: PhoneApp
        let variant: BrokerVariant
        let link: String

        init(_ variant: BrokerVariant = DigiDLoginTests.own) async throws {
            self.variant = variant
            self.server = try await DigiDLoginTests.start([variant], isOneClock: true)
            self.app = PhoneApp(self.server.url)
            self.link = try #require(
                OldAppLinkTests.link(in: try await self.app.create(variant.name, ["platform": "ios"])))
        }

        /// Reports that the user is back, and returns the response to it.
        func report() async throws -> JSON { try #require(try await self.app.reportReturn(["url": .null]).json) }

        /// Opens the link, and after it two fresh links, each of which the app gets when the previous one is too old.
        func openThreeLinks() async throws -> [ScriptedBrowser] {
            var browsers = [try await ScriptedBrowser(opening: self.link)]
            for _ in 0..<2 {
                self.server.clock.advance(by: .seconds(62))
                let fresh = try #require(OldAppLinkTests.link(in: try await self.report()))
                browsers.append(try await ScriptedBrowser(opening: fresh))
            }
            return browsers
        }

        var initCount: Int { self.server.sandbox.count(of: .initiate) }

        /// Approves in DigiD's app, and returns.
        func approve(_ link: String) async throws -> JSON {
            var browser = try await ScriptedBrowser(opening: link)
            return try await self.approve(&browser)
        }

        func approve(_ browser: inout ScriptedBrowser) async throws -> JSON {
            let back = try await DigiDLoginTests.back(&browser)
            #expect(try await self.app.reportReturn(["url": .string(back)]).status == 200)
            return try await self.app.waitForEnd()
        }
    }

    private static func link(in answer: Answer) -> String? { Self.link(in: answer.json ?? .null) }

    private static func link(in login: JSON) -> String? { login["next"]?["universal_link"]?.string }

    /// How the app says that the user is back and may continue.
    enum Report: CaseIterable, Sendable {
        /// Without a link, or the app was killed and relaunched.
        case null
        /// By the link that DigiD's app opens after it has rejected the request.
        case refused
        /// The app missed the response to its create, and creates the same login again.
        case createdAgain
    }

    /// Sources: C7.
    @Test(arguments: Self.variants, Report.allCases)
    func `a continued login completes with a fresh link`(_ variant: BrokerVariant, _ report: Report) async throws {
        let begun = try await Begun(variant)
        begun.server.clock.advance(by: .seconds(62))
        let refused = try #require(try await TestClient.send("GET", begun.link)[.location], "the app refuses it")
        let told: JSON
        switch report {
        case .null: told = try await begun.report()
        case .refused: told = try #require(try await begun.app.reportReturn(["url": .string(refused)]).json)
        case .createdAgain:
            told = try #require(try await begun.app.create(variant.name, ["platform": "ios"]).json)
        }
        #expect(told["version"]?.integer == 2)
        #expect((1...60).contains(told["next"]?["expires_in"]?.integer ?? 0))
        let fresh = try #require(Self.link(in: told))
        #expect(fresh != begun.link)
        #expect(begun.initCount == 2)
        #expect(Self.link(in: try await begun.report()) == fresh, "it stays valid for a while")
        let login = try await begun.approve(fresh)
        #expect(login["status"]?.string == "completed", "\(begun.server.log.text.suffix(600))")
        #expect(login["proof"]?.string == "callback_link")
        await begun.server.stop()
    }

    /// The app polls while the user is in DigiD's app, so a poll brings no new link and writes nothing.
    @Test func `a poll makes no new link`() async throws {
        let begun = try await Begun()
        #expect(Self.link(in: try await begun.report()) == begun.link, "it is still valid")
        begun.server.clock.advance(by: .seconds(62))
        for _ in 0..<3 {
            let polled = try await begun.app.poll()
            #expect(polled.json?["version"]?.integer == 1)
            #expect(polled.json?["next"]?["expires_in"]?.integer == 0)
        }
        #expect(begun.initCount == 1)
        await begun.server.stop()
    }

    /// A user who left DigiD's app for ours can still go back to it and approve there.
    @Test(arguments: 0..<3) func `each opened request is still answered`(_ answered: Int) async throws {
        let begun = try await Begun()
        var browsers = try await begun.openThreeLinks()
        let login = try await begun.approve(&browsers[answered])
        #expect(login["status"]?.string == "completed", "\(begun.server.log.text.suffix(600))")
        await begun.server.stop()
    }

    /// The fourth time there is no link, and the app learns this once. The requests opened before still count.
    @Test func `after three links there is nothing to open`() async throws {
        let begun = try await Begun()
        var first = try await ScriptedBrowser(opening: begun.link)
        for number in 2...3 {
            begun.server.clock.advance(by: .seconds(62))
            #expect(try await begun.report()["version"]?.integer == number)
        }
        #expect(try await begun.report()["next"]?["action"]?.string == "open_app", "the third stays valid for a while")
        async let held = begun.app.poll(wait: 20, etag: "W/\"3\"")
        begun.server.clock.advance(by: .seconds(62))
        for _ in 0..<2 {
            let told = try await begun.report()
            #expect(told["status"]?.string == "pending")
            #expect(told["next"]?["action"]?.string == "wait")
            #expect(told["version"]?.integer == 4)
        }
        #expect(try await held.json?["next"]?["action"]?.string == "wait")
        #expect(begun.initCount == 3)
        #expect(try await begun.approve(&first)["status"]?.string == "completed")
        await begun.server.stop()
    }

    /// A response of another login without a state is tried on the newest request. All three requests remain
    /// afterwards.
    @Test(arguments: 0..<3) func `another login's response makes us forget none`(_ answered: Int) async throws {
        let begun = try await Begun()
        var browsers = try await begun.openThreeLinks()
        let newest = Self.link(in: try await begun.report())
        let foreign = Base64.encode(Array(#"{"SAMLart":"AAQA","RelayState":null}"#.utf8))
        let link = "\(begun.server.link)/callback/\(begun.variant.name)?app-app=\(foreign)"
        _ = try await begun.app.reportReturn(["url": .string(link)])
        var polled = try await begun.app.poll()
        let end = Patience.end
        while polled.json?["status"]?.string == "exchanging", ContinuousClock.now < end {
            polled = try await begun.app.poll(wait: 10, etag: polled[.etag])
        }
        #expect(polled.json?["status"]?.string != "exchanging")
        #expect(Self.link(in: polled) == newest, "the newest link is unchanged")
        #expect(try await begun.approve(&browsers[answered])["status"]?.string == "completed")
        await begun.server.stop()
    }

    /// The report is accepted. The link shows that its time is up, and the next report brings a fresh one.
    @Test func `a resolver that is away delays only the link`() async throws {
        let begun = try await Begun()
        begun.server.clock.advance(by: .seconds(62))
        try begun.server.sandbox.setFault("init-status-5001", for: begun.variant.name)
        let told = try await begun.report()
        #expect(Self.link(in: told) == begun.link)
        #expect(told["next"]?["expires_in"]?.integer == 0)
        try begun.server.sandbox.setFault(nil, for: begun.variant.name)
        let fresh = try #require(Self.link(in: try await begun.report()))
        #expect(try await begun.approve(fresh)["status"]?.string == "completed")
        await begun.server.stop()
    }
}
