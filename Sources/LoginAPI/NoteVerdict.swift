import Base
import Logins

/// How a login ended or stands, why, and what to do about it, from the steps of its note.
struct NoteVerdict {
    let status: String
    private(set) var reason: String?
    private(set) var stage: String?
    private(set) var brokerError: String?
    let why: String
    let advice: String

    /// The members of the report, by their names in the log.
    var members: [(String, String)] {
        let pairs = [
            ("status", self.status), ("reason", self.reason), ("waited_at", self.stage),
            ("broker_error", self.brokerError),
        ]
        return pairs.compactMap { name, value in value.map { (name, $0) } }
    }

    init(_ steps: [NotedStep]) {
        let end = steps.last { $0.name == "ended" }
        self = end.map { Self(of: steps, end: $0) } ?? Self(withoutEnd: steps)
    }

    private init(of steps: [NotedStep], end: NotedStep) {
        self.status = end.detail("status") ?? "ended"
        self.reason = end.detail("reason")
        guard self.status != "completed" else {
            (self.why, self.advice) = Self.completed(steps)
            return
        }
        self.stage = end.detail("stage")
        // A login that nobody continued may have stopped because the broker could not be asked.
        let earlier = steps.last { $0.name == "open_failed" }?.detail("broker_error")
        self.brokerError = end.detail("broker_error") ?? (self.stage == LoginStage.neverOpened.rawValue ? earlier : nil)
        let words = self.reason.flatMap { FailureWords(reason: $0) }
        let broker = self.brokerError.map { FailureWords(brokerError: $0) }
        let waiting = self.stage.flatMap { LoginStage(rawValue: $0) }
        self.why = [
            words?.meaning, waiting?.meaning, self.brokerError.map { "\($0): \(broker?.meaning ?? "")" },
        ].compactMap(\.self).joined(separator: " ")
        let advices = [broker?.advice, waiting?.advice, words?.advice].compactMap(\.self)
        self.advice = advices.first { !$0.isEmpty } ?? "Nothing. The user can log in again."
    }

    private init(withoutEnd steps: [NotedStep]) {
        if steps.contains(where: { $0.name == "evicted" }) {
            self.status = "evicted"
            self.why = "Its caller had too many logins that no browser had opened."
            self.advice = "See limits.pending_logins, and who starts so many logins."
            return
        }
        self.status = "open"
        let names = Set(steps.map(\.name))
        let stage: LoginStage =
            names.contains("identified")
            ? .noProof
            : names.contains("redeemed")
                ? .noIdentity
                : names.contains("callback") ? .noToken : names.contains("opened") ? .noCallback : .neverOpened
        self.stage = stage.rawValue
        self.brokerError = steps.last { $0.name == "open_failed" }?.detail("broker_error")
        self.why = "The login has not ended. \(stage.meaning)"
        self.advice = "Wait for its end: login_lifetime says when that is at the latest."
    }

    /// Says whether the app has the result.
    private static func completed(_ steps: [NotedStep]) -> (why: String, advice: String) {
        let names = Set(steps.map(\.name))
        if names.contains("acknowledged") {
            return (
                "The login succeeded, and the app has the result.", "Nothing here. What failed later failed in the app."
            )
        }
        if names.contains("delivered") {
            return (
                "The login succeeded, and the app was sent the result, but did not acknowledge it.",
                "See why the app does not send DELETE after it has stored the result."
            )
        }
        return (
            "The login succeeded. No acknowledgement of the app is noted yet.",
            "See whether the app still polls: a result is kept for result_ttl."
        )
    }
}

extension LoginStage {
    /// The words of docs/reference/log-events.md.
    fileprivate var meaning: String {
        switch self {
        case .neverOpened: "Nobody was sent to the broker."
        case .noCallback:
            "The broker's response did not come: the user did not finish there, or the browser did not come back."
        case .noResult:
            "The browser came back, and the broker, which we ask for the result, did not have it yet."
        case .noToken: "The broker's response came, and its code could not be redeemed in time."
        case .noIdentity: "The code was redeemed, and the tokens were not verified in time."
        case .noProof: "The user was known, and the same-device proof did not come."
        }
    }

    fileprivate var advice: String {
        switch self {
        case .neverOpened: "See whether the app opened the URL of `next`."
        case .noCallback:
            "Nothing for one login. If there are many, see the broker's status page, and whether the redirect URI that "
                + "switchback check prints is registered there."
        case .noResult: "Nothing for one login. If there are many, see the broker's status page."
        case .noToken, .noIdentity:
            "See broker_request_failed and broker_queue_long in the log, and switchback_broker_up."
        case .noProof:
            "See whether the link opens the app (switchback check --online), and the release policy of the app."
        }
    }
}
