/// The hours in which recently read rows were created, so that statements search only one partition.
import Logins
import Synchronization

final class PartitionCache: Sendable {
    /// Two tables: when the young one is full, it replaces the old one.
    private struct Contents {
        var young: [LoginID: Int64] = [:]
        var old: [LoginID: Int64] = [:]
    }

    private let limit: Int
    private let contents = Mutex(Contents())

    init(limit: Int = 20_000) { self.limit = limit }

    subscript(id: LoginID) -> Int64? {
        self.contents.withLock { $0.young[id] ?? $0.old[id] }
    }

    func note(_ id: LoginID, _ hour: Int64) {
        self.contents.withLock { contents in
            contents.young[id] = hour
            guard contents.young.count >= self.limit else { return }
            contents.old = contents.young
            contents.young = [:]
        }
    }
}
