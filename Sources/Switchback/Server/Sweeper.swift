/// Does what time alone does to logins, once a second, in slices between which requests have their turn.
import JOSE
import Logging
import Logins

struct Sweeper: Sendable {
    private static let slice = 256

    let flow: LoginFlow
    /// What the store wants done when what was due is gone.
    let tidy: @Sendable (Timestamp) async -> Void
    let logger: Logger
    let now: @Sendable () -> Timestamp

    /// Until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                while try await self.flow.sweep(limit: Self.slice) == Self.slice { await Task.yield() }
            } catch {
                self.logger.warning("sweep_failed")
            }
            await self.tidy(self.now())
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
