import Synchronization

/// Tells whoever waits that something has happened on a phone.
final class PhoneNews: Sendable {
    private struct State {
        var number = 0
        /// Rises each time that the waiters have to look.
        var turn = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// Whether the time of one waiter is over.
    private final class Lateness: Sendable {
        let isLate = Atomic(false)
    }

    private let state = Mutex(State())
    private let sleep: @Sendable (Duration) async -> Void

    init(sleep: @escaping @Sendable (Duration) async -> Void) { self.sleep = sleep }

    /// Rises with each change that a page of the phone may show.
    var number: Int { self.state.withLock { $0.number } }

    /// There is something new to show.
    func tell() { self.wake { $0.number += 1 } }

    /// The waiters look again, and pages have nothing new.
    func stir() { self.wake { _ in } }

    private func wake(_ change: (inout State) -> Void) {
        let waiters = self.state.withLock { state in
            change(&state)
            state.turn += 1
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the condition holds, and after this time at the latest.
    func wait(atMost duration: Duration, until holds: @Sendable () -> Bool) async {
        let lateness = Lateness()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await self.sleep(duration)
                lateness.isLate.store(true, ordering: .relaxed)
                self.stir()
            }
            while true {
                let turn = self.state.withLock { $0.turn }
                if holds() || lateness.isLate.load(ordering: .relaxed) { break }
                await self.turn(after: turn)
            }
            group.cancelAll()
        }
    }

    private func turn(after seenNumber: Int) async {
        await withCheckedContinuation { continuation in
            let isOver = self.state.withLock { state in
                if state.turn == seenNumber { state.waiters.append(continuation) }
                return state.turn != seenNumber
            }
            if isOver { continuation.resume() }
        }
    }
}
