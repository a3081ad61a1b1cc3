import Dispatch
import Synchronization

/// Runs asynchronous work on the thread that waits for it, so that an input costs no switch of threads.
final class CallingThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.jobs.withLock { $0.append(job) }
        self.arrivals.signal()
    }

    /// Returns when the work is done.
    func finish(_ work: @escaping @Sendable () async -> Void) {
        let isDone = Atomic(false)
        Task(executorPreference: self) {
            await work()
            isDone.store(true, ordering: .releasing)
        }
        while !isDone.load(ordering: .acquiring) {
            self.arrivals.wait()
            self.jobs.withLock { $0.removeFirst() }.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
