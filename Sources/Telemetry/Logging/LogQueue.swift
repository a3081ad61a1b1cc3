import Base

/// The log lines that wait to be written, and what is known of those that were dropped: a value without a clock.
struct LogQueue {
    /// The lines that were dropped since the last line that said so.
    struct Loss: Equatable {
        var count = 0
        var first: Timestamp
        var last: Timestamp
    }

    enum Entry: Equatable {
        case line([UInt8])
        case loss(Loss)
    }

    /// What a waiting line takes beside its bytes.
    static let overhead = 64

    private let capacity: Int
    private var lines: [[UInt8]] = []
    /// Where the oldest line is.
    private var head = 0
    /// The bytes of all lines that are not written yet, also of the one that is being written.
    private(set) var used = 0
    private var loss: Loss?
    /// Whether the last write failed. Then a line is tried before the loss is told.
    private var hasFailed = false
    /// How many lines were dropped since the beginning.
    private(set) var dropped = 0

    /// `capacity` is in bytes.
    init(capacity: Int) { self.capacity = capacity }

    /// Adds a line, or drops it if its rank has no room left.
    mutating func add(_ line: [UInt8], _ rank: LogRank, at now: Timestamp) {
        let size = line.count + Self.overhead
        guard self.used + size <= self.capacity / 8 * rank.eighths else { return self.drop(at: now) }
        self.used += size
        self.lines.append(line)
    }

    /// Takes what is to be written now; nil if there is nothing. Call `finish` with it before the next one.
    mutating func next() -> Entry? {
        if let loss = self.loss, !self.hasFailed {
            self.loss = nil
            return .loss(loss)
        }
        guard self.head < self.lines.count else { return nil }
        let line = self.lines[self.head]
        self.lines[self.head] = []
        self.head += 1
        if self.head == self.lines.count {
            self.lines.removeAll(keepingCapacity: self.head < 1024)
            self.head = 0
        } else if self.head >= 1024, self.head * 2 >= self.lines.count {
            self.lines.removeFirst(self.head)
            self.head = 0
        }
        return .line(line)
    }

    mutating func finish(_ entry: Entry, isWritten: Bool, at now: Timestamp) {
        self.hasFailed = !isWritten
        switch entry {
        case .line(let line):
            self.used -= line.count + Self.overhead
            if !isWritten { self.drop(at: now) }
        case .loss(let loss):
            guard !isWritten else { return }
            let newer = self.loss
            self.loss = Loss(
                count: loss.count + (newer?.count ?? 0), first: loss.first, last: newer?.last ?? loss.last)
        }
    }

    private mutating func drop(at now: Timestamp) {
        self.dropped += 1
        var loss = self.loss ?? Loss(first: now, last: now)
        loss.count += 1
        loss.last = now
        self.loss = loss
    }
}
