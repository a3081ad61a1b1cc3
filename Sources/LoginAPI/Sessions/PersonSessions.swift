import Base
import HTTPWire
import Sessions

/// `POST /v1/sessions/search`: an app's own backend lists the sessions of a person.
///
/// The subject is in the body, because it can be a national id and must not be in a URL.
final class ListPersonSessions: RespondingHandler {
    private let sessions: SessionFlow
    private let keys: AppKeys
    private let now: @Sendable () -> Timestamp

    /// Nil for a server without sessions.
    init?(_ services: PublicServices) {
        guard let sessions = services.sessions else { return nil }
        self.sessions = sessions
        self.keys = services.keys
        self.now = services.now
    }

    nonisolated(nonsending) func respond(to context: RequestContext, _: String) async throws(Problem) -> Response {
        let app = try self.keys.app(of: context.request)
        let body = try PersonBody(context.request)
        let sessions = try await refusing(as: Problem.self) { () async throws(SessionError) in
            try await self.sessions.list(app: app, subject: body.subject)
        }
        return SessionJSON.response(sessions, at: self.now(), unknown: body.unknown)
    }
}

/// `POST /v1/sessions/end`: an app's own backend ends the sessions of a person.
final class EndPersonSessions: RespondingHandler {
    private let sessions: SessionFlow
    private let keys: AppKeys

    /// Nil for a server without sessions.
    init?(_ services: PublicServices) {
        guard let sessions = services.sessions else { return nil }
        self.sessions = sessions
        self.keys = services.keys
    }

    nonisolated(nonsending) func respond(to context: RequestContext, _: String) async throws(Problem) -> Response {
        let app = try self.keys.app(of: context.request)
        let body = try PersonBody(context.request)
        let count = try await refusing(as: Problem.self) { () async throws(SessionError) in
            try await self.sessions.endAll(app: app, subject: body.subject)
        }
        return SessionJSON.response(ended: count, unknown: body.unknown)
    }
}

/// The body of both requests.
struct PersonBody {
    let subject: Secret
    let unknown: UnknownMembers

    init(_ request: Request) throws(Problem) {
        var body = try JSONBody(request)
        guard let subject = try body.readText("subject", { 1...1024 ~= $0.utf8.count }) else {
            throw body.missing("subject")
        }
        self.subject = Secret(subject)
        self.unknown = try UnknownMembers(body.unreadNames, in: request)
    }
}
