import Base
import Synchronization

/// A gate in front of the token endpoint. While it is closed it holds requests, so that a test can look at logins
/// during the code exchange.
final class TokenGate: Sendable {
    private struct State {
        var isClosed = false
        var heldActions: [@Sendable () -> Void] = []
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
        let isHeld = self.state.withLock { state in
            if state.isClosed { state.heldActions.append(action) }
            return state.isClosed
        }
        if !isHeld { action() }
    }

    var heldCount: Int { self.state.withLock { $0.heldActions.count } }

    /// Returns when this many requests are held, and throws if they are not within two minutes: a test then fails, and
    /// does not hang.
    func waitUntilHeld(_ count: Int) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while self.heldCount < count {
            guard ContinuousClock.now < end else {
                throw OperatorError("\(self.heldCount) token requests are held after two minutes, and not \(count)")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
