import HTTPWire
import Logins
import Traces

/// `GET /done/{page-token}`: shows the user the present state of the login.
struct ShowPage: RouteHandler, LongPollHandler {
    /// A page that may still change waits this long, so that most users see only the final state.
    private static let longestWait = Duration.seconds(2)

    let flow: LoginFlow
    private let pages: Pages
    let longPolls: LongPolls

    init(_ services: PublicServices) {
        self.flow = services.logins
        self.pages = services.pages
        self.longPolls = services.longPolls
    }

    func begin(_ context: RequestContext, _ token: String) {
        guard let login = self.flow.login(ofPage: token) else {
            return self.respond(PageView(SharedPage(rawValue: token)?.kind ?? .neutral), to: context)
        }
        Task.immediate(executorPreference: context.loop) {
            await WorkContext.$current.withValue(context.reply.work) {
                let view = await self.flow.loadPage(token) ?? PageView(.neutral)
                guard view.mayChange else { return self.respond(view, to: context, isWatched: true) }
                let question = HeldPage(handler: self, login: login, token: token, context: context)
                LongPoll.begin(context, atMost: Self.longestWait, question)
            }
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

/// A page that belongs to no login, because the browser must not see one. No login can have its token.
enum SharedPage: String {
    case unknown
    /// For a window that cannot finish its login, while another window is open at the broker.
    case elsewhere
    /// For a window whose login went on in another window.
    case continued

    var path: String { PathPattern.page.path(self.rawValue) }

    fileprivate var kind: PageView.Kind {
        switch self {
        case .unknown: .neutral
        case .elsewhere: .openElsewhere
        case .continued: .continuedElsewhere
        }
    }
}

/// `GET /`: the address of the server, which a person may open.
struct ShowHome: RouteHandler {
    private let pages: Pages

    init(_ services: PublicServices) { self.pages = services.pages }

    func begin(_ context: RequestContext, _: String) {
        context.respond(self.pages.response(PageView(.notice(.home)), languages: context.languages))
    }
}
