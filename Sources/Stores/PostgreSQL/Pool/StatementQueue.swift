import DequeModule

/// The statements that wait for a connection, and the number of connections. It is a value, so that a table of tests
/// can cover its decisions.
struct StatementQueue<Entry> {
    /// The most waiting statements. Further ones are refused at once.
    let limit: Int
    let maxConnections: Int
    private var entries: [Int: Entry] = [:]
    private var order = Deque<Int>()
    private var nextNumber = 0
    private(set) var connections = 0
    private(set) var isConnecting = false
    private var isPausing = false
    /// Why the last try to connect failed. Nil once a try succeeds.
    private var cause: StorageError?
    private(set) var isClosed = false

    enum AddResult: Equatable {
        case wait(Int)
        case refuse(StorageError)
    }

    init(maxConnections: Int, limit: Int = 10_000) {
        self.maxConnections = maxConnections
        self.limit = limit
    }

    var count: Int { self.entries.count }

    /// Adds a statement. While there is no connection and the last try failed, statements are refused, so that they do
    /// not pile up. The pool continues to connect without them.
    mutating func add(_ entry: Entry) -> AddResult {
        guard !self.isClosed else { return .refuse(.closed) }
        if self.connections == 0, let cause = self.cause { return .refuse(cause) }
        guard self.entries.count < self.limit else { return .refuse(.overloaded) }
        let number = self.nextNumber
        self.nextNumber += 1
        self.entries[number] = entry
        self.order.append(number)
        return .wait(number)
    }

    /// Returns the statement that has waited longest.
    mutating func next() -> Entry? {
        while let number = self.order.popFirst() {
            if let entry = self.entries.removeValue(forKey: number) { return entry }
        }
        return nil
    }

    /// Removes a statement that should not wait any longer.
    mutating func withdraw(_ number: Int) -> Entry? { self.entries.removeValue(forKey: number) }

    mutating func takeAll() -> [Entry] {
        var all: [Entry] = []
        while let entry = self.next() { all.append(entry) }
        return all
    }

    /// Returns true if another connection has to be opened. It then counts as being opened.
    mutating func claimConnection() -> Bool {
        let isWanted = !self.entries.isEmpty || self.connections == 0 && self.cause != nil
        guard isWanted, !self.isConnecting, !self.isPausing, !self.isClosed, self.connections < self.maxConnections
        else { return false }
        self.isConnecting = true
        return true
    }

    mutating func noteConnected() {
        self.isConnecting = false
        self.cause = nil
        self.connections += 1
    }

    mutating func noteConnectFailure(_ cause: StorageError) {
        self.isConnecting = false
        self.isPausing = true
        self.cause = cause
    }

    mutating func pauseEnded() { self.isPausing = false }
    mutating func noteLost() { self.connections -= 1 }
    mutating func close() { self.isClosed = true }
}
