import Foundation
import Synchronization

/// Threads for tests that block, in calls that wait for a program or a socket.
///
/// Swift's own pool has one thread per core. Two tests that ran `initdb` on it once delayed every other test, and every
/// server in the process, by five seconds on a machine with two cores.
package final class BlockingThreads: TaskExecutor {
    package static let shared = BlockingThreads()

    private struct State {
        var jobs: [UnownedJob] = []
        var idle = 0
    }

    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)

    /// Gives the job to an idle thread or to a new one.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = self.state.withLock { state in
            state.jobs.append(job)
            guard state.jobs.count > state.idle else { return false }
            state.idle += 1
            return true
        }
        if needsThread { Thread.detachNewThread { self.run() } }
        self.work.signal()
    }

    private func run() {
        while true {
            self.work.wait()
            let job = self.state.withLock { state in
                state.idle -= 1
                return state.jobs.removeFirst()
            }
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            self.state.withLock { $0.idle += 1 }
        }
    }
}
