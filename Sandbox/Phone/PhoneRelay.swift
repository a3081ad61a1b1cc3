import Base
import HTTPWire
import StrictJSON

/// Passes the requests of the session's script on. A page may only call its own origin, and an app has no such limit.
enum PhoneRelay {
    private static let hosts: [(prefix: String, host: PhoneRequest.Host)] = [("/server/", .server), ("/api/", .api)]
    private static let sent: [FieldName] = [.authorization, .contentType, .dpop]
    private static let shown: [FieldName] = [.contentType, .dpopNonce, .wwwAuthenticate]

    /// Returns nil if the script does not send such requests.
    static func call(for request: Request) -> PhoneRequest? {
        guard let (prefix, host) = self.hosts.first(where: { request.target.path.hasPrefix($0.prefix) }),
            let method = PhoneRequest.Method(rawValue: request.method.rawValue)
        else { return nil }
        var call = PhoneRequest(method, String(request.target.path.dropFirst(prefix.count - 1)), of: host)
        call.fields = self.fields(of: request)
        call.body = request.body
        return call
    }

    /// The begin of a session needs the login's poll secret, which the script does not know.
    static func begin(_ secret: String, _ request: Request) -> PhoneRequest {
        var call = PhoneRequest(.post, "/v1/sessions")
        call.fields = self.fields(of: request)
        return call.bearing(secret)
    }

    private static func fields(of request: Request) -> [Parameter] {
        self.sent.flatMap { name in request.fields.all(name).map { Parameter(name.description, $0) } }
    }

    static func response(_ answer: PhoneRequest.Answer) -> Response {
        var fields: Fields = [.cacheControl: "no-store", .xContentTypeOptions: "nosniff"]
        guard answer.status > 0 else {
            fields[.contentType] = "application/json"
            return Response(
                .badGateway, fields: fields, body: JSON.object(["code": "unreachable"]).encoded())
        }
        for name in self.shown {
            let lowercased = name.description.lowercased()
            for field in answer.fields where field.name.lowercased() == lowercased { fields.add(name, field.value) }
        }
        return Response(Status(rawValue: answer.status), fields: fields, body: answer.body)
    }
}
