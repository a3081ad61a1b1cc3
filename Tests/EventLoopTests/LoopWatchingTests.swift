import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

/// Descriptors that become ready, with both pollers.
@Suite struct LoopWatchingTests {
    /// Sources: K2.
    @Test(arguments: Polling.allCases)
    func `a watcher is told until the bytes are read`(_ polling: Polling) async throws {
        let loop = try EventLoop(name: "test", polling: polling)
        defer { loop.close() }
        let pair = try Pair()
        let told = Mailbox<Int>()
        let calls = Atomic(0)
        let listener = Listener { _ in
            // The listener ignores the event twice and is called again.
            let count = calls.add(1, ordering: .relaxed).newValue
            if count >= 3 { told.put(pair.receive()) }
        }
        #expect(await loop.watch(pair.here, for: .read, listener) == nil)
        pair.send()
        #expect(await told.next() == 1)
        pair.send()
        pair.send()
        #expect(await told.next().map { $0 >= 1 } == true)
        await loop.run { loop.unwatch(pair.here) }
    }

    @Test(arguments: Polling.allCases) func `a watcher is told of the end`(_ polling: Polling) async throws {
        let loop = try EventLoop(name: "test", polling: polling)
        defer { loop.close() }
        let pair = try Pair()
        let told = Mailbox<Int>()
        let listener = Listener { _ in
            told.put(pair.receive())
            loop.unwatch(pair.here)
        }
        #expect(await loop.watch(pair.here, for: [.read, .hangup], listener) == nil)
        shutdown(pair.there, Int32(SHUT_WR))
        #expect(await told.next() == 0)
    }

    @Test func `epoll tells of a hangup while nobody reads`() async throws {
        let loop = try EventLoop(name: "test", polling: .epoll)
        defer { loop.close() }
        let pair = try Pair()
        let told = Mailbox<ReadyEvents>()
        let listener = Listener {
            told.put($0)
            loop.unwatch(pair.here)
        }
        #expect(await loop.watch(pair.here, for: .hangup, listener) == nil)
        pair.send()
        shutdown(pair.there, Int32(SHUT_WR))
        #expect(await told.next() == .hangup)
    }

    @Test(arguments: Polling.allCases) func `the interest of a watcher can change`(_ polling: Polling) async throws {
        let loop = try EventLoop(name: "test", polling: polling)
        defer { loop.close() }
        let pair = try Pair()
        let told = Mailbox<ReadyEvents>()
        let listener = Listener {
            told.put($0)
            loop.change(pair.here, to: [])
        }
        #expect(await loop.watch(pair.here, for: .write, listener) == nil)
        #expect(await told.next() == .writable)
        pair.send()
        await loop.run { loop.change(pair.here, to: .read) }
        #expect(await told.next() == .readable)
        await loop.run { loop.change(pair.here, to: [.read, .write]) }
        let first = await told.next()
        #expect(first.map { !$0.isDisjoint(with: [.readable, .writable]) } == true)
        await loop.run { loop.unwatch(pair.here) }
    }

    /// Two descriptors are ready together. The first watcher to be called unwatches the other.
    @Test(arguments: Polling.allCases) func `nobody is told after unwatch`(_ polling: Polling) async throws {
        let loop = try EventLoop(name: "test", polling: polling)
        defer { loop.close() }
        let pairs = [try Pair(), try Pair()]
        let told = Mailbox<Int>()
        for (index, pair) in pairs.enumerated() {
            let listener = Listener { _ in
                for pair in pairs { loop.unwatch(pair.here) }
                told.put(index)
            }
            #expect(await loop.watch(pair.here, for: .read, listener) == nil)
        }
        await loop.run { for pair in pairs { pair.send() } }
        #expect(await told.next() != nil)
        await loop.run {}
        await loop.run {}
        #expect(told.isEmpty)
    }

    /// The number of a closed descriptor is reused at once. The new watcher is called, the old one is not.
    @Test(arguments: Polling.allCases) func `a descriptor number can be used again`(_ polling: Polling) async throws {
        let loop = try EventLoop(name: "test", polling: polling)
        defer { loop.close() }
        let told = Mailbox<Int>()
        for round in 0..<50 {
            let pair = try Pair()
            let listener = Listener { _ in
                loop.unwatch(pair.here)
                told.put(round)
            }
            #expect(await loop.watch(pair.here, for: .read, listener) == nil)
            pair.send()
            #expect(await told.next() == round)
        }
    }

    @Test(arguments: Polling.allCases) func `the loop says why it cannot watch`(_ polling: Polling) async throws {
        let loop = try EventLoop(name: "test", polling: polling)
        defer { loop.close() }
        let failure = await loop.watch(-1, for: .read, Listener { _ in })
        #expect(failure?.code == EBADF)
        #expect(failure?.description.contains("Bad file descriptor") == true)
        let pair = try Pair()
        #expect(await loop.watch(pair.here, for: .read, Listener { _ in }) == nil)
        #expect(await loop.watch(pair.here, for: .read, Listener { _ in })?.code == EEXIST)
        await loop.run { loop.unwatch(pair.here) }
    }

    @Test(arguments: Polling.allCases) func `nobody is told after close`(_ polling: Polling) async throws {
        let loop = try EventLoop(name: "test", polling: polling)
        let pair = try Pair()
        let told = Mailbox<ReadyEvents>()
        #expect(await loop.watch(pair.here, for: .read, Listener { told.put($0) }) == nil)
        loop.close()
        // Wait until the loop is closed, which happens on the queue too.
        loop.sync {}
        pair.send()
        for _ in 0..<3 { await loop.run {} }
        #expect(told.isEmpty)
    }
}

extension EventLoop {
    /// Watches a descriptor from any thread. Returns the error if there was one.
    func watch(_ descriptor: Int32, for interest: Interest, _ listener: Listener) async -> SystemCallError? {
        await self.run {
            do throws(SystemCallError) {
                try self.watch(descriptor, for: interest, listener)
                return nil
            } catch {
                return error
            }
        }
    }
}
