import Base
import Brokers
import OpenIDConnect
import Stores
import Synchronization
import Testing

@testable import Logins

/// Each login counts once at each stage, whatever is repeated and whichever server is asked.
@Suite struct StageCountTests {
    /// A transition of a login, and the stages that it counts.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let before: Login
        let stages: [StageCount.Stage]
        var at = 5
        let change: @Sendable (inout Login) -> Void

        init(
            _ name: String, _ before: Login, _ stages: [StageCount.Stage], at: Int = 5,
            _ change: @escaping @Sendable (inout Login) -> Void
        ) {
            self.testDescription = name
            self.before = before
            self.stages = stages
            self.at = at
            self.change = change
        }
    }

    private static let other = Example.attempt(2)

    /// Gives back the response that the login has taken, because it was another login's.
    private static func givingBack(_ login: Login, redeemed: Bool) -> Login {
        var login = login
        if redeemed { _ = login.keepTokenResponse([1], fencingToken: 1) }
        _ = login.revertExchange(fencingToken: 1)
        return login
    }

    private static let takes: @Sendable (inout Login) -> Void = { login in
        _ = login.acceptCallback(
            .granted(code: [5]), to: Example.attempt(1).id, hash: Example.hash(1), at: Example.after(5))
    }
    private static let lapses: @Sendable (inout Login) -> Void = { login in
        while login.lapse(at: Example.after(5000)) {}
    }

    static let rows: [Row] = [
        Row("a link is opened", Stage.pending.login(), [.opened]) {
            _ = $0.start(Example.attempt(1), at: Example.after(5))
        },
        Row("and opened again", Stage.opened.login(), []) { _ = $0.start(Self.other, at: Example.after(5)) },
        Row("a code comes", Stage.opened.login(), [.callback], Self.takes),
        Row(
            "a code comes after one was given back", Self.givingBack(Stage.exchanging.login(), redeemed: false), [],
            Self.takes),
        Row("a code is redeemed", Stage.exchanging.login(), [.exchanged]) {
            _ = $0.keepTokenResponse([1], fencingToken: 1)
        },
        Row(
            "a code is redeemed after one that was given back was",
            Self.changed(Self.givingBack(Stage.exchanging.login(), redeemed: true), Self.takes), []
        ) { _ = $0.keepTokenResponse([1], fencingToken: 2) },
        Row("the response was another login's", Stage.exchanging.login(), []) {
            _ = $0.revertExchange(fencingToken: 1)
        },
        Row("the user is known", Stage.exchanging.login(), [.exchanged, .proven, .ended(.completed)]) {
            _ = $0.settle(Example.outcome, at: Example.after(5), timeout: Example.returnTimeout)
        },
        Row("the user is known, without a proof", Stage.exchanging.login(.returnLink), [.exchanged]) {
            _ = $0.settle(Example.outcome, at: Example.after(5), timeout: Example.returnTimeout)
        },
        Row("the proof comes", Stage.awaitingReturn.login(), [.proven, .ended(.completed)]) {
            _ = $0.accept(.pageLink) { $0 }
        },
        Row("the user cancels", Stage.opened.login(), [.callback, .ended(.reason(.userCancelled))]) {
            _ = $0.acceptCallback(
                .denied(.userCancelled), to: Example.attempt(1).id, hash: Example.hash(1), at: Example.after(5))
        },
        Row("the app cancels", Stage.exchanging.login(), [.ended(.reason(.appCancelled))]) {
            _ = $0.cancel(force: true, at: Example.after(5))
        },
        Row("the exchange fails", Stage.exchanging.login(), [.ended(.reason(.invalidToken))]) {
            _ = $0.fail(.invalidToken, fencingToken: 1, at: Example.after(5))
        },
        Row("nobody opened it", Stage.pending.login(), [.ended(.timeout(at: .neverOpened))], at: 5000, Self.lapses),
        Row("nobody came back", Stage.opened.login(), [.ended(.timeout(at: .noCallback))], at: 5000, Self.lapses),
        Row("no proof came", Stage.awaitingReturn.login(), [.ended(.timeout(at: .noProof))], at: 5000, Self.lapses),
        Row("it makes room", Stage.pending.login(), [.ended(.evicted)]) { _ = $0.dropUnstarted(at: Example.after(5)) },
        Row("the app acknowledges", Stage.completed.login(), [.delivered, .acknowledged]) {
            _ = $0.acknowledge(at: Example.after(5))
        },
        Row("the app acknowledges a failure", Stage.failed.login(), []) { _ = $0.acknowledge(at: Example.after(5)) },
        Row("the app never acknowledges", Stage.completed.login(), [], at: 5000, Self.lapses),
        Row("a late code comes", Stage.expired.login(), [], Self.takes),
    ]

    private static func changed(_ login: Login, _ change: (inout Login) -> Void) -> Login {
        var login = login
        change(&login)
        return login
    }

    @Test(arguments: Self.rows) func `a change counts the stages that it reaches`(_ row: Row) {
        var login = row.before
        row.change(&login)
        #expect(login.stages(since: row.before, at: Example.after(row.at)) { false } == row.stages)
    }

    @Test func `a row keeps what a response that was given back had counted`() throws {
        for redeemed in [false, true] {
            var login = Self.givingBack(Stage.exchanging.login(), redeemed: redeemed)
            for isGone in [false, true] {
                login.isBrowserGone = isGone
                let stored = try LoginCodec.decode(LoginCodec.encode(login))
                #expect(stored == login && stored.wasAnswered && stored.wasRedeemed == redeemed)
                #expect(LoginCodec.encode(login).count == LoginCodec.encode(Self.plain(login)).count, "no byte more")
            }
        }
    }

    private static func plain(_ login: Login) -> Login {
        var login = login
        (login.wasAnswered, login.wasRedeemed) = (false, false)
        return login
    }

    @Test func `every stage and end has a name of its own`() {
        let names = StageCount.Stage.all.map { [$0.name, $0.end?.name ?? "none"] }
        #expect(Set(names).count == names.count)
        #expect(Set(names.map { $0[0] }).count == 8)
    }

    // MARK: - Two servers

    /// Two servers on one store, and what both count together.
    private final class Pair: Sendable {
        let store = MemoryLoginStore()
        let secret = PollSecret.make()
        private let counted = Mutex<[StageCount.Stage: Int]>([:])
        let now = Mutex(Example.start)
        private let key = ServerKey.make()

        var stages: [StageCount.Stage: Int] { self.counted.withLock { $0 } }

        /// Makes a server, also in place of one that has ended.
        func server() throws -> LoginFlow {
            var settings = LoginSettings(publicURL: "https://login.example.com")
            settings.apps["demo"] = LoginSettings.App(releases: ["mitid": .immediate], returnPrefixes: [])
            let keys = try #require(ServerKeys([self.key]))
            return LoginFlow(
                LoginConfiguration(
                    settings, keys: keys,
                    providers: [Provider(id: "mitid", brokerID: "table", names: ["en": "MitID"])],
                    brokers: [TableBroker()]),
                store: self.store, now: { self.now.withLock { $0 } }, observe: { _ in },
                count: { reached in
                    #expect(reached.app == "demo" && reached.provider == "mitid" && reached.platform == .ios)
                    self.counted.withLock { $0[reached.stage, default: 0] += 1 }
                })
        }

        func create(at server: LoginFlow) async throws {
            var request = LoginRequest(provider: "mitid", app: "demo")
            request.platform = .ios
            _ = try await server.create(request, secret: self.secret)
        }

        /// Returns the state of a new attempt.
        func open(at server: LoginFlow) async throws -> String {
            guard case .openBrowser(let url, _)? = try await self.view(at: server).next,
                let token = url.split(separator: "/").last,
                case .redirect(let target, _) = await server.startAuthorization(String(token), languages: []),
                let state = target.split(separator: "=").last
            else { throw StoreError.unavailable }
            return String(state)
        }

        func view(at server: LoginFlow) async throws -> LoginView {
            try await server.loadView(self.secret.loginID, secret: self.secret)
        }
    }

    private static let whole: [StageCount.Stage] = [
        .created, .opened, .callback, .exchanged, .proven, .delivered, .acknowledged, .ended(.completed),
    ]

    @Test func `a login whose every step is repeated at two servers counts once at each stage`() async throws {
        let pair = Pair()
        let (one, other) = (try pair.server(), try pair.server())
        for server in [one, other, one] { try await pair.create(at: server) }
        var state = ""
        for server in [other, one, other] { state = try await pair.open(at: server) }
        for server in [one, other, one] {
            _ = await server.acceptCallback(
                broker: "table", parameters: [Parameter("state", state), Parameter("code", "c")])
        }
        await one.finish()
        await other.finish()
        for server in [other, one, try pair.server()] {
            let view = try await pair.view(at: server)
            #expect(view.status == .completed)
            server.noteDelivery(of: view)
        }
        for server in [try pair.server(), one] {
            try await server.acknowledge(pair.secret.loginID, secret: pair.secret)
        }
        #expect(pair.stages == Dictionary(uniqueKeysWithValues: Self.whole.map { ($0, 1) }))
    }

    @Test func `a result that is never acknowledged counts as delivered when its time is over`() async throws {
        for isDelivered in [false, true] {
            let pair = Pair()
            let server = try pair.server()
            try await pair.create(at: server)
            let state = try await pair.open(at: server)
            _ = await server.acceptCallback(
                broker: "table", parameters: [Parameter("state", state), Parameter("code", "c")])
            await server.finish()
            for _ in 0..<2 where isDelivered { server.noteDelivery(of: try await pair.view(at: server)) }
            pair.now.withLock { $0 = $0 + .seconds(5000) }
            _ = try await server.sweep(limit: 10)
            #expect(pair.stages[.delivered] == (isDelivered ? 1 : nil))
            #expect(pair.stages[.acknowledged] == nil && pair.stages[.ended(.completed)] == 1)
        }
    }
}
