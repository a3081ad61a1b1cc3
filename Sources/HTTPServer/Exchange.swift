/// One request's right to be answered, once, at any time and from any thread.
///
/// It names its connection and does not hold it. If the client has gone, or the answer was given, `respond` does nothing.
///
/// A client that has closed only its sending side may still be reading: it gets its answer, unless somebody has asked
/// by `onGone` to be told, who is told then, and the connection is closed.

import EventLoop
import HTTPWire

package struct Exchange: Sendable {
    /// Nil at the other end of a Unix socket, unless a PROXY header has named the client.
    package let peer: IPAddress?
    let table: ConnectionTable
    let connection: ConnectionID
    let sequence: UInt32

    /// Where the request was read, and where a handler of it best goes on.
    package var loop: EventLoop { self.table.loop }

    package func respond(_ response: Response) {
        guard !self.table.loop.isCurrent else { return self.answer(response) }
        self.table.loop.execute { self.answer(response) }
    }

    /// Begins an answer whose length is not known yet; the body of `response` is left out, it comes by the stream. In
    /// place of `respond`.
    package func begin(_ response: Response) -> ResponseStream {
        self.perform { $0.begin(response, to: $1) }
        return ResponseStream(
            send: { part in self.perform { $0.send(part, of: $1) } }, end: { self.perform { $0.end($1) } })
    }

    /// Does `action` on the loop when the client leaves before it is answered, at once if it has left.
    package func onGone(_ action: @escaping @Sendable () -> Void) {
        guard !self.table.loop.isCurrent else { return self.watchForEnd(action) }
        self.table.loop.execute { self.watchForEnd(action) }
    }

    private func answer(_ response: Response) {
        self.table[self.connection]?.answer(response, to: self.sequence)
    }

    /// On the loop, with the connection if it is still there, at once if this is the loop.
    private func perform(_ action: @escaping @Sendable (Connection, UInt32) -> Void) {
        guard self.table.loop.isCurrent else { return self.table.loop.execute { self.perform(action) } }
        if let connection = self.table[self.connection] { action(connection, self.sequence) }
    }

    private func watchForEnd(_ action: @escaping @Sendable () -> Void) {
        guard let connection = self.table[self.connection] else { return action() }
        connection.onGone(action, from: self.sequence)
    }
}
