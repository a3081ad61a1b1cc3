/// What the client does with a store, when there is no network at all. Whole logins are in `EndToEndTests`.
import Foundation
import Testing

@testable import SwitchbackClient

@Suite struct LoginClientTests {
    /// A store in memory, which refuses when it is told to.
    private actor MemoryOpenLogins: OpenLogins {
        struct Full: Error {}
        private var logins: [OpenLogin.ID: OpenLogin]
        private let isFull: Bool

        init(_ logins: [OpenLogin] = [], isFull: Bool = false) {
            self.logins = Dictionary(logins.map { ($0.id, $0) }) { first, _ in first }
            self.isFull = isFull
        }

        func save(_ login: OpenLogin) async throws {
            guard !self.isFull else { throw Full() }
            self.logins[login.id] = login
        }

        func remove(_ id: OpenLogin.ID) async throws { self.logins[id] = nil }
        func all() async throws -> [OpenLogin] { Array(self.logins.values) }
    }

    private struct Offline: Error {}

    private static func client(_ store: any OpenLogins, today: Date = Date(timeIntervalSince1970: 1_800_000_000))
        -> LoginClient
    {
        var surroundings = Surroundings { _ in throw Offline() }
        surroundings.today = { today }
        return LoginClient(server: Example.server, store: store, surroundings: surroundings)
    }

    @Test func aStoreThatIsFullStartsNothing() async {
        let client = Self.client(MemoryOpenLogins(isFull: true))
        var states: [LoginState] = []
        for await state in client.start(NewLogin(provider: "mitid")).states { states.append(state) }
        #expect(states.last == .failed(.notStored))
    }

    @Test func offlineIsATroubleThatCanBeLeft() async throws {
        let store = MemoryOpenLogins()
        let client = Self.client(store)
        let session = client.start(NewLogin(provider: "mitid"))
        var states: [LoginState] = []
        for await state in session.states {
            states.append(state)
            if case .troubled = state { session.giveUp() }
        }
        #expect(states == [.starting, .troubled(.noAnswer, nil), .failed(.givenUp)])
        #expect(try await store.all() == [])
    }

    @Test func whatNeverReachedTheServerIsForgotten() async throws {
        let record = Example.record()
        let soon = Self.client(MemoryOpenLogins([record]), today: record.startedAt.addingTimeInterval(599))
        #expect(try await soon.resume().map(\.id) == [record.id])
        #expect(try await soon.resume().count == 1, "the same one")
        soon.stop()
        let store = MemoryOpenLogins([record])
        let late = Self.client(store, today: record.startedAt.addingTimeInterval(601))
        #expect(try await late.resume().isEmpty)
        #expect(try await store.all() == [])
    }

    @Test func aLinkFindsItsLoginInTheStore() async throws {
        let store = MemoryOpenLogins([Example.record(login: Example.id), Example.record(acknowledged: true)])
        let client = Self.client(store)
        #expect(await client.open(Example.prefix + "?x"))
        #expect(await client.open("https://somebody.example/") == false)
        for session in try await client.resume() {
            session.giveUp()
            for await _ in session.states {}
        }
        client.stop()
        #expect(await client.open(Example.prefix + "?x") == false)
    }

    @Test func aClientThatStoppedStartsNothing() async {
        let client = Self.client(MemoryOpenLogins())
        client.stop()
        var states: [LoginState] = []
        for await state in client.start(NewLogin(provider: "mitid")).states { states.append(state) }
        #expect(states == [])
    }
}
