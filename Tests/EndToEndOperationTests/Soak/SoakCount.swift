import Synchronization

/// A counter that several tasks share.
final class SoakCount: Sendable {
    private let value = Atomic(0)

    var now: Int { self.value.load(ordering: .sequentiallyConsistent) }

    /// Returns the number before this call, which counts one.
    func take() -> Int { self.value.add(1, ordering: .sequentiallyConsistent).oldValue }

    func add() { self.value.add(1, ordering: .sequentiallyConsistent) }
}
