import Testing

@testable import Base

/// Which values two generations keep, and in which order they forget them.
@Suite struct RecentValuesTests {
    /// Two generations of two values. A row lists what is kept (a number) and used (a number below zero).
    @Test(arguments: [
        ([1, 2], [1, 2]), ([1, 2, 3, 4], [1, 2, 3, 4]), ([1, 2, 3, 4, 5], [3, 4, 5]), ([1, 2, 3, -1, 4], [1, 3, 4]),
        ([1, 2, 3, -1, 4, 5], [1, 3, 4, 5]), ([1, 2, 1, 2, 1], [1, 2]), ([1, 2, 3, 1], [1, 2, 3]),
    ]) func `the values that were used last stay`(_ steps: [Int], _ rest: [Int]) {
        var recent = RecentValues<Int, Int>(limit: 2)
        for step in steps {
            if step < 0 { #expect(recent.use(-step) == -step) } else { recent.keep(step, for: step) }
        }
        #expect((1...5).filter { recent[$0] != nil } == rest)
        #expect(recent.count == rest.count)
    }

    @Test func `a value that is removed is gone from both`() {
        var recent = RecentValues<Int, String>(limit: 1)
        recent.keep("older", for: 1)
        recent.keep("younger", for: 2)
        recent.keep("newer", for: 2)
        #expect(recent[1] == "older")
        #expect(recent[2] == "newer")
        recent.remove(1)
        recent.remove(2)
        #expect(recent.count == 0)
        #expect(recent.use(1) == nil)
    }
}
