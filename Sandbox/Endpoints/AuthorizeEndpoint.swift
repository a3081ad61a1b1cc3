import HTTPWire

/// The authorization endpoint: reads the request, and shows the page on which the user decides (Core §3.1.2).
struct AuthorizeEndpoint: Sendable {
    let core: ProviderCore

    func response(to request: Request) -> Response {
        do throws(OAuthRefusal) {
            if let again = self.again(request) { return again }
            let (parameters, client) = try self.parameters(request)
            if let response = try self.core.broker.response(to: parameters, of: client, self.core) { return response }
            let authRequest = try SandboxAuthorizationRequest(parameters, for: client)
            if let response = self.core.passedBySession(authRequest) { return response }
            if let response = self.core.passedByCookie(authRequest, request) { return response }
            let name = RandomName.make()
            let page = OpenPage(authRequest, as: name, at: self.core.broker)
            let now = self.core.now()
            let reference = Parameters(of: request)?["request_uri"]
            let isKept = self.core.memory.withLock { memory in
                if let reference { _ = memory.pushedPages.insert(name, for: reference, at: now) }
                return memory.pages.insert(page, for: name, at: now)
            }
            guard isKept else {
                throw OAuthRefusal(
                    .temporarilyUnavailable, "too many pages are open", to: authRequest.address)
            }
            var response = self.response(page, name, to: request)
            if let cookie = page.cookie { response.fields.add(.setCookie, cookie.field) }
            return response
        } catch {
            return self.response(to: error)
        }
    }

    /// Shows the page of a pushed request again, until it is decided, for a user who reloads it (RFC 9126 §4 allows it).
    private func again(_ request: Request) -> Response? {
        guard let outer = Parameters(of: request), let reference = outer["request_uri"] else { return nil }
        let now = self.core.now()
        let entry = self.core.memory.withLock { memory in
            memory.pushedPages.value(for: reference, at: now).flatMap { name in
                memory.pages.value(for: name, at: now).map { (name, $0) }
            }
        }
        guard let (name, page) = entry, page.authRequest.client.clientID == outer["client_id"] else { return nil }
        return page.isOpen(to: request) ? self.response(page, name, to: request) : OpenPage.otherBrowser
    }

    /// Shows the page again, for a browser to which an e-ID's app sends the user.
    func resume(_ request: Request) -> Response {
        let now = self.core.now()
        guard let name = Parameters(of: request)?["page"],
            let page = self.core.memory.withLock({ $0.pages.value(for: name, at: now) })
        else { return ErrorPage(code: "invalid_request", description: "This page was used or has expired.").response }
        return page.isOpen(to: request) ? self.response(page, name, to: request) : OpenPage.otherBrowser
    }

    private func response(_ page: OpenPage, _ name: String, to request: Request) -> Response {
        let authRequest = page.authRequest
        let resume = ProviderRoute.resume.url(self.core.origin) + "?page=\(name)"
        let back = authRequest.appSwitchURL ?? self.core.broker.appReturnURL(authRequest.parameters, resume: resume)
        return AuthorizePage(
            authRequest: authRequest, eID: self.core.eID(for: authRequest), page: name, eIDAppReturn: back,
            menu: self.core.menu(.browser, met: authRequest.metNeeds),
            remembers: self.core.broker.remembersUsers ? self.core.remembered(in: request) != nil : nil
        ).response
    }

    private func parameters(_ request: Request) throws(OAuthRefusal) -> (Parameters, SandboxClient) {
        guard let outer = Parameters(of: request) else {
            throw .init(.invalidRequest, "The parameters are malformed.")
        }
        guard let client = outer["client_id"].flatMap(self.core.client) else {
            throw .init(.invalidRequest, "client_id is missing or unknown.")
        }
        let parameters = try AuthorizationParameters(core: self.core, client: client).parameters(outer)
        self.core.memory.withLock { $0.requestLog.note(authorization: parameters.all, by: client.clientID) }
        if let problem = self.core.broker.problem(parameters) {
            throw .init(.invalidRequest, problem)
        }
        return (parameters, client)
    }

    private func response(to error: OAuthRefusal) -> Response {
        guard let address = error.address, self.core.broker.tellsClientOfErrors else {
            return ErrorPage(code: error.code.rawValue, description: error.description).response
        }
        return self.core.response(.error(error.code, error.description, to: address, issuer: self.core.issuer))
    }
}
