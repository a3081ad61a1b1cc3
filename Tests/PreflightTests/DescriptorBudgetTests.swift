import Testing

@testable import Preflight

/// How many connections clients get under a limit of descriptors, and what `check` says about it.
@Suite struct DescriptorBudgetTests {
    struct Row: Sendable {
        let limit: Int
        let brokers: Int
        let store: Int
        let connections: Int
    }

    @Test(arguments: [
        Row(limit: 1_048_576, brokers: 32, store: 12, connections: 15_000),
        Row(limit: 65_536, brokers: 640, store: 12, connections: 15_000),
        Row(limit: 1024, brokers: 32, store: 12, connections: 788),
        Row(limit: 256, brokers: 32, store: 12, connections: 116),
        // Ten brokers get half of what is left, not all of it.
        Row(limit: 256, brokers: 320, store: 12, connections: 72),
        Row(limit: 64, brokers: 32, store: 12, connections: 8),
    ])
    func `clients get the descriptors that are left`(_ row: Row) {
        let budget = DescriptorBudget(
            limit: row.limit, connections: 15_000, brokers: row.brokers, store: row.store)
        #expect(budget.connections == row.connections)
        #expect((budget.shortage == nil) == (row.connections == 15_000))
    }

    /// Everything that may be open at the same time fits, for every limit that is not very low.
    @Test func `the shares never exceed the limit`() {
        for limit in stride(from: 160, through: 70_000, by: 7) {
            for brokers in [0, 32, 64, 320, 3200] {
                let budget = DescriptorBudget(limit: limit, connections: 15_000, brokers: brokers, store: 12)
                let rest = limit - DescriptorBudget.process - DescriptorBudget.operations - 12
                let clients = budget.connections + budget.refusals
                #expect(clients + min(brokers, rest / 2) <= rest, "limit \(limit), brokers \(brokers)")
                #expect(budget.connections >= DescriptorBudget.fewest)
            }
        }
    }

    @Test func `a shortage says what to do`() throws {
        let budget = DescriptorBudget(limit: 256, connections: 15_000, brokers: 32, store: 12)
        let shortage = try #require(budget.shortage)
        for word in ["15000", "256", "116", "limits.connections", "LimitNOFILE", "ulimit -n"] {
            #expect(shortage.contains(word))
        }
    }
}
