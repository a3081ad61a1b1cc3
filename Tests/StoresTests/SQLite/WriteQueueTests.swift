import Testing

@testable import Stores

/// The queue in front of the writer, tested as a value.
@Suite struct WriteQueueTests {
    @Test func `the first write begins, and the others wait`() {
        var waiting = WriteQueue<Int>()
        #expect(waiting.add(1) == .begin)
        #expect(waiting.next() == [1])
        for number in 2...5 { #expect(waiting.add(number) == .wait, "the first is still being committed") }
        #expect(waiting.next() == [2, 3, 4, 5], "all of them in one transaction")
        #expect(waiting.next() == [])
        #expect(waiting.add(6) == .begin)
    }

    @Test func `a group has a limit`() {
        var waiting = WriteQueue<Int>(groupLimit: 2, limit: 9)
        for number in 1...5 { _ = waiting.add(number) }
        #expect([waiting.next(), waiting.next(), waiting.next(), waiting.next()] == [[1, 2], [3, 4], [5], []])
    }

    @Test func `patient writes come after the others, one by one`() {
        var waiting = WriteQueue<Int>(groupLimit: 2)
        #expect(waiting.add(10, isPatient: true) == .begin)
        #expect(waiting.add(11, isPatient: true) == .wait)
        for number in 1...3 { _ = waiting.add(number) }
        #expect(waiting.count == 5)
        #expect([waiting.next(), waiting.next(), waiting.next()] == [[1, 2, 10], [3, 11], []])
    }

    /// The next transaction waits a moment for more only while it is busy.
    @Test(arguments: [
        (writes: 0, patient: 0, isBusy: false), (1, 0, false), (2, 0, true), (0, 3, false), (1, 3, false), (2, 3, true),
    ])
    func `a queue is busy with several writes that are not patient`(writes: Int, patient: Int, isBusy: Bool) {
        var waiting = WriteQueue<Int>()
        for number in 0..<writes { _ = waiting.add(number) }
        for number in 0..<patient { _ = waiting.add(number, isPatient: true) }
        _ = waiting.next()
        #expect(waiting.isBusy == isBusy)
    }

    @Test func `a write that cannot be served is told at once`() {
        var waiting = WriteQueue<Int>(groupLimit: 2, limit: 2)
        #expect([waiting.add(1), waiting.add(2), waiting.add(3)] == [.begin, .wait, .refuse(.overloaded)])
        _ = waiting.next()
        #expect(waiting.add(4) == .wait)
    }

    @Test func `after the end, what waits is done and nothing else`() {
        var waiting = WriteQueue<Int>()
        _ = waiting.add(1)
        waiting.close()
        #expect(waiting.add(2) == .refuse(.closed))
        #expect(waiting.next() == [1])
    }
}
