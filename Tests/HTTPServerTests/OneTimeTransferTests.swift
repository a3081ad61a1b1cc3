import Synchronization
import Testing

@testable import HTTPServer

/// Hands a value from one owner to the next.
@Suite struct OneTimeTransferTests {
    /// Counts how often it has been destroyed.
    private struct Token: ~Copyable, Sendable {
        let ends: Ends

        deinit { self.ends.count.add(1, ordering: .sequentiallyConsistent) }
    }

    private final class Ends: Sendable {
        let count = Atomic(0)
    }

    @Test func `whoever asks first has the value`() {
        let ends = Ends()
        let handover = OneTimeTransfer(Token(ends: ends))
        let token = handover.take()
        let isTaken = token != nil
        let isTakenAgain = handover.take() != nil
        #expect(isTaken && !isTakenAgain)
        #expect(ends.count.load(ordering: .sequentiallyConsistent) == 0)
        _ = consume token
        #expect(ends.count.load(ordering: .sequentiallyConsistent) == 1)
    }

    @Test func `a value that nobody claims ends with its transfer`() {
        let ends = Ends()
        do { _ = OneTimeTransfer(Token(ends: ends)) }
        #expect(ends.count.load(ordering: .sequentiallyConsistent) == 1)
    }
}
