/// Tells a waiting caller that its event was handled, or will never be.
import Foundation

final class Receipt: Sendable {
    private let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)

    /// Reports something with a receipt, and returns when the receipt is done.
    static func wait(for saying: (Receipt) -> Void) async {
        await withCheckedContinuation { continuation in
            let receipt = Receipt()
            receipt.waiting.withLock { $0 = continuation }
            saying(receipt)
        }
    }

    func done() {
        let continuation = self.waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume()
    }

    deinit { self.done() }
}
