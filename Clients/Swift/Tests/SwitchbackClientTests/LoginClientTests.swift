import Foundation
import Testing

@testable import SwitchbackClient

/// The client with a store and without a network. Whole logins are in `EndToEndClientTests`.
@Suite struct LoginClientTests {
    /// A store in memory that can be full.
    private actor MemoryOpenLogins: SavedLoginStore {
        struct Full: Error {}
        private var logins: [SavedLogin.ID: SavedLogin]
        private let isFull: Bool

        init(_ logins: [SavedLogin] = [], isFull: Bool = false) {
            self.logins = Dictionary(logins.map { ($0.id, $0) }) { first, _ in first }
            self.isFull = isFull
        }

        func save(_ login: SavedLogin) async throws {
            guard !self.isFull else { throw Full() }
            self.logins[login.id] = login
        }

        func remove(_ id: SavedLogin.ID) async throws { self.logins[id] = nil }
        func all() async throws -> [SavedLogin] { Array(self.logins.values) }
    }

    private struct Offline: Error {}

    private static func client(_ store: any SavedLoginStore, today: Date = Date(timeIntervalSince1970: 1_800_000_000))
        -> LoginClient
    {
        var dependencies = LoginClientDependencies { _ in throw Offline() }
        dependencies.date = { today }
        return LoginClient(server: Example.server, store: store, dependencies: dependencies)
    }

    @Test("a store that is full starts nothing") func aStoreThatIsFullStartsNothing() async {
        let client = Self.client(MemoryOpenLogins(isFull: true))
        var states: [LoginState] = []
        for await state in client.start(NewLogin(provider: "mitid")).states { states.append(state) }
        #expect(states.last == .failed(.notStored))
    }

    @Test("being offline is a transient error, and the login can be abandoned")
    func offlineIsATroubleThatCanBeLeft() async throws {
        let store = MemoryOpenLogins()
        let client = Self.client(store)
        let session = client.start(NewLogin(provider: "mitid"))
        var states: [LoginState] = []
        for await state in session.states {
            states.append(state)
            if state.kind == .retrying { session.abandon() }
        }
        // The login may have come further before the reader came.
        #expect(states.drop { $0 == .starting } == [.retrying(.noResponse, nil), .failed(.abandoned)])
        #expect(try await store.all() == [])
    }

    @Test("a login carries the secret of the one that it replaces") func aLoginCarriesTheFormerSecret() {
        let client = Self.client(MemoryOpenLogins())
        let former = client.start(NewLogin(provider: "mitid"))
        let session = client.start(NewLogin(provider: "vipps"), replacing: former)
        #expect(session.request.replaces == former.secret && session.secret != former.secret)
        // The next one replaces nothing, also if it is made from the same request.
        #expect(client.start(session.request).request.replaces == nil)
        client.stop()
    }

    @Test("what never reached the server is forgotten") func whatNeverReachedTheServerIsForgotten() async throws {
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

    @Test("the newest login is resumed first", arguments: 0..<10)
    func theNewestIsFirst(_ seed: Int) async throws {
        var dice = Dice(state: UInt64(seed))
        let today = Date(timeIntervalSince1970: 1_800_000_000)
        var records: [SavedLogin] = []
        for age in 0..<5 {
            let record = Example.record(login: Example.id)
            records.append(
                SavedLogin(
                    record.request, secret: record.secret, startedAt: today.addingTimeInterval(-Double(age) / 1000)))
        }
        let client = Self.client(MemoryOpenLogins(records.shuffled(using: &dice)), today: today)
        #expect(try await client.resume().map(\.id) == records.map(\.id))
        client.stop()
    }

    @Test("a link finds its login in the store") func aLinkFindsItsLoginInTheStore() async throws {
        let store = MemoryOpenLogins([Example.record(login: Example.id), Example.record(acknowledged: true)])
        let client = Self.client(store)
        #expect(await client.open(Example.prefix + "?x"))
        #expect(await client.open("https://somebody.example/") == false)
        for session in try await client.resume() {
            session.abandon()
            for await _ in session.states {}
        }
        client.stop()
        #expect(await client.open(Example.prefix + "?x") == false)
    }

    @Test("a client that stopped starts nothing") func aClientThatStoppedStartsNothing() async {
        let client = Self.client(MemoryOpenLogins())
        client.stop()
        var states: [LoginState] = []
        for await state in client.start(NewLogin(provider: "mitid")).states { states.append(state) }
        #expect(states == [])
    }

    /// A server with one login, which is final, and a new signature for each assertion.
    private static func finished(_ count: Locked<Int>) -> @Sendable (HTTPRequest) async throws -> HTTPResponse {
        { request in
            guard request.method != "DELETE" else { return HTTPResponse(status: 204) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return Example.login("completed", version: 3, more: ", \"assertion\": \"number \(number)\"")
        }
    }

    @Test("a session knows how it stands") func aSessionKnowsHowItStands() async throws {
        let store = MemoryOpenLogins()
        let client = LoginClient(
            server: Example.server, store: store,
            dependencies: LoginClientDependencies(transport: Self.finished(Locked(0))))
        let session = client.start(NewLogin(provider: "mitid"))
        var assertions: [String?] = []
        for await state in session.states {
            guard case .finished(let login) = state.value else { continue }
            #expect(session.state == state)
            assertions.append(login.assertion?.exposed)
            // The app's API did not respond the first time.
            if assertions.count == 1 { session.refresh() } else { session.acknowledge() }
        }
        #expect(assertions == ["number 1", "number 2"])
        #expect(session.state?.login?.assertion?.exposed == "number 2")
    }

    /// A SwiftUI view reads in a task, which is cancelled when the view goes.
    @Test("a view that goes away ends no login") func aViewThatGoesAwayEndsNoLogin() async throws {
        let client = LoginClient(
            server: Example.server, store: MemoryOpenLogins(),
            dependencies: LoginClientDependencies(transport: Self.finished(Locked(0))))
        let session = client.start(NewLogin(provider: "mitid"))
        let view = Task { for await _ in session.states {} }
        await Task.yield()
        view.cancel()
        await view.value
        for _ in 0..<2 {
            for await state in session.states where state.isFinal { break }
        }
        session.acknowledge()
        var states: [LoginState] = []
        for await state in session.states { states.append(state) }
        #expect(states.map(\.isFinal) == [true], "after the end: the final state, and the end")
    }

    @Test("what the app has to do is no part of the state") func whatIsToBeDoneIsNoPartOfTheState() async throws {
        let client = LoginClient(
            server: Example.server, store: MemoryOpenLogins(),
            dependencies: LoginClientDependencies { _ in Example.login() })
        let session = client.start(NewLogin(provider: "mitid"))
        for await state in session.states {
            guard case .inProgress(let login, let action?) = state.value else { continue }
            #expect(session.state == .inProgress(login, action: nil), "\(action)")
            break
        }
        client.stop()
    }
}
