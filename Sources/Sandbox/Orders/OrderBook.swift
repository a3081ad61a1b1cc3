/// The orders that wait for a person, and those that were decided a while ago.
import Base

struct OrderBook: Sendable {
    private static let lifetime = Duration.seconds(900)

    private var orders = ExpiringTable<Order>(lifetime: Self.lifetime, limit: 20_000)
    /// By the name under which a person's page finds them: BankID's `autostarttoken`, a `request_uri`.
    private var doors = ExpiringTable<String>(lifetime: Self.lifetime, limit: 20_000)

    mutating func add(_ order: Order, as id: String, door: String? = nil, at now: Timestamp) -> Bool {
        guard self.orders.insert(order, for: id, at: now) else { return false }
        guard let door else { return true }
        return self.open(door, to: id, at: now)
    }

    mutating func open(_ door: String, to id: String, at now: Timestamp) -> Bool {
        self.doors.insert(id, for: door, at: now)
    }

    func order(_ id: String, at now: Timestamp) -> Order? { self.orders.value(for: id, at: now) }

    func id(behind door: String, at now: Timestamp) -> String? { self.doors.value(for: door, at: now) }

    mutating func change(_ id: String, _ body: (inout Order) -> Void) { self.orders.change(id, body) }
}
