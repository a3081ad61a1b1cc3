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
                level: level, name, metadata: Logger.Metadata(event.details), kind: "\(name) \(kind)",
                login: event.loginOfCallback)
        } else {
            self.logger.log(level: level, "\(name)", metadata: Logger.Metadata(event.details))
        }
    }

    private func trace(_ event: LoginEvent, _ tracer: SpanTracer) {
        if let span = WorkContext.current?.span, span.isRecording {
            // The span says which login it is.
            span.addEvent("login_\(event.step.name)", AttributeList(event.step.details))
        }
        guard case .ended(let duration, _, _) = event.step, let login = event.login?.trace else { return }
        tracer.recordLogin(
            login, lasting: duration, AttributeList(event.details), failed: event.status == .failed)
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
    fileprivate var details: [Detail] {
        switch self {
        case .created(let agent): [Detail("client", "\(agent)")]
        case .openFailed(let failure), .exchangeFailed(let failure): [Detail("broker_error", failure.detail)]
        case .callback(let denial?): [Detail("broker_error", denial.detail)]
        case .returned(let way): [Detail("by", way.rawValue)]
        case .callbackIgnored(let cause): [Detail("cause", cause.name)]
        case .proven(let proof): [Detail("proof", proof.rawValue)]
        case .proofRefused(.code(let triesLeft)): [Detail("cause", "code"), Detail("tries_left", triesLeft)]
        case .proofRefused(.link): [Detail("cause", "link")]
        case .replaced(let new): [Detail("new_login", "\(new)"), Detail("new_reference", new.reference)]
        case .ended(let duration, let stage, let failure):
            [Detail("duration_ms", Int(duration / .milliseconds(1)))]
                + [stage.map { Detail("stage", $0.rawValue) }, failure.map { Detail("broker_error", $0.detail) }]
                .compactMap(\.self)
        case .takenOver(let stage): [Detail("unfinished", stage.rawValue)]
        case .rowRefused(let problem): [Detail("cause", problem.rawValue)]
        case .storeFailed(let work): [Detail("work", work.rawValue)]
        case .opened, .callback, .redeemed, .identified, .evicted, .delivered, .acknowledged: []
        }
    }
}

/// What an event says, for a line of the log and for a span. A number is a number in both.
private struct Detail {
    enum Value {
        case text(String)
        case number(Int)
    }

    let name: String
    let value: Value

    init(_ name: String, _ text: String) {
        self.name = name
        self.value = .text(text)
    }

    init(_ name: String, _ number: Int) {
        self.name = name
        self.value = .number(number)
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
    fileprivate var details: [Detail] {
        var details = self.step.details
        if let login = self.login {
            details.append(Detail("login", "\(login)"))
            details.append(Detail("reference", login.reference))
        }
        if let app = self.app { details.append(Detail("app", app)) }
        if let provider = self.provider { details.append(Detail("provider", provider)) }
        if let platform = self.platform { details.append(Detail("platform", platform.rawValue)) }
        if let status = self.status { details.append(Detail("status", status.rawValue)) }
        if let reason = self.reason { details.append(Detail("reason", reason.rawValue)) }
        return details
    }
}

extension Logger.Metadata {
    fileprivate init(_ details: [Detail]) {
        self = [:]
        for detail in details {
            switch detail.value {
            case .text(let text): self[detail.name] = .string(text)
            case .number(let number): self[detail.name] = .stringConvertible(number)
            }
        }
    }
}

extension AttributeList {
    fileprivate init(_ details: [Detail]) {
        self = [:]
        for detail in details {
            switch detail.value {
            case .text(let text): self["switchback.\(detail.name)"] = .text(text)
            case .number(let number): self["switchback.\(detail.name)"] = .number(Int64(number))
            }
        }
    }
}
