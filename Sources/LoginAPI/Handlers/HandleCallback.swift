import Base
import Brokers
import HTTPWire
import Logins

/// `GET` and `POST /callback/{broker}`: takes the broker's response, and redirects the browser to a page without it.
///
/// We ignore `Origin` and `Referer`: the `state` proves that the response belongs to a request of ours, and browsers
/// send unreliable values after a chain of redirects.
final class HandleCallback: RespondingHandler {
    /// Seconds for which the browser can return to the page: longer than a code exchange, and than a result waits for
    /// its proof if the page has asked for more time.
    private static let pageLifetime = 2 * LoginSettings.App.longestReturnTimeout + 120

    private let flow: LoginFlow
    private let pages: Pages
    private let limits: RequestLimits

    init(_ services: PublicServices) {
        self.flow = services.logins
        self.pages = services.pages
        self.limits = services.limits
    }

    nonisolated(nonsending) func respond(to context: RequestContext, _ broker: String) async -> Response {
        guard !context.isPrefetch else { return .refusedPrefetch }
        guard !context.isHead else { return self.pages.response(.ok, PageView(.neutral), languages: context.languages) }
        guard let parameters = self.parameters(of: context.request, keeping: self.flow.responseNames(of: broker)) else {
            self.flow.ignoreCallback(.mediaType)
            return self.pages.response(.unsupportedMediaType, PageView(.neutral), languages: context.languages)
        }
        return await self.respond(to: context, broker, parameters, RequestCookies.list(context.request))
    }

    nonisolated(nonsending) private func respond(
        to context: RequestContext, _ broker: String, _ parameters: [Parameter], _ cookies: [Parameter]
    ) async -> Response {
        let answer = await context.inTurn {
            await self.flow.acceptCallback(
                broker: broker, parameters: parameters, cookies: cookies, by: context.clientContext(self.limits))
        }
        switch answer {
        case .redirect(let back, let cookie):
            var response = Response.redirect(to: back)
            response.fields[.setCookie] = AttemptCookie.setCookieValue(
                cookie.name, cookie.value, for: Self.pageLifetime)
            return response
        // No redirect, so that the user can send the same again, with the same cookie.
        case .refused(var view):
            // A link cannot send a form again, and no URL of ours contains a code.
            view.canRetry = context.request.method == .get
            return self.pages.response(view, languages: context.languages)
        case .elsewhere(let cookie): return Self.leave(for: .elsewhere, cookie, cookies)
        case .ignored(.otherResponse, let cookie): return Self.leave(for: .continued, cookie, cookies)
        // A browser learns nothing of the other reasons.
        case .ignored(_, let cookie): return Self.leave(for: .unknown, cookie, cookies)
        }
    }

    /// Redirects to a page without a button, code or link, and wipes the cookie of an attempt that is over.
    private static func leave(for page: SharedPage, _ cookie: String?, _ cookies: [Parameter]) -> Response {
        var response = Response.redirect(to: page.path)
        if let cookie, cookies.contains(where: { $0.name == cookie }) {
            response.fields[.setCookie] = AttemptCookie.setCookieValue(cookie, "", for: 0)
        }
        return response
    }

    /// Reads the query, or the body of a POST (OAuth 2.0 Form Post Response Mode); nil for another type of body.
    private func parameters(of request: Request, keeping names: Set<String>) -> [Parameter]? {
        guard request.method == .post else { return FormBody.read(request.target.query ?? "", keeping: names) }
        guard let type = request.mediaType, type.isForm else { return nil }
        return FormBody.read(request.body, keeping: names)
    }
}
