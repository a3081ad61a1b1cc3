/// What the provider's endpoints share: the clock, the memory and the gate before the token endpoint.
import Base
import Synchronization

final class ProviderCore: Sendable {
    let broker: any PlayedBroker
    let now: @Sendable () -> Timestamp
    let memory: Mutex<ProviderMemory>
    let gate = TokenGate()
    /// The origin at which a proxy asks clients for certificates and hands them on. Without it none is believed.
    let mutualTLS: String?
    /// How late a late answer is.
    let lateness: Duration

    /// How often a client may ask for an order, at a system that says so.
    let pollInterval: Duration

    init(
        origin: String, broker: any PlayedBroker, mutualTLS: String?, lateness: Duration, pollInterval: Duration,
        now: @escaping @Sendable () -> Timestamp
    ) throws {
        self.broker = broker
        self.now = now
        self.mutualTLS = mutualTLS
        self.lateness = lateness
        self.pollInterval = pollInterval
        self.memory = Mutex(try ProviderMemory(origin: origin))
    }

    /// Under which all paths hang.
    var origin: String { self.memory.withLock { $0.origin } }

    /// As its tokens say it.
    var issuer: String { self.broker.issuer(at: self.origin) }

    var system: SandboxSystem { self.broker.system }

    func count(_ endpoint: Ledger.Endpoint) { self.memory.withLock { $0.ledger.count(endpoint) } }

    func client(_ id: String) -> SandboxClient? { self.memory.withLock { $0.clients[id] } }
}

// MARK: - The faults that tests have set

extension ProviderCore {
    /// The fault of this client's next login.
    func fault(for client: SandboxClient) -> SandboxFault? { self.memory.withLock { $0.nextFault[client.clientID] } }

    /// Whether a fault wants somebody to be logged in here already.
    func hasSession(for client: SandboxClient) -> Bool {
        guard case .session? = self.fault(for: client)?.effect else { return false }
        return true
    }

    /// What comes of a choice, with the fault that a test has set for this client's next login, if the form has none. It is
    /// used up by an approval, of which a fault may make something else.
    func settled(_ choice: PageChoice, for client: SandboxClient) -> (decision: Decision, fault: SandboxFault?) {
        guard choice.decision == .approve else { return (choice.decision, nil) }
        let fault = choice.fault ?? self.takeFault(for: client)
        switch fault?.effect {
        case .decision(let decision)?: return (decision, fault)
        case .order(let order)? where order.isRefusal: return (.cancel, fault)
        default: return (.approve, fault)
        }
    }

    private func takeFault(for client: SandboxClient) -> SandboxFault? {
        self.memory.withLock { memory in
            guard let fault = memory.nextFault[client.clientID], !fault.standsBeforeLogins else { return nil }
            memory.nextFault[client.clientID] = nil
            return fault
        }
    }
}
