import Base
import Dispatch
import Logging
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Writes log lines on a thread of its own, so that nothing else ever waits for whoever reads them.
///
/// A reader that has stopped (a full pipe, a stopped terminal) fills the queue, and then lines are dropped and counted.
/// As soon as it reads again, a line says how many were dropped, and when.
package final class LogWriter: Sendable {
    /// How long a process that ends waits for its last lines.
    package static let patience = Duration.seconds(1)

    private struct State {
        var queue: LogQueue
        /// Whether the thread waits for `work`.
        var isIdle = false
        var isClosed = false
        /// Those who wait until everything is written.
        var flushes: [DispatchSemaphore] = []
    }

    package let shape: LineLogHandler.Shape
    private let descriptor: Int32
    private let now: @Sendable () -> Timestamp
    private let state: Mutex<State>
    /// The position of the lowest level that is logged, among all levels.
    private let lowestLevel = Atomic(Logger.Level.info.position)
    private let work = DispatchSemaphore(value: 0)

    /// Writes to `descriptor`, and never changes its flags: other processes may have it too. `capacity` is the room for
    /// lines that wait, in bytes.
    package init(
        _ descriptor: Int32 = STDERR_FILENO, shape: LineLogHandler.Shape, capacity: Int = 1 << 20,
        now: @escaping @Sendable () -> Timestamp = WallClock.now
    ) {
        self.descriptor = descriptor
        self.shape = shape
        self.now = now
        self.state = Mutex(State(queue: LogQueue(capacity: capacity)))
        self.startThread()
    }

    /// The lowest level that is logged. It may change at any time.
    package var level: Logger.Level {
        get { Logger.Level.allCases[self.lowestLevel.load(ordering: .relaxed)] }
        set { self.lowestLevel.store(newValue.position, ordering: .relaxed) }
    }

    /// How many lines were dropped since the beginning.
    package var dropped: Int { self.state.withLock { $0.queue.dropped } }

    /// Never waits for the reader.
    func add(_ line: [UInt8], _ rank: LogRank) {
        let now = self.now()
        let wasIdle = self.state.withLock { state in
            state.queue.add(line, rank, at: now)
            defer { state.isIdle = false }
            return state.isIdle
        }
        if wasIdle { self.work.signal() }
    }

    /// Waits until every line is written that was added before, but no longer than `limit`. Returns whether all are.
    @discardableResult
    package func flush(within limit: Duration = LogWriter.patience) -> Bool {
        let semaphore = DispatchSemaphore(value: 0)
        let isDone = self.state.withLock { state in
            guard !state.isIdle else { return true }
            state.flushes.append(semaphore)
            return false
        }
        return isDone || semaphore.wait(timeout: .now() + limit / .seconds(1)) == .success
    }

    /// Ends the thread once everything is written.
    package func close() {
        let wasIdle = self.state.withLock { state in
            state.isClosed = true
            defer { state.isIdle = false }
            return state.isIdle
        }
        if wasIdle { self.work.signal() }
    }
}

// MARK: - The thread

extension LogWriter {
    private func startThread() {
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let writer = Unmanaged.passRetained(self).toOpaque()
        let failure = pthread_create(
            &thread, nil,
            { pointer in
                let writer: UnsafeMutableRawPointer? = pointer
                writer.map { Unmanaged<LogWriter>.fromOpaque($0).takeRetainedValue() }?.run()
                return nil
            }, writer)
        precondition(failure == 0, "the system has no thread for the log")
        #if canImport(Glibc)
        pthread_detach(thread)
        #else
        thread.map { _ = pthread_detach($0) }
        #endif
    }

    private func run() {
        // Signals are for the other threads, and a closed pipe is only a failed write.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP, SIGPIPE] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while let entry = self.next() {
            let isWritten = self.write(self.bytes(of: entry))
            let now = self.now()
            self.state.withLock { $0.queue.finish(entry, isWritten: isWritten, at: now) }
        }
    }

    /// Waits for something to write. Nil when the writer is closed.
    private func next() -> LogQueue.Entry? {
        while true {
            let (entry, isOver) = self.state.withLock { state -> (LogQueue.Entry?, Bool) in
                if let entry = state.queue.next() { return (entry, false) }
                for flush in state.flushes { flush.signal() }
                state.flushes = []
                state.isIdle = !state.isClosed
                return (nil, state.isClosed)
            }
            if entry != nil || isOver { return entry }
            self.work.wait()
        }
    }

    private func bytes(of entry: LogQueue.Entry) -> [UInt8] {
        switch entry {
        case .line(let line): line
        case .loss(let loss):
            LogLine(
                time: self.now(), level: .warning, event: "log_lines_dropped",
                metadata: [
                    "count": .stringConvertible(loss.count), "since": "\(loss.first.rfc3339)",
                    "until": "\(loss.last.rfc3339)",
                ]
            ).bytes(self.shape)
        }
    }

    /// Waits for as long as the reader lets it. Returns false if the line could not be written whole.
    private func write(_ line: [UInt8]) -> Bool {
        line.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let slice = UnsafeRawBufferPointer(rebasing: rest)
                let count = systemWrite(self.descriptor, slice.baseAddress, slice.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count < 0, errno == EAGAIN {
                    // Someone who shares the descriptor has set O_NONBLOCK on it.
                    var place = pollfd(fd: self.descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&place, 1, -1)
                } else if count == 0 || errno != EINTR {
                    return false
                }
            }
            return true
        }
    }
}

/// write(2), which a method of this name hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

extension Logger.Level {
    fileprivate var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
