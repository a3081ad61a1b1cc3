import DequeModule
import Synchronization

/// The spans that wait to be exported, as messages of OTLP. It never waits for anybody: when it is full, spans are
/// dropped and counted.
package final class SpanQueue: Sendable {
    private struct State {
        var spans: Deque<[UInt8]> = []
        var dropped = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// A span takes half a kilobyte.
    package init(capacity: Int = 4096) { self.capacity = capacity }

    func add(_ message: [UInt8]) {
        self.state.withLock { state in
            guard state.spans.count < self.capacity else {
                state.dropped += 1
                return
            }
            state.spans.append(message)
        }
    }

    /// Takes the oldest spans, at most `limit`.
    package func take(atMost limit: Int) -> [[UInt8]] {
        self.state.withLock { state in
            let spans = Array(state.spans.prefix(limit))
            state.spans.removeFirst(spans.count)
            return spans
        }
    }

    package var count: Int { self.state.withLock { $0.spans.count } }

    /// How many spans found no room since the beginning.
    package var dropped: Int { self.state.withLock { $0.dropped } }
}
