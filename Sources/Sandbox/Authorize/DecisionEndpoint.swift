/// Where the authorize page's form goes: a person was chosen and has approved, or has cancelled.
import HTTPWire
import JOSE

struct DecisionEndpoint: Sendable {
    let core: ProviderCore

    func response(to request: Request) -> Response {
        guard let form = Parameters(of: request), let page = form["login"], let decision = form["decision"],
            decision == "approve" || decision == "cancel"
        else { return ErrorPage(code: "invalid_request", description: "This form is not one of ours.").response }
        guard let fault = self.fault(form["fault"]),
            let person = form["person"].map(SandboxIdentity.named) ?? SandboxIdentity.all.first
        else { return ErrorPage(code: "invalid_request", description: "No such person or fault.").response }
        let now = self.core.now()
        // Taken, so that the form answers once, however often it is sent.
        guard let ask = self.core.memory.withLock({ $0.pages.take(page, at: now) }) else {
            return ErrorPage(code: "invalid_request", description: "This page was used, or is too old.").response
        }
        guard decision == "approve" else { return self.cancelled(ask) }
        return self.approved(ask, by: person, fault.chosen ?? self.presetFault(of: ask.client))
    }

    /// Nil for a name that no fault has; nothing chosen is no fault.
    private func fault(_ name: String?) -> (chosen: SandboxFault?, Void)? {
        guard let name else { return (nil, ()) }
        return SandboxFault.named(name).map { ($0, ()) }
    }

    /// Set by a test for this client's next login.
    private func presetFault(of client: SandboxClient) -> SandboxFault? {
        self.core.memory.withLock { memory in
            guard let fault = memory.nextFault[client.clientID], !fault.standsBeforeLogins else { return nil }
            memory.nextFault[client.clientID] = nil
            return fault
        }
    }

    private func cancelled(_ ask: AuthorizationAsk) -> Response {
        let answer = AuthorizationAnswer.error(
            "access_denied", "the person said no", to: ask.address, issuer: self.core.issuer)
        return self.core.response(answer)
    }

    private func approved(_ ask: AuthorizationAsk, by person: SandboxIdentity, _ fault: SandboxFault?) -> Response {
        let code = ProviderCore.unguessable()
        let now = self.core.now()
        let grant = Grant(ask, identity: person, fault: fault, at: now)
        guard self.core.memory.withLock({ $0.grants.insert(grant, for: code, at: now) }) else {
            return self.core.response(
                .error("temporarily_unavailable", to: ask.address, issuer: self.core.issuer))
        }
        var answer = AuthorizationAnswer.code(code, to: ask.address, issuer: self.core.issuer)
        if case .authorizationResponse(let change)? = fault?.effect { change(&answer) }
        return self.core.response(answer, fault)
    }
}
