/// What DigiD and the resolver remember: sessions that wait for an artifact, and artifacts that wait to be resolved.
import Base

struct DigiDBook: Sendable {
    /// A registration between its two steps.
    struct Session: Sendable {
        let client: SandboxClient
        let sessionID: String
        /// The `ID` of the request that the answer must be of.
        let requestID: String
        /// Whether the resolver made that request.
        let isResolvers: Bool
    }

    struct Artifact: Sendable {
        let requestID: String
        let person: SandboxIdentity
        let contextClass: String
        let fault: DigiDFault
        var isSpent: Bool
    }

    /// DigiD keeps an artifact for fifteen minutes.
    private static let lifetime = Duration.seconds(900)

    /// By transaction id.
    var sessions = ExpiringTable<Session>(lifetime: Self.lifetime, limit: 20_000)
    /// Transaction ids, by the request's `ID`.
    private var transactions = ExpiringTable<String>(lifetime: Self.lifetime, limit: 20_000)
    /// Pages that wait for a person, by the value of their field `login`.
    var asks = ExpiringTable<DigiDAsk>(lifetime: Self.lifetime, limit: 20_000)
    var artifacts = ExpiringTable<Artifact>(lifetime: Self.lifetime, limit: 20_000)

    mutating func add(_ session: Session, as transaction: String, at now: Timestamp) -> Bool {
        self.transactions.insert(transaction, for: session.requestID, at: now)
            && self.sessions.insert(session, for: transaction, at: now)
    }

    func session(ofRequest id: String, at now: Timestamp) -> Session? {
        self.transactions.value(for: id, at: now).flatMap { self.sessions.value(for: $0, at: now) }
    }
}
