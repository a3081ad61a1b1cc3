/// `GET /go/{start-token}`: a browser opens a login, and is sent on to the broker.
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
        let answer = await call.inTurn {
            await self.flow.open(startToken, languages: call.languages, by: call.caller(self.limits))
        }
        switch answer {
        case .redirect(let url, let cookie):
            var response = Response(.seeOther, fields: [.location: url, .cacheControl: "no-store"], body: [])
            if let cookie { response.fields[.setCookie] = OpeningCookie.setting(cookie.name, cookie.value, for: 3600) }
            return response
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
    /// Nobody has asked to see it yet: a login is neither opened nor finished by a browser's guess.
    static let refusedPrefetch = Response(.serviceUnavailable, fields: [.cacheControl: "no-store"], body: [])
}
