/// What happens to logins, as log lines and as counts.
import Logging
import Logins

struct LoginRecord: Sendable {
    let logger: Logger
    let metrics: ServerMetrics
    private let throttle = LineThrottle()

    init(logger: Logger, metrics: ServerMetrics) {
        self.logger = logger
        self.metrics = metrics
    }

    @Sendable func observe(_ event: LoginEvent) {
        self.count(event)
        var metadata = event.metadata
        if event.isCausedByStrangers {
            guard let count = self.throttle.lines(for: "\(event.kind.rawValue) \(event.detail ?? "")") else { return }
            metadata["count"] = "\(count)"
        }
        self.logger.log(level: event.level, "login_\(event.kind.rawValue)", metadata: metadata)
    }

    private func count(_ event: LoginEvent) {
        let provider = event.provider ?? "none"
        switch event.kind {
        case .created:
            self.metrics.loginsCreated.increment(event.app ?? "none", provider)
        case .ended:
            let status = event.status?.rawValue ?? "none"
            self.metrics.loginsFinished.increment(provider, status, event.reason?.rawValue ?? "none")
            if let duration = event.duration { self.metrics.loginDuration.record(duration, provider, status) }
        case .callbackIgnored:
            self.metrics.callbacksIgnored.increment(event.detail ?? "none")
        case .opened, .openFailed, .callback, .acknowledged, .exchangeFailed, .takenOver,
            .rowRefused, .storeFailed:
            break
        }
    }
}

extension LoginEvent {
    /// As often as they like: a forged callback costs nothing, and nor does a link to open while our queue is full.
    fileprivate var isCausedByStrangers: Bool {
        switch self.kind {
        case .callbackIgnored: true
        case .openFailed: self.detail?.hasSuffix("_busy") ?? false
        case .created, .opened, .callback, .takenOver, .ended, .acknowledged, .exchangeFailed, .rowRefused,
            .storeFailed:
            false
        }
    }

    fileprivate var level: Logger.Level {
        switch self.kind {
        case .created, .opened, .callback, .acknowledged: .debug
        case .ended: .info
        case .callbackIgnored, .takenOver: .notice
        case .openFailed, .exchangeFailed: .warning
        case .rowRefused, .storeFailed: .error
        }
    }

    /// The id gives no right, and the reference is what a person reads out.
    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        if let login = self.login {
            metadata["login"] = "\(login)"
            metadata["reference"] = "\(login.reference)"
        }
        if let app = self.app { metadata["app"] = "\(app)" }
        if let provider = self.provider { metadata["provider"] = "\(provider)" }
        if let platform = self.platform { metadata["platform"] = "\(platform)" }
        if let status = self.status { metadata["status"] = "\(status.rawValue)" }
        if let reason = self.reason { metadata["reason"] = "\(reason.rawValue)" }
        if let duration = self.duration { metadata["duration_ms"] = "\(Int(duration / .milliseconds(1)))" }
        if let detail = self.detail { metadata["broker_error"] = "\(detail)" }
        return metadata
    }
}
