import Base

/// A login that the user decides elsewhere, in BankID's app or on a page of the broker, while the client polls.
///
///     outstanding ──▶ started ──▶ signing ──▶ approved
///          └─────────────┴───────────┴─▶ denied · timedOut · cancelled
struct Order<Way: Sendable>: Sendable {
    /// What the client requested, as its broker remembers it.
    var way: Way
    let client: SandboxClient
    let ends: Timestamp
    private(set) var phase = OrderPhase.outstanding
    /// What goes wrong in its responses, once it is decided.
    private(set) var fault: OrderFault?
    /// With launch links: where the authorization response is.
    private(set) var location: String?
    var polledAt: Timestamp?
    /// Whether its tokens were issued.
    var isSpent = false

    init(_ client: SandboxClient, _ way: Way, ends: Timestamp) {
        self.client = client
        self.way = way
        self.ends = ends
    }

    /// Returns its phase at this time. An order that is not decided in time has timed out.
    func phase(at now: Timestamp) -> OrderPhase { self.phase.isOpen && now >= self.ends ? .timedOut : self.phase }
}

// MARK: - Changes

extension Order {
    mutating func start() {
        guard case .outstanding = self.phase else { return }
        self.phase = .started
    }

    mutating func sign() {
        guard self.phase.isOpen else { return }
        self.phase = .signing
    }

    /// Ends the order, if it is still open.
    mutating func end(_ phase: OrderPhase, location: String? = nil, fault: SandboxFault? = nil) {
        guard self.phase.isOpen else { return }
        self.phase = phase
        self.location = location
        self.fault = fault?.effect.brokerFault(OrderFault.self)
    }

    /// Returns true for the one response that goes wrong; later ones are right.
    mutating func takeFault(_ fault: OrderFault) -> Bool {
        guard self.fault == fault else { return false }
        self.fault = nil
        return true
    }
}

/// How far an order has come.
enum OrderPhase: Sendable {
    case outstanding
    /// The page has been opened.
    case started
    case signing
    /// Nil if an authorization response contains a code instead.
    case approved(Grant?)
    case denied
    case timedOut
    /// The client cancelled it.
    case cancelled

    var isOpen: Bool {
        switch self {
        case .outstanding, .started, .signing: true
        case .approved, .denied, .timedOut, .cancelled: false
        }
    }
}
