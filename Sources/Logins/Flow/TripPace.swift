/// When a trip is asked about next: at its interval; where it has none, after the person has come back, and then a few
/// times more, because the e-ID may be slower than the person.
import JOSE

struct TripPace {
    private static let questionsAfterReturn = 15

    private var interval: Duration?
    private var returns = 0
    private var questionsLeft = 0

    /// `interval` in milliseconds.
    init(interval: Int?) { self.interval = interval.map { .milliseconds($0) } }

    var pause: Duration {
        if let interval = self.interval { return interval }
        switch self.questionsLeft {
        case 0: return .seconds(3600)
        case Self.questionsAfterReturn: return .zero
        default: return .seconds(1)
        }
    }

    mutating func see(returns: Int) {
        guard returns != self.returns else { return }
        self.returns = returns
        self.questionsLeft = Self.questionsAfterReturn
    }

    mutating func asked() { self.questionsLeft = max(0, self.questionsLeft - 1) }

    /// CIBA 11: five seconds more, for this and all that follow.
    mutating func slowDown() {
        self.interval = self.interval.map { $0 + .seconds(5) }
        self.asked()
    }
}
