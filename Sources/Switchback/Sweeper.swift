/// Does what time alone does to logins, in slices between which requests have their turn.
import Base
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
    func run<C: Clock>(by clock: C) async where C.Duration == Duration {
        var memory = FreedMemory()
        while !Task.isCancelled {
            let end = clock.now.advanced(by: .seconds(1))
            do { try await self.sweep(until: end, by: clock, &memory) } catch { self.logger.warning("sweep_failed") }
            await self.tidy(self.now())
            try? await clock.sleep(until: end, tolerance: nil)
        }
    }

    /// Rests as long as it works: it never has more than half of a core, or of the writes to a disk; but no longer than a
    /// request may wait, where it is the store that takes its time.
    private func sweep<C: Clock>(
        until end: C.Instant, by clock: C, _ memory: inout FreedMemory
    ) async throws(LoginFlowError) where C.Duration == Duration {
        var start = clock.now
        while start < end, !Task.isCancelled {
            let due = try await self.flow.sweep(limit: Self.slice)
            guard due > 0 else { return memory.end() }
            memory.note(due)
            let now = clock.now
            start = now.advanced(by: min(max(start.duration(to: now), .milliseconds(1)), .milliseconds(5)))
            try? await clock.sleep(until: start, tolerance: nil)
        }
    }
}
