/// What keeps the store from working, told once for each kind of work: reads that succeed do not tell that writes do.
import Logins

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

    /// The answer, or the failure in the words of the contract.
    func settled(_ outcome: PostgresSession.Outcome, _ work: Work) throws(StoreError) -> PostgresAnswer {
        switch outcome {
        case .success(let answer):
            self.note(nil, work)
            return answer
        case .failure(let failure):
            // Closed is no cause: the process is about to end. What keeps us from connecting is told by the pool.
            if failure.cause != .closed, failure.kind != .notConnected { self.note(failure.cause, work) }
            throw .unavailable
        }
    }

    /// Reads an answer; one that cannot be is a cause.
    func read<Value>(_ work: Work, _ body: () throws(StorageError) -> Value) throws(StoreError) -> Value {
        do throws(StorageError) { return try body() } catch {
            self.note(error, work)
            throw .unavailable
        }
    }
}
