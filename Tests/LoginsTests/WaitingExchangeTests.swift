import Base
import Brokers
import Synchronization
import TestSupport
import Testing

@testable import Logins

/// A code that waits for its turn in our own queue: it counts as not sent, its holder keeps it, and it waits as long as
/// it lives.
@Suite struct WaitingExchangeTests {
    // MARK: - The times

    /// Without a wait, an exchange ends before its lease. With one, the lease is renewed before it ends.
    @Test func `a lease is longer than what it covers`() {
        let settings = LoginSettings(publicURL: "https://login.example.com")
        #expect(Login.leaseDuration > settings.exchangeDeadline)
        #expect(Login.leaseDuration > Login.renewal * 2, "one renewal may fail")
        // The try is written when the turn comes, with a new lease.
        var login = Stage.exchanging.login()
        #expect(login.holdCode(fencingToken: 1, at: Example.after(10)) == true)
        #expect(login.beginTry(fencingToken: 1, at: Example.after(50)) == true)
        #expect(login.due >= Example.after(50) + settings.exchangeDeadline)
    }

    @Test(arguments: [(600, 590), (60, 50), (30, 20), (15, 5), (10, 5), (0, 5)])
    func `a code waits as long as it lives, less one request`(_ lifetime: Int, _ wait: Int) throws {
        var provider = Provider(id: "mitid", brokerID: "table", names: ["en": "MitID"])
        provider.codeLifetime = .seconds(lifetime)
        let rules = LoginConfiguration(
            LoginSettings(publicURL: "https://login.example.com"), keys: try #require(ServerKeys([ServerKey.make()])),
            providers: [provider], brokers: [])
        #expect(rules.longestWait(of: Example.login()) == .seconds(wait))
    }

    // MARK: - Transitions

    @Test func `whoever resumes a waiting code sends it for the first time`() throws {
        var login = Stage.exchanging.login()
        #expect(login.holdCode(fencingToken: 1, at: Example.after(10)) == true)
        #expect(try LoginCodec.decode(LoginCodec.encode(login)) == login)
        #expect(login.recover(codeLifetime: .seconds(60), at: Example.after(24)) == .nothing, "the lease is new")
        guard case .exchange(let second) = login.recover(codeLifetime: .seconds(60), at: Example.after(25)) else {
            #expect(Bool(false), "it is left")
            return
        }
        #expect(second.tries == 0)
        let late = [
            login.holdCode(fencingToken: 1, at: Example.after(26)),
            login.beginTry(fencingToken: 1, at: Example.after(26)),
        ]
        #expect(late == [false, false], "the first holder sends it no more")
        // It waits there too, which counts no try, and then it is sent twice at most, as any code.
        #expect(login.holdCode(fencingToken: 2, at: Example.after(27)) == true)
        let tries = (0..<3).map { login.beginTry(fencingToken: 2, at: Example.after(28 + $0)) }
        #expect(tries == [true, true, false])
    }

    /// The callback has counted the first try already.
    @Test(arguments: [false, true]) func `the first try is counted once`(_ waits: Bool) {
        var login = Stage.exchanging.login()
        if waits { #expect(login.holdCode(fencingToken: 1, at: Example.after(3)) == true) }
        #expect(login.beginTry(fencingToken: 1, at: Example.after(9)) == true)
        guard case .exchanging(let exchange) = login.state else { return }
        #expect(exchange.tries == 1 && !login.hasRepeatedCode)
    }

    /// The store was away for so long that the lease has run out, and the code still waits.
    @Test func `a waiting code is not used up by a long outage`() {
        var login = Stage.exchanging.login()
        #expect(login.holdCode(fencingToken: 1, at: Example.after(3)) == true)
        #expect(login.recover(codeLifetime: .seconds(60), from: .present, at: Example.after(18)) == .nothing)
        #expect(login.beginTry(fencingToken: 1, at: Example.after(19)) == true)
        guard case .exchanging(let exchange) = login.state else { return }
        #expect(exchange.tries == 1 && exchange.leaseUntil == Example.after(34))
    }

    // MARK: - Processes

    private func exchange(_ stage: FlowStage) async throws -> Login.Exchange {
        guard case .exchanging(let exchange)? = try await stage.stored()?.login.state else {
            throw StoreError.unavailable
        }
        return exchange
    }

    @Test func `the row of a waiting code says that it was not sent`() async throws {
        let stage = try FlowStage()
        let (waiting, turn) = (Gate(), Gate())
        stage.broker.whileWaiting.withLock {
            $0 = {
                waiting.open(); await turn.wait()
            }
        }
        try await stage.create()
        let state = try await stage.open().state
        stage.pass(5)
        _ = await stage.callback([Parameter("state", state), Parameter("code", "c")])
        await waiting.wait()
        #expect(try await eventually { try await self.exchange(stage).tries == 0 })
        stage.broker.beforeAnswering.withLock {
            $0 = {
                let exchange = try? await self.exchange(stage)
                #expect(exchange?.tries == 1, "it is written before it is sent")
                #expect(exchange?.leaseUntil == Example.after(40 + 15))
            }
        }
        stage.pass(35)
        turn.open()
        await stage.flow.finishExchanges()
        #expect(try await stage.stored()?.login.status == .completed)
        #expect(stage.broker.redeemed.load(ordering: .relaxed) == 1)
    }

    /// While it waits, another process takes it over. The first one then sends nothing and reports nothing.
    @Test func `a holder that is overtaken while it waits sends nothing`() async throws {
        let left = LeftLogins()
        try await left.leaveExchange()
        let (slow, fast) = (try left.process(), try left.process())
        let (waiting, turn) = (Gate(), Gate())
        left.broker.whileWaiting.withLock {
            $0 = {
                waiting.open(); await turn.wait()
            }
        }
        _ = try await slow.sweep()
        await waiting.wait()
        left.broker.whileWaiting.withLock { $0 = nil }
        left.clock.withLock { $0 = Example.after(58) }
        _ = try await fast.sweep()
        await fast.finish()
        turn.open()
        await slow.finishExchanges()
        #expect(try await left.stored()?.status == .completed)
        #expect(left.broker.redeemed.load(ordering: .relaxed) == 1)
        #expect(!left.steps().contains("exchange_failed"))
    }

    /// It is left to the next process at once, which sends it for the first time.
    @Test func `a process that stops leaves a waiting code to the next`() async throws {
        let left = LeftLogins()
        try await left.leaveExchange()
        let (first, second) = (try left.process(), try left.process())
        let (waiting, turn) = (Gate(), Gate())
        left.broker.whileWaiting.withLock {
            $0 = {
                waiting.open(); await turn.wait()
            }
        }
        _ = try await first.sweep()
        await waiting.wait()
        left.broker.whileWaiting.withLock { $0 = nil }
        let stopping = Task { await first.finish() }
        #expect(try await eventually { try await left.stored()?.due == Example.after(18) })
        turn.open()
        await stopping.value
        #expect(try await left.stored()?.status == .exchanging)
        #expect(left.broker.redeemed.load(ordering: .relaxed) == 0)
        left.clock.withLock { $0 = Example.after(19) }
        _ = try await second.sweep()
        await second.finish()
        #expect(try await left.stored()?.status == .completed)
        #expect(left.broker.redeemed.load(ordering: .relaxed) == 1)
    }
}

/// Lets tasks wait until it is opened.
private final class Gate: Sendable {
    private let (opened, end) = AsyncStream.makeStream(of: Void.self)

    func open() { self.end.finish() }

    func wait() async { for await _ in self.opened {} }
}

extension LoginFlow {
    /// Waits for the exchanges without stopping them.
    fileprivate func finishExchanges() async { await self.exchange.finish() }
}
