import Base
import Brokers
import OpenIDConnect
import Synchronization
import Traces

/// Polls a broker for the logins that no browser redirect ends: at the interval of the transaction, or when the user
/// returns.
final class BrokerPolling: Sendable {
    /// How long a process that stops waits for the response to a poll, and to the end of a transaction.
    static let lastResponseTime = Duration.seconds(2)

    private let repository: LoginRepository
    private let acceptance: CallbackAcceptance
    private let exchange: CodeExchange
    private let waiters: WaiterRegistry
    let runningTasks = RunningTasks()

    init(
        _ repository: LoginRepository, _ acceptance: CallbackAcceptance, _ exchange: CodeExchange,
        _ waiters: WaiterRegistry
    ) {
        self.repository = repository
        self.acceptance = acceptance
        self.exchange = exchange
        self.waiters = waiters
    }

    /// Polls for the backchannel transaction of an attempt, if it has one, until the transaction ends. Runs in its own
    /// task.
    func startPolling(_ newAttempt: AuthorizationAttemptFactory.NewAttempt, of login: LoginSnapshot) {
        guard let transaction = newAttempt.authorizationStart.transaction else { return }
        self.startPolling(transaction, of: newAttempt.attempt.id, login)
    }

    /// Starts to poll. Returns false if this process already polls for the attempt, or if the broker is not configured.
    @discardableResult
    func startPolling(_ transaction: BackchannelTransaction, of attempt: [UInt8], _ login: LoginSnapshot) -> Bool {
        guard let broker = login.broker else { return false }
        let target = PolledTransaction(transaction: transaction, attempt: attempt, login: login.id, broker: broker)
        let work = WorkContext.part("poll_broker", of: login.id)
        return self.runningTasks.start(for: attempt) {
            await FetchContext.$current.withValue(FetchContext(caller: attempt)) {
                await work.run { await self.poll(target) }
            }
        }
    }

    /// Stops all polling, so that another process can continue. The last responses of the broker may each take
    /// `lastResponseTime`.
    func stop() async { await self.runningTasks.stop() }

    /// Returns when all polling has ended on its own.
    func finish() async { await self.runningTasks.finish() }

    /// A backchannel transaction with its attempt, login and broker.
    private struct PolledTransaction {
        let transaction: BackchannelTransaction
        let attempt: [UInt8]
        let login: LoginID
        let broker: any Broker
    }

    private enum Step {
        case proceed
        case slowDown
        case finished
    }

    /// Polls until the transaction has ended, or until the process stops and leaves it to the next one.
    private func poll(_ target: PolledTransaction) async {
        await self.pollRepeatedly(target)
        let isOver = Task.isCancelled ? await self.release(target) : true
        if isOver { await self.end(target) }
    }

    /// Returns when the transaction has ended or the task is cancelled.
    private func pollRepeatedly(_ target: PolledTransaction) async {
        var pace = BackchannelPollPace(target.transaction)
        var waitTime = Duration.zero
        while !Task.isCancelled {
            let (wakeUps, wake) = AsyncStream.makeStream(of: Void.self)
            let token = self.waiters.add(for: target.login) { _ in wake.finish() }
            defer { self.waiters.remove(token) }
            guard let snapshot = await self.loadPending(target) else { return }
            pace.note(returns: snapshot.login.returns)
            let pause = min(pace.pause - waitTime, target.transaction.until - self.repository.now())
            // Never longer than the renewal interval, because the lease must be renewed in between.
            if await wakeUps.waitForEnd(within: min(pause, Login.renewal)) {
                waitTime = .zero
                continue
            }
            waitTime += Login.renewal
            guard !Task.isCancelled, self.repository.now() < target.transaction.until, pause <= Login.renewal else {
                continue
            }
            waitTime = .zero
            switch await self.pollOnce(target, snapshot) {
            case .proceed: pace.countPoll()
            case .slowDown: pace.slowDown()
            case .finished: return
            }
        }
    }

    /// Gives up the lease of a transaction that continues, so that the next process need not wait for it to expire.
    /// Returns whether the transaction has ended.
    private func release(_ target: PolledTransaction) async -> Bool {
        do throws(LoginFlowError) {
            let change = try await self.repository.change(target.login) { login, _ in
                guard login.awaits(target.attempt) else { return true }
                login.renewPollLease(target.attempt, until: self.repository.now())
                return false
            }
            return change?.action ?? true
        } catch {
            return false
        }
    }

    /// Returns the login while it waits for this transaction, and nil afterwards. Retries while the store does not
    /// respond.
    private func loadPending(_ target: PolledTransaction) async -> LoginSnapshot? {
        let isLate = self.repository.now() >= target.transaction.until
        while !Task.isCancelled {
            do throws(LoginFlowError) {
                let change = try await self.repository.change(target.login) { login, _ in
                    let now = self.repository.now()
                    if isLate { login.fail(.timeout, of: target.attempt, at: now) }
                    login.renewPollLeaseIfNeeded(target.attempt, at: now)
                }
                guard let change, change.login.awaits(target.attempt) else { return nil }
                return change.snapshot
            } catch {
                try? await Task.sleep(for: .seconds(1))
            }
        }
        return nil
    }

    private func pollOnce(_ target: PolledTransaction, _ snapshot: LoginSnapshot) async -> Step {
        do throws(BrokerError) {
            switch try await self.fetchProgress(of: target) {
            case .pending(let hint):
                guard let hint else { return .proceed }
                _ = try? await self.repository.change(snapshot, confirms: true) { login, _ in
                    login.note(hint, of: target.attempt)
                }
                return .proceed
            case .slowDown:
                return .slowDown
            case .response(let parameters):
                return await self.accept(parameters, of: target, snapshot)
            case .tokenResponse(let answer):
                return await self.accept(answer, of: target, snapshot)
            }
        } catch {
            // The broker may be reachable again before the transaction ends.
            guard !error.isUnreachable else { return .proceed }
            await self.fail(target, snapshot, error)
            return .finished
        }
    }

    /// Asks the broker. When the process stops, a request that waits in our own queue is cancelled. One that was sent gets
    /// `lastResponseTime` more: its response may be a token response, which the broker gives only once.
    private func fetchProgress(of target: PolledTransaction) async throws(BrokerError) -> BackchannelProgress {
        let sending = PollSending()
        let request = Task {
            await FetchContext.$current.withValue(FetchContext(caller: target.attempt, observer: sending)) {
                () async -> Result<BackchannelProgress, BrokerError> in
                do throws(BrokerError) {
                    return .success(try await target.broker.fetchProgress(of: target.transaction))
                } catch {
                    return .failure(error)
                }
            }
        }
        return try await self.value(of: request) { !sending.cancel() }.get()
    }

    /// Returns the value of a request. When the process stops, the request ends: after `lastResponseTime` if it is out.
    private func value<Value: Sendable>(
        of request: Task<Value, Never>, isOut: @escaping @Sendable () -> Bool = { true }
    ) async -> Value {
        await withTaskCancellationHandler {
            await request.value
        } onCancel: {
            let isOut = isOut()
            Task {
                if isOut { try? await Task.sleep(for: Self.lastResponseTime) }
                request.cancel()
            }
        }
    }

    /// Takes the authorization response as if a browser had delivered it.
    private func accept(_ parameters: Broker.Parameters, of target: PolledTransaction, _ snapshot: LoginSnapshot) async
        -> Step
    {
        guard let state = try? self.acceptance.state(in: parameters, of: target.broker),
            state.token.login == target.login, state.token.attempt == target.attempt
        else {
            await self.fail(target, snapshot, BrokerError(.invalidResponse, .authorizationResponse(.state)))
            return .finished
        }
        let response = CallbackAcceptance.ReceivedResponse(state: state, parameters: parameters, broker: target.broker)
        do throws(LoginFlowError) {
            _ = try await self.acceptance.accept(response, for: snapshot)
            return .finished
        } catch {
            // The store did not respond, so we ask the broker for the same response again.
            return .proceed
        }
    }

    /// Takes the token response. The broker gives it only once, so we store it before anything else.
    private func accept(_ answer: BrokerAnswer, of target: PolledTransaction, _ snapshot: LoginSnapshot) async -> Step {
        let provider = snapshot.provider?.provider
        let keptBytes = provider.map { target.broker.retained(answer, for: $0) } ?? answer.bytes
        repeat {
            do throws(LoginFlowError) {
                let change = try await self.repository.change(
                    snapshot, confirms: true, emitting: { $0.map { _ in .callback(denied: nil) } }
                ) { login, key -> Login.Exchange? in
                    let sealed = InFlightSeal(login.id, under: key).seal(.answer, of: target.attempt, keptBytes.exposed)
                    let landing = AuthorizationResult.landed.trace(of: login.id, key)
                    return login.acceptTokenResponse(
                        sealed, to: target.attempt, landing: landing, by: self.repository.processName,
                        at: self.repository.now())
                }
                guard let change, let exchange = change.action else { return .finished }
                self.exchange.start(exchange, of: change.snapshot, with: target.broker, polled: answer)
                return .finished
            } catch {
                try? await Task.sleep(for: .seconds(1))
            }
        } while !Task.isCancelled
        return .finished
    }

    private func fail(_ target: PolledTransaction, _ snapshot: LoginSnapshot, _ failure: BrokerError) async {
        let change = try? await self.repository.change(snapshot, confirms: true, because: failure) { login, _ in
            login.fail(failure.reason, of: target.attempt, at: self.repository.now())
        }
        self.repository.emit(.exchangeFailed(failure), of: change?.snapshot)
    }

    /// Tells the broker if the transaction had no result: the broker may block the user's number until then.
    private func end(_ target: PolledTransaction) async {
        let snapshot = try? await self.repository.read(target.login)
        guard snapshot?.login.acceptedResponse?.attempt != target.attempt else { return }
        await self.value(of: Task { await target.broker.abandon(target.transaction) })
    }
}

/// Whether one poll was sent.
private final class PollSending: QueueObserver {
    private enum Phase {
        case ahead
        case sent
        case cancelled
    }

    private let phase = Mutex(Phase.ahead)

    func waits(_ delivery: ProviderRequest.Delivery) {}

    func maySend() async -> Bool {
        self.phase.withLock { phase in
            guard phase != .cancelled else { return false }
            phase = .sent
            return true
        }
    }

    /// Returns false if it was sent.
    func cancel() -> Bool {
        self.phase.withLock { phase in
            guard phase != .sent else { return false }
            phase = .cancelled
            return true
        }
    }
}
