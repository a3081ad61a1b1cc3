import Base
import Synchronization
import TestSupport
import Testing

/// Time that passes only when a test lets it pass: sleepers wake in the order of their times.
final class VirtualTime: Sendable {
    private struct State {
        var now = Example.now
        var sleepers: [(until: Timestamp, wake: CheckedContinuation<Void, Never>)] = []
        var begun = 0
        var ended = 0
    }

    private let state = Mutex(State())

    var now: Timestamp { self.state.withLock { $0.now } }

    func sleep(_ duration: Duration) async {
        await withCheckedContinuation { wake in
            self.state.withLock { $0.sleepers.append(($0.now + duration, wake)) }
        }
    }

    /// Starts work that may sleep.
    func start(_ work: @escaping @Sendable () async -> Void) {
        self.state.withLock { $0.begun += 1 }
        Task {
            await work()
            self.state.withLock { $0.ended += 1 }
        }
    }

    /// Returns when all work has ended or sleeps. It is a failure if that does not happen.
    func settle() async {
        let end = Patience.end
        while self.state.withLock({ $0.begun > $0.ended + $0.sleepers.count }) {
            guard ContinuousClock.now < end else {
                Issue.record("work neither ends nor sleeps")
                return
            }
            await Task.yield()
        }
    }

    /// Lets time pass, and then what was waiting for it run.
    func advance(_ duration: Duration) async {
        let due = self.state.withLock { state in
            state.now = state.now + duration
            let due = state.sleepers.filter { $0.until <= state.now }.sorted { $0.until < $1.until }
            state.sleepers.removeAll { $0.until <= state.now }
            return due
        }
        for sleeper in due { sleeper.wake.resume() }
        await self.settle()
    }
}
