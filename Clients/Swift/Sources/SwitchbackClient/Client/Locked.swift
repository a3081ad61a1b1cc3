import Foundation

// Safe because the value is touched only while the lock is held.
/// A value behind a lock. `Synchronization.Mutex` needs iOS 18.
final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        self.lock.lock()
        defer { self.lock.unlock() }
        return body(&self.value)
    }
}
