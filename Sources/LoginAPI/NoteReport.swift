import Base
import Logins
import StrictJSON

/// What happened to a login, as an operator is told it: each step with its stage and a sentence, how the login stands or
/// ended, why, and what to do.
struct NoteReport {
    /// The details of steps that are numbers.
    private static let numbers: Set<String> = ["tries_left"]

    private let note: LoginNote

    init(_ note: LoginNote) { self.note = note }

    var json: JSON {
        let verdict = NoteVerdict(self.note.steps)
        var report: JSON.Object = [
            "login": .string(self.note.id.description), "reference": .string(self.note.id.reference),
        ]
        for step in self.note.steps where step.name == "created" {
            for detail in step.details { report[detail.name] = .string(detail.value) }
        }
        for (name, value) in verdict.members { report[name] = .string(value) }
        report["why"] = .string(verdict.why)
        report["what_to_do"] = .string(verdict.advice)
        report["steps"] = .array(self.steps)
        return .object(report)
    }

    private var steps: [JSON] {
        let beginning = self.note.steps.first?.at ?? Timestamp(milliseconds: 0)
        var stage = "created"
        return self.note.steps.map { step in
            stage = step.stage(after: stage)
            var object: JSON.Object = [
                "at": .string(step.at.rfc3339),
                "after_ms": .integer(Int(step.at.milliseconds) - Int(beginning.milliseconds)),
                "stage": .string(stage), "event": .string(step.name), "text": .string(step.sentence),
            ]
            for detail in step.details where object[detail.name] == nil {
                // A note has texts only.
                let number = Self.numbers.contains(detail.name) ? Int(detail.value) : nil
                object[detail.name] = number.map(JSON.integer) ?? .string(detail.value)
            }
            return .object(object)
        }
    }
}

extension NotedStep {
    func detail(_ name: String) -> String? { self.details.first { $0.name == name }?.value }

    /// The stage that the login has reached with this step: a word of `switchback_login_stages_total`. A step that is no
    /// progress leaves it as it was.
    fileprivate func stage(after stage: String) -> String {
        switch self.name {
        case "opened" where stage == "created": "opened"
        case "callback" where stage == "created" || stage == "opened": "callback"
        case "redeemed", "identified": "exchanged"
        case "delivered", "acknowledged": self.name
        case "ended" where self.detail("status") == "completed": "proven"
        case "ended", "evicted": "ended"
        default: stage
        }
    }

    fileprivate var sentence: String {
        switch self.name {
        case "created": "The app started the login."
        case "opened": "A browser, or the e-ID's app, was sent to the broker."
        case "open_failed": "The broker could not be asked for the login."
        case "returned" where self.detail("by") == "link": "A link brought the user back to the app."
        case "returned": "The user came back to the app without a link."
        case "callback" where self.detail("broker_error") == nil: "The broker's response came."
        case "callback": "The broker's response came, and was an error or was refused."
        case "callback_ignored": "A response came that changed nothing."
        case "redeemed": "The broker gave tokens for the code."
        case "identified": "The user is known."
        case "proven": "The same-device proof came."
        case "proof_refused" where self.detail("cause") == "code": "The user typed a wrong code into the app."
        case "proof_refused": "The app showed a link that is no proof for this login."
        case "ended": self.sentenceOfEnd
        case "evicted": "The login was dropped, because its caller had too many that no browser had opened."
        case "replaced": "The app started another login in place of this one."
        case "delivered": "The app was sent the result."
        case "acknowledged": "The app has stored the result, and the server has wiped it."
        case "taken_over": "A server went on with what another one had left unfinished."
        // A later version knows more steps.
        default: self.name
        }
    }

    private var sentenceOfEnd: String {
        switch self.detail("status") {
        case "completed": "The login is completed."
        case "failed": "The login failed."
        case "cancelled": "The login was cancelled."
        default: "The time of the login was over."
        }
    }
}
