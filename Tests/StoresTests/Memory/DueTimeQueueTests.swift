import Base
import Logins
import Testing

@testable import Stores

/// Tests that the memory store's calendar sorts entries in any order of arrival, and frees its memory after a peak.
@Suite struct DueTimeQueueTests {
    @Test(arguments: [1, 37, 61, 99]) func `the earliest entry comes first`(_ step: Int) throws {
        var calendar = DueTimeQueue<LoginID>()
        let id = try StoreConformanceTests.row(1).id
        var expected: [Int] = []
        for number in 0..<200 {
            let seconds = number * step % 100
            calendar.add(DueTimeQueue.Entry(due: Timestamp(seconds: seconds), id: id))
            expected.append(seconds)
        }
        var seconds: [Int] = []
        while let first = calendar.first {
            seconds.append(first.due.seconds)
            calendar.removeFirst()
        }
        #expect(seconds == expected.sorted())
        calendar.removeFirst()
        #expect(calendar.first == nil)
    }

    @Test func `a queue gives back its room`() throws {
        var calendar = DueTimeQueue<LoginID>()
        let id = try StoreConformanceTests.row(1).id
        for number in 0..<5000 { calendar.add(DueTimeQueue.Entry(due: Timestamp(seconds: number), id: id)) }
        for _ in 0..<4990 { calendar.removeFirst() }
        #expect(calendar.capacity < 200)
        #expect(calendar.first?.due == Timestamp(seconds: 4990))
    }
}
