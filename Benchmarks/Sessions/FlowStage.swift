import Base
import EventLoop
import Foundation
import JOSE
import Logins
import PhoneKeys
import Served
import Sessions
import Stores
import BenchmarkSupport
import Synchronization
import TestSupport

/// Sessions on a store in this process, without HTTP: phones that use theirs, and rows that only fill the store.
final class FlowStage: Sendable {
    /// What a phone sends, made before the clock runs.
    struct Request: Sendable {
        let refreshToken: Secret
        let proof: String
    }

    private struct Phone: Sendable {
        let key: PhoneKey
        let session: SessionID
        let refreshToken: Secret
        let pin: Secret
    }

    private static let app = "demo"
    private static let url = "https://login.example"
    private static let phoneCount = Extent.of(500, short: 20)

    private let opened: OpenedStore
    private let flow: SessionFlow
    private let phones: [Phone]
    /// The rows that fill the store; a measured write replaces one of the first.
    private let fillers = Mutex<[SealedSession]>([])
    private let stored: Atomic<Int>

    init(_ store: ServedStore) async throws {
        self.opened = try OpenedStore(store)
        let signer = try JWTSigner(key: PrivateKey.generate(.p256), algorithm: .es256, keyID: "1")
        guard let keys = SessionKeys([SessionKey.make()]), let jwk = signer.jwk else {
            throw LoginClient.Failure(description: "no keys")
        }
        let terms = SessionTerms(
            app: Self.app, audience: "https://api.example", level: .unlock, allowsCodeProof: false,
            allowsBearer: false)
        let day = Duration.seconds(86_400)
        var rules = SessionRules()
        rules.idle = day
        let configuration = SessionConfiguration(
            issuer: Self.url, keys: keys, signer: signer, verificationKeys: JWKSet([jwk]), terms: [Self.app: terms],
            rules: rules)
        let flow = SessionFlow(configuration, store: self.opened.sessions, now: WallClock.now, observe: { _ in })
        self.flow = flow
        let begun = Mutex<[Phone]>([])
        try await Load.run(Self.phoneCount, atOnce: SessionBenchmark.width) { number in
            let phone = try await Self.begin(flow, number)
            begun.withLock { $0.append(phone) }
        }
        self.phones = begun.withLock { $0 }
        self.stored = Atomic(Self.phoneCount)
    }

    func close() async { await self.opened.close() }

    private static func begin(_ flow: SessionFlow, _ number: Int) async throws -> Phone {
        let (key, now, pin) = (try PhoneKey(), WallClock.now(), Secret(RandomBytes.make(32)))
        let login = CompletedLogin(
            app: self.app, provider: "demo", eid: "demo", subject: Secret("user-\(number)"), acr: "high", amr: ["otp"],
            authTime: now, proof: .pageLink, completedAt: now, keepUntil: now + .seconds(600), platform: "ios",
            thumbprint: key.thumbprint, level: .unlock)
        let tokens = try await flow.begin(login, proof: try self.proof(flow, key, "POST", "/v1/sessions"))
        guard let refreshToken = tokens.refreshToken, let accessToken = tokens.accessToken else {
            throw LoginClient.Failure(description: "no session")
        }
        let url = "\(self.url)/v1/sessions/\(tokens.sessionID)/pin"
        let text = try key.proof("PUT", url, nonce: flow.makeNonce(), accessToken: accessToken)
        let (proof, claims) = try flow.verifyProof([text], method: "PUT", url: url, accessToken: accessToken)
        guard let claims else { throw LoginClient.Failure(description: "the access token is not valid") }
        try await flow.setPIN(tokens.sessionID, secret: pin, accessToken: claims, proof: proof)
        return Phone(key: key, session: tokens.sessionID, refreshToken: refreshToken, pin: pin)
    }

    private static func proof(
        _ flow: SessionFlow, _ key: PhoneKey, _ method: String, _ path: String
    ) throws -> DPoPProof {
        let text = try key.proof(method, self.url + path, nonce: flow.makeNonce())
        return try flow.verifyProof([text], method: method, url: self.url + path)
    }

    // MARK: - Requests

    func renewals() throws -> [Request] { try self.phones.map { try self.request($0, isUnlock: false) } }

    func unlocks() throws -> [Request] { try self.phones.map { try self.request($0, isUnlock: true) } }

    private func request(_ phone: Phone, isUnlock: Bool) throws -> Request {
        let pin = PhoneKey.PIN(phone.pin, session: phone.session.text)
        let proof = try phone.key.proof(
            "POST", "\(Self.url)/oauth/token", nonce: self.flow.makeNonce(), pin: isUnlock ? pin : nil)
        return Request(refreshToken: phone.refreshToken, proof: proof)
    }

    func send(_ request: Request) async throws {
        let proof = try self.flow.verifyProof([request.proof], method: "POST", url: "\(Self.url)/oauth/token")
        _ = try await self.flow.renew(refreshToken: request.refreshToken, clientID: Self.app, proof: proof)
    }

    // MARK: - Rows

    /// Adds copies of a phone's row, under other ids and of other people, until there are this many sessions.
    func fill(to count: Int) async throws {
        let sessions = self.opened.sessions
        guard let phone = self.phones.first, let row = try await sessions.loadSession(phone.session) else {
            throw LoginClient.Failure(description: "the store has lost a session")
        }
        let missing = max(0, count - self.stored.load(ordering: .relaxed))
        // A store that commits what waits in one transaction does so best with many waiting.
        try await Load.run(missing, atOnce: 1024) { number in
            guard let id = SessionID(RandomBytes.make(16)) else { return }
            let copy = SealedSession(
                id: id, revision: 1, due: row.due, person: RandomBytes.make(32), keyID: row.keyID, bytes: row.bytes)
            guard try await sessions.insertSession(copy) else {
                throw LoginClient.Failure(description: "an id is taken")
            }
            if number < Self.phoneCount { self.fillers.withLock { $0.append(copy) } }
        }
        self.stored.add(missing, ordering: .relaxed)
    }

    /// Makes this many writes, at most `SessionBenchmark.width` at a time.
    func write(_ count: Int) async throws {
        if self.fillers.withLock({ $0.isEmpty }) {
            try await self.fill(to: self.stored.load(ordering: .relaxed) + Self.phoneCount)
        }
        let rows = self.fillers.withLock { $0 }
        let sessions = self.opened.sessions
        // Each row is written by one task only.
        let share = max(1, count / Self.phoneCount)
        try await Load.run(min(rows.count, count / share), atOnce: SessionBenchmark.width) { number in
            var row = rows[number]
            for _ in 0..<share {
                let next = SealedSession(
                    id: row.id, revision: row.revision + 1, due: row.due, person: row.person, keyID: row.keyID,
                    bytes: row.bytes)
                guard try await sessions.replaceSession(next, revision: row.revision) else {
                    throw LoginClient.Failure(description: "a row has another revision")
                }
                row = next
            }
            let written = row
            self.fillers.withLock { $0[number] = written }
        }
    }
}

/// A store of sessions in this process.
private struct OpenedStore: Sendable {
    let sessions: any SessionStore
    let close: @Sendable () async -> Void

    init(_ store: ServedStore) throws {
        switch store {
        case .memory:
            self.sessions = MemoryLoginStore()
            self.close = {}
        case .sqlite:
            let folder = NSTemporaryDirectory() + "switchback-benchmark-\(UInt32.random(in: 0 ... .max))"
            let store = try SQLiteLoginStore(path: "\(folder)/switchback.db")
            self.sessions = store
            self.close = {
                await store.close()
                try? FileManager.default.removeItem(atPath: folder)
            }
        case .postgresql:
            let server = try PostgresServer.shared()
            let loop = try EventLoop(name: "store")
            let store = try PostgresLoginStore(
                PostgresSettings(url: Secret(server.url(try server.makeDatabase()))), on: loop)
            self.sessions = store
            self.close = {
                await store.close()
                loop.close()
            }
        }
    }
}
