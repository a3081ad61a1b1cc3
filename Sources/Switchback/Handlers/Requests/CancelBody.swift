/// The body of `POST /v1/logins/{id}/cancel`: nothing, or a JSON object of which no member is known yet.
import HTTPWire

struct CancelBody {
    let unknown: UnknownMembers

    init(_ request: Request) throws(Problem) {
        var unknown = UnknownMembers(in: request)
        if !request.body.isEmpty { try unknown.take(try JSONBody(request).left) }
        self.unknown = unknown
    }
}
