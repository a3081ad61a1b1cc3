import EventLoop
import Synchronization

/// Waits until no connection is left.
final class DrainSignal: Sendable {
    private struct State {
        var number = 0
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    private let isEmpty: @Sendable () -> Bool
    private let state = Mutex(State())

    init(_ isEmpty: @escaping @Sendable () -> Bool) { self.isEmpty = isEmpty }

    /// Resumes all waiters. Called each time the last connection has closed.
    func signal() {
        let continuations = self.state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in continuations.values { continuation.resume(returning: true) }
    }

    /// Returns false when the time is up first.
    func wait(within limit: Duration, on loop: EventLoop) async -> Bool {
        await withCheckedContinuation { continuation in
            let number = self.state.withLock { state in
                state.number += 1
                state.waiting[state.number] = continuation
                return state.number
            }
            // Check only after the waiter is stored, so that the last connection cannot close in between.
            guard !self.isEmpty() else { return self.end(number, true) }
            loop.execute { loop.schedule(after: limit) { self.end(number, false) } }
        }
    }

    private func end(_ number: Int, _ answer: Bool) {
        self.state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: answer)
    }
}
