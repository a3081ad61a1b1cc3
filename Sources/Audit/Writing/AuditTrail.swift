import Base
import Dispatch
import JOSE
import Synchronization

/// Writes the audit of one start of the server, on a queue of its own: no event loop and no request ever waits for a
/// disk in a system call.
///
/// A batch of records is one write. The file is synced to its disk once a second, and signed once a minute. Call `tick`
/// every second for both, and so that it tries again after a failure.
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
    }

    package struct Counts: Equatable, Sendable {
        package var written = 0
        package var dropped = 0
        package var refused = 0
        package var waiting = 0
    }

    /// How many records wait at most, a few MB.
    package static let capacity = 8192
    private static let batch = 64
    package static let signingInterval = Duration.seconds(60)

    private struct State {
        var queue: AuditQueue
        var isDraining = false
        var isFailing = false
        var isClosed = false
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

    /// Only the queue uses it.
    private struct Output {
        var file: AuditFile
        var chain: AuditChain
        var signer: JWTSigner
        var key: AuditKey
        var signedAt: Timestamp
        /// Whether the file has records that are not on its disk yet.
        var isDirty = true
    }

    package let policy: Policy
    private let now: @Sendable () -> Timestamp
    private let report: @Sendable (Notice) -> Void
    private let state: Mutex<State>
    private let output: Mutex<Output>
    private let queue = DispatchQueue(label: "switchback.audit")

    /// Opens the file and writes the first record. Throws what is wrong with the file. `signer` must have a key.
    package init(
        _ path: String, policy: Policy, version: String, host: String, signer: JWTSigner, capacity: Int = capacity,
        now: @escaping @Sendable () -> Timestamp, report: @escaping @Sendable (Notice) -> Void = { _ in }
    ) throws(FileError) {
        guard let key = AuditKey(signer) else { throw FileError("has no key that signs it") }
        var file = try AuditFile(path)
        do throws(FileError) {
            let tail = try file.tail()
            var chain = AuditChain()
            let start = AuditEvent.Start(version: version, host: host, key: key, after: tail)
            let line = chain.record(.started(start), at: now())
            let progress = file.write([tail?.torn == nil ? line : [UInt8(ascii: "\n")] + line])
            if let error = progress.error { throw FileError(error) }
            self.output = Mutex(Output(file: file, chain: chain, signer: signer, key: key, signedAt: now()))
        } catch {
            file.end()
            throw error
        }
        self.policy = policy
        self.now = now
        self.report = report
        self.state = Mutex(State(queue: AuditQueue(capacity: capacity), counts: Counts(written: 1)))
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

    /// Records what has happened. The record stays in memory until it can be written, and is lost only if too many wait.
    package func note(_ event: AuditEvent) {
        let now = self.now()
        let starts = self.state.withLock { $0.add(AuditQueue.Entry(event: event, time: now)) }
        if starts { self.queue.async { self.drain() } }
    }

    /// Call it every second.
    package func tick() { self.queue.async { self.work() } }

    /// Opens the file again if somebody has moved it away. The records go on in the new one.
    package func reopen() { self.queue.async { self.reopenNow() } }

    /// Signs with this key from now on.
    package func sign(with signer: JWTSigner) {
        guard let key = AuditKey(signer) else { return }
        self.queue.async {
            self.output.withLock { output in
                output.signer = signer
                output.key = key
            }
        }
    }

    /// Writes what waits, and signs the end.
    package func close() async {
        await withCheckedContinuation { done in
            self.queue.async {
                self.drain()
                let waiters = self.state.withLock { state in
                    state.isClosed = true
                    return state.queue.takeWaiting(at: self.now())
                }
                for waiter in waiters { waiter.resume(returning: false) }
                self.write(signature: .chain)
                self.output.withLock { output in
                    output.file.sync()
                    output.file.end()
                }
                done.resume()
            }
        }
    }

    /// Returns when everything that was recorded before was tried.
    package func flush() async {
        await withCheckedContinuation { done in self.queue.async { done.resume() } }
    }
}

// MARK: - On the queue

extension AuditTrail {
    private func work() {
        self.drain()
        let (isDue, isFailing) = (
            self.output.withLock { self.now() - $0.signedAt >= Self.signingInterval },
            self.state.withLock { $0.isFailing }
        )
        if isDue, !isFailing { self.write(signature: nil) }
        self.output.withLock { output in
            guard output.isDirty else { return }
            output.file.sync()
            output.isDirty = false
        }
    }

    private func drain() {
        while true {
            let (gap, entries) = self.state.withLock { state in
                let batch = state.queue.take(atMost: Self.batch)
                state.isDraining = batch.gap != nil || !batch.entries.isEmpty
                return batch
            }
            guard gap != nil || !entries.isEmpty else { return }
            guard self.write(gap, entries) else { return }
        }
    }

    /// Returns whether everything is written.
    private func write(_ gap: Gap?, _ entries: [AuditQueue.Entry]) -> Bool {
        let now = self.now()
        let gaps = gap == nil ? 0 : 1
        let progress = self.output.withLock { output in
            var chains: [AuditChain] = []
            var lines: [[UInt8]] = []
            var chain = output.chain
            if let gap {
                lines.append(chain.record(.gap(gap), at: now))
                chains.append(chain)
            }
            for entry in entries {
                lines.append(chain.record(entry.event, at: entry.time))
                chains.append(chain)
            }
            let progress = output.file.write(lines)
            if progress.begun > 0 { output.chain = chains[progress.begun - 1] }
            output.isDirty = output.isDirty || progress.begun > 0
            return progress
        }
        for entry in entries.prefix(max(0, progress.written - gaps)) { entry.waiter?.resume(returning: true) }
        self.settle(progress, gap, entries, gaps, at: now)
        return progress.error == nil
    }

    private func settle(
        _ progress: AuditFile.Progress, _ gap: Gap?, _ entries: [AuditQueue.Entry], _ gaps: Int, at now: Timestamp
    ) {
        var waiters: [CheckedContinuation<Bool, Never>] = []
        let wasFailing = self.state.withLock { state in
            let wasFailing = state.isFailing
            state.counts.written += progress.written
            state.isFailing = progress.error != nil
            guard state.isFailing else { return wasFailing }
            state.isDraining = false
            // A record that is written in part comes to its end later, whoever waited for it.
            let begun = entries[..<max(0, progress.begun - gaps)].dropFirst(max(0, progress.written - gaps))
            let rest = entries[max(0, progress.begun - gaps)...]
            state.queue.putBack(progress.begun >= gaps ? nil : gap, Array(rest))
            waiters = begun.compactMap(\.waiter) + state.queue.takeWaiting(at: now)
            state.counts.refused += waiters.count
            return wasFailing
        }
        for waiter in waiters { waiter.resume(returning: false) }
        if let error = progress.error {
            if !wasFailing { self.report(.failing(error)) }
        } else if wasFailing {
            self.report(.working(gap))
        }
    }

    private func write(signature closing: AuditEvent.Closing?) {
        let now = self.now()
        let progress = self.output.withLock { output -> AuditFile.Progress in
            var chain = output.chain
            let line: [UInt8]
            do throws(PrivateKeyError) {
                line = try chain.signature(by: output.signer, closing: closing, at: now)
            } catch {
                return AuditFile.Progress(error: "its key cannot sign: \(error.rawValue)")
            }
            let progress = output.file.write([line])
            if progress.begun > 0 {
                output.chain = chain
                output.signedAt = now
                output.isDirty = true
            }
            return progress
        }
        self.settle(progress, nil, [], 0, at: now)
    }

    private func reopenNow() {
        guard let path = self.output.withLock({ $0.file.isReplaced ? $0.file.path : nil }) else { return }
        self.drain()
        var new: AuditFile
        do throws(FileError) {
            new = try AuditFile(empty: path)
        } catch {
            return self.report(.notReopened(error.message))
        }
        self.write(signature: .file)
        let now = self.now()
        let progress = self.output.withLock { output in
            var chain = output.chain
            let progress = new.write([chain.record(.continued(key: output.key), at: now)])
            output.file.sync()
            output.file.end()
            output.file = new
            output.isDirty = true
            if progress.begun > 0 { output.chain = chain }
            return progress
        }
        self.settle(progress, nil, [], 0, at: now)
        self.report(.reopened)
    }
}

extension AuditKey {
    /// Nil for a signer with a secret.
    fileprivate init?(_ signer: JWTSigner) {
        guard let jwk = signer.jwk else { return nil }
        self.init(jwk)
    }
}
