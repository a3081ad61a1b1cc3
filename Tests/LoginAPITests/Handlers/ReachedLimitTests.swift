import HTTPWire
import Logins
import Sessions
import Synchronization
import TestSupport
import Testing

@testable import LoginAPI

/// Each limit is reported by its name when it refuses something, and only then.
@Suite struct ReachedLimitTests {
    typealias Use = @Sendable (RequestLimits, IPAddress, LoginID) throws -> Void

    struct Row: Sendable, CustomTestStringConvertible {
        let limit: RequestLimit
        let use: Use

        var testDescription: String { "\(self.limit)" }
    }

    private static let rows: [Row] = [
        Row(limit: .createPerAddress) { limits, address, _ in try limits.takeCreate(from: address, at: .zero) },
        Row(limit: .createPerApp) { limits, address, _ in try limits.takeCreate(for: "a", from: address, at: .zero) },
        Row(limit: .brokerCallsPerAddress) { limits, address, _ in
            try limits.take(.exchange, from: address, at: .zero)
        },
        Row(limit: .brokerCallsPerAddress) { limits, address, _ in
            try limits.take(.attempt(of: PollSecret.make().loginID, isFirst: true), from: address, at: .zero)
        },
        Row(limit: .attemptsPerLogin) { limits, _, login in
            try limits.take(.attempt(of: login, isFirst: true), from: .unspecified, at: .zero)
        },
        Row(limit: .pollsPerLogin) { limits, _, login in try limits.takePoll(of: login, at: .zero) },
        Row(limit: .pageStatesPerLogin) { limits, _, login in try limits.takePageState(of: login, at: .zero) },
        Row(limit: .proofsPerAddress) { limits, address, _ in try limits.takeProof(from: address, at: .zero) },
        Row(limit: .requestsPerSession) { limits, _, login in try limits.takeBeginning(of: login, at: .zero) },
    ]

    @Test(arguments: rows) func `a limit is named when it refuses`(_ row: Row) throws {
        let reached = Mutex<[RequestLimit]>([])
        var rates = RequestLimits.Rates()
        let two = Rate(burst: 2, interval: .seconds(60))
        (rates.createPerAddress, rates.createPerApp, rates.brokerCallsPerAddress) = (two, two, two)
        (rates.poll, rates.pageState, rates.proofsPerAddress, rates.session) = (two, two, two, two)
        // One login may be opened more often than an address may call, unless that is the row.
        rates.attemptsPerLogin = row.limit == .attemptsPerLogin ? two : Rate(burst: 9, interval: .seconds(60))
        if row.limit == .attemptsPerLogin { rates.brokerCallsPerAddress = nil }
        let limits = RequestLimits(rates) { limit, _ in reached.withLock { $0.append(limit) } }
        let (address, login) = (try #require(IPAddress("192.0.2.1")), PollSecret.make().loginID)
        for _ in 0..<2 { try row.use(limits, address, login) }
        #expect(reached.withLock { $0 } == [])
        for _ in 0..<3 { #expect(throws: (any Error).self) { try row.use(limits, address, login) } }
        #expect(reached.withLock { $0 } == [row.limit, row.limit, row.limit])
    }

    @Test func `every limit has a row`() {
        let known = Self.rows.map(\.limit) + [.pendingLogins]
        #expect(RequestLimit.allCases.allSatisfy { known.contains($0) })
    }
}
