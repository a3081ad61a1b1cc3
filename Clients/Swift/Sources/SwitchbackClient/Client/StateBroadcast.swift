import Foundation

/// A state with any number of readers. Each reader begins with the present state, and one that goes away ends nothing.
/// After the end, a new reader gets the last state and the end of its stream.
///
/// What the app has to do, the action, is delivered to the readers that are there. If there are none, it waits for the
/// next reader, and so does one that every reader left behind.
final class StateBroadcast<State: BroadcastState>: Sendable {
    private struct Reader: Sendable {
        var queue: [State] = []
        var waiters: [CheckedContinuation<State?, Never>] = []
    }

    private struct Status: Sendable {
        /// Without its action.
        var present: State?
        /// The last state with an action that no reader has got.
        var pendingAction: State?
        var readers: [Int: Reader] = [:]
        var count = 0
        var isFinished = false
    }

    /// A waiting reader, and what it gets.
    private typealias Delivery = (waiter: CheckedContinuation<State?, Never>, state: State?)

    private let status = Locked(Status())
    private let keepsOnlyLatest: Bool

    /// With `keepsOnlyLatest`, a slow reader skips states.
    init(keepsOnlyLatest: Bool = false) { self.keepsOnlyLatest = keepsOnlyLatest }

    /// The present state, without its action.
    var present: State? { self.status.withLock { $0.present } }

    /// Returns a stream for a new reader.
    func makeStream() -> AsyncStream<State> {
        let subscription = Subscription(self, self.add())
        return AsyncStream {
            await subscription.next()
        } onCancel: {
            subscription.end()
        }
    }

    func publish(_ state: State) {
        let deliveries: [Delivery] = self.status.withLock { status in
            guard !status.isFinished else { return [] }
            status.present = state.withoutAction
            let whole = status.pendingAction.map { state.adding(actionOf: $0) } ?? state
            if whole.hasAction {
                status.pendingAction = status.readers.isEmpty ? whole : nil
            } else if status.pendingAction.map({ state.mayPrecede(actionOf: $0) }) == false {
                status.pendingAction = nil
            }
            return status.readers.keys.compactMap { Self.deliver(whole, to: $0, &status, self.keepsOnlyLatest) }
        }
        for delivery in deliveries { delivery.waiter.resume(returning: delivery.state) }
    }

    /// Ends every stream behind what it has yet to deliver.
    func finish() {
        let waiters: [CheckedContinuation<State?, Never>] = self.status.withLock { status in
            status.isFinished = true
            let waiters = status.readers.values.flatMap(\.waiters)
            for number in status.readers.keys { status.readers[number]?.waiters = [] }
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: nil) }
    }

    private static func deliver(_ state: State, to number: Int, _ status: inout Status, _ keepsOnlyLatest: Bool)
        -> Delivery?
    {
        if let waiter = status.readers[number]?.waiters.first {
            status.readers[number]?.waiters.removeFirst()
            return (waiter, state)
        }
        if keepsOnlyLatest { status.readers[number]?.queue = [] }
        status.readers[number]?.queue.append(state)
        return nil
    }

    private func add() -> Int {
        self.status.withLock { status in
            status.count += 1
            var reader = Reader()
            if let present = status.present {
                let whole = status.pendingAction.map { present.adding(actionOf: $0) } ?? present
                if whole.hasAction { status.pendingAction = nil }
                reader.queue = [whole]
            }
            status.readers[status.count] = reader
            return status.count
        }
    }

    private func next(_ number: Int) async -> State? {
        await withCheckedContinuation { continuation in
            let result: State?? = self.status.withLock { status in
                guard let reader = status.readers[number] else { return .some(nil) }
                guard reader.queue.isEmpty else { return status.readers[number]?.queue.removeFirst() }
                guard !status.isFinished else { return .some(nil) }
                status.readers[number]?.waiters.append(continuation)
                return nil
            }
            if let result { continuation.resume(returning: result) }
        }
    }

    private func remove(_ number: Int) {
        let waiters: [CheckedContinuation<State?, Never>] = self.status.withLock { status in
            guard let reader = status.readers.removeValue(forKey: number) else { return [] }
            // The other readers have it too.
            if status.readers.isEmpty, let unread = reader.queue.last(where: \.hasAction), let present = status.present,
                present.mayPrecede(actionOf: unread)
            {
                status.pendingAction = unread
            }
            return reader.waiters
        }
        for waiter in waiters { waiter.resume(returning: nil) }
    }

    /// One reader, which ends when nobody holds its stream any more.
    private final class Subscription: Sendable {
        private let broadcast: StateBroadcast
        private let number: Int

        init(_ broadcast: StateBroadcast, _ number: Int) { (self.broadcast, self.number) = (broadcast, number) }

        deinit { self.end() }

        func next() async -> State? { await self.broadcast.next(self.number) }

        func end() { self.broadcast.remove(self.number) }
    }
}

/// A state that `StateBroadcast` can deliver. It may have an action, which is delivered once.
protocol BroadcastState: Sendable {
    var hasAction: Bool { get }
    var withoutAction: Self { get }

    /// Returns this state with the action of an earlier one, if it is still the thing to do.
    func adding(actionOf earlier: Self) -> Self

    /// Whether the action of an earlier state may still be the thing to do after this state.
    func mayPrecede(actionOf earlier: Self) -> Bool
}

extension SessionState: BroadcastState {
    var hasAction: Bool { false }
    var withoutAction: SessionState { self }

    func adding(actionOf earlier: SessionState) -> SessionState { self }
    func mayPrecede(actionOf earlier: SessionState) -> Bool { false }
}

extension LoginState: BroadcastState {
    var hasAction: Bool {
        self.action != nil
    }

    /// The same state without the action, which is performed only once.
    var withoutAction: LoginState {
        if case .inProgress(let login, _) = self.value { .inProgress(login, action: nil) } else { self }
    }

    func adding(actionOf earlier: LoginState) -> LoginState {
        guard case .inProgress(let login, nil) = self.value, self.mayPrecede(actionOf: earlier) else { return self }
        return .inProgress(login, action: earlier.action)
    }

    func mayPrecede(actionOf earlier: LoginState) -> Bool {
        guard case .inProgress(let earlierLogin, _?) = earlier.value else { return false }
        switch self.value {
        case .inProgress(let login, _): return login.next.isSame(as: earlierLogin.next)
        case .retrying: return true
        case .starting, .paused, .wrongCode, .finished, .failed: return false
        }
    }
}
