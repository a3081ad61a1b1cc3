/// Work that runs now beside the requests, so that a stop can wait for it or end it.
import Synchronization

final class TasksUnderWay: Sendable {
    private struct Contents {
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var next: UInt64 = 0
    }

    private let contents = Mutex(Contents())

    /// Starts `work` in a task of its own: a closed tab does not cancel it.
    func start(_ work: @escaping @Sendable () async -> Void) {
        self.contents.withLock { contents in
            let number = contents.next
            contents.next += 1
            contents.tasks[number] = Task.detached {
                await work()
                self.contents.withLock { $0.tasks[number] = nil }
            }
        }
    }

    /// Ends all of it.
    func cancel() {
        for task in self.contents.withLock({ $0.tasks.values.map(\.self) }) { task.cancel() }
    }

    /// Returns when all of it has ended.
    func finish() async {
        while let task = self.contents.withLock({ $0.tasks.values.first }) { await task.value }
    }
}
