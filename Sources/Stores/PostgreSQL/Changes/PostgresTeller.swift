/// Tells other processes which logins have changed (NOTIFY): after the commit, never in it, and while one notification is
/// under way the next ids line up for another.
import Logins
import Synchronization

final class PostgresTeller: Sendable {
    private struct Queue {
        var ids: [LoginID] = []
        var isTelling = false
    }

    /// This process, so that it does not listen to itself.
    let sender = NotificationText.makeSender()
    private let pool: PostgresPool
    private let queue = Mutex(Queue())

    init(_ pool: PostgresPool) { self.pool = pool }

    func tell(_ id: LoginID) {
        let begins = self.queue.withLock { queue in
            queue.ids.append(id)
            defer { queue.isTelling = true }
            return !queue.isTelling
        }
        guard begins else { return }
        Task.detached {
            while let ids = self.next() { await self.send(ids) }
        }
    }

    /// Tells nothing: whoever listens in this process hears whether he hears. False when it could not be told.
    func test() async -> Bool { await self.send([]) }

    private func next() -> [LoginID]? {
        self.queue.withLock { queue in
            let ids = Array(queue.ids.prefix(NotificationText.mostIDs))
            queue.ids.removeFirst(ids.count)
            queue.isTelling = !ids.isEmpty
            return ids.isEmpty ? nil : ids
        }
    }

    /// One that is lost costs the others the time until they ask again.
    @discardableResult
    private func send(_ ids: [LoginID]) async -> Bool {
        let outcome = await self.pool.ask(ChangeStatements.notify(NotificationText(sender: self.sender, ids: ids)))
        return (try? outcome.get()) != nil
    }
}
