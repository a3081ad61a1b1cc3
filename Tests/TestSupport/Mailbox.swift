import Dispatch
import Synchronization

/// Events for a test that waits for them with a generous limit.
package final class Mailbox<Letter: Sendable>: Sendable {
    private struct State {
        var letters: [Letter] = []
        /// Several tasks may wait. Each looks again when it is woken.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    package func put(_ letter: Letter) {
        self.state.withLock { $0.letters.append(letter) }
        self.wakeAll()
    }

    package var isEmpty: Bool { self.state.withLock { $0.letters.isEmpty } }

    /// Returns the first `count` letters, or those that arrived before `Patience` ends.
    package func take(_ count: Int) async -> [Letter] {
        let end = Patience.end
        while self.state.withLock({ $0.letters.count }) < count, ContinuousClock.now < end { await self.wait() }
        return self.state.withLock { state in
            let taken = Array(state.letters.prefix(count))
            state.letters.removeFirst(taken.count)
            return taken
        }
    }

    package func next() async -> Letter? { await self.take(1).first }

    /// Waits until a letter arrives, at most a tenth of a second.
    private func wait() async {
        let before = self.state.withLock { $0.letters.count }
        await withCheckedContinuation { continuation in
            let now = self.state.withLock { state in
                guard state.letters.count == before else { return true }
                state.waiting.append(continuation)
                return false
            }
            guard !now else { return continuation.resume() }
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { @Sendable in self.wakeAll() }
        }
    }

    private func wakeAll() {
        let waiting = self.state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
