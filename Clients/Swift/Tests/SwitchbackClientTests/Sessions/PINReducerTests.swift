import Foundation
import Testing

@testable import SwitchbackClient

/// The PIN of a session as short stories.
@Suite struct PINReducerTests {
    private static func locked() -> (SessionBench, ModelServer) {
        var (bench, server) = SessionBench.active()
        bench.setPIN("123456", &server)
        bench.outliveToken()
        server.isIdle = true
        // With the refusal comes a new nonce.
        bench.ask { .tokenWanted($0, isNew: false) }
        bench.settle(&server)
        return (bench, server)
    }

    @Test("a PIN is set and stored") func itIsSet() {
        var (bench, server) = SessionBench.active()
        let reply = bench.setPIN("123456", &server)
        #expect(reply == .done && bench.told.last == .active(needsPIN: false))
        #expect(server.sessions.values.first?.pin == bench.candidates("123456").first?.secret)
        #expect(bench.stored.last?.pins.count == 1)
    }

    @Test("the PIN is wanted after the inactivity timeout") func itIsWantedAfterTheInactivityTimeout() {
        var (bench, server) = Self.locked()
        let caller = bench.ask { .tokenWanted($0, isNew: false) }
        bench.settle(&server)
        #expect(bench.reply(caller) == .failed(.pinRequired(triesLeft: nil)))
        #expect(bench.told.last == .pinRequired(triesLeft: nil))
        #expect(bench.tell { .tokenWanted($0, isNew: false) } == .failed(.pinRequired(triesLeft: nil)))
        let wrong = bench.unlock("654321", &server)
        #expect(wrong == .failed(.wrongPIN(triesLeft: 4)))
        #expect(bench.told.last == .pinRequired(triesLeft: 4))
        let right = bench.unlock("123456", &server)
        #expect(right == .unlocked(0) && bench.told.last == .active(needsPIN: false))
        let token = bench.ask { .tokenWanted($0, isNew: false) }
        #expect(bench.reply(token) == .token(Secret("at1")))
        #expect(server.counted == 1)
    }

    @Test("five wrong PINs lock the PIN out") func fiveWrongOnesLockItOut() {
        var (bench, server) = Self.locked()
        for number in 1...5 {
            #expect(bench.unlock("00000\(number)", &server) == .failed(.wrongPIN(triesLeft: 5 - number)))
        }
        #expect(bench.told.last == .stepUpRequired && bench.stored.last?.pins == [])
        #expect(bench.tell { .tokenWanted($0, isNew: false) } == .failed(.stepUpRequired))
        bench.begin(&server)
        #expect(bench.told.last == .active(needsPIN: true), "the same session wants a new PIN")
        #expect(server.counted == 5 && server.sessions.count == 1)
    }

    /// Another try of this session was the fifth wrong one, such as before the app was restored.
    @Test("a lockout by an earlier try is told") func itWasLockedOutBefore() {
        var (bench, server) = Self.locked()
        for key in server.sessions.keys { server.sessions[key]?.isLockedOut = true }
        #expect(bench.unlock("123456", &server) == .failed(.stepUpRequired) && bench.told.last == .stepUpRequired)
        #expect(bench.stored.last?.pins == [])
    }

    // MARK: - A try counts once

    /// The server has judged the try, and its response is lost, once or more often.
    @Test("a lost try counts once", arguments: 1...6, ["123456", "654321"])
    func aLostTryCountsOnce(_ losses: Int, _ digits: String) {
        var (bench, server) = Self.locked()
        var caller = bench.unlock(digits)
        var proofs: Set<String> = []
        for _ in 0..<losses {
            guard let request = bench.underWay?.request else { break }
            proofs.insert(request.fields["DPoP"] ?? "")
            _ = server.respond(to: request)
            bench.lose()
            bench.waitForWake()
            // The user tries again with the same PIN.
            if bench.reply(caller) != nil { caller = bench.unlock(digits) }
        }
        bench.settle(&server)
        #expect(proofs.count == 1)
        let isRight = digits == "123456"
        #expect(bench.reply(caller) == (isRight ? .unlocked(0) : .failed(.wrongPIN(triesLeft: 4))))
        #expect(server.counted == (isRight ? 0 : 1))
    }

    @Test("another PIN has another proof") func anotherPINHasAnotherProof() {
        var (bench, server) = Self.locked()
        bench.unlock("654321")
        for _ in 0..<3 {
            if let request = bench.underWay?.request { _ = server.respond(to: request) }
            bench.lose()
            bench.waitForWake()
        }
        let right = bench.unlock("123456", &server)
        #expect(right == .unlocked(0) && server.counted == 1)
    }

    /// What comes between must not make the library forget the proof.
    @Test("an unanswered try outlives other calls") func anUnansweredTryOutlivesOtherCalls() {
        var (bench, server) = SessionBench.active()
        bench.setPIN("123456", &server)
        bench.unlock("654321")
        for _ in 0..<3 {
            if let request = bench.underWay?.request { _ = server.respond(to: request) }
            bench.lose()
            bench.waitForWake()
        }
        bench.ask { .listWanted($0) }
        bench.settle(&server)
        let again = bench.unlock("654321", &server)
        #expect(again == .failed(.wrongPIN(triesLeft: 4)) && server.counted == 1)
    }

    /// A try with an old nonce could be refused after its response was lost, so the first request has none.
    @Test("an old nonce is replaced first") func anOldNonceIsReplacedFirst() {
        var (bench, server) = Self.locked()
        bench.outliveToken()
        bench.unlock("123456")
        #expect(bench.sent.last.flatMap { ModelServer.claims($0.fields["DPoP"] ?? "") }?["pin_proof"] == nil)
        bench.lose()
        bench.waitForWake()
        bench.settle(&server)
        #expect(bench.reducer.state == .active(needsPIN: false) && server.counted == 0)
    }

    @Test("an old nonce is replaced") func anOldNonceIsReplaced() {
        var (bench, server) = Self.locked()
        server.oldestNonce = server.lastNonce + 1
        #expect(bench.unlock("123456", &server) == .unlocked(0) && server.counted == 0)
        // A server that never accepts a nonce is not asked for ever.
        server.oldestNonce = .max
        let never = bench.ask { .tokenWanted($0, isNew: true) }
        bench.settle(&server)
        #expect(bench.reply(never) == .failed(.refused(code: "use_dpop_nonce")))
    }

    // MARK: - A new PIN

    @Test("a PIN is changed with the old one") func itIsChanged() {
        var (bench, server) = Self.locked()
        server.isLate = true
        let unlock = bench.unlock("123456", &server)
        #expect(unlock == .unlocked(0))
        let late = bench.setPIN("111111", &server)
        #expect(late == .failed(.stepUpRequired), "without the old one")
        #expect(bench.reducer.record.pins.count == 1 && bench.told.last == .active(needsPIN: false))
        let former = bench.reducer.record.pins
        let old = bench.candidates("123456").first
        let change = bench.ask { .pinChosen($0, SessionBench.pin("222222", salt: 222), old: old) }
        bench.settle(&server)
        #expect(bench.reply(change) == .done && bench.reducer.record.pins != former)
        #expect(bench.unlock("222222", &server) == .unlocked(0))
        #expect(bench.unlock("123456", &server) == .failed(.wrongPIN(triesLeft: 4)))
    }

    /// The app is killed after a new PIN was sent. Nobody knows whether the server has it.
    @Test(
        "after a change without a response only the PIN that the server has is right", arguments: [true, false],
        ["123456", "222222"])
    func aChangeWithoutAResponse(
        _ hasArrived: Bool, _ digits: String
    ) {
        var (bench, server) = SessionBench.active()
        bench.setPIN("123456", &server)
        bench.ask { .pinChosen($0, SessionBench.pin("222222", salt: 222), old: nil) }
        if hasArrived, let request = bench.underWay?.request { _ = server.respond(to: request) }
        bench = SessionBench(bench.stored.last ?? SavedSession())
        #expect(bench.reducer.record.pins.count == 2)
        let caller = bench.unlock(digits)
        bench.settle(&server)
        let isRight = hasArrived == (digits == "222222")
        if isRight {
            #expect(bench.reply(caller) == .unlocked(hasArrived ? 0 : 1))
            #expect(bench.reducer.record.pins.count == 1 && bench.stored.last?.pins.count == 1)
            #expect(server.sessions.values.first?.wrong == 0)
        } else {
            #expect(
                bench.reply(caller) == .failed(.wrongPIN(triesLeft: 4)), "only the PIN that the server has is tried")
            #expect(bench.reducer.record.pins.count == 2 && server.counted == 1)
        }
    }

    /// The nonce becomes too old while nobody knows whether the try was counted: only the user may make another one.
    @Test("a lost try is not proven again") func aLostTryIsNotProvenAgain() {
        var (bench, server) = Self.locked()
        let caller = bench.unlock("654321")
        if let request = bench.underWay?.request { _ = server.respond(to: request) }
        bench.lose()
        server.oldestNonce = server.lastNonce + 1
        bench.waitForWake()
        bench.step(&server)
        #expect(bench.reply(caller) == .failed(.noResponse(.noResponse)) && server.counted == 1)
        #expect(bench.unlock("123456", &server) == .unlocked(0))
    }

    /// The server checks its limits before the proof, so it has counted nothing.
    @Test("a try that was limited is proven again") func aTryThatWasLimitedIsProvenAgain() {
        var (bench, server) = Self.locked()
        let caller = bench.unlock("654321")
        bench.answer(Example.problem(429, "too_many_requests", retryAfter: 1))
        server.oldestNonce = server.lastNonce + 1
        bench.waitForWake()
        bench.settle(&server)
        #expect(bench.reply(caller) == .failed(.wrongPIN(triesLeft: 4)) && server.counted == 1)
    }

    /// The first PIN never arrived: the next renewal says so.
    @Test("a first PIN that never arrived is noticed at the next renewal") func aFirstPINThatNeverArrived() {
        var (bench, server) = SessionBench.active()
        bench.ask { .pinChosen($0, SessionBench.pin("123456", salt: 1), old: nil) }
        bench = SessionBench(bench.stored.last ?? SavedSession())
        let caller = bench.ask { .tokenWanted($0, isNew: false) }
        bench.settle(&server)
        #expect(bench.replies[caller]?.count == 1 && bench.told.last == .active(needsPIN: true))
        #expect(bench.reducer.record.pins == [])
    }

    @Test("a PIN that cannot be stored is not sent") func aPINThatCannotBeStoredIsNotSent() {
        var (bench, server) = SessionBench.active()
        bench.storeFails = true
        let count = bench.sent.count
        #expect(bench.setPIN("123456", &server) == .failed(.storageFailed))
        #expect(bench.sent.count == count && bench.reducer.record.pins == [])
    }

    @Test("a session below unlock has no PIN", arguments: ["access", "refresh"])
    func noPINWhereThereIsNone(_ level: String) {
        var (bench, server) = SessionBench.active(level: level)
        #expect(bench.setPIN("123456", &server) == .failed(.notAllowed))
        #expect(bench.tell { .unlockWanted($0, []) } == .failed(.noPIN))
        bench.say(.lockWanted)
        #expect(bench.reducer.state == .active(needsPIN: false), "nobody could unlock it")
    }

    // MARK: - Locked by the app

    @Test("an app can lock its session itself") func theAppLocksIt() {
        var (bench, server) = SessionBench.active()
        bench.setPIN("123456", &server)
        let waiting = bench.ask { .tokenWanted($0, isNew: true) }
        bench.say(.lockWanted)
        #expect(bench.reply(waiting) == .failed(.locked(.byApp)) && bench.told.last == .locked(.byApp))
        #expect(bench.asked == nil)
        // Also after a start, and though the server would still give a token.
        bench = SessionBench(bench.stored.last ?? SavedSession())
        #expect(bench.told == [.locked(.byApp)])
        #expect(bench.tell { .tokenWanted($0, isNew: false) } == .failed(.locked(.byApp)))
        let wrong = bench.unlock("654321", &server)
        #expect(wrong == .failed(.wrongPIN(triesLeft: 4)) && bench.reducer.state == .locked(.byApp))
        let right = bench.unlock("123456", &server)
        #expect(right == .unlocked(0) && bench.told.last == .active(needsPIN: false))
    }

    /// The hardware key that wraps the PIN is gone. The session is not.
    @Test("a wrapping key that is gone loses the PIN and not the session", arguments: [true, false])
    func theWrappingKeyIsGone(_ isLocked: Bool) {
        var (bench, server) = SessionBench.active()
        bench.setPIN("123456", &server)
        if isLocked { bench.say(.lockWanted) }
        bench.say(.pinsLost(.pin))
        #expect(bench.told.last == (isLocked ? .stepUpRequired : .active(needsPIN: true)))
        server.isIdle = true
        bench.outliveToken()
        bench.ask { .tokenWanted($0, isNew: false) }
        bench.settle(&server)
        #expect(bench.reducer.state == .stepUpRequired)
        bench.begin(&server)
        #expect(bench.reducer.state == .active(needsPIN: true), "a new one can be set")
    }
}
