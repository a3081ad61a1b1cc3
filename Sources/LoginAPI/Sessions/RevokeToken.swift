import Base
import HTTPWire
import Sessions

/// `POST /oauth/revoke`: a session ends (RFC 7009). The refresh token is enough, so that a phone that lost its key can
/// still sign out.
final class RevokeToken: RespondingHandler {
    private let access: SessionAccess

    /// Nil for a server without sessions.
    init?(_ services: PublicServices) {
        guard let access = SessionAccess(services) else { return nil }
        self.access = access
    }

    nonisolated(nonsending) func respond(to context: RequestContext, _: String) async -> Response {
        do throws(TokenEndpointError) {
            try await self.revoke(context)
            return Response(.ok, fields: [.cacheControl: "no-store"], body: [])
        } catch {
            return error.response()
        }
    }

    nonisolated(nonsending) private func revoke(_ context: RequestContext) async throws(TokenEndpointError) {
        let token = Secret(try TokenForm(context.request).value("token"))
        try self.access.count(context, as: TokenEndpointError.self)
        try await refusing(as: TokenEndpointError.self) { () async throws(SessionError) in
            try await self.access.sessions.revoke(refreshToken: token)
        }
    }
}
