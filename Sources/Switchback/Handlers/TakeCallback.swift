/// `GET` and `POST /callback/{broker}`: the browser brings the broker's answer, and is sent to a page without it.
///
/// What stands in `Origin` or `Referer` is not looked at: the `state` proves that the answer is to a request of ours,
/// and browsers send what they like after a chain of redirects.
import HTTPWire
import Logins

struct TakeCallback: Sendable {
    /// Seconds for which the browser can come back to the page: longer than a result waits for its proof.
    private static let pageLifetime = 600

    let flow: LoginFlow
    let pages: Pages
    let limits: RequestLimits

    func response(to call: Call, _ broker: String) async -> Response {
        guard !call.isPrefetch else { return .refusedPrefetch }
        guard !call.isHead else { return self.pages.response(.ok, PageView(.neutral), languages: call.languages) }
        guard let form = self.form(of: call.request) else {
            return self.pages.response(.unsupportedMediaType, PageView(.neutral), languages: call.languages)
        }
        // A form that cannot be read belongs to no login, so it ends none.
        guard let parameters = try? FormBody.parse(form) else { return .redirect(to: Route.nobodysPage.path) }
        return await self.response(to: call, broker, parameters, RequestCookies.list(call.request))
    }

    private func response(
        to call: Call, _ broker: String, _ parameters: [(name: String, value: String)],
        _ cookies: [(name: String, value: String)]
    ) async -> Response {
        let answer = await call.inTurn {
            await self.flow.takeCallback(
                broker: broker, parameters: parameters, cookies: cookies, by: call.caller(self.limits))
        }
        var response: Response
        switch answer {
        case .back(let back, let cookie):
            response = .redirect(to: back)
            response.fields[.setCookie] = OpeningCookie.setting(cookie.name, cookie.value, for: Self.pageLifetime)
            return response
        // Not sent on, so that the person can send the same again, with the same cookie.
        case .unavailable: return self.pages.response(PageView(.unavailable), languages: call.languages)
        case .neutral: response = .redirect(to: Route.nobodysPage.path)
        case .elsewhere: response = .redirect(to: Route.otherWindowsPage.path)
        case .continued: response = .redirect(to: Route.continuedPage.path)
        }
        // Nothing more can come of this browser's opening.
        if let spent = self.flow.cookieName(broker: broker, parameters: parameters),
            cookies.contains(where: { $0.name == spent })
        {
            response.fields[.setCookie] = OpeningCookie.setting(spent, "", for: 0)
        }
        return response
    }

    /// The bytes of the query, or of the body of a POST (OAuth 2.0 Form Post Response Mode); nil for another kind of body.
    private func form(of request: Request) -> [UInt8]? {
        guard request.method == .post else { return Array((request.target.query ?? "").utf8) }
        guard let type = request.mediaType, type.isForm else { return nil }
        return request.body
    }
}
