import Foundation

/// Tells a waiting caller that its event was handled, or will never be.
final class Receipt: Sendable {
    private let continuation = Locked<CheckedContinuation<Void, Never>?>(nil)

    /// Reports something with a receipt, and returns when the receipt is done.
    static func wait(for send: (Receipt) -> Void) async {
        await withCheckedContinuation { continuation in
            let receipt = Receipt()
            receipt.continuation.withLock { $0 = continuation }
            send(receipt)
        }
    }

    func complete() {
        let continuation = self.continuation.withLock { waiter in
            defer { waiter = nil }
            return waiter
        }
        continuation?.resume()
    }

    deinit { self.complete() }
}
