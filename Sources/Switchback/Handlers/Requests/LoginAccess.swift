/// Which login a request is about, and the poll secret that it shows for it.
import HTTPWire
import Logins

struct LoginAccess: Sendable {
    let id: LoginID
    let secret: PollSecret

    /// Who shows no secret is told nothing else. An id that none can have is an unknown one.
    init(_ request: Request, _ id: String) throws(Problem) {
        self.secret = try PollSecret(in: request)
        guard let id = LoginID(id) else { throw Problem(.unknownLogin) }
        self.id = id
    }
}
