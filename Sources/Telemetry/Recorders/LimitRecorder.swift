import Logging
import LoginAPI

/// Counts how often each limit was reached, and logs it once a minute with the setting that raises it.
package struct LimitRecorder: Sendable {
    private let metrics: ServerMetrics
    private let lines: RepeatedLines

    package init(metrics: ServerMetrics, lines: RepeatedLines) {
        self.metrics = metrics
        self.lines = lines
    }

    @Sendable package func note(_ limit: RequestLimit) { self.note(ReachedLimit(limit)) }

    package func note(_ limit: ReachedLimit) {
        self.metrics.limitsReached.increment(limit.rawValue)
        self.lines.log(
            level: .notice, "limit_reached",
            metadata: ["limit": "\(limit.rawValue)", "setting": "\(limit.setting ?? "none")"],
            kind: "limit_reached \(limit.rawValue)")
    }
}
