/// Does what time alone does to logins, once a second, in slices between which requests have their turn.
import JOSE
import Logging
import Logins

struct Sweeper: Sendable {
    private static let slice = 256
    /// After so many logins there may be a lot of memory that nobody needs any more.
    private static let many = 50_000

    let flow: LoginFlow
    /// What the store wants done when what was due is gone.
    let tidy: @Sendable (Timestamp) async -> Void
    let logger: Logger
    let now: @Sendable () -> Timestamp

    /// Until the task is cancelled.
    func run() async {
        var swept = 0
        while !Task.isCancelled {
            do {
                var due = Self.slice
                while due == Self.slice {
                    due = try await self.flow.sweep(limit: Self.slice)
                    swept += due
                    await Task.yield()
                }
            } catch {
                self.logger.warning("sweep_failed")
            }
            if swept >= Self.many {
                FreedMemory.giveBack()
                swept = 0
            }
            await self.tidy(self.now())
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
