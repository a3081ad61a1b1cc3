import EventLoop
import HTTPServer
import HTTPWire
import StrictJSON

/// A JSON response before it is encoded. Faults change it.
struct JSONResponse: Sendable {
    /// When the client gets it: at once, after a while, too late, or never.
    enum Delivery: Sendable {
        case atOnce
        case delayed
        case late
        case never
    }

    var status: Status
    var contentType = "application/json"
    var members: JSON.Object
    var delivery = Delivery.atOnce
    /// JSON, although a JWT was agreed.
    var isPlain = false
    /// Replaces the members.
    var jwt: String?
    private var challenge: String?
    private var isCutOff = false

    init(_ status: Status = .ok, _ members: JSON.Object) {
        self.status = status
        self.members = members
    }

    /// RFC 6749 §5.2.
    static func error(
        _ code: OAuthErrorCode, _ description: String? = nil, status: Status = .badRequest
    ) -> Self {
        var members: JSON.Object = ["error": .string(code.rawValue)]
        if let description { members["error_description"] = .string(description) }
        return Self(status, members)
    }

    static let internalServerError = Self.error(.serverError, status: .internalServerError)

    /// A 401 names the scheme that it requires (RFC 9110 §15.5.2).
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

// MARK: - Sending

extension JSONResponse {
    /// Sends the response. Safe to call on any thread.
    func send(on responder: ResponseHandle, lateBy lateness: Duration) {
        switch self.delivery {
        case .atOnce: responder.respond(self.response)
        case .delayed: self.send(on: responder, after: lateness / 5)
        case .late: self.send(on: responder, after: lateness)
        case .never: responder.respond(Self.end)
        }
    }

    private func send(on responder: ResponseHandle, after delay: Duration) {
        let response = self.response
        responder.loop.execute {
            _ = responder.loop.schedule(after: delay) { responder.respond(response) }
        }
    }

    /// An interim response (RFC 9110 §15.2), after which the connection closes. The final response never comes.
    private static let end = Response(Status(rawValue: 103), fields: [.connection: "close"])
}
