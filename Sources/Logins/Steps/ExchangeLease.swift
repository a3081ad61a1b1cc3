import Base
import OpenIDConnect
import Synchronization

/// Keeps the lease of one code exchange, as long as this process works on it.
///
/// An exchange whose requests all go out at once ends before its lease: its requests may take `exchangeDeadline` in all
/// (10 s), and the lease lasts 15 s. As soon as one of them has to wait in our own queue, the lease is renewed until
/// the exchange ends, so no other process takes it from a holder that lives and reaches the store.
///
/// The first try of a code is stored together with the callback. If the code has to wait, the row says that it was not
/// sent, and the try is written when its turn comes. So whoever takes over a code that still waits knows that the
/// broker has never seen it.
final class ExchangeLease: QueueObserver {
    fileprivate enum Phase {
        /// The code was not sent. It does not wait either, or not yet.
        case ahead
        case waiting
        /// The code may be sent now, or there was none to send.
        case sending
        case answered
        /// Nothing more is sent: another process has taken over, or this one stops and leaves it to the next.
        case over
    }

    fileprivate struct State {
        var login: LoginSnapshot
        var phase: Phase
        /// Says in the row that the code waits.
        var holding: Task<Void, Never>?
        var renewal: Task<Void, Never>?
        var hasWaited = false
        var isStopping = false
    }

    private let exchange: Login.Exchange
    private let repository: LoginRepository
    /// When the code must have left the queue.
    private let waitEnd: Timestamp
    private let state: Mutex<State>
    /// Ends the exchange's task while it waits, when the process stops.
    private let cancel: @Sendable () -> Void

    init(
        _ exchange: Login.Exchange, of login: LoginSnapshot, _ repository: LoginRepository,
        cancel: @escaping @Sendable () -> Void
    ) {
        self.exchange = exchange
        self.repository = repository
        self.waitEnd = exchange.acceptedAt + login.configuration.longestWait(of: login.login)
        let phase: Phase = exchange.code.isEmpty || exchange.tokenResponse != nil ? .answered : .ahead
        self.state = Mutex(State(login: login, phase: phase))
        self.cancel = cancel
    }

    /// The login as it was written last.
    var login: LoginSnapshot { self.state.withLock { $0.login } }

    /// Whether this process must not finish the exchange.
    var isOver: Bool { self.state.withLock { $0.phase == .over } }

    /// How long the code may still wait in our own queue.
    var longestWait: Duration { max(.zero, self.waitEnd - self.repository.now()) }

    /// Notes that the token response is here. Further requests use up nothing.
    func noteAnswer() { self.state.withLock { if $0.phase != .over { $0.phase = .answered } } }

    /// Changes the login. Returns nil if the store does not respond, or if there is no such login any more; then the
    /// exchange is over.
    func change<Action>(_ transition: (inout Login) -> Action) async -> Action? {
        do throws(LoginFlowError) {
            let change = try await self.repository.change(self.login) { login, _ in transition(&login) }
            let snapshot = change?.snapshot
            self.state.withLock { state in
                if let snapshot { state.login = snapshot } else { _ = state.lose() }
            }
            return change?.action
        } catch {
            return nil
        }
    }

    /// Renews the lease no longer.
    func end() { self.state.withLock { $0.renewal }?.cancel() }

    // MARK: - In the queue

    func waits(_ delivery: ProviderRequest.Delivery) {
        let mustStop = self.state.withLock { state in
            if state.phase == .ahead, delivery == .atMostOnce {
                state.phase = .waiting
                state.holding = Task.detached { await self.hold() }
            }
            if state.renewal == nil, state.phase != .over { state.renewal = Task.detached { await self.renew() } }
            state.hasWaited = true
            return state.isStopping && state.phase != .sending
        }
        if mustStop { self.handOver() }
    }

    func maySend() async -> Bool {
        let (phase, holding) = self.state.withLock { ($0.phase, $0.holding) }
        switch phase {
        case .over: return false
        // Nothing was sent, for lack of a descriptor.
        case .sending, .answered: return true
        case .ahead where self.exchange.fencingToken == 1:
            return self.state.withLock { $0.begin() }
        case .ahead, .waiting:
            // One write after the other: the first one says that the code was not sent.
            await holding?.value
            return await self.claim()
        }
    }

    /// Writes the try, and waits for the store as long as the code may wait.
    private func claim() async -> Bool {
        var pause = Duration.milliseconds(100)
        while !Task.isCancelled, !self.isOver {
            let isOurs = await self.change { login in
                login.beginTry(fencingToken: self.exchange.fencingToken, at: self.repository.now())
            }
            if let isOurs {
                return self.state.withLock { isOurs ? $0.begin() : $0.lose() }
            }
            guard self.repository.now() < self.waitEnd else { return false }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(1))
        }
        return false
    }

    private func hold() async {
        let isOurs = await self.change { login in
            login.holdCode(fencingToken: self.exchange.fencingToken, at: self.repository.now())
        }
        if isOurs == false { self.state.withLock { _ = $0.lose() } }
    }

    private func renew() async {
        while (try? await Task.sleep(for: Login.renewal)) != nil {
            let isOurs = await self.change { login in
                login.renewLease(fencingToken: self.exchange.fencingToken, at: self.repository.now())
            }
            guard isOurs != false else { return }
        }
    }

    // MARK: - When the process stops

    /// A code that waits, and a later request that had to wait, are left to the next process at once. What was sent is
    /// seen through.
    func prepareToStop() {
        let waits = self.state.withLock { state in
            state.isStopping = true
            return state.phase == .waiting || (state.phase == .answered && state.hasWaited)
        }
        if waits { self.handOver() }
    }

    private func handOver() {
        let isNew = self.state.withLock { state in
            guard state.phase != .over, state.phase != .sending else { return false }
            state.phase = .over
            return true
        }
        guard isNew else { return }
        Task.detached {
            await self.state.withLock { $0.holding }?.value
            _ = await self.change { login in
                login.endLease(fencingToken: self.exchange.fencingToken, at: self.repository.now())
            }
            self.cancel()
        }
    }
}

extension ExchangeLease.State {
    /// Returns false if it is over.
    fileprivate mutating func begin() -> Bool {
        guard self.phase != .over else { return false }
        self.phase = .sending
        return true
    }

    /// Another process has taken over. Returns false.
    fileprivate mutating func lose() -> Bool {
        self.phase = .over
        return false
    }
}
