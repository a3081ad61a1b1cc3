import Base

/// The records that wait to be written, and what is known of those that are lost: a value without a clock.
struct AuditQueue: Sendable {
    /// A record that waits.
    struct Entry: Sendable {
        let event: AuditEvent
        let time: Timestamp
        /// The task that waits until the record is written. If there is none, the record stays until it can be written.
        var waiter: CheckedContinuation<Bool, Never>?
    }

    /// How many records may wait. Those that somebody waits for may fill half of it, because they can be refused.
    let capacity: Int
    private var entries: [Entry] = []
    /// Where the oldest one is.
    private var head = 0
    /// How many are being written. They wait as the others do.
    private var batchCount = 0
    private(set) var gap: Gap?

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { self.entries.count - self.head + self.batchCount }

    var isEmpty: Bool { self.count == 0 && self.gap == nil }

    /// Whether a record has room that somebody waits for.
    var isHalfFree: Bool { self.count < self.capacity / 2 }

    /// Adds a record. Returns false if there is no room; the loss is counted.
    mutating func add(_ entry: Entry) -> Bool {
        guard self.count < self.capacity else {
            self.note(at: entry.time) { $0.dropped += 1 }
            return false
        }
        self.entries.append(entry)
        return true
    }

    mutating func noteRefusal(at now: Timestamp) { self.note(at: now) { $0.refused += 1 } }

    /// Takes the oldest records, and the gap if there is one.
    mutating func take(atMost limit: Int) -> (gap: Gap?, entries: [Entry]) {
        defer { self.gap = nil }
        let end = min(self.head + limit, self.entries.count)
        let batch = Array(self.entries[self.head..<end])
        self.head = end
        self.batchCount = batch.count
        if self.head == self.entries.count {
            self.entries.removeAll(keepingCapacity: self.head < 1024)
            self.head = 0
        }
        return (self.gap, batch)
    }

    /// Puts back what could not be written.
    mutating func putBack(_ gap: Gap?, _ batch: [Entry]) {
        self.entries.replaceSubrange(..<self.head, with: batch)
        self.head = 0
        self.batchCount = 0
        guard let gap else { return }
        var all = gap
        if let newer = self.gap {
            all.dropped += newer.dropped
            all.refused += newer.refused
            all.until = newer.until
        }
        self.gap = all
    }

    /// Removes the records that somebody waits for, and returns who waits.
    mutating func takeWaiting(at now: Timestamp) -> [CheckedContinuation<Bool, Never>] {
        let waiters = self.entries[self.head...].compactMap(\.waiter)
        guard !waiters.isEmpty else { return [] }
        self.entries = self.entries[self.head...].filter { $0.waiter == nil }
        self.head = 0
        for _ in waiters { self.noteRefusal(at: now) }
        return waiters
    }

    private mutating func note(at now: Timestamp, _ change: (inout Gap) -> Void) {
        var gap = self.gap ?? Gap(since: now)
        gap.until = now
        change(&gap)
        self.gap = gap
    }
}
