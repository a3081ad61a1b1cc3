import HTTPWire
import Logins

/// `DELETE /v1/logins/{id}`: the app has stored the result, so we delete it here.
struct DeleteLogin: Sendable {
    let flow: LoginFlow

    func respond(to context: RequestContext, _ id: String) async throws(Problem) -> Response {
        let login = try LoginAccess(context.request, id)
        try await translatingErrors { () async throws(LoginFlowError) in
            try await self.flow.acknowledge(login.id, secret: login.secret)
        }
        return Response(.noContent, fields: [.cacheControl: "no-store"], body: [])
    }
}
