// A value with one owner, on its way to a task that cannot receive it directly.

import Synchronization

/// The first taker gets the value. If there is none, the value ends with this object.
final class Handover<Value: ~Copyable & Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: consuming Value) { self.value = Mutex(value) }

    /// Nil when it has been taken.
    func take() -> Value? { self.value.withLock { $0.take() } }
}
