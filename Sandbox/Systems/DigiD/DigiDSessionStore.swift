import Base
import Cryptography
import Synchronization

/// What DigiD and the resolver remember: sessions that wait for an artifact, and artifacts that wait to be resolved.
final class DigiDSessionStore: Sendable {
    /// A registration between its two steps.
    struct Session: Sendable {
        let client: SandboxClient
        let sessionID: String
        /// The digest of the `ID` of the request that the response must belong to. A client that makes the request
        /// itself sends no more.
        let requestDigest: String
        /// Whether the resolver made that request.
        let isResolvers: Bool
        /// Set if the resolver opens a third party's app.
        var thirdParty: ThirdParty?

        func isOf(_ requestID: String) -> Bool { self.requestDigest == DigiDSessionStore.digest(of: requestID) }
    }

    /// How the app of a third party was opened.
    struct ThirdParty: Sendable {
        let returnURL: String
        let state: String?
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
        /// Whether a third party's app was opened in place of DigiD's.
        var isThirdParty = false
    }

    struct Contents {
        /// By transaction id.
        var sessions = DigiDSessionStore.table(of: Session.self)
        /// Transaction ids, by the digest of the request's `ID`.
        fileprivate var transactions = DigiDSessionStore.table(of: String.self)
        /// Pages that wait for the user, by the value of their field `login`.
        var authRequests = DigiDSessionStore.table(of: AuthRequest.self)
        var artifacts = DigiDSessionStore.table(of: Artifact.self)
    }

    private let contents = Mutex(Contents())

    func withLock<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
        self.contents.withLock { body(&$0) }
    }

    static func digest(of requestID: String) -> String {
        Base64URL.encode(Digest.sha256.hash(Array(requestID.utf8)))
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
        self.transactions.insert(transaction, for: session.requestDigest, at: now)
            && self.sessions.insert(session, for: transaction, at: now)
    }

    func session(ofRequest id: String, at now: Timestamp) -> DigiDSessionStore.Session? {
        let digest = DigiDSessionStore.digest(of: id)
        return self.transactions.value(for: digest, at: now).flatMap { self.sessions.value(for: $0, at: now) }
    }
}
