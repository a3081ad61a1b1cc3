/// Polls a broker for the logins that no browser redirect ends: at the interval of the transaction, or when the user
/// returns.
import Base
import Brokers
import OpenIDConnect

final class BrokerPolling: Sendable {
    private let repository: LoginRepository
    private let acceptance: CallbackAcceptance
    private let exchange: CodeExchange
    private let waiters: Waiters
    private let underWay = TasksUnderWay()

    init(
        _ repository: LoginRepository, _ acceptance: CallbackAcceptance, _ exchange: CodeExchange, _ waiters: Waiters
    ) {
        self.repository = repository
        self.acceptance = acceptance
        self.exchange = exchange
        self.waiters = waiters
    }

    /// Polls for the backchannel transaction of an attempt, if it has one, until the transaction ends. Runs in its own
    /// task.
    func follow(_ made: OpeningMaker.Made, of login: LoginSnapshot) {
        guard let trip = made.departure.trip else { return }
        self.follow(trip, of: made.opening.id, login)
    }

    /// Starts to poll. Returns false if this process already polls for the attempt, or if the broker is not configured.
    @discardableResult
    func follow(_ trip: Trip, of opening: [UInt8], _ login: LoginSnapshot) -> Bool {
        guard let broker = login.broker else { return false }
        let walk = Walk(trip: trip, opening: opening, login: login.id, broker: broker)
        return self.underWay.start(for: opening) {
            await FetchTurn.$current.withValue(FetchTurn(caller: opening)) { await self.walk(walk) }
        }
    }

    /// Stops all polling, so that another process can continue at once.
    func stop() async {
        self.underWay.cancel()
        await self.underWay.finish()
    }

    /// Returns when all polling has ended on its own.
    func finish() async { await self.underWay.finish() }

    /// A backchannel transaction with its attempt, login and broker.
    private struct Walk {
        let trip: Trip
        let opening: [UInt8]
        let login: LoginID
        let broker: any Broker
    }

    private enum Step {
        case goOn
        case slower
        case over
    }

    private func walk(_ walk: Walk) async {
        var pace = TripPace(walk.trip)
        var waited = Duration.zero
        while !Task.isCancelled {
            let (wakeUps, wake) = AsyncStream.makeStream(of: Void.self)
            let token = self.waiters.begin(for: walk.login) { _ in wake.finish() }
            defer { self.waiters.end(token) }
            guard let known = await self.awaiting(walk) else { return await self.end(walk) }
            pace.see(returns: known.login.returns)
            let pause = min(pace.pause - waited, walk.trip.until - self.repository.now())
            // Never longer than the renewal interval, because the lease must be renewed in between.
            if await wakeUps.ends(within: min(pause, Login.renewal)) {
                waited = .zero
                continue
            }
            waited += Login.renewal
            guard !Task.isCancelled, self.repository.now() < walk.trip.until, pause <= Login.renewal else { continue }
            waited = .zero
            switch await self.ask(walk, known) {
            case .goOn: pace.asked()
            case .slower: pace.slowDown()
            case .over: return await self.end(walk)
            }
        }
        // The transaction continues. Giving up the lease here lets the next process continue without waiting for it to
        // expire.
        _ = try? await self.repository.change(walk.login) { login, _ in
            login.walk(walk.opening, until: self.repository.now())
        }
    }

    /// Returns the login while it waits for this transaction, and nil afterwards. Retries while the store does not
    /// respond.
    private func awaiting(_ walk: Walk) async -> LoginSnapshot? {
        let isLate = self.repository.now() >= walk.trip.until
        while !Task.isCancelled {
            do throws(LoginFlowError) {
                let found = try await self.repository.change(walk.login) { login, _ in
                    let now = self.repository.now()
                    if isLate { login.fail(.timeout, of: walk.opening, at: now) }
                    login.keepWalking(walk.opening, at: now)
                }
                guard let found, found.login.awaits(walk.opening) else { return nil }
                return found.snapshot
            } catch {
                try? await Task.sleep(for: .seconds(1))
            }
        }
        return nil
    }

    private func ask(_ walk: Walk, _ known: LoginSnapshot) async -> Step {
        do throws(BrokerError) {
            switch try await walk.broker.progress(of: walk.trip) {
            case .pending(let hint):
                guard let hint else { return .goOn }
                _ = try? await self.repository.change(known, confirms: true) { login, _ in
                    login.note(hint, of: walk.opening)
                }
                return .goOn
            case .slowDown:
                return .slower
            case .response(let parameters):
                return await self.take(parameters, of: walk, known)
            case .answer(let answer):
                return await self.take(answer, of: walk, known)
            }
        } catch {
            // The broker may be reachable again before the transaction ends.
            guard !error.isUnreachable else { return .goOn }
            await self.fail(walk, known, error)
            return .over
        }
    }

    /// Takes the authorization response as if a browser had brought it.
    private func take(_ parameters: Broker.Parameters, of walk: Walk, _ known: LoginSnapshot) async -> Step {
        guard let state = self.acceptance.state(in: parameters, of: walk.broker), state.token.login == walk.login,
            state.token.opening == walk.opening
        else {
            await self.fail(walk, known, BrokerError(.invalidResponse, "response_state"))
            return .over
        }
        let response = CallbackAcceptance.Response(state: state, parameters: parameters, broker: walk.broker)
        do throws(LoginFlowError) {
            _ = try await self.acceptance.accept(response, for: known)
            return .over
        } catch {
            // The store did not respond, so we ask the broker for the same response again.
            return .goOn
        }
    }

    /// Takes the token response. The broker gives it only once, so we store it before anything else.
    private func take(_ answer: Secret, of walk: Walk, _ known: LoginSnapshot) async -> Step {
        while !Task.isCancelled {
            do throws(LoginFlowError) {
                let changed = try await self.repository.change(
                    known, confirms: true, telling: { $0.map { _ in .callback(denied: nil) } }
                ) { login, key -> Login.Exchange? in
                    let sealed = FlightSeal(login.id, under: key).seal(.answer, of: walk.opening, answer.exposed)
                    let landing = Judgement.landed.trace(of: login.id, key)
                    return login.takeAnswer(sealed, to: walk.opening, landing: landing, at: self.repository.now())
                }
                guard let changed, let exchange = changed.action else { return .over }
                self.exchange.start(exchange, of: changed.snapshot, with: walk.broker)
                return .over
            } catch {
                try? await Task.sleep(for: .seconds(1))
            }
        }
        return .over
    }

    private func fail(_ walk: Walk, _ known: LoginSnapshot, _ failure: BrokerError) async {
        let changed = try? await self.repository.change(known, confirms: true) { login, _ in
            login.fail(failure.reason, of: walk.opening, at: self.repository.now())
        }
        self.repository.tell(.exchangeFailed(failure), of: changed?.snapshot)
    }

    /// Tells the broker if the transaction had no result: the broker may block the user's number until then.
    private func end(_ walk: Walk) async {
        // The process is stopping, but another process continues the transaction.
        guard !Task.isCancelled else { return }
        let found = try? await self.repository.read(walk.login)
        guard found?.login.taken?.opening != walk.opening else { return }
        await walk.broker.giveUp(walk.trip)
    }
}
