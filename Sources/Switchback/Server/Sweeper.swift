/// Does what time alone does to logins, in slices between which requests have their turn.
import JOSE
import Logging
import Logins

struct Sweeper: Sendable {
    /// So many at a time: about a millisecond of a core.
    private static let slice = 32

    let flow: LoginFlow
    /// What the store wants done when what was due is gone, and about once a second until then.
    let tidy: @Sendable (Timestamp) async -> Void
    let logger: Logger
    let now: @Sendable () -> Timestamp

    /// Until the task is cancelled.
    func run() async {
        var memory = FreedMemory()
        while !Task.isCancelled {
            let end = ContinuousClock.now + .seconds(1)
            do { try await self.sweep(until: end, &memory) } catch { self.logger.warning("sweep_failed") }
            await self.tidy(self.now())
            try? await Task.sleep(until: end)
        }
    }

    /// Rests as long as it works: it never has more than half of a core, or of the writes to a disk; but no longer than a
    /// request may wait, where it is the store that takes its time.
    private func sweep(until end: ContinuousClock.Instant, _ memory: inout FreedMemory) async throws(Refusal) {
        var start = ContinuousClock.now
        while start < end, !Task.isCancelled {
            let due = try await self.flow.sweep(limit: Self.slice)
            guard due > 0 else { return memory.end() }
            memory.note(due)
            let now = ContinuousClock.now
            start = now + min(max(now - start, .milliseconds(1)), .milliseconds(5))
            try? await Task.sleep(until: start)
        }
    }
}
