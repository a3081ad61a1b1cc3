import Base
import Logins
import Testing

@testable import Sessions

/// Part 4 and decision 4: who may list and end sessions; keys and sweeps.
@Suite struct SessionManagementTests {
    let bench: Bench
    let (phone, tablet, stranger): (Phone, Phone, Phone)

    init() throws {
        self.bench = try Bench()
        (self.phone, self.tablet, self.stranger) = (try Phone(), try Phone(), try Phone())
    }

    private func error(_ body: () async throws -> Void) async -> SessionError? {
        do { try await body() } catch { return error as? SessionError }
        return nil
    }

    private func beginAll() async throws -> (phone: SessionTokens, tablet: SessionTokens, stranger: SessionTokens) {
        let phone = try await self.bench.begin(self.phone)
        self.bench.clock.now = self.bench.clock.now + .seconds(1)
        let tablet = try await self.bench.begin(self.tablet, Example.login(self.tablet.thumbprint, platform: "android"))
        let login = Example.login(self.stranger.thumbprint, subject: Secret("bo"))
        return (phone, tablet, try await self.bench.begin(self.stranger, login))
    }

    private func claims(_ tokens: SessionTokens) throws -> AccessTokenClaims {
        try self.bench.verifyAccessToken(tokens.accessToken)
    }

    @Test func `a user sees their own sessions`() async throws {
        let all = try await self.beginAll()
        let list = try await self.bench.flow.list(by: self.claims(all.phone)).sorted { $0.createdAt < $1.createdAt }
        #expect(
            list == [
                SessionSummary(
                    id: all.phone.sessionID, platform: "ios", provider: "mitid", createdAt: Example.start, usedAt: nil,
                    endsAt: Example.after(600), hasPIN: false, isCurrent: true),
                SessionSummary(
                    id: all.tablet.sessionID, platform: "android", provider: "mitid", createdAt: Example.after(1),
                    usedAt: nil, endsAt: Example.after(600), hasPIN: false, isCurrent: false),
            ])
        let backend = try await self.bench.flow.list(app: "demo", subject: Example.subject)
        #expect(Set(backend.map(\.id)) == [all.phone.sessionID, all.tablet.sessionID])
        #expect(backend.allSatisfy { !$0.isCurrent })
        #expect(try await self.bench.flow.list(app: "other", subject: Example.subject) == [])
        #expect(try await self.bench.flow.list(app: "demo", subject: Secret("nobody")) == [])
    }

    /// Sessions that have ended stay as tombstones for a while. Wherever they are among the rows, they hide no session.
    @Test func `a user sees their sessions among thousands that have ended`() async throws {
        let ended = try await self.bench.begin(self.tablet)
        try await self.bench.flow.revoke(refreshToken: try #require(ended.refreshToken))
        let row = try #require(self.bench.store.rows.first)
        let tombstone = try SessionSeal.open(row, keys: try #require(SessionKeys([Example.key])))
        let others = try (0..<2_500).map { _ in
            var other = Session(
                id: try #require(SessionID(RandomBytes.make(16))), app: tombstone.app, state: tombstone.state)
            other.person = row.person
            return SessionSeal.seal(other, under: Example.key)
        }
        self.bench.store.rows = [row] + others
        var active: [SessionID] = []
        for _ in 0..<9 { active.append(try await self.bench.begin(try Phone()).sessionID) }
        let list = try await self.bench.flow.list(app: Example.app, subject: Example.subject)
        #expect(list.map(\.id).sorted() == active.sorted())
    }

    @Test func `a user ends their own sessions`() async throws {
        let all = try await self.beginAll()
        let claims = try self.claims(all.phone)
        _ = self.bench.takeSteps()
        for _ in 0..<2 { try await self.bench.flow.end(all.tablet.sessionID, by: claims) }
        #expect(self.bench.takeSteps() == [.ended(.app)])
        #expect(await self.error { _ = try await self.bench.renew(self.tablet, all.tablet) } == .unknown)
        #expect(await self.error { try await self.bench.flow.end(all.stranger.sessionID, by: claims) } == .unknown)
        let nobody = try Phone().session()
        #expect(await self.error { try await self.bench.flow.end(nobody, by: claims) } == .unknown)
        _ = try await self.bench.renew(self.stranger, all.stranger)
        // Their own, and again, because the response was lost.
        for _ in 0..<2 { try await self.bench.flow.end(all.phone.sessionID, by: claims) }
        #expect(await self.error { _ = try await self.bench.flow.list(by: claims) } == .ended)
        #expect(await self.error { try await self.bench.flow.end(all.tablet.sessionID, by: claims) } == .ended)
    }

    /// Decision 4: unlocked, or the e-ID login is at most 15 minutes old.
    @Test func `a locked phone manages nothing`() async throws {
        let tokens = try await self.bench.unlocked(self.phone)
        let minutes: [(Int, pin: Bool, SessionError?)] = [
            (14, false, nil), (16, false, .pinRequired(id: nil)), (17, true, nil), (23, false, .pinRequired(id: nil)),
        ]
        for (minute, pin, expected) in minutes {
            self.bench.clock.now = Example.minutes(minute)
            if pin { _ = try await self.bench.renew(self.phone, tokens, pin: self.phone.pinSecret) }
            let claims = AccessTokenClaims(
                sessionID: tokens.sessionID, app: Example.app, subject: Example.subject,
                thumbprint: self.phone.thumbprint, expiresAt: Example.days(1))
            #expect(await self.error { _ = try await self.bench.flow.list(by: claims) } == expected, "\(minute)")
            if expected != nil {
                #expect(await self.error { try await self.bench.flow.end(tokens.sessionID, by: claims) } == expected)
            }
        }
    }

    @Test func `a session without PIN manages for 15 minutes`() async throws {
        let bench = try Bench(Example.terms(.refresh))
        let tokens = try await bench.begin(self.phone)
        let claims = try bench.verifyAccessToken(tokens.accessToken)
        _ = try await bench.renew(self.phone, tokens)
        bench.clock.now = Example.minutes(15)
        _ = try await bench.flow.list(by: claims)
        bench.clock.now = Example.minutes(16)
        #expect(await self.error { _ = try await bench.flow.list(by: claims) } == .locked)
    }

    @Test func `a token of level access manages nothing`() async throws {
        let bench = try Bench(Example.terms(.access))
        let claims = try bench.verifyAccessToken(try await bench.begin(self.phone).accessToken)
        #expect(await self.error { _ = try await bench.flow.list(by: claims) } == .unknown)
        // Nor where the same key has a session of somebody else.
        let all = try await self.beginAll()
        let login = Example.login(self.phone.thumbprint, eid: "digid", subject: Secret("bo"))
        let access = try self.claims(try await self.bench.begin(self.phone, login))
        #expect(access.sessionID == all.phone.sessionID)
        #expect(await self.error { _ = try await self.bench.flow.list(by: access) } == .unknown)
        #expect(await self.error { try await self.bench.flow.end(all.stranger.sessionID, by: access) } == .unknown)
    }

    // MARK: - Keys (part 6)

    @Test func `rows are sealed again under the newest key`() async throws {
        let all = try await self.beginAll()
        try await self.bench.flow.revoke(refreshToken: try #require(all.tablet.refreshToken))
        let new = SessionKey.make()
        self.bench.flow.replaceConfiguration(with: try Example.configuration(keys: [new, Example.key]))
        #expect(try await self.bench.flow.list(app: "demo", subject: Example.subject).count == 1, "under the old key")
        _ = try await self.bench.renew(self.phone, all.phone)
        #expect(self.bench.store.rows.count { $0.keyID == new.id } == 1, "when touched")
        #expect(try await self.bench.flow.sweep() == 2)
        #expect(self.bench.store.rows.allSatisfy { $0.keyID == new.id })
        #expect(try await self.bench.flow.sweep() == 0)
        #expect(self.bench.takeSteps().count { $0 == .resealed } == 3)
        // The tombstone is found under its old column while the old key is there.
        #expect(try await self.bench.flow.endAll(app: "demo", subject: Example.subject) == 1)
        #expect(self.bench.store.rows.filter { !$0.person.isEmpty }.map(\.id) == [all.stranger.sessionID])
        self.bench.flow.replaceConfiguration(with: try Example.configuration(keys: [new]))
        _ = try await self.bench.renew(self.stranger, all.stranger)
    }

    @Test func `a retired key ends its sessions, and a login helps`() async throws {
        let tokens = try await self.bench.begin(self.phone)
        let old = self.bench.store.rows
        self.bench.flow.replaceConfiguration(with: try Example.configuration(keys: [SessionKey.make()]))
        #expect(await self.error { _ = try await self.bench.renew(self.phone, tokens) } == .unknown)
        #expect(self.bench.takeSteps().last == .rowRefused(.retiredKey))
        #expect(try await self.bench.flow.sweep() == 0, "the key may come back")
        #expect(self.bench.store.rows == old)
        let new = try await self.bench.begin(self.phone)
        #expect(new.refreshToken != tokens.refreshToken)
        #expect(self.bench.store.rows.count == 1)
        _ = try await self.bench.renew(self.phone, new)
    }

    /// However many rows there are that no key opens, those of a former key are sealed again.
    @Test func `rows of a lost key hold nothing up`() async throws {
        let (lost, former, newest) = (SessionKey.make(), SessionKey.make(), SessionKey.make())
        for key in [lost, lost, lost, former, former] {
            self.bench.flow.replaceConfiguration(with: try Example.configuration(keys: [key]))
            _ = try await self.bench.begin(try Phone())
        }
        self.bench.flow.replaceConfiguration(with: try Example.configuration(keys: [newest, former]))
        #expect(try await self.bench.flow.sweep(limit: 2) == 2)
        #expect(self.bench.store.rows.count { $0.keyID == newest.id } == 2)
        #expect(self.bench.store.rows.count { $0.keyID == lost.id } == 3, "the key may come back")
    }

    // MARK: - Sweeps

    @Test func `the sweep ends and removes sessions`() async throws {
        _ = try await self.beginAll()
        #expect(try await self.bench.flow.sweep() == 0)
        self.bench.clock.now = Example.after(600)
        #expect(try await self.bench.flow.sweep(limit: 2) == 2)
        #expect(try await self.bench.flow.sweep(limit: 2) == 1)
        #expect(try await self.bench.flow.sweep(limit: 2) == 0)
        #expect(self.bench.takeSteps().count { $0 == .ended(.expired) } == 3)
        #expect(self.bench.store.rows.count == 3, "tombstones")
        self.bench.clock.now = Example.after(600 + 86_400)
        #expect(try await self.bench.flow.sweep() == 3)
        #expect(self.bench.store.rows.isEmpty)
    }
}
