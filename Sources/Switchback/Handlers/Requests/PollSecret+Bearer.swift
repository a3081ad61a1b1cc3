/// How an app shows the poll secret: `Authorization: Bearer …` (RFC 6750 §2.1), and in no other way.
import HTTPWire
import Logins

extension PollSecret {
    init(in request: Request) throws(Problem) {
        if let query = request.target.query, Self.looksSecret(query) { throw Problem(.secretInQuery) }
        let values = request.fields.all(.authorization)
        guard values.count == 1 else { throw Problem(.pollSecretRequired) }
        let parts = values[0].split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw Problem(.pollSecretRequired) }
        guard let secret = PollSecret(parts[1]) else { throw Problem(.malformedPollSecret) }
        self = secret
    }

    /// RFC 6750 §2.3 allows a token in the query; addresses are logged and remembered everywhere, so we do not.
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
