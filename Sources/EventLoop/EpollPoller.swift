// One epoll descriptor for all that a loop watches, itself watched by a single DispatchSource.
//
// Level triggered: an event that a watcher leaves unhandled comes again, so nothing can be missed.

#if os(Linux)

import CEpoll
import Dispatch
import Glibc

final class EpollPoller: Poller {
    private struct Entry {
        let watcher: any Watcher
        let generation: UInt32
    }

    private static let batch = 1024

    private let descriptor: Int32
    private let alarm: Alarm
    private let queue: DispatchQueue
    private var source: (any DispatchSourceRead)?
    private let events: UnsafeMutablePointer<epoll_event>
    /// By descriptor.
    private var entries: [Entry?] = []
    /// Tells an event for a descriptor from one for the same number before it was closed and opened again.
    private var generation: UInt32 = 0

    init(queue: DispatchQueue) throws(EventLoop.Failure) {
        let alarm = try Alarm()
        let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw EventLoop.Failure(call: "epoll_create1") }
        let key = UInt64(UInt32(bitPattern: alarm.descriptor))
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: key))
        guard epoll_ctl(descriptor, EPOLL_CTL_ADD, alarm.descriptor, &event) == 0 else {
            let failure = EventLoop.Failure(call: "epoll_ctl")
            Glibc.close(descriptor)
            throw failure
        }
        self.alarm = alarm
        self.descriptor = descriptor
        self.events = .allocate(capacity: Self.batch)
        self.queue = queue
    }

    deinit {
        self.close()
        self.events.deallocate()
    }

    func start(_ onReady: @escaping @Sendable () -> Void) {
        let descriptor = self.descriptor
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: self.queue)
        source.setEventHandler { @Sendable in onReady() }
        // Not before: libdispatch looks at the descriptor until its source is really cancelled.
        source.setCancelHandler { @Sendable in Glibc.close(descriptor) }
        source.resume()
        self.source = source
    }

    func watch(_ descriptor: Int32, for interest: Interest, _ watcher: any Watcher) throws(EventLoop.Failure) {
        let index = Int(descriptor)
        guard index >= 0 else { throw EventLoop.Failure(call: "epoll_ctl", code: EBADF) }
        self.generation &+= 1
        var event = self.event(for: descriptor, interest, generation: self.generation)
        guard epoll_ctl(self.descriptor, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            throw EventLoop.Failure(call: "epoll_ctl")
        }
        while self.entries.count <= index { self.entries.append(nil) }
        self.entries[index] = Entry(watcher: watcher, generation: self.generation)
    }

    func change(_ descriptor: Int32, to interest: Interest) {
        guard let entry = self.entry(of: descriptor) else { return }
        var event = self.event(for: descriptor, interest, generation: entry.generation)
        _ = epoll_ctl(self.descriptor, EPOLL_CTL_MOD, descriptor, &event)
    }

    func unwatch(_ descriptor: Int32, isClosing: Bool) {
        guard self.entry(of: descriptor) != nil else { return }
        self.entries[Int(descriptor)] = nil
        // epoll(7): the last close of a descriptor takes it out.
        guard !isClosing else { return }
        var event = epoll_event()
        _ = epoll_ctl(self.descriptor, EPOLL_CTL_DEL, descriptor, &event)
    }

    func find(within limit: Int32) -> Int {
        max(0, Int(epoll_wait(self.descriptor, self.events, Int32(Self.batch), limit)))
    }

    func tell(_ count: Int) {
        for index in 0..<count {
            let event = self.events[index]
            let descriptor = Int32(truncatingIfNeeded: event.data.u64)
            guard descriptor != self.alarm.descriptor else {
                self.alarm.silence()
                continue
            }
            // A watcher told earlier in this batch may have stopped watching this one.
            guard let entry = self.entry(of: descriptor), UInt64(entry.generation) == event.data.u64 >> 32 else {
                continue
            }
            entry.watcher.ready(Readiness(epoll: event.events))
        }
    }

    func wake() { self.alarm.ring() }

    func close() {
        self.entries = []
        self.source?.cancel()
        self.source = nil
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

extension Readiness {
    fileprivate init(epoll events: UInt32) {
        self = []
        if events & EPOLLIN.rawValue != 0 { self.insert(.readable) }
        if events & EPOLLOUT.rawValue != 0 { self.insert(.writable) }
        if events & EPOLLRDHUP.rawValue != 0 { self.insert(.hangup) }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { self.insert(.broken) }
    }
}

#endif
