import Attestation
import Logging
import Logins
import Sessions

/// Records the steps of sessions: each is a log line and a count.
package struct SessionRecorder: Sendable {
    private let logger: Logger
    private let metrics: ServerMetrics
    private let lines: RepeatedLines

    package init(logger: Logger, metrics: ServerMetrics, lines: RepeatedLines) {
        self.logger = logger
        self.metrics = metrics
        self.lines = lines
    }

    @Sendable package func observe(_ event: SessionEvent) {
        self.count(event)
        let level = event.step.level
        guard level >= self.logger.logLevel else { return }
        let name = "session_\(event.step.name)"
        if case .storeFailed = event.step {
            self.lines.log(level: level, name, metadata: event.metadata, kind: name)
        } else {
            self.logger.log(level: level, "\(name)", metadata: event.metadata)
        }
    }

    private func count(_ event: SessionEvent) {
        let app = event.app ?? "none"
        switch event.step {
        case .begun(isNew: true):
            self.metrics.sessionsBegun.increment(app, event.provider ?? "none", event.level?.rawValue ?? "none")
        case .ended(let cause):
            self.metrics.sessionsEnded.increment(app, cause.rawValue)
        case .attested(let format, _):
            self.metrics.attestations.increment(app, format.rawValue, "accepted")
        case .attestationRefused(let format, let refusal):
            self.metrics.attestations.increment(app, format.rawValue, refusal.rawValue)
        case .attestationMissing:
            self.metrics.attestations.increment(app, "none", "missing")
        case .begun, .renewed, .unlocked, .pinSet, .wrongPIN, .lockedOut, .resealed, .rowRefused, .storeFailed:
            self.metrics.sessionSteps.increment(event.step.name, app)
        }
    }
}

extension SessionEvent.Step {
    fileprivate var level: Logger.Level {
        switch self {
        case .renewed, .unlocked, .resealed: .debug
        case .begun, .pinSet, .wrongPIN, .ended, .attestationMissing: .info
        // An old status list is for the operator to renew, and so is one that refuses phones.
        case .attested(_, let evidence): evidence.warning == nil ? .info : .warning
        case .attestationRefused(_, let refusal): refusal.isOfStatusList ? .error : .notice
        case .lockedOut: .notice
        case .rowRefused, .storeFailed: .error
        }
    }

    /// The fields of this step only.
    fileprivate var metadata: Logger.Metadata {
        switch self {
        case .begun(let isNew): ["new": .stringConvertible(isNew)]
        case .attested(let format, let evidence): evidence.metadata.merging(["format": "\(format.rawValue)"]) { $1 }
        case .attestationRefused(let format, let refusal):
            ["format": "\(format.rawValue)", "cause": "\(refusal.rawValue)"]
        case .attestationMissing(let isRequired): ["required": .stringConvertible(isRequired)]
        case .wrongPIN(let triesLeft): ["tries_left": .stringConvertible(triesLeft)]
        case .ended(let cause): ["cause": "\(cause.rawValue)"]
        case .rowRefused(let problem): ["cause": "\(problem.rawValue)"]
        case .storeFailed(let work): ["work": "\(work.rawValue)"]
        case .renewed, .unlocked, .pinSet, .lockedOut, .resealed: [:]
        }
    }
}

extension Evidence {
    fileprivate var warning: StatusWarning? {
        switch self {
        case .app: nil
        case .key(_, let warning): warning
        }
    }

    fileprivate var metadata: Logger.Metadata {
        switch self {
        case .app(let environment): ["environment": "\(environment.rawValue)"]
        case .key(let level, let warning):
            ["key_in": "\(level.word)"].merging(warning.map { ["warning": "\($0.rawValue)"] } ?? [:]) { $1 }
        }
    }
}

extension SessionEvent {
    /// It is safe to log the id, because it gives no rights.
    fileprivate var metadata: Logger.Metadata {
        var metadata = self.step.metadata
        if let session = self.session { metadata["session"] = "\(session)" }
        if let app = self.app { metadata["app"] = "\(app)" }
        if let provider = self.provider { metadata["provider"] = "\(provider)" }
        if let platform = self.platform { metadata["platform"] = "\(platform)" }
        if let level = self.level { metadata["allows"] = "\(level.rawValue)" }
        return metadata
    }
}
