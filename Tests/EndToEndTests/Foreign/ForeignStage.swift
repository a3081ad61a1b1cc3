/// A foreign provider and a server of ours that uses it, for a whole suite.
import JOSE
import Switchback
import Testing

struct ForeignStage: Sendable {
    @TaskLocal static var current: ForeignStage?

    let provider: ForeignProvider
    let server: ForeignServer

    /// A whole login with one of our providers, by a new app. Returns what the app got.
    func logIn(_ provider: String, with browser: inout CookieBrowser) async throws -> JSON {
        let app = PhoneApp(self.server.url)
        let created = try await app.create(provider)
        let url = try #require(created.nextURL, "\(created.text)")
        async let end = app.waitForEnd()
        do {
            try await browser.logIn(opening: url, home: self.server.url)
        } catch {
            // Else the app would wait until its time is up.
            _ = try await app.cancel()
            throw error
        }
        return try await end
    }

    /// `auth_time` counts in seconds: what is before another in the same one cannot be told from it.
    func waitForNextSecond() async throws {
        let now = WallClock.now()
        while WallClock.now().seconds == now.seconds { try await Task.sleep(for: .milliseconds(20)) }
    }
}

/// Starts both before the first test of a suite, and ends them after the last.
struct WithForeignProvider: SuiteTrait, TestScoping {
    let program: ForeignProvider.Program

    init(_ program: ForeignProvider.Program) { self.program = program }

    private var variants: [ForeignVariant] {
        ForeignVariant.all(for: self.program) + ForeignVariant.refused
            + [.refusedRequest, .twice, .signedTwice]
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let ports = try ForeignServer.Ports()
        let provider = try await ForeignProvider.start(self.program, self.variants, for: ports.url)
        let outcome: Result<Void, any Error>
        do {
            let server = try ForeignServer(ports, provider, self.variants)
            let stage = ForeignStage(provider: provider, server: server)
            do {
                outcome = .success(try await ForeignStage.$current.withValue(stage) { try await function() })
            } catch {
                outcome = .failure(error)
            }
            await server.stop()
        } catch {
            outcome = .failure(error)
        }
        try await provider.stop()
        try outcome.get()
    }
}
