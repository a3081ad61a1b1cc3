// One epoll descriptor for everything that a loop watches. A single DispatchSource watches it.
//
// It is level-triggered: an event that a watcher leaves unhandled is reported again, so none can be missed.

#if os(Linux)

import CEpoll
import Dispatch
import Glibc
import Synchronization

final class EpollPoller: Poller {
    private struct Entry {
        let watcher: any Watcher
        let generation: UInt32
    }

    private static let batch = 1024

    /// Both are nil once closed: the loop's object may live longer, but then keeps no descriptors.
    private var epoll: SharedDescriptor?
    private let wakeup: Mutex<WakeupSignal?>
    private let wakeupNumber: Int32
    private let queue: DispatchQueue
    /// Nil once closed.
    private var source: (any DispatchSourceRead)?
    private let events: UnsafeMutablePointer<epoll_event>
    /// The index is the descriptor.
    private var entries: [Entry?] = []
    /// Tells an event for a descriptor from one for the same number before it was closed and reused.
    private var generation: UInt32 = 0

    init(queue: DispatchQueue) throws(SystemCallError) {
        let alarm = try WakeupSignal()
        let epoll = SharedDescriptor(try Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), of: "epoll_create1"))
        let key = UInt64(UInt32(bitPattern: alarm.number))
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: key))
        guard epoll_ctl(epoll.number, EPOLL_CTL_ADD, alarm.number, &event) == 0 else {
            throw SystemCallError(call: "epoll_ctl")
        }
        self.wakeupNumber = alarm.number
        self.wakeup = Mutex(alarm)
        self.epoll = epoll
        self.events = .allocate(capacity: Self.batch)
        self.queue = queue
    }

    deinit {
        self.close()
        self.events.deallocate()
    }

    func start(_ onReady: @escaping @Sendable () -> Void) {
        guard let epoll = self.epoll else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: epoll.number, queue: self.queue)
        source.setEventHandler { @Sendable in onReady() }
        source.setCancelHandler { @Sendable in withExtendedLifetime(epoll) {} }
        source.resume()
        self.source = source
    }

    func watch(_ descriptor: Int32, for interest: Interest, _ watcher: any Watcher) throws(SystemCallError) {
        let index = Int(descriptor)
        guard index >= 0, let epoll = self.epoll else { throw SystemCallError(call: "epoll_ctl", code: EBADF) }
        self.generation &+= 1
        var event = self.event(for: descriptor, interest, generation: self.generation)
        guard epoll_ctl(epoll.number, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            throw SystemCallError(call: "epoll_ctl")
        }
        while self.entries.count <= index { self.entries.append(nil) }
        self.entries[index] = Entry(watcher: watcher, generation: self.generation)
    }

    func change(_ descriptor: Int32, to interest: Interest) {
        guard let epoll = self.epoll, let entry = self.entry(of: descriptor) else { return }
        var event = self.event(for: descriptor, interest, generation: entry.generation)
        _ = epoll_ctl(epoll.number, EPOLL_CTL_MOD, descriptor, &event)
    }

    func unwatch(_ descriptor: Int32, isClosing: Bool) {
        guard self.entry(of: descriptor) != nil else { return }
        self.entries[Int(descriptor)] = nil
        // The last close of a descriptor removes it from epoll (epoll(7)).
        guard !isClosing, let epoll = self.epoll else { return }
        var event = epoll_event()
        _ = epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor, &event)
    }

    func find(within limit: Int32) -> Int {
        guard let epoll = self.epoll else { return 0 }
        return max(0, Int(epoll_wait(epoll.number, self.events, Int32(Self.batch), limit)))
    }

    func tell(_ count: Int) {
        for index in 0..<count {
            let event = self.events[index]
            let descriptor = Int32(truncatingIfNeeded: event.data.u64)
            guard descriptor != self.wakeupNumber else {
                self.wakeup.withLock { $0?.clear() }
                continue
            }
            // An earlier watcher of this batch may have unwatched this descriptor.
            guard let entry = self.entry(of: descriptor), UInt64(entry.generation) == event.data.u64 >> 32 else {
                continue
            }
            entry.watcher.ready(ReadyEvents(epoll: event.events))
        }
    }

    /// Safe to call on any thread. Does nothing after `close`.
    func wake() { self.wakeup.withLock { $0?.signal() } }

    func close() {
        self.entries = []
        self.source?.cancel()
        self.source = nil
        self.epoll = nil
        self.wakeup.withLock { $0 = nil }
    }

    private func entry(of descriptor: Int32) -> Entry? {
        let index = Int(descriptor)
        return self.entries.indices.contains(index) ? self.entries[index] : nil
    }

    private func event(for descriptor: Int32, _ interest: Interest, generation: UInt32) -> epoll_event {
        var events: UInt32 = 0
        if interest.contains(.read) { events |= EPOLLIN.rawValue }
        if interest.contains(.write) { events |= EPOLLOUT.rawValue }
        if interest.contains(.hangup) { events |= EPOLLRDHUP.rawValue }
        let key = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
        return epoll_event(events: events, data: epoll_data_t(u64: key))
    }
}

extension ReadyEvents {
    fileprivate init(epoll events: UInt32) {
        self = []
        if events & EPOLLIN.rawValue != 0 { self.insert(.readable) }
        if events & EPOLLOUT.rawValue != 0 { self.insert(.writable) }
        if events & EPOLLRDHUP.rawValue != 0 { self.insert(.hangup) }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { self.insert(.broken) }
    }
}

#endif
