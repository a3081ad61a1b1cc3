import Base

/// One step of a login as the flight recorder keeps it for operators: when it was, its name, and what else the log says
/// of it. It contains no secret and nothing of a person.
package struct NotedStep: Equatable, Sendable {
    package let at: Timestamp
    /// The step's name in the log, without `login_`.
    package let name: String
    /// Under the names that they have in the log.
    package let details: [Parameter]

    /// No text of a note has more bytes; it is cut off.
    static let longestText = 64

    init(at: Timestamp, name: String, details: [Parameter] = []) {
        self.at = at
        self.name = name
        self.details = details.map { Parameter($0.name, Self.short($0.value)) }
    }

    /// `brokerRequest` is the broker's own name for our request.
    init(_ event: LoginEvent, at now: Timestamp, brokerRequest: @autoclosure () -> String? = nil) {
        var details = event.noted + event.step.noted
        if let failure = event.step.brokerError {
            details.append(Parameter("broker_error", failure.detail))
            if let brokerRequest = brokerRequest() { details.append(Parameter(Self.brokerRequest, brokerRequest)) }
        }
        self.init(at: now, name: event.step.name, details: details)
    }

    private static let brokerRequest = "broker_request_id"

    /// The step without what is only good for a talk with the broker.
    var brief: Self {
        Self(at: self.at, name: self.name, details: self.details.filter { $0.name != Self.brokerRequest })
    }

    /// Returns the first characters whose bytes fit into the limit. None of them is cut.
    private static func short(_ text: String) -> String {
        guard text.utf8.count > Self.longestText else { return text }
        var text = text
        while text.utf8.count > Self.longestText { text.removeLast() }
        return text
    }
}

extension LoginEvent {
    /// What of the login a note says: at its beginning what it is, and at its end what became of it.
    fileprivate var noted: [Parameter] {
        switch self.step {
        case .created:
            return [
                self.app.map { Parameter("app", $0) }, self.provider.map { Parameter("provider", $0) },
                self.platform.map { Parameter("platform", $0.rawValue) },
            ].compactMap(\.self)
        case .ended:
            // A login that lay for so long that only its tombstone is left has no status any more.
            let reason = self.status == nil ? .timeout : self.reason
            return [
                Parameter("status", (self.status ?? .expired).rawValue),
                reason.map { Parameter("reason", $0.rawValue) },
            ].compactMap(\.self)
        case .opened, .openFailed, .returned, .callback, .callbackIgnored, .redeemed, .exchangeFailed, .identified,
            .proven, .proofRefused, .evicted, .replaced, .delivered, .acknowledged, .takenOver, .rowRefused,
            .storeFailed:
            return []
        }
    }
}

extension LoginEvent.Step {
    fileprivate var noted: [Parameter] {
        switch self {
        case .returned(let way): [Parameter("by", way.rawValue)]
        case .callbackIgnored(let cause): [Parameter("cause", cause.name)]
        case .proven(let proof): [Parameter("proof", proof.rawValue)]
        case .proofRefused(.code(let triesLeft)): [Parameter("cause", "code"), Parameter("tries_left", "\(triesLeft)")]
        case .proofRefused(.link): [Parameter("cause", "link")]
        case .ended(_, let stage, _): stage.map { [Parameter("stage", $0.rawValue)] } ?? []
        case .takenOver(let stage): [Parameter("unfinished", stage.rawValue)]
        case .replaced(let new): [Parameter("new_reference", new.reference)]
        case .created, .opened, .openFailed, .callback, .redeemed, .exchangeFailed, .identified, .evicted, .delivered,
            .acknowledged, .rowRefused, .storeFailed:
            []
        }
    }
}
