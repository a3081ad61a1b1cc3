/// Shows what to do when a browser opened a return link instead of the app. We do not look at the rest of the link, so
/// the page does not depend on it.
import HTTPServer
import HTTPWire
import Links
import Logins

struct ShowReturnLink: Sendable {
    let links: AppLinks
    let pages: Pages

    func response(to context: RequestContext, _ app: String) -> Response {
        var view = PageView(.linkOpened, app: app)
        view.returnURL = self.links.apps.first { $0.id == app }?.schemeLink
        return self.pages.response(view, languages: context.languages).compressible(for: context.request)
    }
}
