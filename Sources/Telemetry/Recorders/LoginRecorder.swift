import Brokers
import Logging
import Logins
import Traces
import Tracing

/// Records the steps of logins: each is a log line, a count, and an event of the present span.
package struct LoginRecorder: Sendable {
    private let logger: Logger
    private let metrics: ServerMetrics
    private let lines: RepeatedLines
    private let limits: LimitRecorder
    private let tracer: SpanTracer?

    package init(
        logger: Logger, metrics: ServerMetrics, lines: RepeatedLines, limits: LimitRecorder, tracer: SpanTracer? = nil
    ) {
        self.tracer = tracer
        self.logger = logger
        self.limits = limits
        self.metrics = metrics
        self.lines = lines
    }

    @Sendable package func observe(_ event: LoginEvent) {
        self.count(event)
        if let tracer { self.trace(event, tracer) }
        let level = event.step.level
        guard level >= self.logger.logLevel else { return }
        let name = "login_\(event.step.name)"
        if let kind = event.step.repeatedKind(of: event.provider ?? "none") {
            self.lines.log(
                level: level, name, metadata: event.metadata, kind: "\(name) \(kind)", login: event.loginOfCallback)
        } else {
            self.logger.log(level: level, "\(name)", metadata: event.metadata)
        }
    }

    private func trace(_ event: LoginEvent, _ tracer: SpanTracer) {
        if let span = WorkContext.current?.span, span.isRecording {
            // The span says which login it is.
            span.addEvent("login_\(event.step.name)", AttributeList(event.step.metadata))
        }
        guard case .ended(let duration, _, _) = event.step, let login = event.login?.trace else { return }
        tracer.recordLogin(
            login, lasting: duration, AttributeList(event.metadata), failed: event.status == .failed)
    }

    private func count(_ event: LoginEvent) {
        let provider = event.provider ?? "none"
        switch event.step {
        case .created(let agent):
            let app = event.app ?? "none"
            self.metrics.loginsCreated.increment(app, provider)
            self.metrics.clientLogins.count(agent, of: app)
        case .ended(let duration, _, _):
            let status = event.status?.rawValue ?? "none"
            self.metrics.loginsFinished.increment(provider, status, event.reason?.rawValue ?? "none")
            self.metrics.loginDuration.record(duration, provider, status)
        case .evicted:
            self.metrics.loginsFinished.increment(provider, LoginStatus.expired.rawValue, event.step.name)
            self.limits.note(.unopenedLogins)
        case .replaced:
            self.metrics.loginsReplaced.increment(event.app ?? "none", provider)
        case .callbackIgnored(let cause):
            self.metrics.callbacksIgnored.increment(cause.name)
        case .opened, .openFailed, .returned, .callback, .redeemed, .exchangeFailed, .identified, .proven,
            .proofRefused, .delivered, .acknowledged, .takenOver, .rowRefused, .storeFailed:
            self.metrics.loginSteps.increment(event.step.name, provider)
        }
        // `ended` repeats the error of another step.
        if case .ended = event.step { return }
        if let word = event.step.brokerError?.word { self.metrics.brokerErrors.count(word, of: event.broker ?? "none") }
    }
}

extension LoginEvent.Step {
    /// Tells apart the lines of a step that any client can cause at will, or every request during an outage; nil for
    /// all other steps. A forged callback costs nothing, and neither does a new authorization attempt while our queue is
    /// full or the provider is off. `login_ended` repeats the error for each login that it ended.
    fileprivate func repeatedKind(of provider: String) -> String? {
        switch self {
        case .callbackIgnored(let cause): cause.name
        case .openFailed(let failure)
        where failure.isOfFullQueue || failure.isOfProviderOff || failure.kind == .unavailable,
            .exchangeFailed(let failure) where failure.kind == .unavailable:
            "\(failure.detail) \(provider)"
        case .storeFailed: "any"
        case .created, .opened, .openFailed, .returned, .callback, .redeemed, .exchangeFailed, .identified, .proven,
            .proofRefused, .ended, .evicted, .replaced, .delivered, .acknowledged, .takenOver, .rowRefused:
            nil
        }
    }

    fileprivate var level: Logger.Level {
        switch self {
        // Users cancel all the time. What else a broker returns instead of a code may not end the login.
        case .callback(let denial?) where denial.kind != .cancelled: .notice
        case .created, .opened, .returned, .callback, .redeemed, .identified, .proven, .evicted, .delivered,
            .acknowledged:
            .debug
        case .ended, .replaced, .proofRefused: .info
        case .callbackIgnored, .takenOver: .notice
        // The operator has switched the provider off on purpose.
        case .openFailed(let failure) where failure.isOfProviderOff: .notice
        case .openFailed, .exchangeFailed: .warning
        case .rowRefused, .storeFailed: .error
        }
    }

    /// The fields of this step only.
    fileprivate var metadata: Logger.Metadata {
        switch self {
        case .created(let agent): ["client": "\(agent)"]
        case .openFailed(let failure), .exchangeFailed(let failure): ["broker_error": "\(failure.detail)"]
        case .callback(let denial?): ["broker_error": "\(denial.detail)"]
        case .returned(let way): ["by": "\(way.rawValue)"]
        case .callbackIgnored(let cause): ["cause": "\(cause.name)"]
        case .proven(let proof): ["proof": "\(proof.rawValue)"]
        case .proofRefused(.code(let triesLeft)): ["cause": "code", "tries_left": .stringConvertible(triesLeft)]
        case .proofRefused(.link): ["cause": "link"]
        case .replaced(let new): ["new_login": "\(new)", "new_reference": "\(new.reference)"]
        case .ended(let duration, let stage, let failure):
            ["duration_ms": .stringConvertible(Int(duration / .milliseconds(1)))]
                .merging(stage.map { ["stage": "\($0.rawValue)"] } ?? [:]) { $1 }
                .merging(failure.map { ["broker_error": "\($0.detail)"] } ?? [:]) { $1 }
        case .takenOver(let stage): ["unfinished": "\(stage.rawValue)"]
        case .rowRefused(let problem): ["cause": "\(problem.rawValue)"]
        case .storeFailed(let work): ["work": "\(work.rawValue)"]
        case .opened, .callback, .redeemed, .identified, .evicted, .delivered, .acknowledged: [:]
        }
    }
}

extension LoginEvent {
    /// The login of an ignored callback whose `state` is ours. Few have one, and its line says what became of the login,
    /// so it is not lost among forged ones.
    fileprivate var loginOfCallback: String? {
        guard case .callbackIgnored = self.step else { return nil }
        return self.login?.description
    }

    /// It is safe to log the id, because it gives no rights. The reference is what a user reads out.
    fileprivate var metadata: Logger.Metadata {
        var metadata = self.step.metadata
        if let login = self.login {
            metadata["login"] = "\(login)"
            metadata["reference"] = "\(login.reference)"
        }
        if let app = self.app { metadata["app"] = "\(app)" }
        if let provider = self.provider { metadata["provider"] = "\(provider)" }
        if let platform = self.platform { metadata["platform"] = "\(platform.rawValue)" }
        if let status = self.status { metadata["status"] = "\(status.rawValue)" }
        if let reason = self.reason { metadata["reason"] = "\(reason.rawValue)" }
        return metadata
    }
}

extension AttributeList {
    /// What a line of the log has, for spans.
    fileprivate init(_ metadata: Logger.Metadata) {
        self = [:]
        for (name, value) in metadata { self["switchback.\(name)"] = .text(value.description) }
    }
}
