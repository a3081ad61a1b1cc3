import Synchronization

/// A value that is made at its first use, once, whichever thread asks.
package final class Lazy<Value: Sendable>: Sendable {
    private let make: @Sendable () -> Value
    private let stored = Mutex<Value?>(nil)

    package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    /// A thread that asks while the value is being made waits for it.
    package var value: Value {
        self.stored.withLock { slot in
            if let slot { return slot }
            let value = self.make()
            slot = value
            return value
        }
    }
}
