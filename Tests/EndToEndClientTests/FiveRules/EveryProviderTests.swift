import EndToEndSupport
import StrictJSON
import TestSupport
import Testing

@testable import SwitchbackCommand

/// The client that knows only the five rules completes every provider of the sandbox on iOS, Android and the web, with
/// cookies kept per browser.
@Suite(.blocking) struct EveryProviderTests {
    private static let atOnce = 4
    private static let platforms = ["ios", "android", "web"]

    /// One login of the table.
    private struct Place: Sendable, CustomStringConvertible {
        let provider: RunningSandbox.Provider
        let platform: String
        let surface: String?

        var description: String { "\(self.provider.id) \(self.platform) \(self.surface ?? "")" }
    }

    private static func places(_ sandbox: RunningSandbox, _ platform: String) async throws -> [Place] {
        let providers = try await sandbox.providers()
        #expect(Set(providers.map(\.id)) == Set(SandboxFlow.allCases.map(\.rawValue)))
        return providers.filter { $0.platforms.contains(platform) }.flatMap { provider in
            let surfaces = platform == "web" || provider.surfaces.isEmpty ? [nil] : provider.surfaces.map(Optional.some)
            return surfaces.map { Place(provider: provider, platform: platform, surface: $0) }
        }
    }

    @Test(arguments: platforms, [false, true])
    func `a login completes at every provider by five rules`(_ platform: String, _ closesBrowser: Bool) async throws {
        let sandbox = try await RunningSandbox.start()
        let places = try await Self.places(sandbox, platform)
        // DigiD's app hands its response to an app and never to a page.
        #expect(Set(places.map(\.provider.id)).count == SandboxFlow.allCases.count - (platform == "web" ? 1 : 0))
        await withTaskGroup(of: Void.self) { group in
            for (number, place) in places.enumerated() {
                if number >= Self.atOnce { await group.next() }
                group.addTask {
                    do {
                        try await Self.logIn(place, closesBrowser, at: sandbox)
                    } catch {
                        Issue.record("\(place): \(error)")
                    }
                }
            }
        }
        sandbox.stop()
    }

    private static func logIn(_ place: Place, _ closesBrowser: Bool, at sandbox: RunningSandbox) async throws {
        var client = RulesClient(
            sandbox.url, on: PhoneBrowsers(platform: place.platform), user: .init(closesBrowser: closesBrowser))
        try await client.create(place.provider, surface: place.surface)
        try await client.finish()
        #expect(client.login["status"]?.string == "completed", "\(place): \(client.actions) \(client.login)")
        #expect(client.login["identity"]?["subject"]?.string?.isEmpty == false, "\(place)")
        // Otherwise this table would not try what it is for.
        let resumes = place.platform != "web" && ["vipps", "vipps_remembered"].contains(place.provider.id)
        #expect(client.actions.contains("resume_browser") == resumes, "\(place): \(client.actions)")
    }

    // MARK: - The wrong browser

    /// The browser in which the login began, for each surface, and others on the same phone.
    private static let wrong: [(platform: String, surface: String, other: PhoneBrowsers.Browser)] = [
        ("ios", "auth_session", .insideApp), ("ios", "tab", .system), ("ios", "system", .insideApp),
        ("ios", "auth_session", .session(1)), ("android", "tab", .session(1)), ("android", "tab", .eIDApp),
    ]

    /// An app that resumes in another browser gets no further, and nothing ends.
    @Test(arguments: wrong)
    func `a resume in another browser fails`(
        _ row: (platform: String, surface: String, other: PhoneBrowsers.Browser)
    ) async throws {
        let sandbox = try await RunningSandbox.start()
        let vipps = try #require(try await sandbox.providers().first { $0.id == "vipps" })
        var client = RulesClient(
            sandbox.url, on: PhoneBrowsers(platform: row.platform),
            user: .init(closesBrowser: true, resumesIn: row.other))
        try await client.create(vipps, surface: row.surface)
        do {
            try await client.finish()
            Issue.record("the login goes on in another browser: \(client.actions)")
        } catch let error as TestClient.Failure {
            #expect(error.description.contains("begun in another browser"), "\(error)")
        }
        #expect(client.actions == ["open_browser", "resume_browser"])
        #expect(try await client.app.poll().json?["status"]?.string == "pending")
        client.user.resumesIn = nil
        try await client.finish()
        #expect(client.login["status"]?.string == "completed", "the browser in which it began still goes on")
        sandbox.stop()
    }

    // MARK: - Known users

    /// Vipps remembers the user in one browser: there the login needs no page, and elsewhere it does.
    @Test func `a remembered user passes without a page`() async throws {
        let sandbox = try await RunningSandbox.start()
        let vipps = try #require(try await sandbox.providers().first { $0.id == "vipps_remembered" })
        var browsers = PhoneBrowsers(platform: "ios")
        for (surface, isAsked) in [("auth_session", true), ("auth_session", false), ("system", false), ("tab", true)] {
            var client = RulesClient(sandbox.url, on: browsers, user: .init(wantsToBeRemembered: surface != "tab"))
            try await client.create(vipps, surface: surface)
            try await client.finish()
            #expect(client.login["status"]?.string == "completed", "\(client.login)")
            #expect(client.actions.contains("resume_browser") == isAsked, "\(surface): \(client.actions)")
            #expect(client.login["proof"]?.string?.hasSuffix("_link") == true, "\(surface)")
            browsers = client.browsers
        }
        sandbox.stop()
    }

    /// `session-reused` does the same without a cookie. Where the sandbox requests a fresh login, it cannot be set.
    @Test func `a user who is already logged in is not asked`() async throws {
        let sandbox = try await RunningSandbox.start()
        let fault = "session-reused"
        for provider in try await sandbox.providers() {
            let status = try await sandbox.setFault(fault, at: provider.id)
            #expect(status == (provider.id == "vipps_remembered" ? 204 : 404), "\(provider.id)")
        }
        let vipps = try #require(try await sandbox.providers().first { $0.id == "vipps_remembered" })
        for isAsked in [false, true] {
            var client = RulesClient(sandbox.url, on: PhoneBrowsers(platform: "ios"))
            try await client.create(vipps, surface: "tab")
            try await client.finish()
            #expect(client.login["status"]?.string == "completed", "\(client.login)")
            #expect(client.actions.contains("resume_browser") == isAsked, "\(client.actions)")
            #expect(try await sandbox.setFault(nil, at: vipps.id) == 204)
        }
        sandbox.stop()
    }
}
