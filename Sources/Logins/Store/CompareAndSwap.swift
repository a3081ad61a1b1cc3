/// A change of a row that others may change at the same time: read it, make the new row, and store that if the row is
/// still the same. After a conflict with another writer it starts again.
package enum CompareAndSwap {
    /// Each conflict means that another writer has made progress.
    private static let conflictLimit = 100

    /// How one try has ended.
    package enum Attempt<Value> {
        case done(Value)
        case conflict
    }

    /// Runs `attempt` until it is done. Throws `failure` if there is no end of conflicts.
    nonisolated(nonsending) package static func run<Value, Failure>(
        orThrow failure: Failure, _ attempt: nonisolated(nonsending) () async throws(Failure) -> Attempt<Value>
    ) async throws(Failure) -> Value {
        for _ in 0..<Self.conflictLimit {
            if case .done(let value) = try await attempt() { return value }
        }
        throw failure
    }
}
