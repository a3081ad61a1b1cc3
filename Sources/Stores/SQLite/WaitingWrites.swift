/// The writes that wait, and whether somebody is at work: a value, so that who commits what is a table of tests.
///
/// Group commit: while one transaction reaches the disk, others line up; the next one takes them all. What is patient
/// joins them one by one, after them.
struct WaitingWrites<Entry> {
    enum Answer: Equatable {
        /// Nobody is at work: begin.
        case begin
        /// Whoever is at work will come to it.
        case wait
        case refuse(StorageError)
    }

    /// Of one transaction: so that none keeps the others waiting for long.
    let groupLimit: Int
    /// Beyond it whoever asks is told at once that it will not be done.
    let limit: Int
    private var entries: [Entry] = []
    private var patient: [Entry] = []
    private var isAtWork = false
    private var isClosed = false

    init(groupLimit: Int = 512, limit: Int = 20_000) {
        self.groupLimit = groupLimit
        self.limit = limit
    }

    var count: Int { self.entries.count + self.patient.count }

    mutating func add(_ entry: Entry, isPatient: Bool = false) -> Answer {
        guard !self.isClosed else { return .refuse(.closed) }
        guard self.count < self.limit else { return .refuse(.overloaded) }
        if isPatient { self.patient.append(entry) } else { self.entries.append(entry) }
        guard !self.isAtWork else { return .wait }
        self.isAtWork = true
        return .begin
    }

    /// What the next transaction takes. With nothing the work is over until `add` says to begin.
    mutating func next() -> [Entry] {
        var group = Array(self.entries.prefix(self.groupLimit))
        self.entries.removeFirst(group.count)
        if !self.patient.isEmpty { group.append(self.patient.removeFirst()) }
        self.isAtWork = !group.isEmpty
        return group
    }

    /// Refuses what comes from now on; what waits is still done.
    mutating func close() { self.isClosed = true }
}
