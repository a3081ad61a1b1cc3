import Synchronization

/// Hands a value with one owner to a task that cannot receive it directly.
///
/// The first taker gets the value. Without a taker, the value ends with this object.
final class OneTimeTransfer<Value: ~Copyable & Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: consuming Value) { self.value = Mutex(value) }

    /// Returns nil when the value has been taken.
    func take() -> Value? { self.value.withLock { $0.take() } }
}
