import Synchronization
import Testing

@testable import Logins

/// Tests that no wake-up is lost.
@Suite struct WaiterRegistryTests {
    let waiters = WaiterRegistry()
    let id = Example.secret.loginID

    /// Counts how often it was woken.
    final class Bell: Sendable {
        private let count = Atomic<Int>(0)
        var rings: Int { self.count.load(ordering: .acquiring) }
        var wake: WaiterRegistry.Wake { { _ in self.count.add(1, ordering: .acquiringAndReleasing) } }
    }

    final class Flag: Sendable {
        private let value = Atomic<Bool>(false)
        var isUp: Bool {
            get { self.value.load(ordering: .sequentiallyConsistent) }
            set { self.value.store(newValue, ordering: .sequentiallyConsistent) }
        }
    }

    @Test func `a wake-up between looking and sleeping is not lost`() {
        let bell = Bell()
        _ = self.waiters.add(for: self.id, bell.wake)
        self.waiters.wake(self.id)
        #expect(bell.rings == 1)
        self.waiters.wake(self.id)
        #expect(bell.rings == 1, "once")
        #expect(self.waiters.count == 0)
    }

    @Test func `a newer waiter replaces the oldest`() {
        let bells = (0..<3).map { _ in Bell() }
        for bell in bells { _ = self.waiters.add(for: self.id, bell.wake) }
        #expect(bells.map(\.rings) == [1, 0, 0])
        self.waiters.wake(self.id)
        #expect(bells.map(\.rings) == [1, 1, 1])
    }

    @Test func `a waiter that has ended is not woken`() {
        let bell = Bell()
        let token = self.waiters.add(for: self.id, bell.wake)
        #expect(self.waiters.remove(token))
        #expect(!self.waiters.remove(token))
        self.waiters.wake(self.id)
        #expect(bell.rings == 0)
    }

    @Test func `other waiters sleep on`() {
        let (mine, other) = (Bell(), Bell())
        _ = self.waiters.add(for: self.id, mine.wake)
        _ = self.waiters.add(for: PollSecret.make().loginID, other.wake)
        self.waiters.wake(self.id)
        #expect([mine.rings, other.rings] == [1, 0])
        self.waiters.wakeAll()
        #expect([mine.rings, other.rings] == [1, 1])
    }

    /// A waiter that starts before the change is woken, and a waiter that starts later sees the change. It never misses
    /// both.
    @Test(arguments: 0..<500) func `a waiter is woken or sees the change`(round: Int) async {
        let (changed, saw) = (Flag(), Flag())
        let bell = Bell()
        let waiters = self.waiters
        let id = PollSecret.make().loginID
        await withTaskGroup { group in
            group.addTask {
                changed.isUp = true
                waiters.wake(id)
            }
            group.addTask {
                _ = waiters.add(for: id, bell.wake)
                saw.isUp = changed.isUp
            }
        }
        #expect(saw.isUp || bell.rings == 1)
    }

    @Test(arguments: 0..<50) func `every waiter is woken at most once`(round: Int) async {
        let bells = (0..<20).map { _ in Bell() }
        let waiters = self.waiters
        let id = PollSecret.make().loginID
        await withTaskGroup { group in
            for bell in bells {
                group.addTask { _ = waiters.add(for: id, bell.wake) }
                group.addTask { waiters.wake(id) }
            }
        }
        waiters.wake(id)
        #expect(bells.allSatisfy { $0.rings == 1 })
    }

    /// The store watches a login exactly while it has waiters, however they end.
    @Test func `the store looks out for logins with waiters`() {
        let store = WatchingStore()
        let waiters = WaiterRegistry(store: store)
        let tokens = (0..<3).map { _ in waiters.add(for: self.id) { _ in } }
        #expect(store.watched == 2, "the oldest was pushed out")
        waiters.remove(tokens[0])
        waiters.remove(tokens[1])
        waiters.remove(tokens[1])
        #expect(store.watched == 1)
        waiters.wake(self.id)
        #expect(store.watched == 0)
        for _ in 0..<2 { _ = waiters.add(for: self.id) { _ in } }
        waiters.wakeAll()
        #expect(store.watched == 0)
    }

    final class Sleeper: LoginWaiter {
        let bell = Bell()
        func wake(_ reason: WaiterRegistry.WakeReason) { self.bell.wake(reason) }
    }

    @Test func `a waiter can wait again and again`() {
        let (one, other) = (Sleeper(), Sleeper())
        for round in 1...3 {
            self.waiters.add(for: self.id, one)
            self.waiters.add(for: self.id, other)
            #expect(self.waiters.remove(self.id, other))
            #expect(!self.waiters.remove(self.id, other))
            self.waiters.wake(self.id)
            #expect([one.bell.rings, other.bell.rings] == [round, 0])
        }
        #expect(self.waiters.count == 0)
    }

    /// A change never ends a long poll for good, and a replaced waiter is never told to wait again.
    @Test func `a woken waiter knows why`() {
        let reasons = Mutex<[WaiterRegistry.WakeReason]>([])
        for _ in 0..<3 { _ = self.waiters.add(for: self.id) { reason in reasons.withLock { $0.append(reason) } } }
        self.waiters.wake(self.id)
        #expect(reasons.withLock { $0 } == [.over, .changed, .changed])
        _ = self.waiters.add(for: self.id) { reason in reasons.withLock { $0.append(reason) } }
        self.waiters.wakeAll()
        #expect(reasons.withLock { $0.last } == .over)
    }
}
