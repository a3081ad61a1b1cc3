import Foundation
import Testing

@testable import SwitchbackClient

/// Invariants of a session's reducer, for any events in any order, lost responses and killed apps.
@Suite struct SessionReducerPropertyTests {
    private enum Step: CaseIterable {
        case token, newToken, unlock, unlockWrong, setPIN, list, lock, prepare, begin
        case deliver, loseRequest, loseResponse, hotel, unavailable, wait
        case kill, becomeIdle, age, outlive

        /// Responses mostly arrive, or nothing would ever happen.
        static let often =
            Self.allCases + [.unlock, .unlock, .begin, .loseResponse]
            + Array(repeating: .deliver, count: 20) + Array(repeating: .wait, count: 6)
    }

    private struct World {
        var bench = SessionBench()
        var server = ModelServer()
        var digits = "123456"
        var pins: UInt8 = 0
        /// How often the user typed a wrong PIN.
        var wrongTries = 0
        /// Callers of processes that were killed are never told.
        var callers: Set<SessionCaller> = []
        var broken: [String] = []

        mutating func ask(_ event: (SessionCaller) -> SessionReducer.Event) {
            self.callers.insert(self.bench.ask(event))
        }
    }

    /// Nobody signs out and the server ends nothing, so whatever is lost, the session goes on.
    @Test("a session goes on whatever is lost", arguments: 0..<80) func whateverIsLost(_ seed: Int) throws {
        var dice = Dice(state: UInt64(seed))
        var world = World()
        world.bench.begin(&world.server)
        for _ in 0..<250 {
            let step = try #require(Step.often.randomElement(using: &dice))
            self.take(step, &world, &dice)
            self.check(&world, after: "\(step)")
        }
        // At last the network is good, and the user knows the PIN or logs in.
        self.settle(&world)
        for caller in world.callers where world.bench.replies[caller]?.count != 1 {
            world.broken.append("a caller was told \(world.bench.replies[caller]?.count ?? 0) times")
        }
        self.goOn(&world)
        #expect(world.broken == [])
        #expect(world.server.sessions.count == 1)
        #expect(world.server.counted <= world.wrongTries)
    }

    private func take(_ step: Step, _ world: inout World, _ dice: inout Dice) {
        switch step {
        case .token: world.ask { .tokenWanted($0, isNew: false) }
        case .newToken: world.ask { .tokenWanted($0, isNew: true) }
        case .unlock, .unlockWrong:
            let candidates = world.bench.candidates(step == .unlock ? world.digits : "000000")
            if step == .unlockWrong { world.wrongTries += 1 }
            world.ask { .unlockWanted($0, candidates) }
        case .setPIN:
            world.pins += 1
            let pin = SessionBench.pin(world.digits, salt: world.pins)
            // The user who types the old PIN too is not late.
            let old = world.bench.candidates(world.digits)
            world.ask { .pinChosen($0, pin, old: old.count == 1 ? old[0] : nil) }
        case .list: world.ask { .listWanted($0) }
        case .lock: world.bench.say(.lockWanted)
        case .prepare: world.ask { .keyWanted($0, name: "another") }
        case .begin:
            let thumbprint = world.bench.reducer.record.key?.thumbprint
            world.ask { .beginWanted($0, SessionBench.secret, thumbprint: thumbprint, nonce: nil) }
        case .deliver: world.bench.step(&world.server)
        case .loseRequest: world.bench.lose()
        case .loseResponse:
            if let request = world.bench.underWay?.request { _ = world.server.respond(to: request) }
            world.bench.lose()
        case .hotel:
            world.bench.answer(Example.page([200, 302, 400, 401, 404, 410].randomElement(using: &dice) ?? 200))
        case .unavailable: world.bench.answer(Example.problem(503, "store_unavailable", retryAfter: 1))
        case .wait: world.bench.waitForWake()
        case .kill:
            let before = world.bench
            // A try whose response is lost with the app may be counted, and is tried again by the user.
            world.bench = SessionBench(before.stored.last ?? SavedSession())
            world.bench.key = before.key
            world.bench.stored = before.stored
            world.bench.caller = before.caller
            world.bench.now = MonotonicInstant(seconds: before.now.seconds + 1)
            world.callers = []
        case .becomeIdle: world.server.isIdle = true
        case .age: world.server.oldestNonce = world.server.lastNonce
        case .outlive: world.bench.outliveToken()
        }
    }

    private func check(_ world: inout World, after step: String) {
        let bench = world.bench
        let secrets =
            [SessionBench.secret.exposed] + world.server.tokens + world.server.sessions.values.map(\.refreshToken)
        let rules: [(name: String, holds: Bool)] = [
            ("nobody is signed out", bench.reducer.record.session != nil),
            ("what is stored has a session", bench.stored.last?.session != nil),
            ("a caller is told once", bench.replies.values.allSatisfy { $0.count == 1 }),
            (
                "no secret in a URL",
                bench.sent.suffix(3).allSatisfy { sent in secrets.allSatisfy { !sent.url.absoluteString.contains($0) } }
            ),
            ("every request has a proof", bench.sent.suffix(3).allSatisfy { $0.fields["DPoP"] != nil }),
            ("whoever waits gets an answer", bench.reducer.queue.isEmpty || bench.underWay != nil || bench.wake != nil),
            ("nobody waits for long", bench.wake.map { $0.secondsSince(bench.now) <= 31 } ?? true),
            ("few PINs are kept", bench.reducer.record.pins.count <= 3),
            ("a locked session has no token", !bench.reducer.record.isLocked || bench.reducer.token == nil),
        ]
        world.broken += rules.filter { !$0.holds }.map { "\($0.name), after \(step)" }
    }

    private func settle(_ world: inout World) {
        for _ in 0..<200 where !world.bench.reducer.queue.isEmpty {
            world.bench.settle(&world.server)
            world.bench.waitForWake()
        }
    }

    /// The user types the PIN if the app asks for it, and logs in if that does not help.
    private func goOn(_ world: inout World) {
        for _ in 0..<10 {
            switch world.bench.reducer.state.kind {
            case .active:
                world.bench.outliveToken()
                let caller = world.bench.ask { .tokenWanted($0, isNew: false) }
                self.settle(&world)
                if case .token? = world.bench.reply(caller) { return }
            case .pinRequired, .locked:
                _ = world.bench.unlock(world.digits, &world.server)
            case .stepUpRequired: world.bench.begin(&world.server)
            default: world.broken.append("at last: \(world.bench.reducer.state)")
            }
        }
        world.broken.append("no token at last: \(world.bench.reducer.state)")
    }

    // MARK: - Any event

    /// Every event in any order, sensible or not: each caller is told once, and only the server, the key and the user sign
    /// out.
    @Test("each caller is told once in any order of events", arguments: 0..<100) func anyOrder(_ seed: Int) {
        var dice = Dice(state: UInt64(seed))
        var (bench, server) = SessionBench.active()
        var mayEnd = false
        for _ in 0..<150 {
            let number = Bool.random(using: &dice) ? bench.underWay?.number ?? 0 : Int.random(in: 0...40, using: &dice)
            switch Int.random(in: 0..<17, using: &dice) {
            case 0: bench.say(.started)
            case 1: bench.ask { .keyWanted($0, name: "other") }
            case 2: bench.ask { .beginWanted($0, SessionBench.secret, thumbprint: "x", nonce: "n1") }
            case 3: bench.ask { .tokenWanted($0, isNew: true) }
            case 4: bench.ask { .unlockWanted($0, [SessionBench.pin("1", salt: 1), SessionBench.pin("2", salt: 2)]) }
            case 5: bench.ask { .pinChosen($0, SessionBench.pin("3", salt: 3), old: nil) }
            case 6: bench.say(.pinsLost(Bool.random(using: &dice) ? .pin : .biometrics))
            case 7: bench.ask { .endWanted($0, "else") }
            case 8: bench.say(.lockWanted)
            case 9: bench.say(.stored(number))
            case 10: bench.say(.storeFailed(number))
            case 11: bench.say(.keyFailed(number, .failed(code: 1)))
            case 12: bench.say(.signed(number, Data(repeating: 1, count: 64)))
            case 13: bench.say(.requestFailed(number))
            case 14: bench.say(.timerFired)
            case 15: bench.step(&server)
            default:
                mayEnd = true
                if Bool.random(using: &dice) { bench.ask { .signOutWanted($0) } } else { bench.say(.keyGone) }
            }
            if let reason = bench.reducer.state.signOutReason, !mayEnd { Issue.record("signed out: \(reason)") }
            if bench.reducer.state == .signedOut(.ended) { Issue.record("the server has ended nothing") }
            if bench.replies.values.contains(where: { $0.count > 1 }) { Issue.record("told twice") }
        }
    }
}
