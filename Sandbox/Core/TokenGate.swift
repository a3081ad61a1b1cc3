import Synchronization

/// A gate in front of the token endpoint. While it is closed it holds requests, so that a test can look at logins
/// during the code exchange.
final class TokenGate: Sendable {
    private struct State {
        var isClosed = false
        var heldActions: [@Sendable () -> Void] = []
        var waiting: [(count: Int, wake: CheckedContinuation<Void, Never>)] = []

        /// Removes and returns the waiters whose count is reached.
        mutating func takeSatisfied() -> [CheckedContinuation<Void, Never>] {
            let count = self.heldActions.count
            let ready = self.waiting.filter { $0.count <= count }
            self.waiting.removeAll { $0.count <= count }
            return ready.map(\.wake)
        }
    }

    private let state = Mutex(State())

    func close() { self.state.withLock { $0.isClosed = true } }

    /// Lets all held requests pass, in the order of their arrival.
    func open() {
        let heldActions = self.state.withLock { state in
            state.isClosed = false
            defer { state.heldActions = [] }
            return state.heldActions
        }
        for pass in heldActions { pass() }
    }

    /// Runs `action` at once, or when the gate opens.
    func pass(_ action: @escaping @Sendable () -> Void) {
        let (isClosed, ready) = self.state.withLock { state in
            guard state.isClosed else { return (false, [CheckedContinuation<Void, Never>]()) }
            state.heldActions.append(action)
            return (true, state.takeSatisfied())
        }
        for wake in ready { wake.resume() }
        if !isClosed { action() }
    }

    var heldCount: Int { self.state.withLock { $0.heldActions.count } }

    /// Returns when this many requests are held.
    func waitUntilHeld(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let ready = self.state.withLock { state in
                state.waiting.append((count, continuation))
                return state.takeSatisfied()
            }
            for wake in ready { wake.resume() }
        }
    }
}
