import Base
import Synchronization

/// The state of one broker, as its responses show it.
package final class BrokerState: Sendable {
    private struct Known {
        var isUp: Bool?
        var lastSuccess: Timestamp?
        var skew: Int?
    }

    private let known = Mutex(Known())

    /// Whether the last request got a response with a status below 500. Nil before the first request.
    var isUp: Bool? { self.known.withLock { $0.isUp } }
    var lastSuccess: Timestamp? { self.known.withLock { $0.lastSuccess } }
    /// Whole seconds that the broker's clock is ahead of ours, give or take one.
    var skew: Int? { self.known.withLock { $0.skew } }

    /// `date` is the broker's time in seconds since 1970.
    func noteResponse(status: Int, date: Int?, at now: Timestamp) {
        self.known.withLock { known in
            known.isUp = status < 500
            if status < 500 { known.lastSuccess = now }
            if let date { known.skew = date - now.seconds }
        }
    }

    func noteNoResponse() { self.known.withLock { $0.isUp = false } }
}
