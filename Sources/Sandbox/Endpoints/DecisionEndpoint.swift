/// The target of the authorize page's form: the user has picked a test user and approved, or has cancelled.
import HTTPWire

struct DecisionEndpoint: Sendable {
    let core: ProviderCore

    func response(to request: Request) -> Response {
        let foreign = ErrorPage(code: "invalid_request", description: "This form is not from the sandbox.").response
        let used = ErrorPage(code: "invalid_request", description: "This page was used or has expired.").response
        guard let form = Parameters(of: request), let page = form["login"] else { return foreign }
        let now = self.core.now()
        guard let authRequest = self.core.memory.withLock({ $0.pages.value(for: page, at: now) }) else { return used }
        guard let choice = PageChoice(form, at: self.core.eID(for: authRequest), among: [.approve, .cancel]) else {
            return foreign
        }
        // The request is removed, so that only the first form counts, however often it is sent.
        guard self.core.memory.withLock({ $0.pages.take(page, at: now) }) != nil else { return used }
        let (decision, fault) = self.core.settle(choice, for: authRequest.client, state: authRequest.address.state)
        switch decision {
        case .approve, .sign: return self.core.response(self.core.answer(authRequest, choice.person, fault), fault)
        case .cancel, .timeOut: return self.core.response(self.core.cancelled(authRequest))
        case .silence: return FinalPage.silence.response
        }
    }
}
