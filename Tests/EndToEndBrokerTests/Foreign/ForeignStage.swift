import Base
import EndToEndSupport
import StrictJSON
import Testing

/// The foreign providers and our server that uses them, for a whole suite.
struct ForeignStage: Sendable {
    @TaskLocal static var current: ForeignStage?

    let providers: [ForeignProgram: ForeignProvider]
    let server: ForeignServer

    /// Logs in at one of our providers with a new app, and returns the login that the app gets.
    func logIn(_ provider: String, with browser: inout CookieBrowser) async throws -> JSON {
        let app = PhoneApp(self.server.url)
        let created = try await app.create(provider)
        let url = try #require(created.nextURL, "\(created.text)")
        async let end = app.waitForEnd()
        do {
            try await browser.logIn(opening: url, home: self.server.url)
        } catch {
            // Otherwise the app would wait until the login expires.
            _ = try await app.cancel()
            throw error
        }
        return try await end
    }

    /// Starts a login that the browser cannot complete, and returns the open login that the app sees.
    func strand(_ provider: String, with browser: inout CookieBrowser) async throws -> JSON {
        let app = PhoneApp(self.server.url)
        let created = try await app.create(provider)
        let url = try #require(created.nextURL, "\(created.text)")
        // The browser may stop anywhere.
        try? await browser.logIn(opening: url, home: self.server.url)
        let login = try #require(try await app.poll().json)
        _ = try await app.cancel()
        return login
    }

    /// Waits for the next second: `auth_time` counts in seconds, so it cannot order two logins within one.
    func waitForNextSecond() async throws {
        let now = WallClock.now()
        while WallClock.now().seconds == now.seconds { try await Task.sleep(for: .milliseconds(20)) }
    }
}

/// Starts the stage before the first test of a suite, and stops it after the last.
struct WithForeignProviders: SuiteTrait, TestScoping {
    private static let variants =
        ForeignVariant.all + ForeignRefusal.all.map(\.variant)
        + [.twice, .signedTwice]

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let ports = try ForeignServer.Ports()
        let (providers, failure) = await Self.start(for: ports.url)
        let outcome: Result<Void, any Error>
        do {
            if let failure { throw failure }
            let server = try ForeignServer(ports, providers.mapValues(\.issuer), Self.variants)
            let stage = ForeignStage(providers: providers, server: server)
            do {
                outcome = .success(try await ForeignStage.$current.withValue(stage) { try await function() })
            } catch {
                outcome = .failure(error)
            }
            await server.stop()
        } catch {
            outcome = .failure(error)
        }
        for provider in providers.values { try await provider.stop() }
        try outcome.get()
    }

    /// Starts all providers at the same time. The caller stops those that did start, even when one did not.
    private static func start(for url: String) async -> (providers: [ForeignProgram: ForeignProvider], (any Error)?) {
        await withTaskGroup(of: Result<ForeignProvider, any Error>.self) { group in
            for program in ForeignProgram.allCases {
                group.addTask {
                    do {
                        return .success(try await ForeignProvider.start(program, Self.variants, for: url))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var providers: [ForeignProgram: ForeignProvider] = [:]
            var failure: (any Error)?
            for await result in group {
                switch result {
                case .success(let provider): providers[provider.program] = provider
                case .failure(let error): failure = error
                }
            }
            return (providers, failure)
        }
    }
}
