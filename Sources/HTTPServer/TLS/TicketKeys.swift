import Synchronization

/// The keys of session tickets (RFC 5077 §4, RFC 8446 §4.6.1). They are never written anywhere and end with the
/// process.
///
/// A key makes tickets for four hours and opens them for four more. A ticket is valid for four hours, so none is
/// refused because of its key. An attacker who takes the keys from memory can decrypt recordings of eight hours at
/// most.
final class TicketKeys: Sendable {
    private struct State {
        var present: TicketKey?
        var previous: TicketKey?
    }

    /// Seconds for which a key makes tickets, and for which a ticket is valid.
    static let lifetime: Int64 = 4 * 3600

    private let now: @Sendable () -> Int64
    private let state = Mutex(State())

    init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// The key that makes tickets now; nil when the system has no random bytes.
    var present: TicketKey? {
        let now = self.now()
        return self.state.withLock { state in
            Self.rotate(&state, to: now)
            return state.present
        }
    }

    /// Returns the key of this name if it can still open tickets, and whether it makes the tickets now.
    func named(_ name: UnsafeRawBufferPointer) -> (key: TicketKey, isPresent: Bool)? {
        let now = self.now()
        return self.state.withLock { state in
            Self.rotate(&state, to: now)
            if let key = state.present, key.isNamed(name) { return (key, true) }
            if let key = state.previous, key.isNamed(name) { return (key, false) }
            return nil
        }
    }

    private static func rotate(_ state: inout State, to now: Int64) {
        guard let present = state.present else {
            state.present = TicketKey(since: now)
            return
        }
        let age = now - present.since
        guard age >= Self.lifetime else { return }
        state.previous = age < 2 * Self.lifetime ? present : nil
        state.present = TicketKey(since: now)
    }
}
