/// The authorization endpoint: reads the request, and shows the page on which a person decides (Core §3.1.2).
import Base
import HTTPWire

struct AuthorizeEndpoint: Sendable {
    let core: ProviderCore

    func response(to request: Request) -> Response {
        do throws(AuthorizationRefusal) {
            let (parameters, client) = try self.parameters(request)
            if self.core.system == .idura, LaunchLinks.areAskedFor(parameters) {
                return try LaunchLinks(core: self.core).response(parameters, for: client)
            }
            let ask = try AuthorizationAsk(parameters, for: client)
            if let response = self.passedBySession(ask) { return response }
            let page = ProviderCore.unguessable()
            let now = self.core.now()
            guard self.core.memory.withLock({ $0.pages.insert(ask, for: page, at: now) }) else {
                throw AuthorizationRefusal.answer(
                    ask.address, code: "temporarily_unavailable", description: "too many pages are open")
            }
            return self.page(ask, page)
        } catch {
            return self.response(to: error)
        }
    }

    /// The page again, for a browser that an e-ID's app sends on.
    func resumed(_ request: Request) -> Response {
        let now = self.core.now()
        guard let page = Parameters(of: request)?["page"],
            let ask = self.core.memory.withLock({ $0.pages.value(for: page, at: now) })
        else { return ErrorPage(code: "invalid_request", description: "This page was used, or is too old.").response }
        return self.page(ask, page)
    }

    private func page(_ ask: AuthorizationAsk, _ page: String) -> Response {
        let resume = Route.resume.url(self.core.origin) + "?page=\(page)"
        let back = ask.appSwitchURL ?? VippsLogin.appCallback(ask.parameters, resume: resume)
        return AuthorizePage(
            ask: ask, page: page, eIDAppReturn: back, menu: FaultMenu(system: self.core.system, flow: .browser)
        ).response
    }

    /// The answer for a client that somebody is logged in for, and that did not ask for a fresh login; that person is
    /// the first of all, and came an hour ago. Nil unless a fault wants it so.
    func passedBySession(_ ask: AuthorizationAsk) -> Response? {
        guard self.core.hasSession(for: ask.client), !ask.demandsFreshLogin, let person = SandboxIdentity.all.first
        else { return nil }
        let answer = self.core.answer(ask, person, nil, authenticatedAt: self.core.now() - Grant.sessionAge)
        return self.core.response(answer)
    }

    private func parameters(_ request: Request) throws(AuthorizationRefusal) -> (Parameters, SandboxClient) {
        guard let outer = Parameters(of: request) else {
            throw .page(code: "invalid_request", description: "The parameters cannot be read.")
        }
        guard let client = outer["client_id"].flatMap(self.core.client) else {
            throw .page(code: "invalid_request", description: "client_id is missing, or nobody's.")
        }
        let parameters = try AuthorizationParameters(core: self.core, client: client).parameters(outer)
        self.core.memory.withLock { $0.ledger.note(authorization: parameters.all, by: client.clientID) }
        if let problem = self.core.system.problem(parameters) {
            throw .page(code: "invalid_request", description: problem)
        }
        return (parameters, client)
    }

    private func response(to refusal: AuthorizationRefusal) -> Response {
        switch refusal {
        case .page(let code, let description):
            ErrorPage(code: code, description: description).response
        // The client never hears of a request that is wrong.
        case .answer(_, let code, let description) where self.core.system == .signaturgruppen:
            ErrorPage(code: code, description: description).response
        case .answer(let address, let code, let description):
            self.core.response(.error(code, description, to: address, issuer: self.core.issuer))
        }
    }
}
