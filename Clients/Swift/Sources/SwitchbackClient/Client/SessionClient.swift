import Foundation

/// The entry point for sessions. A client has one session of one user: it begins after a login, and gives access tokens
/// that are bound to a key of this device.
///
/// Create one client when the app starts, and keep it. Several users of one phone have a client each, with a storage
/// each.
public final class SessionClient: Sendable {
    let keys: any SessionKeyStore
    let dependencies: LoginClientDependencies
    let derivation: any KeyDerivation
    private let attesting: (any KeyAttesting)?
    /// The last statement, and the login that it is for. The client sends it again when it repeats a begin.
    private let attestation = Locked<(login: String, statement: KeyAttestation)?>(nil)
    private let callers = SessionCallers()
    private let events: AsyncStream<SessionReducer.Event>.Continuation
    private let broadcast: StateBroadcast<SessionState>

    /// Creates a client. `server` is the server's `public_url`, and `app` is the app's name in its configuration. Pass
    /// `attesting` if the configuration wants attestations of the app.
    public init(
        server: URL, app: String, storage: any SessionStorage, keys: any SessionKeyStore,
        dependencies: LoginClientDependencies, derivation: any KeyDerivation = SystemKeyDerivation(),
        attesting: (any KeyAttesting)? = nil
    ) {
        let (stream, events) = AsyncStream<SessionReducer.Event>.makeStream()
        let broadcast = StateBroadcast<SessionState>(keepsOnlyLatest: true)
        (self.events, self.broadcast) = (events, broadcast)
        (self.keys, self.dependencies, self.derivation) = (keys, dependencies, derivation)
        self.attesting = attesting
        let runner = SessionRunner(
            server: server, app: app, storage: storage, keys: keys, dependencies: dependencies, callers: self.callers,
            events: events
        ) { broadcast.publish($0) }
        Task { await runner.run(stream) }
        events.yield(.started)
    }

    deinit { self.stop() }

    /// How the session stands, for one more reader. Any number may read, each through a stream of its own. It begins
    /// with the present state, and a slow reader skips states. A reader that goes away ends nothing. The streams finish
    /// with the client.
    public var states: AsyncStream<SessionState> { self.broadcast.makeStream() }

    /// The last state, for a view that is drawn again; nil until the storage was read.
    public var state: SessionState? { self.broadcast.present }

    /// Stops everything as if the app had been killed. The storage keeps the session. For tests and previews.
    public func stop() {
        self.events.finish()
        self.broadcast.finish()
    }

    // MARK: - The begin

    /// Returns the request for a login whose session this client can begin: it carries the thumbprint of this device's
    /// key, which is made if there is none. Use it for the first login and for every step-up.
    public func prepare(_ login: NewLogin) async throws(SessionError) -> NewLogin {
        let name = UUID().uuidString
        guard case .thumbprint(let thumbprint) = try await self.ask({ .keyWanted($0, name: name) }) else {
            throw .cancelled
        }
        var login = login
        login.dpopThumbprint = thumbprint
        return login
    }

    /// Begins the session after a login that has `finished`, or renews it after a step-up. Then it acknowledges the
    /// login, so that the server deletes it: pass the assertion to your API before, if you do.
    ///
    /// Calling it again is safe. When the app was killed, `LoginClient.resume` reports the login again.
    public func begin(after login: LoginSession) async throws(SessionError) {
        guard case .finished(let result)? = login.state?.value, result.status == .completed else { throw .wrongLogin }
        let thumbprint = login.request.dpopThumbprint
        let attestation = await self.attest(login: result.id, thumbprint: thumbprint)
        do throws(SessionError) {
            _ = try await self.ask {
                .beginWanted($0, login.secret, thumbprint: thumbprint, nonce: login.nonce, attestation: attestation)
            }
        } catch {
            if error == .refused(code: "attestation_invalid") { self.attestation.withLock { $0 = nil } }
            throw error
        }
        login.acknowledge()
    }

    /// Returns the statement for this login. If none can be made, the server decides: it begins the session without
    /// one, or refuses that as `attestation_required`, and beginning again makes another attempt.
    private func attest(login: String, thumbprint: String?) async -> KeyAttestation? {
        if let cached = self.attestation.withLock({ $0 }), cached.login == login { return cached.statement }
        guard let attesting,
            let hash = thumbprint.flatMap({ KeyAttestation.clientDataHash(login: login, thumbprint: $0) }),
            let newStatement = try? await attesting.attest(clientDataHash: hash)
        else { return nil }
        self.attestation.withLock { $0 = (login, newStatement) }
        return newStatement
    }

    // MARK: - Access tokens

    /// Returns an access token, and gets a new one first if needed. Callers at the same time share one renewal.
    ///
    /// With `isNew`, it gets a new one in any case: your API has refused the last one.
    public func accessToken(isNew: Bool = false) async throws(SessionError) -> Secret {
        guard case .token(let token) = try await self.ask({ .tokenWanted($0, isNew: isNew) }) else { throw .cancelled }
        return token
    }

    /// Returns the fields for a request to your API: `Authorization` with an access token, and `DPoP` with a proof for
    /// this method and URL (RFC 9449 §7.1). Each request needs its own. `nonce` is your API's, if it wants one (§9).
    public func authorizationFields(method: String, url: URL, nonce: String? = nil) async throws(SessionError)
        -> [String: String]
    {
        let token = try await self.accessToken()
        let record = try await self.record()
        guard let name = record.keyName, let publicKey = record.key else {
            throw .signedOut(record.signOutReason)
        }
        let id = Base64URL.encode(PINSecret.randomBytes(16, using: self.dependencies.random))
        let proof = DPoPProof(
            key: publicKey, method: method, url: url, id: id,
            issuedAt: Int(self.dependencies.date().timeIntervalSince1970.rounded(.down)), nonce: nonce,
            accessToken: token)
        let text = proof.signingInput
        do throws(SessionKeyError) {
            guard let key = try await self.keys.key(name) else { throw .gone }
            let signature = try await key.sign(Data(text.utf8))
            return ["Authorization": "DPoP \(token.exposed)", "DPoP": text + "." + Base64URL.encode(signature)]
        } catch {
            if error == .gone { self.report(.keyGone) }
            throw SessionError(error)
        }
    }

    // MARK: - The end, and other sessions

    /// Locks the session until `unlock`, on this device only. It does nothing in a session without a PIN, which nobody
    /// could unlock.
    public func lock() { self.report(.lockWanted) }

    /// Ends the session here at once, removes its keys, and tells the server. It works without a network and without the
    /// key. Returns false when the server could not be told yet: it is told later, also after the next start.
    @discardableResult
    public func signOut() async -> Bool {
        await self.callers.ask { self.events.yield(.signOutWanted($0)) } == .done
    }

    /// Returns the user's sessions on all devices. The server wants a session that was unlocked, or whose login is at
    /// most 15 minutes old, and else it throws `stepUpRequired`.
    public func sessions() async throws(SessionError) -> [SessionSummary] {
        guard case .sessions(let list) = try await self.ask({ .listWanted($0) }) else { throw .cancelled }
        return list
    }

    /// Ends one of the user's sessions, on the same condition. The session's own id signs out here.
    public func end(_ id: SessionSummary.ID) async throws(SessionError) {
        _ = try await self.ask { .endWanted($0, id) }
    }
}

// MARK: - For the PIN

extension SessionClient {
    func report(_ event: SessionReducer.Event) { self.events.yield(event) }

    func ask(_ event: (SessionCaller) -> SessionReducer.Event) async throws(SessionError) -> SessionReducer.Reply {
        let reply = await self.callers.ask { self.events.yield(event($0)) }
        if case .failed(let error) = reply { throw error }
        return reply
    }

    func record() async throws(SessionError) -> SavedSession {
        guard case .record(let record) = try await self.ask({ .recordWanted($0) }) else { throw .cancelled }
        return record
    }
}

extension SessionError {
    init(_ error: SessionKeyError) {
        switch error {
        case .gone: self = .signedOut(.keyGone)
        case .unavailable: self = .locked(.deviceLocked)
        case .cancelled: self = .key(.cancelledByUser)
        case .failed(let code): self = .key(.failed(code: code))
        }
    }
}
