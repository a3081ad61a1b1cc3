/// `GET /done/{page-token}`: what is true of the login now, for the person in front of the browser.
import HTTPWire
import Logins

struct ShowPage: Sendable {
    /// A page that may still change is held so long, so that most people see the end and nothing before it.
    private static let patience = Duration.seconds(2)

    let flow: LoginFlow
    let pages: Pages
    let holds: Holds

    /// On the call's loop.
    func begin(_ call: Call, _ token: String) {
        guard let login = self.flow.login(ofPage: token) else {
            return call.respond(self.pages.response(PageView(.neutral), languages: call.languages))
        }
        HeldRequest.begin(call, login, of: self.flow, self.holds, atMost: Self.patience) { isTimeLeft in
            let view = await self.flow.page(token) ?? PageView(.neutral)
            if isTimeLeft, view.mayChange { return .nothing(version: 0, change: nil) }
            call.respond(self.pages.response(view, languages: call.languages))
            return .answered
        }
    }
}
