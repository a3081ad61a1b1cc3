/// An OpenID provider for development and tests, which can also do wrong on purpose (see `SandboxFault`).
///
/// It shares nothing with the relying party but JOSE and the HTTP server, so that a mistake is not made on both sides.
/// Everything is in memory, has a cap and a deadline, and is gone with the process.
import Base
import EventLoop
import HTTPServer
import HTTPWire
import JOSE
import Synchronization

package final class SandboxProvider: Sendable {
    private let core: ProviderCore
    private let takesIssuerFromPort: Bool
    private let server = Mutex<HTTPServer?>(nil)

    /// Without an `issuer` it is `http://localhost:` and the port, which `start` finds out. With `mutualTLS`, a proxy in
    /// front of us asks for certificates at that origin, and hands them on in `X-Client-Certificate`.
    package init(
        issuer: String? = nil, system: SandboxSystem = .oidc, mutualTLS: String? = nil, clients: [SandboxClient] = [],
        lateness: Duration = .seconds(20), pollInterval: Duration = .seconds(3),
        now: @escaping @Sendable () -> Timestamp
    ) throws {
        for origin in [issuer, mutualTLS].compactMap(\.self) where Origin.source(of: origin) != origin {
            throw SandboxProviderError.issuer(origin)
        }
        self.takesIssuerFromPort = issuer == nil
        self.core = try ProviderCore(
            origin: issuer ?? "http://localhost", broker: system.broker, mutualTLS: mutualTLS, lateness: lateness,
            pollInterval: pollInterval, now: now)
        for client in clients { try self.register(client) }
    }

    package var issuer: String { self.core.issuer }

    /// The page that plays BankID's app, for a link that would open it on a phone: a launch link of ours, or one that a
    /// relying party has made of an `autoStartToken`. Nil for any other link.
    package func bankIDAppURL(forLaunchLink link: String) -> String? {
        BankIDLinks.page(for: link, origin: self.core.origin)
    }

    package var handler: any RequestHandler { ProviderHandler(core: self.core) }

    /// Adds a client, or replaces the one of that name. Also while it runs: redirect URIs may depend on ports.
    package func register(_ client: SandboxClient) throws {
        if let problem = client.problem { throw SandboxProviderError.client(client.clientID, problem: problem) }
        try self.core.memory.withLock { memory in
            try memory.keys.provide(for: client.idTokenAlgorithm)
            memory.clients[client.clientID] = client
        }
    }

    /// Listens, and returns the port.
    package func start(listen: Listen, loops: [EventLoop]) throws -> UInt16 {
        let server = HTTPServer(listen: listen, loops: loops, limits: ServerLimits(), handler: self.handler)
        guard self.server.withLock({ $0 == nil }) else { throw SandboxProviderError.started }
        let port = try server.start().port
        self.server.withLock { $0 = server }
        if self.takesIssuerFromPort { self.core.memory.withLock { $0.origin = "http://localhost:\(port)" } }
        return port
    }

    package func close() async {
        let server = self.server.withLock { server in
            let running = server
            server = nil
            return running
        }
        self.core.gate.open()
        await server?.close()
    }
}

extension SandboxSystem {
    /// Whoever plays it, with a memory of its own.
    fileprivate var broker: any PlayedBroker {
        switch self {
        case .oidc: PlainProvider()
        case .signaturgruppen: NetsEIDBroker()
        case .vipps: VippsLogin()
        case .idura: IduraVerify()
        case .digid: DigiD()
        }
    }
}

/// Why a provider does not do what it is told to.
package enum SandboxProviderError: Error, Equatable, CustomStringConvertible, Sendable {
    case issuer(String)
    case client(String, problem: String)
    case fault(String)
    case started

    package var description: String {
        switch self {
        case .issuer(let text):
            "\(text) is no issuer: give scheme://host or scheme://host:port, since all paths hang directly under it"
        case .client(let id, let problem): "the client \(id) cannot be registered: \(problem)"
        case .fault(let name): "there is no fault \(name) here: take one of SandboxFault.all that this system has"
        case .started: "the provider has been started: close it before you start it again"
        }
    }
}

// MARK: - For tests

extension SandboxProvider {
    /// The next login of this client that somebody approves goes wrong in this way, unless its form names another one.
    /// A fault that bites before that (`standsBeforeLogins`) stands until it is set back to nil.
    package func setFault(_ name: String?, for clientID: String) throws {
        let fault = try name.map { name in
            guard let fault = SandboxFault.named(name), fault.systems.contains(self.core.system) else {
                throw SandboxProviderError.fault(name)
            }
            return fault
        }
        self.core.memory.withLock { $0.nextFault[clientID] = fault }
    }

    /// What it has been asked so far.
    package var ledger: Ledger { self.core.memory.withLock { $0.ledger } }

    package func count(of endpoint: Ledger.Endpoint) -> Int { self.ledger.requests[endpoint, default: 0] }

    /// From now on token requests are counted and held.
    package func pauseTokenEndpoint() { self.core.gate.close() }

    /// Answers what was held, and all that comes.
    package func resumeTokenEndpoint() { self.core.gate.open() }

    package var heldTokenRequests: Int { self.core.gate.heldCount }

    /// Returns when so many token requests are held.
    package func tokenRequestsAreHeld(_ count: Int = 1) async { await self.core.gate.holds(count) }

    /// The keys as they are published now.
    package var keys: JWKSet {
        let now = self.core.now()
        return self.core.memory.withLock { $0.keys.published(at: now) }
    }
}
