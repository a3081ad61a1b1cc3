/// A login as the phone's app remembers it: its secret, and what the server said of it last.
import StrictJSON

struct PhoneLogin: Sendable {
    let secret: String
    private(set) var said: JSON.Object
    /// The problem of the last answer that was none about the login (RFC 9457).
    private(set) var problem: String?
    /// The phone has reported the browser as closed, and nothing has come back: the person chooses how to go on.
    var isBack = false
    /// The server has wiped it.
    var isAcknowledged = false

    /// Nil for an answer that begins no login.
    init?(secret: String, created answer: PhoneCall.Answer) {
        guard let said = (try? JSON(parsing: answer.body))?.object, said["id"]?.string != nil else { return nil }
        self.secret = secret
        self.said = said
    }

    var path: String { "/v1/logins/\(self.said["id"]?.string ?? "")" }
    var status: String { self.said["status"]?.string ?? "pending" }
    var isFinal: Bool { self.said["final"]?.bool ?? false }
    /// Rule 2: an action that is not known is `wait`.
    var next: PhoneNext { PhoneNext(self.said["next"]?.object) }

    /// What it said before counts until it says something else.
    mutating func hear(_ answer: PhoneCall.Answer) {
        let members = (try? JSON(parsing: answer.body))?.object
        guard answer.status == 200, let members, members["id"]?.string == self.said["id"]?.string else {
            self.problem = members?["code"]?.string ?? "status \(answer.status)"
            return
        }
        self.said = members
        self.problem = nil
    }
}
