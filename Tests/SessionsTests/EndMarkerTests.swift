import Base
import Testing

@testable import Sessions

/// Part 4 of the contract: an app's backend ends all sessions of a user. No login that completed before begins one, and
/// what is left leads to nobody.
@Suite struct EndMarkerTests {
    let bench: Bench
    let (phone, tablet): (Phone, Phone)

    init() throws {
        self.bench = try Bench()
        (self.phone, self.tablet) = (try Phone(), try Phone())
    }

    private func endAll(of subject: Secret = Example.subject, app: String = Example.app) async throws -> Int {
        try await self.bench.flow.endAll(app: app, subject: subject)
    }

    private func begins(_ phone: Phone, _ login: CompletedLogin) async -> SessionError? {
        do throws(SessionError) { _ = try await self.bench.begin(phone, login) } catch { return error }
        return nil
    }

    /// The phone repeats its begin with the login that it never acknowledged, or begins for the first time.
    @Test func `no login that completed before begins a session`() async throws {
        let login = Example.login(self.phone.thumbprint, kept: 86_400)
        let tokens = try await self.bench.begin(self.phone, login)
        self.bench.clock.now = Example.after(5)
        #expect(try await self.endAll() == 1)
        #expect(try await self.endAll() == 0, "the response was lost")
        for seconds in [5, 60, 86_399] {
            self.bench.clock.now = Example.after(seconds)
            #expect(await self.begins(self.phone, login) == .ended)
            for completed in [-60, 5] {
                let late = Example.login(self.tablet.thumbprint, completed: completed, kept: 86_400)
                #expect(await self.begins(self.tablet, late) == .ended)
            }
        }
        await #expect(throws: SessionError.unknown) { _ = try await self.bench.renew(self.phone, tokens) }
        #expect(self.bench.store.rows.allSatisfy { $0.person.isEmpty })
    }

    /// Nor does it give an access token where it can begin no session.
    @Test(arguments: [false, true]) func `no login that completed before gives a token`(_ isBearer: Bool) async throws {
        let bench = try Bench(Example.terms(.access, allowsBearer: isBearer))
        let login = Example.login(isBearer ? nil : self.phone.thumbprint)
        let proof = isBearer ? nil : bench.proof(self.phone)
        _ = try await bench.flow.begin(login, proof: proof)
        #expect(try await bench.flow.endAll(app: Example.app, subject: Example.subject) == 0)
        await #expect(throws: SessionError.ended) { _ = try await bench.flow.begin(login, proof: proof) }
        bench.clock.now = Example.after(2)
        let new = Example.login(isBearer ? nil : self.phone.thumbprint, completed: 1)
        _ = try await bench.flow.begin(new, proof: isBearer ? nil : bench.proof(self.phone))
    }

    @Test func `a new login begins a session`() async throws {
        _ = try await self.bench.begin(self.phone)
        #expect(try await self.endAll() == 1)
        self.bench.clock.now = Example.after(10)
        let tokens = try await self.bench.begin(self.phone, Example.login(self.phone.thumbprint, completed: 9))
        _ = try await self.bench.renew(self.phone, tokens)
    }

    @Test func `nobody else is affected`() async throws {
        let bo = Example.login(self.tablet.thumbprint, subject: Secret("bo"))
        _ = try await self.bench.begin(self.tablet, bo)
        #expect(try await self.endAll() == 0)
        #expect(try await self.endAll(of: Secret("bo"), app: "other") == 0)
        #expect(await self.begins(self.tablet, bo) == nil)
        // The key of an ended session may go on with another user.
        _ = try await self.bench.begin(self.phone, Example.login(self.phone.thumbprint, subject: Secret("cleo")))
    }

    /// Servers may have their keys in another order, or not yet have the newest one.
    @Test func `the marker is found under each key`() async throws {
        let (former, newest) = (Example.key, SessionKey.make())
        let login = Example.login(self.phone.thumbprint)
        for writer in [[former], [former, newest], [newest, former]] {
            for reader in [[former], [former, newest], [newest, former]] {
                let store = TestStore()
                let servers = try [writer, reader].map { Bench(try Example.configuration(keys: $0), store: store) }
                _ = try await servers[0].flow.endAll(app: Example.app, subject: Example.subject)
                await #expect(throws: SessionError.ended) {
                    _ = try await servers[1].flow.begin(login, proof: self.phone.proof(at: Example.start))
                }
            }
        }
    }

    /// It stays under the key that names it, so `keys status` counts that key until the marker is gone.
    @Test func `a marker is not sealed again`() async throws {
        #expect(try await self.endAll() == 0)
        let rows = self.bench.store.rows
        #expect(rows.count == 1 && rows.allSatisfy { $0.keyID == Example.key.id && $0.person.isEmpty })
        self.bench.flow.replaceConfiguration(with: try Example.configuration(keys: [SessionKey.make(), Example.key]))
        #expect(try await self.bench.flow.sweep() == 0)
        #expect(self.bench.store.rows == rows)
        let login = Example.login(self.phone.thumbprint)
        #expect(await self.begins(self.phone, login) == .ended)
    }

    @Test func `the remaining rows name nobody and are gone after a day`() async throws {
        let tokens = try await self.bench.begin(self.tablet)
        try await self.bench.flow.revoke(refreshToken: try #require(tokens.refreshToken))
        _ = try await self.bench.begin(self.phone)
        _ = self.bench.takeSteps()
        #expect(try await self.endAll() == 1)
        #expect(self.bench.takeSteps() == [.ended(.deleted)])
        let (persons, rows) = (Example.key.person(app: Example.app, subject: Example.subject), self.bench.store.rows)
        #expect(rows.count == 3, "two tombstones and the marker")
        let secrets = [Example.subject.exposed, persons, Array(persons.prefix(16))]
        for row in rows {
            #expect(row.person.isEmpty && !secrets.contains(row.id.bytes))
            for secret in secrets { #expect(!row.bytes.contains(secret)) }
        }
        self.bench.clock.now = Example.after(86_399)
        #expect(try await self.bench.flow.sweep() == 0)
        self.bench.clock.now = Example.after(86_400)
        #expect(try await self.bench.flow.sweep() == 3)
        #expect(self.bench.store.rows.isEmpty)
    }

    /// The marker is written, and then the store fails: who repeats the request ends the sessions, and meanwhile no
    /// login begins one.
    @Test func `a marker that nobody can read ends logins`() async throws {
        #expect(try await self.endAll() == 0)
        let row = try #require(self.bench.store.rows.first)
        self.bench.store.rows = [
            SealedSession(
                id: row.id, revision: row.revision, due: row.due, person: [], keyID: row.keyID,
                bytes: row.bytes.map { $0 ^ 1 })
        ]
        #expect(await self.begins(self.phone, Example.login(self.phone.thumbprint, completed: 60)) == .ended)
        #expect(try await self.endAll() == 0)
        self.bench.clock.now = Example.after(61)
        #expect(await self.begins(self.phone, Example.login(self.phone.thumbprint, completed: 60)) == nil)
    }
}
