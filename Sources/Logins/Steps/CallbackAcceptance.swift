import Base
import Brokers

/// The response to a browser that delivered an authorization response.
package enum CallbackOutcome: Equatable, Sendable {
    /// The cookie lets this browser return to the same place later.
    case redirect(BrowserDestination, AttemptCookie)
    /// The attempt of the response has failed, but the login continues with another one. Its cookie is no longer needed.
    case elsewhere(cookie: String)
    /// The response had no effect, for this reason. `cookie` names that of its attempt, which is no longer needed.
    case ignored(LoginEvent.IgnoredCallback, cookie: String?)
    /// The store cannot be reached, or the caller has used up what it may ask of brokers, as this page says. The browser
    /// may send the same again.
    case refused(PageView)
}

extension LoginFlow {
    /// Takes the broker's authorization response from a browser. It never fails: a response that we cannot match
    /// changes nothing.
    package func acceptCallback(
        broker brokerID: String, parameters: [Parameter], cookies: [Parameter] = [],
        by caller: ClientContext = ClientContext()
    ) async -> CallbackOutcome {
        let acceptance = self.acceptance
        guard let broker = self.repository.broker(brokerID) else { return acceptance.ignore(nil, .unknownBroker) }
        let parameters = broker.normalized(parameters)
        let state: CallbackAcceptance.ReceivedState
        do throws(StateError) {
            guard let ownState = try acceptance.state(in: parameters, of: broker) else {
                return acceptance.ignore(nil, .state)
            }
            state = ownState
        } catch {
            return acceptance.ignore(nil, .noState(error))
        }
        do throws(LoginFlowError) {
            try caller.spend(.exchange)
            let response = CallbackAcceptance.ReceivedResponse(
                state: state, parameters: parameters, broker: broker, cookies: cookies)
            guard let snapshot = try await self.repository.readRecent(state.token.login) else {
                return acceptance.ignore(nil, .unknownLogin, state)
            }
            return try await acceptance.accept(response, for: snapshot).answer
        } catch {
            return .refused(PageView(after: error))
        }
    }
}

/// Takes the broker's authorization response from any source: validates it, and applies it in one transition.
final class CallbackAcceptance: Sendable {
    private let repository: LoginRepository
    private let exchange: CodeExchange

    init(_ repository: LoginRepository, _ exchange: CodeExchange) {
        self.repository = repository
        self.exchange = exchange
    }

    /// A `state` that we made, as received and decoded.
    struct ReceivedState {
        let text: String
        let token: StateToken
    }

    /// An authorization response whose `state` we made.
    struct ReceivedResponse {
        let state: ReceivedState
        let parameters: Broker.Parameters
        let broker: any Broker
        /// Whether an app delivered it, from a link to which the broker had redirected.
        var isByApp = false
        /// The cookies of the browser that delivered it.
        var cookies: [Parameter] = []
    }

    /// Returns the `state`; nil if we did not make it. We check it before anything else, even before an error (RFC 6749
    /// §10.12). Throws if there is not exactly one that can be decoded.
    func state(in parameters: Broker.Parameters, of broker: any Broker) throws(StateError) -> ReceivedState? {
        let text = try broker.state(in: parameters)
        return StateToken(text, from: broker.id, keys: self.repository.keys).map {
            ReceivedState(text: text, token: $0)
        }
    }

    /// Takes a response that belongs to this login by its `state`. Returns the login after the change.
    func accept(
        _ response: ReceivedResponse, for snapshot: LoginSnapshot
    ) async throws(LoginFlowError) -> (answer: CallbackOutcome, login: LoginSnapshot?) {
        let state = response.state
        guard snapshot.login.broker == response.broker.id else {
            return (self.ignore(snapshot, .otherBroker, state), snapshot)
        }
        guard let provider = snapshot.provider?.provider, let broker = snapshot.broker else {
            return (self.ignore(snapshot, .unknownProvider, state), snapshot)
        }
        let verdict = await self.validate(response, for: provider, by: broker)
        return try await self.apply(verdict, response, for: snapshot, by: broker)
    }

    private func validate(
        _ response: ReceivedResponse, for provider: Provider, by broker: any Broker
    ) async -> AuthorizationResult {
        do throws(BrokerError) {
            return try await broker.validate(response.parameters, state: response.state.text, for: provider)
        } catch {
            return .denied(error)
        }
    }

    private func apply(
        _ verdict: AuthorizationResult, _ response: ReceivedResponse, for snapshot: LoginSnapshot, by broker: any Broker
    ) async throws(LoginFlowError) -> (CallbackOutcome, LoginSnapshot?) {
        let attempt = response.state.token.attempt
        let newResponse = AcceptedResponse(attempt: attempt, hash: verdict.trace(of: snapshot.id, snapshot.key))
        let hasCookie = AttemptCookie(snapshot.id, attempt: attempt, under: snapshot.key).isAmong(response.cookies)
        let change = try await self.repository.change(
            snapshot, confirms: true,
            emitting: { [.show, .ignore].contains($0) ? nil : .callback(denied: verdict.failure) }
        ) { login, _ in
            login.acceptCallback(
                verdict, to: attempt, hash: newResponse.hash, byApp: response.isByApp, hasCookie: hasCookie,
                by: self.repository.processName,
                pageCode: { PageToken.pageCode(of: snapshot.id, newResponse, under: snapshot.key) },
                at: self.repository.now(),
                sealing: { snapshot.inFlightSeal.seal(.code, of: attempt, $0.exposed) })
        }
        guard let change else { return (self.ignore(nil, .late, response.state), nil) }
        if case .exchange(let exchange) = change.action {
            self.exchange.start(exchange, of: change.snapshot, with: broker)
        }
        return (self.outcome(of: change, newResponse, response, hasCookie: hasCookie), change.snapshot)
    }

    private func outcome(
        of change: LoginRepository.ChangeResult<Login.CallbackAction>, _ newResponse: AcceptedResponse,
        _ response: ReceivedResponse, hasCookie: Bool
    ) -> CallbackOutcome {
        let login = change.snapshot
        switch change.action {
        case .elsewhere:
            return .elsewhere(cookie: Self.cookieName(of: response.state))
        case .ignore where change.login.hasReturned:
            return self.ignore(login, .otherResponse, response.state)
        case .ignore, .exchange, .ended, .show:
            guard change.login.hasReturned else { return self.ignore(login, .late, response.state) }
            let acceptedResponse = change.login.acceptedResponse ?? newResponse
            let cookie = AttemptCookie(login.id, acceptedResponse, under: login.key)
            return .redirect(
                login.destination(
                    after: acceptedResponse, hasCookie: hasCookie || cookie.isAmong(response.cookies)),
                cookie)
        }
    }

    fileprivate func ignore(
        _ login: LoginSnapshot?, _ cause: LoginEvent.IgnoredCallback, _ state: ReceivedState? = nil
    ) -> CallbackOutcome {
        if let login {
            self.repository.emit(.callbackIgnored(cause), of: login)
        } else {
            self.repository.emit(.callbackIgnored(cause), of: state?.token.login)
        }
        return .ignored(cause, cookie: state.map { Self.cookieName(of: $0) })
    }

    /// Returns the name of the cookie that was set with the attempt of this response.
    private static func cookieName(of state: ReceivedState) -> String { AttemptCookie.name(of: state.token.attempt) }
}
