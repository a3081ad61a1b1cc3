/// What the user sees in DigiD's app.
import Base
import HTTPWire

struct DigiDPage: Sendable {
    let authRequest: DigiDSessionStore.AuthRequest
    let login: String

    var response: Response {
        let form = DecisionForm(
            action: DigiDRoute.app.rawValue, hidden: [Parameter("login", self.login)],
            menu: FaultMenu(system: .digid, flow: .appToApp))
        let body: Markup = """
            <p class="badge">Sandbox</p>
            <h1>DigiD</h1>
            <p><strong>\(self.authRequest.client.clientID)</strong> asks you to log in. All users here are fictional.</p>
            \(form.markup)
            """
        let targets = ["'self'"] + [Origin.source(of: self.authRequest.returnURL)].compactMap(\.self)
        return PageResponse(title: "DigiD", body: body, formTargets: targets + self.authRequest.client.onwardOrigins)
            .response
    }
}
