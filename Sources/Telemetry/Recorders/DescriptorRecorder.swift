import EventLoop
import Logging

/// Counts failures to open something because no file descriptor was left, and logs them once a minute.
package struct DescriptorRecorder: Sendable {
    private let metrics: ServerMetrics
    private let lines: RepeatedLines

    package init(metrics: ServerMetrics, lines: RepeatedLines) {
        self.metrics = metrics
        self.lines = lines
    }

    package func note(_ opener: DescriptorOpener, _ reason: String) {
        self.metrics.descriptorsExhausted.increment(opener.rawValue)
        self.lines.log(
            level: .error, "descriptors_exhausted",
            metadata: ["opener": "\(opener.rawValue)", "reason": "\(reason)", "advice": "\(Descriptors.advice)"],
            kind: "descriptors_exhausted \(opener.rawValue)")
    }
}
