import DequeModule

/// The waiting writes, and whether a transaction is running. It is a value, so that a table of tests can cover its
/// decisions.
///
/// This is group commit: while one transaction reaches the disk, further writes queue up, and the next transaction
/// takes them all. It also takes one patient write, after the others.
struct WriteQueue<Entry> {
    enum AddResult: Equatable {
        /// No transaction is running. Start one.
        case begin
        /// A running transaction will continue with this write.
        case wait
        case refuse(StorageError)
    }

    /// The most writes in one transaction, so that none delays the others for long.
    let groupLimit: Int
    /// The most waiting writes. Further ones are refused at once.
    let limit: Int
    private var entries = Deque<Entry>()
    private var patient = Deque<Entry>()
    private var isWriting = false
    /// Whether the last transaction had several writes that were not patient, so that more are likely to come at once.
    private(set) var isBusy = false
    private var isClosed = false

    init(groupLimit: Int = 512, limit: Int = 20_000) {
        self.groupLimit = groupLimit
        self.limit = limit
    }

    var count: Int { self.entries.count + self.patient.count }

    mutating func add(_ entry: Entry, isPatient: Bool = false) -> AddResult {
        guard !self.isClosed else { return .refuse(.closed) }
        guard self.count < self.limit else { return .refuse(.overloaded) }
        if isPatient { self.patient.append(entry) } else { self.entries.append(entry) }
        guard !self.isWriting else { return .wait }
        self.isWriting = true
        return .begin
    }

    /// Returns the writes of the next transaction. If it is empty, the work ends until `add` returns `.begin`.
    mutating func next() -> [Entry] {
        var group = Array(self.entries.prefix(self.groupLimit))
        self.entries.removeFirst(group.count)
        self.isBusy = group.count > 1
        if let write = self.patient.popFirst() { group.append(write) }
        self.isWriting = !group.isEmpty
        return group
    }

    /// Refuses new writes. Waiting ones are still committed.
    mutating func close() { self.isClosed = true }
}
