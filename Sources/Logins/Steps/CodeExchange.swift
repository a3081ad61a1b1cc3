import Base
import Brokers
import OpenIDConnect
import Synchronization
import Traces

/// Exchanges codes for tokens. Exactly one holder redeems a code, and sees it through even if the browser leaves.
final class CodeExchange: Sendable {
    private let repository: LoginRepository
    /// Each task ends by its own deadline, or with its login if the store is unavailable.
    let runningTasks = RunningTasks()
    private let leases = Mutex<[[UInt8]: ExchangeLease]>([:])
    private let isStopping = Atomic(false)

    init(_ repository: LoginRepository) { self.repository = repository }

    /// Starts the exchange, unless this process already runs it. Without this check, a store that was away for long
    /// could lead to a second exchange beside the first, which alone knows the token response. A failure is not written
    /// before `failingFrom`. `polled` is the token response of a backchannel transaction, if this process has just read it.
    @discardableResult
    func start(
        _ exchange: Login.Exchange, of login: LoginSnapshot, with broker: any Broker, failingFrom: Timestamp? = nil,
        polled answer: BrokerAnswer? = nil
    ) -> Bool {
        let caller = FetchContext.current?.caller ?? exchange.attempt
        let lease = ExchangeLease(exchange, of: login, self.repository) { [runningTasks] in
            runningTasks.cancel(exchange.attempt)
        }
        let work = WorkContext.part("exchange", of: login.id)
        return self.runningTasks.start(for: exchange.attempt) {
            self.leases.withLock { $0[exchange.attempt] = lease }
            if self.isStopping.load(ordering: .sequentiallyConsistent) { lease.prepareToStop() }
            await FetchContext.$current.withValue(FetchContext(caller: caller)) {
                await work.run { await self.run(exchange, lease, with: broker, failingFrom, polled: answer) }
            }
            lease.end()
            _ = self.leases.withLock { $0.removeValue(forKey: exchange.attempt) }
        }
    }

    /// Returns whether this process runs the exchange of this login.
    func isRunning(_ login: Login) -> Bool {
        guard case .exchanging(let exchange) = login.state else { return false }
        return self.runningTasks.contains(exchange.attempt)
    }

    /// From now on, the exchanges no longer wait for a store that is unavailable, nor for their turn at the broker.
    func prepareToStop() {
        self.isStopping.store(true, ordering: .sequentiallyConsistent)
        for lease in self.leases.withLock({ Array($0.values) }) { lease.prepareToStop() }
    }

    /// Returns when every exchange has ended.
    func finish() async { await self.runningTasks.finish() }

    /// Redeems the code, then stores the identity or the reason for the failure.
    private func run(
        _ exchange: Login.Exchange, _ lease: ExchangeLease, with broker: any Broker, _ failingFrom: Timestamp?,
        polled answer: BrokerAnswer?
    ) async {
        do throws(BrokerError) {
            guard let identity = try await self.identify(exchange, lease, with: broker, polled: answer) else { return }
            await self.settle(lease.login, identity)
        } catch {
            guard !lease.isOver else { return }
            let login = lease.login
            guard error.kind != .foreign else { return await self.revert(exchange, of: login, error) }
            if let failingFrom { guard await self.wait(until: failingFrom) else { return } }
            // The code was sent before and we lost the response, so the broker may refuse it for that reason alone.
            let isOurs = (exchange.fencingToken > 1 || login.login.hasRepeatedCode) && error.kind == .refused
            await self.fail(login, error, isOurs ? .interrupted : error.reason, fencingToken: exchange.fencingToken)
        }
    }

    /// Waits until the lease of a previous holder has run out: it may live without a connection to the store, and its
    /// success would still count. Returns false if the process stops first.
    private func wait(until end: Timestamp) async -> Bool {
        while self.repository.now() < end {
            guard !self.isStopping.load(ordering: .relaxed) else { return false }
            try? await Task.sleep(for: min(end - self.repository.now(), .milliseconds(100)))
        }
        return true
    }

    /// Redeems the code and returns the identity. The deadline limits the total time of the broker's requests; time
    /// that the store takes, and the wait in our own queue, do not count. Returns nil if another holder has taken over or
    /// if the store does not respond; another holder then completes the exchange.
    private func identify(
        _ exchange: Login.Exchange, _ lease: ExchangeLease, with broker: any Broker, polled: BrokerAnswer?
    ) async throws(BrokerError) -> Identity? {
        let login = lease.login
        guard
            let startingPoint = polled.map({ .tokenResponse($0, code: nil) })
                ?? self.startingPoint(in: exchange, login.inFlightSeal),
            let inFlight = login.inFlight(of: exchange.attempt, exchange.inFlight),
            let provider = login.provider?.provider
        else { throw BrokerError(.unavailable, .flightUnreadable) }
        let challenge = inFlight.challenge(state: login.state(of: exchange.attempt))
        var remainingTime = login.configuration.settings.exchangeDeadline
        // A process that stops may have waited for the response to a poll before.
        if self.isStopping.load(ordering: .relaxed) { remainingTime -= BrokerPolling.lastResponseTime }
        let answer: BrokerAnswer
        let code: Secret?
        switch startingPoint {
        case .tokenResponse(let knownResponse, let storedCode):
            answer = knownResponse
            code = storedCode
        case .code(let storedCode):
            // The first try was stored together with the callback, unless the code has to wait; `lease` stores every
            // other one right before its request. Whatever was sent counts as taken: a broker that gets a code twice
            // may revoke what it gave for it (RFC 6749 §4.1.2).
            let response = try await Self.within(&remainingTime, lease, waiting: lease.longestWait) {
                () async throws(BrokerError) in
                try await broker.redeem(code: storedCode, challenge, inFlight.transaction)
            }
            answer = response
            code = storedCode
            lease.noteAnswer()
            await self.storeTokenResponse(broker.retained(response, for: provider), lease, exchange)
        }
        let longestWait = login.configuration.longestWait(of: login.login)
        return try await Self.within(&remainingTime, lease, waiting: longestWait) { () async throws(BrokerError) in
            try await broker.identify(answer, code: code, challenge, for: provider, openedAt: exchange.openedAt)
        }
    }

    /// Runs `work`, whose requests may take the remaining time, and subtracts the time it took. Time that a request
    /// waits in our own queue does not count; each may wait for `longestWait`.
    private static func within<Value: Sendable>(
        _ remainingTime: inout Duration, _ lease: ExchangeLease, waiting longestWait: Duration,
        _ work: @Sendable () async throws(BrokerError) -> Value
    ) async throws(BrokerError) -> Value {
        let context = FetchContext(
            caller: FetchContext.current?.caller ?? [], limit: remainingTime, longestWait: longestWait, observer: lease)
        let result = await FetchContext.$current.withValue(context) { () async -> Result<Value, BrokerError> in
            do throws(BrokerError) { return .success(try await work()) } catch { return .failure(error) }
        }
        remainingTime -= context.usedTime
        if case .failure(let error) = result, error.kind == .unavailable, remainingTime <= .zero {
            throw BrokerError(.unavailable, .exchangeDeadline)
        }
        return try result.get()
    }

    /// The input of an exchange.
    private enum StartingPoint {
        case code(Secret)
        /// The token response: from a backchannel transaction without a code, or from an earlier holder that redeemed
        /// the code.
        case tokenResponse(BrokerAnswer, code: Secret?)
    }

    /// Returns nil if it does not decrypt.
    private func startingPoint(in exchange: Login.Exchange, _ seal: InFlightSeal) -> StartingPoint? {
        var code: Secret?
        if !exchange.code.isEmpty {
            guard let bytes = seal.open(.code, of: exchange.attempt, exchange.code) else { return nil }
            code = Secret(bytes)
        }
        guard let answer = exchange.tokenResponse else { return code.map { .code($0) } }
        return seal.open(.answer, of: exchange.attempt, answer).map {
            .tokenResponse(BrokerAnswer(Secret($0)), code: code)
        }
    }

    /// Stores the token response before any other request, because the code cannot be used again.
    private func storeTokenResponse(_ answer: Secret, _ lease: ExchangeLease, _ exchange: Login.Exchange) async {
        let sealed = lease.login.inFlightSeal.seal(.answer, of: exchange.attempt, answer.exposed)
        _ = await lease.change { login in
            login.keepTokenResponse(sealed, fencingToken: exchange.fencingToken)
        }
    }

    private func settle(_ snapshot: LoginSnapshot, _ identity: Identity) async {
        _ = await self.changePersistently(on: snapshot) { login, key -> Login.SettleAction in
            guard case .exchanging = login.state else { return .drop }
            let keepUntil = login.keepUntil(from: self.repository.now())
            let (status, proof): (LoginStatus, SameDeviceProof) =
                login.proven.map { (.completed, $0) } ?? (.awaitingReturn, .none)
            let header = OutcomeSeal.Header(login: login, status: status, proof: proof, keepUntil: keepUntil)
            let outcomeKey = Secret(key.wrapped(login.wrappedKey, of: login.id))
            let result = LoginResult(identity, nonce: snapshot.options?.nonce)
            let sealed = OutcomeSeal(outcomeKey, header, under: key).seal(result.bytes)
            return login.settle(
                SealedOutcome(sealed: sealed, proof: proof, keepUntil: keepUntil), at: self.repository.now(),
                timeout: snapshot.returnTimeout)
        }
    }

    /// Returns the login to `pending`, because the response was for another login. It continues as if the response had
    /// not arrived.
    private func revert(_ exchange: Login.Exchange, of login: LoginSnapshot, _ failure: BrokerError) async {
        let change = await self.changePersistently(on: login) { login, _ in
            login.revertExchange(fencingToken: exchange.fencingToken)
        }
        guard let change else { return }
        self.repository.emit(.callbackIgnored(.foreign(failure.cause)), of: change.snapshot)
    }

    private func fail(_ login: LoginSnapshot, _ failure: BrokerError, _ reason: Reason, fencingToken: Int) async {
        let change = await self.changePersistently(on: login, because: failure) { login, _ in
            login.fail(reason, fencingToken: fencingToken, at: self.repository.now())
        }
        guard let change else { return }
        self.repository.emit(.exchangeFailed(failure), of: change.snapshot)
    }

    /// Retries the write until it succeeds, the login's time is over or the process stops. The code is used up, and
    /// only this process knows the result. While the store is unavailable we probe it instead, because a probe logs
    /// nothing.
    private func changePersistently<Action>(
        on snapshot: LoginSnapshot, because failure: BrokerError? = nil,
        _ transition: (inout Login, ServerKey) -> Action
    ) async -> LoginRepository.ChangeResult<Action>? {
        var pause = Duration.milliseconds(100)
        while true {
            do throws(LoginFlowError) {
                return try await self.repository.change(snapshot, confirms: true, because: failure, transition)
            } catch {}
            repeat {
                let isOver = self.repository.now() >= snapshot.login.lapsesAt
                guard !isOver, !self.isStopping.load(ordering: .relaxed) else { return nil }
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(1))
            } while !(await self.repository.isStoreReachable())
        }
    }
}
