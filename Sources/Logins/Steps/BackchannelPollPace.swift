import Brokers

/// Decides when to poll for a backchannel transaction: at its interval if it has one; for a launch link, at once when
/// the user returns and then a few more times, because the e-ID may be slower than the user.
struct BackchannelPollPace {
    private static let pollsAfterReturn = 15

    private var interval: Duration?
    private let pollsOnReturn: Bool
    private var returns = 0
    private var pollsLeft = 0

    init(_ transaction: BackchannelTransaction) {
        self.interval = transaction.interval.map { .milliseconds($0) }
        self.pollsOnReturn = transaction.kind == .launchLinks
    }

    var pause: Duration {
        switch self.pollsLeft {
        case 0: self.interval ?? .seconds(3600)
        case Self.pollsAfterReturn: .zero
        default: self.interval ?? .seconds(1)
        }
    }

    mutating func note(returns: Int) {
        guard self.pollsOnReturn, returns != self.returns else { return }
        self.returns = returns
        self.pollsLeft = Self.pollsAfterReturn
    }

    mutating func countPoll() { self.pollsLeft = max(0, self.pollsLeft - 1) }

    /// Adds five seconds to this and all later intervals (CIBA Core §11).
    mutating func slowDown() {
        self.interval = self.interval.map { $0 + .seconds(5) }
        self.countPoll()
    }
}
