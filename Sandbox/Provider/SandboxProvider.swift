import Base
import EventLoop
import HTTPServer
import HTTPWire
import Synchronization

/// An OpenID provider for development and tests, which can also make mistakes on purpose (see `SandboxFault`).
///
/// It shares only JOSE and the HTTP server with the relying party, so that a mistake is not made on both sides.
/// Everything is in memory, has a limit and a deadline, and is gone with the process.
package final class SandboxProvider: Sendable {
    let core: ProviderCore
    private let takesIssuerFromPort: Bool
    private let server = Mutex<HTTPServer?>(nil)

    /// Creates a provider. Without an `issuer`, the issuer is `http://localhost:` and the port, which `start` finds
    /// out. With `mutualTLS`, a proxy in front of us requests certificates at that origin, and passes them on in
    /// `X-Client-Certificate`.
    package init(
        issuer: String? = nil, system: SandboxSystem = .oidc, mutualTLS: String? = nil, clients: [SandboxClient] = [],
        lateness: Duration = .seconds(20), pollInterval: Duration = .seconds(3),
        now: @escaping @Sendable () -> Timestamp
    ) throws {
        for origin in [issuer, mutualTLS].compactMap(\.self) where Origin.source(of: origin) != origin {
            throw OperatorError(
                "\(origin) is not an issuer: use scheme://host or scheme://host:port, because all paths are directly below it"
            )
        }
        self.takesIssuerFromPort = issuer == nil
        self.core = try ProviderCore(
            origin: issuer ?? "http://localhost", broker: system.broker, faults: SandboxFault.all, mutualTLS: mutualTLS,
            lateness: lateness, pollInterval: pollInterval, now: now)
        for client in clients { try self.register(client) }
    }

    package var issuer: String { self.core.issuer }

    /// Returns the page that plays BankID's app, for a link that would open it on a phone: a launch link of ours, or
    /// one that a relying party made of an `autoStartToken`. Nil for any other link.
    package func bankIDAppURL(forLaunchLink link: String) -> String? {
        BankIDLinks.page(for: link, origin: self.core.origin)
    }

    package var handler: any RequestHandler { ProviderHandler(core: self.core) }

    /// Adds a client, or replaces the one with that id. This also works while the provider runs, because redirect URIs
    /// may depend on ports.
    package func register(_ client: SandboxClient) throws {
        if let problem = client.problem {
            throw OperatorError("the client \(client.clientID) cannot be registered: \(problem)")
        }
        try self.core.memory.withLock { memory in
            try memory.keys.provide(for: client.idTokenAlgorithm)
            memory.clients[client.clientID] = client
        }
    }

    /// Listens, and returns the port.
    package func start(
        listen: ListenAddress, loops: [EventLoop], recorder: CallRecorder? = nil
    ) throws -> UInt16 {
        let server: HTTPServer
        if let recorder {
            server = HTTPServer(
                listen: listen, loops: loops, handler: RecordingHandler(self.handler, at: .broker, recorder),
                exchanges: recorder)
        } else {
            server = HTTPServer(listen: listen, loops: loops, handler: self.handler)
        }
        guard self.server.withLock({ $0 == nil }) else {
            throw OperatorError("the provider is already running: close it before you start it again")
        }
        let port = try server.start().port
        self.server.withLock { $0 = server }
        if self.takesIssuerFromPort { self.core.memory.withLock { $0.origin = "http://localhost:\(port)" } }
        return port
    }

    package func close() async {
        let server = self.server.withLock { server in
            let stoppedServer = server
            server = nil
            return stoppedServer
        }
        self.core.gate.open()
        await server?.close()
    }
}

extension SandboxSystem {
    /// The broker that is played, with a memory of its own.
    fileprivate var broker: any SimulatedBroker {
        switch self {
        case .oidc: PlainProvider()
        case .signaturgruppen: NetsEIDBroker()
        case .vipps: VippsLogin()
        case .idura: IduraVerify()
        case .digid: DigiD()
        }
    }
}

extension SandboxFault {
    /// Those of all brokers. Some brokers share theirs.
    package static let all = SandboxSystem.allCases.flatMap(\.broker.faults)
        .reduce(into: Self.common) { all, fault in
            if !all.contains(where: { $0.name == fault.name }) { all.append(fault) }
        }

    package static func named(_ name: String) -> Self? { self.byName[name] }

    private static let byName = Dictionary(
        uniqueKeysWithValues: Self.all.flatMap { fault in fault.names.map { ($0, fault) } })
}

// MARK: - For tests and for the phone

extension SandboxProvider {
    /// Sets the fault of this client's next approved login, unless its form names another fault. A fault that takes
    /// effect earlier (`standsBeforeLogins`) stays until it is reset to nil.
    package func setFault(_ name: String?, for clientID: String) throws {
        let fault = try name.map(self.fault)
        self.core.memory.withLock { $0.nextFault[clientID] = fault }
    }

    /// Sets the fault of one login of our server, by its id. It also finds faults that take effect before the page.
    package func setFault(_ name: String, forLogin id: String) throws {
        let fault = try self.fault(name)
        guard let login = LoginMark(id) else { return }
        let now = self.core.now()
        self.core.memory.withLock { memory in
            guard memory.loginFaults.change(login.text, { $0 = fault }) == nil else { return }
            _ = memory.loginFaults.insert(fault, for: login.text, at: now)
        }
    }

    private func fault(_ name: String) throws -> SandboxFault {
        guard let fault = SandboxFault.named(name), fault.systems.contains(self.core.system) else {
            throw OperatorError(
                "there is no fault \(name) here: use one of SandboxFault.all that this system has")
        }
        return fault
    }

    /// What the provider has been asked so far.
    package var requestLog: RequestLog { self.core.memory.withLock { $0.requestLog } }

    package func count(of endpoint: RequestLog.Endpoint) -> Int { self.requestLog.requests[endpoint, default: 0] }

    /// From now on token requests are counted and held.
    package func pauseTokenEndpoint() { self.core.gate.close() }

    /// Responds to the held token requests, and to all that follow.
    package func resumeTokenEndpoint() { self.core.gate.open() }

    /// Returns when this many token requests are held, and throws if they are not within two minutes.
    package func waitForHeldTokenRequests(_ count: Int = 1) async throws {
        try await self.core.gate.waitUntilHeld(count)
    }
}
