import HTTPWire

/// The target of the authorize page's form: the user has picked a test user and approved, or has cancelled.
struct DecisionEndpoint: Sendable {
    let core: ProviderCore

    func response(to request: Request) -> Response {
        let foreign = ErrorPage(code: "invalid_request", description: "This form is not from the sandbox.").response
        let usedPage = ErrorPage(code: "invalid_request", description: "This page was used or has expired.").response
        guard let form = Parameters(of: request), let name = form["login"] else { return foreign }
        let now = self.core.now()
        guard let page = self.core.memory.withLock({ $0.pages.value(for: name, at: now) }) else { return usedPage }
        guard page.isOpen(to: request) else { return OpenPage.otherBrowser }
        let authRequest = page.authRequest
        guard let choice = self.core.choice(form, at: self.core.eID(for: authRequest), among: [.approve, .cancel])
        else {
            return foreign
        }
        // The request is removed, so that only the first form counts, however often it is sent.
        guard self.core.memory.withLock({ $0.pages.take(name, at: now) }) != nil else { return usedPage }
        let (decision, fault) = self.core.settle(choice, for: authRequest.client, state: authRequest.address.state)
        var response: Response
        switch decision {
        case .approve, .sign:
            response = self.core.response(self.core.answer(authRequest, choice.person, fault), fault)
            let cookie = self.core.remember(choice.isToBeRemembered ? choice.person : nil, in: request)
            if let cookie { response.fields.add(.setCookie, cookie) }
        case .cancel, .timeOut: response = self.core.response(self.core.cancelled(authRequest))
        case .silence: response = FinalPage.silence.response
        }
        if let cookie = page.cookie { response.fields.add(.setCookie, cookie.deletion) }
        return response
    }
}
