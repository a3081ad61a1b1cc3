import Synchronization

/// The running background tasks, one for each authorization attempt, so that a shutdown can wait for them or cancel
/// them.
///
/// An attempt never has two tasks, even after the store was unavailable for long.
final class RunningTasks: Sendable {
    private let tasks = Mutex<[[UInt8]: Task<Void, Never>]>([:])

    func contains(_ attempt: [UInt8]) -> Bool { self.tasks.withLock { $0[attempt] != nil } }

    /// Starts `work` in its own task, so that a closed tab does not cancel it. Returns false if this attempt has a task
    /// already.
    func start(for attempt: [UInt8], _ work: @escaping @Sendable () async -> Void) -> Bool {
        self.tasks.withLock { tasks in
            guard tasks[attempt] == nil else { return false }
            tasks[attempt] = Task.detached {
                await work()
                self.tasks.withLock { $0[attempt] = nil }
            }
            return true
        }
    }

    /// Cancels the task of this attempt.
    func cancel(_ attempt: [UInt8]) { self.tasks.withLock { $0[attempt] }?.cancel() }

    /// Cancels all tasks, also those that are started meanwhile, and returns when they have ended.
    func stop() async {
        while let first = self.cancel() { await first.value }
    }

    /// Cancels all tasks. Returns one of them; nil if there is none.
    @discardableResult
    func cancel() -> Task<Void, Never>? {
        let tasks = self.tasks.withLock { $0.values.map(\.self) }
        for task in tasks { task.cancel() }
        return tasks.first
    }

    /// Returns when all tasks have ended.
    func finish() async {
        while let task = self.tasks.withLock({ $0.values.first }) { await task.value }
    }
}
