import Base
import HTTPWire
import Logins

/// `GET /done/{page-token}/state`: one word for the present state of the page. An open page asks for it, and updates
/// itself when the word changes.
///
/// The word reveals nothing: no name, no code, no link. We check the token before we ask the store or wait.
final class PollPageState: RouteHandler, LongPollHandler {
    /// The longest wait in seconds: less than the usual 30 s of proxies.
    private static let longestWait = 25

    let flow: LoginFlow
    private let limits: RequestLimits
    let longPolls: LongPolls
    private let now: @Sendable () -> Timestamp

    init(_ services: PublicServices) {
        self.flow = services.logins
        self.limits = services.limits
        self.longPolls = services.longPolls
        self.now = services.now
    }

    func begin(_ context: RequestContext, _ token: String) {
        guard let login = self.flow.login(ofPage: token) else { return context.refuse(Problem(.notFound)) }
        let tags = EntityTag.List(context.request.fields.all(.ifNoneMatch))
        let preferredWait = Preference.wait(in: context.request.fields.all(.prefer)) ?? 0
        let wait = Duration.seconds(min(preferredWait, Self.longestWait))
        LongPoll.begin(
            context, atMost: wait, HeldPageState(handler: self, login: login, token: token, tags: tags))
    }

    nonisolated(nonsending) fileprivate func look(
        at login: LoginID, _ token: String, _ tags: EntityTag.List?, _ progress: LongPollProgress, _ reply: Reply
    ) async -> LongPollResult {
        do throws(Problem) {
            guard let view = await self.flow.loadPage(token) else { throw Problem(.notFound) }
            guard view.kind != .unavailable else { throw Problem(.storeUnavailable) }
            let isKnown = tags?.matchesAnyCoding(of: Self.tag(of: view)) ?? false
            if isKnown, progress.isTimeLeft {
                return .nothing(version: 0, change: view.changesAt.map { $0 - self.now() })
            }
            // We do not count a request that waited. While the server stops, all requests are answered at once.
            if !progress.hasWaited, self.longPolls.areAllowed {
                try self.limits.takePageState(of: login, at: reply.loop.elapsed)
            }
            reply.respond(Self.response(view, isKnown: isKnown))
        } catch {
            reply.refuse(error)
        }
        return .answered
    }

    private static func tag(of view: PageView) -> EntityTag { EntityTag(strong: view.state) }

    private static func response(_ view: PageView, isKnown: Bool) -> Response {
        var fields: Fields = [.cacheControl: CacheControl.unchanged]
        fields[.etag] = Self.tag(of: view).description
        guard !isKnown else { return Response(.notModified, fields: fields, body: []) }
        fields[.contentType] = "text/plain; charset=utf-8"
        return Response(.ok, fields: fields, body: Array(view.state.utf8))
    }
}

/// A request of a page that waits.
private struct HeldPageState: LongPollQuestion {
    static let place = LoginFlow.WaitTarget.page

    let handler: PollPageState
    let login: LoginID
    let token: String
    let tags: EntityTag.List?

    nonisolated(nonsending) func look(_ progress: LongPollProgress, _ reply: Reply) async -> LongPollResult {
        await self.handler.look(at: self.login, self.token, self.tags, progress, reply)
    }
}
