import Foundation
import Testing

@testable import SwitchbackClient

/// Sessions with keys, a storage and a PIN, against the model server. Whole logins are in `EndToEndClientTests`.
@Suite struct SessionClientTests {
    /// A storage in memory that can fail.
    private actor Memory: SessionStorage {
        struct Full: Error {}
        var bytes: Data?
        var isLocked = false

        func lock(_ isLocked: Bool) { self.isLocked = isLocked }

        func load() async throws -> SavedSession? {
            if self.isLocked { throw Full() }
            return try self.bytes.map { try JSONDecoder().decode(SavedSession.self, from: $0) }
        }

        func save(_ session: SavedSession) async throws {
            if self.isLocked { throw Full() }
            self.bytes = try JSONEncoder().encode(session)
        }
    }

    /// PBKDF2 with few iterations, so that tests are fast.
    private struct Quick: KeyDerivation {
        func derive(from password: [UInt8], salt: [UInt8], iterations: Int) -> [UInt8] {
            SoftwareKeyDerivation().derive(from: password, salt: salt, iterations: iterations / 100_000)
        }
    }

    /// A phone with its server.
    private final class Phone: Sendable {
        let server = Locked(ModelServer())
        let keys = TestKeys()
        let storage = Memory()
        let isOffline = Locked(false)

        struct Offline: Error {}

        /// The bodies of the begins.
        let begins = Locked<[Data?]>([])

        /// A client, as after a start of the app.
        func client(attesting: (any KeyAttesting)? = nil) -> SessionClient {
            SessionClient(
                server: Example.server, app: "demo", storage: self.storage, keys: self.keys,
                dependencies: self.dependencies, derivation: Quick(), attesting: attesting)
        }

        private var dependencies: LoginClientDependencies {
            var dependencies = LoginClientDependencies { [server, isOffline, begins] request in
                if request.method == "POST", request.url.path == "/v1/sessions" {
                    begins.withLock { $0.append(request.body) }
                }
                if isOffline.withLock({ $0 }) { throw Offline() }
                if request.url.path.hasPrefix("/v1/logins") {
                    return request.method == "DELETE"
                        ? HTTPResponse(status: 204) : Example.login("completed", version: 3)
                }
                return server.withLock { $0.respond(to: request) }
            }
            dependencies.sleep = { _ in await Task.yield() }
            // Each look at the clock is ten seconds later, so nothing waits for real.
            let now = Locked(0.0)
            dependencies.now = {
                MonotonicInstant(
                    seconds: now.withLock { now in
                        now += 10
                        return now
                    })
            }
            return dependencies
        }

        /// A login that has completed, with the key of this client.
        func logIn(_ client: SessionClient) async throws -> LoginSession {
            let logins = LoginClient(server: Example.server, store: Logins(), dependencies: self.dependencies)
            let request = try await client.prepare(NewLogin(provider: "mitid", platform: .ios))
            let login = logins.start(request)
            self.server.withLock { $0.logIn(login.secret, thumbprint: request.dpopThumbprint ?? "") }
            for await state in login.states {
                if state.kind == .finished { break }
            }
            return login
        }

        func begin(_ client: SessionClient) async throws {
            try await client.begin(after: try await self.logIn(client))
        }
    }

    private actor Logins: SavedLoginStore {
        func save(_ login: SavedLogin) async throws {}
        func remove(_ id: SavedLogin.ID) async throws {}
        func all() async throws -> [SavedLogin] { [] }
    }

    @Test("a whole session outlives its app") func aWholeSession() async throws {
        let phone = Phone()
        let client = phone.client()
        await #expect(throws: SessionError.signedOut(.neverSignedIn)) { try await client.accessToken() }
        try await phone.begin(client)
        #expect(client.state == .active(needsPIN: true))
        try await client.setPIN("123456")
        #expect(client.state == .active(needsPIN: false))
        // The app is killed.
        client.stop()
        let next = phone.client()
        phone.server.withLock { $0.isIdle = true }
        await #expect(throws: SessionError.pinRequired(triesLeft: nil)) { try await next.accessToken() }
        await #expect(throws: SessionError.wrongPIN(triesLeft: 4)) { try await next.unlock(pin: "654321") }
        try await next.unlock(pin: "123456")
        #expect(next.state == .active(needsPIN: false))
        try await next.changePIN(from: "123456", to: "87654321")
        try await next.unlock(pin: "87654321")
        #expect(try await next.sessions().count == 1)
        #expect(await next.signOut())
        #expect(next.state == .signedOut(.byUser))
        #expect(phone.server.withLock { $0.sessions.isEmpty })
        #expect(phone.keys.state.withLock { $0.keys.isEmpty && $0.wrappers.isEmpty })
    }

    @Test("a view that goes away leaves the session to the next one") func aViewThatGoesAway() async throws {
        let client = Phone().client()
        for _ in 0..<2 { for await state in client.states where state == .signedOut(.neverSignedIn) { break } }
        client.stop()
        for await state in client.states { #expect(state == .signedOut(.neverSignedIn)) }
    }

    /// Makes a statement that only repeats what it should cover, or none.
    private final class Attesting: KeyAttesting {
        struct Unavailable: Error {}
        let count = Locked(0)
        let isAvailable = Locked(true)

        func attest(clientDataHash: Data) async throws -> KeyAttestation? {
            guard self.isAvailable.withLock({ $0 }) else { throw Unavailable() }
            self.count.withLock { $0 += 1 }
            return KeyAttestation(object: clientDataHash, keyID: Data(repeating: 1, count: 32))
        }
    }

    @Test("the begin carries an attestation") func theBeginCarriesAnAttestation() async throws {
        let (phone, attesting) = (Phone(), Attesting())
        let client = phone.client(attesting: attesting)
        let login = try await phone.logIn(client)
        phone.isOffline.withLock { $0 = true }
        await #expect(throws: SessionError.self) { try await client.begin(after: login) }
        phone.isOffline.withLock { $0 = false }
        try await client.begin(after: login)
        let begins = phone.begins.withLock { $0 }
        #expect(begins.count >= 2 && Set(begins).count == 1, "a repeat sends the same statement")
        #expect(attesting.count.withLock { $0 } == 1)
        let body = try JSONDecoder().decode(JSONValue.self, from: try #require(begins[0]))
        #expect(body["attestation"]?["format"]?.string == "apple-appattest")
        #expect(body["attestation"]?["key_id"]?.string == Base64URL.encode([UInt8](repeating: 1, count: 32)))
        guard case .finished(let result)? = login.state?.value else { throw Attesting.Unavailable() }
        let hash = KeyAttestation.clientDataHash(login: result.id, thumbprint: login.request.dpopThumbprint ?? "")
        #expect(body["attestation"]?["attestation_object"]?.string == hash.map { Base64URL.encode($0) })
    }

    @Test("a device that cannot attest begins without") func aDeviceThatCannotAttestBeginsWithout() async throws {
        let (phone, attesting) = (Phone(), Attesting())
        attesting.isAvailable.withLock { $0 = false }
        try await phone.begin(phone.client(attesting: attesting))
        let begins = phone.begins.withLock { $0 }
        #expect(!begins.isEmpty && begins.allSatisfy { $0 == nil })
    }

    /// The server's tests have the same value.
    @Test("a statement covers the login and the key") func whatAStatementCovers() throws {
        let hash = KeyAttestation.clientDataHash(
            login: "AAAAAAAAAAAAAAAAAAAAAA", thumbprint: "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE")
        #expect(
            hash?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                == "c528fe14d8833154fe093dc8d4259faa81ce18e56fbe27a6dc92cf792e14e566")
        #expect(KeyAttestation.clientDataHash(login: "AAAAAAAAAAAAAAAAAAAAAA", thumbprint: "AQEB") == nil)
    }

    @Test("callers share one renewal") func callersShareOneRenewal() async throws {
        let phone = Phone()
        let client = phone.client()
        try await phone.begin(client)
        client.stop()
        let next = phone.client()
        let tokens = try await withThrowingTaskGroup(of: Secret.self) { group in
            for _ in 0..<50 { group.addTask { try await next.accessToken() } }
            return try await group.reduce(into: Set<Secret>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        // The first request only brought a nonce.
        #expect(phone.server.withLock { $0.log.count { $0 == "POST /oauth/token" } } <= 2)
    }

    @Test("a request to an API has a token and a proof") func aRequestToAnAPI() async throws {
        let phone = Phone()
        let client = phone.client()
        try await phone.begin(client)
        let url = try #require(URL(string: "https://api.example/accounts?id=1#x"))
        let fields = try await client.authorizationFields(method: "GET", url: url, nonce: "theirs")
        let token = try await client.accessToken()
        #expect(fields["Authorization"] == "DPoP \(token.exposed)")
        let claims = ModelServer.claims(fields["DPoP"] ?? "")
        #expect(claims?["htu"]?.string == "https://api.example/accounts" && claims?["htm"]?.string == "GET")
        #expect(claims?["ath"]?.string == Base64URL.encode(SHA256.hash(Array(token.exposed.utf8))))
        #expect(claims?["nonce"]?.string == "theirs")
        let other = try await client.authorizationFields(method: "GET", url: url)
        #expect(ModelServer.claims(other["DPoP"] ?? "")?["jti"] != claims?["jti"])
        phone.keys.state.withLock { $0.keys = [:] }
        await #expect(throws: SessionError.signedOut(.keyGone)) {
            try await client.authorizationFields(method: "GET", url: url)
        }
        await #expect(throws: SessionError.signedOut(.keyGone)) { try await client.accessToken() }
    }

    @Test("a storage that cannot be read signs nobody out") func aStorageThatCannotBeReadSignsNobodyOut() async throws {
        let phone = Phone()
        let client = phone.client()
        try await phone.begin(client)
        client.stop()
        await phone.storage.lock(true)
        let next = phone.client()
        await #expect(throws: SessionError.storageFailed) { try await next.accessToken() }
        #expect(next.state == nil)
        await phone.storage.lock(false)
        _ = try await next.accessToken()
        #expect(next.state == .active(needsPIN: true))
    }

    @Test("an offline phone signs out now and revokes later") func offline() async throws {
        let phone = Phone()
        let client = phone.client()
        try await phone.begin(client)
        phone.isOffline.withLock { $0 = true }
        await #expect(throws: SessionError.noResponse(.noResponse)) { try await client.accessToken(isNew: true) }
        #expect(await client.signOut() == false)
        #expect(client.state == .signedOut(.byUser))
        client.stop()
        phone.isOffline.withLock { $0 = false }
        let next = phone.client()
        for _ in 0..<10_000 {
            if phone.server.withLock({ $0.sessions.isEmpty }) { break }
            try await Task.sleep(nanoseconds: 1_000_000)
        }
        #expect(phone.server.withLock { $0.sessions.isEmpty })
        next.stop()
    }

    @Test("a caller that is cancelled no longer waits") func whoIsCancelledNoLongerWaits() async throws {
        let phone = Phone()
        let client = phone.client()
        try await phone.begin(client)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.accessToken(isNew: true)
        }
        await #expect(throws: SessionError.cancelled) { try await task.value }
        _ = try await client.accessToken()
        client.stop()
        await #expect(throws: SessionError.cancelled) { try await client.accessToken() }
    }

    /// The login is acknowledged when the session is stored, and not before.
    @Test("the login stays until the session is stored") func theLoginStaysUntilTheSessionIsStored() async throws {
        let phone = Phone()
        let client = phone.client()
        let login = try await phone.logIn(client)
        await phone.storage.lock(true)
        await #expect(throws: SessionError.storageFailed) { try await client.begin(after: login) }
        #expect(login.state?.login?.status == .completed)
        await phone.storage.lock(false)
        try await client.begin(after: login)
        #expect(phone.server.withLock { $0.sessions.count } == 1)
        // A login that did not come from `prepare`.
        let foreign = LoginClient(
            server: Example.server, store: Logins(),
            dependencies: LoginClientDependencies { _ in Example.login("completed", version: 3) }
        ).start(NewLogin(provider: "mitid"))
        await #expect(throws: SessionError.wrongLogin) { try await client.begin(after: foreign) }
    }

    // MARK: - The PIN

    @Test("a malformed PIN is not sent", arguments: ["", "12345", "12345a", "１２３４５６", "12 456", "-12345", "1234५6"])
    func aMalformedPIN(_ pin: String) async throws {
        let phone = Phone()
        let client = phone.client()
        try await phone.begin(client)
        await #expect(throws: SessionError.malformedPIN) { try await client.setPIN(pin) }
        await #expect(throws: SessionError.malformedPIN) { try await client.unlock(pin: pin) }
        #expect(phone.server.withLock { $0.counted } == 0)
    }

    @Test("without a wrapping key there is no PIN") func noWrappingKeyNoPIN() async throws {
        let phone = Phone()
        let client = phone.client()
        try await phone.begin(client)
        phone.keys.state.withLock { $0.hasWrappingKeys = false }
        await #expect(throws: SessionError.noWrappingKey) { try await client.setPIN("123456") }
        await #expect(throws: SessionError.noPIN) { try await client.unlock(pin: "123456") }
        phone.keys.state.withLock { $0.hasWrappingKeys = true }
        try await client.setPIN("123456")
        phone.keys.state.withLock { $0.wrappers = [:] }
        await #expect(throws: SessionError.noPIN) { try await client.unlock(pin: "123456") }
        try await client.setPIN("123456")
        try await client.unlock(pin: "123456")
    }

    /// Two secrets under one PIN, and two PINs: nothing stored is like before.
    @Test("a new PIN has a new secret and salt") func aNewPINHasANewSecretAndSalt() async throws {
        let phone = Phone()
        let client = phone.client()
        try await phone.begin(client)
        var pins: [WrappedPIN] = []
        var secrets: Set<PINSecret> = []
        for pin in ["123456", "123456", "654321"] {
            try await client.setPIN(pin)
            pins += try await client.record().pins
            secrets.formUnion(phone.server.withLock { $0.sessions.values.compactMap(\.pin) })
        }
        #expect(pins.count == 3 && secrets.count == 3 && Set(pins.map(\.salt)).count == 3)
        #expect(pins.allSatisfy { $0.salt.count == 16 && $0.masked.count == 32 && $0.iterations == 600_000 })
    }

    @Test("biometrics unlock in place of the PIN") func biometrics() async throws {
        let phone = Phone()
        let client = phone.client()
        try await phone.begin(client)
        await #expect(throws: SessionError.noBiometrics) { try await client.unlockWithBiometrics() }
        try await client.setPIN("123456", biometrics: true)
        client.lock()
        try await client.unlockWithBiometrics()
        #expect(client.state == .active(needsPIN: false))
        // A changed PIN keeps them, and the user may say no.
        try await client.changePIN(from: "123456", to: "222222")
        try await client.unlockWithBiometrics()
        for error in [SessionKeyError.cancelled, .failed(code: -25293)] {
            phone.keys.state.withLock { state in
                for name in state.wrappers.keys where name.hasSuffix("biometrics") {
                    state.wrappers[name]?.error = error
                }
            }
            await #expect(throws: SessionError(error)) { try await client.unlockWithBiometrics() }
        }
        // Another finger was enrolled: the PIN helps.
        phone.keys.state.withLock { state in
            for name in state.wrappers.keys where name.hasSuffix("biometrics") { state.wrappers[name]?.error = .gone }
        }
        await #expect(throws: SessionError.noBiometrics) { try await client.unlockWithBiometrics() }
        try await client.enableBiometrics(pin: "222222")
        try await client.unlockWithBiometrics()
        client.disableBiometrics()
        await #expect(throws: SessionError.noBiometrics) { try await client.unlockWithBiometrics() }
        #expect(phone.server.withLock { $0.counted } == 0)
    }

    // MARK: - What is stored and printed

    @Test("a session is stored in a file of its owner") func aFile() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("session-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("session.json")
        let storage = FileSessionStorage(file: file)
        #expect(try await storage.load() == nil)
        var (bench, server) = SessionBench.active()
        bench.setPIN("123456", &server)
        var record = bench.reducer.record
        record.revocations = [Secret("rt")]
        for _ in 0..<2 {
            try await storage.save(record)
            #expect(try await storage.load() == record)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        // Before the first unlock of a device no file can be opened. That is not the same as no file.
        try Data("{".utf8).write(to: file)
        await #expect(throws: (any Error).self) { try await storage.load() }
    }

    @Test("nothing secret is printed") func nothingSecretIsPrinted() throws {
        var (bench, server) = SessionBench.active()
        bench.setPIN("123456", &server)
        let request = try #require(bench.sent.last)
        var text = ""
        for value in [bench.reducer, bench.reducer.record, bench.replies, bench.candidates("123456"), request] as [Any]
        {
            text += "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
        }
        let session = try #require(bench.reducer.record.session)
        for secret in [session.refreshToken?.exposed ?? "", "at0", SessionBench.secret.exposed] {
            #expect(!secret.isEmpty && !text.contains("\"\(secret)\""), "\(secret)")
        }
    }
}
