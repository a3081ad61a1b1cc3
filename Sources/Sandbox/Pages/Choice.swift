/// What a person has chosen on a page: who to be, what to do, and what is to go wrong.
import HTTPWire

struct Choice: Sendable {
    enum Decision: String, Sendable {
        case approve
        case cancel
        /// Nobody decides before the time is up.
        case timeOut = "time-out"
        /// The code is being typed: only BankID's app tells that.
        case sign
        /// Approved, and nobody is ever told.
        case silence
    }

    let person: SandboxIdentity
    let decision: Decision
    private let fault: SandboxFault?

    /// Nil for a form that is none of ours.
    init?(_ form: Parameters, among decisions: Set<Decision>) {
        guard let decision = form["decision"].flatMap(Decision.init), decisions.contains(decision),
            let person = form["person"].map(SandboxIdentity.named) ?? SandboxIdentity.all.first
        else { return nil }
        if let name = form["fault"] {
            guard let fault = SandboxFault.named(name) else { return nil }
            self.fault = fault
        } else {
            self.fault = nil
        }
        self.person = person
        self.decision = decision
    }

    /// With the fault that a test has set for this client's next login, if the form has none. It is used up by an approval,
    /// of which a fault may make something else.
    func settled(for client: SandboxClient, _ core: ProviderCore) -> (decision: Decision, fault: SandboxFault?) {
        guard self.decision == .approve else { return (self.decision, nil) }
        let fault = self.fault ?? core.takeFault(for: client)
        switch fault?.effect {
        case .decision(let decision)?: return (decision, fault)
        case .order(let order)? where order.isRefusal: return (.cancel, fault)
        default: return (.approve, fault)
        }
    }
}

extension ProviderCore {
    fileprivate func takeFault(for client: SandboxClient) -> SandboxFault? {
        self.memory.withLock { memory in
            guard let fault = memory.nextFault[client.clientID], !fault.standsBeforeLogins else { return nil }
            memory.nextFault[client.clientID] = nil
            return fault
        }
    }
}
