import Dispatch
import EventLoop
import Synchronization
import TestSupport
import Testing

/// The inbox loses nothing, keeps the order, and needs one wake-up for a burst.
@Suite struct InboxTests {
    @Test func `only the first entry of an empty inbox wakes`() {
        let inbox = Inbox<Int>()
        #expect(inbox.takeAll().isEmpty)
        #expect(inbox.put(1))
        #expect(!inbox.put(2))
        #expect(!inbox.put(3))
        #expect(inbox.takeAll() == [1, 2, 3])
        #expect(inbox.put(4))
        #expect(inbox.takeAll() == [4])
        #expect(inbox.takeAll().isEmpty)
    }

    @Test func `an inbox loses nothing and keeps the order of each thread`() {
        let shared = Shared()
        DispatchQueue.concurrentPerform(iterations: 5) { thread in
            guard thread > 0 else { return shared.collect(4 * 5000) }
            for number in 0..<5000 where shared.inbox.put((thread, number)) { shared.wakes.add(1, ordering: .relaxed) }
        }
        let taken = shared.taken.withLock { $0 }
        #expect(taken.count == 4 * 5000)
        for thread in 1...4 { #expect(taken.filter { $0.0 == thread }.map(\.1) == Array(0..<5000)) }
        #expect(shared.wakes.load(ordering: .relaxed) <= shared.batches.load(ordering: .relaxed) + 1)
    }

    private final class Shared: Sendable {
        let inbox = Inbox<(Int, Int)>()
        let taken = Mutex<[(Int, Int)]>([])
        let wakes = Atomic(0)
        let batches = Atomic(0)

        func collect(_ count: Int) {
            let end = Patience.end
            var missing = count
            while missing > 0, ContinuousClock.now < end {
                let batch = self.inbox.takeAll()
                guard !batch.isEmpty else { continue }
                self.batches.add(1, ordering: .relaxed)
                missing -= batch.count
                self.taken.withLock { $0 += batch }
            }
        }
    }
}
