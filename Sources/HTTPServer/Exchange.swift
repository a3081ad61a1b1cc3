/// One request's right to be answered, once, at any time and from any thread.
///
/// It names its connection and does not hold it. If the client has gone, or the answer was given, `respond` does nothing.
///
/// A client that has closed only its sending side may still be reading: it gets its answer, unless somebody has asked
/// by `onGone` to be told, who is told then, and the connection is closed.

import EventLoop
import HTTPWire

package struct Exchange: Sendable {
    package let peer: IPAddress
    let table: ConnectionTable
    let connection: ConnectionID
    let sequence: UInt32

    /// Where the request was read, and where a handler of it best goes on.
    package var loop: EventLoop { self.table.loop }

    package func respond(_ response: Response) {
        guard !self.table.loop.isCurrent else { return self.answer(response) }
        self.table.loop.execute { self.answer(response) }
    }

    /// Does `action` on the loop when the client leaves before it is answered, at once if it has left.
    package func onGone(_ action: @escaping @Sendable () -> Void) {
        guard !self.table.loop.isCurrent else { return self.watchForEnd(action) }
        self.table.loop.execute { self.watchForEnd(action) }
    }

    private func answer(_ response: Response) {
        self.table[self.connection]?.answer(response, to: self.sequence)
    }

    private func watchForEnd(_ action: @escaping @Sendable () -> Void) {
        guard let connection = self.table[self.connection] else { return action() }
        connection.onGone(action, from: self.sequence)
    }
}
