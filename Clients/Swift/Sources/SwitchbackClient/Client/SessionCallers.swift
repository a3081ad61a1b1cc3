import Foundation

/// The calls of an app that wait for a session.
final class SessionCallers: Sendable {
    private struct State: Sendable {
        var count = 0
        var waiting: [SessionCaller: CheckedContinuation<SessionReducer.Reply, Never>] = [:]
        var isClosed = false
    }

    private let state = Locked(State())

    /// Reports an event for a new caller, and returns its reply. A cancelled caller no longer waits; what it asked for is
    /// done nevertheless.
    func ask(_ report: (SessionCaller) -> Void) async -> SessionReducer.Reply {
        let caller = self.state.withLock { state in
            state.count += 1
            return state.count
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = self.state.withLock { state in
                    if !state.isClosed { state.waiting[caller] = continuation }
                    return !state.isClosed
                }
                guard isOpen else { return continuation.resume(returning: .failed(.cancelled)) }
                report(caller)
                // It may have been cancelled before it waited.
                if Task.isCancelled { self.complete(caller, .failed(.cancelled)) }
            }
        } onCancel: {
            self.complete(caller, .failed(.cancelled))
        }
    }

    func complete(_ caller: SessionCaller, _ reply: SessionReducer.Reply) {
        self.state.withLock { $0.waiting.removeValue(forKey: caller) }?.resume(returning: reply)
    }

    /// Ends all waiting, now and later.
    func close() {
        let continuations = self.state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return state.waiting.values.map(\.self)
        }
        for continuation in continuations { continuation.resume(returning: .failed(.cancelled)) }
    }
}
