import Base
import HTTPServer
import HTTPWire
import Logins
import Sessions

/// Answers the requests about sessions. A server without sessions has none of these.
///
/// It is a class, so that the work on a request holds a reference and not a copy.
final class SessionEndpoints: Sendable {
    private let begin: BeginSession
    private let manage: ManageSessions
    private let persons: PersonSessions
    private let issue: IssueToken
    private let revoke: RevokeToken
    let metadata: StaticFile

    /// `levels` says what a login with each provider may become at most, and `permitted` which of them have an agreement
    /// with the e-ID's scheme.
    init(
        _ sessions: SessionFlow, logins: LoginFlow, publicURL: String, levels: [String: SessionLevel],
        permitted: Set<String>, keys: AppKeys, limits: RequestLimits, now: @escaping @Sendable () -> Timestamp
    ) {
        let access = SessionAccess(sessions: sessions, limits: limits, publicURL: publicURL)
        self.begin = BeginSession(logins: logins, access: access, levels: levels, permitted: permitted)
        self.manage = ManageSessions(access: access, now: now)
        self.persons = PersonSessions(sessions: sessions, keys: keys, now: now)
        self.issue = IssueToken(access: access, clients: Set(keys.keys.keys))
        self.revoke = RevokeToken(access: access)
        self.metadata = StaticFile(json: AuthorizationServerMetadata(issuer: publicURL).json)
    }

    /// Call it on the request's loop. The metadata and the keys are files, which this does not answer.
    func respond(to context: RequestContext, _ route: SessionRoute) {
        context.respondAsync { () async throws(Problem) in
            switch route {
            case .begin: try await self.begin.respond(to: context)
            case .list: try await self.manage.list(context)
            case .end(let id): try await self.manage.end(context, id)
            case .setPIN(let id): try await self.manage.setPIN(context, id)
            case .search: try await self.persons.search(context)
            case .endAll: try await self.persons.end(context)
            case .token: await self.issue.respond(to: context)
            case .revoke: await self.revoke.respond(to: context)
            case .metadata, .keys: throw Problem(.notFound)
            }
        }
    }
}
