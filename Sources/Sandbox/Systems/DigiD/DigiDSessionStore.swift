/// What DigiD and the resolver remember: sessions that wait for an artifact, and artifacts that wait to be resolved.
import Base
import Synchronization

final class DigiDSessionStore: Sendable {
    /// A registration between its two steps.
    struct Session: Sendable {
        let client: SandboxClient
        let sessionID: String
        /// The `ID` of the request that the response must belong to.
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

    /// What DigiD's app was opened with, after verification.
    struct AuthRequest: Sendable {
        let client: SandboxClient
        let requestID: String
        let contextClass: String
        let returnURL: String
        let relayState: String?
        /// Whether the resolver made the request.
        let isResolvers: Bool
    }

    struct Contents {
        /// By transaction id.
        var sessions = DigiDSessionStore.table(of: Session.self)
        /// Transaction ids, by the request's `ID`.
        fileprivate var transactions = DigiDSessionStore.table(of: String.self)
        /// Pages that wait for the user, by the value of their field `login`.
        var authRequests = DigiDSessionStore.table(of: AuthRequest.self)
        var artifacts = DigiDSessionStore.table(of: Artifact.self)
    }

    private let contents = Mutex(Contents())

    func withLock<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
        self.contents.withLock { body(&$0) }
    }

    func session(ofRequest id: String, at now: Timestamp) -> Session? {
        self.contents.withLock { $0.session(ofRequest: id, at: now) }
    }

    /// DigiD keeps an artifact for fifteen minutes.
    private static func table<Value>(of _: Value.Type) -> ExpiringTable<Value> {
        ExpiringTable(lifetime: .seconds(900), limit: 20_000)
    }
}

extension DigiDSessionStore.Contents {
    mutating func add(_ session: DigiDSessionStore.Session, as transaction: String, at now: Timestamp) -> Bool {
        self.transactions.insert(transaction, for: session.requestID, at: now)
            && self.sessions.insert(session, for: transaction, at: now)
    }

    func session(ofRequest id: String, at now: Timestamp) -> DigiDSessionStore.Session? {
        self.transactions.value(for: id, at: now).flatMap { self.sessions.value(for: $0, at: now) }
    }
}
