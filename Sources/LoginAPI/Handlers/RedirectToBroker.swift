import HTTPWire
import Logins

/// `GET /go/{start-token}`: redirects a browser to the broker, or back to its page.
final class RedirectToBroker: RespondingHandler {
    private let flow: LoginFlow
    private let pages: Pages
    private let limits: RequestLimits

    init(_ services: PublicServices) {
        self.flow = services.logins
        self.pages = services.pages
        self.limits = services.limits
    }

    func begin(_ context: RequestContext, _ startToken: String) {
        context.respondWhileConnected { await self.respond(to: context, startToken) }
    }

    nonisolated(nonsending) func respond(to context: RequestContext, _ startToken: String) async -> Response {
        guard !context.isPrefetch else { return .refusedPrefetch }
        // Link checkers send HEAD. They must not use up an authorization attempt.
        guard !context.isHead else { return self.pages.response(.ok, PageView(.neutral), languages: context.languages) }
        let cookies = RequestCookies.list(context.request)
        let answer = await context.inTurn {
            await self.flow.startAuthorization(
                startToken, languages: context.languages, cookies: cookies, by: context.clientContext(self.limits))
        }
        switch answer {
        case .redirect(let url, let cookie):
            var response = Response(.seeOther, fields: [.location: url, .cacheControl: "no-store"], body: [])
            if let cookie {
                response.fields[.setCookie] = AttemptCookie.setCookieValue(cookie.name, cookie.value, for: 3600)
            }
            return response
        case .redirectBack(let back):
            return .redirect(to: back)
        case .page(var view):
            view.canRetry = view.kind == .unavailable || view.kind == .busy || view.kind == .providerOff
            return self.pages.response(view, languages: context.languages)
        }
    }
}

extension AttemptCookie {
    /// The browser must send it with a form that the broker's page posts, which is cross-site (`SameSite=None`).
    static func setCookieValue(_ name: String, _ value: String, for seconds: Int) -> String {
        "\(name)=\(value); Path=/; Max-Age=\(seconds); Secure; HttpOnly; SameSite=None"
    }
}

extension Response {
    /// Redirects the browser that delivered the broker's response.
    static func redirect(to back: BrowserDestination) -> Response {
        switch back {
        case .page(let token): .redirect(to: PathPattern.page.path(token))
        case .app(let url): .redirect(to: url)
        }
    }

    /// The browser ends at a URL that contains no code and can be loaded again.
    static func redirect(to location: String) -> Response {
        Response(.seeOther, fields: [.location: location, .cacheControl: "no-store"], body: [])
    }

    /// The user has not asked for the page yet, so a prefetch neither starts nor finishes a login.
    static let refusedPrefetch = Response(.serviceUnavailable, fields: [.cacheControl: "no-store"], body: [])
}
