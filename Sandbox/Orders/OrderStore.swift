import Base
import Synchronization

/// The orders of one broker: those that wait for the user, and those that were decided a while ago.
final class OrderStore<Way: Sendable>: Sendable {
    private struct Contents {
        var orders = ExpiringTable<Order<Way>>(lifetime: .seconds(900), limit: 20_000)
        /// By the name under which a user's page finds them: BankID's `autostarttoken`, a `request_uri`.
        var pageTokens = ExpiringTable<String>(lifetime: .seconds(900), limit: 20_000)
    }

    private let contents = Mutex(Contents())

    /// Returns false if there are too many.
    func add(_ order: Order<Way>, as id: String, pageToken: String? = nil, at now: Timestamp) -> Bool {
        guard self.contents.withLock({ $0.orders.insert(order, for: id, at: now) }) else { return false }
        guard let pageToken else { return true }
        return self.open(pageToken, to: id, at: now)
    }

    func open(_ pageToken: String, to id: String, at now: Timestamp) -> Bool {
        self.contents.withLock { $0.pageTokens.insert(id, for: pageToken, at: now) }
    }

    func order(_ id: String, at now: Timestamp) -> Order<Way>? {
        self.contents.withLock { $0.orders.value(for: id, at: now) }
    }

    func order(behind pageToken: String, at now: Timestamp) -> (id: String, order: Order<Way>)? {
        self.contents.withLock { contents in
            guard let id = contents.pageTokens.value(for: pageToken, at: now),
                let order = contents.orders.value(for: id, at: now)
            else { return nil }
            return (id, order)
        }
    }

    /// Returns nil if there is no such order. What `body` has changed before it throws stays changed.
    @discardableResult
    func change<Result: Sendable, Failure>(
        _ id: String, _ body: (inout Order<Way>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        try self.contents.withLock { contents throws(Failure) in try contents.orders.change(id, body) }
    }
}
