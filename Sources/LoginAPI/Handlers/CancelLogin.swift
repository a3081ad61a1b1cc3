import HTTPWire
import Logins

/// `POST /v1/logins/{id}/cancel`: the app cancels a login, or learns that it is too late.
final class CancelLogin: RespondingHandler {
    private let flow: LoginFlow
    private let answers: LoginResponses

    init(_ services: PublicServices) {
        self.flow = services.logins
        self.answers = services.answers
    }

    nonisolated(nonsending) func respond(to context: RequestContext, _ id: String) async throws(Problem) -> Response {
        let login = try LoginAccess(context.request, id)
        let body = try CancelBody(context.request)
        let wait = self.answers.wait(preferredBy: context.request)
        let view = try await translatingErrors { () async throws(LoginFlowError) in
            try await self.flow.cancel(login.id, secret: login.secret, waiting: .seconds(wait ?? 0))
        }
        return try await self.answers.response(to: context, .ok, view, waited: wait, unknown: body.unknown)
    }
}

/// The body of `POST /v1/logins/{id}/cancel`: nothing, or a JSON object. It has no members yet.
struct CancelBody {
    let unknown: UnknownMembers

    init(_ request: Request) throws(Problem) {
        let unreadNames = request.body.isEmpty ? [] : try JSONBody(request).unreadNames
        self.unknown = try UnknownMembers(unreadNames, in: request)
    }
}

/// `DELETE /v1/logins/{id}`: the app has stored the result, so we delete it here.
final class DeleteLogin: RespondingHandler {
    private let flow: LoginFlow
    private let audit: AuditDesk?

    init(_ services: PublicServices) {
        self.flow = services.logins
        self.audit = services.audit
    }

    nonisolated(nonsending) func respond(to context: RequestContext, _ id: String) async throws(Problem) -> Response {
        let login = try LoginAccess(context.request, id)
        try self.audit?.admit()
        try await translatingErrors { () async throws(LoginFlowError) in
            try await self.flow.acknowledge(login.id, secret: login.secret)
        }
        return Response(.noContent, fields: [.cacheControl: "no-store"], body: [])
    }
}
