import Base
import Brokers
import HTTPWire
import Logins

/// `GET` and `POST /callback/{broker}`: takes the broker's response, and redirects the browser to a page without it.
///
/// We ignore `Origin` and `Referer`: the `state` proves that the response belongs to a request of ours, and browsers
/// send unreliable values after a chain of redirects.
final class HandleCallback: RespondingHandler {
    /// Seconds for which the browser can return to the page: longer than a result waits for its proof.
    private static let pageLifetime = 600

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
        guard let form = self.form(of: context.request) else {
            self.flow.ignoreCallback(.mediaType)
            return self.pages.response(.unsupportedMediaType, PageView(.neutral), languages: context.languages)
        }
        let parameters = FormBody.read(form, keeping: self.flow.responseNames(of: broker))
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
        case .unavailable:
            return self.again(PageView(.unavailable), context)
        case .busy(let time):
            var view = PageView(.busy)
            view.retryAfter = time
            return self.again(view, context)
        case .noEffect(let why, let cookie):
            var response = Response.redirect(to: Self.page(why).path)
            if let cookie, cookies.contains(where: { $0.name == cookie }) {
                response.fields[.setCookie] = AttemptCookie.setCookieValue(cookie, "", for: 0)
            }
            return response
        }
    }

    private func again(_ page: PageView, _ context: RequestContext) -> Response {
        var view = page
        // A link cannot send a form again, and no URL of ours contains a code.
        view.canRetry = context.request.method == .get
        return self.pages.response(view, languages: context.languages)
    }

    private static func page(_ why: CallbackOutcome.NoEffect) -> SharedPage {
        switch why {
        case .neutral: .unknown
        case .elsewhere: .elsewhere
        case .continued: .continued
        }
    }

    /// Returns the query, or the body of a POST (OAuth 2.0 Form Post Response Mode); nil for another type of body.
    private func form(of request: Request) -> [UInt8]? {
        guard request.method == .post else { return Array((request.target.query ?? "").utf8) }
        guard let type = request.mediaType, type.isForm else { return nil }
        return request.body
    }
}
