// A value with one owner, on its way to another one who cannot be given it at once.

import Synchronization

/// Whoever takes it first has it. What nobody takes ends with this.
final class Handover<Value: ~Copyable & Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: consuming Value) { self.value = Mutex(value) }

    /// Nil when it has been taken.
    func take() -> Value? { self.value.withLock { $0.take() } }
}
