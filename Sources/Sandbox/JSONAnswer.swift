/// A JSON answer of the token or userinfo endpoint, before it becomes bytes; faults change it.
import HTTPWire
import StrictJSON

struct JSONAnswer: Sendable {
    enum Delivery: Sendable {
        case atOnce
        case late
        case never
    }

    var status: Status
    var contentType = "application/json"
    var members: JSON.Object
    var delivery = Delivery.atOnce
    /// JSON, though a JWT was agreed.
    var isPlain = false
    /// In place of the members.
    var jwt: String?
    private var challenge: String?
    private var isCutOff = false

    init(_ status: Status = .ok, _ members: JSON.Object) {
        self.status = status
        self.members = members
    }

    /// RFC 6749 §5.2.
    static func error(_ code: String, _ description: String? = nil, status: Status = .badRequest) -> Self {
        var members: JSON.Object = ["error": .string(code)]
        if let description { members["error_description"] = .string(description) }
        return Self(status, members)
    }

    static let internalServerError = Self.error("server_error", status: .internalServerError)

    /// A 401 says what it would have liked (RFC 9110 §15.5.2).
    func challenging(_ challenge: String) -> Self {
        var answer = self
        answer.challenge = challenge
        return answer
    }

    func adding(_ members: JSON.Object) -> Self {
        var answer = self
        for (name, value) in members { answer.members[name] = value }
        return answer
    }

    mutating func cutOff() { self.isCutOff = true }

    var response: Response {
        var body = self.jwt.map { Array($0.utf8) } ?? JSON.object(self.members).encoded()
        if self.isCutOff { body.removeLast(body.count / 2) }
        var fields: Fields = [
            .contentType: self.jwt == nil ? self.contentType : "application/jwt", .cacheControl: "no-store",
        ]
        if let challenge { fields[.wwwAuthenticate] = challenge }
        return Response(self.status, fields: fields, body: body)
    }
}
