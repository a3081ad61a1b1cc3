import EventLoop
import Synchronization

/// A try to connect, which moves from a thread that may block to the loop.
///
/// It closes the connection if no owner takes it.
final class PostgresConnectionAttempt: Sendable {
    /// Nil if it is connected.
    let error: PostgresError?
    private let handle: Mutex<PostgresHandle?>

    init(_ open: () throws(PostgresError) -> PostgresHandle) {
        do throws(PostgresError) {
            self.handle = Mutex(try open())
            self.error = nil
        } catch {
            self.handle = Mutex(nil)
            self.error = error
        }
    }

    /// Returns the connection to its one owner. Returns nil and closes the connection if the loop cannot watch it.
    func session(on loop: EventLoop, prepares: Bool = false, events: PostgresSession.Events) -> PostgresSession? {
        guard let handle = self.handle.withLock({ $0.take() }) else { return nil }
        return PostgresSession(handle, on: loop, prepares: prepares, events: events)
    }
}
