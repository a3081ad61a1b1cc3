/// Which login a request is about, and the poll secret that it shows for it.
import Base
import HTTPWire
import Logins

struct LoginAccess: Sendable {
    let id: LoginID
    let secret: PollSecret
    /// What an app's own backend shows besides, not compared yet.
    let appKey: Secret?

    /// A request without a secret is told nothing else. The id is made from the secret, so a wrong one is refused here:
    /// nothing is read, registered or pushed out for somebody who knows only an id.
    init(_ request: Request, _ id: String) throws(Problem) {
        self.secret = try PollSecret(in: request)
        guard let id = LoginID(id), self.secret.loginID == id else { throw Problem(.unknownLogin) }
        self.id = id
        self.appKey = try AppKeys.shown(by: request)
    }
}
