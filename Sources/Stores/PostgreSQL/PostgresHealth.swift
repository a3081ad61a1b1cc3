import Logins

/// Reports why the store does not work, separately for each kind of work: a successful read does not show that writes
/// work.
struct PostgresHealth: Sendable {
    enum Work: Sendable {
        case reading, writing, tending
    }

    private let reading: StoreHealth
    private let writing: StoreHealth
    private let tending: StoreHealth

    init(_ observe: @escaping @Sendable (StorageError?) -> Void) {
        self.reading = StoreHealth(observe)
        self.writing = StoreHealth(observe)
        self.tending = StoreHealth(observe)
    }

    func note(_ cause: StorageError?, _ work: Work) {
        switch work {
        case .reading: self.reading.note(cause)
        case .writing: self.writing.note(cause)
        case .tending: self.tending.note(cause)
        }
    }

    /// Returns the result, or throws the error of the store's contract.
    func unwrap(_ outcome: PostgresSession.Outcome, _ work: Work) throws(StoreError) -> PostgresRows {
        switch outcome {
        case .success(let answer):
            self.note(nil, work)
            return answer
        case .failure(let failure):
            // `.closed` is not reported, because the process is about to end. The pool reports why we cannot connect.
            if failure.cause != .closed, failure.kind != .notConnected { self.note(failure.cause, work) }
            throw .unavailable
        }
    }

    /// Reads a result. If it cannot be read, that is reported.
    func read<Value>(_ work: Work, _ body: () throws(StorageError) -> Value) throws(StoreError) -> Value {
        do throws(StorageError) { return try body() } catch {
            self.note(error, work)
            throw .unavailable
        }
    }
}
