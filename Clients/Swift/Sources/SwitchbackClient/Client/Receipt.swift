/// Tells whoever waits for it that something said was heard and acted on, or that nobody is left to hear it.
import Foundation

final class Receipt: Sendable {
    private let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)

    /// Says something with a receipt, and returns when that is done.
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
