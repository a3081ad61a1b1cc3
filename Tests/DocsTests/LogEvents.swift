import ConfigurationSamples
import Foundation
import Logging
import OpenIDConnect
import Synchronization
import Telemetry
import TestSupport

@testable import Brokers
@testable import Logins
@testable import Sessions

/// What the code says of one event.
struct KnownEvent: Equatable, Sendable {
    /// Empty where the level is computed.
    var levels: Set<String>
    var fields: Set<String>
    /// False where some fields are computed, and so unknown here.
    var hasAllFields: Bool
}

/// The log events of the server, as the code has them.
enum LogEvents {
    /// By name.
    static let all = Result {
        try Self.written().merging(Self.ofLogins()) { written, _ in written }
            .merging(Self.ofSessions()) { written, _ in written }
    }
    static let names = Self.all.map { Set($0.keys) }

    // MARK: - Steps of logins

    /// What every line about a login has, as far as it is known.
    static let fieldsOfLogins: Set<String> = [
        "login", "reference", "app", "provider", "platform", "status", "reason",
    ]

    /// One of each. The compiler asks below for a step that is new.
    static let steps: [LoginEvent.Step] = [
        .created(by: .missing), .opened,
        .openFailed(BrokerError(.unavailable, .unanswered(.pushedAuthorization, .timedOut("")))),
        .openFailed(BrokerError(.notAsked, .unanswered(.pushedAuthorization, .busy))),
        .openFailed(BrokerError(.notAsked, .providerOff)), .returned(.link),
        .callback(denied: BrokerError(.cancelled, .oauth(ErrorWord("access_denied")))),
        .callback(denied: BrokerError(.refused, .oauth(ErrorWord("server_error")))), .callbackIgnored(.state),
        .redeemed,
        .exchangeFailed(BrokerError(.unavailable, .unanswered(.token, .timedOut("")))), .identified, .proven(.pageLink),
        .proofRefused(.code(triesLeft: 2)),
        .ended(after: .seconds(1), at: .noProof, because: BrokerError(.refused, .oauth(ErrorWord("server_error")))),
        .evicted,
        .replaced(by: PollSecret.make().loginID), .delivered, .acknowledged, .takenOver(.code), .rowRefused(.forged),
        .storeFailed(.write),
    ]

    private static func isListed(_ step: LoginEvent.Step) -> Bool {
        switch step {
        case .created, .opened, .openFailed, .returned, .callback, .callbackIgnored, .redeemed, .exchangeFailed,
            .identified, .proven, .proofRefused, .ended, .evicted, .replaced, .delivered, .acknowledged, .takenOver,
            .rowRefused, .storeFailed:
            Self.steps.contains { $0.name == step.name }
        }
    }

    /// The record of logins writes each step into a logger that keeps it.
    private static func ofLogins() -> [String: KnownEvent] {
        let kept = KeptLines()
        let (logger, metrics) = (Logger(label: "docs") { _ in kept.handler }, ServerMetrics())
        let lines = RepeatedLines(logger)
        let record = LoginRecorder(
            logger: logger, metrics: metrics, lines: lines, limits: LimitRecorder(metrics: metrics, lines: lines))
        for step in Self.steps where Self.isListed(step) { record.observe(LoginEvent(step)) }
        return kept.events
    }

    // MARK: - Steps of sessions

    /// What every line about a session has, as far as it is known.
    static let fieldsOfSessions: Set<String> = ["session", "app", "provider", "platform", "allows"]

    /// One of each. The compiler asks below for a step that is new.
    static let sessionSteps: [SessionEvent.Step] = [
        .begun(isNew: true), .attested(.androidKey, .key(.strongBox, warning: .old)),
        .attested(.appAttest, .app(.production)), .attestationRefused(.androidKey, .revoked),
        .attestationRefused(.androidKey, .statusListTooOld),
        .attestationMissing(isRequired: true), .renewed, .unlocked, .pinSet, .wrongPIN(triesLeft: 2), .lockedOut,
        .ended(.app), .resealed, .rowRefused(.forged), .storeFailed(.write),
    ]

    private static func isListed(_ step: SessionEvent.Step) -> Bool {
        switch step {
        case .begun, .attested, .attestationRefused, .attestationMissing, .renewed, .unlocked, .pinSet, .wrongPIN,
            .lockedOut, .ended, .resealed, .rowRefused, .storeFailed:
            Self.sessionSteps.contains { $0.name == step.name }
        }
    }

    private static func ofSessions() -> [String: KnownEvent] {
        let kept = KeptLines()
        let logger = Logger(label: "docs") { _ in kept.handler }
        let record = SessionRecorder(logger: logger, metrics: ServerMetrics(), lines: RepeatedLines(logger))
        for step in Self.sessionSteps where Self.isListed(step) { record.observe(SessionEvent(step)) }
        return kept.events
    }

    // MARK: - Lines that name their event

    /// `logger.warning("sweep_failed", metadata: ["reason": …])`, wherever it stands below `Sources`.
    private static func written() throws -> [String: KnownEvent] {
        var found: [String: KnownEvent] = [:]
        for path in SourceFile.paths(below: "Sources") where path.hasSuffix(".swift") && !path.contains("/Sandbox/") {
            let text = try SourceFile.text(path)
            guard text.range(of: "import Logging") != nil else { continue }
            for match in text.matches(of: Self.call()) {
                let level = match.1 == "log" ? match.2.map { [String($0)] } ?? [] : [String(match.1)] as Set<String>
                // `RepeatedLines` adds how many events a line stands for.
                let isRepeated = text[..<match.range.lowerBound].hasSuffix("lines")
                let known = Self.fields(in: text[match.range.upperBound...])?.union(isRepeated ? ["count"] : [])
                var event = found[String(match.3)] ?? KnownEvent(levels: [], fields: [], hasAllFields: true)
                event.levels.formUnion(level)
                event.fields.formUnion(known ?? [])
                event.hasAllFields = event.hasAllFields && known != nil
                found[String(match.3)] = event
            }
        }
        return found.merging(try Self.ofTheLog()) { written, _ in written }
    }

    /// The one line that no logger writes, because it is about the log itself.
    private static func ofTheLog() throws -> [String: KnownEvent] {
        let text = try SourceFile.text("Sources/Telemetry/Logging/LogWriter.swift")
        let line = /level: \.([a-z]+), event: "([a-z_]+)"/
        guard let match = text.firstMatch(of: line) else { return [:] }
        let event = KnownEvent(
            levels: [String(match.1)], fields: Self.fields(in: text[match.range.upperBound...]) ?? [],
            hasAllFields: true)
        return [String(match.2): event]
    }

    /// The name of the function, the level in `level: .error`, and the event.
    private static func call() -> Regex<(Substring, Substring, Substring?, Substring)> {
        /\.(log|debug|info|notice|warning|error|critical)\(\s*(?:level:\s*(?:\.(\w+)|[\w.]+),\s*)?"([a-z_]+)"/
    }

    /// The names in the metadata that follows an event's name. Nil where it is not written there.
    private static func fields(in rest: Substring) -> Set<String>? {
        guard let match = rest.prefixMatch(of: /\s*(\)|,\s*metadata:\s*\[)/) else { return nil }
        guard match.1 != ")" else { return [] }
        var depth = 1
        let metadata = rest[match.range.upperBound...].prefix { character in
            if character == "[" { depth += 1 }
            if character == "]" { depth -= 1 }
            return depth > 0
        }
        return Set(metadata.matches(of: /"([a-z_]+)":/).map { String($0.1) })
    }
}

/// Keeps what is logged.
private final class KeptLines: Sendable {
    private let found = Mutex<[String: KnownEvent]>([:])

    var handler: Handler { Handler(lines: self) }
    var events: [String: KnownEvent] { self.found.withLock { $0 } }

    /// An event may be logged several times, with what it says in each case.
    func keep(_ name: String, _ event: KnownEvent) {
        self.found.withLock { found in
            var event = event
            if let known = found[name] {
                event.levels.formUnion(known.levels)
                event.fields.formUnion(known.fields)
            }
            found[name] = event
        }
    }

    struct Handler: LogHandler {
        let lines: KeptLines
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?

        init(lines: KeptLines) { self.lines = lines }

        subscript(metadataKey name: String) -> Logger.Metadata.Value? {
            get { self.metadata[name] }
            set { self.metadata[name] = newValue }
        }

        func log(event: LogEvent) {
            let fields = Set((event.metadata ?? [:]).keys).subtracting(LogEvents.fieldsOfLogins)
            self.lines.keep(
                event.message.description,
                KnownEvent(levels: [event.level.rawValue], fields: fields, hasAllFields: true))
        }
    }
}
