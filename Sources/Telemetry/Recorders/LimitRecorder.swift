/// Counts how often each limit was reached, and logs it once a minute with the setting that raises it.
import Logging
import LoginAPI

package final class LimitRecorder: Sendable {
    private let logger: Logger
    private let metrics: ServerMetrics
    private let throttle: LineThrottle

    package init(logger: Logger, metrics: ServerMetrics) {
        self.logger = logger
        self.metrics = metrics
        self.throttle = LineThrottle()
    }

    @Sendable package func note(_ limit: RequestLimit) { self.note(ReachedLimit(limit)) }

    package func note(_ limit: ReachedLimit) {
        self.metrics.limitsReached.increment(limit.rawValue)
        guard let count = self.throttle.lines(for: limit.rawValue) else { return }
        self.logger.notice(
            "limit_reached",
            metadata: [
                "limit": "\(limit.rawValue)", "setting": "\(limit.setting ?? "none")", "count": "\(count)",
            ])
    }
}
