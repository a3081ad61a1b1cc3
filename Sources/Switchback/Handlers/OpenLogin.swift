/// `GET /go/{start-token}`: a browser opens a login and is sent on to the broker, or back to its page.
import HTTPWire
import Logins

struct OpenLogin: Sendable {
    let flow: LoginFlow
    let pages: Pages
    let limits: RequestLimits

    func response(to call: Call, _ startToken: String) async -> Response {
        guard !call.isPrefetch else { return .refusedPrefetch }
        // Link checkers ask by HEAD; they must not use up an opening.
        guard !call.isHead else { return self.pages.response(.ok, PageView(.neutral), languages: call.languages) }
        let cookies = RequestCookies.list(call.request)
        let answer = await call.inTurn {
            await self.flow.open(
                startToken, languages: call.languages, cookies: cookies, by: call.caller(self.limits))
        }
        switch answer {
        case .redirect(let url, let cookie):
            var response = Response(.seeOther, fields: [.location: url, .cacheControl: "no-store"], body: [])
            if let cookie { response.fields[.setCookie] = OpeningCookie.setting(cookie.name, cookie.value, for: 3600) }
            return response
        case .back(let back):
            return .redirect(to: back)
        case .page(let view):
            return self.pages.response(view, languages: call.languages)
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
    static func redirect(to back: LoginFlow.Back) -> Response {
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
