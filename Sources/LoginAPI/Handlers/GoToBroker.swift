/// `GET /go/{start-token}`: a browser opens a login and is sent on to the broker, or back to its page.
import HTTPWire
import Logins

struct GoToBroker: Sendable {
    let flow: LoginFlow
    let pages: Pages
    let limits: RequestLimits

    func response(to context: RequestContext, _ startToken: String) async -> Response {
        guard !context.isPrefetch else { return .refusedPrefetch }
        // Link checkers ask by HEAD; they must not use up an opening.
        guard !context.isHead else { return self.pages.response(.ok, PageView(.neutral), languages: context.languages) }
        let cookies = RequestCookies.list(context.request)
        let answer = await context.inTurn {
            await self.flow.open(
                startToken, languages: context.languages, cookies: cookies, by: context.caller(self.limits))
        }
        switch answer {
        case .redirect(let url, let cookie):
            var response = Response(.seeOther, fields: [.location: url, .cacheControl: "no-store"], body: [])
            if let cookie { response.fields[.setCookie] = OpeningCookie.setting(cookie.name, cookie.value, for: 3600) }
            return response
        case .back(let back):
            return .redirect(to: back)
        case .page(let view):
            return self.pages.response(view, languages: context.languages)
        }
    }
}

extension OpeningCookie {
    /// It has to come back with a form that the broker's page posts, which is another site's (`SameSite=None`).
    static func setting(_ name: String, _ value: String, for seconds: Int) -> String {
        "\(name)=\(value); Path=/; Max-Age=\(seconds); Secure; HttpOnly; SameSite=None"
    }
}

extension Response {
    /// For the browser that brought the broker's answer.
    static func redirect(to back: BrowserDestination) -> Response {
        switch back {
        case .page(let token): .redirect(to: Route.done(pageToken: token).path)
        case .app(let url): .redirect(to: url)
        }
    }

    /// The address that the browser keeps holds no code and can be loaded again.
    static func redirect(to location: String) -> Response {
        Response(.seeOther, fields: [.location: location, .cacheControl: "no-store"], body: [])
    }

    /// Nobody has asked to see it yet: a login is neither opened nor finished by a browser's guess.
    static let refusedPrefetch = Response(.serviceUnavailable, fields: [.cacheControl: "no-store"], body: [])
}
