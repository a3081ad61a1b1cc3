/// A login that a person decides elsewhere, in BankID's app or on a page of the broker, while the client asks how it goes.
///
///     outstanding ──▶ started ──▶ signing ──▶ approved
///          └─────────────┴───────────┴─▶ denied · timedOut · cancelled
import Base

struct Order<Way: Sendable>: Sendable {
    /// By what the client has asked for it, as its broker remembers that.
    var way: Way
    let client: SandboxClient
    let ends: Timestamp
    private(set) var phase = OrderPhase.outstanding
    /// What goes wrong with its answers, once it has been decided.
    private(set) var fault: SandboxFault.OfOrders?
    /// Of launch links: where the authorization response is.
    private(set) var location: String?
    var polledAt: Timestamp?
    /// Its tokens were given out.
    var isSpent = false

    init(_ client: SandboxClient, _ way: Way, ends: Timestamp) {
        self.client = client
        self.way = way
        self.ends = ends
    }

    /// As it is now: nobody decides an order whose time is up.
    func phase(at now: Timestamp) -> OrderPhase { self.phase.isOpen && now >= self.ends ? .timedOut : self.phase }
}

// MARK: - What happens to it

extension Order {
    mutating func start() {
        guard case .outstanding = self.phase else { return }
        self.phase = .started
    }

    mutating func sign() {
        guard self.phase.isOpen else { return }
        self.phase = .signing
    }

    /// Once, whoever comes first.
    mutating func end(_ phase: OrderPhase, location: String? = nil, fault: SandboxFault? = nil) {
        guard self.phase.isOpen else { return }
        self.phase = phase
        self.location = location
        if case .order(let fault)? = fault?.effect { self.fault = fault }
    }

    /// True for the answer that goes wrong; those after it are right.
    mutating func meets(_ fault: SandboxFault.OfOrders) -> Bool {
        guard self.fault == fault else { return false }
        self.fault = nil
        return true
    }
}

/// How far an order is.
enum OrderPhase: Sendable {
    case outstanding
    /// The page has been opened.
    case started
    case signing
    /// Nil where an authorization response carries a code instead.
    case approved(Grant?)
    case denied
    case timedOut
    /// By the client.
    case cancelled

    var isOpen: Bool {
        switch self {
        case .outstanding, .started, .signing: true
        case .approved, .denied, .timedOut, .cancelled: false
        }
    }
}
