import Base
import ConfigurationSamples
import Logins
import ServerConfiguration
import Sessions
import Stores
import Testing

@testable import Switchback

/// The server's sessions begin, continue and end with the keys in its configuration, and its sweep reaches them.
@Suite struct ConfiguredSessionsTests {
    private static let now = Timestamp(seconds: 1_795_356_000)

    private static func configuration(withKeys: Bool, session: String = "none") throws -> Configuration {
        let keys = withKeys ? "  access:\n    - file: access.pem\n  session:\n    - file: session.key\n" : ""
        return try Configuration(
            SampleConfiguration.source("keys:\n", "keys:\n\(keys)").adding(
                "name: Shop", "name: Shop\n    session: \(session)\n    session_audience: api"))
    }

    private static func sessions(_ configuration: Configuration) -> ConfiguredSessions {
        ConfiguredSessions(
            configuration.sessionConfiguration, store: MemoryLoginStore(), now: { Self.now }, observe: { _ in })
    }

    @Test func `the sessions follow the configuration`() throws {
        let (without, with) = (try Self.configuration(withKeys: false), try Self.configuration(withKeys: true))
        let sessions = Self.sessions(without)
        #expect(sessions.flow == nil)
        // A reload that is refused later changes nothing.
        let made = sessions.flow(under: with.sessionConfiguration)
        #expect(made != nil && sessions.flow == nil)
        sessions.replace(with: made, under: with.sessionConfiguration)
        #expect(sessions.flow === made)
        // Later configurations keep the same object, because requests hold it.
        let later = try Self.configuration(withKeys: true, session: "access").sessionConfiguration
        #expect(sessions.flow(under: later) === made)
        sessions.replace(with: made, under: later)
        #expect(sessions.flow === made)
        #expect(sessions.flow(under: nil) == nil)
        sessions.replace(with: nil, under: nil)
        #expect(sessions.flow == nil)
    }

    @Test(arguments: [("none", false), ("access", true), ("refresh", true)])
    func `the settings of an app reach its logins`(_ row: (level: String, needsThumbprint: Bool)) throws {
        let configuration = try Self.configuration(withKeys: true, session: row.level)
        #expect(LoginSettings(configuration).apps["shop"]?.needsThumbprint == row.needsThumbprint)
    }

    @Test func `the sweep reaches the sessions`() async throws {
        let store = MemoryLoginStore()
        let configuration = try Self.configuration(withKeys: true)
        let sessions = ConfiguredSessions(
            configuration.sessionConfiguration, store: store, now: { Self.now }, observe: { _ in })
        // No key opens this row, so it goes when it is due.
        let id = SessionID(app: "shop", thumbprint: "x")
        for (thumbprint, due) in [("x", -1), ("y", 1)] {
            let row = SealedSession(
                id: SessionID(app: "shop", thumbprint: thumbprint), revision: 1, due: Self.now + .seconds(due),
                person: [1], keyID: [1], bytes: [1])
            #expect(try await store.insertSession(row))
        }
        let keys = try #require(ServerKeys([ServerKey.make()]))
        let rules = LoginConfiguration(
            LoginSettings(publicURL: "https://login.example.com"), keys: keys, providers: [], brokers: [])
        let flow = LoginFlow(rules, store: store, now: { Self.now }, observe: { _ in })
        let (rounds, round) = AsyncStream.makeStream(of: Void.self)
        let sweeper = Sweeper(
            flow: flow, sessions: { sessions.flow }, tidy: { _ in round.yield() }, now: { Self.now })
        let sweeping = Task { await sweeper.run(by: ContinuousClock()) }
        for await _ in rounds { break }
        sweeping.cancel()
        #expect(try await store.loadSession(id) == nil)
        #expect(try await store.loadSession(SessionID(app: "shop", thumbprint: "y")) != nil)
    }
}
