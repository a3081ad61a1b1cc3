import Foundation
import Testing

@testable import SwitchbackClient

/// A session as short stories: tokens, what the server says, the key, and the end.
@Suite struct SessionReducerTests {
    // MARK: - The begin

    @Test("a session begins and is stored") func itBegins() throws {
        let (bench, server) = SessionBench.active()
        #expect(bench.told == [.signedOut(.neverSignedIn), .active(needsPIN: true)])
        // The first response only brought a nonce.
        #expect(server.log == ["POST /v1/sessions", "POST /v1/sessions"])
        let session = try #require(bench.stored.last?.session)
        #expect(session.refreshToken != nil && session.accessToken == nil)
        #expect(bench.stored.first?.keyName == "key" && bench.stored.first?.key == nil, "the name before the key")
    }

    /// The login is deleted after the begin is done, so the record must be stored before.
    @Test("what is not stored has not begun") func whatIsNotStoredHasNotBegun() {
        var (bench, server) = (SessionBench(), ModelServer())
        bench.ask { .keyWanted($0, name: "key") }
        bench.storeFails = true
        #expect(bench.begin(&server) == .failed(.storageFailed))
        #expect(bench.reducer.state == .signedOut(.neverSignedIn))
        bench.storeFails = false
        #expect(bench.begin(&server) == .done)
        #expect(server.sessions.count == 1)
    }

    static let refusals: [(prepare: @Sendable (inout ModelServer) -> Void, error: SessionError)] = [
        ({ $0.tokenType = "Bearer" }, .notBound), ({ $0.logins = [:] }, .loginGone),
        (
            { $0.logins = $0.logins.mapValues { (user: $0.user, thumbprint: "other") } },
            .refused(code: "dpop_proof_invalid")
        ),
    ]

    @Test("a begin that is refused is told to the app", arguments: refusals.indices)
    func aBeginThatIsRefused(_ index: Int) {
        var (bench, server) = (SessionBench(), ModelServer())
        bench.ask { .keyWanted($0, name: "key") }
        let thumbprint = bench.reducer.record.key?.thumbprint
        server.logIn(SessionBench.secret, thumbprint: thumbprint ?? "")
        Self.refusals[index].prepare(&server)
        let caller = bench.ask { .beginWanted($0, SessionBench.secret, thumbprint: thumbprint, nonce: "n0") }
        bench.settle(&server)
        #expect(bench.reply(caller) == .failed(Self.refusals[index].error))
        #expect(bench.stored.last?.session == nil)
        #expect(bench.reducer.state == .signedOut(.neverSignedIn))
    }

    @Test("a login with another key begins no session", arguments: [nil, "another"])
    func aLoginWithAnotherKey(_ thumbprint: String?) {
        var bench = SessionBench()
        bench.ask { .keyWanted($0, name: "key") }
        let caller = bench.ask { .beginWanted($0, SessionBench.secret, thumbprint: thumbprint, nonce: nil) }
        #expect(bench.reply(caller) == .failed(.wrongLogin) && bench.sent.isEmpty)
    }

    @Test("another user needs another key") func anotherUserNeedsAnotherKey() {
        var (bench, server) = SessionBench.active()
        #expect(bench.begin(&server, user: "mads") == .failed(.otherUser))
        #expect(bench.reducer.state == .active(needsPIN: true), "the first user's session is as before")
        bench.ask { .signOutWanted($0) }
        bench.settle(&server)
        #expect(bench.begin(&server, user: "mads") == .done)
    }

    /// The app was killed after the begin reached the server.
    @Test("a repeated begin is the same session") func aRepeatedBeginIsTheSameSession() {
        var (bench, server) = SessionBench.active()
        let id = bench.reducer.record.session?.id
        bench = SessionBench(bench.stored.dropLast().last ?? SavedSession())
        bench.key = TestKey(1)
        #expect(bench.begin(&server) == .done)
        #expect(bench.reducer.record.session?.id == id && server.sessions.count == 1)
    }

    /// The response to the first begin was lost, and the app was opened again half an hour later.
    @Test("a begin of an old login has no access token") func aBeginOfAnOldLoginHasNoAccessToken() throws {
        var (bench, server) = (SessionBench(), ModelServer())
        bench.ask { .keyWanted($0, name: "key") }
        server.isOldLogin = true
        #expect(bench.begin(&server) == .done)
        let session = try #require(bench.stored.last?.session)
        #expect(session.refreshToken != nil && session.accessToken == nil)
        #expect(bench.reducer.state == .active(needsPIN: true))
        let caller = bench.ask { .tokenWanted($0, isNew: false) }
        bench.settle(&server)
        #expect(bench.reply(caller) == .token(Secret("at0")), "of a renewal")
        #expect(server.log.last == "POST /oauth/token")
    }

    // MARK: - Access tokens

    @Test("callers share one renewal") func callersShareOneRenewal() {
        var (bench, server) = SessionBench.active()
        let first = bench.ask { .tokenWanted($0, isNew: false) }
        #expect(bench.reply(first) == .token(Secret("at0")), "the one of the begin")
        bench.outliveToken()
        let callers = (0..<10).map { _ in bench.ask { .tokenWanted($0, isNew: false) } }
        let before = bench.sent.count
        bench.settle(&server)
        #expect(bench.sent.count == before && bench.asked == nil, "one request for all")
        #expect(callers.allSatisfy { bench.reply($0) == .token(Secret("at1")) })
    }

    /// A token must still be valid when it arrives.
    @Test("a token is renewed before it expires", arguments: [(279.0, "at0"), (281, "at1"), (500, "at1")])
    func whenATokenIsRenewed(_ row: (Double, String)) {
        var (bench, server) = SessionBench.active()
        bench.now = MonotonicInstant(seconds: bench.now.seconds + row.0)
        let caller = bench.ask { .tokenWanted($0, isNew: false) }
        bench.settle(&server)
        #expect(bench.reply(caller) == .token(Secret(row.1)))
    }

    @Test("a token that the API refuses is replaced") func aTokenThatTheAPIRefusesIsReplaced() {
        var (bench, server) = SessionBench.active()
        let callers = (0..<3).map { _ in bench.ask { .tokenWanted($0, isNew: true) } }
        bench.settle(&server)
        #expect(callers.allSatisfy { bench.reply($0) == .token(Secret("at1")) })
    }

    @Test("the level decides about PINs and renewals", arguments: ["access", "refresh", "unlock"])
    func theLevels(_ level: String) {
        var (bench, server) = SessionBench.active(level: level)
        #expect(bench.reducer.state == .active(needsPIN: level == "unlock"))
        // The app is killed. The token of a session without renewal is the only one there is.
        let record = bench.stored.last ?? SavedSession()
        #expect((record.session?.accessToken != nil) == (level == "access"))
        bench = SessionBench(record)
        let caller = bench.ask { .tokenWanted($0, isNew: false) }
        bench.settle(&server)
        #expect(bench.reply(caller) == .token(Secret(level == "access" ? "at0" : "at1")))
        bench.outliveToken()
        let late = bench.ask { .tokenWanted($0, isNew: false) }
        bench.settle(&server)
        #expect(bench.reply(late) == (level == "access" ? .failed(.stepUpRequired) : .token(Secret("at2"))))
        #expect(bench.reducer.state == (level == "access" ? .stepUpRequired : .active(needsPIN: level == "unlock")))
    }

    // MARK: - Lost responses

    @Test("a lost renewal is repeated") func aLostRenewalIsRepeated() {
        var (bench, server) = SessionBench.active()
        let caller = bench.ask { .tokenWanted($0, isNew: true) }
        for _ in 0..<2 {
            bench.lose()
            #expect(bench.asked == nil && bench.wake != nil)
            bench.waitForWake()
        }
        #expect(bench.reply(caller) == nil)
        bench.settle(&server)
        #expect(bench.reply(caller) == .token(Secret("at1")))
    }

    @Test("callers do not wait for ever") func callersDoNotWaitForEver() {
        var (bench, server) = SessionBench.active()
        let caller = bench.ask { .tokenWanted($0, isNew: true) }
        for _ in 0..<3 {
            bench.lose()
            bench.waitForWake()
        }
        #expect(bench.reply(caller) == .failed(.noResponse(.noResponse)))
        #expect(bench.reducer.state == .active(needsPIN: true), "nobody is signed out")
        let next = bench.ask { .tokenWanted($0, isNew: false) }
        bench.settle(&server)
        #expect(bench.reply(next) == .token(Secret("at1")))
    }

    /// `Retry-After` is kept, and a caller is told when it is long.
    @Test("a busy server is waited for, or its caller is told", arguments: [(2, false), (60, true)])
    func theServerIsBusy(_ row: (seconds: Int, isTold: Bool)) {
        var (bench, _) = SessionBench.active()
        let caller = bench.ask { .tokenWanted($0, isNew: true) }
        bench.answer(Example.problem(503, "store_unavailable", retryAfter: row.seconds))
        #expect((bench.reply(caller) == .failed(.noResponse(.serviceUnavailable))) == row.isTold)
        #expect(row.isTold || bench.wake?.secondsSince(bench.now) == 2)
    }

    // MARK: - Step-up

    @Test("a session that needs a step-up goes on with a new login") func aStepUpGoesOn() {
        var (bench, server) = SessionBench.active()
        server.isIdle = true
        bench.outliveToken()
        let caller = bench.ask { .tokenWanted($0, isNew: false) }
        bench.settle(&server)
        #expect(bench.reply(caller) == .failed(.stepUpRequired), "no PIN was set")
        #expect(bench.reducer.state == .stepUpRequired)
        let late = bench.ask { .listWanted($0) }
        #expect(bench.reply(late) == .failed(.stepUpRequired))
        bench.begin(&server)
        #expect(bench.reducer.state == .active(needsPIN: true))
    }

    // MARK: - The key

    @Test("a key that is gone signs the user out") func theKeyIsGone() {
        var (bench, server) = SessionBench.active()
        bench.key = nil
        let caller = bench.ask { .tokenWanted($0, isNew: true) }
        #expect(bench.reply(caller) == .failed(.signedOut(.keyGone)))
        #expect(bench.told.last == .signedOut(.keyGone) && bench.removedKeys == ["key"])
        // The refresh token is enough to end the session at the server.
        #expect(bench.asked == "POST /oauth/revoke")
        bench.settle(&server)
        #expect(server.sessions.isEmpty && bench.stored.last?.revocations == [])
    }

    @Test("the key is gone when a login starts") func theKeyIsGoneWhenALoginStarts() {
        var (bench, server) = SessionBench.active()
        let former = bench.reducer.record.key
        bench.key = nil
        let caller = bench.ask { .keyWanted($0, name: "second") }
        #expect(bench.told.last == .signedOut(.keyGone))
        #expect(bench.reducer.record.keyName == "second" && bench.reducer.record.key != former)
        #expect(bench.reply(caller) == bench.reducer.record.key.map { .thumbprint($0.thumbprint) })
        bench.settle(&server)
        #expect(server.sessions.isEmpty)
        #expect(bench.begin(&server) == .done)
    }

    static let keyErrors: [(error: SessionKeyError, told: SessionError, state: SessionState)] = [
        (.unavailable, .locked(.deviceLocked), .locked(.deviceLocked)),
        (.cancelled, .key(.cancelledByUser), .active(needsPIN: true)),
        (.failed(code: 7), .key(.failed(code: 7)), .active(needsPIN: true)),
    ]

    /// Only a key that is gone signs out.
    @Test("only a key that is gone signs the user out", arguments: keyErrors)
    func aKeyThatCannotBeUsed(_ row: (error: SessionKeyError, told: SessionError, state: SessionState)) {
        var (bench, server) = SessionBench.active()
        bench.keyError = row.error
        let caller = bench.ask { .tokenWanted($0, isNew: true) }
        #expect(bench.reply(caller) == .failed(row.told) && bench.reducer.state == row.state)
        bench.keyError = nil
        let next = bench.ask { .tokenWanted($0, isNew: true) }
        bench.settle(&server)
        #expect(bench.reply(next) == .token(Secret("at1")))
        #expect(bench.reducer.state == .active(needsPIN: true))
    }

    // MARK: - The end

    @Test("a session that the server has ended is signed out") func theServerEndsIt() {
        var (bench, server) = SessionBench.active()
        server.sessions = [:]
        let callers = (0..<2).map { _ in bench.ask { .tokenWanted($0, isNew: true) } }
        let list = bench.ask { .listWanted($0) }
        bench.settle(&server)
        for caller in callers + [list] { #expect(bench.reply(caller) == .failed(.signedOut(.ended))) }
        #expect(bench.told.last == .signedOut(.ended) && bench.stored.last?.session == nil)
        #expect(bench.removedKeys == [], "a login with this key may be running")
        #expect(SessionBench(bench.stored.last ?? SavedSession()).told == [.signedOut(.ended)])
        #expect(bench.begin(&server) == .done)
    }

    @Test("signing out needs no network") func signingOutNeedsNoNetwork() {
        var (bench, server) = SessionBench.active()
        let waiting = bench.ask { .tokenWanted($0, isNew: true) }
        let caller = bench.ask { .signOutWanted($0) }
        #expect(bench.reply(waiting) == .failed(.signedOut(.byUser)))
        #expect(bench.told.last == .signedOut(.byUser) && bench.removedKeys == ["key"])
        for _ in 0..<3 {
            #expect(bench.asked == "POST /oauth/revoke" && bench.underWay?.request.fields["DPoP"] == nil)
            bench.lose()
            bench.waitForWake()
        }
        #expect(bench.reply(caller) == .failed(.noResponse(.noResponse)), "the app does not wait")
        // The app is killed. The server is told after the next start.
        bench = SessionBench(bench.stored.last ?? SavedSession())
        #expect(bench.asked == "POST /oauth/revoke" && bench.told == [.signedOut(.byUser)])
        bench.settle(&server)
        #expect(server.sessions.isEmpty && bench.stored.last?.revocations == [])
        #expect(SessionBench(bench.stored.last ?? SavedSession()).asked == nil)
    }

    @Test("a revocation holds nothing up") func aRevocationHoldsNothingUp() {
        var (bench, server) = SessionBench.active()
        bench.ask { .signOutWanted($0) }
        bench.lose()
        #expect(bench.begin(&server) == .done)
        bench.waitForWake()
        #expect(bench.asked == "POST /oauth/revoke")
    }

    @Test("a phone ends other sessions and its own") func othersAndItself() {
        var (bench, server) = SessionBench.active()
        server.sessions["other"] = ModelServer.Session(id: "id-other", user: "freja", refreshToken: "rt")
        let list = bench.ask { .listWanted($0) }
        bench.settle(&server)
        guard case .sessions(let sessions)? = bench.reply(list) else {
            Issue.record("\(bench.replies)")
            return
        }
        #expect(Set(sessions.map(\.id)) == ["id-other", bench.reducer.record.session?.id ?? ""])
        for id in ["id-other", "id-other"] {
            let end = bench.ask { .endWanted($0, id) }
            bench.settle(&server)
            #expect(bench.reply(end) == .done, "what is not there is ended")
        }
        #expect(bench.tell { .endWanted($0, "../logins") } == .failed(.refused(code: "session_unknown")))
        let own = bench.reducer.record.session?.id ?? ""
        let end = bench.ask { .endWanted($0, own) }
        bench.settle(&server)
        #expect(bench.reply(end) == .done && bench.told.last == .signedOut(.byUser))
        #expect(server.sessions.isEmpty && bench.reducer.record.revocations == [])
    }

    /// The server has changed its keys: the token ended early.
    @Test("a token that the server refuses is replaced once") func aTokenThatTheServerRefusesIsReplacedOnce() {
        var (bench, server) = SessionBench.active()
        server.tokens = []
        let list = bench.ask { .listWanted($0) }
        bench.settle(&server)
        guard case .sessions? = bench.reply(list) else {
            Issue.record("\(bench.replies)")
            return
        }
        let other = bench.ask { .listWanted($0) }
        for _ in 0..<10 {
            guard bench.asked != nil else { break }
            if bench.asked == "GET /v1/sessions" {
                bench.answer(Example.problem(401, "access_token_invalid"))
            } else {
                bench.step(&server)
            }
        }
        #expect(bench.reply(other) == .failed(.refused(code: "access_token_invalid")))
    }
}
