import Attestation
import BrokerTransport
import Brokers
import HTTPServer
import HTTPWire
import KeyFiles
import Logins
import OpenIDConnect
import Sessions
import Telemetry
import Testing

@testable import LoginAPI

// One after the other: both may rewrite the page.
/// Generates docs/reference/metrics.md from the table of metrics.
@Suite(.serialized) struct MetricsPageTests {
    @Test func `the page has every metric`() throws {
        let part = GeneratedPart(
            path: "docs/reference/metrics.md", source: "the table of metrics in Sources/Telemetry")
        let rows = Metric.all.map { metric in
            let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(metric.name)` | \(metric.kind.rawValue) | \(labels) | \(metric.help) |\n"
        }
        let head = "| metric | kind | labels | what |\n|---|---|---|---|\n"
        try part.expect(head + rows.joined())
    }

    @Test func `the page has the values of labels`() throws {
        let part = GeneratedPart(path: "docs/reference/metrics.md", source: "the closed lists of labels")
        let rows = Self.values.map { row in
            "| `\(row.label)` | `\(row.metric)` | \(row.values.map { "`\($0)`" }.joined(separator: ", ")) |\n"
        }
        try part.expect("| label | of | values |\n|---|---|---|\n" + rows.joined())
    }

    /// The labels whose values are closed lists; others are names from the configuration and HTTP statuses.
    private static let values: [(label: String, metric: String, values: [String])] = [
        ("status", Metric.loginsFinished.name, LoginStatus.allCases.filter(\.isFinal).map(\.rawValue)),
        ("reason", Metric.loginsFinished.name, ["none", "evicted"] + Reason.allCases.map(\.rawValue)),
        ("stage", Metric.loginStages.name, Self.unique(StageCount.Stage.all.map(\.name))),
        ("platform", Metric.loginStages.name, AuthorizationContext.Platform.allCases.map(\.rawValue) + ["none"]),
        ("reason", Metric.loginStages.name, ["none"] + StageCount.End.all.map(\.name)),
        ("step", Metric.loginSteps.name, Self.steps),
        ("level", Metric.sessionsBegun.name, SessionLevel.allCases.filter { $0 != .none }.map(\.rawValue)),
        ("step", Metric.sessionSteps.name, Self.sessionSteps),
        ("cause", Metric.sessionsEnded.name, SessionEvent.End.allCases.map(\.rawValue)),
        ("format", Metric.attestations.name, AttestationStatement.Format.allCases.map(\.rawValue) + ["none"]),
        ("verdict", Metric.attestations.name, ["accepted", "missing"] + Refusal.allCases.map(\.rawValue)),
        ("route", Metric.httpRequests.name, Self.routes),
        ("cause", Metric.httpRefused.name, Self.refusals),
        ("limit", Metric.limitsReached.name, ReachedLimit.allCases.map(\.rawValue)),
        ("operation", Metric.storeDuration.name, StoreTimes.Operation.allCases.map(\.rawValue)),
        ("pool", Metric.poolSize.name, ["store"] + Self.queues),
        ("use", Metric.keys.name, KeyUse.allCases.map(\.rawValue)),
        ("phase", Metric.keys.name, KeySchedule.Phase.allCases.map(\.rawValue)),
        ("purpose", Metric.brokerRequests.name, ProviderRequest.Purpose.allCases.map(\.rawValue)),
        ("outcome", Metric.brokerRequests.name, Self.outcomes),
        ("queue", Metric.brokerQueueDuration.name, Self.queues),
        ("cause", Metric.reloads.name, ReloadCause.allCases.map(\.rawValue)),
        ("outcome", Metric.reloads.name, ["applied", "refused"]),
    ]

    private static func unique(_ names: [String]) -> [String] {
        names.reduce(into: []) { unique, name in if !unique.contains(name) { unique.append(name) } }
    }

    /// The others have metrics of their own.
    private static let steps = LogEvents.steps.map(\.name).reduce(into: [String]()) { steps, name in
        let counted = ["created", "ended", "evicted", "replaced", "callback_ignored"]
        guard !counted.contains(name), !steps.contains(name) else { return }
        steps.append(name)
    }

    private static let sessionSteps = LogEvents.sessionSteps.map(\.name).filter {
        $0 != "ended" && !$0.hasPrefix("attest")
    }

    private static let routes = PublicRoutes.labels

    private static let queues = ["openings", "exchanges"].filter { BrokerFetch.Lane(rawValue: $0) != nil }

    private static let outcomes: [String] = {
        let errors: [FetchError] = [
            .unreachable(""), .noDescriptors(""), .timedOut(""), .tooLarge(""), .tls(""), .refused(""), .closed(""),
            .encoding(""), .broken(""), .busy, .cancelled,
        ]
        return ["1xx", "2xx", "3xx", "4xx", "5xx"] + errors.map(\.raw)
    }()

    private static let refusals: [String] = {
        let requests = ParseError.allCases.map(\.rawValue)
        let handshakes = HandshakeFailure.allCases.map { "handshake_\($0.rawValue)" }
        let waits = TimeoutKind.allCases.map { "timeout_\($0.rawValue)" }
        return ConnectionRefusal.allCases.map(\.rawValue) + ["accepting_paused"] + requests + handshakes + waits
    }()
}
