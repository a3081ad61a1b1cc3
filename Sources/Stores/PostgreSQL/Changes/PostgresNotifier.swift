import Logins
import Synchronization

/// Notifies other processes of changed logins (NOTIFY) after the commit. While one notification is being sent, and in
/// the pause after it, further ids queue up for the next one.
final class PostgresNotifier: Sendable {
    private struct Queue {
        var ids: Set<LoginID> = []
        var isSending = false
    }

    /// A notification wakes every server, and commits one after another.
    private static let pause = Duration.milliseconds(2)

    /// Identifies this process, so that it ignores its own notifications.
    let sender: String
    private let pool: PostgresPool
    private let queue = Mutex(Queue())

    init(_ pool: PostgresPool, sender: String) {
        self.pool = pool
        self.sender = sender
    }

    func notify(_ id: LoginID) {
        let begins = self.queue.withLock { queue in
            queue.ids.insert(id)
            defer { queue.isSending = true }
            return !queue.isSending
        }
        guard begins else { return }
        Task.detached {
            while let ids = self.next() {
                await self.send(ids)
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Sends an empty notification, by which this process tests whether it receives any. Returns false if it could not
    /// be sent.
    func test() async -> Bool { await self.send([]) }

    private func next() -> [LoginID]? {
        self.queue.withLock { queue in
            let ids = Array(queue.ids.prefix(NotificationText.maxIDs))
            queue.ids.subtract(ids)
            queue.isSending = !ids.isEmpty
            return ids.isEmpty ? nil : ids
        }
    }

    /// Sends a notification. If it is lost, the other processes learn of the change at their next query.
    @discardableResult
    private func send(_ ids: [LoginID]) async -> Bool {
        let outcome = await self.pool.ask(ChangeStatements.notify(NotificationText(sender: self.sender, ids: ids)))
        return (try? outcome.get()) != nil
    }
}
