/// Takes the broker's answer, by whatever way it came: it is judged, and taken by one transition.
import Base
import Brokers

/// What becomes of a browser that brought a broker's answer.
package enum CallbackAnswer: Equatable, Sendable {
    /// The cookie lets this browser come to the same place again.
    case back(BrowserDestination, OpeningCookie)
    /// Nothing came of it. `spent` names the cookie of its opening, of which nothing more can come.
    case nothing(NoEffect, spent: String?)
    /// The store cannot be reached; the browser may try the same again.
    case unavailable

    /// Why an answer changes nothing, as far as its browser may know.
    package enum NoEffect: Equatable, Sendable {
        /// Nothing comes of this browser's opening, and the login goes on in another one.
        case elsewhere
        /// Another response was taken before: the login went on in another window. A page without button, code or link.
        case continued
        /// It belongs to no login that we know: a page without button, code or link.
        case neutral
    }
}

final class CallbackAcceptance: Sendable {
    private let repository: LoginRepository
    private let exchange: CodeExchange

    init(_ repository: LoginRepository, _ exchange: CodeExchange) {
        self.repository = repository
        self.exchange = exchange
    }

    /// A state that is ours, as it came and as it reads.
    struct ReceivedState {
        let text: String
        let token: StateToken
    }

    /// A broker's answer whose state is ours.
    struct Response {
        let state: ReceivedState
        let parameters: Broker.Parameters
        let broker: any Broker
        /// Whether an app brings it, from a link to which the broker had sent it.
        var isByApp = false
        /// Those of the browser that brings it.
        var cookies: [Parameter] = []
    }

    /// The state comes first: nothing else is believed before it, an error included (RFC 6749 §10.12). Nil when there is
    /// not exactly one, or it is none of ours.
    func state(in parameters: Broker.Parameters, of broker: any Broker) -> ReceivedState? {
        guard let text = broker.state(in: parameters),
            let token = StateToken(text, from: broker.id, keys: self.repository.keys)
        else { return nil }
        return ReceivedState(text: text, token: token)
    }

    /// What a browser brings. It never fails: what is not understood changes nothing.
    func accept(
        broker brokerID: String, _ parameters: Broker.Parameters, cookies: [Parameter],
        by caller: Caller
    ) async -> CallbackAnswer {
        guard let broker = self.repository.broker(brokerID) else { return self.ignored(nil, .state) }
        let parameters = broker.received(parameters)
        guard let state = self.state(in: parameters, of: broker) else { return self.ignored(nil, .state) }
        do throws(LoginFlowError) {
            try caller.spend(.exchange)
            let response = Response(state: state, parameters: parameters, broker: broker, cookies: cookies)
            guard let known = try await self.repository.read(state.token.login) else {
                return self.ignored(nil, .unknownLogin, state)
            }
            return try await self.accept(response, for: known).answer
        } catch {
            return .unavailable
        }
    }

    /// An answer that its state gives to this login. Returns the login as it stands then.
    func accept(
        _ response: Response, for known: LoginSnapshot
    ) async throws(LoginFlowError) -> (answer: CallbackAnswer, login: LoginSnapshot?) {
        let state = response.state
        guard known.login.broker == response.broker.id else { return (self.ignored(known, .otherBroker, state), known) }
        guard let provider = known.provider?.provider, let broker = known.broker else {
            return (self.ignored(known, .unknownProvider, state), known)
        }
        let verdict = await self.judge(response, for: provider, by: broker)
        return try await self.take(verdict, response, for: known, by: broker)
    }

    private func judge(
        _ response: Response, for provider: Provider, by broker: any Broker
    ) async -> Judgement {
        do throws(BrokerError) {
            return try await broker.judge(response.parameters, state: response.state.text, for: provider)
        } catch {
            return .denied(error)
        }
    }

    private func take(
        _ verdict: Judgement, _ response: Response, for known: LoginSnapshot, by broker: any Broker
    ) async throws(LoginFlowError) -> (CallbackAnswer, LoginSnapshot?) {
        let (state, opening) = (response.state, response.state.token.opening)
        let sealed = verdict.sealed(for: opening, known.flightSeal)
        let trace = verdict.trace(of: known.id, known.key)
        let hasCookie = OpeningCookie(known.id, opening: opening, under: known.key).isAmong(response.cookies)
        let changed = try await self.repository.change(
            known, confirms: true,
            telling: { [.show, .ignore].contains($0) ? nil : .callback(denied: verdict.failure) }
        ) { login, _ in
            login.takeCallback(
                sealed, to: opening, hash: trace, byApp: response.isByApp, hasCookie: hasCookie,
                at: self.repository.now())
        }
        guard let changed else { return (self.ignored(nil, .late, state), nil) }
        let login = changed.snapshot
        if changed.action == .elsewhere { return (.nothing(.elsewhere, spent: Self.cookieName(of: state)), login) }
        guard let taken = changed.login.taken else { return (self.ignored(login, .late, state), login) }
        switch changed.action {
        case .exchange(let exchange):
            self.exchange.start(exchange, of: login, with: broker)
        case .ended, .show, .elsewhere:
            break
        case .ignore:
            _ = self.ignored(login, .otherResponse, state)
            return (.nothing(.continued, spent: Self.cookieName(of: state)), login)
        }
        return (.back(login.destination(after: taken), OpeningCookie(login.id, taken, under: login.key)), login)
    }

    private func ignored(
        _ login: LoginSnapshot?, _ cause: LoginEvent.IgnoredCallback, _ state: ReceivedState? = nil
    ) -> CallbackAnswer {
        self.repository.tell(.callbackIgnored(cause), of: login)
        return .nothing(.neutral, spent: state.map { Self.cookieName(of: $0) })
    }

    /// The name of the cookie that went with the opening of this answer.
    private static func cookieName(of state: ReceivedState) -> String { OpeningCookie.name(of: state.token.opening) }
}
