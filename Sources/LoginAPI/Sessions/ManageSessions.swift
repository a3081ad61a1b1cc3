import Base
import HTTPWire
import Sessions

/// `GET /v1/sessions`: an app shows the sessions of its user.
final class ListSessions: RespondingHandler {
    private let access: SessionAccess
    private let now: @Sendable () -> Timestamp

    /// Nil for a server without sessions.
    init?(_ services: PublicServices) {
        guard let access = SessionAccess(services) else { return nil }
        self.access = access
        self.now = services.now
    }

    nonisolated(nonsending) func respond(to context: RequestContext, _: String) async throws(Problem) -> Response {
        let (claims, _) = try self.access.claims(of: context)
        let sessions = try await refusing(as: Problem.self) { () async throws(SessionError) in
            try await self.access.sessions.list(by: claims)
        }
        return SessionJSON.response(sessions, at: self.now())
    }
}

/// `DELETE /v1/sessions/{id}`: an app ends a session of its user.
final class EndSession: RespondingHandler {
    private let access: SessionAccess

    /// Nil for a server without sessions.
    init?(_ services: PublicServices) {
        guard let access = SessionAccess(services) else { return nil }
        self.access = access
    }

    nonisolated(nonsending) func respond(to context: RequestContext, _ id: String) async throws(Problem) -> Response {
        let (claims, _) = try self.access.claims(of: context)
        guard let id = SessionID(id) else { throw Problem(.sessionUnknown) }
        try await refusing(as: Problem.self) { () async throws(SessionError) in
            try await self.access.sessions.end(id, by: claims)
        }
        return SessionJSON.noContent()
    }
}

/// `PUT /v1/sessions/{id}/pin`: an app sets the PIN of its own session.
final class SetPIN: RespondingHandler {
    private let access: SessionAccess

    /// Nil for a server without sessions.
    init?(_ services: PublicServices) {
        guard let access = SessionAccess(services) else { return nil }
        self.access = access
    }

    nonisolated(nonsending) func respond(to context: RequestContext, _ id: String) async throws(Problem) -> Response {
        let body = try PINBody(context.request)
        let (claims, proof) = try self.access.claims(of: context)
        guard let id = SessionID(id) else { throw Problem(.sessionUnknown) }
        try await refusing(as: Problem.self) { () async throws(SessionError) in
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
