import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// Safe because mutable state is touched only on the queue, except the inbox and `isOpen`, which are guarded.
/// One serial queue that reports ready descriptors and passed deadlines, and does work from other threads.
///
///     other threads ──▶ inbox ──▶ ┌────────────┐
///     descriptors ──▶ poller ───▶ │ one serial │ ──▶ watchers, actions, jobs of tasks
///     timer ──▶ timing wheel ───▶ │   queue    │
///                                 └────────────┘
///
/// Everything that it calls runs on the queue, one after the other, and must not block. It is a `TaskExecutor`: a task
/// that prefers it stays on it between two suspensions. `execute`, `close` and `isCurrent` are safe to call on any
/// thread, the rest only on the loop.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    /// What a deadline runs. A generic type keeps a bare closure in an object of its own, but not one in a struct.
    struct Alarm: Sendable {
        let ring: @Sendable () -> Void
    }

    enum Work: Sendable {
        case action(@Sendable () -> Void)
        case job(UnownedJob)
    }

    /// A pass ends after this many milliseconds, so that other work on the queue gets its turn.
    private static let passTime: Int64 = 50
    /// A pass with nothing left to do waits this many milliseconds for more before it ends. Beginning a new pass costs
    /// two changes of threads, waking this one costs one.
    private static let idleWait: Int32 = 10
    /// A round takes at most this many passed deadlines, so that a thousand at once do not delay the sockets.
    private static let deadlinesPerRound = 256
    /// A round empties the inbox at most this many times: for a change, a look at what has changed, a response, and
    /// sending it.
    private static let workRounds = 4
    private static let current = DispatchSpecificKey<ObjectIdentifier>()

    package let name: String
    package let queue: DispatchQueue
    private let clock: @Sendable () -> Int64
    /// Milliseconds since an arbitrary time, read once per round.
    package private(set) var now: Int64

    let poller: any Poller
    private let ticker: any DispatchSourceTimer
    private var wheel: TimingWheel<Alarm>
    /// Whether the timer runs. It stops while nothing waits.
    package private(set) var isTicking = false
    private var isPassing = false
    private let inbox = Inbox<Work>()
    private let isOpen = Atomic(true)
    /// How many threads wait for their turn on the queue.
    private let visitorCount = Atomic(0)

    /// `clock` counts milliseconds since an arbitrary time, and never goes back. Tests pass one that they move.
    package init(
        name: String, polling: Polling = .standard, clock: @escaping @Sendable () -> Int64 = EventLoop.monotonic
    ) throws(SystemCallError) {
        let queue = DispatchQueue(label: "switchback.\(name)")
        self.name = name
        self.queue = queue
        self.clock = clock
        self.now = clock()
        self.wheel = TimingWheel(now: self.now)
        self.poller = try polling.makePoller(queue: queue)
        // Nothing may fail from here on: releasing a source before it is resumed ends the process.
        self.ticker = DispatchSource.makeTimerSource(queue: queue)
        queue.setSpecific(key: Self.current, value: ObjectIdentifier(self))
        self.ticker.setEventHandler { @Sendable [weak self] in self?.takeTick() }
        self.ticker.schedule(deadline: .distantFuture)
        self.ticker.resume()
        self.poller.start { @Sendable [weak self] in self?.pass() }
    }

    deinit {
        self.poller.close()
        self.ticker.cancel()
    }

    package var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(self) }

    /// Stops watching and waiting. Work that arrives later still runs on the queue.
    package func close() {
        guard self.isOpen.exchange(false, ordering: .sequentiallyConsistent) else { return }
        guard self.isCurrent else { return self.queue.async { @Sendable in self.shut() } }
        self.shut()
    }

    private func shut() {
        self.poller.close()
        self.ticker.cancel()
        self.wheel = TimingWheel(now: self.now)
        _ = self.work()
    }

    package static func monotonic() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

// MARK: - Work from any thread

extension EventLoop {
    /// Runs `work` on the loop soon, after all earlier work. It never runs at once, so no caller is re-entered.
    package func execute(_ work: @escaping @Sendable () -> Void) { self.put(.action(work)) }

    /// Runs `body` on the loop now and waits for it. Never call it from another loop: two that wait for each other
    /// would wait forever.
    package func sync<Result>(_ body: () -> Result) -> Result {
        guard !self.isCurrent else { return body() }
        // A pass that has nothing to do waits for events, and the queue waits for it.
        self.visitorCount.add(1, ordering: .sequentiallyConsistent)
        self.poller.wake()
        return self.queue.sync {
            self.visitorCount.subtract(1, ordering: .sequentiallyConsistent)
            return body()
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) { self.put(.job(UnownedJob(job))) }

    private func put(_ work: Work) {
        let isFirst = self.inbox.put(work)
        guard self.isOpen.load(ordering: .sequentiallyConsistent) else {
            return self.queue.async { @Sendable in _ = self.work() }
        }
        guard isFirst else { return }
        // The current pass looks into the inbox again before it ends.
        if self.isCurrent, self.isPassing { return }
        self.poller.wake()
    }
}

// MARK: - Descriptors

extension EventLoop {
    /// Watches a descriptor until `unwatch`, which the caller must call before closing it.
    package func watch(_ descriptor: Int32, for interest: Interest, _ watcher: any Watcher) throws(SystemCallError) {
        assert(self.isCurrent)
        try self.poller.watch(descriptor, for: interest, watcher)
    }

    package func change(_ descriptor: Int32, to interest: Interest) {
        assert(self.isCurrent)
        self.poller.change(descriptor, to: interest)
    }

    /// Pass `isClosing` if the only owner closes the descriptor at once: then the system need not be told.
    package func unwatch(_ descriptor: Int32, isClosing: Bool = false) {
        assert(self.isCurrent)
        self.poller.unwatch(descriptor, isClosing: isClosing)
    }
}

// MARK: - Deadlines

extension EventLoop {
    /// Runs `action` when the time has passed, at most two ticks of the wheel (0.2 s) later.
    @discardableResult
    package func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> Deadline {
        assert(self.isCurrent)
        if !self.isTicking { self.tick(true) }
        // Both are rounded down, so add one.
        return Deadline(token: self.wheel.add(Alarm(ring: action), due: self.clock() + delay.milliseconds + 1))
    }

    /// Drops the action. Does nothing if it has already run.
    package func cancel(_ deadline: Deadline) {
        assert(self.isCurrent)
        self.wheel.cancel(deadline.token)
    }

    private func takeTick() {
        self.pass()
        // We stop the timer only here. Otherwise alternating calls of `schedule` and `cancel` would start and stop it
        // each time.
        if self.isTicking, self.wheel.isEmpty { self.tick(false) }
    }

    private func tick(_ isWanted: Bool) {
        self.isTicking = isWanted
        let tick = DispatchTimeInterval.milliseconds(Int(self.wheel.tick))
        guard isWanted else { return self.ticker.schedule(deadline: .distantFuture) }
        self.ticker.schedule(deadline: .now() + tick, repeating: tick, leeway: .milliseconds(10))
    }
}

// MARK: - A pass

extension EventLoop {
    private func pass() {
        guard self.isOpen.load(ordering: .relaxed) else { return }
        self.isPassing = true
        self.now = self.clock()
        let end = self.now + Self.passTime
        var (waitTime, isOver): (Int32, Bool) = (0, false)
        // Once another thread closes the loop, no watcher is called any more, not even in the rest of this pass.
        while !isOver, self.now < end, self.isOpen.load(ordering: .sequentiallyConsistent) {
            let readyCount = self.poller.find(within: waitTime)
            self.now = self.clock()
            self.poller.tell(readyCount)
            let (hasWorked, hasExpired) = (self.work(), self.expire())
            isOver = readyCount == 0 && !hasWorked && !hasExpired && waitTime > 0
            // Work that arrives while the loop works does not wake it.
            waitTime = hasExpired || !self.inbox.isEmpty ? 0 : Self.idleWait
            guard self.visitorCount.load(ordering: .sequentiallyConsistent) == 0 else { break }
        }
        self.isPassing = false
        if !isOver { self.poller.wake() }
    }

    /// Also does the work that this work adds, before the sockets are looked at again, but only up to a limit.
    private func work() -> Bool {
        var remainingRounds = Self.workRounds
        while remainingRounds > 0 {
            let works = self.inbox.takeAll()
            guard !works.isEmpty else { break }
            for work in works {
                switch work {
                case .action(let action): action()
                case .job(let job): job.runSynchronously(on: self.asUnownedTaskExecutor())
                }
            }
            remainingRounds -= 1
        }
        return remainingRounds < Self.workRounds
    }

    private func expire() -> Bool {
        guard !self.wheel.isEmpty else { return false }
        self.wheel.advance(to: self.now)
        var remainingDeadlines = Self.deadlinesPerRound
        while remainingDeadlines > 0, let alarm = self.wheel.next() {
            alarm.ring()
            remainingDeadlines -= 1
        }
        return remainingDeadlines < Self.deadlinesPerRound
    }
}

// MARK: - Time

/// Names an action that a loop will run later, so that it can be cancelled.
package struct Deadline: Hashable, Sendable {
    let token: TimingWheel<EventLoop.Alarm>.Token
}

extension Duration {
    /// Whole milliseconds, rounded down, and clamped so that additions do not overflow.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = self.components
        let limit = Int64.max / 4000
        guard seconds.magnitude < limit.magnitude else { return seconds < 0 ? -limit * 1000 : limit * 1000 }
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
