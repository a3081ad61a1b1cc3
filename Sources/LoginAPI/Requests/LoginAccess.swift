import Base
import HTTPWire
import Logins

/// The login that a request is about, and the poll secret that it sends for it.
struct LoginAccess: Sendable {
    let id: LoginID
    let secret: PollSecret
    /// The key that an app's own backend sends too. It is not compared yet.
    let appKey: Secret?

    /// A request without a secret learns nothing else. The id is derived from the secret, so we refuse a wrong one
    /// here: a caller that knows only an id causes no read, no registration and no displaced poll.
    init(_ request: Request, _ id: String) throws(Problem) {
        self.secret = try PollSecret(in: request)
        guard let id = LoginID(id), self.secret.loginID == id else { throw Problem(.unknownLogin) }
        self.id = id
        self.appKey = try AppKeys.shown(by: request)
    }
}

/// An app sends the poll secret as `Authorization: Bearer …` (RFC 6750 §2.1), and in no other way.
extension PollSecret {
    init(in request: Request) throws(Problem) {
        if let query = request.target.query, Self.looksSecret(query) { throw Problem(.secretInQuery) }
        guard case .one(let token) = BearerToken(request) else { throw Problem(.pollSecretRequired) }
        guard let secret = PollSecret(token) else { throw Problem(.malformedPollSecret) }
        self = secret
    }

    /// RFC 6750 §2.3 allows a token in the query. We do not, because URLs are logged and stored everywhere.
    private static func looksSecret(_ query: String) -> Bool {
        query.split(separator: "&").contains { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            let isNamed = parts.first.map {
                ["poll_secret", "access_token", "secret", "token"].contains($0.lowercased())
            }
            return isNamed ?? false || parts.last.flatMap { PollSecret($0) } != nil
        }
    }
}

/// The content of a request's `Authorization: Bearer …` (RFC 6750 §2.1).
enum BearerToken {
    case none
    case one(Substring)
    /// Another scheme, or several fields.
    case malformed

    init(_ request: Request) {
        let values = request.fields.all(.authorization)
        guard let first = values.first else {
            self = .none
            return
        }
        let parts = first.split(separator: " ", maxSplits: 1)
        let isOne = values.count == 1 && parts.count == 2 && parts[0].lowercased() == "bearer"
        self = isOne ? .one(parts[1]) : .malformed
    }
}
