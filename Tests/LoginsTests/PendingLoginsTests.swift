import Base
import TestSupport
import Testing

@testable import Logins

/// Which login makes room when many pending logins were never opened.
@Suite struct PendingLoginsTests {
    private static let start = Timestamp(milliseconds: 1_000_000)
    private static let until = Self.start + .seconds(600)
    /// Allows at most five unopened logins for one caller and 50 in total.
    private static let shares = PendingLoginQuota(limit: 100)

    private static func login(_ number: Int) throws -> LoginID {
        try #require(LoginID(withUnsafeBytes(of: (UInt64(0), UInt64(number))) { Array($0) }))
    }

    @discardableResult
    private static func add(
        _ number: Int, of caller: UInt8, to pending: PendingLogins, isOpened: Bool = false,
        at now: Timestamp = Self.start
    ) throws -> LoginID? {
        pending.add(
            try Self.login(number), of: [caller], isOpened: isOpened, until: now + .seconds(600), at: now, Self.shares)
    }

    @Test func `of one caller, the oldest login goes`() throws {
        let pending = PendingLogins()
        for number in 0..<5 { #expect(try Self.add(number, of: 1, to: pending) == nil) }
        #expect(try Self.add(5, of: 1, to: pending) == Self.login(0))
        #expect(try Self.add(6, of: 1, to: pending) == Self.login(1))
        #expect(pending.count(of: [1]) == 5)
        // Another caller loses nothing.
        #expect(try Self.add(7, of: 2, to: pending) == nil)
    }

    @Test func `a login with an attempt or an end makes no room`() throws {
        let pending = PendingLogins()
        for number in 0..<5 { try Self.add(number, of: 1, to: pending) }
        pending.open(try Self.login(0))
        pending.end(try Self.login(1))
        #expect(try Self.add(5, of: 1, to: pending) == nil)
        #expect(try Self.add(6, of: 1, to: pending) == nil)
        #expect(try Self.add(7, of: 1, to: pending) == Self.login(2))
        #expect(pending.count(of: [1]) == 6)
    }

    /// Callers with one login each do not push each other out while another caller has more.
    @Test func `of all callers, the largest makes room`() throws {
        let pending = PendingLogins()
        for number in 0..<5 { try Self.add(number, of: 0, to: pending) }
        for number in 5..<50 { #expect(try Self.add(number, of: UInt8(number), to: pending) == nil) }
        for number in 50..<54 {
            #expect(try Self.add(number, of: UInt8(number), to: pending) == Self.login(number - 50))
        }
        #expect(pending.unopened == 50)
    }

    @Test func `logins that nobody reported as ended are forgotten in time`() throws {
        let pending = PendingLogins()
        for number in 0..<5 { try Self.add(number, of: 1, to: pending) }
        let later = Self.until + .seconds(1)
        #expect(try Self.add(5, of: 1, to: pending, at: later) == nil)
        #expect(pending.count(of: [1]) == 1)
        #expect(pending.unopened == 1)
    }

    /// After any sequence of calls, the counts match the logins that exist.
    @Test(arguments: TestTier.few(Array(1...20), oneOf: 5)) func `the counts stay true`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pending = PendingLogins()
        var known: [Int: (caller: UInt8, isOpened: Bool)] = [:]
        for number in 0..<2000 {
            let caller = UInt8.random(in: 0...3, using: &random)
            let isOpened = Int.random(in: 0...3, using: &random) == 0
            let dropped = try Self.add(number, of: caller, to: pending, isOpened: isOpened)
            known[number] = (caller, isOpened)
            if let dropped {
                let gone = try #require(known.first { (try? Self.login($0.key)) == dropped })
                let unopened = known.filter { $0.value.caller == gone.value.caller && !$0.value.isOpened }
                #expect(unopened.keys.min() == gone.key, "the oldest one makes room")
                known[gone.key] = nil
            }
            if let some = known.keys.sorted().randomElement(using: &random) {
                switch Int.random(in: 0...2, using: &random) {
                case 0:
                    pending.end(try Self.login(some))
                    known[some] = nil
                case 1:
                    pending.open(try Self.login(some))
                    known[some]?.isOpened = true
                default: break
                }
            }
        }
        #expect(pending.unopened == known.values.count { !$0.isOpened })
        for caller in 0...3 as ClosedRange<UInt8> {
            #expect(pending.count(of: [caller]) == known.values.count { $0.caller == caller })
        }
    }
}
