import Base
import Dispatch
import JOSE
import Synchronization

/// Writes the audit of one start of the server, on a queue of its own: no event loop and no request ever waits for a
/// disk in a system call.
///
/// A batch of records is one write. The file is synced to its disk once a second, signed once a minute, and opened
/// again when somebody has moved it away. Call `tick` every second for all of this, and so that it tries again after a
/// failure.
package final class AuditTrail: Sendable {
    package enum Policy: String, CaseIterable, Sendable {
        /// A step whose record cannot be written is refused.
        case refuse
        /// The step is done all the same, and the loss is a record of its own.
        case drop
    }

    /// What the operator should know.
    package enum Notice: Equatable, Sendable {
        case failing(String)
        /// It works again. The gap is what was lost or refused meanwhile.
        case working(Gap?)
        case reopened
        case notReopened(String)
        /// The server has stopped, and these records could not be written before.
        case lost(Int)
    }

    package struct Counts: Equatable, Sendable {
        package var recorded = 0
        package var dropped = 0
        package var refused = 0
        package var waiting = 0
    }

    private static let batch = 64
    package static let signingInterval = Duration.seconds(60)

    private struct State {
        var queue: AuditQueue
        var isDraining = false
        var isFailing = false
        var isClosed = false
        /// Why the file that was moved away could not be opened again.
        var obstacle: String?
        var counts = Counts()

        mutating func refuse(at now: Timestamp) {
            self.queue.noteRefusal(at: now)
            self.counts.refused += 1
        }

        /// Returns whether the queue must begin to write.
        mutating func add(_ entry: AuditQueue.Entry) -> Bool {
            guard !self.isClosed else { return false }
            guard self.queue.add(entry) else {
                self.counts.dropped += 1
                return false
            }
            guard !self.isDraining, !self.isFailing else { return false }
            self.isDraining = true
            return true
        }
    }

    package let policy: Policy
    private let now: @Sendable () -> Timestamp
    private let report: @Sendable (Notice) -> Void
    private let state: Mutex<State>
    private let output: Mutex<AuditOutput>
    private let queue = DispatchQueue(label: "switchback.audit")
    /// Waits for the disk, so that no record does.
    private let syncQueue = DispatchQueue(label: "switchback.audit.sync")

    /// Opens the file and writes the first record. Throws what is wrong with the file. `signer` must have a key, and at
    /// most `capacity` records wait. With `drop`, a file that is full is written to later.
    package init(
        _ path: String, policy: Policy, version: String, host: String, signer: JWTSigner, capacity: Int,
        now: @escaping @Sendable () -> Timestamp, report: @escaping @Sendable (Notice) -> Void = { _ in }
    ) throws(FileError) {
        var output = try AuditOutput(path, version: version, host: host, signer: signer, at: now())
        let outcome = output.write(nil, [], at: now())
        if let error = outcome.error, policy == .refuse {
            output.end()
            throw FileError(error)
        }
        self.policy = policy
        self.now = now
        self.report = report
        self.output = Mutex(output)
        self.state = Mutex(
            State(
                queue: AuditQueue(capacity: capacity), isFailing: outcome.error != nil,
                counts: Counts(recorded: outcome.lineCount)))
        if let error = outcome.error { report(.failing(error)) }
    }

    package var counts: Counts {
        self.state.withLock { state in
            var counts = state.counts
            counts.waiting = state.queue.count
            return counts
        }
    }

    /// Whether a step that needs a record may begin. It is counted as refused if not.
    package func admits() -> Bool {
        guard self.policy == .refuse else { return true }
        let now = self.now()
        return self.state.withLock { state in
            let mayBegin = !state.isFailing && !state.isClosed && state.queue.isHalfFree
            if !mayBegin { state.refuse(at: now) }
            return mayBegin
        }
    }

    /// Records what is about to happen. Returns whether it may: with `refuse`, once the record is written.
    package func write(_ event: AuditEvent) async -> Bool {
        guard self.policy == .refuse else {
            self.note(event)
            return true
        }
        let now = self.now()
        return await withCheckedContinuation { waiter in
            let (isRefused, starts) = self.state.withLock { state in
                guard !state.isFailing, !state.isClosed, state.queue.isHalfFree else {
                    state.refuse(at: now)
                    return (true, false)
                }
                return (false, state.add(AuditQueue.Entry(event: event, time: now, waiter: waiter)))
            }
            if isRefused { waiter.resume(returning: false) }
            if starts { self.queue.async { self.drain() } }
        }
    }

    /// Records what has happened. The record stays in memory until it can be written, and is lost if too many wait.
    package func note(_ event: AuditEvent) {
        let now = self.now()
        let starts = self.state.withLock { $0.add(AuditQueue.Entry(event: event, time: now)) }
        if starts { self.queue.async { self.drain() } }
    }

    /// Call it every second.
    package func tick() { self.queue.async { self.work() } }

    /// Signs with this key from the record on that names it.
    package func sign(with signer: JWTSigner, keys: [AuditEvent.KeyInUse]) {
        guard let key = AuditKey(signer) else { return }
        self.queue.async { self.output.withLock { $0.prepare(signer) } }
        self.note(.keys(keys, key: key))
    }

    /// Writes what waits, and signs the end.
    package func close() async {
        await withCheckedContinuation { end in
            self.queue.async {
                self.closeNow()
                end.resume()
            }
        }
    }

    /// The same for a server that could not start. It may wait for the disk.
    package func closeAtOnce() { self.queue.sync { self.closeNow() } }

    /// Returns when everything that was recorded before was tried.
    package func flush() async {
        await withCheckedContinuation { end in self.queue.async { end.resume() } }
    }
}

// MARK: - On the queue

extension AuditTrail {
    private func work() {
        guard !self.state.withLock({ $0.isClosed }) else { return }
        self.drain()
        if self.output.withLock({ $0.isReplaced }) { self.reopen() }
        let (isFailing, isIdle) = self.state.withLock { ($0.isFailing, $0.queue.isEmpty) }
        let age = self.output.withLock { self.now() - $0.signedAt }
        // The clock may have been set back.
        let isDue = age >= Self.signingInterval || age < .zero
        // Without a record that waits, a signature tries whether it works again.
        if isFailing ? isIdle : isDue { self.sign() }
        guard let sync = self.output.withLock({ $0.makeSync() }) else { return }
        self.syncQueue.async {
            guard let error = sync() else { return }
            self.queue.async { self.settle(AuditOutput.Outcome(error: error), nil, []) }
        }
    }

    private func closeNow() {
        guard !self.state.withLock({ $0.isClosed }) else { return }
        self.drain()
        let waiters = self.state.withLock { state in
            state.isClosed = true
            return state.queue.takeWaiting(at: self.now())
        }
        for waiter in waiters { waiter.resume(returning: false) }
        self.sign(closing: .chain)
        let lostCount = self.state.withLock { $0.queue.count }
        if lostCount > 0 { self.report(.lost(lostCount)) }
        let sync = self.output.withLock { $0.makeSync() }
        if let error = self.syncQueue.sync(execute: { sync?() }) { self.report(.failing(error)) }
        self.output.withLock { $0.end() }
    }

    private func drain() {
        while true {
            let (gap, entries) = self.state.withLock { state in
                let batch = state.queue.take(atMost: Self.batch)
                state.isDraining = batch.gap != nil || !batch.entries.isEmpty
                return batch
            }
            guard gap != nil || !entries.isEmpty else { return }
            let outcome = self.output.withLock { $0.write(gap, entries, at: self.now()) }
            for entry in entries.prefix(outcome.wholeCount) { entry.waiter?.resume(returning: true) }
            self.settle(outcome, gap, entries)
            guard outcome.error == nil else { return }
        }
    }

    private func sign(closing: AuditEvent.Closing? = nil) {
        self.settle(self.output.withLock { $0.sign(closing: closing, at: self.now()) }, nil, [])
    }

    /// Keeps what could not be written, refuses those who wait for it, and tells the operator.
    private func settle(_ outcome: AuditOutput.Outcome, _ gap: Gap?, _ entries: [AuditQueue.Entry]) {
        let now = self.now()
        var waiters: [CheckedContinuation<Bool, Never>] = []
        let wasFailing = self.state.withLock { state in
            let wasFailing = state.isFailing
            state.counts.recorded += outcome.lineCount
            state.isFailing = outcome.error != nil
            guard state.isFailing else { return wasFailing }
            state.isDraining = false
            state.queue.putBack(outcome.hasGap ? nil : gap, Array(entries[outcome.startedCount...]))
            // A record that is written in part comes to its end later, whoever waited for it.
            waiters = entries[outcome.wholeCount..<outcome.startedCount].compactMap(\.waiter)
            for _ in waiters { state.queue.noteRefusal(at: now) }
            waiters += state.queue.takeWaiting(at: now)
            state.counts.refused += waiters.count
            return wasFailing
        }
        for waiter in waiters { waiter.resume(returning: false) }
        if let error = outcome.error {
            if !wasFailing { self.report(.failing(error)) }
        } else if wasFailing {
            self.report(.working(gap))
        }
    }

    private func reopen() {
        do throws(FileError) {
            let now = self.now()
            let outcome = try self.output.withLock { output throws(FileError) in try output.reopen(at: now) }
            self.settle(outcome, nil, [])
            self.tellReopening(nil)
        } catch {
            self.tellReopening(error.message)
        }
    }

    /// Tells the operator, and of the same obstacle only once.
    private func tellReopening(_ obstacle: String?) {
        let isNews = self.state.withLock { state in
            defer { state.obstacle = obstacle }
            return obstacle == nil || state.obstacle != obstacle
        }
        if isNews { self.report(obstacle.map { .notReopened($0) } ?? .reopened) }
    }
}
