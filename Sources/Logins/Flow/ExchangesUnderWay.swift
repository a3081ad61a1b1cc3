/// The exchanges that run now, so that a stop can wait for them. Each ends by its own deadline.
import Synchronization

final class ExchangesUnderWay: Sendable {
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

    func finish() async {
        while let task = self.contents.withLock({ $0.tasks.values.first }) { await task.value }
    }
}
