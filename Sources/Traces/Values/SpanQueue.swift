import DequeModule
import Synchronization

/// The spans that wait to be exported. It never waits for anybody: when it is full, spans are dropped and counted.
package final class SpanQueue: Sendable {
    private struct State {
        var spans: Deque<FinishedSpan> = []
        var dropped = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// A span takes about a kilobyte.
    package init(capacity: Int = 4096) { self.capacity = capacity }

    package func add(_ span: FinishedSpan) {
        self.state.withLock { state in
            guard state.spans.count < self.capacity else {
                state.dropped += 1
                return
            }
            state.spans.append(span)
        }
    }

    /// Takes the oldest spans, at most `limit`.
    package func take(atMost limit: Int) -> [FinishedSpan] {
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
