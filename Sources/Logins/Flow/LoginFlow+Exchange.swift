/// The exchange of a code: redeemed by exactly one holder, and seen through to the outcome whatever the browser does.
import Base
import Brokers
import OpenIDConnect
import Synchronization

extension LoginFlow {
    /// Begins to redeem the code, unless this process is at it: a store that was away for long lets no second exchange
    /// begin beside the first, which holds what is known.
    @discardableResult
    func begin(_ exchange: Exchange, of login: Login, _ key: ServerKey, with broker: any Broker) -> Bool {
        guard self.exchanged.begin(exchange.opening) else { return false }
        let turn = FetchTurn(caller: FetchTurn.current?.caller ?? exchange.opening)
        self.exchanges.start {
            await FetchTurn.$current.withValue(turn) {
                await self.exchange(exchange, of: login, key, with: broker)
            }
            self.exchanged.end(exchange.opening)
        }
        return true
    }

    /// Redeems the code, then settles the login with who it was or why not.
    private func exchange(_ exchange: Exchange, of login: Login, _ key: ServerKey, with broker: any Broker) async {
        do throws(BrokerFailure) {
            guard let identity = try await self.identify(exchange, of: login, key, with: broker) else { return }
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
    private func identify(
        _ exchange: Exchange, of login: Login, _ key: ServerKey, with broker: any Broker
    ) async throws(BrokerFailure) -> Identity? {
        let seal = FlightSeal(login.id, under: key)
        let rules = self.book.rules(of: login)
        guard let spent = self.spent(in: exchange, seal),
            let flight = self.flight(of: exchange.opening, exchange.flight, login.id, key),
            let provider = rules.providers[login.provider]?.provider
        else { throw BrokerFailure(.unavailable, "flight_unreadable") }
        let state = StateToken(login: login.id, opening: exchange.opening).text(for: login.broker, under: key)
        let challenge = flight.challenge(state: state)
        var left = rules.settings.exchangeDeadline
        let answer: Secret
        let code: Secret?
        switch spent {
        case .answer(let known, let given):
            answer = known
            code = given
        case .code(let given):
            if exchange.fence > 1 {
                try await Self.within(&left) { () async throws(BrokerFailure) in try await broker.prepare() }
                guard await self.mayTryAgain(exchange, of: login) else { return nil }
            }
            answer = try await Self.within(&left) { () async throws(BrokerFailure) in
                try await broker.redeem(code: given, challenge, flight.trip)
            }
            code = given
            await self.keep(answer, of: login.id, exchange, seal)
        }
        return try await Self.within(&left) { () async throws(BrokerFailure) in
            try await broker.identify(answer, code: code, challenge, for: provider, openedAt: exchange.openedAt)
        }
    }

    /// What it takes is taken from what is left, but for the time that requests wait in our own queue.
    private static func within<Value: Sendable>(
        _ left: inout Duration, _ work: @escaping @Sendable () async throws(BrokerFailure) -> Value
    ) async throws(BrokerFailure) -> Value {
        let (limit, start, turn) = (left, ContinuousClock.now, FetchTurn.current)
        let waitedBefore = turn?.waited ?? .zero
        let spent: @Sendable () -> Duration = {
            start.duration(to: .now) - ((turn?.waited ?? .zero) - waitedBefore)
        }
        defer { left -= spent() }
        let result = await withTaskGroup(of: Result<Value, BrokerFailure>.self) { group in
            group.addTask {
                do throws(BrokerFailure) { return .success(try await work()) } catch { return .failure(error) }
            }
            group.addTask {
                while !Task.isCancelled, spent() < limit { try? await Task.sleep(for: limit - spent()) }
                return .failure(BrokerFailure(.unavailable, "exchange_deadline"))
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? .failure(BrokerFailure(.unavailable, "exchange_cancelled"))
        }
        return try result.get()
    }

    /// The first holder's try was written with the callback. A later one is written when nothing but the request is left to do:
    /// who is killed in between leaves a code that nobody may send again.
    private func mayTryAgain(_ exchange: Exchange, of login: Login) async -> Bool {
        let changed = try? await self.change(login.id) { login, _ in login.tryAgain(fence: exchange.fence) }
        return changed?.action == true
    }

    /// What an exchange begins with.
    private enum Spent {
        case code(Secret)
        /// The broker told it without a code, or it was redeemed by the holder before.
        case answer(Secret, code: Secret?)
    }

    /// Nil when it does not open.
    private func spent(in exchange: Exchange, _ seal: FlightSeal) -> Spent? {
        var code: Secret?
        if !exchange.code.isEmpty {
            guard let opened = seal.open(.code, of: exchange.opening, exchange.code) else { return nil }
            code = Secret(opened)
        }
        guard let answer = exchange.answer else { return code.map { .code($0) } }
        return seal.open(.answer, of: exchange.opening, answer).map { .answer(Secret($0), code: code) }
    }

    /// The code is spent now: the answer is stored before anything else is asked.
    private func keep(_ answer: Secret, of id: LoginID, _ exchange: Exchange, _ seal: FlightSeal) async {
        let sealed = seal.seal(.answer, of: exchange.opening, answer.exposed)
        _ = try? await self.change(id) { login, _ in login.keepAnswer(sealed, fence: exchange.fence) }
    }

    private func settle(_ login: Login, _ identity: Identity) async {
        let id = login.id
        _ = await self.insist(on: login) { login, key -> Login.SettleAction in
            guard case .exchanging = login.state else { return .drop }
            let keepUntil = login.keepUntil(from: self.now())
            let (status, proof): (LoginStatus, Proof) =
                login.proven.map { (.completed, $0) } ?? (.awaitingReturn, .none)
            let header = OutcomeSeal.Header(login: login, status: status, proof: proof, keepUntil: keepUntil)
            let outcomeKey = Secret(key.wrapped(login.wrappedKey, of: id))
            let wishes = FlightSeal(id, under: key).open(.request, of: [], login.request).flatMap { try? AppWishes($0) }
            let result = LoginResult(identity, nonce: wishes?.nonce)
            let sealed = OutcomeSeal(outcomeKey, header, under: key).seal(result.bytes)
            return login.settle(Outcome(sealed: sealed, proof: proof, keepUntil: keepUntil), at: self.now())
        }
    }

    /// The answer was to another login. This one goes on as if the answer had not come.
    private func takeBack(_ exchange: Exchange, of login: Login, _ failure: BrokerFailure) async {
        let changed = await self.insist(on: login) { login, _ in login.takeBack(fence: exchange.fence) }
        guard let changed else { return }
        self.observe(LoginEvent(.callbackIgnored(.foreign(failure.detail)), changed.login))
    }

    private func fail(_ login: Login, _ failure: BrokerFailure, _ reason: Reason, fence: Int) async {
        let changed = await self.insist(on: login) { login, _ in
            login.fail(reason, fence: fence, at: self.now())
        }
        guard let changed else { return }
        self.observe(LoginEvent(.exchangeFailed(failure), changed.login))
    }

    /// The code is spent, and only this process knows what came of it: where the store is away it is written when that is
    /// back, until time has ended the login or we are about to stop. The store is asked, so that nothing is logged meanwhile.
    private func insist<Action>(
        on login: Login, _ transition: (inout Login, ServerKey) -> Action
    ) async -> Changed<Action>? {
        var pause = Duration.milliseconds(100)
        while true {
            do throws(Refusal) { return try await self.change(login.id, transition) } catch {}
            repeat {
                guard self.now() < login.lapsesAt, !self.isStopping.load(ordering: .relaxed) else { return nil }
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(1))
            } while (try? await self.store.probe()) == nil
        }
    }
}

extension BrokerFailure {
    /// What the app is told.
    var reason: Reason {
        switch self.kind {
        case .unavailable: .brokerUnavailable
        case .notAsked: .interrupted
        case .cancelled: .userCancelled
        case .expired: .timeout
        case .refused: .brokerError
        case .invalidResponse, .foreign: .invalidResponse
        case .invalidToken: .invalidToken
        case .notFresh: .notFresh
        case .assuranceTooLow: .assuranceTooLow
        }
    }
}
