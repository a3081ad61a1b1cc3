import EventLoop
import HTTPServer
import HTTPWire
import Logging
import LoginAPI

/// Counts what the HTTP server does, and logs the requests. A failure on our side is a warning, once a minute for each
/// status.
package struct RequestRecorder: ServerObserver {
    private let logger: Logger
    private let metrics: ServerMetrics
    private let lines: RepeatedLines
    private let descriptors: DescriptorRecorder
    package let limits: LimitRecorder

    package init(logger: Logger, metrics: ServerMetrics, lines: RepeatedLines, limits: LimitRecorder) {
        self.logger = logger
        self.limits = limits
        self.metrics = metrics
        self.lines = lines
        self.descriptors = DescriptorRecorder(metrics: metrics, lines: lines)
    }

    @Sendable package func recordCompleted(_ request: CompletedRequest) {
        self.metrics.requestCounts.count(request.route, request.status, after: request.duration)
        let status = request.status.rawValue
        // In an outage every request fails, and at `debug` each still has its line.
        if status >= 500,
            self.lines.log(level: .warning, "request", metadata: request.metadata, kind: "request \(status)")
        {
            return
        }
        self.logger.debug("request", metadata: request.metadata)
    }

    /// Always at `debug`, because any client can cause many of these lines.
    @Sendable package func recordRefused(_ request: RefusedRequest) {
        self.logger.debug(
            "request_refused",
            metadata: [
                "request_id": "\(request.id)", "status": .stringConvertible(request.code.status.rawValue),
                "reason": "\(request.code.rawValue)",
            ])
    }

    package func connectionRefused(_ reason: ConnectionRefusal) {
        self.metrics.httpRefused.increment(reason.rawValue)
        if let limit = ReachedLimit(reason) { self.limits.note(limit) }
    }

    package func connectionDisplaced(_ kind: Displacement) { self.limits.note(ReachedLimit(kind)) }

    package func acceptingPaused(_ failure: SystemCallError) {
        self.metrics.httpRefused.increment("accepting_paused")
        guard !Descriptors.isExhaustion(failure.code) else {
            return self.descriptors.note(.listener, failure.description)
        }
        self.lines.log(
            level: .error, "accepting_paused", metadata: ["reason": "\(failure)"], kind: "accepting_paused")
    }

    package func requestRefused(_ error: ParseError) { self.metrics.httpRefused.increment(error.rawValue) }

    package func handshakeFailed(_ failure: HandshakeFailure) {
        self.metrics.httpRefused.increment("handshake_\(failure.rawValue)")
        if failure == .tooMany { self.limits.note(.handshakes) }
    }

    package func timedOut(_ wait: TimeoutKind) { self.metrics.httpRefused.increment("timeout_\(wait.rawValue)") }
}

extension CompletedRequest {
    fileprivate var metadata: Logger.Metadata {
        [
            "request_id": "\(self.id)", "method": "\(self.method.rawValue)", "route": "\(self.route)",
            "status": .stringConvertible(self.status.rawValue),
            "duration_ms": .stringConvertible(Int(self.duration / .milliseconds(1))),
        ]
    }
}
