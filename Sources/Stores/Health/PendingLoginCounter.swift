import Synchronization

/// Counts the open rows of a store, as rows are added and removed.
final class PendingLoginCounter: Sendable {
    private let value = Atomic<Int>(0)

    var count: Int { self.value.load(ordering: .relaxed) }

    func add(_ change: Int) { self.value.add(change, ordering: .relaxed) }
}
