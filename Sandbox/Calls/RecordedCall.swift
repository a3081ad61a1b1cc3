import Base
import HTTPWire
import StrictJSON

/// One HTTP call of a login, as the timeline shows it. What it shows was redacted before; the request as it was sent is
/// only for the visitor whose login it belongs to.
package struct RecordedCall: Sendable {
    /// A request or a response without its first line.
    struct Message: Sendable {
        var fields: [Parameter] = []
        var body = ""

        var json: JSON {
            [
                "fields": .object(JSON.Object(self.fields.map { ($0.name, .string($0.value)) })),
                "body": .string(self.body),
            ]
        }
    }

    /// Rises with each call.
    let number: Int
    /// Rises with each change of any call.
    var version = 0
    let at: Timestamp
    package let from: CallLane
    package let to: CallLane
    /// The called server's name, with the port.
    let host: String
    package let method: String
    /// With its query.
    package let path: String
    let rule: String
    let request: Message
    /// The request with its secrets. Nil if it was too long.
    var sentRequest: SentRequest?
    /// Nil until there is a response.
    var response: Message?
    package var status: Int?
    var took: Duration?
    /// Whether the client has left without a response.
    var isCutOff = false
    /// Whether the server has closed the connection without a response, as a played broker may.
    var isClosed = false
    /// The ID token in a broker's response.
    var idToken: ReadToken?
    /// The access token in the server's response, which belongs to a session.
    var accessToken: ReadToken?
    /// The login's id. Nil for a call that belongs to no login, or to one that is not known yet.
    var login: String?

    var tookMilliseconds: Int? { self.took.map { Int($0 / .milliseconds(1)) } }

    var json: JSON {
        var members: JSON.Object = [
            "number": .integer(self.number), "at": .string(self.at.rfc3339), "from": .string(self.from.rawValue),
            "to": .string(self.to.rawValue), "method": .string(self.method), "path": .string(self.path),
            "rule": .string(self.rule), "request": self.request.json,
        ]
        if let login { members["login"] = .string(login) }
        if let status { members["status"] = .integer(status) }
        if let response { members["response"] = response.json }
        if self.isCutOff { members["cut_off"] = true }
        if self.isClosed { members["closed"] = true }
        if let tookMilliseconds { members["took_ms"] = .integer(tookMilliseconds) }
        return .object(members)
    }
}

/// A party of a login, which is one lane of the timeline.
package enum CallLane: String, Sendable {
    case app
    case switchback
    case browser
    /// With the e-ID's own app and pages.
    case broker
}

/// A JWT that a response contains, as it may be shown: its header and its claims, without its signature and without
/// national ids. Without the signature it is worth nothing.
struct ReadToken: Sendable {
    let header: JSON
    let claims: JSON

    /// Returns nil for a text that is not a signed JWT.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]) else { return nil }
        self.header = header
        self.claims = CallRedaction.withoutNationalIDs(claims)
    }

    private static func json(_ part: Substring) -> JSON? {
        Base64URL.decode(String(part)).flatMap { try? JSON(parsing: $0) }
    }

    /// Returns the token that a member of a JSON response contains.
    static func member(_ name: String, of response: Response) -> Self? {
        guard response.fields[.contentType]?.contains("json") == true else { return nil }
        return (try? JSON(parsing: response.body))?[name]?.string.flatMap { Self($0) }
    }
}
