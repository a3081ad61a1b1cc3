// Makes the response to a problem: `application/problem+json`.

import HTTPWire
import StrictJSON

extension Problem {
    /// `publicURL` is the base of `type`, which links to the page of the code.
    package func response(requestID: String, publicURL: String = "") -> Response {
        let status = self.code.status
        var members: JSON.Object = [
            "type": .string(publicURL + PathPattern.problem.path(self.code.rawValue)),
            "title": .string(status.reason), "status": .integer(status.rawValue), "code": .string(self.code.rawValue),
            "detail": .string(self.code.detail), "request_id": .string(requestID),
        ]
        if let member = self.member { members["member"] = .string(member) }
        if let triesLeft = self.triesLeft { members["tries_left"] = .integer(triesLeft) }
        if let reason = self.reason { members["reason"] = .string(reason) }
        if let notice = self.notice { members["notice"] = .string(notice) }
        var fields: Fields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
        if let challenge = self.code.challenge { fields[.wwwAuthenticate] = challenge }
        if let seconds = self.retryAfter { fields[.retryAfter] = String(seconds) }
        if !self.allowed.isEmpty { fields[.allow] = self.allowed.list }
        return Response(status, fields: fields, body: JSON.object(members).encoded())
    }
}
