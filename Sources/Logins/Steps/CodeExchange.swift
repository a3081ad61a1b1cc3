/// Exchanges a code: it is redeemed by exactly one holder, and seen through to the outcome whatever the browser does.
import Base
import Brokers
import OpenIDConnect
import Synchronization

final class CodeExchange: Sendable {
    private let repository: LoginRepository
    /// Each ends by its own deadline, or with its login where the store is away.
    let underWay = TasksUnderWay()
    private let isStopping = Atomic(false)

    init(_ repository: LoginRepository) { self.repository = repository }

    /// Begins to redeem the code, unless this process is at it: a store that was away for long lets no second exchange
    /// begin beside the first, which holds what is known.
    @discardableResult
    func start(_ exchange: Login.Exchange, of login: LoginSnapshot, with broker: any Broker) -> Bool {
        let turn = FetchTurn(caller: FetchTurn.current?.caller ?? exchange.opening)
        return self.underWay.start(for: exchange.opening) {
            await FetchTurn.$current.withValue(turn) { await self.run(exchange, of: login, with: broker) }
        }
    }

    /// Whether this process is at the exchange of this login.
    func holds(_ login: Login) -> Bool {
        guard case .exchanging(let exchange) = login.state else { return false }
        return self.underWay.contains(exchange.opening)
    }

    /// From now on nothing is waited for that this process cannot bring about.
    func prepareToStop() { self.isStopping.store(true, ordering: .relaxed) }

    /// Returns when every exchange has ended.
    func finish() async { await self.underWay.finish() }

    /// Redeems the code, then settles the login with who it was or why not.
    private func run(_ exchange: Login.Exchange, of login: LoginSnapshot, with broker: any Broker) async {
        var login = login
        do throws(BrokerError) {
            guard let identity = try await self.identify(exchange, of: &login, with: broker) else { return }
            await self.settle(login, identity)
        } catch {
            guard error.kind != .foreign else { return await self.takeBack(exchange, of: login, error) }
            // A code that was sent before may be refused only because it was: we lost its answer.
            let isOurs = exchange.fence > 1 && error.kind == .refused
            await self.fail(login, error, isOurs ? .interrupted : error.reason, fence: exchange.fence)
        }
    }

    /// The broker has so long in all; a store that is slow or away takes nothing of it. Nil when the exchange is not this
    /// holder's any more, or the store does not answer: whoever has taken it, or will, sees it through.
    ///
    /// `login` becomes what was written last.
    private func identify(
        _ exchange: Login.Exchange, of login: inout LoginSnapshot, with broker: any Broker
    ) async throws(BrokerError) -> Identity? {
        guard let spent = self.spent(in: exchange, login.flightSeal),
            let flight = login.flight(of: exchange.opening, exchange.flight), let provider = login.provider?.provider
        else { throw BrokerError(.unavailable, "flight_unreadable") }
        let challenge = flight.challenge(state: login.state(of: exchange.opening))
        var left = login.rules.settings.exchangeDeadline
        let answer: Secret
        let code: Secret?
        switch spent {
        case .answer(let known, let given):
            answer = known
            code = given
        case .code(let given):
            if exchange.fence > 1 {
                try await Self.within(&left) { () async throws(BrokerError) in try await broker.prepare() }
                guard await self.mayTryAgain(exchange, of: &login) else { return nil }
            }
            answer = try await Self.within(&left) { () async throws(BrokerError) in
                try await broker.redeem(code: given, challenge, flight.trip)
            }
            code = given
            await self.keep(answer, of: &login, exchange)
        }
        return try await Self.within(&left) { () async throws(BrokerError) in
            try await broker.identify(answer, code: code, challenge, for: provider, openedAt: exchange.openedAt)
        }
    }

    /// What it takes is taken from what is left, but for the time that requests wait in our own queue.
    private static func within<Value: Sendable>(
        _ left: inout Duration, _ work: @escaping @Sendable () async throws(BrokerError) -> Value
    ) async throws(BrokerError) -> Value {
        let (limit, start, turn) = (left, ContinuousClock.now, FetchTurn.current)
        let waitedBefore = turn?.waited ?? .zero
        let spent: @Sendable () -> Duration = {
            start.duration(to: .now) - ((turn?.waited ?? .zero) - waitedBefore)
        }
        defer { left -= spent() }
        let result = await withTaskGroup(of: Result<Value, BrokerError>.self) { group in
            group.addTask {
                do throws(BrokerError) { return .success(try await work()) } catch { return .failure(error) }
            }
            group.addTask {
                while !Task.isCancelled, spent() < limit { try? await Task.sleep(for: limit - spent()) }
                return .failure(BrokerError(.unavailable, "exchange_deadline"))
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? .failure(BrokerError(.unavailable, "exchange_cancelled"))
        }
        return try result.get()
    }

    /// The first holder's try was written with the callback. A later one is written when nothing but the request is left to do:
    /// who is killed in between leaves a code that nobody may send again.
    private func mayTryAgain(_ exchange: Login.Exchange, of login: inout LoginSnapshot) async -> Bool {
        let changed = try? await self.repository.change(login) { login, _ in login.tryAgain(fence: exchange.fence) }
        guard let changed else { return false }
        login = changed.snapshot
        return changed.action
    }

    /// What an exchange begins with.
    private enum Spent {
        case code(Secret)
        /// The broker told it without a code, or it was redeemed by the holder before.
        case answer(Secret, code: Secret?)
    }

    /// Nil when it does not open.
    private func spent(in exchange: Login.Exchange, _ seal: FlightSeal) -> Spent? {
        var code: Secret?
        if !exchange.code.isEmpty {
            guard let opened = seal.open(.code, of: exchange.opening, exchange.code) else { return nil }
            code = Secret(opened)
        }
        guard let answer = exchange.answer else { return code.map { .code($0) } }
        return seal.open(.answer, of: exchange.opening, answer).map { .answer(Secret($0), code: code) }
    }

    /// The code is spent now: the answer is stored before anything else is asked.
    private func keep(_ answer: Secret, of login: inout LoginSnapshot, _ exchange: Login.Exchange) async {
        let sealed = login.flightSeal.seal(.answer, of: exchange.opening, answer.exposed)
        let changed = try? await self.repository.change(login) { login, _ in
            login.keepAnswer(sealed, fence: exchange.fence)
        }
        if let changed { login = changed.snapshot }
    }

    private func settle(_ snapshot: LoginSnapshot, _ identity: Identity) async {
        _ = await self.insist(on: snapshot) { login, key -> Login.SettleAction in
            guard case .exchanging = login.state else { return .drop }
            let keepUntil = login.keepUntil(from: self.repository.now())
            let (status, proof): (LoginStatus, Proof) =
                login.proven.map { (.completed, $0) } ?? (.awaitingReturn, .none)
            let header = OutcomeSeal.Header(login: login, status: status, proof: proof, keepUntil: keepUntil)
            let outcomeKey = Secret(key.wrapped(login.wrappedKey, of: login.id))
            let result = LoginResult(identity, nonce: snapshot.wishes?.nonce)
            let sealed = OutcomeSeal(outcomeKey, header, under: key).seal(result.bytes)
            return login.settle(
                Outcome(sealed: sealed, proof: proof, keepUntil: keepUntil), at: self.repository.now())
        }
    }

    /// The answer was to another login. This one goes on as if the answer had not come.
    private func takeBack(_ exchange: Login.Exchange, of login: LoginSnapshot, _ failure: BrokerError) async {
        let changed = await self.insist(on: login) { login, _ in login.takeBack(fence: exchange.fence) }
        guard let changed else { return }
        self.repository.tell(.callbackIgnored(.foreign(failure.detail)), of: changed.snapshot)
    }

    private func fail(_ login: LoginSnapshot, _ failure: BrokerError, _ reason: Reason, fence: Int) async {
        let changed = await self.insist(on: login) { login, _ in
            login.fail(reason, fence: fence, at: self.repository.now())
        }
        guard let changed else { return }
        self.repository.tell(.exchangeFailed(failure), of: changed.snapshot)
    }

    /// The code is spent, and only this process knows what came of it: where the store is away it is written when that is
    /// back, until time has ended the login or we are about to stop. The store is asked, so that nothing is logged meanwhile.
    private func insist<Action>(
        on snapshot: LoginSnapshot, _ transition: (inout Login, ServerKey) -> Action
    ) async -> LoginRepository.Changed<Action>? {
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
            } while !(await self.repository.storeAnswers())
        }
    }
}
