/// `GET /done/{page-token}`: shows the user the present state of the login.
import HTTPWire
import Logins

struct ShowPage: Sendable {
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
            self.hold(context, login, token)
        }
    }

    private static func kind(ofNobodys page: Route) -> PageView.Kind {
        switch page {
        case Route.elsewherePage: .openElsewhere
        case Route.continuedPage: .continuedElsewhere
        default: .neutral
        }
    }

    private func hold(_ context: RequestContext, _ login: LoginID, _ token: String) {
        LongPoll.begin(context, login, in: .page, of: self.flow, self.longPolls, atMost: Self.longestWait) { look in
            let view = await self.flow.loadPage(token) ?? PageView(.neutral)
            if look.isTimeLeft, view.mayChange { return .nothing(version: 0, change: nil) }
            self.respond(view, to: context, isWatched: true)
            return .answered
        }
    }

    private func respond(_ view: PageView, to context: RequestContext, isWatched: Bool = false) {
        context.respond(self.pages.response(view, languages: context.languages, isWatched: isWatched))
    }
}
