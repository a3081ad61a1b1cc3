/// Exchanges codes for tokens. Exactly one holder redeems a code, and sees it through even if the browser leaves.
import Base
import Brokers
import OpenIDConnect
import Synchronization

final class CodeExchange: Sendable {
    private let repository: LoginRepository
    /// Each task ends by its own deadline, or with its login if the store is unavailable.
    let runningTasks = RunningTasks()
    private let isStopping = Atomic(false)

    init(_ repository: LoginRepository) { self.repository = repository }

    /// Starts the exchange, unless this process already runs it. Without this check, a store that was away for long
    /// could lead to a second exchange beside the first, which alone knows the token response. A failure is not written
    /// before `failingFrom`.
    @discardableResult
    func start(
        _ exchange: Login.Exchange, of login: LoginSnapshot, with broker: any Broker, failingFrom: Timestamp? = nil
    ) -> Bool {
        let turn = FetchContext(caller: FetchContext.current?.caller ?? exchange.attempt)
        return self.runningTasks.start(for: exchange.attempt) {
            await FetchContext.$current.withValue(turn) {
                await self.run(exchange, of: login, with: broker, failingFrom)
            }
        }
    }

    /// Returns whether this process runs the exchange of this login.
    func isRunning(_ login: Login) -> Bool {
        guard case .exchanging(let exchange) = login.state else { return false }
        return self.runningTasks.contains(exchange.attempt)
    }

    /// From now on, the exchanges no longer wait for a store that is unavailable.
    func prepareToStop() { self.isStopping.store(true, ordering: .relaxed) }

    /// Returns when every exchange has ended.
    func finish() async { await self.runningTasks.finish() }

    /// Redeems the code, then stores the identity or the reason for the failure.
    private func run(
        _ exchange: Login.Exchange, of login: LoginSnapshot, with broker: any Broker, _ failingFrom: Timestamp?
    ) async {
        var login = login
        do throws(BrokerError) {
            guard let identity = try await self.identify(exchange, of: &login, with: broker) else { return }
            await self.settle(login, identity)
        } catch {
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
    /// that the store takes does not count. Returns nil if another holder has taken over or if the store does not
    /// respond; another holder then completes the exchange.
    ///
    /// `login` becomes the version that was written last.
    private func identify(
        _ exchange: Login.Exchange, of login: inout LoginSnapshot, with broker: any Broker
    ) async throws(BrokerError) -> Identity? {
        guard let spent = self.startingPoint(in: exchange, login.inFlightSeal),
            let inFlight = login.inFlight(of: exchange.attempt, exchange.inFlight),
            let provider = login.provider?.provider
        else { throw BrokerError(.unavailable, "flight_unreadable") }
        let challenge = inFlight.challenge(state: login.state(of: exchange.attempt))
        var left = login.configuration.settings.exchangeDeadline
        let answer: Secret
        let code: Secret?
        switch spent {
        case .tokenResponse(let known, let given):
            answer = known
            code = given
        case .code(let given):
            if exchange.fencingToken > 1 {
                try await Self.within(&left) { () async throws(BrokerError) in try await broker.prepare() }
                guard await self.claimRetry(exchange, of: &login) else { return nil }
            }
            let response = try await self.redeem(exchange, of: &login, within: &left) { () async throws(BrokerError) in
                try await broker.redeem(code: given, challenge, inFlight.transaction)
            }
            answer = broker.retained(response, for: provider)
            code = given
            await self.storeTokenResponse(answer, of: &login, exchange)
        }
        return try await Self.within(&left) { () async throws(BrokerError) in
            try await broker.identify(answer, code: code, challenge, for: provider, openedAt: exchange.openedAt)
        }
    }

    /// Sends the code. If the broker closes a connection that was open before, it may never have got the code, so we
    /// send it again, once.
    private func redeem(
        _ exchange: Login.Exchange, of login: inout LoginSnapshot, within left: inout Duration,
        _ send: @Sendable () async throws(BrokerError) -> Secret
    ) async throws(BrokerError) -> Secret {
        do { return try await Self.within(&left, send) } catch {
            guard error.kind == .hungUp, await self.claimRetry(exchange, of: &login) else { throw error }
            return try await Self.within(&left, send)
        }
    }

    /// Runs `work`, whose requests may take the time that is left, and subtracts the time it took. Time that a request
    /// waits in our own queue does not count.
    private static func within<Value: Sendable>(
        _ left: inout Duration, _ work: @Sendable () async throws(BrokerError) -> Value
    ) async throws(BrokerError) -> Value {
        let context = FetchContext(caller: FetchContext.current?.caller ?? [], limit: left)
        let result = await FetchContext.$current.withValue(context) { () async -> Result<Value, BrokerError> in
            do throws(BrokerError) { return .success(try await work()) } catch { return .failure(error) }
        }
        left -= context.spent
        if case .failure(let error) = result, error.kind == .unavailable, left <= .zero {
            throw BrokerError(.unavailable, "exchange_deadline")
        }
        return try result.get()
    }

    /// The first try was stored together with the callback. We store a later try right before its request. A process
    /// that is killed in between leaves a code that must not be sent again. Returns false if the code may not be sent
    /// again, or if another holder has taken over.
    private func claimRetry(_ exchange: Login.Exchange, of login: inout LoginSnapshot) async -> Bool {
        let changed = try? await self.repository.change(login) { login, _ in
            login.retry(fencingToken: exchange.fencingToken)
        }
        guard let changed else { return false }
        login = changed.snapshot
        return changed.action
    }

    /// The input of an exchange.
    private enum StartingPoint {
        case code(Secret)
        /// The token response: from a backchannel transaction without a code, or from an earlier holder that redeemed
        /// the code.
        case tokenResponse(Secret, code: Secret?)
    }

    /// Returns nil if it does not decrypt.
    private func startingPoint(in exchange: Login.Exchange, _ seal: InFlightSeal) -> StartingPoint? {
        var code: Secret?
        if !exchange.code.isEmpty {
            guard let opened = seal.open(.code, of: exchange.attempt, exchange.code) else { return nil }
            code = Secret(opened)
        }
        guard let answer = exchange.tokenResponse else { return code.map { .code($0) } }
        return seal.open(.answer, of: exchange.attempt, answer).map { .tokenResponse(Secret($0), code: code) }
    }

    /// Stores the token response before any other request, because the code cannot be used again.
    private func storeTokenResponse(_ answer: Secret, of login: inout LoginSnapshot, _ exchange: Login.Exchange) async {
        let sealed = login.inFlightSeal.seal(.answer, of: exchange.attempt, answer.exposed)
        let changed = try? await self.repository.change(login) { login, _ in
            login.keepTokenResponse(sealed, fencingToken: exchange.fencingToken)
        }
        if let changed { login = changed.snapshot }
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
                SealedOutcome(sealed: sealed, proof: proof, keepUntil: keepUntil), at: self.repository.now())
        }
    }

    /// Returns the login to `pending`, because the response was for another login. It continues as if the response had
    /// not arrived.
    private func revert(_ exchange: Login.Exchange, of login: LoginSnapshot, _ failure: BrokerError) async {
        let changed = await self.changePersistently(on: login) { login, _ in
            login.revertExchange(fencingToken: exchange.fencingToken)
        }
        guard let changed else { return }
        self.repository.emit(.callbackIgnored(.foreign(failure.detail)), of: changed.snapshot)
    }

    private func fail(_ login: LoginSnapshot, _ failure: BrokerError, _ reason: Reason, fencingToken: Int) async {
        let changed = await self.changePersistently(on: login) { login, _ in
            login.fail(reason, fencingToken: fencingToken, at: self.repository.now())
        }
        guard let changed else { return }
        self.repository.emit(.exchangeFailed(failure), of: changed.snapshot)
    }

    /// Retries the write until it succeeds, the login's time is over or the process stops. The code is used up, and
    /// only this process knows the result. While the store is unavailable we probe it instead, because a probe logs
    /// nothing.
    private func changePersistently<Action>(
        on snapshot: LoginSnapshot, _ transition: (inout Login, ServerKey) -> Action
    ) async -> LoginRepository.ChangeResult<Action>? {
        var pause = Duration.milliseconds(100)
        while true {
            do throws(LoginFlowError) {
                return try await self.repository.change(snapshot, confirms: true, transition)
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
