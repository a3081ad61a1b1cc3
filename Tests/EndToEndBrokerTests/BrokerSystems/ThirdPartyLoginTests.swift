import Base
import EndToEndSupport
import Sandbox
import StrictJSON
import Testing

/// A third party's app in place of DigiD's, with the same two steps: whole logins, and the attacks on a return that is
/// not signed.
@Suite struct ThirdPartyLoginTests {
    private static let variant = DigiDLoginTests.resolvers
    private static let apps = ", app_links: [\"ISSUER/partner-app\"]"
    private static let unproven = Self.apps + ", artifact_proof: none"
    static let inits = ["init-third-party", "init-third-party-unnamed"]

    private static func start(_ brokers: String = Self.apps, release: String = "return_link") async throws
        -> RunningServer
    {
        try await RunningServer.start(
            [Self.variant], providers: ", claims: [acr]", brokers: brokers, release: release, system: .digid)
    }

    /// Opens the third party's app, which shows its page.
    private static func begin(
        _ server: RunningServer, _ fault: String = "init-third-party"
    ) async throws -> (PhoneApp, ScriptedBrowser) {
        let app = PhoneApp(server.url)
        try server.sandbox.setFault(fault, for: Self.variant.name)
        let created = try await app.create(Self.variant.name, ["platform": "ios"])
        try server.sandbox.setFault(nil, for: Self.variant.name)
        let link = try #require(created.json?["next"]?["universal_link"]?.string, "\(created.text)")
        #expect(link.hasPrefix("\(server.sandbox.issuer)/partner-app?request="))
        return (app, try await ScriptedBrowser(opening: link))
    }

    private static func untilOver(_ app: PhoneApp, at server: RunningServer, completes: Int) async throws -> JSON {
        for _ in 0..<400 {
            let login = try await app.poll().json ?? .null
            if login["status"]?.string != "exchanging", server.sandbox.count(of: .complete) >= completes {
                return login
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw TestClient.Failure(description: "the code exchange does not end")
    }

    /// Sources: C2.
    @Test func `a login completes by a third party's app`() async throws {
        let server = try await Self.start()
        var (app, browser) = try await Self.begin(server)
        let link = try await DigiDLoginTests.back(&browser)
        #expect(link.hasPrefix("\(server.link)/callback/\(Self.variant.name)?artefactId="))
        #expect(try await app.reportReturn(["url": .string(link)]).status == 200)
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "completed", "\(server.log.text.suffix(600))")
        #expect(login["proof"]?.string == "callback_link")
        #expect(login["identity"]?["subject"]?.string == "sandbox-nl-sanne")
        #expect(login["registration"]?["data"] == ["acr": "midden"])
        await server.stop()
    }

    /// A link that is not listed is refused, and the log says which setting lists it.
    @Test(arguments: ["", ", app_links: [\"ISSUER/other\"]"])
    func `a link that leads elsewhere is refused`(_ brokers: String) async throws {
        let server = try await Self.start(brokers)
        try server.sandbox.setFault("init-third-party", for: Self.variant.name)
        let created = try await PhoneApp(server.url).create(Self.variant.name, ["platform": "ios"])
        #expect(created.status == 502)
        await server.stop()
        for word in ["init_link_elsewhere", "resolver_link_refused", "brokers.\(Self.variant.name).app_links"] {
            #expect(server.log.text.contains(word), "\(word): \(server.log.text.suffix(600))")
        }
        #expect(!server.log.text.contains("partner-app"), "only the host is logged")
    }

    /// Without an id there is nothing that the signed answer could name.
    @Test func `a resolver that names no request fails the login`() async throws {
        let server = try await Self.start()
        try server.sandbox.setFault("init-third-party-unnamed", for: Self.variant.name)
        #expect(try await PhoneApp(server.url).create(Self.variant.name, ["platform": "ios"]).status == 502)
        await server.stop()
        #expect(server.log.text.contains("init_link_request_id"))
    }

    /// The resolvers that know nothing of whose an artifact is: plain and echoing.
    static let resolvers = ["resolver-compares-and-names-nothing", "resolver-echoes", "request-missing"]

    /// Which link the attacked login gets: its own with another login's artifact, or the other login's artifact alone.
    @Test(arguments: Self.resolvers, [true, false])
    func `an artifact of another login completes nothing`(_ fault: String, _ hasState: Bool) async throws {
        let server = try await Self.start()
        var (attacked, ours) = try await Self.begin(server)
        var (_, theirs) = try await Self.begin(server)
        let theirLink = try await DigiDLoginTests.back(&theirs, fault: fault)
        let ourLink = try await DigiDLoginTests.back(&ours)
        let artifact = try #require(theirLink.split(separator: "artefactId=").last?.prefix { $0 != "&" })
        let state = try #require(ourLink.split(separator: "&state=").last)
        let link = ourLink.prefix { $0 != "?" } + "?artefactId=\(artifact)" + (hasState ? "&state=\(state)" : "")
        _ = try await attacked.reportReturn(["url": .string(String(link))])
        let login = try await Self.untilOver(attacked, at: server, completes: 1)
        #expect(login["status"]?.string == (fault == "request-missing" && hasState ? "failed" : "pending"))
        #expect(login["identity"] == nil && login["proof"] == nil)
        if login["status"]?.string == "pending" {
            #expect(try await attacked.reportReturn(["url": .string(ourLink)]).status == 200)
            #expect(try await attacked.waitForEnd()["proof"]?.string == "callback_link")
        }
        await server.stop()
    }

    /// With `artifact_proof: none` such a resolver completes a login, even with somebody else's artifact. So the login
    /// says that nothing proves it.
    @Test(arguments: Self.resolvers) func `without a proof the login says so`(_ fault: String) async throws {
        let server = try await Self.start(Self.unproven, release: "immediate")
        var (app, browser) = try await Self.begin(server, "init-third-party-unnamed")
        let link = try await DigiDLoginTests.back(&browser, fault: fault)
        #expect(try await app.reportReturn(["url": .string(link)]).status == 200)
        let login = try await app.waitForEnd()
        #expect(login["status"]?.string == "completed", "\(server.log.text.suffix(600))")
        #expect(login["proof"]?.string == "none")
        await server.stop()
    }

    /// An error names the login only if the app brings its state back.
    @Test(arguments: [("", 200, "pending"), ("&state=", 200, "cancelled"), ("&state=x", 422, "pending")])
    func `an error cancels only the login of its state`(_ row: (state: String, status: Int, outcome: String))
        async throws
    {
        let server = try await Self.start()
        var (app, browser) = try await Self.begin(server)
        let own = try #require(try await DigiDLoginTests.back(&browser).split(separator: "&state=").last)
        let state = row.state == "&state=" ? row.state + own : row.state
        let link = "\(server.link)/callback/\(Self.variant.name)?error=access_denied\(state)"
        #expect(try await app.reportReturn(["url": .string(link)]).status == row.status)
        #expect(try await app.poll().json?["status"]?.string == row.outcome)
        await server.stop()
    }
}
