import HTTPWire
import TestSupport
import Testing

@testable import HTTPServer

/// Which connections give way.
@Suite struct RoomPlanTests {
    /// Connections of one network.
    struct Holding: Sendable {
        var silent = 0
        var fresh = 0
        var idle = 0
        var polls = 0
        /// They are being handled, or are still waiting for less than a second.
        var busy = 0
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let holdings: [Holding]
        let unused: Int
        let all: Int
        /// How many of each network give way: silent, idle, polls.
        let chosen: [[Int]]

        init(_ name: String, _ holdings: [Holding], unused: Int, all: Int, _ chosen: [[Int]]) {
            (self.testDescription, self.holdings) = (name, holdings)
            (self.unused, self.all, self.chosen) = (unused, all, chosen)
        }
    }

    private static func network(_ index: Int) -> IPAddress { IPAddress(v4: 0xC000_0200 + UInt32(index)) }

    /// Returns the plan, and for each candidate its network and kind.
    private static func plan(_ holdings: [Holding]) -> RoomPlan {
        var networks: [IPAddress: Int] = [:]
        var candidates: [RoomPlan.Candidate] = []
        for (index, holding) in holdings.enumerated() {
            let kinds: [(Displacement, Bool, Int)] = [
                (.silent, false, holding.silent), (.silent, true, holding.fresh), (.idle, false, holding.idle),
                (.poll, false, holding.polls),
            ]
            networks[Self.network(index)] = kinds.reduce(holding.busy) { $0 + $1.2 }
            for (kind, isFresh, count) in kinds {
                for _ in 0..<count {
                    candidates.append(
                        RoomPlan.Candidate(
                            index: candidates.count, network: Self.network(index), kind: kind, isFresh: isFresh))
                }
            }
        }
        return RoomPlan(networks: networks, candidates: candidates)
    }

    private static func count(_ plan: RoomPlan, _ chosen: [Int], _ index: Int, _ kind: Displacement) -> Int {
        chosen.count { plan.candidates[$0].network == Self.network(index) && plan.candidates[$0].kind == kind }
    }

    static let rows = [
        Row("nothing wanted", [Holding(silent: 9)], unused: 0, all: 0, [[0, 0, 0]]),
        Row(
            "silent before idle before polls", [Holding(silent: 2, idle: 3, polls: 9)], unused: 4, all: 2,
            [[2, 2, 0]]),
        Row("polls only as far as needed", [Holding(silent: 2, idle: 1, polls: 9)], unused: 9, all: 4, [[2, 1, 1]]),
        Row("polls are never unused", [Holding(polls: 9)], unused: 9, all: 0, [[0, 0, 0]]),
        Row("the largest", [Holding(silent: 9), Holding(silent: 2)], unused: 3, all: 0, [[3, 0, 0], [0, 0, 0]]),
        Row(
            "down to the next ones", [Holding(silent: 9), Holding(silent: 7), Holding(silent: 1)], unused: 6, all: 0,
            [[4, 0, 0], [2, 0, 0], [0, 0, 0]]),
        Row(
            "the largest of this kind, not in all", [Holding(silent: 1, polls: 3000), Holding(silent: 2, polls: 1)],
            unused: 1, all: 1, [[0, 0, 0], [1, 0, 0]]),
        Row(
            "the largest holder of polls", [Holding(polls: 30), Holding(polls: 5)], unused: 4, all: 4,
            [[0, 0, 4], [0, 0, 0]]),
        Row(
            "a client that has just connected", [Holding(fresh: 8), Holding(polls: 1)], unused: 5, all: 1,
            [[0, 0, 0], [0, 0, 1]]),
        Row("a flood of these", [Holding(fresh: 100)], unused: 90, all: 0, [[88, 0, 0]]),
        Row("those of many users", [Holding(fresh: 100, busy: 700)], unused: 90, all: 0, [[0, 0, 0]]),
        Row("a request being handled", [Holding(busy: 100)], unused: 90, all: 90, [[0, 0, 0]]),
    ]

    @Test(arguments: rows) func `each network gives way as the table says`(_ row: Row) {
        let plan = Self.plan(row.holdings)
        let chosen = plan.choose(AdmissionControl.RoomOrder(unused: row.unused, all: row.all, usual: 8))
        let counts = row.holdings.indices.map { index in
            Displacement.allCases.map { Self.count(plan, chosen, index, $0) }
        }
        #expect(counts == row.chosen)
    }

    /// Whatever the networks hold: each gives way once at most, never more than asked, no poll while something unused is
    /// left, and no network is pressed below another that gave nothing of the same kind.
    @Test func `no network is pressed below another`() {
        var dice = SplitMix64(seed: 15)
        for _ in 0..<2000 {
            let holdings = (0..<Int.random(in: 1...6, using: &dice)).map { _ in
                Holding(
                    silent: Int.random(in: 0...20, using: &dice), idle: Int.random(in: 0...20, using: &dice),
                    polls: Int.random(in: 0...20, using: &dice))
            }
            let order = AdmissionControl.RoomOrder(
                unused: Int.random(in: -5...90, using: &dice), all: Int.random(in: -5...90, using: &dice), usual: 2)
            let plan = Self.plan(holdings)
            let chosen = plan.choose(order)
            #expect(Set(chosen).count == chosen.count)
            let polls = chosen.count { plan.candidates[$0].kind == .poll }
            #expect(chosen.count - polls <= max(0, order.unused))
            #expect(polls == 0 || chosen.count <= order.all)
            for kind in Displacement.allCases {
                let all = chosen.indices.isEmpty ? [] : Array(holdings.indices)
                let left = all.map { index in
                    plan.candidates.count { $0.network == Self.network(index) && $0.kind == kind }
                        - Self.count(plan, chosen, index, kind)
                }
                let pressed = all.filter { Self.count(plan, chosen, $0, kind) > 0 }
                let highest = left.max() ?? 0
                #expect(pressed.allSatisfy { left[$0] >= highest - 1 }, "seed 15: \(holdings) \(order)")
            }
        }
    }
}
