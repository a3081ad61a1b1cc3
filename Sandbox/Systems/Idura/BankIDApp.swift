import HTTPWire

/// Plays BankID's app: finds an order by its start token, lets the user decide, and returns to where the link says.
struct BankIDApp: Sendable {
    let core: ProviderCore
    let orders: OrderStore<IduraOrder>

    func response(to request: Request) -> Response {
        self.core.count(.bankIDApp)
        let now = self.core.now()
        guard let parameters = Parameters(of: request), let token = parameters["autostarttoken"],
            let (id, order) = self.orders.order(behind: token, at: now)
        else { return ErrorPage(code: "startFailed", description: "BankID does not know this login.").response }
        guard order.phase(at: now).isOpen else {
            return ErrorPage(code: "startFailed", description: "This login was decided or has expired.").response
        }
        let page = BankIDPage(client: order.client, token: token, redirect: parameters["redirect"])
        guard request.method == .post else {
            self.orders.change(id) { $0.start() }
            return page.response(self.menu(order), isSigning: false)
        }
        let decisions: Set<Decision> = [.approve, .cancel, .timeOut, .sign]
        guard let choice = self.core.choice(parameters, at: .swedishBankID, among: decisions) else {
            return ErrorPage(code: "invalid_request", description: "This form is not from the sandbox.").response
        }
        let (decision, fault) = self.core.settle(choice, for: order.client, state: order.way.state)
        switch decision {
        case .sign:
            self.orders.change(id) { $0.sign() }
            return page.response(self.menu(order), isSigning: true)
        case .approve: self.approve(id, order, choice.person, fault)
        case .cancel: self.deny(id, order, fault)
        case .timeOut: self.orders.change(id) { $0.end(.timedOut) }
        case .silence: self.orders.change(id) { $0.sign() }
        }
        return page.last.response
    }

    private func menu(_ order: Order<IduraOrder>) -> FaultMenu {
        switch order.way {
        case .launchLinks: self.core.menu(.launchLinks)
        case .headless: self.core.menu(.headless)
        }
    }

    private func approve(_ id: String, _ order: Order<IduraOrder>, _ person: SandboxIdentity, _ fault: SandboxFault?) {
        var grant: Grant?
        var location: String?
        switch order.way {
        case .launchLinks(let authRequest, _):
            location = self.core.broker.written(self.core.answer(authRequest, person, fault)).location
        case .headless(let scope, _):
            grant = Grant(
                client: order.client, binding: nil, nonce: nil, scope: scope, requested: RequestedClaims(), idp: nil,
                contextClass: HeadlessEndpoint.contextClass, identity: person, authenticatedAt: self.core.now(),
                fault: fault)
        }
        self.orders.change(id) { $0.end(.approved(grant), location: location, fault: fault) }
    }

    private func deny(_ id: String, _ order: Order<IduraOrder>, _ fault: SandboxFault?) {
        var location: String?
        if case .launchLinks(let authRequest, _) = order.way {
            location = self.core.broker.written(self.core.cancelled(authRequest)).location
        }
        self.orders.change(id) { $0.end(.denied, location: location, fault: fault) }
    }
}
