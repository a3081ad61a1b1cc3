import Base
import HTTPWire
import Sessions

/// `POST /oauth/token`: a session is renewed, and unlocked if its DPoP proof has a `pin_proof` (RFC 6749 §6, RFC 9449
/// §5).
final class IssueToken: RespondingHandler {
    private let access: SessionAccess
    private let audit: AuditDesk?
    /// The names of all apps. One that has no sessions any more gets `invalid_grant`, so its phones sign out.
    private let clients: Set<String>

    /// Nil for a server without sessions.
    init?(_ services: PublicServices) {
        guard let access = SessionAccess(services) else { return nil }
        self.access = access
        self.audit = services.audit
        self.clients = Set(services.settings.apps.keys)
    }

    nonisolated(nonsending) func respond(to context: RequestContext, _: String) async -> Response {
        do throws(TokenEndpointError) {
            return try await self.renew(context)
        } catch {
            return error.response()
        }
    }

    nonisolated(nonsending) private func renew(_ context: RequestContext) async throws(TokenEndpointError) -> Response {
        let form = try TokenForm(context.request)
        guard try form.value("grant_type") == "refresh_token" else { throw TokenEndpointError(.unsupportedGrantType) }
        let client = try form.value("client_id")
        guard self.clients.contains(client) else { throw TokenEndpointError(.invalidClient) }
        let token = Secret(try form.value("refresh_token"))
        let proof = try self.access.proof(of: context, app: client, as: TokenEndpointError.self)
        let tokens = try await refusing(as: TokenEndpointError.self) { () async throws(SessionError) in
            try await self.access.sessions.renew(refreshToken: token, clientID: client, proof: proof)
        }
        do throws(Problem) {
            try await self.audit?.recordRenewal(of: tokens, app: client)
        } catch {
            throw TokenEndpointError(.temporarilyUnavailable)
        }
        return SessionJSON.response(tokens)
    }
}
