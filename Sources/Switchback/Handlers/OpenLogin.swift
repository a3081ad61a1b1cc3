/// `GET /go/{start-token}`: a browser opens a login, and is sent on to the broker.
import HTTPWire
import Logins

struct OpenLogin: Sendable {
    let flow: LoginFlow
    let pages: Pages

    func response(to call: Call, _ startToken: String) async -> Response {
        guard !call.isPrefetch else { return .refusedPrefetch }
        // Link checkers ask by HEAD; they must not use up an opening.
        guard !call.isHead else { return self.pages.response(.ok, PageView(.neutral), languages: call.languages) }
        switch await self.flow.open(startToken, languages: call.languages) {
        case .redirect(let url):
            return Response(.seeOther, fields: [.location: url, .cacheControl: "no-store"], body: [])
        case .page(let view):
            return self.pages.response(view, languages: call.languages)
        }
    }
}

extension Response {
    /// Nobody has asked to see it yet: a login is neither opened nor finished by a browser's guess.
    static let refusedPrefetch = Response(.serviceUnavailable, fields: [.cacheControl: "no-store"], body: [])
}
