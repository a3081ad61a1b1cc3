import Base
import Brokers
import OpenIDConnect

/// Polls a broker for the logins that no browser redirect ends: at the interval of the transaction, or when the user
/// returns.
final class BrokerPolling: Sendable {
    private let repository: LoginRepository
    private let acceptance: CallbackAcceptance
    private let exchange: CodeExchange
    private let waiters: WaiterRegistry
    private let runningTasks = RunningTasks()

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
    func startPolling(_ made: AuthorizationAttemptFactory.NewAttempt, of login: LoginSnapshot) {
        guard let transaction = made.authorizationStart.transaction else { return }
        self.startPolling(transaction, of: made.attempt.id, login)
    }

    /// Starts to poll. Returns false if this process already polls for the attempt, or if the broker is not configured.
    @discardableResult
    func startPolling(_ transaction: BackchannelTransaction, of attempt: [UInt8], _ login: LoginSnapshot) -> Bool {
        guard let broker = login.broker else { return false }
        let polled = PolledTransaction(transaction: transaction, attempt: attempt, login: login.id, broker: broker)
        return self.runningTasks.start(for: attempt) {
            await FetchContext.$current.withValue(FetchContext(caller: attempt)) { await self.poll(polled) }
        }
    }

    /// Stops all polling, so that another process can continue at once.
    func stop() async {
        self.runningTasks.cancel()
        await self.runningTasks.finish()
    }

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

    private func poll(_ polled: PolledTransaction) async {
        var pace = BackchannelPollPace(polled.transaction)
        var waited = Duration.zero
        while !Task.isCancelled {
            let (wakeUps, wake) = AsyncStream.makeStream(of: Void.self)
            let token = self.waiters.add(for: polled.login) { _ in wake.finish() }
            defer { self.waiters.remove(token) }
            guard let known = await self.loadPending(polled) else { return await self.end(polled) }
            pace.note(returns: known.login.returns)
            let pause = min(pace.pause - waited, polled.transaction.until - self.repository.now())
            // Never longer than the renewal interval, because the lease must be renewed in between.
            if await wakeUps.waitForEnd(within: min(pause, Login.renewal)) {
                waited = .zero
                continue
            }
            waited += Login.renewal
            guard !Task.isCancelled, self.repository.now() < polled.transaction.until, pause <= Login.renewal else {
                continue
            }
            waited = .zero
            switch await self.pollOnce(polled, known) {
            case .proceed: pace.countPoll()
            case .slowDown: pace.slowDown()
            case .finished: return await self.end(polled)
            }
        }
        // The transaction continues. Giving up the lease here lets the next process continue without waiting for it to
        // expire.
        _ = try? await self.repository.change(polled.login) { login, _ in
            login.renewPollLease(polled.attempt, until: self.repository.now())
        }
    }

    /// Returns the login while it waits for this transaction, and nil afterwards. Retries while the store does not
    /// respond.
    private func loadPending(_ polled: PolledTransaction) async -> LoginSnapshot? {
        let isLate = self.repository.now() >= polled.transaction.until
        while !Task.isCancelled {
            do throws(LoginFlowError) {
                let found = try await self.repository.change(polled.login) { login, _ in
                    let now = self.repository.now()
                    if isLate { login.fail(.timeout, of: polled.attempt, at: now) }
                    login.renewPollLeaseIfNeeded(polled.attempt, at: now)
                }
                guard let found, found.login.awaits(polled.attempt) else { return nil }
                return found.snapshot
            } catch {
                try? await Task.sleep(for: .seconds(1))
            }
        }
        return nil
    }

    private func pollOnce(_ polled: PolledTransaction, _ known: LoginSnapshot) async -> Step {
        do throws(BrokerError) {
            switch try await polled.broker.fetchProgress(of: polled.transaction) {
            case .pending(let hint):
                guard let hint else { return .proceed }
                _ = try? await self.repository.change(known, confirms: true) { login, _ in
                    login.note(hint, of: polled.attempt)
                }
                return .proceed
            case .slowDown:
                return .slowDown
            case .response(let parameters):
                return await self.accept(parameters, of: polled, known)
            case .tokenResponse(let answer):
                return await self.accept(answer, of: polled, known)
            }
        } catch {
            // The broker may be reachable again before the transaction ends.
            guard !error.isUnreachable else { return .proceed }
            await self.fail(polled, known, error)
            return .finished
        }
    }

    /// Takes the authorization response as if a browser had brought it.
    private func accept(_ parameters: Broker.Parameters, of polled: PolledTransaction, _ known: LoginSnapshot) async
        -> Step
    {
        guard let state = try? self.acceptance.state(in: parameters, of: polled.broker),
            state.token.login == polled.login, state.token.attempt == polled.attempt
        else {
            await self.fail(polled, known, BrokerError(.invalidResponse, "response_state"))
            return .finished
        }
        let response = CallbackAcceptance.Response(state: state, parameters: parameters, broker: polled.broker)
        do throws(LoginFlowError) {
            _ = try await self.acceptance.accept(response, for: known)
            return .finished
        } catch {
            // The store did not respond, so we ask the broker for the same response again.
            return .proceed
        }
    }

    /// Takes the token response. The broker gives it only once, so we store it before anything else.
    private func accept(_ answer: Secret, of polled: PolledTransaction, _ known: LoginSnapshot) async -> Step {
        let provider = known.provider?.provider
        let answer = provider.map { polled.broker.retained(answer, for: $0) } ?? answer
        while !Task.isCancelled {
            do throws(LoginFlowError) {
                let changed = try await self.repository.change(
                    known, confirms: true, emitting: { $0.map { _ in .callback(denied: nil) } }
                ) { login, key -> Login.Exchange? in
                    let sealed = InFlightSeal(login.id, under: key).seal(.answer, of: polled.attempt, answer.exposed)
                    let landing = AuthorizationResult.landed.trace(of: login.id, key)
                    return login.acceptTokenResponse(
                        sealed, to: polled.attempt, landing: landing, by: self.repository.processName,
                        at: self.repository.now())
                }
                guard let changed, let exchange = changed.action else { return .finished }
                self.exchange.start(exchange, of: changed.snapshot, with: polled.broker)
                return .finished
            } catch {
                try? await Task.sleep(for: .seconds(1))
            }
        }
        return .finished
    }

    private func fail(_ polled: PolledTransaction, _ known: LoginSnapshot, _ failure: BrokerError) async {
        let changed = try? await self.repository.change(known, confirms: true, because: failure) { login, _ in
            login.fail(failure.reason, of: polled.attempt, at: self.repository.now())
        }
        self.repository.emit(.exchangeFailed(failure), of: changed?.snapshot)
    }

    /// Tells the broker if the transaction had no result: the broker may block the user's number until then.
    private func end(_ polled: PolledTransaction) async {
        // The process is stopping, but another process continues the transaction.
        guard !Task.isCancelled else { return }
        let found = try? await self.repository.read(polled.login)
        guard found?.login.acceptedResponse?.attempt != polled.attempt else { return }
        await polled.broker.abandon(polled.transaction)
    }
}
