/// A try to connect, on its way from the thread that may block to the loop.
import EventLoop
import Synchronization

/// A connection that nobody takes is closed with it.
final class PostgresAttempt: Sendable {
    /// Nil when it is connected.
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

    /// The connection, for one owner. Nil, and it is closed, when the loop cannot watch it.
    func session(on loop: EventLoop, events: PostgresSession.Events) -> PostgresSession? {
        guard let handle = self.handle.withLock({ $0.take() }) else { return nil }
        return PostgresSession(handle, on: loop, events: events)
    }
}
