import Base
import Brokers
import Synchronization
import TestSupport
import Testing

@testable import Logins

/// A process that stops while it polls a broker: the next process continues at once, and no token response is lost.
@Suite struct PollingStopTests {
    /// A process that finds a transaction whose lease ends in a second.
    private static func leaveTransaction() async throws -> (LeftLogins, LoginFlow, attempt: [UInt8]) {
        let left = LeftLogins()
        try await left.leaveTrip()
        left.clock.withLock { $0 = Example.after(14) }
        let attempt = try #require(try await left.stored()).attempts[0].id
        return (left, try left.process(), attempt)
    }

    /// Polls only after minutes, so that a stop comes first.
    private static let slow = BackchannelTransaction(.launchLinks, [:], interval: nil, until: Example.after(300))

    @Test func `a process that stops releases its transactions at once`() async throws {
        let (left, flow, attempt) = try await Self.leaveTransaction()
        let login = try #require(try await flow.repository.read(left.secret.loginID))
        #expect(flow.polling.startPolling(Self.slow, of: attempt, login))
        #expect(!flow.polling.startPolling(Self.slow, of: attempt, login), "one walk, however often it is found")
        await flow.finish()
        #expect(try await left.stored()?.due == Example.after(14))
        #expect(left.broker.asked.load(ordering: .relaxed) == 0)
    }

    /// The stop comes when the task looks at the clock for the first, the second … time.
    @Test(arguments: 1...8) func `it releases them wherever the stop meets it`(_ number: Int) async throws {
        let (left, flow, attempt) = try await Self.leaveTransaction()
        let login = try #require(try await flow.repository.read(left.secret.loginID))
        let looks = Atomic(0)
        left.atClock.withLock {
            $0 = {
                guard looks.add(1, ordering: .relaxed).newValue == number else { return }
                flow.polling.runningTasks.cancel()
            }
        }
        #expect(flow.polling.startPolling(Self.slow, of: attempt, login))
        #expect(try await eventually { looks.load(ordering: .relaxed) >= number })
        await flow.finish()
        left.atClock.withLock { $0 = nil }
        #expect(try await left.stored()?.due == Example.after(14))
        #expect(left.broker.asked.load(ordering: .relaxed) == 0)
    }

    @Test func `work that begins during a stop is stopped too`() async {
        let tasks = RunningTasks()
        let forever: @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(600)) }
        let isStarted = tasks.start(for: [1]) {
            await forever()
            let isStartedToo = tasks.start(for: [2], forever)
            #expect(isStartedToo)
        }
        #expect(isStarted)
        await tasks.stop()
        #expect(!tasks.contains([1]) && !tasks.contains([2]))
    }

    /// The broker gives a token response only once, so a poll that was sent gets its response.
    @Test(arguments: [false, true]) func `a stop ends a poll that waits, and no other`(_ isSent: Bool) async throws {
        let (left, flow, _) = try await Self.leaveTransaction()
        left.clock.withLock { $0 = Example.after(16) }
        let stop: @Sendable () async -> Void = { flow.polling.runningTasks.cancel() }
        if isSent {
            left.broker.beforeAnswering.withLock { $0 = stop }
        } else {
            left.broker.whileWaiting.withLock { $0 = stop }
        }
        _ = try await flow.sweep()
        await flow.polling.finish()
        await flow.finish()
        #expect(left.broker.asked.load(ordering: .relaxed) == (isSent ? 1 : 0))
        #expect(try await left.stored()?.status == (isSent ? .completed : .pending))
        if !isSent { #expect(try await left.stored()?.due == Example.after(16), "the next process continues") }
    }
}
