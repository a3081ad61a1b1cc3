import Base
import Synchronization

/// The state of one broker, as its responses show it.
package final class BrokerState: Sendable {
    private struct State {
        var responds: Bool?
        /// Whether the broker has refused our credentials, and accepted none since.
        var refusesUs = false
        var lastSuccess: Timestamp?
        var skew: Int?
    }

    private let state = Mutex(State())

    /// Whether the last request got a response with a status below 500, and the broker accepts our credentials as far as
    /// we know. Nil before the first request.
    var isUp: Bool? { self.state.withLock { state in state.responds.map { $0 && !state.refusesUs } } }
    var lastSuccess: Timestamp? { self.state.withLock { $0.lastSuccess } }
    /// Whole seconds that the broker's clock is ahead of ours, give or take one.
    var skew: Int? { self.state.withLock { $0.skew } }

    /// `date` is the broker's time in seconds since 1970. `acceptsUs` is nil if the response does not say.
    func noteResponse(status: Int, date: Int?, acceptsUs: Bool?, at now: Timestamp) {
        self.state.withLock { state in
            state.responds = status < 500
            if let acceptsUs { state.refusesUs = !acceptsUs }
            if status < 500 { state.lastSuccess = now }
            if let date { state.skew = date - now.seconds }
        }
    }

    func noteNoResponse() { self.state.withLock { $0.responds = false } }
}
