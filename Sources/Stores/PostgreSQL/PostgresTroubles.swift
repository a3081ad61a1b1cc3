/// What troubles the store, told once for each kind of work: reads that succeed do not tell that writes do.
import Logins

struct PostgresTroubles: Sendable {
    enum Work: Sendable {
        case reading, writing, tending
    }

    private let reading: TroubleRecord
    private let writing: TroubleRecord
    private let tending: TroubleRecord

    init(_ observe: @escaping @Sendable (StoreTrouble?) -> Void) {
        self.reading = TroubleRecord(observe)
        self.writing = TroubleRecord(observe)
        self.tending = TroubleRecord(observe)
    }

    func note(_ trouble: StoreTrouble?, _ work: Work) {
        switch work {
        case .reading: self.reading.note(trouble)
        case .writing: self.writing.note(trouble)
        case .tending: self.tending.note(trouble)
        }
    }

    /// The answer, or the failure in the words of the contract.
    func settled(_ outcome: PostgresSession.Outcome, _ work: Work) throws(StoreError) -> PostgresAnswer {
        switch outcome {
        case .success(let answer):
            self.note(nil, work)
            return answer
        case .failure(let failure):
            // Closed is no trouble: the process is about to end. What keeps us from connecting is told by the pool.
            if failure.trouble != .closed, failure.kind != .notConnected { self.note(failure.trouble, work) }
            throw .unavailable
        }
    }

    /// Reads an answer; one that cannot be is a trouble.
    func read<Value>(_ work: Work, _ body: () throws(StoreTrouble) -> Value) throws(StoreError) -> Value {
        do throws(StoreTrouble) { return try body() } catch {
            self.note(error, work)
            throw .unavailable
        }
    }
}
