import Brokers
import OpenIDConnect
import Synchronization
import TestSupport
import Testing

@testable import Logins

/// A second process on the store of a killed process: it resumes the unfinished work, and does so only once.
@Suite struct RecoveryTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var answered = false
        var redeeming = LeftLogins.Redeeming.works
        /// The memory store rounds up: at second 18 it finds what was due at second 17.
        var seconds = 18
        let requests: Int
        let status: LoginStatus
        var reason: Reason?
    }

    @Test(arguments: [
        Row(testDescription: "before the lease has passed", seconds: 16, requests: 0, status: .exchanging),
        Row(testDescription: "with the code", requests: 1, status: .completed),
        Row(testDescription: "from the stored answer", answered: true, requests: 0, status: .completed),
        Row(
            testDescription: "long after, from the answer", answered: true, seconds: 500, requests: 0,
            status: .completed),
        Row(testDescription: "too late", seconds: 90, requests: 0, status: .failed, reason: .interrupted),
        Row(
            testDescription: "invalid_grant, because it was redeemed before",
            redeeming: .fails(BrokerError(.refused, .oauth(ErrorWord("invalid_grant")))), requests: 1, status: .failed,
            reason: .interrupted),
        Row(
            testDescription: "a broker that is away",
            redeeming: .fails(BrokerError(.unavailable, .unanswered(.token, .unreachable("")))),
            requests: 1, status: .failed, reason: .brokerUnavailable),
        Row(
            testDescription: "the code was sent before, so a closed connection ends it",
            redeeming: .fails(BrokerError(.hungUp, .unanswered(.token, .closed("")))), requests: 1, status: .failed,
            reason: .interrupted),
        Row(testDescription: "after a day without a server", seconds: 90_000, requests: 0, status: .expired),
    ]) func `an exchange that a killed process left is finished`(_ row: Row) async throws {
        let left = LeftLogins(row.redeeming)
        try await left.leaveExchange(answered: row.answered)
        left.clock.withLock { $0 = Example.after(row.seconds) }
        let flow = try left.process()
        _ = try await flow.sweep()
        await flow.finish()
        guard row.status != .expired else {
            // The sweep has also applied everything that was due later.
            #expect(try await left.stored()?.status == nil)
            return
        }
        let login = try #require(try await left.stored())
        #expect(login.status == row.status && login.reason == row.reason)
        #expect(left.broker.redeemed.load(ordering: .relaxed) == row.requests)
        if row.reason != nil { #expect(login.reason?.retryable == true) }
        if login.isOpen { #expect(login.due > Example.after(row.seconds), "or the sweep would remove it") }
    }

    /// A store that only one process can use knows that the holder is dead, so the lease need not run out.
    @Test(arguments: [false, true]) func `a store of one process frees its exchanges at once`(answered: Bool)
        async throws
    {
        let store = CountingStore()
        let left = LeftLogins(in: store)
        try await left.leaveExchange(answered: answered)
        let row = try #require(try await store.load(left.secret.loginID))
        store.abandoned.withLock { $0 = AbandonedLogins([row], leftBy: nil) }
        left.clock.withLock { $0 = Example.after(3) }
        let flow = try left.process()
        try await flow.takeOver()
        await flow.finish()
        #expect(try await left.stored()?.status == .completed)
        #expect(left.broker.redeemed.load(ordering: .relaxed) == (answered ? 0 : 1))
        #expect(left.steps().filter { $0 == "taken_over" }.count == 1)
        try await flow.takeOver()
        #expect(left.steps().filter { $0 == "taken_over" }.count == 1, "once")
    }

    struct LostRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var lost: Set<String> = [LeftLogins.holder]
        var redeeming = LeftLogins.Redeeming.works
        /// Whether the first holder, which lives after all, writes its success in the end.
        var succeeds = false
        /// The status right after the takeover, and the one after the lease of the first holder.
        let status: LoginStatus
        let end: LoginStatus
        var requests = 1
    }

    /// The holder has lost its sessions with the store. It has probably ended, but not certainly.
    @Test(arguments: [
        LostRow(testDescription: "the code is good once more", status: .completed, end: .completed),
        LostRow(
            testDescription: "another process is lost", lost: ["another"], status: .exchanging, end: .exchanging,
            requests: 0),
        LostRow(
            testDescription: "the code was redeemed, so the failure waits for the lease",
            redeeming: .fails(BrokerError(.refused, .oauth(ErrorWord("invalid_grant")))), status: .exchanging,
            end: .failed),
        LostRow(
            testDescription: "the broker is away",
            redeeming: .fails(BrokerError(.unavailable, .unanswered(.token, .unreachable("")))),
            status: .exchanging, end: .failed),
        LostRow(
            testDescription: "the code was redeemed, and the holder lives and succeeds",
            redeeming: .fails(BrokerError(.refused, .oauth(ErrorWord("invalid_grant")))), succeeds: true,
            status: .exchanging,
            end: .completed),
    ]) func `a shared store frees the exchanges of lost processes at once`(_ row: LostRow) async throws {
        let store = CountingStore()
        let left = LeftLogins(row.redeeming, in: store)
        try await left.leaveExchange()
        let stored = try #require(try await store.load(left.secret.loginID))
        store.abandoned.withLock { $0 = AbandonedLogins([stored], leftBy: row.lost) }
        left.clock.withLock { $0 = Example.after(3) }
        let (flow, first) = (try left.process(), try left.process())
        try await flow.takeOver()
        if row.status == .completed { await flow.finish() }
        #expect(try await eventually { left.broker.redeemed.load(ordering: .relaxed) >= row.requests })
        #expect(try await left.stored()?.status == row.status)
        if row.succeeds {
            _ = try await first.repository.change(left.secret.loginID) { login, _ in
                login.settle(Example.outcome, at: Example.after(4), timeout: Example.returnTimeout)
            }
        }
        left.clock.withLock { $0 = Example.after(18) }
        await flow.exchange.finish()
        #expect(try await left.stored()?.status == row.end)
        #expect(left.broker.redeemed.load(ordering: .relaxed) == row.requests)
    }

    /// A process that stops does not wait for the lease. The next one decides.
    @Test func `a process that stops leaves the failure to the next`() async throws {
        let store = CountingStore()
        let left = LeftLogins(.fails(BrokerError(.refused, .oauth(ErrorWord("invalid_grant")))), in: store)
        try await left.leaveExchange()
        let stored = try #require(try await store.load(left.secret.loginID))
        store.abandoned.withLock { $0 = AbandonedLogins([stored], leftBy: [LeftLogins.holder]) }
        left.clock.withLock { $0 = Example.after(3) }
        let flow = try left.process()
        try await flow.takeOver()
        await flow.finish()
        let login = try #require(try await left.stored())
        guard case .exchanging(let exchange) = login.state else {
            #expect(Bool(false), "it is \(login.state)")
            return
        }
        #expect(exchange.holder == store.processName && exchange.tries == 2)
        left.clock.withLock { $0 = Example.after(19) }
        _ = try await left.process().sweep()
        #expect(try await left.stored()?.reason == .interrupted)
    }

    /// The browser was faster than the start: its callback has begun the exchange in this process.
    @Test func `an exchange that this process has begun stays its own`() async throws {
        let store = CountingStore()
        let left = LeftLogins(in: store)
        try await left.leaveExchange()
        let row = try #require(try await store.load(left.secret.loginID))
        store.abandoned.withLock { $0 = AbandonedLogins([row], leftBy: nil) }
        let flow = try left.process()
        _ = try await flow.sweep()
        try await flow.takeOver()
        await flow.finish()
        #expect(left.steps().filter { $0 == "taken_over" }.count == 1)
        #expect(left.broker.redeemed.load(ordering: .relaxed) == 1)
        #expect(try await left.stored()?.status == .completed)
    }

    /// A holder that loses its lease while it prepares does not send the code.
    @Test func `a holder that has lost its lease sends nothing`() async throws {
        let left = LeftLogins()
        try await left.leaveExchange()
        let (slow, fast) = (try left.process(), try left.process())
        left.broker.meanwhile.withLock {
            $0 = {
                left.clock.withLock { $0 = Example.after(34) }
                _ = try? await fast.sweep()
                await fast.finish()
            }
        }
        _ = try await slow.sweep()
        await slow.finish()
        #expect(try await left.stored()?.status == .completed)
        #expect(left.broker.redeemed.load(ordering: .relaxed) == 1)
        #expect(left.steps().filter { $0 == "taken_over" }.count == 2)
    }

    @Test func `of many processes, one resumes the exchange`() async throws {
        let left = LeftLogins()
        try await left.leaveExchange()
        let flows = try (0..<8).map { _ in try left.process() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for flow in flows { group.addTask { _ = try await flow.sweep() } }
            try await group.waitForAll()
        }
        for flow in flows { await flow.finish() }
        #expect(left.steps().filter { $0 == "taken_over" }.count == 1)
        #expect(left.broker.redeemed.load(ordering: .relaxed) == 1)
        #expect(try await left.stored()?.status == .completed)
    }

    /// The store was unavailable for longer than a code is valid, and the holder with the token response is about to
    /// write it.
    @Test func `an exchange at which this process works is left to it`() async throws {
        let left = LeftLogins()
        try await left.leaveExchange()
        left.clock.withLock { $0 = Example.after(300) }
        let flow = try left.process()
        let (written, write) = AsyncStream.makeStream(of: Void.self)
        #expect(flow.exchange.runningTasks.start(for: Array(Example.hash(3).prefix(16))) { for await _ in written {} })
        _ = try await flow.sweep()
        #expect(try await left.stored()?.status == .exchanging)
        #expect(left.steps() == [])
        // The next holder does not send the code again either.
        write.finish()
        await flow.exchange.finish()
        left.clock.withLock { $0 = Example.after(316) }
        _ = try await flow.sweep()
        #expect(try await left.stored()?.reason == .interrupted)
        #expect(left.broker.redeemed.load(ordering: .relaxed) == 0)
    }

    @Test func `a backchannel transaction is polled on`() async throws {
        let left = LeftLogins()
        try await left.leaveTrip()
        let flow = try left.process()
        _ = try await flow.sweep()
        // The polling task asks, gets the response and hands over to an exchange. Each task ends on its own.
        await flow.polling.finish()
        await flow.exchange.finish()
        #expect(left.broker.asked.load(ordering: .relaxed) == 1)
        #expect(left.broker.redeemed.load(ordering: .relaxed) == 0, "the answer came by itself")
        #expect(try await left.stored()?.status == .completed)
        #expect(left.steps().first == "taken_over")
    }
}
