/// Decides when to poll for a backchannel transaction: at its interval if it has one; for a launch link, at once when
/// the user returns and then a few more times, because the e-ID may be slower than the user.
import Brokers

struct TripPace {
    private static let questionsAfterReturn = 15

    private var interval: Duration?
    private let asksOnReturn: Bool
    private var returns = 0
    private var questionsLeft = 0

    init(_ trip: Trip) {
        self.interval = trip.interval.map { .milliseconds($0) }
        self.asksOnReturn = trip.kind == .launchLinks
    }

    var pause: Duration {
        switch self.questionsLeft {
        case 0: self.interval ?? .seconds(3600)
        case Self.questionsAfterReturn: .zero
        default: self.interval ?? .seconds(1)
        }
    }

    mutating func see(returns: Int) {
        guard self.asksOnReturn, returns != self.returns else { return }
        self.returns = returns
        self.questionsLeft = Self.questionsAfterReturn
    }

    mutating func asked() { self.questionsLeft = max(0, self.questionsLeft - 1) }

    /// Adds five seconds to this and all later intervals (CIBA Core §11).
    mutating func slowDown() {
        self.interval = self.interval.map { $0 + .seconds(5) }
        self.asked()
    }
}
