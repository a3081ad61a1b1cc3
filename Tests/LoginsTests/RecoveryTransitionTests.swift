import Base
import Testing

@testable import Logins

/// Which work another process resumes after its holder is gone, depending on the state, the lease and the code's age.
@Suite struct RecoveryTransitionTests {
    @Test(arguments: Stage.allCases) func `only an exchange whose lease has ended is resumed`(_ stage: Stage) {
        var login = stage.login()
        let before = login
        // The code was taken two seconds after the start, so its lease ends at second 17.
        #expect(login.recover(codeLifetime: .seconds(60), at: Example.after(16)) == .nothing)
        #expect(login == before, "the holder may still be there")
        let recovery = login.recover(codeLifetime: .seconds(60), at: Example.after(17))
        guard stage == .exchanging, case .exchange(let exchange) = recovery else {
            #expect(recovery == .nothing && login == before)
            return
        }
        #expect(exchange.fencingToken == 2 && exchange.code == [5] && exchange.leaseUntil == Example.after(32))
        #expect(login.state == .exchanging(exchange))
        #expect(login.version == before.version, "an app cannot act on it")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var lifetime = 60
        var hasAnswer = false
        let seconds: Int
        let isTaken: Bool
    }

    @Test(arguments: [
        Row(testDescription: "a fresh code", seconds: 17, isTaken: true),
        Row(testDescription: "a code in its last second", seconds: 61, isTaken: true),
        Row(testDescription: "a code that is too old", seconds: 62, isTaken: false),
        Row(testDescription: "a broker whose codes live for 15 s", lifetime: 15, seconds: 17, isTaken: false),
        Row(testDescription: "a broker that takes no code twice", lifetime: 0, seconds: 17, isTaken: false),
        Row(testDescription: "an answer", hasAnswer: true, seconds: 17, isTaken: true),
        Row(testDescription: "an old answer", lifetime: 0, hasAnswer: true, seconds: 500, isTaken: true),
    ]) func `a code is sent again while it may be good`(_ row: Row) {
        var login = Stage.exchanging.login()
        if row.hasAnswer { _ = login.keepTokenResponse([8], fencingToken: 1) }
        let recovery = login.recover(codeLifetime: .seconds(row.lifetime), at: Example.after(row.seconds))
        #expect((recovery == .ended) == !row.isTaken)
        #expect(login.status == (row.isTaken ? .exchanging : .failed))
        #expect(login.reason == (row.isTaken ? nil : .interrupted))
        if !row.isTaken { #expect(login.wrappedKey.isEmpty && login.version == 3) }
    }

    struct HolderRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let holder: Login.HolderState
        var lifetime = 60
        var seconds = 3
        let isTaken: Bool
        /// Nil if the login goes on.
        var reason: Reason?
    }

    @Test(arguments: [
        HolderRow(testDescription: "nothing is known", holder: .unknown, isTaken: false),
        HolderRow(testDescription: "it is this process", holder: .present, isTaken: false),
        HolderRow(testDescription: "it has ended", holder: .ended, isTaken: true),
        HolderRow(
            testDescription: "it has ended, and the code is old", holder: .ended, lifetime: 0, isTaken: false,
            reason: .interrupted),
        HolderRow(testDescription: "it is lost", holder: .lost(["holder", "other"]), isTaken: true),
        HolderRow(testDescription: "others are lost", holder: .lost(["other", ""]), isTaken: false),
        HolderRow(
            testDescription: "it is lost, and the code is old", holder: .lost(["holder"]), lifetime: 0, isTaken: false),
        HolderRow(
            testDescription: "it is lost, the code is old, and the lease has run out", holder: .lost(["holder"]),
            lifetime: 0, seconds: 17, isTaken: false, reason: .interrupted),
    ]) func `the holder decides when an exchange is resumed`(_ row: HolderRow) throws {
        var login = Example.login()
        _ = login.start(Example.attempt(1), at: Example.after(1))
        _ = login.acceptCallback(
            .granted(code: [5]), to: Example.attempt(1).id, hash: [1], by: "holder", at: Example.after(2))
        let recovery = login.recover(
            codeLifetime: .seconds(row.lifetime), from: row.holder, by: "successor", at: Example.after(row.seconds))
        #expect(login.reason == row.reason)
        #expect(try LoginCodec.decode(LoginCodec.encode(login)) == login)
        guard case .exchange(let exchange) = recovery else {
            #expect(!row.isTaken)
            return
        }
        #expect(row.isTaken && exchange.fencingToken == 2 && exchange.holder == "successor")
    }

    /// Without a name, nobody can see that the holder has ended.
    @Test func `a holder without a name is never lost`() {
        var login = Stage.exchanging.login()
        #expect(login.recover(codeLifetime: .seconds(60), from: .lost([""]), at: Example.after(3)) == .nothing)
    }

    @Test func `an exchange is resumed once`() {
        var login = Stage.exchanging.login()
        _ = login.recover(codeLifetime: .seconds(60), at: Example.after(17))
        #expect(
            login.recover(codeLifetime: .seconds(60), at: Example.after(17)) == .nothing, "somebody else was faster")
        #expect(
            login.fail(.brokerError, fencingToken: 1, at: Example.after(18)) == .drop,
            "the first holder is heard no more")
        #expect(login.keepTokenResponse([9], fencingToken: 1) == false)
        var failed = login
        #expect(failed.fail(.interrupted, fencingToken: 2, at: Example.after(18)) == .ended)
        var settled = login
        #expect(
            settled.settle(Example.outcome, at: Example.after(18), timeout: Example.returnTimeout) == .ended,
            "a success counts from anybody")
    }

    /// A holder that waits for the store has sent the code and can still report the result. If it is killed now, the
    /// code is not sent again.
    @Test func `a holder that waits for the store keeps the exchange`() {
        var login = Stage.exchanging.login()
        #expect(login.recover(codeLifetime: .seconds(60), from: .present, at: Example.after(17)) == .nothing)
        var failed = login
        #expect(failed.fail(.brokerError, fencingToken: 1, at: Example.after(18)) == .ended)
        #expect(login.recover(codeLifetime: .seconds(60), at: Example.after(31)) == .nothing, "for another lease")
        #expect(login.recover(codeLifetime: .seconds(60), at: Example.after(32)) == .ended)
        #expect(login.reason == .interrupted)
    }

    /// The code is sent at most twice, no matter which holders are killed and when.
    @Test func `a code is not sent a third time`() {
        var login = Stage.exchanging.login()
        _ = login.recover(codeLifetime: .seconds(60), at: Example.after(17))
        let overtaken = login.beginTry(fencingToken: 1, at: Example.after(18))
        #expect(!overtaken, "it is another's")
        guard case .exchange(let third) = login.recover(codeLifetime: .seconds(60), at: Example.after(32)) else {
            #expect(Bool(false), "who was killed before the second try has not used it up")
            return
        }
        #expect(third.fencingToken == 3 && third.tries == 1)
        let tries = [3, 3].map { login.beginTry(fencingToken: $0, at: Example.after(32)) }
        #expect(tries == [true, false], "no third time")
        var answered = login
        #expect(login.recover(codeLifetime: .seconds(60), at: Example.after(47)) == .ended)
        #expect(login.reason == .interrupted)

        _ = answered.keepTokenResponse([8], fencingToken: 3)
        for fencingToken in 4...8 {
            let recovery = answered.recover(codeLifetime: .zero, at: Example.after(47 + (fencingToken - 4) * 15))
            guard case .exchange(let next) = recovery else {
                #expect(Bool(false), "an answer needs no code")
                return
            }
            #expect(next.fencingToken == fencingToken && next.tokenResponse == [8])
        }
        #expect(answered.recover(codeLifetime: .zero, at: Example.after(122)) == .ended, "it may be what kills them")
    }

    /// The code's age counts from the callback, however often another holder took over since.
    @Test func `a code gets old while holders are killed`() {
        var login = Stage.exchanging.login()
        for seconds in [17, 32, 47] {
            guard case .exchange = login.recover(codeLifetime: .seconds(60), at: Example.after(seconds)) else {
                #expect(Bool(false), "\(seconds)")
                return
            }
        }
        #expect(login.recover(codeLifetime: .seconds(60), at: Example.after(62)) == .ended)
    }

    /// An exchange expires one lease after the end of its lease.
    @Test func `an exchange is due for the sweep before it expires`() {
        var login = Example.login()
        _ = login.start(Example.attempt(1), at: Example.after(1))
        _ = login.acceptCallback(.granted(code: [5]), to: Example.attempt(1).id, hash: [1], at: Example.after(599))
        #expect(login.due == Example.after(614) && login.lapsesAt == Example.after(629))
    }

    @Test func `a backchannel transaction is polled by the holder of its lease`() throws {
        var login = Example.login()
        for number in 1...2 as ClosedRange<UInt8> {
            var attempt = Example.attempt(number)
            attempt.pollLeaseUntil = Example.after(10 + Int(number))
            _ = login.start(attempt, at: Example.after(1))
        }
        _ = login.start(Example.attempt(3), at: Example.after(1))
        #expect(login.due == Example.after(11))
        login.renewPollLeaseIfNeeded(Example.attempt(1).id, at: Example.after(2))
        #expect(login.due == Example.after(11), "not every look at it is a write")
        login.renewPollLeaseIfNeeded(Example.attempt(1).id, at: Example.after(3))
        #expect(login.due == Example.after(12), "the other one")
        guard case .poll(let left) = login.recover(codeLifetime: .zero, at: Example.after(12)) else {
            #expect(Bool(false), "nobody walks it")
            return
        }
        #expect(left.map(\.id) == [Example.attempt(2).id])
        #expect(login.recover(codeLifetime: .zero, at: Example.after(12)) == .nothing)
        #expect(login.due == Example.after(18) && login.version == 1)
        login.renewPollLeaseIfNeeded(Example.attempt(3).id, at: Example.after(17))
        #expect(login.attempts[2].pollLeaseUntil == nil, "there is nobody to ask")
        #expect(try LoginCodec.decode(LoginCodec.encode(login)) == login)
    }
}
