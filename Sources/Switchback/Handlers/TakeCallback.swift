/// `GET` and `POST /callback/{broker}`: the browser brings the broker's answer, and is sent to a page without it.
///
/// What stands in `Origin` or `Referer` is not looked at: the `state` proves that the answer is to a request of ours,
/// and browsers send what they like after a chain of redirects.
import HTTPWire
import Logins

struct TakeCallback: Sendable {
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
        guard let parameters = try? FormBody.parse(form) else { return self.redirect(to: Route.nobodysPage.path) }
        let cookies = RequestCookies.list(call.request)
        var response = await self.response(to: call, broker, parameters, cookies)
        if let spent = self.flow.spentCookie(broker: broker, parameters: parameters),
            cookies.contains(where: { $0.name == spent })
        {
            response.fields[.setCookie] = OpeningCookie.setting(spent, "", for: 0)
        }
        return response
    }

    private func response(
        to call: Call, _ broker: String, _ parameters: [(name: String, value: String)],
        _ cookies: [(name: String, value: String)]
    ) async -> Response {
        let answer = await call.inTurn {
            await self.flow.takeCallback(
                broker: broker, parameters: parameters, cookies: cookies, by: call.caller(self.limits))
        }
        switch answer {
        case .page(let token): return self.redirect(to: Route.done(pageToken: token).path)
        case .app(let url): return self.redirect(to: url)
        case .neutral: return self.redirect(to: Route.nobodysPage.path)
        // Not sent on, so that the person can send the same again.
        case .unavailable: return self.pages.response(PageView(.unavailable), languages: call.languages)
        }
    }

    /// The bytes of the query, or of the body of a POST (OAuth 2.0 Form Post Response Mode); nil for another kind of body.
    private func form(of request: Request) -> [UInt8]? {
        guard request.method == .post else { return Array((request.target.query ?? "").utf8) }
        guard let type = request.mediaType, type.isForm else { return nil }
        return request.body
    }

    /// The address that the browser keeps holds no code and can be loaded again.
    private func redirect(to location: String) -> Response {
        Response(.seeOther, fields: [.location: location, .cacheControl: "no-store"], body: [])
    }
}
