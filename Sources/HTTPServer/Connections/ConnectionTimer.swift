import EventLoop

/// Decides which deadline of a connection runs.
///
/// A connection has one entry in the loop's wheel for all its waits. The entry moves only when the new deadline is
/// earlier. Otherwise it rings early, finds time left, and is made anew. So a request on a busy connection costs a
/// comparison and no entry. Times are the loop's milliseconds.
struct ConnectionTimer {
    enum Expiry: Equatable {
        case over(TimeoutKind)
        /// Schedule an entry for this time.
        case again(at: Int64)
        case nothing
    }

    // In this order they need no room in between: there may be thousands of connections.
    private var due = Int64.max
    /// When the entry rings.
    private var entryDue = Int64.max
    var entry: Deadline?
    private var wait: TimeoutKind?
    private var sequence: UInt32 = 0

    /// Begins a wait, unless it is the same wait of the same request. Returns the time for a new entry in place of the
    /// present one; nil when the present entry is good enough.
    mutating func start(_ wait: TimeoutKind?, of sequence: UInt32, until due: @autoclosure () -> Int64) -> Int64? {
        guard wait != self.wait || sequence != self.sequence else { return nil }
        self.wait = wait
        self.sequence = sequence
        self.due = wait == nil ? .max : due()
        guard self.due < self.entryDue else { return nil }
        self.entryDue = self.due
        return self.due
    }

    /// When the present wait began, which may last for `limit`. Nil if there is none.
    func begin(limit: (TimeoutKind, UInt32) -> Int64) -> Int64? {
        guard let wait, self.due != .max else { return nil }
        return self.due - limit(wait, self.sequence)
    }

    /// Ends all waiting. Returns the entry that must be cancelled, if there is one.
    mutating func stop() -> Deadline? {
        defer { self.entry = nil }
        self.wait = nil
        self.due = .max
        self.entryDue = .max
        return self.entry
    }

    /// Called when the entry rings; it is gone then.
    mutating func takeExpiry(at now: Int64) -> Expiry {
        self.entry = nil
        self.entryDue = .max
        guard let wait, self.due != .max else { return .nothing }
        guard now >= self.due else {
            self.entryDue = self.due
            return .again(at: self.due)
        }
        self.due = .max
        return .over(wait)
    }
}
