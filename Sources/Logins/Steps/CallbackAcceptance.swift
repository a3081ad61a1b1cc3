import Base
import Brokers

/// The response to a browser that delivered an authorization response.
package enum CallbackOutcome: Equatable, Sendable {
    /// The cookie lets this browser return to the same place later.
    case redirect(BrowserDestination, AttemptCookie)
    /// The response had no effect. `cookie` names that of its attempt, which is no longer needed.
    case noEffect(NoEffect, cookie: String?)
    /// The store cannot be reached. The browser may retry.
    case unavailable
    /// The caller has used up what it may ask of brokers. The browser may retry after this time.
    case busy(retryAfter: Duration)

    /// Why an authorization response had no effect, as far as its browser may know.
    package enum NoEffect: Equatable, Sendable {
        /// This attempt has failed, but the login continues with another one.
        case elsewhere
        /// The login took another response before, and continued in another window. The page has no button, code or
        /// link.
        case continued
        /// The response belongs to no login that we know. The page has no button, code or link.
        case neutral
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

    /// Why a response belongs to no authorization attempt.
    struct ForeignResponse: Error {
        let cause: LoginEvent.IgnoredCallback
        /// Set if the state is ours.
        var state: ReceivedState?
    }

    /// Returns the `state`. We check it before anything else, even before an error (RFC 6749 §10.12). Throws if there
    /// is not exactly one that can be decoded, or if we did not make it.
    func state(
        in parameters: Broker.Parameters, of broker: any Broker
    ) throws(ForeignResponse) -> ReceivedState {
        let text: String
        do throws(StateError) {
            text = try broker.state(in: parameters)
        } catch {
            throw ForeignResponse(cause: .noState(error))
        }
        guard let token = StateToken(text, from: broker.id, keys: self.repository.keys) else {
            throw ForeignResponse(cause: .state)
        }
        return ReceivedState(text: text, token: token)
    }

    /// Takes a response from a browser. It never fails: a response that we cannot match changes nothing.
    func accept(
        broker brokerID: String, _ parameters: Broker.Parameters, cookies: [Parameter],
        by caller: ClientContext
    ) async -> CallbackOutcome {
        guard let broker = self.repository.broker(brokerID) else { return self.ignore(nil, .unknownBroker) }
        let parameters = broker.normalized(parameters)
        let state: ReceivedState
        do throws(ForeignResponse) {
            state = try self.state(in: parameters, of: broker)
        } catch {
            return self.ignore(nil, error.cause, error.state)
        }
        do throws(LoginFlowError) {
            try caller.spend(.exchange)
            let response = ReceivedResponse(state: state, parameters: parameters, broker: broker, cookies: cookies)
            guard let snapshot = try await self.repository.readRecent(state.token.login) else {
                return self.ignore(nil, .unknownLogin, state)
            }
            return try await self.accept(response, for: snapshot).answer
        } catch {
            if case .overBudget(let time) = error { return .busy(retryAfter: time) }
            return .unavailable
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
        let (state, attempt) = (response.state, response.state.token.attempt)
        let sealed = verdict.sealed(for: attempt, snapshot.inFlightSeal)
        let trace = verdict.trace(of: snapshot.id, snapshot.key)
        let newResponse = AcceptedResponse(attempt: attempt, hash: trace)
        let hasCookie = AttemptCookie(snapshot.id, attempt: attempt, under: snapshot.key).isAmong(response.cookies)
        let change = try await self.repository.change(
            snapshot, confirms: true,
            emitting: { [.show, .ignore].contains($0) ? nil : .callback(denied: verdict.failure) }
        ) { login, _ in
            login.acceptCallback(
                sealed, to: attempt, hash: trace, byApp: response.isByApp, hasCookie: hasCookie,
                by: self.repository.processName,
                pageCode: { PageToken.pageCode(of: snapshot.id, newResponse, under: snapshot.key) },
                at: self.repository.now())
        }
        guard let change else { return (self.ignore(nil, .late, state), nil) }
        let login = change.snapshot
        if change.action == .elsewhere { return (.noEffect(.elsewhere, cookie: Self.cookieName(of: state)), login) }
        guard change.login.hasReturned else { return (self.ignore(login, .late, state), login) }
        switch change.action {
        case .exchange(let exchange):
            self.exchange.start(exchange, of: login, with: broker)
        case .ended, .show, .elsewhere:
            break
        case .ignore:
            _ = self.ignore(login, .otherResponse, state)
            return (.noEffect(.continued, cookie: Self.cookieName(of: state)), login)
        }
        let acceptedResponse = change.login.acceptedResponse ?? newResponse
        let cookie = AttemptCookie(login.id, acceptedResponse, under: login.key)
        let destination = login.destination(
            after: acceptedResponse, hasCookie: hasCookie || cookie.isAmong(response.cookies))
        return (.redirect(destination, cookie), login)
    }

    private func ignore(
        _ login: LoginSnapshot?, _ cause: LoginEvent.IgnoredCallback, _ state: ReceivedState? = nil
    ) -> CallbackOutcome {
        if let login {
            self.repository.emit(.callbackIgnored(cause), of: login)
        } else {
            self.repository.emit(.callbackIgnored(cause), of: state?.token.login)
        }
        return .noEffect(.neutral, cookie: state.map { Self.cookieName(of: $0) })
    }

    /// Returns the name of the cookie that was set with the attempt of this response.
    private static func cookieName(of state: ReceivedState) -> String { AttemptCookie.name(of: state.token.attempt) }
}
