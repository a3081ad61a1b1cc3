/// Trips: logins that the broker is asked about, at its interval or when the person is back.
import Base
import Brokers
import OpenIDConnect

extension LoginFlow {
    /// Goes with a trip until it is over, in a task of its own.
    func follow(_ made: Made, of login: Login) {
        guard let trip = made.departure.trip else { return }
        self.follow(trip, of: made.opening.id, login)
    }

    /// False when this process walks it already, or cannot.
    @discardableResult
    func follow(_ trip: Trip, of opening: [UInt8], _ login: Login) -> Bool {
        guard let broker = self.book.rules(of: login).brokers[login.broker], self.walked.begin(opening) else {
            return false
        }
        let walk = Walk(trip: trip, opening: opening, login: login.id, broker: broker)
        self.trips.start {
            await FetchTurn.$current.withValue(FetchTurn(caller: opening)) { await self.walk(walk) }
            self.walked.end(opening)
        }
        return true
    }

    /// A trip and whose it is.
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
            let token = self.tripWaiters.begin(for: walk.login) { _ in wake.finish() }
            defer { self.tripWaiters.end(token) }
            guard let login = await self.awaiting(walk) else { return await self.end(walk) }
            pace.see(returns: login.returns)
            let pause = min(pace.pause - waited, walk.trip.until - self.now())
            // No longer than the lease is good for: it is renewed on the way.
            if await wakeUps.ends(within: min(pause, Login.renewal)) {
                waited = .zero
                continue
            }
            waited += Login.renewal
            guard !Task.isCancelled, self.now() < walk.trip.until, pause <= Login.renewal else { continue }
            waited = .zero
            switch await self.ask(walk) {
            case .goOn: pace.asked()
            case .slower: pace.slowDown()
            case .over: return await self.end(walk)
            }
        }
        // Stopping is no end: whoever comes next need not wait for the lease.
        _ = try? await self.change(walk.login) { login, _ in login.walk(walk.opening, until: self.now()) }
    }

    /// The login while it waits for this trip; nil when it does not any more. A store that does not answer is asked again.
    private func awaiting(_ walk: Walk) async -> Login? {
        let isLate = self.now() >= walk.trip.until
        while !Task.isCancelled {
            do throws(Refusal) {
                let found = try await self.change(walk.login) { login, _ in
                    if isLate { login.fail(.timeout, of: walk.opening, at: self.now()) }
                    login.keepWalking(walk.opening, at: self.now())
                }
                guard let login = found?.login, login.awaits(walk.opening) else { return nil }
                return login
            } catch {
                try? await Task.sleep(for: .seconds(1))
            }
        }
        return nil
    }

    private func ask(_ walk: Walk) async -> Step {
        do throws(BrokerFailure) {
            switch try await walk.broker.progress(of: walk.trip) {
            case .pending(let hint):
                guard let hint else { return .goOn }
                _ = try? await self.change(walk.login) { login, _ in login.note(hint, of: walk.opening) }
                return .goOn
            case .slowDown:
                return .slower
            case .response(let parameters):
                return await self.take(parameters, of: walk)
            case .answer(let answer):
                return await self.take(answer, of: walk)
            }
        } catch {
            // It may be back before the trip is over.
            guard error.kind != .unavailable, error.kind != .notAsked else { return .goOn }
            await self.fail(walk, error)
            return .over
        }
    }

    /// The broker's answer as a browser would have brought it.
    private func take(_ parameters: Broker.Parameters, of walk: Walk) async -> Step {
        guard let state = self.state(in: parameters, of: walk.broker), state.token.login == walk.login,
            state.token.opening == walk.opening
        else {
            await self.fail(walk, BrokerFailure(.invalidResponse, "response_state"))
            return .over
        }
        // Where the store does not answer the same is asked for again.
        return await self.takeCallback(state, parameters, of: walk.broker) == .unavailable ? .goOn : .over
    }

    /// The token answer. It is given once, so it is kept before anything else is done.
    private func take(_ answer: Secret, of walk: Walk) async -> Step {
        while !Task.isCancelled {
            do throws(Refusal) {
                let changed = try await self.change(
                    walk.login, telling: { $0.map { _ in .callback(.granted) } }
                ) { login, key -> Exchange? in
                    let sealed = FlightSeal(login.id, under: key).seal(.answer, of: walk.opening, answer.exposed)
                    let landing = Judged.landed.hash(of: login.id, key)
                    return login.takeAnswer(sealed, to: walk.opening, landing: landing, at: self.now())
                }
                guard let changed, let exchange = changed.action else { return .over }
                let (login, key) = (changed.login, changed.key)
                self.begin(exchange, of: login, key, with: walk.broker)
                return .over
            } catch {
                try? await Task.sleep(for: .seconds(1))
            }
        }
        return .over
    }

    private func fail(_ walk: Walk, _ failure: BrokerFailure) async {
        let changed = try? await self.change(walk.login) { login, _ in
            login.fail(failure.reason, of: walk.opening, at: self.now())
        }
        self.observe(LoginEvent(.exchangeFailed(failure), changed?.login))
    }

    /// Tells the broker when nothing came of it: the person's number may be blocked there until it is told.
    private func end(_ walk: Walk) async {
        // Stopping is no end: whoever comes next goes on.
        guard !Task.isCancelled else { return }
        let found = try? await self.change(walk.login) { login, _ in login.taken?.opening == walk.opening }
        guard found?.action != true else { return }
        await walk.broker.giveUp(walk.trip)
    }
}
