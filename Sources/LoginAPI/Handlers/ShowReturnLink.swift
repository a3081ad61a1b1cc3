import Base
import HTTPServer
import HTTPWire
import Links
import Logins

/// Shows what to do when a browser opened a return link instead of the app. We do not look at the rest of the link, so
/// the page does not depend on it.
struct ShowReturnLink: RouteHandler {
    private let links: AppLinks
    private let pages: Pages
    private let publicURL: String

    init(_ services: PublicServices) {
        self.links = services.settings.links
        self.pages = services.pages
        self.publicURL = services.settings.publicURL
    }

    func begin(_ context: RequestContext, _ app: String) { context.respond(self.response(to: context, app)) }

    private func response(to context: RequestContext, _ app: String) -> Response {
        var view = PageView(.linkOpened, app: app)
        let agent = context.request.fields[.userAgent] ?? ""
        let appLinks = self.links.apps.first { $0.id == app }
        view.returnURL = appLinks.flatMap { self.opening($0, isAndroid: agent.contains("Android")) }
        if view.returnURL == nil, let appLinks, agent.contains("iPhone") || agent.contains("iPad") {
            switch self.place(of: context.request) {
            case .linkURL?: return self.redirect(appLinks)
            case .publicURL?: view.returnURL = self.links.origin.flatMap { Self.link($0.origin, appLinks) }
            case nil: break
            }
        }
        var response = self.pages.response(view, languages: context.languages)
        response.fields.vary(on: .userAgent)
        return response.compressible(for: context.request)
    }

    // MARK: - iPhones without the app's own scheme

    // A link of https opens an app only from a page of another host. So the browser goes on to `public_url`, whose page
    // has a button with the link.

    private enum Place {
        case linkURL, publicURL
    }

    /// Returns the host at which the browser is. Nil if a proxy has changed it.
    private func place(of request: Request) -> Place? {
        guard let link = self.links.origin?.origin, let host = request.fields[.host] else { return nil }
        let name = "://" + host.lowercased()
        return link.hasSuffix(name) ? .linkURL : self.publicURL.hasSuffix(name) ? .publicURL : nil
    }

    private func redirect(_ app: AppLinks.App) -> Response {
        let target = Self.link(self.publicURL, app) ?? self.publicURL
        var response = Response(.seeOther, fields: [.location: target, .cacheControl: "no-store"])
        response.fields.vary(on: .userAgent)
        return response
    }

    private static func link(_ origin: String, _ app: AppLinks.App) -> String? {
        app.prefixes.first.map { origin + $0 }
    }

    // MARK: - Other phones

    /// Returns a link that opens the app although its usual link did not; nil if there is none.
    ///
    /// On Android it names the app itself, so no other app can take it. A browser that cannot open the app shows this
    /// page again (https://developer.chrome.com/docs/android/intents).
    private func opening(_ app: AppLinks.App, isAndroid: Bool) -> String? {
        // Of several apps we do not know which one this phone has. Its own scheme opens any of them.
        guard isAndroid, app.schemeLink == nil || app.androidApps.count == 1,
            let package = app.androidApps.first?.package,
            let origin = self.links.origin?.origin, let prefix = app.prefixes.first,
            let start = origin.firstRange(of: "://")
        else { return app.schemeLink }
        let fallback = FormBody.encode([Parameter("S.browser_fallback_url", origin + prefix)])
        return "intent://\(origin[start.upperBound...])\(prefix)#Intent;scheme=\(origin[..<start.lowerBound]);"
            + "package=\(package);\(fallback);end"
    }
}
