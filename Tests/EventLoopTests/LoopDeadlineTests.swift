import EventLoop
import TestSupport
import Testing

/// Deadlines on a running loop.
@Suite struct LoopDeadlineTests {
    @Test func `deadlines come in their order and not early`() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.close() }
        let passed = Mailbox<Int>()
        let start = ContinuousClock.now
        await loop.run {
            for delay in [300, 20, 150] {
                loop.schedule(after: .milliseconds(delay)) {
                    if ContinuousClock.now - start >= .milliseconds(delay) { passed.put(delay) }
                }
            }
        }
        #expect(await passed.take(3) == [20, 150, 300])
    }

    @Test func `a cancelled deadline does not come`() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.close() }
        let passed = Mailbox<Int>()
        await loop.run {
            let second = loop.schedule(after: .milliseconds(10)) { passed.put(2) }
            loop.schedule(after: .milliseconds(120)) { passed.put(3) }
            loop.cancel(second)
            loop.cancel(second)
        }
        #expect(await passed.next() == 3)
        #expect(passed.isEmpty)
    }

    @Test func `the tick stops when nothing waits`() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.close() }
        let passed = Mailbox<Bool>()
        #expect(await loop.run { loop.isTicking } == false)
        let waits = await loop.run {
            let deadline = loop.schedule(after: .seconds(60)) {}
            defer { loop.cancel(deadline) }
            return loop.isTicking
        }
        #expect(waits)
        #expect(await self.stopsTicking(loop))
        // The timer starts again.
        await loop.run { _ = loop.schedule(after: .milliseconds(50)) { passed.put(true) } }
        #expect(await passed.next() == true)
        #expect(await self.stopsTicking(loop))
    }

    /// Waits until the timer stops, which happens with the next tick.
    private func stopsTicking(_ loop: EventLoop) async -> Bool {
        let end = Patience.end
        while ContinuousClock.now < end {
            if await loop.run({ !loop.isTicking }) { return true }
        }
        return false
    }

    @Test func `thousands at once leave others their turn`() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.close() }
        let order = Mailbox<Int>()
        await loop.run {
            for number in 0..<5000 {
                loop.schedule(after: .milliseconds(10)) {
                    if number == 0 { loop.execute { order.put(-1) } }
                    order.put(number)
                }
            }
        }
        let seen = await order.take(5001)
        #expect(seen.filter { $0 >= 0 } == Array(0..<5000))
        #expect(seen.firstIndex(of: -1).map { $0 < 1000 } == true)
    }

    @Test func `closing a loop drops its deadlines`() async throws {
        let loop = try EventLoop(name: "test")
        final class Thing: Sendable {}
        weak let seen = await loop.run {
            let thing = Thing()
            loop.schedule(after: .seconds(60)) { withExtendedLifetime(thing) {} }
            return Weak(thing)
        }.value
        loop.close()
        // Wait until the loop is closed, which happens on the queue too.
        loop.sync {}
        #expect(seen == nil)
    }

    private struct Weak<Thing: AnyObject & Sendable>: Sendable {
        weak let value: Thing?
        init(_ value: Thing) { self.value = value }
    }
}
