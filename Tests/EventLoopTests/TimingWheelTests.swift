import EventLoop
import TestSupport
import Testing

/// The timing wheel as a value: nothing is early, more than a tick late, or due after it was cancelled.
@Suite struct TimingWheelTests {
    /// The due time, the time of the look, and whether the element is found; in milliseconds, with a tick of 100.
    static let looks: [(due: Int64, look: Int64, isFound: Bool)] = [
        (0, 0, false),
        (0, 99, false),
        (0, 100, true),
        (50, 99, false),
        (50, 100, true),
        (100, 100, false),
        (100, 200, true),
        (150, 199, false),
        (150, 200, true),
        (-500, 100, true),
        (102_300, 102_300, false),
        (102_300, 102_400, true),
        (102_450, 102_400, false),
        (204_850, 204_800, false),
        (204_850, 204_900, true),
        (204_850, 9_000_000, true),
    ]

    @Test(arguments: looks) func `a deadline is found when it is due`(due: Int64, look: Int64, isFound: Bool) {
        var wheel = TimingWheel<Int>(now: 0)
        _ = wheel.add(1, due: due)
        wheel.advance(to: look)
        #expect(wheel.drain() == (isFound ? [1] : []))
        #expect(wheel.isEmpty == isFound)
    }

    @Test func `a deadline beyond one round of the wheel is found in its time`() {
        var wheel = TimingWheel<Int>(slots: 8, tick: 10, now: 5000)
        _ = wheel.add(1, due: 5455)
        var found: Int?
        for step in 1...100 where found == nil {
            wheel.advance(to: Int64(5000 + step * 10))
            if wheel.next() != nil { found = step }
        }
        #expect(found == 46)
    }

    @Test func `deadlines are found in the order in which they are due`() {
        var wheel = TimingWheel<Int64>(now: 0)
        for due in [700, 100, 400, 900, 200] as [Int64] { _ = wheel.add(due, due: due) }
        wheel.advance(to: 1000)
        #expect(wheel.drain() == [100, 200, 400, 700, 900])
    }

    @Test func `a token is worthless once its element is gone`() {
        var wheel = TimingWheel<String>(now: 0)
        let first = wheel.add("first", due: 1000)
        var answers = [wheel.cancel(first), wheel.cancel(first)]
        // The second element takes the place of the first.
        let second = wheel.add("second", due: 1000)
        answers.append(wheel.cancel(first))
        wheel.advance(to: 2000)
        #expect(wheel.drain() == ["second"])
        answers.append(wheel.cancel(second))
        #expect(answers == [true, false, false, false])
    }

    @Test func `what is expired can still be cancelled`() {
        var wheel = TimingWheel<Int>(now: 0)
        let tokens = (0..<3).map { wheel.add($0, due: 10) }
        wheel.advance(to: 1000)
        let first = wheel.next()
        wheel.cancel(tokens[1])
        #expect(first == 0)
        #expect(wheel.drain() == [2])
    }

    @Test func `cancelling frees the element at once`() {
        final class Thing {}
        var wheel = TimingWheel<Thing>(now: 0)
        var thing: Thing? = Thing()
        weak let seen = thing
        guard let token = thing.map({ wheel.add($0, due: 60000) }) else { return }
        thing = nil
        #expect(seen != nil)
        wheel.cancel(token)
        #expect(seen == nil)
    }

    @Test func `extreme times do not trap`() {
        var wheel = TimingWheel<Int>(now: -5000)
        _ = wheel.add(1, due: Int64.max)
        _ = wheel.add(2, due: Int64.min)
        wheel.advance(to: 1000)
        #expect(wheel.drain() == [2])
        wheel.advance(to: Int64.max)
        wheel.advance(to: 0)
        #expect(wheel.count == 1)
    }

    /// Any order of adding, cancelling and looking has the same result as with a plain list.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func `the wheel behaves as a list does`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var wheel = TimingWheel<Int>(slots: 16, now: 0)
        var list: [Int: (token: TimingWheel<Int>.Token, due: Int64)] = [:]
        var now: Int64 = 0
        for number in 0..<12_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let due = now + Int64.random(in: 0..<8000, using: &random)
                list[number] = (wheel.add(number, due: due), due)
            case 5..<9:
                guard let (number, entry) = list.randomElement(using: &random) else { continue }
                let isCancelled = wheel.cancel(entry.token)
                #expect(isCancelled)
                list[number] = nil
            default:
                now += Int64.random(in: 0..<900, using: &random)
                wheel.advance(to: now)
                let due = wheel.drain().compactMap { list.removeValue(forKey: $0)?.due }
                #expect(due.allSatisfy { $0 <= now })
                #expect(list.values.allSatisfy { $0.due / 100 + 1 > now / 100 })
            }
            #expect(wheel.count == list.count)
        }
    }
}

extension TimingWheel {
    fileprivate mutating func drain() -> [Element] {
        var elements: [Element] = []
        while let element = self.next() { elements.append(element) }
        return elements
    }
}
