import Base
import Glibc
import Synchronization

/// The TLS that new connections of a server begin with. It can be replaced while the server runs.
package final class ServerTLS: Sendable {
    /// Kept when the rest is replaced, so that clients can still resume their sessions.
    private let tickets: TicketKeys
    private let context: Mutex<TLSContext>

    /// `now` counts seconds from any fixed time.
    package init(
        _ settings: TLSSettings, now: @escaping @Sendable () -> Int64 = ServerTLS.seconds
    ) throws(OperatorError) {
        let tickets = TicketKeys(now: now)
        self.tickets = tickets
        self.context = Mutex(try TLSContext(settings, tickets))
    }

    /// Applies to new connections; the open ones stay as they are. When it throws, nothing has changed.
    package func replace(with settings: TLSSettings) throws(OperatorError) {
        let context = try TLSContext(settings, self.tickets)
        self.context.withLock { $0 = context }
    }

    package var identities: [TLSIdentity] { self.context.withLock { $0.identities } }

    /// Returns a channel for a new connection; nil when there is no memory for it.
    func makeChannel() -> TLSChannel? { TLSChannel(self.context.withLock { $0 }) }

    package static func seconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec)
    }
}
