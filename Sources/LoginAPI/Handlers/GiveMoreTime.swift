import HTTPServer
import HTTPWire
import Logins

/// `POST /done/{page-token}`: the user needs more time to return to the app (WCAG 2.2, 2.2.1). Once, the time is doubled.
///
/// Only a browser that has the page can ask. The response is always the page again, which says what is true now. So a
/// request that is repeated, or that comes too late, needs no answer of its own.
final class GiveMoreTime: RespondingHandler {
    private let flow: LoginFlow
    private let pages: Pages
    private let limits: RequestLimits

    init(_ services: PublicServices) {
        self.flow = services.logins
        self.pages = services.pages
        self.limits = services.limits
    }

    nonisolated(nonsending) func respond(to context: RequestContext, _ token: String) async -> Response {
        guard let login = self.flow.login(ofPage: token) else { return self.page(PageView(.neutral), context) }
        do throws(Problem) {
            try self.limits.takePageState(of: login, at: context.loop.elapsed)
        } catch {
            return self.back(to: PageView(error), context)
        }
        do throws(LoginFlowError) {
            guard try await self.flow.giveMoreTime(token) else { return self.page(PageView(.neutral), context) }
        } catch {
            return self.back(to: PageView(after: error), context)
        }
        return .redirect(to: PathPattern.page.path(token))
    }

    /// The page's own URL leads back to the page, where the user can ask once more.
    private func back(to page: PageView, _ context: RequestContext) -> Response {
        var view = page
        view.canRetry = true
        return self.page(view, context)
    }

    private func page(_ view: PageView, _ context: RequestContext) -> Response {
        self.pages.response(view, languages: context.languages)
    }
}
