/// What the provider's endpoints share: the clock, the memory and the gate before the token endpoint.
import Base
import Synchronization

final class ProviderCore: Sendable {
    let system: SandboxSystem
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
        origin: String, system: SandboxSystem, mutualTLS: String?, lateness: Duration, pollInterval: Duration,
        now: @escaping @Sendable () -> Timestamp
    ) throws {
        self.system = system
        self.now = now
        self.mutualTLS = mutualTLS
        self.lateness = lateness
        self.pollInterval = pollInterval
        self.memory = Mutex(try ProviderMemory(origin: origin))
    }

    /// Under which all paths hang.
    var origin: String { self.memory.withLock { $0.origin } }

    /// As its tokens say it.
    var issuer: String { self.system == .vipps ? self.origin + "/" : self.origin }

    func count(_ endpoint: Ledger.Endpoint) { self.memory.withLock { $0.ledger.count(endpoint) } }

    func client(_ id: String) -> SandboxClient? { self.memory.withLock { $0.clients[id] } }

    /// Whether a fault wants somebody to be logged in here already.
    func hasSession(for client: SandboxClient) -> Bool {
        guard case .session? = self.memory.withLock({ $0.nextFault[client.clientID]?.effect }) else { return false }
        return true
    }

    /// 256 bits, for codes, tokens and pages.
    static func unguessable() -> String { Base64URL.encode(RandomBytes.make(32)) }
}
