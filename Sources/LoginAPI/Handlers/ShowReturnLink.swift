/// A return link that a browser opened instead of the app: what to do now. Nothing of the page depends on what the link
/// brought, and nothing of it is looked at.
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
