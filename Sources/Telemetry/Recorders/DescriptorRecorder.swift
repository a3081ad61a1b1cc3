/// Counts failures to open something because no file descriptor was left, and logs them once a minute.
import EventLoop
import Logging
import Synchronization

package final class DescriptorRecorder: Sendable {
    private static let interval = Duration.seconds(60)

    private let logger: Logger
    private let metrics: ServerMetrics
    private let lastLogged = Mutex<ContinuousClock.Instant?>(nil)

    package init(logger: Logger, metrics: ServerMetrics) {
        self.logger = logger
        self.metrics = metrics
    }

    package func note(_ opener: Opener, _ reason: String) {
        self.metrics.descriptorsExhausted.increment(opener.rawValue)
        let now = ContinuousClock.now
        let isNew = self.lastLogged.withLock { said in
            guard said.map({ $0.duration(to: now) >= Self.interval }) ?? true else { return false }
            said = now
            return true
        }
        guard isNew else { return }
        self.logger.error(
            "descriptors_exhausted",
            metadata: ["opener": "\(opener.rawValue)", "reason": "\(reason)", "advice": "\(Descriptors.advice)"])
    }

    /// The part of the server that needed a descriptor.
    package enum Opener: String {
        case listener, broker
    }
}
