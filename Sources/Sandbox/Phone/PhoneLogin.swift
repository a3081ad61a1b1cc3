/// A login as the phone's app remembers it: its secret, and what the server last said about it.
import StrictJSON

struct PhoneLogin: Sendable {
    let secret: String
    /// Whether it names the key of a session.
    let hasKey: Bool
    private(set) var said: JSON.Object
    /// The problem code of the last response, if that was not about the login (RFC 9457).
    private(set) var problem: String?
    /// Whether the phone has reported the browser as closed, without a response. The user then chooses how to continue.
    var isBack = false
    /// Whether the server has deleted it.
    var isAcknowledged = false

    /// Returns nil for a response that creates no login.
    init?(secret: String, created answer: PhoneRequest.Answer, hasKey: Bool = false) {
        guard let said = (try? JSON(parsing: answer.body))?.object, said["id"]?.string != nil else { return nil }
        self.secret = secret
        self.hasKey = hasKey
        self.said = said
    }

    var path: String { "/v1/logins/\(self.said["id"]?.string ?? "")" }
    var status: String { self.said["status"]?.string ?? "pending" }
    /// Whether a session may begin from it.
    var mayHaveSession: Bool { self.hasKey && self.status == "completed" && !self.isAcknowledged }
    var isFinal: Bool { self.said["final"]?.bool ?? false }
    /// Rule 2: an unknown action is `wait`.
    var next: PhoneNext { PhoneNext(self.said["next"]?.object) }

    /// Takes a response. The previous state stays if the response contains no new one.
    mutating func update(_ answer: PhoneRequest.Answer) {
        let members = (try? JSON(parsing: answer.body))?.object
        guard answer.status == 200, let members, members["id"]?.string == self.said["id"]?.string else {
            self.problem = members?["code"]?.string ?? "status \(answer.status)"
            return
        }
        self.said = members
        self.problem = nil
    }
}
