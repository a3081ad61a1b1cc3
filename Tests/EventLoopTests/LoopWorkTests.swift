import EventLoop
import Synchronization
import TestSupport
import Testing

/// Work from other threads and tasks, with both pollers.
@Suite struct LoopWorkTests {
    @Test(arguments: Polling.allCases) func `work is done on the loop in order`(_ polling: Polling) async throws {
        let loop = try EventLoop(name: "test", polling: polling)
        defer { loop.close() }
        let done = Mailbox<Int>()
        for number in 0..<1000 { loop.execute { if loop.isCurrent { done.put(number) } } }
        #expect(await done.take(1000) == Array(0..<1000))
        #expect(!loop.isCurrent)
    }

    @Test(arguments: Polling.allCases) func `work added on the loop runs later`(_ polling: Polling) async throws {
        let loop = try EventLoop(name: "test", polling: polling)
        defer { loop.close() }
        let done = Mailbox<Int>()
        loop.execute {
            loop.execute { done.put(2) }
            done.put(1)
        }
        #expect(await done.take(2) == [1, 2])
        // This is not the loop's own pass, but it is on the loop's queue.
        loop.queue.async { @Sendable in loop.execute { done.put(3) } }
        #expect(await done.next() == 3)
    }

    @Test(arguments: Polling.allCases) func `work that always gives more leaves others their turn`(_ polling: Polling)
        async throws
    {
        let loop = try EventLoop(name: "test", polling: polling)
        defer { loop.close() }
        let isOver = Flag()
        @Sendable func again() { if !isOver.isSet { loop.execute(again) } }
        loop.execute(again)
        await withCheckedContinuation { continuation in loop.queue.async { @Sendable in continuation.resume() } }
        var turns = 0
        for _ in 0..<100 { loop.sync { turns += 1 } }
        #expect(turns == 100)
        isOver.set()
    }

    @Test(arguments: Polling.allCases)
    func `a task that prefers the loop stays on it`(_ polling: Polling) async throws {
        let loop = try EventLoop(name: "test", polling: polling)
        defer { loop.close() }
        let seen = Mailbox<Bool>()
        loop.execute {
            let task = Task.immediate(executorPreference: loop) {
                seen.put(loop.isCurrent)
                await Task.yield()
                seen.put(loop.isCurrent)
                await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
                seen.put(loop.isCurrent)
            }
            _ = task
        }
        #expect(await seen.take(3) == [true, true, true])
    }

    @Test(arguments: Polling.allCases) func `a closed loop still does its work`(_ polling: Polling) async throws {
        let loop = try EventLoop(name: "test", polling: polling)
        let done = Mailbox<Int>()
        loop.execute { done.put(1) }
        loop.close()
        loop.close()
        loop.execute { if loop.isCurrent { done.put(2) } }
        #expect(await done.take(2) == [1, 2])
        await Task(executorPreference: loop) { done.put(3) }.value
        #expect(await done.next() == 3)
    }

    /// Threads add work while the loop closes, and none of it is lost.
    @Test(arguments: Polling.allCases) func `closing loses no work`(_ polling: Polling) async throws {
        for _ in 0..<50 {
            let loop = try EventLoop(name: "test", polling: polling)
            let done = Mailbox<Int>()
            await withTaskGroup { group in
                for _ in 0..<3 { group.addTask { for number in 0..<20 { loop.execute { done.put(number) } } } }
                group.addTask { loop.close() }
            }
            #expect(await done.take(60).count == 60)
        }
    }

    @Test(arguments: Polling.allCases) func `a loop that nobody holds is freed`(_ polling: Polling) async throws {
        for isClosed in [true, false] {
            var loop: EventLoop? = try EventLoop(name: "test", polling: polling)
            weak let seen = loop
            await loop?.run {}
            if isClosed { loop?.close() }
            let queue = loop?.queue
            loop = nil
            await withCheckedContinuation { continuation in queue?.async { @Sendable in continuation.resume() } }
            #expect(seen == nil)
        }
    }

    @Test func `as many loops are made as asked`() throws {
        let loops = try EventLoop.makeLoops(count: 3)
        #expect(loops.map(\.name) == ["loop-0", "loop-1", "loop-2"])
        #expect(try EventLoop.makeLoops(count: 0).count == 1)
        #expect(EventLoop.cores >= 1)
        for loop in loops { loop.close() }
    }
}

final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { self.value.load(ordering: .acquiring) }

    func set() { self.value.store(true, ordering: .releasing) }
}
