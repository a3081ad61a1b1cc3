import HTTPWire
import Logins

/// `GET /done/{page-token}`: shows the user the present state of the login.
struct ShowPage: LongPollHandler {
    /// A page that may still change waits this long, so that most users see only the final state.
    private static let longestWait = Duration.seconds(2)

    let flow: LoginFlow
    let pages: Pages
    let longPolls: LongPolls

    /// Call it on the request's loop.
    func begin(_ context: RequestContext, _ token: String) {
        guard let login = self.flow.login(ofPage: token) else {
            return self.respond(PageView(Self.kind(ofNobodys: Route.done(pageToken: token))), to: context)
        }
        Task.immediate(executorPreference: context.loop) {
            let view = await self.flow.loadPage(token) ?? PageView(.neutral)
            guard view.mayChange else { return self.respond(view, to: context, isWatched: true) }
            let question = HeldPage(handler: self, login: login, token: token, context: context)
            LongPoll.begin(context, atMost: Self.longestWait, question)
        }
    }

    private static func kind(ofNobodys page: Route) -> PageView.Kind {
        switch page {
        case Route.elsewherePage: .openElsewhere
        case Route.continuedPage: .continuedElsewhere
        default: .neutral
        }
    }

    fileprivate func respond(_ view: PageView, to context: RequestContext, isWatched: Bool = false) {
        var view = view
        view.canRetry = view.kind == .unavailable
        context.respond(self.pages.response(view, languages: context.languages, isWatched: isWatched))
    }
}

/// A page that waits a moment, because it may still change.
private struct HeldPage: LongPollQuestion {
    static let place = LoginFlow.WaitTarget.page

    let handler: ShowPage
    let login: LoginID
    let token: String
    let context: RequestContext

    nonisolated(nonsending) func look(_ progress: LongPollProgress, _ reply: Reply) async -> LongPollResult {
        let view = await self.handler.flow.loadPage(self.token) ?? PageView(.neutral)
        if progress.isTimeLeft, view.mayChange { return .nothing(version: 0, change: nil) }
        self.handler.respond(view, to: self.context, isWatched: true)
        return .answered
    }
}
