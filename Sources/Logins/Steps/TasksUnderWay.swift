/// Work that runs now beside the requests, one task for each opening, so that a stop can wait for it or end it.
///
/// A store that was away for long lets no second task of an opening begin beside the first.
import Synchronization

final class TasksUnderWay: Sendable {
    private let tasks = Mutex<[[UInt8]: Task<Void, Never>]>([:])

    func contains(_ opening: [UInt8]) -> Bool { self.tasks.withLock { $0[opening] != nil } }

    /// Starts `work` in a task of its own: a closed tab does not cancel it. False when one of this opening is under way.
    func start(for opening: [UInt8], _ work: @escaping @Sendable () async -> Void) -> Bool {
        self.tasks.withLock { tasks in
            guard tasks[opening] == nil else { return false }
            tasks[opening] = Task.detached {
                await work()
                self.tasks.withLock { $0[opening] = nil }
            }
            return true
        }
    }

    /// Ends all of it.
    func cancel() {
        for task in self.tasks.withLock({ $0.values.map(\.self) }) { task.cancel() }
    }

    /// Returns when all of it has ended.
    func finish() async {
        while let task = self.tasks.withLock({ $0.values.first }) { await task.value }
    }
}
