import Base
import EndToEndSupport
import Logging
import Preflight
import ServerConfiguration
import StrictJSON
import Switchback
import Telemetry
import TestSupport
import Testing

@testable import SwitchbackCommand

/// A server with the configuration that `init` writes for a provider, and the provider of its habits on loopback.
final class HabitStage: Sendable {
    let provider: HabitualProvider
    let clock = TestClock()
    let log = CapturedLog()
    private let server: SwitchbackServer
    private let written: WrittenConfiguration

    var configuration: Configuration { self.written.configuration }

    /// Runs `init` for the provider, moves the written configuration to loopback, and starts the server with it.
    /// `choice` is the answer to `--provider`.
    init(_ habit: ProviderHabit, as choice: String) async throws {
        let provider = try HabitualProvider(habit, now: self.clock.now)
        let plan = try Self.plan(habit, as: choice, folder: WrittenConfiguration.makeFolder())
        self.provider = provider
        self.written = try WrittenConfiguration(plan, port: try FreePort.find()) { text in
            try habit.onLoopback(text, port: provider.port)
        }
        let log = self.log
        let logger = Logger(label: "test") { _ in
            LineLogHandler(.json, level: .debug, now: WallClock.now, write: { log.append($0) })
        }
        self.server = try SwitchbackServer(
            configuration: self.written.configuration, logger: logger, now: self.clock.now)
        _ = try self.server.start()
    }

    /// What `init` makes of the answers, checked as `check` does, for the provider's real addresses.
    static func plan(_ habit: ProviderHabit, as choice: String, folder: String) throws -> InitPlan {
        let known = try habit.known()
        let published = try habit.published()
        var questionnaire = InitQuestionnaire(
            [
                .broker: "oidc", .provider: choice, .publicURL: "https://login.example.com", .app: "shop",
                .clientID: HabitualProvider.clientID, .eidName: known.title,
                .issuer: published["issuer"]?.string ?? published["discovery"]?["issuer"]?.string
                    ?? known.exampleIssuer,
            ], ask: nil)
        try questionnaire.complete()
        let secret = known.hasSecret ? Array("\(HabitualProvider.clientSecret)\n".utf8) : nil
        let plan = try InitPlan(questionnaire.answers, secret: secret, folder: folder)
        _ = try plan.check()
        return plan
    }

    func stop() async {
        await self.server.stop()
        self.provider.stop()
        self.written.remove()
    }

    // MARK: - Plays

    /// The findings of `check --online`, without those that are well.
    func findings() async throws -> [String] {
        var lines: [String] = []
        try await OnlineCheck(self.configuration, now: self.clock.now).run { found in
            lines += found.filter { $0.level != .ok }.map(\.description)
        }
        return lines
    }

    /// Runs a login until it is final: the user approves or cancels, and types the code of the done page.
    func logIn(_ user: HabitualProvider.User = .approves) async throws -> JSON {
        self.provider.expect(user)
        let app = PhoneApp(self.configuration.publicURL.text)
        let created = try await app.create("eid", ["locale": "nb-NO"])
        guard created.status == 201, let url = created.nextURL else {
            throw TestClient.Failure(description: "create: \(created.status) \(created.text)")
        }
        var browser = try await ScriptedBrowser(opening: url)
        if let form = browser.form, form.action.contains("/callback/") { try await browser.submit() }
        let deadline = Patience.end
        while ContinuousClock.now < deadline {
            if let code = browser.code {
                _ = try await app.reportReturn(["code": .string(code)])
                return try await app.waitForEnd()
            }
            let login = try await app.poll().json ?? .null
            guard login["final"]?.bool != true else { return login }
            guard browser.url.contains("/done/") else { return login }
            try await Task.sleep(for: .milliseconds(20))
            try await browser.reload()
        }
        throw TestClient.Failure(description: "the login does not end: \(browser.page.text.suffix(500))")
    }
}
