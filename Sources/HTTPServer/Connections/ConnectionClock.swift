// Which deadline of a connection runs.

import EventLoop

/// A connection has one entry in the loop's wheel for all that it waits for in turn. The entry is moved only when the
/// new deadline is earlier; otherwise it finds, when it rings, that there is time left, and is made anew.
/// So a request on a busy connection costs a comparison, not an entry. Times are the loop's milliseconds.
struct ConnectionClock {
    enum Ring: Equatable {
        case over(ConnectionWait)
        /// An entry is wanted for this time.
        case again(at: Int64)
        case nothing
    }

    private var wait: ConnectionWait?
    private var sequence: UInt32 = 0
    private var due = Int64.max
    /// When the entry rings.
    private var rings = Int64.max
    var entry: Deadline?

    /// Begins to wait, unless it is the same wait of the same request. The time for which an entry is wanted, in place
    /// of the present one, if it is.
    mutating func start(_ wait: ConnectionWait?, of sequence: UInt32, until due: @autoclosure () -> Int64) -> Int64? {
        guard wait != self.wait || sequence != self.sequence else { return nil }
        self.wait = wait
        self.sequence = sequence
        self.due = wait == nil ? .max : due()
        guard self.due < self.rings else { return nil }
        self.rings = self.due
        return self.due
    }

    /// Waits for nothing; the entry that is then to be cancelled, if there is one.
    mutating func stop() -> Deadline? {
        defer { self.entry = nil }
        self.wait = nil
        self.due = .max
        self.rings = .max
        return self.entry
    }

    /// The entry rings, and is gone.
    mutating func takeRing(at now: Int64) -> Ring {
        self.entry = nil
        self.rings = .max
        guard let wait, self.due != .max else { return .nothing }
        guard now >= self.due else {
            self.rings = self.due
            return .again(at: self.due)
        }
        self.due = .max
        return .over(wait)
    }
}
