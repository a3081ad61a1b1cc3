import Base
import HTTPWire
import Sessions

/// `GET /v1/sessions`, `DELETE /v1/sessions/{id}` and `PUT /v1/sessions/{id}/pin`: an app shows the sessions of its
/// user, ends one, and sets the PIN of its own.
struct ManageSessions: Sendable {
    let access: SessionAccess
    let now: @Sendable () -> Timestamp

    nonisolated(nonsending) func list(_ context: RequestContext) async throws(Problem) -> Response {
        let (claims, _) = try self.access.claims(of: context)
        let sessions = try await translatingErrors { () async throws(SessionError) in
            try await self.access.sessions.list(by: claims)
        }
        return SessionJSON.response(sessions, at: self.now())
    }

    nonisolated(nonsending) func end(_ context: RequestContext, _ id: String) async throws(Problem) -> Response {
        let (claims, _) = try self.access.claims(of: context)
        guard let id = SessionID(id) else { throw Problem(.sessionUnknown) }
        try await translatingErrors { () async throws(SessionError) in
            try await self.access.sessions.end(id, by: claims)
        }
        return SessionJSON.noContent()
    }

    nonisolated(nonsending) func setPIN(_ context: RequestContext, _ id: String) async throws(Problem) -> Response {
        let body = try PINBody(context.request)
        let (claims, proof) = try self.access.claims(of: context)
        guard let id = SessionID(id) else { throw Problem(.sessionUnknown) }
        try await translatingErrors { () async throws(SessionError) in
            try await self.access.sessions.setPIN(
                id, secret: body.secret, pinID: body.id, accessToken: claims, proof: proof)
        }
        return SessionJSON.noContent(unknown: body.unknown)
    }
}

/// The body of `PUT /v1/sessions/{id}/pin`.
struct PINBody {
    let secret: Secret
    /// The name that the app gives the PIN.
    let id: String?
    let unknown: UnknownMembers

    init(_ request: Request) throws(Problem) {
        var body = try JSONBody(request)
        guard let text = try body.readText("pin_secret", { _ in true }) else { throw body.missing("pin_secret") }
        guard let bytes = Base64URL.decode(text), bytes.count == 32 else {
            throw Problem(.pinMalformed, member: "pin_secret")
        }
        self.secret = Secret(bytes)
        self.id = try body.readText("pin_id") { InputSyntax.isName($0) }
        self.unknown = try UnknownMembers(body.unreadNames, in: request)
    }
}
