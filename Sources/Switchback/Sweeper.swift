import Base
import Logins
import Sessions

/// Applies what is due to stored logins and sessions, in small batches so that requests are not delayed.
struct Sweeper: Sendable {
    /// The number of logins or sessions in one batch, about a millisecond of CPU time.
    private static let batchSize = 32

    let flow: LoginFlow
    /// Nil while there are no sessions.
    let sessions: @Sendable () -> SessionFlow?
    /// Maintenance of the store, about once a second, after the due logins are done.
    let tidy: @Sendable (Timestamp) async -> Void
    let now: @Sendable () -> Timestamp

    /// Runs until the task is cancelled.
    func run<C: Clock>(by clock: C) async where C.Duration == Duration {
        var memory = MemoryTrimmer()
        while !Task.isCancelled {
            let end = clock.now.advanced(by: .seconds(1))
            await self.sweep(until: end, by: clock, &memory) { try await self.flow.sweep(limit: Self.batchSize) }
            if let sessions = self.sessions() {
                await self.sweep(until: end, by: clock, &memory) { try await sessions.sweep(limit: Self.batchSize) }
            }
            await self.tidy(self.now())
            try? await clock.sleep(until: end, tolerance: nil)
            guard !Task.isCancelled else { return }
            // Only the first time finds something. It is not earlier, because a server that is killed again at once
            // would use up the second try of every code.
            // The repository reports a store that does not work, here and below.
            try? await self.flow.takeOver()
        }
    }

    /// Pauses after each batch for as long as the batch took, so the sweep uses at most half of a core or of the disk's
    /// writes. If the store is slow, a pause is still at most 5 ms.
    private func sweep<C: Clock>(
        until end: C.Instant, by clock: C, _ memory: inout MemoryTrimmer, _ batch: () async throws -> Int
    ) async where C.Duration == Duration {
        var start = clock.now
        while start < end, !Task.isCancelled {
            guard let due = try? await batch() else { return }
            guard due > 0 else { return memory.end() }
            memory.note(due)
            let now = clock.now
            start = now.advanced(by: min(max(start.duration(to: now), .milliseconds(1)), .milliseconds(5)))
            try? await clock.sleep(until: start, tolerance: nil)
        }
    }
}
