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
    /// By place; nil while the place is free.
    private var watchers: [(any Watcher)?] = []
    /// By place: tells an event for this watcher from one for an earlier watcher in the same place. An array of its own,
    /// because together with the watchers it would take a sixth more.
    private var generations: [UInt32] = []
    private var free: [UInt32] = []
    /// By descriptor: its place in `watchers`, plus one; zero if it is not watched here. The loops of a process share its
    /// descriptors, so this is all that each loop keeps of one that another loop watches.
    private var places: [UInt32] = []

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
        if self.free.isEmpty {
            self.free.append(UInt32(self.watchers.count))
            self.watchers.append(nil)
            self.generations.append(0)
        }
        let place = self.free[self.free.count - 1]
        var event = self.event(for: place, interest)
        guard epoll_ctl(epoll.number, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            throw SystemCallError(call: "epoll_ctl")
        }
        self.free.removeLast()
        self.watchers[Int(place)] = watcher
        while self.places.count <= index { self.places.append(0) }
        self.places[index] = place + 1
    }

    func change(_ descriptor: Int32, to interest: Interest) {
        guard let epoll = self.epoll, let place = self.place(of: descriptor) else { return }
        var event = self.event(for: place, interest)
        _ = epoll_ctl(epoll.number, EPOLL_CTL_MOD, descriptor, &event)
    }

    func unwatch(_ descriptor: Int32, isClosing: Bool) {
        guard let place = self.place(of: descriptor) else { return }
        self.places[Int(descriptor)] = 0
        self.watchers[Int(place)] = nil
        self.generations[Int(place)] &+= 1
        self.free.append(place)
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
            let place = Int(UInt32(truncatingIfNeeded: event.data.u64))
            guard place < self.watchers.count, UInt64(self.generations[place]) == event.data.u64 >> 32,
                let watcher = self.watchers[place]
            else { continue }
            watcher.ready(ReadyEvents(epoll: event.events))
        }
    }

    /// Safe to call on any thread. Does nothing after `close`.
    func wake() { self.wakeup.withLock { $0?.signal() } }

    func close() {
        self.watchers = []
        self.generations = []
        self.free = []
        self.places = []
        self.source?.cancel()
        self.source = nil
        self.epoll = nil
        self.wakeup.withLock { $0 = nil }
    }

    private func place(of descriptor: Int32) -> UInt32? {
        let index = Int(descriptor)
        guard self.places.indices.contains(index), self.places[index] > 0 else { return nil }
        return self.places[index] - 1
    }

    private func event(for place: UInt32, _ interest: Interest) -> epoll_event {
        var events: UInt32 = 0
        if interest.contains(.read) { events |= EPOLLIN.rawValue }
        if interest.contains(.write) { events |= EPOLLOUT.rawValue }
        if interest.contains(.hangup) { events |= EPOLLRDHUP.rawValue }
        let key = UInt64(self.generations[Int(place)]) << 32 | UInt64(place)
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
