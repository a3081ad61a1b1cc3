// How the return to the app is handled: with a link that opened it, with the code on the page, or with nothing.

import Base
import Brokers

extension LoginFlow {
    /// Handles the return to the app, with the link that opened it if there was one. An authorization response in the
    /// link counts as if a browser had delivered it, if it belongs to this login. A response for another login changes
    /// nothing.
    package func handleReturn(
        _ id: LoginID, secret: PollSecret, link: ReturnLink?, by caller: ClientContext = ClientContext()
    ) async throws(LoginFlowError) -> LoginView {
        let snapshot = try await self.repository.read(id, secret)
        // A login that is gone, or whose result does not decrypt, accepts nothing.
        _ = try self.views.view(of: snapshot, secret)
        let login = try await self.accept(link, for: snapshot, secret, by: caller)
        let view = try self.views.view(of: login, secret)
        self.repository.emit(.returned(link == nil ? .withoutLink : .link), of: view)
        return try await self.renew(view, of: login, secret, by: caller)
    }

    /// Handles the return to the app with the code that the user read on the page.
    package func handleReturn(_ id: LoginID, secret: PollSecret, code: String) async throws(LoginFlowError) -> LoginView
    {
        let snapshot = try await self.repository.read(id, secret)
        _ = try self.views.view(of: snapshot, secret)
        return try self.views.view(of: try await self.proofs.check(.code(code), for: snapshot, secret), secret)
    }

    /// Returns the login after taking the link.
    private func accept(
        _ link: ReturnLink?, for snapshot: LoginSnapshot, _ secret: PollSecret, by caller: ClientContext
    ) async throws(LoginFlowError) -> LoginSnapshot {
        guard let link else { return try await self.noteReturn(of: snapshot, isBrowserGone: true) }
        let own = snapshot.app?.returnPrefixes ?? []
        let isOwn = own.contains { link.text.utf8.starts(with: $0.utf8) }
        let broker = snapshot.provider.flatMap { snapshot.configuration.brokers[$0.provider.brokerID] }
        let linkParameters = link.parameters(for: broker)
        if let broker {
            let parameters = broker.normalized(linkParameters)
            let isCallback = broker.appRedirectURI.map { identical(link.location, $0) } ?? false
            // An e-ID's app may open the redirect URI itself. Anyone can, so this proves nothing.
            if isCallback, ReturnLink.arePlain(linkParameters, for: broker) {
                return try await self.noteReturn(of: snapshot, isBrowserGone: false)
            }
            if isCallback || isOwn, let url = broker.resumeURL(in: parameters) {
                return try await self.resume(snapshot, secret, at: url, by: parameters, of: broker)
            }
            // An error without a login's `state` ends no login: anyone can make a link that opens the app.
            let hasError = parameters.contains { $0.name == "error" }
            let hasState = parameters.contains { $0.name == "state" }
            if isCallback || isOwn, hasError, broker.respondsWithoutState, !hasState {
                return try await self.noteReturn(of: snapshot, isBrowserGone: true)
            }
            // We accept a code only at the redirect URI that we gave the broker, but an error at any of the app's
            // links.
            if isCallback || (isOwn && hasError) {
                try caller.spend(.exchange)
                let response = try self.response(parameters, to: snapshot, from: broker)
                // If the login has taken another response already, or another attempt may still succeed, the login's
                // view tells the app.
                let changedLogin = try await self.acceptance.accept(response, for: snapshot).login
                guard let changedLogin else { throw .unknownLogin }
                return try await self.proofs.check(.callback, for: changedLogin, secret)
            }
        }
        guard isOwn, !self.isForeign(linkParameters, to: snapshot, of: broker) else { throw .notOurs }
        guard let claim = try Self.proof(in: linkParameters, of: snapshot.id) else {
            return try await self.noteReturn(of: snapshot, isBrowserGone: false)
        }
        return try await self.proofs.check(claim, for: snapshot, secret)
    }

    /// Whether a link to the app carries a part of a response that is not this login's. Vipps sends the `state` back
    /// without a code, if its user has to go on in the browser.
    private func isForeign(
        _ parameters: Broker.Parameters, to snapshot: LoginSnapshot, of broker: (any Broker)?
    ) -> Bool {
        let names = broker?.responseNames ?? ResponseParameters.names
        let parts = Set(parameters.map(\.name)).intersection(names)
        guard !parts.isEmpty else { return false }
        guard let broker, parts.subtracting([ResponseParameters.resumeURI]) == ["state"],
            let state = try? self.acceptance.state(in: parameters, of: broker)
        else {
            return true
        }
        return state.token.login != snapshot.id
    }

    /// Stores where the browser continues after the e-ID's app has sent the user back to our app. Only the broker knows
    /// the URL.
    private func resume(
        _ snapshot: LoginSnapshot, _ secret: PollSecret, at url: String, by parameters: Broker.Parameters,
        of broker: any Broker
    ) async throws(LoginFlowError) -> LoginSnapshot {
        guard let state = try? self.acceptance.state(in: parameters, of: broker), state.token.login == snapshot.id
        else {
            throw .notOurs
        }
        let change = try await self.repository.change(snapshot) { login, key in
            let sealed = InFlightSeal(login.id, under: key).seal(.resume, of: [], Array(url.utf8))
            login.resume(at: sealed, attempt: state.token.attempt)
        }
        guard let change else { throw .unknownLogin }
        return try await self.proofs.check(.switched(attempt: state.token.attempt), for: change.snapshot, secret)
    }

    /// Checks that the `state` of an authorization response belongs to this login. If the broker may omit the `state`,
    /// the response belongs to the newest authorization attempt.
    private func response(
        _ parameters: Broker.Parameters, to snapshot: LoginSnapshot, from broker: any Broker
    ) throws(LoginFlowError) -> CallbackAcceptance.ReceivedResponse {
        if let state = try? self.acceptance.state(in: parameters, of: broker) {
            guard state.token.login == snapshot.id else { throw .notOurs }
            return CallbackAcceptance.ReceivedResponse(
                state: state, parameters: parameters, broker: broker, isByApp: true)
        }
        guard broker.respondsWithoutState, !parameters.contains(where: { $0.name == "state" }),
            let attempt = snapshot.login.attempts.last?.id ?? snapshot.login.acceptedResponse?.attempt
        else { throw .notOurs }
        let token = StateToken(login: snapshot.id, attempt: attempt)
        let text = token.text(for: broker.id, under: snapshot.key)
        return CallbackAcceptance.ReceivedResponse(
            state: CallbackAcceptance.ReceivedState(text: text, token: token),
            parameters: parameters + [Parameter("state", text)], broker: broker, isByApp: true)
    }

    /// Notes that the user returned without an authorization response. A broker that we poll only on return is polled
    /// now. A link without a proof says nothing about the browser, which may wait behind the app.
    private func noteReturn(of snapshot: LoginSnapshot, isBrowserGone: Bool) async throws(LoginFlowError)
        -> LoginSnapshot
    {
        let opensApp = snapshot.provider?.opensApp == true
        guard opensApp || isBrowserGone else { return snapshot }
        let change = try await self.repository.change(snapshot) { login, _ in
            if opensApp { login.noteReturn() } else { login.noteBrowserGone() }
        }
        guard let change else { throw .unknownLogin }
        return change.snapshot
    }

    /// Returns the proof in one of our own links, or nil if it has none. Throws if the proof is for another login.
    private static func proof(
        in parameters: Broker.Parameters, of id: LoginID
    ) throws(LoginFlowError) -> ProofCheck.Claim? {
        func values(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }
        let (logins, proofs, switches) = (values("login"), values("proof"), values("switch"))
        guard !(logins + proofs + switches).isEmpty else { return nil }
        guard logins == [id.description], proofs.count + switches.count <= 1 else { throw .notOurs }
        return proofs.first.map { .link($0) } ?? switches.first.map { .switchLink($0) }
    }
}
