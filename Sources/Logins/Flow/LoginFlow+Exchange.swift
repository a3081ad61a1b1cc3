/// The exchange of a code: redeemed by one holder at a time, and seen through to the outcome whatever the browser does.
import Brokers
import JOSE
import OpenIDConnect

extension LoginFlow {
    /// Redeems the code, then settles the login with who it was or why not.
    func exchange(_ exchange: Exchange, of login: Login, _ key: ServerKey, with broker: any Broker) async {
        let result = await self.withinDeadline { await self.identify(exchange, of: login, key, with: broker) }
        switch result {
        case nil:
            // Whoever has taken it, or will, sees it through.
            break
        case .success(let identity):
            await self.settle(login.id, identity)
        case .failure(let failure):
            // A code that was sent before may be refused only because it was: we lost its answer.
            let isOurs = exchange.fence > 1 && failure.kind == .refused
            await self.fail(login.id, failure, isOurs ? .interrupted : failure.reason, fence: exchange.fence)
        }
    }

    /// Nil when the exchange is not this holder's any more, or the store does not answer.
    private typealias Identified = Result<Identity, BrokerFailure>?

    private func withinDeadline(_ work: @escaping @Sendable () async -> Identified) async -> Identified {
        let limit = self.settings.exchangeDeadline
        return await withTaskGroup(of: Identified.self) { group in
            group.addTask { await work() }
            group.addTask {
                try? await Task.sleep(for: limit)
                return .failure(BrokerFailure(.unavailable, "exchange deadline"))
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
    }

    private func identify(
        _ exchange: Exchange, of login: Login, _ key: ServerKey, with broker: any Broker
    ) async -> Identified {
        let seal = FlightSeal(login.id, under: key)
        guard let spent = self.spent(in: exchange, seal),
            let flight = self.flight(of: exchange.opening, exchange.flight, login.id, key),
            let provider = self.providers[login.provider]
        else { return .failure(BrokerFailure(.unavailable, "flight does not open")) }
        let state = StateToken(login: login.id, opening: exchange.opening).text(for: login.broker, under: key)
        let challenge = flight.challenge(state: state)
        do throws(BrokerFailure) {
            let answer: Secret
            let code: Secret?
            switch spent {
            case .answer(let known, let given):
                answer = known
                code = given
            case .code(let given):
                guard try await self.mayRedeem(exchange, of: login, with: broker) else { return nil }
                answer = try await broker.redeem(code: given, challenge, flight.trip)
                code = given
                await self.keep(answer, of: login.id, exchange, seal)
            }
            return .success(
                try await broker.identify(
                    answer, code: code, challenge, for: provider, openedAt: exchange.openedAt))
        } catch {
            return .failure(error)
        }
    }

    /// The first holder's try was written with the callback. A later one is written when nothing but the request is left to do:
    /// who is killed in between leaves a code that nobody may send again.
    private func mayRedeem(
        _ exchange: Exchange, of login: Login, with broker: any Broker
    ) async throws(BrokerFailure) -> Bool {
        guard exchange.fence > 1 else { return true }
        try await broker.prepare()
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

    private func settle(_ id: LoginID, _ identity: Identity) async {
        _ = try? await self.change(id) { login, key -> Login.SettleAction in
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

    private func fail(_ id: LoginID, _ failure: BrokerFailure, _ reason: Reason, fence: Int) async {
        let changed = try? await self.change(id) { login, _ in
            login.fail(reason, fence: fence, at: self.now())
        }
        guard let changed else { return }
        self.observe(LoginEvent(.exchangeFailed, changed.login, detail: failure.detail))
    }
}

extension BrokerFailure {
    /// What the app is told.
    var reason: Reason {
        switch self.kind {
        case .unavailable: .brokerUnavailable
        case .cancelled: .userCancelled
        case .expired: .timeout
        case .refused: .brokerError
        case .invalidResponse: .invalidResponse
        case .invalidToken: .invalidToken
        case .notFresh: .notFresh
        case .assuranceTooLow: .assuranceTooLow
        }
    }
}
