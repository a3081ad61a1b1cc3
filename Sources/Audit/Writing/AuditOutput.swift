import Base
import JOSE

/// The file of an audit with the chain that is written to it. Only the queue of the trail uses it.
struct AuditOutput {
    private var file: AuditFile
    private var chain = AuditChain()
    private var signer: JWTSigner
    private var key: AuditKey
    /// The key that signs as soon as the record is written that names it.
    private var nextSigner: JWTSigner?
    /// The first record of the file, as long as it is not written.
    private var opening: AuditEvent?
    /// Whether a line without an end stands before it.
    private var isTorn = false
    private(set) var signedAt: Timestamp
    /// Whether the file has records that are not on its disk yet.
    private var isDirty = false

    /// Records that are written together. Each has the chain as it is once the record is written.
    private struct Batch {
        var chain: AuditChain
        var chains: [AuditChain] = []
        var lines: [[UInt8]] = []

        mutating func add(_ event: AuditEvent, at time: Timestamp) {
            self.lines.append(self.chain.record(event, at: time))
            self.chains.append(self.chain)
        }

        mutating func addSignature(by signer: JWTSigner, _ closing: AuditEvent.Closing?, at time: Timestamp) -> Bool {
            guard let line = self.chain.signature(by: signer, closing: closing, at: time) else { return false }
            self.lines.append(line)
            self.chains.append(self.chain)
            return true
        }
    }

    /// What became of a write.
    struct Outcome {
        /// How many lines are whole in the file.
        var lineCount = 0
        /// Whether the gap is in the file.
        var hasGap = false
        /// How many of the entries are whole in the file, and how many at least in part.
        var wholeCount = 0
        var startedCount = 0
        /// Why the rest is not.
        var error: String?
    }

    /// Opens the file. Throws what is wrong with it. `signer` must have a key pair.
    init(_ path: String, version: String, host: String, signer: JWTSigner, at now: Timestamp) throws(FileError) {
        guard let key = AuditKey(signer) else { throw FileError("has no key that signs it") }
        self.file = try AuditFile(path)
        self.signer = signer
        self.key = key
        self.signedAt = now
        do throws(FileError) {
            let tail = try self.file.tail()
            self.isTorn = tail?.torn != nil
            self.opening = .started(AuditEvent.Start(version: version, host: host, key: key, after: tail))
        } catch {
            self.file.end()
            throw error
        }
    }

    var path: String { self.file.path }

    var isReplaced: Bool { self.file.isReplaced }

    /// Writes the records, the first one of the file before them.
    mutating func write(_ gap: Gap?, _ entries: [AuditQueue.Entry], at now: Timestamp) -> Outcome {
        var batch = self.makeBatch(at: now)
        if let gap { batch.add(.gap(gap), at: now) }
        let leadingCount = batch.lines.count
        for entry in entries { batch.add(entry.event, at: entry.time) }
        let progress = self.put(batch)
        var outcome = Outcome(lineCount: progress.wholeCount, error: progress.error)
        outcome.hasGap = progress.startedCount >= leadingCount
        outcome.wholeCount = max(0, progress.wholeCount - leadingCount)
        outcome.startedCount = max(0, progress.startedCount - leadingCount)
        for entry in entries.prefix(outcome.startedCount) { self.follow(entry.event) }
        return outcome
    }

    /// Writes a signature over everything before it.
    mutating func sign(closing: AuditEvent.Closing? = nil, at now: Timestamp) -> Outcome {
        var batch = self.makeBatch(at: now)
        guard batch.addSignature(by: self.signer, closing, at: now) else {
            return Outcome(error: "the key cannot sign. Replace it with `switchback keys rotate audit`")
        }
        let progress = self.put(batch)
        if progress.startedCount == batch.lines.count { self.signedAt = now }
        return Outcome(lineCount: progress.wholeCount, error: progress.error)
    }

    /// Signs with this key as soon as a record names it.
    mutating func prepare(_ signer: JWTSigner) { self.nextSigner = signer }

    /// Signs the end of the file, and goes on in the one that its path leads to now. Throws why that is not possible.
    mutating func reopen(at now: Timestamp) throws(FileError) -> Outcome {
        let next = try AuditFile(empty: self.file.path)
        let end = self.sign(closing: .file, at: now)
        _ = self.file.makeSync()?()
        self.file.end()
        self.file = next
        self.opening = .continued(key: self.key)
        self.isTorn = false
        var outcome = self.write(nil, [], at: now)
        outcome.lineCount += end.lineCount
        return outcome
    }

    /// Returns what brings the latest records to the disk; nil if they are there.
    mutating func makeSync() -> (@Sendable () -> String?)? {
        guard self.isDirty else { return nil }
        self.isDirty = false
        return self.file.makeSync()
    }

    func end() { self.file.end() }

    private func makeBatch(at now: Timestamp) -> Batch {
        var batch = Batch(chain: self.chain)
        if let opening {
            batch.add(opening, at: now)
            if self.isTorn { batch.lines[0].insert(UInt8(ascii: "\n"), at: 0) }
        }
        return batch
    }

    private mutating func put(_ batch: Batch) -> AuditFile.Progress {
        guard !batch.lines.isEmpty else { return AuditFile.Progress() }
        let progress = self.file.write(batch.lines)
        if progress.startedCount > 0 {
            self.chain = batch.chains[progress.startedCount - 1]
            self.opening = nil
            self.isDirty = true
        }
        return progress
    }

    /// Changes the key once the record is written that says so.
    private mutating func follow(_ event: AuditEvent) {
        guard case .keys(_, let key) = event, let nextSigner, AuditKey(nextSigner) == key else { return }
        self.signer = nextSigner
        self.key = key
        self.nextSigner = nil
    }
}

extension AuditKey {
    /// Nil for a signer with a secret.
    init?(_ signer: JWTSigner) {
        guard let jwk = signer.jwk else { return nil }
        self.init(jwk)
    }
}
