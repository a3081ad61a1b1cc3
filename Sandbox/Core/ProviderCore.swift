import Base
import Synchronization

/// What the provider's endpoints share: the clock, the memory and the gate before the token endpoint.
final class ProviderCore: Sendable {
    let broker: any SimulatedBroker
    /// Those of all brokers.
    let faults: [SandboxFault]
    let now: @Sendable () -> Timestamp
    let memory: Mutex<ProviderMemory>
    let gate = TokenGate()
    /// The origin at which a proxy requests certificates from clients and passes them on. Without it none is accepted.
    let mutualTLS: String?
    /// The delay of a late response.
    let lateness: Duration

    /// The interval at which a client may poll an order, at a system that states one.
    let pollInterval: Duration

    init(
        origin: String, broker: any SimulatedBroker, faults: [SandboxFault], mutualTLS: String?, lateness: Duration,
        pollInterval: Duration, now: @escaping @Sendable () -> Timestamp
    ) throws {
        self.broker = broker
        self.faults = faults
        self.now = now
        self.mutualTLS = mutualTLS
        self.lateness = lateness
        self.pollInterval = pollInterval
        self.memory = Mutex(try ProviderMemory(origin: origin))
    }

    /// The base URL of all paths.
    var origin: String { self.memory.withLock { $0.origin } }

    /// The issuer in its tokens.
    var issuer: String { self.broker.issuer(at: self.origin) }

    var system: SandboxSystem { self.broker.system }

    func count(_ endpoint: RequestLog.Endpoint) { self.memory.withLock { $0.requestLog.count(endpoint) } }

    /// The e-ID whose page this request gets.
    func eID(for authRequest: SandboxAuthorizationRequest) -> SandboxEID {
        self.broker.eID(for: authRequest.contextClasses, idp: authRequest.idp)
    }

    func client(_ id: String) -> SandboxClient? { self.memory.withLock { $0.clients[id] } }
}

// MARK: - Pages

extension ProviderCore {
    /// Returns the faults that a page of this kind of login offers.
    func menu(_ flow: PageFlow, met: Set<FaultNeed> = []) -> FaultMenu {
        FaultMenu(self.faults, of: self.system, in: flow, met: met)
    }

    /// Returns what the user chose on a page; nil for a form that is not ours.
    func choice(_ form: Parameters, at eID: SandboxEID, among decisions: Set<Decision>) -> PageChoice? {
        PageChoice(form, at: eID, among: decisions, of: self.faults)
    }
}

// MARK: - Faults set by name

extension ProviderCore {
    /// Returns the fault of this client's next login, or of the login with this state.
    func fault(for client: SandboxClient, state: String?) -> SandboxFault? {
        let now = self.now()
        return self.memory.withLock { $0.fault(for: client.clientID, state: state, at: now) }
    }

    /// Returns whether a fault wants the user to have a session here.
    func hasSession(for client: SandboxClient, state: String?) -> Bool {
        guard case .session? = self.fault(for: client, state: state)?.effect else { return false }
        return true
    }

    /// Returns the effective decision and fault. If the form has no fault, the one counts that was set for this client's
    /// next login, or for this login. An approval uses it up, and it may change the decision.
    func settle(
        _ choice: PageChoice, for client: SandboxClient, state: String?
    ) -> (decision: Decision, fault: SandboxFault?) {
        guard choice.decision == .approve else { return (choice.decision, nil) }
        let fault = choice.fault ?? self.takeFault(for: client, state: state)
        return (fault?.effect.decision ?? .approve, fault)
    }

    private func takeFault(for client: SandboxClient, state: String?) -> SandboxFault? {
        let now = self.now()
        return self.memory.withLock { memory in
            guard let fault = memory.fault(for: client.clientID, state: state, at: now), !fault.standsBeforeLogins
            else { return nil }
            memory.nextFault[client.clientID] = nil
            if let login = state.flatMap(LoginMark.init) { _ = memory.loginFaults.take(login.text, at: now) }
            return fault
        }
    }
}
