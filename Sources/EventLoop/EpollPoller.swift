#if os(Linux)

import CEpoll
import Dispatch
import Glibc
import Synchronization

/// One epoll descriptor for everything that a loop watches. A single DispatchSource watches it.
///
/// It is level-triggered: an event that a watcher leaves unhandled is reported again, so none can be missed.
final class EpollPoller: Poller {
    private static let batch = 1024
    /// Stands for the wakeup in an event.
    private static let wakeupKey = UInt64.max

    /// Both are nil once closed: the loop's object may live longer, but then keeps no descriptors.
    private var epoll: SharedDescriptor?
    private let wakeup: Mutex<WakeupSignal?>
    private let queue: DispatchQueue
    /// Nil once closed.
    private var source: (any DispatchSourceRead)?
    private let events: UnsafeMutablePointer<epoll_event>
    private var watchers = SlotMap<any Watcher>()
    /// By descriptor: its slot in `watchers`, plus one; zero if it is not watched here. The loops of a process share
    /// its descriptors, so this is all that each loop keeps of one that another loop watches.
    private var slots: [UInt32] = []

    init(queue: DispatchQueue) throws(SystemCallError) {
        let signal = try WakeupSignal()
        let epoll = SharedDescriptor(try Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), of: "epoll_create1"))
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: Self.wakeupKey))
        guard epoll_ctl(epoll.number, EPOLL_CTL_ADD, signal.number, &event) == 0 else {
            throw SystemCallError(call: "epoll_ctl")
        }
        self.wakeup = Mutex(signal)
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
        let token = self.watchers.insert(watcher)
        var event = self.event(for: token, interest)
        guard epoll_ctl(epoll.number, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            let error = SystemCallError(call: "epoll_ctl")
            self.watchers.remove(token)
            throw error
        }
        while self.slots.count <= index { self.slots.append(0) }
        self.slots[index] = token.slot + 1
    }

    func change(_ descriptor: Int32, to interest: Interest) {
        guard let epoll = self.epoll, let token = self.token(of: descriptor) else { return }
        var event = self.event(for: token, interest)
        _ = epoll_ctl(epoll.number, EPOLL_CTL_MOD, descriptor, &event)
    }

    func unwatch(_ descriptor: Int32, isClosing: Bool) {
        guard let token = self.token(of: descriptor) else { return }
        self.slots[Int(descriptor)] = 0
        self.watchers.remove(token)
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
            guard event.data.u64 != Self.wakeupKey else {
                self.wakeup.withLock { $0?.clear() }
                continue
            }
            // An earlier watcher of this batch may have unwatched this descriptor, or closed the poller.
            let token = SlotMap<any Watcher>.Token(
                slot: UInt32(truncatingIfNeeded: event.data.u64), generation: UInt32(event.data.u64 >> 32))
            guard let watcher = self.watchers[token] else { continue }
            watcher.ready(ReadyEvents(epoll: event.events))
        }
    }

    /// Safe to call on any thread. Does nothing after `close`.
    func wake() { self.wakeup.withLock { $0?.signal() } }

    func close() {
        self.watchers = SlotMap()
        self.slots = []
        self.source?.cancel()
        self.source = nil
        self.epoll = nil
        self.wakeup.withLock { $0 = nil }
    }

    private func token(of descriptor: Int32) -> SlotMap<any Watcher>.Token? {
        let index = Int(descriptor)
        guard self.slots.indices.contains(index), self.slots[index] > 0 else { return nil }
        return self.watchers.token(of: self.slots[index] - 1)
    }

    private func event(for token: SlotMap<any Watcher>.Token, _ interest: Interest) -> epoll_event {
        var events: UInt32 = 0
        if interest.contains(.read) { events |= EPOLLIN.rawValue }
        if interest.contains(.write) { events |= EPOLLOUT.rawValue }
        if interest.contains(.hangup) { events |= EPOLLRDHUP.rawValue }
        let key = UInt64(token.generation) << 32 | UInt64(token.slot)
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
